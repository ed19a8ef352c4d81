// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge.c - see judge.h.
 *
 * Must hold: the true value is between low and high, whatever lost records, hidden switches and
 * threads without a name may have been. Four kinds of items are distinguished:
 *
 *	known		of a known length
 *	open		at least so long
 *	certain		they happened, and may have any length
 *	possible	they may have happened, with any length
 *
 * A lost record is at most one item. If the number of missing items has no bound, high has none.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/memory.h"
#include "judge.h"

/* All items of the selected threads. */
struct sample {
	struct report_hist hist;	/* of waits: known and open ones */
	uint64_t count;
	uint64_t sum;			/* ns, or a number of events */
	uint64_t longest;		/* ns, exact */
	uint64_t open;
	uint64_t certain;
	uint64_t possible;
	uint64_t rest;			/* ns without a known run, wait or sleep */
	uint64_t earlier;		/* ns under other names, which a filter by name excluded */
	bool unbounded;			/* the number of missing items has no bound */
};

const char *verdict_name(enum verdict v)
{
	static const char *const names[] = { "holds", "fails", "unknown" };

	return names[v];
}

#define DOUBT_TEXTS(name, text, remedy) [DOUBT_##name] = { text, remedy },
const struct doubt_texts doubt_texts[] = { DOUBTS(DOUBT_TEXTS) };
#undef DOUBT_TEXTS

static void add_doubt(struct judgement *j, enum doubt d, uint64_t number)
{
	if (!number)
		return;
	j->doubts |= 1U << d;
	j->numbers[d] += number;
}

static bool selects_by_name(const struct scope *s)
{
	return s->asked->by_comm || s->asked->pids.count || s->asked->cgroup || s->command;
}

/* --- what they did ------------------------------------------------------------------------- */

static void note_worst(struct judgement *j, const struct report_thread *t, uint64_t value)
{
	if (j->worst && value <= j->worst_value)
		return;
	j->worst = t;
	j->worst_value = value;
}

static void add_waits(struct sample *s, const struct comparison *c, const struct report_thread *t,
		     struct judgement *j)
{
	unsigned int kind;

	for (kind = 0; kind < REPORT_WAITS; kind++) {
		const struct report_waits *w = t->waits[kind];

		if (!w || !(c->quantity->waits & 1U << kind))
			continue;
		report_hist_merge(&s->hist, &w->hist);
		s->open += w->open;
		if (j->worst && w->hist.max <= j->worst_value)
			continue;
		note_worst(j, t, w->hist.max);
		j->wait = (struct report_wait){
			.thread = t, .latency = w->hist.max, .time = w->max_time,
			.cpu = w->max_cpu, .from_cpu = w->max_cpu, .kind = kind,
			.is_open = w->max_is_open,
		};
	}
	s->count = s->hist.count;
	s->sum = s->hist.sum;
	s->longest = s->hist.max;
}

static void add_sleeps(struct sample *s, const struct comparison *c,
		       const struct report_thread *t, struct judgement *j)
{
	unsigned int kind;

	for (kind = 0; kind < REPORT_SLEEPS; kind++) {
		const struct report_sleeps *of = t->sleeps[kind];

		if (!of || !(c->quantity->sleeps & 1U << kind))
			continue;
		s->count += of->count + of->cut_count;
		s->open += of->cut_count;
		s->sum += of->ns + of->cut_ns;
		if (!of->count || (j->worst && of->longest.latency <= j->worst_value))
			continue;
		note_worst(j, t, of->longest.latency);
		j->wait = of->longest;
		s->longest = of->longest.latency;
	}
}

static uint64_t event_count(const struct comparison *c, const struct report_counts *n)
{
	uint64_t value;

	memcpy(&value, (const char *)n + c->quantity->offset, sizeof(value));
	return value;
}

/*
 * Waits of unknown length: a loss may hide on which CPU they ended. They may be of another kind, so
 * it is uncertain whether they are selected.
 */
static void add_unknown(struct sample *s, const struct comparison *c, bool of_all_kinds,
			uint64_t count, struct judgement *j)
{
	*(of_all_kinds && !c->filter.by_cpu ? &s->certain : &s->possible) += count;
	add_doubt(j, DOUBT_BEGIN, count);
}

