/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks.h - call stacks as text.
 */
#ifndef FXT_REPORT_TEXT_STACKS_H
#define FXT_REPORT_TEXT_STACKS_H

#include "style.h"

/** text_stacks() - where threads blocked, and what woke them; nothing without stacks */
void text_stacks(const struct text *t);

/**
 * report_print_folded() - lines for tools that draw flame graphs
 * @o: the output
 * @r: the report
 *
 * "name;outermost function;...;innermost function N", where N is ns that the threads of that
 * name slept there.
 */
void report_print_folded(struct out *o, const struct report *r);

#endif /* FXT_REPORT_TEXT_STACKS_H */
