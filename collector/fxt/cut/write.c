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
