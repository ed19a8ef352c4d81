/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage.h - messages about command lines, for both programs.
 *
 * In:  an unexpected word, or an option that getopt_long(3) refused.
 * Out: the most similar expected word, or a message.
 */
#ifndef LIBFXT_USAGE_H
#define LIBFXT_USAGE_H

#include <getopt.h>
#include <stddef.h>

#define FXT_USAGE_TEXT	256

/**
 * struct fxt_suggestion - search for the word that a mistyped one was meant to be
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

/**
 * fxt_usage_option() - explain why getopt_long(3) refused an option
 * @text: set to "--jsno: unknown option (did you mean --json?)" or the like
 * @room: bytes at @text; FXT_USAGE_TEXT are enough
 * @result: of getopt_long(), '?' or ':'; its optstring must begin with ":" or "+:"
 * @argv: argument of getopt_long()
 * @options: argument of getopt_long()
 *
 * Return: @text.
 */
const char *fxt_usage_option(char *text, size_t room, int result, char **argv,
			     const struct option *options);

#endif /* LIBFXT_USAGE_H */
