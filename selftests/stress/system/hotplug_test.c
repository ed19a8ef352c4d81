// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * CPUs go offline and online while they are recorded. CPUs that stay online have an unbroken chain.
 * For a CPU that goes offline, fxt check reports just that and finds nothing else. Nothing is lost.
 * A CPU that was offline when a session began has its buffer when it comes online. If the limit
 * does not allow that buffer, the CPU comes online all the same, and its records are counted as
 * lost. A CPU is sampled whenever it is online.
 */
#include <limits.h>
#include <sys/prctl.h>

#include "kmod.h"
#include "kmod_stream.h"
#include "perf_events.h"
#include "real_time.h"
#include "source_fixture.h"
#include "stress.h"
#include "tool.h"

SOURCE_FIXTURE(hotplug);
MODULE_FIXTURE(no_room);

/*
 * Find the CPUs that can go offline: all but the first, including those that a failed test has left
 * offline. Return: their number.
 */
static unsigned int find_cpus(int *cpus)
{
	int count = sysconf(_SC_NPROCESSORS_CONF), cpu;
	unsigned int n = 0;

	for (cpu = 1; cpu < count && n < MAX_CPUS; cpu++)
		if (!cpu_set_online(cpu, true))
			cpus[n++] = cpu;
	return n;
}

/* Count the switches of a CPU whose outgoing thread is not the one switched in before. */
static unsigned int count_breaks(const struct trace_stream *s, uint32_t *in)
{
	unsigned int breaks = 0;
	bool any = false;

	for (size_t i = 0; i < s->event_count; i++) {
		if (s->events[i].is_wakeup)
			continue;
		breaks += any && s->events[i].sw.out != *in;
		*in = s->events[i].sw.in;
		any = true;
	}
	return breaks;
}

static int check_breaks(const struct trace *t, const unsigned int *times, struct why *why)
{
	unsigned int breaks, total = 0;
	uint32_t in = 0;

	for (const struct trace_stream *s = t->streams; s < t->streams + t->stream_count; s++) {
		if (s->id >= MAX_CPUS)
			continue;
		breaks = count_breaks(s, &in);
		total += breaks;
		if (breaks > times[s->id])
			return complain(why, "CPU %u went offline %u times, but its chain has %u breaks",
					s->id, times[s->id], breaks);
	}
	stress_note("%u breaks, each of a CPU that went", total);
	return 0;
}

/*
 * Check that fxt check finds no violation, and only has notes on CPUs that were offline, or on a
 * thread that was about to end when the recording began.
 */
static int check_notes(const char *path, struct why *why)
{
	const char *notes, *p;
	struct tool tool;
	int ret = tool_run(&tool, ARGS("check", "--json", "--only", "format,sched", path));

	notes = tool.out ? strstr(tool.out, "\"notes\":[") : NULL;
	if (ret || !notes)
		ret = complain(why, "fxt check ended with status %d: %.400s%.50s", ret, tool.out,
			       tool.err);
	for (p = notes; !ret && (p = strstr(p, "\"kind\":\"")); p++)
		if (strncmp(p, "\"kind\":\"offline\"", 16) &&
		    strncmp(p, "\"kind\":\"unnamed\"", 16))
			ret = complain(why, "fxt check has a note: %.400s", p);
	tool_free(&tool);
	return ret;
}

static int check_archive(FIXTURE_DATA(hotplug) *self, const unsigned int *times)
{
	if (record_load(&self->c, &self->t, &self->why) ||
	    trace_check_records(&self->t, &self->why) ||
	    trace_check_ledgers(&self->t, &self->why) ||
	    check_breaks(&self->t, times, &self->why) || check_notes(self->c.output, &self->why))
		return -1;
	return trace_lost(&self->t) ? complain(&self->why, "%ju records were lost",
					       (uintmax_t)trace_lost(&self->t)) : 0;
}

static int go_and_come(int cpu, struct why *why)
{
	int err = cpu_set_online(cpu, false);

	if (err)
		return complain(why, "CPU %d cannot go: %s", cpu, strerror(err));
	sleep_ms(stress_random(20));
	err = cpu_set_online(cpu, true);
	sleep_ms(stress_random(20));
	return err ? complain(why, "CPU %d cannot come: %s", cpu, strerror(err)) : 0;
}

/* A limit of memory that allows the buffers of one CPU, 4.5 MiB. */
static const char *little_room(void)
{
	return is_preempt_rt() ? "40M" : "7M";
}

