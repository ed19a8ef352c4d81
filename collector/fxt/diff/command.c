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
#include "terminal/message.h"
#include "terminal/terminal.h"
#include "walk/io.h"
#include "liboutput/out.h"
#include "write/result.h"

#define ROWS		10	/* rows of each kind by default */
#define LEAST		0.04	/* least relative change by default */
#define RUNS_MOST	64	/* of a side */
#define SESSION_MOST	(64U << 10)

struct command {
	struct archive a;
	struct filter filter;
	struct diff d;
	size_t top;		/* 0: not given */
	bool json;
	const char *html;	/* path, or NULL */
	const char *per;
	struct diff_preemptions preemptions;
	struct fxt_content content;
	struct out out;
};

enum { OPT_PER = OPTION_LONG, OPT_LEAST, OPT_TOP, OPT_JSON, OPT_HTML };

static bool unit_word(unsigned int i, struct option_word *w)
{
	static const char *const words[] = { "switches-of:", "syscall:" };

	if (i >= sizeof(words) / sizeof(words[0]))
		return false;
	w->name = words[i];
	return true;
}

static const struct option_row rows[] = {
	OPTION_TITLE("Comparison"),
	OPTION(OPT_PER, "per", "UNIT", "compare costs per unit of work instead of per second: "
	       "switches-of:NAME, syscall:NAME", .kind = OPTION_BEGIN, .words = unit_word),
	OPTION(OPT_LEAST, "least", "PERCENT", "list changes of PERCENT or more (default: 4)"),
	OPTION_TITLE("Threads (select what is compared, except CPUs, interrupts, work items and system calls)"),
	ROWS_THREADS,
	OPTION_TITLE("Filters (select what is counted)"),
	ROW_CPU("count only what happens on these CPUs: 0,2-5"),
	ROWS_TIMES,
	OPTION_TITLE("Output"),
	OPTION(OPT_TOP, "top", "N", "print N rows of each kind (default: 10; with --json or --html: all)"),
	OPTION(OPT_JSON, "json", NULL, "print one JSON object, all times in ns"),
	OPTION(OPT_HTML, "html", "OUT", "write a page for browsers to OUT, with flame graphs and "
	       "the histograms of waits of both sides; it needs no network", .kind = OPTION_FILE),
	ROW_FORCE("replace OUT even if it is not a page of fxt; a page is kept as OUT.old"),
	ROW_NO_PAGER,
	ROW_QUIET("show no progress"),
	OPTION_HELP,
	OPTION_TITLE("Input"),
	ROWS_INPUT,
	{ 0 },
};

/* --- the command line ---------------------------------------------------------------------- */

static bool take_number(const char *value, double most, double *number)
{
	char *end;

	if (*value < '0' || *value > '9')
		return false;
	*number = strtod(value, &end);
	return !*end && *number <= most;
}

static const char *take_per(struct diff *d, const char *value)
{
	const char *name = strchr(value, ':');

	d->unit = name ? name + 1 : NULL;
	d->is_call = !strncmp(value, "syscall:", 8);
	if (!name || !*d->unit || (!d->is_call && strncmp(value, "switches-of:", 12)))
		return "unknown unit of work; use e.g. switches-of:worker or syscall:write";
	return d->is_call || !fxt_glob_compile(&d->glob, d->unit) ? NULL : FILTER_PATTERN_WRONG;
}

static const char *take_own(void *arg, int option, const char *value)
{
	struct command *c = arg;
	double number;

	switch (option) {
	case OPT_PER:
		c->per = value;
		return take_per(&c->d, value);
	case OPT_LEAST:
		if (!take_number(value, 1000, &number))
			return "invalid percentage; use e.g. 4 or 0.5";
		c->d.least = number / 100;
		return NULL;
	case OPT_TOP:
		if (!take_number(value, 1e9, &number) || number < 1)
			return "invalid number of rows; use e.g. 20";
		c->top = number;
		return NULL;
	case OPT_HTML:
		c->html = value;
		return NULL;
	default:
		c->json = true;
		return NULL;
	}
}

static int no_memory(void)
{
	message("fxt: diff: %s\n", strerror(ENOMEM));
	return VERB_UNREADABLE;
}

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
static int take_runs(struct command *c, const struct operands *files, char **more, int more_count)
{
	int status = -1, i;

	c->d.runs = calloc(files->count + more_count + 1, sizeof(*c->d.runs));
	if (!c->d.runs)
		return no_memory();
	if (!more && files->count != 2)
		return archive_usage("diff", NULL, files->count < 2 ? "a second archive is missing" :
				     "more than two archives; separate A and B by --");
	if (more && !more_count)
		return archive_usage("diff", "--", "no archive after --");
	for (i = 0; i < files->count && status < 0; i++)
		status = add_run(c, files->paths[i], !more && i);
	for (i = 0; i < more_count && status < 0; i++)
		status = add_run(c, more[i], 1);
	return status;
}

