// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ftrace's text in every form that the kernel, trace-cmd and fxt write: each switch, wakeup, name
 * and slice is a record with the same values; losses are where they were; lines that are not
 * understood are reported with their place.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#include "cases.h"
#include "ftrace_text.h"

#define ASLEEP(cpu, ns)								\
	" a-12 (12) [00" cpu "] d..2. " ns ": sched_switch: prev_comm=a prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=b next_pid=13 next_prio=120\n"
#define WAKES(who, flags, event)						\
	who " [001] d." flags "2. 2.0: " event ": comm=a pid=12 prio=120 target_cpu=002\n"

TEST(wakers)
{
	static const struct {
		const char *who;
		const char *flags;
		const char *args;
	} cases[] = {
		{ "b-13", ".", "waker=13:\"b\" }" }, { "b-13", "h", "irq=\"hard\" interrupted=13" },
		{ "b-13", "H", "irq=\"hard\" interrupted=13" }, { "b-13", "s", "irq=\"soft\" interrupted=13" },
		{ "b-13", "z", "irq=\"nmi\" interrupted=13" }, { "<idle>-0", "h", "irq=\"hard\" }" },
		{ "<idle>-0", ".", "{ weight=1024 }" }, { "ksoftirqd/1-15", "s", "waker=15" },
		{ "ktimers/1-15", "s", "waker=15" }, { "irq/24-eth0-15", "s", "waker=15" },
		{ "ksoftirqd/1-15", "h", "irq=\"hard\" interrupted=15" },
	};
	char text[2048];
	struct tool t;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(text, sizeof(text), HEADER ASLEEP("1", "1.0")
			 "%s [001] d.%s2. 2.0: sched_waking: comm=a pid=12 prio=120 target_cpu=001\n"
			 /* The CPU of the woken thread completes the wakeup. */
			 "<idle>-0 [002] d.h2. 2.1: sched_wakeup: comm=a pid=12 prio=120 target_cpu=002\n",
			 cases[i].who, cases[i].flags);
		EXPECT_EQ(0, run_on(&t, "dump", "--type=thread_wakeup", text));
		EXPECT_IN(t.out, "2.100000000 cpu=2 waking_thread=12");
		EXPECT_IN(t.out, cases[i].args);
		EXPECT_EQ(strchr(t.out, '\n'), strrchr(t.out, '\n'));
	}
}

TEST(one_record_a_wakeup)
{
	static const struct {
		const char *text;
		unsigned int records;
	} cases[] = {
		{ ASLEEP("1", "1.0") WAKES("b-13", ".", "sched_waking"), 1 },
		{ ASLEEP("1", "1.0") WAKES("b-13", ".", "sched_wakeup"), 1 },
		{ ASLEEP("1", "1.0") WAKES("b-13", ".", "sched_waking") WAKES("b-13", ".", "sched_waking"), 1 },
		{ ASLEEP("1", "1.0") WAKES("b-13", ".", "sched_wakeup") WAKES("b-13", ".", "sched_wakeup"), 1 },
		/* The thread runs already. */
		{ "b-13 [001] d..2. 1.0: sched_switch: prev_comm=b prev_pid=13 prev_prio=120 prev_state=R ==> next_comm=a next_pid=12 next_prio=120\n"
		  WAKES("b-13", ".", "sched_waking") WAKES("b-13", ".", "sched_wakeup"), 0 },
		{ WAKES("b-13", ".", "sched_wakeup_new"), 1 },
		/* It is woken before it has left the CPU. */
		{ WAKES("a-12", ".", "sched_wakeup"), 0 },
		{ WAKES("a-12", ".", "sched_waking") WAKES("a-12", ".", "sched_wakeup"), 0 },
		{ WAKES("a-12", "h", "sched_wakeup") ASLEEP("1", "2.5"), 0 },
		/* The thread's switch is missing. */
		{ "b-13 [001] d..2. 1.0: sched_switch: prev_comm=b prev_pid=13 prev_prio=120 prev_state=R ==> next_comm=a next_pid=12 next_prio=120\n"
		  "b-13 [001] d..2. 1.5: sched_switch: prev_comm=b prev_pid=13 prev_prio=120 prev_state=R ==> next_comm=c next_pid=14 next_prio=120\n"
		  WAKES("c-14", ".", "sched_wakeup"), 1 },
		/* After a loss, the thread's state is unknown. */
		{ ASLEEP("1", "1.0") WAKES("b-13", ".", "sched_wakeup") "CPU:1 [LOST 3 EVENTS]\n"
		  WAKES("b-13", ".", "sched_wakeup"), 2 },
	};
	unsigned int n;
	struct tool t;
	const char *at;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		EXPECT_EQ(0, run_on(&t, "dump", "--type=thread_wakeup", cases[i].text)) TH_LOG("%s", t.err);
		for (n = 0, at = t.out; (at = strchr(at, '\n')); at++)
			n++;
		EXPECT_EQ(cases[i].records, n) TH_LOG("%zu: %s", i, t.out);
	}
}

