// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * acts.c - see acts.h.
 *
 * In: system calls, forks, exits, priorities, interrupted CPUs, stacks, run queues and loads of
 * CPUs, in the order of time.
 * Out: moments for the caller, and findings: a thread in two system calls at once, and a thread
 * that calls or ends after its exit.
 *
 * An id may get a new thread, and execve() gives the id of a leader that has ended to the thread
 * that lives on. So an exit holds only until the id is forked, woken, or switched out where
 * another thread was switched in, and only for a thread that is known to run on the CPU. If it
 * left the CPU meanwhile, nothing that may have made a new thread must be missing.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "acts.h"
#include "findings.h"
#include "misfit.h"
#include "pairs.h"
#include "threads.h"

/* Is it certain that the thread that does something on this CPU is the one that has ended? */
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
	       !strncmp(m->sources.list[e->source]->name, "execve", 6);
}

void sched_check_syscall(struct sched_model *m, const struct sched_stream *s,
			 const struct sched_event *e, struct sched_thread *t)
{
	const char *name = m->sources.list[e->source]->name;

	if (t->called_until > e->begin + SCHED_CLOCK_STEP && !is_exec(m, e, t))
		sched_tell(m, SCHED_NESTING, true, 1, e->offset, e->time,
			   "thread %" PRIu64 " is in the system call %s from %" PRIu64 " ns on, but in another one until %" PRIu64,
			   t->koid, name, e->begin, t->called_until);
	else if (has_ended(m, s, t) && e->begin > t->ended + SCHED_CLOCK_STEP)
		sched_tell(m, SCHED_AFTER_EXIT, true, 1, e->offset, e->time,
			   "thread %" PRIu64 " begins the system call %s at %" PRIu64 " ns, but ended at %" PRIu64,
			   t->koid, name, e->begin, t->ended);
	t->called_until = e->time > t->called_until ? e->time : t->called_until;
}

static void note_exit(struct sched_model *m, const struct sched_stream *s,
		      const struct sched_event *e, struct sched_thread *t)
{
	if (has_ended(m, s, t))
		sched_tell(m, SCHED_AFTER_EXIT, true, 1, e->offset, e->time,
			   "thread %" PRIu64 " ends, but ended already at %" PRIu64 " ns",
			   t->koid, t->ended);
	t->is_ended = true;
	t->ended = e->time;
}

static void note_fork(struct sched_model *m, const struct sched_event *e)
{
	struct sched_thread *child = sched_thread_find(&m->threads, e->args.fork.child);

	if (child)
		child->is_ended = false;
}

/* How a thread ended that did not end well, together with its name. */
static struct sched_source *failure(struct sched_model *m, const struct sched_event *e,
				    const struct sched_thread *t)
{
	uint64_t number = sched_exit_number(e->args.exit.code, e->args.exit.signal);
	struct fxt_text name = { .bytes = t->name, .length = strlen(t->name) };
	struct sched_source *source;

	if (!number)
		return NULL;
	source = sched_source_get(&m->sources, KERNEL_EXIT, number, &name);
	if (!source)
		m->error = -ENOMEM;
	return source;
}

/* Does a stack belong to the switch before it? */
static bool came_in_with(const struct sched_model *m, const struct sched_stream *s,
			 const struct sched_event *e, const struct sched_thread *t)
{
	const struct sched_cpu *cpu = s->id <= UINT16_MAX ? m->cpus[s->id] : NULL;

	return cpu && cpu->current == t && cpu->since == e->time;
}

void sched_apply_moment(struct sched_model *m, const struct sched_stream *s,
			const struct sched_event *e, bool is_late)
{
	bool is_of_cpu = e->what == KERNEL_RUN_QUEUE || e->what == KERNEL_PELT;
	bool is_stack = e->what == KERNEL_STACK;
	struct sched_moment moment = {
		.time = e->time,
		.what = e->what,
		.cpu = is_of_cpu ? e->cpu : s->id,
	};
	int ret;

	if (is_stack)
		moment.stack = e->stack;
	else
		moment.args = e->args;
	if (!is_of_cpu) {
		moment.thread = sched_thread_get(&m->threads, e->a);
		if (!moment.thread) {
			m->error = -ENOMEM;
			return;
		}
	}
	if (e->what == KERNEL_EXIT) {
		moment.source = failure(m, e, moment.thread);
		if (!is_late)
			note_exit(m, s, e, moment.thread);
	} else if (e->what == KERNEL_FORK) {
		note_fork(m, e);
	} else if (is_stack) {
		moment.is_in = !is_late && came_in_with(m, s, e, moment.thread);
		if (!is_late && !moment.is_in)
			sched_pair_stack(m, e, moment.thread);
	} else if (e->what == KERNEL_IPI) {
		moment.source = m->sources.list[e->source];
	}
	ret = m->ops->moment && !m->error ? m->ops->moment(m->arg, &moment) : 0;
	if (ret)
		m->error = ret;
}
