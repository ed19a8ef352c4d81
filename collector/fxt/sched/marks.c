// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * marks.c - the marks of a snapshot.
 *
 * In: the instants that mark a snapshot, and the events as they leave memory.
 * Out: its trigger, and anomalies.
 * Must hold: the archive has the switch or wakeup of a trigger; of a wait or sleep that was not
 * over, the event at its beginning and none that ends it. A thread whose wait for a lock was not
 * over did not run. No CPU begins after the stated time since
 * when all CPUs are covered.
 *
 * Marks come at the end of the archive, perhaps after more events than are kept in memory. So a
 * switch may have left memory before its mark was seen; it is reported as missing only if the
 * events in memory prove it.
 */
#include <inttypes.h>
#include <string.h>

#include <fxt/fxt_catalogue.h>
#include <linux/fxt_sched.h>

#include "data.h"
#include "anomalies.h"

#define TRIGGER_RACE	10000	/* ns */

/* Have events of that CPU and time left memory before the mark was seen? */
static bool has_gone(const struct sched_model *m, const struct sched_mark *mark)
{
	const struct sched_stream *s = m->streams[mark->cpu];

	/* Removed events that are still in the first block are searched with it. */
	return s && s->has_gone && (!s->head || s->head->events[0].time >= mark->time);
}

/* Likewise for an event at another time, which any CPU may have. */
static bool any_has_gone(const struct sched_model *m, uint64_t time)
{
	const struct sched_stream *s;
	size_t i;

	for (i = 0; i < m->stream_count; i++) {
		s = m->stream_list[i];
		if (s->has_gone && (!s->head || s->head->events[0].time >= time))
			return true;
	}
	return false;
}

