// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Interrupts, idle states, migrations and work items: between two readings of the kernel's own
 * counts, each CPU has as many recorded events as the kernel counted. Slices of a CPU are disjoint
 * or nested; every record is stored or counted as lost, also those of programs that interrupt
 * others.
 */
#include <arpa/inet.h>
#include <linux/membarrier.h>
#include <stdatomic.h>
#include <sys/socket.h>

#include "groups_fixture.h"
#include "kernel_counts.h"
#include "off_cpu.h"

SOURCE_FIXTURE(events);

#define STAT_REFRESH	"/proc/sys/vm/stat_refresh"

/* --- what happens ----------------------------------------------------------------------- */

/* Send packets to itself, which soft interrupts receive. Return: 0; -1 if there is no lo. */
static int send_packets(unsigned int packets)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), ret = -1;
	socklen_t size = sizeof(at);
	char byte;

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd >= 0 && !bind(fd, (struct sockaddr *)&at, size) &&
	    !getsockname(fd, (struct sockaddr *)&at, &size) &&
	    !connect(fd, (struct sockaddr *)&at, size))
		ret = 0;
	for (; !ret && packets; packets--)
		ret = send(fd, "x", 1, 0) == 1 && recv(fd, &byte, 1, 0) == 1 ? 0 : -1;
	if (fd >= 0)
		close(fd);
	return ret;
}

static int membarrier(int command)
{
	return syscall(__NR_membarrier, command, 0, 0);
}

static void send_some(struct worker *w)
{
	w->failed |= send_packets(*(const unsigned int *)w->arg);
}

static void nap(struct worker *w)
{
	const struct timespec ns = { .tv_nsec = 50000 };
	const atomic_bool *ends = w->arg;

	while (!atomic_load(ends))
		nanosleep(&ns, NULL);
}

static void interrupt(struct worker *w)
{
	const atomic_bool *ends = w->arg;

	if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED))
		return;
	while (!atomic_load(ends))
		membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

/* On one CPU, timers and another CPU interrupt soft interrupts. */
static int interrupt_packets(unsigned int packets, int cpu, int other)
{
	atomic_bool ends = false;
	struct worker w[] = {
		{ .name = "napper", .run = nap, .arg = &ends, .cpu = cpu },
		{ .name = "napper", .run = nap, .arg = &ends, .cpu = cpu },
		{ .name = "interrupter", .run = interrupt, .arg = &ends, .cpu = other },
		{ .name = "sender", .run = send_some, .arg = &packets, .cpu = cpu },
	};
	size_t count = sizeof(w) / sizeof(w[0]), i;
	int ret = 0;

	for (i = 0; i < count; i++)
		ret |= worker_start(&w[i]);
	ret |= worker_join(&w[count - 1]);
	atomic_store(&ends, true);
	for (i = 0; i < count - 1; i++)
		ret |= worker_join(&w[i]);
	return ret;
}

/* --- counting ------------------------------------------------------------------------------ */

struct counted {
	const char *row;
	uint16_t category;
	uint16_t names[2];
};

static const struct counted vectors[] = {
	{ "LOC", FXT_STR_IRQ, { FXT_STR_VECTOR_LOCAL_TIMER, 0 } },
	{ "RES", FXT_STR_IRQ, { FXT_STR_VECTOR_RESCHEDULE, 0 } },
	{ "CAL", FXT_STR_IRQ, { FXT_STR_VECTOR_CALL, FXT_STR_VECTOR_CALL_SINGLE } },
	{ "IWI", FXT_STR_IRQ, { FXT_STR_VECTOR_IRQ_WORK, 0 } },
	/* arm64 */
	{ "IPI0", FXT_STR_IRQ, { FXT_STR_VECTOR_RESCHEDULE, 0 } },
	{ "IPI1", FXT_STR_IRQ, { FXT_STR_VECTOR_CALL, 0 } },
};

static bool is_counted(const struct trace_group_event *e, const struct counted *what,
		       const char *name, uint32_t cpu)
{
	if (e->stream != cpu || e->category != what->category)
		return false;
	return name ? !strcmp(e->text, name) :
		      e->name && (e->name == what->names[0] || e->name == what->names[1]);
}

/*
 * The kernel counted @expected events between two readings. The archive must have at least as many
 * that overlap the time from the begin of the first reading to the end of the second one, and at
 * most as many that are completely between the readings.
 */
