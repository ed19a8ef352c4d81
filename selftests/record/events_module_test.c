// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The module's events of interrupts, idle states, migrations, frequencies and work items: exact
 * ledgers, the kernel's counts in /proc, exactly the events that the test caused; slices nest, and
 * those that began before the recording are missing. kmod_events.h checks each record.
 * events_{task,syscall,ipi}_module_test.c have the other groups.
 */
#include <ctype.h>

#include "kernel_counts.h"
#include "kmod_events.h"
#include "kmod_fixture.h"
#include "kmod_result.h"

#define ALL_EVENTS	(FXT_SCHED_EVENTS_IRQ | FXT_SCHED_EVENTS_MIGRATE |	\
			 FXT_SCHED_EVENTS_IDLE | FXT_SCHED_EVENTS_FREQ |	\
			 FXT_SCHED_EVENTS_WORK | FXT_SCHED_EVENTS_TASK |	\
			 FXT_SCHED_EVENTS_SYSCALL)

/* A CPU can be in the middle of an interrupt when the recording begins or ends. */
#define IN_FLIGHT	1

KMOD_FIXTURE(events_module);

/* --- the load ------------------------------------------------------------------------- */

/*
 * Threads sleep, wake each other across CPUs, and look up files that do not exist. In a guest, the
 * devices of the file system and of the console interrupt in turn.
 */
static int make_load(void)
{
	int console = open("/dev/ttyS0", O_WRONLY | O_NOCTTY | O_NONBLOCK);
	unsigned int naps = scaled(100), i;
	struct pair pairs[] = {
		{ .rounds = scaled(400), .ends = { { .cpu = 0 }, { .cpu = 0 } } },
		{ .rounds = scaled(400), .ends = { { .cpu = 0 }, { .cpu = 1 } } },
	};
	struct worker napper = { .cpu = 0, .run = worker_nap, .arg = &naps };
	int ret = worker_start(&napper);
	char path[64];

	for (i = 0; i < 20; i++) {
		snprintf(path, sizeof(path), "/usr/no-such-file-%d-%u", getpid(), i);
		/* A port that is not there can be opened: EIO. */
		if (!access(path, F_OK) ||
		    (console >= 0 && write(console, "\r", 1) != 1 && errno != EIO))
			ret = -1;
	}
	if (console >= 0)
		close(console);
	if (pairs_run(pairs, sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 : 1))
		ret = -1;
	return worker_join(&napper) ? -1 : ret;
}

/* --- configuration -------------------------------------------------------------------- */

SOURCE_TEST(events_module, only_what_was_requested)
{
	struct fxt_sched_config c;
	struct result r;

	for (uint64_t bit = FXT_SCHED_EVENTS_IRQ; bit <= FXT_SCHED_EVENTS_SYSCALL; bit <<= 1) {
		c = result_config(bit);
		ASSERT_FINE(result_record(&r, &self->d[0], &c, make_load, &self->why));
		EXPECT_FINE(result_check_counters(&r, &self->d[0], &self->why));
		EXPECT_EQ(0U, kmod_events_count_kind(&r.events, ~bit))
			TH_LOG("events 0x%jx", (uintmax_t)bit);
		result_free(&r);
		kmod_close(&self->d[0]);
	}
}

SOURCE_TEST(events_module, unknown_group)
{
	struct fxt_sched_config c = result_config(FXT_SCHED_EVENTS_IRQ | 1ULL << 40);
	struct kmod_session *d = &self->d[0];

	ASSERT_EQ(0, kmod_open(d));
	EXPECT_EQ(EINVAL, kmod_configure(d, &c));
	EXPECT_IN(d->reason, "0x10000000000");
	c.events = ALL_EVENTS;
	EXPECT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s", d->reason);
}

