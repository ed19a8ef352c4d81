// SPDX-License-Identifier: GPL-2.0-or-later
/* history.c - makes turns from events; see history.h. */
#include <stdlib.h>

#include "history.h"
#include "libfxt/array.h"
#include "libfxt/stacks.h"
#include "terminal/memory.h"

/* How far the piece of an interrupted interrupt may be from its place; see add_piece(). */
#define NEST_SEARCH	1024

/* --- turns ------------------------------------------------------------------------------- */

static void make_thread(void *arg, struct sched_thread *sched)
{
	struct history_thread *t = new_zero(struct history_thread);

	(void)arg;
	*t = (struct history_thread){ .sched = sched, .id = sched->id };
	sched->user = (uintptr_t)t;
}

/* The data of a thread that has some; they are a part of what @user points to. */
static inline struct history_thread *known_thread(const struct history *h,
						  const struct sched_thread *sched)
{
	return (struct history_thread *)(uintptr_t)(sched->user + h->offset);
}

static inline struct history_thread *thread_of(const struct history *h, struct sched_thread *sched)
{
	if (__builtin_expect(!sched->user, 0))
		h->make(h->arg, sched);
	return known_thread(h, sched);
}

static struct history_cpu *cpu_of(struct history *h, uint16_t number)
{
	struct history_cpu *cpu = h->cpus[number];

	if (__builtin_expect(!cpu, 0))
		cpu = h->cpus[number] = new_zero(struct history_cpu);
	return cpu;
}

static int32_t weight_of(const struct sched_thread *t)
{
	return t->has_weight && t->koid ? t->weight : 0;
}

/* 0 if the thread changed its class while it waited. @now: its weight when it ran */
static int32_t steady(const struct history *h, const struct history_turn *turn, int32_t now)
{
	const struct sched_totals *totals;

	if (turn->weight == now || !turn->weight || turn->begin == HISTORY_UNSEEN)
		return now;
	totals = sched_model_totals(h->model);
	return sched_class_of(totals, turn->weight) == sched_class_of(totals, now) ? now : 0;
}

/* Add the next turn of a thread, or of the idle thread, which has no chain. */
static struct history_turn *add_turn(struct history *h, struct history_thread *t,
				     enum history_begin begin, uint64_t ready, uint16_t cpu)
{
	struct history_turn *turn;

	if (__builtin_expect(h->turns.count >= h->turns.room, 0))
		tape_grow(&h->turns);
	turn = tape_at_size(&h->turns, h->turns.count++, sizeof(*turn));
	*turn = (struct history_turn){
		.ready = ready, .thread = t->id, .begin = begin, .ready_cpu = cpu,
		.cpu = HISTORY_NO_CPU, .irq_cpu = HISTORY_NO_CPU, .state = SCHED_UNKNOWN,
		.weight = weight_of(t->sched),
	};
	if (t->sched->koid) {
		turn->before = t->last;
		t->last = h->turns.count;
	}
	/* Another CPU took it at once, and the record of that came first. */
	if (cpu != HISTORY_NO_CPU && t->moved == ready)
		turn->ready_cpu = t->moved_to;
	return turn;
}

static struct history_turn *last_turn(const struct history *h, const struct history_thread *t)
{
	return t->last ? history_turn(h, t->last) : NULL;
}

static bool is_ready(const struct history_turn *turn)
{
	return turn && !turn->has_run;
}

static bool is_running(const struct history_turn *turn)
{
	return turn && turn->has_run && !turn->is_over;
}

/* End the CPU's turn where @spell ends. @state, @weight: of the thread then; weight 0: unknown */
static void end_run(struct history *h, struct history_cpu *cpu, const struct sched_spell *spell,
		    char state, int32_t weight)
{
	struct history_turn *turn;

	if (!cpu->running)
		return;
	turn = history_turn(h, cpu->running);
	cpu->running = HISTORY_NONE;
	turn->is_over = true;
	if (spell->is_refuted || spell->to < turn->from) {
		turn->to = turn->from;
		turn->state = SCHED_UNKNOWN;
		return;
	}
	if (spell->thread)
		turn->weight = steady(h, turn, weight ? weight : weight_of(spell->thread));
	turn->to = spell->thread ? spell->to : turn->from;
	turn->state = spell->thread ? state : SCHED_UNKNOWN;
}

