/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * slices.bpf.h - system calls, work items, idle states.
 *
 * In:  their beginnings and ends; ends of threads, and execs.
 * Out: one record at the end of each, on the thread or the CPU.
 */
#ifndef BPF_SLICES_BPF_H
#define BPF_SLICES_BPF_H

#include <bpf/bpf_core_read.h>

#include "events.bpf.h"
#include "filter.bpf.h"
#include "fxt/fxt_sched.h"
#include "label.bpf.h"
#include "map.bpf.h"
#include "nested.bpf.h"
#include "threads.bpf.h"

/*
 * --- system calls ---
 *
 * Threads sleep and migrate in a call, so its beginning is stored by thread id. It is cleared when
 * a thread ends in a call, because a new thread with that id first returns from a call that it has
 * not begun. Programs read the number at the end of a call: there, a return from a signal handler,
 * which ends no call, has no number, and an exec may have changed the word size and with it the
 * number.
 *
 * Context: interrupts are on.
 */

#define TS_COMPAT	0x2		/* x86, thread_info.status: a 32-bit system call */
#define TIF_32BIT	(1UL << 22)	/* arm64, thread_info.flags: a 32-bit thread */

/* Ticks when a thread began its system call; 0: it is in none. */
ARRAY(calls, 1, __u64);	/* entries are set before loading */

static __always_inline __u64 *find_call(__u32 tid)
{
	__u32 index = thread_index(tid);

	return bpf_map_lookup_elem(&calls, &index);
}

/* The number of the call that ends; negative if none does. */
static __always_inline __s32 call_number(const struct pt_regs *regs)
{
	if (bpf_core_field_exists(regs->orig_ax))
		return BPF_CORE_READ(regs, orig_ax);
	return BPF_CORE_READ(regs, syscallno);
}

static __always_inline bool is_native(struct task_struct *thread)
{
	if (bpf_core_field_exists(thread->thread_info.status))
		return !(BPF_CORE_READ(thread, thread_info.status) & TS_COMPAT);
	return !(BPF_CORE_READ(thread, thread_info.flags) & TIF_32BIT);
}

static __always_inline int on_call(void)
{
	__u64 *begin = find_call(bpf_get_current_pid_tgid());

	return begin ? begin_slice(begin) : 0;
}

static __always_inline void put_call(struct task_struct *thread, __u64 begin, __u32 nr, __s64 ret)
{
	__u64 ids = bpf_get_current_pid_tgid();
	int native = is_native(thread);
	struct place at;

	ring_find(&at);
	RECORD_EVENT(&at, rec, fxt_sched_put_syscall(rec, begin_before(begin, at.time), at.time,
						     ids, ids >> 32, nr, native, ret));
}

static __always_inline int on_return(const struct pt_regs *regs, __s64 ret)
{
	__u64 *begun = find_call(bpf_get_current_pid_tgid()), begin = 0;
	struct task_struct *thread = (void *)bpf_get_current_task();
	__s32 nr = call_number(regs);

	/* A thread that is not in the table (pid_max was raised) loses the record. */
	if (begun) {
		begin = consume_begin(begun);
		if (!begin)
			return 0;
	}
	if (nr < 0 || !is_recording() || !keeps_thread(thread))
		return 0;
	if (begin)
		put_call(thread, begin, nr, ret);
	else
		lose_event();
	return 0;
}

/* Context: the thread is current. */
static __always_inline int on_end_in_call(struct task_struct *p)
{
	__u64 *begin = find_call(BPF_CORE_READ(p, pid));

	if (begin)
		*begin = 0;
	return 0;
}

/* At exec, a thread that was not the leader has taken the leader's id. Its call continues. */
static __always_inline int on_exec_in_call(struct task_struct *p, __u32 old_tid)
{
	__u32 tid = BPF_CORE_READ(p, pid);
	__u64 *begin = find_call(tid), *old = find_call(old_tid);

	if (tid == old_tid)
		return 0;
	if (begin)
		*begin = old ? *old : 0;
	if (old)
		*old = 0;
	return 0;
}

/*
 * --- work items ---
 *
 * The address of a work item is the key of its beginning, because workers may sleep and migrate. No
 * work item is executed twice at the same time.
 */

#define PF_WQ_WORKER	0x00000020

HASH(work_begun, 8192, __u64, __u64);	/* executed at the same time */

/* Soft interrupts execute work items, too. These belong to no thread. */
static __always_inline bool is_worker(struct task_struct *thread)
{
	return BPF_CORE_READ(thread, flags) & PF_WQ_WORKER;
}

static __always_inline int on_work_start(__u64 work)
{
	struct task_struct *thread = (void *)bpf_get_current_task();
	__u64 now;

	if (!is_recording() || !is_worker(thread) || !keeps_thread(thread))
		return 0;
	now = clock_now_inline();
	if (bpf_map_update_elem(&work_begun, &work, &now, BPF_ANY))
		lose_event();
	return 0;
}

static __always_inline int on_work_end(__u64 work, __u64 function)
{
	__u64 *begun = bpf_map_lookup_elem(&work_begun, &work), begin, ids;
	struct fxt_sched_label name;
	struct place at;

	if (!begun)
		return 0;
	begin = consume_begin(begun);
	bpf_map_delete_elem(&work_begun, &work);
	if (!begin)
		return 0;
	label_of_function(&name, function);
	ids = bpf_get_current_pid_tgid();
	ring_find(&at);
	RECORD_EVENT(&at, rec, fxt_sched_put_work(rec, begin_before(begin, at.time), at.time,
						  (__u32)ids, ids >> 32, &name));
	return 0;
}

/* --- idle states: interrupts are off at the beginning, and may be on at the end -------------- */

#define IDLE_EXIT	0xffffffffU	/* PWR_EVENT_EXIT: the CPU leaves the idle state */

static __always_inline int on_idle(__u32 state, __u32 cpu)
{
	struct place at;
	__u64 begin;

	ring_find(&at);
	if (state != IDLE_EXIT) {
		at.ring->idle_state = state;
		return begin_slice(&at.ring->idle_begin);
	}
	begin = consume_begin(&at.ring->idle_begin);
	if (begin && keeps_cpu(cpu))
		RECORD_EVENT(&at, rec, fxt_sched_put_idle(rec, begin_before(begin, at.time),
							  at.time, at.cpu, at.ring->idle_state));
	return 0;
}

static __always_inline int on_idle_miss(__u32 cpu, __u32 state, bool below)
{
	struct place at;

	ring_find(&at);
	if (is_recording() && keeps_cpu(cpu))
		RECORD_EVENT(&at, rec, fxt_sched_put_idle_miss(rec, at.time, cpu, state, below));
	return 0;
}

#endif /* BPF_SLICES_BPF_H */
