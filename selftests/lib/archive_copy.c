// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive_copy.h"

int memory_open(struct memory *m)
{
	*m = (struct memory){ .fd = memfd_create("archive", MFD_CLOEXEC) };
	return m->fd < 0 ? -1 : 0;
}

int memory_map(struct memory *m)
{
	struct stat st;

	if (fstat(m->fd, &st) || !st.st_size)
		return -1;
	m->bytes = st.st_size;
	m->data = mmap(NULL, m->bytes, PROT_READ, MAP_PRIVATE, m->fd, 0);
	if (m->data != MAP_FAILED)
		return 0;
	m->data = NULL;
	return -1;
}

struct walk {
	struct fxt_reader *r;
	struct fxt_record rec;
	struct fxt_content c;
};

static int walk_open(struct walk *walk, const struct memory *m)
{
	const struct fxt_reader_options o = { .strict = true };

	return fxt_reader_open_memory(&walk->r, m->data, m->bytes, &o);
}

static int walk_next(struct walk *walk)
{
	int ret = fxt_reader_next(walk->r, &walk->rec);

	if (ret != 1)
		return ret;
	ret = fxt_reader_content(walk->r, &walk->rec, &walk->c);
	return ret && ret != -ENOTSUP ? ret : 1;
}

static bool is_large(const struct fxt_content *c)
{
	return c->kind == FXT_KIND_LARGE_BLOB || c->kind == FXT_KIND_LARGE_BLOB_BARE;
}

/* The same, but skip records that register strings and threads. */
static int walk_next_other(struct walk *walk)
{
	int ret;

	do
		ret = walk_next(walk);
	while (ret == 1 && (walk->c.kind == FXT_KIND_STRING || walk->c.kind == FXT_KIND_THREAD));
	return ret;
}

int copy_writer(struct fxt_writer **w, int fd, unsigned int flags)
{
	int ret = fxt_writer_open(w, fd);

	if (!ret && flags & COPY_SWAPPED)
		ret = fxt_writer_swap(*w);
	if (!ret && flags & COPY_INTERNING)
		ret = fxt_writer_intern(*w);
	return ret;
}

static int copy_record(struct walk *walk, struct fxt_writer *w)
{
	struct fxt_bytes piece;
	int ret = fxt_writer_record(w, &walk->c);

	if (ret || !is_large(&walk->c))
		return ret;
	while ((ret = fxt_reader_payload(walk->r, &piece)) == 1) {
		ret = fxt_writer_payload(w, piece.data, piece.bytes);
		if (ret)
			return ret;
	}
	return ret;
}

int copy_archive(const struct memory *from, struct memory *to, unsigned int flags, char why[256])
{
	struct walk walk = { 0 };
	struct fxt_writer *w = NULL;
	int ret = walk_open(&walk, from), closed;

	if (!ret)
		ret = copy_writer(&w, to->fd, flags);
	while (!ret && (ret = walk_next(&walk)) == 1)
		ret = copy_record(&walk, w);
	snprintf(why, 256, "byte %" PRIu64 ": error %d: %s", walk.rec.offset, ret,
		 walk.r ? fxt_reader_error(walk.r) : "");
	closed = fxt_writer_close(w);
	fxt_reader_close(walk.r);
	if (!ret)
		ret = closed;
	return !ret && memory_map(to) ? -EIO : ret;
}

static bool same_text(const struct fxt_text *a, const struct fxt_text *b)
{
	return a->length == b->length && !memcmp(a->bytes, b->bytes, a->length);
}

static bool same_bytes(const struct fxt_bytes *a, const struct fxt_bytes *b)
{
	return a->bytes == b->bytes && (!a->bytes || !memcmp(a->data, b->data, a->bytes));
}

static bool same_thread(const struct fxt_thread_id *a, const struct fxt_thread_id *b)
{
	return a->process == b->process && a->thread == b->thread;
}

static bool same_arg(const struct fxt_arg *a, const struct fxt_arg *b)
{
	if (a->type != b->type || !same_text(&a->name, &b->name))
		return false;
	switch (a->type) {
	case FXT_ARG_NULL:
		return true;
	case FXT_ARG_STRING:
		return same_text(&a->text, &b->text);
	case FXT_ARG_BLOB:
		return same_bytes(&a->blob, &b->blob);
	}
	/* Compare bit by bit, doubles too: some are NaN. */
	return a->u64 == b->u64;
}

static bool same_args(const struct fxt_content *a, const struct fxt_content *b)
{
	if (a->arg_count != b->arg_count)
		return false;
	for (unsigned int i = 0; i < a->arg_count; i++)
		if (!same_arg(&a->args[i], &b->args[i]))
			return false;
	return true;
}

