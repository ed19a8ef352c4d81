/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter_options.h - the command line of a verb that takes filters.
 *
 * What flows in: a command line, and which options the verb takes. What flows out: the
 * archive's options, the filter, the verb's own options; messages on standard error.
 */
#ifndef FXT_TOOL_FILTER_OPTIONS_H
#define FXT_TOOL_FILTER_OPTIONS_H

#include "archive.h"
#include "filter.h"

/* Long options that set a filter; a verb gives its own ones values below 0x100. */
enum filter_option {
	FILTER_OPT_TYPE = 0x200,
	FILTER_OPT_TID,
	FILTER_OPT_PID,
	FILTER_OPT_CPU,
	FILTER_OPT_FROM,
	FILTER_OPT_TO,
};

/* Those that all such verbs take. */
#define FILTER_OPTIONS							\
	{ "pid", required_argument, NULL, FILTER_OPT_PID },		\
	{ "cpu", required_argument, NULL, FILTER_OPT_CPU },		\
	{ "from", required_argument, NULL, FILTER_OPT_FROM },		\
	{ "to", required_argument, NULL, FILTER_OPT_TO }

/**
 * struct filter_command - a verb, as its command line is read
 * @verb: its name
 * @help: what --help prints
 * @letters: short options as getopt_long(3) takes them, ":" first and "h" among them
 * @options: long ones, FILTER_OPTIONS and ARCHIVE_OPTIONS among them, --help as 'h'
 * @take: take an option of the verb's own; NULL, or what is wrong with its value
 */
struct filter_command {
	const char *verb;
	const char *help;
	const char *letters;
	const struct option *options;
	const char *(*take)(void *arg, int option, const char *value);
};

/**
 * filter_parse() - read the options of a command line
 * @c: the verb
 * @arg: of c->take()
 * @a: its options are set
 * @f: it is set; the caller's to free in all cases
 *
 * Return: -1 if optind is where the operands are; else the exit status, after --help or
 * after saying what is wrong.
 */
int filter_parse(const struct filter_command *c, void *arg, struct archive *a,
		 struct filter *f, int argc, char **argv);

#endif /* FXT_TOOL_FILTER_OPTIONS_H */
