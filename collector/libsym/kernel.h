/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.h - functions of the kernel and of its modules.
 *
 * In:  /proc/kallsyms, /proc/modules.
 * Out: for an address, its function.
 */
#ifndef LIBSYM_KERNEL_H
#define LIBSYM_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct kernel_symbol - a function
 * @start: its first address
 * @end: the address after it: where the next function begins
 * @name: terminated
 * @module: name of its module; NULL: the kernel itself
 */
struct kernel_symbol {
	uint64_t start;
	uint64_t end;
	const char *name;
	const char *module;
};

/**
 * struct kernel_range - the code of the kernel, or of a module
 * @name: of the module; NULL: the kernel itself
 */
struct kernel_range {
	uint64_t start;
	uint64_t end;
	const char *name;
};

/**
 * struct kernel_symbols - all functions, and the ranges of code
 * @all: functions in the order of their addresses; @count of them
 * @ranges: code; @range_count of them, the kernel itself first
 */
struct kernel_symbols {
	struct kernel_symbol *all;
	size_t count;
	struct kernel_range *ranges;
	size_t range_count;
	char *text;
	char *modules;
};

/**
 * kernel_symbols_read() - read all functions
 * @k: filled in
 * @kallsyms: descriptor of /proc/kallsyms. It shows addresses if it was opened with the
 *	privilege, even if that was dropped since
 * @modules: descriptor of /proc/modules, likewise; -1 if there is none
 *
 * Return: 0; -ENOENT if it shows no addresses; a negative errno of reading.
 */
int kernel_symbols_read(struct kernel_symbols *k, int kallsyms, int modules);
void kernel_symbols_free(struct kernel_symbols *k);

/** kernel_symbols_find() - the function that an address is in, NULL if it is in none */
const struct kernel_symbol *kernel_symbols_find(const struct kernel_symbols *k,
						uint64_t address);

/** kernel_symbols_range() - the code that an address is in, NULL if it is in none */
const struct kernel_range *kernel_symbols_range(const struct kernel_symbols *k,
						uint64_t address);

#endif /* LIBSYM_KERNEL_H */
