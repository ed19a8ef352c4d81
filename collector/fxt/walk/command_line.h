/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_line.h - the command line of a command.
 *
 * In: a command line, and the options that the command takes.
 * Out: the archive's options, the filter, the command's own options, the archives;
 * messages on standard error.
 */
#ifndef FXT_WALK_COMMAND_LINE_H
#define FXT_WALK_COMMAND_LINE_H

#include "archive.h"
#include "filter.h"

/* Long options that set a filter; a command gives its own values below 0x100. */
enum filter_option {
	FILTER_OPT_TYPE = 0x200,
	FILTER_OPT_TID,
	FILTER_OPT_COMM,
	FILTER_OPT_PID,
	FILTER_OPT_CPU,
	FILTER_OPT_FROM,
	FILTER_OPT_TO,
};

/* Of commands that show pages of text; handled here. */
#define COMMAND_OPT_NO_PAGER	0x300
#define PAGER_OPTIONS							\
	{ "no-pager", no_argument, NULL, COMMAND_OPT_NO_PAGER }

/* Of commands that write a file; handled here. */
#define COMMAND_OPT_FORCE	0x301
#define FORCE_OPTIONS							\
	{ "force", no_argument, NULL, COMMAND_OPT_FORCE }

/* Of all commands with a filter. */
#define FILTER_OPTIONS							\
	{ "pid", required_argument, NULL, FILTER_OPT_PID },		\
	{ "cpu", required_argument, NULL, FILTER_OPT_CPU },		\
	{ "from", required_argument, NULL, FILTER_OPT_FROM },		\
	{ "to", required_argument, NULL, FILTER_OPT_TO }

/**
 * struct command_line - how to parse the command line of a verb
 * @verb: its name
 * @help: what --help prints
 * @letters: short options as getopt_long(3) takes them, ":" first and "h" among them
 * @options: long ones, --help as 'h' among them
 * @take: takes an option of the verb's own; NULL, or the error in its value
 * @several: it takes more than one archive
 * @usual: it uses FXT_SCHED_ARCHIVE if no archive is given
 * @none: it takes no archive
 */
struct command_line {
	const char *verb;
	const char *help;
	const char *letters;
	const struct option *options;
	const char *(*take)(void *arg, int option, const char *value);
	bool several;
	bool usual;
	bool none;
};

/** struct operands - the archives that a verb was given, at least one unless it takes none */
struct operands {
	char **paths;
	int count;
};

/**
 * command_line_parse() - read the command line of a verb
 * @c: the verb
 * @arg: passed to c->take()
 * @a: its options are set; unless it is NULL, the verb's options include ARCHIVE_OPTIONS
 * @f: it is set, and the caller frees it in all cases; NULL if the verb has no filter
 * @argc: the verb's own part of the command line, its name first
 * @argv: likewise
 * @operands: set to the archives
 *
 * Return: -1 if there is work to do; else the exit status, after --help or after
 * reporting an error.
 */
int command_line_parse(const struct command_line *c, void *arg, struct archive *a,
		       struct filter *f, int argc, char **argv, struct operands *operands);

#endif /* FXT_WALK_COMMAND_LINE_H */
