// SPDX-License-Identifier: GPL-2.0-or-later
/* objects.c - see objects.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "array.h"
#include "objects.h"

static uint64_t hash_of(enum fxt_object_class class, uint64_t process, uint64_t id)
{
	return map_hash(process ^ (uint64_t)class << 62, id);
}

/*
 * The name of a thread at @now. Before its first name with a time, it has the name without a time.
 * Without that, it has no name if the first one is of a fork, because another thread had the id;
 * otherwise it has the first one, which is better than none.
 */
static void choose_name(struct fxt_object *ob, uint64_t now)
{
	size_t from = array_front(ob->timed_count, i, ob->timed[i].from <= now);
	const struct fxt_object_name *n;

	n = from ? &ob->timed[from - 1] : ob->timed;
	ob->since = from ? n->from : 0;
	ob->until = from < ob->timed_count ? ob->timed[from].from : UINT64_MAX;
	if (!from && (ob->base_length || n->is_fork)) {
		ob->name = ob->base;
		ob->length = ob->base_length;
		return;
	}
	ob->name = n->text;
	ob->length = n->length;
}

static struct fxt_object *find_object(const struct fxt_objects *o, enum fxt_object_class class,
				      uint64_t process, uint64_t id)
{
	bool is_userspace = class == FXT_CLASS_USERSPACE;
	struct fxt_object *ob;

	if (map_find(&o->map, hash_of(class, is_userspace ? process : 0, id), ob,
		     ob->class == class && ob->id == id &&
		     (!is_userspace || ob->process == process)) && ob->timed_count)
		choose_name(ob, o->now);
	return ob;
}

enum fxt_object_class fxt_object_class(const struct fxt_content *c)
{
	if (c->kind == FXT_KIND_USERSPACE_OBJECT)
		return FXT_CLASS_USERSPACE;
	if (c->object_type == FXT_OBJECT_PROCESS)
		return FXT_CLASS_PROCESS;
	return c->object_type == FXT_OBJECT_THREAD ? FXT_CLASS_THREAD : FXT_CLASS_OTHER;
}

static bool has_room(const struct fxt_objects *o, size_t bytes)
{
	return !o->max_bytes || (o->bytes <= o->max_bytes && bytes <= o->max_bytes - o->bytes);
}

/* Return: NULL without memory. */
static struct fxt_object *add_object(struct fxt_objects *o, enum fxt_object_class class,
				     const struct fxt_content *c)
{
	uint64_t process = class == FXT_CLASS_USERSPACE ? c->thread.process : 0;
	struct fxt_object *ob;

	if (!map_new(&o->map, hash_of(class, process, c->object), ob))
		return NULL;
	ob->class = class;
	ob->id = c->object;
	ob->until = UINT64_MAX;
	ob->process = process;
	o->bytes += sizeof(*ob);
	return ob;
}

static char *copy_of(const struct fxt_text *name)
{
	char *copy = malloc(name->length);

	return copy ? memcpy(copy, name->bytes, name->length) : NULL;
}

static int set_name(struct fxt_objects *o, struct fxt_object *ob, const struct fxt_text *name)
{
	char *copy;

	if (!name->length || (ob->base_length == name->length &&
			      !memcmp(ob->base, name->bytes, name->length)))
		return 0;
	copy = copy_of(name);
	if (!copy)
		return -ENOMEM;
	free(ob->base);
	o->bytes += name->length - (size_t)ob->base_length;
	ob->name = ob->base = copy;
	ob->length = ob->base_length = name->length;
	return 0;
}

/*
 * Add a name with a time, unless it is known: a second pass or another part repeats records. Later
 * names are moved, so the time grows with the square of the names of one id that are not in order.
 */
static int add_name(struct fxt_objects *o, struct fxt_object *ob,
		    const struct fxt_object_name *new, const struct fxt_text *name)
{
	size_t i = array_front(ob->timed_count, k, ob->timed[k].from <= new->from);
	struct fxt_object_name *more;

	if ((i && ob->timed[i - 1].from == new->from) || !has_room(o, sizeof(*new) + name->length))
		return 0;
	if (array_grow(ob->timed, ob->timed_count))
		return -ENOMEM;
	more = ob->timed;
	memmove(more + i + 1, more + i, (ob->timed_count - i) * sizeof(*more));
	more[i] = *new;
	more[i].length = name->length;
	more[i].text = copy_of(name);
	if (!more[i].text) {
		memmove(more + i, more + i + 1, (ob->timed_count - i) * sizeof(*more));
		return -ENOMEM;
	}
	ob->timed_count++;
	o->bytes += sizeof(*new) + name->length;
	return 0;
}

