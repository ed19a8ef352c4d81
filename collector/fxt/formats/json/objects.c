// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * objects.c - object records: names of tracks, and other objects.
 *
 * In: kernel and userspace object records, which have no time.
 * Out: metadata events for processes and threads. For all other objects, the life of the
 * object: N when it is first seen, O with its arguments each time, and D for the earlier
 * name when the same pointer gets another name. These events take the latest time seen so
 * far. An archive does not record the end of an object, so objects that live at its end get
 * no D. Arguments of later records that mean such an object refer to it.
 *
 * Objects are kept in a bounded table. An object that does not fit gets an N each time, and
 * nothing refers to it.
 */
#include <string.h>

#include <fxt/fxt_sched.h>

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

/* Without a scope, an id belongs to its process. Kernel objects share one scope. */
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
	out_str(j->o, ",\"id2\":{\"global\":\"");
	out_hex(j->o, c->object);
	out_str(j->o, "\"}");
}

/* Return: true if it had another name, which ends here. */
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

static int life(struct json *j)
{
	const struct fxt_content *c = &j->content;
	const struct fxt_object *ob = fxt_objects_of(&j->objects, c);
	bool is_new = !ob || end_name(j, ob);
	struct fxt_text name = c->name;
	int ret = fxt_objects_learn(&j->objects, c, false);

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
	return ret;
}

/* --- names of processes and threads ------------------------------------------ */

/* The koid of a thread's process, or its own koid if the record has none. */
static uint64_t process_of(const struct fxt_content *c)
{
	uint64_t process;

	return fxt_object_process(c, &process) ? process : c->object;
}

/* Where states have a separate track, name that track, too. */
static void name_states(struct json *j, uint64_t process)
{
	static const char suffix[] = " (states)";
	const struct fxt_content *c = &j->content;
	struct json_place place = json_state_place(j, process, c->object);
	struct fxt_text name = { .bytes = j->key,
				 .length = c->name.length + sizeof(suffix) - 1 };

	/* Nobody runs on the tracks of events. */
	if (place.tid == c->object || kernel_event_has_track(c->object))
		return;
	memcpy(j->key, c->name.bytes, c->name.length);
	memcpy(j->key + c->name.length, suffix, sizeof(suffix) - 1);
	json_track_name(j, "thread", &place, &name, NULL);
	json_track_sort(j, "thread", &place, c->object);
}

/* The cgroup of a process, if its record has one. */
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
 * A later record may give another name; readers use the last. Viewers sort by name by default;
 * ids keep the order in which threads began.
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

/*
 * Does the record belong to a thread, or a process by its main thread, that is not the first
 * of its id?
 */
static bool is_of_later(const struct json *j)
{
	const struct sched_thread *t = j->m ?
		sched_model_thread_at(j->m, j->content.object, UINT64_MAX) : NULL;

	return t && t->nth;
}

int json_take_object(struct json *j)
{
	const struct fxt_content *c = &j->content;
	bool is_process = c->object_type == FXT_OBJECT_PROCESS;

	if (c->kind == FXT_KIND_USERSPACE_OBJECT ||
	    (!is_process && c->object_type != FXT_OBJECT_THREAD))
		return life(j);
	/* These get their names from json_lives(), when everything is known about them. */
	if (!is_of_later(j))
		name(j, is_process);
	return 0;
}
