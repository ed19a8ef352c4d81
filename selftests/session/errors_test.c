// SPDX-License-Identifier: GPL-2.0-or-later
/* Failures yield an exit status, and one line that says what to do. */
#include <pthread.h>
#include <sys/mount.h>

#include "failure.h"
#include "source_fixture.h"

#define NOBODY		65534
#define FIFTY		"12345678901234567890123456789012345678901234567890"

/* --- what needs no source ---------------------------------------------------- */

FIXTURE(usage)
{
	char dir[RECORD_PATH];
	struct collector c;
	struct why why;
};

FIXTURE_SETUP(usage)
{
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
}

FIXTURE_TEARDOWN(usage)
{
	dir_remove(self->dir);
}

static pthread_barrier_t thread_is_there;

TEST_F(usage, options)
{
	static const struct failure failures[] = {
		{ 2, "see --help", { "--nonsense" } },
		{ 2, "see --help", { "-x" } },
		{ 2, "needs a value", { "-d" } },
		{ 2, "did you mean bpf?", { "-s", "ebpf" } },
		{ 2, "use auto, kmod, bpf", { "-s", "lttng" } },
		{ 2, "boot, mono, tsc", { "-c", "real" } },
		{ 2, "weight, prio, none", { "--weight", "share" } },
		{ 2, "use e.g. 500ms", { "-d", "0" } },
		{ 2, "use e.g. 500ms", { "-d", "-1" } },
		{ 2, "use e.g. 500ms", { "-d", "soon" } },
		{ 2, "use e.g. 500ms", { "-d", "10 s" } },
		{ 2, "use e.g. 500ms", { "-d", "5d" } },
		{ 2, "use e.g. 500ms", { "-d", "99999999999999999999" } },
		{ 2, "use e.g. 500ms", { "-d", "18446744073709551615h" } },
		{ 2, "e.g. 4M", { "-b", "0" } },
		{ 2, "e.g. 4M", { "-b", "4K" } },
		{ 2, "e.g. 4M", { "-b", "3G" } },
		{ 2, "e.g. 4M", { "-b", "x" } },
		{ 2, "e.g. 4M", { "-b", "4MB" } },
		{ 2, "e.g. 4M", { "-b", "-4M" } },
		{ 2, "e.g. 4M", { "-b", "18446744073709551615G" } },
		{ 2, "invalid CPU list", { "-C", "" } },
		{ 2, "invalid CPU list", { "-C", "1-" } },
		{ 2, "invalid CPU list", { "-C", "3-1" } },
		{ 2, "invalid CPU list", { "-C", "0,99999" } },
		{ 2, "no CPU 8191", { "-C", "8191" } },
		{ 2, "use e.g. 12,345", { "-p", "x" } },
		{ 2, "use e.g. 12,345", { "-p", "1,,2" } },
		{ 2, "use e.g. 12,345", { "-p", "0" } },
		{ 2, "no process 4194303", { "-p", "4194303" } },
		{ 2, "e.g. 'nginx*'", { "--comm", "" } },
		{ 2, "e.g. 'nginx*'", { "--comm", "[a" } },
		{ 2, "e.g. 'nginx*'", { "--comm", "0123456789012345678901234567890123" } },
		{ 2, "at most 15 bytes", { "--comm", "0123456789012345" } },
		{ 2, "at most 15 bytes", { "--comm", "nginx: worker process*" } },
		{ 2, "at most 15 bytes", { "-F", "--trigger", "latency>5ms:comm=0123456789012345" } },
		{ 2, "cgroup", { "--cgroup", "/no/such/cgroup" } },
		{ 2, "cgroup", { "--cgroup", "../.." } },
		{ 2, "e.g. 'latency>5ms", { "-F", "--trigger", "5ms" } },
		{ 2, "no limit", { "-F", "--trigger", "comm=x" } },
		{ 2, "'irq>5ms'", { "-F", "--trigger", "irq>5" } },
		{ 2, "softirq>x: invalid duration", { "-F", "--trigger", "softirq>x" } },
		{ 2, "with latency>TIME", { "-F", "--trigger", "irq>5ms:comm=x" } },
		{ 2, "use e.g. 500ms", { "-F", "--trigger", "latency>0" } },
		{ 2, "select some with comm= or pid=", { "-F", "--trigger", "sleep>50ms" } },
		{ 2, "'blocked>1ms'", { "-F", "--trigger", "blocked>1" } },
		{ 2, "'latency>5ms'", { "-F", "--trigger", "latency>5" } },
		{ 2, "'latency>0.5ms'", { "-F", "--trigger", "latency>0.5:comm=x" } },
		{ 2, "no process 4194303", { "-F", "--trigger", "latency>5ms:pid=4194303" } },
		{ 2, "e.g. 'latency>5ms", { "-F", "--trigger", "latency>5ms:pid=0" } },
		{ 2, "e.g. 'nginx*'", { "-F", "--trigger", "latency>5ms:comm=[" } },
		{ 2, "requires --flight-recorder", { "--trigger", "latency>5ms" } },
		{ 2, "requires --trigger", { "-F", "--after", "1s" } },
		{ 2, "requires --flight-recorder", { "--snapshots", "3" } },
		{ 2, "cannot be combined", { "-F", "--rotate", "size=1M" } },
		{ 2, "cannot be combined", { "-F", "--max-size", "1M" } },
		{ 2, "give --output a file name", { "-F", "-o", "-" } },
		{ 2, "tcp://x: the port is missing", { "-o", "tcp://x" } },
		{ 2, "the host is missing", { "-o", "tcp://:1" } },
		{ 2, "invalid port", { "-o", "tcp://x:0" } },
		{ 2, "in brackets", { "-o", "tcp://::1:7" } },
		{ 2, "invalid CID", { "-o", "vsock:any:7" } },
		{ 2, "longer than 107 bytes", { "-o", "unix:/" FIFTY FIFTY FIFTY } },
		{ 2, "--keep can only remove files", { "-o", "unix:x", "--rotate", "size=1M", "--keep", "2" } },
		{ 2, "use e.g. /10s", { "--start-at", "10s" } },
		{ 2, "in the past", { "--start-at", "@1" } },
		{ 2, "use KEY=VALUE", { "-M", "role" } },
		{ 2, "given twice", { "-M", "role=x", "-M", "role=y" } },
		{ 2, "zstd:3", { "-z", "xz" } },
		{ 2, "1 to 19", { "-z", "zstd:20" } },
		{ 2, "1 to 9", { "-z", "gzip:0" } },
		{ 2, "e.g. size=1G,time=10m", { "--rotate", "1G" } },
		{ 2, "use e.g. 512K", { "--rotate", "size=0" } },
		{ 2, "requires --rotate or", { "--keep", "3" } },
		{ 2, "use e.g. 512K", { "--max-size", "much" } },
		{ 2, "comm, cmdline", { "--names", "both" } },
		{ 2, "counters, instants, host, trigger", { "--without", "names" } },
		{ 2, "counters, instants, host, trigger", { "--without", "" } },
		{ 2, "counters, instants, host, trigger", { "--without", "host," } },
		{ 2, "counters, instants, host, trigger", { "--without", "host,,counters" } },
		{ 2, "counters, instants, host, trigger", { "--without", "counters instants" } },
		{ 2, "needs a value", { "--without" } },
		{ 2, "unknown group", { "-e", "tq:sched_switch" } },
		{ 2, "the name of the tracepoint is missing", { "-e", "tp:" } },
		{ 2, "more than 6 fields", { "-e", "tp:a(b,c,d,e,f,g,h)" } },
		{ 2, "a field is empty", { "-e", "tp:a(b,)" } },
		{ 2, "a field is empty", { "-e", "tp:a()" } },
		{ 2, "not followed by a comma", { "-e", "tp:a(b" } },
		{ 2, "unexpected text", { "-e", "irq,tp:a(b)=count" } },
		{ 2, "a counter has one field", { "-e", "tp:a=counter" } },
		{ 2, "a counter has one field", { "-e", "tp:a(b,c,d)=counter" } },
		{ 2, "more than 8 tracepoints",
		  { "-e", "tp:a,tp:b,tp:c,tp:d", "-e", "tp:e,tp:f,tp:g,tp:h,tp:i" } },
		{ 2, "both be standard output", { "-o", "-", "--stats-json", "-" } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(failures); i++)
		EXPECT_FINE(check_run(&self->c, self->dir, &failures[i], &self->why));
}

static void *wait_for_end(void *arg)
{
	uint64_t *tid = arg;

	*tid = syscall(SYS_gettid);
	pthread_barrier_wait(&thread_is_there);
	pthread_barrier_wait(&thread_is_there);
	return NULL;
}

/* The id of a thread other than the main thread is not a process id. */
TEST_F(usage, thread_as_process)
{
	char pid[24], trigger[64], says[64];
	const struct failure failures[] = {
		{ 2, says, { "--pid", pid } },
		{ 2, says, { "-F", "--trigger", trigger } },
	};
	pthread_t thread;
	uint64_t tid;

	ASSERT_EQ(0, pthread_barrier_init(&thread_is_there, NULL, 2));
	ASSERT_EQ(0, pthread_create(&thread, NULL, wait_for_end, &tid));
	pthread_barrier_wait(&thread_is_there);
	snprintf(pid, sizeof(pid), "%" PRIu64, tid);
	snprintf(trigger, sizeof(trigger), "latency>5ms:pid=%s", pid);
	snprintf(says, sizeof(says), "%s is a thread of process %d; use", pid, getpid());
	for (size_t i = 0; i < ARRAY_SIZE(failures); i++)
		EXPECT_FINE(check_run(&self->c, self->dir, &failures[i], &self->why));
	pthread_barrier_wait(&thread_is_there);
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&thread_is_there);
}

