/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * receiver.h - fxt receive as a child process, and senders that misbehave.
 * In:  addresses.
 * Out: the address on which it listens, its files and messages, connections to it.
 */
#ifndef SELFTESTS_RECEIVER_H
#define SELFTESTS_RECEIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "collector.h"

/** struct receiver - a running or ended fxt receive */
struct receiver {
	pid_t pid;	/* 0 when it has ended */
	char dir[RECORD_PATH];	/* directory of its files */
	char address[RECORD_PATH];	/* address on which it listens, for fxt-collect -o */
	char text[8192];	/* its standard error, up to the last receiver_read() */
	char errors[RECORD_PATH];
	char paths[RECORD_PATH];
};

/** receiver_address() - an address to listen on: "tcp://127.0.0.1:0", "unix:DIR/socket" */
void receiver_address(char *address, size_t room, const char *family, const char *dir);

/** receiver_missing() - NULL, or why this machine has no sockets of "tcp4", "vsock", ... */
const char *receiver_missing(const char *family);

/**
 * receiver_start() - run it, and wait until it listens
 * @r: filled in
 * @dir: directory for its messages; DIR/received is for its files
 * @address: address to listen on
 * @more: more arguments, NULL at the end, or NULL
 *
 * Return: 0 or -1 with its messages in @r->text.
 */
int receiver_start(struct receiver *r, const char *dir, const char *address,
		   const char * const *more);

/** receiver_read() - read its messages so far into @r->text */
void receiver_read(struct receiver *r);

/** receiver_says() - wait until a message has this text; 0 or -1 */
int receiver_says(struct receiver *r, const char *text);

/** receiver_wait() - wait for its end; its exit status, 128 + n for signals */
int receiver_wait(struct receiver *r);

/** receiver_end() - SIGTERM, and wait */
int receiver_end(struct receiver *r);

/** receiver_kill() - SIGKILL, for teardowns; nothing if it has ended */
void receiver_kill(struct receiver *r);

/** receiver_files() - number of its files that are complete, or incomplete */
size_t receiver_files(const struct receiver *r, bool complete);

/**
 * receiver_file() - the path of a file
 * @r: the receiver
 * @complete: find a complete file; else an incomplete one, a .part
 * @n: its number in the order of names, from 0
 * @path: set to the path; "" if there is none
 *
 * Return: @path.
 */
const char *receiver_file(const struct receiver *r, bool complete, size_t n,
			  char path[RECORD_PATH]);

/** receiver_connect() - a connection to an address; a descriptor or -1 */
int receiver_connect(const char *address);

/** receiver_listen() - listen like a receiver, for tests of receivers that misbehave */
int receiver_listen(const char *address, char *at, size_t room);

/** receiver_vanish() - drop a TCP connection without closing it, like a machine that fails */
int receiver_vanish(int fd);

#endif /* SELFTESTS_RECEIVER_H */