SOURCE_TEST(events_module, all_groups_with_each_clock)
{
	static const struct {
		int32_t id;
		uint32_t flags;
	} clocks[] = { { CLOCK_BOOTTIME, 0 }, { CLOCK_MONOTONIC, 0 }, { 0, FXT_SCHED_TSC } };
	struct fxt_sched_config c = result_config(ALL_EVENTS);
	struct result r;

	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		c.clockid = clocks[i].id;
		c.flags = clocks[i].flags;
		ASSERT_EQ(0, kmod_open(&self->d[1]));
		if (kmod_configure(&self->d[1], &c)) {
			EXPECT_EQ(FXT_SCHED_TSC, clocks[i].flags);
		} else {
			ASSERT_FINE(result_record(&r, &self->d[0], &c, make_load, &self->why));
			EXPECT_FINE(result_check_counters(&r, &self->d[0], &self->why));
			EXPECT_NE(0U, kmod_events_count_kind(&r.events, FXT_SCHED_EVENTS_IRQ));
			result_free(&r);
			kmod_close(&self->d[0]);
		}
		kmod_close(&self->d[1]);
	}
}

SOURCE_TEST(events_module, lost)
{
	struct fxt_sched_config c = result_config(ALL_EVENTS);
	struct result r;

	c.subbuf_size = 4 << 10;
	c.subbuf_count = 2;
	ASSERT_FINE(result_record(&r, &self->d[0], &c, make_load, &self->why));
	EXPECT_NE(0U, result_lost(&r));
}

/* --- interrupts ----------------------------------------------------------------------- */

static const struct vector {
	const char *line;
	uint32_t first;
	uint32_t last;
} vectors[] = {
#ifdef __aarch64__
	{ "IPI0", FXT_STR_VECTOR_RESCHEDULE, FXT_STR_VECTOR_RESCHEDULE },
	{ "IPI1", FXT_STR_VECTOR_CALL, FXT_STR_VECTOR_CALL },
#else
	{ "LOC", FXT_STR_VECTOR_LOCAL_TIMER, FXT_STR_VECTOR_LOCAL_TIMER },
	{ "RES", FXT_STR_VECTOR_RESCHEDULE, FXT_STR_VECTOR_RESCHEDULE },
	{ "CAL", FXT_STR_VECTOR_CALL, FXT_STR_VECTOR_CALL_SINGLE },
	{ "IWI", FXT_STR_VECTOR_IRQ_WORK, FXT_STR_VECTOR_IRQ_WORK },
#endif
};

struct counts_bracket {
	struct kernel_counts before;
	struct kernel_counts began;
	struct kernel_counts ends;
	struct kernel_counts after;
};

static bool is_device(const struct count_row *row)
{
	return isdigit((unsigned char)row->name[0]);
}

/* Count the events of an interrupt's handlers on a CPU; their names must be in its line. */
static int count_handlers(const struct kmod_events *events, uint32_t cpu, uint32_t irq,
			  const struct count_row *line, uint64_t *n, struct why *why)
{
	const struct kmod_event *e;

	*n = 0;
	kmod_for_each_event(events, e) {
		if (e->stream != cpu || e->name != FXT_STR_IRQ || e->args[0] != irq)
			continue;
		if (!strstr(line->text, e->label))
			return complain(why, "interrupt %u has no handler '%s': %s", irq,
					e->label, line->text);
		++*n;
	}
	return 0;
}

/*
 * The number of records must be at least what the kernel counted within the recording, and at most
 * what it counted around it.
 */
static int check_count(const struct counts_bracket *b, const char *name, uint32_t cpu,
		       uint64_t n, struct why *why)
{
	uint64_t inner = kernel_counts_between(&b->began, &b->ends, name, cpu);
	uint64_t outer = kernel_counts_between(&b->before, &b->after, name, cpu), handlers = 1;
	const struct count_row *row = kernel_counts_row(&b->after, name);

	for (const char *at = row && is_device(row) ? row->text : ""; (at = strchr(at, ',')); at++)
		handlers++;
	if (n + IN_FLIGHT >= inner && n <= outer * handlers)
		return 0;
	return complain(why, "%s on CPU %u: %ju records, the kernel counts %ju to %ju",
			name, cpu, (uintmax_t)n, (uintmax_t)inner, (uintmax_t)outer);
}

