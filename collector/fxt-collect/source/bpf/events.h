/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.h - the tracepoints, functions and programs of groups of events.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_EVENTS_H
#define FXT_COLLECT_SOURCE_BPF_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/config.h"
#include "process/error.h"
#include "source/source.h"

struct bpf_link;
struct bpf_program;
struct fxt_sched_bpf;
struct kernel_types;
struct source_config;

/* --- hooks ------------------------------------------------------------------------------ */

enum hook_kind {
	HOOK_NONE,
	HOOK_FENTRY,	/* a call in the function itself; the cheapest */
	HOOK_KPROBE,
};

/** hook_name() - the name of a kind of hook, for messages; NULL for none */
const char *hook_name(enum hook_kind kind);

/* --- tracepoints of the user ------------------------------------------------------------ */

/*
 * The programs of tracepoints that the user chooses.
 *
 * In:  names of tracepoints and fields; the kernel's types.
 * Out: for the programs, where the fields are; links.
 */

/** struct custom_programs - the programs that are used */
struct custom_programs {
	/* where the fields of each tracepoint are */
	struct fxt_bpf_custom where[FXT_SCHED_CUSTOM_MOST];
	struct bpf_program *progs[FXT_SCHED_CUSTOM_MOST];	/* the programs, NULL if not used */
	struct bpf_link *links[FXT_SCHED_CUSTOM_MOST];	/* attachments, NULL if not attached */
};

/**
 * custom_find() - find the fields in the kernel's types
 * @p: filled in
 * @t: tracepoints; those without fields get all integer arguments
 * @types: the kernel's types
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
int custom_find(struct custom_programs *p, struct tracepoints *t,
		const struct kernel_types *types, struct error *e);

/** custom_choose() - choose what is loaded, and set its constants */
void custom_choose(struct custom_programs *p, struct fxt_sched_bpf *skel,
		   const struct tracepoints *t);

/** custom_attach() - attach what was chosen; 0 or a negative errno */
int custom_attach(struct custom_programs *p, const struct tracepoints *t);

void custom_detach(struct custom_programs *p);

/** custom_each() - call @visit for each chosen program */
void custom_each(const struct custom_programs *p,
		 void (*visit)(const struct bpf_program *prog, void *arg), void *arg);

/* --- groups ----------------------------------------------------------------------------- */

/* Groups whose records have names of functions. */
#define NAMES_FUNCTIONS	\
	(FXT_SCHED_EVENTS_WORK | FXT_SCHED_EVENTS_IPI | FXT_SCHED_EVENTS_TIMER)

#define EVENT_HOOKS	80		/* tracepoints and functions of all groups */

/** struct event_programs - the programs of the groups that are on */
struct event_programs {
	struct bpf_program *progs[EVENT_HOOKS];	/* programs of the kind that was loaded; NULL for
						 * hooks that are not used */
	struct bpf_link *links[EVENT_HOOKS];	/* attachments, NULL if not attached */
	enum hook_kind functions;	/* how programs are attached to functions of the kernel, if
					 * a group needs it */
};

/**
 * events_lacking() - find out why the kernel lacks a group
 * @e: its member functions is filled in if the group needs it
 * @t: the kernel's types
 * @group: one bit of FXT_SCHED_EVENTS_*
 * @why: room for the reason
 * @room: bytes
 *
 * Return: true with the reason; false if the group can be recorded.
 */
bool events_lacking(struct event_programs *e, const struct kernel_types *t, uint64_t group,
		    char *why, size_t room);

/** events_interrupted() - do programs of these groups run with interrupts on? */
bool events_interrupted(uint64_t groups);

/**
 * events_choose() - choose what is loaded; the rest is not
 * @e: events_lacking() has seen all groups; filled in
 * @skel: the opened programs
 * @t: the kernel's types
 * @c: the groups, and the filter
 */
void events_choose(struct event_programs *e, struct fxt_sched_bpf *skel,
		   const struct kernel_types *t, const struct source_config *c);

/**
 * events_attach() - attach what was chosen; 0 or a negative errno
 * @is_first: only those that run before the programs of switches, else only the others
 */
int events_attach(struct event_programs *e, bool is_first);

void events_detach(struct event_programs *e);

/** events_each() - call @visit for each chosen program */
void events_each(const struct event_programs *e,
		 void (*visit)(const struct bpf_program *prog, void *arg), void *arg);

#endif /* FXT_COLLECT_SOURCE_BPF_EVENTS_H */
