/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * option.h - the options of a command, as a table: one row for each, in the order of --help. The
 * parser, --help, completion and the manuals use it; nothing else lists options.
 *
 * argp(3) has tables, too, but they do not describe values, which suggestions and completion need,
 * and it prints its own messages.
 */
#ifndef LIBOPT_OPTION_H
#define LIBOPT_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct option_offers;

/* --- suggestions ------------------------------------------------------------------------ */

/* The search for the word most similar to an unknown one; initialize with @word. */
struct fxt_suggestion {
	const char *word;	/* as typed */
	const char *best;	/* NULL: none is similar */
	unsigned int distance;	/* edits between the two */
};

/**
 * fxt_suggest() - compare one more candidate, which must outlive @s
 *
 * An edit adds, removes or replaces a letter, or swaps two neighbours. A candidate is similar if it
 * needs at most one edit for every three letters of @s->word.
 */
void fxt_suggest(struct fxt_suggestion *s, const char *candidate);

#define OPTION_TEXT	512	/* enough for any message about an option */
#define OPTIONS_MOST	64	/* rows of a table; with more, option_parse() fails */

/* --- what a table looks like ------------------------------------------------ */

/* Kinds of values: what shells offer and what the parser refuses. */
enum option_kind {
	OPTION_ANY,		/* nothing is offered */
	OPTION_FILE,
	OPTION_DIRECTORY,
	OPTION_PIDS,		/* a list of processes */
	OPTION_COMM,		/* names of processes */
	OPTION_BEGIN,		/* @words are beginnings, or examples, of values */
	OPTION_WORD,		/* one of @words; others are refused */
	OPTION_WORDS,		/* a list of @words; others are refused */
	OPTION_BEGINS,		/* a list, of which @words are beginnings or examples */
};

/* What a value becomes. A function (@set) makes anything else. */
enum option_type {
	OPTION_NONE,		/* nothing, or what @set or @call makes of it */
	OPTION_BOOL,		/* bool: true */
	OPTION_STRING,		/* const char * */
	OPTION_INDEX,		/* unsigned int: of a word */
	OPTION_BITS,		/* uint64_t: 1 << index of each word, added to earlier ones */
	OPTION_NUMBER,		/* uint64_t, from @least to @most */
	OPTION_TIME,		/* uint64_t: ns, likewise */
	OPTION_SIZE,		/* uint64_t: bytes, likewise */
};

struct option_word {
	const char *name;
	const char *what;	/* its meaning in a few words, or NULL */
};

/* A table of values: set @w to value @i; @w->what is NULL before. Return: false at the end */
typedef bool option_words(unsigned int i, struct option_word *w);

/*
 * Parses a value into the variable @to. Return: NULL; what is wrong with the value; or option_end
 * to end parsing here
 */
typedef const char *option_setter(void *to, const char *value);

extern const char option_end[];

/* One option; or with @help alone, a title or a text between options. */
struct option_row {
	char letter;		/* or 0 */
	const char *name;	/* without hyphens */
	const char *value;	/* what --help calls it; NULL: it takes none */
	/*
	 * A sentence without a full stop. Shells show its first part, up to a colon, semicolon or
	 * parenthesis. "{words}" becomes the list of @listed or @words; "{meanings}" adds what each
	 * of them means.
	 */
	const char *help;
	enum option_kind kind;
	option_words *words;	/* of OPTION_BEGIN and the kinds after it */
	option_words *listed;	/* for @help, if they differ from @words */
		/* Adds values for completion, for instance of this machine; or NULL. */
	void (*offer)(struct option_offers *o, const char *begin);
	bool needed;		/* the command needs it */
	bool lists;		/* a title: @words are listed below it, with their meaning */
	enum option_type type;
	size_t at;		/* offset of the variable */
	uint64_t least;
	uint64_t most;		/* 0: no limit */
	const char *wrong;	/* the message for a number that is invalid or out of range */
	option_setter *set;	/* NULL: by @type */
	void (*call)(void);	/* called first; or NULL */
};

