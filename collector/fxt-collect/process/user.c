// SPDX-License-Identifier: GPL-2.0-or-later
/* user.c - see user.h. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user.h"

uint32_t user_of(uint32_t id)
{
	static const char key[] = "\nUid:\t";
	char path[40], text[1024];
	const char *at;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/status", id);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return USER_UNKNOWN;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	/* The kernel escapes newlines in the name, which comes first. */
	at = strstr(text, key);
	return at ? strtoul(at + sizeof(key) - 1, NULL, 10) : USER_UNKNOWN;
}
