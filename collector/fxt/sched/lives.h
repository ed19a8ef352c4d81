/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lives.h - threads that have one id after the other.
 *
 * In: kernel object records, and threads that do something after they have died.
 * Out: the right thread, with its name.
 */
#ifndef FXT_SCHED_LIVES_H
#define FXT_SCHED_LIVES_H

#include "data.h"

/** sched_take_name() - take a kernel object record. Return: 0 or -ENOMEM */
int sched_take_name(struct sched_model *m, const struct fxt_record *rec,
		    const struct fxt_content *c);

/** sched_names_due() - apply the names up to a time */
void sched_names_due(struct sched_model *m, uint64_t ns) __attribute__((cold));

/**
 * sched_life_again() - begin the next life of a dead thread's id
 * @m: the model
 * @t: the dead thread
 *
 * Return: the new thread, found by the koid from now on; NULL: m->error.
 */
struct sched_thread *sched_life_again(struct sched_model *m, struct sched_thread *t)
	__attribute__((cold));

/** sched_life_at() - the thread that had the koid of @t, the last one, at a time */
struct sched_thread *sched_life_at(struct sched_thread *t, uint64_t ns);

/** sched_life_find() - the thread that had a koid at a time, see sched_model_thread_at() */
struct sched_thread *sched_life_find(struct sched_model *m, uint64_t koid, uint64_t ns);

/** sched_life_left() - a thread that is dead has left its CPU, and may have a successor */
void sched_life_left(struct sched_model *m, struct sched_thread *t)
	__attribute__((cold));

/** sched_names_end() - no more records come. Return: 0 or -ENOMEM */
int sched_names_end(struct sched_model *m);

/** sched_lives_finish() - finish the names, after all events were applied */
void sched_lives_finish(struct sched_model *m);
void sched_lives_close(struct sched_model *m);

#endif /* FXT_SCHED_LIVES_H */
