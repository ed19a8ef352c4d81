// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt report and perf sched agree on the same seconds. Run times are the same within 0.1 % plus the
 * distance of the two time stamps of each switch, and their sum within 0.1 %; threads are switched
 * out and wait equally often; the longest wait of each thread ends at the same moment.
 *
 * By default perf sched record records wakings but not wakeups, from which perf computes its
 * latency; so the test asks for wakeups. One wait is made much longer than all others.
 */
#include "json_get.h"
#include "off_cpu.h"
#include "source_fixture.h"
#include "tool.h"

#define ROUNDS		2000
#define SPIN_MS		30
#define LONG_MS		40
/*
 * The most that the two times of a moment may differ: perf prints microseconds, and reads the clock
 * later, even more so if caches are cold.
 */
#define APART_NS	5000
#define STAMP_NS	50		/* typical time between the two stamps of a switch */
#define ATTEMPTS	5

BPF_FIXTURE(report_perf);

/* --- perf -------------------------------------------------------------------------- */

/* A running perf sched record, which ends when @gate is closed. */
struct perf {
	char data[RECORD_PATH + 16];
	pid_t pid;
	int gate;
};

static bool has_perf(void)
{
	return !system("perf sched -h >/dev/null 2>&1 || test $? = 129");
}

static int perf_begin(struct perf *p, const char *dir)
{
	int in[2], out[2];
	char ready;

	snprintf(p->data, sizeof(p->data), "%s/perf.data", dir);
	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
		return -1;
	p->pid = fork();
	if (!p->pid) {
		int null = open("/dev/null", O_WRONLY);

		dup2(in[0], 0);
		dup2(out[1], 1);
		dup2(null, 2);
		execlp("perf", "perf", "sched", "record", "-k", "monotonic", "-m", "2048",
		       "-e", "sched:sched_wakeup", "-o", p->data, "--", "sh", "-c",
		       "echo; exec cat", NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	p->gate = in[1];
	/* The command begins once perf records all events. */
	if (p->pid < 0 || read(out[0], &ready, 1) != 1) {
		close(out[0]);
		close(p->gate);
		return -1;
	}
	close(out[0]);
	return 0;
}

static int perf_end(struct perf *p)
{
	int status;

	close(p->gate);
	return waitpid(p->pid, &status, 0) == p->pid && WIFEXITED(status) ?
	       WEXITSTATUS(status) : -1;
}

struct said {
	uint64_t run;		/* ns */
	uint64_t outs;		/* times that it was switched out */
	uint64_t waits;
	uint64_t max;		/* ns; only from fxt */
	uint64_t max_end;	/* ns */
};

/* The text is in ms or s. */
static uint64_t ns_of(const char *text, double unit)
{
	return strtod(text, NULL) * unit + 0.5;
}

/* comm[tid]  parent  sched-in  run-time ... */
static void take_timehist(const char *line, pid_t tid, struct said *s)
{
	char id[32], parent[32], run[32];
	unsigned long outs;
	const char *at;

	snprintf(id, sizeof(id), "[%d", tid);
	at = strstr(line, id);
	if (at && (at[strlen(id)] == ']' || at[strlen(id)] == '/') &&
	    sscanf(strchr(at, ']') + 1, "%31s %lu %31s", parent, &outs, run) == 3) {
		s->outs = outs;
		s->run = ns_of(run, 1e6);
	}
}

/* perf has no CLOCK_BOOTTIME; the difference is the time spent suspended. */
static uint64_t boottime_of(uint64_t monotonic)
{
	struct timespec ts;
	uint64_t boot = boottime_ns();

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return monotonic + (boot - (ts.tv_sec * 1000000000ULL + ts.tv_nsec));
}

/* comm:tid | run ms | switches | avg: ms | max: ms | max start: s | max end: s | */
static void take_latency(const char *line, pid_t tid, struct said *s)
{
	const char *bar = strchr(line, '|'), *end = strstr(line, "max end:");
	char id[32];
	const char *at;
	unsigned long waits;

	snprintf(id, sizeof(id), ":%d ", tid);
	at = strstr(line, id);
	if (!at || !bar || !end || at > bar || sscanf(bar, "| %*s ms | %lu", &waits) != 1)
		return;
	s->waits = waits;
	s->max_end = boottime_of(ns_of(end + strlen("max end:"), 1e9));
}

static int ask_perf(const struct perf *p, const char *how, const pid_t *tids,
		    struct said *said, size_t count,
		    void (*take)(const char *line, pid_t tid, struct said *s))
{
	char command[RECORD_PATH + 128], line[512];
	FILE *f;

	snprintf(command, sizeof(command), "perf sched -i %s %s 2>/dev/null", p->data, how);
	f = popen(command, "r");
	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f))
		for (size_t i = 0; i < count; i++)
			take(line, tids[i], &said[i]);
	return pclose(f);
}

