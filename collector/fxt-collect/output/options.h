/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - how an output's file is created.
 */
#ifndef FXT_COLLECT_OUTPUT_OPTIONS_H
#define FXT_COLLECT_OUTPUT_OPTIONS_H

#include <stdbool.h>

struct broker;

enum compression {
	COMPRESSION_NONE,
	COMPRESSION_ZSTD,
	COMPRESSION_GZIP,
};

/**
 * struct output_options - how files are created
 * @broker: opens the files
 * @end: becomes readable when the recording has to end, -1 for never; from then on, a
 *	write waits at most WAIT_PATIENCE_MS for the reader of a pipe
 * @compression: compression of the file
 * @level: level of the compression; 0 for the default
 * @part: create a new file PATH.part, renamed to PATH when complete
 * @stats: for --stats-json; else for --output
 * @force: replace any existing file
 */
struct output_options {
	struct broker *broker;
	int end;
	enum compression compression;
	int level;
	bool part;
	bool stats;
	bool force;
};

#endif /* FXT_COLLECT_OUTPUT_OPTIONS_H */
