/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts, threads and arguments for the records of generate_all(). */
#ifndef SELFTESTS_GENERATE_VALUES_H
#define SELFTESTS_GENERATE_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "generate.h"

#define ARRAY_LENGTH(a)		(sizeof(a) / sizeof((a)[0]))

/* Indices of strings: the same for both providers, but with different texts. */
enum {
	S_CATEGORY	= 1,
	S_NAME		= 2,
	S_ARGUMENT	= 3,
	S_VALUE		= 255,
	S_UNICODE	= 256,
	S_EMPTY		= 4096,
	S_LONG		= 20000,
	S_SCHED		= 32000,	/* + index in FXT_SCHED_STRINGS */
	S_LAST		= FXT_MAX_STRING_INDEX,
};

enum {
	T_FIRST		= 1,
	T_SECOND	= 2,
	T_LAST		= FXT_MAX_THREAD_INDEX,
};

#define PROCESS		100	/* koid */
#define THREAD		101	/* and those after it */
#define LARGE_BLOB	1500001	/* bytes, more than any reader buffers at once */

struct gen {
	struct fxt_writer *w;
	unsigned int flags;
	bool second;	/* records belong to the second provider */
	uint64_t time;	/* ticks */
	unsigned int count;	/* number of variants used so far */
	char *large;	/* memory for streams, LARGE_BLOB bytes */
	int ret;	/* the first error */
};

/* @bytes, or a few with GENERATE_SMALL */
static inline uint64_t length_of(const struct gen *g, uint64_t bytes)
{
	return g->flags & GENERATE_SMALL && bytes > 20 ? 20 : bytes;
}

/* Write a record, unless an earlier one failed. */
void put(struct gen *g, const struct fxt_content *c);

/* a new record, at the next time */
struct fxt_content of_kind(struct gen *g, enum fxt_kind kind);

/* an inline string; the ref 0 if it is empty */
struct fxt_text written(const char *text);

struct fxt_text at(uint16_t index);

/* the next of some strings, each with another kind of reference */
struct fxt_text some_text(struct gen *g);

/* the next of some threads, likewise */
struct fxt_thread_id some_thread(struct gen *g);

#define NUMBERS		9	/* variants of arguments that are numbers */
#define VARIANTS	20	/* all variants of arguments */

/* Add @count arguments, cycling through the first @variants variants. */
void add_args(struct gen *g, struct fxt_content *c, unsigned int count, unsigned int variants);

/* @arg has no name yet. */
void add_arg(struct fxt_content *c, struct fxt_text name, struct fxt_arg arg);

#endif /* SELFTESTS_GENERATE_VALUES_H */
