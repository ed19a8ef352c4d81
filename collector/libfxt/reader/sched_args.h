/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_args.h - the arguments of context switches and wakeups.
 */
#ifndef LIBFXT_READER_SCHED_ARGS_H
#define LIBFXT_READER_SCHED_ARGS_H

#include <fxt/fxt_unknown.h>

#include "libfxt/fxt_reader.h"

/* What the argument "unknown" says, 0 if it is none of what our producers say. */
static inline uint8_t fxt_reason_of(uint32_t known)
{
	return known == FXT_STR_LOST || known == FXT_STR_FILTERED ? known : 0;
}

/* A known string's place in enum fxt_sched_irq; FXT_SCHED_IRQ_NONE if it has none. */
static inline uint8_t fxt_irq_of(uint32_t known)
{
	return known >= FXT_STR_HARD && known <= FXT_STR_NMI ?
	       known - FXT_STR_HARD + FXT_SCHED_IRQ_HARD : FXT_SCHED_IRQ_NONE;
}

/** fxt_state_is_defined() - of a switch: by the format, or by us beside @unknown */
static inline bool fxt_state_is_defined(uint8_t state, uint8_t unknown)
{
	return state <= FXT_THREAD_DEAD || (unknown && state == FXT_SCHED_STATE_UNKNOWN);
}

/** fxt_sched_arguments() - fill in what arguments say of a switch or wakeup */
void fxt_sched_arguments(struct fxt_content *c);

#endif /* LIBFXT_READER_SCHED_ARGS_H */
