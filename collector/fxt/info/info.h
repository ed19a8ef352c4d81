/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * info.h - the contents of an archive, counted in one walk.
 */
#ifndef FXT_INFO_H
#define FXT_INFO_H

#include <stdbool.h>

#include "libfxt/fxt_reader.h"
#include "sched/usage.h"
#include "walk/streams.h"
#include "liboutput/out.h"
#include "table/schema.h"

#define INFO_CPUS	65536
#define INFO_PROVIDERS	64	/* listed one by one, at most */
#define INFO_SESSION	16384	/* bytes of "fxt_sched.session" kept, at most */
#define INFO_TRIGGERS	8	/* listed at most; a snapshot has at most one */

/** struct info_kind - records of one kind */
struct info_kind {
	uint64_t records;
	uint64_t bytes;
};

/** struct info_provider - one provider; sections with the same id count as one */
struct info_provider {
	uint32_t id;
	char name[FXT_MAX_PROVIDER_NAME + 1];
	uint64_t ticks_per_second;
	uint64_t records;
	uint64_t bytes;
};

/** struct info_stream - the newest ledger of one stream */
struct info_stream {
	bool seen;
	uint64_t written;	/* records since the opening ledger, if there is one */
	uint64_t lost;		/* likewise */
	uint64_t before;	/* records written before it */
	uint64_t lost_before;	/* likewise */
};

/** struct info_trigger - the trigger of a flight recorder's snapshot */
struct info_trigger {
	uint64_t time;			/* ns */
	uint64_t value;			/* ns, or number of runnable threads */
	uint64_t thread;		/* koid */
	uint64_t cpu;
	bool goes_on;			/* the wait was not over at @time */
	uint8_t cause;			/* enum fxt_sched_cause */
	char name[64];			/* of the thread, empty if it has none */
};

/** struct info_cpu - one CPU; the rest of its time is unknown */
struct info_cpu {
	bool is_there;		/* the archive names it, if only by a ledger; the times are valid then */
	uint64_t busy;		/* ns, in which a thread had it */
	uint64_t idle;
	uint64_t offline;
	/* ns, until which time is counted: records in the wrong stream must not add any twice. */
	uint64_t counted;
	struct sched_usage usage;	/* what it does now, of which nothing is counted yet */
};

/** struct info - contents of one archive */
struct info {
	struct sched_model *model;	/* of threads and CPUs */
	struct info_kind kinds[FXT_KIND_COUNT];
	uint64_t first;			/* ns, the earliest time stamp; UINT64_MAX: none */
	uint64_t last;			/* ns, the latest */
	uint64_t window;		/* ns, the time that @cpus divide */
	struct info_cpu cpus[INFO_CPUS];
	/*
	 * 1 + the last CPU that is there; 0: none. What follows in @cpus is not looked at, because
	 * memory that nobody has touched costs page faults.
	 */
	unsigned int cpu_end;
	uint64_t buffer_full;		/* provider events that report a full buffer */
	struct info_provider providers[INFO_PROVIDERS];
	unsigned int provider_count;
	uint64_t more_providers;	/* records of providers that did not fit @providers */
	struct info_stream streams[STREAMS];
	unsigned int stream_end;	/* of @streams, as streams_add() has it */
	char session[INFO_SESSION];	/* the description of the recording, lines of "key value" */
	size_t session_bytes;
	struct info_trigger triggers[INFO_TRIGGERS];
	unsigned int trigger_count;
	uint64_t complete;		/* ns, since when all CPUs are covered; UINT64_MAX: unknown */
	const char *compression;	/* from fxt_reader_compression() */
	bool swapped;
	struct fxt_reader_totals totals;
};

void info_print_text(struct out *o, const char *path, const struct info *info);
void info_print_json(struct out *o, const char *path, const struct info *info);
extern const struct schema info_schema[];

/* --- what each CPU did (cpus.c) ---------------------------------------------------------- */

/* For the model of threads; the argument is struct info, whose @model is set. */
extern const struct sched_ops info_cpus_ops;

/** info_cpus_finish() - the model is finished: add the last spells, and CPUs without any */
void info_cpus_finish(struct info *info);

#endif /* FXT_INFO_H */
