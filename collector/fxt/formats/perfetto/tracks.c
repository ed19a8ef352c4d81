// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracks.c - track events: slices, instants, counters, asynchronous operations and flows.
 *
 * In: event and log records.
 * Out: track events, and the description of each track before its first event. Threads and
 * processes have tracks by their ids; operations have Perfetto's (walk/operations.h); each series
 * of a counter has one by its process, name and id. A part of a flow is an instant.
 *
 * If there are too many tracks, they are forgotten and described again at their next event, which
 * does no harm because the description is the same.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "terminal/memory.h"
#include "perfetto.h"

enum track_event { SLICE_BEGIN = 1, SLICE_END, INSTANT, COUNTER };

#define TRACKS_MOST	(1U << 16)	/* remembered: 3 MiB */

/* Distinguish the uuids of different kinds of tracks. */
enum track_kind { THREAD_TRACK, PROCESS_TRACK, COUNTER_TRACK, OPERATION_TRACK = 4 };

/* Likewise, flows to the ends of waits, and others, whose numbers are small. */
#define WAIT_FLOW	5

static char *terminate(char *to, const struct fxt_text *text)
{
	memcpy(to, text->length ? text->bytes : "", text->length);
	to[text->length] = '\0';
	return to;
}

static char *keep(struct perfetto_texts *t, const struct fxt_text *text)
{
	char *to = terminate(t->args + t->used, text);

	t->used += text->length + 1;
	return to;
}

/* The file contains ids of tracks, so they must be the same in each run, unlike keyed hashes. */
static uint64_t uuid_of(uint64_t a, uint64_t b)
{
	unsigned __int128 product;

	product = (unsigned __int128)(a ^ 0x9e3779b97f4a7c15ULL) *
		  (b ^ 0xd1b54a32d192ed03ULL);
	a = (uint64_t)product ^ (uint64_t)(product >> 64) ^ (b << 32 | b >> 32);
	a = (a ^ a >> 31) * 0xbf58476d1ce4e5b9ULL;
	return a ^ a >> 29;
}

static uint64_t mix_text(uint64_t hash, const struct fxt_text *text)
{
	size_t i;

	for (i = 0; i < text->length; i++)
		hash = (hash ^ (unsigned char)text->bytes[i]) * 0x100000001b3ULL;
	return uuid_of(hash, text->length);
}

/* The flow to the end of a thread's wait for a lock. A thread ends one wait at a time. */
static uint64_t wait_flow(uint64_t koid, uint64_t end_ns)
{
	return uuid_of(uuid_of(koid, end_ns), WAIT_FLOW);
}

/* --- tracks ---------------------------------------------------------------------------- */

static void remember(struct perfetto *p, uint64_t key, uint64_t value)
{
	if (p->tracks.count >= TRACKS_MOST)
		koids_free(&p->tracks);
	koids_set(&p->tracks, key, value);
}

/* Returns true once for each track. */
static bool is_new(struct perfetto *p, uint64_t uuid)
{
	if (koids_get(&p->tracks, uuid, NULL))
		return false;
	remember(p, uuid, 0);
	return true;
}

static void describe(struct perfetto *p, Perfetto__Track *track, uint64_t uuid)
{
	Perfetto__Packet packet = PERFETTO__PACKET__INIT;

	PERFETTO_SET(track, uuid, uuid);
	packet.track_descriptor = track;
	packets_put(&p->packets, &packet);
}

/* How many threads had the id before its owner at @ns? */
static uint64_t life_of(const struct perfetto *p, uint64_t koid, uint64_t ns)
{
	uint64_t nth = 0;

	if (p->lives.is_reused)
		lives_find(&p->lives, koid, ns, &nth);
	return nth;
}

/* Describes the track if it is new. Returns its uuid. */
static uint64_t thread_track(struct perfetto *p, const struct fxt_thread_id *id, uint64_t ns)
{
	uint64_t uuid = uuid_of(uuid_of(uuid_of(id->process, id->thread), THREAD_TRACK),
				life_of(p, id->thread, ns));
	Perfetto__Track track = PERFETTO__TRACK__INIT;
	Perfetto__ThreadTrack thread = PERFETTO__THREAD_TRACK__INIT;

	if (!is_new(p, uuid))
		return uuid;
	/* Threads with an unknown process get a process of their own. */
	PERFETTO_SET(&thread, pid, id->process ? id->process : id->thread);
	PERFETTO_SET(&thread, tid, id->thread);
	track.thread = &thread;
	describe(p, &track, uuid);
	return uuid;
}

