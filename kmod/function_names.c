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
 * The functions of a module disappear with it, and the next module may get their addresses.
 * So each time a module goes, an empty table replaces the one that there is, which is freed
 * once no probe uses it. None of the module's functions is called by then. Without memory for
 * another table, each name is looked up from then on.
 *
 * A place is taken by the one that stores its address, by cmpxchg(). It fills in the name
 * and then sets @ready (release); who finds the address loads @ready (acquire) before the
 * name. If it is not set yet, another CPU is about to fill it in, or what this interrupts.
 */
#include <linux/bits.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "function_names.h"
#include "util.h"

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
 * @places: FXT_FUNCTION_NAMES, or NULL if there is no memory for them; a function is in one of
 *	FXT_FUNCTION_NAMES_TRIED places from its hash on. Probes use it as RCU readers.
 * @modules: tells when a module goes
 */
struct fxt_function_names {
	struct fxt_function_name __rcu *places;
	struct notifier_block modules;
};

static struct fxt_function_name *fxt_function_names_alloc(void)
{
	return kvcalloc(FXT_FUNCTION_NAMES, sizeof(struct fxt_function_name), GFP_KERNEL);
}

/* The kernel calls notifiers one after the other. */
static int fxt_function_names_module(struct notifier_block *nb, unsigned long state, void *data)
{
	struct fxt_function_names *names = container_of(nb, struct fxt_function_names, modules);
	struct fxt_function_name *old;

	if (state != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	old = rcu_dereference_protected(names->places, true);
	rcu_assign_pointer(names->places, fxt_function_names_alloc());
	/* The probes that may use it are those of tracepoints. */
	tracepoint_synchronize_unregister();
	kvfree(old);
	return NOTIFY_OK;
}

/**
 * fxt_function_names_new() - make an empty table
 *
 * Context: may sleep.
 *
 * Return: the table, or NULL if there is no memory.
 */
struct fxt_function_names *fxt_function_names_new(void)
{
	struct fxt_function_names *names = kzalloc(sizeof(*names), GFP_KERNEL);
	struct fxt_function_name *places = fxt_function_names_alloc();

	if (!names || !places)
		goto free;
	rcu_assign_pointer(names->places, places);
	names->modules.notifier_call = fxt_function_names_module;
	if (!register_module_notifier(&names->modules))
		return names;
free:
	kvfree(places);
	kfree(names);
	return NULL;
}

/**
 * fxt_function_names_free() - free a table
 * @names: the table, or NULL
 *
 * Context: may sleep; no probe runs.
 */
void fxt_function_names_free(struct fxt_function_names *names)
{
	if (!names)
		return;
	unregister_module_notifier(&names->modules);
	kvfree(rcu_dereference_protected(names->places, true));
	kfree(names);
}

/* Without the name of the module, which would follow after a blank. */
static void fxt_function_name_look_up(struct fxt_sched_label *label, const void *function)
{
	char symbol[FXT_SCHED_LABEL_BYTES + 1];

	snprintf(symbol, sizeof(symbol), "%ps", function);
	*strchrnul(symbol, ' ') = '\0';
	fxt_label_set(label, symbol);
}

/*
 * Find the name of a function in the table, or put it there.
 *
 * Return: NULL if it has no place, or if it is being filled in.
 */
static const struct fxt_sched_label *fxt_function_name_kept(struct fxt_function_name *places,
							    const void *function)
{
	u32 first = hash_ptr(function, FXT_FUNCTION_NAMES_BITS), i;
	struct fxt_function_name *place;
	const void *found;

	for (i = 0; i < FXT_FUNCTION_NAMES_TRIED; i++) {
		place = &places[(first + i) % FXT_FUNCTION_NAMES];
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
		if (found == function)
			return smp_load_acquire(&place->ready) ? &place->label : NULL;
	}
	return NULL;
}

/**
 * fxt_function_name() - find the name of a function
 * @names: the table
 * @function: its address
 * @room: where to put the name if it has no place in the table
 *
 * Context: of a probe, so the table stays until it returns.
 *
 * Return: the name, in the table or in @room.
 */
const struct fxt_sched_label *fxt_function_name(struct fxt_function_names *names,
						const void *function,
						struct fxt_sched_label *room)
{
	struct fxt_function_name *places = rcu_dereference_raw(names->places);
	const struct fxt_sched_label *label = NULL;

	if (likely(places))
		label = fxt_function_name_kept(places, function);
	if (label)
		return label;
	fxt_function_name_look_up(room, function);
	return room;
}
