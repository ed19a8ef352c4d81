// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * write.c - writes a part of an archive.
 *
 * In: two walks over all records.
 * Out: first the description of the recording, to which the cut is added, and the names
 * of all threads that occur; then the records of the part, with ledgers of their own.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_before.h>

#include "terminal/memory.h"
#include "cut.h"
#include "walk/nest.h"
#include "walk/slices.h"

/* --------------------------------------------------------------------
 * Slices that overlap a part of an archive.
 *
 * In: events that begin and end slices of a thread or an operation, in the order of the archive,
 * which is in order of time for each of them.
 * Out: the numbers of the records outside the range that belong to a slice that overlaps
 * it. A slice without an end lasts until the end of the archive.
 *
 * Of flows, only the records in the range are kept, because an arrow needs its slices.
 */

/** struct begun - a slice that has begun */
struct begun {
	struct slice slice;
	struct fxt_thread_id thread;	/* in which it begins */
	uint64_t number;		/* of the record */
	bool is_judged;			/* its end was seen */
};

/** struct opener - a thread's open slices */
struct opener {
	struct map_node node;
	uint32_t provider;
	struct fxt_thread_id thread;
	struct slice *top;		/* at least one */
};

static uint64_t hash_of(uint32_t provider, const struct fxt_thread_id *id)
{
	return map_hash(map_hash(id->process, id->thread), provider);
}

static bool is_same(const struct opener *o, uint32_t provider, const struct fxt_thread_id *id)
{
	return o->provider == provider && o->thread.process == id->process &&
	       o->thread.thread == id->thread;
}

static void keep_record(struct slices *s, uint64_t number)
{
	array_more(s->kept, s->kept_count);
	s->kept[s->kept_count++] = number;
}

static struct slice *new_begun(const struct fxt_record *rec, const struct fxt_content *content,
			       uint64_t ns)
{
	struct begun *b = must(malloc(sizeof(*b)));

	*b = (struct begun){
		.slice = { .begin = ns, .end = SLICE_OPEN },
		.thread = content->thread,
		.number = rec->number,
	};
	return &b->slice;
}

/* Keep the begin of a slice that overlaps the part. Return: does it? */
static bool keep_begin(struct cut *c, const struct slice *slice, uint64_t end)
{
	const struct begun *b = (const struct begun *)slice;
	bool reaches = slice->begin <= c->to && end >= c->from;

	if (reaches && slice->begin < c->from) {
		keep_record(&c->slices, b->number);
		cut_occurs(c, b->thread.process, b->thread.thread, UINT64_MAX);
	}
	return reaches;
}

/* A slice ends with a record. Return: does it overlap the part? */
static bool match_end(struct cut *c, const struct slice *slice, const struct fxt_record *rec,
		      uint64_t ns)
{
	bool reaches = keep_begin(c, slice, ns);

	if (reaches && ns > c->to)
		keep_record(&c->slices, rec->number);
	return reaches;
}

static bool end_of_thread(struct cut *c, const struct fxt_record *rec,
			  const struct fxt_content *content, uint64_t ns)
{
	const struct fxt_thread_id *id = &content->thread;
	uint32_t provider = rec->provider->id;
	struct slice *ended;
	struct opener *o;
	bool reaches;

	if (!map_find(&c->slices.open, hash_of(provider, id), o, is_same(o, provider, id)))
		return false;
	ended = slice_remove(&o->top);
	if (!o->top) {
		map_remove(&c->slices.open, &o->node);
		free(o);
	}
	reaches = match_end(c, ended, rec, ns);
	free(ended);
	return reaches;
}

static void begin_of_thread(struct cut *c, const struct fxt_record *rec,
			    const struct fxt_content *content, uint64_t ns)
{
	const struct fxt_thread_id *id = &content->thread;
	uint32_t provider = rec->provider->id;
	struct opener *o;

	if (map_get(&c->slices.open, hash_of(provider, id), o, is_same(o, provider, id))) {
		o->provider = provider;
		o->thread = *id;
	}
	slice_push(&o->top, new_begun(rec, content, ns));
}

/* An operation leaves its track. Without a record of its end, it may have ended with another one. */
static void drop_operation(void *cut, struct slice *slice)
{
	if (!((struct begun *)slice)->is_judged)
		keep_begin(cut, slice, slice->end);
	free(slice);
}

