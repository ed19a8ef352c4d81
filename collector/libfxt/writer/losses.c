// SPDX-License-Identifier: GPL-2.0-or-later
/* losses.c - see losses.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fxt/fxt_mark.h>
#include <fxt/fxt_unknown.h>

#include "libfxt/text.h"
#include "losses.h"

bool fxt_ledger_of(const struct fxt_content *c, struct fxt_ledger *l)
{
	__u64 words[FXT_LEDGER_WORDS] = { FXT_LEDGER_HEADER };

	if (c->name.known != FXT_STR_LEDGER || c->blob.bytes != FXT_LEDGER_BYTES)
		return false;
	memcpy(words + 1, c->blob.data, FXT_LEDGER_BYTES);
	return fxt_sched_get_ledger(words, l);
}

int fxt_ledger_write(struct fxt_writer *w, const struct fxt_progress *p, enum fxt_ledger_kind kind,
		     uint64_t time)
{
	const struct fxt_ledger l = {
		.stream = p->stream,
		.kind = kind,
		.sequence = p->next,
		.time = time,
		.last = p->last,
		.written = p->written,
		.lost = p->lost,
	};
	__u64 words[FXT_LEDGER_WORDS];

	fxt_sched_put_ledger(words, &l);
	return fxt_writer_blob(w, FXT_STR_LEDGER, words + 1, FXT_LEDGER_BYTES);
}

static struct fxt_text text_at(uint16_t index)
{
	struct fxt_text text = fxt_known_text(index);

	text.ref = index;
	return text;
}

/* Write a switch whose arguments have one word each. */
static int write_switch(struct fxt_writer *w, const __u64 *words, __u32 count)
{
	struct fxt_content c = {
		.kind = FXT_KIND_CONTEXT_SWITCH,
		.time = words[1],
		.sw = {
			.out = words[2],
			.in = words[3],
			.cpu = fxt_get(FXT_SWITCH_CPU, words[0]),
			.state = fxt_get(FXT_SWITCH_STATE, words[0]),
		},
	};
	struct fxt_arg *arg = c.args;
	__u32 i;

	for (i = FXT_SWITCH_BASE_WORDS; i < count; i++, arg++) {
		arg->name = text_at(fxt_get(FXT_ARG_NAME, words[i]));
		arg->type = fxt_get(FXT_ARG_TYPE, words[i]);
		if (arg->type == FXT_ARG_STRING)
			arg->text = text_at(fxt_get(FXT_ARG_VALUE_STRING, words[i]));
		else
			arg->i64 = (int32_t)fxt_get(FXT_ARG_VALUE_32, words[i]);
	}
	c.arg_count = arg - c.args;
	return fxt_writer_record(w, &c);
}

int fxt_mark_write(struct fxt_writer *w, uint32_t cpu, uint32_t kind, uint64_t time,
		   const struct fxt_owner *owner)
{
	__u64 words[FXT_SCHED_SWITCH_WORDS];
	__u32 count = fxt_sched_put_mark(words, time, cpu, kind, !!owner->thread, owner->weight);

	/* Koids of other programs need all bits. */
	words[fxt_mark_is_begin(kind) ? 3 : 2] = owner->thread;
	return write_switch(w, words, count);
}

static int name_track(struct fxt_writer *w, uint32_t stream, struct fxt_loss_names *names)
{
	uint64_t bit = 1ULL << stream % 64, *word = &names->streams[stream / 64];
	char name[32];
	int ret = 0;

	if (*word & bit)
		return 0;
	if (!names->has_process)
		ret = fxt_writer_process(w, FXT_SCHED_KOID_LOSS, FXT_SCHED_PROVIDER_NAME);
	names->has_process = true;
	*word |= bit;
	if (stream == FXT_LEDGER_STREAM_NAMES)
		snprintf(name, sizeof(name), "lost names");
	else
		snprintf(name, sizeof(name), "lost on cpu %" PRIu32, stream);
	return ret ? ret : fxt_writer_thread(w, fxt_sched_loss_koid(stream), FXT_SCHED_KOID_LOSS,
					     FXT_STR_PROCESS, name);
}

int fxt_loss_write(struct fxt_writer *w, struct fxt_progress *p, uint64_t records, uint64_t to,
		   struct fxt_loss_names *names)
{
	const struct fxt_owner has = p->has;
	const struct fxt_slice slice = {
		.start = p->last ? p->last : p->begun < to ? p->begun : to,
		.end = to,
		.process = FXT_SCHED_KOID_LOSS,
		.thread = fxt_sched_loss_koid(p->stream),
		.category = FXT_STR_CATEGORY,
		.name = FXT_STR_LOST,
		.arg_name = FXT_STR_RECORDS,
		.arg = records > UINT32_MAX ? UINT32_MAX : records,
	};
	__u64 words[FXT_SCHED_SWITCH_WORDS];
	__u32 count;
	int ret;

	if (!records)
		return 0;
	p->lost += records;
	p->has = (struct fxt_owner){ 0 };
	ret = name_track(w, p->stream, names);
	if (!ret)
		ret = fxt_writer_provider_event(w, p->provider);
	if (!ret)
		ret = fxt_writer_slice(w, &slice);
	/* It is only known from @begun on. */
	if (ret || !has.thread || !p->last || p->last < p->begun)
		return ret;
	count = fxt_sched_put_unknown_switch(words, p->last, p->stream, 0, 0, has.weight,
					     FXT_SCHED_WEIGHT_IDLE, FXT_SCHED_STATE_UNKNOWN,
					     FXT_STR_LOST);
	words[2] = has.thread;
	return write_switch(w, words, count);
}