static int check_interrupts(const struct counts_bracket *b, const struct kmod_events *events,
			    uint32_t cpu, struct why *why)
{
	const struct count_row *row;
	uint64_t n;

	for (size_t i = 0; i < ARRAY_SIZE(vectors); i++) {
		n = kmod_events_count(events, cpu, vectors[i].first, vectors[i].last);
		if (check_count(b, vectors[i].line, cpu, n, why))
			return -1;
	}
	for (row = b->after.rows; row < b->after.rows + b->after.count; row++) {
		if (!is_device(row))
			continue;
		if (count_handlers(events, cpu, atoi(row->name), row, &n, why) ||
		    check_count(b, row->name, cpu, n, why))
			return -1;
	}
	return 0;
}

static int check_softirqs(const struct counts_bracket *b, const struct kmod_events *events,
			  uint32_t cpu, struct why *why)
{
	for (uint32_t vector = 0; vector < b->after.count; vector++)
		if (check_count(b, b->after.rows[vector].name, cpu, kmod_events_count(events, cpu,
						  FXT_STR_SOFTIRQ_FIRST + vector,
						  FXT_STR_SOFTIRQ_FIRST + vector), why))
			return -1;
	return 0;
}

SOURCE_TEST(events_module, interrupts)
{
	struct fxt_sched_config c = result_config(FXT_SCHED_EVENTS_IRQ);
	struct counts_bracket irqs, softirqs;
	struct kmod_session *d = &self->d[0];
	struct result r;

	kernel_counts_read(&irqs.before, "/proc/interrupts");
	kernel_counts_read(&softirqs.before, "/proc/softirqs");
	ASSERT_FINE(kmod_start(d, &c, &self->why));
	kernel_counts_read(&irqs.began, "/proc/interrupts");
	kernel_counts_read(&softirqs.began, "/proc/softirqs");
	ASSERT_EQ(0, make_load());
	kernel_counts_read(&irqs.ends, "/proc/interrupts");
	kernel_counts_read(&softirqs.ends, "/proc/softirqs");
	ASSERT_FINE(result_finish(&r, d, false, &self->why));
	kernel_counts_read(&irqs.after, "/proc/interrupts");
	kernel_counts_read(&softirqs.after, "/proc/softirqs");

	EXPECT_FINE(result_check_counters(&r, d, &self->why));
	for (uint32_t cpu = 0; cpu < r.streams.count; cpu++) {
		EXPECT_FINE(check_interrupts(&irqs, &r.events, cpu, &self->why));
		EXPECT_FINE(check_softirqs(&softirqs, &r.events, cpu, &self->why));
	}
	EXPECT_FINE(kmod_events_check_nesting(&r.events, &self->why));
}

/* --- idle states ---------------------------------------------------------------------- */

/* The thread that runs on a CPU, according to its switches; -1 before the first switch. */
struct runner {
	int64_t tid;
	uint64_t since;
};

static void runner_follow(struct runner *runner, const uint64_t *rec)
{
	if (kmod_record_is_switch(rec))
		*runner = (struct runner){ .tid = (uint32_t)rec[3], .since = rec[1] };
}

/* Check that a CPU is in an idle state only while its idle thread runs. */
static int check_idle(const struct kmod_stream *s, unsigned int *slices, struct why *why)
{
	struct runner runner = { .tid = -1 };
	const uint64_t *rec;

	for (size_t at = 0; (rec = kmod_stream_next(s, &at)); runner_follow(&runner, rec)) {
		if (!kmod_record_is_event(rec))
			continue;
		++*slices;
		if (runner.tid >= 0 && (runner.tid || rec[1] < runner.since))
			return complain(why, "cpu%u: idle from %ju, but %jd runs since %ju",
					s->cpu, (uintmax_t)rec[1], (intmax_t)runner.tid,
					(uintmax_t)runner.since);
	}
	return 0;
}

/* How often each idle state was used; no rows if the machine has none. */
static void read_usage(struct kernel_counts *k)
{
	unsigned int found = 1;
	char path[96];
	FILE *f;

	memset(k, 0, sizeof(*k));
	for (struct count_row *row = k->rows; found; row++) {
		snprintf(row->name, sizeof(row->name), "state%zu", k->count);
		found = 0;
		for (unsigned int cpu = 0; cpu < MAX_CPUS; cpu++) {
			snprintf(path, sizeof(path),
				 "/sys/devices/system/cpu/cpu%u/cpuidle/state%zu/usage",
				 cpu, k->count);
			f = fopen(path, "r");
			if (!f)
				continue;
			found |= fscanf(f, "%ju", (uintmax_t *)&row->cpu[cpu]) == 1;
			fclose(f);
		}
		k->count += found;
	}
}

