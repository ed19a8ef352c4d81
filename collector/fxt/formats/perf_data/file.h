/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - the container of perf.data.
 *
 * In: a file in memory, as `perf record` writes it, to a file or to a pipe.
 * Out: the records, the layout of samples, and the formats of tracepoints.
 *
 * Must hold: nothing outside of the file is read, whatever it says.
 */
#ifndef FXT_FORMATS_PERF_DATA_FILE_H
#define FXT_FORMATS_PERF_DATA_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tep_handle;

#define PERF_ATTRS		4096U	/* more are ignored */
#define PERF_FILTER_BYTES	256U	/* what is longer is truncated */
#define PERF_BUILD_ID_BYTES	20U	/* at most */
#define PERF_FEATURE_COMMAND	11U	/* number of the feature with the command line */

/* A piece of the file. */
struct perf_bytes {
	const uint8_t *data;
	size_t size;
};

/** struct perf_attr - an event that was recorded. @sample: bits of what its samples have */
struct perf_attr {
	uint32_t type;
	uint64_t config;
	uint64_t sample;
	uint64_t read;
	bool has_trailer;	/* all records end with the ids of samples */
	const char *clock;	/* of the times, "mono" or "boot"; NULL: another one */
};

struct perf_id {
	uint64_t id;
	uint32_t attr;
};

/**
 * struct perf_file - begins as zeros but for @all
 * @all: the file
 * @data: its records
 * @is_pipe: attributes, formats and features are among the records
 * @build_ids: records of the feature with that name; empty in a pipe
 * @filter: of the command line of perf, empty if it has none
 * @ids: sorted by id, once perf_file_sort() was called
 * @wrong: what is wrong, after -EBADMSG
 */
struct perf_file {
	struct perf_bytes all;
	struct perf_bytes data;
	struct tep_handle *tep;
	bool is_pipe;
	bool has_formats;
	struct perf_attr *attrs;
	uint32_t attr_count;
	struct perf_id *ids;
	size_t id_count;
	size_t id_room;
	struct perf_bytes build_ids;
	char filter[PERF_FILTER_BYTES];
	const char *wrong;
};

/** perf_file_open() - read the header. Return: 0, -EBADMSG or -ENOMEM */
int perf_file_open(struct perf_file *f);

void perf_file_close(struct perf_file *f);

/** perf_file_attr() - add an attribute with its ids. Return: 0, -EBADMSG or -ENOMEM */
int perf_file_attr(struct perf_file *f, struct perf_bytes attr, struct perf_bytes ids);

/** perf_file_formats() - take the formats of tracepoints. Return: 0 or -EBADMSG */
int perf_file_formats(struct perf_file *f, struct perf_bytes data);

/** perf_file_command() - take the feature with the command line of perf, for @filter */
void perf_file_command(struct perf_file *f, struct perf_bytes feature);

/**
 * perf_file_build_id() - the build id of a file that was mapped
 * @f: the file
 * @name: as it was mapped, @length bytes
 * @id: filled in
 *
 * Return: its bytes; 0 if it is unknown.
 */
size_t perf_file_build_id(const struct perf_file *f, const char *name, size_t length,
			  unsigned char id[PERF_BUILD_ID_BYTES]);

/** perf_file_of() - the attribute of an id; NULL if it is unknown */
const struct perf_attr *perf_file_of(const struct perf_file *f, uint64_t id);

/** perf_bytes_u64() - a number at a place. Return: false if it is not there */
bool perf_bytes_u64(struct perf_bytes b, size_t at, uint64_t *n);
bool perf_bytes_u32(struct perf_bytes b, size_t at, uint32_t *n);

/** perf_bytes_part() - a part of a piece. Return: false if it is not there */
bool perf_bytes_part(struct perf_bytes b, uint64_t at, uint64_t size, struct perf_bytes *part);

#endif /* FXT_FORMATS_PERF_DATA_FILE_H */
