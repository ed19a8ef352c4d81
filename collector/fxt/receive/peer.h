/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * peer.h - who sends an archive, as the kernel knows it.
 *
 * In: a connection. Out: a name that is safe in messages and as a part of a file's name.
 *
 * What a sender says of itself, for instance the host in its archive, is never used.
 */
#ifndef FXT_RECEIVE_PEER_H
#define FXT_RECEIVE_PEER_H

#define PEER_NAME	64

/**
 * peer_name() - name the other side
 * @fd: the connection
 * @name: set to its address with TCP, "192.0.2.7" or "2001-db8--7"; to "uid-1000" of the
 *	user with a UNIX socket; to "cid-3" of the machine with vsock; "unknown" if the
 *	connection has ended already
 *
 * Has letters, digits, "." and "-" only, and begins with none of the two.
 */
void peer_name(int fd, char name[PEER_NAME]);

/**
 * peer_owner() - whom a limit for each sender is for
 * @fd: the connection
 * @owner: set to a text that is the same for all connections of a sender: its address, with
 *	IPv6 the network of 64 bits, of which a machine has all addresses; "" for a UNIX
 *	socket, which only its owner can use
 */
void peer_owner(int fd, char owner[PEER_NAME]);

#endif /* FXT_RECEIVE_PEER_H */
