/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupts, idle states and other events of the kernel in a story. Each function writes an event
 * into the current chunk, as a producer does: a slice when it ends. It returns the byte offset of
 * the record.
 */
#ifndef SELFTESTS_EVENT_STORY_H
#define SELFTESTS_EVENT_STORY_H

#include <stdio.h>

#include <fxt/fxt_sched_custom.h>
#include <fxt/fxt_lock.h>
#include <fxt/fxt_sched_load.h>
#include <fxt/fxt_sched_memory.h>
#include <fxt/fxt_sched_net.h>
#include <fxt/fxt_sched_timer.h>

#include "sched_story.h"

#define MS	1000000ULL

static inline uint64_t event_add(struct story *s, const __u64 *rec, uint32_t words, uint64_t end)
{
	if (s->now) {
		s->now->written++;
		s->now->last = end;
	}
	return story_words(s, rec, words);
}

static inline struct fxt_sched_label event_label(const char *text)
{
	struct fxt_sched_label label = { .bytes = strlen(text) };

	memcpy(label.words, text, label.bytes);
	return label;
}

/* An instant of a tracepoint that the user chose; its strings are inline. */
static inline uint64_t event_custom(struct story *s, uint64_t time, uint32_t tid, uint32_t tgid,
				    const char *name)
{
	struct fxt_sched_label label = event_label(name);
	__u64 rec[FXT_SCHED_EVENT_WORDS] = { 0 };
	uint32_t words = FXT_SCHED_EVENT_HEAD + 1 + fxt_stream_words(label.bytes);

	fxt_sched_put_event_head(rec, fxt_event(words, FXT_EVENT_INSTANT, 0, FXT_THREAD_REF_INLINE,
						fxt_string_ref_inline(2),
						fxt_string_ref_inline(label.bytes)),
				 time, tgid, tid);
	memcpy(&rec[FXT_SCHED_EVENT_HEAD], FXT_SCHED_CUSTOM_CATEGORY, 2);
	memcpy(&rec[FXT_SCHED_EVENT_HEAD + 1], label.words, label.bytes);
	return event_add(s, rec, words, time);
}

/* A stack: of the thread that the previous switch switches in, or of the waker of @tid. */
static inline uint64_t event_stack(struct story *s, uint64_t time, uint32_t tid, uint32_t tgid,
				   const uint64_t *frames, uint32_t count)
{
	__u64 rec[FXT_SCHED_STACK_WORDS];

	memcpy(rec + FXT_SCHED_STACK_HEAD, frames, count * sizeof(*frames));
	return event_add(s, rec, fxt_sched_put_stack(rec, time, tid, tgid, count), time);
}

/* The stack of a thread that sleeps, and has fired the trigger. */
static inline uint64_t event_asleep(struct story *s, uint64_t time, uint32_t tid, uint32_t tgid,
				    const uint64_t *frames, uint32_t count)
{
	__u64 rec[FXT_SCHED_STACK_WORDS];

	memcpy(rec + FXT_SCHED_STACK_HEAD, frames, count * sizeof(*frames));
	return event_add(s, rec, fxt_sched_put_asleep(rec, time, tid, tgid, count, 0), time);
}

/* A sample of a thread that runs, at 1000 samples per second. */
static inline uint64_t event_sample(struct story *s, uint64_t time, uint32_t tid, uint32_t tgid,
				    const uint64_t *frames, uint32_t count)
{
	__u64 rec[FXT_SCHED_STACK_WORDS];

	memcpy(rec + FXT_SCHED_STACK_HEAD, frames, count * sizeof(*frames));
	return event_add(s, rec, fxt_sched_put_sample(rec, time, tid, tgid, count, 0,
						      fxt_sched_sample_period(1000)), time);
}

static inline void event_symbols(struct story *s, const char *lines)
{
	BUILD(&s->b, fxt_blob(1 + fxt_stream_words(strlen(lines)), FXT_STR_SYMBOLS,
			      strlen(lines), FXT_BLOB_DATA));
	BUILD_TEXT(&s->b, lines);
}

/* Packets for Perfetto; what is in them does not matter here. */
static inline void event_samples(struct story *s)
{
	BUILD(&s->b, fxt_blob(2, FXT_STR_SAMPLES, FXT_WORD, FXT_BLOB_PERFETTO), 0);
}

