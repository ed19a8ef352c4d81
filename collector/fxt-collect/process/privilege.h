/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * privilege.h - who asked, what we may do, and what we need no longer.
 */
#ifndef FXT_COLLECT_PROCESS_PRIVILEGE_H
#define FXT_COLLECT_PROCESS_PRIVILEGE_H

#include <stdbool.h>
#include <sys/types.h>

#include "error.h"

/**
 * struct invoker - the user behind sudo (or doas, pkexec), or behind a set-id bit
 * @known: there is one: what we run as is not who asked; else all is as it is
 * @uid: user
 * @gid: its primary group
 * @has_groups: the process has the user's supplementary groups already
 * @name: for initgroups(3); "" if it has none
 * @home: its home directory, "" if unknown
 */
struct invoker {
	bool known;
	uid_t uid;
	gid_t gid;
	bool has_groups;
	char name[256];
	char home[256];
};

/**
 * invoker_find() - find out who asked
 * @who: set to that
 *
 * In a set-id program: the process's real ids, which are the kernel's word. Else, if
 * root itself started us: SUDO_UID and SUDO_GID, PKEXEC_UID, DOAS_USER.
 */
void invoker_find(struct invoker *who);

/**
 * invoker_become() - become the user for good, in a process of its own
 * @who: if it is not known, nothing is done
 *
 * Groups, ids, HOME, USER, LOGNAME, and no capability is left.
 *
 * Return: 0 or a negative errno: then nothing must be done for that user.
 */
int invoker_become(const struct invoker *who);

/* What privilege_drop() leaves. */
enum privilege_keep {
	PRIVILEGE_KEEP_NONE	= 0,
	PRIVILEGE_KEEP_FILES	= 1,	/* root itself asked, and may write anywhere */
	PRIVILEGE_KEEP_KILL	= 2,	/* COMMAND, which may change its user, will be ended */
	PRIVILEGE_KEEP_MODULE	= 4,	/* files of the module will still be opened */
};

/**
 * privilege_missing() - which capability that BPF needs is not there
 *
 * Return: "CAP_BPF", "CAP_PERFMON", "CAP_SYS_ADMIN" (kernels before 5.8), or NULL
 * if nothing is missing.
 */
const char *privilege_missing(void);

/**
 * privilege_drop() - give up all capabilities but the ones named, for good
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

#endif /* FXT_COLLECT_PROCESS_PRIVILEGE_H */