static int run_for_stdout(struct collector *c, const char *dir, const char * const *args,
			  char *text, size_t room)
{
	size_t used = 0;
	int fds[2];
	ssize_t n;

	if (pipe2(fds, O_CLOEXEC) || collector_spawn(c, dir, args, fds[1]))
		return -1;
	close(fds[1]);
	while ((n = read(fds[0], text + used, room - 1 - used)) > 0)
		used += n;
	text[used] = '\0';
	close(fds[0]);
	return collector_wait(c);
}

TEST_F(usage, help_and_version)
{
	static const char * const help[] = { "--help", NULL }, * const version[] = { "-V", NULL };
	char text[8192];

	EXPECT_EQ(0, run_for_stdout(&self->c, self->dir, help, text, sizeof(text)));
	EXPECT_IN(text, "usage: fxt-collect");
	EXPECT_IN(text, "--duration");
	EXPECT_IN(text, "exit status");
	EXPECT_STREQ("", self->c.text);
	EXPECT_EQ(0, run_for_stdout(&self->c, self->dir, version, text, sizeof(text)));
	EXPECT_EQ(0, strncmp(text, "fxt-collect ", 12));
	EXPECT_STREQ("", self->c.text);
}

/* --- what needs a source ------------------------------------------------------ */

SOURCE_FIXTURE(errors);

