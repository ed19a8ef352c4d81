// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A CPU that one thread owns, and CPUs that are never idle (of a guest, two), from before the
 * recording until after it. The archive, and each segment and snapshot, covers the owned CPU from
 * beginning to end, with that thread; a report attributes the CPU's time and the waits there to it
 * only; a recording neither waits for the load to end nor misses a part of it.
 */
#include <glob.h>

#include <fxt/fxt_mark.h>

#include "cpu_owner.h"
#include "json_get.h"
#include "off_cpu.h"
#include "source_fixture.h"
#include "tool.h"

SOURCE_FIXTURE(hog);

static int record_hog(FIXTURE_DATA(hog) *self, const char * const *args, struct owner *o)
{
	int ret;

	if (owner_start(o))
		return complain(&self->why, "cannot start the hog");
	ret = collector_run(&self->c, self->dir, args);
	owner_end(o);
	return ret ? complain(&self->why, "fxt-collect: %s", self->c.text) : 0;
}

static int load_hog(FIXTURE_DATA(hog) *self, const char * const *args, struct owner *o)
{
	return record_hog(self, args, o) ? -1 :
	       trace_load(&self->t, self->c.output, false, &self->why);
}

#define NEEDS_CPUS() do {							\
	int cpus_[MAX_CPUS];							\
										\
	if (allowed_cpus(cpus_) < 2)						\
		SKIP(return, "%s: a second CPU is needed, to record from", self->source); \
} while (0)

static bool is_before_hog(const struct trace *t, uint64_t tid)
{
	const struct trace_name *name = trace_find_name(t, FXT_OBJECT_THREAD, tid);

	return name && comes_before_owner(name->text);
}

/*
 * Return: ns for which the hog has the CPU; @others: set to the time of all other threads that do
 * not come before it.
 */
static uint64_t time_owned(const struct trace *t, const struct trace_stream *s, uint64_t hog,
			   uint64_t *others)
{
	uint64_t in = s->begin.in, since = s->begin.time, ns, owned = 0;

	*others = 0;
	for (const struct trace_event *e = s->events; e <= s->events + s->event_count; e++) {
		bool is_end = e == s->events + s->event_count;

		if (!is_end && e->is_wakeup)
			continue;
		ns = (is_end ? s->end.time : e->time) - since;
		owned += in == hog ? ns : 0;
		*others += in == hog || is_before_hog(t, in) ? 0 : ns;
		if (is_end)
			break;
		in = e->sw.in;
		since = e->time;
	}
	return owned;
}

/*
 * Check that the CPU's stream has marks at both ends, and that the hog has the CPU between them: in
 * a guest all the time; a host may be so busy that others have it most of the time.
 */
static int check_owned(const struct trace *t, const struct owner *o, struct why *why)
{
	const struct trace_stream *s = trace_stream(t, o->cpu);
	uint64_t others;

	if (!s || !s->begin.unknown || !s->end.unknown)
		return complain(why, "CPU %u has no marks", o->cpu);
	if (trace_check_edges(t, why))
		return -1;
	if (!time_owned(t, s, o->pid, &others))
		return complain(why, "CPU %u: the hog never has it", o->cpu);
	return in_guest() && others ?
	       complain(why, "CPU %u: others than the hog have it for %ju ns", o->cpu,
			(uintmax_t)others) : 0;
}

SOURCE_TEST(hog, all_along)
{
	struct owner o;

	NEEDS_CPUS();
	ASSERT_FINE(load_hog(self, ARGS("-q", "-s", self->source, "-d", "300ms"), &o));
	EXPECT_FINE(trace_check_all(&self->t, &self->why));
	EXPECT_FINE(check_owned(&self->t, &o, &self->why));
}

/* Marks only have the thread that matches, on whatever CPU it is. */
SOURCE_TEST(hog, of_a_filter)
{
	const struct trace_stream *s;
	struct owner o;

	NEEDS_CPUS();
	ASSERT_FINE(load_hog(self, ARGS("-q", "-s", self->source, "-d", "300ms", "--comm",
					OWNER_NAME), &o));
	EXPECT_FINE(trace_check_edges(&self->t, &self->why));
	for (s = self->t.streams; s < self->t.streams + self->t.stream_count; s++) {
		if (s->begin.unknown)
			EXPECT_EQ((uint64_t)o.pid, s->begin.in);
		if (s->end.unknown && !s->event_count)
			EXPECT_EQ((uint64_t)o.pid, s->end.out);
	}
	s = trace_stream(&self->t, o.cpu);
	ASSERT_NE(NULL, s);
	/* There is no mark if others had the CPU at that moment. */
	EXPECT_TRUE(s->begin.unknown || s->end.unknown || s->event_count);
}

