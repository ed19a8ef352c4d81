/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_data.h - perf.data of perf: its container, its samples, and what their call chains mean.
 *
 * In: a file in memory, as `perf record` writes it, to a file or to a pipe.
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
#define PERF_BUILD_ID_BYTES	20U	/* at most */
#define PERF_FEATURE_COMMAND	11U	/* number of the feature with the command line */

/* A piece of the file. */
struct perf_bytes {
	const uint8_t *data;
	size_t size;
};

/** struct perf_attr - an event that was recorded */
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

/** struct perf_file - initialize with zeros, except for @all */
struct perf_file {
	struct perf_bytes all;
	struct perf_bytes data;		/* its records */
	struct tep_handle *tep;
	bool is_pipe;			/* attributes, formats and features are among the records */
	bool has_formats;
	bool has_switches;		/* records SWITCH were asked for */
	struct perf_attr *attrs;
	uint32_t attr_count;
	struct perf_id *ids;		/* of attributes, sorted */
	size_t id_count;
	size_t id_room;
	struct perf_bytes build_ids;	/* records of the feature; empty in a pipe */
	char filter[PERF_FILTER_BYTES];	/* filters in the command line of perf; empty: none */
	const char *wrong;		/* after -EBADMSG */
};

/** perf_file_open() - read the header. Return: 0 or -EBADMSG */
int perf_file_open(struct perf_file *f);

void perf_file_close(struct perf_file *f);

/** perf_file_attr() - add an attribute with its ids. Return: 0 or -EBADMSG */
int perf_file_attr(struct perf_file *f, struct perf_bytes attr, struct perf_bytes ids);

/** perf_file_formats() - take the formats of tracepoints. Return: 0 or -EBADMSG */
int perf_file_formats(struct perf_file *f, struct perf_bytes data);

/** perf_file_lacks_events() - say that there are neither tracepoints nor switches. Return: -EBADMSG */
int perf_file_lacks_events(struct perf_file *f);

/** perf_file_command() - take the feature with the command line of perf, for @filter */
void perf_file_command(struct perf_file *f, struct perf_bytes feature);

/** perf_file_build_id() - the build id of a mapped file. Return: its bytes; 0 if it is unknown */
size_t perf_file_build_id(const struct perf_file *f, const char *name, size_t length,
			  unsigned char id[PERF_BUILD_ID_BYTES]);

/** perf_file_of() - the attribute of an id; the first one if it is unknown */
const struct perf_attr *perf_file_of(const struct perf_file *f, uint64_t id);

/** perf_bytes_u64() - read a number at @at. Return: false if it is not inside of @b */
bool perf_bytes_u64(struct perf_bytes b, size_t at, uint64_t *n);
bool perf_bytes_u32(struct perf_bytes b, size_t at, uint32_t *n);

/** perf_bytes_part() - take a part of a piece. Return: false if it is not inside of @b */
bool perf_bytes_part(struct perf_bytes b, uint64_t at, uint64_t size, struct perf_bytes *part);

/* --------------------------------------------------------------------
 * The records that `perf record -z` compressed.
 *
 * In: the bodies of records COMPRESSED and COMPRESSED2. Those of a file form one zstd stream.
 * Out: records of the kernel. One may begin in a body and end in the next one.
 *
 * Must hold: memory is bounded, whatever the stream contains.
 */

/** struct perf_unpack - initialize with zeros */
struct perf_unpack {
	void *zstd;	/* ZSTD_DStream */
	uint8_t *room;	/* bytes that were unpacked and not yet used */
	size_t bytes;	/* number of these */
};

/**
 * perf_unpack_more() - unpack as much as there is room for
 * @packed: compressed bytes; those that were unpacked are removed
 * @records: set to the unpacked bytes, which begin with a record; valid until the next call
 *
 * The caller uses all complete records and calls perf_unpack_used().
 *
 * Return: 1 if it has to be called again for @packed; 0 if not; -EBADMSG if the stream is damaged.
 */
int perf_unpack_more(struct perf_unpack *u, struct perf_bytes *packed, struct perf_bytes *records);

/** perf_unpack_used() - remove the first @bytes of the unpacked ones */
void perf_unpack_used(struct perf_unpack *u, size_t bytes);

void perf_unpack_close(struct perf_unpack *u);

/* --------------------------------------------------------------------
 * The fields of a sample, and the ids at the end of other records.
 */

#define PERF_NO_CPU	UINT32_MAX

/** struct perf_sample - a sample, or the ids at the end of another record */
struct perf_sample {
	uint64_t time;	/* these are 0 if unknown, */
	uint32_t pid;	/* of the process */
	uint32_t tid;	/* of the thread */
	uint32_t cpu;	/* but this is PERF_NO_CPU */
	bool is_dead;	/* the thread has ended, and has no ids any more */
	struct perf_bytes chain;	/* words of the call chain */
	struct perf_bytes raw;	/* of samples of tracepoints, the record of the tracepoint */
};

/** perf_sample() - parse a sample. @body: without its header. Return: false if it is damaged */
bool perf_sample(const struct perf_file *f, struct perf_bytes body, struct perf_sample *s);

/** perf_frames() - take the call chain of a sample: @e's @frames are set, allocated */
void perf_frames(const struct perf_sample *s, struct trace_event *e);

/** perf_trailer() - parse the ids at the end of other records. Return: false if they are damaged */
bool perf_trailer(const struct perf_file *f, struct perf_bytes body, struct perf_sample *s);

/* --------------------------------------------------------------------
 * The files that addresses of call chains belong to: modules and mappings at the end of the
 * archive, if addresses in them occur. `fxt symbolize` names the functions.
 */

#define PERF_KERNEL_MAPS	512U	/* of the kernel and its modules; more are ignored */
#define PERF_MAPS_SECONDS	10U	/* for reading the files of all programs */

struct fxt_writer;

struct perf_kernel_map {
	uint64_t start;
	uint64_t end;
	struct elf_id id;
	char name[80];
};

/** struct perf_maps - initialize with zeros, except for @file and @server */
struct perf_maps {
	const struct perf_file *file;
	/* Reads files of programs, to find the address in the file at which a mapping begins. */
	const struct elf_server *server;
	uint64_t unread;	/* files whose reader has died */
	uint64_t late;		/* files not read within PERF_MAPS_SECONDS, or that took too long */
	struct images images;
	struct addresses addresses;
	struct perf_kernel_map kernel[PERF_KERNEL_MAPS];
	unsigned int kernel_count;
};

/** perf_maps_mmap() - take a record of the type MMAP or MMAP2. Return: false if it is damaged */
bool perf_maps_mmap(struct perf_maps *m, uint32_t type, uint16_t misc, struct perf_bytes body,
		    uint64_t time);

/** perf_maps_fork() - a process begins with the mappings of its parent */
void perf_maps_fork(struct perf_maps *m, uint32_t process, uint32_t parent, uint64_t time);

/** perf_maps_exec() - a process loses its mappings */
void perf_maps_exec(struct perf_maps *m, uint32_t process, uint64_t time);

/** perf_maps_frames() - take the call chain of an event in a process */
void perf_maps_frames(struct perf_maps *m, uint32_t process, const struct trace_event *e);

/** perf_maps_write() - write the modules and mappings. Return: 0 or a writer's error */
int perf_maps_write(struct perf_maps *m, struct fxt_writer *w);

void perf_maps_close(struct perf_maps *m);

#endif /* FXT_FORMATS_PERF_DATA_PERF_DATA_H */