static void end_wait(struct history_turn *turn, uint64_t time)
{
	turn->to = time;
	turn->is_over = true;
}

/* The thread had a CPU, but it is unknown since when. */
static void run_unseen(const struct history *h, const struct history_thread *t)
{
	struct history_turn *turn = last_turn(h, t);

	if (!turn)
		return;
	turn->ran_unseen = true;
	if (is_ready(turn))
		end_wait(turn, turn->ready);
}

static void add_point(struct history_cpu *cpu, uint64_t from)
{
	if (cpu->entries++ % HISTORY_POINT_EACH ||
	    (cpu->point_count && cpu->points[cpu->point_count - 1].from > from))
		return;
	array_more(cpu->points, cpu->point_count);
	cpu->points[cpu->point_count++] = (struct history_point){ from, cpu->last, cpu->piece };
}

/* A thread gets a CPU, or a mark shows that it has one. */
static void begin_run(struct history *h, struct history_cpu *cpu, uint16_t number,
		      struct history_thread *t, uint64_t time, bool is_mark)
{
	struct history_turn *turn = is_mark || !t->sched->koid ? NULL : last_turn(h, t);
	uint32_t at;

	if (is_mark)
		run_unseen(h, t);
	if (is_ready(turn)) {
		at = t->last;
	} else {
		turn = add_turn(h, t, HISTORY_UNSEEN, time, HISTORY_NO_CPU);
		at = h->turns.count;
	}
	turn->from = time;
	turn->has_run = true;
	turn->cpu = number;
	turn->cpu_before = cpu->last;
	cpu->last = at;
	cpu->running = at;
	add_point(cpu, time);
}

/* A thread leaves a CPU that it was not known to have had. */
static void end_unseen(struct history *h, struct history_thread *t, const struct sched_step *s)
{
	struct history_turn *turn;

	run_unseen(h, t);
	turn = add_turn(h, t, HISTORY_UNSEEN, s->time, HISTORY_NO_CPU);
	turn->from = s->time;
	turn->to = s->time;
	turn->has_run = true;
	turn->is_over = true;
	turn->cpu = s->cpu;
	turn->state = s->state;
}

static void switch_out(struct history *h, struct history_thread *t, bool was_running,
		       const struct sched_step *s)
{
	if (!was_running)
		end_unseen(h, t, s);
	if (s->state == '+')
		add_turn(h, t, HISTORY_PREEMPTED, s->time, s->cpu)->weight = s->out_weight;
}

static void add_gap(struct history *h, uint64_t from, uint64_t to)
{
	if (to <= from)
		return;
	array_more(h->gaps, h->gap_count);
	h->gap = (struct history_time){ .from = from, .to = to };
	h->gaps[h->gap_count++] = h->gap;
}

/* The event came too late: it is uncertain what any thread did since then. */
static int note_late(struct history *h, struct history_cpu *cpu, uint64_t time)
{
	struct sched_spell spell = sched_usage_leave(&cpu->usage, time);

	end_run(h, cpu, &spell, SCHED_UNKNOWN, 0);
	add_gap(h, time, h->now);
	return 0;
}

static int note_step(void *arg, const struct sched_step *s)
{
	struct history *h = arg;
	struct history_cpu *cpu = cpu_of(h, s->cpu);
	struct history_thread *out = thread_of(h, s->out), *in = s->in ? thread_of(h, s->in) : NULL;
	struct sched_spell spell;
	bool was_running;

	if (s->is_late)
		return note_late(h, cpu, s->time);
	h->now = s->time;
	spell = sched_usage_switch(&cpu->usage, s);
	was_running = cpu->running && spell.thread && !spell.is_refuted;
	end_run(h, cpu, &spell, s->state, s->out_weight);
	if (s->out->koid)
		switch_out(h, out, was_running, s);
	if (in)
		begin_run(h, cpu, s->cpu, in, s->time, false);
	return 0;
}

/* --- what makes threads runnable --------------------------------------------------------- */

/* Stacks are rare, so turns have no room for them. */
static struct history_stacks *stacks_of(struct history *h, uint32_t turn)
{
	while (h->turn_stacks.count < turn)
		tape_add(&h->turn_stacks);
	return tape_at(&h->turn_stacks, turn - 1);
}

