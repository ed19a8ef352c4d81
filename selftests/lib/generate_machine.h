/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A simulated machine: its CPUs, its threads, and the streams that its producers write. */
#ifndef SELFTESTS_GENERATE_MACHINE_H
#define SELFTESTS_GENERATE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include <fxt/fxt_sched.h>

#define SUBBUF_WORDS	((64U << 10) / FXT_WORD)

struct fxt_writer;
struct generate_wishes;

struct stream {
	bool is_kept;	/* the archive has the stream from now on */
	bool is_open;	/* the archive has some of the stream */
	/* the opening ledger, if the archive is part of a recording */
	struct fxt_ledger opening;
	struct fxt_ledger head;	/* the ledger of the newest sub-buffer */
	uint64_t last;	/* time of the last record */
	uint64_t written;	/* records so far */
	uint32_t subbufs;	/* sub-buffers begun */
	uint32_t filled;	/* words in use of the open sub-buffer */
	uint32_t used;	/* number of @words in use: those that are not in the file yet */
	__u64 words[SUBBUF_WORDS + FXT_LEDGER_WORDS];
};

/* a slot for threads, one after another */
struct thread {
	uint32_t tid;
	uint32_t tgid;
	const char *name;
	int32_t weight;
	uint32_t next;	/* slot of the next thread on the same run queue */
	uint64_t woken;	/* time of the wakeup, until the thread runs; else 0 */
};

struct cpu {
	uint32_t current;	/* slot of the running thread */
	uint32_t head;	/* slot of the first thread of the run queue, NOBODY if it is empty */
	uint32_t tail;	/* slot of the last thread */
};

struct machine {
	const struct generate_wishes *wishes;
	struct fxt_writer *w;
	bool is_kept;	/* the archive has begun */
	struct {
		uint64_t time, latency;
		uint32_t tid, cpu;
	/* the switch to the thread that had waited longest, of those in the archive */
	} worst;
	uint64_t now;
	uint64_t hand_over;
	uint64_t random;
	unsigned int cpu_count;
	unsigned int sleeper_count;
	uint32_t next_tid;
	struct cpu *cpus;
	struct stream *streams;	/* one per CPU, then that of the names */
	struct thread *threads;	/* slot 0 is the idle thread */
	uint32_t *sleepers;	/* slots of the sleeping threads */
};

/* Include a stream in the archive from now on. */
void machine_keep(struct stream *s, uint32_t sequence, uint64_t time);

/* Write @records records to a stream, at the present time. They stay in one sub-buffer. */
int machine_put(struct machine *m, struct stream *s, const __u64 *rec, uint32_t words,
		uint32_t records);

struct stream *machine_names(struct machine *m);

/* Write all partly filled sub-buffers. */
int machine_flush(struct machine *m);

/* Write the closing ledgers. */
int machine_finish(struct machine *m);

#endif /* SELFTESTS_GENERATE_MACHINE_H */
