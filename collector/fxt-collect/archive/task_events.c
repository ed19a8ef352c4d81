// SPDX-License-Identifier: GPL-2.0-or-later
/* task_events.c - see task_events.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "libperfetto/perfetto.h"
#include "task_events.h"

int task_events_add(void *arg, const struct names_event *e)
{
	struct task_events *all = arg;

	if (!all->events)
		all->events = calloc(TASK_EVENTS_MOST, sizeof(*all->events));
	if (!all->events)
		return -ENOMEM;
	if (all->count == TASK_EVENTS_MOST) {
		all->first++;
		all->count--;
		all->written -= !!all->written;
	}
	all->events[(all->first + all->count++) % TASK_EVENTS_MOST] = *e;
	return 0;
}

void task_events_free(struct task_events *all)
{
	free(all->events);
	*all = (struct task_events){ 0 };
}

static const struct names_event *event_at(const struct task_events *all, size_t i)
{
	return &all->events[(all->first + i) % TASK_EVENTS_MOST];
}

/* --- execs and renames ------------------------------------------------------------------ */

static void add_comm(struct fxt_content *c, uint16_t name, const char *comm)
{
	if (!comm[0])
		return;
	c->args[c->arg_count++] = (struct fxt_arg){
		.name.ref = name,
		.type = FXT_ARG_STRING,
		.text = { .bytes = comm, .length = strlen(comm) },
	};
}

static int write_event(struct fxt_writer *w, const struct names_event *e)
{
	struct fxt_content c = {
		.kind = FXT_KIND_INSTANT,
		.time = e->time,
		.thread = { .process = e->process, .thread = e->thread },
		.category.ref = FXT_STR_CATEGORY,
		.name.ref = e->what,
	};

	if (e->what == FXT_STR_EXEC) {
		add_comm(&c, FXT_STR_COMM, e->after);
	} else {
		add_comm(&c, FXT_STR_OLDCOMM, e->before);
		add_comm(&c, FXT_STR_NEWCOMM, e->after);
	}
	return fxt_writer_record(w, &c);
}

/* Skip renames to the current name. */
static bool is_news(const struct names_event *e)
{
	return e->what == FXT_STR_EXEC || strcmp(e->before, e->after);
}

int instants_write(struct task_events *all, struct fxt_writer *w, uint64_t from)
{
	const struct names_event *e;
	int ret = 0;

	for (; all->count && !ret; all->count--, all->first++) {
		e = event_at(all, 0);
		if (e->time >= from && is_news(e))
			ret = write_event(w, e);
	}
	return ret;
}

/* --- names of former owners of ids ------------------------------------------------------ */

static int write_former(struct fxt_writer *w, const struct names_event *e)
{
	struct fxt_sched_event event = { e->before_fork ? FXT_STR_FORK : 0, e->before_fork };
	struct fxt_sched_comm comm = fxt_sched_comm(e->before);
	__u64 rec[FXT_SCHED_TASK_WORDS];
	__u32 records, words;

	words = fxt_sched_put_task(rec, e->thread, e->before_process, e->before_parent, &comm,
				   event, &records);
	return fxt_writer_put(w, rec, words * sizeof(*rec));
}

int reuses_write_names(struct task_events *all, struct fxt_writer *w, uint64_t from)
{
	const struct names_event *e;
	int ret = 0;
	size_t i;

	for (all->written = 0; all->written < all->count; all->written++)
		if (event_at(all, all->written)->time >= from)
			break;
	for (i = all->written; i < all->count && !ret; i++) {
		e = event_at(all, i);
		if (e->what == FXT_STR_FORK)
			ret = write_former(w, e);
	}
	return ret;
}

/* --- lives of threads, for Perfetto ----------------------------------------------------- */

#define EVENTS_AT_ONCE	128		/* events per record: each takes less than 64 bytes */

/* Of one record. */
struct packed {
	Perfetto__ArchiveEvent events[EVENTS_AT_ONCE];
	Perfetto__ArchiveEvent *list[EVENTS_AT_ONCE];
	Perfetto__Rename renames[EVENTS_AT_ONCE];
	Perfetto__ProcessFree frees[EVENTS_AT_ONCE];
	size_t count;
};

static Perfetto__ArchiveEvent *add_event(struct packed *p, uint64_t time, uint32_t thread)
{
	Perfetto__ArchiveEvent *e = &p->events[p->count];

	*e = (Perfetto__ArchiveEvent)PERFETTO__ARCHIVE_EVENT__INIT;
	PERFETTO_SET(e, timestamp, time);
	PERFETTO_SET(e, pid, thread);
	p->list[p->count++] = e;
	return e;
}

static void add_rename(struct packed *p, uint64_t time, uint32_t thread, const char *name)
{
	Perfetto__Rename *r = &p->renames[p->count];

	*r = (Perfetto__Rename)PERFETTO__RENAME__INIT;
	PERFETTO_SET(r, pid, thread);
	r->oldcomm = r->newcomm = (char *)name;
	add_event(p, time, thread)->task_rename = r;
}

/* The former thread ended unrecorded before the fork; write its last name before that. */
static void add_life(struct packed *p, const struct names_event *e, uint64_t time)
{
	uint64_t end = time > 1 ? time - 1 : 0;
	Perfetto__ProcessFree *f;

	if (e->what == FXT_STR_FORK) {
		if (e->before[0])
			add_rename(p, end ? end - 1 : 0, e->thread, e->before);
		f = &p->frees[p->count];
		*f = (Perfetto__ProcessFree)PERFETTO__PROCESS_FREE__INIT;
		PERFETTO_SET(f, pid, e->thread);
		f->comm = (char *)e->before;
		add_event(p, end, e->thread)->sched_process_free = f;
	}
	add_rename(p, time, e->thread, e->after);
}

static int write_packed(struct fxt_writer *w, struct packed *p)
{
	Perfetto__ArchiveEvents events = PERFETTO__ARCHIVE_EVENTS__INIT;
	Perfetto__ArchivePacket packet = PERFETTO__ARCHIVE_PACKET__INIT, *packets[] = { &packet };
	Perfetto__ArchiveTrace trace = PERFETTO__ARCHIVE_TRACE__INIT;
	uint8_t bytes[EVENTS_AT_ONCE * 128];
	size_t size;

	events.has_cpu = true;
	events.event = p->list;
	events.n_event = p->count;
	packet.ftrace_events = &events;
	PERFETTO_SET(&packet, timestamp, p->events[0].timestamp);
	PERFETTO_SET(&packet, trusted_packet_sequence_id, PERFETTO_SEQUENCE_LIVES);
	PERFETTO_SET(&packet, timestamp_clock_id, PERFETTO_CLOCK_BOOT);
	trace.packet = packets;
	trace.n_packet = 1;
	size = perfetto__archive_trace__get_packed_size(&trace);
	if (size > sizeof(bytes))
		return -E2BIG;
	perfetto__archive_trace__pack(&trace, bytes);
	p->count = 0;
	return fxt_writer_perfetto(w, FXT_STR_FORK, bytes, size);
}

int reuses_write(struct task_events *all, struct fxt_writer *w, uint64_t ticks_per_second)
{
	struct packed *p;
	int ret = 0;

	if (all->written == all->count)
		return 0;
	p = calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	for (; all->written < all->count && !ret; all->written++) {
		const struct names_event *e = event_at(all, all->written);

		add_life(p, e, fxt_ticks_to_ns(e->time, ticks_per_second));
		if (p->count > EVENTS_AT_ONCE - 3)
			ret = write_packed(w, p);
	}
	if (p->count && !ret)
		ret = write_packed(w, p);
	free(p);
	return ret;
}
