// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lives.c - threads that have one id after the other, and their names.
 *
 * Linux reuses the ids of threads that have ended.
 * In: kernel object records (those of fork, exec and rename with their time), and threads
 * that do something after they have died.
 * Out: a struct sched_thread for each life, with the names whose time lies in it. The last
 * life of an id is found by its id.
 *
 * Must hold: a life begins with its fork. If the fork record was lost, the life begins when
 * a dead thread is woken or switched in; if the fork record comes too late in the archive,
 * it finds that life. A name without a time belongs to the thread that has the id at that
 * place of the archive.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lives.h"
#include "span.h"
#include "threads.h"
#include "throttle.h"

#define UNTIMED		UINT64_MAX
#define NAMES_WAIT	1000000	/* at most, but for those of forks */

/**
 * struct sched_name - a kernel object record, until its turn has come
 * @due: ns, its turn
 * @number: in the order of the archive
 * @time: ns, UNTIMED if the record has none
 * @life: of a fork, the new thread
 * @is_exec: it describes an execve()
 * @with: of a main thread, the record of its process that came before, or NULL
 * @process: of a thread, the koid of its process; 0: unknown
 * @parent: of a main thread, the koid of its process's parent; 0: unknown
 * @cpus: of a thread, those that it may run on, NULL if the record has none
 */
struct sched_name {
	uint64_t due;
	uint64_t number;
	uint64_t time;
	uint64_t koid;
	uint64_t process;
	uint64_t parent;
	struct sched_thread *life;
	struct sched_name *with;
	char *cgroup;
	char *cpus;
	bool is_process;
	bool is_exec;
	char text[SCHED_NAME_BYTES];
};

static void free_name(struct sched_name *n)
{
	if (n->with)
		free(n->with->cgroup);
	free(n->with);
	free(n->cgroup);
	free(n->cpus);
	free(n);
}

/* --- which thread had the id ----------------------------------------------------------- */

static struct sched_thread *resolve(struct sched_thread *t)
{
	while (t && t->same)
		t = t->same;
	return t;
}

struct sched_thread *sched_life_at(struct sched_thread *t, uint64_t ns)
{
	while (t && t->before && ns < t->begin)
		t = t->before;
	return t;
}

struct sched_thread *sched_life_find(struct sched_model *m, uint64_t koid, uint64_t ns)
{
	struct sched_thread *t = sched_thread_find(&m->threads, koid);

	if (!t)
		return NULL;
	if (t->before && ns < t->begin)
		return resolve(sched_life_at(t, ns));
	while (t->next && t->next->begin <= ns)
		t = t->next;
	return resolve(t);
}

/*
 * Append the last life known so far, whatever its time. If no earlier thread with the koid is
 * known, there was none.
 */
static void append(struct sched_thread *t, struct sched_thread *life)
{
	bool is_first = !t->next && !t->before && !t->named && !t->last_offset;

	while (t->next)
		t = t->next;
	t->next = life;
	life->nth = t->nth + !is_first;
}

static void follow(struct sched_thread *life, struct sched_thread *before)
{
	life->before = before;
	life->nth = before ? before->nth + 1 : 0;
}

/* Another thread has its id: it can only leave its CPU now. */
static void end_life(struct sched_model *m, struct sched_thread *t, struct sched_thread *next)
{
	follow(next, t);
	next->overlaps = t->state == SCHED_RUNNING || t->state == 'R' || t->state == '+';
	if (next->overlaps)
		return;
	if (m->spans)
		sched_span_end(m, t);
	if (!sched_is_dead(t->state))
		t->state = SCHED_UNKNOWN;
}

void sched_life_left(struct sched_model *m, struct sched_thread *t)
{
	struct sched_thread *s = sched_thread_find(&m->threads, t->koid);

	if (s == t)
		return;
	for (; s && s->before != t; s = s->before)
		;
	if (s)
		s->overlaps = false;
	t->is_open = false;
}

struct sched_thread *sched_life_again(struct sched_model *m, struct sched_thread *t)
{
	struct sched_thread *life = sched_thread_another(&m->threads, t->koid);

