/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * losses.h - the records of streams that no producer writes: ledgers, losses, marks.
 *
 * FXT_SCHED_STRINGS must be registered. Writers may intern.
 */
#ifndef LIBFXT_WRITER_LOSSES_H
#define LIBFXT_WRITER_LOSSES_H

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"

/* The thread that has a CPU; zeros: unknown. */
struct fxt_owner {
	uint64_t thread;	/* koid; 0 is the idle thread */
	int32_t weight;
	bool is_known;
};

/* How far a stream has come in an archive. */
struct fxt_progress {
	uint32_t stream;
	uint32_t provider;
	uint64_t written;	/* records so far, including lost ones */
	uint64_t lost;
	uint64_t last;		/* ticks of the last record; 0: none */
	uint64_t begun;		/* ticks from which the archive has all of it */
	struct fxt_owner has;	/* has the CPU after the last record */
	uint32_t next;		/* number of the next sub-buffer */
};

/* The names that an archive has; a bit for each stream. */
struct fxt_loss_names {
	bool has_process;
	uint64_t streams[(FXT_LEDGER_STREAM_NAMES + 1) / 64];
};

/* Return: false if the BLOB is not a ledger. */
bool fxt_ledger_of(const struct fxt_content *c, struct fxt_ledger *l);

/* The following return 0 or an error of the writer. */

/* @time: ticks */
int fxt_ledger_write(struct fxt_writer *w, const struct fxt_progress *p, enum fxt_ledger_kind kind,
		     uint64_t time);

/*
 * Report @records that were lost after the last one, if any: a provider event, as specified, and a
 * slice on a track of its own. @to: ticks of the first record after the gap, or of the end
 *
 * The thread that had the CPU may have left it at any time since. So a switch ends its run, and the
 * stream forgets it. The lost records are added to @p->lost, but not to @p->written, which most
 * producers count.
 */
int fxt_loss_write(struct fxt_writer *w, struct fxt_progress *p, uint64_t records, uint64_t to,
		   struct fxt_loss_names *names);

int fxt_mark_write(struct fxt_writer *w, uint32_t cpu, uint32_t kind, uint64_t time,
		   const struct fxt_owner *owner);

#endif /* LIBFXT_WRITER_LOSSES_H */
