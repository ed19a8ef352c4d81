/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tables.h - an archive as tables for analysis engines.
 *
 * In: the records of an archive.
 * Out: rows; those of different tables are mixed. Tables and columns are like the standard tables
 * of Perfetto's trace_processor, so that queries for one work on the other. Additional tables
 * (logs, profiler records, objects, BLOBs) are named after the records as in fxt dump.
 *
 * Must hold: times are ns, and not negative; unsigned 64-bit values of the archive (koids, unsigned
 * arguments) keep their bits; text is UTF-8 without NUL (invalid bytes become U+FFFD). A duration
 * of -1 means that the state or slice was open when the trace ended.
 *
 * Rows of thread_state and slice get their ids when the state or slice begins, but are written when
 * it ends. A kernel object gets its id when an argument refers to it or a record describes it. So
 * rows can refer to rows that follow later.
 *
 * utid 0 and upid 0 are the idle threads of all CPUs; they have rows in sched, not in thread_state.
 */
#ifndef FXT_FORMATS_TABLES_TABLES_H
#define FXT_FORMATS_TABLES_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libfxt/fxt_reader.h"
#include "walk/io.h"

/* All tables: enum table, name, number of columns, has a key. */
#define TABLES(X)								\
	X(TABLE_METADATA,		metadata,		 5, true)	\
	X(TABLE_TRACE_BOUNDS,		trace_bounds,		 2, false)	\
	X(TABLE_PROCESS,		process,		 5, true)	\
	X(TABLE_THREAD,			thread,			 9, true)	\
	X(TABLE_SCHED,			sched,			 8, true)	\
	X(TABLE_THREAD_STATE,		thread_state,		12, true)	\
	X(TABLE_TRACK,			track,			 4, true)	\
	X(TABLE_THREAD_TRACK,		thread_track,		 5, true)	\
	X(TABLE_PROCESS_TRACK,		process_track,		 5, true)	\
	X(TABLE_COUNTER_TRACK,		counter_track,		 5, true)	\
	X(TABLE_PROCESS_COUNTER_TRACK,	process_counter_track,	 6, true)	\
	X(TABLE_SLICE,			slice,			 9, true)	\
	X(TABLE_COUNTER,		counter,		 5, true)	\
	X(TABLE_FLOW,			flow,			 3, true)	\
	X(TABLE_ARGS,			args,			 9, true)	\
	X(TABLE_LOG,			log,			 4, true)	\
	X(TABLE_MODULE,			module,			 6, true)	\
	X(TABLE_MMAP,			mmap,			 8, true)	\
	X(TABLE_BACKTRACE,		backtrace,		 6, true)	\
	X(TABLE_BACKTRACE_FRAME,	backtrace_frame,	 4, true)	\
	X(TABLE_STACK_PROFILE_MAPPING,	stack_profile_mapping,	 5, true)	\
	X(TABLE_STACK_PROFILE_FRAME,	stack_profile_frame,	 4, true)	\
	X(TABLE_STACK_PROFILE_CALLSITE,	stack_profile_callsite,	 4, true)	\
	X(TABLE_OBJECT,			object,			 7, true)	\
	X(TABLE_BLOB,			blob,			10, true)	\
	X(TABLE_BLOB_DATA,		blob_data,		 4, true)	\
	X(TABLE_STATS,			stats,			 6, false)

enum table {
#define TABLE_ENUM(table, name, count, keyed) table,
	TABLES(TABLE_ENUM)
#undef TABLE_ENUM
	TABLE_COUNT
};

enum table_columns {
#define TABLE_ENUM(table, name, count, keyed) table##_COLUMNS = count,
	TABLES(TABLE_ENUM)
#undef TABLE_ENUM
};

#define TABLE_MAX_COLUMNS	12

enum table_type {
	TABLE_NULL,		/* of cells only, not of columns */
	TABLE_INT,
	TABLE_REAL,
	TABLE_TEXT,
	TABLE_BYTES,
};

/* All cells of a column are of its type, or NULL. */
struct table_column {
	const char *name;
	enum table_type type;
};

struct table_schema {
	const char *name;
	const struct table_column *column;
	unsigned int columns;
	bool keyed;	/* its first column is an integer that identifies its rows */
};

extern const struct table_schema table_schemas[TABLE_COUNT];

/* One value. Text is not terminated, reals are finite. */
struct table_cell {
	enum table_type type;
	union {
		int64_t integer;
		double real;
		struct {
			const char *bytes;
			size_t length;
		} text;			/* of texts and binary data */
	};
};

/* Gets all @cells of a row, valid during the call. A negative errno ends the walk. */
typedef int table_taker(void *arg, enum table table, const struct table_cell *cells);

/*
 * Walk over an archive from the beginning and output all rows. @strict: as for the reader @r.
 *
 * Memory is bounded by the number of threads, processes, counters, objects and names of BLOBs, and
 * by constants. Records beyond that are omitted and counted in the table stats.
 *
 * Returns 0; a negative errno of the reader; what @row returned.
 */
int table_convert(struct fxt_reader *r, bool strict, table_taker *row, void *arg);

/* --- a directory of files, one per table (files.c) --------------------------------------- */

/* A format of files. Functions return 0 or a negative errno. */
struct table_format {
	const char *const *names;	/* of the files by table, then NULL */
	int (*begin)(void *arg, enum table table, struct out *o);
	int (*row)(void *arg, enum table table, struct out *o, const struct table_cell *cells);
	/* Called for each begun file; may be NULL. */
	int (*end)(void *arg, enum table table, bool is_complete);
};

/* Convert an archive. The output of @io is the directory. Returns enum verb_exit. */
int table_files_convert(struct io *io, const struct table_format *format, void *arg);

#endif /* FXT_FORMATS_TABLES_TABLES_H */
