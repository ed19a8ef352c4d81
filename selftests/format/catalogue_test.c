// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rows of fxt_catalogue.h agree with one another and with the other headers: each group has a
 * bit and a name of its own; each event has a record; a reader can tell all records apart; texts of
 * names and arguments are registered, at indices that never change.
 */
#include <fxt/fxt_catalogue.h>
#include <fxt/fxt_sched.h>
#include <fxt/fxt_sched_custom.h>
#include <fxt/fxt_sched_net.h>
#include <linux/fxt_sched.h>

#include "words.h"

static const struct {
	uint64_t bit;
	const char *name;
	unsigned int who;
	const char *what;
	const char *bytes;
} groups[] = {
#define GROUP(bit, name, who, since, what, bytes, ...)	\
	{ FXT_SCHED_EVENTS_##bit, name, who, what, bytes },
	FXT_GROUPS(GROUP)
};

enum what {
#define EVENT(what, ...) WHAT_##what,
	FXT_EVENTS(EVENT)
#undef EVENT
	WHATS
};

static const struct {
	const char *name;
	uint64_t group;
	uint32_t type;
} events[] = {
#define EVENT(what, name, group, type, ...) { name, FXT_SCHED_EVENTS_##group, type },
	FXT_EVENTS(EVENT)
};

static const struct record {
	enum what what;
	uint32_t category;
	uint32_t first;
	uint32_t last;
	struct {
		uint32_t name;
		uint32_t type;
	} args[FXT_ARGS_MAX];
} records[] = {
#define ARG(name, type, max, member) { name, type }
#define RECORD(what, category, first, last, ...) \
	{ WHAT_##what, category, first, last, { __VA_ARGS__ } },
	FXT_RECORDS(RECORD, ARG)
};

TEST(groups_are_apart)
{
	uint64_t all = 0, known;

	for (size_t i = 0; i < ARRAY_LENGTH(groups); i++) {
		EXPECT_EQ(1, __builtin_popcountll(groups[i].bit)) TH_LOG("%s", groups[i].name);
		EXPECT_EQ(0U, all & groups[i].bit) TH_LOG("%s", groups[i].name);
		all |= groups[i].bit;
		EXPECT_NE(0U, groups[i].who & FXT_BY_BOTH);
		EXPECT_NE('\0', groups[i].what[0]);
		EXPECT_NE('\0', groups[i].bytes[0]);
		for (size_t j = 0; j < i; j++)
			EXPECT_STRNE(groups[j].name, groups[i].name);
	}
	EXPECT_EQ(FXT_GROUPS_ALL, all);
	/* Without gaps, so that a bit of the interface cannot be forgotten here. */
	known = all | FXT_SCHED_EVENTS_MOVES;
	EXPECT_EQ(0U, known & (known + 1));
	EXPECT_EQ(ARRAY_LENGTH(groups), (size_t)__builtin_popcountll(all));
}

TEST(events_have_records)
{
	bool has_record[WHATS] = { false };

	for (size_t i = 0; i < ARRAY_LENGTH(records); i++)
		has_record[records[i].what] = true;
	for (size_t i = 0; i < WHATS; i++) {
		EXPECT_TRUE(has_record[i]) TH_LOG("%s", events[i].name);
		EXPECT_NE(0U, events[i].group & FXT_GROUPS_ALL);
		for (size_t j = 0; j < i; j++)
			EXPECT_STRNE(events[j].name, events[i].name);
	}
}

static size_t args_of(const struct record *r)
{
	size_t n = 0;

	while (n < FXT_ARGS_MAX && r->args[n].name)
		n++;
	return n;
}

static bool names_overlap(const struct record *a, const struct record *b)
{
	return a->first <= b->last && b->first <= a->last;
}

TEST(records_are_told_apart)
{
	const struct record *a, *b;

	for (a = records; a < records + ARRAY_LENGTH(records); a++) {
		EXPECT_LE(a->first, a->last);
		for (b = records; b < a; b++)
			EXPECT_FALSE(a->category == b->category && names_overlap(a, b) &&
				     events[a->what].type == events[b->what].type &&
				     args_of(a) == args_of(b))
				TH_LOG("%s and %s", events[a->what].name, events[b->what].name);
	}
}

static bool has_text(uint32_t index)
{
	static const bool has[FXT_STR_LAST + 1] = {
#define TEXT(index, text) [index] = true,
		FXT_SCHED_STRINGS(TEXT)
	};

	return index <= FXT_STR_LAST && has[index];
}

TEST(names_and_arguments_have_texts)
{
	uint32_t name;

	for (const struct record *r = records; r < records + ARRAY_LENGTH(records); r++) {
		EXPECT_TRUE(has_text(r->category));
		/* The names of system calls are those that the machine has. */
		for (name = r->first; r->what != WHAT_SYSCALL && name && name <= r->last; name++)
			EXPECT_TRUE(has_text(name)) TH_LOG("%s: %u", events[r->what].name, name);
		for (size_t i = 0; i < args_of(r); i++)
			EXPECT_TRUE(has_text(r->args[i].name));
	}
}

/* The module and the collector can be of different versions. */
TEST(indices_never_change)
{
	EXPECT_EQ(1U, (unsigned int)FXT_STR_INCOMING_WEIGHT);
	EXPECT_EQ(27U, (unsigned int)FXT_STR_RUNNABLE);
	EXPECT_EQ(38U, (unsigned int)FXT_STR_SOFTIRQ);
	EXPECT_EQ(51U, (unsigned int)FXT_STR_SOFTIRQ_FIRST);
	EXPECT_EQ(60U, (unsigned int)FXT_STR_SOFTIRQ_LAST);
	EXPECT_EQ(72U, (unsigned int)FXT_STR_IDLE_FIRST);
	EXPECT_EQ(81U, (unsigned int)FXT_STR_IDLE_LAST);
	EXPECT_EQ(100U, (unsigned int)FXT_STR_LOAD);
	EXPECT_EQ(109U, (unsigned int)FXT_STR_OFFLINE);
	EXPECT_EQ(112U, (unsigned int)FXT_STR_HANDLED);
	EXPECT_EQ(117U, (unsigned int)FXT_STR_BLOCK);
	EXPECT_EQ(122U, (unsigned int)FXT_STR_BYTES);
	EXPECT_LT(FXT_STR_BYTES, FXT_STR_SYSCALL_FIRST);
	EXPECT_LT(fxt_sched_custom_name(FXT_SCHED_CUSTOM_MOST), (unsigned int)FXT_STR_MORE);
	EXPECT_EQ(704U, (unsigned int)FXT_STR_STEAL);
	EXPECT_EQ(705U, (unsigned int)FXT_STR_TIMER);
	EXPECT_EQ(709U, (unsigned int)FXT_STR_MEMORY);
	EXPECT_EQ(714U, (unsigned int)FXT_STR_NET);
	EXPECT_EQ(718U, (unsigned int)FXT_STR_SOCKET_DATA);
	EXPECT_LE(FXT_STR_REMOTE_PORT, FXT_STR_LAST);
	/* Generated archives have them behind 32,000 (lib/generate_values.h). */
	EXPECT_LT((unsigned int)FXT_STR_LAST, 768U);
}
