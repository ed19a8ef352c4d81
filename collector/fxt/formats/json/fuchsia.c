// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuchsia.c - see fuchsia.h.
 *
 * Events of phase p name a process, t a thread, k is a switch and w a wakeup. States are those
 * of FXT; a thread that may go on is "running" there. Each CPU of Fuchsia has an idle thread,
 * which is thread 0 here.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "fields.h"
#include "fuchsia.h"

#define IDLE_KOIDS	6444000000ULL	/* threads beyond are idle threads, to catapult's importer */

bool json_fuchsia_is(const char *name, struct json_object *value)
{
	struct json_object *type, *events;

	return !strcmp(name, JSON_SYSTEM) && json_object_is_type(value, json_type_object) &&
	       json_object_object_get_ex(value, "type", &type) &&
	       json_object_is_type(type, json_type_string) &&
	       !strcmp(json_object_get_string(type), "fuchsia") &&
	       json_object_object_get_ex(value, "events", &events) &&
	       json_object_is_type(events, json_type_array);
}

static bool get_number(struct json_object *of, const char *key, uint64_t *number)
{
	struct json_object *value;

	if (!json_object_object_get_ex(of, key, &value) ||
	    !json_object_is_type(value, json_type_int) || json_object_get_int64(value) < 0)
		return false;
	*number = json_object_get_uint64(value);
	return true;
}

static bool get_text(struct json_object *of, const char *key, struct fxt_text *text)
{
	struct json_object *value;
	size_t length, i, n;
	char *bytes;

	if (!json_object_object_get_ex(of, key, &value) ||
	    !json_object_is_type(value, json_type_string))
		return false;
	bytes = (char *)json_object_get_string(value);
	length = json_object_get_string_len(value);
	/* The tree is ours, and nobody reads it again. */
	for (i = 0; i < length && i < FXT_MAX_STRING; i += n) {
		n = fxt_utf8_length((unsigned char *)bytes + i, length - i);
		if (!n)
			bytes[i] = '?';
		n = n ? n : 1;
		if (i + n > FXT_MAX_STRING)
			break;
	}
	*text = (struct fxt_text){ .bytes = bytes, .length = i };
	return true;
}

static bool get_time(struct json_object *of, uint64_t *ns)
{
	struct json_object *value;
	struct json_value v = { 0 };

	if (!json_object_object_get_ex(of, "ts", &value))
		return false;
	v.text = (char *)json_object_get_string(value);
	v.type = json_object_get_type(value);
	v.length = v.text ? strlen(v.text) : 0;
	return !json_value_ns(&v, ns);
}

/*
 * A thread of the kernel's pseudo-process 0 without a name and priority is idle: threads of
 * Fuchsia's kernel that work have both.
 */
static bool is_idle(struct json_object *names, struct json_object *of, uint64_t tid)
{
	uint64_t pid = 1, prio = 0;
	char key[24];

	if (!tid || tid > IDLE_KOIDS)
		return true;
	get_number(of, "pid", &pid);
	get_number(of, "prio", &prio);
	snprintf(key, sizeof(key), "%" PRIu64, tid);
	return !pid && !prio && !json_object_object_get_ex(names, key, NULL);
}

static void add_weight(struct fxt_content *c, const char *name, int32_t weight)
{
	c->args[c->arg_count++] = (struct fxt_arg){
		.name = { .bytes = name, .length = strlen(name) }, .type = FXT_ARG_INT32,
		.i64 = weight,
	};
}

/* Set the thread at one end of a switch, and its weight, which only idle threads need. */
static bool take_end(struct json_object *names, struct json_object *of, struct fxt_content *c,
		     const char *weight, uint64_t *koid)
{
	uint64_t prio;

	if (!of || !get_number(of, "tid", koid))
		return false;
	if (is_idle(names, of, *koid)) {
		*koid = 0;
		add_weight(c, weight, FXT_SCHED_WEIGHT_IDLE);
	} else if (get_number(of, "prio", &prio) && prio <= INT32_MAX) {
		add_weight(c, weight, prio);
	}
	return true;
}

static bool take_switch(struct json_object *names, struct json_object *event,
			struct fxt_content *c)
{
	uint64_t cpu, state;
	struct json_object *out = json_object_object_get(event, "out");
	struct json_object *in = json_object_object_get(event, "in");

	if (!get_time(event, &c->time) || !get_number(event, "cpu", &cpu) || cpu > UINT16_MAX ||
	    !out || !get_number(out, "state", &state) || state > FXT_THREAD_DEAD ||
	    !take_end(names, out, c, "outgoing_weight", &c->sw.out) ||
	    !take_end(names, in, c, "incoming_weight", &c->sw.in))
		return false;
	c->kind = FXT_KIND_CONTEXT_SWITCH;
	c->sw.cpu = cpu;
	c->sw.state = state == FXT_THREAD_RUNNING || !c->sw.out ? FXT_THREAD_NEW : state;
	return true;
}

