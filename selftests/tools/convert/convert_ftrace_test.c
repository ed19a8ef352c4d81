// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `fxt convert --to ftrace`: the text has the lines as the kernel prints them, written out here by
 * hand. The messages of all conversions for a wrong command line.
 */
#include <regex.h>

#include <fxt/fxt_mark.h>

#include "walk/order.h"
#include "convert_run.h"

/* --- ftrace: lines --------------------------------------------------------------- */

static const char *body(const struct tool *t)
{
	const char *s = t->out;

	while (*s == '#')
		s = strchr(s, '\n') + 1;
	return s;
}

TEST(ftrace_lines_are_the_kernels)
{
	static const char expected[] =
"          <idle>-0       (-------) [003] d... 1.000001000: sched_switch: prev_comm=swapper/3 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=waker next_pid=11 next_prio=120\n"
"           waker-11      (     10) [003] d... 1.000002500: sched_waking: comm=woken pid=12 prio=120 target_cpu=001\n"
"           waker-11      (     10) [003] d... 1.000002500: sched_wakeup: comm=woken pid=12 prio=120 target_cpu=001\n"
"           waker-11      (     10) [003] d... 1.000004000: sched_switch: prev_comm=waker prev_pid=11 prev_prio=139 prev_state=R+ ==> next_comm=<...> next_pid=13 next_prio=-1\n"
"           <...>-13      (-------) [003] d... 123456789.000000001: sched_switch: prev_comm=<...> prev_pid=13 prev_prio=98 prev_state=S ==> next_comm=swapper/3 next_pid=0 next_prio=120\n";
	struct fxt_writer *w;
	struct memory m;
	struct tool t;

	ASSERT_EQ(0, begin_archive(&m, &w));
	write_switch(w, 1000001000, 3, 0, 11, FXT_THREAD_NEW, INT32_MIN, 1024);
	write_wakeup(w, 1000002500, 1, 12, 11);
	write_switch(w, 1000004000, 3, 11, 13, FXT_THREAD_NEW, 15, INT32_MAX);
	write_switch(w, 123456789000000001, 3, 13, 0, FXT_THREAD_BLOCKED, 1000001, INT32_MIN);
	/* Names may be at the end of the archive, and apply from its beginning. */
	write_thread(w, 11, 10, TEXT("waker"));
	write_thread(w, 12, 10, TEXT("woken"));
	ASSERT_EQ(0, end_archive(&m, w));
	ASSERT_EQ(0, convert(&t, "ftrace", "--strict", &m)) TH_LOG("%s", t.err);
	EXPECT_EQ(0, strncmp(t.out, "# tracer: nop\n", 14));
	EXPECT_STREQ(expected, body(&t));
	ASSERT_EQ(0, convert_piped(&t, "ftrace", "--strict", &m));
	EXPECT_STREQ(expected, body(&t));
}

/* As the kernel prints them: with the interrupted thread, and the interrupt as a flag. */
TEST(ftrace_flags_interrupts)
{
	static const char expected[] =
"          <idle>-0       (-------) [003] d... 1.000000000: sched_switch: prev_comm=swapper/3 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=busy next_pid=11 next_prio=120\n"
"            busy-11      (     10) [003] d.h. 1.000001000: sched_waking: comm=woken pid=12 prio=120 target_cpu=001\n"
"            busy-11      (     10) [003] d.h. 1.000001000: sched_wakeup: comm=woken pid=12 prio=120 target_cpu=001\n"
"          <idle>-0       (-------) [001] d.s. 1.000002000: sched_waking: comm=woken pid=12 prio=120 target_cpu=001\n"
"          <idle>-0       (-------) [001] d.s. 1.000002000: sched_wakeup: comm=woken pid=12 prio=120 target_cpu=001\n"
"            busy-11      (     10) [003] d.z. 1.000003000: sched_waking: comm=woken pid=12 prio=120 target_cpu=001\n"
"            busy-11      (     10) [003] d.z. 1.000003000: sched_wakeup: comm=woken pid=12 prio=120 target_cpu=001\n";
	struct fxt_writer *w;
	struct memory m;
	struct tool t;

	ASSERT_EQ(0, begin_archive(&m, &w));
	write_thread(w, 11, 10, TEXT("busy"));
	write_thread(w, 12, 10, TEXT("woken"));
	write_switch(w, 1000000000, 3, 0, 11, FXT_THREAD_NEW, INT32_MIN, 1024);
	write_irq_wakeup(w, 1000001000, 1, 12, "hard", 11);
	write_irq_wakeup(w, 1000002000, 1, 12, "soft", 0);
	write_irq_wakeup(w, 1000003000, 1, 12, "nmi", 11);
	ASSERT_EQ(0, end_archive(&m, w));
	ASSERT_EQ(0, convert(&t, "ftrace", "--strict", &m)) TH_LOG("%s", t.err);
	EXPECT_STREQ(expected, body(&t));
}

