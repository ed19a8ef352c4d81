/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * invoker.h - the invoking user, if this process runs as root or has a set-id bit.
 */
#ifndef LIBFXT_INVOKER_H
#define LIBFXT_INVOKER_H

#include <stdbool.h>
#include <sys/types.h>

/** struct invoker - the user behind sudo (or doas, pkexec), or behind a set-id bit */
struct invoker {
	bool known;			/* otherwise the process already runs as the invoking user */
	uid_t uid;			/* user id */
	gid_t gid;			/* its primary group */
	bool has_groups;	/* the process already has the user's supplementary groups */
	char name[256];			/* for initgroups(3); "" if unknown */
	char home[256];			/* its home directory, "" if unknown */
};

/**
 * invoker_find() - find the invoking user. In a set-id program: the real ids, which the kernel
 * guarantees. Else, if root itself started this process: SUDO_UID and SUDO_GID, PKEXEC_UID,
 * DOAS_USER.
 */
void invoker_find(struct invoker *who);

/**
 * invoker_become() - become the user for good; called in a child process
 * @who: the user; does nothing if not known
 *
 * Sets groups, ids, HOME, USER and LOGNAME. The kernel drops the capabilities of root.
 *
 * Return: 0 or a negative errno; then the process must not act for that user.
 */
int invoker_become(const struct invoker *who);

#endif /* LIBFXT_INVOKER_H */
