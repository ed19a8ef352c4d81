// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cmd_report.c - fxt report: the busiest threads of an archive, as text.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "out.h"
#include "sched_model.h"
#include "verbs.h"

static const char help[] =
"usage: fxt report [--top N] [--format=2017] [--strict] FILE\n"
"\n"
"Prints who ran how long, who was switched and woken how often.\n"
"\n"
"  --top N  the N busiest threads (15)\n";

static int by_run(const void *a, const void *b)
{
	const struct sched_thread *x = *(struct sched_thread *const *)a;
	const struct sched_thread *y = *(struct sched_thread *const *)b;

	if (x->run != y->run)
		return x->run > y->run ? -1 : 1;
	return x->koid < y->koid ? -1 : x->koid > y->koid;
}

static void print_thread(struct out *o, const struct sched_thread *t, double all)
{
	const char *name = t->koid ? *t->name ? t->name : "?" : "(idle)";

	out_printf(o, "%8" PRIu64 " %8" PRIu64 " %10.3f %6.2f %9" PRIu64 " %9" PRIu64 " %9" PRIu64 "  ",
		   t->process, t->koid, t->run / 1e6, all > 0 ? t->run / all * 100 : 0.0,
		   t->switches, t->preempted, t->wakeups);
	out_safe(o, name, strlen(name));
	out_char(o, '\n');
}

/* Threads that did nothing but have a name are not counted. */
static bool took_part(const struct sched_thread *t)
{
	return t->last_event;
}

static int print_model(struct out *o, struct sched_model *m, size_t top)
{
	const struct sched_totals *t = sched_model_totals(m);
	double span = t->last - t->first;
	struct sched_thread *const *threads, **sorted;
	size_t count, taken = 0, i;

	threads = sched_model_threads(m, &count);
	sorted = calloc(count + 1, sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		if (took_part(threads[i]))
			sorted[taken++] = threads[i];
	qsort(sorted, taken, sizeof(*sorted), by_run);
	out_printf(o, "%.3f s on %u CPU%s, %zu threads, %" PRIu64 " switches, %" PRIu64 " wakeups, %" PRIu64 " records lost\n\n",
		   span / 1e9, t->cpus, t->cpus == 1 ? "" : "s", taken, t->switches,
		   t->wakeups, t->lost);
	out_printf(o, "%8s %8s %10s %6s %9s %9s %9s  %s\n", "pid", "tid", "run ms",
		   "cpu %", "switches", "preempted", "wakeups", "thread");
	for (i = 0; i < taken && i < top; i++)
		print_thread(o, sorted[i], span * t->cpus);
	free(sorted);
	return 0;
}

static int walk(struct archive *a, struct sched_model *m)
{
	struct fxt_record rec;
	int ret;

	while ((ret = sched_model_next(m, a->r, &rec)) > 0) {
		ret = sched_model_record(m, a->r, &rec);
		if (!archive_goes_on(a, ret))
			return ret;
	}
	return ret ? ret : sched_model_finish(m);
}

static int report(struct archive *a, const char *path, size_t top)
{
	static const struct sched_ops ops;
	struct sched_model *m;
	struct out o;
	int ret, status = archive_open(a, path);

	if (status)
		return status;
	ret = sched_model_open(&m, &ops, NULL, 0);
	if (ret)
		return archive_close(a, ret);
	ret = walk(a, m);
	out_open(&o, NULL);
	if (!ret || ret == -EBADMSG)
		status = print_model(&o, m, top);
	ret = ret ? ret : status;
	sched_model_close(m);
	return archive_output(&o, NULL, archive_close(a, ret));
}

int verb_report(int argc, char **argv)
{
	static const struct option options[] = {
		{ "top", required_argument, NULL, 't' },
		{ "help", no_argument, NULL, 'h' },
		ARCHIVE_OPTIONS,
		{ NULL, 0, NULL, 0 },
	};
	struct archive a = { 0 };
	size_t top = 15;
	char *end = "";
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (c == 'h') {
			fputs(help, stdout);
			return VERB_DONE;
		}
		if (c == 't' && *optarg >= '0' && *optarg <= '9')
			top = strtoul(optarg, &end, 10);
		if ((c != 't' && !archive_option(&a, c, optarg)) || *end || !top)
			return archive_usage("report", argv[optind - 1],
					     "unknown option or value");
	}
	if (optind + 1 != argc)
		return archive_usage("report", NULL, "it takes one archive");
	return report(&a, argv[optind], top);
}
