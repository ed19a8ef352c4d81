/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model.h - threads and CPUs over time, from the records of an archive.
 *
 * In: all records of an archive, in file order.
 * Out, in the order of time: which thread ran on which CPU, the states of threads that
 * did not run, and events that no real scheduler can produce (anomalies). At the end, the
 * totals of each thread.
 *
 * A file has the streams of several CPUs chunk by chunk, so a record may precede an
 * earlier one of another CPU. The model keeps a bounded number of events per stream in
 * memory and merges them by time. Events that come too late for that are counted (late)
 * and applied in file order.
 *
 * Times are ns (fxt_ticks_to_ns()).
 */
#ifndef FXT_SCHED_MODEL_H
#define FXT_SCHED_MODEL_H

#include "libfxt/fxt_reader.h"
#include "types.h"

struct sched_model;
struct sched_symbols;

/** sched_out_state() - the letter for the state of a thread that is switched out */
char sched_out_state(uint8_t state, char letter);

/**
 * sched_model_open() - begin a model
 * @arg: passed to the callbacks
 * @stream_events: events kept in memory per stream, rounded; 0 is 262144 (12 MiB).
 *	All streams together keep no more than 64 MiB
 */
struct sched_model *sched_model_open(const struct sched_ops *ops, void *arg, size_t stream_events);
void sched_model_close(struct sched_model *m);

/**
 * sched_model_record() - feed the reader's last record
 *
 * Feed all records, of any kind; the model uses kernel objects, ledgers and scheduling
 * records. Use the functions below for a record that the caller has decoded already.
 *
 * Return: 0; the reader's -EBADMSG (the record is skipped); what a callback returned.
 */
int sched_model_record(struct sched_model *m, struct fxt_reader *r,
		       const struct fxt_record *rec);
int sched_model_switch(struct sched_model *m, const struct fxt_record *rec,
		       const struct fxt_switch *sw);
int sched_model_wakeup(struct sched_model *m, const struct fxt_record *rec,
		       const struct fxt_wakeup *w);
int sched_model_content(struct sched_model *m, const struct fxt_record *rec,
			const struct fxt_content *c);

/**
 * sched_model_hot() - feed the hot records that are next, without runs: see sched_model_run()
 * @run: from fxt_reader_hot_run()
 *
 * Return: how many of them, from the first on, were of the common kind. The next one changed
 * nothing: the caller goes to it and feeds it to the functions above, with
 * fxt_reader_hot_record().
 */
size_t sched_model_hot(struct sched_model *m, const struct fxt_hot_run *run);

/** sched_model_accepts_runs() - may sched_model_run() take the records that are next? */
bool sched_model_accepts_runs(const struct sched_model *m);

/** struct sched_taken - the first records of a run */
struct sched_taken {
	uint64_t records;
	uint64_t words;
	uint64_t switches;		/* of these; the others are wakeups */
	uint64_t switch_words;
	uint64_t last;			/* ns, of the last */
};

/**
 * sched_model_run() - feed switches and wakeups that are next
 *
 * Return: those that were of the common kind. The next one changed nothing; the caller feeds it to
 * the functions above.
 */
struct sched_taken sched_model_run(struct sched_model *m, const struct fxt_sched_run *run);

/** sched_model_next() - like fxt_reader_next(), but feeds and skips common records itself */
int sched_model_next(struct sched_model *m, struct fxt_reader *r, struct fxt_record *rec);

/** sched_model_finish() - close all spans and judge the rest at the end of the archive */
int sched_model_finish(struct sched_model *m);

/** sched_model_totals() - the totals of the records fed so far */
const struct sched_totals *sched_model_totals(const struct sched_model *m);

/** sched_model_filter() - the filter of the recording, as text; NULL: none */
const char *sched_model_filter(const struct sched_model *m);

/** sched_model_topology() - the CPUs of the one machine that was recorded; NULL if unknown */
const struct sched_topology *sched_model_topology(const struct sched_model *m);

/** sched_model_trigger() - get the (first) trigger of a snapshot. Return: false if there is none */
bool sched_model_trigger(const struct sched_model *m, struct sched_trigger *t);

/** sched_model_thread() - the last thread with a koid; NULL if none was seen */
struct sched_thread *sched_model_thread(struct sched_model *m, uint64_t koid);

/**
 * sched_model_thread_at() - the thread that had a koid at a time, by the records so far
 * @ns: the time, which may be later than the events so far
 *
 * Return: NULL if none was seen.
 */
struct sched_thread *sched_model_thread_at(struct sched_model *m, uint64_t koid,
					   uint64_t ns);

/**
 * sched_model_ksoftirqd() - at the end: ksoftirqd of each CPU, to prove who raised a soft interrupt
 *
 * A soft interrupt runs on the CPU that raised it: at once, or in ksoftirqd of the CPU. So a proof
 * needs all runs and interrupts.
 *
 * Return: by CPU: 1 + id of the thread, 0 if it is unknown which thread that is; the array is the
 * model's. NULL if nothing can be proven, as runs or interrupts were not recorded.
 */
const uint32_t *sched_model_ksoftirqd(struct sched_model *m);

/**
 * sched_model_is_rt() - does the name of a thread show that the kernel is PREEMPT_RT?
 *
 * There a thread serves soft interrupts when it enables them again, and may be preempted before.
 */
bool sched_model_is_rt(const struct sched_model *m);

/** sched_model_has_cpu() - does the archive mention this CPU, even if only in a ledger? */
bool sched_model_has_cpu(const struct sched_model *m, uint16_t cpu);

/** sched_model_threads() - all threads, by id; the array is the model's */
struct sched_thread *const *sched_model_threads(struct sched_model *m, size_t *count);
struct sched_process *const *sched_model_processes(struct sched_model *m, size_t *count);

/** sched_model_symbols() - the symbols for stacks; for callers with a @moment callback */
struct sched_symbols *sched_model_symbols(struct sched_model *m);

/** sched_model_origins() - all origins of events, by id; the array is the model's */
struct sched_origin *const *sched_model_origins(struct sched_model *m, size_t *count);

#endif /* FXT_SCHED_MODEL_H */
