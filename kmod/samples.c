// SPDX-License-Identifier: GPL-2.0-only
/*
 * samples.c - call stacks of what threads run, at regular times.
 *
 * In:  a perf event of the kernel for each CPU that the filter keeps; its timer interrupts the CPU.
 * Out: samples (fxt_sched_stack.h) in the stream of the CPU; none while it is idle.
 *
 * The event counts the time of a software clock, which every machine has. Its timer is a hard
 * interrupt and no NMI. The producers of a stream disable interrupts, so a sample comes between two
 * records. The unwinder runs as in stacks.c.
 */
#include <linux/build_bug.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include <linux/string.h>

#include <fxt/fxt_sched_stack.h>

#include "event.h"
#include "session.h"
#include "user_stack.h"

#ifndef CONFIG_PERF_EVENTS
#error "The module needs a kernel with CONFIG_PERF_EVENTS."
#endif

/* What a sample reserves fits into the smallest sub-buffer. */
static_assert((FXT_LEDGER_WORDS + FXT_SCHED_STACK_ROOM(FXT_SCHED_STACK_FRAMES)) * sizeof(u64) <=
	      PAGE_SIZE);

#ifdef CONFIG_STACKTRACE

/*
 * The kernel's stack from the interrupted instruction on. @frames has room for FXT_SCHED_STACK_OWN
 * more. Return: number of addresses; at least 1, that of the instruction.
 */
static unsigned int fxt_interrupted_stack(u64 *frames, unsigned int most, struct pt_regs *regs)
{
	unsigned int count = stack_trace_save((unsigned long *)frames, most + FXT_SCHED_STACK_OWN, 1);
	unsigned int own = 0;

	while (own < count && frames[own] != instruction_pointer(regs))
		own++;
	/* The unwinder did not get to the interrupted code. */
	if (own == count) {
		frames[0] = instruction_pointer(regs);
		return 1;
	}
	count = min(count - own, most);
	memmove(frames, frames + own, count * sizeof(*frames));
	return count;
}

#else

static unsigned int fxt_interrupted_stack(u64 *frames, unsigned int most, struct pt_regs *regs)
{
	return 0;
}

#endif

/* Return: number of frames; the copy follows them. */
static unsigned int fxt_sample_frames(const struct fxt_config *config, u64 *frames,
				      struct pt_regs *regs, unsigned int *copied)
{
	unsigned int count = 0;

	*copied = 0;
	if (config->stacks & FXT_SCHED_STACKS_KERNEL && !user_mode(regs))
		count = fxt_interrupted_stack(frames, config->stacks_depth, regs);
	if (config->stacks & FXT_SCHED_STACKS_USER)
		count += fxt_user_stack(frames + count, config->stacks_depth, copied);
	/* The innermost frame is the interrupted instruction, if that is recorded. */
	if (count && (user_mode(regs) || config->stacks & FXT_SCHED_STACKS_KERNEL))
		frames[0]++;
	return count;
}

/* Context: hard interrupt of the timer. */
static void fxt_sample(struct perf_event *event, struct perf_sample_data *data,
		       struct pt_regs *regs)
{
	struct fxt_session *ss = event->overflow_handler_context;
	const struct fxt_config *config = &ss->config;
	unsigned int count, copied;
	struct fxt_event e;

	lockdep_assert_irqs_disabled();
	if (!current->pid || !fxt_event_is_due(ss, &e) || !fxt_event_is_kept(ss, &e, current) ||
	    !fxt_event_reserve(&e, FXT_SCHED_STACK_ROOM(config->stacks_depth)))
		return;
	fxt_stream_hold(e.s);
	count = fxt_sample_frames(config, e.rec + FXT_SCHED_STACK_HEAD, regs, &copied);
	fxt_stream_release(e.s);
	fxt_stream_commit(e.s, e.rec, e.time,
			  fxt_sched_put_sample(e.rec, e.time, current->pid, current->tgid, count,
					       copied, fxt_sched_sample_period(config->stacks_hz)));
}

/* --- the events --- */

/* Context: may sleep; the CPU neither comes online nor goes offline meanwhile. */
static int fxt_samples_begin(struct fxt_session *ss, unsigned int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = fxt_sched_sample_period(ss->config.stacks_hz), .exclude_idle = 1,
		.pinned = 1,
	};
	struct perf_event **event = per_cpu_ptr(ss->samples, cpu), *created;

	if (*event || !per_cpu_ptr(ss->cpus, cpu)->cpu_traced)
		return 0;
	created = perf_event_create_kernel_counter(&attr, cpu, NULL, fxt_sample, ss);
	if (IS_ERR(created)) {
		pr_err("cannot sample CPU %u: error %ld\n", cpu, PTR_ERR(created));
		return PTR_ERR(created);
	}
	*event = created;
	return 0;
}

/* Waits until the handler has returned. Context: may sleep. */
static void fxt_samples_end(struct fxt_session *ss, unsigned int cpu)
{
	struct perf_event **event = per_cpu_ptr(ss->samples, cpu);

	if (*event)
		perf_event_release_kernel(*event);
	*event = NULL;
}

/* Failure would keep the CPU offline. */
static int fxt_samples_cpu_online(unsigned int cpu, struct hlist_node *node)
{
	fxt_samples_begin(hlist_entry_safe(node, struct fxt_session, sampled), cpu);
	return 0;
}

static int fxt_samples_cpu_offline(unsigned int cpu, struct hlist_node *node)
{
	fxt_samples_end(hlist_entry_safe(node, struct fxt_session, sampled), cpu);
	return 0;
}

static int fxt_samples_state;

/* Return: 0 or a negative errno. */
int __init fxt_samples_init(void)
{
	fxt_samples_state = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "fxt_sched:sample",
						    fxt_samples_cpu_online,
						    fxt_samples_cpu_offline);
	return min(fxt_samples_state, 0);
}

/* Context: may sleep; there is no session. */
void fxt_samples_exit(void)
{
	cpuhp_remove_multi_state(fxt_samples_state);
}

/*
 * Sample the CPUs that are online and those that come online, if the session has samples. The
 * kernel would call fxt_samples_cpu_online() for the former in threads of these CPUs, and wait: a
 * real-time thread that owns one of them would delay this and all hotplug. perf only interrupts.
 *
 * Context: may sleep. Return: 0 or a negative errno.
 */
int fxt_samples_start(struct fxt_session *ss)
{
	unsigned int cpu;
	int ret;

	if (!(ss->config.stacks & FXT_SCHED_STACKS_ONCPU))
		return 0;
	ret = cpuhp_state_add_instance_nocalls(fxt_samples_state, &ss->sampled);
	if (ret)
		return ret;
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		ret = fxt_samples_begin(ss, cpu);
		if (ret)
			break;
	}
	cpus_read_unlock();
	if (ret)
		fxt_samples_stop(ss);
	return ret;
}

/* No handler runs afterwards. Context: may sleep. */
void fxt_samples_stop(struct fxt_session *ss)
{
	unsigned int cpu;

	if (!(ss->config.stacks & FXT_SCHED_STACKS_ONCPU))
		return;
	cpuhp_state_remove_instance_nocalls(fxt_samples_state, &ss->sampled);
	/* Those of CPUs that go offline meanwhile are detached already. */
	for_each_possible_cpu(cpu)
		fxt_samples_end(ss, cpu);
}
