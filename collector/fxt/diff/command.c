// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - fxt diff: what changed between recordings?
 *
 * In: archives of side A and of side B.
 * Out: struct diff, printed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/command_line.h"
#include "diff.h"
#include "report/walk.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "terminal/terminal.h"
#include "walk/io.h"
#include "liboutput/out.h"
#include "write/result.h"

#define TOP		10	/* rows of each kind by default */
#define LEAST		0.04	/* least relative change by default */
#define RUNS_MOST	64	/* of a side */
#define SESSION_MOST	(64U << 10)

struct command {
	struct archive a;
	struct filter filter;
	struct diff d;
	uint64_t top;		/* 0: not given */
	bool json;
	const char *html;	/* path, or NULL */
	const char *per;
	struct diff_run *run;	/* being read */
	struct diff_preemptions preemptions;
	struct fxt_content content;
	struct out out;
};

static bool unit_word(unsigned int i, struct option_word *w)
{
	static const char *const words[] = { "switches-of:", "syscall:" };

	if (i >= sizeof(words) / sizeof(words[0]))
		return false;
	w->name = words[i];
	return true;
}

static const char *set_unit(void *command, const char *value)
{
	struct diff *d = &((struct command *)command)->d;
	const char *name = strchr(value, ':');

	((struct command *)command)->per = value;
	d->unit = name ? name + 1 : NULL;
	d->is_call = !strncmp(value, "syscall:", 8);
	if (!name || !*d->unit || (!d->is_call && strncmp(value, "switches-of:", 12)))
		return "unknown unit of work; use e.g. switches-of:worker or syscall:write";
	return d->is_call || !fxt_glob_compile(&d->glob, d->unit) ? NULL :
	       "invalid pattern; thread names have at most 15 bytes; use e.g. 'nginx*'";
}

static const char *set_least(void *share, const char *value)
{
	double *least = share;
	char *end;

	*least = *value >= '0' && *value <= '9' ? strtod(value, &end) / 100 : 11;
	return *least <= 10 && !*end ? NULL : "invalid percentage; use e.g. 4 or 0.5";
}

static const struct option_row rows[] = {
	OPTION_TITLE("Comparison"),
	OPTION(0, "per", "UNIT", "compare costs per unit of work instead of per second: "
	       "switches-of:NAME, syscall:NAME", .kind = OPTION_BEGIN, .words = unit_word,
	       .set = set_unit),
	OPTION(0, "least", "PERCENT", "list changes of PERCENT or more (default: 4)",
	       OPTION_SETS(set_least, struct command, d.least)),
	OPTION_TITLE("Threads (select what is compared, except CPUs, interrupts, work items and system calls)"),
	ROWS_THREADS(struct command, filter),
	OPTION_TITLE("Filters (select what is counted)"),
	ROW_CPU(struct command, filter, "count only what happens on these CPUs: 0,2-5"),
	ROWS_TIMES(struct command, filter),
	OPTION_TITLE("Output"),
	OPTION(0, "top", "N", "print N rows of each kind (default: 10; with --json or --html: all)",
	       OPTION_SETS_NUMBER(struct command, top, 1, 0, TOP_WRONG)),
	ROWS_JSON(struct command, json, JSON_OBJECT),
	OPTION(0, "html", "OUT", "write a page for browsers to OUT, with flame graphs, "
	       "the histograms of waits and the timelines of both sides; it needs no network", .kind = OPTION_FILE,
	       OPTION_SETS_STRING(struct command, html)),
	ROW_FORCE("replace OUT even if it is not a page of fxt; a page is kept as OUT.old"),
	ROW_NO_PAGER,
	ROW_QUIET("show no progress"),
	OPTION_HELP,
	OPTION_TITLE("Input"),
	ROWS_INPUT(struct command, a),
	{ 0 },
};

static int add_run(struct command *c, const char *path, unsigned int side)
{
	struct diff *d = &c->d;

	if (d->counts[side] == RUNS_MOST)
		return archive_usage("diff", path, "more than 64 runs of a side");
	if (c->html && archive_is_same(path, c->html))
		return archive_usage("diff", c->html, "is an archive of the comparison; name another output file");
	d->runs[diff_run_count(d)] = (struct diff_run){ .path = path, .side = side };
	d->counts[side]++;
	return -1;
}

/* Archives before "--" are A, those after it B; without "--" there is one of each. */
static int add_runs(struct command *c, const struct operands *files)
{
	int status = -1, i, of_a = files->count - files->after;

	c->d.runs = must(calloc(files->count, sizeof(*c->d.runs)));
	if (files->after < 0 && files->count != 2)
		return archive_usage("diff", NULL, files->count < 2 ? "a second archive is missing" :
				     "more than two archives; separate A and B by --");
	if (files->after < 0)
		of_a = 1;
	if (of_a <= 0)
		return archive_usage("diff", "--", "no archive before --");
	if (of_a == files->count)
		return archive_usage("diff", "--", "no archive after --");
	for (i = 0; i < files->count && status < 0; i++)
		status = add_run(c, files->paths[i], i >= of_a);
	return status;
}

/* --- reading ------------------------------------------------------------------------------- */

static void note_session(void *command, const struct fxt_record *rec)
{
	struct command *c = command;
	const struct fxt_content *content = &c->content;
	struct diff_run *run = c->run;

	if (rec->kind != FXT_KIND_BLOB || fxt_reader_content(c->a.r, rec, &c->content) ||
	    content->name.known != FXT_STR_SESSION || !content->blob.bytes ||
	    content->blob.bytes > SESSION_MOST - run->session_bytes)
		return;
	run->session = must(realloc(run->session, run->session_bytes + content->blob.bytes));
	memcpy(run->session + run->session_bytes, content->blob.data, content->blob.bytes);
	run->session_bytes += content->blob.bytes;
}

