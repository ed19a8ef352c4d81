/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel_event.h - decodes events of the kernel other than switches and wakeups.
 *
 * In: event records (type 4) and backtraces (type 10), decoded.
 * Out: the record's event of <fxt/fxt_catalogue.h> and its values; a backtrace is a stack or a
 * sample of <fxt/fxt_sched_stack.h>. Category and name identify an event, whatever their indices,
 * and only in records of our provider.
 */
#ifndef FXT_SCHED_KERNEL_EVENT_H
#define FXT_SCHED_KERNEL_EVENT_H

#include <stddef.h>

#include <fxt/fxt_catalogue.h>
#include <fxt/fxt_sched.h>
#include <fxt/fxt_sched_block.h>
#include <fxt/fxt_sched_custom.h>
#include <fxt/fxt_sched_event.h>
#include <fxt/fxt_sched_load.h>
#include <fxt/fxt_sched_net.h>
#include <fxt/fxt_sched_stack.h>
#include <fxt/fxt_sched_timer.h>

#include "libfxt/fxt_reader.h"

#define KERNEL_EVENT_NO_CPU	0xffff
#define KERNEL_EVENT_NO_NUMBER	UINT64_MAX
#define KERNEL_EVENT_MAX_ERRNO	4095	/* a call failed if it returns -1 to minus this number */

#define KERNEL_EVENT(what, ...)	KERNEL_##what,
enum kernel_event_what {
	FXT_EVENTS(KERNEL_EVENT)
	KERNEL_STACK,		/* a moment: the stack of a thread, or of its waker */
	KERNEL_SAMPLE,		/* a moment: the stack of a running thread */
	KERNEL_ASLEEP,		/* a moment: the stack of a thread whose sleep fired the trigger */
	KERNEL_EVENTS
};
#undef KERNEL_EVENT

/* Values of the events of one kind. */
union kernel_args {
	uint64_t other;			/* koid of the other thread: kernel_event_has_other() */
	struct { uint32_t number; } irq;	/* also of KERNEL_VECTOR and KERNEL_SOFTIRQ */
	struct { uint32_t state; } idle;
	struct { uint32_t state; bool is_below; } idle_miss;	/* a deeper state would be better */
	struct { uint64_t number; int64_t ret; } syscall;	/* or KERNEL_EVENT_NO_NUMBER */
	struct { uint64_t holder, address; } lock;	/* @holder: koid; 0: unknown */
	struct { uint64_t pages; uint32_t kind; } memory;	/* FXT_STR_*; compaction: 0 pages */
	struct { uint64_t cgroup; uint32_t cpu; } throttle;
	struct { uint32_t from_cpu, to_cpu; } migrate;
	struct { uint64_t child; } fork;			/* koid */
	struct { uint32_t code, signal; } exit;
	struct { int32_t before, after; } priority;	/* the kernel's: less is more urgent */
	/*
	 * @cpu: the only interrupted CPU, or KERNEL_EVENT_NO_CPU; then @mask has those of the first
	 * 64 CPUs that are interrupted. @count: of all interrupted CPUs
	 */
	struct { uint64_t mask; uint32_t count, cpu; } ipi;
	/* @target: koid; @result: as in fxt_sched_put_signal(); @is_by_irq: no thread sent it */
	struct { uint64_t target; uint16_t number; uint8_t result; bool is_by_irq; } signal;
	/* @code: siginfo_t.si_code; @is_handled: by the program */
	struct { uint32_t number; int32_t code; bool is_handled; } delivery;
	struct { uint64_t request; } queued;			/* id */
	struct { uint64_t thread; uint32_t bytes, operation; } request;	/* koid; FXT_BLOCK_* */
	struct { uint64_t request; uint32_t result; } completion;	/* as FXT_STR_RESULT */
	struct { uint64_t thread; } timer;	/* koid: sleeps until then; 0: none, or unknown */
	struct { uint32_t protocol, bytes; uint16_t local_port, remote_port; } data;	/* 0: unknown */
	struct { uint32_t khz; } frequency;
	struct { uint32_t min_khz, max_khz; } limits;
	struct { uint32_t threads; } run_queue;
	/* by the hypervisor, since the system booted; since the record before */
	struct { uint64_t ns, grown; } steal;
	struct { uint32_t ns; } sample;	/* weight */
	struct { uint32_t util, load, runnable; } pelt;	/* averages, in the kernel's scale */
};

