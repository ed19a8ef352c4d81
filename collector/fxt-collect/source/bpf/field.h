/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * field.h - where a field of a tracepoint is.
 *
 * In:  a field's text ("prev.pid"), the kernel's types. Out: how a program reads it.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_FIELD_H
#define FXT_COLLECT_SOURCE_BPF_FIELD_H

#include <stdbool.h>

#include "bpf/custom.h"
#include "process/error.h"
#include "source/tracepoints.h"

struct btf;
struct kernel_types;

/**
 * struct event_arguments - the arguments of a tracepoint
 * @event: its name
 * @btf: the kernel's types
 * @count: how many
 * @types: id of each one's type
 * @names: their names; those that the kernel's types lack are arg0, arg1, ...
 */
struct event_arguments {
	const char *event;
	const struct btf *btf;
	unsigned int count;
	unsigned int types[FXT_BPF_CUSTOM_ARGS];
	char names[FXT_BPF_CUSTOM_ARGS][TRACEPOINT_FIELD];
};

/** event_arguments() - find them; false if there is no such tracepoint */
bool event_arguments(struct event_arguments *a, const struct kernel_types *types,
		     const char *event);

/** event_integers() - choose all arguments that are integers, as many as there is room for */
void event_integers(const struct event_arguments *a, struct tracepoint *t);

/**
 * field_find() - find a field
 * @f: filled in
 * @a: the arguments of its tracepoint
 * @text: an argument, by name or as arg0, arg1, ..., and members
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
int field_find(struct fxt_bpf_field *f, const struct event_arguments *a, const char *text,
	       struct error *e);

static inline bool field_is_number(const struct fxt_bpf_field *f)
{
	return f->kind == FXT_BPF_FIELD_SIGNED || f->kind == FXT_BPF_FIELD_UNSIGNED ||
	       f->kind == FXT_BPF_FIELD_BOOL;
}

#endif /* FXT_COLLECT_SOURCE_BPF_FIELD_H */
