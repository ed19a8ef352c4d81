/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.h - the functions that addresses of stacks are in, as the archive has them.
 *
 * In: BLOBs FXT_STR_SYMBOLS (fxt_sched_stack.h), modules and mappings. Out: functions by provider
 * and address; where they are unknown, places in files.
 */
#ifndef FXT_SCHED_SYMBOLS_H
#define FXT_SCHED_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "files.h"
#include "symbol.h"
#include "libfxt/fxt_reader.h"

struct sched_symbols {
	struct sched_symbol *all;
	size_t count;
	size_t room;
	bool is_unsorted;
	struct sched_files files;
};

/** sched_symbols_take() - add those of a BLOB; other lines are ignored. Return: 0 or -ENOMEM */
int sched_symbols_take(struct sched_symbols *s, uint32_t provider,
		       const struct fxt_bytes *lines);

/**
 * sched_symbol_find() - the function that an address is in
 * @s: the symbols
 * @provider: id of the provider
 * @process: koid of the process, of an address in a program
 * @address: fxt_sched_frame_address() of a frame, or the @place of a symbol
 *
 * Return: NULL if it is unknown, and in no file that sched_files_take() has been given.
 */
const struct sched_symbol *sched_symbol_find(struct sched_symbols *s, uint32_t provider,
					     uint64_t process, uint64_t address);
void sched_symbols_free(struct sched_symbols *s);

#endif /* FXT_SCHED_SYMBOLS_H */
