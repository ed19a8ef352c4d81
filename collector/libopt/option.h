/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * option.h - the options of a command, as a table.
 *
 * In:  a table: one row for each option, in the order of --help.
 * Out: parsed options, the text of --help, the words that a shell offers, and the lists of the
 * manuals. Nothing else lists options.
 *
 * argp(3) has tables as well. But they do not describe values, which suggestions and completion
 * need, and it prints its own messages.
 */
#ifndef LIBOPT_OPTION_H
#define LIBOPT_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct option_offers;

/* --- suggestions ------------------------------------------------------------------------ */

/*
 * Suggestions for mistyped words.
 *
 * In:  an unexpected word; the words that are expected.
 * Out: the most similar one of these.
 */

/**
 * struct fxt_suggestion - a search for the most similar word
 * @word: as typed; the caller sets it, and zeroes the rest
 * @best: the most similar candidate so far, NULL if none is similar
 * @distance: edits between the two
 */
struct fxt_suggestion {
	const char *word;
	const char *best;
	unsigned int distance;
};

/**
 * fxt_suggest() - compare one more candidate
 * @s: the search
 * @candidate: becomes @s->best if it is more similar than those before; must outlive @s
 *
 * An edit adds, removes or replaces a letter, or swaps two neighbours. A candidate is
 * similar if it needs at most one edit for every three letters of @s->word.
 */
void fxt_suggest(struct fxt_suggestion *s, const char *candidate);

#define OPTION_TEXT	512	/* enough for any message about an option */
#define OPTIONS_MOST	64	/* of a table; with more, option_next() fails */

/* The first key of options without a letter. */
#define OPTION_LONG	0x100

/* --- what a table looks like ------------------------------------------------ */

/* Kinds of values, which decide what shells offer and what the parser refuses. */
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

/**
 * struct option_word - a value that an option takes
 * @name: the value
 * @what: its meaning in a few words, or NULL
 */
struct option_word {
	const char *name;
	const char *what;
};

/**
 * option_words - a table of such values
 * @i: index
 * @w: set to the value; @w->what is NULL before
 *
 * Return: false if there are no more.
 */
typedef bool option_words(unsigned int i, struct option_word *w);

/**
 * struct option_row - one option; or with @help alone, a title or a text between options
 * @key: its letter, or a number from OPTION_LONG on
 * @name: without hyphens
 * @value: what --help calls its value; NULL: it takes none
 * @help: a sentence without a full stop; its first part, up to a colon, semicolon or
 *	parenthesis, is what shells show; "{words}" becomes the list of @listed or @words, and
 *	"{meanings}" that list with what each of them means
 * @kind: of the value
 * @words: values of OPTION_BEGIN and the kinds after it
 * @listed: words for @help, if they differ from @words
 * @offer: adds more values for completion, for instance of this machine; may be NULL
 * @needed: the command needs it
 * @lists: a title: @words are listed below it, with their meaning
 */
struct option_row {
	int key;
	const char *name;
	const char *value;
	const char *help;
	enum option_kind kind;
	option_words *words;
	option_words *listed;
	void (*offer)(struct option_offers *o, const char *begin);
	bool needed;
	bool lists;
};

/* A row; members of struct option_row from @kind on may follow. */
#define OPTION(_key, _name, _value, _help, ...)					\
	{ .key = (_key), .name = (_name), .value = (_value), .help = (_help), ##__VA_ARGS__ }

/* A title in --help; options follow. */
#define OPTION_TITLE(text)	{ .help = text }

#define OPTION_HELP	OPTION('h', "help", NULL, "print this help")

/**
 * struct option_parser - a walk over a command line
 * @rows: the table; a row without help is at the end
 * @value: of the last option, or NULL
 * @why: after option_next() returned '?': what is wrong
 */
struct option_parser {
	const struct option_row *rows;
	const char *value;
	char why[OPTION_TEXT];
};

/**
 * option_next() - parse one more option
 * @p: with @rows
 * @argc, @argv: of the command, its name first
 * @until: end at the first argument that is not an option; otherwise arguments move to the end
 * @row: set to the option's row
 *
 * optind is 1 before the first call. At the end, it is the index of the first argument.
 *
 * Return: the option's key; -1 at the end; '?' if the option is wrong, with @p->why.
 */
int option_next(struct option_parser *p, int argc, char **argv, bool until,
		const struct option_row **row);

/** option_find_word() - index of a word in a table, -1 if the table does not have it */
int option_find_word(option_words *words, const char *name, size_t length);

/**
 * option_wrong_word() - explain that a word is not a value of an option
 * @text: set to "unknown format (did you mean json?)", or to the list if none is similar
 * @room: bytes of @text
 * @row: the option
 * @word: as typed
 * @length: of @word
 *
 * Return: @text.
 */
const char *option_wrong_word(char *text, size_t room, const struct option_row *row,
			      const char *word, size_t length);

/** option_list_words() - write "a, b, c" of the names in a table. Return: @text */
const char *option_list_words(char *text, size_t room, option_words *words);

/** option_expand() - write a text with lists of @words, see struct option_row. Return: @text */
const char *option_expand(char *text, size_t room, const char *help, option_words *words);

/** option_label() - write "-o, --output FILE", or "    --force". Return: @text */
const char *option_label(char *text, size_t room, const struct option_row *row);

/** option_print_usage() - print the options that the command needs, then "[OPTION...]" */
void option_print_usage(FILE *f, const struct option_row *rows);

/** option_print_help() - print all options, by titles */
void option_print_help(FILE *f, const struct option_row *rows);

/** option_print_word() - print a word and its meaning, as a line of a list */
void option_print_word(FILE *f, const char *name, const char *what, int width);

/** option_short() - the length of the first part of @help, see struct option_row */
size_t option_short(const char *help);

/**
 * option_print_rows() - print a table for scripts/options.sh
 *
 * One line per option, with tabs between: @command, letter, name, value, "needed" or "-", the whole
 * help, and the words of @listed or @words, or "-".
 */
void option_print_rows(FILE *f, const char *command, const struct option_row *rows);

/* --- completion ---------------------------------------------------------------- */

/**
 * option_offer() - offer a word if what was typed so far fits
 * @o: as passed to @offer of a row
 * @name: the word
 * @what: its meaning, or NULL
 */
void option_offer(struct option_offers *o, const char *name, const char *what);

/**
 * option_complete() - print what a shell may offer for the last of some words
 * @rows: the options of the command
 * @words: what was typed after the command; the last is being typed, and may be empty
 * @count: of @words
 * @arguments: what the shell offers as arguments, one of those below; NULL: nothing
 * @until: options end at the first argument
 *
 * Prints one whole word per line, followed by a tab and its meaning if it has one; or one line that
 * lets the shell offer its own words: ":files", ":directories", ":archives", or ":command N" for
 * the command that begins with word N.
 */
void option_complete(const struct option_row *rows, char **words, int count,
		     const char *arguments, bool until);

#define OPTION_ARCHIVES	"archives"
#define OPTION_COMMAND	"command"

#endif /* LIBOPT_OPTION_H */
