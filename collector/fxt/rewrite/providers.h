/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * providers.h - writes the provider of the next records.
 *
 * In: the provider of each record, before it is written.
 * Out: the records that introduce a provider (its info, ticks per second, and for our
 * producers the strings of fxt_sched.h, in their order), and a section record when it
 * continues later.
 */
#ifndef FXT_REWRITE_PROVIDERS_H
#define FXT_REWRITE_PROVIDERS_H

#include <stdbool.h>

#include "walk/koids.h"
#include "rewrite.h"

struct providers_entry;

/** struct providers - begins as zeros but for @f, ends with providers_free() */
struct providers {
	struct rewrite *f;
	struct providers_entry *list;
	struct koids numbers;	/* in @list, by id */
	size_t count;
	size_t now;		/* provider of the next records, as number in @list */
};

/**
 * providers_enter() - the next records are of this provider
 * @p: the providers
 * @provider: its id in the result, its name and its ticks per second
 *
 * Return: 0, -ENOMEM, or -ECANCELED if it could not be written.
 */
int providers_enter(struct providers *p, const struct fxt_provider *provider);

/** providers_go_on() - the same for a provider that was entered before, by its id */
int providers_go_on(struct providers *p, uint32_t id);

void providers_free(struct providers *p);

#endif /* FXT_REWRITE_PROVIDERS_H */
