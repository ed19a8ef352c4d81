// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perfetto.c - see perfetto.h.
 *
 * importer.c predicts which records Perfetto drops. What is here concerns those that it keeps.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "perfetto.h"

static const char * const kind_names[] = {
#define KIND_NAME(kind, name) [kind] = name,
	CHECK_PERFETTO_KINDS(KIND_NAME)
#undef KIND_NAME
};

const char *check_perfetto_kind_name(enum check_perfetto_kind kind)
{
	return kind_names[kind];
}

static bool is_note(enum check_perfetto_kind kind)
{
	return kind >= PERFETTO_KOID;
}

static __attribute__((format(printf, 4, 5))) void
tell(struct check_perfetto *p, enum check_perfetto_kind kind,
     const struct check_sum *at, const char *format, ...)
{
	char text[300];
	va_list args;
	int n;

	if (!p->report)
		return;
	n = snprintf(text, sizeof(text), "byte %" PRIu64 ": ", at->offset);
	va_start(args, format);
	vsnprintf(text + n, sizeof(text) - n, format, args);
	va_end(args);
	check_report_add(p->report, &(struct check_finding){
		.class = CHECK_PERFETTO,
		.number = kind,
		.kind = kind_names[kind],
		.violation = !is_note(kind),
		.count = at->count,
		.offset = at->offset,
		.record = at->record,
		.time = CHECK_NO_NUMBER,
		.text = text,
	});
}

#define TELL(p, kind, rec, ...)							\
	tell(p, kind, &(struct check_sum){ 1, (rec)->offset, (rec)->number }, __VA_ARGS__)

static void add(struct check_sum *sum, const struct fxt_record *rec)
{
	if (!sum->count++) {
		sum->offset = rec->offset;
		sum->record = rec->number;
	}
}

void check_perfetto_begin(struct check_perfetto *p, struct check_report *report)
{
	memset(p, 0, sizeof(*p));
	p->report = report;
	importer_begin(&p->importer);
}

/* The archive's first word. */
static const struct check_sum start = { 1, 0, 0 };

void check_perfetto_swapped(struct check_perfetto *p)
{
	tell(p, PERFETTO_BYTE_ORDER, &start,
	     "the other byte order, so Perfetto does not know the file for a trace");
	importer_end(&p->importer);
}

void check_perfetto_no_magic(struct check_perfetto *p)
{
	tell(p, PERFETTO_MAGIC, &start,
	     "no magic number record, so Perfetto does not know the file for a trace");
	importer_end(&p->importer);
}

/* For each reason: the row of stats, the kind of the finding, and its text; NULL: none. */
static const struct {
	enum check_stat_number stat;
	enum check_perfetto_kind kind;
	const char *text;
} reasons[] = {
	[IMPORTER_PROVIDER]	= { STAT_INVALID_EVENT, PERFETTO_PROVIDER, NULL },
	[IMPORTER_STRING]	= { STAT_INVALID_STRING_REF, PERFETTO_STRING_REF,
				    "a string that was not registered, so the record is dropped" },
	[IMPORTER_SHORT]	= { STAT_RECORD_READ_ERROR, PERFETTO_READ_ERROR,
				    "a record that ends too early is dropped" },
	[IMPORTER_TIME]		= { STAT_TIMESTAMP_OVERFLOW, PERFETTO_TIME,
				    "the time stamp exceeds 63 bits of ns, so the record is dropped" },
	[IMPORTER_DURATION]	= { STAT_TIMESTAMP_OVERFLOW, PERFETTO_TIME,
				    "a duration ends before it begins, or after 63 bits of ns, so it is dropped" },
	[IMPORTER_WEIGHT]	= { STAT_INVALID_EVENT_ARG_TYPE, PERFETTO_ARGUMENT_TYPE,
				    "a weight is no Int32, so the record is dropped" },
	[IMPORTER_WAKER]	= { STAT_INVALID_EVENT_ARG_TYPE, PERFETTO_ARGUMENT_TYPE,
				    "the waker is no koid, so the record is dropped" },
	[IMPORTER_PROCESS]	= { STAT_INVALID_EVENT_ARG_TYPE, PERFETTO_ARGUMENT_TYPE,
				    "the process of a thread is no koid, so the record is dropped" },
};

/* What is dropped of a record that is kept. */
static void check_kept(struct check_perfetto *p, const struct fxt_record *rec,
		       const struct importer_result *r)
{
	struct check_sum strings = { r->strings, rec->offset, rec->number };
	struct check_sum numbers = { r->numbers, rec->offset, rec->number };

	p->stats[STAT_INVALID_STRING_REF] += r->strings;
	if (r->strings)
		tell(p, PERFETTO_STRING_REF, &strings,
		     "strings that were not registered (%u), in arguments of a thread", r->strings);
	p->stats[STAT_NON_NUMERIC_COUNTERS] += r->numbers;
	if (r->numbers)
		tell(p, PERFETTO_COUNTER, &numbers,
		     "arguments of a counter are no numbers (%u), so they are dropped", r->numbers);
}

