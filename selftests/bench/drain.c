// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Copies the data that Linux's ftrace has recorded, unchanged: a folder and
 * per_cpu/cpuN/trace_pipe_raw of each CPU become FOLDER/cpu0, ... with the kernel's own pages.
 * SIGTERM or SIGINT ends it when the buffers are empty: tracing must be off before.
 *
 * Like the collector it polls all CPUs every few milliseconds. A process that waits for data there
 * instead is woken by every event, and so causes more events.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CPUS_MAX	1024
#define PAGE_BYTES	65536	/* the largest */
#define PAGE_HEADER	16
#define LENGTH_MASK	0xfffff
#define EVENT_MAX	256	/* no event of the scheduler is larger */
#define POLL_NS		10000000

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static int fail(const char *what)
{
	perror(what);
	return 1;
}

static int open_all(char **argv, int cpus, int (*fds)[2])
{
	char path[4096];

	for (int i = 0; i < cpus; i++) {
		snprintf(path, sizeof(path), "%s/cpu%d", argv[1], i);
		fds[i][0] = open(argv[2 + i], O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		if (fds[i][0] < 0)
			return fail(argv[2 + i]);
		fds[i][1] = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		if (fds[i][1] < 0)
			return fail(path);
	}
	return 0;
}

/* In the header of a page, the time is followed by the number of bytes of its events. */
static bool is_full(const char *page, ssize_t bytes)
{
	uint64_t length;

	memcpy(&length, page + sizeof(uint64_t), sizeof(length));
	return (ssize_t)(length & LENGTH_MASK) > bytes - PAGE_HEADER - EVENT_MAX;
}

/*
 * Copy pages until one is not full: the kernel is still writing to that one, and further reads
 * would return one page per event.
 *
 * Return: 0 if no more data is available now, or 1.
 */
static int copy_pages(const int *fds, bool all)
{
	static char page[PAGE_BYTES];
	ssize_t bytes;

	while ((bytes = read(fds[0], page, sizeof(page))) > 0) {
		if (write(fds[1], page, bytes) != bytes)
			return fail("drain: cannot write");
		if (!all && !is_full(page, bytes))
			return 0;
	}
	return bytes < 0 && errno != EAGAIN && errno != EINTR ? fail("drain: cannot read") : 0;
}

static int run(int cpus, int (*fds)[2])
{
	const struct timespec poll = { .tv_nsec = POLL_NS };
	bool last;

	do {
		last = stopped;
		for (int i = 0; i < cpus; i++)
			if (copy_pages(fds[i], last))
				return 1;
		if (!last)
			nanosleep(&poll, NULL);
	} while (!last);
	return 0;
}

int main(int argc, char **argv)
{
	static int fds[CPUS_MAX][2];
	struct sigaction a = { .sa_handler = stop };

	if (argc < 3 || argc - 2 > CPUS_MAX) {
		fputs("usage: drain FOLDER TRACE_PIPE_RAW...\n", stderr);
		return 2;
	}
	sigaction(SIGTERM, &a, NULL);
	sigaction(SIGINT, &a, NULL);
	return open_all(argv, argc - 2, fds) || run(argc - 2, fds);
}
