// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rewrite.c - see rewrite.h.
 *
 * Must hold: each record keeps its meaning, unless it is counted as changed. Invalid values are
 * replaced by harmless ones: invalid UTF-8 by a question mark, an impossible outgoing state by
 * "new", which readers show as runnable.
 */
#include <byteswap.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_unknown.h>

#include "libfxt/text.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "rewrite.h"

void rewrite_open(struct rewrite *f, struct pack *pack)
{
	f->pack = pack;
	must_fit(fxt_writer_open_sink(&f->w, pack_write, pack));
	if (!f->keeps_refs)
		must_fit(fxt_writer_intern(f->w));
	rewrite_written(f, fxt_writer_magic(f->w));
}

void rewrite_close(struct rewrite *f)
{
	int ret = fxt_writer_close(f->w), packed = pack_close(f->pack);
	unsigned int i;

	f->w = NULL;
	f->pack = NULL;
	if (!f->write_error && ret != -EINVAL)
		f->write_error = ret;
	if (!f->write_error)
		f->write_error = packed;
	for (i = 0; i < REWRITE_TEXTS; i++) {
		free(f->texts[i]);
		f->texts[i] = NULL;
	}
}

void rewrite_written(struct rewrite *f, int ret)
{
	if (ret == -ENOMEM)
		memory_ran_out();
	if (ret == -EINVAL)
		f->refused++;
	else if (!f->write_error)
		f->write_error = ret;
}

int rewrite_status(const struct rewrite *f, const char *archive, const char *output, int status)
{
	if (f->refused)
		message("fxt: %s: %" PRIu64 " records were omitted: they exceed the limits of the "
			"format\n",
			archive, f->refused);
	if (f->changed)
		message("fxt: %s: %" PRIu64 " records were changed to be valid; run fxt check for details\n",
			archive, f->changed);
	if (f->undefined && !f->keeps_refs)
		message("fxt: %s: %" PRIu64 " records of undefined kinds were copied unchanged; indices of strings and threads in them may be invalid\n",
			archive, f->undefined);
	if (f->write_error && status != VERB_UNWRITABLE) {
		message("fxt: cannot write %s: %s\n",
			output ? output : "standard output", strerror(-f->write_error));
		return VERB_UNWRITABLE;
	}
	return status == VERB_DONE && (f->refused || f->changed) ? VERB_DEVIATES : status;
}

/* --- repairs ------------------------------------------------------------------ */

void rewrite_clean(char *to, const struct fxt_text *text)
{
	const unsigned char *s = (const unsigned char *)text->bytes;
	uint32_t i, n;

	for (i = 0; i < text->length; i += n ? n : 1) {
		n = fxt_utf8_length(s + i, text->length - i);
		if (n)
			memcpy(to + i, s + i, n);
		else
			to[i] = '?';
	}
}

static void repair_text(struct rewrite *f, struct fxt_text *text, unsigned int slot)
{
	if (text->known || fxt_utf8_valid(text->bytes, text->length) == text->length)
		return;
	if (!f->texts[slot])
		f->texts[slot] = must(malloc(FXT_MAX_STRING_FIELD));
	rewrite_clean(f->texts[slot], text);
	text->bytes = f->texts[slot];
	f->is_changed = true;
}

static void repair_texts(struct rewrite *f)
{
	struct fxt_content *c = &f->content;
	unsigned int i;

	repair_text(f, &c->category, 0);
	/* Names of kernel objects may contain any bytes. */
	if (c->kind != FXT_KIND_KERNEL_OBJECT)
		repair_text(f, &c->name, 1);
	for (i = 0; i < c->arg_count; i++) {
		repair_text(f, &c->args[i].name, 2 + 2 * i);
		if (c->args[i].type == FXT_ARG_STRING)
			repair_text(f, &c->args[i].text, 3 + 2 * i);
	}
}

static bool has_extra(const struct fxt_content *c)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++)
		if (c->args[i].extra.bytes)
			return true;
	return c->extra.bytes;
}

static void drop_extra(struct rewrite *f)
{
	struct fxt_content *c = &f->content;
	unsigned int i, kept = 0;

	c->extra = (struct fxt_bytes){ 0 };
	for (i = 0; i < c->arg_count; i++) {
		if (c->args[i].extra.bytes && c->args[i].type > FXT_ARG_BLOB)
			continue;
		c->args[i].extra = (struct fxt_bytes){ 0 };
		if (kept != i)
			c->args[kept] = c->args[i];
		kept++;
	}
	c->arg_count = kept;
	f->is_changed = true;
}

/*
 * Keep undefined records, unless they look like other records, follow a payload, or are in the
 * other byte order: they may contain streams.
 */
static int repair_extra(struct rewrite *f, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct fxt_content *c = &f->content;
	struct fxt_record last = *rec;
	bool is_sound = !fxt_reader_swapped(r) && (!c->extra.bytes || c->extra.data);
	int ret = 0;

	if (is_sound) {
		is_sound = fxt_reader_confirm(r, &last);
		ret = fxt_reader_content(r, &last, c);
	}
	if (!ret && !is_sound)
		drop_extra(f);
	return ret;
}

