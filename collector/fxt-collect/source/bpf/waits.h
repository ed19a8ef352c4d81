/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waits.h - waits that go on make the trigger fire.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_WAITS_H
#define FXT_COLLECT_SOURCE_BPF_WAITS_H

#include <stddef.h>
#include <stdint.h>

struct fxt_bpf_hit;
struct fxt_bpf_wait;

/**
 * struct waits - what is known about threads that wait
 * @prog: descriptor of the program that judges the wait of one thread
 * @table: of all threads; NULL: nobody looks
 * @groups: FXT_WAITS_* of each group of threads
 * @threads: number of them
 * @latency: ns, of the trigger
 * @longest: the longest wait that went on when the program looked
 */
struct waits {
	int prog;
	struct fxt_bpf_wait *table;
	uint8_t *groups;
	size_t threads;
	uint64_t latency;
	const struct fxt_bpf_hit *longest;
};

/**
 * waits_open() - map the tables of the programs
 * @w: with @prog, @latency and @longest; the others are filled in
 * @table: descriptor of the map "waits"
 * @groups: descriptor of the map "wait_groups"
 * @threads: number of threads that they are for
 *
 * Return: 0 or a negative errno.
 */
int waits_open(struct waits *w, int table, int groups, size_t threads);

/**
 * waits_look() - let the trigger fire if a wait goes on for too long
 * @w: the waits
 * @now: ticks
 */
void waits_look(const struct waits *w, uint64_t now);

void waits_close(struct waits *w);

#endif /* FXT_COLLECT_SOURCE_BPF_WAITS_H */
