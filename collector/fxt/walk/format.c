// SPDX-License-Identifier: GPL-2.0-or-later
/* format.c - see format.h. */
#include <byteswap.h>
#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fxt/fxt_metadata.h>

#include "libfxt/clock.h"
#include "libfxt/digits.h"
#include "libfxt/foreign.h"
#include "libfxt/stream.h"
#include "terminal/exit_status.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "format.h"

struct made {
	struct made *next;
	char *path;
	FILE *file;
	int status;
	char archive[32];
};

static struct made *all;

const struct format *formats;

const struct format *format_to_write(const char *name)
{
	const struct format *f;

	for (f = formats; f && f->name; f++)
		if (f->write && !strcmp(f->name, name))
			return f;
	return NULL;
}

/* Length of the longest extension of a format that @path has, or 0. */
static size_t ending_of(const struct format *f, const char *path)
{
	size_t length = strlen(path), ending, longest = 0;
	unsigned int i;

	for (i = 0; i < FORMAT_MAX_ENDINGS && f->endings[i]; i++) {
		ending = strlen(f->endings[i]);
		if (length > ending && ending > longest &&
		    !strcmp(path + length - ending, f->endings[i]))
			longest = ending;
	}
	return longest;
}

const struct format *format_of_ending(const char *path)
{
	const struct format *f, *found = NULL;
	size_t ending, longest = 0;

	for (f = formats; f && f->name; f++) {
		ending = ending_of(f, path);
		if (ending > longest) {
			longest = ending;
			found = f;
		}
	}
	return found;
}

static const struct format *by_name(const char *name)
{
	const struct format *f;

	for (f = formats; f && f->name; f++)
		if (f->in.read && !strcmp(f->name, name))
			return f;
	return NULL;
}

/* Archives need no conversion. */
static bool is_read(const struct format *f)
{
	return f->in.read || !strcmp(f->name, "fxt");
}

bool foreign_word(unsigned int i, struct option_word *w)
{
	const struct format *f;

	for (f = formats; f && f->name; f++)
		if (is_read(f) && !i--) {
			*w = (struct option_word){ f->name, f->reads };
			return true;
		}
	return false;
}

static const char *given;	/* the format of all inputs; NULL: detect it */

const char *foreign_set_format(void *unused, const char *value)
{
	(void)unused;
	given = value;
	return NULL;
}

/* --- clocks of an unknown rate ------------------------------------------------------------- */

static uint64_t ticks_per_second;	/* 0: unknown */

const char *foreign_set_ticks(void *unused, const char *value)
{
	const char *end = value + strlen(value);
	unsigned int digits = digits_read(value, end, DIGITS_SAFE, &ticks_per_second);

	(void)unused;
	return digits && value + digits == end && ticks_per_second ? NULL :
	       "invalid number of ticks; use e.g. 2600000000 for a TSC of 2.6 GHz";
}

bool foreign_is_timed(void)
{
	return ticks_per_second;
}

bool foreign_ticks_to_ns(uint64_t *time)
{
	unsigned __int128 ns;

	if (!ticks_per_second)
		return false;
	ns = (unsigned __int128)*time * NS_PER_SECOND / ticks_per_second;
	*time = ns;
	return ns <= UINT64_MAX;
}

/* --- detection ------------------------------------------------------------------------------ */

#define PIPE_PACKED	(64 << 10)	/* bytes of a pipe to look at; zstd has long blocks */
#define PIPE_WAIT_MS	5		/* between looks at a pipe */

static bool is_utf16(const char *head, size_t bytes)
{
	return bytes >= 2 && (!memcmp(head, "\xff\xfe", 2) || !memcmp(head, "\xfe\xff", 2));
}

/* Convert as much of the beginning of a text as is valid. Returns bytes at @to. */
static size_t head_as_utf8(char *head, size_t bytes, char to[FXT_FOREIGN_BYTES])
{
	iconv_t to_utf8 = iconv_open("UTF-8", "UTF-16");
	size_t room = FXT_FOREIGN_BYTES;

	if (to_utf8 == (iconv_t)-1)
		return 0;
	iconv(to_utf8, &head, &bytes, &to, &room);
	iconv_close(to_utf8);
	return FXT_FOREIGN_BYTES - room;
}

static const struct format *detect(char *head, size_t bytes)
{
	char text[FXT_FOREIGN_BYTES];
	const struct format *f;

	if (is_utf16(head, bytes)) {
		bytes = head_as_utf8(head, bytes, text);
		head = text;
	}
	for (f = formats; bytes && f && f->name; f++)
		if (f->detect && f->detect(head, bytes))
			return f;
	return NULL;
}

static bool is_archive(const char *head, size_t bytes)
{
	uint64_t word = 0;

	memcpy(&word, head, bytes < sizeof(word) ? bytes : sizeof(word));
	return word == FXT_MAGIC_RECORD || word == bswap_64(FXT_MAGIC_RECORD);
}

/* Read the beginning of @fd, decompressed. Returns the number of bytes. */
static size_t read_head(int fd, char head[FXT_FOREIGN_BYTES])
{
	struct fxt_stream *s;
	size_t bytes = 0;
	ssize_t n;

	if (fxt_stream_open(&s, fd, NULL, 0))
		return 0;
	do {
		n = fxt_stream_read(s, head + bytes, FXT_FOREIGN_BYTES - bytes);
		bytes += n > 0 ? n : 0;
	} while (n > 0 && bytes < FXT_FOREIGN_BYTES);
	fxt_stream_close(s);
	return bytes;
}

