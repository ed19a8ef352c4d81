/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge.h - several archives as one.
 *
 * command.c reads the command line; plan.c reads each archive once, finds out which archives are
 * parts of one recording, and assigns each recording its range of CPUs, koids and times; map.c maps
 * records to them, and symbols.c the functions of programs; write.c writes the records; tar.c writes
 * each recording alone.
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

/** struct merge_input - one archive */
struct merge_input {
	struct io io;

	char host[64];			/* from its description, like @boot; "" if unknown */
	char boot[64];
	bool has_session;
	bool has_epoch;
	bool has_ledgers;
	uint64_t epoch;			/* ns since 1970 at time 0, with @has_epoch */
	/* ns that @epoch is off at most, as its kernel knows, with @has_epoch_error. */
	bool has_epoch_error;
	uint64_t epoch_error;
	/* enum merge_clock, from the command line if @has_clock, or from its description. */
	uint8_t clock;
	bool has_clock;
	bool has_suspended;
	/* The command line says that its threads are those of the first archive. */
	bool same_machine;
	/* ns that CLOCK_MONOTONIC is behind CLOCK_BOOTTIME, with @has_suspended. */
	uint64_t suspended;
	unsigned int cpus;		/* 1 + the highest number of a CPU */
	uint64_t most;			/* its largest koid */
	bool has_rate;
	uint64_t rate;			/* ticks per second; 0 if its providers differ */
	uint64_t first;	/* ns of its earliest time stamp, UINT64_MAX if there is none */
	uint64_t last;			/* the latest */
	bool has_offset;
	int64_t offset;			/* ns, from the command line if @has_offset */
	struct merge_stream *streams;
	size_t stream_count;
	struct merge_input *next;	/* the next part of the same recording */
};

/* A provider of an archive, and its number in the result. */
struct merge_provider {
	uint32_t from;
	uint32_t to;
};

/** struct merge_recording - the archives that are parts of one recording, in order */
struct merge_recording {
	struct merge_input *first;
	struct merge_input *last;
	struct merge_stream *ends;	/* counts at the end of its streams, in the parts so far */
	size_t end_count;
	bool is_part;			/* the beginning of the recording is missing */
	char label[MERGE_LABEL];	/* what names are extended with */
	unsigned int number;
	unsigned int cpus;
	unsigned int cpu_base;
	bool shares_threads;	/* koids below MERGE_KOIDS are those of the first recording */
	/* Added to koids; with @is_dense, the number before the first, and @dense has them. */
	uint64_t koids;
	bool is_dense;
	struct koids dense;
	bool has_too_many;	/* there are too many of them, or of modules */
	int64_t offset;
	const char *clock;		/* how @offset was found, as text */
	struct merge_provider *providers;
	size_t provider_count;
	struct koids modules;		/* the number assigned to each module of the kernel */
	/* By thread, hash of the last kernel object without a time; @processes likewise. */
	struct koids named;
	struct koids processes;
	struct koids later;		/* hashes of the kernel objects with times */
	bool has_session;

	struct merge_input *input;	/* the archive that is being read */
	const struct fxt_provider *provider;	/* of its last record */
	struct stream *stream;		/* the stream of the next records */
	uint64_t now;			/* ns; it has been read up to here */
	char id2[40];			/* the "json.id2" of the record that is being mapped */
};

/** struct merge - one merge */
struct merge {
	struct archive how;
	const char *output;
	bool is_apart;			/* a tar, where each recording is alone */
	struct result result;
	struct merge_input *inputs;
	size_t input_count;
	struct merge_recording *recordings;
	size_t recording_count;
	size_t machines;		/* number of recordings with threads of their own */
	uint64_t rate;			/* ticks per second of the result */
	bool as_it_is;			/* times need no conversion at all */
	uint32_t modules;		/* number of modules of all kernels */
	uint32_t provider_count;
	struct rewrite f;
	struct providers p;
	struct streams st;
	char name[FXT_MAX_STRING_FIELD + 1];	/* buffer for a name that is extended */
	char list[FXT_MAX_STRING_FIELD + 1];	/* buffer for a list of CPUs */
	char path[FXT_MAX_STRING_FIELD + 1];	/* buffer for the path of a cgroup */
	char *symbols;			/* allocated buffer for the functions of programs */
};

/** merge_survey() - survey an archive. Return: enum verb_exit, after reporting errors */
int merge_survey(struct merge *m, struct merge_input *in);

/** merge_plan() - find the parts of recordings, and place these. Return: likewise */
int merge_plan(struct merge *m);

/** merge_find_rate() - choose the ticks per second of the result, after merge_plan() */
void merge_find_rate(struct merge *m);

/** merge_write() - write the result. Return: likewise */
int merge_write(struct merge *m);

/**
 * merge_write_to() - write an archive of all recordings of @m
 * @pack: where to, which it closes
 * @is_complete: set to false if it cannot be used
 *
 * Return: likewise.
 */
int merge_write_to(struct merge *m, struct pack *pack, bool *is_complete);

/** merge_write_tar() - write a tar of an archive for each recording. Return: likewise */
int merge_write_tar(struct merge *m);

extern const struct result_kind merge_tar;

/* --- map.c ---------------------------------------------------------------------- */

/** merge_koid() - map the koid of a thread or process */
void merge_koid(struct merge_recording *of, uint64_t *koid);

/** merge_is_cpu() - does an argument have the number of a CPU? */
bool merge_is_cpu(const struct fxt_content *c, const struct fxt_arg *arg);

/** merge_time() - convert a time stamp of a recording to ticks of the result */
uint64_t merge_time(const struct merge *m, const struct merge_recording *rec,
		    uint64_t ticks, uint64_t rate);

/** merge_content() - map the ids, CPUs and times in a record of @rate ticks per second */
void merge_content(const struct merge *m, struct merge_recording *of, uint64_t rate,
		   struct fxt_content *c);

/** merge_hot() - the same for hot records. @to: room for them */
void merge_hot(const struct merge *m, struct merge_recording *of, const struct fxt_hot_run *run,
	       uint64_t *to);

/**
 * merge_lists() - map the list of CPUs that a thread may run on, in its kernel object; @m keeps the
 * text until the next call
 */
void merge_lists(struct merge *m, const struct merge_recording *of, struct fxt_content *c);

/**
 * merge_symbols() - map the processes of functions, if a BLOB is of symbols; @m keeps the text until
 * the next call
 */
void merge_symbols(struct merge *m, struct merge_recording *of, struct fxt_content *c);

#endif /* FXT_MERGE_H */
