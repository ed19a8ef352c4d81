// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each situation is so long and so extreme that it stands out even on a busy or emulated machine.
 * If other processes could hide it, its threads are real-time threads.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "situation.h"
#include "workload.h"

#define NS_PER_MS	1000000ULL
#define LONG_MS		800	/* most of a recording */

/* Shorter delays cause no finding: fxt report's limits for one wait and for LONG_MS are higher. */
#define DELAY_MS	5
#define DELAYS_MS	(LONG_MS / 20)

static atomic_bool ends;

static void spin_ms(unsigned int ms)
{
	uint64_t end = boottime_ns() + ms * NS_PER_MS;

	while (boottime_ns() < end)
		;
}

static void nap_us(unsigned int us)
{
	const struct timespec t = { .tv_nsec = us * 1000L };

	nanosleep(&t, NULL);
}

static int be_real_time(int priority)
{
	return sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = priority });
}

/* Run before all other processes. */
static int be_first(void)
{
	return be_real_time(50);
}

static void end_after(unsigned int ms)
{
	sleep_ms(ms);
	atomic_store(&ends, true);
}

static int work_together(const struct worker *like, unsigned int count, unsigned int ms)
{
	struct worker w[SITUATION_PINNED];
	int ret = 0;

	for (unsigned int i = 0; i < count; i++) {
		w[i] = *like;
		ret |= worker_start(&w[i]);
	}
	end_after(ms);
	for (unsigned int i = 0; i < count; i++)
		ret |= worker_join(&w[i]);
	return ret;
}

static int first_cpu(void)
{
	int cpus[MAX_CPUS];

	allowed_cpus(cpus);
	return cpus[0];
}

static int last_cpu(void)
{
	int cpus[MAX_CPUS];
	unsigned int count = allowed_cpus(cpus);

	return cpus[count - 1];
}

/* --- a latency spike ----------------------------------------------------------------------- */

#define HOG_MS		400	/* the kernel stops real-time threads after 950 ms */
#define USUAL_MS	300	/* time for which metronome runs as usual, before that */

static void tick(struct worker *w)
{
	(void)w;
	while (!atomic_load(&ends))
		nap_us(2000);
}

static void hog(struct worker *w)
{
	w->failed = be_first();
	spin_ms(HOG_MS);
}

static int make_spike(void)
{
	struct worker late = { .name = "metronome", .cpu = first_cpu(), .run = tick };
	struct worker cause = { .name = "hog", .cpu = late.cpu, .run = hog };
	int ret;

	if (worker_start(&late))
		return -1;
	sleep_ms(USUAL_MS);
	ret = worker_start(&cause) || worker_join(&cause);
	end_after(USUAL_MS / 3);
	return worker_join(&late) | ret;
}

const struct situation situation_spike = {
	.process = "spike", .thread = "metronome", .cpus = 1, .make = make_spike,
};

/* --- a build that does not scale ------------------------------------------------------------- */

static void job(const int *token)
{
	char byte;

	prctl(PR_SET_NAME, "job");
	if (read(token[0], &byte, 1) != 1)
		_exit(1);
	spin_ms(LONG_MS / SITUATION_JOBS);
	_exit(write(token[1], &byte, 1) != 1);
}

static int make_serial(void)
{
	int token[2], i, status, ret = 0;
	pid_t jobs[SITUATION_JOBS];

	if (pipe(token))
		return -1;
	for (i = 0; i < SITUATION_JOBS; i++) {
		jobs[i] = fork();
		if (!jobs[i])
			job(token);
		ret |= jobs[i] < 0;
	}
	ret |= write(token[1], "t", 1) != 1;
	for (i = 0; i < SITUATION_JOBS; i++)
		ret |= waitpid(jobs[i], &status, 0) != jobs[i] || status;
	return ret ? -1 : 0;
}

const struct situation situation_serial = {
	.process = "build", .thread = "job", .cpus = 2, .needs_idle = true, .make = make_serial,
};

/* --- a fork storm ----------------------------------------------------------------------------- */

static int make_storm(void)
{
	pid_t brood[SITUATION_BROOD];
	int status, ret = be_first();

	pin(last_cpu());
	for (unsigned int i = 0; i < SITUATION_BROOD; i++) {
		brood[i] = fork();
		if (!brood[i]) {
			prctl(PR_SET_NAME, "brood");
			spin_ms(LONG_MS / SITUATION_BROOD);
			_exit(0);
		}
		ret |= brood[i] < 0;
	}
	for (unsigned int i = 0; i < SITUATION_BROOD; i++)
		ret |= waitpid(brood[i], &status, 0) != brood[i] || status;
	return ret ? -1 : 0;
}

const struct situation situation_storm = {
	.process = "storm", .thread = "brood", .cpus = 1, .make = make_storm,
};

/* --- a lock convoy --------------------------------------------------------------------------- */

