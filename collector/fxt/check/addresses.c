// SPDX-License-Identifier: GPL-2.0-or-later
/* addresses.c - addresses of stacks that are outside of every mapping; see check.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <fxt/fxt_sched.h>

#include "check.h"
#include "libfxt/array.h"

/* Owner of an address: provider and process; process 0 is the kernel. */
struct owner {
	uint32_t provider;
	uint64_t process;
};

/* The first frame with this address. */
struct address {
	struct map_node node;
	struct owner of;
	uint64_t at;
	uint64_t offset;
	uint64_t record;
};

struct check_mapping {
	struct owner of;
	uint64_t start;
	uint64_t end;
};

/* --- records -------------------------------------------------------------------------- */

static bool is_known(const struct check_addresses *a, const struct owner *of, uint64_t at,
		     uint64_t hash)
{
	const struct map_node *n;
	const struct address *known;

	for (n = map_first(&a->known, hash); n; n = map_next(n, hash)) {
		known = map_entry(n, struct address, node);
		if (known->at == at && known->of.process == of->process &&
		    known->of.provider == of->provider)
			return true;
	}
	return false;
}

static int add_address(struct check_addresses *a, const struct fxt_record *rec,
		       const struct owner *of, uint64_t at)
{
	uint64_t hash = map_hash(map_hash(of->provider, of->process), at);
	struct address *new;

	if (is_known(a, of, at, hash))
		return 0;
	if (a->known.count == ADDRESSES_MOST) {
		if (!a->more++) {
			a->more_offset = rec->offset;
			a->more_record = rec->number;
		}
		return 0;
	}
	new = malloc(sizeof(*new));
	if (!new || map_reserve(&a->known)) {
		free(new);
		return -ENOMEM;
	}
	new->of = *of;
	new->at = at;
	new->offset = rec->offset;
	new->record = rec->number;
	map_add(&a->known, &new->node, hash);
	return 0;
}

static int take_stack(struct check_addresses *a, const struct fxt_record *rec,
		      const struct fxt_content *c)
{
	struct owner of = { .provider = rec->provider->id };
	unsigned int i;
	int ret = 0;

	for (i = 0; i < c->frame_count && !ret; i++) {
		of.process = fxt_sched_is_kernel(c->frames[i]) ? 0 : c->thread.process;
		ret = add_address(a, rec, &of, fxt_sched_frame_address(c->frames[i]));
	}
	return ret;
}

static int take_mapping(struct check_addresses *a, const struct fxt_record *rec,
			const struct fxt_content *c)
{
	if (array_grow(a->mappings, a->mapping_count))
		return -ENOMEM;
	a->mappings[a->mapping_count++] = (struct check_mapping){
		.of = { rec->provider->id, c->thread.process },
		.start = c->start,
		.end = c->range > UINT64_MAX - c->start ? UINT64_MAX : c->start + c->range,
	};
	return 0;
}

int check_addresses_content(struct check_addresses *a, const struct fxt_record *rec,
			    const struct fxt_content *c)
{
	if (!fxt_text_is(&rec->provider->name, FXT_SCHED_PROVIDER_NAME))
		return 0;
	switch (c->kind) {
	case FXT_KIND_BACKTRACE:
		return take_stack(a, rec, c);
	case FXT_KIND_MMAP:
		return take_mapping(a, rec, c);
	case FXT_KIND_BLOB:
		if (c->name.known == FXT_STR_SYMBOLS)
			return sched_symbols_take(&a->symbols, rec->provider->id, &c->blob);
		return 0;
	default:
		return 0;
	}
}

/* --- the end -------------------------------------------------------------------------- */

static int by_owner(const struct owner *a, const struct owner *b)
{
	if (a->provider != b->provider)
		return a->provider < b->provider ? -1 : 1;
	return a->process < b->process ? -1 : a->process > b->process;
}

static int by_address(const void *a, const void *b)
{
	const struct address *x = *(struct address *const *)a, *y = *(struct address *const *)b;

	return by_owner(&x->of, &y->of) ?: (x->at < y->at ? -1 : x->at > y->at);
}

static int by_start(const void *a, const void *b)
{
	const struct check_mapping *x = a, *y = b;

	return by_owner(&x->of, &y->of) ?:
	       (x->start < y->start ? -1 : x->start > y->start);
}

/**
 * struct cursor - addresses and mappings, both in order
 * @next: first mapping that begins after the last address
 * @of: owner that @end is of
 * @end: highest end of the mappings that begin before that address
 */
struct cursor {
	const struct check_addresses *a;
	size_t next;
	struct owner of;
	uint64_t end;
};

