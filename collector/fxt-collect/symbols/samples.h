/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * samples.h - where threads were off their CPUs, for Perfetto.
 *
 * In: sleeps with their stacks, and what the addresses mean. Out: BLOBs with Perfetto's packets:
 * a sample on the thread at the time of its switch-in, which weighs the ns since its switch-out;
 * each function, mapping and stack is written once, before the first sample that has it.
 */
#ifndef FXT_COLLECT_SYMBOLS_SAMPLES_H
#define FXT_COLLECT_SYMBOLS_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fxt_writer;
struct sleeps;

/**
 * struct sample_frame - where an address is
 * @function: name, NULL if it is unknown
 * @mapping: path of the file that has it, or name of the kernel's module; NULL if unknown
 * @build_id: of @mapping, @build_id_bytes of it
 * @start: first address of @mapping; @end is the one after it; both 0 in the kernel, because
 *	Perfetto gives each process a mapping of its own for a range
 * @offset: of the address in @mapping
 */
struct sample_frame {
	const char *function;
	const char *mapping;
	const unsigned char *build_id;
	size_t build_id_bytes;
	uint64_t start;
	uint64_t end;
	uint64_t offset;
};

/**
 * sample_find - find out where an address is
 * @arg: of samples_write()
 * @process: whose address it is; 0 of addresses in the kernel
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