/* CPUs that are not recorded have no marks. */
SOURCE_TEST(hog, of_a_filter_of_cpus)
{
	char list[16];
	const struct trace_stream *s;
	struct owner o;

	NEEDS_CPUS();
	snprintf(list, sizeof(list), "%u", last_cpu());
	ASSERT_FINE(load_hog(self, ARGS("-q", "-s", self->source, "-d", "300ms", "--cpus", list),
			     &o));
	EXPECT_FINE(check_owned(&self->t, &o, &self->why));
	for (s = self->t.streams; s < self->t.streams + self->t.stream_count; s++)
		if (s->id != o.cpu)
			EXPECT_FALSE(s->begin.unknown || s->end.unknown);
}

/* Load each segment or snapshot in a folder, at most @most. Return: their number. */
static size_t load_all(struct trace *all, size_t most, const char *dir, struct why *why)
{
	char pattern[RECORD_PATH + 16];
	size_t i, count;
	glob_t g;

	snprintf(pattern, sizeof(pattern), "%s/sched-*.fxt", dir);
	if (glob(pattern, 0, NULL, &g))
		return 0;
	count = g.gl_pathc < most ? g.gl_pathc : most;
	for (i = 0; i < count; i++)
		if (trace_load(&all[i], g.gl_pathv[i], false, why) ||
		    trace_check_records(&all[i], why) || trace_check_ledgers(&all[i], why))
			count = 0;
	return count;
}

#define SEGMENTS	16

/* Check that the segments at each seam have marks of the same time and thread, on each CPU. */
static int check_seams(const struct trace *all, size_t count, struct why *why)
{
	const struct trace_stream *s, *next;
	size_t i, k, seams = 0;

	for (i = 0; i < count; i++)
		for (s = all[i].streams; s < all[i].streams + all[i].stream_count; s++)
			for (k = 0; k < count; k++) {
				next = trace_stream(&all[k], s->id);
				if (!next || !s->end.unknown || k == i ||
				    next->begin.time != s->end.time)
					continue;
				seams++;
				if (next->begin.in != s->end.out)
					return complain(why, "CPU %u: %ju ends a segment, %ju begins the next one",
							s->id, (uintmax_t)s->end.out,
							(uintmax_t)next->begin.in);
			}
	return seams ? 0 : complain(why, "no segment begins where another one ends");
}

SOURCE_TEST(hog, of_segments)
{
	struct trace all[SEGMENTS] = { 0 };
	struct owner o;
	size_t count, i;

	NEEDS_CPUS();
	EXPECT_FINE(record_hog(self, ARGS("-q", "-s", self->source, "-d", "1s", "--rotate",
					  "time=300ms"), &o));
	count = load_all(all, SEGMENTS, self->dir, &self->why);
	EXPECT_LT(1UL, count) TH_LOG("%s", self->why.text);
	for (i = 0; i < count; i++)
		EXPECT_FINE(trace_check_edges(&all[i], &self->why));
	/* During a short segment, others may have the CPU for most of the time. */
	if (count)
		EXPECT_FINE(check_owned(&all[0], &o, &self->why));
	EXPECT_FINE(check_seams(all, count, &self->why));
}

