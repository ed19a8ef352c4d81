/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * marks.h - the offsets at which an output's file can be cut.
 */
#ifndef FXT_COLLECT_OUTPUT_MARKS_H
#define FXT_COLLECT_OUTPUT_MARKS_H

#include <stddef.h>
#include <stdint.h>

#define OUTPUT_MARKS	4096

/**
 * struct output_mark - an offset at which the file can be cut
 * @archive: bytes of the archive before it
 * @file: bytes of the file before it
 */
struct output_mark {
	uint64_t archive;
	uint64_t file;
};

/**
 * struct output_marks - such offsets, in ascending order
 *
 * When the array is full, every other mark is dropped. So the marks cover the whole file,
 * and are denser towards its end.
 */
struct output_marks {
	size_t count;
	struct output_mark marks[OUTPUT_MARKS];
};

/** output_marks_add() - add a mark after all others */
void output_marks_add(struct output_marks *m, uint64_t archive, uint64_t file);

/**
 * output_marks_go_back() - find where to cut the file
 * @m: the marks; those after @archive are removed
 * @archive: bytes of the archive that may be kept
 *
 * Return: the last mark that is not after @archive, or NULL.
 */
const struct output_mark *output_marks_go_back(struct output_marks *m, uint64_t archive);

#endif /* FXT_COLLECT_OUTPUT_MARKS_H */
