/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.h - an archive as "Trace Event Format": what the files of this folder share.
 *
 * In: records.
 * Out: events of the array "traceEvents", one per line. Events of threads are sorted by time, as
 * the format requires of slices that begin and end; for that, up to JSON_HELD_BYTES of them wait.
 * All others, and those from the scheduling model, are written at once.
 * Must hold: memory grows only with the number of threads; all other tables are bounded.
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
 * The process and threads that are the tracks of CPUs. The ids differ from those of Linux and of
 * the tracks of losses (fxt_sched.h), and fit readers' 32 bits.
 */
#define JSON_CPUS_PID	0x7ff00000ULL
#define JSON_CPU_TID	(JSON_CPUS_PID + 1)

/*
 * Slices of one track must nest. A thread's slices and its states do not, so states get a separate
 * track. In our own archives, where only work items and system calls are slices of threads, those
 * get the separate track instead.
 */
#define JSON_STATES_TID	0x80000000ULL	/* added to the koid */

/*
 * Linux reuses ids, but the format identifies tracks by them. All threads but the first of an id
 * get an id from here on: above those of Linux, below the ids above. A process has the id of its
 * main thread.
 */
#define JSON_LATER_TID	0x40000000ULL	/* plus the model's number of the thread */

/* Limit for objects, and again for flows and for frames of stacks. */
#define JSON_TABLE_BYTES	(16U << 20)

#define JSON_FLOWS	(1U << 18)	/* limit of open ones */

/* Limit for events that wait for earlier ones. */
#define JSON_HELD_BYTES	(32U << 20)

#define JSON_KEY_BYTES	(FXT_MAX_STRING_FIELD + 16)

struct json_place {
	uint64_t pid;
	uint64_t tid;
};

#define JSON_OPEN_BYTES	(sizeof(",\n{\"ph\":\"X\",\"pid\":,\"tid\":,\"ts\":") + 2 * OUT_NUMBER)

struct json_thread {
	bool waiting;		/* woken, has not run since */
	uint64_t woken;		/* ns */
	struct json_place waker;
};

struct json_frame;
struct json_waiting_member;

struct json_part {
	char *name;
	char *text;
	size_t bytes;
	size_t room;
};

_Static_assert(FXT_MAX_ARGS <= 16, "a bit of struct json's refs for each argument");

struct json {
	struct out *o;
	struct sched_model *m;		/* NULL if scheduling does not become events */
	struct ftrace *f;		/* set if scheduling becomes ftrace's text */
	bool ours;			/* the archive is one of our own producers */
	uint64_t latest;		/* ns, of the latest record */
	uint64_t arrows;		/* from wakers to woken threads */
	uint64_t dropped;		/* counter arguments that are not numbers */
	uint64_t written;		/* events */
	struct json_thread *threads;	/* by the model's numbers */
	size_t thread_room;
	struct fxt_objects objects;	/* except processes and threads */
	struct sched_symbols symbols;	/* the functions of frames */
	uint32_t provider;		/* of @content */
	uint64_t stack_process;		/* koid of the process of a stack of @content */
	uint64_t switch_ns;		/* of the latest switch in the file */
	uint64_t switched_in;		/* koid of the thread switched in there */
	uint16_t refs;			/* a bit for each argument of @content that is an object */
	bool restores;			/* @content was an event of this format */
	struct json_part part;		/* the blob that waits for its next part */
	struct json_waiting_member *members;	/* of the trace's object beside its events */
	size_t member_bytes;		/* of all @members */
	struct json_element parsed;	/* a text that is JSON */
	struct json_element rest;	/* arguments that did not fit the record */
	struct json_text line;		/* JSON that is written next */
	struct ids flows;		/* open ones */
	size_t flow_bytes;		/* of their names */
	struct map operations;		/* ids of operations, with their categories */
	size_t operation_bytes;
	struct map frame_map;		/* finds the @frames of stacks */
	struct json_frame **frames;
	size_t frame_count;
	bool synced;			/* the clock's relation to others has been written */
	struct order held;		/* events that wait for earlier ones */
	size_t held_bytes;
	uint64_t held_until;		/* ns, of the latest event written */
	uint64_t late;			/* events that came after later ones had been written */
	uint8_t cpu_named[(1 << 16) / 8];	/* a bit for each CPU whose track has a name */
	struct koids moved_named;	/* threads whose track of system calls or work has a name */
	struct fxt_content content;
	char key[JSON_KEY_BYTES];	/* an argument's name, made unique */
};