static const struct {
	uint16_t argument;		/* FXT_STR_*: the name of the value */
	const char *word;
	const char *interrupt;
} causes[] = {
#define CAUSE(cause, group, argument, word, what, interrupt)	\
	[FXT_SCHED_CAUSE_##cause] = { argument, word, interrupt },
	FXT_CAUSES(CAUSE)
#undef CAUSE
};

bool sched_find_cause(uint16_t argument, uint8_t *cause)
{
	uint8_t i;

	for (i = 0; i < sizeof(causes) / sizeof(*causes); i++)
		if (causes[i].argument == argument) {
			*cause = i;
			return true;
		}
	return false;
}

const char *sched_cause_word(uint8_t cause)
{
	return causes[cause].word;
}

bool sched_cause_sleeps(uint8_t cause)
{
	return cause == FXT_SCHED_CAUSE_BLOCKED || cause == FXT_SCHED_CAUSE_SLEEP;
}

const char *sched_cause_interrupt(uint8_t cause)
{
	return causes[cause].interrupt;
}

const char *sched_cause_how(uint8_t cause)
{
	return cause == FXT_SCHED_CAUSE_BLOCKED ? " in D" :
	       cause == FXT_SCHED_CAUSE_LOCK ? " for a lock" : "";
}

/* The argument's name is the cause. */
static const struct fxt_arg *find_value(const struct fxt_content *c, uint8_t *cause)
{
	const struct fxt_arg *arg;

	for (*cause = 0; *cause < sizeof(causes) / sizeof(*causes); ++*cause) {
		arg = kernel_event_arg(c, causes[*cause].argument, FXT_ARG_UINT64);
		if (arg)
			return arg;
	}
	return NULL;
}

/* The time of the event that must be in the archive. */
static uint64_t time_of(const struct sched_mark *mark)
{
	return mark->goes_on ? mark->time - mark->value : mark->time;
}

/* Does the mark tell that the wait was not over? */
static bool wait_goes_on(const struct fxt_content *c)
{
	const struct fxt_arg *arg = kernel_event_arg(c, FXT_STR_UNKNOWN, FXT_ARG_STRING);

	return arg && arg->text.known == FXT_STR_END;
}

/* The mark of a wait for a lock may name that and its holder. Return: is it valid? */
static bool decode_lock(struct sched_mark *mark, const struct fxt_content *c)
{
	const struct fxt_arg *kind = kernel_event_arg(c, FXT_STR_LOCK_KIND, FXT_ARG_STRING);
	const struct fxt_arg *at = kernel_event_arg(c, FXT_STR_LOCK_ADDRESS, FXT_ARG_UINT64);
	const struct fxt_arg *holder = kernel_event_arg(c, FXT_STR_HOLDER, FXT_ARG_KOID);

	if (!kind && !at && !holder)
		return true;
	if (mark->cause != FXT_SCHED_CAUSE_LOCK || !kind || !at ||
	    (holder && (holder->u64 == mark->thread || holder->u64 >= FXT_SCHED_TID_END)))
		return false;
	sched_set_name(mark->lock_kind, sizeof(mark->lock_kind), &kind->text);
	mark->lock_address = at->u64;
	mark->holder = holder ? holder->u64 : 0;
	return *mark->lock_kind;
}

static bool decode_trigger(struct sched_model *m, struct sched_mark *mark,
			   const struct fxt_content *c)
{
	const struct fxt_arg *thread = kernel_event_arg(c, FXT_STR_THREAD, FXT_ARG_KOID);
	const struct fxt_arg *cpu = kernel_event_arg(c, FXT_STR_CPU, FXT_ARG_UINT32);
	const struct fxt_arg *value = find_value(c, &mark->cause);

	if (!thread || !cpu || cpu->u64 >= SCHED_NO_CPU || !value) {
		sched_fault(m, SCHED_MARK, mark->offset, mark->time,
			    "a trigger does not say which thread waited or ran, where, and how long");
		return false;
	}
	mark->thread = thread->u64;
	if (!decode_lock(mark, c)) {
		sched_fault(m, SCHED_MARK, mark->offset, mark->time,
			    "a trigger with a lock of no kind, without its address or with an impossible holder");
		return false;
	}
	mark->is_trigger = true;
	mark->value = value->u64;
	mark->cpu = cpu->u64;
	mark->goes_on = fxt_cause_has_thread(mark->cause) && wait_goes_on(c);
	mark->is_gone = mark->goes_on || sched_cause_sleeps(mark->cause) ?
			any_has_gone(m, time_of(mark)) : has_gone(m, mark);
	return true;
}

void sched_add_mark(struct sched_model *m, const struct fxt_record *rec,
		    const struct fxt_content *c)
{
	struct sched_mark mark = {
		.time = sched_ns_of(rec, c->time),
		.offset = rec->offset,
		.provider = rec->provider->id,
	};

	if (c->thread.process != FXT_SCHED_KOID_LOSS ||
	    c->thread.thread != FXT_SCHED_KOID_LOSS ||
	    c->category.known != FXT_STR_CATEGORY || m->mark_count == SCHED_MARKS)
		return;
	if (c->name.known == FXT_STR_COMPLETE ||
	    (c->name.known == FXT_STR_TRIGGER && decode_trigger(m, &mark, c)))
		m->marks[m->mark_count++] = mark;
}

/* A thread whose wait for a lock was not over slept for it. */
static void look_for_switch(struct sched_mark *mark, const struct sched_event *e,
			    const struct sched_event *end)
{
	for (; e < end; e++) {
		if (e->kind != SCHED_EVENT_SWITCH || e->time > mark->time)
			continue;
		if (e->a == mark->thread && e->time > mark->last_out)
			mark->last_out = e->time;
		if (e->b == mark->thread && e->time > mark->last_in)
			mark->last_in = e->time;
	}
}

/*
 * For a wait or sleep that was not over, look for the event that began it, and for one that ends it
 * earlier. The trigger may have fired while another CPU was about to end it.
 */
static void look_for_wait(struct sched_mark *mark, const struct sched_event *e,
			  const struct sched_event *end)
{
	bool sleeps = sched_cause_sleeps(mark->cause), is_woken, is_out, is_in;
	uint64_t since = time_of(mark);

	for (; e < end; e++) {
		is_woken = e->kind == SCHED_EVENT_WAKEUP && e->a == mark->thread;
		is_out = e->kind == SCHED_EVENT_SWITCH && e->a == mark->thread;
		is_in = e->kind == SCHED_EVENT_SWITCH && e->b == mark->thread;
		if (sleeps ? is_out : is_woken)
			mark->is_found |= e->time + 1 >= since && e->time <= since + 1;
		if (is_in || (sleeps && is_woken))
			mark->is_over |= e->time > since && e->time + TRIGGER_RACE < mark->time;
	}
}

/* Is it the switch-in that ends a wait, or the wakeup that ends a sleep? */
static bool ends_wait(const struct sched_mark *mark, const struct sched_event *e)
{
	if (e->time != mark->time)
		return false;
	if (sched_cause_sleeps(mark->cause))
		return e->kind == SCHED_EVENT_WAKEUP && e->a == mark->thread;
	return e->kind == SCHED_EVENT_SWITCH && e->cpu == mark->cpu && e->b == mark->thread;
}

void sched_marks_look(struct sched_model *m, const struct sched_block *block,
		      uint32_t events)
{
	const struct sched_event *e = block->events, *end = e + events;
	struct sched_mark *mark;

	for (mark = m->marks; mark < m->marks + m->mark_count; mark++) {
		if (mark->goes_on && mark->cause == FXT_SCHED_CAUSE_LOCK)
			look_for_switch(mark, block->events, end);
		else if (mark->goes_on)
			look_for_wait(mark, block->events, end);
		if (!mark->is_trigger || mark->goes_on ||
		    mark->time < block->events[0].time || mark->time > end[-1].time)
			continue;
		for (e = block->events; e < end; e++)
			mark->is_found |= ends_wait(mark, e);
	}
}

bool sched_marks_trigger(const struct sched_model *m, struct sched_trigger *t)
{
	const struct sched_mark *mark, *first = NULL;

	for (mark = m->marks; mark < m->marks + m->mark_count; mark++)
		if (mark->is_trigger && (!first || mark->time < first->time))
			first = mark;
	if (first)
		*t = (struct sched_trigger){
			.time = first->time, .value = first->value,
			.thread = first->thread, .cpu = first->cpu, .cause = first->cause,
			.goes_on = first->goes_on,
			.lock = first->lock, .holder = first->holder,
		};
	return first;
}

/* --- the end --------------------------------------------------------------------- */

/* Is it certain that the switch is missing? */
static bool is_missing(const struct sched_model *m, const struct sched_mark *mark)
{
	const struct sched_cpu *cpu = m->cpus[mark->cpu];
	const struct sched_stream *s = m->streams[mark->cpu];

	/* The record may be filtered out, overwritten or lost. */
	if (mark->is_found || (s && mark->time < s->opened) || mark->time <= m->gap_to)
		return false;
	/* Events that have left memory are not later than the CPU's last switch. */
	return !mark->is_gone || !cpu || cpu->since < mark->time;
}

/* Likewise for an event that any CPU may have. */
static bool is_missing_anywhere(const struct sched_model *m, const struct sched_mark *mark)
{
	const struct sched_stream *s;
	size_t i;

	for (i = 0; i < m->stream_count; i++) {
		s = m->stream_list[i];
		if (s->id != FXT_LEDGER_STREAM_NAMES && time_of(mark) < s->opened)
			return false;
	}
	return !mark->is_found && !mark->is_gone && time_of(mark) > m->gap_to;
}

static void judge_wait(struct sched_model *m, const struct sched_mark *mark)
{
	bool sleeps = sched_cause_sleeps(mark->cause);

	if (mark->is_over)
		sched_fault(m, SCHED_MARK, mark->offset, mark->time,
			    "cpu %u: thread %" PRIu64 " is the trigger because it %s at %" PRIu64 " ns, but it is %s before",
			    mark->cpu, mark->thread, sleeps ? "sleeps" : "waits", mark->time,
			    sleeps ? "woken" : "switched in");
	if (!is_missing_anywhere(m, mark))
		return;
	if (m->filter.threads || m->filter.cpus)
		sched_filtered(m, 1, mark->offset, mark->time);
	else
		sched_fault(m, SCHED_MARK, mark->offset, mark->time,
			    "cpu %u: thread %" PRIu64 " is the trigger, but it is not %s at %" PRIu64 " ns",
			    mark->cpu, mark->thread,
			    sleeps && mark->goes_on ? "switched out" : "woken", time_of(mark));
}

static void judge_lock(struct sched_model *m, const struct sched_mark *mark)
{
	if (mark->last_in > mark->last_out && mark->last_in + TRIGGER_RACE < mark->time &&
	    mark->last_in > m->gap_to && !m->filter.threads && !m->filter.cpus)
		sched_fault(m, SCHED_MARK, mark->offset, mark->time,
			    "cpu %u: thread %" PRIu64 " is the trigger because it sleeps for a lock at %" PRIu64 " ns, but it runs since %" PRIu64,
			    mark->cpu, mark->thread, mark->time, mark->last_in);
}

static void judge_trigger(struct sched_model *m, const struct sched_mark *mark)
{
	if (mark->cause == FXT_SCHED_CAUSE_LOCK && mark->goes_on) {
		judge_lock(m, mark);
		return;
	}
	/* Waits for locks are in the archive only if it has these events. */
	if (mark->cause != FXT_SCHED_CAUSE_LOCK &&
	    (mark->goes_on || sched_cause_sleeps(mark->cause))) {
		judge_wait(m, mark);
		return;
	}
	/* Interrupts and run queues, too, are in the archive only with their events. */
	if (mark->cause != FXT_SCHED_CAUSE_LATENCY || !is_missing(m, mark))
		return;
	if (m->filter.threads || (m->filter.cpus && !m->cpus[mark->cpu]))
		sched_filtered(m, 1, mark->offset, mark->time);
	else
		sched_fault(m, SCHED_MARK, mark->offset, mark->time,
			    "cpu %u: thread %" PRIu64 " is the trigger, but it is not switched in at %" PRIu64 " ns",
			    mark->cpu, mark->thread, mark->time);
}

/* "All CPUs" are those of the mark's own recording; others may have been merged with it. */
static void judge_complete(struct sched_model *m, const struct sched_mark *mark)
{
	const struct sched_stream *s;
	uint64_t complete = 0;
	size_t i;

	for (i = 0; i < m->stream_count; i++) {
		s = m->stream_list[i];
		if (s->id != FXT_LEDGER_STREAM_NAMES && s->provider == mark->provider &&
		    s->opened > complete)
			complete = s->opened;
	}
	if (mark->time < complete)
		sched_fault(m, SCHED_MARK, mark->offset, mark->time,
			    "a mark says that all CPUs are complete from %" PRIu64 " ns on, but one "
			    "begins at %" PRIu64,
			    mark->time, complete);
}

void sched_marks_finish(struct sched_model *m)
{
	unsigned int i;

	for (i = 0; i < m->mark_count; i++) {
		if (m->marks[i].is_trigger)
			judge_trigger(m, &m->marks[i]);
		else
			judge_complete(m, &m->marks[i]);
	}
}
