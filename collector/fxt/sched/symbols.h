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
	char *name;		/* printable ASCII; "name [module]" if it is in a module or a file; */
				/* NULL: what is there is unknown */
	bool is_ambiguous;	/* the process has functions of other names there, at other times */
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

/** sched_files_add() - take a module or mapping record; others are ignored. False: no room */
bool sched_files_add(struct sched_files *f, uint32_t provider, const struct fxt_content *c);

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
 * sched_mapping_find() - find the mapping that an address of a stack is in
 * @number: result: the number of earlier mappings that were added
 *
 * Return: false if it is in none, or if the process had different files there, as two programs with
 * one process id have: an address has no time
 */
bool sched_mapping_find(struct sched_symbols *s, uint32_t provider, uint64_t process,
			uint64_t address, size_t *number);

/**
 * sched_symbol_find() - find the function at an address
 * @process: koid of the process, for an address in a program
 * @address: fxt_sched_frame_address() of a frame
 *
 * Return: NULL if it is unknown, and sched_mapping_find() finds no file.
 */
const struct sched_symbol *sched_symbol_find(struct sched_symbols *s, uint32_t provider,
					     uint64_t process, uint64_t address);

/** sched_symbol_at() - find a symbol by its @place; NULL if there is none */
const struct sched_symbol *sched_symbol_at(struct sched_symbols *s, uint32_t provider,
					   uint64_t place);

/** sched_symbol_knows() - has a BLOB named the function, or said that the place is unknown? */
bool sched_symbol_knows(struct sched_symbols *s, uint32_t provider, uint64_t process,
			uint64_t address);
void sched_symbols_free(struct sched_symbols *s);

/** sched_symbol_is_of_tracer() - is it between the tracepoint and the program that took a stack? */
bool sched_symbol_is_of_tracer(const char *name);

/** sched_symbol_is_of_scheduler() - is it one between a sleep or wakeup and the tracer? */
bool sched_symbol_is_of_scheduler(const char *name);

/** sched_symbol_is_of_locks() - is it one between a lock's user and a sleep, or the end of one? */
bool sched_symbol_is_of_locks(const char *name);

#endif /* FXT_SCHED_SYMBOLS_H */
