// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - fxt convert: archives in other formats.
 *
 * In: a command line.
 * Out: the call of one conversion.
 */
#include <stdio.h>
#include <string.h>

#include "convert/ftrace/convert.h"
#include "convert/fxt/convert.h"
#include "convert/json/convert.h"
#include "convert/perfetto/convert.h"
#include "convert/tables/csv.h"
#include "convert/tables/parquet.h"
#include "convert/tables/sqlite.h"
#include "read/foreign.h"
#include "walk/command_line.h"
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

struct target {
	const char *name;
	int (*convert)(struct io *io);
	const char *endings[4];	/* file extensions; NULL ends a shorter list */
	bool needs_output;
};

static const struct target targets[] = {
	{ "json",	convert_json,	{ ".json" },		false },
	{ "ftrace",	convert_ftrace,	{ ".ftrace", ".txt" },	false },
	{ "perfetto",	convert_perfetto, { ".pftrace", ".perfetto-trace" }, false },
	{ "csv",	convert_csv,	{ ".csv" },		true },
	{ "parquet",	convert_parquet, { ".parquet" },	true },
	{ "sqlite",	convert_sqlite,	{ ".sqlite", ".db" },	true },
	{ "fxt",	convert_fxt,	{ ".fxt", ".fxt.zst", ".fxt.zstd", ".fxt.gz" }, false },
};

#define TARGETS	(sizeof(targets) / sizeof(targets[0]))

static const struct target *target_by_name(const char *name)
{
	size_t i;

	for (i = 0; i < TARGETS; i++)
		if (!strcmp(targets[i].name, name))
			return &targets[i];
	return NULL;
}

static const struct target *target_by_ending(const char *path)
{
	size_t i, k, length = strlen(path), ending;

	for (i = 0; i < TARGETS; i++) {
		for (k = 0; k < 4 && targets[i].endings[k]; k++) {
			ending = strlen(targets[i].endings[k]);
			if (length > ending &&
			    !strcmp(path + length - ending, targets[i].endings[k]))
				return &targets[i];
		}
	}
	return NULL;
}

/* The command line, while it is parsed. */
struct line {
	struct io io;
	const char *to;
	bool with_ftrace;
	bool has_partition;
	bool has_raw_text;
};

/* Either changes what a target does. */
static int run_target(struct line *l, const struct target *t)
{
	if (l->with_ftrace)
		return convert_json_with_ftrace(&l->io);
	if (l->has_raw_text)
		return convert_csv_raw(&l->io);
	return l->has_partition ? convert_parquet_partition(&l->io) : t->convert(&l->io);
}

static int run(struct line *l)
{
	const struct target *t = NULL;

	if (l->to) {
		t = target_by_name(l->to);
		if (!t)
			return archive_usage("convert", l->to, "unknown format");
	} else if (l->io.output) {
		t = target_by_ending(l->io.output);
		if (!t)
			return archive_usage("convert", l->io.output,
					     "unknown file extension; give --to");
	} else {
		return archive_usage("convert", NULL, "--to or -o is needed");
	}
	if (t->needs_output && (!l->io.output || !strcmp(l->io.output, "-")))
		return archive_usage("convert", t->name, "requires -o OUT");
	if (l->with_ftrace && t->convert != convert_json)
		return archive_usage("convert", "--with-ftrace", "requires --to json");
	if (l->has_partition && t->convert != convert_parquet)
		return archive_usage("convert", "--partition", "requires --to parquet");
	if (l->has_raw_text && t->convert != convert_csv)
		return archive_usage("convert", "--raw-text", "requires --to csv");
	if (l->io.a.from && !foreign_is_format(l->io.a.from))
		return archive_usage("convert", l->io.a.from,
				     "unknown format to read, or fxt was built without it; use one of "
				     FOREIGN_FORMATS);
	return run_target(l, t);
}

static const char *take_own(void *arg, int option, const char *value)
{
	struct line *l = arg;

	if (option == 't')
		l->to = value;
	else if (option == 'o')
		l->io.output = value;
	else if (option == 'r')
		l->io.a.from = value;
	else if (option == 'p')
		l->has_partition = true;
	else if (option == 'w')
		l->has_raw_text = true;
	else
		l->with_ftrace = true;
	return NULL;
}

int verb_convert(int argc, char **argv)
{
	static const struct option options[] = {
		{ "to", required_argument, NULL, 't' },
		{ "from", required_argument, NULL, 'r' },
		{ "output", required_argument, NULL, 'o' },
		{ "with-ftrace", no_argument, NULL, 'f' },
		{ "partition", no_argument, NULL, 'p' },
		{ "raw-text", no_argument, NULL, 'w' },
		{ "help", no_argument, NULL, 'h' },
		FORCE_OPTIONS,
		ARCHIVE_OPTIONS,
		{ NULL, 0, NULL, 0 },
	};
	static const struct command_line command = {
		.verb = "convert", .help = help, .letters = ":o:qh", .options = options,
		.take = take_own,
	};
	struct line l = { .to = NULL };
	struct operands operands;
	int status = command_line_parse(&command, &l, &l.io.a, NULL, argc, argv, &operands);

	if (status >= 0)
		return status;
	l.io.input = operands.paths[0];
	return run(&l);
}
