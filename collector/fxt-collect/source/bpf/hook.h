/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hook.h - how programs can be attached to functions of this kernel.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_HOOK_H
#define FXT_COLLECT_SOURCE_BPF_HOOK_H

struct kernel_types;

enum hook_kind {
	HOOK_NONE,
	HOOK_FENTRY,	/* a call in the function itself; the cheapest */
	HOOK_KPROBE,
};

/**
 * hook_find() - try to attach empty programs to functions
 * @functions: their names; NULL at the end
 * @t: the kernel's types
 *
 * Return: the cheapest kind that works for all of them.
 */
enum hook_kind hook_find(const char * const *functions, const struct kernel_types *t);

/** hook_name() - of a kind, for messages; NULL for none */
const char *hook_name(enum hook_kind kind);

#endif /* FXT_COLLECT_SOURCE_BPF_HOOK_H */
