// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * option.c - parse options, and suggest others for mistyped ones. See option.h.
 */
#include <ctype.h>
#include <getopt.h>
#include <string.h>

#include "option.h"

/* --- suggestions ------------------------------------------------------------------------ */

#define LONGEST_WORD	32	/* of all commands and options */

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Edits between two words (optimal string alignment distance). */
static unsigned int distance(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned int rows[3][LONGEST_WORD + 1], *before = rows[0], *last = rows[1];
	unsigned int *row = rows[2], *spare;
	size_t i, j;

	for (j = 0; j <= nb; j++)
		last[j] = j;
	for (i = 1; i <= na; i++) {
		row[0] = i;
		for (j = 1; j <= nb; j++) {
			row[j] = least(least(last[j], row[j - 1]) + 1,
				       last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], before[j - 2] + 1);
		}
		spare = before;
		before = last;
		last = row;
		row = spare;
	}
	return last[nb];
}

void fxt_suggest(struct fxt_suggestion *s, const char *candidate)
{
	size_t length = strlen(s->word), n = strlen(candidate);
	unsigned int d;

	if (length > LONGEST_WORD || n > LONGEST_WORD)
		return;
	d = distance(s->word, length, candidate, n);
	if (d > (length + 2) / 3 || d >= length || (s->best && d >= s->distance))
		return;
	s->best = candidate;
	s->distance = d;
}

/* --- options ---------------------------------------------------------------------------- */

#define NAME	40	/* bytes of a name in a message */

/* The arguments of getopt_long(3); @letters: two characters at the beginning, two for each row. */
struct tables {
	struct option options[OPTIONS_MOST + 1];
	char letters[2 * OPTIONS_MOST + 3];
};

/* Return: false if there are more than OPTIONS_MOST. */
static bool fill(struct tables *t, const struct option_row *rows, bool until)
{
	struct option *o = t->options;
	char *letter = t->letters;

	if (until)
		*letter++ = '+';
	*letter++ = ':';
	for (; rows->help; rows++) {
		if (!rows->name)
			continue;
		if (o == t->options + OPTIONS_MOST)
			return false;
		*o++ = (struct option){
			rows->name, rows->value ? required_argument : no_argument, NULL, rows->key,
		};
		if (rows->key >= OPTION_LONG)
			continue;
		*letter++ = rows->key;
		if (rows->value)
			*letter++ = ':';
	}
	*o = (struct option){ 0 };
	*letter = '\0';
	return true;
}

static void append(char *text, size_t room, const char *more)
{
	size_t length = strlen(text);

	snprintf(text + length, room - length, "%s", more);
}

static void list_candidates(struct option_parser *p, const char *name, size_t length)
{
	const struct option_row *row;
	const char *between = " ";

	append(p->why, sizeof(p->why), ": ambiguous option:");
	for (row = p->rows; row->help; row++) {
		if (!row->name || strncmp(row->name, name, length))
			continue;
		append(p->why, sizeof(p->why), between);
		append(p->why, sizeof(p->why), "--");
		append(p->why, sizeof(p->why), row->name);
		between = ", ";
	}
}

/* "--name" or "--name=value" */
static void explain_long(struct option_parser *p, const char *arg)
{
	size_t length = strcspn(arg + 2, "=");
	const struct option_row *row;
	struct fxt_suggestion s = { 0 };
	unsigned int begin_so = 0;
	char name[NAME];

	snprintf(name, sizeof(name), "%.*s", (int)length, arg + 2);
	s.word = name;
	for (row = p->rows; row->help; row++) {
		if (!row->name)
			continue;
		fxt_suggest(&s, row->name);
		begin_so += !strncmp(row->name, arg + 2, length);
	}
	if (begin_so > 1) {
		snprintf(p->why, sizeof(p->why), "%.60s", arg);
		list_candidates(p, arg + 2, length);
	} else if (s.best) {
		snprintf(p->why, sizeof(p->why), "--%s: unknown option (did you mean --%s?)", name,
			 s.best);
	} else {
		snprintf(p->why, sizeof(p->why), "%.60s: unknown option", arg);
	}
}

