/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc.h - what /proc says of tasks.
 */
#ifndef FXT_COLLECT_NAMES_PROC_H
#define FXT_COLLECT_NAMES_PROC_H

#include <stdbool.h>
#include <stdint.h>

#include "registry.h"

/* Sizes of the full name of a process and of its command line. */
#define NAMES_FULL_ROOM		256
#define NAMES_CMDLINE_ROOM	(128 + 1)

/* The inode number of /proc/self/ns/pid there, since Linux 3.8 (PROC_PID_INIT_INO). */
#define NAMES_INITIAL_PID_NAMESPACE	0xeffffffcU

/** names_look_at_proc() - set @proc_is_ours; called before a series of lookups */
void names_look_at_proc(struct names *n);

/** names_exists() - is there a thread with this id? If in doubt, yes */
bool names_exists(const struct names *n, uint32_t id);

/**
 * names_ask_cgroup() - look up the cgroup of a process
 * @n: the registry
 * @t: the process; if it has ended, its cgroup stays as known
 *
 * Return: 0 or -ENOMEM.
 */
int names_ask_cgroup(const struct names *n, struct task *t);

/**
 * names_ask_full() - the full name of a process whose name the kernel truncated
 * @n: the registry
 * @t: the process
 * @name: NAMES_FULL_ROOM bytes
 *
 * The first word of its command line, without directories, if it begins with the kernel's
 * name: this rejects titles written there by programs.
 *
 * Return: true if there is one.
 */
bool names_ask_full(const struct names *n, const struct task *t, char *name);

/**
 * names_ask_cmdline() - the command line of a process
 * @n: the registry
 * @t: the process
 * @name: NAMES_CMDLINE_ROOM bytes; arguments are joined by spaces
 *
 * Return: true if there is one. Kernel threads and zombies have none.
 */
bool names_ask_cmdline(const struct names *n, const struct task *t, char *name);

#endif /* FXT_COLLECT_NAMES_PROC_H */