/* --- emit.c: the beginning and the end of each event, arguments, names of tracks ----- */

/* Begin an event. The caller adds fields, each with a comma before it, and calls json_end(). */
void json_open(struct json *j, char phase, const struct json_place *place, uint64_t ns);

/* The same up to the value of "ts", in JSON_OPEN_BYTES at @p. Returns the end. */
char *json_open_at(struct json *j, char *p, char phase, const struct json_place *place);

/* Begin an event of phase M, which has no time. */
void json_open_metadata(struct json *j, const struct json_place *place, const char *name);
void json_next(struct json *j);

/* Returns 0 if a record of this kind is not an event. */
char json_phase(enum fxt_kind kind);
void json_end(struct json *j);

/* Add "cat" and "name". */
void json_name(struct json *j, const struct fxt_text *category, const struct fxt_text *name);
void json_hex(struct out *o, uint64_t value);

/* Add "id" as a string, as the format requires. */
void json_id(struct json *j, uint64_t id);

/*
 * Write arguments as a JSON object, with braces. Arguments of equal names get different keys.
 * @numbers_only: omit and count other values
 */
void json_args(struct json *j, const struct fxt_content *c, bool numbers_only);

/* Write the key of argument @at and a colon. */
void json_arg_key(struct json *j, const struct fxt_content *c, unsigned int at);
void json_arg_value(struct out *o, const struct fxt_arg *a);

/* --- restore.c: events that were read from this format ---------------- */

/* Write the event from which @content was made, at @ns, until @end_ns. */
void json_restore(struct json *j, uint64_t ns, uint64_t end_ns);

/* Write the metadata event from which a kernel object was made. */
void json_restore_name(struct json *j);

/*
 * Restore the blob in @content: write a metadata event, hold a member until the end. A blob that is
 * not JSON, and members beyond JSON_TABLE_BYTES, are written like other blobs.
 */
void json_member(struct json *j);

/* Restore the blob whose last part has been read. */
void json_members_finish(struct json *j);
bool json_has_member(const struct json *j, const char *name);
void json_members_write(struct json *j);
void json_members_free(struct json *j);

/* --- flows.c ----------------------------------------------------- */

/* Write names and id of a part of a flow or operation. */
void json_flow_part(struct json *j);
void json_flows_free(struct json *j);

/* --- frames.c ------------------------------------------------------ */

void json_stack(struct json *j);
void json_frames_write(struct json *j);
void json_frames_free(struct json *j);

/* --- emit.c: names of tracks ------------------------------------------ */

static inline struct json_place json_state_place(const struct json *j,
						 uint64_t process, uint64_t koid)
{
	bool apart = !j->ours && koid < JSON_STATES_TID;

	/* Threads with an unknown process get a process of their own. */
	return (struct json_place){ process ? process : koid,
				    apart ? koid + JSON_STATES_TID : koid };
}

/* Set the position of a track among the others. @kind: "process" or "thread" */
void json_track_sort(struct json *j, const char *kind, const struct json_place *place,
		     int64_t index);

/* Name a process or thread. @args: added where viewers ignore them; or NULL */
void json_track_name(struct json *j, const char *kind, const struct json_place *place,
		     const struct fxt_text *name, const struct fxt_content *args);

/* Add a label to a process: its cgroup, unless that is the root. */
void json_label(struct json *j, const struct json_place *place, const char *label,
		size_t length);

/* json_track_name() and json_track_sort(). */
void json_track(struct json *j, const char *kind, const struct json_place *place,
		const char *name, int64_t sort_index);

/* --- objects.c --------------------------------------------------- */

void json_write_object(struct json *j);

/* Find the arguments of @content that refer to objects. */
void json_object_refs(struct json *j);

/* --- sched.c ----------------------------------------------------- */

/* Set the track of the event in @content, and @stack_process. */
void json_event_place(struct json *j, uint64_t ns);

/* Name the threads that reused an id, after all other events. */
void json_lives(struct json *j);

/* sched_ops.span; @arg is a struct json. */
int json_span(void *arg, const struct sched_span *span);

#endif /* FXT_FORMATS_JSON_JSON_H */