/*
 * The CPU of the thread that woke another one, or that was interrupted; it may have left it since.
 * An interrupted idle CPU is unknown: perhaps the idle one where data have just arrived.
 */
static uint16_t waking_cpu(const struct history *h, const struct sched_waking *w,
			   const struct history_turn *t)
{
	const struct history_data *last = h->data.count ? tape_at(&h->data, h->data.count - 1) : NULL;
	const struct history_turn *waker = t->waker_turn ? history_turn(h, t->waker_turn) : NULL;
	const struct sched_thread *on_cpu = last ? h->cpus[last->cpu]->usage.thread : NULL;

	if (waker)
		return waker->has_run ? waker->cpu : HISTORY_NO_CPU;
	return w->irq == FXT_SCHED_IRQ_SOFT && on_cpu && !on_cpu->koid && !last->turn ? last->cpu :
											t->ready_cpu;
}

/*
 * Data end the sleep of the next wakeup, unless that is in a hard interrupt, which may be that of a
 * timer.
 */
static void note_woken(struct history *h, const struct sched_waking *w, uint32_t turn)
{
	uint16_t number = waking_cpu(h, w, history_turn(h, turn));
	struct history_cpu *cpu = number == HISTORY_NO_CPU ? NULL : h->cpus[number];

	if (w->irq == FXT_SCHED_IRQ_HARD || !cpu || !cpu->data)
		return;
	((struct history_data *)tape_at(&h->data, cpu->data - 1))->turn = turn;
	cpu->data = 0;
}

static int note_waking(void *arg, const struct sched_waking *w)
{
	struct history *h = arg;
	struct sched_thread *by = w->waker ? w->waker : w->interrupted;
	struct history_thread *t = thread_of(h, w->thread), *waker = by ? thread_of(h, by) : NULL;
	struct history_turn *turn;
	bool is_seen;

	if (w->fits)
		h->now = w->time;
	turn = last_turn(h, t);
	is_seen = is_ready(turn) && turn->begin == HISTORY_SEEN && turn->ready >= h->gap.to;
	if (!is_seen &&
	    (is_ready(turn) ? turn->ready >= h->gap.to : !w->fits || is_running(turn)))
		return 0;
	/* The thread has run and slept in the lost records. */
	if (is_ready(turn) && !is_seen)
		end_wait(turn, turn->ready > h->gap.from ? turn->ready : h->gap.from);
	turn = is_seen ? turn : add_turn(h, t, HISTORY_WOKEN, w->time, w->cpu);
	/* It was not runnable when it was seen, but just being woken. */
	turn->begin = HISTORY_WOKEN;
	turn->ready = w->time;
	turn->ready_cpu = w->cpu;
	turn->weight = w->weight;
	turn->irq = w->irq;
	turn->irq_cpu = w->irq_cpu;
	turn->by_idle = w->by_idle;
	if (t->waker_stack)
		stacks_of(h, t->last)->waker = t->waker_stack;
	t->waker_stack = 0;
	if (waker) {
		turn->waker = waker->id + 1;
		turn->waker_turn = waker == t ? turn->before : waker->last;
	}
	note_woken(h, w, t->last);
	return 0;
}

/*
 * Before a thread's first event, the sight holds since the recording began: a change is an event.
 */
static int note_sight(void *arg, const struct sched_sight *s)
{
	struct history *h = arg;
	struct history_thread *t = thread_of(h, s->thread);
	uint64_t since = h->begun && h->begun < s->time ? h->begun : s->time;

	if (t->last)
		return 0;
	if (s->state == 'R')
		add_turn(h, t, HISTORY_SEEN, since, s->cpu);
	else
		end_unseen(h, t, &(struct sched_step){
			.time = since, .cpu = s->cpu, .state = s->state,
		});
	return 0;
}

static int note_move(void *arg, const struct sched_move *m)
{
	struct history *h = arg;
	struct history_thread *t = thread_of(h, m->thread);
	struct history_turn *turn = last_turn(h, t);

	t->moved = m->time;
	t->moved_to = m->to;
	if (!is_ready(turn) || m->time < turn->ready)
		return 0;
	end_wait(turn, m->time);
	turn->cpu = m->from;
	add_turn(h, t, HISTORY_MOVED, m->time, m->to);
	return 0;
}

