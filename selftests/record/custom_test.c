// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events of tracepoints that the user chooses: each fork and signal of this process is an event on
 * its thread, with the values that this process knows; fields that are also in the records of
 * switches agree with them; the ledgers count the events.
 */
#include <stdatomic.h>

#include "failure.h"
#include "json_get.h"
#include "source_fixture.h"
#include "tool.h"

#define EVENTS_MOST	400000
#define TIMES		20U

BPF_FIXTURE(custom);

struct event {
	struct json_object *json;	/* its line of fxt dump --json */
	const char *name;	/* name of the tracepoint */
	int64_t thread;	/* koid */
	/*
	 * the outgoing thread of the context switch before it in the file; -1 unless it is the
	 * first event after that switch
	 */
	int64_t out;
	int64_t in;	/* the incoming thread of that switch */
};

struct events {
	struct event *all;
	size_t count;
};

static struct json_object *argument(const struct event *e, const char *name, const char *type)
{
	struct json_object *args = json_object_object_get(e->json, "args"), *arg;

	for (size_t i = 0; i < json_object_array_length(args); i++) {
		arg = json_object_array_get_idx(args, i);
		if (!strcmp(text_in(arg, "name"), name) && !strcmp(text_in(arg, "type"), type))
			return json_object_object_get(arg, "value");
	}
	return NULL;
}

static int64_t number_in(const struct event *e, const char *name, const char *type)
{
	struct json_object *value = argument(e, name, type);

	return value ? json_object_get_int64(value) : INT64_MIN;
}

static bool is_text(const struct event *e, const char *name, const char *text)
{
	struct json_object *value = argument(e, name, "string");

	return value && !strcmp(json_object_get_string(value), text);
}

static bool is_ours(const struct event *e)
{
	return number(e->json, "process") == getpid();
}

static void events_take(struct events *events, char *lines)
{
	int64_t out = -1, in = -1;
	char *line, *save = NULL;
	struct json_object *o;

	events->all = calloc(EVENTS_MOST, sizeof(*events->all));
	events->count = 0;
	for (line = strtok_r(lines, "\n", &save); line && events->all;
	     line = strtok_r(NULL, "\n", &save)) {
		o = json_tokener_parse(line);
		if (o && events->count < EVENTS_MOST && !strcmp(text_in(o, "category"), "tp")) {
			events->all[events->count++] = (struct event){
				o, text_in(o, "name"), number(o, "thread"), out, in,
			};
			out = -1;
			continue;
		}
		if (!strcmp(text_in(o, "kind"), "context_switch")) {
			out = number(o, "outgoing_thread");
			in = number(o, "incoming_thread");
		}
	}
}

#define events_for_each(events, e)						\
	for (e = (events)->all; e < (events)->all + (events)->count; e++)

#define BEGIN(...) do {								\
	const char * const args[] = { __VA_ARGS__, NULL };			\
										\
	NEEDS_SOURCE();								\
	ASSERT_EQ(0, record_begin(&self->c, self->dir, "bpf", args, &self->why))	\
		TH_LOG("%s", self->why.text);					\
} while (0)

#define END(events) do {							\
	char path[RECORD_PATH + 16];						\
	const char * const check[] = { "check", "-q", path, NULL };		\
	const char * const dump[] = { "dump", "--json", "-q", path, NULL };	\
	struct tool tool;							\
										\
	ASSERT_EQ(0, record_load(&self->c, &self->t, &self->why))		\
		TH_LOG("%s", self->why.text);					\
	snprintf(path, sizeof(path), "%s/sched.fxt", self->dir);		\
	ASSERT_EQ(0, tool_run(&tool, check)) TH_LOG("%s", tool.out);		\
	ASSERT_EQ(0, tool_run(&tool, dump)) TH_LOG("%s", tool.err);		\
	events_take(events, tool.out);						\
} while (0)

