// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A recording of a simulated machine. A CPU continues with the thread that it switched to. Only
 * sleeping threads are woken, and only threads on a CPU's run queue are switched to. Events that
 * the filter rejects happen, too, but are not written.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "generate.h"
#include "generate_machine.h"

#define ARRAY_LENGTH(a)		(sizeof(a) / sizeof((a)[0]))
#define MAX_CPUS	1024
#define CPU_THREADS	16		/* threads per CPU, alive at a time */
#define PROCESS_THREADS	4		/* per process, at the start */
#define FIRST_TID	1000
#define PID_MAX		(1U << 22)
#define START_NS	5000000000000ULL
#define HAND_OVER_NS	1000000000ULL	/* interval of writing partly filled sub-buffers */
#define BIRTH_RATE	2048		/* blocking switches per exit and fork */
#define NOBODY		0		/* slot 0 is the idle thread of each CPU */

/* xorshift64: the same numbers everywhere. */
static uint64_t draw(struct machine *m)
{
	m->random ^= m->random << 13;
	m->random ^= m->random >> 7;
	m->random ^= m->random << 17;
	return m->random >> 11;
}

/* --- marks of a snapshot ------------------------------------------------------------ */

static int put_mark(struct machine *m, uint16_t name, uint64_t time, unsigned int args)
{
	struct fxt_content c = {
		.kind = FXT_KIND_INSTANT,
		.time = time,
		.thread = { .process = FXT_SCHED_KOID_LOSS, .thread = FXT_SCHED_KOID_LOSS },
		.category.ref = FXT_STR_CATEGORY,
		.name.ref = name,
		.arg_count = args,
		.args = {
			{ { .ref = FXT_STR_THREAD }, FXT_ARG_KOID, { .u64 = m->worst.tid } },
			{ { .ref = FXT_STR_CPU }, FXT_ARG_UINT32, { .u64 = m->worst.cpu } },
			{ { .ref = FXT_STR_LATENCY }, FXT_ARG_UINT64,
			  { .u64 = m->worst.latency } },
		},
	};

	return fxt_writer_record(m->w, &c);
}

static int put_marks(struct machine *m)
{
	uint64_t complete = 0;
	int ret;

	for (unsigned int i = 0; i < m->cpu_count; i++)
		if (m->streams[i].opening.time > complete)
			complete = m->streams[i].opening.time;
	fxt_writer_process(m->w, FXT_SCHED_KOID_LOSS, FXT_SCHED_PROVIDER_NAME);
	fxt_writer_thread(m->w, FXT_SCHED_KOID_LOSS, FXT_SCHED_KOID_LOSS, FXT_STR_PROCESS,
			  FXT_SCHED_PROVIDER_NAME);
	ret = put_mark(m, FXT_STR_TRIGGER, m->worst.time, 3);
	return ret ? ret : put_mark(m, FXT_STR_COMPLETE, complete, 0);
}

/* --- threads ---------------------------------------------------------------------- */

static int32_t some_weight(struct machine *m, uint32_t tid)
{
	static const struct {
		int32_t prio;
		uint32_t load;
	} classes[] = {
		{ 120, 1024 }, { 120, 1024 }, { 120, 1024 }, { 120, 1024 },
		{ 125, 335 }, { 117, 1991 }, { 139, 15 }, { 89, 1024 }, { -1, 1024 },
	};
	uint64_t i = draw(m) % ARRAY_LENGTH(classes);

	return m->wishes->like_for_like ? fxt_sched_no_weight(tid) :
					  fxt_sched_weight(tid, classes[i].prio, classes[i].load);
}

static uint32_t put_task(__u64 *rec, const struct thread *t, __u32 *records)
{
	char text[FXT_SCHED_COMM_SIZE] = "";
	struct fxt_sched_comm comm;

	snprintf(text, sizeof(text), "%s-%u", t->name, t->tid);
	comm = fxt_sched_comm(text);
	return fxt_sched_put_task(rec, t->tid, t->tgid, 1, &comm,
				  (struct fxt_sched_event){ 0 }, records);
}

/* Put a new thread into a slot; it sleeps until it is woken. */
static struct thread *settle(struct machine *m, uint32_t slot, const char *name)
{
	struct thread *t = &m->threads[slot];

