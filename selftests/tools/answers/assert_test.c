// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A claim only holds or fails if missing records cannot change that; the exit status is 0, 1 or 4
 * accordingly; an error in an expression is reported with its column.
 */
#include "cases.h"
#include "report_print_fixture.h"

REPORT_FIXTURE(claims);

enum { HOLDS = 0, FAILS = 1, WRONG = 2, UNREADABLE = 3, UNKNOWN = 4 };

#define ASSERT_OF(expression, ...)	FXT("assert", expression, ##__VA_ARGS__, self->path)

#define EXPECT_VERDICT(status, expression, ...)					\
	EXPECT_EQ(status, ASSERT_OF(expression, ##__VA_ARGS__))			\
		TH_LOG("%s\n%s%s", expression, self->t.out, self->t.err)

#define EXPECT_ERROR(text)							\
	EXPECT_NE(NULL, strstr(self->t.err, text)) TH_LOG("%s\n%s", text, self->t.err)

#define SECOND	1000000000ULL

/* The story of "truncated" in cases/assert.txt. */
static void tell_beats(struct story *s)
{
	STORY(s, "names@1; name 11 clock; name 12 beat; name 13 hog; 1@1000ms 0>11; "
		 "repeat 100 10ms { 1001ms wake 12 by 11 on 0 }; 2000ms 11>0 S; 0@1000ms 12>13 S; "
		 "repeat 99 10ms { 1002ms 13>12; 1004ms 12>13 S }; 1994ms 13>12; 1996ms 12>13 S; "
		 "2000ms 13>0 S");
}

/* The name that the filter asks for is not the first one of this thread. */
TEST_F(claims, filtered_by_a_later_name)
{
	story_session(&self->s, "filter comm beat\n");
	story_chunk(&self->s, STORY_NAMES, 1);
	story_event(&self->s, 12, 12, "start", FXT_STR_FORK, SECOND);
	story_event(&self->s, 12, 12, "beat", FXT_STR_RENAME, SECOND + MS);
	STORY(&self->s, "0@% 12>0 S; % wake 12 by irq; % 0>12; end %", SECOND + MS, SECOND + 2 * MS,
			SECOND + 4 * MS, SECOND + 9 * MS);
	EXPECT_VERDICT(HOLDS, "max(wait, comm=beat) == 2ms");
	EXPECT_HAS("; time under an earlier name, which the filter excludes: 1.00ms\n");
	EXPECT_VERDICT(UNKNOWN, "count(wait, comm=beat) == 1");
	EXPECT_VERDICT(UNKNOWN, "sum(wait, comm=beat) == 2ms");
	EXPECT_VERDICT(HOLDS, "sum(wait, comm=beat) <= 3ms");
}

static void flip(FIXTURE_DATA(claims) *self, size_t at, unsigned char bits)
{
	((unsigned char *)self->s.b.words)[at] ^= bits;
}

/*
 * A damaged archive decides nothing, in either direction: a reserved bit that is set, a time that
 * goes back, a record that cannot be read.
 */
TEST_F(claims, damaged)
{
	uint64_t at;

	tell_beats(&self->s);
	at = STORY(&self->s, "0@2001ms wake 13 by 11; !2001ms 0>13; 2002ms 13>0 S; end 2003ms");
	EXPECT_VERDICT(HOLDS, "count(wait, comm=beat) == 100");
	EXPECT_VERDICT(FAILS, "max(wait, comm=beat) < 2ms");
	flip(self, at + 5, 0x80);
	EXPECT_VERDICT(UNKNOWN, "count(wait, comm=beat) == 100", "--assume-complete");
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=beat) < 2ms");
	EXPECT_VERDICT(UNKNOWN, "count(losses) == 0");
	EXPECT_HAS("; the archive is damaged");
	EXPECT_HAS("\n  to know it: record again; fxt check lists what is wrong\n");
	EXPECT_NO("nothing lost");
	flip(self, at + 5, 0x80);
	flip(self, at + 12, 0x40);
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=beat) < 2ms");
	EXPECT_HAS("; the archive contradicts itself");
	flip(self, at + 12, 0x40);
	flip(self, at, 0x10);
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=beat) < 2ms");
	EXPECT_HAS("; records could not be read");
}

