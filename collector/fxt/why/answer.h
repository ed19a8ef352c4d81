/* SPDX-License-Identifier: GPL-2.0-or-later */
/* answer.h - what fxt why prints, as text or as JSON. */
#ifndef FXT_WHY_ANSWER_H
#define FXT_WHY_ANSWER_H

#include "account/tape.h"
#include "program.h"
#include "ran.h"
#include "sums.h"
#include "tree.h"
#include "windows.h"
#include "liboutput/json.h"
#include "table/schema.h"

struct why_answer {
	const struct why_window *window;
	struct why_tree tree;	/* its causes */
	struct tape parts;	/* struct why_answer_part, the last one first */
	struct tape by;		/* struct why_by of all parts */
};

struct why_answer_part {
	struct why_part part;
	uint64_t by;		/* number of its first struct why_by */
	uint32_t count;		/* of these */
};

struct why_print {
	struct out *o;
	const struct history *h;
	struct why_walk *walk;
	struct why_ran *ran;		/* NULL: the archive has no samples */
	const char *path;		/* of the archive */
	const struct scope *scope;	/* the explained threads */
	uint64_t threads;		/* number of them */
	enum why_kind kind;
	size_t top;			/* limit of rows of a table, and of branches of a tree */
};

/* Print a window: an answer in one line, then the tree. */
void why_text_window(const struct why_print *p, const struct why_answer *a);

/* Print where the time of @count windows went. */
void why_text_sums(const struct why_print *p, const struct why_window *windows, size_t count,
		   const struct why_sums *s);

/* Begin the document, for @count windows. */
void why_json_begin(const struct why_print *p, size_t count);

void why_json_window(const struct why_print *p, const struct why_answer *a, size_t count,
		     bool is_first);

/* Print the sums of all windows, and end the document. */
void why_json_end(const struct why_print *p, const struct why_sums *s, size_t count);

/* For one window, and for several. */
extern const struct schema why_schema_window[], why_schema_windows[];

void why_text_program(const struct why_print *p, const struct program *program);
void why_json_program(const struct why_print *p, const struct program *program);
extern const struct schema why_schema_program[];

/*
 * Print the functions of the last sum of samples, if it has any. @title: of those of the chains;
 * @about: follows the number of samples
 */
void why_text_ran(const struct why_print *p, const char *title, const char *about);
void why_json_ran(struct json *j, const struct why_print *p);
extern const struct schema why_schema_ran[];

/* Print the stacks of the last sum of samples, for tools that draw flame graphs. */
void why_folded(const struct why_print *p);

#endif /* FXT_WHY_ANSWER_H */
