/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store.h - the directory of received archives.
 *
 * In: bytes, and names of senders. Out: new files that only their owner can read:
 * NAME.part while they grow and if they stay incomplete, NAME when they are complete.
 * No existing file is changed.
 */
#ifndef FXT_RECEIVE_STORE_H
#define FXT_RECEIVE_STORE_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct store - the directory
 * @path: as given
 * @fd: open
 */
struct store {
	const char *path;
	int fd;
};

/**
 * struct store_file - a file in it
 * @fd: open for writing, -1 if there is none
 * @bytes: its length
 * @name: when complete
 * @part: its current name
 */
struct store_file {
	int fd;
	uint64_t bytes;
	char name[NAME_MAX + 1];
	char part[NAME_MAX + 1];
};

/** store_open() - open the directory, or make it; 0 or a negative errno */
int store_open(struct store *s, const char *path);
void store_close(struct store *s);

/**
 * store_create() - create PEER-DATE-TIME[-N]EXTENSION.part
 * @s: the directory
 * @f: set to the file
 * @peer: the sender, without "/"
 * @extension: of the file
 *
 * DATE and TIME are now, in local time, as in segments of fxt-collect.
 *
 * Return: 0 or a negative errno.
 */
int store_create(const struct store *s, struct store_file *f, const char *peer,
		 const char *extension);

/** store_write() - add bytes, as many as fit; 0 or a negative errno */
int store_write(struct store_file *f, const void *data, size_t bytes);

/** store_complete() - close it, and give it its name; 0 or a negative errno: it stays NAME.part */
int store_complete(const struct store *s, struct store_file *f);

/**
 * store_abandon() - close it; it stays incomplete
 * @s: the directory
 * @f: the file
 * @keep: its length from now on; 0 removes it
 */
void store_abandon(const struct store *s, struct store_file *f, uint64_t keep);

#endif /* FXT_RECEIVE_STORE_H */
