/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file.h - the file below an output: open, write, cut, rename. */
#ifndef FXT_COLLECT_OUTPUT_FILE_H
#define FXT_COLLECT_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "liboutput/output_file.h"
#include "process/error.h"

struct broker;

/* --- options ---------------------------------------------------------------------------- */

enum compression {
	COMPRESSION_NONE,
	COMPRESSION_ZSTD,
	COMPRESSION_GZIP,
};

/* How files are created. */
struct output_options {
	struct broker *broker;	/* opens the files */
	/*
	 * Becomes readable when the recording has to end, -1 for never; from then on, a write waits
	 * at most WAIT_PATIENCE_MS for the reader of a pipe.
	 */
	int end;
	/* ns of CLOCK_BOOTTIME when the recording ends; 0 (later, too): unknown; NULL: never. */
	const uint64_t *until;
	enum compression compression;
	int level;		/* of the compression; 0 for the default */
	bool part;		/* create a new file PATH.part, renamed to PATH when complete */
	bool stats;		/* for --stats-json; else for --output */
	bool force;		/* replace any existing file */
};

/* --- where a file can be cut ------------------------------------------------------------ */

#define OUTPUT_MARKS	4096

/* An offset at which the file can be cut. */
struct output_mark {
	uint64_t archive;	/* bytes of the archive before it */
	uint64_t file;		/* bytes of the file before it */
};

/*
 * In ascending order. When the array is full, every other mark is dropped. So the marks cover the
 * whole file, and are denser towards its end.
 */
struct output_marks {
	size_t count;
	struct output_mark marks[OUTPUT_MARKS];
};

/* Add a mark after all others. */
void output_marks_add(struct output_marks *m, uint64_t archive, uint64_t file);

/*
 * Find where to cut the file if @archive bytes may be kept, and remove later marks. Return: the
 * last mark that is not after @archive, or NULL
 */
const struct output_mark *output_marks_go_back(struct output_marks *m, uint64_t archive);

/* --- failed writes ---------------------------------------------------------------------- */

/*
 * Describe an error of output.h: what failed and what to do. The caller adds the state of the
 * archive. @path "-" is standard output. Return: @err, a negative errno
 */
int output_fail(struct error *e, const char *path, int err);

/* --- files ------------------------------------------------------------------------------ */

struct output_file {
	struct direct file;
	struct broker *broker;	/* that opened it */
	int end;		/* see struct output_options */
	const uint64_t *until;	/* likewise */
	bool is_socket;		/* a connection to a receiver */
	bool is_relayed;	/* a connection to a relay, which encrypts it (relay_start()) */
	int stall;	/* ms to wait for a receiver that does not read or close; -1: no limit */
	uint64_t base;	/* offset of the archive in the file, which may be standard output */
	uint64_t bytes;		/* bytes after @base; written by one thread, read by any */
};
/* See output_open(); on error @f needs no cleanup. */
int output_file_open(struct output_file *f, const char *path,
		     const struct output_options *options, struct error *e);
/* Write all bytes; on error as many as fit. */
int output_file_write(struct output_file *f, const void *data, size_t bytes);
/* Truncate to a length. Return: 0, -ESPIPE or another negative errno */
int output_file_cut(struct output_file *f, uint64_t bytes);
/*
 * With @keep, the file is complete: give it its final name, or wait until the receiver has it.
 * Return: 0 or a negative errno; -ENOENT if it has been removed
 */
int output_file_close(struct output_file *f, bool keep);

static inline uint64_t output_file_bytes(const struct output_file *f)
{
	return __atomic_load_n(&f->bytes, __ATOMIC_RELAXED);
}

#endif /* FXT_COLLECT_OUTPUT_FILE_H */
