// SPDX-License-Identifier: GPL-2.0-or-later
/* tables.c - see tables.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/hash.h"
#include "libfxt/text.h"
#include "tables.h"

#define DEFAULT_TICKS_PER_SECOND	1000000000
#define FIRST_PROVIDERS	1024	/* buckets; doubled for more providers */

static int out_of_room(struct fxt_reader *r, uint64_t offset, const char *what)
{
	return fxt_deviate(r, offset, FXT_DEV_LIMIT, true, what,
			   "the tables would exceed %zu bytes",
			   r->o.max_table_bytes);
}

/* Return: false if @bytes more exceed the limit. */
static bool charge(struct fxt_reader *r, size_t bytes)
{
	if (bytes > r->o.max_table_bytes - r->table_bytes)
		return false;
	r->table_bytes += bytes;
	return true;
}

/* Forget a string, if there is one. */
static void drop_string(struct fxt_reader *r, struct string_entry *e)
{
	r->table_bytes -= e->length;
	if (!e->known)
		free((void *)e->bytes);
	*e = (struct string_entry){ 0 };
}

static void reset(struct fxt_reader *r, struct provider_state *p)
{
	struct string_entry *page;
	size_t i, j;

	for (i = 0; i < STRING_PAGES; i++) {
		page = p->pages[i];
		if (!page)
			continue;
		for (j = 0; j < PAGE_STRINGS; j++)
			drop_string(r, &page[j]);
		free(page);
		p->pages[i] = NULL;
		r->table_bytes -= PAGE_STRINGS * sizeof(*page);
	}
	if (p->threads)
		memset(p->threads, 0, (FXT_MAX_THREAD_INDEX + 1) * sizeof(*p->threads));
	p->public.ticks_per_second = DEFAULT_TICKS_PER_SECOND;
}

static struct provider_state **hash_of(struct fxt_reader *r, uint32_t id)
{
	return &r->providers[fxt_hash(id, 0) & (r->provider_room - 1)];
}

/* Keep each bucket short. Buckets are small compared with providers. */
static bool grow_providers(struct fxt_reader *r)
{
	uint32_t old_room = r->provider_room, i;
	uint32_t room = old_room ? 2 * old_room : FIRST_PROVIDERS;
	struct provider_state **old = r->providers, **head, *p;

	r->providers = calloc(room, sizeof(*old));
	if (!r->providers) {
		r->providers = old;
		return false;
	}
	r->provider_room = room;
	for (i = 0; i < old_room; i++) {
		while ((p = old[i])) {
			old[i] = p->next;
			head = hash_of(r, p->public.id);
			p->next = *head;
			*head = p;
		}
	}
	free(old);
	return true;
}

/* Return: NULL without memory. */
static struct provider_state *provider_of(struct fxt_reader *r, uint32_t id)
{
	struct provider_state **head, *p;

	for (p = r->provider_room ? *hash_of(r, id) : NULL; p; p = p->next)
		if (p->public.id == id)
			return p;
	if (r->provider_count >= r->provider_room && !grow_providers(r))
		return NULL;
	if (!charge(r, sizeof(*p)))
		return NULL;
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	head = hash_of(r, id);
	p->public.id = id;
	p->public.name.bytes = p->name;
	p->public.ticks_per_second = DEFAULT_TICKS_PER_SECOND;
	p->next = *head;
	*head = p;
	r->provider_count++;
	return p;
}

int fxt_tables_open(struct fxt_reader *r)
{
	r->current = provider_of(r, 0);
	return r->current ? 0 : -ENOMEM;
}

void fxt_tables_close(struct fxt_reader *r)
{
	struct provider_state *p;
	uint32_t i;

	for (i = 0; i < r->provider_room; i++) {
		while ((p = r->providers[i])) {
			r->providers[i] = p->next;
			reset(r, p);
			free(p->threads);
			free(p);
		}
	}
	free(r->providers);
}

