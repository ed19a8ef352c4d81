/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fxt_glob.h - does the name of a thread match a pattern? The same answer in the
 * kernel, in BPF and in user space.
 *
 * A pattern becomes an automaton whose states are the bits of one word, so that
 * a name is judged in as many equal steps as a name can have bytes, which BPF's
 * verifier likes and which takes no branch per byte.
 *
 * Patterns: * any bytes, ? any one byte, [a-z] one of these, [!a-z] none of
 * them, \\ before one of those takes it as it is. The whole name must match.
 */
#ifndef FXT_FXT_GLOB_H
#define FXT_FXT_GLOB_H

#include "fxt_sched.h"

#define FXT_GLOB_STATES		FXT_SCHED_COMM_SIZE	/* one before each byte, one at the end */
#define FXT_GLOB_TEXT		64	/* bytes of a pattern, the 0 at its end included */

/**
 * struct fxt_glob - a pattern, compiled
 * @accept: by byte: the states that a byte leads on from, to the next one each
 * @stay: the states that any byte may be taken in without leaving
 * @final: the state in which the pattern has been met, one bit
 */
struct fxt_glob {
	__u32 accept[256];
	__u32 stay;
	__u32 final;
};

/* One of [...]; returns the bytes of the pattern that it takes, 0 if it has no end. */
static __always_inline __u32 fxt_glob_set(struct fxt_glob *g, const char *pattern, __u32 state)
{
	const unsigned char *p = (const unsigned char *)pattern;
	int negated = p[1] == '!';
	__u32 i = negated ? 2 : 1, first = i, from, to, c;

	for (c = 0; c < 256; c++)
		if (negated)
			g->accept[c] |= state;
	for (; p[i] && (p[i] != ']' || i == first); i++) {
		if (p[i] == '\\' && p[i + 1])
			i++;
		from = p[i];
		to = from;
		if (p[i + 1] == '-' && p[i + 2] && p[i + 2] != ']') {
			to = p[i + 2];
			i += 2;
		}
		for (c = from; c <= to; c++) {
			if (negated)
				g->accept[c] &= ~state;
			else
				g->accept[c] |= state;
		}
	}
	return p[i] ? i + 1 : 0;
}

/**
 * fxt_glob_compile() - make an automaton of a pattern
 * @g: set to it
 * @pattern: ends with a 0
 *
 * Context: any but BPF.
 *
 * Return: 0, or -1 if a set has no end or the pattern takes more than
 * FXT_GLOB_STATES - 1 bytes of a name to match: no name has more, so none matches.
 */
static __always_inline int fxt_glob_compile(struct fxt_glob *g, const char *pattern)
{
	__u32 state = 1, taken, c;

	__builtin_memset(g, 0, sizeof(*g));
	for (; *pattern; pattern += taken) {
		taken = 1;
		if (*pattern == '*') {
			g->stay |= state;
			continue;
		}
		if (state == 1U << (FXT_GLOB_STATES - 1))
			return -1;
		if (*pattern == '[') {
			taken = fxt_glob_set(g, pattern, state);
			if (!taken)
				return -1;
		} else if (*pattern == '?') {
			for (c = 0; c < 256; c++)
				g->accept[c] |= state;
		} else {
			if (*pattern == '\\' && pattern[1])
				taken = 2;
			g->accept[(unsigned char)pattern[taken - 1]] |= state;
		}
		state <<= 1;
	}
	g->final = state;
	return 0;
}

/**
 * fxt_glob_match() - does a name match?
 * @g: the pattern
 * @comm: a thread's name, FXT_SCHED_COMM_SIZE bytes, of which none behind a 0 counts
 *
 * Context: any.
 *
 * Return: 1 or 0.
 */
static __always_inline int fxt_glob_match(const struct fxt_glob *g, const char *comm)
{
	__u32 states = 1, i;
	unsigned char c;

	for (i = 0; i < FXT_SCHED_COMM_SIZE; i++) {
		c = comm[i];
		if (!c)
			break;
		states = (states & g->accept[c]) << 1 | (states & g->stay);
	}
	return !!(states & g->final);
}

#endif /* FXT_FXT_GLOB_H */
