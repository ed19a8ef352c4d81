/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stream of a session, read from the module. Each sub-buffer has been checked: a ledger continues
 * the sequence and the counts; the records after it end exactly where the sub-buffer ends, and are
 * in order of time.
 */
#ifndef SELFTESTS_KMOD_STREAM_H
#define SELFTESTS_KMOD_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmod.h"
#include "workload.h"

struct kmod_stream {
	uint32_t cpu;	/* CPU of the stream; set by the caller */
	uint32_t kind;	/* enum fxt_sched_stream_kind; set by the caller */
	bool whole;	/* the stream is read from its beginning; set by the caller */
	uint64_t *words;	/* the records without ledgers, @count words */
	size_t count;
	uint64_t records;	/* number of records in @words */
	uint64_t before;	/* number of records that were stored before the first of these */
	/* lost records, by the newest ledger, or by the counters once the stream is finished */
	uint64_t lost;
	uint64_t bytes;	/* bytes in the sub-buffers read, including ledgers */
	uint64_t subbufs;	/* number of sub-buffers read */
	uint32_t next;	/* sequence of the next sub-buffer */
	uint64_t last;	/* ticks of the last record of a CPU */
};

/* Return: 1, 0 if none waits, or -1 */
int kmod_stream_read_one(struct kmod_stream *s, int fd, struct why *why);

/* Read and add all sub-buffers that wait in a stream. */
int kmod_stream_read(struct kmod_stream *s, int fd, struct why *why);

/*
 * Read the rest of a stream, whose session does not record, and compare it with the counters: every
 * record that was written is stored, was overwritten or is counted as lost. A stream of a CPU that
 * was never online is empty.
 */
int kmod_stream_finish(struct kmod_stream *s, const struct kmod_session *d, struct why *why);

/* the record at @at, NULL at the end; advances @at */
const uint64_t *kmod_stream_next(const struct kmod_stream *s, size_t *at);

/* Later reads continue at the stream's position. */
void kmod_stream_free(struct kmod_stream *s);

struct kmod_streams {
	unsigned int count;
	struct kmod_stream cpus[MAX_CPUS];	/* records of the CPUs; @count of them are in use */
	struct kmod_stream names[MAX_CPUS];	/* names that were recorded on them */
};

/* @overwrite: the CPUs' streams are overwritten, so that only their ends can be read */
void kmod_streams_init(struct kmod_streams *all, bool overwrite);

int kmod_streams_read(struct kmod_streams *all, const struct kmod_session *d, struct why *why);

int kmod_streams_finish(struct kmod_streams *all, const struct kmod_session *d, struct why *why);

void kmod_streams_free(struct kmod_streams *all);

/* for a slice, its end */
uint64_t kmod_record_time(const uint64_t *rec);

bool kmod_record_is_event(const uint64_t *rec);

bool kmod_record_is_switch(const uint64_t *rec);

#endif /* SELFTESTS_KMOD_STREAM_H */
