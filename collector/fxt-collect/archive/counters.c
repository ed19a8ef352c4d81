// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * counters.c - see counters.h.
 *
 * Time is divided into slots of COUNTERS_NS. For each slot, only the last known change of each
 * thread and the number of switches of each CPU are kept. When a slot is over on all CPUs, its
 * changes are applied in order of time.
 */
#include <errno.h>
#include <stdlib.h>

#include <fxt/fxt_sched.h>

#include "libfxt/array.h"
#include "libfxt/clock.h"
#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "counters.h"

#define SLOTS_PER_SECOND	(NS_PER_SECOND / COUNTERS_NS)
#define NOWHERE			UINT32_MAX
/* Maximum number of changes kept, 12 MiB; if there are more, their time has no counters. */
#define MOST_CHANGES		(1U << 19)
#define CHANGES_OF_RECORD	3	/* a switch: its count, and two threads */

/* Subjects: threads, then the switches of each CPU, then everything. */
#define SUBJECT_SWITCHES	FXT_SCHED_TID_END
#define SUBJECT_ALL		(SUBJECT_SWITCHES + MAX_CPUS)
#define SUBJECTS		(SUBJECT_ALL + 1)

/* The last known change of a subject in a slot. */
struct change {
	uint64_t time;			/* ticks */
	uint64_t slot;			/* number of a period of time (struct slot) */
	uint32_t subject;		/* what is counted */
	uint32_t value;	/* of a thread, the CPU that it waits for, or NOWHERE; else switches */
};

struct cpu {
	uint32_t waiting;		/* threads that wait for it */
	uint32_t rate;			/* switches per second */
	struct {
		uint32_t waiting;
		uint32_t rate;
	} written;			/* both as last written */
	bool is_written;		/* the archive has values of it */
	bool has_stream;		/* there were chunks of it */
	uint64_t lost;			/* records lost up to the last chunk */
};

struct counters {
	uint64_t slot_ticks;		/* length of a slot */
	uint64_t start;			/* ticks at the beginning of slot 0 */
	uint64_t next;			/* the next slot to write */
	uint64_t skipped;		/* slots before this one are unknown and are not written */
	struct change *changes;		/* of slots from @next on */
	size_t change_count;
	/* By subject: 1 + index of its newest change, or 0. Untouched pages take no memory. */
	uint32_t *latest;
	uint32_t *places;	/* by thread: 1 + the CPU that it waits for, combined with @epoch */
	uint16_t epoch;			/* entries of @places of another epoch wait for no CPU */
	struct cpu cpus[MAX_CPUS];
	uint32_t cpu_end;		/* the largest number in @cpus, plus 1 */
	bool is_named;			/* the archive has a name for the track */
};

#define PLACE_BITS	16

int counters_open(struct counters **c, uint64_t ticks_per_second)
{
	struct counters *new = calloc(1, sizeof(*new));

	*c = new;
	if (!new)
		return -ENOMEM;
	new->slot_ticks = ticks_per_second / SLOTS_PER_SECOND;
	new->latest = calloc(SUBJECTS, sizeof(*new->latest));
	new->places = calloc(FXT_SCHED_TID_END, sizeof(*new->places));
	if (new->slot_ticks && new->latest && new->places)
		return 0;
	counters_close(new);
	*c = NULL;
	return -ENOMEM;
}

void counters_close(struct counters *c)
{
	if (!c)
		return;
	free(c->changes);
	free(c->latest);
	free(c->places);
	free(c);
}

void counters_begin(struct counters *c)
{
	uint32_t i;

	c->is_named = false;
	for (i = 0; i < c->cpu_end; i++)
		c->cpus[i].is_written = false;
}

/* --- who waits ---------------------------------------------------------------------- */

static void forget_all(struct counters *c)
{
	uint32_t i;

	for (i = 0; i < c->cpu_end; i++)
		c->cpus[i].waiting = 0;
	if (++c->epoch)
		return;
	/* The epoch wraps: clear entries of old epochs. */
	for (i = 0; i < FXT_SCHED_TID_END; i++)
		c->places[i] = 0;
}

