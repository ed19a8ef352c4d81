// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Waits that no wakeup in the recording begins, and waits in several run queues: fxt why explains
 * all of the thread's time, by the CPUs where it waited. Other processes may have these CPUs as
 * well, so nothing is said of who had them.
 */
#include <stdatomic.h>
#include <sys/syscall.h>

#include "json_get.h"
#include "off_cpu.h"
#include "source_fixture.h"
#include "tool.h"

#define QUEUE_MS	400
#define KNOWN		99	/* percent */

SOURCE_FIXTURE(waits);

static atomic_bool is_over;

static void spin(struct worker *w)
{
	(void)w;
	while (!atomic_load(&is_over))
		;
}

/* @arg: a pipe that stays empty until the recording is over */
static void doze(struct worker *w)
{
	char byte;

	w->failed |= read(*(const int *)w->arg, &byte, 1) != 1;
}

/* With SCHED_IDLE, a thread waits for each other one of its CPU. */
static int set_policy(pid_t tid, int policy)
{
	const struct sched_param none = { 0 };

	return sched_setscheduler(tid, policy, &none);
}

static int move_to(pid_t tid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(tid, sizeof(set), &set);
}

/** struct queue - "queued" waits behind the first hog, and behind the second one if it is moved */
struct queue {
	struct worker hogs[2];
	struct worker queued;
	bool is_moved;
};

static int queue_begin(struct queue *q, const int *cpus)
{
	*q = (struct queue){
		/* Less urgent than the collector and the tool. */
		.hogs = { { .name = "hog0", .cpu = cpus[0], .nice = 10, .run = spin },
			  { .name = "hog1", .cpu = cpus[1], .nice = 10, .run = spin } },
		.queued = { .name = "queued", .cpu = cpus[0], .run = spin },
	};
	atomic_store(&is_over, false);
	if (worker_start(&q->queued) || set_policy(q->queued.tid, SCHED_IDLE) ||
	    worker_start(&q->hogs[0]))
		return -1;
	sleep_ms(QUEUE_MS / 4);
	return 0;
}

/* The other CPU is left to the collector until it records. */
static int queue_move(struct queue *q)
{
	q->is_moved = true;
	return worker_start(&q->hogs[1]) | move_to(q->queued.tid, q->hogs[1].cpu);
}

static int queue_end(struct queue *q)
{
	atomic_store(&is_over, true);
	return set_policy(q->queued.tid, SCHED_OTHER) | worker_join(&q->hogs[0]) |
	       (q->is_moved ? worker_join(&q->hogs[1]) : 0) | worker_join(&q->queued);
}

struct answer {
	uint64_t window;	/* ns of all its time */
	uint64_t known;	/* of these, that are explained */
	uint64_t runnable[2];	/* of these, on each of the two CPUs */
	uint64_t ran;	/* ns that it had a CPU */
};

static uint64_t ns_since(struct json_object *part, uint64_t since)
{
	uint64_t from = amount(part, "from_ns"), to = amount(part, "to_ns");

	from = from > since ? from : since;
	return to > from ? to - from : 0;
}

static void add_part(struct answer *a, struct json_object *part, uint64_t since, const int *cpus)
{
	const char *cause = json_object_get_string(member(part, "cause"));
	uint64_t ns = ns_since(part, since);

	a->known += strcmp(cause, "unknown") ? ns : 0;
	a->ran += strcmp(cause, "running") ? 0 : ns;
	for (int cpu = 0; cpu < 2 && !strcmp(cause, "runnable"); cpu++)
		if (member(part, "cpu") && amount(part, "cpu") == (uint64_t)cpus[cpu])
			a->runnable[cpu] += ns;
}

/*
 * Until the recording's gate begins, a thread may get its CPU for a moment before all threads are
 * listed; then its state until that moment is not known. So time before that does not count.
 */
static int ask_why(struct answer *a, const struct collector *c, const char *thread, const int *cpus,
		   struct why *why)
{
	struct json_object *answer, *parts;
	struct tool t;

