// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Artificial perf.data, with formats of several kernels: numbers are interpreted by the formats in
 * the file.
 */
#include <linux/perf_event.h>

#include "convert_run.h"
#include "own_program.h"
#include "perf_file.h"

static const struct perf_made_task idle = { "swapper/0", 0, 120 }, a = { "a", 12, 120 },
				   b = { "b", 13, 120 };

static int run_on(struct tool *t, const char *verb, const char *option, const struct perf_made *p)
{
	struct memory m;

	if (memory_open(&m) || write(m.fd, p->data, p->bytes) != (ssize_t)p->bytes ||
	    memory_map(&m) || lseek(m.fd, 0, SEEK_SET) < 0)
		return -1;
	return tool_run_from(t, ARGS(verb, option, "-"), m.fd);
}

/* Formats of three kernels: the common part from 4.8 on, and what 4.9 adds. */
#define OLD(max, more)								\
	"REC->prev_state & (" max "-1) ? __print_flags(REC->prev_state & (" max "-1), \"|\", " \
	"{ 1, \"S\"} , { 2, \"D\" }, { 4, \"T\" }, { 8, \"t\" }, { 16, \"Z\" }, { 32, \"X\" }, " \
	"{ 64, \"x\" }, { 128, \"K\" }, { 256, \"W\" }, { 512, \"P\" }" more ") : \"R\", " \
	"REC->prev_state & " max " ? \"+\" : \"\""

TEST(states_by_the_print_format)
{
	static const struct {
		const char *states;
		uint64_t number;
		const char *expected;
	} cases[] = {
		{ PERF_FILE_STATES, 0, "outgoing_state=preempted" },
		{ PERF_FILE_STATES, 1, "outgoing_state=blocked" },
		{ PERF_FILE_STATES, 32, "outgoing_state=dying" },
		{ PERF_FILE_STATES, 64, "state=\"P\"" },
		{ PERF_FILE_STATES, 128, "state=\"I\"" },
		{ PERF_FILE_STATES, 256, "outgoing_state=preempted" },
		{ PERF_FILE_STATES, 1024, "outgoing_state=unknown" },
		{ OLD("1024", ""), 0, "outgoing_state=preempted" },
		{ OLD("1024", ""), 2, "state=\"D\"" },
		{ OLD("1024", ""), 16, "outgoing_state=dying" },
		{ OLD("1024", ""), 32, "outgoing_state=dead" },
		{ OLD("1024", ""), 64, "outgoing_state=dead" },
		{ OLD("1024", ""), 130, "state=\"D\"" },
		{ OLD("1024", ""), 512, "state=\"P\"" },
		{ OLD("1024", ""), 1024, "outgoing_state=preempted" },
		{ OLD("1024", ""), 4096, "outgoing_state=unknown" },
		{ OLD("4096", ", { 1024, \"N\" }"), 4096, "outgoing_state=preempted" },
		{ OLD("4096", ", { 1024, \"N\" }"), 1026, "state=\"I\"" },
		/* States on which formats differ are unknown; states of all kernels are not. */
		{ "\"\", \"\"", 64, "outgoing_state=unknown" },
		{ "\"\", \"\"", 1, "outgoing_state=blocked" },
		{ "\"\", \"\"", 4096, "outgoing_state=preempted" },
	};
	static struct perf_made p;
	struct tool t;

	NEEDS("perf.data");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		perf_made_open(&p, PERF_FILE_SAMPLE, cases[i].states);
		perf_made_switch(&p, 1000, 0, &a, cases[i].number, &b, NULL, 0);
		EXPECT_EQ(0, run_on(&t, "dump", "--type=context_switch", &p));
		EXPECT_NE(NULL, strstr(t.out, cases[i].expected))
			TH_LOG("%zu: %s: %s%s", i, cases[i].expected, t.out, t.err);
	}
}

/* The masks of CPUs of kernels of 32 bits have words of 32 bits. */
TEST(masks_of_kernels_of_32_bits)
{
	static const uint32_t mask[] = { 5, 1, 2 };
	static struct perf_made p;
	struct tool t;

	NEEDS("perf.data");
	p.long_bytes = 4;
	perf_made_open(&p, PERF_FILE_SAMPLE, PERF_FILE_STATES);
	perf_made_ipi_mask(&p, 1000, a.tid, mask, 4);
	perf_made_ipi_mask(&p, 2000, a.tid, mask, 12);
	EXPECT_EQ(0, run_on(&t, "dump", "--type=instant", &p));
	EXPECT_IN(t.out, "category=\"ipi\" name=\"ipi\" { targets=2 mask=5 }");
	EXPECT_IN(t.out, "category=\"ipi\" name=\"ipi\" { targets=4 mask=4294967301 }");
}