static uint64_t process_track(struct perfetto *p, uint64_t koid, uint64_t life)
{
	uint64_t uuid = uuid_of(uuid_of(koid, PROCESS_TRACK), life);
	Perfetto__Track track = PERFETTO__TRACK__INIT;
	Perfetto__ProcessTrack process = PERFETTO__PROCESS_TRACK__INIT;

	if (!is_new(p, uuid))
		return uuid;
	PERFETTO_SET(&process, pid, koid);
	track.process = &process;
	describe(p, &track, uuid);
	return uuid;
}

/* Describe a track of the @life-th process with this id. */
static void child_track(struct perfetto *p, uint64_t process, uint64_t uuid, uint64_t life,
			char *name, bool is_counter)
{
	Perfetto__CounterTrack counter = PERFETTO__COUNTER_TRACK__INIT;
	Perfetto__Track track = PERFETTO__TRACK__INIT;

	PERFETTO_SET(&track, parent_uuid, process_track(p, process, life));
	track.name = name;
	track.counter = is_counter ? &counter : NULL;
	describe(p, &track, uuid);
}

/* --- arguments --------------------------------------------------------------------------- */

static void set_value(struct perfetto_texts *t, Perfetto__Argument *to, const struct fxt_arg *a)
{
	static const struct fxt_text null = { .bytes = "null", .length = 4 };

	switch (a->type) {
	case FXT_ARG_INT32:
	case FXT_ARG_INT64:
		PERFETTO_SET(to, int_value, a->i64);
		break;
	case FXT_ARG_UINT32:
	case FXT_ARG_UINT64:
	case FXT_ARG_KOID:
		PERFETTO_SET(to, uint_value, a->u64);
		break;
	case FXT_ARG_DOUBLE:
		PERFETTO_SET(to, double_value, a->f64);
		break;
	case FXT_ARG_STRING:
		to->string_value = keep(t, &a->text);
		break;
	case FXT_ARG_POINTER:
		PERFETTO_SET(to, pointer_value, a->u64);
		break;
	case FXT_ARG_BOOL:
		PERFETTO_SET(to, bool_value, a->u64);
		break;
	default:	/* null; the bytes of a blob cannot be expressed */
		to->string_value = keep(t, &null);
	}
}

struct made {
	Perfetto__Packet packet;
	Perfetto__TrackEvent event;
	Perfetto__Argument args[FXT_MAX_ARGS];
	Perfetto__Argument *list[FXT_MAX_ARGS];
	uint64_t flow;		/* to the end of a wait for a lock */
};

static void make(struct made *m, enum track_event type, uint64_t uuid, uint64_t ns)
{
	m->packet = (Perfetto__Packet)PERFETTO__PACKET__INIT;
	PERFETTO_SET(&m->packet, timestamp, ns);
	m->packet.track_event = &m->event;
	m->event = (Perfetto__TrackEvent)PERFETTO__TRACK_EVENT__INIT;
	PERFETTO_SET(&m->event, type, type);
	PERFETTO_SET(&m->event, track_uuid, uuid);
}

static void set_args(struct made *m, struct perfetto_texts *t, const struct fxt_content *c)
{
	unsigned int i;

	t->used = 0;
	for (i = 0; i < c->arg_count; i++) {
		m->args[i] = (Perfetto__Argument)PERFETTO__ARGUMENT__INIT;
		m->args[i].name = keep(t, &c->args[i].name);
		set_value(t, &m->args[i], &c->args[i]);
		m->list[i] = &m->args[i];
	}
	m->event.debug_annotations = m->list;
	m->event.n_debug_annotations = c->arg_count;
}

/* --- events -------------------------------------------------------------------------------- */

/* Parts of flows and operations are completed later. */
static void hold(struct perfetto *p, struct made *m, uint64_t rank)
{
	const struct fxt_content *c = &p->content;
	const struct packets_part part = { c->kind, c->thread.process, c->id, p->request };
	bool is_part = c->kind >= FXT_KIND_ASYNC_BEGIN && c->kind <= FXT_KIND_FLOW_END;

	packets_hold(&p->packets, &m->packet, is_part ? PACKETS_OTHER : rank,
		     is_part ? &part : NULL);
}

/* Perfetto ignores the end of a flow that has not begun. */
static void end_flow(const struct perfetto *p, struct made *m, uint64_t ns)
{
	if (!p->is_wait)
		return;
	m->flow = wait_flow(p->content.thread.thread, ns);
	m->event.terminating_flow_ids = &m->flow;
	m->event.n_terminating_flow_ids = 1;
}

