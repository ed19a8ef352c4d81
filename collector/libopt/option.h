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
#include <stdint.h>
#include <stdio.h>

struct option_offers;

/* --- suggestions ------------------------------------------------------------------------ */

/* A search for the word that is most similar to an unexpected one; initialize with @word. */
struct fxt_suggestion {
	const char *word;	/* as typed */
	const char *best;	/* NULL: none is similar */
	unsigned int distance;	/* edits between the two */
};

/**
 * fxt_suggest() - compare one more candidate
 * @candidate: becomes @s->best if it is more similar than those before; must outlive @s
 *
 * An edit adds, removes or replaces a letter, or swaps two neighbours. A candidate is
 * similar if it needs at most one edit for every three letters of @s->word.
 */
void fxt_suggest(struct fxt_suggestion *s, const char *candidate);

#define OPTION_TEXT	512	/* enough for any message about an option */
#define OPTIONS_MOST	64	/* rows of a table; with more, option_parse() fails */

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

/* What a value becomes; others than these are set by a function. */
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

/**
 * option_words - a table of values that an option takes
 * @w: set to value @i; @w->what is NULL before
 *
 * Return: false if there are no more.
 */
typedef bool option_words(unsigned int i, struct option_word *w);

/**
 * option_setter - a function that parses a value
 * @to: the variable, in the struct that the table is for
 *
 * Return: NULL; what is wrong with the value; or option_end if parsing ends here.
 */
typedef const char *option_setter(void *to, const char *value);

extern const char option_end[];

/** struct option_row - one option; or with @help alone, a title or a text between options */
struct option_row {
	char letter;		/* or 0 */
	const char *name;	/* without hyphens */
	const char *value;	/* what --help calls it; NULL: it takes none */
	/*
	 * A sentence without a full stop; its first part, up to a colon, semicolon or parenthesis,
	 * is what shells show; "{words}" becomes the list of @listed or @words, and "{meanings}"
	 * that list with what each of them means.
	 */
	const char *help;
	enum option_kind kind;
	option_words *words;	/* of OPTION_BEGIN and the kinds after it */
	option_words *listed;	/* for @help, if they differ from @words */
	/* Adds more values for completion, for instance of this machine; may be NULL. */
	void (*offer)(struct option_offers *o, const char *begin);
	bool needed;		/* the command needs it */
	bool lists;		/* a title: @words are listed below it, with their meaning */
	enum option_type type;
	size_t at;		/* offset of the variable */
	uint64_t least;
	uint64_t most;		/* 0: no limit */
	const char *wrong;	/* the message for values beyond these, and for others */
	option_setter *set;	/* NULL: by @type */
	void (*call)(void);	/* or NULL */
};

/* A row; members of struct option_row from @kind on may follow, by the macros below. */
#define OPTION(_letter, _name, _value, _help, ...)				\
	{ .letter = (_letter), .name = (_name), .value = (_value), .help = (_help), ##__VA_ARGS__ }

/* The variable that an option sets: a member of the struct that the table is for. */
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

/* The parser ends at this option, and its user prints the help. */
#define OPTION_HELP	OPTION('h', "help", NULL, "print this help", .set = option_ends)

/* --- parsing -------------------------------------------------------------------- */

/** struct option_parser - a command line; initialize with @rows, which end with one without help */
struct option_parser {
	const struct option_row *rows;
	const struct option_row *row;	/* of the last option; NULL: it is unknown */
	const char *value;		/* of the last option, or NULL */
	uint64_t given;			/* bits, by rows */
	char why[OPTION_TEXT];		/* what is wrong with it */
};

enum option_result { OPTION_WRONG = -1, OPTION_ALL, OPTION_ENDED };

/**
 * option_parse() - parse all options
 * @to: the struct that they set
 * @argc, @argv: of the command, its name first
 * @until: end at the first argument that is not an option; otherwise arguments move to the end
 *
 * optind is 1 before, and the index of the first argument afterwards.
 *
 * Return: OPTION_ALL; OPTION_ENDED if a setter returned option_end; OPTION_WRONG, with @p->why.
 */
enum option_result option_parse(struct option_parser *p, void *to, int argc, char **argv,
				bool until);

/** option_is_missing() - is one missing that the command needs? Then @p->why says which */
bool option_is_missing(struct option_parser *p);

/* A setter that returns option_end. */
option_setter option_ends;

/** option_find_word() - index of a word in a table, -1 if the table does not have it */
int option_find_word(option_words *words, const char *name, size_t length);

/**
 * option_wrong_word() - explain that a word is not a value of an option
 * @text: set to "unknown format (did you mean json?)", or to the list if none is similar
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

/** option_offer() - offer a word, with its meaning or NULL, if what was typed so far fits */
void option_offer(struct option_offers *o, const char *name, const char *what);

/**
 * option_complete() - print what a shell may offer for the last of some words
 * @words: what was typed after the command; the last is being typed, and may be empty
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
