/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compat.h - the only place with differences between kernels.
 *
 * In:  the FXT_HAS_* answers that Kbuild got from the kernel's headers.
 * Out: one interface, that of the newest kernel where possible.
 *
 * scripts/intree.sh adds the other files to a kernel's tree, without this one. It expands the
 * macros there, so their arguments must be names, and puts the functions for older kernels into
 * older.h. It needs an empty line between functions and macros, and none within macros.
 */
#ifndef FXT_KMOD_COMPAT_H
#define FXT_KMOD_COMPAT_H

#include <linux/compiler.h>
#include <linux/sched.h>

#include <fxt/fxt_sched.h>

/*
 * The probe of sched_switch. Without prev_state (before 5.18) the state must be read from
 * the task, where a waker on another CPU may already have changed it: then a D or I sleep
 * is recorded as S.
 */
#ifdef FXT_HAS_PREV_STATE
#define FXT_PROBE_SWITCH(name)							\
	name(void *data, bool preempt, struct task_struct *prev,		\
	     struct task_struct *next, unsigned int prev_state)
#define FXT_PREV_STATE(prev)	prev_state
#else
#define FXT_PROBE_SWITCH(name)							\
	name(void *data, bool preempt, struct task_struct *prev,		\
	     struct task_struct *next)
#define FXT_PREV_STATE(prev)	FXT_TASK_STATE(prev)
#endif

/* See linux/sched.h. */
#ifdef FXT_HAS___STATE
#define FXT_TASK_STATE(p)	READ_ONCE((p)->__state)
#else
#define FXT_TASK_STATE(p)	((unsigned int)READ_ONCE((p)->state))
#endif

/* The probe of sched_process_exit; group_dead came with 6.16. */
#ifdef FXT_HAS_GROUP_DEAD
#define FXT_PROBE_EXIT(name)	name(void *data, struct task_struct *p, bool group_dead)
#else
#define FXT_PROBE_EXIT(name)	name(void *data, struct task_struct *p)
#endif

/*
 * Is a task runnable? From 6.12 a sleeping task can stay on its run queue for a while
 * (delayed dequeue).
 */
#ifdef FXT_HAS_SCHED_DELAYED
#define FXT_TASK_QUEUED(p)	(!(p)->se.sched_delayed && READ_ONCE((p)->on_rq))
#else
#define FXT_TASK_QUEUED(p)	READ_ONCE((p)->on_rq)
#endif

/* These states came with 5.15 and 6.1. */
#ifndef FXT_HAS_TASK_RTLOCK_WAIT
#define TASK_RTLOCK_WAIT	FXT_LINUX_RTLOCK_WAIT
#endif
#ifndef FXT_HAS_TASK_FROZEN
#define TASK_FROZEN		FXT_LINUX_FROZEN
#endif

/* Threads that work for a program, with a copy of its registers. */
#if defined(FXT_HAS_PF_USER_WORKER)
#define FXT_PF_WORKERS		(PF_IO_WORKER | PF_USER_WORKER)
#elif defined(FXT_HAS_PF_IO_WORKER)
#define FXT_PF_WORKERS		PF_IO_WORKER
#else
#define FXT_PF_WORKERS		0
#endif

/* The tracepoint cpu_idle_miss came with 6.1; it is optional. */
#ifdef FXT_HAS_CPU_IDLE_MISS
#define FXT_IDLE_MISS_PROBE	FXT_PROBE
#else
#define FXT_IDLE_MISS_PROBE	FXT_UNCHECKED_PROBE
#endif

/* The tracepoints ipi_send_cpu and ipi_send_cpumask came with 6.4. */
#ifdef FXT_HAS_IPI_SEND
#define FXT_IPI_PROBE		FXT_PROBE
#else
#define FXT_IPI_PROBE		FXT_UNCHECKED_PROBE
#endif

/* The tracepoints contention_begin and contention_end came with 5.19. */
#ifdef FXT_HAS_CONTENTION
#define FXT_LOCK_PROBE		FXT_PROBE
#define FXT_RT_MUTEX_OWNER_AT(lock)	(&((const struct rt_mutex_base *)(lock))->owner)
#else
#define FXT_LOCK_PROBE		FXT_UNCHECKED_PROBE
#define FXT_RT_MUTEX_OWNER_AT(lock)	NULL
#endif

