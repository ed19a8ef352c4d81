// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - fxt why: why a thread was late.
 *
 * In: an archive, options.
 * Out: the causes of a window of a thread's time, as text or JSON.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "answer.h"
#include "command/command_line.h"
#include "command/history_answer.h"
#include "terminal/message.h"
#include "terminal/terminal.h"
#include "tree.h"
#include "walk/io.h"

#define TOP		10	/* branches and rows by default */

struct command {
	struct archive a;
	struct filter filter;
	struct why_choice choice;
	uint64_t top;
	bool json;
	bool folded;
	bool has_thread;	/* --thread is given */
	struct history *h;
	struct why_windows windows;
	struct why_sums sums;
	struct out out;
};

/* An id or the name of threads, for @ids or @f. */
static const char *set_threads(struct filter *f, struct filter_ids *ids, const char *value)
{
	if (strspn(value, "0123456789") == strlen(value) && *value)
		return filter_add_ids(ids, value) ? "invalid id" : NULL;
	return filter_set_comm(f, value);
}

static const char *set_thread(void *command, const char *value)
{
	struct command *c = command;

	c->has_thread = true;
	return set_threads(&c->filter, &c->filter.tids, value);
}

static const char *set_program(void *command, const char *value)
{
	struct command *c = command;

	c->filter.has_trees = true;
	return set_threads(&c->filter, &c->filter.pids, value);
}

static const struct option_row rows[] = {
	OPTION_TITLE("Subject (default: the wait that fired the trigger, else the longest wait, else "
		     "the longest sleep)"),
	OPTION(0, "thread", "NAME|TID", "explain the time of this thread, or of all threads "
	       "of this name: 'nginx*'; * ? [a-z] [!a-z]",
	       .set = set_thread),
	OPTION(0, "program", "NAME|PID", "explain what limits this process and those "
	       "that it started, or all processes of this name: which threads use its time, and "
	       "which wait for each other", .set = set_program),
	ROWS_TIMES(struct command, filter),
	OPTION(0, "worst", "N", "explain the N longest waits, of these threads if --thread "
	       "is given", OPTION_SETS_NUMBER(struct command, choice.worst, 1, 1000,
					      "invalid number of waits; use 1 to 1000")),
	ROW_ALL(struct command, filter),
	OPTION_TITLE("Output"),
	OPTION(0, "top", "N", "print N rows per table, and N branches of a thread (default: 10)",
	       OPTION_SETS_NUMBER(struct command, top, 1, 0, TOP_WRONG)),
	OPTION(0, "folded", NULL, "print a line for each stack that threads ran in meanwhile, by "
	       "samples, for tools that draw flame graphs: NAME;FUNCTION;... and ns",
	       OPTION_SETS_BOOL(struct command, folded)),
	ROWS_JSON(struct command, json, JSON_OBJECT),
	ROW_NO_PAGER,
	ROW_QUIET("show no progress"),
	OPTION_HELP,
	OPTION_TITLE("Input"),
	ROWS_INPUT(struct command, a),
	{ 0 },
};

/* --- answers ----------------------------------------------------------------------------- */

struct destination {
	struct why_answer *answer;
	struct why_sums *sums;
	struct why_ran *ran;
	bool keeps_parts;
	bool keeps_tree;
};

static void add_part(void *arg, const struct why_walk *w, const struct why_part *p,
		     const struct why_by *by, size_t count)
{
	struct destination *d = arg;
	struct why_answer_part *part;
	size_t i;

	why_sums_add(d->sums, w, p, by, count);
	why_ran_add(d->ran, p, count);
	if (d->keeps_tree)
		why_tree_add(&d->answer->tree, w, p, by, count);
	if (!d->keeps_parts)
		return;
	part = tape_add(&d->answer->parts);
	*part = (struct why_answer_part){ *p, d->answer->by.count, count };
	for (i = 0; i < count; i++)
		*(struct why_by *)tape_add(&d->answer->by) = by[i];
}

static void answer(struct command *c, const struct why_print *p, size_t i, bool has_tree)
{
	struct why_answer a = { .window = &c->windows.list[i] };
	struct destination to = { &a, &c->sums, p->ran, c->json, has_tree && !c->json };

	tape_open(&a.parts, sizeof(struct why_answer_part), TAPE_LITTLE);
	tape_open(&a.by, sizeof(struct why_by), TAPE_LITTLE);
	why_tree_open(&a.tree, a.window->thread);
	why_go(p->walk, a.window, add_part, &to);
	why_tree_finish(&a.tree);
	if (to.keeps_tree)
		why_ran_sum(p->ran);
	if (c->json)
		why_json_window(p, &a, c->windows.count, !i);
	else if (has_tree)
		why_text_window(p, &a);
	why_tree_close(&a.tree);
	tape_close(&a.parts);
	tape_close(&a.by);
}

