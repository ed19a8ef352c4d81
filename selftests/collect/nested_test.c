// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * BPF programs that interrupt each other while they write, in user space: bpf/nested.bpf.h and
 * bpf/fast.bpf.h as the programs have them, with functions of this file in place of the kernel's.
 * At each of these functions and at each barrier an interrupt may come: one or two, at every place,
 * or many at random places. Times in the ring never go back; each record is in it once, or counts
 * as lost; no record is lost if there are few interrupts; at the end no program writes, and the
 * queues are empty.
 */
#include "harness.h"

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "fxt/fxt_sched.h"
#include "fxt/fxt_sched_custom.h"

#define SUBBUFS		64U
#define SUBBUF_WORDS	512U
#define RECORD_WORDS	40U	/* a queue holds 12 */
#define RECORDS_MOST	4096U
#define NEVER		~0U
#define RANDOM_RUNS	20000U

/* --- the kernel, as far as the programs need it -------------------------------------- */

static void point(void);
static void *find_element(void *map, const void *key);
static __u64 read_clock(void);
static long copy(void *to, __u32 bytes, const void *from);
static long notify(void);

#undef barrier
#define barrier()		do { asm volatile("" ::: "memory"); point(); } while (0)
#define bpf_map_lookup_elem	find_element
#define bpf_probe_read_kernel	copy
#define bpf_ringbuf_output(ring, data, bytes, flags)	((void)(data), notify())

/* In place of bpf/cpu.bpf.h. */
#define BPF_CPU_BPF_H
#define clock_now		read_clock
#define clock_now_inline	read_clock

/* Interrupts cannot be masked. */
#define mask_save(flags)	((void)(flags))
#define mask_restore(flags)	((void)(flags))

static void *rings_first(void);
#define this_cpu()		0U
#define rings_index(cpu)	(cpu)
#define rings_fast()		(subbuf_limit - FXT_SCHED_CUSTOM_WORDS)
static __u64 memory[SUBBUFS][SUBBUF_WORDS];
#define rings_subbufs()		SUBBUFS
#define rings_subbuf(index)	((void *)memory[index])
#define PATCHED(mark)		1	/* programs that write can be interrupted */

/* Make the constants writable that user space sets before loading. */
#define const
#include "bpf/fast.bpf.h"
#include "bpf/nested.bpf.h"
#undef const

/** enum context - what runs; also what interrupts it */
enum context {
	THREAD,
	SOFT,
	HARD,			/* nothing interrupts it, and its program knows that */
	HARD_NESTED,		/* nothing interrupts it, but its program does not know */
	CONTEXTS,
};

static struct fxt_ring cpu;
static struct fxt_deferred queues[FXT_DEFERRED_LEVELS];

static void *rings_first(void)
{
	return &cpu;
}

static void *find_element(void *map, const void *key)
{
	__u32 index;

	memcpy(&index, key, sizeof(index));
	point();
	return map == &subbufs ? (void *)memory[index] : &queues[index];
}

static long copy(void *to, __u32 bytes, const void *from)
{
	point();
	memcpy(to, from, bytes);
	point();
	return 0;
}

/* The doorbell interrupts the CPU. */
static long notify(void)
{
	point();
	return 0;
}

struct run {
	unsigned int at[2];	/* steps at which the planned interrupts come */
	enum context which[2];	/* contexts of these interrupts */
	unsigned int chance;	/* chance, of 256, that another interrupt comes at a step */
	unsigned int steps;	/* number of places so far at which an interrupt could come */
	enum context context;	/* what runs now */
	__u64 now;	/* the clock */
	unsigned int written;	/* programs that wanted to write a record */
	unsigned int parity;	/* programs with even (0) or odd (1) numbers try the fast path */
	unsigned int fast;	/* records written by the fast path */
	/* the step at which user space ends the recording and interrupts the CPU; 0: never */
	unsigned int end;
	unsigned int refused;	/* programs that wrote nothing, because the recording had ended */
	__u32 busy;	/* fxt_ring.writing at @end: user space has to wait for a writer */
	__u64 before;	/* records in the ring at @end */
	__u64 queued;	/* records in the queues at @end */
};

static struct run run;

/* A clock that is safe in interrupts may step back a little. */
static __u64 read_clock(void)
{
	__u64 time;

	point();
	run.now += 10;
	time = run.chance && !(rand() & 7) ? run.now - 15 : run.now;
	point();
	return time;
}

