/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc.h - what /proc says of tasks.
 */
#ifndef FXT_COLLECT_NAMES_PROC_H
#define FXT_COLLECT_NAMES_PROC_H

#include <stdbool.h>
#include <stdint.h>

#include "registry.h"

/* Room for the best name of a process: of a file name, and of a command line. */
#define NAMES_FULL_ROOM		256
#define NAMES_CMDLINE_ROOM	(128 + 1)

/** names_look_at_proc() - set @proc_is_ours; before a row of questions */
void names_look_at_proc(struct names *n);

/** names_exists() - is there a thread of this id? If in doubt, yes */
bool names_exists(const struct names *n, uint32_t id);

/**
 * names_ask_cgroup() - look up the cgroup of a process
 * @n: the registry
 * @t: the process; if it is gone, what is known of it stays
 *
 * Return: 0 or -ENOMEM.
 */
int names_ask_cgroup(const struct names *n, struct task *t);

/**
 * names_ask_full() - the name of a process whose program's name the kernel cut
 * @n: the registry
 * @t: the process
 * @name: NAMES_FULL_ROOM bytes
 *
 * That is the first word of its command line, without directories, if it begins with
 * what the kernel kept: programs that write titles there do not pass.
 *
 * Return: is there one?
 */
bool names_ask_full(const struct names *n, const struct task *t, char *name);

/**
 * names_ask_cmdline() - the command line of a process
 * @n: the registry
 * @t: the process
 * @name: NAMES_CMDLINE_ROOM bytes; arguments are joined by spaces
 *
 * Return: is there one? Kernel threads and zombies have none.
 */
bool names_ask_cmdline(const struct names *n, const struct task *t, char *name);

#endif /* FXT_COLLECT_NAMES_PROC_H */
