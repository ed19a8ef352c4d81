// SPDX-License-Identifier: GPL-2.0-or-later
/* kernel_event.c - see kernel_event.h. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "kernel_event.h"

/* --- the catalogue ---------------------------------------------------------------------- */

#define FIRST_OF_MACHINE(first)	((first) == FXT_STR_IDLE_FIRST || (first) == FXT_STR_SYSCALL_FIRST)
#define KIND(type)	((uint8_t)(FXT_KIND_INSTANT + (type)))

_Static_assert(KIND(FXT_EVENT_COUNTER) == FXT_KIND_COUNTER &&
	       KIND(FXT_EVENT_DURATION_COMPLETE) == FXT_KIND_DURATION_COMPLETE &&
	       KIND(FXT_EVENT_ASYNC_END) == FXT_KIND_ASYNC_END,
	       "kinds of events are in the order of their types");

static const struct {
	const char *name;
	uint64_t track;
	uint8_t kind;
	uint8_t as;
} events[KERNEL_EVENTS] = {
#define EVENT(what, name, group, type, track, as) [KERNEL_##what] = { name, track, KIND(type), as },
	FXT_EVENTS(EVENT)
	[KERNEL_STACK] = { "stack", 0, FXT_KIND_BACKTRACE, 0 },
	[KERNEL_SAMPLE] = { "sample", 0, FXT_KIND_BACKTRACE, 0 },
	[KERNEL_ASLEEP] = { "asleep", 0, FXT_KIND_BACKTRACE, 0 },
};

/* The form of an event's record: see FXT_RECORDS(). */
struct record {
	uint8_t what;
	bool is_of_machine;	/* names come from the machine, so any is valid */
	uint16_t category;
	uint16_t first;
	uint16_t last;
	struct {
		uint16_t name;
		uint8_t type;
		uint64_t max;
		uint8_t at;	/* place of the value in union kernel_args */
		uint8_t bytes;
	} args[FXT_ARGS_MAX];	/* ended by one without a name */
};

static const struct record records[] = {
#define ARG(name, type, max, member)						\
	{ name, type, max, offsetof(union kernel_args, member),			\
	  sizeof(((union kernel_args *)0)->member) }
#define RECORD(what, category, first, last, ...)				\
	{ KERNEL_##what, FIRST_OF_MACHINE(first), category, first, last, { __VA_ARGS__ } },
	FXT_RECORDS(RECORD, ARG)
};

/* Apart from @records, so that a search reads little memory. */
static const uint16_t categories[] = {
#define CATEGORY_OF(what, category, ...) category,
	FXT_RECORDS(CATEGORY_OF, ARG)
};

enum match { FOREIGN, CATEGORY, KIND_TOO, NAME_TOO, COMPLETE };

/* Faults by how far a record matches, and of its track, thread or CPU. */
static const struct {
	const char *kind;
	const char *name;
	const char *args;
	const char *place;
} faults[KERNEL_EVENTS] = {
#define FAULTS(what, name, ...)							\
	[KERNEL_##what] = {							\
		"an event \"" name "\" of another type",				\
		"an event \"" name "\" without a name, or with an unknown one",	\
		"an event \"" name "\" in which an argument is missing or invalid", \
		"an event \"" name "\" that is not on a track, thread or CPU of its kind", \
	},
	FXT_EVENTS(FAULTS)
	FAULTS(STACK, "stack")
	FAULTS(SAMPLE, "sample")
	FAULTS(ASLEEP, "asleep")
};

/* --- what a record is -------------------------------------------------------------------- */

static bool has_name(const struct record *r, const struct fxt_text *name)
{
	if (r->is_of_machine || !r->first)
		return name->length && (!r->first || name->known != r->category);
	return name->known >= r->first && name->known <= r->last;
}

const struct fxt_arg *kernel_event_arg(const struct fxt_content *c, uint16_t name, uint8_t type)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++)
		if (c->args[i].name.known == name && c->args[i].type == type)
			return &c->args[i];
	return NULL;
}

