/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_data.h - perf.data of perf: its container, its samples, and the meaning of their call
 * chains.
 *
 * In: a file in memory, from `perf record` to a file or to a pipe.
 * Out: the records, the layout of samples, and the formats of tracepoints.
 *
 * Must hold: nothing outside of the file is read, whatever it contains.
 */
#ifndef FXT_FORMATS_PERF_DATA_PERF_DATA_H
#define FXT_FORMATS_PERF_DATA_PERF_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/import/event.h"
#include "libsym/addresses.h"
#include "libsym/elf_server.h"
#include "libsym/images.h"

struct tep_handle;

#define PERF_ATTRS		4096U	/* a file with more is refused */
#define PERF_FILTER_BYTES	256U	/* longer ones are truncated */
#define PERF_BUILD_ID_BYTES	20U	/* maximum */
#define PERF_FEATURE_COMMAND	11U	/* number of the feature with the command line */

struct perf_bytes {
	const uint8_t *data;
	size_t size;
};

/* Walks over bytes, and checks each size before it uses them. */
struct perf_walk {
	struct perf_bytes b;
	size_t at;
	bool wrong;
};

struct perf_attr {
	uint32_t type;
	uint64_t config;
	uint64_t sample;	/* PERF_SAMPLE_* bits of its fields */
	uint64_t read;
	bool has_trailer;	/* all records end with the ids of samples */
	const char *clock;	/* clock of the times, "mono" or "boot"; NULL: another one */
};

struct perf_id {
	uint64_t id;
	uint32_t attr;
};

/* Initialize with zeros, except for @all. */
struct perf_file {
	struct perf_bytes all;
	struct perf_bytes data;		/* its records */
	struct tep_handle *tep;
	bool is_pipe;			/* attributes, formats and features are among the records */
	bool has_formats;
	bool has_switches;		/* perf was asked for records SWITCH */
	struct perf_attr *attrs;
	uint32_t attr_count;
	struct perf_id *ids;		/* of attributes, sorted */
	size_t id_count;
	size_t id_room;
	struct perf_bytes build_ids;	/* records of the feature; empty in a pipe */
	char filter[PERF_FILTER_BYTES];	/* filters in perf's command line, or "" */
	const char *wrong;		/* after -EBADMSG */
};

/* Read the header. Returns 0 or -EBADMSG. */
int perf_file_open(struct perf_file *f);
void perf_file_close(struct perf_file *f);

/* Add an attribute with its ids. Returns 0 or -EBADMSG. */
int perf_file_attr(struct perf_file *f, struct perf_bytes attr, struct perf_bytes ids);

/* Take the formats of tracepoints. Returns 0 or -EBADMSG. */
int perf_file_formats(struct perf_file *f, struct perf_bytes data);

/* Report that there are neither tracepoints nor switches. Returns -EBADMSG. */
int perf_file_lacks_events(struct perf_file *f);

/* Set @filter from the feature with perf's command line. */
void perf_file_command(struct perf_file *f, struct perf_bytes feature);

/* Set the build id of a mapped file. Returns its bytes; 0 if it is unknown. */
size_t perf_file_build_id(const struct perf_file *f, const char *name, size_t length,
			  unsigned char id[PERF_BUILD_ID_BYTES]);

/* The attribute of an id; the first one if the id is unknown. */
const struct perf_attr *perf_file_of(const struct perf_file *f, uint64_t id);

/* Returns false if the number is not inside of @b. */
bool perf_bytes_u64(struct perf_bytes b, size_t at, uint64_t *n);
bool perf_bytes_u32(struct perf_bytes b, size_t at, uint32_t *n);

/* Returns false if the part is not inside of @b. */
bool perf_bytes_part(struct perf_bytes b, uint64_t at, uint64_t size, struct perf_bytes *part);

