// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * session.c - the description of a recording: its filters, marks and recorder.
 *
 * In: the lines that describe the session, the instants that mark a snapshot, and the events
 * as they leave memory.
 * Out: the filter, and anomalies.
 * Must hold: the archive has the switch that a trigger names, or, for a wait that was not over, its
 * wakeup and no switch that ends it; and no CPU begins after the stated time since when all CPUs
 * are covered.
 *
 * Marks come at the end of the archive, perhaps after more events than are kept in memory.
 * So a switch that was not found may have left memory before its mark was seen. It is
 * reported as missing only if the events in memory prove it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_catalogue.h>
#include <linux/fxt_sched.h>

#include "data.h"
#include "anomalies.h"

#define TRIGGER_RACE	10000	/* ns */

static const char filter_key[] = "filter ";
static const char cpus_key[] = "cpus ";
static const char tool_key[] = "tool ";
static const char namespace_key[] = "pid_namespace ";
static const char prio_line[] = "weight prio";
static const char no_weight_line[] = "weight none";
static const char no_quota_line[] = "quotas none";
static const char throttle_key[] = "throttle ";
static const char command_key[] = "command_pid ";
static const char epoch_key[] = "epoch ";
static const char source_key[] = "source ";
static const char events_key[] = "events ";
static const char moves_line[] = "moves runnable";

/**
 * struct session - what one description says of moves to other CPUs
 * @is_recording: it is that of a recording of fxt-collect
 * @has_moves: those of runnable threads are in it
 * @has_all_moves: also those of threads that are being woken
 */
struct session {
	bool is_recording;
	bool has_moves;
	bool has_all_moves;
};

/* Is @line, with @length, a text? */
#define IS_LINE(text)	(length == sizeof(text) - 1 && !memcmp(line, text, sizeof(text) - 1))

static void take_filter(struct sched_model *m, const char *what, size_t length)
{
	size_t used = strlen(m->filter.text), room = sizeof(m->filter.text) - used;

	if (length > sizeof(cpus_key) - 1 && !memcmp(what, cpus_key, sizeof(cpus_key) - 1))
		m->totals.lacks_cpus = m->filter.cpus = true;
	else
		m->totals.lacks_threads = m->filter.threads = true;
	snprintf(m->filter.text + used, room, "%s%.*s", used ? ", " : "", (int)length, what);
}

/* Parse digits; 0 if the number needs more than 64 bits. */
static uint64_t number_of(const char *digits, size_t length)
{
	uint64_t number = 0;
	size_t i;

	for (i = 0; i < length; i++)
		if (digits[i] < '0' || digits[i] > '9' ||
		    __builtin_mul_overflow(number, 10, &number) ||
		    __builtin_add_overflow(number, digits[i] - '0', &number))
			return 0;
	return number;
}

/* Process ids of several machines are ambiguous here. */
static void take_command(struct sched_model *m, uint64_t pid)
{
	m->totals.command = m->has_command ? 0 : pid;
	m->has_command = true;
}

/* --- which CPUs share something ----------------------------------------------------------- */

static const char *const share_keys[SCHED_SHARES] = {
	[SCHED_CORE] = "cores ", [SCHED_CACHE] = "caches ", [SCHED_NODE] = "nodes ",
};

/* Parse a number of at most five digits. Return: its end, or NULL if there is none */
static const char *take_cpu(const char *at, const char *end, uint32_t *cpu)
{
	const char *begin = at;

	for (*cpu = 0; at < end && *at >= '0' && *at <= '9' && at - begin < 5; at++)
		*cpu = *cpu * 10 + *at - '0';
	return at > begin ? at : NULL;
}

/*
 * Parse groups of CPUs: "0-3,8 4-7" has two lists, separated by blanks. Anything else ends the
 * line.
 */
static void take_groups(uint16_t *groups, const char *at, const char *end)
{
	uint32_t from, to, group = 1;

	while ((at = take_cpu(at, end, &from))) {
		to = from;
		if (at < end && *at == '-')
			at = take_cpu(at + 1, end, &to);
		for (; at && from <= to && from < SCHED_TOPOLOGY_CPUS; from++)
			groups[from] = group;
		if (!at || at == end)
			return;
		group += *at == ' ' && group < UINT16_MAX;
		at++;
	}
}

