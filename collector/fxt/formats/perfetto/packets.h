/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * packets.h - packets of a trace of Perfetto, to a file.
 *
 * In: packets, in any order.
 * Out: the same. Those of events wait until the earlier ones are there, because slices of
 * equal times must be in the order in which they contain one another: 32 MiB of them.
 */
#ifndef FXT_FORMATS_PERFETTO_PACKETS_H
#define FXT_FORMATS_PERFETTO_PACKETS_H

#include <stddef.h>
#include <stdint.h>

#include "libfxt/fxt_reader.h"
#include "libperfetto/perfetto.h"
#include "write/out.h"

/* How a trace begins: a packet of PERFETTO_SEQUENCE_CONVERT (field 10), its first (field 13). */
#define PACKETS_HEAD		"\x0a\x07\x50\xf4\xf0\x99\x03\x68\x01"

/* Orders packets of one time. Those of one order stay as they came. */
#define PACKETS_END	0		/* the end of a slice */
#define PACKETS_OTHER	UINT64_MAX
#define PACKETS_BEGIN(end)	(UINT64_MAX - 1 - (end))	/* of a slice until @end: outer ones first */

struct packet_held;

/** struct packets_part - a part of a flow or of an operation, as in the archive */
struct packets_part {
	enum fxt_kind kind;
	uint64_t process;
	uint64_t id;
};

/**
 * struct packets - the trace; begins as zeros but for @o, @part and @arg
 * @o: the file
 * @part: completes and writes a part, in the order of time; returns 0 or -ENOMEM
 * @arg: its first argument
 */
struct packets {
	struct out *o;
	int (*part)(void *arg, Perfetto__Packet *packet, const struct packets_part *part);
	void *arg;
	struct packet_held **held;
	size_t held_count;
	size_t held_room;
	size_t held_bytes;
	uint64_t held_number;
	uint8_t *bytes;
	size_t room;
};

/** packets_begin() - begin the sequence: Perfetto drops events before that. Return: 0 or -ENOMEM */
int packets_begin(struct packets *p);

/** packets_put() - write a packet now. Return: 0 or -ENOMEM */
int packets_put(struct packets *p, Perfetto__Packet *packet);

/**
 * packets_hold() - write @count packets of one time, one after the other, when earlier ones are
 * @p: the trace
 * @packets: the packets, which the call copies
 * @count: number of them
 * @ns: their time
 * @order: see above
 *
 * Return: 0 or -ENOMEM
 */
int packets_hold(struct packets *p, Perfetto__Packet **packets, size_t count, uint64_t ns,
		 uint64_t order);

/** packets_hold_part() - the same, of one packet that @part completes. Return: 0 or -ENOMEM */
int packets_hold_part(struct packets *p, Perfetto__Packet *packet, uint64_t ns,
		      const struct packets_part *part);

/** packets_finish() - write all that wait. Return: 0 or -ENOMEM */
int packets_finish(struct packets *p);

void packets_free(struct packets *p);

#endif /* FXT_FORMATS_PERFETTO_PACKETS_H */
