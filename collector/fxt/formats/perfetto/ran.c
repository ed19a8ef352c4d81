// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ran.c - samples of running threads, with their stacks.
 *
 * In:  backtraces that are samples, and the symbols of the first walk.
 * Out: samples in a sequence of their own, which Perfetto takes for one profiler. Functions and
 *	stacks have numbers, which are written before the first sample that uses them.
 */
#include <fxt/fxt_sched.h>

#include "terminal/memory.h"
#include "perfetto.h"

#define UNIT_NS		1
#define KIND_NATIVE	1
#define KIND_KERNEL	2
#define COUNTER		1	/* number of the only counter */
#define MAPPING		1

/* A function, with one frame of the same number. */
struct function {
	struct map_node node;
	uint64_t number;
	bool is_kernel;
	char name[];
};

static void put(struct perfetto *p, Perfetto__Packet *packet)
{
	PERFETTO_SET(packet, trusted_packet_sequence_id, PERFETTO_SEQUENCE_RAN);
	packet->has_sequence_flags = true;
	if (!packet->sequence_flags)
		packet->sequence_flags = PERFETTO_STATE_NEEDED;
	packets_put(&p->packets, packet);
}

/* Frames need a mapping, although only the names of functions are known. */
static void begin(struct perfetto *p)
{
	Perfetto__Packet packet = PERFETTO__PACKET__INIT;
	Perfetto__Defaults defaults = PERFETTO__DEFAULTS__INIT;
	Perfetto__SampleDefaults source = PERFETTO__SAMPLE_DEFAULTS__INIT;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__SampleCounter counter = PERFETTO__SAMPLE_COUNTER__INIT, *counters[] = { &counter };
	Perfetto__Mapping mapping = PERFETTO__MAPPING__INIT, *mappings[] = { &mapping };

	PERFETTO_SET(&counter, iid, COUNTER);
	PERFETTO_SET(&mapping, iid, MAPPING);
	counter.name = (char *)"CPU time";
	PERFETTO_SET(&counter, unit, UNIT_NS);
	data.stack_sample_counter_descriptors = counters;
	data.mappings = mappings;
	data.n_stack_sample_counter_descriptors = data.n_mappings = 1;
	source.source = (char *)FXT_SCHED_PROVIDER_NAME ".oncpu";
	defaults.stack_sample_defaults = &source;
	packet.sequence_flags = PERFETTO_STATE_CLEARED;
	packet.trace_packet_defaults = &defaults;
	packet.interned_data = &data;
	put(p, &packet);
}

static void put_function(struct perfetto *p, struct function *of)
{
	Perfetto__Packet packet = PERFETTO__PACKET__INIT;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__InternedString name = PERFETTO__INTERNED_STRING__INIT, *names[] = { &name };
	Perfetto__Frame frame = PERFETTO__FRAME__INIT, *frames[] = { &frame };

	PERFETTO_SET(&name, iid, of->number);
	PERFETTO_SET(&name, str, (ProtobufCBinaryData){ strlen(of->name), (uint8_t *)of->name });
	PERFETTO_SET(&frame, iid, of->number);
	PERFETTO_SET(&frame, function_name_id, of->number);
	PERFETTO_SET(&frame, mapping_id, MAPPING);
	/* Perfetto merges frames of one address. */
	PERFETTO_SET(&frame, rel_pc, of->number);
	PERFETTO_SET(&frame, kind, of->is_kernel ? KIND_KERNEL : KIND_NATIVE);
	data.function_names = names;
	data.frames = frames;
	data.n_function_names = data.n_frames = 1;
	packet.interned_data = &data;
	put(p, &packet);
}

