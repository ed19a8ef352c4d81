// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * model.c - see model.h: records in, totals out.
 *
 * Each switch and wakeup becomes a waiting event at the end of its stream; so do other events of
 * the kernel (streams.c), and names (threads.c). Common records take a fast path: those that are
 * valid, in the right stream and in the order of time.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_before.h>

#include "data.h"
#include "anomalies.h"
#include "model.h"
#include "queue.h"
#include "threads.h"

#define STREAM_EVENTS	262144U
#define BLOCK_EVENTS	256U
#define QUEUE_BYTES	(64UL << 20)

/* Is the letter a more exact form of the state's number? */
static bool letter_is_sane(uint8_t state, char letter)
{
	return !letter ||
	       (state == FXT_THREAD_BLOCKED && (letter == 'D' || letter == 'I')) ||
	       (state == FXT_THREAD_SUSPENDED && (letter == 't' || letter == 'P'));
}

char sched_out_state(uint8_t state, char letter)
{
	if (unlikely(letter) && letter_is_sane(state, letter))
		return letter;
	return sched_state_letter(state);
}

struct sched_model *sched_model_open(const struct sched_ops *ops, void *arg, size_t stream_events)
{
	struct sched_model *m = new_zero(struct sched_model);
	size_t per_stream = stream_events ? stream_events : STREAM_EVENTS;

	m->ops = ops;
	m->arg = arg;
	m->spans = ops->span;
	m->totals.first = UINT64_MAX;
	m->name_due = UINT64_MAX;
	m->next_end = UINT64_MAX;
	if (per_stream > QUEUE_BYTES / sizeof(struct sched_event))
		per_stream = QUEUE_BYTES / sizeof(struct sched_event);
	m->block_events = per_stream / 4 < BLOCK_EVENTS ? per_stream / 4 : BLOCK_EVENTS;
	m->block_events += !m->block_events;
	m->blocks_per_stream = per_stream / m->block_events;
	m->blocks_total = QUEUE_BYTES / sizeof(struct sched_event) / m->block_events;
	return m;
}

void sched_model_close(struct sched_model *m)
{
	struct sched_cpu *cpu;
	size_t i;

	if (!m)
		return;
	free(m->heap);
	sched_queue_close(m);
	sched_lives_close(m);
	sched_requests_close(m);
	sched_origins_free(&m->origins);
	fxt_call_stacks_free(&m->stacks);
	sched_symbols_free(&m->symbols);
	sched_cgroups_close(m);
	for (i = 0; i < m->stream_count; i++) {
		free(m->stream_list[i]->nest);
		free(m->stream_list[i]);
	}
	free(m->stream_list);
	while ((cpu = m->cpu_list)) {
		m->cpu_list = cpu->next;
		free(cpu);
	}
	for (i = 0; i < SCHED_MISFIT_KINDS; i++)
		free(m->misfits[i]);
	sched_threads_close(&m->threads);
	free(m->topology);
	free(m->ksoftirqd);
	free(m);
}

/* --- switches and wakeups ---------------------------------------------------------- */

/* Why our producers cannot have written it, or NULL. */
static __attribute__((cold, noinline)) const char *
name_fault(const struct sched_model *m, const struct fxt_switch *sw)
{
	const char *fault;

	if (!sw->out && !sw->in)
		return "the idle thread is switched out and in";
	fault = sched_weights_fault(m, sw);
	if (fault)
		return fault;
	if (!sw->out && sw->state != FXT_THREAD_NEW)
		return "the idle thread goes to sleep";
	return "invalid outgoing state";
}

static inline const char *fault_of_switch(const struct sched_model *m,
					  const struct fxt_switch *sw)
{
	bool sane = sw->out || sw->in;

	if (unlikely(sw->unknown))
		return sched_unknown_fault(m, sw);
	sane &= sched_weight_fits(m, sw->out, sw->out_weight, sw->has_out_weight,
				  sw->bad_weight);
	sane &= sched_weight_fits(m, sw->in, sw->in_weight, sw->has_in_weight, sw->bad_weight);
	sane &= (sw->state != FXT_THREAD_RUNNING) & (sw->state <= FXT_THREAD_DEAD);
	sane &= !!sw->out | (sw->state == FXT_THREAD_NEW);
	if (unlikely(!sane || !letter_is_sane(sw->state, sw->letter)))
		return name_fault(m, sw);
	return NULL;
}