	memset(a, 0, sizeof(*a));
	tool_run(&t, ARGS("why", "--json", "--thread", thread, c->output));
	answer = t.status ? NULL : json_tokener_parse(t.out);
	parts = member(answer, "parts");
	if (!parts)
		complain(why, "fxt why: %s%.400s", t.err, t.out);
	if (!parts)
		return -1;
	a->window = ns_since(member(answer, "window"), c->began);
	for (size_t i = 0; i < json_object_array_length(parts); i++)
		add_part(a, json_object_array_get_idx(parts, i), c->began, cpus);
	return 0;
}

/* Is the wait among the longest of fxt report, as one that began before the recording? */
static bool is_reported_early(const char *archive, const char *thread)
{
	struct json_object *report, *worst, *wait;
	bool is_found = false;
	struct tool t;

	tool_run(&t, ARGS("report", "--all", "--json", archive));
	report = t.status ? NULL : json_tokener_parse(t.out);
	worst = member(report, "worst");
	for (size_t i = 0; worst && i < json_object_array_length(worst); i++) {
		wait = json_object_array_get_idx(worst, i);
		is_found |= !strcmp(json_object_get_string(member(wait, "name")), thread) &&
			    !strcmp(json_object_get_string(member(wait, "kind")), "early");
	}
	return is_found;
}

SOURCE_TEST(waits, from_before_the_start_until_after_the_end)
{
	int cpus[MAX_CPUS];
	struct queue q;
	struct answer a;

	if (allowed_cpus(cpus) < 2)
		SKIP(return, "there is one CPU only");
	ASSERT_EQ(0, queue_begin(&q, cpus));
	ASSERT_BEGIN(NULL);
	sleep_ms(QUEUE_MS);
	ASSERT_FINE(record_end(&self->c, &self->why));
	ASSERT_EQ(0, queue_end(&q));
	ASSERT_FINE(ask_why(&a, &self->c, "queued", cpus, &self->why));
	EXPECT_LT(QUEUE_MS * 1000000ULL, a.window);
	EXPECT_LE(a.window / 100 * KNOWN, a.known);
	EXPECT_LE(a.window / 100 * KNOWN, a.runnable[0] + a.ran);
	EXPECT_TRUE(a.ran || is_reported_early(self->c.output, "queued"));
}

SOURCE_TEST(waits, moved_meanwhile)
{
	int cpus[MAX_CPUS];
	struct queue q;
	struct answer a;

	if (allowed_cpus(cpus) < 2)
		SKIP(return, "there is one CPU only");
	ASSERT_EQ(0, queue_begin(&q, cpus));
	ASSERT_BEGIN(NULL);
	sleep_ms(QUEUE_MS);
	ASSERT_EQ(0, queue_move(&q));
	sleep_ms(QUEUE_MS);
	ASSERT_FINE(record_end(&self->c, &self->why));
	ASSERT_EQ(0, queue_end(&q));
	ASSERT_FINE(ask_why(&a, &self->c, "queued", cpus, &self->why));
	EXPECT_LE(a.window / 100 * KNOWN, a.runnable[0] + a.runnable[1] + a.ran);
	EXPECT_LE(QUEUE_MS / 2 * 1000000ULL, a.runnable[0]);
	EXPECT_LE(QUEUE_MS / 2 * 1000000ULL, a.runnable[1]);
}

SOURCE_TEST(waits, asleep_all_the_time)
{
	int cpus[MAX_CPUS], ends[2];
	struct worker w = { .name = "dozing", .cpu = ANY_CPU, .run = doze, .arg = ends };
	struct answer a;

	allowed_cpus(cpus);
	ASSERT_EQ(0, pipe(ends));
	ASSERT_EQ(0, worker_start(&w));
	wait_until_in(&w.tid, SYS_read, NULL);
	ASSERT_BEGIN(NULL);
	sleep_ms(QUEUE_MS);
	ASSERT_FINE(record_end(&self->c, &self->why));
	ASSERT_EQ(1, write(ends[1], "", 1));
	ASSERT_EQ(0, worker_join(&w));
	close(ends[0]);
	close(ends[1]);
	ASSERT_FINE(ask_why(&a, &self->c, "dozing", cpus, &self->why));
	EXPECT_LE(a.window / 100 * KNOWN, a.known);
	EXPECT_EQ(0U, a.runnable[0] + a.runnable[1] + a.ran);
}