SOURCE_TEST(events_module, idle_states)
{
	struct fxt_sched_config c = result_config(FXT_SCHED_EVENTS_IDLE);
	struct counts_bracket usage;
	unsigned int i, slices = 0;
	struct result r;

	read_usage(&usage.before);
	ASSERT_FINE(result_record(&r, &self->d[0], &c, make_load, &self->why));
	read_usage(&usage.after);
	EXPECT_FINE(result_check_counters(&r, &self->d[0], &self->why));
	for (i = 0; i < r.streams.count; i++)
		EXPECT_FINE(check_idle(&r.streams.cpus[i], &slices, &self->why));
	EXPECT_NE(0U, slices);
	usage.began = usage.ends = usage.before;
	for (i = 0; i < usage.after.count * r.streams.count; i++)
		EXPECT_FINE(check_count(&usage, usage.after.rows[i / r.streams.count].name,
					i % r.streams.count,
					kmod_events_count(&r.events, i % r.streams.count,
							  FXT_STR_IDLE_FIRST + i / r.streams.count,
							  FXT_STR_IDLE_FIRST + i / r.streams.count),
					&self->why));
}

/* --- migrations ----------------------------------------------------------------------- */

#define MOVES	50

static int move_around(void)
{
	pin(0);
	for (unsigned int i = 0; i < MOVES; i++)
		pin(!(i & 1));
	return 0;
}

static const struct kmod_event *next_move(const struct kmod_events *events, uint64_t after)
{
	const struct kmod_event *e, *first = NULL;

	kmod_for_each_event(events, e)
		if (e->kind == FXT_SCHED_EVENTS_MIGRATE && e->thread == (uint64_t)gettid() &&
		    e->begin > after && (!first || e->begin < first->begin))
			first = e;
	return first;
}

SOURCE_TEST(events_module, migrations)
{
	struct fxt_sched_config c = result_config(FXT_SCHED_EVENTS_MIGRATE);
	const struct kmod_event *e;
	unsigned int n = 0;
	struct result r;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		SKIP(return, "there is only one CPU");
	pin(0);
	ASSERT_FINE(result_record(&r, &self->d[0], &c, move_around, &self->why));
	EXPECT_FINE(result_check_counters(&r, &self->d[0], &self->why));
	for (e = next_move(&r.events, 0); e; e = next_move(&r.events, e->begin), n++) {
		EXPECT_EQ(n & 1, e->args[0]);
		EXPECT_EQ(1 - (n & 1), e->args[1]);
	}
	EXPECT_EQ((unsigned int)MOVES, n);
}

/* --- work items ----------------------------------------------------------------------- */

#define ROUNDS	10

static int make_work(void)
{
	int fd, ret = 0;

	for (unsigned int i = 0; i < ROUNDS; i++) {
		fd = open("/proc/sys/vm/stat_refresh", O_WRONLY);
		if (fd < 0 || write(fd, "1", 1) != 1)
			ret = -1;
		close(fd);
	}
	return ret;
}

SOURCE_TEST(events_module, work_items)
{
	struct fxt_sched_config c = result_config(FXT_SCHED_EVENTS_WORK);
	const struct kmod_event *e;
	unsigned int n = 0;
	struct result r;

	ASSERT_FINE(result_record(&r, &self->d[0], &c, make_work, &self->why));
	EXPECT_FINE(result_check_counters(&r, &self->d[0], &self->why));
	kmod_for_each_event(&r.events, e)
		n += !strcmp(e->label, "refresh_vm_stats");
	EXPECT_EQ(ROUNDS * sysconf(_SC_NPROCESSORS_ONLN), (long)n);
}

/* --- filters -------------------------------------------------------------------------- */

