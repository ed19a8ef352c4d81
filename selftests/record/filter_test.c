// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Filters: the archive has everything that the kernel counted of a thread that matches; in each
 * record a thread on at least one side matches; nothing counts as lost.
 */
#include "cgroup.h"
#include "json_get.h"
#include "source_fixture.h"
#include "tool.h"

SOURCE_FIXTURE(filter);

struct wanted {
	const uint64_t *tids;
	size_t count;
};

static bool is_wanted(const struct wanted *w, uint64_t tid)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->tids[i] == tid)
			return true;
	return false;
}

/* Check that a side of each record matches, or that it only ends a run (trace_check_chain()). */
static int check_sides(const struct trace *t, const struct wanted *w, struct why *why)
{
	const struct trace_stream *s;
	const struct trace_event *e;

	trace_for_each_event(t, s, e) {
		uint64_t a = e->is_wakeup ? e->wakeup.thread : e->sw.out;
		uint64_t b = e->is_wakeup ? e->wakeup.waker : e->sw.in;

		if (!e->is_wakeup && fxt_switch_hides_in(&e->sw))
			continue;
		if (!is_wanted(w, a) && !is_wanted(w, b))
			return complain(why, "byte %ju: a %s of %ju and %ju, of whom nobody matches",
					(uintmax_t)e->offset, e->is_wakeup ? "wakeup" : "switch",
					(uintmax_t)a, (uintmax_t)b);
	}
	return 0;
}

/* Switches that a thread may make before it reaches the CPU that it is pinned to. */
#define BEFORE	3

static int check_counts(const struct trace *t, pid_t tid, const struct counts *c, struct why *why)
{
	unsigned long blocked = 0, runnable = 0;
	const struct trace_stream *s;
	const struct trace_event *e;

	trace_for_each_event(t, s, e) {
		if (e->is_wakeup || e->sw.out != (uint64_t)tid || e->time > c->at)
			continue;
		if (e->sw.state == FXT_THREAD_NEW)
			runnable++;
		else
			blocked++;
	}
	if (blocked <= c->voluntary && runnable <= c->involuntary &&
	    blocked + runnable + BEFORE >= c->voluntary + c->involuntary)
		return 0;
	return complain(why, "thread %d: %lu switches to sleep and %lu others, the kernel counted %lu and %lu",
			tid, blocked, runnable, c->voluntary, c->involuntary);
}

static int load(struct collector *c, struct trace *t, const char *line, struct why *why)
{
	char text[600];

	if (record_load(c, t, why))
		return -1;
	snprintf(text, sizeof(text), "\n%s\n", line);
	if (!strstr(t->session, text))
		return complain(why, "the archive does not say '%s'", line);
	if (trace_lost(t))
		return complain(why, "%ju records count as lost", (uintmax_t)trace_lost(t));
	return trace_check_records(t, why) || trace_check_ledgers(t, why) ? -1 : 0;
}

/* --- CPUs ------------------------------------------------------------------------ */

static int check_cpu(const struct trace *t, uint32_t cpu, struct why *why)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	unsigned long switches = 0;

	trace_for_each_event(t, s, e) {
		if ((e->is_wakeup ? e->wakeup.cpu : e->sw.cpu) != cpu)
			return complain(why, "byte %ju: a %s of cpu %u", (uintmax_t)e->offset,
					e->is_wakeup ? "wakeup" : "switch",
					e->is_wakeup ? e->wakeup.cpu : e->sw.cpu);
		switches += !e->is_wakeup;
	}
	return switches ? 0 : complain(why, "no switch of cpu %u", cpu);
}

SOURCE_TEST(filter, cpus)
{
	struct pair pairs[2] = { 0 };
	int cpus[MAX_CPUS], i;
	char number[16], line[64];
	unsigned int count = allowed_cpus(cpus);

	snprintf(number, sizeof(number), "%d", cpus[count - 1]);
	snprintf(line, sizeof(line), "filter cpus %s", number);
	for (i = 0; i < 4; i++)
		pairs[i / 2].ends[i % 2].cpu = cpus[i / 2 ? count - 1 : 0];
	pairs[1].rounds = scaled(500);
	pairs[0].rounds = pairs[1].rounds;
	ASSERT_BEGIN("-C", number);
	ASSERT_EQ(0, pairs_run(pairs, 2));
	ASSERT_FINE(load(&self->c, &self->t, line, &self->why));
	EXPECT_FINE(check_cpu(&self->t, cpus[count - 1], &self->why));
	EXPECT_FINE(trace_check_chain(&self->t, &self->why));
	for (i = 2; i < 4; i++)
		EXPECT_FINE(check_counts(&self->t, pairs[1].ends[i % 2].tid,
					 &pairs[1].ends[i % 2].counts, &self->why));
}

