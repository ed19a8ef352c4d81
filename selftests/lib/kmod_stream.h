/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kmod_stream.h - a stream of a session as the module hands it out.
 *
 * In:  the stream and its counters.
 * Out: its records, after each sub-buffer was checked: a ledger that continues the sequence
 *      and the counts, then records that end exactly where the sub-buffer ends, in order
 *      of time.
 */
#ifndef SELFTESTS_KMOD_STREAM_H
#define SELFTESTS_KMOD_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmod.h"
#include "workload.h"

/**
 * struct kmod_stream - what was read of a stream
 * @cpu: whose stream it is; set by the caller
 * @kind: enum fxt_sched_stream_kind; set by the caller
 * @whole: everything since the stream's begin is read; set by the caller
 * @words: the records without ledgers, @count words
 * @records: number of records in it
 * @before: records that were stored before the first of these
 * @lost: as the newest ledger has it, or the counters once the stream is finished
 * @bytes: of the sub-buffers read, ledgers included
 * @subbufs: number of them
 * @next: sequence of the next sub-buffer
 * @last: ticks of the last record of a CPU
 */
struct kmod_stream {
	uint32_t cpu;
	uint32_t kind;
	bool whole;
	uint64_t *words;
	size_t count;
	uint64_t records;
	uint64_t before;
	uint64_t lost;
	uint64_t bytes;
	uint64_t subbufs;
	uint32_t next;
	uint64_t last;
};

/** kmod_stream_read_one() - read and add one sub-buffer; 1, 0 if none waits, or -1 */
int kmod_stream_read_one(struct kmod_stream *s, int fd, struct why *why);

/**
 * kmod_stream_read() - read what waits in a stream, and add it
 * @s: the stream
 * @fd: its file
 * @why: set to the first thing that is wrong
 *
 * Return: 0 or -1.
 */
int kmod_stream_read(struct kmod_stream *s, int fd, struct why *why);

/**
 * kmod_stream_finish() - read the rest of a stream, and compare it with the counters
 * @s: the stream
 * @d: its session, which does not record
 * @why: set to the difference
 *
 * Every record that was written is stored, was overwritten or is counted as lost. A stream of
 * a CPU that was never online is empty.
 *
 * Return: 0 or -1.
 */
int kmod_stream_finish(struct kmod_stream *s, const struct kmod_session *d, struct why *why);

/** kmod_stream_next() - the record at @at, which moves to the next; NULL at the end */
const uint64_t *kmod_stream_next(const struct kmod_stream *s, size_t *at);

/** kmod_stream_free() - free the records; the stream can be read again from where it is */
void kmod_stream_free(struct kmod_stream *s);

/**
 * struct kmod_streams - all streams of a session
 * @cpus: records of the CPUs; @count of them are in use
 * @names: names that were recorded on them
 */
struct kmod_streams {
	unsigned int count;
	struct kmod_stream cpus[MAX_CPUS];
	struct kmod_stream names[MAX_CPUS];
};

/**
 * kmod_streams_init() - nothing is read yet
 * @all: the streams
 * @overwrite: the CPUs' streams are overwritten, so that only their ends are read
 */
void kmod_streams_init(struct kmod_streams *all, bool overwrite);

/** kmod_streams_read() - read what waits in all of them; 0 or -1 */
int kmod_streams_read(struct kmod_streams *all, const struct kmod_session *d, struct why *why);

/** kmod_streams_finish() - kmod_stream_finish() for each; 0 or -1 */
int kmod_streams_finish(struct kmod_streams *all, const struct kmod_session *d,
			struct why *why);

void kmod_streams_free(struct kmod_streams *all);

/** kmod_record_time() - a record's time in the stream of a CPU: of a slice, its end */
uint64_t kmod_record_time(const uint64_t *rec);

/** kmod_record_is_event() - is it a record of an event group? */
bool kmod_record_is_event(const uint64_t *rec);

/** kmod_record_is_switch() - is it a context switch, or else a wakeup or a name? */
bool kmod_record_is_switch(const uint64_t *rec);

#endif /* SELFTESTS_KMOD_STREAM_H */
