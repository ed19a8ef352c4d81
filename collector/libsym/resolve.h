/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resolve.h - what the addresses of programs mean.
 *
 * In:  addresses, and what processes had mapped. Out: in an archive, modules, mappings and
 * functions as fxt_sched_stack.h describes them; how many addresses have no function, and why.
 */
#ifndef LIBSYM_RESOLVE_H
#define LIBSYM_RESOLVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "addresses.h"
#include "elf_server.h"
#include "functions.h"
#include "images.h"

#define RESOLVE_DEBUG	"/usr/lib/debug"	/* separate debug files */

struct fxt_writer;

/**
 * struct resolution - set before: what to do; after: what was found
 * @w: takes the records
 * @records: write modules and mappings
 * @symbols: write functions
 * @debug: directory with separate debug files
 * @server: reads files
 * @limit: ns that it may take to read them, 0 for no limit
 * @idle: called while it waits for that, if it is not NULL, with @arg; nothing may be mapped then
 * @functions: takes those that were named, if it is not NULL
 * @addresses: of programs
 * @named: of these, with a function
 * @unmapped: in no known mapping
 * @changed: in different ones at different times
 * @left_out: mappings without a record, because their process has too many files
 * @faults: files whose functions are unknown, by reason
 * @example: the first file of each
 */
struct resolution {
	struct fxt_writer *w;
	bool records;
	bool symbols;
	const char *debug;
	const struct elf_server *server;
	uint64_t limit;
	void (*idle)(void *arg);
	void *arg;
	struct functions *functions;
	uint64_t addresses;
	uint64_t named;
	uint64_t unmapped;
	uint64_t changed;
	uint64_t left_out;
	uint64_t faults[ELF_FAULTS];
	char example[ELF_FAULTS][256];
};

/** resolve() - @a is sorted. Return: 0, -ENOMEM or an error of the writer */
int resolve(struct resolution *r, struct images *im, const struct addresses *a);

/** resolve_fault() - a fault in words: "has another build id" */
const char *resolve_fault(enum elf_fault fault);

#endif /* LIBSYM_RESOLVE_H */
