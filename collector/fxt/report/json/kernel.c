// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel.c - slices of the kernel, migrations and frequencies in the JSON report.
 *
 *  stolen_ns: of run_ns, what interrupts took. moves: times that a thread was moved to
 *    another CPU's run queue
 *  hard_irq_ns, soft_irq_ns, idle_state_ns; frequency: min_khz, average_khz, max_khz, or null
 *  interrupts_ns: that interrupts took of a wait; interrupt: the one that took most of it
 *    (null without any), interrupt_ns: how much
 *  interrupts, idle_states, work_items: list of kind ("irq", "vector", "softirq", "idle" or
 *    "work"), name, number (null of work items), count, total_ns, longest_ns, longest_time_ns,
 *    longest_cpu; of interrupts, most_tid, most_nth, most_name and most_ns (the thread that
 *    lost most; null if unknown); cpus: list of cpu, count and total_ns
 *  system_calls, throttled_cgroups: see acts.c
 */
#include "kernel.h"

void report_json_counts(struct json *j, const struct report *r, const struct report_counts *n)
{
	if (report_has_irqs(&r->kernel))
		json_number(j, "stolen_ns", n->stolen);
	if (r->kernel.has[KERNEL_MIGRATE])
		json_number(j, "moves", n->moves);
}

void report_json_cpu(struct json *j, const struct report *r, const struct report_cpu *cpu)
{
	const struct report_cpu_kernel *k = &cpu->kernel;
	const struct report_level *khz = &cpu->levels.khz;

	if (report_has_irqs(&r->kernel)) {
		json_number(j, "hard_irq_ns", k->hard);
		json_number(j, "soft_irq_ns", k->soft);
	}
	if (r->kernel.has[KERNEL_IDLE])
		json_number(j, "idle_state_ns", k->idle);
	if (!r->kernel.has[KERNEL_FREQUENCY])
		return;
	if (!khz->known) {
		json_null(j, "frequency");
		return;
	}
	json_key(j, "frequency");
	json_begin(j, '{');
	json_number(j, "min_khz", khz->least);
	json_number(j, "average_khz", report_level_average(khz) + 0.5);
	json_number(j, "max_khz", khz->most);
	json_end(j, '}');
}

void report_json_wait(struct json *j, const struct report *r, const struct report_wait *w)
{
	if (!report_has_irqs(&r->kernel))
		return;
	json_number(j, "interrupts_ns", w->stolen);
	json_text(j, "interrupt", w->thief ? w->thief->of->name : NULL);
	json_number(j, "interrupt_ns", w->thief_ns);
}

static void print_most(struct json *j, const struct report_source *s)
{
	if (s->most) {
		json_number(j, "most_tid", s->most->sched->koid);
		json_number(j, "most_nth", s->most->sched->nth);
		json_thread_name(j, "most_name", s->most);
	} else {
		json_null(j, "most_tid");
		json_null(j, "most_nth");
		json_null(j, "most_name");
	}
	json_number(j, "most_ns", s->most_ns);
}

static void print_cpus(struct json *j, const struct report *r, const struct report_source *s)
{
	const struct report_share *share, *end = r->kernel.shares + r->kernel.share_count;

	json_key(j, "cpus");
	json_begin(j, '[');
	for (share = r->kernel.shares; share < end; share++) {
		if (share->source != s)
			continue;
		json_item(j);
		json_begin(j, '{');
		json_number(j, "cpu", share->cpu);
		json_number(j, "count", share->count);
		json_number(j, "total_ns", share->total);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void print_source(struct json *j, const struct report *r, const struct report_source *s)
{
	json_text(j, "kind", kernel_event_name(s->of->what));
	json_text(j, "name", report_source_name(s));
	if (s->of->what == KERNEL_WORK || s->of->number == KERNEL_EVENT_NO_NUMBER)
		json_null(j, "number");
	else
		json_number(j, "number", s->of->number);
	json_number(j, "count", s->count);
	if (s->of->what == KERNEL_SYSCALL)
		json_number(j, "errors", s->errors);
	json_number(j, "total_ns", s->total);
	json_number(j, "longest_ns", s->longest);
	json_number(j, "longest_time_ns", s->longest_time);
	json_number(j, "longest_cpu", s->longest_cpu);
	if (kernel_event_is_irq(s->of->what))
		print_most(j, s);
	if (s->of->what == KERNEL_THROTTLE) {
		json_number(j, "periods", s->throttled ? s->throttled->periods : 0);
		json_number(j, "throttled_ns", s->throttled ? s->throttled->ns : 0);
	}
	/* Those of threads are many, and belong to threads rather than to CPUs. */
	if (s->of->what != KERNEL_WORK && s->of->what != KERNEL_SYSCALL)
		print_cpus(j, r, s);
}

static void print_sources(struct json *j, const struct report *r, const char *name,
			  enum kernel_event_what first, enum kernel_event_what last, size_t top)
{
	const struct report_kernel *k = &r->kernel;
	size_t i, n = 0;

	json_key(j, name);
	json_begin(j, '[');
	for (i = 0; i < k->source_count && n < top; i++) {
		if (k->sources[i]->of->what < first || k->sources[i]->of->what > last)
			continue;
		n++;
		json_item(j);
		json_begin(j, '{');
		print_source(j, r, k->sources[i]);
		json_end(j, '}');
	}
	json_end(j, ']');
}

void report_json_kernel(struct json *j, const struct report *r, size_t top)
{
	const struct report_kernel *k = &r->kernel;

	if (report_has_irqs(k))
		print_sources(j, r, "interrupts", KERNEL_IRQ, KERNEL_SOFTIRQ, top);
	if (k->has[KERNEL_IDLE])
		print_sources(j, r, "idle_states", KERNEL_IDLE, KERNEL_IDLE, top);
	if (k->has[KERNEL_WORK])
		print_sources(j, r, "work_items", KERNEL_WORK, KERNEL_WORK, top);
	if (k->has[KERNEL_SYSCALL])
		print_sources(j, r, "system_calls", KERNEL_SYSCALL, KERNEL_SYSCALL, top);
	if (k->has[KERNEL_THROTTLE])
		print_sources(j, r, "throttled_cgroups", KERNEL_THROTTLE, KERNEL_THROTTLE, top);
}
