/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * formats.h - the functions in the table of formats (formats.c above this folder).
 *
 * NAME_detect(), NAME_read(), NAME_write() and NAME_is_ours() are the members of struct format
 * and of struct result_kind: see walk/format.h and write/result.h.
 */
#ifndef FXT_FORMATS_FORMATS_H
#define FXT_FORMATS_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct io;

/* The Trace Event Format (JSON). @strict: stop at the first event that cannot be converted
 * completely
 */
bool json_detect(const char *head, size_t bytes);
int json_read(const char *path, int from, bool strict, int fd);
int json_write(struct io *io);
bool json_is_ours(int fd);

/** struct clock_mark - a moment that has the same id in all parts of a page (clock sync) */
struct clock_mark {
	char id[64];
	uint64_t ns;	/* of the clock of ftrace */
};

#define CLOCK_MARKS	64U

/** struct clock_marks - initialize with zeros */
struct clock_marks {
	struct clock_mark list[CLOCK_MARKS];
	unsigned int count;
};

/** json_lacks_events() - is it JSON of another kind? @from stays at its begin */
bool json_lacks_events(const char *path, int from);

/** json_read_beside() - as json_read(), but move times to the clock of ftrace if a mark has both */
int json_read_beside(const char *path, int from, bool strict, const struct clock_marks *marks,
		     int fd);

/** json_write_with_ftrace() - as json_write(), but scheduling is ftrace text, not slices */
int json_write_with_ftrace(struct io *io);

/*
 * Text of ftrace: /sys/kernel/tracing/trace or trace_pipe, and the output of `trace-cmd report` and
 * `fxt convert --to ftrace`. @strict: stop at the first line that is not understood
 */
bool ftrace_detect(const char *head, size_t bytes);
int ftrace_read(const char *path, int from, bool strict, int fd);
int ftrace_write(struct io *io);
bool ftrace_is_ours(int fd);

/** ftrace_has_event() - does a text begin like ftrace's, and is there an event in it? */
bool ftrace_has_event(const char *text, size_t bytes);

/** ftrace_find_marks() - add the clock's marks in a text to those known; @from stays at its begin */
void ftrace_find_marks(int from, struct clock_marks *marks);

/** ftrace_read_part() - as ftrace_read(), but write to the end of an archive */
int ftrace_read_part(const char *path, int from, bool strict, int fd);

/*
 * Perfetto's packets; of those that are read, only scheduling. @strict: stop at the first damaged
 * packet
 */
bool perfetto_detect(const char *head, size_t bytes);
int perfetto_read(const char *path, int from, bool strict, int fd);
int perfetto_write(struct io *io);
bool perfetto_is_ours(int fd);

/* A directory with a CSV file per table; raw: texts that look like formulas stay as they are. */
int csv_write(struct io *io);
int csv_write_raw(struct io *io);

/* A directory with a Parquet file per table; partition: the directory is one of many. */
int parquet_write(struct io *io);
int parquet_write_partition(struct io *io);

/* Tables in an SQLite database. */
int sqlite_write(struct io *io);
bool sqlite_is_ours(int fd);

/* A profile of Firefox. */
int firefox_write(struct io *io);
bool firefox_is_ours(int fd);

/* An archive, in the current format and in this machine's byte order. */
int archive_write(struct io *io);

/* HTML pages: the JSON trace and all texts of ftrace in a page become one archive. */
bool page_detect(const char *head, size_t bytes);
int page_read(const char *path, int from, bool strict, int fd);

/* trace.dat of trace-cmd, and perf.data of perf. @strict: stop at the first damaged record */
bool trace_dat_detect(const char *head, size_t bytes);
int trace_dat_read(const char *path, int from, bool strict, int fd);
bool perf_data_detect(const char *head, size_t bytes);
int perf_data_prepare(const char *path);
int perf_data_read(const char *path, int from, bool strict, int fd);
void perf_data_finish(void);
int perf_data_link(void);

#endif /* FXT_FORMATS_FORMATS_H */
