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

/* Those of the program are in the same chain, with the place in its file. */
TEST(call_chains_of_programs)
{
	EXPECT_DUMP(HEADER A_OUT CHAIN("a-50 [000] d..2. 10.000001") " => schedule\n"
		    " a-50 [000] d..2. 10.000002: <user stack trace>\n"
		    " => /usr/lib/libc.so.6[+0x1234]\n =>  <00007f0012345678>\n => ??\n"
		    " => /opt/a b[+0x10] <00007f0012345680>\n" A_WOKEN A_IN,
		    "backtrace 10.260000000", ",0x7f0012345678,",
		    "functions=\"schedule,+0x1234 [libc.so.6],?,+0x10 [a b]\"");
	EXPECT_DUMP(HEADER A_OUT " a-50 [000] d..2. 10.000001: <user stack trace>\n"
		    " => /usr/lib/libc.so.6[+0x1234]\n" A_WOKEN A_IN,
		    "backtrace 10.260000000", "functions=\"+0x1234 [libc.so.6]\"");
	EXPECT_DUMP("cpus=2\n" A_OUT " a-50 [000] 10.000001: kernel_stack:         <stack trace >\n"
		    "=> schedule (ffffffff81000000)\n"
		    " a-50 [000] 10.000002: user_stack:           <user stack trace>\n"
		    "=> /usr/lib/libc.so.6[+0x1234] <7f0012345678>\n" A_WOKEN A_IN,
		    "backtrace 10.260000000", "functions=\"schedule,+0x1234 [libc.so.6]\"");
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

/* After a loss, the event of a chain and the end of a work item may be missing. */
TEST(what_spans_a_loss)
{
	static const char text[] = HEADER A_OUT "CPU:0 [LOST 3 EVENTS]\n"
		CHAIN("x-51 [000] d..2. 10.1") " => other\n"
		" w-13 (13) [002] ..... 10.12: workqueue_execute_start: work struct 00000000a: function early\n"
		"CPU:2 [LOST 3 EVENTS]\n"
		" w-13 (13) [001] ..... 10.13: workqueue_execute_end: work struct 00000000b\n"
		A_WOKEN A_IN;
	struct tool t;

	EXPECT_EQ(0, run_on(&t, "dump", NULL, text));
	EXPECT_NOT_IN(t.out, "other");
	EXPECT_NOT_IN(t.out, "early");
	EXPECT_IN(t.err, "fxt does not convert: <stack trace> 1");
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

/* perf script writes addresses, with functions of the kernel before those of the program. */
TEST(call_chains_of_perf)
{
	EXPECT_DUMP(
		"               a    40/50 [000]    10.000000:       sched:sched_switch: prev_comm=a prev_pid=50 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
		"\tffffffff81b9b4a1 __schedule+0x1 ([kernel.kallsyms])\n"
		"\tffffffff81b9b5a1 schedule ([kernel.kallsyms])\n"
		"\t    7f0012345678 void read<int>(int, char) (/usr/lib/a b.so)\n"
		"\t    7f0012345680 jit+0x1 (/memfd:x (deleted))\n"
		"\t    7f0012345688 [unknown] (/usr/lib/a b.so)\n\n"
		"         swapper     0 [000]    10.300000:       sched:sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=50 next_prio=120\n",
		"backtrace 10.300000000 process=40 thread=50",
		",0x7f0012345688 functions=\"__schedule,schedule,void read<int>(int, char) [a b.so],jit [memfd:x],",
		"name=\"fxt_sched.symbols\"");
}

#define MARK(thread, cpu, us, text)	" app-" thread " ( 100) [00" cpu "] .... 10.0000" us ": tracing_mark_write: " text "\n"

TEST(marks_of_programs)
{
	struct tool t;

	EXPECT_DUMP(HEADER
		MARK("101", "0", "01", "B|100|outer|with a bar") MARK("101", "0", "02", "B|100|")
		MARK("101", "0", "03", "C|100|count|-7") MARK("101", "0", "04", "E|100")
		MARK("102", "1", "05", "S|100|op|5") MARK("101", "0", "06", "S|100|other|5")
		MARK("102", "1", "07", "I|100|now") MARK("101", "0", "08", "E")
		MARK("101", "0", "09", "F|100|op|5") MARK("102", "1", "10", "F|100|other|5")
		MARK("102", "1", "11", "G|100|track|on it|9") MARK("102", "1", "12", "N|100|track|moment")
		MARK("102", "1", "13", "H|100|track|9"),
		"duration_begin 10.000001000 process=100 thread=101 thread_name=\"app\" category=\"\" name=\"outer|with a bar\"",
		"duration_begin 10.000002000 process=100 thread=101 thread_name=\"app\" category=\"\" name=\"[empty slice name]\"",
		"counter 10.000003000 process=100 thread=100 category=\"\" name=\"count\" counter_id=0 { value=-7 }",
		"duration_end 10.000004000 process=100 thread=101",
		"async_begin 10.000005000 process=100 thread=102 thread_name=\"app\" category=\"\" name=\"op\" correlation_id=1 { cookie=5 }",
		"async_begin 10.000006000", "name=\"other\" correlation_id=2 { cookie=5 }",
		"instant 10.000007000 process=100 thread=102", "name=\"now\"",
		"duration_end 10.000008000 process=100 thread=101",
		"async_end 10.000009000", "name=\"op\" correlation_id=1",
		"async_end 10.000010000", "name=\"other\" correlation_id=2",
		"async_begin 10.000011000", "name=\"on it\" correlation_id=3 { track=\"track\" cookie=9 }",
		"async_begin 10.000012000", "name=\"moment\" correlation_id=4 { track=\"track\" }",
		"async_end 10.000012000", "correlation_id=4",
		"async_end 10.000013000", "name=\"on it\" correlation_id=3",
		"koid=101 object_type=thread name=\"app\" { process=100 }");
	/* Operations on a track nest; trace_processor has the same. */
	EXPECT_DUMP(HEADER MARK("101", "0", "01", "G|100|track|outer|9") MARK("101", "0", "02", "G|100|track|inner|9")
		    MARK("101", "0", "03", "H|100|track|9") MARK("101", "0", "04", "H|100|track|9"),
		    "async_begin 10.000001000", "name=\"outer\" correlation_id=1",
		    "async_begin 10.000002000", "name=\"inner\" correlation_id=2",
		    "async_end 10.000003000", "name=\"inner\" correlation_id=2",
		    "async_end 10.000004000", "name=\"outer\" correlation_id=1");
	/* Where the text came from, old kernels and trace-cmd have other words. */
	EXPECT_DUMP(HEADER " app-101 [000] .... 10.0: 0: B|100|old\n"
		    " app-101 [000] .... 10.1: print: tracing_mark_write: B|100|trace-cmd\n"
		    " app-101 [000] .... 10.2: print: 0xffffffff81230000: B|100|a: b\n",
		    "name=\"old\"", "name=\"trace-cmd\"", "name=\"a: b\"");
	/* The end of the trace is not that of the operations. */
	EXPECT_EQ(0, run_on(&t, "check", "--strict", HEADER MARK("101", "0", "01", "B|100|x")
			    MARK("101", "0", "02", "S|100|y|1") MARK("101", "0", "03", "B|100|z")
			    MARK("101", "0", "04", "E|100")));
	EXPECT_IN(t.out, ": clean");
}

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

/* A sleep has its caller, and whether it is for I/O. */
TEST(reasons_of_sleeps)
{
	EXPECT_DUMP(HEADER A_OUT
		    " <idle>-0 [000] dNh3. 10.24: sched_blocked_reason: pid=50 iowait=1 caller=folio_wait_bit+0x12c/0x2d0\n"
		    A_WOKEN A_IN,
		    "instant 10.240000000 process=50 thread=50", "name=\"sched_blocked_reason\" { iowait=true caller=\"folio_wait_bit\" }",
		    "thread_wakeup 10.250000000",
		    "backtrace 10.260000000 process=50 thread=50", "functions=\"folio_wait_bit\"");
}

TEST(other_events_of_the_kernel)
{
	EXPECT_DUMP(HEADER
		" a-12 (12) [002] d.h1. 1.000001: local_timer_entry: vector=236\n"
		" a-12 (12) [002] d.h1. 1.000002: local_timer_exit: vector=236\n"
		" a-12 (12) [002] d.h1. 1.000003: ipi_entry: (Function call interrupts)\n"
		" a-12 (12) [002] d.h1. 1.000004: ipi_exit: (Function call interrupts)\n"
		" w-13 (13) [002] ..... 1.000005: workqueue_execute_start: work struct 00000000a: function vmstat_update [vm]\n"
		" w-13 (13) [001] ..... 1.000006: workqueue_execute_end: work struct 00000000a\n"
		" a-12 (12) [002] d..1. 1.000007: cpu_frequency_limits: min=800000 max=3600000 cpu_id=1\n"
		" a-12 (12) [002] d..1. 1.000008: cpu_idle_miss: cpu_id=2 state=1 type=below\n"
		" a-12 (12) [002] d..1. 1.000009: ipi_send_cpu: cpu=3 callsite=smp_call+0x1/0x2 callback=do_sync_core+0x0/0x20\n"
		" a-12 (12) [002] d..1. 1.000010: ipi_send_cpumask: cpumask=00000001,00000003 callsite=x callback=0x0\n"
		" a-12 (12) [002] d..1. 1.000011: sched_pi_setprio: comm=b pid=14 oldprio=120 newprio=98\n",
		" 1.000001000", "thread_name=\"irq cpu 2\" category=\"irq\" name=\"local timer\" end=1.000002000",
		" 1.000003000", "name=\"function call\" end=1.000004000",
		" 1.000007000", "name=\"frequency limits\" counter_id=1 { min_kHz=800000 max_kHz=3600000 }",
		" 1.000008000", "name=\"idle miss\" { state=1 below=true }",
		" 1.000009000 process=12 thread=12", "category=\"ipi\" name=\"do_sync_core\" { cpu=3 }",
		" 1.000010000 process=12 thread=12", "category=\"ipi\" name=\"ipi\" { targets=3 mask=4294967299 }",
		" 1.000011000 process=14 thread=14", "name=\"priority\" { oldprio=120 newprio=98 }");
	EXPECT_DUMP(HEADER
		" w-13 (13) [002] ..... 1.000005: workqueue_execute_start: work struct 00000000a: function vmstat_update [vm]\n"
		" w-13 (13) [001] ..... 1.000006: workqueue_execute_end: work struct 00000000a\n",
		" 1.000005000 process=13 thread=13", "category=\"work\" name=\"vmstat_update\" end=1.000006000");
	EXPECT_DUMP(" a    12/12 [002]     1.000001: irq_vectors:local_timer_entry: vector=236\n"
		    " a    12/12 [002]     1.000002:  irq_vectors:local_timer_exit: vector=236\n"
		    " a    12/12 [002]     1.000003:             ipi:ipi_entry: (Function call interrupts)\n"
		    " a    12/12 [002]     1.000004:              ipi:ipi_exit: (Function call interrupts)\n",
		    " 1.000001000", "name=\"local timer\" end=1.000002000",
		    " 1.000003000", "name=\"function call\" end=1.000004000");
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

static void put_base64(char *to, const struct packed *p)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned int bits;
	size_t i, k;

	to += strlen(to);
	for (i = 0; i < p->count; i += 3) {
		bits = 0;
		for (k = i; k < i + 3; k++)
			bits = bits << 8 | (k < p->count ? (unsigned char)p->bytes[k] : 0);
		for (k = 0; k < 4; k++)
			*to++ = digits[bits >> (18 - 6 * k) & 63];
	}
	*to = '\0';
}

TEST(page_of_atrace_z)
{
	char page[16384] = "<!DOCTYPE html>\n<html><script class=\"trace-data\">\nTRACE:\n";
	struct packed p;
	struct tool t;

	pack_zlib(&p, "");
	put_base64(page, &p);
	strcat(page, "\n</script></html>\n");
	EXPECT_EQ(0, run_on(&t, "dump", "--strict", page)) TH_LOG("%s", t.err);
	EXPECT_IN(t.out, "outgoing_thread=50");
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
