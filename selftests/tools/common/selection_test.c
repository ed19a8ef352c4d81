// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Selection by times, CPUs, processes and threads, in every command. Times count from the first
 * event; a selection without any record is reported, and the exit status is 1. The mappings of
 * programs have the time 0, because they are older than the recording.
 */
#include "cut_fixture.h"
#include "event_story.h"

/* Process 11 runs on cpu 0 from 1001 to 1003 ms, process 21 on cpu 1 from 1004 ms on. */
static void tell(FIXTURE_DATA(cut) *self)
{
	story_session(&self->s, "host here\nclock boot\nepoch 1000000000\n");
	STORY(&self->s, "names@1; name 11 eleven; name 21 twenty-one");
	event_module(&self->s, 0, 11, 1, "/bin/eleven", 0x1000, 0x1000);
	STORY(&self->s, "0@1001ms 0>11; 1003ms 11>0 S; 1008ms wake 11; "
			"1@1004ms 0>21");
	story_switch(&self->s, 1007 * MS, 21, 0, FXT_THREAD_RUNNING);
	story_end(&self->s, 1009 * MS);
	save(self);
}

static size_t lines_of(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

#define FXT(...)	RUN(&self->t, __VA_ARGS__)

#define SAYS_NOTHING()							\
	EXPECT_NE(NULL, strstr(self->t.err, "nothing is selected")) TH_LOG("%s", self->t.err)

TEST_F(cut, span_of_what_happened)
{
	tell(self);
	ASSERT_EQ(0, FXT("info", self->in));
	EXPECT_IN(self->t.out, " 0.007000000 s, from 1.001000000 to 1.008000000\n");
	/* The machine started 1 s after 1970 began, the recording another second later. */
	EXPECT_IN(self->t.out, "1970-01-01 00:00:02 UTC");
}

TEST_F(cut, limits_count_from_what_happened)
{
	tell(self);
	ASSERT_EQ(0, cut(self, "--from", "+0.001", "--to", "+0.004")) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_TRUE(gathered_has(&self->g, FXT_KIND_CONTEXT_SWITCH, 1003 * MS, NULL));
	EXPECT_TRUE(gathered_has(&self->g, FXT_KIND_CONTEXT_SWITCH, 1004 * MS, NULL));
	EXPECT_FALSE(gathered_has(&self->g, FXT_KIND_CONTEXT_SWITCH, 1001 * MS, NULL));
	ASSERT_EQ(0, FXT("report", "--json", "--from", "+1ms", "--to", "+4ms", self->in));
	EXPECT_IN(self->t.out, "\"from_ns\":1002000000,");
	ASSERT_EQ(0, FXT("dump", "--from", "+1ms", "--to", "+4ms", self->in));
	EXPECT_EQ(2U, lines_of(self->t.out)) TH_LOG("%s", self->t.out);
}

/* From the first event until the recording was stopped. */
TEST_F(cut, bounds_of_tables)
{
	char path[sizeof(self->out) + 32], row[64] = "";
	FILE *f;

	tell(self);
	ASSERT_EQ(0, FXT("convert", "--to", "csv", "-o", self->out, self->in)) TH_LOG("%s", self->t.err);
	snprintf(path, sizeof(path), "%s/trace_bounds.csv", self->out);
	f = fopen(path, "r");
	ASSERT_NE(NULL, f);
	while (fgets(row, sizeof(row), f))
		;
	fclose(f);
	unlink(path);
	EXPECT_EQ(0, strncmp(row, "1001000000,1009000000", 21)) TH_LOG("%s", row);
}

TEST_F(cut, selects_nothing)
{
	static const char *const options[][2] = {
		{ "--cpu", "3" }, { "--from", "+100" }, { "--from", "5000" }, { "--to", "0.5" },
	};

	tell(self);
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		const char *option = options[i][0], *value = options[i][1];

		EXPECT_EQ(1, FXT("cut", option, value, "-o", self->out, self->in));
		SAYS_NOTHING();
		EXPECT_EQ(-1, access(self->out, F_OK));
		EXPECT_EQ(1, FXT("report", option, value, self->in));
		SAYS_NOTHING();
		EXPECT_EQ(1, FXT("report", "--json", option, value, self->in));
		SAYS_NOTHING();
	}
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		EXPECT_EQ(1, FXT("dump", "--type", "event,scheduling", options[i][0],
				 options[i][1], self->in));
		SAYS_NOTHING();
	}
	/* A script may ask for types that an archive lacks, so finding none is no error. */
	EXPECT_EQ(0, FXT("dump", "--type", "log", self->in));
}

TEST_F(cut, selects_no_thread)
{
	tell(self);
	EXPECT_EQ(1, FXT("cut", "--pid", "77", "-o", self->out, self->in));
	SAYS_NOTHING();
	EXPECT_EQ(-1, access(self->out, F_OK));
	EXPECT_EQ(1, FXT("report", "--pid", "77", self->in));
	EXPECT_EQ(1, FXT("report", "--comm", "nosuch", self->in));
	EXPECT_EQ(1, FXT("dump", "--pid", "77", self->in));
	EXPECT_EQ(1, FXT("dump", "--tid", "77", self->in));
	EXPECT_EQ(1, FXT("dump", "--comm", "nosuch", self->in));
	EXPECT_EQ(1, FXT("dump", "--blob", "nosuch", self->in));
	EXPECT_EQ(0, FXT("cut", "--pid", "21", "-o", self->out, self->in)) TH_LOG("%s", self->t.err);
	EXPECT_EQ(0, FXT("report", "--pid", "21", self->in)) TH_LOG("%s", self->t.err);
	EXPECT_EQ(0, FXT("dump", "--pid", "21", self->in)) TH_LOG("%s", self->t.err);
}

