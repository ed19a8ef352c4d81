// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * registry.c - the table of tasks; see registry.h and names.h.
 *
 * The name of a process is that of its main thread, because both records of fxt_sched_put_task()
 * come together: one entry per id serves both.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "registry.h"

/* --- the table -------------------------------------------------------------------- */

struct task *names_find(const struct names *n, uint32_t id)
{
	struct task *t;

	return map_find(&n->tasks, map_hash(id, 0), t, t->id == id);
}

/* Only the id is set. Return: NULL without memory */
static struct task *add_task(struct names *n, uint32_t id)
{
	struct task *t;

	if (map_new(&n->tasks, map_hash(id, 0), t))
		t->id = id;
	return t;
}

void names_drop(struct names *n, struct task *t)
{
	if (n->found == t)
		n->found = t->node.older ? map_entry(t->node.older, struct task, node) : NULL;
	map_remove(&n->tasks, &t->node);
	free(t->cgroup);
	free(t);
}

int names_open(struct names **n, const struct names_options *o)
{
	struct names *new = calloc(1, sizeof(*new));

	*n = new;
	if (!new)
		return -ENOMEM;
	new->options = *o;
	new->proc = "/proc";
	return 0;
}

void names_read_by(struct names *n, struct texts *texts)
{
	n->texts = texts;
}

void names_close(struct names *n)
{
	if (!n)
		return;
	while (names_first(n))
		names_drop(n, names_first(n));
	map_free(&n->tasks);
	free(n);
}

/* --- records ---------------------------------------------------------------------- */

/* As fxt_sched_add_sight() wrote it. */
static void parse_sight(const uint64_t *rec, struct fxt_sched_sight *sight)
{
	*sight = (struct fxt_sched_sight){
		.time = rec[4], .cpu = fxt_get(FXT_ARG_VALUE_32, rec[2]), .letter = rec[1],
	};
}

static bool parse_args(const uint64_t *rec, uint64_t words, struct task *t,
		       struct fxt_sched_event *event)
{
	uint64_t skip;

	if (words < 2 || rec[0] != fxt_arg_koid(2, FXT_STR_PROCESS) || rec[1] > UINT32_MAX)
		return false;
	t->process = rec[1];
	rec += 2;
	words -= 2;
	if (words >= 2 && rec[0] == fxt_arg_koid(2, FXT_STR_PARENT)) {
		t->parent = rec[1] <= UINT32_MAX ? rec[1] : 0;
		rec += 2;
		words -= 2;
	}
	/* decode_cgroup() reads it. */
	if (words && fxt_get(FXT_ARG_NAME, rec[0]) == FXT_STR_CGROUP) {
		skip = fxt_get(FXT_SIZE, rec[0]);
		if (!skip || skip > words)
			return false;
		rec += skip;
		words -= skip;
	}
	if (words < 2)
		return true;
	if (words == FXT_SCHED_SIGHT_WORDS &&
	    rec[0] == fxt_arg_string(2, FXT_STR_STATE, fxt_string_ref_inline(1))) {
		parse_sight(rec, &t->sight);
		return true;
	}
	if (rec[0] == fxt_arg_uint64(2, FXT_STR_FORK))
		event->what = FXT_STR_FORK;
	else if (rec[0] == fxt_arg_uint64(2, FXT_STR_EXEC))
		event->what = FXT_STR_EXEC;
	else if (rec[0] == fxt_arg_uint64(2, FXT_STR_RENAME))
		event->what = FXT_STR_RENAME;
	event->time = rec[1];
	return true;
}

/* All threads of a process are in its cgroup, or have ended. */
static void rejoin(struct names *n, struct task *main)
{
	struct task *t;

	for (t = main->has_apart ? names_first(n) : NULL; t; t = names_next(t)) {
		if (t->process != main->id || !t->is_apart)
			continue;
		t->is_apart = false;
		free(t->cgroup);
		t->cgroup = NULL;
	}
	main->has_apart = false;
}

/* Only the main thread moved: other threads of its process stay where it was, known or not. */
static int leave(struct names *n, const struct task *main)
{
	struct task *t;

	for (t = names_first(n); t; t = names_next(t)) {
		if (t == main || t->process != main->id || t->is_apart)
			continue;
		t->is_apart = true;
		if (!main->cgroup)
			continue;
		t->cgroup = strdup(main->cgroup);
		if (!t->cgroup)
			return -ENOMEM;
		t->cgroup_written = main->cgroup_written;
	}
	return 0;
}

/* The argument with the cgroup: in the record of a process the first, else after koids. */
static uint64_t find_cgroup(const uint64_t *rec, uint64_t size)
{
	uint64_t words = 2 + fxt_stream_words(fxt_get(FXT_STRING_REF_LENGTH,
						      fxt_get(FXT_KERNEL_OBJECT_NAME, rec[0])));

	while (words + 2 < size && fxt_get(FXT_ARG_TYPE, rec[words]) == FXT_ARG_KOID)
		words += 2;
	return words < size && fxt_get(FXT_ARG_NAME, rec[words]) == FXT_STR_CGROUP ? words : 0;
}

