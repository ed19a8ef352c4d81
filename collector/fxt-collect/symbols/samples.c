// SPDX-License-Identifier: GPL-2.0-or-later
/* samples.c - see samples.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "libfxt/map.h"
#include "libfxt/stacks.h"
#include "libperfetto/perfetto.h"
#include "samples.h"
#include "sleeps.h"

#define UNIT_NS		1
#define KIND_NATIVE	1
#define KIND_KERNEL	2
#define COUNTER		1		/* id of the only counter */
#define NAME_BYTES	1024		/* longer names are cut off */
#define MOST_NEW	8		/* frames in a packet: all fit, even with the longest names */

/* --- ids: each thing that was written has one ------------------------------------------- */

enum id_kind { ID_FUNCTION, ID_PATH, ID_BUILD_ID, ID_MAPPING, ID_FRAME, ID_STACK };

/* @key: what it is, @bytes of it. */
struct id {
	struct map_node node;
	uint32_t kind;
	uint32_t number;
	size_t bytes;
	unsigned char key[];
};

struct ids {
	struct map map;
	uint32_t last;
	bool failed;		/* no memory */
};

static uint64_t hash_of(uint32_t kind, const void *key, size_t bytes)
{
	return map_hash(kind, fxt_hash_bytes(key, bytes));
}

/* @is_new: set if it is to be written. Return: its number, never 0; 0 without memory. */
static uint32_t id_of(struct ids *ids, enum id_kind kind, const void *key, size_t bytes,
		      bool *is_new)
{
	uint64_t hash = hash_of(kind, key, bytes);
	struct map_node *n;
	struct id *id;

	*is_new = false;
	for (n = map_first(&ids->map, hash); n; n = map_next(n, hash)) {
		id = map_entry(n, struct id, node);
		if (id->kind == kind && id->bytes == bytes && !memcmp(id->key, key, bytes))
			return id->number;
	}
	id = malloc(sizeof(*id) + bytes);
	if (!id || map_reserve(&ids->map)) {
		free(id);
		ids->failed = true;
		return 0;
	}
	id->kind = kind;
	id->number = ++ids->last;
	id->bytes = bytes;
	memcpy(id->key, key, bytes);
	map_add(&ids->map, &id->node, hash);
	*is_new = true;
	return id->number;
}

static void free_ids(struct ids *ids)
{
	struct map_node *n;
	size_t from = 0;

	while ((n = map_take(&ids->map, &from)))
		free(map_entry(n, struct id, node));
	map_free(&ids->map);
}

/* --- what a packet has anew -------------------------------------------------------------- */

struct new_strings {
	Perfetto__InternedString all[MOST_NEW];
	Perfetto__InternedString *list[MOST_NEW];
	size_t count;
	char text[MOST_NEW][NAME_BYTES];
};

struct new_things {
	Perfetto__InternedData data;
	struct new_strings functions;
	struct new_strings paths;
	struct new_strings build_ids;
	Perfetto__Mapping mappings[MOST_NEW];
	Perfetto__Mapping *mapping_list[MOST_NEW];
	uint64_t path_ids[MOST_NEW];
	size_t mapping_count;
	Perfetto__Frame frames[MOST_NEW];
	Perfetto__Frame *frame_list[MOST_NEW];
	size_t frame_count;
	Perfetto__Callstack stack;
	Perfetto__Callstack *stacks[1];
	uint64_t frame_ids[FXT_MAX_FRAMES];
};

/* Packets are gathered until a BLOB is full. */
struct packets {
	struct fxt_writer *w;
	sample_find find;
	void *arg;
	struct ids ids;
	bool has_begun;
	struct new_things new;
	size_t used;
	uint8_t bytes[FXT_MAX_STRING];
};

static uint32_t string_id(struct ids *ids, struct new_strings *s, enum id_kind kind,
			  const void *text, size_t bytes)
{
	Perfetto__InternedString *one = &s->all[s->count];
	uint32_t number;
	bool is_new;

	if (bytes > NAME_BYTES)
		bytes = NAME_BYTES;
	number = id_of(ids, kind, text, bytes, &is_new);
	if (!is_new)
		return number;
	memcpy(s->text[s->count], text, bytes);
	*one = (Perfetto__InternedString)PERFETTO__INTERNED_STRING__INIT;
	one->has_iid = true;
	one->iid = number;
	one->has_str = true;
	one->str = (ProtobufCBinaryData){ bytes, (uint8_t *)s->text[s->count] };
	s->list[s->count++] = one;
	return number;
}

