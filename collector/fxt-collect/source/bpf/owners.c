// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * owners.c - see owners.h.
 *
 * In: a program of type raw_tp that is attached to nothing. Out: a test run of it on each online
 * CPU, one after the other. The kernel sends an interrupt to another CPU and waits for its end;
 * on its own CPU it calls the program with preemption off, where the recorder itself is the
 * current thread, and nothing else is under way with interrupts or preemption off.
 */
#include <bpf/bpf.h>
#include <errno.h>

#include "bpf/owner.h"
#include "process/privilege.h"
#include "source/grace.h"
#include "machine.h"
#include "owners.h"
#include "rings.h"

/* Return: 1, 0 if the filter hides the thread, or a negative errno: -ENXIO of an offline CPU. */
static int run_on(const struct owners *o, unsigned int cpu)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts,
		.flags = BPF_F_TEST_RUN_ON_CPU,
		.cpu = cpu,
	);
	int err = bpf_prog_test_run_opts(o->prog, &opts);

	return err ? err : (int)opts.retval;
}

static int run_once(void *arg)
{
	int ret = run_on(arg, 0);

	/* The first CPU may be offline. */
	return ret == -ENXIO || ret > 0 ? 0 : ret;
}

unsigned int owners_keep(struct owners *o)
{
	if (run_once(o))
		return PRIVILEGE_KEEP_NONE;
	return PRIVILEGE_KEEP_RUN |
	       (privilege_needs_bpf(run_once, o) ? PRIVILEGE_KEEP_BPF : PRIVILEGE_KEEP_NONE);
}

void owners_see(const struct owners *o, source_take_mark take, void *arg)
{
	struct source_mark mark;
	struct cpus online;

	cpus_read("online", &online);
	for (mark.cpu = 0; mark.cpu < online.end; mark.cpu++) {
		if (!online.has[mark.cpu] || run_on(o, mark.cpu) <= 0)
			continue;
		mark.time = o->seen->time;
		mark.thread = o->seen->thread;
		mark.weight = o->seen->weight;
		take(arg, &mark);
	}
}

void owners_fence(const struct owners *o)
{
	struct cpus online;
	unsigned int cpu;
	int ret;

	cpus_read("online", &online);
	if (!online.count)
		grace_wait();
	for (cpu = 0; cpu < online.end; cpu++) {
		ret = online.has[cpu] ? run_on(o, cpu) : 0;
		/* A CPU that has gone offline has ended all programs. */
		if (ret < 0 && ret != -ENXIO) {
			grace_wait();
			return;
		}
	}
}