static void print(struct command *c, struct why_print *p)
{
	bool is_sum = c->windows.kind == WHY_LIFE ||
		      (c->windows.kind == WHY_TIME && c->windows.count > 1);
	bool has_trees = !c->folded && (!is_sum || c->windows.count == 1);
	size_t i;

	p->walk = why_open(c->h, c->windows.count, true);
	if (c->json)
		why_json_begin(p, c->windows.count);
	for (i = 0; i < c->windows.count; i++)
		answer(c, p, i, has_trees);
	why_sums_sort(&c->sums);
	if (c->json || !has_trees)
		why_ran_sum(p->ran);
	if (c->folded)
		why_folded(p);
	else if (c->json)
		why_json_end(p, &c->sums, c->windows.count);
	else if (is_sum)
		why_text_sums(p, c->windows.list, c->windows.count, &c->sums);
	why_close(p->walk);
	why_sums_free(&c->sums);
}

static void print_program(struct command *c, const struct why_print *p)
{
	struct program program = { .ran = p->ran };

	program_find(&program, c->h, c->windows.list, c->windows.count);
	why_ran_sum(p->ran);
	if (c->folded)
		why_folded(p);
	else
		(c->json ? why_json_program : why_text_program)(p, &program);
	program_free(&program);
}

static int nothing(const struct command *c)
{
	if (scope_is_asked(&c->choice.scope) || c->choice.has_time)
		return scope_is_empty(&c->choice.scope, c->a.path);
	message("fxt: %s: no thread waited or slept, so there is nothing to explain\n", c->a.path);
	return VERB_NOTHING;
}

/* Returns VERB_NOTHING after reporting that there is no line. */
static int warn_of_samples(const struct command *c, const struct why_print *p)
{
	if (why_ran_list(p->ran, WHY_RAN_CHAIN).count || why_ran_list(p->ran, WHY_RAN_CPU).count)
		return VERB_DONE;
	message("fxt: %s: %s has no samples of threads that run for --folded; fxt-collect --stacks oncpu records them\n",
		c->a.path, p->ran ? "what is explained" : "it");
	return VERB_NOTHING;
}

static int explain(void *command, struct history *h)
{
	struct command *c = command;
	struct why_print p = {
		.o = &c->out, .h = h, .path = c->a.path, .scope = &c->choice.scope,
		.top = c->top ? c->top : TOP,
	};
	int status;

	c->h = h;
	c->choice.scope.asked = &c->filter;
	c->choice.has_time = c->filter.from.set || c->filter.to.set;
	c->choice.from = c->filter.from.set ? c->filter.from.ns : 0;
	c->choice.to = c->filter.to.set ? c->filter.to.ns : UINT64_MAX;
	why_choose(h, &c->choice, &c->windows);
	limits_warn(c->a.path, &c->filter, h->first);
	if (!c->windows.count)
		return nothing(c);
	p.threads = c->windows.threads;
	p.kind = c->windows.kind;
	p.ran = why_ran_open(h, c->filter.has_trees);
	out_open(&c->out, STDOUT_FILENO);
	terminal_page();
	if (!c->json && !c->folded && p.kind != WHY_TRIGGER && p.kind != WHY_TRIGGER_SLEEP) {
		scope_print(&c->out, p.scope, p.threads);
		out_char(&c->out, '\n');
	}
	if (c->filter.has_trees)
		print_program(c, &p);
	else
		print(c, &p);
	free(c->windows.list);
	status = c->folded ? warn_of_samples(c, &p) : VERB_DONE;
	why_ran_close(p.ran);
	return archive_output(&c->out, NULL, status);
}

static int run_why(void *command, const struct operands *operands)
{
	struct command *c = command;

	if (c->filter.has_trees && c->has_thread)
		return archive_usage("why", "--thread", "--program explains all threads of a program; "
			"give only one of the two");
	if (c->filter.has_trees && c->choice.worst)
		return archive_usage("why", "--worst", "--program does not explain single waits; "
			"give only one of the two");
	if (c->folded && c->json)
		return archive_usage("why", "--folded", "it is an output of its own; give only one of --folded and --json");
	return history_answer("why", &c->a, operands->paths[0], &c->filter, explain, c);
}

static const struct schema schema[] = {
	{ .is = IS_OBJECT, .about = "one wait, sleep or time", .of = why_schema_window },
	{ .is = IS_OBJECT, .about = "several of these", .of = why_schema_windows },
	{ .is = IS_OBJECT, .about = "with --program", .of = why_schema_program },
	{ 0 }
};

const struct verb verb_why = {
	.name = "why",
	.what = "explain why a thread was late: which thread it waited for, and who had its CPU",
	.about =
		"Explains a wait, or any time of a thread: when it ran, who had the CPU while it\n"
		"was runnable, and what the thread that woke it did while it slept. The chain of\n"
		"wakers ends at a thread that ran, at an interrupt, or where the recording shows no\n"
		"more. The parts add up to the time exactly; what is not proved is unknown.\n",
	.more =
		"With --program, threads that run at the same time share it, so a thread that runs\n"
		"alone gets all of its time. Sleeps are summed up by who slept and who woke it in\n"
		"the end. The threads at the ends of these chains are the first to look at.\n"
		"With --thread, but without --from, --to or --worst, all recorded time of these\n"
		"threads is explained, and summed by cause.\n"
		HELP_FILE
		HELP_EXIT,
	.rows = rows,
	.schema = schema,
	.bytes = sizeof(struct command),
	.filter_at = offsetof(struct command, filter),
	.run = run_why,
	.has_default_archive = true,
};
