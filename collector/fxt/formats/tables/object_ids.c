// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * object_ids.c - finds the row of the table object that an argument means.
 *
 * In: koids and pointers of arguments, and objects that records describe, in the order of
 * the archive.
 * Out: the row that an argument means: the last record of its object so far. A pointer
 * without a record means nothing, because addresses are reused; a koid without one means the
 * first record to come.
 * Must hold: each id that is assigned gets its row, at the end without a name if no record
 * describes the object; no more than TABLE_MAX_KEYS objects are kept; references of
 * arguments and records to further objects are counted.
 */
#include "libfxt/objects.h"
#include "table.h"

/* In addition to enum fxt_object_class: a koid of an argument, whose object is not known yet. */
#define CLASS_UNKNOWN	(FXT_CLASS_OTHER + 1)

/**
 * struct object - an object that arguments can refer to
 * @id: of its last row
 * @class: enum fxt_object_class or CLASS_UNKNOWN
 * @described: a record has output the row
 */
struct object {
	struct map_node node;
	uint64_t process;		/* koid; 0 of kernel objects */
	uint64_t value;			/* koid or pointer */
	int64_t id;
	unsigned int class;
	bool described;
};

/* All classes share one hash, so that an unknown object can get its class later. */
static uint64_t hash_of(uint64_t process, uint64_t value)
{
	return map_hash(process, value);
}

static struct object *find(struct tables *t, unsigned int class, uint64_t process,
			   uint64_t value)
{
	uint64_t hash = hash_of(process, value);
	struct map_node *node;
	struct object *o;

	for (node = map_first(&t->objects, hash); node; node = map_next(node, hash)) {
		o = map_entry(node, struct object, node);
		if (o->class == class && o->process == process && o->value == value)
			return o;
	}
	return NULL;
}

/* Return: NULL if there is no room. */
static struct object *add(struct tables *t, unsigned int class, uint64_t process,
			  uint64_t value)
{
	struct object *o;

	if (t->objects.count >= TABLE_MAX_KEYS) {
		t->stats[STAT_OBJECTS_LEFT_OUT]++;
		return NULL;
	}
	o = table_alloc(t, sizeof(*o));
	if (!o || map_reserve(&t->objects)) {
		t->error = -ENOMEM;
		free(o);
		return NULL;
	}
	o->process = process;
	o->value = value;
	o->class = class;
	o->id = table_id(t, TABLE_OBJECT);
	map_add(&t->objects, &o->node, hash_of(process, value));
	return o;
}

/* The kernel object of this class; an unknown object gets this class now. */
static struct object *of_class(struct tables *t, unsigned int class, uint64_t koid)
{
	struct object *o = find(t, class, 0, koid);

	if (o)
		return o;
	o = find(t, CLASS_UNKNOWN, 0, koid);
	if (!o)
		return add(t, class, 0, koid);
	o->class = class;
	return o;
}

/* A process and its main thread may have one koid. */
static struct object *of_any_class(struct tables *t, uint64_t koid)
{
	static const unsigned int order[] = {
		FXT_CLASS_THREAD, FXT_CLASS_PROCESS, FXT_CLASS_OTHER, CLASS_UNKNOWN,
	};
	struct object *o = NULL;
	unsigned int i;

	for (i = 0; i < sizeof(order) / sizeof(order[0]) && !o; i++)
		o = find(t, order[i], 0, koid);
	return o ? o : add(t, CLASS_UNKNOWN, 0, koid);
}

int64_t table_object(struct tables *t, uint64_t koid, bool is_process)
{
	struct object *o;

	/* Koid 0 is not an object. */
	if (!koid)
		return 0;
	o = is_process ? of_class(t, FXT_CLASS_PROCESS, koid) : of_any_class(t, koid);
	return o ? o->id : 0;
}

int64_t table_object_pointer(struct tables *t, uint64_t process, uint64_t pointer)
{
	struct object *o = find(t, FXT_CLASS_USERSPACE, process, pointer);

	return o ? o->id : 0;
}

int64_t table_object_id(struct tables *t, const struct fxt_content *c)
{
	enum fxt_object_class class = fxt_object_class(c);
	bool is_userspace = class == FXT_CLASS_USERSPACE;
	uint64_t process = is_userspace ? c->thread.process : 0;
	struct object *o;
	int64_t id;

	o = is_userspace ? find(t, class, process, c->object) : of_class(t, class, c->object);
	if (!o && is_userspace)
		o = add(t, class, process, c->object);
	/* The row that arguments already refer to, or one that replaces the last. */
	id = o && !o->described ? o->id : table_id(t, TABLE_OBJECT);
	if (o) {
		o->id = id;
		o->described = true;
	}
	return id;
}

void table_objects_finish(struct tables *t)
{
	struct map_node *node;
	struct object *o;

	for (node = t->objects.oldest; node; node = node->newer) {
		o = map_entry(node, struct object, node);
		if (!o->described)
			TABLE_ROW(t, TABLE_OBJECT, cell_int(o->id), cell_bits(o->value),
				  cell_null(), cell_null(), cell_null(), cell_null(),
				  cell_null());
	}
}

void table_objects_free(struct tables *t)
{
	struct map_node *node;
	size_t from = 0;

	while ((node = map_take(&t->objects, &from)))
		free(map_entry(node, struct object, node));
	map_free(&t->objects);
}
