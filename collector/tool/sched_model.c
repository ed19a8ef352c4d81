// SPDX-License-Identifier: GPL-2.0-or-later
/* sched_model.c - see sched_model.h. */
#include <errno.h>
#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "sched_model.h"

/* What a CPU does between two of its switches. */
struct cpu {
	bool seen;
	uint64_t since;		/* ticks */
	uint64_t thread;	/* koid */
};

/* While reading, threads hang in a tree; afterwards in one array. */
struct reading {
	struct model *m;
	struct fxt_reader *r;
	void *tree;
	struct cpu cpus[1 << 16];
};

static int by_koid(const void *a, const void *b)
{
	const struct model_thread *x = a, *y = b;

	return x->koid < y->koid ? -1 : x->koid > y->koid;
}

static struct model_thread *thread_of(struct reading *rd, uint64_t koid)
{
	struct model_thread key = { .koid = koid }, *t, **found;

	found = tfind(&key, &rd->tree, by_koid);
	if (found)
		return *found;
	t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	t->koid = koid;
	if (!tsearch(t, &rd->tree, by_koid)) {
		free(t);
		return NULL;
	}
	rd->m->count++;
	return t;
}

static void note_time(struct model *m, uint64_t time)
{
	if (!m->first || time < m->first)
		m->first = time;
	if (time > m->last)
		m->last = time;
}

static int read_switch(struct reading *rd, const struct fxt_record *rec)
{
	struct model_thread *out;
	struct fxt_switch s;
	struct cpu *cpu;

	if (fxt_read_switch(rd->r, rec, &s))
		return -EBADMSG;
	out = thread_of(rd, s.out);
	if (!out || !thread_of(rd, s.in))
		return -ENOMEM;
	note_time(rd->m, s.time);
	rd->m->switches++;
	out->switches++;
	out->preempted += s.out && s.state == FXT_THREAD_NEW;

	cpu = &rd->cpus[s.cpu];
	rd->m->cpus += !cpu->seen;
	/* After a loss nobody knows who ran until when. */
	if (cpu->seen && cpu->thread == s.out)
		out->run += s.time - cpu->since;
	*cpu = (struct cpu){ true, s.time, s.in };
	return 0;
}

static int read_wakeup(struct reading *rd, const struct fxt_record *rec)
{
	struct model_thread *t;
	struct fxt_wakeup w;

	if (fxt_read_wakeup(rd->r, rec, &w))
		return -EBADMSG;
	t = thread_of(rd, w.thread);
	if (!t)
		return -ENOMEM;
	note_time(rd->m, w.time);
	rd->m->wakeups++;
	t->wakeups++;
	return 0;
}

static int read_object(struct reading *rd, const struct fxt_record *rec)
{
	struct model_thread *t;
	struct fxt_object o;
	size_t length;

	if (fxt_read_object(rd->r, rec, &o))
		return -EBADMSG;
	if (o.type != FXT_OBJECT_THREAD)
		return 0;
	t = thread_of(rd, o.koid);
	if (!t)
		return -ENOMEM;
	length = o.name.length < sizeof(t->name) ? o.name.length : sizeof(t->name) - 1;
	memcpy(t->name, o.name.bytes, length);
	t->name[length] = '\0';
	t->process = o.process;
	return 0;
}

static int read_record(struct reading *rd, const struct fxt_record *rec)
{
	struct fxt_ledger ledger;

	switch (rec->type) {
	case FXT_RECORD_KERNEL_OBJECT:
		return read_object(rd, rec);
	case FXT_RECORD_BLOB:
		if (rec->size == FXT_LEDGER_WORDS &&
		    fxt_sched_get_ledger((const __u64 *)rec->words, &ledger) &&
		    ledger.kind == FXT_LEDGER_CLOSING)
			rd->m->lost += ledger.lost;
		return 0;
	case FXT_RECORD_SCHEDULING:
		switch (fxt_get(FXT_SCHEDULING_TYPE, rec->words[0])) {
		case FXT_SCHEDULING_CONTEXT_SWITCH:
			return read_switch(rd, rec);
		case FXT_SCHEDULING_THREAD_WAKEUP:
			return read_wakeup(rd, rec);
		}
	}
	return 0;
}

/* From the tree into the array; twalk_r() gives them in their order. */
static void collect(const void *node, VISIT visit, void *arg)
{
	struct model *m = arg;

	if (visit == postorder || visit == leaf)
		m->threads[m->count++] = **(struct model_thread * const *)node;
}

int model_read(struct model *m, struct fxt_reader *r)
{
	struct reading *rd = calloc(1, sizeof(*rd));
	struct fxt_record rec;
	int ret, failed = 0;

	*m = (struct model){ 0 };
	if (!rd)
		return -ENOMEM;
	rd->m = m;
	rd->r = r;
	while (!failed && (ret = fxt_reader_next(r, &rec)) > 0)
		failed = read_record(rd, &rec);
	if (!failed)
		failed = ret;

	m->threads = calloc(m->count + 1, sizeof(*m->threads));
	m->count = 0;
	if (m->threads)
		twalk_r(rd->tree, collect, m);
	else
		failed = -ENOMEM;
	tdestroy(rd->tree, free);
	free(rd);
	return failed;
}

void model_free(struct model *m)
{
	free(m->threads);
	*m = (struct model){ 0 };
}
