// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * print.c - struct info, for people and as JSON. Members of the JSON object do not change; "bytes"
 * are those after decompression.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fxt/fxt_catalogue.h>
#include <fxt/fxt_sched.h>
#include <linux/fxt_sched.h>

#include "libfxt/clock.h"
#include "sched/session_text.h"
#include "liboutput/json.h"
#include "info.h"

/* ns in which it is unknown what a CPU did */
static uint64_t unknown_ns(const struct info *info, const struct info_cpu *cpu)
{
	uint64_t known = cpu->busy + cpu->idle + cpu->offline;

	return info->window > known ? info->window - known : 0;
}

static bool next_line(const struct info *info, const char **at, struct session_line *l)
{
	return session_next(at, info->session + info->session_bytes, l);
}

/* These lines come first, in this order; others follow in file order. */
static const char *const keys[] = {
	"host", "kernel", "collector", "source", "clock", "weight", "wakeups", "buffer", "mode",
	"trigger", "filter",
};

#define KEYS	(sizeof(keys) / sizeof(keys[0]))

/* The index in @keys; KEYS + 1 for keys of clocks; KEYS for other keys. */
static size_t key_number(const struct session_line *l)
{
	size_t i;

	for (i = 0; i < KEYS && !session_has_key(l, keys[i]); i++)
		;
	return session_has_key(l, "epoch") || session_has_key(l, "epoch_error") ||
	       session_has_key(l, "suspended") ? KEYS + 1 : i;
}

/* Print the lines of one key; for KEYS, of all keys that are not in @keys. */
static void print_session(struct out *o, const struct info *info, size_t key)
{
	const char *at = info->session;
	struct session_line l;

	while (next_line(info, &at, &l)) {
		if ((!l.key_length && !l.value) || key_number(&l) != key)
			continue;
		out_safe(o, l.key, l.key_length);
		if (l.value) {
			out_printf(o, "%*s", l.key_length < 12 ? (int)(12 - l.key_length) : 1, "");
			out_safe(o, l.value, l.length);
		}
		out_char(o, '\n');
	}
}

static void print_cause(struct out *o, const struct info_trigger *t)
{
	const char *interrupt = sched_cause_interrupt(t->cause);
	bool sleeps = sched_cause_sleeps(t->cause);

	if (t->cause == FXT_SCHED_CAUSE_RUNNABLE)
		out_printf(o, " ran while %" PRIu64 " threads were runnable", t->value);
	else if (interrupt)
		out_printf(o, " was interrupted for %.3f ms by a %s interrupt", t->value / 1e6,
			   interrupt);
	else
		out_printf(o, " %s %.3f ms%s%s", sleeps ? "slept" : "waited", t->value / 1e6,
			   sched_cause_how(t->cause), !t->goes_on ? "" : sleeps ?
			   ", and was still sleeping," : ", and was still waiting,");
}

static void print_marks(struct out *o, const struct info *info)
{
	unsigned int i;

	for (i = 0; i < info->trigger_count; i++) {
		const struct info_trigger *t = &info->triggers[i];

		out_printf(o, "trigger: thread %" PRIu64, t->thread);
		if (*t->name) {
			out_str(o, " (");
			out_safe_text(o, t->name);
			out_char(o, ')');
		}
		print_cause(o, t);
		out_printf(o, " on cpu %" PRIu64 " at ", t->cpu);
		out_seconds(o, t->time);
		out_str(o, " s\n");
	}
	if (info->complete == UINT64_MAX)
		return;
	out_str(o, "complete from: ");
	out_seconds(o, info->complete);
	out_str(o, " s\n");
}

/* "epoch": ns since 1970 at time 0 of the archive. */
static void print_date(struct out *o, const struct info *info)
{
	size_t length, i;
	const char *value = session_value(info->session, info->session_bytes, "epoch",
					  &length);
	uint64_t ns = 0;
	char text[64];
	struct tm tm;
	time_t s;

	if (!value)
		return;
	for (i = 0; i < length; i++) {
		if (value[i] < '0' || value[i] > '9')
			return;
		ns = ns * 10 + (value[i] - '0');
	}
	s = (ns + info->first) / NS_PER_SECOND;
	if (!gmtime_r(&s, &tm) || !strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm))
		return;
	out_printf(o, "%-12s%s\n", "recorded", text);
}

static void print_span(struct out *o, const struct info *info)
{
	if (info->first > info->last)
		return;
	print_date(o, info);
	out_printf(o, "%-12s", "duration");
	out_seconds(o, info->last - info->first);
	out_str(o, " s, from ");
	out_seconds(o, info->first);
	out_str(o, " to ");
	out_seconds(o, info->last);
	out_char(o, '\n');
}

