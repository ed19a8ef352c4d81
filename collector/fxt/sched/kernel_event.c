// SPDX-License-Identifier: GPL-2.0-or-later
/* kernel_event.c - see kernel_event.h. */
#include <stdbool.h>

#include "kernel_event.h"

static const struct fxt_arg *find(const struct fxt_content *c, uint16_t name, uint8_t type)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++)
		if (c->args[i].name.known == name && c->args[i].type == type)
			return &c->args[i];
	return NULL;
}

static bool take_wide(const struct fxt_content *c, uint16_t name, uint8_t type, uint64_t *number)
{
	const struct fxt_arg *arg = find(c, name, type);

	*number = arg ? arg->u64 : 0;
	return arg;
}

static bool take_number(const struct fxt_content *c, uint16_t name, uint32_t *number)
{
	const struct fxt_arg *arg = find(c, name, FXT_ARG_UINT32);

	*number = arg ? arg->u64 : 0;
	return arg;
}

static bool take_priority_of(const struct fxt_content *c, uint16_t name, int32_t *priority)
{
	const struct fxt_arg *arg = find(c, name, FXT_ARG_INT32);

	*priority = arg ? arg->i64 : 0;
	return arg;
}

/* Some thread of the system, not the idle one. */
static bool is_thread(uint64_t koid)
{
	return koid && !kernel_event_is_track(koid) && koid <= INT32_MAX;
}

/* Take the CPU of the track that the kind of event has. */
static void take_track(struct kernel_event *e, const struct fxt_content *c, uint64_t process)
{
	e->cpu = kernel_event_track_cpu(c->thread.thread);
	if (c->thread.process != process || e->cpu == KERNEL_EVENT_NO_CPU ||
	    c->thread.thread != fxt_sched_cpu_track(process, e->cpu)) {
		e->cpu = KERNEL_EVENT_NO_CPU;
		e->fault = "an event is not on a track of its kind";
	}
}

static void take_irq(struct kernel_event *e, const struct fxt_content *c)
{
	uint16_t name = c->name.known;

	take_track(e, c, FXT_SCHED_KOID_IRQ);
	if (c->kind != FXT_KIND_DURATION_COMPLETE) {
		e->fault = "an interrupt is no slice";
	} else if (take_number(c, FXT_STR_IRQ, &e->args.irq.number)) {
		e->what = KERNEL_IRQ;
	} else {
		e->what = KERNEL_VECTOR;
		e->args.irq.number = name - FXT_STR_VECTOR_LOCAL_TIMER;
		if (name < FXT_STR_VECTOR_LOCAL_TIMER || name > FXT_STR_VECTOR_DEFERRED)
			e->fault = "an interrupt has neither a number nor a known name";
	}
}

static void take_softirq(struct kernel_event *e, const struct fxt_content *c)
{
	uint16_t name = c->name.known;

	e->what = KERNEL_SOFTIRQ;
	take_track(e, c, FXT_SCHED_KOID_SOFTIRQ);
	e->args.irq.number = name - FXT_STR_SOFTIRQ_FIRST;
	if (c->kind != FXT_KIND_DURATION_COMPLETE)
		e->fault = "a soft interrupt is no slice";
	else if (name < FXT_STR_SOFTIRQ_FIRST || name > FXT_STR_SOFTIRQ_LAST)
		e->fault = "a soft interrupt of unknown name";
}

static void take_idle(struct kernel_event *e, const struct fxt_content *c)
{
	bool is_miss = c->kind == FXT_KIND_INSTANT && c->name.known == FXT_STR_IDLE_MISS;
	const struct fxt_arg *below = find(c, FXT_STR_BELOW, FXT_ARG_BOOL);
	uint32_t state;

	e->what = is_miss ? KERNEL_IDLE_MISS : KERNEL_IDLE;
	take_track(e, c, FXT_SCHED_KOID_IDLE);
	if (!is_miss && c->kind != FXT_KIND_DURATION_COMPLETE)
		e->fault = "an idle state is no slice";
	else if (!take_number(c, FXT_STR_STATE, &state))
		e->fault = "an idle state without its number";
	else if (!is_miss)
		e->args.idle.state = state;
	else if (!below)
		e->fault = "a missed idle state, and not which way";
	else
		e->args.idle_miss = (__typeof__(e->args.idle_miss)){ state, below->u64 };
}

static void take_work(struct kernel_event *e, const struct fxt_content *c)
{
	e->what = KERNEL_WORK;
	e->thread = c->thread.thread;
	if (c->kind != FXT_KIND_DURATION_COMPLETE)
		e->fault = "a work item is no slice";
	else if (!c->name.length)
		e->fault = "a work item without its function";
	else if (!is_thread(e->thread))
		e->fault = "no thread executes a work item";
}

