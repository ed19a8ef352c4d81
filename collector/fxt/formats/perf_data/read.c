// SPDX-License-Identifier: GPL-2.0-or-later
/* read.c - reads perf.data of perf. libtraceevent knows the formats of events. */
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "formats/import/event.h"
#include "formats/import/import.h"
#include "formats/tep/events.h"
#include "libsym/elf_server.h"
#include "terminal/exit_status.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "perf_data.h"
#include "formats/formats.h"

#define WAITING		(1U << 20)	/* limit of events in memory: 260 MB */

#define NO_NAME		"<...>"	/* of a thread, as in ftrace */
#define HEADER_BYTES	8	/* struct perf_event_header */
#define COMM_EXEC	PERF_RECORD_MISC_COMM_EXEC
#define COMM_NAME	8	/* after pid and tid */
#define FORK_TIME	16	/* after pid, ppid, tid and ptid */
#define LOST_COUNT	8	/* after the id */
#define PACKED_SIZE	8	/* bytes of the length before the data of COMPRESSED2 */
#define SWITCH_TID	4	/* of SWITCH_CPU_WIDE, after pid: the other thread */

enum perf_user_record {
	PERF_USER_ATTR		= 64,	/* the first one */
	PERF_USER_FORMATS	= 66,	/* the size of data that follow the record */
	PERF_USER_ROUND		= 68,
	PERF_USER_AUXTRACE	= 71,	/* likewise */
	PERF_USER_FEATURE	= 80,	/* in a pipe: its number and data */
	PERF_USER_COMPRESSED	= 81,
	PERF_USER_COMPRESSED2	= 83,	/* length of the data, data, padding */
};

/* The latest switch of a CPU, if it had no tracepoint. */
struct last_switch {
	uint32_t out;
	uint32_t in;
	bool is_known;
};

struct import {
	const char *path;
	int fd;			/* for the archive */
	bool strict;
	bool is_begun;
	bool has_tracepoint;	/* sched_switch is recorded, which has more than SWITCH */
	bool lacks_events;	/* that could become switches */
	size_t at;		/* offset of the record in the data */
	uint64_t damaged;	/* records that do not fit their format */
	size_t first_damaged;	/* offset */
	uint64_t lost;		/* events that perf reports as lost, in the buffers of CPUs */
	uint64_t lost_samples;	/* likewise, by event */
	const char *wrong;	/* after -EBADMSG */
	struct perf_file file;
	struct perf_unpack unpack;
	struct tep_events formats;
	struct order waiting;	/* their frames are allocated */
	uint64_t limit;		/* ns, of the newest event of the last complete round */
	uint64_t newest;	/* ns, of all events so far */
	struct perf_maps maps;
	struct last_switch last[TRACE_CPUS];
	struct trace_event event;
	struct trace trace;
};

struct record {
	uint32_t type;
	uint16_t misc;
	struct perf_bytes body;
};

/* Opens files of programs for the process that reads perf.data, which must not open any. */
static struct elf_server server;

static int wrong(struct import *m, const char *what)
{
	m->wrong = what;
	return -EBADMSG;
}

static int damaged(struct import *m)
{
	if (!m->damaged++)
		m->first_damaged = m->file.data.data + m->at - m->file.all.data;
	return m->strict ? wrong(m, "a record is damaged") : 0;
}

/* --- the order of time ------------------------------------------------------------------- */

/*
 * Without a tracepoint, each recorded event of a CPU reports the same switch. It cannot be another
 * one, because the incoming thread must leave first. A thread that has ended is the one that was
 * switched in last.
 */
static bool is_known_switch(struct import *m, struct trace_event *e)
{
	struct last_switch *last;

	if (e->what != TRACE_SWITCH || m->has_tracepoint || e->cpu >= TRACE_CPUS)
		return false;
	last = &m->last[e->cpu];
	if (last->is_known && last->in == e->other && (e->hides_thread || last->out == e->thread))
		return true;
	if (e->hides_thread && last->is_known) {
		e->thread = e->on = last->in;
		e->hides_thread = false;
	}
	*last = (struct last_switch){ e->thread, e->other, true };
	return false;
}

