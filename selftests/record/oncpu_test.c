// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples of threads that run lie within their runs, on the CPU of the run; a thread has as many as
 * its runs have periods; functions have them by the time that they take; reports do not take them
 * for sleeps. Those of a thread count for the one that waits for it.
 */
#include <json-c/json.h>
#include <math.h>
#include <time.h>

#include "moments.h"
#include "off_cpu.h"
#include "program_stacks.h"
#include "tool.h"

SOURCE_FIXTURE(oncpu);

#define HZ	"997"
#define RUN_NS	1000000000ULL	/* CPU time of a thread that runs */
/* The same where no names and callers are needed, which are known only after a while */
#define BRIEF_NS	400000000ULL
#define ENOUGH	20U	/* samples of it; a machine that is emulated may take no more */

static volatile unsigned long sink;

__attribute__((noinline)) static void spin_three_times(unsigned long n)
{
	for (unsigned long i = 0; i < 3 * n; i++)
		sink += i;
}

__attribute__((noinline)) static void spin_once(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i;
}

static uint64_t cpu_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static void spin(struct worker *w)
{
	const uint64_t *ns = w->arg;

	while (cpu_time() < *ns) {
		spin_three_times(20000);
		spin_once(20000);
	}
	w->failed = false;
}

static void sleep_long(struct worker *w)
{
	sleep_off_cpu(500000000);
	w->failed = false;
}

/** struct wait - "waits" sleeps until "burns" has burnt its time; "beside" burns as long */
struct wait {
	struct worker waits;
	struct worker burns;
	struct worker beside;
	int done[2];		/* a pipe */
	bool is_over;
};

__attribute__((noinline)) static void burn_awaited(void)
{
	while (cpu_time() < RUN_NS)
		for (unsigned long i = 0; i < 20000; i++)
			sink += i;
}

__attribute__((noinline)) static void burn_beside(const bool *is_over)
{
	while (!__atomic_load_n(is_over, __ATOMIC_ACQUIRE))
		for (unsigned long i = 0; i < 20000; i++)
			sink += i;
}

static void await(struct worker *w)
{
	const struct wait *of = w->arg;
	char byte;

	w->failed = read(of->done[0], &byte, 1) != 1;
}

static void burn(struct worker *w)
{
	struct wait *of = w->arg;

	wait_until_in(&of->waits.tid, SYS_read, NULL);
	burn_awaited();
	w->failed = write(of->done[1], "", 1) != 1;
	__atomic_store_n(&of->is_over, true, __ATOMIC_RELEASE);
}

static void burn_too(struct worker *w)
{
	const struct wait *of = w->arg;

	burn_beside(&of->is_over);
	w->failed = false;
}

static int run_wait(struct wait *w)
{
	int ret;

	*w = (struct wait){
		.waits = { .name = "waits", .run = await, .cpu = ANY_CPU, .arg = w },
		.burns = { .name = "burns", .run = burn, .cpu = ANY_CPU, .arg = w },
		.beside = { .name = "beside", .run = burn_too, .cpu = ANY_CPU, .arg = w },
	};
	if (pipe(w->done))
		return -1;
	ret = worker_start(&w->waits) | worker_start(&w->beside) | worker_start(&w->burns) |
	      worker_join(&w->burns) | worker_join(&w->waits) | worker_join(&w->beside);
	close(w->done[0]);
	close(w->done[1]);
	return ret;
}

/*
 * @ns: what they weigh; @outside: those when the thread did not run; @missed: periods without one,
 * because the CPU took no interrupts then or was stopped by its host; @hidden_ns: time of which no
 * switch says whether the thread ran, see struct hidden; without samples here
 */
struct samples {
	unsigned int count, outside, missed, slices;
	uint64_t ns, run_ns, hidden_ns;
};

static void add_time(struct samples *s, const struct trace *t, uint64_t tid,
		     const struct moment *from, const struct moment *to)
{
	bool runs = from->what == IN && to->what == OUT, is_hidden = from->what == to->what;
	const struct trace_stack *at;
	uint64_t last = from->time, period;

	s->slices += runs;
	s->run_ns += runs ? to->time - from->time : 0;
	s->hidden_ns += is_hidden ? to->time - from->time : 0;
	for (at = t->stacks; at < t->stacks + t->stack_count; at++) {
		if (!at->sample_ns || at->thread != tid || at->time < from->time ||
		    at->time > to->time)
			continue;
		period = at->sample_ns;
		if (is_hidden) {
			s->count--;
			s->ns -= period;
		}
		s->missed += runs && at->time - last > 2 * period ?
			     (at->time - last) / period - 1 : 0;
		last = at->time;
		s->outside -= runs || is_hidden;
	}
}

static struct samples samples_of(const struct trace *t, uint64_t tid)
{
	struct moments m = moments_of(t, tid);
	const struct moment *last = NULL;
	const struct trace_stack *at;
	struct samples s = { 0 };

