/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process that uses io_uring, and has children that die. */
#ifndef SELFTESTS_IO_URING_USER_H
#define SELFTESTS_IO_URING_USER_H

#include <stdbool.h>
#include <sys/types.h>
#include <unistd.h>

#include "workload.h"

#define NEXT_TID_FILE	"/proc/sys/kernel/ns_last_pid"

/* Make the kernel give this id to the next thread, which may be one of another process. */
int next_tid(pid_t tid);

#define NEEDS_NEXT_TID() do {							\
	if (access(NEXT_TID_FILE, W_OK))					\
		SKIP(return, "the kernel has no CONFIG_CHECKPOINT_RESTORE");	\
} while (0)

/*
 * @tid: id of the worker or child that it created last; @began: CLOCK_BOOTTIME in ns, before it
 * created that thread; @counts: of a worker, which has slept since counts.at; @failure: the reason
 * why it has no worker, 0 if it has one
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

/* Start the process, which waits. */
int ring_user_start(struct ring_user *u, const char *name);

/* Fork a child with the id @tid (0 for any), which sleeps and ends. */
int ring_user_child(struct ring_user *u, pid_t tid);

/*
 * Create a worker, which opens pipes and waits for their writers. It gets the id @tid (0: any),
 * unless another thread gets it first. On failure, ring_user.made.failure may be the reason why the
 * kernel has no such workers.
 */
int ring_user_work(struct ring_user *u, pid_t tid);

/* Return: 0, or -1 if the process failed */
int ring_user_end(struct ring_user *u);

#endif /* SELFTESTS_IO_URING_USER_H */