	t->tgid = m->next_tid++;
	t->tid = t->tgid;
	t->name = name;
	t->woken = 0;
	t->weight = some_weight(m, t->tid);
	m->sleepers[m->sleeper_count++] = slot;
	return t;
}

static int give_birth(struct machine *m, uint32_t slot)
{
	__u64 rec[FXT_SCHED_TASK_WORDS];
	uint32_t words, records;

	words = put_task(rec, settle(m, slot, "child"), &records);
	return machine_put(m, machine_names(m), rec, words, records);
}

static void settle_all(struct machine *m)
{
	static const char * const names[] = { "worker", "blöck", "io", "日本" };
	struct thread *t, *leader = NULL;

	for (uint32_t slot = 1; slot <= m->cpu_count * CPU_THREADS; slot++) {
		t = settle(m, slot, names[slot / PROCESS_THREADS % 4]);
		if ((slot - 1) % PROCESS_THREADS == 0)
			leader = t;
		t->tgid = leader->tid;
	}
}

static int rundown(struct machine *m)
{
	__u64 rec[FXT_SCHED_TASK_WORDS];
	uint32_t slot, words, records;
	int ret = 0;

	for (slot = 1; slot <= m->cpu_count * CPU_THREADS && !ret; slot++) {
		words = put_task(rec, &m->threads[slot], &records);
		ret = fxt_writer_put(m->w, rec, words * sizeof(*rec));
	}
	return ret;
}

/* --- scheduling ------------------------------------------------------------------- */

static void enqueue(struct machine *m, struct cpu *cpu, uint32_t slot)
{
	m->threads[slot].next = NOBODY;
	if (cpu->head)
		m->threads[cpu->tail].next = slot;
	else
		cpu->head = slot;
	cpu->tail = slot;
}

static uint32_t dequeue(struct machine *m, struct cpu *cpu)
{
	uint32_t slot = cpu->head;

	if (slot)
		cpu->head = m->threads[slot].next;
	return slot;
}

/* Does the filter keep an event on CPU @at, a switch or wakeup, of two threads? */
static bool is_wanted(const struct machine *m, unsigned int at, const struct thread *a,
		      const struct thread *b)
{
	unsigned int cpus = m->wishes->only_cpus, processes = m->wishes->only_processes;
	uint32_t end = FIRST_TID + processes * PROCESS_THREADS;

	return (!cpus || at < cpus) &&
	       (!processes || (a->tid && a->tgid < end) || (b->tid && b->tgid < end));
}

static int wake(struct machine *m, unsigned int at)
{
	uint64_t chosen = draw(m) % m->sleeper_count, luck = draw(m);
	unsigned int to = luck % 4 ? at : luck / 4 % m->cpu_count;
	uint32_t slot = m->sleepers[chosen], words, irq = luck / 64 % 16;
	const struct thread *waker = &m->threads[m->cpus[at].current];
	struct thread *t = &m->threads[slot];
	__u64 rec[FXT_SCHED_WAKEUP_WORDS];

	m->sleepers[chosen] = m->sleepers[--m->sleeper_count];
	/* The waker is an interrupt in one of sixteen wakeups, else the current thread. */
	irq = irq ? FXT_SCHED_IRQ_NONE : FXT_SCHED_IRQ_HARD + luck / 256 % 2;
	words = fxt_sched_put_wakeup(rec, m->now, to, t->tid, t->weight,
				     fxt_sched_waker(waker->tid, irq));
	if (irq)
		waker = &m->threads[0];
	enqueue(m, &m->cpus[to], slot);
	t->woken = m->now;
	return is_wanted(m, to, t, waker) ?
	       machine_put(m, &m->streams[at], rec, words, 1) : 0;
}

static struct fxt_sched_state some_wait(struct machine *m)
{
	static const uint32_t states[] = {
		FXT_LINUX_UNINTERRUPTIBLE,
		FXT_LINUX_UNINTERRUPTIBLE | FXT_LINUX_NOLOAD,
		FXT_LINUX_STOPPED, FXT_LINUX_TRACED, FXT_LINUX_PARKED,
	};
	uint64_t luck = draw(m) % 64;

