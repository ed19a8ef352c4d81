/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * net.bpf.h - sockets that get data for a thread that waits.
 *
 * In:  sockets whose data arrive, before their waiters are woken.
 * Out: records of fxt_sched_net.h in the ring of the CPU.
 *
 * Context: a soft interrupt, or a thread that serves one or releases the socket; on some paths with
 * interrupts off.
 */
#ifndef BPF_NET_BPF_H
#define BPF_NET_BPF_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_endian.h>

#include "events.bpf.h"
#include "fxt/fxt_sched_net.h"
#include "kernel_types.h"
#include "nested.bpf.h"

#define TCP_LENGTH	12	/* in a TCP header, offset of the byte with the header's length */
#define TCP_LENGTH_WORDS(byte)	((byte) >> 4)	/* words of 4 bytes */

/*
 * Unread bytes, if it is a TCP stream. The stream's end (SOCK_DONE) counts as a byte until it is
 * read.
 */
static __always_inline __u32 unread_of(struct sock *sk)
{
	const struct tcp_sock *tcp = (void *)sk;

	__s32 bytes = BPF_CORE_READ(tcp, rcv_nxt) - BPF_CORE_READ(tcp, copied_seq) -
		      (sk->__sk_common.skc_flags >> FXT_LINUX_SOCK_DONE & 1);

	return bytes > 0 ? bytes : 0;
}

static __always_inline __u32 arrived_in(struct sk_buff *skb)
{
	__u8 header = 0;

	bpf_probe_read_kernel(&header, sizeof(header), (const char *)skb->data + TCP_LENGTH);
	return skb->len - 4 * TCP_LENGTH_WORDS(header);
}

/* Without a barrier, a thread that is just beginning to wait may be missed. It need not sleep. */
static __always_inline bool is_waited_for(struct sock *sk)
{
	struct socket_wq *wq = BPF_CORE_READ(sk, sk_wq);
	struct list_head *next;

	if (!wq)
		return false;
	next = BPF_CORE_READ(wq, wait.head.next);
	return (__u64)next != (__u64)&wq->wait.head;
}

/* @bytes: if it is a TCP stream */
static __always_inline int on_data(struct sock *sk, __u32 bytes)
{
	struct fxt_sched_socket s = {
		.family = sk->__sk_common.skc_family, .type = sk->sk_type,
		.protocol = sk->sk_protocol, .state = sk->__sk_common.skc_state,
		.local_port = sk->__sk_common.skc_num,
		.remote_port = bpf_ntohs(sk->__sk_common.skc_dport), .bytes = bytes,
	};
	struct place at;

	if (!is_recording() || !fxt_sched_has_data(&s) || !is_waited_for(sk))
		return 0;
	ring_find(&at);
	if (keeps_of_any(&at))
		RECORD_EVENT(&at, rec, fxt_sched_put_data(rec, at.time, at.cpu, &s));
	return 0;
}

#endif /* BPF_NET_BPF_H */
