// SPDX-License-Identifier: GPL-2.0-or-later
/* text.c - judgements, for people. See claims.h. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "claims.h"
#include "write/labels.h"

/* "5.20ms", "17", "20.5/s", "12.3%" */
static struct label value_label(enum unit unit, double value)
{
	struct label l;

	switch (unit) {
	case UNIT_NS:
		return time_label(value < 1e19 ? (uint64_t)value : UINT64_MAX);
	case UNIT_NUMBER:
		return count_label(value < 1e19 ? (uint64_t)value : UINT64_MAX);
	case UNIT_SHARE:
		return share_label(value);
	default:
		snprintf(l.text, sizeof(l.text), "%.4g/s", value);
		return l;
	}
}

static void print_value(struct out *o, const struct comparison *c, const struct judgement *j)
{
	struct label low = value_label(c->unit, j->low), high;

	if (isinf(j->high)) {
		out_printf(o, j->low > 0 ? "at least %s" : "unknown", low.text);
		return;
	}
	high = value_label(c->unit, j->high);
	if (strcmp(low.text, high.text))
		out_printf(o, "between %s and %s", low.text, high.text);
	else
		out_str(o, low.text);
}

static void print_extent(struct out *o, const struct comparison *c, const struct judgement *j)
{
	const char *items = c->quantity->class == CLASS_WAITS ? "wait" :
			    c->quantity->class == CLASS_SLEEPS ? "sleep" : NULL;

	if (c->quantity->class == CLASS_LOSSES)
		return;
	out_str(o, " (");
	if (items)
		out_printf(o, "%" PRIu64 " %s%s of ", j->items, items, j->items == 1 ? "" : "s");
	out_printf(o, "%" PRIu64 " thread%s", j->threads, j->threads == 1 ? "" : "s");
	if (j->scope.command) {
		out_str(o, " of command ");
		out_safe_text(o, j->scope.name);
	}
	out_str(o, j->hides_threads ? ", and those that the filter hid)" : ")");
}

/* Doubts that leave nothing to judge. */
#define VOID	(1U << DOUBT_THREADS | 1U << DOUBT_CPUS | 1U << DOUBT_NOTHING)

/* The doubts that leave no value, else all. */
static unsigned int main_doubts(const struct judgement *j)
{
	return j->doubts & VOID ? j->doubts & VOID :
	       j->doubts & DOUBTS_OF_DAMAGE ? j->doubts & DOUBTS_OF_DAMAGE : j->doubts;
}

static void print_doubts(struct out *o, const struct judgement *j)
{
	unsigned int doubts = main_doubts(j), d;

	for (d = 0; d < DOUBT_COUNT; d++) {
		if (!(doubts & 1U << d))
			continue;
		out_printf(o, "; %s", doubt_texts[d].text);
		if (d >= DOUBT_TIME)
			out_printf(o, ": %s", time_label(j->numbers[d]).text);
		else if (d >= DOUBT_LATE)
			out_printf(o, ": %" PRIu64, j->numbers[d]);
	}
}

/* Did a doubt before this one name the same remedy? */
static bool is_named_before(unsigned int doubts, unsigned int d)
{
	unsigned int i;

	for (i = 0; i < d; i++)
		if (doubts & 1U << i && !strcmp(doubt_texts[i].remedy, doubt_texts[d].remedy))
			return true;
	return false;
}

static void print_remedies(struct out *o, const struct judgement *j)
{
	unsigned int doubts = main_doubts(j), d;
	const char *before = "\n  to know it: ";

	for (d = 0; d < DOUBT_COUNT; d++) {
		if (!(doubts & 1U << d) || is_named_before(doubts, d))
			continue;
		out_printf(o, "%s%s", before, doubt_texts[d].remedy);
		before = "; ";
	}
}

/* If no doubt remains: was nothing lost at all? */
static void print_complete(struct out *o, const struct archive_claims *a, const struct report *r)
{
	const struct sched_totals *archive = r->totals.archive;

	if (a->trusts)
		out_str(o, ", assumed to be complete");
	else if (archive->lost)
		out_printf(o, ", records lost: %" PRIu64, archive->lost);
	else
		out_str(o, ", nothing lost");
}

