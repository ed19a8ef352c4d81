// SPDX-License-Identifier: GPL-2.0-or-later
/* command.c - fxt report: which threads ran or waited, and why, as text, JSON or a page. */
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "report/html/html.h"
#include "report/json/json.h"
#include "report/stats/report.h"
#include "report/text/text.h"
#include "report/walk.h"
#include "terminal/message.h"
#include "terminal/terminal.h"
#include "walk/archive.h"
#include "walk/io.h"
#include "liboutput/out.h"
#include "write/result.h"
#include "command/command_line.h"

#define TOP	10		/* of a table, by default */

struct command {
	struct archive a;
	struct report_options options;
	uint64_t top;		/* 0: not given */
	bool all_tables;
	uint64_t tables;	/* bits, as in struct report_style */
	bool json;
	bool folded;
	bool on_cpu;
	bool pprof;
	const char *html;	/* path, or NULL */
	uint64_t slices;	/* of its timeline; 0: not given */
	struct filter part;	/* @part.from: where the timeline begins */
	struct report_html *page;
	struct result result;	/* the page at @html */
	struct out out;
};

static bool sort_word(unsigned int i, struct option_word *w)
{
	w->name = i < REPORT_SORT_COUNT ? report_sort_name(i) : NULL;
	return w->name;
}

static const struct option_row rows[] = {
	OPTION_TITLE("Output"),
	OPTION(0, "sort", "KEY", "sort by {words}; wait is the total latency, uninterruptible the "
	       "total of uninterruptible sleeps (default: run)", .kind = OPTION_WORD,
	       .words = sort_word, OPTION_SETS_INDEX(struct command, options.sort)),
	OPTION(0, "top", "N", "print N rows per table (default: 10; with --json or --html: all, but "
	       "10 of the longest waits and sleeps)",
	       OPTION_SETS_NUMBER(struct command, top, 1, 0, TOP_WRONG)),
	OPTION(0, "tables", NULL, "print all tables below the findings",
	       OPTION_SETS_BOOL(struct command, all_tables)),
	OPTION(0, "table", "TABLE,..", "print only these tables: {words}", .kind = OPTION_WORDS,
	       .words = report_section, OPTION_SETS_BITS(struct command, tables)),
	ROWS_JSON(struct command, json, JSON_OBJECT),
	OPTION(0, "folded", NULL, "print a line for each stack that threads of one name slept "
	       "in, for tools that draw flame graphs: NAME;FUNCTION;... and ns",
	       OPTION_SETS_BOOL(struct command, folded)),
	OPTION(0, "oncpu", NULL, "with --folded: stacks that threads ran in, by samples",
	       OPTION_SETS_BOOL(struct command, on_cpu)),
	OPTION(0, "pprof", NULL, "print where threads slept and were preempted, and what they ran, as "
	       "a profile of pprof",
	       OPTION_SETS_BOOL(struct command, pprof)),
	OPTION(0, "html", "OUT", "write a page for browsers to OUT, with a timeline of all CPUs and "
	       "threads; it needs no network", .kind = OPTION_FILE,
	       OPTION_SETS_STRING(struct command, html)),
	OPTION(0, "slices", "N", "end the timeline of a page after N slices and events; its tables "
	       "cover everything (default: 20000000)",
	       OPTION_SETS_NUMBER(struct command, slices, 1, 0,
				  "invalid number of slices; use e.g. 1000000")),
	OPTION(0, "slices-from", "TIME", "begin the timeline of a page at TIME, as for --from; "
	       "its tables cover everything", OPTION_SETS(filter_set_limit, struct command, part.from)),
	ROW_FORCE("replace OUT even if it is not a page of fxt; a page is kept as OUT.old"),
	ROW_NO_PAGER,
	ROW_QUIET("show no progress"),
	OPTION_HELP,
	OPTION_TITLE("Threads (select rows and findings; totals, shares and CPUs cover all threads)"),
	ROWS_THREADS(struct command, options.filter),
	OPTION_TITLE("Filters (select what is counted)"),
	ROW_CPU(struct command, options.filter, "count only what happens on these CPUs: 0,2-5"),
	ROWS_TIMES(struct command, options.filter),
	OPTION_TITLE("Input"),
	ROWS_INPUT(struct command, a),
	{ 0 },
};

