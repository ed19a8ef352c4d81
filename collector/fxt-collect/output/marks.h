/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * marks.h - the places where an output's file can be cut.
 */
#ifndef FXT_COLLECT_OUTPUT_MARKS_H
#define FXT_COLLECT_OUTPUT_MARKS_H

#include <stddef.h>
#include <stdint.h>

#define OUTPUT_MARKS	4096

/**
 * struct output_mark - a place where the file can be cut
 * @archive: bytes of the archive before it
 * @file: bytes of the file before it
 */
struct output_mark {
	uint64_t archive;
	uint64_t file;
};

/**
 * struct output_marks - such places, in order
 *
 * When there are too many, every other one is forgotten. So they reach over all of
 * the file, and are the denser the nearer they are to its end.
 */
struct output_marks {
	size_t count;
	struct output_mark marks[OUTPUT_MARKS];
};

/** output_marks_add() - the file can be cut here, which is behind all others */
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
