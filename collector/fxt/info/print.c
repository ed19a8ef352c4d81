// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * print.c - struct info, for people and as JSON.
 *
 * Members of the JSON object, which do not change: file, bytes, records, compression, byte_order
 * ("native" or "swapped"), first_ns, last_ns, duration_ns (null without time
 * stamps), cpus (list of numbers), cpu_times (list of cpu, busy_ns, idle_ns, offline_ns,
 * unknown_ns, of the time from the first to the last event of scheduling), session (object of strings; lines of one key
 * are one string of several lines), triggers (list of time_ns, thread, name, cpu,
 * cause: "latency", "irq", "softirq" or "runnable", latency_ns or, with "runnable",
 * runnable, open: the wait went on), complete_from_ns (null if unknown), providers (list of
 * id, name, ticks_per_second, records, bytes), kinds (object by kind of records,
 * bytes), streams (list of stream, written, lost, before: records of other parts
 * of the recording), buffer_full, skipped, skipped_bytes, deviations. "bytes" are
 * those after decompression.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fxt/fxt_catalogue.h>
#include <fxt/fxt_sched.h>
#include <linux/fxt_sched.h>

#include "walk/session_text.h"
#include "liboutput/json.h"
#include "info.h"

#define NS_PER_S	1000000000ULL

uint64_t info_unknown(const struct info *info, const struct info_cpu *cpu)
{
	uint64_t known = cpu->busy + cpu->idle + cpu->offline;

	return info->window > known ? info->window - known : 0;
}

/* These lines come first, in this order; others follow in file order. */
static const char *const keys[] = {
	"host", "kernel", "collector", "source", "clock", "weight", "wakeups", "buffer", "mode",
	"trigger", "filter",
};

#define KEYS	(sizeof(keys) / sizeof(keys[0]))

static bool is_key(const char *key, const char *word, size_t length)
{
	return strlen(key) == length && !memcmp(key, word, length);
}

/* Return: the index in @keys; KEYS + 1 for keys of clocks; KEYS for other keys. */
static size_t key_number(const char *word, size_t length)
{
	size_t i;

	for (i = 0; i < KEYS && !is_key(keys[i], word, length); i++)
		;
	return is_key("epoch", word, length) || is_key("suspended", word, length) ? KEYS + 1 : i;
}

/* Print the lines of one key; with KEYS, of all keys that are not in @keys. */
static void print_session(struct out *o, const struct info *info, size_t key)
{
	const char *line = info->session, *end = line + info->session_bytes;
	const char *stop, *space;

	for (; line < end; line = stop + 1) {
		stop = memchr(line, '\n', end - line);
		stop = stop ? stop : end;
		space = memchr(line, ' ', stop - line);
		space = space ? space : stop;
		if (stop == line || key_number(line, space - line) != key)
			continue;
		out_safe(o, line, space - line);
		if (space < stop) {
			out_printf(o, "%*s", space - line < 12 ? (int)(12 - (space - line)) : 1,
				   "");
			out_safe(o, space + 1, stop - space - 1);
		}
		out_char(o, '\n');
	}
}

static void print_cause(struct out *o, const struct info_trigger *t)
{
	const char *interrupt = sched_cause_interrupt(t->cause);

	if (t->cause == FXT_SCHED_CAUSE_RUNNABLE)
		out_printf(o, " ran while %" PRIu64 " threads were runnable", t->value);
	else if (interrupt)
		out_printf(o, " was interrupted for %.3f ms by a %s interrupt", t->value / 1e6,
			   interrupt);
	else
		out_printf(o, " waited %.3f ms%s", t->value / 1e6,
			   t->goes_on ? ", and was still waiting," : "");
}

