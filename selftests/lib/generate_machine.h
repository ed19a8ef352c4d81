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

/**
 * struct stream - one producer's records
 * @is_kept: the archive has the stream from now on
 * @is_open: the archive has some of the stream
 * @opening: the opening ledger, if the archive is part of a recording
 * @head: the ledger of the newest sub-buffer
 * @last: time of the last record
 * @written: records so far
 * @subbufs: sub-buffers begun
 * @filled: words in use of the open sub-buffer
 * @used: number of @words in use: those that are not in the file yet
 */
struct stream {
	bool is_kept;
	bool is_open;
	struct fxt_ledger opening;
	struct fxt_ledger head;
	uint64_t last;
	uint64_t written;
	uint32_t subbufs;
	uint32_t filled;
	uint32_t used;
	__u64 words[SUBBUF_WORDS + FXT_LEDGER_WORDS];
};

/**
 * struct thread - a slot for threads, one after another
 * @next: slot of the next thread on the same run queue
 * @woken: time of the wakeup, until the thread runs; else 0
 */
struct thread {
	uint32_t tid;
	uint32_t tgid;
	const char *name;
	int32_t weight;
	uint32_t next;
	uint64_t woken;
};

/**
 * struct cpu - a CPU
 * @current: slot of the running thread
 * @head: slot of the first thread of the run queue, NOBODY if it is empty
 * @tail: slot of the last thread
 */
struct cpu {
	uint32_t current;
	uint32_t head;
	uint32_t tail;
};

/**
 * struct machine - the simulated machine
 * @is_kept: the archive has begun
 * @worst: the switch to the thread that had waited longest, of those in the archive
 * @streams: one per CPU, then that of the names
 * @threads: slot 0 is the idle thread
 * @sleepers: slots of the sleeping threads
 */
struct machine {
	const struct generate_wishes *wishes;
	struct fxt_writer *w;
	bool is_kept;
	struct {
		uint64_t time, latency;
		uint32_t tid, cpu;
	} worst;
	uint64_t now;
	uint64_t hand_over;
	uint64_t random;
	unsigned int cpu_count;
	unsigned int sleeper_count;
	uint32_t next_tid;
	struct cpu *cpus;
	struct stream *streams;
	struct thread *threads;
	uint32_t *sleepers;
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
