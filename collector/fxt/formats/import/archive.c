// SPDX-License-Identifier: GPL-2.0-or-later
/* archive.c - writes the archive of what another tracer has recorded. See import.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/writer/losses.h"
#include "sched/types.h"
#include "terminal/memory.h"
#include "import.h"

void trace_archive_open(struct trace_archive *a, int fd, const char *from)
{
	char session[128];

	must_fit(fxt_writer_open(&a->w, fd));
	a->first = UINT64_MAX;
	if (!a->is_part)
		fxt_writer_magic(a->w);
	fxt_writer_provider(a->w, FXT_SCHED_PROVIDER_ID, FXT_SCHED_PROVIDER_NAME);
	fxt_writer_initialization(a->w, TRACE_TICKS_PER_SECOND);
#define WRITE_STRING(index, text) fxt_writer_string(a->w, index, text);
	FXT_SCHED_STRINGS(WRITE_STRING)
#undef WRITE_STRING
	snprintf(session, sizeof(session), "tool fxt " FXT_VERSION "\nsource %s\n%s%s%s", from,
		 a->clock ? "clock " : "", a->clock ? a->clock : "", a->clock ? "\n" : "");
	fxt_writer_blob(a->w, FXT_STR_SESSION, session, strlen(session));
}

/* The writer keeps its first error, too, which matters only when it ends. */
static void put(struct trace_archive *a, const void *rec, size_t words)
{
	int ret = fxt_writer_put(a->w, rec, words * FXT_WORD);

	a->error = a->error ? a->error : ret;
}

/* --- losses ----------------------------------------------------------------------- */

/* Write a loss as a slice from the last record before the gap to @to, and end the run there. */
static void write_loss(struct trace_archive *a, uint32_t cpu, uint64_t to)
{
	struct trace_stream *s = &a->streams[cpu];
	struct fxt_loss loss = {
		.stream = cpu,
		.provider = FXT_SCHED_PROVIDER_ID,
		.records = s->pending,
		.last = s->last,
		.begin = a->first < to ? a->first : to,
		.end = to > s->last ? to : s->last,
		.thread = s->last ? s->in : 0,
		.weight = s->in_weight,
	};

	if (!s->pending)
		return;
	s->written += s->pending;
	s->lost += s->pending;
	s->pending = 0;
	s->has_in &= s->in != 0;
	if (loss.thread)
		trace_archive_hides(a, cpu);
	fxt_loss_write(a->w, &loss, &a->loss_names);
}

/* --- chunks -------------------------------------------------------------------------- */

static void put_ledger(struct trace_archive *a, uint32_t cpu, enum fxt_ledger_kind kind,
		       uint64_t time)
{
	struct trace_stream *s = &a->streams[cpu];
	struct fxt_ledger ledger = {
		.stream = cpu == TRACE_CPUS ? FXT_LEDGER_STREAM_NAMES : cpu,
		.kind = kind,
		.sequence = s->sequence,
		.time = time,
		.last = s->last,
		.written = s->written,
		.lost = s->lost,
	};

	fxt_ledger_write(a->w, &ledger);
}

static void flush_stream(struct trace_archive *a, uint32_t cpu)
{
	struct trace_stream *s = &a->streams[cpu];

	if (!s->used)
		return;
	put_ledger(a, cpu, FXT_LEDGER_HEAD, s->time);
	put(a, s->words, s->used);
	s->sequence++;
	s->written += s->records;
	s->last = s->chunk_last;
	s->used = 0;
	s->records = 0;
}

static void flush_all(struct trace_archive *a)
{
	uint32_t i;

	flush_stream(a, TRACE_CPUS);
	for (i = 0; i < a->count; i++)
		flush_stream(a, i);
}

__u64 *trace_archive_room(struct trace_archive *a, uint32_t cpu)
{
	struct trace_stream *s = &a->streams[cpu];

	if (!s->words) {
		s->words = must(malloc(TRACE_CHUNK_WORDS * sizeof(*s->words)));
		if (cpu < TRACE_CPUS && cpu >= a->count)
			a->count = cpu + 1;
	}
	return s->words + s->used;
}

void trace_archive_add(struct trace_archive *a, uint32_t cpu, uint64_t ns, uint32_t words,
		       uint32_t records)
{
	struct trace_stream *s = &a->streams[cpu];

	/* The chunk before the loss was written when the loss was found. */
	if (__builtin_expect(s->pending, 0))
		write_loss(a, cpu, ns);
	if (!s->used)
		s->time = ns;
	s->chunk_last = ns;
	s->used += words;
	s->records += records;
	if (cpu != TRACE_CPUS) {
		a->first = ns < a->first ? ns : a->first;
		a->last = ns > a->last ? ns : a->last;
	}
	if (__builtin_expect(s->used > TRACE_CHUNK_WORDS - TRACE_RECORD_WORDS, 0))
		flush_all(a);
}

void trace_archive_lost(struct trace_archive *a, uint32_t cpu, uint64_t events)
{
	flush_stream(a, cpu);
	if (cpu >= a->count)
		a->count = cpu + 1;
	a->streams[cpu].pending += events;
	a->lost += events;
}

/* CPUs without records and losses have no stream. */
static bool is_known(const struct trace_stream *s)
{
	return s->words || s->pending;
}

void trace_archive_end(struct trace_archive *a)
{
	uint32_t i;

	flush_all(a);
	for (i = 0; i < a->count; i++) {
		if (!is_known(&a->streams[i]))
			continue;
		write_loss(a, i, a->last);
		put_ledger(a, i, FXT_LEDGER_CLOSING, a->last);
	}
	if (is_known(&a->streams[TRACE_CPUS]))
		put_ledger(a, TRACE_CPUS, FXT_LEDGER_CLOSING, a->last);
}

void trace_archive_object(struct trace_archive *a, const void *rec, uint32_t words)
{
	put(a, rec, words);
}

int trace_archive_close(struct trace_archive *a)
{
	int ret = fxt_writer_close(a->w);
	uint32_t i;

	for (i = 0; i <= TRACE_CPUS; i++)
		free(a->streams[i].words);
	return ret;
}
