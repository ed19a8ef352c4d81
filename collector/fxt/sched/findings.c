// SPDX-License-Identifier: GPL-2.0-or-later
/* findings.c - see findings.h. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "findings.h"

#define TEXT_BYTES	400

void sched_tell(struct sched_model *m, enum sched_finding_kind kind, bool violation,
		uint64_t count, uint64_t offset, uint64_t time, const char *format, ...)
{
	char text[TEXT_BYTES];
	struct sched_finding f = { kind, violation, count, offset, time, text };
	va_list args;
	int n;

	if (!m->ops->finding)
		return;
	n = snprintf(text, sizeof(text), "byte %" PRIu64 ": ", offset);
	va_start(args, format);
	vsnprintf(text + n, sizeof(text) - n, format, args);
	va_end(args);
	m->ops->finding(m->arg, &f);
}

void sched_add(struct sched_sum *sum, uint64_t count, uint64_t offset, uint64_t time)
{
	if (!sum->count) {
		sum->offset = offset;
		sum->time = time;
	}
	sum->count += count;
}

void sched_late(struct sched_model *m, const struct sched_event *e)
{
	sched_add(&m->late, 1, e->offset, e->time);
	m->totals.late++;
}

void sched_add_unordered(struct sched_sum *sum, uint64_t count, uint64_t offset,
			 uint64_t time)
{
	if (sum->count && time < sum->time) {
		sum->offset = offset;
		sum->time = time;
	}
	sched_add(sum, count, offset, time);
}

void sched_filtered(struct sched_model *m, uint64_t count, uint64_t offset, uint64_t time)
{
	sched_add_unordered(&m->filtered, count, offset, time);
}