/* Swap a ledger: it consists of words, although the format sees plain bytes. */
static void swap_ledger(struct rewrite *f)
{
	struct fxt_content *c = &f->content;
	size_t i;

	if (c->name.known != FXT_STR_LEDGER || c->blob.bytes != sizeof(f->ledger))
		return;
	memcpy(f->ledger, c->blob.data, sizeof(f->ledger));
	for (i = 0; i < FXT_LEDGER_WORDS - 1; i++)
		f->ledger[i] = bswap_64(f->ledger[i]);
	c->blob.data = f->ledger;
}

/* Return: false if no part of the record can be kept. */
static bool repair_values(struct rewrite *f, struct fxt_reader *r)
{
	struct fxt_content *c = &f->content;

	switch (c->kind) {
	case FXT_KIND_INITIALIZATION:
		return c->ticks_per_second;
	case FXT_KIND_STRING:
	case FXT_KIND_THREAD:
		return c->index;
	case FXT_KIND_BLOB:
		if (fxt_reader_swapped(r))
			swap_ledger(f);
		return true;
	case FXT_KIND_CONTEXT_SWITCH:
		if (c->sw.state > FXT_THREAD_DEAD &&
		    !(c->sw.unknown && c->sw.state == FXT_SCHED_STATE_UNKNOWN))
			c->sw.state = FXT_THREAD_NEW;
		return true;
	case FXT_KIND_LEGACY_SWITCH:
		if (c->legacy.state == FXT_THREAD_RUNNING || c->legacy.state > FXT_THREAD_DEAD)
			c->legacy.state = FXT_THREAD_NEW;
		return true;
	default:
		return true;
	}
}

/* --- large blobs ----------------------------------------------------------------- */

/* Copy the rest of a payload. @bytes: incremented. Return: 0; an error of the reader, or of @to */
static int spool_payload(struct fxt_reader *r, FILE *to, uint64_t *bytes)
{
	struct fxt_bytes piece;
	int ret;

	while ((ret = fxt_reader_payload(r, &piece)) > 0) {
		if (fwrite(piece.data, 1, piece.bytes, to) != piece.bytes)
			return -errno;
		*bytes += piece.bytes;
	}
	return ret;
}

static void write_spooled(struct rewrite *f, FILE *from)
{
	char buffer[1 << 16];
	size_t n;

	rewind(from);
	while (!f->write_error && (n = fread(buffer, 1, sizeof(buffer), from)))
		rewrite_written(f, fxt_writer_payload(f->w, buffer, n));
}

static const void *moved(const void *p, const struct fxt_record *rec, const void *copy)
{
	uintptr_t at = (uintptr_t)p - (uintptr_t)rec->words;

	return at < (uintptr_t)rec->held * FXT_WORD ? (const char *)copy + at : p;
}

/* Reading on invalidates the record, so copy data that points into it. */
static void move_content(struct fxt_content *c, const struct fxt_record *rec, const void *copy)
{
	unsigned int i;

	c->category.bytes = moved(c->category.bytes, rec, copy);
	c->name.bytes = moved(c->name.bytes, rec, copy);
	c->blob.data = moved(c->blob.data, rec, copy);
	for (i = 0; i < c->arg_count; i++) {
		struct fxt_arg *a = &c->args[i];

		a->name.bytes = moved(a->name.bytes, rec, copy);
		a->extra.data = moved(a->extra.data, rec, copy);
		if (a->type == FXT_ARG_STRING)
			a->text.bytes = moved(a->text.bytes, rec, copy);
		else if (a->type == FXT_ARG_BLOB)
			a->blob.data = moved(a->blob.data, rec, copy);
	}
}

/*
 * A record begins with its size, but only its end shows whether the archive has all of it. So the
 * rest of the payload goes to a temporary file first.
 */
static int rewrite_large(struct rewrite *f, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct fxt_content *c = &f->content;
	void *copy = must(malloc((size_t)rec->held * FXT_WORD));
	FILE *rest = tmpfile();
	int ret = rest ? 0 : -errno;

	if (rest) {
		memcpy(copy, rec->words, (size_t)rec->held * FXT_WORD);
		move_content(c, rec, copy);
		c->blob.bytes = c->blob_held;
		ret = spool_payload(r, rest, &c->blob.bytes);
	}
	if (!ret) {
		ret = fxt_writer_record(f->w, c);
		rewrite_written(f, ret);
		if (!ret)
			write_spooled(f, rest);
		ret = rewrite_error(f);
	}
	if (rest)
		fclose(rest);
	free(copy);
	return ret;
}

/* --- the records --------------------------------------------------------------- */

