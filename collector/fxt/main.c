// SPDX-License-Identifier: GPL-2.0-or-later
/* main.c - fxt: read, check, convert and report on FXT archives. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command/command_line.h"
#include "command/program.h"
#include "formats/formats.h"
#include "terminal/message.h"
#include "terminal/terminal.h"
#include "walk/format.h"
#include "walk/io.h"

/* A program of its own, so that the others do not load TLS. */
static const struct verb verb_receive = {
	.name = "receive",
	.what = "receive archives over the network from fxt-collect",
	.program = "fxt-receive",
};

static const struct verb *const verbs[] = {
	&verb_check, &verb_info, &verb_dump, &verb_convert, &verb_report, &verb_why, &verb_blame,
	&verb_diff, &verb_assert, &verb_cut, &verb_merge, &verb_symbolize, &verb_open, &verb_receive,
};

#define VERBS	(sizeof(verbs) / sizeof(verbs[0]))

/* Options before a command. */
static const struct option_row rows[] = {
	OPTION('h', "help", NULL, "print this help, or that of the command before it"),
	OPTION(0, "version", NULL, "print the version"),
	ROW_NO_PAGER,
	{ 0 },
};

static const struct option_row common_rows[] = {
	OPTION_TITLE("Common options (of all commands but open and receive)"),
	ROWS_INPUT(struct io, a),
	ROW_QUIET("show no progress"),
	{ 0 },
};

/* An option before the command, which may be among the arguments after it. */
static void report_option(char **args)
{
	size_t i, k;

	for (i = 1; args[i]; i++)
		for (k = 0; k < VERBS; k++)
			if (!strcmp(args[i], verbs[k]->name)) {
				message("fxt: %s: a command comes before its options; try: fxt %s %s\n",
					args[0], args[i], args[0]);
				return;
			}
	message("fxt: %s: a command comes before its options; see fxt --help\n", args[0]);
}

/* The verb of the first argument; NULL after reporting that there is none. */
static const struct verb *find_verb(char **args)
{
	const char *name = args[0];
	struct fxt_suggestion s = { .word = name };
	size_t i;

	for (i = 0; i < VERBS; i++) {
		if (!strcmp(name, verbs[i]->name))
			return verbs[i];
		fxt_suggest(&s, verbs[i]->name);
	}
	if (name[0] == '-' && name[1])
		report_option(args);
	else if (!access(name, F_OK) || !strcmp(name, "-"))
		message("fxt: %s: a file, but no command; try: fxt report %s\n", name, name);
	else
		message("fxt: %s: unknown command%s%s%s; see fxt --help\n", name,
			s.best ? " (did you mean " : "", s.best ? s.best : "",
			s.best ? "?)" : "");
	return NULL;
}

static const char *what_of(const struct verb *v)
{
	static char text[OPTION_TEXT];

	return option_expand(text, sizeof(text), v->what, v->words);
}

static int print_help(void)
{
	size_t i, width = 0;

	for (i = 0; i < VERBS; i++)
		width = strlen(verbs[i]->name) > width ? strlen(verbs[i]->name) : width;
	puts("usage: fxt [--no-pager] COMMAND [OPTION...] FILE\n"
	     "       fxt help [COMMAND]\n"
	     "\n"
	     "Commands");
	for (i = 0; i < VERBS; i++)
		option_print_word(stdout, verbs[i]->name, what_of(verbs[i]), width);
	putchar('\n');
	option_print_help(stdout, common_rows);
	puts("\n"
	     "fxt help COMMAND lists its options, and man fxt-COMMAND explains them. FILE may be\n"
	     "plain or compressed (" FXT_UNPACKS "), of either byte order; - is standard input.\n"
	     "It may also be trace.dat of trace-cmd, perf.data of perf sched record, ftrace's\n"
	     "text, a trace of Perfetto, or JSON in the Trace Event Format.\n"
	     "\n"
	     "On a terminal, report and dump run a pager ($PAGER or less) unless --no-pager is "
	     "given.\n"
	     "\n"
	     "exit status: 0 done; 1 the archive has faults (check: violations; others: records\n"
	     "were skipped); 2 wrong usage; 3 the archive cannot be read; 4 the output cannot\n"
	     "be written.");
	return VERB_DONE;
}

