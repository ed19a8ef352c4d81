/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_profiler.h - profiler records: modules, mappings and backtraces.
 */
#ifndef FXT_FXT_PROFILER_H
#define FXT_FXT_PROFILER_H

#include "fxt_word.h"

/*
 * "Profiler record (record type = 10)": header, ticks, [process koid, thread koid], then by kind.
 * Module: name and build id as streams. Mmap: start address, address range, vaddr. Backtrace: the
 * frames, one word each.
 */
#define FXT_PROFILER_TYPE		FXT_BITS(16, 19)
#define FXT_PROFILER_THREAD		FXT_BITS(20, 27)	/* thread ref */

enum fxt_profiler_type {
	FXT_PROFILER_MODULE		= 0,
	FXT_PROFILER_MMAP		= 1,
	FXT_PROFILER_BACKTRACE		= 2,
};

#define FXT_MODULE_ID			FXT_BITS(28, 43)	/* mmap records too */
#define FXT_MODULE_NAME_LENGTH		FXT_BITS(44, 51)	/* bytes */
#define FXT_MODULE_BUILD_ID_LENGTH	FXT_BITS(52, 59)	/* bytes */
#define FXT_MODULE_RESERVED		FXT_BITS(60, 63)

static __always_inline __u64 fxt_profiler_module(__u64 words, __u64 thread_ref,
						 __u64 module_id, __u64 name_bytes,
				     __u64 build_id_bytes)
{
	return fxt_header(FXT_RECORD_PROFILER, words) |
	       fxt_put(FXT_PROFILER_TYPE, FXT_PROFILER_MODULE) |
	       fxt_put(FXT_PROFILER_THREAD, thread_ref) |
	       fxt_put(FXT_MODULE_ID, module_id) |
	       fxt_put(FXT_MODULE_NAME_LENGTH, name_bytes) |
	       fxt_put(FXT_MODULE_BUILD_ID_LENGTH, build_id_bytes);
}

#define FXT_MMAP_FLAGS			FXT_BITS(44, 46)
#define FXT_MMAP_RESERVED		FXT_BITS(47, 63)

static __always_inline __u64 fxt_profiler_mmap(__u64 words, __u64 thread_ref,
					       __u64 module_id, __u64 flags)
{
	return fxt_header(FXT_RECORD_PROFILER, words) |
	       fxt_put(FXT_PROFILER_TYPE, FXT_PROFILER_MMAP) |
	       fxt_put(FXT_PROFILER_THREAD, thread_ref) |
	       fxt_put(FXT_MODULE_ID, module_id) |
	       fxt_put(FXT_MMAP_FLAGS, flags);
}

#define FXT_BACKTRACE_FRAMES		FXT_BITS(28, 35)
/* Reserved by the specification. Fuchsia's profiler has flags there. */
#define FXT_BACKTRACE_FLAGS		FXT_BITS(36, 63)
#define FXT_MAX_FRAMES			255

static __always_inline __u64 fxt_profiler_backtrace(__u64 words, __u64 thread_ref,
						    __u64 frames)
{
	return fxt_header(FXT_RECORD_PROFILER, words) |
	       fxt_put(FXT_PROFILER_TYPE, FXT_PROFILER_BACKTRACE) |
	       fxt_put(FXT_PROFILER_THREAD, thread_ref) |
	       fxt_put(FXT_BACKTRACE_FRAMES, frames);
}

#endif /* FXT_FXT_PROFILER_H */
