// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sleeps.c - how long threads slept, and who woke them, in the JSON report.
 *
 *  sleeps: of all threads shown, and of each name, cgroup, process and thread: sleep (S),
 *    uninterruptible (D), idle (I: a kernel thread without work), stopped (T), traced (t) and
 *    parked (P), each null if there is none, else count and sum_ns of sleeps inside the selected
 *    time, cut_count and cut_ns (the part inside) of those that begin before it or are not over
 *    at its end, longest (the longest of the first, null without any; as below);
 *    unknown (number of sleeps of unknown length, in none of these), early (threads whose sleep
 *    began before the archive, likewise)
 *  longest_sleeps, longest_uninterruptible: list of time_ns (its end), sleep_ns, open (not over
 *    at the end: time_ns is the end of the selected time; only of uninterruptible ones),
 *    from_cpu (on which it began), cpu (that the thread was woken onto; null if open), tid, nth,
 *    name, and who woke it: waker_tid, waker_nth, waker_name (null if that is an interrupt, an
 *    idle CPU, or not known), waker_idle (whether it is an idle CPU), waker_irq ("hard",
 *    "soft", "nmi", or null), waker_irq_cpu (that was interrupted; null if that is not known)
 */
#include "sleeps.h"

static void print_waker(struct json *j, const struct report_wait *s)
{
	if (s->waker) {
		json_number(j, "waker_tid", s->waker->sched->koid);
		json_number(j, "waker_nth", s->waker->sched->nth);
		json_thread_name(j, "waker_name", s->waker);
	} else {
		json_null(j, "waker_tid");
		json_null(j, "waker_nth");
		json_null(j, "waker_name");
	}
	json_boolean(j, "waker_idle", s->by_idle);
	json_text(j, "waker_irq", s->irq ? report_irq_name(s->irq) : NULL);
	if (s->irq && s->irq_cpu != REPORT_NO_CPU)
		json_number(j, "waker_irq_cpu", s->irq_cpu);
	else
		json_null(j, "waker_irq_cpu");
}

static void print_sleep(struct json *j, const struct report_wait *s)
{
	json_begin(j, '{');
	json_number(j, "time_ns", s->time);
	json_number(j, "sleep_ns", s->latency);
	json_boolean(j, "open", s->is_open);
	json_number(j, "from_cpu", s->from_cpu);
	if (s->cpu == REPORT_NO_CPU)
		json_null(j, "cpu");
	else
		json_number(j, "cpu", s->cpu);
	json_number(j, "tid", s->thread->sched->koid);
	json_number(j, "nth", s->thread->sched->nth);
	json_thread_name(j, "name", s->thread);
	print_waker(j, s);
	json_end(j, '}');
}

static void print_kind(struct json *j, const char *name, const struct report_sleeps *s)
{
	if (!s) {
		json_null(j, name);
		return;
	}
	json_key(j, name);
	json_begin(j, '{');
	json_number(j, "count", s->count);
	json_number(j, "sum_ns", s->ns);
	json_number(j, "cut_count", s->cut_count);
	json_number(j, "cut_ns", s->cut_ns);
	if (s->count) {
		json_key(j, "longest");
		print_sleep(j, &s->longest);
	} else {
		json_null(j, "longest");
	}
	json_end(j, '}');
}

void report_json_sleeps(struct json *j, struct report_sleeps *const *sleeps,
			const struct report_counts *n)
{
	unsigned int kind;

	json_key(j, "sleeps");
	json_begin(j, '{');
	for (kind = 0; kind < REPORT_SLEEPS; kind++)
		print_kind(j, report_sleep_name(kind), sleeps[kind]);
	json_number(j, "unknown", n->unknown_sleeps);
	json_number(j, "early", n->early_sleeps);
	json_end(j, '}');
}

static void print_list(struct json *j, const char *name, const struct report_longest *longest)
{
	size_t i;

	json_key(j, name);
	json_begin(j, '[');
	for (i = 0; i < longest->count; i++) {
		json_item(j);
		print_sleep(j, &longest->list[i]);
	}
	json_end(j, ']');
}

void report_json_longest_sleeps(struct json *j, const struct report *r)
{
	print_list(j, "longest_sleeps", &r->longest_sleeps[REPORT_SLEEP]);
	print_list(j, "longest_uninterruptible", &r->longest_sleeps[REPORT_UNINTERRUPTIBLE]);
}
