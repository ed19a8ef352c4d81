// SPDX-License-Identifier: GPL-2.0-only
/*
 * fxt_sched.bpf.c - the BPF programs that write FXT records.
 *
 * In:  scheduler tracepoints.
 * Out: records of include/fxt/fxt_sched.h. Switches and wakeups are in the ring of the CPU on which
 *      they happen (ring.bpf.h), names in a ring buffer of their own (names.bpf.h).
 *
 * A wakeup record means that a thread which was asleep is runnable now. The event sched_wakeup also
 * fires for threads that never left their CPU or their run queue, and current may be any thread. So
 * a table by thread id has whether the thread is asleep, and its waker:
 *
 *   sched_switch   sleep = ASLEEP for a thread that goes to sleep
 *   sched_waking   waker = current, or the interrupt that it is in; sleep = ASLEEP if
 *                  the thread is off its queue, because it may have gone to sleep
 *                  before tracing began
 *   sched_wakeup   a record if sleep is ASLEEP; sleep = AWAKE
 *
 * Sessions that record wakeups at sched_waking have no program at sched_wakeup, but one exchange in
 * each of the other two: see threads.bpf.h.
 *
 * Programs store whole fields, without read-modify-write, so CPUs cannot undo each other's stores.
 * The scheduler orders the stores, even on CPUs that reorder: sched_switch stores before the
 * outgoing thread's on_cpu is cleared (release), and every waker waits for that (acquire) or leaves
 * the wakeup to that CPU; wakers of one thread exclude each other by its pi_lock; and sched_wakeup
 * stores under the lock of the run queue, which the thread's next switch takes. Programs update the
 * table even while nothing is recorded, and for threads that a filter rejects.
 */
#include <linux/bpf.h>
#include "kernel_types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>
#include "block.bpf.h"
#include "config.h"
#include "context.bpf.h"
#include "custom.bpf.h"
#include "events.bpf.h"
#include "filter.bpf.h"
#include "fxt/fxt_unknown.h"
#include "irq.bpf.h"
#include "load.bpf.h"
#include "lock.bpf.h"
#include "memory.bpf.h"
#include "names.bpf.h"
#include "net.bpf.h"
#include "plain.bpf.h"
#include "ring.bpf.h"
#include "samples.bpf.h"
#include "slices.bpf.h"
#include "stacks.bpf.h"
#include "steal.bpf.h"
#include "threads.bpf.h"
#include "timer.bpf.h"
#include "trigger.bpf.h"

char LICENSE[] SEC("license") = "GPL";

struct fxt_bpf_owner owner;		/* result of see_owner() */

static __always_inline bool keeps_stack(struct task_struct *next, __u32 tid,
					enum fxt_sched_kept verdict)
{
	if (!filter.on || !filter.threads || verdict == FXT_SCHED_KEPT_IN)
		return true;
	return verdict == FXT_SCHED_KEPT_ALL &&
	       filter_has_thread(next, find_thread(tid), DIRECT);
}

/*
 * Store the stack of the outgoing thread's program. @state: enum fxt_thread_state. Return: ticks
 * when the incoming thread was switched out, if its stack is recorded; else 0.
 */
static __always_inline __u64 switch_stacks(const __u64 *ctx, struct task_struct *prev,
					   struct task_struct *next, __u32 state,
					   enum fxt_sched_kept verdict, const struct place *at)
{
	__u32 out = prev->pid, in = next->pid;
	__u32 flags = prev->flags;
	__u64 since;

	if (stacks_switch_out(out, state, at->now, flags) && verdict == FXT_SCHED_KEPT_ALL)
		keep_user_stack((void *)ctx, out, flags, at->now);
	if (stacks.kernel && (stacks.blocked || stacks.preempted) && walks_stacks() &&
	    out && wants_state(state) && wants_switch(at->cpu))
		teach_switch((void *)ctx);
	since = stacks_switch_in(in, at->now);
	return since && keeps_stack(next, in, verdict) ? since : 0;
}

/*
 * sched_switch in recordings with extras: under the run queue's lock, interrupts off. @notes_sleep:
 * update the table here, because wakeups are recorded at sched_wakeup.
 */
