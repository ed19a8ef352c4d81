// SPDX-License-Identifier: GPL-2.0-or-later
/* format.c - see format.h. */
#include <byteswap.h>
#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fxt/fxt_metadata.h>

#include "libfxt/digits.h"
#include "libfxt/foreign.h"
#include "libfxt/stream.h"
#include "terminal/exit_status.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "format.h"

/* An archive that was made from a trace. */
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

static bool has_ending(const struct format *f, const char *path)
{
	size_t length = strlen(path), ending;
	unsigned int i;

	for (i = 0; i < FORMAT_MAX_ENDINGS && f->endings[i]; i++) {
		ending = strlen(f->endings[i]);
		if (length > ending && !strcmp(path + length - ending, f->endings[i]))
			return true;
	}
	return false;
}

const struct format *format_of_ending(const char *path)
{
	const struct format *f;

	for (f = formats; f && f->name; f++)
		if (has_ending(f, path))
			return f;
	return NULL;
}

static const struct format *by_name(const char *name)
{
	const struct format *f;

	for (f = formats; f && f->name; f++)
		if (f->read && !strcmp(f->name, name))
			return f;
	return NULL;
}

/* Archives need no conversion. */
static bool is_read(const struct format *f)
{
	return f->read || !strcmp(f->name, "fxt");
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

static const char *given;	/* the format of all inputs; NULL: to be detected */

const char *foreign_set_format(void *unused, const char *value)
{
	(void)unused;
	given = value;
	return NULL;
}

/* --- clocks of an unknown rate ------------------------------------------------------------- */

#define NS_PER_SECOND	1000000000U

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

#define PIPE_PACKED	(64 << 10)	/* bytes of a pipe that are looked at; zstd has long blocks */
#define PIPE_WAIT_MS	5		/* between looks at a pipe */

static bool is_utf16(const char *head, size_t bytes)
{
	return bytes >= 2 && (!memcmp(head, "\xff\xfe", 2) || !memcmp(head, "\xfe\xff", 2));
}

/* Convert as much of the beginning of a text as is valid. Return: bytes at @to */
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

/* Read the beginning of what @fd has, decompressed. Return: the number of bytes */
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

/* Read the beginning of a file, whose offset stays. */
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
 * Copy the beginning of a pipe, whose reader will read it again.
 * @is_full: set to whether the writers must wait for a reader before they can write more
 * Return: bytes, compressed; 0 if the pipe is empty and nobody writes it; -1
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

/* Wait until a pipe has more than @n bytes. Return: false if nobody writes it any more */
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
 * Who writes a pipe may write it in small pieces, and slowly. An archive is not waited for, and if
 * the format is @given, only the byte order mark of UTF-16 is.
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

/* --- texts in UTF-16 ---------------------------------------------------------------------- */

/** struct wide_text - a text in UTF-16 that is being converted */
struct wide_text {
	iconv_t to_utf8;
	struct fxt_stream *stream;
	FILE *to;
	uint64_t invalid;	/* parts that became question marks */
	size_t held;		/* bytes of @in */
	char in[4096];
};

static int unreadable(const char *name, const char *why)
{
	message("fxt: cannot read %s: %s\n", name, why);
	return VERB_UNREADABLE;
}

static int unwritable(void)
{
	message("fxt: cannot write a temporary file: %s\n", strerror(errno));
	return VERB_UNWRITABLE;
}

/* Convert all complete characters that are held. Return: false if they cannot be written */
static bool convert_held(struct wide_text *w)
{
	char out[4097], *at = w->in, *end;
	size_t room, done;
	int error;

	do {
		end = out;
		room = sizeof(out) - 1;	/* for a question mark */
		done = iconv(w->to_utf8, &at, &w->held, &end, &room);
		error = done == (size_t)-1 ? errno : 0;
		if (error == EILSEQ) {
			*end++ = '?';
			at += 2;
			w->held -= 2;
			w->invalid++;
		}
		if (fwrite(out, 1, end - out, w->to) != (size_t)(end - out))
			return false;
	} while (error && error != EINVAL);
	memmove(w->in, at, w->held);
	return true;
}

/* Return: enum verb_exit; after VERB_DEVIATES, the text has everything that was readable. */
static int convert_text(struct wide_text *w, const char *name)
{
	ssize_t n;

	do {
		n = fxt_stream_read(w->stream, w->in + w->held, sizeof(w->in) - w->held);
		w->held += n > 0 ? n : 0;
		if (!convert_held(w))
			return unwritable();
	} while (n > 0);
	/* The text ends within a character. */
	if (!n && w->held) {
		w->invalid++;
		fputc('?', w->to);
	}
	if (fflush(w->to) || ferror(w->to))
		return unwritable();
	if (w->invalid)
		message("fxt: %s: %" PRIu64 " characters are invalid UTF-16, and became question marks\n",
			name, w->invalid);
	if (n < 0 && n != -EBADMSG)
		return unreadable(name, strerror(-n));
	if (n < 0)
		unreadable(name, fxt_stream_error(w->stream));
	return n < 0 || w->invalid ? VERB_DEVIATES : VERB_DONE;
}

/*
 * Write the same text in UTF-8 to a temporary file. Return: enum verb_exit; @text is set also after
 * VERB_DEVIATES, to everything that was readable
 */
static int as_utf8(const char *name, int fd, FILE **text)
{
	struct wide_text w = { .to_utf8 = iconv_open("UTF-8", "UTF-16") };
	int status, error;

	if (w.to_utf8 == (iconv_t)-1)
		return unreadable(name, "this system cannot convert UTF-16; convert it to UTF-8");
	error = fxt_stream_open(&w.stream, fd, NULL, 0);
	w.to = error ? NULL : tmpfile();
	status = error ? unreadable(name, strerror(-error)) :
		 w.to ? convert_text(&w, name) : unwritable();
	fxt_stream_close(w.stream);
	iconv_close(w.to_utf8);
	if (status <= VERB_DEVIATES) {
		rewind(w.to);
		*text = w.to;
	} else if (w.to) {
		fclose(w.to);
	}
	return status;
}

/* --- archives made from traces ------------------------------------------------------------ */

static int make(const char *path, const struct format *f, int from, bool wide, bool strict,
		const char **archive)
{
	const char *name = strcmp(path, "-") ? path : "standard input";
	FILE *file = tmpfile(), *text = NULL;
	struct made *m;
	int status;

	if (!file)
		return unwritable();
	m = new_zero(struct made);
	m->path = must(strdup(path));
	m->file = file;
	m->next = all;
	all = m;
	snprintf(m->archive, sizeof(m->archive), "/proc/self/fd/%d", fileno(file));
	*archive = m->archive;
	if (wide)
		m->status = as_utf8(name, from, &text);
	if (m->status == VERB_DONE || (m->status == VERB_DEVIATES && !strict)) {
		status = f->read(name, text ? fileno(text) : from, strict, fileno(file));
		m->status = status > m->status ? status : m->status;
	}
	if (text)
		fclose(text);
	return m->status;
}

/* Look at the beginning of what @fd has. @wide: set to whether it is text in UTF-16 */
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
		if (f->read && n < sizeof(hint))
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
