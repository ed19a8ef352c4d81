/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * rings.h - what the BPF programs and source_bpf share about where the rings are.
 */
#ifndef BPF_RINGS_H
#define BPF_RINGS_H

/*
 * Constants in the programs that user space replaces: the address of the only element of
 * "rings", and a mask for the numbers of CPUs.
 */
#define FXT_BPF_RINGS_MARK	0x6678745f72696e67
#define FXT_BPF_CPUS_MARK	0x66787463

#define FXT_BPF_CPUS_MOST	(1U << 16)

/*
 * Another one: the last word of a sub-buffer at which an event's record can begin with room for
 * another record behind it; 0 with a filter or a trigger.
 */
#define FXT_BPF_FAST_MARK	0x66787466

/*
 * Likewise of "subbufs", if all sub-buffers are one element: its address, the size of a sub-buffer,
 * and how many there are. The number is 0 if each of them is an element.
 */
#define FXT_BPF_SUBBUF_MARK		0x6678745f73756262
#define FXT_BPF_SUBBUF_BYTES_MARK	0x66787462
#define FXT_BPF_SUBBUFS_MARK		0x6678746d

/* The verifier lets programs add half a GiB to an address. */
#define FXT_BPF_SUBBUFS_BYTES	(1U << 28)

/* Likewise: can programs that write be interrupted? */
#define FXT_BPF_NESTING_MARK	0x66787476

#endif /* BPF_RINGS_H */