/* A window with a run but without a switch is not empty. */
TEST_F(cut, selects_a_run)
{
	tell(self);
	EXPECT_EQ(0, FXT("report", "--from", "+3500us", "--to", "+4ms", self->in))
		TH_LOG("%s", self->t.err);
}

/*
 * The command make/100 starts sh/101, which starts cc/102; sh/200 and cc/201 are others. On cpu 0,
 * the command's cc waits 1 ms for the others' sh, and the others' cc 2 ms for the command's sh.
 */
static void tell_command(FIXTURE_DATA(cut) *self)
{
	struct story *s = &self->s;

	story_session(s, "host here\nclock boot\nepoch 1000000000\ncommand_pid 100\n");
	STORY(s, "names@1; name 200 sh; name 100 make");
	s->parent = 100;
	story_name(s, 101, 101, "sh");
	s->parent = 101;
	story_name(s, 102, 102, "cc");
	s->parent = 200;
	story_name(s, 201, 201, "cc");
	s->parent = 0;
	STORY(s, "0@1000ms 0>200; 1001ms wake 102 by 200; 1002ms 200>102 S; 1003ms 102>101 S; "
		 "1004ms wake 201 by 101; 1006ms 101>201 S; 1007ms 201>100 S; 1009ms 100>0 S; "
		 "end 1010ms");
	save(self);
}

#define SAYS(text)	EXPECT_NE(NULL, strstr(self->t.out, text)) TH_LOG("%s\n%s", text, self->t.out)

#define OF_COMMAND	"command make/100 and what it started: "

/* By default all commands are about the recorded command, and say so. */
TEST_F(cut, command_is_the_scope)
{
	tell_command(self);
	EXPECT_EQ(0, FXT("report", self->in));
	SAYS("\nscope: " OF_COMMAND "3 threads (for all threads: --all)\n");
	/* Of the others, no thread counts, so each of these runs alone. */
	SAYS("\nfor 6.00ms of 10.0ms, at least one thread ran;");
	SAYS("\n  3.00ms   50.0%   3.00ms   3.00ms ");
	EXPECT_EQ(0, FXT("report", "--json", self->in));
	SAYS("{\"name\":\"cc\",\"processes\":1,\"threads\":1,");
	EXPECT_EQ(0, FXT("blame", self->in));
	SAYS("scope: " OF_COMMAND "3 threads");
	SAYS("They waited for 1.00ms in total");
	EXPECT_EQ(0, FXT("why", self->in));
	SAYS("scope: " OF_COMMAND "3 threads");
	SAYS("A long wait: cc/102");
	FXT("assert", "max(wait) == 1ms", self->in);
	SAYS("at least 1.00ms (1 wait of 3 threads of command make)");
	EXPECT_EQ(0, FXT("diff", self->in, self->in));
	SAYS("A: scope: " OF_COMMAND "3 threads");
}

TEST_F(cut, all_is_the_machine)
{
	tell_command(self);
	EXPECT_EQ(0, FXT("report", "--all", self->in));
	SAYS("\nscope: the whole machine: 5 threads\n");
	EXPECT_EQ(0, FXT("report", "--json", "--all", self->in));
	SAYS("{\"name\":\"cc\",\"processes\":2,\"threads\":2,");
	EXPECT_EQ(0, FXT("blame", "--all", self->in));
	SAYS("They waited for 3.00ms in total");
	EXPECT_EQ(0, FXT("why", "--all", self->in));
	SAYS("A long wait: cc/201");
	FXT("assert", "max(wait) == 2ms", "--all", self->in);
	SAYS("at least 2.00ms (2 waits of 5 threads)");
	EXPECT_EQ(0, FXT("diff", "--all", self->in, self->in));
	SAYS("A: scope: the whole machine: 5 threads");
}

/* A name is looked for among the command's threads first, and named with the number of threads. */
TEST_F(cut, names_are_of_the_command)
{
	tell_command(self);
	EXPECT_EQ(0, FXT("why", "--program", "sh", self->in));
	SAYS("scope: threads of program sh and what it started, of " OF_COMMAND "2 threads (");
	EXPECT_EQ(0, FXT("why", "--program", "sh", "--all", self->in));
	SAYS("scope: threads of program sh and what it started: 4 threads\n");
	EXPECT_EQ(0, FXT("why", "--thread", "cc", self->in));
	SAYS("scope: threads named cc, of " OF_COMMAND "1 thread (");
	EXPECT_EQ(0, FXT("report", "--comm", "cc", self->in));
	SAYS("scope: threads named cc, of " OF_COMMAND "1 thread (");
	EXPECT_EQ(0, FXT("blame", "--comm", "cc", "--all", self->in));
	SAYS("They waited for 3.00ms in total");
	EXPECT_EQ(0, FXT("blame", "--pid", "201", self->in));
	SAYS("scope: threads of process 201: 1 thread\nThey waited for 2.00ms");
	EXPECT_EQ(1, FXT("blame", "--cpu", "1", self->in));
	EXPECT_EQ(0, FXT("blame", "--cpu", "0", self->in));
	EXPECT_EQ(1, FXT("blame", "--comm", "ccc", self->in));
	EXPECT_IN(self->t.err, "no thread named ccc was active in that time (did you mean cc?)");
}
