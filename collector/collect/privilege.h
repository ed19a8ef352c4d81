/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * privilege.h - who asked, what we may do, and what we need no longer.
 */
#ifndef FXT_COLLECT_PRIVILEGE_H
#define FXT_COLLECT_PRIVILEGE_H

#include <stdbool.h>
#include <sys/types.h>

#include "error.h"

/**
 * struct invoker - the user behind sudo (or doas, pkexec)
 * @known: there is one: we are root, and were not before; else all is as it is
 * @uid: user
 * @gid: its primary group
 * @name: for initgroups(3); "" if it has none
 * @home: its home directory, "" if unknown
 */
struct invoker {
	bool known;
	uid_t uid;
	gid_t gid;
	char name[256];
	char home[256];
};

/** invoker_find() - by SUDO_UID and SUDO_GID, DOAS_USER, PKEXEC_UID */
void invoker_find(struct invoker *who);

/**
 * invoker_become() - give up root for good, in the process of COMMAND
 * @who: if it is not known, nothing is done
 *
 * Groups, ids, HOME, USER, LOGNAME, and no capability is left.
 *
 * Return: 0 or a negative errno: then COMMAND must not run.
 */
int invoker_become(const struct invoker *who);

/* What privilege_drop() leaves, beside what the source needs. */
enum privilege_keep {
	PRIVILEGE_KEEP_NONE	= 0,
	PRIVILEGE_KEEP_FILES	= 1,	/* files will still be made: rotation, snapshots */
	PRIVILEGE_KEEP_BPF	= 2,	/* CAP_BPF and CAP_PERFMON, where the kernel has them */
};

/**
 * privilege_missing() - which capability that BPF needs is not there
 *
 * Return: "CAP_BPF", "CAP_PERFMON", "CAP_SYS_ADMIN" (kernels before 5.8), or NULL
 * if nothing is missing.
 */
const char *privilege_missing(void);

/**
 * privilege_drop() - give up all capabilities but the ones named, and CAP_KILL, for
 *	good
 * @keep: of enum privilege_keep
 * @e: filled in on error
 *
 * All threads that are made later are without, too; and no program that is run can
 * gain any (no_new_privs). So COMMAND's process must be there already.
 *
 * Return: 0 or a negative errno.
 */
int privilege_drop(unsigned int keep, struct error *e);

/**
 * privilege_confine() - allow only the system calls that recording needs
 * @e: filled in on error
 *
 * For this thread and those that it makes; nothing is done if the kernel has no
 * seccomp. A call that is not allowed fails with EPERM.
 *
 * Return: 0 or a negative errno.
 */
int privilege_confine(struct error *e);

#endif /* FXT_COLLECT_PRIVILEGE_H */
