// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Call stacks of threads that sleep, and of their wakers: each sleep that is long enough has one
 * stack at its end and one where it was woken, in the right streams, with the time and the thread
 * of the switch; shorter sleeps have none. Perfetto's packets have each of them with the length of
 * the sleep. Both sources do the same.
 */
#include <json-c/json.h>
#include <pthread.h>

#include "blockers.h"
#include "late_names.h"
#include "libperfetto/perfetto.h"
#include "moments.h"
#include "off_cpu.h"
#include "source_fixture.h"
#include "tool.h"

SOURCE_FIXTURE(stacks);

#define MIN_NS		1000000U	/* --stacks-min of the tests */
#define NEAR_NS		20000U		/* so close to MIN_NS, a sleep may have a stack or not */
/* A waking may come long before its wakeup, because a virtual CPU may be stopped in between. */
#define WAKING_NS	(UINT64_MAX / 2)
#define NAPS		50
/* If a thread is preempted before it sleeps, the rest of its nap may be too short. */
#define FEWEST_NAPS	(NAPS / 2)

/* --- rules ------------------------------------------------------------------------------- */

/* @late: ns by which the record may be later than the time that counted */
static bool fits(uint64_t ns, uint64_t late, unsigned int stacks, bool is_asked)
{
	if (!is_asked || ns + NEAR_NS < MIN_NS)
		return !stacks;
	return stacks == 1 || (!stacks && ns < MIN_NS + late);
}

/*
 * Return: how often the thread slept for long enough; -1 if a stack is missing or there are too
 * many. If the kernel hides threads, a sleep that a hidden thread ended is not judged: it woke this
 * thread or went to sleep itself.
 */
static int check_thread(const struct trace *t, uint64_t tid, bool in, bool wakers, struct why *why)
{
	struct moments m = moments_of(t, tid);
	unsigned int in_stacks = 0, waker_stacks = 0;
	const struct moment *at, *out = NULL, *wakeup = NULL, *in_at = NULL;
	struct hidden hidden = { 0 };
	int slept = 0;

	hidden_find(&hidden, t);
	for (at = m.all; at < m.all + m.count && slept >= 0; at++) {
		if ((at->what == IN_STACK || at->what == WAKER_STACK) && !at->frames)
			slept = complain(why, "byte %llu: no frames", (unsigned long long)at->offset);
		in_stacks += at->what == IN_STACK;
		waker_stacks += at->what == WAKER_STACK;
		if (at->what == WAKEUP)
			wakeup = at;
		if (at->what == IN)
			in_at = at;
		if (at->what != OUT)
			continue;
		/* The previous run ended a sleep. */
		if (out && out->sleeps && wakeup && wakeup > out && in_at && in_at > wakeup) {
			if (!fits(in_at->time - out->time, NEAR_NS, in_stacks, in) ||
			    !fits(wakeup->time - out->time, WAKING_NS, waker_stacks, wakers))
				slept = complain(why, "byte %llu: slept %llu ns, switched in after %llu: %u stacks, %u of wakers",
						 (unsigned long long)out->offset,
						 (unsigned long long)(wakeup->time - out->time),
						 (unsigned long long)(in_at->time - out->time),
						 in_stacks, waker_stacks);
			else
				slept += in_at->time - out->time >= MIN_NS &&
					 waker_stacks >= wakers;
		} else if (out && (in_stacks || waker_stacks) && !(out->sleeps && hidden.on)) {
			slept = complain(why, "byte %llu: stacks, but no sleep",
					 (unsigned long long)out->offset);
		}
		in_stacks = waker_stacks = 0;
		out = at;
	}
	return slept;
}

/* --- for Perfetto ----------------------------------------------------------------------------- */

static bool packets_have(const Perfetto__ArchiveTrace *trace, uint64_t tid, uint64_t time, uint64_t ns)
{
	const Perfetto__StackSample *s;

	for (size_t i = 0; i < trace->n_packet; i++) {
		s = trace->packet[i]->stack_sample;
		if (s && s->task_context->tid == tid && trace->packet[i]->timestamp == time &&
		    s->primary_weight == ns && s->callstack_iid)
			return true;
	}
	return false;
}