/*
 * Take the cgroup from a record of fxt_sched_put_attach() or fxt_sched_add_apart(). A process is in
 * that of its main thread.
 */
static int decode_cgroup(struct names *n, const uint64_t *rec, uint64_t size,
			 const struct fxt_sched_event *event)
{
	uint64_t words = find_cgroup(rec, size), length, ref;
	struct task *t = words ? names_find(n, rec[1]) : NULL, *main;
	int ret = 0;

	main = t ? names_find(n, t->process) : NULL;
	if (!t)
		return 0;
	ref = fxt_get(FXT_ARG_VALUE_STRING, rec[words]);
	length = ref & FXT_STRING_REF_INLINE ? fxt_get(FXT_STRING_REF_LENGTH, ref) : 0;
	/* Another rundown does not have the path either. */
	if (length > (size - words - 1) * FXT_WORD || (t->is_apart && !event->time))
		return 0;
	if (fxt_get(FXT_KERNEL_OBJECT_TYPE, rec[0]) == FXT_OBJECT_PROCESS)
		rejoin(n, t);
	else if (main)
		main->has_apart = true;
	if (t == main && main->has_apart && event->what != FXT_STR_FORK)
		ret = leave(n, main);
	t->is_apart = t != main;
	t->is_elsewhere = true;
	free(t->cgroup);
	t->cgroup = length ? strndup((const char *)(rec + words + 1), length) : NULL;
	/* If it is unknown, it is looked up later. */
	t->cgroup_written = length;
	return length && !t->cgroup ? -ENOMEM : ret;
}

/* The thread that called execve() is the main thread now, in the cgroup where it was. */
static void forget_cgroup(struct names *n, struct task *t)
{
	if (!t->has_apart)
		return;
	rejoin(n, t);
	free(t->cgroup);
	t->cgroup = NULL;
	t->cgroup_written = false;
	t->is_elsewhere = true;
}

/* Parse a record of fxt_sched_put_task(). Return: true if it is one */
static bool parse(const uint64_t *rec, uint64_t size, struct task *t,
		  struct fxt_sched_event *event)
{
	uint64_t ref = fxt_get(FXT_KERNEL_OBJECT_NAME, rec[0]), bytes = 0, words;

	if (fxt_get(FXT_TYPE, rec[0]) != FXT_RECORD_KERNEL_OBJECT)
		return false;
	if (ref & FXT_STRING_REF_INLINE)
		bytes = fxt_get(FXT_STRING_REF_LENGTH, ref);
	else if (ref != FXT_STRING_REF_EMPTY)
		return false;
	words = 2 + fxt_stream_words(bytes);
	if (bytes >= sizeof(t->name) || size < words || rec[1] > UINT32_MAX)
		return false;
	*t = (struct task){ .id = rec[1], .process = rec[1] };
	memcpy(t->name, rec + 2, bytes);
	switch (fxt_get(FXT_KERNEL_OBJECT_TYPE, rec[0])) {
	case FXT_OBJECT_PROCESS:
		return true;
	case FXT_OBJECT_THREAD:
		return parse_args(rec + words, size - words, t, event);
	}
	return false;
}

/* Is this the fork of a thread other than @t, which may have been found since? */
static bool is_another(const struct task *t, const struct fxt_sched_event *event)
{
	return event->what == FXT_STR_FORK && (t->is_forked || event->time > t->since);
}

/*
 * @old is the former task of the id, or NULL. The first known parent stays, because an orphaned
 * process has another one.
 */
static void set_birth(struct task *t, const struct task *old,
		      const struct fxt_sched_event *event)
{
	if (old) {
		t->since = old->since;
		t->is_forked = old->is_forked;
		t->is_later = old->is_later || is_another(old, event);
		if (old->parent && !old->ended && old->process == t->process &&
		    event->what != FXT_STR_FORK)
			t->parent = old->parent;
	}
	if (event->what == FXT_STR_FORK) {
		t->since = event->time;
		t->is_forked = true;
	}
}

/* The task whose records are being parsed. */
struct renamed {
	uint32_t id;		/* 0: no records are being parsed */
	bool is_known;		/* the registry had a task of that id before these records */
	bool is_elsewhere;	/* the record of its process has a cgroup */
	/* That task; the record of its process already has the new name. */
	struct task before;
};

static void set_task(struct task *t, const struct task *new)
{
	struct map_node node = t->node;

	*t = *new;
	t->node = node;
}

/*
 * A new name or another process replaces the task of the id. So does a fork, and any record if the
 * task had ended: then the id was another thread's. For a fork, the former task is the one before
 * the record of the new process.
 */
