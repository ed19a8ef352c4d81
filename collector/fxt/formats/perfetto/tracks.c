// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracks.c - track events: slices, instants, counters, asynchronous operations and flows.
 *
 * In: event and log records.
 * Out: track events, and the description of each track before its first event. Threads and
 * processes have tracks by their ids; each operation has its own track; each series of a
 * counter has one by its process, name and id. A part of a flow is an instant.
 *
 * When there are too many tracks, they are forgotten, and described again at their next event.
 * Perfetto ignores such a description, because it is always the same.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "perfetto.h"

enum track_event { SLICE_BEGIN = 1, SLICE_END, INSTANT, COUNTER };

#define TRACKS_MOST	(1U << 16)	/* remembered: 3 MiB */

enum track_kind { THREAD_TRACK, PROCESS_TRACK, COUNTER_TRACK };

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

/**
 * perfetto_uuid() - compute the id of a track from two numbers
 *
 * The file contains ids of tracks, so they must be the same in each run, unlike keyed hashes.
 */
static uint64_t perfetto_uuid(uint64_t a, uint64_t b)
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
	return perfetto_uuid(hash, text->length);
}

/* --- tracks ---------------------------------------------------------------------------- */

static int remember(struct perfetto *p, uint64_t key, uint64_t value)
{
	if (p->tracks.count >= TRACKS_MOST)
		koids_free(&p->tracks);
	return koids_set(&p->tracks, key, value);
}

/* Must a track be described now? After that it is known. Return: 1, 0 or -ENOMEM */
static int is_new(struct perfetto *p, uint64_t uuid)
{
	if (koids_get(&p->tracks, uuid, NULL))
		return 0;
	return remember(p, uuid, 0) ? -ENOMEM : 1;
}

static int describe(struct perfetto *p, Perfetto__Track *track)
{
	Perfetto__Packet packet = PERFETTO__PACKET__INIT;

	track->has_uuid = true;
	packet.track_descriptor = track;
	return packets_put(&p->packets, &packet);
}

/* The number of threads that had the id before the one that has it at @ns. */
static uint64_t life_of(const struct perfetto *p, uint64_t koid, uint64_t ns)
{
	uint64_t nth = 0;

	if (p->lives.reused)
		lives_find(&p->lives, koid, ns, &nth);
	return nth;
}

static int thread_track(struct perfetto *p, uint64_t ns, uint64_t *uuid)
{
	const struct fxt_thread_id *id = &p->content.thread;
	Perfetto__Track track = PERFETTO__TRACK__INIT;
	Perfetto__ThreadTrack thread = PERFETTO__THREAD_TRACK__INIT;
	int ret;

	*uuid = perfetto_uuid(perfetto_uuid(perfetto_uuid(id->process, id->thread), THREAD_TRACK),
			 life_of(p, id->thread, ns));
	ret = is_new(p, *uuid);
	if (ret <= 0)
		return ret;
	thread.has_pid = thread.has_tid = true;
	/* A thread with an unknown process is drawn in a process of its own. */
	thread.pid = id->process ? id->process : id->thread;
	thread.tid = id->thread;
	track.uuid = *uuid;
	track.thread = &thread;
	return describe(p, &track);
}

static int process_track(struct perfetto *p, uint64_t koid, uint64_t life, uint64_t *uuid)
{
	Perfetto__Track track = PERFETTO__TRACK__INIT;
	Perfetto__ProcessTrack process = PERFETTO__PROCESS_TRACK__INIT;
	int ret;

	*uuid = perfetto_uuid(perfetto_uuid(koid, PROCESS_TRACK), life);
	ret = is_new(p, *uuid);
	if (ret <= 0)
		return ret;
	process.has_pid = true;
	process.pid = koid;
	track.uuid = *uuid;
	track.process = &process;
	return describe(p, &track);
}

/* Describe a track in the process, which is the @life-th one with its id. */
static int child_track(struct perfetto *p, uint64_t process, uint64_t uuid, uint64_t life, char *name,
		       bool is_counter)
{
	Perfetto__CounterTrack counter = PERFETTO__COUNTER_TRACK__INIT;
	Perfetto__Track track = PERFETTO__TRACK__INIT;
	uint64_t parent;
	int ret = process_track(p, process, life, &parent);

	if (ret)
		return ret;
	track.uuid = uuid;
	track.has_parent_uuid = true;
	track.parent_uuid = parent;
	track.name = name;
	track.counter = is_counter ? &counter : NULL;
	return describe(p, &track);
}

/* --- arguments --------------------------------------------------------------------------- */