static void add_selected(struct sample *s, const struct comparison *c,
			 const struct report_thread *t, struct judgement *j)
{
	bool is_all = c->quantity->waits & 1U << REPORT_HELD &&
		      c->quantity->waits & 1U << REPORT_WOKEN;
	uint64_t value;

	j->threads++;
	switch (c->quantity->class) {
	case CLASS_WAITS:
		add_unknown(s, c, is_all, t->n.unknown, j);
		/* It is not recorded how waits that were held off began. */
		if (!(c->quantity->waits & 1U << REPORT_HELD) && t->waits[REPORT_HELD]) {
			s->possible += t->waits[REPORT_HELD]->hist.count;
			add_doubt(j, DOUBT_HELD, t->waits[REPORT_HELD]->hist.count);
		}
		add_waits(s, c, t, j);
		return;
	case CLASS_SLEEPS:
		add_unknown(s, c, c->quantity->sleeps & 1U << REPORT_SLEEP,
			    t->n.unknown_sleeps + t->n.early_sleeps, j);
		add_sleeps(s, c, t, j);
		return;
	case CLASS_RUN:
		value = t->n.run;
		break;
	default:
		value = event_count(c, &t->n);
	}
	s->sum += value;
	s->count += value;
	note_worst(j, t, value);
}

/* Add what a thread did if it is uncertain whether the thread is selected. */
static uint64_t possible_items(const struct comparison *c, const struct report_thread *t)
{
	uint64_t count = 0;
	unsigned int kind;

	switch (c->quantity->class) {
	case CLASS_WAITS:
		for (kind = 0; kind < REPORT_WAITS; kind++)
			count += t->waits[kind] ? t->waits[kind]->hist.count : 0;
		return count + t->n.unknown;
	case CLASS_SLEEPS:
		for (kind = 0; kind < REPORT_SLEEPS; kind++)
			count += t->sleeps[kind] ? t->sleeps[kind]->count +
						   t->sleeps[kind]->cut_count : 0;
		return count + t->n.unknown_sleeps + t->n.early_sleeps;
	case CLASS_RUN:
		return t->n.run;
	default:
		return event_count(c, &t->n);
	}
}

/* ns of a thread's life in the archive */
static uint64_t life_of(const struct report *r, const struct sched_thread *t)
{
	const struct report_totals *n = &r->totals;
	uint64_t from = t->is_forked && t->begin > n->from ? t->begin : n->from;

	return n->to > from ? n->to - from : 0;
}

/*
 * A thread runs, waits or sleeps, so the rest of its life bounds each of these, including a wait
 * that began before the archive.
 */
static uint64_t rest_of(const struct report *r, const struct report_thread *t)
{
	const struct report_waits *early = t->waits[REPORT_EARLY];
	uint64_t known = t->n.run + report_waited_ns(t->waits) + report_slept_ns(t->sleeps) -
			 (early ? early->hist.sum : 0);
	uint64_t life = life_of(r, t->sched);

	return life > known ? life - known : 0;
}

/*
 * A filter by name excluded what the thread did under its earlier names. If it is older than the
 * recording, a wait may be of any length.
 */
static void add_earlier(struct sample *s, const struct report *r, const struct comparison *c,
			const struct report_thread *t, struct judgement *j)
{
	const struct sched_thread *sched = t->sched;
	uint64_t ns;

	if (!sched->renamed || !r->totals.filtered || !c->filter.by_comm ||
	    c->quantity->class == CLASS_RUN || !comparison_is_covered(r, c) || c->filter.pids.count)
		return;
	ns = sched->renamed > sched->begin ? sched->renamed - sched->begin : 1;
	s->earlier += ns;
	s->unbounded |= !sched->is_forked;
	add_doubt(j, DOUBT_RENAMED, ns);
}

static void add_threads(struct sample *s, const struct recording *of, const struct comparison *c,
			struct judgement *j)
{
	const struct report *r = of->r;
	uint64_t items;
	size_t i;

	for (i = 0; i < r->thread_count; i++) {
		enum scope_match m = scope_match(&of->scope, r->threads[i]->sched);

		if (m == SCOPE_NO || r->threads[i]->is_idle)
			continue;
		s->rest += rest_of(r, r->threads[i]);
		if (m == SCOPE_YES) {
			add_earlier(s, r, c, r->threads[i], j);
			add_selected(s, c, r->threads[i], j);
			continue;
		}
		items = possible_items(c, r->threads[i]);
		s->possible += items;
		add_doubt(j, DOUBT_NAMELESS, !!items);
	}
}