/* @end_ns: of complete slices */
static void put_event(struct perfetto *p, enum track_event type, uint64_t uuid, uint64_t ns,
		      uint64_t end_ns)
{
	const struct fxt_content *c = &p->content;
	char *categories[] = { terminate(p->texts.category, &c->category) };
	bool is_empty = end_ns <= ns;
	bool is_async = c->kind >= FXT_KIND_ASYNC_BEGIN && c->kind <= FXT_KIND_ASYNC_END;
	struct made m;

	make(&m, type, uuid, ns);
	m.event.categories = categories;
	/* The end of an operation without a category would end one of any category. */
	m.event.n_categories = is_async || c->category.length ? 1 : 0;
	m.event.name = terminate(p->texts.name, &c->name);
	set_args(&m, &p->texts, c);
	if (c->kind != FXT_KIND_DURATION_COMPLETE) {
		hold(p, &m, PACKETS_OTHER);
		return;
	}
	hold(p, &m, PACKETS_BEGIN(is_empty ? ns : end_ns));
	/* The end must not come before the begin. */
	make(&m, SLICE_END, uuid, is_empty ? ns : end_ns);
	end_flow(p, &m, end_ns);
	hold(p, &m, is_empty ? PACKETS_BEGIN(ns) : PACKETS_END);
}

/*
 * End a thread's slice from its own record, which may have arguments but no name. It comes before
 * all others of its time, unless the slice begins at the same time.
 */
static void end_slice(struct perfetto *p, uint64_t uuid, uint64_t ns)
{
	uint64_t begun = 0;
	bool is_empty = koids_get(&p->tracks, uuid, &begun) && begun == ns;
	struct made m;

	make(&m, SLICE_END, uuid, ns);
	set_args(&m, &p->texts, &p->content);
	hold(p, &m, is_empty ? PACKETS_OTHER : PACKETS_END);
}

/* Returns false if the argument is not a number. */
static bool set_counter(Perfetto__TrackEvent *event, const struct fxt_arg *a)
{
	switch (a->type) {
	case FXT_ARG_INT32:
	case FXT_ARG_INT64:
		PERFETTO_SET(event, counter_value, a->i64);
		return true;
	case FXT_ARG_UINT32:
	case FXT_ARG_UINT64:
		event->has_counter_value = a->u64 <= INT64_MAX;
		event->counter_value = a->u64;
		event->has_double_counter_value = !event->has_counter_value;
		event->double_counter_value = a->u64;
		return true;
	case FXT_ARG_DOUBLE:
		event->has_double_counter_value = isfinite(a->f64);
		event->double_counter_value = a->f64;
		return event->has_double_counter_value;
	default:
		return false;
	}
}

/* The track is called "NAME:SERIES:ID", Perfetto's name for it in archives. */
static void put_series(struct perfetto *p, const struct fxt_arg *a, uint64_t ns)
{
	const struct fxt_content *c = &p->content;
	uint64_t life = life_of(p, c->thread.process, ns);
	uint64_t uuid = uuid_of(uuid_of(uuid_of(c->thread.process, c->id), COUNTER_TRACK), life);
	char *name = p->texts.args;
	struct made m;
	size_t used;

	uuid = mix_text(mix_text(uuid, &c->name), &a->name);
	make(&m, COUNTER, uuid, ns);
	if (!set_counter(&m.event, a)) {
		p->left_out[LEFT_COUNTER]++;
		return;
	}
	terminate(name, &c->name);
	used = c->name.length;
	name[used++] = ':';
	terminate(name + used, &a->name);
	used += a->name.length;
	snprintf(name + used, sizeof(p->texts.args) - used, ":%" PRIu64, c->id);
	if (is_new(p, uuid))
		child_track(p, c->thread.process, uuid, life, name, true);
	hold(p, &m, PACKETS_OTHER);
}

void perfetto_event(struct perfetto *p, uint64_t ns, uint64_t end_ns)
{
	enum fxt_kind kind = p->content.kind;
	uint64_t uuid = 0;
	unsigned int i;

	for (i = 0; kind == FXT_KIND_COUNTER && i < p->content.arg_count; i++)
		put_series(p, &p->content.args[i], ns);
	if (kind == FXT_KIND_COUNTER)
		return;
	/* Events of operations get their tracks when they are written. */
	if (kind < FXT_KIND_ASYNC_BEGIN || kind > FXT_KIND_ASYNC_END)
		uuid = thread_track(p, &p->content.thread, ns);
	switch (kind) {
	case FXT_KIND_DURATION_BEGIN:
		remember(p, uuid, ns);
		put_event(p, SLICE_BEGIN, uuid, ns, 0);
		break;
	case FXT_KIND_DURATION_COMPLETE:
	case FXT_KIND_ASYNC_BEGIN:
		put_event(p, SLICE_BEGIN, uuid, ns, end_ns);
		break;
	case FXT_KIND_DURATION_END:
		end_slice(p, uuid, ns);
		break;
	case FXT_KIND_ASYNC_END:	/* its category and name say what ends */
		put_event(p, SLICE_END, uuid, ns, 0);
		break;
	default:	/* instants, parts of flows, log records */
		put_event(p, INSTANT, uuid, ns, 0);
	}
}

