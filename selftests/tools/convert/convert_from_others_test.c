// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Traces in the Trace Event Format as other systems and programs write them: scheduling of Fuchsia,
 * texts as ids, files that are nearly JSON, pages.
 */
#include <sys/wait.h>
#include <zlib.h>

#include "cases.h"
#include "convert_json.h"

static int run(struct tool *t, const char *verb, const char *option, const struct memory *m)
{
	char path[64];

	return tool_run(t, ARGS(verb, option, memory_path(m, path)));
}

#define HAS(text)	EXPECT_NE(NULL, strstr(t.out, text)) TH_LOG("%s\n%s", text, t.out)
#define REPORTS(text)	EXPECT_NE(NULL, strstr(t.err, text)) TH_LOG("%s\n%s", text, t.err)

/* --- texts as ids ----------------------------------------------------------------------- */

static const char texts[] = "[{\"ph\":\"X\",\"name\":\"k\",\"pid\":0,\"tid\":\"stream 7\",\"ts\":1,\"dur\":2},"
	"{\"ph\":\"X\",\"name\":\"k\",\"pid\":1,\"tid\":\"stream 7\",\"ts\":1,\"dur\":2},"
	"{\"name\":\"process_name\",\"ph\":\"M\",\"ts\":1,\"pid\":\"Spans\",\"tid\":0,"
	"\"args\":{\"name\":\"python\"}},"
	"{\"ph\":\"X\",\"name\":\"s\",\"pid\":\"Spans\",\"tid\":\"Profiler\",\"ts\":1,\"dur\":1},"
	"{\"ph\":\"X\",\"name\":\"s\",\"pid\":\"Other\",\"tid\":5,\"ts\":1,\"dur\":1},"
	"{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":\"Other\",\"args\":{\"name\":\"later\"}}]";

TEST(texts_as_ids)
{
	struct memory m;
	struct tool t;

	ASSERT_EQ(0, hold(&m, texts));
	ASSERT_EQ(0, run(&t, "report", "--no-pager", &m)) TH_LOG("%s", t.err);
	EXPECT_EQ(2U, times_in_text(t.out, "us  stream 7              ?\n")) TH_LOG("%s", t.out);
	HAS("us  Profiler              python\n");
	HAS("us  ?                     later\n");
	ASSERT_EQ(0, run(&t, "convert", "--to=perfetto", &m)) TH_LOG("%s", t.err);
	EXPECT_NE(NULL, memmem(t.out, t.out_bytes, "\x12\x08stream 7", 10));
	EXPECT_NE(NULL, memmem(t.out, t.out_bytes, "\x12\x08Profiler", 10));
	EXPECT_NE(NULL, memmem(t.out, t.out_bytes, "\x1a\x06python", 8));
	/* In JSON, the texts are ids again, and no names are added. */
	ASSERT_EQ(0, run(&t, "convert", "--to=json", &m)) TH_LOG("%s", t.err);
	HAS("{\"ph\":\"M\",\"pid\":\"Spans\",\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"python\"}}");
	HAS("\"pid\":\"Spans\",\"tid\":\"Profiler\"");
	EXPECT_EQ(2U, times_in_text(t.out, "\"ph\":\"M\"")) TH_LOG("%s", t.out);
}

/* --- nearly JSON ------------------------------------------------------------------------ */

#define EVENT	"{\"ph\":\"X\",\"ts\":1,\"dur\":4,\"name\":\"here\"}"

TEST(mark_and_commas)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "\xef\xbb\xbf{\"traceEvents\":[" EVENT "]}", "a byte order mark at the beginning was skipped" },
		{ "\xef\xbb\xbf[\n" EVENT "]", "a byte order mark at the beginning was skipped" },
		{ "[,\n" EVENT "]", "a comma before the first event was skipped" },
		{ "{\"traceEvents\":[," EVENT "]}", "a comma before the first event was skipped" },
		{ "[" EVENT "\n" EVENT "]", "commas between events are missing" },
	};
	struct memory m;
	struct tool t;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ASSERT_EQ(0, hold(&m, cases[i].text));
		EXPECT_EQ(0, run(&t, "dump", "-q", &m)) TH_LOG("%zu: %s", i, t.err);
		HAS("name=\"here\"");
		REPORTS(cases[i].says);
		EXPECT_NE(0, run(&t, "dump", "--strict", &m)) TH_LOG("%zu", i);
	}
}

