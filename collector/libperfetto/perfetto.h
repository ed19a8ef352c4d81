/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfetto.h - numbers of Perfetto's trace packets that their writers agree on.
 */
#ifndef LIBPERFETTO_PERFETTO_H
#define LIBPERFETTO_PERFETTO_H

#include "trace.pb-c.h"

/* Perfetto's id of CLOCK_BOOTTIME, the clock of FXT times. */
#define PERFETTO_CLOCK_BOOT	6

/*
 * Each writer has a sequence of its own (trusted_packet_sequence_id): interned ids and defaults
 * hold within one.
 */
#define PERFETTO_SEQUENCE_HOST		1
#define PERFETTO_SEQUENCE_LIVES		2
#define PERFETTO_SEQUENCE_SAMPLES	4
#define PERFETTO_SEQUENCE_CONVERT	0x667874

/* sequence_flags */
#define PERFETTO_STATE_CLEARED	1	/* ids begin anew; Perfetto drops events before it */
#define PERFETTO_STATE_NEEDED	2	/* uses ids of former packets */

#endif /* LIBPERFETTO_PERFETTO_H */
