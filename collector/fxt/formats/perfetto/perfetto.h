/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfetto.h - an archive as a trace of Perfetto: what the files of this folder share.
 *
 * In: records.
 * Out: packets. Switches, wakeups, renames, interrupts of devices, soft interrupts, idle states
 * and frequencies become events of ftrace, which Perfetto draws on its own tracks of CPUs. Samples
 * of JSON become samples. All other events become track events, on the same tracks as in the
 * archive. Packets for Perfetto that are in the archive are copied.
 */
#ifndef FXT_FORMATS_PERFETTO_PERFETTO_H
#define FXT_FORMATS_PERFETTO_PERFETTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/ftrace/ftrace.h"
#include "libfxt/fxt_reader.h"
#include "libperfetto/perfetto.h"
#include "walk/ids.h"
#include "walk/koids.h"
#include "walk/lives.h"
#include "liboutput/out.h"

/* --------------------------------------------------------------------
 * Packets of a trace of Perfetto, to a file.
 *
 * In: packets, in any order.
 * Out: the same packets. Up to 32 MiB of events wait for earlier ones, because slices of equal
 * times must be in the order in which they contain one another.
 */

/* How a trace begins: a packet of PERFETTO_SEQUENCE_CONVERT (field 10), its first (field 13). */
#define PACKETS_HEAD		"\x0a\x07\x50\xf4\xf0\x99\x03\x68\x01"

/* The order of packets with equal times. Packets with equal order stay in the order of arrival. */
#define PACKETS_END	0		/* the end of a slice */
#define PACKETS_OTHER	UINT64_MAX
#define PACKETS_BEGIN(end)	(UINT64_MAX - 1 - (end))	/* of a slice: outer ones first */

struct packet_held;

/** struct packets_part - a part of a flow or of an operation, as in the archive */
struct packets_part {
	enum fxt_kind kind;
	uint64_t process;
	uint64_t id;
};

/**
 * struct packets - the trace; initialize with zeros, except for @o, @part and @arg
 * @o: the file
 * @part: completes and writes a part, in the order of time; returns 0 or -ENOMEM
 * @arg: the first argument of @part
 */
struct packets {
	struct out *o;
	int (*part)(void *arg, Perfetto__Packet *packet, const struct packets_part *part);
	void *arg;
	struct packet_held **held;
	size_t held_count;
	size_t held_room;
	size_t held_bytes;
	uint64_t held_number;
	uint8_t *bytes;
	size_t room;
};

/** packets_begin() - begin the sequence; Perfetto drops earlier events. Return: 0 or -ENOMEM */
int packets_begin(struct packets *p);

/** packets_put() - write a packet now. Return: 0 or -ENOMEM */
int packets_put(struct packets *p, Perfetto__Packet *packet);

/**
 * packets_hold() - write packets of one time one after the other, after earlier packets
 * @p: the trace
 * @packets: the packets, which the call copies
 * @count: number of them
 * @ns: their time
 * @order: PACKETS_END, PACKETS_OTHER or PACKETS_BEGIN()
 *
 * Return: 0 or -ENOMEM
 */
int packets_hold(struct packets *p, Perfetto__Packet **packets, size_t count, uint64_t ns,
		 uint64_t order);

/** packets_hold_part() - likewise for one packet that @part completes. Return: 0 or -ENOMEM */
int packets_hold_part(struct packets *p, Perfetto__Packet *packet, uint64_t ns,
		      const struct packets_part *part);

/** packets_finish() - write all waiting packets. Return: 0 or -ENOMEM */
int packets_finish(struct packets *p);

void packets_free(struct packets *p);

/* --- perfetto.h */

#define PERFETTO_CPUS	1024U	/* Perfetto stops loading at ftrace events of other CPUs */

#define PERFETTO_TEXT	(FXT_MAX_STRING_FIELD + 1)

struct perfetto_bundle;

/** struct perfetto_texts - terminated strings of one packet, with room for the longest */
struct perfetto_texts {
	char category[PERFETTO_TEXT];
	char name[PERFETTO_TEXT];
	size_t used;
	char args[FXT_MAX_ARGS * 2 * PERFETTO_TEXT];
};