/* Before 5.10.137 the tracepoints of requests had another argument. They are not used. */
#ifdef FXT_HAS_RQ_PROBES
#define FXT_REQUEST_EVENTS	IS_ENABLED(CONFIG_BLOCK)
#else
#define FXT_REQUEST_EVENTS	0
#endif

/* The status of a completed request was an errno up to 5.15. */
#ifdef FXT_HAS_BLK_STATUS
#define FXT_PROBE_COMPLETE(name)						\
	name(void *data, struct request *rq, blk_status_t status, unsigned int bytes)
#else
#define FXT_PROBE_COMPLETE(name)						\
	name(void *data, struct request *rq, int status, unsigned int bytes)
#endif

/* The device of a request; its queue has it from 5.15 on. */
#ifdef FXT_HAS_RQ_DISK
#define FXT_RQ_DISK(rq)		((rq)->rq_disk)
#else
#define FXT_RQ_DISK(rq)		READ_ONCE((rq)->q->disk)
#endif

/* The time was a pointer in older kernels. */
#ifdef FXT_HAS_HRTIMER_NOW
#define FXT_PROBE_HRTIMER(name)	name(void *data, struct hrtimer *timer, ktime_t now)
#else
#define FXT_PROBE_HRTIMER(name)	name(void *data, struct hrtimer *timer, ktime_t *now)
#endif

/* About 7.0 the probes of reclaim got the cgroup, and the order came second. */
#ifdef FXT_HAS_RECLAIM_MEMCG
#define FXT_PROBE_RECLAIM(name)							\
	name(void *data, gfp_t flags, int order, struct mem_cgroup *memcg)
#define FXT_PROBE_RECLAIMED(name)						\
	name(void *data, unsigned long reclaimed, struct mem_cgroup *memcg)
#else
#define FXT_PROBE_RECLAIM(name)		name(void *data, int order, gfp_t flags)
#define FXT_PROBE_RECLAIMED(name)	name(void *data, unsigned long reclaimed)
#endif

/* From 5.18 on a struct has the places of compaction. */
#ifdef FXT_HAS_COMPACT_CONTROL
#define FXT_PROBE_COMPACT(name)							\
	name(void *data, struct compact_control *cc, unsigned long start,	\
	     unsigned long end, bool sync)
#define FXT_PROBE_COMPACTED(name)						\
	name(void *data, struct compact_control *cc, unsigned long start,	\
	     unsigned long end, bool sync, int status)
#else
#define FXT_PROBE_COMPACT(name)							\
	name(void *data, unsigned long start, unsigned long migrate,		\
	     unsigned long free, unsigned long end, bool sync)
#define FXT_PROBE_COMPACTED(name)						\
	name(void *data, unsigned long start, unsigned long migrate,		\
	     unsigned long free, unsigned long end, bool sync, int status)
#endif

/*
 * The tracepoint sk_data_ready came with 6.3. Before, tcp_probe sees each segment of an established
 * TCP connection before it is in the socket; bytes are those of the segment.
 */
#ifdef FXT_HAS_SK_DATA_READY
#define FXT_PROBE_DATA(name)	name(void *data, const struct sock *sk)
#define FXT_DATA_PROBE(func)	FXT_PROBE(sk_data_ready, func)
#define FXT_DATA_BYTES(sk)	fxt_unread(sk)
#else
#define FXT_PROBE_DATA(name)	name(void *data, struct sock *sk, struct sk_buff *skb)
#define FXT_DATA_PROBE(func)	FXT_PROBE(tcp_probe, func)
#define FXT_DATA_BYTES(sk)							\
	(skb->len - __tcp_hdrlen((const struct tcphdr *)skb->data))
#endif

/* rchan_callbacks.subbuf_start lost its last argument about 6.17. */
#ifdef FXT_HAS_PREV_PADDING
#define FXT_SUBBUF_START(name)							\
	name(struct rchan_buf *buf, void *subbuf, void *prev_subbuf,		\
	     size_t prev_padding)
