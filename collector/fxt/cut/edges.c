// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * edges.c - which thread has each CPU where the range begins and ends. See cut.h.
 *
 * In: switches, marks, losses and ledgers of an archive of our producers.
 * Out: marks for the part, and the threads that run in the range, of which it has the names.
 *
 * Without a mark, the first switch of a stream shows which thread had the CPU before it, unless
 * records were lost or threads were filtered. Where kernels hide switches, the thread that leaves a
 * CPU is not the one that came: the part shows both, so that its reader knows as much as a reader
 * of the whole.
 */
#include <stdlib.h>

#include <fxt/fxt_mark.h>

#include "terminal/memory.h"
#include "cut.h"

/* --- for the streams of the part --------------------------------------------------- */

/* If only some threads are kept, others may run on a CPU that looks idle. */
static bool shows(void *arg, uint16_t cpu, uint64_t thread, uint64_t ticks)
{
	const struct cut *c = arg;

	if (c->filter.by_cpu && !filter_has_cpu(&c->filter, cpu))
		return false;
	return !c->filter.pids.count || filter_thread_is_of(&c->filter, thread, ticks);
}

static struct streams_mark find_mark(void *arg, uint16_t cpu, bool is_end)
{
	const struct cut *c = arg;

	if (c->from > c->last)
		return (struct streams_mark){ 0 };
	return is_end ? c->runs_of[cpu].end : c->runs_of[cpu].begin;
}

/* --- the second walk ------------------------------------------------------------------- */

static void occur(struct cut *c, uint16_t cpu, const struct streams_mark *mark)
{
	uint64_t thread = mark->owner.thread;

	if (mark->kind && thread && shows(c, cpu, thread, mark->time))
		cut_occurs(c, 0, thread, mark->time);
}

/* Is the thread known, if the switch has its weight or not? */
static bool is_told(const struct cut *c, bool has_weight)
{
	return has_weight || c->lacks_weights;
}

/* A mark has the weight of a thread if its switch has it. */
static struct fxt_owner owner_of(uint64_t thread, bool has_weight, int32_t weight)
{
	return (struct fxt_owner){ thread, has_weight ? weight : FXT_SCHED_WEIGHT_NONE, true };
}

/*
 * Note the CPU's next record, at @ns, or that there is none. @sw: the record, if it shows which
 * thread leaves the CPU, else NULL.
 */
static void reach(struct cut *c, struct cut_runs *r, const struct fxt_provider *provider,
		  uint64_t ns, const struct fxt_switch *sw)
{
	bool begins = !r->has_from && ns >= c->from, ends = !r->has_to && ns > c->to;
	struct streams_range range;
	uint16_t cpu = r - c->runs_of;

	if (!begins && !ends)
		return;
	range = cut_range(c, provider);
	if (begins) {
		r->has_from = true;
		if (r->is_offline)
			r->begin = (struct streams_mark){
				FXT_STR_OFFLINE, range.from, { 0, FXT_SCHED_WEIGHT_IDLE, true },
			};
		else if (r->has.is_known)
			r->begin = (struct streams_mark){
				FXT_STR_BEGIN, range.from > r->since ? range.from : r->since, r->has,
			};
		if (r->begin.time > range.to)
			r->begin.kind = 0;
		occur(c, cpu, &r->begin);
	}
	if (!ends)
		return;
	r->has_to = true;
	if (!r->has.is_known || range.to == UINT64_MAX || r->since > range.to)
		return;
	if (sw && is_told(c, sw->has_out_weight))
		r->has = owner_of(sw->out, sw->has_out_weight, sw->out_weight);
	r->end = (struct streams_mark){ FXT_STR_END, range.to, r->has };
	occur(c, cpu, &r->end);
}

/*
 * The thread that the first switch of a stream takes off the CPU had it since the start of the
 * stream.
 */
static void note_first(const struct cut *c, struct cut_runs *r, const struct fxt_switch *sw)
{
	if (r->has_begun || c->hides_threads || fxt_switch_hides_out(sw) ||
	    !is_told(c, sw->has_out_weight) || !r->has_opened || r->opened > sw->time)
		return;
	r->has = owner_of(sw->out, sw->has_out_weight, sw->out_weight);
	r->since = r->opened;
}

void cut_edges_switch(struct cut *c, const struct fxt_provider *provider,
		      const struct fxt_switch *sw)
{
	uint64_t ns = fxt_ticks_to_ns(sw->time, provider->ticks_per_second);
	struct cut_runs *r = &c->runs_of[sw->cpu];

	note_first(c, r, sw);
	reach(c, r, provider, ns, fxt_switch_hides_out(sw) ? NULL : sw);
	r->has_begun = true;
	r->is_offline = sw->unknown == FXT_STR_OFFLINE;
	r->has = owner_of(sw->in, sw->has_in_weight, sw->in_weight);
	r->has.is_known = !fxt_switch_hides_in(sw) && is_told(c, sw->has_in_weight);
	r->since = sw->time;
	/* The thread may have no other record in the range. */
	if (ns >= c->from && ns <= c->to && r->has.is_known && sw->in && shows(c, sw->cpu, sw->in, sw->time))
		cut_occurs(c, 0, sw->in, sw->time);
}

void cut_edges_note(struct cut *c, const struct fxt_record *rec, const struct fxt_content *content)
{
	uint64_t loss = content->thread.thread - fxt_sched_loss_koid(0), ns;
	bool is_switch = content->kind == FXT_KIND_CONTEXT_SWITCH;

	if (is_switch && content->sw.unknown != FXT_STR_LOST) {
		cut_edges_switch(c, rec->provider, &content->sw);
		return;
	}
	/* The loss begins where its slice begins. */
	if (is_switch || !streams_is_loss(content) || loss >= 1 << 16)
		return;
	ns = fxt_ticks_to_ns(content->time, rec->provider->ticks_per_second);
	if (ns > c->from)
		reach(c, &c->runs_of[loss], rec->provider, ns, NULL);
	c->runs_of[loss].has_begun = true;
	c->runs_of[loss].has.is_known = false;
}

void cut_edges_ledger(struct cut *c, const struct fxt_record *rec,
		      const struct fxt_content *content)
{
	struct cut_runs *r;
	struct fxt_ledger l;

	if (!fxt_ledger_of(content, &l) || l.stream >= FXT_LEDGER_STREAM_NAMES)
		return;
	r = &c->runs_of[l.stream];
	if (!r->has_opened)
		r->opened = l.kind == FXT_LEDGER_OPENING && l.last > l.time ? l.last : l.time;
	r->has_opened = true;
	if (l.kind != FXT_LEDGER_CLOSING)
		return;
	/* It is unknown what the CPU does afterwards. */
	r->stopped = fxt_ticks_to_ns(l.time, rec->provider->ticks_per_second);
	if (r->stopped < c->from)
		r->has_from = true;
	if (r->stopped < c->to)
		r->has_to = true;
	reach(c, r, rec->provider, UINT64_MAX, NULL);
}

void cut_edges_open(struct cut *c)
{
	c->runs_of = must(calloc(1 << 16, sizeof(*c->runs_of)));
	c->st.edges = (struct streams_edges){ .arg = c, .find = find_mark, .shows = shows };
	cut_before_open(c);
}

void cut_edges_close(struct cut *c)
{
	free(c->runs_of);
	cut_before_close(c);
}