	for (at = t->stacks; at < t->stacks + t->stack_count; at++) {
		if (!at->sample_ns || at->thread != tid)
			continue;
		s.count++;
		s.outside++;
		s.ns += at->sample_ns;
	}
	for (size_t i = 0; i < m.count; i++) {
		if (m.all[i].what != IN && m.all[i].what != OUT)
			continue;
		if (last)
			add_time(&s, t, tid, last, &m.all[i]);
		last = &m.all[i];
	}
	free(m.all);
	return s;
}

/*
 * A run contains one period more or less than its length says, at random: for N runs, the sum
 * differs by some times the root of N.
 */
static double tolerance(const struct samples *s, uint64_t period)
{
	return s->run_ns / 100 + (3 * sqrt(s->slices + 1) + s->missed) * period;
}

static unsigned int count_function(const struct trace *t, pid_t pid, uint64_t tid, const char *name)
{
	const struct trace_stack *at;
	unsigned int count = 0;

	for (at = t->stacks; at < t->stacks + t->stack_count; at++)
		for (uint32_t i = 0; at->sample_ns && at->thread == tid && i < at->count; i++)
			if (symbol_lines_have(&t->symbols, pid, at->frames[i], name)) {
				count++;
				break;
			}
	return count;
}

/* @ns: CPU time of the spinner */
static int run_both(struct worker *spinner, struct worker *sleeper, uint64_t ns)
{
	*spinner = (struct worker){ .name = "spinner", .run = spin, .cpu = ANY_CPU, .arg = &ns };
	*sleeper = (struct worker){ .name = "sleeper", .run = sleep_long, .cpu = ANY_CPU };
	if (worker_start(spinner) || worker_start(sleeper))
		return -1;
	return worker_join(spinner) | worker_join(sleeper);
}

/* What fxt why says of "waits": the samples of threads of the chain that have a function. */
static uint64_t count_awaited(const char *archive, const char *function)
{
	struct json_object *answer, *ran = NULL, *of, *field;
	uint64_t count = 0;
	struct tool t;

	if (tool_run(&t, ARGS("why", "--thread", "waits", "--json", archive)))
		return UINT64_MAX;
	answer = json_tokener_parse(t.out);
	tool_free(&t);
	json_object_object_get_ex(answer, "ran", &ran);
	for (size_t i = 0; ran && i < json_object_array_length(ran); i++) {
		of = json_object_array_get_idx(ran, i);
		if (json_object_object_get_ex(of, "cause", &field) &&
		    !strcmp(json_object_get_string(field), "running") &&
		    json_object_object_get_ex(of, "name", &field) &&
		    strstr(json_object_get_string(field), function) &&
		    json_object_object_get_ex(of, "count", &field))
			count += json_object_get_uint64(field);
	}
	json_object_put(answer);
	return count;
}

#define RECORD(ns, ...) do {							\
	NEEDS_SOURCE();								\
	ASSERT_BEGIN(__VA_ARGS__);						\
	ASSERT_EQ(0, run_both(&spinner, &sleeper, ns));				\
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));		\
} while (0)

TEST_F(oncpu, samples_are_the_time_that_a_thread_ran)
{
	struct worker spinner, sleeper;
	const uint64_t period = 1000000000 / 997;
	struct samples run, slept;

	RECORD(BRIEF_NS, "--stacks=oncpu:" HZ);
	run = samples_of(&self->t, spinner.tid);
	EXPECT_LE(BRIEF_NS - BRIEF_NS / 10, run.run_ns + run.hidden_ns);
	EXPECT_EQ(0U, run.outside);
	/* An emulated machine may be too slow for its timers. Then the rest cannot be expected. */
	if (getenv("FXT_GUEST") && run.missed > run.count / 20)
		return;
	EXPECT_GE(run.count / 2, run.missed);
	EXPECT_LE(fabs((double)run.ns - run.run_ns), tolerance(&run, period))
		TH_LOG("%u samples, %u missed, %u runs of %ju ns", run.count, run.missed, run.slices,
		       (uintmax_t)run.run_ns);
	/* It runs only as long as it takes to fall asleep. */
	slept = samples_of(&self->t, sleeper.tid);
	EXPECT_EQ(0U, slept.outside);
	EXPECT_LE(fabs((double)slept.ns - slept.run_ns), tolerance(&slept, period));
}

