/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status.h - what people are told about a recording.
 */
#ifndef FXT_COLLECT_STATUS_H
#define FXT_COLLECT_STATUS_H

#include <stddef.h>
#include <stdint.h>

#include "options.h"
#include "stitch.h"

/**
 * struct stream_loss - the loss of one stream
 * @stream: CPU number or FXT_LEDGER_STREAM_NAMES
 * @lost: records
 */
struct stream_loss {
	uint32_t stream;
	uint64_t lost;
};

/**
 * struct summary - what the end of a recording tells
 * @duration: ns
 * @cpus: how many have records
 * @totals: of all streams
 * @threads: named
 * @processes: named
 * @bytes: of the archive
 * @losses: those of each stream that lost anything
 * @loss_count: of @losses
 * @skipped: events that the kernel did not show to the source
 */
struct summary {
	uint64_t duration;
	unsigned int cpus;
	struct stitch_totals totals;
	uint64_t threads;
	uint64_t processes;
	uint64_t bytes;
	struct stream_loss *losses;
	size_t loss_count;
	uint64_t skipped;
};

/** status_say() - print one line, the program's name first */
void status_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * status_summary() - print the end of a recording
 * @o: the options it was made with
 * @source: the source's name
 * @s: what there is to tell
 */
void status_summary(const struct options *o, const char *source,
		    const struct summary *s);

#endif /* FXT_COLLECT_STATUS_H */
