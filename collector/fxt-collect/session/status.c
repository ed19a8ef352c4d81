// SPDX-License-Identifier: GPL-2.0-or-later
/* status.c - see status.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>
#include <linux/fxt_sched.h>

#include "libfxt/address.h"
#include "libfxt/text.h"
#include "archive/quotas.h"
#include "output/output.h"
#include "signals.h"
#include "status.h"

static bool has_line;

/* Other users may have chosen names and paths in the line. */
static void print_safe(const char *format, va_list args)
{
	char *text = fxt_text_format(format, args);

	fputs(text ? text : "out of memory, so a message is missing", stderr);
	free(text);
}

/* The next line overwrites this one. */
static void status_line(const char *format, ...)
{
	va_list args;

	fputs("\r\033[K", stderr);
	va_start(args, format);
	print_safe(format, args);
	va_end(args);
	fflush(stderr);
	has_line = true;
}

static void status_line_end(void)
{
	if (has_line)
		fputs("\r\033[K", stderr);
	has_line = false;
}

void status_print(const char *format, ...)
{
	va_list args;

	status_line_end();
	fputs("fxt-collect: ", stderr);
	va_start(args, format);
	print_safe(format, args);
	va_end(args);
	fputc('\n', stderr);
}

static const char *bytes_text(char *text, size_t room, uint64_t bytes)
{
	static const char * const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB" };
	double n = bytes;
	size_t i = 0;

	for (; n >= 1024 && i < 4; i++)
		n /= 1024;
	snprintf(text, room, i ? "%.1f %s" : "%.0f %s", n, units[i]);
	return text;
}

/* The size that would also have held the largest gap of names. */
static uint64_t room_for_names(const struct options *o, const struct stitch_totals *t)
{
	return t->worst_names_gap ? source_names_bytes(o->buffer) +
	       t->worst_names_gap * FXT_SCHED_THREAD_WORDS * FXT_WORD : 0;
}

/*
 * A value of --buffer that would have sufficed for CPUs and names; the buffer of names is a limited
 * share of it. It is at least twice the current value, because sizes are rounded.
 */
static uint64_t buffer_that_suffices(const struct options *o,
				     const struct stitch_totals *t)
{
	uint64_t words = source_record_words(&o->config);
	uint64_t need = o->buffer + t->worst_gap * words * FXT_WORD;
	uint64_t names = room_for_names(o, t), size = 64 << 10;

	if (names > FXT_SCHED_NAMES_SIZE_MAX)
		names = FXT_SCHED_NAMES_SIZE_MAX;
	while ((size < need || size < 2 * o->buffer || source_names_bytes(size) < names) &&
	       size < FXT_SCHED_BUFFER_SIZE_MAX)
		size *= 2;
	return size;
}

static const char *advice(const struct options *o, const struct summary *s)
{
	if (room_for_names(o, &s->totals) > FXT_SCHED_NAMES_SIZE_MAX)
		return "has the largest buffer of names, but would not have been enough: too many "
			"forks and execs at once";
	return "would have been enough";
}

static void report_losses(const struct options *o, const struct summary *s, uint64_t lost)
{
	char where[512] = "", size[32];
	size_t used = 0, i, listed = 0;
	const struct stream_stats *without = NULL;
	uint64_t unseen = 0;

	for (i = 0; i < s->stream_count && used < sizeof(where) - 64; i++) {
		const struct stream_stats *t = &s->streams[i];

		unseen += t->unseen;
		if (!t->lost)
			continue;
		if (!t->subbufs && t->stream != FXT_LEDGER_STREAM_NAMES)
			without = t;
		used += snprintf(where + used, sizeof(where) - used, "%s%" PRIu64,
				 listed++ ? ", " : "", t->lost);
		used += t->stream == FXT_LEDGER_STREAM_NAMES ?
			snprintf(where + used, sizeof(where) - used, " names") :
			snprintf(where + used, sizeof(where) - used, " on cpu %u", t->stream);
	}
	if (unseen)
		status_print("the kernel hid %" PRIu64 " execs and renames from the source; their names are lost with any buffer size",
			     unseen);
	if (unseen == lost) {
		status_print("LOST %" PRIu64 " records (%s); the archive shows where", lost, where);
		return;
	}
	if (without) {
		status_print("LOST %" PRIu64 " records (%s); cpu %u got no buffer when it came online, for lack of memory: use a smaller -b, or raise the module's max_memory",
			     lost, where, without->stream);
		return;
	}
	options_size_text(size, sizeof(size), buffer_that_suffices(o, &s->totals));
	status_print("LOST %" PRIu64 " records (%s%s); -b %s %s; the archive shows where",
		     lost, where, i < s->stream_count ? ", ..." : "", size, advice(o, s));
}