/* --- ends of waits for locks ---------------------------------------------------------------- */

/*
 * Who releases a lock, or wakes a thread through a futex otherwise, has an instant, from which a
 * flow goes to the wait. The wait ends when the thread gets a CPU.
 */
void perfetto_wait_end(struct perfetto *p, const struct ftrace_event *e,
		       const struct ftrace_thread *thread)
{
	const struct ftrace_wait wait = ftrace_wait(e);
	char category[] = "lock", *categories[] = { category };
	struct fxt_thread_id id = { .thread = wait.releaser };
	char name[FTRACE_COMM + 8];
	struct made m;

	if (thread->waker != wait.releaser || thread->woken_ns < wait.begin ||
	    thread->woken_ns >= e->ns)
		return;
	id.process = ftrace_thread(p->text, id.thread)->tgid;
	make(&m, INSTANT, thread_track(p, &id, thread->woken_ns), thread->woken_ns);
	if (thread->named)
		snprintf(name, sizeof(name), "woke %s", thread->comm.name);
	else
		snprintf(name, sizeof(name), "woke %" PRIu64, thread->koid);
	m.event.name = name;
	m.event.categories = categories;
	m.event.n_categories = 1;
	m.flow = wait_flow(thread->koid, e->ns);
	m.event.flow_ids = &m.flow;
	m.event.n_flow_ids = 1;
	packets_hold(&p->packets, &m.packet, PACKETS_OTHER, NULL);
}

/* --- parts of flows, and of operations --------------------------------------------------- */

/*
 * The meaning of an id depends on what is open (walk/ids.h), so ids are resolved in the order of
 * time. Each part of a flow is an instant. A part of an unknown flow, which Perfetto would drop in
 * the archive, is only an instant.
 */

void perfetto_parts_free(struct perfetto *p)
{
	ids_free(&p->flows, NULL, NULL);
	operations_free(&p->operations);
	perfetto_requests_free(p);
}

static void write_flow(struct perfetto *p, Perfetto__Packet *packet,
		       const struct packets_part *part)
{
	Perfetto__TrackEvent *event = packet->track_event;
	/* 0 without a flow. Perfetto would take a second begin for a step. */
	uint64_t number = ids_flow(&p->flows, part->kind, part->process, part->id,
				   &(struct flow_place){ 0 }).number;

	if (part->kind == FXT_KIND_FLOW_END) {
		event->n_terminating_flow_ids = number ? 1 : 0;
		event->terminating_flow_ids = &number;
	} else {
		event->n_flow_ids = number ? 1 : 0;
		event->flow_ids = &number;
	}
	packets_put(&p->packets, packet);
	/* The caller frees the packet, but these are not allocated. */
	event->n_flow_ids = event->n_terminating_flow_ids = 0;
	event->flow_ids = event->terminating_flow_ids = NULL;
}

/* Slices are not nested here, because Perfetto does that. */
static void write_async(struct perfetto *p, Perfetto__Packet *packet,
			const struct packets_part *part)
{
	char *name = packet->track_event->name;
	struct operation_track *track;

	track = operations_track(&p->operations, part->kind, part->id, name, strlen(name));
	if (!track) {
		p->left_out[LEFT_OPERATION]++;
		return;
	}
	packet->track_event->track_uuid = uuid_of(track->number, OPERATION_TRACK);
	if (!track->user) {
		track->user = true;
		child_track(p, part->process, packet->track_event->track_uuid,
			    life_of(p, part->process, packet->timestamp), name, false);
	}
	packets_put(&p->packets, packet);
	perfetto_request(p, packet->timestamp, part);
}

void perfetto_part(void *arg, Perfetto__Packet *packet, const struct packets_part *part)
{
	if (part->kind >= FXT_KIND_FLOW_BEGIN)
		write_flow(arg, packet, part);
	else
		write_async(arg, packet, part);
}