static bool same_profile(const struct fxt_content *a, const struct fxt_content *b)
{
	if (!same_thread(&a->thread, &b->thread))
		return false;
	switch (a->kind) {
	case FXT_KIND_MODULE:
		return a->module_id == b->module_id && same_text(&a->name, &b->name) &&
		       same_bytes(&a->build_id, &b->build_id);
	case FXT_KIND_MMAP:
		return a->module_id == b->module_id && a->flags == b->flags &&
		       a->start == b->start && a->range == b->range &&
		       a->vaddr == b->vaddr;
	default:
		return a->frame_count == b->frame_count &&
		       !memcmp(a->frames, b->frames, a->frame_count * sizeof(a->frames[0]));
	}
}

static bool same_scheduling(const struct fxt_content *a, const struct fxt_content *b)
{
	switch (a->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
		return a->sw.cpu == b->sw.cpu && a->sw.state == b->sw.state &&
		       a->sw.out == b->sw.out && a->sw.in == b->sw.in &&
		       a->sw.letter == b->sw.letter && same_args(a, b);
	case FXT_KIND_THREAD_WAKEUP:
		return a->wakeup.cpu == b->wakeup.cpu &&
		       a->wakeup.thread == b->wakeup.thread &&
		       a->wakeup.waker == b->wakeup.waker && same_args(a, b);
	default:
		return same_thread(&a->legacy.out, &b->legacy.out) &&
		       same_thread(&a->legacy.in, &b->legacy.in) &&
		       a->legacy.cpu == b->legacy.cpu &&
		       a->legacy.state == b->legacy.state &&
		       a->legacy.out_priority == b->legacy.out_priority &&
		       a->legacy.in_priority == b->legacy.in_priority;
	}
}

static bool same_event(const struct fxt_content *a, const struct fxt_content *b)
{
	if (!same_thread(&a->thread, &b->thread) ||
	    !same_text(&a->category, &b->category) || !same_text(&a->name, &b->name) ||
	    !same_args(a, b))
		return false;
	switch (a->kind) {
	case FXT_KIND_INSTANT:
	case FXT_KIND_DURATION_BEGIN:
	case FXT_KIND_DURATION_END:
		return true;
	case FXT_KIND_DURATION_COMPLETE:
		return a->end == b->end;
	default:
		return a->id == b->id;
	}
}

/* Compare everything except the payload, which the two readers may hold in different pieces. */
static bool same_large_blob(const struct fxt_content *a, const struct fxt_content *b)
{
	if (a->blob.bytes != b->blob.bytes || !same_text(&a->category, &b->category) ||
	    !same_text(&a->name, &b->name))
		return false;
	return a->kind == FXT_KIND_LARGE_BLOB_BARE ||
	       (same_thread(&a->thread, &b->thread) && same_args(a, b));
}

static bool same_content(const struct fxt_content *a, const struct fxt_content *b)
{
	if (a->kind != b->kind || (fxt_kind_has_time(a->kind) && a->time != b->time))
		return false;
	switch (a->kind) {
	case FXT_KIND_MAGIC:
		return true;
	case FXT_KIND_PROVIDER_INFO:
		return a->provider_id == b->provider_id && same_text(&a->name, &b->name);
	case FXT_KIND_PROVIDER_SECTION:
		return a->provider_id == b->provider_id;
	case FXT_KIND_PROVIDER_EVENT:
		return a->provider_id == b->provider_id && a->event == b->event;
	case FXT_KIND_INITIALIZATION:
		return a->ticks_per_second == b->ticks_per_second;
	case FXT_KIND_INSTANT ... FXT_KIND_FLOW_END:
		return same_event(a, b);
	case FXT_KIND_BLOB:
		return a->blob_type == b->blob_type && same_text(&a->name, &b->name) &&
		       same_bytes(&a->blob, &b->blob);
	case FXT_KIND_USERSPACE_OBJECT:
		return a->object == b->object && same_text(&a->name, &b->name) &&
		       a->thread.process == b->thread.process && same_args(a, b);
	case FXT_KIND_KERNEL_OBJECT:
		return a->object == b->object && same_text(&a->name, &b->name) &&
		       a->object_type == b->object_type && same_args(a, b);
	case FXT_KIND_LEGACY_SWITCH ... FXT_KIND_THREAD_WAKEUP:
		return same_scheduling(a, b);
	case FXT_KIND_LOG:
		return same_thread(&a->thread, &b->thread) && same_text(&a->name, &b->name);
	case FXT_KIND_MODULE ... FXT_KIND_BACKTRACE:
		return same_profile(a, b);
	case FXT_KIND_LARGE_BLOB:
	case FXT_KIND_LARGE_BLOB_BARE:
		return same_large_blob(a, b);
	default:
		return false;
	}
}

