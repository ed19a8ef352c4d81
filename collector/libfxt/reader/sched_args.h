/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_args.h - the arguments of context switches and wakeups.
 */
#ifndef LIBFXT_READER_SCHED_ARGS_H
#define LIBFXT_READER_SCHED_ARGS_H

#include <fxt/fxt_mark.h>

#include "libfxt/fxt_reader.h"

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

/** fxt_sched_arguments() - set the fields of a switch or wakeup that come from arguments */
void fxt_sched_arguments(struct fxt_content *c);

#endif /* LIBFXT_READER_SCHED_ARGS_H */