/* If there is only sched_waking, waits begin there, and their CPU is not certain. */
TEST(wakeups_that_only_begin)
{
	static const struct {
		const char *text;
		bool is_marked;
	} cases[] = {
		{ ASLEEP("1", "1.0") WAKES("b-13", ".", "sched_waking"), true },
		{ ASLEEP("1", "1.0") WAKES("b-13", ".", "sched_waking") WAKES("b-13", ".", "sched_wakeup"), false },
		{ ASLEEP("1", "1.0") WAKES("b-13", ".", "sched_wakeup"), false },
	};
	struct tool t;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		EXPECT_EQ(0, run_on(&t, "check", NULL, cases[i].text)) TH_LOG("%s", t.err);
		EXPECT_EQ(cases[i].is_marked, !!strstr(t.out, "[sched wakings]"))
			TH_LOG("%zu: %s", i, t.out);
		EXPECT_EQ(0, run_on(&t, "info", NULL, cases[i].text)) TH_LOG("%s", t.err);
		EXPECT_EQ(cases[i].is_marked, !!strstr(t.out, "wakeups     waking\n"))
			TH_LOG("%zu: %s", i, t.out);
	}
}

#define EARLY_AT(time, event, loss)	HEADER \
		"a-12 [000] d..2. 1.0: sched_switch: prev_comm=b prev_pid=13 prev_prio=120 prev_state=R ==> next_comm=a next_pid=12 next_prio=120\n" \
		"c-14 [001] d..2. " time ": " event ": comm=a pid=12 prio=120 target_cpu=000\n" \
		"a-12 [000] d..2. 1.5: sched_switch: prev_comm=a prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=b next_pid=13 next_prio=120\n" \
		loss \
		"b-13 [000] d..2. 1.9: sched_switch: prev_comm=b prev_pid=13 prev_prio=120 prev_state=R ==> next_comm=a next_pid=12 next_prio=120\n"

#define EARLY(event, loss)	EARLY_AT("1.4999", event, loss)
#define TOO_EARLY		EARLY_AT("1.4", "sched_wakeup", "")