/* An address of 32 bits looks like one of a program. */
TEST(callers_of_kernels_of_32_bits)
{
	static struct perf_made p;
	struct tool t;

	NEEDS("perf.data");
	p.long_bytes = 4;
	perf_made_open(&p, PERF_FILE_SAMPLE, PERF_FILE_STATES);
	perf_made_switch(&p, 1000, 0, &a, 1, &b, NULL, 0);
	perf_made_blocked(&p, 2000, a.tid, 0xc0101234);
	perf_made_waking(&p, 3000, 0, b.tid, &a, 1, NULL, 0);
	perf_made_switch(&p, 4000, 0, &b, 1, &a, NULL, 0);
	EXPECT_EQ(0, run_on(&t, "dump", "-q", &p)) TH_LOG("%s", t.err);
	EXPECT_IN(t.out, "name=\"sched_blocked_reason\" { iowait=true }");
	EXPECT_EQ(NULL, strstr(t.out, "\nbacktrace")) TH_LOG("%s", t.out);
	EXPECT_EQ(NULL, strstr(t.out, "0xc010123")) TH_LOG("%s", t.out);
}

/* perf sched record has no sched_wakeup, and perhaps no sched_migrate_task. */
TEST(wakeups_of_perf_sched)
{
	static struct perf_made p;
	struct tool t;

	NEEDS("perf.data");
	perf_made_open(&p, PERF_FILE_SAMPLE, PERF_FILE_STATES);
	perf_made_switch(&p, 1000, 0, &a, 1, &b, NULL, 0);
	perf_made_waking(&p, 2000, 0, b.tid, &a, 1, NULL, 0);
	perf_made_switch(&p, 3000, 0, &b, 1, &idle, NULL, 0);
	EXPECT_EQ(0, run_on(&t, "dump", "--type=thread_wakeup", &p));
	EXPECT_IN(t.out, "0.000002000 cpu=1 waking_thread=12");
	EXPECT_IN(t.out, "waker=13");
	EXPECT_EQ(0, run_on(&t, "check", "--json", &p)) TH_LOG("%s", t.err);
	EXPECT_IN(t.out, "\"wakings\":1");
}

/*
 * With a filter, the time between switches that do not fit together is unknown. Here, 40 us of each
 * thread are known, and no time of the idle thread.
 */
TEST(filtered)
{
	static const char * const commands[][6] = {
		{ "perf", "record", "--filter", "prev_pid != 0", "-a", NULL },
		{ "perf", "record", "--filt=prev_pid != 0", "--", "--filter", NULL },
		{ "perf", "record", "--exclude-perf", "-a", NULL },
	};
	static const char * const texts[] = {
		"perf --filter prev_pid != 0", "perf --filter prev_pid != 0", "perf --exclude-perf",
	};
	static struct perf_made p;
	struct tool t;

	NEEDS("perf.data");
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		perf_made_open(&p, PERF_FILE_SAMPLE, PERF_FILE_STATES);
		perf_made_command(&p, commands[i]);
		perf_made_switch(&p, 10000, 0, &b, 1, &a, NULL, 0);
		perf_made_switch(&p, 50000, 0, &a, 1, &idle, NULL, 0);
		perf_made_switch(&p, 100000, 0, &b, 1, &idle, NULL, 0);
		perf_made_switch(&p, 110000, 0, &a, 1, &b, NULL, 0);
		EXPECT_EQ(0, run_on(&t, "report", "-q", &p)) TH_LOG("%s", t.err);
		EXPECT_IN(t.out, texts[i]);
		EXPECT_IN(t.out, "CPUs busy 40.00%, idle 0.00%, unknown 60.00%");
		EXPECT_EQ(0, run_on(&t, "check", "--only=format,sched", &p)) TH_LOG("%s", t.out);
	}
}

