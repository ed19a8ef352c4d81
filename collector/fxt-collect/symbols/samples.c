// SPDX-License-Identifier: GPL-2.0-or-later
/* samples.c - see samples.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/array.h"
#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "libfxt/map.h"
#include "libfxt/stacks.h"
#include "libperfetto/perfetto.h"
#include "samples.h"
#include "source/source.h"

/* --- sleeps ----------------------------------------------------------------------------- */

/*
 * A thread can be switched out on one CPU and in on another one, whose chunk may have come long
 * before or may come at the very end. So switch-outs and stacks are marks, which are sorted by
 * thread and time when the archive ends: a stack belongs to the mark before it, if that is a
 * switch-out. Most switch-outs are forgotten soon, because the thread comes back to the same CPU
 * without a stack, too early to have had one elsewhere.
 *
 * Without room for more, those switch-outs are forgotten that have another one after them. A stack
 * between the two that comes later has no switch-out then, but never a wrong one, because all marks
 * before it are either gone or stacks.
 */

/* 24 MiB of marks, and at most 18 MiB of stacks. */
#define SLEEPS_MARKS	(1U << 20)
#define SLEEPS_STACKS	(1U << 15)

/* One that has ended. */
struct sleep {
	uint64_t time;		/* ticks of the switch-in */
	uint64_t ns;		/* since the switch-out */
	uint32_t thread;
	uint32_t process;
	const struct fxt_call_stack *stack;	/* where it slept */
};

#define RECENT		256	/* threads of a CPU; a power of two */
#define MOST_GAPS	1024

struct sleep_mark {
	uint64_t time;		/* of a free mark, the next free one, as struct sleeps has it */
	const struct fxt_call_stack *stack;	/* NULL: a switch-out */
	uint32_t thread;	/* 0: free */
	uint32_t process;
};

struct sleep_gap {
	uint64_t from;
	uint64_t to;
};

/* The last records of a CPU. */
struct sleep_stream {
	uint64_t lost;
	bool has_begun;		/* it has records in this archive */
	uint32_t in;		/* the thread that was switched in last, until its stack; or 0 */
	uint64_t in_time;
	struct {
		uint32_t thread;
		uint32_t mark;
	} out[RECENT];		/* by thread id: switch-outs */
};

void sleeps_open(struct sleeps *s, const struct source_config *c, uint64_t ticks_per_second)
{
	*s = (struct sleeps){
		.is_on = c->stacks.what & STACKS_OFF &&
			 !(c->filter && c->filter->cpus),
		.preempted = c->stacks.what & STACKS_PREEMPT,
		.overwrites = c->overwrite,
		.min = c->stacks.min,
		.ticks_per_second = ticks_per_second,
		.most = SLEEPS_MARKS,
		.stacks.most = SLEEPS_STACKS,
	};
}

/* --- marks ----------------------------------------------------------------------------- */

static int by_thread(const void *a, const void *b)
{
	const struct sleep_mark *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	/* Switched in and out again within one tick. */
	return (x->stack == NULL) - (y->stack == NULL);
}

/* Remove free marks, and sort the others. */
static void sort_marks(struct sleeps *s)
{
	size_t i, count = 0;

	for (i = 0; i < s->count; i++)
		if (s->marks[i].thread)
			s->marks[count++] = s->marks[i];
	s->count = count;
	s->free = 0;
	if (count)
		qsort(s->marks, count, sizeof(*s->marks), by_thread);
}

static void forget_outs(struct sleeps *s)
{
	size_t i, count = 0;

	sort_marks(s);
	for (i = 0; i < s->count; i++)
		if (s->marks[i].stack || i + 1 == s->count || s->marks[i + 1].stack ||
		    s->marks[i + 1].thread != s->marks[i].thread)
			s->marks[count++] = s->marks[i];
	s->count = count;
	for (i = 0; i < s->stream_count; i++)
		if (s->streams[i])
			memset(s->streams[i]->out, 0, sizeof(s->streams[i]->out));
}

static int make_room(struct sleeps *s)
{
	size_t room = s->room ? 2 * s->room : 1024;
	struct sleep_mark *more;

	if (s->free || s->count < s->room)
		return 0;
	if (s->room == s->most) {
		/* Not for every few marks: sorting takes long. */
		if (!s->is_full)
			forget_outs(s);
		s->is_full = s->count > s->most / 4 * 3;
		return 0;
	}
	if (room > s->most)
		room = s->most;
	more = reallocarray(s->marks, room, sizeof(*more));
	if (!more)
		return -ENOMEM;
	s->marks = more;
	s->room = room;
	return 0;
}