static __always_inline int put_switch_extras(const __u64 *ctx, struct task_struct *prev,
					     struct task_struct *next, bool notes_sleep)
{
	struct fxt_sched_state state = { FXT_THREAD_NEW, 0 };
	__u32 out = prev->pid, in = next->pid;
	__u64 *rec, woken = 0;
	enum fxt_sched_kept verdict = FXT_SCHED_KEPT_ALL;
	__u32 task_state;
	__u64 off_since = 0;
	struct place at;

	if (is_asleep(prev, DIRECT)) {
		task_state = read_state(ctx, prev, has_prev_state);
		state = fxt_sched_state(1, task_state, prev->exit_state);
		if (notes_sleep)
			note_asleep(find_thread(out), task_state);
	}
	if (fxt_limits_waits(trigger.limit))
		woken = trigger_switch_in(in);
	if (!is_recording())
		return 0;
	if (stacks.blocked && fxt_limits_sleeps(trigger.limit) && takes_sleeper_stack(SLEEPER) &&
	    !ring_of_cpu(&at, true))
		put_sleeper_stack(&at, SLEEPER);
	if (stacks.blocked && trigger.limit[FXT_SCHED_CAUSE_LOCK] &&
	    takes_sleeper_stack(SLEEPING_HOLDER) && !ring_of_cpu(&at, true))
		put_sleeper_stack(&at, SLEEPING_HOLDER);
	if (filter.on) {
		verdict = filter_keeps_switch(prev, next, DIRECT);
		if (verdict == FXT_SCHED_KEPT_NOT ||
		    (verdict == FXT_SCHED_KEPT_OUT && !ring_is_shown()))
			return 0;
	}
	if (ring_of_cpu(&at, true))
		return 0;
	if (stacks.on)
		off_since = switch_stacks(ctx, prev, next, state.state, verdict, &at);
	rec = ring_reserve(&at, FXT_RING_SWITCHES);
	at.ring->shown = rec && verdict != FXT_SCHED_KEPT_OUT;
	if (!rec)
		return 0;
	ring_commit(&at, fxt_sched_put_kept_switch(rec, at.time, at.cpu, out, in,
						   read_any_weight(prev, out, DIRECT),
						   read_any_weight(next, in, DIRECT),
						   state, verdict));
	if (fxt_limits_sleeps(trigger.limit) && state.state == FXT_THREAD_BLOCKED &&
	    verdict == FXT_SCHED_KEPT_ALL)
		trigger_sleep(prev, out, state.letter == FXT_STR_STATE_D, at.time);
	if (stacks.on && off_since)
		put_stack_in(&at, next, in, next->tgid, off_since);
	if (trigger.limit[FXT_SCHED_CAUSE_LATENCY] && verdict != FXT_SCHED_KEPT_OUT)
		trigger_check(next, in, at.ring, woken, at.time);
	return 0;
}

/*
 * If a thread is not in the table, it is unknown whether it was asleep, unless it is new: then the
 * wakeup counts as lost.
 */
static __always_inline int put_wakeup(struct task_struct *p, __u32 tid,
				      const struct thread *thread, __u32 waker, bool is_new)
{
	enum fxt_sched_kept verdict = FXT_SCHED_KEPT_ALL;
	__u64 *rec, slept = 0;
	struct place at;
	__u32 cpu;

	if (is_new && trigger.limit[FXT_SCHED_CAUSE_LOCK])
		trigger_note_thread(p, tid);
	if (!is_recording())
		return 0;
	cpu = read_cpu(p, DIRECT);
	if (filter.on) {
		verdict = filter_keeps_wakeup(p, thread, waker, cpu);
		if (verdict == FXT_SCHED_KEPT_NOT)
			return 0;
		waker &= ~WAKER_MATCHES;
	}
	if (ring_of_cpu(&at, true))
		return 0;
	if (!thread && !is_new) {
		ring_lose(&at, FXT_RING_WAKEUPS);
		return 0;
	}
	rec = ring_reserve(&at, FXT_RING_WAKEUPS);
	if (!rec)
		return 0;
	if (fxt_limits_waits(trigger.limit))
		slept = trigger_wakeup(p, tid, at.time);
	if (filter.on && verdict == FXT_SCHED_KEPT_OUT) {
		ring_commit(&at, fxt_sched_put_unknown_wakeup(rec, at.time, cpu, tid, waker));
		return 0;
	}
	ring_commit(&at, fxt_sched_put_wakeup(rec, at.time, cpu, tid,
					      read_any_weight(p, tid, DIRECT), waker));
	if (fxt_limits_sleeps(trigger.limit))
		trigger_woken(p, cpu, slept, at.time);
	return 0;
}

