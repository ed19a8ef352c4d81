// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer target: the reader; the last bytes select how to read. Offsets only grow, records lie
 * within the bytes read, everything that the content points to is readable, and the fast paths for
 * switches and wakeups return the same as the general one.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/fxt_reader.h"

static unsigned int sum;

static void touch(const void *data, uint64_t bytes)
{
	const unsigned char *p = data;

	while (bytes--)
		sum += p[bytes];
}

static void touch_content(const struct fxt_content *c)
{
	touch(c->category.bytes, c->category.length);
	touch(c->name.bytes, c->name.length);
	for (unsigned int i = 0; i < c->arg_count; i++) {
		touch(c->args[i].name.bytes, c->args[i].name.length);
		if (c->args[i].type == FXT_ARG_STRING)
			touch(c->args[i].text.bytes, c->args[i].text.length);
		if (c->args[i].type == FXT_ARG_BLOB)
			touch(c->args[i].blob.data, c->args[i].blob.bytes);
	}
	switch (c->kind) {
	case FXT_KIND_BLOB:
	case FXT_KIND_LARGE_BLOB:
	case FXT_KIND_LARGE_BLOB_BARE:
		touch(c->blob.data, c->blob_held);
		break;
	case FXT_KIND_MODULE:
		touch(c->build_id.data, c->build_id.bytes);
		break;
	case FXT_KIND_BACKTRACE:
		for (unsigned int i = 0; i < c->frame_count; i++)
			sum += c->frames[i];
		break;
	default:
		break;
	}
}

static void judge_switch(struct fxt_reader *r, const struct fxt_record *rec,
			 const struct fxt_content *c)
{
	struct fxt_switch sw;

	assert(!fxt_reader_switch(r, rec, &sw));
	assert(sw.time == c->sw.time && sw.out == c->sw.out && sw.in == c->sw.in);
	assert(sw.cpu == c->sw.cpu && sw.state == c->sw.state && sw.letter == c->sw.letter);
	assert(sw.has_out_weight == c->sw.has_out_weight && sw.out_weight == c->sw.out_weight);
	assert(sw.has_in_weight == c->sw.has_in_weight && sw.in_weight == c->sw.in_weight);
	assert(sw.bad_weight == c->sw.bad_weight);
}

static void judge_wakeup(struct fxt_reader *r, const struct fxt_record *rec,
			 const struct fxt_content *c)
{
	struct fxt_wakeup w;

	assert(!fxt_reader_wakeup(r, rec, &w));
	assert(w.time == c->wakeup.time && w.thread == c->wakeup.thread);
	assert(w.cpu == c->wakeup.cpu);
	assert(w.has_waker == c->wakeup.has_waker && w.waker == c->wakeup.waker);
	assert(w.has_weight == c->wakeup.has_weight && w.weight == c->wakeup.weight);
	assert(w.bad_weight == c->wakeup.bad_weight && w.bad_waker == c->wakeup.bad_waker);
}

static void judge_usual_switch(const struct fxt_hot *u, const struct fxt_content *c)
{
	const struct fxt_switch *sw = &c->sw;

	assert(!u->is_wakeup && u->state == sw->state && u->cpu == sw->cpu);
	assert(u->time == sw->time && u->thread == sw->out && u->other == sw->in);
	assert(sw->has_in_weight && u->weight == sw->in_weight);
	assert(sw->has_out_weight && u->out_weight == sw->out_weight);
	assert(!sw->bad_weight && !sw->letter);
}

static void judge_usual_wakeup(const struct fxt_hot *u, const struct fxt_content *c)
{
	const struct fxt_wakeup *w = &c->wakeup;

	assert(u->is_wakeup == 1 && !u->state && u->cpu == w->cpu);
	assert(u->time == w->time && u->thread == w->thread);
	assert(w->has_waker && u->other == w->waker);
	assert(w->has_weight && u->weight == w->weight);
	assert(!w->bad_weight && !w->bad_waker);
}

/* A record that took the fast path is valid, counts time in ns, and has no other field. */
static void judge_usual(struct fxt_reader *r, const struct fxt_hot *u,
			const struct fxt_record *rec, struct fxt_content *c)
{
	uint64_t deviations = fxt_reader_totals(r)->deviations;

	assert(rec->offset == u->offset && rec->provider->ticks_per_second == 1000000000);
	assert(rec->type == FXT_RECORD_SCHEDULING && rec->held == rec->size);
	assert(fxt_reader_totals(r)->bytes == rec->offset + rec->size * FXT_WORD);
	assert(fxt_reader_totals(r)->records == rec->number + 1);
	assert(!fxt_reader_content(r, rec, c) && c->arg_count == 2);
	assert(fxt_reader_totals(r)->deviations == deviations);
	if (rec->kind == FXT_KIND_THREAD_WAKEUP) {
		judge_usual_wakeup(u, c);
	} else {
		assert(rec->kind == FXT_KIND_CONTEXT_SWITCH);
		judge_usual_switch(u, c);
	}
}

