/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * io_uring_user.h - a process that uses io_uring, and has children that die.
 * In:  the thread ids that the kernel should use next.
 * Out: the ids that it used, and how often it switched a worker out.
 */
#ifndef SELFTESTS_IO_URING_USER_H
#define SELFTESTS_IO_URING_USER_H

#include <stdbool.h>
#include <sys/types.h>
#include <unistd.h>

#include "workload.h"

#define NEXT_TID_FILE	"/proc/sys/kernel/ns_last_pid"

/**
 * next_tid() - make the kernel give this id to the next thread
 *
 * Another thread of the machine may get it first. Return: 0 or -1.
 */
int next_tid(pid_t tid);

#define NEEDS_NEXT_TID() do {							\
	if (access(NEXT_TID_FILE, W_OK))					\
		SKIP(return, "the kernel has no CONFIG_CHECKPOINT_RESTORE");	\
} while (0)

/**
 * struct ring_user - the process
 * @pid: its id
 * @tid: id of the worker or child that it created last
 * @began: CLOCK_BOOTTIME in ns, before it created that thread
 * @counts: counts of a worker, which has slept since counts.at
 * @failure: the reason why it has no worker, 0 if it has one
 */
struct ring_user {
	pid_t pid;
	struct ring_user_answer {
		pid_t tid;
		int failure;	/* errno */
		uint64_t began;
		struct counts counts;
	} made;
	int in;
	int out;
};

/** ring_user_start() - start the process, which waits; 0 or -1 */
int ring_user_start(struct ring_user *u, const char *name);

/** ring_user_child() - fork a child with the id @tid (0 for any), which sleeps and ends */
int ring_user_child(struct ring_user *u, pid_t tid);

/**
 * ring_user_work() - create a worker, which opens pipes and waits for their writers
 * @tid: the worker's id, unless another thread gets it first; 0 for any
 *
 * Return: 0, or -1; ring_user.made.failure is the reason why the kernel has no such workers.
 */
int ring_user_work(struct ring_user *u, pid_t tid);

/** ring_user_end() - end the process and wait for its end; 0, or -1 if it failed */
int ring_user_end(struct ring_user *u);

#endif /* SELFTESTS_IO_URING_USER_H */
