/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - progress of a verb, on one line of the terminal that is overwritten.
 *
 * In: numbers of bytes that were read from archives, and perhaps bytes that were written.
 * Out: on standard error, if it is a terminal, a line from the second second on; and once
 * the expected size of a result, if that is large. If standard output is a terminal, it has
 * the terminal to itself as soon as something is written there.
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

/** progress_off() - show errors, but no progress */
void progress_off(void);

/** progress_is_off() - was progress_off() called? */
bool progress_is_off(void);

/** progress_read() - report bytes read so far; @size: of the file, 0 if unknown */
void progress_read(struct progress_source *s, uint64_t bytes, uint64_t size);

/**
 * progress_end() - the archive is read; messages may follow
 *
 * The end of the last archive also ends the result of progress_result().
 */
void progress_end(struct progress_source *s);

/** progress_interrupt() - clear the line, because a signal ends the process */
void progress_interrupt(void);

/**
 * progress_result() - set the result that is made from the archives, to report its size
 * @path: of the result
 * @written: returns the number of bytes written so far
 * @arg: passed to @written, until the last archive's progress_end()
 */
void progress_result(const char *path, uint64_t (*written)(void *arg), void *arg);

/**
 * progress_line() - the progress as text
 * @text: set to it, at most @room - 1 bytes
 * @what: name of the archive that is read
 * @bytes: bytes read so far
 * @size: of all, 0 if unknown
 * @ns: since the beginning
 */
void progress_line(char *text, size_t room, const char *what, uint64_t bytes,
		   uint64_t size, uint64_t ns);

/**
 * progress_expect() - estimate the size of a result from its first part
 *
 * Return: bytes, 0 if unknown so far.
 */
uint64_t progress_expect(uint64_t written, uint64_t bytes, uint64_t size);

#endif /* FXT_TERMINAL_PROGRESS_H */
