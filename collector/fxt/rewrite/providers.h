/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * providers.h - whose records a result goes on with.
 *
 * What flows in: the provider of each record, before it is written. What flows out:
 * what introduces a provider (its info, ticks per second, and where it is ours the
 * strings of fxt_sched.h, in their order), and later the sections in which it goes on.
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
	size_t now;		/* that records are of, as number in @list */
};

/**
 * providers_enter() - what follows is of this provider
 * @p: the providers
 * @provider: its id, as the result is to have it; its name and its ticks per second
 *
 * Return: 0, -ENOMEM, or -ECANCELED if it could not be written.
 */
int providers_enter(struct providers *p, const struct fxt_provider *provider);

/** providers_go_on() - the same with one that was entered before, by its id */
int providers_go_on(struct providers *p, uint32_t id);

void providers_free(struct providers *p);

#endif /* FXT_REWRITE_PROVIDERS_H */