struct kernel_event {
	uint8_t what;		/* enum kernel_event_what, selects the member of @args */
	const char *fault;	/* NULL if our producers may write it */
	uint64_t begin;		/* ticks */
	uint64_t end;		/* ticks; @begin if it is not a slice */
	uint16_t cpu;		/* KERNEL_EVENT_NO_CPU for events of threads */
	uint64_t thread;	/* koid of the thread that does or has it */
	uint64_t waker;		/* koid of who ended a sleep for a futex, through it; 0: unknown */
	uint64_t waker_lock;	/* address of the futex in its process; 0: the sleeper's */
	union kernel_args args;
};

/*
 * Returns false if the record is not an event of the kernel. Events of unknown kinds are not,
 * unless they are on tracks of such events.
 */
bool kernel_event_decode(struct kernel_event *e, const struct fxt_provider *provider,
			 const struct fxt_content *c);

/* What kernel_event_decode() returns, without decoding. */
bool kernel_event_is_one(const struct fxt_provider *provider, const struct fxt_content *c);

/* Is it an event of a user's tracepoint? Its CPU's ledger counts it. */
bool kernel_event_is_custom(const struct fxt_provider *provider, const struct fxt_content *c);

/* The argument with a known name and a type, or NULL. */
const struct fxt_arg *kernel_event_arg(const struct fxt_content *c, uint16_t name, uint8_t type);

/* "irq", "vector", "softirq", "idle", "work" and so on */
const char *kernel_event_name(enum kernel_event_what what);

/* Do events of this kind belong to the other thread as well? */
bool kernel_event_is_between(uint8_t what);

/* Does another format have an event for it? @as: FXT_AS_* */
bool kernel_event_is_as(uint8_t what, uint8_t as);

/* Is it a wait in futex(2), for a lock or anything else? */
bool kernel_event_is_futex(const struct kernel_event *e, const struct fxt_content *c);

/* Pages that a thread reclaimed, at most UINT32_MAX. */
static inline uint32_t kernel_event_pages(const struct kernel_event *e)
{
	return e->args.memory.pages < UINT32_MAX ? e->args.memory.pages : UINT32_MAX;
}

/*
 * Who ended a wait for a lock, if nobody else woke the waiter later: of a futex, who woke the
 * thread through it; of a lock of the kernel its holder. Nothing says why others wake the thread.
 * Koid; 0: unknown
 */
uint64_t kernel_event_releaser(const struct kernel_event *e, const struct fxt_content *c);

/*
 * Number of an interrupt, idle state, system call or cgroup; a lock's address; FXT_BLOCK_OP of a
 * request; for reclaim and compaction FXT_STR_* of the name; else 0
 */
uint64_t kernel_event_number(const struct kernel_event *e);

/* "read", "write" and so on; "reads" and so on. @number: FXT_LINUX_OP_* */
const char *kernel_event_operation(uint64_t number);
const char *kernel_event_operations(uint64_t number);

static inline bool kernel_event_is_stack(uint8_t what)
{
	return what >= KERNEL_STACK && what <= KERNEL_ASLEEP;
}

static inline bool kernel_event_is_irq(uint8_t what)
{
	return what <= KERNEL_SOFTIRQ;
}