/* --- what the archive does not have -------------------------------------------------------- */

static bool lacks_cpu(const struct report *r, const struct filter *f)
{
	unsigned int wanted = 0, i;

	for (i = 0; f->by_cpu && i < FILTER_CPUS; i++)
		wanted += filter_has_cpu(f, i);
	return wanted > r->totals.cpus;
}

/*
 * Threads that a filter hid ran in unknown time of CPUs, which bounds the run time that may be
 * missing. CPUs that were not recorded do not count.
 */
static bool hides(const struct report *r, const struct comparison *c)
{
	if (!r->totals.filtered || comparison_is_covered(r, c))
		return false;
	return c->quantity->class != CLASS_RUN ||
	       (r->totals.archive->lacks_cpus && !c->filter.by_cpu);
}

/*
 * The unknown time of CPUs in which selected threads may have run. If all of them are known, each
 * ran at most in its own unknown time; an unknown thread only on a CPU without switches.
 */
static uint64_t unknown_run(const struct sample *s, const struct recording *of,
			    const struct comparison *c)
{
	const struct report *r = of->r;
	uint64_t all = report_unknown(r), most = s->rest, known;
	size_t i;

	if (r->totals.archive->lost || of->hidden || !of->is_whole || c->filter.by_cpu ||
	    !comparison_is_covered(r, c))
		return all;
	for (i = 0; i < r->cpu_count; i++) {
		known = r->cpus[i]->busy + r->cpus[i]->idle + r->cpus[i]->offline;
		if (!r->cpus[i]->switches && report_window(r) > known)
			most += report_window(r) - known;
	}
	return most < all ? most : all;
}

static void add_gaps(struct sample *s, const struct recording *of, const struct comparison *c,
		     struct judgement *j)
{
	const struct report_totals *n = &of->r->totals;
	const struct sched_totals *a = n->archive;
	bool is_run = c->quantity->class == CLASS_RUN;
	bool is_migrations = c->quantity->class == CLASS_EVENTS &&
			     c->quantity->offset == offsetof(struct report_counts, migrations);

	add_doubt(j, DOUBT_FOREIGN, !a->ledgers || a->is_imported);
	add_doubt(j, DOUBT_TRUNCATED, !!a->unclosed);
	add_doubt(j, DOUBT_SKIPPED, of->skipped);
	add_doubt(j, DOUBT_DAMAGED, of->deviates && !of->skipped);
	add_doubt(j, DOUBT_VIOLATIONS, report_contradictions(of->r));
	if (c->quantity->class != CLASS_LOSSES) {
		add_doubt(j, DOUBT_FILTERED, hides(of->r, c));
		add_doubt(j, DOUBT_LATE, a->late);
		add_doubt(j, DOUBT_NAMES, selects_by_name(&of->scope) ? n->lost_names : 0);
	}
	s->unbounded |= !!(j->doubts & (1U << DOUBT_FOREIGN | 1U << DOUBT_TRUNCATED |
					1U << DOUBT_FILTERED | 1U << DOUBT_LATE |
					1U << DOUBT_NAMES));
	if (c->quantity->class == CLASS_LOSSES)
		return;
	if (is_run) {
		uint64_t unknown = unknown_run(s, of, c);

		s->possible += unknown;
		add_doubt(j, DOUBT_TIME, unknown);
		return;
	}
	add_doubt(j, DOUBT_LOST, a->lost);
	add_doubt(j, DOUBT_HIDDEN, of->hidden);
	/* A missing switch can hide two migrations: to its CPU and back. */
	s->possible += (a->lost + of->hidden) * (is_migrations ? 2 : 1);
}

/* --- bounds -------------------------------------------------------------------------------- */

/* The item of a rank (from 1), in the order of length. */
static struct report_bucket bucket_of(const struct report_hist *h, uint64_t rank)
{
	struct report_bucket b = { 0 };
	unsigned int at = 0;
	uint64_t seen = 0;

	while (report_hist_next(h, &at, &b)) {
		seen += b.count;
		if (seen >= rank)
			break;
	}
	b.high = b.high < h->max ? b.high : h->max;
	return b;
}

