// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - fxt check: is an archive valid?
 *
 * In: archives.
 * Out: violations of the format's specification (class format), of the rules of schedulers and of
 * our producers (class sched), and records that Perfetto drops or misdraws (class perfetto); and an
 * exit status.
 */
#include <errno.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "check.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "walk/archive.h"
#include "command/command_line.h"

struct check {
	struct archive a;
	struct check_style style;
	uint64_t asked;			/* classes, as bits; 0: all */
	bool only[CHECK_CLASSES];	/* the classes to report */
	struct out out;
	struct sched_model *model;
	struct check_report report;
	struct check_perfetto *perfetto;	/* NULL while opening, like the next two */
	struct check_match *match;
	struct check_addresses *addresses;
	struct check_undefined undefined;
	struct fxt_record rec;		/* being decoded */
	struct fxt_content content;
};

static void add_deviation(void *arg, const struct fxt_deviation *d)
{
	struct check *c = arg;

	if (d->kind == FXT_DEV_NO_MAGIC && !d->note)
		return;		/* reported when opening the archive fails */
	if (c->only[CHECK_FORMAT])
		check_report_add(&c->report, &(struct check_anomaly){
			.class = CHECK_FORMAT,
			.number = d->kind,
			.kind = fxt_deviation_name(d->kind),
			.violation = !d->note,
			.count = 1,
			.offset = d->offset,
			.record = d->record,
			.time = CHECK_NO_NUMBER,
			.text = d->text,
		});
	if (!d->note && c->perfetto)
		check_perfetto_deviation(c->perfetto, d);
}

static void note_skipped(void *arg, const struct fxt_record *rec)
{
	struct check *c = arg;

	if (c->perfetto)
		check_perfetto_record(c->perfetto, rec);
}

static void add_anomaly(void *arg, const struct sched_anomaly *f)
{
	struct check *c = arg;

	check_perfetto_anomaly(c->perfetto, f);
	if (!c->only[CHECK_SCHED])
		return;
	check_report_add(&c->report, &(struct check_anomaly){
		.class = CHECK_SCHED,
		.number = f->kind,
		.kind = sched_anomaly_name(f->kind),
		.violation = f->violation,
		.count = f->count,
		.offset = f->offset,
		.record = CHECK_NO_NUMBER,
		.time = f->time ? f->time : CHECK_NO_NUMBER,
		.text = f->text,
	});
}

static const struct sched_ops ops = { .anomaly = add_anomaly };

/* Called before the model forgets the old name of a thread. */
static void note_name(struct check *c)
{
	const struct fxt_text *name = &c->content.name;
	const struct sched_thread *t;

	if (c->content.object_type != FXT_OBJECT_THREAD)
		return;
	t = sched_model_thread(c->model, c->content.object);
	if (t && t->named && name->length < sizeof(t->name) &&
	    (strlen(t->name) != name->length || memcmp(t->name, name->bytes, name->length)))
		check_perfetto_renamed(c->perfetto, &c->rec, c->content.object);
}

static int check_content(struct check *c)
{
	int ret;

	ret = fxt_reader_content(c->a.r, &c->rec, &c->content);
	if (ret)
		return ret;
	check_perfetto_content(c->perfetto, &c->rec, &c->content);
	if (c->only[CHECK_FORMAT]) {
		check_limits(&c->report, &c->rec, &c->content);
		check_undefined_args(&c->undefined, &c->rec, &c->content);
	}
	check_match_content(c->match, &c->rec, &c->content);
	if (c->only[CHECK_SCHED])
		check_addresses_content(c->addresses, &c->rec, &c->content);
	if (c->content.kind == FXT_KIND_KERNEL_OBJECT)
		note_name(c);
	return sched_model_content(c->model, &c->rec, &c->content);
}

static int check_switch(struct check *c)
{
	struct fxt_switch sw;
	int ret;

	ret = fxt_reader_switch(c->a.r, &c->rec, &sw);
	if (ret)
		return ret;
	check_perfetto_switch(c->perfetto, &c->rec, &sw);
	return sched_model_switch(c->model, &c->rec, &sw);
}

