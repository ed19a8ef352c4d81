/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.h - an archive as "Trace Event Format": what the files of this folder share.
 *
 * In: records.
 * Out: events of the array "traceEvents", one per line. Events of threads are in the order
 * of time, which the format requires of slices that begin and end; for that, JSON_HELD_BYTES
 * of them wait. All others, and those from the model of the scheduler, are written as they
 * become known. Besides that, memory grows only with the number of threads: all other tables
 * are bounded.
 */
#ifndef FXT_FORMATS_JSON_JSON_H
#define FXT_FORMATS_JSON_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libfxt/map.h"
#include "libfxt/objects.h"
#include "sched/symbols.h"
#include "formats/ftrace/ftrace.h"
#include "walk/order.h"
#include "liboutput/out.h"
#include "sched/model.h"
#include "walk/ids.h"
#include "walk/koids.h"
#include "formats/json/scan.h"

/*
 * The process that has the tracks of CPUs, and the first of its threads, one for each CPU. The ids
 * differ from those of Linux and of the tracks of losses (fxt_sched.h), and fit the 32 bits that
 * readers have for them.
 */
#define JSON_CPUS_PID	0x7ff00000ULL
#define JSON_CPU_TID	(JSON_CPUS_PID + 1)

/*
 * Slices of one track must nest. A thread's own slices and its states do not nest, so states
 * have a separate track. In archives of our own producers, threads have no slices except work
 * items and system calls; there these have the separate track.
 */
#define JSON_STATES_TID	0x80000000ULL	/* added to the koid */

/*
 * Linux reuses ids, and the format identifies tracks by them. Of successive threads with one
 * id, all but the first get an id from here on: beyond those of Linux, and below the ids above. A
 * process has the id of its main thread.
 */
#define JSON_LATER_TID	0x40000000ULL	/* plus the model's number of the thread */

/* Limit in bytes for all objects; also for all flows, and for all frames of stacks. */
#define JSON_TABLE_BYTES	(16U << 20)

/* Limit in bytes for events that wait for earlier ones. */
#define JSON_HELD_BYTES	(32U << 20)

#define JSON_KEY_BYTES	(FXT_MAX_STRING_FIELD + 16)

/** struct json_place - the track that an event belongs to */
struct json_place {
	uint64_t pid;
	uint64_t tid;
};

/* Bytes that json_open_at() writes at most. */
#define JSON_OPEN_BYTES	(sizeof(",\n{\"ph\":\"X\",\"pid\":,\"tid\":,\"ts\":") + 2 * OUT_NUMBER)

/** struct json_thread - a thread, by the model's number */
struct json_thread {
	bool waiting;		/* it was woken and has not run since */
	uint64_t woken;		/* ns, when, by what ran on this track: */
	struct json_place waker;
};

struct json_frame;
struct json_waiting_member;

/** struct json_part - text of a blob that comes in parts */
struct json_part {
	char *name;
	char *text;
	size_t bytes;
	size_t room;
};

_Static_assert(FXT_MAX_ARGS <= 16, "a bit of struct json's refs for each argument");

/** struct json - one conversion */
struct json {
	struct out *o;
	struct sched_model *m;		/* NULL if scheduling does not become events, but */
	struct ftrace *f;		/* ftrace text; else NULL */
	bool ours;			/* the archive is one of our own producers */
	uint64_t latest;		/* ns, of the latest record so far */
	uint64_t arrows;		/* from wakers to woken threads so far */
	uint64_t dropped;		/* counter arguments that are not numbers */
	uint64_t written;		/* events so far */
	struct json_thread *threads;	/* by the model's numbers */
	size_t thread_room;
	struct fxt_objects objects;	/* described so far, except processes and threads */
	struct sched_symbols symbols;	/* the functions of frames */
	uint32_t provider;		/* id of the provider of @content */
	uint64_t stack_process;		/* koid of the process of a stack of @content */
	uint64_t switch_ns;		/* of the latest switch in the file, to the thread */
	uint64_t switched_in;		/* of this koid */
	uint16_t refs;			/* a bit for each argument of @content that is an object */
	bool restores;			/* @content was an event of this format */
	struct json_part part;		/* the blob that waits for its next part */
	struct json_waiting_member *members;	/* of the trace's object beside its events */
	size_t member_bytes;		/* of all */
	struct json_element parsed;	/* a text that is JSON */
	struct json_element rest;	/* arguments that did not fit the record */
	struct json_text line;		/* JSON that is written next */
	struct ids flows;		/* open ones */
	size_t flow_bytes;		/* memory of their names */
	struct map operations;		/* ids of operations, with their categories */
	size_t operation_bytes;
	struct map frame_map;		/* finds the @frames of stacks */
	struct json_frame **frames;
	size_t frame_count;
	bool synced;			/* the clock's relation to others has been written */
	struct order held;		/* events that wait for earlier ones, */
	size_t held_bytes;		/* and their memory */
	uint64_t held_until;		/* ns, of the latest event written */
	uint64_t late;			/* events that came after later ones had been written */
	uint8_t cpu_named[(1 << 16) / 8];	/* a bit for each CPU whose track has a name */
	struct koids moved_named;	/* threads whose track of system calls or work has a name */
	struct fxt_content content;
	char key[JSON_KEY_BYTES];	/* an argument's name, made unique */
};

