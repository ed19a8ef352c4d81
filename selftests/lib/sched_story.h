/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings of a few CPUs, told record by record: an archive in memory as fxt-collect would have
 * written it. Its ledgers are right, unless a test changes the counts below on purpose. Each
 * function returns the byte offset of its (last) record.
 */
#ifndef SELFTESTS_SCHED_STORY_H
#define SELFTESTS_SCHED_STORY_H

#include <string.h>

#include <fxt/fxt_mark.h>

#include "archive_builder.h"

#define STORY_CPUS	4
#define STORY_NAMES	STORY_CPUS	/* the stream of names */
#define STORY_WEIGHT	1024

/* The counts for the next ledger of a stream. */
struct story_stream {
	uint64_t last;
	uint64_t written;
	uint64_t lost;
	uint32_t sequence;
};

struct story {
	struct built b;
	struct story_stream streams[STORY_CPUS + 1];
	struct story_stream *now;
	uint32_t in[STORY_CPUS + 1];	/* the thread switched in last; 0: unknown or idle */
	uint32_t parent;		/* parent of processes named from now on; 0: unknown */
	uint32_t odd;			/* the thread that has @odd_weight; 0: none */
	int32_t odd_weight;
	bool weightless;		/* only idle threads have weights */
};

static inline int32_t story_weight(const struct story *s, uint32_t tid)
{
	if (!tid)
		return FXT_SCHED_WEIGHT_IDLE;
	if (s->weightless)
		return FXT_SCHED_WEIGHT_NONE;
	return tid == s->odd ? s->odd_weight : STORY_WEIGHT;
}

static inline uint32_t story_id(const struct story *s, const struct story_stream *of)
{
	uint32_t n = of - s->streams;

	return n == STORY_NAMES ? FXT_LEDGER_STREAM_NAMES : n;
}

static inline uint64_t story_words(struct story *s, const __u64 *words, uint32_t count)
{
	uint64_t offset = built_bytes(&s->b);

	build_words(&s->b, (const uint64_t *)words, count);
	return offset;
}

static inline void story_begin(struct story *s)
{
	BUILD(&s->b, FXT_MAGIC_RECORD);
	BUILD(&s->b, fxt_provider_info(FXT_SCHED_PROVIDER_ID, strlen(FXT_SCHED_PROVIDER_NAME)));
	BUILD_TEXT(&s->b, FXT_SCHED_PROVIDER_NAME);
	BUILD(&s->b, fxt_initialization(), 1000000000);
#define STORY_STRING(index, text)						\
	BUILD(&s->b, fxt_string(index, strlen(text)));				\
	BUILD_TEXT(&s->b, text);
	FXT_SCHED_STRINGS(STORY_STRING)
#undef STORY_STRING
}

static inline void story_restart(struct story *s)
{
	build_free(&s->b);
	memset(s, 0, sizeof(*s));
	story_begin(s);
}

static inline uint64_t story_ledger(struct story *s, unsigned int stream,
				    uint32_t kind, uint32_t sequence, uint64_t time)
{
	struct story_stream *of = &s->streams[stream];
	struct fxt_ledger l = {
		.stream = story_id(s, of),
		.kind = kind,
		.sequence = sequence,
		.time = time,
		.last = of->last,
		.written = of->written,
		.lost = of->lost,
	};
	__u64 rec[FXT_LEDGER_WORDS];

	s->now = of;
	fxt_sched_put_ledger(rec, &l);
	return story_words(s, rec, FXT_LEDGER_WORDS);
}

/* Begin a sub-buffer, whose first record is at @time. */
static inline uint64_t story_chunk(struct story *s, unsigned int stream, uint64_t time)
{
	return story_ledger(s, stream, FXT_LEDGER_HEAD, s->streams[stream].sequence++, time);
}

static inline uint64_t story_state(struct story *s, uint64_t time, uint32_t cpu,
				   uint32_t out, uint32_t in, struct fxt_sched_state state)
{
	__u64 rec[FXT_SCHED_SWITCH_WORDS];
	uint32_t words = fxt_sched_put_switch(rec, time, cpu, out, in, story_weight(s, out),
					      story_weight(s, in), state);

	if (s->now) {
		s->now->written++;
		s->now->last = time;
		s->in[s->now - s->streams] = in;
	}
	return story_words(s, rec, words);
}