static bool has(const struct tool *t, const char *what)
{
	return strstr(t->out, what);
}

/*
 * A switch to an unknown thread lacks its name and state. A wakeup of a thread that does not match
 * has no line, because readers would draw that thread as waiting until it is seen again.
 */
TEST(ftrace_of_what_is_unknown)
{
	static const char expected[] =
"           <...>-11      (-------) [003] d... 0.000002000: sched_switch: prev_comm=<...> prev_pid=11 prev_prio=120 prev_state=? ==> next_comm=<...> next_pid=0 next_prio=120\n"
"           <...>-13      (-------) [003] d... 0.000004000: sched_switch: prev_comm=<...> prev_pid=13 prev_prio=120 prev_state=? ==> next_comm=<...> next_pid=12 next_prio=120\n";
	__u64 words[3][FXT_SCHED_SWITCH_WORDS];
	struct fxt_writer *w;
	struct memory m;
	struct tool t;

	fxt_sched_put_unknown_switch(words[0], 2000, 3, 11, 0, 1024, FXT_SCHED_WEIGHT_IDLE,
				     FXT_SCHED_STATE_UNKNOWN, FXT_STR_FILTERED);
	fxt_sched_put_unknown_wakeup(words[1], 3000, 3, 13, 12);
	fxt_sched_put_unknown_switch(words[2], 4000, 3, 13, 12, 1024, 1024,
				     FXT_SCHED_STATE_UNKNOWN, FXT_STR_FILTERED);
	ASSERT_EQ(0, begin_archive(&m, &w));
#define WRITE_STRING(index, text) fxt_writer_string(w, index, text);
	FXT_SCHED_STRINGS(WRITE_STRING)
#undef WRITE_STRING
	fxt_writer_put(w, words, sizeof(words));
	ASSERT_EQ(0, end_archive(&m, w));
	ASSERT_EQ(0, convert(&t, "ftrace", "--strict", &m)) TH_LOG("%s", t.err);
	EXPECT_STREQ(expected, body(&t));
}

/* A mark is not a switch, for which the kernel would have a line. */
TEST(ftrace_of_marks)
{
	static const char expected[] =
"#            <...>-11      (-------) [003] d... 0.000001000: has the CPU, whose recording begins\n"
"           <...>-11      (-------) [003] d... 0.000002000: sched_switch: prev_comm=<...> prev_pid=11 prev_prio=120 prev_state=R+ ==> next_comm=swapper/3 next_pid=0 next_prio=120\n"
"#           <idle>-0       (-------) [003] d... 0.000003000: has the CPU, which goes offline\n";
	__u64 mark[FXT_SCHED_SWITCH_WORDS], sw[FXT_SCHED_USUAL_SWITCH_WORDS];
	struct fxt_writer *w;
	struct memory m;
	struct tool t;

	ASSERT_EQ(0, begin_archive(&m, &w));
#define WRITE_STRING(index, text) fxt_writer_string(w, index, text);
	FXT_SCHED_STRINGS(WRITE_STRING)
#undef WRITE_STRING
	fxt_sched_put_mark(mark, 1000, 3, FXT_STR_BEGIN, 11, 1024);
	fxt_writer_put(w, mark, sizeof(mark));
	fxt_sched_put_switch(sw, 2000, 3, 11, 0, 1024, FXT_SCHED_WEIGHT_IDLE,
			     (struct fxt_sched_state){ FXT_THREAD_NEW, 0 });
	fxt_writer_put(w, sw, sizeof(sw));
	fxt_sched_put_mark(mark, 3000, 3, FXT_STR_OFFLINE, 0, FXT_SCHED_WEIGHT_IDLE);
	fxt_writer_put(w, mark, sizeof(mark));
	ASSERT_EQ(0, end_archive(&m, w));
	ASSERT_EQ(0, convert(&t, "ftrace", "--strict", &m)) TH_LOG("%s", t.err);
	EXPECT_IN(t.out, expected);
}

