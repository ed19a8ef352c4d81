// SPDX-License-Identifier: GPL-2.0-or-later
/* read.c - reads trace.dat of trace-cmd. libtracecmd merges the CPUs of all buffers by time. */
#include <byteswap.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trace-cmd.h>
#include <unistd.h>

#include "formats/import/import.h"
#include "formats/tep/events.h"
#include "terminal/exit_status.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "walk/format.h"
#include "formats/formats.h"

/* --------------------------------------------------------------------
 * The buffers of a trace.dat: the top one, and those of instances (trace-cmd -B).
 *
 * Two buffers may have the same events, at slightly different times. So all events of a kind are
 * read from the buffer that has most of them. Begins and ends count as one kind.
 */

struct tracecmd_buffer {
	struct tracecmd_input *input;	/* NULL if the library cannot read it */
	char name[64];		/* of the instance, printable; empty: the top buffer */
	uint64_t left_out;	/* events of kinds that are read from another buffer */
};

/* All buffers of a file; initialize with zeros. */
struct tracecmd_buffers {
	struct tracecmd_buffer *all;
	int count;
	int from[TRACE_KINDS];	/* index of the buffer that a kind is read from; -1: none */
	bool has_wakeups;	/* the file has sched_wakeup */
	bool has_stacks;	/* the file has call chains as events */
	uint32_t page;		/* bytes of a page of the buffers */
	struct tep_events formats;
};

#define MAGIC_BYTES	10
#define FIRST_EVENTS	10000	/* of a CPU; these include a wakeup if the trace has any */

/* The library closes the descriptor, so give it a duplicate. */
static struct tracecmd_input *open_input(int from)
{
	int fd = lseek(from, 0, SEEK_SET) ? -1 : dup(from);

	return fd < 0 ? NULL : tracecmd_open_fd(fd, TRACECMD_FL_LOAD_NO_PLUGINS);
}

static void set_name(struct tracecmd_buffer *b, const char *name)
{
	size_t i;

	for (i = 0; name && name[i] && i + 1 < sizeof(b->name); i++)
		b->name[i] = isprint((unsigned char)name[i]) ? name[i] : '?';
	b->name[i] = '\0';
}

/* "\x17\x08\x44tracing6\0", byte order, size of a long, size of a page. */
static bool read_page_size(struct tracecmd_buffers *b, int fd)
{
	char head[32];
	ssize_t n = pread(fd, head, sizeof(head), 0);
	const char *end = n > MAGIC_BYTES ? memchr(head + MAGIC_BYTES, 0, n - MAGIC_BYTES) : NULL;

	if (!end || end + 3 + sizeof(b->page) > head + n)
		return false;
	memcpy(&b->page, end + 3, sizeof(b->page));
	if (tep_is_file_bigendian(b->formats.tep) != tep_is_local_bigendian(b->formats.tep))
		b->page = bswap_32(b->page);
	return b->page;
}

static int open_all(struct tracecmd_buffers *b, int fd)
{
	struct tracecmd_input *top = open_input(fd);
	int instances, i;

	if (!top)
		return -EBADMSG;
	instances = tracecmd_buffer_instances(top);
	b->all = must(calloc(1 + (size_t)instances, sizeof(*b->all)));
	b->formats.tep = tracecmd_get_tep(top);
	b->all[0].input = top;
	b->count = 1;
	if (!read_page_size(b, fd))
		return -EBADMSG;
	for (i = 0; i < instances; i++) {
		set_name(&b->all[b->count], tracecmd_buffer_instance_name(top, i));
		b->all[b->count++].input = tracecmd_buffer_instance_handle(top, i);
	}
	return 0;
}

/* Close the top buffer last, because the library frees the formats with it. */
static void close_all(struct tracecmd_buffers *b)
{
	tep_events_close(&b->formats);
	memset(&b->formats, 0, sizeof(b->formats));
	for (; b->count; b->count--)
		if (b->all[b->count - 1].input)
			tracecmd_close(b->all[b->count - 1].input);
	free(b->all);
	b->all = NULL;
}

/* The kind that decides on the buffer for events of @what. */
static unsigned int kind_of(unsigned int what)
{
	switch (what) {
	case TRACE_IRQ_EXIT:
		return TRACE_IRQ_ENTRY;
	case TRACE_SOFTIRQ_EXIT:
		return TRACE_SOFTIRQ_ENTRY;
	case TRACE_VECTOR_EXIT:
		return TRACE_VECTOR_ENTRY;
	case TRACE_WORK_END:
		return TRACE_WORK_BEGIN;
	default:
		return what;
	}
}

/*
 * Is a record within its page? The library does not check the size in the file, so a record may
 * extend into other memory, or none. Pages begin at multiples of their size. The record's header
 * precedes its data.
 */
static bool tracecmd_record_fits(const struct tracecmd_buffers *b, const struct tep_record *rec)
{
	return rec->size >= 0 && rec->record_size >= rec->size &&
	       (unsigned int)rec->record_size <= b->page - rec->offset % b->page;
}

