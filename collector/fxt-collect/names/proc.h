/* SPDX-License-Identifier: GPL-2.0-or-later */
/* proc.h - data about tasks in /proc. */
#ifndef FXT_COLLECT_NAMES_PROC_H
#define FXT_COLLECT_NAMES_PROC_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "registry.h"

/* --- text ------------------------------------------------------------------------------- */

/**
 * clean_text() - make a valid string of any bytes
 * @room: size of @to, at least 1; characters that do not fit are omitted
 * @from: control characters and invalid UTF-8 become '?'
 */
void clean_text(char *to, size_t room, const char *from, size_t bytes);

/* --- the CPUs that a thread may run on -------------------------------------------------- */

#define AFFINITY_CPUS		8192	/* the most that a Linux kernel has */
#define AFFINITY_LIST_ROOM	(AFFINITY_CPUS / 2 * 5 + 1)	/* "8190,8188,..." */

/*
 * The number of CPUs that are online, for affinity_list(). Return: 0 if threads cannot be asked,
 * because the ids of this process's pid namespace are not those of records
 */
unsigned int affinity_cpus(void);

/*
 * The CPUs that a thread may run on, as in "0-3,8", for @cpus of affinity_cpus(). @list has
 * AFFINITY_LIST_ROOM bytes. Return: false if these are all CPUs that are online, or it has ended
 */
bool affinity_list(uint32_t thread, unsigned int cpus, char *list);

/* Print a set of AFFINITY_CPUS bits as such a list. */
void affinity_print(const cpu_set_t *set, char *list);

/* --- cgroups ---------------------------------------------------------------------------- */

#define NAMES_LABEL_ROOM	(24 + 1)	/* of the label that distinguishes a cgroup */

/**
 * cgroup_of() - choose the path out of /proc/PID/cgroup
 * @text: the file, terminated; is modified
 *
 * The path of the CPU controller of cgroup v1, or of cgroup v2; if that is the root, a path of v1:
 * systemd's own, else the longest.
 *
 * Return: the path, in @text, or NULL.
 */
char *cgroup_of(char *text);

/* As strcmp(3), but from the last byte on. */
int cgroup_compare(const char *a, const char *b);

/* The number of components that are equal at the ends of both. */
size_t cgroup_common(const char *a, const char *b);

/*
 * The component to show, without the last @skip ones; "/" if none is left. @label has
 * NAMES_LABEL_ROOM bytes.
 */
void cgroup_label(const char *cgroup, size_t skip, char *label);

/* --- tasks ------------------------------------------------------------------------------ */

/* Sizes of the full name of a process and of its command line. */
#define NAMES_FULL_ROOM		256
#define NAMES_CMDLINE_ROOM	(128 + 1)

/* Set @proc_is_ours before a series of lookups. */
void names_look_at_proc(struct names *n);

/* Is there a thread with this id? If in doubt, yes. */
bool names_exists(const struct names *n, uint32_t id);

/* Look up the cgroup of a process; if it has ended, that stays as known. Return: 0 or -ENOMEM */
int names_ask_cgroup(const struct names *n, struct task *t);

/**
 * names_ask_full() - the full name of a process whose name the kernel truncated
 * @name: NAMES_FULL_ROOM bytes
 *
 * The first word of its command line, without directories, if it begins with the kernel's name:
 * this rejects titles written there by programs.
 *
 * Return: false if there is none.
 */
bool names_ask_full(const struct names *n, const struct task *t, char *name);

/*
 * The command line of a process, arguments joined by spaces; @name has NAMES_CMDLINE_ROOM bytes.
 * Return: false if there is none, as of kernel threads and zombies
 */
bool names_ask_cmdline(const struct names *n, const struct task *t, char *name);

#endif /* FXT_COLLECT_NAMES_PROC_H */