TEST_F_TIMEOUT(hotplug, in_a_loop, STRESS_SECONDS)
{
	unsigned int rounds = stress_rounds(200, 12), i, count, times[MAX_CPUS] = { 0 };
	struct kernel before;
	struct load load;
	int cpus[MAX_CPUS];

	NEEDS_STRESS();
	count = find_cpus(cpus);
	if (!count)
		SKIP(return, "no CPU can be taken offline here");
	/* The first round makes the kernel allocate what it keeps. */
	ASSERT_FINE(go_and_come(cpus[0], &self->why));
	kernel_look(&before);
	ASSERT_BEGIN("-b", "16M");
	ASSERT_EQ(0, load_start(&load));
	for (i = 0; i < rounds; i++) {
		ASSERT_FINE(go_and_come(cpus[i % count], &self->why));
		times[cpus[i % count]]++;
	}
	load_stop(&load);
	EXPECT_EQ(0, check_archive(self, times)) TH_LOG("%s", self->why.text);
	EXPECT_FINE(kernel_check(&before, &self->why));
	stress_note("%s: %u CPUs went and came %u times", self->source, count, rounds);
}

/* Make a thread sleep and wake up there, so that this CPU has events. */
static int nap_on(int cpu)
{
	unsigned int naps = 20;
	struct worker w = { .name = "napper", .cpu = cpu, .run = worker_nap, .arg = &naps };

	return worker_start(&w) || worker_join(&w) ? -1 : 0;
}

TEST_F_TIMEOUT(hotplug, away_at_first, STRESS_SECONDS)
{
	unsigned int times[MAX_CPUS] = { 0 }, count, i;
	const struct trace_stream *s;
	struct kernel before;
	int cpus[MAX_CPUS];

	NEEDS_STRESS();
	count = find_cpus(cpus);
	if (!count)
		SKIP(return, "no CPU can be taken offline here");
	kernel_look(&before);
	for (i = 0; i < count; i++)
		ASSERT_EQ(0, cpu_set_online(cpus[i], false));
	ASSERT_BEGIN(NULL);
	for (i = 0; i < count; i++) {
		/*
		 * Let the stoppers run once, so that their sleep is recorded. Later, the CPU that
		 * comes online wakes them, which the tracer does not see.
		 */
		ASSERT_EQ(0, cpus_stop());
		ASSERT_EQ(0, cpu_set_online(cpus[i], true));
		ASSERT_EQ(0, nap_on(cpus[i]));
	}
	/* Take it offline once more, so that it is offline at the end. */
	ASSERT_FINE(go_and_come(cpus[0], &self->why));
	ASSERT_EQ(0, cpu_set_online(cpus[0], false));
	times[cpus[0]] = 2;
	EXPECT_EQ(0, check_archive(self, times)) TH_LOG("%s", self->why.text);
	ASSERT_EQ(0, cpu_set_online(cpus[0], true));
	for (i = 0; i < count; i++) {
		s = trace_stream(&self->t, cpus[i]);
		ASSERT_NE(NULL, s) TH_LOG("CPU %d has no stream", cpus[i]);
		EXPECT_LE(20U, s->event_count) TH_LOG("CPU %d", cpus[i]);
	}
	EXPECT_FINE(kernel_check(&before, &self->why));
	stress_note("%s: %u CPUs came when a recording was on", self->source, count);
}

#define SPIN_MS		500

static void spin(struct worker *w)
{
	struct timespec t = { 0 };

	while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < SPIN_MS)
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	w->failed = false;
}

/* Burn time on a CPU. Return: the thread's id, 0 if that failed */
static uint64_t spin_on(int cpu)
{
	struct worker w = { .name = "spinner", .cpu = cpu, .run = spin };

	return worker_start(&w) || worker_join(&w) ? 0 : w.tid;
}

static unsigned int count_samples(const struct trace *t, uint32_t cpu, uint64_t tid)
{
	unsigned int count = 0;

	for (size_t i = 0; i < t->stack_count; i++)
		count += t->stacks[i].sample_ns && t->stacks[i].stream == cpu &&
			 t->stacks[i].thread == tid;
	return count;
}

/*
 * At higher values, Debian's kernels refuse events to a recorder that has dropped its privileges.
 */
static int allow_events(void)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "we");
	int ret = f ? fputs("2", f) : -1;

	return (f ? fclose(f) : 0) || ret < 0 ? -1 : 0;
}

