/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_sched_load.h - events of run queues: length, load averages, throttling; and time that the
 * hypervisor took from a CPU.
 *
 * In:  facts as a tracepoint sees them.
 * Out: finished event records (type 4), like those of fxt_sched_event.h.
 */
#ifndef FXT_FXT_SCHED_LOAD_H
#define FXT_FXT_SCHED_LOAD_H

#include "fxt_sched_event.h"

#define FXT_SCHED_THROTTLE_WORDS	(FXT_SCHED_EVENT_HEAD + 4)
#define FXT_SCHED_RUN_QUEUE_WORDS	(FXT_SCHED_EVENT_HEAD + 2)
#define FXT_SCHED_PELT_WORDS	(FXT_SCHED_EVENT_HEAD + 4)
#define FXT_SCHED_STEAL_WORDS	(FXT_SCHED_EVENT_HEAD + 3)

/*
 * The koid of the track of a cgroup's throttling on a CPU, a thread of the process
 * FXT_SCHED_KOID_THROTTLE. Slices of a cgroup overlap between CPUs. Cgroups whose ids are equal in
 * the lowest 16 bits share a track; the record's argument has the whole id.
 */
static __always_inline __u64 fxt_sched_throttle_track(__u64 cgroup, __u32 cpu)
{
	return FXT_SCHED_KOID_CGROUPS | (cgroup & 0xffff) << 12 | (cpu & 0xfff);
}

/*
 * A cgroup had to wait for its next quota on a CPU. "Duration complete": FXT_STR_THROTTLED with the
 * Uint64 argument "cgroup", its id, and the Uint32 argument "cpu".
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

/*
 * The number of threads of a run queue, including the running one. "Counter": the CPU is the id;
 * FXT_STR_RUN_QUEUE with the Uint32 argument "runnable".
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

/*
 * The kernel's load averages (PELT). "Counter": FXT_STR_PELT with the Uint32 arguments "util",
 * "load" and "runnable".
 * @process, @thread: FXT_SCHED_KOID_LOAD for a CPU; ids for a thread
 * @id: of the counter in its process: the CPU's number, or the thread id
 * @util, @runnable: of 1024
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

/*
 * Time in which the hypervisor ran something else on a CPU. "Counter": the CPU is the id;
 * FXT_STR_STEAL with the Uint64 argument "ns", that time since boot as the kernel counts it.
 * @category: FXT_STR_CATEGORY; FXT_STR_STEAL outside of the CPU's stream
 *
 * It is written if the time has grown, before the record of the switch that ends the run in which
 * the kernel counted that. A lost record loses no time: the next one has the sum. The recorder adds
 * the values at the begin and the end of the recording, which no ledger counts.
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
