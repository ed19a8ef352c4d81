/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * threads.h - what the BPF programs and source_bpf share about the tables of threads.
 */
#ifndef BPF_THREADS_H
#define BPF_THREADS_H

/* Threads in an element of the map "renames": elements have at least 8 bytes. */
#define FXT_RENAMES_PER_ELEMENT	4

/*
 * Constants in the programs that user space replaces: the address of the only element of
 * "threads"; the number of threads in it, a power of two; and a mask for the offset of a thread in
 * it, in bytes.
 */
#define FXT_BPF_THREADS_MARK	0x6678745f74687264
#define FXT_BPF_NEAR_MARK	0x6678746e
#define FXT_BPF_PLACES_MARK	0x66787470

#define FXT_BPF_THREAD_BYTES	8	/* size of struct thread */

/* Before Linux 5.17, an element of a map has at most 4 MiB. */
#define FXT_BPF_NEAR_THREADS	(1U << 19)

#endif /* BPF_THREADS_H */