/* --- edges and losses -------------------------------------------------------------------- */

static int note_edge(void *arg, const struct sched_edge *e)
{
	struct history *h = arg;
	struct history_cpu *cpu = cpu_of(h, e->cpu);
	struct history_thread *t = e->thread ? thread_of(h, e->thread) : NULL;
	struct sched_thread *was;
	struct sched_spell spell;

	if (e->is_late)
		return note_late(h, cpu, e->time);
	if (e->is_begin && e->time > h->begun)
		h->begun = e->time;
	was = cpu->usage.thread;
	spell = sched_usage_edge(&cpu->usage, e);
	if (e->is_begin && was == e->thread && cpu->running)
		return 0;
	end_run(h, cpu, &spell, SCHED_UNKNOWN, 0);
	if (e->is_begin && t)
		begin_run(h, cpu, e->cpu, t, e->time, true);
	return 0;
}

static void leave(struct history *h, uint16_t number, uint64_t time)
{
	struct history_cpu *cpu = cpu_of(h, number);
	struct sched_spell spell = sched_usage_leave(&cpu->usage, time);

	end_run(h, cpu, &spell, SCHED_UNKNOWN, 0);
}

static int note_gap(void *arg, const struct sched_gap *gap)
{
	struct history *h = arg;

	leave(h, gap->cpu, gap->from);
	add_gap(h, gap->from, gap->to);
	return 0;
}

/* The CPU's recording is over: later activity of its last threads is unknown. */
static int note_end(void *arg, const struct sched_end *end)
{
	struct history *h = arg;
	struct sched_thread *const *threads;
	struct history_thread *t;
	struct history_turn *turn;
	size_t count, i;

	leave(h, end->cpu, end->time);
	threads = sched_model_threads(h->model, &count);
	for (i = 0; i < count; i++) {
		t = threads[i]->user ? known_thread(h, threads[i]) : NULL;
		turn = t ? last_turn(h, t) : NULL;
		if (turn && !t->end && !is_running(turn) &&
		    (turn->has_run ? turn->cpu : turn->ready_cpu) == end->cpu)
			t->end = end->time;
	}
	return 0;
}

/* --- interrupts, throttled cgroups, stacks ------------------------------------------------ */

/*
 * The pieces of an interrupt are reported when it ends, after those of interrupts inside it. So
 * search back for a piece's place, within a limit; beyond that, drop the piece.
 */
static int add_piece(void *arg, const struct sched_piece *piece)
{
	struct history *h = arg;
	struct history_cpu *cpu = cpu_of(h, piece->slice->cpu);
	struct history_piece *p, *later;
	uint32_t *at, searched = 0;

	h->has[piece->slice->origin->what] = true;
	for (at = &cpu->piece; *at; at = &later->before) {
		later = history_piece(h, *at);
		if (later->from < piece->from)
			break;
		if (++searched > NEST_SEARCH)
			return 0;
	}
	p = tape_add(&h->pieces);
	*p = (struct history_piece){ piece->from, piece->to, piece->slice->origin->id, *at };
	*at = h->pieces.count;
	/* This also leads to pieces that come before this one. */
	if (at == &cpu->piece)
		add_point(cpu, piece->from);
	return 0;
}

static void note_lock(struct history *h, const struct sched_slice *slice)
{
	struct history_thread *t = thread_of(h, slice->thread);

	/* Nothing is known of the others. A wait that came late could not be found. */
	if ((slice->origin->is_futex && !slice->holder && !slice->waker) ||
	    (t->lock_count && t->locks[t->lock_count - 1].to > slice->to))
		return;
	array_more(t->locks, t->lock_count);
	t->locks[t->lock_count++] = (struct history_lock){
		slice->from, slice->to, slice->origin->id,
		slice->holder ? slice->holder->id + 1 : 0,
		slice->waker ? slice->waker->id + 1 : 0,
	};
}

/*
 * Add a record whose first member is its time (ns), @time. Returns NULL if it is late: it could not
 * be found.
 */
