/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.h - struct report as text. */
#ifndef FXT_REPORT_TEXT_TEXT_H
#define FXT_REPORT_TEXT_TEXT_H

#include "libopt/option.h"
#include "liboutput/out.h"
#include "report/stats/report.h"

/* Names of what --table selects; see option_words. */
bool report_section(unsigned int i, struct option_word *w);

/* How text looks, and what of it is printed. */
struct report_style {
	bool colour;		/* with the escape sequences of a terminal */
	bool utf8;		/* bars are drawn with block characters, else in ASCII */
	unsigned int columns;	/* width of lines, 80 or more */
	size_t top;		/* rows of each table */
	bool is_limited;	/* the user said so */
	uint64_t tables;	/* bits by report_section(): print these; 0: a short report */
};

#define REPORT_ALL_SECTIONS	UINT64_MAX

/* Print the report, the most urgent first; @path is only printed. */
void report_print_text(struct out *o, const char *path, const struct report *r,
		       const struct report_options *options,
		       const struct report_style *style);

/*
 * Lines for tools that draw flame graphs, of REPORT_STACK_SLEPT or REPORT_STACK_RAN:
 * "name;outermost function;...;innermost function N": the threads of that name slept or ran there
 * for N ns.
 */
void report_print_folded(struct out *o, const struct report *r, enum report_stack_kind kind);

/* A profile of pprof: how long threads slept, were preempted, and ran. */
void report_print_pprof(struct out *o, const struct report *r);

#endif /* FXT_REPORT_TEXT_TEXT_H */