/* put_switch_extras() in sessions that record wakeups at sched_waking. */
static __always_inline int on_waking_switch(const __u64 *ctx, struct task_struct *prev,
					    struct task_struct *next)
{
	struct thread *thread;
	__u32 out, word;

	put_switch_extras(ctx, prev, next, false);
	if (!is_asleep(prev, DIRECT))
		return 0;
	out = prev->pid;
	thread = find_thread(out);
	/* As in note_asleep(). */
	if (!thread || thread->sleep == NAMED_AT_FORK ||
	    read_state(ctx, prev, has_prev_state) & FXT_LINUX_DEAD)
		return 0;
	word = exchange_word(thread, FXT_WAKING_ASLEEP);
	if (!fxt_waking_is_early(word) || !accepts_early(thread, prev))
		return 0;
	return put_wakeup(prev, out, thread, fxt_waking_waker(word), false);
}

static __always_inline __u32 read_waker(void)
{
	__u32 waker = current_waker(context);

	return filter.on ? filter_waker(waker) : waker;
}

static __always_inline void put_waking_stack(void *ctx, struct task_struct *p,
					     const struct thread *thread, __u32 waker)
{
	__u32 tid = p->pid;

	if (stacks.wakers && stacks_waking(tid) &&
	    keeps_waking(p, thread, waker, read_cpu(p, DIRECT)))
		put_waker_stack(ctx, tid, p->tgid,
				fxt_sched_waker_is_thread(waker & ~WAKER_MATCHES));
}

/*
 * sched_waking: current is the waker, or the waker has interrupted it. Interrupts may be on if a
 * thread wakes itself.
 */
static __always_inline int on_waking(void *ctx, struct task_struct *p)
{
	__u32 tid = p->pid;
	struct thread *thread = find_thread(tid);

	if (!thread)
		return 0;
	thread->waker = read_waker();
	if (!is_asleep(p, DIRECT))
		return 0;
	thread->sleep = ASLEEP;
	put_waking_stack(ctx, p, thread, thread->waker);
	return 0;
}

/* sched_waking in sessions with extras that record wakeups there. Interrupts as in on_waking(). */
static __always_inline int on_waking_record(void *ctx, struct task_struct *p)
{
	__u32 tid = p->pid, waker;
	struct thread *thread = find_thread(tid);

	if (tid == (__u32)bpf_get_current_pid_tgid())
		return 0;
	waker = read_waker();
	if (thread ? !records_waking(thread, p, waker) : !is_asleep(p, DIRECT))
		return 0;
	if (thread)
		put_waking_stack(ctx, p, thread, waker);
	return put_wakeup(p, tid, thread, waker, false);
}

/*
 * sched_wakeup: interrupts are off, except for a thread that wakes itself, which returns at the
 * first test. A running thread is not asleep, even if the table says so: if the kernel skipped a
 * program, the table is wrong until the thread next goes to sleep.
 */
static __always_inline int on_wakeup(struct task_struct *p)
{
	__u32 tid = p->pid, waker = 0;
	struct thread *thread;

	if (is_running(p, DIRECT))
		return 0;
	thread = find_thread(tid);
	if (thread) {
		if (thread->sleep != ASLEEP)
			return 0;
		thread->sleep = AWAKE;
		waker = thread->waker;
	}
	/* Without an element (pid_max was raised), the wakeup counts as lost. */
	return put_wakeup(p, tid, thread, waker, false);
}

/* --- cgroups, as kmod/cgroup.h has them -------------------------------------------------- */

static __always_inline struct cgroup *cgroup_v2(struct task_struct *p)
{
	return BPF_CORE_READ(p, cgroups, dfl_cgrp);
}