/* The waker is a thread, an interrupt, or without either the idle thread. */
static const char *fault_of_cause(const struct fxt_wakeup *w)
{
	if (likely(w->has_waker && w->waker && !w->has_irq && !w->has_interrupted))
		return NULL;
	if (w->bad_waker || w->bad_irq)
		return "an argument about the waker has the wrong type";
	if (w->has_waker)
		return w->waker ? "both a thread and an interrupt woke it" :
				  "the idle thread is named as the waker";
	if (w->has_irq && !w->irq)
		return "the kind of the interrupt is unknown";
	if (w->has_interrupted && !w->has_irq)
		return "a thread is interrupted, but no interrupt is named";
	if (w->has_interrupted && !w->interrupted)
		return "the idle thread is named as the interrupted one";
	return NULL;
}

/* Other producers do not know the waker, or do not write it. */
static bool is_by_idle(const struct fxt_record *rec, const struct fxt_wakeup *w)
{
	return unlikely(!w->has_waker && !w->has_irq) && !w->has_interrupted && !w->bad_waker &&
	       !w->bad_irq && fxt_text_is(&rec->provider->name, FXT_SCHED_PROVIDER_NAME);
}

static const char *fault_of_wakeup(const struct sched_model *m, const struct fxt_wakeup *w)
{
	if (!w->thread)
		return "the idle thread is woken";
	if (w->unknown && (w->unknown != FXT_STR_FILTERED || !w->has_weight ||
			   w->weight != FXT_SCHED_WEIGHT_IDLE))
		return "it hides a field that no filter hides";
	if (!w->unknown &&
	    !sched_weight_fits(m, w->thread, w->weight, w->has_weight, w->bad_weight))
		return "invalid weight";
	return fault_of_cause(w);
}

static __attribute__((cold, noinline)) void
report_fault(struct sched_model *m, const struct fxt_record *rec, uint16_t cpu,
	     uint64_t time, const char *fault)
{
	sched_fault(m, SCHED_RECORD, rec->offset, time, "cpu %u: %s", cpu, fault);
}

/* Remember that the weight is valid, so that it is not checked again at switch-out. */
static inline void note_incoming(const struct sched_model *m, struct sched_stream *s,
				 const struct fxt_switch *sw)
{
	bool sane = sched_weight_fits(m, sw->in, sw->in_weight, sw->has_in_weight,
				      sw->bad_weight) &
		    !fxt_switch_hides_in(sw);

	s->in = sane ? sw->in : SCHED_NOBODY;
	s->in_weight = sane ? sw->in_weight : 0;
}

/* --- runs of switches, if the caller asks for them -------------------------------------- */

/* The run at the end of the queue, or NULL. */
static struct sched_event *last_run(struct sched_stream *s)
{
	struct sched_event *e = s->tail && s->end ? &s->tail->events[s->end - 1] : NULL;

	return e && e->kind == SCHED_EVENT_RUN && !s->ends_run ? e : NULL;
}

/* @out, which the previous switch switched in, is switched out. Returns the run. */
static struct sched_event *add_to_run(struct sched_model *m, struct sched_stream *s,
				      struct sched_event *run, uint64_t time, uint64_t out,
				      uint64_t in)
{
	if (!run) {
		run = sched_order_room(m, s);
		*run = (struct sched_event){
			.time = time, .a = out, .until = time, .cpu = s->id,
			.kind = SCHED_EVENT_RUN,
		};
		sched_queue_added(s, time);
		s->ends_run = false;
	}
	run->busy += out ? time - run->until : 0;
	run->until = time;
	run->in = in;
	return run;
}