/* Return: index of a new mark, or a negative errno; -ENOSPC if there is no room */
static int64_t add_mark(struct sleeps *s, const struct sleep_mark *mark)
{
	size_t at = s->count;
	int ret = make_room(s);

	if (ret)
		return ret;
	if (s->free) {
		at = s->free - 1;
		s->free = s->marks[at].time;
	} else if (s->count < s->room) {
		at = s->count++;
	} else {
		s->dropped++;
		return -ENOSPC;
	}
	s->marks[at] = *mark;
	return at;
}

static void free_mark(struct sleeps *s, uint32_t at)
{
	s->marks[at] = (struct sleep_mark){ .time = s->free };
	s->free = at + 1;
}

/* --- records ----------------------------------------------------------------------------- */

static bool wants_state(const struct sleeps *s, uint64_t state)
{
	return state == FXT_THREAD_BLOCKED || state == FXT_THREAD_SUSPENDED ||
	       (state == FXT_THREAD_NEW && s->preempted);
}

/* The thread that was switched in last has no stack. */
static void end_in(struct sleeps *s, struct sleep_stream *stream)
{
	const uint32_t thread = stream->in, slot = thread % RECENT;
	const uint32_t mark = stream->out[slot].mark;
	uint64_t ticks;

	stream->in = 0;
	if (!thread || stream->out[slot].thread != thread)
		return;
	stream->out[slot].thread = 0;
	ticks = stream->in_time - s->marks[mark].time;
	if (fxt_ticks_to_ns(ticks, s->ticks_per_second) < s->min)
		free_mark(s, mark);
}

static int note_switch(struct sleeps *s, struct sleep_stream *stream, const uint64_t *rec)
{
	const struct sleep_mark out = { .time = rec[1], .thread = rec[2] };
	const uint32_t slot = out.thread % RECENT;
	int64_t mark;

	end_in(s, stream);
	stream->in = rec[3];
	stream->in_time = rec[1];
	if (!out.thread || !wants_state(s, fxt_get(FXT_SWITCH_STATE, rec[0])))
		return 0;
	mark = add_mark(s, &out);
	if (mark < 0)
		return mark == -ENOSPC ? 0 : mark;
	stream->out[slot].thread = out.thread;
	stream->out[slot].mark = mark;
	return 0;
}

static int note_stack(struct sleeps *s, struct sleep_stream *stream, const uint64_t *rec,
		      uint64_t words)
{
	const uint64_t *frames = rec + FXT_SCHED_STACK_HEAD;
	uint32_t count = fxt_get(FXT_BACKTRACE_FRAMES, rec[0]);
	struct sleep_mark mark = { .time = rec[1], .process = rec[2], .thread = rec[3] };
	int64_t at;

	if (words < FXT_SCHED_STACK_HEAD || count > words - FXT_SCHED_STACK_HEAD)
		return 0;
	if (!stream->in || fxt_get(FXT_BACKTRACE_FLAGS, rec[0]) ||
	    mark.thread != stream->in || mark.time != stream->in_time)
		return 0;
	stream->in = 0;
	/* Its switch-out is needed; later ones of this CPU are not before it. */
	stream->out[mark.thread % RECENT].thread = 0;
	mark.stack = fxt_call_stack_get(&s->stacks, 0, mark.process, frames, count);
	if (!mark.stack)
		return -ENOMEM;
	at = add_mark(s, &mark);
	return at >= 0 || at == -ENOSPC ? 0 : at;
}

/* --- streams ----------------------------------------------------------------------------- */

static struct sleep_stream *stream_of(struct sleeps *s, uint32_t number)
{
	struct sleep_stream **more;
	size_t count = number + 1;

	if (count > s->stream_count) {
		more = reallocarray(s->streams, count, sizeof(struct sleep_stream *));
		if (!more)
			return NULL;
		memset(more + s->stream_count, 0,
		       (count - s->stream_count) * sizeof(struct sleep_stream *));
		s->streams = more;
		s->stream_count = count;
	}
	if (!s->streams[number])
		s->streams[number] = calloc(1, sizeof(struct sleep_stream));
	return s->streams[number];
}

static int add_gap(struct sleeps *s, uint64_t from, uint64_t to)
{
	struct sleep_gap *last;

	if (!s->gaps)
		s->gaps = calloc(MOST_GAPS, sizeof(*s->gaps));
	if (!s->gaps)
		return -ENOMEM;
	if (s->gap_count < MOST_GAPS) {
		s->gaps[s->gap_count++] = (struct sleep_gap){ from, to };
		return 0;
	}
	last = &s->gaps[MOST_GAPS - 1];
	last->from = from < last->from ? from : last->from;
	last->to = to > last->to ? to : last->to;
	return 0;
}