static int check_count(const struct trace *t, const struct counted *what, const char *name,
		       uint32_t cpu, uint64_t expected, const struct kernel_counts *a,
		       const struct kernel_counts *b, bool exactly, struct why *why)
{
	const struct trace_group_event *e;
	uint64_t most = 0, least = 0;

	for (e = t->group_events; e < t->group_events + t->group_event_count; e++) {
		if (!is_counted(e, what, name, cpu))
			continue;
		most += e->time >= a->from && e->begin <= b->to;
		least += e->begin >= a->to && e->time <= b->from;
	}
	if (least <= expected && (!exactly || most >= expected))
		return 0;
	return complain(why, "%s on CPU %u: the kernel counted %llu, recorded are %llu to %llu",
			name ? name : what->row, cpu, (unsigned long long)expected,
			(unsigned long long)least, (unsigned long long)most);
}

static int check_vectors(const struct trace *t, const struct kernel_counts *a,
			 const struct kernel_counts *b, struct why *why)
{
	bool exactly = sees_all(t);
	unsigned int cpu;

	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
		for (cpu = 0; kernel_counts_row(a, vectors[i].row) && cpu < MAX_CPUS; cpu++)
			if (check_count(t, &vectors[i], NULL, cpu,
					kernel_counts_between(a, b, vectors[i].row, cpu), a, b,
					exactly, why))
				return -1;
	return 0;
}

static int check_softirqs(const struct trace *t, const struct kernel_counts *a,
			  const struct kernel_counts *b, struct why *why)
{
	static const struct counted soft = { .category = FXT_STR_SOFTIRQ };
	bool exactly = sees_all(t);

	for (size_t i = 0; i < a->count; i++)
		for (unsigned int cpu = 0; cpu < MAX_CPUS; cpu++)
			if (check_count(t, &soft, a->rows[i].name, cpu,
					kernel_counts_between(a, b, a->rows[i].name, cpu), a, b,
					exactly, why))
				return -1;
	return 0;
}

static int check_devices(const struct trace *t, const struct kernel_counts *a,
			 const struct kernel_counts *b, struct why *why)
{
	const struct trace_group_event *e;
	const struct count_row *row;
	const char *last;
	char number[16];

	for (e = t->group_events; e < t->group_events + t->group_event_count; e++) {
		if (e->category != FXT_STR_IRQ || e->name)
			continue;
		snprintf(number, sizeof(number), "%u", (unsigned int)e->args[0]);
		row = kernel_counts_row(b, number);
		/* arm64 hides the numbers of interrupts between CPUs. */
		if (!row && !strcmp(e->text, "IPI"))
			continue;
		last = row ? strrchr(row->text, ' ') : NULL;
		if (!last || strcmp(last + 1, e->text))
			return complain(why, "interrupt %s is of%s in /proc/interrupts, recorded as %s",
					number, last ? last : " nothing", e->text);
		if (e->begin >= a->to && e->time <= b->from &&
		    !kernel_counts_between(a, b, number, e->stream))
			return complain(why, "interrupt %s on CPU %u: the kernel counted none",
					number, e->stream);
	}
	return 0;
}

/* --- nesting ----------------------------------------------------------------------------- */

/*
 * Slices of a CPU come in the order of their ends. A slice that encloses others began before all of
 * them; the others before it ended before it began.
 */
static int check_nesting(const struct trace *t, uint32_t cpu, struct why *why)
{
	const struct trace_group_event *e, **open = calloc(t->group_event_count + 1, sizeof(*open));
	size_t count = 0;
	int ret = 0;

	if (!open)
		abort();
	for (e = t->group_events; e < t->group_events + t->group_event_count && !ret; e++) {
		if (e->stream != cpu || e->kind != FXT_KIND_DURATION_COMPLETE ||
		    e->category == FXT_STR_WORK)
			continue;
		while (count && open[count - 1]->begin >= e->begin)
			count--;
		if (count && open[count - 1]->time > e->begin)
			ret = complain(why, "byte %llu: CPU %u: %s overlaps %s",
				       (unsigned long long)e->offset, cpu, e->text,
				       open[count - 1]->text);
		open[count++] = e;
	}
	return ret;
}

static int check_all(const struct trace *t, struct why *why)
{
	for (size_t i = 0; i < t->stream_count; i++)
		if (check_nesting(t, t->streams[i].id, why))
			return -1;
	return trace_check_all(t, why);
}

static unsigned int count_of(const struct trace *t, uint16_t category, const char *name)
{
	const struct trace_group_event *e;
	unsigned int count = 0;

	for (e = t->group_events; e < t->group_events + t->group_event_count; e++)
		count += e->category == category && (!name || !strcmp(e->text, name));
	return count;
}

/* --- interrupts --------------------------------------------------------------------------- */