/* A file, or a module of the kernel (process 0), and its mapping. */
static inline uint64_t event_module(struct story *s, uint64_t time, uint32_t tgid, uint16_t id,
				    const char *name, uint64_t start, uint64_t range)
{
	uint64_t offset = built_bytes(&s->b), build_id = 0x0807060504030201;

	BUILD(&s->b, fxt_profiler_module(5 + fxt_stream_words(strlen(name)),
					 FXT_THREAD_REF_INLINE, id, strlen(name), FXT_WORD),
	      time, tgid, 0);
	BUILD_TEXT(&s->b, name);
	build_stream(&s->b, &build_id, sizeof(build_id));
	BUILD(&s->b, fxt_profiler_mmap(7, FXT_THREAD_REF_INLINE, id, 5), time, tgid, 0, start, range,
	      0);
	return offset;
}

static inline uint64_t event_irq(struct story *s, uint64_t begin, uint64_t end, uint32_t irq,
				 const char *name)
{
	struct fxt_sched_label label = event_label(name);
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_irq(rec, begin, end, story_id(s, s->now), irq,
						   &label), end);
}

/* An interrupt of the CPU: @name is FXT_STR_VECTOR_*. */
static inline uint64_t event_vector(struct story *s, uint64_t begin, uint64_t end, uint32_t name)
{
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_cpu_slice(rec, begin, end, FXT_SCHED_KOID_IRQ,
							 story_id(s, s->now), FXT_STR_IRQ, name),
			 end);
}

enum { EVENT_TIMER = 1, EVENT_NET_RX = 3, EVENT_BLOCK = 4 };	/* vectors of soft interrupts */

static inline uint64_t event_softirq(struct story *s, uint64_t begin, uint64_t end, uint32_t vector)
{
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_cpu_slice(rec, begin, end, FXT_SCHED_KOID_SOFTIRQ,
							 story_id(s, s->now), FXT_STR_SOFTIRQ,
							 FXT_STR_SOFTIRQ_FIRST + vector), end);
}

static inline uint64_t event_idle(struct story *s, uint64_t begin, uint64_t end, uint32_t state)
{
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_idle(rec, begin, end, story_id(s, s->now), state),
			 end);
}

static inline uint64_t event_idle_miss(struct story *s, uint64_t time, uint32_t state,
				       uint32_t below)
{
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_idle_miss(rec, time, story_id(s, s->now), state,
							 below), time);
}

static inline uint64_t event_migrate(struct story *s, uint64_t time, uint32_t tid, uint32_t tgid,
				     uint32_t from, uint32_t to)
{
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_migrate(rec, time, tid, tgid, from, to), time);
}

/* @max_khz: the upper limit, where @khz is the lower one; 0 for a frequency. */
static inline uint64_t event_frequency(struct story *s, uint64_t time, uint32_t cpu,
				       uint32_t khz, uint32_t max_khz)
{
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_frequency(rec, time, cpu, khz, max_khz), time);
}

static inline uint64_t event_work(struct story *s, uint64_t begin, uint64_t end, uint32_t tid,
				  uint32_t tgid, const char *function)
{
	struct fxt_sched_label label = event_label(function);
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_work(rec, begin, end, tid, tgid, &label), end);
}

/* @holder: 0: unknown */
static inline uint64_t event_lock(struct story *s, uint64_t begin, uint64_t end, uint32_t tid,
				  uint32_t tgid, uint32_t kind, uint64_t lock, uint32_t holder)
{
	struct fxt_lock_wait w = { .lock = lock, .kind = kind, .holder = holder };
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_lock(rec, begin, end, tid, tgid, &w), end);
}

/* A sleep for a futex. @holder, @waker: 0: unknown */
static inline uint64_t event_futex(struct story *s, uint64_t begin, uint64_t end, uint32_t tid,
				   uint32_t tgid, uint64_t futex, uint32_t holder, uint32_t waker)
{
	struct fxt_lock_wait w = {
		.lock = futex, .kind = FXT_LOCK_FUTEX, .holder = holder, .waker = waker,
	};
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_lock(rec, begin, end, tid, tgid, &w), end);
}

/* @name: as of fxt_sched_put_memory(), like @pages */
static inline uint64_t event_memory(struct story *s, uint64_t begin, uint64_t end, uint32_t tid,
				    uint32_t tgid, uint32_t name, uint64_t pages)
{
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_memory(rec, begin, end, tid, tgid, name, pages),
			 end);
}