static int check_wakeup(struct check *c)
{
	struct fxt_wakeup wakeup;
	int ret;

	ret = fxt_reader_wakeup(c->a.r, &c->rec, &wakeup);
	if (ret)
		return ret;
	check_perfetto_wakeup(c->perfetto, &c->rec, &wakeup);
	return sched_model_wakeup(c->model, &c->rec, &wakeup);
}

static int check_record(struct check *c)
{
	check_perfetto_record(c->perfetto, &c->rec);
	if (c->rec.kind == FXT_KIND_UNKNOWN && c->only[CHECK_FORMAT])
		check_undefined_record(&c->undefined, c->a.r, &c->rec);
	switch (c->rec.kind) {
	case FXT_KIND_CONTEXT_SWITCH:
		return check_switch(c);
	case FXT_KIND_THREAD_WAKEUP:
		return check_wakeup(c);
	default:
		return check_content(c);
	}
}

/* Skip to the next record that may have anomalies; nearly all have none. */
static int next_record(struct check *c)
{
	struct fxt_hot_run run;
	size_t count, fed;

	while ((run = fxt_reader_hot_run(c->a.r, FXT_HOT_RUN)).count) {
		count = run.count;
		run.count = check_perfetto_hot(c->perfetto, &run);
		fed = sched_model_hot(c->model, &run);
		fxt_reader_skip_hot(c->a.r, fed < count ? fed + 1 : fed);
		if (fed == count)
			continue;
		fxt_reader_hot_record(c->a.r, &c->rec);
		return 1;
	}
	return fxt_reader_next(c->a.r, &c->rec);
}

/* Returns 0, or the error that ended reading. */
static int check_records(struct check *c)
{
	int ret;

	c->perfetto = check_perfetto_open(c->only[CHECK_PERFETTO] ? &c->report : NULL);
	c->match = check_match_open(c->perfetto);
	c->addresses = check_addresses_open();
	if (fxt_reader_swapped(c->a.r))
		check_perfetto_refused(c->perfetto, PERFETTO_BYTE_ORDER, "the other byte order");
	while ((ret = next_record(c)) == 1) {
		if (!c->rec.offset && c->rec.kind != FXT_KIND_MAGIC)
			check_perfetto_refused(c->perfetto, PERFETTO_MAGIC, "no magic number record");
		ret = check_record(c);
		if (!archive_continues(&c->a, ret))
			break;
	}
	return ret;
}

static bool is_incomplete(const struct check *c)
{
	const struct fxt_reader_totals *totals = fxt_reader_totals(c->a.r);
	const struct sched_totals *sched = sched_model_totals(c->model);

	return totals->skipped || totals->skipped_bytes || sched->lost || sched->before ||
	       sched->complete || check_perfetto_has_losses(c->perfetto) ||
	       sched_model_filter(c->model);
}

static int end_check(struct check *c, int ret)
{
	const struct fxt_reader_totals *totals = fxt_reader_totals(c->a.r);
	const char *why = fxt_reader_error(c->a.r);
	struct check_stat stats[STAT_COUNT];
	unsigned int stat_count;
	struct check_end e;

	/* A strict reader stops early, so the end cannot be judged. */
	if (!ret)
		ret = sched_model_finish(c->model);
	check_match_end(c->match, &c->report, c->only, ret || is_incomplete(c));
	if (c->only[CHECK_FORMAT])
		check_undefined_end(&c->undefined, &c->report);
	/* An archive ends with its mappings. */
	check_addresses_end(c->addresses, ret ? NULL : &c->report);
	stat_count = check_perfetto_end(c->perfetto, stats);
	if (ret == -ENOMEM || !*why)
		why = strerror(ret < 0 ? -ret : 0);
	e = (struct check_end){
		.error = ret && ret != -EBADMSG ? why : NULL,
		.compression = fxt_reader_compression(c->a.r),
		.records = totals->records,
		.bytes = totals->bytes,
		.totals = sched_model_totals(c->model),
		.stats = stats,
		.stat_count = c->only[CHECK_PERFETTO] ? stat_count : 0,
	};
	check_perfetto_close(c->perfetto);
	c->perfetto = NULL;
	progress_end(&c->a.progress);
	if (e.error)
		message("fxt: cannot read %s to its end: %s\n", c->a.path, e.error);
	check_report_end(&c->report, &e);
	return e.error ? VERB_UNREADABLE : c->report.violations ? VERB_DEVIATES : VERB_DONE;
}