TEST_F(custom, forks)
{
	unsigned int i, found[TIMES] = { 0 }, all = 0;
	pid_t children[TIMES];
	struct events events;
	struct event *e;

	/* A name that is not UTF-8. */
	ASSERT_EQ(0, prctl(PR_SET_NAME, "\"name\xff\xc3\\"));
	BEGIN("-e", "tp:sched_process_fork(parent.pid,child->pid,child.comm)");
	for (i = 0; i < TIMES; i++) {
		children[i] = fork();
		if (!children[i])
			_exit(0);
		ASSERT_LT(0, children[i]);
		waitpid(children[i], NULL, 0);
	}
	END(&events);
	events_for_each(&events, e) {
		if (number_in(e, "parent.pid", "int32") != getpid())
			continue;
		all++;
		EXPECT_EQ(getpid(), e->thread);
		EXPECT_TRUE(is_text(e, "child.comm", "\"name??\\"));
		for (i = 0; i < TIMES; i++)
			found[i] += number_in(e, "child.pid", "int32") == children[i];
	}
	EXPECT_EQ(TIMES, all);
	for (i = 0; i < TIMES; i++)
		EXPECT_EQ(1U, found[i]) TH_LOG("child %u", i);
}

/* Numbers and a string of two tracepoints, with a comma between them, and a filter. */
TEST_F(custom, filtered_signals)
{
	unsigned int i, signals = 0, others = 0, group = 0;
	char pid[16];
	struct events events;
	struct event *e;

	snprintf(pid, sizeof(pid), "%d", getpid());
	BEGIN("-p", pid, "-e", "tp:signal_generate(sig,task.comm,group),tp:signal_deliver,migrate");
	signal(SIGUSR2, SIG_IGN);
	for (i = 0; i < TIMES; i++) {
		kill(getpid(), SIGURG);
		kill(getpid(), SIGUSR2);
	}
	END(&events);
	events_for_each(&events, e) {
		others += e->thread != getpid();
		if (strcmp(e->name, "signal_generate") || number_in(e, "sig", "int32") != SIGUSR2)
			continue;
		signals++;
		EXPECT_TRUE(is_text(e, "task.comm", "custom_test"));
		group += number_in(e, "group", "int32") == 1;
	}
	EXPECT_EQ(TIMES, signals);
	EXPECT_EQ(0U, others);
}

/*
 * Each switch is followed by the event of the tracepoint of the same name, with the same threads.
 * Two programs write them, so on each CPU a recording can begin or end between the two.
 */
TEST_F(custom, switches)
{
	uint64_t switches = 0, pairs = 0, cpus = sysconf(_SC_NPROCESSORS_CONF);
	const struct trace_stream *s;
	const struct trace_event *ev;
	struct events events;
	struct event *e;

	BEGIN("-e", "tp:sched_switch(prev.pid,next.pid,preempt,prev,prev.se.vruntime)");
	usleep(200000);
	END(&events);
	trace_for_each_event(&self->t, s, ev)
		switches += !ev->is_wakeup;
	events_for_each(&events, e) {
		pairs += number_in(e, "prev.pid", "int32") == e->out &&
			 number_in(e, "next.pid", "int32") == e->in;
		EXPECT_EQ(number_in(e, "prev.pid", "int32"), e->thread);
		EXPECT_NE(NULL, argument(e, "preempt", "bool"));
		EXPECT_NE(NULL, argument(e, "prev", "pointer"));
		EXPECT_NE(NULL, argument(e, "prev.se.vruntime", "uint64"));
	}
	EXPECT_LT(2 * cpus, pairs);
	EXPECT_GE(pairs + cpus, switches);
	EXPECT_GE(pairs + cpus, events.count);
}

/* The counter's id is the CPU on which a thread is woken; arguments are found by number. */
TEST_F(custom, counter)
{
	unsigned int i, ours = 0;
	struct events events;
	struct event *e;

	BEGIN("-e", "tp:sched_waking(arg0.pid,arg0.wake_cpu)=counter");
	for (i = 0; i < TIMES; i++)
		usleep(1000);
	END(&events);
	events_for_each(&events, e) {
		EXPECT_STREQ("counter", text_in(e->json, "kind"));
		EXPECT_EQ(1U, json_object_array_length(json_object_object_get(e->json, "args")));
		EXPECT_LT(number_in(e, "arg0.wake_cpu", "int32"), sysconf(_SC_NPROCESSORS_CONF));
		ours += number(e->json, "counter_id") == getpid();
	}
	EXPECT_LE(TIMES, ours);
}