/**
 * struct perfetto_frame - a frame of stackFrames
 * @id: its id there
 * @name: of the function; NULL without one
 * @parent: id of the frame that called it, or NULL; all three texts are in the memory of @id
 */
struct perfetto_frame {
	char *id;
	char *name;
	char *parent;
};

/** struct perfetto_frames - stackFrames of a trace, sorted by id; @is_complete: no more blobs */
struct perfetto_frames {
	struct perfetto_frame *list;
	size_t count;
	bool is_complete;
	char *text;
	size_t bytes;
};

/**
 * struct perfetto - one conversion
 * @packets: the trace
 * @error: the first error of a sink, whose functions return none
 * @has_host: a packet of the archive has the version of the kernel
 * @bundles: events of ftrace that wait, by CPU; NULL if there are none
 * @tracks: by uuid, tracks that were described, and when the newest slice on each began
 * @flows, @operations: those that are open
 * @parents: koids of the first parents of processes, by koid
 * @process: koid of the process whose name waits, valid if @has_process
 * @process_name: its name; @process_ns: time of the name
 * @latest: ns, of the records so far
 * @lives: threads that had the same id, times in ns. Each has tracks of its own; Perfetto assigns
 *	a track to the thread that has the id at the first event on the track
 * @left_out: records that packets cannot express
 * @content: the record
 * @texts: of the packet that is being made
 */
struct perfetto {
	struct ftrace_text *text;	/* for the marks that wait */
	struct packets packets;
	int error;
	bool has_host;
	struct perfetto_bundle *bundles[PERFETTO_CPUS];
	struct koids tracks;
	struct ids flows;
	struct ids operations;
	struct koids parents;
	struct perfetto_frames frames;
	struct lives lives;
	bool has_process;
	uint64_t process;
	uint64_t process_ns;
	char process_name[PERFETTO_TEXT];
	uint64_t latest;
	uint64_t left_out;
	struct fxt_content content;
	struct perfetto_texts texts;
};

/* --- sched.c ---------------------------------------------------------------------- */

/** perfetto_sched - events of ftrace; the sink's @arg is a struct perfetto */
extern const struct ftrace_sink perfetto_sched;

/** perfetto_sched_finish() - write the marks and bundles that wait. Return: 0 or -ENOMEM */
int perfetto_sched_finish(struct perfetto *p);

void perfetto_sched_free(struct perfetto *p);

/* --- tracks.c ---------------------------------------------------------------------- */

/**
 * perfetto_event() - write the track event of a record
 * @p: the conversion; its content is an event or log record
 * @ns: its time
 * @end_ns: the end of a complete slice
 *
 * Return: 0 or -ENOMEM
 */
int perfetto_event(struct perfetto *p, uint64_t ns, uint64_t end_ns);

/* --- tracks.c: parts of flows and operations ------------------------------- */

void perfetto_parts_begin(struct perfetto *p);
void perfetto_parts_free(struct perfetto *p);

/** perfetto_part() - write a part of a flow or operation; see struct packets. @arg: the conversion */
int perfetto_part(void *arg, Perfetto__Packet *packet, const struct packets_part *part);

/* --- samples.c ---------------------------------------------------------------------- */

/** perfetto_frames() - take a blob of a trace in the Trace Event Format. Return: 0 or -ENOMEM */
int perfetto_frames(struct perfetto *p);

void perfetto_frames_free(struct perfetto_frames *f);

/**
 * perfetto_sample() - write the sample of an instant of such a trace
 * @p: the conversion
 * @ns: its time
 *
 * Return: 1; 0 if it is not a sample, or has no stack; -ENOMEM.
 */
int perfetto_sample(struct perfetto *p, uint64_t ns);

/* --- sched.c: processes and threads ---------------------------------------- */

/** perfetto_parent() - note the parent of a process, in the first walk. Return: 0 or -ENOMEM */
int perfetto_parent(struct perfetto *p);

/** perfetto_name() - write the name of a process or thread. Return: 0 or -ENOMEM */
int perfetto_name(struct perfetto *p, uint64_t ticks_per_second);

/** perfetto_names_finish() - write the name that waits. Return: 0 or -ENOMEM */
int perfetto_names_finish(struct perfetto *p);

#endif /* FXT_FORMATS_PERFETTO_PERFETTO_H */