/* Options after perf's command belong to that command. */
TEST(not_filtered)
{
	static struct perf_made p;
	struct tool t;

	NEEDS("perf.data");
	perf_made_open(&p, PERF_FILE_SAMPLE, PERF_FILE_STATES);
	perf_made_command(&p, ARGS("perf", "record", "-a", "--", "x", "--filter", "y"));
	perf_made_switch(&p, 10000, 0, &b, 1, &a, NULL, 0);
	perf_made_switch(&p, 50000, 0, &a, 1, &b, NULL, 0);
	EXPECT_EQ(0, run_on(&t, "report", "-q", &p)) TH_LOG("%s", t.err);
	EXPECT_NOT_IN(t.out, "FILTERED");
	EXPECT_IN(t.out, "busy 100%, idle 0.00%, unknown 0.00%");
}

TEST(empty_names)
{
	static const struct perf_made_task nameless = { "", 14, 120 };
	static struct perf_made p;
	struct tool t;

	NEEDS("perf.data");
	perf_made_open(&p, PERF_FILE_SAMPLE, PERF_FILE_STATES);
	perf_made_comm(&p, 14, 14, "");
	perf_made_switch(&p, 1000, 0, &b, 0, &nameless, NULL, 0);
	perf_made_switch(&p, 2000, 0, &nameless, 1, &b, NULL, 0);
	perf_made_waking(&p, 3000, 0, b.tid, &nameless, 0, NULL, 0);
	EXPECT_EQ(0, run_on(&t, "check", "--json", &p)) TH_LOG("%s", t.out);
	EXPECT_NOT_IN(t.out, "unnamed");
	EXPECT_EQ(0, run_on(&t, "dump", "--type=kernel_object", &p));
	EXPECT_IN(t.out, "koid=14 object_type=thread name=\"\"");
}

/* perf sched record -g: markers show whether frames of the kernel or of the program follow. */
#define KERNEL		(uint64_t)PERF_CONTEXT_KERNEL
#define USER		(uint64_t)PERF_CONTEXT_USER
#define CHAIN(name, ...)							\
	static const uint64_t name[] = { __VA_ARGS__ };				\
	const uint64_t name##_count = sizeof(name) / sizeof(name[0])

TEST(call_chains)
{
	CHAIN(sleeps, KERNEL, 0xffffffff81000010, 0xffffffff81000020, USER, 0x401000, 0x402000);
	CHAIN(other, KERNEL, 0xffffffff81000030);
	CHAIN(wakes, KERNEL, 0xffffffff81000040, USER, 0x403000);
	static struct perf_made p;
	const char *at;
	struct tool t;

	NEEDS("perf.data");
	perf_made_open(&p, PERF_FILE_SAMPLE | PERF_SAMPLE_CALLCHAIN, PERF_FILE_STATES);
	perf_made_switch(&p, 1000, 0, &a, 1, &b, sleeps, sleeps_count);
	perf_made_waking(&p, 2000, 0, b.tid, &a, 0, wakes, wakes_count);
	perf_made_switch(&p, 3000, 0, &b, 0, &a, other, other_count);
	perf_made_switch(&p, 4000, 0, &a, 64, &b, sleeps, sleeps_count);
	EXPECT_EQ(0, run_on(&t, "dump", "--type=context_switch,thread_wakeup,backtrace", &p));
	/* The waker's stack comes before the wakeup, the sleeper's after its next switch-in. */
	at = strstr(t.out, "backtrace 0.000002000 process=13 thread=12");
	ASSERT_NE(NULL, at) TH_LOG("%s", t.out);
	at = strstr(at, "0xffffffff81000040,0x403000");
	ASSERT_NE(NULL, at) TH_LOG("%s", t.out);
	at = strstr(at, "thread_wakeup 0.000002000");
	ASSERT_NE(NULL, at) TH_LOG("%s", t.out);
	at = strstr(at, "context_switch 0.000003000");
	ASSERT_NE(NULL, at) TH_LOG("%s", t.out);
	at = strstr(at, "backtrace 0.000003000 process=12 thread=12");
	ASSERT_NE(NULL, at) TH_LOG("%s", t.out);
	at = strstr(at, "0xffffffff81000010,0xffffffff81000020,0x401000,0x402000");
	ASSERT_NE(NULL, at) TH_LOG("%s", t.out);
	at = strstr(at, "backtrace 0.000004000 process=13 thread=13");
	ASSERT_NE(NULL, at) TH_LOG("%s", t.out);
	EXPECT_NE(NULL, strstr(at, "0xffffffff81000030")) TH_LOG("%s", t.out);
	EXPECT_EQ(0, run_on(&t, "check", "--only=format,sched", &p)) TH_LOG("%s", t.out);
}