/* Another CPU wakes a thread that is about to sleep, so the switch comes after the wakeup. */
TEST(an_early_wakeup)
{
	struct tool t;

	EXPECT_DUMP(EARLY("sched_waking", ""), "thread_wakeup 1.500000000 cpu=0 waking_thread=12",
		    "waker=14", "context_switch 1.900000000");
	EXPECT_DUMP(EARLY("sched_wakeup", ""), "thread_wakeup 1.500000000 cpu=0 waking_thread=12",
		    "waker=14", "context_switch 1.900000000");
	EXPECT_EQ(0, run_on(&t, "report", "--no-pager", EARLY("sched_wakeup", "")));
	EXPECT_IN(t.out, "400ms 0             1.900000000  a/12                  b/13 100%");
	tool_free(&t);
	/* A wakeup long before the sleep had no effect: the later one has ended the sleep. */
	EXPECT_DUMP(EARLY("sched_wakeup", "") "a-12 [000] d..2. 2.0: sched_switch: prev_comm=a prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=b next_pid=13 next_prio=120\n"
		    "d-15 [001] d..2. 2.1: sched_wakeup: comm=a pid=12 prio=120 target_cpu=000\n",
		    "thread_wakeup 2.100000000 cpu=0 waking_thread=12", "waker=15");
	EXPECT_EQ(0, run_on(&t, "dump", "--type=thread_wakeup", TOO_EARLY));
	EXPECT_STREQ("", t.out);
	tool_free(&t);
	/* The wakeup that ended the sleep may be among the lost ones. */
	EXPECT_EQ(0, run_on(&t, "dump", "--type=thread_wakeup",
			    EARLY("sched_wakeup", "CPU:1 [LOST 3 EVENTS]\n")));
	EXPECT_STREQ("", t.out);
	tool_free(&t);
}

TEST(bad_lines)
{
	static const struct {
		const char *text;
		int status;
		const char *message;
	} bad[] = {
		{ HEADER ASLEEP("1", "1.0") "rubbish\n\n a-1 [000] d..2 x\n", EXIT_DEVIATES,
		  ": 2 lines not understood, first at line 5, byte 199\n" },
		{ HEADER ASLEEP("1", "1.0") " a-12 [000] d..2. 1.0: sched_switch: prev_comm=a prev_pid=12\n",
		  EXIT_DEVIATES, ": 1 lines not understood, first at line 5, byte 199\n" },
		/* Numbers that Linux cannot have. */
		{ HEADER ASLEEP("1", "1.0") " a-4194304 [000] .... 1.0: timer_start: x\n", EXIT_DEVIATES, "line 5" },
		{ HEADER ASLEEP("1", "1.0") " a-1 [8192] .... 1.0: timer_start: x\n", EXIT_DEVIATES, "line 5" },
		{ HEADER ASLEEP("1", "1.0") " a-1 [0] .... 18446744074.0: timer_start: x\n", EXIT_DEVIATES, "line 5" },
		{ HEADER "rubbish\n", EXIT_UNREADABLE, "no line is in the format of ftrace's text" },
		{ "# tracer: nop\n# entries-in-buffer/entries-written: 14/25   #P:4\n" ASLEEP("1", "1.0"), 0,
		  ": 11 events before the first one were overwritten" },
		{ HEADER ASLEEP("1", "1.0") " a-1 [0] .... 1.0: timer_start: x\n a-1 [0] 1.0: y\n", 0,
		  ": 2 events are of kinds that fxt does not convert: timer_start 1, y 1" },
		{ HEADER ASLEEP("1", "1.0") " a-1 [0] .... 1.0: b: x\n a-1 [0] 1.0: c: x\n a-1 [0] 1.0: d: x\n a-1 [0] 1.0: e: x\n"
		  " a-1 [0] .... 1.0: f: x\n a-1 [0] 1.0: g: x\n a-1 [0] 1.0: g: x\n", 0,
		  ": 7 events are of kinds that fxt does not convert: g 2, b 1, c 1, d 1, e 1, others 1" },
		/* A probe with the name of an event, and its stack trace. */
		{ HEADER ASLEEP("1", "1.0") " a-1 [001] .... 1.0: sched_switch: (__probestub_sched_switch+0x4/0x10) preempt=0\n"
		  " a-1 [001] .... 1.0: <stack trace>\n => schedule\n => io_schedule\n", 0,
		  ": 2 events are of kinds that fxt does not convert: sched_switch 1, <stack trace> 1" },
	};
	struct tool t;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		EXPECT_EQ(bad[i].status, run_on(&t, "info", NULL, bad[i].text)) TH_LOG("%zu: %s", i, t.err);
		EXPECT_NE(NULL, strstr(t.err, bad[i].message)) TH_LOG("%zu: %s", i, t.err);
		EXPECT_EQ(bad[i].status, run_on(&t, "info", "--strict", bad[i].text)) TH_LOG("%zu: %s", i, t.err);
	}
}

