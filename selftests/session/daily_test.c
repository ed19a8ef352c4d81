// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Messages of a recording, while it runs and at its end: reported numbers equal those of the
 * archive.
 */
#include <pty.h>

#include "json_get.h"
#include "source_fixture.h"
#include "tool.h"

SOURCE_FIXTURE(daily);

static int run_pair(unsigned int rounds)
{
	struct pair pair = { .rounds = rounds, .ends = { { .cpu = ANY_CPU }, { .cpu = ANY_CPU } } };

	return pairs_run(&pair, 1);
}

/* The boot id shows that archives share a clock. */
SOURCE_TEST(daily, boot_is_named)
{
	char line[64] = "\nboot ";
	ssize_t n;
	int fd;

	ASSERT_EQ(0, collector_run(&self->c, self->dir, ARGS("-q", "-s", self->source, "-d",
							     "50ms"))) TH_LOG("%s", self->c.text);
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	n = read(fd, line + 6, sizeof(line) - 7);
	close(fd);
	ASSERT_EQ(37, n);
	EXPECT_IN(self->t.session, line);
}

SOURCE_TEST(daily, statistics_are_the_archives)
{
	char path[RECORD_PATH + 16];
	uint64_t switches = 0, wakeups = 0;
	const struct trace_stream *s;
	const struct trace_event *e;
	struct json_object *d, *streams;
	struct stat st;

	snprintf(path, sizeof(path), "%s/stats", self->dir);
	ASSERT_BEGIN("--stats-json", path);
	ASSERT_EQ(0, run_pair(100));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	trace_for_each_event(&self->t, s, e) {
		switches += !e->is_wakeup;
		wakeups += e->is_wakeup;
	}
	d = json_object_from_file(path);
	ASSERT_NE(NULL, d);
	EXPECT_EQ((int64_t)switches, number(d, "switches"));
	EXPECT_EQ((int64_t)wakeups, number(d, "wakeups"));
	EXPECT_EQ(0, number(d, "lost"));
	EXPECT_EQ(1, number(d, "files"));
	EXPECT_EQ((int64_t)self->t.bytes, number(d, "archive_bytes"));
	ASSERT_EQ(0, stat(self->c.output, &st));
	EXPECT_EQ(st.st_size, number(d, "file_bytes"));
	EXPECT_LT(0, number(d, "duration_ns"));
	ASSERT_TRUE(json_object_object_get_ex(d, "streams", &streams));
	EXPECT_EQ(number(d, "cpus"), (int64_t)json_object_array_length(streams));
}

/* On a terminal, one line is overwritten; the summary stays. */
SOURCE_TEST(daily, live_line)
{
	char text[16384] = "", output[RECORD_PATH + 16];
	size_t used = 0;
	int master, status;
	ssize_t n;
	pid_t pid;

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
	EXPECT_IN(text, "\r\033[K");
	EXPECT_IN(text, "switches/s");
	EXPECT_IN(text, "fullest buffer");
	EXPECT_IN(text, "lost no record");
	/* A file gets none of it. */
	EXPECT_EQ(0, collector_run(&self->c, self->dir, ARGS("-s", self->source, "-d", "700ms")));
	EXPECT_EQ(NULL, strchr(self->c.text, '\r'));
}

SOURCE_TEST(daily, names_are_command_lines)
{
	const struct trace_name *name;
	struct child child;

	ASSERT_BEGIN("--names", "cmdline");
	ASSERT_EQ(0, child_start(&child, self->dir, CHILD_PREFIX " with a name that is long"));
	/* It has executed its program when it answers. */
	ASSERT_EQ(0, child_counts(&child));
	ASSERT_FINE(record_end(&self->c, &self->why));
	ASSERT_EQ(0, child_end(&child));
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	name = trace_find_name(&self->t, FXT_OBJECT_PROCESS, child.pid);
	ASSERT_NE(NULL, name);
	EXPECT_IN(name->text, "with a name that is long");
}

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
	struct tool tool;
	bool has = !tool_run(&tool, ARGS("info", path)) && strstr(tool.out, words);

	return has;
}

SOURCE_TEST(daily, with_all)
{
	ASSERT_FINE(record_exec(&self->c, &self->t, self->dir, self->source, NULL, &self->why));
	EXPECT_FINE(trace_check_extras(&self->t, &self->why));
	EXPECT_LT(0U, self->t.counter_count);
	EXPECT_LT(1U, self->t.instant_count);
	EXPECT_NOT_IN(self->t.session, "\nwithout ");
	EXPECT_TRUE(info_has(self->c.output, "\nkernel "));
	EXPECT_TRUE(info_has(self->c.output, "\ninvoked "));
	EXPECT_TRUE(info_has(self->c.output, "\ncommand_pid "));
}