/* Return: true if it was such a line. Sets m->error without memory. */
static bool take_shares(struct sched_model *m, const char *line, size_t length)
{
	unsigned int i;
	size_t key;

	for (i = 0; i < SCHED_SHARES; i++) {
		key = strlen(share_keys[i]);
		if (length > key && !memcmp(line, share_keys[i], key))
			break;
	}
	if (i == SCHED_SHARES)
		return false;
	if (!m->topology && !(m->topology = calloc(1, sizeof(*m->topology)))) {
		m->error = -ENOMEM;
		return true;
	}
	m->has_topologies |= m->shares >> i & 1;
	m->shares |= 1U << i;
	take_groups(m->topology->groups[i], line + key, line + length);
	return true;
}

/* --- which moves are recorded ------------------------------------------------------------- */

/* Is @word in the list of a line? */
static bool has_word(const char *list, size_t length, const char *word)
{
	const char *end = list + length, *stop;
	size_t bytes = strlen(word);

	for (; list < end; list = stop + 1) {
		stop = memchr(list, ',', end - list);
		stop = stop ? stop : end;
		if ((size_t)(stop - list) == bytes && !memcmp(list, word, bytes))
			return true;
	}
	return false;
}

/* Older descriptions only have the groups of events. */
static void take_moves(struct session *s, const char *line, size_t length)
{
	if (length > sizeof(source_key) - 1 && !memcmp(line, source_key, sizeof(source_key) - 1))
		s->is_recording = true;
	else if (IS_LINE(moves_line))
		s->has_moves = true;
	else if (length > sizeof(events_key) - 1 &&
		 !memcmp(line, events_key, sizeof(events_key) - 1))
		s->has_all_moves = has_word(line + sizeof(events_key) - 1,
					    length - (sizeof(events_key) - 1), "migrate");
}

static void finish_moves(struct sched_model *m, const struct session *s)
{
	if (!s->is_recording)
		return;
	m->recordings++;
	m->with_moves += s->has_moves || s->has_all_moves;
	m->with_all_moves += s->has_all_moves;
	m->totals.has_moves = m->with_moves == m->recordings;
	m->totals.has_all_moves = m->with_all_moves == m->recordings;
}

void sched_take_session(struct sched_model *m, const struct fxt_record *rec,
			const struct fxt_content *c)
{
	const char *line = c->blob.data, *stop;
	size_t left = c->blob.bytes, length, key = sizeof(filter_key) - 1;
	struct session session = { 0 };

	for (; left; line += length, left -= length) {
		stop = memchr(line, '\n', left);
		length = stop ? (size_t)(stop - line) : left;
		if (take_shares(m, line, length)) {
			length += !!stop;
			continue;
		}
		sched_take_limits(&m->totals.limits, line, length);
		if (length > key && !memcmp(line, filter_key, key)) {
			m->filter.offset = rec->offset;
			take_filter(m, line + key, length - key);
		}
		if (length >= sizeof(tool_key) - 1 && !memcmp(line, tool_key, sizeof(tool_key) - 1))
			m->totals.is_imported = true;
		if (length >= sizeof(throttle_key) - 1 &&
		    !memcmp(line, throttle_key, sizeof(throttle_key) - 1))
			m->totals.has_throttle = true;
		if (length >= sizeof(namespace_key) - 1 &&
		    !memcmp(line, namespace_key, sizeof(namespace_key) - 1))
			m->lacks_names = true;
		if (length > sizeof(epoch_key) - 1 &&
		    !memcmp(line, epoch_key, sizeof(epoch_key) - 1))
			m->totals.epoch = number_of(line + sizeof(epoch_key) - 1,
						    length - (sizeof(epoch_key) - 1));
		if (length > sizeof(command_key) - 1 &&
		    !memcmp(line, command_key, sizeof(command_key) - 1))
			take_command(m, number_of(line + sizeof(command_key) - 1,
						  length - (sizeof(command_key) - 1)));
		take_moves(&session, line, length);
		m->totals.has_priorities |= IS_LINE(prio_line);
		m->totals.lacks_weights |= IS_LINE(no_weight_line);
		m->totals.lacks_quotas |= IS_LINE(no_quota_line);
		if (IS_LINE(SCHED_WAKING_LINE) && !m->totals.has_wakings) {
			m->totals.has_wakings = true;
			sched_tell(m, SCHED_WAKINGS, false, 1, rec->offset, 0,
				   "wakeups are those of sched_waking: waits begin there, and their CPU is the one that the thread ran on last");
		}
		length += !!stop;
	}
	finish_moves(m, &session);
}

