/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * convert.h - archives in other formats, one file a format.
 */
#ifndef FXT_CONVERT_H
#define FXT_CONVERT_H

#include <stdbool.h>

#include "walk/archive.h"
#include "write/result.h"

/**
 * struct convert - one conversion
 * @a: the archive, its options set, not opened yet
 * @input: path of the archive
 * @output: path of the result, NULL or "-" for standard output; of csv a directory
 * @result: where it is written until it is complete
 * @with_ftrace: json only: the scheduling as ftrace text in it
 */
struct convert {
	struct archive a;
	const char *input;
	const char *output;
	struct result result;
	bool with_ftrace;
};

/*
 * Each opens the archive, converts it whole, closes it and says on standard
 * error what went wrong. Return: enum verb_exit.
 */
int convert_json(struct convert *c);
int convert_ftrace(struct convert *c);
int convert_csv(struct convert *c);
int convert_sqlite(struct convert *c);
int convert_fxt(struct convert *c);

#endif /* FXT_CONVERT_H */
