/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.h - the functions that addresses of stacks are in, as the archive has them.
 *
 * In: BLOBs FXT_STR_SYMBOLS (fxt_sched_stack.h). Out: functions by provider and address.
 */
#ifndef FXT_SCHED_SYMBOLS_H
#define FXT_SCHED_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libfxt/fxt_reader.h"

/**
 * struct sched_symbol - a function
 * @provider: id of the provider: the addresses are of that machine
 * @start: its first address; @end is the one after it
 * @name: terminated, printable ASCII; "name [module]" if it is in a module
 */
struct sched_symbol {
	uint32_t provider;
	uint64_t start;
	uint64_t end;
	char *name;
};

struct sched_symbols {
	struct sched_symbol *all;
	size_t count;
	size_t room;
	bool is_unsorted;
};

/** sched_symbols_take() - add those of a BLOB; other lines are ignored. Return: 0 or -ENOMEM */
int sched_symbols_take(struct sched_symbols *s, uint32_t provider,
		       const struct fxt_bytes *lines);

/** sched_symbol_find() - the function that an address is in, NULL if it is unknown */
const struct sched_symbol *sched_symbol_find(struct sched_symbols *s, uint32_t provider,
					     uint64_t address);
void sched_symbols_free(struct sched_symbols *s);

#endif /* FXT_SCHED_SYMBOLS_H */