/* "Provider info metadata": the provider starts with empty tables. */
static int apply_info(struct fxt_reader *r, const struct fxt_record *rec,
		      const struct fxt_content *c)
{
	struct provider_state *p = provider_of(r, c->provider_id);

	if (!p)
		return out_of_room(r, rec->offset, "provider id");
	reset(r, p);
	memcpy(p->name, c->name.bytes, c->name.length);
	p->public.name.length = c->name.length;
	p->public.known = true;
	r->current = p;
	return 0;
}

static int apply_section(struct fxt_reader *r, const struct fxt_record *rec,
			 const struct fxt_content *c)
{
	struct provider_state *p = provider_of(r, c->provider_id);

	if (!p)
		return out_of_room(r, rec->offset, "provider id");
	r->current = p;
	if (p->public.known)
		return 0;
	return fxt_deviate(r, rec->offset, FXT_DEV_PROVIDER, false, "provider id",
			   "provider %" PRIu32 " has no provider info before its section",
			   c->provider_id);
}

/* Copy the string, because the window moves on; known ones need no copy. */
static int apply_string(struct fxt_reader *r, const struct fxt_record *rec,
			const struct fxt_content *c)
{
	struct string_entry **page = &r->current->pages[c->index / PAGE_STRINGS];
	const char *bytes = fxt_known_text(c->name.known).bytes;
	struct string_entry *e;
	char *copy = NULL;

	if (!c->index)
		return fxt_deviate(r, rec->offset, FXT_DEV_INDEX_ZERO, false,
				   "string index", "index 0 is the empty string; ignored");
	if (!*page) {
		if (!charge(r, PAGE_STRINGS * sizeof(**page)))
			return out_of_room(r, rec->offset, "string index");
		*page = calloc(PAGE_STRINGS, sizeof(**page));
		if (!*page)
			return -ENOMEM;
	}
	e = &(*page)[c->index % PAGE_STRINGS];
	drop_string(r, e);
	if (!charge(r, c->name.length))
		return out_of_room(r, rec->offset, "string value stream");
	if (!c->name.known)
		copy = malloc(c->name.length + 1);
	if (!c->name.known && !copy)
		return -ENOMEM;
	if (copy)
		memcpy(copy, c->name.bytes, c->name.length);
	*e = (struct string_entry){ copy ? copy : bytes, c->name.length, c->name.known };
	return 0;
}

static int apply_thread(struct fxt_reader *r, const struct fxt_record *rec,
			const struct fxt_content *c)
{
	struct provider_state *p = r->current;

	if (!c->index)
		return fxt_deviate(r, rec->offset, FXT_DEV_INDEX_ZERO, false,
				   "thread index", "index 0 is for inline threads; ignored");
	if (!p->threads) {
		size_t bytes = (FXT_MAX_THREAD_INDEX + 1) * sizeof(*p->threads);

		if (!charge(r, bytes))
			return out_of_room(r, rec->offset, "thread index");
		p->threads = calloc(1, bytes);
		if (!p->threads)
			return -ENOMEM;
	}
	p->threads[c->index] = (struct thread_entry){
		c->thread.process, c->thread.thread, true };
	return 0;
}

int fxt_tables_apply(struct fxt_reader *r, const struct fxt_record *rec,
		     const struct fxt_content *c)
{
	fxt_forget_shapes(r);
	switch (c->kind) {
	case FXT_KIND_PROVIDER_INFO:
		return apply_info(r, rec, c);
	case FXT_KIND_PROVIDER_SECTION:
		return apply_section(r, rec, c);
	case FXT_KIND_STRING:
		return apply_string(r, rec, c);
	case FXT_KIND_THREAD:
		return apply_thread(r, rec, c);
	case FXT_KIND_INITIALIZATION:
		if (c->ticks_per_second) {
			r->current->public.ticks_per_second = c->ticks_per_second;
			return 0;
		}
		return fxt_deviate(r, rec->offset + FXT_WORD, FXT_DEV_VALUE, false,
				   "tick multiplier", "0 ticks per second; ignored");
	default:
		return 0;
	}
}