TEST_F(claims, limits_and_several)
{
	tell_beats(&self->s);
	story_end(&self->s, 2 * SECOND);
	EXPECT_VERDICT(HOLDS, "max(wait, comm=beat) < 2ms", "--to", "+900ms");
	EXPECT_VERDICT(HOLDS, "count(wakeups) == 10", "--from", "+500ms", "--to", "+600ms");
	EXPECT_VERDICT(FAILS, "-e", "count(losses) == 0", "-e", "max(wait, comm=beat) < 2ms");
	EXPECT_HAS("holds: count(losses) == 0: 0 in 1 s on 2 CPUs, nothing lost\n");
	EXPECT_VERDICT(FAILS, "max(wait, comm=beat) < 2ms", self->path);
	EXPECT_EQ(2U, times_in_text(self->t.out, ": fails: "));
	EXPECT_VERDICT(FAILS, "max(wait, comm=beat) < 2ms", "/nowhere.fxt");
	EXPECT_VERDICT(UNREADABLE, "max(wait, comm=beat) < 4ms", "/nowhere.fxt");
}

TEST_F(claims, wrong_expressions)
{
	static const char *const wrong[][2] = {
		{ "", "column 1: unknown function; use p50, p90" },
		{ "p98(wait) < 1ms", "column 1: unknown function (did you mean p90?)" },
		{ "p99(wiat) < 1ms", "column 5: unknown quantity (did you mean wait?)" },
		{ "p99(run) < 1ms", "column 1: run has no p99" },
		{ "p99 wait < 1ms", "column 5: expected ( here" },
		{ "p99(wait < 1ms", "column 10: expected ) here" },
		{ "p99(wait, com=x) < 1ms", "column 11: unknown selector (did you mean comm?)" },
		{ "p99(wait, comm=[) < 1ms", "column 16: invalid pattern; thread names" },
		{ "p99(wait, comm='x) < 1ms", "column 16: this quote is never closed" },
		{ "p99(wait, cgroup=x) < 1ms", "column 18: not a path of a cgroup" },
		{ "p99(wait, pid=x) < 1ms", "column 15: invalid list of ids" },
		{ "p99(wait, cpu=x) < 1ms", "column 15: invalid list of CPUs" },
		{ "p99(wait, pid=1, pid=2) < 1ms", "column 21: this selector is given twice" },
		{ "count(losses, comm=x) == 0", "column 20: losses takes no selectors" },
		{ "p99(wait) = 1ms", "column 11: expected <, <=, >, >=, == or != here" },
		{ "p99(wait) < x", "column 13: expected a number here" },
		{ "p99(wait) < 2", "column 14: this is compared with a time" },
		{ "p99(wait) < 2%", "column 14: this is compared with a time" },
		{ "share(run) < 2", "column 15: this is compared with a percentage" },
		{ "count(wait) < 2ms", "column 16: this is compared with a number without a unit" },
		{ "rate(wait) < 2/m", "column 15: this is compared with a number per second" },
		{ "p99(wait) < 2ms or", "column 19: unknown function" },
		{ "p99(wait) < 2ms, x", "column 16: expected and, or, or the end here" },
		{ "(p99(wait) < 2ms", "column 17: expected ) here" },
	};
	char deep[200];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		EXPECT_VERDICT(WRONG, wrong[i][0]);
		EXPECT_ERROR(wrong[i][1]);
	}
	EXPECT_ERROR("\n  (p99(wait) < 2ms\n                  ^\n");
	memset(deep, '(', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	EXPECT_VERDICT(WRONG, deep);
	EXPECT_ERROR("column 66: more than 64 nested parentheses");
	EXPECT_EQ(2, FXT("assert", "max(wait) < 1s"));
	EXPECT_ERROR("no archive given");
}

/* --- the truth is within the bounds ---------------------------------------------------------- */

#define SIM_CPUS	2
#define SIM_THREADS	6
#define SIM_STEPS	400
#define SIM_FIRST	640	/* with seed 643, a wait may have ended on another CPU */
#define SIM_SEEDS	60

