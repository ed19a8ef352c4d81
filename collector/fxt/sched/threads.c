// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * threads.c - threads and processes by id, their names, and their time in each state.
 *
 * In: kernel object records (those of fork, exec and rename with their time), threads that do
 * something after they have died, and the moments at which states change, in order.
 * Out: a struct sched_thread for each life of a reused id, with the names whose time lies in it,
 * and the parent of each process. The last life of an id is found by its id. Spans: the time that a
 * thread spent in one state. A span ends at the time of the latest event so far, so that late
 * events, and events reordered within a step of the clocks, do not make spans overlap.
 *
 * Must hold: a life begins with its fork. If the fork record was lost, the life begins when a dead
 * thread is woken or switched in; if the fork record is too late in the archive, it finds that
 * life. A name without a time belongs to the thread that has the id at that place of the archive.
 *
 * The parent of a process is the process that had the koid when its child was forked; of a process
 * without a fork, the first one that had it. The kernel frees the id of a dying thread before its
 * last switch, so its successor may run before, during and after that.
 */
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_waker.h>

#include "data.h"
#include "anomalies.h"
#include "libfxt/heap.h"
#include "libfxt/objects.h"
#include "queue.h"
#include "threads.h"

/* --- by id ------------------------------------------------------------------------------- */

#define CACHE_LINE	64
#define SLAB_THREADS	128
#define PAGE_KOIDS	1024

_Static_assert(offsetof(struct sched_thread, process) == CACHE_LINE,
	       "what each event touches fills one line");
_Static_assert(sizeof(struct sched_thread) % CACHE_LINE == 0, "lines stay whole");

/* Threads are in slabs, so that each starts at a cache line and never moves. */
struct sched_page {
	struct sched_page *next;
	char pad[CACHE_LINE - sizeof(struct sched_page *)];
	struct sched_thread threads[SLAB_THREADS];
};

/* The current thread or process with a koid. */
struct koid_entry {
	struct map_node node;
	uint64_t koid;
	void *owner;
};

static void *koid_find(const struct map *map, uint64_t koid)
{
	struct koid_entry *e;

	return map_find(map, map_hash(koid, 0), e, e->koid == koid) ? e->owner : NULL;
}

/* The koid refers to @owner from now on. */
static void koid_set(struct map *map, uint64_t koid, void *owner)
{
	struct koid_entry *e;

	map_get(map, map_hash(koid, 0), e, e->koid == koid);
	e->koid = koid;
	e->owner = owner;
}

static void free_cgroups(struct sched_cgroups *c)
{
	while (c->count)
		free(c->list[--c->count].path);
	free(c->list);
	free(c->asked);
}

void sched_threads_close(struct sched_threads *t)
{
	struct sched_page *slab;
	size_t i;

	for (i = 0; i < sizeof(t->pages) / sizeof(t->pages[0]); i++)
		free(t->pages[i]);
	for (i = 0; i < t->count; i++) {
		free(t->list[i]->cpus);
		if (t->list[i]->apart)
			free_cgroups(t->list[i]->apart);
		free(t->list[i]->apart);
	}
	while ((slab = t->slabs)) {
		t->slabs = slab->next;
		free(slab);
	}
	for (i = 0; i < t->process_count; i++) {
		free_cgroups(&t->processes[i]->cgroups);
		free(t->processes[i]);
	}
	map_free_all(&t->others, struct koid_entry);
	free(t->list);
	free(t->processes);
	map_free_all(&t->processes_by_koid, struct koid_entry);
}

static struct sched_thread *new_thread(struct sched_threads *t, uint64_t koid)
{
	struct sched_page *slab = t->slabs;
	struct sched_thread *thread;