/* At most @events of each CPU. */
static void count(struct tracecmd_buffers *b, struct tracecmd_input *input, uint64_t events,
		  uint64_t counts[TRACE_KINDS])
{
	int cpus = tep_get_cpus(b->formats.tep), cpu, what;
	struct tep_record *rec;
	uint64_t i;

	for (cpu = 0; cpu < cpus; cpu++) {
		rec = tracecmd_read_cpu_first(input, cpu);
		for (i = 0; rec && i < events; i++) {
			what = tracecmd_record_fits(b, rec) ?
			       tep_events_what(&b->formats, rec) : TRACE_NOTHING;
			if (what > TRACE_NOTHING)
				counts[kind_of(what)]++;
			tracecmd_free_record(rec);
			rec = tracecmd_read_data(input, cpu);
		}
		if (rec)
			tracecmd_free_record(rec);
	}
}

static void choose_for(struct tracecmd_buffers *b, const uint64_t (*counts)[TRACE_KINDS],
		       unsigned int what)
{
	unsigned int kind = kind_of(what);
	uint64_t most = 0;
	int i;

	b->from[what] = b->count > 1 ? -1 : 0;
	for (i = 0; i < b->count; i++) {
		if (counts[i][kind] <= most)
			continue;
		most = counts[i][kind];
		b->from[what] = i;
	}
}

/* Choose buffers. If a file has no instances, only find out whether it has wakeups. */
static void choose(struct tracecmd_buffers *b)
{
	uint64_t (*counts)[TRACE_KINDS] = must(calloc(b->count, sizeof(*counts)));
	unsigned int what;
	int i;

	for (i = 0; i < b->count; i++) {
		if (!b->all[i].input)
			continue;
		count(b, b->all[i].input, b->count > 1 ? UINT64_MAX : FIRST_EVENTS, counts[i]);
		b->has_wakeups |= counts[i][TRACE_WAKEUP];
		b->has_stacks |= counts[i][TRACE_STACK];
	}
	for (what = 0; what < TRACE_KINDS; what++)
		choose_for(b, (const uint64_t (*)[TRACE_KINDS])counts, what);
	/* A call chain follows its event. */
	b->from[TRACE_STACK] = b->from[TRACE_SWITCH];
	free(counts);
}

/*
 * Open the buffers and choose one for each kind of events. The library cannot go back to the
 * beginning, so the file is opened again. Returns 0; -EBADMSG if the library cannot open it.
 */
static int open_buffers(struct tracecmd_buffers *b, int fd)
{
	int ret = open_all(b, fd);

	if (!ret)
		choose(b);
	close_all(b);
	return ret ? ret : open_all(b, fd);
}

/* Is any kind of events read from this buffer? */
static bool is_used(const struct tracecmd_buffers *b, int index)
{
	unsigned int what;

	for (what = 0; what < TRACE_KINDS; what++)
		if (b->from[what] == index)
			return true;
	return false;
}

/*
 * Call @take for all records by time. The record has the number of its CPU; the argument @cpu is
 * another number. The library ignores what @take returns.
 */
static void walk_buffers(struct tracecmd_buffers *b,
			 int (*take)(struct tracecmd_input *input, struct tep_record *rec, int cpu, void *arg),
			 void *arg)
{
	struct tracecmd_input **inputs = must(calloc(b->count, sizeof(*inputs)));
	int i, n = 0;

	for (i = 0; i < b->count; i++) {
		if (!b->all[i].input)
			continue;
		tracecmd_set_private(b->all[i].input, &b->all[i]);
		inputs[n++] = b->all[i].input;
	}
	tracecmd_iterate_events_multi(inputs, n, take, arg);
	free(inputs);
}

/* --- the file, as an archive --- */

/*
 * Not in the library's public header: the name of the clock, and whether times are in ns, which are
 * printed as us.
 */
const char *tracecmd_get_trace_clock(struct tracecmd_input *input) __attribute__((weak));
unsigned long tracecmd_get_flags(struct tracecmd_input *input) __attribute__((weak));
#define TRACECMD_FL_IN_USECS	(1UL << 2)

static const char magic[] = "\x17\x08\x44tracing";

struct import {
	bool strict;
	int error;		/* negative errno of the archive, or -EBADMSG */
	uint64_t events;	/* so far */
	uint64_t damaged;	/* records that do not fit their format */
	bool has_ticks;		/* times are in ticks */
	struct tracecmd_buffers buffers;
	struct trace_event event;
	struct trace trace;
};

/* Losses matter if the buffer is used. */
static void note_loss(struct import *m, const struct tep_record *rec, int buffer)
{
	if (rec->missed_events && is_used(&m->buffers, buffer))
		trace_lost(&m->trace, rec->cpu, rec->missed_events > 0 ? rec->missed_events : 1);
}

