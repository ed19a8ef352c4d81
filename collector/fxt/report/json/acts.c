// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * acts.c - system calls, ends of threads, throttled cgroups, interrupts between CPUs and run
 * queues in the JSON report.
 *
 *  of names, processes and threads: calls, failed_calls, in_calls_ns (system calls, waits
 *    included), system_calls: list of name, count, errors, total_ns and longest_ns, those with
 *    most time first, at most eight; forks: threads that they created; ipis: CPUs that they
 *    interrupted
 *  of cpus: run_queue: average, longest, above_one_ns and known_ns, or null; utilization:
 *    average and max (0 to 1), or null
 *  system_calls: by name, of the threads shown: list of kind ("syscall"), name, number (null if
 *    unknown), count, errors, total_ns, longest_ns, longest_time_ns, longest_cpu
 *  throttled_cgroups: list of kind ("throttled"), name (its path, if known), number (its id),
 *    count (slices of single CPUs), total_ns (of all of these), longest_ns, longest_time_ns,
 *    longest_cpu, periods and throttled_ns (in which some CPU throttled it), cpus: list of cpu,
 *    count and total_ns
 *  cgroup_quotas: of cgroups with a quota of CPU time: list of name (the path), number (the
 *    id), and what the kernel counted meanwhile on all CPUs: periods in which it had something
 *    to run, throttled_periods in which its quota was used up, throttled_ns, added up
 *  ipis: list of name (what the interrupted CPU has to call), from_cpu, to_cpu (null: beyond
 *    the first 64), count
 *  exits: count (threads that ended), failed: list of name (of the threads), code, signal (0:
 *    none), signal_name (null if unknown), count
 */
#include "report/text/signal_name.h"
#include "acts.h"

#define CALLS		8	/* of a thread, as it has wakers */

/* --- threads ---------------------------------------------------------------------------------- */

static void print_calls(struct json *j, const struct report_calls *calls)
{
	unsigned int i;

	json_key(j, "system_calls");
	json_begin(j, '[');
	for (i = 0; i < calls->count && i < CALLS; i++) {
		const struct report_call *call = &calls->list[i];

		json_item(j);
		json_begin(j, '{');
		json_text(j, "name", call->of->name);
		json_number(j, "count", call->count);
		json_number(j, "errors", call->errors);
		json_number(j, "total_ns", call->total);
		json_number(j, "longest_ns", call->longest);
		json_end(j, '}');
	}
	json_end(j, ']');
}

void report_json_acts(struct json *j, const struct report *r, const struct report_counts *n,
		      const struct report_calls *calls)
{
	if (r->kernel.has[KERNEL_SYSCALL]) {
		json_number(j, "calls", n->calls);
		json_number(j, "failed_calls", n->failed_calls);
		json_number(j, "in_calls_ns", n->in_calls);
		print_calls(j, calls);
	}
	if (r->kernel.has[KERNEL_FORK])
		json_number(j, "forks", n->forks);
	if (r->kernel.has[KERNEL_IPI])
		json_number(j, "ipis", n->ipis);
}

/* --- CPUs -------------------------------------------------------------------------------------- */

static void json_double(struct json *j, const char *name, double value)
{
	json_key(j, name);
	out_json_double(j->o, value);
}

static void print_queue(struct json *j, const struct report_level *queue)
{
	if (!queue->known) {
		json_null(j, "run_queue");
		return;
	}
	json_key(j, "run_queue");
	json_begin(j, '{');
	json_double(j, "average", report_level_average(queue));
	json_number(j, "longest", queue->most);
	json_number(j, "above_one_ns", queue->above);
	json_number(j, "known_ns", queue->known);
	json_end(j, '}');
}

void report_json_levels(struct json *j, const struct report *r, const struct report_levels *l)
{
	if (r->kernel.has[KERNEL_RUN_QUEUE])
		print_queue(j, &l->queue);
	if (!r->kernel.has[KERNEL_PELT])
		return;
	if (!l->util.known) {
		json_null(j, "utilization");
		return;
	}
	json_key(j, "utilization");
	json_begin(j, '{');
	json_double(j, "average", report_level_average(&l->util) / REPORT_UTIL_MAX);
	json_double(j, "max", l->util.most / REPORT_UTIL_MAX);
	json_end(j, '}');
}

/* --- all ---------------------------------------------------------------------------------------- */

static void print_ipis(struct json *j, const struct report_kernel *k, size_t top)
{
	size_t i;

	json_key(j, "ipis");
	json_begin(j, '[');
	for (i = 0; i < k->ipi_count && i < top; i++) {
		const struct report_ipi *ipi = &k->ipis[i];

		json_item(j);
		json_begin(j, '{');
		json_text(j, "name", ipi->of->name);
		json_number(j, "from_cpu", ipi->from);
		if (ipi->to == REPORT_NO_CPU)
			json_null(j, "to_cpu");
		else
			json_number(j, "to_cpu", ipi->to);
		json_number(j, "count", ipi->count);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void print_quotas(struct json *j, const struct report_kernel *k, size_t top)
{
	size_t i;

	json_key(j, "cgroup_quotas");
	json_begin(j, '[');
	for (i = 0; i < k->quota_count && i < top; i++) {
		const struct report_quota *q = &k->quotas[i];

		json_item(j);
		json_begin(j, '{');
		json_text(j, "name", q->path);
		json_number(j, "number", q->cgroup);
		json_number(j, "periods", q->counts[0]);
		json_number(j, "throttled_periods", q->counts[1]);
		json_number(j, "throttled_ns", q->counts[2] * 1000);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void print_failure(struct json *j, const struct report_source *s)
{
	uint32_t signal = sched_exit_signal(s->of->number);

	json_begin(j, '{');
	json_text(j, "name", s->of->name);
	json_number(j, "code", sched_exit_code(s->of->number));
	json_number(j, "signal", signal);
	json_text(j, "signal_name", report_signal_name(signal));
	json_number(j, "count", s->count);
	json_end(j, '}');
}

static void print_exits(struct json *j, const struct report_kernel *k, size_t top)
{
	size_t i, n = 0;

	json_key(j, "exits");
	json_begin(j, '{');
	json_number(j, "count", k->exits);
	json_key(j, "failed");
	json_begin(j, '[');
	for (i = 0; i < k->source_count && n < top; i++) {
		if (k->sources[i]->of->what != KERNEL_EXIT)
			continue;
		n++;
		json_item(j);
		print_failure(j, k->sources[i]);
	}
	json_end(j, ']');
	json_end(j, '}');
}

void report_json_all_acts(struct json *j, const struct report *r, size_t top)
{
	if (r->kernel.quota_count)
		print_quotas(j, &r->kernel, top);
	if (r->kernel.has[KERNEL_IPI])
		print_ipis(j, &r->kernel, top);
	if (r->kernel.has[KERNEL_EXIT])
		print_exits(j, &r->kernel, top);
}