/* @samples: number of all samples. */
static unsigned int sampled(const char *path, const struct moments *m, uint64_t tid,
			    unsigned int *samples)
{
	static struct fxt_content c;
	const struct moment *at, *out = NULL;
	struct fxt_record rec;
	struct fxt_reader *r;
	Perfetto__ArchiveTrace *trace;
	unsigned int found = 0;

	*samples = 0;
	if (fxt_reader_open(&r, path, NULL))
		return 0;
	while (fxt_reader_next(r, &rec) > 0) {
		if (rec.kind != FXT_KIND_BLOB || fxt_reader_content(r, &rec, &c) ||
		    c.blob_type != FXT_BLOB_PERFETTO)
			continue;
		trace = perfetto__archive_trace__unpack(NULL, c.blob.bytes, c.blob.data);
		for (size_t i = 0; trace && i < trace->n_packet; i++)
			*samples += trace->packet[i]->stack_sample != NULL;
		for (at = m->all; trace && at < m->all + m->count; at++) {
			if (at->what == OUT)
				out = at;
			found += at->what == IN_STACK && out &&
				 packets_have(trace, tid, at->time, at->time - out->time);
		}
		perfetto__archive_trace__free_unpacked(trace, NULL);
	}
	fxt_reader_close(r);
	return found;
}

/* --- what threads do ------------------------------------------------------------------------ */

/* Sleep long and briefly in turn. */
static void nap_in_turn(struct worker *w)
{
	for (unsigned int i = 0; i < NAPS; i++) {
		sleep_off_cpu(3 * MIN_NS);
		sleep_off_cpu(MIN_NS / 20);
	}
	w->failed = false;
}

static int run_napper(struct worker *w)
{
	*w = (struct worker){ .name = "napper", .run = nap_in_turn, .cpu = ANY_CPU };
	return worker_start(w) ?: worker_join(w);
}

#define RECORD(w, ...) do {							\
	const char *const args[] = { __VA_ARGS__, NULL };			\
										\
	NEEDS_STACKS();								\
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args,	\
				 &self->why));					\
	ASSERT_EQ(0, run_napper(w));						\
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));		\
} while (0)

/* Perfetto's packets have each of these stacks. */
TEST_F(stacks, long_sleeps_have_one_stack)
{
	unsigned int samples, stacks = 0;
	struct moments m;
	struct worker w;
	int slept;

	RECORD(&w, "--stacks=offcpu,wake", "--stacks-min=1ms");
	slept = check_thread(&self->t, w.tid, true, true, &self->why);
	EXPECT_GE(slept, FEWEST_NAPS) TH_LOG("%d: %s", slept, self->why.text);
	m = moments_of(&self->t, w.tid);
	for (size_t i = 0; i < m.count; i++)
		stacks += m.all[i].what == IN_STACK;
	EXPECT_LE((unsigned int)FEWEST_NAPS, stacks);
	EXPECT_EQ(stacks, sampled(self->c.output, &m, w.tid, &samples));
	EXPECT_GE(self->t.stack_count, samples);
}

/*
 * The packets lack the stacks of wakers, which are not off the CPU; the sleeps would count twice.
 */
TEST_F(stacks, only_what_is_asked_for)
{
	struct moments m = { 0 };
	unsigned int samples;
	struct worker w;
	int slept;

	RECORD(&w, "--stacks=wake", "--stacks-min=1ms");
	slept = check_thread(&self->t, w.tid, false, true, &self->why);
	EXPECT_GE(slept, FEWEST_NAPS) TH_LOG("%d: %s", slept, self->why.text);
	EXPECT_EQ(0U, sampled(self->c.output, &m, w.tid, &samples));
	EXPECT_EQ(0U, samples);
}

TEST_F(stacks, depth_limits_the_frames)
{
	struct worker w;

	RECORD(&w, "--stacks=offcpu,wake:2", "--stacks-min=0");
	EXPECT_LT((size_t)2 * NAPS, self->t.stack_count);
	for (size_t i = 0; i < self->t.stack_count; i++)
		EXPECT_GE(4U, self->t.stacks[i].count);
}

/* The callers of the BPF program are known from the first stack on. */
TEST_F(stacks, one_frame_of_each_waker)
{
	struct worker w;
	size_t i, none = 0;

	RECORD(&w, "--stacks=wake,kernel:1", "--stacks-min=0");
	EXPECT_LT((size_t)NAPS, self->t.stack_count);
	for (i = 0; i < self->t.stack_count; i++)
		none += self->t.stacks[i].count != 1 || !self->t.stacks[i].frames[0];
	EXPECT_EQ(0U, none);
}