static bool take_wakeup(struct json_object *event, struct fxt_content *c)
{
	uint64_t cpu, prio;

	if (!get_time(event, &c->time) || !get_number(event, "cpu", &cpu) || cpu > UINT16_MAX ||
	    !get_number(event, "tid", &c->wakeup.thread))
		return false;
	c->kind = FXT_KIND_THREAD_WAKEUP;
	c->wakeup.cpu = cpu;
	if (get_number(event, "prio", &prio) && prio <= INT32_MAX)
		add_weight(c, "weight", prio);
	return true;
}

static bool take_name(struct json_object *event, bool is_thread, struct fxt_content *c)
{
	uint64_t process = 0;
	bool has_process = get_number(event, "pid", &process);

	if (!get_text(event, "name", &c->name) || (!is_thread && !has_process))
		return false;
	c->kind = FXT_KIND_KERNEL_OBJECT;
	c->object_type = is_thread ? FXT_OBJECT_THREAD : FXT_OBJECT_PROCESS;
	c->object = process;
	if (!is_thread)
		return true;
	if (has_process)
		c->args[c->arg_count++] = (struct fxt_arg){
			.name = { .bytes = "process", .length = strlen("process") },
			.type = FXT_ARG_KOID, .u64 = process,
		};
	return get_number(event, "tid", &c->object);
}

static bool is_phase(struct json_object *event, const char *phase)
{
	struct json_object *ph;

	return json_object_object_get_ex(event, "ph", &ph) &&
	       json_object_is_type(ph, json_type_string) &&
	       !strcmp(json_object_get_string(ph), phase);
}

static bool take_event(struct json_object *names, struct json_object *event,
		       struct fxt_content *c)
{
	memset(c, 0, offsetof(struct fxt_content, args));
	c->name = c->category = (struct fxt_text){ .bytes = "" };
	if (!json_object_is_type(event, json_type_object))
		return false;
	if (is_phase(event, "k"))
		return take_switch(names, event, c);
	if (is_phase(event, "w"))
		return take_wakeup(event, c);
	return is_phase(event, "p") ? take_name(event, false, c) :
	       is_phase(event, "t") && take_name(event, true, c);
}

/* The ids of threads that have names. Return: an object, or NULL without memory. */
static struct json_object *named_threads(struct json_object *events)
{
	struct json_object *names = json_object_new_object(), *event;
	size_t i, count = json_object_array_length(events);
	struct fxt_text text;
	char key[24];
	uint64_t tid;

	for (i = 0; names && i < count; i++) {
		event = json_object_array_get_idx(events, i);
		if (!json_object_is_type(event, json_type_object) || !is_phase(event, "t") ||
		    !get_number(event, "tid", &tid) || !get_text(event, "name", &text) ||
		    (text.length >= 4 && !strncasecmp(text.bytes, "idle", 4)))
			continue;
		snprintf(key, sizeof(key), "%" PRIu64, tid);
		json_object_object_add(names, key, NULL);
	}
	return names;
}

/* Events of traces in this format have a provider that converters treat in their own way. */
static int begin(struct json_events *e)
{
	int ret = fxt_writer_provider(e->w, JSON_FUCHSIA_ID, JSON_FUCHSIA);

	return ret ? ret : fxt_writer_initialization(e->w, 1000000000);
}

static int end(struct json_events *e)
{
	memset(&e->c, 0, offsetof(struct fxt_content, args));
	e->c.kind = FXT_KIND_PROVIDER_SECTION;
	e->c.provider_id = JSON_PROVIDER_ID;
	return fxt_writer_record(e->w, &e->c);
}

int json_fuchsia_take(struct json_events *e, struct json_object *value)
{
	struct json_object *events = json_object_object_get(value, "events");
	struct json_object *names = named_threads(events);
	size_t i, count = json_object_array_length(events);
	int ret = names ? begin(e) : -ENOMEM;

	for (i = 0; !ret && i < count; i++) {
		e->events++;
		if (take_event(names, json_object_array_get_idx(events, i), &e->c))
			ret = fxt_writer_record(e->w, &e->c);
		else
			e->lost[JSON_LOSS_EVENT]++;
		if (ret == -EINVAL) {
			e->lost[JSON_LOSS_EVENT]++;
			ret = 0;
		}
	}
	json_object_put(names);
	return ret ? ret : end(e);
}
