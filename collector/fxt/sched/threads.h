/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads.h - threads and processes by koid.
 */
#ifndef FXT_SCHED_THREADS_H
#define FXT_SCHED_THREADS_H

#include "data.h"

int sched_threads_open(struct sched_threads *t);
void sched_threads_close(struct sched_threads *t);

/* Find or create a thread or process by koid; NULL: no memory. */
struct sched_thread *sched_thread_slow(struct sched_threads *t, uint64_t koid);
struct sched_process *sched_process_get(struct sched_threads *t, uint64_t koid);
struct sched_process *sched_process_find(const struct sched_threads *t, uint64_t koid);
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

/* Create another thread with a known koid; it is found by it only after sched_thread_put(). */
struct sched_thread *sched_thread_another(struct sched_threads *t, uint64_t koid);
void sched_thread_put(struct sched_threads *t, struct sched_thread *thread);

/* Create another process with a known koid; it is found by it from now on. */
struct sched_process *sched_process_another(struct sched_threads *t, uint64_t koid);

/** sched_runs_on() - does the thread run on this CPU, as far as known? */
static inline bool sched_runs_on(const struct sched_thread *t, uint16_t cpu)
{
	return t->state == SCHED_RUNNING && t->cpu == cpu;
}

/** sched_touch() - note that this event named a thread */
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

#endif /* FXT_SCHED_THREADS_H */
