// SPDX-License-Identifier: GPL-2.0-or-later
/* archive.c - writes the archive of another tracer's recording. See import.h. */
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

void trace_archive_record(struct trace_archive *a, const void *rec, uint32_t words)
{
	int ret = fxt_writer_put(a->w, rec, words * FXT_WORD);

	a->error = a->error ? a->error : ret;
}

/* --- streams -------------------------------------------------------------------------- */

static struct trace_stream *add_stream(struct trace_archive *a, uint32_t cpu)
{
	struct trace_stream *s = &a->streams[cpu];

	s->p.stream = cpu == TRACE_CPUS ? FXT_LEDGER_STREAM_NAMES : cpu;
	s->p.provider = FXT_SCHED_PROVIDER_ID;
	if (cpu < TRACE_CPUS && cpu >= a->count)
		a->count = cpu + 1;
	return s;
}

static void write_loss(struct trace_archive *a, struct trace_stream *s, uint64_t to)
{
	s->p.begun = a->first;
	s->p.written += s->pending;
	fxt_loss_write(a->w, &s->p, s->pending, to > s->p.last ? to : s->p.last, &a->loss_names);
	s->pending = 0;
}

static void flush_stream(struct trace_archive *a, struct trace_stream *s)
{
	if (!s->used)
		return;
	fxt_ledger_write(a->w, &s->p, FXT_LEDGER_HEAD, s->time);
	trace_archive_record(a, s->words, s->used);
	s->p.next++;
	s->p.written += s->records;
	s->p.last = s->chunk_last;
	s->used = 0;
	s->records = 0;
}

static void flush_all(struct trace_archive *a)
{
	uint32_t i;

	flush_stream(a, &a->streams[TRACE_CPUS]);
	for (i = 0; i < a->count; i++)
		flush_stream(a, &a->streams[i]);
}

__u64 *trace_archive_room(struct trace_archive *a, uint32_t cpu)
{
	struct trace_stream *s = &a->streams[cpu];

	if (!s->words) {
		add_stream(a, cpu);
		s->words = must(malloc(TRACE_CHUNK_WORDS * sizeof(*s->words)));
	}
	return s->words + s->used;
}

void trace_archive_add(struct trace_archive *a, uint32_t cpu, uint64_t ns, uint32_t words,
		       uint32_t records)
{
	struct trace_stream *s = &a->streams[cpu];

	/* The chunk before the loss was written when the loss was found. */
	if (__builtin_expect(s->pending, 0))
		write_loss(a, s, ns);
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

void trace_archive_begin(struct trace_archive *a, uint32_t cpu, uint64_t ns, uint32_t words)
{
	struct trace_stream *s = &a->streams[cpu];

	fxt_ledger_write(a->w, &s->p, FXT_LEDGER_OPENING, ns);
	trace_archive_record(a, s->words, words);
	a->first = ns < a->first ? ns : a->first;
	a->last = ns > a->last ? ns : a->last;
}

void trace_archive_lost(struct trace_archive *a, uint32_t cpu, uint64_t events)
{
	struct trace_stream *s = add_stream(a, cpu);

	flush_stream(a, s);
	s->pending += events;
	a->lost += events;
}

/* CPUs without records and losses have no stream. */
static void end_stream(struct trace_archive *a, struct trace_stream *s)
{
	if (!s->words && !s->pending)
		return;
	write_loss(a, s, a->last);
	fxt_ledger_write(a->w, &s->p, FXT_LEDGER_CLOSING, a->last);
}

void trace_archive_end(struct trace_archive *a)
{
	uint32_t i;

	flush_all(a);
	for (i = 0; i < a->count; i++)
		end_stream(a, &a->streams[i]);
	end_stream(a, &a->streams[TRACE_CPUS]);
}

int trace_archive_close(struct trace_archive *a)
{
	int ret = fxt_writer_close(a->w);
	uint32_t i;

	for (i = 0; i <= TRACE_CPUS; i++)
		free(a->streams[i].words);
	return ret;
}
