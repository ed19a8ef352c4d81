/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output of `fxt convert --to perfetto`, in the wire format of protobuf, as text: packets of
 * one kind, with a line for each of their events. The numbers of fields are written by hand here,
 * independently of the converter.
 */
#ifndef PERFETTO_LINES_H
#define PERFETTO_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

/* @value: for numbers; @data, @bytes: for all other types */
struct field {
	uint32_t number;
	uint64_t value;
	const unsigned char *data;
	size_t bytes;
};

static uint64_t varint(const unsigned char **at, const unsigned char *end)
{
	uint64_t value = 0;
	unsigned int shift = 0;

	for (; *at < end && shift < 64; shift += 7) {
		unsigned char byte = *(*at)++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			break;
	}
	return value;
}

static bool next_field(const unsigned char **at, const unsigned char *end, struct field *f)
{
	uint64_t key;

	if (*at >= end)
		return false;
	key = varint(at, end);
	*f = (struct field){ .number = key >> 3 };
	switch (key & 7) {
	case 0:
		f->value = varint(at, end);
		return true;
	case 1:
		f->bytes = 8;
		break;
	case 2:
		f->bytes = varint(at, end);
		break;
	default:
		return false;
	}
	f->data = *at;
	if (f->bytes > (size_t)(end - *at))
		return false;
	if ((key & 7) == 1)
		memcpy(&f->value, f->data, 8);
	*at += f->bytes;
	return true;
}

static bool get(const struct field *message, uint32_t number, struct field *f)
{
	const unsigned char *at = message->data, *end = at + message->bytes;

	while (next_field(&at, end, f))
		if (f->number == number)
			return true;
	return false;
}

static uint64_t value(const struct field *message, uint32_t number)
{
	struct field f;

	return get(message, number, &f) ? f.value : 0;
}

static const char *field_text(const struct field *message, uint32_t number, char to[64])
{
	struct field f;

	*to = '\0';
	if (get(message, number, &f))
		snprintf(to, 64, "%.*s", (int)f.bytes, (const char *)f.data);
	return to;
}

static void add_event(char *to, uint64_t cpu, const struct field *e)
{
	char a[64], b[64];
	struct field f;

	to += sprintf(to, "%lu cpu %lu pid %lu: ", value(e, 1), cpu, value(e, 2));
	if (get(e, 4, &f))
		sprintf(to, "switch %s/%lu %ld -> %s/%lu prio %ld\n", field_text(&f, 1, a), value(&f, 2),
			(long)value(&f, 4), field_text(&f, 5, b), value(&f, 6), (long)value(&f, 7));
	else if (get(e, 20, &f))
		sprintf(to, "waking %s/%lu target %lu flags %lu\n", field_text(&f, 1, a), value(&f, 2),
			value(&f, 5), value(e, 5));
	else if (get(e, 18, &f))
		sprintf(to, "thread %lu blocked in %lu, io %lu\n", value(&f, 1), value(&f, 2), value(&f, 3));
	else if (get(e, 546, &f) || get(e, 547, &f))
		sprintf(to, "%s of %lu sector %lu + %lu, %lu bytes\n", f.number == 546 ? "start" : "done",
			value(&f, 1), value(&f, 2), value(&f, 3), value(&f, 4));
	else
		sprintf(to, "?\n");
}

/* Add wakeups in the compact form, which has an array for each field. */
static void add_wakings(char *to, uint64_t cpu, const struct field *compact)
{
	const unsigned char *at[13] = { 0 }, *end[13] = { 0 }, *names = compact->data;
	struct field f, name;
	uint64_t time = 0;

	for (uint32_t i = 7; i <= 12; i++) {
		if (!get(compact, i, &f))
			return;
		at[i] = f.data;
		end[i] = f.data + f.bytes;
	}
	while (at[7] < end[7]) {
		while (next_field(&names, compact->data + compact->bytes, &name) && name.number != 5)
			;
		time += varint(&at[7], end[7]);
		to += sprintf(to, "%lu cpu %lu: waking %.*s/%lu", time, cpu, (int)name.bytes,
			      (const char *)name.data, varint(&at[8], end[8]));
		to += sprintf(to, " target %lu", varint(&at[9], end[9]));
		to += sprintf(to, " flags %lu\n", varint(&at[12], end[12]));
	}
}

static void add_bundle(char *to, const struct field *bundle)
{
	const unsigned char *at = bundle->data, *end = at + bundle->bytes;
	struct field f;

	while (next_field(&at, end, &f))
		if (f.number == 2)
			add_event(to + strlen(to), value(bundle, 1), &f);
	if (get(bundle, 4, &f))
		add_wakings(to + strlen(to), value(bundle, 1), &f);
}

/* Flows are numbered as they first appear. */
struct flows {
	uint64_t numbers[1024];	/* more than a text has */
};

static unsigned int nth_flow(struct flows *flows, uint64_t number)
{
	unsigned int i;

	for (i = 0; i < 1023 && flows->numbers[i] && flows->numbers[i] != number; i++)
		;
	flows->numbers[i] = number;
	return i + 1;
}

static void add_track_event(char *to, const struct field *packet, const struct field *e,
			    struct flows *flows)
{
	static const char *const types[] = { "?", "begin", "end", "instant", "counter" };
	char name[64];
	struct field f;

	to += sprintf(to, "%lu %s %s", value(packet, 8), types[value(e, 9) & 7], field_text(e, 23, name));
	if (get(e, 30, &f))
		to += sprintf(to, " %ld", (long)f.value);
	if (get(e, 44, &f)) {
		double d;

		memcpy(&d, f.data, sizeof(d));
		to += sprintf(to, " %g", d);
	}
	if (get(e, 47, &f))
		to += sprintf(to, " flow %u", nth_flow(flows, f.value));
	if (get(e, 48, &f))
		to += sprintf(to, " flow %u ends", nth_flow(flows, f.value));
	if (get(e, 4, &f))
		to += sprintf(to, " %s=%lu", field_text(&f, 10, name), value(&f, 3) + value(&f, 4));
	strcpy(to, "\n");
}