/* A new function is written first. */
static uint64_t function_of(struct perfetto *p, const char *name, bool is_kernel)
{
	size_t bytes = strlen(name) + 1;
	uint64_t hash = map_hash(is_kernel, fxt_hash_bytes(name, bytes - 1));
	struct function *f;

	if (map_find(&p->ran.functions, hash, f, f->is_kernel == is_kernel && !strcmp(f->name, name)))
		return f->number;
	f = must(malloc(sizeof(*f) + bytes));
	f->number = p->ran.functions.count + 1;
	f->is_kernel = is_kernel;
	memcpy(f->name, name, bytes);
	map_put(&p->ran.functions, &f->node, hash);
	put_function(p, f);
	return f->number;
}

/*
 * A stack's functions do not show whether they are the kernel's, so names come from the recorded
 * frames, some of which may be 0. Perfetto wants the outermost frame first.
 */
static void put_stack(struct perfetto *p, const struct fxt_call_stack *recorded, uint32_t number)
{
	Perfetto__Packet packet = PERFETTO__PACKET__INIT;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__Callstack of = PERFETTO__CALLSTACK__INIT, *stacks[] = { &of };
	uint64_t frames[FXT_MAX_FRAMES];
	char text[SCHED_ADDRESS_BYTES];
	uint32_t i;

	for (i = recorded->count; i--; )
		if (recorded->frames[i])
			frames[of.n_frame_ids++] = function_of(p,
				sched_frame_name(&p->symbols, recorded, i, text),
				fxt_sched_is_kernel(recorded->frames[i]));
	PERFETTO_SET(&of, iid, number);
	of.frame_ids = frames;
	data.callstacks = stacks;
	data.n_callstacks = 1;
	packet.interned_data = &data;
	put(p, &packet);
}

static const struct fxt_call_stack *stack_of(struct perfetto *p, uint32_t provider)
{
	struct perfetto_ran *r = &p->ran;
	const struct fxt_call_stack *stack;

	if (!r->recorded) {
		r->recorded = must(malloc(sizeof(*r->recorded) + sizeof(p->content.frames)));
		begin(p);
	}
	*r->recorded = (struct fxt_call_stack){
		.provider = provider, .process = p->content.thread.process,
		.count = p->content.frame_count,
	};
	memcpy(r->recorded->frames, p->content.frames,
	       r->recorded->count * sizeof(p->content.frames[0]));
	stack = sched_functions(&r->stacks, &p->symbols, r->recorded, 0, r->recorded->count);
	if (stack->id >= r->written && stack->count)
		put_stack(p, r->recorded, stack->id + 1);
	r->written = stack->id >= r->written ? stack->id + 1 : r->written;
	return stack;
}

bool perfetto_ran(struct perfetto *p, uint32_t provider, uint64_t ns, uint64_t weight, uint32_t cpu)
{
	Perfetto__Packet packet = PERFETTO__PACKET__INIT;
	Perfetto__StackSample sample = PERFETTO__STACK_SAMPLE__INIT;
	Perfetto__TaskContext task = PERFETTO__TASK_CONTEXT__INIT;
	Perfetto__ExecutionContext where = PERFETTO__EXECUTION_CONTEXT__INIT;
	const struct fxt_call_stack *stack = stack_of(p, provider);

	if (!stack->count)
		return false;
	PERFETTO_SET(&task, pid, p->content.thread.process);
	PERFETTO_SET(&task, tid, p->content.thread.thread);
	sample.task_context = &task;
	PERFETTO_SET(&where, cpu, cpu);
	sample.execution_context = cpu < PERFETTO_CPUS ? &where : NULL;
	PERFETTO_SET(&sample, callstack_iid, stack->id + 1);
	PERFETTO_SET(&sample, primary_descriptor_iid, COUNTER);
	PERFETTO_SET(&sample, primary_weight, weight);
	PERFETTO_SET(&packet, timestamp, ns);
	packet.stack_sample = &sample;
	put(p, &packet);
	return true;
}

void perfetto_ran_free(struct perfetto_ran *r)
{
	fxt_call_stacks_free(&r->stacks);
	map_free_all(&r->functions, struct function);
	free(r->recorded);
}
