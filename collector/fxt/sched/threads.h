/* SPDX-License-Identifier: GPL-2.0-or-later */
/* threads.h - threads and processes by koid, their names, and their time in each state. */
#ifndef FXT_SCHED_THREADS_H
#define FXT_SCHED_THREADS_H

#include "data.h"

void sched_threads_close(struct sched_threads *t);

/* Find or create a thread. */
struct sched_thread *sched_thread_slow(struct sched_threads *t, uint64_t koid);

/* The last thread with a koid; NULL if none was seen. */
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

/* Does the thread run on this CPU, as far as known? */
static inline bool sched_runs_on(const struct sched_thread *t, uint16_t cpu)
{
	return t->state == SCHED_RUNNING && t->cpu == cpu;
}

/* Record that an event named a thread. */
static inline void sched_touch(struct sched_thread *t, const struct sched_event *e)
{
	if (unlikely(!t->last_offset)) {
		t->first_offset = e->offset;
		t->begin = t->is_forked ? t->begin : e->time;
	}
	t->last_event = e->time;
	t->last_offset = e->offset;
}

/* --- one id after the other -------------------------------------------------------------- */

/* Take a kernel object record. */
void sched_add_name(struct sched_model *m, const struct fxt_record *rec,
		    const struct fxt_content *c);

/* Apply the names up to a time. */
void sched_names_due(struct sched_model *m, uint64_t ns) __attribute__((cold));

/* Begin a new thread with the id of @t, which is dead. The koid refers to it from now on. */
struct sched_thread *sched_life_again(struct sched_model *m, struct sched_thread *t)
	__attribute__((cold));

/* The thread that had the koid of @t at a time; @t is the last one with it. */
struct sched_thread *sched_life_at(struct sched_thread *t, uint64_t ns);

/* See sched_model_thread_at(). */
struct sched_thread *sched_life_find(struct sched_model *m, uint64_t koid, uint64_t ns);

/* A thread has its CPU, perhaps after the birth of the next. Returns @t. */
struct sched_thread *sched_life_stays(struct sched_model *m, struct sched_thread *t)
	__attribute__((cold));

/* A dead thread has left its CPU; it may have a successor. */
void sched_life_left(struct sched_model *m, struct sched_thread *t)
	__attribute__((cold));

/* There are no more records. */
void sched_names_end(struct sched_model *m);

/* Finish the names, after all events. */
void sched_lives_finish(struct sched_model *m);
void sched_lives_close(struct sched_model *m);

/* Find the parent of each process, when all names are known. */
void sched_parents_finish(struct sched_model *m);

/* --- two threads with one id at once ----------------------------------------------------- */

/*
 * Which of two threads with one id is switched in by @e, the first event of @s? @t: the successor,
 * which overlaps with the earlier one
 */
struct sched_thread *sched_reuse_in(const struct sched_model *m, const struct sched_stream *s,
				    const struct sched_event *e, struct sched_thread *t)
	__attribute__((cold));

/*
 * Does the earlier thread leave its CPU, rather than its successor @t? @current: the thread that
 * was switched in on this CPU; NULL: unknown
 */
bool sched_reuse_out(const struct sched_thread *t, const struct sched_thread *current,
		     const struct sched_event *e)
	__attribute__((cold));

/*
 * Handle the death of @t, the successor, or of the earlier thread. If both were runnable there, no
 * event distinguishes them; then the earlier one dies, because it has only its last switch left.
 */
struct sched_thread *sched_reuse_dies(struct sched_thread *t) __attribute__((cold));

/* Handle a switch from @t to itself. Returns the incoming thread. */
struct sched_thread *sched_follow_itself(struct sched_model *m, const struct sched_event *e,
					 struct sched_thread *t)
	__attribute__((cold));

/* Report a switch from a thread to itself. */
void sched_report_itself(struct sched_model *m, const struct sched_event *e)
	__attribute__((cold));

/* --- spans: the time that a thread spent in one state; only if ops->span is set ---------- */

/* End a thread's last state now. */
void sched_span_end(struct sched_model *m, struct sched_thread *t);

/*
 * End a thread's state now and begin another. @end: of a running thread, the state in which it
 * leaves its CPU
 */
void sched_span_next(struct sched_model *m, struct sched_thread *t, char end,
		     char state, uint16_t cpu);

/* Likewise for the idle thread that ran on a CPU until now. */
void sched_span_idle(struct sched_model *m, const struct sched_cpu *cpu, char end);

void sched_spans_finish(struct sched_model *m);

#endif /* FXT_SCHED_THREADS_H */