int rewrite_read(struct rewrite *f, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct fxt_content *c = &f->content;
	int ret = fxt_reader_content(r, rec, c);

	if (ret || c->kind == FXT_KIND_MAGIC)
		return ret;
	f->is_changed = fxt_reader_deviates(r);
	if (has_extra(c))
		ret = repair_extra(f, r, rec);
	if (ret || (!f->keeps_refs && (c->kind == FXT_KIND_STRING || c->kind == FXT_KIND_THREAD)))
		return ret;
	repair_texts(f);
	return repair_values(f, r);
}

/* The event types of 2017 lack this number. */
static bool means_another(const struct fxt_reader *r, const struct fxt_record *rec)
{
	return rec->type == FXT_RECORD_EVENT &&
	       fxt_get(FXT_EVENT_TYPE, fxt_record_word(r, rec, 0)) <= FXT_EVENT_FLOW_END;
}

int rewrite_undefined(struct rewrite *f, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct fxt_record last = *rec;
	int ret;

	if (!fxt_reader_confirm(r, &last))
		return 0;
	ret = last.held < last.size || fxt_reader_swapped(r) || means_another(r, &last) ? -EINVAL :
	      fxt_writer_undefined(f->w, last.words, last.size * FXT_WORD);
	f->undefined += !ret;
	rewrite_written(f, ret);
	return rewrite_error(f);
}

static bool is_large(const struct fxt_content *c)
{
	return c->kind == FXT_KIND_LARGE_BLOB || c->kind == FXT_KIND_LARGE_BLOB_BARE;
}

int rewrite_put(struct rewrite *f, struct fxt_reader *r, const struct fxt_record *rec)
{
	f->changed += f->is_changed;
	if (is_large(&f->content) && f->content.blob_held < f->content.blob.bytes)
		return rewrite_large(f, r, rec);
	rewrite_written(f, fxt_writer_record(f->w, &f->content));
	return rewrite_error(f);
}

void rewrite_session(struct rewrite *f, const char *text, size_t bytes)
{
	struct fxt_content blob = {
		.kind = FXT_KIND_BLOB,
		.name = fxt_known_text(FXT_STR_SESSION),
		.blob_type = FXT_BLOB_DATA,
		.blob = { text, bytes },
		.blob_held = bytes,
	};

	rewrite_written(f, fxt_writer_record(f->w, &blob));
}

/* --------------------------------------------------------------------
 * Walks.
 */

size_t rewrite_skip_hot(void *arg, const struct fxt_provider *provider,
			const struct fxt_hot_run *run)
{
	(void)arg;
	(void)provider;
	return run->count;
}

#define WALK_RUN	128	/* records; a run that is refused costs its search */

int rewrite_step(struct archive *a, const struct rewrite_walk *walk,
		 const struct fxt_provider **provider)
{
	struct fxt_hot_run run = { 0 };
	struct fxt_record rec;
	size_t taken = 0;
	int ret;

	if (walk->hot && *provider)
		run = fxt_reader_hot_run(a->r, WALK_RUN);
	if (run.count)
		taken = walk->hot(walk->arg, *provider, &run);
	if (taken)
		fxt_reader_skip_hot(a->r, taken);
	if (taken && taken == run.count)
		return 1;
	ret = fxt_reader_next(a->r, &rec);
	if (ret <= 0)
		return ret;
	*provider = rec.provider;
	ret = walk->record(walk->arg, a->r, &rec);
	return archive_continues(a, ret) ? 1 : ret;
}

int rewrite_walk(struct archive *a, const struct rewrite_walk *walk)
{
	const struct fxt_provider *provider = NULL;
	int ret;

	while ((ret = rewrite_step(a, walk, &provider)) > 0)
		;
	return ret;
}

/* --------------------------------------------------------------------
 * Copying a whole archive.
 */

/* Introduce a provider without a name once, if the archive does not introduce it. */
static void introduce(struct rewrite_copy *c, const struct fxt_record *rec)
{
	struct fxt_content *content = &c->f.content;

	if (content->kind != FXT_KIND_PROVIDER_SECTION || rec->provider->known ||
	    koids_get(&c->introduced, content->provider_id, NULL))
		return;
	content->kind = FXT_KIND_PROVIDER_INFO;
	content->name = (struct fxt_text){ .bytes = "" };
	koids_set(&c->introduced, content->provider_id, 0);
}

int rewrite_copy_record(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct rewrite_copy *c = arg;
	int ret = rewrite_read(&c->f, r, rec);

	if (ret == -ENOTSUP)
		return rewrite_undefined(&c->f, r, rec);
	if (ret <= 0)
		return ret;
	introduce(c, rec);
	return rewrite_put(&c->f, r, rec);
}

size_t rewrite_copy_hot(void *arg, const struct fxt_provider *provider,
			const struct fxt_hot_run *run)
{
	struct rewrite_copy *c = arg;

	(void)provider;
	return fxt_writer_hot(c->f.w, run->words, run->count);
}

void rewrite_copy_close(struct rewrite_copy *c)
{
	rewrite_close(&c->f);
	koids_free(&c->introduced);
}
