// SPDX-License-Identifier: GPL-2.0-or-later
/* ids.c - see ids.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "ids.h"

/** struct id - one that has its name */
struct id {
	struct map_node node;
	uint64_t koid;
	bool is_thread;
};

static bool is_text(const struct json_value *v)
{
	return v && v->type == json_type_string && v->length;
}

/* Return: 1 if it is new; 0; -ENOMEM */
static int note(struct json_events *e, uint64_t koid, bool is_thread)
{
	uint64_t hash = map_hash(koid, is_thread);
	struct map_node *n;
	struct id *id;

	for (n = map_first(&e->ids, hash); n; n = map_next(n, hash)) {
		id = map_entry(n, struct id, node);
		if (id->koid == koid && id->is_thread == is_thread)
			return 0;
	}
	id = calloc(1, sizeof(*id));
	if (!id || map_reserve(&e->ids)) {
		free(id);
		return -ENOMEM;
	}
	id->koid = koid;
	id->is_thread = is_thread;
	map_add(&e->ids, &id->node, hash);
	return 1;
}

/* The mark keeps the record from becoming an event again. */
static int put(struct json_events *e, const struct json_value *text, uint64_t koid,
	       const uint64_t *process)
{
	static const char mark[] = JSON_FIELD JSON_NAMED;
	struct fxt_content *c = &e->c;

	memset(c, 0, offsetof(struct fxt_content, args));
	c->kind = FXT_KIND_KERNEL_OBJECT;
	c->name = json_event_text(e, text);
	c->category = (struct fxt_text){ .bytes = "" };
	c->object = koid;
	c->object_type = process ? FXT_OBJECT_THREAD : FXT_OBJECT_PROCESS;
	if (process)
		c->args[c->arg_count++] = (struct fxt_arg){
			.name = { .bytes = "process", .length = strlen("process") },
			.type = FXT_ARG_KOID, .u64 = *process,
		};
	c->args[c->arg_count++] = (struct fxt_arg){
		.name = { .bytes = mark, .length = strlen(mark) }, .type = FXT_ARG_BOOL, .u64 = 1,
	};
	return fxt_writer_record(e->w, c);
}

static bool names(const struct json_element *from, const char *what)
{
	const struct json_value *phase = json_element_get(from, JSON_PH);
	const struct json_value *name = json_element_get(from, JSON_NAME);

	return phase && phase->length == 1 && *phase->text == 'M' && name &&
	       name->length == strlen(what) && !memcmp(name->text, what, name->length);
}

int json_ids_take(struct json_events *e, const struct json_element *from)
{
	const struct json_value *pid = json_element_get(from, JSON_PID);
	const struct json_value *tid = json_element_get(from, JSON_TID);
	uint64_t process, thread;
	int ret = 0;

	if (!is_text(pid) && !is_text(tid))
		return 0;
	json_value_koid(pid, 0, &process);
	json_value_koid(tid, process, &thread);
	if (is_text(pid))
		ret = note(e, process, false);
	if (ret > 0)
		ret = names(from, "process_name") ? 0 : put(e, pid, process, NULL);
	if (!ret && is_text(tid))
		ret = note(e, thread, true);
	if (ret > 0)
		ret = names(from, "thread_name") ? 0 : put(e, tid, thread, &process);
	return ret;
}

void json_ids_free(struct json_events *e)
{
	struct map_node *n;
	size_t at = 0;

	while ((n = map_take(&e->ids, &at)))
		free(map_entry(n, struct id, node));
	map_free(&e->ids);
}
