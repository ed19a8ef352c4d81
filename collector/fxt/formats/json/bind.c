// SPDX-License-Identifier: GPL-2.0-or-later
/* bind.c - see bind.h. */
#include <stdlib.h>
#include <string.h>

#include "terminal/memory.h"
#include "bind.h"

#define THREADS		(1U << 18)
#define FLOWS		(1U << 18)
#define WAITING		(1U << 16)	/* ends */
#define TEXT_BYTES	(16U << 20)	/* limit for the window, and again for waiting ends */

struct bind_thread {
	struct map_node node;
	struct fxt_thread_id id;
	uint64_t open;			/* begun, not ended */
	uint64_t end;			/* ns, of the complete slice that ends last */
	bool is_in_slice;		/* by Perfetto's rules: see take_slice() */
	struct waiting *waiting;	/* ends that belong to the next slice */
	struct waiting *last;
};

struct waiting {
	struct waiting *next;
	struct bind_part part;
};

/* A flow that has begun. The next arrow starts at its last begin or step. */
struct flow {
	struct map_node node;
	uint64_t flow;
	uint64_t id;			/* in its records now */
	bool is_open;			/* its records have a begin, but no end */
	uint64_t ns;			/* of the last begin or step */
	struct fxt_thread_id thread;
	uint64_t taken;			/* events before that */
};

static bool is_same(const struct fxt_thread_id *a, const struct fxt_thread_id *b)
{
	return a->process == b->process && a->thread == b->thread;
}

static struct bind_thread *find_thread(const struct bind *b, const struct fxt_thread_id *id)
{
	struct bind_thread *t = b->recent;

	if (t && is_same(&t->id, id))
		return t;
	return map_find(&b->threads, map_hash(id->process, id->thread), t, is_same(&t->id, id));
}

/* Returns NULL if there are too many threads. */
static struct bind_thread *get_thread(struct bind *b, const struct fxt_thread_id *id)
{
	struct bind_thread *t = find_thread(b, id);

	if (t || b->threads.count >= THREADS)
		return t;
	must(map_new(&b->threads, map_hash(id->process, id->thread), t));
	t->id = *id;
	return t;
}

static bool is_in_slice(const struct bind *b, const struct bind_part *p)
{
	const struct bind_thread *t = find_thread(b, &p->thread);

	return p->is_slice || (t && t->is_in_slice);
}

static struct flow *find_flow(const struct bind *b, uint64_t flow)
{
	struct flow *f;

	return map_find(&b->flows, map_hash(flow, 0), f, f->flow == flow);
}

/* Make room when too many flows are known. */
static void forget_ended(struct bind *b)
{
	struct map kept = { 0 };
	struct flow *f;

	map_drain(&b->flows, f) {
		if (f->is_open)
			map_put(&kept, &f->node, map_hash(f->flow, 0));
		else
			free(f);
	}
	b->flows = kept;
	b->ended = 0;
}

/* Returns NULL if too many flows are open. */
static struct flow *add_flow(struct bind *b, uint64_t flow)
{
	struct flow *f;

	if (b->flows.count >= FLOWS && b->ended >= FLOWS / 2)
		forget_ended(b);
	if (b->flows.count >= FLOWS)
		return NULL;
	must(map_new(&b->flows, map_hash(flow, 0), f));
	f->flow = flow;
	f->id = flow;
	return f;
}

/* An unused id, for parts that FXT must not join. */
static uint64_t new_id(struct bind *b)
{
	uint64_t id = ++b->ids * 0x9e3779b97f4a7c15ULL;

	return (id ^ id >> 29) * 0xbf58476d1ce4e5b9ULL;
}

static void put(struct bind *b, const struct bind_part *p, enum fxt_kind kind, uint64_t id,
		uint64_t ns)
{
	b->write(b->arg, p, &(struct bind_record){ .kind = kind, .ns = ns, .id = id,
						   .thread = p->thread });
}

static void start_from(struct bind *b, struct flow *f, const struct bind_part *p)
{
	f->ns = p->key.ns;
	f->thread = p->thread;
	f->taken = b->taken;
}

static void begin(struct bind *b, const struct bind_part *p)
{
	bool counts = is_in_slice(b, p) && !find_flow(b, p->flow);
	struct flow *f = counts ? add_flow(b, p->flow) : NULL;

	b->unbound += counts && !f;
	put(b, p, FXT_KIND_FLOW_BEGIN, f ? f->id : new_id(b), p->key.ns);
	if (!f)
		return;
	f->is_open = true;
	start_from(b, f, p);
}

/*
 * Continue a flow after an end, by another begin at its last begin or step. Returns false if that
 * is more than BIND_WINDOW events ago, because readers do not expect so late a record.
 */