static void print_marks(struct out *o, const struct info *info)
{
	unsigned int i;

	for (i = 0; i < info->trigger_count; i++) {
		const struct info_trigger *t = &info->triggers[i];

		out_printf(o, "trigger: thread %" PRIu64, t->thread);
		if (*t->name) {
			out_str(o, " (");
			out_safe(o, t->name, strlen(t->name));
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
	s = (ns + info->first) / NS_PER_S;
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
		out_safe(o, p->name, strlen(p->name));
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
			   info_unknown(info, cpu) / window * 100);
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
	out_safe(o, path, strlen(path));
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

#define KEY_BYTES	64

static const char replacement[] = "\xef\xbf\xbd";	/* U+FFFD */

/*
 * Make UTF-8 of any bytes: what is invalid becomes U+FFFD, and so does a zero byte. Return: the
 * length, or -1 if the result does not fit.
 */
static ssize_t make_utf8(char *to, size_t room, const char *bytes, size_t length)
{
	size_t i, used = 0;
	const char *from;
	uint32_t n, step;

	for (i = 0; i < length; i += step) {
		from = bytes + i;
		n = *from ? fxt_utf8_length((const unsigned char *)from, length - i) : 0;
		step = n ? n : 1;
		if (!n) {
			from = replacement;
			n = sizeof(replacement) - 1;
		}
		if (used + n >= room)
			return -1;
		memcpy(to + used, from, n);
		used += n;
	}
	to[used] = '\0';
	return used;
}

/* Split a line "key value" of the session. */
struct line {
	char key[KEY_BYTES];
	const char *value;
	size_t length;
	bool is_written;
};

static size_t split_session(struct line *lines, const struct info *info)
{
	const char *at = info->session, *end = at + info->session_bytes;
	const char *stop, *space;
	size_t count = 0;

	for (; at < end; at = stop + 1) {
		struct line *l = &lines[count];

		stop = memchr(at, '\n', end - at);
		stop = stop ? stop : end;
		space = memchr(at, ' ', stop - at);
		if (!space || space - at >= KEY_BYTES ||
		    make_utf8(l->key, sizeof(l->key), at, space - at) < 0)
			continue;
		l->value = space + 1;
		l->length = stop - space - 1;
		count++;
	}
	return count;
}

/* Join several lines of one key into a string. @text has room for all of them. */
static void json_lines(struct json *j, struct line *l, const struct line *end, char *text,
		       size_t room)
{
	const struct line *first = l;
	size_t used = 0;

	for (; l < end; l++) {
		if (strcmp(l->key, first->key))
			continue;
		if (l != first)
			text[used++] = '\n';
		used += make_utf8(text + used, room - used, l->value, l->length);
		l->is_written = true;
	}
	json_item(j);
	out_json(j->o, first->key, strlen(first->key));
	out_char(j->o, ':');
	out_json(j->o, text, used);
}

static void json_session(struct json *j, const struct info *info)
{
	size_t room = info->session_bytes * (sizeof(replacement) - 1) + 1, count, i;
	struct line *lines = calloc(info->session_bytes / 2 + 1, sizeof(*lines));
	char *text = malloc(room);

	json_key(j, "session");
	json_begin(j, '{');
	count = lines && text ? split_session(lines, info) : 0;
	for (i = 0; i < count; i++)
		if (!lines[i].is_written)
			json_lines(j, &lines[i], lines + count, text, room);
	json_end(j, '}');
	free(text);
	free(lines);
}

static void json_triggers(struct json *j, const struct info *info)
{
	unsigned int i;

	json_key(j, "triggers");
	json_begin(j, '[');
	for (i = 0; i < info->trigger_count; i++) {
		const struct info_trigger *t = &info->triggers[i];

		json_item(j);
		json_begin(j, '{');
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

	json_key(j, "cpus");
	json_begin(j, '[');
	for (i = 0; i < info->cpu_end; i++) {
		if (!info->cpus[i].is_there)
			continue;
		json_item(j);
		out_json_u64(j->o, i);
	}
	json_end(j, ']');
}

static void json_cpu_times(struct json *j, const struct info *info)
{
	const struct info_cpu *cpu;

	json_key(j, "cpu_times");
	json_begin(j, '[');
	for (cpu = info->cpus; cpu < info->cpus + info->cpu_end; cpu++) {
		if (!cpu->is_there)
			continue;
		json_item(j);
		json_begin(j, '{');
		json_number(j, "cpu", cpu - info->cpus);
		json_number(j, "busy_ns", cpu->busy);
		json_number(j, "idle_ns", cpu->idle);
		json_number(j, "offline_ns", cpu->offline);
		json_number(j, "unknown_ns", info_unknown(info, cpu));
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void json_providers(struct json *j, const struct info *info)
{
	unsigned int i;

	json_key(j, "providers");
	json_begin(j, '[');
	for (i = 0; i < info->provider_count; i++) {
		const struct info_provider *p = &info->providers[i];

		json_item(j);
		json_begin(j, '{');
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

	json_key(j, "streams");
	json_begin(j, '[');
	for (i = 0; i < STREAMS; i = streams_next(info->stream_end, i)) {
		if (!info->streams[i].seen)
			continue;
		json_item(j);
		json_begin(j, '{');
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

	json_key(j, "kinds");
	json_begin(j, '{');
	for (i = 0; i < FXT_KIND_COUNT; i++) {
		if (!info->kinds[i].records)
			continue;
		json_key(j, fxt_kind_name(i));
		json_begin(j, '{');
		json_number(j, "records", info->kinds[i].records);
		json_number(j, "bytes", info->kinds[i].bytes);
		json_end(j, '}');
	}
	json_end(j, '}');
}

static void json_number_if(struct json *j, const char *key, bool is_known, uint64_t value)
{
	if (is_known)
		json_number(j, key, value);
	else
		json_null(j, key);
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
