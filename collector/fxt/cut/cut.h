/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cut.h - a part of an archive, as an archive of its own.
 *
 * command.c reads the command line and walks over the archive four times: to learn the processes of
 * threads (cut_learn()), to find what the part needs (cut_survey()), to write the head, mostly
 * names (cut_head()), and to write the records (cut_body()). survey.c has the first two walks,
 * write.c the others. edges.c finds out which thread has each CPU, before.c what threads did before
 * the part, slices.c which slices overlap it. choose.c decides which records are in the part, and
 * hide.c which of their fields it hides.
 */
#ifndef FXT_CUT_H
#define FXT_CUT_H

#include "libfxt/map.h"
#include "walk/io.h"
#include "walk/filter.h"
#include "walk/operations.h"
#include "write/pack.h"
#include "rewrite/streams.h"
#include "sched/kernel_event.h"

#define CUT_SEEN	(1U << 22)	/* Linux has no larger ids */

#define CUT_RECENT	256

struct cut_before;

/** struct slices - open slices, and the records of slices that overlap the part */
struct slices {
	struct map open;		/* threads that have open slices */
	struct operations operations;
	struct nest_user operation_user;
	/* Numbers of records of slices that overlap the part; sorted after cut_slices_finish(). */
	uint64_t *kept;
	size_t kept_count;
	size_t next;			/* the first of @kept that the walk has not reached */
};

/** struct cut - one part */
struct cut {
	struct io io;
	/* From the command line; knows the processes of all threads in the archive. */
	struct filter filter;
	uint64_t first;			/* ns, the earliest time stamp so far */
	uint64_t begun;	/* ns, of the first ledger of a CPU, UINT64_MAX without any */
	uint64_t last;	/* ns, of the last switch, wakeup or mark, or of the last closing ledger */
	uint64_t from;			/* ns, 0 without a lower limit */
	uint64_t to;			/* ns, UINT64_MAX without an upper limit */
	struct slices slices;
	/* By key of cut_counter(): number of the last record before the range. */
	struct koids counters;
	bool has_records;		/* some record is in the range */
	bool has_cpus;			/* the archive has switches or wakeups */
	/* Koids of threads that occur in the part; @processes likewise, and their parents. */
	struct koids threads;
	uint64_t seen[CUT_SEEN / 64];	/* those below CUT_SEEN, whose process is known, too */
	struct fxt_thread_id recent[CUT_RECENT];	/* see cut_is_recent() */
	struct koids processes;
	struct koids parents;		/* by process: its first known parent */
	struct koids mapped;	/* koids of processes whose frames may be in stacks of the part */
	struct koids wakings;	/* numbers of wakers' stacks whose woken thread is not selected */
	/* In the second walk, of the last stack of this stream: thread (0: none), record, process. */
	uint64_t woken;
	uint64_t woken_stack;
	uint64_t woken_process;
	/* Numbers of wakers' stacks whose woken thread still waits when the range begins. */
	struct koids carried;
	bool has_ledgers;		/* the archive is from our producers */
	bool hides_threads;		/* the recording has a filter by threads */
	bool lacks_weights;
	struct cut_runs *runs_of;	/* by CPU: which thread has it */
	/* What threads did last before the range; NULL if not needed. */
	struct cut_before *before;
	bool has_session;		/* the head already has the description of the recording */
	struct fxt_provider first_provider;
	char first_name[FXT_MAX_PROVIDER_NAME + 1];
	struct stream *stream;	/* the stream of the records after the last ledger, or NULL */
	bool shown[1 << 16];		/* by CPU: the part shows which thread runs on it */
	bool runs[1 << 16];		/* by CPU: a thread of a selected process runs on it */
	struct rewrite f;
	struct providers p;
	struct streams st;
	/* Records that the filter selects; the others are there because these need them. */
	uint64_t kept;
};

/** struct cut_runs - the threads that have one CPU */
struct cut_runs {
	struct streams_mark begin;	/* a mark for the start of the range */
	struct streams_mark end;		/* for its end; kind 0 if unknown */
	struct fxt_owner has;		/* the thread that has the CPU now */
	uint64_t since;			/* ticks, when it got the CPU */
	uint64_t opened;		/* ticks, start of its records, with @has_opened */
	uint64_t stopped;		/* ns, of its closing ledger; 0 before */
	bool has_opened;		/* there was a ledger */
	bool is_offline;		/* the CPU is offline */
	bool has_begun;			/* a switch, a mark or a loss was seen */
	bool has_from;			/* the start of the range has passed */
	bool has_to;			/* its end has */
};

/* --- the walks; @arg is the struct cut ------------------------------------------ */

int cut_learn(void *arg, struct fxt_reader *r, const struct fxt_record *rec);
int cut_survey(void *arg, struct fxt_reader *r, const struct fxt_record *rec);
int cut_head(void *arg, struct fxt_reader *r, const struct fxt_record *rec);
int cut_body(void *arg, struct fxt_reader *r, const struct fxt_record *rec);

/* The same for hot records. If threads or CPUs are selected, the second and the last see none. */
size_t cut_learn_hot(void *arg, const struct fxt_provider *provider,
		     const struct fxt_hot_run *run);
size_t cut_survey_hot(void *arg, const struct fxt_provider *provider,
		      const struct fxt_hot_run *run);