static int write_first(struct import *m)
{
	struct trace_event *e = order_pop(&m->waiting);
	uint64_t misplaced = m->trace.misplaced;

	if (e->what == TRACE_LOST) {
		if (e->cpu < TRACE_CPUS)
			m->last[e->cpu].is_known = false;
		trace_lost(&m->trace, e->cpu, e->value);
	} else if (!is_known_switch(m, e)) {
		trace_add(&m->trace, e);
	}
	trace_event_free(e);
	if (e->what != TRACE_LOST && m->trace.misplaced != misplaced)
		return damaged(m);
	return m->trace.a.error;
}

static int add_event(struct import *m)
{
	int ret = order_is_full(&m->waiting) ? write_first(m) : 0;

	order_add(&m->waiting, &m->event, 0);
	m->newest = m->event.ns > m->newest ? m->event.ns : m->newest;
	return ret;
}

/*
 * perf reads the CPUs' buffers in turn; a mark ends each round. No event after a round is older
 * than the newest event of the round before it.
 */
static int write_until(struct import *m, uint64_t ns)
{
	const struct trace_event *e;
	int ret = 0;

	while (!ret && (e = order_first(&m->waiting)) && e->ns <= ns)
		ret = write_first(m);
	return ret;
}

static int end_round(struct import *m)
{
	int ret = write_until(m, m->limit);

	m->limit = m->newest;
	return ret;
}

/* --- records ----------------------------------------------------------------------------- */

/* At the first sample or switch, all recorded events are known. */
static void begin(struct import *m)
{
	const struct tep_event *event;
	uint32_t i;

	m->is_begun = true;
	m->formats.tep = m->file.tep;
	for (i = 0; i < m->file.attr_count; i++) {
		if (m->file.attrs[i].type != PERF_TYPE_TRACEPOINT || m->file.attrs[i].config > INT32_MAX)
			continue;
		event = tep_find_event(m->file.tep, m->file.attrs[i].config);
		if (!event || !event->name)
			continue;
		m->trace.wakeups.has_events |= !strcmp(event->name, "sched_wakeup");
		m->has_tracepoint |= !strcmp(event->name, "sched_switch");
	}
}

static int read_sample(struct import *m, const struct record *r)
{
	struct perf_sample s;
	struct tep_record rec;
	int ret;

	if (!m->is_begun)
		begin(m);
	if (!perf_sample(&m->file, r->body, &s))
		return damaged(m);
	if (!s.raw.size) {
		m->trace.others.count++;
		return 0;
	}
	if (s.cpu == PERF_NO_CPU || !s.time)
		return wrong(m, "its samples have no CPU or no time; record with perf sched record, or perf record -a -T -C");
	rec = (struct tep_record){
		.ts = s.time, .cpu = s.cpu, .data = (void *)s.raw.data, .size = s.raw.size,
	};
	ret = tep_events_read(&m->formats, &rec, &m->event);
	if (ret)
		return damaged(m);
	m->event.cpu = s.cpu;
	m->event.tgid = s.tid == m->event.on ? s.pid : 0;
	if (m->event.what >= TRACE_SWITCH && m->event.what <= TRACE_WAKEUP_NEW)
		perf_frames(&s, &m->event);
	perf_maps_frames(&m->maps, s.pid, &m->event);
	return add_event(m);
}

/* An event of @thread; its other fields are unknown. */
static void new_event(struct import *m, const struct perf_sample *s, uint8_t what, uint32_t thread,
		      uint32_t tgid)
{
	memset(&m->event, 0, sizeof(m->event));
	m->event.ns = s->time;
	m->event.cpu = s->cpu == PERF_NO_CPU ? 0 : s->cpu;
	m->event.what = what;
	m->event.thread = thread;
	m->event.on = thread;
	m->event.tgid = tgid;
}