/* The number of a system call, to which a story gives a name; story_restart() forgets the name. */
enum { EVENT_READ = 3 };

static inline void event_syscall_name(struct story *s, uint32_t nr, const char *name)
{
	build_string(&s->b, FXT_STR_SYSCALL_FIRST + nr, name);
}

static inline uint64_t event_syscall(struct story *s, uint64_t begin, uint64_t end, uint32_t tid,
				     uint32_t tgid, uint32_t nr, int64_t ret)
{
	bool is_native = nr <= FXT_STR_SYSCALL_LAST - FXT_STR_SYSCALL_FIRST;
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_syscall(rec, begin, end, tid, tgid, nr, is_native,
						       ret), end);
}

static inline uint64_t event_fork(struct story *s, uint64_t time, uint32_t tid, uint32_t tgid,
				  uint32_t child)
{
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_fork(rec, time, tid, tgid, child), time);
}

/* @status: as wait(2) returns it. */
static inline uint64_t event_exit(struct story *s, uint64_t time, uint32_t tid, uint32_t tgid,
				  uint32_t status)
{
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_exit(rec, time, tid, tgid, status), time);
}

static inline uint64_t event_priority(struct story *s, uint64_t time, uint32_t tid,
				      uint32_t tgid, int32_t from, int32_t to)
{
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_priority(rec, time, tid, tgid, from, to), time);
}

/* @target: the thread that gets it; @result: as for fxt_sched_put_signal() */
static inline uint64_t event_signal(struct story *s, uint64_t time, uint32_t tid, uint32_t tgid,
				    uint32_t signal, uint32_t target, uint32_t result, bool irq)
{
	__u64 rec[FXT_SCHED_SIGNAL_WORDS];

	return event_add(s, rec, fxt_sched_put_signal(rec, time, tid, tgid, signal, target,
						      result, irq), time);
}

/* A request of a block device goes into a queue, to the driver, and ends. */
static inline uint64_t event_queued(struct story *s, uint64_t time, uint32_t tid, uint64_t id)
{
	__u64 rec[FXT_SCHED_QUEUED_WORDS];

	return event_add(s, rec, fxt_sched_put_queued(rec, time, tid, tid, id), time);
}

static inline uint64_t event_request(struct story *s, uint64_t time, uint32_t tid, uint64_t id,
				     const char *device, uint32_t op, uint32_t bytes)
{
	const struct fxt_sched_request r = {
		.id = id, .sector = 8, .tid = tid, .bytes = bytes,
		.operation = fxt_sched_operation(op, 0), .device = fxt_sched_device(259, 300),
	};
	struct fxt_sched_label label = event_label(device);
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_request(rec, time, story_id(s, s->now), &r, &label),
			 time);
}

/* A timer expires; @tid: sleeps until then, or 0. */
static inline uint64_t event_timer(struct story *s, uint64_t time, const char *function, uint32_t tid)
{
	struct fxt_sched_label label = event_label(function);
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_timer(rec, time, story_id(s, s->now), &label, tid),
			 time);
}

static inline uint64_t event_data(struct story *s, uint64_t time, const struct fxt_sched_socket *of)
{
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_data(rec, time, story_id(s, s->now), of), time);
}

static inline uint64_t event_completion(struct story *s, uint64_t time, uint64_t id,
					const char *device, uint32_t result)
{
	struct fxt_sched_label label = event_label(device);
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_completion(rec, time, story_id(s, s->now), id,
							  result, &label), time);
}

static inline uint64_t event_delivery(struct story *s, uint64_t time, uint32_t tid,
				      uint32_t tgid, uint32_t signal, bool handled)
{
	__u64 rec[FXT_SCHED_DELIVERY_WORDS];

	return event_add(s, rec, fxt_sched_put_delivery(rec, time, tid, tgid, signal, 0,
							handled), time);
}

/* @function: function to call; NULL: the CPU has to schedule, or do irq work. */
static inline uint64_t event_ipi(struct story *s, uint64_t time, uint32_t tid, uint32_t tgid,
				 uint32_t cpu, const char *function)
{
	struct fxt_sched_label label = event_label(function ? function : "");
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_ipi(rec, time, tid, tgid, cpu,
						   function ? &label : NULL), time);
}

