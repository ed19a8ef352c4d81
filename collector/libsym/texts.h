/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * texts.h - read texts of /proc that somebody else can hold back.
 *
 * In:  paths.
 * Out: their texts, as far as they come in time.
 *
 * The kernel reads /proc/PID/cmdline and, before Linux 6.17, /proc/PID/maps with the lock of
 * that process's memory, which the process can keep for as long as it likes: with a page of a
 * file system of its own (FUSE) that never comes. So another process reads them, see
 * elf_server.h. One whose text does not come is left behind.
 */
#ifndef LIBSYM_TEXTS_H
#define LIBSYM_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf_server.h"

#define TEXTS_WAIT_MS	250	/* for a text, or its next part */
#define TEXTS_LOST_MS	1000	/* for those that did not come, between two calls of texts_begin() */

/**
 * struct texts - initialize with zeros, except for @server, @idle and @arg
 * @server: forks what reads
 * @idle: called while a text is waited for, if it is not NULL, with @arg
 * @is_open: @link is one to a process that reads
 * @lost_ms: how long was waited for texts that did not come
 * @late: texts that did not come in time, or were not asked for because of that
 */
struct texts {
	const struct elf_server *server;
	void (*idle)(void *arg);
	void *arg;
	bool is_open;
	int link;
	unsigned int lost_ms;
	uint64_t late;
};

/** texts_begin() - wait again for those that do not come */
void texts_begin(struct texts *t);

/**
 * texts_read() - read the beginning of a text
 * @t: the texts
 * @path: of the file
 * @text: @room bytes for it, less than ELF_PACKET_BYTES; it is terminated
 *
 * Return: its length, or -1 if it cannot be read, or did not come in time
 */
long texts_read(struct texts *t, const char *path, char *text, size_t room);

/**
 * texts_lines() - read a text by line
 * @t: the texts
 * @path: of the file
 * @line: called with each line, terminated, without its end; returns not 0 to end this
 * @arg: argument of @line
 *
 * Lines longer than ELF_PACKET_BYTES are left out. Return: 0; -1 if not all was read; or what
 * @line has returned
 */
int texts_lines(struct texts *t, const char *path, int (*line)(void *arg, char *text), void *arg);

void texts_close(struct texts *t);

#endif /* LIBSYM_TEXTS_H */