static void store_member(void *member, uint8_t bytes, uint64_t value)
{
	switch (bytes) {
	case sizeof(uint8_t):		/* and bool */
		*(uint8_t *)member = value;
		break;
	case sizeof(uint16_t):
		*(uint16_t *)member = value;
		break;
	case sizeof(uint32_t):
		*(uint32_t *)member = value;
		break;
	default:
		*(uint64_t *)member = value;
	}
}

static bool decode_args(union kernel_args *args, const struct fxt_content *c,
			const struct record *r)
{
	const struct fxt_arg *arg;
	size_t i;

	memset(args, 0, sizeof(*args));
	for (i = 0; i < FXT_ARGS_MAX && r->args[i].name; i++) {
		arg = kernel_event_arg(c, r->args[i].name, r->args[i].type);
		if (!arg || (r->args[i].max && arg->u64 > r->args[i].max))
			return false;
		store_member((char *)args + r->args[i].at, r->args[i].bytes, arg->u64);
	}
	return true;
}

static enum match match(union kernel_args *args, const struct fxt_content *c,
			const struct record *r)
{
	if (events[r->what].kind != c->kind)
		return CATEGORY;
	if (!has_name(r, &c->name))
		return KIND_TOO;
	return decode_args(args, c, r) ? COMPLETE : NAME_TOO;
}

static const struct record *find_record(union kernel_args *args, const struct fxt_content *c,
					enum match *best)
{
	const struct record *found = NULL;
	enum match m;
	size_t i;

	*best = FOREIGN;
	for (i = 0; i < sizeof(records) / sizeof(*records) && *best < COMPLETE; i++) {
		if (categories[i] != c->category.known)
			continue;
		m = match(args, c, &records[i]);
		if (m > *best) {
			*best = m;
			found = &records[i];
		}
	}
	return found;
}

/* --- where it is --------------------------------------------------------------------------- */

static bool is_thread(uint64_t koid)
{
	return koid && !kernel_event_is_track(koid) && koid <= INT32_MAX;
}

/* Is the event on a CPU's track for its kind? */
static bool decode_track(struct kernel_event *e, const struct fxt_content *c)
{
	uint64_t process = events[e->what].track;

	e->cpu = kernel_event_track_cpu(c->thread.thread);
	if (c->thread.process == process && e->cpu != KERNEL_EVENT_NO_CPU &&
	    c->thread.thread == fxt_sched_cpu_track(process, e->cpu))
		return true;
	e->cpu = KERNEL_EVENT_NO_CPU;
	return false;
}

static bool decode_thread(struct kernel_event *e, const struct fxt_content *c)
{
	uint64_t track = events[e->what].track;

	e->thread = c->thread.thread;
	return is_thread(e->thread) || (!e->thread && (track == FXT_ON_ANY_THREAD ||
						       track == FXT_BETWEEN_THREADS));
}

/* The id of a counter is a CPU's number. */
static bool decode_counter(struct kernel_event *e, const struct fxt_content *c)
{
	e->cpu = c->id < KERNEL_EVENT_NO_CPU ? c->id : KERNEL_EVENT_NO_CPU;
	return e->cpu != KERNEL_EVENT_NO_CPU;
}

static bool decode_place(struct kernel_event *e, const struct fxt_content *c)
{
	bool is_on_track = c->thread.process == events[e->what].track;

	switch (events[e->what].track) {
	case FXT_ON_THREAD:
	case FXT_ON_ANY_THREAD:
	case FXT_BETWEEN_THREADS:
		return decode_thread(e, c);
	case FXT_SCHED_KOID_FREQUENCY:
		return decode_counter(e, c);
	case FXT_SCHED_KOID_STEAL:
		return decode_counter(e, c) && is_on_track;
	case FXT_SCHED_KOID_LOAD:
		if (e->what == KERNEL_PELT && !is_on_track)
			return decode_thread(e, c);
		return decode_counter(e, c) && is_on_track;
	case FXT_SCHED_KOID_THROTTLE:
		e->cpu = e->args.throttle.cpu;
		return is_on_track && c->thread.thread ==
		       fxt_sched_throttle_track(e->args.throttle.cgroup, e->cpu);
	default:
		return decode_track(e, c);
	}
}

/* --- values that need more than the arguments --- */

