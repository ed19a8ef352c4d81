/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that are an input and what is to be seen of it, as text: each case of cases/NAME.txt is a
 * test of the program that has CASES(NAME).
 *
 *	== NAME			a case; the lines with "#" below it say what it is about
 *	0@1000 11>12 S		a story, as STORY() of sched_story.h explains it; or
 *	<<<			lines of a file of another format, up to
 *	>>>
 *	<<< perfetto		the same for a trace of Perfetto, as PFILE() explains the text
 *	like NAME		the story or file of an earlier case
 *	? 11 1000-9900		a question that the program itself answers
 *	$ why --thread 11	a command of fxt; the archive is its last argument, or "@"; an argument
 *				with blanks is in quotes
 *	$1 why			its exit status is 1
 *	~ TITLE			the lines below are that part of the output, as golden.h explains it
 *	= LINE			the answer or output is these lines, and no others
 *	+ TEXT			the answer or output has TEXT; "\n" in it ends a line, "\s" is a blank,
 *				"\\" a backslash
 *	> TEXT			the same, not before the TEXT of the line above
 *	- TEXT			it has no TEXT
 *	! TEXT			the command's messages have TEXT
 *	!- TEXT			they have no TEXT
 *	!=			there are no messages
 *	--			another story or file follows
 *
 * "FXT_GOLDEN=write selftests/run.sh why_test" writes the lines with "=" anew.
 */
#ifndef SELFTESTS_CASES_H
#define SELFTESTS_CASES_H

#include "event_story.h"
#include "tool.h"

struct case_run {
	const char *name;
	struct story s;
	char *text;		/* of the file, unless the archive is a story */
	size_t text_bytes;
	int fd;			/* the archive */
	char path[32];
	char *out;		/* the answer, or what the command wrote */
	char *err;
	const char *at;		/* in @out, where the next line with "=" or ">" is expected */
	unsigned int checks;	/* of its lines, which must hold */
};

/* @question: behind "?". Return: an answer as lines, to be freed */
typedef char *(*case_answer)(struct case_run *r, const char *question);

/* The text of a case, up to the next one; NULL: the file has no such case */
char *case_text(const char *file, const char *name);

/* Names of a file's cases, with NULL at the end. */
char **case_names(const char *file);

/* @name: of the case */
void case_begin(struct case_run *r, const char *name);

/*
 * Execute a line, and those of its file. Return: the next line; NULL: no more. @wrong: what is not
 * as the line says, else ""
 */
const char *case_line(struct case_run *r, const char *file, const char *line, case_answer answer,
		      char wrong[4096]);

#define CASES(file, answer)								\
	static void run_case(struct __test_metadata *_metadata,			\
			     struct __fixture_variant_metadata *variant)		\
	{										\
		const char *line = case_text(file, _metadata->name);			\
		struct case_run r;							\
		char wrong[4096];							\
											\
		case_begin(&r, _metadata->name);						\
		while ((line = case_line(&r, file, line, answer, wrong)))		\
			EXPECT_STREQ("", wrong);					\
	}										\
	static void __attribute__((constructor)) register_cases(void)			\
	{										\
		struct __test_metadata *test;						\
											\
		for (char **name = case_names(file); *name; name++) {			\
			test = calloc(1, sizeof(*test));				\
			test->name = *name;						\
			test->fn = run_case;						\
			test->fixture = &_fixture_global;				\
			test->termsig = -1;						\
			test->timeout = TEST_TIMEOUT_DEFAULT;				\
			__register_test(test);						\
		}									\
	}

#endif /* SELFTESTS_CASES_H */
