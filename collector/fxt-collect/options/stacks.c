// SPDX-License-Identifier: GPL-2.0-or-later
/* stacks.c - see stacks.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/units.h"
#include "stacks.h"
#include "values.h"

const char * const stacks_names[] = {
	"offcpu", "preempt", "wake", "kernel", "user", "check", NULL
};

bool stacks_word(unsigned int i, struct option_word *w)
{
	w->name = stacks_names[i];
	return w->name;
}

static int take_depth(struct source_stacks *s, const char *value, struct error *e)
{
	char *end;
	unsigned long depth = *value >= '0' && *value <= '9' ? strtoul(value, &end, 10) : 0;

	if (!depth || *end || depth > FXT_SCHED_STACK_FRAMES)
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--stacks :%s: invalid number of frames; use 1 to %u", value,
			    FXT_SCHED_STACK_FRAMES);
	s->depth = depth;
	return 0;
}

int value_stacks(struct source_stacks *s, char *value, struct error *e)
{
	char *depth = strchr(value, ':'), *part;
	int n;

	if (depth) {
		*depth++ = '\0';
		n = take_depth(s, depth, e);
		if (n)
			return n;
	}
	while ((part = strsep(&value, ","))) {
		n = value_word("--stacks", "KIND", part, stacks_word, e);
		if (n < 0)
			return n;
		s->what |= 1 << n;
	}
	if (!(s->what & STACKS_KINDS))
		s->what |= STACKS_OFFCPU;
	if (!(s->what & STACKS_FRAMES))
		s->what |= STACKS_FRAMES;
	return 0;
}

int value_stacks_min(struct source_stacks *s, const char *value, struct error *e)
{
	s->min = 0;
	return strcmp(value, "0") ? value_time("--stacks-min", value, &s->min, e) : 0;
}
