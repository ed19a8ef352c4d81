/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tell a story, run fxt cut over it, check the result. */
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
	dir_remove(self->dir);
}

#define MS	1000000ULL

/* Processes 11 (11, 12) and 21 on two CPUs, from 1 to 9 ms, in two sub-buffers each. */
static inline void tell_two_cpus(struct story *s)
{
	story_session(s, "host here\nclock boot\n");
	STORY(s, "names@1; name 11 eleven; name 12/11 twelve; name 21 twenty-one; name 31 asleep; "
		 "0@1ms 0>11; 2ms wake 12 by 11; 3ms 11>12 S; 1@2ms wake 21; 4ms 0>21; "
		 "5ms 21>0 S; 0@6ms 12>0 S; 7ms wake 11; 8ms 0>11; 1@9ms wake 21");
}

static inline void tell_two_cpus_to_end(struct story *s)
{
	tell_two_cpus(s);
	story_end(s, 10 * MS);
}

static inline void save(FIXTURE_DATA(cut) *self)
{
	save_file(self->in, self->s.b.words, built_bytes(&self->s.b));
}

static inline int cut(FIXTURE_DATA(cut) *self, const char *a, const char *b,
		      const char *c, const char *d)
{
	const char *args[] = { "cut", self->in, "-o", self->out, a, b, c, d, NULL };
	int ret;

	ret = tool_run(&self->t, args);
	return ret ? ret : gather(&self->g, self->out);
}

/*
 * Save the story, cut it with up to four options (NULL: none), and check that the result is sound.
 */
#define CUT_WITH(a, b, c, d, ...)	cut(self, a, b, c, d)
#define ASSERT_CUT(...) do {							\
	save(self);								\
	ASSERT_EQ(0, CUT_WITH(__VA_ARGS__, NULL, NULL, NULL, NULL)) TH_LOG("%s", self->t.err); \
	EXPECT_SOUND(self->out);						\
} while (0)

#endif /* SELFTESTS_CUT_FIXTURE_H */
