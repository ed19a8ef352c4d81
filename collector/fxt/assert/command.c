// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - fxt assert: do claims hold in recordings?
 *
 * In: expressions, archives.
 * Out: a verdict for each; the exit status is that of all.
 * Must hold: the status is 0 only if each claim holds whatever the archives lack.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "claims.h"
#include "expression.h"
#include "judge.h"
#include "command/command_line.h"
#include "report/walk.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "walk/io.h"

#define LOOKS		16	/* different lists of CPUs */
#define EXPRESSIONS	256

struct look {
	struct report_options options;	/* select the CPUs */
	const struct comparison *first;	/* that selects them */
	struct report_engine *engine;
	bool skipped;			/* records could not be read */
	bool deviates;			/* records deviate from the format */
};

struct command {
	struct archive a;
	struct filter filter;		/* times */
	const char *texts[EXPRESSIONS];
	size_t text_count;
	bool json;
	bool trusts;
	struct claim *claims;
	struct look looks[LOOKS];
	size_t look_count;
	struct out out;
};

static const char *add_expression(void *command, const char *value)
{
	struct command *c = command;

	if (c->text_count == EXPRESSIONS)
		return "too many expressions";
	c->texts[c->text_count++] = value;
	return NULL;
}

static const struct option_row rows[] = {
	OPTION_TITLE("Claims"),
	OPTION('e', "expression", "EXPRESSION", "judge this claim; then all arguments are "
	       "archives; if repeated, all claims must hold", .set = add_expression),
	OPTION(0, "assume-complete", NULL, "assume that the archive is complete: "
	       "nothing was lost, filtered, hidden or cut off",
	       OPTION_SETS_BOOL(struct command, trusts)),
	OPTION_TITLE("Output"),
	ROWS_JSON(struct command, json, JSON_LINES),
	ROW_QUIET("show no progress"),
	OPTION_HELP,
	OPTION_TITLE("Filters (select what is judged; a claim's own selectors come first)"),
	ROWS_THREADS(struct command, filter),
	ROW_CPU(struct command, filter, "judge only what happens on these CPUs: 0,2-5"),
	ROWS_TIMES(struct command, filter),
	OPTION_TITLE("Input"),
	ROWS_INPUT(struct command, a),
	{ 0 },
};

/* --- expressions --------------------------------------------------------------------------- */

static int report_wrong(const struct expression *e)
{
	message("fxt: assert: column %zu: %s; see fxt assert --help\n", e->at + 1, e->why);
	message("  %s\n", e->text);
	message("  %*s^\n", (int)e->at, "");
	return VERB_USAGE;
}

static bool has_same_cpus(const struct filter *a, const struct filter *b)
{
	return a->by_cpu == b->by_cpu && !memcmp(a->cpus, b->cpus, sizeof(a->cpus));
}

/* Find or add the walk for a comparison; NULL if there are too many. */
static struct look *look_for(struct command *c, const struct comparison *of)
{
	struct look *look;
	size_t i;

	for (i = 0; i < c->look_count; i++)
		if (has_same_cpus(&of->filter, &c->looks[i].first->filter))
			return &c->looks[i];
	if (c->look_count == LOOKS)
		return NULL;
	look = &c->looks[c->look_count++];
	look->first = of;
	return look;
}

/* What the command line selects, where a claim does not. */
static void add_defaults(struct comparison *of, const struct filter *f)
{
	struct filter *own = &of->filter;
	size_t i;

	own->is_all = f->is_all;
	own->cgroup = own->cgroup ? own->cgroup : f->cgroup;
	if (!own->by_comm && f->by_comm)
		filter_set_comm(own, f->comm_text);
	if (!own->by_cpu && of->quantity->class != CLASS_LOSSES) {
		own->by_cpu = f->by_cpu;
		memcpy(own->cpus, f->cpus, sizeof(own->cpus));
	}
	if (own->pids.count)
		return;
	for (i = 0; i < f->pids.count; i++)
		filter_add_id(&own->pids, f->pids.ids[i]);
}

