// SPDX-License-Identifier: GPL-2.0-or-later
/* trace.c - the events of another tracer as an archive. See import.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fxt/fxt_mark.h>

#include "libfxt/fxt_writer.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "import.h"
#include "event.h"

#define EARLY_NS	1000000U	/* limit of the difference of two CPUs' clocks */
#define SHOWN_KINDS	5U

/* --- switches ------------------------------------------------------------------------ */

static void note_in(struct trace *t, struct trace_thread *in)
{
	in->state = TRACE_STATE_AWAKE;
	in->losses = t->wakeups.losses;
	in->is_new = in->is_waking = in->is_early = false;
}

static void note_switch(struct trace *t, const struct trace_event *e, struct fxt_sched_state state,
			struct trace_thread *out, struct trace_thread *in)
{
	out->state = state.state == FXT_THREAD_NEW ? TRACE_STATE_AWAKE :
		     state.state == FXT_SCHED_STATE_UNKNOWN ? TRACE_STATE_UNKNOWN :
		     TRACE_STATE_ASLEEP;
	out->losses = t->wakeups.losses;
	out->left = e->ns;
	out->is_new = false;
	out->is_early = out->is_early && e->ns - out->woken <= EARLY_NS;
	if (!e->hides_other)
		note_in(t, in);
}

/* The trace may lack the switch of the thread that ran; its state is unknown then. */
static void note_chain(struct trace *t, const struct trace_event *e)
{
	uint32_t ran = t->a.streams[e->cpu].p.has.thread;
	struct trace_thread *thread = ran && ran != e->thread ? trace_thread(t, ran) : NULL;

	if (thread)
		thread->state = TRACE_STATE_UNKNOWN;
}

/* A filter hides the switches of the thread that ran: it may have left at any time since. */
static void end_hidden_run(struct trace *t, uint32_t cpu)
{
	const struct trace_stream *s = &t->a.streams[cpu];
	const struct fxt_owner has = s->p.has;
	uint64_t ns = s->chunk_last;
	__u64 *rec;

	if (!t->is_filtered || !has.is_known)
		return;
	rec = trace_archive_room(&t->a, cpu);
	trace_archive_add(&t->a, cpu, ns,
			  fxt_sched_put_unknown_switch(rec, ns, cpu, has.thread, 0, has.weight,
						       FXT_SCHED_WEIGHT_IDLE, has.thread ?
						       FXT_SCHED_STATE_UNKNOWN : FXT_THREAD_NEW,
						       FXT_STR_FILTERED), 1);
	trace_archive_hides(&t->a, cpu);
}

/* If events are missing, a thread may have run elsewhere since its call chain was recorded. */
static void drop_uncertain_stack(struct trace *t, struct trace_thread *in)
{
	if (!in->frame_count || (!t->is_filtered && in->state != TRACE_STATE_UNKNOWN &&
				 in->losses == t->wakeups.losses))
		return;
	t->uncertain_stacks++;
	trace_stack_drop(in);
}

/*
 * The thread switched out is unknown, so a mark tells what runs from now on. It must be the first
 * record of the CPU; after a loss, the begin of this run stays unknown.
 */
static void write_begin(struct trace *t, const struct trace_event *e)
{
	const struct trace_stream *s = &t->a.streams[e->cpu];
	bool is_first = !s->used && !s->p.next && !s->pending && !s->p.has.is_known;
	struct trace_thread *in = trace_thread(t, e->other);
	int32_t weight = trace_thread_weight(in, e->other, e->other_prio);

	trace_thread_named(t, e->other, e->other_name.bytes, 0, e->ns);
	note_in(t, in);
	if (!is_first)
		return;
	trace_archive_begin(&t->a, e->cpu, e->ns,
			    fxt_sched_put_mark(trace_room(t, e), e->ns, e->cpu, FXT_STR_BEGIN, e->other, weight));
	trace_archive_runs(&t->a, e->cpu, e->other, weight);
}

