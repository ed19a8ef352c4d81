// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * exec.c - threads that become the leader of their process in execve().
 *
 * Such a thread and the leader, which has to die first, exchange their ids. The new leader
 * runs meanwhile: its CPU switches out a thread that was never switched in there. The old
 * leader already counts as dead, but may not have left its CPU for the last time: it runs on
 * another CPU, or was preempted on its last steps, for example by the thread that waits for
 * its end. It takes these steps under the id of the other thread.
 *
 * In: events that do not fit.
 * Out: whether an execve() explains them.
 */
#include "exec.h"
#include "findings.h"

static bool is_runnable(char state)
{
	return state == 'R' || state == '+';
}

/*
 * Was there an execve() since the thread was switched in? A leader that is only preempted
 * may also have been switched in again without a record.
 */
static bool has_exec(const struct sched_model *m, const struct sched_misfit *f,
		     const struct sched_thread *leader)
{
	return leader->exec_time >= f->since || m->lost_names;
}

/* A thread whose name was lost may belong to any process. */
static bool may_be_of(const struct sched_model *m, const struct sched_thread *t, uint64_t process)
{
	return t->process == process || (m->lost_names && !t->named);
}

bool sched_is_exec(const struct sched_model *m, const struct sched_misfit *f)
{
	const struct sched_thread *out = f->thread, *in = f->before;

	if (!in || in == out || !out->koid || !in->koid)
		return false;
	/* The new leader is switched out where a thread of its process was switched in. */
	if (may_be_of(m, in, out->koid))
		return sched_is_dead(f->state) ||
		       (is_runnable(f->state) && has_exec(m, f, out)) ||
		       (f->state == SCHED_RUNNING && f->state_cpu != f->cpu) ||
		       (f->state == SCHED_UNKNOWN &&
			(in->last_offset == f->last_offset || has_exec(m, f, out)));
	/* The old one is switched out as that thread, dead or preempted. */
	return may_be_of(m, out, in->koid) &&
	       (sched_is_dead(f->out_state) || (is_runnable(f->out_state) && has_exec(m, f, in)));
}

bool sched_is_exec_leader(const struct sched_model *m, const struct sched_misfit *f)
{
	const struct sched_misfit *chain = m->misfits[SCHED_CHAIN];
	size_t i;

	if (f->kind != SCHED_TWO_CPUS || f->exec)
		return f->exec;
	for (i = 0; i < m->misfit_count[SCHED_CHAIN]; i++)
		if (chain[i].before == f->thread && chain[i].last_offset == f->last_offset &&
		    sched_is_exec(m, &chain[i]))
			return true;
	return false;
}

void sched_fold_execs(struct sched_model *m)
{
	struct sched_misfit *chain = m->misfits[SCHED_CHAIN];
	size_t i, n = 0;

	for (i = 0; i < m->misfit_count[SCHED_TWO_CPUS]; i++)
		m->misfits[SCHED_TWO_CPUS][i].exec =
			sched_is_exec_leader(m, &m->misfits[SCHED_TWO_CPUS][i]);
	for (i = 0; i < m->misfit_count[SCHED_CHAIN]; i++) {
		if (!sched_is_exec(m, &chain[i])) {
			chain[n++] = chain[i];
			continue;
		}
		sched_add(&m->execs, 1, chain[i].offset, chain[i].time);
		if (chain[i].self)
			chain[i].before->breaks--;
	}
	m->misfit_count[SCHED_CHAIN] = n;
}
