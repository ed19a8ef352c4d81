// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * switches.c - measures the time of a context switch.
 * In:  "pipe": two processes on one CPU pass a token through pipes, so each switch comes with one
 *      wakeup, that of the process switched in; or "yield": they yield to each other, and neither
 *      sleeps; and the number of runs.
 * Out: nanoseconds per context switch: the median of many short runs, so that a timer tick in one
 *      of them, or a daemon, does not count.
 *
 * Where an instruction takes a nanosecond (QEMU's -icount), the numbers are instructions. See
 * scripts/bench/instructions.sh.
 */
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A run takes some hundred thousand instructions: several runs fit between two ticks. */
#define RUN_ROUNDS	25
#define RUNS_MAX	10000
#define WARM_UP_RUNS	10

static int fail(const char *what)
{
	perror(what);
	return 1;
}

/* Use a clock whose rate is never adjusted. */
static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

/* Count the caller's own switches; with only two processes the other one has as many. */
static long own_switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

static bool pass(int to, int from)
{
	char token = 't';

	return write(to, &token, 1) == 1 && read(from, &token, 1) == 1;
}

static void echo(int from, int to)
{
	char token;

	while (read(from, &token, 1) == 1 && write(to, &token, 1) == 1)
		;
}

static bool run_round(bool yield, const int *pipes)
{
	if (!yield)
		return pass(pipes[1], pipes[2]);
	sched_yield();
	return true;
}

/* Return: nanoseconds per switch; 0 if there was none. */
static double run(bool yield, const int *pipes)
{
	long switches = own_switches();
	double began = now_ns();

	for (int i = 0; i < RUN_ROUNDS; i++)
		if (!run_round(yield, pipes))
			return 0;
	began = now_ns() - began;
	switches = own_switches() - switches;
	return switches ? began / (2 * switches) : 0;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int measure(bool yield, const int *pipes, int runs)
{
	static double took[RUNS_MAX];
	int i, warm = 0;

	/* Warm up: some work happens only once, and a process that has run less does not yield. */
	for (i = 0; i < RUNS_MAX && warm < WARM_UP_RUNS; i++)
		warm += run(yield, pipes) > 0;
	for (i = 0; i < runs; i++)
		took[i] = run(yield, pipes);
	qsort(took, runs, sizeof(*took), compare);
	if (took[runs / 2] <= 0) {
		fprintf(stderr, "switches: the two processes did not alternate; is this CPU theirs alone?\n");
		return 1;
	}
	printf("%.1f\n", took[runs / 2]);
	return 0;
}

static void be_the_other(bool yield, const int *pipes)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (yield)
		sched_yield();
	echo(pipes[0], pipes[3]);
}

int main(int argc, char **argv)
{
	int pipes[4], runs = argc == 3 ? atoi(argv[2]) : 0, ret;
	cpu_set_t first;
	bool yield;
	pid_t other;

	if (runs < 1 || runs > RUNS_MAX ||
	    (strcmp(argv[1], "pipe") && strcmp(argv[1], "yield"))) {
		fprintf(stderr, "usage: switches pipe|yield RUNS (1 to %d)\n", RUNS_MAX);
		return 2;
	}
	yield = argv[1][0] == 'y';
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (sched_setaffinity(0, sizeof(first), &first))
		return fail("switches: cannot move to CPU 0");
	if (pipe(pipes) || pipe(pipes + 2))
		return fail("switches: cannot make a pipe");
	other = fork();
	if (other < 0)
		return fail("switches: cannot fork");
	if (!other) {
		be_the_other(yield, pipes);
		_exit(0);
	}
	ret = measure(yield, pipes, runs);
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	return ret;
}