static int check_file(struct check *c, const char *path)
{
	static const struct sched_totals none;
	int status;

	c->a.options.deviation = add_deviation;
	c->a.options.skipped = note_skipped;
	c->a.options.arg = c;
	c->undefined = (struct check_undefined){ 0 };
	check_report_begin(&c->report, &c->style, &c->out, path);
	status = archive_open(&c->a, path);
	if (status) {
		check_report_end(&c->report, &(struct check_end){
			.error = "it cannot be opened, or is not an FXT archive",
			.compression = "none",
			.totals = &none,
		});
		return status;
	}
	c->model = sched_model_open(&ops, c, 0);
	status = end_check(c, check_records(c));
	status = status ? status : c->a.imported;
	sched_model_close(c->model);
	archive_drop(&c->a);
	/* Without memory for the next archive, report what is known of this one. */
	out_flush(&c->out);
	return status;
}

static bool class_word(unsigned int i, struct option_word *w)
{
	w->name = i < CHECK_CLASSES ? check_class_name(i) : NULL;
	return w->name;
}

static const struct option_row rows[] = {
	OPTION_TITLE("Checks"),
	OPTION(0, "only", "CLASS,..", "check only these classes: {words}", .kind = OPTION_WORDS,
	       .words = class_word, OPTION_SETS_BITS(struct check, asked)),
	OPTION_TITLE("Output"),
	OPTION(0, "all", NULL, "print each violation (default: ten of each kind)",
	       OPTION_SETS_BOOL(struct check, style.all)),
	ROWS_JSON(struct check, style.json, JSON_LINES),
	ROW_QUIET("print nothing, set only the exit status; show no progress"),
	OPTION_HELP,
	OPTION_TITLE("Input"),
	ROWS_INPUT(struct check, a),
	{ 0 },
};

static int run_check(void *command, const struct operands *operands)
{
	struct check *c = command;
	unsigned int clean = 0, unreadable = 0;
	int status = VERB_DONE, one, i;

	c->style.quiet = progress_is_off();
	for (i = 0; i < CHECK_CLASSES; i++)
		c->only[i] = !c->asked || c->asked & 1ULL << i;
	out_open(&c->out, STDOUT_FILENO);
	for (i = 0; i < operands->count; i++) {
		one = check_file(c, operands->paths[i]);
		clean += one == VERB_DONE;
		unreadable += one == VERB_UNREADABLE;
		status = one > status ? one : status;
	}
	check_report_summary(&c->style, &c->out, operands->count, clean, unreadable);
	return archive_output(&c->out, NULL, status);
}

const struct verb verb_check = {
	.name = "check",
	.what = "check an archive: format, scheduling, and what Perfetto would drop",
	.about =
		"Reports what is wrong with each archive: where it violates the format, where\n"
		"its scheduling is impossible, and what Perfetto would drop or draw wrongly. What the\n"
		"archive itself explains, e.g. by recorded losses, is a note, not a violation. So\n"
		"are anomalies of threads in a filtered recording (kind filtered) and, in a segment or\n"
		"snapshot, before all CPUs are covered (kind part).\n",
	.more =
		"FILE is " FXT_SCHED_ARCHIVE " by default.\n"
		"exit status: 0 clean, 1 violations, 2 wrong usage, 3 an archive cannot be read.\n",
	.rows = rows,
	.schema = check_schema,
	.bytes = sizeof(struct check),
	.run = run_check,
	.several = true,
	.has_default_archive = true,
};