/* Does it continue from the previous switch? */
static bool adds_to_run(const struct sched_model *m, const struct sched_stream *s,
			const struct fxt_switch *sw)
{
	return sched_accepts_runs(m, s) && sw->out == s->in && sw->cpu == s->id &&
	       !fxt_switch_hides_in(sw);
}

static void add_switch(struct sched_model *m, const struct fxt_record *rec,
		       const struct fxt_switch *sw, bool is_ours)
{
	struct sched_stream *s = m->stream;
	struct sched_event *e;
	bool is_of_run = false;
	const char *fault;
	uint64_t time;

	if (unlikely(!sched_is_of_cpu(s)))
		s = sched_stray_stream(m, rec, sw->cpu);
	if (unlikely(!m->cpus[sw->cpu]))
		sched_cpu_add(m, sw->cpu);
	if (s == m->stream) {
		time = sched_count_in_order(m, s, rec, sw->time);
		fault = is_ours ? fault_of_switch(m, sw) : NULL;
		if (unlikely(fault))
			report_fault(m, rec, sw->cpu, time, fault);
		is_of_run = adds_to_run(m, s, sw);
		note_incoming(m, s, sw);
		if (unlikely(s->first_run))
			sched_first_run(s, time, sw);
		if (unlikely(s->id != sw->cpu))
			sched_fault(m, SCHED_WRONG_STREAM, rec->offset, time,
				    "cpu %u: a switch is in the stream of cpu %u",
				    sw->cpu, s->id);
	} else {
		time = sched_ns_of(rec, sw->time);
	}
	m->totals.switches++;
	if (unlikely(is_of_run)) {
		add_to_run(m, s, last_run(s), time, sw->out, sw->in);
		sched_take_unqueued(m, s, time);
		return;
	}
	e = sched_order_room(m, s);
	e->time = time;
	e->offset = rec->offset;
	e->a = sw->out;
	e->b = sw->in;
	e->weight = sw->in_weight;
	e->out_weight = sw->out_weight;
	e->cpu = sw->cpu;
	e->kind = fxt_switch_hides_in(sw) ? SCHED_EVENT_LEAVE : SCHED_EVENT_SWITCH;
	e->state = sched_out_state(sw->state, sw->letter);
	e->has_weight = sw->has_in_weight;
	e->has_out_weight = sw->has_out_weight;
	e->has_b = true;
	sched_queue_put(m, s, time);
}

int sched_model_switch(struct sched_model *m, const struct fxt_record *rec,
		       const struct fxt_switch *sw)
{
	if (unlikely(sw->unknown == FXT_STR_LOST))
		sched_check_stand_in(m, rec, sw);
	else if (unlikely(fxt_is_mark(sw->unknown)))
		sched_add_edge(m, rec, sw);
	else
		add_switch(m, rec, sw, true);
	return m->error;
}

int sched_model_wakeup(struct sched_model *m, const struct fxt_record *rec,
		       const struct fxt_wakeup *w)
{
	struct sched_stream *s = m->stream;
	struct sched_event *e;
	const char *fault;
	uint64_t time;

	if (unlikely(!sched_is_of_cpu(s)))
		s = sched_stray_stream(m, rec, SCHED_STREAM_WAKEUPS);
	/* A recording of some CPUs has wakeups for others. */
	if (unlikely(!m->cpus[w->cpu]) && !m->filter.cpus)
		sched_cpu_add(m, w->cpu);
	if (s == m->stream) {
		time = sched_count_in_order(m, s, rec, w->time);
		fault = fault_of_wakeup(m, w);
		if (unlikely(fault))
			report_fault(m, rec, w->cpu, time, fault);
	} else {
		time = sched_ns_of(rec, w->time);
	}
	m->totals.wakeups++;
	if (unlikely(s == m->stream && sched_accepts_runs(m, s))) {
		sched_take_unqueued(m, s, time);
		return m->error;
	}
	e = sched_order_room(m, s);
	e->time = time;
	e->offset = rec->offset;
	e->a = w->thread;
	e->b = w->has_waker ? w->waker : w->interrupted;
	e->weight = w->weight;
	e->cpu = w->cpu;
	e->kind = SCHED_EVENT_WAKEUP;
	e->state = w->unknown ? SCHED_UNKNOWN : 'R';
	e->irq = w->has_waker ? FXT_SCHED_IRQ_NONE : w->irq;
	e->has_weight = w->has_weight;
	e->by_idle = is_by_idle(rec, w);
	e->has_b = w->has_waker;
	sched_queue_put(m, s, time);
	return m->error;
}

