// SPDX-License-Identifier: GPL-2.0-or-later
/* read_clocks.c - the clocks of a trace of Perfetto. See trace.h. */
#include "libperfetto/wire.h"
#include "terminal/memory.h"
#include "trace.h"

#define SNAPSHOT_CLOCKS		1	/* fields of ClockSnapshot */
#define CLOCK_ID		1	/* and of its clocks */
#define CLOCK_TIME		2

void read_clocks_add(struct read_clocks *c, uint64_t clock, uint64_t own, uint64_t boot)
{
	if (clock >= READ_CLOCKS)
		return;
	array_more(c->of[clock].list, c->of[clock].count);
	c->of[clock].list[c->of[clock].count++] = (struct read_moment){ own, boot };
}

static uint64_t read_clock(struct wire m, uint64_t *time)
{
	uint64_t numbers[CLOCK_TIME + 1] = { 0 };

	wire_numbers(m, numbers, CLOCK_TIME + 1);
	*time = numbers[CLOCK_TIME];
	return numbers[CLOCK_ID];
}

/* Clocks from READ_CLOCK_FTRACE on belong to a sequence of packets; ftrace does not use them. */
bool read_clocks_snapshot(struct read_clocks *c, struct wire m)
{
	uint64_t id, time, boot = 0;
	struct wire again = m;
	struct wire_field f;

	while (wire_next(&m, &f)) {
		if (f.number != SNAPSHOT_CLOCKS || f.type != WIRE_BYTES)
			continue;
		id = read_clock(f.bytes, &time);
		boot = id == PERFETTO_CLOCK_BOOT ? time : boot;
	}
	while (boot && wire_next(&again, &f)) {
		if (f.number != SNAPSHOT_CLOCKS || f.type != WIRE_BYTES)
			continue;
		id = read_clock(f.bytes, &time);
		if (id < READ_CLOCK_FTRACE && id != PERFETTO_CLOCK_BOOT)
			read_clocks_add(c, id, time, boot);
	}
	return !wire_bytes(&m);
}

static int compare(const void *a, const void *b)
{
	const struct read_moment *x = a, *y = b;

	return array_order(x->own, y->own) ?: array_order(x->boot, y->boot);
}

void read_clocks_sort(struct read_clocks *c)
{
	struct read_moment *list;
	unsigned int i;
	size_t k;

	for (i = 0; i < READ_CLOCKS; i++) {
		list = c->of[i].list;
		if (c->of[i].count)
			qsort(list, c->of[i].count, sizeof(*list), compare);
		for (k = 1; k < c->of[i].count; k++)
			if (list[k].boot < list[k - 1].boot)
				list[k].boot = list[k - 1].boot;
	}
}

bool read_clocks_ns(const struct read_clocks *c, uint32_t clock, uint64_t own, uint64_t *ns)
{
	size_t count = clock < READ_CLOCKS ? c->of[clock].count : 0, past;
	const struct read_moment *m;

	*ns = own;
	if (clock == PERFETTO_CLOCK_BOOT || (c->same && clock == c->same))
		return true;
	if (!count)
		return false;
	m = c->of[clock].list;
	past = array_front(count, i, m[i].own <= own);
	m += past ? past - 1 : 0;
	*ns = m->boot + (own - m->own);
	if (past < count && past && *ns > m[1].boot)
		*ns = m[1].boot;
	return *ns <= INT64_MAX;
}

void read_clocks_free(struct read_clocks *c)
{
	unsigned int i;

	for (i = 0; i < READ_CLOCKS; i++)
		free(c->of[i].list);
}
