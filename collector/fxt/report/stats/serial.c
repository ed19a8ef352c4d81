// SPDX-License-Identifier: GPL-2.0-or-later
/* serial.c - findings: one CPU is busy while the others are idle, or the host has it. */
#include <string.h>

#include "judge.h"

#define NOTABLE_SERIAL	0.50	/* a program has serial phases, but most should be parallel */
#define SERIAL_PART	0.25	/* of the serial time; others do not make it serial */
#define SERIAL_MOST	0.75	/* of the time of all threads of its name: it is named alone */

/* Time in which a CPU was idle for a reason that an earlier finding has. */
static uint64_t explained_ns(const struct judge *j)
{
	uint64_t ns = 0;
	size_t i;

	for (i = 0; i < j->count; i++) {
		const struct report_finding *f = &j->all[i].f;

		if (f->kind == REPORT_FINDING_CONVOY)
			return UINT64_MAX;
		if (f->kind == REPORT_FINDING_THROTTLED || f->kind == REPORT_FINDING_HELD ||
		    f->kind == REPORT_FINDING_LIMITED || f->idle_ns)
			ns += f->victim.ns + f->back.ns;
	}
	return ns;
}

/* The thread that ran alone longest, or all of its name if others of it did, too. */
static struct report_party find_alone(struct judge *j)
{
	const struct report *r = j->r;
	struct report_party p = { .threads = 1 };
	const struct loss_group *g;
	size_t i;

	for (i = 0; i < r->thread_count; i++) {
		if (r->threads[i]->n.alone <= p.ns || r->threads[i]->sched->same)
			continue;
		g = losses_group(&j->l, r->threads[i]->sched->id);
		if (!g->is_recorder)
			p = (struct report_party){
				.thread = r->threads[i], .threads = 1,
				.ns = r->threads[i]->n.alone,
			};
	}
	for (i = 0; i < r->comm_count && p.thread; i++) {
		const struct report_comm *c = r->comms[i];

		if (strcmp(c->name, p.thread->sched->name) || p.ns >= SERIAL_MOST * c->sum.n.alone)
			continue;
		p.threads = c->sum.threads;
		p.ns = c->sum.n.alone;
	}
	return p;
}

void finding_serial(struct judge *j)
{
	const struct report *r = j->r;
	uint64_t alone = r->totals.n.alone;	/* which CPU is the busy one is known */
	uint64_t ns = earlier(alone, j->e->busy.ns[METER_ONE]) - earlier(alone, j->e->blind);
	uint64_t known = explained_ns(j);
	struct report_party p;
	struct candidate *c;

	if (r->totals.cpus < 2 || ns < known || !is_notable(j, ns - known) ||
	    ns - known < NOTABLE_SERIAL * report_window(r))
		return;
	p = find_alone(j);
	if (!p.thread || p.ns < SERIAL_PART * ns)
		return;
	/* Includes time that was counted before another CPU became known. */
	p.ns = earlier(p.ns, ns);
	p.of = ns;
	c = finding_add(j, REPORT_FINDING_SERIAL);
	c->f.victim = p;
	c->rank = 1;
}

/* The CPU of which the host took most, and the thread that had a CPU for the most of such time. */
void finding_steal(struct judge *j)
{
	const struct report_cpu *most = NULL;
	const struct report *r = j->r;
	struct report_party p = { .threads = 1, .of = report_window(r) };
	struct candidate *c;
	size_t i;

	for (i = 0; i < r->cpu_count; i++)
		if (!most || r->cpus[i]->host > most->host)
			most = r->cpus[i];
	if (!most || !is_notable(j, most->host) || most->host < NOTABLE_SHARE * p.of)
		return;
	for (i = 0; i < r->thread_count; i++)
		if (!r->threads[i]->is_idle && (!p.thread || r->threads[i]->host > p.thread->host))
			p.thread = r->threads[i];
	if (!p.thread)
		return;
	c = finding_add(j, REPORT_FINDING_STEAL);
	p.ns = most->host;
	c->f.victim = p;
	c->f.cpu = most->number;
	c->rank = 1;
}