static void put_thread(struct counters *c, uint32_t tid, uint32_t cpu)
{
	uint32_t place = c->places[tid], before = place & ((1U << PLACE_BITS) - 1);

	if (place >> PLACE_BITS == c->epoch && before)
		c->cpus[before - 1].waiting--;
	if (cpu != NOWHERE)
		c->cpus[cpu].waiting++;
	c->places[tid] = (uint32_t)c->epoch << PLACE_BITS | (cpu == NOWHERE ? 0 : cpu + 1);
}

static void apply(struct counters *c, const struct change *change)
{
	if (change->subject < FXT_SCHED_TID_END)
		put_thread(c, change->subject, change->value);
	else if (change->subject == SUBJECT_ALL)
		forget_all(c);
}

/* --- changes ------------------------------------------------------------------------ */

static void drop_changes(struct counters *c)
{
	size_t i;

	for (i = 0; i < c->change_count; i++)
		c->latest[c->changes[i].subject] = 0;
	c->change_count = 0;
}

void counters_restart(struct counters *c, uint64_t start)
{
	drop_changes(c);
	forget_all(c);
	c->start = start;
	c->next = 0;
	c->skipped = 0;
}

/* If there is no room for the changes of a record, drop all changes and continue after them. */
static void make_room(struct counters *c)
{
	size_t i;

	if (__builtin_expect(c->change_count + CHANGES_OF_RECORD <= MOST_CHANGES, 1))
		return;
	for (i = 0; i < c->change_count; i++)
		if (c->changes[i].slot >= c->next)
			c->next = c->changes[i].slot + 1;
	drop_changes(c);
	forget_all(c);
	c->skipped = c->next;
}

static struct change *add_change(struct counters *c, uint64_t time, uint64_t slot,
				 uint32_t subject)
{
	struct change *more;

	if (array_grow(c->changes, c->change_count))
		return NULL;
	more = &c->changes[c->change_count++];
	c->latest[subject] = c->change_count;
	*more = (struct change){ .time = time, .slot = slot, .subject = subject };
	return more;
}

static inline struct change *find_change(const struct counters *c, uint64_t slot, uint32_t subject)
{
	uint32_t index = c->latest[subject];

	return index && c->changes[index - 1].slot == slot ? &c->changes[index - 1] : NULL;
}

/* From now on, a thread waits for @cpu, or for none (NOWHERE). */
static inline int note_thread(struct counters *c, uint64_t time, uint64_t slot,
			      uint64_t tid, uint32_t cpu)
{
	struct change *change;

	if (!tid || tid >= FXT_SCHED_TID_END)
		return 0;
	change = find_change(c, slot, tid);
	if (!change) {
		change = add_change(c, time, slot, tid);
		if (!change)
			return -ENOMEM;
	} else if (time < change->time) {
		return 0;
	}
	change->time = time;
	change->value = cpu;
	return 0;
}

static inline int note_switch(struct counters *c, uint64_t slot, uint32_t cpu)
{
	struct change *change = find_change(c, slot, SUBJECT_SWITCHES + cpu);

	if (!change)
		change = add_change(c, 0, slot, SUBJECT_SWITCHES + cpu);
	if (!change)
		return -ENOMEM;
	change->value++;
	return 0;
}

/* --- chunks ------------------------------------------------------------------------- */

struct slot {
	uint64_t number;		/* since the recording began, from 0 */
	uint64_t from;			/* ticks at its beginning */
	uint64_t to;			/* ticks at its end */
};

/* A record whose slot was written already counts for the next slot. */
static uint64_t slot_of(const struct counters *c, struct slot *s, uint64_t time)
{
	if (time < s->from || time >= s->to) {
		s->number = time > c->start ? (time - c->start) / c->slot_ticks : 0;
		s->from = c->start + s->number * c->slot_ticks;
		s->to = s->from + c->slot_ticks;
	}
	return s->number > c->next ? s->number : c->next;
}