	if (!slab || t->slab_used == SLAB_THREADS) {
		slab = must(aligned_alloc(CACHE_LINE, sizeof(*slab)));
		slab->next = t->slabs;
		t->slabs = slab;
		t->slab_used = 0;
	}
	thread = &slab->threads[t->slab_used++];
	*thread = (struct sched_thread){
		.koid = koid,
		.id = t->count,
		.state = SCHED_UNKNOWN,
		/* The idle threads run on all CPUs at once, so they have no state. */
		.on_state = koid ? SCHED_RUNNING : SCHED_UNKNOWN,
		.cpu = SCHED_NO_CPU,
		.queue = SCHED_NO_CPU,
		.waker_cpu = SCHED_NO_CPU,
	};
	array_more(t->list, t->count);
	t->list[t->count++] = thread;
	return thread;
}

static struct sched_thread **page_of(struct sched_threads *t, uint64_t koid)
{
	struct sched_thread ***page = &t->pages[koid / PAGE_KOIDS];

	if (!*page)
		*page = must(calloc(PAGE_KOIDS, sizeof(**page)));
	return *page;
}

/* The koid refers to a thread from new_thread(). */
static struct sched_thread *thread_put(struct sched_threads *t, struct sched_thread *thread)
{
	uint64_t koid = thread->koid;

	if (koid >> 22)
		koid_set(&t->others, koid, thread);
	else
		page_of(t, koid)[koid % PAGE_KOIDS] = thread;
	return thread;
}

struct sched_thread *sched_thread_slow(struct sched_threads *t, uint64_t koid)
{
	struct sched_thread *thread = sched_thread_find(t, koid);

	return thread ? thread : thread_put(t, new_thread(t, koid));
}

struct sched_thread *sched_thread_find(const struct sched_threads *t, uint64_t koid)
{
	struct sched_thread **page;

	if (koid >> 22)
		return koid_find(&t->others, koid);
	page = t->pages[koid / PAGE_KOIDS];
	return page ? page[koid % PAGE_KOIDS] : NULL;
}

/* The koid refers to the new process from now on. */
static struct sched_process *process_add(struct sched_threads *t, uint64_t koid)
{
	struct sched_process *p = new_zero(struct sched_process);
	struct sched_process *before = koid_find(&t->processes_by_koid, koid);

	p->koid = koid;
	p->id = t->process_count;
	p->nth = before ? before->nth + 1 : 0;
	array_more(t->processes, t->process_count);
	t->processes[t->process_count++] = p;
	koid_set(&t->processes_by_koid, koid, p);
	return p;
}

static struct sched_process *process_get(struct sched_threads *t, uint64_t koid)
{
	struct sched_process *p = koid_find(&t->processes_by_koid, koid);

	return p ? p : process_add(t, koid);
}

/* --- the time in each state -------------------------------------------------------------- */

/* Events before a part do not belong to it. */
static void report_span(struct sched_model *m, struct sched_span span)
{
	if (unlikely(span.from < m->begins)) {
		if (span.to <= m->begins)
			return;
		span.from = m->begins;
		span.by_mark = true;
	}
	sched_report(m, span, &span);
}

static void report_span_of(struct sched_model *m, struct sched_thread *t, char end)
{
	bool on_cpu = t->state == SCHED_RUNNING || sched_is_runnable(t->state);

	report_span(m, (struct sched_span){
		    .thread = t,
		    .from = t->since,
		    .to = m->now,
		    .state = t->state,
		    .end_state = t->state == SCHED_RUNNING ? end : SCHED_UNKNOWN,
		    .is_open = m->has_ended,
		    .by_mark = t->by_mark,
		    .by_idle = t->state == 'R' && t->by_idle,
		    .has_weight = t->has_weight,
		    .weight = t->weight,
		    .cpu = on_cpu || t->is_refuted ? t->cpu : SCHED_NO_CPU,
		    .waker = t->state == 'R' && !t->irq ? t->waker : NULL,
		    .hit = t->state == 'R' && t->irq ? t->waker : NULL,
		    .waker_cpu = t->state == 'R' ? t->waker_cpu : SCHED_NO_CPU,
		    .irq = t->state == 'R' ? t->irq : FXT_SCHED_IRQ_NONE,
	    });
}

