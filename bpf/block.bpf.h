/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * block.bpf.h - requests of block devices.
 *
 * In:  requests that are queued, that the driver gets, and that are completed or requeued.
 * Out: records of fxt_sched_block.h in the ring of the CPU.
 *
 * Context: any but NMI, also with locks of queues held.
 */
#ifndef BPF_BLOCK_BPF_H
#define BPF_BLOCK_BPF_H

#include <bpf/bpf_core_read.h>

#include "events.bpf.h"
#include "fxt/fxt_sched_block.h"
#include "kernel_types.h"
#include "label.bpf.h"
#include "nested.bpf.h"

const volatile __u64 block_secret;	/* random; hides addresses */

/* The verifier allows no such calculation with a pointer, so copy it as a number. */
static __always_inline __u64 request_id(struct request *rq)
{
	__u64 address = 0;

	bpf_probe_read_kernel(&address, sizeof(address), &rq);
	return address ^ block_secret;
}

/* The queue of a tape or a host adapter has none. All fields then read as 0. */
static __always_inline struct gendisk *disk_of(struct request *rq)
{
	struct request___old *old = (void *)rq;

	if (bpf_core_field_exists(old->rq_disk))
		return old->rq_disk;
	return rq->q->disk;
}

static __always_inline void label_of_device(struct fxt_sched_label *to, struct request *rq)
{
	struct gendisk *disk = disk_of(rq);
	long bytes;

	__builtin_memset(to, 0, sizeof(*to));
	/* One byte more for the 0 at the end, in the next word, which is not used. */
	bytes = bpf_probe_read_kernel_str(to, FXT_SCHED_DEVICE_BYTES + 1, disk->disk_name);
	fxt_sched_label_finish(to, bytes > 1 ? bytes - 1 : 0);
	label_bound(to, FXT_SCHED_DEVICE_BYTES);
}

static __always_inline int on_queued(struct request *rq)
{
	__u64 ids = bpf_get_current_pid_tgid();
	struct place at;

	ring_find(&at);
	if (is_recording() && keeps_of_any(&at))
		RECORD_EVENT(&at, rec, fxt_sched_put_queued(rec, at.time, ids, ids >> 32,
							    request_id(rq)));
	return 0;
}

static __always_inline int on_issued(struct request *rq)
{
	struct gendisk *disk = disk_of(rq);
	struct fxt_sched_request r = {
		.id = request_id(rq), .sector = rq->__sector,
		.tid = bpf_get_current_pid_tgid(), .bytes = rq->__data_len,
		.operation = fxt_sched_operation(rq->cmd_flags, rq->bio != rq->biotail),
		.device = fxt_sched_device(disk->major, disk->first_minor),
	};
	struct fxt_sched_label device;
	struct place at;

	ring_find(&at);
	if (!is_recording() || !keeps_of_any(&at))
		return 0;
	label_of_device(&device, rq);
	RECORD_EVENT(&at, rec, fxt_sched_put_request(rec, at.time, at.cpu, &r, &device));
	return 0;
}

/* End a request that the driver has had. Others never began. */
static __always_inline int put_completion(struct request *rq, __u32 result)
{
	struct fxt_sched_label device;
	struct place at;

	ring_find(&at);
	if (!is_recording() || !keeps_of_any(&at) || rq->state == MQ_RQ_IDLE)
		return 0;
	label_of_device(&device, rq);
	RECORD_EVENT(&at, rec, fxt_sched_put_completion(rec, at.time, at.cpu, request_id(rq),
							result, &device));
	return 0;
}

/* A driver may complete a request in parts, of @bytes each. */
static __always_inline int on_completed(struct request *rq, __u32 status, __u32 bytes)
{
	return bytes < rq->__data_len ? 0 : put_completion(rq, fxt_sched_status(status));
}

#endif /* BPF_BLOCK_BPF_H */
