/* SPDX-License-Identifier: GPL-2.0 */
/*
 * waking.bpf.h - wakeups recorded at sched_waking: which program writes the record.
 *
 * In:  sched_switch and sched_waking. Out: the word of each thread, as fxt_waking.h says.
 *
 * The exchanges came with Linux 5.12. Before that the kernel refuses a program that has one, even
 * where it cannot be reached. So only programs for such sessions have them.
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

/* Store a word. Return: what it was. A full barrier. */
static __always_inline __u32 exchange_word(struct thread *thread, __u32 word)
{
	return __sync_lock_test_and_set(&thread->waker, word);
}

/* Store a word if it is @from. Return: what it was. */
static __always_inline __u32 replace_word(struct thread *thread, __u32 from, __u32 to)
{
	return __sync_val_compare_and_swap(&thread->waker, from, to);
}

/*
 * Is it up to sched_waking to record this wakeup? If not, the thread does not get to sleep, or its
 * CPU is about to switch it out, or already has recorded the wakeup.
 *
 * The word of a thread that has slept since before its switches were seen is not
 * FXT_WAKING_ASLEEP. If the kernel skipped a program, that of one that runs may be. Otherwise the
 * word is right: a thread whose delayed dequeue takes place looks as if it were not asleep.
 */
static __always_inline bool takes_waking(struct thread *thread, struct task_struct *p,
					 __u32 waker, const bool direct)
{
	/* A full barrier: a thread whose word says so has left its run queue before. */
	__u32 word = __sync_fetch_and_add(&thread->waker, 0), old;
	bool asleep = is_asleep(p, direct), running = is_running(p, direct);

	if (word == FXT_WAKING_ASLEEP ? asleep || !running : asleep && !running)
		return exchange_word(thread, FXT_WAKING_AWAKE) != FXT_WAKING_WOKEN;
	old = replace_word(thread, word, FXT_WAKING_EARLY | waker);
	/* If it has changed, then only to FXT_WAKING_ASLEEP, and from there. */
	return old != word && exchange_word(thread, FXT_WAKING_AWAKE) == FXT_WAKING_ASLEEP;
}

/* Is the kernel about to wake the thread that it is switching out? */
static __always_inline bool is_being_woken(struct task_struct *p, const bool direct)
{
	__u32 lock = 0;

	/* No lock that is held is 0. Who released it has set the state before. */
	bpf_probe_read_kernel(&lock, sizeof(lock),
			      (void *)p + bpf_core_field_offset(p->pi_lock));
	return lock || read_state_now(p, direct) == FXT_LINUX_WAKING;
}

/* Is an early wakeup, of which sched_switch has found @word, for the sleep that begins? */
static __always_inline bool takes_early(struct thread *thread, struct task_struct *prev,
					const bool direct)
{
	return is_being_woken(prev, direct) &&
	       replace_word(thread, FXT_WAKING_ASLEEP, FXT_WAKING_WOKEN) == FXT_WAKING_ASLEEP;
}

#endif /* BPF_WAKING_BPF_H */
