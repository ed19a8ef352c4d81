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

/* The Trace Event Format (JSON). @strict: stop at the first event that cannot be converted fully */
bool json_detect(const char *head, size_t bytes);
int json_read(const char *path, int from, bool strict, int fd);
int json_write(struct io *io);
bool json_is_ours(int fd);

/* A moment that has the same id in all parts of a page (clock sync). */
struct clock_mark {
	char id[64];
	uint64_t ns;	/* by ftrace's clock */
};

#define CLOCK_MARKS	64U

/* Initialize with zeros. */
struct clock_marks {
	struct clock_mark list[CLOCK_MARKS];
	unsigned int count;
};

/* Is it JSON of another kind? The file position of @from does not change. */
bool json_lacks_events(const char *path, int from);

/* As json_read(), but move times to ftrace's clock if one of @marks is in the trace, too. */
int json_read_beside(const char *path, int from, bool strict, const struct clock_marks *marks,
		     int fd);

/* As json_write(), but scheduling is written as text of ftrace, not as slices. */
int json_write_with_ftrace(struct io *io);

/*
 * Text of ftrace: /sys/kernel/tracing/trace or trace_pipe, and the output of `trace-cmd report` and
 * `fxt convert --to ftrace`. @strict: stop at the first invalid line
 */
bool ftrace_detect(const char *head, size_t bytes);
int ftrace_read(const char *path, int from, bool strict, int fd);
int ftrace_write(struct io *io);
bool ftrace_is_ours(int fd);

/* Does a text begin like ftrace's and contain an event? */
bool ftrace_has_event(const char *text, size_t bytes);

/* Add the clock marks in a text to @marks. The file position of @from does not change. */
void ftrace_find_marks(int from, struct clock_marks *marks);

/* As ftrace_read(), but append to an archive. */
int ftrace_read_part(const char *path, int from, bool strict, int fd);

/* Perfetto's packets. Only scheduling is read. @strict: stop at the first damaged packet */
bool perfetto_detect(const char *head, size_t bytes);
int perfetto_read(const char *path, int from, bool strict, int fd);
int perfetto_write(struct io *io);
bool perfetto_is_ours(int fd);

/* A directory with a CSV file per table. raw: do not escape texts that look like formulas */
int csv_write(struct io *io);
int csv_write_raw(struct io *io);

/* A directory with a Parquet file per table. partition: the directory is one of many */
int parquet_write(struct io *io);
int parquet_write_partition(struct io *io);
int sqlite_write(struct io *io);
bool sqlite_is_ours(int fd);
int firefox_write(struct io *io);
bool firefox_is_ours(int fd);

/* Rewrites an archive in the current format and in this machine's byte order. */
int archive_write(struct io *io);

/* HTML pages. The JSON trace and all texts of ftrace in a page become one archive. */
bool page_detect(const char *head, size_t bytes);
int page_read(const char *path, int from, bool strict, int fd);

/* trace.dat of trace-cmd, perf.data of perf. @strict: stop at the first damaged record */
bool trace_dat_detect(const char *head, size_t bytes);
int trace_dat_read(const char *path, int from, bool strict, int fd);
bool perf_data_detect(const char *head, size_t bytes);
int perf_data_prepare(const char *path);
int perf_data_read(const char *path, int from, bool strict, int fd);
void perf_data_finish(void);
int perf_data_link(void);

#endif /* FXT_FORMATS_FORMATS_H */
