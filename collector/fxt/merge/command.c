// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - fxt merge: several archives as one.
 *
 * In: a command line.
 * Out: the steps, in order.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/units.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "command/command_line.h"
#include "merge.h"

/* What options say about single FILEs, in the order of the command line; parsed once all are known. */
enum file_option { FILE_OFFSET, FILE_CLOCK, FILE_SAME_MACHINE };

struct file_options {
	struct { enum file_option option; const char *value; } *list;
	size_t count;
};

struct command {
	struct merge m;
	struct file_options options;
};

static const char *add_option(struct file_options *all, enum file_option option, const char *value)
{
	array_more(all->list, all->count);
	all->list[all->count].option = option;
	all->list[all->count++].value = value;
	return NULL;
}

static const char *add_offset(void *options, const char *value)
{
	return add_option(options, FILE_OFFSET, value);
}

static const char *add_clock(void *options, const char *value)
{
	return add_option(options, FILE_CLOCK, value);
}

static const char *add_same_machine(void *options, const char *value)
{
	return add_option(options, FILE_SAME_MACHINE, value);
}

static const struct option_row rows[] = {
	OPTION_TITLE("Output"),
	OPTION('o', "output", "OUT", "write to OUT, compressed if it ends in .zst, .zstd or .gz; - is "
	       "standard output", .kind = OPTION_FILE, .needed = true,
	       OPTION_SETS_STRING(struct command, m.output)),
	OPTION(0, "manifest", NULL, "write a tar for Perfetto: an archive for each recording, with the "
	       "numbers of its machine, and a perfetto_manifest.json with the names of the machines",
	       OPTION_SETS_BOOL(struct command, m.is_apart)),
	ROW_FORCE("replace OUT even if it is not an archive; an archive is kept as OUT.old"),
	ROW_QUIET("show no progress"),
	OPTION_HELP,
	OPTION_TITLE("Input"),
	OPTION(0, "offset", "FILE=+-TIME", "add to the times of FILE: b.fxt=-1.5s, +200ms; "
	       "seconds if there is no unit", OPTION_SETS(add_offset, struct command, options)),
	OPTION(0, "clock", "FILE=CLOCK", "the times of FILE are of this clock of the first "
	       "FILE's machine: boot, mono or real (default: as recorded in FILE)",
	       OPTION_SETS(add_clock, struct command, options)),
	OPTION(0, "same-machine", "FILE", "FILE is a trace of a program on the first FILE's machine: "
	       "put its events on the tracks of the threads with the same ids", .kind = OPTION_FILE,
	       OPTION_SETS(add_same_machine, struct command, options)),
	ROWS_INPUT(struct command, m.how),
	{ 0 },
};

/* Parse "+1.5s", "-200ms" or "+3" to ns; 62 bits are enough. */
static bool parse_offset(const char *text, int64_t *offset)
{
	uint64_t ns;

	if ((*text != '+' && *text != '-') || fxt_parse_time(text + 1, &ns) || ns >> 62)
		return false;
	*offset = *text == '-' ? -(int64_t)ns : (int64_t)ns;
	return true;
}

static struct merge_input *input_of(struct merge *m, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < m->input_count; i++)
		if (strlen(m->inputs[i].io.input) == length &&
		    !memcmp(m->inputs[i].io.input, name, length))
			return &m->inputs[i];
	return NULL;
}

/* "+1s" or "-1s" */
static int set_offset(struct merge_input *in, const char *option, const char *value)
{
	if (!parse_offset(value, &in->offset))
		return archive_usage("merge", option, "is not FILE=+TIME or FILE=-TIME");
	in->has_offset = true;
	return VERB_DONE;
}

static int set_clock(struct merge_input *in, const char *option, const char *value)
{
	static const char * const clocks[] = {
		[MERGE_CLOCK_BOOT] = "boot", [MERGE_CLOCK_MONO] = "mono", [MERGE_CLOCK_REAL] = "real",
	};
	unsigned int i;

	for (i = MERGE_CLOCK_BOOT; i <= MERGE_CLOCK_REAL; i++) {
		if (strcmp(clocks[i], value))
			continue;
		in->clock = i;
		in->has_clock = true;
		return VERB_DONE;
	}
	return archive_usage("merge", option, "is not FILE=boot, FILE=mono or FILE=real");
}

