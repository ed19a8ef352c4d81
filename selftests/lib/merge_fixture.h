/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge_fixture.h - tell stories of several machines, run fxt merge over them.
 */
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
	unsigned int i;

	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
	for (i = 0; i < 4; i++)
		snprintf(self->in[i], sizeof(self->in[i]), "%s/%c.fxt", self->dir, 'a' + i);
	snprintf(self->out, sizeof(self->out), "%s/out.fxt", self->dir);
}

FIXTURE_TEARDOWN(merge)
{
	tool_free(&self->t);
	build_free(&self->s.b);
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
	tool_free(&self->t);
	ret = tool_run(&self->t, args);
	return ret ? ret : gather(&self->g, self->out);
}

/* Tell of threads 11 and 12 on CPUs 0 and 1 of a machine, for 6 ms from @at (ms) on. */
static inline void tell_machine(FIXTURE_DATA(merge) *self, unsigned int n,
				const char *session, uint64_t at)
{
	struct story *s = &self->s;

	begin(self, session);
	story_chunk(s, STORY_NAMES, at * MS);
	story_name(s, 11, 11, "eleven");
	story_name(s, 12, 11, "twelve");
	story_chunk(s, 0, (at + 1) * MS);
	story_switch(s, (at + 1) * MS, 0, 11, FXT_THREAD_NEW);
	story_wake(s, (at + 2) * MS, 1, 12, 11);
	story_chunk(s, 1, (at + 3) * MS);
	story_switch(s, (at + 3) * MS, 0, 12, FXT_THREAD_NEW);
	story_switch(s, (at + 4) * MS, 12, 0, FXT_THREAD_BLOCKED);
	story_chunk(s, 0, (at + 5) * MS);
	story_switch(s, (at + 5) * MS, 11, 0, FXT_THREAD_BLOCKED);
	story_end(s, (at + 6) * MS);
	save(self, n);
}

static inline const struct gathered_event *find(const struct gathered *g,
						enum fxt_kind kind, uint64_t time,
						uint32_t provider)
{
	size_t i;

	for (i = 0; i < g->event_count; i++)
		if (g->events[i].kind == kind && g->events[i].time == time &&
		    g->events[i].provider == provider)
			return &g->events[i];
	return NULL;
}

#endif /* SELFTESTS_MERGE_FIXTURE_H */
