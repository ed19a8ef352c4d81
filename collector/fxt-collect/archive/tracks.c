// SPDX-License-Identifier: GPL-2.0-or-later
/* tracks.c - see tracks.h. */
#include <limits.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libfxt/fxt_writer.h"
#include "tracks.h"

/* Synthetic processes for events. */
static const struct kind {
	uint64_t group;			/* FXT_SCHED_EVENTS_* */
	uint64_t process;		/* its koid */
	const char *name;
	const char *thread;		/* one per CPU; NULL: only the main thread has events */
} kinds[] = {
	{ FXT_SCHED_EVENTS_IRQ, FXT_SCHED_KOID_IRQ, "interrupts", "irq cpu" },
	{ FXT_SCHED_EVENTS_IRQ, FXT_SCHED_KOID_SOFTIRQ, "soft interrupts", "softirq cpu" },
	{ FXT_SCHED_EVENTS_IDLE, FXT_SCHED_KOID_IDLE, "idle states", "idle cpu" },
	{ FXT_SCHED_EVENTS_BLOCK, FXT_SCHED_KOID_BLOCK, "block devices", "block cpu" },
	{ FXT_SCHED_EVENTS_TIMER, FXT_SCHED_KOID_TIMER, "timers", "timer cpu" },
	{ FXT_SCHED_EVENTS_NET, FXT_SCHED_KOID_NET, "sockets", "net cpu" },
	{ FXT_SCHED_EVENTS_FREQ, FXT_SCHED_KOID_FREQUENCY, "frequencies", NULL },
	{ FXT_SCHED_EVENTS_LOAD, FXT_SCHED_KOID_LOAD, "load", NULL },
	{ FXT_SCHED_EVENTS_STEAL, FXT_SCHED_KOID_STEAL, "steal", NULL },
	{ FXT_SCHED_EVENTS_THROTTLE, FXT_SCHED_KOID_THROTTLE, "throttled cgroups", NULL },
};

static void read_state(char *name, size_t room, const char *root, unsigned int state)
{
	char path[PATH_MAX];
	FILE *f;

	snprintf(path, sizeof(path), "%s/sys/devices/system/cpu/cpu0/cpuidle/state%u/name", root,
		 state);
	f = fopen(path, "re");
	if (!f || !fgets(name, room, f))
		*name = '\0';
	name[strcspn(name, "\n")] = '\0';
	if (f)
		fclose(f);
}

void tracks_read(struct tracks *t, const char *root, uint64_t groups,
		 const struct tracepoints *tracepoints)
{
	unsigned int i;

	t->tracepoints = tracepoints;
	t->groups = groups;
	t->cpus = sysconf(_SC_NPROCESSORS_CONF);
	for (i = 0; i < TRACKS_IDLE_STATES; i++)
		read_state(t->idle[i], sizeof(t->idle[i]), root, i);
}

const char *tracks_string(const struct tracks *t, unsigned int index, const char *text)
{
	if (!t || !(t->groups & FXT_SCHED_EVENTS_IDLE) || index < FXT_STR_IDLE_FIRST ||
	    index > FXT_STR_IDLE_LAST || !*t->idle[index - FXT_STR_IDLE_FIRST])
		return text;
	return t->idle[index - FXT_STR_IDLE_FIRST];
}

static void write_kind(const struct kind *k, unsigned int cpus, struct fxt_writer *w)
{
	unsigned int cpu;
	char name[32];

	fxt_writer_process(w, k->process, k->name);
	if (!k->thread)
		fxt_writer_thread(w, k->process, k->process, FXT_STR_PROCESS, k->name);
	for (cpu = 0; k->thread && cpu < cpus; cpu++) {
		snprintf(name, sizeof(name), "%s %u", k->thread, cpu);
		fxt_writer_thread(w, fxt_sched_cpu_track(k->process, cpu), k->process,
				  FXT_STR_PROCESS, name);
	}
}

static void write_tracepoints(const struct tracepoints *t, struct fxt_writer *w)
{
	static const struct kind counters = {
		.process = FXT_SCHED_KOID_CUSTOM, .name = "tracepoints",
	};
	unsigned int n, i;
	bool counts = false;

	fxt_writer_string(w, FXT_STR_CUSTOM, FXT_SCHED_CUSTOM_CATEGORY);
	for (n = 0; n < t->count; n++) {
		fxt_writer_string(w, fxt_sched_custom_name(n), t->all[n].name);
		for (i = 0; i < t->all[n].field_count; i++)
			fxt_writer_string(w, fxt_sched_custom_field(n, i), t->all[n].fields[i]);
		counts |= t->all[n].is_counter;
	}
	if (counts)
		write_kind(&counters, 0, w);
}

/* Programs can call any number, so each number has a string. */
static void write_syscalls(struct fxt_writer *w)
{
	unsigned int nr;
	char number[32];
	char *name;

	for (nr = 0; nr <= FXT_STR_SYSCALL_LAST - FXT_STR_SYSCALL_FIRST; nr++) {
		name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, nr);
		snprintf(number, sizeof(number), "syscall %u", nr);
		fxt_writer_string(w, FXT_STR_SYSCALL_FIRST + nr, name ? name : number);
		free(name);
	}
}

void tracks_write(const struct tracks *t, struct fxt_writer *w)
{
	size_t i;

	if (!t)
		return;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (t->groups & kinds[i].group)
			write_kind(&kinds[i], t->cpus, w);
	if (tracks_tracepoints(t))
		write_tracepoints(t->tracepoints, w);
	if (t->groups & FXT_SCHED_EVENTS_SYSCALL)
		write_syscalls(w);
}
