/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each test of a source runs once for the module and once for BPF. If the source is not available,
 * the test is skipped, unless $FXT_REQUIRE ("kmod bpf") requires it.
 */
#ifndef SELFTESTS_SOURCE_FIXTURE_H
#define SELFTESTS_SOURCE_FIXTURE_H

#include "harness.h"
#include "collector.h"
#include "trace.h"
#include "workload.h"

/* A function, because the fixture's macro has arguments of these members' names. */
static inline bool is_left_out(const struct __test_metadata *test)
{
	return test_left_out(test->fixture->name, test->name);
}

/* The fixture of a subject's tests, with the variant of one source, setup and teardown. */
#define ONE_SOURCE_FIXTURE(fixture, name)					\
	FIXTURE(fixture)							\
	{									\
		const char *source;						\
		const char *missing;	/* why the source cannot be used */	\
		char dir[RECORD_PATH];						\
		struct why why;							\
		struct collector c;						\
		struct trace t;							\
	};									\
	FIXTURE_VARIANT(fixture)						\
	{									\
		const char *source;						\
	};									\
	FIXTURE_VARIANT_ADD(fixture, name)					\
	{									\
		.source = #name,						\
	};									\
	FIXTURE_SETUP(fixture)							\
	{									\
		self->source = variant->source;					\
		self->missing = source_missing(self->source);			\
		self->c.gate = -1;						\
		ASSERT_FALSE(self->missing && source_required(self->source))	\
			TH_LOG("%s: %s", self->source, self->missing);		\
		if (is_left_out(_metadata))						\
			self->missing = "left to another machine, because $FXT_TESTS names others"; \
		ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));		\
	}									\
	FIXTURE_TEARDOWN(fixture)						\
	{									\
		if (self->c.pid > 0)						\
			kill(self->c.pid, SIGKILL);				\
		collector_wait(&self->c);					\
		trace_free(&self->t);						\
		dir_remove(self->dir);						\
	}									\
	struct fixture##_semicolon

/* For features that only BPF has, and for those that only the module has. */
#define BPF_FIXTURE(fixture)	ONE_SOURCE_FIXTURE(fixture, bpf)
#define MODULE_FIXTURE(fixture)	ONE_SOURCE_FIXTURE(fixture, kmod)

/* The same with a variant for each source. */
#define SOURCE_FIXTURE(fixture)							\
	BPF_FIXTURE(fixture);							\
	FIXTURE_VARIANT_ADD(fixture, kmod)					\
	{									\
		.source = "kmod",						\
	}

/* A test that is skipped without the source; a SKIP() in the setup would not end it. */
#define SOURCE_TEST(fixture, name)						\
	static void fixture##_##name##_with_source(struct __test_metadata *_metadata,	\
						   FIXTURE_DATA(fixture) *self);	\
	TEST_F(fixture, name)							\
	{									\
		NEEDS_SOURCE();							\
		fixture##_##name##_with_source(_metadata, self);		\
	}									\
	static void fixture##_##name##_with_source(struct __test_metadata *_metadata,	\
						   FIXTURE_DATA(fixture) *self)

#define NEEDS_SOURCE() do {							\
	if (self->missing)							\
		SKIP(return, "%s", self->missing);				\
} while (0)

/* The same for tests that take stacks of threads that are off the CPU. */
#define NEEDS_STACKS() do {							\
	NEEDS_SOURCE();								\
	if (stacks_missing(self->source))					\
		SKIP(return, "%s: %s", self->source, stacks_missing(self->source)); \
} while (0)

/* The same for tests that record wakeups at sched_waking. */
#define NEEDS_WAKINGS() do {							\
	NEEDS_SOURCE();								\
	if (!strcmp(self->source, "bpf") && !kernel_is_since(5, 12))		\
		SKIP(return, "bpf: programs of this kernel cannot exchange a word"); \
} while (0)

/* The same for tests that unload and load the module. */
#define NEEDS_UNLOADING() do {							\
	if (module_built_in())							\
		SKIP(return, "kmod: the module is built into the kernel");	\
} while (0)

/* These calls leave a line in self->why when they fail. */
#define ASSERT_FINE(call)							\
	ASSERT_EQ(0, call) TH_LOG("%s", self->why.text)
/* Begin a recording with these options; NULL for none. */
#define ASSERT_BEGIN(...)							\
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, ARGS(__VA_ARGS__), &self->why))
#define EXPECT_FINE(call)							\
	EXPECT_EQ(0, call) TH_LOG("%s", self->why.text)

#endif /* SELFTESTS_SOURCE_FIXTURE_H */
