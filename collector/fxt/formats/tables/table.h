/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - what the producers of tables share. The public API is tables.h.
 *
 * struct tables keeps the first error, and no row is output after it. Only the walk checks it,
 * after each record.
 */
#ifndef FXT_FORMATS_TABLES_TABLE_H
#define FXT_FORMATS_TABLES_TABLE_H

#include <errno.h>

#include "sched/model.h"
#include "tables.h"
#include "terminal/memory.h"
#include "walk/ids.h"
#include "walk/operations.h"
#include "walk/order.h"
#include "walk/streams.h"

/* Limits of data that are in memory at the same time. */
#define TABLE_MAX_KEYS		(1U << 20)	/* threads; processes; objects; ... */
#define TABLE_MAX_DEPTH		512		/* nested slices */
#define TABLE_MAX_OPEN		(1U << 18)	/* slices on all stacks; async operations */
#define TABLE_MAX_NAME_BYTES	(64U << 20)	/* texts that something refers to */
#define TABLE_WINDOW_EVENTS	65536U		/* events that wait for earlier ones */
#define TABLE_WINDOW_BYTES	(16U << 20)

/* Counters of the producers: number, name, severity. */
#define TABLE_STATS_OWN(X)							\
	X(STAT_TIME_CUT,	"fxt_time_cut",			"error")	\
	X(STAT_THREADS_LEFT_OUT, "fxt_events_without_thread",	"error")	\
	X(STAT_PROCESSES_LEFT_OUT, "fxt_processes_left_out",	"error")	\
	X(STAT_OBJECTS_LEFT_OUT, "fxt_objects_left_out",	"error")	\
	X(STAT_NAMES_LEFT_OUT,	"fxt_names_left_out",		"error")	\
	X(STAT_STACKS_LEFT_OUT,	"fxt_stacks_left_out",		"error")	\
	X(STAT_EVENT_LATE,	"fxt_events_late",		"info")		\
	X(STAT_WAKER_UNKNOWN,	"fxt_waker_id_unknown",		"info")		\
	X(STAT_SLICE_DEPTH,	"slice_max_depth_exceeded",	"error")	\
	X(STAT_SLICE_OPEN,	"fxt_slices_open_left_out",	"error")	\
	X(STAT_SLICE_NEGATIVE,	"slice_negative_duration",	"error")	\
	X(STAT_SLICE_END,	"slice_end_without_begin",	"info")		\
	X(STAT_SLICE_OVERLAP,	"slice_overlapping",		"info")		\
	X(STAT_COUNTER_TYPE,	"fuchsia_non_numeric_counters",	"error")	\
	X(STAT_COUNTER_LEFT_OUT, "fxt_counters_left_out",	"error")	\
	X(STAT_FLOW_SLICE,	"flow_no_enclosing_slice",	"info")		\
	X(STAT_FLOW_DUPLICATE,	"flow_duplicate_id",		"info")		\
	X(STAT_FLOW_STEP,	"flow_step_without_start",	"info")		\
	X(STAT_FLOW_END,	"flow_end_without_start",	"info")		\
	X(STAT_FLOW_AMBIGUOUS,	"fxt_flow_of_several_processes", "info")	\
	X(STAT_FLOW_LEFT_OUT,	"fxt_flows_left_out",		"error")

enum table_stat {
#define TABLE_STAT_ENUM(stat, name, severity) stat,
	TABLE_STATS_OWN(TABLE_STAT_ENUM)
#undef TABLE_STAT_ENUM
	STAT_COUNT
};

/* A text that later rows refer to; equal texts share one. */
struct table_name {
	struct map_node node;
	uint32_t refs;
	uint32_t length;
	char bytes[];
};

struct table_track;

struct table_process {
	struct map_node node;
	uint64_t koid;
	uint32_t upid;
	bool is_later;		/* not the first one of the koid */
	const struct sched_process *told;
};

