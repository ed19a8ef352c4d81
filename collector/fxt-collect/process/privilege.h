/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * privilege.h - the invoking user, our privileges, and dropping them.
 */
#ifndef FXT_COLLECT_PROCESS_PRIVILEGE_H
#define FXT_COLLECT_PROCESS_PRIVILEGE_H

#include <stdbool.h>
#include <sys/types.h>

#include "error.h"

/**
 * struct invoker - the user behind sudo (or doas, pkexec), or behind a set-id bit
 * @known: there is such a user; else the process runs as the invoking user
 * @uid: user id
 * @gid: its primary group
 * @has_groups: the process already has the user's supplementary groups
 * @name: for initgroups(3); "" if unknown
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
 * invoker_find() - find the invoking user
 * @who: set to the user
 *
 * In a set-id program: the real ids, which the kernel guarantees. Else, if root itself
 * started this process: SUDO_UID and SUDO_GID, PKEXEC_UID, DOAS_USER.
 */
void invoker_find(struct invoker *who);

/**
 * invoker_become() - become the user for good; called in a child process
 * @who: the user; does nothing if not known
 *
 * Sets groups, ids, HOME, USER and LOGNAME, and drops all capabilities.
 *
 * Return: 0 or a negative errno; then the process must not act for that user.
 */
int invoker_become(const struct invoker *who);

/* What privilege_drop() keeps. */
enum privilege_keep {
	PRIVILEGE_KEEP_NONE	= 0,
	PRIVILEGE_KEEP_FILES	= 1,	/* root itself is the invoking user, and may write anywhere */
	PRIVILEGE_KEEP_KILL	= 2,	/* to signal COMMAND, which may change its user */
	PRIVILEGE_KEEP_MODULE	= 4,	/* to open files of the module */
	PRIVILEGE_KEEP_READ	= 8,	/* to read functions from programs in private folders */
	PRIVILEGE_KEEP_PERF	= 16,	/* to open perf events of CPUs that come online */
	PRIVILEGE_KEEP_RUN	= 32,	/* to run BPF programs that are loaded, once */
	PRIVILEGE_KEEP_BPF	= 64,	/* the capability that this takes before Linux 5.19 */
};

/**
 * privilege_missing() - find a capability that BPF needs and the process lacks
 *
 * Return: "CAP_BPF", "CAP_PERFMON", "CAP_SYS_ADMIN" (kernels before 5.8), or NULL
 * if nothing is missing.
 */
const char *privilege_missing(void);

/**
 * privilege_needs_bpf() - does a call need the capability of BPF?
 * @call: returns 0 or a negative errno; it is called without that capability
 * @arg: for @call
 */
bool privilege_needs_bpf(int (*call)(void *arg), void *arg);

/**
 * privilege_drop() - drop all other capabilities for good
 * @keep: of enum privilege_keep
 * @e: filled in on error
 *
 * Threads created later lack them as well, and executed programs cannot gain any
 * (no_new_privs). So COMMAND's process must exist already.
 *
 * Return: 0 or a negative errno.
 */
int privilege_drop(unsigned int keep, struct error *e);

/**
 * privilege_confine() - allow only the system calls that recording needs
 * @keep: as for privilege_drop()
 * @e: filled in on error
 *
 * For this process and its future threads; does nothing if the kernel has no seccomp. A
 * system call that is not allowed fails with EPERM.
 *
 * Return: 0 or a negative errno.
 */
int privilege_confine(unsigned int keep, struct error *e);

#endif /* FXT_COLLECT_PROCESS_PRIVILEGE_H */
