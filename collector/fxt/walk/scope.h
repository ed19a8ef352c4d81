/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scope.h - which threads a command is about.
 *
 * In: what the user selects, and all threads of an archive, at its end.
 * Out: the threads that match: those of the recorded command, if any of these match, else those of
 * the machine. An id always selects from the machine.
 */
#ifndef FXT_WALK_SCOPE_H
#define FXT_WALK_SCOPE_H

#include "liboutput/out.h"
#include "filter.h"
#include "sched/model.h"
#include "terminal/exit_status.h"

struct scope {
	const struct filter *asked;	/* with @is_all, the recorded command does not matter */
	uint64_t command;	/* koid, if only the recorded command and what it started; else 0 */
	const char *name;	/* of the command, or "?" */
	bool is_timed;		/* it only limited the time: sched_is_timer() */
	struct sched_model *model;	/* from scope_find() */
};

static inline bool scope_is_asked(const struct scope *s)
{
	return filter_selects_threads(s->asked);
}

/* Are only some threads of the machine meant? */
static inline bool scope_is_part(const struct scope *s)
{
	return s->command || scope_is_asked(s);
}

/*
 * Does the scope have a recorded command? @m: after sched_model_finish(); @span: ns, of the
 * recording;
 * @run: ns that a thread ran, or any value from @span on
 */
void scope_find(struct scope *s, struct sched_model *m, uint64_t span,
		uint64_t (*run)(const void *arg, const struct sched_thread *t, uint64_t span),
		const void *arg);

/* Partly: in a part of its time. */
enum scope_match { SCOPE_NO, SCOPE_MAYBE, SCOPE_PARTLY, SCOPE_YES };

/* Is a thread meant, as far as the archive has its process, name and cgroup? */
enum scope_match scope_match(const struct scope *s, const struct sched_thread *t);

static inline bool scope_has(const struct scope *s, const struct sched_thread *t)
{
	return scope_match(s, t) >= SCOPE_PARTLY;
}

/*
 * Path of a thread's cgroup, "" if unknown. A short-lived process, whose cgroup nobody read, has
 * that of its parent.
 */
const char *scope_cgroup(const struct sched_thread *t);

/* Print the scope as a line. @threads: number of its threads */
void scope_print(struct out *o, const struct scope *s, uint64_t threads);

struct json;

/* Print the recorded command as member "command", or null. */
void scope_print_json(struct json *j, const struct scope *s, uint64_t threads);

/* Report that no thread of the scope was active. Returns VERB_NOTHING. */
int scope_is_empty(const struct scope *s, const char *path);

#endif /* FXT_WALK_SCOPE_H */
