// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * write.c - write the names of the registry into an archive, and forget those of ended threads, so
 * that its size depends on the threads that exist, not on all that ever existed.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/fxt_writer.h"
#include "libsym/texts.h"
#include "proc.h"
#include "registry.h"

#define SHOWN_ROOM	(NAMES_FULL_ROOM + NAMES_LABEL_ROOM + sizeof(" []"))	/* "name [label]" */

/* --- records ---------------------------------------------------------------------- */

static struct fxt_text text_of(const char *text)
{
	return (struct fxt_text){ .bytes = text, .length = strlen(text) };
}

static struct fxt_content *object(struct names *n, uint8_t type, uint32_t koid,
				  const char *name)
{
	struct fxt_content *c = &n->content;

	c->kind = FXT_KIND_KERNEL_OBJECT;
	c->object = koid;
	c->object_type = type;
	c->name = text_of(name);
	c->arg_count = 0;
	return c;
}

/* Where in an archive a task is written. */
enum place {
	AT_BEGIN,	/* of a recording: with what the task does */
	AT_HEAD,	/* of another archive */
	AT_END,		/* where a name without a record needs its time */
};

/* At the head, an empty path means an unknown cgroup, not the previous or the parent's one. */
static void add_cgroup(struct fxt_content *c, struct task *t, enum place place)
{
	bool is_unknown = place != AT_END && (t->is_apart || t->is_elsewhere);

	if (t->cgroup || is_unknown)
		c->args[c->arg_count++] = (struct fxt_arg){
			.name.ref = FXT_STR_CGROUP, .type = FXT_ARG_STRING,
			.text = text_of(t->cgroup ? t->cgroup : ""),
		};
	t->cgroup_written = t->cgroup;
}

static int write_process(struct names *n, struct fxt_writer *w, struct task *t,
			 const char *name, enum place place)
{
	struct fxt_content *c = object(n, FXT_OBJECT_PROCESS, t->id, name);

	add_cgroup(c, t, place);
	return fxt_writer_record(w, c);
}

/* As fxt_sched_add_sight(), but for the width of the string. */
static void add_sight(struct fxt_content *c, const struct task *t, char *letter)
{
	letter[0] = t->sight.letter;
	letter[1] = '\0';
	c->args[c->arg_count++] = (struct fxt_arg){
		.name.ref = FXT_STR_STATE, .type = FXT_ARG_STRING, .text = text_of(letter),
	};
	c->args[c->arg_count++] = (struct fxt_arg){
		.name.ref = FXT_STR_CPU, .type = FXT_ARG_UINT32, .u64 = t->sight.cpu,
	};
	c->args[c->arg_count++] = (struct fxt_arg){
		.name.ref = FXT_STR_SEEN, .type = FXT_ARG_UINT64, .u64 = t->sight.time,
	};
}

static int write_task(struct names *n, struct fxt_writer *w, struct task *t, enum place place)
{
	bool is_end = place == AT_END;
	char letter[2];
	char cpus[AFFINITY_LIST_ROOM];
	struct fxt_content *c;
	int ret = 0;

	if (task_is_process(t))
		ret = write_process(n, w, t, t->name, place);
	if (ret)
		return ret;
	c = object(n, FXT_OBJECT_THREAD, t->id, t->name);
	c->args[c->arg_count++] = (struct fxt_arg){
		.name.ref = FXT_STR_PROCESS, .type = FXT_ARG_KOID, .u64 = t->process,
	};
	if (t->parent)
		c->args[c->arg_count++] = (struct fxt_arg){
			.name.ref = FXT_STR_PARENT, .type = FXT_ARG_KOID, .u64 = t->parent,
		};
	if (is_end && t->folded)
		c->args[c->arg_count++] = (struct fxt_arg){
			.name.ref = FXT_STR_FOLDED, .type = FXT_ARG_UINT64, .u64 = t->folded,
		};
	else if (t->is_forked)
		c->args[c->arg_count++] = (struct fxt_arg){
			.name.ref = FXT_STR_FORK, .type = FXT_ARG_UINT64, .u64 = t->since,
		};
	if (place == AT_BEGIN && t->sight.letter)
		add_sight(c, t, letter);
	if (affinity_list(t->id, n->cpus, cpus))
		c->args[c->arg_count++] = (struct fxt_arg){
			.name.ref = FXT_STR_CPUS, .type = FXT_ARG_STRING,
			.text = text_of(cpus),
		};
	if (t->is_apart)
		add_cgroup(c, t, place);
	t->written = true;
	return fxt_writer_record(w, c);
}

/* --- the head of an archive ------------------------------------------------------- */

static int ask_cgroups(struct names *n, bool only_new)
{
	struct task *t;
	int ret = 0;

	if (!n->options.cgroups)
		return 0;
	names_look_at_proc(n);
	for (t = names_first(n); t && !ret; t = names_next(t))
		if ((task_is_process(t) || t->is_apart) && !(only_new && t->cgroup) &&
		    names_exists(n, t->id))
			ret = names_ask_cgroup(n, t);
	return ret;
}

int names_prepare(struct names *n)
{
	int ret = names_fill_gaps(n);

	n->prepared = true;
	return ret ? ret : ask_cgroups(n, false);
}

int names_write(struct names *n, struct fxt_writer *w, bool is_begin)
{
	/* Processes may have moved between two archives; of later ones it is unknown. */
	int ret = ask_cgroups(n, n->prepared);
	struct task *t;

	n->prepared = false;
	n->cpus = affinity_cpus();
	for (t = names_first(n); t && !ret; t = names_next(t))
		ret = write_task(n, w, t, is_begin ? AT_BEGIN : AT_HEAD);
	return ret;
}

/* --- its end ---------------------------------------------------------------------- */