/* First assume the shortest possible length of each item of unknown length, then the longest. */
static void bound_percentile(const struct sample *s, unsigned int per_mille, struct judgement *j)
{
	uint64_t free = s->certain + s->possible, all = s->hist.count + free;
	uint64_t rank = ((unsigned __int128)all * per_mille + 999) / 1000;

	rank = rank ? rank : 1;
	j->low = s->unbounded || rank <= free ? 0 : bucket_of(&s->hist, rank - free).low;
	/* An open item may turn out longer than all others. */
	j->high = s->unbounded || rank + s->open > s->hist.count ? INFINITY :
		  bucket_of(&s->hist, rank + s->open).high;
}

static void bound_min(const struct sample *s, struct judgement *j)
{
	j->low = s->certain || s->possible || s->unbounded ? 0 : bucket_of(&s->hist, 1).low;
	j->high = s->open < s->hist.count ? bucket_of(&s->hist, 1 + s->open).high : INFINITY;
}

static void bound_mean(const struct sample *s, struct judgement *j)
{
	uint64_t all = s->hist.count + s->certain + s->possible;

	j->low = s->unbounded ? 0 : (double)s->sum / all;
	j->high = s->open || s->certain || s->possible || s->unbounded ? INFINITY :
		  (double)s->sum / all;
}

static bool is_seen(const struct report *r, uint64_t koid)
{
	size_t i;

	for (i = 0; i < r->thread_count; i++)
		if (r->threads[i]->sched->koid == koid)
			return true;
	return false;
}

/*
 * The most that selected threads can have run, waited or slept: an id has one thread at a time, which
 * does one of these at a time. If all of the time is judged, known time is not part of the rest.
 */
static double most_time(const struct sample *s, const struct recording *of, const struct comparison *c)
{
	const struct filter_ids *ids = &c->filter.tids;
	double window = report_window(of->r), most = s->sum + s->rest;
	size_t i;

	if (!ids->count)
		return INFINITY;
	if (!of->is_whole || of->hidden || of->r->totals.archive->late || c->filter.by_cpu ||
	    (of->r->totals.filtered && quantity_has_kind(c->quantity)))
		return window * ids->count;
	for (i = 0; i < ids->count; i++)
		most += is_seen(of->r, ids->ids[i]) ? 0 : window;
	return fmin(most, window * ids->count);
}

/* If the whole recording is judged, items at its edges count with their part inside. */
static void bound_sum(const struct sample *s, const struct recording *of,
		      const struct comparison *c, struct judgement *j)
{
	bool is_run = c->quantity->class == CLASS_RUN;

	j->low = s->sum;
	j->high = s->certain || s->unbounded || (s->possible && !is_run) ?
		  INFINITY : (double)s->sum + s->possible + s->earlier;
	if (is_run)
		j->high = fmin(j->high, (double)report_window(of->r) * of->r->totals.cpus);
	if (is_run || of->is_whole)
		j->high = fmin(j->high, most_time(s, of, c));
}

static void bound_count(const struct sample *s, struct judgement *j)
{
	j->low = s->count + s->certain;
	j->high = s->unbounded ? INFINITY : j->low + s->possible;
}

static void divide(struct judgement *j, double by)
{
	j->low = by > 0 ? j->low / by : 0;
	j->high = by > 0 ? j->high / by : INFINITY;
}

static void bound(const struct sample *s, const struct recording *of, const struct comparison *c,
		  struct judgement *j)
{
	const struct report *r = of->r;
	static const unsigned int per_mille[] = {
		[FUNCTION_P50] = 500, [FUNCTION_P90] = 900, [FUNCTION_P95] = 950,
		[FUNCTION_P99] = 990, [FUNCTION_P999] = 999,
	};

	switch (c->function) {
	case FUNCTION_MIN:
		bound_min(s, j);
		break;
	case FUNCTION_MAX:
		j->low = s->longest;
		j->high = s->open || s->certain || s->possible || s->unbounded ? INFINITY :
			  (double)(s->longest > s->earlier ? s->longest : s->earlier);
		break;
	case FUNCTION_MEAN:
		bound_mean(s, j);
		break;
	case FUNCTION_SUM:
		bound_sum(s, of, c, j);
		break;
	case FUNCTION_COUNT:
		bound_count(s, j);
		break;
	case FUNCTION_RATE:
		bound_count(s, j);
		divide(j, report_window(r) / 1e9);
		break;
	case FUNCTION_SHARE:
		bound_sum(s, of, c, j);
		divide(j, (double)report_window(r) * r->totals.cpus);
		break;
	default:
		bound_percentile(s, per_mille[c->function], j);
	}
}

