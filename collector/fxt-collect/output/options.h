/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - how an output's file is made.
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
 * struct output_options - how files are made
 * @broker: opens them
 * @end: becomes readable when the recording has to end, -1 for never: then the reader of
 *	a pipe has WAIT_PATIENCE_MS to go on
 * @compression: of the file
 * @level: of the compression; 0 for what suits records
 * @part: make a new file PATH.part, which becomes PATH when it is complete
 * @stats: it is for --stats-json; else for --output
 * @force: whatever is there may be replaced
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
