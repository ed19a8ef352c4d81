/* SPDX-License-Identifier: GPL-2.0 */
/*
 * events.bpf.h - interrupts, idle states, migrations, frequencies.
 *
 * In:  the tracepoints of a group of events; programs of other groups are not loaded.
 * Out: records of fxt_sched_event.h in the ring of the CPU on which the event happens.
 *
 * struct fxt_ring has the time when a slice began until the slice ends. A slice counts only if it
 * began after the recording had begun or been resumed.
 */
#ifndef BPF_EVENTS_BPF_H
#define BPF_EVENTS_BPF_H

#include <bpf/bpf_core_read.h>

#include "filter.bpf.h"
#include "fxt/fxt_sched.h"
#include "fxt/fxt_vectors.h"
#include "fast.bpf.h"
#include "handler.bpf.h"
#include "kernel_types.h"
#include "label.bpf.h"
#include "nested.bpf.h"
#include "ring.bpf.h"
#include "trigger.bpf.h"

#define SOFTIRQS_MASK	(FXT_RING_SOFTIRQS - 1)
#define IDLE_EXIT	0xffffffffU	/* PWR_EVENT_EXIT: the CPU is not idle any more */

/* --- slices -------------------------------------------------------------------------- */

/* Also called before the recording: the end of such a slice shows that it does not count. */
static __always_inline int begin_slice(__u64 *begin)
{
	*begin = clock_now_inline();
	return 0;
}

/* Take the beginning of a slice that ends. Return: false if the slice does not count. */
static __always_inline bool take_counting(__u64 *from, __u64 *begin)
{
	*begin = *from;
	*from = 0;
	/* 0 means that the slice has no beginning; "since" is never 0. */
	return *begin >= *(volatile __u64 *)&since;
}

/* The same. Return: ticks, 0 if the slice does not count. */
static __always_inline __u64 take_begin(__u64 *from)
{
	__u64 begin;

	return take_counting(from, &begin) ? begin : 0;
}

/* A clock may have stepped back by some ns. */
static __always_inline __u64 begin_before(__u64 begin, __u64 end)
{
	return begin < end ? begin : end;
}

/* Does the filter keep an interrupt? The interrupted thread has to match; idle threads never do. */
static __always_inline bool keeps_interrupt(const struct place *at)
{
	__u32 tid;

	if (!filter.on)
		return true;
	if (!filter_has_cpu(at->cpu) || !filter.threads)
		return filter_has_cpu(at->cpu);
	tid = bpf_get_current_pid_tgid();
	return tid && filter_has_thread((void *)bpf_get_current_task(), find_thread(tid), PROBED);
}

/* Does the filter keep an event of a thread? Thread and CPU have to match. */
static __always_inline bool keeps_thread(struct task_struct *thread)
{
	if (!filter.on)
		return true;
	return filter_has_cpu(bpf_get_smp_processor_id()) &&
	       (!filter.threads ||
		filter_has_thread(thread, find_thread(BPF_CORE_READ(thread, pid)), PROBED));
}

/* Does the filter keep an event of a CPU, which belongs to no thread? */
static __always_inline bool keeps_cpu(__u32 cpu)
{
	return !filter.on || (!filter.threads && filter_has_cpu(cpu));
}

/* --- interrupts: those of devices and of the CPU run with interrupts off -------------- */

static __always_inline int on_irq_entry(void)
{
	struct place at;

	ring_find(&at);
	return begin_slice(&at.ring->irq_begin);
}

/* Write the slice of a handler if the fast path cannot: filter, trigger, queues. */
static __noinline int put_handler(struct fxt_ring *ring, __u64 begin, __u32 irq, const char *name)
{
	struct place at = { .ring = ring, .cpu = bpf_get_smp_processor_id() };
	struct fxt_sched_label label;
	__u64 *rec;

	if (!keeps_interrupt(&at) || ring_begin(&at, extras))
		return 0;
	rec = ring_reserve(&at, FXT_RING_EVENTS);
	if (!rec)
		return 0;
	label_of_handler(&label, name);
	label_bound(&label);
	ring_commit(&at, fxt_sched_put_irq(rec, begin_before(begin, at.time), at.time, at.cpu,
					   irq, &label));
	trigger_interrupt(FXT_SCHED_CAUSE_IRQ, begin, at.time);
	return 0;
}

