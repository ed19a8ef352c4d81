/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_line.h - the commands of fxt, and their command lines.
 *
 * In: a command line, and the table of options of a command.
 * Out: the struct that the options set, the archives, and the exit status of the command.
 */
#ifndef FXT_COMMAND_COMMAND_LINE_H
#define FXT_COMMAND_COMMAND_LINE_H

#include "libfxt/compression.h"
#include "libopt/option.h"
#include "terminal/exit_status.h"
#include "terminal/progress.h"
#include "terminal/terminal.h"
#include "walk/archive.h"
#include "walk/filter.h"
#include "walk/format.h"
#include "write/result.h"

/*
 * Rows of several commands. @type: the struct that the options set; @archive, @filter: its members;
 * @text: as in --help
 */
#define ROW_QUIET(text)	OPTION('q', "quiet", NULL, text, .call = progress_off)
#define ROWS_JSON(type, member, text)						\
	OPTION(0, "json", NULL, text, OPTION_SETS_BOOL(type, member)),		\
	OPTION(0, "json-schema", NULL, "print the JSON Schema of what --json prints", .set = option_ends)
#define JSON_OBJECT	"print one JSON object"
#define JSON_LINES	"print one JSON object per archive and line"
#define ROWS_INPUT(type, archive)							\
	OPTION(0, "from-format", "FORMAT",						\
	       "read this format: {words} (default: detected from the beginning of the input)",	\
	       .kind = OPTION_WORD, .words = foreign_word, .set = foreign_set_format),	\
	OPTION(0, "format", "2017",							\
	       "read the event types of the first public version of the format",	\
	       .kind = OPTION_WORD, .words = command_line_format,			\
	       OPTION_SETS_BOOL(type, archive.options.format_2017)),			\
	OPTION(0, "ticks-per-second", "N",						\
	       "rate of the clock of a trace whose times are ticks (x86-tsc, counter)",	\
	       .set = foreign_set_ticks),						\
	OPTION(0, "strict", NULL, "stop at the first violation of the format",		\
	       OPTION_SETS_BOOL(type, archive.options.strict))

/* For commands that show pages of text. */
#define ROW_NO_PAGER								\
	OPTION(0, "no-pager", NULL, "do not run a pager ($PAGER or less) on a terminal", \
	       .call = terminal_no_pager)

/* For commands that write a file. */
#define ROW_FORCE(text)	OPTION(0, "force", NULL, text, .call = result_force)

/* For commands with a filter. */
#define ROW_PID(type, filter, text)						\
	OPTION(0, "pid", "PID,..", text, .kind = OPTION_PIDS,			\
	       OPTION_SETS(filter_add_ids, type, filter.pids))
#define ROW_COMM(type, filter, text)						\
	OPTION(0, "comm", "PATTERN", text, .kind = OPTION_COMM,			\
	       OPTION_SETS(filter_set_comm, type, filter))
#define ROW_CPU(type, filter, text)						\
	OPTION(0, "cpu", "LIST", text, OPTION_SETS(filter_add_cpus, type, filter))
/* Which threads: see walk/scope.h. */
#define ROW_ALL(type, filter)							\
	OPTION(0, "all", NULL,							\
	       "select from all threads (default: if a command was recorded, from its threads, and those of what it started)", \
	       OPTION_SETS_BOOL(type, filter.is_all))
#define ROWS_THREADS(type, filter)						\
	ROW_PID(type, filter, "select the threads of these processes"),		\
	ROW_COMM(type, filter, "select threads with a matching name: 'nginx*'; * ? [a-z] [!a-z]"), \
	OPTION(0, "cgroup", "PATH",						\
	       "select the threads of this cgroup, and of those below it",	\
	       OPTION_SETS(filter_set_cgroup, type, filter)),			\
	ROW_ALL(type, filter)
#define ROWS_TIMES(type, filter)						\
	OPTION(0, "from", "TIME",						\
	       "start at TIME: seconds as fxt dump shows them, or +TIME (+2.5s, +150ms) after the earliest time stamp", \
	       OPTION_SETS(filter_set_limit, type, filter.from)),		\
	OPTION(0, "to", "TIME", "stop at TIME, likewise",			\
	       OPTION_SETS(filter_set_limit, type, filter.to))

/* Last paragraphs of --help: for commands that read one archive and print, and about its FILE. */
#define HELP_FILE								\
	"FILE may be - for standard input, and compressed (" FXT_UNPACKS ") (default:\n"	\
	FXT_SCHED_ARCHIVE ").\n"
#define HELP_EXIT								\
	"exit status: 0 done; 1 records were skipped, or nothing is selected; 2 wrong usage;\n"	\
	"3 the archive cannot be read; 4 the output, or a temporary file, cannot be written.\n"

#define TOP_WRONG	"invalid number of rows; use e.g. 20"

/* The values of --format; see option_words. */
bool command_line_format(unsigned int i, struct option_word *w);

/* The archives of a command line, at least one. */
struct operands {
	char **paths;
	int count;
	int after;	/* how many follow "--"; -1: there is no "--" */
};

struct verb {
	const char *name;		/* as "report" */
	const char *what;		/* it does, for fxt --help; "{words}" is the list of @words */
	option_words *words;
	const char *about;		/* first paragraphs of its --help, in lines */
	const char *more;		/* last paragraphs */
	const struct option_row *rows;
	void (*prepare)(void);		/* completes @rows before they are used; may be NULL */
	size_t bytes;			/* of the struct that @rows set, which begins with zeros */
	size_t filter_at;		/* the offset of its filter; 0: none */
	void (*begin)(void *command);	/* sets defaults other than zeros; may be NULL */
	/* Returns enum verb_exit. */
	int (*run)(void *command, const struct operands *operands);
	const char *program;		/* a separate program; then only @name and @what are set */
	bool several;			/* it takes more than one archive */
	bool has_default_archive;	/* FXT_SCHED_ARCHIVE, if none is given */
	const char *operands;		/* in its usage line, if these are not just archives */
	const struct schema *schema;	/* of the object that it prints with ROWS_JSON; or NULL */
};

/* Each command is in the folder of its name. */
extern const struct verb verb_assert, verb_blame, verb_check, verb_convert, verb_cut, verb_diff,
			 verb_dump, verb_info, verb_merge, verb_open, verb_report, verb_symbolize,
			 verb_why;

const struct option_row *command_line_rows(const struct verb *v);

/* The operands of a verb, as in its usage line: "[FILE...]" */
const char *command_line_operands(const struct verb *v);

/*
 * Read the command line of a verb, its name first, and run the verb. Returns enum verb_exit, after
 * reporting errors.
 */
int command_line_run(const struct verb *v, int argc, char **argv);

#endif /* FXT_COMMAND_COMMAND_LINE_H */