/* --- LTTng ------------------------------------------------------------------------------ */

#define WAKING(time, cpu)	"[" time "] (+0.000000001) web sched_waking: { cpu_id = " cpu " }, " \
				"{ comm = \"rt\", tid = 60, prio = -51, target_cpu = 1 }\n"

/* The text goes over midnight. Its priorities are the kernel's minus 100. */
TEST(text_of_lttng)
{
	static const char text[] = "vectors/ftrace-lttng.txt";
	struct tool t;

	EXPECT_EQ(0, tool_run(&t, ARGS("dump", "--strict", text))) TH_LOG("%s", t.err);
	HAS("context_switch 86399.900000000 cpu=0 outgoing_state=preempted outgoing_thread=0 "
	    "incoming_thread=50 incoming_name=\"a \\\"b\\\", { c\"");
	HAS("instant 86399.950000000 process=50 thread=50");
	HAS("name=\"fork\" { thread=51:\"a\" }");
	HAS("thread_wakeup 86399.960000000 cpu=1 waking_thread=60 waking_name=\"rt\" "
	    "{ weight=1000050 waker=50:");
	HAS("context_switch 86399.970000000 cpu=0 outgoing_state=blocked outgoing_thread=50");
	HAS("{ outgoing_weight=1024 incoming_weight=1000050 }");
	HAS("thread_wakeup 86400.100001000 cpu=0 waking_thread=50 waking_name=\"a\" "
	    "{ weight=1024 irq=\"hard\" interrupted=60:\"rt\" }");
	HAS("category=\"irq\" name=\"ahci\" end=86400.100002000 { irq=24 }");
	HAS("category=\"softirq\" name=\"HRTIMER\" end=86400.100004000");
	HAS("name=\"x'y\" { process=59 exec=86400100005000 }");
	HAS("name=\"migrate\" { from=1 to=2 }");
	HAS("context_switch 86400.200000000 cpu=0 outgoing_state=preempted outgoing_thread=60");
	REPORTS("2 events are of kinds that fxt does not convert: syscall_entry_read 1, lttng_test 1");
	EXPECT_EQ(0, tool_run(&t, ARGS("info", "-q", text)));
	HAS("LTTng text");
}

TEST(lttng_without_fields)
{
	static const char * const blocks[] = {
		"{ cpu_id = 0 }", "{ cpu_id = 0 }, ", "{ cpu_id = 0 }, { tid = 5 }, ",
	};
	struct memory m;
	struct tool t;
	char text[400];

	for (size_t i = 0; i < ARRAY_SIZE(blocks); i++) {
		snprintf(text, sizeof(text), WAKING("14:35:10.5", "0")
			 "[14:35:10.6] (+0.1) web sched_switch: %s\n", blocks[i]);
		ASSERT_EQ(0, hold(&m, text));
		EXPECT_EQ(1, run(&t, "dump", "-q", &m)) TH_LOG("%zu", i);
		REPORTS(": 1 lines not understood, first at line 2, byte ");
	}
}

/* --- pages ------------------------------------------------------------------------------ */

#define FTRACE	"# tracer: nop\n#\n" \
	"          <idle>-0     (-----) [000] d..2 10.000000: sched_switch: prev_comm=swapper/0 " \
	"prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=sh next_pid=7 next_prio=120\n" \
	"              sh-7     (    7) [000] d..2 10.001000: sched_switch: prev_comm=sh prev_pid=7 " \
	"prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
#define PAGE(scripts)	"<!DOCTYPE html>\n<html><head i18n=\"x\"><script>\nif (a < b) run();\n" \
			"</script></head><body>\n" scripts "</body>\n</html>\n"