/* Other users may have no access to the build directory; so copy the program. */
static int copy_collector(const char *dir, char *path, size_t room)
{
	char command[3 * RECORD_PATH];

	snprintf(path, room, "%s/fxt-collect", dir);
	snprintf(command, sizeof(command), "cp '%s' '%s' && chmod 755 '%s'",
		 collector_path(), path, path);
	return system(command);
}

SOURCE_TEST(errors, not_root)
{
	struct failure f = { 4, "root", { "-q", "-s", self->source, "-d", "10ms" } };
	char path[RECORD_PATH + 16];
	pid_t pid;
	int status;

	ASSERT_EQ(0, copy_collector(self->dir, path, sizeof(path)));
	ASSERT_EQ(0, chmod(self->dir, 0777));
	pid = fork();
	if (!pid) {
		setenv("FXT_COLLECT", path, 1);
		if (setgid(NOBODY) || setuid(NOBODY))
			_exit(2);
		status = check_run(&self->c, self->dir, &f, &self->why);
		if (status)
			fprintf(stderr, "# %s\n", self->why.text);
		_exit(status ? 1 : 0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

/* A missing directory is reported before a source is opened. */
SOURCE_TEST(errors, missing_directory)
{
	char path[RECORD_PATH + 16];

	snprintf(path, sizeof(path), "%s/missing/x.fxt", self->dir);
	EXPECT_EQ(1, collector_run(&self->c, self->dir, ARGS("-s", self->source, "-o", path, "-d",
							     "10ms")));
	EXPECT_IN(self->c.text, "No such file or directory; use another --output");
	EXPECT_NOT_IN(self->c.text, "recording with");
}

SOURCE_TEST(errors, output)
{
	const struct failure failures[] = {
		{ 1, "use another --output",
		  { "-q", "-s", self->source, "-o", "/nowhere/at/all", "-d", "10ms" } },
		{ 1, "use another --output", { "-q", "-s", self->source, "-o", "/proc", "-d", "10ms" } },
		{ 6, "/dev/full: no space left",
		  { "-q", "-s", self->source, "-o", "/dev/full", "-d", "10ms" } },
	};
	char path[RECORD_PATH + 8];
	struct failure f = {
		1, "Read-only", { "-q", "-s", self->source, "-o", path, "-d", "10ms" }
	};

	for (size_t i = 0; i < ARRAY_SIZE(failures); i++)
		EXPECT_FINE(check_run(&self->c, self->dir, &failures[i], &self->why));
	snprintf(path, sizeof(path), "%s/ro", self->dir);
	ASSERT_EQ(0, mkdir(path, 0755));
	ASSERT_EQ(0, mount("none", path, "tmpfs", MS_RDONLY, NULL));
	strcat(path, "/x");
	EXPECT_FINE(check_run(&self->c, self->dir, &f, &self->why));
	*strrchr(path, '/') = '\0';
	EXPECT_EQ(0, umount(path));
}

SOURCE_TEST(errors, command)
{
	const struct failure failures[] = {
		{ 127, "/nowhere/at/all", { "-q", "-s", self->source, "--", "/nowhere/at/all" } },
		{ 126, "/etc/passwd", { "-q", "-s", self->source, "--", "/etc/passwd" } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(failures); i++)
		EXPECT_FINE(check_run(&self->c, self->dir, &failures[i], &self->why));
	EXPECT_EQ(7, collector_run(&self->c, self->dir, ARGS("-q", "-s", self->source, "--", "sh",
							     "-c", "exit 7")));
	EXPECT_STREQ("", self->c.text);
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	EXPECT_FINE(trace_check_all(&self->t, &self->why));
	EXPECT_EQ(128 + SIGKILL, collector_run(&self->c, self->dir, ARGS("-q", "-s", self->source,
									 "--", "sh", "-c",
									 "kill -9 $$")));
	EXPECT_STREQ("", self->c.text);
}

static size_t event_count(const struct trace *t)
{
	size_t count = 0, i;

	for (i = 0; i < t->stream_count; i++)
		count += t->streams[i].event_count;
	return count;
}

static int drain_to(int from, const char *path)
{
	int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	char buffer[65536];
	ssize_t n;

	if (to < 0)
		return -1;
	while ((n = read(from, buffer, sizeof(buffer))) > 0)
		if (write(to, buffer, n) != n)
			break;
	close(to);
	return n ? -1 : 0;
}

SOURCE_TEST(errors, to_a_pipe)
{
	const char *args[] = { "-s", self->source, "-o", "-", "-d", "200ms", NULL };
	const struct failure closed = { 6, "standard output: the reader has closed the pipe", { NULL } };
	char path[RECORD_PATH + 16];
	int fds[2], status;

	snprintf(path, sizeof(path), "%s/piped.fxt", self->dir);
	ASSERT_EQ(0, pipe2(fds, O_CLOEXEC));
	ASSERT_EQ(0, collector_spawn(&self->c, self->dir, args, fds[1]));
	close(fds[1]);
	EXPECT_EQ(0, drain_to(fds[0], path));
	close(fds[0]);
	EXPECT_EQ(0, collector_wait(&self->c)) TH_LOG("%s", self->c.text);
	ASSERT_FINE(trace_load(&self->t, path, false, &self->why));
	EXPECT_FINE(trace_check_all(&self->t, &self->why));
	/* One CPU may have run a single thread all the time, but not all CPUs. */
	EXPECT_LT(0U, event_count(&self->t));

	ASSERT_EQ(0, pipe2(fds, O_CLOEXEC));
	close(fds[0]);
	args[0] = "-qs";
	ASSERT_EQ(0, collector_spawn(&self->c, self->dir, args, fds[1]));
	close(fds[1]);
	status = collector_wait(&self->c);
	EXPECT_FINE(check_failure(&self->c, status, closed.status, closed.says, &self->why));
}

/* Half of the available memory in /proc must be less than 2 GiB per CPU. */
static bool memory_is_small(void)
{
	uintmax_t kib = 0;
	char line[128];
	FILE *f = fopen("/proc/meminfo", "re");

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %ju", &kib) == 1)
			break;
	if (f)
		fclose(f);
	return kib >> 20 < 2 * (uintmax_t)sysconf(_SC_NPROCESSORS_ONLN);
}

SOURCE_TEST(errors, too_much_memory)
{
	const struct failure f = {
		1, "use a smaller --buffer", { "-q", "-s", self->source, "-b", "2G", "-d", "10ms" }
	};

	if (!memory_is_small())
		SKIP(return, "this machine has memory for 2 GiB per CPU");
	EXPECT_FINE(check_run(&self->c, self->dir, &f, &self->why));
	EXPECT_EQ(0, collector_run(&self->c, self->dir, ARGS("-q", "-s", self->source, "-d",
							     "10ms"))) TH_LOG("%s", self->c.text);
}

static bool names_thread(const char *path, pid_t tid, const char *name)
{
	const struct trace_name *n;
	struct trace t;
	struct why why;

	trace_load(&t, path, true, &why);
	n = trace_find_name(&t, FXT_OBJECT_THREAD, tid);
	return n && !strcmp(n->text, name);
}

/* Events on a quiet machine reach the file soon, not only at the end. */
SOURCE_TEST(errors, quiet_cpus_reach_the_file)
{
	unsigned int naps = 1;
	struct worker w = { .name = "just born", .cpu = ANY_CPU, .run = worker_nap,
			    .arg = &naps };
	struct stat before, after;

	ASSERT_BEGIN(NULL);
	ASSERT_EQ(0, stat(self->c.output, &before));
	ASSERT_EQ(0, worker_start(&w));
	ASSERT_EQ(0, worker_join(&w));
	for (int waited = 0; waited < PATIENCE_MS; waited += 50) {
		if (names_thread(self->c.output, w.tid, w.name))
			break;
		sleep_ms(50);
	}
	EXPECT_TRUE(names_thread(self->c.output, w.tid, w.name));
	ASSERT_EQ(0, stat(self->c.output, &after));
	EXPECT_LT(before.st_size, after.st_size);
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));
}