size_t cut_body_hot(void *arg, const struct fxt_provider *provider, const struct fxt_hot_run *run);

/** cut_limits() - set the range, after the first walk */
void cut_limits(struct cut *c);

/** cut_head_finish() - write the description of the recording, if that is still due */
void cut_head_finish(struct cut *c);

/* --- choose.c ---------------------------------------------------------------------- */

/** cut_is_scheduling() - is this kind a switch or a wakeup? */
bool cut_is_scheduling(enum fxt_kind kind);

/** cut_in_time() - is a record that has a time in the range? */
bool cut_in_time(const struct cut *c, const struct fxt_record *rec, uint64_t ticks);

/** cut_is_of() - is a record that has a time selected by processes and CPUs? */
bool cut_is_of(const struct cut *c, const struct fxt_record *rec,
	       const struct fxt_content *content);

/**
 * cut_carries() - does a record from before the range still hold in it? A counter is written when
 * it changes, so its last value before the range holds. So does the waker's stack of a thread that
 * still waits for a CPU.
 */
bool cut_carries(const struct cut *c, const struct fxt_record *rec,
		 const struct fxt_content *content);

/** cut_occurs() - a thread occurs in the part; @process: 0: of the thread at @ticks */
void cut_occurs(struct cut *c, uint64_t process, uint64_t thread, uint64_t ticks);

/**
 * cut_is_recent() - was this pair the last one at its place of the cache? Events repeat their
 * threads, so most need not be noted again.
 */
bool cut_is_recent(struct cut *c, uint64_t process, uint64_t thread);

/** cut_ticks() - the first tick at or after a time in ns */
uint64_t cut_ticks(uint64_t ns, uint64_t rate);

/**
 * cut_range() - get the range in the ticks of a provider. If the range begins before all streams,
 * nothing is cut there, and @from is 0.
 */
struct streams_range cut_range(const struct cut *c, const struct fxt_provider *provider);

/** cut_event_run() - remember which thread runs after a switch; ignores other records */
void cut_event_run(struct cut *c, const struct fxt_content *content);

/** cut_event_wakes() - in the second walk, find the wakers' stacks of selected threads */
void cut_event_wakes(struct cut *c, const struct fxt_record *rec,
		     const struct fxt_content *content);

/**
 * cut_counter() - is a record a counter whose value holds until the next one? @key: its identity
 */
bool cut_counter(const struct fxt_provider *provider, const struct fxt_content *content,
		 uint64_t *key);

/* --- hide.c ------------------------------------------------------------------------ */

/** cut_ends_run() - is a record the switch that ends a run whose beginning is in the part? */
bool cut_ends_run(const struct cut *c, const struct fxt_content *content);

/** cut_hide() - hide the fields of a record that are about threads not selected */
void cut_hide(struct cut *c, struct fxt_content *content);

/* --- edges.c ----------------------------------------------------------------------- */

/** cut_edges_open() - prepare the second walk, and the streams of the part */
void cut_edges_open(struct cut *c);
void cut_edges_close(struct cut *c);

/** cut_edges_ledger() - in the second walk, note when a stream begins and ends */
void cut_edges_ledger(struct cut *c, const struct fxt_record *rec,
		      const struct fxt_content *content);

/** cut_edges_note() - in the second walk, find the threads that have CPUs in the range */
void cut_edges_note(struct cut *c, const struct fxt_record *rec,
		    const struct fxt_content *content);

/** cut_edges_switch() - likewise, for a switch that is not FXT_STR_LOST */
void cut_edges_switch(struct cut *c, const struct fxt_provider *provider,
		      const struct fxt_switch *sw);

/* --- before.c --------------------------------------------------------------------- */

/** cut_before_open() - prepare the second walk, if threads did anything before the range */
void cut_before_open(struct cut *c);

/** cut_before_note() - in the second walk, feed any record. Return: 0 or a negative errno */
int cut_before_note(struct cut *c, struct fxt_reader *r, const struct fxt_record *rec);

/** cut_before_hot() - feed hot records. Return: how many; pass the next one to cut_before_note() */
size_t cut_before_hot(struct cut *c, const struct fxt_hot_run *run);

/** cut_before_waking() - in the second walk, feed a wakeup that follows its waker's stack */
void cut_before_waking(struct cut *c, const struct fxt_record *rec,
		       const struct fxt_content *content);

/** cut_before_finish() - end the second walk: note the threads for the head. Return: 0 or -errno */
int cut_before_finish(struct cut *c);

/** cut_before_write() - write what threads did before, in the head */
void cut_before_write(struct cut *c);
void cut_before_close(struct cut *c);

/* --- slices.c --------------------------------------------------------------------- */

/**
 * cut_slices_note() - feed an event of a selected process, which may begin or end a slice. Return:
 * does it end a slice that overlaps the range?
 */
bool cut_slices_note(struct cut *c, const struct fxt_record *rec,
		     const struct fxt_content *content);

/** cut_slices_begin() - before the first event */
void cut_slices_begin(struct cut *c);

/** cut_slices_finish() - extend open slices to the end of the archive */
void cut_slices_finish(struct cut *c);

/** cut_slices_keep() - in a later walk: does this record belong to a slice that overlaps the part? */
bool cut_slices_keep(struct slices *s, uint64_t number);

void cut_slices_free(struct slices *s);

#endif /* FXT_CUT_H */
