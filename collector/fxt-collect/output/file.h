/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - the file below an output: open, write, cut, rename.
 */
#ifndef FXT_COLLECT_OUTPUT_FILE_H
#define FXT_COLLECT_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"
#include "liboutput/direct.h"
#include "process/error.h"

/**
 * struct output_file - an open file
 * @file: the file itself
 * @broker: the broker that opened it
 * @end: see struct output_options
 * @is_socket: a connection to a receiver
 * @is_relayed: a connection to a relay, which encrypts it (relay.h)
 * @stall: maximum wait for a receiver that takes nothing, or does not close, in ms; -1: none
 * @base: offset of the archive in the file: standard output may have other data before it
 * @bytes: bytes after @base; written by one thread, read by any
 */
struct output_file {
	struct direct file;
	struct broker *broker;
	int end;
	bool is_socket;
	bool is_relayed;
	int stall;
	uint64_t base;
	uint64_t bytes;
};

/** output_file_open() - see output_open(); on error @f needs no cleanup */
int output_file_open(struct output_file *f, const char *path,
		     const struct output_options *options, struct error *e);

/** output_file_write() - write all bytes; on error as many as fit */
int output_file_write(struct output_file *f, const void *data, size_t bytes);

/** output_file_cut() - truncate to a length; 0, -ESPIPE or another negative errno */
int output_file_cut(struct output_file *f, uint64_t bytes);

/**
 * output_file_close() - close it
 * @f: the file
 * @keep: the file is complete: give it its final name, or wait until the receiver has it
 *
 * Return: 0 or a negative errno; -ENOENT if it has been removed.
 */
int output_file_close(struct output_file *f, bool keep);

static inline uint64_t output_file_bytes(const struct output_file *f)
{
	return __atomic_load_n(&f->bytes, __ATOMIC_RELAXED);
}

#endif /* FXT_COLLECT_OUTPUT_FILE_H */