/* Check that a filter by process keeps no event that interrupts other processes. */
static int check_kept(const struct kmod_stream *s, uint64_t *n, struct why *why)
{
	struct runner runner = { .tid = -1 };
	const uint64_t *rec;

	for (size_t at = 0; (rec = kmod_stream_next(s, &at)); runner_follow(&runner, rec)) {
		if (!kmod_record_is_event(rec))
			continue;
		++*n;
		if (fxt_get(FXT_EVENT_NAME, rec[0]) == FXT_STR_MIGRATE ?
		    rec[2] != (uint64_t)getpid() : runner.tid >= 0 && runner.tid != gettid())
			return complain(why, "cpu%u: an event at %ju, while %jd runs", s->cpu,
					(uintmax_t)rec[1], (intmax_t)runner.tid);
	}
	return 0;
}

/* Let only this thread run, so that every switch to it is known. */
static int spin(void)
{
	uint64_t ends = boottime_ns() + 300000000;

	while (boottime_ns() < ends)
		;
	return move_around();
}

SOURCE_TEST(events_module, filter_by_process)
{
	struct fxt_sched_config c = result_config(ALL_EVENTS);
	__u32 pid = getpid();
	uint64_t n = 0;
	struct result r;

	c.filter_pids = (uintptr_t)&pid;
	c.filter_pid_count = 1;
	ASSERT_FINE(result_record(&r, &self->d[0], &c, spin, &self->why));
	EXPECT_FINE(result_check_counters(&r, &self->d[0], &self->why));
	for (unsigned int i = 0; i < r.streams.count; i++)
		EXPECT_FINE(check_kept(&r.streams.cpus[i], &n, &self->why));
	EXPECT_NE(0U, n);
	EXPECT_EQ(0U, kmod_events_count_kind(&r.events, FXT_SCHED_EVENTS_IDLE |
							FXT_SCHED_EVENTS_FREQ |
							FXT_SCHED_EVENTS_WORK));
}

SOURCE_TEST(events_module, filter_by_cpu)
{
	struct fxt_sched_config c = result_config(ALL_EVENTS & ~FXT_SCHED_EVENTS_MIGRATE);
	const struct kmod_event *e;
	__u32 cpus = 1;
	struct result r;

	c.filter_cpus = (uintptr_t)&cpus;
	c.filter_cpu_words = 1;
	ASSERT_FINE(result_record(&r, &self->d[0], &c, make_load, &self->why));
	EXPECT_FINE(result_check_counters(&r, &self->d[0], &self->why));
	EXPECT_NE(0U, r.events.count);
	kmod_for_each_event(&r.events, e)
		EXPECT_EQ(0U, e->stream);
}

/* --- the beginning of a recording ------------------------------------------------------ */

/* Check that all events begin after @since. */
static int check_begins(const struct result *r, uint64_t since, struct why *why)
{
	const struct kmod_event *e;

	kmod_for_each_event(&r->events, e)
		if (e->begin < since)
			return complain(why, "cpu%u: an event from %ju on, before %ju",
					e->stream, (uintmax_t)e->begin, (uintmax_t)since);
	return 0;
}

SOURCE_TEST(events_module, slices_from_before)
{
	struct fxt_sched_config c = result_config(ALL_EVENTS);
	struct kmod_session *d = &self->d[0];
	struct fxt_sched_status status;
	struct result r;

	c.flags = FXT_SCHED_OVERWRITE;
	ASSERT_FINE(kmod_start(d, &c, &self->why));
	for (unsigned int i = 0; i < 10; i++) {
		ASSERT_EQ(0, kmod_request(d, FXT_SCHED_IOC_FREEZE));
		/* CPUs become idle now, and are still idle when the recording continues. */
		sleep_ms(20);
		ASSERT_EQ(0, kmod_status(d, &status));
		ASSERT_EQ(0, kmod_request(d, FXT_SCHED_IOC_THAW));
		ASSERT_EQ(0, make_work());
	}
	ASSERT_FINE(result_finish(&r, d, true, &self->why));
	EXPECT_NE(0U, r.events.count);
	EXPECT_FINE(check_begins(&r, status.now, &self->why));
}
