/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * samples.h - samples for Perfetto of where threads were off their CPUs.
 *
 * In: sleeps with their stacks, and what the addresses mean.
 * Out: BLOBs with Perfetto's packets: a sample on the thread at the time of its switch-in, which
 * weighs the ns since its switch-out; each function, mapping and stack is written once, before the
 * first sample that has it.
 */
#ifndef FXT_COLLECT_SYMBOLS_SAMPLES_H
#define FXT_COLLECT_SYMBOLS_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libfxt/stacks.h"

struct chunk;
struct fxt_writer;
struct sleep_gap;
struct sleep_mark;
struct sleep_stream;
struct source_config;

/* --- sleeps ----------------------------------------------------------------------------- */

/*
 * Time off CPU of the threads that have stacks.
 *
 * In:  chunks of CPUs with switches and stacks; those of different CPUs come in any order.
 * Out: at the end of the archive, each stack of a thread that slept or was preempted, with the
 * time since the thread's switch-out.
 */

/** struct sleeps - sleeps of the current archive */
struct sleeps {
	bool is_on;		/* sleeps are collected */
	bool preempted;		/* preemptions are collected, too */
	bool overwrites;	/* old records may be gone */
	uint64_t min;		/* ns of the shortest sleep that has a stack */
	uint64_t ticks_per_second;	/* of all times */
	size_t most;		/* marks at most: SLEEPS_MARKS */
	struct sleep_mark *marks;	/* switch-outs, and switch-ins with a stack; @count of
					 * them, @room for more */
	size_t count;
	size_t room;
	bool is_full;		/* there is no room for more, and nothing can be forgotten */
	size_t free;		/* index + 1 of the first mark that is free, 0 for none */
	struct fxt_call_stacks stacks;	/* each once */
	struct sleep_stream **streams;	/* of CPUs, @stream_count of them; NULL for a CPU without
					 * records */
	size_t stream_count;
	struct sleep_gap *gaps;	/* times whose records are gone, @gap_count of them */
	size_t gap_count;
	uint64_t dropped;	/* number of switch-outs and stacks without room */
};

/**
 * sleeps_open() - begin
 * @s: the sleeps
 * @c: what is recorded: with stacks of threads that were off their CPUs, @is_on is set. Not if
 *	a filter excludes CPUs, on which threads may have run meanwhile
 * @ticks_per_second: of the times of records
 */
void sleeps_open(struct sleeps *s, const struct source_config *c,
		 uint64_t ticks_per_second);

/** sleeps_chunk() - take a chunk of a CPU, which begins with a ledger. Return: 0 or -ENOMEM */
int sleeps_chunk(struct sleeps *s, const struct chunk *c);

/** sleeps_finish() - prepare sleeps_next(), after the last chunk of the archive */
void sleeps_finish(struct sleeps *s);

/** sleeps_restart() - forget everything except @dropped; another archive begins */
void sleeps_restart(struct sleeps *s);

/** sleeps_close() - free all */
void sleeps_close(struct sleeps *s);

/* --- samples ---------------------------------------------------------------------------- */

/** struct sample_frame - where an address is */
struct sample_frame {
	const char *function;	/* name, NULL if it is unknown */
	const char *mapping;	/* path of the file that has it, or name of the kernel's module;
				 * NULL if unknown */
	const unsigned char *build_id;	/* of @mapping, @build_id_bytes of it */
	size_t build_id_bytes;
	uint64_t start;		/* first address of @mapping; @end is the one after it; both 0 in
				 * the kernel, because Perfetto gives each process a mapping of its
				 * own for a range */
	uint64_t end;
	uint64_t offset;	/* of the address in @mapping */
};

/**
 * sample_find - find what an address belongs to
 * @arg: of samples_write()
 * @process: process of the address; 0: the kernel
 * @address: inside the function
 * @frame: all zero; filled in as far as it is known, valid until the next call
 */
typedef void (*sample_find)(void *arg, uint32_t process, uint64_t address,
			    struct sample_frame *frame);

/**
 * samples_write() - write all samples of an archive
 * @sleeps: the sleeps, after sleeps_finish()
 * @w: the archive; the strings of fxt_sched.h are registered
 * @find: finds addresses
 * @arg: its first argument
 *
 * "BLOB record (record type = 5)" of Perfetto's type. Addresses that have the same meaning in
 * two processes are one function of one mapping.
 *
 * Return: 0, -ENOMEM or a negative errno of writing.
 */
int samples_write(struct sleeps *sleeps, struct fxt_writer *w, sample_find find, void *arg);

#endif /* FXT_COLLECT_SYMBOLS_SAMPLES_H */
