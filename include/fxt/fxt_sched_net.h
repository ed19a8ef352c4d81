/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_sched_net.h - sockets that get data for a thread that waits.
 *
 * In:  a socket whose data arrive, before its waiters are woken.
 * Out: finished event records (type 4), like those of fxt_sched_event.h.
 *
 * What the data wake follows immediately, in the same interrupt on the same CPU, so producers keep
 * nothing about sockets. Only sockets that somebody waits for, in a call or by epoll(7), are
 * recorded. Data of Unix sockets are not: their writer is the waker. Records have no addresses.
 */
#ifndef FXT_FXT_SCHED_NET_H
#define FXT_FXT_SCHED_NET_H

#include "fxt_sched_event.h"

#define FXT_SCHED_DATA_WORDS	(FXT_SCHED_EVENT_HEAD + 5)

/* The kernel's families, types and protocols of sockets, a state of TCP, a flag. */
#define FXT_LINUX_AF_UNIX	1
#define FXT_LINUX_AF_INET	2
#define FXT_LINUX_AF_INET6	10
#define FXT_LINUX_SOCK_STREAM	1
#define FXT_LINUX_SOCK_DGRAM	2
#define FXT_LINUX_TCP		6
#define FXT_LINUX_UDP		17
#define FXT_LINUX_TCP_LISTEN	10
#define FXT_LINUX_SOCK_DONE	1	/* the peer has ended the stream, which takes one number */

#define FXT_PORT_MAX		0xffffU

struct fxt_sched_socket {
	__u32 family;		/* FXT_LINUX_AF_* or another one */
	__u32 type;		/* FXT_LINUX_SOCK_* or another one */
	__u32 protocol;		/* FXT_LINUX_TCP, FXT_LINUX_UDP or another one of the family */
	__u32 state;		/* of TCP */
	__u32 local_port;	/* 0: none, or unknown; likewise the next one */
	__u32 remote_port;
	__u32 bytes;		/* unread bytes of TCP, see fxt_sched_put_data() */
};

static __always_inline int fxt_sched_is_inet(const struct fxt_sched_socket *s)
{
	return s->family == FXT_LINUX_AF_INET || s->family == FXT_LINUX_AF_INET6;
}

static __always_inline int fxt_sched_is_tcp(const struct fxt_sched_socket *s)
{
	return fxt_sched_is_inet(s) && s->type == FXT_LINUX_SOCK_STREAM &&
	       s->protocol == FXT_LINUX_TCP;
}

static __always_inline int fxt_sched_is_udp(const struct fxt_sched_socket *s)
{
	return fxt_sched_is_inet(s) && s->type == FXT_LINUX_SOCK_DGRAM &&
	       s->protocol == FXT_LINUX_UDP;
}

/* A TCP socket that listens has no data, but a connection that can be accepted. */
static __always_inline int fxt_sched_listens(const struct fxt_sched_socket *s)
{
	return fxt_sched_is_tcp(s) && s->state == FXT_LINUX_TCP_LISTEN;
}

/* The kernel also calls a TCP socket ready when it has no data. */
static __always_inline int fxt_sched_has_data(const struct fxt_sched_socket *s)
{
	return s->family != FXT_LINUX_AF_UNIX &&
	       (!fxt_sched_is_tcp(s) || fxt_sched_listens(s) || s->bytes);
}

static __always_inline __u32 fxt_sched_data_name(const struct fxt_sched_socket *s)
{
	if (fxt_sched_listens(s))
		return FXT_STR_TCP_CONNECTION;
	return fxt_sched_is_tcp(s) ? FXT_STR_TCP_DATA :
	       fxt_sched_is_udp(s) ? FXT_STR_UDP_DATA : FXT_STR_SOCKET_DATA;
}

/*
 * A socket has data for a thread that waits. "Instant": FXT_STR_TCP_DATA, FXT_STR_TCP_CONNECTION,
 * FXT_STR_UDP_DATA or FXT_STR_SOCKET_DATA on "net cpu N", with the Uint32 arguments "protocol",
 * "local_port", "remote_port", "bytes" and "family". "bytes" is 0 for other protocols than TCP; for
 * TCP up to Linux 6.2, only the bytes that have just arrived.
 */
static __always_inline __u32 fxt_sched_put_data(__u64 *rec, __u64 time, __u32 cpu,
						const struct fxt_sched_socket *s)
{
	int has_ports = fxt_sched_is_tcp(s) || fxt_sched_is_udp(s);

	fxt_sched_put_event_head(rec, fxt_event(FXT_SCHED_DATA_WORDS, FXT_EVENT_INSTANT, 5,
						FXT_THREAD_REF_INLINE, FXT_STR_NET,
						fxt_sched_data_name(s)), time,
				 FXT_SCHED_KOID_NET, fxt_sched_cpu_track(FXT_SCHED_KOID_NET, cpu));
	rec[4] = fxt_arg_uint32(1, FXT_STR_PROTOCOL, s->protocol);
	rec[5] = fxt_arg_uint32(1, FXT_STR_LOCAL_PORT, has_ports ? s->local_port : 0);
	rec[6] = fxt_arg_uint32(1, FXT_STR_REMOTE_PORT, has_ports ? s->remote_port : 0);
	rec[7] = fxt_arg_uint32(1, FXT_STR_BYTES, fxt_sched_is_tcp(s) ? s->bytes : 0);
	rec[8] = fxt_arg_uint32(1, FXT_STR_FAMILY, s->family);
	return FXT_SCHED_DATA_WORDS;
}

#endif /* FXT_FXT_SCHED_NET_H */
