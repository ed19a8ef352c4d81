/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace of Perfetto in memory: numbers and texts by the numbers of their fields, which the tests
 * write out by hand.
 */
#ifndef SELFTESTS_PERFETTO_FILE_H
#define SELFTESTS_PERFETTO_FILE_H

#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "archive_copy.h"
#include "tool.h"

#define PFILE_BYTES	(64U << 10)
#define PFILE_DEPTH	8

struct pfile {
	size_t bytes;
	unsigned int depth;
	size_t begins[PFILE_DEPTH];
	unsigned char data[PFILE_BYTES];
};

static inline void pfile_varint(struct pfile *p, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		p->data[p->bytes++] = value | 0x80;
	p->data[p->bytes++] = value;
}

static inline void pfile_number(struct pfile *p, uint32_t field, uint64_t value)
{
	pfile_varint(p, field << 3);
	pfile_varint(p, value);
}

static inline void pfile_bytes(struct pfile *p, uint32_t field, const void *data, size_t bytes)
{
	pfile_varint(p, field << 3 | 2);
	pfile_varint(p, bytes);
	memcpy(p->data + p->bytes, data, bytes);
	p->bytes += bytes;
}

static inline void pfile_text(struct pfile *p, uint32_t field, const char *text)
{
	pfile_bytes(p, field, text, strlen(text));
}

/* Begin a message in a field; its length takes four bytes, as Perfetto itself writes it. */
static inline void pfile_begin(struct pfile *p, uint32_t field)
{
	pfile_varint(p, field << 3 | 2);
	p->begins[p->depth++] = p->bytes;
	p->bytes += 4;
}

static inline void pfile_end(struct pfile *p)
{
	size_t begin = p->begins[--p->depth], bytes = p->bytes - begin - 4;

	for (int i = 0; i < 4; i++)
		p->data[begin + i] = (bytes >> 7 * i & 0x7f) | (i < 3 ? 0x80 : 0);
}

/* A packed list of numbers; a negative number ends it. */
static inline void pfile_list(struct pfile *p, uint32_t field, ...)
{
	int64_t value;
	va_list list;

	pfile_begin(p, field);
	va_start(list, field);
	while ((value = va_arg(list, int64_t)) >= 0)
		pfile_varint(p, value);
	va_end(list);
	pfile_end(p);
}
#define PFILE_LIST(p, field, ...)	pfile_list(p, field, __VA_ARGS__, (int64_t)-1)

static inline void pfile_bundle(struct pfile *p, uint32_t cpu)
{
	pfile_begin(p, 1);	/* Trace.packet */
	pfile_begin(p, 1);	/* ftrace_events */
	pfile_number(p, 1, cpu);
}

/* End a bundle or another packet that has one message. */
static inline void pfile_end_packet(struct pfile *p)
{
	pfile_end(p);
	pfile_end(p);
}

/* Begin an event of ftrace; pfile_end_packet() ends it, too. */
static inline void pfile_event(struct pfile *p, uint64_t ns, uint32_t on, uint32_t field)
{
	pfile_begin(p, 2);
	pfile_number(p, 1, ns);
	pfile_number(p, 2, on);
	pfile_begin(p, field);
}

struct pfile_task {
	const char *name;
	uint32_t tid;
};

static inline void pfile_switch(struct pfile *p, uint64_t ns, struct pfile_task from, uint64_t state,
				struct pfile_task to)
{
	pfile_event(p, ns, from.tid, 4);
	pfile_text(p, 1, from.name);
	pfile_number(p, 2, from.tid);
	pfile_number(p, 3, 120);
	pfile_number(p, 4, state);
	pfile_text(p, 5, to.name);
	pfile_number(p, 6, to.tid);
	pfile_number(p, 7, 120);
	pfile_end_packet(p);
}

/* @field: 20 sched_waking, 17 sched_wakeup, 114 sched_wakeup_new */
static inline void pfile_wakeup(struct pfile *p, uint64_t ns, uint32_t on, uint32_t field,
				struct pfile_task task, uint32_t cpu)
{
	pfile_event(p, ns, on, field);
	pfile_text(p, 1, task.name);
	pfile_number(p, 2, task.tid);
	pfile_number(p, 3, 120);
	pfile_number(p, 5, cpu);
	pfile_end_packet(p);
}

static inline int pfile_run(struct tool *t, const char *verb, const char *a, const char *b,
			    const void *data, size_t bytes)
{
	struct memory m;

	if (memory_open(&m) || write(m.fd, data, bytes) != (ssize_t)bytes || memory_map(&m) ||
	    lseek(m.fd, 0, SEEK_SET) < 0)
		return -1;
	return tool_run_from(t, b ? ARGS(verb, a, b, "-") : a ? ARGS(verb, a, "-") : ARGS(verb, "-"),
			     m.fd);
}

#endif /* SELFTESTS_PERFETTO_FILE_H */
