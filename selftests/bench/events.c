// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * events.c - causes events of one kind, and measures the time of each round.
 * In:  a kind, see the table of kinds; the number of runs.
 * Out: nanoseconds per round and events per round, the medians of many short runs, so that a timer
 *      tick in one of them, or a daemon, does not count.
 *
 * Where an instruction takes a nanosecond (QEMU's -icount), the numbers are instructions. See
 * scripts/bench/instructions.sh.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/types.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define RUN_ROUNDS	24		/* even, for kinds that alternate */
#define RUNS_MAX	10000
#define WARM_UP_RUNS	10
#define SOON		5000		/* ns until a timer interrupts */
#define IDLE_NEVER	1500		/* ns: expires before the idle thread runs */
#define IDLE_ALWAYS	100000		/* ns: expires while the CPU waits */
#define IDLE_TAKES	400		/* the least time to the idle thread and back */
#define SPIN		6000		/* long enough for an interrupt that is due */
#define RECLAIMS	17		/* of an empty cgroup: one, and MAX_RECLAIM_RETRIES */

/* How to know the number of events. */
enum count {
	OF_ROUNDS,
	OF_HALVES,			/* two events in each round */
	OF_INTERRUPTS,
	OF_SOFTIRQS,
	OF_RECLAIMS,			/* RECLAIMS in each round */
};

/** struct kind - a kind of events */
struct kind {
	const char *name;	/* its name on the command line */
	enum count count;	/* how to know the number of events */
	bool (*begin)(void);	/* prepares a run; returns false if that fails */
	bool (*round)(void);	/* causes the events of a round */
};

static int in = -1, out = -1;		/* descriptors that the kind reads and writes */
static long delay;			/* ns until the timer of an idle CPU expires */

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

/* The kernel's count since boot, on all CPUs. */
static double counted(enum count count_of, long rounds)
{
	const char *key = count_of == OF_INTERRUPTS ? "intr %lf" : "softirq %lf";
	static char line[65536];
	double count = 0;
	FILE *f;

	if (count_of == OF_ROUNDS)
		return rounds;
	if (count_of == OF_HALVES || count_of == OF_RECLAIMS)
		return (count_of == OF_HALVES ? 2.0 : RECLAIMS) * rounds;
	f = fopen("/proc/stat", "r");
	while (f && fgets(line, sizeof(line), f) && sscanf(line, key, &count) != 1)
		;
	if (f)
		fclose(f);
	return count;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Execute the same number of instructions each time, whenever the interrupt comes. */
static void spin(void)
{
	for (int i = 0; i < SPIN; i++)
		__asm__ volatile("");
}

/* --- interrupts ------------------------------------------------------------------------ */

/* The serial port interrupts as soon as it can take more to send. */
static bool begin_handler(void)
{
	out = open("/dev/ttyS0", O_WRONLY | O_NOCTTY | O_NONBLOCK);
	return out >= 0;
}

static bool round_handler(void)
{
	bool sent = write(out, "\r", 1) == 1;

	spin();
	return sent;
}

static bool set_timer(long ns)
{
	struct itimerspec soon = { .it_value.tv_nsec = ns };

	return !timerfd_settime(in, 0, &soon, NULL);
}

static bool begin_timer(void)
{
	in = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	return in >= 0;
}

static bool round_timer(void)
{
	bool set = set_timer(SOON);

	spin();
	return set;
}

/* A packet to the sender itself is received in a soft interrupt, before the system call returns. */
static bool begin_softirq(void)
{
	struct sockaddr_in self = { .sin_family = AF_INET };
	socklen_t length = sizeof(self);

	self.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	out = socket(AF_INET, SOCK_DGRAM, 0);
	return out >= 0 && !bind(out, (struct sockaddr *)&self, sizeof(self)) &&
	       !getsockname(out, (struct sockaddr *)&self, &length) &&
	       !connect(out, (struct sockaddr *)&self, length);
}

static bool round_softirq(void)
{
	char c = 0;

	return send(out, &c, 1, 0) == 1 && recv(out, &c, 1, MSG_DONTWAIT) == 1;
}

/* --- threads ----------------------------------------------------------------------------- */

static bool pass(void)
{
	char token = 't';

	return write(out, &token, 1) == 1 && read(in, &token, 1) == 1;
}

/* Another process on this CPU passes a token back through pipes. */
static bool begin_echo(void)
{
	int there[2], back[2];
	char token;

	if (pipe(there) || pipe(back))
		return false;
	out = there[1];
	in = back[0];
	if (fork())
		return true;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(there[0], &token, 1) == 1 && write(back[1], &token, 1) == 1)
		;
	_exit(0);
}

/*
 * The same with processes that never preempt their waker. So each sleeps before the other one
 * runs, and the number of sleeps does not depend on timing.
 */
static bool begin_sleep(void)
{
	const struct sched_param none = { 0 };

	return !sched_setscheduler(0, SCHED_BATCH, &none) && begin_echo();
}

static unsigned int *turn;		/* a futex: whose turn it is */

/* Sleep in futex(2) until it is somebody's turn, or give it to the other process. */
static bool wait_turn(unsigned int who)
{
	while (*(volatile unsigned int *)turn != who)
		if (syscall(SYS_futex, turn, FUTEX_WAIT, !who, NULL, NULL, 0) && errno != EAGAIN)
			return false;
	return true;
}

static bool give_turn(unsigned int to)
{
	*(volatile unsigned int *)turn = to;
	return syscall(SYS_futex, turn, FUTEX_WAKE, 1, NULL, NULL, 0) >= 0;
}

/* As in begin_sleep(), so each waits once in a round. */
static bool make_turn(void)
{
	const struct sched_param none = { 0 };

	turn = mmap(NULL, sizeof(*turn), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return turn != MAP_FAILED && !sched_setscheduler(0, SCHED_BATCH, &none);
}

/* A waker of another process is not recorded. */
static bool begin_futex(void)
{
	if (!make_turn())
		return false;
	if (fork())
		return true;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (wait_turn(1) && give_turn(0))
		;
	_exit(0);
}

static void *take_turns(void *unused)
{
	while (wait_turn(1) && give_turn(0))
		;
	return unused;
}

/* The same with a thread of this process, whose wakers are recorded. */
static bool begin_futex_thread(void)
{
	pthread_t thread;

	return make_turn() && !pthread_create(&thread, NULL, take_turns, NULL);
}

static bool round_futex(void)
{
	return give_turn(1) && wait_turn(0);
}

/* A TCP connection. Another process returns what it gets, as in begin_sleep(). */
static bool begin_data(void)
{
	struct sockaddr_in self = { .sin_family = AF_INET };
	int listener = socket(AF_INET, SOCK_STREAM, 0), end, yes = 1;
	const struct sched_param none = { 0 };
	socklen_t length = sizeof(self);
	char token;

	self.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	in = out = socket(AF_INET, SOCK_STREAM, 0);
	if (listener < 0 || in < 0 || bind(listener, (struct sockaddr *)&self, sizeof(self)) ||
	    listen(listener, 1) || getsockname(listener, (struct sockaddr *)&self, &length) ||
	    connect(in, (struct sockaddr *)&self, length))
		return false;
	end = accept(listener, NULL, NULL);
	if (end < 0 || setsockopt(in, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes)) ||
	    setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes)) ||
	    sched_setscheduler(0, SCHED_BATCH, &none))
		return false;
	if (fork())
		return true;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(end, &token, 1) == 1 && write(end, &token, 1) == 1)
		;
	_exit(0);
}