/* It names threads with their processes, and its priorities serve as weights. */
static void add_legacy(struct sched_model *m, const struct fxt_record *rec,
		       const struct fxt_content *c)
{
	const struct fxt_legacy_switch *l = &c->legacy;
	const struct fxt_thread_id *sides[] = { &l->out, &l->in };
	struct sched_thread *t;
	size_t i;

	for (i = 0; i < 2; i++) {
		t = sched_thread_get(&m->threads, sides[i]->thread);
		if (!t->process)
			t->process = sides[i]->process;
	}
	add_switch(m, rec, &(struct fxt_switch){
		.time = c->time,
		.out = l->out.thread,
		.in = l->in.thread,
		.out_weight = l->out_priority,
		.in_weight = l->in_priority,
		.cpu = l->cpu,
		.state = l->state,
		.has_out_weight = true,
		.has_in_weight = true,
	}, false);
}

/* --- names ------------------------------------------------------------------------- */

static void apply_object(struct sched_model *m, const struct fxt_record *rec,
			 const struct fxt_content *c)
{
	/* The collector names tracks between the streams. */
	if (m->stream && !kernel_event_is_track(c->object)) {
		if (m->stream->id == FXT_LEDGER_STREAM_NAMES) {
			m->stream->stored++;
			m->totals.stored++;
		} else {
			sched_fault(m, SCHED_WRONG_STREAM, rec->offset, 0,
				    "cpu %u: a kernel object is in the stream of a CPU",
				    m->stream->id);
		}
	}
	if ((c->object_type == FXT_OBJECT_PROCESS || c->object_type == FXT_OBJECT_THREAD) &&
	    kernel_event_of_cgroup(c->object))
		sched_set_cgroup(m, c);
	sched_add_name(m, rec, c);
}

static void apply_blob(struct sched_model *m, const struct fxt_record *rec,
		       const struct fxt_content *c)
{
	if (c->name.known == FXT_STR_LEDGER)
		sched_apply_ledger(m, rec, c);
	else if (c->name.known == FXT_STR_SESSION)
		sched_parse_session(m, rec, c);
	else if (fxt_text_is(&c->name, FXT_SCHED_BEFORE))
		sched_read_before(m, rec, c);
	else if (c->name.known == FXT_STR_SYMBOLS && m->ops->moment)
		sched_symbols_parse(&m->symbols, rec->provider->id, &c->blob);
}

int sched_model_content(struct sched_model *m, const struct fxt_record *rec,
			const struct fxt_content *c)
{
	struct kernel_event e;

	if (m->error)
		return m->error;
	if (kernel_event_decode(&e, rec->provider, c)) {
		/* Its stream determines whose stack it is. */
		if (!kernel_event_is_stack(e.what) || sched_is_of_cpu(m->stream))
			sched_queue_event(m, rec, c, &e);
		return m->error;
	}
	/* The model does not need these, but the ledger of their stream counts them. */
	if (sched_is_of_cpu(m->stream) && kernel_event_is_custom(rec->provider, c)) {
		sched_count_in_order(m, m->stream, rec, c->time);
		return 0;
	}
	switch (c->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
		return sched_model_switch(m, rec, &c->sw);
	case FXT_KIND_THREAD_WAKEUP:
		return sched_model_wakeup(m, rec, &c->wakeup);
	case FXT_KIND_LEGACY_SWITCH:
		add_legacy(m, rec, c);
		break;
	case FXT_KIND_KERNEL_OBJECT:
		apply_object(m, rec, c);
		break;
	case FXT_KIND_BLOB:
		apply_blob(m, rec, c);
		break;
	case FXT_KIND_MODULE:
	case FXT_KIND_MMAP:
		if (m->ops->moment)
			sched_files_add(&m->symbols.files, rec->provider->id, c);
		break;
	case FXT_KIND_INSTANT:
		sched_add_mark(m, rec, c);
		break;
	case FXT_KIND_COUNTER:
		if (kernel_event_counts_cgroup(c) &&
		    fxt_text_is(&rec->provider->name, FXT_SCHED_PROVIDER_NAME))
			sched_set_quota(m, rec, c);
		break;
	case FXT_KIND_DURATION_COMPLETE:
		sched_note_slice(m, rec, c);
		break;
	case FXT_KIND_PROVIDER_EVENT:
		m->told_events += c->event == FXT_PROVIDER_EVENT_BUFFER_FULL;
		break;
	/* A ledger covers only records of its own provider. */
	case FXT_KIND_PROVIDER_INFO:
	case FXT_KIND_PROVIDER_SECTION:
		if (m->stream && m->stream->provider != rec->provider->id)
			m->stream = NULL;
		break;
	default:
		break;
	}
	return m->error;
}

