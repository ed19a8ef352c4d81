// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * objects.c - object records: names of tracks, and other objects.
 *
 * In: kernel and userspace object records, which have no time.
 * Out: metadata events for processes and threads. For all others, the life of the object at the
 * latest time so far: N when it is first seen, O with its arguments each time, and D for the
 * earlier name when a pointer gets another name. Archives do not record the end of an object, so
 * others get no D. Arguments of later records that mean the object refer to it.
 *
 * The table of objects is bounded. An object that does not fit gets an N each time and no
 * references.
 */
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/text.h"
#include "terminal/memory.h"
#include "json.h"

void json_object_refs(struct json *j)
{
	const struct fxt_content *c = &j->content;
	unsigned int i;

	j->refs = 0;
	for (i = 0; i < c->arg_count; i++)
		if (fxt_objects_argument(&j->objects, c->thread.process, &c->args[i]))
			j->refs |= 1U << i;
}

/* Without a scope, an id belongs to its process. Kernel objects share a scope. */
static void open_life(struct json *j, char phase, const char *name, size_t length)
{
	const struct fxt_content *c = &j->content;
	bool is_kernel = c->kind == FXT_KIND_KERNEL_OBJECT;
	uint64_t process = is_kernel ? 0 : c->thread.process;
	struct json_place place = { process, process };

	json_open(j, phase, &place, j->latest);
	out_str(j->o, is_kernel ? ",\"cat\":\"kernel_object\",\"name\":" :
				  ",\"cat\":\"userspace_object\",\"name\":");
	out_json(j->o, name, length);
	if (!is_kernel) {
		json_id(j, c->object);
		return;
	}
	out_str(j->o, ",\"id2\":{\"global\":");
	json_hex(j->o, c->object);
	out_char(j->o, '}');
}

/* End the object's former name. Returns false if it had no other. */
static bool end_name(struct json *j, const struct fxt_object *ob)
{
	const struct fxt_text *name = &j->content.name;

	if (!name->length ||
	    (ob->length == name->length && !memcmp(ob->name, name->bytes, name->length)))
		return false;
	open_life(j, 'D', ob->name ? ob->name : "", ob->length);
	json_end(j);
	return true;
}

static void life(struct json *j)
{
	const struct fxt_content *c = &j->content;
	const struct fxt_object *ob = fxt_objects_of(&j->objects, c);
	bool is_new = !ob || end_name(j, ob);
	struct fxt_text name = c->name;

	must_fit(fxt_objects_learn(&j->objects, c, false));
	ob = fxt_objects_of(&j->objects, c);
	if (ob && ob->length)
		name = (struct fxt_text){ .bytes = ob->name, .length = ob->length };
	if (is_new) {
		open_life(j, 'N', name.bytes, name.length);
		json_end(j);
	}
	open_life(j, 'O', name.bytes, name.length);
	out_str(j->o, ",\"args\":{\"snapshot\":");
	json_args(j, c, false);
	if (c->kind == FXT_KIND_KERNEL_OBJECT)
		out_printf(j->o, ",\"object_type\":%u", c->object_type);
	out_char(j->o, '}');
	json_end(j);
}

static uint64_t process_of(const struct fxt_content *c)
{
	uint64_t process;

	return fxt_object_process(c, &process) ? process : c->object;
}

static void name_states(struct json *j, uint64_t process)
{
	static const char suffix[] = " (states)";
	const struct fxt_content *c = &j->content;
	struct json_place place = json_state_place(j, process, c->object);
	struct fxt_text name = { .bytes = j->key,
				 .length = c->name.length + sizeof(suffix) - 1 };

	/* Tracks of events have no states. */
	if (place.tid == c->object || kernel_event_has_track(c->object))
		return;
	memcpy(j->key, c->name.bytes, c->name.length);
	memcpy(j->key + c->name.length, suffix, sizeof(suffix) - 1);
	json_track_name(j, "thread", &place, &name, NULL);
	json_track_sort(j, "thread", &place, c->object);
}

static void label(struct json *j, const struct json_place *place)
{
	const struct fxt_content *c = &j->content;
	unsigned int i;

	for (i = 0; i < c->arg_count; i++)
		if (c->args[i].type == FXT_ARG_STRING &&
		    c->args[i].name.known == FXT_STR_CGROUP)
			json_label(j, place, c->args[i].text.bytes, c->args[i].text.length);
}

/*
 * A later record may give another name; readers use the last one. Viewers sort by name by default;
 * sorting by id keeps the order in which threads began.
 */
static void name(struct json *j, bool is_process)
{
	const char *kind = is_process ? "process" : "thread";
	const struct fxt_content *c = &j->content;
	struct json_place place = { is_process ? c->object : process_of(c), c->object };

	json_track_name(j, kind, &place, &c->name, c);
	if (c->object <= INT32_MAX)
		json_track_sort(j, kind, &place, c->object);
	if (is_process)
		label(j, &place);
	if (!is_process && j->m)
		name_states(j, place.pid);
}

/* Does the record belong to a thread that is not the first of its id, or to such a process? */
static bool is_of_later(const struct json *j)
{
	const struct sched_thread *t = j->m ?
		sched_model_thread_at(j->m, j->content.object, UINT64_MAX) : NULL;

	return t && t->nth;
}

void json_write_object(struct json *j)
{
	const struct fxt_content *c = &j->content;
	bool is_process = c->object_type == FXT_OBJECT_PROCESS;

	if (c->kind == FXT_KIND_USERSPACE_OBJECT ||
	    (!is_process && c->object_type != FXT_OBJECT_THREAD)) {
		life(j);
	} else if (!is_of_later(j)) {
			/*
			 * json_lives() names later owners at the end, when all about them is known.
			 */
		name(j, is_process);
	}
}
