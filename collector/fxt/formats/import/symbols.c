// SPDX-License-Identifier: GPL-2.0-or-later
/* symbols.c - the functions of call chains of another tracer. See import.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/fxt_writer.h"
#include "terminal/memory.h"
#include "import.h"

#define NAME_BYTES	TRACE_FUNCTION_BYTES
#define NAMED_KERNEL	0xffff000000000000ULL
#define NAMED_PROGRAM	0x10000ULL
#define BLOB_BYTES	32000U

/*
 * A function. The map finds functions of texts by process and name, others by their start address.
 */
struct symbol {
	struct map_node node;
	uint64_t start;
	uint64_t end;
	uint32_t process;	/* 0: the kernel */
	bool is_named;		/* from a text */
	char name[];
};

/* Make a name printable and not too long. Returns its length. */
static size_t show(const char *name, size_t length, char shown[NAME_BYTES])
{
	size_t i;

	length = length < NAME_BYTES ? length : NAME_BYTES;
	for (i = 0; i < length; i++)
		shown[i] = name[i] >= ' ' && name[i] <= '~' ? name[i] : '?';
	return length;
}

struct place {
	struct map_node node;
	uint64_t frame;
	const struct symbol *symbol;
};

static struct place *find_place(const struct trace_symbols *s, uint64_t frame)
{
	struct place *p;

	return map_find(&s->frames, map_hash(frame, 0), p, p->frame == frame);
}

static void add_place(struct trace_symbols *s, uint64_t frame, const struct symbol *symbol)
{
	struct place *p;

	if (s->frames.count == TRACE_SYMBOLS)
		return;
	must(map_new(&s->frames, map_hash(frame, 0), p));
	p->frame = frame;
	p->symbol = symbol;
}

static struct symbol *add(struct trace_symbols *s, uint64_t hash, const char *name, size_t length)
{
	struct symbol *new;

	if (s->map.count == TRACE_SYMBOLS) {
		s->unnamed++;
		return NULL;
	}
	new = must(calloc(1, sizeof(*new) + length + 1));
	memcpy(new->name, name, length);
	map_put(&s->map, &new->node, hash);
	return new;
}

uint64_t trace_symbol(struct trace_symbols *s, uint32_t process, const char *name, size_t length)
{
	char shown[NAME_BYTES];
	struct symbol *symbol;
	uint64_t hash;
	size_t bytes;

	if (!length)
		return 0;
	bytes = show(name, length, shown);
	hash = map_hash(process, fxt_hash_bytes(shown, bytes));
	if (!map_find(&s->map, hash, symbol, symbol->is_named && symbol->process == process &&
		      !strncmp(symbol->name, shown, bytes) && !symbol->name[bytes])) {
		symbol = add(s, hash, shown, bytes);
		if (!symbol)
			return 0;
		symbol->is_named = true;
		symbol->process = process;
		symbol->start = (process ? NAMED_PROGRAM : NAMED_KERNEL) + s->base +
				s->map.count * TRACE_SYMBOL_BYTES;
		symbol->end = symbol->start + TRACE_SYMBOL_BYTES;
		add_place(s, symbol->start + 1, symbol);
	}
	/* A frame is a return address. */
	return symbol->start + 1;
}

void trace_symbol_at(struct trace_symbols *s, uint64_t start, uint64_t frame, const char *name)
{
	struct symbol *symbol;
	char shown[NAME_BYTES];

	if (find_place(s, frame))
		return;
	if (!map_find(&s->map, start, symbol, !symbol->is_named && symbol->start == start)) {
		symbol = add(s, start, shown, show(name, strlen(name), shown));
		if (!symbol)
			return;
		symbol->start = start;
	}
	/* The end is unknown, but the function includes this frame. */
	symbol->end = frame > symbol->end ? frame : symbol->end;
	add_place(s, frame, symbol);
}

const char *trace_symbol_name(const struct trace_symbols *s, uint64_t frame)
{
	const struct place *p = find_place(s, frame);

	return p ? p->symbol->name : NULL;
}

static size_t put_line(char *to, size_t room, const struct symbol *s)
{
	return s->process ?
	       snprintf(to, room, "u %" PRIu32 " %" PRIx64 " %" PRIx64 " %s\n", s->process, s->start,
			s->end, s->name) :
	       snprintf(to, room, "k %" PRIx64 " %" PRIx64 " %s\n", s->start, s->end, s->name);
}

void trace_symbols_write(struct trace_symbols *s, struct fxt_writer *w)
{
	char *text = s->map.count ? must(malloc(BLOB_BYTES)) : NULL;
	struct symbol *symbol;
	size_t used = 0;

	map_free_all(&s->frames, struct place);
	map_drain(&s->map, symbol) {
		if (used > BLOB_BYTES - NAME_BYTES - 64) {
			fxt_writer_blob(w, FXT_STR_SYMBOLS, text, used);
			used = 0;
		}
		used += put_line(text + used, BLOB_BYTES - used, symbol);
		free(symbol);
	}
	if (used)
		fxt_writer_blob(w, FXT_STR_SYMBOLS, text, used);
	free(text);
}
