// SPDX-License-Identifier: GPL-2.0-or-later
/* packets.c - packets of a trace of Perfetto, to a file. See perfetto.h. */
#include "terminal/memory.h"
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

static size_t prepare(Perfetto__Trace *trace, Perfetto__Packet **packet)
{
	(*packet)->has_trusted_packet_sequence_id = true;
	(*packet)->trusted_packet_sequence_id = PERFETTO_SEQUENCE_CONVERT;
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

	packet.has_sequence_flags = true;
	packet.sequence_flags = PERFETTO_STATE_CLEARED;
	packets_put(p, &packet);
}

static int compare(const void *a, const void *b)
{
	const struct packet_held *x = *(struct packet_held *const *)a;
	const struct packet_held *y = *(struct packet_held *const *)b;

	return array_order(x->ns, y->ns) ?: array_order(x->order, y->order) ?:
	       array_order(x->number, y->number);
}

static void write_part(struct packets *p, const struct packet_held *h)
{
	Perfetto__Trace *trace = must(perfetto__trace__unpack(NULL, h->bytes, h->data));

	p->part(p->arg, trace->packet[0], &h->part);
	perfetto__trace__free_unpacked(trace, NULL);
}

/* Write the earliest @count waiting packets. */
static void write_some(struct packets *p, size_t count)
{
	struct packet_held *h;
	size_t i;

	if (!p->held_count)
		return;
	qsort(p->held, p->held_count, sizeof(*p->held), compare);
	for (i = 0; i < count; i++) {
		h = p->held[i];
		if (h->part.kind)
			write_part(p, h);
		else
			out_bytes(p->o, h->data, h->bytes);
		p->held_bytes -= h->bytes + sizeof(*h);
		free(h);
	}
	p->held_count -= count;
	memmove(p->held, p->held + count, p->held_count * sizeof(*p->held));
}

void packets_hold(struct packets *p, Perfetto__Packet *packet, uint64_t order,
		  const struct packets_part *part)
{
	Perfetto__Trace trace;
	size_t bytes = prepare(&trace, &packet);
	struct packet_held *h = must(malloc(sizeof(*h) + bytes));

	*h = (struct packet_held){
		.ns = packet->timestamp, .order = order, .number = p->held_number++, .bytes = bytes,
	};
	if (part)
		h->part = *part;
	perfetto__trace__pack(&trace, h->data);
	array_hold(p->held, p->held_room, p->held_count + 1);
	p->held[p->held_count++] = h;
	p->held_bytes += sizeof(*h) + bytes;
	if (p->held_bytes > HELD_BYTES)
		write_some(p, (p->held_count + 1) / 2);
}

void packets_finish(struct packets *p)
{
	write_some(p, p->held_count);
}

void packets_free(struct packets *p)
{
	while (p->held_count)
		free(p->held[--p->held_count]);
	free(p->held);
	free(p->bytes);
}
