/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * custom.h - the programs of tracepoints that the user chooses.
 *
 * In:  names of tracepoints and fields; the kernel's types. Out: for the programs, where the
 * fields are; links.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_CUSTOM_H
#define FXT_COLLECT_SOURCE_BPF_CUSTOM_H

#include "bpf/custom.h"
#include "process/error.h"
#include "source/tracepoints.h"

struct bpf_link;
struct bpf_program;
struct fxt_sched_bpf;
struct kernel_types;

/**
 * struct custom_programs - the programs that are used
 * @where: where the fields of each tracepoint are
 * @progs: the programs, NULL if not used
 * @links: attachments, NULL if not attached
 */
struct custom_programs {
	struct fxt_bpf_custom where[FXT_SCHED_CUSTOM_MOST];
	struct bpf_program *progs[FXT_SCHED_CUSTOM_MOST];
	struct bpf_link *links[FXT_SCHED_CUSTOM_MOST];
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

/** custom_each() - call @visit for each program that was chosen */
void custom_each(const struct custom_programs *p,
		 void (*visit)(const struct bpf_program *prog, void *arg), void *arg);

#endif /* FXT_COLLECT_SOURCE_BPF_CUSTOM_H */
