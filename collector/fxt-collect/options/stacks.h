/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks.h - parse the options of call stacks. For parse.c and the description of the recording.
 */
#ifndef FXT_COLLECT_OPTIONS_STACKS_H
#define FXT_COLLECT_OPTIONS_STACKS_H

#include "libopt/option.h"
#include "process/error.h"
#include "source/source.h"

#define STACKS_DEPTH	32		/* the default */
#define STACKS_MIN_NS	100000ULL	/* likewise */

extern const char * const stacks_names[];	/* by bits of STACKS_*; NULL at the end */

/** stacks_word() - the same; see option_words */
bool stacks_word(unsigned int i, struct option_word *w);

/** value_stacks() - "offcpu,wake:16"; @value is cut into pieces. Return: 0 or a negative errno */
int value_stacks(struct source_stacks *s, char *value, struct error *e);

/** value_stacks_min() - "50us", "0". Return: likewise */
int value_stacks_min(struct source_stacks *s, const char *value, struct error *e);

#endif /* FXT_COLLECT_OPTIONS_STACKS_H */
