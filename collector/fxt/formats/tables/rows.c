// SPDX-License-Identifier: GPL-2.0-or-later
/* rows.c - cells, rows and their times. See table.h. */
#include <math.h>

#include "table.h"

struct table_cell cell_real(double value)
{
	if (!isfinite(value))
		return cell_null();
	return (struct table_cell){ .type = TABLE_REAL, .real = value };
}

struct table_cell cell_str(const char *s)
{
	return (struct table_cell){ .type = TABLE_TEXT, .text = { s, strlen(s) } };
}

void *table_alloc(struct tables *t, size_t bytes)
{
	void *p = calloc(1, bytes ? bytes : 1);

	if (!p)
		t->error = -ENOMEM;
	return p;
}

void table_row(struct tables *t, enum table table, const struct table_cell *cells)
{
	int ret;

	if (t->error)
		return;
	ret = t->ops->row(t->arg, table, cells);
	if (ret)
		t->error = ret;
}

int64_t table_time(struct tables *t, uint64_t ns)
{
	if (ns <= INT64_MAX)
		return (int64_t)ns;
	t->stats[STAT_TIME_CUT]++;
	return INT64_MAX;
}

void table_see(struct tables *t, uint64_t ns)
{
	if (ns < t->first)
		t->first = ns;
	if (ns > t->last)
		t->last = ns;
}

uint64_t table_record_time(struct tables *t, const struct fxt_record *rec, uint64_t ticks)
{
	uint64_t ns = fxt_ticks_to_ns(ticks, rec->provider->ticks_per_second);

	table_see(t, ns);
	return ns;
}
