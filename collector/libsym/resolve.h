/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resolve.h - finds the files and functions of the addresses of programs.
 *
 * In:  addresses, and the mappings of processes.
 * Out: in an archive, modules, mappings and functions as fxt_sched_stack.h describes them; the
 *      number of addresses without a function, and the reasons.
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

/* The functions that contain addresses of an archive, as resolve() finds them. */

/* @name, terminated, is at @start and before @end in @process. */
struct function {
	uint64_t process;
	uint64_t start;
	uint64_t end;
	char *name;
};

/* Sorted by functions_sort(); initialize with zeros. */
struct functions {
	struct function *list;
	size_t count;
};

void functions_sort(struct functions *f);

/* NULL if the address is in no known function. */
const char *functions_find(const struct functions *f, uint64_t process, uint64_t at);

void functions_free(struct functions *f);

/* --- mapped files ----------------------------------------------------------------------- */

/*
 * The process that modules and mappings belong to. Their records have a thread ref, of which only
 * the process counts. It is an index, because readers disagree on the number of words of an inline
 * one.
 */

/* Begin the records of @process, a koid. Return: as fxt_writer_record(). */
int mapped_begin(struct fxt_writer *w, uint64_t process);

/* The thread ref of records after mapped_begin(). */
struct fxt_thread_id mapped_of(uint64_t process);

/* --- lines ------------------------------------------------------------------------------ */

/*
 * Writes BLOBs FXT_STR_SYMBOLS (fxt_sched_stack.h). Other characters than printable ones are
 * replaced, so that names cannot break lines.
 */

/* Lines that wait for their record; initialize with zeros, except for @w. */
struct symbol_lines {
	struct fxt_writer *w;
	size_t used;
	char *text;
};

/* Add lines of the kernel's functions that contain the addresses, which are sorted. */
int lines_kernel(struct symbol_lines *l, const struct addresses *a,
		 const struct kernel_symbols *k);

/*
 * Write the waiting lines, and free them. @ret: result of the steps before; unless it is 0, nothing
 * is written. Return: @ret, or 0, -ENOMEM or an error of the writer, like the functions above.
 */
int lines_end(struct symbol_lines *l, int ret);

/* --- addresses -------------------------------------------------------------------------- */

#define RESOLVE_DEBUG	"/usr/lib/debug"	/* separate debug files */

struct resolution {
	struct fxt_writer *w;	/* takes the records */
	bool records;		/* write modules and mappings */
	bool symbols;		/* write functions */
	const char *debug;	/* directory with separate debug files */
	const struct elf_server *server;	/* reads files */
	bool is_here;		/* processes run on this machine, under the ids of the addresses */
	uint64_t limit;		/* ns that reading files may take; 0: no limit */
	uint64_t each;		/* of these, ns for the files of one user; 0: no limit */
	/* called during waits for @server; must not add mappings; may be NULL */
	void (*idle)(void *arg);
	void *arg;
	struct functions *functions;	/* takes the functions that were found; may be NULL */
	uint64_t addresses;	/* result: addresses of programs */
	uint64_t named;		/* of these, with a function */
	uint64_t unmapped;	/* of these, outside of all known mappings */
	uint64_t changed;	/* of these, in different mappings at different times */
	uint64_t left_out;	/* mappings without a record: their process has too many files */
	uint64_t faults[ELF_FAULTS];	/* files whose functions are unknown */
	char example[ELF_FAULTS][256];	/* first file of each fault */
};

/* @a: sorted. Return: 0, -ENOMEM or an error of the writer. */
int resolve(struct resolution *r, struct images *im, const struct addresses *a);

/* For example "is damaged". */
const char *resolve_fault(enum elf_fault fault);

#endif /* LIBSYM_RESOLVE_H */