/* The kernel tries in vain to reclaim memory of a cgroup that has none. */
static bool begin_reclaim(void)
{
	out = open("/tmp/bench-cgroup/empty/memory.reclaim", O_WRONLY);
	return out >= 0;
}

static bool round_reclaim(void)
{
	return write(out, "4096", 4) < 0 && errno == EAGAIN;
}

static bool begin_request(void)
{
	in = open("/dev/nullb0", O_RDONLY | O_DIRECT);
	return in >= 0;
}

static bool round_request(void)
{
	static char block[4096] __attribute__((aligned(4096)));

	return pread(in, block, sizeof(block), 0) == sizeof(block);
}

static bool begin_none(void)
{
	return true;
}

static bool round_task(void)
{
	pid_t child = vfork();

	if (!child)
		_exit(0);
	return child > 0 && waitpid(child, NULL, 0) == child;
}

static bool round_syscall(void)
{
	return syscall(SYS_getppid) >= 0;
}

static bool round_idle(void)
{
	__u64 expired;

	return set_timer(delay) && read(in, &expired, sizeof(expired)) == sizeof(expired);
}

/* The time of a round: the median, which no tick changes. */
static double idle_for(long ns)
{
	double took[RUN_ROUNDS], began;

	delay = ns;
	for (int i = 0; i < RUN_ROUNDS; i++) {
		began = now_ns();
		if (!round_idle())
			return 0;
		took[i] = now_ns() - began;
	}
	qsort(took, RUN_ROUNDS, sizeof(*took), compare);
	return took[RUN_ROUNDS / 2];
}