struct table_thread {
	struct map_node node;
	struct table_process *process;	/* NULL if unknown */
	const struct sched_thread *life;	/* the model's; NULL if it has only events */
	uint64_t koid;
	uint32_t utid;
	/*
	 * Scheduling records mean this thread by its koid. Others with the koid have another
	 * process and only events.
	 */
	bool primary;
	bool is_later;			/* not the first one of the koid */
	struct table_track *track;
	int64_t state_id;		/* thread_state row of its current state, or 0 */
	int64_t running_id;		/* of its last run, or 0 */
	uint64_t running_from;		/* ns */
	uint64_t running_to;		/* ns */
	int64_t waker_id;		/* of its current state, 0 if unknown */
};

/* What a stream's ledgers say. */
struct table_ledger {
	bool seen;
	uint64_t written;	/* since the opening ledger, if any; likewise @lost */
	uint64_t lost;
	uint64_t written_before;
	uint64_t lost_before;
};

#define TABLE_CLEAN_BYTES	(3U << 15)	/* the longest string, if all becomes U+FFFD */

struct tables {
	table_taker *row;
	void *arg;
	struct fxt_reader *r;
	struct sched_model *model;
	int error;

	int64_t ids[TABLE_COUNT];	/* the last one assigned */
	int64_t arg_sets;
	uint64_t stats[STAT_COUNT];
	uint64_t anomalies[SCHED_ANOMALY_COUNT][2];	/* notes, violations */
	uint64_t kinds[FXT_KIND_COUNT];
	struct table_ledger ledgers[STREAMS];
	unsigned int ledger_end;	/* for streams_add() */
	uint64_t first;			/* ns; above @last if no record has a time */
	uint64_t last;

	struct map names;
	uint64_t name_bytes;
	struct map threads;		/* in the order of utids */
	struct table_thread *idle;
	struct map processes;		/* in the order of upids */
	struct sched_thread *changed;	/* its last span has just ended */
	uint64_t changed_at;		/* ns */

	struct {
		struct order order;
		uint64_t past;		/* ns, of the last event that left */
		size_t bytes;
	} window;
	struct operations operations;
	struct nest_user operation_user;	/* of @operations */
	struct map counters;
	struct ids flows;
	struct map objects;
	struct table_stacks *stacks;	/* NULL without stacks */
	struct map blobs;		/* names of BLOBs that may continue */
	uint32_t open;			/* slices on all stacks */
	char clean[TABLE_CLEAN_BYTES];
};

/* --- cells ------------------------------------------------------------------ */

static inline struct table_cell cell_null(void)
{
	return (struct table_cell){ .type = TABLE_NULL };
}

/* Keeps all 64 bits of a koid, pointer or address. */
static inline struct table_cell cell_int(int64_t value)
{
	return (struct table_cell){ .type = TABLE_INT, .integer = value };
}

/* For values of which 0 means unknown. */
static inline struct table_cell cell_id(int64_t id)
{
	return id ? cell_int(id) : cell_null();
}

struct table_cell cell_real(double value);
struct table_cell cell_str(const char *s);

static inline struct table_cell cell_name(const struct table_name *n)
{
	if (!n)
		return cell_null();
	return (struct table_cell){
		.type = TABLE_TEXT, .text = { n->bytes, n->length }
	};
}

/* Is there room beside @count keys? If not, count that in @stat. */
static inline bool table_has_room(struct tables *t, size_t count, enum table_stat stat)
{
	t->stats[stat] += count >= TABLE_MAX_KEYS;
	return count < TABLE_MAX_KEYS;
}

/* --- values.c: cells, rows and their times --------------------------------- */

void table_row(struct tables *t, enum table table, const struct table_cell *cells);

/* Output a row; the compiler checks the number of cells. */
#define TABLE_ROW(t, table, ...) do {						\
	const struct table_cell cells_[] = { __VA_ARGS__ };			\
	_Static_assert(sizeof(cells_) / sizeof(cells_[0]) == table##_COLUMNS,	\
		       #table);							\
	table_row(t, table, cells_);						\
} while (0)

static inline int64_t table_id(struct tables *t, enum table table)
{
	return ++t->ids[table];
}

/* Convert a time to that of rows. */
int64_t table_time(struct tables *t, uint64_t ns);
void table_see(struct tables *t, uint64_t ns);