TEST_F(events, interrupts)
{
	struct kernel_counts *hard = calloc(2, sizeof(*hard)), *soft = calloc(2, sizeof(*soft));
	unsigned int packets = scaled(5000), count;
	int cpus[MAX_CPUS];

	ASSERT_NE(NULL, hard);
	ASSERT_NE(NULL, soft);
	BEGIN("-e", "irq", "-b", "64M");
	count = allowed_cpus(cpus);
	ASSERT_EQ(0, kernel_counts_read(&hard[0], "/proc/interrupts"));
	ASSERT_EQ(0, kernel_counts_read(&soft[0], "/proc/softirqs"));
	ASSERT_EQ(0, interrupt_packets(packets, cpus[0], cpus[count - 1]));
	ASSERT_EQ(0, kernel_counts_read(&soft[1], "/proc/softirqs"));
	ASSERT_EQ(0, kernel_counts_read(&hard[1], "/proc/interrupts"));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	ASSERT_FINE(check_all(&self->t, &self->why));

	EXPECT_FINE(check_vectors(&self->t, &hard[0], &hard[1], &self->why));
	EXPECT_FINE(check_softirqs(&self->t, &soft[0], &soft[1], &self->why));
	EXPECT_FINE(check_devices(&self->t, &hard[0], &hard[1], &self->why));
	EXPECT_LE(packets, count_of(&self->t, FXT_STR_SOFTIRQ, "NET_RX"));
}

/* With the smallest buffers, programs interrupt one that completes a sub-buffer or finds none. */
TEST_F(events, full)
{
	unsigned int packets = scaled(10000), count;
	int cpus[MAX_CPUS];

	BEGIN("-e", "all", "-b", "8K");
	count = allowed_cpus(cpus);
	ASSERT_EQ(0, interrupt_packets(packets, cpus[0], cpus[count - 1]));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_FINE(trace_check_kept(&self->t, &self->why));
}

/* --- filters ----------------------------------------------------------------------------- */

/* Does the event hit a thread of that name? A thread may get its name while it runs. */
static bool hits(const struct trace *t, const struct trace_group_event *e, const char *name)
{
	const struct trace_stream *s = trace_stream(t, e->stream);
	const struct trace_event *before = s->events + s->event_count;
	const struct trace_name *n;

	while (before-- > s->events)
		if (!before->is_wakeup && before->offset < e->offset)
			break;
	if (before < s->events)
		return true;
	n = trace_find_name(t, FXT_OBJECT_THREAD, before->sw.in);
	return n && !strcmp(n->text, name);
}

TEST_F(events, filtered)
{
	unsigned int packets = scaled(2000), count;
	int cpus[MAX_CPUS];

	BEGIN("-e", "all", "--comm", "sender", "-b", "64M");
	count = allowed_cpus(cpus);
	ASSERT_EQ(0, interrupt_packets(packets, cpus[0], cpus[count - 1]));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_FINE(trace_check_ledgers(&self->t, &self->why));

	EXPECT_LE(packets / 2, count_of(&self->t, FXT_STR_SOFTIRQ, "NET_RX"));
	EXPECT_EQ(0U, count_of(&self->t, FXT_STR_IDLE, NULL));
	EXPECT_EQ(0U, count_of(&self->t, FXT_STR_WORK, NULL));
	for (const struct trace_group_event *e = self->t.group_events;
	     e < self->t.group_events + self->t.group_event_count; e++)
		ASSERT_TRUE((e->category != FXT_STR_IRQ && e->category != FXT_STR_SOFTIRQ) ||
			    hits(&self->t, e, "sender"));
}

SOURCE_TEST(events, of_cpu)
{
	unsigned int packets = scaled(500);
	char cpu[16];
	int cpus[MAX_CPUS];

	if (allowed_cpus(cpus) < 2)
		SKIP(return, "there is one CPU only");
	snprintf(cpu, sizeof(cpu), "%d", cpus[1]);
	BEGIN("-e", "all", "-C", cpu, "-b", "64M");
	ASSERT_EQ(0, interrupt_packets(packets, cpus[0], cpus[1]));
	ASSERT_EQ(0, interrupt_packets(packets, cpus[1], cpus[0]));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_FINE(trace_check_ledgers(&self->t, &self->why));

	EXPECT_LE(packets, count_of(&self->t, FXT_STR_SOFTIRQ, "NET_RX"));
	for (const struct trace_group_event *e = self->t.group_events;
	     e < self->t.group_events + self->t.group_event_count; e++)
		/*
		 * Any CPU can write the counter of another CPU's run queue, and the recorder
		 * writes that of the host's time outside of streams.
		 */
		ASSERT_TRUE((uint32_t)cpus[1] == e->stream || e->name == FXT_STR_MIGRATE ||
			    ((e->thread == FXT_SCHED_KOID_LOAD || e->thread == FXT_SCHED_KOID_STEAL) &&
			     e->id == (uint64_t)cpus[1]));
}

/* --- migrations ---------------------------------------------------------------------------- */

