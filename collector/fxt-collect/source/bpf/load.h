/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load.h - the BPF programs, loaded for a session, and attached.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_LOAD_H
#define FXT_COLLECT_SOURCE_BPF_LOAD_H

#include <stdbool.h>

#include "source/source.h"

struct bpf_link;
struct bpf_program;
struct fxt_sched_bpf;

/* In the order of attaching: what clears the table of sleepers before what fills it. */
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

/**
 * struct programs - the programs of a session; begins as zeros
 * @skel: the programs and maps, NULL if none are loaded
 * @progs: the programs of the kind that works here
 * @links: their attachments, NULL for those that are not attached
 * @direct: they read the kernel's memory with plain loads
 * @marks: the filter judges threads that are there before the start
 * @sees_interrupts: they tell an interrupt from the thread that it interrupted
 */
struct programs {
	struct fxt_sched_bpf *skel;
	struct bpf_program *progs[PROBES];
	struct bpf_link *links[PROBES];
	bool direct;
	bool marks;
	bool sees_interrupts;
};

/**
 * programs_load() - load the programs and make the maps
 * @p: zeros; PROBE_FORK is attached: that it can be is known then, and to attach it
 *	again would take a grace period
 * @c: what is to be recorded
 * @possible: CPUs that may ever be
 * @present: CPUs that get sub-buffers
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
int programs_load(struct programs *p, const struct source_config *c, unsigned int possible,
		  unsigned int present, struct error *e);

/** programs_attach() - all that are not attached; 0 or a negative errno, then none is */
int programs_attach(struct programs *p);

/** programs_detach() - those that are attached, the last one first */
void programs_detach(struct programs *p);

/** programs_unload() - detach, and free all */
void programs_unload(struct programs *p);

#endif /* FXT_COLLECT_SOURCE_BPF_LOAD_H */