/* Meanwhile, the thread may have run elsewhere. */
TEST(uncertain_call_chains)
{
	CHAIN(sleeps, KERNEL, 0xffffffff81000010);
	static struct perf_made p;
	struct tool t;

	NEEDS("perf.data");
	perf_made_open(&p, PERF_FILE_SAMPLE | PERF_SAMPLE_CALLCHAIN, PERF_FILE_STATES);
	perf_made_command(&p, ARGS("perf", "record", "-g", "--filter", "x"));
	perf_made_switch(&p, 1000, 0, &a, 1, &b, sleeps, sleeps_count);
	perf_made_switch(&p, 3000, 0, &b, 0, &a, NULL, 0);
	EXPECT_EQ(0, run_on(&t, "dump", "--type=backtrace", &p));
	EXPECT_STREQ("", t.out);
	EXPECT_IN(t.err, ": 1 call chains are left out: ");
}

/* Only mappings with frames are kept, of the kernel and of files. A child has its parent's. */
TEST(mappings)
{
	CHAIN(sleeps, KERNEL, 0xffffffff81000010, USER, 0x401000);
	static struct perf_made p;
	struct tool t;

	NEEDS("perf.data");
	perf_made_open(&p, PERF_FILE_SAMPLE | PERF_SAMPLE_CALLCHAIN, PERF_FILE_STATES);
	perf_made_mmap(&p, UINT32_MAX, 0xffffffff81000000, 0x1000, 0xab, "[kernel.kallsyms]_text");
	perf_made_mmap(&p, UINT32_MAX, 0xffffffffc0000000, 0x1000, 0xac, "/lib/modules/x/unused.ko");
	perf_made_mmap(&p, 11, 0x400000, 0x2000, 0xcd, "/nowhere/program");
	perf_made_mmap(&p, 11, 0x500000, 0x2000, 0xce, "/nowhere/unused");
	perf_made_fork(&p, 12, 11, 500);
	perf_made_switch(&p, 1000, 0, &a, 1, &b, sleeps, sleeps_count);
	perf_made_waking(&p, 2000, 0, b.tid, &a, 0, NULL, 0);
	perf_made_switch(&p, 3000, 0, &b, 0, &a, NULL, 0);
	EXPECT_EQ(0, run_on(&t, "dump", "--type=module,mmap", &p)) TH_LOG("%s", t.err);
	EXPECT_IN(t.out,
		  "process=0 thread=0 module_id=1 name=\"[kernel.kallsyms]\" build_id=20:abab");
	EXPECT_IN(t.out, "start_address=0xffffffff81000000 address_range=0x1000");
	EXPECT_IN(t.out, "name=\"/nowhere/program\" build_id=20:cdcd");
	EXPECT_IN(t.out, "process=12 thread=0 module_id=0 flags=5 start_address=0x400000 address_range=0x2000 vaddr=0xffffffffffffffff");
	EXPECT_NOT_IN(t.out, "unused");
	EXPECT_EQ(0, run_on(&t, "check", "--only=format,sched", &p));
	EXPECT_NOT_IN(t.out, "outside of every mapping");
}

static bool own_code(struct elf_load *code, struct elf_id *id)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct elf_file f;
	bool is_known;

	elf_read_id(fd, id);
	is_known = elf_open(&f, fd, id) == ELF_FINE && id->bytes && id->bytes <= 20;
	*code = f.loads[0];
	elf_close(&f);
	return is_known;
}