/* It is offline at first, comes, goes, and comes again. */
TEST_F_TIMEOUT(hotplug, samples, STRESS_SECONDS)
{
	int cpus[MAX_CPUS], events;
	struct kernel before;
	uint64_t tids[2];

	NEEDS_STRESS();
	if (!find_cpus(cpus))
		SKIP(return, "no CPU can be taken offline here");
	kernel_look(&before);
	ASSERT_EQ(0, allow_events());
	ASSERT_EQ(0, cpu_set_online(cpus[0], false));
	ASSERT_BEGIN("--stacks=oncpu:99");
	events = count_perf_events(self->c.pid);
	for (unsigned int i = 0; i < 2; i++) {
		/* The recorder notices later that a CPU has come or gone. */
		ASSERT_EQ(0, cpu_set_online(cpus[0], true));
		ASSERT_TRUE(wait_for_perf_events(self->c.pid, events + 1, INT_MAX));
		tids[i] = spin_on(cpus[0]);
		ASSERT_NE(0U, tids[i]);
		ASSERT_EQ(0, cpu_set_online(cpus[0], false));
		ASSERT_TRUE(wait_for_perf_events(self->c.pid, events, events));
	}
	EXPECT_FINE(record_load(&self->c, &self->t, &self->why));
	ASSERT_EQ(0, cpu_set_online(cpus[0], true));
	EXPECT_LE(10U, count_samples(&self->t, cpus[0], tids[0]));
	EXPECT_LE(10U, count_samples(&self->t, cpus[0], tids[1]));
	EXPECT_FINE(kernel_check(&before, &self->why));
}

/* The collector continues without the CPU, and reports what is lost. */
TEST_F_TIMEOUT(no_room, for_a_cpu, STRESS_SECONDS)
{
	const struct trace_stream *s;
	unsigned int count, i;
	int cpus[MAX_CPUS];

	NEEDS_STRESS();
	NEEDS_SOURCE();
	count = find_cpus(cpus);
	if (!count)
		SKIP(return, "no CPU can be taken offline here");
	for (i = 0; i < count; i++)
		ASSERT_EQ(0, cpu_set_online(cpus[i], false));
	ASSERT_EQ(0, kmod_set("max_memory", little_room()));
	ASSERT_BEGIN("-b", "4M");
	EXPECT_EQ(0, cpu_set_online(cpus[0], true));
	EXPECT_EQ(0, nap_on(cpus[0]));
	EXPECT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_EQ(0, kmod_set("max_memory", "0"));
	for (i = 1; i < count; i++)
		EXPECT_EQ(0, cpu_set_online(cpus[i], true));
	EXPECT_FINE(trace_check_ledgers(&self->t, &self->why));
	EXPECT_IN(self->c.text, " got no buffer when it came online");
	s = trace_stream(&self->t, cpus[0]);
	ASSERT_NE(NULL, s);
	EXPECT_LE(20U, trace_lost(&self->t));
	EXPECT_EQ(0U, s->event_count);
}

/* --- sessions that begin while CPUs go offline and online --------------------------- */

FIXTURE(session)
{
	const char *missing;
	struct why why;
	struct kernel before;
	int cpus[MAX_CPUS];
	unsigned int count;
	pthread_t thread;
	volatile bool ends;
	volatile bool stays;	/* a stop is requested */
	volatile bool stands;	/* it has stopped */
};

FIXTURE_SETUP(session)
{
	self->missing = source_missing("kmod");
	ASSERT_FALSE(self->missing && source_required("kmod")) TH_LOG("kmod: %s", self->missing);
}

FIXTURE_TEARDOWN(session) { }

static void *toggle(void *arg)
{
	FIXTURE_DATA(session) *self = arg;
	unsigned int n = 0;

	while (!self->ends) {
		self->stands = self->stays;
		if (self->stays) {
			usleep(100);
			continue;
		}
		cpu_set_online(self->cpus[n / 2 % self->count], n % 2);
		n++;
	}
	return NULL;
}

/* Check that each online CPU has its stream, whatever its state when the session began. */
static int check_files(const struct kmod_session *d, struct why *why)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF), cpu;
	char path[KMOD_PATH_SIZE];
	FILE *f;
	int on, fd;

	for (cpu = 0; cpu < cpus; cpu++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%ld/online", cpu);
		f = fopen(path, "re");
		if (!f || fscanf(f, "%d", &on) != 1)
			on = !cpu;
		if (f)
			fclose(f);
		fd = kmod_file(d, FXT_SCHED_STREAM_CPU, cpu);
		if (on && fd < 0)
			return complain(why, "CPU %ld is online, but has no buffer", cpu);
		if (fd >= 0)
			close(fd);
	}
	return 0;
}

static int round_of_sessions(void *arg, unsigned int n, struct why *why)
{
	struct fxt_sched_config c = kmod_config();
	FIXTURE_DATA(session) *self = arg;
	struct kmod_session d;
	int ret;

	c.subbuf_size = 4096;
	usleep(stress_random(20000));
	if (kmod_start(&d, &c, why)) {
		stress_note("round %u", n);
		return -1;
	}
	self->stays = true;
	while (!self->stands)
		usleep(100);
	ret = check_files(&d, why);
	kmod_close(&d);
	self->stays = false;
	while (self->stands)
		usleep(100);
	return ret;
}

