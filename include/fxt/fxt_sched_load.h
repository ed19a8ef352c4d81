/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_sched_load.h - events of run queues: their length, their load averages, and when
 * they are throttled; and what the hypervisor took of a CPU.
 *
 * In:  facts as a tracepoint sees them.
 * Out: finished event records (type 4), as those of fxt_sched_event.h.
 */
#ifndef FXT_FXT_SCHED_LOAD_H
#define FXT_FXT_SCHED_LOAD_H

#include "fxt_sched_event.h"

#define FXT_SCHED_THROTTLE_WORDS	(FXT_SCHED_EVENT_HEAD + 4)
#define FXT_SCHED_RUN_QUEUE_WORDS	(FXT_SCHED_EVENT_HEAD + 2)
#define FXT_SCHED_PELT_WORDS	(FXT_SCHED_EVENT_HEAD + 4)
#define FXT_SCHED_STEAL_WORDS	(FXT_SCHED_EVENT_HEAD + 3)

/*
 * The track of a cgroup's throttling on a CPU. Slices of a cgroup overlap between CPUs. Cgroups
 * whose ids are equal in the lowest 16 bits share a track; the record's argument has the whole id.
 *
 * @cgroup: id of the cgroup. Return: the koid of its thread, of the process
 * FXT_SCHED_KOID_THROTTLE.
 */
static __always_inline __u64 fxt_sched_throttle_track(__u64 cgroup, __u32 cpu)
{
	return FXT_SCHED_KOID_CGROUPS | (cgroup & 0xffff) << 12 | (cpu & 0xfff);
}

/**
 * fxt_sched_put_throttle() - write a slice: a cgroup had to wait for its next quota
 * @rec: room for FXT_SCHED_THROTTLE_WORDS
 * @begin: ticks
 * @end: ticks
 * @cgroup: id of the cgroup
 * @cpu: the CPU whose run queue of the cgroup was throttled
 *
 * "Duration complete": FXT_STR_THROTTLED with the Uint64 argument "cgroup" and the Uint32
 * argument "cpu".
 *
 * Return: words written.
 */
static __always_inline __u32 fxt_sched_put_throttle(__u64 *rec, __u64 begin, __u64 end,
						    __u64 cgroup, __u32 cpu)
{
	fxt_sched_put_event_head(rec, fxt_event(FXT_SCHED_THROTTLE_WORDS,
						FXT_EVENT_DURATION_COMPLETE, 2,
						FXT_THREAD_REF_INLINE, FXT_STR_CATEGORY,
						FXT_STR_THROTTLED), begin,
				 FXT_SCHED_KOID_THROTTLE,
				 fxt_sched_throttle_track(cgroup, cpu));
	rec[4] = fxt_arg_uint64(2, FXT_STR_CGROUP);
	rec[5] = cgroup;
	rec[6] = fxt_arg_uint32(1, FXT_STR_CPU, cpu);
	rec[7] = end;
	return FXT_SCHED_THROTTLE_WORDS;
}

/**
 * fxt_sched_put_run_queue() - write a counter: running and runnable threads of a CPU
 * @rec: room for FXT_SCHED_RUN_QUEUE_WORDS
 * @time: ticks
 * @cpu: the CPU of the run queue, the counter's id
 * @threads: number of threads, including the running one
 *
 * "Counter": FXT_STR_RUN_QUEUE with the Uint32 argument "runnable".
 *
 * Return: words written.
 */
static __always_inline __u32 fxt_sched_put_run_queue(__u64 *rec, __u64 time, __u32 cpu,
						     __u32 threads)
{
	fxt_sched_put_event_head(rec, fxt_event(FXT_SCHED_RUN_QUEUE_WORDS, FXT_EVENT_COUNTER,
						1, FXT_THREAD_REF_INLINE, FXT_STR_CATEGORY,
						FXT_STR_RUN_QUEUE), time,
				 FXT_SCHED_KOID_LOAD, FXT_SCHED_KOID_LOAD);
	rec[4] = fxt_arg_uint32(1, FXT_STR_RUNNABLE, threads);
	rec[5] = cpu;
	return FXT_SCHED_RUN_QUEUE_WORDS;
}

/**
 * fxt_sched_put_pelt() - write a counter: the kernel's load averages (PELT)
 * @rec: room for FXT_SCHED_PELT_WORDS
 * @time: ticks
 * @process: FXT_SCHED_KOID_LOAD for a CPU; the thread group id for a thread
 * @thread: FXT_SCHED_KOID_LOAD for a CPU; the thread id for a thread
 * @id: the counter's id, which distinguishes the counters of a process: the CPU's number, or
 *	the thread id
 * @util: sched_avg.util_avg, of 1024
 * @load: sched_avg.load_avg
 * @runnable: sched_avg.runnable_avg, of 1024
 *
 * "Counter": FXT_STR_PELT with the Uint32 arguments "util", "load" and "runnable".
 *
 * Return: words written.
 */
static __always_inline __u32 fxt_sched_put_pelt(__u64 *rec, __u64 time, __u64 process,
						__u64 thread, __u64 id, __u32 util,
						__u32 load, __u32 runnable)
{
	fxt_sched_put_event_head(rec, fxt_event(FXT_SCHED_PELT_WORDS, FXT_EVENT_COUNTER, 3,
						FXT_THREAD_REF_INLINE, FXT_STR_CATEGORY,
						FXT_STR_PELT), time, process, thread);
	rec[4] = fxt_arg_uint32(1, FXT_STR_UTIL, util);
	rec[5] = fxt_arg_uint32(1, FXT_STR_LOAD, load);
	rec[6] = fxt_arg_uint32(1, FXT_STR_RUNNABLE, runnable);
	rec[7] = id;
	return FXT_SCHED_PELT_WORDS;
}

/**
 * fxt_sched_put_steal() - write a counter: time in which the hypervisor ran something else on a CPU
 * @rec: room for FXT_SCHED_STEAL_WORDS
 * @time: ticks
 * @cpu: the CPU, the counter's id
 * @ns: that time since the system booted, as the kernel counts it
 * @category: FXT_STR_CATEGORY; FXT_STR_STEAL if it is outside of the CPU's stream
 *
 * "Counter": FXT_STR_STEAL with the Uint64 argument "ns". It is written where it has grown, before
 * the record of the switch that ends the run in which the kernel counted that. A record that is
 * lost loses no time: the next one has the sum. The recorder adds the values at the begin and the
 * end of the recording, which no ledger counts.
 *
 * Return: words written.
 */
static __always_inline __u32 fxt_sched_put_steal(__u64 *rec, __u64 time, __u32 cpu, __u64 ns,
						 __u32 category)
{
	fxt_sched_put_event_head(rec, fxt_event(FXT_SCHED_STEAL_WORDS, FXT_EVENT_COUNTER, 1,
						FXT_THREAD_REF_INLINE, category,
						FXT_STR_STEAL), time, FXT_SCHED_KOID_STEAL,
				 FXT_SCHED_KOID_STEAL);
	rec[4] = fxt_arg_uint64(2, FXT_STR_NS);
	rec[5] = ns;
	rec[6] = cpu;
	return FXT_SCHED_STEAL_WORDS;
}

#endif /* FXT_FXT_SCHED_LOAD_H */
