/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * huge.h - asks for huge pages, for large memory that is used from one end to the other, again and
 * again. Advice only: without huge pages, nothing changes.
 */
#ifndef LIBFXT_HUGE_H
#define LIBFXT_HUGE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#define HUGE_BYTES	(2UL << 20)	/* of x86, and of arm64 with pages of 4 KiB */

/* Use huge pages for the whole ones in @memory, before it is first written to. */
static inline void huge_advise(void *memory, size_t bytes)
{
	uintptr_t from = ((uintptr_t)memory + HUGE_BYTES - 1) & -HUGE_BYTES;
	uintptr_t to = ((uintptr_t)memory + bytes) & -HUGE_BYTES;

	if (from < to)
		madvise((void *)from, to - from, MADV_HUGEPAGE);
}

#endif /* LIBFXT_HUGE_H */