TEST(ftrace_renames)
{
	struct fxt_writer *w;
	struct memory m;
	struct tool t;

	ASSERT_EQ(0, begin_archive(&m, &w));
	write_thread(w, 11, 10, TEXT("old"));
	write_switch(w, 1000, 0, 0, 11, FXT_THREAD_NEW, INT32_MIN, 1024);
	write_thread(w, 11, 10, TEXT("old"));
	write_thread(w, 11, 10, TEXT("new"));
	write_switch(w, 2000, 0, 11, 0, FXT_THREAD_BLOCKED, 1024, INT32_MIN);
	ASSERT_EQ(0, end_archive(&m, w));
	ASSERT_EQ(0, convert(&t, "ftrace", "--strict", &m));
	EXPECT_TRUE(has(&t, "next_comm=old next_pid=11"));
	EXPECT_TRUE(has(&t, "0.000001000: task_rename: pid=11 oldcomm=old newcomm=new "
			    "oom_score_adj=0\n"));
	EXPECT_TRUE(has(&t, "             new-11      (     10) [000] d... 0.000002000: "
			    "sched_switch: prev_comm=new prev_pid=11"));
	EXPECT_NOT_IN(strstr(t.out, "task_rename") + 1, "task_rename");
}

TEST(ftrace_names_stay_in_their_lines)
{
	struct fxt_writer *w;
	struct memory m;
	struct tool t;

	ASSERT_EQ(0, begin_archive(&m, &w));
	write_thread(w, 11, 10, TEXT("a\n[7]\"\\\x1b\xc2\x85\xff"));
	write_switch(w, 1000, 0, 11, 0, FXT_THREAD_BLOCKED, 1024, INT32_MIN);
	ASSERT_EQ(0, end_archive(&m, w));
	ASSERT_EQ(0, convert(&t, "ftrace", NULL, &m));
	/* Readers take the first number in brackets for the CPU number. */
	EXPECT_TRUE(has(&t, " a?(7)\"\\??\?\?-11 "));
	EXPECT_TRUE(has(&t, "prev_comm=a?[7]\"\\???? prev_pid=11"));
	ASSERT_EQ(0, convert(&t, "json", "--with-ftrace", &m));
	EXPECT_TRUE(has(&t, "prev_comm=a?[7]\\\"\\\\???? prev_pid=11"));
}

static void write_names_ledger(struct fxt_writer *w, uint64_t time)
{
	const struct fxt_ledger ledger = {
		.stream = FXT_LEDGER_STREAM_NAMES, .kind = FXT_LEDGER_HEAD, .time = time,
	};
	__u64 words[FXT_LEDGER_WORDS];
	struct fxt_content c = { .kind = FXT_KIND_STRING, .index = FXT_STR_LEDGER,
				 .name = TEXT("fxt_sched.ledger") };

	fxt_writer_record(w, &c);
	fxt_sched_put_ledger(words, &ledger);
	fxt_writer_put(w, words, sizeof(words));
}