void sched_span_end(struct sched_model *m, struct sched_thread *t)
{
	if (t->is_open)
		report_span_of(m, t, SCHED_UNKNOWN);
	t->is_open = false;
}

void sched_span_next(struct sched_model *m, struct sched_thread *t, char end,
		     char state, uint16_t cpu)
{
	if (t->is_open)
		report_span_of(m, t, end);
	t->is_open = true;
	t->by_mark = t->is_refuted = false;
	t->state = state;
	t->since = m->now;
	t->cpu = cpu;
}

void sched_span_idle(struct sched_model *m, const struct sched_cpu *cpu, char end)
{
	report_span(m, (struct sched_span){
		    .thread = cpu->current,
		    .from = cpu->shown,
		    .to = m->now,
		    .state = SCHED_RUNNING,
		    .end_state = end,
		    .is_open = m->has_ended,
		    .by_mark = cpu->by_mark,
		    .has_weight = cpu->current->has_weight,
		    .weight = cpu->current->weight,
		    .cpu = cpu->number,
		    .waker_cpu = SCHED_NO_CPU,
	    });
}

void sched_spans_finish(struct sched_model *m)
{
	struct sched_cpu *cpu;
	size_t i;

	m->has_ended = true;
	for (cpu = m->cpu_list; cpu; cpu = cpu->next)
		if (cpu->current && !cpu->current->koid && !cpu->has_ended)
			sched_span_idle(m, cpu, SCHED_UNKNOWN);
	for (i = 0; i < m->threads.count; i++)
		if (m->threads.list[i]->is_open)
			report_span_of(m, m->threads.list[i], SCHED_UNKNOWN);
}

/* --- one id after the other -------------------------------------------------------------- */

#define UNTIMED		UINT64_MAX
#define NAMES_WAIT	1000000	/* limit of waiting names, not counting forks */

/* A kernel object record that waits for its time. */
struct sched_name {
	uint64_t due;		/* ns, when it is applied */
	uint64_t number;	/* position in the archive */
	uint64_t time;		/* ns, UNTIMED if the record has none */
	uint64_t koid;
	uint64_t process;	/* of a thread, koid of its process; 0: unknown */
	uint64_t parent;	/* of a main thread, koid of its process's parent; 0: unknown */
	struct sched_thread *life;	/* of a fork, the new thread */
	struct sched_name *with;	/* of a main thread, its process's record before, or NULL */
	char *cgroup;
	char *cpus;		/* of a thread: that it may run on; NULL if the record has none */
	struct sched_sight sight;	/* of a thread, when it was listed, if that has a letter */
	bool is_process;
	bool is_exec;		/* it describes an execve() */
	bool is_move;		/* it describes a move between cgroups */
	bool is_sight;		/* only @koid and @sight are set */
	bool is_place;		/* only @koid, @cgroup, @is_process, and @time in its life are set */
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
		t = ns < t->jump->begin ? t->jump : t->before;
	return t;
}

/* An announced fork, by koid and time; UNTIMED: the last one of the koid. */
struct fork {
	struct map_node node;
	uint64_t koid;
	uint64_t ns;
	struct sched_thread *life;
};

/* The last known life, whatever its time. */
static struct sched_thread *last_life(const struct sched_model *m, struct sched_thread *t)
{
	const struct fork *last;

	if (map_find(&m->forks, map_hash(t->koid, UNTIMED), last,
		     last->koid == t->koid && last->ns == UNTIMED) && last->life)
		t = last->life;
	while (t->next)
		t = t->next;
	return t;
}

struct sched_thread *sched_life_find(struct sched_model *m, uint64_t koid, uint64_t ns)
{
	struct sched_thread *t = sched_thread_find(&m->threads, koid);

	if (!t)
		return NULL;
	if (ns == UNTIMED)
		return resolve(last_life(m, t));
	if (t->before && ns < t->begin)
		return resolve(sched_life_at(t, ns));
	while (t->next && t->next->begin <= ns)
		t = t->next;
	return resolve(t);
}