void check_perfetto_record(struct check_perfetto *p, const struct fxt_record *rec)
{
	uint64_t next = p->importer.next;
	struct importer_result r = importer_record(&p->importer, rec);

	p->is_dropped = !r.is_read || r.is_astray || r.reason;
	if (r.is_astray)
		TELL(p, PERFETTO_ASTRAY, rec,
		     "Perfetto takes the size of the record before as it is and reads on at byte %" PRIu64 ": what it makes of the rest is not predicted",
		     next);
	if (!r.is_read || r.is_astray)
		return;
	if (rec->type == FXT_RECORD_LARGE && rec->size > FXT_MAX_RECORD_WORDS)
		TELL(p, PERFETTO_LARGE, rec,
		     "a large record of %" PRIu64 " words, whose size Perfetto does not understand",
		     rec->size);
	if (r.is_section)
		TELL(p, PERFETTO_PROVIDER, rec,
		     "a section of a provider that was not introduced: what follows is dropped");
	check_kept(p, rec, &r);
	if (!r.reason)
		return;
	p->stats[reasons[r.reason].stat]++;
	if (reasons[r.reason].text)
		TELL(p, reasons[r.reason].kind, rec, "%s", reasons[r.reason].text);
}

static void check_cpu(struct check_perfetto *p, const struct fxt_record *rec,
		      uint16_t cpu)
{
	if (cpu >= PERFETTO_CPUS)
		TELL(p, PERFETTO_CPU, rec, "cpu %u: Perfetto ends the load at CPU numbers from %u on",
		     cpu, PERFETTO_CPUS);
}

static void check_koid(struct check_perfetto *p, const struct fxt_record *rec,
		       uint64_t koids)
{
	if (koids > UINT32_MAX)
		add(&p->koids, rec);
}

static void check_idle(struct check_perfetto *p, const struct fxt_record *rec,
		       const char *what)
{
	TELL(p, PERFETTO_IDLE, rec, "thread 0 %s with a weight that is not INT32_MIN, so it is drawn as a thread",
	     what);
}

void check_perfetto_switch(struct check_perfetto *p, const struct fxt_record *rec,
			   const struct fxt_switch *sw)
{
	if (p->is_dropped)
		return;
	check_koid(p, rec, sw->out | sw->in);
	check_cpu(p, rec, sw->cpu);
	if (!sw->out && sw->out_weight != INT32_MIN)
		check_idle(p, rec, "is switched out");
	if (!sw->in && sw->in_weight != INT32_MIN)
		check_idle(p, rec, "is switched in");
}

void check_perfetto_wakeup(struct check_perfetto *p, const struct fxt_record *rec,
			   const struct fxt_wakeup *w)
{
	if (p->is_dropped)
		return;
	check_koid(p, rec, w->thread | w->waker);
	check_cpu(p, rec, w->cpu);
	if (!w->thread && w->weight != INT32_MIN)
		check_idle(p, rec, "is woken");
}

static void check_object(struct check_perfetto *p, const struct fxt_record *rec,
			 const struct fxt_content *c)
{
	unsigned int i;

	check_koid(p, rec, c->object);
	if (c->object_type != FXT_OBJECT_THREAD)
		return;
	for (i = 0; i < c->arg_count; i++)
		if (c->args[i].name.known == FXT_STR_PROCESS)
			check_koid(p, rec, c->args[i].u64);
}

/* Slices that show losses. */
static void check_complete(struct check_perfetto *p, const struct fxt_content *c)
{
	p->loss_slices += c->category.known == FXT_STR_CATEGORY &&
			  c->name.known == FXT_STR_LOST;
}

/* As written by fxt-collect, after the kernel object with the new name. */
static void check_instant(struct check_perfetto *p, const struct fxt_content *c)
{
	uint64_t untold = 0;

	if (c->category.known != FXT_STR_CATEGORY || c->name.known != FXT_STR_RENAME ||
	    !koids_get(&p->renames, c->thread.thread, &untold) || !untold)
		return;
	koids_set(&p->renames, c->thread.thread, untold - 1);
	p->renamed.count--;
}

