// SPDX-License-Identifier: GPL-2.0-or-later
/* event.c - the states of threads in sched_switch. See event.h. */
#include <stdbool.h>
#include <stddef.h>

#include <fxt/fxt_unknown.h>

#include "event.h"

#define NO_LOAD		'N'	/* never alone: D|N is today's I */

const struct trace_states trace_states_any = {
	.all = {
		{ 0x1, 'S' }, { 0x2, 'D' }, { 0x4, 'T' }, { 0x8, 't' }, { 0x10, 'X' },
		{ 0x20, 'Z' }, { 0x40, '?' }, { 0x80, 'I' }, { 0x200, 'P' }, { 0x400, NO_LOAD },
	},
	.count = 10,
	.preempted = 0x100 | 0x400 | 0x800 | 0x1000,
};

char trace_state_letter(const struct trace_states *s, uint64_t number)
{
	uint64_t known = s->preempted;
	bool has_no_load = false;
	char first = 0;
	unsigned int i;

	for (i = 0; i < s->count; i++) {
		known |= s->all[i].bits;
		if (!(number & s->all[i].bits))
			continue;
		if (s->all[i].letter == NO_LOAD)
			has_no_load = true;
		else if (!first)
			first = s->all[i].letter;
	}
	if (first)
		return first == 'D' && has_no_load ? 'I' : first;
	return number & ~known ? '?' : 'R';
}

struct fxt_sched_state trace_state_of(char letter)
{
	static const struct {
		char letter;
		struct fxt_sched_state state;
	} known[] = {
		{ 'S', { FXT_THREAD_BLOCKED, 0 } },
		{ 'R', { FXT_THREAD_NEW, 0 } },
		{ 'D', { FXT_THREAD_BLOCKED, FXT_STR_STATE_D } },
		{ 'I', { FXT_THREAD_BLOCKED, FXT_STR_STATE_I } },
		{ 'T', { FXT_THREAD_SUSPENDED, 0 } },
		{ 't', { FXT_THREAD_SUSPENDED, FXT_STR_STATE_T } },
		{ 'P', { FXT_THREAD_SUSPENDED, FXT_STR_STATE_P } },
		{ 'Z', { FXT_THREAD_DYING, 0 } },
		{ 'X', { FXT_THREAD_DEAD, 0 } },
		{ 'x', { FXT_THREAD_DEAD, 0 } },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].letter == letter)
			return known[i].state;
	return (struct fxt_sched_state){ FXT_SCHED_STATE_UNKNOWN, 0 };
}