/* --- marks --------------------------------------------------------------------- */

static const struct fxt_arg *find_arg(const struct fxt_content *c, uint16_t name,
				      uint8_t type)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++)
		if (c->args[i].name.known == name && c->args[i].type == type)
			return &c->args[i];
	return NULL;
}

/* Have events of that CPU and time left memory before the mark was seen? */
static bool has_gone(const struct sched_model *m, const struct sched_mark *mark)
{
	const struct sched_stream *s = m->streams[mark->cpu];

	/* Removed events that are still in the first block are searched with it. */
	return s && s->has_gone && (!s->head || s->head->events[0].time >= mark->time);
}

/* Likewise for the wakeup that began a wait which was not over; any CPU may have it. */
static bool wakeup_has_gone(const struct sched_model *m, const struct sched_mark *mark)
{
	const struct sched_stream *s;
	size_t i;

	for (i = 0; i < m->stream_count; i++) {
		s = m->stream_list[i];
		if (s->has_gone &&
		    (!s->head || s->head->events[0].time >= mark->time - mark->value))
			return true;
	}
	return false;
}

/* What fires a trigger, by FXT_SCHED_CAUSE_*. */
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

const char *sched_cause_interrupt(uint8_t cause)
{
	return causes[cause].interrupt;
}

/* The argument's name is the cause. */
static const struct fxt_arg *find_value(const struct fxt_content *c, uint8_t *cause)
{
	const struct fxt_arg *arg = NULL;

	for (*cause = 0; *cause < sizeof(causes) / sizeof(*causes); ++*cause)
		if ((arg = find_arg(c, causes[*cause].argument, FXT_ARG_UINT64)))
			break;
	return arg;
}

/* Does the mark say that the wait was not over? */
static bool wait_goes_on(const struct fxt_content *c)
{
	const struct fxt_arg *arg = find_arg(c, FXT_STR_UNKNOWN, FXT_ARG_STRING);

	return arg && arg->text.known == FXT_STR_END;
}

static bool take_trigger(struct sched_model *m, struct sched_mark *mark,
			 const struct fxt_content *c)
{
	const struct fxt_arg *thread = find_arg(c, FXT_STR_THREAD, FXT_ARG_KOID);
	const struct fxt_arg *cpu = find_arg(c, FXT_STR_CPU, FXT_ARG_UINT32);
	const struct fxt_arg *value = find_value(c, &mark->cause);

	if (!thread || !cpu || cpu->u64 >= SCHED_NO_CPU || !value) {
		sched_tell(m, SCHED_MARK, true, 1, mark->offset, mark->time,
			   "a trigger does not say which thread waited or ran, where, and how long");
		return false;
	}
	mark->is_trigger = true;
	mark->thread = thread->u64;
	mark->value = value->u64;
	mark->cpu = cpu->u64;
	mark->goes_on = mark->cause == FXT_SCHED_CAUSE_LATENCY && wait_goes_on(c);
	mark->is_gone = mark->goes_on ? wakeup_has_gone(m, mark) : has_gone(m, mark);
	return true;
}

