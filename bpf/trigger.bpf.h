/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trigger.bpf.h - a wakeup latency, a sleep, a wait for a lock, an interrupt or a run queue that is
 * too long ends the recording.
 *
 * In:  recorded wakeups, switches, waits for locks and interrupts; lengths of run queues; waits and
 *      sleeps that go on, which user space finds (fxt_trigger.h).
 * Out: "hit", the first of these that was too long, for user space; "until", which ends the
 *      recording on all CPUs; the longest wait on each CPU that counts, and the longest that goes
 *      on.
 */
#ifndef BPF_TRIGGER_BPF_H
#define BPF_TRIGGER_BPF_H

#include <bpf/bpf_core_read.h>
#include <linux/fxt_sched.h>

#include "config.h"
#include "filter.bpf.h"
#include "map.bpf.h"
#include "ring.bpf.h"

SHARED_ARRAY(waits, 1, struct fxt_bpf_wait);	/* entries are set before loading */

SHARED_ARRAY(wait_groups, 1, struct fxt_bpf_wait_groups);	/* entries are set before loading */

/*
 * Has the number of a round once the trigger has fired in that round. If several CPUs want to fire,
 * the one that inserts the number does, because kernels before 5.12 have no atomic instruction that
 * returns the old value. User space begins a round while nothing is recorded, without the bpf
 * system call, so the CPU that fires also deletes the number of the previous round.
 */
HASH(fired_rounds, 2, __u32, __u32);

__u32 trigger_round;
struct fxt_bpf_hit hit;
__u64 fired;				/* "hit" is valid; stored last */

/* Written by user space while this runs. Used entries come first. */
struct fxt_bpf_raised raised[FXT_BPF_RAISED];
__u64 raised_hits;			/* waits that these limits kept from firing */

/* The longest wait for a CPU that goes on; only look_at_wait() stores it. */
struct fxt_bpf_hit open_wait;

/* A recorded wait or sleep of a thread begins. Return: the element before, or 0. */
static __always_inline __u64 trigger_begin(struct task_struct *p, __u32 tid, __u64 element)
{
	__u32 index = thread_index(tid), group = index / FXT_WAITS_GROUP;
	__u32 many = group / FXT_BPF_WAIT_GROUPS;
	struct fxt_bpf_wait *wait = bpf_map_lookup_elem(&waits, &index);
	struct fxt_bpf_wait_groups *groups = bpf_map_lookup_elem(&wait_groups, &many);
	__u64 before;

	if (!wait || !groups)
		return 0;
	before = wait->since;
	wait->task = (__u64)p;
	*(volatile __u64 *)&wait->since = element;
	if (fxt_wait_is_watched(element))
		fxt_waits_wake(&groups->state[group % FXT_BPF_WAIT_GROUPS]);
	return before;
}

/* Take the element of a thread, so that it is not mistaken for that of a later wait. */
static __always_inline __u64 trigger_end(__u32 tid)
{
	__u32 index = thread_index(tid);
	struct fxt_bpf_wait *wait = bpf_map_lookup_elem(&waits, &index);
	__u64 element;

	if (!wait || !wait->since)
		return 0;
	element = wait->since;
	*(volatile __u64 *)&wait->since = 0;
	return element;
}

/* Note a thread, which may hold locks. */
static __always_inline void trigger_note_thread(struct task_struct *p, __u32 tid)
{
	__u32 index = thread_index(tid);
	struct fxt_bpf_wait *wait = bpf_map_lookup_elem(&waits, &index);

	if (wait)
		wait->task = (__u64)p;
}

/*
 * A thread that the trigger has noted, by its id; NULL if there is none, or if it has ended. Its
 * memory may be used for something else since then, so the id is checked.
 */
static __always_inline struct task_struct *trigger_find_thread(__u32 tid)
{
	__u32 index = thread_index(tid);
	struct fxt_bpf_wait *wait = bpf_map_lookup_elem(&waits, &index);
	struct task_struct *p = wait ? (struct task_struct *)wait->task : NULL;

	if (!p || (__u32)BPF_CORE_READ(p, pid) != tid || BPF_CORE_READ(p, exit_state))
		return NULL;
	return p;
}

/* Store the time of a recorded wakeup. Return: the element of a sleep that it ends, or 0. */
static __always_inline __u64 trigger_wakeup(struct task_struct *p, __u32 tid, __u64 time)
{
	__u64 before = trigger.limit[FXT_SCHED_CAUSE_LATENCY] ? trigger_begin(p, tid, time) :
								trigger_end(tid);

	return before & FXT_WAIT_ASLEEP ? before : 0;
}

/*
 * Take the time of the last wakeup of a thread that is switched in, whether or not the switch is
 * recorded. Return: ticks; 0 if the thread has run since, is not watched, or its wakeup was missed.
 */
static __always_inline __u64 trigger_switch_in(__u32 tid)
{
	__u64 element = trigger_end(tid);

	return element & FXT_WAIT_ASLEEP ? 0 : element;
}

/*
 * Is the thread in the state of its element? If the kernel skips programs, its wakeup or its
 * switch-in may have been missed.
 */
