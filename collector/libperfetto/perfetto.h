/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perfetto.h - what readers and writers of Perfetto's trace packets share. */
#ifndef LIBPERFETTO_PERFETTO_H
#define LIBPERFETTO_PERFETTO_H

#include "trace.pb-c.h"

/* Perfetto's id of CLOCK_BOOTTIME, the clock of FXT times. */
#define PERFETTO_CLOCK_BOOT	6

/* Sequence ids of the writers: interned ids and defaults hold within a sequence. */
#define PERFETTO_SEQUENCE_HOST		1
#define PERFETTO_SEQUENCE_LIVES		2
#define PERFETTO_SEQUENCE_SAMPLES	4
#define PERFETTO_SEQUENCE_RAN		5
#define PERFETTO_SEQUENCE_CONVERT	0x667874

/* sequence_flags */
#define PERFETTO_STATE_CLEARED	1	/* ids begin anew; Perfetto drops earlier events */
#define PERFETTO_STATE_NEEDED	2	/* the packet uses ids of earlier ones */

/* Fields of FtraceEvent, and its events. */
enum perfetto_event {
	PERFETTO_EVENT_TIME	= 1,
	PERFETTO_EVENT_PID	= 2,
	PERFETTO_PRINT		= 3,
	PERFETTO_SWITCH		= 4,
	PERFETTO_EVENT_FLAGS	= 5,
	PERFETTO_FREQUENCY	= 11,
	PERFETTO_LIMITS		= 12,
	PERFETTO_IDLE		= 13,
	PERFETTO_WAKEUP		= 17,
	PERFETTO_BLOCKED	= 18,
	PERFETTO_WAKING		= 20,
	PERFETTO_SOFTIRQ_ENTRY	= 24,
	PERFETTO_SOFTIRQ_EXIT	= 25,
	PERFETTO_IRQ_ENTRY	= 36,
	PERFETTO_IRQ_EXIT	= 37,
	PERFETTO_WORK_END	= 57,
	PERFETTO_WORK_BEGIN	= 58,
	PERFETTO_WAKEUP_NEW	= 114,
	PERFETTO_NEWTASK	= 235,
	PERFETTO_RENAME		= 236,
	PERFETTO_EXEC		= 237,
	PERFETTO_EXIT		= 238,
	PERFETTO_FORK		= 239,
	PERFETTO_PRIORITY	= 353,
	PERFETTO_MIGRATE	= 491,
	PERFETTO_IO_START	= 546,
	PERFETTO_IO_DONE	= 547,
};

/* Set an optional field of a message. */
#define PERFETTO_SET(message, field, ...) do {		\
	(message)->has_##field = true;			\
	(message)->field = __VA_ARGS__;			\
} while (0)

#endif /* LIBPERFETTO_PERFETTO_H */
