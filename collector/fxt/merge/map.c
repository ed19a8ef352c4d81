// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * map.c - maps the ids, CPUs and times of a recording into the result.
 *
 * Must hold: ids that are equal within a recording stay equal, and ids of different recordings
 * differ, except those of shared threads. Koid 0, the idle threads, and the koids under which our
 * producers draw losses, marks, counters and events of the kernel are shared and stay unchanged,
 * except the tracks of CPUs, which move with their CPUs. Cgroups of different recordings differ.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/json/fields.h"
#include "formats/json/scan.h"
#include "libfxt/objects.h"
#include "sched/kernel_event.h"
#include "terminal/memory.h"
#include "walk/filter.h"
#include "merge.h"

/*
 * From this bit on, ids of flows, async events and cgroups contain the number of the recording. Only
 * those of requests are larger: they are random, so those of two recordings hardly ever meet.
 */
#define ID_SHIFT	48

uint64_t merge_time(const struct merge *m, const struct merge_recording *of,
		    uint64_t ticks, uint64_t rate)
{
	uint64_t ns;

	if (m->as_it_is)
		return ticks;
	ns = fxt_ticks_to_ns(ticks, rate);
	if (of->offset < 0 && ns < -(uint64_t)of->offset)
		return 0;
	return ns + of->offset;
}

static bool is_shared(uint64_t koid)
{
	return !koid || kernel_event_is_track(koid);
}

/* Replace the track of a CPU by that of the CPU's number in the result. */
static void map_track(const struct merge_recording *of, uint64_t *koid)
{
	uint64_t cpu = kernel_event_track_cpu(*koid);

	if (kernel_event_of_cgroup(*koid))
		*koid = fxt_sched_throttle_track(*koid >> 12, cpu + of->cpu_base);
	else if (kernel_event_has_track(*koid) && cpu != KERNEL_EVENT_NO_CPU)
		*koid += of->cpu_base;
}

static void map_dense(struct merge_recording *of, uint64_t *koid)
{
	uint64_t to = of->koids + of->dense.count + 1;

	if (koids_get(&of->dense, *koid, &to)) {
		*koid = to;
	} else if (of->dense.count + 1 == MERGE_KOIDS) {
		of->has_too_many = true;
	} else {
		koids_set(&of->dense, *koid, to);
		*koid = to;
	}
}

void merge_koid(struct merge_recording *of, uint64_t *koid)
{
	if (is_shared(*koid))
		map_track(of, koid);
	else if (of->shares_threads && *koid < MERGE_KOIDS)
		return;
	else if (of->is_dense)
		map_dense(of, koid);
	else
		*koid += of->koids;
}

static void map_thread(struct merge_recording *of, struct fxt_thread_id *id)
{
	merge_koid(of, &id->process);
	merge_koid(of, &id->thread);
}

static bool is_mark(const struct fxt_content *c)
{
	return c->kind == FXT_KIND_INSTANT && c->thread.process == FXT_SCHED_KOID_LOSS &&
	       c->category.known == FXT_STR_CATEGORY;
}

/* Is this an instant or slice of fxt-sched's category? */
static bool is_ours(const struct fxt_content *c, enum fxt_kind kind, uint16_t name)
{
	return c->kind == kind && c->category.known == FXT_STR_CATEGORY && c->name.known == name;
}

bool merge_is_cpu(const struct fxt_content *c, const struct fxt_arg *arg)
{
	if (arg->type != FXT_ARG_UINT32)
		return false;
	if (is_ours(c, FXT_KIND_INSTANT, FXT_STR_MIGRATE))
		return arg->name.known == FXT_STR_FROM || arg->name.known == FXT_STR_TO;
	return arg->name.known == FXT_STR_CPU &&
	       (is_mark(c) || c->kind == FXT_KIND_KERNEL_OBJECT ||
		c->category.known == FXT_STR_IPI ||
		is_ours(c, FXT_KIND_DURATION_COMPLETE, FXT_STR_THROTTLED));
}

/* Map the mask of interrupted CPUs, which has the first 64. */
static bool is_mask(const struct fxt_content *c, const struct fxt_arg *arg)
{
	return arg->type == FXT_ARG_UINT64 && arg->name.known == FXT_STR_MASK &&
	       c->category.known == FXT_STR_IPI;
}

