// SPDX-License-Identifier: GPL-2.0-or-later
/* groups.c - see groups.h. */
#include <stddef.h>

#include "groups.h"

const struct event_group event_groups[] = {
	{ FXT_SCHED_EVENTS_SCHED, "sched", "context switches, wakeups, names of threads",
	  "always on: 48 bytes each", "a switch 76 / 367, a wakeup 124 / 561" },
	{ FXT_SCHED_EVENTS_IRQ, "irq",
	  "interrupts of devices, soft interrupts; on x86 and arm64 also those of the CPU itself",
	  "40 bytes each, 56 to 80 if of a device", "98 to 118 / 332 to 349" },
	{ FXT_SCHED_EVENTS_MIGRATE, "migrate", "moves of threads to another CPU",
	  "48 bytes each", NULL },
	{ FXT_SCHED_EVENTS_IDLE, "idle", "idle states of CPUs, and whether they fitted",
	  "48 bytes each", "153 / 508" },
	{ FXT_SCHED_EVENTS_FREQ, "freq", "changes of frequencies and of their limits",
	  "48 to 56 bytes each", NULL },
	{ FXT_SCHED_EVENTS_WORK, "work", "work items of kernel workers, by function",
	  "48 to 72 bytes each", "348 / 1674" },
	{ FXT_SCHED_EVENTS_TASK, "task", "threads that create others, end, inherit priorities",
	  "48 bytes each", NULL },
	{ FXT_SCHED_EVENTS_SYSCALL, "syscall", "system calls by name, and what they return",
	  "56 bytes each", "323 / 769" },
	{ FXT_SCHED_EVENTS_IPI, "ipi", "interrupts that CPUs send to others, and for which function",
	  "40 to 88 bytes each", NULL },
	{ FXT_SCHED_EVENTS_LOAD, "load", "lengths of run queues, load averages (PELT); BPF only",
	  "48 to 64 bytes each", "- / 791" },
	{ FXT_SCHED_EVENTS_THROTTLE, "throttle",
	  "cgroups whose quota of CPU time is used up; with the module only counters",
	  "64 bytes each; cpu.stat of each cgroup with a quota is read every second", NULL },
	{ 0, NULL, NULL, NULL, NULL },
};

const char *event_group_name(uint64_t bit)
{
	const struct event_group *g = event_groups;

	while (g->name && g->bit != bit)
		g++;
	return g->name;
}