static bool note_operation(struct cut *c, const struct fxt_record *rec,
			   const struct fxt_content *content, uint64_t ns)
{
	const struct nest_user *user = &c->slices.operation_user;
	struct operation_track *track = operations_track(&c->slices.operations, content->kind,
							 content->id, content->name.bytes,
							 content->name.length);
	uint64_t name = operation_hash(&content->category, &content->name);
	struct slice *s;
	bool reaches;

	if (!track)
		return false;
	if (content->kind != FXT_KIND_ASYNC_END) {
		s = new_begun(rec, content, ns);
		s->name = name;
		s->end = content->kind == FXT_KIND_ASYNC_BEGIN ? SLICE_OPEN : ns;
		/* A slice that is not drawn is in the part by its begin only. */
		if (nest_begin(&track->nest, s, user))
			free(s);
		return false;
	}
	s = nest_end(&track->nest, ns, name, user);
	if (!s)
		return false;
	reaches = match_end(c, s, rec, ns);
	((struct begun *)s)->is_judged = true;
	nest_drop_ended(&track->nest, s, user);
	return reaches;
}

bool cut_slices_note(struct cut *c, const struct fxt_record *rec,
		     const struct fxt_content *content)
{
	uint64_t rate = rec->provider->ticks_per_second;
	uint64_t ns = fxt_ticks_to_ns(content->time, rate);

	switch (content->kind) {
	case FXT_KIND_DURATION_BEGIN:
		begin_of_thread(c, rec, content, ns);
		return false;
	case FXT_KIND_DURATION_END:
		return end_of_thread(c, rec, content, ns);
	case FXT_KIND_ASYNC_BEGIN ... FXT_KIND_ASYNC_END:
		/* A part has only the records inside it of requests of block devices. */
		return !kernel_event_is_track(content->thread.process) &&
		       note_operation(c, rec, content, ns);
	case FXT_KIND_DURATION_COMPLETE:
		return ns <= c->to && fxt_ticks_to_ns(content->end, rate) >= c->from;
	default:
		return false;
	}
}

