// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * names.c - see names.h.
 *
 * Each CPU has a queue of records in the order of writing, which is the order of their times. The
 * next task is the one with the earliest time at the heads of all queues, but only up to the time
 * before which a CPU with an empty queue can deliver nothing more.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "names.h"

/* The queue of a CPU. */
struct relay_names_cpu {
	__u64 *words;		/* of records and ledgers */
	size_t room;
	size_t begin;		/* the first word not handed out */
	size_t end;
	uint32_t task;		/* words of the task's records at @begin; 0 if unknown */
	uint32_t records;	/* their number */
	__u64 time;		/* ticks of it, or of the last one handed out */
	__u64 lost;		/* records lost before it */
	__u64 lost_told;	/* the part of @lost that @stream.lost includes */
};

int relay_names_open(struct relay_names *n, size_t cpus)
{
	n->cpus = calloc(cpus, sizeof(*n->cpus));
	n->cpu_count = n->cpus ? cpus : 0;
	return n->cpus ? names_stream_open(&n->stream) : -ENOMEM;
}

void relay_names_close(struct relay_names *n)
{
	size_t i;

	for (i = 0; i < n->cpu_count; i++)
		free(n->cpus[i].words);
	free(n->cpus);
	names_stream_close(&n->stream);
}

/* --- what comes in ---------------------------------------------------------------- */

/* Check for whole records: first a ledger; a process record precedes its thread's. */
static bool is_whole(const __u64 *rec, size_t words)
{
	const __u64 *end = rec + words;
	bool is_process, in_task = false;
	struct fxt_ledger l;
	__u64 size;

	if (words < FXT_LEDGER_WORDS || !fxt_sched_get_ledger(rec, &l))
		return false;
	for (rec += FXT_LEDGER_WORDS; rec < end; rec += size) {
		size = fxt_get(FXT_SIZE, rec[0]);
		is_process = fxt_get(FXT_KERNEL_OBJECT_TYPE, rec[0]) == FXT_OBJECT_PROCESS;
		if (size < 2 || size > (__u64)(end - rec) ||
		    size > FXT_SCHED_ATTACH_WORDS ||
		    fxt_get(FXT_TYPE, rec[0]) != FXT_RECORD_KERNEL_OBJECT ||
		    (in_task && is_process))
			return false;
		in_task = is_process;
	}
	return !in_task;
}

static int make_room(struct relay_names_cpu *cpu, size_t words)
{
	size_t used = cpu->end - cpu->begin;
	__u64 *more;

	memmove(cpu->words, cpu->words + cpu->begin, used * FXT_WORD);
	cpu->begin = 0;
	cpu->end = used;
	if (used + words <= cpu->room)
		return 0;
	more = realloc(cpu->words, 2 * (used + words) * FXT_WORD);
	if (!more)
		return -ENOMEM;
	cpu->words = more;
	cpu->room = 2 * (used + words);
	return 0;
}

int relay_names_add(struct relay_names *n, size_t cpu, const __u64 *words, size_t bytes)
{
	struct relay_names_cpu *to = &n->cpus[cpu];
	size_t count = bytes / FXT_WORD;

	if (bytes % FXT_WORD || !is_whole(words, count))
		return -EPROTO;
	if (to->room - to->end < count && make_room(to, count))
		return -ENOMEM;
	memcpy(to->words + to->end, words, bytes);
	to->end += count;
	return 0;
}

/* --- what goes out ---------------------------------------------------------------- */

static bool look(struct relay_names_cpu *cpu)
{
	const __u64 *rec;
	struct fxt_ledger l;
	__u64 size;

	while (!cpu->task && cpu->begin < cpu->end) {
		rec = cpu->words + cpu->begin;
		if (fxt_sched_get_ledger(rec, &l)) {
			cpu->lost = l.lost;
			cpu->begin += FXT_LEDGER_WORDS;
			continue;
		}
		size = fxt_get(FXT_SIZE, rec[0]);
		cpu->records = 1;
		if (fxt_get(FXT_KERNEL_OBJECT_TYPE, rec[0]) == FXT_OBJECT_PROCESS) {
			cpu->task = size;
			cpu->records = 2;
			rec += size;
			size = fxt_get(FXT_SIZE, rec[0]);
		}
		cpu->task += size;
		/* The event comes last, and its last word is its time: fxt_sched_put_task(). */
		if (fxt_get(FXT_ARG_TYPE, rec[size - 2]) == FXT_ARG_UINT64)
			cpu->time = rec[size - 1];
	}
	return cpu->task;
}

static struct relay_names_cpu *earliest(struct relay_names *n)
{
	struct relay_names_cpu *first = NULL;
	size_t i;

	for (i = 0; i < n->cpu_count; i++)
		if (look(&n->cpus[i]) && (!first || n->cpus[i].time < first->time))
			first = &n->cpus[i];
	return first && first->time <= n->until ? first : NULL;
}

static void move(struct names_stream *s, struct relay_names_cpu *cpu)
{
	memcpy(names_stream_at(s, cpu->time), cpu->words + cpu->begin, cpu->task * FXT_WORD);
	names_stream_add(s, cpu->time, cpu->task, cpu->records);
	cpu->begin += cpu->task;
	cpu->task = 0;
}

/* A loss ends the chunk, because only the ledger of the next one can report it. */
bool relay_names_next(struct relay_names *n, struct chunk *c, bool partial)
{
	struct names_stream *s = &n->stream;
	struct relay_names_cpu *cpu;

	names_stream_drop(s);
	while (names_stream_has_room(s) && (cpu = earliest(n))) {
		if (cpu->lost != cpu->lost_told && s->words)
			return names_stream_fetch(s, c, true);
		s->lost += cpu->lost - cpu->lost_told;
		cpu->lost_told = cpu->lost;
		move(s, cpu);
	}
	return names_stream_fetch(s, c, partial);
}
