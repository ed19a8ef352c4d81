/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest.h - the word that a mistyped one was meant to be.
 *
 * In:  an unexpected word; words that are expected.
 * Out: the most similar one.
 */
#ifndef LIBOPT_SUGGEST_H
#define LIBOPT_SUGGEST_H

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

#endif /* LIBOPT_SUGGEST_H */
