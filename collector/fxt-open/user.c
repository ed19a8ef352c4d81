// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * user.c - finds which user's program has connected to a port of this machine, so that a link is
 * useless to other users who see it.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "libfxt/invoker.h"
#include "open.h"

#define HEX		33	/* digits of an IPv6 address, terminated */
#define ESTABLISHED	1	/* in later states, a socket may appear as root's */

/* Format an address as in /proc/net/tcp, or as an IPv4 address in /proc/net/tcp6. */
static bool is_address(const char *text, in_addr_t address)
{
	static const char mapped[] = "0000000000000000FFFF0000";
	char expected[HEX];

	snprintf(expected, sizeof(expected), "%s%08X", strlen(text) == HEX - 1 ? mapped : "",
		 address);
	return !strcmp(text, expected);
}

/* Returns 0, -ENOENT if it is not there, or -ENOSYS if there is no such list. */
static int find_owner(const char *list, const struct sockaddr_in *from, uint16_t port, uid_t *uid)
{
	unsigned int local_port, far_port, state;
	char line[512], local[HEX], far[HEX];
	FILE *f = fopen(list, "re");
	int ret = -ENOENT;

	if (!f)
		return -ENOSYS;
	while (ret && fgets(line, sizeof(line), f))
		if (sscanf(line, " %*u: %32[0-9A-F]:%x %32[0-9A-F]:%x %x %*x:%*x %*x:%*x %*x %u",
			   local, &local_port, far, &far_port, &state, uid) == 6 &&
		    state == ESTABLISHED && local_port == ntohs(from->sin_port) &&
		    far_port == port && is_address(local, from->sin_addr.s_addr) &&
		    is_address(far, htonl(INADDR_LOOPBACK)))
			ret = 0;
	fclose(f);
	return ret;
}

int user_of(const struct sockaddr_in *from, uint16_t port, uid_t *uid)
{
	int ret = find_owner("/proc/net/tcp", from, port, uid);

	/* An IPv6 socket can connect to an IPv4 address. The kernel may lack IPv6. */
	if (ret == -ENOENT && !find_owner("/proc/net/tcp6", from, port, uid))
		ret = 0;
	return ret;
}

static bool is_login(uid_t uid)
{
	FILE *f = fopen("/proc/self/loginuid", "re");
	unsigned int login = -1;

	if (!f)
		return false;
	if (fscanf(f, "%u", &login) != 1)
		login = -1;
	fclose(f);
	return login != (unsigned int)-1 && login == uid;
}

bool user_is_ours(uid_t uid)
{
	struct invoker who;

	if (!uid || uid == geteuid())
		return true;
	invoker_find(&who);
	return (who.known && who.uid == uid) || (!geteuid() && is_login(uid));
}
