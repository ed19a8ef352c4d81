// SPDX-License-Identifier: GPL-2.0-or-later
/* packets.c - packets of a trace of Perfetto, to a file. See perfetto.h. */
#include "terminal/memory.h"
#include "perfetto.h"

#define HELD_BYTES	(32U << 20)

struct packet_held {
	struct packets_part part;	/* kind 0: none */
	size_t bytes;
	uint8_t data[];
};

struct waiting {
	struct order_key key;
	struct packet_held *packet;
};

static size_t prepare(Perfetto__Trace *trace, Perfetto__Packet **packet)
{
	if (!(*packet)->has_trusted_packet_sequence_id)
		(*packet)->trusted_packet_sequence_id = PERFETTO_SEQUENCE_CONVERT;
	(*packet)->has_trusted_packet_sequence_id = true;
	(*packet)->has_timestamp_clock_id = (*packet)->has_timestamp;
	(*packet)->timestamp_clock_id = PERFETTO_CLOCK_BOOT;
	*trace = (Perfetto__Trace)PERFETTO__TRACE__INIT;
	trace->packet = packet;
	trace->n_packet = 1;
	return perfetto__trace__get_packed_size(trace);
}

void packets_put(struct packets *p, Perfetto__Packet *packet)
{
	Perfetto__Trace trace;
	size_t bytes = prepare(&trace, &packet);

	array_hold(p->bytes, p->room, bytes);
	perfetto__trace__pack(&trace, p->bytes);
	out_bytes(p->o, p->bytes, bytes);
}

void packets_begin(struct packets *p)
{
	Perfetto__Packet packet = PERFETTO__PACKET__INIT;

	p->held.size = sizeof(struct waiting);
	p->held.room = HELD_BYTES / sizeof(struct packet_held) + 1;
	PERFETTO_SET(&packet, sequence_flags, PERFETTO_STATE_CLEARED);
	packets_put(p, &packet);
}

static void write_part(struct packets *p, const struct packet_held *h)
{
	Perfetto__Trace *trace = must(perfetto__trace__unpack(NULL, h->bytes, h->data));

	p->part(p->arg, trace->packet[0], &h->part);
	perfetto__trace__free_unpacked(trace, NULL);
}

static void write_first(struct packets *p)
{
	struct packet_held *h = ((struct waiting *)order_pop(&p->held))->packet;

	if (h->part.kind)
		write_part(p, h);
	else
		out_bytes(p->o, h->data, h->bytes);
	p->held_bytes -= h->bytes + sizeof(*h);
	free(h);
}

void packets_hold(struct packets *p, Perfetto__Packet *packet, uint64_t rank,
		  const struct packets_part *part)
{
	Perfetto__Trace trace;
	size_t bytes = prepare(&trace, &packet);
	struct packet_held *h = must(malloc(sizeof(*h) + bytes));

	h->part = part ? *part : (struct packets_part){ 0 };
	h->bytes = bytes;
	perfetto__trace__pack(&trace, h->data);
	order_add(&p->held, &(struct waiting){ { .ns = packet->timestamp }, h }, rank);
	p->held_bytes += sizeof(*h) + bytes;
	while (p->held_bytes > HELD_BYTES)
		write_first(p);
}

void packets_finish(struct packets *p)
{
	while (p->held.count)
		write_first(p);
}

void packets_free(struct packets *p)
{
	const struct waiting *w;

	while ((w = order_pop(&p->held)))
		free(w->packet);
	order_free(&p->held);
	free(p->bytes);
}
