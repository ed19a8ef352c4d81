// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - fxt cut: writes a part of an archive as an archive of its own.
 *
 * In: a command line.
 * Out: the walks over the archive, in order.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/memory.h"
#include "terminal/message.h"
#include "command/command_line.h"
#include "cut.h"

static const struct option_row rows[] = {
	OPTION_TITLE("Output"),
	OPTION('o', "output", "OUT", "write to OUT, compressed if it ends in .zst, .zstd or .gz; - is "
	       "standard output", .kind = OPTION_FILE, .needed = true,
	       OPTION_SETS_STRING(struct cut, io.output)),
	ROW_FORCE("replace OUT even if it is not an archive; an archive is kept as OUT.old"),
	ROW_QUIET("show no progress"),
	OPTION_HELP,
	OPTION_TITLE("Filters"),
	ROWS_TIMES(struct cut, filter),
	ROW_PID(struct cut, filter, "keep only these processes: switches to or from them, wakeups "
		"of or by them, and their events"),
	ROW_CPU(struct cut, filter, "keep only these CPUs: 0,2-5: their switches and counters, and "
		"wakeups to them; records without a CPU are kept, too"),
	OPTION_TITLE("Input"),
	ROWS_INPUT(struct cut, io.a),
	{ 0 },
};

/* Walk over the archive once; only the last walk reports skipped records. */
static int walk_archive(struct cut *c, bool is_last, const struct rewrite_walk *how)
{
	struct rewrite_walk walk = { how->record, how->hot, c };
	int status, ret;

	/* With such a filter, each record has to be looked at. */
	if ((filter_selects_threads(&c->filter) || c->filter.by_cpu) &&
	    (walk.record == cut_survey || walk.record == cut_body))
		walk.hot = NULL;
	c->io.a.first[0] = '\0';
	status = io_open(&c->io);
	if (status)
		return status;
	ret = rewrite_walk(&c->io.a, &walk);
	if (!ret && how->record == cut_survey) {
		cut_slices_finish(c);
		ret = cut_before_finish(c);
	}
	if (!ret && how->record == cut_head)
		cut_head_finish(c);
	if (!ret && how->record == cut_body)
		streams_finish(&c->st);
	if (is_last || ret)
		return archive_close(&c->io.a, ret == -ECANCELED ? 0 : ret);
	archive_drop(&c->io.a);
	return VERB_DONE;
}

/* The survey is complete: write the part. */
static int write_part(struct cut *c)
{
	static const struct rewrite_walk head = { cut_head, rewrite_skip_hot, NULL };
	static const struct rewrite_walk body = { cut_body, cut_body_hot, NULL };
	bool is_complete;
	int status;

	rewrite_open(&c->f, pack_open(c->io.output, c->io.result.fd));
	status = walk_archive(c, false, &head);
	if (status == VERB_DONE && !c->f.write_error)
		status = walk_archive(c, true, &body);
	rewrite_close(&c->f);
	is_complete = !c->f.write_error && archive_is_read(&c->io.a, status);
	status = rewrite_status(&c->f, c->io.a.path, c->io.output,
				c->f.write_error ? VERB_DONE : status);
	if (status <= VERB_DEVIATES && !c->kept && !c->st.losses && !c->st.marks &&
	    filter_selects(&c->filter)) {
		status = archive_selects_nothing(c->io.a.path);
		is_complete = false;
	}
	return result_end(&c->io.result, status, is_complete);
}

static int cut_archive(struct cut *c)
{
	static const struct rewrite_walk learn = { cut_learn, cut_learn_hot, NULL };
	static const struct rewrite_walk survey = { cut_survey, cut_survey_hot, NULL };
	int status = io_rereadable(&c->io);

	if (!status && archive_is_same(c->io.input, c->io.output))
		status = archive_usage("cut", c->io.output,
				       "is the archive itself; name another output file");
	if (!status)
		status = result_open(&c->io.result, c->io.output, &result_archive);
	if (status)
		return status;
	c->first = UINT64_MAX;
	c->begun = UINT64_MAX;
	c->to = UINT64_MAX;
	c->p.f = &c->f;
	c->st.p = &c->p;
	status = walk_archive(c, false, &learn);
	cut_limits(c);
	if (!status && c->from > c->to)
		return archive_usage("cut", "--to", FILTER_BACKWARDS);
	if (status)
		return status;
	cut_edges_open(c);
	cut_slices_begin(c);
	status = walk_archive(c, false, &survey);
	if (!status)
		status = write_part(c);
	return status;
}

static int run_cut(void *command, const struct operands *operands)
{
	struct cut *c = command;
	int status;

	c->io.input = operands->paths[0];
	status = result_end(&c->io.result, cut_archive(c), false);
	rewrite_close(&c->f);
	streams_free(&c->st);
	providers_free(&c->p);
	cut_slices_free(&c->slices);
	koids_free(&c->counters);
	koids_free(&c->threads);
	koids_free(&c->processes);
	koids_free(&c->parents);
	koids_free(&c->mapped);
	koids_free(&c->wakings);
	koids_free(&c->carried);
	cut_edges_close(c);
	return status;
}

const struct verb verb_cut = {
	.name = "cut",
	.what = "write a part of an archive, by time, process or CPU",
	.about =
		"Writes a part of an archive as a complete archive, which has, for instance, the names of\n"
		"all its threads. The part records what it was cut from.\n",
	.more =
		"Slices that overlap the range are kept whole, so they may begin or end outside it. CPU\n"
		"counters start at their value when the range begins. All losses that overlap the range\n"
		"are kept. Records that --pid or --cpu omits do not count as lost; fxt check treats them\n"
		"as filtered.\n"
		"\n"
		"FILE may be compressed (" FXT_UNPACKS "); - is standard input, which is copied to a\n"
		"temporary file because it is read more than once.\n"
		"exit status: 0 done; 1 records were skipped or changed, or nothing is selected and\n"
		"OUT not written; 2 wrong usage; 3 the archive cannot be read; 4 the output cannot be\n"
		"written.\n",
	.rows = rows,
	.bytes = sizeof(struct cut),
	.filter_at = offsetof(struct cut, filter),
	.run = run_cut,
};
