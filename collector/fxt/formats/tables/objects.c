// SPDX-License-Identifier: GPL-2.0-or-later
/* objects.c - object records: a row of the table object for each. */
#include "libfxt/objects.h"
#include "table.h"

void table_object_record(struct tables *t, const struct fxt_content *c)
{
	bool is_userspace = fxt_object_class(c) == FXT_CLASS_USERSPACE;
	struct table_cell args = cell_id(table_args_now(t, c)), name;
	int64_t id = table_object_id(t, c);

	name = cell_clean(t, c->name.bytes, c->name.length);
	if (is_userspace)
		TABLE_ROW(t, TABLE_OBJECT, cell_int(id), cell_null(), cell_null(),
			  cell_bits(c->object), table_upid(t, c->thread.process), name, args);
	else
		TABLE_ROW(t, TABLE_OBJECT, cell_int(id), cell_bits(c->object),
			  cell_int(c->object_type), cell_null(), cell_null(), name, args);
}