/*
 * The name of a system call has the index FXT_STR_SYSCALL_FIRST + number, but rewritten archives
 * have other indices for the category and the argument.
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

static bool has_other(const struct record *r)
{
	size_t i;

	for (i = 0; i < FXT_ARGS_MAX && r->args[i].name; i++)
		if (r->args[i].type == FXT_ARG_KOID)
			return true;
	return false;
}

/* Take the waker of a wait for a lock, which is optional. Returns the fault, or NULL. */
static const char *complete_lock(struct kernel_event *e, const struct fxt_content *c)
{
	const struct fxt_arg *waker = kernel_event_arg(c, FXT_STR_WAKER, FXT_ARG_KOID);
	const struct fxt_arg *at = kernel_event_arg(c, FXT_STR_WAKER_LOCK, FXT_ARG_UINT64);

	if (e->args.lock.holder == e->thread)
		return faults[e->what].args;
	if (waker && (!is_thread(waker->u64) || waker->u64 == e->thread))
		return "a wait for a lock with an impossible waker";
	e->waker = waker ? waker->u64 : 0;
	e->waker_lock = waker && at ? at->u64 : 0;
	return NULL;
}

/* Returns the fault, or NULL. */
static const char *complete(struct kernel_event *e, const struct fxt_content *c,
			    const struct record *r)
{
	if (has_other(r) && !is_thread(e->args.other) &&
	    !(e->what == KERNEL_REQUEST && !e->args.other))
		return faults[e->what].args;
	switch (e->what) {
	case KERNEL_VECTOR:
	case KERNEL_SOFTIRQ:
		e->args.irq.number = c->name.known - r->first;
		return NULL;
	case KERNEL_SYSCALL:
		if (r->is_of_machine)
			e->args.syscall.number = number_of(c);
		return NULL;
	case KERNEL_LOCK:
		return complete_lock(e, c);
	case KERNEL_MEMORY:
		e->args.memory.kind = c->name.known;
		return NULL;
	case KERNEL_FORK:
		return e->args.fork.child == e->thread ? faults[e->what].args : NULL;
	case KERNEL_IPI:
		if (r->args[0].name == FXT_STR_CPU)
			e->args.ipi.count = 1;
		else
			e->args.ipi.cpu = KERNEL_EVENT_NO_CPU;
		return (uint32_t)__builtin_popcountll(e->args.ipi.mask) > e->args.ipi.count ?
		       faults[e->what].args : NULL;
	case KERNEL_COMPLETION:
		e->args.completion.request = c->id;
		return NULL;
	case KERNEL_RUN_QUEUE:
		return e->args.run_queue.threads > FXT_SCHED_TID_END ?
		       "a run queue has more threads than there can be" : NULL;
	default:
		return NULL;
	}
}

static const char *fault_of(struct kernel_event *e, const struct fxt_content *c,
			    const struct record *r, enum match m)
{
	bool is_there = (m < COMPLETE && e->what == KERNEL_THROTTLE) || decode_place(e, c);
	const char *fault;

	if (m == CATEGORY)
		return faults[e->what].kind;
	if (m == KIND_TOO)
		return faults[e->what].name;
	if (m == NAME_TOO)
		return faults[e->what].args;
	fault = complete(e, c, r);
	return fault || is_there ? fault : faults[e->what].place;
}

/* For each record, so not fxt_text_is(), which measures its argument. */
static bool is_ours(const struct fxt_provider *provider)
{
	static const char name[] = FXT_SCHED_PROVIDER_NAME;

	return provider->name.length == sizeof(name) - 1 &&
	       !memcmp(provider->name.bytes, name, sizeof(name) - 1);
}