TEST_F(stacks, filter_selects_stacks)
{
	struct worker w;
	char pid[32];

	/* Other tests may have nappers at the same time. */
	snprintf(pid, sizeof(pid), "--pid=%d", getpid());
	RECORD(&w, "--stacks=offcpu", "--comm=napper", pid);
	EXPECT_LE((size_t)FEWEST_NAPS, self->t.stack_count);
	for (size_t i = 0; i < self->t.stack_count; i++)
		EXPECT_EQ((uint64_t)w.tid, self->t.stacks[i].thread);
}

TEST_F(stacks, none_without_the_option)
{
	struct worker w;

	RECORD(&w, "--events=none");
	EXPECT_EQ(0U, self->t.stack_count);
}

/* A thread that spins is preempted by others, and never sleeps. */
TEST_F(stacks, preempted_threads_have_stacks)
{
	int cpus[MAX_CPUS];
	unsigned int times = 3, count = allowed_cpus(cpus);
	struct worker one = { .name = "spinner", .run = worker_spin_until_preempted,
			      .arg = &times, .cpu = cpus[count - 1] }, w[] = { one, one };
	size_t i, found = 0;

	NEEDS_STACKS();
	ASSERT_BEGIN("--stacks=preempt", "--stacks-min=0");
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, worker_start(&w[i]));
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, worker_join(&w[i]));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	for (i = 0; i < self->t.stack_count; i++)
		found += self->t.stacks[i].thread == (uint64_t)w[0].tid;
	EXPECT_LE(2U, found);
}

/* --- frames of programs ----------------------------------------------------------------------- */

extern const char __executable_start[], etext[];	/* from the linker */

static bool is_of_this_program(uint64_t frame)
{
	return frame >= (uintptr_t)__executable_start && frame < (uintptr_t)etext;
}

/*
 * Return: the number of stacks of a thread that end in this program; -1 if a stack has frames in
 * the wrong order, or is of another process. Other processes may have other code at the same
 * addresses.
 */
static int count_programs(const struct trace *t, uint64_t tid, struct why *why)
{
	int count = 0;

	for (const struct trace_stack *s = t->stacks; s < t->stacks + t->stack_count; s++) {
		bool is_ours = false;

		for (uint32_t i = 0; s->thread == tid && i < s->count; i++) {
			if (i && fxt_sched_is_kernel(s->frames[i]) &&
			    !fxt_sched_is_kernel(s->frames[i - 1]))
				return complain(why, "byte %ju: frames of the kernel come last",
						(uintmax_t)s->offset);
			is_ours |= is_of_this_program(s->frames[i]);
		}
		if (is_ours && s->process != (uint64_t)getpid())
			return complain(why, "byte %ju: frames of another process",
					(uintmax_t)s->offset);
		count += is_ours;
	}
	return count;
}

static void expect_programs(struct __test_metadata *_metadata, FIXTURE_DATA(stacks) *self,
			    const struct blocker *blockers)
{
	int count;

	for (size_t i = 0; i < BLOCKERS; i++) {
		/* An interrupt wakes the first blocker, this program the others. */
		count = count_programs(&self->t, blockers[i].tid, &self->why);
		EXPECT_LE(BLOCKER_ROUNDS * (i ? 3 : 1) / 2, count)
			TH_LOG("%s: %d: %s", blockers[i].name, count, self->why.text);
	}
}

struct frames {
	size_t kernel;
	size_t program;
};

static struct frames count_frames(const struct trace *t)
{
	struct frames n = { 0, 0 };

	for (size_t i = 0; i < t->stack_count; i++)
		for (size_t j = 0; j < t->stacks[i].count; j++)
			++*(fxt_sched_is_kernel(t->stacks[i].frames[j]) ? &n.kernel : &n.program);
	return n;
}

/* The archive also lacks Perfetto's packets. */
TEST_F(stacks, kernel_alone)
{
	struct moments m = { 0 };
	unsigned int samples;
	struct frames n;
	struct worker w;

	RECORD(&w, "--stacks=offcpu,wake,kernel", "--stacks-min=0", "--without=perfetto-stacks");
	n = count_frames(&self->t);
	EXPECT_LE((size_t)NAPS, n.kernel);
	EXPECT_EQ(0U, n.program);
	EXPECT_EQ(0U, sampled(self->c.output, &m, w.tid, &samples));
	EXPECT_EQ(0U, samples);
}