/* Text that is written and read again gives the same records. */
TEST(round_trip)
{
	static const char * const dump[] = { "dump", "-", "--type=context_switch,thread_wakeup", NULL };
	struct memory m, text;
	struct tool first, second, t;

	ASSERT_EQ(0, memory_open(&m));
	ASSERT_EQ(0, generate_sched(m.fd, 20000, 3));
	ASSERT_EQ(0, memory_map(&m));
	ASSERT_EQ(0, convert(&t, "ftrace", "-q", &m)) TH_LOG("%s", t.err);
	ASSERT_EQ(0, hold(&text, t.out));
	ASSERT_EQ(0, lseek(m.fd, 0, SEEK_SET));
	ASSERT_EQ(0, tool_run_from(&first, dump, m.fd));
	ASSERT_EQ(0, convert(&t, "ftrace", "-q", &text)) TH_LOG("%s", t.err);
	EXPECT_EQ(text.bytes, t.out_bytes);
	EXPECT_EQ(0, memcmp(text.data, t.out, t.out_bytes < text.bytes ? t.out_bytes : text.bytes));
	EXPECT_EQ(0, run_on(&t, "check", NULL, text.data)) TH_LOG("%s", t.out);
	ASSERT_EQ(0, lseek(text.fd, 0, SEEK_SET));
	ASSERT_EQ(0, tool_run_from(&second, dump, text.fd)) TH_LOG("%s", second.err);
	EXPECT_LT(1000UL, second.out_bytes);
}

TEST(every_command)
{
	static const char * const verbs[] = { "check", "info", "dump", "report" };
	static const char * const texts[] = { "vectors/ftrace.txt", "vectors/ftrace-marks.txt" };
	char path[4096];
	struct tool t;

	for (size_t i = 0; i < 8; i++) {
		built_path(path, sizeof(path), texts[i / 4]);
		EXPECT_EQ(0, tool_run(&t, ARGS(verbs[i % 4], "--strict", path)))
			TH_LOG("%s: %s%s", verbs[i % 4], t.out, t.err);
		EXPECT_LT(20UL, t.out_bytes);
	}
}

TEST(formats_by_name_and_content)
{
	static const char page[] = "<!DOCTYPE html>\n<script>var a-1 = b[0];\n" HEADER
				   ASLEEP("1", "1.0") "</script>\n<p>a</p>\n";
	static const char * const verbs[] = {
		"blame", "check", "cut", "dump", "info", "report", "symbolize", "why",
	};
	static const char report[] = "cpus=2\nCPU 0 is empty\n" ASLEEP("1", "1.0");
	struct memory m;
	struct tool t;

	EXPECT_DUMP(report, "outgoing_thread=12");
	ASSERT_EQ(0, hold(&m, page));
	EXPECT_EQ(EXIT_UNREADABLE, convert(&t, "json", "-q", &m));
	EXPECT_EQ(0, convert(&t, "fxt", "--from=ftrace", &m)) TH_LOG("%s", t.err);
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		run_on(&t, verbs[i], "--from-format=ftrace", page);
		EXPECT_EQ(NULL, strstr(t.err, "cannot read")) TH_LOG("%s: %s", verbs[i], t.err);
		EXPECT_EQ(NULL, strstr(t.err, "unknown")) TH_LOG("%s: %s", verbs[i], t.err);
	}
	/* What is named is not looked for. */
	EXPECT_EQ(EXIT_UNREADABLE, run_on(&t, "info", "--from-format=fxt", report));
	EXPECT_IN(t.err, "this is a text that begins with");
	EXPECT_EQ(EXIT_USAGE, run_on(&t, "info", "--from-format=x", report));
	EXPECT_IN(t.err, "unknown format; use json, ftrace,");
	ASSERT_EQ(0, hold(&m, report));
	EXPECT_EQ(0, convert_piped(&t, "ftrace", "--from=ftrace", &m)) TH_LOG("%s", t.err);
	EXPECT_IN(t.out, "prev_comm=a prev_pid=12");
	/* A pipe is recognized as a file is. */
	EXPECT_EQ(0, convert_piped(&t, "ftrace", "-q", &m)) TH_LOG("%s", t.err);
	EXPECT_IN(t.out, "prev_comm=a prev_pid=12");
}