/* --- emit.c: the beginning and the end of each event, arguments, names of tracks ----- */

/**
 * json_open() - begin an event of @phase on the track of @place, at @ns
 *
 * The caller adds fields, each with a comma before it, and then json_end().
 */
void json_open(struct json *j, char phase, const struct json_place *place, uint64_t ns);

/** json_open_at() - likewise up to the value of "ts", in JSON_OPEN_BYTES at @p. Return: its end */
char *json_open_at(struct json *j, char *p, char phase, const struct json_place *place);

/** json_open_metadata() - begin an event of phase M, which has no time */
void json_open_metadata(struct json *j, const struct json_place *place, const char *name);

/** json_next() - write what separates the next event from the one before */
void json_next(struct json *j);

/** json_phase() - the phase of an event's record; 0: it is not an event */
char json_phase(enum fxt_kind kind);

void json_end(struct json *j);

/** json_name() - add "cat" and "name" */
void json_name(struct json *j, const struct fxt_text *category, const struct fxt_text *name);

/** json_hex() - write a string that is a hexadecimal number */
void json_hex(struct out *o, uint64_t value);

/** json_id() - add "id", as a string, as the format requires */
void json_id(struct json *j, uint64_t id);

/**
 * json_args() - write arguments as a JSON object, braces included
 *
 * They may have equal names; the keys of the object differ. @numbers_only: omit and count others.
 */
void json_args(struct json *j, const struct fxt_content *c, bool numbers_only);

/** json_arg_key() - write the key of argument @at, and a colon */
void json_arg_key(struct json *j, const struct fxt_content *c, unsigned int at);

/** json_arg_value() - write the value of an argument */
void json_arg_value(struct out *o, const struct fxt_arg *a);

/* --- restore.c: events that were read from this format ---------------- */

/** json_restore() - write the event that became @content, at @ns, until @end_ns */
void json_restore(struct json *j, uint64_t ns, uint64_t end_ns);

/** json_restore_name() - write the metadata event that became a kernel object */
void json_restore_name(struct json *j);

/**
 * json_member() - restore the blob in @content: metadata is written, a member waits for the end
 *
 * A blob that is not JSON, and members beyond JSON_TABLE_BYTES, are written as other blobs are.
 */
void json_member(struct json *j);

/** json_members_finish() - restore the blob whose last part was read */
void json_members_finish(struct json *j);

/** json_has_member() - does a member of this name wait? */
bool json_has_member(const struct json *j, const char *name);

/** json_members_write() - write the waiting members, after the events */
void json_members_write(struct json *j);

void json_members_free(struct json *j);

/* --- flows.c ----------------------------------------------------- */

void json_flows_begin(struct json *j);

/** json_flow_part() - write names and id of a part of a flow or operation */
void json_flow_part(struct json *j);

void json_flows_free(struct json *j);

/* --- frames.c ------------------------------------------------------ */

/** json_stack() - add the stack of a backtrace */
void json_stack(struct json *j);

/** json_frames_write() - write the dictionary of all frames, if there is any */
void json_frames_write(struct json *j);

void json_frames_free(struct json *j);

/* --- emit.c: names of tracks ------------------------------------------ */

/** json_state_place() - the track of a thread's states */
static inline struct json_place json_state_place(const struct json *j,
						 uint64_t process, uint64_t koid)
{
	bool apart = !j->ours && koid < JSON_STATES_TID;

	/* A thread with an unknown process is drawn in a process of its own. */
	return (struct json_place){ process ? process : koid,
				    apart ? koid + JSON_STATES_TID : koid };
}

/** json_track_sort() - give a track a place among the others; @kind: process or thread */
void json_track_sort(struct json *j, const char *kind, const struct json_place *place,
		     int64_t index);

/** json_track_name() - name a process or thread; @args: added where viewers ignore them; or NULL */
void json_track_name(struct json *j, const char *kind, const struct json_place *place,
		     const struct fxt_text *name, const struct fxt_content *args);

/** json_label() - add a label to a process: its cgroup, unless that is the root */
void json_label(struct json *j, const struct json_place *place, const char *label,
		size_t length);

/** json_track() - name a track and give it a place among the others */
void json_track(struct json *j, const char *kind, const struct json_place *place,
		const char *name, int64_t sort_index);

/* --- sched.c ----------------------------------------------------- */

/** json_write_object() - take a userspace or kernel object */
void json_write_object(struct json *j);

/** json_object_refs() - find the arguments of the content that refer to objects */
void json_object_refs(struct json *j);

/** json_event_place() - set the track of the event of @content at @ns, and @stack_process */
void json_event_place(struct json *j, uint64_t ns);

/** json_lives() - name the threads that reused an id, after all other events */
void json_lives(struct json *j);

/** json_span() - write a span of the model, as sched_ops.span; @arg is a struct json */
int json_span(void *arg, const struct sched_span *span);

#endif /* FXT_FORMATS_JSON_JSON_H */
