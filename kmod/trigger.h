/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trigger.h - who had to wait too long for a CPU ends the recording.
 *
 * What flows in: wakeups and switch-ins. What flows out: a time in
 * fxt_session.until, and who it was, for the session file; also the longest wait of
 * those that count, so that a trigger that never fires can be set to a better latency.
 *
 * The time of a thread's wakeup lies in a table of its own, beside that of the
 * sleepers; it is stored at the wakeup and taken at the next switch-in, both
 * under the lock of a run queue that the thread is on, so no two CPUs ever race
 * for it, and what one of them stored the next sees. It is taken while nothing is
 * recorded, too: what was woken once has come in once.
 *
 * fxt_session.until is what decides who is first: whoever changes it from
 * "recording" has fired. It only ever falls while there is recording, so no CPU
 * can begin to record again in the middle of an end.
 */
#ifndef FXT_KMOD_TRIGGER_H
#define FXT_KMOD_TRIGGER_H

#include <linux/percpu.h>
#include <linux/types.h>

#include <fxt/fxt_glob.h>

#include "sleepers.h"

struct fxt_session;
struct fxt_stream;
struct seq_file;
struct task_struct;

/**
 * struct fxt_wait - the longest wait that ended on a CPU
 * @time: ticks of the switch-in
 * @latency: ticks since the wakeup; 0 if there was none yet
 * @thread: thread id
 */
struct fxt_wait {
	u64 time;
	u64 latency;
	u32 thread;
};

/**
 * struct fxt_trigger - when to end the recording, and who did
 * @latency: ticks that must be exceeded; 0 if there is no trigger
 * @after: ticks that are recorded after that
 * @since: ticks of when the recording began: a wakeup before it does not count,
 *	for the recording could not show it
 * @pid: process whose threads count, 0 for all
 * @by_comm: only threads whose names match @comm count
 * @comm: the pattern
 * @longest: of each CPU since the session was opened; written there with irqs off;
 *	NULL if there is no trigger
 * @fired: published when all of the following is there
 * @time: ticks of the switch-in
 * @waited: ticks since its wakeup
 * @thread: thread id
 * @cpu: that it came in on
 */
struct fxt_trigger {
	u64 latency;
	u64 after;
	u64 since;
	pid_t pid;
	bool by_comm;
	struct fxt_glob comm;
	struct fxt_wait __percpu *longest;

	bool fired;
	u64 time;
	u64 waited;
	u32 thread;
	u32 cpu;
};

int fxt_trigger_init(struct fxt_session *ss);
void fxt_trigger_free(struct fxt_trigger *t);
void fxt_trigger_arm(struct fxt_session *ss);
void fxt_trigger_judge(struct fxt_session *ss, const struct fxt_stream *s,
		       const struct task_struct *p, u64 woken, u64 now);
void fxt_trigger_show(struct seq_file *m, const struct fxt_trigger *t);

/**
 * fxt_trigger_note() - a thread was woken
 * @t: the trigger
 * @sleepers: the table
 * @tid: thread id
 * @now: ticks
 *
 * Context: its run queue's lock is held.
 */
static __always_inline void fxt_trigger_note(const struct fxt_trigger *t,
					     struct fxt_sleepers *sleepers,
					     pid_t tid, u64 now)
{
	u64 *woken = t->latency ? fxt_sleeper_woken(sleepers, tid) : NULL;

	if (woken)
		*woken = now;
}

/**
 * fxt_trigger_take() - a thread comes in: when was it woken?
 * @t: the trigger
 * @sleepers: the table
 * @tid: thread id
 *
 * Context: its run queue's lock is held.
 *
 * Return: ticks; 0 if it has run since, or nobody asks.
 */
static __always_inline u64 fxt_trigger_take(const struct fxt_trigger *t,
					    struct fxt_sleepers *sleepers, pid_t tid)
{
	u64 *woken = t->latency ? fxt_sleeper_woken(sleepers, tid) : NULL;
	u64 time;

	if (!woken || !*woken)
		return 0;
	time = *woken;
	*woken = 0;
	return time;
}

/**
 * fxt_trigger_is_long() - has the thread that comes in waited for too long, or for
 *	longer than any before it on this CPU?
 * @t: the trigger
 * @woken: what fxt_trigger_take() returned
 * @now: ticks; may be before @woken, for the CPUs' clocks agree to some ns only
 *
 * Context: irqs are off.
 */
static __always_inline bool fxt_trigger_is_long(const struct fxt_trigger *t,
						u64 woken, u64 now)
{
	/* There is no time of a wakeup without a trigger, which has @longest. */
	return woken && now > woken &&
	       (now - woken > t->latency ||
		now - woken > this_cpu_ptr(t->longest)->latency);
}

#endif /* FXT_KMOD_TRIGGER_H */
