// SPDX-License-Identifier: GPL-2.0-or-later
/* packets.c - packets of a trace of Perfetto, to a file. See perfetto.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/array.h"
#include "perfetto.h"

#define HELD_BYTES	(32U << 20)

struct packet_held {
	uint64_t ns;
	uint64_t order;
	uint64_t number;
	struct packets_part part;	/* of kind 0: none */
	size_t bytes;
	uint8_t data[];
};

static size_t prepare(Perfetto__Trace *trace)
{
	size_t i;

	for (i = 0; i < trace->n_packet; i++) {
		Perfetto__Packet *packet = trace->packet[i];

		packet->has_trusted_packet_sequence_id = true;
		packet->trusted_packet_sequence_id = PERFETTO_SEQUENCE_CONVERT;
		packet->has_timestamp_clock_id = packet->has_timestamp;
		packet->timestamp_clock_id = PERFETTO_CLOCK_BOOT;
	}
	return perfetto__trace__get_packed_size(trace);
}

int packets_put(struct packets *p, Perfetto__Packet *packet)
{
	Perfetto__Trace trace = PERFETTO__TRACE__INIT;
	size_t bytes;

	trace.packet = &packet;
	trace.n_packet = 1;
	bytes = prepare(&trace);
	if (array_reserve(p->bytes, p->room, bytes))
		return -ENOMEM;
	perfetto__trace__pack(&trace, p->bytes);
	out_bytes(p->o, p->bytes, bytes);
	return 0;
}

int packets_begin(struct packets *p)
{
	Perfetto__Packet packet = PERFETTO__PACKET__INIT;

	packet.has_sequence_flags = true;
	packet.sequence_flags = PERFETTO_STATE_CLEARED;
	return packets_put(p, &packet);
}

static int compare(const void *a, const void *b)
{
	const struct packet_held *x = *(struct packet_held *const *)a;
	const struct packet_held *y = *(struct packet_held *const *)b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static int write_part(struct packets *p, const struct packet_held *h)
{
	Perfetto__Trace *trace = perfetto__trace__unpack(NULL, h->bytes, h->data);
	int ret = trace ? p->part(p->arg, trace->packet[0], &h->part) : -ENOMEM;

	perfetto__trace__free_unpacked(trace, NULL);
	return ret;
}

/* Write the earliest @count waiting packets. Return: 0 or -ENOMEM */
static int write_some(struct packets *p, size_t count)
{
	size_t i;
	int ret = 0;

	if (!p->held_count)
		return 0;
	qsort(p->held, p->held_count, sizeof(*p->held), compare);
	for (i = 0; i < count && !ret; i++) {
		struct packet_held *h = p->held[i];

		if (h->part.kind)
			ret = write_part(p, h);
		else
			out_bytes(p->o, h->data, h->bytes);
		p->held_bytes -= h->bytes + sizeof(*h);
		free(h);
	}
	p->held_count -= i;
	memmove(p->held, p->held + i, p->held_count * sizeof(*p->held));
	return ret;
}

static int hold(struct packets *p, const Perfetto__Trace *trace, size_t bytes,
		const struct packet_held *head)
{
	struct packet_held *h;

	if (array_reserve(p->held, p->held_room, p->held_count + 1))
		return -ENOMEM;
	h = malloc(sizeof(*h) + bytes);
	if (!h)
		return -ENOMEM;
	*h = *head;
	h->number = p->held_number++;
	h->bytes = bytes;
	perfetto__trace__pack(trace, h->data);
	p->held[p->held_count++] = h;
	p->held_bytes += sizeof(*h) + bytes;
	return p->held_bytes > HELD_BYTES ? write_some(p, (p->held_count + 1) / 2) : 0;
}

int packets_hold(struct packets *p, Perfetto__Packet **packets, size_t count, uint64_t ns,
		 uint64_t order)
{
	const struct packet_held head = { .ns = ns, .order = order };
	Perfetto__Trace trace = PERFETTO__TRACE__INIT;

	trace.packet = packets;
	trace.n_packet = count;
	return hold(p, &trace, prepare(&trace), &head);
}

int packets_hold_part(struct packets *p, Perfetto__Packet *packet, uint64_t ns,
		      const struct packets_part *part)
{
	const struct packet_held head = { .ns = ns, .order = PACKETS_OTHER, .part = *part };
	Perfetto__Trace trace = PERFETTO__TRACE__INIT;

	trace.packet = &packet;
	trace.n_packet = 1;
	return hold(p, &trace, prepare(&trace), &head);
}

int packets_finish(struct packets *p)
{
	return write_some(p, p->held_count);
}

void packets_free(struct packets *p)
{
	while (p->held_count)
		free(p->held[--p->held_count]);
	free(p->held);
	free(p->bytes);
}
