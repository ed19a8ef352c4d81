// SPDX-License-Identifier: GPL-2.0-or-later
/* text.c - answers as text. */
#include <inttypes.h>
#include <string.h>

#include "answer.h"
#include "write/labels.h"
#include "words.h"

#define TERMS		3	/* terms of a sum in brackets */
#define NOTABLE		200	/* the least branch is 1/200 of the window */
#define NOTABLE_TOP	4	/* a function has at least 1/4 of a thread's samples */

static void print_thread(const struct why_print *p, uint32_t thread)
{
	const char *name = history_name(p->h, thread);

	out_safe_text(p->o, name);
	if (history_koid(p->h, thread))
		out_printf(p->o, "/%" PRIu64, history_koid(p->h, thread));
}

static void print_name(const struct why_print *p, const char *before, const char *name,
		       const char *after)
{
	out_str(p->o, before);
	out_safe_text(p->o, name);
	out_str(p->o, after);
}

static void print_by(const struct why_print *p, const struct why_by *by)
{
	const char *words = why_origin_words(p->h, by), *name = why_by_name(p->h, by);

	if (by->who == WHY_THREAD) {
		print_thread(p, by->id);
		return;
	}
	if (words)
		out_printf(p->o, "%s (", words);
	else if (by->who == WHY_ORIGIN && history_origin(p->h, by->id)->what == KERNEL_REQUEST)
		out_str(p->o, "a ");
	else if (by->who == WHY_ORIGIN && history_origin(p->h, by->id)->what != KERNEL_DATA)
		out_printf(p->o, "%s ", why_by_kind(p->h, by));
	out_safe_text(p->o, name);
	if (words)
		out_char(p->o, ')');
}

static struct label cpu_label(uint16_t cpu)
{
	struct label l = { "its CPU" };

	if (cpu != HISTORY_NO_CPU)
		snprintf(l.text, sizeof(l.text), "cpu %u", cpu);
	return l;
}

static void print_runnable(const struct why_print *p, const struct why_by *by, uint16_t cpu)
{
	if (by->who == WHY_IDLE) {
		out_printf(p->o, "runnable although %s was idle", cpu_label(cpu).text);
	} else if (by->who == WHY_NOBODY) {
		out_printf(p->o, "runnable, and who had %s is unknown", cpu_label(cpu).text);
	} else if (by->who == WHY_OTHERS) {
		out_str(p->o, "runnable behind other threads, too many to list");
	} else {
		out_str(p->o, "runnable behind ");
		print_by(p, by);
		if (cpu != HISTORY_NO_CPU)
			out_printf(p->o, " on cpu %u", cpu);
	}
}

static void print_asleep(const struct why_print *p, uint32_t in)
{
	out_str(p->o, "asleep");
	if (in)
		out_printf(p->o, " in %s", history_memory_name(p->h, in));
}

static void print_slept(const struct why_print *p, enum why_detail detail, const struct why_by *by,
			uint32_t in)
{
	print_asleep(p, in);
	if (detail == WHY_OPEN || detail == WHY_WAKING) {
		out_printf(p->o, ", %s", why_detail_words(p->h, detail));
		if (by->who == WHY_THREAD) {
			out_str(p->o, " by ");
			print_by(p, by);
		}
		return;
	}
	out_str(p->o, " until ");
	if (detail == WHY_OWN) {
		out_str(p->o, why_detail_words(p->h, detail));
		print_name(p, " (", why_by_name(p->h, by), ")");
		return;
	}
	print_by(p, by);
	if (by->who == WHY_ORIGIN && history_origin(p->h, by->id)->what == KERNEL_REQUEST)
		out_str(p->o, " completed");
}