TEST_F(stacks, programs_alone)
{
	struct frames n;
	struct worker w;

	RECORD(&w, "--stacks=offcpu,wake,user", "--stacks-min=0");
	n = count_frames(&self->t);
	EXPECT_LE((size_t)NAPS, n.program);
	EXPECT_EQ(0U, n.kernel);
}

/* --- names of functions ----------------------------------------------------------------------- */

/* By the archive's symbols. */
static bool is_in(const struct trace *t, const struct trace_stack *stack, const char *part)
{
	for (uint32_t i = 0; i < stack->count; i++)
		if (symbol_lines_have(&t->symbols, stack->process, stack->frames[i], part))
			return true;
	return false;
}

struct sleeps {
	uint64_t all;	/* sleeps while the thread blocked on purpose */
	uint64_t found;	/* those of @all with a stack that has the function */
	uint64_t woken;	/* all sleeps with such a stack, until their wakeups */
	/*
	 * a thread that the kernel hides ended a sleep, by waking this one or by going to sleep
	 * itself
	 */
	bool is_hidden;
};

/* @part: part of the name of a function of the program that is in the stack */
static struct sleeps sleeps_of(const struct trace *t, const struct blocker *b, const char *part)
{
	struct moments m = moments_of(t, b->tid);
	const struct moment *at, *out = NULL, *in = m.all, *wakeup = m.all;
	const struct trace_stack *stack;
	struct sleeps s = { 0 };
	uint64_t ns = 0;

	for (at = m.all; at < m.all + m.count; at++) {
		if (at->what == OUT) {
			s.is_hidden |= out && in < out;
			out = at->sleeps ? at : NULL;
		}
		if (at->what == WAKEUP)
			wakeup = at;
		if (at->what == IN && out) {
			in = at;
			s.is_hidden |= wakeup < out;
			ns = out->time >= b->from && in->time <= b->to ? in->time - out->time : 0;
			s.all += ns;
		}
		if (at->what != IN_STACK || !out)
			continue;
		for (stack = t->stacks; stack->offset != at->offset; stack++)
			;
		if (is_in(t, stack, b->function) && is_in(t, stack, part)) {
			s.found += ns;
			s.woken += wakeup->time - out->time;
		}
	}
	return s;
}

static bool has_names(const struct trace *t, const struct blocker *blockers)
{
	struct sleeps s;

	for (size_t i = 0; i < BLOCKERS; i++) {
		s = sleeps_of(t, &blockers[i], blockers[i].caller);
		if (s.found < s.all - s.all / 100)
			return false;
	}
	return true;
}

static void expect_names(struct __test_metadata *_metadata, FIXTURE_DATA(stacks) *self,
			 const struct blocker *blockers)
{
	struct sleeps s;

	for (size_t i = 0; i < BLOCKERS; i++) {
		s = sleeps_of(&self->t, &blockers[i], blockers[i].caller);
		/* Most rounds found nothing to read yet. */
		EXPECT_LT(1000000U * BLOCKER_ROUNDS, s.all);
		EXPECT_LE(s.all - s.all / 100, s.found)
			TH_LOG("%s: %ju of %ju ns", blockers[i].name, (uintmax_t)s.found,
			       (uintmax_t)s.all);
		/*
		 * The kernel does not find the direct caller, because libc has no frame pointers.
		 */
		EXPECT_EQ(s.found, sleeps_of(&self->t, &blockers[i], blockers[i].direct).found);
	}
}

/* --- the report ------------------------------------------------------------------------------- */

/* Return: the report's stacks of a thread's sleeps, which are in @report; NULL on failure. */
static struct json_object *reported(const char *path, const struct blocker *b,
				    struct json_object **report)
{
	char pid[16];
	const char *args[] = { "report", "--json", "--comm", b->name, "--pid", pid, path, NULL };
	struct tool tool = { 0 };

	/* Other tests may have threads of these names at the same time. */
	snprintf(pid, sizeof(pid), "%d", getpid());
	*report = tool_run(&tool, args) ? NULL : json_tokener_parse(tool.out);
	return json_object_object_get(json_object_object_get(*report, "stacks"), "slept");
}

