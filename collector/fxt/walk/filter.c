// SPDX-License-Identifier: GPL-2.0-or-later
/* filter.c - see filter.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/units.h"
#include "sched/kernel_event.h"
#include "terminal/memory.h"
#include "filter.h"

/* --- the command line ------------------------------------------------------ */

static const struct {
	const char *name;
	enum fxt_kind first, last;
} kind_groups[] = {
	{ "metadata", FXT_KIND_PROVIDER_INFO, FXT_KIND_MAGIC },
	{ "event", FXT_KIND_INSTANT, FXT_KIND_FLOW_END },
	{ "object", FXT_KIND_USERSPACE_OBJECT, FXT_KIND_KERNEL_OBJECT },
	{ "scheduling", FXT_KIND_LEGACY_SWITCH, FXT_KIND_THREAD_WAKEUP },
	{ "profiler", FXT_KIND_MODULE, FXT_KIND_BACKTRACE },
};

#define KIND_GROUPS	(sizeof(kind_groups) / sizeof(kind_groups[0]))

bool filter_kind_group(unsigned int i, struct option_word *w)
{
	w->name = i < KIND_GROUPS ? kind_groups[i].name : NULL;
	return w->name;
}

bool filter_kind(unsigned int i, struct option_word *w)
{
	if (filter_kind_group(i, w))
		return true;
	w->name = i - KIND_GROUPS < FXT_KIND_COUNT ? fxt_kind_name(i - KIND_GROUPS) : NULL;
	return w->name;
}

static uint64_t kinds_of_name(const char *name, size_t length)
{
	int i = option_find_word(filter_kind, name, length);

	if (i < 0)
		return 0;
	if (i < (int)KIND_GROUPS)
		return FXT_BITS(kind_groups[i].first, kind_groups[i].last);
	return FXT_BITS(i - KIND_GROUPS, i - KIND_GROUPS);
}

const char *filter_add_kinds(void *filter, const char *list)
{
	struct filter *f = filter;
	uint64_t kinds;
	size_t length;

	for (;; list += length + 1) {
		length = strcspn(list, ",");
		kinds = kinds_of_name(list, length);
		if (!kinds)
			return "unknown record kind";
		f->kinds |= kinds;
		if (!list[length])
			return NULL;
	}
}

/* Returns NULL if @s does not begin with a decimal number, or if it is too large. */
static const char *parse_u64(const char *s, uint64_t *value)
{
	if (*s < '0' || *s > '9')
		return NULL;
	for (*value = 0; *s >= '0' && *s <= '9'; s++)
		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, *s - '0', value))
			return NULL;
	return s;
}

void filter_add_id(struct filter_ids *ids, uint64_t id)
{
	array_more(ids->ids, ids->count);
	ids->ids[ids->count++] = id;
}

const char *filter_add_ids(void *ids, const char *list)
{
	uint64_t id;

	for (;; list++) {
		list = parse_u64(list, &id);
		if (!list || (*list && *list != ','))
			return "invalid list of ids; use e.g. 1 or 1,20";
		filter_add_id(ids, id);
		if (!*list)
			return NULL;
	}
}

const char *filter_add_cpus(void *filter, const char *list)
{
	struct filter *f = filter;
	uint64_t first, last;

	f->by_cpu = true;
	for (;; list++) {
		list = parse_u64(list, &first);
		last = first;
		if (list && *list == '-')
			list = parse_u64(list + 1, &last);
		if (!list || (*list && *list != ',') || last < first || last >= FILTER_CPUS)
			return "invalid list of CPUs; use e.g. 0 or 0,2-5";
		for (; first <= last; first++)
			f->cpus[first / 64] |= 1ULL << first % 64;
		if (!*list)
			return NULL;
	}
}

const char *filter_set_limit(void *limit, const char *time)
{
	struct filter_limit *l = limit;

	l->set = true;
	l->relative = *time == '+';
	return fxt_parse_time(time + l->relative, &l->ns) ?
	       "invalid time; use e.g. 12.345, +2.5s, +150ms" : NULL;
}

const char *filter_set_comm(void *filter, const char *pattern)
{
	struct filter *f = filter;

	f->by_comm = true;
	f->keep_names = true;
	f->comm_text = pattern;
	return fxt_glob_compile(&f->comm, pattern) ?
	       "invalid pattern; thread names have at most 15 bytes; use e.g. 'nginx*'" : NULL;
}

const char *filter_set_cgroup(void *filter, const char *path)
{
	((struct filter *)filter)->cgroup = path;
	return *path == '/' ? NULL : "not a path of a cgroup, as /system.slice";
}

void filter_free(struct filter *f)
{
	fxt_objects_free(&f->objects);
	free(f->pids.ids);
	free(f->tids.ids);
	lives_free(&f->threads);
	memset(f, 0, sizeof(*f));
}

/* --- processes of threads --------------------------------------------------- */

