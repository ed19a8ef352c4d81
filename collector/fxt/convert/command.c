// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - fxt convert: archives in other formats.
 *
 * In: a command line.
 * Out: the call of one conversion.
 */
#include <stdio.h>
#include <string.h>

#include "formats/formats.h"
#include "walk/command_line.h"
#include "walk/foreign.h"
#include "walk/io.h"
#include "command.h"

static const char help[] =
"usage: fxt convert --to FORMAT [-o OUT] [--force] [--with-ftrace] [--partition]\n"
"                   [--raw-text] [--from FORMAT] [--format 2017] [--strict] [-q]\n"
"                   FILE\n"
"\n"
"Formats\n"
"  json      Trace Event Format: Perfetto, chrome://tracing, speedscope\n"
"  ftrace    the text of /sys/kernel/tracing/trace: scheduling, interrupts, idle\n"
"            states, migrations, frequencies and work items only\n"
"  perfetto  Perfetto's own packets, for tools that read nothing else\n"
"  csv       a directory of tables with the names of Perfetto's tables\n"
"  parquet   a directory of the same tables as Parquet files\n"
"  sqlite    the same tables as one database\n"
"  fxt       a valid archive in this machine's byte order, compressed as the\n"
"            extension of OUT says\n"
"\n"
"Output\n"
"  -o OUT          write to OUT; - is standard output (default: - for json, ftrace,\n"
"                  perfetto and fxt). Without --to, its extension selects the format:\n"
"                  .json, .ftrace, .txt, .pftrace, .perfetto-trace, .csv, .parquet,\n"
"                  .sqlite, .db, .fxt, .fxt.zst, .fxt.zstd, .fxt.gz\n"
"  --force         replace OUT even if fxt did not write it\n"
"  --with-ftrace   json: write scheduling as ftrace text instead of slices\n"
"  --partition     parquet: write OUT/host=HOST/date=DATE/archive=NAME, beside others\n"
"  --raw-text      csv: write no ' before texts that a spreadsheet takes as formulas\n"
"  -q, --quiet     show no progress, and do not report results over 1 GB\n"
"\n"
"Input\n"
"  --from FORMAT   fxt; json: Trace Event Format of any program; ftrace: the text of\n"
"                  ftrace or trace-cmd report; page: of systrace or trace2html;\n"
"                  trace.dat of trace-cmd record;\n"
"                  perf.data of perf sched record (default: what FILE begins like;\n"
"                  of a pipe: fxt)\n"
"  --format 2017   read the event types of the first public version of the format\n"
"  --strict        stop at the first violation of the format\n"
"\n"
"FILE may be compressed with gzip or zstd; - is standard input. If OUT exists and was\n"
"written by fxt, it is kept as OUT.old.\n";

/* The command line, while it is parsed; @wanted are the formats whose variants it asks for. */
struct line {
	struct io io;
	const char *to;
	uint64_t wanted;
};

static const struct format *find_target(const struct line *l, int *status)
{
	const struct format *f = NULL;

	if (l->to) {
		f = format_to_write(l->to);
		if (!f)
			*status = archive_usage("convert", l->to, "unknown format");
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

static int unknown_input(const char *from)
{
	char why[256] = "unknown format to read, or fxt was built without it; use one of fxt";
	const struct format *f;
	size_t used = strlen(why);

	for (f = formats; f->name && used < sizeof(why); f++)
		if (f->reads)
			used += snprintf(why + used, sizeof(why) - used, ", %s", f->name);
	return archive_usage("convert", from, why);
}

static int run(struct line *l)
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
	if (l->io.a.from && !foreign_is_format(l->io.a.from))
		return unknown_input(l->io.a.from);
	l->io.kind = f->result;
	return l->wanted ? f->variant.write(&l->io) : f->write(&l->io);
}

/* The values of the options for variants: the format's place in the table is added. */
#define OPT_VARIANT	0x80

static const char *take_own(void *arg, int option, const char *value)
{
	struct line *l = arg;

	if (option == 't')
		l->to = value;
	else if (option == 'o')
		l->io.output = value;
	else if (option == 'r')
		l->io.a.from = value;
	else
		l->wanted |= 1ULL << (option - OPT_VARIANT);
	return NULL;
}

#define MAX_VARIANTS	16

/* The options of all formats, behind those of the command, and the end of all. */
static void add_variants(struct option *o)
{
	const struct format *f;
	unsigned int count = 0;

	for (f = formats; f->name && count < MAX_VARIANTS; f++)
		if (f->variant.option)
			o[count++] = (struct option){ f->variant.option, no_argument, NULL,
						      OPT_VARIANT + (int)(f - formats) };
	o[count] = (struct option){ 0 };
}

int verb_convert(int argc, char **argv)
{
	static const struct option own[] = {
		{ "to", required_argument, NULL, 't' },
		{ "from", required_argument, NULL, 'r' },
		{ "output", required_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' },
		FORCE_OPTIONS,
		ARCHIVE_OPTIONS,
	};
	struct option options[sizeof(own) / sizeof(own[0]) + MAX_VARIANTS + 1];
	const struct command_line command = {
		.verb = "convert", .help = help, .letters = ":o:qh", .options = options,
		.take = take_own,
	};
	struct line l = { .to = NULL };
	struct operands operands;
	int status;

	memcpy(options, own, sizeof(own));
	add_variants(options + sizeof(own) / sizeof(own[0]));
	status = command_line_parse(&command, &l, &l.io.a, NULL, argc, argv, &operands);
	if (status >= 0)
		return status;
	l.io.input = operands.paths[0];
	return run(&l);
}
