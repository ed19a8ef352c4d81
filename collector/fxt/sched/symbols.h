/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.h - the functions at addresses in stacks, from the archive.
 *
 * In: BLOBs FXT_STR_SYMBOLS (fxt_sched_stack.h), modules and mappings.
 * Out: functions by provider and address; where they are unknown, places in files.
 */
#ifndef FXT_SCHED_SYMBOLS_H
#define FXT_SCHED_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/map.h"

/** struct sched_symbol - a function */
struct sched_symbol {
	uint32_t provider;	/* id: addresses are of its machine */
	uint64_t process;	/* koid of the process with these addresses; 0: the kernel */
	uint64_t place;		/* of the kernel @start; else one number for each name */
	uint64_t start;
	uint64_t end;		/* the address after its last one */
	char *name;		/* printable ASCII; "name [module]" if it is in a module or a file */
};

/** struct sched_files - all mappings; initialize with zeros */
struct sched_files {
	struct map modules;		/* by provider, process and number */
	struct sched_mapping *mappings;	/* sorted, unless @is_unsorted */
	size_t mapping_count;
	bool is_unsorted;
	struct map places;		/* that were requested, by name */
	struct sched_symbol **list;	/* likewise, in the order of requests */
	size_t count;
};

/** sched_files_add() - take a module or mapping record; others are ignored */
void sched_files_add(struct sched_files *f, uint32_t provider, const struct fxt_content *c);

struct sched_symbols {
	struct sched_symbol *all;
	size_t count;
	bool is_unsorted;
	struct sched_files files;
};

/** sched_symbols_parse() - add the symbols of a BLOB; other lines are ignored */
void sched_symbols_parse(struct sched_symbols *s, uint32_t provider,
			 const struct fxt_bytes *lines);

/**
 * sched_symbol_find() - find the function at an address
 * @process: koid of the process, for an address in a program
 * @address: fxt_sched_frame_address() of a frame, or the @place of a symbol
 *
 * Return: NULL if it is unknown, and not in a file of sched_files_add().
 */
const struct sched_symbol *sched_symbol_find(struct sched_symbols *s, uint32_t provider,
					     uint64_t process, uint64_t address);
void sched_symbols_free(struct sched_symbols *s);

/** sched_symbol_is_of_scheduler() - is it one between a sleep or wakeup and the tracer? */
bool sched_symbol_is_of_scheduler(const char *name);

#endif /* FXT_SCHED_SYMBOLS_H */
