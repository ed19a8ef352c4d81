/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_object.h - userspace object and kernel object records.
 */
#ifndef FXT_FXT_OBJECT_H
#define FXT_FXT_OBJECT_H

#include "fxt_word.h"

/*
 * "Userspace object record (record type = 6)": header, pointer,
 * [process koid], [name], arguments.
 */
#define FXT_USERSPACE_OBJECT_PROCESS	FXT_BITS(16, 23)	/* thread ref */
#define FXT_USERSPACE_OBJECT_NAME	FXT_BITS(24, 39)	/* string ref */
#define FXT_USERSPACE_OBJECT_ARGS	FXT_BITS(40, 43)
#define FXT_USERSPACE_OBJECT_RESERVED	FXT_BITS(44, 63)

static __always_inline __u64 fxt_userspace_object(__u64 words, __u64 process_ref,
						  __u64 name_ref, __u64 args)
{
	return fxt_header(FXT_RECORD_USERSPACE_OBJECT, words) |
	       fxt_put(FXT_USERSPACE_OBJECT_PROCESS, process_ref) |
	       fxt_put(FXT_USERSPACE_OBJECT_NAME, name_ref) |
	       fxt_put(FXT_USERSPACE_OBJECT_ARGS, args);
}

/* "Kernel object record (record type = 7)": header, koid, [name], arguments. */
#define FXT_KERNEL_OBJECT_TYPE		FXT_BITS(16, 23)
#define FXT_KERNEL_OBJECT_NAME		FXT_BITS(24, 39)	/* string ref */
#define FXT_KERNEL_OBJECT_ARGS		FXT_BITS(40, 43)
#define FXT_KERNEL_OBJECT_RESERVED	FXT_BITS(44, 63)

enum fxt_object_type {		/* ZX_OBJ_TYPE_* */
	FXT_OBJECT_PROCESS		= 1,
	FXT_OBJECT_THREAD		= 2,
};

static __always_inline __u64 fxt_kernel_object(__u64 words, __u64 object_type,
					       __u64 name_ref, __u64 args)
{
	return fxt_header(FXT_RECORD_KERNEL_OBJECT, words) |
	       fxt_put(FXT_KERNEL_OBJECT_TYPE, object_type) |
	       fxt_put(FXT_KERNEL_OBJECT_NAME, name_ref) |
	       fxt_put(FXT_KERNEL_OBJECT_ARGS, args);
}

#endif /* FXT_FXT_OBJECT_H */