static void report_files(const struct options *o, const struct summary *s)
{
	char size[32], whole[32], before[64] = "";

	bytes_text(size, sizeof(size), s->bytes);
	if (o->compression != COMPRESSION_NONE)
		snprintf(before, sizeof(before), " (%s before compression)",
			 bytes_text(whole, sizeof(whole), s->archive_bytes));
	if (fxt_address_is(o->output))
		status_print("sent %u archive%s, %s%s to %s", s->files, s->files == 1 ? "" : "s",
			     size, before, o->output);
	else if (o->config.overwrite && s->files)
		status_print("wrote %u snapshot%s, %s%s: open %s at https://ui.perfetto.dev or see fxt report %s",
			     s->files, s->files == 1 ? "" : "s", size, before,
			     s->files == 1 ? "it" : "the last one", s->snapshot);
	else if (o->config.overwrite)
		status_print("wrote no snapshot");
	else if (options_rotate(o))
		status_print("wrote %u segment%s, %s%s, the last one is %s", s->files,
			     s->files == 1 ? "" : "s", size, before, s->path);
	else if (!strcmp(o->output, "-"))
		status_print("wrote %s%s to standard output", size, before);
	else
		status_print("wrote %s, %s%s: open it at https://ui.perfetto.dev or see fxt report %s",
			     o->output, size, before, o->output);
}

static void report_no_trigger(const struct options *o, const struct summary_wait *w)
{
	const char *trigger = o->trigger;

	if (!o->config.trigger.limit[FXT_SCHED_CAUSE_LATENCY])
		status_print("the trigger %s never fired", trigger);
	else if (w->latency)
		status_print("the trigger %s never fired; the longest wait was %.3f ms%s, of thread %u (%s) for cpu %u",
			     trigger, w->latency / 1e6, w->goes_on ? " until the end" : "",
			     w->thread, w->comm, w->cpu);
	else
		status_print("the trigger %s never fired; no wait matched it",
			     trigger);
}

static void report_quotas(const struct quotas_lacks *lacks)
{
	if (lacks->cgroups)
		status_print("left out %u cgroups with a quota: at most %u are recorded at the same time; use --cgroup",
			     lacks->cgroups, QUOTA_LIST_MOST);
	if (lacks->samples)
		status_print("dropped %" PRIu64 " older counts of throttled cgroups between snapshots; use --cgroup",
			     lacks->samples);
}

void status_losses(const struct options *o, const struct summary *s)
{
	uint64_t lost = summary_count(s).lost;

	if (lost)
		report_losses(o, s, lost);
	else if (o->filter.comm && !o->config.overwrite && !s->error && !summary_count(s).switches)
		status_print("recorded no switch, because no thread that ran matches the filter (--comm %s); ps -eLo comm lists names",
			     o->filter.comm);
	if (s->missed)
		status_print("%u snapshots could not be written", s->missed);
	if (s->skipped)
		status_print("the kernel hid %" PRIu64 " events from the source, which no count includes; some wakeups may be missing",
			     s->skipped);
	if (s->user_stacks_dropped)
		status_print("%" PRIu64 " stacks lack the frames of the program: too many threads were off the CPU at once; record fewer with a filter",
			     s->user_stacks_dropped);
	if (s->sleep_stacks_dropped)
		status_print("the stacks of %" PRIu64 " sleeps that fired the trigger, or of holders of their locks, are missing: the sleep or the recording (see --after) ended first, or BPF had recorded those of 16 snapshots",
			     s->sleep_stacks_dropped);
	if (s->mappings_lost)
		status_print("%" PRIu64 " mappings of programs were lost, because there was no "
			"room for them; %" PRIu64 " of them are of process %" PRIu64,
			     s->mappings_lost, s->mappings_most, s->mappings_most_by);
	if (s->processes_unread)
		status_print("the mappings of %" PRIu64 " processes, or a part of them, are unknown: reading the lists of all processes took too much time or memory, or they had more than 16384 executable ones",
			     s->processes_unread);
	if (s->mappings_left_out)
		status_print("%" PRIu64 " mappings are not in the archive: their process has more than 65536 files",
			     s->mappings_left_out);
	if (s->frames_left_out)
		status_print("%" PRIu64 " frames have no name: a process has too many different ones; fxt symbolize can name them",
			     s->frames_left_out);
	if (s->texts_late)
		status_print("%" PRIu64 " command lines or lists of mappings are unknown: their processes delayed reading them for too long",
			     s->texts_late);
	if (s->ignored)
		status_print("ignored the trigger %" PRIu64 " times: who has fired it needs a longer wait for a while, so that nobody can fill the disk; fxt-collect(1), --keep",
			     s->ignored);
	report_quotas(&s->quotas);
}

