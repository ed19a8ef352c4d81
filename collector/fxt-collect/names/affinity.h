/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * affinity.h - the CPUs that threads may run on.
 */
#ifndef FXT_COLLECT_NAMES_AFFINITY_H
#define FXT_COLLECT_NAMES_AFFINITY_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* CPUs that Linux can be built for, and the longest list of some of them: "8190,8188,..." */
#define AFFINITY_CPUS		8192
#define AFFINITY_LIST_ROOM	(AFFINITY_CPUS / 2 * 5 + 1)

/**
 * affinity_cpus() - the number of CPUs that a thread can be kept from
 *
 * Return: number of CPUs that are online; 0 if threads cannot be asked, because the ids of
 * this process's pid namespace are not those of records.
 */
unsigned int affinity_cpus(void);

/**
 * affinity_list() - the CPUs that a thread may run on
 * @thread: its id
 * @cpus: affinity_cpus()
 * @list: AFFINITY_LIST_ROOM bytes; set to the list, as in "0-3,8"
 *
 * Return: false if the thread may run on all CPUs that are online, or has ended.
 */
bool affinity_list(uint32_t thread, unsigned int cpus, char *list);

/**
 * affinity_print() - print a set of CPUs as a list
 * @set: AFFINITY_CPUS bits
 * @list: AFFINITY_LIST_ROOM bytes
 */
void affinity_print(const cpu_set_t *set, char *list);

#endif /* FXT_COLLECT_NAMES_AFFINITY_H */