static __always_inline bool trigger_is_true(struct task_struct *p, __u64 element)
{
	if (is_running(p, PROBED))
		return false;
	return is_asleep(p, PROBED) == !!(element & FXT_WAIT_ASLEEP);
}

/* When did a thread go to sleep? 0: it does not sleep. */
static __always_inline __u64 trigger_sleeps_since(__u32 tid)
{
	__u32 index = thread_index(tid);
	struct fxt_bpf_wait *wait = bpf_map_lookup_elem(&waits, &index);
	__u64 element;

	if (!wait || !trigger_is_true((void *)wait->task, FXT_WAIT_ASLEEP))
		return 0;
	/* If it sleeps, the state was that of this thread, see trigger_look(). */
	barrier();
	element = *(volatile __u64 *)&wait->since;
	return element & FXT_WAIT_ASLEEP ? FXT_WAIT_SINCE(element) : 0;
}

/* Does a user's limit keep this wait from firing? */
static __noinline int trigger_is_raised(__u32 cause, __u32 user, __u64 value)
{
	__u32 i;

	for (i = 0; i < FXT_BPF_RAISED; i++)
		if (raised[i].limit && raised[i].cause == cause && raised[i].user <= user &&
		    user <= raised[i].last_user)
			return value <= *(volatile __u64 *)&raised[i].limit;
	return 0;
}

/*
 * Fire, unless a user's limit prevents it or another CPU was first. @w: of a wait for a lock that
 * @holder has (0: unknown), or NULL.
 */
static __always_inline void trigger_fire_for(enum fxt_sched_cause cause, bool goes_on, __u32 cpu,
					     __u32 tid, __u32 user, __u64 time, __u64 value,
					     const struct fxt_lock_wait *w, __u32 holder)
{
	__u32 this = *(volatile __u32 *)&trigger_round, before = this - 1;

	if (trigger_is_raised(cause, user, value)) {
		/* A wait that goes on is looked at again, and ends. */
		if (!goes_on)
			__sync_fetch_and_add(&raised_hits, 1);
		return;
	}
	if (bpf_map_update_elem(&fired_rounds, &this, &this, BPF_NOEXIST))
		return;
	bpf_map_delete_elem(&fired_rounds, &before);
	*(volatile __u64 *)&until = time + trigger.after;
	hit.time = time;
	hit.value = value;
	hit.thread = tid;
	hit.cpu = cpu;
	hit.cause = cause;
	hit.goes_on = goes_on;
	hit.user = user;
	hit.lock = w ? w->lock : 0;
	hit.lock_kind = w ? w->kind : 0;
	hit.holder = holder;
	hit.holder_sleeps = goes_on && holder && trigger_sleeps_since(holder);
	/* Pairs with the acquire in bpf_triggered() of the collector. */
	ring_publish(&fired, 1);
}

/* The same for what is no wait for a lock. */
static __always_inline void trigger_fire(enum fxt_sched_cause cause, bool goes_on, __u32 cpu,
					 __u32 tid, __u32 user, __u64 time, __u64 value)
{
	trigger_fire_for(cause, goes_on, cpu, tid, user, time, value, NULL, 0);
}

/* A wait that began before the recording does not count. */
static __always_inline bool trigger_counts(struct task_struct *p, __u64 begin)
{
	if (begin < *(volatile __u64 *)&since)
		return false;
	if (trigger.pid && (__u32)BPF_CORE_READ(p, tgid) != trigger.pid)
		return false;
	return !trigger.by_comm || name_matches(&trigger.comm, p->comm);
}

/* Check a wait that may be the longest, or long enough to fire the trigger. */
static __noinline int trigger_check_long(struct task_struct *p, __u32 tid, struct fxt_ring *ring,
					 __u64 time, __u64 latency)
{
	if (!trigger_counts(p, time - latency))
		return 0;
	if (latency > ring->longest) {
		ring->longest = latency;
		ring->longest_time = time;
		ring->longest_thread = tid;
	}
	if (latency > trigger.limit[FXT_SCHED_CAUSE_LATENCY])
		trigger_fire(FXT_SCHED_CAUSE_LATENCY, false, bpf_get_smp_processor_id(), tid,
			     BPF_CORE_READ(p, cred, uid.val), time, latency);
	return 0;
}

/* A sleep until @time exceeds the limit of @cause: fire if it counts. */
static __noinline int trigger_check_thread(__u32 cause, struct task_struct *p, __u32 cpu,
					   __u64 time, __u64 waited)
{
	if (trigger_counts(p, time - waited))
		trigger_fire(cause, false, cpu, BPF_CORE_READ(p, pid),
			     BPF_CORE_READ(p, cred, uid.val), time, waited);
	return 0;
}

/*
 * A thread goes to sleep, which is recorded at @time: watch it if its sleeps count, or if it may
 * hold a lock. @blocked: the sleep is uninterruptible.
 */