	/* 0 is an interruptible sleep. */
	return fxt_sched_state(1, luck < 5 ? states[luck] : 0, 0);
}

/* Put the outgoing thread where its state requires. */
static int put_away(struct machine *m, struct cpu *cpu, uint32_t slot, struct fxt_sched_state state)
{
	if (slot == NOBODY)
		return 0;
	if (state.state == FXT_THREAD_NEW)
		enqueue(m, cpu, slot);
	else if (state.state != FXT_THREAD_DEAD)
		m->sleepers[m->sleeper_count++] = slot;
	else
		return give_birth(m, slot);
	return 0;
}

static void note_latency(struct machine *m, unsigned int at, struct thread *t)
{
	uint64_t latency = t->woken ? m->now - t->woken : 0;

	if (m->streams[at].is_kept && latency > m->worst.latency) {
		m->worst.time = m->now;
		m->worst.latency = latency;
		m->worst.tid = t->tid;
		m->worst.cpu = at;
	}
	t->woken = 0;
}

static int reschedule(struct machine *m, unsigned int at)
{
	struct cpu *cpu = &m->cpus[at];
	struct fxt_sched_state state = { FXT_THREAD_NEW, 0 };
	uint32_t slot = cpu->current, words;
	struct thread *out = &m->threads[slot], *in;
	__u64 rec[FXT_SCHED_SWITCH_WORDS];
	int ret = 0;

	if (slot != NOBODY && (!cpu->head || draw(m) % 4))
		state = some_wait(m);
	if (state.state != FXT_THREAD_NEW && m->next_tid < PID_MAX && draw(m) % BIRTH_RATE == 0)
		state = fxt_sched_state(1, FXT_LINUX_DEAD, 0);
	cpu->current = dequeue(m, cpu);
	in = &m->threads[cpu->current];
	words = fxt_sched_put_switch(rec, m->now, at, out->tid, in->tid, out->weight,
				     in->weight, state);
	if (is_wanted(m, at, out, in)) {
		ret = machine_put(m, &m->streams[at], rec, words, 1);
		note_latency(m, at, in);
	}
	return ret ? ret : put_away(m, cpu, slot, state);
}

/* Let one event happen, on a CPU where one is possible. */
static int step(struct machine *m)
{
	unsigned int at;
	bool can_wake = m->sleeper_count, can_switch;

	do {
		at = draw(m) % m->cpu_count;
		can_switch = m->cpus[at].current || m->cpus[at].head;
	} while (!can_wake && !can_switch);
	m->now += 200 + draw(m) % 4000 / m->cpu_count;
	if (can_wake && (!can_switch || draw(m) % 8 < 3))
		return wake(m, at);
	return reschedule(m, at);
}

static int run(struct machine *m, uint64_t records)
{
	int ret = 0;

	m->hand_over = m->now + HAND_OVER_NS;
	while (records-- && !ret) {
		ret = step(m);
		if (m->now < m->hand_over || ret)
			continue;
		ret = machine_flush(m);
		m->hand_over = m->now + HAND_OVER_NS;
	}
	return ret ? ret : machine_flush(m);
}

/* --- the archive ------------------------------------------------------------------ */

/* Large machines have caches of eight CPUs, and nodes of four caches. */
static int put_topology(char *to, size_t room, unsigned int cpus)
{
	static const struct {
		const char *what;
		unsigned int cpus;
	} kinds[] = { { "caches", 8 }, { "nodes", 32 } };
	int n = 0;

	for (unsigned int i = 0; i < ARRAY_LENGTH(kinds) && cpus > kinds[i].cpus; i++) {
		n += snprintf(to + n, room - n, "%s", kinds[i].what);
		for (unsigned int cpu = 0; cpu + kinds[i].cpus <= cpus; cpu += kinds[i].cpus)
			n += snprintf(to + n, room - n, " %u-%u", cpu, cpu + kinds[i].cpus - 1);
		n += snprintf(to + n, room - n, "\n");
	}
	return n;
}