static void set_value(struct perfetto_texts *t, Perfetto__Argument *to, const struct fxt_arg *a)
{
	static const struct fxt_text null = { .bytes = "null", .length = 4 };

	switch (a->type) {
	case FXT_ARG_INT32:
	case FXT_ARG_INT64:
		to->has_int_value = true;
		to->int_value = a->i64;
		break;
	case FXT_ARG_UINT32:
	case FXT_ARG_UINT64:
	case FXT_ARG_KOID:
		to->has_uint_value = true;
		to->uint_value = a->u64;
		break;
	case FXT_ARG_DOUBLE:
		to->has_double_value = true;
		to->double_value = a->f64;
		break;
	case FXT_ARG_STRING:
		to->string_value = keep(t, &a->text);
		break;
	case FXT_ARG_POINTER:
		to->has_pointer_value = true;
		to->pointer_value = a->u64;
		break;
	case FXT_ARG_BOOL:
		to->has_bool_value = true;
		to->bool_value = a->u64;
		break;
	default:	/* null; the bytes of a blob cannot be expressed */
		to->string_value = keep(t, &null);
	}
}

static void set_args(struct perfetto_texts *t, const struct fxt_content *c, Perfetto__TrackEvent *event,
		     Perfetto__Argument args[FXT_MAX_ARGS], Perfetto__Argument *list[FXT_MAX_ARGS])
{
	unsigned int i;

	t->used = 0;
	for (i = 0; i < c->arg_count; i++) {
		args[i] = (Perfetto__Argument)PERFETTO__ARGUMENT__INIT;
		args[i].name = keep(t, &c->args[i].name);
		set_value(t, &args[i], &c->args[i]);
		list[i] = &args[i];
	}
	event->debug_annotations = list;
	event->n_debug_annotations = c->arg_count;
}

/* --- events -------------------------------------------------------------------------------- */

static void set_packet(Perfetto__Packet *packet, Perfetto__TrackEvent *event, uint64_t ns)
{
	event->has_type = true;
	event->has_track_uuid = true;
	packet->has_timestamp = true;
	packet->timestamp = ns;
	packet->track_event = event;
}

/* Write the end of a complete slice. */
static int end_complete(struct perfetto *p, uint64_t uuid, uint64_t ns)
{
	Perfetto__Packet packet = PERFETTO__PACKET__INIT, *list[] = { &packet };
	Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;

	event.type = SLICE_END;
	event.track_uuid = uuid;
	set_packet(&packet, &event, ns);
	return packets_hold(&p->packets, list, 1, ns, PACKETS_END);
}

static int hold_slice(struct perfetto *p, Perfetto__Packet *begin, uint64_t ns, uint64_t end_ns)
{
	Perfetto__Packet end = PERFETTO__PACKET__INIT, *list[] = { begin, &end };
	Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;
	uint64_t uuid = begin->track_event->track_uuid;
	int ret;

	if (end_ns > ns) {
		ret = packets_hold(&p->packets, list, 1, ns, PACKETS_BEGIN(end_ns));
		return ret ? ret : end_complete(p, uuid, end_ns);
	}
	/* The end must not come before the begin. */
	event.type = SLICE_END;
	event.track_uuid = uuid;
	set_packet(&end, &event, ns);
	return packets_hold(&p->packets, list, 2, ns, PACKETS_BEGIN(ns));
}

static int put_event(struct perfetto *p, enum track_event type, uint64_t uuid, uint64_t ns,
		     uint64_t end_ns)
{
	struct perfetto_texts *texts = &p->texts;
	Perfetto__Packet packet = PERFETTO__PACKET__INIT, *list[] = { &packet };
	Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;
	Perfetto__Argument args[FXT_MAX_ARGS], *arg_list[FXT_MAX_ARGS];
	const struct fxt_content *c = &p->content;
	char *categories[] = { terminate(texts->category, &c->category) };
	struct packets_part part = { c->kind, c->thread.process, c->id };

	event.type = type;
	event.track_uuid = uuid;
	event.categories = categories;
	event.n_categories = c->category.length ? 1 : 0;
	event.name = terminate(texts->name, &c->name);
	set_args(texts, c, &event, args, arg_list);
	set_packet(&packet, &event, ns);
	if (c->kind >= FXT_KIND_ASYNC_BEGIN && c->kind <= FXT_KIND_FLOW_END)
		return packets_hold_part(&p->packets, &packet, ns, &part);
	if (c->kind == FXT_KIND_DURATION_COMPLETE)
		return hold_slice(p, &packet, ns, end_ns);
	return packets_hold(&p->packets, list, 1, ns, PACKETS_OTHER);
}

static int begin_slice(struct perfetto *p, uint64_t uuid, uint64_t ns)
{
	int ret = remember(p, uuid, ns);

	return ret ? ret : put_event(p, SLICE_BEGIN, uuid, ns, 0);
}

/*
 * Write the end of a slice from its own record, which may have arguments, but no name. It comes
 * before all else of its time, unless the slice begins at the same time.
 */
