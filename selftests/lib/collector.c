// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector.h"
#include "tool.h"
#include "workload.h"

/* Descriptors of the gate in its shell: dash knows only single-digit ones. */
#define GATE_BEGUN	8
#define GATE_END	9
#define GATE_COMMAND	"echo >&8; exec 8>&-; read x <&9; :"

static bool left_out(const char *source)
{
	const char *only = getenv("FXT_ONLY");

	return only && *only && strcmp(only, source);
}

bool test_left_out(const char *fixture, const char *test)
{
	const char *list = getenv("FXT_TESTS"), *at = list;
	char name[128];
	int length;

	length = snprintf(name, sizeof(name), "%s.%s", fixture, test);
	while (at && (at = strstr(at, name))) {
		if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return false;
		at += length;
	}
	return list && *list;
}

const char *source_missing(const char *source)
{
	if (geteuid())
		return "not root";
	if (left_out(source))
		return "left to another machine, because $FXT_ONLY names the other source";
	if (!strcmp(source, "kmod")) {
		if (access("/sys/module/fxt_sched", F_OK))
			return "the module fxt_sched is not loaded";
		if (access("/dev/fxt_sched", F_OK))
			return "the loaded module fxt_sched has no device /dev/fxt_sched";
		return NULL;
	}
	if (access("/sys/kernel/btf/vmlinux", R_OK))
		return "this kernel has no BTF";
	return NULL;
}

bool kernel_is_since(unsigned int major, unsigned int minor)
{
	unsigned int has_major = 0, has_minor = 0;
	struct utsname u;

	uname(&u);
	sscanf(u.release, "%u.%u", &has_major, &has_minor);
	return has_major > major || (has_major == major && has_minor >= minor);
}

bool machine_is_x86(void)
{
	struct utsname u;

	uname(&u);
	return !strcmp(u.machine, "x86_64");
}

const char *stacks_missing(const char *source)
{
	if (strcmp(source, "kmod") || machine_is_x86() || kernel_is_since(6, 12))
		return NULL;
	return "before 6.12 only x86 lets a module unwind the stack of another thread";
}

bool module_built_in(void)
{
	return !access("/sys/module/fxt_sched", F_OK) &&
	       access("/sys/module/fxt_sched/initstate", F_OK);
}

bool source_required(const char *source)
{
	const char *required = getenv("FXT_REQUIRE");

	return required && strstr(required, source) && !left_out(source);
}

bool in_guest(void)
{
	const char *guest = getenv("FXT_GUEST");

	return guest && strcmp(guest, "0");
}

int dir_make(char *path, size_t room)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(path, room, "%s/fxt-selftest.XXXXXX", tmp ? tmp : "/tmp");
	/* Make it readable for children that are not root. */
	return mkdtemp(path) && !chmod(path, 0755) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	remove(path);
	return 0;
}