/* -1 if there is work to do, else the exit status. */
static int parse(struct command *c, int argc, char **argv)
{
	struct operands files;
	int status, at;

	c->d.least = LEAST;
	for (at = 1; at < argc && strcmp(argv[at], "--"); at++)
		;
	status = command_line_parse(&verb_diff, c, &c->a, &c->filter, at, argv, &files);
	if (status >= 0)
		return status;
	if (c->html && c->json)
		return archive_usage("diff", "--html", "give either --html or --json");
	return take_runs(c, &files, at < argc ? argv + at + 1 : NULL, at < argc ? argc - at - 1 : 0);
}

/* --- reading ------------------------------------------------------------------------------- */

/* Keep the description of the recording. Return: 0 or -ENOMEM. */
static int note_session(struct command *c, struct diff_run *run, const struct fxt_record *rec)
{
	const struct fxt_content *content = &c->content;
	char *more;

	if (rec->kind != FXT_KIND_BLOB || fxt_reader_content(c->a.r, rec, &c->content) ||
	    content->name.known != FXT_STR_SESSION || !content->blob.bytes ||
	    content->blob.bytes > SESSION_MOST - run->session_bytes)
		return 0;
	more = realloc(run->session, run->session_bytes + content->blob.bytes);
	if (!more)
		return -ENOMEM;
	run->session = more;
	memcpy(more + run->session_bytes, content->blob.data, content->blob.bytes);
	run->session_bytes += content->blob.bytes;
	return 0;
}

static int walk(struct command *c, struct report_engine *e, struct diff_run *run)
{
	struct archive *a = &c->a;
	struct fxt_record rec;
	int ret;

	while ((ret = report_next(e, a->r, &rec)) > 0) {
		ret = note_session(c, run, &rec);
		if (!ret)
			ret = report_record(e, a->r, &rec);
		if (!archive_goes_on(a, ret))
			return ret;
	}
	return ret;
}

/* Return: VERB_DONE, or VERB_DEVIATES after reporting that nothing can be compared. */
static int note_run(const struct command *c, struct diff_run *run, const struct report *r)
{
	const struct sched_totals *n = r->totals.archive;

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
	return VERB_DEVIATES;
}

static int take_run(struct command *c, size_t i, struct report_engine *e)
{
	struct diff_run *run = &c->d.runs[i];
	int ret = walk(c, e, run), end, status = VERB_DONE;

	if (!ret || ret == -EBADMSG) {
		end = report_finish(e);
		if (!end)
			status = note_run(c, run, report_of(e));
		if (!end && !status)
			end = diff_take_report(&c->d, i, report_of(e), &c->preemptions);
		ret = end ? end : ret;
	}
	end = archive_close(&c->a, ret);
	run->skipped = end == VERB_DEVIATES;
	return status ? status : run->skipped ? VERB_DONE : end;
}

static int read_run(struct command *c, size_t i, const struct archive *how)
{
	struct report_options options = { .filter = c->filter, .worst = 1, .only_sums = true };
	const char *path = c->d.runs[i].path;
	struct report_engine *e;
	int status, ret;

	c->a = *how;
	status = earliest_limits("diff", &c->a, &path, &options.filter);
	if (!status)
		status = archive_open(&c->a, path);
	if (status)
		return status;
	diff_preemptions_open(&c->preemptions, &c->d, i);
	options.watch = &c->preemptions.watch;
	ret = report_open(&e, &options);
	if (ret)
		return archive_close(&c->a, ret);
	status = take_run(c, i, e);
	diff_preemptions_free(&c->preemptions);
	report_close(e);
	return status;
}

/* --- output -------------------------------------------------------------------------------- */

static bool is_our_page(int fd)
{
	struct result_ends ends;

	return result_read_ends(fd, &ends) && strstr(ends.head, "<!-- Made by fxt diff --html.");
}

static const struct result_kind page = {
	.option = "--html", .is_not = "is not a page of fxt diff", .is_ours = is_our_page,
};

static int print_page(struct command *c)
{
	struct result result;
	int status = result_open(&result, c->html, &page);

	if (status)
		return status;
	out_open(&c->out, result.fd);
	if (diff_print_html(&c->out, &c->d, c->top ? c->top : SIZE_MAX)) {
		message("fxt: cannot write %s: out of memory\n", c->html);
		status = VERB_UNWRITABLE;
	}
	status = archive_output(&c->out, c->html, status);
	return result_end(&result, status, !status);
}

static int print(struct command *c)
{
	if (c->html)
		return print_page(c);
	terminal_page();
	out_open(&c->out, STDOUT_FILENO);
	if (c->json)
		diff_print_json(&c->out, &c->d, c->top ? c->top : SIZE_MAX);
	else
		diff_print_text(&c->out, &c->d, c->top ? c->top : ROWS);
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
	if (diff_compare(&c->d))
		return no_memory();
	status = print(c);
	return status ? status : skipped ? VERB_DEVIATES : VERB_DONE;
}

static int run_diff(int argc, char **argv)
{
	struct command *c = calloc(1, sizeof(*c));
	int status;

	if (!c)
		return no_memory();
	status = parse(c, argc, argv);
	if (status < 0)
		status = compare(c);
	diff_free(&c->d);
	filter_free(&c->filter);
	free(c);
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
	.run = run_diff,
	.take = take_own,
	.several = true,
	.operands = "A... -- B...",
};