void cut_slices_begin(struct cut *c)
{
	c->slices.operation_user = (struct nest_user){ drop_operation, c };
	c->slices.operations.user = &c->slices.operation_user;
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

void cut_slices_finish(struct cut *c)
{
	struct slices *s = &c->slices;
	const struct slice *slice;
	const struct opener *o;

	map_each(&s->open, o)
		for (slice = o->top; slice; slice = slice->outer)
			keep_begin(c, slice, SLICE_OPEN);
	operations_free(&s->operations);
	if (s->kept_count)
		qsort(s->kept, s->kept_count, sizeof(*s->kept), by_number);
}

/**
 * cut_slices_keep() - in a later walk: does this record belong to a slice that overlaps the part?
 */
static bool cut_slices_keep(struct slices *s, uint64_t number)
{
	while (s->next < s->kept_count && s->kept[s->next] < number)
		s->next++;
	return s->next < s->kept_count && s->kept[s->next] == number;
}

void cut_slices_free(struct slices *s)
{
	struct opener *o;

	operations_free(&s->operations);
	map_drain(&s->open, o) {
		while (o->top)
			free(slice_remove(&o->top));
		free(o);
	}
	free(s->kept);
	memset(s, 0, sizeof(*s));
}

/* --------------------------------------------------------------------
 * The part.
 */

static int put_record(struct cut *c, struct fxt_reader *r, const struct fxt_record *rec)
{
	providers_enter(&c->p, rec->provider);
	return rewrite_put(&c->f, r, rec);
}

/* --- the description of the part ----------------------------------------------- */

static void print_seconds(FILE *f, const char *what, uint64_t ns)
{
	fprintf(f, "cut %s %" PRIu64 ".%09" PRIu64 "\n", what, ns / 1000000000, ns % 1000000000);
}

static void print_filter(FILE *f, const struct filter *filter)
{
	const char *before = "filter cpus ";
	unsigned int cpu;
	size_t i;

	for (i = 0; i < filter->pids.count; i++)
		fprintf(f, "%s%" PRIu64 "%s", i ? "," : "filter pids ", filter->pids.ids[i],
			i + 1 == filter->pids.count ? "\n" : "");
	for (cpu = 0; filter->by_cpu && cpu < FILTER_CPUS; cpu++) {
		if (!(filter->cpus[cpu / 64] >> cpu % 64 & 1))
			continue;
		fprintf(f, "%s%u", before, cpu);
		before = ",";
	}
	if (filter->by_cpu)
		fputc('\n', f);
}

/* Make one line of a path. */
static void print_input(FILE *f, const char *path)
{
	const char *name = strrchr(path, '/');

	fputs("cut of ", f);
	for (name = name ? name + 1 : path; *name; name++)
		fputc((unsigned char)*name < ' ' ? '?' : *name, f);
	fputc('\n', f);
}

/* @old: the description in the archive, NULL if it has none. */
static void write_session(struct cut *c, const struct fxt_bytes *old)
{
	char *text = NULL;
	size_t size;
	FILE *f = must(open_memstream(&text, &size));

	if (old && old->bytes) {
		fwrite(old->data, 1, old->bytes, f);
		if (((const char *)old->data)[old->bytes - 1] != '\n')
			fputc('\n', f);
	}
	print_input(f, c->io.a.path);
	if (c->filter.from.set)
		print_seconds(f, "from", c->from);
	if (c->filter.to.set)
		print_seconds(f, "to", c->to);
	print_filter(f, &c->filter);
	must_fit(fclose(f));
	rewrite_session(&c->f, text, size);
	free(text);
	c->has_session = true;
}

void cut_head_finish(struct cut *c)
{
	if (!c->first_provider.ticks_per_second)
		c->first_provider.ticks_per_second = 1000000000;
	if (!c->first_provider.name.bytes)
		c->first_provider.name.bytes = c->first_name;
	providers_enter(&c->p, &c->first_provider);
	if (!c->has_session)
		write_session(c, NULL);
	cut_before_write(c);
}

/* --- the head ------------------------------------------------------------------ */

static bool object_occurs(const struct cut *c, const struct fxt_content *content)
{
	if (c->has_ledgers && streams_is_loss(content))
		return false;
	switch (content->object_type) {
	/* The record of the main thread also says which process is the parent. */
	case FXT_OBJECT_THREAD:
		return koids_get(&c->threads, content->object, NULL) ||
		       koids_get(&c->processes, content->object, NULL);
	case FXT_OBJECT_PROCESS:
		return koids_get(&c->processes, content->object, NULL);
	default:
		return !c->filter.pids.count;
	}
}

int cut_head(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct cut *c = arg;
	struct fxt_content *content = &c->f.content;
	int ret;

	if (rec->kind != FXT_KIND_KERNEL_OBJECT && rec->kind != FXT_KIND_BLOB)
		return 0;
	ret = rewrite_read(&c->f, r, rec);
	if (ret <= 0)
		return ret;
	if (rec->kind == FXT_KIND_KERNEL_OBJECT)
		return object_occurs(c, content) ? put_record(c, r, rec) : 0;
	if (content->name.known != FXT_STR_SESSION)
		return 0;
	if (c->has_session)
		return put_record(c, r, rec);
	providers_enter(&c->p, rec->provider);
	write_session(c, &content->blob);
	return rewrite_error(&c->f);
}

/* --- the records --------------------------------------------------------------- */

/* Samples are of the whole recording; packets for Perfetto are not cut. */
static bool has_other_samples(const struct cut *c, const struct fxt_content *content)
{
	return content->blob_type == FXT_BLOB_PERFETTO &&
	       content->name.known == FXT_STR_SAMPLES &&
	       (c->filter.from.set || c->filter.to.set || c->filter.pids.count ||
		c->filter.by_cpu);
}

static int write_blob(struct cut *c, struct fxt_reader *r, const struct fxt_record *rec)
{
	const struct fxt_content *content = &c->f.content;
	struct streams_range range;
	struct fxt_ledger l;

	if (content->name.known == FXT_STR_SESSION || has_other_samples(c, content))
		return 0;
	/* The part has ledgers of its own. */
	if (c->before && fxt_text_is(&content->name, FXT_SCHED_BEFORE))
		return 0;
	if (!fxt_ledger_of(content, &l))
		return put_record(c, r, rec);
	range = cut_range(c, rec->provider);
	providers_enter(&c->p, rec->provider);
	c->stream = streams_ledger(&c->st, &l, rec->provider->id, &range);
	return rewrite_error(&c->f);
}

static bool stays(struct cut *c, const struct fxt_record *rec)
{
	const struct fxt_content *content = &c->f.content;
	uint64_t rate = rec->provider->ticks_per_second;

	if (!cut_is_of(c, rec, content) && !cut_ends_run(c, content))
		return false;
	switch (content->kind) {
	case FXT_KIND_USERSPACE_OBJECT:
		return true;
	/* A mapping stays valid. */
	case FXT_KIND_MODULE:
	case FXT_KIND_MMAP:
		return fxt_ticks_to_ns(content->time, rate) <= c->to;
	case FXT_KIND_DURATION_COMPLETE:
		return fxt_ticks_to_ns(content->time, rate) <= c->to &&
		       fxt_ticks_to_ns(content->end, rate) >= c->from;
	case FXT_KIND_LARGE_BLOB_BARE:
		return true;
	default:
		return cut_in_time(c, rec, content->time) || cut_carries(c, rec, content) ||
		       cut_slices_keep(&c->slices, rec->number);
	}
}

/*
 * Does a record that stays count as selected by the filter? Mappings do not, nor do records without
 * a CPU where CPUs are selected.
 */
static bool is_selected(const struct cut *c, const struct fxt_record *rec)
{
	const struct fxt_content *content = &c->f.content;
	struct kernel_event e;

	if (filter_describes(content->kind))
		return false;
	if ((!c->filter.pids.count && !c->filter.by_cpu) ||
	    kernel_event_decode(&e, rec->provider, content))
		return true;
	return (!c->filter.by_cpu || !c->has_cpus || filter_cpu_wanted(&c->filter, content)) &&
	       (!c->filter.pids.count || filter_process_wanted(&c->filter, content));
}

/* Streams write marks in their place; only archives of others have marks outside of streams. */
static int write_mark(struct cut *c, struct fxt_reader *r, const struct fxt_record *rec)
{
	const struct fxt_content *content = &c->f.content;

	providers_enter(&c->p, rec->provider);
	cut_event_run(c, content);
	if (!streams_mark(&c->st, content) && stays(c, rec))
		return rewrite_put(&c->f, r, rec);
	return rewrite_error(&c->f);
}

static int write_timed(struct cut *c, struct fxt_reader *r, const struct fxt_record *rec)
{
	bool is_of_stream = c->stream && streams_counts(rec->provider, &c->f.content);
	bool keep = stays(c, rec), is_carried = cut_carries(c, rec, &c->f.content);

	cut_event_run(c, &c->f.content);
	if (is_carried)
		c->f.content.time = cut_ticks(c->from, rec->provider->ticks_per_second);
	if (keep)
		providers_enter(&c->p, rec->provider);
	if (keep && is_of_stream)
		cut_hide(c, &c->f.content);
	if (is_of_stream)
		streams_record(&c->st, c->stream, &c->f.content, keep);
	if (!keep)
		return rewrite_error(&c->f);
	c->kept += is_selected(c, rec);
	return rewrite_put(&c->f, r, rec);
}

int cut_body(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct cut *c = arg;
	int ret = rewrite_read(&c->f, r, rec);

	/* The time and the thread of an undefined record are unknown. */
	if (ret == -ENOTSUP) {
		providers_enter(&c->p, rec->provider);
		return rewrite_undefined(&c->f, r, rec);
	}
	if (ret <= 0)
		return ret;
	switch (c->f.content.kind) {
	case FXT_KIND_PROVIDER_INFO:
	case FXT_KIND_PROVIDER_SECTION:
		c->stream = NULL;
		return 0;
	case FXT_KIND_INITIALIZATION:
	case FXT_KIND_KERNEL_OBJECT:
		return 0;
	case FXT_KIND_PROVIDER_EVENT:
		return c->has_ledgers && streams_is_loss(&c->f.content) ? 0 : put_record(c, r, rec);
	case FXT_KIND_BLOB:
		return write_blob(c, r, rec);
	default:
		if (c->has_ledgers && streams_is_loss(&c->f.content))
			return 0;
		if (streams_is_mark(&c->f.content))
			return write_mark(c, r, rec);
		return write_timed(c, r, rec);
	}
}

/*
 * Return: number of records from the first on that are in the range (@is_in) or outside, like it.
 */
static size_t alike(const struct cut *c, const struct fxt_hot_run *run, bool *is_in, uint64_t *last)
{
	const uint64_t *w = run->words;
	size_t i;

	*is_in = w[1] >= c->from && w[1] <= c->to;
	*last = 0;
	for (i = 0; i < run->count; i++, w += FXT_HOT_WORDS) {
		if ((w[1] >= c->from && w[1] <= c->to) != *is_in)
			break;
		*last = w[1] > *last ? w[1] : *last;
	}
	return i;
}

size_t cut_body_hot(void *arg, const struct fxt_provider *provider, const struct fxt_hot_run *run)
{
	struct cut *c = arg;
	uint64_t last;
	bool is_in;
	size_t n = alike(c, run, &is_in, &last);

	if ((is_in && !providers_is_now(&c->p, provider)) ||
	    (c->stream && !streams_accept_hot(&c->st, c->stream, last, is_in)))
		return 0;
	if (is_in) {
		n = fxt_writer_hot(c->f.w, run->words, n);
		c->kept += n;
	}
	if (n && c->stream)
		streams_hot(c->stream, run->words, n, is_in);
	return n;
}