static void add_track(char *to, const struct field *t)
{
	char name[64];
	struct field f;

	if (get(t, 4, &f))
		sprintf(to, "track of thread %lu of %lu\n", value(&f, 2), value(&f, 1));
	else if (get(t, 3, &f))
		sprintf(to, "track of process %lu\n", value(&f, 1));
	else
		sprintf(to, "track %s%s\n", field_text(t, 2, name), get(t, 8, &f) ? ", a counter" : "");
}

static void add_sample(char *to, const struct field *packet, const struct field *s)
{
	const unsigned char *at, *end;
	struct field task, counter, stack, f;
	char name[64];

	if (get(s, 1, &task) && value(s, 6)) {
		sprintf(to, "%lu %lu of %lu stack %lu weight %lu of %lu, profiler %lu\n", value(packet, 8),
			value(&task, 3), value(&task, 2), value(s, 6), value(s, 11), value(s, 10),
			value(packet, 10));
		return;
	}
	if (!get(s, 1, &task) || !get(s, 9, &counter) || !get(s, 5, &stack))
		return;
	to += sprintf(to, "%lu %lu of %lu %s unit %lu weight %lu:", value(packet, 8), value(&task, 3),
		      value(&task, 2), field_text(&counter, 2, name), value(&counter, 3), value(s, 11));
	at = stack.data;
	end = at + stack.bytes;
	while (next_field(&at, end, &f))
		to += sprintf(to, " %s", field_text(&f, 1, name));
	strcpy(to, "\n");
}

static bool ends_with_empty(const struct field *message, uint32_t number)
{
	const unsigned char *at = message->data, *end = at + message->bytes;
	bool is_empty = false;
	struct field f;

	while (next_field(&at, end, &f))
		if (f.number == number)
			is_empty = !f.bytes;
	return is_empty;
}

static void add_names(char *to, const struct field *packet, const struct field *tree)
{
	char name[64];
	struct field f;

	if (value(packet, 8))
		to += sprintf(to, "at %lu: ", value(packet, 8));
	if (get(tree, 1, &f))
		to += sprintf(to, "process %lu of %lu %s%s\n", value(&f, 1), value(&f, 2), field_text(&f, 3, name),
			ends_with_empty(&f, 3) ? ", in one piece" : "");
	if (get(tree, 2, &f))
		sprintf(to, "thread %lu of %lu %s\n", value(&f, 1), value(&f, 3), field_text(&f, 2, name));
}

static void add_stack(char *to, const struct field *stack)
{
	const unsigned char *at = stack->data, *end = at + stack->bytes;
	struct field f;

	to += sprintf(to, "stack %lu:", value(stack, 1));
	while (next_field(&at, end, &f))
		if (f.number == 2)
			to += sprintf(to, " %lu", f.value);
	strcpy(to, "\n");
}

/* Things with numbers. Each packet has one of a kind. */
static void add_interned(char *to, const struct field *interned)
{
	struct field f;
	char name[64];

	if (get(interned, 26, &f))
		to += sprintf(to, "symbol %lu %s\n", value(&f, 1), field_text(&f, 2, name));
	if (get(interned, 5, &f))
		to += sprintf(to, "function %lu %s\n", value(&f, 1), field_text(&f, 2, name));
	if (get(interned, 6, &f))
		to += sprintf(to, "frame %lu function %lu in %lu kind %lu\n", value(&f, 1), value(&f, 2),
			      value(&f, 3), value(&f, 7));
	if (get(interned, 50, &f))
		to += sprintf(to, "counter %lu %s unit %lu\n", value(&f, 1), field_text(&f, 2, name),
			      value(&f, 3));
	if (get(interned, 7, &f))
		add_stack(to, &f);
}

/* Packets of one kind, by the number of their field, as lines. */
static inline char *lines_of(const struct tool *t, uint32_t kind)
{
	const unsigned char *at = (const unsigned char *)t->out, *end = at + t->out_bytes;
	char *lines = calloc(1, 64 << 10);
	struct flows flows = { 0 };
	struct field packet, f;

	while (next_field(&at, end, &packet)) {
		if (packet.number != 1 || !get(&packet, kind, &f))
			continue;
		switch (kind) {
		case 1:
			add_bundle(lines + strlen(lines), &f);
			break;
		case 2:
			add_names(lines + strlen(lines), &packet, &f);
			break;
		case 11:
			add_track_event(lines + strlen(lines), &packet, &f, &flows);
			break;
		case 12:
			add_interned(lines + strlen(lines), &f);
			break;
		case 135:
			add_sample(lines + strlen(lines), &packet, &f);
			break;
		default:
			add_track(lines + strlen(lines), &f);
		}
	}
	return lines;
}

/* The track of each event, as a letter: uuids become a, b, ... as they first appear. */
static inline char *tracks_of(const struct tool *t)
{
	const unsigned char *at = (const unsigned char *)t->out, *end = at + t->out_bytes;
	uint64_t uuids[26] = { 0 };
	char *letters = calloc(1, 1024), *to = letters;
	struct field packet, f;
	size_t i;

	while (next_field(&at, end, &packet)) {
		if (!get(&packet, 11, &f))
			continue;
		for (i = 0; uuids[i] && uuids[i] != value(&f, 11); i++)
			;
		uuids[i] = value(&f, 11);
		*to++ = 'a' + i;
	}
	return letters;
}

#endif /* PERFETTO_LINES_H */