/* --- processes ---------------------------------------------------------------------- */

/* A shell that sleeps and has a child that sleeps. */
#define FAMILY	"read x; sleep 0.05; (sleep 0.05; sleep 0.05); echo"

struct family {
	pid_t pid;
	int in;
	int out;
};

static int family_start(struct family *f)
{
	int in[2], out[2];

	if (pipe(in) || pipe(out))
		return -1;
	f->pid = fork();
	if (!f->pid) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		close(in[0]), close(in[1]), close(out[0]), close(out[1]);
		execl("/bin/sh", "sh", "-c", FAMILY, NULL);
		_exit(99);
	}
	close(in[0]);
	close(out[1]);
	f->in = in[1];
	f->out = out[0];
	return f->pid < 0 ? -1 : 0;
}

static int family_run(struct family *f)
{
	int status;
	char byte;

	if (write(f->in, "\n", 1) != 1 || read(f->out, &byte, 1) != 1)
		return -1;
	close(f->in);
	close(f->out);
	return waitpid(f->pid, &status, 0) == f->pid && !status ? 0 : -1;
}

/* Find all threads that the archive names "sleep", and those of @pid. */
static size_t find_family(const struct trace *t, pid_t pid, uint64_t *tids, size_t most)
{
	struct wanted w = { tids, 0 };

	for (size_t i = 0; i < t->name_count && w.count < most; i++) {
		const struct trace_name *n = &t->names[i];

		if (n->type == FXT_OBJECT_THREAD && !is_wanted(&w, n->koid) &&
		    (n->process == (uint64_t)pid || !strcmp(n->text, "sleep") ||
		     (!strcmp(n->text, "sh") && n->koid > (uint64_t)pid)))
			tids[w.count++] = n->koid;
	}
	return w.count;
}

SOURCE_TEST(filter, pids_and_their_children)
{
	unsigned int naps = scaled(50);
	struct worker other = { .name = "other", .cpu = ANY_CPU, .run = worker_nap, .arg = &naps };
	struct wanted w = { 0 };
	uint64_t tids[64];
	char pid[16], line[64];
	struct family f;
	const struct trace_stream *s;
	const struct trace_event *e;
	unsigned long sleeps = 0;

	ASSERT_EQ(0, family_start(&f));
	snprintf(pid, sizeof(pid), "%d", f.pid);
	snprintf(line, sizeof(line), "filter pids %d", f.pid);
	ASSERT_BEGIN("-p", pid);
	ASSERT_EQ(0, worker_start(&other));
	ASSERT_EQ(0, family_run(&f));
	ASSERT_EQ(0, worker_join(&other));
	ASSERT_FINE(load(&self->c, &self->t, line, &self->why));
	w.tids = tids;
	w.count = find_family(&self->t, f.pid, tids, ARRAY_SIZE(tids));
	ASSERT_LE(4U, w.count);
	EXPECT_FINE(check_sides(&self->t, &w, &self->why));
	trace_for_each_event(&self->t, s, e)
		if (!e->is_wakeup && e->sw.out != (uint64_t)f.pid && is_wanted(&w, e->sw.out))
			sleeps += e->sw.state == FXT_THREAD_BLOCKED;
	EXPECT_LE(3U, sleeps);
}

static unsigned long count_sleeps(const struct trace *t, uint64_t tid)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	unsigned long sleeps = 0;

	trace_for_each_event(t, s, e)
		sleeps += !e->is_wakeup && e->sw.out == tid &&
			  e->sw.state == FXT_THREAD_BLOCKED;
	return sleeps;
}

/* --- names -------------------------------------------------------------------------- */