/* A switch on the CPU of the chunk; @state: enum fxt_thread_state of @out. */
static inline uint64_t story_switch(struct story *s, uint64_t time, uint32_t out,
				    uint32_t in, uint32_t state)
{
	return story_state(s, time, story_id(s, s->now), out, in,
			   (struct fxt_sched_state){ state, 0 });
}

static inline uint64_t story_unknown(struct story *s, uint64_t time, uint32_t cpu, uint32_t out,
				     uint32_t in, uint32_t state, uint32_t why)
{
	__u64 rec[FXT_SCHED_SWITCH_WORDS];
	uint32_t words = fxt_sched_put_unknown_switch(rec, time, cpu, out, in,
		out ? STORY_WEIGHT : FXT_SCHED_WEIGHT_IDLE,
		in ? STORY_WEIGHT : FXT_SCHED_WEIGHT_IDLE, state, why);

	return story_words(s, rec, words);
}

/* A mark, which no ledger counts. @kind: FXT_STR_BEGIN, _END, _ONLINE or _OFFLINE. */
static inline uint64_t story_mark(struct story *s, uint64_t time, uint32_t cpu, uint32_t kind,
				  uint32_t thread)
{
	__u64 rec[FXT_SCHED_SWITCH_WORDS];
	uint32_t words = fxt_sched_put_mark(rec, time, cpu, kind, thread,
					    thread ? STORY_WEIGHT : FXT_SCHED_WEIGHT_IDLE);

	return story_words(s, rec, words);
}

/*
 * A switch on the CPU of the chunk, of which a filter keeps only a part: not the state of @out, and
 * not the incoming thread if @in is 0.
 */
static inline uint64_t story_hide(struct story *s, uint64_t time, uint32_t out, uint32_t in)
{
	uint32_t state = out ? FXT_SCHED_STATE_UNKNOWN : FXT_THREAD_NEW;

	s->now->written++;
	s->now->last = time;
	s->in[s->now - s->streams] = in;
	return story_unknown(s, time, story_id(s, s->now), out, in, state, FXT_STR_FILTERED);
}

/* A wakeup by a thread that the filter matches, of a thread that it does not match. */
static inline uint64_t story_wake_hidden(struct story *s, uint64_t time, uint32_t cpu,
					 uint32_t tid, uint32_t waker)
{
	__u64 rec[FXT_SCHED_UNKNOWN_WAKEUP_WORDS];

	fxt_sched_put_unknown_wakeup(rec, time, cpu, tid, waker);
	s->now->written++;
	s->now->last = time;
	return story_words(s, rec, FXT_SCHED_UNKNOWN_WAKEUP_WORDS);
}

/* The description of the session, as lines of a BLOB. */
static inline void story_session(struct story *s, const char *lines)
{
	BUILD(&s->b, fxt_blob(1 + fxt_stream_words(strlen(lines)), FXT_STR_SESSION,
			      strlen(lines), FXT_BLOB_DATA));
	BUILD_TEXT(&s->b, lines);
}

/* @waker: as fxt_sched_waker() returns it: a thread's id, or 0 for none. */
static inline uint64_t story_wake(struct story *s, uint64_t time, uint32_t cpu,
				  uint32_t tid, uint32_t waker)
{
	__u64 rec[FXT_SCHED_WAKEUP_WORDS];
	uint32_t words;

	words = fxt_sched_put_wakeup(rec, time, cpu, tid, story_weight(s, tid), waker);
	if (s->now) {
		s->now->written++;
		s->now->last = time;
	}
	return story_words(s, rec, words);
}

static inline void story_object(struct story *s, uint32_t type, uint32_t koid,
				uint32_t process, const char *name)
{
	uint32_t bytes = strlen(name), words = fxt_stream_words(bytes);
	bool is_thread = type == FXT_OBJECT_THREAD;
	uint32_t args = is_thread + (is_thread && koid == process && s->parent);

	BUILD(&s->b, fxt_kernel_object(2 + words + 2 * args, type,
				       fxt_string_ref_inline(bytes), args), koid);
	BUILD_TEXT(&s->b, name);
	if (args)
		BUILD(&s->b, fxt_arg_koid(2, FXT_STR_PROCESS), process);
	if (args == 2)
		BUILD(&s->b, fxt_arg_koid(2, FXT_STR_PARENT), s->parent);
	s->now->written++;
}