void filter_learn(struct filter *f, const struct fxt_content *c)
{
	lives_learn(&f->threads, c, lives_fork(c));
}

bool filter_process_of(const struct filter *f, uint64_t thread, uint64_t ticks,
		       uint64_t *process)
{
	const struct life *life = lives_find(&f->threads, thread, ticks, NULL);

	if (!life || !life->has_process)
		return false;
	*process = life->process;
	return true;
}

/* @ahead: the record will be read again, so keep names that are already known */
static void learn_record(struct filter *f, const struct fxt_content *c, bool ahead)
{
	if (f->keep_names)
		must_fit(fxt_objects_learn(&f->objects, c, ahead));
	if (c->kind == FXT_KIND_KERNEL_OBJECT && f->pids.count)
		filter_learn(f, c);
}

void filter_learn_ahead(struct filter *f, const struct fxt_content *c)
{
	learn_record(f, c, true);
}

/* --- one record -------------------------------------------------------------- */

bool filter_thread_is_of(const struct filter *f, uint64_t thread, uint64_t ticks)
{
	uint64_t process;

	return filter_process_of(f, thread, ticks, &process) &&
	       filter_has_id(&f->pids, process);
}

static bool kind_has_thread(enum fxt_kind kind)
{
	switch (kind) {
	case FXT_KIND_THREAD:
	case FXT_KIND_INSTANT ... FXT_KIND_FLOW_END:
	case FXT_KIND_LOG ... FXT_KIND_LARGE_BLOB:
		return true;
	default:
		return false;
	}
}

bool filter_process_wanted(const struct filter *f, const struct fxt_content *c)
{
	uint64_t process;

	switch (c->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
		return filter_thread_is_of(f, c->sw.out, c->time) ||
		       filter_thread_is_of(f, c->sw.in, c->time);
	case FXT_KIND_THREAD_WAKEUP:
		return filter_thread_is_of(f, c->wakeup.thread, c->time) ||
		       (c->wakeup.has_waker && filter_thread_is_of(f, c->wakeup.waker, c->time));
	case FXT_KIND_LEGACY_SWITCH:
		return filter_has_id(&f->pids, c->legacy.out.process) ||
		       filter_has_id(&f->pids, c->legacy.in.process);
	case FXT_KIND_KERNEL_OBJECT:
		if (c->object_type == FXT_OBJECT_PROCESS)
			return filter_has_id(&f->pids, c->object);
		return c->object_type == FXT_OBJECT_THREAD &&
		       fxt_object_process(c, &process) && filter_has_id(&f->pids, process);
	case FXT_KIND_USERSPACE_OBJECT:
		return filter_has_id(&f->pids, c->thread.process);
	default:
		return kind_has_thread(c->kind) && filter_has_id(&f->pids, c->thread.process);
	}
}

static bool has_tid(const struct filter *f, uint64_t thread)
{
	return filter_has_id(&f->tids, thread);
}

static bool has_name(const struct filter *f, uint64_t thread)
{
	const struct fxt_object *ob = fxt_objects_find(&f->objects, FXT_CLASS_THREAD, 0, thread);
	char comm[FXT_SCHED_COMM_SIZE] = "";

	if (!ob || !ob->length)
		return false;
	memcpy(comm, ob->name, ob->length < sizeof(comm) ? ob->length : sizeof(comm));
	return fxt_glob_match(&f->comm, comm);
}

/* Does @is_wanted hold for a thread of the record? */
static bool thread_wanted(const struct filter *f, const struct fxt_content *c,
			  bool (*is_wanted)(const struct filter *f, uint64_t thread))
{
	switch (c->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
		return is_wanted(f, c->sw.out) || is_wanted(f, c->sw.in);
	case FXT_KIND_THREAD_WAKEUP:
		return is_wanted(f, c->wakeup.thread) ||
		       (c->wakeup.has_waker && is_wanted(f, c->wakeup.waker));
	case FXT_KIND_LEGACY_SWITCH:
		return is_wanted(f, c->legacy.out.thread) ||
		       is_wanted(f, c->legacy.in.thread);
	case FXT_KIND_KERNEL_OBJECT:
		return c->object_type == FXT_OBJECT_THREAD && is_wanted(f, c->object);
	default:
		return kind_has_thread(c->kind) && is_wanted(f, c->thread.thread);
	}
}

bool filter_counts_cpu(const struct fxt_content *c)
{
	return c->kind == FXT_KIND_COUNTER && c->thread.process == FXT_SCHED_KOID_LOSS &&
	       c->category.known == FXT_STR_CATEGORY && c->name.known == FXT_STR_CPU &&
	       c->id < FILTER_CPUS;
}

/* The CPU of an event: of a counter by its id, of others by their track. */
static bool event_cpu(const struct fxt_content *c, uint16_t *cpu)
{
	bool has_track = kind_has_thread(c->kind) && kernel_event_has_track(c->thread.process);

	if (filter_counts_cpu(c) || kernel_event_counts_cpu(c)) {
		*cpu = c->id;
		return c->id < FILTER_CPUS;
	}
	*cpu = has_track ? kernel_event_track_cpu(c->thread.thread) : KERNEL_EVENT_NO_CPU;
	return *cpu != KERNEL_EVENT_NO_CPU;
}