SOURCE_TEST(filter, comm)
{
	unsigned int naps = scaled(50);
	struct worker threads[] = {
		{ .name = "wanta one" }, { .name = "wantc" }, { .name = "wantd" },
		{ .name = "unwanta" },
	};
	uint64_t tids[2];
	struct wanted w = { tids, 2 };

	ASSERT_BEGIN("--comm", "want[a-c]*");
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
		threads[i].cpu = ANY_CPU;
		threads[i].run = worker_nap;
		threads[i].arg = &naps;
		ASSERT_EQ(0, worker_start(&threads[i]));
	}
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		ASSERT_EQ(0, worker_join(&threads[i]));
	ASSERT_FINE(load(&self->c, &self->t, "filter comm want[a-c]*", &self->why));
	for (size_t i = 0; i < 2; i++)
		tids[i] = threads[i].tid;
	EXPECT_FINE(check_sides(&self->t, &w, &self->why));
	for (size_t i = 0; i < 2; i++) {
		unsigned long sleeps = threads[i].counts.voluntary - threads[i].begun.voluntary;

		EXPECT_LE(naps, sleeps);
		EXPECT_LE(sleeps, count_sleeps(&self->t, tids[i]));
	}
}

/* A thread that has its name from the start matches at once. */
SOURCE_TEST(filter, comm_of_old_threads)
{
	struct child child;
	uint64_t tid;
	struct wanted w = { &tid, 1 };
	const struct trace_stream *s;
	const struct trace_event *e;
	unsigned long seen = 0;

	ASSERT_EQ(0, child_start(&child, self->dir, CHILD_PREFIX " old"));
	ASSERT_BEGIN("--comm", "fxt-child?old");
	ASSERT_EQ(0, child_counts(&child));
	ASSERT_EQ(0, child_end(&child));
	ASSERT_FINE(load(&self->c, &self->t, "filter comm fxt-child?old", &self->why));
	tid = child.pid;
	EXPECT_FINE(check_sides(&self->t, &w, &self->why));
	trace_for_each_event(&self->t, s, e)
		seen += !e->is_wakeup && e->sw.out == tid;
	EXPECT_LE(1U, seen);
}

/* --- cgroups -------------------------------------------------------------------------- */

static struct cgroup cgroup;
static char cgroup_path[40];

#define NEEDS_CGROUP() do {							\
	const char *missing = cgroup_make(&cgroup, self->dir, false);		\
										\
	if (missing)								\
		SKIP(return, "%s: %s", missing, strerror(errno));		\
	snprintf(cgroup_path, sizeof(cgroup_path), "/%s", cgroup.name);			\
} while (0)

SOURCE_TEST(filter, cgroup)
{
	char line[64];
	unsigned int naps = scaled(50);
	struct worker other = { .name = "other", .cpu = ANY_CPU, .run = worker_nap, .arg = &naps };
	struct wanted w = { 0 };
	uint64_t tids[64];
	struct family f;

	NEEDS_CGROUP();
	ASSERT_EQ(0, family_start(&f));
	ASSERT_EQ(0, cgroup_enter(&cgroup, f.pid));
	ASSERT_BEGIN("--cgroup", cgroup.dir);
	ASSERT_EQ(0, worker_start(&other));
	ASSERT_EQ(0, family_run(&f));
	ASSERT_EQ(0, worker_join(&other));
	snprintf(line, sizeof(line), "filter cgroup %s", cgroup_path);
	ASSERT_FINE(load(&self->c, &self->t, line, &self->why));
	EXPECT_NOT_IN(self->c.text, "no thread in it");
	w.tids = tids;
	w.count = find_family(&self->t, f.pid, tids, ARRAY_SIZE(tids));
	ASSERT_LE(4U, w.count);
	EXPECT_FINE(check_sides(&self->t, &w, &self->why));
	cgroup_remove(&cgroup);
}