int sched_model_record(struct sched_model *m, struct fxt_reader *r,
		       const struct fxt_record *rec)
{
	struct fxt_wakeup wakeup;
	struct fxt_switch sw;
	int ret;

	switch (rec->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
		ret = fxt_reader_switch(r, rec, &sw);
		return ret ? ret : sched_model_switch(m, rec, &sw);
	case FXT_KIND_THREAD_WAKEUP:
		ret = fxt_reader_wakeup(r, rec, &wakeup);
		return ret ? ret : sched_model_wakeup(m, rec, &wakeup);
	case FXT_KIND_LEGACY_SWITCH:
	case FXT_KIND_KERNEL_OBJECT:
	case FXT_KIND_BLOB:
	case FXT_KIND_INSTANT:
	case FXT_KIND_COUNTER:
	case FXT_KIND_DURATION_COMPLETE ... FXT_KIND_ASYNC_END:
	case FXT_KIND_MODULE ... FXT_KIND_BACKTRACE:
	case FXT_KIND_PROVIDER_INFO:
	case FXT_KIND_PROVIDER_SECTION:
	case FXT_KIND_PROVIDER_EVENT:
		ret = fxt_reader_content(r, rec, &m->content);
		return ret ? ret : sched_model_content(m, rec, &m->content);
	default:
		return 0;
	}
}

/* --- the end ----------------------------------------------------------------------- */

int sched_model_finish(struct sched_model *m)
{
	if (m->error)
		return m->error;
	sched_names_end(m);
	sched_order_finish(m);
	if (m->run_until > m->next_end)
		sched_end_recordings(m, m->run_until);
	m->now = m->run_until > m->now ? m->run_until : m->now;
	if (m->spans && !m->error)
		sched_spans_finish(m);
	if (m->totals.first == UINT64_MAX)
		m->totals.first = 0;
	m->totals.last = m->now;
	sched_requests_finish(m);
	if (m->error)
		return m->error;
	sched_lives_finish(m);
	sched_parents_finish(m);
	sched_join_futexes(m);
	sched_find_locks(m);
	sched_name_cgroups(m);
	sched_ledgers_finish(m);
	sched_marks_finish(m);
	sched_pairs_finish(m);
	sched_judge_finish(m);
	return 0;
}

const struct sched_totals *sched_model_totals(const struct sched_model *m)
{
	return &m->totals;
}

const char *sched_model_filter(const struct sched_model *m)
{
	return m->filter.cpus || m->filter.threads ? m->filter.text : NULL;
}

const struct sched_topology *sched_model_topology(const struct sched_model *m)
{
	return m->has_topologies ? NULL : m->topology;
}

struct sched_thread *sched_model_thread(struct sched_model *m, uint64_t koid)
{
	return sched_thread_find(&m->threads, koid);
}

struct sched_thread *sched_model_thread_at(struct sched_model *m, uint64_t koid, uint64_t ns)
{
	return sched_life_find(m, koid, ns);
}

