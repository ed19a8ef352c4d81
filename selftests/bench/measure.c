// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * measure.c - measures the time, CPU time, switches and memory of a command.
 * In:  a command. SIGINT and SIGTERM are passed on to it. Their dispositions are set to the
 *      default, unlike those of a shell's background jobs.
 * Out: in FILE a line of four numbers: ns until it ended, ns of CPU (user and system), context
 *      switches, largest resident memory in KiB; the second and third cover the command and all its
 *      descendants that were waited for. Exit status: the command's, 128 + N if signal N ended it,
 *      2 wrong usage, 126 it or FILE could not be opened.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile pid_t child;

static void forward(int signal)
{
	if (child > 0)
		kill(child, signal);
}

static unsigned long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static unsigned long long ns_of(struct timeval t)
{
	return t.tv_sec * 1000000000ULL + t.tv_usec * 1000ULL;
}

static int fail(const char *what)
{
	perror(what);
	return 126;
}

/* Install a handler; an interrupted system call is restarted. */
static void on_signals(void (*handler)(int))
{
	struct sigaction a = { .sa_handler = handler, .sa_flags = SA_RESTART };

	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
}

/* Block the signals until there is a process to pass them on to. */
static void hold_signals(int how)
{
	sigset_t both;

	sigemptyset(&both);
	sigaddset(&both, SIGINT);
	sigaddset(&both, SIGTERM);
	sigprocmask(how, &both, NULL);
}

int main(int argc, char **argv)
{
	unsigned long long began;
	struct rusage usage;
	int status;
	FILE *f;

	if (argc < 3) {
		fputs("usage: measure FILE COMMAND [ARGUMENT...]\n", stderr);
		return 2;
	}
	f = fopen(argv[1], "we");
	if (!f)
		return fail(argv[1]);
	hold_signals(SIG_BLOCK);
	on_signals(forward);
	began = now_ns();
	child = fork();
	if (child < 0)
		return fail("measure: cannot fork");
	if (!child) {
		on_signals(SIG_DFL);
		hold_signals(SIG_UNBLOCK);
		execvp(argv[2], argv + 2);
		_exit(fail(argv[2]));
	}
	hold_signals(SIG_UNBLOCK);
	if (wait4(child, &status, 0, &usage) < 0)
		return fail("measure: cannot wait");
	fprintf(f, "%llu %llu %ld %ld\n", now_ns() - began,
		ns_of(usage.ru_utime) + ns_of(usage.ru_stime),
		usage.ru_nvcsw + usage.ru_nivcsw, usage.ru_maxrss);
	if (fclose(f))
		return fail(argv[1]);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
