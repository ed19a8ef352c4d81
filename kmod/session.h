/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * session.h - one recording: its memory, which lives until the last of its files is closed.
 */
#ifndef FXT_KMOD_SESSION_H
#define FXT_KMOD_SESSION_H

#include <linux/hrtimer.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <fxt/fxt_rename.h>
#include <fxt/fxt_unknown.h>

#include "clock.h"
#include "config.h"
#include "filter.h"
#include "stream.h"
#include "task_table.h"
#include "trigger.h"
#include "user_stack.h"
#include "util.h"

struct file;
struct fxt_function_names;
struct fxt_reason;
struct perf_event;
struct workqueue_struct;

struct fxt_rename_users {	/* of one CPU */
	u32 until[FXT_RENAME_USERS];	/* for fxt_rename_fits(), by fxt_rename_user() */
};

/*
 * device.c serializes all changes of @naming, @started, @asked and @frozen.
 *
 * The fields that the probes use for each record come first, within one cache line.
 */
struct fxt_session {
	struct fxt_recording recording;
	/* a scheduling class whose weights are loads; NULL until the probes have met one */
	const struct sched_class *load_class;
	struct fxt_clock clock;
	struct fxt_stream __percpu *cpus;
	struct fxt_task_table tasks;

	struct fxt_filter filter;
	enum fxt_probes probes;	/* the kind that is registered */
	struct fxt_trigger trigger;
	struct hrtimer watch;	/* looks for waits that exceed a limit of @trigger and go on */
	u64 sleep_stacks_dropped;	/* of sleeps that fired @trigger; only @watch counts */
	u64 stacks_min;	/* ticks that a thread must be off the CPU for a stack */
	struct perf_event * __percpu *samples;	/* of CPUs that are sampled; or NULL */
	struct hlist_node sampled;	/* links all sessions that sample */
	struct fxt_saved_stacks saved_stacks;	/* of programs */

	u64 secret;	/* random; hides addresses in records of requests */
	/* NULL without groups that name functions */
	struct fxt_function_names *function_names;

	struct fxt_stream __percpu *names;
	struct fxt_rename_users __percpu *rename_users;

	struct fxt_config config;
	struct fxt_tsc_clock tsc;	/* of @clock */
	u64 memory;	/* bytes charged to the limits for buffers */
	struct fxt_notify notify;	/* wakes those who poll the device */
	struct work_struct work;	/* registers and unregisters the probes */
	wait_queue_head_t serving;	/* for those who wait for @served */
	/* how often registering and unregistering the probes was requested, in turn */
	unsigned int asked;
	unsigned int served;		/* the last of these that @work has done */
	int error;			/* of @work */
	bool registered;		/* only @work uses it */
	bool naming;	/* record names, also while the recording is frozen */
	bool started;			/* the probes are registered */
	/* the device was closed: nothing more comes, all sub-buffers are complete */
	bool ended;
	bool frozen;
	/* overwrite mode: nothing is recorded, and buffers can be read; under @quiesce_lock */
	bool quiesced;
	u64 resumed;	/* how often unread records were dropped; under @quiesce_lock */
	/* readers of buffers hold it for reading */
	struct rw_semaphore quiesce_lock;
	/* see fxt_stream_hand_over(); taken before cpus_read_lock() */
	struct mutex hand_over_lock;
	/* links the sessions that make buffers for CPUs that come online */
	struct hlist_node hotplug;
	struct kref ref;		/* each open file has one */
};

struct fxt_session *fxt_session_new(const struct fxt_config *config,
				    struct fxt_reason *reason);
void fxt_session_get(struct fxt_session *ss);
void fxt_session_put(struct fxt_session *ss);

/* device.c: an unbound queue; emptied before the module goes */
extern struct workqueue_struct *fxt_wq;
/* Work that gets no CPU of its node for this time is done elsewhere. */
#define FXT_NODE_WAIT_MS	50

/* channel.c: the reader's side of streams */
int fxt_channels_init(void);
void fxt_channels_exit(void);
int fxt_channels_open(struct fxt_session *ss, struct fxt_reason *reason);
struct file *fxt_channels_file(struct fxt_session *ss, u32 kind, u32 cpu);
void fxt_channels_end(struct fxt_session *ss);
void fxt_channels_close(struct fxt_session *ss);
void fxt_channels_flush(struct fxt_session *ss);
void fxt_channels_quiesce(struct fxt_session *ss);
void fxt_channels_resume(struct fxt_session *ss);
bool fxt_channels_wait(struct fxt_session *ss);
int fxt_channels_count(struct fxt_session *ss, struct fxt_sched_counters *c);

/* stacks.c: backtraces of sleepers and wakers */
int fxt_stacks_check(u32 what, struct fxt_reason *reason);
void fxt_stack_out(struct fxt_session *ss, struct task_struct *prev,
		   enum fxt_thread_state state, u64 now);
void fxt_stack_in(struct fxt_session *ss, struct fxt_stream *s, struct task_struct *next,
		  u64 since, u64 now);
void fxt_stack_asleep(struct fxt_session *ss, struct task_struct *p, const u64 *at, u64 element);
void fxt_stack_waking(struct fxt_session *ss, struct task_struct *p, u32 waker,
		      unsigned long caller);

/* lock.c: what a thread waits for */
struct task_struct *fxt_lock_look(struct fxt_session *ss, const struct task_struct *p,
				  const struct fxt_lock_wait *wait, struct fxt_trigger_lock *lock);

/* samples.c: backtraces at regular times */
int fxt_samples_init(void);
void fxt_samples_exit(void);
int fxt_samples_start(struct fxt_session *ss);
void fxt_samples_stop(struct fxt_session *ss);

/* steal.c: ns since boot that the hypervisor took from this CPU; preemption is disabled */
u64 fxt_steal_now(void);

/* rundown.c: the present state of threads */
struct file *fxt_rundown_file(struct fxt_session *ss);
int fxt_mark_read(struct fxt_session *ss, struct fxt_sched_mark *mark);

/* watch.c: waits that are not over */
void fxt_watch_start(struct fxt_session *ss);
void fxt_watch_stop(struct fxt_session *ss);

#endif /* FXT_KMOD_SESSION_H */
