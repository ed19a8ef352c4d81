// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lifetime.c - measures how long a recording takes to begin and to end.
 * In:  milliseconds, an archive's path, a command that records into it until SIGINT.
 * Out: a line of five numbers: ns from the fork to the first scheduling record, ns from SIGINT to
 *      the end of the process, ns of its CPU time, largest resident memory in KiB, records. Exit
 *      status: the command's; 126 something failed, 2 wrong usage.
 *
 * Time stamps of the archive and those taken here are both of the boot clock, in ns.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libfxt/fxt_reader.h"

static uint64_t boottime_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static uint64_t ns_of(struct timeval t)
{
	return t.tv_sec * 1000000000ULL + t.tv_usec * 1000ULL;
}

static int fail(const char *what)
{
	perror(what);
	return 126;
}

static int read_archive(const char *path, uint64_t *first, uint64_t *records)
{
	struct fxt_content c;
	struct fxt_reader *r;
	struct fxt_record rec;
	int ret = fxt_reader_open(&r, path, NULL);

	*first = UINT64_MAX;
	*records = 0;
	while (!ret && fxt_reader_next(r, &rec) == 1) {
		if (rec.kind != FXT_KIND_CONTEXT_SWITCH && rec.kind != FXT_KIND_THREAD_WAKEUP)
			continue;
		if (fxt_reader_content(r, &rec, &c) < 0)
			continue;
		++*records;
		if (c.time < *first)
			*first = c.time;
	}
	fxt_reader_close(r);
	return ret;
}

int main(int argc, char **argv)
{
	uint64_t began, asked, ended, first, records;
	struct rusage usage;
	int status;
	pid_t pid;

	if (argc < 4 || atoi(argv[1]) <= 0) {
		fputs("usage: lifetime MS ARCHIVE COMMAND [ARGUMENT...]\n", stderr);
		return 2;
	}
	began = boottime_ns();
	pid = fork();
	if (pid < 0)
		return fail("lifetime: cannot fork");
	if (!pid) {
		execvp(argv[3], argv + 3);
		_exit(fail(argv[3]));
	}
	usleep(atoi(argv[1]) * 1000);
	asked = boottime_ns();
	kill(pid, SIGINT);
	if (wait4(pid, &status, 0, &usage) < 0)
		return fail("lifetime: cannot wait");
	ended = boottime_ns();
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
	if (read_archive(argv[2], &first, &records) || !records)
		return fail(argv[2]);
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %ld %" PRIu64 "\n", first - began,
	       ended - asked, ns_of(usage.ru_utime) + ns_of(usage.ru_stime), usage.ru_maxrss,
	       records);
	return 0;
}