static int write_preamble(struct machine *m)
{
	static const char fixed[] =
		"collector generate 0\nsource kmod\nclock boot\nmoves runnable\n"
		"buffer 65536 x 16\nkernel Linux 6.1.0 made-up\n"
		"host generator\nepoch 1700000000000000000\n";
	const struct generate_wishes *wishes = m->wishes;
	struct fxt_writer *w = m->w;
	char session[4096];
	int n = snprintf(session, sizeof(session), "%s%s%s", fixed, wishes->like_for_like ?
			 "weight none\nwakeups waking\n" : "weight weight\n", !wishes->before ? "" :
			 wishes->snapshot ? "mode flight-recorder\nsnapshot 1\n" : "segment 2\n");

	n += put_topology(session + n, sizeof(session) - n, m->cpu_count);
	if (wishes->only_cpus)
		n += snprintf(session + n, sizeof(session) - n, "filter cpus 0-%u\n",
			      wishes->only_cpus - 1);
	for (unsigned int i = 0; i < wishes->only_processes && i < 16; i++)
		n += snprintf(session + n, sizeof(session) - n, "%s%u%s",
			      i ? "," : "filter pids ", FIRST_TID + i * PROCESS_THREADS,
			      i + 1 == wishes->only_processes ? "\n" : "");
	fxt_writer_magic(w);
	fxt_writer_provider(w, FXT_SCHED_PROVIDER_ID, FXT_SCHED_PROVIDER_NAME);
	fxt_writer_initialization(w, 1000000000);
#define WRITE_STRING(index, text) fxt_writer_string(w, index, text);
	FXT_SCHED_STRINGS(WRITE_STRING)
#undef WRITE_STRING
	return fxt_writer_blob(w, FXT_STR_SESSION, session, strlen(session));
}

static int machine_open(struct machine *m)
{
	size_t slots = m->cpu_count * CPU_THREADS + 1;

	m->cpus = calloc(m->cpu_count, sizeof(*m->cpus));
	m->streams = calloc(m->cpu_count + 1, sizeof(*m->streams));
	m->threads = calloc(slots, sizeof(*m->threads));
	m->sleepers = calloc(slots, sizeof(*m->sleepers));
	if (!m->cpus || !m->streams || !m->threads || !m->sleepers)
		return -ENOMEM;
	m->threads[NOBODY].weight = FXT_SCHED_WEIGHT_IDLE;
	for (unsigned int i = 0; i < m->cpu_count; i++)
		m->streams[i].head.stream = i;
	machine_names(m)->head.stream = FXT_LEDGER_STREAM_NAMES;
	return 0;
}

static void machine_close(struct machine *m)
{
	free(m->cpus);
	free(m->streams);
	free(m->threads);
	free(m->sleepers);
}

/* Streams continue where they are, except those of CPUs in a snapshot. */
static void begin_archive(struct machine *m)
{
	m->is_kept = true;
	for (unsigned int i = m->wishes->snapshot ? m->cpu_count : 0; i <= m->cpu_count; i++)
		machine_keep(&m->streams[i], m->streams[i].subbufs, m->streams[i].last);
}

static int write_archive(struct machine *m)
{
	int ret;

	settle_all(m);
	ret = run(m, m->wishes->before);
	begin_archive(m);
	ret = ret ? ret : write_preamble(m);
	ret = ret ? ret : rundown(m);
	ret = ret ? ret : run(m, m->wishes->records);
	ret = ret ? ret : machine_finish(m);
	return ret || !m->wishes->snapshot ? ret : put_marks(m);
}

int generate_part(int fd, const struct generate_wishes *wishes)
{
	struct machine m = {
		.wishes = wishes, .now = START_NS, .random = 0x9e3779b97f4a7c15ULL,
		.cpu_count = wishes->cpus, .next_tid = FIRST_TID,
	};
	int ret, closed;

	if (!m.cpu_count || m.cpu_count > MAX_CPUS)
		return -EINVAL;
	ret = machine_open(&m);
	ret = ret ? ret : fxt_writer_open(&m.w, fd);
	ret = ret ? ret : write_archive(&m);
	closed = fxt_writer_close(m.w);
	machine_close(&m);
	return ret ? ret : closed;
}

int generate_sched(int fd, uint64_t records, unsigned int cpus)
{
	return generate_part(fd, &(struct generate_wishes){
		.records = records, .cpus = cpus,
	});
}
