/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resolve.h - finds the files and functions of the addresses of programs.
 *
 * In:  addresses, and the mappings of processes.
 * Out: in an archive, modules, mappings and functions as fxt_sched_stack.h describes them; the
 * number of addresses without a function, and the reasons.
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
 * The functions that contain addresses of an archive, as resolve() finds them.
 */

/** struct function - @name, terminated, is at @start and before @end in @process */
struct function {
	uint64_t process;
	uint64_t start;
	uint64_t end;
	char *name;
};

/** struct functions - @count functions, sorted by functions_sort(); initialize with zeros */
struct functions {
	struct function *list;
	size_t count;
};

/** functions_sort() - sort functions for functions_find() */
void functions_sort(struct functions *f);

/** functions_find() - the name of the function that an address is in, NULL if unknown */
const char *functions_find(const struct functions *f, uint64_t process, uint64_t at);

void functions_free(struct functions *f);

/* --- mapped files ----------------------------------------------------------------------- */

/*
 * The process that modules and mappings belong to.
 *
 * Their records have a thread ref, of which only the process counts. It is an index, because
 * readers disagree on the number of words of an inline one.
 */

/** mapped_begin() - begin the records of @process, a koid. Return: as fxt_writer_record() */
int mapped_begin(struct fxt_writer *w, uint64_t process);

/** mapped_of() - the thread ref of records after mapped_begin() */
struct fxt_thread_id mapped_of(uint64_t process);

/* --- lines ------------------------------------------------------------------------------ */

/*
 * Writes BLOBs FXT_STR_SYMBOLS (fxt_sched_stack.h). Other characters than printable ones are
 * replaced, so that names cannot break lines.
 */

/** struct symbol_lines - lines that wait for their record; initialize with zeros, except for @w */
struct symbol_lines {
	struct fxt_writer *w;
	size_t used;
	char *text;
};

/** lines_kernel() - add lines of the kernel's functions that contain the addresses, sorted */
int lines_kernel(struct symbol_lines *l, const struct addresses *a,
		 const struct kernel_symbols *k);

/**
 * lines_end() - write the waiting lines, and free them
 * @l: the lines
 * @ret: result of the steps before; unless it is 0, nothing is written
 *
 * Return: @ret, or 0, -ENOMEM or an error of the writer, like the functions above.
 */
int lines_end(struct symbol_lines *l, int ret);

/* --- addresses -------------------------------------------------------------------------- */

#define RESOLVE_DEBUG	"/usr/lib/debug"	/* separate debug files */

/**
 * struct resolution - options and results of resolve()
 * @w: takes the records
 * @records: write modules and mappings
 * @symbols: write functions
 * @debug: directory with separate debug files
 * @server: reads files
 * @is_here: the processes run on this machine, under the ids of the addresses
 * @limit: ns that reading files may take, 0 for no limit
 * @each: of these, ns for the files of one user, 0 for no limit
 * @idle: called during waits for @server, with @arg, unless it is NULL; must not add mappings
 * @functions: takes the functions that were found, unless it is NULL
 * @addresses: result: number of addresses of programs
 * @named: of these, those with a function
 * @unmapped: of these, those outside of all known mappings
 * @changed: of these, those in different mappings at different times
 * @left_out: mappings without a record, because their process has too many files
 * @faults: files whose functions are unknown, by reason
 * @example: the first file of each reason
 */
struct resolution {
	struct fxt_writer *w;
	bool records;
	bool symbols;
	const char *debug;
	const struct elf_server *server;
	bool is_here;
	uint64_t limit;
	uint64_t each;
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

/** resolve() - resolve addresses, which are sorted. Return: 0, -ENOMEM or an error of the writer */
int resolve(struct resolution *r, struct images *im, const struct addresses *a);

/** resolve_fault() - describe a fault, as "is damaged" */
const char *resolve_fault(enum elf_fault fault);

#endif /* LIBSYM_RESOLVE_H */
