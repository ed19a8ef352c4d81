// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - fxt merge: several archives as one.
 *
 * In: a command line.
 * Out: the steps, in order.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/units.h"
#include "terminal/message.h"
#include "walk/command_line.h"
#include "command.h"
#include "merge.h"

static const char help[] =
"usage: fxt merge -o OUT [--offset FILE=+-TIME]... [--format=2017] [--strict] [-q]\n"
"                 FILE...\n"
"\n"
"Merges several archives into one. Parts of a recording (segments, and parts made by\n"
"fxt cut) that follow one another are joined. Recordings of several machines are placed\n"
"side by side: each has its own CPUs, numbered after those of the machines named before\n"
"it, and its own threads, renamed to \"name [HOST:TID]\".\n"
"\n"
"Output\n"
"  -o OUT                write to OUT, compressed if it ends in .zst, .zstd or .gz;\n"
"                        - is standard output\n"
"  --force               replace OUT even if it is not an archive; an archive is kept\n"
"                        as OUT.old\n"
"  -q, --quiet           show no progress\n"
"\n"
"Input\n"
"  --offset FILE=+-TIME  add to the times of FILE: b.fxt=-1.5s, +200ms; seconds if\n"
"                        there is no unit\n"
"  --format=2017         read the event types of the first public version of the format\n"
"  --strict              stop at the first violation of the format\n"
"\n"
"Times are those of the first FILE. Without --offset, another recording of the same boot\n"
"keeps its times; other recordings are aligned by the time of day.\n"
"\n"
"FILEs may be compressed with gzip or zstd; one may be -, standard input.\n"
"exit status: 0 done; 1 records were skipped or changed; 2 wrong usage; 3 an archive\n"
"cannot be read; 4 the output cannot be written.\n";

enum { OPT_OFFSET = 1 };

/* "+1.5s", "-200ms", "+3": in ns; 62 bits are enough. */
static bool parse_offset(const char *text, int64_t *offset)
{
	uint64_t ns;

	if ((*text != '+' && *text != '-') || fxt_parse_time(text + 1, &ns) || ns >> 62)
		return false;
	*offset = *text == '-' ? -(int64_t)ns : (int64_t)ns;
	return true;
}

/* "FILE=+1s", parsed when the FILEs are known. */
static int take_offset(struct merge *m, const char *value)
{
	const char *time = strrchr(value, '=');
	size_t length = time ? (size_t)(time - value) : 0, i;
	int64_t offset;

	if (!time || !parse_offset(time + 1, &offset))
		return archive_usage("merge", value, "is not FILE=+TIME or FILE=-TIME");
	for (i = 0; i < m->input_count; i++) {
		struct merge_input *in = &m->inputs[i];

		if (strlen(in->io.input) != length || memcmp(in->io.input, value, length))
			continue;
		in->has_offset = true;
		in->offset = offset;
		return VERB_DONE;
	}
	return archive_usage("merge", value, "no FILE of that name is given");
}

/* The command line, while it is parsed; offsets are handled when the FILEs are known. */
struct line {
	struct merge *m;
	const char **offsets;
	unsigned int offset_count;
};

static const char *take_own(void *arg, int option, const char *value)
{
	struct line *l = arg;

	if (option == OPT_OFFSET)
		l->offsets[l->offset_count++] = value;
	else
		l->m->output = value;
	return NULL;
}

static int parse(struct line *l, int argc, char **argv, struct operands *operands)
{
	static const struct option options[] = {
		{ "offset", required_argument, NULL, OPT_OFFSET },
		{ "output", required_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' },
		FORCE_OPTIONS,
		ARCHIVE_OPTIONS,
		{ NULL, 0, NULL, 0 },
	};
	static const struct command_line command = {
		.verb = "merge", .help = help, .letters = ":o:qh", .options = options,
		.take = take_own, .several = true,
	};
	int status = command_line_parse(&command, l, &l->m->how, NULL, argc, argv, operands);

	if (status < 0 && !l->m->output)
		return archive_usage("merge", NULL, "-o OUT is needed");
	return status;
}

static void tell_twice(const struct merge *m)
{
	size_t i, k;

	for (i = 0; i < m->input_count; i++)
		for (k = 0; k < i; k++)
			if (archive_is_same(m->inputs[k].io.input, m->inputs[i].io.input))
				message("fxt: merge: warning: %s and %s are the same file\n",
					m->inputs[k].io.input, m->inputs[i].io.input);
}

static int take_inputs(struct merge *m, char **paths, size_t count)
{
	size_t i;

	m->inputs = calloc(count, sizeof(*m->inputs));
	if (!m->inputs) {
		message("fxt: merge: %s\n", strerror(ENOMEM));
		return VERB_UNREADABLE;
	}
	m->input_count = count;
	for (i = 0; i < count; i++) {
		m->inputs[i].io = (struct io){
			.a = m->how, .input = paths[i], .output = m->output,
		};
		if (archive_is_same(m->inputs[i].io.input, m->inputs[i].io.output))
			return archive_usage("merge", m->output,
					     "is one of the archives; name another output file");
	}
	tell_twice(m);
	return VERB_DONE;
}

static int run(struct merge *m, const struct line *l)
{
	int status = VERB_DONE;
	size_t i;

	for (i = 0; i < l->offset_count && !status; i++)
		status = take_offset(m, l->offsets[i]);
	if (!status)
		status = result_open(&m->result, m->output, RESULT_ARCHIVE);
	for (i = 0; i < m->input_count && !status; i++)
		status = merge_survey(m, &m->inputs[i]);
	if (!status)
		status = merge_plan(m);
	if (!status)
		status = merge_write(m);
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
	}
	for (i = 0; i < m->input_count; i++) {
		archive_drop(&m->inputs[i].io.a);
		free(m->inputs[i].streams);
	}
	rewrite_close(&m->f);
	streams_free(&m->st);
	providers_free(&m->p);
	free(m->recordings);
	free(m->symbols);
	free(m->inputs);
	free(m);
}

int verb_merge(int argc, char **argv)
{
	struct merge *m = calloc(1, sizeof(*m));
	struct line l = { .m = m, .offsets = calloc(argc, sizeof(*l.offsets)) };
	struct operands operands;
	int status;

	if (!m || !l.offsets) {
		message("fxt: merge: %s\n", strerror(ENOMEM));
		free(m);
		free(l.offsets);
		return VERB_UNREADABLE;
	}
	m->p.f = &m->f;
	m->st.p = &m->p;
	status = parse(&l, argc, argv, &operands);
	if (status < 0) {
		status = take_inputs(m, operands.paths, operands.count);
		status = status ? status : run(m, &l);
	}
	free(l.offsets);
	free_all(m);
	return status;
}
