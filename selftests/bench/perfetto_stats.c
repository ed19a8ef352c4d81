// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perfetto_stats.c - counts of events read and lost, from Perfetto's own trace.
 * In:  a Perfetto trace (protocol buffers) that traced_probes has recorded from ftrace.
 * Out: two numbers: events that traced_probes has read from the kernel, and missing events: the
 *      kernel's overruns and drops, and chunks overwritten in Perfetto's buffer. Exit status 0, 1
 *      the file cannot be read or has no such statistics, 2 wrong usage.
 *
 * The trace has the kernel's counters twice: at the start and at the end. The fields are those of
 * Perfetto's trace_packet.proto, ftrace_stats.proto and trace_stats.proto.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum field {
	TRACE_PACKET = 1,
	PACKET_FTRACE_STATS = 34,
	PACKET_TRACE_STATS = 35,
	FTRACE_PHASE = 1,
	FTRACE_CPU = 2,
	CPU_OVERRUN = 3,
	CPU_COMMIT_OVERRUN = 4,
	CPU_DROPPED = 8,
	CPU_READ = 9,
	STATS_BUFFER = 1,
	BUFFER_CHUNKS_OVERWRITTEN = 3,
};

enum { PHASE_START = 1, PHASE_END = 2 };

struct bytes {
	const unsigned char *p;
	const unsigned char *end;
};

struct sums {
	int phases;		/* phases seen, as bits */
	long long read;
	long long lost;
	long long chunks;	/* chunks, as last reported */
};

static int varint(struct bytes *b, uint64_t *value)
{
	*value = 0;
	for (unsigned int shift = 0; b->p < b->end && shift < 64; shift += 7) {
		*value |= (uint64_t)(*b->p & 0x7f) << shift;
		if (!(*b->p++ & 0x80))
			return 0;
	}
	return -1;
}

/* Read the next field. Return: its number, 0 at the end, or -1; a message's bytes are in @in. */
static int next_field(struct bytes *b, uint64_t *value, struct bytes *in)
{
	uint64_t tag;
	size_t fixed;

	if (b->p == b->end)
		return 0;
	if (varint(b, &tag))
		return -1;
	*in = (struct bytes){ b->p, b->p };
	switch (tag & 7) {
	case 0:
		return varint(b, value) ? -1 : (int)(tag >> 3);
	case 2:
		if (varint(b, value) || *value > (size_t)(b->end - b->p))
			return -1;
		*in = (struct bytes){ b->p, b->p + *value };
		b->p += *value;
		return tag >> 3;
	}
	fixed = (tag & 7) == 1 ? 8 : 4;
	if (fixed > (size_t)(b->end - b->p))
		return -1;
	b->p += fixed;
	return tag >> 3;
}

static void add_cpu(struct sums *s, struct bytes cpu, int sign)
{
	struct bytes in;
	uint64_t value = 0;
	int field;

	while ((field = next_field(&cpu, &value, &in)) > 0) {
		if (field == CPU_READ)
			s->read += sign * (long long)value;
		else if (field == CPU_OVERRUN || field == CPU_COMMIT_OVERRUN ||
			 field == CPU_DROPPED)
			s->lost += sign * (long long)value;
	}
}

static void add_ftrace(struct sums *s, struct bytes stats)
{
	struct bytes rest = stats, in;
	uint64_t value = 0, phase = 0;
	int field;

	while ((field = next_field(&rest, &value, &in)) > 0)
		if (field == FTRACE_PHASE)
			phase = value;
	if (phase != PHASE_START && phase != PHASE_END)
		return;
	s->phases |= phase;
	while ((field = next_field(&stats, &value, &in)) > 0)
		if (field == FTRACE_CPU)
			add_cpu(s, in, phase == PHASE_END ? 1 : -1);
}

static void add_buffers(struct sums *s, struct bytes stats)
{
	struct bytes in, buffer;
	uint64_t value = 0;
	int field;

	s->chunks = 0;
	while ((field = next_field(&stats, &value, &buffer)) > 0)
		while (field == STATS_BUFFER && (field = next_field(&buffer, &value, &in)) > 0) {
			if (field == BUFFER_CHUNKS_OVERWRITTEN)
				s->chunks += value;
			field = STATS_BUFFER;
		}
}

static int add_trace(struct sums *s, struct bytes trace)
{
	struct bytes packet, in;
	uint64_t value = 0;
	int field, inner;

	while ((field = next_field(&trace, &value, &packet)) > 0)
		while (field == TRACE_PACKET && (inner = next_field(&packet, &value, &in)) > 0)
			if (inner == PACKET_FTRACE_STATS)
				add_ftrace(s, in);
			else if (inner == PACKET_TRACE_STATS)
				add_buffers(s, in);
	return field;
}

static unsigned char *read_file(const char *path, size_t *bytes)
{
	FILE *f = fopen(path, "re");
	unsigned char *data = NULL;
	long size = -1;

	if (f && !fseek(f, 0, SEEK_END))
		size = ftell(f);
	if (size > 0)
		data = malloc(size);
	if (data) {
		rewind(f);
		*bytes = fread(data, 1, size, f);
	}
	if (f)
		fclose(f);
	return data;
}

int main(int argc, char **argv)
{
	struct sums s = { 0 };
	unsigned char *data;
	size_t bytes = 0;
	int ret;

	if (argc != 2) {
		fputs("usage: perfetto_stats TRACE\n", stderr);
		return 2;
	}
	data = read_file(argv[1], &bytes);
	ret = data ? add_trace(&s, (struct bytes){ data, data + bytes }) : -1;
	free(data);
	if (ret < 0 || s.phases != (PHASE_START | PHASE_END)) {
		fprintf(stderr, "perfetto_stats: %s: cannot be read, or has no statistics of ftrace\n",
			argv[1]);
		return 1;
	}
	printf("%lld %lld\n", s.read, s.lost + s.chunks);
	return 0;
}