static void take_migrate(struct kernel_event *e, const struct fxt_content *c)
{
	e->what = KERNEL_MIGRATE;
	e->thread = c->thread.thread;
	if (!take_number(c, FXT_STR_FROM, &e->args.migrate.from_cpu) ||
	    !take_number(c, FXT_STR_TO, &e->args.migrate.to_cpu) ||
	    e->args.migrate.from_cpu >= KERNEL_EVENT_NO_CPU ||
	    e->args.migrate.to_cpu >= KERNEL_EVENT_NO_CPU)
		e->fault = "a migration without its CPUs";
	else if (!is_thread(e->thread))
		e->fault = "a thread migrates that cannot be";
}

static void take_frequency(struct kernel_event *e, const struct fxt_content *c)
{
	bool has_values;

	e->cpu = c->id < KERNEL_EVENT_NO_CPU ? c->id : KERNEL_EVENT_NO_CPU;
	if (c->name.known == FXT_STR_FREQUENCY) {
		e->what = KERNEL_FREQUENCY;
		has_values = take_number(c, FXT_STR_KHZ, &e->args.frequency.khz);
	} else {
		e->what = KERNEL_LIMITS;
		has_values = take_number(c, FXT_STR_MIN_KHZ, &e->args.limits.min_khz) &&
			     take_number(c, FXT_STR_MAX_KHZ, &e->args.limits.max_khz);
	}
	if (!has_values)
		e->fault = "a frequency without its value";
	else if (e->cpu == KERNEL_EVENT_NO_CPU)
		e->fault = "a frequency of no CPU";
}

/* --- what threads do ------------------------------------------------------------------ */

/*
 * A call's number. Producers give names the indices FXT_STR_SYSCALL_FIRST + number; an archive
 * that was rewritten has other indices, which those of the strings beside it show.
 */
static uint64_t number_of(const struct fxt_content *c)
{
	uint16_t ref = c->name.ref;

	if (c->category.ref != FXT_STR_SYSCALL || !c->arg_count ||
	    c->args[0].name.ref != FXT_STR_RET || ref < FXT_STR_SYSCALL_FIRST ||
	    ref > FXT_STR_SYSCALL_LAST)
		return KERNEL_EVENT_NO_NUMBER;
	return ref - FXT_STR_SYSCALL_FIRST;
}

static void take_syscall(struct kernel_event *e, const struct fxt_content *c)
{
	bool is_named = c->name.known != FXT_STR_SYSCALL;
	uint64_t ret;

	e->what = KERNEL_SYSCALL;
	e->thread = c->thread.thread;
	if (c->kind != FXT_KIND_DURATION_COMPLETE)
		e->fault = "a system call is no slice";
	else if (!c->name.length ||
		 (!is_named && !take_wide(c, FXT_STR_NR, FXT_ARG_UINT32, &e->args.syscall.number)))
		e->fault = "a system call has neither a name nor a number";
	else if (!take_wide(c, FXT_STR_RET, FXT_ARG_INT64, &ret))
		e->fault = "a system call without what it returned";
	else if (!is_thread(e->thread))
		e->fault = "no thread is in a system call";
	else
		e->args.syscall.ret = ret;
	if (is_named)
		e->args.syscall.number = number_of(c);
}

static void take_fork(struct kernel_event *e, const struct fxt_content *c)
{
	e->what = KERNEL_FORK;
	e->thread = c->thread.thread;
	if (!take_wide(c, FXT_STR_THREAD, FXT_ARG_KOID, &e->args.fork.child) ||
	    !is_thread(e->args.fork.child))
		e->fault = "a fork without the new thread";
	else if (!is_thread(e->thread) || e->thread == e->args.fork.child)
		e->fault = "no thread can have done a fork";
}

static void take_exit(struct kernel_event *e, const struct fxt_content *c)
{
	e->what = KERNEL_EXIT;
	e->thread = c->thread.thread;
	if (!take_number(c, FXT_STR_CODE, &e->args.exit.code) || e->args.exit.code > 0xff ||
	    !take_number(c, FXT_STR_SIGNAL, &e->args.exit.signal) || e->args.exit.signal > 0x7f)
		e->fault = "an exit without its code and signal";
	else if (!is_thread(e->thread))
		e->fault = "a thread exits that cannot";
}

