// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * blocked.c - the kernel function in which a thread slept.
 *
 * In:  stacks of sleeps, and the kernel's symbols of the first walk.
 * Out: the number of the function, whose name is interned at its first use; and whether the stack
 *	shows that the thread slept for input or output.
 */
#include <fxt/fxt_sched_stack.h>

#include "terminal/memory.h"
#include "perfetto.h"

/* Functions whose sleeps the kernel counts as waiting for input or output. */
static bool is_of_io(const char *name)
{
	static const char *const names[] = {
		"io_schedule", "io_schedule_timeout", "bit_wait_io", "bit_wait_io_timeout",
		"wait_for_completion_io", "wait_for_completion_io_timeout", "blk_io_schedule",
		"blk_wait_io", "submit_bio_wait", "folio_wait_bit", "folio_wait_bit_common",
		"migration_entry_wait_on_locked",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static void intern(struct perfetto *p, const struct sched_symbol *symbol, uint64_t number)
{
	Perfetto__Packet packet = PERFETTO__PACKET__INIT;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__InternedString string = PERFETTO__INTERNED_STRING__INIT, *strings[] = { &string };

	string.has_iid = true;
	string.iid = number;
	string.has_str = true;
	string.str = (ProtobufCBinaryData){ strlen(symbol->name), (uint8_t *)symbol->name };
	data.kernel_symbols = strings;
	data.n_kernel_symbols = 1;
	packet.interned_data = &data;
	packets_put(&p->packets, &packet);
}

uint64_t perfetto_slept(struct ftrace_text *t, uint32_t provider, const struct fxt_content *c)
{
	const struct sched_symbol *symbol, *first = NULL;
	struct perfetto *p = t->arg;
	bool is_io = false;
	uint64_t number;
	uint32_t i;

	for (i = 0; i < c->frame_count && fxt_sched_is_kernel(c->frames[i]); i++) {
		symbol = sched_symbol_find(&p->symbols, provider, 0,
					   fxt_sched_frame_address(c->frames[i]));
		if (!symbol)
			continue;
		is_io |= is_of_io(symbol->name);
		if (!first && !sched_symbol_is_of_scheduler(symbol->name))
			first = symbol;
	}
	if (!first)
		return 0;
	number = 1 + (first - p->symbols.all);
	if (!p->has_symbol)
		p->has_symbol = must(calloc(p->symbols.count + 1, sizeof(bool)));
	if (!p->has_symbol[number])
		intern(p, first, number);
	p->has_symbol[number] = true;
	return number << 1 | is_io;
}