#define SCRIPT		"  <script class=\"trace-data\" type=\"application/text\">\n" FTRACE "  </script>\n"

static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Pack a text like trace2html: gzip, and base64 in lines. */
static void pack(const char *text, char *to)
{
	unsigned char packed[4096];
	z_stream z = { .next_in = (void *)text, .avail_in = strlen(text), .next_out = packed,
		       .avail_out = sizeof(packed) - 3 };
	size_t i, bytes;

	deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
	deflate(&z, Z_FINISH);
	bytes = z.total_out;
	deflateEnd(&z);
	memset(packed + bytes, 0, 3);
	for (i = 0; i < bytes; i += 3) {
		unsigned int bits = packed[i] << 16 | packed[i + 1] << 8 | packed[i + 2];

		*to++ = base64[bits >> 18];
		*to++ = base64[bits >> 12 & 63];
		*to++ = i + 1 < bytes ? base64[bits >> 6 & 63] : '=';
		*to++ = i + 2 < bytes ? base64[bits & 63] : '=';
		if (i % 57 == 54)
			*to++ = '\n';
	}
	*to = '\0';
}

#define JSON_PART	"<script class=\"trace-data\" type=\"application/json\">[" EVENT "]</script>\n"

TEST(page_of_catapult)
{
	char text[16384], packed[8192];
	struct memory m;
	struct tool t;

	pack("{\"traceEvents\":[" EVENT "]}", packed);
	snprintf(text, sizeof(text), PAGE("<script id=\"viewer-data\" type=\"application/json\">\n%s\n"
					  "</script>\n"), packed);
	ASSERT_EQ(0, hold(&m, text));
	EXPECT_EQ(0, run(&t, "dump", "-q", &m)) TH_LOG("%s", t.err);
	HAS("duration_complete 0.000001000");
	HAS("name=\"here\"");
	/* JSON and text in one page, in any order, are one archive. A second JSON is ignored. */
	ASSERT_EQ(0, hold(&m, PAGE(SCRIPT JSON_PART JSON_PART
				   "<script class=\"trace-data\">processes: none</script>")));
	EXPECT_EQ(0, run(&t, "dump", "-q", &m)) TH_LOG("%s", t.err);
	EXPECT_EQ(1U, times_in_text(t.out, "name=\"here\"")) TH_LOG("%s", t.out);
	EXPECT_EQ(2U, times_in_text(t.out, "context_switch 10.00")) TH_LOG("%s", t.out);
	EXPECT_EQ(1U, times_in_text(t.out, " magic -"));
	REPORTS("2 other parts of the page are left out");
}

#define TRACE_DATA(text)	"<script class=\"trace-data\">" text "</script>\n"
#define MARK(id)	"           sh-7     (    7) [000] .... 10.001500: tracing_mark_write: " \
			"trace_event_clock_sync: name=" id "\n"
/* It was asked for at 4.990 s, and done at 5.000 s. */
#define SYNC(id, begin)	"[" EVENT "," SYNC_EVENT(id, begin) "]"
#define SYNC_EVENT(id, begin)	"{\"ph\":\"c\",\"name\":\"clock_sync\",\"pid\":1,\"tid\":1," \
			"\"ts\":5000000,\"args\":{" begin "\"sync_id\":\"" id "\"}}"

static void expect_event_at(struct __test_metadata *_metadata, const char *page, const char *at,
			    const char *said)
{
	struct memory m;
	struct tool t;

	ASSERT_EQ(0, hold(&m, page));
	EXPECT_EQ(0, run(&t, "dump", "-q", &m)) TH_LOG("%s", t.err);
	HAS(at);
	EXPECT_EQ(2U, times_in_text(t.out, "context_switch 10.00")) TH_LOG("%s", t.out);
	REPORTS(said);
	tool_free(&t);
}