/* Returns false if it is new. */
static bool find_fork(struct sched_model *m, uint64_t koid, uint64_t ns, struct fork **fork)
{
	struct fork *f;
	bool is_new = map_get(&m->forks, map_hash(koid, ns), f, f->koid == koid && f->ns == ns);

	f->koid = koid;
	f->ns = ns;
	*fork = f;
	return !is_new;
}

/*
 * Append to the last known life, whatever its time. If no earlier thread with the koid is known,
 * there was none.
 */
static void append(struct sched_model *m, struct sched_thread *t, struct sched_thread *life)
{
	bool is_first = !t->next && !t->before && !t->named && !t->last_offset;
	struct fork *last;

	t = last_life(m, t);
	t->next = life;
	find_fork(m, t->koid, UNTIMED, &last);
	last->life = life;
	life->nth = t->nth + !is_first;
}

/*
 * The life to which the search for a time may jump from the one after @before: the search takes
 * about the logarithm of the number of lives in steps.
 */
static struct sched_thread *jump_from(struct sched_thread *before)
{
	struct sched_thread *jump = before ? before->jump : NULL;

	return jump && jump->jump && before->nth - jump->nth == jump->nth - jump->jump->nth ?
	       jump->jump : before;
}

static void follow(struct sched_thread *life, struct sched_thread *before)
{
	life->before = before;
	life->jump = jump_from(before);
	life->nth = before ? before->nth + 1 : 0;
}

/* Another thread has its id. The old thread can only leave its CPU. */
static void end_life(struct sched_model *m, struct sched_thread *t, struct sched_thread *next)
{
	follow(next, t);
	next->overlaps = t->state == SCHED_RUNNING || sched_is_runnable(t->state);
	if (next->overlaps)
		return;
	if (m->spans)
		sched_span_end(m, t);
	if (!sched_is_dead(t->state))
		t->state = SCHED_UNKNOWN;
}

struct sched_thread *sched_life_stays(struct sched_model *m, struct sched_thread *t)
{
	struct sched_thread *s = sched_thread_find(&m->threads, t->koid);

	for (; s && s != t; s = s->before)
		s->overlaps |= s->before == t;
	return t;
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
	struct sched_thread *life = new_thread(&m->threads, t->koid);

	life->next = t->next;
	t->next = life;
	end_life(m, t, life);
	return thread_put(&m->threads, life);
}

/* --- forks ------------------------------------------------------------------------- */

/*
 * Find the life that a fork at @ns began, if it existed before the fork record was read: it has no
 * event before @ns, no CPU from before, and no other fork record.
 */
static struct sched_thread *find_begun(struct sched_thread *t, uint64_t ns)
{
	struct sched_thread *found = NULL;

