/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An archive of any producer, which a command of fxt has written, in arrays, in file order; and
 * macros that run fxt. Reading is strict.
 */
#ifndef SELFTESTS_VERB_ARCHIVE_H
#define SELFTESTS_VERB_ARCHIVE_H

#include "harness.h"

#include <byteswap.h>
#include <stdarg.h>

#include "collector.h"
#include "sched_story.h"
#include "tool.h"

#define GATHERED_MAX	512

struct gathered_event {
	enum fxt_kind kind;
	uint64_t time;		/* ticks */
	/* for switches the incoming thread, for wakeups the woken thread, else the thread */
	uint64_t thread;
	/* for switches the outgoing thread, for wakeups the waker, for events the process */
	uint64_t other;
	uint64_t end;	/* for slices that are one record */
	/* for counters, instants and slices: the first arguments; @cpu is a counter's id */
	uint64_t values[3];
	/* for counters, modules and mappings; @values[0] of a mapping is its begin */
	uint64_t id;
	uint32_t provider;
	uint16_t cpu;
	uint8_t state;	/* for switches */
	uint8_t unknown;	/* for switches and wakeups, as the reader returns it */
	char name[24];
};

struct gathered_name {
	uint64_t koid;
	uint64_t process;
	uint64_t parent;
	uint32_t provider;
	uint8_t type;
	char name[64];
	char cpus[32];
};

struct gathered {
	int ret;		/* the result of reading */
	uint64_t rate;
	uint32_t provider;
	size_t event_count;
	struct gathered_event events[GATHERED_MAX];
	size_t mark_count;
	struct gathered_event marks[GATHERED_MAX];
	size_t name_count;
	struct gathered_name names[GATHERED_MAX];
	size_t ledger_count;
	struct fxt_ledger ledgers[GATHERED_MAX];
	size_t provider_count;	/* provider infos */
	size_t provider_events;
	char session[4096];	/* all of them */
	size_t session_count;
	size_t sample_blobs;	/* Perfetto's */
	size_t symbol_blobs;
};

static inline void gather_text(char *to, size_t room, const struct fxt_text *text)
{
	snprintf(to, room, "%.*s", (int)text->length, text->bytes);
}

/* Gather a mark (fxt_mark.h), which is not an event. */
static inline void gather_mark(struct gathered *g, const struct fxt_content *c)
{
	if (g->mark_count == GATHERED_MAX)
		abort();
	g->marks[g->mark_count++] = (struct gathered_event){
		.time = c->time, .thread = c->sw.in, .other = c->sw.out, .cpu = c->sw.cpu,
		.unknown = c->sw.unknown,
	};
}

static inline void gather_event(struct gathered *g, const struct fxt_content *c)
{
	struct gathered_event *e = &g->events[g->event_count++];

	if (g->event_count == GATHERED_MAX)
		abort();
	*e = (struct gathered_event){
		.kind = c->kind, .time = c->time, .thread = c->thread.thread,
		.other = c->thread.process, .provider = g->provider,
	};
	if (c->kind == FXT_KIND_CONTEXT_SWITCH) {
		e->thread = c->sw.in;
		e->other = c->sw.out;
		e->cpu = c->sw.cpu;
		e->state = c->sw.state;
		e->unknown = c->sw.unknown;
	} else if (c->kind == FXT_KIND_THREAD_WAKEUP) {
		e->thread = c->wakeup.thread;
		e->other = c->wakeup.waker;
		e->cpu = c->wakeup.cpu;
		e->unknown = c->wakeup.unknown;
	} else if (c->kind == FXT_KIND_DURATION_COMPLETE || c->kind == FXT_KIND_COUNTER ||
		   c->kind == FXT_KIND_INSTANT) {
		e->end = c->kind == FXT_KIND_DURATION_COMPLETE ? c->end : 0;
		e->cpu = c->kind == FXT_KIND_COUNTER ? c->id : 0;
		e->values[0] = c->arg_count > 0 ? c->args[0].u64 : 0;
		e->values[1] = c->arg_count > 1 ? c->args[1].u64 : 0;
		e->values[2] = c->arg_count > 2 ? c->args[2].u64 : 0;
		e->id = c->kind == FXT_KIND_COUNTER ? c->id : 0;
	} else if (c->kind == FXT_KIND_MODULE || c->kind == FXT_KIND_MMAP) {
		e->id = c->module_id;
		e->values[0] = c->kind == FXT_KIND_MMAP ? c->start : 0;
	}
	if (c->name.bytes)
		gather_text(e->name, sizeof(e->name), &c->name);
}

static inline void gather_name(struct gathered *g, const struct fxt_content *c)
{
	struct gathered_name *n = &g->names[g->name_count++];

	if (g->name_count == GATHERED_MAX)
		abort();
	*n = (struct gathered_name){
		.koid = c->object, .type = c->object_type, .provider = g->provider,
	};
	gather_text(n->name, sizeof(n->name), &c->name);
	for (unsigned int i = 0; i < c->arg_count; i++)
		if (fxt_text_is(&c->args[i].name, "process"))
			n->process = c->args[i].u64;
		else if (fxt_text_is(&c->args[i].name, "parent"))
			n->parent = c->args[i].u64;
		else if (fxt_text_is(&c->args[i].name, "cpus"))
			gather_text(n->cpus, sizeof(n->cpus), &c->args[i].text);
}

