// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * counters.c - counters, and flows from slice to slice.
 *
 * In: counter and flow events in the order of time.
 * Out: rows of counter and its tracks: one track, "NAME:ARGUMENT:ID", for each series of a
 * counter of a process; and rows of flow, from the slice that was open on the thread at a
 * begin or step of a flow, to the slice at the next step or the end. ids.h says which flow.
 * Must hold: no more than TABLE_MAX_KEYS counters are kept.
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

/** struct flow - the slice that an open flow comes from */
struct flow {
	int64_t slice;			/* id */
	uint64_t from;			/* ns */
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

/*
 * The arrow of a step or end, from the slice of the begin or of the last step. It points from the
 * slice that began earlier, like Perfetto's.
 */
static void flow_row(struct tables *t, const struct flow *f, const struct table_slice *s)
{
	bool is_reversed = f->from > s->from;

	TABLE_ROW(t, TABLE_FLOW, cell_int(table_id(t, TABLE_FLOW)),
		  cell_int(is_reversed ? s->id : f->slice),
		  cell_int(is_reversed ? f->slice : s->id));
}

/* The flow has a slice from now on. */
static void flow_bind(struct tables *t, struct ids_one *one, const struct table_slice *s)
{
	struct flow *f = one->data;

	if (!f)
		one->data = f = table_alloc(t, sizeof(*f));
	if (f)
		*f = (struct flow){ .slice = s->id, .from = s->from };
}

static void flow_begin(struct tables *t, const struct table_event *e, uint64_t process,
		       const struct table_slice *s)
{
	struct ids_one *one;
	int ret = ids_begin(&t->flows, process, e->word, &one);

	if (ret == -ENOSPC)
		t->stats[STAT_FLOW_LEFT_OUT]++;
	else if (ret)
		t->error = ret;
	else if (!s)
		t->stats[STAT_FLOW_SLICE]++;
	else if (one->data)
		t->stats[STAT_FLOW_DUPLICATE]++;
	else
		flow_bind(t, one, s);
}

void table_flow_event(struct tables *t, const struct table_event *e)
{
	const struct table_slice *s = table_slice_at(t, e->thread, e->time);
	uint64_t process = e->thread && e->thread->process ? e->thread->process->upid : 0;
	bool is_end = e->kind == FXT_KIND_FLOW_END, is_ambiguous;
	struct ids_one *one;

	if (e->kind == FXT_KIND_FLOW_BEGIN) {
		flow_begin(t, e, process, s);
		return;
	}
	one = ids_find(&t->flows, process, e->word, &is_ambiguous);
	if (is_ambiguous) {
		t->stats[STAT_FLOW_AMBIGUOUS]++;
	} else if (!s) {
		t->stats[STAT_FLOW_SLICE]++;
	} else if (!one || !one->data) {
		t->stats[is_end ? STAT_FLOW_END : STAT_FLOW_STEP]++;
	} else {
		flow_row(t, one->data, s);
		flow_bind(t, one, s);
	}
	if (is_end && one) {
		free(one->data);
		ids_end(&t->flows, one);
	}
}

static void flow_free(void *flow, void *arg)
{
	(void)arg;
	free(flow);
}

void table_counters_free(struct tables *t)
{
	struct map_node *node;
	size_t from = 0;

	while ((node = map_take(&t->counters, &from)))
		free(map_entry(node, struct series, node));
	map_free(&t->counters);
	ids_free(&t->flows, flow_free, NULL);
}