int fxt_objects_learn(struct fxt_objects *o, const struct fxt_content *c, bool first)
{
	struct fxt_object_name timed = { 0 };
	enum fxt_object_class class;
	struct fxt_object *ob;
	uint16_t what = 0;

	if (c->kind != FXT_KIND_KERNEL_OBJECT && c->kind != FXT_KIND_USERSPACE_OBJECT)
		return 0;
	o->changes++;
	class = fxt_object_class(c);
	ob = find_object(o, class, c->thread.process, c->object);
	if (!ob && !has_room(o, sizeof(*ob) + c->name.length))
		return 0;
	if (!ob)
		ob = add_object(o, class, c);
	if (!ob)
		return -ENOMEM;
	if (class != FXT_CLASS_USERSPACE)
		ob->type = c->object_type;
	if (class == FXT_CLASS_THREAD)
		fxt_object_process(c, &ob->process);
	if (o->by_time && class == FXT_CLASS_THREAD && c->name.length)
		what = fxt_object_time(c, &timed.from);
	timed.is_fork = what == FXT_STR_FORK;
	if (what)
		return add_name(o, ob, &timed, &c->name);
	/* Each part of a recording names the threads at its beginning. Keep the first such name. */
	if (ob->base_length && (first || ob->timed_count))
		return 0;
	return set_name(o, ob, &c->name);
}

const struct fxt_object *fxt_objects_find(const struct fxt_objects *o,
					  enum fxt_object_class class, uint64_t process,
					  uint64_t id)
{
	return find_object(o, class, process, id);
}

const struct fxt_object *fxt_objects_of(const struct fxt_objects *o, const struct fxt_content *c)
{
	return find_object(o, fxt_object_class(c), c->thread.process, c->object);
}

static const struct fxt_object *by_koid(const struct fxt_objects *o, uint64_t koid,
					bool is_process)
{
	static const enum fxt_object_class orders[2][3] = {
		{ FXT_CLASS_THREAD, FXT_CLASS_PROCESS, FXT_CLASS_OTHER },
		{ FXT_CLASS_PROCESS, FXT_CLASS_THREAD, FXT_CLASS_OTHER },
	};
	const struct fxt_object *ob = NULL;
	unsigned int i;

	for (i = 0; i < 3 && !ob; i++)
		ob = find_object(o, orders[is_process][i], 0, koid);
	return ob;
}

bool fxt_argument_is_process(const struct fxt_arg *arg)
{
	return arg->name.known == FXT_STR_PROCESS || arg->name.known == FXT_STR_PARENT;
}

const struct fxt_object *fxt_objects_argument(const struct fxt_objects *o, uint64_t process,
					      const struct fxt_arg *arg)
{
	if (arg->type == FXT_ARG_POINTER)
		return find_object(o, FXT_CLASS_USERSPACE, process, arg->u64);
	if (arg->type == FXT_ARG_KOID)
		return by_koid(o, arg->u64, fxt_argument_is_process(arg));
	return NULL;
}

bool fxt_object_process(const struct fxt_content *c, uint64_t *process)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++) {
		if (c->args[i].type == FXT_ARG_KOID && c->args[i].name.known == FXT_STR_PROCESS) {
			*process = c->args[i].u64;
			return true;
		}
	}
	return false;
}

bool fxt_object_is_time(uint16_t name)
{
	return name == FXT_STR_FORK || name == FXT_STR_EXEC || name == FXT_STR_RENAME ||
	       name == FXT_STR_FOLDED || name == FXT_STR_ATTACH;
}

uint16_t fxt_object_time(const struct fxt_content *c, uint64_t *ticks)
{
	const struct fxt_arg *a;

	for (a = c->args; a < c->args + c->arg_count; a++) {
		if (a->type != FXT_ARG_UINT64 || !fxt_object_is_time(a->name.known))
			continue;
		*ticks = a->u64;
		return a->name.known;
	}
	return 0;
}

void fxt_objects_free(struct fxt_objects *o)
{
	struct fxt_object *ob;
	size_t i;

	map_drain(&o->map, ob) {
		for (i = 0; i < ob->timed_count; i++)
			free(ob->timed[i].text);
		free(ob->timed);
		free(ob->base);
		free(ob);
	}
	*o = (struct fxt_objects){ 0 };
}
