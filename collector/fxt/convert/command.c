// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - fxt convert: archives in other formats.
 *
 * In: a command line.
 * Out: the call of one conversion.
 */
#include <stdio.h>
#include <string.h>

#include "walk/format.h"
#include "walk/io.h"
#include "command/command_line.h"

/* The command line while it is parsed; @wanted: the formats whose variants were requested. */
struct line {
	struct io io;
	const char *to;
	uint64_t wanted;
};

static const struct format *find_target(const struct line *l, int *status)
{
	const struct format *f = NULL;

	if (l->to) {
		f = format_to_write(l->to);	/* there is one */
	} else if (l->io.output) {
		f = format_of_ending(l->io.output);
		if (!f)
			*status = archive_usage("convert", l->io.output,
						"unknown file extension; give --to");
	} else {
		*status = archive_usage("convert", NULL, "--to or -o is needed");
	}
	return f;
}

static int check_variants(const struct line *l, const struct format *target)
{
	const struct format *f;
	char option[64], why[64];

	for (f = formats; f->name; f++) {
		if (f == target || !(l->wanted & 1ULL << (f - formats)))
			continue;
		snprintf(option, sizeof(option), "--%s", f->variant.option);
		snprintf(why, sizeof(why), "requires --to %s", f->name);
		return archive_usage("convert", option, why);
	}
	return VERB_DONE;
}

static int convert_archive(struct line *l)
{
	int status = VERB_DONE;
	const struct format *f = find_target(l, &status);

	if (!f)
		return status;
	if ((f->result->is_directory || f->result->is_reopened) &&
	    (!l->io.output || !strcmp(l->io.output, "-")))
		return archive_usage("convert", f->name, "requires -o OUT");
	status = check_variants(l, f);
	if (status)
		return status;
	l->io.kind = f->result;
	return l->wanted ? f->variant.write(&l->io) : f->write(&l->io);
}

static bool target_word(unsigned int i, struct option_word *w)
{
	const struct format *f;

	for (f = formats; f->name; f++)
		if (f->write && !i--) {
			*w = (struct option_word){ f->name, f->about };
			return true;
		}
	return false;
}

static bool ending_word(unsigned int i, struct option_word *w)
{
	const struct format *f;
	unsigned int k;

	for (f = formats; f->name; f++)
		for (k = 0; k < FORMAT_MAX_ENDINGS && f->endings[k]; k++)
			if (!i--) {
				w->name = f->endings[k];
				return true;
			}
	return false;
}

/* The last key; the index of the format is added to it. */
enum { OPT_TO = OPTION_LONG, OPT_FROM, OPT_VARIANT };

static const struct option_row first_rows[] = {
	{ .help = "Formats", .words = target_word, .lists = true },
	{ .help = "Formats of FILE", .words = foreign_word, .lists = true },
	OPTION_TITLE("Output"),
	OPTION(OPT_TO, "to", "FORMAT", "write this format (default: by the extension of OUT)",
	       .kind = OPTION_WORD, .words = target_word),
	OPTION('o', "output", "OUT", "write to OUT; - is standard output (default: - for json, ftrace, "
	       "perfetto and fxt). Without --to, its extension selects the format: {words}",
	       .kind = OPTION_FILE, .listed = ending_word),
	ROW_FORCE("replace OUT even if fxt did not write it"),
};

static const struct option_row last_rows[] = {
	ROW_QUIET("show no progress, and no hint about results over 1 GB"),
	OPTION_HELP,
	OPTION_TITLE("Input"),
	OPTION(OPT_FROM, "from", "FORMAT", "read this format (default: detected from the beginning "
	       "of FILE; for a pipe fxt)", .kind = OPTION_WORD, .words = foreign_word),
	ROWS_INPUT,
	{ 0 },
};

#define MAX_VARIANTS	16
#define COUNT(rows)	(sizeof(rows) / sizeof((rows)[0]))

static struct option_row rows[COUNT(first_rows) + MAX_VARIANTS + COUNT(last_rows)];

/* The options of formats stand between those of the command. */
static void prepare(void)
{
	static char texts[MAX_VARIANTS][128];
	unsigned int count = 0;
	struct option_row *row = rows + COUNT(first_rows);
	const struct format *f;

	memcpy(rows, first_rows, sizeof(first_rows));
	for (f = formats; f->name && count < MAX_VARIANTS; f++) {
		if (!f->variant.option)
			continue;
		snprintf(texts[count], sizeof(texts[count]), "%s: %s", f->name, f->variant.about);
		*row++ = (struct option_row)OPTION(OPT_VARIANT + (int)(f - formats),
						   f->variant.option, NULL, texts[count]);
		count++;
	}
	memcpy(row, last_rows, sizeof(last_rows));
}

static const char *take_own(void *arg, int option, const char *value)
{
	struct line *l = arg;

	if (option == OPT_TO)
		l->to = value;
	else if (option == 'o')
		l->io.output = value;
	else if (option == OPT_FROM)
		l->io.a.from = value;
	else
		l->wanted |= 1ULL << (option - OPT_VARIANT);
	return NULL;
}

static int run_convert(int argc, char **argv)
{
	struct line l = { .to = NULL };
	struct operands operands;
	int status = command_line_parse(&verb_convert, &l, &l.io.a, NULL, argc, argv, &operands);

	if (status >= 0)
		return status;
	l.io.input = operands.paths[0];
	return convert_archive(&l);
}

const struct verb verb_convert = {
	.name = "convert",
	.what = "convert it to {words}",
	.words = target_word,
	.about =
		"Writes an archive, or a trace of another program, in another format.\n",
	.more =
		"FILE may be compressed with gzip or zstd; - is standard input. If OUT exists and was\n"
		"written by fxt, it is kept as OUT.old.\n",
	.rows = rows,
	.prepare = prepare,
	.run = run_convert,
	.take = take_own,
};
