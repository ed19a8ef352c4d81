// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pingpongs.c - keeps every CPU busy with context switches, each with its wakeup.
 * In:  a number of rounds or of milliseconds; a pause between two rounds.
 * Out: load: on each CPU that it may use, two processes pass a token through pipes. A round is two
 *      switches and two wakeups. selftests/measure measures it; exit status 0, 1 it failed, 2 wrong
 *      usage.
 *
 * The processes run during the pause, so that no CPU is ever idle, and different pauses only differ
 * in the rate of switches.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct load {
	unsigned long long rounds;	/* 0: as many as time allows */
	unsigned long long ns;
	unsigned long long pause_ns;
};

static unsigned long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static void pause_for(unsigned long long ns)
{
	unsigned long long end = now_ns() + ns;

	while (now_ns() < end)
		;
}

static bool pass(int to, int from)
{
	char token = 't';

	return write(to, &token, 1) == 1 && read(from, &token, 1) == 1;
}

static void echo(int from, int to)
{
	char token;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(from, &token, 1) == 1 && write(to, &token, 1) == 1)
		;
	_exit(0);
}

static bool play(const struct load *l, int to, int from)
{
	unsigned long long i, end = now_ns() + l->ns;

	for (i = 0; l->rounds ? i < l->rounds : now_ns() < end; i++) {
		if (!pass(to, from))
			return false;
		if (l->pause_ns)
			pause_for(l->pause_ns);
	}
	return true;
}

/* Run the two processes of one CPU; they begin when no process has @start open for writing. */
static int pair(const struct load *l, int cpu, int start)
{
	int there[2], back[2];
	cpu_set_t only;
	pid_t other;
	char none;
	bool ok;

	CPU_ZERO(&only);
	CPU_SET(cpu, &only);
	if (sched_setaffinity(0, sizeof(only), &only) || pipe(there) || pipe(back))
		return 1;
	other = fork();
	if (other < 0)
		return 1;
	if (!other) {
		close(there[1]);
		echo(there[0], back[1]);
	}
	if (read(start, &none, 1))
		return 1;
	ok = play(l, there[1], back[0]);
	/* This is the last descriptor of the pipe's end: closing it ends the other process. */
	close(there[1]);
	waitpid(other, NULL, 0);
	return !ok;
}

static int run(const struct load *l)
{
	int cpu, status, start[2], ret = 0;
	cpu_set_t all;
	pid_t child;

	if (sched_getaffinity(0, sizeof(all), &all) || pipe(start))
		return 1;
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &all))
			continue;
		child = fork();
		if (child < 0)
			return 1;
		if (!child) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			close(start[1]);
			_exit(pair(l, cpu, start[0]));
		}
	}
	close(start[1]);
	while (wait(&status) > 0)
		ret |= status;
	return ret;
}

static int parse(const char *text, unsigned long long *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	return errno || end == text || *end ? -1 : 0;
}

int main(int argc, char **argv)
{
	struct load l = { 0 };
	unsigned long long count = 0;

	if (argc < 3 || argc > 4 || parse(argv[2], &count) || !count ||
	    (strcmp(argv[1], "rounds") && strcmp(argv[1], "ms")) ||
	    (argc == 4 && parse(argv[3], &l.pause_ns))) {
		fputs("usage: pingpongs rounds|ms COUNT [PAUSE_NS]\n", stderr);
		return 2;
	}
	if (argv[1][0] == 'r')
		l.rounds = count;
	else
		l.ns = count * 1000000;
	if (!run(&l))
		return 0;
	fputs("pingpongs: a pair of processes could not be made, or ended early; try again with fewer CPUs (taskset)\n",
	      stderr);
	return 1;
}
