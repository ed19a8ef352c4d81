// SPDX-License-Identifier: GPL-2.0-or-later
/* Amount of work, the module, CPUs, loads. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collector.h"
#include "stress.h"
#include "tool.h"
#include "workload.h"

#define MEMBERS		3	/* senders of a group, and as many receivers */
#define MESSAGE		100	/* bytes */
#define CLOCK_SOURCES	"/sys/devices/system/clocksource/clocksource0/"

unsigned int stress_rounds(unsigned int full, unsigned int brief)
{
	const char *how = getenv("FXT_STRESS");
	unsigned long percent;

	if (!how || !*how)
		return brief;
	if (!strcmp(how, "full"))
		return full;
	percent = strtoul(how, NULL, 10);
	return full * percent / 100 ? full * percent / 100 : 1;
}

void stress_note(const char *format, ...)
{
	static uint64_t began;
	va_list args;

	began = began ? began : boottime_ns();
	printf("# stress, after %.1f s: ", (boottime_ns() - began) / 1e9);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
}

uint32_t stress_random(uint32_t limit)
{
	static uint64_t state;
	const char *seed = getenv("FXT_SEED");

	if (!state) {
		state = seed ? strtoull(seed, NULL, 0) : boottime_ns() ^ getpid();
		state = state ? state : 1;
		stress_note("FXT_SEED=%ju", (uintmax_t)state);
	}
	/* xorshift64*: any generator that is the same everywhere will do. */
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (state * 0x2545f4914f6cdd1dULL >> 32) % limit;
}

int module_load(void)
{
	const char *path = getenv("FXT_MODULE");
	char beside[RECORD_PATH];
	int fd, err;

	if (!path)
		path = built_path(beside, sizeof(beside), "../kmod/fxt_sched.ko");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	err = syscall(SYS_finit_module, fd, "", 0) ? errno : 0;
	close(fd);
	return err;
}

int module_unload(void)
{
	return syscall(SYS_delete_module, "fxt_sched", O_NONBLOCK) ? errno : 0;
}

static int write_file(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), err;

	if (fd < 0)
		return errno;
	err = write(fd, value, strlen(value)) < 0 ? errno : 0;
	close(fd);
	return err;
}

int cpu_set_online(int cpu, bool online)
{
	char path[80];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	return write_file(path, online ? "1" : "0");
}

static int read_file(const char *path, char *text, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;
	ssize_t n;

	if (fd < 0)
		return errno;
	n = read(fd, text, room - 1);
	err = n < 0 ? errno : 0;
	close(fd);
	text[n < 0 ? 0 : n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return err;
}

int cpus_stop(void)
{
	char all[256], current[64], *save, *other;
	int err = read_file(CLOCK_SOURCES "available_clocksource", all, sizeof(all));

	if (!err)
		err = read_file(CLOCK_SOURCES "current_clocksource", current, sizeof(current));
	if (err)
		return err;
	for (other = strtok_r(all, " ", &save); other; other = strtok_r(NULL, " ", &save))
		if (strcmp(other, current))
			break;
	if (!other)
		return 0;
	err = write_file(CLOCK_SOURCES "current_clocksource", other);
	return err ? err : write_file(CLOCK_SOURCES "current_clocksource", current);
}

static void send_forever(const int *ends)
{
	char message[MESSAGE] = { 0 };

	for (int i = 0; ; i = (i + 1) % MEMBERS)
		if (write(ends[i], message, sizeof(message)) < 0)
			_exit(0);
}

static void receive_forever(int end)
{
	char message[MESSAGE];

	while (read(end, message, sizeof(message)) > 0)
		;
	_exit(0);
}

/* Runs in a process group of its own, so that one signal ends all its members. */
static void be_group(void)
{
	int pairs[MEMBERS][2], ends[MEMBERS], i;

	for (i = 0; i < MEMBERS; i++) {
		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pairs[i]))
			_exit(1);
		ends[i] = pairs[i][0];
	}
	for (i = 0; i < MEMBERS; i++) {
		if (!fork())
			receive_forever(pairs[i][1]);
		if (i && !fork())
			send_forever(ends);
	}
	send_forever(ends);
}

static void be_parent(void)
{
	struct timespec nap = { .tv_nsec = 1000000 };
	pid_t pid;

	for (;;) {
		pid = fork();
		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
		nanosleep(&nap, NULL);
	}
}

int load_start(struct load *l)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct sched_param none = { 0 };
	int i, groups = cpus < LOAD_GROUPS ? cpus : LOAD_GROUPS;

	memset(l, 0, sizeof(*l));
	for (i = 0; i <= groups; i++) {
		l->pids[i] = fork();
		if (l->pids[i] < 0)
			return -1;
		if (!l->pids[i]) {
			setpgid(0, 0);
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			/* Use the lowest priority: tests run at the same time. */
			if (sched_setscheduler(0, SCHED_IDLE, &none))
				_exit(1);
			if (i < groups)
				be_group();
			be_parent();
		}
		setpgid(l->pids[i], l->pids[i]);
	}
	return 0;
}

static void signal_all(const struct load *l, int signal)
{
	for (int i = 0; i <= LOAD_GROUPS; i++)
		if (l->pids[i] > 0)
			kill(-l->pids[i], signal);
}

void load_pause(const struct load *l, bool on)
{
	signal_all(l, on ? SIGSTOP : SIGCONT);
}

void load_stop(struct load *l)
{
	signal_all(l, SIGKILL);
	for (int i = 0; i <= LOAD_GROUPS; i++)
		if (l->pids[i] > 0)
			waitpid(l->pids[i], NULL, 0);
	memset(l, 0, sizeof(*l));
}
