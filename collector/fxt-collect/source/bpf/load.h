/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load.h - the BPF programs, loaded for a session, and attached.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_LOAD_H
#define FXT_COLLECT_SOURCE_BPF_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/config.h"
#include "events.h"
#include "source/source.h"

struct bpf_link;
struct bpf_program;
struct fxt_sched_bpf;
struct kernel_types;

/* --- the interrupt context -------------------------------------------------------------- */

/** struct context_place - location of the kernel's preempt count */
struct context_place {
	enum fxt_bpf_context kind;	/* how programs access it */
	int64_t distance;		/* bytes, for FXT_BPF_CONTEXT_RUNQUEUE */
	int variable;			/* its BTF id, for FXT_BPF_CONTEXT_VARIABLE */
};

/**
 * context_find() - find the cheapest access that this kernel allows
 * @t: the kernel's types
 */
struct context_place context_find(const struct kernel_types *t);

/* --- programs --------------------------------------------------------------------------- */

/*
 * In the order of attaching: programs that clear entries of the table of threads before
 * those that fill it.
 */
enum probe {
	PROBE_FORK,
	PROBE_EXEC,
	PROBE_RENAME,
	PROBE_EXIT,
	PROBE_WAKEUP_NEW,
	PROBE_WAKEUP,
	PROBE_WAKING,
	PROBE_SWITCH,
	PROBES,
};

/** struct programs - the programs of a session; initialized with zeros */
struct programs {
	struct fxt_sched_bpf *skel;	/* the programs and maps, NULL if none are loaded */
	struct bpf_program *progs[PROBES];	/* the programs that were loaded; NULL where the
						 * records need none */
	struct bpf_link *links[PROBES];	/* their attachments, NULL if not attached */
	struct event_programs events;	/* programs of the groups of events */
	struct custom_programs custom;	/* programs of @tracepoints */
	struct tracepoints *tracepoints;	/* chosen by the user */
	struct bpf_link *trigger;	/* attachment of the program that checks lengths of run
					 * queues for the trigger; NULL if there is none */
	bool marks;			/* the filter evaluates existing threads before the start */
	bool sees_interrupts;	/* they distinguish an interrupt from the interrupted thread */
	bool defers;			/* they defer records of programs that interrupt others */
	char lacking[512];		/* groups of events that were left out, with the reasons */
};

/**
 * programs_load() - load the programs and create the maps
 * @p: zeros; PROBE_FORK stays attached: this verifies attaching, and attaching it again
 *	would take a grace period
 * @c: what to record; groups of events that are left out are removed
 * @possible: number of possible CPUs
 * @present: number of CPUs with sub-buffers
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
int programs_load(struct programs *p, struct source_config *c, unsigned int possible,
		  unsigned int present, struct error *e);

/** programs_attach() - attach all programs; 0, or a negative errno with none attached */
int programs_attach(struct programs *p);

/** programs_detach() - detach all programs, in reverse order */
void programs_detach(struct programs *p);

/** programs_unload() - detach and free everything */
void programs_unload(struct programs *p);

#endif /* FXT_COLLECT_SOURCE_BPF_LOAD_H */