/* Convert a record's time to ns, and widen the bounds to it. */
uint64_t table_record_time(struct tables *t, const struct fxt_record *rec, uint64_t ticks);

/* --- values.c: texts ------------------------------------------------------- */

/* Valid until the next text is cleaned. */
struct table_cell cell_clean(struct tables *t, const char *bytes, size_t length);

/* Binary data as hexadecimal digits, valid as long as a clean text. */
struct table_cell cell_hex(struct tables *t, const struct fxt_bytes *data);

/* Keep a text. Without room, counts it and returns NULL. */
struct table_name *table_name(struct tables *t, const char *bytes, size_t length);
struct table_name *table_name_text(struct tables *t, const struct fxt_text *text);

/* Likewise for binary data, as hexadecimal digits. */
struct table_name *table_name_hex(struct tables *t, const struct fxt_bytes *data);

static inline struct table_name *table_name_ref(struct table_name *n)
{
	if (n)
		n->refs++;
	return n;
}

void table_name_put(struct tables *t, struct table_name *n);

/* --- threads.c -------------------------------------------------------------- */

void table_threads_init(struct tables *t);

/* The thread that an event at @ns refers to. */
struct table_thread *table_thread_event(struct tables *t, uint64_t ns,
					const struct fxt_thread_id *id);

/* NULL if there are too many threads. */
struct table_cell table_utid(struct tables *t, uint64_t ns, const struct fxt_thread_id *id);

/* NULL if there are too many processes. */
struct table_cell table_upid(struct tables *t, uint64_t koid);

/* Write the tables process and thread. Called at the end. */
void table_threads_rows(struct tables *t);
void table_threads_free(struct tables *t);

/* --- threads.c: runs and states -------------------------------------------- */

extern const struct sched_ops table_sched_ops;

/* --- values.c: arguments --------------------------------------------------- */

/* An argument as in the table args. */
struct table_arg {
	struct table_name *key;
	const char *type;		/* value_type */
	enum table_type cell;
	union {
		int64_t integer;
		double real;
		struct table_name *text;
	};
	int64_t object;			/* id of the object that it refers to, or 0 */
	bool numeric;			/* a counter's value */
	double number;
};

/* Convert an argument. @process: koid of the record's process */
void table_arg_set(struct tables *t, struct table_arg *a, const struct fxt_arg *arg,
		   uint64_t process);
void table_arg_put(struct tables *t, struct table_arg *a);

/* Write rows of args. @set: their arg_set_id, 0 for a new one. Returns the arg_set_id. */
int64_t table_args(struct tables *t, const struct table_arg *args, unsigned int count,
		   int64_t set);

/* Write all arguments of a record. Returns their arg_set_id; 0 without any. */
int64_t table_args_now(struct tables *t, const struct fxt_content *c);

/* --- slices.c --------------------------------------------------------------- */

/* Called before the first event. */
void table_events_begin(struct tables *t);
void table_event(struct tables *t, const struct fxt_record *rec, const struct fxt_content *c);

/* Output all waiting events and open slices, and free them. */
void table_events_finish(struct tables *t);

/* --- values.c: objects that arguments mean --------------------------------- */

/* The id of the row for an object that a record describes now. */
int64_t table_object_id(struct tables *t, const struct fxt_content *c);

/* Write rows of objects that no record describes. */
void table_objects_finish(struct tables *t);
void table_objects_free(struct tables *t);

/* --- stacks.c: callsites, frames and mappings ---------------------------------------- */

/* The callsite of a backtrace; NULL without frames, or without room. */
struct table_cell table_callsite(struct tables *t, const struct fxt_record *rec,
				 const struct fxt_content *c);
void table_module(struct tables *t, const struct fxt_record *rec, const struct fxt_content *c);

/* @id: of the row in the table mmap */
void table_mapping(struct tables *t, const struct fxt_record *rec, const struct fxt_content *c,
		   int64_t id);

/* Take a BLOB with the names of functions. */
void table_symbols(struct tables *t, const struct fxt_record *rec, const struct fxt_content *c);
void table_stacks_finish(struct tables *t);
void table_stacks_free(struct tables *t);

#endif /* FXT_FORMATS_TABLES_TABLE_H */
