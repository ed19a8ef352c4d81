// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Load, and interrupts that CPUs send to each other, from situations whose events are known. A
 * group that the kernel lacks is refused by name, and not part of "all".
 */
#include <linux/membarrier.h>
#include <stdatomic.h>

#include "groups_fixture.h"
#include "kernel_counts.h"

SOURCE_FIXTURE(groups_cpus);
BPF_FIXTURE(groups_bpf);	/* modules have no access to run queues */

#define SPINNERS	5U
#define GUEST_MOST	20U	/* threads at once; a guest runs only this test */
#define PELT_ONE	1024U	/* the average of one thread that always runs or wants to */

static void spin(struct worker *w)
{
	const atomic_bool *ends = w->arg;

	while (!atomic_load(ends))
		;
}

static int run_spinners(struct worker *w, int cpu, unsigned int ms)
{
	atomic_bool ends = false;
	int ret = 0;

	for (unsigned int i = 0; i < SPINNERS; i++) {
		w[i] = (struct worker){ .name = "spinner", .cpu = cpu, .run = spin,
					.arg = &ends };
		ret |= worker_start(&w[i]);
	}
	sleep_ms(ms);
	atomic_store(&ends, true);
	for (unsigned int i = 0; i < SPINNERS; i++)
		ret |= worker_join(&w[i]);
	return ret;
}

struct run_queue {
	uint64_t counted;	/* ns for which the counter was at least SPINNERS */
	uint64_t longest;	/* the largest value */
};

/* Follow the values in the order of time: other CPUs write some of them. */
static struct run_queue follow_queue(const struct trace *t, uint64_t cpu)
{
	const struct trace_group_event *e, *next = NULL, *last = NULL;
	struct run_queue q = { 0, 0 };

	for (;;) {
		next = NULL;
		for_each_group_event(e, t)
			if (e->name == FXT_STR_RUN_QUEUE && e->id == cpu &&
			    (!last || e->time > last->time) && (!next || e->time <= next->time))
				next = e;
		if (last && next && last->args[0] >= SPINNERS)
			q.counted += next->time - last->time;
		if (!next)
			return q;
		last = next;
		if (next->args[0] > q.longest)
			q.longest = next->args[0];
	}
}

TEST_F(groups_bpf, run_queue)
{
	struct worker spinners[SPINNERS];
	const struct trace_group_event *e;
	int cpus[MAX_CPUS];
	struct run_queue q;
	uint64_t runnable = 0;

	BEGIN("-e", "load", "-b", "64M");
	allowed_cpus(cpus);
	ASSERT_EQ(0, run_spinners(spinners, cpus[0], 300));
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));

	q = follow_queue(&self->t, cpus[0]);
	EXPECT_LE(300000000ULL / 2, q.counted);
	/* Other threads may want to run there, too. */
	EXPECT_LE(SPINNERS, q.longest);
	EXPECT_GE(in_guest() ? GUEST_MOST : self->t.name_count, q.longest);
	for_each_group_event(e, &self->t) {
		if (e->name != FXT_STR_PELT)
			continue;
		EXPECT_EQ(FXT_SCHED_KOID_LOAD, e->thread);
		if (e->id == (uint64_t)cpus[0] && e->args[2] > runnable)
			runnable = e->args[2];
	}
	EXPECT_LE((SPINNERS - 1) * PELT_ONE, runnable);
}

TEST_F(groups_bpf, load_of_process)
{
	struct worker spinners[SPINNERS];
	const struct trace_group_event *e;
	unsigned int i, of[SPINNERS] = { 0 };
	int cpus[MAX_CPUS];
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", getpid());
	BEGIN("-e", "load", "-p", pid, "-b", "64M");
	allowed_cpus(cpus);
	ASSERT_EQ(0, run_spinners(spinners, cpus[0], 100));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));

	for_each_group_event(e, &self->t) {
		if (e->name != FXT_STR_PELT)
			continue;
		EXPECT_EQ((uint64_t)getpid(), e->process);
		EXPECT_GE(PELT_ONE, e->args[0]);
		EXPECT_EQ(e->thread, e->id);
		for (i = 0; i < SPINNERS; i++)
			of[i] += e->thread == (uint64_t)spinners[i].tid;
	}
	for (i = 0; i < SPINNERS; i++)
		EXPECT_LT(0U, of[i]);
}

