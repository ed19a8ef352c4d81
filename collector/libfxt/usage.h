/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage.h - what is wrong with a command line, in the words of both programs.
 *
 * What flows in: a word that is none of those expected, or what getopt_long(3)
 * refused. What flows out: the expected word that is most like it, a message.
 */
#ifndef LIBFXT_USAGE_H
#define LIBFXT_USAGE_H

#include <getopt.h>
#include <stddef.h>

#define FXT_USAGE_TEXT	256

/**
 * struct fxt_suggestion - the search for what a mistyped word was meant to be
 * @word: as it was typed; the caller sets it, all else begins as zero
 * @best: the candidate that is most like it so far, NULL if none is like it
 * @distance: edits between the two
 */
struct fxt_suggestion {
	const char *word;
	const char *best;
	unsigned int distance;
};

/**
 * fxt_suggest() - look at one more candidate
 * @s: the search
 * @candidate: kept in @s->best if it is more like the word than those before
 *
 * An edit is a letter added, left out, or replaced, or two neighbours swapped.
 * Up to one edit for each three letters of @s->word counts as like it.
 */
void fxt_suggest(struct fxt_suggestion *s, const char *candidate);

/**
 * fxt_usage_option() - say why getopt_long(3) refused an option
 * @text: set to "--jsno: unknown option (did you mean --json?)" or the like
 * @room: bytes at @text, FXT_USAGE_TEXT are enough
 * @result: what it returned, '?' or ':'; its letters must begin with ':' or "+:"
 * @argv: as it was handed to it
 * @options: likewise
 *
 * Return: @text.
 */
const char *fxt_usage_option(char *text, size_t room, int result, char **argv,
			     const struct option *options);

#endif /* LIBFXT_USAGE_H */
