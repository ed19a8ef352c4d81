/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * texts.h - read texts of /proc that another process can delay.
 *
 * The kernel reads /proc/PID/cmdline and, before Linux 6.17, /proc/PID/maps with the lock of that
 * process's memory held. The process can keep that lock for as long as it wants, by a page of its
 * own file system (FUSE) that never arrives. So another process reads the texts, see elf_server.h.
 * If a text does not come in time, that process is abandoned.
 */
#ifndef LIBSYM_TEXTS_H
#define LIBSYM_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf_server.h"

#define TEXTS_WAIT_MS	250	/* for a text, or its next part */
#define TEXTS_LOST_MS	1000	/* for texts that do not come, between two calls of texts_begin() */

/* Initialize with zeros, except for @server, @idle and @arg. */
struct texts {
	const struct elf_server *server;	/* forks the process that reads */
	void (*idle)(void *arg);	/* called during waits for a text; may be NULL */
	void *arg;
	bool is_open;		/* @link leads to a process that reads */
	int link;
	unsigned int lost_ms;	/* of waits for texts that did not come */
	uint64_t late;	/* texts that did not come in time, or were not requested because of that */
};

/* Grant another TEXTS_LOST_MS to texts that do not come. */
void texts_begin(struct texts *t);

/*
 * Read the beginning of a text. @text: filled in and terminated; @room bytes, less than
 * ELF_PACKET_BYTES. Return: length; -1 if it cannot be read, or did not come in time.
 */
long texts_read(struct texts *t, const char *path, char *text, size_t room);

/*
 * Read a text line by line. @line: called with each line, terminated, without its end; ends the
 * reading unless it returns 0. Lines longer than ELF_PACKET_BYTES are left out. Return: 0; -1 if
 * the text was not read to its end; or the value of @line that ended the reading.
 */
int texts_lines(struct texts *t, const char *path, int (*line)(void *arg, char *text), void *arg);

void texts_close(struct texts *t);

#endif /* LIBSYM_TEXTS_H */