	if (!life) {
		m->error = -ENOMEM;
		return NULL;
	}
	life->next = t->next;
	t->next = life;
	end_life(m, t, life);
	sched_thread_put(&m->threads, life);
	return life;
}

/* --- forks ------------------------------------------------------------------------- */

/*
 * The life that a fork at @ns began, if it exists already when the fork record is read:
 * nothing happened in it before @ns, and no other fork record belongs to it.
 */
static struct sched_thread *find_begun(struct sched_thread *t, uint64_t ns)
{
	struct sched_thread *found = NULL;

	for (; t && !t->is_forked; t = t->before) {
		if (t->last_offset && t->begin + SCHED_CLOCK_STEP < ns)
			break;
		found = t;
	}
	return found;
}

static void leave_process(struct sched_thread *t)
{
	if (t->owner)
		t->owner->threads--;
	t->owner = NULL;
	t->process = 0;
}

static struct sched_thread *begin_life(struct sched_model *m, const struct sched_name *n)
{
	struct sched_thread *t = sched_thread_find(&m->threads, n->koid);
	struct sched_thread *life = n->life, *begun = find_begun(t, n->time);

	if (begun)
		leave_process(begun);
	if (begun && begun->last_offset) {
		life->same = begun;
		begun->begin = n->time;
		begun->is_forked = true;
		return begun;
	}
	if (begun) {
		follow(life, begun->before);
		begun->same = life;
	} else if (t->begin > n->time) {
		/* Fork records that are out of order. */
		follow(life, t->before);
		follow(t, life);
		return life;
	} else {
		end_life(m, t, life);
	}
	sched_thread_put(&m->threads, life);
	return life;
}

/* --- names ------------------------------------------------------------------------- */

static void name_process(struct sched_model *m, struct sched_process *p,
			 const struct sched_name *n)
{
	char *cgroup = n->cgroup ? strdup(n->cgroup) : NULL;

	memcpy(p->name, n->text, sizeof(p->name));
	if (!cgroup && n->cgroup)
		m->error = -ENOMEM;
	if (!cgroup)
		return;
	free(p->cgroup);
	p->cgroup = cgroup;
}

/* Is this the main thread of a new process whose koid an earlier process had? */
static bool begins_process(const struct sched_thread *t, const struct sched_process *p,
			   const struct sched_name *n)
{
	if (t->koid != n->process)
		return false;
	return n->life ? p->threads : p->leader && p->leader != t && !t->owner;
}

static void adopt(struct sched_model *m, struct sched_thread *t, const struct sched_name *n)
{
	struct sched_process *p = sched_process_get(&m->threads, n->process);

	t->process = n->process;
	if (p && t->owner && t->owner->koid == n->process)
		return;
	if (p && begins_process(t, p, n))
		p = sched_process_another(&m->threads, n->process);
	if (!p) {
		m->error = -ENOMEM;
		return;
	}
	t->owner = p;
	p->threads++;
	if (t->koid == p->koid)
		p->leader = t;
}

/* A process that has lost its parent has another one: the first one counts. */
static void take_facts(struct sched_thread *t, struct sched_name *n)
{
	if (t->owner && t->owner->leader == t && !t->owner->parent_koid)
		t->owner->parent_koid = n->parent;
	if (n->cpus) {
		free(t->cpus);
		t->cpus = n->cpus;
		n->cpus = NULL;
	}
}

static void apply(struct sched_model *m, struct sched_name *n)
{
	struct sched_process *p;
	struct sched_thread *t;

	if (n->is_process) {
		p = sched_process_get(&m->threads, n->koid);
		if (p)
			name_process(m, p, n);
		else
			m->error = -ENOMEM;
		return;
	}
	t = sched_thread_get(&m->threads, n->koid);
	if (!t) {
		m->error = -ENOMEM;
		return;
	}
	t = n->life ? begin_life(m, n) : sched_life_at(t, n->time);
	memcpy(t->name, n->text, sizeof(t->name));
	t->named = true;
	if (n->is_exec && n->time > t->exec_time)
		t->exec_time = n->time;
	if (n->process)
		adopt(m, t, n);
	take_facts(t, n);
	if (n->with && t->owner)
		name_process(m, t->owner, n->with);
}

/* --- names that wait ---------------------------------------------------------------- */

