/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfetto.h - an archive as a trace of Perfetto: what the files of this folder share.
 *
 * In: records.
 * Out: packets. Switches, wakeups, renames, interrupts of devices, soft interrupts, idle states
 * and frequencies become events of ftrace, which Perfetto draws on its own tracks of CPUs. Samples
 * become samples. Everything else becomes track events, on the same tracks as in the archive;
 * requests of block devices become both. Who ended a wait for a lock has an instant, from which a
 * flow goes to the wait. Packets of Perfetto in the archive are copied.
 */
#ifndef FXT_FORMATS_PERFETTO_PERFETTO_H
#define FXT_FORMATS_PERFETTO_PERFETTO_H

#include "formats/ftrace/ftrace.h"
#include "libfxt/fxt_reader.h"
#include "libperfetto/perfetto.h"
#include "sched/functions.h"
#include "walk/ids.h"
#include "walk/operations.h"
#include "walk/koids.h"
#include "walk/lives.h"
#include "walk/order.h"
#include "liboutput/out.h"

/* --- packets of a trace (packets.c) ------------------------------------------------------ */

/* Up to 32 MiB of events wait, to sort slices of equal times by which contains which. */

/* The head of a trace: a packet of PERFETTO_SEQUENCE_CONVERT (field 10), its first (field 13). */
#define PACKETS_HEAD		"\x0a\x07\x50\xf4\xf0\x99\x03\x68\x01"

/* Ranks of packets of equal times; see walk/order.h. */
#define PACKETS_END	0		/* the end of a slice */
#define PACKETS_OTHER	UINT64_MAX
#define PACKETS_BEGIN(end)	(UINT64_MAX - 1 - (end))	/* of a slice: outer ones first */

struct packets_request {
	uint64_t sector;	/* of begins, like the next two */
	uint32_t bytes;
	uint32_t device;	/* fxt_sched_device(); 0: unknown */
	uint16_t cpu;		/* KERNEL_EVENT_NO_CPU: not a request */
};

struct packets_part {
	enum fxt_kind kind;
	uint64_t process;
	uint64_t id;
	struct packets_request request;
};

/* Initialize with zeros, except for @o, @part and @arg. */
struct packets {
	struct out *o;
	/* Completes and writes a part. Called in the order of time. */
	void (*part)(void *arg, Perfetto__Packet *packet, const struct packets_part *part);
	void *arg;
	struct order held;
	size_t held_bytes;
	uint8_t *bytes;
	size_t room;
};

/* Begin the sequence; Perfetto drops earlier events. */
void packets_begin(struct packets *p);
void packets_put(struct packets *p, Perfetto__Packet *packet);

/*
 * Copy a packet and write it after those of earlier times. @rank: one of PACKETS_; @part: of the
 * packet, to complete it; NULL if it is not a part
 */
void packets_hold(struct packets *p, Perfetto__Packet *packet, uint64_t rank,
		  const struct packets_part *part);
void packets_finish(struct packets *p);
void packets_free(struct packets *p);

/* --- the conversion --- */

#define PERFETTO_FLOWS	(1U << 18)	/* limit of open ones */
#define PERFETTO_CPUS	1024U	/* Perfetto stops loading at ftrace events of other CPUs */

#define PERFETTO_TEXT	(FXT_MAX_STRING_FIELD + 1)

struct perfetto_bundle;

/* Terminated strings of one packet, with room for the longest. */
struct perfetto_texts {
	char category[PERFETTO_TEXT];
	char name[PERFETTO_TEXT];
	size_t used;
	char args[FXT_MAX_ARGS * 2 * PERFETTO_TEXT];
};

/* A frame of stackFrames. All texts are in the memory of @id. */
struct perfetto_frame {
	char *id;
	char *name;	/* of the function, or NULL */
	char *parent;	/* id of the caller's frame, or NULL */
};

/* stackFrames of a trace, sorted by id. */
struct perfetto_frames {
	struct perfetto_frame *list;
	size_t count;
	bool is_complete;	/* no more blobs will follow */
	char *text;
	size_t bytes;
};

/* Functions and stacks of samples that have been written. */
struct perfetto_ran {
	struct fxt_call_stacks stacks;	/* of functions */
	uint32_t written;		/* stacks with smaller ids are in the trace */
	struct map functions;
	struct fxt_call_stack *recorded;	/* room for one */
};

