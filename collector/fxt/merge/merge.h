/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge.h - several archives as one.
 *
 * command.c takes the command line; survey.c looks at each archive;
 * plan.c finds out which of them are parts of one recording, and gives each
 * recording its place among CPUs, koids and times; map.c puts records there;
 * write.c writes them.
 *
 * What is told apart by number in an archive (CPUs, koids, ids of flows and of async
 * events) is, of the second recording and those after it, moved behind what the ones
 * before it take. The names of threads and processes say what they were.
 */
#ifndef FXT_MERGE_H
#define FXT_MERGE_H

#include "walk/io.h"
#include "walk/koids.h"
#include "write/pack.h"
#include "rewrite/streams.h"

#define MERGE_RECORDINGS	500	/* their koids fit 31 bits, as Perfetto takes them */
#define MERGE_CPUS		4096	/* all that Perfetto takes */
#define MERGE_KOIDS		(1ULL << 22)	/* of a recording: Linux has no larger ids */
#define MERGE_LABEL		80

/* How a stream of a CPU begins and ends in one archive. */
struct merge_stream {
	uint32_t stream;
	bool has_opening;
	bool is_closed;
	struct fxt_ledger opening;
	struct fxt_ledger closing;
};

/**
 * struct merge_input - one archive
 * @host: as it says itself, like @boot; "" if it does not
 * @epoch: ns since 1970 at time 0, with @has_epoch
 * @cpus: the highest number, and one
 * @most: the largest koid
 * @rate: ticks per second; 0 if its providers differ in that
 * @first: ns of its earliest time stamp, UINT64_MAX if there is none; @last: the latest
 * @offset: ns, that the command line asks for, with @has_offset
 * @next: the next part of the same recording
 */
struct merge_input {
	struct io io;

	char host[64];
	char boot[64];
	bool has_session;
	bool has_epoch;
	bool has_ledgers;
	uint64_t epoch;
	unsigned int cpus;
	uint64_t most;
	bool has_rate;
	uint64_t rate;
	uint64_t first;
	uint64_t last;
	bool has_offset;
	int64_t offset;
	struct merge_stream *streams;
	size_t stream_count;
	struct merge_input *next;
};

/* A provider of an archive, and which one of the result it is. */
struct merge_provider {
	uint32_t from;
	uint32_t to;
};

/**
 * struct merge_recording - archives that are parts of one recording, in their order
 * @ends: how far its streams have come with all parts
 * @is_part: its first part is not where the recording began
 * @label: as names have it
 * @koids: what is added to koids; with @is_dense, the number before the first one, and
 *	@dense has which one each was given
 * @clock: how @offset was found, for people
 * @named: what the last kernel object of each thread was, as a hash; @processes likewise
 * @input: that is being read
 * @stream: that its records belong to
 * @now: ns, how far it has been read
 */
struct merge_recording {
	struct merge_input *first;
	struct merge_input *last;
	struct merge_stream *ends;
	size_t end_count;
	bool is_part;
	char label[MERGE_LABEL];
	unsigned int number;
	unsigned int cpus;
	unsigned int cpu_base;
	uint64_t koids;
	bool is_dense;
	struct koids dense;
	int64_t offset;
	const char *clock;
	struct merge_provider *providers;
	size_t provider_count;
	struct koids named;
	struct koids processes;
	bool has_session;

	struct merge_input *input;
	struct stream *stream;
	uint64_t now;
};

/**
 * struct merge - the whole
 * @rate: ticks per second of the result
 * @as_it_is: times need not be changed
 * @name: room for one that is made longer
 */
struct merge {
	struct archive how;
	const char *output;
	struct result result;
	struct merge_input *inputs;
	size_t input_count;
	struct merge_recording *recordings;
	size_t recording_count;
	uint64_t rate;
	bool as_it_is;
	uint32_t provider_count;
	struct rewrite f;
	struct providers p;
	struct streams st;
	char name[FXT_MAX_STRING_FIELD + 1];
};

/** merge_survey() - look at an archive; enum verb_exit, after saying what is wrong */
int merge_survey(struct merge *m, struct merge_input *in);

/** merge_plan() - who is whose part, and where everything goes; enum verb_exit, likewise */
int merge_plan(struct merge *m);

/** merge_write() - write the result; enum verb_exit, likewise */
int merge_write(struct merge *m);

/** merge_find_stream() - a stream of a list; NULL if it is not in it */
struct merge_stream *merge_find_stream(struct merge_stream *list, size_t count,
				       uint32_t stream);

/** merge_ledger() - a ledger of the record that was taken last; false if it is none */
bool merge_ledger(const struct fxt_content *c, struct fxt_ledger *l);

/* --- map.c ---------------------------------------------------------------------- */

/** merge_time() - a time stamp of a recording, in ticks of the result */
uint64_t merge_time(const struct merge *m, const struct merge_recording *rec,
		    uint64_t ticks, uint64_t rate);

/**
 * merge_content() - put a record where its recording is
 * @m: the merge
 * @of: its recording
 * @rate: its ticks per second
 * @c: changed
 *
 * Return: 0; -ENOMEM; -E2BIG if the recording has too many koids.
 */
int merge_content(const struct merge *m, struct merge_recording *of, uint64_t rate,
		  struct fxt_content *c);

#endif /* FXT_MERGE_H */