/* Print runs of numbers as 0-3,8. */
static void print_cpus(struct out *o, const struct info *info)
{
	unsigned int i, j, count = 0;
	const char *separator = "";

	for (i = 0; i < info->cpu_end; i++)
		count += info->cpus[i].is_there;
	if (!count)
		return;
	out_printf(o, "%-12s%u (", "CPUs", count);
	for (i = 0; i < info->cpu_end; i = j) {
		for (j = i; j < info->cpu_end && info->cpus[j].is_there; j++)
			;
		if (j == i) {
			j++;
			continue;
		}
		out_printf(o, j - i > 1 ? "%s%u-%u" : "%s%u", separator, i, j - 1);
		separator = ",";
	}
	out_str(o, ")\n");
}

static void print_kinds(struct out *o, const struct info *info)
{
	double all = info->totals.bytes ? info->totals.bytes : 1;
	unsigned int i;

	out_printf(o, "\n%-24s %12s %14s %7s %7s\n", "kind", "records", "bytes", "share", "each");
	for (i = 0; i < FXT_KIND_COUNT; i++) {
		const struct info_kind *k = &info->kinds[i];

		if (k->records)
			out_printf(o, "%-24s %12" PRIu64 " %14" PRIu64 " %6.2f%% %7.1f\n",
				   fxt_kind_name(i), k->records, k->bytes,
				   k->bytes / all * 100, (double)k->bytes / k->records);
	}
}

static void print_providers(struct out *o, const struct info *info)
{
	unsigned int i;

	out_printf(o, "\n%10s %12s %14s %14s  %s\n", "provider", "records", "bytes",
		   "ticks/s", "name");
	for (i = 0; i < info->provider_count; i++) {
		const struct info_provider *p = &info->providers[i];

		out_printf(o, "%10" PRIu32 " %12" PRIu64 " %14" PRIu64 " %14" PRIu64 "  ",
			   p->id, p->records, p->bytes, p->ticks_per_second);
		out_safe_text(o, p->name);
		out_char(o, '\n');
	}
	if (info->more_providers)
		out_printf(o, "%10s %12" PRIu64 "\n", "others", info->more_providers);
}

static void print_cpu_times(struct out *o, const struct info *info)
{
	double window = info->window ? info->window : 1;
	const struct info_cpu *cpu;
	bool any = false;

	for (cpu = info->cpus; cpu < info->cpus + info->cpu_end; cpu++) {
		if (!cpu->is_there)
			continue;
		if (!any)
			out_printf(o, "\n%10s %8s %8s %8s %8s\n", "cpu", "busy", "idle", "offline",
				   "unknown");
		any = true;
		out_printf(o, "%10u %7.2f%% %7.2f%% %7.2f%% %7.2f%%\n",
			   (unsigned int)(cpu - info->cpus), cpu->busy / window * 100,
			   cpu->idle / window * 100, cpu->offline / window * 100,
			   unknown_ns(info, cpu) / window * 100);
	}
}

static void print_losses(struct out *o, const struct info *info)
{
	uint64_t written = 0, lost = 0, before = 0;
	unsigned int i, streams = 0;

	for (i = 0; i < STREAMS; i = streams_next(info->stream_end, i)) {
		if (!info->streams[i].seen)
			continue;
		streams++;
		written += info->streams[i].written;
		lost += info->streams[i].lost;
		before += info->streams[i].before;
	}
	out_char(o, '\n');
	if (before)
		out_printf(o, "part of a recording: %" PRIu64 " older records are not in it\n",
			   before);
	if (streams)
		out_printf(o, "losses: %" PRIu64 " of %" PRIu64 " records, in %u streams\n",
			   lost, written, streams);
	else
		out_printf(o, "losses: not reported; buffers were full %" PRIu64 " times\n",
			   info->buffer_full);
	for (i = 0; i < STREAMS; i = streams_next(info->stream_end, i)) {
		if (!info->streams[i].lost)
			continue;
		if (i == FXT_LEDGER_STREAM_NAMES)
			out_str(o, "  names");
		else
			out_printf(o, "  cpu %u", i);
		out_printf(o, ": %" PRIu64 " of %" PRIu64 "\n", info->streams[i].lost,
			   info->streams[i].written);
	}
	if (info->totals.skipped || info->totals.skipped_bytes)
		out_printf(o, "malformed: %" PRIu64 " records, %" PRIu64 " bytes skipped\n",
			   info->totals.skipped, info->totals.skipped_bytes);
}