TEST_F(oncpu, functions_have_their_shares)
{
	struct worker spinner, sleeper;
	unsigned int three, one, with_caller, attempts = 0;
	double share;
	long lacking;

	do {
		RECORD(RUN_NS, "--stacks=user,oncpu:" HZ, "--comm=spinner");
		three = count_function(&self->t, getpid(), spinner.tid, "spin_three_times");
		one = count_function(&self->t, getpid(), spinner.tid, "spin_once");
		with_caller = count_function(&self->t, getpid(), spinner.tid, "spin [oncpu_test]");
	} while (MUST_RECORD_AGAIN(ENOUGH <= three + one && (three + one) / 4 * 3 <= with_caller,
				   &attempts));
	ASSERT_LE(ENOUGH, three + one) TH_LOG("%s", self->c.text);
	share = (double)three / (three + one);
	/* The share of N samples differs by its standard deviation, some times at most. */
	EXPECT_GE(5 * sqrt(.75 * .25 / (three + one)), fabs(share - .75))
		TH_LOG("%u and %u samples", three, one);
	/* On a busy machine the recorder gets some rules for callers too late, and counts these. */
	lacking = trace_session_number(&self->t, "stacks_incomplete");
	/* Five runs on a host counted 6 of 990 at most. */
	EXPECT_LE((three + one) / 4 * 3, with_caller);
	EXPECT_LE(three + one, with_caller + (lacking > 0 ? lacking : 0));
}

TEST_F(oncpu, filter_selects_samples)
{
	struct worker spinner, sleeper;
	unsigned int samples = 0;

	RECORD(BRIEF_NS, "--stacks=oncpu:" HZ, "--comm=spinner");
	for (size_t i = 0; i < self->t.stack_count; i++) {
		EXPECT_NE(0U, self->t.stacks[i].sample_ns);
		EXPECT_EQ((uint64_t)spinner.tid, self->t.stacks[i].thread);
		samples++;
	}
	EXPECT_LE(ENOUGH, samples);
}

#define RATE_FILE	"/proc/sys/kernel/perf_event_max_sample_rate"

static int set_rate(const char *value)
{
	FILE *f = fopen(RATE_FILE, "w");
	int failed = !f || fputs(value, f) < 0;

	return (f && fclose(f)) || failed ? -1 : 0;
}

/* The kernel leaves samples out, without counting them. */
TEST_F(oncpu, rate_above_that_of_the_kernel)
{
	char before[32] = "";
	FILE *f = fopen(RATE_FILE, "r");

	NEEDS_SOURCE();
	if (!f || !fgets(before, sizeof(before), f) || atoi(before) < 5000 || set_rate("5000"))
		SKIP(return, RATE_FILE " cannot be lowered");
	fclose(f);
	ASSERT_BEGIN("--stacks=oncpu:6000");
	ASSERT_EQ(0, set_rate(before));
	ASSERT_FINE(record_end(&self->c, &self->why));
	EXPECT_IN(self->c.text, "kernel.perf_event_max_sample_rate is 5000, so samples may be missing");
}

/* Sleeps have their stacks, and samples do not count as such. */
TEST_F(oncpu, sleeps_are_apart)
{
	struct worker spinner, sleeper;
	unsigned int sleeps = 0, samples = 0;
	struct moments m = { 0 };
	bool slept = false;

	NEEDS_STACKS();
	RECORD(BRIEF_NS, "--stacks=offcpu,oncpu:" HZ, "--stacks-min=100ms");
	m = moments_of(&self->t, sleeper.tid);
	/*
	 * On a busy machine it may also be preempted for as long, or wait as long for its creator
	 * before it begins.
	 */
	for (size_t i = 0; i < m.count; i++) {
		sleeps += m.all[i].what == IN_STACK && slept &&
			  m.all[i].time > sleeper.begun.at;
		slept = m.all[i].what == OUT ? m.all[i].sleeps : slept;
	}
	free(m.all);
	EXPECT_EQ(1U, sleeps);
	for (size_t i = 0; i < self->t.stack_count; i++)
		samples += self->t.stacks[i].thread == (uint64_t)spinner.tid &&
			   self->t.stacks[i].sample_ns;
	EXPECT_LE(ENOUGH, samples);
}

/* Time of which no switch says who ran is unknown. */
TEST_F(oncpu, what_is_waited_for_is_named)
{
	unsigned int samples, beside, attempts = 0;
	struct wait w;

	NEEDS_SOURCE();
	do {
		ASSERT_BEGIN("--stacks=user,oncpu:" HZ);
		ASSERT_EQ(0, run_wait(&w));
		ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
		samples = count_function(&self->t, getpid(), w.burns.tid, "burn_awaited");
		beside = count_function(&self->t, getpid(), w.beside.tid, "burn_beside");
	} while (MUST_RECORD_AGAIN(ENOUGH <= samples && ENOUGH <= beside, &attempts));
	ASSERT_LE(ENOUGH, samples);
	EXPECT_LE(ENOUGH, beside);
	EXPECT_GE(samples, count_awaited(self->c.output, "burn_awaited"));
	EXPECT_LE(samples / 2, count_awaited(self->c.output, "burn_awaited"));
	/* Another thread may wait for its CPU. */
	EXPECT_GE(beside / 4, count_awaited(self->c.output, "burn_beside"));
}