static void *add_at(struct tape *tape, uint64_t time)
{
	const uint64_t *last = tape->count ? tape_at(tape, tape->count - 1) : NULL;

	return last && *last > time ? NULL : tape_add(tape);
}

static void note_work(struct history *h, const struct sched_slice *slice)
{
	struct history_work *work = add_at(&h->works, slice->to);

	if (work)
		*work = (struct history_work){
			slice->to, slice->from, slice->origin->id, slice->thread->id,
		};
}

/* Times do not overlap: of a slice, the time since the last one counts. */
static void note_memory(struct history *h, const struct sched_slice *slice)
{
	struct history_thread *t = thread_of(h, slice->thread);
	const struct history_reclaim *last = t->memory_count ? &t->memory[t->memory_count - 1] : NULL;
	uint64_t from = last && last->to > slice->from ? last->to : slice->from;
	uint32_t origin = slice->origin->id;

	if (from >= slice->to)
		return;
	array_more(t->memory, t->memory_count);
	last = t->memory_count ? &t->memory[t->memory_count - 1] : NULL;
	t->memory[t->memory_count] = (struct history_reclaim){
		.from = from, .to = slice->to, .origin = origin,
		.before = last ? last->before + (last->to - last->from) : 0,
		.first = last && last->origin == origin ? last->first : t->memory_count,
	};
	t->memory_count++;
}

static int note_slice(void *arg, const struct sched_slice *slice)
{
	struct history *h = arg;
	struct history_cpu *cpu;

	h->has[slice->origin->what] = true;
	if (slice->origin->what == KERNEL_LOCK)
		note_lock(h, slice);
	else if (slice->origin->what == KERNEL_WORK)
		note_work(h, slice);
	else if (slice->origin->what == KERNEL_MEMORY)
		note_memory(h, slice);
	if (slice->origin->what != KERNEL_THROTTLE)
		return 0;
	cpu = cpu_of(h, slice->cpu);
	array_more(cpu->throttled, cpu->throttled_count);
	cpu->throttled[cpu->throttled_count++] = (struct history_time){
		slice->from, slice->to, slice->origin->id,
	};
	return 0;
}

static void note_stack(struct history *h, const struct fxt_call_stack *stack)
{
	while (h->stack_count <= stack->id) {
		array_more(h->stacks, h->stack_count);
		h->stacks[h->stack_count++] = NULL;
	}
	h->stacks[stack->id] = stack;
}

static void note_expiry(struct history *h, const struct sched_moment *m)
{
	struct history_expiry *e = add_at(&h->expiries, m->time);

	h->has[KERNEL_TIMER] = true;
	if (e)
		*e = (struct history_expiry){
			m->time, m->origin->id, m->target ? m->target->id + 1 : 0, m->cpu,
		};
}

static void note_sample(struct history *h, const struct sched_moment *m)
{
	struct history_sample *s = add_at(&h->samples, m->time);

	if (!s)
		return;
	note_stack(h, m->stack);
	*s = (struct history_sample){
		m->time, m->thread->id, m->stack->id, m->args.sample.ns, m->cpu,
	};
}

static void note_data(struct history *h, const struct sched_moment *m)
{
	struct history_data *d = add_at(&h->data, m->time);

	h->has[KERNEL_DATA] = true;
	if (!d)
		return;
	*d = (struct history_data){
		.time = m->time, .origin = m->origin->id, .protocol = m->args.data.protocol,
		.bytes = m->args.data.bytes, .local_port = m->args.data.local_port,
		.remote_port = m->args.data.remote_port, .cpu = m->cpu,
	};
	cpu_of(h, m->cpu)->data = h->data.count;
}

static void note_steal(struct history *h, const struct sched_moment *m)
{
	struct history_cpu *cpu = cpu_of(h, m->cpu);
	const struct history_steal *last = cpu->steal_count ? &cpu->steals[cpu->steal_count - 1] : NULL;
	uint64_t grown = m->args.steal.grown;

	if (grown && (!last || m->time >= last->time)) {
		array_more(cpu->steals, cpu->steal_count);
		cpu->steals[cpu->steal_count++] = (struct history_steal){
			m->time, (last ? last->sum : 0) + grown,
		};
	}
	h->has[KERNEL_STEAL] = true;
}