/* Name a thread, and before it its process if the thread is the leader. */
static inline uint64_t story_name(struct story *s, uint32_t tid, uint32_t tgid, const char *name)
{
	uint64_t offset;

	if (tid == tgid)
		story_object(s, FXT_OBJECT_PROCESS, tgid, 0, name);
	offset = built_bytes(&s->b);
	story_object(s, FXT_OBJECT_THREAD, tid, tgid, name);
	return offset;
}

/* Name a thread because of an event at @time: FXT_STR_FORK, FXT_STR_EXEC or FXT_STR_RENAME. */
static inline uint64_t story_event(struct story *s, uint32_t tid, uint32_t tgid,
				   const char *name, uint32_t what, uint64_t time)
{
	uint64_t offset = built_bytes(&s->b);
	__u64 rec[FXT_SCHED_TASK_WORDS];
	struct fxt_sched_comm comm;
	char text[FXT_SCHED_COMM_SIZE] = "";
	__u32 words, records;

	memcpy(text, name, strnlen(name, sizeof(text) - 1));
	comm = fxt_sched_comm(text);
	words = fxt_sched_put_task(rec, tid, tgid, s->parent, &comm,
				   (struct fxt_sched_event){ what, time }, &records);
	s->now->written += records;
	story_words(s, rec, words);
	return offset;
}

static inline uint64_t story_fork(struct story *s, uint32_t tid, uint32_t tgid,
				  const char *name, uint64_t time)
{
	return story_event(s, tid, tgid, name, FXT_STR_FORK, time);
}

enum { STORY_EVENT = 1, STORY_SLICE = 2 };	/* the ways to report a loss */

static inline void story_tell_loss(struct story *s, unsigned int stream, uint64_t from,
				   uint64_t to, uint32_t records, unsigned int ways)
{
	uint32_t id = story_id(s, &s->streams[stream]);

	if (ways & STORY_EVENT)
		BUILD(&s->b, fxt_provider_event(FXT_SCHED_PROVIDER_ID,
						FXT_PROVIDER_EVENT_BUFFER_FULL));
	if (ways & STORY_SLICE)
		BUILD(&s->b, fxt_event(6, FXT_EVENT_DURATION_COMPLETE, 1,
				       FXT_THREAD_REF_INLINE, FXT_STR_CATEGORY, FXT_STR_LOST),
		      from, FXT_SCHED_KOID_LOSS, fxt_sched_loss_koid(id),
		      fxt_arg_uint32(1, FXT_STR_RECORDS, records), to);
}

/* A stream loses records; its next sub-buffer begins at @time. */
static inline uint64_t story_lose(struct story *s, unsigned int stream,
				  uint32_t records, uint64_t time)
{
	struct story_stream *of = &s->streams[stream];

	story_tell_loss(s, stream, of->last, time, records, STORY_EVENT | STORY_SLICE);
	if (s->in[stream])
		story_unknown(s, of->last, story_id(s, of), s->in[stream], 0,
			      FXT_SCHED_STATE_UNKNOWN, FXT_STR_LOST);
	s->in[stream] = 0;
	of->written += records;
	of->lost += records;
	return story_chunk(s, stream, time);
}

/* The names of the track of counters, as the collector writes them. */
static inline void story_counter_names(struct story *s)
{
	uint32_t bytes = strlen(FXT_SCHED_PROVIDER_NAME), words = fxt_stream_words(bytes);

	BUILD(&s->b, fxt_kernel_object(2 + words, FXT_OBJECT_PROCESS,
				       fxt_string_ref_inline(bytes), 0), FXT_SCHED_KOID_LOSS);
	BUILD_TEXT(&s->b, FXT_SCHED_PROVIDER_NAME);
	BUILD(&s->b, fxt_kernel_object(4 + words, FXT_OBJECT_THREAD,
				       fxt_string_ref_inline(bytes), 1), FXT_SCHED_KOID_LOSS);
	BUILD_TEXT(&s->b, FXT_SCHED_PROVIDER_NAME);
	BUILD(&s->b, fxt_arg_koid(2, FXT_STR_PROCESS), FXT_SCHED_KOID_LOSS);
}