/* The formats of --from are proposed only for a file whose format is unknown. */
TEST(hints_for_unknown_formats)
{
	static const char sqlite[] = "SQLite format 3\0 and a long header";
	static const char perfetto[] = "\x0a\x02\x08\x01\x0a\x02\x08\x01";
	static const char other[] = "\x01\x02\x03\x04\x05\x06\x07\x08";
	static const struct {
		const char *data;
		size_t bytes;
		const char *error;
		bool has_hint;
	} cases[] = {
		{ "no trace of anybody\n", 20,
		  "this is a text that begins with \"no trace of anybody\", not an FXT archive", true },
		{ other, sizeof(other) - 1, "so this is not an FXT archive", true },
		{ "short", 5, "fewer than 8 bytes, so this is not an FXT archive", true },
		{ sqlite, sizeof(sqlite) - 1, "this is an SQLite database, not an FXT archive", false },
		{ perfetto, sizeof(perfetto) - 1,
		  "this trace of Perfetto has no events of ftrace", false },
	};
	struct memory m;
	struct tool t;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ASSERT_EQ(0, hold_bytes(&m, cases[i].data, cases[i].bytes));
		EXPECT_EQ(EXIT_UNREADABLE, convert(&t, "fxt", "-q", &m)) TH_LOG("%zu", i);
		EXPECT_IN(t.err, cases[i].error);
		EXPECT_EQ(EXIT_UNREADABLE, convert_piped(&t, "fxt", "-q", &m)) TH_LOG("%zu", i);
		EXPECT_IN(t.err, cases[i].error);
		EXPECT_EQ(cases[i].has_hint, !!strstr(t.err, "; --from-format=FORMAT reads"))
			TH_LOG("%s", t.err);
	}
}

TEST(preambles)
{
	EXPECT_DUMP("\xef\xbb\xbf" ASLEEP("1", "1.0"), "outgoing_thread=12 outgoing_name=\"a\"");
	EXPECT_DUMP("TRACE:\n" HEADER ASLEEP("1", "1.0"), "outgoing_thread=12 outgoing_name=\"a\"");
}

/* --- texts in UTF-16 ---------------------------------------------------------------------- */

static const char line[] = ASLEEP("1", "1.0");
static const char json[] = "[\n{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"name\":\"slice\"}]";

#define LENGTH(literal)	(sizeof(literal) - 1)

/* Write a text in UTF-16, whose first byte is its high one if @order is 1. Return: bytes */
static size_t widen(char *wide, const char *text, size_t bytes, size_t order)
{
	memcpy(wide, order ? "\xfe\xff" : "\xff\xfe", 2);
	memset(wide + 2, 0, 2 * bytes);
	for (size_t i = 0; i < bytes; i++)
		wide[2 + 2 * i + order] = text[i];
	return 2 + 2 * bytes;
}

TEST(utf16)
{
	static const char * const options[] = { "-q", "--from=ftrace" };
	char wide[4096];
	struct memory m;
	struct tool t;

	for (size_t order = 0; order < 2; order++) {
		ASSERT_EQ(0, hold_bytes(&m, wide, widen(wide, line, LENGTH(line), order)));
		for (size_t i = 0; i < 2; i++) {
			EXPECT_EQ(0, convert(&t, "ftrace", options[i], &m)) TH_LOG("%s", t.err);
			EXPECT_IN(t.out, "prev_comm=a prev_pid=12");
			EXPECT_EQ(0, convert_piped(&t, "ftrace", options[i], &m)) TH_LOG("%s", t.err);
			EXPECT_IN(t.out, "prev_comm=a prev_pid=12");
		}
		ASSERT_EQ(0, hold_bytes(&m, wide, widen(wide, json, LENGTH(json), order)));
		EXPECT_EQ(0, convert_piped(&t, "json", "-q", &m)) TH_LOG("%s", t.err);
		EXPECT_IN(t.out, "\"slice\"");
	}
	/* An unknown text is left as it is. */
	ASSERT_EQ(0, hold_bytes(&m, wide, widen(wide, "no trace\n", 9, 0)));
	EXPECT_EQ(EXIT_UNREADABLE, convert_piped(&t, "fxt", "-q", &m));
	EXPECT_IN(t.err, "the first word is 0x00200");
}

