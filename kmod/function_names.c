// SPDX-License-Identifier: GPL-2.0
/*
 * function_names.c - a table from the addresses of functions to their names.
 *
 * In:  addresses. Out: names, as the kernel's symbols have them.
 *
 * The kernel takes some microseconds to find a symbol, and only some hundred functions are
 * used. So each session keeps the names that it has met, in a hash table of fixed size that
 * is only filled. A function that finds no place in it is looked up each time.
 *
 * A place is taken by the one that stores its address, by cmpxchg(). It fills in the name
 * and then sets @ready (release); who finds the address loads @ready (acquire) before the
 * name. If it is not set yet, another CPU is about to fill it in, or what this interrupts.
 */
#include <linux/bits.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "function_names.h"
#include "label.h"

#define FXT_FUNCTION_NAMES_BITS	10
#define FXT_FUNCTION_NAMES	BIT(FXT_FUNCTION_NAMES_BITS)
#define FXT_FUNCTION_NAMES_TRIED	8	/* places for one function */

/**
 * struct fxt_function_name - a place of the table
 * @function: NULL if the place is free
 * @ready: @label is valid
 * @label: the function's name
 */
struct fxt_function_name {
	const void *function;
	bool ready;
	struct fxt_sched_label label;
};

/**
 * struct fxt_function_names - the table
 * @places: a function is in one of FXT_FUNCTION_NAMES_TRIED places from its hash on
 */
struct fxt_function_names {
	struct fxt_function_name places[FXT_FUNCTION_NAMES];
};

/**
 * fxt_function_names_new() - make an empty table
 *
 * Context: may sleep.
 *
 * Return: the table, or NULL if there is no memory.
 */
struct fxt_function_names *fxt_function_names_new(void)
{
	return kvzalloc(sizeof(struct fxt_function_names), GFP_KERNEL);
}

/**
 * fxt_function_names_free() - free a table
 * @names: the table, or NULL
 *
 * Context: may sleep; no probe runs.
 */
void fxt_function_names_free(struct fxt_function_names *names)
{
	kvfree(names);
}

/* Without the name of the module, which would follow after a blank. */
static void fxt_function_name_look_up(struct fxt_sched_label *label, const void *function)
{
	char symbol[FXT_SCHED_LABEL_BYTES + 1];

	snprintf(symbol, sizeof(symbol), "%ps", function);
	*strchrnul(symbol, ' ') = '\0';
	fxt_label_set(label, symbol);
}

/**
 * fxt_function_name() - find the name of a function
 * @names: the table
 * @function: its address
 * @room: where to put the name if it has no place in the table
 *
 * Context: any.
 *
 * Return: the name, in the table or in @room.
 */
const struct fxt_sched_label *fxt_function_name(struct fxt_function_names *names,
						const void *function,
						struct fxt_sched_label *room)
{
	u32 first = hash_ptr(function, FXT_FUNCTION_NAMES_BITS), i;
	struct fxt_function_name *place;
	const void *found;

	for (i = 0; i < FXT_FUNCTION_NAMES_TRIED; i++) {
		place = &names->places[(first + i) % FXT_FUNCTION_NAMES];
		found = READ_ONCE(place->function);
		if (!found)
			found = cmpxchg(&place->function, NULL, function);
		if (!found) {
			fxt_function_name_look_up(&place->label, function);
			/* Pairs with the acquire below. */
			smp_store_release(&place->ready, true);
			return &place->label;
		}
		/* Pairs with the release above. */
		if (found == function && smp_load_acquire(&place->ready))
			return &place->label;
		if (found == function)
			break;
	}
	fxt_function_name_look_up(room, function);
	return room;
}