/* What a thread did, or what kept it from running. @in: as why_node.asleep_in */
static void print_cause(const struct why_print *p, enum why_cause cause, enum why_detail detail,
			const struct why_by *by, uint16_t cpu, uint32_t in)
{
	switch (cause) {
	case WHY_RUNNING:
		out_str(p->o, "ran");
		break;
	case WHY_RUNNABLE:
		print_runnable(p, by, cpu);
		break;
	case WHY_ASLEEP:
		print_slept(p, detail, by, in);
		break;
	case WHY_INTERRUPT:
		out_str(p->o, "interrupted by ");
		print_by(p, by);
		break;
	case WHY_THROTTLED:
		print_name(p, "throttled, as its cgroup ", why_by_name(p->h, by), "");
		break;
	case WHY_LIMITED:
		out_str(p->o, "kept from running by ");
		print_by(p, by);
		break;
	default:
		out_printf(p->o, "unknown: %s", why_detail_words(p->h, detail));
	}
}

/* When in a run the host took the time is unknown. */
static void print_stolen(const struct why_print *p, const struct why_by *by)
{
	if (by->stolen)
		out_printf(p->o, "; up to %s of that the host of this virtual machine had the CPU",
			   time_label(by->stolen).text);
}

/* " (12.0ms of it in direct reclaim)" */
static void print_memory(const struct why_print *p, const struct history_memory *m,
			 const char *before, const char *after)
{
	if (m->ns)
		out_printf(p->o, "%s%s of %s in %s%s", before, time_label(m->ns).text,
			   *after ? "it" : "that", history_memory_name(p->h, m->origin), after);
}

static void print_crowd(const struct why_print *p, const struct why_node *n)
{
	out_printf(p->o, "runnable behind %u threads, each at most %.0f%%: ", n->crowd,
		   percent_of(n->most, n->by.ns));
	print_thread(p, n->by.id);
}

/*
 * A holder woke the thread and had the lock at one of the times when the thread looked. A thread
 * that woke it for the lock has had the lock since then.
 */
static void print_sleep(const struct why_print *p, const struct why_node *n)
{
	const char *lock = n->lock ? history_origin(p->h, n->lock - 1)->name : NULL;
	bool is_known = n->is_held || n->is_released;

	if (is_known) {
		print_name(p, "waiting for a lock (", lock, n->is_held ? ") held by " : ") released by ");
	} else {
		print_asleep(p, n->asleep_in);
		out_str(p->o, " until ");
	}
	print_thread(p, n->by.id);
	if (is_known && n->asleep_in)
		out_printf(p->o, ", in %s", history_memory_name(p->h, n->asleep_in));
	if (lock && !is_known)
		print_name(p, ", waiting for a lock (", lock, ")");
	if (n->is_futex)
		out_str(p->o, " woke it through a futex");
}

/* A wait for a lock that no thread ended: it was given up, or goes on. */
static void print_given_up(const struct why_print *p, const struct why_node *n)
{
	print_name(p, "waiting for a lock (", history_origin(p->h, n->lock - 1)->name,
		   n->holder ? ") held by " : ")");
	if (n->holder)
		print_thread(p, n->holder - 1);
	if (n->asleep_in)
		out_printf(p->o, ", in %s", history_memory_name(p->h, n->asleep_in));
	if (n->detail == WHY_OPEN) {
		out_printf(p->o, ", %s", why_detail_words(p->h, n->detail));
		return;
	}
	out_str(p->o, " until ");
	if (n->detail == WHY_OWN)
		out_str(p->o, "its timeout");
	else
		print_by(p, &n->by);
}

static void print_node(const struct why_print *p, const struct why_node *n)
{
	if (n->crowd) {
		print_crowd(p, n);
	} else if (n->is_rest) {
		out_str(p->o, "asleep until more threads, further back in the chain");
	} else if (n->is_thread) {
		print_sleep(p, n);
	} else if (n->lock) {
		print_given_up(p, n);
	} else {
		print_cause(p, n->cause, n->detail, &n->by, n->cpu, n->asleep_in);
	}
}

/* The samples of the thread that ran, or that had the CPU. Returns false if it has none. */
static bool find_top(const struct why_print *p, const struct why_node *n, struct why_ran_top *top)
{
	if (n->is_thread || n->crowd)
		return false;
	if (n->cause == WHY_RUNNING)
		return why_ran_top(p->ran, n->parent->by.id, WHY_RAN_CHAIN, top);
	return n->cause == WHY_RUNNABLE && n->by.who == WHY_THREAD &&
	       why_ran_top(p->ran, n->by.id, WHY_RAN_CPU, top);
}

