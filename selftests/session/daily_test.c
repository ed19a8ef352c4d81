// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * daily_test.c - messages of a recording, while it runs and at its end.
 *
 * In: recordings, some of them on a terminal. Expected: reported numbers equal those of
 * the archive.
 */
#include <fcntl.h>
#include <json-c/json.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "source_fixture.h"
#include "tool.h"

SOURCE_FIXTURE(daily);

static int run_pair(unsigned int rounds)
{
	struct pair pair = { .rounds = rounds, .ends = { { .cpu = ANY_CPU }, { .cpu = ANY_CPU } } };

	return pairs_run(&pair, 1);
}

/* The boot id shows that archives share a clock. */
TEST_F_TIMEOUT(daily, boot_is_named, TEST_SECONDS)
{
	const char * const args[] = { "-q", "-s", self->source, "-d", "50ms", NULL };
	char line[64] = "\nboot ";
	ssize_t n;
	int fd;

	NEEDS_SOURCE();
	ASSERT_EQ(0, collector_run(&self->c, self->dir, args)) TH_LOG("%s", self->c.text);
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	n = read(fd, line + 6, sizeof(line) - 7);
	close(fd);
	ASSERT_EQ(37, n);
	EXPECT_NE(NULL, strstr(self->t.session, line)) TH_LOG("%s", self->t.session);
}

/* --- what is reported ---------------------------------------------------------------------- */

static int64_t number_of(struct json_object *d, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(d, key, &value) ? json_object_get_int64(value) : -1;
}

TEST_F_TIMEOUT(daily, statistics_are_the_archives, TEST_SECONDS)
{
	char path[RECORD_PATH + 16];
	const char * const args[] = { "--stats-json", path, NULL };
	uint64_t switches = 0, wakeups = 0;
	const struct trace_stream *s;
	const struct trace_event *e;
	struct json_object *d, *streams;
	struct stat st;

	NEEDS_SOURCE();
	snprintf(path, sizeof(path), "%s/stats", self->dir);
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args, &self->why));
	ASSERT_EQ(0, run_pair(100));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	trace_for_each_event(&self->t, s, e) {
		switches += !e->is_wakeup;
		wakeups += e->is_wakeup;
	}
	d = json_object_from_file(path);
	ASSERT_NE(NULL, d);
	EXPECT_EQ((int64_t)switches, number_of(d, "switches"));
	EXPECT_EQ((int64_t)wakeups, number_of(d, "wakeups"));
	EXPECT_EQ(0, number_of(d, "lost"));
	EXPECT_EQ(1, number_of(d, "files"));
	EXPECT_EQ((int64_t)self->t.bytes, number_of(d, "archive_bytes"));
	ASSERT_EQ(0, stat(self->c.output, &st));
	EXPECT_EQ(st.st_size, number_of(d, "file_bytes"));
	EXPECT_LT(0, number_of(d, "duration_ns"));
	ASSERT_TRUE(json_object_object_get_ex(d, "streams", &streams));
	EXPECT_EQ(number_of(d, "cpus"), (int64_t)json_object_array_length(streams));
	json_object_put(d);
}

/* On a terminal, one line is overwritten; the summary stays. */
TEST_F_TIMEOUT(daily, live_line, TEST_SECONDS)
{
	char text[16384] = "", output[RECORD_PATH + 16];
	size_t used = 0;
	int master, status;
	ssize_t n;
	pid_t pid;

	NEEDS_SOURCE();
	snprintf(output, sizeof(output), "%s/sched.fxt", self->dir);
	pid = forkpty(&master, NULL, NULL, NULL);
	if (!pid) {
		execl(collector_path(), "fxt-collect", "-s", self->source, "-o", output,
		      "-d", "1600ms", NULL);
		_exit(99);
	}
	ASSERT_LT(0, pid);
	while ((n = read(master, text + used, sizeof(text) - 1 - used)) > 0)
		used += n;
	close(master);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_NE(NULL, strstr(text, "\r\033[K")) TH_LOG("%s", text);
	EXPECT_NE(NULL, strstr(text, "switches/s"));
	EXPECT_NE(NULL, strstr(text, "fullest buffer"));
	EXPECT_NE(NULL, strstr(text, "lost no record"));
	/* A file gets none of it. */
	EXPECT_EQ(0, collector_run(&self->c, self->dir,
				   (const char *[]){ "-s", self->source, "-d", "700ms", NULL }));
	EXPECT_EQ(NULL, strchr(self->c.text, '\r'));
}