/* A row; other members of struct option_row may follow, by the macros below. */
#define OPTION(_letter, _name, _value, _help, ...)				\
	{ .letter = (_letter), .name = (_name), .value = (_value), .help = (_help), ##__VA_ARGS__ }

/* The variable that an option sets, a member of a struct. */
#define OPTION_AT(kind, strct, member)						\
	.at = offsetof(strct, member) + 0 * sizeof((kind *)0 - &((strct *)0)->member)
#define OPTION_SETS_BOOL(strct, member)						\
	.type = OPTION_BOOL, OPTION_AT(bool, strct, member)
#define OPTION_SETS_STRING(strct, member)					\
	.type = OPTION_STRING, OPTION_AT(const char *, strct, member)
#define OPTION_SETS_INDEX(strct, member)					\
	.type = OPTION_INDEX, OPTION_AT(unsigned int, strct, member)
#define OPTION_SETS_BITS(strct, member)						\
	.type = OPTION_BITS, OPTION_AT(uint64_t, strct, member)
#define OPTION_SETS_NUMBER(strct, member, _least, _most, _wrong)		\
	.type = OPTION_NUMBER, OPTION_AT(uint64_t, strct, member),		\
	.least = (_least), .most = (_most), .wrong = (_wrong)
#define OPTION_SETS(setter, strct, member)	.set = (setter), .at = offsetof(strct, member)

/* A title in --help; options follow. */
#define OPTION_TITLE(text)	{ .help = text }

/* Ends parsing; the caller prints the help. */
#define OPTION_HELP	OPTION('h', "help", NULL, "print this help", .set = option_ends)

/* --- parsing -------------------------------------------------------------------- */

/* A command line; initialize with @rows, whose last one has no help. */
struct option_parser {
	const struct option_row *rows;
	const struct option_row *row;	/* of the last option; NULL: it is unknown */
	const char *value;		/* of the last option, or NULL */
	uint64_t given;			/* bits, by rows */
	char why[OPTION_TEXT];		/* what is wrong with the last option */
};

enum option_result { OPTION_WRONG = -1, OPTION_ALL, OPTION_ENDED };

/**
 * option_parse() - parse all options into the struct @to
 * @argc, @argv: of the command, its name first
 * @until: end at the first argument that is not an option; otherwise arguments move to the end
 *
 * optind must be 1; afterwards it is the index of the first argument.
 *
 * Return: OPTION_ALL; OPTION_ENDED if a setter returned option_end; OPTION_WRONG, with @p->why.
 */
enum option_result option_parse(struct option_parser *p, void *to, int argc, char **argv,
				bool until);

/* Is a needed option missing? Then @p->why says which. */
bool option_is_missing(struct option_parser *p);

/* Returns option_end. */
option_setter option_ends;

/* The index of a word in a table, or -1. */
int option_find_word(option_words *words, const char *name, size_t length);

/*
 * Explain that a word is not a value of an option: "unknown format (did you mean json?)", or with
 * the list of values if none is similar. Return: @text
 */
const char *option_wrong_word(char *text, size_t room, const struct option_row *row,
			      const char *word, size_t length);

/* Write "a, b, c". Return: @text */
const char *option_list_words(char *text, size_t room, option_words *words);

/* Replace "{words}" and "{meanings}", see struct option_row. Return: @text */
const char *option_expand(char *text, size_t room, const char *help, option_words *words);

/* Write "-o, --output FILE", or "    --force". Return: @text */
const char *option_label(char *text, size_t room, const struct option_row *row);

/* Print the needed options, then "[OPTION...]". */
void option_print_usage(FILE *f, const struct option_row *rows);

void option_print_help(FILE *f, const struct option_row *rows);

/* Print a word and its meaning, as a line of a list. */
void option_print_word(FILE *f, const char *name, const char *what, int width);

/* The length of the first part of @help, see struct option_row. */
size_t option_short(const char *help);

/*
 * Print a table for scripts/options.sh, one line per option, with tabs between: @command, letter,
 * name, value, "needed" or "-", the whole help, and the words of @listed or @words, or "-".
 */
void option_print_rows(FILE *f, const char *command, const struct option_row *rows);

/* --- completion ---------------------------------------------------------------- */

/* Offer a word, with its meaning or NULL, if it begins with what was typed. */
void option_offer(struct option_offers *o, const char *name, const char *what);

/**
 * option_complete() - print what a shell may offer for the last of some words
 * @words: what was typed after the command; the last is being typed, and may be empty
 * @arguments: what to offer as arguments: one of those below, or NULL
 * @until: options end at the first argument
 *
 * Prints one word per line, followed by a tab and its meaning if it has one; or one line that lets
 * the shell offer its own words: ":files", ":directories", ":archives", or ":command N" for the
 * command that begins with word N.
 */
void option_complete(const struct option_row *rows, char **words, int count,
		     const char *arguments, bool until);

#define OPTION_ARCHIVES	"archives"
#define OPTION_COMMAND	"command"

#endif /* LIBOPT_OPTION_H */