static int end_slice(struct perfetto *p, uint64_t uuid, uint64_t ns)
{
	Perfetto__Packet packet = PERFETTO__PACKET__INIT, *list[] = { &packet };
	Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;
	Perfetto__Argument args[FXT_MAX_ARGS], *arg_list[FXT_MAX_ARGS];
	const struct fxt_content *c = &p->content;
	struct packets_part part = { c->kind, c->thread.process, c->id };
	uint64_t begun = 0;
	bool is_empty = koids_get(&p->tracks, uuid, &begun) && begun == ns;

	event.type = SLICE_END;
	event.track_uuid = uuid;
	set_args(&p->texts, c, &event, args, arg_list);
	set_packet(&packet, &event, ns);
	if (c->kind == FXT_KIND_ASYNC_END)
		return packets_hold_part(&p->packets, &packet, ns, &part);
	return packets_hold(&p->packets, list, 1, ns, is_empty ? PACKETS_OTHER : PACKETS_END);
}

/* Return: false if the argument is not a number */
static bool set_counter(Perfetto__TrackEvent *event, const struct fxt_arg *a)
{
	switch (a->type) {
	case FXT_ARG_INT32:
	case FXT_ARG_INT64:
		event->has_counter_value = true;
		event->counter_value = a->i64;
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

/* Write a value of a counter. Its track is "NAME:SERIES:ID", as Perfetto names it in archives. */
static int put_series(struct perfetto *p, const struct fxt_arg *a, uint64_t ns)
{
	char *name = p->texts.args;
	Perfetto__Packet packet = PERFETTO__PACKET__INIT, *list[] = { &packet };
	Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;
	const struct fxt_content *c = &p->content;
	uint64_t life = life_of(p, c->thread.process, ns);
	uint64_t uuid = perfetto_uuid(c->thread.process, c->id);
	size_t used;
	int ret;

	if (!set_counter(&event, a)) {
		p->left_out++;
		return 0;
	}
	uuid = perfetto_uuid(perfetto_uuid(uuid, COUNTER_TRACK), life);
	uuid = mix_text(mix_text(uuid, &c->name), &a->name);
	terminate(name, &c->name);
	used = c->name.length;
	name[used++] = ':';
	terminate(name + used, &a->name);
	used += a->name.length;
	snprintf(name + used, sizeof(p->texts.args) - used, ":%" PRIu64, c->id);
	ret = is_new(p, uuid);
	if (ret > 0)
		ret = child_track(p, c->thread.process, uuid, life, name, true);
	if (ret)
		return ret;
	event.type = COUNTER;
	event.track_uuid = uuid;
	set_packet(&packet, &event, ns);
	return packets_hold(&p->packets, list, 1, ns, PACKETS_OTHER);
}

static int put_counter(struct perfetto *p, uint64_t ns)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < p->content.arg_count && !ret; i++)
		ret = put_series(p, &p->content.args[i], ns);
	return ret;
}

/**
 * perfetto_operation_track() - describe the track of an asynchronous operation
 * @p: the conversion
 * @process: koid of the process that it is in
 * @ns: its time
 * @uuid: of the track
 * @name: of the track
 *
 * Return: 0 or -ENOMEM
 */
static int perfetto_operation_track(struct perfetto *p, uint64_t process, uint64_t ns,
				    uint64_t uuid, char *name)
{
	return child_track(p, process, uuid, life_of(p, process, ns), name, false);
}

int perfetto_event(struct perfetto *p, uint64_t ns, uint64_t end_ns)
{
	enum fxt_kind kind = p->content.kind;
	uint64_t uuid;
	int ret;

	/* Events of operations get their tracks when they are written. */
	switch (kind) {
	case FXT_KIND_COUNTER:
		return put_counter(p, ns);
	case FXT_KIND_ASYNC_BEGIN:
		return put_event(p, SLICE_BEGIN, 0, ns, 0);
	case FXT_KIND_ASYNC_INSTANT:
		return put_event(p, INSTANT, 0, ns, 0);
	case FXT_KIND_ASYNC_END:
		return end_slice(p, 0, ns);
	default:
		break;
	}
	ret = thread_track(p, ns, &uuid);
	if (ret)
		return ret;
	switch (kind) {
	case FXT_KIND_DURATION_BEGIN:
		return begin_slice(p, uuid, ns);
	case FXT_KIND_DURATION_COMPLETE:
		return put_event(p, SLICE_BEGIN, uuid, ns, end_ns);
	case FXT_KIND_DURATION_END:
		return end_slice(p, uuid, ns);
	default:	/* instants, parts of flows, log records */
		return put_event(p, INSTANT, uuid, ns, 0);
	}
}

