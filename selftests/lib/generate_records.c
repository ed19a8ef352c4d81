// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The records of generate_all() that are not events: every kind, with each of its fields from the
 * smallest to the largest value. The threads and CPUs do only what real ones can do.
 */
#include "generate_records.h"
#include "generate_values.h"

static void put_kernel_object(struct gen *g, uint8_t type, uint64_t koid,
			      struct fxt_text name, uint64_t process, unsigned int args)
{
	struct fxt_content c = of_kind(g, FXT_KIND_KERNEL_OBJECT);

	c.object = koid;
	c.object_type = type;
	c.name = name;
	if (process)
		add_arg(&c, at(S_SCHED + FXT_STR_PROCESS),
			(struct fxt_arg){ .type = FXT_ARG_KOID, .u64 = process });
	add_args(g, &c, args, VARIANTS);
	put(g, &c);
}

void put_kernel_objects(struct gen *g)
{
	put_kernel_object(g, FXT_OBJECT_PROCESS, PROCESS, written("prozeß"), 0, 0);
	put_kernel_object(g, FXT_OBJECT_THREAD, THREAD, written("main"), PROCESS, 0);
	put_kernel_object(g, FXT_OBJECT_THREAD, THREAD + 1, at(S_NAME), PROCESS, 0);
	put_kernel_object(g, FXT_OBJECT_THREAD, THREAD + 2, at(0), PROCESS, 14);
	put_kernel_object(g, FXT_OBJECT_THREAD, THREAD + 3, at(S_UNICODE), PROCESS, 3);
	put_kernel_object(g, FXT_OBJECT_PROCESS, PROCESS + 50, at(S_EMPTY), 0, 15);
	put_kernel_object(g, FXT_OBJECT_THREAD, THREAD + 50, at(S_LAST), PROCESS + 50, 0);
	put_kernel_object(g, FXT_OBJECT_THREAD, THREAD + 60, written("x"), PROCESS + 50, 0);
	put_kernel_object(g, 255, UINT64_MAX, written("of a type without name"), 0, 15);
}

void put_userspace_objects(struct gen *g)
{
	for (unsigned int i = 0; i <= FXT_MAX_ARGS; i++) {
		struct fxt_content c = of_kind(g, FXT_KIND_USERSPACE_OBJECT);

		c.object = 0x7fffdeadbee0 + i;
		c.thread = some_thread(g);
		c.name = some_text(g);
		add_args(g, &c, i, VARIANTS);
		put(g, &c);
	}
}

static void add_weight(struct fxt_content *c, enum fxt_sched_string name,
		       const char *text, int32_t weight, bool is_inline)
{
	add_arg(c, is_inline ? written(text) : at(S_SCHED + name),
		(struct fxt_arg){ .type = FXT_ARG_INT32, .i64 = weight });
}

/* @args: number of arguments before the weights; without weights if it is negative. */
static void put_switch(struct gen *g, uint16_t cpu, uint64_t out, uint64_t in,
		       uint8_t state, struct fxt_text letter, int args)
{
	struct fxt_content c = of_kind(g, FXT_KIND_CONTEXT_SWITCH);

	c.sw = (struct fxt_switch){ .cpu = cpu, .state = state, .out = out, .in = in };
	if (letter.ref || letter.length)
		add_arg(&c, at(S_SCHED + FXT_STR_STATE),
			(struct fxt_arg){ .type = FXT_ARG_STRING, .text = letter });
	if (args > 0)
		add_args(g, &c, args, VARIANTS);
	if (args >= 0) {
		add_weight(&c, FXT_STR_OUTGOING_WEIGHT, "outgoing_weight",
			   out ? 1024 : FXT_SCHED_WEIGHT_IDLE, g->count % 2);
		add_weight(&c, FXT_STR_INCOMING_WEIGHT, "incoming_weight",
			   in ? 1024 : FXT_SCHED_WEIGHT_IDLE, g->count % 2);
	}
	put(g, &c);
}

