// SPDX-License-Identifier: GPL-2.0-only
/*
 * util.c - refusals, limits, the walk over all threads.
 *
 * The module's parameters are the limits. Sessions that are opened or configured later obey them.
 *
 * The walk goes by thread id, not along the list of processes: it can resume from an id, so it lets
 * others run in between, however many threads there are.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/idr.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "util.h"

/* Return: @error. */
int fxt_refuse(struct fxt_reason *reason, int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vscnprintf(reason->text, sizeof(reason->text), format, args);
	va_end(args);
	return error;
}

/* --- limits, which are the parameters --- */

static unsigned int fxt_max_sessions = 16;
static u64 fxt_max_memory;

/* A number with an optional suffix K, M, ... */
static int fxt_set_max_memory(const char *val, const struct kernel_param *kp)
{
	char *end;
	u64 n = memparse(val, &end);

	if (end == val || *skip_spaces(end))
		return -EINVAL;
	WRITE_ONCE(fxt_max_memory, n);
	return 0;
}

static const struct kernel_param_ops fxt_max_memory_ops = {
	.set = fxt_set_max_memory,
	.get = param_get_ullong,
};

module_param_named(max_sessions, fxt_max_sessions, uint, 0644);
MODULE_PARM_DESC(max_sessions, "number of sessions that can exist at the same time (16)");

module_param_cb(max_memory, &fxt_max_memory_ops, &fxt_max_memory, 0644);
MODULE_PARM_DESC(max_memory, "bytes of the buffers and tables of all sessions together, 0 for no limit (0)");

static atomic_t fxt_sessions;
static atomic64_t fxt_memory;

/* Return: 0, or -EBUSY if there are max_sessions sessions. */
int fxt_limits_take_session(void)
{
	if ((unsigned int)atomic_inc_return(&fxt_sessions) <= READ_ONCE(fxt_max_sessions))
		return 0;
	atomic_dec(&fxt_sessions);
	return -EBUSY;
}

void fxt_limits_return_session(void)
{
	atomic_dec(&fxt_sessions);
}

/* Return: false if max_memory does not allow so many bytes more. */
bool fxt_limits_try_charge(u64 bytes)
{
	u64 most = READ_ONCE(fxt_max_memory);

	if ((u64)atomic64_add_return(bytes, &fxt_memory) <= most || !most)
		return true;
	atomic64_sub(bytes, &fxt_memory);
	return false;
}

/*
 * The same for a session that is made. Context: may sleep.
 *
 * Return: 0, or -ENOMEM with a reason if all sessions would exceed max_memory, or this one half of
 * the available memory: relay would wake the OOM killer.
 */
int fxt_limits_charge_session(u64 bytes, struct fxt_reason *reason)
{
	u64 available = ((u64)si_mem_available() << PAGE_SHIFT) / 2;

	if (bytes > available)
		return fxt_refuse(reason, -ENOMEM,
				  "the buffers need %llu KiB, the limit is %llu KiB (half of what is available)",
				  bytes >> 10, available >> 10);
	if (fxt_limits_try_charge(bytes))
		return 0;
	return fxt_refuse(reason, -ENOMEM,
			  "the buffers need %llu KiB, %llu KiB are in use, and the parameter max_memory allows %llu KiB in all",
			  bytes >> 10, (u64)atomic64_read(&fxt_memory) >> 10,
			  READ_ONCE(fxt_max_memory) >> 10);
}

void fxt_limits_uncharge(u64 bytes)
{
	atomic64_sub(bytes, &fxt_memory);
}

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

/*
 * Visit each thread id once that is in use throughout the walk, and perhaps ids that come into use
 * or go out of use meanwhile. A thread that takes over its leader's id in an exec may be visited
 * under the other id, or twice. Context: may sleep.
 */
void fxt_walk(fxt_visit *visit, void *arg)
{
	int id = 1;

	while ((id = fxt_walk_some(id, visit, arg)))
		cond_resched();
}

DEFINE_PER_CPU(bool, fxt_self_ipi);