static bool reopen(struct bind *b, struct flow *f, const struct bind_part *p)
{
	if (f->is_open)
		return true;
	if (b->taken - f->taken > BIND_WINDOW) {
		b->unbound++;
		return false;
	}
	f->id = new_id(b);
	b->write(b->arg, p, &(struct bind_record){ FXT_KIND_FLOW_BEGIN, f->ns, f->id, f->thread,
						   .is_added = true });
	f->is_open = true;
	b->ended--;
	return true;
}

static void step(struct bind *b, const struct bind_part *p)
{
	struct flow *f = is_in_slice(b, p) ? find_flow(b, p->flow) : NULL;
	bool is_drawn = f && reopen(b, f, p);

	put(b, p, FXT_KIND_FLOW_STEP, is_drawn ? f->id : new_id(b), p->key.ns);
	if (is_drawn)
		start_from(b, f, p);
}

static void end(struct bind *b, const struct bind_part *p, bool is_in_slice, uint64_t ns)
{
	struct flow *f = is_in_slice ? find_flow(b, p->flow) : NULL;
	bool is_drawn = f && reopen(b, f, p);

	put(b, p, FXT_KIND_FLOW_END, is_drawn ? f->id : new_id(b), ns);
	if (!is_drawn)
		return;
	f->is_open = false;
	b->ended++;
}

static void wait_for_slice(struct bind *b, const struct bind_part *p)
{
	bool has_room = b->waiting < WAITING && b->waiting_bytes <= TEXT_BYTES;
	struct bind_thread *t = has_room ? get_thread(b, &p->thread) : NULL;
	struct waiting *waiting;

	if (!t) {
		b->unbound++;
		end(b, p, false, p->key.ns);
		free(p->text);
		return;
	}
	waiting = new_zero(struct waiting);
	waiting->part = *p;
	*(t->waiting ? &t->last->next : &t->waiting) = waiting;
	t->last = waiting;
	b->waiting++;
	b->waiting_bytes += p->text->length;
}

/* End the flows that wait for a slice of a thread. @is_slice: a slice begins at @ns */
static void end_waiting(struct bind *b, struct bind_thread *t, bool is_slice, uint64_t ns)
{
	struct waiting *w;

	while ((w = t->waiting)) {
		t->waiting = w->next;
		end(b, &w->part, is_slice, is_slice ? ns : w->part.key.ns);
		b->waiting--;
		b->waiting_bytes -= w->part.text->length;
		free(w->part.text);
		free(w);
	}
}

/*
 * Perfetto removes an ended complete slice only when another one begins or ends. Until then, it
 * binds parts to this slice.
 */
static void take_slice(struct bind *b, const struct bind_part *p)
{
	struct bind_thread *t = get_thread(b, &p->thread);

	if (!t) {
		b->unbound++;
		return;
	}
	b->recent = t;
	if (p->what == BIND_SLICE_END) {
		t->open -= !!t->open;
		t->is_in_slice = t->open || t->end > p->key.ns;
		return;
	}
	t->open += p->what == BIND_SLICE_BEGIN;
	if (p->what == BIND_SLICE && p->end > t->end)
		t->end = p->end;
	t->is_in_slice = true;
	if (t->waiting)
		end_waiting(b, t, true, p->key.ns);
}

static void take_first(struct bind *b)
{
	struct bind_part *p = order_pop(&b->window);

	b->taken++;
	b->bytes -= p->text ? p->text->length : 0;
	switch (p->what) {
	case BIND_FLOW_BEGIN:
		begin(b, p);
		break;
	case BIND_FLOW_STEP:
		step(b, p);
		break;
	case BIND_FLOW_END:
		end(b, p, is_in_slice(b, p), p->key.ns);
		break;
	case BIND_FLOW_END_NEXT:
		wait_for_slice(b, p);
		return;
	case BIND_OTHER:
		break;
	default:
		take_slice(b, p);
	}
	free(p->text);
}

static void add(struct bind *b, const struct bind_part *p)
{
	b->window.size = sizeof(*p);
	b->window.room = BIND_WINDOW;
	while (order_is_full(&b->window) || (b->bytes > TEXT_BYTES && b->window.count))
		take_first(b);
	order_add(&b->window, p, 0);
}

void bind_slice(struct bind *b, enum bind_what what, const struct fxt_thread_id *thread, uint64_t ns,
		uint64_t end)
{
	add(b, &(struct bind_part){ .key.ns = ns, .thread = *thread, .end = end, .what = what });
}

void bind_flow(struct bind *b, const struct bind_part *part, const char *text, size_t length)
{
	struct bind_part p = *part;

	p.text = must(malloc(sizeof(*p.text) + length));
	p.text->length = length;
	memcpy(p.text->bytes, text, length);
	b->bytes += length;
	add(b, &p);
}

void bind_finish(struct bind *b)
{
	struct bind_thread *t;

	while (b->window.count)
		take_first(b);
	order_free(&b->window);
	map_each(&b->threads, t)
		end_waiting(b, t, false, 0);
	b->recent = NULL;
	map_free_all(&b->threads, struct bind_thread);
	map_free_all(&b->flows, struct flow);
}
