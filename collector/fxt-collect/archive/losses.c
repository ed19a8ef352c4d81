// SPDX-License-Identifier: GPL-2.0-or-later
/* losses.c - see losses.h. */
#include <stdio.h>

#include <fxt/fxt_unknown.h>

#include "libfxt/fxt_strings.h"
#include "libfxt/fxt_writer.h"
#include "losses.h"
#include "streams.h"

static int name_loss_track(struct stitch *st, uint32_t stream)
{
	char name[32];
	int ret = 0;

	if (st->streams[stream].loss_named)
		return 0;
	if (!st->loss_named)
		ret = fxt_writer_process(st->w, FXT_SCHED_KOID_LOSS, FXT_SCHED_PROVIDER_NAME);
	if (ret)
		return ret;
	st->loss_named = true;
	if (stream == FXT_LEDGER_STREAM_NAMES)
		snprintf(name, sizeof(name), "lost names");
	else
		snprintf(name, sizeof(name), "lost on cpu %u", stream);
	st->streams[stream].loss_named = true;
	return fxt_writer_thread(st->w, fxt_sched_loss_koid(stream),
				 FXT_SCHED_KOID_LOSS, FXT_STR_PROCESS, name);
}

/*
 * The thread that ran before the gap may have been switched out at any time since.
 * Readers that ignore losses would show it running until the next switch. So write a
 * switch that ends its run at the last known moment.
 */
static int end_run(struct stitch *st, uint32_t cpu, uint64_t time)
{
	struct edge_owner *has = &st->streams[cpu].edge.has;
	uint32_t thread = has->thread, words;
	__u64 rec[FXT_SCHED_SWITCH_WORDS];
	int32_t weight = has->weight;

	*has = (struct edge_owner){ 0 };
	if (!thread || !time || time < st->streams[cpu].begun)
		return 0;
	words = fxt_sched_put_unknown_switch(rec, time, cpu, thread, 0, weight,
					     FXT_SCHED_WEIGHT_IDLE, FXT_SCHED_STATE_UNKNOWN,
					     FXT_STR_LOST);
	return fxt_writer_put(st->w, rec, words * FXT_WORD);
}

int losses_write(struct stitch *st, uint32_t stream, uint64_t from, uint64_t to, uint64_t lost)
{
	uint64_t records = lost - st->streams[stream].lost;
	uint64_t *worst = stream == FXT_LEDGER_STREAM_NAMES ?
			  &st->totals.worst_names_gap : &st->totals.worst_gap;
	struct fxt_slice slice = {
		.start = from ? from : st->start,
		.end = to,
		.process = FXT_SCHED_KOID_LOSS,
		.thread = fxt_sched_loss_koid(stream),
		.category = FXT_STR_CATEGORY,
		.name = FXT_STR_LOST,
		.arg_name = FXT_STR_RECORDS,
		.arg = records > UINT32_MAX ? UINT32_MAX : records,
	};
	int ret;

	if (!records)
		return 0;
	st->streams[stream].lost = lost;
	st->totals.lost += records;
	if (records > *worst)
		*worst = records;
	ret = name_loss_track(st, stream);
	if (!ret)
		ret = fxt_writer_provider_event(st->w, FXT_SCHED_PROVIDER_ID);
	if (!ret)
		ret = fxt_writer_slice(st->w, &slice);
	return ret ? ret : end_run(st, stream, from);
}
