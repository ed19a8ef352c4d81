// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt merge of interrupts and other events of the kernel: each CPU of the result has the events of
 * its machine on tracks of its own, and its ledger counts them.
 */
#include "event_story.h"
#include "merge_fixture.h"

static void tell(FIXTURE_DATA(merge) *self, unsigned int n, const char *session, uint64_t at)
{
	begin(self, session);
	STORY(&self->s, "names@%; name 11 eleven", at * MS);
	event_tracks(&self->s, 0);
	event_tracks(&self->s, 1);
	STORY(&self->s, "0@% 0>11; %-% irq 17 eth0; %-% 11/11 works flush; % 11>0; "
			"1@%", (at + 1) * MS, (at + 2) * MS, (at + 2) * MS + 10, (at + 2) * MS,
			(at + 2) * MS + 20, (at + 2) * MS + 30, (at + 2) * MS);
	event_frequency(&self->s, (at + 2) * MS, 1, 1000000, 0);
	STORY(&self->s, "% 11/11 moves 0>1; % 0>11; end %", (at + 3) * MS, (at + 4) * MS,
			(at + 6) * MS);
	save(self, n);
}

TEST_F(merge, tracks_move_with_their_cpus)
{
	const struct gathered *g = &self->g;
	const struct gathered_event *e;
	size_t i, irqs = 0, frequencies = 0;

	tell(self, 0, "host a\nboot 1\nclock boot\nepoch 0\n", 10);
	tell(self, 1, "host b\nboot 2\nclock boot\nepoch 0\n", 20);
	ASSERT_EQ(0, merge(self, 2, NULL, NULL)) TH_LOG("%s", self->t.err);
	for (i = 0; i < g->event_count; i++) {
		e = &g->events[i];
		if (e->kind == FXT_KIND_DURATION_COMPLETE && !strcmp(e->name, "eth0")) {
			bool is_first = e->time == 12 * MS;

			irqs++;
			EXPECT_EQ(FXT_SCHED_KOID_IRQ, e->other);
			EXPECT_EQ(FXT_SCHED_KOID_IRQ + 1 + (is_first ? 0 : 2), e->thread);
			EXPECT_EQ(e->time + 10, e->end);
		}
		if (e->kind == FXT_KIND_INSTANT) {
			EXPECT_EQ(e->time == 13 * MS ? 0U : 2U, e->values[0]);
			EXPECT_EQ(e->time == 13 * MS ? 1U : 3U, e->values[1]);
		}
		if (e->kind == FXT_KIND_COUNTER) {
			frequencies++;
			EXPECT_EQ(FXT_SCHED_KOID_FREQUENCY, e->thread);
			EXPECT_EQ(e->time == 12 * MS ? 1 : 3, e->cpu);
		}
	}
	EXPECT_EQ(2U, irqs);
	EXPECT_EQ(2U, frequencies);
	EXPECT_STREQ("irq cpu 2 [b]", gathered_text(g, FXT_OBJECT_THREAD, FXT_SCHED_KOID_IRQ + 3));
	EXPECT_STREQ("irq cpu 0 [a]", gathered_text(g, FXT_OBJECT_THREAD, FXT_SCHED_KOID_IRQ + 1));
	EXPECT_STREQ("interrupts", gathered_text(g, FXT_OBJECT_PROCESS, FXT_SCHED_KOID_IRQ));
}

static void tell_stacks(FIXTURE_DATA(merge) *self, unsigned int n, const char *session, uint64_t at)
{
	static const uint64_t frames[] = { 0xffffffff81000010 };

	begin(self, session);
	STORY(&self->s, "names@%; name 11 eleven; 0@% 0>11", at * MS, (at + 1) * MS);
	event_stack(&self->s, (at + 1) * MS, 11, 11, frames, 1);
	story_end(&self->s, (at + 6) * MS);
	event_module(&self->s, at * MS, 0, 1, "[kernel.kallsyms]", 0xffffffff81000000, 4096);
	event_module(&self->s, at * MS + 1, 0, 2, "[fuse]", 0xffffffffc1000000, 4096);
	event_module(&self->s, at * MS + 2, 11, 1, "/bin/eleven", 0x1000, 4096);
	event_symbols(&self->s, "k ffffffff81000000 ffffffff81000100 schedule\n"
			 "u 11 1000 1100 eleven [/bin/eleven]\nx 11 1200 1201\n");
	event_samples(&self->s);
	save(self, n);
}