/* At time 0, perf reports threads and mappings that existed before the recording. */
static int read_comm(struct import *m, const struct record *r)
{
	struct perf_bytes name;
	struct perf_sample s;
	uint32_t pid, tid;

	if (!perf_bytes_u32(r->body, 0, &pid) || !perf_bytes_u32(r->body, 4, &tid) ||
	    !perf_bytes_part(r->body, COMM_NAME, r->body.size - COMM_NAME, &name) ||
	    !perf_trailer(&m->file, r->body, &s))
		return damaged(m);
	new_event(m, &s, !s.time ? TRACE_FOUND : r->misc & COMM_EXEC ? TRACE_EXEC : TRACE_RENAME, tid, pid);
	trace_name_set(&m->event.name, (const char *)name.data,
		       strnlen((const char *)name.data, name.size));
	if (m->event.what == TRACE_EXEC)
		perf_maps_exec(&m->maps, pid, s.time);
	return add_event(m);
}

static int read_mmap(struct import *m, const struct record *r)
{
	struct perf_sample s;

	return perf_trailer(&m->file, r->body, &s) &&
	       perf_maps_mmap(&m->maps, r->type, r->misc, r->body, s.time) ? 0 : damaged(m);
}

static int read_fork(struct import *m, const struct record *r)
{
	uint32_t pid, parent_pid, tid, parent_tid;
	struct perf_sample s;

	if (!perf_bytes_u32(r->body, 0, &pid) || !perf_bytes_u32(r->body, 4, &parent_pid) ||
	    !perf_bytes_u32(r->body, 8, &tid) || !perf_bytes_u32(r->body, 12, &parent_tid) ||
	    !perf_bytes_u64(r->body, FORK_TIME, &s.time))
		return damaged(m);
	s.cpu = PERF_NO_CPU;
	if (!s.time) {
		new_event(m, &s, TRACE_FOUND, tid, pid);
		return add_event(m);
	}
	new_event(m, &s, TRACE_NEWTASK, tid, parent_pid);
	m->event.on = parent_tid;
	m->event.value = pid == parent_pid;
	perf_maps_fork(&m->maps, pid, parent_pid, s.time);
	return add_event(m);
}

static int read_lost(struct import *m, const struct record *r)
{
	struct perf_sample s;
	uint64_t count;

	if (!perf_bytes_u64(r->body, r->type == PERF_RECORD_LOST ? LOST_COUNT : 0, &count) ||
	    !perf_trailer(&m->file, r->body, &s))
		return damaged(m);
	if (r->type == PERF_RECORD_LOST_SAMPLES) {
		m->lost_samples += count;
		return 0;
	}
	m->lost += count;
	new_event(m, &s, TRACE_LOST, 0, 0);
	m->event.value = count > UINT32_MAX ? UINT32_MAX : count;
	return add_event(m);
}

/* Turn a record of the incoming thread into one of the outgoing thread. */
static void turn(struct perf_sample *s, uint32_t *pid, uint32_t *tid)
{
	const struct perf_sample in = *s;

	s->is_dead = *tid == UINT32_MAX;
	s->pid = s->is_dead ? 0 : *pid;
	s->tid = s->is_dead ? 0 : *tid;
	*pid = in.pid;
	*tid = in.tid;
}

/*
 * A switch of a CPU, without a tracepoint. The record of the incoming thread follows; it tells the
 * same, except how the other one left. Some recordings lack the first one of the idle thread. The
 * record of a single thread (SWITCH) has neither the thread before nor the one after it.
 */