/*
 * The turns are counted, not timed, so a slow machine has all of them. They take most of the time.
 */
#define TURNS	20
#define TURN_MS	10

static pthread_mutex_t counter = PTHREAD_MUTEX_INITIALIZER;

static void serve(struct worker *w)
{
	w->failed = be_first();
	for (unsigned int i = 0; i < TURNS; i++) {
		pthread_mutex_lock(&counter);
		spin_ms(TURN_MS);
		/* A convoy has to be found although its threads sleep for other reasons, too. */
		if (i % 4 == 0)
			nap_us(500);
		pthread_mutex_unlock(&counter);
		/* Long enough for the next one to take it. */
		nap_us(1000);
	}
}

static int make_convoy(void)
{
	const struct worker teller = { .name = "teller", .cpu = ANY_CPU, .run = serve };

	return work_together(&teller, SITUATION_TELLERS, 0);
}

const struct situation situation_convoy = {
	.process = "bank", .thread = "teller", .cpus = 2, .make = make_convoy,
};

/* --- wrong affinity -------------------------------------------------------------------------- */

static void spin(struct worker *w)
{
	(void)w;
	while (!atomic_load(&ends))
		;
}

static int make_crowd(void)
{
	const struct worker pinned = { .name = "pinned", .cpu = last_cpu(), .run = spin };

	return work_together(&pinned, SITUATION_PINNED, LONG_MS);
}

const struct situation situation_crowd = {
	.process = "crowd", .thread = "pinned", .cpus = 2, .needs_idle = true, .make = make_crowd,
};

/* --- one CPU for two ------------------------------------------------------------------------- */

static int make_contention(void)
{
	struct worker parser = { .name = "parser", .cpu = last_cpu(), .run = spin };
	struct worker poller = { .name = "poller", .cpu = parser.cpu, .run = spin };
	int ret = worker_start(&parser) | worker_start(&poller);

	end_after(LONG_MS);
	return ret | worker_join(&parser) | worker_join(&poller);
}

const struct situation situation_contention = {
	.process = "share", .thread = "parser", .cpus = 1, .needs_idle = true,
	.make = make_contention,
};

/* --- priority inversion ---------------------------------------------------------------------- */

static pthread_mutex_t needed = PTHREAD_MUTEX_INITIALIZER;

static void hold(struct worker *w)
{
	w->failed = be_real_time(10);
	while (!atomic_load(&ends)) {
		pthread_mutex_lock(&needed);
		spin_ms(5);
		pthread_mutex_unlock(&needed);
		nap_us(1000);
	}
}

static void disturb(struct worker *w)
{
	w->failed = be_real_time(20);
	while (!atomic_load(&ends)) {
		spin_ms(30);
		nap_us(15000);
	}
}

static void need(struct worker *w)
{
	w->failed = be_real_time(30);
	while (!atomic_load(&ends)) {
		nap_us(5000);
		pthread_mutex_lock(&needed);
		pthread_mutex_unlock(&needed);
	}
}

static int make_inversion(void)
{
	struct worker w[] = {
		{ .name = "low", .cpu = last_cpu(), .run = hold },
		{ .name = "mid", .cpu = last_cpu(), .run = disturb },
		{ .name = "high", .cpu = last_cpu(), .run = need },
	};
	int ret = 0;

	for (unsigned int i = 0; i < sizeof(w) / sizeof(w[0]); i++)
		ret |= worker_start(&w[i]);
	end_after(LONG_MS);
	for (unsigned int i = 0; i < sizeof(w) / sizeof(w[0]); i++)
		ret |= worker_join(&w[i]);
	return ret;
}

const struct situation situation_inversion = {
	.process = "inversion", .thread = "high", .cpus = 2, .make = make_inversion,
};

/* --- a slow worker --------------------------------------------------------------------------- */

#define POOL	4

static int work[POOL][2];
static atomic_uint workers;

static void take_work(struct worker *w)
{
	unsigned int number = atomic_fetch_add(&workers, 1);
	char name[16], byte;

	snprintf(name, sizeof(name), "worker-%u", number);
	prctl(PR_SET_NAME, name);
	w->failed = be_first();
	while (read(work[number][0], &byte, 1) == 1) {
		spin_ms(1);
		if (number == POOL - 1)
			nap_us(30000);
	}
}

static int make_pool(void)
{
	struct worker w[POOL];
	int ret = be_first();

	for (unsigned int i = 0; i < POOL; i++) {
		w[i] = (struct worker){ .name = "worker", .cpu = ANY_CPU, .run = take_work };
		ret |= pipe(work[i]) | worker_start(&w[i]);
	}
	for (unsigned int round = 0; round < LONG_MS / 50; round++) {
		for (unsigned int i = 0; i < POOL; i++)
			ret |= write(work[i][1], "w", 1) != 1;
		sleep_ms(50);
	}
	/* The workers may have taken the pipes in any order. */
	for (unsigned int i = 0; i < POOL; i++)
		close(work[i][1]);
	for (unsigned int i = 0; i < POOL; i++)
		ret |= worker_join(&w[i]);
	return ret;
}