void status_summary(const struct options *o, const char *source,
		    const struct summary *s)
{
	struct summary_counts c = summary_count(s);
	char events[40] = "";

	if (source_has_events(&o->config))
		snprintf(events, sizeof(events), ", %" PRIu64 " events", c.events);
	status_print("recorded %.3f s on %u CPU%s with %s: %" PRIu64 " switches, %" PRIu64 " wakeups%s",
		     s->duration / 1e9, c.cpus, c.cpus == 1 ? "" : "s", source,
		     c.switches, c.wakeups, events);
	status_print("named %" PRIu64 " threads of %" PRIu64 " processes",
		     s->threads, s->processes);
	if (c.folded)
		status_print("omitted %" PRIu64 " renames in quick succession; the last name of each thread is recorded",
			     c.folded);
	if (!c.lost)
		status_print("lost no record");
	status_losses(o, s);
	if (o->trigger && !s->fired)
		report_no_trigger(o, &s->longest);
	if (o->config.stacks.what & STACKS_CHECK)
		status_print("BPF programs walked %" PRIu64 " stacks of the kernel without the "
			"kernel's unwinder; %" PRIu64 " of them differ from what the kernel "
			"unwinds",
			     s->stack_checks.stacks, s->stack_checks.wrong);
	report_files(o, s);
}

/* --- the line that shows progress ------------------------------------------------------- */

/*
 * One line on the terminal, twice a second: the elapsed time, the rates since the last update,
 * bytes written, records lost, and how full the fullest buffer is.
 */

#define LOOK_NS		(500 * NS_PER_MS)

struct counts {
	uint64_t switches;
	uint64_t wakeups;
	uint64_t events;
	uint64_t lost;
	uint32_t fullest;	/* complete sub-buffers of the fullest CPU */
};

struct live {
	uint64_t looked;	/* ns */
	struct counts last;
};

struct live *live_open(const struct options *o)
{
	if (o->quiet || !isatty(STDERR_FILENO))
		return NULL;
	return calloc(1, sizeof(struct live));
}

void live_close(struct live *l)
{
	status_line_end();
	free(l);
}

static void add_stream(void *arg, const struct stream_stats *stats)
{
	struct counts *c = arg;

	c->switches += stats->switches;
	c->wakeups += stats->wakeups;
	c->events += stats->events;
	c->lost += stats->lost;
	if (stats->stream != FXT_LEDGER_STREAM_NAMES && stats->waiting > c->fullest)
		c->fullest = stats->waiting;
}

/* Where the archive goes, and how full the buffers are. */
static void print_place(char *text, size_t room, const struct session *s, uint32_t fullest)
{
	if (s->out)
		snprintf(text, room, "%.1f MB, fullest buffer %u %%",
			 output_bytes(s->out) / 1e6,
			 100 * fullest / s->o->config.subbuf_count);
	else
		snprintf(text, room, "in memory, %u snapshots", s->summary.files);
}

void live_update(struct live *l, struct session *s)
{
	uint64_t now = session_now();
	struct counts c = { 0 };
	char place[64], events[40] = "";
	struct error e;
	double since;

	if (!l || now - l->looked < LOOK_NS ||
	    s->source->ops->stats(s->source, add_stream, &c, &e))
		return;
	since = (now - (l->looked ? l->looked : s->began)) / 1e9;
	print_place(place, sizeof(place), s, c.fullest);
	if (tracks_exist(&s->tracks))
		snprintf(events, sizeof(events), " %.0f events/s,",
			 (c.events - l->last.events) / since);
	status_line("%.1f s: %.0f switches/s, %.0f wakeups/s,%s %s, %" PRIu64 " lost",
		    (now - s->began) / 1e9, (c.switches - l->last.switches) / since,
		    (c.wakeups - l->last.wakeups) / since, events, place, c.lost);
	l->looked = now;
	l->last = c;
}