static bool is_mapped(struct cursor *c, const struct address *address)
{
	const struct check_mapping *m;
	int order;

	if (by_owner(&c->of, &address->of)) {
		c->of = address->of;
		c->end = 0;
	}
	for (; c->next < c->a->mapping_count; c->next++) {
		m = &c->a->mappings[c->next];
		order = by_owner(&m->of, &address->of);
		if (order > 0 || (!order && m->start > address->at))
			break;
		if (!order && m->end > c->end)
			c->end = m->end;
	}
	return address->at < c->end;
}

/**
 * struct outside - addresses of the kernel or of programs that are neither mapped nor named
 * @all: all addresses, mapped ones included
 * @count: addresses outside, in @processes processes, the last of which is @last
 * @first: the first of these addresses in the archive
 */
struct outside {
	uint64_t all;
	uint64_t count;
	uint64_t processes;
	struct owner last;
	const struct address *first;
};

static void take_outside(struct outside *o, const struct address *address)
{
	if (!o->count++ || by_owner(&o->last, &address->of))
		o->processes++;
	o->last = address->of;
	if (!o->first || address->offset < o->first->offset)
		o->first = address;
}

static void add_note(struct check_report *report, uint64_t offset, uint64_t record,
		     uint64_t count, const char *text)
{
	char line[300];

	snprintf(line, sizeof(line), "byte %" PRIu64 ": record %" PRIu64 ": %s", offset, record,
		 text);
	check_report_add(report, &(struct check_anomaly){
		.class = CHECK_SCHED,
		.number = CHECK_UNMAPPED,
		.kind = "unmapped",
		.count = count,
		.offset = offset,
		.record = record,
		.time = CHECK_NO_NUMBER,
		.text = line,
	});
}

static void report_kernel(const struct outside *o, struct check_report *report)
{
	char text[200];

	if (!o->count)
		return;
	snprintf(text, sizeof(text), "addresses of the kernel in stacks are outside of every mapping (%"
		 PRIu64 " of %" PRIu64 "), first 0x%" PRIx64, o->count, o->all, o->first->at);
	add_note(report, o->first->offset, o->first->record, o->count, text);
}

static void report_programs(const struct outside *o, struct check_report *report)
{
	char text[200];

	if (!o->count)
		return;
	snprintf(text, sizeof(text), "addresses of programs in stacks are outside of every mapping (%"
		 PRIu64 " of %" PRIu64 ", in %" PRIu64 " process%s), first 0x%" PRIx64
		 " of process %" PRIu64, o->count, o->all, o->processes,
		 o->processes == 1 ? "" : "es", o->first->at, o->first->of.process);
	add_note(report, o->first->offset, o->first->record, o->count, text);
}

static void report_more(const struct check_addresses *a, struct check_report *report)
{
	char text[200];

	if (!a->more)
		return;
	snprintf(text, sizeof(text), "stacks have too many addresses to check: of %" PRIu64
		 " frames it is unknown whether they are mapped", a->more);
	add_note(report, a->more_offset, a->more_record, a->more, text);
}

static void judge(struct check_addresses *a, struct address **all, size_t count,
		  struct check_report *report)
{
	struct outside kernel = { 0 }, programs = { 0 }, *o;
	struct cursor at = { .a = a };
	size_t i;

	for (i = 0; i < count; i++) {
		o = fxt_sched_is_kernel(all[i]->at) ? &kernel : &programs;
		o->all++;
		if (!is_mapped(&at, all[i]) &&
		    !sched_symbol_find(&a->symbols, all[i]->of.provider, all[i]->of.process,
				       all[i]->at))
			take_outside(o, all[i]);
	}
	report_kernel(&kernel, report);
	report_programs(&programs, report);
	report_more(a, report);
}

int check_addresses_end(struct check_addresses *a, struct check_report *report)
{
	size_t count = a->known.count, from = 0, i = 0;
	struct address **all = calloc(count + 1, sizeof(*all));
	struct map_node *n;

	while (all && (n = map_take(&a->known, &from)))
		all[i++] = map_entry(n, struct address, node);
	if (all && report && count) {
		qsort(all, count, sizeof(*all), by_address);
		if (a->mapping_count)
			qsort(a->mappings, a->mapping_count, sizeof(*a->mappings), by_start);
		judge(a, all, count, report);
	}
	for (i = 0; all && i < count; i++)
		free(all[i]);
	while ((n = map_take(&a->known, &from)))
		free(map_entry(n, struct address, node));
	map_free(&a->known);
	free(a->mappings);
	sched_symbols_free(&a->symbols);
	*a = (struct check_addresses){ 0 };
	i = !all;
	free(all);
	return i ? -ENOMEM : 0;
}