static inline uint64_t event_ipi_mask(struct story *s, uint64_t time, uint32_t tid,
				      uint32_t tgid, uint32_t targets, uint64_t mask,
				      const char *function)
{
	struct fxt_sched_label label = event_label(function ? function : "");
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_ipi_mask(rec, time, tid, tgid, targets, mask,
							function ? &label : NULL), time);
}

static inline uint64_t event_throttle(struct story *s, uint64_t begin, uint64_t end,
				      uint64_t cgroup, uint32_t cpu)
{
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_throttle(rec, begin, end, cgroup, cpu), end);
}

/* Counters of a cgroup. They are in no stream, because the collector writes them. */
static inline uint64_t event_quota(struct story *s, uint64_t time, uint64_t cgroup,
				   const char *path, uint64_t periods, uint64_t throttled,
				   uint64_t usec)
{
	struct fxt_sched_label label = event_label(path);
	uint32_t words = fxt_stream_words(label.bytes), at = FXT_SCHED_EVENT_HEAD + words, i;
	const uint64_t values[] = { periods, throttled, usec };
	__u64 rec[FXT_SCHED_EVENT_HEAD + FXT_SCHED_LABEL_WORDS + 7];

	fxt_sched_put_event_head(rec, fxt_event(at + 7, FXT_EVENT_COUNTER, 3,
						FXT_THREAD_REF_INLINE, FXT_STR_THROTTLED,
						fxt_string_ref_inline(label.bytes)),
				 time, FXT_SCHED_KOID_THROTTLE, FXT_SCHED_KOID_THROTTLE);
	memcpy(&rec[FXT_SCHED_EVENT_HEAD], label.words, words * sizeof(*rec));
	for (i = 0; i < 3; i++) {
		rec[at++] = fxt_arg_uint64(2, FXT_STR_NR_PERIODS + i);
		rec[at++] = values[i];
	}
	rec[at++] = cgroup;
	return story_words(s, rec, at);
}

static inline uint64_t event_run_queue(struct story *s, uint64_t time, uint32_t cpu,
				       uint32_t threads)
{
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_run_queue(rec, time, cpu, threads), time);
}

static inline uint64_t event_steal(struct story *s, uint64_t time, uint32_t cpu, uint64_t ns)
{
	__u64 rec[FXT_SCHED_STEAL_WORDS];

	return event_add(s, rec, fxt_sched_put_steal(rec, time, cpu, ns, FXT_STR_CATEGORY), time);
}

/* At a mark: the recorder writes it, and no ledger counts it. */
static inline uint64_t event_steal_mark(struct story *s, uint64_t time, uint32_t cpu, uint64_t ns)
{
	__u64 rec[FXT_SCHED_STEAL_WORDS];

	return story_words(s, rec, fxt_sched_put_steal(rec, time, cpu, ns, FXT_STR_STEAL));
}

static inline uint64_t event_pelt_cpu(struct story *s, uint64_t time, uint32_t cpu, uint32_t util)
{
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_pelt(rec, time, FXT_SCHED_KOID_LOAD,
						    FXT_SCHED_KOID_LOAD, cpu, util, 2 * util,
						    3 * util), time);
}

static inline uint64_t event_pelt_thread(struct story *s, uint64_t time, uint32_t tid,
					 uint32_t tgid, uint32_t util)
{
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	return event_add(s, rec, fxt_sched_put_pelt(rec, time, tgid, tid, tid, util, 2 * util,
						    3 * util), time);
}

static inline void event_object(struct story *s, uint32_t type, uint64_t koid, uint64_t process,
				const char *name)
{
	struct story_stream none = { 0 }, *now = s->now;

	/* The collector names tracks; these records belong to no stream. */
	s->now = &none;
	story_object(s, type, koid, process, name);
	s->now = now;
}

