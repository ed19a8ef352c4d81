/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session.h - the memory of one recording, from the opening of the file "session" to the
 * closing of the last file of the recording.
 */
#ifndef FXT_KMOD_SESSION_H
#define FXT_KMOD_SESSION_H

#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>

#include <fxt/fxt_rename.h>

#include "clock.h"
#include "filter.h"
#include "params.h"
#include "recording.h"
#include "stream.h"
#include "task_table.h"
#include "trigger.h"

struct rchan;

/**
 * struct fxt_rename_users - the rename rates of users on one CPU
 * @until: for fxt_rename_fits(), by fxt_rename_user()
 */
struct fxt_rename_users {
	u32 until[FXT_RENAME_USERS];
};

/**
 * struct fxt_session - one recording
 * @recording: when switches and wakeups become records
 * @load_class: a scheduling class whose threads' weight is their load; NULL until the
 *	probes have met one
 * @clock: the clock of all records
 * @cpus: the streams of the CPUs
 * @tasks: per-task state, by tid
 * @weight: enum fxt_weight
 * @filter: which events are recorded
 * @trigger: what ends the recording
 * @names: the streams of names of the CPUs
 * @rename_users: the rename rates of users on each CPU
 * @params: the parameters that the session was opened with
 * @tracing: the probes are registered; under fxt_session_lock
 * @frozen: the file "freeze" is open; under fxt_session_lock
 * @quiesced: in overwrite mode: nothing is recorded, and the buffers can be read; under
 *	@quiesce_lock
 * @quiesce_lock: readers of buffers hold it for reading
 * @hand_over_lock: see fxt_stream_hand_over(); taken before cpus_read_lock()
 * @cpu_chan: relay channel of @cpus
 * @names_chan: relay channel of @names
 * @ref: held by every open file of the session
 *
 * The fields that the probes use for each record come first, within one cache line.
 */
struct fxt_session {
	struct fxt_recording recording;
	const struct sched_class *load_class;
	struct fxt_clock clock;
	struct fxt_stream __percpu *cpus;
	struct fxt_task_table tasks;

	int weight;
	struct fxt_filter filter;
	struct fxt_trigger trigger;

	struct fxt_stream __percpu *names;
	struct fxt_rename_users __percpu *rename_users;

	struct fxt_params params;
	bool tracing;
	bool frozen;
	bool quiesced;
	struct rw_semaphore quiesce_lock;
	struct mutex hand_over_lock;
	struct rchan *cpu_chan;
	struct rchan *names_chan;
	struct kref ref;
};

struct fxt_session *fxt_session_new(void);
void fxt_session_get(struct fxt_session *ss);
void fxt_session_put(struct fxt_session *ss);

#endif /* FXT_KMOD_SESSION_H */
