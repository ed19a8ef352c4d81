/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_glob.h - matching of thread names with patterns, the same in the kernel, in BPF and in user
 * space.
 *
 * A pattern is compiled to an automaton whose states are the bits of one word. A match takes one
 * step without branches per byte of the name, and a bounded number of steps, which BPF's verifier
 * accepts.
 *
 * In a pattern, * stands for any bytes, ? for any one byte, [a-z] for one of these, [!a-z] for one
 * other than these; \\ quotes the next character. The whole name must match.
 */
#ifndef FXT_FXT_GLOB_H
#define FXT_FXT_GLOB_H

#include "fxt_sched.h"

#define FXT_GLOB_STATES		FXT_SCHED_COMM_SIZE	/* before each byte, and at the end */
#define FXT_GLOB_TEXT		64	/* bytes of a pattern, including the 0 at its end */

struct fxt_glob {	/* a compiled pattern */
	/* by byte, the states from which it leads to the next state */
	__u32 accept[256];
	__u32 stay;		/* states that any byte leaves unchanged */
	__u32 final;		/* the accepting state, one bit */
};

/* A set, [...]. Return: its length in the pattern; 0 if it is unterminated. */
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

/*
 * Compile a pattern. Context: any but BPF. Return: 0; -1 if a set is unterminated, or if the
 * pattern only matches names of FXT_GLOB_STATES bytes or more, which no thread has.
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

/*
 * @comm: FXT_SCHED_COMM_SIZE bytes; those after a 0 are ignored. Context: any. Return: 1 if the
 * name matches, else 0.
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