static void nap(struct worker *w)
{
	const struct timespec ns = { .tv_nsec = 50000 };
	const atomic_bool *ends = w->arg;

	while (!atomic_load(ends))
		nanosleep(&ns, NULL);
}

/* Calls of a system call that is rare otherwise: fewer on an emulated CPU, which is slow. */
static unsigned int call_times(void)
{
	return in_guest() ? 10000 : 50000;
}

static void call(struct worker *w)
{
	unsigned int i, times = call_times();

	(void)w;
	for (i = 0; i < times; i++)
		syscall(__NR_getppid);
}

/* Timers interrupt the system calls of a thread on the same CPU, and switch it out. */
static int interrupt_calls(int cpu)
{
	atomic_bool ends = false;
	struct worker napper = { .name = "napper", .run = nap, .arg = &ends, .cpu = cpu };
	struct worker caller = { .name = "caller", .run = call, .cpu = cpu };
	int ret = worker_start(&napper);

	ret |= worker_start(&caller);
	ret |= worker_join(&caller);
	atomic_store(&ends, true);
	return ret | worker_join(&napper);
}

/* Soft and hard interrupts with events interrupt threads with events. */
TEST_F(custom, interrupts)
{
	unsigned int timers = 0, calls = 0;
	int cpus[MAX_CPUS];
	struct events events;
	struct event *e;

	BEGIN("-b", "32M", "-e", "irq,tp:hrtimer_expire_entry,tp:softirq_raise,tp:sys_enter(id)",
	      "-e", "tp:hrtimer_start(hrtimer.is_soft,mode)");
	allowed_cpus(cpus);
	ASSERT_EQ(0, interrupt_calls(cpus[0]));
	END(&events);
	events_for_each(&events, e) {
		timers += !strcmp(e->name, "hrtimer_expire_entry");
		calls += number_in(e, "id", "int64") == __NR_getppid && is_ours(e);
	}
	EXPECT_LT(TIMES, timers);
	EXPECT_EQ(call_times(), calls);
}

SOURCE_TEST(custom, errors)
{
	static const struct failure failures[] = {
		{ 3, "no tracepoint no_such_event", { "-s", "bpf", "-e", "tp:no_such_event" } },
		{ 2, "no argument child_pid; there are",
		  { "-s", "bpf", "-e", "tp:sched_process_fork(child_pid)" } },
		{ 2, "child.pit: no member pit; there are",
		  { "-s", "bpf", "-e", "tp:sched_process_fork(child.pit)" } },
		{ 2, "choose one of its members",
		  { "-s", "bpf", "-e", "tp:sched_process_fork(child.se)" } },
		{ 2, "child.comm is not a number",
		  { "-s", "bpf", "-e", "tp:sched_process_fork(child.comm)=counter" } },
	};

	for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++)
		EXPECT_FINE(check_run(&self->c, self->dir, &failures[i], &self->why));
}

/* If the module is loaded, it refuses tracepoints, and is not chosen without --source. */
SOURCE_TEST(custom, module)
{
	static const struct failure refused = {
		3, "use --source=bpf", { "-s", "kmod", "-e", "tp:sched_switch" },
	};
	const char *missing = source_missing("kmod");

	ASSERT_FALSE(missing && source_required("kmod")) TH_LOG("%s", missing);
	if (missing)
		SKIP(return, "%s", missing);
	EXPECT_FINE(check_run(&self->c, self->dir, &refused, &self->why));
	EXPECT_EQ(0, collector_run(&self->c, self->dir, ARGS("-e", "tp:sched_switch", "-d",
							     "10ms")));
	EXPECT_IN(self->c.text, "(bpf: only BPF records");
}
