// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt merge of a recording and the trace of a program of the same machine: the program's events are
 * on the tracks of its threads, at their times on the clock of the recording; nothing else is
 * shared.
 */
#include "merge_fixture.h"

#define HOST		"host one\nboot b\nepoch 7000000000\n"
#define SUSPENDED	"clock boot\nsuspended 4000000\n"	/* ns */

/* A trace with a slice of thread 12 at @ts us. @metadata: other members of the object, or "" */
static void write_program(FIXTURE_DATA(merge) *self, const char *ts, const char *metadata)
{
	char text[2048];
	int bytes;

	bytes = snprintf(text, sizeof(text), "{\"traceEvents\":["
		"{\"pid\":11,\"tid\":12,\"ts\":%s,\"dur\":500,\"ph\":\"X\",\"name\":\"request\",\"cat\":\"app\"},"
		"{\"pid\":11,\"tid\":12,\"ts\":0,\"ph\":\"M\",\"name\":\"thread_name\",\"args\":{\"name\":\"worker\"}},"
		"{\"pid\":11,\"tid\":14,\"ts\":0,\"ph\":\"M\",\"name\":\"thread_name\",\"args\":{\"name\":\"idler\"}},"
		"{\"pid\":\"gpu\",\"tid\":\"stream 7\",\"ts\":%s,\"dur\":500,\"ph\":\"X\",\"name\":\"kernel\",\"cat\":\"app\"}"
		"]%s}", ts, ts, metadata);
	save_file(self->in[1], text, bytes);
}

static const struct gathered_name *name_of(const struct gathered *g, const char *name)
{
	for (size_t i = 0; i < g->name_count; i++)
		if (!strcmp(g->names[i].name, name))
			return &g->names[i];
	return NULL;
}

static const char *of_program(const FIXTURE_DATA(merge) *self, char *text, size_t room,
			      const char *option, const char *value)
{
	snprintf(text, room, "%s=%s%s%s", option, self->in[1], value ? "=" : "", value ? value : "");
	return text;
}

TEST_F(merge, threads_of_a_program)
{
	char same[RECORD_PATH + 64];
	const struct gathered_event *e;

	tell_machine(self, 0, HOST SUSPENDED, 10);
	write_program(self, "9000.0", ",\"metadata\": { \"clock-domain\" : \"LINUX_CLOCK_MONOTONIC\" }");
	ASSERT_EQ(0, merge(self, 2, of_program(self, same, sizeof(same), "--same-machine", NULL), NULL))
		TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	/* 9 ms of CLOCK_MONOTONIC are 13 ms of CLOCK_BOOTTIME, when the thread is switched in. */
	e = find(&self->g, FXT_KIND_DURATION_COMPLETE, 13 * MS, 2);
	ASSERT_NE(NULL, e);
	EXPECT_STREQ("request", e->name);
	EXPECT_EQ(12U, e->thread);
	EXPECT_EQ(11U, e->other);
	/* Names are the kernel's. A thread that the kernel has not recorded keeps its own name. */
	EXPECT_NE(NULL, name_of(&self->g, "twelve"));
	EXPECT_EQ(NULL, name_of(&self->g, "worker"));
	ASSERT_NE(NULL, name_of(&self->g, "idler"));
	EXPECT_EQ(14U, name_of(&self->g, "idler")->koid);
}

/* Ids that Linux cannot have do not belong to threads of the machine. */
TEST_F(merge, ids_that_are_text)
{
	char same[RECORD_PATH + 64];

	tell_machine(self, 0, HOST SUSPENDED, 10);
	write_program(self, "13000", ",\"metadata\":{\"clock-domain\":\"LINUX_CLOCK_BOOTTIME\"}");
	ASSERT_EQ(0, merge(self, 2, of_program(self, same, sizeof(same), "--same-machine", NULL), NULL))
		TH_LOG("%s", self->t.err);
	for (size_t i = 0; i < self->g.event_count; i++) {
		const struct gathered_event *e = &self->g.events[i];

		if (strcmp(e->name, "kernel"))
			continue;
		EXPECT_EQ(13 * MS, e->time);
		EXPECT_LT(KOIDS, e->thread);
		EXPECT_LT(KOIDS, e->other);
	}
}

TEST_F(merge, clocks_of_one_boot)
{
	static const struct {
		const char *session;
		const char *ts;
		const char *clock;
		const char *message;
	} cases[] = {
		{ HOST SUSPENDED, "9000", "mono", "" },
		{ HOST SUSPENDED, "13000", "boot", "" },
		{ HOST SUSPENDED, "7013000", "real", "" },
		{ HOST "clock mono\nsuspended 4000000\n", "17000", "boot", "" },
		{ HOST "clock mono\nsuspended 4000000\n", "13000", "mono", "" },
		{ HOST "clock mono\nsuspended 4000000\n", "7013000", "real", "" },
		{ HOST "clock boot\n", "13000", "mono", "assuming 0: use --offset" },
	};
	char clock[RECORD_PATH + 64];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		tell_machine(self, 0, cases[i].session, 10);
		write_program(self, cases[i].ts, "");
		ASSERT_EQ(0, merge(self, 2, of_program(self, clock, sizeof(clock), "--clock",
						       cases[i].clock), NULL))
			TH_LOG("%zu: %s", i, self->t.err);
		EXPECT_NE(NULL, find(&self->g, FXT_KIND_DURATION_COMPLETE, 13 * MS, 2)) TH_LOG("%zu", i);
		EXPECT_IN(self->t.err, cases[i].message);
		EXPECT_EQ(!*cases[i].message, !strstr(self->t.err, "suspended")) TH_LOG("%s", self->t.err);
		/* Without --same-machine, threads stay apart. */
		EXPECT_NE(NULL, name_of(&self->g, "worker [b:12]"));
	}
}

TEST_F(merge, not_of_one_machine)
{
	char same[RECORD_PATH + 64], clock[RECORD_PATH + 64];

	of_program(self, same, sizeof(same), "--same-machine", NULL);
	tell_machine(self, 0, HOST SUSPENDED, 10);
	write_program(self, "9000", "");
	EXPECT_EQ(2, merge(self, 2, same, NULL));
	EXPECT_IN(self->t.err, "or --clock FILE=CLOCK if both are of one machine");
	EXPECT_EQ(2, merge(self, 2, of_program(self, clock, sizeof(clock), "--clock", "local"), NULL));
	EXPECT_IN(self->t.err, "FILE=mono");
	EXPECT_EQ(2, merge(self, 2, "--clock=mono", NULL));
	EXPECT_EQ(2, merge(self, 2, "--same-machine=elsewhere.json", NULL));
	EXPECT_IN(self->t.err, "no FILE of that name");
	/* With scheduling of its own, the CPUs would be in the result twice. */
	tell_machine(self, 1, HOST SUSPENDED, 10);
	EXPECT_EQ(2, merge(self, 2, same, NULL));
	EXPECT_IN(self->t.err, "has scheduling of its own");
	EXPECT_NE(0, access(self->out, F_OK));
}
