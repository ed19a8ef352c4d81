// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * In ftrace's text, a call chain becomes the stack of its switch or waker, a mark what Android's
 * atrace means by it, and another event what fxt-collect records for it; what is left out is
 * reported.
 */
#ifdef FXT_HAS_BZIP2
#include <bzlib.h>
#endif
#ifdef FXT_HAS_LZMA
#include <lzma.h>
#endif
#include <zlib.h>

#include "ftrace_text.h"

#define A_OUT	" a-50 [000] d..2. 10.0: sched_switch: prev_comm=a prev_pid=50 prev_prio=120 prev_state=D ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
#define A_WOKEN	" <idle>-0 [000] dNh3. 10.25: sched_wakeup: comm=a pid=50 prio=120 target_cpu=000\n"
#define A_WAKING " <idle>-0 [000] dNh3. 10.2: sched_waking: comm=a pid=50 prio=120 target_cpu=000\n"
#define A_IN	" <idle>-0 [000] d..2. 10.26: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=50 next_prio=120\n"
#define CHAIN(head)	" " head ": <stack trace>\n"
#define ELSEWHERE	" b-60 [001] d..2. 10.25: sched_switch: prev_comm=b prev_pid=60 prev_prio=120 prev_state=R+ ==> next_comm=c next_pid=61 next_prio=120\n"

/* The chain of a switch is shown when its thread runs again, that of a wakeup before it. */
TEST(call_chains)
{
	struct tool t;

	EXPECT_DUMP(HEADER A_OUT CHAIN("a-50 [000] d..2. 10.000001")
		    " => __schedule\n => schedule+0x12/0x90\n => io_schedule (ffffffff81000000)\n"
		    A_WOKEN ELSEWHERE CHAIN("<idle>-0 [000] dNh3. 10.25")
		    " => try_to_wake_up <ffffffff81000000>\n => blk_done_softirq\n" A_IN,
		    "backtrace 10.250000000 process=50 thread=50",
		    "functions=\"try_to_wake_up,blk_done_softirq\"",
		    "thread_wakeup 10.250000000", "context_switch 10.260000000 cpu=0",
		    "backtrace 10.260000000 process=50 thread=50",
		    "functions=\"__schedule,schedule,io_schedule\"");
	EXPECT_DUMP(HEADER A_OUT A_WAKING CHAIN("<idle>-0 [000] dNh3. 10.200001") " => first\n"
		    A_WOKEN CHAIN("<idle>-0 [000] dNh3. 10.250001") " => second\n" A_IN,
		    "backtrace 10.200001000 process=50 thread=50", "functions=\"first\"",
		    "thread_wakeup 10.250000000", "context_switch 10.260000000");
	EXPECT_DUMP("cpus=2\n" A_OUT " a-50 [000] 10.000001: kernel_stack:         <stack trace >\n"
		    "=> schedule (ffffffff81000000)\n" A_WOKEN A_IN,
		    "backtrace 10.260000000", "functions=\"schedule\"");
	EXPECT_EQ(0, run_on(&t, "check", "--strict", HEADER A_OUT CHAIN("a-50 [000] d..2. 10.000001")
			    " => schedule\n" A_WOKEN CHAIN("<idle>-0 [000] dNh3. 10.250001")
			    " => try_to_wake_up\n" A_IN));
	EXPECT_IN(t.out, ": clean");
	EXPECT_STREQ("", t.err);
}

/* The program's part is in the chain before it only if that is of its thread and has none. */
TEST(call_chains_apart)
{
	static const char user[] = " a-50 [000] d..2. 10.000002: <user stack trace>\n => /opt/b[+0x10]\n";
	static const char * const between[] = {
		" a-50 [000] d..2. 10.000002: <user stack trace>\n => /lib/libc.so.6[+0x12]\n",
		" x-51 [001] ..... 10.000002: softirq_raise: vec=1 [action=TIMER]\n",
	};
	char text[1024];
	struct tool t;

	for (size_t i = 0; i < ARRAY_SIZE(between); i++) {
		snprintf(text, sizeof(text), "%s%s%s", HEADER A_OUT CHAIN("a-50 [000] d..2. 10.000001")
			 " => schedule\n", between[i], user);
		EXPECT_EQ(0, run_on(&t, "dump", NULL, text));
		EXPECT_IN(t.err, "<user stack trace> 1");
		EXPECT_EQ(NULL, strstr(t.out, "+0x10 [b]")) TH_LOG("%s", t.out);
		tool_free(&t);
	}
}

