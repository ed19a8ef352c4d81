/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_line.h - the commands of fxt, and their command lines.
 *
 * In: a command line, and the table of options of a command.
 * Out: the archive's options, the filter, the command's own options, the archives;
 * messages on standard error.
 */
#ifndef FXT_COMMAND_COMMAND_LINE_H
#define FXT_COMMAND_COMMAND_LINE_H

#include "libopt/option.h"
#include "terminal/exit_status.h"
#include "walk/archive.h"
#include "walk/filter.h"

/*
 * Options shared by several commands, handled by command_line_parse(). Keys of a command's own
 * options are letters, or start at OPTION_LONG.
 */
enum filter_option {
	FILTER_OPT_TYPE = 0x300,
	FILTER_OPT_TID,
	FILTER_OPT_COMM,
	FILTER_OPT_PID,
	FILTER_OPT_CPU,
	FILTER_OPT_FROM,
	FILTER_OPT_TO,
	FILTER_OPT_CGROUP,
	FILTER_OPT_ALL,
};

#define COMMAND_OPT_NO_PAGER	0x400
#define COMMAND_OPT_FORCE	0x401

/* Their rows; @text: as in --help. */
#define ROW_QUIET(text)	OPTION(ARCHIVE_OPT_QUIET, "quiet", NULL, text)
#define ROWS_INPUT								\
	OPTION(ARCHIVE_OPT_FORMAT, "format", "2017",					\
	       "read the event types of the first public version of the format",	\
	       .kind = OPTION_WORD, .words = command_line_format),			\
	OPTION(ARCHIVE_OPT_STRICT, "strict", NULL, "stop at the first violation of the format")

/* Options of commands that show pages of text. */
#define ROW_NO_PAGER								\
	OPTION(COMMAND_OPT_NO_PAGER, "no-pager", NULL,				\
	       "do not run a pager ($PAGER or less) on a terminal")

/* Options of commands that write a file. */
#define ROW_FORCE(text)		OPTION(COMMAND_OPT_FORCE, "force", NULL, text)
#define ROW_OUTPUT(text)	OPTION('o', "output", "OUT", text, .kind = OPTION_FILE)

/* Options of commands with a filter. */
#define ROW_PID(text)		OPTION(FILTER_OPT_PID, "pid", "PID,..", text, .kind = OPTION_PIDS)
#define ROW_CPU(text)		OPTION(FILTER_OPT_CPU, "cpu", "LIST", text)
/* Which threads: see walk/scope.h. */
#define ROW_ALL									\
	OPTION(FILTER_OPT_ALL, "all", NULL,					\
	       "select from all threads (default: if a command was recorded, from its threads, and those of what it started)")
#define ROWS_THREADS								\
	ROW_PID("select the threads of these processes"),			\
	OPTION(FILTER_OPT_COMM, "comm", "PATTERN",				\
	       "select threads with a matching name: 'nginx*'; * ? [a-z] [!a-z]", .kind = OPTION_COMM), \
	OPTION(FILTER_OPT_CGROUP, "cgroup", "PATH",				\
	       "select the threads of this cgroup, and of those below it"),	\
	ROW_ALL
#define ROWS_TIMES								\
	OPTION(FILTER_OPT_FROM, "from", "TIME",					\
	       "start at TIME: seconds as fxt dump shows them, or +TIME (+2.5s, +150ms) after the earliest time stamp"), \
	OPTION(FILTER_OPT_TO, "to", "TIME", "stop at TIME, likewise")

struct verb;

/** command_line_rows() - get all options of a verb */
const struct option_row *command_line_rows(const struct verb *v);

/** command_line_format() - list the values of --format; see option_words */
bool command_line_format(unsigned int i, struct option_word *w);

/**
 * struct verb - a command
 * @name: as "report"
 * @what: what it does, for fxt --help; "{words}" becomes the list of @words
 * @words: or NULL
 * @about: first paragraphs of its --help, in lines
 * @more: last paragraphs
 * @rows: its options
 * @prepare: completes @rows before they are used; NULL if they are complete
 * @run: runs it; takes the command line from its name on. Return: enum verb_exit
 * @take: takes an option of the command's own. Return: NULL, or what is wrong with its value
 * @several: it takes more than one archive
 * @has_default_archive: it uses FXT_SCHED_ARCHIVE if no archive is given
 * @none: it takes no archive
 * @operands: the operands in its usage line, if these are not just archives
 */
struct verb {
	const char *name;
	const char *what;
	option_words *words;
	const char *about;
	const char *more;
	const struct option_row *rows;
	void (*prepare)(void);
	int (*run)(int argc, char **argv);
	const char *(*take)(void *arg, int option, const char *value);
	bool several;
	bool has_default_archive;
	bool none;
	const char *operands;
};

/* Each command is in the folder of its name. */
extern const struct verb verb_assert, verb_blame, verb_check, verb_convert, verb_cut, verb_diff,
			 verb_dump, verb_info, verb_merge, verb_open, verb_receive, verb_report,
			 verb_symbolize, verb_why;

/** command_line_operands() - the operands of a verb, as in its usage line: "[FILE...]" */
const char *command_line_operands(const struct verb *v);

/** struct operands - the archives that a verb was given, at least one unless it takes none */
struct operands {
	char **paths;
	int count;
};

/**
 * command_line_parse() - read the command line of a verb
 * @v: the verb
 * @arg: passed to v->take()
 * @a: set to the options of walk/archive.h; NULL if the verb does not have these
 * @f: set to the filter, which the caller frees in all cases; NULL if the verb has no filter
 * @argc: the verb's own part of the command line, its name first
 * @argv: likewise
 * @operands: set to the archives
 *
 * Return: -1 if there is work to do; else the exit status, after --help or after
 * reporting an error.
 */
int command_line_parse(const struct verb *v, void *arg, struct archive *a, struct filter *f,
		       int argc, char **argv, struct operands *operands);

#endif /* FXT_COMMAND_COMMAND_LINE_H */
