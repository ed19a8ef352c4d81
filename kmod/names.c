// SPDX-License-Identifier: GPL-2.0
/*
 * names.c - records of thread names.
 *
 * In:  fork, exec, rename, exit, in process context. Out: kernel object records, in the
 * CPU's stream of names; and the count of folded renames (see fxt_rename.h).
 *
 * Interrupts are off from looking whether names are recorded to the commit. So there is one
 * producer per stream, and the records of a stream are in the order of their times, by which
 * the collector merges the streams of all CPUs; and none comes after fxt_probes_fence().
 */
#include <linux/cred.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/uidgid.h>

#include "names.h"
#include "session.h"
#include "stream.h"
#include "util.h"

/* @what: as in struct fxt_sched_event. Context: irqs off. */
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

/* Write a record of a thread's present name. Context: process context. */
static void fxt_names_write_comm(struct fxt_session *ss, const struct task_struct *p, u32 what)
{
	/* Not get_task_comm(): its lock must not be taken here. */
	struct fxt_sched_comm comm = fxt_sched_comm(p->comm);
	unsigned long flags;

	local_irq_save(flags);
	fxt_names_write(ss, p, &comm, what);
	local_irq_restore(flags);
}

/**
 * fxt_names_fork() - record the name of a new thread
 * @ss: the session
 * @child: the thread; it has not run yet
 *
 * Context: process context.
 */
void fxt_names_fork(struct fxt_session *ss, struct task_struct *child)
{
	/* The slot's content is of a dead thread with the same tid. */
	WRITE_ONCE(fxt_task_slot(&ss->tasks, child->pid)->renames, 0);
	fxt_names_write_comm(ss, child, FXT_STR_FORK);
}

/**
 * fxt_names_exec() - record the name of a process that runs another program
 * @ss: the session
 * @p: its only thread
 *
 * Context: process context.
 */
void fxt_names_exec(struct fxt_session *ss, struct task_struct *p)
{
	struct fxt_task *task = fxt_task_slot(&ss->tasks, p->pid);

	WRITE_ONCE(task->renames, READ_ONCE(task->renames) & ~FXT_RENAME_FOLDED);
	fxt_names_write_comm(ss, p, FXT_STR_EXEC);
}

/* Context: irqs off. */
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

/**
 * fxt_names_rename() - record or fold a rename
 * @ss: the session
 * @p: the thread; mostly current, but other threads of its process may rename it
 * @comm: the new name; may be longer than a comm
 *
 * A thread without a slot cannot be marked, so all its renames become records.
 *
 * Context: process context.
 */
void fxt_names_rename(struct fxt_session *ss, struct task_struct *p, const char *comm)
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

/**
 * fxt_names_exit() - record the name of a thread that ends, if it is in no record
 * @ss: the session
 * @p: the thread
 *
 * Context: process context.
 */
void fxt_names_exit(struct fxt_session *ss, struct task_struct *p)
{
	struct fxt_task *task = fxt_task_slot(&ss->tasks, p->pid);

	if (READ_ONCE(task->renames) & FXT_RENAME_FOLDED)
		fxt_names_write_comm(ss, p, FXT_STR_FOLDED);
}
