// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An interrupted thread is not a waker, in the archive and in the report; a thread that wakes
 * another one is. On PREEMPT_RT, a thread does the work of timers.
 */
#include <arpa/inet.h>
#include <json-c/json.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "off_cpu.h"
#include "real_time.h"
#include "source_fixture.h"
#include "tool.h"

#define NAP_NS		1000000

SOURCE_FIXTURE(irq);

struct causes {
	unsigned int all;
	unsigned int irqs[FXT_SCHED_IRQ_NMI + 1];
	unsigned int by[2];		/* wakeups by the given thread, and by others */
	unsigned int nobody;
};

static struct causes causes_of(const struct trace *t, pid_t tid, pid_t waker)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	struct causes c = { 0 };

	trace_for_each_event(t, s, e) {
		if (!e->is_wakeup || e->wakeup.thread != (uint64_t)tid)
			continue;
		c.all++;
		if (e->wakeup.has_irq)
			c.irqs[e->wakeup.irq]++;
		else if (e->wakeup.has_waker)
			c.by[e->wakeup.waker != (uint64_t)waker]++;
		else
			c.nobody++;
	}
	return c;
}

static const char *timers_missing(void)
{
	return is_preempt_rt() ? "the kernel is PREEMPT_RT: a thread serves timers" : NULL;
}

struct spinner {
	atomic_bool *ends;
	struct worker w;
};

static void spin(struct worker *w)
{
	const struct spinner *s = w->arg;

	while (!atomic_load_explicit(s->ends, memory_order_relaxed))
		;
}

static void nap(struct worker *w)
{
	for (unsigned int i = 0; i < *(const unsigned int *)w->arg; i++)
		sleep_off_cpu(NAP_NS);
}

static int nap_beside_spinners(struct spinner *spinners, unsigned int count, struct worker *w)
{
	atomic_bool ends = false;
	int cpus[MAX_CPUS], ret = 0;
	unsigned int i, cpu_count = allowed_cpus(cpus);

	for (i = 0; i < count; i++) {
		spinners[i].ends = &ends;
		spinners[i].w = (struct worker){ .name = "bystander", .run = spin,
						 .arg = &spinners[i],
						 .cpu = cpus[i % cpu_count] };
		ret |= worker_start(&spinners[i].w);
	}
	ret |= worker_start(w) | worker_join(w);
	atomic_store(&ends, true);
	for (i = 0; i < count; i++)
		ret |= worker_join(&spinners[i].w);
	return ret;
}

static struct json_object *thread_in(struct json_object *report, pid_t tid)
{
	struct json_object *threads = json_object_object_get(report, "threads"), *t;

	for (size_t i = 0; i < json_object_array_length(threads); i++) {
		t = json_object_array_get_idx(threads, i);
		if (json_object_get_int64(json_object_object_get(t, "tid")) == tid)
			return t;
	}
	return NULL;
}

/* Check that the interrupt is first in the list of wakers, without any bystander. */
static void check_report(struct __test_metadata *_metadata, const char *archive, pid_t tid)
{
	struct json_object *report, *t, *wakers, *w;
	struct tool tool;
	const char *name;

	ASSERT_EQ(0, tool_run(&tool, ARGS("report", "--all", "--json", archive)))
		TH_LOG("%s", tool.err);
	report = json_tokener_parse(tool.out);
	t = thread_in(report, tid);
	ASSERT_NE(NULL, t);
	wakers = json_object_object_get(t, "wakers");
	ASSERT_LT(0U, json_object_array_length(wakers));
	for (size_t i = 0; i < json_object_array_length(wakers); i++) {
		w = json_object_array_get_idx(wakers, i);
		name = json_object_get_string(json_object_object_get(w, "name"));
		EXPECT_FALSE(name && !strcmp(name, "bystander"));
		if (i)
			continue;
		name = json_object_get_string(json_object_object_get(w, "irq"));
		EXPECT_TRUE(name && !strcmp(name, "hard"));
		EXPECT_EQ(NULL, json_object_object_get(w, "tid"));
	}
}

SOURCE_TEST(irq, timer)
{
	unsigned int naps = scaled(200), count, i;
	struct worker w = { .name = "napper", .cpu = ANY_CPU, .run = nap, .arg = &naps };
	struct spinner spinners[2 * MAX_CPUS];
	struct causes c;
	int cpus[MAX_CPUS];

	if (timers_missing())
		SKIP(return, "%s", timers_missing());
	count = 2 * allowed_cpus(cpus);
	ASSERT_BEGIN(NULL);
	ASSERT_EQ(0, nap_beside_spinners(spinners, count, &w));
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));

	c = causes_of(&self->t, w.tid, spinners[0].w.tid);
	EXPECT_LE(naps / 2, c.irqs[FXT_SCHED_IRQ_HARD]);
	for (i = 0; i < count; i++)
		EXPECT_EQ(0U, causes_of(&self->t, w.tid, spinners[i].w.tid).by[0]);
	check_report(_metadata, self->c.output, w.tid);
}

