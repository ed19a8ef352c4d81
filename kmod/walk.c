// SPDX-License-Identifier: GPL-2.0
/*
 * walk.c - see walk.h.
 *
 * The walk goes by thread id, not along the list of processes: it can resume from an id,
 * so it can let others run in between, however many threads there are.
 */
#include <linux/idr.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "walk.h"

#define FXT_WALK_STEPS	256	/* threads; some ten microseconds */

/* Return: the id to resume from, 0 at the end. */
static int fxt_walk_some(int id, fxt_visit *visit, void *arg)
{
	struct task_struct *p;
	struct pid *pid;
	int n;

	rcu_read_lock();
	for (n = 0; id && n < FXT_WALK_STEPS; n++) {
		pid = idr_get_next(&init_pid_ns.idr, &id);
		p = pid ? pid_task(pid, PIDTYPE_PID) : NULL;
		if (p)
			visit(p, arg);
		id = pid ? id + 1 : 0;
	}
	rcu_read_unlock();
	return id;
}

/**
 * fxt_walk() - visit all threads
 * @visit: called once for each thread id that is in use throughout the walk; perhaps
 *	called for an id that comes into use or goes out of use meanwhile
 * @arg: argument of @visit
 *
 * A thread that takes over its leader's id in an exec may be visited under the other id,
 * or twice.
 *
 * Context: may sleep.
 */
void fxt_walk(fxt_visit *visit, void *arg)
{
	int id = 1;

	while ((id = fxt_walk_some(id, visit, arg)))
		cond_resched();
}
