// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * survey.c - the properties of an archive that a merge needs.
 *
 * In: one walk over its records.
 * Out: its machine and boot, the counts at which its streams begin and end, and the
 * numbers of CPUs and koids in use.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/array.h"
#include "sched/kernel_event.h"
#include "walk/filter.h"
#include "merge.h"

struct survey {
	struct merge *m;
	struct merge_input *in;
};

bool merge_ledger(const struct fxt_content *c, struct fxt_ledger *l)
{
	__u64 words[FXT_LEDGER_WORDS] = { FXT_LEDGER_HEADER };

	if (c->name.known != FXT_STR_LEDGER || c->blob.bytes != FXT_LEDGER_BYTES)
		return false;
	memcpy(words + 1, c->blob.data, FXT_LEDGER_BYTES);
	return fxt_sched_get_ledger(words, l);
}

/* --- the description of the archive -------------------------------------------- */

/* The command line knows better. */
static void take_clock(struct merge_input *in, const char *name, size_t length)
{
	static const struct {
		const char *name;
		enum merge_clock clock;
	} clocks[] = {
		{ "boot", MERGE_CLOCK_BOOT }, { "tsc", MERGE_CLOCK_BOOT }, { "mono", MERGE_CLOCK_MONO },
		{ "LINUX_CLOCK_BOOTTIME", MERGE_CLOCK_BOOT },
		{ "LINUX_CLOCK_MONOTONIC", MERGE_CLOCK_MONO },
	};
	size_t i;

	for (i = 0; !in->has_clock && i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (strlen(clocks[i].name) == length && !memcmp(clocks[i].name, name, length))
			in->clock = clocks[i].clock;
}

static const char *after_spaces(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
		at++;
	return at;
}

/* A trace in JSON may name its clock: {"clock-domain":"LINUX_CLOCK_MONOTONIC"}. */
static void take_metadata(struct merge_input *in, const struct fxt_content *c)
{
	static const char key[] = "\"clock-domain\"";
	const char *at = memmem(c->blob.data, c->blob_held, key, sizeof(key) - 1), *quote;
	const char *end = (const char *)c->blob.data + c->blob_held;

	if (!at)
		return;
	at = after_spaces(at + sizeof(key) - 1, end);
	if (at == end || *at++ != ':')
		return;
	at = after_spaces(at, end);
	if (at == end || *at++ != '"')
		return;
	quote = memchr(at, '"', end - at);
	if (quote)
		take_clock(in, at, quote - at);
}

static void take_line(struct merge_input *in, const char *line, size_t length)
{
	char text[128];

	snprintf(text, sizeof(text), "%.*s", (int)length, line);
	if (!strncmp(text, "host ", 5))
		snprintf(in->host, sizeof(in->host), "%.63s", text + 5);
	else if (!strncmp(text, "boot ", 5))
		snprintf(in->boot, sizeof(in->boot), "%.63s", text + 5);
	else if (sscanf(text, "epoch %" SCNu64, &in->epoch) == 1)
		in->has_epoch = true;
	else if (!strncmp(text, "clock ", 6))
		take_clock(in, text + 6, strlen(text + 6));
	else if (sscanf(text, "suspended %" SCNu64, &in->suspended) == 1)
		in->has_suspended = true;
}

static void take_session(struct merge_input *in, const struct fxt_content *c)
{
	const char *line = c->blob.data, *stop;
	size_t left = c->blob.bytes, length;

	in->has_session = true;
	for (; left; line += length, left -= length) {
		stop = memchr(line, '\n', left);
		length = stop ? (size_t)(stop - line) : left;
		take_line(in, line, length);
		length += !!stop;
	}
}

static int take_ledger(struct merge_input *in, const struct fxt_ledger *l)
{
	struct merge_stream *s = merge_find_stream(in->streams, in->stream_count, l->stream);

	in->has_ledgers = true;
	if (l->stream == FXT_LEDGER_STREAM_NAMES)
		return 0;
	if (l->stream >= in->cpus)
		in->cpus = l->stream + 1;
	if (!s) {
		if (array_grow(in->streams, in->stream_count))
			return -ENOMEM;
		s = &in->streams[in->stream_count++];
		*s = (struct merge_stream){ .stream = l->stream };
		s->has_opening = l->kind == FXT_LEDGER_OPENING;
		s->opening = *l;
	}
	s->is_closed = l->kind == FXT_LEDGER_CLOSING;
	if (s->is_closed)
		s->closing = *l;
	return 0;
}

/* --- the numbers in use -------------------------------------------------------- */

static void note_koid(struct merge_input *in, uint64_t koid)
{
	if (koid > in->most && !kernel_event_is_track(koid))
		in->most = koid;
}

static void note_cpu(struct merge_input *in, unsigned int cpu)
{
	if (cpu >= in->cpus)
		in->cpus = cpu + 1;
}

static void note_thread(struct merge_input *in, const struct fxt_thread_id *id)
{
	note_koid(in, id->process);
	note_koid(in, id->thread);
}

static void note_numbers(struct merge_input *in, const struct fxt_content *c)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++) {
		if (c->args[i].type == FXT_ARG_KOID)
			note_koid(in, c->args[i].u64);
		else if (merge_is_cpu(c, &c->args[i]) && c->args[i].u64 < MERGE_CPUS)
			note_cpu(in, c->args[i].u64);
	}
	switch (c->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
		note_cpu(in, c->sw.cpu);
		note_koid(in, c->sw.out);
		note_koid(in, c->sw.in);
		break;
	case FXT_KIND_THREAD_WAKEUP:
		note_cpu(in, c->wakeup.cpu);
		note_koid(in, c->wakeup.thread);
		break;
	case FXT_KIND_COUNTER:
		if (filter_counts_cpu(c) || kernel_event_counts_cpu(c))
			note_cpu(in, c->id);
		note_thread(in, &c->thread);
		break;
	case FXT_KIND_LEGACY_SWITCH:
		note_cpu(in, c->legacy.cpu);
		note_thread(in, &c->legacy.out);
		note_thread(in, &c->legacy.in);
		break;
	case FXT_KIND_KERNEL_OBJECT:
		note_koid(in, c->object);
		break;
	default:
		note_thread(in, &c->thread);
	}
}

