/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines.h - writes BLOBs FXT_STR_SYMBOLS (fxt_sched_stack.h).
 *
 * In:  functions. Out: records in an archive. Everything printable is written, so that readers
 * see lines in any case.
 */
#ifndef LIBSYM_LINES_H
#define LIBSYM_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "addresses.h"
#include "kernel.h"

struct fxt_writer;

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
 * lines_user() - add the line of a function of a process
 * @l: the lines
 * @process: its id
 * @start: its first address there; @end is the one after it
 * @name: of the function
 * @path: of the file
 */
int lines_user(struct symbol_lines *l, uint64_t process, uint64_t start, uint64_t end,
	       const char *name, const char *path);

/**
 * lines_end() - write what waits, and free the lines
 * @l: the lines
 * @ret: of what went before; unless it is 0, nothing is written
 *
 * Return: @ret, or 0, -ENOMEM or an error of the writer, like the functions above.
 */
int lines_end(struct symbol_lines *l, int ret);

#endif /* LIBSYM_LINES_H */
