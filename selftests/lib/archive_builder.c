// SPDX-License-Identifier: GPL-2.0-or-later
#include <byteswap.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "archive_builder.h"

static void *grown(void *array, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return array;
	*room = *room ? 2 * *room : 64;
	array = reallocarray(array, *room, size);
	if (!array) {
		perror("archive_builder");
		exit(EXIT_FAILURE);
	}
	return array;
}

static void add(struct built *b, uint64_t word)
{
	b->words = grown(b->words, b->count, &b->room, sizeof(*b->words));
	b->words[b->count++] = word;
}

void build_words(struct built *b, const uint64_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add(b, b->swapped ? bswap_64(words[i]) : words[i]);
}

void build_stream(struct built *b, const void *data, size_t bytes)
{
	const char *p = data;
	uint64_t word;
	size_t n;

	for (; bytes; p += n, bytes -= n) {
		n = bytes < sizeof(word) ? bytes : sizeof(word);
		word = 0;
		memcpy(&word, p, n);
		add(b, word);
	}
}

void build_free(struct built *b)
{
	free(b->words);
	*b = (struct built){ .swapped = b->swapped };
}

static void keep(void *arg, const struct fxt_deviation *d)
{
	struct walk *w = arg;
	struct told *t;

	if (w->told_count++ >= WALK_TOLD)
		return;
	t = &w->told[w->told_count - 1];
	*t = (struct told){ d->offset, d->record, d->kind, d->lost, d->note, "", "" };
	snprintf(t->field, sizeof(t->field), "%s", d->field);
	snprintf(t->text, sizeof(t->text), "%s", d->text);
}

static void begin(struct walk *w)
{
	w->o.deviation = keep;
	w->o.arg = w;
	w->ret = 0;
	w->told_count = 0;
	w->met_count = 0;
	w->error[0] = '\0';
	w->totals = (struct fxt_reader_totals){ 0 };
}

/* Return: 1, 0 at the end, or the error that ends the walk. */
static int step(struct walk *w, struct fxt_reader *r)
{
	static struct fxt_content c;
	struct fxt_record rec;
	int ret = fxt_reader_next(r, &rec);
	struct met *met;

	if (ret <= 0)
		return ret;
	w->met = grown(w->met, w->met_count, &w->met_room, sizeof(*w->met));
	met = &w->met[w->met_count++];
	*met = (struct met){ rec.offset, rec.number, rec.size, rec.kind, 0 };
	met->content = fxt_reader_content(r, &rec, &c);
	if (!met->content && w->each)
		w->each(w, r, &rec, &c);
	return met->content && met->content != -ENOTSUP && w->o.strict ? met->content : 1;
}

static int finish(struct walk *w, struct fxt_reader *r, int ret)
{
	w->ret = ret;
	if (!r)
		return ret;
	while (!w->ret) {
		ret = step(w, r);
		if (ret <= 0)
			break;
	}
	if (!w->ret)
		w->ret = ret;
	snprintf(w->error, sizeof(w->error), "%s", fxt_reader_error(r));
	snprintf(w->compression, sizeof(w->compression), "%s", fxt_reader_compression(r));
	w->swapped = fxt_reader_swapped(r);
	w->totals = *fxt_reader_totals(r);
	fxt_reader_close(r);
	return w->ret;
}

int walk_memory(struct walk *w, const void *data, size_t bytes)
{
	struct fxt_reader *r;
	int ret;

	begin(w);
	ret = fxt_reader_open_memory(&r, data, bytes, &w->o);
	return finish(w, r, ret);
}

int walk_built(struct walk *w, const struct built *b)
{
	return walk_memory(w, b->words, built_bytes(b));
}

int walk_fd(struct walk *w, int fd)
{
	struct fxt_reader *r;
	int ret;

	begin(w);
	ret = fxt_reader_open_fd(&r, fd, &w->o);
	return finish(w, r, ret);
}

int walk_path(struct walk *w, const char *path)
{
	struct fxt_reader *r;
	int ret;

	begin(w);
	ret = fxt_reader_open(&r, path, &w->o);
	return finish(w, r, ret);
}