static inline void gather_blob(struct gathered *g, const struct fxt_content *c)
{
	__u64 words[FXT_LEDGER_WORDS] = { FXT_LEDGER_HEADER };
	size_t used = strlen(g->session);

	if (fxt_text_is(&c->name, "fxt_sched.ledger") && c->blob.bytes == FXT_LEDGER_BYTES) {
		memcpy(words + 1, c->blob.data, FXT_LEDGER_BYTES);
		if (g->ledger_count == GATHERED_MAX)
			abort();
		fxt_sched_get_ledger(words, &g->ledgers[g->ledger_count++]);
	} else if (fxt_text_is(&c->name, "fxt_sched.session")) {
		snprintf(g->session + used, sizeof(g->session) - used, "%.*s",
			 (int)c->blob.bytes, (const char *)c->blob.data);
		g->session_count++;
	} else {
		g->sample_blobs += fxt_text_is(&c->name, "fxt_sched.samples");
		g->symbol_blobs += fxt_text_is(&c->name, "fxt_sched.symbols");
	}
}

static inline void gather_record(struct walk *w, struct fxt_reader *r,
				 const struct fxt_record *rec, const struct fxt_content *c)
{
	struct gathered *g = w->arg;

	(void)r;
	g->provider = rec->provider->id;
	if (c->kind == FXT_KIND_INITIALIZATION)
		g->rate = c->ticks_per_second;
	else if (c->kind == FXT_KIND_PROVIDER_INFO)
		g->provider_count++;
	else if (c->kind == FXT_KIND_PROVIDER_EVENT)
		g->provider_events++;
	else if (c->kind == FXT_KIND_KERNEL_OBJECT)
		gather_name(g, c);
	else if (c->kind == FXT_KIND_BLOB)
		gather_blob(g, c);
	else if (c->kind == FXT_KIND_CONTEXT_SWITCH && fxt_is_mark(c->sw.unknown))
		gather_mark(g, c);
	else if (fxt_kind_has_time(c->kind))
		gather_event(g, c);
}

/* Gather everything in an archive. Return: 0 if a strict reader accepts it. */
static inline int gather(struct gathered *g, const char *path)
{
	struct walk w = { .o.strict = true, .each = gather_record, .arg = g };

	memset(g, 0, sizeof(*g));
	g->ret = walk_path(&w, path);
	return g->ret;
}

static inline const struct gathered_name *gathered_name(const struct gathered *g,
							uint8_t type, uint64_t koid)
{
	for (size_t i = g->name_count; i--; )
		if (g->names[i].type == type && g->names[i].koid == koid)
			return &g->names[i];
	return NULL;
}

/* The name of a thread or process; "(none)" if there is none. */
static inline const char *gathered_text(const struct gathered *g, uint8_t type, uint64_t koid)
{
	const struct gathered_name *n = gathered_name(g, type, koid);

	return n ? n->name : "(none)";
}

/* The @n-th ledger of that kind and stream, NULL if there is none. */
static inline const struct fxt_ledger *gathered_ledger(const struct gathered *g, uint32_t kind,
						       uint32_t stream, unsigned int n)
{
	for (size_t i = 0; i < g->ledger_count; i++)
		if (g->ledgers[i].kind == kind && g->ledgers[i].stream == stream && !n--)
			return &g->ledgers[i];
	return NULL;
}

static inline size_t gathered_events(const struct gathered *g, enum fxt_kind kind)
{
	size_t i, n = 0;

	for (i = 0; i < g->event_count; i++)
		n += g->events[i].kind == kind;
	return n;
}

static inline bool gathered_has(const struct gathered *g, enum fxt_kind kind, uint64_t time,
				const char *name)
{
	for (size_t i = 0; i < g->event_count; i++)
		if (g->events[i].kind == kind && g->events[i].time == time &&
		    (!name || !strcmp(g->events[i].name, name)))
			return true;
	return false;
}

/* "TIME(ms) cpu N: WAITING RATE", a line for each counter of a CPU, sorted as text. */
static inline const char *gathered_counters(const struct gathered *g)
{
	static char text[2048];
	size_t i, n = 0;

	text[0] = '\0';
	for (i = 0; i < g->event_count; i++) {
		const struct gathered_event *e = &g->events[i];

		if (e->kind == FXT_KIND_COUNTER && e->other == FXT_SCHED_KOID_LOSS)
			n += snprintf(text + n, sizeof(text) - n, "%g cpu %u: %ju %ju\n",
				      e->time / 1e6, e->cpu, (uintmax_t)e->values[0],
				      (uintmax_t)e->values[1]);
	}
	return text;
}

#define RUN(tool, ...)								\
	tool_run(tool, ARGS(__VA_ARGS__))

#define EXPECT_SOUND(path)							\
	do {									\
		struct tool checked;						\
										\
		EXPECT_EQ(0, RUN(&checked, "check", path)) TH_LOG("%s", checked.out); \
	} while (0)

#endif /* SELFTESTS_VERB_ARCHIVE_H */
