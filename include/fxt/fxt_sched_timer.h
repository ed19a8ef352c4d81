/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_sched_timer.h - timers that expire.
 *
 * In:  the name of a timer's function, before it is called.
 * Out: finished event records (type 4), like those of fxt_sched_event.h.
 *
 * What a timer wakes follows immediately, in the same interrupt on the same CPU, so producers keep
 * nothing about timers. The kernel's tick and the tracer's own timers are not recorded. So what the
 * tick wakes after another timer in the same interrupt seems to be woken by that one.
 */
#ifndef FXT_FXT_SCHED_TIMER_H
#define FXT_FXT_SCHED_TIMER_H

#include "fxt_sched_event.h"

#define FXT_SCHED_TIMER_WORDS	(FXT_SCHED_EVENT_HEAD + FXT_SCHED_LABEL_WORDS + 2)

/*
 * Functions of timers that threads set for their own sleeps: high-resolution timers, and those of
 * schedule_timeout().
 */
#define FXT_LINUX_SLEEPER	"hrtimer_wakeup"
#define FXT_LINUX_TIMEOUT	"process_timeout"

/* Not memcmp(), which BPF programs cannot call. */
static __always_inline int fxt_sched_label_begins(const struct fxt_sched_label *label,
						  const char *text, __u32 bytes)
{
	const char *name = (const char *)label->words;
	int differs = 0;
	__u32 i;

	for (i = 0; i < bytes; i++)
		differs |= name[i] ^ text[i];
	return !differs;
}

/* Is it the timer of a sleep, whose thread is in the kernel's struct hrtimer_sleeper? */
static __always_inline int fxt_sched_is_sleeper(const struct fxt_sched_label *function)
{
	return fxt_sched_label_begins(function, FXT_LINUX_SLEEPER, sizeof(FXT_LINUX_SLEEPER));
}

/*
 * The tick is tick_sched_timer(), from 6.8 on tick_nohz_highres_handler(), tick_nohz_handler().
 * Timers of the tracer are that of samples, which perf events of others share, and the trigger's.
 */
static __always_inline int fxt_sched_is_tick(const struct fxt_sched_label *function)
{
	return fxt_sched_label_begins(function, "tick_sched", 10) ||
	       fxt_sched_label_begins(function, "tick_nohz", 9) ||
	       fxt_sched_label_begins(function, "perf_swevent_hrtimer", 20) ||
	       fxt_sched_label_begins(function, "fxt_watch_tick", 14);
}

/*
 * A timer expires. "Instant": the name of its function on "timer cpu N", with the koid argument
 * "thread" if @tid is not 0. @tid: for whose sleep it was set; 0: none, or unknown
 */
static __always_inline __u32 fxt_sched_put_timer(__u64 *rec, __u64 time, __u32 cpu,
						 const struct fxt_sched_label *function, __u32 tid)
{
	__u32 words = FXT_SCHED_EVENT_HEAD + fxt_stream_words(function->bytes), i;

	fxt_sched_put_event_head(rec, fxt_event(words + (tid ? 2 : 0), FXT_EVENT_INSTANT, !!tid,
						FXT_THREAD_REF_INLINE, FXT_STR_TIMER,
						fxt_string_ref_inline(function->bytes)), time,
				 FXT_SCHED_KOID_TIMER,
				 fxt_sched_cpu_track(FXT_SCHED_KOID_TIMER, cpu));
	/* Copy all words. The argument overwrites those after the name. */
	for (i = 0; i < FXT_SCHED_LABEL_WORDS; i++)
		rec[FXT_SCHED_EVENT_HEAD + i] = function->words[i];
	if (!tid)
		return words;
	rec[words] = fxt_arg_koid(2, FXT_STR_THREAD);
	rec[words + 1] = tid;
	return words + 2;
}

#endif /* FXT_FXT_SCHED_TIMER_H */