/* The kernel is process 0 of each machine, but has other modules on each. Processes get new ids. */
TEST_F(merge, modules_of_kernels_differ)
{
	static const uint16_t ids[] = { 1, 2, 1, 3, 4, 1 };
	const struct gathered *g = &self->g;
	const struct gathered_event *module = NULL;
	size_t i, modules = 0;
	char lines[400];

	tell_stacks(self, 0, "host a\nboot 1\nclock boot\nepoch 0\n", 10);
	tell_stacks(self, 1, "host b\nboot 2\nclock boot\nepoch 0\n", 20);
	ASSERT_MERGE(2, NULL);
	for (i = 0; i < g->event_count; i++) {
		const struct gathered_event *e = &g->events[i];

		if (e->kind == FXT_KIND_MODULE) {
			module = e;
			ASSERT_GT(6U, modules);
			EXPECT_EQ(ids[modules], e->id);
			EXPECT_EQ(modules == 2 ? 11 : modules == 5 ? KOIDS + 11 : 0, e->other);
			modules++;
		}
		if (e->kind != FXT_KIND_MMAP)
			continue;
		ASSERT_NE(NULL, module);
		EXPECT_EQ(module->id, e->id);
		EXPECT_EQ(module->provider, e->provider);
	}
	EXPECT_EQ(6U, modules);
	/* Only the samples of the first one have threads and times of the result. */
	EXPECT_EQ(1U, g->sample_blobs);
	ASSERT_EQ(0, tool_run(&self->t, ARGS("dump", "--blob", "fxt_sched.symbols", self->out)));
	snprintf(lines, sizeof(lines), "k ffffffff81000000 ffffffff81000100 schedule\n"
		 "u 11 1000 1100 eleven [/bin/eleven]\nx 11 1200 1201\n"
		 "k ffffffff81000000 ffffffff81000100 schedule\n"
		 "u %ju 1000 1100 eleven [/bin/eleven]\nx %ju 1200 1201\n",
		 (uintmax_t)(KOIDS + 11), (uintmax_t)(KOIDS + 11));
	EXPECT_STREQ(lines, self->t.out);
}

TEST_F(merge, ledgers_of_the_result_count_events)
{
	tell(self, 0, "host a\nboot 1\nclock boot\nepoch 0\n", 10);
	tell(self, 1, "host b\nboot 2\nclock boot\nepoch 0\n", 20);
	ASSERT_MERGE(2, NULL);
}

/* The host's time is counted in the stream of a CPU, and outside of it at the begin and the end. */
static void tell_steal(FIXTURE_DATA(merge) *self, unsigned int n, const char *session, uint64_t at)
{
	struct story *s = &self->s;

	begin(self, session);
	STORY(s, "names@%; name 11 eleven; opening 0 @%", at * MS, (at + 1) * MS);
	event_steal_mark(s, (at + 1) * MS, 0, 5000);
	STORY(s, "0@% 0>11", (at + 1) * MS);
	event_steal(s, (at + 3) * MS, 0, 6000);
	STORY(s, "% 11>0 S; end %", (at + 3) * MS, (at + 6) * MS);
	event_steal_mark(s, (at + 6) * MS, 0, 7000);
	save(self, n);
}