static __always_inline void trigger_sleep(struct task_struct *p, __u32 tid, bool blocked,
					  __u64 time)
{
	__u64 element = fxt_wait_sleeps(trigger.limit, blocked, trigger_counts(p, time), time);

	if (element)
		trigger_begin(p, tid, element);
}

/*
 * Check the sleep that a recorded wakeup ends. @slept: of trigger_wakeup(). @cpu, @time: of its
 * record.
 */
static __always_inline void trigger_woken(struct task_struct *p, __u32 cpu, __u64 slept,
					  __u64 time)
{
	__u64 begin = FXT_WAIT_SINCE(slept);
	__u32 cause;

	if (!slept || time <= begin || *(volatile __u64 *)&fired)
		return;
	cause = fxt_wait_cause(trigger.limit, slept, time - begin);
	if (cause != FXT_SCHED_CAUSES)
		trigger_check_thread(cause, p, cpu, time, time - begin);
}

/*
 * Check a thread that may have waited for too long. The thread cannot end before its switch-in, so
 * its task_struct stays valid while its element is the same. If that has changed, the program
 * discards what it has read. @element: as user space has read it, which is an acquire, so what the
 * program reads is not older. Programs have no barrier for that in old kernels.
 */
static __always_inline int trigger_look(__u32 index, __u64 element)
{
	struct fxt_bpf_wait *wait = bpf_map_lookup_elem(&waits, &index);
	struct task_struct *p;
	__u64 begin = FXT_WAIT_SINCE(element), now;
	__u32 tid, cpu, user, cause;

	if (!wait || *(volatile __u64 *)&fired)
		return 0;
	p = (struct task_struct *)wait->task;
	tid = BPF_CORE_READ(p, pid);
	cpu = read_cpu(p, PROBED);
	user = BPF_CORE_READ(p, cred, uid.val);
	if (!element || thread_index(tid) != index || !trigger_counts(p, begin) ||
	    !trigger_is_true(p, element))
		return 0;
	if (!filter_has_cpu(cpu) ||
	    (filter.threads && !filter_has_thread(p, find_thread(tid), PROBED)))
		return 0;
	now = clock_now();
	/*
	 * If the element is still the same, all that was read is of this thread, and nothing before
	 * "now" has ended its wait.
	 */
	if (*(volatile __u64 *)&wait->since != element || now <= begin ||
	    now > *(volatile __u64 *)&until)
		return 0;
	if (!(element & FXT_WAIT_ASLEEP) && now - begin > open_wait.value)
		open_wait = (struct fxt_bpf_hit){
			.time = now,
			.value = now - begin,
			.thread = tid,
			.cpu = cpu,
			.cause = FXT_SCHED_CAUSE_LATENCY,
			.goes_on = true,
			.user = user,
		};
	cause = fxt_wait_cause(trigger.limit, element, now - begin);
	if (cause != FXT_SCHED_CAUSES)
		trigger_fire(cause, true, cpu, tid, user, now, now - begin);
	return 1;
}

static __noinline int trigger_interrupt_long(__u32 cause, __u64 time, __u64 duration)
{
	trigger_fire(cause, false, bpf_get_smp_processor_id(), bpf_get_current_pid_tgid(),
		     FXT_BPF_NO_USER, time, duration);
	return 0;
}

/* Check a recorded interrupt. @time: ticks of its record. */
static __always_inline void trigger_interrupt(enum fxt_sched_cause cause, __u64 begin,
					      __u64 time)
{
	__u64 limit = trigger.limit[cause];

	if (limit && (__s64)(time - begin) > (__s64)limit && !*(volatile __u64 *)&fired)
		trigger_interrupt_long(cause, time, time - begin);
}

/*
 * Check the wait that a recorded switch ends. @p, @tid: the incoming thread. @woken: of
 * trigger_switch_in(). @time: ticks of the switch's record.
 *
 * The clocks of two CPUs may differ by some ns, so the difference is signed.
 */
static __always_inline void trigger_check(struct task_struct *p, __u32 tid,
					  struct fxt_ring *ring, __u64 woken, __u64 time)
{
	__s64 latency = time - woken;

	if (woken && (latency > (__s64)trigger.limit[FXT_SCHED_CAUSE_LATENCY] ||
		      latency > (__s64)ring->longest) &&
	    !*(volatile __u64 *)&fired)
		trigger_check_long(p, tid, ring, time, latency);
}

/*
 * Check a run queue whose length has changed. @cpu: of the run queue, not always this one. @tid:
 * the thread that runs there. @length: threads, including the running one. Context: the run queue
 * is locked, interrupts are off.
 */
static __always_inline void trigger_run_queue(__u32 cpu, __u32 tid, __u32 length)
{
	__u64 now;

	if (length <= trigger.limit[FXT_SCHED_CAUSE_RUNNABLE] || *(volatile __u64 *)&fired)
		return;
	now = clock_now();
	if (now <= *(volatile __u64 *)&until)
		trigger_fire(FXT_SCHED_CAUSE_RUNNABLE, false, cpu, tid, FXT_BPF_NO_USER, now,
			     length);
}

#endif /* BPF_TRIGGER_BPF_H */