static int run_verb(const struct verb *v, int argc, char **argv)
{
	return v->program ? program_become(v->name, v->program, argv) : command_line_run(v, argc, argv);
}

/* "fxt help VERB" is "fxt VERB --help". */
static int help_verb(int argc, char **argv)
{
	static char option[] = "--help";
	char *args[] = { argv[1], option, NULL };
	const struct verb *v;

	if (argc < 2)
		return print_help();
	v = find_verb(argv + 1);
	return v ? run_verb(v, 2, args) : VERB_USAGE;
}

static void offer_verbs(const char *typed)
{
	size_t i;

	for (i = 0; i < VERBS; i++)
		if (!strncmp(verbs[i]->name, typed, strlen(typed)))
			printf("%s\t%s\n", verbs[i]->name, what_of(verbs[i]));
}

static int complete_verb(const struct verb *v, char **words, int count)
{
	static char option[] = "--complete";

	if (v->program) {
		words[0] = option;
		return program_become(v->name, v->program, words - 1);
	}
	option_complete(command_line_rows(v), words + 1, count - 1, OPTION_ARCHIVES, false);
	return VERB_DONE;
}

/* Print completions for the last of @count words, which follow another; see option_complete(). */
static int complete(char **words, int count)
{
	size_t i;

	if (count > 1 && !strcmp(words[0], "--no-pager")) {
		words++;
		count--;
	}
	if (count == 1 && words[0][0] == '-')
		option_complete(rows, words, count, NULL, true);
	else if (count == 1 || (count == 2 && !strcmp(words[0], "help")))
		offer_verbs(words[count - 1]);
	if (count == 1 && !strncmp("help", words[0], strlen(words[0])))
		puts("help\tlist the options of a command");
	for (i = 0; i < VERBS && count > 1; i++)
		if (!strcmp(words[0], verbs[i]->name))
			return complete_verb(verbs[i], words, count);
	return VERB_DONE;
}

/* Print the options for scripts/options.sh. The last verb is a program. */
static int print_options(char **argv)
{
	size_t i;

	option_print_rows(stdout, "fxt", rows);
	for (i = 0; i < VERBS; i++) {
		if (verbs[i]->program)
			return program_become(verbs[i]->name, verbs[i]->program, argv);
		printf("%s\t-\t-\t%s\n", verbs[i]->name, command_line_operands(verbs[i]));
		option_print_rows(stdout, verbs[i]->name, command_line_rows(verbs[i]));
	}
	return VERB_DONE;
}

/* Flush standard output while a failure can still be reported. */
static int finish_output(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	if (status != VERB_UNWRITABLE)
		message("fxt: cannot write standard output: %s\n", strerror(errno));
	return VERB_UNWRITABLE;
}

static int run_command(int argc, char **argv)
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
	if (!strcmp(argv[1], "--complete"))
		return argc > 2 ? complete(argv + 2, argc - 2) : VERB_USAGE;
	if (!strcmp(argv[1], "--print-options"))
		return print_options(argv);
	v = find_verb(argv + 1);
	return v ? run_verb(v, argc - 1, argv + 1) : VERB_USAGE;
}

int main(int argc, char **argv)
{
	/* A limit on file sizes becomes an error of write(2), which is reported, not a signal. */
	signal(SIGXFSZ, SIG_IGN);
	/* If it were ignored, the result of a process that reads a trace would be lost. */
	signal(SIGCHLD, SIG_DFL);
	formats = all_formats;
	return finish_output(run_command(argc, argv));
}