static void tell_acts(FIXTURE_DATA(merge) *self, unsigned int n, const char *session, uint64_t at)
{
	struct story *s = &self->s;

	begin(self, session);
	event_syscall_name(s, EVENT_READ, "read");
	story_chunk(s, STORY_NAMES, at * MS);
	event_process_in(s, 11, "eleven", "/one/below");
	event_cgroup(s, 7, 0, "/one");
	story_chunk(s, 0, (at + 1) * MS);
	STORY(s, "% 0>11; %-% 11/11 calls % = %; % 11/11 forks 12", (at + 1) * MS, (at + 1) * MS,
		 (at + 2) * MS, EVENT_READ, -2, (at + 2) * MS);
	event_ipi(s, (at + 3) * MS, 11, 11, 1, "one_cpu");
	event_ipi_mask(s, (at + 3) * MS, 11, 11, 2, 3, "some_cpus");
	event_throttle(s, (at + 2) * MS, (at + 4) * MS, 7, 0);
	event_run_queue(s, (at + 4) * MS, 0, 5);
	event_pelt_cpu(s, (at + 4) * MS, 0, 9);
	event_pelt_thread(s, (at + 4) * MS, 11, 11, 8);
	event_exit(s, (at + 5) * MS, 11, 11, 9);
	event_quota(s, (at + 5) * MS, 7, "/one", 5, 4, 3000);
	story_end(s, (at + 6) * MS);
	save(self, n);
}

static const struct gathered_event *event(const struct gathered *g, const char *name,
					  uint64_t time, size_t nth)
{
	static const struct gathered_event none;

	for (size_t i = 0; i < g->event_count; i++)
		if (!strcmp(g->events[i].name, name) && g->events[i].time == time && !nth--)
			return &g->events[i];
	return &none;
}

TEST_F(merge, time_of_the_host_moves_with_its_cpu)
{
	tell_steal(self, 0, "host a\nboot 1\nclock boot\nepoch 0\n", 10);
	tell_steal(self, 1, "host b\nboot 2\nclock boot\nepoch 0\n", 20);
	ASSERT_MERGE(2, NULL);
	for (uint64_t at = 10; at <= 20; at += 10)
		for (uint64_t i = 0; i < 3; i++) {
			const struct gathered_event *e = event(&self->g, "steal",
							       (at + (const int[]){ 1, 3, 6 }[i]) * MS, 0);

			EXPECT_EQ(FXT_SCHED_KOID_STEAL, e->thread);
			EXPECT_EQ(at == 20, e->cpu);
			EXPECT_EQ(5000 + 1000 * i, e->values[0]);
		}
	/* In the result, such a record is between those of a stream. */
	ASSERT_EQ(0, rename(self->out, self->in[0]));
	tell_steal(self, 1, "host c\nboot 3\nclock boot\nepoch 0\n", 30);
	ASSERT_MERGE(2, NULL);
}

#define KOIDS	(1ULL << 22)	/* offset of the koids of the second recording */