/** struct sim_event - @in is switched in after @out, or, if @is_wakeup, @in is woken onto @cpu */
struct sim_event {
	uint64_t time;
	uint32_t out;
	uint32_t in;
	uint32_t cpu;
	bool is_wakeup;
	bool is_preempted;
};

/** struct sim - a machine: what its CPUs run (0: idle), who waits for which CPU, events by CPU */
struct sim {
	uint64_t random;
	uint64_t time;
	uint32_t on[SIM_CPUS];
	uint32_t waits_for[SIM_THREADS];	/* CPU + 1 */
	bool runs[SIM_THREADS];
	struct sim_event events[SIM_CPUS][SIM_STEPS];
	unsigned int count[SIM_CPUS];
};

static unsigned int sim_draw(struct sim *s, unsigned int below)
{
	s->random ^= s->random << 13;
	s->random ^= s->random >> 7;
	s->random ^= s->random << 17;
	return (s->random >> 33) % below;
}

/* A random thread that waits for a CPU, or with @cpu SIM_CPUS, that sleeps; 0: none. */
static uint32_t sim_pick(struct sim *s, unsigned int cpu)
{
	unsigned int first = sim_draw(s, SIM_THREADS), i, k;

	for (i = 0; i < SIM_THREADS; i++) {
		k = (first + i) % SIM_THREADS;
		if (cpu == SIM_CPUS ? !s->waits_for[k] && !s->runs[k] : s->waits_for[k] == cpu + 1)
			return 11 + k;
	}
	return 0;
}

static void sim_step(struct sim *s)
{
	unsigned int cpu = sim_draw(s, SIM_CPUS);
	struct sim_event e = { .cpu = cpu, .out = s->on[cpu], .in = sim_pick(s, cpu) };

	s->time += 1000 + sim_draw(s, 50000);
	e.time = s->time;
	e.is_wakeup = sim_draw(s, 2) && (e.in = sim_pick(s, SIM_CPUS));
	if (e.is_wakeup) {
		e.cpu = sim_draw(s, SIM_CPUS);
		s->waits_for[e.in - 11] = e.cpu + 1;
		s->events[cpu][s->count[cpu]++] = e;
		return;
	}
	e.in = sim_pick(s, cpu);
	if (e.in == e.out)
		return;
	e.is_preempted = !e.out || (e.in && sim_draw(s, 2));
	if (e.out) {
		s->runs[e.out - 11] = false;
		/* A preempted thread may be moved at once. */
		s->waits_for[e.out - 11] = e.is_preempted ? 1 + sim_draw(s, SIM_CPUS) : 0;
	}
	if (e.in) {
		s->runs[e.in - 11] = true;
		s->waits_for[e.in - 11] = 0;
	}
	s->on[cpu] = e.in;
	s->events[cpu][s->count[cpu]++] = e;
}

static void sim_write(struct story *s, const struct sim_event *e, uint32_t on)
{
	if (e->is_wakeup)
		story_wake(s, e->time, e->cpu, e->in, fxt_sched_waker(on, FXT_SCHED_IRQ_HARD));
	else
		story_switch(s, e->time, e->out, e->in,
			     e->is_preempted ? FXT_THREAD_NEW : FXT_THREAD_BLOCKED);
}

/* CPU 0 loses its events from number @from on, @lost of them. */
static void sim_tell(struct story *s, const struct sim *sim, unsigned int from, unsigned int lost)
{
	char name[2] = "a";

	story_chunk(s, STORY_NAMES, 1);
	for (unsigned int i = 0; i < SIM_THREADS; i++, name[0]++)
		story_name(s, 11 + i, 11 + i, name);
	for (unsigned int cpu = 0; cpu < SIM_CPUS; cpu++) {
		uint32_t on = 0;

		story_chunk(s, cpu, sim->events[cpu][0].time);
		for (unsigned int i = 0; i < sim->count[cpu]; i++) {
			const struct sim_event *e = &sim->events[cpu][i];

			if (!cpu && lost && i == from + lost)
				story_lose(s, cpu, lost, e->time);
			if (cpu || i < from || i >= from + lost)
				sim_write(s, e, on);
			on = e->is_wakeup ? on : e->in;
		}
	}
	story_end(s, sim->time + 1000);
}

