/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * types.h - the running kernel's types (BTF), read once for all uses.
 *
 * libbpf reads and searches them on its own for each use, and they are megabytes: so
 * it is told what it would look for. What it then cannot do, it can the other way.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_TYPES_H
#define FXT_COLLECT_SOURCE_BPF_TYPES_H

#include <stdbool.h>
#include <stdint.h>

struct btf;
struct kernel_types;

/** kernel_types_open() - read them: NULL with errno set if that cannot be done */
struct kernel_types *kernel_types_open(void);

/** kernel_types_close() - forget them; NULL is ignored */
void kernel_types_close(struct kernel_types *t);

/** kernel_types_have_prev_state() - does sched_switch report the state that prev has? */
bool kernel_types_have_prev_state(const struct kernel_types *t);

/** kernel_types_have_field() - does a struct have it, itself or in what has no name? */
bool kernel_types_have_field(const struct kernel_types *t, const char *name,
			     const char *field);

/**
 * kernel_types_per_cpu() - find a variable that each CPU has
 * @t: the types
 * @name: the variable's
 * @at: set to where it lies among them, in bytes
 *
 * Return: the id of its type, or -ENOENT.
 */
int kernel_types_per_cpu(const struct kernel_types *t, const char *name, int64_t *at);

/**
 * kernel_types_path() - where an object can read what kernel_types_reduce() leaves
 * @t: the types
 *
 * Return: for bpf_object_open_opts.btf_custom_path; NULL if it is to read all.
 */
const char *kernel_types_path(const struct kernel_types *t);

/**
 * kernel_types_reduce() - leave what relocations of an object can ask for
 * @t: the types
 * @local: the object's own types: structs and unions count whose names the kernel has
 *	as well (before "___"), with all that they hold, not with what they point to
 *
 * Return: 0 or a negative errno.
 */
int kernel_types_reduce(struct kernel_types *t, const struct btf *local);

/**
 * kernel_types_begin() - from now on programs are loaded with what is known here
 * @t: the types; must stay until kernel_types_end()
 *
 * Objects must be opened and loaded in between; their programs of "tp_btf/" and "iter/"
 * are then attached by bpf_program__attach_trace() and _iter(), not by
 * bpf_program__attach(). It is libbpf's global state that is changed.
 *
 * Return: 0 or a negative errno.
 */
int kernel_types_begin(struct kernel_types *t);

/** kernel_types_end() - and now by libbpf's own means again */
void kernel_types_end(struct kernel_types *t);

#endif /* FXT_COLLECT_SOURCE_BPF_TYPES_H */