/* The second snapshot is taken after the recording has continued. */
SOURCE_TEST(hog, of_snapshots)
{
	struct trace all[2] = { 0 };
	char first[RECORD_PATH + 32];
	struct owner o;
	size_t count, i;

	NEEDS_CPUS();
	ASSERT_EQ(0, owner_start(&o));
	EXPECT_EQ(0, collector_spawn(&self->c, self->dir, ARGS("-s", self->source, "-F",
							       "--snapshots", "2"), -1));
	while (!strstr(self->c.text, "recording with")) {
		sleep_ms(20);
		collector_read(&self->c);
	}
	sleep_ms(300);
	snprintf(first, sizeof(first), "%s/sched-0001.fxt", self->dir);
	EXPECT_EQ(0, kill(self->c.pid, SIGUSR1));
	for (i = 0; i < PATIENCE_MS / 20 && access(first, F_OK); i++)
		sleep_ms(20);
	sleep_ms(300);
	EXPECT_EQ(0, kill(self->c.pid, SIGUSR1));
	EXPECT_EQ(0, collector_wait(&self->c)) TH_LOG("%s", self->c.text);
	owner_end(&o);
	count = load_all(all, 2, self->dir, &self->why);
	EXPECT_EQ(2UL, count) TH_LOG("%s", self->why.text);
	for (i = 0; i < count; i++)
		EXPECT_FINE(check_owned(&all[i], &o, &self->why));
}

/* --- a report ---------------------------------------------------------------------------- */

#define VICTIM	"victim"

struct victim {
	struct worker w;
	int wake[2];
};

static void wait_for_cpu(struct worker *w)
{
	const struct victim *v = w->arg;
	char byte;

	w->failed = read(v->wake[0], &byte, 1) != 1;
}

static bool occupant_is_before_hog(struct json_object *thread)
{
	const char *name = json_object_get_string(json_object_object_get(thread, "name"));

	return name && comes_before_owner(name);
}

static int check_time(struct json_object *report, const struct owner *o, struct why *why)
{
	struct json_object *list = json_object_object_get(report, "cpus"), *j;
	int64_t whole = number(report, "to_ns") - number(report, "from_ns"), known;

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		j = json_object_array_get_idx(list, i);
		known = whole - number(j, "unknown_ns");
		if (number(j, "cpu") == o->cpu)
			return known && number(j, "busy_ns") == known ? 0 :
			       complain(why, "CPU %u is busy for %jd of %jd ns", o->cpu,
					(intmax_t)number(j, "busy_ns"), (intmax_t)whole);
	}
	return complain(why, "no CPU %u", o->cpu);
}

/* Is the wait only due to the hog and to threads that come before it? */
static bool is_due_to_hog(struct json_object *wait, const struct owner *o)
{
	struct json_object *list = json_object_object_get(wait, "occupants"), *j;
	int64_t ns = 0;

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		j = json_object_array_get_idx(list, i);
		if (number(j, "tid") != o->pid && !occupant_is_before_hog(j))
			return false;
		ns += number(j, "ns");
	}
	return ns == number(wait, "latency_ns");
}

static int check_wait(struct json_object *report, const struct owner *o, pid_t victim,
		      struct why *why)
{
	struct json_object *list = json_object_object_get(report, "worst"), *j;

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		j = json_object_array_get_idx(list, i);
		if (number(j, "tid") != victim)
			continue;
		return number(j, "cpu") == o->cpu && is_due_to_hog(j, o) &&
		       json_object_get_boolean(json_object_object_get(j, "open")) ? 0 :
		       complain(why, "another wait, or another cause: %.400s",
				json_object_to_json_string(j));
	}
	return complain(why, "no wait of the victim in %.400s", json_object_to_json_string(list));
}

/* While it is recorded, a thread becomes runnable on the hog's CPU, and never gets the CPU. */
static int record_victim(FIXTURE_DATA(hog) *self, struct owner *o, struct victim *v)
{
	int ret;

	v->w = (struct worker){ .name = VICTIM, .cpu = last_cpu(), .run = wait_for_cpu, .arg = v };
	if (pipe2(v->wake, O_CLOEXEC) || worker_start(&v->w))
		return complain(&self->why, "cannot start the victim");
	wait_until_in(&v->w.tid, SYS_read, (void *)(uintptr_t)v->wake[0]);
	if (owner_start(o))
		return complain(&self->why, "cannot start the hog");
	ret = record_begin(&self->c, self->dir, self->source, NULL, &self->why);
	if (write(v->wake[1], "", 1) != 1)
		ret = complain(&self->why, "cannot wake the victim");
	sleep_ms(300);
	ret = ret ? ret : record_end(&self->c, &self->why);
	owner_end(o);
	if (worker_join(&v->w) && !ret)
		ret = complain(&self->why, "the victim failed");
	close(v->wake[0]);
	close(v->wake[1]);
	return ret;
}

