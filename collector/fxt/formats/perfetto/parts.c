// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * parts.c - parts of flows, and of asynchronous operations.
 *
 * In: track events that have waited for earlier ones, with the ids of the archive.
 * Out: the same with numbers that each flow has alone, and on the tracks of their operations.
 *
 * What an id means depends on what is open (ids.h), so it is found out in the order of time. A
 * flow goes from part to part: each part is an instant. A part that Perfetto would drop in the
 * archive, because nobody knows its flow, is an instant only.
 */
#include <errno.h>

#include "perfetto.h"

#define OPEN_MOST	(1U << 18)	/* flows; operations */
#define OPERATION	4		/* makes their uuids differ from those of tracks.c */

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

/* @number: set to that of its flow; to 0 if the part belongs to none. Return: 0 or -ENOMEM */
static int begin_flow(struct perfetto *p, const struct packets_part *part, uint64_t *number)
{
	struct ids_one *one;
	int ret = ids_begin(&p->flows, part->process, part->id, &one);

	*number = 0;
	if (ret)
		return ret == -ENOSPC ? 0 : ret;
	/* A second begin would be a step. */
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
	/* What remains is freed. */
	event->n_flow_ids = event->n_terminating_flow_ids = 0;
	event->flow_ids = event->terminating_flow_ids = NULL;
	return ret;
}

/* --- operations ------------------------------------------------------------------------- */

static uint64_t uuid_of(uint64_t number)
{
	return perfetto_uuid(number, OPERATION);
}

/* The track of an operation that begins, or of an instant in none. Return: 0 or -ENOMEM */
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