static bool is_before(const struct sched_name *a, const struct sched_name *b)
{
	return a->due != b->due ? a->due < b->due : a->number < b->number;
}

static void sift_up(struct sched_name **heap, size_t i)
{
	struct sched_name *n = heap[i];

	for (; i && is_before(n, heap[(i - 1) / 2]); i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = n;
}

static void sift_down(struct sched_name **heap, size_t count)
{
	struct sched_name *n = heap[0];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < count) {
		if (child + 1 < count && is_before(heap[child + 1], heap[child]))
			child++;
		if (!is_before(heap[child], n))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = n;
}

static struct sched_name *take_first(struct sched_model *m)
{
	struct sched_name *n = m->names[0];

	m->names[0] = m->names[--m->name_count];
	if (m->name_count)
		sift_down(m->names, m->name_count);
	m->name_due = m->name_count ? m->names[0]->due : UINT64_MAX;
	return n;
}

void sched_names_due(struct sched_model *m, uint64_t ns)
{
	struct sched_name *n;

	while (m->name_count && m->names[0]->due <= ns) {
		n = take_first(m);
		apply(m, n);
		free_name(n);
	}
}

static int let_wait(struct sched_model *m, struct sched_name *n)
{
	size_t room = m->name_room ? 2 * m->name_room : 1024;
	struct sched_name **more;

	if (m->name_count == m->name_room) {
		more = reallocarray(m->names, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		m->names = more;
		m->name_room = room;
	}
	m->names[m->name_count] = n;
	sift_up(m->names, m->name_count++);
	m->name_due = m->names[0]->due;
	return 0;
}

/* --- records ----------------------------------------------------------------------- */

static int keep_text(char **to, const struct fxt_arg *a)
{
	free(*to);
	*to = strndup(a->text.bytes, a->text.length);
	return *to ? 0 : -ENOMEM;
}

static bool is_time(const struct fxt_arg *a)
{
	return a->type == FXT_ARG_UINT64 &&
	       (a->name.known == FXT_STR_FORK || a->name.known == FXT_STR_EXEC ||
		a->name.known == FXT_STR_RENAME || a->name.known == FXT_STR_FOLDED);
}

/* Return: 0 or -ENOMEM. */
static int take_arg(struct sched_name *n, const struct fxt_arg *a, uint64_t ticks_per_second,
		    bool *is_fork)
{
	uint16_t name = a->name.known;

	if (a->type == FXT_ARG_KOID && name == FXT_STR_PROCESS) {
		n->process = a->u64;
	} else if (a->type == FXT_ARG_KOID && name == FXT_STR_PARENT) {
		n->parent = a->u64;
	} else if (is_time(a) && !n->is_process) {
		n->time = fxt_ticks_to_ns(a->u64, ticks_per_second);
		*is_fork = name == FXT_STR_FORK;
		n->is_exec = name == FXT_STR_EXEC;
	} else if (a->type == FXT_ARG_STRING && name == FXT_STR_CGROUP) {
		return keep_text(&n->cgroup, a);
	} else if (a->type == FXT_ARG_STRING && name == FXT_STR_CPUS) {
		return keep_text(&n->cpus, a);
	}
	return 0;
}

/* Return: NULL without memory. */
static struct sched_name *take(const struct fxt_record *rec, const struct fxt_content *c,
			       bool *is_fork)
{
	struct sched_name *n = calloc(1, sizeof(*n));
	unsigned int i;
	int ret = 0;

	if (!n)
		return NULL;
	n->koid = c->object;
	n->time = UNTIMED;
	n->is_process = c->object_type == FXT_OBJECT_PROCESS;
	sched_set_name(n->text, sizeof(n->text), &c->name);
	for (i = 0; i < c->arg_count && !ret; i++)
		ret = take_arg(n, &c->args[i], rec->provider->ticks_per_second, is_fork);
	if (!ret)
		return n;
	free_name(n);
	return NULL;
}

/* The time assumed for a record without one: the latest time so far. */
static uint64_t latest(const struct sched_model *m)
{
	uint64_t time = m->name_latest;
	size_t i;

	for (i = 0; i < m->stream_count; i++)
		if (m->stream_list[i]->tail_ns > time)
			time = m->stream_list[i]->tail_ns;
	return time;
}

/* Each part of a recording repeats the record of a fork at its head. */
static bool is_announced(const struct sched_thread *t, uint64_t ns)
{
	const struct sched_thread *s;

	for (s = t; s && s->begin >= ns; s = s->before)
		if (s->is_forked && s->begin == ns)
			return true;
	for (s = t->next; s; s = s->next)
		if (s->is_forked && s->begin == ns)
			return true;
	return false;
}

/* Make the new thread known before the time of its fork has come. */
static int announce(struct sched_model *m, struct sched_name *n)
{
	struct sched_thread *t = sched_thread_get(&m->threads, n->koid);

	if (t && is_announced(t, n->time))
		return 0;
	n->life = t ? sched_thread_another(&m->threads, n->koid) : NULL;
	if (!n->life)
		return -ENOMEM;
	n->life->begin = n->time;
	n->life->is_forked = true;
	append(t, n->life);
	m->has_forks = true;
	return 0;
}

static bool is_named(const struct sched_model *m, const struct sched_name *n)
{
	const struct sched_thread *t = sched_thread_find(&m->threads, n->koid);
	const struct sched_process *p = sched_process_find(&m->threads, n->koid);

	return n->is_process ? p && *p->name : t && t->named;
}

/* Takes over @n. Return: 0 or -ENOMEM. */
static int queue(struct sched_model *m, struct sched_name *n, bool is_fork)
{
	bool is_timed = n->time != UNTIMED;
	bool first = !is_timed && !m->totals.switches && !m->totals.wakeups && !m->name_count;
	int ret = is_fork ? announce(m, n) : 0;

	n->due = is_timed ? n->time : latest(m);
	n->number = m->name_number++;
	m->name_latest = n->due > m->name_latest ? n->due : m->name_latest;
	first |= !is_fork && m->name_count > NAMES_WAIT;
	/* The only name of a thread is useful from the beginning. */
	if (!ret && (first || (!is_timed && !is_named(m, n))))
		apply(m, n);
	ret = ret ? ret : m->error;
	if (!ret && !first) {
		ret = let_wait(m, n);
		if (!ret)
			return 0;
	}
	free_name(n);
	return ret;
}

static int queue_held(struct sched_model *m)
{
	struct sched_name *n = m->held;

	m->held = NULL;
	return n ? queue(m, n, false) : 0;
}

int sched_take_name(struct sched_model *m, const struct fxt_record *rec,
		    const struct fxt_content *c)
{
	bool is_fork = false;
	struct sched_name *n;
	int ret = 0;

	if (c->object_type != FXT_OBJECT_PROCESS && c->object_type != FXT_OBJECT_THREAD)
		return 0;
	if (kernel_event_of_cgroup(c->object) && sched_take_cgroup(m, c))
		return -ENOMEM;
	n = take(rec, c, &is_fork);
	if (!n)
		return -ENOMEM;
	/* A process and its main thread come as a pair; only the thread's record has a time. */
	if (!n->is_process && n->time != UNTIMED && m->held && m->held->koid == n->koid) {
		n->with = m->held;
		m->held = NULL;
	}
	ret = queue_held(m);
	if (ret) {
		free_name(n);
		return ret;
	}
	if (!n->is_process)
		return queue(m, n, is_fork);
	m->held = n;
	return 0;
}

/* --- the end ----------------------------------------------------------------------- */

int sched_names_end(struct sched_model *m)
{
	return queue_held(m);
}

/* In an archive without any fork, names belong to ids, not to threads. */
void sched_lives_finish(struct sched_model *m)
{
	size_t i;

	sched_names_due(m, UINT64_MAX);
	for (i = 0; i < m->threads.count && !m->has_forks; i++) {
		struct sched_thread *t = m->threads.list[i];

		if (!t->before || t->named || !t->before->named)
			continue;
		memcpy(t->name, t->before->name, sizeof(t->name));
		t->named = true;
		t->process = t->before->process;
		t->owner = t->before->owner;
	}
}

void sched_lives_close(struct sched_model *m)
{
	if (m->held)
		free_name(m->held);
	while (m->name_count)
		free_name(m->names[--m->name_count]);
	free(m->names);
}
