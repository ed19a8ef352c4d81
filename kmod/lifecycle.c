// SPDX-License-Identifier: GPL-2.0
/*
 * lifecycle.c - threads are created, run another program, change their names, and end.
 *
 * In:  sched_process_fork, sched_process_exec, task_rename, sched_process_exit. Out: slots
 * in the task table, places in the table of saved stacks that are returned, results of the
 * filter, and records of names (names.c).
 *
 * Context of all functions: process context.
 */
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>

#include "compat.h"
#include "probes.h"
#include "names.h"
#include "session.h"

/*
 * A thread with the same id may have ended in a system call. The new thread returns from the
 * one that created it, which it has not begun.
 */
static void fxt_forget_begun(struct fxt_session *ss, pid_t tid)
{
	u64 *begun = ss->tasks.with_begun ? fxt_task_begun(&ss->tasks, tid) : NULL;

	if (begun)
		*begun = 0;
}

/* The system call goes on with the other id. */
static void fxt_move_begun(struct fxt_session *ss, pid_t tid, pid_t old_tid)
{
	u64 *begun = ss->tasks.with_begun ? fxt_task_begun(&ss->tasks, tid) : NULL;
	u64 *old = ss->tasks.with_begun ? fxt_task_begun(&ss->tasks, old_tid) : NULL;

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
 * A thread that was not the leader has exchanged ids with the leader, which is dead. The
 * slot of the id still says that the leader sleeps or has died; but the thread runs.
 */
static void fxt_probe_exec(void *data, struct task_struct *p, pid_t old_pid,
		    struct linux_binprm *bprm)
{
	struct fxt_session *ss = data;

	WRITE_ONCE(fxt_task_slot(&ss->tasks, p->pid)->blocked, 0);
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

/* Compare the signatures with those of this kernel, at compile time. */
static void __maybe_unused fxt_check_lifecycle(void)
{
	check_trace_callback_type_sched_process_fork(fxt_probe_fork);
	check_trace_callback_type_sched_process_exec(fxt_probe_exec);
	check_trace_callback_type_task_rename(fxt_probe_rename);
	check_trace_callback_type_sched_process_exit(fxt_probe_exit);
	check_trace_callback_type_sched_wakeup_new(fxt_probe_wakeup_new);
}

static struct fxt_probe fxt_lifecycle_probes[] = {
	FXT_PROBE("sched_process_fork", fxt_probe_fork),
	FXT_PROBE("sched_process_exec", fxt_probe_exec),
	FXT_PROBE("task_rename", fxt_probe_rename),
	FXT_PROBE("sched_process_exit", fxt_probe_exit),
	FXT_PROBE("sched_wakeup_new", fxt_probe_wakeup_new),
};

const struct fxt_group fxt_lifecycle_group = FXT_GROUP(0, fxt_lifecycle_probes);