/* --- the worst case ------------------------------------------------------------------------ */

static void print_thread(struct out *o, const struct report_thread *t)
{
	out_safe_text(o, report_name(t));
	if (t->sched->koid)
		out_printf(o, "/%" PRIu64, t->sched->koid);
}

static void print_occupants(struct out *o, const struct report_wait *w)
{
	unsigned int i;

	if (!w->occupant_count)
		return;
	out_str(o, "\n  on that CPU meanwhile: ");
	for (i = 0; i < w->occupant_count; i++) {
		out_str(o, i ? ", " : "");
		print_thread(o, w->occupants[i].thread);
		out_printf(o, " for %s", time_label(w->occupants[i].ns).text);
	}
}

static void print_wait(struct out *o, const struct comparison *c, const struct report_wait *w,
		       const char *path)
{
	bool is_wait = c->quantity->class == CLASS_WAITS;

	out_str(o, "\n  ");
	print_thread(o, w->thread);
	out_printf(o, " %s for %s%s on cpu %u until ", is_wait ? "was runnable" : "slept",
		   w->is_open ? "at least " : "", time_label(w->latency).text, w->from_cpu);
	out_seconds(o, w->time);
	out_str(o, " s");
	print_occupants(o, w);
	if (!path)
		return;
	out_printf(o, "\n  see fxt why --thread %" PRIu64 " --from ", w->thread->sched->koid);
	out_seconds(o, w->time - w->latency);
	out_str(o, " --to ");
	out_seconds(o, w->time);
	out_char(o, ' ');
	out_safe_text(o, path);
}

static void print_worst(struct out *o, const struct comparison *c, const struct judgement *j,
			const char *path)
{
	if (j->wait.thread) {
		print_wait(o, c, &j->wait, path);
	} else if (j->worst && j->worst_value) {
		out_str(o, "\n  most: ");
		print_thread(o, j->worst);
		out_printf(o, ", %s", c->quantity->class == CLASS_RUN ?
			   time_label(j->worst_value).text :
			   count_label(j->worst_value).text);
	}
}

/* --- lines --------------------------------------------------------------------------------- */

static void print_verdict(struct out *o, const struct archive_claims *a, enum verdict v,
			  const char *text, size_t length)
{
	if (a->is_named) {
		out_safe_text(o, a->path);
		out_str(o, ": ");
	}
	out_printf(o, "%s: ", v == VERDICT_UNKNOWN ? "cannot be known" : verdict_name(v));
	out_safe(o, text, length);
}

static void print_comparison(struct out *o, const struct archive_claims *a,
			     const struct comparison *c, const struct judgement *j)
{
	const struct report *r = j->r;

	print_verdict(o, a, j->verdict, c->text, c->length);
	out_str(o, ": ");
	if (!(j->doubts & (VOID | DOUBTS_OF_DAMAGE))) {
		print_value(o, c, j);
		print_extent(o, c, j);
		out_str(o, " in ");
	}
	out_printf(o, "%.4g s on %u CPU%s", report_window(r) / 1e9, r->totals.cpus,
		   r->totals.cpus == 1 ? "" : "s");
	if (!j->doubts)
		print_complete(o, a, r);
	print_doubts(o, j);
	if (j->verdict == VERDICT_FAILS)
		print_worst(o, c, j, a->is_stdin ? NULL : a->path);
	else if (j->verdict == VERDICT_UNKNOWN)
		print_remedies(o, j);
	out_char(o, '\n');
}

void claims_print_text(struct out *o, const struct archive_claims *a)
{
	size_t i, n;

	for (i = 0; i < a->count; i++) {
		const struct claim *claim = &a->claims[i];
		const struct expression *e = &claim->e;

		for (n = 0; n < e->count; n++)
			if (e->nodes[n].kind == NODE_COMPARISON)
				print_comparison(o, a, e->nodes[n].comparison, &claim->of[n]);
		if (e->count == 1)
			continue;
		print_verdict(o, a, claim->verdict, e->text, strlen(e->text));
		out_char(o, '\n');
	}
}