static void write_switch(struct trace *t, const struct trace_event *e)
{
	struct fxt_sched_state state = trace_state_of(e->thread ? e->state : 'R');
	struct trace_thread *out = trace_thread(t, e->thread);
	struct trace_thread *in = trace_thread(t, e->other);
	int32_t out_weight, in_weight;
	uint32_t words;
	__u64 *rec;

	trace_wakeup_early(t, e, in);
	if (t->a.streams[e->cpu].p.has.thread != e->thread)
		end_hidden_run(t, e->cpu);
	trace_thread_named(t, e->thread, e->name.bytes, 0, e->ns);
	trace_thread_named(t, e->other, e->other_name.bytes, 0, e->ns);
	rec = trace_room(t, e);
	out_weight = trace_thread_weight(out, e->thread, e->prio);
	in_weight = trace_thread_weight(in, e->other, e->other_prio);
	note_chain(t, e);
	drop_uncertain_stack(t, in);
	note_switch(t, e, state, out, in);
	if (e->hides_other || state.state == FXT_SCHED_STATE_UNKNOWN)
		words = fxt_sched_put_unknown_switch(rec, e->ns, e->cpu, e->thread,
						     e->hides_other ? 0 : e->other, out_weight,
						     in_weight, state.state, FXT_STR_FILTERED);
	else
		words = fxt_sched_put_switch(rec, e->ns, e->cpu, e->thread, e->other, out_weight,
					     in_weight, state);
	trace_put(t, e, words);
	if (e->hides_other) {
		trace_archive_hides(&t->a, e->cpu);
	} else {
		trace_archive_runs(&t->a, e->cpu, e->other, in_weight);
		trace_stack_in(t, e, in);
	}
	if (out != in) {
		trace_stack_keep(out, e);
		trace_wakeups_owner(t, e, true);
	}
}

/* --- lives ----------------------------------------------------------------------------- */

static void write_fork(struct trace *t, const struct trace_event *e)
{
	const struct trace_thread *parent = trace_thread(t, e->on);
	const char *name = e->name.bytes;
	uint32_t tgid = 0;

	if (e->what == TRACE_NEWTASK)
		tgid = e->value ? trace_thread_process(t, e->on) : e->thread;
	/* A new thread has its creator's name. */
	if (!*name && parent->has_name)
		name = parent->name;
	trace_thread_forked(t, e->thread, e->on, tgid, name, e->ns);
	if (e->what == TRACE_NEWTASK)
		return;
	trace_put(t, e, fxt_sched_put_fork(trace_room(t, e), e->ns, e->on,
					   trace_thread_process(t, e->on), e->thread));
}

/*
 * An exec renames the thread, too. Without task_rename, the new name is the file's, truncated as
 * the kernel does.
 */