static void put_wakeup(struct gen *g, uint16_t cpu, uint64_t thread, uint64_t waker, int args)
{
	struct fxt_content c = of_kind(g, FXT_KIND_THREAD_WAKEUP);

	c.wakeup = (struct fxt_wakeup){ .cpu = cpu, .thread = thread };
	if (args > 0)
		add_args(g, &c, args, VARIANTS);
	if (args >= 0) {
		add_weight(&c, FXT_STR_WEIGHT, "weight", 1024, args % 2);
		add_arg(&c, at(S_SCHED + FXT_STR_WAKER),
			(struct fxt_arg){ .type = FXT_ARG_KOID, .u64 = waker });
	}
	put(g, &c);
}

/* The sequence is possible for each CPU and each thread. */
void put_scheduling(struct gen *g)
{
	const uint64_t a = THREAD, b = THREAD + 1, c = THREAD + 2, d = THREAD + 3;
	const struct fxt_text none = at(0);

	put_switch(g, 0, 0, a, FXT_THREAD_NEW, none, 0);
	put_wakeup(g, 0, b, a, 0);
	put_switch(g, 0, a, b, FXT_THREAD_BLOCKED, at(S_SCHED + FXT_STR_STATE_D), 0);
	put_wakeup(g, 0, a, b, 13);
	put_switch(g, 0, b, a, FXT_THREAD_NEW, none, 13);
	put_switch(g, 0, a, b, FXT_THREAD_SUSPENDED, written("t"), 0);
	put_wakeup(g, 0, a, 0, 1);
	put_switch(g, 0, b, a, FXT_THREAD_DYING, none, 1);
	put_switch(g, 0, a, 0, FXT_THREAD_DEAD, none, 0);
	/* The largest CPU number that Perfetto accepts. */
	put_switch(g, 4095, c, d, FXT_THREAD_BLOCKED, none, -1);
	put_wakeup(g, 4095, c, d, -1);
	put_switch(g, 4095, d, c, FXT_THREAD_NEW, none, -1);
}

/* Both threads by index. The second one sleeps after that. */
static void put_legacy_indexed(struct gen *g)
{
	struct fxt_content c = of_kind(g, FXT_KIND_LEGACY_SWITCH);

	c.legacy = (struct fxt_legacy_switch){
		.out = { .ref = T_LAST }, .in = { .ref = T_SECOND },
		.cpu = 255, .state = FXT_THREAD_NEW, .out_priority = 16,
	};
	put(g, &c);
	c = of_kind(g, FXT_KIND_LEGACY_SWITCH);
	c.legacy = (struct fxt_legacy_switch){
		.out = { .ref = T_SECOND }, .in = { .ref = T_LAST },
		.cpu = 255, .state = FXT_THREAD_BLOCKED, .in_priority = 16,
	};
	put(g, &c);
}

void put_legacy_switches(struct gen *g)
{
	const uint64_t a = THREAD + 50, b = THREAD + 60;

	for (unsigned int i = 0; i < 4; i++) {
		struct fxt_content c = of_kind(g, FXT_KIND_LEGACY_SWITCH);

		c.legacy = (struct fxt_legacy_switch){
			.out = { PROCESS + 50, i % 2 ? b : a, 0 },
			.in = { PROCESS + 50, i % 2 ? a : b, 0 },
			.cpu = 255, .state = FXT_THREAD_NEW,
			.out_priority = 255 * (i % 2), .in_priority = 1 + i,
		};
		/* a is registered, b is not. */
		if (i >= 2 && i % 2)
			c.legacy.in.ref = T_LAST;
		else if (i >= 2)
			c.legacy.out.ref = T_LAST;
		put(g, &c);
	}
	put_legacy_indexed(g);
}

void put_logs(struct gen *g)
{
	const struct fxt_text texts[] = {
		written(""), written("a message"), written("two\nlines, \"quotes\", ünïcödé"),
		{ .bytes = g->large, .length = length_of(g, 32000) },
	};

	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
		struct fxt_content c = of_kind(g, FXT_KIND_LOG);

		c.thread = some_thread(g);
		c.name = texts[i];
		put(g, &c);
	}
}