/* Returns -1, or the exit status after reporting the error. */
static int parse_expression(struct command *c, struct claim *claim, const char *text)
{
	struct expression *e = &claim->e;
	size_t i;

	if (!expression_parse(e, text))
		return report_wrong(e);
	claim->of = must(calloc(e->count, sizeof(*claim->of)));
	for (i = 0; i < e->count; i++) {
		struct comparison *of = e->nodes[i].comparison;

		if (!of)
			continue;
		add_defaults(of, &c->filter);
		if (!look_for(c, of))
			return archive_usage("assert", NULL, "more than 16 different lists of CPUs");
	}
	return -1;
}

/* --- walks --------------------------------------------------------------------------------- */

/* Returns VERB_DONE, with look->engine; or the exit status after reporting why. */
static int run_look(struct io *io, struct look *look)
{
	int status = io_open(io), ret;

	if (status)
		return status;
	ret = report_walk(&look->engine, &look->options, &io->a, NULL, NULL);
	look->deviates = fxt_reader_totals(io->a.r)->deviations;
	status = archive_close(&io->a, ret);
	look->skipped = status == VERB_DEVIATES;
	return look->skipped ? VERB_DONE : status;
}

static int run_looks(struct command *c, struct io *io)
{
	int status = c->look_count > 1 ? io_rereadable(io) : VERB_DONE;
	size_t i;

	for (i = 0; i < c->look_count && !status; i++) {
		struct look *look = &c->looks[i];

		look->options = (struct report_options){
			.filter = { .from = c->filter.from, .to = c->filter.to, .is_all = true,
				    .by_cpu = look->first->filter.by_cpu },
		};
		memcpy(look->options.filter.cpus, look->first->filter.cpus,
		       sizeof(look->first->filter.cpus));
		io->a = c->a;
		status = run_look(io, look);
	}
	return status;
}

static void end_looks(struct command *c)
{
	size_t i;

	for (i = 0; i < c->look_count; i++) {
		report_close(c->looks[i].engine);
		c->looks[i].engine = NULL;
	}
}

/* If the longest wait fails the claim, find who had the CPU meanwhile. */
static void explain(const struct look *look, const struct comparison *of, struct judgement *j)
{
	if (j->verdict == VERDICT_FAILS && of->quantity->class == CLASS_WAITS && j->wait.thread)
		report_explain(look->engine, &j->wait);
}

/* --- an archive ---------------------------------------------------------------------------- */

static uint64_t hidden_switches(const struct report *r)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < r->thread_count; i++)
		n += r->threads[i]->sched->breaks;
	return n;
}

static void judge_claim(struct command *c, struct claim *claim)
{
	const struct expression *e = &claim->e;
	size_t i;

	for (i = 0; i < e->count; i++) {
		const struct comparison *of = e->nodes[i].comparison;
		const struct look *look = of ? look_for(c, of) : NULL;
		struct recording recording = { .trusts = c->trusts };

		if (!of)
			continue;
		recording.r = report_of(look->engine);
		recording.skipped = look->skipped;
		recording.deviates = look->deviates;
		recording.is_whole = !c->filter.from.set && !c->filter.to.set &&
				     !recording.r->totals.archive->begins;
		recording.scope.asked = &of->filter;
		report_find_scope(recording.r, recording.r->scope.model, &recording.scope);
		recording.hidden = hidden_switches(recording.r);
		judge(&recording, of, &claim->of[i]);
		explain(look, of, &claim->of[i]);
	}
	claim->verdict = judge_join(e, claim->of);
}

/* A failure decides; otherwise an unknown verdict does. */
static enum verdict join(enum verdict a, enum verdict b)
{
	if (a == VERDICT_FAILS || b == VERDICT_FAILS)
		return VERDICT_FAILS;
	return a == VERDICT_UNKNOWN ? a : b;
}

static int judge_archive(struct command *c, const char *path, bool is_named, enum verdict *verdict)
{
	struct archive_claims all = {
		.path = strcmp(path, "-") ? path : "standard input",
		.is_stdin = !strcmp(path, "-"), .is_named = is_named,
		.trusts = c->trusts, .claims = c->claims, .count = c->text_count, .verdict = VERDICT_HOLDS,
	};
	struct io io = { .a = c->a, .input = path };
	int status = run_looks(c, &io);
	size_t i;

	for (i = 0; i < c->text_count && !status; i++) {
		judge_claim(c, &c->claims[i]);
		all.verdict = join(all.verdict, c->claims[i].verdict);
	}
	if (!status) {
		all.r = report_of(c->looks[0].engine);
		limits_warn(all.path, &c->filter, all.r->totals.archive->first);
		(c->json ? claims_print_json : claims_print_text)(&c->out, &all);
		*verdict = join(*verdict, all.verdict);
	}
	end_looks(c);
	return status;
}

