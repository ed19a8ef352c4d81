/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace of Perfetto in memory: numbers and texts by the numbers of their fields, which the tests
 * write out by hand.
 */
#ifndef SELFTESTS_PERFETTO_FILE_H
#define SELFTESTS_PERFETTO_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

/* A packet that consists of bytes in a field. */
static inline void pfile_packet(struct pfile *p, uint32_t field, const void *data, size_t bytes)
{
	pfile_begin(p, 1);
	pfile_bytes(p, field, data, bytes);
	pfile_end(p);
}

struct pfile_text {
	struct pfile *p;
	const char *at;
	const int64_t *args;	/* the next ones of "%" */
};

static inline uint64_t pfile_value(struct pfile_text *t)
{
	uint64_t value;
	char *end;

	t->at += strspn(t->at, " \t\n");
	if (*t->at == '%') {
		t->at++;
		return *t->args++;
	}
	value = strtoull(t->at, &end, 0);
	if (end == t->at) {
		fprintf(stderr, "# no number at \"%s\"\n", t->at);
		abort();
	}
	t->at = end;
	return value;
}

/* The text up to @end. */
static inline void pfile_put_text(struct pfile_text *t, uint32_t field, char end)
{
	size_t bytes = strchr(t->at, end) - t->at;
	const char *text = t->at;

	t->at += bytes + 1;
	if (bytes == 1 && *text == '%') {
		text = (const char *)(intptr_t)*t->args++;
		bytes = strlen(text);
	}
	pfile_bytes(t->p, field, text, bytes);
}

static inline void pfile_switch(struct pfile_text *t)
{
	struct pfile *p = t->p;
	const char *from;
	uint64_t ns = pfile_value(t), tid;

	t->at += strspn(t->at, " ");
	from = t->at;
	t->at = strchr(from, '/') + 1;
	tid = pfile_value(t);
	pfile_begin(p, 2);
	pfile_number(p, 1, ns);
	pfile_number(p, 2, tid);
	pfile_begin(p, 4);
	pfile_bytes(p, 1, from, strcspn(from, "/"));
	pfile_number(p, 2, tid);
	pfile_number(p, 3, 120);
	pfile_number(p, 4, pfile_value(t));
	t->at++;
	pfile_put_text(t, 5, '/');
	pfile_number(p, 6, pfile_value(t));
	pfile_number(p, 7, 120);
	pfile_end(p);
	pfile_end(p);
}

static inline void pfile_field(struct pfile_text *t)
{
	uint32_t field = pfile_value(t);

	switch (*t->at++) {
	case '=':
		pfile_number(t->p, field, pfile_value(t));
		break;
	case '\'':
		pfile_put_text(t, field, '\'');
		break;
	case '{':
		pfile_begin(t->p, field);
		break;
	case '[':
		pfile_begin(t->p, field);
		while (*t->at != ']')
			pfile_varint(t->p, pfile_value(t));
		t->at++;
		pfile_end(t->p);
		break;
	default:
		fprintf(stderr, "# no field at \"%s\"\n", t->at - 1);
		abort();
	}
}

static inline void pfile_tell(struct pfile *p, const char *text, const int64_t *args)
{
	struct pfile_text t = { p, text, args };

	for (; *t.at; t.at += strspn(t.at, " \t\n")) {
		if (*t.at == '}') {
			t.at++;
			pfile_end(p);
		} else if (*t.at == '@') {
			t.at++;
			pfile_switch(&t);
		} else if (!strncmp(t.at, "cpu ", 4)) {
			t.at += 4;
			pfile_begin(p, 1);
			pfile_begin(p, 1);
			pfile_number(p, 1, pfile_value(&t));
			t.at++;
		} else {
			pfile_field(&t);
		}
	}
}

/*
 * Add fields as text. "%" is the next argument; a text is (intptr_t).
 *
 *	5=7			a number
 *	5'text'
 *	5[1 2 3]		a packed list of numbers
 *	5{1=2 3'x'}		a message, which may end in a later call
 *	cpu 0{5=2}}		a packet with a bundle of events of ftrace
 *	@1000 a/50 1>b/51	in a bundle: at 1000 ns, thread 50 leaves in state 1
 */
#define PFILE(p, text, ...)	pfile_tell(p, text, (const int64_t[]){ 0, ##__VA_ARGS__ } + 1)

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
