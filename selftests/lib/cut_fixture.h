/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cut_fixture.h - tell a story, run fxt cut over it, check the result.
 */
#ifndef SELFTESTS_CUT_FIXTURE_H
#define SELFTESTS_CUT_FIXTURE_H

#include "verb_archive.h"

FIXTURE(cut)
{
	char dir[RECORD_PATH];
	char in[RECORD_PATH + 32];
	char out[RECORD_PATH + 16];
	struct story s;
	struct tool t;
	struct gathered g;
};

FIXTURE_SETUP(cut)
{
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
	snprintf(self->in, sizeof(self->in), "%s/in.fxt", self->dir);
	snprintf(self->out, sizeof(self->out), "%s/out.fxt", self->dir);
	story_begin(&self->s);
}

FIXTURE_TEARDOWN(cut)
{
	tool_free(&self->t);
	build_free(&self->s.b);
	dir_remove(self->dir);
}

#define MS	1000000ULL

/* Processes 11 (11, 12) and 21 on two CPUs, from 1 to 9 ms, in two sub-buffers each. */
static inline void tell_two_cpus(struct story *s)
{
	story_session(s, "host here\nclock boot\n");
	story_chunk(s, STORY_NAMES, 1);
	story_name(s, 11, 11, "eleven");
	story_name(s, 12, 11, "twelve");
	story_name(s, 21, 21, "twenty-one");
	story_name(s, 31, 31, "asleep");
	story_chunk(s, 0, 1 * MS);
	story_switch(s, 1 * MS, 0, 11, FXT_THREAD_NEW);
	story_wake(s, 2 * MS, 0, 12, 11);
	story_switch(s, 3 * MS, 11, 12, FXT_THREAD_BLOCKED);
	story_chunk(s, 1, 2 * MS);
	story_wake(s, 2 * MS, 1, 21, 0);
	story_switch(s, 4 * MS, 0, 21, FXT_THREAD_NEW);
	story_switch(s, 5 * MS, 21, 0, FXT_THREAD_BLOCKED);
	story_chunk(s, 0, 6 * MS);
	story_switch(s, 6 * MS, 12, 0, FXT_THREAD_BLOCKED);
	story_wake(s, 7 * MS, 0, 11, 0);
	story_switch(s, 8 * MS, 0, 11, FXT_THREAD_NEW);
	story_chunk(s, 1, 9 * MS);
	story_wake(s, 9 * MS, 1, 21, 0);
}

static inline void save(FIXTURE_DATA(cut) *self)
{
	save_file(self->in, self->s.b.words, built_bytes(&self->s.b));
}

/* Save the story, cut it, and gather the result. */
static inline int cut(FIXTURE_DATA(cut) *self, const char *a, const char *b,
		      const char *c, const char *d)
{
	const char *args[] = { "cut", self->in, "-o", self->out, a, b, c, d, NULL };
	int ret;

	tool_free(&self->t);
	ret = tool_run(&self->t, args);
	return ret ? ret : gather(&self->g, self->out);
}

#endif /* SELFTESTS_CUT_FIXTURE_H */