/*
 * While a CPU waits for an interrupt, time passes without instructions, so it must not wait: the
 * timer has to expire while the CPU is entering the idle state, with interrupts off. If it expires
 * earlier, the CPU does not enter the state, and the round is shorter. If it expires later, the
 * round is longer by each ns.
 */
static bool begin_idle(void)
{
	double back;

	in = timerfd_create(CLOCK_MONOTONIC, 0);
	/* Warm up: some work happens only once. */
	for (int i = 0; i < WARM_UP_RUNS; i++)
		back = idle_for(IDLE_NEVER);
	for (delay = IDLE_NEVER; in >= 0 && delay < IDLE_ALWAYS; delay += 20)
		if (idle_for(delay) > back + IDLE_TAKES)
			return true;
	return false;
}

/* A kworker moves data from one end of a terminal to the other end. */
static bool begin_work(void)
{
	struct termios raw;

	out = posix_openpt(O_RDWR | O_NOCTTY);
	if (out < 0 || grantpt(out) || unlockpt(out))
		return false;
	in = open(ptsname(out), O_RDWR | O_NOCTTY);
	if (in < 0 || tcgetattr(in, &raw))
		return false;
	cfmakeraw(&raw);
	return !tcsetattr(in, TCSANOW, &raw);
}

static const struct kind kinds[] = {
	{ "handler", OF_INTERRUPTS, begin_handler, round_handler },
	{ "timer", OF_INTERRUPTS, begin_timer, round_timer },
	{ "softirq", OF_SOFTIRQS, begin_softirq, round_softirq },
	{ "idle", OF_ROUNDS, begin_idle, round_idle },
	{ "work", OF_ROUNDS, begin_work, pass },
	{ "task", OF_HALVES, begin_none, round_task },
	{ "syscall", OF_ROUNDS, begin_none, round_syscall },
	{ "switch", OF_HALVES, begin_echo, pass },
	{ "sleep", OF_HALVES, begin_sleep, pass },
	{ "futex", OF_HALVES, begin_futex, round_futex },
	{ "futex-thread", OF_HALVES, begin_futex_thread, round_futex },
	{ "data", OF_HALVES, begin_data, pass },
	{ "reclaim", OF_RECLAIMS, begin_reclaim, round_reclaim },
	{ "request", OF_ROUNDS, begin_request, round_request },
	{ NULL, 0, NULL, NULL },
};

/* --- measuring --------------------------------------------------------------------------- */

static bool run(const struct kind *k, double *took, long *events)
{
	double began, before = counted(k->count, 0);

	began = now_ns();
	for (int i = 0; i < RUN_ROUNDS; i++)
		if (!k->round())
			return false;
	*took = (now_ns() - began) / RUN_ROUNDS;
	*events = (long)(counted(k->count, RUN_ROUNDS) - before);
	return true;
}

/* Repeat runs whose number of events is not that of all rounds: they had a tick in them. */
static int measure(const struct kind *k, int runs)
{
	static double took[RUNS_MAX];
	long events, per_round = 0;
	int i, tries;

	for (i = -WARM_UP_RUNS, tries = 0; i < runs && tries < RUNS_MAX; tries++) {
		if (!run(k, &took[i < 0 ? 0 : i], &events)) {
			perror("events: cannot make one happen");
			return 1;
		}
		if (!events || events % RUN_ROUNDS || (i > 0 && events != per_round))
			continue;
		per_round = events;
		i++;
	}
	if (i < runs) {
		fprintf(stderr, "events: the number of events varies\n");
		return 1;
	}
	qsort(took, runs, sizeof(*took), compare);
	printf("%.2f\t%ld\n", took[runs / 2], per_round / RUN_ROUNDS);
	return 0;
}

int main(int argc, char **argv)
{
	int runs = argc == 3 ? atoi(argv[2]) : 0;
	const struct kind *k = kinds;

	while (argc == 3 && k->name && strcmp(k->name, argv[1]))
		k++;
	if (!k->name || runs < 1 || runs > RUNS_MAX) {
		fprintf(stderr, "usage: events KIND RUNS (1 to %d); kinds:", RUNS_MAX);
		for (k = kinds; k->name; k++)
			fprintf(stderr, " %s", k->name);
		fprintf(stderr, "\n");
		return 2;
	}
	if (!k->begin()) {
		perror("events: cannot prepare");
		return 1;
	}
	return measure(k, runs);
}
