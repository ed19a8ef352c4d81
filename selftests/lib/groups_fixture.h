/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings of groups of events. A test is skipped if the kernel or the source lacks its groups.
 */
#ifndef SELFTESTS_GROUPS_FIXTURE_H
#define SELFTESTS_GROUPS_FIXTURE_H

#include "source_fixture.h"

#define for_each_group_event(e, t)						\
	for (e = (t)->group_events; e < (t)->group_events + (t)->group_event_count; e++)

/* Return: NULL, or why they cannot be recorded here. */
static inline const char *begin(struct collector *c, const char *dir, const char *source,
				const char * const *args, struct why *why)
{
	static const char * const lacking[] = {
		"does not know", "lacks", "cannot tell", "does not let", "no tracepoint",
		"cannot name functions",
	};

	if (!record_begin(c, dir, source, args, why))
		return NULL;
	for (size_t i = 0; i < sizeof(lacking) / sizeof(lacking[0]); i++)
		if (strstr(why->text, lacking[i]))
			return why->text;
	return "";
}

#define BEGIN(...) do {								\
	const char *const args[] = { __VA_ARGS__, NULL };			\
	const char *lacks;							\
										\
	NEEDS_SOURCE();								\
	lacks = begin(&self->c, self->dir, self->source, args, &self->why);	\
	if (lacks && *lacks)							\
		SKIP(return, "%s", lacks);					\
	ASSERT_EQ(NULL, lacks) TH_LOG("%s", self->why.text);			\
} while (0)

/*
 * For --thread: another run of the test may have threads of the same names. Return: valid until the
 * next call.
 */
static inline const char *tid_text(pid_t tid)
{
	static char text[16];

	snprintf(text, sizeof(text), "%d", tid);
	return text;
}

/* False if the kernel runs no program while a thread of process 1 is current: see struct hidden. */
static inline bool sees_all(const struct trace *t)
{
	struct hidden h;
	bool on;

	hidden_find(&h, t);
	on = h.on;
	return !on;
}

#endif /* SELFTESTS_GROUPS_FIXTURE_H */