static bool is_cgroup(const struct fxt_content *c, const struct fxt_arg *arg)
{
	return arg->type == FXT_ARG_UINT64 && arg->name.known == FXT_STR_CGROUP &&
	       is_ours(c, FXT_KIND_DURATION_COMPLETE, FXT_STR_THROTTLED);
}

/* Is this when the name of a thread, its cgroup or its state was recorded? */
static bool is_time(const struct fxt_content *c, const struct fxt_arg *arg)
{
	return c->kind == FXT_KIND_KERNEL_OBJECT && arg->type == FXT_ARG_UINT64 &&
	       (arg->name.known == FXT_STR_SEEN || fxt_object_is_time(arg->name.known));
}

/* The id of a queued request, which is that of its operation. */
static bool is_request(const struct fxt_content *c, const struct fxt_arg *arg)
{
	return arg->type == FXT_ARG_UINT64 && arg->name.known == FXT_STR_REQUEST &&
	       c->category.known == FXT_STR_BLOCK;
}

static void map_arg(const struct merge *m, struct merge_recording *of, uint64_t rate,
		    const struct fxt_content *c, struct fxt_arg *arg)
{
	if (arg->type == FXT_ARG_KOID)
		merge_koid(of, &arg->u64);
	else if (merge_is_cpu(c, arg))
		arg->u64 += of->cpu_base;
	else if (is_time(c, arg))
		arg->u64 = merge_time(m, of, arg->u64, rate);
	else if (is_mask(c, arg))
		arg->u64 = of->cpu_base < 64 ? arg->u64 << of->cpu_base : 0;
	else if (is_cgroup(c, arg) || is_request(c, arg))
		arg->u64 ^= (uint64_t)of->number << ID_SHIFT;
}

/* An id that is not a number becomes one of 63 bits, which all readers have. */
static uint64_t number_of(const struct merge_recording *of, const struct json_value *v)
{
	uint64_t id;

	if (!json_value_number(v, &id))
		id = json_value_hash_of(0, v) >> 1;
	return id ^ (uint64_t)of->number << ID_SHIFT;
}

/* {"local":"0x1"}, or else {"global":"0x1"} */
static void map_json_id2(struct merge_recording *of, struct fxt_arg *a)
{
	const struct json_value *local = NULL, *global = NULL;
	struct json_element e = { 0 };

	if (a->type == FXT_ARG_STRING &&
	    !json_element_parse(&e, JSON_MEMBERS, a->text.bytes, a->text.length)) {
		local = json_members_find(&e.object, "local");
		global = json_members_find(&e.object, "global");
	}
	if (local || global) {
		a->text.length = snprintf(of->id2, sizeof(of->id2), "{\"%s\":\"0x%" PRIx64 "\"}",
					  local ? "local" : "global",
					  number_of(of, local ? local : global));
		a->text.bytes = of->id2;
	}
	json_element_free(&e);
}

/* Ids of flows and operations that JSON will have again are fields of its events. */
static void map_json_id(struct merge_recording *of, struct fxt_arg *a)
{
	char text[FXT_MAX_STRING_FIELD + 1];
	struct json_value v = { .text = text, .type = JSON_STRING };

	if (fxt_text_is(&a->name, JSON_FIELD "id2"))
		map_json_id2(of, a);
	if (!fxt_text_is(&a->name, JSON_FIELD "id") && !fxt_text_is(&a->name, JSON_FIELD "bind_id"))
		return;
	if (a->type == FXT_ARG_STRING) {
		v.length = a->text.length;
		memcpy(text, a->text.length ? a->text.bytes : "", v.length);
		text[v.length] = '\0';
		a->u64 = number_of(of, &v);
	} else if (a->type == FXT_ARG_INT32 || a->type == FXT_ARG_INT64 ||
		   a->type == FXT_ARG_UINT64) {
		a->u64 ^= (uint64_t)of->number << ID_SHIFT;
	} else {
		return;
	}
	a->type = FXT_ARG_UINT64;
}

/* Is it an event with fields? */
static bool is_json(const struct fxt_content *c)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++)
		if (fxt_text_is(&c->args[i].name, JSON_FIELD "ph"))
			return true;
	return false;
}