static uint32_t mapping_id(struct packets *p, const struct sample_frame *f)
{
	struct new_things *n = &p->new;
	Perfetto__Mapping *m = &n->mappings[n->mapping_count];
	uint64_t key[4] = {
		string_id(&p->ids, &n->paths, ID_PATH, f->mapping, strlen(f->mapping)), 0,
		f->start, f->end,
	};
	bool is_new;
	uint32_t number;

	if (f->build_id_bytes)
		key[1] = string_id(&p->ids, &n->build_ids, ID_BUILD_ID, f->build_id,
				   f->build_id_bytes);
	number = id_of(&p->ids, ID_MAPPING, key, sizeof(key), &is_new);
	if (!is_new)
		return number;
	*m = (Perfetto__Mapping)PERFETTO__MAPPING__INIT;
	m->has_iid = true;
	m->iid = number;
	m->has_build_id = key[1];
	m->build_id = key[1];
	m->has_start = m->has_end = f->end;
	m->start = f->start;
	m->end = f->end;
	n->path_ids[n->mapping_count] = key[0];
	m->path_string_ids = &n->path_ids[n->mapping_count];
	m->n_path_string_ids = 1;
	n->mapping_list[n->mapping_count++] = m;
	return number;
}

static uint32_t frame_id(struct packets *p, uint32_t process, uint64_t frame)
{
	bool is_kernel = fxt_sched_is_kernel(frame), is_new;
	uint64_t address = fxt_sched_frame_address(frame);
	struct new_things *n = &p->new;
	Perfetto__Frame *one = &n->frames[n->frame_count];
	struct sample_frame f = { 0 };
	char text[256];
	uint64_t key[4] = { 0, 0, address, is_kernel };
	uint32_t number;

	p->find(p->arg, is_kernel ? 0 : process, address, &f);
	/* Perfetto shows only names. */
	if (!f.function && f.mapping)
		sched_place_name(text, sizeof(text), f.mapping, is_kernel, f.offset + 1);
	else if (!f.function)
		snprintf(text, sizeof(text), "0x%" PRIx64, frame);
	f.function = f.function ? f.function : text;
	key[0] = string_id(&p->ids, &n->functions, ID_FUNCTION, f.function, strlen(f.function));
	if (f.mapping) {
		key[1] = mapping_id(p, &f);
		key[2] = f.offset;
	}
	number = id_of(&p->ids, ID_FRAME, key, sizeof(key), &is_new);
	if (!is_new)
		return number;
	*one = (Perfetto__Frame)PERFETTO__FRAME__INIT;
	one->has_iid = true;
	one->iid = number;
	one->has_function_name_id = key[0];
	one->function_name_id = key[0];
	one->has_mapping_id = key[1];
	one->mapping_id = key[1];
	one->has_rel_pc = true;
	one->rel_pc = key[2];
	one->has_kind = true;
	one->kind = is_kernel ? KIND_KERNEL : KIND_NATIVE;
	n->frame_list[n->frame_count++] = one;
	return number;
}

/* --- packets ----------------------------------------------------------------------------- */

static int flush_packets(struct packets *p)
{
	int ret = p->used ? fxt_writer_perfetto(p->w, FXT_STR_SAMPLES, p->bytes, p->used) : 0;

	p->used = 0;
	return ret;
}

static int put_packet(struct packets *p, Perfetto__ArchivePacket *packet)
{
	Perfetto__ArchivePacket *list[] = { packet };
	Perfetto__ArchiveTrace trace = PERFETTO__ARCHIVE_TRACE__INIT;
	size_t bytes;
	int ret;

	packet->has_trusted_packet_sequence_id = true;
	packet->trusted_packet_sequence_id = PERFETTO_SEQUENCE_SAMPLES;
	packet->has_timestamp_clock_id = true;
	packet->timestamp_clock_id = PERFETTO_CLOCK_BOOT;
	packet->has_sequence_flags = true;
	if (!packet->sequence_flags)
		packet->sequence_flags = PERFETTO_STATE_NEEDED;
	trace.packet = list;
	trace.n_packet = 1;
	bytes = perfetto__archive_trace__get_packed_size(&trace);
	if (bytes > sizeof(p->bytes))
		return -E2BIG;
	if (p->used + bytes > sizeof(p->bytes)) {
		ret = flush_packets(p);
		if (ret)
			return ret;
	}
	p->used += perfetto__archive_trace__pack(&trace, p->bytes + p->used);
	return 0;
}

static int put_begin(struct packets *p, uint64_t time)
{
	Perfetto__ArchivePacket packet = PERFETTO__ARCHIVE_PACKET__INIT;
	Perfetto__Defaults defaults = PERFETTO__DEFAULTS__INIT;
	Perfetto__SampleDefaults source = PERFETTO__SAMPLE_DEFAULTS__INIT;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__SampleCounter counter = PERFETTO__SAMPLE_COUNTER__INIT, *counters[] = { &counter };

	counter.has_iid = true;
	counter.iid = COUNTER;
	counter.name = (char *)"off-CPU time";
	counter.has_unit = true;
	counter.unit = UNIT_NS;
	data.stack_sample_counter_descriptors = counters;
	data.n_stack_sample_counter_descriptors = 1;
	defaults.has_timestamp_clock_id = true;
	defaults.timestamp_clock_id = PERFETTO_CLOCK_BOOT;
	source.source = (char *)FXT_SCHED_PROVIDER_NAME;
	defaults.stack_sample_defaults = &source;
	packet.has_timestamp = true;
	packet.timestamp = time;
	packet.sequence_flags = PERFETTO_STATE_CLEARED;
	packet.trace_packet_defaults = &defaults;
	packet.interned_data = &data;
	return put_packet(p, &packet);
}

