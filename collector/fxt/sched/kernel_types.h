/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel_types.h - events of the kernel beside switches and wakeups, as the model reports them.
 *
 * A slice is reported when it ends, in the order of time. An interrupt is reported in pieces,
 * too: those of its time in which no other interrupt interrupted it and the thread that it
 * interrupted was on the CPU. So the pieces of all interrupts never overlap on a CPU, and
 * their sum is what interrupts took.
 */
#ifndef FXT_SCHED_KERNEL_TYPES_H
#define FXT_SCHED_KERNEL_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel_event.h"

#define SCHED_SOURCE_BYTES	64	/* of a name, terminated; longer ones are truncated */

struct fxt_call_stack;
struct sched_thread;

/**
 * struct sched_origin - what events of one kind are of: an interrupt, a state, a function
 * @what: enum kernel_event_what
 * @number: see kernel_event_number(); of exits sched_exit_number()
 * @id: number of the origin in the order in which they were first seen, from 0
 * @user: for the caller
 * @track: of a throttled cgroup, a koid whose name is the cgroup's
 * @name: its own; of exits the thread's; of a cgroup its path, at the end of the archive
 * @path: of a cgroup, at the end of the archive, the same at full length; NULL if unknown
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

/* How a thread ended, as one number, and back. */
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
 * struct sched_slice - an interrupt, an idle state, a work item, a system call or the throttling
 * of a cgroup on a CPU has ended
 * @from: ns; @to is when it ended
 * @own: ns of an interrupt in all its pieces; else @to - @from
 * @thread: the thread that an interrupt interrupted, NULL if unknown; the kworker; the caller
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

/** struct sched_piece - a part of an interrupt, see above; before its slice */
struct sched_piece {
	const struct sched_slice *slice;
	uint64_t from;		/* ns */
	uint64_t to;		/* ns */
};

/** struct sched_move - a thread moved from a run queue to another */
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
 * struct sched_moment - a fork, an exit, a priority, interrupted CPUs, a signal, a stack, a run
 * queue's length, or the load of a CPU
 * @what: enum kernel_event_what
 * @cpu: on which it was, or whose run queue or load it is
 * @thread: the thread that did it, has the priority or slept; NULL: of a CPU
 * @target: of a signal that is sent, the thread that gets it; else NULL
 * @origin: what the interrupted CPUs have to call; of an exit that failed, see there; else NULL
 * @stack: of the sleep that the switch before has ended, if @is_in; else of the waker, and the
 *	next wakeup of @thread is its
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
 * struct sched_quota - what the kernel has counted of a cgroup with a quota, since it exists
 * @cgroup: its id
 * @path: its name, valid as long as the model
 * @time: ns, when this was read
 * @counts: nr_periods, in which it had something to run; nr_throttled, of these those in
 *	which the quota was used up; throttled_usec, for how long, the sum of all CPUs
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
 * sched_is_in_cgroup() - is a cgroup that of a path, or below it?
 * @cgroup: its path, in a merged archive followed by its host: "/path [host]"; "" if unknown
 * @path: likewise; without a host, that of any
 *
 * Return: false if the path of the cgroup is unknown.
 */
bool sched_is_in_cgroup(const char *cgroup, const char *path);

#endif /* FXT_SCHED_KERNEL_TYPES_H */