/* --- fxt --------------------------------------------------------------------------- */

static void take_thread(struct json_object *j, struct said *s)
{
	static const char *const kinds[] = { "woken", "preempted_waits" };
	struct json_object *w;

	s->run = amount(j, "run_ns");
	s->outs = amount(j, "switches");
	for (size_t i = 0; i < 2; i++) {
		if (!json_object_object_get_ex(j, kinds[i], &w) || !w)
			continue;
		s->waits += amount(w, "count");
		if (amount(w, "max_ns") > s->max) {
			s->max = amount(w, "max_ns");
			s->max_end = amount(w, "max_time_ns");
		}
	}
}

static int ask_fxt(const char *archive, const char *to, const pid_t *tids,
		   struct said *said, size_t count)
{
	struct json_object *j, *threads;
	struct tool t;

	if (tool_run(&t, ARGS("report", "--json", "--to", to, archive)))
		return -1;
	j = json_tokener_parse(t.out);
	if (!json_object_object_get_ex(j, "threads", &threads))
		return -1;
	for (size_t n = 0; n < json_object_array_length(threads); n++) {
		struct json_object *thread = json_object_array_get_idx(threads, n);

		for (size_t i = 0; i < count; i++)
			if (amount(thread, "tid") == (uint64_t)tids[i])
				take_thread(thread, &said[i]);
	}
	return 0;
}

/* --- workload --------------------------------------------------------------------------- */

enum { FIRST, SECOND, SPINS, WAITS, HOLDS, WORKERS };

struct errand {
	void (*run)(struct errand *e);
	int in;		/* pipe from which it reads */
	int out;	/* pipe to which it writes */
	int done;	/* pipe on which it reports that it has finished */
	/*
	 * pipe on which it then waits, because perf misses the last events of a thread that exits
	 */
	int stay;
	bool failed;
	struct worker w;
};

static void get(struct errand *e, int fd)
{
	char byte;

	e->failed |= read(fd, &byte, 1) != 1;
}

static void put(struct errand *e, int fd)
{
	e->failed |= write(fd, "x", 1) != 1;
}

static void spin_ms(unsigned int ms)
{
	uint64_t until = boottime_ns() + ms * 1000000ULL;

	while (boottime_ns() < until)
		;
}

static void hand_round(struct errand *e)
{
	unsigned int rounds = scaled(ROUNDS);

	while (rounds-- && !e->failed) {
		put(e, e->out);
		get(e, e->in);
	}
}

static void spin(struct errand *e)
{
	(void)e;
	spin_ms(SPIN_MS);
}

static void wait_for_byte(struct errand *e)
{
	get(e, e->in);
}

/* Keep the CPU, wake the waiting thread, and keep the CPU longer. */
static void hold_cpu(struct errand *e)
{
	const struct sched_param first = { .sched_priority = 1 }, normal = { 0 };

	e->failed |= sched_setscheduler(0, SCHED_FIFO, &first);
	put(e, e->out);
	spin_ms(LONG_MS);
	e->failed |= sched_setscheduler(0, SCHED_OTHER, &normal);
}

static void run_errand(struct worker *w)
{
	struct errand *e = w->arg;
	char byte;

	e->run(e);
	put(e, e->done);
	if (read(e->stay, &byte, 1))
		e->failed = true;
	w->failed |= e->failed;
}

struct workload {
	struct errand errands[WORKERS];
	int pipes[5][2];
};

static int start(struct workload *l, unsigned int i, int cpu, void (*run)(struct errand *e),
		 int in, int out)
{
	struct errand *e = &l->errands[i];

	*e = (struct errand){
		.run = run, .in = in, .out = out, .done = l->pipes[3][1], .stay = l->pipes[4][0],
		.w = { .cpu = cpu, .run = run_errand, .arg = e },
	};
	snprintf(e->w.name, COMM_SIZE, "rp-%u", i);
	return worker_start(&e->w);
}

static int await(const struct workload *l, unsigned int count)
{
	char byte;

	while (count--)
		if (read(l->pipes[3][0], &byte, 1) != 1)
			return -1;
	for (size_t i = 0; i < WORKERS; i++)
		if (l->errands[i].w.tid)
			wait_until_off_cpu(&l->errands[i].w.tid);
	return 0;
}