/* The names of the tracks of one CPU, as the collector writes them. */
static inline void event_tracks(struct story *s, uint32_t cpu)
{
	static const struct {
		uint64_t process;
		const char *name;
		const char *track;
	} tracks[] = {
		{ FXT_SCHED_KOID_IRQ, "interrupts", "irq" },
		{ FXT_SCHED_KOID_SOFTIRQ, "soft interrupts", "softirq" },
		{ FXT_SCHED_KOID_IDLE, "idle states", "idle" },
	};
	char name[32];

	for (size_t i = 0; i < sizeof(tracks) / sizeof(tracks[0]); i++) {
		snprintf(name, sizeof(name), "%s cpu %u", tracks[i].track, cpu);
		event_object(s, FXT_OBJECT_PROCESS, tracks[i].process, 0, tracks[i].name);
		event_object(s, FXT_OBJECT_THREAD, fxt_sched_cpu_track(tracks[i].process, cpu),
			     tracks[i].process, name);
	}
	event_object(s, FXT_OBJECT_PROCESS, FXT_SCHED_KOID_FREQUENCY, 0, "frequencies");
	event_object(s, FXT_OBJECT_THREAD, FXT_SCHED_KOID_FREQUENCY, FXT_SCHED_KOID_FREQUENCY,
		     "frequencies");
}

static inline void event_cgroup(struct story *s, uint64_t cgroup, uint32_t cpu, const char *path)
{
	char name[128];

	snprintf(name, sizeof(name), "%s cpu %u", path, cpu);
	event_object(s, FXT_OBJECT_PROCESS, FXT_SCHED_KOID_THROTTLE, 0, "throttled cgroups");
	event_object(s, FXT_OBJECT_THREAD, fxt_sched_throttle_track(cgroup, cpu),
		     FXT_SCHED_KOID_THROTTLE, name);
}

/* A thread, or its process, moves to a cgroup at @time, in ns and ticks. */
static inline void event_attach_as(struct story *s, const struct fxt_sched_attach *a)
{
	const char name[FXT_SCHED_COMM_SIZE] = "moved";
	struct fxt_sched_comm comm = fxt_sched_comm(name);
	__u64 rec[FXT_SCHED_ATTACH_WORDS];
	__u32 records, words;

	story_chunk(s, STORY_NAMES, a->event.time);
	words = fxt_sched_put_attach(rec, a, &comm, &records);
	story_words(s, rec, words);
	s->now->written += records;
	s->now->last = a->event.time;
}

static inline void event_attach(struct story *s, uint32_t pid, const char *path, uint64_t time)
{
	event_attach_as(s, &(struct fxt_sched_attach){
		.tid = pid, .tgid = pid, .event = { FXT_STR_ATTACH, time }, .path = path,
		.bytes = strlen(path) });
}

static inline void event_attach_alone(struct story *s, uint32_t tid, uint32_t tgid,
				      const char *path, uint64_t time)
{
	event_attach_as(s, &(struct fxt_sched_attach){
		.tid = tid, .tgid = tgid, .alone = 1, .event = { FXT_STR_ATTACH, time },
		.path = path, .bytes = strlen(path) });
}

static inline void event_process_in(struct story *s, uint32_t pid, const char *name,
				    const char *cgroup)
{
	uint32_t bytes = strlen(name), words = fxt_stream_words(bytes);
	uint32_t path_bytes = strlen(cgroup), path_words = fxt_stream_words(path_bytes);

	story_name(s, pid, pid, name);
	BUILD(&s->b, fxt_kernel_object(3 + words + path_words, FXT_OBJECT_PROCESS,
				       fxt_string_ref_inline(bytes), 1), pid);
	BUILD_TEXT(&s->b, name);
	BUILD(&s->b, fxt_arg_string(1 + path_words, FXT_STR_CGROUP,
				    fxt_string_ref_inline(path_bytes)));
	BUILD_TEXT(&s->b, cgroup);
	s->now->written++;
}

/* Name the thread of a process again, with the CPUs that it may use: at most 8 characters. */
static inline void event_bound(struct story *s, uint32_t pid, const char *cpus, const char *name)
{
	uint32_t words = fxt_stream_words(strlen(name));

	BUILD(&s->b, fxt_kernel_object(6 + words, FXT_OBJECT_THREAD,
				       fxt_string_ref_inline(strlen(name)), 2), pid);
	BUILD_TEXT(&s->b, name);
	BUILD(&s->b, fxt_arg_koid(2, FXT_STR_PROCESS), pid);
	BUILD(&s->b, fxt_arg_string(2, FXT_STR_CPUS, fxt_string_ref_inline(strlen(cpus))));
	BUILD_TEXT(&s->b, cpus);
	s->now->written++;
}

#endif /* SELFTESTS_EVENT_STORY_H */
