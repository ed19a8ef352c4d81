/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * generate_machine.h - a simulated machine: its CPUs, its threads, and the streams that
 * its producers write.
 */
#ifndef SELFTESTS_GENERATE_MACHINE_H
#define SELFTESTS_GENERATE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include <fxt/fxt_sched.h>

#define SUBBUF_WORDS	((64U << 10) / FXT_WORD)

struct fxt_writer;
struct generate_wishes;

/** struct stream - one producer's records */
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

/** struct thread - a slot for threads, one after another */
struct thread {
	uint32_t tid;
	uint32_t tgid;
	const char *name;
	int32_t weight;
	uint32_t next;	/* slot of the next thread on the same run queue */
	uint64_t woken;	/* time of the wakeup, until the thread runs; else 0 */
};

/** struct cpu - a CPU */
struct cpu {
	uint32_t current;	/* slot of the running thread */
	uint32_t head;	/* slot of the first thread of the run queue, NOBODY if it is empty */
	uint32_t tail;	/* slot of the last thread */
};

/** struct machine - the simulated machine */
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

/** machine_keep() - include a stream in the archive from now on */
void machine_keep(struct stream *s, uint32_t sequence, uint64_t time);

/**
 * machine_put() - write records to a stream, at the present time
 * @m: the machine
 * @s: the stream
 * @rec: the records
 * @words: their size; they stay in one sub-buffer
 * @records: their number
 *
 * Return: 0 or a negative errno.
 */
int machine_put(struct machine *m, struct stream *s, const __u64 *rec, uint32_t words,
		uint32_t records);

/** machine_names() - the stream of names */
struct stream *machine_names(struct machine *m);

/** machine_flush() - write all partly filled sub-buffers; 0 or a negative errno */
int machine_flush(struct machine *m);

/** machine_finish() - write the closing ledgers; 0 or a negative errno */
int machine_finish(struct machine *m);

#endif /* SELFTESTS_GENERATE_MACHINE_H */
