// SPDX-License-Identifier: GPL-2.0-only
/*
 * block.c - requests of block devices.
 *
 * In:  requests that are queued, that the driver gets, and that are completed or requeued.
 * Out: records of fxt_sched_block.h in the stream of the CPU.
 *
 * Context: any but NMI, also with locks of queues held.
 */
#include <linux/build_bug.h>
#include <linux/blk-mq.h>
#include <linux/blk_types.h>
#include <linux/blkdev.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <trace/events/block.h>

#include <fxt/fxt_sched_block.h>

#include "compat.h"
#include "event.h"
#include "label.h"
#include "probes.h"

/* Without these tracepoints the module does not offer the group. */
#if FXT_REQUEST_EVENTS

static_assert(FXT_LINUX_OP_READ == REQ_OP_READ);
static_assert(FXT_LINUX_OP_WRITE == REQ_OP_WRITE);
static_assert(FXT_LINUX_OP_FLUSH == REQ_OP_FLUSH);
static_assert(FXT_LINUX_OP_DISCARD == REQ_OP_DISCARD);
static_assert(FXT_LINUX_OP_SECURE_ERASE == REQ_OP_SECURE_ERASE);
static_assert(FXT_LINUX_OP_WRITE_ZEROES == REQ_OP_WRITE_ZEROES);
static_assert(FXT_LINUX_REQ_SYNC == __REQ_SYNC);
static_assert(FXT_LINUX_REQ_META == __REQ_META);
static_assert(FXT_LINUX_REQ_FUA == __REQ_FUA);
static_assert(FXT_LINUX_REQ_RAHEAD == __REQ_RAHEAD);
static_assert(FXT_LINUX_RQ_IDLE == MQ_RQ_IDLE);

static u64 fxt_request_id(const struct fxt_session *ss, const struct request *rq)
{
	return (unsigned long)rq ^ ss->secret;
}

/* The queue of a tape or a host adapter has no disk, so no name. */
static void fxt_label_device(struct fxt_sched_label *label, const struct request *rq)
{
	const struct gendisk *disk = FXT_RQ_DISK(rq);

	memset(label, 0, sizeof(*label));
	if (disk)
		strscpy((char *)label->words, disk->disk_name, FXT_SCHED_DEVICE_BYTES + 1);
	fxt_sched_label_finish(label, strlen((char *)label->words));
}

static u32 fxt_device_number(const struct gendisk *disk)
{
	return disk ? fxt_sched_device(disk->major, disk->first_minor) : 0;
}

static void fxt_probe_queued(void *data, struct request *rq)
{
	struct fxt_event e;

	if (fxt_event_begin_of_any(data, &e, FXT_SCHED_QUEUED_WORDS))
		fxt_event_end(&e, fxt_sched_put_queued(e.rec, e.time, current->pid, current->tgid,
						       fxt_request_id(data, rq)));
}

static void fxt_probe_issue(void *data, struct request *rq)
{
	struct fxt_sched_request r = {
		.id = fxt_request_id(data, rq), .sector = blk_rq_pos(rq), .tid = current->pid,
		.bytes = blk_rq_bytes(rq), .device = fxt_device_number(FXT_RQ_DISK(rq)),
		.operation = fxt_sched_operation((__force u32)rq->cmd_flags,
						 rq->bio != rq->biotail),
	};
	struct fxt_sched_label device;
	struct fxt_event e;

	if (!fxt_event_begin_of_any(data, &e, FXT_SCHED_REQUEST_WORDS))
		return;
	fxt_label_device(&device, rq);
	fxt_event_end(&e, fxt_sched_put_request(e.rec, e.time, e.s->id, &r, &device));
}

/* End a request that the driver has had. Others never began. */
static void fxt_put_completion(struct fxt_session *ss, struct request *rq, u32 result)
{
	struct fxt_sched_label device;
	struct fxt_event e;

	if (!blk_mq_request_started(rq) ||
	    !fxt_event_begin_of_any(ss, &e, FXT_SCHED_COMPLETION_WORDS))
		return;
	fxt_label_device(&device, rq);
	fxt_event_end(&e, fxt_sched_put_completion(e.rec, e.time, e.s->id, fxt_request_id(ss, rq),
						   result, &device));
}

/* A driver may complete a request in parts, of @bytes each. */
static void FXT_PROBE_COMPLETE(fxt_probe_complete)
{
	if (bytes >= blk_rq_bytes(rq))
		fxt_put_completion(data, rq, fxt_sched_status((__force int)status));
}

static void fxt_probe_requeue(void *data, struct request *rq)
{
	fxt_put_completion(data, rq, FXT_BLOCK_REQUEUED);
}

#define FXT_BLOCK_PROBE	FXT_PROBE
#else
#define FXT_BLOCK_PROBE(name, func)	FXT_UNCHECKED_PROBE(name(struct request *), NULL)
#endif

static struct fxt_probe fxt_block_probes[] = {
	FXT_BLOCK_PROBE(block_rq_complete, fxt_probe_complete),
	FXT_BLOCK_PROBE(block_rq_requeue, fxt_probe_requeue),
	FXT_BLOCK_PROBE(block_rq_issue, fxt_probe_issue),
	FXT_BLOCK_PROBE(block_rq_insert, fxt_probe_queued),
};

const struct fxt_group fxt_block_group = FXT_GROUP(FXT_SCHED_EVENTS_BLOCK, fxt_block_probes);