/* If the file exists, it shows which part is mapped, so functions can be named. */
TEST(mapping_of_a_file_that_is_there)
{
	struct perf_made_map map = { .pid = a.tid, .start = 0x7f0000000000 };
	struct elf_id id = { .bytes = 0 };
	char path[256] = "", line[64];
	static struct perf_made p;
	uint64_t chain[] = { USER, 0 };
	struct elf_load code;
	struct tool t;

	NEEDS("perf.data");
	ASSERT_TRUE(own_code(&code, &id));
	ASSERT_LT(0, readlink("/proc/self/exe", path, sizeof(path) - 1));
	map.name = path;
	map.length = code.size;
	map.offset = code.offset;
	map.id_bytes = id.bytes;
	memcpy(map.id, id.id, id.bytes);
	chain[1] = map.start + (uintptr_t)run_on - own_bias() - code.vaddr + 1;
	perf_made_open(&p, PERF_FILE_SAMPLE | PERF_SAMPLE_CALLCHAIN, PERF_FILE_STATES);
	perf_made_map(&p, &map);
	perf_made_switch(&p, 1000, 0, &a, 1, &b, chain, 2);
	perf_made_waking(&p, 2000, 0, b.tid, &a, 0, NULL, 0);
	perf_made_switch(&p, 3000, 0, &b, 0, &a, NULL, 0);
	EXPECT_EQ(0, run_on(&t, "dump", "--type=module,mmap", &p));
	EXPECT_STREQ("", t.err);
	snprintf(line, sizeof(line), " vaddr=0x%llx\n", (unsigned long long)code.vaddr);
	EXPECT_IN(t.out, line);
	EXPECT_EQ(0, run_on(&t, "symbolize", "--quiet", &p));
	EXPECT_IN(t.err, ": named 1 of 1 addresses");
}

/* The clock is recorded, so that fxt merge knows it. */
TEST(clocks)
{
	static const struct {
		uint32_t clock;
		const char *name;
	} cases[] = {
		{ 0, NULL }, { CLOCK_MONOTONIC, "mono" }, { CLOCK_BOOTTIME, "boot" },
		{ CLOCK_MONOTONIC_RAW, NULL },
	};
	static struct perf_made p;
	char line[32];
	struct tool t;

	NEEDS("perf.data");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		p.clock = cases[i].clock;
		perf_made_open(&p, PERF_FILE_SAMPLE, PERF_FILE_STATES);
		perf_made_switch(&p, 1000, 0, &b, 1, &a, NULL, 0);
		EXPECT_EQ(0, run_on(&t, "info", "-q", &p)) TH_LOG("%s", t.err);
		snprintf(line, sizeof(line), "\nclock       %s\n", cases[i].name ? cases[i].name : "");
		EXPECT_EQ(!cases[i].name, !strstr(t.out, line)) TH_LOG("%s", t.out);
		EXPECT_EQ(!cases[i].name, !strstr(t.out, "\nclock ")) TH_LOG("%s", t.out);
	}
}

/* --- switches without tracepoints --------------------------------------------------------- */

#define ATTR_WORDS	14
#define SWITCHES	(1ULL << 18 | 1ULL << 26)	/* sample_id_all, context_switch */

struct piped {
	uint64_t words[256];
	size_t count;
};

static void put_words(struct piped *p, uint64_t header, size_t count, const uint64_t *words)
{
	p->words[p->count++] = header | (count + 1) * 8 << 48;
	memcpy(p->words + p->count, words, count * sizeof(*words));
	p->count += count;
}

static void begin_pipe(struct piped *p, uint64_t flags, uint64_t sample)
{
	uint64_t attr[ATTR_WORDS] = { (uint64_t)ATTR_WORDS * 8 << 32 | PERF_TYPE_SOFTWARE };

	*p = (struct piped){ .count = 2 };
	memcpy(p->words, "PERFILE2", 8);
	p->words[1] = 16;
	attr[3] = sample;
	attr[5] = flags;
	put_words(p, 64, ATTR_WORDS, attr);
}

#define BOTH(low, high)	((uint64_t)(high) << 32 | (low))

/* Both records of a switch at @time, of one event or of several. */
static void put_switch(struct piped *p, unsigned int events, uint64_t time, unsigned int cpu,
		       unsigned int out, unsigned int in, bool is_preempted)
{
	const uint64_t leaves[] = { BOTH(in, in), BOTH(out, out), time, cpu };
	const uint64_t comes[] = { BOTH(out, out), BOTH(in, in), time + 1, cpu };

	for (unsigned int i = 0; i < events; i++) {
		put_words(p, 15 | (1ULL << 45) | (uint64_t)is_preempted << 46, 4, leaves);
		put_words(p, 15, 4, comes);
	}
}

static void put_comm(struct piped *p, unsigned int id, const char *name)
{
	uint64_t words[] = { BOTH(id, id), 0, BOTH(id, id), 0, 0 };

	strcpy((char *)&words[1], name);
	put_words(p, 3, 5, words);
}

