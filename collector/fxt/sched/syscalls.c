// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * syscalls.c - system calls, and ends of threads.
 *
 * In: system calls, forks and exits, in the order of time.
 * Out: anomalies: a thread is in two system calls at once, or calls or ends after its exit.
 *
 * An id may get a new thread, and execve() gives the id of an ended leader to the thread that lives
 * on. So an exit holds only until the id is forked, woken, or switched out where another thread was
 * switched in, and only for a thread that is known to run on the CPU. If the thread left the CPU
 * meanwhile, records of the begin of a new thread must not be missing.
 */
#include <inttypes.h>
#include <string.h>

#include "data.h"
#include "anomalies.h"
#include "threads.h"

/* Is it certain that the thread that acts on this CPU is the one that has ended? */
static bool has_ended(const struct sched_model *m, const struct sched_stream *s,
		      const struct sched_thread *t)
{
	const struct sched_cpu *cpu;

	if (!t->is_ended || m->filter.threads || m->filter.cpus || m->late.count ||
	    s->id > UINT16_MAX)
		return false;
	cpu = m->cpus[s->id];
	if (!cpu || cpu->current != t)
		return false;
	return cpu->since <= t->ended ||
	       (!sched_is_unseen(m, t) && !sched_is_early(m, t->ended));
}

/*
 * execve() of a thread that is not the leader returns as the leader, whose own calls it overlaps.
 */
static bool is_exec(const struct sched_model *m, const struct sched_event *e,
		    const struct sched_thread *t)
{
	return t->exec_time >= e->begin || m->lost_names ||
	       !strncmp(m->origins.list[e->origin]->name, "execve", 6);
}

void sched_check_syscall(struct sched_model *m, const struct sched_stream *s,
			 const struct sched_event *e, struct sched_thread *t)
{
	const char *name = m->origins.list[e->origin]->name;

	if (t->called_until > e->begin + SCHED_CLOCK_STEP && !is_exec(m, e, t))
		sched_fault(m, SCHED_NESTING, e->offset, e->time,
			    "thread %" PRIu64 " is in the system call %s from %" PRIu64 " ns on, but in another one until %" PRIu64,
			    t->koid, name, e->begin, t->called_until);
	else if (has_ended(m, s, t) && e->begin > t->ended + SCHED_CLOCK_STEP)
		sched_fault(m, SCHED_AFTER_EXIT, e->offset, e->time,
			    "thread %" PRIu64 " begins the system call %s at %" PRIu64 " ns, but ended at %" PRIu64,
			    t->koid, name, e->begin, t->ended);
	t->called_until = e->time > t->called_until ? e->time : t->called_until;
}

void sched_note_exit(struct sched_model *m, const struct sched_stream *s,
		     const struct sched_event *e, struct sched_thread *t)
{
	if (has_ended(m, s, t))
		sched_fault(m, SCHED_AFTER_EXIT, e->offset, e->time,
			    "thread %" PRIu64 " ends, but ended already at %" PRIu64 " ns",
			    t->koid, t->ended);
	t->is_ended = true;
	t->ended = e->time;
}

void sched_note_fork(struct sched_model *m, const struct sched_event *e)
{
	struct sched_thread *child = sched_thread_find(&m->threads, e->args.fork.child);

	if (child)
		child->is_ended = false;
}

struct sched_origin *sched_exit_failure(struct sched_model *m, const struct sched_event *e,
					const struct sched_thread *t)
{
	uint64_t number = sched_exit_number(e->args.exit.code, e->args.exit.signal);
	struct fxt_text name = { .bytes = t->name, .length = strlen(t->name) };

	return number ? sched_origin_get(&m->origins, KERNEL_EXIT, number, &name) : NULL;
}