/* The thread is born, woken, switched in, and only then renamed, as in reality. */
TEST(ftrace_forks)
{
	static const char * const lines[] = {
		"parent-10      (     10) [001] d... 0.000003000: task_newtask: pid=20 comm=parent clone_flags=0 oom_score_adj=0\n",
		"0.000003000: sched_waking: comm=parent pid=20 ",
		"0.000003500: task_newtask: pid=21 comm=parent clone_flags=10000 oom_score_adj=0\n",
		"0.000004000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=parent next_pid=20 ",
		"0.000004000: task_rename: pid=20 oldcomm=parent newcomm=child oom_score_adj=0\n",
		"0.000005000: sched_switch: prev_comm=child prev_pid=20 ",
		"0.000006000: sched_waking: comm=child pid=20 ",
	};
	struct fxt_writer *w;
	struct memory m;
	const char *at;
	struct tool t;
	size_t i;

	ASSERT_EQ(0, begin_archive(&m, &w));
	write_thread(w, 10, 10, TEXT("parent"));
	write_names_ledger(w, 2500);
	write_thread(w, 20, 20, TEXT("parent"));
	write_thread(w, 21, 10, TEXT("parent"));
	write_thread(w, 20, 20, TEXT("child"));
	write_switch(w, 2000, 1, 0, 10, FXT_THREAD_NEW, INT32_MIN, 1024);
	write_wakeup(w, 3000, 0, 20, 10);
	write_wakeup(w, 3500, 0, 21, 10);
	write_switch(w, 4000, 0, 0, 20, FXT_THREAD_NEW, INT32_MIN, 1024);
	write_switch(w, 5000, 0, 20, 0, FXT_THREAD_BLOCKED, 1024, INT32_MIN);
	write_wakeup(w, 6000, 0, 20, 10);
	/* This thread existed before, so there is no fork. */
	write_wakeup(w, 7000, 0, 30, 10);
	ASSERT_EQ(0, end_archive(&m, w));
	ASSERT_EQ(0, convert(&t, "ftrace", "--strict", &m));
	for (i = 0, at = t.out; i < ARRAY_SIZE(lines); i++) {
		at = strstr(at, lines[i]);
		ASSERT_NE(NULL, at) TH_LOG("%s in\n%s", lines[i], t.out);
	}
	at = strstr(t.out, "task_newtask");
	at = strstr(at + 1, "task_newtask");
	EXPECT_NOT_IN(at + 1, "task_newtask");
}

/* The archive has some records after later events of another CPU. */
TEST(ftrace_is_in_order)
{
	struct fxt_writer *w;
	struct memory m;
	struct tool t;

	ASSERT_EQ(0, begin_archive(&m, &w));
	write_switch(w, 1000, 0, 0, 11, FXT_THREAD_NEW, INT32_MIN, 1024);
	write_switch(w, 3000, 0, 11, 0, FXT_THREAD_BLOCKED, 1024, INT32_MIN);
	write_switch(w, 2000, 1, 0, 12, FXT_THREAD_NEW, INT32_MIN, 1024);
	write_switch(w, 4000, 1, 12, 0, FXT_THREAD_BLOCKED, 1024, INT32_MIN);
	ASSERT_EQ(0, end_archive(&m, w));
	ASSERT_EQ(0, convert(&t, "ftrace", "--strict", &m));
	EXPECT_LT(strstr(t.out, "0.000001000"), strstr(t.out, "0.000002000"));
	EXPECT_LT(strstr(t.out, "0.000002000"), strstr(t.out, "0.000003000"));
	EXPECT_LT(strstr(t.out, "0.000003000"), strstr(t.out, "0.000004000"));
	EXPECT_STREQ("", t.err);
}

/*
 * The earliest of the waiting events always comes next. For many random events, a list shows which
 * one it is.
 */
