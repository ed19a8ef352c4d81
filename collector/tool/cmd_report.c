// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cmd_report.c - fxt report: the busiest threads of an archive, as text.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched_model.h"
#include "verbs.h"

static const char *thread_name(const struct model_thread *t)
{
	return t->koid ? *t->name ? t->name : "?" : "(idle)";
}

static int by_run(const void *a, const void *b)
{
	const struct model_thread *x = a, *y = b;

	if (x->run != y->run)
		return x->run > y->run ? -1 : 1;
	return x->koid < y->koid ? -1 : x->koid > y->koid;
}

/* A name may hold what would upset a terminal. */
static void print_name(const char *name)
{
	for (; *name; name++)
		putchar((unsigned char)*name < ' ' || *name == 0x7f ? '?' : *name);
	putchar('\n');
}

static void print_model(struct model *m, uint64_t ticks_per_second, size_t top)
{
	double span = (double)(m->last - m->first) / ticks_per_second;
	double all = span * m->cpus;
	size_t i;

	printf("%.3f s on %u CPU%s, %zu threads, %" PRIu64 " switches, %" PRIu64 " wakeups, %" PRIu64 " records lost\n\n",
	       span, m->cpus, m->cpus == 1 ? "" : "s", m->count, m->switches,
	       m->wakeups, m->lost);
	qsort(m->threads, m->count, sizeof(*m->threads), by_run);
	printf("%8s %8s %10s %6s %9s %9s %9s  %s\n", "pid", "tid", "run ms", "cpu %",
	       "switches", "preempted", "wakeups", "thread");
	for (i = 0; i < m->count && i < top; i++) {
		const struct model_thread *t = &m->threads[i];
		double run = (double)t->run / ticks_per_second;

		printf("%8" PRIu64 " %8" PRIu64 " %10.3f %6.2f %9" PRIu64 " %9" PRIu64 " %9" PRIu64 "  ",
		       t->process, t->koid, run * 1e3,
		       all > 0 ? run / all * 100 : 0.0, t->switches, t->preempted,
		       t->wakeups);
		print_name(thread_name(t));
	}
}

static int report(const char *path, size_t top)
{
	struct fxt_reader *r;
	struct model m;
	int ret = fxt_reader_open(&r, path);

	if (ret) {
		fprintf(stderr, "fxt: cannot read %s: %s\n", path,
			ret == -EBADMSG ? "it does not begin as an FXT archive does" :
					  strerror(-ret));
		return VERB_UNREADABLE;
	}
	ret = model_read(&m, r);
	if (ret != -ENOMEM)
		print_model(&m, fxt_reader_ticks_per_second(r), top);
	if (ret)
		fprintf(stderr, "fxt: %s: %s\n", path, ret == -EBADMSG ?
			fxt_reader_error(r) : strerror(-ret));
	model_free(&m);
	fxt_reader_close(r);
	return ret ? VERB_UNREADABLE : VERB_DONE;
}

int verb_report(int argc, char **argv)
{
	static const struct option options[] = {
		{ "top", required_argument, NULL, 't' },
		{ NULL, 0, NULL, 0 },
	};
	size_t top = 15;
	char *end = "";
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == 't' && *optarg >= '0' && *optarg <= '9')
			top = strtoul(optarg, &end, 10);
		if (c != 't' || *end || !top) {
			fprintf(stderr, "fxt: report: %s: unknown option or value; see fxt --help\n",
				argv[optind - 1]);
			return VERB_USAGE;
		}
	}
	if (optind + 1 != argc) {
		fprintf(stderr, "fxt: report takes one archive; see fxt --help\n");
		return VERB_USAGE;
	}
	return report(argv[optind], top);
}