#define SIM_CLAIMS								\
	"max(wait, comm=a) >= 0 and p50(wait, comm=a) >= 0 and p90(wait, comm=b) >= 0 and "	\
	"p99(wait) >= 0 and min(wait, comm=c) >= 0 and mean(wait, comm=d) >= 0 and "	\
	"sum(wait, comm=e) >= 0 and max(wakeup, comm=a) >= 0 and max(preempted) >= 0 and "	\
	"count(wait, comm=a) >= 0 and count(wakeup) >= 0 and count(preempted, comm=b) >= 0 and "	\
	"count(switches, comm=a) >= 0 and count(preemptions) >= 0 and "		\
	"count(migrations, comm=b) >= 0 and count(migrations) >= 0 and "	\
	"count(wakeups, comm=c) >= 0 and count(sleep, comm=a) >= 0 and "	\
	"sum(run, comm=a) >= 0 and share(run, comm=b) >= 0 and "		\
	"share(run, comm=c, cpu=0) >= 0 and max(sleep, comm=d) >= 0 and "	\
	"sum(sleep, comm=d) >= 0 and count(wait, cpu=1) >= 0"

static double bound_of(struct json_object *comparison, const char *name)
{
	struct json_object *value = json_object_object_get(comparison, name);

	return value ? json_object_get_double(value) : 1e300;
}

static struct json_object *bounds(FIXTURE_DATA(claims) *self)
{
	struct json_object *expressions;

	ASSERT_OF("--json", SIM_CLAIMS);
	self->j = json_tokener_parse(self->t.out);
	expressions = json_object_object_get(self->j, "expressions");
	return json_object_get(json_object_object_get(json_object_array_get_idx(expressions, 0),
						      "comparisons"));
}

/* The bounds from some records contain the values from all records, as far as those are known. */
TEST_F(claims, truth_is_within_bounds)
{
	struct json_object *truth, *seen;
	static struct sim sim;
	unsigned int seed, lost, from;
	size_t i;

	for (seed = SIM_FIRST; seed < SIM_FIRST + SIM_SEEDS; seed++) {
		sim = (struct sim){ .random = seed * 0x9e3779b97f4a7c15ULL, .time = SECOND };
		for (i = 0; i < SIM_STEPS; i++)
			sim_step(&sim);
		lost = 1 + sim_draw(&sim, 6);
		from = 2 + sim_draw(&sim, sim.count[0] - lost - 3);
		story_restart(&self->s);
		sim_tell(&self->s, &sim, 0, 0);
		truth = bounds(self);
		ASSERT_NE(NULL, truth) TH_LOG("%s", self->t.err);
		story_restart(&self->s);
		sim_tell(&self->s, &sim, from, lost);
		seen = bounds(self);
		ASSERT_NE(NULL, seen);
		ASSERT_EQ(24U, json_object_array_length(truth));
		/*
		 * The number of a thread's switches is exact, and has bounds if records were lost.
		 */
		i = 12;
		EXPECT_EQ(bound_of(json_object_array_get_idx(truth, i), "low"),
			  bound_of(json_object_array_get_idx(truth, i), "high"));
		EXPECT_EQ(bound_of(json_object_array_get_idx(seen, i), "low") + lost,
			  bound_of(json_object_array_get_idx(seen, i), "high"));
		for (i = 0; i < json_object_array_length(truth); i++) {
			struct json_object *x = json_object_array_get_idx(truth, i);
			struct json_object *y = json_object_array_get_idx(seen, i);

			EXPECT_TRUE(bound_of(y, "low") <= bound_of(x, "high") &&
				    bound_of(y, "high") >= bound_of(x, "low"))
				TH_LOG("seed %u, %u lost from %u: %s: %g to %g, not %g to %g", seed, lost,
				       from, json_object_get_string(json_object_object_get(x, "text")),
				       bound_of(y, "low"), bound_of(y, "high"),
				       bound_of(x, "low"), bound_of(x, "high"));
		}
	}
}

CASES("assert", NULL)