static void explain(struct option_parser *p, int result, char **argv)
{
	const char *arg = argv[optind - 1];

	p->value = NULL;
	if (result == ':')
		snprintf(p->why, sizeof(p->why), "%.60s: needs a value", arg);
	else if (strncmp(arg, "--", 2) && optopt)
		snprintf(p->why, sizeof(p->why), "-%c: unknown option", optopt);
	else if (optopt)
		snprintf(p->why, sizeof(p->why), "%.60s: takes no value", arg);
	else
		explain_long(p, arg);
}

int option_find_word(option_words *words, const char *name, size_t length)
{
	struct option_word w = { 0 };
	unsigned int i;

	for (i = 0; words(i, &w); i++)
		if (strlen(w.name) == length && !memcmp(w.name, name, length))
			return i;
	return -1;
}

const char *option_list_words(char *text, size_t room, option_words *words)
{
	struct option_word w = { 0 };
	unsigned int i;

	*text = '\0';
	for (i = 0; words(i, &w); i++) {
		append(text, room, i ? ", " : "");
		append(text, room, w.name);
	}
	return text;
}

/* Write the noun for a word of a value: "format" for "FORMAT", "group" for "GROUP,..". */
static void write_noun(char *noun, size_t room, const char *value)
{
	size_t i;

	for (i = 0; i + 1 < room && isupper((unsigned char)value[i]); i++)
		noun[i] = tolower((unsigned char)value[i]);
	noun[i] = '\0';
}

const char *option_wrong_word(char *text, size_t room, const struct option_row *row,
			      const char *word, size_t length)
{
	char name[NAME], noun[NAME];
	struct fxt_suggestion s = { .word = name };
	struct option_word w = { 0 };
	unsigned int i;

	snprintf(name, sizeof(name), "%.*s", (int)length, word);
	write_noun(noun, sizeof(noun), row->value);
	for (i = 0; row->words(i, &w); i++)
		fxt_suggest(&s, w.name);
	snprintf(text, room, "unknown %s", *noun ? noun : "value");
	if (s.best) {
		append(text, room, " (did you mean ");
		append(text, room, s.best);
		append(text, room, "?)");
	} else {
		append(text, room, "; use ");
		length = strlen(text);
		option_list_words(text + length, room - length, row->words);
	}
	return text;
}

/* Are all words of a value in the table? If not, p->why names the first one that is not. */
static bool has_words(struct option_parser *p, const struct option_row *row)
{
	const char *word = p->value;
	size_t length;

	if (row->kind != OPTION_WORD && row->kind != OPTION_WORDS)
		return true;
	for (;; word += length + 1) {
		length = row->kind == OPTION_WORDS ? strcspn(word, ",") : strlen(word);
		if (option_find_word(row->words, word, length) < 0) {
			option_wrong_word(p->why, sizeof(p->why), row, word, length);
			return false;
		}
		if (!word[length])
			return true;
	}
}

int option_next(struct option_parser *p, int argc, char **argv, bool until,
		const struct option_row **row)
{
	struct tables t;
	int result;

	p->value = NULL;
	if (!fill(&t, p->rows, until)) {
		snprintf(p->why, sizeof(p->why),
			 "more than %u options; this is a bug, please report it", OPTIONS_MOST);
		return '?';
	}
	opterr = 0;
	result = getopt_long(argc, argv, t.letters, t.options, NULL);
	p->value = optarg;
	if (result == -1)
		return -1;
	if (result == ':' || result == '?') {
		explain(p, result, argv);
		return '?';
	}
	for (*row = p->rows; !(*row)->name || (*row)->key != result;)
		++*row;
	return has_words(p, *row) ? result : '?';
}
