// SPDX-License-Identifier: GPL-2.0-or-later
/* scope.c - see scope.h. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "scope.h"
#include "liboutput/json.h"
#include "terminal/message.h"

const char *scope_cgroup(const struct sched_thread *t)
{
	const char *cgroup = sched_cgroup_at(t, UINT64_MAX);

	return cgroup ? cgroup : "";
}

static enum scope_match least(enum scope_match a, enum scope_match b)
{
	return a < b ? a : b;
}

/* Is its process, or an ancestor of that, selected? */
static bool is_of_tree(const struct filter *f, const struct sched_process *p)
{
	unsigned int i;

	for (i = 0; p && i < SCHED_GENERATIONS; i++, p = p->parent)
		if (f->by_comm ? fxt_glob_match(&f->comm, p->name) :
				 filter_has_id(&f->pids, p->koid))
			return true;
	return false;
}

static enum scope_match cgroup_match(const struct sched_thread *t, const char *path)
{
	unsigned int match = sched_cgroup_match(t, path);

	if (match & SCHED_CGROUP_IN)
		return match == SCHED_CGROUP_IN ? SCOPE_YES : SCOPE_PARTLY;
	return match & SCHED_CGROUP_UNKNOWN ? SCOPE_MAYBE : SCOPE_NO;
}

static enum scope_match filter_match(const struct filter *f, const struct sched_thread *t)
{
	enum scope_match m = SCOPE_YES;

	if (f->has_trees)
		return is_of_tree(f, t->owner) ? SCOPE_YES : SCOPE_NO;
	if (f->tids.count && !filter_has_id(&f->tids, t->koid))
		return SCOPE_NO;
	if (f->pids.count && !filter_has_id(&f->pids, t->process))
		m = t->process ? SCOPE_NO : SCOPE_MAYBE;
	if (f->by_comm && !fxt_glob_match(&f->comm, t->name))
		m = least(m, t->named ? SCOPE_NO : SCOPE_MAYBE);
	return f->cgroup ? least(m, cgroup_match(t, f->cgroup)) : m;
}

/* A thread whose process is unknown may be one of the command. */
static enum scope_match command_match(const struct scope *s, const struct sched_thread *t)
{
	if (!s->command || sched_is_started_by(t->owner, s->command))
		return SCOPE_YES;
	return t->owner ? SCOPE_NO : SCOPE_MAYBE;
}

enum scope_match scope_match(const struct scope *s, const struct sched_thread *t)
{
	return least(command_match(s, t), filter_match(s->asked, t));
}

void scope_find(struct scope *s, struct sched_model *m, uint64_t span,
		uint64_t (*run)(const void *arg, const struct sched_thread *t, uint64_t span),
		const void *arg)
{
	const struct sched_thread *first = NULL, *leader;
	uint64_t active = 0, matches = 0;
	struct sched_thread *const *threads;
	size_t count, i;

	s->command = 0;
	s->model = m;
	/* An id means one thread or process, whatever the command was. */
	if (s->asked->is_all || s->asked->pids.count || s->asked->tids.count ||
	    !sched_model_totals(m)->command)
		return;
	threads = sched_model_threads(m, &count);
	s->command = sched_model_totals(m)->command;
	for (i = 0; i < count; i++) {
		if (!threads[i]->last_event || threads[i]->same ||
		    !sched_is_started_by(threads[i]->owner, s->command))
			continue;
		first = first ? first : threads[i];
		active++;
		matches += scope_has(s, threads[i]);
	}
	s->is_timed = active == 1 && sched_is_timer(active, run(arg, first, span), span);
	if (!matches || s->is_timed)
		s->command = 0;
	leader = sched_model_thread(m, sched_model_totals(m)->command);
	s->name = leader && *leader->name ? leader->name : "?";
}

/* --- in words ---------------------------------------------------------------------------- */

/* What a filter selects, as in "threads named x in cgroup /y". */
struct words {
	char text[1024];
	size_t length;
};

static __attribute__((format(printf, 2, 3))) void add(struct words *w, const char *format, ...)
{
	size_t room = sizeof(w->text) - w->length;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(w->text + w->length, room, format, args);
	va_end(args);
	w->length += length < (int)room ? (size_t)length : room - 1;
}

static void add_ids(struct words *w, const char *what, const struct filter_ids *ids)
{
	size_t i;

	for (i = 0; i < ids->count; i++)
		add(w, "%s%" PRIu64, i ? "," : what, ids->ids[i]);
}

static void add_filter(struct words *w, const struct filter *f)
{
	add_ids(w, " of process ", &f->pids);
	add_ids(w, " of id ", &f->tids);
	if (f->by_comm)
		add(w, f->has_trees ? " of program %s" : " named %s", f->comm_text);
	if (f->has_trees)
		add(w, " and what it started");
	if (f->cgroup)
		add(w, " in cgroup %s", f->cgroup);
}

void scope_print(struct out *o, const struct scope *s, uint64_t threads)
{
	struct words w = { 0 };

	add_filter(&w, s->asked);
	out_printf(o, "scope: %s", w.length ? "threads" :
		   s->is_timed ? "the command hardly ran: the whole machine" :
		   s->command ? "" : "the whole machine");
	out_safe(o, w.text, w.length);
	if (s->command) {
		out_str(o, w.length ? ", of command " : "command ");
		out_safe_text(o, s->name);
		out_printf(o, "/%" PRIu64 " and what it started", s->command);
	}
	out_printf(o, ": %" PRIu64 " thread%s%s\n", threads, threads == 1 ? "" : "s",
		   s->command ? " (for all threads: --all)" : "");
}

void scope_print_json(struct json *j, const struct scope *s, uint64_t threads)
{
	if (!s->command) {
		json_null(j, "command");
		return;
	}
	json_object(j, "command");
	json_number(j, "pid", s->command);
	json_text(j, "name", s->name);
	json_number(j, "threads", threads);
	json_end(j, '}');
}

/* The thread name most like the one asked for, or NULL. */
static const char *like(const struct scope *s)
{
	struct fxt_suggestion suggestion = { .word = s->asked->comm_text };
	struct sched_thread *const *threads;
	size_t count, i;

	threads = sched_model_threads(s->model, &count);
	for (i = 0; i < count; i++)
		fxt_suggest(&suggestion, threads[i]->name);
	return suggestion.best && strcmp(suggestion.best, suggestion.word) ? suggestion.best : NULL;
}

int scope_is_empty(const struct scope *s, const char *path)
{
	const char *best = s->asked->by_comm ? like(s) : NULL;
	struct words w = { 0 };

	add_filter(&w, s->asked);
	message("fxt: %s: no thread%s was active in that time%s%s%s; run fxt report --all to list the threads\n",
		path, w.text, best ? " (did you mean " : "", best ? best : "", best ? "?)" : "");
	return VERB_NOTHING;
}