/* --------------------------------------------------------------------
 * Records that `perf record -z` compressed. The bodies of COMPRESSED and COMPRESSED2 in a file form
 * one zstd stream. A record of the kernel may begin in one body and end in the next.
 *
 * Must hold: memory is bounded, whatever the stream contains.
 */

/* Initialize with zeros. */
struct perf_unpack {
	void *zstd;	/* ZSTD_DStream */
	uint8_t *room;	/* unpacked bytes that are not yet used */
	size_t bytes;	/* their number */
};

/*
 * Unpack as much as there is room for, and remove it from @packed. @records: set to the unpacked
 * bytes, which begin with a record; valid until the next call. The caller uses all complete records
 * and calls perf_unpack_used().
 *
 * Returns 1 if it has to be called again for @packed; 0 if not; -EBADMSG if the stream is damaged.
 */
int perf_unpack_more(struct perf_unpack *u, struct perf_bytes *packed, struct perf_bytes *records);
void perf_unpack_used(struct perf_unpack *u, size_t bytes);
void perf_unpack_close(struct perf_unpack *u);

/* --- the fields of a sample, and the ids at the end of other records --- */

#define PERF_NO_CPU	UINT32_MAX

/* A sample, or the ids at the end of another record. */
struct perf_sample {
	uint64_t time;	/* 0 if unknown, like @pid and @tid */
	uint32_t pid;	/* of the process */
	uint32_t tid;
	uint32_t cpu;	/* or PERF_NO_CPU */
	bool is_dead;	/* the thread has ended, and has no ids any more */
	struct perf_bytes chain;	/* words of the call chain */
	struct perf_bytes raw;	/* of samples of tracepoints, the record of the tracepoint */
};

/* @body: without the header. Returns false if the sample is damaged. */
bool perf_sample(const struct perf_file *f, struct perf_bytes body, struct perf_sample *s);

/* Set @e's frames to the sample's call chain, allocated. */
void perf_frames(const struct perf_sample *s, struct trace_event *e);

/* Parse the ids at the end of other records. Returns false if they are damaged. */
bool perf_trailer(const struct perf_file *f, struct perf_bytes body, struct perf_sample *s);

/* --------------------------------------------------------------------
 * The files of call chains' addresses become modules and mappings at the end of the archive.
 * `fxt symbolize` adds the names of functions.
 */

#define PERF_KERNEL_MAPS	512U	/* limit; others are ignored */
#define PERF_MAPS_SECONDS	10U	/* for reading all files of programs */

struct fxt_writer;

struct perf_kernel_map {
	uint64_t start;
	uint64_t end;
	struct elf_id id;
	char name[80];
};

/* Initialize with zeros, except for @file and @server. */
struct perf_maps {
	const struct perf_file *file;
	/* Reads files of programs, to find the address in the file at which a mapping begins. */
	const struct elf_server *server;
	uint64_t unread;	/* files whose reader has died */
	uint64_t late;		/* files that took too long, or came after PERF_MAPS_SECONDS */
	struct images images;
	struct addresses addresses;
	struct perf_kernel_map kernel[PERF_KERNEL_MAPS];
	unsigned int kernel_count;
};

/* Take a record MMAP or MMAP2. Returns false if it is damaged. */
bool perf_maps_mmap(struct perf_maps *m, uint32_t type, uint16_t misc, struct perf_bytes body,
		    uint64_t time);

/* A process begins with the mappings of its parent. */
void perf_maps_fork(struct perf_maps *m, uint32_t process, uint32_t parent, uint64_t time);

/* A process loses its mappings. */
void perf_maps_exec(struct perf_maps *m, uint32_t process, uint64_t time);

/* Take the call chain of an event in a process. */
void perf_maps_frames(struct perf_maps *m, uint32_t process, const struct trace_event *e);

/* Write the modules and mappings. Returns 0 or a writer's error. */
int perf_maps_write(struct perf_maps *m, struct fxt_writer *w);
void perf_maps_close(struct perf_maps *m);

#endif /* FXT_FORMATS_PERF_DATA_PERF_DATA_H */