void info_print_text(struct out *o, const char *path, const struct info *info)
{
	size_t i;

	out_printf(o, "%-12s", "archive");
	out_safe_text(o, path);
	out_printf(o, "\n%-12s%" PRIu64 " bytes, %" PRIu64 " records, compression %s%s\n",
		   "size", info->totals.bytes, info->totals.records, info->compression,
		   info->swapped ? ", in the other byte order" : "");
	print_span(o, info);
	print_cpus(o, info);
	for (i = 0; i <= KEYS; i++)
		print_session(o, info, i);
	print_marks(o, info);
	print_kinds(o, info);
	print_providers(o, info);
	print_cpu_times(o, info);
	print_losses(o, info);
}

/* --- JSON ------------------------------------------------------------------------- */

static const struct schema number[] = { { .is = IS_NUMBER }, { 0 } };
static const struct schema text[] = { { .is = IS_TEXT }, { 0 } };

static const struct schema cpu_times[] = {
	MEMBER("cpu", IS_NUMBER),
	MEMBER("busy_ns", IS_NS),
	MEMBER("idle_ns", IS_NS),
	MEMBER("offline_ns", IS_NS),
	MEMBER("unknown_ns", IS_NS),
	{ 0 }
};

static const struct schema trigger[] = {
	MEMBER("time_ns", IS_TIME),
	MEMBER("thread", IS_NUMBER),
	MEMBER("name", IS_TEXT | OR_NULL),
	MEMBER("cpu", IS_NUMBER),
	MEMBER("latency_ns", IS_NS | OR_ABSENT),
	MEMBER("runnable", IS_NUMBER | OR_ABSENT, .about = "threads, instead of latency_ns"),
	MEMBER("cause", IS_WORD, .words = FXT_CAUSE_WORDS),
	MEMBER("open", IS_FLAG, .about = "the wait or sleep went on"),
	{ 0 }
};

static const struct schema provider[] = {
	MEMBER("id", IS_NUMBER),
	MEMBER("name", IS_TEXT),
	MEMBER("ticks_per_second", IS_NUMBER),
	MEMBER("records", IS_NUMBER),
	MEMBER("bytes", IS_NUMBER),
	{ 0 }
};

static const struct schema kind[] = {
	MEMBER("records", IS_NUMBER),
	MEMBER("bytes", IS_NUMBER),
	{ 0 }
};

static const struct schema stream[] = {
	MEMBER("stream", IS_NUMBER),
	MEMBER("written", IS_NUMBER),
	MEMBER("lost", IS_NUMBER),
	MEMBER("before", IS_NUMBER, .about = "records of other parts of the recording"),
	{ 0 }
};

const struct schema info_schema[] = {
	MEMBER("file", IS_TEXT),
	MEMBER("bytes", IS_NUMBER, .about = "after decompression, like all bytes here"),
	MEMBER("records", IS_NUMBER),
	MEMBER("compression", IS_TEXT),
	MEMBER("byte_order", IS_WORD, .words = "native|swapped"),
	MEMBER("first_ns", IS_TIME | OR_NULL,
	       .about = "null without time stamps, like the next two"),
	MEMBER("last_ns", IS_TIME | OR_NULL),
	MEMBER("duration_ns", IS_NS | OR_NULL),
	MEMBER("cpus", IS_LIST, .of = number),
	MEMBER("cpu_times", IS_LIST,
	       .about = "from the first to the last event of scheduling", .of = cpu_times),
	MEMBER("session", IS_MAP,
	       .about = "the description of the recording; several lines of a key are one text",
	       .of = text),
	MEMBER("triggers", IS_LIST, .of = trigger),
	MEMBER("complete_from_ns", IS_TIME | OR_NULL),
	MEMBER("providers", IS_LIST, .of = provider),
	MEMBER("kinds", IS_MAP, .about = "by kind of records", .of = kind),
	MEMBER("streams", IS_LIST, .of = stream),
	MEMBER("buffer_full", IS_NUMBER, .about = "events"),
	MEMBER("skipped", IS_NUMBER, .about = "malformed records"),
	MEMBER("skipped_bytes", IS_NUMBER),
	MEMBER("deviations", IS_NUMBER, .about = "from the format"),
	{ 0 }
};

#define KEY_BYTES	64

/* Join the lines from @l on that have its key to one string; @at is the next line. */
static void json_lines(struct json *j, const struct info *info, struct session_line l,
		       const char *at)
{
	const struct session_line first = l;
	char text[INFO_SESSION];
	size_t used = 0;

	do {
		if (!l.value || l.key_length != first.key_length || memcmp(l.key, first.key, l.key_length))
			continue;
		if (l.key != first.key)
			text[used++] = '\n';
		memcpy(text + used, l.value, l.length);
		used += l.length;
	} while (next_line(info, &at, &l));
	json_item(j);
	out_json(j->o, first.key, first.key_length);
	out_char(j->o, ':');
	out_json(j->o, text, used);
}