static void put_record(__u64 *rec, __u64 time, unsigned int id)
{
	point();
	rec[0] = fxt_event(RECORD_WORDS, FXT_EVENT_INSTANT, 0, 0, 0, 0);
	rec[1] = time;
	rec[2] = id;
	point();
}

/* Write a record as on_softirq_leave() does. Return: false if the slow path has to write it. */
static bool write_fast(unsigned int id)
{
	struct place at = { .ring = &cpu };
	struct fast_slice slice;
	__u64 *rec;

	if (!fast_nested_begin(&slice, &cpu))
		return false;
	if (fast_slice_has_room(&slice, &cpu) && fast_slice_is_in_order(&slice, &cpu, 0)) {
		put_record(slice.rec, slice.end, id);
		fast_slice_commit(&slice, &cpu, RECORD_WORDS);
		run.fast++;
	} else {
		at.now = slice.end;
		rec = ring_reserve(&at, FXT_RING_EVENTS);
		if (rec) {
			put_record(rec, at.time, id);
			ring_commit(&at, RECORD_WORDS);
		}
	}
	fast_nested_end(&cpu, 0);
	return true;
}

static void write_slow(unsigned int id, bool nested)
{
	unsigned long flags;
	struct place at;
	__u64 *rec;

	ring_find(&at);
	if (!is_recording() || (nested ? nested_begin(&at, &flags) : ring_begin(&at, 0))) {
		run.refused++;
		return;
	}
	rec = ring_reserve(&at, FXT_RING_EVENTS);
	if (rec) {
		put_record(rec, at.time, id);
		ring_commit(&at, RECORD_WORDS);
	}
	if (nested)
		nested_end(&at, &flags);
}

/* Every second program that can be interrupted tries the fast path first. */
static void write_record(enum context context)
{
	enum context outer = run.context;
	unsigned int id = run.written++;

	run.context = context;
	if (context == HARD || id % 2 != run.parity || !write_fast(id))
		write_slow(id, context != HARD);
	run.context = outer;
}

static __u64 left(void);

/* User space ends the recording, and looks at this CPU in an interrupt. */
static void end_recording(void)
{
	recording = 0;
	run.busy = cpu.writing;
	run.before = cpu.counts[FXT_RING_EVENTS];
	run.queued = left();
}

static void point(void)
{
	unsigned int step, i;

	if (run.context >= HARD)
		return;
	step = run.steps++;
	if (run.end && step == run.end)
		end_recording();
	for (i = 0; i < 2; i++)
		if (step == run.at[i] && run.which[i] > run.context)
			write_record(run.which[i]);
	if (run.written < RECORDS_MOST / 2 && (unsigned int)(rand() & 0xff) < run.chance)
		write_record(run.context + 1 + rand() % (CONTEXTS - 1 - run.context));
}

/* --- what they wrote ----------------------------------------------------------------- */

struct found {
	unsigned int records;
	unsigned int twice;
	unsigned int late;
};

static void read_words(const __u64 *words, size_t count, __u64 *last, struct found *f)
{
	static unsigned char seen[RECORDS_MOST];

	if (!f->records)
		memset(seen, 0, sizeof(seen));
	for (size_t i = FXT_LEDGER_WORDS; i < count; i += RECORD_WORDS) {
		f->records++;
		f->late += words[i + 1] < *last;
		f->twice += seen[words[i + 2]]++ > 0;
		*last = words[i + 1];
	}
}

static struct found read_ring(void)
{
	__u32 complete = cpu.head >> FXT_RING_SEQUENCE_SHIFT, i;
	struct found f = { 0 };
	__u64 last = 0;

	for (i = 0; i < complete; i++)
		read_words(memory[i], memory[i][SUBBUF_WORDS - FXT_RING_FOOTER_USED], &last, &f);
	read_words(memory[i], cpu.head & FXT_RING_WORDS_MASK, &last, &f);
	return f;
}

/* Return: the number of records in the queues, which user space counts as lost. */
static __u64 left(void)
{
	__u64 sum = 0;

	for (unsigned int i = 0; i < FXT_DEFERRED_LEVELS * 2; i++)
		sum += queues[i / 2].halves[i % 2].counts[FXT_RING_EVENTS];
	return sum;
}