static void print_mostly(const struct why_print *p, const struct why_node *n)
{
	struct why_ran_top top;

	if (find_top(p, n, &top) && 2 * top.count >= top.all)
		print_name(p, ", mostly in ", top.function, "");
}

static void print_ran(const struct why_print *p, const struct why_node *n)
{
	struct why_ran_top top;

	if (!find_top(p, n, &top) || NOTABLE_TOP * top.count < top.all)
		return;
	print_name(p, ", in ", top.function, "");
	out_printf(p->o, " in %.0f%% of its %s sample%s in this window", percent_of(top.count, top.all),
		   count_label(top.all).text, top.all == 1 ? "" : "s");
}

static void print_terms(const struct why_print *p, const struct why_node *n)
{
	size_t i;

	out_str(p->o, " (it was ");
	for (i = 0; i < n->count && i < TERMS; i++) {
		out_str(p->o, i ? ", " : "");
		if (n->children[i]->cause == WHY_RUNNING && !n->children[i]->is_thread)
			out_str(p->o, "running");
		else
			print_node(p, n->children[i]);
		print_mostly(p, n->children[i]);
		out_printf(p->o, " for %s", time_label(n->children[i]->by.ns).text);
		print_memory(p, &n->children[i]->memory, " (", ")");
	}
	out_str(p->o, n->count > TERMS ? ", and more)" : ")");
}

/* The requests that the device had before another one, and who submitted most of them. */
static void print_ahead(const struct why_print *p, const char *before,
			const struct history_done *done)
{
	const struct history_ahead ahead = history_ahead_of(p->h, done);

	if (!ahead.count)
		return;
	out_printf(p->o, "%sbehind %s%u request%s", before, ahead.is_part ? "at least " : "",
		   ahead.count, ahead.count == 1 ? "" : "s");
	if (!ahead.thread)
		return;
	if (ahead.most < ahead.count)
		out_printf(p->o, ", %u of them", ahead.most);
	out_str(p->o, " of ");
	print_thread(p, ahead.thread - 1);
}

/* How long the requests that ended sleeps were in queues; of a single one, also behind which. */
static void print_queued(const struct why_print *p, const struct why_node *n)
{
	const struct history_done *done = n->longest == n->by.ns ? why_ended(p->h, n->turn).request :
								   NULL;

	if (!n->by.queued)
		return;
	out_printf(p->o, " (%s of it in queues", time_label(n->by.queued).text);
	if (done)
		print_ahead(p, " ", done);
	out_char(p->o, ')');
}

/* "41.0ms = 30.1ms asleep until logger/88 (it was ...) + 8.00ms asleep until the disk + 2.90ms ran" */
static void print_answer(const struct why_print *p, const struct why_node *root)
{
	const struct why_node *n;
	uint64_t rest = root->by.ns;
	size_t i;

	out_str(p->o, time_label(root->by.ns).text);
	for (i = 0; i < root->count && i < TERMS; i++) {
		n = root->children[i];
		out_printf(p->o, "%s%s ", i ? " + " : " = ", time_label(n->by.ns).text);
		print_node(p, n);
		print_mostly(p, n);
		if (n->is_thread && !n->is_rest && n->count)
			print_terms(p, n);
		else if (n->by.stolen)
			out_printf(p->o, " (up to %s of it the host of this virtual machine)",
				   time_label(n->by.stolen).text);
		else
			print_queued(p, n);
		print_memory(p, &n->memory, " (", ")");
		rest -= n->by.ns;
	}
	if (root->count > TERMS)
		out_printf(p->o, " + %s more", time_label(rest).text);
	out_char(p->o, '\n');
}