static bool is_first(const struct info *info, const struct session_line *l)
{
	const char *at = info->session;
	struct session_line before;

	while (next_line(info, &at, &before) && before.key != l->key)
		if (before.value && before.key_length == l->key_length &&
		    !memcmp(before.key, l->key, l->key_length))
			return false;
	return true;
}

static void json_session(struct json *j, const struct info *info)
{
	const char *at = info->session;
	struct session_line l;

	json_object(j, "session");
	while (next_line(info, &at, &l))
		if (l.value && l.key_length < KEY_BYTES && is_first(info, &l))
			json_lines(j, info, l, at);
	json_end(j, '}');
}

static void json_triggers(struct json *j, const struct info *info)
{
	unsigned int i;

	json_array(j, "triggers");
	for (i = 0; i < info->trigger_count; i++) {
		const struct info_trigger *t = &info->triggers[i];

		json_object(j, NULL);
		json_number(j, "time_ns", t->time);
		json_number(j, "thread", t->thread);
		json_text(j, "name", t->name);
		json_number(j, "cpu", t->cpu);
		json_number(j, t->cause == FXT_SCHED_CAUSE_RUNNABLE ? "runnable" : "latency_ns",
			    t->value);
		json_string(j, "cause", sched_cause_word(t->cause));
		json_boolean(j, "open", t->goes_on);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void json_cpus(struct json *j, const struct info *info)
{
	unsigned int i;

	json_array(j, "cpus");
	for (i = 0; i < info->cpu_end; i++)
		if (info->cpus[i].is_there)
			json_number(j, NULL, i);
	json_end(j, ']');
}

static void json_cpu_times(struct json *j, const struct info *info)
{
	const struct info_cpu *cpu;

	json_array(j, "cpu_times");
	for (cpu = info->cpus; cpu < info->cpus + info->cpu_end; cpu++) {
		if (!cpu->is_there)
			continue;
		json_object(j, NULL);
		json_number(j, "cpu", cpu - info->cpus);
		json_number(j, "busy_ns", cpu->busy);
		json_number(j, "idle_ns", cpu->idle);
		json_number(j, "offline_ns", cpu->offline);
		json_number(j, "unknown_ns", unknown_ns(info, cpu));
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void json_providers(struct json *j, const struct info *info)
{
	unsigned int i;

	json_array(j, "providers");
	for (i = 0; i < info->provider_count; i++) {
		const struct info_provider *p = &info->providers[i];

		json_object(j, NULL);
		json_number(j, "id", p->id);
		json_string(j, "name", p->name);
		json_number(j, "ticks_per_second", p->ticks_per_second);
		json_number(j, "records", p->records);
		json_number(j, "bytes", p->bytes);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void json_streams(struct json *j, const struct info *info)
{
	unsigned int i;

	json_array(j, "streams");
	for (i = 0; i < STREAMS; i = streams_next(info->stream_end, i)) {
		if (!info->streams[i].seen)
			continue;
		json_object(j, NULL);
		json_number(j, "stream", i);
		json_number(j, "written", info->streams[i].written);
		json_number(j, "lost", info->streams[i].lost);
		json_number(j, "before", info->streams[i].before);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void json_kinds(struct json *j, const struct info *info)
{
	unsigned int i;

	json_object(j, "kinds");
	for (i = 0; i < FXT_KIND_COUNT; i++) {
		if (!info->kinds[i].records)
			continue;
		json_object(j, fxt_kind_name(i));
		json_number(j, "records", info->kinds[i].records);
		json_number(j, "bytes", info->kinds[i].bytes);
		json_end(j, '}');
	}
	json_end(j, '}');
}

void info_print_json(struct out *o, const char *path, const struct info *info)
{
	bool any = info->first <= info->last;
	struct json j = { .o = o };

	json_begin(&j, '{');
	json_string(&j, "file", path);
	json_number(&j, "bytes", info->totals.bytes);
	json_number(&j, "records", info->totals.records);
	json_string(&j, "compression", info->compression);
	json_string(&j, "byte_order", info->swapped ? "swapped" : "native");
	json_number_if(&j, "first_ns", any, info->first);
	json_number_if(&j, "last_ns", any, info->last);
	json_number_if(&j, "duration_ns", any, info->last - info->first);
	json_cpus(&j, info);
	json_cpu_times(&j, info);
	json_session(&j, info);
	json_triggers(&j, info);
	json_number_if(&j, "complete_from_ns", info->complete != UINT64_MAX, info->complete);
	json_providers(&j, info);
	json_kinds(&j, info);
	json_streams(&j, info);
	json_number(&j, "buffer_full", info->buffer_full);
	json_number(&j, "skipped", info->totals.skipped);
	json_number(&j, "skipped_bytes", info->totals.skipped_bytes);
	json_number(&j, "deviations", info->totals.deviations);
	json_end(&j, '}');
	out_char(o, '\n');
}