	for (; t && !t->is_forked; t = t->before) {
		if (t->last_offset && (t->had_cpu || t->begin + SCHED_CLOCK_STEP < ns))
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
	return thread_put(&m->threads, life);
}

/* --- names ------------------------------------------------------------------------- */

/*
 * A process or thread is in a cgroup since @time; in the first one without a time, always. An empty
 * @path means unknown.
 */
static void move_to(struct sched_cgroups *c, const char *path, uint64_t time, bool is_alone)
{
	const struct sched_in_cgroup *last = c->count ? &c->list[c->count - 1] : NULL;
	struct sched_in_cgroup in = {
		.from = time, .path = *path ? must(strdup(path)) : NULL, .is_alone = is_alone,
	};

	/* Looked up at the end, when it had moved without a recorded event. */
	if (time == UNTIMED)
		in.is_alone = last && last->is_alone;
	/* The list stays in the order of time, whatever the archive contains. */
	if (time == UNTIMED || (last && in.from < last->from))
		in.from = last ? last->from : 0;
	in.together = !in.is_alone ? c->count + 1 : last ? last->together : 0;
	free(c->asked);
	c->asked = NULL;
	array_more(c->list, c->count);
	c->list[c->count++] = in;
}

static bool is_last(const struct sched_cgroups *c, const char *path)
{
	const char *last = c->count ? c->list[c->count - 1].path : NULL;

	return c->count && (last ? !strcmp(last, path) : !*path);
}

static void move_process(struct sched_process *p, const char *path, uint64_t time, bool is_alone)
{
	bool gathers = p->has_apart && time != UNTIMED && !is_alone;

	if (!gathers && is_last(&p->cgroups, path))
		return;
	move_to(&p->cgroups, path, time, is_alone);
	p->cgroup = p->cgroups.list[p->cgroups.count - 1].path;
	p->has_apart = !gathers && (p->has_apart || is_alone);
}

/* A thread is in a cgroup without its process. */
static void move_thread(struct sched_thread *t, const char *path, uint64_t time)
{
	if (t->owner && t->owner->koid == t->koid) {
		move_process(t->owner, path, time, true);
		return;
	}
	if (!t->apart)
		t->apart = new_zero(struct sched_cgroups);
	if (time != UNTIMED || !is_last(t->apart, path))
		move_to(t->apart, path, time, false);
	if (t->owner)
		t->owner->has_apart = true;
}

static void name_process(struct sched_process *p, const struct sched_name *n, uint64_t time)
{
	memcpy(p->name, n->text, sizeof(p->name));
	if (n->cgroup)
		move_process(p, n->cgroup, time, false);
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
	struct sched_process *p = process_get(&m->threads, n->process);

	t->process = n->process;
	if (t->owner && t->owner->koid == n->process)
		return;
	if (begins_process(t, p, n))
		p = process_add(&m->threads, n->process);
	t->owner = p;
	p->threads++;
	if (t->koid == p->koid)
		p->leader = t;
}

/* An orphaned process has a new parent, but the first one counts. */
static void set_facts(struct sched_thread *t, struct sched_name *n)
{
	if (t->owner && t->owner->leader == t && !t->owner->parent_koid)
		t->owner->parent_koid = n->parent;
	if (n->cpus) {
		free(t->cpus);
		t->cpus = n->cpus;
		n->cpus = NULL;
	}
}

/* In a part of a recording, events after it may be missing. */
static void apply_sight(struct sched_model *m, struct sched_name *n)
{
	m->sights--;
	if (m->filter.threads || m->filter.cpus || n->sight.time < m->begins ||
	    n->sight.time < m->totals.complete)
		return;
	n->sight.thread = sched_thread_get(&m->threads, n->koid);
	sched_report(m, sight, &n->sight);
}

static void apply_place(struct sched_model *m, const struct sched_name *n)
{
	struct sched_thread *t = sched_life_at(sched_thread_get(&m->threads, n->koid), n->time);

	if (!n->is_process)
		move_thread(t, n->cgroup, UNTIMED);
	else if (t->owner)
		move_process(t->owner, n->cgroup, UNTIMED, false);
}

/* Other names with a time, which are written at the end, have the cgroup of then. */
static uint64_t moved_at(const struct sched_name *n)
{
	return n->is_move || n->life ? n->time : UNTIMED;
}

static void apply(struct sched_model *m, struct sched_name *n)
{
	struct sched_thread *t;

	if (n->is_sight) {
		apply_sight(m, n);
		return;
	}
	if (n->is_place) {
		apply_place(m, n);
		return;
	}
	if (n->is_process) {
		name_process(process_get(&m->threads, n->koid), n, UNTIMED);
		return;
	}
	t = sched_thread_get(&m->threads, n->koid);
	t = n->life ? begin_life(m, n) : sched_life_at(t, n->time);
	if (t->named && strcmp(t->name, n->text))
		t->renamed = n->time;
	memcpy(t->name, n->text, sizeof(t->name));
	t->named = true;
	if (!strncmp(n->text, FXT_SCHED_KTIMERS, strlen(FXT_SCHED_KTIMERS)))
		m->threads.is_rt = true;
	if (n->is_exec && n->time > t->exec_time)
		t->exec_time = n->time;
	if (n->process)
		adopt(m, t, n);
	set_facts(t, n);
	if (n->with && t->owner)
		name_process(t->owner, n->with, moved_at(n));
	if (n->cgroup)
		move_thread(t, n->cgroup, moved_at(n));
	/* The thread that called execve() is the main thread now, in the cgroup where it was. */
	if (n->is_exec && t->owner && t->owner->has_apart)
		move_process(t->owner, "", n->time, false);
}

/* --- names that wait ---------------------------------------------------------------- */

static bool is_before(const struct sched_name *a, const struct sched_name *b)
{
	return a->due != b->due ? a->due < b->due : a->number < b->number;
}

#define NAME_BEFORE(arg, a, b)	is_before(a, b)

void sched_names_due(struct sched_model *m, uint64_t ns)
{
	struct sched_name *n;

	while (m->name_count && m->names[0]->due <= ns) {
		n = heap_pop(m->names, m->name_count, NAME_BEFORE, m);
		m->name_due = m->name_count ? m->names[0]->due : UINT64_MAX;
		apply(m, n);
		free_name(n);
	}
}

static void let_wait(struct sched_model *m, struct sched_name *n)
{
	array_more(m->names, m->name_count);
	heap_push(m->names, m->name_count, n, NAME_BEFORE, m);
	m->name_due = m->names[0]->due;
}

/* --- records ----------------------------------------------------------------------- */

static void keep_text(char **to, const struct fxt_arg *a)
{
	free(*to);
	*to = must(strndup(a->text.bytes, a->text.length));
}

static bool is_time(const struct fxt_arg *a)
{
	return a->type == FXT_ARG_UINT64 && fxt_object_is_time(a->name.known);
}

static void decode_arg(struct sched_name *n, const struct fxt_arg *a, uint64_t ticks_per_second,
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
		n->is_move = name == FXT_STR_ATTACH;
	} else if (a->type == FXT_ARG_STRING && name == FXT_STR_STATE && a->text.length == 1) {
		n->sight.state = *a->text.bytes;
	} else if (a->type == FXT_ARG_UINT32 && name == FXT_STR_CPU) {
		n->sight.cpu = a->u64 < SCHED_NO_CPU ? a->u64 : SCHED_NO_CPU;
	} else if (a->type == FXT_ARG_UINT64 && name == FXT_STR_SEEN) {
		n->sight.time = fxt_ticks_to_ns(a->u64, ticks_per_second);
	} else if (a->type == FXT_ARG_STRING && name == FXT_STR_CGROUP) {
		keep_text(&n->cgroup, a);
	} else if (a->type == FXT_ARG_STRING && name == FXT_STR_CPUS) {
		keep_text(&n->cpus, a);
	}
}

