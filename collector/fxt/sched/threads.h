/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads.h - threads and processes by koid, their names, and their time in each state.
 */
#ifndef FXT_SCHED_THREADS_H
#define FXT_SCHED_THREADS_H

#include "data.h"

void sched_threads_close(struct sched_threads *t);

/* Find or create a thread by koid. */
struct sched_thread *sched_thread_slow(struct sched_threads *t, uint64_t koid);

/** sched_thread_find() - the last thread with a koid; NULL if none was seen */
struct sched_thread *sched_thread_find(const struct sched_threads *t, uint64_t koid);

static inline struct sched_thread *sched_thread_get(struct sched_threads *t,
						    uint64_t koid)
{
	struct sched_thread **page, *thread;

	if (koid >> 22)
		return sched_thread_slow(t, koid);
	page = t->pages[koid >> 10];
	thread = page ? page[koid & 1023] : NULL;
	return thread ? thread : sched_thread_slow(t, koid);
}

/** sched_runs_on() - does the thread run on this CPU, as far as known? */
static inline bool sched_runs_on(const struct sched_thread *t, uint16_t cpu)
{
	return t->state == SCHED_RUNNING && t->cpu == cpu;
}

/** sched_touch() - record that an event named a thread */
static inline void sched_touch(struct sched_thread *t, const struct sched_event *e)
{
	if (unlikely(!t->last_offset)) {
		t->first_offset = e->offset;
		t->begin = t->is_forked ? t->begin : e->time;
	}
	t->last_event = e->time;
	t->last_offset = e->offset;
}

/** sched_set_name() - copy a name, truncated between characters of UTF-8, never within one */
void sched_set_name(char *name, size_t size, const struct fxt_text *text);

/* --- one id after the other -------------------------------------------------------------- */

/** sched_add_name() - take a kernel object record */
void sched_add_name(struct sched_model *m, const struct fxt_record *rec,
		    const struct fxt_content *c);

/** sched_names_due() - apply the names up to a time */
void sched_names_due(struct sched_model *m, uint64_t ns) __attribute__((cold));

/**
 * sched_life_again() - begin a new thread with the id of @t, which is dead
 *
 * Return: the new thread, to which the koid refers from now on.
 */
struct sched_thread *sched_life_again(struct sched_model *m, struct sched_thread *t)
	__attribute__((cold));

/** sched_life_at() - the thread that had the koid of @t at a time; @t is the last one with it */
struct sched_thread *sched_life_at(struct sched_thread *t, uint64_t ns);

/** sched_life_find() - the thread that had a koid at a time, see sched_model_thread_at() */
struct sched_thread *sched_life_find(struct sched_model *m, uint64_t koid, uint64_t ns);

/** sched_life_stays() - a thread has its CPU, maybe after the birth of the next. Return: @t */
struct sched_thread *sched_life_stays(struct sched_model *m, struct sched_thread *t)
	__attribute__((cold));

/** sched_life_left() - note that a dead thread has left its CPU; it may have a successor */
void sched_life_left(struct sched_model *m, struct sched_thread *t)
	__attribute__((cold));

/** sched_names_end() - note that there are no more records */
void sched_names_end(struct sched_model *m);

/** sched_lives_finish() - finish the names, after all events were applied */
void sched_lives_finish(struct sched_model *m);
void sched_lives_close(struct sched_model *m);

/** sched_parents_finish() - find the parent of each process, when all names are known */
void sched_parents_finish(struct sched_model *m);

/* --- two threads with one id at once ----------------------------------------------------- */

/**
 * sched_reuse_in() - which of two threads with one id is switched in?
 * @s: the stream whose first event is @e, the switch
 * @t: the successor, which overlaps with the earlier one
 */
struct sched_thread *sched_reuse_in(const struct sched_model *m, const struct sched_stream *s,
				    const struct sched_event *e, struct sched_thread *t)
	__attribute__((cold));

/**
 * sched_reuse_out() - does the earlier thread leave its CPU, rather than its successor @t?
 * @t: the thread that the id refers to
 * @current: the thread that was switched in on this CPU; NULL: unknown
 */
bool sched_reuse_out(const struct sched_thread *t, const struct sched_thread *current,
		     const struct sched_event *e)
	__attribute__((cold));

/**
 * sched_reuse_dies() - handle the death of @t, the successor, or of the earlier thread
 *
 * If both were runnable there, no event distinguishes them. Then the earlier one dies, because it
 * has only its last switch left.
 */
struct sched_thread *sched_reuse_dies(struct sched_thread *t) __attribute__((cold));

/** sched_follow_itself() - handle a switch from @t to itself. Return: what is switched in */
struct sched_thread *sched_follow_itself(struct sched_model *m, const struct sched_event *e,
					 struct sched_thread *t)
	__attribute__((cold));

/** sched_report_itself() - report a switch from a thread to itself */
void sched_report_itself(struct sched_model *m, const struct sched_event *e)
	__attribute__((cold));

/* --- spans: the time that a thread spent in one state; only if ops->span is set ---------- */

/** sched_span_end() - end a thread's last state now */
void sched_span_end(struct sched_model *m, struct sched_thread *t);

/**
 * sched_span_next() - end a thread's state now and begin another
 * @end: of a running thread: the state in which it leaves its CPU
 */
void sched_span_next(struct sched_model *m, struct sched_thread *t, char end,
		     char state, uint16_t cpu);

/** sched_span_idle() - likewise for the idle thread that ran on a CPU until now */
void sched_span_idle(struct sched_model *m, const struct sched_cpu *cpu, char end);

void sched_spans_finish(struct sched_model *m);

#endif /* FXT_SCHED_THREADS_H */