bool filter_cpu_wanted(const struct filter *f, const struct fxt_content *c)
{
	uint16_t cpu;

	switch (c->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
		cpu = c->sw.cpu;
		break;
	case FXT_KIND_THREAD_WAKEUP:
		cpu = c->wakeup.cpu;
		break;
	case FXT_KIND_LEGACY_SWITCH:
		cpu = c->legacy.cpu;
		break;
	default:
		if (!event_cpu(c, &cpu))
			return false;
	}
	return filter_has_cpu(f, cpu);
}

bool filter_selects(const struct filter *f)
{
	return f->from.set || f->to.set || f->pids.count || f->tids.count || f->by_comm ||
	       f->by_cpu;
}

bool filter_selects_threads(const struct filter *f)
{
	return f->pids.count || f->tids.count || f->by_comm || f->cgroup;
}

bool filter_is_relative(const struct filter *f)
{
	return f->from.relative || f->to.relative;
}

bool filter_is_backwards(const struct filter *f)
{
	return f->from.set && f->to.set && f->from.relative == f->to.relative &&
	       f->from.ns > f->to.ns;
}

static void begin_at(struct filter_limit *limit, uint64_t first)
{
	if (!limit->relative)
		return;
	limit->relative = false;
	if (__builtin_add_overflow(first, limit->ns, &limit->ns))
		limit->ns = UINT64_MAX;
}

void filter_begin(struct filter *f, uint64_t first)
{
	begin_at(&f->from, first);
	begin_at(&f->to, first);
}

/* Get the time stamp of a record that has it in its second word. */
static bool filter_time(const struct fxt_reader *r, const struct fxt_record *rec, uint64_t *ns)
{
	if (!fxt_kind_has_time(rec->kind) || rec->held < 2)
		return false;
	*ns = fxt_ticks_to_ns(fxt_record_word(r, rec, 1), rec->provider->ticks_per_second);
	return true;
}

bool filter_describes(enum fxt_kind kind)
{
	return kind == FXT_KIND_MODULE || kind == FXT_KIND_MMAP;
}

bool filter_event_time(const struct fxt_reader *r, const struct fxt_record *rec, uint64_t *ns)
{
	return !filter_describes(rec->kind) && filter_time(r, rec, ns);
}

bool filter_has_id(const struct filter_ids *ids, uint64_t id)
{
	size_t i;

	for (i = 0; i < ids->count; i++)
		if (ids->ids[i] == id)
			return true;
	return false;
}

bool filter_has_cpu(const struct filter *f, uint16_t cpu)
{
	return f->cpus[cpu / 64] >> cpu % 64 & 1;
}

static bool time_wanted(const struct filter *f, uint64_t ns)
{
	return (!f->from.set || ns >= f->from.ns) && (!f->to.set || ns <= f->to.ns);
}

static bool kind_wanted(const struct filter *f, enum fxt_kind kind)
{
	return !f->kinds || f->kinds >> kind & 1;
}

bool filter_needs(struct filter *f, const struct fxt_reader *r,
		  const struct fxt_record *rec)
{
	bool by_time = f->from.set || f->to.set;
	uint64_t ns;

	/* This record has its time after its strings. */
	if (by_time && rec->kind == FXT_KIND_LARGE_BLOB)
		return true;
	if ((f->pids.count || f->keep_names) && rec->kind == FXT_KIND_KERNEL_OBJECT)
		return true;
	if (f->keep_names && rec->kind == FXT_KIND_USERSPACE_OBJECT)
		return true;
	if (by_time && (!filter_time(r, rec, &ns) || !time_wanted(f, ns)))
		return false;
	return kind_wanted(f, rec->kind);
}

bool filter_wants(struct filter *f, const struct fxt_record *rec, const struct fxt_content *c)
{
	uint64_t rate = rec->provider->ticks_per_second;

	if (!c)
		return kind_wanted(f, rec->kind) && !f->from.set && !f->to.set &&
		       !f->pids.count && !f->tids.count && !f->by_cpu && !f->by_comm;
	learn_record(f, c, false);
	if ((f->from.set || f->to.set) &&
	    (c->kind == FXT_KIND_KERNEL_OBJECT || c->kind == FXT_KIND_USERSPACE_OBJECT ||
	     !time_wanted(f, fxt_ticks_to_ns(c->time, rate))))
		return false;
	return kind_wanted(f, c->kind) &&
	       (!f->pids.count || filter_process_wanted(f, c)) &&
	       (!f->tids.count || thread_wanted(f, c, has_tid)) &&
	       (!f->by_comm || thread_wanted(f, c, has_name)) &&
	       (!f->by_cpu || filter_cpu_wanted(f, c));
}