void put_modules(struct gen *g)
{
	static const uint8_t lengths[] = { 0, 1, 20, 255 };

	for (unsigned int i = 0; i < ARRAY_LENGTH(lengths); i++) {
		struct fxt_content c = of_kind(g, FXT_KIND_MODULE);

		c.thread = some_thread(g);
		c.module_id = 0xffff * (i % 2) + i / 2;
		c.name = (struct fxt_text){ .bytes = g->large, .length = lengths[3 - i] };
		c.build_id = (struct fxt_bytes){ g->large, lengths[i] };
		put(g, &c);
	}
	for (unsigned int i = 0; i < 8; i++) {
		struct fxt_content c = of_kind(g, FXT_KIND_MMAP);

		c.thread = some_thread(g);
		c.module_id = i;
		c.flags = i;
		c.start = 0x7f0000000000 + i * 0x100000;
		c.range = 0x100000;
		c.vaddr = UINT64_MAX - i;
		put(g, &c);
	}
}

void put_backtraces(struct gen *g)
{
	static const uint8_t counts[] = { 0, 1, 16, 255, 255 };

	for (unsigned int i = 0; i < ARRAY_LENGTH(counts); i++) {
		if (length_of(g, counts[i]) < counts[i])
			continue;

		struct fxt_content c = of_kind(g, FXT_KIND_BACKTRACE);

		c.thread = some_thread(g);
		c.frame_count = counts[i];
		for (unsigned int j = 0; j < c.frame_count; j++)
			c.frames[j] = 0xffffffff81000000 + 16 * j;
		put(g, &c);
	}
}

static void put_blob(struct gen *g, uint8_t type, struct fxt_text name, const void *data,
		     uint64_t bytes)
{
	struct fxt_content c = of_kind(g, FXT_KIND_BLOB);

	c.name = name;
	c.blob = (struct fxt_bytes){ data, bytes };
	c.blob_held = bytes;
	c.blob_type = type;
	put(g, &c);
}

void put_blobs(struct gen *g)
{
	/* A list of packets with one packet: its sequence is number 1. */
	static const char packet[] = { 0x0a, 0x02, 0x50, 0x01 };
	const uint64_t most = length_of(g, (FXT_MAX_RECORD_WORDS - 1) * FXT_WORD);

	put_blob(g, FXT_BLOB_DATA, at(S_NAME), g->large, 0);
	put_blob(g, FXT_BLOB_DATA, written("inline name"), g->large, 13);
	put_blob(g, FXT_BLOB_DATA, at(0), "eight by", 8);
	put_blob(g, FXT_BLOB_DATA, at(S_UNICODE), g->large, most);
	put_blob(g, FXT_BLOB_LAST_BRANCH, written("lbr"), g->large, length_of(g, 1000));
	put_blob(g, FXT_BLOB_PERFETTO, written("perfetto"), packet, sizeof(packet));
}

/* @held: bytes that are written with the record; the rest follows in pieces. */
static void put_large_blob(struct gen *g, enum fxt_kind kind, uint64_t bytes,
			   uint64_t held, unsigned int args)
{
	struct fxt_content c = of_kind(g, kind);
	uint64_t n, i;

	c.category = some_text(g);
	c.name = some_text(g);
	c.blob = (struct fxt_bytes){ g->large, bytes };
	c.blob_held = held;
	if (kind == FXT_KIND_LARGE_BLOB) {
		c.thread = some_thread(g);
		add_args(g, &c, args, VARIANTS);
	}
	put(g, &c);
	for (i = held; i < bytes && !g->ret; i += n) {
		n = bytes - i < 77777 ? bytes - i : 77777;
		g->ret = fxt_writer_payload(g->w, g->large + i, n);
	}
}

void put_large_blobs(struct gen *g)
{
	const uint64_t length = length_of(g, LARGE_BLOB);

	put_large_blob(g, FXT_KIND_LARGE_BLOB, 0, 0, 0);
	put_large_blob(g, FXT_KIND_LARGE_BLOB, 5, 5, 15);
	put_large_blob(g, FXT_KIND_LARGE_BLOB, length_of(g, 100000), 1, 4);
	put_large_blob(g, FXT_KIND_LARGE_BLOB, length, length, 15);
	put_large_blob(g, FXT_KIND_LARGE_BLOB_BARE, 0, 0, 0);
	put_large_blob(g, FXT_KIND_LARGE_BLOB_BARE, 13, 0, 0);
	put_large_blob(g, FXT_KIND_LARGE_BLOB_BARE, length, length_of(g, 70000), 0);
}
