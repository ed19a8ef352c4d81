/* SPDX-License-Identifier: GPL-2.0-or-later */
/* privilege.h - our privileges, and dropping them. */
#ifndef FXT_COLLECT_PROCESS_PRIVILEGE_H
#define FXT_COLLECT_PROCESS_PRIVILEGE_H

#include <stdbool.h>
#include <sys/types.h>

#include "libfxt/invoker.h"
#include "error.h"

/* --- lockdown --------------------------------------------------------------------------- */

/*
 * The lockdown level of this kernel: at any level, it loads only modules signed with a trusted key.
 * Return: "integrity", "confidentiality", or NULL if it is not locked down or the level is unknown
 * (securityfs is not mounted, or the kernel has no lockdown)
 */
const char *lockdown_level(void);

/* --- privileges ------------------------------------------------------------------------- */

/*
 * Become the invoking user for good, without any capability. Return: 0 or a negative errno; then
 * the process must not act for that user
 */
int privilege_become(const struct invoker *who);

/* What privilege_drop() keeps. */
enum privilege_keep {
	PRIVILEGE_KEEP_NONE	= 0,
	PRIVILEGE_KEEP_FILES	= 1,	/* root itself is the invoking user, and may write anywhere */
	PRIVILEGE_KEEP_KILL	= 2,	/* to signal COMMAND, which may change its user */
	PRIVILEGE_KEEP_PERF	= 4,	/* to open perf events of CPUs that come online */
	PRIVILEGE_KEEP_RUN	= 8,	/* to run BPF programs that are loaded, once */
	PRIVILEGE_KEEP_BPF	= 16,	/* the capability that this takes before Linux 5.19 */
};

/*
 * A capability that BPF needs and the process lacks: "CAP_BPF", "CAP_PERFMON", "CAP_SYS_ADMIN"
 * (kernels before 5.8), or NULL.
 */
const char *privilege_missing(void);

/* Does a call, which returns 0 or a negative errno, fail with -EPERM without BPF's capability? */
bool privilege_needs_bpf(int (*call)(void *arg), void *arg);

/**
 * privilege_drop() - drop all other capabilities for good
 * @keep: of enum privilege_keep
 *
 * Threads created later lack them as well, and executed programs cannot gain any (no_new_privs). So
 * COMMAND's process must exist already.
 *
 * Return: 0 or a negative errno.
 */
int privilege_drop(unsigned int keep, struct error *e);

/**
 * privilege_confine() - allow only the system calls that recording needs, for this process and its
 *	future threads
 * @keep: of enum privilege_keep
 *
 * Others fail with EPERM. Does nothing if the kernel has no seccomp.
 *
 * Return: 0 or a negative errno.
 */
int privilege_confine(unsigned int keep, struct error *e);

#endif /* FXT_COLLECT_PROCESS_PRIVILEGE_H */
