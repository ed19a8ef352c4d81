// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * events.c - events of the kernel other than switches and wakeups.
 *
 * In: these events, in the order of time.
 * Out: slices, migrations, frequencies and moments; anomalies: a migration from a CPU where the
 * thread is not, two work items of a kworker at once. Other files handle interrupts and idle states
 * (interrupts.c), calls and exits (syscalls.c), cgroups, stacks and requests.
 *
 * Nothing is reported where it is unknown which thread runs: before the first switch of a CPU,
 * after a loss, in a filtered recording, and while a thread runs that the kernel may hide.
 */
#include <inttypes.h>
#include <string.h>

#include "data.h"
#include "anomalies.h"
#include "queue.h"
#include "threads.h"

#define LOOK_STREAMS	64	/* streams searched, and events in each */
#define LOOK_EVENTS	64

/* --- slices ------------------------------------------------------------------------ */

/* The thread with an id, if it is another thread of the process of @of; else NULL. */
static struct sched_thread *fellow_of(struct sched_model *m, uint64_t koid,
				      const struct sched_thread *of)
{
	struct sched_thread *t = koid ? sched_thread_find(&m->threads, koid) : NULL;

	return t && t != of && t->process && t->process == of->process ? t : NULL;
}

/* Likewise, of the waker through a futex that other processes have: any other thread. */
static struct sched_thread *waker_of(struct sched_model *m, uint64_t koid,
				     const struct sched_thread *of,
				     const struct sched_origin *futex)
{
	struct sched_thread *t;

	if (!futex->is_shared)
		return fellow_of(m, koid, of);
	t = koid ? sched_thread_find(&m->threads, koid) : NULL;
	return t != of ? t : NULL;
}

/* Also notes who had that id. */
static uint64_t koid_of_waker(struct sched_model *m, const struct sched_event *e)
{
	struct sched_alias *a;

	if (!e->has_alias)
		return e->waker;
	a = m->origins.alias_list[e->waker];
	sched_alias_used(a, sched_life_find(m, a->waker, e->time), e->time);
	return a->waker;
}

/*
 * Who held the lock, and who woke the thread. The word of a futex is its owner only if it is the id
 * of another thread of the process, or of the thread that woke this one through the futex.
 */
static void add_others(struct sched_model *m, const struct sched_event *e, struct sched_slice *wait)
{
	struct sched_origin *lock = wait->origin;
	uint64_t waker = koid_of_waker(m, e);

	if (!lock->is_futex) {
		wait->holder = e->error ? sched_thread_get(&m->threads, e->error) : NULL;
		return;
	}
	wait->waker = waker_of(m, waker, wait->thread, lock);
	wait->holder = e->error && e->error == waker ? wait->waker :
						       fellow_of(m, e->error, wait->thread);
	/* These are not all locks. */
	if (lock->is_others)
		return;
	lock->was_held |= wait->holder != NULL;
	lock->was_woken |= wait->waker != NULL;
	lock->is_proven |= wait->holder && wait->holder == wait->waker;
}

/* An address belongs to the process of the thread that had the waker's id at a time. */
static void join_futex(struct sched_model *m, const struct sched_alias *a, uint64_t ns)
{
	const struct sched_thread *t = sched_life_find(m, a->waker, ns);
	struct fxt_text name = { .bytes = a->of->name, .length = strlen(a->of->name) };

	if (t && t->process)
		sched_origin_join(a->of, sched_origin_get_futex(&m->origins, t->process, a->address,
								&name));
}

/* The processes of wakers are known at the end. */
void sched_join_futexes(struct sched_model *m)
{
	const struct sched_alias *a;
	size_t i, k;

	for (i = 0; i < m->origins.alias_count; i++) {
		a = m->origins.alias_list[i];
		join_futex(m, a, a->first);
		join_futex(m, a, a->last);
		for (k = 0; k < a->other_count; k++)
			join_futex(m, a, a->others[k]);
	}
	/* The one that stands for others has a smaller id, so it is one step from here on. */
	for (i = 0; i < m->origins.count; i++)
		if (m->origins.list[i]->same)
			m->origins.list[i]->same = sched_origin_first(m->origins.list[i]);
}

/* A futex is one of the process of the thread that had the id then. */
static const struct sched_origin *lock_of_mark(struct sched_model *m,
					       const struct sched_mark *mark)
{
	const struct fxt_text kind = {
		.bytes = mark->lock_kind, .length = strlen(mark->lock_kind),
	};
	const struct sched_thread *t;

	if (!fxt_text_is(&kind, "futex") && !fxt_text_is(&kind, "pi futex"))
		return sched_origin_get(&m->origins, KERNEL_LOCK, mark->lock_address, &kind);
	t = sched_life_find(m, mark->thread, mark->time);
	return sched_origin_get_futex(&m->origins, t ? t->process : 0, mark->lock_address, &kind);
}