static int read_switch(struct import *m, const struct record *r)
{
	bool leaves = r->misc & PERF_RECORD_MISC_SWITCH_OUT;
	struct perf_sample s;
	uint32_t pid, tid;

	if (!m->is_begun)
		begin(m);
	if (m->has_tracepoint)
		return 0;
	m->lacks_events = r->type == PERF_RECORD_SWITCH;
	if (m->lacks_events)
		return wrong(m, "its switches are those of single threads, without the threads before and after; record all of a CPU: perf record -a --switch-events, or perf sched record");
	if (!perf_bytes_u32(r->body, 0, &pid) || !perf_bytes_u32(r->body, SWITCH_TID, &tid) ||
	    !perf_trailer(&m->file, r->body, &s))
		return damaged(m);
	if (s.cpu == PERF_NO_CPU || !s.time)
		return wrong(m, "its switches have no CPU or no time; record with perf sched record, or perf record -a --switch-events");
	if (!leaves)
		turn(&s, &pid, &tid);
	new_event(m, &s, TRACE_SWITCH, s.tid, s.pid);
	m->event.other = tid;
	m->event.prio = m->event.other_prio = TRACE_PRIO_UNKNOWN;
	/* A thread that is not preempted sleeps; how is not recorded. */
	m->event.state = s.is_dead ? 'X' : !leaves ? '?' :
			 r->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? 'R' : 'S';
	m->event.hides_thread = s.is_dead;
	strcpy(m->event.name.bytes, NO_NAME);
	strcpy(m->event.other_name.bytes, NO_NAME);
	if (tid < TRACE_PIDS && pid < TRACE_PIDS)
		trace_thread_later(&m->trace, tid, pid);
	return add_event(m);
}

static void note_filter(struct import *m)
{
	if (m->file.filter[0])
		trace_filtered(&m->trace, m->file.filter);
}

/* The archive begins when the clock is known: in a pipe, before the first record of the kernel. */
static void begin_archive(struct import *m)
{
	if (m->trace.a.w)
		return;
	m->trace.a.clock = m->file.attr_count ? m->file.attrs->clock : NULL;
	trace_open(&m->trace, m->fd, "perf.data");
	note_filter(m);
}

static int read_attr(struct import *m, const struct record *r)
{
	struct perf_bytes attr, ids;
	uint32_t size;

	/* The second field of an attribute is its length. */
	if (!perf_bytes_u32(r->body, 4, &size) || !perf_bytes_part(r->body, 0, size, &attr) ||
	    !perf_bytes_part(r->body, size, r->body.size - size, &ids))
		return damaged(m);
	return perf_file_attr(&m->file, attr, ids) ? wrong(m, m->file.wrong) : 0;
}

static int read_feature(struct import *m, const struct record *r)
{
	struct perf_bytes data;
	uint64_t number;

	if (!perf_bytes_u64(r->body, 0, &number) ||
	    !perf_bytes_part(r->body, 8, r->body.size - 8, &data))
		return damaged(m);
	if (!m->file.is_pipe || number != PERF_FEATURE_COMMAND)
		return 0;
	perf_file_command(&m->file, data);
	if (m->trace.a.w)
		note_filter(m);
	return 0;
}

/* Skip data of this length after the record. */
static int read_extra(struct import *m, const struct record *r)
{
	size_t after = r->body.data + r->body.size - m->file.data.data;
	struct perf_bytes extra;
	uint32_t size;
	int ret = 0;

	if (!perf_bytes_u32(r->body, 0, &size) ||
	    !perf_bytes_part(m->file.data, after, size, &extra))
		return wrong(m, "the data after a record are truncated");
	if (r->type == PERF_USER_FORMATS)
		ret = perf_file_formats(&m->file, extra);
	m->at += (size + 7ULL) & ~7ULL;
	return ret ? wrong(m, m->file.wrong) : 0;
}