static int run_piped(struct tool *t, const char *verb, const char *option, const struct piped *p)
{
	struct memory m;

	if (memory_open(&m) || write(m.fd, p->words, p->count * 8) != (ssize_t)p->count * 8 ||
	    memory_map(&m) || lseek(m.fd, 0, SEEK_SET) < 0)
		return -1;
	return tool_run_from(t, ARGS(verb, option, "-"), m.fd);
}

/* perf record --switch-events knows who leaves and who comes, and whether it is preempted. */
TEST(switches_without_tracepoints)
{
	static struct piped p;
	struct tool t;

	NEEDS("perf.data");
	begin_pipe(&p, SWITCHES, 2 | 4 | 128);
	put_comm(&p, 12, "a");
	put_switch(&p, 2, 1000, 1, 0, 12, true);
	put_switch(&p, 1, 2000, 1, 12, 13, true);
	put_switch(&p, 2, 3000, 1, 13, 0, false);
	EXPECT_EQ(0, run_piped(&t, "dump", "--type=context_switch", &p)) TH_LOG("%s", t.err);
	EXPECT_IN(t.out, "0.000001000 cpu=1 outgoing_state=preempted outgoing_thread=0 incoming_thread=12 incoming_name=\"a\" { outgoing_weight=-2147483648 incoming_weight=1024 }\n");
	EXPECT_IN(t.out, "0.000002000 cpu=1 outgoing_state=preempted outgoing_thread=12 outgoing_name=\"a\" incoming_thread=13 {");
	EXPECT_IN(t.out, "0.000003000 cpu=1 outgoing_state=blocked outgoing_thread=13 incoming_thread=0 {");
	EXPECT_EQ(0, run_piped(&t, "check", "--strict", &p)) TH_LOG("%s", t.out);
	EXPECT_IN(t.out, "3 switches, 0 wakeups");
}

/* A thread that has ended has the id -1 when it leaves: it is the one that came. */
TEST(switches_of_ended_threads)
{
	/* Only the incoming thread has a record. */
	static const uint64_t comes[] = { BOTH(0, 0), BOTH(14, 14), 4000, 1 };
	static struct piped p;
	struct tool t;

	NEEDS("perf.data");
	begin_pipe(&p, SWITCHES, 2 | 4 | 128);
	put_comm(&p, 12, "a");
	put_switch(&p, 1, 1000, 0, -1, 13, false);
	put_switch(&p, 1, 1000, 1, 0, 12, true);
	put_switch(&p, 2, 2000, 1, -1, 13, false);
	put_switch(&p, 1, 3000, 1, 13, 0, false);
	put_words(&p, 15, 4, comes);
	EXPECT_EQ(0, run_piped(&t, "dump", "--type=context_switch", &p)) TH_LOG("%s", t.err);
	EXPECT_IN(t.out, "0.000004000 cpu=1 outgoing_state=preempted outgoing_thread=0 incoming_thread=14 {");
	EXPECT_IN(t.out, "0.000001000 cpu=0 outgoing_state=preempted outgoing_thread=0 incoming_thread=13 { outgoing_weight=-2147483648 incoming_weight=1024 unknown=\"begin\" }");
	EXPECT_IN(t.out, "0.000002000 cpu=1 outgoing_state=dead outgoing_thread=12 outgoing_name=\"a\" incoming_thread=13 {");
	EXPECT_NOT_IN(t.out, "outgoing_thread=13 incoming_thread=13");
	EXPECT_IN(t.out, "0.000003000 cpu=1 outgoing_state=blocked outgoing_thread=13 incoming_thread=0 {");
}

TEST(recordings_without_switches)
{
	static const struct {
		uint64_t flags;
		unsigned int type;
		const char *message;
	} cases[] = {
		{ 1ULL << 18, 15, "it has neither tracepoints nor switches; record with perf sched record" },
		{ SWITCHES, 14, "its switches are those of single threads" },
	};
	static const uint64_t leaves[] = { BOTH(12, 12), 1000, 0 };
	static struct piped p;
	struct tool t;

	NEEDS("perf.data");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin_pipe(&p, cases[i].flags, 2 | 4 | 128);
		put_comm(&p, 12, "a");
		if (cases[i].type == 14)
			put_words(&p, 14 | 1ULL << 45, 3, leaves);
		EXPECT_EQ(EXIT_UNREADABLE, run_piped(&t, "info", "-q", &p)) TH_LOG("%s", t.out);
		EXPECT_IN(t.err, cases[i].message);
	}
}