/* Times relative to the beginning are resolved for each archive. */
static int judge_one(struct command *c, const char *path, bool is_named, enum verdict *verdict)
{
	struct filter limits = c->filter;
	int status = earliest_limits("assert", &c->a, &path, &c->filter);

	if (!status)
		status = judge_archive(c, path, is_named, verdict);
	c->filter.from = limits.from;
	c->filter.to = limits.to;
	return status;
}

static int judge_all(struct command *c, const struct operands *files)
{
	static const int statuses[] = {
		[VERDICT_HOLDS] = VERB_DONE, [VERDICT_FAILS] = VERB_DEVIATES,
		[VERDICT_UNKNOWN] = VERB_UNKNOWN,
	};
	enum verdict verdict = VERDICT_HOLDS;
	int status = VERB_DONE, ret, i;

	out_open(&c->out, STDOUT_FILENO);
	for (i = 0; i < files->count; i++) {
		ret = judge_one(c, files->paths[i], files->count > 1, &verdict);
		status = ret ? ret : status;
	}
	/* A claim that fails in one archive decides, even if other archives cannot be judged. */
	if (!status || verdict == VERDICT_FAILS)
		status = statuses[verdict];
	return archive_output(&c->out, NULL, status);
}

static void free_claims(struct command *c)
{
	size_t i;

	for (i = 0; c->claims && i < c->text_count; i++) {
		expression_free(&c->claims[i].e);
		free(c->claims[i].of);
	}
	free(c->claims);
}

static int run_assert(void *command, const struct operands *operands)
{
	struct operands files = *operands;
	struct command *c = command;
	int status = -1;
	size_t i;

	if (!c->text_count) {
		c->texts[c->text_count++] = files.paths[0];
		files.paths++;
		files.count--;
	}
	if (!files.count && !access(operands->paths[0], F_OK))
		return archive_usage("assert", operands->paths[0],
			"an expression comes before the archive, e.g. 'p99(wait) < 2ms'");
	if (!files.count)
		return archive_usage("assert", NULL, "no archive given, after the expression");
	c->claims = must(calloc(c->text_count, sizeof(*c->claims)));
	for (i = 0; i < c->text_count && status < 0; i++)
		status = parse_expression(c, &c->claims[i], c->texts[i]);
	if (status < 0)
		status = judge_all(c, &files);
	free_claims(c);
	return status;
}

const struct verb verb_assert = {
	.name = "assert",
	.what = "judge a claim, such as 'p99(wait, comm=db*) < 2ms', for scripts",
	.about =
		"Judges claims about recordings, for tests, CI and bisecting:\n"
		"\n"
		"  fxt assert 'p99(wait, comm=db*) < 2ms' sched.fxt\n"
		"  fxt assert 'share(run, cgroup=/batch) < 20% and count(losses) == 0' sched.fxt\n"
		"\n"
		"A claim holds only if missing data cannot change that: lost, filtered and hidden\n"
		"records, waits that began before the archive or were not over at its end. If data\n"
		"that is missing could decide a claim, its verdict is \"cannot be known\".\n",
	.more =
		"functions: p50, p90, p95, p99, p999, min, max, mean, sum, count and rate of wait, wakeup,\n"
		"preempted, held; max, sum, count and rate of sleep, uninterruptible; sum and share of\n"
		"run; count and rate of switches, preemptions, migrations, wakeups, losses.\n"
		"selectors: comm=PATTERN, pid=, tid=, cgroup=/PATH, cpu=LIST.\n"
		"exit status: 0 all claims hold; 1 one fails; 2 wrong usage; 3 an archive cannot be\n"
		"read; 4 the verdict cannot be known, or the output, or a temporary file, cannot be written.\n",
	.rows = rows,
	.schema = claims_schema,
	.bytes = sizeof(struct command),
	.filter_at = offsetof(struct command, filter),
	.run = run_assert,
	.several = true,
	.operands = "EXPRESSION FILE...",
};
