/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - the progress of a verb, on a single line of the terminal.
 *
 * In: numbers of bytes read from archives, and perhaps of bytes written.
 * Out: on standard error, if that is a terminal, a line after the first second, and once the
 * expected size of a large result. If standard output is a terminal, too, the line disappears as
 * soon as something is written there.
 */
#ifndef FXT_TERMINAL_PROGRESS_H
#define FXT_TERMINAL_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One archive that is read; initialize with zeros. */
struct progress_source {
	const char *path;
	bool is_counted;
	uint64_t read;
	uint64_t size;
};

/* Show errors, but no progress. */
void progress_off(void);

bool progress_is_off(void);

/* Report bytes read so far. @size: of the file, 0 if unknown */
void progress_read(struct progress_source *s, uint64_t bytes, uint64_t size);

/* End the progress of an archive, before messages; the last one also ends progress_result(). */
void progress_end(struct progress_source *s);

/* Clear the line, because a signal ends the process. */
void progress_interrupt(void);

/* Report the size of a result, @written, until the last progress_end(). */
void progress_result(const char *path, uint64_t (*written)(void *arg), void *arg);

/* Format @bytes of @size (0: unknown) read in @ns of the archive @what. */
void progress_line(char *text, size_t room, const char *what, uint64_t bytes,
		   uint64_t size, uint64_t ns);

/* Estimate the bytes of a result from its first part; 0: not known yet. */
uint64_t progress_expect(uint64_t written, uint64_t bytes, uint64_t size);

#endif /* FXT_TERMINAL_PROGRESS_H */