static int note_moment(void *arg, const struct sched_moment *m)
{
	struct history *h = arg;
	struct history_thread *t;
	struct history_turn *turn;

	if (m->what == KERNEL_TIMER)
		note_expiry(h, m);
	else if (m->what == KERNEL_DATA)
		note_data(h, m);
	else if (m->what == KERNEL_STEAL)
		note_steal(h, m);
	else if (m->what == KERNEL_SAMPLE && m->stack && m->thread)
		note_sample(h, m);
	if ((m->what != KERNEL_STACK && m->what != KERNEL_ASLEEP) || !m->stack || !m->thread)
		return 0;
	t = thread_of(h, m->thread);
	note_stack(h, m->stack);
	if (m->what == KERNEL_ASLEEP) {
		t->asleep_stack = m->stack->id + 1;
		return 0;
	}
	h->has[KERNEL_STACK] = true;
	turn = last_turn(h, t);
	if (!m->is_in)
		t->waker_stack = m->stack->id + 1;
	else if (is_running(turn))
		stacks_of(h, t->last)->slept = m->stack->id + 1;
	return 0;
}

static int note_request(void *arg, const struct sched_request *r)
{
	struct history *h = arg;
	struct history_done *done;

	h->has[KERNEL_REQUEST] = true;
	if (r->is_open)
		return 0;
	done = tape_add(&h->done);
	*done = (struct history_done){
		.time = r->to, .issued = r->issued, .queued = r->queued, .origin = r->origin->id,
		.device = r->device->id, .thread = r->thread ? r->thread->id + 1 : 0,
		.bytes = r->bytes, .cpu = r->cpu,
	};
	return 0;
}

static void count_anomaly(void *arg, const struct sched_anomaly *f)
{
	struct history *h = arg;

	h->violations += f->violation ? f->count : 0;
}

const struct sched_ops history_ops = {
	.step = note_step,
	.waking = note_waking,
	.sight = note_sight,
	.edge = note_edge,
	.gap = note_gap,
	.end = note_end,
	.slice = note_slice,
	.piece = add_piece,
	.move = note_move,
	.moment = note_moment,
	.request = note_request,
	.anomaly = count_anomaly,
};

/* --- the archive ------------------------------------------------------------------------- */

struct history *history_attach(struct sched_model *m, history_make_fn *make, void *arg,
			       size_t offset)
{
	struct history *h = new_zero(struct history);

	h->model = m;
	h->make = make;
	h->arg = arg;
	h->offset = offset;
	tape_open(&h->turns, sizeof(struct history_turn), TAPE_MUCH);
	tape_open(&h->pieces, sizeof(struct history_piece), TAPE_LITTLE);
	tape_open(&h->turn_stacks, sizeof(struct history_stacks), TAPE_LITTLE);
	tape_open(&h->done, sizeof(struct history_done), TAPE_LITTLE);
	tape_open(&h->expiries, sizeof(struct history_expiry), TAPE_LITTLE);
	tape_open(&h->data, sizeof(struct history_data), TAPE_LITTLE);
	tape_open(&h->works, sizeof(struct history_work), TAPE_LITTLE);
	tape_open(&h->samples, sizeof(struct history_sample), TAPE_LITTLE);
	return h;
}

struct history *history_open(void)
{
	struct history *h = history_attach(NULL, make_thread, NULL, 0);

	h->has_own_model = true;
	h->model = sched_model_open(&history_ops, h, 0);
	return h;
}

void history_close(struct history *h)
{
	struct sched_thread *const *threads;
	size_t count, i;

	if (!h)
		return;
	threads = sched_model_threads(h->model, &count);
	for (i = 0; i < count; i++) {
		if (threads[i]->user) {
			free(known_thread(h, threads[i])->locks);
			free(known_thread(h, threads[i])->memory);
		}
		if (h->has_own_model)
			free((void *)(uintptr_t)threads[i]->user);
	}
	for (i = 0; i < HISTORY_CPUS; i++) {
		if (h->cpus[i]) {
			free(h->cpus[i]->throttled);
			free(h->cpus[i]->steals);
			free(h->cpus[i]->points);
		}
		free(h->cpus[i]);
	}
	free(h->threads);
	free(h->stacks);
	free(h->gaps);
	tape_close(&h->turns);
	tape_close(&h->pieces);
	tape_close(&h->turn_stacks);
	tape_close(&h->done);
	tape_close(&h->expiries);
	tape_close(&h->data);
	tape_close(&h->works);
	tape_close(&h->samples);
	if (h->has_own_model)
		sched_model_close(h->model);
	free(h);
}