static struct sched_name *read_name(const struct fxt_record *rec, const struct fxt_content *c,
				    bool *is_fork)
{
	struct sched_name *n = new_zero(struct sched_name);
	unsigned int i;

	n->koid = c->object;
	n->time = UNTIMED;
	n->sight.cpu = SCHED_NO_CPU;
	n->is_process = c->object_type == FXT_OBJECT_PROCESS;
	sched_set_name(n->text, sizeof(n->text), &c->name);
	for (i = 0; i < c->arg_count; i++)
		decode_arg(n, &c->args[i], rec->provider->ticks_per_second, is_fork);
	return n;
}

/* The time assumed for a record without a time is the latest so far. */
static uint64_t latest(const struct sched_model *m)
{
	uint64_t time = m->name_latest;
	size_t i;

	for (i = 0; i < m->stream_count; i++)
		if (m->stream_list[i]->tail_ns > time)
			time = m->stream_list[i]->tail_ns;
	return time;
}

/* Create the new thread before the time of its fork is reached. */
static void announce(struct sched_model *m, struct sched_name *n)
{
	struct sched_thread *t = sched_thread_get(&m->threads, n->koid);
	struct fork *fork;

	/* Each part of a recording repeats the record of a fork at its head. */
	if (find_fork(m, n->koid, n->time, &fork))
		return;
	n->life = new_thread(&m->threads, n->koid);
	n->life->begin = n->time;
	n->life->is_forked = true;
	append(m, t, n->life);
	m->has_forks = true;
}