static void take_priority(struct kernel_event *e, const struct fxt_content *c)
{
	e->what = KERNEL_PRIORITY;
	e->thread = c->thread.thread;
	if (!take_priority_of(c, FXT_STR_OLDPRIO, &e->args.priority.before) ||
	    !take_priority_of(c, FXT_STR_NEWPRIO, &e->args.priority.after))
		e->fault = "a priority without its values";
	else if (!is_thread(e->thread))
		e->fault = "a thread has a priority that cannot";
}

/* The idle thread may send one, too. */
static void take_ipi(struct kernel_event *e, const struct fxt_content *c)
{
	uint32_t cpu;

	e->what = KERNEL_IPI;
	e->args.ipi.cpu = KERNEL_EVENT_NO_CPU;
	e->thread = c->thread.thread;
	if (c->kind != FXT_KIND_INSTANT || !c->name.length) {
		e->fault = "an interrupt of other CPUs without a name";
	} else if (take_number(c, FXT_STR_CPU, &cpu)) {
		e->args.ipi.count = 1;
		if (cpu < KERNEL_EVENT_NO_CPU)
			e->args.ipi.cpu = cpu;
		else
			e->fault = "an interrupt of a CPU that cannot be";
	} else if (!take_number(c, FXT_STR_TARGETS, &e->args.ipi.count) ||
		   !take_wide(c, FXT_STR_MASK, FXT_ARG_UINT64, &e->args.ipi.mask) ||
		   (uint32_t)__builtin_popcountll(e->args.ipi.mask) > e->args.ipi.count) {
		e->fault = "an interrupt of other CPUs without these";
	}
	if (!e->fault && e->thread && !is_thread(e->thread))
		e->fault = "no thread interrupts other CPUs";
}

/* --- load ----------------------------------------------------------------------------- */

static void take_throttle(struct kernel_event *e, const struct fxt_content *c)
{
	uint32_t cpu;

	e->what = KERNEL_THROTTLE;
	if (!take_wide(c, FXT_STR_CGROUP, FXT_ARG_UINT64, &e->args.throttle.cgroup) ||
	    !take_number(c, FXT_STR_CPU, &cpu) || cpu >= KERNEL_EVENT_NO_CPU) {
		e->fault = "a throttled cgroup without its id and CPU";
		return;
	}
	e->cpu = cpu;
	if (c->thread.process != FXT_SCHED_KOID_THROTTLE ||
	    c->thread.thread != fxt_sched_throttle_track(e->args.throttle.cgroup, cpu))
		e->fault = "an event is not on a track of its kind";
}

static void take_run_queue(struct kernel_event *e, const struct fxt_content *c)
{
	e->what = KERNEL_RUN_QUEUE;
	e->cpu = c->id < KERNEL_EVENT_NO_CPU ? c->id : KERNEL_EVENT_NO_CPU;
	if (!take_number(c, FXT_STR_RUNNABLE, &e->args.run_queue.threads))
		e->fault = "a run queue without the number of its threads";
	else if (e->args.run_queue.threads > FXT_SCHED_TID_END)
		e->fault = "a run queue has more threads than there can be";
	else if (e->cpu == KERNEL_EVENT_NO_CPU || c->thread.process != FXT_SCHED_KOID_LOAD)
		e->fault = "a run queue of no CPU";
}

static void take_pelt(struct kernel_event *e, const struct fxt_content *c)
{
	bool is_cpu = c->thread.process == FXT_SCHED_KOID_LOAD;

	e->what = KERNEL_PELT;
	e->thread = is_cpu ? 0 : c->thread.thread;
	if (is_cpu && c->id < KERNEL_EVENT_NO_CPU)
		e->cpu = c->id;
	if (!take_number(c, FXT_STR_UTIL, &e->args.pelt.util) ||
	    !take_number(c, FXT_STR_LOAD, &e->args.pelt.load) ||
	    !take_number(c, FXT_STR_RUNNABLE, &e->args.pelt.runnable))
		e->fault = "a load without its values";
	else if (is_cpu ? e->cpu == KERNEL_EVENT_NO_CPU : !is_thread(e->thread))
		e->fault = "a load of neither a CPU nor a thread";
}

static void take_stack(struct kernel_event *e, const struct fxt_content *c)
{
	e->what = KERNEL_STACK;
	e->thread = c->thread.thread;
	if (!is_thread(e->thread))
		e->fault = "the stack of a thread that cannot have slept";
}

/* --- all ------------------------------------------------------------------------------ */