int history_next(struct history *h, struct fxt_reader *r, struct fxt_record *rec)
{
	return sched_model_next(h->model, r, rec);
}

int history_record(struct history *h, struct fxt_reader *r, const struct fxt_record *rec)
{
	return sched_model_record(h->model, r, rec);
}

int history_read(struct history *h, struct archive *a)
{
	struct fxt_record rec;
	int ret;

	while ((ret = history_next(h, a->r, &rec)) > 0) {
		ret = history_record(h, a->r, &rec);
		if (!archive_continues(a, ret))
			return ret;
	}
	return ret;
}

/* The last thread of each CPU has it until the end. */
static void finish_runs(struct history *h)
{
	struct sched_spell spell, coming;
	struct history_cpu *cpu;
	size_t i;

	for (i = 0; i < HISTORY_CPUS; i++) {
		cpu = h->cpus[i];
		if (!cpu)
			continue;
		spell = sched_usage_finish(&cpu->usage, i, h->first, h->last, &coming);
		end_run(h, cpu, &spell, SCHED_RUNNING, 0);
	}
}

static int by_from(const void *a, const void *b)
{
	const struct history_time *x = a, *y = b;

	return array_order(x->from, y->from);
}

static void finish_gaps(struct history *h)
{
	size_t i, kept = 0;

	if (!h->gap_count)
		return;
	qsort(h->gaps, h->gap_count, sizeof(*h->gaps), by_from);
	for (i = 1; i < h->gap_count; i++) {
		if (h->gaps[i].from > h->gaps[kept].to)
			h->gaps[++kept] = h->gaps[i];
		else if (h->gaps[i].to > h->gaps[kept].to)
			h->gaps[kept].to = h->gaps[i].to;
	}
	h->gap_count = kept + 1;
}

const struct history_time *history_gap_before(const struct history *h, uint64_t time)
{
	size_t count = array_front(h->gap_count, i, h->gaps[i].from < time);

	return count ? &h->gaps[count - 1] : NULL;
}

const struct history_point *history_point_at(const struct history_cpu *cpu, uint64_t time)
{
	size_t at = array_front(cpu->point_count, i, cpu->points[i].from < time);

	return at < cpu->point_count ? &cpu->points[at] : NULL;
}

/* Add threads that are only named, so that all can be found by their ids. */
static void finish_threads(struct history *h)
{
	struct sched_thread *const *threads;
	size_t count, i;

	threads = sched_model_threads(h->model, &count);
	h->threads = must(calloc(count + 1, sizeof(*h->threads)));
	for (i = 0; i < count; i++)
		h->threads[i] = thread_of(h, threads[i]);
	h->thread_count = count;
}

void history_complete(struct history *h)
{
	const struct sched_totals *totals = sched_model_totals(h->model);

	h->first = totals->begins > totals->first ? totals->begins : totals->first;
	h->last = totals->last;
	finish_runs(h);
	if (totals->complete > h->first)
		add_gap(h, h->first, totals->complete);
	finish_gaps(h);
	finish_threads(h);
}

int history_finish(struct history *h)
{
	int ret = sched_model_finish(h->model);

	if (!ret)
		history_complete(h);
	return ret;
}

const struct fxt_call_stack *history_stack(const struct history *h, uint32_t turn, bool of_waker)
{
	const struct history_stacks *s;
	uint32_t id;

	if (turn > h->turn_stacks.count)
		return NULL;
	s = tape_at(&h->turn_stacks, turn - 1);
	id = of_waker ? s->waker : s->slept;
	return id ? h->stacks[id - 1] : NULL;
}

const struct fxt_call_stack *history_asleep_stack(const struct history *h, uint32_t thread)
{
	uint32_t id = h->threads[thread]->asleep_stack;

	return id ? h->stacks[id - 1] : NULL;
}

