/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chunks from which counters of CPUs are made, with times in ms since START, and these counters as
 * text: "+20 cpu 1: 3 wait, 200/s" for a counter, "process fxt_sched" and "thread fxt_sched" for
 * the names of its track.
 */
#ifndef SELFTESTS_COUNTERS_FIXTURE_H
#define SELFTESTS_COUNTERS_FIXTURE_H

#include "harness.h"

#include <fxt/fxt_sched.h>

#include "fxt-collect/archive/counters.h"
#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "print_records.h"

#define START		5000000000ULL
#define MS		1000000ULL
#define MOST_WORDS	(1U << 16)
#define NAMES		"process fxt_sched\nthread fxt_sched\n"

struct counted {
	uint64_t time;	/* ticks */
	uint32_t cpu;
	uint64_t waiting;
	uint64_t rate;
};

FIXTURE(counters)
{
	struct counters *c;
	struct fxt_writer *w;
	int fd;
	__u64 *words;		/* the chunk that is being built */
	size_t word_count;
	uint32_t cpu;
	struct counted *counted;	/* all counters in the archive */
	size_t count;
	size_t name_count;
	char *text;
	size_t told;		/* bytes of @text returned so far */
};

#define AT(ms)		(START + (uint64_t)(ms) * MS)

static inline void chunk_of(FIXTURE_DATA(counters) *self, struct fxt_ledger l)
{
	self->cpu = l.stream;
	fxt_sched_put_ledger(self->words, &l);
	self->word_count = FXT_LEDGER_WORDS;
}

/* Add a switch of one CPU; the times are ticks here. */
static inline void add_switch(FIXTURE_DATA(counters) *self, uint64_t time, uint32_t out,
			      uint32_t in, uint32_t state)
{
	self->word_count += fxt_sched_put_switch(self->words + self->word_count, time,
						 self->cpu, out, in, 1024, 1024,
						 (struct fxt_sched_state){ state, 0 });
}

static inline void add_wakeup(FIXTURE_DATA(counters) *self, uint64_t time, uint64_t tid,
			      uint32_t cpu)
{
	self->word_count += fxt_sched_put_wakeup(self->words + self->word_count, time, cpu,
						 tid, 1024, 1);
}

static inline int hand_over(FIXTURE_DATA(counters) *self)
{
	struct chunk chunk = { .data = self->words, .bytes = self->word_count * FXT_WORD };

	return counters_chunk(self->c, &chunk);
}

#define CHUNK(number, ms, ...)	\
	chunk_of(self, (struct fxt_ledger){ .stream = number, .time = AT(ms), __VA_ARGS__ })
