/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel_types.h - events of the kernel other than switches and wakeups, as reported by the model.
 *
 * A slice is reported when it ends, in the order of time. An interrupt is also reported in pieces:
 * the times in which no other interrupt interrupted it and the thread that it interrupted had the
 * CPU. So the pieces of a CPU's interrupts never overlap, and their sum is the time of interrupts.
 */
#ifndef FXT_SCHED_KERNEL_TYPES_H
#define FXT_SCHED_KERNEL_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "libfxt/map.h"
#include "kernel_event.h"

#define SCHED_SOURCE_BYTES	64	/* of a terminated name; longer ones are truncated */

struct fxt_call_stack;
struct sched_thread;

/* The origin of events of one kind: an interrupt, a state, a function ... */
struct sched_origin {
	struct map_node node;
	uint8_t what;			/* enum kernel_event_what */
	uint64_t number;		/* kernel_event_number(); of exits sched_exit_number() */
	uint32_t id;			/* in the order of first occurrence, from 0 */
	uint64_t user;			/* for the caller */
	bool is_others;			/* all beyond the limit: SCHED_ORIGINS */
	bool is_futex;			/* perhaps no lock: sched_origin_is_lock() */
	bool is_proven;			/* of a futex: its holder woke a thread through it */
	bool was_held;			/* of a futex: another thread of the process seemed to hold it */
	bool was_woken;			/* of a futex: the waker of a thread through it is known */
	uint64_t process;		/* of a futex: koid; 0: unknown */
	bool is_shared;			/* of a futex: threads of two processes used it */
	uint32_t places;		/* of a futex: its addresses, if it stands for all */
	struct sched_origin *same;	/* at the end: of the same futex; stands for both */
	uint64_t track;			/* of a throttled cgroup: a koid that has its name */
	uint32_t requests;		/* of a block device: those that its driver has now */
	char name[SCHED_SOURCE_BYTES];	/* of exits the thread's; of a cgroup its path at the end */
	/*
	 * Of a cgroup at the end, not truncated; NULL: unknown. Of requests, e.g. "write of vda".
	 */
	const char *path;
};

/* How a thread ended, as one number. */
static inline uint64_t sched_exit_number(uint32_t code, uint32_t signal)
{
	return (uint64_t)signal << 8 | code;
}

static inline uint32_t sched_exit_code(uint64_t number)
{
	return number & 0xff;
}

static inline uint32_t sched_exit_signal(uint64_t number)
{
	return number >> 8;
}

/*
 * The origin that stands for all of one futex, at the end of the archive. Shortens the way to it,
 * because an archive may join tens of thousands in a row.
 */
static inline struct sched_origin *sched_origin_first(struct sched_origin *o)
{
	while (o->same) {
		if (o->same->same)
			o->same = o->same->same;
		o = o->same;
	}
	return o;
}

/*
 * Is the origin of a wait a lock? Known at the end of the archive. A futex is one if a thread whose
 * id stood where a mutex has its owner also woke a thread that slept for it; or if it only stood
 * there, but no waker is known. A condition variable is not a lock.
 */
static inline bool sched_origin_is_lock(const struct sched_origin *o)
{
	while (o->same)
		o = o->same;
	return !o->is_futex || o->is_proven || (o->was_held && !o->was_woken);
}

/*
 * An ended interrupt, idle state, work item, system call, wait for a lock, reclaim or compaction of
 * memory, or throttling of a cgroup on a CPU.
 */
struct sched_slice {
	struct sched_origin *origin;
	uint64_t from;		/* ns */
	uint64_t to;		/* ns */
	uint64_t own;		/* ns: of an interrupt the sum of its pieces; else @to - @from */
	struct sched_thread *thread;	/* interrupted (NULL if unknown), or that did it */
	/* of the lock that @thread waited for; NULL: unknown; of a futex also if it is no lock */
	struct sched_thread *holder;
	struct sched_thread *waker;	/* ended a sleep for a futex, in futex(2); NULL: unknown */
	uint32_t error;		/* errno of a failed system call, else 0 */
	uint32_t pages;		/* that a thread reclaimed, else 0; at most UINT32_MAX */
	uint16_t cpu;
};

/* A part of an interrupt, reported before its slice. */
struct sched_piece {
	const struct sched_slice *slice;
	uint64_t from;		/* ns */
	uint64_t to;		/* ns */
};

struct sched_move {
	uint64_t time;		/* ns */
	struct sched_thread *thread;
	uint16_t from;
	uint16_t to;
};

struct sched_frequency {
	uint64_t time;		/* ns */
	uint32_t khz;
	uint16_t cpu;
};

/*
 * An event without duration: fork, exit, priority, interrupted CPUs, signal, timer, data of a
 * socket, stack, length of a run queue, load of a CPU, or time that the hypervisor took of it.
 */
struct sched_moment {
	uint64_t time;		/* ns */
	uint8_t what;		/* enum kernel_event_what */
	uint16_t cpu;		/* where it happened, or whose run queue or load it is */
	bool is_in;		/* @stack is that of the sleep that the previous switch ended */
	struct sched_thread *thread;	/* did it, has the priority or slept; NULL: about a CPU */
	/* e.g. gets a signal, or a timer ends its sleep; NULL: none, unknown, or of a fork */
	struct sched_thread *target;
	struct sched_origin *origin;	/* of a call of other CPUs, failed exit, timer, data */
	/* Unless @is_in, of the waker, whose wakeup of @thread comes next. */
	const struct fxt_call_stack *stack;
	union kernel_args args;
};

/* A request of a block device that has ended, or that was open at the end of the archive. */
struct sched_request {
	struct sched_origin *origin;	/* the device; its number is the operation, FXT_LINUX_OP_* */
	struct sched_origin *device;	/* of requests of any operation */
	/* Queued it, if that is in the archive; else issued it; NULL: an interrupt did. */
	struct sched_thread *thread;
	/* ns, of the first time if the driver put it back; 0: not queued, or not in the archive */
	uint64_t queued;
	uint64_t issued;		/* ns, when the driver got it */
	uint64_t to;			/* ns */
	uint32_t bytes;
	uint32_t operation;		/* FXT_BLOCK_* */
	uint32_t depth;			/* requests that the driver had then, including this one */
	uint32_t error;			/* the kernel's blk_status_t; 0: none */
	uint16_t cpu;			/* where it was completed */
	bool is_open;			/* it had not ended at the end of the archive */
};

#define SCHED_QUOTA_COUNTS	3

/* The kernel's counters of a cgroup with a quota, since its creation. */
struct sched_quota {
	uint64_t cgroup;	/* its id */
	uint64_t user;		/* for the caller */
	const char *path;	/* valid as long as the model */
	uint64_t time;		/* ns, of reading */
	/*
	 * nr_periods: with something to run; nr_throttled: periods that used up the quota;
	 * throttled_usec: summed over all CPUs.
	 */
	uint64_t counts[SCHED_QUOTA_COUNTS];
};

/*
 * Does a cgroup have this path, or is it below it? @cgroup: in a merged archive followed by its
 * host:
 * "/path [host]"; "": unknown, which returns false. @path: likewise; without a host, it matches any
 * host.
 */
bool sched_is_in_cgroup(const char *cgroup, const char *path);

#endif /* FXT_SCHED_KERNEL_TYPES_H */