/* Return: the last CPU of a chain of migrations; UINT64_MAX if there is none or it is broken. */
static uint64_t follow(const struct trace *t, pid_t tid, unsigned int *moves)
{
	const struct trace_group_event *e, *best;
	uint64_t at = UINT64_MAX, time = 0;

	for (*moves = 0; ; (*moves)++) {
		best = NULL;
		for (e = t->group_events; e < t->group_events + t->group_event_count; e++)
			if (e->name == FXT_STR_MIGRATE && e->thread == (uint64_t)tid &&
			    e->time > time && (!best || e->time < best->time))
				best = e;
		if (!best)
			return at;
		if (*moves && best->args[0] != at)
			return UINT64_MAX;
		at = best->args[1];
		time = best->time;
	}
}

SOURCE_TEST(events, migrations)
{
	unsigned int moves = scaled(200), recorded, i;
	int cpus[MAX_CPUS];
	cpu_set_t before;
	uint64_t last;

	if (allowed_cpus(cpus) < 2)
		SKIP(return, "there is one CPU only");
	ASSERT_EQ(0, sched_getaffinity(0, sizeof(before), &before));
	BEGIN("-e", "migrate");
	for (i = 0; i <= moves; i++)
		pin(cpus[i % 2]);
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(before), &before));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	ASSERT_FINE(check_all(&self->t, &self->why));

	last = follow(&self->t, gettid(), &recorded);
	EXPECT_LE(moves, recorded);
	if (sees_all(&self->t))
		EXPECT_NE(UINT64_MAX, last);
}

/* --- work items ---------------------------------------------------------------------------- */

static unsigned int hidden_events(const struct collector *c)
{
	const char *line = strstr(c->text, "the kernel hid ");
	unsigned int count = 0;

	if (line)
		sscanf(line, "the kernel hid %u events", &count);
	return count;
}

/* Reading this file makes the kernel execute a work item on each CPU. */
TEST_F(events, work)
{
	unsigned int rounds = scaled(50), i;
	const struct trace_name *name;
	char byte;
	int fd;

	BEGIN("-e", "work");
	fd = open(STAT_REFRESH, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		SKIP(return, "cannot read " STAT_REFRESH);
	for (i = 0; i < rounds; i++)
		ASSERT_LE(0, pread(fd, &byte, 1, 0));
	close(fd);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	ASSERT_FINE(check_all(&self->t, &self->why));

	EXPECT_LE(rounds * sysconf(_SC_NPROCESSORS_ONLN),
		  count_of(&self->t, FXT_STR_WORK, "refresh_vm_stats") + hidden_events(&self->c))
		TH_LOG("%s", self->c.text);
	for (const struct trace_group_event *e = self->t.group_events;
	     e < self->t.group_events + self->t.group_event_count; e++) {
		if (e->name == FXT_STR_MIGRATE)
			continue;
		name = trace_find_name(&self->t, FXT_OBJECT_THREAD, e->thread);
		ASSERT_NE(NULL, name);
		EXPECT_EQ(0, strncmp(name->text, "kworker/", 8)) TH_LOG("%s", name->text);
	}
}

/* --- idle states -------------------------------------------------------------------------- */

/* Does the idle thread run on the CPU all the time from the begin of the idle state to its end? */
static bool runs_idle(const struct trace *t, const struct trace_group_event *idle)
{
	const struct trace_stream *s = trace_stream(t, idle->stream);

	for (const struct trace_event *e = s->events; e < s->events + s->event_count; e++) {
		if (e->is_wakeup)
			continue;
		if (e->time >= idle->time)
			return e->sw.out == 0;
		if (e->time > idle->begin)
			return false;
	}
	return true;
}

static unsigned int times_idle(const struct trace *t)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	unsigned int count = 0;

	trace_for_each_event(t, s, e)
		count += !e->is_wakeup && !e->sw.in;
	return count;
}

TEST_F(events, idle)
{
	unsigned int naps = scaled(100), i;

	BEGIN("-e", "idle");
	for (i = 0; i < naps; i++)
		sleep_off_cpu(5000000);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	ASSERT_FINE(check_all(&self->t, &self->why));

	for (const struct trace_group_event *e = self->t.group_events;
	     e < self->t.group_events + self->t.group_event_count; e++) {
		if (e->kind == FXT_KIND_DURATION_COMPLETE)
			EXPECT_TRUE(runs_idle(&self->t, e))
				TH_LOG("byte %llu", (unsigned long long)e->offset);
	}
	if (!in_guest())
		SKIP(return, "other work may keep all CPUs busy");
	EXPECT_LT(0U, times_idle(&self->t));
	EXPECT_LE(naps / 2, count_of(&self->t, FXT_STR_IDLE, NULL));
}