/* Return: -1 if there is work to do, else the exit status */
static int check_options(const struct command *c, const char *path)
{
	if (c->html && c->json)
		return archive_usage("report", "--html", "the page includes the JSON object; give either --html or --json");
	if (c->folded + c->pprof + c->json + !!c->html > 1)
		return archive_usage("report", c->folded ? "--folded" : "--pprof", "it is an output of its own; give only one of --folded, --pprof, --json and --html");
	if (c->pprof && isatty(STDOUT_FILENO))
		return archive_usage("report", "--pprof", "a terminal cannot show it; redirect it to a file, e.g. >off.pb.gz");
	if (c->on_cpu && !c->folded)
		return archive_usage("report", "--oncpu", "it selects the stacks of --folded; give --folded, too");
	if (c->slices && !c->html)
		return archive_usage("report", "--slices", "it limits the timeline of a page; give --html, too");
	if (c->part.from.set && !c->html)
		return archive_usage("report", "--slices-from", "it limits the timeline of a page; give --html, too");
	if (c->html && archive_is_same(path, c->html))
		return archive_usage("report", c->html, "is the archive itself; name another output file");
	return -1;
}

/* An archive that has only samples needs no option. */
static enum report_stack_kind folded_kind(const struct command *c, const struct report *r)
{
	return c->on_cpu || (!r->stacks.has_sleeps && r->stacks.has_samples) ? REPORT_STACK_RAN :
									    REPORT_STACK_SLEPT;
}

static void print_report(struct command *c, const struct report *r)
{
	const struct report_style style = {
		.colour = terminal_has_colours(),
		.utf8 = setlocale(LC_CTYPE, "") && !strcmp(nl_langinfo(CODESET), "UTF-8"),
		.columns = terminal_columns(),
		.top = c->top ? c->top : TOP,
		.is_limited = c->top,
		.tables = c->all_tables ? REPORT_ALL_SECTIONS : c->tables,
	};

	terminal_page();
	if (c->pprof)
		report_print_pprof(&c->out, r);
	else if (c->folded)
		report_print_folded(&c->out, r, folded_kind(c, r));
	else if (c->json)
		report_print_json(&c->out, c->a.path, r, &c->options,
				  c->top ? c->top : SIZE_MAX);
	else
		report_print_text(&c->out, c->a.path, r, &c->options, &style);
}

static int temporary_failed(struct command *c, int ret)
{
	message("fxt: cannot write the timeline of %s to a temporary file: %s; check the free space in /tmp\n",
		c->a.path, strerror(-ret));
	return VERB_UNWRITABLE;
}

/* Return: 0, or the exit status after reporting why */
static int print_page(struct command *c, struct report_engine *e)
{
	int ret = report_html_end(c->page, report_of(e));

	if (ret)
		return temporary_failed(c, ret);
	out_open(&c->out, c->result.fd);
	ret = report_html_print(c->page, &c->out, c->a.path, e, &c->options,
				c->top ? c->top : SIZE_MAX);
	ret = archive_output(&c->out, c->html, ret ? temporary_failed(c, ret) : 0);
	return result_end(&c->result, ret, !ret);
}

static int print_lines(struct command *c, struct report_engine *e)
{
	out_open(&c->out, STDOUT_FILENO);
	print_report(c, report_of(e));
	return archive_output(&c->out, NULL, 0);
}

/* Did anything happen in the selected time, on the selected CPUs? */
static bool has_activity(const struct report *r)
{
	const struct report_totals *n = &r->totals;
	size_t i;

	for (i = 0; i < r->cpu_count; i++)
		if (r->cpus[i]->gap)
			return true;
	return n->busy || n->idle || n->n.switches || n->n.wakeups || r->kernel.origin_count;
}

/* As warn_if_nothing(), of an archive without scheduling. */
static int warn_of_slices(const struct command *c, const struct report *r)
{
	const struct report_options *o = &c->options;
	const struct slices *s = r->slices;
	const char *option = c->folded ? "--folded" : c->pprof ? "--pprof" : o->filter.by_comm ? "--comm" :
			     o->filter.cgroup ? "--cgroup" : o->filter.by_cpu ? "--cpu" : NULL;

	if (option)
		message("fxt: %s: %s applies to scheduling, and the archive has none; run fxt report without that option\n",
			c->a.path, option);
	if ((o->filter.from.set || o->filter.to.set || o->filter.pids.count) && !s->last)
		return archive_selects_nothing(c->a.path);
	return VERB_DONE;
}