/* An autogroup has no cgroup. Its threads are in the cgroup of its parent, the root. */
static __always_inline struct cgroup *cgroup_cpu(struct task_struct *p)
{
	struct cgroup *cgroup;

	if (!bpf_core_field_exists(p->sched_task_group))
		return cgroup_v2(p);
	cgroup = BPF_CORE_READ(p, sched_task_group, css.cgroup);
	return cgroup ? cgroup : BPF_CORE_READ(p, sched_task_group, parent, css.cgroup);
}

/* NULL: the thread is in both roots. Another controller of version 1 may have one. */
static __always_inline struct cgroup *cgroup_of(struct task_struct *p)
{
	struct cgroup *v2 = cgroup_v2(p), *cpu = cgroup_cpu(p);

	if (BPF_CORE_READ(cpu, root) == BPF_CORE_READ(v2, root))
		return v2;
	if (BPF_CORE_READ(cpu, level))
		return cpu;
	return BPF_CORE_READ(v2, level) ? v2 : NULL;
}

/* Does a move to @to in one hierarchy change the recorded cgroup, @now? */
static __always_inline bool cgroup_changes(struct task_struct *p, struct cgroup *to,
					   struct cgroup *now)
{
	struct cgroup_root *root = BPF_CORE_READ(to, root);

	if (root == BPF_CORE_READ(cgroup_cpu(p), root))
		return true;
	return root == BPF_CORE_READ(cgroup_v2(p), root) &&
	       (!now || BPF_CORE_READ(now, root) == root);
}

/*
 * Does a thread's cgroup differ from that of its process? With @of_parent, a main thread is
 * compared with the parent process.
 */
static __always_inline bool is_apart(struct task_struct *p, bool of_parent)
{
	struct task_struct *of = BPF_CORE_READ(p, group_leader);

	if (of == p && of_parent)
		of = BPF_CORE_READ(p, real_parent, group_leader);
	return BPF_CORE_READ(p, cgroups) != BPF_CORE_READ(of, cgroups) &&
	       cgroup_of(p) != cgroup_of(of);
}

/* --- names of threads ---------------------------------------------------------------------- */

static __always_inline int name_new(struct task_struct *p)
{
	set_renames(p, 0);
	if (is_apart(p, true))
		return put_attach(p, NULL, p->pid != p->tgid, FXT_STR_FORK);
	return put_name(p, p->comm, FXT_STR_FORK);
}

/*
 * Was the fork of a new thread missed? If tracepoints leave preemption on, a thread may be
 * preempted in on_fork(), and meanwhile the kernel skips it for other threads on that CPU. Workers
 * of io_uring and vhost have no such event. sched_wakeup_new has preemption off, so it is never
 * missed.
 */
static __always_inline bool is_unnamed(const struct thread *thread)
{
	struct bpf_ringbuf___rt *ring = NULL;

	/* PREEMPT_RT before 6.12: sending a name could sleep here, and no fork is missed. */
	if (bpf_core_field_exists(ring->spinlock.lock))
		return false;
	return thread && thread->sleep != NAMED_AT_FORK;
}

/* sched_wakeup_new: the creator of the thread is current; interrupts are off. */
static __always_inline int on_wakeup_new(struct task_struct *p)
{
	__u32 tid = p->pid;
	struct thread *thread = find_thread(tid);

	if (is_unnamed(thread))
		name_new(p);
	if (thread)
		note_awake(thread);
	if (filter.on)
		filter_new(p);
	return put_wakeup(p, tid, thread, read_waker(), true);
}

static __always_inline int on_fork(struct task_struct *child)
{
	struct thread *thread = find_thread(child->pid);

	if (thread)
		thread->sleep = NAMED_AT_FORK;
	return name_new(child);
}

/*
 * A thread that was not the leader has taken the id of the leader, which is dead. The id's element
 * still says that the leader sleeps, but the thread runs.
 */
static __always_inline int on_exec(struct task_struct *p)
{
	struct thread *thread = find_thread(p->pid);

	if (thread)
		note_awake(thread);
	set_renames(p, FXT_RENAME_THREAD_MASK);
	return put_name(p, p->comm, FXT_STR_EXEC);
}