/* The record of an event stays at its place if its thread's name fills the chunk of names. */
TEST(names_that_fill_their_chunk)
{
	static char text[1 << 20];
	size_t n = snprintf(text, sizeof(text), HEADER);
	unsigned int i, k, names = 0;
	struct tool t;

	for (i = 0; i < 3000; i++) {
		for (k = 0; k < i * 7 % 5; k++)
			n += snprintf(text + n, sizeof(text) - n, " <idle>-0 [000] d..2. %u.0: "
				      "sched_process_exit: comm=x%u pid=60 prio=120\n", 10 + i, names++);
		n += snprintf(text + n, sizeof(text) - n, " <idle>-0 [000] d..2. %u.5: "
			      "sched_migrate_task: comm=n%u pid=%u prio=120 orig_cpu=0 dest_cpu=1\n",
			      10 + i, i, 50 + i % 7);
	}
	EXPECT_EQ(0, run_on(&t, "check", "--strict", text));
	EXPECT_IN(t.out, ": clean");
	tool_free(&t);
}

/* Names are shown in ASCII; each is one function. */
TEST(names_of_functions_in_other_letters)
{
	struct tool t;

	EXPECT_EQ(0, run_on(&t, "dump", NULL, HEADER A_OUT CHAIN("a-50 [000] d..2. 10.000001")
			    " => f\xc3\xa9\n => f\xc3\xa9\n" A_WOKEN A_IN));
	EXPECT_IN(t.out, "frames=0xffff000000000011,0xffff000000000011 functions=\"f??,f??\"");
	tool_free(&t);
}

TEST(long_marks)
{
	static char text[8192];
	struct tool t;

	sprintf(text, HEADER " a-50 (50) [000] ..... 10.1: tracing_mark_write: C|50|%03000d|7\n"
		" a-50 (50) [000] ..... 10.2: tracing_mark_write: C|50|%04096d|7\n", 1, 2);
	EXPECT_EQ(0, run_on(&t, "dump", "--type=counter", text));
	EXPECT_IN(t.out, "value=7");
	EXPECT_IN(t.err, ": 1 marks of programs are left out: they are longer than 4096 bytes\n");
	tool_free(&t);
}

/* A chain belongs to the event before it on its CPU; others are counted. */
TEST(chains_of_other_events)
{
	struct tool t;

	EXPECT_EQ(0, run_on(&t, "dump", NULL, HEADER A_OUT
			    " <idle>-0 [000] d... 10.1: timer_start: x\n" CHAIN("<idle>-0 [000] d... 10.1")
			    " => mod_timer\n" A_WOKEN A_IN));
	EXPECT_IN(t.err, ": 2 events are of kinds that fxt does not convert: timer_start 1, <stack trace> 1");
	EXPECT_EQ(NULL, strstr(t.out, "\nbacktrace"));
	tool_free(&t);
}

#define MARK(thread, cpu, us, text)	" app-" thread " ( 100) [00" cpu "] .... 10.0000" us ": tracing_mark_write: " text "\n"

