// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stats.c - see stats.h. fxt-collect(1) documents the members of the JSON object. Members may be
 * added; none changes its meaning.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/array.h"
#include "liboutput/json.h"
#include "output/output.h"
#include "stats.h"

/* --- sums ------------------------------------------------------------------------------- */

int summary_add(struct summary *s, const struct stream_stats *stats)
{
	if (array_grow(s->streams, s->stream_count))
		return -ENOMEM;
	s->streams[s->stream_count++] = *stats;
	return 0;
}

struct summary_counts summary_count(const struct summary *s)
{
	struct summary_counts c = { 0 };
	size_t i;

	for (i = 0; i < s->stream_count; i++) {
		c.switches += s->streams[i].switches;
		c.wakeups += s->streams[i].wakeups;
		c.events += s->streams[i].events;
		c.names += s->streams[i].names;
		c.folded += s->streams[i].folded;
		c.lost += s->streams[i].lost;
		c.cpus += s->streams[i].stream != FXT_LEDGER_STREAM_NAMES;
	}
	return c;
}

bool summary_lacks(const struct summary *s)
{
	return summary_count(s).lost || s->missed || s->skipped || s->user_stacks_dropped ||
	       s->sleep_stacks_dropped ||
	       s->mappings_left_out || s->processes_unread || s->frames_left_out ||
	       s->mappings_lost || s->quotas.cgroups || s->quotas.samples;
}

/* --- for machines ----------------------------------------------------------------------- */

static void put_text(struct json *j, const char *name, const char *text)
{
	if (text)
		json_string(j, name, text);
	else
		json_null(j, name);
}

static void put_streams(struct json *j, const struct summary *s)
{
	size_t i;

	json_array(j, "streams");
	for (i = 0; i < s->stream_count; i++) {
		const struct stream_stats *t = &s->streams[i];

		if (t->stream == FXT_LEDGER_STREAM_NAMES)
			continue;
		json_item(j);
		json_begin(j, '{');
		json_whole_number(j, "cpu", t->stream);
		json_whole_number(j, "switches", t->switches);
		json_whole_number(j, "wakeups", t->wakeups);
		json_whole_number(j, "events", t->events);
		json_whole_number(j, "lost", t->lost);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void put_trigger(struct json *j, const struct options *o, const struct summary *s)
{
	const struct summary_wait *w = &s->longest;

	if (o->trigger)
		json_boolean(j, "trigger_fired", s->fired);
	else
		json_null(j, "trigger_fired");
	if (!w->latency) {
		json_null(j, "trigger_longest_wait");
		return;
	}
	json_object(j, "trigger_longest_wait");
	json_whole_number(j, "time_ns", w->time);
	json_whole_number(j, "latency_ns", w->latency);
	json_whole_number(j, "thread", w->thread);
	put_text(j, "name", w->comm);
	json_whole_number(j, "cpu", w->cpu);
	json_boolean(j, "open", w->goes_on);
	json_end(j, '}');
}

static void put_counts(struct json *j, const struct summary *s)
{
	struct summary_counts c = summary_count(s);

	json_whole_number(j, "cpus", c.cpus);
	json_whole_number(j, "switches", c.switches);
	json_whole_number(j, "wakeups", c.wakeups);
	json_whole_number(j, "events", c.events);
	json_whole_number(j, "name_records", c.names);
	json_whole_number(j, "renames_folded", c.folded);
	json_whole_number(j, "lost", c.lost);
	json_whole_number(j, "skipped", s->skipped);
	json_whole_number(j, "user_stacks_dropped", s->user_stacks_dropped);
	json_whole_number(j, "sleep_stacks_dropped", s->sleep_stacks_dropped);
	json_whole_number(j, "stacks_checked", s->stack_checks.stacks);
	json_whole_number(j, "stacks_wrong", s->stack_checks.wrong);
	json_whole_number(j, "mappings_lost", s->mappings_lost);
	json_whole_number(j, "processes_unread", s->processes_unread);
	json_whole_number(j, "frames_left_out", s->frames_left_out);
	json_whole_number(j, "stacks_incomplete", s->stacks_incomplete);
	json_whole_number(j, "threads", s->threads);
	json_whole_number(j, "processes", s->processes);
	json_whole_number(j, "files", s->files);
	json_whole_number(j, "snapshots_missed", s->missed);
	json_whole_number(j, "triggers_ignored", s->ignored);
	json_whole_number(j, "quotas_left_out", s->quotas.cgroups);
	json_whole_number(j, "quota_counts_forgotten", s->quotas.samples);
}

static void put_document(struct json *j, const struct options *o, const char *source,
			 const struct summary *s)
{
	json_begin(j, '{');
	put_text(j, "collector", FXT_VERSION);
	put_text(j, "source", source);
	json_boolean(j, "complete", !s->error);
	put_text(j, "error", s->error);
	json_whole_number(j, "duration_ns", s->duration);
	put_counts(j, s);
	put_trigger(j, o, s);
	put_text(j, "path", s->path);
	json_whole_number(j, "file_bytes", s->bytes);
	json_whole_number(j, "archive_bytes", s->archive_bytes);
	json_whole_number(j, "buffer_bytes", o->config.subbuf_size * o->config.subbuf_count);
	put_streams(j, s);
	json_end(j, '}');
	out_char(j->o, '\n');
}

static int write_document(struct output *out, const struct options *o, const char *source,
			  const struct summary *s)
{
	struct out *text = malloc(sizeof(*text));
	struct json j = { .o = text, .is_more = false };
	int ret;

	if (!text)
		return -ENOMEM;
	out_open_sink(text, output_write, out);
	put_document(&j, o, source, s);
	ret = out_close(text);
	free(text);
	return ret;
}

int stats_write(struct output *out, const struct options *o, const char *source,
		const struct summary *s, struct error *e)
{
	int ret, err;

	if (!out)
		return 0;
	ret = write_document(out, o, source, s);
	err = output_close(out, true);
	ret = ret ? ret : err;
	if (!ret)
		return 0;
	return fail(e, EXIT_FAILED, ret, "cannot write the statistics to %s: %s",
		    o->stats, strerror(-ret));
}
