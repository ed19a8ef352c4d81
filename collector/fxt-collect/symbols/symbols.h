/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.h - what the addresses of an archive's stacks mean.
 *
 * In:  chunks with stacks. Out: at the end of each archive, modules, mappings and symbols as
 * <fxt/fxt_sched_stack.h> describes them, only of functions that occur.
 */
#ifndef FXT_COLLECT_SYMBOLS_SYMBOLS_H
#define FXT_COLLECT_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "addresses.h"

struct fxt_writer;

/**
 * struct symbols - of a recording
 * @is_on: stacks are recorded
 * @kallsyms: descriptor, -1 for none, like @modules
 * @addresses: of the current archive
 * @unnamed: the kernel hides the addresses of its functions
 */
struct symbols {
	bool is_on;
	int kallsyms;
	int modules;
	struct addresses addresses;
	bool unnamed;
};

/** symbols_open() - open the kernel's files while privileges last */
void symbols_open(struct symbols *s);

/** symbols_chunk() - take a chunk of a CPU. Return: 0 or -ENOMEM */
int symbols_chunk(struct symbols *s, const struct chunk *c);

/**
 * symbols_write() - write those of the archive that ends, and begin with the next one
 * @s: the symbols
 * @w: the archive
 * @time: ticks of its beginning: the mappings are valid from then on
 *
 * Return: 0, -ENOMEM or a negative errno of writing.
 */
int symbols_write(struct symbols *s, struct fxt_writer *w, uint64_t time);
void symbols_close(struct symbols *s);

#endif /* FXT_COLLECT_SYMBOLS_SYMBOLS_H */