bool kernel_event_decode(struct kernel_event *e, const struct fxt_provider *provider,
			 const struct fxt_content *c)
{
	bool is_stack = c->kind == FXT_KIND_BACKTRACE;
	const struct record *r;
	enum match m;

	if ((!is_stack && (c->kind < FXT_KIND_INSTANT || c->kind > FXT_KIND_ASYNC_END)) ||
	    !is_ours(provider))
		return false;
	*e = (struct kernel_event){
		.begin = c->time,
		.end = c->kind == FXT_KIND_DURATION_COMPLETE ? c->end : c->time,
		.cpu = KERNEL_EVENT_NO_CPU,
	};
	if (is_stack) {
		e->args.sample.ns = fxt_sched_sample_ns(c->frame_flags);
		e->what = e->args.sample.ns ? KERNEL_SAMPLE :
			  c->frame_flags == FXT_SCHED_ASLEEP ? KERNEL_ASLEEP : KERNEL_STACK;
		e->fault = decode_thread(e, c) ? NULL : faults[e->what].place;
		return true;
	}
	r = find_record(&e->args, c, &m);
	/* All our events have that category, but only some are events of the kernel. */
	if (!r || (r->category == FXT_STR_CATEGORY && m < NAME_TOO))
		return false;
	e->what = r->what;
	e->fault = fault_of(e, c, r, m);
	if (e->end < e->begin)
		e->fault = "a slice ends before it begins";
	return true;
}

/* Has some record this category? The compiler makes a few tests of bits of it. */
static bool is_category(uint16_t known)
{
#define OR_IS(what, category, ...) || known == (category)
	return false FXT_RECORDS(OR_IS, ARG);
#undef OR_IS
}

bool kernel_event_is_one(const struct fxt_provider *provider, const struct fxt_content *c)
{
	size_t i;

	if (!is_ours(provider))
		return false;
	if (c->kind < FXT_KIND_INSTANT || c->kind > FXT_KIND_ASYNC_END)
		return c->kind == FXT_KIND_BACKTRACE;
	if (c->category.known != FXT_STR_CATEGORY)
		return is_category(c->category.known);
	for (i = 0; i < sizeof(records) / sizeof(*records); i++)
		if (categories[i] == FXT_STR_CATEGORY &&
		    events[records[i].what].kind == c->kind && has_name(&records[i], &c->name))
			return true;
	return false;
}

bool kernel_event_is_custom(const struct fxt_provider *provider, const struct fxt_content *c)
{
	return (c->kind == FXT_KIND_INSTANT || c->kind == FXT_KIND_COUNTER) && is_ours(provider) &&
	       fxt_text_is(&c->category, FXT_SCHED_CUSTOM_CATEGORY);
}

const char *kernel_event_name(enum kernel_event_what what)
{
	return events[what].name;
}

bool kernel_event_is_between(uint8_t what)
{
	return events[what].track == FXT_BETWEEN_THREADS;
}

bool kernel_event_is_as(uint8_t what, uint8_t as)
{
	return events[what].as & as;
}

bool kernel_event_is_futex(const struct kernel_event *e, const struct fxt_content *c)
{
	return e->what == KERNEL_LOCK && (fxt_text_is(&c->name, "futex") ||
					  fxt_text_is(&c->name, "pi futex"));
}

uint64_t kernel_event_releaser(const struct kernel_event *e, const struct fxt_content *c)
{
	return kernel_event_is_futex(e, c) ? e->waker : e->args.lock.holder;
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
	case KERNEL_LOCK:
		return e->args.lock.address;
	case KERNEL_MEMORY:
		return e->args.memory.kind;
	case KERNEL_THROTTLE:
		return e->args.throttle.cgroup;
	case KERNEL_REQUEST:
		return fxt_get(FXT_BLOCK_OP, e->args.request.operation);
	default:
		return 0;
	}
}

static const struct {
	const char *one;
	const char *several;
} operations[] = {
	[FXT_LINUX_OP_READ] = { "read", "reads" },
	[FXT_LINUX_OP_WRITE] = { "write", "writes" },
	[FXT_LINUX_OP_FLUSH] = { "flush", "flushes" },
	[FXT_LINUX_OP_DISCARD] = { "discard", "discards" },
	[FXT_LINUX_OP_SECURE_ERASE] = { "secure erase", "secure erases" },
	[FXT_LINUX_OP_WRITE_ZEROES] = { "write of zeroes", "writes of zeroes" },
};

static bool is_operation(uint64_t number)
{
	return number < sizeof(operations) / sizeof(operations[0]) && operations[number].one;
}

const char *kernel_event_operation(uint64_t number)
{
	return is_operation(number) ? operations[number].one : "other operation";
}

const char *kernel_event_operations(uint64_t number)
{
	return is_operation(number) ? operations[number].several : "other operations";
}
