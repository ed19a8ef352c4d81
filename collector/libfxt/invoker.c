// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * invoker.c - see invoker.h. The environment is trusted only if root itself started this process.
 */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "invoker.h"

/* Group of a user without a passwd entry, if no group is given. */
#define NO_GROUP	65534

static bool parse_id(const char *text, unsigned int *id)
{
	unsigned long n;
	char *end;

	if (!text || *text < '0' || *text > '9')
		return false;
	errno = 0;
	n = strtoul(text, &end, 10);
	if (errno || *end || n >= (uid_t)-1)
		return false;
	*id = n;
	return true;
}

static void set_text(char *to, size_t room, const char *text)
{
	/* A truncated name could be that of another user. */
	if (strlen(text) < room)
		strcpy(to, text);
}

static void describe(struct invoker *who, const struct passwd *pw)
{
	set_text(who->name, sizeof(who->name), pw->pw_name);
	set_text(who->home, sizeof(who->home), pw->pw_dir);
}

/* The kernel knows who runs a set-id program. That user controls its environment. */
static void find_real(struct invoker *who)
{
	const struct passwd *pw = getpwuid(getuid());

	who->known = true;
	who->uid = getuid();
	who->gid = getgid();
	who->has_groups = true;
	if (pw)
		describe(who, pw);
}

void invoker_find(struct invoker *who)
{
	const char *doas = getenv("DOAS_USER");
	const struct passwd *pw = NULL;

	*who = (struct invoker){ .gid = NO_GROUP };
	if (getuid() != geteuid() || getgid() != getegid()) {
		find_real(who);
		return;
	}
	if (getuid())
		return;
	if (!parse_id(getenv("SUDO_UID"), &who->uid) &&
	    !parse_id(getenv("PKEXEC_UID"), &who->uid) && doas && (pw = getpwnam(doas)))
		who->uid = pw->pw_uid;
	if (!who->uid)
		return;
	who->known = true;
	pw = getpwuid(who->uid);
	if (pw) {
		who->gid = pw->pw_gid;
		describe(who, pw);
	} else {
		parse_id(getenv("SUDO_GID"), &who->gid);
	}
}

static void set_or_unset(const char *name, const char *value)
{
	if (*value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

static int set_groups(const struct invoker *who)
{
	return who->name[0] ? initgroups(who->name, who->gid) : setgroups(1, &who->gid);
}

int invoker_become(const struct invoker *who)
{
	if (!who->known)
		return 0;
	if (!who->has_groups && set_groups(who))
		return -errno;
	if (setresgid(who->gid, who->gid, who->gid) || setresuid(who->uid, who->uid, who->uid))
		return -errno;
	set_or_unset("HOME", who->home);
	set_or_unset("USER", who->name);
	set_or_unset("LOGNAME", who->name);
	return 0;
}
