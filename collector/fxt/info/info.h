/* SPDX-License-Identifier: GPL-2.0-or-later */
/* info.h - the contents of an archive, counted in one walk. */
#ifndef FXT_INFO_H
#define FXT_INFO_H

#include <stdbool.h>

#include "libfxt/fxt_reader.h"
#include "sched/usage.h"
#include "walk/streams.h"
#include "liboutput/out.h"
#include "table/schema.h"

#define INFO_CPUS	65536
#define INFO_PROVIDERS	64	/* limit of listed ones */
#define INFO_SESSION	16384	/* limit of bytes kept of "fxt_sched.session" */
#define INFO_TRIGGERS	8	/* limit of listed ones; a snapshot has at most one */

struct info_kind {
	uint64_t records;
	uint64_t bytes;
};

/* Sections of a provider with the same id count as one. */
struct info_provider {
	uint32_t id;
	char name[FXT_MAX_PROVIDER_NAME + 1];
	uint64_t ticks_per_second;
	uint64_t records;
	uint64_t bytes;
};

/* The newest ledger of one stream. */
struct info_stream {
	bool seen;
	uint64_t written;	/* records since the opening ledger, if any */
	uint64_t lost;		/* likewise */
	uint64_t before;	/* records written before it */
	uint64_t lost_before;	/* likewise */
};

/* The trigger of a flight recorder's snapshot. */
struct info_trigger {
	uint64_t time;			/* ns */
	uint64_t value;			/* ns, or number of runnable threads */
	uint64_t thread;		/* koid */
	uint64_t cpu;
	bool goes_on;			/* the wait was not over at @time */
	uint8_t cause;			/* enum fxt_sched_cause */
	char name[64];			/* of the thread, or "" */
};

/* One CPU; the rest of its time is unknown. */
struct info_cpu {
	bool is_there;		/* in the archive, if only in a ledger; else no times */
	uint64_t busy;		/* ns, in which a thread had it */
	uint64_t idle;
	uint64_t offline;
	/* ns, up to which time is counted: records in the wrong stream must not be added twice. */
	uint64_t counted;
	struct sched_usage usage;	/* what it does now, which is not counted yet */
};

struct info {
	struct sched_model *model;
	struct info_kind kinds[FXT_KIND_COUNT];
	uint64_t first;			/* ns, the earliest time stamp; UINT64_MAX: none */
	uint64_t last;			/* ns, the latest time stamp */
	uint64_t window;		/* ns, the time that @cpus divide */
	struct info_cpu cpus[INFO_CPUS];
	/*
	 * 1 + the last CPU that is there; 0: none. The rest of @cpus is not looked at, because
	 * touching unused memory costs page faults.
	 */
	unsigned int cpu_end;
	uint64_t buffer_full;		/* provider events that report a full buffer */
	struct info_provider providers[INFO_PROVIDERS];
	unsigned int provider_count;
	uint64_t more_providers;	/* records of providers that did not fit @providers */
	struct info_stream streams[STREAMS];
	unsigned int stream_end;	/* of @streams, for streams_add() */
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

/* For the scheduling model; the argument is struct info, whose @model is set. */
extern const struct sched_ops info_cpus_ops;

/* The model is finished: add the last spells, and CPUs without any. */
void info_cpus_finish(struct info *info);

#endif /* FXT_INFO_H */