static uint64_t hash(uint64_t h, const void *data, uint64_t bytes)
{
	const unsigned char *p = data;

	while (bytes--)
		h = (h ^ *p++) * 0x100000001b3;
	return h;
}

/* Return: a hash of the whole payload; 0 if it cannot be read. */
static uint64_t hash_payload(struct walk *walk)
{
	uint64_t h = hash(0xcbf29ce484222325, walk->c.blob.data, walk->c.blob_held);
	uint64_t bytes = walk->c.blob_held;
	struct fxt_bytes piece;
	int ret;

	while ((ret = fxt_reader_payload(walk->r, &piece)) == 1) {
		h = hash(h, piece.data, piece.bytes);
		bytes += piece.bytes;
	}
	return ret || bytes != walk->c.blob.bytes ? 0 : h;
}

static bool same_payload(struct walk *a, struct walk *b)
{
	uint64_t h;

	if (!is_large(&a->c))
		return true;
	h = hash_payload(a);
	return h && h == hash_payload(b);
}

int copy_differs(const struct memory *a, const struct memory *b, char why[256])
{
	struct walk x = { 0 }, y = { 0 };
	int ret = 0, x_ret, y_ret = 0;

	x_ret = walk_open(&x, a);
	if (!x_ret)
		y_ret = walk_open(&y, b);
	while (!x_ret && !y_ret && !ret) {
		x_ret = walk_next_other(&x);
		y_ret = walk_next_other(&y);
		if (x_ret != 1 || y_ret != 1)
			break;
		y_ret = 0;
		x_ret = y_ret;
		if (!same_content(&x.c, &y.c) || !same_payload(&x, &y) ||
		    x.rec.provider->id != y.rec.provider->id)
			ret = -1;
	}
	if (x_ret || y_ret)
		ret = -1;
	snprintf(why, 256, "%s at byte %" PRIu64 " (%d), %s at byte %" PRIu64 " (%d): %.64s %.64s",
		 fxt_kind_name(x.c.kind), x.rec.offset, x_ret,
		 fxt_kind_name(y.c.kind), y.rec.offset, y_ret,
		 x.r ? fxt_reader_error(x.r) : "", y.r ? fxt_reader_error(y.r) : "");
	fxt_reader_close(x.r);
	fxt_reader_close(y.r);
	return ret;
}

static void count_text(struct census *census, const struct fxt_text *text)
{
	if (text->ref & FXT_STRING_REF_INLINE)
		census->inline_strings++;
	else if (text->ref)
		census->indexed_strings++;
	else
		census->empty_strings++;
}

static void count_thread(struct census *census, const struct fxt_thread_id *id)
{
	++*(id->ref ? &census->indexed_threads : &census->inline_threads);
}

static void count_record(struct census *census, const struct fxt_content *c)
{
	census->kinds[c->kind]++;
	census->arg_counts[c->arg_count]++;
	for (unsigned int i = 0; i < c->arg_count; i++) {
		census->args[c->args[i].type]++;
		count_text(census, &c->args[i].name);
		if (c->args[i].type == FXT_ARG_STRING)
			count_text(census, &c->args[i].text);
	}
	switch (c->kind) {
	case FXT_KIND_INSTANT ... FXT_KIND_FLOW_END:
		count_text(census, &c->category);
		count_text(census, &c->name);
		count_thread(census, &c->thread);
		break;
	case FXT_KIND_LOG:
	case FXT_KIND_MODULE ... FXT_KIND_BACKTRACE:
		count_thread(census, &c->thread);
		break;
	case FXT_KIND_BLOB:
	case FXT_KIND_KERNEL_OBJECT:
	case FXT_KIND_USERSPACE_OBJECT:
		count_text(census, &c->name);
		break;
	default:
		break;
	}
}

int census_take(const struct memory *m, struct census *census, char why[256])
{
	struct walk walk = { 0 };
	int ret = walk_open(&walk, m);

	memset(census, 0, sizeof(*census));
	while (!ret && (ret = walk_next(&walk)) == 1) {
		count_record(census, &walk.c);
		ret = 0;
	}
	snprintf(why, 256, "byte %" PRIu64 ": %s", walk.rec.offset,
		 walk.r ? fxt_reader_error(walk.r) : "");
	fxt_reader_close(walk.r);
	return ret;
}