TEST(order_gives_the_earliest)
{
	static struct event {
		struct order_key key;
		int number;
	} waiting[4000];
	struct order q = { .size = sizeof(struct event), .room = 4000 };
	struct event e = { 0 };
	const struct event *taken;
	size_t count = 0, i, first;

	srandom(1);
	for (e.number = 0; e.number < 20000; e.number++) {
		/* Most events are in order, as in chunks, and some are not. */
		e.key.ns = e.number % 1000 < 900 ? e.key.ns + random() % 8 : (uint64_t)random() % 50000;
		if (!order_is_full(&q) && random() % 16 < 9) {
			order_add(&q, &e, 0);
			waiting[count++] = e;
			continue;
		}
		taken = order_pop(&q);
		ASSERT_EQ(count > 0, !!taken);
		for (i = first = 0; i < count; i++)
			if (waiting[i].key.ns < waiting[first].key.ns ||
			    (waiting[i].key.ns == waiting[first].key.ns &&
			     waiting[i].number < waiting[first].number))
				first = i;
		if (!count)
			continue;
		ASSERT_EQ(waiting[first].number, taken->number) TH_LOG("step %d", e.number);
		waiting[first] = waiting[--count];
	}
	EXPECT_LT(1000U, count);
	while (order_pop(&q))
		count--;
	EXPECT_EQ(0U, count);
	order_free(&q);
}

/* Events with the same time stay in the order of the archive. */
TEST(ftrace_keeps_the_order_of_one_moment)
{
	struct fxt_writer *w;
	struct memory m;
	const char *at;
	char wanted[32];
	struct tool t;
	int i;

	ASSERT_EQ(0, begin_archive(&m, &w));
	for (i = 0; i < 20; i++)
		write_switch(w, 1000, i, 0, 100 + i, FXT_THREAD_NEW, INT32_MIN, 1024);
	ASSERT_EQ(0, end_archive(&m, w));
	ASSERT_EQ(0, convert(&t, "ftrace", "--strict", &m));
	for (i = 0, at = t.out; i < 20; i++) {
		snprintf(wanted, sizeof(wanted), "next_pid=%d ", 100 + i);
		at = strstr(at, wanted);
		ASSERT_NE(NULL, at) TH_LOG("%s", wanted);
	}
}

static const struct {
	int32_t weight;
	const char *prio;	/* if the archive has weights */
	const char *as_prio;	/* if it has priorities in their place */
} prios[] = {
	{ 1024,		"120",	"1024" },
	{ 88761,	"100",	"88761" },
	{ 110,		"130",	"110" },
	{ 15,		"139",	"15" },
	{ 3,		"120",	"3" },
	{ 1000099,	"0",	"1000099" },
	{ 1000001,	"98",	"1000001" },
	{ INT32_MAX,	"-1",	"2147483647" },
	{ INT32_MIN,	"120",	"120" },
	{ 139,		"139",	"139" },
	{ 88762,	"100",	"88762" },
	{ 900,		"121",	"900" },
	{ -1,		"139",	"-1" },
};

TEST(ftrace_knows_priorities)
{
	struct fxt_content session = {
		.kind = FXT_KIND_BLOB, .name = TEXT("fxt_sched.session"),
		.blob_type = FXT_BLOB_DATA,
	};
	static const char line[] = "clock boot\nweight prio\nbuffer 1\n";
	struct fxt_writer *w;
	struct memory m;
	char wanted[64];
	struct tool t;

	session.blob = (struct fxt_bytes){ line, sizeof(line) - 1 };
	session.blob_held = session.blob.bytes;
	for (int mode = 0; mode < 2; mode++) {
		ASSERT_EQ(0, begin_archive(&m, &w));
		if (mode)
			ASSERT_EQ(0, fxt_writer_record(w, &session));
		for (size_t i = 0; i < ARRAY_SIZE(prios); i++)
			write_switch(w, i, 0, 100 + i, 101 + i, FXT_THREAD_NEW,
				     prios[i].weight, 1024);
		ASSERT_EQ(0, end_archive(&m, w));
		ASSERT_EQ(0, convert(&t, "ftrace", "--strict", &m));
		for (size_t i = 0; i < ARRAY_SIZE(prios); i++) {
			snprintf(wanted, sizeof(wanted), "prev_pid=%zu prev_prio=%s ", 100 + i,
				 mode ? prios[i].as_prio : prios[i].prio);
			EXPECT_TRUE(has(&t, wanted)) TH_LOG("%s", wanted);
		}
	}
}

