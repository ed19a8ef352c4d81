// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * main.c - fxt: read, check, convert and report on FXT archives.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "formats/formats.h"
#include "libfxt/usage.h"
#include "terminal/message.h"
#include "terminal/terminal.h"
#include "verbs.h"
#include "walk/foreign.h"

static const char help[] =
"usage: fxt [--no-pager] COMMAND [OPTION...] FILE\n"
"       fxt help [COMMAND]\n"
"\n"
"Commands\n"
"  check      check an archive: format, scheduling, and what Perfetto makes of it\n"
"  info       print its times, CPUs, clock, records of each kind and losses\n"
"  dump       print its records, one per line, as text or JSON\n"
"  convert    convert it to json, ftrace, csv, sqlite or fxt\n"
"  report     report who ran, who waited, and why: run times and latencies\n"
"  cut        write a part of it, by time, process or CPU, as an archive\n"
"  merge      write several as one: parts of a recording, or several machines\n"
"  symbolize  name the functions of its call stacks\n"
"  open       show it in Perfetto, in a browser\n"
"  receive    receive archives over the network from fxt-collect\n"
"\n"
"Common options (of all commands but open and receive)\n"
"  --format=2017  read the event types of the first public version of the format;\n"
"                 the magic number record may be missing\n"
"  --strict       stop at the first violation of the format; without it, malformed\n"
"                 records are skipped and counted\n"
"  -q, --quiet    show no progress\n"
"\n"
"Run fxt help COMMAND for its options. FILE may be plain or compressed with gzip or\n"
"zstd, of either byte order; - is standard input. It may also be trace.dat of\n"
"trace-cmd, perf.data of perf sched record, ftrace's text, or JSON in the Trace\n"
"Event Format.\n"
"\n"
"On a terminal, report and dump write to $PAGER, or less, unless --no-pager is given.\n"
"\n"
"exit status: 0 done; 1 the archive deviates (check: violations; others: records\n"
"were skipped); 2 wrong usage; 3 the archive cannot be read; 4 the output cannot\n"
"be written.\n";

static const struct verb {
	const char *name;
	int (*run)(int argc, char **argv);
} verbs[] = {
	{ "check", verb_check },
	{ "info", verb_info },
	{ "dump", verb_dump },
	{ "convert", verb_convert },
	{ "report", verb_report },
	{ "cut", verb_cut },
	{ "merge", verb_merge },
	{ "symbolize", verb_symbolize },
	{ "open", verb_open },
	{ "receive", verb_receive },
};

#define VERBS	(sizeof(verbs) / sizeof(verbs[0]))

/* NULL after reporting that there is no such command. */
static const struct verb *find_verb(const char *name)
{
	struct fxt_suggestion s = { .word = name };
	size_t i;

	for (i = 0; i < VERBS; i++) {
		if (!strcmp(name, verbs[i].name))
			return &verbs[i];
		fxt_suggest(&s, verbs[i].name);
	}
	message("fxt: %s: unknown command%s%s%s; see fxt --help\n", name,
		s.best ? " (did you mean " : "", s.best ? s.best : "", s.best ? "?)" : "");
	return NULL;
}

static int print_help(void)
{
	fputs(help, stdout);
	return VERB_DONE;
}

/* "fxt help VERB" is "fxt VERB --help". */
static int help_verb(int argc, char **argv)
{
	static char option[] = "--help";
	char *args[] = { argv[1], option, NULL };
	const struct verb *v;

	if (argc < 2)
		return print_help();
	v = find_verb(argv[1]);
	return v ? v->run(2, args) : VERB_USAGE;
}

/* Flush standard output while a failure can still be reported. */
static int finish(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	if (status != VERB_UNWRITABLE)
		message("fxt: cannot write standard output: %s\n", strerror(errno));
	return VERB_UNWRITABLE;
}

static int run(int argc, char **argv)
{
	const struct verb *v;

	if (argc > 1 && !strcmp(argv[1], "--no-pager")) {
		terminal_no_pager();
		argc--;
		argv++;
	}
	if (argc < 2) {
		print_help();
		return VERB_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return print_help();
	if (!strcmp(argv[1], "help"))
		return help_verb(argc - 1, argv + 1);
	if (!strcmp(argv[1], "--version")) {
		puts("fxt " FXT_VERSION);
		return VERB_DONE;
	}
	v = find_verb(argv[1]);
	return v ? v->run(argc - 1, argv + 1) : VERB_USAGE;
}

int main(int argc, char **argv)
{
	/* So that a limit on file sizes is an error of write(2), and reported as such. */
	signal(SIGXFSZ, SIG_IGN);
	foreign_formats(formats);
	return finish(run(argc, argv));
}