#define BARRIERS	200U		/* while all spinners run */
#define PATIENCE	100000U		/* most barriers until then */
#define IN_FLIGHT	1	/* sent but not received when the kernel's counts are read */
#define CALL_FUNCTION	"generic_smp_call_function"	/* what interrupted CPUs have to do */

struct turns {
	atomic_bool ends;	/* the threads have to end */
	size_t count;	/* number of threads */
	atomic_ulong of[MAX_CPUS];	/* number of turns of each thread */
};

struct turner {
	struct turns *all;
	size_t index;
};

static void turn(struct worker *w)
{
	const struct turner *t = w->arg;

	while (!atomic_load(&t->all->ends))
		atomic_fetch_add(&t->all->of[t->index], 1);
}

/* Has each thread turned since @before? Stores the present numbers of turns there. */
static bool all_turned(struct turns *t, unsigned long *before)
{
	bool all = true;
	unsigned long now;

	for (size_t i = 0; i < t->count; i++) {
		now = atomic_load(&t->of[i]);
		all &= now != before[i];
		before[i] = now;
	}
	return all;
}

/* Each barrier interrupts the CPUs on which other threads of this process run. */
static void send_barriers(struct worker *w)
{
	unsigned long before[MAX_CPUS] = { 0 };
	unsigned int done = 0, i;
	struct turns *t = w->arg;

	w->failed = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
	for (i = 0; i < PATIENCE && done < BARRIERS && !w->failed; i++) {
		w->failed = syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
		if (all_turned(t, before))
			done++;
		else
			sleep_ms(1);
	}
}

static bool calls(const struct trace_group_event *e, uint64_t cpu)
{
	if (e->category != FXT_STR_IPI || strncmp(e->text, CALL_FUNCTION, strlen(CALL_FUNCTION)))
		return false;
	return e->arg_count == 1 ? e->args[0] == cpu : e->args[1] >> cpu & 1;
}

static int check_calls_of(const struct trace *t, uint64_t cpu, const struct kernel_counts *a,
			  const struct kernel_counts *b, struct why *why)
{
	uint64_t counted = kernel_counts_between(a, b, "CAL", cpu), most = IN_FLIGHT, least = 0;
	const struct trace_group_event *e;

	if (!kernel_counts_row(a, "CAL"))
		return 0;
	for_each_group_event(e, t) {
		if (!calls(e, cpu))
			continue;
		most += e->time >= a->from && e->time <= b->to;
		least += e->time >= a->to && e->time <= b->from;
	}
	if (least <= counted + IN_FLIGHT && (!sees_all(t) || counted <= most))
		return 0;
	return complain(why, "the kernel counted %llu interrupts, recorded are %llu to %llu",
			(unsigned long long)counted, (unsigned long long)least,
			(unsigned long long)most);
}

static int interrupt_turners(const int *cpus, size_t count, pid_t *tid,
			     struct kernel_counts *counts)
{
	struct turns turns = { .count = count - 1 };
	struct worker sender = { .name = "sender", .run = send_barriers, .cpu = cpus[0],
				 .arg = &turns };
	struct worker workers[MAX_CPUS];
	struct turner turners[MAX_CPUS];
	int ret = kernel_counts_read(&counts[0], "/proc/interrupts");

	for (size_t i = 0; i < count - 1; i++) {
		turners[i] = (struct turner){ &turns, i };
		workers[i] = (struct worker){ .name = "turner", .cpu = cpus[i + 1],
					      .run = turn, .arg = &turners[i] };
		ret |= worker_start(&workers[i]);
	}
	ret |= worker_start(&sender);
	ret |= worker_join(&sender);
	*tid = sender.tid;
	atomic_store(&turns.ends, true);
	for (size_t i = 0; i < count - 1; i++)
		ret |= worker_join(&workers[i]);
	return ret | kernel_counts_read(&counts[1], "/proc/interrupts");
}

