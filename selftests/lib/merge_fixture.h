/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tell stories of several machines, run fxt merge over them. */
#ifndef SELFTESTS_MERGE_FIXTURE_H
#define SELFTESTS_MERGE_FIXTURE_H

#include "verb_archive.h"

#define MS	1000000ULL
#define KOIDS	(1ULL << 22)	/* offset of the koids of the second machine */

FIXTURE(merge)
{
	char dir[RECORD_PATH];
	char in[4][RECORD_PATH + 32];
	char out[RECORD_PATH + 32];
	struct story s;
	struct tool t;
	struct gathered g;
	struct gathered one;
};

FIXTURE_SETUP(merge)
{
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
	for (unsigned int i = 0; i < 4; i++)
		snprintf(self->in[i], sizeof(self->in[i]), "%s/%c.fxt", self->dir, 'a' + i);
	snprintf(self->out, sizeof(self->out), "%s/out.fxt", self->dir);
}

FIXTURE_TEARDOWN(merge)
{
	dir_remove(self->dir);
}

static inline void begin(FIXTURE_DATA(merge) *self, const char *session)
{
	story_restart(&self->s);
	if (session)
		story_session(&self->s, session);
}

static inline void save(FIXTURE_DATA(merge) *self, unsigned int n)
{
	save_file(self->in[n], self->s.b.words, built_bytes(&self->s.b));
}

/* Run fxt merge on the first @count stories, with up to two options. */
static inline int merge(FIXTURE_DATA(merge) *self, unsigned int count, const char *a, const char *b)
{
	const char *args[12] = { "merge", "-o", self->out };
	unsigned int n = 3, i;
	int ret;

	for (i = 0; i < count; i++)
		args[n++] = self->in[i];
	if (a)
		args[n++] = a;
	if (a && b)
		args[n++] = b;
	ret = tool_run(&self->t, args);
	return ret ? ret : gather(&self->g, self->out);
}

/* Tell of threads 11 and 12 on CPUs 0 and 1 of a machine, for 6 ms from @at (ms) on. */
static inline void tell_machine(FIXTURE_DATA(merge) *self, unsigned int n,
				const char *session, uint64_t at)
{
	begin(self, session);
	STORY(&self->s, "names@%; name 11 eleven; name 12/11 twelve; 0@% 0>11; "
			"% wake 12 by 11 on 1; 1@% 0>12; % 12>0 S; 0@% 11>0 S; end %", at * MS,
			(at + 1) * MS, (at + 2) * MS, (at + 3) * MS, (at + 4) * MS, (at + 5) * MS,
			(at + 6) * MS);
	save(self, n);
}

static inline const struct gathered_event *find(const struct gathered *g,
						enum fxt_kind kind, uint64_t time,
						uint32_t provider)
{
	for (size_t i = 0; i < g->event_count; i++)
		if (g->events[i].kind == kind && g->events[i].time == time &&
		    g->events[i].provider == provider)
			return &g->events[i];
	return NULL;
}

/* Merge the first @count stories, with up to two options (NULL: none); the result is sound. */
#define MERGE_WITH(a, b, ...)	a, b
#define ASSERT_MERGE(count, ...) do {						\
	ASSERT_EQ(0, merge(self, count, MERGE_WITH(__VA_ARGS__, NULL, NULL)))	\
		TH_LOG("%s", self->t.err);					\
	EXPECT_SOUND(self->out);						\
} while (0)

#endif /* SELFTESTS_MERGE_FIXTURE_H */
