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

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "addresses.h"
#include "elf_server.h"
#include "images.h"
#include "kernel.h"

struct fxt_writer;

/* --- functions -------------------------------------------------------------------------- */

/*
 * The functions of programs that the addresses of an archive are in.
 *
 * In:  functions as resolve() finds them. Out: for an address of a process, the function.
 */

/** struct function - @name, terminated, is at @start and before @end in @process */
struct function {
	uint64_t process;
	uint64_t start;
	uint64_t end;
	char *name;
};

/** struct functions - @count functions, sorted by functions_sort(); initialized with zeros */
struct functions {
	struct function *list;
	size_t count;
};

/** functions_sort() - before functions_find() */
void functions_sort(struct functions *f);

/** functions_find() - the name of the function that an address is in, NULL if unknown */
const char *functions_find(const struct functions *f, uint64_t process, uint64_t at);

void functions_free(struct functions *f);

/* --- mapped files ----------------------------------------------------------------------- */

/*
 * Whose modules and mappings are.
 *
 * Their records have a thread ref, of which only the process counts. Readers disagree on how
 * many words it has where it is inline, so it is an index.
 */

/** mapped_begin() - what follows is mapped in @process, a koid. Return: as fxt_writer_record() */
int mapped_begin(struct fxt_writer *w, uint64_t process);

/** mapped_of() - the thread ref of records after mapped_begin() */
struct fxt_thread_id mapped_of(uint64_t process);

/* --- lines ------------------------------------------------------------------------------ */

/*
 * Writes BLOBs FXT_STR_SYMBOLS (fxt_sched_stack.h).
 *
 * In:  functions. Out: records in an archive. Everything printable is written, so that readers
 * see lines in any case.
 */

/** struct symbol_lines - lines that wait for their record; @w is set, all else zero */
struct symbol_lines {
	struct fxt_writer *w;
	size_t used;
	char *text;
};

/** lines_kernel() - those of the kernel's functions that sorted addresses are in */
int lines_kernel(struct symbol_lines *l, const struct addresses *a,
		 const struct kernel_symbols *k);

/**
 * lines_end() - write what waits, and free the lines
 * @l: the lines
 * @ret: of what went before; unless it is 0, nothing is written
 *
 * Return: @ret, or 0, -ENOMEM or an error of the writer, like the functions above.
 */
int lines_end(struct symbol_lines *l, int ret);

/* --- addresses -------------------------------------------------------------------------- */

#define RESOLVE_DEBUG	"/usr/lib/debug"	/* separate debug files */

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
