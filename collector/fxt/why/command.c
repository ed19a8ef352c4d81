// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - fxt why: why a thread was late.
 *
 * In: an archive, options.
 * Out: the causes of a window of a thread's time, as text or JSON.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "answer.h"
#include "program.h"
#include "command/command_line.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "terminal/terminal.h"
#include "tree.h"
#include "walk/io.h"

#define TOP		10	/* branches and rows by default */
#define WORST_MOST	1000

struct command {
	struct archive a;
	struct filter filter;
	struct why_choice choice;
	size_t top;
	bool json;
	struct history *h;
	struct why_walk *walk;
	struct why_windows windows;
	struct why_sums sums;
	struct out out;
};

enum { OPT_THREAD = OPTION_LONG, OPT_PROGRAM, OPT_WORST, OPT_TOP, OPT_JSON };

static const struct option_row rows[] = {
	OPTION_TITLE("Subject (default: the wait that fired the trigger, else the longest wait, else "
		     "the longest sleep)"),
	OPTION(OPT_THREAD, "thread", "NAME|TID", "explain the time of this thread, or of all threads "
	       "of this name: 'nginx*'; * ? [a-z] [!a-z]"),
	OPTION(OPT_PROGRAM, "program", "NAME|PID", "explain what limits this process and those "
	       "that it started, or all processes of this name: who has its time, and who sleeps "
	       "until whom"),
	ROWS_TIMES,
	OPTION(OPT_WORST, "worst", "N", "explain the N longest waits, of these threads if --thread "
	       "is given"),
	ROW_ALL,
	OPTION_TITLE("Output"),
	OPTION(OPT_TOP, "top", "N", "print N rows per table, and N branches of a thread (default: 10)"),
	OPTION(OPT_JSON, "json", NULL, "print one JSON object, all times in ns"),
	ROW_NO_PAGER,
	ROW_QUIET("show no progress"),
	OPTION_HELP,
	OPTION_TITLE("Input"),
	ROWS_INPUT,
	{ 0 },
};

static bool take_number(size_t *number, const char *value, size_t most)
{
	char *end;

	errno = 0;
	*number = *value >= '1' && *value <= '9' ? strtoul(value, &end, 10) : 0;
	return *number && !*end && !errno && *number <= most;
}

static const char *take_threads(struct filter *f, struct filter_ids *ids, const char *value)
{
	if (strspn(value, "0123456789") == strlen(value) && *value)
		return filter_add_ids(ids, value) ? "invalid id" : NULL;
	return filter_set_comm(f, value) ? FILTER_PATTERN_WRONG : NULL;
}

static const char *take_own(void *arg, int option, const char *value)
{
	struct command *c = arg;

	switch (option) {
	case OPT_THREAD:
		return take_threads(&c->filter, &c->filter.tids, value);
	case OPT_PROGRAM:
		c->filter.has_trees = true;
		return take_threads(&c->filter, &c->filter.pids, value);
	case OPT_WORST:
		return take_number(&c->choice.worst, value, WORST_MOST) ? NULL :
			"invalid number of waits; use 1 to 1000";
	case OPT_TOP:
		return take_number(&c->top, value, SIZE_MAX) ? NULL : "invalid number of rows; use e.g. 20";
	default:
		c->json = true;
		return NULL;
	}
}

/* --- answers ----------------------------------------------------------------------------- */

/* Where the parts of one window go. */
struct takers {
	struct why_answer *answer;
	struct why_sums *sums;
	bool keeps_parts;
	bool keeps_tree;
};

static void keep_part(struct why_answer *a, const struct why_part *p, const struct why_by *by,
		      size_t count)
{
	struct why_answer_part *part = tape_add(&a->parts);
	size_t i;

	*part = (struct why_answer_part){ *p, a->by.count, count };
	for (i = 0; i < count; i++)
		*(struct why_by *)tape_add(&a->by) = by[i];
}

static void take_part(void *arg, const struct why_walk *w, const struct why_part *p,
		      const struct why_by *by, size_t count)
{
	struct takers *t = arg;

	why_sums_add(t->sums, w, p, by, count);
	if (t->keeps_tree)
		why_tree_add(&t->answer->tree, w, p, by, count);
	if (t->keeps_parts)
		keep_part(t->answer, p, by, count);
}

static void answer(struct command *c, const struct why_print *p, size_t i, bool has_tree)
{
	struct why_answer a = { .window = &c->windows.list[i] };
	struct takers takers = { &a, &c->sums, c->json, has_tree && !c->json };

	tape_open(&a.parts, sizeof(struct why_answer_part));
	tape_open(&a.by, sizeof(struct why_by));
	why_tree_open(&a.tree, a.window->thread);
	why_go(c->walk, a.window, take_part, &takers);
	why_tree_finish(&a.tree);
	if (c->json)
		why_json_window(p, &a, c->windows.count, !i);
	else if (has_tree)
		why_text_window(p, &a);
	why_tree_close(&a.tree);
	tape_close(&a.parts);
	tape_close(&a.by);
}

