/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * content.h - parts of the contents of records that other parts of the reader need.
 */
#ifndef LIBFXT_READER_CONTENT_H
#define LIBFXT_READER_CONTENT_H

#include <fxt/fxt_mark.h>

#include "libfxt/fxt_reader.h"
#include "state.h"

/* The bytes between a stream's end and the next word must be zero. */
int fxt_check_padding(struct fxt_reader *r, uint64_t offset, const char *field,
		      const void *data, uint64_t bytes);

/* The value of the argument "unknown", 0 if our producers do not define it. */
static inline uint8_t fxt_reason_of(uint32_t known)
{
	return known == FXT_STR_LOST || known == FXT_STR_FILTERED || fxt_is_mark(known) ?
	       known : 0;
}

/* The enum fxt_sched_irq of a known string; FXT_SCHED_IRQ_NONE for all others. */
static inline uint8_t fxt_irq_of(uint32_t known)
{
	return known >= FXT_STR_HARD && known <= FXT_STR_NMI ?
	       known - FXT_STR_HARD + FXT_SCHED_IRQ_HARD : FXT_SCHED_IRQ_NONE;
}

/** fxt_state_is_defined() - does the format define a switch's state, or our extension? */
static inline bool fxt_state_is_defined(uint8_t state, uint8_t unknown)
{
	return state <= FXT_THREAD_DEAD || (unknown && state == FXT_SCHED_STATE_UNKNOWN);
}

#endif /* LIBFXT_READER_CONTENT_H */