/* Records that packets cannot express; write.c has the names. */
enum left_out {
	LEFT_SESSION, LEFT_BLOB, LEFT_MAPPING, LEFT_STACK, LEFT_OBJECT, LEFT_COUNTER, LEFT_OPERATION,
	LEFT_CPU, LEFT_OTHER, LEFT_OUTS
};

struct perfetto {
	struct ftrace_text *text;	/* of the events of ftrace */
	struct packets packets;
	/* perfetto_wait_end(), for the events of ftrace. */
	void (*wait_end)(struct perfetto *p, const struct ftrace_event *e,
			 const struct ftrace_thread *thread);
	bool has_host;			/* the archive has a packet with the kernel's version */
	struct perfetto_bundle *bundles[PERFETTO_CPUS];	/* waiting events of ftrace, or NULL */
	struct koids tracks;		/* by uuid, those described: begin of the newest slice */
	struct ids flows;		/* open ones */
	struct operations operations;
	struct map requests;		/* of block devices, begun */
	struct packets_request request;	/* of the record */
	bool is_wait;			/* for a lock, which a known thread may have ended */
	struct koids parents;		/* first parent of each process, by koid */
	struct perfetto_frames frames;
	struct sched_symbols symbols;	/* from the first walk */
	bool *has_symbol;		/* by number: the trace has its name */
	struct perfetto_ran ran;
	/*
	 * Threads that had the same id, times in ns. Each has its own tracks; Perfetto assigns a
	 * track to the thread that has the id at the track's first event.
	 */
	struct lives lives;
	bool has_process;		/* a process waits for its main thread: the next three */
	uint64_t process;		/* koid */
	uint64_t process_ns;		/* of its name */
	char process_name[PERFETTO_TEXT];
	uint64_t latest;		/* ns, of the records so far */
	uint64_t left_out[LEFT_OUTS];	/* records that packets cannot express */
	struct fxt_content content;	/* of the record */
	struct perfetto_texts texts;	/* of the packet that is being made */
};

/* --- sched.c ---------------------------------------------------------------------- */

/* Events of ftrace. The sink's @arg is a struct perfetto. */
extern const struct ftrace_sink perfetto_sched;

void perfetto_sched_finish(struct perfetto *p);
void perfetto_bundles_finish(struct perfetto *p);
void perfetto_sched_free(struct perfetto *p);
void perfetto_parent(struct perfetto *p);
void perfetto_name(struct perfetto *p, uint64_t ticks_per_second);
void perfetto_names_finish(struct perfetto *p);

/* Set @p->request. @k: the record's event of the kernel, or NULL */
void perfetto_request_of(struct perfetto *p, const struct kernel_event *k);

/* Write the event of a request, if the part is one. Called in the order of time. */
void perfetto_request(struct perfetto *p, uint64_t ns, const struct packets_part *part);
void perfetto_requests_free(struct perfetto *p);

/* --- tracks.c ---------------------------------------------------------------------- */

/*
 * Write who ended a wait for a lock, if that is known
 * @thread: that waited
 */
void perfetto_wait_end(struct perfetto *p, const struct ftrace_event *e,
		       const struct ftrace_thread *thread);

/* Write an event or log record. @end_ns: of a complete slice */
void perfetto_event(struct perfetto *p, uint64_t ns, uint64_t end_ns);
void perfetto_parts_free(struct perfetto *p);

/* packets.part; @arg is a struct perfetto. */
void perfetto_part(void *arg, Perfetto__Packet *packet, const struct packets_part *part);

/* --- ran.c -------------------------------------------------------------------------- */

/*
 * Write a sample of a thread that ran. @weight: ns; @cpu: PERFETTO_CPUS or more if it is unknown.
 * Returns false if the sample has no stack.
 */
bool perfetto_ran(struct perfetto *p, uint32_t provider, uint64_t ns, uint64_t weight, uint32_t cpu);
void perfetto_ran_free(struct perfetto_ran *r);

/* --- samples.c ---------------------------------------------------------------------- */

void perfetto_frames(struct perfetto *p);
void perfetto_frames_free(struct perfetto_frames *f);

/* Write the sample of an instant of such a trace. Returns false if it has no stack. */
bool perfetto_sample(struct perfetto *p, uint64_t ns);

#endif /* FXT_FORMATS_PERFETTO_PERFETTO_H */