static unsigned int switches_to(const struct trace *t, pid_t tid)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	unsigned int count = 0;

	trace_for_each_event(t, s, e)
		count += !e->is_wakeup && e->sw.in == (uint64_t)tid;
	return count;
}

/* With a filter, the interrupted thread is not taken for the waker either. */
SOURCE_TEST(irq, filtered)
{
	unsigned int naps = scaled(200), count;
	struct worker w = { .name = "napper", .cpu = ANY_CPU, .run = nap, .arg = &naps };
	struct spinner spinners[2 * MAX_CPUS];
	int cpus[MAX_CPUS];

	if (timers_missing())
		SKIP(return, "%s", timers_missing());
	count = 2 * allowed_cpus(cpus);
	ASSERT_BEGIN("--comm", "bystander");
	ASSERT_EQ(0, nap_beside_spinners(spinners, count, &w));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_LT(0U, switches_to(&self->t, spinners[0].w.tid));
	EXPECT_EQ(0U, causes_of(&self->t, w.tid, 0).all);
}

struct receiver {
	int fd;
	unsigned int packets;
	atomic_uint received;
	struct worker w;
};

static void receive(struct worker *w)
{
	struct receiver *r = w->arg;
	char byte;

	while (r->received < r->packets) {
		w->failed |= recv(r->fd, &byte, 1, 0) != 1;
		r->received++;
	}
}

/* Connect two sockets of this machine. Return: 0; -1 if there is no lo. */
static int connect_sockets(int *fds)
{
	struct sockaddr_in at[2] = { { .sin_family = AF_INET }, { .sin_family = AF_INET } };
	socklen_t size = sizeof(at[0]);

	for (int i = 0; i < 2; i++) {
		at[i].sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		fds[i] = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
		if (fds[i] < 0 || bind(fds[i], (struct sockaddr *)&at[i], size) ||
		    getsockname(fds[i], (struct sockaddr *)&at[i], &size))
			return -1;
	}
	return connect(fds[1], (struct sockaddr *)&at[0], size);
}

/*
 * Send packets one after the other, each when the other side waits for it. The other side may still
 * sleep because ksoftirqd has not delivered the previous packet.
 */
static int send_packets(int fd, const struct receiver *r)
{
	int ret = 0;

	for (unsigned int i = 0; i < r->packets; i++) {
		while (r->received < i || !sleeps_in(r->w.tid, SYS_recvfrom, NULL))
			sleep_ms(1);
		ret |= send(fd, "x", 1, 0) != 1;
	}
	return ret;
}

/* A soft interrupt receives packets of lo; the kernel makes the sender serve it. */
SOURCE_TEST(irq, network)
{
	struct receiver r = { .packets = scaled(100) };
	struct causes c;
	int fds[2];

	if (connect_sockets(fds))
		SKIP(return, "lo is down");
	r.fd = fds[0];
	r.w = (struct worker){ .name = "receiver", .cpu = ANY_CPU, .run = receive, .arg = &r };
	ASSERT_BEGIN(NULL);
	ASSERT_EQ(0, worker_start(&r.w));
	ASSERT_EQ(0, send_packets(fds[1], &r));
	ASSERT_EQ(0, worker_join(&r.w));
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));
	close(fds[0]);
	close(fds[1]);

	/* This thread also created and started the receiver; ksoftirqd may have woken it, too. */
	c = causes_of(&self->t, r.w.tid, gettid());
	EXPECT_LE(r.packets / 2, c.irqs[FXT_SCHED_IRQ_SOFT]);
	EXPECT_LE(r.packets, c.irqs[FXT_SCHED_IRQ_SOFT] + c.by[1]);
	EXPECT_GE(4U, c.by[0]);
}

SOURCE_TEST(irq, threads)
{
	struct pair pair = { .rounds = scaled(1000) };
	unsigned int woken = 0;
	struct causes c;
	int i, cpus[MAX_CPUS];

	allowed_cpus(cpus);
	for (i = 0; i < 2; i++)
		pair.ends[i].cpu = cpus[0];
	ASSERT_BEGIN(NULL);
	ASSERT_EQ(0, pairs_run(&pair, 1));
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));
	for (i = 0; i < 2; i++) {
		c = causes_of(&self->t, pair.ends[i].tid, pair.ends[!i].tid);
		EXPECT_EQ(0U, c.irqs[FXT_SCHED_IRQ_SOFT] + c.irqs[FXT_SCHED_IRQ_NMI]);
		EXPECT_EQ(0U, c.nobody);
		woken += c.by[0];
	}
	/*
	 * At least one wakeup in each round: a thread that is preempted by the one that it wakes
	 * need not sleep.
	 */
	EXPECT_LE(pair.rounds / 2, woken);
}
