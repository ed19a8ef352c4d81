/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * buffers.h - the buffers of a trace.dat: the top one, and those of instances (trace-cmd -B).
 *
 * In: the file.
 * Out: from which of its buffers events of each kind are read.
 *
 * Two buffers may have the same events, at times that differ a little. So all events of a kind
 * are of one buffer, which has most of them. Beginnings and ends count as one kind.
 */
#ifndef FXT_FORMATS_TRACE_DAT_BUFFERS_H
#define FXT_FORMATS_TRACE_DAT_BUFFERS_H

#include <stdbool.h>
#include <stdint.h>

#include <trace-cmd.h>

#include "formats/tep/events.h"

/**
 * struct tracecmd_buffer - one of them
 * @input: NULL if the library cannot read it
 * @name: of the instance, printable; empty: the top buffer
 * @left_out: events that are not converted, because another buffer has the kind
 */
struct tracecmd_buffer {
	struct tracecmd_input *input;
	char name[64];
	uint64_t left_out;
};

/**
 * struct tracecmd_buffers - all of a file; begins as zeros
 * @from: by kind, the index of the buffer; -1: no buffer has it
 * @has_wakeups: the file has sched_wakeup
 * @page: bytes of a page of the buffers
 */
struct tracecmd_buffers {
	struct tracecmd_buffer *all;
	int count;
	int from[TRACE_KINDS];
	bool has_wakeups;
	uint32_t page;
	struct tep_events formats;
};

/**
 * tracecmd_buffers_open() - open the buffers, and choose from which one each kind is
 * @b: zeros
 * @fd: the file; the caller still owns it
 *
 * Return: 0; -EBADMSG if the library cannot open the file; -ENOMEM.
 */
int tracecmd_buffers_open(struct tracecmd_buffers *b, int fd);

void tracecmd_buffers_close(struct tracecmd_buffers *b);

/**
 * tracecmd_record_fits() - is a record within its page?
 *
 * The library takes the size of a record from the file, and does not compare it with the page,
 * behind which is other memory or none. tep_events_take() reads only records that fit.
 */
bool tracecmd_record_fits(const struct tracecmd_buffers *b, const struct tep_record *rec);

/** tracecmd_buffer_is_used() - is a kind of events of this buffer? */
bool tracecmd_buffer_is_used(const struct tracecmd_buffers *b, int index);

/** tracecmd_buffer_of() - index of the buffer that take() was called with */
int tracecmd_buffer_of(const struct tracecmd_buffers *b, struct tracecmd_input *input);

/**
 * tracecmd_buffers_walk() - call @take for all records by time; it stops if that returns not 0
 *
 * The number of the CPU is in the record.
 *
 * Return: 0 or -ENOMEM
 */
int tracecmd_buffers_walk(struct tracecmd_buffers *b,
			   int (*take)(struct tracecmd_input *input, struct tep_record *rec, int cpu,
				       void *arg), void *arg);

#endif /* FXT_FORMATS_TRACE_DAT_BUFFERS_H */