/* A process that comes to be in the cgroup is in it for reports, even if it has ended by then. */
SOURCE_TEST(filter, moved_to_the_cgroup)
{
	char pid[32];
	struct child child;
	struct tool t;

	NEEDS_CGROUP();
	ASSERT_EQ(0, child_start(&child, self->dir, CHILD_PREFIX "moved"));
	ASSERT_BEGIN(NULL);
	ASSERT_EQ(0, cgroup_enter(&cgroup, child.pid));
	ASSERT_EQ(0, child_counts(&child));
	ASSERT_EQ(0, child_end(&child));
	ASSERT_FINE(record_end(&self->c, &self->why));
	tool_run(&t, ARGS("report", "--json", "--cgroup", cgroup_path, self->c.output));
	snprintf(pid, sizeof(pid), "\"tid\":%d,", child.pid);
	EXPECT_NE(NULL, strstr(t.out, pid)) TH_LOG("%s%.200s", t.err, t.out);
	cgroup_remove(&cgroup);
}

/* The recording continues: a thread may still enter the cgroup. */
SOURCE_TEST(filter, empty_cgroup)
{
	char said[96];

	NEEDS_CGROUP();
	snprintf(said, sizeof(said), "--cgroup %s: no thread in it or below it", cgroup_path);
	EXPECT_EQ(0, collector_run(&self->c, self->dir, ARGS("--cgroup", cgroup.dir, "-d", "100ms",
							     "-s", self->source)));
	EXPECT_IN(self->c.text, said);
	cgroup_remove(&cgroup);
}

/* A name that no thread has is reported, also with --quiet. */
SOURCE_TEST(filter, comm_of_nobody)
{
	EXPECT_EQ(0, collector_run(&self->c, self->dir, ARGS("--comm", "nosuch", "-q", "-d",
							     "100ms", "-s", self->source)));
	EXPECT_NE(NULL, strstr(self->c.text, "recorded no switch, because no thread that ran matches the filter (--comm nosuch)"))
		TH_LOG("%s", collector_said(&self->c));
}

/* --- threads that do not match ------------------------------------------------------- */

#define BUSY	4
#define NAPS	20	/* long enough for busy threads to take turns */

/*
 * From now on, all threads that the test starts share one CPU, so that a thread that is switched
 * out lets one of the others in. Return: the CPU for the thread that wakes the child: another one,
 * if possible.
 */
static int share_cpu(void)
{
	int cpus[MAX_CPUS];
	unsigned int count = allowed_cpus(cpus);

	if (!count)
		return ANY_CPU;
	pin(cpus[0]);
	return cpus[count - 1];
}

static void be_busy(struct worker *w)
{
	const volatile bool *done = w->arg;

	while (!*done)
		;
}

static int busy_start(struct worker *busy, volatile bool *done)
{
	int i, ret = 0;

	for (i = 0; i < BUSY && !ret; i++) {
		busy[i] = (struct worker){ .cpu = ANY_CPU, .run = be_busy, .arg = (void *)done };
		snprintf(busy[i].name, sizeof(busy[i].name), "busy-%d", i);
		ret = worker_start(&busy[i]);
	}
	return ret;
}

/*
 * Return: the time for which Perfetto draws a thread as running: from each switch-in to the next
 * switch on that CPU, which must switch it out.
 */
static uint64_t drawn(const struct trace *t, uint64_t tid)
{
	const struct trace_event *e, *in;
	uint64_t ns = 0;

	for (const struct trace_stream *s = t->streams; s < t->streams + t->stream_count; s++)
		for (e = s->events, in = NULL; e < s->events + s->event_count; e++) {
			if (e->is_wakeup)
				continue;
			if (in && e->sw.out == tid)
				ns += e->time - in->time;
			in = e->sw.in == tid ? e : NULL;
		}
	return ns;
}

static bool is_null(struct json_object *j, const char *key)
{
	struct json_object *value = NULL;

	return json_object_object_get_ex(j, key, &value) && !value;
}

/* Check that each busy thread ran for as long as it is drawn, and that its waits are unknown. */
static int check_busy(const struct trace *t, const char *path, const struct worker *busy,
		      struct why *why)
{
	struct json_object *j, *threads;
	const struct trace_stream *s;
	const struct trace_event *e;
	unsigned int ends = 0, i, k;
	struct tool tool;
	int ret = 0;