static int note_ledger(struct sleeps *s, struct sleep_stream *stream,
		       const struct fxt_ledger *ledger)
{
	bool has_lost = ledger->lost != stream->lost, has_begun = stream->has_begun;

	stream->lost = ledger->lost;
	stream->has_begun = true;
	if (!has_begun && s->overwrites && ledger->sequence)
		return add_gap(s, 0, ledger->time);
	return has_lost ? add_gap(s, ledger->last, ledger->time) : 0;
}

int sleeps_chunk(struct sleeps *s, const struct chunk *c)
{
	const uint64_t *rec = c->data, *end = rec + c->bytes / FXT_WORD;
	struct sleep_stream *stream;
	struct fxt_ledger ledger;
	uint64_t words;
	int ret;

	if (!s->is_on)
		return 0;
	if (c->bytes < FXT_LEDGER_WORDS * FXT_WORD || !fxt_sched_get_ledger(c->data, &ledger))
		return 0;
	if (ledger.stream >= MAX_CPUS)
		return 0;
	stream = stream_of(s, ledger.stream);
	if (!stream)
		return -ENOMEM;
	ret = note_ledger(s, stream, &ledger);
	for (rec += FXT_LEDGER_WORDS; rec < end && !ret; rec += words) {
		words = fxt_get(FXT_SIZE, rec[0]);
		if (!words || words > (uint64_t)(end - rec))
			break;
		if (fxt_get(FXT_TYPE, rec[0]) == FXT_RECORD_PROFILER)
			ret = note_stack(s, stream, rec, words);
		else if (fxt_get(FXT_TYPE, rec[0]) == FXT_RECORD_SCHEDULING &&
			 fxt_get(FXT_SCHEDULING_TYPE, rec[0]) == FXT_SCHEDULING_CONTEXT_SWITCH &&
			 words >= FXT_SWITCH_BASE_WORDS)
			ret = note_switch(s, stream, rec);
	}
	return ret;
}

/* --- the end of an archive ------------------------------------------------------------------ */

