/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perfetto.h - numbers in Perfetto's trace packets that all writers of packets use. */
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

#endif /* LIBPERFETTO_PERFETTO_H */