/* The record at @at. Returns its length; 0 if it is incomplete; -EBADMSG if it is invalid. */
static int record_at(struct perf_bytes in, size_t at, struct record *r)
{
	struct perf_bytes whole;
	uint32_t word;

	if (!perf_bytes_u32(in, at, &r->type) || !perf_bytes_u32(in, at + 4, &word))
		return 0;
	if (word >> 16 < HEADER_BYTES)
		return -EBADMSG;
	if (!perf_bytes_part(in, at, word >> 16, &whole))
		return 0;
	r->misc = word;
	perf_bytes_part(whole, HEADER_BYTES, whole.size - HEADER_BYTES, &r->body);
	return whole.size;
}

static int read_kernel_record(struct import *m, const struct record *r)
{
	switch (r->type) {
	case PERF_RECORD_SAMPLE:
		return read_sample(m, r);
	case PERF_RECORD_COMM:
		return read_comm(m, r);
	case PERF_RECORD_FORK:
		return read_fork(m, r);
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return read_mmap(m, r);
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return read_lost(m, r);
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return read_switch(m, r);
	default:
		return 0;
	}
}

/* Take all complete records. perf compresses only records of the kernel. */
static int read_unpacked(struct import *m, struct perf_bytes records, size_t *used)
{
	struct record r;
	int bytes, ret = 0;

	for (*used = 0; !ret; *used += bytes) {
		bytes = record_at(records, *used, &r);
		if (bytes <= 0)
			return bytes ? wrong(m, "a compressed record is damaged") : 0;
		ret = r.type < PERF_USER_ATTR ? read_kernel_record(m, &r) : damaged(m);
	}
	return ret;
}

static int read_compressed(struct import *m, const struct record *r)
{
	struct perf_bytes packed = r->body, records;
	uint64_t size;
	size_t used;
	int ret, more;

	if (r->type == PERF_USER_COMPRESSED2 &&
	    (!perf_bytes_u64(r->body, 0, &size) ||
	     !perf_bytes_part(r->body, PACKED_SIZE, size, &packed)))
		return wrong(m, "a compressed record is truncated");
	do {
		more = perf_unpack_more(&m->unpack, &packed, &records);
		if (more < 0)
			return wrong(m, "zstd cannot unpack the record; it is damaged");
		ret = read_unpacked(m, records, &used);
		perf_unpack_used(&m->unpack, used);
	} while (!ret && more);
	return ret;
}

static int read_record(struct import *m, const struct record *r)
{
	if (r->type < PERF_USER_ATTR || r->type >= PERF_USER_COMPRESSED)
		begin_archive(m);
	switch (r->type) {
	case PERF_USER_ATTR:
		return m->file.is_pipe ? read_attr(m, r) : 0;
	case PERF_USER_FORMATS:
	case PERF_USER_AUXTRACE:
		return read_extra(m, r);
	case PERF_USER_FEATURE:
		return read_feature(m, r);
	case PERF_USER_ROUND:
		return end_round(m);
	case PERF_USER_COMPRESSED:
	case PERF_USER_COMPRESSED2:
		return read_compressed(m, r);
	default:
		return read_kernel_record(m, r);
	}
}

static int read_records(struct import *m)
{
	struct record r;
	int bytes, ret = 0;

	while (!ret && m->at < m->file.data.size) {
		bytes = record_at(m->file.data, m->at, &r);
		if (bytes <= 0)
			return wrong(m, "a record is truncated or invalid");
		ret = read_record(m, &r);
		m->at += ret ? 0 : bytes;	/* an error is reported with its offset */
	}
	if (!ret && m->unpack.bytes)
		return wrong(m, "the last compressed record is truncated");
	if (ret || m->file.has_formats || m->file.has_switches)
		return ret;
	m->lacks_events = true;
	return perf_file_lacks_events(&m->file);
}