void sched_take_mark(struct sched_model *m, const struct fxt_record *rec,
		     const struct fxt_content *c)
{
	struct sched_mark mark = {
		.time = fxt_ticks_to_ns(c->time, rec->provider->ticks_per_second),
		.offset = rec->offset,
		.provider = rec->provider->id,
	};

	if (c->thread.process != FXT_SCHED_KOID_LOSS ||
	    c->thread.thread != FXT_SCHED_KOID_LOSS ||
	    c->category.known != FXT_STR_CATEGORY || m->mark_count == SCHED_MARKS)
		return;
	if (c->name.known == FXT_STR_COMPLETE ||
	    (c->name.known == FXT_STR_TRIGGER && take_trigger(m, &mark, c)))
		m->marks[m->mark_count++] = mark;
}

/*
 * For a wait that was not over, look for the wakeup that began it, and for a switch that ends it
 * earlier. The trigger may have fired while a switch on another CPU was about to end the wait.
 */
static void look_for_wait(struct sched_mark *mark, const struct sched_event *e,
			  const struct sched_event *end)
{
	uint64_t woken = mark->time - mark->value;

	for (; e < end; e++) {
		if (e->kind == SCHED_EVENT_WAKEUP && e->a == mark->thread)
			mark->is_found |= e->time + 1 >= woken && e->time <= woken + 1;
		else if (e->kind == SCHED_EVENT_SWITCH && e->b == mark->thread)
			mark->is_over |= e->time > woken && e->time + TRIGGER_RACE < mark->time;
	}
}

void sched_marks_look(struct sched_model *m, const struct sched_block *block,
		      uint32_t events)
{
	const struct sched_event *e = block->events, *end = e + events;
	struct sched_mark *mark;

	for (mark = m->marks; mark < m->marks + m->mark_count; mark++) {
		if (mark->goes_on)
			look_for_wait(mark, block->events, end);
		if (!mark->is_trigger || mark->goes_on ||
		    mark->time < block->events[0].time || mark->time > end[-1].time)
			continue;
		for (e = block->events; e < end; e++)
			mark->is_found |= e->kind == SCHED_EVENT_SWITCH &&
					  e->time == mark->time &&
					  e->cpu == mark->cpu && e->b == mark->thread;
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

/* Is it certain that the wakeup that began the wait is missing? */
static bool is_wakeup_missing(const struct sched_model *m, const struct sched_mark *mark)
{
	uint64_t woken = mark->time - mark->value;
	const struct sched_stream *s;
	size_t i;

	for (i = 0; i < m->stream_count; i++) {
		s = m->stream_list[i];
		if (s->id != FXT_LEDGER_STREAM_NAMES && woken < s->opened)
			return false;
	}
	return !mark->is_found && !mark->is_gone && woken > m->gap_to;
}

static void judge_wait(struct sched_model *m, const struct sched_mark *mark)
{
	if (mark->is_over)
		sched_tell(m, SCHED_MARK, true, 1, mark->offset, mark->time,
			   "cpu %u: thread %" PRIu64 " is the trigger because it waits at %" PRIu64 " ns, but it is switched in before",
			   mark->cpu, mark->thread, mark->time);
	if (!is_wakeup_missing(m, mark))
		return;
	if (m->filter.threads || m->filter.cpus)
		sched_filtered(m, 1, mark->offset, mark->time);
	else
		sched_tell(m, SCHED_MARK, true, 1, mark->offset, mark->time,
			   "cpu %u: thread %" PRIu64 " is the trigger, but it is not woken %" PRIu64 " ns before %" PRIu64 " ns",
			   mark->cpu, mark->thread, mark->value, mark->time);
}

static void judge_trigger(struct sched_model *m, const struct sched_mark *mark)
{
	if (mark->goes_on) {
		judge_wait(m, mark);
		return;
	}
	/* Interrupts and run queues are in the archive only if it has these events. */
	if (mark->cause != FXT_SCHED_CAUSE_LATENCY || !is_missing(m, mark))
		return;
	if (m->filter.threads || (m->filter.cpus && !m->cpus[mark->cpu]))
		sched_filtered(m, 1, mark->offset, mark->time);
	else
		sched_tell(m, SCHED_MARK, true, 1, mark->offset, mark->time,
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
		sched_tell(m, SCHED_MARK, true, 1, mark->offset, mark->time,
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
