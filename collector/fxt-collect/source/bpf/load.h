/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load.h - the BPF programs, loaded for a session, and attached. */
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

/* Where the kernel's preempt count is. */
struct context_place {
	enum fxt_bpf_context kind;
	int64_t distance;		/* bytes, for FXT_BPF_CONTEXT_RUNQUEUE */
	int variable;			/* BTF id, for FXT_BPF_CONTEXT_VARIABLE */
};

/* The cheapest access that this kernel allows. */
struct context_place context_find(const struct kernel_types *t);

/* --- programs --------------------------------------------------------------------------- */

/* In the order of attaching: programs that clear entries of the table of threads first. */
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

/* Initialize with zeros; NULL where nothing is loaded or attached. */
struct programs {
	struct fxt_sched_bpf *skel;
	struct bpf_program *progs[PROBES];
	struct bpf_link *links[PROBES];
	struct event_programs events;
	struct bpf_link *trigger;	/* of the program that checks lengths of run queues */
	bool marks;			/* the filter evaluates existing threads before the start */
	bool sees_interrupts;	/* they distinguish an interrupt from the interrupted thread */
	bool defers;			/* they defer records of programs that interrupt others */
	char lacking[512];		/* groups of events that were left out, with the reasons */
};

/**
 * programs_load() - load the programs and create the maps
 * @p: zeros. PROBE_FORK stays attached: this verifies attaching, and attaching it again would take
 *	a grace period
 * @c: what to record; groups of events that are left out are removed
 * @possible: CPUs
 * @present: CPUs with sub-buffers
 *
 * Return: 0 or a negative errno.
 */
int programs_load(struct programs *p, struct source_config *c, unsigned int possible,
		  unsigned int present, struct error *e);

/* Return: 0, or a negative errno with none attached */
int programs_attach(struct programs *p);

/* In reverse order. */
void programs_detach(struct programs *p);

/* Detach and free everything. */
void programs_unload(struct programs *p);

#endif /* FXT_COLLECT_SOURCE_BPF_LOAD_H */
