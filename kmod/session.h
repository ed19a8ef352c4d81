/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session.h - what one recording needs, from the opening of the session file
 * to the last file of it that is closed.
 */
#ifndef FXT_KMOD_SESSION_H
#define FXT_KMOD_SESSION_H

#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

#include "channel.h"
#include "sleepers.h"

struct dentry;

#undef pr_fmt
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

enum fxt_clock {
	FXT_CLOCK_BOOT,
	FXT_CLOCK_MONO,
	FXT_CLOCK_TSC,
};

enum fxt_weight {
	FXT_WEIGHT_WEIGHT,
	FXT_WEIGHT_PRIO,
};

/**
 * struct fxt_params - the module's parameters, what the next session gets
 * @subbuf_size: bytes
 * @subbuf_count: sub-buffers per CPU
 * @clock: enum fxt_clock
 * @weight: enum fxt_weight
 */
struct fxt_params {
	unsigned int subbuf_size;
	unsigned int subbuf_count;
	int clock;
	int weight;
};

extern struct fxt_params fxt_params;
extern const char * const fxt_clock_names[];	/* NULL at the end */
extern const char * const fxt_weight_names[];	/* NULL at the end */

/**
 * struct fxt_session - one recording
 * @cpus: the streams of the CPUs
 * @clock: enum fxt_clock
 * @weight: enum fxt_weight
 * @recording: switches and wakeups become records. Probes come and go one by
 *	one; this one store begins and ends the trace for all of them, so that no
 *	thread is woken in it whose going to sleep is not in it. Changes under
 *	fxt_session_lock
 * @tsc_offset: ticks of the time-stamp counter at boot
 * @sleepers: what is known of threads by tid
 * @names_lock: makes one producer of all that write to @names
 * @names: the stream of names
 * @subbuf_size: bytes
 * @subbuf_count: sub-buffers per CPU
 * @ticks_per_second: of the clock
 * @hand_over_lock: see fxt_stream_hand_over()
 * @cpu_chan: relay channel of @cpus
 * @names_chan: relay channel of @names
 * @ref: held by every open file of the session
 */
struct fxt_session {
	struct fxt_stream __percpu *cpus;
	int clock;
	int weight;
	bool recording;
	u64 tsc_offset;
	struct fxt_sleepers sleepers;

	raw_spinlock_t names_lock;
	struct fxt_stream names;

	unsigned int subbuf_size;
	unsigned int subbuf_count;
	u64 ticks_per_second;
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
void fxt_probes_stop(struct fxt_session *ss);

extern const struct file_operations fxt_rundown_fops;

#endif /* FXT_KMOD_SESSION_H */