static void note_name(struct trace *t, const struct trace_event *e)
{
	const struct trace_thread *thread = trace_thread(t, e->thread);
	char name[FXT_SCHED_COMM_SIZE];

	if (e->what == TRACE_RENAME) {
		if (*e->other_name.bytes && (!thread->has_name || thread->is_weak))
			trace_thread_named(t, e->thread, e->other_name.bytes, 0, e->ns);
		t->has_renames = true;
		trace_thread_named(t, e->thread, e->name.bytes, FXT_STR_RENAME, e->ns);
		return;
	}
	memcpy(name, t->has_renames && thread->has_name ? thread->name : e->name.bytes,
	       sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	trace_thread_named(t, e->thread, name, FXT_STR_EXEC, e->ns);
}

static void write_migration(struct trace *t, const struct trace_event *e)
{
	uint64_t ns = trace_wakeup_move(t, e);

	trace_thread_named(t, e->thread, e->name.bytes, 0, e->ns);
	trace_archive_add(&t->a, e->cpu, ns,
			  fxt_sched_put_migrate(trace_room(t, e), ns, e->thread,
						trace_thread_process(t, e->thread), e->from,
						e->value), 1);
}

static void write_priority(struct trace *t, const struct trace_event *e)
{
	trace_thread_named(t, e->thread, e->name.bytes, 0, e->ns);
	trace_put(t, e, fxt_sched_put_priority(trace_room(t, e), e->ns, e->thread,
					       trace_thread_process(t, e->thread), e->prio,
					       e->other_prio));
}

static void write_ipi(struct trace *t, const struct trace_event *e)
{
	struct fxt_sched_label label = trace_label(&e->name);
	const struct fxt_sched_label *function = *e->name.bytes ? &label : NULL;
	uint32_t process = e->on ? trace_thread_process(t, e->on) : 0;
	__u64 *rec = trace_room(t, e);

	trace_put(t, e, e->what == TRACE_IPI ?
		  fxt_sched_put_ipi(rec, e->ns, e->on, process, e->value, function) :
		  fxt_sched_put_ipi_mask(rec, e->ns, e->on, process, e->value, e->mask, function));
}

/* --- the whole ------------------------------------------------------------------------ */

static void write_event(struct trace *t, const struct trace_event *e)
{
	switch (e->what) {
	case TRACE_SWITCH:
		if (e->hides_thread)
			write_begin(t, e);
		else
			write_switch(t, e);
		break;
	case TRACE_WAKING:
	case TRACE_WAKEUP:
	case TRACE_WAKEUP_NEW:
		trace_wakeup(t, e);
		break;
	case TRACE_FORK:
	case TRACE_NEWTASK:
		write_fork(t, e);
		break;
	case TRACE_EXEC:
	case TRACE_RENAME:
		note_name(t, e);
		break;
	case TRACE_FOUND:
		trace_thread_found(t, e->thread, e->name.bytes, e->other);
		break;
	case TRACE_EXIT:
		/* From now on, the id may belong to another thread. */
		trace_thread(t, e->thread)->is_new = false;
		trace_thread_named(t, e->thread, e->name.bytes, 0, e->ns);
		break;
	case TRACE_MIGRATE:
		write_migration(t, e);
		break;
	case TRACE_PRIORITY:
		write_priority(t, e);
		break;
	case TRACE_BLOCKED:
		trace_blocked(t, e);
		break;
	case TRACE_IPI:
	case TRACE_IPI_MASK:
		write_ipi(t, e);
		break;
	case TRACE_FREQUENCY:
	case TRACE_LIMITS:
		trace_put(t, e, fxt_sched_put_frequency(trace_room(t, e), e->ns, e->from, e->value,
							e->what == TRACE_LIMITS ? e->most : 0));
		break;
	case TRACE_MARK:
		trace_mark(t, e);
		break;
	default:
		trace_slice(t, e);
	}
}

bool trace_is_possible(const struct trace_event *e)
{
	bool has_cpu = e->what != TRACE_WAKING && e->what != TRACE_WAKEUP &&
		       e->what != TRACE_WAKEUP_NEW && e->what != TRACE_MIGRATE &&
		       e->what != TRACE_IPI;

	if ((e->what == TRACE_FORK || e->what == TRACE_NEWTASK || e->what == TRACE_MIGRATE) &&
	    !e->thread)
		return false;
	return e->cpu < TRACE_CPUS && e->on < TRACE_PIDS && e->thread < TRACE_PIDS &&
	       e->other < TRACE_PIDS && e->tgid < TRACE_PIDS && e->from < TRACE_CPUS &&
	       (has_cpu || e->value < TRACE_CPUS);
}

static void count_other(struct trace_others *o, const struct trace_name *name)
{
	unsigned int i = 0;

	o->count++;
	while (i < o->kind_count && strcmp(o->kinds[i].name.bytes, name->bytes))
		i++;
	if (i == TRACE_OTHER_KINDS || !*name->bytes)
		return;
	if (i == o->kind_count)
		o->kinds[o->kind_count++].name = *name;
	o->kinds[i].count++;
}

void trace_add(struct trace *t, const struct trace_event *e)
{
	if (!trace_is_possible(e)) {
		t->misplaced++;
		return;
	}
	trace_thread_of(t, e->on, e->tgid, e->ns);
	trace_thread_called(t, e->on, e->on_name.bytes);
	if (e->what != TRACE_FOUND)
		trace_wakeups_before(t, e);
	if (e->what == TRACE_NOTHING ||
	    (e->what == TRACE_STACK && !trace_wakeups_stack(t, e))) {
		count_other(&t->others, &e->name);
		return;
	}
	t->taken++;
	if (e->what != TRACE_STACK)
		write_event(t, e);
}

void trace_lost(struct trace *t, uint32_t cpu, uint64_t events)
{
	if (cpu >= TRACE_CPUS) {
		t->misplaced++;
		return;
	}
	/* After a loss, the CPU's open slices may have ended. */
	if (t->slices.cpus)
		memset(&t->slices.cpus[cpu], 0, sizeof(t->slices.cpus[cpu]));
	trace_wakeups_lost(t, cpu);
	trace_archive_lost(&t->a, cpu, events);
}

void trace_filtered(struct trace *t, const char *filter)
{
	char session[512];
	size_t i;

	t->is_filtered = true;
	snprintf(session, sizeof(session) - 1, "filter %s", filter);
	for (i = 0; session[i]; i++)
		if ((unsigned char)session[i] < ' ')
			session[i] = ' ';
	session[i++] = '\n';
	fxt_writer_blob(t->a.w, FXT_STR_SESSION, session, i);
}

void trace_late(struct trace *t, uint32_t cpu)
{
	t->late++;
	trace_lost(t, cpu, 1);
}

void trace_open(struct trace *t, int fd, const char *from)
{
	/* An earlier part has fewer functions than bytes. */
	t->symbols.base = t->a.is_part ? lseek(fd, 0, SEEK_END) * TRACE_SYMBOL_BYTES : 0;
	trace_archive_open(&t->a, fd, from);
}

void trace_end(struct trace *t)
{
	uint32_t i;

	t->has_ended = true;
	trace_wakeups_end(t);
	for (i = 0; i < t->a.count; i++)
		end_hidden_run(t, i);
	trace_threads_end(t);
	trace_symbols_write(&t->symbols, t->a.w);
}

int trace_close(struct trace *t)
{
	if (t->a.w && !t->has_ended)
		trace_end(t);
	trace_wakeups_close(t);
	trace_marks_close(t);
	trace_threads_close(t);
	free(t->slices.cpus);
	return trace_archive_close(&t->a);
}

static void report_others(const struct trace_others *o, const char *path)
{
	char text[SHOWN_KINDS * (sizeof(o->kinds[0].name) + 24)] = "";
	bool is_shown[TRACE_OTHER_KINDS] = { false };
	uint64_t rest = o->count;
	size_t n = 0;

	for (unsigned int shown = 0; shown < SHOWN_KINDS && shown < o->kind_count; shown++) {
		unsigned int most = 0;

		while (is_shown[most])
			most++;
		for (unsigned int i = most + 1; i < o->kind_count; i++)
			if (!is_shown[i] && o->kinds[i].count > o->kinds[most].count)
				most = i;
		is_shown[most] = true;
		rest -= o->kinds[most].count;
		n += snprintf(text + n, sizeof(text) - n, "%s %s %" PRIu64, n ? "," : ":",
			      o->kinds[most].name.bytes, o->kinds[most].count);
	}
	if (n && rest)
		message("fxt: %s: %" PRIu64 " events are of kinds that fxt does not convert%s, others %" PRIu64 "\n",
			path, o->count, text, rest);
	else if (o->count)
		message("fxt: %s: %" PRIu64 " events are of kinds that fxt does not convert%s\n",
			path, o->count, text);
}

void trace_report(const struct trace *t, const char *path)
{
	if (t->a.lost > t->late)
		message("fxt: %s: its tracer lost %s%" PRIu64 " events\n", path,
			t->loses_more ? "at least " : "", t->a.lost - t->late);
	report_others(&t->others, path);
	trace_marks_report(t, path);
	if (t->uncertain_stacks)
		message("fxt: %s: %" PRIu64 " call chains are left out: events are missing between them and the next run of the thread\n",
			path, t->uncertain_stacks);
	if (t->symbols.unnamed)
		message("fxt: %s: %" PRIu64 " frames of call chains have no name, or are left out if nothing but a name was known: the trace has more than %u functions\n",
			path, t->symbols.unnamed, TRACE_SYMBOLS);
	if (t->long_names)
		message("fxt: %s: %" PRIu64 " names were truncated to 15 bytes\n", path,
			t->long_names);
}