/* The task still has its old name; @comm is the new one. */
static __always_inline int on_rename(struct task_struct *p, const char *comm)
{
	if (filter.on)
		filter_renamed(p, comm);
	return put_name(p, comm, FXT_STR_RENAME);
}

/* Record the newest name of a thread that ends if it was folded. */
static __always_inline int on_exit(struct task_struct *p)
{
	if (!is_folded(p))
		return 0;
	return put_name(p, p->comm, FXT_STR_FOLDED);
}

/* The path is of the hierarchy of the move. Another hierarchy may be the recorded one. */
static __always_inline int on_attach(struct cgroup *to, const char *path, struct task_struct *p,
				     bool threadgroup)
{
	struct cgroup *now = cgroup_of(p);

	if (!cgroup_changes(p, to, now))
		return 0;
	return put_attach(p, now == to ? path : NULL, !threadgroup, FXT_STR_ATTACH);
}

#define PROGRAM(name, event, params, body)				\
	SEC("tp_btf/" #event) int BPF_PROG(name, PARAMS params)		\
	{								\
		return body;						\
	}
#define PARAMS(...) __VA_ARGS__

/*
 * The frequent programs exist for each form of records (enum plain_form), and once more for
 * recordings with extras.
 */
PROGRAM(on_sched_switch, sched_switch, (bool preempt), on_plain_switch(ctx, 0))
PROGRAM(on_sched_switch_bare, sched_switch, (bool preempt), on_plain_switch(ctx, PLAIN_BARE))
PROGRAM(on_sched_switch_waking, sched_switch, (bool preempt), on_plain_switch(ctx, PLAIN_WAKING))
PROGRAM(on_sched_switch_bare_waking, sched_switch, (bool preempt),
	on_plain_switch(ctx, PLAIN_BARE | PLAIN_WAKING))
PROGRAM(on_sched_switch_extras, sched_switch,
	(bool preempt, struct task_struct *prev, struct task_struct *next),
	put_switch_extras((const __u64 *)ctx, prev, next, true))
PROGRAM(on_sched_switch_waking_extras, sched_switch,
	(bool preempt, struct task_struct *prev, struct task_struct *next),
	on_waking_switch((const __u64 *)ctx, prev, next))
PROGRAM(on_sched_waking, sched_waking, (struct task_struct *p), on_plain_waking(p))
PROGRAM(on_sched_waking_record, sched_waking, (struct task_struct *p), on_plain_waking_record(p, 0))
PROGRAM(on_sched_waking_record_bare, sched_waking, (struct task_struct *p),
	on_plain_waking_record(p, PLAIN_BARE))
PROGRAM(on_sched_waking_extras, sched_waking, (struct task_struct *p), on_waking(ctx, p))
PROGRAM(on_sched_waking_record_extras, sched_waking, (struct task_struct *p),
	on_waking_record(ctx, p))
PROGRAM(on_sched_wakeup, sched_wakeup, (struct task_struct *p), on_plain_wakeup(p, 0))
PROGRAM(on_sched_wakeup_bare, sched_wakeup, (struct task_struct *p), on_plain_wakeup(p, PLAIN_BARE))
PROGRAM(on_sched_wakeup_extras, sched_wakeup, (struct task_struct *p), on_wakeup(p))
PROGRAM(on_sched_wakeup_new, sched_wakeup_new, (struct task_struct *p), on_wakeup_new(p))
PROGRAM(on_sched_process_fork, sched_process_fork,
	(struct task_struct *parent, struct task_struct *child), on_fork(child))
PROGRAM(on_sched_process_exec, sched_process_exec, (struct task_struct *p), on_exec(p))
PROGRAM(on_sched_process_exit, sched_process_exit, (struct task_struct *p), on_exit(p))
PROGRAM(on_task_rename, task_rename, (struct task_struct *p, const char *comm), on_rename(p, comm))
PROGRAM(on_cgroup_attach_task, cgroup_attach_task,
	(struct cgroup *to, const char *path, struct task_struct *p, bool threadgroup),
	on_attach(to, path, p, threadgroup))

/* --- groups of events; each program is loaded only if its group is on ------------------ */

PROGRAM(on_sched_migrate_task, sched_migrate_task, (struct task_struct *p, int to),
	on_migrate(p, read_cpu(p, DIRECT), to))

/* Programs that rarely or never read the kernel's memory need no plain loads. */
#define PLAIN_PROGRAM(name, event, params, body)				\
	SEC("raw_tp/" #event) int BPF_PROG(name, PARAMS params)			\
	{									\
		return body;							\
	}

PLAIN_PROGRAM(on_irq_handler_entry, irq_handler_entry, (int irq), on_irq_entry())
PLAIN_PROGRAM(on_irq_handler_exit, irq_handler_exit, (int irq), on_irq_exit((const __u64 *)ctx))
PLAIN_PROGRAM(on_softirq_entry, softirq_entry, (unsigned int vector), on_softirq_enter(vector))
PLAIN_PROGRAM(on_softirq_exit, softirq_exit, (unsigned int vector), on_softirq_leave(vector))

/* Attached to the tracepoints of all vectors. */
PLAIN_PROGRAM(on_vector_entries, local_timer_entry, (int vector), on_vector_entry())
PLAIN_PROGRAM(on_vector_exits, local_timer_exit, (int vector), on_vector_exit(vector))

PLAIN_PROGRAM(on_ipi_entry, ipi_entry, (const char *reason), on_received_entry(reason))
PLAIN_PROGRAM(on_ipi_exit, ipi_exit, (const char *reason), on_received_exit(reason))
PLAIN_PROGRAM(on_cpu_idle, cpu_idle, (unsigned int state, unsigned int cpu), on_idle(state, cpu))
PLAIN_PROGRAM(on_cpu_idle_miss, cpu_idle_miss,
	      (unsigned int cpu, unsigned int state, bool below), on_idle_miss(cpu, state, below))
PLAIN_PROGRAM(on_cpu_frequency, cpu_frequency, (unsigned int khz, unsigned int cpu),
	      put_frequency(cpu, khz, 0))
PLAIN_PROGRAM(on_cpu_frequency_limits, cpu_frequency_limits, (struct cpufreq_policy *policy),
	      on_limits(policy))
PLAIN_PROGRAM(on_workqueue_execute_start, workqueue_execute_start, (void *work),
	      on_work_start((__u64)work))
PLAIN_PROGRAM(on_workqueue_execute_end, workqueue_execute_end, (void *work, void *function),
	      on_work_end((__u64)work, (__u64)function))

/* Attached to module_load, too. */
PLAIN_PROGRAM(on_module_change, module_free, (void *mod), label_note_module())

PLAIN_PROGRAM(on_task_fork, sched_process_fork,
	      (struct task_struct *parent, struct task_struct *child), on_forked(parent, child))
PLAIN_PROGRAM(on_task_exit, sched_process_exit, (struct task_struct *p), on_ended(p))
PLAIN_PROGRAM(on_task_priority, sched_pi_setprio,
	      (struct task_struct *p, struct task_struct *donor), on_inherited(p, donor))
PLAIN_PROGRAM(on_sys_enter, sys_enter, (struct pt_regs *regs), on_call())
PLAIN_PROGRAM(on_sys_exit, sys_exit, (struct pt_regs *regs, long ret), on_return(regs, ret))
PLAIN_PROGRAM(on_syscall_end, sched_process_exit, (struct task_struct *p), on_end_in_call(p))
PLAIN_PROGRAM(on_syscall_exec, sched_process_exec, (struct task_struct *p, int old_tid),
	      on_exec_in_call(p, old_tid))
PLAIN_PROGRAM(on_nr_running, sched_update_nr_running_tp, (struct rq *rq), on_run_queue(rq))

/* Only loaded if the trigger checks the length of run queues. */
PLAIN_PROGRAM(on_queue_length, sched_update_nr_running_tp, (struct rq *rq), on_run_queue_change(rq))

PLAIN_PROGRAM(on_pelt_cpu, pelt_cfs_tp, (struct cfs_rq *cfs_rq), on_cpu_load(cfs_rq))
PLAIN_PROGRAM(on_pelt_thread, pelt_se_tp, (struct sched_entity *se), on_thread_load(se))
PLAIN_PROGRAM(on_ipi_cpu, ipi_send_cpu, (unsigned int cpu, unsigned long site, void *function),
	      on_ipi(cpu, (__u64)function))
PLAIN_PROGRAM(on_ipi_cpus, ipi_send_cpumask, (const void *mask, unsigned long site, void *function),
	      on_ipi_mask(mask, (__u64)function))
PLAIN_PROGRAM(on_contention_begin, contention_begin, (void *lock, unsigned int flags),
	      on_lock_wait((__u64)lock, flags))
PLAIN_PROGRAM(on_contention_end, contention_end, (void *lock, int ret),
	      on_lock_wait_end((__u64)lock))

/* Beside the program that records switches. */
PROGRAM(on_futex_switch, sched_switch,
	(bool preempt, struct task_struct *prev, struct task_struct *next),
	on_lock_switch((const __u64 *)ctx, prev, next))
PROGRAM(on_futex_waking, sched_waking, (struct task_struct *p), on_lock_waking(p))

/* Attached to the beginnings of both kinds of reclaim. */
PLAIN_PROGRAM(on_reclaim_begin, mm_vmscan_direct_reclaim_begin, (void *unused),
	      on_memory(FXT_STR_DIRECT_RECLAIM))

PLAIN_PROGRAM(on_compaction_begin, mm_compaction_begin, (void *unused),
	      on_memory(FXT_STR_COMPACTION))
PLAIN_PROGRAM(on_reclaim_end, mm_vmscan_direct_reclaim_end, (unsigned long pages),
	      on_memory_end(FXT_STR_DIRECT_RECLAIM, pages))
PLAIN_PROGRAM(on_memcg_reclaim_end, mm_vmscan_memcg_reclaim_end, (unsigned long pages),
	      on_memory_end(FXT_STR_CGROUP_RECLAIM, pages))
PLAIN_PROGRAM(on_compaction_end, mm_compaction_end, (void *unused),
	      on_memory_end(FXT_STR_COMPACTION, 0))

/* Before the program that records switches. */
PLAIN_PROGRAM(on_steal, sched_switch, (bool preempt, struct task_struct *prev),
	      on_steal_switch(prev))

PLAIN_PROGRAM(on_signal_generate, signal_generate,
	      (int signal, void *info, struct task_struct *target, int group, int result),
	      on_signal_sent(signal, target, result))
PLAIN_PROGRAM(on_signal_deliver, signal_deliver,
	      (int signal, struct kernel_siginfo *info, struct k_sigaction *action),
	      on_signal_taken(signal, info, action))
PLAIN_PROGRAM(on_hrtimer_expiry, hrtimer_expire_entry, (struct hrtimer *timer), on_hrtimer(timer))
PLAIN_PROGRAM(on_timer_expiry, timer_expire_entry, (struct timer_list *timer), on_timer(timer))
PROGRAM(on_data_ready, sk_data_ready, (struct sock *sk), on_data(sk, unread_of(sk)))
PROGRAM(on_tcp_segment, tcp_probe, (struct sock *sk, struct sk_buff *skb),
	on_data(sk, arrived_in(skb)))
PROGRAM(on_block_queued, block_rq_insert, (struct request *rq), on_queued(rq))
PROGRAM(on_block_issued, block_rq_issue, (struct request *rq), on_issued(rq))
PROGRAM(on_block_completed, block_rq_complete,
	(struct request *rq, int status, unsigned int bytes), on_completed(rq, status, bytes))
PROGRAM(on_block_requeued, block_rq_requeue, (struct request *rq),
	put_completion(rq, FXT_BLOCK_REQUEUED))

/* Programs attached to functions of the kernel; user space chooses one kind. */
#define FUNCTION_PROGRAMS(name, function, body)					\
	SEC("fentry/" #function) int BPF_PROG(name##_fentry, struct cfs_rq *rq)	\
	{									\
		return body(rq);						\
	}									\
	SEC("kprobe/" #function) int name##_kprobe(struct pt_regs *regs)	\
	{									\
		return body((struct cfs_rq *)FIRST_ARGUMENT(regs));		\
	}

FUNCTION_PROGRAMS(on_throttle_cfs_rq, throttle_cfs_rq, on_throttle)
FUNCTION_PROGRAMS(on_unthrottle_cfs_rq, unthrottle_cfs_rq, on_unthrottle)

/* --- tracepoints that the user chooses; each program is loaded only if it is used ------- */

CUSTOM_PROGRAM(0)
CUSTOM_PROGRAM(1)
CUSTOM_PROGRAM(2)
CUSTOM_PROGRAM(3)
CUSTOM_PROGRAM(4)
CUSTOM_PROGRAM(5)
CUSTOM_PROGRAM(6)
CUSTOM_PROGRAM(7)

/*
 * What is the thread doing? Nothing keeps that from changing. The time is read last: if the thread
 * has changed its state before, an event precedes the time, and readers ignore what was seen here.
 * A thread leaves its run queue before it leaves its CPU.
 */
static __always_inline void see_state(struct fxt_rundown_name *to, struct task_struct *p)
{
	bool asleep = is_asleep(p, DIRECT);
	__u32 on_rq = asleep ? 0 : (__u32)p->on_rq;

	to->letter = fxt_sched_seen(on_rq, read_state_now(p), p->exit_state);
	to->cpu = read_cpu(p, DIRECT);
	barrier();
	if (!is_recording() || is_running(p, DIRECT) || is_asleep(p, DIRECT) != asleep)
		to->letter = 0;
	to->time = clock_now();
}

SEC("iter/task")
int rundown(struct bpf_iter__task *ctx)
{
	struct task_struct *p = ctx->task;
	struct fxt_rundown_name to = {};

	if (!p)
		return 0;
	to.name.tid = p->pid;
	to.name.tgid = p->tgid;
	to.name.parent = find_parent(p);
	if (trigger.limit[FXT_SCHED_CAUSE_LOCK])
		trigger_note_thread(p, p->pid);
	to.apart = is_apart(p, false);
	bpf_probe_read_kernel_str(to.name.comm, sizeof(to.name.comm), p->comm);
	see_state(&to, p);
	bpf_seq_write(ctx->meta->seq, &to, sizeof(to));
	return 0;
}

SEC("iter/task")
int mark(struct bpf_iter__task *ctx)
{
	struct task_struct *p = ctx->task;

	if (p)
		filter_first(p);
	return 0;
}

/* Keeps the stacks of the thread whose sleep has fired, and of the holder, if they still sleep. */
SEC("iter/task")
int keep_sleeper(struct bpf_iter__task *ctx)
{
	struct task_struct *p = ctx->task;

	if (!p || !is_asleep(p, DIRECT))
		return 0;
	if ((__u32)p->pid == hit.thread)
		keep_sleeper_stack(p, SLEEPER);
	else if (trigger.limit[FXT_SCHED_CAUSE_LOCK] && (__u32)p->pid == hit.holder)
		keep_sleeper_stack(p, SLEEPING_HOLDER);
	return 0;
}

/* Attached to an event for each CPU. */
SEC("perf_event")
int on_sample(void *ctx)
{
	struct place at;

	ring_find(&at);
	return put_sample_at(ctx, at.ring, at.cpu);
}

/* Never attached: user space runs it on each CPU. Return: 0 if the filter hides the thread. */
SEC("raw_tp")
int see_owner(void *ctx)
{
	struct task_struct *p = (void *)bpf_get_current_task();
	__u32 tid = bpf_get_current_pid_tgid();

	if (filter.on && filter_keeps_switch(p, p, PROBED) != FXT_SCHED_KEPT_ALL)
		return 0;
	owner = (struct fxt_bpf_owner){
		clock_now(), tid, read_any_weight(p, tid, PROBED), steals ? read_steal(p) : 0,
	};
	return 1;
}

/*
 * Never attached: user space runs it for a thread that may wait for too long. @ctx: its index in
 * "waits", and its element there
 */
SEC("raw_tp")
int look_at_wait(__u64 *ctx)
{
	trigger_look(ctx[0], ctx[1]);
	return trigger.limit[FXT_SCHED_CAUSE_LOCK] ? look_at_lock(ctx[0], ctx[1]) : 0;
}

/* Never attached: user space runs it to check that the preempt count is plausible. */
SEC("raw_tp")
int preempt_count(void *ctx)
{
	return read_preempt_count(context);
}
