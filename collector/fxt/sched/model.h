/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model.h - threads and CPUs over time, from the records of an archive.
 *
 * In: all records of an archive, in file order.
 * Out, in the order of time: which thread ran on which CPU, the states of other threads, and events
 * that no real scheduler can produce (anomalies). At the end, totals of each thread.
 *
 * A file has the streams of several CPUs chunk by chunk, so a record may precede an earlier one of
 * another CPU. The model keeps a bounded number of events per stream in memory and merges them
 * by time. Events that come too late for that are counted (late) and applied in file order.
 * Times are ns (fxt_ticks_to_ns()).
 */
#ifndef FXT_SCHED_MODEL_H
#define FXT_SCHED_MODEL_H

#include "libfxt/fxt_reader.h"
#include "types.h"

struct sched_model;
struct sched_symbols;

/* The letter for the state of a thread that is switched out. */
char sched_out_state(uint8_t state, char letter);

/*
 * @arg: passed to the callbacks. @stream_events: kept in memory per stream, rounded; 0 is 262144
 * (12 MiB). All streams together keep no more than 64 MiB
 */
struct sched_model *sched_model_open(const struct sched_ops *ops, void *arg, size_t stream_events);
void sched_model_close(struct sched_model *m);

/*
 * Feed the reader's last record. Feed all records, of any kind. The functions below take records
 * that the caller has decoded. Returns 0; the reader's -EBADMSG (the record is skipped); what a
 * callback returned.
 */
int sched_model_record(struct sched_model *m, struct fxt_reader *r,
		       const struct fxt_record *rec);
int sched_model_switch(struct sched_model *m, const struct fxt_record *rec,
		       const struct fxt_switch *sw);
int sched_model_wakeup(struct sched_model *m, const struct fxt_record *rec,
		       const struct fxt_wakeup *w);
int sched_model_content(struct sched_model *m, const struct fxt_record *rec,
			const struct fxt_content *c);

/*
 * Feed the next hot records, from fxt_reader_hot_run(), without runs: see sched_model_run().
 * Returns how many of the first ones were common. The next one changed nothing: the caller goes to
 * it and feeds it to the functions above, with fxt_reader_hot_record().
 */
size_t sched_model_hot(struct sched_model *m, const struct fxt_hot_run *run);

bool sched_model_accepts_runs(const struct sched_model *m);

struct sched_taken {
	uint64_t records;
	uint64_t words;
	uint64_t switches;		/* of these; the others are wakeups */
	uint64_t switch_words;
	uint64_t last;			/* ns, of the last */
};

/*
 * Feed the next switches and wakeups. Returns those that were common. The next one changed nothing;
 * the caller feeds it to the functions above.
 */
struct sched_taken sched_model_run(struct sched_model *m, const struct fxt_sched_run *run);

/* Like fxt_reader_next(), but feeds and skips common records itself. */
int sched_model_next(struct sched_model *m, struct fxt_reader *r, struct fxt_record *rec);

/* At the end of the archive, close all spans and judge the rest. */
int sched_model_finish(struct sched_model *m);

const struct sched_totals *sched_model_totals(const struct sched_model *m);

/* The filter of the recording as text, or NULL. */
const char *sched_model_filter(const struct sched_model *m);

/* The CPUs of the only recorded machine; NULL if unknown. */
const struct sched_topology *sched_model_topology(const struct sched_model *m);

/* Get the first trigger of a snapshot. Returns false if there is none. */
bool sched_model_trigger(const struct sched_model *m, struct sched_trigger *t);

/* The last thread with a koid; NULL if none was seen. */
struct sched_thread *sched_model_thread(struct sched_model *m, uint64_t koid);

/*
 * The thread that had a koid at @ns, by the records so far; NULL if none was seen. @ns may be later
 * than the events so far.
 */
struct sched_thread *sched_model_thread_at(struct sched_model *m, uint64_t koid,
					   uint64_t ns);

/*
 * At the end: 1 + thread id of ksoftirqd, by CPU; 0 if unknown. NULL if runs or interrupts were not
 * recorded. The array is the model's.
 *
 * A soft interrupt runs on the CPU that raised it, at once or in the CPU's ksoftirqd. With all runs
 * and interrupts, this proves who raised it.
 */
const uint32_t *sched_model_ksoftirqd(struct sched_model *m);

/*
 * Does the name of a thread show that the kernel is PREEMPT_RT? There a thread serves soft
 * interrupts when it enables them again, and may be preempted before.
 */
bool sched_model_is_rt(const struct sched_model *m);

/* Does the archive mention this CPU, even if only in a ledger? */
bool sched_model_has_cpu(const struct sched_model *m, uint16_t cpu);

/* All threads, by id; the array is the model's. */
struct sched_thread *const *sched_model_threads(struct sched_model *m, size_t *count);
struct sched_process *const *sched_model_processes(struct sched_model *m, size_t *count);

/* For stacks, if ops->moment is set. */
struct sched_symbols *sched_model_symbols(struct sched_model *m);

/* All origins of events, by id; the array is the model's. */
struct sched_origin *const *sched_model_origins(struct sched_model *m, size_t *count);

#endif /* FXT_SCHED_MODEL_H */
