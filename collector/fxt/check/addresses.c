// SPDX-License-Identifier: GPL-2.0-or-later
/* addresses.c - addresses of stacks that are outside of all mappings; see check.h. */
#include <inttypes.h>
#include <stdio.h>

#include <fxt/fxt_sched.h>

#include "check.h"
#include "sched/symbols.h"
#include "terminal/memory.h"

#define ADDRESSES_MOST	(1UL << 19)	/* 32 MiB */

/* The address space of an address. */
struct owner {
	uint32_t provider;
	uint64_t process;	/* 0: the kernel */
};

/* The first frame with this address. */
struct address {
	struct map_node node;
	struct owner of;
	uint64_t at;
	uint64_t offset;
	uint64_t record;
};

struct mapping {
	struct owner of;
	uint64_t start;
	uint64_t end;
};

struct check_addresses {
	struct map known;	/* addresses seen, each once */
	struct mapping *mappings;	/* in the order of the archive */
	size_t mapping_count;
	struct sched_symbols symbols;
	struct check_sum more;	/* addresses beyond ADDRESSES_MOST */
};

struct check_addresses *check_addresses_open(void)
{
	return new_zero(struct check_addresses);
}

/* --- records -------------------------------------------------------------------------- */

static void add_address(struct check_addresses *a, const struct fxt_record *rec,
		       const struct owner *of, uint64_t at)
{
	uint64_t hash = map_hash(map_hash(of->provider, of->process), at);
	struct address *new;

	if (map_find(&a->known, hash, new, new->at == at && new->of.process == of->process &&
		     new->of.provider == of->provider))
		return;
	if (a->known.count == ADDRESSES_MOST) {
		check_sum_add(&a->more, rec->offset, rec->number);
		return;
	}
	new = new_zero(struct address);
	new->of = *of;
	new->at = at;
	new->offset = rec->offset;
	new->record = rec->number;
	map_put(&a->known, &new->node, hash);
}

static void add_stack(struct check_addresses *a, const struct fxt_record *rec,
		      const struct fxt_content *c)
{
	struct owner of = { .provider = rec->provider->id };
	unsigned int i;

	for (i = 0; i < c->frame_count; i++) {
		of.process = fxt_sched_is_kernel(c->frames[i]) ? 0 : c->thread.process;
		add_address(a, rec, &of, fxt_sched_frame_address(c->frames[i]));
	}
}

static void add_mapping(struct check_addresses *a, const struct fxt_record *rec,
			const struct fxt_content *c)
{
	array_more(a->mappings, a->mapping_count);
	a->mappings[a->mapping_count++] = (struct mapping){
		.of = { rec->provider->id, c->thread.process },
		.start = c->start,
		.end = c->range > UINT64_MAX - c->start ? UINT64_MAX : c->start + c->range,
	};
}

void check_addresses_content(struct check_addresses *a, const struct fxt_record *rec,
			     const struct fxt_content *c)
{
	if (!fxt_text_is(&rec->provider->name, FXT_SCHED_PROVIDER_NAME))
		return;
	if (c->kind == FXT_KIND_BACKTRACE)
		add_stack(a, rec, c);
	else if (c->kind == FXT_KIND_MMAP)
		add_mapping(a, rec, c);
	else if (c->kind == FXT_KIND_BLOB && c->name.known == FXT_STR_SYMBOLS)
		sched_symbols_parse(&a->symbols, rec->provider->id, &c->blob);
}

/* --- the end -------------------------------------------------------------------------- */

static int by_owner(const struct owner *a, const struct owner *b)
{
	return array_order(a->provider, b->provider) ?: array_order(a->process, b->process);
}

static int by_address(const void *a, const void *b)
{
	const struct address *x = *(struct address *const *)a, *y = *(struct address *const *)b;

	return by_owner(&x->of, &y->of) ?: (x->at < y->at ? -1 : x->at > y->at);
}

static int by_start(const void *a, const void *b)
{
	const struct mapping *x = a, *y = b;

	return by_owner(&x->of, &y->of) ?:
	       (x->start < y->start ? -1 : x->start > y->start);
}

/* Addresses and mappings, both sorted. */
struct cursor {
	const struct check_addresses *a;
	size_t next;		/* first mapping that begins after the last address */
	struct owner of;	/* of @end */
	uint64_t end;		/* highest end of the mappings that begin before that address */
};

static bool is_mapped(struct cursor *c, const struct address *address)
{
	const struct mapping *m;
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

/* Addresses of the kernel or of programs that are neither mapped nor named. */
struct outside {
	uint64_t all;			/* including mapped ones */
	uint64_t count;			/* outside */
	uint64_t processes;		/* with such addresses; the last one is @last */
	struct owner last;
	const struct address *first;	/* in the archive */
};

static void count_outside(struct outside *o, const struct address *address)
{
	if (!o->count++ || by_owner(&o->last, &address->of))
		o->processes++;
	o->last = address->of;
	if (!o->first || address->offset < o->first->offset)
		o->first = address;
}

static struct check_anomaly note_of(uint64_t offset, uint64_t record, uint64_t count)
{
	return check_note(CHECK_SCHED, CHECK_UNMAPPED, "unmapped", count, offset, record);
}

static void report_outside(const struct outside *o, struct check_report *report, bool is_kernel)
{
	const struct address *first = o->first;
	char processes[64] = "", process[64] = "";

	if (!o->count)
		return;
	if (!is_kernel) {
		snprintf(processes, sizeof(processes), ", in %" PRIu64 " process%s", o->processes,
			 o->processes == 1 ? "" : "es");
		snprintf(process, sizeof(process), " of process %" PRIu64, first->of.process);
	}
	check_report_addf(report, note_of(first->offset, first->record, o->count),
			  "addresses of %s in stacks are outside of every mapping (%" PRIu64 " of %"
			  PRIu64 "%s), first 0x%" PRIx64 "%s", is_kernel ? "the kernel" : "programs",
			  o->count, o->all, processes, first->at, process);
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
			count_outside(o, all[i]);
	}
	report_outside(&kernel, report, true);
	report_outside(&programs, report, false);
	if (a->more.count)
		check_report_addf(report, note_of(a->more.offset, a->more.record, a->more.count),
				  "stacks have too many addresses to check: of %" PRIu64
				  " frames it is unknown whether they are mapped", a->more.count);
}

void check_addresses_end(struct check_addresses *a, struct check_report *report)
{
	struct address **all = must(calloc(a->known.count + 1, sizeof(*all))), *address;
	size_t count = 0;

	map_each(&a->known, address)
		all[count++] = address;
	if (report && count) {
		qsort(all, count, sizeof(*all), by_address);
		if (a->mapping_count)
			qsort(a->mappings, a->mapping_count, sizeof(*a->mappings), by_start);
		judge(a, all, count, report);
	}
	free(all);
	map_free_all(&a->known, struct address);
	free(a->mappings);
	sched_symbols_free(&a->symbols);
	free(a);
}