static inline void story_counter(struct story *s, uint64_t time, uint64_t cpu,
				 uint32_t waiting, uint32_t rate)
{
	BUILD(&s->b, fxt_event(7, FXT_EVENT_COUNTER, 2, FXT_THREAD_REF_INLINE,
			       FXT_STR_CATEGORY, FXT_STR_CPU),
	      time, FXT_SCHED_KOID_LOSS, FXT_SCHED_KOID_LOSS,
	      fxt_arg_uint32(1, FXT_STR_RUNNABLE, waiting),
	      fxt_arg_uint32(1, FXT_STR_SWITCHES, rate), cpu);
}

/* An instant of the category of fxt-collect: FXT_STR_RENAME, FXT_STR_EXEC. */
static inline void story_instant(struct story *s, uint64_t time, uint32_t tgid,
				 uint32_t tid, uint32_t name)
{
	BUILD(&s->b, fxt_event(4, FXT_EVENT_INSTANT, 0, FXT_THREAD_REF_INLINE,
			       FXT_STR_CATEGORY, name), time, tgid, tid);
}

static inline uint64_t story_end(struct story *s, uint64_t time)
{
	uint64_t offset = 0;

	for (unsigned int i = 0; i <= STORY_CPUS; i++)
		if (s->streams[i].sequence)
			offset = story_ledger(s, i, FXT_LEDGER_CLOSING,
					      s->streams[i].sequence, time);
	s->now = NULL;
	return offset;
}

/* The mark of a triggered snapshot: @thread had waited for @latency, because of @cause. */
static inline uint64_t story_trigger_of(struct story *s, uint16_t cause, uint64_t time,
					uint64_t thread, uint32_t cpu, uint64_t latency)
{
	uint64_t offset = built_bytes(&s->b);

	BUILD(&s->b, fxt_event(9, FXT_EVENT_INSTANT, 3, FXT_THREAD_REF_INLINE,
			       FXT_STR_CATEGORY, FXT_STR_TRIGGER), time,
	      FXT_SCHED_KOID_LOSS, FXT_SCHED_KOID_LOSS, fxt_arg_koid(2, FXT_STR_THREAD), thread,
	      fxt_arg_uint32(1, FXT_STR_CPU, cpu), fxt_arg_uint64(2, cause), latency);
	return offset;
}

static inline uint64_t story_trigger(struct story *s, uint64_t time, uint64_t thread,
				     uint32_t cpu, uint64_t latency)
{
	return story_trigger_of(s, FXT_STR_LATENCY, time, thread, cpu, latency);
}

/* The same, for a wait that was not over at @time. */
static inline uint64_t story_trigger_open_of(struct story *s, uint16_t cause, uint64_t time,
					     uint64_t thread, uint32_t cpu, uint64_t latency)
{
	uint64_t offset = built_bytes(&s->b);

	BUILD(&s->b, fxt_event(10, FXT_EVENT_INSTANT, 4, FXT_THREAD_REF_INLINE,
			       FXT_STR_CATEGORY, FXT_STR_TRIGGER), time,
	      FXT_SCHED_KOID_LOSS, FXT_SCHED_KOID_LOSS, fxt_arg_koid(2, FXT_STR_THREAD), thread,
	      fxt_arg_uint32(1, FXT_STR_CPU, cpu), fxt_arg_uint64(2, cause), latency,
	      fxt_arg_string(1, FXT_STR_UNKNOWN, FXT_STR_END));
	return offset;
}

static inline uint64_t story_trigger_open(struct story *s, uint64_t time, uint64_t thread,
					  uint32_t cpu, uint64_t latency)
{
	return story_trigger_open_of(s, FXT_STR_LATENCY, time, thread, cpu, latency);
}

/*
 * An open wait of @thread for a lock of the @kind (at most 8 characters), which @holder had at
 * @time.
 */