static int report_result(const struct import *m, int ret)
{
	if (!m->lacks_events)
		trace_report(&m->trace, m->path);
	if (m->lost_samples > m->lost)
		message("fxt: %s: perf lost %" PRIu64 " more samples at unknown times\n",
			m->path, m->lost_samples - m->lost);
	if (m->damaged)
		message("fxt: %s: %" PRIu64 " damaged records are left out, first at byte %zu\n",
			m->path, m->damaged, m->first_damaged);
	if (m->maps.unread)
		message("fxt: %s: %" PRIu64 " files of programs could not be read: fxt symbolize will not name their functions\n",
			m->path, m->maps.unread);
	if (m->maps.late)
		message("fxt: %s: %" PRIu64 " files of programs were not read, because they are slow, or all together take more than %u s: fxt symbolize will not name their functions\n",
			m->path, m->maps.late, PERF_MAPS_SECONDS);
	if (ret == -EBADMSG) {
		const char *why = m->wrong ? m->wrong : m->file.wrong;
		size_t offset = m->file.data.data ? m->file.data.data + m->at - m->file.all.data : 0;

		message("fxt: %s: byte %zu: %s\n", m->path, offset, why);
		return m->trace.taken && !m->lacks_events ? VERB_DEVIATES : VERB_UNREADABLE;
	}
	if (ret) {
		message("fxt: cannot write a temporary file: %s\n", strerror(-ret));
		return VERB_UNWRITABLE;
	}
	return m->damaged || m->lost_samples > m->lost ? VERB_DEVIATES : VERB_DONE;
}

static int convert(struct import *m)
{
	int ret = perf_file_open(&m->file), finished = 0, closed;

	if (!ret)
		ret = read_records(m);
	if (!ret)
		begin_archive(m);
	if (m->trace.a.w) {
		finished = write_until(m, UINT64_MAX);
		ret = ret ? ret : finished;
		trace_end(&m->trace);
		finished = perf_maps_write(&m->maps, m->trace.a.w);
		closed = trace_close(&m->trace);
		finished = finished ? finished : closed;
	}
	return ret && ret != -EBADMSG ? ret : finished ? finished : ret;
}

int perf_data_read(const char *path, int from, bool strict, int fd)
{
	struct import *m = new_zero(struct import);
	const struct trace_event *e;
	void *all = MAP_FAILED;
	struct stat st;
	int ret;

	errno = ENODATA;
	if (!fstat(from, &st) && st.st_size > 0)
		all = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, from, 0);
	if (all == MAP_FAILED || !perf_data_detect(all, st.st_size)) {
		message("fxt: cannot read %s: %s\n", path,
			all == MAP_FAILED ? strerror(errno) : "it is not a perf.data file");
		if (all != MAP_FAILED)
			munmap(all, st.st_size);
		free(m);
		return VERB_UNREADABLE;
	}
	m->path = path;
	m->fd = fd;
	m->strict = strict;
	m->file.all = (struct perf_bytes){ all, st.st_size };
	m->waiting.size = sizeof(struct trace_event);
	m->waiting.room = WAITING;
	m->maps.file = &m->file;
	m->maps.server = &server;
	tep_set_loglevel(TEP_LOG_NONE);
	ret = report_result(m, convert(m));
	tep_events_close(&m->formats);
	while ((e = order_pop(&m->waiting)))
		trace_event_free(e);
	order_free(&m->waiting);
	perf_maps_close(&m->maps);
	perf_unpack_close(&m->unpack);
	perf_file_close(&m->file);
	munmap(all, st.st_size);
	free(m);
	return ret;
}

int perf_data_prepare(const char *path)
{
	int ret = elf_server_start(&server);

	if (ret) {
		message("fxt: cannot read %s: cannot start the process that reads files of programs: %s\n",
			path, strerror(-ret));
		return VERB_UNREADABLE;
	}
	return VERB_DONE;
}

int perf_data_link(void)
{
	return server.socket;
}

void perf_data_finish(void)
{
	elf_server_stop(&server);
}

bool perf_data_detect(const char *head, size_t bytes)
{
	return bytes >= 16 && (!memcmp(head, "PERFILE2", 8) || !memcmp(head, "2ELIFREP", 8));
}
