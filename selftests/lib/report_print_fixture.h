/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_print_fixture.h - fxt report as a program, on a story.
 */
#ifndef SELFTESTS_REPORT_PRINT_FIXTURE_H
#define SELFTESTS_REPORT_PRINT_FIXTURE_H

#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "generate.h"
#include "report_story.h"
#include "tool.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "harness.h"

/* A story in an anonymous file, and the tool's report of it. */
#define REPORT_FIXTURE(fixture)							\
	FIXTURE(fixture)							\
	{									\
		struct story s;							\
		int fd;								\
		char path[64];							\
		struct tool t;							\
		struct json_object *j;						\
	};									\
	FIXTURE_SETUP(fixture)							\
	{									\
		story_begin(&self->s);						\
		self->fd = memfd_create("report", MFD_CLOEXEC);			\
		ASSERT_LE(0, self->fd);						\
		snprintf(self->path, sizeof(self->path), "/proc/%d/fd/%d",	\
			 getpid(), self->fd);					\
		setenv("LC_ALL", "C.UTF-8", 1);					\
	}									\
	FIXTURE_TEARDOWN(fixture)						\
	{									\
		json_object_put(self->j);					\
		tool_free(&self->t);						\
		build_free(&self->s.b);						\
		close(self->fd);						\
	}									\
	static int store(FIXTURE_DATA(fixture) *self)				\
	{									\
		size_t bytes = built_bytes(&self->s.b);				\
										\
		return write(self->fd, self->s.b.words, bytes) ==		\
		       (ssize_t)bytes ? 0 : -1;					\
	}									\
	struct fixture##_semicolon

#define REPORT(...)								\
	(tool_free(&self->t),							\
	 tool_run(&self->t, (const char *[]){ "report", "--tables", ##__VA_ARGS__, self->path, NULL }))

#define EXPECT_LINE(line)							\
	EXPECT_NE(NULL, strstr(self->t.out, "\n" line "\n"))			\
		TH_LOG("%s\n%s", line, self->t.out)

#define EXPECT_HAS(text)							\
	EXPECT_NE(NULL, strstr(self->t.out, text)) TH_LOG("%s\n%s", text, self->t.out)

#define EXPECT_NO(text)								\
	EXPECT_EQ(NULL, strstr(self->t.out, text)) TH_LOG("%s\n%s", text, self->t.out)

#endif /* SELFTESTS_REPORT_PRINT_FIXTURE_H */