/* JSON and text have clocks of their own, which a marker relates. */
TEST(page_of_two_clocks)
{
	static const char moved[] = "moved by 5.006500 s, to the clock of ftrace";
	char text[16384], packed[8192];

	expect_event_at(_metadata, PAGE(TRACE_DATA(SYNC("x-1", "\"issue_ts\":4990000,"))
					TRACE_DATA(FTRACE MARK("x-1"))),
			"duration_complete 5.006501000", moved);
	/* Without the time of the question, the other way round, and among other markers. */
	expect_event_at(_metadata, PAGE(TRACE_DATA(FTRACE MARK("x-0") MARK("x-1"))
					TRACE_DATA(SYNC("x-1", ""))),
			"duration_complete 5.001501000", "moved by 5.001500 s");
	pack(FTRACE MARK("x-1"), packed);
	snprintf(text, sizeof(text), PAGE(TRACE_DATA("%s")
					  TRACE_DATA(SYNC("x-1", "\"issue_ts\":4990000,"))), packed);
	expect_event_at(_metadata, text, "duration_complete 5.006501000", moved);
	/* JSON that is not quite JSON has its marker, too, and JSON without events is left out. */
	expect_event_at(_metadata, PAGE(TRACE_DATA("[" EVENT "\n" SYNC_EVENT("x-1", "") "]")
					TRACE_DATA(FTRACE MARK("x-1"))),
			"duration_complete 5.001501000", "moved by 5.001500 s");
	expect_event_at(_metadata, PAGE(TRACE_DATA("{\"metadata\":{}}") TRACE_DATA(SYNC("x-1", ""))
					TRACE_DATA(FTRACE MARK("x-1"))),
			"duration_complete 5.001501000", "1 other part of the page is left out");
	expect_event_at(_metadata, PAGE(TRACE_DATA(SYNC("x-2", "")) TRACE_DATA(FTRACE MARK("x-1"))),
			"duration_complete 0.000001000", "no clock sync marker relates");
}

/* --- rights ---------------------------------------------------------------------------- */

#define PATIENCE_MS	30000

/* Return: a value of /proc/PID/status, in base 16; -1 if there is none */
static long status_of(pid_t pid, const char *key)
{
	char path[64], line[256];
	long value = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)))
			value = strtol(line + strlen(key) + 1, NULL, 16);
	if (f)
		fclose(f);
	return value;
}

/* Return: a child of the process that has a filter of system calls, or 0 */
static pid_t confined_child(pid_t pid)
{
	char path[64];
	pid_t child = 0, found = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	f = fopen(path, "re");
	while (f && !found && fscanf(f, "%d", &child) == 1)
		found = status_of(child, "Seccomp:") == 2 ? child : 0;
	if (f)
		fclose(f);
	return found;
}

static void expect_confined(struct __test_metadata *_metadata, const char *text)
{
	size_t bytes = strlen(text);
	int fds[2], status, i;
	pid_t pid, reader = 0;

	ASSERT_EQ(0, pipe2(fds, O_CLOEXEC));
	ASSERT_EQ((ssize_t)bytes, write(fds[1], text, bytes));
	pid = fork();
	if (!pid) {
		dup2(fds[0], STDIN_FILENO);
		dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
		execv(tool_path(), (char * const *)ARGS("fxt", "dump", "-q", "-"));
		_exit(127);
	}
	for (i = 0; i < PATIENCE_MS && !reader && !waitpid(pid, &status, WNOHANG); i++) {
		usleep(1000);
		reader = confined_child(pid);
	}
	/* It reads the pipe, which does not end. */
	ASSERT_LT(0, reader) TH_LOG("%.40s", text);
	EXPECT_EQ(0, status_of(reader, "CapEff:"));
	EXPECT_EQ(0, status_of(reader, "CapPrm:"));
	EXPECT_EQ(1, status_of(reader, "NoNewPrivs:"));
	close(fds[1]);
	close(fds[0]);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ(0, WEXITSTATUS(status)) TH_LOG("%.40s", text);
}

TEST(readers_have_no_rights)
{
	expect_confined(_metadata, "[" EVENT "]");
	expect_confined(_metadata, FTRACE);
	expect_confined(_metadata, PAGE(TRACE_DATA(FTRACE)));
}

CASES("from_others", NULL)