TEST(invalid_utf16)
{
	char wide[4096];
	size_t bytes = widen(wide, line, LENGTH(line), 0);
	struct memory m;
	struct tool t;

	/* Half a pair in a comment, and half a character at the end. */
	memcpy(wide + bytes, "#\0\x00\xd8x\0\n\0#", 9);
	ASSERT_EQ(0, hold_bytes(&m, wide, bytes + 9));
	EXPECT_EQ(EXIT_DEVIATES, convert(&t, "ftrace", "-q", &m));
	EXPECT_IN(t.err, ": 2 characters are invalid UTF-16, and became question marks\n");
	EXPECT_IN(t.out, "prev_comm=a prev_pid=12");
	EXPECT_EQ(EXIT_DEVIATES, convert_piped(&t, "ftrace", "--strict", &m));
	EXPECT_IN(t.err, ": 2 characters are invalid UTF-16");
	EXPECT_STREQ("", t.out);
}

static char *many_lines(size_t lines, size_t *bytes)
{
	size_t length = LENGTH(line);
	char *text = malloc(lines * length), *wide = malloc(2 + 2 * lines * length);

	if (!text || !wide)
		abort();
	for (size_t i = 0; i < lines; i++)
		memcpy(text + i * length, line, length);
	*bytes = widen(wide, text, lines * length, 0);
	free(text);
	return wide;
}

/* What was readable is converted, and the error is the same as for UTF-8. */
TEST(truncated_utf16)
{
	char packed[1000];
	size_t bytes;
	char *wide = many_lines(1000, &bytes);
	z_stream z = { .next_in = (void *)wide, .avail_in = bytes,
		       .next_out = (void *)packed, .avail_out = sizeof(packed) };
	struct memory m;
	struct tool t;

	ASSERT_EQ(Z_OK, deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY));
	ASSERT_EQ(Z_OK, deflate(&z, Z_FINISH));
	ASSERT_EQ(0U, z.avail_out);
	deflateEnd(&z);
	ASSERT_EQ(0, hold_bytes(&m, packed, sizeof(packed)));
	EXPECT_EQ(EXIT_DEVIATES, convert(&t, "ftrace", "-q", &m)) TH_LOG("%s", t.err);
	EXPECT_IN(t.err, "fxt: cannot read /proc/");
	EXPECT_IN(t.err, ": gzip data are truncated\n");
	EXPECT_IN(t.out, "prev_comm=a prev_pid=12");
	EXPECT_EQ(EXIT_DEVIATES, convert_piped(&t, "ftrace", "-q", &m)) TH_LOG("%s", t.err);
	EXPECT_IN(t.err, "fxt: cannot read standard input: gzip data are truncated\n");
	EXPECT_IN(t.out, "prev_comm=a prev_pid=12");
	free(wide);
}

/* A file may grow to only a few bytes, as on a full disk. */
TEST(no_room_for_utf16)
{
	static const rlim_t sizes[] = { 100, 1000, 4096, 10000, 100000 };
	size_t bytes;
	char *wide = many_lines(1000, &bytes);
	struct memory m;
	struct tool t;

	ASSERT_EQ(0, hold_bytes(&m, wide, bytes));
	signal(SIGXFSZ, SIG_IGN);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &(struct rlimit){ sizes[i], RLIM_INFINITY }));
		EXPECT_EQ(EXIT_UNWRITABLE, convert(&t, "json", "-q", &m)) TH_LOG("%s", t.err);
		EXPECT_STREQ("fxt: cannot write a temporary file: File too large\n", t.err);
	}
	free(wide);
}