/* Is it large enough for its kind? Only wakeups can be smaller than switches. */
static bool is_complete(const uint64_t *rec, uint64_t size)
{
	return size >= FXT_SWITCH_BASE_WORDS ||
	       (rec[0] & ~FXT_WAKEUP_CPU) == fxt_thread_wakeup(FXT_WAKEUP_BASE_WORDS, 0, 0);
}

static inline int note_record(struct counters *c, const uint64_t *rec, uint32_t cpu, uint64_t slot)
{
	uint64_t type = fxt_get(FXT_SCHEDULING_TYPE, rec[0]);
	uint32_t to;
	int ret;

	if (type == FXT_SCHEDULING_THREAD_WAKEUP) {
		to = fxt_get(FXT_WAKEUP_CPU, rec[0]);
		if (to >= c->cpu_end && to < MAX_CPUS)
			c->cpu_end = to + 1;
		return to < MAX_CPUS ? note_thread(c, rec[1], slot, rec[2], to) : 0;
	}
	ret = note_switch(c, slot, cpu);
	if (!ret)
		ret = note_thread(c, rec[1], slot, rec[2],
				  fxt_get(FXT_SWITCH_STATE, rec[0]) == FXT_THREAD_NEW ?
				  cpu : NOWHERE);
	ret = ret ? ret : note_thread(c, rec[1], slot, rec[3], NOWHERE);
	return ret;
}

/* After a gap, threads that waited before it may have run. */
static int note_loss(struct counters *c, struct cpu *cpu, const struct fxt_ledger *l,
		     uint64_t slot)
{
	bool is_more = cpu->has_stream && l->lost > cpu->lost;

	if (l->kind != FXT_LEDGER_HEAD)
		return 0;
	cpu->has_stream = true;
	cpu->lost = l->lost;
	return !is_more || add_change(c, l->time, slot, SUBJECT_ALL) ? 0 : -ENOMEM;
}

int counters_chunk(struct counters *c, const struct chunk *chunk)
{
	const uint64_t *rec = chunk->data, *end = rec + chunk->bytes / FXT_WORD;
	struct slot slot = { 0 };
	struct fxt_ledger ledger;
	uint64_t size, at;
	int ret;

	if (chunk->bytes < FXT_LEDGER_WORDS * FXT_WORD ||
	    !fxt_sched_get_ledger(chunk->data, &ledger))
		return -EPROTO;
	if (ledger.stream >= MAX_CPUS)
		return 0;
	if (ledger.stream >= c->cpu_end)
		c->cpu_end = ledger.stream + 1;
	ret = note_loss(c, &c->cpus[ledger.stream], &ledger, slot_of(c, &slot, ledger.time));
	for (rec += FXT_LEDGER_WORDS; rec < end && !ret; rec += size) {
		size = fxt_get(FXT_SIZE, rec[0]);
		if (!is_complete(rec, size) || size > (uint64_t)(end - rec))
			return -EPROTO;
		if (fxt_get(FXT_TYPE, rec[0]) != FXT_RECORD_SCHEDULING)
			continue;
		make_room(c);
		at = slot_of(c, &slot, rec[1]);
		if (slot.number >= c->skipped)
			ret = note_record(c, rec, ledger.stream, at);
	}
	return ret;
}

/* --- writing ------------------------------------------------------------------------ */

/* By slot and time; a change at the time of a gap's end sorts after the gap. */
static int compare_changes(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->slot != y->slot)
		return x->slot < y->slot ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (y->subject == SUBJECT_ALL) - (x->subject == SUBJECT_ALL);
}

static void write_name(struct counters *c, struct fxt_writer *w)
{
	if (c->is_named)
		return;
	fxt_writer_process(w, FXT_SCHED_KOID_LOSS, FXT_SCHED_PROVIDER_NAME);
	fxt_writer_thread(w, FXT_SCHED_KOID_LOSS, FXT_SCHED_KOID_LOSS, FXT_STR_PROCESS,
			  FXT_SCHED_PROVIDER_NAME);
	c->is_named = true;
}

