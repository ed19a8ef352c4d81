// SPDX-License-Identifier: GPL-2.0-only
/*
 * lifecycle.c - creation, exec, renames and ends of threads.
 *
 * In:  sched_process_fork, sched_process_exec, task_rename, sched_process_exit, cgroup_attach_task.
 * Out: kernel object records in the CPU's stream of names, and the count of folded renames
 *      (fxt_rename.h); slots of the task table; freed places of saved stacks; results of the
 *      filter.
 *
 * Interrupts are off from the check that names are recorded to the commit. So a stream has one
 * producer and its records are in the order of their times, by which the collector merges the
 * streams of all CPUs; and no record comes after fxt_probes_fence().
 *
 * Context of all functions: process context.
 */
#include <linux/cred.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/uidgid.h>
#include <trace/events/cgroup.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>

#include "cgroup.h"
#include "compat.h"
#include "probes.h"
#include "session.h"

/* --- records of names --- */

/* @what: as in struct fxt_sched_event. Context: interrupts disabled. */
static void fxt_names_write(struct fxt_session *ss, const struct task_struct *p,
			    const struct fxt_sched_comm *comm, u32 what)
{
	u32 records = fxt_sched_task_records(p->pid, p->tgid);
	struct fxt_stream *s = this_cpu_ptr(ss->names);
	u64 now, *rec;

	if (!READ_ONCE(ss->naming))
		return;
	now = fxt_stream_now(s, &ss->clock);
	rec = fxt_stream_reserve(s, now, FXT_SCHED_TASK_WORDS);
	s->names += records;
	if (rec)
		fxt_stream_commit(s, rec, now,
				  fxt_sched_put_task(rec, p->pid, p->tgid, fxt_parent(p), comm,
						     (struct fxt_sched_event){ what, now },
						     &records));
	else
		s->lost += records;
}

static void fxt_names_write_comm(struct fxt_session *ss, const struct task_struct *p, u32 what)
{
	/* Not get_task_comm(): its lock must not be taken here. */
	struct fxt_sched_comm comm = fxt_sched_comm(p->comm);
	unsigned long flags;

	local_irq_save(flags);
	fxt_names_write(ss, p, &comm, what);
	local_irq_restore(flags);
}

static void fxt_names_exec(struct fxt_session *ss, struct task_struct *p)
{
	struct fxt_task *task = fxt_task_slot(&ss->tasks, p->pid);

	WRITE_ONCE(task->renames, READ_ONCE(task->renames) & ~FXT_RENAME_FOLDED);
	fxt_names_write_comm(ss, p, FXT_STR_EXEC);
}

/* Context: interrupts disabled. */
static bool fxt_names_rename_fits(struct fxt_session *ss, struct fxt_task *task)
{
	u32 user = fxt_rename_user(from_kuid(&init_user_ns, current_uid()));
	u16 renames = READ_ONCE(task->renames);
	bool fits;

	fits = fxt_rename_fits(&renames, &this_cpu_ptr(ss->rename_users)->until[user],
			       ktime_get_mono_fast_ns(),
			       fxt_stream_is_half_free(this_cpu_ptr(ss->names)));
	WRITE_ONCE(task->renames, renames);
	return fits;
}

/*
 * @p is mostly current, but other threads of its process may rename it. @comm may be longer than a
 * comm. Renames of a thread without a slot cannot be folded, so all become records.
 */
static void fxt_names_rename(struct fxt_session *ss, struct task_struct *p, const char *comm)
{
	struct fxt_task *task = fxt_task_find(&ss->tasks, p->pid);
	struct fxt_sched_comm name = fxt_sched_comm(comm);
	unsigned long flags;

	local_irq_save(flags);
	if (!task || fxt_names_rename_fits(ss, task))
		fxt_names_write(ss, p, &name, FXT_STR_RENAME);
	else if (READ_ONCE(ss->naming))
		this_cpu_ptr(ss->names)->folded++;
	local_irq_restore(flags);
}

/* Record the newest name of a thread that ends if it was folded. */
static void fxt_names_exit(struct fxt_session *ss, struct task_struct *p)
{
	struct fxt_task *task = fxt_task_slot(&ss->tasks, p->pid);

	if (READ_ONCE(task->renames) & FXT_RENAME_FOLDED)
		fxt_names_write_comm(ss, p, FXT_STR_FOLDED);
}

/*
 * @p has moved to another cgroup. @path: NULL if unknown. @alone, @what: as in struct
 * fxt_sched_attach.
 */
