// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * counters.c - counters, and flows from slice to slice.
 *
 * In: counter and flow events in the order of time.
 * Out: rows of counter and its tracks: one track, "NAME:ARGUMENT:ID", for each series of a
 * counter of a process; and rows of flow, from the slice that was open on the thread at a
 * begin or step of a flow, to the slice at the next step or the end.
 * Must hold: no more than TABLE_MAX_KEYS of either are kept.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "table.h"

/** struct series - one line of values */
struct series {
	struct map_node node;
	struct table_process *process;
	struct table_name *name;	/* of the event */
	struct table_name *key;		/* of the argument */
	uint64_t id;
	int64_t track;
};

/** struct flow - a flow that is open */
struct flow {
	struct map_node node;
	uint64_t id;
	int64_t slice;			/* id of the slice that it comes from */
};

/* "NAME:ARGUMENT:ID", as in Perfetto; clean because its parts are clean. */
static struct table_name *series_name(struct tables *t, const struct series *s)
{
	uint32_t a = s->name ? s->name->length : 0, b = s->key ? s->key->length : 0;
	char id[32], *text;
	struct table_name *n = NULL;
	size_t c = snprintf(id, sizeof(id), ":%" PRIu64, s->id);

	text = table_alloc(t, (size_t)a + b + c + 1);
	if (!text)
		return NULL;
	if (a)
		memcpy(text, s->name->bytes, a);
	text[a] = ':';
	if (b)
		memcpy(text + a + 1, s->key->bytes, b);
	memcpy(text + a + 1 + b, id, c);
	n = table_name(t, text, (size_t)a + 1 + b + c);
	free(text);
	return n;
}

static void series_rows(struct tables *t, const struct series *s)
{
	struct table_name *n = series_name(t, s);
	struct table_cell id = cell_int(s->track), name = cell_name(n),
			  type = cell_str("process_counter");

	TABLE_ROW(t, TABLE_TRACK, id, name, type, cell_null());
	TABLE_ROW(t, TABLE_COUNTER_TRACK, id, name, type, cell_null(), cell_null());
	TABLE_ROW(t, TABLE_PROCESS_COUNTER_TRACK, id, name, type, cell_null(), cell_null(),
		  s->process ? cell_int(s->process->upid) : cell_null());
	table_name_put(t, n);
}

static struct series *series_of(struct tables *t, const struct table_event *e,
				struct table_name *key)
{
	struct table_process *process = e->thread->process;
	uint64_t hash = map_hash(e->name ? e->name->node.hash : 0, e->word);
	struct map_node *node;
	struct series *s;

	hash = map_hash(map_hash(hash, key ? key->node.hash : 0),
			process ? process->upid : 0);
	for (node = map_first(&t->counters, hash); node; node = map_next(node, hash)) {
		s = map_entry(node, struct series, node);
		if (s->process == process && s->name == e->name && s->key == key &&
		    s->id == e->word)
			return s;
	}
	if (t->counters.count >= TABLE_MAX_KEYS)
		return NULL;
	s = table_alloc(t, sizeof(*s));
	if (!s || map_reserve(&t->counters)) {
		t->error = -ENOMEM;
		free(s);
		return NULL;
	}
	s->process = process;
	s->name = table_name_ref(e->name);
	s->key = table_name_ref(key);
	s->id = e->word;
	s->track = table_id(t, TABLE_TRACK);
	map_add(&t->counters, &s->node, hash);
	series_rows(t, s);
	return s;
}

void table_counter_event(struct tables *t, const struct table_event *e)
{
	struct series *s;
	unsigned int i;

	if (!e->thread)
		return;
	for (i = 0; i < e->arg_count; i++) {
		if (!e->args[i].numeric) {
			t->stats[STAT_COUNTER_TYPE]++;
			continue;
		}
		s = series_of(t, e, e->args[i].key);
		if (!s) {
			t->stats[STAT_COUNTER_LEFT_OUT]++;
			continue;
		}
		TABLE_ROW(t, TABLE_COUNTER, cell_int(table_id(t, TABLE_COUNTER)),
			  cell_int(table_time(t, e->time)), cell_int(s->track),
			  cell_real(e->args[i].number), cell_null());
	}
}

static struct flow *flow_find(struct tables *t, uint64_t id)
{
	uint64_t hash = map_hash(0, id);
	struct map_node *node;

	for (node = map_first(&t->flows, hash); node; node = map_next(node, hash))
		if (map_entry(node, struct flow, node)->id == id)
			return map_entry(node, struct flow, node);
	return NULL;
}

static void flow_begin(struct tables *t, uint64_t id, int64_t slice)
{
	struct flow *f;

	if (t->flows.count >= TABLE_MAX_KEYS) {
		t->stats[STAT_FLOW_LEFT_OUT]++;
		return;
	}
	f = table_alloc(t, sizeof(*f));
	if (!f || map_reserve(&t->flows)) {
		t->error = -ENOMEM;
		free(f);
		return;
	}
	f->id = id;
	f->slice = slice;
	map_add(&t->flows, &f->node, map_hash(0, id));
}

void table_flow_event(struct tables *t, const struct table_event *e)
{
	int64_t slice = table_slice_at(t, e->thread, e->time);
	struct flow *f = flow_find(t, e->word);
	bool is_end = e->kind == FXT_KIND_FLOW_END;

	if (!slice) {
		t->stats[STAT_FLOW_SLICE]++;
	} else if (e->kind == FXT_KIND_FLOW_BEGIN) {
		if (f)
			t->stats[STAT_FLOW_DUPLICATE]++;
		else
			flow_begin(t, e->word, slice);
	} else if (!f) {
		t->stats[is_end ? STAT_FLOW_END : STAT_FLOW_STEP]++;
	} else {
		TABLE_ROW(t, TABLE_FLOW, cell_int(table_id(t, TABLE_FLOW)),
			  cell_int(f->slice), cell_int(slice));
		f->slice = slice;
	}
	if (is_end && f) {
		map_remove(&t->flows, &f->node);
		free(f);
	}
}

void table_counters_free(struct tables *t)
{
	struct map_node *node;
	size_t from = 0;

	while ((node = map_take(&t->counters, &from)))
		free(map_entry(node, struct series, node));
	map_free(&t->counters);
	from = 0;
	while ((node = map_take(&t->flows, &from)))
		free(map_entry(node, struct flow, node));
	map_free(&t->flows);
}
