/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * archive.h - an archive of what another tracer of Linux has recorded.
 *
 * In: finished records, in the order of time on each CPU; counts of lost events.
 * Out: an archive like those of fxt-collect: streams of CPUs and a stream of names, in chunks
 * that ledgers begin, and losses where they happened.
 *
 * When the chunk of one stream is full, the chunks of all are written, so that readers never
 * wait long for the events of a quiet CPU.
 */
#ifndef FXT_FORMATS_IMPORT_ARCHIVE_H
#define FXT_FORMATS_IMPORT_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/fxt_sched.h>
#include <fxt/fxt_sched_stack.h>

struct fxt_writer;

#define TRACE_CPUS		8192U	/* as many as Linux has */
#define TRACE_CHUNK_WORDS	2048U
#define TRACE_RECORD_WORDS	FXT_SCHED_STACK_WORDS	/* what trace_archive_room() gives */
#define TRACE_TICKS_PER_SECOND	1000000000ULL

/**
 * struct trace_stream - the records of a CPU, or the names
 * @words: the chunk
 * @used: words of it
 * @records: in the chunk
 * @time: ns, of its first record; @chunk_last: of its last one
 * @last: ns, of the last record before the chunk, 0 if there is none
 * @written: records before the chunk, including lost ones; @lost: how many were lost
 * @pending: events lost since the last record
 * @sequence: of the next sub-buffer
 * @in: id of the thread switched in last, 0 if it is idle or unknown; @in_weight: its weight
 * @has_in: it is known
 */
struct trace_stream {
	uint64_t *words;
	uint32_t used;
	uint32_t records;
	uint64_t time;
	uint64_t chunk_last;
	uint64_t last;
	uint64_t written;
	uint64_t lost;
	uint64_t pending;
	uint32_t sequence;
	uint32_t in;
	int32_t in_weight;
	bool has_in;
	bool loss_named;
};

/**
 * struct trace_archive - an archive that is being written; begins as zeros
 * @is_part: set before trace_archive_open() if the file already is an archive
 * @clock: likewise, of the times: "mono" or "boot"; NULL if it is unknown
 * @first: ns, of the earliest record; @last: of the latest
 * @lost: events lost on all CPUs
 * @streams: of CPUs by number; the last one has the names
 * @count: of CPUs, up to the highest number
 */
struct trace_archive {
	struct fxt_writer *w;
	uint64_t first;
	uint64_t last;
	uint64_t lost;
	bool loss_named;
	bool is_part;
	const char *clock;
	uint32_t count;
	struct trace_stream streams[TRACE_CPUS + 1];
};

/**
 * trace_archive_open() - begin an archive
 * @a: zeros
 * @fd: where to write it
 * @from: what it is made of, as "ftrace text"
 *
 * Return: 0 or a negative errno; call trace_archive_close() in either case.
 */
int trace_archive_open(struct trace_archive *a, int fd, const char *from);

/** trace_archive_end() - end all streams. Return: 0 or a negative errno of writing */
int trace_archive_end(struct trace_archive *a);

/**
 * trace_archive_object() - add a kernel object that is no event, after trace_archive_end()
 * @a: the archive
 * @rec: its records
 * @words: of them
 *
 * Readers take a thread that is first seen in the stream of names for a new one.
 *
 * Return: 0 or a negative errno of writing.
 */
int trace_archive_object(struct trace_archive *a, const void *rec, uint32_t words);

/** trace_archive_close() - free all. Return: 0 or a negative errno of writing */
int trace_archive_close(struct trace_archive *a);

/**
 * trace_archive_room() - room for a record
 * @a: the archive
 * @cpu: below TRACE_CPUS, or TRACE_CPUS for the stream of names
 *
 * Return: room for TRACE_RECORD_WORDS, or NULL without memory.
 */
uint64_t *trace_archive_room(struct trace_archive *a, uint32_t cpu);

/**
 * trace_archive_add() - records are in the room
 * @a: the archive
 * @cpu: as in trace_archive_room()
 * @ns: the time of the last of them
 * @words: of all of them
 * @records: their number
 *
 * Return: 0 or a negative errno of writing.
 */
int trace_archive_add(struct trace_archive *a, uint32_t cpu, uint64_t ns, uint32_t words,
		      uint32_t records);

/** trace_archive_lost() - the tracer lost @events on a CPU after its last record */
int trace_archive_lost(struct trace_archive *a, uint32_t cpu, uint64_t events);

/** trace_archive_runs() - which thread runs on a CPU from now on; 0: the idle thread */
static inline void trace_archive_runs(struct trace_archive *a, uint32_t cpu, uint32_t tid,
				      int32_t weight)
{
	a->streams[cpu].in = tid;
	a->streams[cpu].in_weight = weight;
	a->streams[cpu].has_in = true;
}

/** trace_archive_hides() - nobody knows which thread runs on a CPU from now on */
static inline void trace_archive_hides(struct trace_archive *a, uint32_t cpu)
{
	a->streams[cpu].in = 0;
	a->streams[cpu].has_in = false;
}

/** trace_archive_filter() - the tracer recorded only events that match @filter. Return: as above */
int trace_archive_filter(struct trace_archive *a, const char *filter);

/** trace_archive_process() - name a process that is no thread of Linux, as a kind of events */
int trace_archive_process(struct trace_archive *a, uint64_t koid, const char *name);

/** trace_archive_track() - name a thread of such a process */
int trace_archive_track(struct trace_archive *a, uint64_t koid, uint64_t process,
			const char *name);

#endif /* FXT_FORMATS_IMPORT_ARCHIVE_H */