static void print(struct command *c)
{
	const struct why_print p = {
		.o = &c->out, .h = c->h, .walk = c->walk, .path = c->a.path,
		.scope = &c->choice.scope, .threads = c->windows.threads, .kind = c->windows.kind,
		.top = c->top ? c->top : TOP,
	};
	bool is_sum = c->windows.kind == WHY_LIFE ||
		      (c->windows.kind == WHY_TIME && c->windows.count > 1);
	size_t i;

	if (c->json)
		why_json_begin(&p, c->windows.count);
	for (i = 0; i < c->windows.count; i++)
		answer(c, &p, i, !is_sum || c->windows.count == 1);
	why_sums_sort(&c->sums);
	if (c->json)
		why_json_end(&p, &c->sums, c->windows.count);
	else if (is_sum)
		why_text_sums(&p, c->windows.list, c->windows.count, &c->sums);
}

static void print_program(struct command *c)
{
	const struct why_print p = {
		.o = &c->out, .h = c->h, .path = c->a.path, .scope = &c->choice.scope,
		.threads = c->windows.threads, .top = c->top ? c->top : TOP,
	};
	struct program program = { 0 };

	must_fit(program_find(&program, c->h, c->windows.list, c->windows.count));
	if (c->json)
		must_fit(why_json_program(&p, &program));
	else
		must_fit(why_text_program(&p, &program));
	program_free(&program);
}

static int nothing(const struct command *c)
{
	if (scope_is_asked(&c->choice.scope) || c->choice.has_time)
		return scope_is_empty(&c->choice.scope, c->a.path);
	message("fxt: %s: no thread waited or slept, so there is nothing to explain\n", c->a.path);
	return VERB_DEVIATES;
}

static int explain(struct command *c)
{
	must_fit(history_finish(c->h));
	must_fit(why_choose(c->h, &c->choice, &c->windows));
	limits_warn(c->a.path, &c->filter, c->h->first);
	if (!c->windows.count)
		return nothing(c);
	c->walk = why_open(c->h, c->windows.count, true);
	out_open(&c->out, STDOUT_FILENO);
	terminal_page();
	if (!c->json && c->windows.kind != WHY_TRIGGER) {
		scope_print(&c->out, &c->choice.scope, c->windows.threads);
		out_char(&c->out, '\n');
	}
	if (c->filter.has_trees)
		print_program(c);
	else
		print(c);
	return archive_output(&c->out, NULL, VERB_DONE);
}

static int run(struct command *c, const char *path)
{
	int status = earliest_limits("why", &c->a, &path, &c->filter), ret, end;

	if (!status)
		status = archive_open(&c->a, path);
	if (status)
		return status;
	c->choice.scope.asked = &c->filter;
	c->choice.has_time = c->filter.from.set || c->filter.to.set;
	c->choice.from = c->filter.from.set ? c->filter.from.ns : 0;
	c->choice.to = c->filter.to.set ? c->filter.to.ns : UINT64_MAX;
	c->h = history_open();
	ret = history_read(c->h, &c->a);
	if (!ret || ret == -EBADMSG)
		status = explain(c);
	end = archive_close(&c->a, status == VERB_UNWRITABLE ? 0 : ret);
	return status ? status : end;
}

static int run_why(int argc, char **argv)
{
	struct command *c = calloc(1, sizeof(*c));
	struct operands operands;
	int status;

	if (!c) {
		message("fxt: why: %s\n", strerror(ENOMEM));
		return VERB_UNREADABLE;
	}
	status = command_line_parse(&verb_why, c, &c->a, &c->filter, argc, argv, &operands);
	if (status < 0 && c->filter.has_trees && c->choice.worst)
		status = archive_usage("why", "--worst", "--program does not explain single waits; "
			"give only one of the two");
	if (status < 0)
		status = run(c, operands.paths[0]);
	why_close(c->walk);
	why_sums_free(&c->sums);
	free(c->windows.list);
	history_close(c->h);
	filter_free(&c->filter);
	free(c);
	return status;
}

const struct verb verb_why = {
	.name = "why",
	.what = "explain why a thread was late: until whom it slept, and who had its CPU",
	.about =
		"Explains a wait, or any time of a thread: when it ran, who had the CPU while it was\n"
		"runnable, and, while it slept, what the thread that finally woke it was doing,\n"
		"and so on to the end of the chain: a thread that ran, an interrupt, or the limits\n"
		"of what was recorded. The parts add up to the time exactly; what the archive does\n"
		"not prove is unknown.\n",
	.more =
		"With --program, each instant is shared by the threads that run then, so that one that\n"
		"runs alone gets all of it; who sleeps until whom is summed up. The threads until which\n"
		"others sleep, and that sleep until no one themselves, are named: look there first.\n"
		"With --thread, but without --from, --to or --worst, all recorded time of these\n"
		"threads is explained, and summed by cause.\n"
		"FILE may be - for standard input, and compressed with gzip or zstd (default:\n"
		FXT_SCHED_ARCHIVE ").\n"
		"exit status: 0 done; 1 records were skipped, or nothing is selected; 2 wrong usage;\n"
		"3 the archive cannot be read; 4 the output, or a temporary file, cannot be written.\n",
	.rows = rows,
	.run = run_why,
	.take = take_own,
	.has_default_archive = true,
};
