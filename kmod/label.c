// SPDX-License-Identifier: GPL-2.0-only
/*
 * label.c - labels of strings, and of functions by their addresses.
 *
 * The kernel takes some microseconds to find a symbol, and only some hundred functions are used. So
 * each session keeps the names that it has met, in a hash table of fixed size that only fills. A
 * function without a place is looked up each time.
 *
 * A module's functions disappear with it, those of its initialization even before, and a later
 * module may get their addresses. So when a module comes, the names of all its addresses are
 * forgotten before any of its functions is called.
 *
 * The CPU that stores a function's address, by cmpxchg(), owns the place. It fills in the name and
 * then sets @ready (release). A probe that finds the address (acquire) loads @ready (acquire)
 * before the name. If it is not set, another CPU, or the code that this one has interrupted, is
 * about to fill in the name. To forget a name, @ready is cleared before the address (release).
 */
#include <linux/bits.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/string.h>

#include "label.h"

#define FXT_FUNCTION_NAMES_BITS	10
#define FXT_FUNCTION_NAMES	BIT(FXT_FUNCTION_NAMES_BITS)
#define FXT_FUNCTION_NAMES_TRIED	8	/* places for one function */

/* NULL is like "". See fxt_sched_label_finish(). */
void fxt_label_set(struct fxt_sched_label *label, const char *name)
{
	size_t bytes = name ? strnlen(name, FXT_SCHED_LABEL_BYTES) : 0;

	memset(label, 0, sizeof(*label));
	memcpy(label->words, name, bytes);
	fxt_sched_label_finish(label, bytes);
}

struct fxt_function_name {
	const void *function;		/* NULL if the place is free */
	bool ready;			/* @label is valid */
	struct fxt_sched_label label;
};

struct fxt_function_names {
	struct notifier_block modules;	/* called when a module is loaded */
	/* from its hash on, a function has FXT_FUNCTION_NAMES_TRIED places */
	struct fxt_function_name places[FXT_FUNCTION_NAMES];
};

/* No probe uses a forgotten name, because none of these functions is called any more. */
static int fxt_function_names_module(struct notifier_block *nb, unsigned long state, void *data)
{
	struct fxt_function_names *names = container_of(nb, struct fxt_function_names, modules);
	struct fxt_function_name *place = names->places;

	if (state != MODULE_STATE_COMING)
		return NOTIFY_DONE;
	for (; place < names->places + FXT_FUNCTION_NAMES; place++) {
		if (!within_module((unsigned long)READ_ONCE(place->function), data))
			continue;
		WRITE_ONCE(place->ready, false);
		/* Pairs with the acquire and the cmpxchg() in fxt_function_name_find(). */
		smp_store_release(&place->function, NULL);
	}
	return NOTIFY_OK;
}

/* Context: may sleep. Return: an empty table, or NULL if there is no memory. */
struct fxt_function_names *fxt_function_names_new(void)
{
	struct fxt_function_names *names = kvzalloc(sizeof(*names), GFP_KERNEL);

	if (!names)
		return NULL;
	names->modules.notifier_call = fxt_function_names_module;
	if (!register_module_notifier(&names->modules))
		return names;
	kvfree(names);
	return NULL;
}

/* @names: may be NULL. Context: may sleep; no probe runs. */
void fxt_function_names_free(struct fxt_function_names *names)
{
	if (!names)
		return;
	unregister_module_notifier(&names->modules);
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

/* Return: NULL if the function has no place, or its name is being filled in. */
static const struct fxt_sched_label *fxt_function_name_find(struct fxt_function_names *names,
							    const void *function)
{
	u32 first = hash_ptr(function, FXT_FUNCTION_NAMES_BITS), i;
	struct fxt_function_name *place;
	const void *found;

	for (i = 0; i < FXT_FUNCTION_NAMES_TRIED; i++) {
		place = &names->places[(first + i) % FXT_FUNCTION_NAMES];
		/* Pairs with the release in fxt_function_names_module(). */
		found = smp_load_acquire(&place->function);
		if (found == function) {
			/* Pairs with the release below. */
			return smp_load_acquire(&place->ready) ? &place->label : NULL;
		}
		if (found || cmpxchg(&place->function, NULL, function))
			continue;
		fxt_function_name_look_up(&place->label, function);
		/* Pairs with the acquire above. */
		smp_store_release(&place->ready, true);
		return &place->label;
	}
	return NULL;
}

/* Return: the name, in the table, or in @room if it has no place there. */
const struct fxt_sched_label *fxt_function_name(struct fxt_function_names *names,
						const void *function,
						struct fxt_sched_label *room)
{
	const struct fxt_sched_label *label = fxt_function_name_find(names, function);

	if (label)
		return label;
	fxt_function_name_look_up(room, function);
	return room;
}