/* Names of a process whose fork is still to come wait, too. */
static bool is_named(const struct sched_model *m, const struct sched_name *n)
{
	const struct sched_thread *t = sched_thread_find(&m->threads, n->koid);
	const struct sched_process *p = koid_find(&m->threads.processes_by_koid, n->koid);

	return n->is_process ? (p && *p->name) || (t && t->next) : t && t->named;
}

/* What a thread did waits for its time, even if its name is known before. */
static void queue_sight(struct sched_model *m, const struct sched_name *n)
{
	struct sched_name *sight;

	if (!n->sight.state || !n->sight.time || n->is_process)
		return;
	sight = new_zero(struct sched_name);
	sight->due = n->sight.time;
	sight->number = m->name_number++;
	sight->koid = n->koid;
	sight->sight = n->sight;
	sight->is_sight = true;
	let_wait(m, sight);
	m->sights++;
}

/* A repeated fork has the cgroup of where it is repeated, not that of its time. */
static void queue_place(struct sched_model *m, struct sched_name *n)
{
	struct sched_name *of = n->cgroup ? n : n->with, *place;

	if (!of || !of->cgroup)
		return;
	place = new_zero(struct sched_name);
	place->due = latest(m);
	place->number = m->name_number++;
	place->time = n->time;
	place->koid = n->koid;
	place->cgroup = of->cgroup;
	of->cgroup = NULL;
	place->is_process = of == n->with;
	place->is_place = true;
	let_wait(m, place);
}

/* Takes ownership of @n. */
static void queue_name(struct sched_model *m, struct sched_name *n, bool is_fork)
{
	bool is_timed = n->time != UNTIMED;
	bool first = !is_timed && !m->totals.switches && !m->totals.wakeups &&
		     m->name_count == m->sights;

	if (is_fork)
		announce(m, n);
	if (is_fork && !n->life)
		queue_place(m, n);
	queue_sight(m, n);
	n->due = is_timed ? n->time : latest(m);
	n->number = m->name_number++;
	m->name_latest = n->due > m->name_latest ? n->due : m->name_latest;
	first |= !is_fork && m->name_count > NAMES_WAIT;
	/* The only name of a thread is valid from the beginning. */
	if (first || (!is_timed && !is_named(m, n)))
		apply(m, n);
	if (first)
		free_name(n);
	else
		let_wait(m, n);
}

void sched_add_name(struct sched_model *m, const struct fxt_record *rec,
		    const struct fxt_content *c)
{
	bool is_fork = false;
	struct sched_name *n;

	if (c->object_type != FXT_OBJECT_PROCESS && c->object_type != FXT_OBJECT_THREAD)
		return;
	n = read_name(rec, c, &is_fork);
	/* A process and its main thread come as a pair; only the thread's record has a time. */
	if (!n->is_process && n->time != UNTIMED && m->held && m->held->koid == n->koid) {
		n->with = m->held;
		m->held = NULL;
	}
	sched_names_end(m);
	if (n->is_process)
		m->held = n;
	else
		queue_name(m, n, is_fork);
}

/* --- the end ----------------------------------------------------------------------- */

void sched_names_end(struct sched_model *m)
{
	struct sched_name *n = m->held;

	m->held = NULL;
	if (n)
		queue_name(m, n, false);
}

/* In an archive without forks, names belong to ids, not to threads. */
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
	map_free_all(&m->forks, struct fork);
}

/* --- parents of processes ---------------------------------------------------------------- */

static struct sched_process *parent_of(struct sched_model *m, const struct sched_process *p)
{
	const struct sched_thread *leader = p->leader, *of;

