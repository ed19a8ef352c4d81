// SPDX-License-Identifier: GPL-2.0-or-later
/* command.c - fxt convert: archives in other formats. */
#include <stdio.h>
#include <string.h>

#include "walk/format.h"
#include "walk/io.h"
#include "command/command_line.h"

#define MAX_FORMATS	32

struct command {
	struct io io;
	const char *to;
	bool variants[MAX_FORMATS];	/* was the option of a format's variant given? */
};

static const struct format *find_target(const struct command *c, int *status)
{
	const struct format *f = NULL;

	if (c->to) {
		f = format_to_write(c->to);	/* there is one */
	} else if (c->io.output) {
		f = format_of_ending(c->io.output);
		if (!f)
			*status = archive_usage("convert", c->io.output,
						"unknown file extension; give --to");
	} else {
		*status = archive_usage("convert", NULL, "--to or -o is needed");
	}
	return f;
}

static int check_variants(const struct command *c, const struct format *target)
{
	const struct format *f;
	char option[64], why[64];

	for (f = formats; f->name; f++) {
		if (f == target || !c->variants[f - formats])
			continue;
		snprintf(option, sizeof(option), "--%s", f->variant.option);
		snprintf(why, sizeof(why), "requires --to %s", f->name);
		return archive_usage("convert", option, why);
	}
	return VERB_DONE;
}

static int convert_archive(struct command *c)
{
	int status = VERB_DONE;
	const struct format *f = find_target(c, &status);

	if (!f)
		return status;
	if ((f->result->is_directory || f->result->is_reopened) &&
	    (!c->io.output || !strcmp(c->io.output, "-")))
		return archive_usage("convert", f->name, "requires -o OUT");
	status = check_variants(c, f);
	if (status)
		return status;
	c->io.kind = f->result;
	return c->variants[f - formats] ? f->variant.write(&c->io) : f->write(&c->io);
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

static const struct option_row first_rows[] = {
	{ .help = "Formats", .words = target_word, .lists = true },
	{ .help = "Formats of FILE", .words = foreign_word, .lists = true },
	OPTION_TITLE("Output"),
	OPTION(0, "to", "FORMAT", "write this format (default: by the extension of OUT)",
	       .kind = OPTION_WORD, .words = target_word, OPTION_SETS_STRING(struct command, to)),
	OPTION('o', "output", "OUT", "write to OUT; - is standard output (default: - for json, ftrace, "
	       "perfetto and fxt). Without --to, its extension selects the format: {words}",
	       .kind = OPTION_FILE, .listed = ending_word,
	       OPTION_SETS_STRING(struct command, io.output)),
	ROW_FORCE("replace OUT even if fxt did not write it"),
};

static const struct option_row last_rows[] = {
	ROW_QUIET("show no progress, and no hint about results over 1 GB"),
	OPTION_HELP,
	OPTION_TITLE("Input"),
	ROWS_INPUT(struct command, io.a),
	{ 0 },
};

#define COUNT(rows)	(sizeof(rows) / sizeof((rows)[0]))

static struct option_row rows[COUNT(first_rows) + MAX_FORMATS + COUNT(last_rows)];

/* The options of formats stand between those of the command. */
static void prepare(void)
{
	static char texts[MAX_FORMATS][128];
	struct option_row *row = rows + COUNT(first_rows);
	unsigned int i;

	memcpy(rows, first_rows, sizeof(first_rows));
	for (i = 0; i < MAX_FORMATS && formats[i].name; i++) {
		if (!formats[i].variant.option)
			continue;
		snprintf(texts[i], sizeof(texts[i]), "%s: %s", formats[i].name,
			 formats[i].variant.about);
		*row++ = (struct option_row)OPTION(0, formats[i].variant.option, NULL, texts[i],
						   OPTION_SETS_BOOL(struct command, variants[i]));
	}
	memcpy(row, last_rows, sizeof(last_rows));
}

static int run_convert(void *command, const struct operands *operands)
{
	struct command *c = command;

	c->io.input = operands->paths[0];
	return convert_archive(c);
}

const struct verb verb_convert = {
	.name = "convert",
	.what = "convert it to {words}",
	.words = target_word,
	.about =
		"Writes an archive, or a trace of another program, in another format.\n",
	.more =
		"FILE may be compressed (" FXT_UNPACKS "); - is standard input. If OUT exists and was\n"
		"written by fxt, it is kept as OUT.old.\n",
	.rows = rows,
	.prepare = prepare,
	.bytes = sizeof(struct command),
	.run = run_convert,
};