/* Keeps the offset of the file. */
static size_t peek_file(int fd, char head[FXT_FOREIGN_BYTES])
{
	off_t start = lseek(fd, 0, SEEK_CUR);
	struct stat st;
	size_t bytes;

	if (start < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return 0;
	bytes = read_head(fd, head);
	lseek(fd, start, SEEK_SET);
	return bytes;
}

/*
 * Copy the beginning of a pipe, whose reader will read it again. @is_full: set if the writers must
 * wait for a reader. Returns compressed bytes; 0 if the pipe is empty and nobody writes it; -1.
 */
static ssize_t peek(int fd, char head[FXT_FOREIGN_BYTES], size_t *bytes, bool *is_full)
{
	int size = fcntl(fd, F_GETPIPE_SZ), copy[2];
	struct pollfd room;
	ssize_t n;

	if (pipe2(copy, O_CLOEXEC))
		return -1;
	/* The copy is full when the pipe is, however few bytes its pages have. */
	fcntl(copy[1], F_SETPIPE_SZ, size < PIPE_PACKED ? size : PIPE_PACKED);
	do {
		n = tee(fd, copy[1], PIPE_PACKED, 0);
	} while (n < 0 && errno == EINTR);
	room = (struct pollfd){ .fd = copy[1], .events = POLLOUT };
	*is_full = !poll(&room, 1, 0);
	close(copy[1]);
	*bytes = n > 0 ? read_head(copy[0], head) : 0;
	close(copy[0]);
	return n;
}

static bool is_pipe(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISFIFO(st.st_mode);
}

/* Wait until a pipe has more than @n bytes. Returns false if nobody writes it any more. */
static bool wait_for_more(int fd, ssize_t n)
{
	struct pollfd writers = { .fd = fd };
	int bytes, ended;

	do {
		ended = poll(&writers, 1, PIPE_WAIT_MS);
		if (!ioctl(fd, FIONREAD, &bytes) && bytes != n)
			return true;
	} while (ended <= 0);
	return false;
}

/*
 * Writers may write slowly and in small pieces. Do not wait for an archive; if the format is
 * @given, wait only for the byte order mark of UTF-16.
 */
static size_t peek_pipe(int fd, const struct format *given, char head[FXT_FOREIGN_BYTES])
{
	size_t bytes = 0;
	bool is_full;
	ssize_t n;

	do {
		n = peek(fd, head, &bytes, &is_full);
		if (n <= 0 || is_full || bytes == FXT_FOREIGN_BYTES)
			break;
		if (given ? bytes >= 2 : is_archive(head, bytes) || detect(head, bytes))
			break;
	} while (wait_for_more(fd, n));
	return bytes;
}

/* --- archives made from traces ------------------------------------------------------------ */

static int make(const char *path, const struct format *f, int from, bool wide, bool strict,
		const char **archive)
{
	const char *name = strcmp(path, "-") ? path : "standard input";
	FILE *file = tmpfile();
	struct made *m;

	if (!file)
		return import_unwritable();
	m = new_zero(struct made);
	m->path = must(strdup(path));
	m->file = file;
	m->next = all;
	all = m;
	snprintf(m->archive, sizeof(m->archive), "/proc/self/fd/%d", fileno(file));
	*archive = m->archive;
	m->status = import_run(&f->in, name, from, wide, strict, fileno(file));
	return m->status;
}

/* Look at the beginning of @fd. @wide: set if it is text in UTF-16 */
static const struct format *find_format(int fd, const struct format *given, bool *wide)
{
	char head[FXT_FOREIGN_BYTES];
	size_t bytes = is_pipe(fd) ? peek_pipe(fd, given, head) : peek_file(fd, head);

	*wide = is_utf16(head, bytes);
	return given ? given : detect(head, bytes);
}

int foreign_open(const char *path, bool strict, const char **archive, int *pipe)
{
	const struct format *f = given ? by_name(given) : NULL;
	bool is_input = !strcmp(path, "-"), wide;
	const struct made *m;
	int fd, ret = VERB_DONE;

	*archive = path;
	*pipe = -1;
	for (m = all; m; m = m->next) {
		if (strcmp(m->path, path))
			continue;
		*archive = m->archive;
		return m->status;
	}
	/* It is an archive. */
	if (given && !f)
		return VERB_DONE;
	fd = is_input ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return VERB_DONE;	/* opening the archive will report the error */
	f = find_format(fd, f, &wide);
	if (f)
		ret = make(path, f, fd, wide, strict, archive);
	if (!f && !is_input && is_pipe(fd))
		*pipe = fd;
	else
		close(fd);
	return ret;
}

const char *foreign_hint(void)
{
	static char hint[200];
	const struct format *f;
	size_t n;

	n = snprintf(hint, sizeof(hint), "; --from-format=FORMAT reads a trace of another kind:");
	for (f = formats; f && f->name; f++)
		if (f->in.read && n < sizeof(hint))
			n += snprintf(hint + n, sizeof(hint) - n, " %s", f->name);
	return hint;
}

void foreign_forget(void)
{
	struct made *next;

	given = NULL;
	ticks_per_second = 0;
	for (; all; all = next) {
		next = all->next;
		fclose(all->file);
		free(all->path);
		free(all);
	}
}