static int by_begin(const void *a, const void *b)
{
	const struct sleep_gap *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

/* Make the gaps of all CPUs one list without overlaps. */
static void join_gaps(struct sleeps *s)
{
	size_t i, last = 0;

	if (!s->gap_count)
		return;
	qsort(s->gaps, s->gap_count, sizeof(*s->gaps), by_begin);
	for (i = 1; i < s->gap_count; i++) {
		if (s->gaps[i].from > s->gaps[last].to)
			s->gaps[++last] = s->gaps[i];
		else if (s->gaps[i].to > s->gaps[last].to)
			s->gaps[last].to = s->gaps[i].to;
	}
	s->gap_count = last + 1;
}

static bool is_in_gap(const struct sleeps *s, uint64_t from, uint64_t to)
{
	/* The first one that ends after @from. */
	size_t n = array_front(s->gap_count, i, s->gaps[i].to <= from);

	return n < s->gap_count && s->gaps[n].from < to;
}

void sleeps_finish(struct sleeps *s)
{
	sort_marks(s);
	join_gaps(s);
}

/*
 * The next sleep, by thread and time; @at is 0 at the beginning. A sleep during which records were
 * lost is left out, because the thread may have run meanwhile; so is one since before the archive.
 * Return: false if there is none
 */
static bool sleeps_next(struct sleeps *s, size_t *at, struct sleep *sleep)
{
	for (; *at < s->count; ++*at) {
		const struct sleep_mark *mark = &s->marks[*at], *out = mark - !!*at;

		if (!mark->stack)
			continue;
		if (out == mark || out->stack || out->thread != mark->thread ||
		    is_in_gap(s, out->time, mark->time))
			continue;
		*sleep = (struct sleep){
			.time = mark->time,
			.ns = fxt_ticks_to_ns(mark->time - out->time, s->ticks_per_second),
			.thread = mark->thread,
			.process = mark->process,
			.stack = mark->stack,
		};
		++*at;
		return true;
	}
	return false;
}

void sleeps_restart(struct sleeps *s)
{
	size_t i;

	for (i = 0; i < s->stream_count; i++)
		if (s->streams[i])
			*s->streams[i] = (struct sleep_stream){ .lost = s->streams[i]->lost };
	free(s->marks);
	free(s->gaps);
	fxt_call_stacks_free(&s->stacks);
	s->marks = NULL;
	s->gaps = NULL;
	s->count = s->room = s->free = s->gap_count = 0;
	s->is_full = false;
	s->stacks = (struct fxt_call_stacks){ .most = s->stacks.most };
}

void sleeps_close(struct sleeps *s)
{
	size_t i;

	sleeps_restart(s);
	for (i = 0; i < s->stream_count; i++)
		free(s->streams[i]);
	free(s->streams);
	*s = (struct sleeps){ 0 };
}

/* --- samples ---------------------------------------------------------------------------- */

#define UNIT_NS		1
#define KIND_NATIVE	1
#define KIND_KERNEL	2
#define COUNTER		1		/* id of the only counter */
#define NAME_BYTES	1024		/* longer names are cut off */
#define MOST_NEW	8		/* frames in a packet: all fit, even with the longest names */

/* --- ids: each thing that was written has one ------------------------------------------- */

enum id_kind { ID_FUNCTION, ID_PATH, ID_BUILD_ID, ID_MAPPING, ID_FRAME, ID_STACK };

struct id {
	struct map_node node;
	uint32_t kind;
	uint32_t number;
	size_t bytes;		/* of @key */
	unsigned char key[];	/* what it is */
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

/* @is_new: it is to be written. Return: its number, never 0; 0 without memory */
static uint32_t id_of(struct ids *ids, enum id_kind kind, const void *key, size_t bytes,
		      bool *is_new)
{
	uint64_t hash = hash_of(kind, key, bytes);
	struct id *id;

	*is_new = false;
	if (map_find(&ids->map, hash, id, id->kind == kind && id->bytes == bytes &&
		     !memcmp(id->key, key, bytes)))
		return id->number;
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

/* They are gathered until a BLOB is full. */
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
	PERFETTO_SET(one, iid, number);
	PERFETTO_SET(one, str, (ProtobufCBinaryData){ bytes, (uint8_t *)s->text[s->count] });
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
	PERFETTO_SET(m, iid, number);
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
		fxt_place_name(text, sizeof(text), f.mapping, is_kernel, f.offset + 1);
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
	PERFETTO_SET(one, iid, number);
	one->has_function_name_id = key[0];
	one->function_name_id = key[0];
	one->has_mapping_id = key[1];
	one->mapping_id = key[1];
	PERFETTO_SET(one, rel_pc, key[2]);
	PERFETTO_SET(one, kind, is_kernel ? KIND_KERNEL : KIND_NATIVE);
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

	PERFETTO_SET(packet, trusted_packet_sequence_id, PERFETTO_SEQUENCE_SAMPLES);
	PERFETTO_SET(packet, timestamp_clock_id, PERFETTO_CLOCK_BOOT);
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

	PERFETTO_SET(&counter, iid, COUNTER);
	counter.name = (char *)"off-CPU time";
	PERFETTO_SET(&counter, unit, UNIT_NS);
	data.stack_sample_counter_descriptors = counters;
	data.n_stack_sample_counter_descriptors = 1;
	PERFETTO_SET(&defaults, timestamp_clock_id, PERFETTO_CLOCK_BOOT);
	source.source = (char *)FXT_SCHED_PROVIDER_NAME;
	defaults.stack_sample_defaults = &source;
	PERFETTO_SET(&packet, timestamp, time);
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

/* The frames of a deep stack have packets of their own, before the one that has the stack. */
static int put_frames(struct packets *p, uint64_t time)
{
	Perfetto__ArchivePacket packet = PERFETTO__ARCHIVE_PACKET__INIT;
	int ret;

	PERFETTO_SET(&packet, timestamp, time);
	packet.interned_data = end_new(&p->new);
	p->new.data.n_callstacks = 0;
	ret = put_packet(p, &packet);
	begin_new(&p->new);
	return ret;
}

/* Return: the number of a stack, 0 for none, or a negative errno; @p->new has what is new */
static int64_t stack_id(struct packets *p, const struct fxt_call_stack *stack, uint64_t time)
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
	PERFETTO_SET(&sample, primary_descriptor_iid, COUNTER);
	PERFETTO_SET(&sample, primary_weight, sleep->ns);
	PERFETTO_SET(&packet, timestamp, time);
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
		ret = ret ? ret : put_sample(p, &sleep, time);
	}
	ret = ret ? ret : flush_packets(p);
	map_free_all(&p->ids.map, struct id);
	free(p);
	return ret;
}