/* The processes of threads are known at the end. */
void sched_find_locks(struct sched_model *m)
{
	unsigned int i;

	for (i = 0; i < m->mark_count; i++)
		if (*m->marks[i].lock_kind)
			m->marks[i].lock = lock_of_mark(m, &m->marks[i]);
}

static void check_lock(struct sched_model *m, const struct sched_event *e, struct sched_thread *t)
{
	if (t->locked_until > e->begin + SCHED_CLOCK_STEP)
		sched_fault(m, SCHED_NESTING, e->offset, e->time,
			    "thread %" PRIu64 " waits for a lock from %" PRIu64 " ns on, but for another one until %" PRIu64,
			    t->koid, e->begin, t->locked_until);
	t->locked_until = e->time > t->locked_until ? e->time : t->locked_until;
}

static void check_memory(struct sched_model *m, const struct sched_event *e,
			 struct sched_thread *t)
{
	if (t->memory_until > e->begin + SCHED_CLOCK_STEP)
		sched_fault(m, SCHED_NESTING, e->offset, e->time,
			    "thread %" PRIu64 " is in %s from %" PRIu64 " ns on, but reclaims or compacts memory until %" PRIu64 " already",
			    t->koid, m->origins.list[e->origin]->name, e->begin, t->memory_until);
	t->memory_until = e->time > t->memory_until ? e->time : t->memory_until;
}

static void check_work(struct sched_model *m, const struct sched_event *e,
		       struct sched_thread *t)
{
	if (t->worked_until > e->begin + SCHED_CLOCK_STEP)
		sched_fault(m, SCHED_NESTING, e->offset, e->time,
			    "thread %" PRIu64 " executes %s from %" PRIu64 " ns on, but another work item until %" PRIu64,
			    t->koid, m->origins.list[e->origin]->name, e->begin,
			    t->worked_until);
	t->worked_until = e->time > t->worked_until ? e->time : t->worked_until;
}

static void apply_slice(struct sched_model *m, struct sched_stream *s,
			const struct sched_event *e, bool is_late)
{
	const struct sched_cpu *cpu = e->cpu == SCHED_NO_CPU ? NULL : m->cpus[e->cpu];
	struct sched_slice slice = {
		.origin = m->origins.list[e->origin],
		.from = e->begin,
		.to = e->time,
		.cpu = e->cpu == SCHED_NO_CPU ? s->id : e->cpu,
	};
	bool knows = !is_late && !m->filter.threads;

	if (e->what == KERNEL_LOCK) {
		slice.thread = sched_thread_get(&m->threads, e->a);
		add_others(m, e, &slice);
		if (!is_late)
			check_lock(m, e, slice.thread);
	} else if (e->what == KERNEL_WORK || e->what == KERNEL_SYSCALL) {
		slice.thread = sched_thread_get(&m->threads, e->a);
		slice.error = e->error;
		if (!is_late && e->what == KERNEL_SYSCALL)
			sched_check_syscall(m, s, e, slice.thread);
		else if (knows)
			check_work(m, e, slice.thread);
	} else if (e->what == KERNEL_MEMORY) {
		slice.thread = sched_thread_get(&m->threads, e->a);
		slice.pages = e->error;
		if (!is_late)
			check_memory(m, e, slice.thread);
	} else if (e->what == KERNEL_THROTTLE) {
		if (!is_late)
			sched_check_throttle(m, e);
	} else if (e->what == KERNEL_IDLE) {
		if (knows)
			sched_check_idle(m, cpu, e);
	} else {
		slice.thread = cpu && !is_late ? cpu->current : NULL;
		if (knows)
			sched_check_irq(m, cpu, e);
	}
	if (e->what <= KERNEL_IDLE && !is_late && s->id == e->cpu)
		sched_nest_add(m, s, e, &slice);
	if (!kernel_event_is_irq(e->what) || is_late)
		slice.own = slice.to - slice.from;
	sched_report(m, slice, &slice);
}

/* --- migrations, frequencies --------------------------------------------------------- */

/* Does an event of the same moment in another stream name the thread? */
static bool is_named_soon(const struct sched_model *m, const struct sched_stream *s,
			  uint64_t koid, uint64_t until)
{
	const struct sched_block *block;
	const struct sched_event *e;
	unsigned int n;
	size_t i;

	for (i = 0; i < m->heap_count && i < LOOK_STREAMS; i++) {
		const struct sched_stream *other = m->heap[i].stream;

		block = other->head;
		e = other == s ? NULL : sched_queue_head(other);
		for (n = 0; e && e->time <= until && n < LOOK_EVENTS; n++) {
			if (e->kind != SCHED_EVENT_GAP && e->a == koid)
				return true;
			e = sched_queue_after(m, other, &block, e);
		}
	}
	return false;
}