/* @ctx: the interrupt's number and its handler, which are only read when they are needed. */
static __always_inline int on_irq_exit(const volatile __u64 *ctx)
{
	const struct fxt_ring_handler *known;
	struct irqaction *action;
	struct fast_slice slice;
	struct place at;
	__u64 begin;

	ring_find(&at);
	if (!take_counting(&at.ring->irq_begin, &begin))
		return 0;
	if (!fast_slice_ends(&slice, at.ring, begin)) {
		action = (void *)ctx[1];
		return put_handler(at.ring, begin, ctx[0], BPF_CORE_READ(action, name));
	}
	known = handler_find(at.ring, ctx, slice.end);
	fast_slice_commit(&slice, at.ring, handler_put(slice.rec, known, begin, slice.end));
	return 0;
}

static __always_inline int on_vector_entry(void)
{
	struct place at;

	ring_find(&at);
	return begin_slice(&at.ring->vector_begin);
}

/* Write the slice of a vector if the fast path cannot. @name: FXT_STR_VECTOR_* */
static __noinline int put_vector(struct fxt_ring *ring, __u32 cpu, __u64 begin, __u32 name)
{
	struct place at = { .ring = ring, .cpu = cpu };
	__u64 *rec;

	if (!keeps_interrupt(&at) || ring_begin(&at, extras))
		return 0;
	rec = ring_reserve(&at, FXT_RING_EVENTS);
	if (!rec)
		return 0;
	ring_commit(&at, fxt_sched_put_cpu_slice(rec, begin_before(begin, at.time), at.time,
						 FXT_SCHED_KOID_IRQ, cpu, FXT_STR_IRQ, name));
	trigger_interrupt(FXT_SCHED_CAUSE_IRQ, begin, at.time);
	return 0;
}

/* @name: FXT_STR_VECTOR_* */
static __always_inline int end_vector(__u32 name)
{
	struct fast_slice slice;
	struct place at;
	__u64 begin;

	ring_find(&at);
	if (!take_counting(&at.ring->vector_begin, &begin))
		return 0;
	if (!fast_slice_ends(&slice, at.ring, begin))
		return put_vector(at.ring, at.cpu, begin, name);
	fxt_sched_put_cpu_slice(slice.rec, begin, slice.end, FXT_SCHED_KOID_IRQ, at.cpu,
				FXT_STR_IRQ, name);
	fast_slice_commit(&slice, at.ring, FXT_SCHED_CPU_SLICE_WORDS);
	return 0;
}

static __always_inline int on_vector_exit(__u32 vector)
{
	return end_vector(fxt_vector_name(vector));
}

/* An interrupt from another CPU, on arm64. Return: FXT_STR_VECTOR_*, or 0: do not record it. */
static __always_inline __u32 received_name(const char *reason)
{
	char first = 0;

	bpf_probe_read_kernel(&first, sizeof(first), reason);
	return fxt_ipi_name(first);
}

static __always_inline int on_received_entry(const char *reason)
{
	return received_name(reason) ? on_vector_entry() : 0;
}

static __always_inline int on_received_exit(const char *reason)
{
	__u32 name = received_name(reason);

	return name ? end_vector(name) : 0;
}

static __always_inline int on_softirq_enter(__u64 vector)
{
	struct place at;

	ring_find(&at);
	return begin_slice(&at.ring->softirq_begin[vector & SOFTIRQS_MASK]);
}

/* Write the slice of a soft interrupt to a place where nested_begin() has succeeded. */
static __always_inline bool put_softirq_at(struct place *at, __u64 begin, __u32 vector)
{
	__u64 *rec = ring_reserve(at, FXT_RING_EVENTS);

	if (rec)
		ring_commit(at, fxt_sched_put_cpu_slice(rec, begin_before(begin, at->time),
							at->time, FXT_SCHED_KOID_SOFTIRQ,
							at->cpu, FXT_STR_SOFTIRQ,
							FXT_STR_SOFTIRQ_FIRST + vector));
	return rec;
}

/*
 * Write the slice of a soft interrupt if the fast path cannot. Inline, because user space puts the
 * calls that turn interrupts off only into programs, not into functions.
 */
static __always_inline int put_softirq(struct fxt_ring *ring, __u32 cpu, __u64 begin, __u32 vector)
{
	struct place at = { .ring = ring, .cpu = cpu };
	unsigned long flags;
	bool is_put;

	if (!keeps_interrupt(&at) || nested_begin(&at, &flags))
		return 0;
	is_put = put_softirq_at(&at, begin, vector);
	nested_end(&at, &flags);
	if (is_put)
		trigger_interrupt(FXT_SCHED_CAUSE_SOFTIRQ, begin, at.time);
	return 0;
}

/* The same, after fast_nested_begin(). */
static __noinline int put_softirq_begun(struct fxt_ring *ring, __u32 cpu, __u64 begin,
					__u32 vector, __u64 now)
{
	struct place at = { .ring = ring, .cpu = cpu, .now = now };

	put_softirq_at(&at, begin, vector);
	fast_nested_end(ring, cpu);
	return 0;
}

