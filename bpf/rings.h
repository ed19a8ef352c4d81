/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * rings.h - what the BPF programs and source_bpf share about finding the rings.
 */
#ifndef BPF_RINGS_H
#define BPF_RINGS_H

/*
 * Constants in the programs that user space replaces: the address of the only element of
 * "rings", and a mask for CPU numbers.
 */
#define FXT_BPF_RINGS_MARK	0x6678745f72696e67
#define FXT_BPF_CPUS_MARK	0x66787463

#define FXT_BPF_CPUS_MOST	(1U << 16)

/*
 * Another such constant: the last word of a sub-buffer at which an event's record can begin so
 * that there is room for another record after it; 0 with a filter or a trigger.
 */
#define FXT_BPF_FAST_MARK	0x66787466

/*
 * The same for "subbufs", if one element has all sub-buffers: its address, the size of a
 * sub-buffer, and the number of sub-buffers, which is 0 if each has its own element.
 */
#define FXT_BPF_SUBBUF_MARK		0x6678745f73756262
#define FXT_BPF_SUBBUF_BYTES_MARK	0x66787462
#define FXT_BPF_SUBBUFS_MARK		0x6678746d

/* The verifier lets programs add up to half a GiB to an address. */
#define FXT_BPF_SUBBUFS_BYTES	(1U << 28)

/* Another such constant: can programs that write be interrupted? */
#define FXT_BPF_NESTING_MARK	0x66787476

#endif /* BPF_RINGS_H */
