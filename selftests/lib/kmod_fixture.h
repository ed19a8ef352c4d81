/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The common beginning of all tests of the module's device. Without the module, the tests are
 * skipped, unless $FXT_REQUIRE requires it.
 */
#ifndef SELFTESTS_KMOD_FIXTURE_H
#define SELFTESTS_KMOD_FIXTURE_H

#include "kmod.h"
#include "source_fixture.h"

#define KMOD_SESSIONS	32	/* the most that a test opens */

/* A closed device has the descriptor -1. */
#define KMOD_FIXTURE(fixture)							\
	FIXTURE(fixture)							\
	{									\
		const char *missing;						\
		struct why why;							\
		struct kmod_session d[KMOD_SESSIONS];				\
	};									\
	FIXTURE_SETUP(fixture)							\
	{									\
		unsigned int i;							\
										\
		for (i = 0; i < KMOD_SESSIONS; i++)				\
			self->d[i].fd = -1;					\
		self->missing = source_missing("kmod");				\
		ASSERT_FALSE(self->missing && source_required("kmod"))		\
			TH_LOG("kmod: %s", self->missing);			\
	}									\
	FIXTURE_TEARDOWN(fixture)						\
	{									\
		unsigned int i;							\
										\
		for (i = 0; i < KMOD_SESSIONS; i++)				\
			kmod_close(&self->d[i]);				\
	}									\
	struct fixture##_semicolon

#endif /* SELFTESTS_KMOD_FIXTURE_H */
