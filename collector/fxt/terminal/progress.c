// SPDX-License-Identifier: GPL-2.0-or-later
/* progress.c - see progress.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "libfxt/clock.h"
#include "libfxt/text.h"
#include "liboutput/out.h"
#include "message.h"
#include "progress.h"

#define FIRST		NS_PER_SECOND		/* shorter runs show no line */
#define EACH		(NS_PER_SECOND / 4)
#define SAMPLE		(16ULL << 20)		/* bytes to read before the size is estimated */
#define LARGE		1000000000ULL		/* bytes of a result whose size is announced */
#define LINE_ROOM	256

/* The sum of all open archives. */
static struct {
	bool off;
	bool is_shown;
	bool is_hidden;		/* standard output writes to the terminal */
	unsigned int open;
	uint64_t read;
	uint64_t size;
	uint64_t begun;
	uint64_t last;
	const char *result;
	uint64_t (*written)(void *arg);
	void *arg;
} all;

void progress_off(void)
{
	all.off = true;
}

bool progress_is_off(void)
{
	return all.off;
}

/* Print three digits or more, as 4.71 GB. */
static void print_bytes(char *text, size_t room, double bytes)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB", "PB", "EB" };
	unsigned int unit = 0;

	for (; bytes >= 999.5 && unit < 6; unit++)
		bytes /= 1000;
	snprintf(text, room, "%.*f %s", !unit || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2,
		 bytes, units[unit]);
}

static void print_left(char *text, size_t room, uint64_t seconds)
{
	if (seconds < 100)
		snprintf(text, room, "%" PRIu64 " s left", seconds);
	else
		snprintf(text, room, "%" PRIu64 " min left", (seconds + 30) / 60);
}

void progress_line(char *text, size_t room, const char *what, uint64_t bytes,
		   uint64_t size, uint64_t ns)
{
	char done[24], whole[24], speed[24], left[32];
	double rate = ns ? (double)bytes * NS_PER_SECOND / ns : 0;

	print_bytes(done, sizeof(done), bytes);
	print_bytes(whole, sizeof(whole), size);
	print_bytes(speed, sizeof(speed), rate);
	if (!size || bytes > size) {
		snprintf(text, room, "fxt: %s: %s, %s/s", what, done, speed);
		return;
	}
	print_left(left, sizeof(left), rate > 0 ? (size - bytes) / rate + 0.5 : 0);
	snprintf(text, room, "fxt: %s: %.0f%%, %s of %s, %s/s, %s", what,
		 100.0 * bytes / size, done, whole, speed, left);
}

uint64_t progress_expect(uint64_t written, uint64_t bytes, uint64_t size)
{
	if (bytes < SAMPLE || bytes > size)
		return 0;
	return (double)written * size / bytes;
}

static void clear_line(void)
{
	static const char clear[] = "\r\033[K";

	if (all.is_shown && write(STDERR_FILENO, clear, sizeof(clear) - 1) < 0)
		all.off = true;
	all.is_shown = false;
}

void progress_interrupt(void)
{
	clear_line();
}

/* Clear the line before a write to standard output, if that is a terminal, too. */
static void make_way(void)
{
	if (!all.open || all.is_hidden || !isatty(STDOUT_FILENO))
		return;
	clear_line();
	all.is_hidden = true;
}

/* Truncate the line, because one that is wider than the terminal cannot be overwritten. */
static void show(const struct progress_source *s, uint64_t time)
{
	struct winsize size = { 0 };
	char line[LINE_ROOM], *path = fxt_text_escape(s->path, strlen(s->path));
	size_t room = 80;

	if (!ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		room = size.ws_col;
	progress_line(line, room < sizeof(line) ? room : sizeof(line),
		      all.open > 1 || !path ? "all archives" : path, all.read, all.size,
		      time - all.begun);
	fprintf(stderr, "\r%s\033[K", line);
	free(path);
	all.is_shown = true;
}

/* Announce the expected size once, as soon as it is known. */
static void announce(void)
{
	uint64_t expected = all.result ? progress_expect(all.written(all.arg), all.read,
							 all.size) : 0;
	char text[24];

	if (expected <= LARGE)
		return;
	clear_line();
	print_bytes(text, sizeof(text), expected);
	message("fxt: %s will take about %s\n", all.result, text);
	all.result = NULL;
}

static void count(struct progress_source *s, uint64_t bytes, uint64_t size)
{
	if (!all.open) {
		all.read = 0;
		all.size = 0;
		all.begun = all.last = clock_ns(CLOCK_MONOTONIC);
		all.is_hidden = false;
		/* Each write to a file would ask the system in vain. */
		if (isatty(STDOUT_FILENO))
			out_before_stdout(make_way);
	}
	all.open += !s->is_counted;
	s->is_counted = true;
	all.read += bytes - s->read;
	all.size += size - s->size;
	s->read = bytes;
	s->size = size;
}

void progress_read(struct progress_source *s, uint64_t bytes, uint64_t size)
{
	uint64_t time;

	count(s, bytes, size);
	if (all.off)
		return;
	announce();
	time = clock_ns(CLOCK_MONOTONIC);
	if (all.is_hidden || time < all.begun + FIRST || time < all.last + EACH ||
	    !isatty(STDERR_FILENO))
		return;
	all.last = time;
	show(s, time);
}

void progress_end(struct progress_source *s)
{
	if (!s->is_counted)
		return;
	*s = (struct progress_source){ .path = s->path };
	clear_line();
	/* The counter of the result's bytes may be gone when the next archive is read. */
	if (!--all.open)
		all.result = NULL;
}

void progress_result(const char *path, uint64_t (*written)(void *arg), void *arg)
{
	all.result = path;
	all.written = written;
	all.arg = arg;
}
