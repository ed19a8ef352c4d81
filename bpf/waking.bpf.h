/* SPDX-License-Identifier: GPL-2.0 */
/*
 * waking.bpf.h - which program writes the record of a wakeup that is recorded at sched_waking.
 *
 * In:  sched_switch and sched_waking.
 * Out: the word of each thread, as described in fxt_waking.h.
 *
 * The exchanges came with Linux 5.12. Earlier kernels refuse programs that have one, even in code
 * that is never reached. So only programs for such sessions have them.
 */
#ifndef BPF_WAKING_BPF_H
#define BPF_WAKING_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "fxt/fxt_waking.h"
#include "kernel_types.h"
#include "threads.bpf.h"
#include "weight.bpf.h"

/* Store a word. Return: the old word. This is a full barrier. */
static __always_inline __u32 exchange_word(struct thread *thread, __u32 word)
{
	return __sync_lock_test_and_set(&thread->waker, word);
}

/* Store @to if the word is @from. Return: the old word. */
static __always_inline __u32 replace_word(struct thread *thread, __u32 from, __u32 to)
{
	return __sync_val_compare_and_swap(&thread->waker, from, to);
}

/*
 * Must sched_waking record this wakeup? If not, the thread does not sleep after all, or its CPU is
 * about to switch it out, or has already recorded the wakeup.
 *
 * The word can be wrong in two cases. If a thread has slept since before its switches were seen, it
 * is not FXT_WAKING_ASLEEP. If the kernel skipped a program, it may be FXT_WAKING_ASLEEP although
 * the thread runs. Otherwise the word is right and the run queue may not be: during its delayed
 * dequeue, a thread looks as if it were not asleep.
 */
static __always_inline bool takes_waking(struct thread *thread, struct task_struct *p,
					 __u32 waker)
{
	/* A full barrier: if the word is FXT_WAKING_ASLEEP, the thread has left its run queue. */
	__u32 word = __sync_fetch_and_add(&thread->waker, 0), old;
	bool asleep = is_asleep(p, DIRECT), running = is_running(p, DIRECT);

	if (word == FXT_WAKING_ASLEEP ? asleep || !running : asleep && !running)
		return exchange_word(thread, FXT_WAKING_AWAKE) != FXT_WAKING_WOKEN;
	old = replace_word(thread, word, FXT_WAKING_EARLY | waker);
	/* The word can only have changed to FXT_WAKING_ASLEEP, and from that. */
	return old != word && exchange_word(thread, FXT_WAKING_AWAKE) == FXT_WAKING_ASLEEP;
}

/* Is the kernel about to wake the thread that it is switching out? */
static __always_inline bool is_being_woken(struct task_struct *p)
{
	__u32 lock = 0;

	/* A lock that is held is never 0. Whoever released it has set the state before. */
	bpf_probe_read_kernel(&lock, sizeof(lock),
			      (void *)p + bpf_core_field_offset(p->pi_lock));
	return lock || read_state_now(p) == FXT_LINUX_WAKING;
}

/* Is an early wakeup, which sched_switch has found in @word, for the sleep that begins? */
static __always_inline bool takes_early(struct thread *thread, struct task_struct *prev)
{
	return is_being_woken(prev) &&
	       replace_word(thread, FXT_WAKING_ASLEEP, FXT_WAKING_WOKEN) == FXT_WAKING_ASLEEP;
}

#endif /* BPF_WAKING_BPF_H */
