// SPDX-License-Identifier: GPL-2.0-or-later
/* names.c - see names.h. */
#include <string.h>

#include "names.h"

/* Escape a name in the output buffer, and copy it back from there. */
static void keep_name(struct dump_names *names, struct dump_name *n, const struct fxt_object *ob,
		      struct out *o)
{
	char *begin = out_room(o, OUT_BYTES / 2);
	size_t bytes;

	names->escape(o, ob->name, ob->length);
	bytes = out_room(o, 0) - begin;
	out_put(o, begin);
	n->is_kept = bytes <= sizeof(n->name);
	n->name_bytes = n->is_kept ? bytes : 0;
	memcpy(n->name, begin, n->name_bytes);
}

void dump_weight_keep(struct dump_name *n, int32_t weight)
{
	char text[OUT_NUMBER];

	n->weight = weight;
	n->weight_bytes = out_i64_at(text, weight) - text;
	memcpy(n->weight_text, text, n->weight_bytes);
}

void dump_name_look_up(struct dump_names *names, struct dump_name *n, uint64_t koid, struct out *o)
{
	const struct fxt_object *ob = fxt_objects_find(names->objects, FXT_CLASS_THREAD, 0, koid);
	const struct fxt_arg arg = { .type = FXT_ARG_KOID, .u64 = koid };

	n->koid = koid;
	n->since = ob ? ob->since : 0;
	n->until = ob ? ob->until : UINT64_MAX;
	n->changes = names->objects->changes;
	n->is_kept = true;
	n->is_argument = ob || !fxt_objects_argument(names->objects, 0, &arg);
	n->koid_bytes = out_u64_at(n->koid_text, koid) - n->koid_text;
	n->name_bytes = 0;
	if (ob && ob->length > DUMP_NAME_BYTES)
		n->is_kept = false;
	else if (ob && ob->length)
		keep_name(names, n, ob, o);
}