static void fxt_names_attach(struct fxt_session *ss, const struct task_struct *p,
			     const char *path, bool alone, u32 what)
{
	u32 records = fxt_sched_task_records(p->pid, p->tgid);
	struct fxt_sched_comm comm = fxt_sched_comm(p->comm);
	struct fxt_sched_attach attach = {
		.tid = p->pid, .tgid = p->tgid, .parent = fxt_parent(p), .alone = alone,
		.event.what = what,
		.path = path, .bytes = path ? strlen(path) : FXT_SCHED_PATH_SIZE,
	};
	struct fxt_stream *s;
	unsigned long flags;
	u64 *rec;

	local_irq_save(flags);
	if (READ_ONCE(ss->naming)) {
		s = this_cpu_ptr(ss->names);
		attach.event.time = fxt_stream_now(s, &ss->clock);
		rec = fxt_stream_reserve(s, attach.event.time, FXT_SCHED_ATTACH_WORDS);
		s->names += records;
		if (rec)
			fxt_stream_commit(s, rec, attach.event.time,
					  fxt_sched_put_attach(rec, &attach, &comm, &records));
		else
			s->lost += records;
	}
	local_irq_restore(flags);
}

static void fxt_names_fork(struct fxt_session *ss, struct task_struct *child)
{
	/* The slot has the content of a dead thread with the same tid. */
	WRITE_ONCE(fxt_task_slot(&ss->tasks, child->pid)->renames, 0);
	/* The path is unknown: cgroup_path() takes a lock that may sleep on PREEMPT_RT. */
	if (fxt_cgroup_is_apart(child, true))
		fxt_names_attach(ss, child, NULL, !thread_group_leader(child), FXT_STR_FORK);
	else
		fxt_names_write_comm(ss, child, FXT_STR_FORK);
}

/* --- probes --- */

/*
 * A thread with the same id may have ended in a system call. The new thread returns from a call
 * that it has not begun.
 */
static void fxt_forget_begun(struct fxt_session *ss, pid_t tid)
{
	u64 *begun = ss->tasks.begun_at ? fxt_task_begun(&ss->tasks, tid) : NULL;

	if (begun)
		*begun = 0;
}

/* The system call continues under the other id. */
static void fxt_move_begun(struct fxt_session *ss, pid_t tid, pid_t old_tid)
{
	u64 *begun = ss->tasks.begun_at ? fxt_task_begun(&ss->tasks, tid) : NULL;
	u64 *old = ss->tasks.begun_at ? fxt_task_begun(&ss->tasks, old_tid) : NULL;

	if (begun)
		*begun = old ? *old : 0;
}

static void fxt_probe_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	struct fxt_session *ss = data;

	fxt_task_table_add(&ss->tasks, child->pid);
	fxt_forget_begun(ss, child->pid);
	fxt_names_fork(ss, child);
}

/*
 * A thread that was not the leader has taken the id of the leader, which is dead. The id's slot
 * still says that the leader sleeps or has died, but the thread runs.
 */
static void fxt_probe_exec(void *data, struct task_struct *p, pid_t old_pid,
			   struct linux_binprm *bprm)
{
	struct fxt_session *ss = data;

	fxt_task_wakes(fxt_task_slot(&ss->tasks, p->pid));
	if (p->pid != old_pid) {
		fxt_move_begun(ss, p->pid, old_pid);
		fxt_saved_stacks_forget(&ss->saved_stacks, old_pid);
	}
	fxt_names_exec(ss, p);
}

static void fxt_probe_rename(void *data, struct task_struct *p, const char *comm)
{
	struct fxt_session *ss = data;

	/* A worker of io_uring is not forked, so it may have no slot until it names itself. */
	fxt_task_table_add(&ss->tasks, p->pid);
	fxt_filter_rename(&ss->filter, &ss->tasks, p, comm);
	fxt_names_rename(ss, p, comm);
}

static void FXT_PROBE_EXIT(fxt_probe_exit)
{
	struct fxt_session *ss = data;

	fxt_saved_stacks_forget(&ss->saved_stacks, p->pid);
	fxt_names_exit(ss, p);
}

/* The path is of the hierarchy of the move. Another hierarchy may be the recorded one. */
static void fxt_probe_attach(void *data, struct cgroup *to, const char *path,
			     struct task_struct *p, bool threadgroup)
{
	struct cgroup *now;
	bool changes;

	rcu_read_lock();
	now = fxt_cgroup(p);
	changes = fxt_cgroup_changes(p, to, now);
	rcu_read_unlock();
	if (changes)
		fxt_names_attach(data, p, now == to ? path : NULL, !threadgroup, FXT_STR_ATTACH);
}

static struct fxt_probe fxt_lifecycle_probes[] = {
	FXT_PROBE(sched_process_fork, fxt_probe_fork),
	FXT_PROBE(sched_process_exec, fxt_probe_exec),
	FXT_PROBE(task_rename, fxt_probe_rename),
	FXT_PROBE(sched_process_exit, fxt_probe_exit),
	FXT_PROBE(sched_wakeup_new, fxt_probe_wakeup_new),
	FXT_PROBE(cgroup_attach_task, fxt_probe_attach, .optional = true),
};

const struct fxt_group fxt_lifecycle_group = FXT_GROUP(0, fxt_lifecycle_probes);