/* --------------------------------------------------------------------
 * Parts of flows, and of asynchronous operations.
 *
 * In: track events that have waited for earlier ones, with the ids of the archive.
 * Out: the same events, with a unique number for each flow, and on the tracks of their operations.
 *
 * The meaning of an id depends on what is open (walk/ids.h), so ids are resolved in the order of
 * time. Each part of a flow is an instant, and the flow goes from instant to instant. If the flow
 * of a part is unknown, so that Perfetto would drop it in the archive, it is only an instant.
 */

#define OPEN_MOST	(1U << 18)	/* open flows, and as many open operations */
#define OPERATION	4		/* makes their uuids differ from those of other tracks */

void perfetto_parts_begin(struct perfetto *p)
{
	p->flows.most = OPEN_MOST;
	p->operations = (struct ids){ .are_operations = true, .most = OPEN_MOST };
}

void perfetto_parts_free(struct perfetto *p)
{
	ids_free(&p->flows, NULL, NULL);
	ids_free(&p->operations, NULL, NULL);
}

/* --- flows ------------------------------------------------------------------------------ */

/* @number: set to the number of its flow, or 0 if it begins none. Return: 0 or -ENOMEM */
static int begin_flow(struct perfetto *p, const struct packets_part *part, uint64_t *number)
{
	struct ids_one *one;
	int ret = ids_begin(&p->flows, part->process, part->id, &one);

	*number = 0;
	if (ret)
		return ret == -ENOSPC ? 0 : ret;
	/* Perfetto would take a second begin for a step. */
	if (!one->depth++)
		*number = one->number;
	return 0;
}

static uint64_t flow_of(struct perfetto *p, const struct packets_part *part)
{
	struct ids_one *one = ids_find(&p->flows, part->process, part->id, NULL);
	uint64_t number = one ? one->number : 0;

	if (one && part->kind == FXT_KIND_FLOW_END)
		ids_end(&p->flows, one);
	return number;
}

static int write_flow(struct perfetto *p, Perfetto__Packet *packet,
		      const struct packets_part *part)
{
	Perfetto__TrackEvent *event = packet->track_event;
	uint64_t number;
	int ret = 0;

	if (part->kind == FXT_KIND_FLOW_BEGIN)
		ret = begin_flow(p, part, &number);
	else
		number = flow_of(p, part);
	if (ret)
		return ret;
	if (part->kind == FXT_KIND_FLOW_END) {
		event->n_terminating_flow_ids = number ? 1 : 0;
		event->terminating_flow_ids = &number;
	} else {
		event->n_flow_ids = number ? 1 : 0;
		event->flow_ids = &number;
	}
	ret = packets_put(&p->packets, packet);
	/* The caller frees the packet, but these are not allocated. */
	event->n_flow_ids = event->n_terminating_flow_ids = 0;
	event->flow_ids = event->terminating_flow_ids = NULL;
	return ret;
}

/* --- operations ------------------------------------------------------------------------- */

static uint64_t uuid_of(uint64_t number)
{
	return perfetto_uuid(number, OPERATION);
}

/* Begin the track of an operation, or of an instant outside of any. Return: 0 or -ENOMEM */
static int new_track(struct perfetto *p, const Perfetto__Packet *packet,
		     const struct packets_part *part, uint64_t number)
{
	return perfetto_operation_track(p, part->process, packet->timestamp, uuid_of(number),
					packet->track_event->name);
}

static int begin_operation(struct perfetto *p, const Perfetto__Packet *packet,
			   const struct packets_part *part, uint64_t *number)
{
	struct ids_one *one;
	int ret = ids_begin(&p->operations, part->process, part->id, &one);

	*number = ret ? ids_new_number(&p->operations) : one->number;
	if (ret && ret != -ENOSPC)
		return ret;
	return ret || !one->depth++ ? new_track(p, packet, part, *number) : 0;
}

static int write_async(struct perfetto *p, Perfetto__Packet *packet,
		       const struct packets_part *part)
{
	struct ids_one *one = ids_find(&p->operations, part->process, part->id, NULL);
	uint64_t number = one ? one->number : 0;
	int ret = 0;

	if (part->kind == FXT_KIND_ASYNC_BEGIN) {
		ret = begin_operation(p, packet, part, &number);
	} else if (!one && part->kind == FXT_KIND_ASYNC_END) {
		p->left_out++;
		return 0;
	} else if (!one) {
		number = ids_new_number(&p->operations);
		ret = new_track(p, packet, part, number);
	} else if (part->kind == FXT_KIND_ASYNC_END && !--one->depth) {
		ids_end(&p->operations, one);
	}
	packet->track_event->track_uuid = uuid_of(number);
	return ret ? ret : packets_put(&p->packets, packet);
}

int perfetto_part(void *arg, Perfetto__Packet *packet, const struct packets_part *part)
{
	if (part->kind >= FXT_KIND_FLOW_BEGIN)
		return write_flow(arg, packet, part);
	return write_async(arg, packet, part);
}