const struct situation situation_pool = {
	.process = "pool", .thread = "worker-3", .cpus = 1, .make = make_pool,
};

/* --- a flood of interrupts ------------------------------------------------------------------- */

/*
 * Soft interrupts receive the packets, and drop those that nobody reads. The sender is no real-time
 * thread: it could keep ksoftirqd, which may have to receive them, from running.
 */
static void send_packets(struct worker *w)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	socklen_t size = sizeof(at);

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	w->failed = fd < 0 || bind(fd, (struct sockaddr *)&at, size) ||
		    getsockname(fd, (struct sockaddr *)&at, &size) ||
		    connect(fd, (struct sockaddr *)&at, size);
	while (!w->failed && !atomic_load(&ends))
		w->failed = send(fd, "x", 1, 0) != 1;
	if (fd >= 0)
		close(fd);
}

static int make_flood(void)
{
	const struct worker flooder = {
		.name = "flooder", .cpu = first_cpu(), .nice = -20, .run = send_packets,
	};

	return work_together(&flooder, 1, LONG_MS);
}

const struct situation situation_flood = {
	.process = "flood", .thread = "flooder", .cpus = 1, .needs_idle = true, .make = make_flood,
};

/* --- a throttled cgroup ---------------------------------------------------------------------- */

static int make_glutton(void)
{
	const struct worker glutton = { .name = "glutton", .cpu = last_cpu(), .run = spin };

	return work_together(&glutton, 1, LONG_MS);
}

const struct situation situation_glutton = {
	.process = "quota", .thread = "glutton", .cpus = 1, .needs_idle = true,
	.make = make_glutton,
};

/* --- nothing is wrong ------------------------------------------------------------------------ */

#define WORK_MS		1
#define NAP_US		20000

static uint64_t healthy_since;
static atomic_ullong longest_delay, all_delays;

/* Note the delay of an action that began at @since and should have taken @ns. */
static void note_delay(uint64_t since, uint64_t ns)
{
	uint64_t took = boottime_ns() - since;
	unsigned long long delay = took > ns ? took - ns : 0, longest = atomic_load(&longest_delay);

	atomic_fetch_add(&all_delays, delay);
	while (delay > longest && !atomic_compare_exchange_weak(&longest_delay, &longest, delay))
		;
}

static void live(struct worker *w)
{
	uint64_t since;

	w->failed = be_first();
	note_delay(healthy_since, 0);
	while (!atomic_load(&ends)) {
		since = boottime_ns();
		spin_ms(WORK_MS);
		nap_us(NAP_US);
		note_delay(since, WORK_MS * NS_PER_MS + NAP_US * 1000ULL);
	}
}

static int make_healthy(void)
{
	const struct worker napper = { .name = "napper", .cpu = ANY_CPU, .run = live };

	healthy_since = boottime_ns();
	if (work_together(&napper, 3, LONG_MS))
		return -1;
	return longest_delay >= DELAY_MS * NS_PER_MS || all_delays >= DELAYS_MS * NS_PER_MS ?
	       SITUATION_DELAYED : 0;
}

const struct situation situation_healthy = {
	.process = "healthy", .thread = "napper", .cpus = 1, .make = make_healthy,
};

/* --- any of them ----------------------------------------------------------------------------- */

static void be_situation(const struct situation *s, const struct cgroup *cgroup, const int *pipes)
{
	char byte;
	int ret;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, s->process);
	if ((cgroup && cgroup_enter(cgroup, 0)) || write(pipes[3], "r", 1) != 1 ||
	    read(pipes[0], &byte, 1) != 1)
		_exit(1);
	ret = s->make();
	_exit(ret < 0 ? 1 : ret);
}

int situation_start(struct actor *a, const struct situation *s, const struct cgroup *cgroup)
{
	int pipes[4], ret;
	char byte;

	if (pipe2(pipes, O_CLOEXEC) || pipe2(pipes + 2, O_CLOEXEC))
		return -1;
	a->pid = fork();
	if (!a->pid)
		be_situation(s, cgroup, pipes);
	a->go = pipes[1];
	close(pipes[0]);
	close(pipes[3]);
	ret = a->pid > 0 && read(pipes[2], &byte, 1) == 1 ? 0 : -1;
	close(pipes[2]);
	return ret;
}

int situation_run(const struct actor *a)
{
	int status, ret = write(a->go, "g", 1) == 1 ? 0 : -1;

	close(a->go);
	if (a->pid <= 0 || waitpid(a->pid, &status, 0) != a->pid || ret)
		return -1;
	if (WIFEXITED(status) && WEXITSTATUS(status) == SITUATION_DELAYED)
		return SITUATION_DELAYED;
	return status ? -1 : 0;
}
