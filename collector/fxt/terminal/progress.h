/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - how far a verb is, on a line of the terminal that is written over.
 *
 * In: bytes that were read of archives, perhaps bytes that were written.
 * Out: on standard error, if it is a terminal, a line from the second second on; and once
 * how much a result will take, if that is much. Standard output that is a terminal has it
 * to itself as soon as something is written there.
 */
#ifndef FXT_TERMINAL_PROGRESS_H
#define FXT_TERMINAL_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** struct progress_source - one archive that is read; begins as zeros */
struct progress_source {
	const char *path;
	bool is_counted;
	uint64_t read;
	uint64_t size;
};

/** progress_off() - show no progress, only errors */
void progress_off(void);

/** progress_is_off() - was that asked for? */
bool progress_is_off(void);

/** progress_read() - so much of an archive is read; @size: of the file, 0 if not known */
void progress_read(struct progress_source *s, uint64_t bytes, uint64_t size);

/**
 * progress_end() - no more of it will be read; messages may follow
 *
 * With the last archive the result of progress_result() ends, too.
 */
void progress_end(struct progress_source *s);

/** progress_interrupt() - a signal ends the process: clear the line */
void progress_interrupt(void);

/** progress_clear() - something is about to be written to standard output */
void progress_clear(void);

/**
 * progress_result() - the archives that are read make a result, whose size may be of interest
 * @path: of the result
 * @written: how many bytes of it are written
 * @arg: handed to @written, until the last archive's progress_end()
 */
void progress_result(const char *path, uint64_t (*written)(void *arg), void *arg);

/**
 * progress_line() - how far it is, in words
 * @text: set to it, at most @room - 1 bytes
 * @what: is read
 * @bytes: so much of it
 * @size: of all, 0 if not known
 * @ns: since it began
 */
void progress_line(char *text, size_t room, const char *what, uint64_t bytes,
		   uint64_t size, uint64_t ns);

/**
 * progress_expect() - what a result will take, by what the first part of it took
 *
 * Return: bytes, 0 if that is not known yet.
 */
uint64_t progress_expect(uint64_t written, uint64_t bytes, uint64_t size);

#endif /* FXT_TERMINAL_PROGRESS_H */
