// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stats.c - see stats.h.
 *
 * In: the summary. Out: one JSON object; fxt-collect(1) documents its members. Members
 * may be added; none changes its meaning.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/array.h"
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
	       s->mappings_left_out || s->frames_left_out ||
	       s->mappings_lost || s->quotas.cgroups || s->quotas.samples;
}

/* --- for machines ----------------------------------------------------------------------- */

static void add_number(struct json_object *o, const char *key, uint64_t value)
{
	json_object_object_add(o, key, json_object_new_uint64(value));
}

static void add_text(struct json_object *o, const char *key, const char *value)
{
	json_object_object_add(o, key, value ? json_object_new_string(value) : NULL);
}

static struct json_object *streams_of(const struct summary *s)
{
	struct json_object *all = json_object_new_array(), *one;
	size_t i;

	for (i = 0; i < s->stream_count; i++) {
		const struct stream_stats *t = &s->streams[i];

		if (t->stream == FXT_LEDGER_STREAM_NAMES)
			continue;
		one = json_object_new_object();
		add_number(one, "cpu", t->stream);
		add_number(one, "switches", t->switches);
		add_number(one, "wakeups", t->wakeups);
		add_number(one, "events", t->events);
		add_number(one, "lost", t->lost);
		json_object_array_add(all, one);
	}
	return all;
}

static struct json_object *longest_of(const struct summary *s)
{
	const struct summary_wait *w = &s->longest;
	struct json_object *d;

	if (!w->latency)
		return NULL;
	d = json_object_new_object();
	add_number(d, "time_ns", w->time);
	add_number(d, "latency_ns", w->latency);
	add_number(d, "thread", w->thread);
	add_text(d, "name", w->comm);
	add_number(d, "cpu", w->cpu);
	json_object_object_add(d, "open", json_object_new_boolean(w->goes_on));
	return d;
}

static struct json_object *document(const struct options *o, const char *source,
				    const struct summary *s)
{
	struct summary_counts c = summary_count(s);
	struct json_object *d = json_object_new_object();

	add_text(d, "collector", FXT_VERSION);
	add_text(d, "source", source);
	json_object_object_add(d, "complete", json_object_new_boolean(!s->error));
	add_text(d, "error", s->error);
	add_number(d, "duration_ns", s->duration);
	add_number(d, "cpus", c.cpus);
	add_number(d, "switches", c.switches);
	add_number(d, "wakeups", c.wakeups);
	add_number(d, "events", c.events);
	add_number(d, "name_records", c.names);
	add_number(d, "renames_folded", c.folded);
	add_number(d, "lost", c.lost);
	add_number(d, "skipped", s->skipped);
	add_number(d, "user_stacks_dropped", s->user_stacks_dropped);
	add_number(d, "stacks_checked", s->stack_checks.stacks);
	add_number(d, "stacks_wrong", s->stack_checks.wrong);
	add_number(d, "mappings_lost", s->mappings_lost);
	add_number(d, "frames_left_out", s->frames_left_out);
	add_number(d, "stacks_incomplete", s->stacks_incomplete);
	add_number(d, "threads", s->threads);
	add_number(d, "processes", s->processes);
	add_number(d, "files", s->files);
	add_number(d, "snapshots_missed", s->missed);
	add_number(d, "quotas_left_out", s->quotas.cgroups);
	add_number(d, "quota_counts_forgotten", s->quotas.samples);
	json_object_object_add(d, "trigger_fired", o->trigger ?
			       json_object_new_boolean(s->fired) : NULL);
	json_object_object_add(d, "trigger_longest_wait", longest_of(s));
	add_text(d, "path", s->path);
	add_number(d, "file_bytes", s->bytes);
	add_number(d, "archive_bytes", s->archive_bytes);
	add_number(d, "buffer_bytes", o->config.subbuf_size * o->config.subbuf_count);
	json_object_object_add(d, "streams", streams_of(s));
	return d;
}

int stats_write(struct output *out, const struct options *o, const char *source,
		const struct summary *s, struct error *e)
{
	struct json_object *d;
	const char *text;
	int ret, err;

	if (!out)
		return 0;
	d = document(o, source, s);
	text = json_object_to_json_string_ext(d, JSON_C_TO_STRING_PLAIN |
						 JSON_C_TO_STRING_NOSLASHESCAPE);
	ret = output_write(out, text, strlen(text));
	if (!ret)
		ret = output_write(out, "\n", 1);
	json_object_put(d);
	err = output_close(out, true);
	if (!ret)
		ret = err;
	if (!ret)
		return 0;
	return fail(e, EXIT_FAILED, ret, "cannot write the statistics to %s: %s",
		    o->stats, strerror(-ret));
}