void dir_remove(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *collector_path(void)
{
	static char path[RECORD_PATH];
	const char *told = getenv("FXT_COLLECT");

	return told ? told : built_path(path, sizeof(path), "fxt-collect");
}

/* Put the ends at the numbers that the shell uses, which may be in use in this process. */
static void place_gate(const int *gate)
{
	int begun = fcntl(gate[0], F_DUPFD, GATE_END + 1);
	int end = fcntl(gate[1], F_DUPFD, GATE_END + 1);

	dup2(begun, GATE_BEGUN);
	dup2(end, GATE_END);
	close(begun);
	close(end);
}

static void become_collector(const struct collector *c, const char * const *args,
			     int out, const int *gate)
{
	const char *argv[RECORD_ARGS + 4] = { "fxt-collect", "-o", c->output };
	int errors = open(c->errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	sigset_t none;

	for (int i = 0; args[i] && i < RECORD_ARGS; i++)
		argv[3 + i] = args[i];
	/* Otherwise the collector would continue tracing if this process were killed. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	if (out >= 0)
		dup2(out, STDOUT_FILENO);
	if (dup2(errors, STDERR_FILENO) != STDERR_FILENO)
		_exit(99);
	if (gate)
		place_gate(gate);
	execv(collector_path(), (char **)argv);
	_exit(99);
}

static int spawn(struct collector *c, const char *dir, const char * const *args,
		 int out, const int *gate)
{
	memset(c, 0, sizeof(*c));
	c->gate = -1;
	snprintf(c->output, sizeof(c->output), "%s/sched.fxt", dir);
	snprintf(c->errors, sizeof(c->errors), "%s/said", dir);
	c->pid = fork();
	if (!c->pid)
		become_collector(c, args, out, gate);
	return c->pid < 0 ? -1 : 0;
}

int collector_spawn(struct collector *c, const char *dir, const char * const *args, int out)
{
	return spawn(c, dir, args, out, NULL);
}

static void read_text(const char *path, char *text, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, room - 1);

	text[n < 0 ? 0 : n] = '\0';
	if (fd >= 0)
		close(fd);
}

void collector_read(struct collector *c)
{
	read_text(c->errors, c->text, sizeof(c->text));
}

int collector_wait(struct collector *c)
{
	if (c->pid) {
		while (waitpid(c->pid, &c->status, 0) < 0 && errno == EINTR)
			;
		c->pid = 0;
		collector_read(c);
	}
	if (c->gate >= 0)
		close(c->gate);
	c->gate = -1;
	return WIFEXITED(c->status) ? WEXITSTATUS(c->status) :
				      128 + WTERMSIG(c->status);
}

int collector_run(struct collector *c, const char *dir, const char * const *args)
{
	if (collector_spawn(c, dir, args, -1))
		return -1;
	return collector_wait(c);
}

static bool holds_switch(const char *path)
{
	struct trace t;
	struct why why;
	bool found = false;

	trace_load(&t, path, true, &why);
	for (size_t i = 0; i < t.stream_count; i++)
		found |= t.streams[i].event_count > 0;
	trace_free(&t);
	return found;
}

int wait_for_records(const struct collector *c, struct why *why)
{
	siginfo_t info = { 0 };

	for (int waited = 0; waited < PATIENCE_MS && !info.si_pid; waited += 20) {
		if (holds_switch(c->output))
			return 0;
		waitid(P_PID, c->pid, &info, WEXITED | WNOHANG | WNOWAIT);
		sleep_ms(20);
	}
	read_text(c->errors, why->text, sizeof(why->text));
	return -1;
}

/* Before it sleeps, it has read everything; it also sleeps for other reasons, as for the disk. */
#define SLEEPS	10

int wait_for_reads(const struct collector *c)
{
	struct counts before, now;

	if (counts_read_of(c->pid, &before))
		return -1;
	for (int waited = 0; waited < PATIENCE_MS; waited += 10) {
		sleep_ms(10);
		if (counts_read_of(c->pid, &now))
			return -1;
		if (now.voluntary >= before.voluntary + SLEEPS)
			return 0;
	}
	return -1;
}

/* Wait until the gate has begun, or its end of the pipe is closed because there is none. */
static int await_gate(struct collector *c, int begun, struct why *why)
{
	struct pollfd fd = { .fd = begun, .events = POLLIN };
	char byte;

	if (poll(&fd, 1, PATIENCE_MS) == 1 && read(begun, &byte, 1) == 1) {
		c->began = boottime_ns();
		return 0;
	}
	close(c->gate);
	c->gate = -1;
	kill(c->pid, SIGTERM);
	collector_wait(c);
	return complain(why, "the recording did not begin: %.400s", c->text);
}

int record_begin(struct collector *c, const char *dir, const char *source,
		 const char * const *more, struct why *why)
{
	const char *args[RECORD_ARGS] = { "-s", source };
	int begun[2], end[2], n = 2, ret;

	while (more && *more && n < RECORD_ARGS - 6)
		args[n++] = *more++;
	args[n++] = "--";
	args[n++] = "/bin/sh";
	args[n++] = "-c";
	args[n++] = GATE_COMMAND;
	args[n] = NULL;
	if (pipe2(begun, O_CLOEXEC) || pipe2(end, O_CLOEXEC))
		return complain(why, "pipe: %s", strerror(errno));
	ret = spawn(c, dir, args, -1, (int []){ begun[1], end[0] });
	close(begun[1]);
	close(end[0]);
	c->gate = end[1];
	if (!ret)
		ret = await_gate(c, begun[0], why);
	close(begun[0]);
	return ret;
}

int record_end(struct collector *c, struct why *why)
{
	int status;

	close(c->gate);
	c->gate = -1;
	status = collector_wait(c);
	if (!status)
		return 0;
	return complain(why, "fxt-collect ended with status %d: %.400s", status, c->text);
}

int record_load(struct collector *c, struct trace *t, struct why *why)
{
	memset(t, 0, sizeof(*t));
	if (record_end(c, why))
		return -1;
	return trace_load(t, c->output, false, why);
}

int record_check(struct collector *c, struct trace *t, struct why *why)
{
	return record_load(c, t, why) || trace_check_all(t, why) ? -1 : 0;
}

const char *collector_said(const struct collector *c)
{
	static char line[1024];
	size_t n = strlen(c->text);
	const char *from;

	while (n && c->text[n - 1] == '\n')
		n--;
	for (from = c->text + n; from > c->text && from[-1] != '\n'; from--)
		;
	snprintf(line, sizeof(line), "%.*s", (int)(c->text + n - from), from);
	return line;
}