TEST_F(merge, acts_move_with_their_threads_and_cpus)
{
	const struct gathered *g = &self->g;
	const struct gathered_event *e;

	tell_acts(self, 0, "host a\nboot 1\nclock boot\nepoch 0\n", 10);
	tell_acts(self, 1, "host b\nboot 2\nclock boot\nepoch 0\n", 20);
	ASSERT_MERGE(2, NULL);
	/* The first recording stays unchanged. It has two CPUs, although one has no stream. */
	e = event(g, "throttled", 12 * MS, 0);
	EXPECT_EQ(7U, e->values[0]);
	EXPECT_EQ(0U, e->values[1]);
	EXPECT_EQ(fxt_sched_throttle_track(7, 0), e->thread);
	e = event(g, "read", 21 * MS, 0);
	EXPECT_EQ(KOIDS + 11, e->thread);
	EXPECT_EQ((uint64_t)-2, e->values[0]);
	e = event(g, "fork", 22 * MS, 0);
	EXPECT_EQ(KOIDS + 11, e->thread);
	EXPECT_EQ(KOIDS + 12, e->values[0]);
	EXPECT_EQ(3U, event(g, "one_cpu", 23 * MS, 0)->values[0]);
	e = event(g, "some_cpus", 23 * MS, 0);
	EXPECT_EQ(2U, e->values[0]);
	EXPECT_EQ(0xcU, e->values[1]);
	e = event(g, "throttled", 22 * MS, 0);
	EXPECT_EQ(FXT_SCHED_KOID_THROTTLE, e->other);
	EXPECT_EQ(fxt_sched_throttle_track(7, 2), e->thread);
	EXPECT_EQ(1ULL << 48 | 7, e->values[0]);
	EXPECT_EQ(2U, e->values[1]);
	e = event(g, "/one [a]", 15 * MS, 0);
	EXPECT_EQ(7U, e->id);
	e = event(g, "/one [b]", 25 * MS, 0);
	EXPECT_EQ(FXT_SCHED_KOID_THROTTLE, e->thread);
	EXPECT_EQ(1ULL << 48 | 7, e->id);
	EXPECT_EQ(5U, e->values[0]);
	EXPECT_EQ(3000U, e->values[2]);
	e = event(g, "run queue", 24 * MS, 0);
	EXPECT_EQ(FXT_SCHED_KOID_LOAD, e->thread);
	EXPECT_EQ(2, e->cpu);
	e = event(g, "pelt", 24 * MS, 0);
	EXPECT_EQ(2, e->cpu);
	e = event(g, "pelt", 24 * MS, 1);
	EXPECT_EQ(KOIDS + 11, e->thread);
	/* A counter's id that is not that of a CPU stays unchanged. */
	EXPECT_EQ(11, e->cpu);
	EXPECT_EQ(KOIDS + 11, event(g, "exit", 25 * MS, 0)->thread);
	EXPECT_STREQ("/one cpu 2 [b]",
		     gathered_text(g, FXT_OBJECT_THREAD, fxt_sched_throttle_track(7, 2)));
	EXPECT_STREQ("throttled cgroups",
		     gathered_text(g, FXT_OBJECT_PROCESS, FXT_SCHED_KOID_THROTTLE));
}

#define REPORT(...)									\
	ASSERT_EQ(0, tool_run(&self->t, (const char *[]){ "report", "--tables", __VA_ARGS__,	\
							  self->out, NULL }))

/* Rows of the threads that are shown: tid, forks, interrupts of other CPUs. */
#define FORKS_OF_A	"\n      11       1      3  eleven [a]"
#define FORKS_OF_B	"\n 4194315       1      3  eleven [b:11]"
#define EXPECT_HAS(text)	EXPECT_NE(NULL, strstr(self->t.out, text)) TH_LOG("%s", self->t.out)
#define EXPECT_LACKS(text)	EXPECT_EQ(NULL, strstr(self->t.out, text)) TH_LOG("%s", self->t.out)

TEST_F(merge, cgroups_of_one_path_have_their_machines)
{
	tell_acts(self, 0, "host a\nboot 1\nclock boot\nepoch 0\n", 10);
	tell_acts(self, 1, "host b\nboot 2\nclock boot\nepoch 0\n", 20);
	ASSERT_EQ(0, merge(self, 2, NULL, NULL)) TH_LOG("%s", self->t.err);
	REPORT("--json");
	EXPECT_HAS("\"kind\":\"throttled\",\"name\":\"/one [a]\",\"number\":7,");
	EXPECT_HAS("\"kind\":\"throttled\",\"name\":\"/one [b]\",");
	EXPECT_HAS("\"cgroup_quotas\":[{\"name\":\"/one [a]\",");
	EXPECT_HAS("{\"name\":\"/one [b]\",\"number\":281474976710663,");
	EXPECT_HAS("{\"name\":\"/one/below [a]\",");
	EXPECT_HAS("{\"name\":\"/one/below [b]\",");
	/* A path without a machine matches the cgroups of all machines. */
	REPORT("--cgroup", "/one/");
	EXPECT_HAS(FORKS_OF_A);
	EXPECT_HAS(FORKS_OF_B);
	REPORT("--cgroup", "/one [b]");
	EXPECT_LACKS(FORKS_OF_A);
	EXPECT_HAS(FORKS_OF_B);
	ASSERT_EQ(1, tool_run(&self->t, ARGS("report", "--cgroup", "/on [b]", self->out)));
	EXPECT_LACKS(FORKS_OF_B);
}