const struct history_lock *history_lock_before(const struct history *h, uint32_t turn)
{
	const struct history_turn *t = turn ? history_turn(h, turn) : NULL;
	const struct history_thread *thread = t ? h->threads[t->thread] : NULL;
	size_t at;

	if (!thread || t->begin != HISTORY_WOKEN || !t->before)
		return NULL;
	/* The first wait that ends after the thread was woken: it ends once that has a CPU. */
	at = array_front(thread->lock_count, i, thread->locks[i].to < t->ready);
	/* A sleeping thread does not begin to wait. */
	return at < thread->lock_count && thread->locks[at].from < t->ready ? &thread->locks[at] :
	       NULL;
}

void history_memory_add(struct history_memory *to, const struct history_memory *from)
{
	if (!from->ns)
		return;
	to->origin = !to->ns || to->origin == from->origin ? from->origin : 0;
	to->ns += from->ns;
}

struct history_memory history_memory(const struct history *h, uint32_t thread, uint64_t from,
				     uint64_t to)
{
	const struct history_thread *t = h->threads[thread];
	size_t first = array_front(t->memory_count, i, t->memory[i].to <= from);
	size_t end = array_front(t->memory_count, i, t->memory[i].from < to);
	const struct history_reclaim *m, *last;
	uint64_t ns;

	if (first >= end)
		return (struct history_memory){ 0 };
	m = &t->memory[first];
	last = &t->memory[end - 1];
	ns = last->before + (last->to < to ? last->to : to) - last->from;
	ns -= m->before + (m->from > from ? 0 : from - m->from);
	return (struct history_memory){ ns, last->first <= first ? last->origin + 1 : 0 };
}

/* A sleeping thread neither begins nor ends it. */
uint32_t history_memory_asleep(const struct history *h, const struct history_turn *turn)
{
	uint64_t to = turn->ready;

	return to ? history_memory(h, turn->thread, to - 1, to).origin : 0;
}

const char *history_memory_name(const struct history *h, uint32_t origin)
{
	return origin ? history_origin(h, origin - 1)->name : "several kinds of reclaim or compaction";
}

static uint64_t stolen_until(const struct history_cpu *cpu, uint64_t time)
{
	size_t count = array_front(cpu->steal_count, i, cpu->steals[i].time <= time);

	return count ? cpu->steals[count - 1].sum : 0;
}

uint64_t history_stolen(const struct history *h, const struct history_turn *turn, uint64_t ns)
{
	const struct history_cpu *cpu = h->cpus[turn->cpu];
	uint64_t of_run;

	if (!cpu || !cpu->steal_count)
		return 0;
	of_run = stolen_until(cpu, history_turn_end(h, turn)) - stolen_until(cpu, turn->from);
	return of_run < ns ? of_run : ns;
}

const char *history_name(const struct history *h, uint32_t thread)
{
	const struct sched_thread *t = h->threads[thread]->sched;

	while (t->same)
		t = t->same;
	if (!t->koid)
		return "(idle)";
	return *t->name ? t->name : "?";
}

uint64_t history_koid(const struct history *h, uint32_t thread)
{
	return h->threads[thread]->sched->koid;
}

const struct sched_origin *history_origin(const struct history *h, uint32_t origin)
{
	size_t count;

	return sched_origin_first(sched_model_origins(h->model, &count)[origin]);
}

/* --- which threads ----------------------------------------------------------------------- */

/* ns that it had a CPU; or any value from @enough on. */
static uint64_t run_of(const void *arg, const struct sched_thread *s, uint64_t enough)
{
	const struct history *h = arg;
	const struct history_turn *turn;
	uint64_t run = 0;
	uint32_t i;

	for (i = h->threads[s->id]->last; i && run < enough; i = turn->before) {
		turn = history_turn(h, i);
		run += turn->has_run ? history_turn_end(h, turn) - turn->from : 0;
	}
	return run;
}

void history_find_scope(const struct history *h, struct scope *s)
{
	scope_find(s, h->model, h->last - h->first, run_of, h);
}

bool history_is_in(const struct history *h, const struct scope *s, uint32_t thread)
{
	const struct sched_thread *t = h->threads[thread]->sched;

	return t->koid && !t->same && scope_has(s, t);
}