TEST_F_TIMEOUT(session, beside_hotplug, STRESS_SECONDS)
{
	unsigned int rounds = stress_rounds(1000, 60), i;

	NEEDS_STRESS();
	self->count = find_cpus(self->cpus);
	if (!self->count)
		SKIP(return, "no CPU can be taken offline here");
	kernel_look(&self->before);
	ASSERT_EQ(0, pthread_create(&self->thread, NULL, toggle, self));
	EXPECT_FINE(rounds_run(rounds, NULL, round_of_sessions, self, &self->why));
	self->ends = true;
	pthread_join(self->thread, NULL);
	for (i = 0; i < self->count; i++)
		EXPECT_EQ(0, cpu_set_online(self->cpus[i], true));
	EXPECT_FINE(kernel_check(&self->before, &self->why));
	stress_note("%u sessions beside CPUs that come and go", rounds);
}

/* Start a session on the first CPU alone, with this limit of memory. */
static int start_alone(const FIXTURE_DATA(session) *self, struct kmod_session *d, const char *limit,
		       struct why *why)
{
	struct fxt_sched_config c = kmod_config();

	c.subbuf_size = 1 << 20;
	for (unsigned int i = 0; i < self->count; i++)
		if (cpu_set_online(self->cpus[i], false))
			return complain(why, "CPU %d cannot go", self->cpus[i]);
	if (kmod_set("max_memory", limit))
		return complain(why, "cannot set max_memory");
	return kmod_start(d, &c, why);
}

static void rename_itself(struct worker *w)
{
	prctl(PR_SET_NAME, "renamed");
}

/* A CPU that comes online has a buffer for the names that are recorded on it, too. */
TEST_F_TIMEOUT(session, names_of_a_late_cpu, STRESS_SECONDS)
{
	struct kmod_stream s = { .kind = FXT_SCHED_STREAM_NAMES, .whole = true };
	struct fxt_sched_counters counters = { 0 };
	struct worker w = { .name = "late", .run = rename_itself };
	struct kmod_session d;

	NEEDS_STRESS();
	self->count = find_cpus(self->cpus);
	if (!self->count)
		SKIP(return, "no CPU can be taken offline here");
	s.cpu = self->cpus[0];
	ASSERT_FINE(start_alone(self, &d, "0", &self->why));
	EXPECT_EQ(ENOENT, kmod_count(&d, s.cpu, s.kind, &counters));
	EXPECT_EQ(0, cpu_set_online(s.cpu, true));
	w.cpu = s.cpu;
	ASSERT_EQ(0, worker_start(&w));
	ASSERT_EQ(0, worker_join(&w));
	EXPECT_EQ(0, kmod_request(&d, FXT_SCHED_IOC_STOP));
	EXPECT_FINE(kmod_stream_finish(&s, &d, &self->why));
	EXPECT_LE(1U, s.records);
	EXPECT_EQ(0U, s.lost);
	kmod_stream_free(&s);
	kmod_close(&d);
}

TEST_F_TIMEOUT(session, no_room_for_a_cpu, STRESS_SECONDS)
{
	struct fxt_sched_counters counters = { 0 };
	struct kmod_session d;
	int cpu, fd;

	NEEDS_STRESS();
	self->count = find_cpus(self->cpus);
	if (!self->count)
		SKIP(return, "no CPU can be taken offline here");
	cpu = self->cpus[0];
	ASSERT_FINE(start_alone(self, &d, little_room(), &self->why));
	EXPECT_EQ(ENOENT, kmod_count(&d, cpu, FXT_SCHED_STREAM_CPU, &counters));
	EXPECT_EQ(0, cpu_set_online(cpu, true));
	ASSERT_EQ(0, nap_on(cpu));
	EXPECT_EQ(-1, kmod_file(&d, FXT_SCHED_STREAM_CPU, cpu));
	EXPECT_EQ(ENOMEM, errno);
	EXPECT_EQ(-1, kmod_file(&d, FXT_SCHED_STREAM_NAMES, cpu));
	EXPECT_EQ(ENOMEM, errno);
	/* It gets its buffer as soon as there is room. */
	EXPECT_EQ(0, kmod_set("max_memory", "0"));
	EXPECT_FINE(go_and_come(cpu, &self->why));
	fd = kmod_file(&d, FXT_SCHED_STREAM_CPU, cpu);
	EXPECT_LE(0, fd);
	close(fd);
	EXPECT_EQ(0, kmod_request(&d, FXT_SCHED_IOC_STOP));
	EXPECT_EQ(0, kmod_count(&d, cpu, FXT_SCHED_STREAM_CPU, &counters));
	EXPECT_LE(20U, counters.lost);
	EXPECT_LE(counters.lost, counters.switches + counters.wakeups + counters.events);
	kmod_close(&d);
}