static int64_t ns_in(struct json_object *list, const char *part)
{
	struct json_object *stack;
	int64_t ns = 0;

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		stack = json_object_array_get_idx(list, i);
		if (strstr(json_object_get_string(json_object_object_get(stack, "functions")),
			   part))
			ns += json_object_get_int64(json_object_object_get(stack, "total_ns"));
	}
	return ns;
}

static void expect_sums(struct __test_metadata *_metadata, FIXTURE_DATA(stacks) *self,
			const struct blocker *blockers)
{
	struct json_object *report, *list;
	struct sleeps s;
	int64_t woken;

	for (const struct blocker *b = blockers; b < blockers + BLOCKERS; b++) {
		s = sleeps_of(&self->t, b, b->caller);
		if (s.is_hidden)
			continue;
		woken = s.woken;
		list = reported(self->c.output, b, &report);
		ASSERT_NE(NULL, list);
		EXPECT_GE(woken / 100, llabs(ns_in(list, b->function) - woken))
			TH_LOG("%s: not %jd ns", b->name, (intmax_t)woken);
		EXPECT_GE(woken / 100, llabs(ns_in(list, b->caller) - woken))
			TH_LOG("%s: not %jd ns", b->caller, (intmax_t)woken);
		EXPECT_EQ(0, ns_in(list, "no_such_function"));
	}
}

TEST_F(stacks, functions_that_block)
{
	struct blocker blockers[BLOCKERS];
	unsigned int attempts = 0;

	NEEDS_STACKS();
	do {
		ASSERT_BEGIN("--stacks=offcpu,wake", "--stacks-min=0");
		ASSERT_EQ(0, blockers_run(blockers));
		ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	} while (MUST_RECORD_AGAIN(has_names(&self->t, blockers), &attempts));
	ASSERT_NE(0U, self->t.symbols.count) TH_LOG("%s", self->c.text);
	expect_programs(_metadata, self, blockers);
	expect_names(_metadata, self, blockers);
	expect_sums(_metadata, self, blockers);
}

/* --- files that are read late -------------------------------------------------------- */

#define READERS		64
#define LATE_NS		600000000ULL

/* Return: the id of the child of that name; 0 if there is none. */
static int child_named(pid_t of, const char *name)
{
	char path[64], comm[COMM_SIZE] = "";
	int child, found = 0;
	FILE *f, *g;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", of, of);
	f = fopen(path, "re");
	while (f && !found && fscanf(f, "%d", &child) == 1) {
		snprintf(path, sizeof(path), "/proc/%d/comm", child);
		g = fopen(path, "re");
		if (g && fgets(comm, sizeof(comm), g) && !strncmp(comm, name, strlen(name)))
			found = child;
		if (g)
			fclose(g);
	}
	if (f)
		fclose(f);
	return found;
}

/** struct delay - stops the processes that read files for the recorder, as soon as they exist */
struct delay {
	int server;	/* their parent */
	int stopped;	/* number of processes that were stopped */
};

static void *delay_readers(void *arg)
{
	struct delay *d = arg;
	uint64_t until = boottime_ns() + LATE_NS;
	const struct timespec rest = { .tv_nsec = 1000000 };
	int readers[READERS], child;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", d->server, d->server);
	while (boottime_ns() < until) {
		f = fopen(path, "re");
		for (d->stopped = 0; f && d->stopped < READERS && fscanf(f, "%d", &child) == 1;) {
			kill(child, SIGSTOP);
			readers[d->stopped++] = child;
		}
		if (f)
			fclose(f);
		nanosleep(&rest, NULL);
	}
	for (child = 0; child < d->stopped; child++)
		kill(readers[child], SIGCONT);
	return NULL;
}

/*
 * Files may be read late on a busy machine, or because a file's owner delays it. Stacks that are
 * recorded meanwhile are complete.
 */
TEST_F(stacks, functions_that_block_in_files_read_late)
{
	struct blocker blockers[BLOCKERS];
	struct delay delay = { 0 };
	pthread_t thread;

	NEEDS_STACKS();
	ASSERT_BEGIN("--stacks=offcpu,wake", "--stacks-min=0");
	delay.server = child_named(self->c.pid, "fxt-files");
	ASSERT_LT(0, delay.server);
	ASSERT_EQ(0, pthread_create(&thread, NULL, delay_readers, &delay));
	ASSERT_EQ(0, blockers_run(blockers));
	ASSERT_EQ(0, pthread_join(thread, NULL));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_LT(0, delay.stopped);
	expect_names(_metadata, self, blockers);
}
