// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * edges.c - which thread has each CPU where the range begins and ends. See cut.h.
 *
 * In: switches, marks, losses and ledgers of an archive of our producers.
 * Out: marks for the part, and the threads that run in the range, of which it has the names.
 *
 * Without a mark, the first switch of a stream says which thread had the CPU before it, unless
 * records were lost, or threads were filtered. Where kernels hide switches, another thread leaves
 * the CPU than came in: the part shows both, so that its reader knows as much as that of the whole.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_mark.h>

#include "cut.h"

static struct cut_runs *runs_of(struct cut *c, uint32_t cpu)
{
	size_t i;

	if (cpu >= 1 << 16)
		return NULL;
	if (!c->runs_of) {
		c->runs_of = calloc(1 << 16, sizeof(*c->runs_of));
		for (i = 0; c->runs_of && i < 1 << 16; i++)
			c->runs_of[i].opened = UINT64_MAX;
	}
	return c->runs_of ? &c->runs_of[cpu] : NULL;
}

/* --- for the streams of the part --------------------------------------------------- */

/* If only some threads are kept, an idle CPU may be one that others run on. */
static bool shows(void *arg, uint16_t cpu, uint64_t thread, uint64_t ticks)
{
	const struct cut *c = arg;

	if (c->filter.by_cpu && !filter_has_cpu(&c->filter, cpu))
		return false;
	return !c->filter.pids.count || filter_thread_is_of(&c->filter, thread, ticks);
}

static struct edges_mark find(void *arg, uint16_t cpu, bool is_end)
{
	const struct cut *c = arg;

	if (!c->runs_of || c->from > c->last)
		return (struct edges_mark){ 0 };
	return is_end ? c->runs_of[cpu].end : c->runs_of[cpu].begin;
}

void cut_edges_begin(struct cut *c)
{
	c->st.edges = (struct streams_edges){ .arg = c, .find = find, .shows = shows };
}

/* --- the second walk ------------------------------------------------------------------- */

static int occur(struct cut *c, uint16_t cpu, const struct edges_mark *mark)
{
	if (!mark->kind || !mark->thread || !shows(c, cpu, mark->thread, mark->time))
		return 0;
	return cut_occurs(c, 0, mark->thread, mark->time);
}

static struct edges_mark mark_of(const struct cut_runs *r, uint32_t kind, uint64_t ticks)
{
	return (struct edges_mark){
		.kind = kind, .time = ticks, .thread = r->thread, .weight = r->weight,
	};
}

/*
 * The CPU's next record is at @ns, or there is none. @sw: if it says which thread leaves the CPU,
 * else NULL.
 */
static int reach(struct cut *c, struct cut_runs *r, const struct fxt_provider *provider,
		 uint64_t ns, const struct fxt_switch *sw)
{
	struct streams_range range = cut_range(c, provider);
	uint16_t cpu = r - c->runs_of;
	int ret = 0;

	if (!r->has_from && ns >= c->from) {
		r->has_from = true;
		if (r->is_offline)
			r->begin = (struct edges_mark){ .kind = FXT_STR_OFFLINE, .time = range.from,
							.weight = FXT_SCHED_WEIGHT_IDLE };
		else if (r->is_known)
			r->begin = mark_of(r, FXT_STR_BEGIN, range.from > r->since ?
					   range.from : r->since);
		if (r->begin.time > range.to)
			r->begin.kind = 0;
		ret = occur(c, cpu, &r->begin);
	}
	if (ret || r->has_to || ns <= c->to)
		return ret;
	r->has_to = true;
	if (!r->is_known || range.to == UINT64_MAX || r->since > range.to)
		return 0;
	if (sw && sw->has_out_weight) {
		r->thread = sw->out;
		r->weight = sw->out_weight;
	}
	r->end = mark_of(r, FXT_STR_END, range.to);
	return occur(c, cpu, &r->end);
}

