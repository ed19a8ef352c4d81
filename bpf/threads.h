/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * threads.h - what the BPF programs and source_bpf share about the tables of threads.
 */
#ifndef BPF_THREADS_H
#define BPF_THREADS_H

/* Threads in an element of the map "renames": elements have at least 8 bytes. */
#define FXT_RENAMES_PER_ELEMENT	4

#endif /* BPF_THREADS_H */
