// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An archive with every kind of record. All records go through fxt_writer_record() with refs chosen
 * here, so that the archive has each way to refer to a string or a thread.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "generate.h"
#include "generate_records.h"
#include "generate_values.h"

#define PROVIDER_A	1
#define PROVIDER_B	0xfedcba98U
#define LONG_STRING	3000	/* bytes */

static const struct {
	uint16_t index;
	const char *a;
	const char *b;
} strings[] = {
	{ S_CATEGORY,	"category",	"Kategorie" },
	{ S_NAME,	"name",		"Name" },
	{ S_ARGUMENT,	"argument",	"Argument" },
	{ S_VALUE,	"value",	"eight by" },
	{ S_UNICODE,	"grün 世界 🦀",	"\"quoted\"\\\n\t</script>\x01\x7f" },
	{ S_EMPTY,	"",		"" },
	{ S_LAST,	"last",		"letzte" },
};

static void put_string(struct gen *g, uint16_t index, struct fxt_text text)
{
	struct fxt_content c = { .kind = FXT_KIND_STRING, .index = index, .name = text };

	put(g, &c);
}

static void put_thread(struct gen *g, uint16_t index, uint64_t process, uint64_t thread)
{
	struct fxt_content c = {
		.kind = FXT_KIND_THREAD, .index = index,
		.thread = { .process = process, .thread = thread },
	};

	put(g, &c);
}

static void put_tables(struct gen *g)
{
	uint64_t base = g->second ? 1000 : 0;

	for (size_t i = 0; i < ARRAY_LENGTH(strings); i++)
		put_string(g, strings[i].index, written(g->second ? strings[i].b : strings[i].a));
	put_string(g, S_LONG, (struct fxt_text){ .bytes = g->large,
		   .length = length_of(g, LONG_STRING) });
#define PUT_STRING(index, text) put_string(g, S_SCHED + (index), written(text));
	FXT_SCHED_STRINGS(PUT_STRING)
#undef PUT_STRING
	put_thread(g, T_FIRST, base + PROCESS, base + THREAD);
	put_thread(g, T_SECOND, base + PROCESS, base + THREAD + 1);
	put_thread(g, T_LAST, base + PROCESS + 50, base + THREAD + 50);
}

static void put_provider(struct gen *g, uint32_t id, const char *name, uint64_t ticks)
{
	struct fxt_content c = {
		.kind = FXT_KIND_PROVIDER_INFO, .provider_id = id, .name = written(name),
	};

	put(g, &c);
	c = (struct fxt_content){
		.kind = FXT_KIND_INITIALIZATION, .ticks_per_second = ticks,
	};
	put(g, &c);
	g->second = id == PROVIDER_B;
	put_tables(g);
}

static void put_section(struct gen *g, uint32_t id)
{
	struct fxt_content c = { .kind = FXT_KIND_PROVIDER_SECTION, .provider_id = id };

	put(g, &c);
	g->second = id == PROVIDER_B;
}

static void put_full(struct gen *g, uint32_t id)
{
	struct fxt_content c = {
		.kind = FXT_KIND_PROVIDER_EVENT, .provider_id = id,
		.event = FXT_PROVIDER_EVENT_BUFFER_FULL,
	};

	put(g, &c);
}

struct look {
	struct fxt_thread_id thread;
	struct fxt_text category;
	struct fxt_text name;
	unsigned int args;
};

static void put_event(struct gen *g, const struct look *look, enum fxt_kind kind, uint64_t id)
{
	struct fxt_content c = of_kind(g, kind);

	c.thread = look->thread;
	c.category = look->category;
	c.name = look->name;
	if (kind == FXT_KIND_DURATION_COMPLETE)
		c.end = c.time + 500;
	else if (kind != FXT_KIND_INSTANT && kind != FXT_KIND_DURATION_BEGIN &&
		 kind != FXT_KIND_DURATION_END)
		c.id = id;
	/* The values of a counter are numbers. */
	if (kind == FXT_KIND_COUNTER)
		add_args(g, &c, look->args < 5 ? look->args + 1 : 5, NUMBERS);
	else
		add_args(g, &c, look->args, VARIANTS);
	put(g, &c);
}

/* in a valid order */
static void put_events(struct gen *g, const struct look *look)
{
	static const enum fxt_kind kinds[] = {
		FXT_KIND_DURATION_BEGIN, FXT_KIND_INSTANT, FXT_KIND_FLOW_BEGIN,
		FXT_KIND_ASYNC_BEGIN, FXT_KIND_DURATION_COMPLETE,
		FXT_KIND_DURATION_END, FXT_KIND_ASYNC_INSTANT, FXT_KIND_COUNTER,
		FXT_KIND_DURATION_BEGIN, FXT_KIND_FLOW_STEP, FXT_KIND_DURATION_END,
		FXT_KIND_DURATION_BEGIN, FXT_KIND_FLOW_END, FXT_KIND_ASYNC_END,
		FXT_KIND_DURATION_END,
	};
	uint64_t id = 0x8000000000000000 + g->count;

	for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++)
		put_event(g, look, kinds[i], id);
}

static void put_all_events(struct gen *g)
{
	const struct fxt_text categories[] = {
		at(S_CATEGORY), written("inline category"), at(S_UNICODE),
	};
	struct look look;

	for (unsigned int i = 0; i <= FXT_MAX_ARGS; i += g->flags & GENERATE_SMALL ? 5 : 1) {
		look = (struct look){
			.thread = some_thread(g),
			.category = categories[i % ARRAY_LENGTH(categories)],
			.name = i % 4 == 3 ? at(S_LONG) : some_text(g),
			.args = i,
		};
		put_events(g, &look);
	}
}

static void put_archive(struct gen *g)
{
	struct fxt_content magic = { .kind = FXT_KIND_MAGIC };

	put(g, &magic);
	put_provider(g, PROVIDER_A, "generator", 1000000000);
	put_kernel_objects(g);
	put_userspace_objects(g);
	put_all_events(g);
	put_blobs(g);
	put_legacy_switches(g);
	put_scheduling(g);
	put_logs(g);
	put_modules(g);
	put_backtraces(g);
	put_provider(g, PROVIDER_B, "zweiter Erzeuger", 24000000);
	put_full(g, PROVIDER_B);
	put_all_events(g);
	put_section(g, PROVIDER_A);
	put_string(g, S_NAME, written("name, registered again"));
	put_thread(g, T_FIRST, PROCESS, THREAD + 3);
	put_all_events(g);
	if (!(g->flags & GENERATE_NO_LARGE))
		put_large_blobs(g);
	put_section(g, PROVIDER_B);
	put_logs(g);
	put_backtraces(g);
}

int generate_all(int fd, unsigned int flags)
{
	struct gen g = { .flags = flags, .time = 1000000000 };
	int ret;

	g.large = malloc(LARGE_BLOB);
	if (!g.large)
		return -ENOMEM;
	for (size_t i = 0; i < LARGE_BLOB; i++)
		g.large[i] = ' ' + i % 95;
	ret = fxt_writer_open(&g.w, fd);
	if (!ret && flags & GENERATE_SWAPPED)
		ret = fxt_writer_swap(g.w);
	if (!ret) {
		put_archive(&g);
		ret = fxt_writer_close(g.w);
	}
	free(g.large);
	return g.ret ? g.ret : ret;
}