/* The category that all of fxt-sched has: only some of its events are the kernel's. */
static bool take_other(struct kernel_event *e, const struct fxt_content *c)
{
	static const struct {
		uint16_t name;
		uint8_t kind;
		void (*take)(struct kernel_event *e, const struct fxt_content *c);
	} others[] = {
		{ FXT_STR_MIGRATE, FXT_KIND_INSTANT, take_migrate },
		{ FXT_STR_FORK, FXT_KIND_INSTANT, take_fork },
		{ FXT_STR_EXIT, FXT_KIND_INSTANT, take_exit },
		{ FXT_STR_PRIORITY, FXT_KIND_INSTANT, take_priority },
		{ FXT_STR_FREQUENCY, FXT_KIND_COUNTER, take_frequency },
		{ FXT_STR_FREQUENCY_LIMITS, FXT_KIND_COUNTER, take_frequency },
		{ FXT_STR_RUN_QUEUE, FXT_KIND_COUNTER, take_run_queue },
		{ FXT_STR_PELT, FXT_KIND_COUNTER, take_pelt },
		{ FXT_STR_THROTTLED, FXT_KIND_DURATION_COMPLETE, take_throttle },
	};
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (c->kind == others[i].kind && c->name.known == others[i].name) {
			others[i].take(e, c);
			return true;
		}
	}
	return false;
}

bool kernel_event_take(struct kernel_event *e, const struct fxt_provider *provider,
		       const struct fxt_content *c)
{
	bool is_stack = c->kind == FXT_KIND_BACKTRACE, is_taken = true;

	if ((!is_stack && (c->kind < FXT_KIND_INSTANT || c->kind > FXT_KIND_DURATION_COMPLETE)) ||
	    !fxt_text_is(&provider->name, FXT_SCHED_PROVIDER_NAME))
		return false;
	*e = (struct kernel_event){
		.begin = c->time,
		.end = c->kind == FXT_KIND_DURATION_COMPLETE ? c->end : c->time,
		.cpu = KERNEL_EVENT_NO_CPU,
	};
	if (is_stack) {
		take_stack(e, c);
		return true;
	}
	switch (c->category.known) {
	case FXT_STR_IRQ:
		take_irq(e, c);
		break;
	case FXT_STR_SOFTIRQ:
		take_softirq(e, c);
		break;
	case FXT_STR_IDLE:
		take_idle(e, c);
		break;
	case FXT_STR_WORK:
		take_work(e, c);
		break;
	case FXT_STR_SYSCALL:
		take_syscall(e, c);
		break;
	case FXT_STR_IPI:
		take_ipi(e, c);
		break;
	default:
		is_taken = c->category.known == FXT_STR_CATEGORY && take_other(e, c);
	}
	if (is_taken && e->end < e->begin)
		e->fault = "a slice ends before it begins";
	return is_taken;
}

bool kernel_event_is_custom(const struct fxt_provider *provider, const struct fxt_content *c)
{
	return (c->kind == FXT_KIND_INSTANT || c->kind == FXT_KIND_COUNTER) &&
	       fxt_text_is(&provider->name, FXT_SCHED_PROVIDER_NAME) &&
	       fxt_text_is(&c->category, FXT_SCHED_CUSTOM_CATEGORY);
}

const char *kernel_event_name(enum kernel_event_what what)
{
	static const char * const names[KERNEL_EVENTS] = {
		[KERNEL_IRQ] = "irq", [KERNEL_VECTOR] = "vector",
		[KERNEL_SOFTIRQ] = "softirq", [KERNEL_IDLE] = "idle",
		[KERNEL_WORK] = "work", [KERNEL_IDLE_MISS] = "idle miss",
		[KERNEL_MIGRATE] = "migrate", [KERNEL_FREQUENCY] = "frequency",
		[KERNEL_LIMITS] = "frequency limits", [KERNEL_SYSCALL] = "syscall",
		[KERNEL_THROTTLE] = "throttled", [KERNEL_FORK] = "fork",
		[KERNEL_EXIT] = "exit", [KERNEL_PRIORITY] = "priority",
		[KERNEL_IPI] = "ipi", [KERNEL_RUN_QUEUE] = "run queue",
		[KERNEL_PELT] = "pelt", [KERNEL_STACK] = "stack",
	};

	return names[what];
}

uint64_t kernel_event_number(const struct kernel_event *e)
{
	switch (e->what) {
	case KERNEL_IRQ ... KERNEL_SOFTIRQ:
		return e->args.irq.number;
	case KERNEL_IDLE:
		return e->args.idle.state;
	case KERNEL_SYSCALL:
		return e->args.syscall.number;
	case KERNEL_THROTTLE:
		return e->args.throttle.cgroup;
	default:
		return 0;
	}
}
