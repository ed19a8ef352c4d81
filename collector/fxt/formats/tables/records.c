// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * records.c - logs, and the records of profilers: modules, mappings, backtraces.
 *
 * In: log, module, mapping and backtrace records.
 * Out: a row for each, and one for each frame of a backtrace, in the order of the archive.
 */
#include "walk/filter.h"
#include "table.h"

static void log_row(struct tables *t, uint64_t ns, const struct fxt_content *c)
{
	TABLE_ROW(t, TABLE_LOG, cell_int(table_id(t, TABLE_LOG)),
		  cell_int(table_time(t, ns)), table_utid(t, ns, &c->thread),
		  cell_clean(t, c->name.bytes, c->name.length));
}

/* Name and build id share the only buffer for converted text. */
static void module_row(struct tables *t, uint64_t ns, const struct fxt_content *c)
{
	struct table_name *name = table_name_text(t, &c->name);

	TABLE_ROW(t, TABLE_MODULE, cell_int(table_id(t, TABLE_MODULE)),
		  cell_int(table_time(t, ns)), table_upid(t, c->thread.process),
		  cell_int(c->module_id), cell_name(name), cell_hex(t, &c->build_id));
	table_name_put(t, name);
}

static void mmap_row(struct tables *t, uint64_t ns, const struct fxt_record *rec,
		     const struct fxt_content *c)
{
	int64_t id = table_id(t, TABLE_MMAP);

	table_mapping(t, rec, c, id);
	TABLE_ROW(t, TABLE_MMAP, cell_int(id),
		  cell_int(table_time(t, ns)), table_upid(t, c->thread.process),
		  cell_int(c->module_id), cell_bits(c->start), cell_bits(c->range),
		  cell_bits(c->vaddr), cell_int(c->flags));
}

static void backtrace_rows(struct tables *t, uint64_t ns, const struct fxt_record *rec,
			   const struct fxt_content *c)
{
	int64_t id = table_id(t, TABLE_BACKTRACE);
	struct fxt_thread_id thread = c->thread;
	unsigned int i;

	/* In the recorder's, the process is that of the frames, which may be the waker's. */
	if (fxt_text_is(&rec->provider->name, FXT_SCHED_PROVIDER_NAME))
		thread.process = 0;
	TABLE_ROW(t, TABLE_BACKTRACE, cell_int(id), cell_int(table_time(t, ns)),
		  table_utid(t, ns, &thread), table_callsite(t, rec, c));
	for (i = 0; i < c->frame_count; i++)
		TABLE_ROW(t, TABLE_BACKTRACE_FRAME,
			  cell_int(table_id(t, TABLE_BACKTRACE_FRAME)), cell_int(id),
			  cell_int(i), cell_bits(c->frames[i]));
}

void table_record(struct tables *t, const struct fxt_record *rec,
		  const struct fxt_content *c)
{
	uint64_t ns = fxt_ticks_to_ns(c->time, rec->provider->ticks_per_second);

	if (!filter_describes(c->kind))
		table_see(t, ns);
	switch (c->kind) {
	case FXT_KIND_LOG:
		log_row(t, ns, c);
		break;
	case FXT_KIND_MODULE:
		table_module(t, rec, c);
		module_row(t, ns, c);
		break;
	case FXT_KIND_MMAP:
		mmap_row(t, ns, rec, c);
		break;
	default:
		backtrace_rows(t, ns, rec, c);
	}
}
