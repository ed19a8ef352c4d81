/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wire.h - reads the wire format of protobuf, one field after the other.
 *
 * libprotobuf-c allocates up to 40 bytes for a field of two bytes, and reads a message only as a
 * whole. Packets are too many and too large for that, and may be hostile.
 */
#ifndef LIBPERFETTO_WIRE_H
#define LIBPERFETTO_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The unread rest of a message, or the bytes of a field. */
struct wire {
	const uint8_t *at;
	const uint8_t *end;
};

enum wire_type {
	WIRE_VARINT	= 0,
	WIRE_FIXED64	= 1,
	WIRE_BYTES	= 2,	/* also strings, messages and packed numbers */
	WIRE_FIXED32	= 5,
};

struct wire_field {
	uint32_t number;
	enum wire_type type;
	uint64_t value;		/* of WIRE_BYTES, the length */
	struct wire bytes;	/* of WIRE_BYTES, else empty */
};

static inline size_t wire_bytes(const struct wire *m)
{
	return m->end - m->at;
}

/* Return: false if the number is not complete, or exceeds 64 bits */
static inline bool wire_varint(struct wire *m, uint64_t *n)
{
	const uint8_t *at = m->at;
	unsigned int shift;

	*n = 0;
	for (shift = 0; at < m->end && shift < 64; shift += 7) {
		*n |= (uint64_t)(*at & 0x7f) << shift;
		if (!(*at++ & 0x80)) {
			m->at = at;
			return true;
		}
	}
	return false;
}

static inline bool wire_fixed(struct wire *m, unsigned int bytes, uint64_t *n)
{
	unsigned int i;

	if (wire_bytes(m) < bytes)
		return false;
	for (*n = 0, i = 0; i < bytes; i++)
		*n |= (uint64_t)*m->at++ << 8 * i;
	return true;
}

static inline bool wire_value(struct wire *m, struct wire_field *f)
{
	switch (f->type) {
	case WIRE_VARINT:
		return wire_varint(m, &f->value);
	case WIRE_FIXED64:
		return wire_fixed(m, 8, &f->value);
	case WIRE_FIXED32:
		return wire_fixed(m, 4, &f->value);
	case WIRE_BYTES:
		if (!wire_varint(m, &f->value) || f->value > wire_bytes(m))
			return false;
		f->bytes = (struct wire){ m->at, m->at + f->value };
		m->at += f->value;
		return true;
	}
	return false;
}

/*
 * Read the next field. Return: false at the end of the message, and at a damaged field; then
 * wire_bytes() is not 0, and @m is at the beginning of that field
 */
static inline bool wire_next(struct wire *m, struct wire_field *f)
{
	struct wire rest = *m;
	uint64_t key;

	*f = (struct wire_field){ .bytes = { m->at, m->at } };
	if (!wire_bytes(m) || !wire_varint(&rest, &key) || key >> 3 > UINT32_MAX || !(key >> 3))
		return false;
	f->number = key >> 3;
	f->type = key & 7;
	if (!wire_value(&rest, f))
		return false;
	*m = rest;
	return true;
}

/*
 * Read the numbers of all fields below @count; of several with one number, the last. Return: is the
 * message valid?
 */
static inline bool wire_numbers(struct wire m, uint64_t *numbers, uint32_t count)
{
	struct wire_field f;

	while (wire_next(&m, &f))
		if (f.number < count)
			numbers[f.number] = f.value;
	return !wire_bytes(&m);
}

#endif /* LIBPERFETTO_WIRE_H */