static void print_functions(const struct why_print *p, const struct why_node *n)
{
	const char *slept = n->is_thread ? why_function(p->h, n->turn, false) :
			    n->cause == WHY_ASLEEP ? why_function(p->h, n->turn, false) : NULL;
	const char *woke = n->is_thread ? why_function(p->h, n->turn, true) : NULL;

	if (slept)
		out_printf(p->o, ", in %s", slept);
	if (woke)
		out_printf(p->o, "%s woken from %s", slept ? "," : "", woke);
	if (n->is_thread && why_through(p->h, n->turn))
		out_printf(p->o, ", through %s that it raised", why_through(p->h, n->turn));
}

/*
 * The request that ended the longest sleep; and the work item or timer of its waker, or the data
 * that it sent or served.
 */
static void print_ended(const struct why_print *p, const struct why_node *n)
{
	bool is_sleep = n->cause == WHY_ASLEEP && n->detail != WHY_WAKING;
	const struct history_ended ended = why_ended(p->h, n->is_thread || is_sleep ? n->turn :
						     HISTORY_NONE);
	const struct history_work *work = n->is_thread ? why_work(p->h, n->turn) : NULL;
	const struct history_done *done = ended.request;

	if (work)
		print_name(p, ", in its work item ", history_origin(p->h, work->origin)->name, "");
	if (n->is_thread && ended.timer)
		print_name(p, ", which served the timer ",
			   history_origin(p->h, ended.timer->origin)->name, "");
	if (n->is_thread && ended.data)
		print_name(p, ", which brought ", history_origin(p->h, ended.data->origin)->name, "");
	if (!done)
		return;
	if (n->by.queued && n->longest < n->by.ns)
		out_printf(p->o, ", %s of it in queues", time_label(n->by.queued).text);
	out_str(p->o, n->is_thread ? ", which completed a " : ", the longest");
	if (n->is_thread)
		out_safe_text(p->o, history_origin(p->h, done->origin)->path);
	if (done->bytes)
		out_printf(p->o, " of %s", size_label(done->bytes).text);
	out_str(p->o, ": ");
	if (done->queued)
		out_printf(p->o, "%s in queues, ", time_label(done->issued - done->queued).text);
	out_printf(p->o, "%s in the device", time_label(done->time - done->issued).text);
	print_ahead(p, ", ", done);
}

static void print_line(const struct why_print *p, const struct why_node *n, uint64_t all)
{
	out_printf(p->o, "%*s%8s %5.1f%%  ", 2 * (int)n->depth - 2, "",
		   time_label(n->by.ns).text, percent_of(n->by.ns, all));
	print_node(p, n);
	print_functions(p, n);
	print_ran(p, n);
	print_ended(p, n);
	print_memory(p, &n->memory, "; ", "");
	print_stolen(p, &n->by);
	out_char(p->o, '\n');
}

/* Notable branches of a node are printed one by one, the others together. Returns the first. */
static const struct why_node *first_branch(const struct why_node *n)
{
	return n->count ? n->children[0] : NULL;
}

static size_t place_of(const struct why_node *n)
{
	size_t i;

	for (i = 0; n->parent->children[i] != n; i++)
		;
	return i;
}

/* The sum of the branches of @parent from number @i on. */
static void print_others(const struct why_print *p, const struct why_node *parent, size_t i)
{
	uint64_t ns = 0;
	size_t count = parent->count - i;

	for (; i < parent->count; i++)
		ns += parent->children[i]->by.ns;
	if (count)
		out_printf(p->o, "%*s%8s          %zu more\n", 2 * (int)parent->depth, "",
			   time_label(ns).text, count);
}

/* The node to print after @n and all below it, or NULL. */
static const struct why_node *next_branch(const struct why_print *p, const struct why_node *n,
					  uint64_t least)
{
	const struct why_node *parent;
	size_t i;

	for (; n->parent; n = parent) {
		parent = n->parent;
		i = place_of(n) + 1;
		if (i < parent->count && i < p->top && parent->children[i]->by.ns >= least)
			return parent->children[i];
		print_others(p, parent, i);
	}
	return NULL;
}

static void print_tree(const struct why_print *p, const struct why_node *root)
{
	const struct why_node *n = first_branch(root), *below;
	uint64_t all = root->by.ns;

	while (n) {
		print_line(p, n, all);
		below = first_branch(n);
		n = below ? below : next_branch(p, n, all / NOTABLE);
	}
}