static inline uint64_t story_trigger_lock(struct story *s, uint64_t time, uint64_t thread,
					  uint64_t latency, const char *kind, uint64_t lock,
					  uint64_t holder)
{
	uint64_t offset = built_bytes(&s->b);
	uint64_t word = 0;

	memcpy(&word, kind, strlen(kind));
	BUILD(&s->b, fxt_event(16, FXT_EVENT_INSTANT, 7, FXT_THREAD_REF_INLINE,
			       FXT_STR_CATEGORY, FXT_STR_TRIGGER), time,
	      FXT_SCHED_KOID_LOSS, FXT_SCHED_KOID_LOSS,
	      fxt_arg_koid(2, FXT_STR_THREAD), thread, fxt_arg_uint32(1, FXT_STR_CPU, 0),
	      fxt_arg_uint64(2, FXT_STR_LOCK), latency,
	      fxt_arg_string(1, FXT_STR_UNKNOWN, FXT_STR_END),
	      fxt_arg_string(2, FXT_STR_LOCK_KIND, fxt_string_ref_inline(strlen(kind))), word,
	      fxt_arg_uint64(2, FXT_STR_LOCK_ADDRESS), lock,
	      fxt_arg_koid(2, FXT_STR_HOLDER), holder);
	return offset;
}

/*
 * A story as text: statements with ";" between them. "%" is the next number of the arguments;
 * 5ms and 5us are times. "on CPU" defaults to the CPU of the sub-buffer. Return: the byte offset
 * of the statement that begins with "!", or of the last one.
 *
 *	0@1000			a sub-buffer of stream 0; names@1: of the stream of names
 *	0@1000 11>12 S		and at the same time an event
 *	1000 11>12 S		a switch; 11 sleeps. T: stopped, X: exits, Z: dead, R or nothing:
 *				runnable. hidden: a filter keeps only a part
 *	1500 wake 13 by 12 on 1	by irq, by softirq hitting 11: an interrupt wakes it; hidden: a
 *				filter hides 13
 *	1000 begin 11 on 1	a mark: begin, end, online, offline
 *	1000-2000 softirq 3	a slice; also: irq 5 NAME, timer, idle 2, throttle CGROUP
 *	1000-2000 11/10 calls 3 = 0	of thread 11 of process 10; also: works FUNCTION
 *	1000 11/10 moves 0>1	also: forks 12, exits 0, begins NAME (after a fork), enters /a: moves
 *				to a cgroup without its process; 11/11: with it
 *	1000-2000 11/10 waits 0x10 held 12 mutex	for a lock; "woken 12": for a futex
 *	1000-2000 11/10 reclaims 32 cgroup	pages; also: direct, compaction
 *	1000 queue 3		the length of a run queue
 *	1000 steal 5000		ns that the host had the CPU
 *	1000 queued 11 0x10	a request of a device; then "request 11 0x10 read 512 vda" and
 *				"completed 0x10 vda"
 *	1000 expires 11 FUNCTION	a timer; the thread that sleeps until then, or 0
 *	1000 data tcp 5432 40000	on a socket, with its own port and the other one
 *	1000 seen 11 R on 0	at the beginning, in this state
 *	1000 trigger latency 11 500 on 0	of a snapshot, with the length; also: irq, softirq,
 *				runnable. open: not over then
 *	name 11/10 NAME		name 11 NAME: of a process and its first thread
 *	threads			names@1, and threads 11 to 13 of process 11: "eleven", ...
 *	threads 11-19		names@1, and a process with one thread for each id: "thread11", ...
 *	opening 0 @1000		a ledger; also: closing; 0 #2: its sequence number is 2
 *	session LINES		of the description of the session
 *	process 30 /build/a NAME	in a cgroup; "cgroup 7 0 /build" names one on CPU 0
 *	bound 11 0-1 NAME	to these CPUs
 *	weight 11 1000050	from now on; "weight 0 0": the usual ones
 *	tracks 0		the names of the tracks of CPU 0
 *	repeat 9 3ms { ... }	statements, each time 3 ms later
 *	lose 0 5 @3000		stream 0 loses 5 records; the next sub-buffer begins at 3000.
 *				lose names: the stream of names
 *	end 9000		the closing ledgers
 */
#define STORY(s, text, ...)	story_text(s, text, (const int64_t[]){ 0, ##__VA_ARGS__ } + 1)
uint64_t story_text(struct story *s, const char *text, const int64_t *args);

#endif /* SELFTESTS_SCHED_STORY_H */
