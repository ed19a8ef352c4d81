/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.h - the tracepoints, functions and programs of groups of events. */
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

enum hook_kind {
	HOOK_NONE,
	HOOK_FENTRY,	/* a call in the function itself; the cheapest */
	HOOK_KPROBE,
};

/* For messages; NULL for HOOK_NONE. */
const char *hook_name(enum hook_kind kind);

/* Groups whose records have names of functions. */
#define NAMES_FUNCTIONS	\
	(FXT_SCHED_EVENTS_WORK | FXT_SCHED_EVENTS_IPI | FXT_SCHED_EVENTS_TIMER)

#define EVENT_HOOKS	80		/* tracepoints and functions of all groups */
#define HOOKS_ALL	(EVENT_HOOKS + FXT_SCHED_CUSTOM_MOST)

/* The programs of the groups that are on, then those of tracepoints that the user has chosen. */
struct event_programs {
	struct hooked {
		struct bpf_program *prog;	/* NULL: the hook is not used */
		const char *event;
		struct bpf_link *link;		/* NULL: it is not attached */
	} hooks[HOOKS_ALL];
	struct fxt_bpf_custom custom[FXT_SCHED_CUSTOM_MOST];	/* where the fields are */
	enum hook_kind functions;	/* for functions of the kernel, if a group needs them */
};

/**
 * events_find_custom() - find the fields of the user's tracepoints in the kernel's types
 * @t: those without fields get all integer arguments
 *
 * Return: 0 or a negative errno.
 */
int events_find_custom(struct event_programs *p, struct tracepoints *t,
		       const struct kernel_types *types, struct error *e);

/**
 * events_lacking() - find out why the kernel lacks a group
 * @e: its member functions is set if the group needs it
 * @group: one bit of FXT_SCHED_EVENTS_*
 * @why: set to the reason
 *
 * Return: false if the group can be recorded.
 */
bool events_lacking(struct event_programs *e, const struct kernel_types *t, uint64_t group,
		    char *why, size_t room);

/* Do programs of these groups run with interrupts on? */
bool events_interrupted(uint64_t groups);

/**
 * events_choose() - choose what is loaded, after events_lacking() was called for all groups
 * @skel: the opened programs
 */
void events_choose(struct event_programs *e, struct fxt_sched_bpf *skel,
		   const struct kernel_types *t, const struct source_config *c);

/**
 * events_attach() - attach the chosen programs that run before those of switches, or (unless
 * @is_first) the others. Return: 0 or a negative errno
 */
int events_attach(struct event_programs *e, bool is_first);

void events_detach(struct event_programs *e);

/* Call @visit for each chosen program, once. */
void events_each(const struct event_programs *e,
		 void (*visit)(const struct bpf_program *prog, void *arg), void *arg);

#endif /* FXT_COLLECT_SOURCE_BPF_EVENTS_H */
