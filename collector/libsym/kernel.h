/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel.h - functions of the kernel and of its modules, from /proc/kallsyms and /proc/modules. */
#ifndef LIBSYM_KERNEL_H
#define LIBSYM_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel_symbol {
	uint64_t start;
	uint64_t end;		/* where the next function begins */
	const char *name;
	const char *module;	/* NULL: the kernel itself */
};

/* The code of the kernel, or of a module. */
struct kernel_range {
	uint64_t start;
	uint64_t end;
	const char *name;	/* of the module; NULL: the kernel itself */
};

struct kernel_symbols {
	struct kernel_symbol *all;	/* in the order of their addresses */
	size_t count;
	struct kernel_range *ranges;	/* the kernel itself first */
	size_t range_count;
	char *text;
	char *modules;
};

/*
 * Read all functions. @kallsyms: descriptor of /proc/kallsyms, which shows addresses if it was
 * opened with the privilege, even if that was dropped since. @modules: descriptor of /proc/modules,
 * likewise; -1: none. Return: 0; -ENOENT if it shows no addresses; a negative errno of reading.
 */
int kernel_symbols_read(struct kernel_symbols *k, int kallsyms, int modules);
void kernel_symbols_free(struct kernel_symbols *k);

/* NULL if the address is in no function. */
const struct kernel_symbol *kernel_symbols_find(const struct kernel_symbols *k,
						uint64_t address);

/* NULL if the address is in no code. */
const struct kernel_range *kernel_symbols_range(const struct kernel_symbols *k,
						uint64_t address);

#endif /* LIBSYM_KERNEL_H */