static int note_task(struct names *n, const struct task *new,
		     const struct fxt_sched_event *event, const struct renamed *r,
		     bool in_archive)
{
	struct task *t = names_find(n, new->id), old;

	if (!t) {
		t = add_task(n, new->id);
		if (!t)
			return -ENOMEM;
		set_task(t, new);
		set_birth(t, NULL, event);
	} else if (t->ended || event->what == FXT_STR_FORK || t->process != new->process ||
		   strcmp(t->name, new->name)) {
		old = *t;
		set_task(t, new);
		t->folded = n->catch_up;
		if (event->what == FXT_STR_FORK) {
			set_birth(t, r->is_known ? &r->before : NULL, event);
			t->is_elsewhere = r->is_elsewhere;
		} else {
			set_birth(t, &old, event);
		}
		if (event->what != FXT_STR_FORK && !old.ended && old.process == new->process) {
			t->is_apart = old.is_apart;
			t->is_elsewhere = old.is_elsewhere;
			t->has_apart = old.has_apart;
		}
		/* That of a process is looked up again. */
		if (t->is_apart) {
			t->cgroup = old.cgroup;
			t->cgroup_written = old.cgroup_written;
		} else {
			free(old.cgroup);
		}
	} else if (!t->parent) {
		t->parent = new->parent;
	}
	if (new->sight.letter)
		t->sight = new->sight;
	t->written |= in_archive;
	return 0;
}

static void look_back(const struct names *n, const struct task *new, struct renamed *r)
{
	const struct task *t = names_find(n, new->id);

	if (r->id == new->id)
		return;
	memset(r, 0, sizeof(*r));
	r->id = new->id;
	r->is_known = t;
	if (t)
		r->before = *t;
}

static bool is_reported(const struct renamed *r, const struct fxt_sched_event *event)
{
	if (event->what == FXT_STR_FORK)
		return r->is_known && is_another(&r->before, event);
	return event->what;
}

static int report(const struct names *n, const struct task *new,
		  const struct fxt_sched_event *event, const struct renamed *r)
{
	struct names_event e = {
		.what = event->what,
		.time = event->time,
		.thread = new->id,
		.process = new->process,
		.is_later = names_find(n, new->id)->is_later,
	};

	if (!n->on_event || !is_reported(r, event))
		return 0;
	/* An ended task was another thread. */
	if (event->what == FXT_STR_FORK || !r->before.ended)
		memcpy(e.before, r->before.name, sizeof(e.before));
	if (event->what == FXT_STR_FORK) {
		e.before_process = r->before.process;
		e.before_parent = r->before.parent;
		e.before_fork = r->before.is_forked ? r->before.since : 0;
	}
	memcpy(e.after, new->name, sizeof(e.after));
	return n->on_event(n->on_event_arg, &e);
}

static int note(struct names *n, const uint64_t *rec, size_t bytes, bool in_archive)
{
	const uint64_t *end = rec + bytes / FXT_WORD;
	struct renamed renamed = { 0 };
	struct fxt_sched_event event;
	struct task new;
	uint64_t size;
	int ret = 0;

	if (bytes % FXT_WORD)
		return -EBADMSG;
	for (; rec < end && !ret; rec += size) {
		size = fxt_get(FXT_SIZE, rec[0]);
		if (!size || size > (uint64_t)(end - rec))
			return -EBADMSG;
		event = (struct fxt_sched_event){ 0 };
		if (!parse(rec, size, &new, &event))
			continue;
		look_back(n, &new, &renamed);
		ret = note_task(n, &new, &event, &renamed, in_archive);
		ret = ret ? ret : decode_cgroup(n, rec, size, &event);
		if (!ret && event.what == FXT_STR_EXEC)
			forget_cgroup(n, names_find(n, new.id));
		ret = ret ? ret : report(n, &new, &event, &renamed);
		renamed.is_elsewhere = find_cgroup(rec, size);
		if (fxt_get(FXT_KERNEL_OBJECT_TYPE, rec[0]) == FXT_OBJECT_THREAD)
			renamed.id = 0;
	}
	return ret;
}

void names_on_event(struct names *n,
		    int (*on_event)(void *arg, const struct names_event *e), void *arg)
{
	n->on_event = on_event;
	n->on_event_arg = arg;
}

void names_found(struct names *n, uint64_t now)
{
	struct task *t = n->found ? names_next(n->found) : names_first(n);

	for (; t; t = names_next(t)) {
		if (!t->is_forked)
			t->since = now;
		n->found = t;
	}
}

void names_catch_up(struct names *n, uint64_t now)
{
	n->catch_up = now;
}

int names_note(void *n, const void *records, size_t bytes)
{
	return note(n, records, bytes, false);
}

int names_noted_in_archive(struct names *n, const void *records, size_t bytes)
{
	return note(n, records, bytes, true);
}

/* --- questions -------------------------------------------------------------------- */

const char *names_comm(const struct names *n, uint32_t thread, char *comm)
{
	const struct task *t = names_find(n, thread);
	size_t i;

	snprintf(comm, FXT_SCHED_COMM_SIZE, "%s", t && *t->name ? t->name : "?");
	for (i = 0; comm[i]; i++)
		if (comm[i] < ' ' || comm[i] > '~')
			comm[i] = '?';
	return comm;
}

uint64_t names_threads(const struct names *n)
{
	return n->tasks.count;
}

uint64_t names_processes(const struct names *n)
{
	uint64_t processes = 0;
	struct task *t;

	for (t = names_first(n); t; t = names_next(t))
		processes += task_is_process(t);
	return processes;
}
