/* SPDX-License-Identifier: GPL-2.0-or-later */
/* answer.h - what fxt why prints, as text or as JSON. */
#ifndef FXT_WHY_ANSWER_H
#define FXT_WHY_ANSWER_H

#include "history/tape.h"
#include "program.h"
#include "sums.h"
#include "tree.h"
#include "windows.h"
#include "liboutput/out.h"

/**
 * struct why_answer - one window with its parts
 * @window: what was asked
 * @tree: its causes
 * @parts: struct why_answer_part, the last one first
 * @by: struct why_by of all of them
 */
struct why_answer {
	const struct why_window *window;
	struct why_tree tree;
	struct tape parts;
	struct tape by;
};

/** struct why_answer_part - a part, and its place in the list of struct why_by */
struct why_answer_part {
	struct why_part part;
	uint64_t by;
	uint32_t count;
};

/**
 * struct why_print - the output, and what is the same of all answers
 * @path: of the archive
 * @top: rows of a table, and branches of a tree
 */
struct why_print {
	struct out *o;
	const struct history *h;
	const struct why_walk *walk;
	const char *path;
	enum why_kind kind;
	size_t top;
};

/** why_text_window() - a window: one line that answers, then the tree */
void why_text_window(const struct why_print *p, const struct why_answer *a);

/** why_text_sums() - where the time of @count windows went */
void why_text_sums(const struct why_print *p, const struct why_window *windows, size_t count,
		   const struct why_sums *s);

/** why_json_begin() - the beginning of the document, of @count windows */
void why_json_begin(const struct why_print *p, size_t count);

/** why_json_window() - a window; @is_first: of @count */
void why_json_window(const struct why_print *p, const struct why_answer *a, size_t count,
		     bool is_first);

/** why_json_end() - the sums of all, and the end of the document */
void why_json_end(const struct why_print *p, const struct why_sums *s, size_t count);

/** why_text_program() - what limits a program. Return: 0 or -ENOMEM */
int why_text_program(const struct why_print *p, const struct program *program);

/** why_json_program() - the same. Return: 0 or -ENOMEM */
int why_json_program(const struct why_print *p, const struct program *program);

#endif /* FXT_WHY_ANSWER_H */