static int set_file_option(struct merge *m, enum file_option option, const char *value)
{
	bool is_whole = option == FILE_SAME_MACHINE;
	const char *equal = is_whole ? value + strlen(value) : strrchr(value, '=');
	struct merge_input *in;

	if (!equal)
		return archive_usage("merge", value, option == FILE_CLOCK ?
				     "is not FILE=CLOCK" : "is not FILE=+TIME or FILE=-TIME");
	in = input_of(m, value, equal - value);
	if (!in)
		return archive_usage("merge", value, "there is no FILE of that name");
	in->same_machine |= is_whole;
	return is_whole ? VERB_DONE : option == FILE_CLOCK ?
	       set_clock(in, value, equal + 1) : set_offset(in, value, equal + 1);
}

static void warn_twice(const struct merge *m)
{
	size_t i, k;

	for (i = 0; i < m->input_count; i++)
		for (k = 0; k < i; k++)
			if (archive_is_same(m->inputs[k].io.input, m->inputs[i].io.input))
				message("fxt: merge: warning: %s and %s are the same file\n",
					m->inputs[k].io.input, m->inputs[i].io.input);
}

static int set_inputs(struct merge *m, char **paths, size_t count)
{
	size_t i;

	if (m->is_apart && pack_compresses(m->output))
		return archive_usage("merge", m->output, "ends as a compressed file; the tar of "
				     "--manifest is plain, for Perfetto: use .tar");

	m->inputs = must(calloc(count, sizeof(*m->inputs)));
	m->input_count = count;
	for (i = 0; i < count; i++) {
		m->inputs[i].io = (struct io){
			.a = m->how, .input = paths[i], .output = m->output,
		};
		if (archive_is_same(m->inputs[i].io.input, m->inputs[i].io.output))
			return archive_usage("merge", m->output,
					     "is one of the archives; name another output file");
	}
	warn_twice(m);
	return VERB_DONE;
}

static int merge_archives(struct merge *m, const struct file_options *options)
{
	int status = VERB_DONE;
	size_t i;

	for (i = 0; i < options->count && !status; i++)
		status = set_file_option(m, options->list[i].option, options->list[i].value);
	if (!status)
		status = result_open(&m->result, m->output, m->is_apart ? &merge_tar : &result_archive);
	for (i = 0; i < m->input_count && !status; i++)
		status = merge_survey(m, &m->inputs[i]);
	if (!status)
		status = merge_plan(m);
	if (!status)
		status = m->is_apart ? merge_write_tar(m) : merge_write(m);
	return result_end(&m->result, status, false);
}

static void free_all(struct merge *m)
{
	size_t i;

	for (i = 0; i < m->recording_count; i++) {
		free(m->recordings[i].ends);
		free(m->recordings[i].providers);
		koids_free(&m->recordings[i].dense);
		koids_free(&m->recordings[i].modules);
		koids_free(&m->recordings[i].named);
		koids_free(&m->recordings[i].processes);
		koids_free(&m->recordings[i].later);
	}
	for (i = 0; i < m->input_count; i++) {
		archive_drop(&m->inputs[i].io.a);
		free(m->inputs[i].streams);
	}
	rewrite_close(&m->f);
	free(m->recordings);
	free(m->inputs);
}

static int run_merge(void *command, const struct operands *operands)
{
	struct command *c = command;
	struct merge *m = &c->m;
	int status;

	status = set_inputs(m, operands->paths, operands->count);
	if (!status)
		status = merge_archives(m, &c->options);
	free(c->options.list);
	free_all(m);
	return status;
}

const struct verb verb_merge = {
	.name = "merge",
	.what = "write several archives as one: parts of a recording, or several machines",
	.about =
		"Merges several archives into one. Parts of a recording (segments, and parts made by\n"
		"fxt cut) that follow one another are joined. Recordings of several machines are placed\n"
		"side by side: each has its own CPUs, numbered after those of the machines named before\n"
		"it, and its own threads, renamed to \"name [HOST:TID]\".\n",
	.more =
		"Times are those of the first FILE. Without --offset, other recordings of the same "
		"boot\n"
		"keep their times, or are moved by the difference of the clocks; recordings of other\n"
		"boots are aligned by the time of day.\n"
		"\n"
		"FILEs may be compressed (" FXT_UNPACKS "); one may be -, standard input.\n"
		"exit status: 0 done; 1 records were skipped or changed; 2 wrong usage; 3 an archive\n"
		"cannot be read; 4 the output cannot be written.\n",
	.rows = rows,
	.bytes = sizeof(struct command),
	.run = run_merge,
	.several = true,
};