SOURCE_TEST(groups_cpus, barriers)
{
	struct kernel_counts *counts = calloc(2, sizeof(*counts));
	const struct trace_group_event *e;
	unsigned int sent = 0;
	int cpus[MAX_CPUS];
	pid_t sender;

	ASSERT_NE(NULL, counts);
	if (allowed_cpus(cpus) < 2)
		SKIP(return, "there is one CPU only");
	BEGIN("-e", "ipi", "-b", "64M");
	if (interrupt_turners(cpus, 2, &sender, counts))
		SKIP(return, "the kernel has no barrier that interrupts other CPUs");
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));

	EXPECT_FINE(check_calls_of(&self->t, cpus[1], &counts[0], &counts[1], &self->why));
	for_each_group_event(e, &self->t)
		sent += e->thread == (uint64_t)sender && calls(e, cpus[1]);
	EXPECT_LT(0U, sent);
}

/* One record for all CPUs that are interrupted at once has their number and a mask. */
SOURCE_TEST(groups_cpus, masks)
{
	struct kernel_counts *counts = calloc(2, sizeof(*counts));
	const struct trace_group_event *e;
	unsigned int count, i, sent = 0;
	uint64_t mask = 0;
	int cpus[MAX_CPUS];
	pid_t sender;

	ASSERT_NE(NULL, counts);
	count = allowed_cpus(cpus);
	if (count < 3)
		SKIP(return, "there are less than three CPUs");
	for (i = 1; i < count; i++)
		mask |= 1ULL << cpus[i];
	BEGIN("-e", "ipi", "-b", "64M");
	if (interrupt_turners(cpus, count, &sender, counts))
		SKIP(return, "the kernel has no barrier that interrupts other CPUs");
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));

	for (i = 1; i < count; i++)
		EXPECT_FINE(check_calls_of(&self->t, cpus[i], &counts[0], &counts[1], &self->why));
	for_each_group_event(e, &self->t) {
		if (e->thread != (uint64_t)sender || e->category != FXT_STR_IPI ||
		    e->arg_count != 2)
			continue;
		EXPECT_EQ((uint64_t)__builtin_popcountll(e->args[1]), e->args[0]);
		sent += calls(e, cpus[1]) && e->args[1] == mask;
	}
	EXPECT_LT(0U, sent);
}

static bool has_function(const char *name)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	char line[512], found[256];
	bool has = false;

	while (f && !has && fgets(line, sizeof(line), f))
		has = sscanf(line, "%*s %*s %255s", found) == 1 && !strcmp(found, name);
	if (f)
		fclose(f);
	return has;
}

/* Groups, and a function that the kernel has for BPF programs of their tracepoint, or its class. */
static const struct need {
	const char *group;
	const char *function;
} needs[] = {
	{ "irq", "__bpf_trace_irq_handler_exit" },
	{ "idle", "__bpf_trace_cpu" },
	{ "task", "__bpf_trace_sched_pi_setprio" },
	{ "syscall", "__bpf_trace_sys_enter" },
	{ "load", "__bpf_trace_sched_update_nr_running_tp" },
	{ "ipi", "__bpf_trace_ipi_send_cpu" },
};

SOURCE_TEST(groups_bpf, lacking)
{
	bool has[sizeof(needs) / sizeof(needs[0])];
	char text[64];
	int ret;

	if (!has_function("__bpf_trace_sched_switch"))
		SKIP(return, "/proc/kallsyms shows no functions of tracepoints");
	for (const struct need *n = needs; n < needs + sizeof(needs) / sizeof(needs[0]); n++) {
		const char * const args[] = { "-e", n->group, NULL };

		has[n - needs] = has_function(n->function);
		ret = record_begin(&self->c, self->dir, self->source, args, &self->why);
		ASSERT_EQ(has[n - needs] ? 0 : -1, ret) TH_LOG("%s", self->why.text);
		snprintf(text, sizeof(text), "--events %s: this kernel lacks", n->group);
		if (ret) {
			EXPECT_IN(self->why.text, text);
			continue;
		}
		ASSERT_FINE(record_end(&self->c, &self->why));
	}
	BEGIN("-e", "all");
	ASSERT_FINE(record_end(&self->c, &self->why));
	for (const struct need *n = needs; n < needs + sizeof(needs) / sizeof(needs[0]); n++) {
		snprintf(text, sizeof(text), "%s: this kernel lacks", n->group);
		EXPECT_EQ(has[n - needs], !strstr(self->c.text, text)) TH_LOG("%s", self->c.text);
	}
}