/* Returns VERB_DONE, or VERB_NOTHING after reporting that nothing can be compared. */
static int note_run(const struct command *c, const struct report *r)
{
	const struct sched_totals *n = r->totals.archive;
	struct diff_run *run = c->run;

	limits_warn(run->path, &c->filter, n->first);
	run->from = r->totals.from;
	run->to = r->totals.from + report_window(r);
	run->cpus = r->totals.cpus;
	run->threads = r->thread_count;
	run->scope = r->scope;
	run->scope.asked = &c->filter;
	snprintf(run->command, sizeof(run->command), "%s", r->scope.name ? r->scope.name : "");
	run->scope.name = run->command;
	run->lost = n->lost;
	run->written = n->written;
	run->violations = r->totals.violations;
	run->is_told = n->ledgers && !n->is_imported;
	run->is_truncated = n->unclosed;
	run->divisor = diff_units(&c->d, r);
	if (run->divisor > 0 && run->to > run->from)
		return VERB_DONE;
	if (c->per && run->to > run->from)
		message("fxt: %s: it has no %s to compare by; run fxt report to see what it has\n",
			run->path, c->per);
	else
		message("fxt: %s: it has no scheduling to compare; run fxt info to see what it has\n",
			run->path);
	return VERB_NOTHING;
}

static int read_run(struct command *c, size_t i, const struct archive *how)
{
	struct report_options options = { .filter = c->filter, .worst = 1, .only_sums = true };
	const char *path = c->d.runs[i].path;
	struct report_engine *e;
	int status, ret, end;

	c->a = *how;
	c->run = &c->d.runs[i];
	status = earliest_limits("diff", &c->a, &path, &options.filter);
	if (!status)
		status = archive_open(&c->a, path);
	if (status)
		return status;
	diff_preemptions_open(&c->preemptions, &c->d, i);
	options.watch = &c->preemptions.watch;
	ret = report_walk(&e, &options, &c->a, note_session, c);
	if (report_walk_is_done(ret))
		status = note_run(c, report_of(e));
	if (report_walk_is_done(ret) && !status)
		diff_add_report(&c->d, i, report_of(e), &c->preemptions);
	diff_preemptions_free(&c->preemptions);
	report_close(e);
	end = archive_close(&c->a, ret);
	c->run->skipped = end == VERB_DEVIATES;
	return status ? status : c->run->skipped ? VERB_DONE : end;
}

/* --- output -------------------------------------------------------------------------------- */

static const struct result_kind page = {
	.option = "--html", .is_not = "is not a page of fxt diff", .made_by = "fxt diff",
};

static int print_page(struct command *c, const struct archive *how)
{
	const struct diff_source from = { how, &c->filter };
	struct result result;
	int status = result_open(&result, c->html, &page);

	if (status)
		return status;
	out_open(&c->out, result.fd);
	status = diff_print_html(&c->out, &c->d, c->top ? c->top : SIZE_MAX, &from);
	status = archive_output(&c->out, c->html, status);
	return result_end(&result, status, !status);
}

static int print(struct command *c, const struct archive *how)
{
	if (c->html)
		return print_page(c, how);
	terminal_page();
	out_open(&c->out, STDOUT_FILENO);
	if (c->json)
		diff_print_json(&c->out, &c->d, c->top ? c->top : SIZE_MAX);
	else
		diff_print_text(&c->out, &c->d, c->top ? c->top : TOP);
	return archive_output(&c->out, NULL, VERB_DONE);
}

static int compare(struct command *c)
{
	const struct archive how = c->a;
	int status = VERB_DONE;
	bool skipped = false;
	size_t i;

	for (i = 0; i < diff_run_count(&c->d) && !status; i++) {
		status = read_run(c, i, &how);
		skipped |= c->d.runs[i].skipped;
	}
	if (status)
		return status;
	diff_compare(&c->d);
	status = print(c, &how);
	return status ? status : skipped ? VERB_DEVIATES : VERB_DONE;
}

static void set_defaults(void *command)
{
	((struct command *)command)->d.least = LEAST;
}

static int run_diff(void *command, const struct operands *operands)
{
	struct command *c = command;
	int status;

	if (c->html && c->json)
		return archive_usage("diff", "--html", "give either --html or --json");
	status = add_runs(c, operands);
	if (status < 0)
		status = compare(c);
	diff_free(&c->d);
	return status;
}

const struct verb verb_diff = {
	.name = "diff",
	.what = "compare recordings: what runs, waits or sleeps more or less than before",
	.about =
		"Compares two recordings, or several per side: time and count of runs, waits and sleeps\n"
		"of each name, process, cgroup, CPU, stack, interrupt, work item and system call, and who\n"
		"preempted whom. The change that matters most comes first:\n"
		"\n"
		"  indexer: run 605ms -> 727ms (+20%), woken 301 -> 1199 times (x4)\n"
		"\n"
		"With several runs per side, as in fxt diff A1 A2 A3 -- B1 B2 B3, a rank test tells\n"
		"changes from chance. Differences between the machines and recordings are printed first.\n",
	.more =
		"exit status: 0 done, whether or not something changed; 1 records were skipped, or there\n"
		"is nothing to compare; 2 wrong usage; 3 an archive cannot be read; 4 the output cannot\n"
		"be written.\n",
	.rows = rows,
	.schema = diff_schema,
	.bytes = sizeof(struct command),
	.filter_at = offsetof(struct command, filter),
	.begin = set_defaults,
	.run = run_diff,
	.several = true,
	.operands = "A... -- B...",
};
