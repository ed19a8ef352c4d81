/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fxt report as a program, on a story. */
#ifndef SELFTESTS_REPORT_PRINT_FIXTURE_H
#define SELFTESTS_REPORT_PRINT_FIXTURE_H

#include "harness.h"

#include <json-c/json.h>

#include "generate.h"
#include "golden.h"
#include "report_story.h"
#include "tool.h"

/* A story in an anonymous file, and the tool's report of it. */
#define REPORT_FIXTURE(fixture)							\
	FIXTURE(fixture)							\
	{									\
		struct story s;							\
		size_t begun;	/* bytes before the story */			\
		int fd;								\
		char path[64];							\
		struct tool t;							\
		struct json_object *j;						\
	};									\
	FIXTURE_SETUP(fixture)							\
	{									\
		story_begin(&self->s);						\
		self->begun = built_bytes(&self->s.b);				\
		self->fd = memfd_create("report", MFD_CLOEXEC);			\
		ASSERT_LE(0, self->fd);						\
		snprintf(self->path, sizeof(self->path), "/proc/%d/fd/%d",	\
			 getpid(), self->fd);					\
		setenv("LC_ALL", "C.UTF-8", 1);					\
	}									\
	FIXTURE_TEARDOWN(fixture) { }						\
	static int store(FIXTURE_DATA(fixture) *self)				\
	{									\
		size_t bytes = built_bytes(&self->s.b);				\
										\
		/* Not over an archive that the test has written itself. */	\
		if (bytes == self->begun && lseek(self->fd, 0, SEEK_END))	\
			return 0;						\
		return pwrite(self->fd, self->s.b.words, bytes, 0) != (ssize_t)bytes ||	\
		       ftruncate(self->fd, bytes) ? -1 : 0;			\
	}									\
	struct fixture##_semicolon

/* Run fxt, which finds the story so far at self->path. */
#define FXT(...)								\
	(store(self) ? -1 : tool_run(&self->t, ARGS(__VA_ARGS__)))
#define REPORT(...)	FXT("report", "--tables", ##__VA_ARGS__, self->path)

/* The part of the report with this title is as in golden/report.txt. */
#define GOLDEN(title)	EXPECT_GOLDEN("report", self->t.out, title)

#define EXPECT_LINE(line)							\
	EXPECT_NE(NULL, strstr(self->t.out, "\n" line "\n"))			\
		TH_LOG("%s\n%s", line, self->t.out)

#define EXPECT_HAS(text)							\
	EXPECT_NE(NULL, strstr(self->t.out, text)) TH_LOG("%s\n%s", text, self->t.out)

#define EXPECT_NO(text)								\
	EXPECT_EQ(NULL, strstr(self->t.out, text)) TH_LOG("%s\n%s", text, self->t.out)

#endif /* SELFTESTS_REPORT_PRINT_FIXTURE_H */
