/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol.h - a name for an address.
 */
#ifndef FXT_SCHED_SYMBOL_H
#define FXT_SCHED_SYMBOL_H

#include <stdint.h>

/**
 * struct sched_symbol - a function
 * @provider: id of the provider: the addresses are of that machine
 * @process: koid of the process that has it at these addresses; 0: the kernel
 * @start: its first address; @end is the one after it
 * @name: terminated, printable ASCII; "name [module]" if it is in a module or a file
 * @place: @start of the kernel's; the same for the same name in all processes
 */
struct sched_symbol {
	uint32_t provider;
	uint64_t process;
	uint64_t place;
	uint64_t start;
	uint64_t end;
	char *name;
};

#endif /* FXT_SCHED_SYMBOL_H */
