/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_sched_block.h - requests of block devices.
 *
 * In:  facts as a tracepoint sees them.
 * Out: finished event records (type 4), like those of fxt_sched_event.h.
 *
 * There is a record when a request is queued, when the driver gets it, and when the driver
 * completes it or puts it back. All have the same id. Readers pair the records, so producers keep
 * nothing about requests, and each lost record is counted.
 *
 * The id is the address of the kernel's struct request, xor a random number of the recording,
 * because archives must not reveal addresses of the kernel. The kernel reuses the memory for other
 * requests.
 */
#ifndef FXT_FXT_SCHED_BLOCK_H
#define FXT_FXT_SCHED_BLOCK_H

#include "fxt_sched_event.h"

/* Most names of devices are shorter. Others are truncated. */
#define FXT_SCHED_DEVICE_BYTES	16

#define FXT_SCHED_QUEUED_WORDS	(FXT_SCHED_EVENT_HEAD + 2)
#define FXT_SCHED_REQUEST_WORDS	(FXT_SCHED_EVENT_HEAD + FXT_SCHED_DEVICE_BYTES / FXT_WORD + 8)
/* The name is copied as FXT_SCHED_LABEL_WORDS. */
#define FXT_SCHED_COMPLETION_WORDS	(FXT_SCHED_EVENT_HEAD + FXT_SCHED_LABEL_WORDS)

/* The argument "operation": the kernel's enum req_op, and flags. */
#define FXT_BLOCK_OP		FXT_BITS(0, 7)
#define FXT_BLOCK_SYNC		FXT_BITS(8, 8)		/* a thread is likely to wait for it */
#define FXT_BLOCK_META		FXT_BITS(9, 9)		/* metadata of a file system */
#define FXT_BLOCK_FUA		FXT_BITS(10, 10)	/* it must bypass the device's cache */
#define FXT_BLOCK_AHEAD		FXT_BITS(11, 11)	/* nobody has asked for the data yet */
#define FXT_BLOCK_MERGED	FXT_BITS(12, 12)	/* the kernel merged several into one */
#define FXT_BLOCK_OPERATION	0x1fffU			/* the largest value */

/* The kernel's enum req_op. */
#define FXT_LINUX_OP_READ		0
#define FXT_LINUX_OP_WRITE		1
#define FXT_LINUX_OP_FLUSH		2
#define FXT_LINUX_OP_DISCARD		3
#define FXT_LINUX_OP_SECURE_ERASE	5
#define FXT_LINUX_OP_WRITE_ZEROES	9

/* The kernel's enum req_flag_bits. */
#define FXT_LINUX_REQ_SYNC	11
#define FXT_LINUX_REQ_META	12
#define FXT_LINUX_REQ_FUA	17
#define FXT_LINUX_REQ_RAHEAD	19

/* The argument "result": 0, the kernel's blk_status_t, or: it goes back to the queue. */
#define FXT_BLOCK_STATUS	0xffU
#define FXT_BLOCK_REQUEUED	0x100U

#define FXT_LINUX_STS_IOERR	10	/* blk_status_t */

/* The argument "result" of a completed request. @status: a negative errno up to 5.15 */
static __always_inline __u32 fxt_sched_status(int status)
{
	return status < 0 ? FXT_LINUX_STS_IOERR : (__u32)status & FXT_BLOCK_STATUS;
}

#define FXT_LINUX_RQ_IDLE	0	/* enum mq_rq_state: the driver has not got the request */

/* The argument "operation". @cmd_flags: of struct request. @merged: it has several bios */
static __always_inline __u32 fxt_sched_operation(__u32 cmd_flags, int merged)
{
	return fxt_put(FXT_BLOCK_OP, cmd_flags & 0xff) |
	       fxt_put(FXT_BLOCK_SYNC, cmd_flags >> FXT_LINUX_REQ_SYNC & 1) |
	       fxt_put(FXT_BLOCK_META, cmd_flags >> FXT_LINUX_REQ_META & 1) |
	       fxt_put(FXT_BLOCK_FUA, cmd_flags >> FXT_LINUX_REQ_FUA & 1) |
	       fxt_put(FXT_BLOCK_AHEAD, cmd_flags >> FXT_LINUX_REQ_RAHEAD & 1) |
	       fxt_put(FXT_BLOCK_MERGED, !!merged);
}

/* The argument "device": the number of the whole disk, like the low bits of st_rdev. */
static __always_inline __u32 fxt_sched_device(__u32 major, __u32 minor)
{
	return (minor & 0xff) | (major & 0xfff) << 8 | (minor & 0xfff00) << 12;
}