/* When this returns, all work is done and all threads still exist. */
static int begin_workload(struct workload *l, int cpu)
{
	for (size_t i = 0; i < 5; i++)
		if (pipe2(l->pipes[i], O_CLOEXEC))
			return -1;
	/* Create the threads on this CPU, too: perf may not see all events of the other CPUs. */
	pin(cpu);
	if (start(l, SPINS, cpu, spin, -1, -1) ||
	    start(l, FIRST, cpu, hand_round, l->pipes[1][0], l->pipes[0][1]) ||
	    start(l, SECOND, cpu, hand_round, l->pipes[0][0], l->pipes[1][1]) ||
	    await(l, 3) || start(l, WAITS, cpu, wait_for_byte, l->pipes[2][0], -1))
		return -1;
	wait_until_off_cpu(&l->errands[WAITS].w.tid);
	return start(l, HOLDS, cpu, hold_cpu, -1, l->pipes[2][1]) || await(l, 2);
}

static int end_workload(struct workload *l)
{
	int ret = 0;

	close(l->pipes[4][1]);
	for (size_t i = 0; i < WORKERS; i++)
		ret |= worker_join(&l->errands[i].w);
	for (size_t i = 0; i < 5; i++) {
		close(l->pipes[i][0]);
		if (i != 4)
			close(l->pipes[i][1]);
	}
	return ret;
}

static uint64_t apart(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static bool agree(const struct said *a, const struct said *b)
{
	uint64_t stamps = b->outs * STAMP_NS + APART_NS;

	return apart(a->run, b->run) <= b->run / 1000 + stamps && a->outs == b->outs &&
	       a->waits == b->waits && apart(a->max_end, b->max_end) <= APART_NS;
}

/* Return: 1 if both agree, 0 if they do not, -1 if something could not be run. */
static int compare(FIXTURE_DATA(report_perf) *self, int cpu, struct said fxt[WORKERS],
		   struct said perf[WORKERS])
{
	pid_t tids[WORKERS];
	uint64_t of_fxt = 0, of_perf = 0;
	int ret, i, equal = 0;
	struct workload l = { 0 };
	struct perf p;
	char to[32];

	memset(fxt, 0, WORKERS * sizeof(*fxt));
	memset(perf, 0, WORKERS * sizeof(*perf));
	if (record_begin(&self->c, self->dir, self->source, NULL, &self->why))
		return -1;
	if (perf_begin(&p, self->dir))
		return complain(&self->why, "perf sched record did not begin");
	if (begin_workload(&l, cpu))
		return complain(&self->why, "the workload did not run");
	snprintf(to, sizeof(to), "%.9f", boottime_ns() / 1e9);
	ret = perf_end(&p);
	for (i = 0; i < WORKERS; i++)
		tids[i] = l.errands[i].w.tid;
	if (end_workload(&l) || record_end(&self->c, &self->why))
		return -1;
	if (ret || ask_perf(&p, "timehist -s", tids, perf, WORKERS, take_timehist) ||
	    ask_perf(&p, "latency -p", tids, perf, WORKERS, take_latency))
		return complain(&self->why, "perf sched failed");
	if (ask_fxt(self->c.output, to, tids, fxt, WORKERS))
		return complain(&self->why, "fxt report failed");
	for (i = 0; i < WORKERS; i++)
		equal += agree(&fxt[i], &perf[i]);
	for (i = 0; i < WORKERS; i++) {
		of_fxt += fxt[i].run;
		of_perf += perf[i].run;
	}
	return equal == WORKERS && apart(of_fxt, of_perf) <= of_perf / 1000;
}

/*
 * perf may lose events, which only its output reports, and a kernel may hide events of some
 * threads. In both cases, the recording is repeated.
 */
SOURCE_TEST(report_perf, agree)
{
	struct said fxt[WORKERS], perf[WORKERS];
	int cpus[MAX_CPUS], ret = 0, i, attempt;

	/* In a guest, a probe takes so long that the two stamps of a switch differ by more. */
	if (getenv("FXT_GUEST"))
		SKIP(return, "an emulated machine is too slow to compare nanoseconds on");
	if (!has_perf())
		SKIP(return, "perf is not installed (package linux-perf)");
	if (!allowed_cpus(cpus) || cpus[0])
		SKIP(return, "CPU 0 is not allowed, the only one of which perf sees all switches");
	for (attempt = 0; attempt < ATTEMPTS && !ret; attempt++) {
		ret = compare(self, cpus[0], fxt, perf);
		ASSERT_LE(0, ret) TH_LOG("%s", self->why.text);
		for (i = 0; i < WORKERS && !ret; i++)
			TH_LOG("%d: fxt %ju ns, %ju out, %ju waits, longest until %ju; "
			       "perf %ju, %ju, %ju, %ju",
			       i, fxt[i].run, fxt[i].outs, fxt[i].waits, fxt[i].max_end,
			       perf[i].run, perf[i].outs, perf[i].waits, perf[i].max_end);
	}
	EXPECT_EQ(1, ret);
	EXPECT_LE(LONG_MS * 1000000ULL, fxt[WAITS].max);
}
