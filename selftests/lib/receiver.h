/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fxt receive as a child process, and senders that misbehave. */
#ifndef SELFTESTS_RECEIVER_H
#define SELFTESTS_RECEIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "collector.h"

struct receiver {
	pid_t pid;	/* 0 when it has ended */
	char dir[RECORD_PATH];	/* directory of its files */
	char address[RECORD_PATH];	/* address on which it listens, for fxt-collect -o */
	char text[8192];	/* its standard error, up to the last receiver_read() */
	char errors[RECORD_PATH];
	char paths[RECORD_PATH];
};

/* "tcp://127.0.0.1:0", "unix:DIR/socket" */
void receiver_address(char *address, size_t room, const char *family, const char *dir);

/* NULL, or why this machine has no sockets of "tcp4", "vsock", ... */
const char *receiver_missing(const char *family);

/*
 * Run it, and wait until it listens. @dir: for its messages; DIR/received is for its files. @more:
 * more arguments, NULL at the end, or NULL. On failure its messages are in @r->text.
 */
int receiver_start(struct receiver *r, const char *dir, const char *address,
		   const char * const *more);

void receiver_read(struct receiver *r);

/* Wait until a message has this text. */
int receiver_says(struct receiver *r, const char *text);

/* Return: its exit status, 128 + n for signals */
int receiver_wait(struct receiver *r);

/* SIGTERM, and wait */
int receiver_end(struct receiver *r);

/* for teardowns; nothing if it has ended */
void receiver_kill(struct receiver *r);

size_t receiver_files(const struct receiver *r, bool complete);

/*
 * The path of its file number @n in the order of names, a complete one or a .part; "" if there is
 * none.
 */
const char *receiver_file(const struct receiver *r, bool complete, size_t n,
			  char path[RECORD_PATH]);

int receiver_connect(const char *address);

/* Listen like a receiver, for tests of receivers that misbehave. */
int receiver_listen(const char *address, char *at, size_t room);

/* Drop a TCP connection without closing it, like a machine that fails. */
int receiver_vanish(int fd);

#endif /* SELFTESTS_RECEIVER_H */