static void begin_new(struct new_things *n)
{
	n->functions.count = n->paths.count = n->build_ids.count = 0;
	n->mapping_count = n->frame_count = 0;
	n->stacks[0] = NULL;
}

static Perfetto__InternedData *end_new(struct new_things *n)
{
	n->data = (Perfetto__InternedData)PERFETTO__INTERNED_DATA__INIT;
	n->data.function_names = n->functions.list;
	n->data.n_function_names = n->functions.count;
	n->data.mapping_paths = n->paths.list;
	n->data.n_mapping_paths = n->paths.count;
	n->data.build_ids = n->build_ids.list;
	n->data.n_build_ids = n->build_ids.count;
	n->data.mappings = n->mapping_list;
	n->data.n_mappings = n->mapping_count;
	n->data.frames = n->frame_list;
	n->data.n_frames = n->frame_count;
	n->data.callstacks = n->stacks;
	n->data.n_callstacks = 1;
	return &n->data;
}

/* Those of a deep stack have packets of their own, before the one that has the stack. */
static int put_frames(struct packets *p, uint64_t time)
{
	Perfetto__ArchivePacket packet = PERFETTO__ARCHIVE_PACKET__INIT;
	int ret;

	packet.has_timestamp = true;
	packet.timestamp = time;
	packet.interned_data = end_new(&p->new);
	p->new.data.n_callstacks = 0;
	ret = put_packet(p, &packet);
	begin_new(&p->new);
	return ret;
}

/* Return: the number of a stack, 0 for none, or a negative errno. What is new is in @new. */
static int64_t stack_id(struct packets *p, const struct sched_stack *stack, uint64_t time)
{
	struct new_things *n = &p->new;
	bool is_new = false;
	uint32_t i, number;
	int ret;

	begin_new(n);
	if (!stack->count)
		return 0;
	number = id_of(&p->ids, ID_STACK, &stack->id, sizeof(stack->id), &is_new);
	if (!number)
		return -ENOMEM;
	if (!is_new)
		return number;
	for (i = 0; i < stack->count; i++) {
		/* Perfetto has the outermost one first. */
		n->frame_ids[stack->count - 1 - i] = frame_id(p, stack->process,
							      stack->frames[i]);
		if (p->ids.failed)
			return -ENOMEM;
		if (n->frame_count < MOST_NEW)
			continue;
		ret = put_frames(p, time);
		if (ret)
			return ret;
	}
	n->stack = (Perfetto__Callstack)PERFETTO__CALLSTACK__INIT;
	n->stack.has_iid = true;
	n->stack.iid = number;
	n->stack.frame_ids = n->frame_ids;
	n->stack.n_frame_ids = stack->count;
	n->stacks[0] = &n->stack;
	return number;
}

static int put_sample(struct packets *p, const struct sleep *sleep, uint64_t time)
{
	Perfetto__ArchivePacket packet = PERFETTO__ARCHIVE_PACKET__INIT;
	Perfetto__StackSample sample = PERFETTO__STACK_SAMPLE__INIT;
	Perfetto__TaskContext task = PERFETTO__TASK_CONTEXT__INIT;
	int64_t id = stack_id(p, sleep->stack, time);

	if (id < 0)
		return id;
	task.has_pid = task.has_tid = true;
	task.pid = sleep->process;
	task.tid = sleep->thread;
	sample.task_context = &task;
	sample.has_callstack_iid = id;
	sample.callstack_iid = id;
	sample.has_primary_descriptor_iid = true;
	sample.primary_descriptor_iid = COUNTER;
	sample.has_primary_weight = true;
	sample.primary_weight = sleep->ns;
	packet.has_timestamp = true;
	packet.timestamp = time;
	packet.stack_sample = &sample;
	if (p->new.stacks[0])
		packet.interned_data = end_new(&p->new);
	return put_packet(p, &packet);
}

int samples_write(struct sleeps *sleeps, struct fxt_writer *w, sample_find find, void *arg)
{
	struct packets *p;
	struct sleep sleep;
	uint64_t time;
	size_t at = 0;
	int ret = 0;

	if (!sleeps->count)
		return 0;
	p = calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	p->w = w;
	p->find = find;
	p->arg = arg;
	while (!ret && sleeps_next(sleeps, &at, &sleep)) {
		time = fxt_ticks_to_ns(sleep.time, sleeps->ticks_per_second);
		if (!p->has_begun)
			ret = put_begin(p, time);
		p->has_begun = true;
		if (!ret)
			ret = put_sample(p, &sleep, time);
	}
	if (!ret)
		ret = flush_packets(p);
	free_ids(&p->ids);
	free(p);
	return ret;
}