#define KERNEL_SLICE(what, name, group, type, ...) \
	| ((type) == FXT_EVENT_DURATION_COMPLETE ? 1U << KERNEL_##what : 0)
static inline bool kernel_event_is_slice(uint8_t what)
{
	return (0U FXT_EVENTS(KERNEL_SLICE)) >> what & 1;
}
#undef KERNEL_SLICE

/* The bit of a kind whose records have such an argument. */
#define KERNEL_ANY(a, b, c, d, ...)	((a) | (b) | (c) | (d))
#define KERNEL_BIT(what, category, first, last, ...) \
	| (uint32_t)KERNEL_ANY(__VA_ARGS__, 0, 0, 0, 0) << KERNEL_##what
#define KERNEL_IS_OTHER(name, type, ...)	((type) == FXT_ARG_KOID)
#define KERNEL_IS_BEHIND(name, type, max, member) \
	((type) == FXT_ARG_KOID && offsetof(union kernel_args, member))

/* Do events of this kind have another thread, e.g. a receiver? */
static inline bool kernel_event_has_other(uint8_t what)
{
	return (0U FXT_RECORDS(KERNEL_BIT, KERNEL_IS_OTHER)) >> what & 1;
}

_Static_assert(!(0U FXT_RECORDS(KERNEL_BIT, KERNEL_IS_BEHIND)),
	       "the other thread comes first in its struct of union kernel_args");
#undef KERNEL_ANY
#undef KERNEL_BIT
#undef KERNEL_IS_OTHER
#undef KERNEL_IS_BEHIND

/* Do events of this kind have different origins, with names? */
static inline bool kernel_event_has_origin(uint8_t what)
{
	return kernel_event_is_slice(what) || what == KERNEL_IPI || what == KERNEL_REQUEST ||
	       what == KERNEL_COMPLETION || what == KERNEL_TIMER || what == KERNEL_DATA;
}

/* The errno of a system call; 0 if it succeeded. */
static inline uint32_t kernel_event_errno(int64_t ret)
{
	return ret < 0 && ret >= -KERNEL_EVENT_MAX_ERRNO ? -ret : 0;
}

/* Is it a known event that is in no stream: the host's time at a mark? */
static inline bool kernel_event_is_outside(const struct fxt_content *content)
{
	return content->category.known == FXT_STR_STEAL;
}

/* Is a koid the track of a cgroup's throttling on a CPU? */
static inline bool kernel_event_of_cgroup(uint64_t koid)
{
	return koid >> 28 == FXT_SCHED_KOID_CGROUPS >> 28;
}

/* Is a koid that of a track of events, not of losses? */
static inline bool kernel_event_has_track(uint64_t koid)
{
	return (koid >= FXT_SCHED_KOID_THROTTLE && koid < FXT_SCHED_KOID_LOSS) ||
	       (koid >= FXT_SCHED_KOID_NET && koid < FXT_SCHED_KOID_CUSTOM) ||
	       kernel_event_of_cgroup(koid);
}

/* Is a koid that of any track of our producers or the collector? */
static inline bool kernel_event_is_track(uint64_t koid)
{
	return kernel_event_has_track(koid) ||
	       (koid >= FXT_SCHED_KOID_LOSS &&
		koid <= fxt_sched_loss_koid(FXT_LEDGER_STREAM_NAMES));
}

/* Is it a counter of a cgroup's quota, by the cgroup's id? */
static inline bool kernel_event_counts_cgroup(const struct fxt_content *c)
{
	return c->kind == FXT_KIND_COUNTER && c->category.known == FXT_STR_THROTTLED &&
	       c->thread.process == FXT_SCHED_KOID_THROTTLE;
}

/* Is it a counter of a CPU on a track of events, by the CPU's number? */
static inline bool kernel_event_counts_cpu(const struct fxt_content *c)
{
	return c->kind == FXT_KIND_COUNTER && kernel_event_has_track(c->thread.process) &&
	       !kernel_event_counts_cgroup(c);
}

/* The CPU of a track's thread; KERNEL_EVENT_NO_CPU of a process. */
static inline uint16_t kernel_event_track_cpu(uint64_t koid)
{
	uint64_t n = koid & 0xffff;

	if (kernel_event_of_cgroup(koid))
		return koid & 0xfff;
	return n ? n - 1 : KERNEL_EVENT_NO_CPU;
}

#endif /* FXT_SCHED_KERNEL_EVENT_H */
