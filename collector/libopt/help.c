// SPDX-License-Identifier: GPL-2.0-or-later
/* help.c - see option.h: the text of --help, and lists for the manuals. */
#include <ctype.h>
#include <string.h>

#include "option.h"

#define WIDTH		80
#define COLUMN_MOST	24	/* where texts begin; a longer label gets its own line */
#define HELP		1024	/* bytes of a text with its list of words */

const char *option_label(char *text, size_t room, const struct option_row *row)
{
	char letter[8] = "    ";

	if (row->letter)
		snprintf(letter, sizeof(letter), "-%c, ", row->letter);
	snprintf(text, room, "%s--%s%s%s", letter, row->name, row->value ? " " : "",
		 row->value ? row->value : "");
	return text;
}

/* "a (what), b (what)" */
static void list_meanings(char *text, size_t room, option_words *words)
{
	struct option_word w = { 0 };
	size_t length = 0;
	unsigned int i;

	for (i = 0; length < room && words(i, &w); i++, w.what = NULL)
		length += snprintf(text + length, room - length, "%s%s%s%s%s", i ? ", " : "", w.name,
				   w.what ? " (" : "", w.what ? w.what : "", w.what ? ")" : "");
}

const char *option_expand(char *text, size_t room, const char *help, option_words *words)
{
	const char *at = words ? strchr(help, '{') : NULL;
	size_t length;

	if (!at) {
		snprintf(text, room, "%s", help);
		return text;
	}
	snprintf(text, room, "%.*s", (int)(at - help), help);
	length = strlen(text);
	if (!strncmp(at, "{meanings}", strlen("{meanings}")))
		list_meanings(text + length, room - length, words);
	else
		option_list_words(text + length, room - length, words);
	length = strlen(text);
	snprintf(text + length, room - length, "%s", strchr(at, '}') + 1);
	return text;
}

static const char *expand(char *text, size_t room, const struct option_row *row)
{
	return option_expand(text, room, row->help, row->listed ? row->listed : row->words);
}

static size_t word_length(const char *text)
{
	return strcspn(text, " ");
}

/* Print a text in lines that begin at @column, where the cursor is. */
static void wrap(FILE *f, const char *text, int column)
{
	size_t at = column, length;

	while (*text) {
		length = word_length(text);
		if (at + length > WIDTH && at > (size_t)column) {
			fprintf(f, "\n%*s", column, "");
			at = column;
		}
		fprintf(f, "%.*s", (int)length, text);
		at += length + 1;
		text += length;
		if (!*text++)
			break;
		/* Lines do not end with a blank. */
		if (at + word_length(text) <= WIDTH)
			putc(' ', f);
	}
	putc('\n', f);
}

static void print_labelled(FILE *f, const char *label, const char *text, int column)
{
	int length = fprintf(f, "  %s", label);

	if (length + 1 > column)
		fprintf(f, "\n%*s", column, "");
	else
		fprintf(f, "%*s", column - length, "");
	wrap(f, text, column);
}

void option_print_word(FILE *f, const char *name, const char *what, int width)
{
	print_labelled(f, name, what ? what : "", width + 4);
}

static int column_of(const struct option_row *rows)
{
	int column = 0, length;
	char label[128];

	for (; rows->help; rows++) {
		length = rows->name ? strlen(option_label(label, sizeof(label), rows)) + 4 : 0;
		column = length > column && length <= COLUMN_MOST ? length : column;
	}
	return column;
}

static void print_words(FILE *f, option_words *words)
{
	struct option_word w;
	unsigned int i;
	int width = 0;

	for (i = 0; words(i, &w); i++)
		width = strlen(w.name) > (size_t)width ? (int)strlen(w.name) : width;
	for (i = 0; w = (struct option_word){ 0 }, words(i, &w); i++)
		option_print_word(f, w.name, w.what, width);
}

void option_print_help(FILE *f, const struct option_row *rows)
{
	char label[128], text[HELP];
	int column = column_of(rows);
	bool is_first = true;

	for (; rows->help; rows++, is_first = false) {
		if (!rows->name) {
			fprintf(f, "%s%s\n", is_first ? "" : "\n", rows->help);
			if (rows->lists)
				print_words(f, rows->words);
			continue;
		}
		expand(text, sizeof(text), rows);
		print_labelled(f, option_label(label, sizeof(label), rows), text, column);
	}
}

void option_print_usage(FILE *f, const struct option_row *rows)
{
	for (; rows->help; rows++) {
		if (!rows->needed)
			continue;
		if (rows->letter)
			fprintf(f, " -%c %s", rows->letter, rows->value);
		else
			fprintf(f, " --%s %s", rows->name, rows->value);
	}
	fputs(" [OPTION...]", f);
}

size_t option_short(const char *help)
{
	size_t i;

	for (i = 0; help[i]; i++)
		if (help[i] == ';' || !strncmp(help + i, ": ", 2) || !strncmp(help + i, " (", 2) ||
		    !strncmp(help + i, " {", 2))
			break;
	return i;
}

void option_print_rows(FILE *f, const char *command, const struct option_row *rows)
{
	char text[HELP], words[HELP];

	for (; rows->help; rows++) {
		if (!rows->name)
			continue;
		expand(text, sizeof(text), rows);
		strcpy(words, "-");
		if (rows->words)
			option_list_words(words, sizeof(words),
					  rows->listed ? rows->listed : rows->words);
		fprintf(f, "%s\t%c\t%s\t%s\t%s\t%s\t%s\n", command,
			rows->letter ? rows->letter : '-', rows->name,
			rows->value ? rows->value : "-", rows->needed ? "needed" : "-", text, words);
	}
}
