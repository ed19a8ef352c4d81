// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A real-time thread that loops for longer than it may, beside one of the fair class: the limit
 * keeps the former from running, not the latter, which has the CPU meanwhile.
 */
#include <json-c/json.h>

#include "source_fixture.h"
#include "tool.h"

SOURCE_FIXTURE(class_limits);

#define LOOP_NS		1600000000ULL
/*
 * Of the 50 ms in each second in which other threads run by default; the rest is for slow machines.
 */
#define LEAST_NS	20000000
#define RT_RUNTIME	"/proc/sys/kernel/sched_rt_runtime_us"

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Time for which this process was runnable without a CPU, ns; 0 if the kernel does not count it. */
static uint64_t waited(void)
{
	FILE *f = fopen("/proc/self/schedstat", "re");
	uint64_t ns = 0;

	if (f && fscanf(f, "%*u %" SCNu64, &ns) != 1)
		ns = 0;
	if (f)
		fclose(f);
	return ns;
}

/*
 * Start a loop on a CPU, of real-time priority 1 or, with 0, of the fair class. It exits with 3 if
 * it hardly waited for its CPU: then the kernel did not limit it, as it may do with one of few
 * CPUs.
 * (The time for which the clock leaps does not show that: the host may stop a guest's CPU.)
 */
static pid_t loop(const char *name, int cpu, int priority)
{
	const struct sched_param param = { .sched_priority = priority };
	uint64_t end = now_ns() + LOOP_NS, before;
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, name);
	/* Before the move: as a thread of the fair class it would wait for the other one. */
	if (priority && sched_setscheduler(0, SCHED_FIFO, &param))
		_exit(2);
	pin(cpu);
	before = waited();
	while (now_ns() < end)
		;
	_exit(waited() - before < 2 * LEAST_NS ? 3 : 0);
}

static int end_of(pid_t pid)
{
	int status;

	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) ?
	       WEXITSTATUS(status) : -1;
}

/* The time that "limited" waited for a culprit of this name, or of this kind. */
static int64_t waited_for(struct json_object *blame, const char *key, const char *value)
{
	struct json_object *pairs = json_object_object_get(blame, "pairs"), *pair, *victim,
			   *culprit;
	const char *found;
	int64_t ns = 0;

	for (size_t i = 0; pairs && i < json_object_array_length(pairs); i++) {
		pair = json_object_array_get_idx(pairs, i);
		victim = json_object_object_get(pair, "victim");
		culprit = json_object_object_get(pair, "culprit");
		found = json_object_get_string(json_object_object_get(culprit, key));
		if (found && !strcmp(found, value) &&
		    !strcmp("limited", json_object_get_string(json_object_object_get(victim, "name"))))
			ns += json_object_get_int64(json_object_object_get(pair, "ns"));
	}
	return ns;
}

static bool has_limit(void)
{
	FILE *f = fopen(RT_RUNTIME, "re");
	long us = -1;

	if (f && fscanf(f, "%ld", &us) != 1)
		us = -1;
	if (f)
		fclose(f);
	return us > 0 && us <= 950000;
}

SOURCE_TEST(class_limits, of_real_time_threads)
{
	const char *const args[] = { "blame", "--all", "--json", self->c.output, NULL };
	struct json_object *blame;
	int cpus[MAX_CPUS], status;
	pid_t fair, limited;
	struct tool t;
	int64_t limit;

	if (allowed_cpus(cpus) < 2 || !has_limit())
		SKIP(return, "real-time threads may use all CPU time, or there is one CPU only");
	ASSERT_BEGIN(NULL);
	fair = loop("fair", cpus[1], 0);
	limited = loop("limited", cpus[1], 1);
	status = end_of(limited);
	EXPECT_LE(0, end_of(fair));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	if (status == 2)
		SKIP(return, "no real-time thread can be made here");
	if (status == 3)
		SKIP(return, "the kernel did not limit the real-time thread");
	EXPECT_EQ(0, status);

	ASSERT_EQ(0, tool_run(&t, args)) TH_LOG("%s", t.err);
	blame = json_tokener_parse(t.out);
	limit = waited_for(blame, "kind", "limit");
	EXPECT_LT(0, limit) TH_LOG("%s", t.out);
	/* On a loaded host of a guest both are shorter or longer, but the limit is the reason. */
	EXPECT_GT(limit, waited_for(blame, "name", "fair")) TH_LOG("%s", t.out);
	EXPECT_IN(self->t.session, "\nrt_runtime_us ");
}