TEST_F_TIMEOUT(daily, names_are_command_lines, TEST_SECONDS)
{
	static const char * const args[] = { "--names", "cmdline", NULL };
	const struct trace_name *name;
	struct child child;

	NEEDS_SOURCE();
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args, &self->why));
	ASSERT_EQ(0, child_start(&child, self->dir, CHILD_PREFIX " with a name that is long"));
	ASSERT_EQ(0, run_pair(10));
	ASSERT_FINE(record_end(&self->c, &self->why));
	ASSERT_EQ(0, child_end(&child));
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	name = trace_find_name(&self->t, FXT_OBJECT_PROCESS, child.pid);
	ASSERT_NE(NULL, name);
	EXPECT_NE(NULL, strstr(name->text, "with a name that is long")) TH_LOG("%s", name->text);
}

/* --- what can be omitted ------------------------------------------------------------------- */

#define INSTANTS_MS	30	/* counters are 10 ms apart: at least two */

/* A recording with some switches, an exec, and the rename that it causes. */
static int record_exec(struct collector *c, struct trace *t, const char *dir,
		       const char *source, const char * const *args, struct why *why)
{
	struct child child;
	int ret;

	if (record_begin(c, dir, source, args, why))
		return -1;
	ret = child_start(&child, dir, CHILD_PREFIX " left out") | run_pair(200) |
	      child_end(&child);
	sleep_ms(INSTANTS_MS);
	if (record_end(c, why) || ret)
		return complain(why, "the workload failed, or: %.400s", c->text);
	return trace_load(t, c->output, false, why);
}

/* Texts that "fxt info" prints for an archive. */
static bool info_has(const char *path, const char *words)
{
	const char * const info[] = { "info", path, NULL };
	struct tool tool;
	bool has = !tool_run(&tool, info) && strstr(tool.out, words);

	tool_free(&tool);
	return has;
}

TEST_F_TIMEOUT(daily, with_all, TEST_SECONDS)
{
	NEEDS_SOURCE();
	ASSERT_FINE(record_exec(&self->c, &self->t, self->dir, self->source, NULL,
				&self->why));
	EXPECT_FINE(trace_check_extras(&self->t, &self->why));
	EXPECT_LT(0U, self->t.counter_count);
	EXPECT_LT(1U, self->t.instant_count);
	EXPECT_EQ(NULL, strstr(self->t.session, "\nwithout "));
	EXPECT_TRUE(info_has(self->c.output, "\nkernel "));
	EXPECT_TRUE(info_has(self->c.output, "\ninvoked "));
	EXPECT_TRUE(info_has(self->c.output, "\ncommand_pid "));
}

TEST_F_TIMEOUT(daily, without, TEST_SECONDS)
{
	static const char * const host[] = { "host ", "kernel ", "boot ", "cpus ", "invoked ",
					     "command_pid " };
	static const char * const args[] = { "--without", "host,counters,instants", NULL };
	const char * const blobs[] = { "dump", "--type", "blob", self->c.output, NULL };
	struct tool tool;
	char line[32];
	size_t i;

	NEEDS_SOURCE();
	ASSERT_FINE(record_exec(&self->c, &self->t, self->dir, self->source, args,
				&self->why));
	EXPECT_EQ(0U, self->t.counter_count);
	EXPECT_EQ(0U, self->t.instant_count);
	EXPECT_NE(NULL, strstr(self->t.session, "\nwithout counters,instants,host\n"));
	EXPECT_NE(NULL, strstr(self->t.session, "\nepoch "));
	for (i = 0; i < ARRAY_SIZE(host); i++) {
		snprintf(line, sizeof(line), "\n%s", host[i]);
		EXPECT_EQ(NULL, strstr(self->t.session, line)) TH_LOG("%s", host[i]);
		EXPECT_FALSE(info_has(self->c.output, line)) TH_LOG("%s", host[i]);
	}
	EXPECT_TRUE(info_has(self->c.output, "counters,instants,host"));
	EXPECT_FINE(trace_check_all(&self->t, &self->why));
	/* Nor as packets for Perfetto. */
	ASSERT_EQ(0, tool_run(&tool, blobs)) TH_LOG("%s", tool.err);
	EXPECT_NE(NULL, strstr(tool.out, "fxt_sched.session"));
	EXPECT_EQ(NULL, strstr(tool.out, "perfetto"));
	tool_free(&tool);
}