/* The thread that the first switch of a stream takes off the CPU had it since the stream began. */
static void take_first(const struct cut *c, struct cut_runs *r, const struct fxt_switch *sw)
{
	if (r->has_begun || c->hides_threads || fxt_switch_hides_out(sw) || !sw->has_out_weight ||
	    r->opened > sw->time)
		return;
	r->is_known = true;
	r->thread = sw->out;
	r->weight = sw->out_weight;
	r->since = r->opened;
}

static int take_switch(struct cut *c, struct cut_runs *r, const struct fxt_provider *provider,
		       const struct fxt_switch *sw)
{
	uint64_t ns = fxt_ticks_to_ns(sw->time, provider->ticks_per_second);
	int ret;

	take_first(c, r, sw);
	ret = reach(c, r, provider, ns, fxt_switch_hides_out(sw) ? NULL : sw);
	r->has_begun = true;
	r->is_offline = sw->unknown == FXT_STR_OFFLINE;
	r->is_known = !fxt_switch_hides_in(sw) && sw->has_in_weight;
	r->thread = sw->in;
	r->weight = sw->in_weight;
	r->since = sw->time;
	/* It may have no other record in the range. */
	if (ns >= c->from && ns <= c->to && r->is_known && sw->in && shows(c, sw->cpu, sw->in, sw->time))
		ret = ret ? ret : cut_occurs(c, 0, sw->in, sw->time);
	return ret;
}

int cut_edges_take(struct cut *c, const struct fxt_record *rec, const struct fxt_content *content)
{
	uint64_t loss = content->thread.thread - fxt_sched_loss_koid(0), ns;
	bool is_switch = content->kind == FXT_KIND_CONTEXT_SWITCH;
	struct cut_runs *r;
	int ret;

	if (is_switch && content->sw.unknown != FXT_STR_LOST) {
		r = runs_of(c, content->sw.cpu);
		return r ? take_switch(c, r, rec->provider, &content->sw) : -ENOMEM;
	}
	/* A loss begins with its slice. */
	if (is_switch || !streams_is_loss(content) || loss >= 1 << 16)
		return 0;
	r = runs_of(c, loss);
	if (!r)
		return -ENOMEM;
	ns = fxt_ticks_to_ns(content->time, rec->provider->ticks_per_second);
	ret = ns > c->from ? reach(c, r, rec->provider, ns, NULL) : 0;
	r->has_begun = true;
	r->is_known = false;
	return ret;
}

bool cut_ledger(const struct fxt_content *content, struct fxt_ledger *l)
{
	__u64 words[FXT_LEDGER_WORDS] = { FXT_LEDGER_HEADER };

	if (content->name.known != FXT_STR_LEDGER || content->blob.bytes != FXT_LEDGER_BYTES)
		return false;
	memcpy(words + 1, content->blob.data, FXT_LEDGER_BYTES);
	return fxt_sched_get_ledger(words, l);
}

int cut_edges_ledger(struct cut *c, const struct fxt_record *rec, const struct fxt_content *content)
{
	struct cut_runs *r;
	struct fxt_ledger l;

	if (!cut_ledger(content, &l) || l.stream >= FXT_LEDGER_STREAM_NAMES)
		return 0;
	r = runs_of(c, l.stream);
	if (!r)
		return -ENOMEM;
	if (r->opened == UINT64_MAX)
		r->opened = l.kind == FXT_LEDGER_OPENING && l.last > l.time ? l.last : l.time;
	if (l.kind != FXT_LEDGER_CLOSING)
		return 0;
	/* What the CPU does after that is unknown. */
	r->stopped = fxt_ticks_to_ns(l.time, rec->provider->ticks_per_second);
	if (r->stopped < c->from)
		r->has_from = true;
	if (r->stopped < c->to)
		r->has_to = true;
	return reach(c, r, rec->provider, UINT64_MAX, NULL);
}