	if (tool_run(&tool, ARGS("report", "--json", "--comm", "busy-*", path)))
		return complain(why, "fxt report ended with status %d: %.400s", tool.status,
				tool.err);
	j = json_tokener_parse(tool.out);
	if (!json_object_object_get_ex(j, "threads", &threads))
		return complain(why, "fxt report --json: %.400s", tool.out);
	for (i = 0; i < json_object_array_length(threads) && !ret; i++) {
		struct json_object *one = json_object_array_get_idx(threads, i);
		int64_t tid = number(one, "tid"), run = number(one, "run_ns"), ns;

		for (k = 0; k < BUSY && busy[k].tid != tid; k++)
			;
		ns = drawn(t, tid);
		if (k < BUSY && (run != ns || number(one, "preempted") ||
				 !is_null(one, "preempted_waits") || !is_null(one, "woken")))
			ret = complain(why, "busy-%u: drawn for %jd ns, the report says: %.300s",
				       k, (intmax_t)ns, json_object_to_json_string(one));
	}
	trace_for_each_event(t, s, e)
		ends += !e->is_wakeup && fxt_switch_hides_in(&e->sw);
	if (!ret && !ends)
		ret = complain(why, "nothing ends the run of any thread that does not match");
	return ret;
}

/* A sleeping child matches; busy threads are switched in when it goes to sleep. */
static int among_others(struct collector *c, const char *dir, const char *source,
			const char *option, const char *value, struct child *child,
			int elsewhere, struct worker *busy, struct why *why)
{
	volatile bool done = false;
	int ret;

	if (busy_start(busy, &done))
		return complain(why, "cannot start threads");
	pin(elsewhere);
	ret = record_begin(c, dir, source, ARGS(option, value), why);
	for (unsigned int i = 0; i < NAPS && !ret; i++) {
		sleep_ms(20);
		if (child_counts(child))
			ret = complain(why, "the child ended");
	}
	done = true;
	for (unsigned int i = 0; i < BUSY; i++)
		worker_join(&busy[i]);
	return ret;
}

#define EXPECT_ONLY_WHAT_WAS_RECORDED(option, value, line)			\
	do {									\
		struct worker busy[BUSY];					\
										\
		ASSERT_FINE(among_others(&self->c, self->dir, self->source, option, value, \
					 &child, elsewhere, busy, &self->why));	\
		ASSERT_FINE(load(&self->c, &self->t, line, &self->why));	\
		EXPECT_FINE(trace_check_chain(&self->t, &self->why));		\
		/* With a filter, it is unknown whether threads are hidden. */	\
		if (in_guest())							\
			EXPECT_FINE(trace_check_threads(&self->t, &self->why));	\
		EXPECT_FINE(check_busy(&self->t, self->c.output, busy, &self->why)); \
		EXPECT_EQ(0, child_end(&child));				\
	} while (0)

SOURCE_TEST(filter, others_beside_a_pid)
{
	char pid[16], line[64];
	struct child child;
	int elsewhere;

	elsewhere = share_cpu();
	ASSERT_EQ(0, child_start(&child, self->dir, CHILD_PREFIX));
	snprintf(pid, sizeof(pid), "%d", child.pid);
	snprintf(line, sizeof(line), "filter pids %d", child.pid);
	EXPECT_ONLY_WHAT_WAS_RECORDED("-p", pid, line);
}

SOURCE_TEST(filter, others_beside_a_comm)
{
	struct child child;
	int elsewhere;

	elsewhere = share_cpu();
	ASSERT_EQ(0, child_start(&child, self->dir, CHILD_PREFIX " tick"));
	EXPECT_ONLY_WHAT_WAS_RECORDED("--comm", CHILD_PREFIX "?tick",
				      "filter comm " CHILD_PREFIX "?tick");
}

SOURCE_TEST(filter, others_beside_a_cgroup)
{
	struct child child;
	char line[64];
	int elsewhere;

	elsewhere = share_cpu();
	NEEDS_CGROUP();
	ASSERT_EQ(0, child_start(&child, self->dir, CHILD_PREFIX));
	ASSERT_EQ(0, cgroup_enter(&cgroup, child.pid));
	snprintf(line, sizeof(line), "filter cgroup %s", cgroup_path);
	EXPECT_ONLY_WHAT_WAS_RECORDED("--cgroup", cgroup.dir, line);
	cgroup_remove(&cgroup);
}