/* CPU numbers have 8 bits there; a record that does not fit is refused because of its thread. */
static void map_legacy(struct merge_recording *of, struct fxt_content *c)
{
	if (c->legacy.cpu + of->cpu_base > UINT8_MAX)
		c->legacy.state = UINT8_MAX;
	c->legacy.cpu += of->cpu_base;
	map_thread(of, &c->legacy.out);
	map_thread(of, &c->legacy.in);
}

/* Add to each number of a list. Return: the new length; numbers that do not fit are omitted. */
static size_t shift_list(char *to, size_t room, const struct fxt_text *list, unsigned int base)
{
	size_t used = 0, i = 0, whole;
	unsigned long cpu;

	while (i < list->length && used + sizeof("4294967295") < room) {
		whole = i;
		for (cpu = 0; i < list->length && list->bytes[i] >= '0' && list->bytes[i] <= '9'; i++)
			cpu = (cpu * 10 + list->bytes[i] - '0') % MERGE_CPUS;
		if (i > whole)
			used += snprintf(to + used, room - used, "%lu", cpu + base);
		else
			to[used++] = list->bytes[i++];
	}
	return used;
}

void merge_lists(struct merge *m, const struct merge_recording *of, struct fxt_content *c)
{
	unsigned int i;

	for (i = 0; i < c->arg_count && of->cpu_base; i++) {
		struct fxt_arg *a = &c->args[i];

		if (a->type != FXT_ARG_STRING || a->name.known != FXT_STR_CPUS)
			continue;
		a->text.length = shift_list(m->list, sizeof(m->list), &a->text, of->cpu_base);
		a->text.bytes = m->list;
	}
}

void merge_content(const struct merge *m, struct merge_recording *of, uint64_t rate,
		   struct fxt_content *c)
{
	unsigned int i;

	if (fxt_kind_has_time(c->kind) || c->kind == FXT_KIND_LARGE_BLOB)
		c->time = merge_time(m, of, c->time, rate);
	for (i = 0; i < c->arg_count; i++)
		map_arg(m, of, rate, c, &c->args[i]);
	if (of->number && is_json(c))
		for (i = 0; i < c->arg_count; i++)
			map_json_id(of, &c->args[i]);
	switch (c->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
		c->sw.cpu += of->cpu_base;
		merge_koid(of, &c->sw.out);
		merge_koid(of, &c->sw.in);
		return;
	case FXT_KIND_THREAD_WAKEUP:
		c->wakeup.cpu += of->cpu_base;
		merge_koid(of, &c->wakeup.thread);
		return;
	case FXT_KIND_LEGACY_SWITCH:
		map_legacy(of, c);
		return;
	case FXT_KIND_KERNEL_OBJECT:
		merge_koid(of, &c->object);
		return;
	case FXT_KIND_COUNTER:
		/* Each CPU's counter has its own track, identified by the number of the CPU. */
		if (filter_counts_cpu(c) || kernel_event_counts_cpu(c))
			c->id += of->cpu_base;
		else if (kernel_event_counts_cgroup(c))
			c->id ^= (uint64_t)of->number << ID_SHIFT;
		break;
	case FXT_KIND_DURATION_COMPLETE:
		c->end = merge_time(m, of, c->end, rate);
		break;
	case FXT_KIND_ASYNC_BEGIN ... FXT_KIND_FLOW_END:
		c->id ^= (uint64_t)of->number << ID_SHIFT;
		break;
	default:
		break;
	}
	map_thread(of, &c->thread);
}

void merge_hot(const struct merge *m, struct merge_recording *of, const struct fxt_hot_run *run,
	       uint64_t *to)
{
	uint64_t *end = to + run->count * FXT_HOT_WORDS;

	memcpy(to, run->words, run->count * FXT_HOT_BYTES);
	for (; to < end; to += FXT_HOT_WORDS) {
		to[0] = (to[0] & ~FXT_SWITCH_CPU) |
			fxt_put(FXT_SWITCH_CPU, fxt_get(FXT_SWITCH_CPU, to[0]) + of->cpu_base);
		to[1] = merge_time(m, of, to[1], 1000000000);
		/* First its arguments: new koids get their numbers in this order. */
		if (fxt_hot_is_wakeup(to))
			merge_koid(of, &to[5]);
		merge_koid(of, &to[2]);
		if (!fxt_hot_is_wakeup(to))
			merge_koid(of, &to[3]);
	}
}