SOURCE_TEST(daily, without)
{
	static const char * const host[] = { "host ", "kernel ", "boot ", "cpus ", "invoked ",
					     "command_pid " };
	static const char * const args[] = { "--without", "host,counters,instants", NULL };
	const char * const blobs[] = { "dump", "--type", "blob", self->c.output, NULL };
	struct tool tool;
	char line[32];

	ASSERT_FINE(record_exec(&self->c, &self->t, self->dir, self->source, args, &self->why));
	EXPECT_EQ(0U, self->t.counter_count);
	EXPECT_EQ(0U, self->t.instant_count);
	EXPECT_IN(self->t.session, "\nwithout counters,instants,host\n");
	EXPECT_IN(self->t.session, "\nepoch ");
	for (size_t i = 0; i < ARRAY_SIZE(host); i++) {
		snprintf(line, sizeof(line), "\n%s", host[i]);
		EXPECT_EQ(NULL, strstr(self->t.session, line)) TH_LOG("%s", host[i]);
		EXPECT_FALSE(info_has(self->c.output, line)) TH_LOG("%s", host[i]);
	}
	EXPECT_TRUE(info_has(self->c.output, "counters,instants,host"));
	EXPECT_FINE(trace_check_all(&self->t, &self->why));
	/* Nor as packets for Perfetto. */
	ASSERT_EQ(0, tool_run(&tool, blobs)) TH_LOG("%s", tool.err);
	EXPECT_IN(tool.out, "fxt_sched.session");
	EXPECT_NOT_IN(tool.out, "perfetto");
}

/* Each value alone omits only its own part. */
SOURCE_TEST(daily, without_one)
{
	static const char * const names[] = { "counters", "instants", "host" };
	const char *args[] = { "--without", NULL, NULL };
	char line[64];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		args[1] = names[i];
		ASSERT_FINE(record_exec(&self->c, &self->t, self->dir, self->source, args,
					&self->why));
		EXPECT_EQ(i != 0, self->t.counter_count > 0) TH_LOG("%s", names[i]);
		EXPECT_EQ(i != 1, self->t.instant_count > 0) TH_LOG("%s", names[i]);
		EXPECT_EQ(i != 2, !!strstr(self->t.session, "\nkernel "));
		snprintf(line, sizeof(line), "\nwithout %s\n", names[i]);
		EXPECT_IN(self->t.session, line);
		unlink(self->c.output);
	}
}

/* Waiting threads are known only in an unfiltered recording. */
SOURCE_TEST(daily, filters_have_no_counters)
{
	ASSERT_FINE(record_exec(&self->c, &self->t, self->dir, self->source, ARGS("--comm",
										  CHILD_PREFIX "*"),
				&self->why));
	EXPECT_IN(self->t.session, "\nfilter ");
	EXPECT_EQ(0U, self->t.counter_count);
	EXPECT_LT(1U, self->t.instant_count);
	EXPECT_TRUE(info_has(self->c.output, "\nfilter "));
}

/* The archive has a cgroup for this process. */
SOURCE_TEST(daily, processes_have_cgroups)
{
	char process[64], *line;
	struct tool tool;

	ASSERT_BEGIN(NULL);
	ASSERT_EQ(0, run_pair(10));
	ASSERT_FINE(record_end(&self->c, &self->why));
	ASSERT_EQ(0, tool_run(&tool, ARGS("dump", "--type", "kernel_object", self->c.output)));
	snprintf(process, sizeof(process), " koid=%d object_type=process ", getpid());
	line = strstr(tool.out, process);
	EXPECT_NE(NULL, line);
	if (line) {
		line[strcspn(line, "\n")] = '\0';
		EXPECT_IN(line, "cgroup=\"/");
	}
}

SOURCE_TEST(daily, says_what_happens)
{
	const char *args[] = { "-v", "-b", "4M", "-s", self->source, "-d", "50ms", NULL };

	EXPECT_EQ(0, collector_run(&self->c, self->dir, args));
	EXPECT_IN(self->c.text, "sub-buffers of 256 KiB per CPU");
	EXPECT_IN(self->c.text, "tracing; ");
	EXPECT_IN(self->c.text, "is complete");
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

SOURCE_TEST(daily, more_buffer_for_stacks_of_short_sleeps)
{
	const char *args[] = {
		"-v", "-s", self->source, "-d", "10ms", "--stacks=offcpu,user", NULL, NULL, NULL,
	};
	unsigned long long usual, large;

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
