/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * custom.h - what the BPF programs and source_bpf share about tracepoints that the user
 * chooses.
 *
 * Before user space loads the programs, it computes from the kernel's types where each field is.
 * These values are constant afterwards, so the verifier removes the code for all other kinds of
 * fields.
 */
#ifndef BPF_CUSTOM_H
#define BPF_CUSTOM_H

#include <linux/types.h>

#include "fxt/fxt_sched_custom.h"

#define FXT_BPF_CUSTOM_STEPS	4	/* the most pointers on the way to a field */
#define FXT_BPF_CUSTOM_ARGS	12	/* arguments of the kernel's largest tracepoint */

enum fxt_bpf_field_kind {
	FXT_BPF_FIELD_NONE,		/* no field: the end */
	FXT_BPF_FIELD_SIGNED,
	FXT_BPF_FIELD_UNSIGNED,
	FXT_BPF_FIELD_BOOL,
	FXT_BPF_FIELD_POINTER,
	FXT_BPF_FIELD_STRING,
};

/**
 * struct fxt_bpf_field - where a field is
 * @kind: enum fxt_bpf_field_kind
 * @arg: the tracepoint's argument that leads to the field
 * @steps: number of pointers to follow
 * @at: offset of each pointer in the struct that the pointer before it, or the argument, refers to
 * @memory: the field is in memory, at @offset from the last pointer; else it is the argument
 * @offset: in bytes
 * @size: size of the memory to read, 1 to 8 bytes
 * @shift: number of bits below the field in that memory
 * @bits: number of bits of the field
 */
struct fxt_bpf_field {
	__u32 kind;
	__u32 arg;
	__u32 steps;
	__u32 at[FXT_BPF_CUSTOM_STEPS];
	__u32 memory;
	__u32 offset;
	__u32 size;
	__u32 shift;
	__u32 bits;
};

/**
 * struct fxt_bpf_custom - the record of a tracepoint
 * @counter: it is a counter, not an instant
 * @has_id: its first field is the counter's id
 * @fields: the fields; with @has_id the first one does not become an argument
 */
struct fxt_bpf_custom {
	__u32 counter;
	__u32 has_id;
	struct fxt_bpf_field fields[FXT_SCHED_CUSTOM_FIELDS];
};

#endif /* BPF_CUSTOM_H */