#define SWITCH(ms, out, in, state)	\
	add_switch(self, AT(ms), out, in, FXT_THREAD_ ## state)
#define WAKE(ms, tid, cpu)	add_wakeup(self, AT(ms), tid, cpu)
#define HAND_OVER()		ASSERT_EQ(0, hand_over(self))

static inline int tell_statement(FIXTURE_DATA(counters) *self, const char *text)
{
	struct fxt_ledger l = { 0 };
	uint32_t out, in, cpu;
	const char *more;
	char state = 0;
	int ms;

	if (sscanf(text, "%u@%d", &l.stream, &ms) == 2) {
		if (self->word_count && hand_over(self))
			return -1;
		l.time = AT(ms);
		l.kind = strstr(text, "continued") ? FXT_LEDGER_CONTINUED : FXT_LEDGER_HEAD;
		l.sequence = (more = strchr(text, '#')) ? atoi(more + 1) : 0;
		l.lost = (more = strstr(text, "lost ")) ? atoi(more + 5) : 0;
		chunk_of(self, l);
	} else if (sscanf(text, "%d wake %u on %u", &ms, &in, &cpu) == 3) {
		add_wakeup(self, AT(ms), in, cpu);
	} else if (sscanf(text, "%d %u>%u %c", &ms, &out, &in, &state) >= 3) {
		add_switch(self, AT(ms), out, in, state == 'S' ? FXT_THREAD_BLOCKED :
			   state == 'Z' ? FXT_THREAD_DEAD : FXT_THREAD_NEW);
	} else {
		return -1;
	}
	return 0;
}

/*
 * Hand over chunks: "0@1 #2 lost 3; 1 0>11 S; 2 wake 12 on 1": of CPU 0, from 1 ms on, number 2, 3
 * records lost so far; 11 is switched in; 12 is woken for CPU 1. Return: 0 or an error.
 */
static inline int tell(FIXTURE_DATA(counters) *self, const char *text)
{
	char statement[64];
	int ret = 0;

	self->word_count = 0;
	for (; !ret && *text; text += strspn(text, "; ")) {
		snprintf(statement, sizeof(statement), "%.*s", (int)strcspn(text, ";"), text);
		ret = tell_statement(self, statement);
		text += strcspn(text, ";");
	}
	return ret ? ret : hand_over(self);
}

#define TELL(text)		ASSERT_EQ(0, tell(self, text))

static inline int archive_open(FIXTURE_DATA(counters) *self, uint64_t ticks_per_second)
{
	int ret;

	self->fd = memfd_create("counters_test", MFD_CLOEXEC);
	if (self->fd < 0 || fxt_writer_open(&self->w, self->fd))
		return -1;
	ret = fxt_writer_magic(self->w) |
	      fxt_writer_provider(self->w, FXT_SCHED_PROVIDER_ID, FXT_SCHED_PROVIDER_NAME) |
	      fxt_writer_initialization(self->w, ticks_per_second);
#define WRITE_STRING(index, text) ret |= fxt_writer_string(self->w, index, text);
	FXT_SCHED_STRINGS(WRITE_STRING)
#undef WRITE_STRING
	return ret;
}

static inline int reopen(FIXTURE_DATA(counters) *self, uint64_t start, uint64_t ticks_per_second)
{
	counters_close(self->c);
	fxt_writer_close(self->w);
	if (self->w)
		close(self->fd);
	self->w = NULL;
	self->told = 0;
	if (counters_open(&self->c, ticks_per_second))
		return -1;
	counters_restart(self->c, start);
	return archive_open(self, ticks_per_second);
}

static inline bool is_of_cpus(const struct fxt_content *c)
{
	return c->thread.process == FXT_SCHED_KOID_LOSS &&
	       c->thread.thread == FXT_SCHED_KOID_LOSS &&
	       c->category.known == FXT_STR_CATEGORY && c->name.known == FXT_STR_CPU &&
	       c->arg_count == 2 && c->args[0].name.known == FXT_STR_RUNNABLE &&
	       c->args[1].name.known == FXT_STR_SWITCHES &&
	       c->args[0].type == FXT_ARG_UINT32 && c->args[1].type == FXT_ARG_UINT32;
}

static inline void note_counter(FIXTURE_DATA(counters) *self, const struct fxt_content *c, FILE *f)
{
	int64_t ms = (int64_t)(c->time - START) / (int64_t)MS;

	/* The array grows by powers of two. */
	if (!(self->count & (self->count - 1)))
		self->counted = realloc(self->counted,
					(2 * self->count + 1) * sizeof(*self->counted));
	if (!self->counted)
		abort();
	self->counted[self->count++] = (struct counted){
		c->time, c->id, c->args[0].u64, c->args[1].u64,
	};
	if (!is_of_cpus(c))
		fputs("not a CPU's: ", f);
	fprintf(f, "+%" PRId64 " cpu %" PRIu64 ": %" PRIu64 " wait, %" PRIu64 "/s\n", ms,
		c->id, c->args[0].u64, c->args[1].u64);
}

static inline void note_object(FIXTURE_DATA(counters) *self, const struct fxt_content *c, FILE *f)
{
	bool is_thread = c->object_type == FXT_OBJECT_THREAD;

	self->name_count++;
	if (c->object != FXT_SCHED_KOID_LOSS ||
	    (is_thread && (c->arg_count != 1 || c->args[0].u64 != FXT_SCHED_KOID_LOSS ||
			   c->args[0].name.known != FXT_STR_PROCESS)))
		fputs("another ", f);
	fprintf(f, "%s %.*s\n", is_thread ? "thread" : "process", c->name.length, c->name.bytes);
}

static inline void note_record(void *arg, const struct fxt_record *rec,
			       const struct fxt_content *c, FILE *f)
{
	if (rec->kind == FXT_KIND_COUNTER)
		note_counter(arg, c, f);
	else
		note_object(arg, c, f);
}

/* Return: its text; NULL if a strict reader refuses it. */
static inline const char *counters_text(FIXTURE_DATA(counters) *self)
{
	self->count = 0;
	self->name_count = 0;
	self->text = print_records(self->w, self->fd, KIND(COUNTER) | KIND(KERNEL_OBJECT),
				   note_record, self);
	return self->text;
}

/* Call counters_write() up to @until. Return: the text of the records that it added. */
static inline const char *written(FIXTURE_DATA(counters) *self, uint64_t until)
{
	const char *text;

	if (counters_write(self->c, self->w, until))
		return "failed";
	text = counters_text(self);
	if (!text)
		return "unreadable";
	text += self->told;
	self->told += strlen(text);
	return text;
}

#define EXPECT_WRITTEN(ms, lines)	EXPECT_STREQ(lines, written(self, AT(ms)))

FIXTURE_SETUP(counters)
{
	self->words = calloc(MOST_WORDS, sizeof(*self->words));
	ASSERT_NE(NULL, self->words);
	ASSERT_EQ(0, reopen(self, START, 1000000000));
}

FIXTURE_TEARDOWN(counters)
{
	counters_close(self->c);
	fxt_writer_close(self->w);
	close(self->fd);
}

#endif /* SELFTESTS_COUNTERS_FIXTURE_H */