/* --- ftrace: a whole recording ------------------------------------------------------ */

#define LINE_HEAD "^ *(.+)-([0-9]+) +\\( *([0-9]+|-+)\\) \\[([0-9]{3,})\\] d\\.[hsz.]\\. ([0-9]+\\.[0-9]{9}): "

static const char * const line_patterns[] = {
	LINE_HEAD "sched_switch: prev_comm=.+ prev_pid=([0-9]+) prev_prio=-?[0-9]+ "
		  "prev_state=(R\\+?|[SDITtPZX]) ==> next_comm=.+ next_pid=([0-9]+) "
		  "next_prio=-?[0-9]+$",
	LINE_HEAD "sched_waking: comm=.+ pid=[0-9]+ prio=-?[0-9]+ target_cpu=[0-9]{3,}$",
	LINE_HEAD "sched_wakeup: comm=.+ pid=[0-9]+ prio=-?[0-9]+ target_cpu=[0-9]{3,}$",
	LINE_HEAD "task_rename: pid=[0-9]+ oldcomm=.+ newcomm=.+ oom_score_adj=0$",
	LINE_HEAD "task_newtask: pid=[0-9]+ comm=.+ clone_flags=(0|10000) oom_score_adj=0$",
};

#define PATTERNS	5
#define CPUS		8

struct lines {
	regex_t patterns[PATTERNS];
	uint64_t counts[PATTERNS];
	uint64_t unknown;
	uint64_t disorder;
	uint64_t breaks;	/* switches whose outgoing thread was not switched in before */
	int64_t last;		/* ns */
	int64_t running[CPUS];
};

static int64_t group(const char *line, const regmatch_t *m)
{
	return strtoll(line + m->rm_so, NULL, 10);
}

static void check_line(struct lines *l, const char *line)
{
	regmatch_t m[9];
	int64_t ns, cpu;
	int i;

	for (i = 0; i < PATTERNS && regexec(&l->patterns[i], line, 9, m, 0); i++)
		;
	if (i == PATTERNS) {
		l->unknown++;
		return;
	}
	l->counts[i]++;
	ns = group(line, &m[5]) * 1000000000 +
	     strtoll(strchr(line + m[5].rm_so, '.') + 1, NULL, 10);
	l->disorder += ns < l->last;
	l->last = ns;
	cpu = group(line, &m[4]) % CPUS;
	if (i)
		return;
	l->breaks += l->running[cpu] >= 0 && l->running[cpu] != group(line, &m[6]);
	l->breaks += group(line, &m[2]) != group(line, &m[6]);
	l->running[cpu] = group(line, &m[8]);
}

TEST(ftrace_has_every_event)
{
	struct lines l = { .last = 0 };
	struct census census;
	char *line, why[256];
	struct memory m;
	struct tool t;

	for (int i = 0; i < PATTERNS; i++)
		ASSERT_EQ(0, regcomp(&l.patterns[i], line_patterns[i], REG_EXTENDED));
	memset(l.running, -1, sizeof(l.running));
	ASSERT_EQ(0, memory_open(&m));
	ASSERT_EQ(0, generate_sched(m.fd, 30000, CPUS));
	ASSERT_EQ(0, memory_map(&m));
	ASSERT_EQ(0, census_take(&m, &census, why));
	ASSERT_EQ(0, convert(&t, "ftrace", "--strict", &m)) TH_LOG("%s", t.err);
	for (line = strtok((char *)body(&t), "\n"); line; line = strtok(NULL, "\n"))
		check_line(&l, line);
	EXPECT_EQ(0, (int)l.unknown);
	EXPECT_EQ(0, (int)l.disorder);
	EXPECT_EQ(0, (int)l.breaks);
	EXPECT_EQ(census.kinds[FXT_KIND_CONTEXT_SWITCH], l.counts[0]);
	EXPECT_EQ(census.kinds[FXT_KIND_THREAD_WAKEUP], l.counts[1]);
	EXPECT_EQ(census.kinds[FXT_KIND_THREAD_WAKEUP], l.counts[2]);
	for (int i = 0; i < PATTERNS; i++)
		regfree(&l.patterns[i]);
}

