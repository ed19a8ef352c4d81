// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * print.c - struct info, for people and as JSON.
 *
 * The JSON object, stable: file, bytes, records, compression, byte_order
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

#include <fxt/fxt_sched.h>

#include "write/document.h"
#include "info.h"
#include "walk/session_text.h"

#define NS_PER_S	1000000000ULL

uint64_t info_unknown(const struct info *info, const struct info_cpu *cpu)
{
	uint64_t known = cpu->busy + cpu->idle + cpu->offline;

	return info->window > known ? info->window - known : 0;
}

/* The first lines, in this order; the others follow in file order. */
static const char *const keys[] = {
	"host", "kernel", "collector", "source", "clock", "weight", "buffer", "mode",
	"trigger", "filter",
};

#define KEYS	(sizeof(keys) / sizeof(keys[0]))

static bool is_key(const char *key, const char *word, size_t length)
{
	return strlen(key) == length && !memcmp(key, word, length);
}

/* The index in @keys; KEYS for any other key, but KEYS + 1 for those of clocks. */
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
	switch (t->cause) {
	case FXT_STR_RUNNABLE:
		out_printf(o, " ran while %" PRIu64 " threads were runnable", t->value);
		break;
	case FXT_STR_IRQ:
		out_printf(o, " was interrupted for %.3f ms", t->value / 1e6);
		break;
	case FXT_STR_SOFTIRQ:
		out_printf(o, " was interrupted by softirqs for %.3f ms", t->value / 1e6);
		break;
	default:
		out_printf(o, " waited %.3f ms%s", t->value / 1e6,
			   t->goes_on ? ", and went on waiting," : "");
	}
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

	for (i = 0; i < INFO_CPUS; i++)
		count += info->cpus[i].is_there;
	if (!count)
		return;
	out_printf(o, "%-12s%u (", "CPUs", count);
	for (i = 0; i < INFO_CPUS; i = j) {
		for (j = i; j < INFO_CPUS && info->cpus[j].is_there; j++)
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

	for (cpu = info->cpus; cpu < info->cpus + INFO_CPUS; cpu++) {
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

	for (i = 0; i < INFO_CPUS; i++) {
		if (!info->streams[i].seen)
			continue;
		streams++;
		written += info->streams[i].written;
		lost += info->streams[i].lost;
		before += info->streams[i].before;
	}
	out_char(o, '\n');
	if (before)
		out_printf(o, "part of a recording: %" PRIu64 " records are older, and not in it\n",
			   before);
	if (streams)
		out_printf(o, "losses: %" PRIu64 " of %" PRIu64 " records, in %u streams\n",
			   lost, written, streams);
	else
		out_printf(o, "losses: not told; buffers were full %" PRIu64 " times\n",
			   info->buffer_full);
	for (i = 0; i < INFO_CPUS; i++) {
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

/* A key may have several lines. */
static void add_line(struct json_object *j, const char *key, const char *value,
		     size_t length)
{
	struct json_object *line = document_text(value, length), *old;
	size_t first, more;
	char *both;

	if (!json_object_object_get_ex(j, key, &old)) {
		json_object_object_add(j, key, line);
		return;
	}
	first = json_object_get_string_len(old);
	more = json_object_get_string_len(line);
	both = malloc(first + 1 + more);
	if (both) {
		memcpy(both, json_object_get_string(old), first);
		both[first] = '\n';
		memcpy(both + first + 1, json_object_get_string(line), more);
		json_object_object_add(j, key,
				       json_object_new_string_len(both, first + 1 + more));
	}
	free(both);
	json_object_put(line);
}

static struct json_object *json_session(const struct info *info)
{
	const char *line = info->session, *end = line + info->session_bytes;
	struct json_object *j = json_object_new_object();
	const char *stop, *space;
	char key[64];

	for (; line < end; line = stop + 1) {
		stop = memchr(line, '\n', end - line);
		stop = stop ? stop : end;
		space = memchr(line, ' ', stop - line);
		if (!space || (size_t)(space - line) >= sizeof(key) ||
		    document_utf8(key, sizeof(key), line, space - line) < 0)
			continue;
		add_line(j, key, space + 1, stop - space - 1);
	}
	return j;
}

static const char *cause_name(uint16_t cause)
{
	return cause == FXT_STR_RUNNABLE ? "runnable" : cause == FXT_STR_IRQ ? "irq" :
	       cause == FXT_STR_SOFTIRQ ? "softirq" : "latency";
}

static struct json_object *json_triggers(const struct info *info)
{
	struct json_object *list = json_object_new_array(), *j;
	unsigned int i;

	for (i = 0; i < info->trigger_count; i++) {
		const struct info_trigger *t = &info->triggers[i];

		j = json_object_new_object();
		json_object_object_add(j, "time_ns", document_u64(t->time));
		json_object_object_add(j, "thread", document_u64(t->thread));
		json_object_object_add(j, "name", *t->name ?
				       document_text(t->name, strlen(t->name)) : NULL);
		json_object_object_add(j, "cpu", document_u64(t->cpu));
		json_object_object_add(j, t->cause == FXT_STR_RUNNABLE ? "runnable" : "latency_ns",
				       document_u64(t->value));
		json_object_object_add(j, "cause", json_object_new_string(cause_name(t->cause)));
		json_object_object_add(j, "open", json_object_new_boolean(t->goes_on));
		json_object_array_add(list, j);
	}
	return list;
}

static struct json_object *json_cpus(const struct info *info)
{
	struct json_object *j = json_object_new_array();
	unsigned int i;

	for (i = 0; i < INFO_CPUS; i++)
		if (info->cpus[i].is_there)
			json_object_array_add(j, json_object_new_int(i));
	return j;
}

static struct json_object *json_cpu_times(const struct info *info)
{
	struct json_object *list = json_object_new_array(), *j;
	const struct info_cpu *cpu;

	for (cpu = info->cpus; cpu < info->cpus + INFO_CPUS; cpu++) {
		if (!cpu->is_there)
			continue;
		j = json_object_new_object();
		json_object_object_add(j, "cpu", json_object_new_int(cpu - info->cpus));
		json_object_object_add(j, "busy_ns", document_u64(cpu->busy));
		json_object_object_add(j, "idle_ns", document_u64(cpu->idle));
		json_object_object_add(j, "offline_ns", document_u64(cpu->offline));
		json_object_object_add(j, "unknown_ns", document_u64(info_unknown(info, cpu)));
		json_object_array_add(list, j);
	}
	return list;
}

static struct json_object *json_providers(const struct info *info)
{
	struct json_object *list = json_object_new_array(), *j;
	unsigned int i;

	for (i = 0; i < info->provider_count; i++) {
		const struct info_provider *p = &info->providers[i];

		j = json_object_new_object();
		json_object_object_add(j, "id", document_u64(p->id));
		json_object_object_add(j, "name", document_text(p->name, strlen(p->name)));
		json_object_object_add(j, "ticks_per_second", document_u64(p->ticks_per_second));
		json_object_object_add(j, "records", document_u64(p->records));
		json_object_object_add(j, "bytes", document_u64(p->bytes));
		json_object_array_add(list, j);
	}
	return list;
}

static struct json_object *json_streams(const struct info *info)
{
	struct json_object *list = json_object_new_array(), *j;
	unsigned int i;

	for (i = 0; i < INFO_CPUS; i++) {
		if (!info->streams[i].seen)
			continue;
		j = json_object_new_object();
		json_object_object_add(j, "stream", json_object_new_int(i));
		json_object_object_add(j, "written", document_u64(info->streams[i].written));
		json_object_object_add(j, "lost", document_u64(info->streams[i].lost));
		json_object_object_add(j, "before", document_u64(info->streams[i].before));
		json_object_array_add(list, j);
	}
	return list;
}

static struct json_object *json_kinds(const struct info *info)
{
	struct json_object *kinds = json_object_new_object(), *j;
	unsigned int i;

	for (i = 0; i < FXT_KIND_COUNT; i++) {
		if (!info->kinds[i].records)
			continue;
		j = json_object_new_object();
		json_object_object_add(j, "records", document_u64(info->kinds[i].records));
		json_object_object_add(j, "bytes", document_u64(info->kinds[i].bytes));
		json_object_object_add(kinds, fxt_kind_name(i), j);
	}
	return kinds;
}

static void json_span(struct json_object *j, const struct info *info)
{
	bool any = info->first <= info->last;

	json_object_object_add(j, "first_ns", any ? document_u64(info->first) : NULL);
	json_object_object_add(j, "last_ns", any ? document_u64(info->last) : NULL);
	json_object_object_add(j, "duration_ns",
			       any ? document_u64(info->last - info->first) : NULL);
}

void info_print_json(struct out *o, const char *path, const struct info *info)
{
	struct json_object *j = json_object_new_object();

	json_object_object_add(j, "file", document_text(path, strlen(path)));
	json_object_object_add(j, "bytes", document_u64(info->totals.bytes));
	json_object_object_add(j, "records", document_u64(info->totals.records));
	json_object_object_add(j, "compression", json_object_new_string(info->compression));
	json_object_object_add(j, "byte_order",
			       json_object_new_string(info->swapped ? "swapped" : "native"));
	json_span(j, info);
	json_object_object_add(j, "cpus", json_cpus(info));
	json_object_object_add(j, "cpu_times", json_cpu_times(info));
	json_object_object_add(j, "session", json_session(info));
	json_object_object_add(j, "triggers", json_triggers(info));
	json_object_object_add(j, "complete_from_ns", info->complete == UINT64_MAX ? NULL :
			       document_u64(info->complete));
	json_object_object_add(j, "providers", json_providers(info));
	json_object_object_add(j, "kinds", json_kinds(info));
	json_object_object_add(j, "streams", json_streams(info));
	json_object_object_add(j, "buffer_full", document_u64(info->buffer_full));
	json_object_object_add(j, "skipped", document_u64(info->totals.skipped));
	json_object_object_add(j, "skipped_bytes", document_u64(info->totals.skipped_bytes));
	json_object_object_add(j, "deviations", document_u64(info->totals.deviations));
	document_print(o, j);
}