/* Each value alone omits only its own part. */
TEST_F_TIMEOUT(daily, without_one, TEST_SECONDS)
{
	static const char * const names[] = { "counters", "instants", "host" };
	const char *args[] = { "--without", NULL, NULL };
	char line[64];
	size_t i;

	NEEDS_SOURCE();
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		args[1] = names[i];
		ASSERT_FINE(record_exec(&self->c, &self->t, self->dir, self->source, args,
					&self->why));
		EXPECT_EQ(i != 0, self->t.counter_count > 0) TH_LOG("%s", names[i]);
		EXPECT_EQ(i != 1, self->t.instant_count > 0) TH_LOG("%s", names[i]);
		EXPECT_EQ(i != 2, !!strstr(self->t.session, "\nkernel "));
		snprintf(line, sizeof(line), "\nwithout %s\n", names[i]);
		EXPECT_NE(NULL, strstr(self->t.session, line)) TH_LOG("%s", self->t.session);
		trace_free(&self->t);
		unlink(self->c.output);
	}
}

/* Waiting threads are known only in an unfiltered recording. */
TEST_F_TIMEOUT(daily, filters_have_no_counters, TEST_SECONDS)
{
	static const char * const args[] = { "--comm", CHILD_PREFIX "*", NULL };

	NEEDS_SOURCE();
	ASSERT_FINE(record_exec(&self->c, &self->t, self->dir, self->source, args,
				&self->why));
	EXPECT_NE(NULL, strstr(self->t.session, "\nfilter "));
	EXPECT_EQ(0U, self->t.counter_count);
	EXPECT_LT(1U, self->t.instant_count);
	EXPECT_TRUE(info_has(self->c.output, "\nfilter "));
}

/* The archive has a cgroup for this process. */
TEST_F_TIMEOUT(daily, processes_have_cgroups, TEST_SECONDS)
{
	const char * const dump[] = { "dump", "--type", "kernel_object", self->c.output, NULL };
	char process[64], *line;
	struct tool tool;

	NEEDS_SOURCE();
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, NULL, &self->why));
	ASSERT_EQ(0, run_pair(10));
	ASSERT_FINE(record_end(&self->c, &self->why));
	ASSERT_EQ(0, tool_run(&tool, dump));
	snprintf(process, sizeof(process), " koid=%d object_type=process ", getpid());
	line = strstr(tool.out, process);
	EXPECT_NE(NULL, line);
	if (line) {
		line[strcspn(line, "\n")] = '\0';
		EXPECT_NE(NULL, strstr(line, "cgroup=\"/")) TH_LOG("%s", line);
	}
	tool_free(&tool);
}

TEST_F_TIMEOUT(daily, says_what_happens, TEST_SECONDS)
{
	const char *args[] = { "-v", "-b", "4M", "-s", self->source, "-d", "50ms", NULL };

	NEEDS_SOURCE();
	EXPECT_EQ(0, collector_run(&self->c, self->dir, args));
	EXPECT_NE(NULL, strstr(self->c.text, "sub-buffers of 256 KiB per CPU"));
	EXPECT_NE(NULL, strstr(self->c.text, "tracing; "));
	EXPECT_NE(NULL, strstr(self->c.text, "is complete"));
	args[0] = "-q";
	EXPECT_EQ(0, collector_run(&self->c, self->dir, args));
	EXPECT_STREQ("", self->c.text);
}

/* Return: bytes of the buffer of a CPU; 0 if the collector did not report any. */
static unsigned long long buffer_bytes(const char *text)
{
	const char *line = strstr(text, " sub-buffers of ");
	unsigned int count, kib;

	while (line && line > text && line[-1] != ' ')
		line--;
	return line && sscanf(line, "%u sub-buffers of %u KiB", &count, &kib) == 2 ?
	       1024ULL * count * kib : 0;
}

TEST_F_TIMEOUT(daily, more_buffer_for_stacks_of_short_sleeps, TEST_SECONDS)
{
	const char *args[] = {
		"-v", "-s", self->source, "-d", "10ms", "--stacks=offcpu,user", NULL, NULL, NULL,
	};
	unsigned long long usual, large;

	NEEDS_SOURCE();
	EXPECT_EQ(0, collector_run(&self->c, self->dir, args));
	usual = buffer_bytes(self->c.text);
	args[6] = "--stacks-min=0";
	EXPECT_EQ(0, collector_run(&self->c, self->dir, args));
	large = buffer_bytes(self->c.text);
	EXPECT_LT(0U, usual);
	/* With little memory, both have the least size. */
	if ((unsigned long long)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) /
	    sysconf(_SC_NPROCESSORS_CONF) >= 2ULL << 30)
		EXPECT_EQ(4 * usual, large) TH_LOG("%s", self->c.text);
	EXPECT_LE(usual, large);
	args[7] = "--buffer=2M";
	EXPECT_EQ(0, collector_run(&self->c, self->dir, args));
	EXPECT_EQ(2ULL << 20, buffer_bytes(self->c.text));
}

TEST_HARNESS_MAIN