static int read_event(struct import *m, const struct tep_record *rec, int buffer)
{
	struct tracecmd_buffers *b = &m->buffers;
	const char *name;
	int ret;

	if (!tracecmd_record_fits(b, rec))
		return -EBADMSG;
	ret = tep_events_read(&b->formats, rec, &m->event);
	if (ret)
		return ret;
	if (m->has_ticks && !foreign_ticks_to_ns(&m->event.ns)) {
		trace_event_free(&m->event);
		return -EBADMSG;
	}
	if (m->event.what != TRACE_NOTHING && b->from[m->event.what] != buffer) {
		b->all[buffer].left_out++;
		trace_event_free(&m->event);
		return 0;
	}
	name = tep_data_comm_from_pid(b->formats.tep, m->event.on);
	snprintf(m->event.on_name.bytes, sizeof(m->event.on_name.bytes), "%s", name ? name : "");
	trace_add(&m->trace, &m->event);
	trace_event_free(&m->event);
	return m->trace.a.error;
}

/* After an error, ignore other records, because the library does not stop. */
static int read_record(struct tracecmd_input *input, struct tep_record *rec, int cpu, void *arg)
{
	struct import *m = arg;
	int buffer = (struct tracecmd_buffer *)tracecmd_get_private(input) - m->buffers.all, ret;

	(void)cpu;	/* numbers the CPUs of all buffers */
	if (m->error)
		return m->error;
	m->events++;
	note_loss(m, rec, buffer);
	ret = read_event(m, rec, buffer);
	if (ret == -EBADMSG && !m->strict) {
		m->damaged++;
		return 0;
	}
	m->error = ret;
	return ret;
}

/* Report unreadable buffers and omitted events. Returns false if there are none. */
static bool report_buffers(const struct import *m, const char *path)
{
	bool is_part = false;
	int i;

	for (i = 0; i < m->buffers.count; i++) {
		const struct tracecmd_buffer *b = &m->buffers.all[i];
		const char *of = i ? "instance " : "the top buffer";

		if (!b->input)
			message("fxt: %s: libtracecmd cannot read %s%s; it is left out\n", path, of,
				b->name);
		else if (b->left_out)
			message("fxt: %s: %" PRIu64 " events of %s%s are left out: another buffer has more of these kinds\n",
				path, b->left_out, of, b->name);
		is_part |= !b->input || b->left_out;
	}
	return is_part;
}

static int report_result(const struct import *m, const char *path)
{
	bool is_part = report_buffers(m, path);

	trace_report(&m->trace, path);
	if (m->damaged + m->trace.misplaced)
		message("fxt: %s: %" PRIu64 " damaged records are left out\n", path,
			m->damaged + m->trace.misplaced);
	if (m->error == -EBADMSG) {
		message("fxt: %s: event %" PRIu64 " is damaged\n", path, m->events);
	} else if (m->error) {
		message("fxt: cannot write a temporary file: %s\n", strerror(-m->error));
		return VERB_UNWRITABLE;
	}
	return m->error || m->damaged || m->trace.misplaced || is_part ? VERB_DEVIATES : VERB_DONE;
}

/*
 * The clock whose ticks are the times of a file. NULL: the times are ns, perhaps because the
 * library has converted them by the file's multiplier, e.g. of tsc2nsec. The library does not count
 * boot among the clocks in ns.
 */
static const char *ticking_clock(struct tracecmd_input *input)
{
	const char *clock = tracecmd_get_trace_clock ? tracecmd_get_trace_clock(input) : NULL;

	return clock && strcmp(clock, "boot") && tracecmd_get_flags &&
	       !(tracecmd_get_flags(input) & TRACECMD_FL_IN_USECS) ? clock : NULL;
}

static int walk_events(struct import *m, int fd)
{
	int closed;

	trace_open(&m->trace, fd, "trace.dat");
	m->trace.wakeups.has_events = m->buffers.has_wakeups;
	m->trace.wakeups.has_stacks = m->buffers.has_stacks;
	m->buffers.formats.symbols = &m->trace.symbols;
	walk_buffers(&m->buffers, read_record, m);
	closed = trace_close(&m->trace);
	return m->error ? m->error : closed;
}

int trace_dat_read(const char *path, int from, bool strict, int fd)
{
	struct import *m = new_zero(struct import);
	const char *clock;
	int ret;

	tep_set_loglevel(TEP_LOG_NONE);
	tracecmd_set_loglevel(TEP_LOG_NONE);
	if (open_buffers(&m->buffers, from)) {
		message("fxt: cannot read %s: libtracecmd cannot open it; it is damaged, or of an unknown version\n",
			path);
		free(m);
		return VERB_UNREADABLE;
	}
	clock = ticking_clock(m->buffers.all[0].input);
	m->strict = strict;
	m->has_ticks = clock;
	if (clock && !foreign_is_timed()) {
		message("fxt: cannot read %s: its times are ticks of the clock %s, and " FOREIGN_TICKS
			" (trace-cmd record --tsc2nsec stores it)\n", path, clock);
		ret = VERB_UNREADABLE;
	} else {
		m->error = walk_events(m, fd);
		ret = report_result(m, path);
	}
	close_all(&m->buffers);
	free(m);
	return ret;
}

bool trace_dat_detect(const char *head, size_t bytes)
{
	return bytes >= sizeof(magic) - 1 && !memcmp(head, magic, sizeof(magic) - 1);
}
