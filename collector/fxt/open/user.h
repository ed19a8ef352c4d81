/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user.h - whose program has connected to a port of this machine.
 *
 * In: a connection on the loopback device. Out: the user at its other end, as the kernel knows
 * it: a link that another user has seen is of no use to them.
 */
#ifndef FXT_OPEN_USER_H
#define FXT_OPEN_USER_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * user_of() - the user who has connected
 * @from: the address of the other end
 * @port: of ours, at 127.0.0.1
 * @uid: set to the user
 *
 * Return: 0; -ENOENT if the connection is not there or is being closed; -ENOSYS if this system
 * does not tell.
 */
int user_of(const struct sockaddr_in *from, uint16_t port, uid_t *uid);

/**
 * user_is_ours() - may this user have what we may have?
 *
 * That is the user of this process, root, and if this process is root's, whoever has become
 * root: by sudo, pkexec or doas, or after logging in.
 */
bool user_is_ours(uid_t uid);

#endif /* FXT_OPEN_USER_H */
