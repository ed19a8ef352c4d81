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

struct sched_symbol {
	uint32_t provider;	/* id: addresses are of its machine */
	uint64_t process;	/* koid of the process with these addresses; 0: the kernel */
	uint64_t place;		/* of the kernel @start; else one number for each name */
	uint64_t start;
	uint64_t end;		/* the address after its last one */
	char *name;		/* printable ASCII; with " [module]" in a module or a file; */
				/* NULL: unknown */
	bool is_ambiguous;	/* the process has functions of other names there, at other times */
};

/* All mappings; initialize with zeros. */
struct sched_files {
	struct map modules;		/* by provider, process and number */
	struct sched_mapping *mappings;	/* sorted, unless @is_unsorted */
	size_t mapping_count;
	bool is_unsorted;
	struct map places;		/* requested ones, by name */
	struct sched_symbol **list;	/* likewise, in the order of requests */
	size_t count;
};

/* Take a module or mapping record; ignore others. Returns false if there is no room. */
bool sched_files_add(struct sched_files *f, uint32_t provider, const struct fxt_content *c);

struct sched_symbols {
	struct sched_symbol *all;
	size_t count;
	bool is_unsorted;
	struct sched_files files;
};

/* Add the symbols of a BLOB; ignore other lines. */
void sched_symbols_parse(struct sched_symbols *s, uint32_t provider,
			 const struct fxt_bytes *lines);

/*
 * Find the mapping that an address of a stack is in. @number: set to its index in the order of
 * adding. Returns false if there is none, or if the process had different files there (an address
 * has no time), as two programs with one process id have.
 */
bool sched_mapping_find(struct sched_symbols *s, uint32_t provider, uint64_t process,
			uint64_t address, size_t *number);

/*
 * Find the function at an address. @process: koid, for an address in a program; @address:
 * fxt_sched_frame_address() of a frame. Returns NULL if the function is unknown and
 * sched_mapping_find() finds no file.
 */
const struct sched_symbol *sched_symbol_find(struct sched_symbols *s, uint32_t provider,
					     uint64_t process, uint64_t address);

/* Find a symbol by its @place, or NULL. */
const struct sched_symbol *sched_symbol_at(struct sched_symbols *s, uint32_t provider,
					   uint64_t place);

/* Does a BLOB name the function, or declare the place unknown? */
bool sched_symbol_knows(struct sched_symbols *s, uint32_t provider, uint64_t process,
			uint64_t address);
void sched_symbols_free(struct sched_symbols *s);

/* Is it between the tracepoint and the program that took a stack? */
bool sched_symbol_is_of_tracer(const char *name);

/* Is it between a sleep or wakeup and the tracer? */
bool sched_symbol_is_of_scheduler(const char *name);

/* Is it between a lock's user and a sleep, or the end of one? */
bool sched_symbol_is_of_locks(const char *name);

#endif /* FXT_SCHED_SYMBOLS_H */