/* Does the output consist of stacks, and has it none? Return: VERB_NOTHING after reporting that */
static int warn_of_stacks(const struct command *c, const struct report *r)
{
	const struct report_stack_list *l = r->stacks.of_threads;

	if ((!c->folded && !c->pprof) || (c->folded && l[folded_kind(c, r)].count) ||
	    (c->pprof && (l[REPORT_STACK_SLEPT].count || l[REPORT_STACK_PREEMPTED].count ||
			  l[REPORT_STACK_RAN].count)))
		return VERB_DONE;
	if (c->on_cpu) {
		message("fxt: %s: %s has no samples of threads that run for --folded --oncpu; fxt-collect --stacks oncpu records them\n",
			c->a.path, r->stacks.has_samples ? "what is selected" : "it");
		return VERB_NOTHING;
	}
	message("fxt: %s: %s has no call stacks of sleeps%s for %s; fxt-collect --stacks offcpu records them\n",
		c->a.path, r->stacks.has ? "what is selected" : "it", c->pprof ? " or preemptions" : "",
		c->pprof ? "--pprof" : "--folded");
	return VERB_NOTHING;
}

/* Empty tables do not show why they are empty. Return: VERB_NOTHING after reporting that */
static int warn_if_nothing(const struct command *c, const struct report *r)
{
	const struct filter *f = &c->options.filter;

	if (r->slices)
		return warn_of_slices(c, r);
	limits_warn(c->a.path, f, r->totals.archive->first);
	if ((f->from.set || f->to.set || f->by_cpu) && !has_activity(r))
		return archive_selects_nothing(c->a.path);
	if (!r->thread_count && r->is_part)
		return scope_is_empty(&r->scope, c->a.path);
	return warn_of_stacks(c, r);
}

static int write_report(struct command *c)
{
	int status = VERB_DONE, nothing = VERB_DONE, end, ret;
	struct report_engine *e;

	ret = report_walk(&e, &c->options, &c->a, NULL, NULL);
	if (report_walk_is_done(ret)) {
		nothing = warn_if_nothing(c, report_of(e));
		status = (c->html ? print_page : print_lines)(c, e);
	}
	report_close(e);
	end = archive_close(&c->a, status == VERB_UNWRITABLE ? 0 : ret);
	if (status)
		return status;
	return end ? end : nothing;
}

static const struct result_kind page = {
	.option = "--html", .is_not = "is not a page of fxt report", .made_by = "fxt report",
};

static int report_archive(struct command *c, const char *path)
{
	int ret = 0, status = earliest_limits("report", &c->a, &path, &c->options.filter);

	if (!status)
		status = earliest_limits("report", &c->a, &path, &c->part);
	if (!status)
		status = archive_open(&c->a, path);
	if (status)
		return status;
	c->options.worst = c->top ? c->top : TOP;
	if (c->html)
		status = result_open(&c->result, c->html, &page);
	if (status) {
		archive_drop(&c->a);
		return status;
	}
	if (c->html)
		ret = report_html_open(&c->page, c->part.from.ns, c->slices ? c->slices : REPORT_HTML_SLICES);
	if (ret) {
		archive_close(&c->a, 0);
		return temporary_failed(c, ret);
	}
	if (c->html)
		c->options.watch = report_html_watch(c->page);
	return write_report(c);
}

static int run_report(void *command, const struct operands *operands)
{
	struct command *c = command;
	int status = check_options(c, operands->paths[0]);

	if (status < 0)
		status = result_end(&c->result, report_archive(c, operands->paths[0]), false);
	report_html_close(c->page);
	return status;
}

const struct verb verb_report = {
	.name = "report",
	.what = "report who ran, who waited, and why: run times and latencies",
	.about =
		"Reports who ran, who waited, and why: run times, counts and latencies by name (all\n"
		"threads of one name), cgroup, process and thread, their wakers, what each CPU did,\n"
		"the longest waits and who had the CPU meanwhile, how long threads slept and who\n"
		"woke them, and losses; what interrupts took, idle states, frequencies, work items,\n"
		"system calls, throttled cgroups, run queues and ends of threads, if the archive has\n"
		"them. A thread waits from its wakeup, or from its preemption, until it is switched\n"
		"in. It sleeps from the switch that takes it off its CPU until its wakeup.\n",
	.more =
		HELP_FILE
		"On a terminal, the text has colours unless NO_COLOR is set, fits the width of the\n"
		"terminal, and is shown by $PAGER, or less.\n"
		HELP_EXIT,
	.rows = rows,
	.schema = report_schema,
	.bytes = sizeof(struct command),
	.filter_at = offsetof(struct command, options.filter),
	.run = run_report,
	.has_default_archive = true,
};
