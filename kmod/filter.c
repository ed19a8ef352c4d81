// SPDX-License-Identifier: GPL-2.0-only
/* filter.c - opens and closes a filter, and evaluates it for new and renamed threads. */
#include <linux/atomic.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "config.h"
#include "filter.h"
#include "util.h"

#ifdef CONFIG_CGROUPS

static int fxt_filter_find_cgroup(struct fxt_filter *f, int fd, struct fxt_reason *reason)
{
	struct cgroup *cgroup = cgroup_get_from_fd(fd);

	if (IS_ERR(cgroup))
		return fxt_refuse(reason, PTR_ERR(cgroup),
				  "filter_cgroup must be a directory of cgroup v2");
	f->cgroup = cgroup;
	return 0;
}

/* fxt_filter_open() may have failed. Context: may sleep. */
void fxt_filter_close(struct fxt_filter *f)
{
	if (f->cgroup)
		cgroup_put(f->cgroup);
}

#else

static int fxt_filter_find_cgroup(struct fxt_filter *f, int fd, struct fxt_reason *reason)
{
	return fxt_refuse(reason, -EBADF, "filter_cgroup: this kernel has no cgroups");
}

void fxt_filter_close(struct fxt_filter *f)
{
}

#endif

/*
 * @config must outlive the filter. Context: may sleep; of the process that has the descriptor of
 * the cgroup. Return: 0, or a negative errno with a reason if the descriptor is not that of a
 * cgroup.
 */
int fxt_filter_open(struct fxt_filter *f, const struct fxt_config *config,
		    struct fxt_reason *reason)
{
	f->pids = &config->filter_pids;
	f->by_comm = config->filter_comm[0];
	fxt_glob_compile(&f->comm, config->filter_comm);
	f->by_thread = f->by_comm || config->filter_pids.count ||
		       config->filter_cgroup >= 0;
	f->active = f->by_thread || !cpumask_empty(&config->filter_cpus);
	if (config->filter_cgroup < 0)
		return 0;
	return fxt_filter_find_cgroup(f, config->filter_cgroup, reason);
}

static u8 fxt_filter_pid(const struct fxt_filter *f, pid_t tgid)
{
	const struct fxt_pids *pids = f->pids;
	unsigned int i;

	for (i = 0; i < pids->count; i++)
		if (pids->ids[i] == tgid)
			return 0;
	return pids->count ? FXT_REFUSED_PID : 0;
}

/* @name may be longer than a comm; the kernel truncates it in the same way. */
static u8 fxt_filter_comm(const struct fxt_filter *f, const char *name)
{
	char comm[FXT_SCHED_COMM_SIZE] = "";

	if (!f->by_comm)
		return 0;
	strscpy(comm, name, sizeof(comm));
	return fxt_glob_match(&f->comm, comm) ? 0 : FXT_REFUSED_COMM;
}

static void fxt_filter_store(struct fxt_task *task, u8 refused)
{
	WRITE_ONCE(task->refused, refused | FXT_REFUSED_KNOWN);
}

/*
 * The result of @task, which may be NULL, applies if it is known; otherwise the process id decides.
 */
static u8 fxt_filter_process(const struct fxt_filter *f, const struct fxt_task *task,
			     pid_t tgid)
{
	u8 refused = task ? READ_ONCE(task->refused) : 0;

	return refused ? refused & FXT_REFUSED_PID : fxt_filter_pid(f, tgid);
}

struct fxt_filter_walk {
	const struct fxt_filter *f;
	struct fxt_task_table *tasks;
};

/* Evaluate an existing thread, unless an event has, whose result is newer. */
static void fxt_filter_visit(struct task_struct *p, void *arg)
{
	const struct fxt_filter_walk *walk = arg;
	const struct fxt_filter *f = walk->f;
	struct fxt_task *task = fxt_task_find(walk->tasks, p->pid);

	if (task)
		cmpxchg(&task->refused, 0,
			(u8)(fxt_filter_pid(f, p->tgid) | fxt_filter_comm(f, p->comm) |
			     FXT_REFUSED_KNOWN));
}

/*
 * Evaluate the filter for all existing threads. Context: may sleep; new and renamed threads are
 * already evaluated at events.
 */
void fxt_filter_populate(const struct fxt_filter *f, struct fxt_task_table *tasks)
{
	struct fxt_filter_walk walk = { .f = f, .tasks = tasks };

	if (f->by_thread)
		fxt_walk(fxt_filter_visit, &walk);
}

/*
 * Evaluate the filter for a new thread, at its first wakeup. Its slot has the content of a dead
 * thread.
 *
 * sched_process_fork would not do: it does not fire for workers of io_uring and vhost. A new
 * process inherits the result by process from its creator, which is current, so future children of
 * a process match. A new thread inherits it from the leader of its process.
 *
 * Context: run queue lock held, interrupts disabled.
 */
void fxt_filter_new(const struct fxt_filter *f, struct fxt_task_table *tasks,
		    const struct task_struct *p)
{
	struct fxt_task *task = fxt_task_find(tasks, p->pid);
	bool is_leader = p->pid == p->tgid;
	pid_t parent = is_leader ? current->pid : p->tgid;

	if (f->by_thread && task)
		fxt_filter_store(task,
				 fxt_filter_process(f, fxt_task_find(tasks, parent),
						    is_leader ? current->tgid : p->tgid) |
				 fxt_filter_comm(f, p->comm));
}

/* The same for the name that a thread is about to get. Context: process context. */
void fxt_filter_rename(const struct fxt_filter *f, struct fxt_task_table *tasks,
		       const struct task_struct *p, const char *comm)
{
	struct fxt_task *task = fxt_task_find(tasks, p->pid);
	const struct fxt_task *known = task;

	if (!f->by_thread || !task)
		return;
	/* A new slot: the leader of the process has the result. */
	if (!READ_ONCE(task->refused))
		known = fxt_task_find(tasks, p->tgid);
	fxt_filter_store(task, fxt_filter_process(f, known, p->tgid) |
			       fxt_filter_comm(f, comm));
}