#else
#define FXT_SUBBUF_START(name)							\
	name(struct rchan_buf *buf, void *subbuf, void *prev_subbuf)
#endif

/*
 * From 6.12 on a module can get the stack of a thread that does not run. Before, only on x86, whose
 * unwinder is exported.
 */
#ifdef FXT_HAS_STACK_TRACE_SAVE_TSK
#define FXT_STACK_OF_TASK	stack_trace_save_tsk
#define FXT_STACKS_OF_TASKS	IS_ENABLED(CONFIG_STACKTRACE)
#else
#define FXT_STACK_OF_TASK	fxt_unwind_task
#define FXT_STACKS_OF_TASKS	IS_ENABLED(CONFIG_X86_64)

#ifdef CONFIG_X86_64

#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/rwsem.h>
#include <linux/sizes.h>
#include <asm/unwind.h>

/*
 * Is the address in a function by which threads sleep? These have a section whose ends are not
 * exported. But two exported functions are close to the ends: one of the scheduler and one of
 * high-resolution timers, which are linked first and last.
 */
static inline bool fxt_is_between_sleeps(unsigned long address)
{
	return address >= (unsigned long)io_schedule_timeout &&
	       address < (unsigned long)schedule_hrtimeout;
}

/*
 * A kernel may be linked in another order. Then no address counts as in the scheduler: stacks begin
 * with its functions, and none is lost.
 */
static inline bool fxt_is_in_scheduler(unsigned long address)
{
	return (unsigned long)schedule_hrtimeout - (unsigned long)io_schedule_timeout < SZ_1M &&
	       fxt_is_between_sleeps((unsigned long)schedule_timeout) &&
	       fxt_is_between_sleeps((unsigned long)down_read) &&
	       fxt_is_between_sleeps((unsigned long)wait_for_completion) &&
	       !fxt_is_between_sleeps((unsigned long)wake_up_process) &&
	       !fxt_is_between_sleeps((unsigned long)complete) &&
	       fxt_is_between_sleeps(address);
}

/**
 * fxt_unwind_task() - stack_trace_save_tsk() of newer kernels
 * @p: a thread that does not run
 * @store: set to addresses, innermost first, without functions by which threads sleep
 * @size: room in @store
 * @skip: 0
 *
 * Context: the run queue lock of @p is held.
 *
 * Return: number of addresses.
 */
static inline unsigned int fxt_unwind_task(struct task_struct *p, unsigned long *store,
					   unsigned int size, unsigned int skip)
{
	struct unwind_state state;
	unsigned long address;
	unsigned int count = 0;

	unwind_start(&state, p, NULL, NULL);
	for (; count < size && !unwind_done(&state); unwind_next_frame(&state)) {
		address = unwind_get_return_address(&state);
		if (!address)
			break;
		if (!fxt_is_in_scheduler(address))
			store[count++] = address;
	}
	return count;
}

#else

static inline unsigned int fxt_unwind_task(struct task_struct *p, unsigned long *store,
					   unsigned int size, unsigned int skip)
{
	return 0;
}

#endif

#endif

/* Callbacks for suspend and resume got an argument with 6.18; Debian has it in 6.12. */
#ifdef FXT_HAS_SYSCORE_DATA
#define FXT_SYSCORE_DATA	void *data
#else
#define FXT_SYSCORE_DATA	void

#include <linux/syscore_ops.h>

/* As in newer kernels. */
struct syscore {
	struct syscore_ops *ops;	/* the callbacks */
};

static inline void register_syscore(struct syscore *syscore)
{
	register_syscore_ops(syscore->ops);
}

static inline void unregister_syscore(struct syscore *syscore)
{
	unregister_syscore_ops(syscore->ops);
}

#endif

/* hrtimer_setup() came with 6.13. */
#ifndef FXT_HAS_HRTIMER_SETUP

#include <linux/hrtimer.h>

static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock_id, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock_id, mode);
	timer->function = function;
}

#endif

/* Before 5.11 relay wanted to write into its client's callbacks. */
#ifdef FXT_HAS_CONST_CALLBACKS
#define FXT_CALLBACKS_CONST	const
#else
#define FXT_CALLBACKS_CONST
#endif

#endif /* FXT_KMOD_COMPAT_H */
