/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes that do one known thing. */
#ifndef SELFTESTS_KNOWN_PROCESS_H
#define SELFTESTS_KNOWN_PROCESS_H

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILD_CODE	7

/*
 * Run a function in a child, which then exits with CHILD_CODE. Return: its id, after its end, or
 * -1.
 */
static inline pid_t child_run(void (*run)(void))
{
	pid_t pid = fork();

	if (!pid) {
		run();
		_exit(CHILD_CODE);
	}
	return pid > 0 && waitpid(pid, NULL, 0) == pid ? pid : -1;
}

static inline void do_nothing(void)
{
}

static inline void call_getppid(void)
{
	syscall(SYS_getppid);
}

/* a process that is older than a recording, and does something during it */
struct other {
	pid_t pid;	/* its id */
	int ask[2];	/* a pipe through which it is told to begin */
	int answer[2];	/* a pipe through which it reports that it is done */
};

static inline void other_run(const struct other *o)
{
	char c;

	while (read(o->ask[0], &c, 1) == 1) {
		call_getppid();
		child_run(do_nothing);
		if (write(o->answer[1], &c, 1) != 1)
			break;
	}
	_exit(0);
}

/* Start the process, which waits for other_work(). */
static inline int other_start(struct other *o)
{
	if (pipe(o->ask) || pipe(o->answer))
		return -1;
	o->pid = fork();
	if (!o->pid)
		other_run(o);
	return o->pid < 0 ? -1 : 0;
}

/* Let it make a system call, and fork a child. */
static inline int other_work(const struct other *o)
{
	char c = 0;

	return write(o->ask[1], &c, 1) == 1 && read(o->answer[0], &c, 1) == 1 ? 0 : -1;
}

static inline void other_end(const struct other *o)
{
	kill(o->pid, SIGKILL);
	waitpid(o->pid, NULL, 0);
}

#endif /* SELFTESTS_KNOWN_PROCESS_H */