/* A process with the name to show. */
struct shown {
	struct task *task;	/* its main thread */
	char *better;		/* a better name than the kernel's, or NULL */
};

static const char *name_of(const struct shown *s)
{
	return s->better ? s->better : s->task->name;
}

/* By name; equal names by cgroup, those without one first. */
static int compare_shown(const void *a, const void *b)
{
	const struct shown *x = a, *y = b;
	const char *p = x->task->cgroup, *q = y->task->cgroup;
	int order = strcmp(name_of(x), name_of(y));

	if (order)
		return order;
	return p && q ? cgroup_compare(p, q) : !!p - !!q;
}

static int ask_better(const struct names *n, struct shown *s)
{
	char name[NAMES_FULL_ROOM];
	bool found = n->options.cmdline ? names_ask_cmdline(n, s->task, name) :
					  names_ask_full(n, s->task, name);

	if (!found)
		return 0;
	s->better = strdup(name);
	return s->better ? 0 : -ENOMEM;
}

/* Do both have a cgroup, and the same name? */
static bool must_tell_apart(const struct shown *a, const struct shown *b)
{
	return a->task->cgroup && b->task->cgroup && !strcmp(name_of(a), name_of(b));
}

/*
 * Find the component that distinguishes the cgroup of these processes from others with their name.
 * In the order of compare_shown(), its neighbours @before and @after, which may be NULL, have the
 * longest common ends with it.
 */
static bool find_label(const struct shown *s, const struct shown *before,
		       const struct shown *after, char *label)
{
	const char *cgroup = s->task->cgroup;
	size_t skip = 0, common;
	bool found = false;

	if (before && must_tell_apart(before, s)) {
		skip = cgroup_common(before->task->cgroup, cgroup);
		found = true;
	}
	if (after && must_tell_apart(s, after)) {
		common = cgroup_common(cgroup, after->task->cgroup);
		skip = common > skip ? common : skip;
		found = true;
	}
	if (found)
		cgroup_label(cgroup, skip, label);
	return found;
}

/* Write processes of one name and one cgroup; the name gets @label, unless NULL. */
static int write_alike(struct names *n, struct fxt_writer *w, const struct shown *s,
		       size_t count, const char *label)
{
	char name[SHOWN_ROOM];
	size_t i;
	int ret = 0;

	if (label)
		snprintf(name, sizeof(name), "%s [%s]", name_of(s), label);
	else
		snprintf(name, sizeof(name), "%s", name_of(s));
	for (i = 0; i < count && !ret; i++)
		if (strcmp(name, s[i].task->name) ||
		    (s[i].task->cgroup && !s[i].task->cgroup_written))
			ret = write_process(n, w, s[i].task, name, AT_END);
	return ret;
}

/* @all: in the order of compare_shown(). */
static int write_shown(struct names *n, struct fxt_writer *w, const struct shown *all,
		       size_t count)
{
	const struct shown *before = NULL, *after;
	char label[NAMES_LABEL_ROOM];
	size_t i, next;
	int ret = 0;

	for (i = 0; i < count && !ret; i = next) {
		for (next = i + 1; next < count; next++)
			if (compare_shown(&all[i], &all[next]))
				break;
		after = next < count ? &all[next] : NULL;
		ret = write_alike(n, w, &all[i], next - i,
				  find_label(&all[i], before, after, label) ?
				  label : NULL);
		before = &all[i];
	}
	return ret;
}

static int write_better(struct names *n, struct fxt_writer *w)
{
	struct shown *all = calloc(n->tasks.count + 1, sizeof(*all));
	size_t count = 0, i;
	int ret = all ? 0 : -ENOMEM;
	struct task *t;
	bool exists;

	names_look_at_proc(n);
	for (t = names_first(n); t && !ret; t = names_next(t)) {
		if (!task_is_process(t))
			continue;
		/* Skip ended processes without a cgroup: there may be many. */
		exists = names_exists(n, t->id);
		if (!exists && !t->cgroup)
			continue;
		all[count++].task = t;
		if (exists)
			ret = ask_better(n, &all[count - 1]);
	}
	if (!ret) {
		qsort(all, count, sizeof(*all), compare_shown);
		ret = write_shown(n, w, all, count);
	}
	for (i = 0; i < count; i++)
		free(all[i].better);
	free(all);
	return ret;
}

/* What the archive lacks and no stream counts. */
static int write_late(uint64_t late, struct fxt_writer *w)
{
	char text[64];
	int n = snprintf(text, sizeof(text), "command_lines_late %" PRIu64 "\n", late);

	return late ? fxt_writer_blob(w, FXT_STR_SESSION, text, n) : 0;
}

int names_finish(struct names *n, struct fxt_writer *w)
{
	uint64_t late = n->texts ? n->texts->late : 0;
	int ret = ask_cgroups(n, true);
	struct task *t;

	if (n->texts)
		texts_begin(n->texts);
	for (t = names_first(n); t && !ret; t = names_next(t))
		if (!t->written || (t->is_apart && t->cgroup && !t->cgroup_written))
			ret = write_task(n, w, t, AT_END);
	ret = ret ? ret : write_better(n, w);
	return ret || !n->texts ? ret : write_late(n->texts->late - late, w);
}

/* --- ends of threads -------------------------------------------------------------------- */

/* An ended thread stays for one more archive: its last records may not be fetched yet. */
void names_forget(struct names *n)
{
	struct task *t, *next;
	bool ended;

	names_look_at_proc(n);
	for (t = names_first(n); t; t = next) {
		next = names_next(t);
		n->found = t;
		ended = !names_exists(n, t->id);
		if (ended && t->ended)
			names_drop(n, t);
		else
			t->ended = ended;
	}
}
