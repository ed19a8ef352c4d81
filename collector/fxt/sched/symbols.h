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

#include "libfxt/fxt_reader.h"
#include "libfxt/map.h"

/**
 * struct sched_symbol - a function
 * @provider: id of the provider: the addresses are of that machine
 * @process: koid of the process that has it at these addresses; 0: the kernel
 * @start: its first address; @end is the one after it
 * @name: terminated, printable ASCII; "name [module]" if it is in a module or a file
 * @place: @start of the kernel's; the same for the same name in all processes
 */
struct sched_symbol {
	uint32_t provider;
	uint64_t process;
	uint64_t place;
	uint64_t start;
	uint64_t end;
	char *name;
};

/** struct sched_files - all of them; begins as zeros, ends with files_free() */
struct sched_files {
	struct map modules;		/* by provider, process and number */
	struct sched_mapping *mappings;	/* sorted, unless @is_unsorted */
	size_t mapping_count;
	bool is_unsorted;
	struct map places;		/* that were asked for, by name */
	struct sched_symbol **list;	/* the same, in their order */
	size_t count;
};

/** sched_files_take() - take a module or mapping record; others are ignored. Return: 0 or -ENOMEM */
int sched_files_take(struct sched_files *f, uint32_t provider, const struct fxt_content *c);

struct sched_symbols {
	struct sched_symbol *all;
	size_t count;
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

/** sched_symbol_is_of_scheduler() - does it lead from a sleep, or a wakeup, to the tracer? */
bool sched_symbol_is_of_scheduler(const char *name);

#endif /* FXT_SCHED_SYMBOLS_H */
