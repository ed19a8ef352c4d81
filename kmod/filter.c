// SPDX-License-Identifier: GPL-2.0
/*
 * filter.c - the rare half of filter.h: a session's filter comes and goes, threads
 * are born and renamed.
 */
#include <linux/atomic.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "filter.h"
#include "session.h"
#include "walk.h"

#ifdef CONFIG_CGROUPS

static int fxt_filter_find_cgroup(struct fxt_filter *f, const char *path)
{
	struct cgroup *cgroup;

	if (!*path)
		return 0;
	cgroup = cgroup_get_from_path(path);
	if (IS_ERR(cgroup)) {
		pr_err("session refused: cgroup %s: error %ld; filter_cgroup must be a directory below the root of cgroup v2\n",
		       path, PTR_ERR(cgroup));
		return PTR_ERR(cgroup);
	}
	f->cgroup = cgroup;
	return 0;
}

static void fxt_filter_put_cgroup(struct fxt_filter *f)
{
	if (f->cgroup)
		cgroup_put(f->cgroup);
}

#else

/* The parameter was refused. */
static int fxt_filter_find_cgroup(struct fxt_filter *f, const char *path)
{
	return 0;
}

static void fxt_filter_put_cgroup(struct fxt_filter *f)
{
}

#endif

/**
 * fxt_filter_open() - make a session's filter as its parameters say
 * @ss: the session
 *
 * Context: may sleep.
 *
 * Return: 0, or a negative errno if there is no such cgroup, with a line in the
 * kernel log.
 */
int fxt_filter_open(struct fxt_session *ss)
{
	const struct fxt_params *params = &ss->params;
	struct fxt_filter *f = &ss->filter;

	f->by_comm = params->filter_comm[0];
	fxt_glob_compile(&f->comm, params->filter_comm);
	f->by_thread = f->by_comm || params->filter_pids.count ||
		       params->filter_cgroup[0];
	f->active = f->by_thread || !cpumask_empty(&params->filter_cpus);
	return fxt_filter_find_cgroup(f, params->filter_cgroup);
}

/**
 * fxt_filter_close() - free what a session's filter holds
 * @ss: the session, no longer tracing
 */
void fxt_filter_close(struct fxt_session *ss)
{
	fxt_filter_put_cgroup(&ss->filter);
}

static u8 fxt_filter_pid(const struct fxt_session *ss, pid_t tgid)
{
	const struct fxt_pids *pids = &ss->params.filter_pids;
	unsigned int i;

	for (i = 0; i < pids->count; i++)
		if (pids->ids[i] == tgid)
			return 0;
	return pids->count ? FXT_REFUSED_PID : 0;
}

/* @name: may be longer than a thread's can get */
static u8 fxt_filter_comm(const struct fxt_session *ss, const char *name)
{
	const struct fxt_filter *f = &ss->filter;
	char comm[FXT_SCHED_COMM_SIZE] = "";

	if (!f->by_comm)
		return 0;
	strscpy(comm, name, sizeof(comm));
	return fxt_glob_match(&f->comm, comm) ? 0 : FXT_REFUSED_COMM;
}

static void fxt_filter_store(struct fxt_sleeper *sleeper, u8 refused)
{
	WRITE_ONCE(sleeper->refused, refused | FXT_REFUSED_KNOWN);
}

/*
 * By process: as was found out before, of @sleeper, which may have no place, or else by
 * the process id.
 */
static u8 fxt_filter_process(const struct fxt_session *ss,
			     const struct fxt_sleeper *sleeper, pid_t tgid)
{
	u8 refused = sleeper ? READ_ONCE(sleeper->refused) : 0;

	return refused ? refused & FXT_REFUSED_PID : fxt_filter_pid(ss, tgid);
}

/* A thread that was there before; an event that came first knows better. */
static void fxt_filter_visit(struct task_struct *p, void *arg)
{
	struct fxt_session *ss = arg;
	struct fxt_sleeper *sleeper = fxt_sleeper(&ss->sleepers, p->pid);

	if (sleeper)
		cmpxchg(&sleeper->refused, 0,
			(u8)(fxt_filter_pid(ss, p->tgid) | fxt_filter_comm(ss, p->comm) |
			     FXT_REFUSED_KNOWN));
}

/**
 * fxt_filter_populate() - judge all threads that there are
 * @ss: the session, whose table has been populated
 *
 * Threads that are born or renamed have to be judged from before this call.
 *
 * Context: may sleep.
 */
void fxt_filter_populate(struct fxt_session *ss)
{
	if (ss->filter.by_thread)
		fxt_walk(fxt_filter_visit, ss);
}

/**
 * fxt_filter_new() - judge a new thread
 * @ss: the session
 * @p: the thread, at its first wakeup; what the table holds is of a dead thread with
 *	the same tid
 *
 * Not at sched_process_fork, which does not fire for workers of io_uring and vhost.
 * By process, a new process is what the one is that makes it, which is current: so a
 * process's future children match. A new thread is what the leader of its process is.
 *
 * Context: irqs off, run queue lock held.
 */
void fxt_filter_new(struct fxt_session *ss, const struct task_struct *p)
{
	struct fxt_sleeper *sleeper = fxt_sleeper(&ss->sleepers, p->pid);
	bool is_leader = p->pid == p->tgid;
	pid_t like = is_leader ? current->pid : p->tgid;

	if (ss->filter.by_thread && sleeper)
		fxt_filter_store(sleeper,
				 fxt_filter_process(ss, fxt_sleeper(&ss->sleepers, like),
						    is_leader ? current->tgid : p->tgid) |
				 fxt_filter_comm(ss, p->comm));
}

/**
 * fxt_filter_rename() - judge a thread by its new name
 * @ss: the session
 * @p: the thread
 * @comm: the name that it is about to get
 *
 * Context: process context.
 */
void fxt_filter_rename(struct fxt_session *ss, const struct task_struct *p,
		       const char *comm)
{
	struct fxt_sleeper *sleeper = fxt_sleeper(&ss->sleepers, p->pid);
	const struct fxt_sleeper *like = sleeper;

	if (!ss->filter.by_thread || !sleeper)
		return;
	/* It has just got its place. */
	if (!READ_ONCE(sleeper->refused))
		like = fxt_sleeper(&ss->sleepers, p->tgid);
	fxt_filter_store(sleeper, fxt_filter_process(ss, like, p->tgid) |
				  fxt_filter_comm(ss, comm));
}
