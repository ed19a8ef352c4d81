// SPDX-License-Identifier: GPL-2.0-only
/*
 * net.c - sockets that get data for a thread that waits.
 *
 * In:  sockets whose data arrive, before their waiters are woken.
 * Out: records of fxt_sched_net.h in the stream of the CPU.
 *
 * Context: a soft interrupt, or a thread that serves one or releases the socket; on some paths with
 * interrupts disabled.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/socket.h>
#include <linux/tcp.h>
#include <linux/wait.h>
#include <net/sock.h>
#include <net/tcp_states.h>
#include <trace/events/sock.h>
#include <trace/events/tcp.h>

#include <fxt/fxt_sched_net.h>

#include "compat.h"
#include "event.h"
#include "probes.h"

static_assert(FXT_LINUX_AF_UNIX == AF_UNIX);
static_assert(FXT_LINUX_AF_INET == AF_INET);
static_assert(FXT_LINUX_AF_INET6 == AF_INET6);
static_assert(FXT_LINUX_SOCK_STREAM == SOCK_STREAM);
static_assert(FXT_LINUX_SOCK_DGRAM == SOCK_DGRAM);
static_assert(FXT_LINUX_TCP == IPPROTO_TCP);
static_assert(FXT_LINUX_UDP == IPPROTO_UDP);
static_assert(FXT_LINUX_TCP_LISTEN == TCP_LISTEN);
static_assert(FXT_LINUX_SOCK_DONE == SOCK_DONE);

static bool fxt_is_waited_for(const struct sock *sk)
{
	struct socket_wq *wq;
	bool ret;

	rcu_read_lock();
	wq = rcu_dereference(sk->sk_wq);
	/*
	 * Without a barrier, a thread that is just beginning to wait may be missed. It need not
	 * sleep.
	 */
	ret = wq && waitqueue_active(&wq->wait);
	rcu_read_unlock();
	return ret;
}

/*
 * Unread bytes of a TCP stream; older kernels do not need them, see compat.h. The stream's end
 * (SOCK_DONE) counts as a byte until it is read.
 */
static inline u32 fxt_unread(const struct sock *sk)
{
	s32 bytes = READ_ONCE(tcp_sk(sk)->rcv_nxt) - READ_ONCE(tcp_sk(sk)->copied_seq) -
		    sock_flag(sk, SOCK_DONE);

	return max(bytes, 0);
}

static void FXT_PROBE_DATA(fxt_probe_data)
{
	struct fxt_sched_socket s = {
		.family = sk->sk_family, .type = sk->sk_type, .protocol = sk->sk_protocol,
		.state = sk->sk_state, .local_port = sk->sk_num,
		.remote_port = ntohs(sk->sk_dport),
	};
	struct fxt_event e;

	if (fxt_sched_is_tcp(&s))
		s.bytes = FXT_DATA_BYTES(sk);
	if (fxt_sched_has_data(&s) && fxt_is_waited_for(sk) &&
	    fxt_event_begin_of_any(data, &e, FXT_SCHED_DATA_WORDS))
		fxt_event_end(&e, fxt_sched_put_data(e.rec, e.time, e.s->id, &s));
}

static struct fxt_probe fxt_net_probes[] = {
	FXT_DATA_PROBE(fxt_probe_data),
};

const struct fxt_group fxt_net_group = FXT_GROUP(FXT_SCHED_EVENTS_NET, fxt_net_probes);
