/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * losses.h - the records of streams that are not of their producers: ledgers, losses, marks.
 *
 * In: how far a stream has come, and what it has lost.
 * Out: records, also by a writer that interns. FXT_SCHED_STRINGS are registered.
 */
#ifndef LIBFXT_WRITER_LOSSES_H
#define LIBFXT_WRITER_LOSSES_H

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"

/** struct fxt_loss - a gap in a stream */
struct fxt_loss {
	uint32_t stream;
	uint32_t provider;
	uint64_t records;
	uint64_t last;		/* ticks of the last record before it, 0 if there is none */
	uint64_t begin;		/* ticks of its begin without such a record */
	uint64_t end;		/* ticks of the first record after it, or of the end */
	/*
	 * The thread that had the CPU before it may have been switched out at any time since. So a
	 * switch ends its run at @last. 0: that is the idle thread, or unknown.
	 */
	uint64_t thread;
	int32_t weight;
};

/** struct fxt_loss_names - the names that an archive has; a bit for each stream */
struct fxt_loss_names {
	bool has_process;
	uint64_t streams[(FXT_LEDGER_STREAM_NAMES + 1) / 64];
};

/** fxt_ledger_of() - the ledger in a BLOB. Return: false if it is not a ledger */
bool fxt_ledger_of(const struct fxt_content *c, struct fxt_ledger *l);

/* The following return 0 or an error of the writer. */

int fxt_ledger_write(struct fxt_writer *w, const struct fxt_ledger *l);

/** fxt_loss_write() - write a provider event, as specified, and a slice on a track of its own */
int fxt_loss_write(struct fxt_writer *w, const struct fxt_loss *l, struct fxt_loss_names *names);

/** fxt_mark_write() - write a mark (fxt_mark.h) */
int fxt_mark_write(struct fxt_writer *w, uint64_t time, uint32_t cpu, uint32_t kind,
		   uint64_t thread, int32_t weight);

#endif /* LIBFXT_WRITER_LOSSES_H */