SOURCE_TEST(hog, is_blamed_alone)
{
	const char *const args[] = {
		"report", "--all", "--json", "--top", "1000", self->c.output, NULL,
	};
	struct json_object *report;
	struct victim v;
	struct owner o;
	struct tool tool;

	NEEDS_CPUS();
	if (!in_guest())
		SKIP(return, "a real-time thread would disturb others; it is tested in a guest");
	ASSERT_FINE(record_victim(self, &o, &v));
	ASSERT_EQ(0, tool_run(&tool, args)) TH_LOG("%s", tool.err);
	report = json_tokener_parse(tool.out);
	ASSERT_NE(NULL, report);
	EXPECT_FINE(check_time(report, &o, &self->why));
	EXPECT_FINE(check_wait(report, &o, v.w.tid, &self->why));
}

/* --- CPUs that never rest -------------------------------------------------------------- */

#define PAIRS_PER_CPU	2
#define GUEST_CPUS	2	/* that never rest */

/* The CPUs of a guest share one of the host's: 16 busy ones leave fxt-collect too little of it. */
static unsigned int busy_cpus(int *cpus)
{
	unsigned int count = allowed_cpus(cpus);

	return in_guest() && count > GUEST_CPUS ? GUEST_CPUS : count;
}

/* Runs in a child: two pairs on each of these CPUs, until the child is killed. */
static void never_rest(int ready)
{
	struct pair pairs[PAIRS_PER_CPU * MAX_CPUS] = { 0 };
	int cpus[MAX_CPUS];
	unsigned int i, count = busy_cpus(cpus) * PAIRS_PER_CPU;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 0; i < count; i++) {
		pairs[i].rounds = UINT32_MAX;
		pairs[i].ends[0].cpu = pairs[i].ends[1].cpu = cpus[i / PAIRS_PER_CPU];
		if (pair_start(&pairs[i]))
			_exit(1);
	}
	if (write(ready, "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

static pid_t start_pairs(void)
{
	int ready[2];
	pid_t pid;

	if (pipe(ready))
		return -1;
	pid = fork();
	if (!pid)
		never_rest(ready[1]);
	return await(pid, ready);
}

static int record_beside(FIXTURE_DATA(hog) *self, const char * const *args)
{
	uint64_t until = boottime_ns() + PATIENCE_MS * 1000000ULL;
	pid_t load = start_pairs();
	bool ended = false;

	if (load < 0)
		return complain(&self->why, "cannot start the load");
	/* Otherwise it would take minutes on an emulated machine. */
	if (in_guest())
		setpriority(PRIO_PROCESS, 0, -19);
	if (collector_spawn(&self->c, self->dir, args, -1))
		return complain(&self->why, "cannot start fxt-collect");
	while (!ended && boottime_ns() < until) {
		sleep_ms(20);
		ended = waitpid(self->c.pid, &self->c.status, WNOHANG) == self->c.pid;
	}
	owner_kill(load);
	if (!ended)
		return complain(&self->why, "it waits for the load to end");
	self->c.pid = 0;
	return self->c.status ? complain(&self->why, "it failed") : 0;
}

/*
 * The load keeps all CPUs busy, in a guest two of them. A recording that waits until each CPU is
 * idle would only begin or end after the load has ended, and the load lasts longer than the test
 * waits.
 */
SOURCE_TEST(hog, of_cpus_that_never_rest)
{
	const struct trace_stream *s;
	int cpus[MAX_CPUS];
	unsigned int i, count = busy_cpus(cpus);

	ASSERT_FINE(record_beside(self, ARGS("-q", "-s", self->source, "-d", "300ms")));
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	for (i = 0; i < count; i++) {
		s = trace_stream(&self->t, cpus[i]);
		ASSERT_NE(NULL, s);
		EXPECT_LT(2UL, s->event_count) TH_LOG("CPU %u", s->id);
	}
}

SOURCE_TEST(hog, of_cpus_that_never_rest_in_segments)
{
	EXPECT_FINE(record_beside(self, ARGS("-q", "-s", self->source, "-d", "300ms", "--rotate",
					     "time=100ms")));
}

SOURCE_TEST(hog, of_cpus_that_never_rest_in_a_snapshot)
{
	EXPECT_FINE(record_beside(self, ARGS("-q", "-s", self->source, "-d", "300ms", "-F")));
}