static void note_time(struct merge_input *in, const struct fxt_content *c, uint64_t rate)
{
	uint64_t ns = fxt_ticks_to_ns(c->time, rate);

	if (!filter_describes(c->kind)) {
		in->first = ns < in->first ? ns : in->first;
		in->last = ns > in->last ? ns : in->last;
	}
	if (in->has_rate && in->rate != rate)
		in->rate = 0;
	else if (!in->has_rate)
		in->rate = rate;
	in->has_rate = true;
}

static int survey_record(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct survey *s = arg;
	struct fxt_content *c = &s->m->f.content;
	struct fxt_ledger l;
	int ret = rewrite_take(&s->m->f, r, rec);

	if (ret <= 0)
		return ret;
	if (fxt_kind_has_time(c->kind) || c->kind == FXT_KIND_LARGE_BLOB)
		note_time(s->in, c, rec->provider->ticks_per_second);
	if (c->kind != FXT_KIND_BLOB)
		note_numbers(s->in, c);
	else if (merge_ledger(c, &l))
		return take_ledger(s->in, &l);
	else if (c->name.known == FXT_STR_SESSION && !s->in->has_session)
		take_session(s->in, c);
	else if (fxt_text_is(&c->name, "metadata"))
		take_metadata(s->in, c);
	return 0;
}

int merge_survey(struct merge *m, struct merge_input *in)
{
	struct survey s = { m, in };
	int status, ret;

	in->first = UINT64_MAX;
	status = io_rereadable(&in->io);
	if (status)
		return status;
	status = io_open(&in->io);
	if (status)
		return status;
	ret = io_walk(&in->io, NULL, survey_record, &s);
	if (ret)
		return archive_close(&in->io.a, ret);
	archive_drop(&in->io.a);
	return VERB_DONE;
}