bool sched_model_trigger(const struct sched_model *m, struct sched_trigger *t)
{
	return sched_marks_trigger(m, t);
}

bool sched_model_has_cpu(const struct sched_model *m, uint16_t cpu)
{
	return m->cpus[cpu];
}

struct sched_thread *const *sched_model_threads(struct sched_model *m, size_t *count)
{
	*count = m->threads.count;
	return m->threads.list;
}

struct sched_process *const *sched_model_processes(struct sched_model *m, size_t *count)
{
	*count = m->threads.process_count;
	return m->threads.processes;
}

struct sched_symbols *sched_model_symbols(struct sched_model *m)
{
	return &m->symbols;
}

struct sched_origin *const *sched_model_origins(struct sched_model *m, size_t *count)
{
	*count = m->origins.count;
	return m->origins.list;
}

/* --- the common switches and wakeups ----------------------------------------------------- */

static __attribute__((noinline)) bool is_rare_weight(uint64_t koid, int32_t weight)
{
	return sched_weight_is_sane(koid, weight);
}

/* As sched_weight_is_sane(); nearly all are of the fair class or the idle thread. */
static inline bool is_sane_weight(uint64_t koid, int32_t weight)
{
	bool fair = (uint32_t)weight + 1 <= FAIR_WEIGHT_MAX + 1;
	bool idle = weight == FXT_SCHED_WEIGHT_IDLE;

	return likely((fair & !!koid) | (idle & !koid)) || is_rare_weight(koid, weight);
}

/* The outgoing weight was checked when its thread was switched in. */
static inline bool is_sane_switch(const struct sched_stream *s, const struct fxt_hot *u)
{
	bool sane = (s->id == u->cpu) & (u->thread == s->in) & (u->out_weight == s->in_weight);

	sane &= (u->thread != u->other) & (!!u->thread | !u->state);
	sane &= u->state != FXT_THREAD_RUNNING;
	return likely(sane) && is_sane_weight(u->other, u->weight);
}

static inline bool is_sane_wakeup(const struct fxt_hot *u)
{
	return u->thread && u->other && is_sane_weight(u->thread, u->weight);
}

static inline void set_event(struct sched_event *e, const struct fxt_hot *u)
{
	e->time = u->time;
	e->offset = u->offset;
	e->a = u->thread;
	e->b = u->other;
	e->weight = u->weight;
	e->out_weight = u->out_weight;
	e->cpu = u->cpu;
	e->kind = u->is_wakeup ? SCHED_EVENT_WAKEUP : SCHED_EVENT_SWITCH;
	e->state = u->is_wakeup ? 'R' : sched_state_letter(u->state);
	e->irq = FXT_SCHED_IRQ_NONE;
	e->has_weight = true;
	e->has_out_weight = !u->is_wakeup;
	e->has_b = true;
}

/* Returns false, and changes nothing, if the record is not common. */
static inline bool accept_hot(const struct sched_model *m, struct sched_stream *s,
			      struct sched_event *e, const struct fxt_hot *u)
{
	bool is_known = m->cpus[u->cpu] || (u->is_wakeup && m->filter.cpus);

	if (unlikely(!is_known || u->time < s->tail_ns ||
		     !(u->is_wakeup ? is_sane_wakeup(u) : is_sane_switch(s, u))))
		return false;
	set_event(e, u);
	s->tail_ns = u->time;
	if (u->is_wakeup)
		return true;
	s->in = u->other;
	s->in_weight = u->weight;
	return true;
}

bool sched_model_accepts_runs(const struct sched_model *m)
{
	return sched_accepts_runs(m, m->stream) && !m->stream->check_next && !m->error;
}

static inline uint64_t choose(uint64_t mask, uint64_t a, uint64_t b)
{
	return (a & mask) | (b & ~mask);
}

