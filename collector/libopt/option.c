// SPDX-License-Identifier: GPL-2.0-or-later
/* option.c - see option.h: parse options, and suggest others for mistyped ones. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/units.h"
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
#define LONG	0x100	/* for getopt_long(3): the first row, if it has no letter */

/* The arguments of getopt_long(3); @letters: two characters at the beginning, two for each row. */
struct tables {
	struct option options[OPTIONS_MOST + 1];
	char letters[2 * OPTIONS_MOST + 3];
};

static bool fill(struct tables *t, const struct option_row *rows, bool until)
{
	const struct option_row *row;
	struct option *o = t->options;
	char *letter = t->letters;

	if (until)
		*letter++ = '+';
	*letter++ = ':';
	for (row = rows; row->help; row++) {
		if (row == rows + OPTIONS_MOST)
			return false;
		if (!row->name)
			continue;
		*o++ = (struct option){
			row->name, row->value ? required_argument : no_argument, NULL,
			row->letter ? row->letter : LONG + (int)(row - rows),
		};
		if (!row->letter)
			continue;
		*letter++ = row->letter;
		if (row->value)
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

/* Return: false, with p->why, if a word of the value is not in the table */
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

const char option_end[] = "";

const char *option_ends(void *to, const char *value)
{
	(void)to;
	(void)value;
	return option_end;
}

/* The parser has refused other words. */
static void set_bits(uint64_t *bits, const struct option_row *row, const char *list)
{
	size_t length;

	for (;; list += length + 1) {
		length = strcspn(list, ",");
		*bits |= 1ULL << option_find_word(row->words, list, length);
		if (!list[length])
			return;
	}
}

static bool parse_number(const char *value, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(value, &end, 10);
	return isdigit((unsigned char)*value) && !*end && !errno;
}

static const char *set_number(uint64_t *number, const struct option_row *row, const char *value)
{
	bool is_right = row->type == OPTION_TIME ? !fxt_parse_time(value, number) :
			row->type == OPTION_SIZE ? !fxt_parse_size(value, number) :
						   parse_number(value, number);

	is_right &= *number >= row->least && (!row->most || *number <= row->most);
	return is_right ? NULL : row->wrong;
}

static const char *set(const struct option_row *row, void *base, const char *value)
{
	void *to = (char *)base + row->at;

	if (row->call)
		row->call();
	if (row->set)
		return row->set(to, value);
	switch (row->type) {
	case OPTION_NONE:
		break;
	case OPTION_BOOL:
		*(bool *)to = true;
		break;
	case OPTION_STRING:
		*(const char **)to = value;
		break;
	case OPTION_INDEX:
		*(unsigned int *)to = option_find_word(row->words, value, strlen(value));
		break;
	case OPTION_BITS:
		set_bits(to, row, value);
		break;
	case OPTION_NUMBER:
	case OPTION_TIME:
	case OPTION_SIZE:
		return set_number(to, row, value);
	}
	return NULL;
}

static const struct option_row *find_row(const struct option_row *rows, int result)
{
	if (result >= LONG)
		return rows + (result - LONG);
	while (!rows->name || rows->letter != result)
		rows++;
	return rows;
}

/* Take one option. Return: OPTION_ALL if more may follow. */
static enum option_result apply_one(struct option_parser *p, void *to, int result, char **argv)
{
	const char *why;

	p->row = NULL;
	p->value = NULL;
	if (result == ':' || result == '?') {
		explain(p, result, argv);
		return OPTION_WRONG;
	}
	p->row = find_row(p->rows, result);
	p->value = optarg;
	p->given |= 1ULL << (p->row - p->rows);
	if (!has_words(p, p->row))
		return OPTION_WRONG;
	why = set(p->row, to, p->value);
	if (!why || why == option_end)
		return why ? OPTION_ENDED : OPTION_ALL;
	snprintf(p->why, sizeof(p->why), "%s", why);
	return OPTION_WRONG;
}

enum option_result option_parse(struct option_parser *p, void *to, int argc, char **argv,
				bool until)
{
	enum option_result ret = OPTION_ALL;
	struct tables t;
	int result;

	if (!fill(&t, p->rows, until)) {
		snprintf(p->why, sizeof(p->why),
			 "more than %u rows; this is a bug, please report it", OPTIONS_MOST);
		return OPTION_WRONG;
	}
	opterr = 0;
	while (!ret && (result = getopt_long(argc, argv, t.letters, t.options, NULL)) != -1)
		ret = apply_one(p, to, result, argv);
	return ret;
}

bool option_is_missing(struct option_parser *p)
{
	const struct option_row *row;

	for (row = p->rows; row->help; row++) {
		if (!row->needed || p->given & 1ULL << (row - p->rows))
			continue;
		snprintf(p->why, sizeof(p->why), "-%c %s is needed", row->letter, row->value);
		return true;
	}
	return false;
}
