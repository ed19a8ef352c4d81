/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfetto.h - an archive as a trace of Perfetto: shared by its files.
 *
 * In: records.
 * Out: packets. Switches, wakeups, renames, interrupts of devices, soft interrupts, idle states
 * and frequencies are events of ftrace, which Perfetto draws on its own tracks of CPUs. All
 * other events are track events, on the same tracks as those of the archive, but samples of
 * JSON are samples. Packets that are in the archive, for Perfetto, are copied.
 */
#ifndef FXT_FORMATS_PERFETTO_PERFETTO_H
#define FXT_FORMATS_PERFETTO_PERFETTO_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/ftrace/text.h"
#include "walk/ids.h"
#include "walk/koids.h"
#include "packets.h"

#define PERFETTO_CPUS	1024U	/* at events of ftrace of others, Perfetto ends the load */

#define PERFETTO_TEXT	(FXT_MAX_STRING_FIELD + 1)

struct perfetto_bundle;

/** struct perfetto_texts - strings of one packet, terminated; room for the longest */
struct perfetto_texts {
	char category[PERFETTO_TEXT];
	char name[PERFETTO_TEXT];
	size_t used;
	char args[FXT_MAX_ARGS * 2 * PERFETTO_TEXT];
};

/** struct perfetto_frames - stackFrames of a trace. @table: NULL until it is complete */
struct perfetto_frames {
	struct json_object *table;
	char *text;
	size_t bytes;
};

/** struct perfetto_life - the id @koid has another owner from @ns on */
struct perfetto_life {
	uint64_t koid;
	uint64_t ns;
};

/** struct perfetto_lives - see lives.c. @threads: koids of those so far, in the first walk */
struct perfetto_lives {
	struct koids threads;
	struct perfetto_life *forks;
	size_t count;
	size_t room;
};

/**
 * struct perfetto - one conversion
 * @packets: the trace
 * @error: the first error of a sink, whose functions return none
 * @has_host: a packet of the archive has the version of the kernel
 * @bundles: events of ftrace that wait, by CPU; NULL if there are none
 * @tracks: by uuid, those that were described, and when the newest slice on each has begun
 * @flows, @operations: those that are open
 * @parents: koids of the first parents of processes, by koid
 * @process: koid of the process whose name waits, valid if @has_process; @process_name: the name;
 *	@process_ns: since when
 * @latest: ns, of the records so far
 * @left_out: records that have no form
 * @content: the record
 * @texts: of the packet that is being made
 */
struct perfetto {
	struct ftrace_text *text;	/* of the marks that wait */
	struct packets packets;
	int error;
	bool has_host;
	struct perfetto_bundle *bundles[PERFETTO_CPUS];
	struct koids tracks;
	struct ids flows;
	struct ids operations;
	struct koids parents;
	struct perfetto_frames frames;
	struct perfetto_lives lives;
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

/** perfetto_sched_finish() - write what waits. Return: 0 or -ENOMEM */
int perfetto_sched_finish(struct perfetto *p);

void perfetto_sched_free(struct perfetto *p);

/* --- tracks.c ---------------------------------------------------------------------- */

/**
 * perfetto_event() - write the track event of a record
 * @p: the conversion; its content is an event or log record
 * @ns: its time
 * @end_ns: of a complete slice, when it ends
 *
 * Return: 0 or -ENOMEM
 */
int perfetto_event(struct perfetto *p, uint64_t ns, uint64_t end_ns);

/**
 * perfetto_uuid() - the id of a track, made of two numbers
 *
 * Ids of tracks are in the file, and the same each time: they are no hashes of a table.
 */
uint64_t perfetto_uuid(uint64_t a, uint64_t b);

/**
 * perfetto_operation_track() - describe the track of an asynchronous operation
 * @p: the conversion
 * @process: koid of the process that it is in
 * @ns: its time
 * @uuid: of the track
 * @name: of the track
 *
 * Return: 0 or -ENOMEM
 */
int perfetto_operation_track(struct perfetto *p, uint64_t process, uint64_t ns, uint64_t uuid,
			     char *name);

/* --- parts.c -------------------------------------------------------------------------- */

void perfetto_parts_begin(struct perfetto *p);
void perfetto_parts_free(struct perfetto *p);

/** perfetto_part() - write a part of a flow or operation; see struct packets. @arg: the conversion */
int perfetto_part(void *arg, Perfetto__Packet *packet, const struct packets_part *part);

/* --- lives.c -------------------------------------------------------------------------- */

/** perfetto_lives_note() - note a kernel object, in the first walk. Return: 0 or -ENOMEM */
int perfetto_lives_note(struct perfetto *p, uint64_t ticks_per_second);

/** perfetto_lives_sort() - the first walk is over */
void perfetto_lives_sort(struct perfetto *p);

/** perfetto_life() - how many threads have had the id before the one that has it at @ns? */
uint64_t perfetto_life(const struct perfetto *p, uint64_t koid, uint64_t ns);

void perfetto_lives_free(struct perfetto_lives *l);

/* --- samples.c ---------------------------------------------------------------------- */

/** perfetto_frames() - take a blob of a trace in the Trace Event Format. Return: 0 or -ENOMEM */
int perfetto_frames(struct perfetto *p);

void perfetto_frames_free(struct perfetto_frames *f);

/**
 * perfetto_sample() - write the sample of an instant of such a trace
 * @p: the conversion
 * @ns: its time
 *
 * Return: 1; 0 if it is no sample, or has no stack; -ENOMEM.
 */
int perfetto_sample(struct perfetto *p, uint64_t ns);

/* --- names.c ------------------------------------------------------------------------ */

/** perfetto_parent() - note the parent of a process, in the first walk. Return: 0 or -ENOMEM */
int perfetto_parent(struct perfetto *p);

/** perfetto_name() - write the name of a process or thread. Return: 0 or -ENOMEM */
int perfetto_name(struct perfetto *p, uint64_t ticks_per_second);

/** perfetto_names_finish() - write what waits. Return: 0 or -ENOMEM */
int perfetto_names_finish(struct perfetto *p);

#endif /* FXT_FORMATS_PERFETTO_PERFETTO_H */
