// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "off_cpu.h"
#include "workload.h"

#define NAP_NS		200000
/* Read /proc until two reads agree; a thread that is alone on its CPU needs two. */
#define READS_MAX	10000

uint64_t boottime_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

void sleep_ms(unsigned int ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&t, NULL);
}

char process_state(pid_t pid)
{
	char path[64], text[256], *p;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n < 0 ? 0 : n] = '\0';
	p = strrchr(text, ')');
	return p && p[1] ? p[2] : 0;
}

/* Return: ns for a hundred tokens through a pipe. */
static uint64_t probe_speed(void)
{
	uint64_t began, took = 0;
	char token = 't';
	int pipe[2], i;

	if (pipe2(pipe, O_CLOEXEC))
		return 0;
	began = boottime_ns();
	for (i = 0; i < 100; i++)
		if (write(pipe[1], &token, 1) != 1 || read(pipe[0], &token, 1) != 1)
			break;
	took = boottime_ns() - began;
	close(pipe[0]);
	close(pipe[1]);
	return took;
}

unsigned int scaled(unsigned int rounds)
{
	static uint64_t best = UINT64_MAX;
	static bool probed;
	uint64_t took;

	for (int i = 0; i < 3 && !probed; i++) {
		took = probe_speed();
		best = took < best ? took : best;
	}
	probed = true;
	/* A real processor needs less than 0.1 ms. */
	if (best > 200000)
		rounds /= 8;
	return rounds ? rounds : 1;
}

unsigned int allowed_cpus(int *cpus)
{
	unsigned int n = 0;
	cpu_set_t set;

	sched_getaffinity(0, sizeof(set), &set);
	for (int cpu = 0; cpu < CPU_SETSIZE && n < MAX_CPUS; cpu++)
		if (CPU_ISSET(cpu, &set))
			cpus[n++] = cpu;
	return n;
}

void pin(int cpu)
{
	cpu_set_t set;

	if (cpu == ANY_CPU)
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static int read_status(int fd, struct counts *c)
{
	char text[4096], *v, *i;
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	if (n <= 0)
		return -1;
	text[n] = '\0';
	/* The name "nonvoluntary_ctxt_switches" contains this one: look for whole lines. */
	v = strstr(text, "\nvoluntary_ctxt_switches:");
	i = strstr(text, "\nnonvoluntary_ctxt_switches:");
	if (!v || !i)
		return -1;
	c->voluntary = strtoul(strchr(v, ':') + 1, NULL, 10);
	c->involuntary = strtoul(strchr(i, ':') + 1, NULL, 10);
	return 0;
}

/*
 * If two reads are the same, there was no switch from the first to the second, and the
 * counts were the same at every moment between them.
 */
int counts_read(struct counts *c)
{
	return counts_read_of(gettid(), c);
}

int counts_read_of(pid_t tid, struct counts *c)
{
	char path[64];
	struct counts again;
	int i, fd, ret = -1;

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	for (i = 0; i < READS_MAX && ret; i++) {
		if (read_status(fd, c))
			break;
		c->at = boottime_ns();
		if (read_status(fd, &again))
			break;
		if (c->voluntary == again.voluntary && c->involuntary == again.involuntary)
			ret = 0;
	}
	close(fd);
	return ret;
}

int counts_read_asleep(pid_t tid, struct counts *c)
{
	struct counts before = { 0 };

	for (int i = 0; i < READS_MAX; i++) {
		if (counts_read_of(tid, c))
			return -1;
		if (process_state(tid) == 'S' && i && c->voluntary == before.voluntary &&
		    c->involuntary == before.involuntary)
			return 0;
		before = *c;
		sleep_ms(1);
	}
	return -1;
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;

	w->tid = gettid();
	if (w->name[0])
		prctl(PR_SET_NAME, w->name);
	pin(w->cpu);
	if (w->nice && setpriority(PRIO_PROCESS, w->tid, w->nice))
		w->failed = true;
	pthread_barrier_wait(&w->started);
	if (counts_read(&w->begun))
		w->failed = true;
	w->run(w);
	if (counts_read(&w->counts))
		w->failed = true;
	return NULL;
}

int worker_start(struct worker *w)
{
	pthread_barrier_init(&w->started, NULL, 2);
	if (pthread_create(&w->thread, NULL, worker_main, w))
		return -1;
	pthread_barrier_wait(&w->started);
	return 0;
}

int worker_join(struct worker *w)
{
	if (pthread_join(w->thread, NULL))
		return -1;
	pthread_barrier_destroy(&w->started);
	return w->failed ? -1 : 0;
}

static void pair_end_run(struct worker *w)
{
	struct pair *p = w->arg;
	int me = w == &p->ends[1];
	char token = 't';

	for (unsigned int i = 0; i < p->rounds && !w->failed; i++) {
		if (!me && write(p->pipes[0][1], &token, 1) != 1)
			w->failed = true;
		if (read(p->pipes[!me][0], &token, 1) != 1)
			w->failed = true;
		if (me && write(p->pipes[1][1], &token, 1) != 1)
			w->failed = true;
	}
}

int pair_start(struct pair *p)
{
	int i, ret = 0;

	if (pipe2(p->pipes[0], O_CLOEXEC) || pipe2(p->pipes[1], O_CLOEXEC))
		return -1;
	for (i = 0; i < 2; i++) {
		p->ends[i].arg = p;
		p->ends[i].run = pair_end_run;
		ret |= worker_start(&p->ends[i]);
	}
	return ret;
}

int pair_join(struct pair *p)
{
	int ret = worker_join(&p->ends[0]) | worker_join(&p->ends[1]);

	for (int i = 0; i < 4; i++)
		close(p->pipes[i / 2][i % 2]);
	return ret;
}

int pairs_run(struct pair *pairs, size_t count)
{
	int ret = 0;

	for (size_t i = 0; i < count; i++)
		ret |= pair_start(&pairs[i]);
	for (size_t i = 0; i < count && !ret; i++)
		ret |= pair_join(&pairs[i]);
	return ret;
}

void worker_spin_until_preempted(struct worker *w)
{
	const unsigned int *times = w->arg;
	struct rusage usage;

	do {
		getrusage(RUSAGE_THREAD, &usage);
	} while (usage.ru_nivcsw < (long)*times);
}

void worker_nap(struct worker *w)
{
	const unsigned int *times = w->arg;

	for (unsigned int i = 0; i < *times; i++)
		sleep_off_cpu(NAP_NS);
}

void worker_nap_hardly(struct worker *w)
{
	const unsigned int *times = w->arg;
	struct timespec nap = { 0 };

	prctl(PR_SET_TIMERSLACK, 1);
	for (unsigned int i = 0; i < *times; i++) {
		/* Going to sleep takes some microseconds: vary the delay over all of them. */
		nap.tv_nsec = 1 + i % 64 * 300;
		nanosleep(&nap, NULL);
	}
}