TEST(marks_left_out)
{
	static const struct {
		const char *text;
		const char *message;
	} cases[] = {
		{ MARK("101", "0", "01", "E|100") MARK("101", "0", "02", "F|100|x|1"),
		  ": 2 marks of programs end something that began before the trace; they are left out" },
		{ MARK("101", "0", "01", "S|100|x|1") MARK("101", "0", "02", "S|100|x|1"),
		  ": 1 marks of programs begin an operation that has begun already; they are left out" },
		{ MARK("101", "0", "01", "hello") MARK("101", "0", "02", "C|100|x|y")
		  MARK("101", "0", "03", "B|x|y") MARK("101", "0", "04", "S|100|x")
		  MARK("101", "0", "05", "Be|100|x") MARK("101", "0", "06", "|") MARK("101", "0", "07", ""),
		  ": 7 events are of kinds that fxt does not convert: tracing_mark_write 7" },
	};
	char text[4096], name[2000];
	struct tool t;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(text, sizeof(text), HEADER "%s", cases[i].text);
		EXPECT_EQ(0, run_on(&t, "info", "--strict", text)) TH_LOG("%zu: %s", i, t.err);
		EXPECT_IN(t.err, cases[i].message);
		tool_free(&t);
	}
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	snprintf(text, sizeof(text), HEADER MARK("101", "0", "01", "B|100|%s\xff"), name);
	EXPECT_EQ(0, run_on(&t, "dump", "--strict", text)) TH_LOG("%s", t.err);
	EXPECT_IN(t.err, ": 1 names in marks of programs were truncated to 800 bytes");
	EXPECT_IN(t.out, "name=\"nnnn");
}

static const char text[] = HEADER A_OUT A_WOKEN A_IN;

struct packed {
	char bytes[8192];
	size_t count;
};

static void pack_zlib(struct packed *p, const char *before)
{
	uLongf room = sizeof(p->bytes) - strlen(before);

	strcpy(p->bytes, before);
	if (compress((Bytef *)p->bytes + strlen(before), &room, (const Bytef *)text, strlen(text)) != Z_OK)
		abort();
	p->count = strlen(before) + room;
}

static void expect_unpacked(struct __test_metadata *_metadata, const struct packed *p,
			    const char *truncated)
{
	struct memory m;
	struct tool t;

	ASSERT_EQ(0, hold_bytes(&m, p->bytes, p->count));
	EXPECT_EQ(0, convert(&t, "ftrace", "-q", &m)) TH_LOG("%s", t.err);
	EXPECT_IN(t.out, "prev_comm=a prev_pid=50");
	EXPECT_EQ(0, convert_piped(&t, "ftrace", "-q", &m)) TH_LOG("%s", t.err);
	EXPECT_IN(t.out, "prev_comm=a prev_pid=50");
	ASSERT_EQ(0, hold_bytes(&m, p->bytes, p->count - 3));
	EXPECT_NE(0, convert(&t, "ftrace", "-q", &m)) TH_LOG("%s", t.err);
	EXPECT_IN(t.err, truncated);
}

TEST(text_of_atrace_z)
{
	struct packed p;
	struct memory m;
	struct tool t;

	pack_zlib(&p, "capturing trace... done\nTRACE:\n");
	expect_unpacked(_metadata, &p, "zlib data are truncated");
	pack_zlib(&p, "");
	expect_unpacked(_metadata, &p, "zlib data are truncated");
	p.bytes[p.count - 1] ^= 1;
	ASSERT_EQ(0, hold_bytes(&m, p.bytes, p.count));
	EXPECT_NE(0, convert(&t, "ftrace", "-q", &m));
	EXPECT_IN(t.err, "zlib data are damaged");
}

TEST(text_in_xz)
{
#ifdef FXT_HAS_LZMA
	struct packed p = { .count = 0 };

	ASSERT_EQ(0U, lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, (const uint8_t *)text,
						   strlen(text), (uint8_t *)p.bytes, &p.count,
						   sizeof(p.bytes)));
	expect_unpacked(_metadata, &p, "xz data are truncated");
	p.count += 4;
	expect_unpacked(_metadata, &p, "xz data are truncated");
#else
	SKIP(return, "built without liblzma");
#endif
}

TEST(text_in_bzip2)
{
#ifdef FXT_HAS_BZIP2
	struct packed p;
	unsigned int count = sizeof(p.bytes);

	ASSERT_EQ(BZ_OK, BZ2_bzBuffToBuffCompress(p.bytes, &count, (char *)text, strlen(text), 1, 0, 0));
	p.count = count;
	expect_unpacked(_metadata, &p, "bzip2 data are truncated");
#else
	SKIP(return, "built without libbz2");
#endif
}
