/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * functions.h - the functions of programs that the addresses of an archive are in.
 *
 * In:  functions as resolve() finds them. Out: for an address of a process, the function.
 */
#ifndef LIBSYM_FUNCTIONS_H
#define LIBSYM_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

/** struct function - @name, terminated, is at @start and before @end in @process */
struct function {
	uint64_t process;
	uint64_t start;
	uint64_t end;
	char *name;
};

/** struct functions - all zero is none; @count of them, in order after functions_sort() */
struct functions {
	struct function *list;
	size_t count;
	size_t room;
};

/** functions_add() - add one, whose name is copied. Return: 0 or -ENOMEM */
int functions_add(struct functions *f, uint64_t process, uint64_t start, uint64_t end,
		  const char *name);

/** functions_sort() - before functions_find() */
void functions_sort(struct functions *f);

/** functions_find() - the name of the function that an address is in, NULL if unknown */
const char *functions_find(const struct functions *f, uint64_t process, uint64_t at);

void functions_free(struct functions *f);

#endif /* LIBSYM_FUNCTIONS_H */