/* --- the verdict --------------------------------------------------------------------------- */

static enum verdict verdict_of(bool for_all, bool for_none)
{
	return for_all ? VERDICT_HOLDS : for_none ? VERDICT_FAILS : VERDICT_UNKNOWN;
}

static enum verdict compare(const struct comparison *c, double low, double high)
{
	double limit = c->limit;
	bool is_out = high < limit || low > limit, is_it = low == limit && high == limit;

	switch (c->relation) {
	case LESS:
		return verdict_of(high < limit, low >= limit);
	case AT_MOST:
		return verdict_of(high <= limit, low > limit);
	case GREATER:
		return verdict_of(low > limit, high <= limit);
	case AT_LEAST:
		return verdict_of(low >= limit, high < limit);
	case EQUAL:
		return verdict_of(is_it, is_out);
	default:
		return verdict_of(is_out, is_it);
	}
}

/* Functions that need at least one item. */
static bool needs_items(const struct comparison *c)
{
	return c->function <= FUNCTION_MIN || c->function == FUNCTION_MEAN;
}

/* With --assume-complete: drop all doubts about missing records. */
static void trust(struct sample *s, struct judgement *j)
{
	s->open = s->certain = s->possible = s->earlier = 0;
	s->unbounded = false;
	j->doubts &= DOUBTS_OF_DAMAGE;
}

/* Functions that have no bound if the number of items has none. */
static bool is_of_items(const struct comparison *c)
{
	return c->function != FUNCTION_MAX && c->function != FUNCTION_SUM;
}

static bool is_void(const struct sample *s, const struct recording *of,
		    const struct comparison *c, struct judgement *j)
{
	unsigned int doubts = j->doubts;

	if (c->quantity->class != CLASS_LOSSES)
		add_doubt(j, DOUBT_THREADS, !j->threads);
	add_doubt(j, DOUBT_CPUS, lacks_cpu(of->r, &c->filter));
	if (j->threads && needs_items(c))
		add_doubt(j, DOUBT_NOTHING, !s->hist.count);
	return j->doubts != doubts;
}

void judge(const struct recording *of, const struct comparison *c, struct judgement *j)
{
	struct sample s = { 0 };

	*j = (struct judgement){ .r = of->r, .scope = of->scope, .verdict = VERDICT_UNKNOWN, .high = INFINITY };
	if (c->quantity->class == CLASS_LOSSES)
		s.count = of->r->totals.archive->lost;
	else
		add_threads(&s, of, c, j);
	add_gaps(&s, of, c, j);
	s.unbounded |= s.earlier && is_of_items(c);
	if (c->function != FUNCTION_SUM || c->quantity->class == CLASS_SLEEPS)
		add_doubt(j, DOUBT_END, s.open);
	if (of->trusts)
		trust(&s, j);
	j->items = s.count;
	j->hides_threads = of->r->totals.filtered && !c->filter.tids.count &&
			   !comparison_is_covered(of->r, c);
	if (!is_void(&s, of, c, j) && !(j->doubts & DOUBTS_OF_DAMAGE)) {
		bound(&s, of, c, j);
		j->verdict = compare(c, j->low, j->high);
		if (j->low != j->high && !isinf(j->high) && c->function <= FUNCTION_MIN)
			add_doubt(j, DOUBT_PRECISION, 1);
	}
	report_hist_free(&s.hist);
}

enum verdict judge_join(const struct expression *e, const struct judgement *of)
{
	enum verdict *v = must(calloc(e->count, sizeof(*v))), root;
	size_t i;

	for (i = 0; i < e->count; i++) {
		const struct node *n = &e->nodes[i];
		enum verdict strong = n->kind == NODE_AND ? VERDICT_FAILS : VERDICT_HOLDS;

		if (n->kind == NODE_COMPARISON)
			v[i] = of[i].verdict;
		else if (v[n->a] == strong || v[n->b] == strong)
			v[i] = strong;
		else if (v[n->a] == VERDICT_UNKNOWN || v[n->b] == VERDICT_UNKNOWN)
			v[i] = VERDICT_UNKNOWN;
		else
			v[i] = v[n->a];
	}
	root = v[e->count - 1];
	free(v);
	return root;
}