/* No branch depends on the kind of a record: half of them would be mispredicted. */
struct sched_taken sched_model_run(struct sched_model *m, const struct fxt_sched_run *records)
{
	struct sched_stream *s = m->stream;
	uint64_t in = s->in, time = s->tail_ns > s->last_ticks ? s->tail_ns : s->last_ticks;
	struct sched_event *run = last_run(s);
	uint64_t until = run ? run->until : 0, busy = 0, is_switch, differs;
	uint64_t count = 0, switches = 0, switch_words = 0, size, cpu, id = s->id;
	const bool all_cpus = m->filter.cpus;
	const uint64_t *w, *end = records->end;

	for (w = records->words; w < end; w += size, count++) {
		size = fxt_get(FXT_SIZE, w[0]);
		cpu = fxt_get(FXT_SWITCH_CPU, w[0]);
		is_switch = (uint64_t)fxt_hot_is_wakeup(w) - 1;
		differs = ((cpu ^ id) | (w[2] ^ in)) & is_switch;
		if (unlikely(differs || w[1] < time || !(all_cpus || m->cpus[cpu])))
			break;
		time = w[1];
		if (unlikely(!run) && is_switch) {
			run = add_to_run(m, s, run, time, in, w[3]);
			until = time;
		}
		busy += (time - until) & is_switch & -(uint64_t)!!in;
		until = choose(is_switch, time, until);
		in = choose(is_switch, w[3], in);
		switches -= is_switch;
		switch_words += size & is_switch;
	}
	if (!count)
		return (struct sched_taken){ 0 };
	if (run && switches) {
		run->busy += busy;
		run->until = until;
		run->in = in;
	}
	sched_note_times(m, records->words[1], time);
	s->in = in;
	s->last_ticks = s->tail_ns = time;
	s->stored += count;
	m->totals.stored += count;
	m->totals.wakeups += count - switches;
	m->totals.switches += switches;
	return (struct sched_taken){ count, w - records->words, switches, switch_words, time };
}

/*
 * Local variables have the stream's fields that change, because the compiler cannot know that
 * adding an event does not change them.
 */
size_t sched_model_hot(struct sched_model *m, const struct fxt_hot_run *run)
{
	struct sched_stream *s = m->stream;
	const uint64_t *w = run->words, *end;
	uint64_t offset = run->offset;
	size_t n, room, wakeups = 0;
	struct sched_stream now;
	struct sched_event *e;
	struct fxt_hot u;

	if (unlikely(!sched_is_of_cpu(s) || s->check_next || m->error))
		return 0;
	if (unlikely(!s->tail))
		return 0;
	now.id = s->id;
	now.in = s->in;
	now.in_weight = s->in_weight;
	now.tail_ns = s->tail_ns > s->last_ticks ? s->tail_ns : s->last_ticks;
	e = &s->tail->events[s->end];
	room = m->block_events - s->end;
	end = w + (run->count < room ? run->count : room) * FXT_HOT_WORDS;
	for (; w < end; w += FXT_HOT_WORDS, offset += FXT_HOT_BYTES, e++) {
		if (fxt_hot_is_wakeup(w)) {
			u = fxt_hot_get(w, offset, true);
			if (!accept_hot(m, &now, e, &u))
				break;
			wakeups++;
		} else {
			u = fxt_hot_get(w, offset, false);
			if (!accept_hot(m, &now, e, &u))
				break;
		}
	}
	n = (w - run->words) / FXT_HOT_WORDS;
	if (!n)
		return 0;
	s->in = now.in;
	s->in_weight = now.in_weight;
	s->last_ticks = s->tail_ns = now.tail_ns;
	s->end += n;
	s->stored += n;
	m->totals.stored += n;
	m->totals.wakeups += wakeups;
	m->totals.switches += n - wakeups;
	return n;
}

int sched_model_next(struct sched_model *m, struct fxt_reader *r, struct fxt_record *rec)
{
	struct fxt_hot_run run;
	size_t fed;

	while ((run = fxt_reader_hot_run(r, FXT_HOT_RUN)).count) {
		fed = sched_model_hot(m, &run);
		fxt_reader_skip_hot(r, fed < run.count ? fed + 1 : fed);
		if (fed == run.count)
			continue;
		fxt_reader_hot_record(r, rec);
		return 1;
	}
	return fxt_reader_next(r, rec);
}