/* Context: interrupts are on. */
static __always_inline int on_softirq_leave(__u64 vector)
{
	struct fast_slice slice;
	struct place at;
	__u64 begin;

	ring_find(&at);
	vector &= SOFTIRQS_MASK;
	if (!take_counting(&at.ring->softirq_begin[vector], &begin))
		return 0;
	if (!fast_nested_begin(&slice, at.ring))
		return put_softirq(at.ring, at.cpu, begin, vector);
	if (!fast_slice_has_room(&slice, at.ring) ||
	    !fast_slice_is_in_order(&slice, at.ring, begin))
		return put_softirq_begun(at.ring, at.cpu, begin, vector, slice.end);
	fxt_sched_put_cpu_slice(slice.rec, begin, slice.end, FXT_SCHED_KOID_SOFTIRQ, at.cpu,
				FXT_STR_SOFTIRQ, FXT_STR_SOFTIRQ_FIRST + vector);
	fast_slice_commit(&slice, at.ring, FXT_SCHED_CPU_SLICE_WORDS);
	fast_nested_end(at.ring, at.cpu);
	return 0;
}

/* --- migrations: a run queue is locked, interrupts are off ------------------------------- */

const volatile __u32 all_moves;		/* also those of threads that are being woken */

/*
 * A thread that is being woken is in no run queue yet: its wakeup has the CPU that the kernel chose.
 * @from: the CPU that the thread is on, as in read_cpu()
 */
static __always_inline int on_migrate(struct task_struct *p, __u32 from, __u32 to)
{
	__u32 tid = p->pid;
	struct place at;
	__u64 *rec;

	if (!is_recording() || (!all_moves && is_asleep(p, DIRECT)))
		return 0;
	if (filter.on && ((!filter_has_cpu(from) && !filter_has_cpu(to)) ||
			  (filter.threads && !filter_has_thread(p, find_thread(tid), DIRECT))))
		return 0;
	if (ring_of_cpu(&at, extras))
		return 0;
	rec = ring_reserve(&at, FXT_RING_EVENTS);
	if (rec)
		ring_commit(&at, fxt_sched_put_migrate(rec, at.time, tid,
						       p->tgid, from, to));
	return 0;
}

/* --- idle states: interrupts are off at the beginning, and may be on at the end -------------- */

static __always_inline void put_idle(struct place *at, __u64 begin, __u32 state)
{
	unsigned long flags;
	__u64 *rec;

	if (nested_begin(at, &flags))
		return;
	rec = ring_reserve(at, FXT_RING_EVENTS);
	if (rec)
		ring_commit(at, fxt_sched_put_idle(rec, begin_before(begin, at->time), at->time,
						   at->cpu, state));
	nested_end(at, &flags);
}

static __always_inline int on_idle(__u32 state, __u32 cpu)
{
	struct place at;
	__u64 begin;

	ring_find(&at);
	if (state != IDLE_EXIT) {
		at.ring->idle_state = state;
		return begin_slice(&at.ring->idle_begin);
	}
	begin = take_begin(&at.ring->idle_begin);
	if (begin && keeps_cpu(cpu))
		put_idle(&at, begin, at.ring->idle_state);
	return 0;
}

static __always_inline int on_idle_miss(__u32 cpu, __u32 state, bool below)
{
	unsigned long flags;
	struct place at;
	__u64 *rec;

	ring_find(&at);
	if (!is_recording() || !keeps_cpu(cpu) || nested_begin(&at, &flags))
		return 0;
	rec = ring_reserve(&at, FXT_RING_EVENTS);
	if (rec)
		ring_commit(&at, fxt_sched_put_idle_miss(rec, at.time, cpu, state, below));
	nested_end(&at, &flags);
	return 0;
}

/* --- frequencies: in threads or under a run queue's lock ------------------------------------ */

static __always_inline int put_frequency(__u32 cpu, __u32 khz, __u32 max_khz)
{
	unsigned long flags;
	struct place at;
	__u64 *rec;

	ring_find(&at);
	if (!is_recording() || !keeps_cpu(cpu) || nested_begin(&at, &flags))
		return 0;
	rec = ring_reserve(&at, FXT_RING_EVENTS);
	if (rec)
		ring_commit(&at, fxt_sched_put_frequency(rec, at.time, cpu, khz, max_khz));
	nested_end(&at, &flags);
	return 0;
}

static __always_inline int on_limits(const struct cpufreq_policy *policy)
{
	return put_frequency(BPF_CORE_READ(policy, cpu), BPF_CORE_READ(policy, min),
			     BPF_CORE_READ(policy, max));
}

#endif /* BPF_EVENTS_BPF_H */