static void print_span(const struct why_print *p, const struct why_window *w)
{
	out_str(p->o, " from ");
	out_seconds(p->o, w->from);
	out_str(p->o, " s to ");
	out_seconds(p->o, w->to);
	out_str(p->o, " s");
}

void why_text_window(const struct why_print *p, const struct why_answer *a)
{
	static const char *const kinds[] = {
		[WHY_TRIGGER] = "The wait that fired the trigger: ",
		[WHY_TRIGGER_SLEEP] = "The sleep that fired the trigger: ",
		[WHY_WAIT] = "A long wait: ",
		[WHY_SLEEP] = "A long sleep (no thread waited for a CPU): ",
		[WHY_TIME] = "",
		[WHY_LIFE] = "",
	};

	out_str(p->o, kinds[p->kind]);
	print_thread(p, a->window->thread);
	print_span(p, a->window);
	out_str(p->o, a->window->is_open ? ", not over at the end\n" : "\n");
	print_answer(p, a->tree.root);
	out_char(p->o, '\n');
	print_tree(p, a->tree.root);
	/* The sums of a life include it. */
	if (p->kind != WHY_LIFE)
		why_text_ran(p, "What ran meanwhile", "");
	out_char(p->o, '\n');
}

/* --- sums -------------------------------------------------------------------------------- */

static void print_row(const struct why_print *p, const struct why_row *r, uint64_t all)
{
	out_printf(p->o, "%8s %5.1f%% %8s %8s  ", time_label(r->by.ns).text,
		   percent_of(r->by.ns, all), count_label(r->count).text,
		   time_label(r->longest_count ? r->longest[0].ns : 0).text);
	if (r->is_rest) {
		out_str(p->o, "other causes\n");
		return;
	}
	if (r->is_other) {
		print_thread(p, r->thread);
		out_str(p->o, ", until which it slept: ");
	}
	print_cause(p, r->cause, r->detail, &r->by, HISTORY_NO_CPU, 0);
	print_memory(p, &r->memory, "; ", "");
	print_stolen(p, &r->by);
	if (r->by.queued)
		out_printf(p->o, "; %s of that in queues", time_label(r->by.queued).text);
	out_char(p->o, '\n');
}

static void print_cases(const struct why_print *p, const struct why_row *r)
{
	unsigned int i;

	out_str(p->o, "\nThe longest times: ");
	print_cause(p, r->cause, r->detail, &r->by, HISTORY_NO_CPU, 0);
	if (r->is_other) {
		out_str(p->o, " (");
		print_thread(p, r->thread);
		out_char(p->o, ')');
	}
	out_char(p->o, '\n');
	for (i = 0; i < r->longest_count; i++) {
		out_printf(p->o, "%8s  at ", time_label(r->longest[i].ns).text);
		out_seconds(p->o, r->longest[i].from);
		out_str(p->o, " s  ");
		print_thread(p, r->longest[i].thread);
		out_char(p->o, '\n');
	}
}

#define CASES	3	/* rows whose longest times are listed */

void why_text_sums(const struct why_print *p, const struct why_window *windows, size_t count,
		   const struct why_sums *s)
{
	unsigned int listed = 0;
	size_t i;

	if (count == 1) {
		print_thread(p, windows->thread);
		print_span(p, windows);
	} else {
		out_printf(p->o, "%zu threads", count);
	}
	out_str(p->o, ": where the time went\n\n    time of this    count  longest\n");
	for (i = 0; i < s->count && i < p->top; i++)
		print_row(p, s->rows[i], s->ns);
	if (s->count > p->top)
		out_printf(p->o, "%zu more; --top %zu shows all\n", s->count - p->top, s->count);
	for (i = 0; i < s->count && listed < CASES; i++) {
		if (s->rows[i]->is_rest || (s->rows[i]->cause == WHY_RUNNING &&
					    !s->rows[i]->is_other))
			continue;
		print_cases(p, s->rows[i]);
		listed++;
	}
	why_text_ran(p, "What ran meanwhile", "");
}
