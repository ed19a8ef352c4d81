/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * invoker.h - the invoking user, if this process runs as root or has a set-id bit.
 */
#ifndef LIBFXT_INVOKER_H
#define LIBFXT_INVOKER_H

#include <stdbool.h>
#include <sys/types.h>

/* The user behind sudo (or doas, pkexec), or behind a set-id bit. */
struct invoker {
	bool known;			/* else the process already runs as that user */
	uid_t uid;
	gid_t gid;			/* primary group */
	bool has_groups;	/* the process already has the supplementary groups */
	char name[256];			/* for initgroups(3); "" if unknown */
	char home[256];			/* home directory; "" if unknown */
};

/*
 * In a set-id program: the real ids, which the kernel guarantees. Else, if root itself started this
 * process: SUDO_UID and SUDO_GID, PKEXEC_UID, DOAS_USER.
 */
void invoker_find(struct invoker *who);

/*
 * Become the user for good, in a child process; does nothing if the user is not known. Sets groups,
 * ids, HOME, USER and LOGNAME. The kernel drops the capabilities of root. Return: 0; a negative
 * errno, after which the process must not act for that user.
 */
int invoker_become(const struct invoker *who);

#endif /* LIBFXT_INVOKER_H */