/* Take the fast path where it is open; check that what it returns is correct. */
static int next(struct fxt_reader *r, struct fxt_record *rec, struct fxt_content *c)
{
	struct fxt_hot_run run = fxt_reader_hot_run(r, 1);
	struct fxt_hot u;

	if (!run.count)
		return fxt_reader_next(r, rec);
	u = fxt_hot_get(run.words, run.offset, fxt_hot_is_wakeup(run.words));
	fxt_reader_skip_hot(r, 1);
	fxt_reader_hot_record(r, rec);
	judge_usual(r, &u, rec, c);
	return 1;
}

static void judge(struct fxt_reader *r, const struct fxt_record *rec, struct fxt_content *c)
{
	struct fxt_bytes piece;

	if (fxt_reader_content(r, rec, c))
		return;
	touch_content(c);
	if (rec->kind == FXT_KIND_CONTEXT_SWITCH)
		judge_switch(r, rec, c);
	if (rec->kind == FXT_KIND_THREAD_WAKEUP)
		judge_wakeup(r, rec, c);
	while (fxt_reader_payload(r, &piece) > 0)
		touch(piece.data, piece.bytes);
}

/*
 * Read as a user who mostly needs switches and wakeups: asking for the content closes the
 * fast path to the next record.
 */
static void judge_quickly(struct fxt_reader *r, const struct fxt_record *rec, struct fxt_content *c)
{
	struct fxt_wakeup w;
	struct fxt_switch sw;

	if (rec->kind == FXT_KIND_CONTEXT_SWITCH)
		fxt_reader_switch(r, rec, &sw);
	else if (rec->kind == FXT_KIND_THREAD_WAKEUP)
		fxt_reader_wakeup(r, rec, &w);
	else
		judge(r, rec, c);
}

static void deviates(void *arg, const struct fxt_deviation *d)
{
	(void)arg;
	assert(strstr(d->text, "byte ") == d->text && strlen(d->text) < 256);
	assert(*fxt_deviation_name(d->kind) != '?');
}

/* Read as info does: switches and wakeups, in runs or one by one. */
static struct fxt_reader_totals read_all(const uint8_t *data, size_t bytes,
					 const struct fxt_reader_options *o, bool in_runs)
{
	struct fxt_reader_totals totals = { 0 };
	static struct fxt_content content;
	struct fxt_sched_run run;
	struct fxt_record rec;
	struct fxt_reader *r;
	int ret = fxt_reader_open_memory(&r, data, bytes, o);

	while (!ret) {
		while (in_runs && (run = fxt_reader_sched_run(r, 64)).count)
			fxt_reader_skip(r, run.count, run.end - run.words);
		if (fxt_reader_next(r, &rec) <= 0)
			break;
		judge_quickly(r, &rec, &content);
	}
	if (r)
		totals = *fxt_reader_totals(r);
	fxt_reader_close(r);
	return totals;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	unsigned int how = bytes ? data[bytes - 1] : 0;
	struct fxt_reader_options o = {
		.strict = how & 1,
		.format_2017 = how & 2,
		.max_table_bytes = how & 4 ? 64 << 10 : 0,
		.deviation = how & 8 ? NULL : deviates,
	};
	static struct fxt_content content;
	uint64_t end = 0, records = 0;
	struct fxt_record rec;
	struct fxt_reader *r;

	if (!fxt_reader_open_memory(&r, data, bytes, &o)) {
		while (next(r, &rec, &content) > 0) {
			/* After damage a record may begin within a skipped one. */
			assert(rec.offset >= end || fxt_reader_totals(r)->skipped);
			assert(rec.size >= 1 && rec.held <= rec.size);
			assert(rec.kind < FXT_KIND_COUNT && rec.number >= records);
			records = rec.number;
			end = rec.offset + FXT_WORD;
			if (how & 16)
				judge_quickly(r, &rec, &content);
			else
				judge(r, &rec, &content);
		}
	}
	fxt_reader_close(r);
	if (how & 32) {
		const struct fxt_reader_totals runs = read_all(data, bytes, &o, true);
		const struct fxt_reader_totals single = read_all(data, bytes, &o, false);

		assert(!memcmp(&runs, &single, sizeof(runs)));
	}
	return 0;
}
