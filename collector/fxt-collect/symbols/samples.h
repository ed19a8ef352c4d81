/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * samples.h - samples for Perfetto of where threads were off their CPUs.
 *
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
 * Time off CPU of the threads that have stacks: each stack of a thread that slept or was preempted,
 * with the time since its switch-out. Chunks of different CPUs come in any order.
 */
struct sleeps {
	bool is_on;		/* sleeps are collected */
	bool preempted;		/* preemptions are collected, too */
	bool overwrites;	/* old records may be gone */
	uint64_t min;		/* ns of the shortest sleep that has a stack */
	uint64_t ticks_per_second;	/* of all times */
	size_t most;		/* marks at most: SLEEPS_MARKS */
	struct sleep_mark *marks;	/* switch-outs, and switch-ins with a stack */
	size_t count;
	size_t room;
	bool is_full;		/* there is no room for more, and nothing can be forgotten */
	size_t free;		/* index + 1 of the first mark that is free, 0 for none */
	struct fxt_call_stacks stacks;	/* each once */
	struct sleep_stream **streams;	/* of CPUs; NULL for one without records */
	size_t stream_count;
	struct sleep_gap *gaps;	/* times whose records are gone */
	size_t gap_count;
	uint64_t dropped;	/* switch-outs and stacks without room */
};

/**
 * sleeps_open() - begin
 * @c: what is recorded: with stacks of threads that were off their CPUs, @is_on is set. Not if a
 *	filter excludes CPUs, on which threads may have run meanwhile
 * @ticks_per_second: of the times of records
 */
void sleeps_open(struct sleeps *s, const struct source_config *c,
		 uint64_t ticks_per_second);

/* Take a chunk of a CPU, which begins with a ledger. Return: 0 or -ENOMEM */
int sleeps_chunk(struct sleeps *s, const struct chunk *c);

/* Prepare samples_write(), after the last chunk of the archive. */
void sleeps_finish(struct sleeps *s);

/* Forget everything except @dropped; another archive begins. */
void sleeps_restart(struct sleeps *s);

void sleeps_close(struct sleeps *s);

/* --- samples ---------------------------------------------------------------------------- */

/* Where an address is. */
struct sample_frame {
	const char *function;	/* NULL if it is unknown */
	const char *mapping;	/* path of the file, or the kernel's module; NULL if unknown */
	const unsigned char *build_id;	/* of @mapping */
	size_t build_id_bytes;
	/*
	 * First address of @mapping, and the one after it. Both are 0 in the kernel, because
	 * Perfetto gives each process a mapping of its own for a range.
	 */
	uint64_t start;
	uint64_t end;
	uint64_t offset;	/* of the address in @mapping */
};

/*
 * Finds what an address inside a function belongs to; @process 0 is the kernel. @frame is all zero,
 * filled in as far as it is known, and valid until the next call.
 */
typedef void (*sample_find)(void *arg, uint32_t process, uint64_t address,
			    struct sample_frame *frame);

/**
 * samples_write() - write all samples of an archive, as "BLOB record (record type = 5)"
 * @sleeps: after sleeps_finish()
 * @w: has the strings of fxt_sched.h
 *
 * Addresses that have the same meaning in two processes are one function of one mapping.
 *
 * Return: 0, -ENOMEM or a negative errno of writing.
 */
int samples_write(struct sleeps *sleeps, struct fxt_writer *w, sample_find find, void *arg);

#endif /* FXT_COLLECT_SYMBOLS_SAMPLES_H */
