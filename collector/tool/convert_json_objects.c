// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * convert_json_objects.c - object records: names of tracks, and other objects.
 *
 * What flows in: kernel and userspace object records, which have no time. What
 * flows out: metadata events for processes and threads; for all others the life
 * of an object: N when it is seen first, O with its arguments each time, and,
 * if the same pointer gets another name, D of what it was before. They happen
 * at the latest time seen so far. Nothing in an archive says that an object
 * ended, so those that live at its end get no D.
 *
 * Objects alive are remembered in a bounded table. One that finds no room gets
 * its N each time.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <fxt/fxt_sched.h>

#include "../lib/objects.h"
#include "convert_json.h"

/* An object alive; objects of the kernel belong to no process. */
struct object {
	struct map_node node;
	bool is_kernel;
	uint16_t length;
	uint64_t process;
	uint64_t id;
	char name[];
};

static struct object *find(const struct json *j, bool is_kernel, uint64_t process,
			   uint64_t id, uint64_t hash)
{
	struct map_node *n;
	struct object *ob;

	for (n = map_first(&j->objects, hash); n; n = map_next(n, hash)) {
		ob = map_entry(n, struct object, node);
		if (ob->is_kernel == is_kernel && ob->process == process && ob->id == id)
			return ob;
	}
	return NULL;
}

static void forget(struct json *j, struct object *ob)
{
	map_remove(&j->objects, &ob->node);
	j->object_bytes -= sizeof(*ob) + ob->length;
	free(ob);
}

static int remember(struct json *j, bool is_kernel, uint64_t hash)
{
	const struct fxt_content *c = &j->content;
	size_t bytes = sizeof(struct object) + c->name.length;
	struct object *ob;

	if (bytes > JSON_TABLE_BYTES - j->object_bytes)
		return 0;
	ob = malloc(bytes);
	if (!ob || map_reserve(&j->objects)) {
		free(ob);
		return -ENOMEM;
	}
	ob->is_kernel = is_kernel;
	ob->length = c->name.length;
	ob->process = is_kernel ? 0 : c->thread.process;
	ob->id = c->object;
	memcpy(ob->name, c->name.bytes, c->name.length);
	map_add(&j->objects, &ob->node, hash);
	j->object_bytes += bytes;
	return 0;
}

void json_objects_free(struct json *j)
{
	struct map_node *n;
	size_t from = 0;

	while ((n = map_take(&j->objects, &from)))
		free(map_entry(n, struct object, node));
	map_free(&j->objects);
}

static void open_life(struct json *j, char phase, bool is_kernel, uint64_t process,
		      uint64_t id, const char *name, size_t length)
{
	struct json_place place = { process, process };

	json_open(j, phase, &place, j->latest);
	out_str(j->o, is_kernel ? ",\"cat\":\"kernel_object\",\"name\":" :
				  ",\"cat\":\"userspace_object\",\"name\":");
	out_json(j->o, name, length);
	json_id(j, id);
}

static int life(struct json *j, bool is_kernel)
{
	const struct fxt_content *c = &j->content;
	uint64_t process = is_kernel ? 0 : c->thread.process;
	uint64_t hash = map_hash(process ^ is_kernel, c->object);
	struct object *ob = find(j, is_kernel, process, c->object, hash);
	int ret = 0;

	if (ob && (ob->length != c->name.length ||
		   memcmp(ob->name, c->name.bytes, ob->length))) {
		open_life(j, 'D', is_kernel, process, c->object, ob->name, ob->length);
		json_end(j);
		forget(j, ob);
		ob = NULL;
	}
	if (!ob) {
		open_life(j, 'N', is_kernel, process, c->object, c->name.bytes, c->name.length);
		json_end(j);
		ret = remember(j, is_kernel, hash);
	}
	open_life(j, 'O', is_kernel, process, c->object, c->name.bytes, c->name.length);
	out_str(j->o, ",\"args\":{\"snapshot\":");
	json_args(j, c, false);
	if (is_kernel)
		out_printf(j->o, ",\"object_type\":%u", c->object_type);
	out_char(j->o, '}');
	json_end(j);
	return ret;
}

/* --- names of processes and threads ------------------------------------------ */

/* The koid of a thread's process, or its own if the record does not tell. */
static uint64_t process_of(const struct fxt_content *c)
{
	uint64_t process;

	return fxt_object_process(c, &process) ? process : c->object;
}

static void sort_track(struct json *j, const char *kind, const struct json_place *place,
		       int64_t index)
{
	char what[32];

	snprintf(what, sizeof(what), "%s_sort_index", kind);
	json_open_metadata(j, place, what);
	out_str(j->o, ",\"args\":{\"sort_index\":");
	out_i64(j->o, index);
	out_char(j->o, '}');
	json_end(j);
}

/* @args: of the record, kept where no viewer looks for any; or NULL. */
static void name_track(struct json *j, const char *kind, const struct json_place *place,
		       const struct fxt_text *name, const struct fxt_content *args)
{
	char what[32];

	snprintf(what, sizeof(what), "%s_name", kind);
	json_open_metadata(j, place, what);
	out_str(j->o, ",\"args\":{\"name\":");
	out_json_text(j->o, name);
	if (args && args->arg_count) {
		out_str(j->o, ",\"fxt_args\":");
		json_args(j, args, false);
	}
	out_char(j->o, '}');
	json_end(j);
}

void json_track(struct json *j, const char *kind, const struct json_place *place,
		const char *name, int64_t sort_index)
{
	struct fxt_text text = { .bytes = name, .length = strlen(name) };

	name_track(j, kind, place, &text, NULL);
	sort_track(j, kind, place, sort_index);
}

/* Where states are drawn apart, that track has a name, too. */
static void name_states(struct json *j, uint64_t process)
{
	static const char suffix[] = " (states)";
	const struct fxt_content *c = &j->content;
	struct json_place place = json_state_place(j, process, c->object);
	struct fxt_text name = { .bytes = j->key,
				 .length = c->name.length + sizeof(suffix) - 1 };

	if (place.tid == c->object)
		return;
	memcpy(j->key, c->name.bytes, c->name.length);
	memcpy(j->key + c->name.length, suffix, sizeof(suffix) - 1);
	name_track(j, "thread", &place, &name, NULL);
	sort_track(j, "thread", &place, c->object);
}

/*
 * A name may be told again and then be another one; readers take the last. By
 * default viewers sort by name, but ids tell in which order threads began.
 */
static void name(struct json *j, bool is_process)
{
	const char *kind = is_process ? "process" : "thread";
	const struct fxt_content *c = &j->content;
	struct json_place place = { is_process ? c->object : process_of(c), c->object };

	name_track(j, kind, &place, &c->name, c);
	if (c->object <= INT32_MAX)
		sort_track(j, kind, &place, c->object);
	if (!is_process && j->m)
		name_states(j, place.pid);
}

/* Of a thread, or the main thread of a process, that is not the first of its id? */
static bool is_of_later(const struct json *j)
{
	const struct sched_thread *t = j->m ?
		sched_model_thread_at(j->m, j->content.object, UINT64_MAX) : NULL;

	return t && t->nth;
}

int json_object(struct json *j)
{
	const struct fxt_content *c = &j->content;
	bool is_process = c->object_type == FXT_OBJECT_PROCESS;

	if (c->kind == FXT_KIND_USERSPACE_OBJECT)
		return life(j, false);
	if (!is_process && c->object_type != FXT_OBJECT_THREAD)
		return life(j, true);
	/* Those have their names from json_lives(), when all is known of them. */
	if (!is_of_later(j))
		name(j, is_process);
	return 0;
}