/*
 * A thread has put a request into a queue of the kernel. "Instant": FXT_STR_QUEUED on the thread,
 * with the Uint64 argument "request", the id. Requests that go to the driver at once have no such
 * record. A request that is merged into another one has no other record.
 */
static __always_inline __u32 fxt_sched_put_queued(__u64 *rec, __u64 time, __u32 tid, __u32 tgid,
						  __u64 id)
{
	fxt_sched_put_event_head(rec, fxt_event(FXT_SCHED_QUEUED_WORDS, FXT_EVENT_INSTANT, 1,
						FXT_THREAD_REF_INLINE, FXT_STR_BLOCK,
						FXT_STR_QUEUED), time, tgid, tid);
	rec[4] = fxt_arg_uint64(2, FXT_STR_REQUEST);
	rec[5] = id;
	return FXT_SCHED_QUEUED_WORDS;
}

/* Write what both ends have. Return: where the arguments go. */
static __always_inline __u64 *fxt_sched_put_device(__u64 *rec, __u64 time, __u32 cpu,
						   enum fxt_event_type type, __u32 args,
						   __u32 arg_words,
						   const struct fxt_sched_label *device)
{
	__u32 words = FXT_SCHED_EVENT_HEAD + fxt_stream_words(device->bytes), i;

	fxt_sched_put_event_head(rec, fxt_event(words + arg_words + 1, type, args,
						FXT_THREAD_REF_INLINE, FXT_STR_BLOCK,
						fxt_string_ref_inline(device->bytes)), time,
				 FXT_SCHED_KOID_BLOCK,
				 fxt_sched_cpu_track(FXT_SCHED_KOID_BLOCK, cpu));
	/* Copy all words. The rest of the record overwrites those after the name. */
	for (i = 0; i < FXT_SCHED_LABEL_WORDS; i++)
		rec[FXT_SCHED_EVENT_HEAD + i] = device->words[i];
	return rec + words;
}

/* A request that the driver gets. */
struct fxt_sched_request {
	__u64 id;
	__u64 sector;		/* where it begins, in units of 512 bytes */
	__u32 tid;		/* current thread: who submits it, unless it was queued */
	__u32 bytes;
	__u32 operation;	/* fxt_sched_operation() */
	__u32 device;		/* fxt_sched_device(); 0: the queue has no disk */
};

/*
 * The driver gets a request. "Async begin": the name of the device on "block cpu N", with the koid
 * argument "thread", the Uint32 arguments "bytes" and "operation", the Uint64 argument "sector",
 * and the Uint32 argument "device", which archives of earlier versions lack. @device: name of at
 * most FXT_SCHED_DEVICE_BYTES
 */
static __always_inline __u32 fxt_sched_put_request(__u64 *rec, __u64 time, __u32 cpu,
						   const struct fxt_sched_request *r,
						   const struct fxt_sched_label *device)
{
	__u64 *arg = fxt_sched_put_device(rec, time, cpu, FXT_EVENT_ASYNC_BEGIN, 5, 7, device);

	arg[0] = fxt_arg_koid(2, FXT_STR_THREAD);
	arg[1] = r->tid;
	arg[2] = fxt_arg_uint32(1, FXT_STR_BYTES, r->bytes);
	arg[3] = fxt_arg_uint32(1, FXT_STR_OPERATION, r->operation);
	arg[4] = fxt_arg_uint64(2, FXT_STR_SECTOR);
	arg[5] = r->sector;
	arg[6] = fxt_arg_uint32(1, FXT_STR_DEVICE, r->device);
	arg[7] = r->id;
	return arg + 8 - rec;
}

/*
 * A request is completed, or put back: @result: 0, a blk_status_t, or FXT_BLOCK_REQUEUED. "Async
 * end": the name of the device on "block cpu N", with the Uint32 argument "result".
 */
static __always_inline __u32 fxt_sched_put_completion(__u64 *rec, __u64 time, __u32 cpu, __u64 id,
						      __u32 result,
						      const struct fxt_sched_label *device)
{
	__u64 *arg = fxt_sched_put_device(rec, time, cpu, FXT_EVENT_ASYNC_END, 1, 1, device);

	arg[0] = fxt_arg_uint32(1, FXT_STR_RESULT, result);
	arg[1] = id;
	return arg + 2 - rec;
}

#endif /* FXT_FXT_SCHED_BLOCK_H */