/* --- pipes -------------------------------------------------------------------------------- */

/* Write the first bytes to @to, and the rest after a while. Return: as fork() */
static pid_t write_slowly(int to, const char *text, size_t first)
{
	pid_t pid = fork();
	ssize_t rest = strlen(text) - first;

	if (pid)
		return pid;
	if (write(to, text, first) != (ssize_t)first)
		_exit(1);
	usleep(300000);
	_exit(write(to, text + first, rest) != rest);
}

/* A writer may pause anywhere before the format can be recognized. */
TEST(slow_pipes)
{
	static const struct {
		const char *text;
		size_t first;
		const char *option;
		int status;
		const char *shown;
	} cases[] = {
		{ json, 2, "-q", 0, "\"slice\"" },
		{ line, 30, "-q", 0, "\"pid\":12" },
		{ line, 1, "--from=ftrace", 0, "\"pid\":12" },
		{ "no trace\n", 3, "-q", EXIT_UNREADABLE, "" },
	};
	struct tool t;
	int fds[2];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ASSERT_EQ(0, pipe2(fds, O_CLOEXEC));
		ASSERT_LE(0, write_slowly(fds[1], cases[i].text, cases[i].first));
		close(fds[1]);
		EXPECT_EQ(cases[i].status,
			  tool_run_from(&t, ARGS("convert", "--to=json", "-", cases[i].option), fds[0]))
			TH_LOG("%zu: %s", i, t.err);
		EXPECT_NE(NULL, strstr(t.out, cases[i].shown)) TH_LOG("%zu: %s", i, t.out);
		close(fds[0]);
	}
}

/* A text whose first block of 128 KiB takes zstd some 32 KiB. Return: bytes at @packed */
static size_t pack_text(char *packed, size_t room)
{
	static char text[(256 << 10) + sizeof(line)];
	size_t bytes = sizeof(text) - sizeof(line);

	for (size_t i = 0; i < bytes; i++)
		text[i] = i % 100 == 99 ? '\n' : i % 100 ? "abcd"[rand() & 3] : '#';
	memcpy(text, "# tracer: nop\n#", 15);
	text[bytes - 1] = '\n';
	memcpy(text + bytes, line, LENGTH(line));
	return ZSTD_compress(packed, room, text, bytes + LENGTH(line), 1);
}

TEST(packed_pipes)
{
	static char packed[256 << 10];
	size_t bytes = pack_text(packed, sizeof(packed));
	struct memory m;
	struct tool t;
	int fds[2];

	ASSERT_EQ(0U, ZSTD_isError(bytes));
	ASSERT_LT(60000UL, bytes);
	ASSERT_EQ(0, hold_bytes(&m, packed, bytes));
	EXPECT_EQ(0, convert_piped(&t, "ftrace", "-q", &m)) TH_LOG("%s", t.err);
	EXPECT_IN(t.out, "prev_comm=a prev_pid=12");
	/* A pipe that has no room for the first block is not waited for. */
	ASSERT_EQ(0, pipe2(fds, O_CLOEXEC));
	ASSERT_EQ(4096, fcntl(fds[1], F_SETPIPE_SZ, 4096));
	if (!fork()) {
		close(fds[0]);
		_exit(write(fds[1], packed, bytes) != (ssize_t)bytes);
	}
	close(fds[1]);
	EXPECT_EQ(EXIT_UNREADABLE, tool_run_from(&t, ARGS("info", "-"), fds[0]));
	close(fds[0]);
}

