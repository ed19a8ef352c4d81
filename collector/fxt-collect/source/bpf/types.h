/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * types.h - the running kernel's types (BTF), read once for all uses. libbpf would read and search
 * megabytes of types for each use. If reading fails here, libbpf does so itself.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_TYPES_H
#define FXT_COLLECT_SOURCE_BPF_TYPES_H

#include <stdbool.h>
#include <stdint.h>

struct btf;
struct kernel_types;

/* Return: NULL with errno set on error */
struct kernel_types *kernel_types_open(void);

void kernel_types_close(struct kernel_types *t);	/* NULL is ignored */

/* Does sched_switch have the argument prev_state? */
bool kernel_types_have_prev_state(const struct kernel_types *t);

/* Does a struct have the field, directly or in an anonymous member? */
bool kernel_types_have_field(const struct kernel_types *t, const char *name,
			     const char *field);

bool kernel_types_have_event(const struct kernel_types *t, const char *event);

/* The number of a tracepoint's arguments; 0 if it is unknown. */
unsigned int kernel_types_arguments(const struct kernel_types *t, const char *event);

/* BTF id of a tracepoint's type, or a negative errno. */
int kernel_types_event(const struct kernel_types *t, const char *event);

const struct btf *kernel_types_btf(const struct kernel_types *t);

/* BTF id of a function, or a negative errno. */
int kernel_types_function(const struct kernel_types *t, const char *name);

/**
 * kernel_types_per_cpu() - find a per-CPU variable
 * @at: set to its offset among them, in bytes
 *
 * Return: its BTF id, or -ENOENT.
 */
int kernel_types_per_cpu(const struct kernel_types *t, const char *name, int64_t *at);

/**
 * kernel_types_distance() - the bytes from the CPU's run queue to a per-CPU variable
 *
 * Return: 0 or a negative errno: BPF programs could not find the variable.
 */
int kernel_types_distance(const struct kernel_types *t, const char *variable, int64_t *distance);

/**
 * kernel_types_steal() - where the kernel counts what the hypervisor takes: bpf/steal.bpf.h
 * @distance: set, from a CPU's run queue to its kernel_cpustat, if programs need it
 *
 * Return: 0 or a negative errno.
 */
int kernel_types_steal(const struct kernel_types *t, int64_t *distance);

/* For bpf_object_open_opts.btf_custom_path, after kernel_types_reduce(); NULL to read all types. */
const char *kernel_types_path(const struct kernel_types *t);

/**
 * kernel_types_reduce() - keep only types that relocations of an object can need
 * @local: the object's own types. Structs and unions whose names (before "___") the kernel has as
 *	well are kept, with all members, but without the targets of pointers
 *
 * Return: 0 or a negative errno.
 */
int kernel_types_reduce(struct kernel_types *t, const struct btf *local);

/**
 * kernel_types_begin() - let libbpf use these types for loading programs
 * @t: must stay until kernel_types_end()
 *
 * Objects must be opened and loaded in between. Their programs of "tp_btf/", "fentry/" and "iter/"
 * are then attached by bpf_program__attach_trace() and _iter(), not by bpf_program__attach().
 * Changes libbpf's global state.
 *
 * Return: 0 or a negative errno.
 */
int kernel_types_begin(struct kernel_types *t);

/* Restore libbpf's own behavior. */
void kernel_types_end(struct kernel_types *t);

#endif /* FXT_COLLECT_SOURCE_BPF_TYPES_H */
