/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session.h - what one recording needs, from the opening of the session file
 * to the last file of it that is closed.
 */
#ifndef FXT_KMOD_SESSION_H
#define FXT_KMOD_SESSION_H

#include <linux/atomic.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>

#include "channel.h"
#include "filter.h"
#include "names.h"
#include "params.h"
#include "sleepers.h"
#include "trigger.h"

struct dentry;

#undef pr_fmt
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#define FXT_RECORDING	((s64)U64_MAX)	/* fxt_session.until: no end is in sight */

/**
 * struct fxt_session - one recording
 * @cpus: the streams of the CPUs
 * @clock: enum fxt_clock
 * @weight: enum fxt_weight
 * @until: ticks up to which switches and wakeups become records: FXT_RECORDING,
 *	or when the recording ends or has ended, 0 when that is past. Probes come
 *	and go one by one; this one word begins and ends the trace for all of them,
 *	so that no thread is woken in it whose going to sleep is not in it. Begins
 *	under fxt_session_lock; a trigger may end it
 * @tsc_offset: ticks of the time-stamp counter at boot
 * @load_class: a class of threads whose weight is their load; NULL until probes
 *	have met one
 * @sleepers: what is known of threads by tid
 * @filter: what is recorded
 * @trigger: what ends it
 * @names: the streams of names of the CPUs
 * @rename_users: what users have left of their renames, on each CPU
 * @params: what the session was opened with
 * @ticks_per_second: of the clock
 * @tracing: the probes are there; under fxt_session_lock
 * @frozen: the file "freeze" is open; under fxt_session_lock
 * @at_rest: in overwrite mode: nothing is recorded, all can be read; under
 *	@rest_lock
 * @rest_lock: held for reading by those who read buffers
 * @hand_over_lock: see fxt_stream_hand_over()
 * @cpu_chan: relay channel of @cpus
 * @names_chan: relay channel of @names
 * @ref: held by every open file of the session
 */
struct fxt_session {
	struct fxt_stream __percpu *cpus;
	int clock;
	int weight;
	atomic64_t until;
	u64 tsc_offset;
	const struct sched_class *load_class;
	struct fxt_sleepers sleepers;
	struct fxt_filter filter;
	struct fxt_trigger trigger;

	struct fxt_stream __percpu *names;
	struct fxt_rename_users __percpu *rename_users;

	struct fxt_params params;
	u64 ticks_per_second;
	bool tracing;
	bool frozen;
	bool at_rest;
	struct rw_semaphore rest_lock;
	struct mutex hand_over_lock;	/* taken before cpus_read_lock() */
	struct rchan *cpu_chan;
	struct rchan *names_chan;
	struct kref ref;
};

void fxt_session_get(struct fxt_session *ss);
void fxt_session_put(struct fxt_session *ss);

int fxt_files_create(void);
void fxt_files_remove(void);

int fxt_probes_find(void);
int fxt_probes_start(struct fxt_session *ss);
void fxt_probes_wait(void);
void fxt_probes_stop(struct fxt_session *ss);

extern const struct file_operations fxt_rundown_fops;

#endif /* FXT_KMOD_SESSION_H */
