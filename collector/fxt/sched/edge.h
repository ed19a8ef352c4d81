/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edge.h - which thread has a CPU where its recording begins or ends.
 */
#ifndef FXT_SCHED_EDGE_H
#define FXT_SCHED_EDGE_H

#include "data.h"

/** sched_take_edge() - take a mark. Return: 0 or a negative errno */
int sched_take_edge(struct sched_model *m, const struct fxt_record *rec,
		    const struct fxt_switch *sw) __attribute__((cold));

/**
 * sched_stream_begins() - take the first ledger of a stream, before its first event
 * @m: the model
 * @s: the stream
 * @ns: time of the ledger
 * @kind: enum fxt_ledger_kind
 */
void sched_stream_begins(struct sched_model *m, struct sched_stream *s, uint64_t ns,
			 uint32_t kind) __attribute__((cold));

/** sched_stream_ends() - take its closing ledger: until then nothing else happened */
void sched_stream_ends(struct sched_model *m, struct sched_stream *s, uint64_t ns)
	__attribute__((cold));

/**
 * sched_first_run() - take the first switch of a stream, or a mark of its end
 * @s: the stream, whose @first_run waits
 * @ns: time of the switch
 * @sw: the switch, whose outgoing thread has had the CPU until then
 */
void sched_first_run(struct sched_stream *s, uint64_t ns, const struct fxt_switch *sw)
	__attribute__((cold));

#endif /* FXT_SCHED_EDGE_H */
