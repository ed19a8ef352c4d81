// SPDX-License-Identifier: GPL-2.0
/*
 * names.c - what threads are called.
 *
 * What flows in: fork, exec, rename, exit, in process context. What flows out: kernel
 * object records, into the stream of names of the CPU; and a count of the renames
 * that are folded (see fxt_rename.h).
 *
 * Interrupts are off from the look at the clock to the commit: that makes the CPU the
 * only producer of its stream, and the records of a stream come in the order of their
 * times, by which the collector merges the streams of all CPUs.
 */
#include <linux/cred.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/uidgid.h>

#include "clock.h"
#include "names.h"
#include "session.h"

/* Context: irqs off. @what: as in struct fxt_sched_event. */
static void fxt_names_write(struct fxt_session *ss, const struct task_struct *p,
			    const struct fxt_sched_comm *comm, u32 what)
{
	struct fxt_stream *s = this_cpu_ptr(ss->names);
	u64 now = fxt_now(ss, s);
	u64 *rec = fxt_stream_reserve(s, now, FXT_SCHED_TASK_WORDS);
	u32 records = fxt_sched_task_records(p->pid, p->tgid);

	s->names += records;
	if (rec)
		fxt_stream_commit(s, rec, now,
				  fxt_sched_put_task(rec, p->pid, p->tgid, comm,
						     (struct fxt_sched_event){ what, now },
						     &records));
	else
		s->lost += records;
}

/* The newest name of a thread, which is in a record then. */
static void fxt_names_tell(struct fxt_session *ss, const struct task_struct *p, u32 what)
{
	/* Not get_task_comm(): its lock may not be taken here. */
	struct fxt_sched_comm comm = fxt_sched_comm(p->comm);
	unsigned long flags;

	local_irq_save(flags);
	fxt_names_write(ss, p, &comm, what);
	local_irq_restore(flags);
}

/**
 * fxt_names_fork() - a thread is born
 * @ss: the session
 * @child: the thread; it has not run yet
 *
 * Context: process context.
 */
void fxt_names_fork(struct fxt_session *ss, struct task_struct *child)
{
	/* What is left of a dead thread with the same tid. */
	WRITE_ONCE(fxt_sleeper_at(&ss->sleepers, child->pid)->renames, 0);
	fxt_names_tell(ss, child, FXT_STR_FORK);
}

/**
 * fxt_names_exec() - a process has another program
 * @ss: the session
 * @p: its only thread
 *
 * Context: process context.
 */
void fxt_names_exec(struct fxt_session *ss, struct task_struct *p)
{
	struct fxt_sleeper *sleeper = fxt_sleeper_at(&ss->sleepers, p->pid);

	WRITE_ONCE(sleeper->renames, READ_ONCE(sleeper->renames) & ~FXT_RENAME_FOLDED);
	fxt_names_tell(ss, p, FXT_STR_EXEC);
}

/* Context: irqs off. */
static bool fxt_names_rename_fits(struct fxt_session *ss, struct fxt_sleeper *sleeper)
{
	u32 user = fxt_rename_user(from_kuid(&init_user_ns, current_uid()));
	u16 renames = READ_ONCE(sleeper->renames);
	bool fits;

	fits = fxt_rename_fits(&renames, &this_cpu_ptr(ss->rename_users)->until[user],
			       ktime_get_mono_fast_ns(),
			       fxt_stream_has_half(this_cpu_ptr(ss->names)));
	WRITE_ONCE(sleeper->renames, renames);
	return fits;
}

/**
 * fxt_names_rename() - a thread gets another name
 * @ss: the session
 * @p: the thread; mostly it is current, but threads of its process may rename it
 * @comm: the name; may be longer than a thread's can get
 *
 * A thread without a place in the table could not be marked: all its renames become
 * records.
 *
 * Context: process context.
 */
void fxt_names_rename(struct fxt_session *ss, struct task_struct *p, const char *comm)
{
	struct fxt_sleeper *sleeper = fxt_sleeper(&ss->sleepers, p->pid);
	struct fxt_sched_comm name = fxt_sched_comm(comm);
	unsigned long flags;

	local_irq_save(flags);
	if (!sleeper || fxt_names_rename_fits(ss, sleeper))
		fxt_names_write(ss, p, &name, FXT_STR_RENAME);
	else
		this_cpu_ptr(ss->names)->folded++;
	local_irq_restore(flags);
}

/**
 * fxt_names_exit() - a thread ends; tell its name if that is in no record
 * @ss: the session
 * @p: the thread
 *
 * Context: process context.
 */
void fxt_names_exit(struct fxt_session *ss, struct task_struct *p)
{
	struct fxt_sleeper *sleeper = fxt_sleeper_at(&ss->sleepers, p->pid);

	if (READ_ONCE(sleeper->renames) & FXT_RENAME_FOLDED)
		fxt_names_tell(ss, p, FXT_STR_FOLDED);
}