/* The writer of a named pipe may have ended before the archive is read. */
TEST(named_pipes)
{
	static const char * const texts[] = { NULL, line, "no trace\n" };
	char dir[] = "/tmp/fxt-pipe-XXXXXX", path[64];
	struct memory m;
	struct tool t;
	int fd;

	ASSERT_NE(NULL, mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/pipe", dir);
	ASSERT_EQ(0, mkfifo(path, 0600));
	for (size_t i = 0; i < 3; i++) {
		ASSERT_EQ(0, texts[i] ? hold(&m, texts[i]) : memory_open(&m));
		ASSERT_EQ(0, texts[i] ? 0 : generate_sched(m.fd, 20, 1) | memory_map(&m));
		if (!fork()) {
			fd = open(path, O_WRONLY | O_CLOEXEC);
			_exit(write(fd, m.data, m.bytes) != (ssize_t)m.bytes);
		}
		EXPECT_EQ(i == 2 ? EXIT_UNREADABLE : 0, tool_run(&t, ARGS("info", path)))
			TH_LOG("%zu: %s", i, t.err);
	}
	unlink(path);
	rmdir(dir);
}

#define TICKS	"#              | |         |   |||||     |         |\n"				\
	" a-12 [000] d..2. 2600000000000: sched_switch: prev_comm=a prev_pid=12 prev_prio=120 prev_state=R ==> next_comm=b next_pid=13 next_prio=120\n"	\
	" b-13 [000] d..2. 2600130000000: sched_switch: prev_comm=b prev_pid=13 prev_prio=120 prev_state=S ==> next_comm=a next_pid=12 next_prio=120\n"

/* The kernel prints times without decimals if they are ticks, whose rate the text does not have. */
TEST(ticks_of_an_unknown_rate)
{
	static const char * const verbs[] = { "report", "why", "blame", "dump", "info" };
	struct tool t;

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		EXPECT_EQ(EXIT_UNREADABLE, run_on(&t, verbs[i], NULL, TICKS)) TH_LOG("%s", verbs[i]);
		EXPECT_IN(t.err, "line 2, byte 53: a time without decimals counts ticks of a clock");
		EXPECT_IN(t.err, "give it with --ticks-per-second=N\n");
		EXPECT_EQ(0UL, t.out_bytes);
	}
	EXPECT_EQ(0, run_on(&t, "report", "--ticks-per-second=2600000000", TICKS));
	EXPECT_IN(t.out, "0.050 s on 1 CPU");
	EXPECT_EQ(0, run_on(&t, "dump", "--ticks-per-second=26000000000", TICKS));
	EXPECT_IN(t.out, " 100.005000000 cpu=0");
	/* More ticks than 64 bits have ns. */
	EXPECT_EQ(EXIT_UNREADABLE, run_on(&t, "dump", "--ticks-per-second=1", TICKS));
	EXPECT_EQ(EXIT_USAGE, run_on(&t, "dump", "--ticks-per-second=2.6G", TICKS));
	EXPECT_IN(t.err, "2.6G: invalid number of ticks; use e.g. 2600000000 for a TSC of 2.6 GHz");
	EXPECT_EQ(EXIT_USAGE, run_on(&t, "dump", "--ticks-per-second=0", TICKS));
}

/* The rate is only for ticks. A line with another kind of time is not understood. */
TEST(times_and_ticks)
{
	struct tool t;

	EXPECT_EQ(EXIT_DEVIATES, run_on(&t, "report", "--ticks-per-second=3",
		" a-12 [000] d..2. 1.5: sched_switch: prev_comm=a prev_pid=12 prev_prio=120 prev_state=R ==> next_comm=b next_pid=13 next_prio=120\n"
		TICKS));
	EXPECT_IN(t.err, "2 lines not understood, first at line 3");
	EXPECT_EQ(EXIT_DEVIATES, run_on(&t, "dump", "--ticks-per-second=2600000000", TICKS
		" a-12 [000] d..2. 1001.5: sched_switch: prev_comm=a prev_pid=12 prev_prio=120 prev_state=R ==> next_comm=b next_pid=13 next_prio=120\n"));
	EXPECT_IN(t.err, "1 lines not understood, first at line 4");
	EXPECT_IN(t.out, " 1000.050000000 cpu=0");
}

CASES("from_ftrace", NULL)
