// SPDX-License-Identifier: GPL-2.0-or-later
/* complete.c - see option.h: the words that a shell offers. */
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "option.h"

/* What was typed; option_offer() prints words that fit it. */
struct option_offers {
	const char *before;	/* the part that is completed: "--type=event," */
	size_t before_length;
	const char *typed;	/* that part */
};

void option_offer(struct option_offers *o, const char *name, const char *what)
{
	if (strncmp(name, o->typed, strlen(o->typed)))
		return;
	printf("%.*s%s", (int)o->before_length, o->before, name);
	if (what)
		printf("\t%.*s", (int)option_short(what), what);
	putchar('\n');
}

static bool is_list(const struct option_row *row)
{
	return row->kind == OPTION_WORDS || row->kind == OPTION_BEGINS || row->kind == OPTION_PIDS;
}

/* Read the name of a process. Return: false if a shell would have to quote it */
static bool read_comm(const char *pid, char name[32])
{
	char path[300];
	size_t length;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%s/comm", pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	name[0] = '\0';
	if (!fgets(name, 32, f))
		name[0] = '\0';
	fclose(f);
	length = strcspn(name, "\n");
	name[length] = '\0';
	return length;
}

static bool is_plain(const char *name)
{
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("-_./", *name))
			return false;
	return true;
}

static void offer_processes(struct option_offers *o, bool by_name)
{
	DIR *proc = opendir("/proc");
	struct dirent *d;
	char name[32];

	while (proc && (d = readdir(proc))) {
		if (!isdigit((unsigned char)d->d_name[0]) || !read_comm(d->d_name, name))
			continue;
		if (!by_name)
			option_offer(o, d->d_name, is_plain(name) ? name : NULL);
		else if (is_plain(name))
			option_offer(o, name, NULL);
	}
	if (proc)
		closedir(proc);
}

/* Where the last part of a list begins; commas in parentheses separate no parts. */
static size_t last_part(const char *value)
{
	size_t begin = 0, i;
	int depth = 0;

	for (i = 0; value[i]; i++) {
		depth += (value[i] == '(') - (value[i] == ')');
		if (value[i] == ',' && depth <= 0)
			begin = i + 1;
	}
	return begin;
}

/* @word: the whole word; @value: its value, within @word */
static void offer_value(const struct option_row *row, const char *word, const char *value)
{
	struct option_offers o = { .before = word };
	struct option_word w;
	unsigned int i;

	o.typed = value + (is_list(row) ? last_part(value) : 0);
	o.before_length = o.typed - word;
	for (i = 0; row->words && (w = (struct option_word){ 0 }, row->words(i, &w)); i++)
		option_offer(&o, w.name, w.what);
	if (row->offer)
		row->offer(&o, o.typed);
	if (row->kind == OPTION_FILE)
		puts(":files");
	else if (row->kind == OPTION_DIRECTORY)
		puts(":directories");
	else if (row->kind == OPTION_PIDS || row->kind == OPTION_COMM)
		offer_processes(&o, row->kind == OPTION_COMM);
}

/* Find a long option by its name or an unambiguous beginning. */
static const struct option_row *find_long(const struct option_row *rows, const char *name,
					  size_t length)
{
	const struct option_row *found = NULL;
	unsigned int count = 0;

	for (; rows->help; rows++) {
		if (!rows->name || strncmp(rows->name, name, length))
			continue;
		if (!rows->name[length])
			return rows;
		found = rows;
		count++;
	}
	return count == 1 ? found : NULL;
}

static const struct option_row *find_letter(const struct option_row *rows, char letter)
{
	for (; rows->help; rows++)
		if (rows->name && rows->letter == letter)
			return rows;
	return NULL;
}

/*
 * Find the option in a word, if it takes a value. @value is set to the value in the word; NULL: the
 * next word is the value.
 */
static const struct option_row *option_in(const struct option_row *rows, const char *word,
					  const char **value)
{
	const struct option_row *row;
	size_t length;

	*value = NULL;
	if (!strncmp(word, "--", 2)) {
		length = strcspn(word + 2, "=");
		row = find_long(rows, word + 2, length);
		if (word[2 + length])
			*value = word + 2 + length + 1;
		return row && row->value ? row : NULL;
	}
	for (word++; *word; word++) {
		row = find_letter(rows, *word);
		if (!row)
			return NULL;
		if (!row->value)
			continue;
		if (word[1])
			*value = word + 1;
		return row;
	}
	return NULL;
}

static void offer_options(const struct option_row *rows, const char *word)
{
	struct option_offers o = { .before = "", .typed = word };
	char name[64];

	for (; rows->help; rows++) {
		if (!rows->name)
			continue;
		snprintf(name, sizeof(name), "--%s", rows->name);
		option_offer(&o, name, rows->help);
		if (!rows->letter || word[1])
			continue;
		snprintf(name, sizeof(name), "-%c", rows->letter);
		option_offer(&o, name, rows->help);
	}
}

static void offer_arguments(const char *arguments, int index)
{
	if (!arguments)
		return;
	if (!strcmp(arguments, OPTION_COMMAND))
		printf(":command %d\n", index);
	else
		printf(":%s\n", arguments);
}

void option_complete(const struct option_row *rows, char **words, int count,
		     const char *arguments, bool until)
{
	const struct option_row *row = NULL;
	const char *word, *value = NULL;
	bool ended = false;
	int i;

	for (i = 0; i < count - 1; i++) {
		word = words[i];
		if (row) {
			row = NULL;
			continue;
		}
		if (ended || word[0] != '-' || !word[1]) {
			if (until)
				break;
		} else if (!strcmp(word, "--")) {
			ended = true;
		} else {
			row = option_in(rows, word, &value);
			if (value)
				row = NULL;
		}
	}
	word = words[count - 1];
	if (row && i == count - 1) {
		offer_value(row, word, word);
		return;
	}
	if (ended || i < count - 1 || word[0] != '-') {
		offer_arguments(arguments, i);
		return;
	}
	row = option_in(rows, word, &value);
	if (row && value)
		offer_value(row, word, value);
	else
		offer_options(rows, word);
}
