/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_sched_ledger.h - ledgers: how many records each producer has written and lost.
 */
#ifndef FXT_FXT_SCHED_LEDGER_H
#define FXT_FXT_SCHED_LEDGER_H

#include "fxt_blob.h"
#include "fxt_sched_ids.h"

/*
 * A stream has the records of one producer, in order. Each CPU has a stream, and the names have
 * one. Each sub-buffer of a stream begins with a ledger: a BLOB record of fixed size with the
 * numbers of records that the producer has written and lost so far. The records between a ledger
 * and the next ledger of any stream belong to its stream. The archive ends with one closing ledger
 * per stream. So the archive alone proves
 *
 *     written = stored + lost
 *
 * for the whole and for each gap. Ledgers do not count themselves.
 *
 * An archive may be part of a recording: a segment, or a snapshot of a flight recorder. Each of its
 * streams begins with an opening ledger, whose counts are those from before the archive; the sums
 * start from these. In an archive of a whole recording, a CPU's stream has an opening ledger if it
 * begins with a mark (fxt_mark.h); its counts are 0.
 */
#define FXT_LEDGER_WORDS	6
#define FXT_LEDGER_BYTES	((FXT_LEDGER_WORDS - 1) * FXT_WORD)	/* payload */
#define FXT_LEDGER_HEADER \
	fxt_blob(FXT_LEDGER_WORDS, FXT_STR_LEDGER, FXT_LEDGER_BYTES, FXT_BLOB_DATA)

/* Payload word 0, followed by time, last, written, lost. */
#define FXT_LEDGER_STREAM	FXT_BITS(0, 15)
#define FXT_LEDGER_VERSION	FXT_BITS(16, 23)
#define FXT_LEDGER_KIND		FXT_BITS(24, 31)
#define FXT_LEDGER_SEQUENCE	FXT_BITS(32, 63)

#define FXT_LEDGER_VERSION_1	1
#define FXT_LEDGER_STREAM_NAMES	0xffff	/* not a CPU: the stream of names */

enum fxt_ledger_kind {
	FXT_LEDGER_HEAD		= 0,	/* begins a sub-buffer */
	FXT_LEDGER_CONTINUED	= 1,	/* continues the sub-buffer of that sequence */
	FXT_LEDGER_CLOSING	= 2,	/* the stream ends here */
	FXT_LEDGER_OPENING	= 3,	/* the stream begins here */
};

struct fxt_ledger {
	__u32 stream;	/* CPU number, or FXT_LEDGER_STREAM_NAMES */
	__u32 kind;	/* enum fxt_ledger_kind */
	/*
	 * number of this sub-buffer in its stream, from 0; in an opening or closing ledger, of the
	 * next one
	 */
	__u32 sequence;
	/*
	 * ticks of the first record that follows; in a closing ledger, of the stop; in an opening
	 * ledger, the time from which the archive has all records of the stream
	 */
	__u64 time;
	__u64 last;	/* ticks of the last record stored before this ledger; 0: none */
	__u64 written;	/* records that the producer wrote or tried to write so far */
	__u64 lost;	/* those of them for which there was no room */
};

static __always_inline __u64 fxt_ledger_word(__u32 stream, __u32 kind, __u32 sequence)
{
	return fxt_put(FXT_LEDGER_STREAM, stream) |
	       fxt_put(FXT_LEDGER_VERSION, FXT_LEDGER_VERSION_1) |
	       fxt_put(FXT_LEDGER_KIND, kind) |
	       fxt_put(FXT_LEDGER_SEQUENCE, sequence);
}

/* "BLOB record (record type = 5)" of type data. */
static __always_inline void fxt_sched_put_ledger(__u64 *rec, const struct fxt_ledger *l)
{
	rec[0] = FXT_LEDGER_HEADER;
	rec[1] = fxt_ledger_word(l->stream, l->kind, l->sequence);
	rec[2] = l->time;
	rec[3] = l->last;
	rec[4] = l->written;
	rec[5] = l->lost;
}

/*
 * @rec: FXT_LEDGER_WORDS are readable. Return: 1, and @l is set, if @rec is a ledger of a known
 * version; else 0.
 */
static __always_inline int fxt_sched_get_ledger(const __u64 *rec, struct fxt_ledger *l)
{
	if (rec[0] != FXT_LEDGER_HEADER ||
	    fxt_get(FXT_LEDGER_VERSION, rec[1]) != FXT_LEDGER_VERSION_1)
		return 0;
	l->stream = fxt_get(FXT_LEDGER_STREAM, rec[1]);
	l->kind = fxt_get(FXT_LEDGER_KIND, rec[1]);
	l->sequence = fxt_get(FXT_LEDGER_SEQUENCE, rec[1]);
	l->time = rec[2];
	l->last = rec[3];
	l->written = rec[4];
	l->lost = rec[5];
	return 1;
}

#endif /* FXT_FXT_SCHED_LEDGER_H */
