/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel_types.h - events of the kernel other than switches and wakeups, as reported by the model.
 *
 * A slice is reported when it ends, in the order of time. An interrupt is also reported in pieces:
 * the times in which it was not interrupted itself and the thread that it interrupted was on the
 * CPU. So the pieces of all interrupts never overlap on a CPU, and their sum is what interrupts
 * took.
 */
#ifndef FXT_SCHED_KERNEL_TYPES_H
#define FXT_SCHED_KERNEL_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel_event.h"

#define SCHED_SOURCE_BYTES	64	/* bytes of a name, terminated; longer ones are truncated */

struct fxt_call_stack;
struct sched_thread;

/**
 * struct sched_origin - the origin of events of one kind: an interrupt, a state, a function and so
 * on
 * @what: enum kernel_event_what
 * @number: see kernel_event_number(); of exits sched_exit_number()
 * @id: number in the order of first occurrence, from 0
 * @user: for the caller
 * @track: of a throttled cgroup, a koid whose name is the cgroup's
 * @name: its name; of exits the thread's name; of a cgroup its path, at the end of the archive
 * @path: of a cgroup, at the end of the archive: its path at full length; NULL if unknown
 */
struct sched_origin {
	uint8_t what;
	uint64_t number;
	uint32_t id;
	uint64_t user;
	uint64_t track;
	char name[SCHED_SOURCE_BYTES];
	const char *path;
};

/* Convert how a thread ended to one number and back. */
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

/**
 * struct sched_slice - an interrupt, idle state, work item, system call or throttling of a cgroup
 * on a CPU that has ended
 * @from: ns; @to: its end
 * @own: ns: of an interrupt the sum of its pieces; else @to - @from
 * @thread: the interrupted thread (NULL if unknown), the kworker or the caller
 * @error: errno of a system call that failed, else 0
 */
struct sched_slice {
	struct sched_origin *origin;
	uint64_t from;
	uint64_t to;
	uint64_t own;
	struct sched_thread *thread;
	uint32_t error;
	uint16_t cpu;
};

/** struct sched_piece - a part of an interrupt, see above; reported before its slice */
struct sched_piece {
	const struct sched_slice *slice;
	uint64_t from;		/* ns */
	uint64_t to;		/* ns */
};

/** struct sched_move - a thread moved from one run queue to another */
struct sched_move {
	uint64_t time;		/* ns */
	struct sched_thread *thread;
	uint16_t from;
	uint16_t to;
};

/** struct sched_frequency - a CPU has this frequency from now on */
struct sched_frequency {
	uint64_t time;		/* ns */
	uint32_t khz;
	uint16_t cpu;
};

/**
 * struct sched_moment - an event without duration: fork, exit, priority, interrupted CPUs, signal,
 * stack, length of a run queue, or load of a CPU
 * @what: enum kernel_event_what
 * @cpu: CPU on which it happened, or whose run queue or load it is
 * @thread: the thread that did it, has the priority or slept; NULL: it is about a CPU
 * @target: the other thread, e.g. the one that gets a signal; NULL if there is none, or of a fork
 * @origin: the function that interrupted CPUs have to call; of a failed exit its origin; else NULL
 * @stack: if @is_in, the stack of the sleep that the previous switch ended; else the stack of the
 *	waker, whose wakeup of @thread comes next
 */
struct sched_moment {
	uint64_t time;		/* ns */
	uint8_t what;
	uint16_t cpu;
	bool is_in;
	struct sched_thread *thread;
	struct sched_thread *target;
	struct sched_origin *origin;
	const struct fxt_call_stack *stack;
	union kernel_args args;
};

#define SCHED_QUOTA_COUNTS	3

/**
 * struct sched_quota - the kernel's counters of a cgroup with a quota, since its creation
 * @cgroup: its id
 * @path: its name, valid as long as the model
 * @time: ns, when this was read
 * @counts: nr_periods: periods in which it had something to run; nr_throttled: those in which its
 *	quota was used up; throttled_usec: summed over all CPUs
 * @user: for the caller
 */
struct sched_quota {
	uint64_t cgroup;
	uint64_t user;
	const char *path;
	uint64_t time;
	uint64_t counts[SCHED_QUOTA_COUNTS];
};

/**
 * sched_is_in_cgroup() - does a cgroup have this path, or is it below it?
 * @cgroup: its path, in a merged archive followed by its host: "/path [host]"; "" if unknown
 * @path: likewise; without a host, it matches any host
 *
 * Return: false if the path of the cgroup is unknown.
 */
bool sched_is_in_cgroup(const char *cgroup, const char *path);

#endif /* FXT_SCHED_KERNEL_TYPES_H */