/* Run two programs of threads, and between them one that nothing interrupts. */
static void run_programs(struct run plan)
{
	run = plan;
	memset(&cpu, 0, sizeof(cpu));
	memset(queues, 0, sizeof(queues));
	recording = 1;
	write_record(THREAD);
	write_record(HARD);
	write_record(THREAD);
	/* As in an interrupt, nothing may interrupt what comes after the last program. */
	run.context = HARD;
}

FIXTURE(nested) {
	struct found f;
};

FIXTURE_SETUP(nested)
{
	interruptible = 1;
	fast_nested = 1;
	recording = 1;
	subbuf_words = SUBBUF_WORDS;
	subbuf_limit = SUBBUF_WORDS - FXT_RING_FOOTER_WORDS - FXT_SCHED_CUSTOM_WORDS;
	deferred_limit = FXT_DEFERRED_WORDS - FXT_SCHED_CUSTOM_WORDS;
	subbuf_count = SUBBUFS;
}

FIXTURE_TEARDOWN(nested) { }

#define CHECK() do {								\
	self->f = read_ring();							\
	ASSERT_EQ(0U, self->f.late);						\
	ASSERT_EQ(0U, self->f.twice);						\
	ASSERT_EQ(0U, cpu.writing);						\
	ASSERT_EQ(run.written - run.refused, cpu.counts[FXT_RING_EVENTS] + left()); \
	ASSERT_EQ(self->f.records,						\
		  cpu.counts[FXT_RING_EVENTS] - cpu.counts[FXT_RING_LOST]);	\
} while (0)

/* Interrupts of each kind at each pair of places, also one that interrupts the other. */
TEST_F_TIMEOUT(nested, two_interrupts, 300)
{
	unsigned int i, j, k, steps, all = 0;
	struct run plan;

	for (i = 0, steps = 1; i < steps; i++) {
		for (k = 0; k < 18; k++) {
			for (j = i, steps = i + 1; j < steps; j++) {
				plan = (struct run){
					.at = { i, j + 1 },
					.which = { SOFT + k / 3 % 3, SOFT + k % 3 },
					.parity = k / 9,
				};
				run_programs(plan);
				steps = run.steps;
				CHECK();
				ASSERT_EQ(0U, cpu.counts[FXT_RING_LOST]);
				ASSERT_EQ(0U, left());
				all += run.written == 5;
			}
		}
	}
	EXPECT_LT(1000U, all);
}

/*
 * The recording ends at each place, and an interrupt comes at each other place. A program that is
 * not marked as a writer by then writes nothing.
 */
TEST_F_TIMEOUT(nested, end_of_the_recording, 300)
{
	unsigned int i, k, end, steps, late = 0, refused = 0;
	struct run plan;

	for (i = 0, steps = 1; i < steps; i++) {
		for (k = 0; k < 6; k++) {
			for (end = 1, steps = i + 2; end < steps; end++) {
				plan = (struct run){
					.at = { i, NEVER }, .which = { SOFT + k % 3 },
					.parity = k / 3, .end = end,
				};
				run_programs(plan);
				steps = run.steps;
				CHECK();
				refused += run.refused;
				late += run.before + run.queued !=
					cpu.counts[FXT_RING_EVENTS] + left();
				if (!run.busy && !recording)
					ASSERT_EQ(run.before + run.queued,
						  cpu.counts[FXT_RING_EVENTS] + left());
			}
		}
	}
	EXPECT_LT(0U, refused);
	EXPECT_LT(0U, late);
}

/* So many interrupts that queues overflow, and that some are not empty when a program leaves. */
TEST_F_TIMEOUT(nested, many_interrupts, 300)
{
	unsigned int i, lost = 0, stale = 0, fast = 0;
	struct run plan = { .at = { NEVER, NEVER } };

	srand(1);
	for (i = 0; i < RANDOM_RUNS; i++) {
		plan.chance = 1 + i % 40;
		plan.parity = i / 40 % 2;
		run_programs(plan);
		CHECK();
		lost += cpu.counts[FXT_RING_LOST];
		stale += left();
		fast += run.fast;
	}
	EXPECT_LT(0U, lost);
	EXPECT_LT(0U, stale);
	EXPECT_LT(RANDOM_RUNS / 4, fast);
}