static int write_cpu(struct counters *c, struct fxt_writer *w, uint64_t time, uint32_t number)
{
	const struct cpu *cpu = &c->cpus[number];
	struct fxt_content content = {
		.kind = FXT_KIND_COUNTER,
		.time = time,
		.thread = { .process = FXT_SCHED_KOID_LOSS, .thread = FXT_SCHED_KOID_LOSS },
		.category.ref = FXT_STR_CATEGORY,
		.name.ref = FXT_STR_CPU,
		.id = number,
		.arg_count = 2,
		.args = {
			{ .name.ref = FXT_STR_RUNNABLE, .type = FXT_ARG_UINT32, .u64 = cpu->waiting },
			{ .name.ref = FXT_STR_SWITCHES, .type = FXT_ARG_UINT32, .u64 = cpu->rate },
		},
	};

	write_name(c, w);
	return fxt_writer_record(w, &content);
}

/* Write the waiting threads at the beginning of the slot and its switches, where they changed. */
static int write_slot(struct counters *c, struct fxt_writer *w)
{
	uint64_t time = c->start + c->next * c->slot_ticks;
	struct cpu *cpu;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < c->cpu_end && !ret; i++) {
		cpu = &c->cpus[i];
		if (cpu->is_written ? cpu->waiting == cpu->written.waiting &&
				      cpu->rate == cpu->written.rate :
				      !cpu->has_stream && !cpu->waiting)
			continue;
		ret = write_cpu(c, w, time, i);
		cpu->is_written = true;
		cpu->written.waiting = cpu->waiting;
		cpu->written.rate = cpu->rate;
	}
	return ret;
}

static void set_rates(struct counters *c, const struct change *changes, size_t count)
{
	size_t i;

	for (i = 0; i < c->cpu_end; i++)
		c->cpus[i].rate = 0;
	for (i = 0; i < count; i++)
		if (changes[i].subject >= SUBJECT_SWITCHES && changes[i].subject < SUBJECT_ALL)
			c->cpus[changes[i].subject - SUBJECT_SWITCHES].rate =
				changes[i].value * SLOTS_PER_SECOND;
}

/* The number of leading changes that belong to this slot. */
static size_t count_slot(const struct change *changes, size_t count, uint64_t slot)
{
	size_t n = 0;

	while (n < count && changes[n].slot == slot)
		n++;
	return n;
}

/* Remove the changes before @done, which were applied. */
static void keep_from(struct counters *c, size_t done)
{
	size_t i;

	for (i = 0; i < c->change_count; i++)
		c->latest[c->changes[i].subject] = 0;
	c->change_count -= done;
	for (i = 0; i < c->change_count; i++) {
		c->changes[i] = c->changes[done + i];
		c->latest[c->changes[i].subject] = i + 1;
	}
}

void counters_since(struct counters *c, uint64_t since)
{
	struct slot slot = { 0 };
	size_t i;

	forget_all(c);
	c->next = slot_of(c, &slot, since) + 1;
	qsort(c->changes, c->change_count, sizeof(*c->changes), compare_changes);
	for (i = 0; i < c->change_count && c->changes[i].slot < c->next; i++)
		if (c->changes[i].time >= since)
			apply(c, &c->changes[i]);
	keep_from(c, i);
}

int counters_write(struct counters *c, struct fxt_writer *w, uint64_t until)
{
	uint64_t slots = until > c->start ? (until - c->start) / c->slot_ticks : 0;
	size_t done = 0, n, i;
	int ret = 0;

	if (slots <= c->next)
		return 0;
	qsort(c->changes, c->change_count, sizeof(*c->changes), compare_changes);
	while (c->next < slots && !ret) {
		n = count_slot(c->changes + done, c->change_count - done, c->next);
		set_rates(c, c->changes + done, n);
		ret = write_slot(c, w);
		for (i = 0; i < n; i++)
			apply(c, &c->changes[done + i]);
		done += n;
		c->next++;
		/* After an empty slot, all following slots without changes are equal. */
		if (!n)
			c->next = done < c->change_count && c->changes[done].slot < slots ?
				  c->changes[done].slot : slots;
	}
	keep_from(c, done);
	return ret;
}