	of = sched_life_find(m, p->parent_koid,
			     leader && leader->is_forked ? leader->begin : 0);
	if (of && of->owner && of->owner->koid == p->parent_koid)
		return of->owner;
	return koid_find(&m->threads.processes_by_koid, p->parent_koid);
}

void sched_parents_finish(struct sched_model *m)
{
	struct sched_process *p, *parent;
	size_t i;

	for (i = 0; i < m->threads.process_count; i++) {
		p = m->threads.processes[i];
		parent = p->parent_koid ? parent_of(m, p) : NULL;
		p->parent = parent == p ? NULL : parent;
	}
}

#define GENERATIONS	64	/* limit, because hostile archives have circles */

bool sched_is_started_by(const struct sched_process *p, uint64_t koid)
{
	unsigned int i;

	for (i = 0; p && i < GENERATIONS; i++, p = p->parent)
		if (p->koid == koid)
			return true;
	return false;
}

/* --- two threads with one id at once ----------------------------------------------------- */

#define AHEAD_EVENTS	4096	/* events of a CPU to look at */

/*
 * If both threads wait on this CPU, does @e switch in the earlier one? Read ahead to the first
 * death, as long as they alternate: the earlier one needs the CPU only to die.
 */
static bool is_earlier(const struct sched_model *m, const struct sched_stream *s,
		       const struct sched_event *e)
{
	const struct sched_block *block = s->head;
	const struct sched_event *next = e;
	uint64_t since = e->time, ran[2] = { 0 };
	unsigned int n, other = 0;

	for (n = 0; n < AHEAD_EVENTS; n++) {
		next = sched_queue_after(m, s, &block, next);
		if (!next)
			break;
		if (next->kind != SCHED_EVENT_SWITCH && next->kind != SCHED_EVENT_LEAVE)
			continue;
		if (next->a != e->b)
			break;
		if (sched_is_dead(next->state))
			return !other;
		ran[other] += next->time - since;
		since = next->time;
		if (next->kind != SCHED_EVENT_SWITCH || next->b != e->b)
			break;
		other = !other;
	}
	return ran[0] < ran[1];
}

struct sched_thread *sched_reuse_in(const struct sched_model *m, const struct sched_stream *s,
				    const struct sched_event *e, struct sched_thread *t)
{
	struct sched_thread *before = t->before;

	if (!sched_is_runnable(before->state))
		return t;
	if (!sched_is_runnable(t->state) && t->state != SCHED_UNKNOWN)
		return before;
	if (t->queue != before->queue)
		return before->queue == e->cpu ? before : t;
	return is_earlier(m, s, e) ? before : t;
}

/*
 * In a part of a recording, the earlier thread's last switch may be its first known event. But what
 * the successor does is known.
 */
bool sched_reuse_out(const struct sched_thread *t, const struct sched_thread *current,
		     const struct sched_event *e)
{
	if (!sched_is_dead(e->state) || sched_runs_on(t, e->cpu))
		return false;
	return t->overlaps || (!current && t->before && t->state != SCHED_UNKNOWN &&
			       t->before->state == SCHED_UNKNOWN);
}

struct sched_thread *sched_reuse_dies(struct sched_thread *t)
{
	struct sched_thread *before = t->before;

	if (!sched_is_runnable(before->state))
		return t;
	before->state = t->state;
	t->state = 'R';
	return before;
}

void sched_report_itself(struct sched_model *m, const struct sched_event *e)
{
	sched_fault(m, SCHED_RECORD, e->offset, e->time,
		    "cpu %u: the same thread is switched out and in", e->cpu);
}

/* If a dying thread's successor is unknown, the record of its fork was lost. */
struct sched_thread *sched_follow_itself(struct sched_model *m, const struct sched_event *e,
					 struct sched_thread *t)
{
	if (sched_is_dead(e->state))
		return sched_life_again(m, t);
	sched_report_itself(m, e);
	return t;
}