/* --- the command line --------------------------------------------------------------------- */

TEST(wrong_usage_is_refused)
{
	static const char * const wrong[][6] = {
		{ "convert", NULL },
		{ "convert", "x.fxt", NULL },
		{ "convert", "--to", "json", NULL },
		{ "convert", "--to", "html", "x.fxt", NULL },
		{ "convert", "-o", "x.html", "x.fxt", NULL },
		{ "convert", "--to", "json", "x.fxt", "y.fxt", NULL },
		{ "convert", "--to", "ftrace", "--with-ftrace", "x.fxt", NULL },
		{ "convert", "--to", "sqlite", "x.fxt", NULL },
		{ "convert", "--to", "csv", "-o", "-", NULL },
		{ "convert", "--to", "parquet", "x.fxt", NULL },
		{ "convert", "--to", "json", "--partition", "x.fxt", NULL },
		{ "convert", "--to", "json", "--format=2018", "x.fxt", NULL },
		{ "convert", "--to", "json", "--frobnicate", "x.fxt", NULL },
		{ "convert", "x.fxt", "--to", NULL },
	};
	struct tool t;

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		EXPECT_EQ(EXIT_USAGE, tool_run(&t, wrong[i])) TH_LOG("command line %zu", i);
		EXPECT_EQ(0, strncmp(t.err, "fxt: convert: ", 14)) TH_LOG("%s", t.err);
		EXPECT_EQ(0, (int)t.out_bytes);
	}
}

static int run_to(struct tool *t, const struct memory *m, const char *to, const char *path)
{
	char in[64];

	return tool_run(t, ARGS("convert", "-o", path, memory_path(m, in), to ? "--to" : NULL, to));
}

TEST(endings_tell_the_format)
{
	static const char * const names[] = { "a.json", "a.ftrace", "a.txt", "a.fxt" };
	static const char * const begins[] = { "{\"traceEvents\"", "# tracer: nop", "# tracer: nop",
					       "\x10" };
	char dir[] = "/tmp/fxt.XXXXXX", path[64], text[32];
	struct memory m;
	struct tool t;
	int fd;

	ASSERT_NE(NULL, mkdtemp(dir));
	ASSERT_EQ(0, memory_open(&m));
	ASSERT_EQ(0, generate_sched(m.fd, 100, 1));
	for (size_t i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		EXPECT_EQ(0, run_to(&t, &m, NULL, path)) TH_LOG("%s", t.err);
		fd = open(path, O_RDONLY);
		EXPECT_EQ(32, (int)read(fd, text, sizeof(text)));
		EXPECT_EQ(0, memcmp(begins[i], text, strlen(begins[i])));
		close(fd);
		unlink(path);
	}
	rmdir(dir);
}

TEST(failures_have_their_status)
{
	static const char * const targets[] = { "json", "ftrace", "fxt" };
	char path[64];
	struct memory m;
	struct stat before, after;
	struct tool t;

	ASSERT_EQ(0, memory_open(&m));
	ASSERT_EQ(0, generate_sched(m.fd, 10000, 2));
	ASSERT_EQ(0, fstat(m.fd, &before));
	for (size_t i = 0; i < 3; i++) {
		EXPECT_EQ(EXIT_UNWRITABLE, run_to(&t, &m, targets[i], "/dev/full"));
		EXPECT_IN(t.err, "No space left on device");
		EXPECT_EQ(EXIT_UNWRITABLE, run_to(&t, &m, targets[i], "/nonexistent/x"));
		/* The result must not overwrite the archive itself. */
		EXPECT_EQ(EXIT_USAGE, run_to(&t, &m, targets[i], memory_path(&m, path)));
	}
	ASSERT_EQ(0, fstat(m.fd, &after));
	EXPECT_EQ(before.st_size, after.st_size);
}