/* Is it known on which run queue the thread is? */
static bool is_placed(const struct sched_model *m, const struct sched_stream *s,
		      const struct sched_event *e, const struct sched_thread *t)
{
	return t->queue != SCHED_NO_CPU && !m->filter.threads && !m->filter.cpus &&
	       !sched_is_unseen(m, t) && !sched_is_early(m, t->last_event) &&
	       e->time - t->last_event > SCHED_CLOCK_STEP &&
	       !is_named_soon(m, s, t->koid, e->time + SCHED_CLOCK_STEP);
}

static void apply_move(struct sched_model *m, const struct sched_stream *s,
		       const struct sched_event *e, bool is_late)
{
	struct sched_thread *t = sched_thread_get(&m->threads, e->a);
	uint32_t from = e->args.migrate.from_cpu, to = e->args.migrate.to_cpu;
	struct sched_move move = { e->time, t, from, to };

	if (m->totals.is_imported)
		m->totals.has_moves = m->totals.has_all_moves = true;
	if (!is_late && t->queue != from && is_placed(m, s, e, t))
		sched_fault(m, SCHED_WRONG_MOVE, e->offset, e->time,
			    "thread %" PRIu64 " is moved from cpu %u to cpu %u, but was on cpu %u (byte %" PRIu64 ")",
			    t->koid, from, to, t->queue, t->last_offset);
	if (!is_late)
		t->queue = to;
	sched_report(m, move, &move);
}

static void apply_frequency(struct sched_model *m, const struct sched_event *e)
{
	const struct sched_frequency frequency = { e->time, e->args.frequency.khz, e->cpu };

	sched_report(m, frequency, &frequency);
}

/* --- other events --------------------------------------------------------------------- */

/* The first count, and one below the previous one, are only a new beginning. */
static void note_steal(struct sched_model *m, struct sched_moment *moment)
{
	struct sched_stream *s = m->streams[moment->cpu];
	uint64_t ns = moment->args.steal.ns;

	moment->args.steal.grown = s && s->has_stolen && ns > s->stolen ? ns - s->stolen : 0;
	if (!s)
		return;
	s->stolen = ns;
	s->has_stolen = true;
}

static void apply_moment(struct sched_model *m, const struct sched_stream *s,
			 const struct sched_event *e, bool is_late)
{
	bool is_of_cpu = e->what == KERNEL_RUN_QUEUE || e->what == KERNEL_PELT ||
			 e->what == KERNEL_STEAL;
	bool is_stack = e->what == KERNEL_STACK, is_sample = e->what == KERNEL_SAMPLE;
	struct sched_moment moment = {
		.time = e->time,
		.what = e->what,
		.cpu = is_of_cpu ? e->cpu : s->id,
	};

	if (kernel_event_is_stack(e->what))
		moment.stack = e->stack;
	else
		moment.args = e->args;
	if (is_sample)
		moment.args.sample.ns = e->sample_ns;
	if (!is_of_cpu && e->what != KERNEL_TIMER && e->what != KERNEL_DATA)
		moment.thread = sched_thread_get(&m->threads, e->a);
	if (e->what == KERNEL_STEAL) {
		note_steal(m, &moment);
	} else if (e->what == KERNEL_EXIT) {
		moment.origin = sched_exit_failure(m, e, moment.thread);
		if (!is_late)
			sched_note_exit(m, s, e, moment.thread);
	} else if (e->what == KERNEL_FORK) {
		sched_note_fork(m, e);
	} else if (is_stack) {
		moment.is_in = !is_late && sched_stack_came_in(m, s, e, moment.thread);
		if (!is_late && !moment.is_in)
			sched_pair_stack(m, e, moment.thread);
	} else if (is_sample && !is_late) {
		sched_match_sample(m, s, e, moment.thread);
	} else if (e->what == KERNEL_IPI || e->what == KERNEL_DATA) {
		moment.origin = m->origins.list[e->origin];
	} else if (e->what == KERNEL_TIMER) {
		moment.origin = m->origins.list[e->origin];
		if (e->args.timer.thread)
			moment.target = sched_thread_get(&m->threads, e->args.timer.thread);
	} else if (kernel_event_has_other(e->what)) {
		moment.target = sched_thread_get(&m->threads, e->args.other);
	}
	sched_report(m, moment, &moment);
}

void sched_apply_event(struct sched_model *m, struct sched_stream *s,
		       const struct sched_event *e, bool is_late)
{
	if (kernel_event_is_slice(e->what))
		apply_slice(m, s, e, is_late);
	else if (e->what == KERNEL_MIGRATE)
		apply_move(m, s, e, is_late);
	else if (e->what == KERNEL_FREQUENCY)
		apply_frequency(m, e);
	else if (e->what >= KERNEL_QUEUED && e->what <= KERNEL_COMPLETION)
		sched_apply_request(m, s, e);
	else
		apply_moment(m, s, e, is_late);
}