static void check_legacy(struct check_perfetto *p, const struct fxt_record *rec,
			 const struct fxt_legacy_switch *l)
{
	check_koid(p, rec, l->out.thread | l->in.thread);
	/* Perfetto recognizes idle threads by priority and process. */
	if (!l->out.thread && l->out_priority)
		check_idle(p, rec, "is switched out");
	if (!l->in.thread && l->in_priority)
		check_idle(p, rec, "is switched in");
}

void check_perfetto_content(struct check_perfetto *p, const struct fxt_record *rec,
			    const struct fxt_content *c)
{
	if (p->is_dropped)
		return;
	if (c->kind >= FXT_KIND_INSTANT && c->kind <= FXT_KIND_FLOW_END)
		check_koid(p, rec, c->thread.process | c->thread.thread);
	switch (c->kind) {
	case FXT_KIND_KERNEL_OBJECT:
		check_object(p, rec, c);
		break;
	case FXT_KIND_INSTANT:
		check_instant(p, c);
		break;
	case FXT_KIND_DURATION_COMPLETE:
		check_complete(p, c);
		break;
	case FXT_KIND_LEGACY_SWITCH:
		check_legacy(p, rec, &c->legacy);
		break;
	case FXT_KIND_PROVIDER_EVENT:
		if (c->event == FXT_PROVIDER_EVENT_BUFFER_FULL)
			add(&p->provider_events, rec);
		break;
	default:
		break;
	}
}

void check_perfetto_deviation(struct check_perfetto *p, const struct fxt_deviation *d)
{
	struct check_sum at = { 1, d->offset, d->record };

	if (d->offset < p->importer.next || p->importer.has_ended)
		return;
	if (d->kind == FXT_DEV_SIZE_ZERO)
		tell(p, PERFETTO_SIZE_ZERO, &at, "a record of size 0, at which Perfetto ends the load");
	/* Perfetto waits for the rest of a record that is longer than the archive. */
	if (d->kind == FXT_DEV_SIZE_ZERO || d->kind == FXT_DEV_PAST_END)
		importer_end(&p->importer);
}

void check_perfetto_finding(struct check_perfetto *p, const struct sched_finding *f)
{
	struct check_sum *sum;

	if (f->violation && (f->kind == SCHED_WOKEN_RUNNING || f->kind == SCHED_WOKEN_RUNNABLE))
		sum = &p->woken;
	else if (f->kind == SCHED_UNNAMED)
		sum = &p->unnamed;
	else
		return;
	if (!sum->count) {
		sum->offset = f->offset;
		sum->record = CHECK_NO_NUMBER;
	}
	sum->count += f->count;
}

void check_perfetto_renamed(struct check_perfetto *p, const struct fxt_record *rec,
			    uint64_t thread)
{
	uint64_t untold = 0;

	add(&p->renamed, rec);
	koids_get(&p->renames, thread, &untold);
	/* Without memory, it stays unreported. */
	koids_set(&p->renames, thread, untold + 1);
}

void check_perfetto_end(struct check_perfetto *p)
{
	if (p->woken.count)
		tell(p, PERFETTO_WOKEN_RUNNING, &p->woken,
		     "threads that run or wait for a CPU are woken (%" PRIu64 "): Perfetto ends their state there",
		     p->woken.count);
	if (p->provider_events.count > p->loss_slices) {
		p->provider_events.count -= p->loss_slices;
		tell(p, PERFETTO_LOSS_UNSEEN, &p->provider_events,
		     "losses are told by provider events only (%" PRIu64 "), which Perfetto does not show",
		     p->provider_events.count);
	}
	if (p->koids.count)
		tell(p, PERFETTO_KOID, &p->koids,
		     "koids of more than 32 bits (in %" PRIu64 " records), which Perfetto cuts",
		     p->koids.count);
	if (p->unnamed.count)
		tell(p, PERFETTO_UNNAMED, &p->unnamed,
		     "threads without a kernel object (%" PRIu64 ") are shown without name and process",
		     p->unnamed.count);
	if (p->renamed.count)
		tell(p, PERFETTO_RENAMED, &p->renamed,
		     "threads change their names and no instant tells it (%" PRIu64 "): Perfetto shows the last name throughout",
		     p->renamed.count);
	koids_free(&p->renames);
	importer_free(&p->importer);
}

unsigned int check_perfetto_stats(const struct check_perfetto *p,
				  struct check_stat stats[STAT_COUNT])
{
	static const char * const names[] = {
#define STAT_NAME(number, name) [number] = name,
		CHECK_STATS(STAT_NAME)
#undef STAT_NAME
	};
	unsigned int i, n = 0;

	for (i = 0; i < STAT_COUNT; i++)
		if (p->stats[i])
			stats[n++] = (struct check_stat){ names[i], p->stats[i] };
	return n;
}
