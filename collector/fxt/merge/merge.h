/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge.h - several archives as one.
 *
 * command.c reads the command line; plan.c reads each archive once, finds out which archives are
 * parts of one recording, and assigns each recording its range of CPUs, koids and times; map.c maps
 * records to them; write.c writes the records.
 *
 * Archives identify CPUs, koids, flows and async events by numbers. From the second recording on,
 * these numbers are moved above those of earlier recordings. The names of threads and processes
 * show the original numbers.
 */
#ifndef FXT_MERGE_H
#define FXT_MERGE_H

#include "walk/io.h"
#include "walk/koids.h"
#include "write/pack.h"
#include "rewrite/streams.h"

#define MERGE_RECORDINGS	440	/* limit, so that koids stay below all tracks */
#define MERGE_CPUS		4096	/* the limit of Perfetto */
#define MERGE_KOIDS		(1ULL << 22)	/* koids per recording: Linux has no larger ids */
#define MERGE_LABEL		80

enum merge_clock {
	MERGE_CLOCK_UNKNOWN,
	MERGE_CLOCK_BOOT,	/* CLOCK_BOOTTIME, or the TSC, whose time 0 is the boot */
	MERGE_CLOCK_MONO,	/* CLOCK_MONOTONIC */
	MERGE_CLOCK_REAL,	/* CLOCK_REALTIME */
};

/* Counts with which a stream of a CPU begins and ends in one archive. */
struct merge_stream {
	uint32_t stream;
	bool has_opening;
	bool is_closed;
	struct fxt_ledger opening;
	struct fxt_ledger closing;
};

/**
 * struct merge_input - one archive
 * @host: from its description, like @boot; "" if unknown
 * @epoch: ns since 1970 at time 0, with @has_epoch
 * @clock: enum merge_clock, from the command line if @has_clock, or from its description
 * @suspended: ns that CLOCK_MONOTONIC is behind CLOCK_BOOTTIME, with @has_suspended
 * @same_machine: the command line says that its threads are those of the first archive
 * @cpus: 1 + the highest number of a CPU
 * @most: its largest koid
 * @rate: ticks per second; 0 if its providers differ
 * @first: ns of its earliest time stamp, UINT64_MAX if there is none; @last: the latest
 * @offset: ns, from the command line if @has_offset
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
	uint8_t clock;
	bool has_clock;
	bool has_suspended;
	bool same_machine;
	uint64_t suspended;
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

/* A provider of an archive, and its number in the result. */
struct merge_provider {
	uint32_t from;
	uint32_t to;
};

/**
 * struct merge_recording - the archives that are parts of one recording, in order
 * @ends: counts at the end of its streams, in the parts so far
 * @is_part: the beginning of the recording is missing
 * @label: what names are extended with
 * @shares_threads: koids below MERGE_KOIDS are those of the first recording
 * @koids: what is added to koids. With @is_dense, the number before the first one, and
 *	@dense has the number assigned to each
 * @clock: how @offset was found, as text
 * @modules: the number assigned to each module of the kernel
 * @named: by thread, hash of the last kernel object without a time; @processes likewise
 * @later: hashes of the kernel objects with times
 * @input: the archive that is being read
 * @stream: the stream of the next records
 * @now: ns; it has been read up to here
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
	bool shares_threads;
	uint64_t koids;
	bool is_dense;
	struct koids dense;
	int64_t offset;
	const char *clock;
	struct merge_provider *providers;
	size_t provider_count;
	struct koids modules;
	struct koids named;
	struct koids processes;
	struct koids later;
	bool has_session;

	struct merge_input *input;
	struct stream *stream;
	uint64_t now;
};

/**
 * struct merge - one merge
 * @machines: number of recordings with threads of their own
 * @rate: ticks per second of the result
 * @as_it_is: times need no conversion at all
 * @modules: number of modules of all kernels
 * @name: buffer for a name that is extended
 * @list: buffer for a list of CPUs
 * @path: buffer for the path of a cgroup
 * @symbols: allocated buffer for the functions of programs
 */
struct merge {
	struct archive how;
	const char *output;
	struct result result;
	struct merge_input *inputs;
	size_t input_count;
	struct merge_recording *recordings;
	size_t recording_count;
	size_t machines;
	uint64_t rate;
	bool as_it_is;
	uint32_t modules;
	uint32_t provider_count;
	struct rewrite f;
	struct providers p;
	struct streams st;
	char name[FXT_MAX_STRING_FIELD + 1];
	char list[FXT_MAX_STRING_FIELD + 1];
	char path[FXT_MAX_STRING_FIELD + 1];
	char *symbols;
};

/** merge_survey() - survey an archive. Return: enum verb_exit, after reporting errors */
int merge_survey(struct merge *m, struct merge_input *in);

/** merge_plan() - find the parts of recordings, and place these. Return: likewise */
int merge_plan(struct merge *m);

/** merge_write() - write the result. Return: likewise */
int merge_write(struct merge *m);

/** merge_ledger() - get the ledger in the last record. Return: false if it is not a ledger */
bool merge_ledger(const struct fxt_content *c, struct fxt_ledger *l);

/* --- map.c ---------------------------------------------------------------------- */

/** merge_koid() - map the koid of a thread or process. Return: as merge_content() */
int merge_koid(struct merge_recording *of, uint64_t *koid);

/** merge_is_cpu() - does an argument have the number of a CPU? */
bool merge_is_cpu(const struct fxt_content *c, const struct fxt_arg *arg);

/** merge_time() - convert a time stamp of a recording to ticks of the result */
uint64_t merge_time(const struct merge *m, const struct merge_recording *rec,
		    uint64_t ticks, uint64_t rate);

/**
 * merge_content() - map the ids, CPUs and times in a record
 * @m: the merge
 * @of: the recording of the record
 * @rate: the record's ticks per second
 * @c: changed
 *
 * Return: 0; -ENOMEM; -E2BIG if the recording has too many koids.
 */
int merge_content(const struct merge *m, struct merge_recording *of, uint64_t rate,
		  struct fxt_content *c);

/**
 * merge_lists() - map the list of CPUs that a thread may run on
 * @m: the merge; keeps the text until the next call
 * @of: the recording of the thread
 * @c: its kernel object, changed
 */
void merge_lists(struct merge *m, const struct merge_recording *of, struct fxt_content *c);

#endif /* FXT_MERGE_H */
