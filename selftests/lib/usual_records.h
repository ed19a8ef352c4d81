/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Switches and wakeups as the probes write them, one by one. Unlike the functions of sched_story.h,
 * these do not count for ledgers, and the caller chooses each weight, CPU and koid.
 */
#ifndef SELFTESTS_USUAL_RECORDS_H
#define SELFTESTS_USUAL_RECORDS_H

#include "sched_story.h"

#define IDLE	FXT_SCHED_WEIGHT_IDLE

static inline void put_switch(struct built *b, uint64_t time, uint16_t cpu, uint64_t out,
			      uint64_t in, int32_t out_weight, int32_t in_weight)
{
	BUILD(b, fxt_context_switch(6, 2, cpu, FXT_THREAD_NEW), time, out, in,
	      fxt_arg_int32(1, FXT_STR_OUTGOING_WEIGHT, out_weight),
	      fxt_arg_int32(1, FXT_STR_INCOMING_WEIGHT, in_weight));
}

static inline void put_wakeup(struct built *b, uint64_t time, uint16_t cpu, uint64_t thread,
			      int32_t weight, uint64_t waker)
{
	BUILD(b, fxt_thread_wakeup(6, 2, cpu), time, thread,
	      fxt_arg_int32(1, FXT_STR_WEIGHT, weight), fxt_arg_koid(2, FXT_STR_WAKER), waker);
}

/* Begin a CPU's sub-buffer, whose first record is at @time. */
static inline void put_chunk(struct built *b, uint16_t cpu, uint64_t time)
{
	struct fxt_ledger l = { .stream = cpu, .kind = FXT_LEDGER_HEAD, .time = time };
	__u64 words[FXT_LEDGER_WORDS];

	fxt_sched_put_ledger(words, &l);
	build_words(b, (const uint64_t *)words, FXT_LEDGER_WORDS);
}

/* Begin a sub-buffer with a switch to @thread, so that the current thread is known. */
static inline uint64_t begin_cpu(struct built *b, uint16_t cpu, uint64_t thread, uint64_t time)
{
	put_chunk(b, cpu, time);
	put_switch(b, time, cpu, 0, thread, IDLE, 1024);
	return time;
}

#endif /* SELFTESTS_USUAL_RECORDS_H */
