// SPDX-License-Identifier: GPL-2.0-or-later
/* format.c - see format.h. */
#include <byteswap.h>
#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fxt/fxt_metadata.h>

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

/* --- detection ------------------------------------------------------------------------------ */

#define PIPE_TRIES	20U
#define PIPE_WAIT_US	5000	/* for more bytes of a pipe */

/* Read the beginning of what @fd has, decompressed. Return: the number of bytes */
static size_t read_head(int fd, char head[FXT_FOREIGN_BYTES])
{
	struct fxt_stream *s;
	ssize_t n;

	if (fxt_stream_open(&s, fd, NULL, 0))
		return 0;
	n = fxt_stream_read(s, head, FXT_FOREIGN_BYTES);
	fxt_stream_close(s);
	return n > 0 ? n : 0;
}

static const struct format *detect(const char *head, size_t bytes)
{
	const struct format *f;

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

/* Copy the beginning of a pipe, whose reader will read it again. Return: bytes, compressed */
static ssize_t peek(int fd, char head[FXT_FOREIGN_BYTES], size_t *bytes)
{
	ssize_t n = -1;
	int copy[2];

	if (pipe2(copy, O_CLOEXEC))
		return -1;
	n = tee(fd, copy[1], FXT_FOREIGN_BYTES, 0);
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

/* Who writes a pipe may write it in small pieces. An archive is not waited for. */
static const struct format *detect_pipe(int fd)
{
	char head[FXT_FOREIGN_BYTES];
	const struct format *f;
	unsigned int tries;
	size_t bytes = 0;
	ssize_t n;

	for (tries = 0; tries < PIPE_TRIES; tries++) {
		n = peek(fd, head, &bytes);
		f = detect(head, bytes);
		if (f || n <= 0 || n >= FXT_FOREIGN_BYTES || is_archive(head, bytes))
			return f;
		usleep(PIPE_WAIT_US);
	}
	return NULL;
}

/* --- texts in UTF-16 ---------------------------------------------------------------------- */

static bool is_utf16(const char *head, size_t bytes)
{
	return bytes >= 2 && (!memcmp(head, "\xff\xfe", 2) || !memcmp(head, "\xfe\xff", 2));
}

/* Convert what is in the buffer. Return: bytes that remain, or -1 if it is not UTF-16 */
static ssize_t convert(iconv_t to_utf8, char *in, size_t bytes, FILE *to)
{
	char out[4096], *at = in, *end;
	size_t room, ret;

	do {
		end = out;
		room = sizeof(out);
		ret = iconv(to_utf8, &at, &bytes, &end, &room);
		fwrite(out, 1, sizeof(out) - room, to);
	} while (ret == (size_t)-1 && errno == E2BIG);
	if (ret == (size_t)-1 && errno != EINVAL)
		return -1;
	memmove(in, at, bytes);
	return bytes;
}

/* The same text in UTF-8, as a temporary file; NULL if it is not UTF-16 throughout */
static FILE *as_utf8(int fd)
{
	iconv_t to_utf8 = iconv_open("UTF-8", "UTF-16");
	char in[4096];
	struct fxt_stream *s;
	ssize_t n, kept = 0;
	FILE *to = NULL;

	if (to_utf8 == (iconv_t)-1 || fxt_stream_open(&s, fd, NULL, 0))
		return NULL;
	to = must(tmpfile());
	do {
		n = fxt_stream_read(s, in + kept, sizeof(in) - kept);
		kept = n < 0 ? -1 : convert(to_utf8, in, kept + n, to);
	} while (n > 0 && kept >= 0);
	fxt_stream_close(s);
	iconv_close(to_utf8);
	if (!kept && !fflush(to)) {
		rewind(to);
		return to;
	}
	fclose(to);
	return NULL;
}

/*
 * Find the format of a file, whose offset stays. @text: set to what to read in its place, or NULL
 */
static const struct format *by_content(int fd, FILE **text)
{
	off_t start = lseek(fd, 0, SEEK_CUR);
	char head[FXT_FOREIGN_BYTES];
	struct stat st;
	size_t n;

	*text = NULL;
	if (is_pipe(fd))
		return detect_pipe(fd);
	if (start < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return NULL;
	n = read_head(fd, head);
	lseek(fd, start, SEEK_SET);
	if (!is_utf16(head, n))
		return detect(head, n);
	*text = as_utf8(fd);
	lseek(fd, start, SEEK_SET);
	if (!*text)
		return NULL;
	n = read_head(fileno(*text), head);
	rewind(*text);
	return detect(head, n);
}

static int make(const char *path, const struct format *f, int from, bool strict,
		const char **archive)
{
	const char *name = strcmp(path, "-") ? path : "standard input";
	FILE *file = tmpfile();
	struct made *m;

	if (!file) {
		message("fxt: cannot write a temporary file: %s\n", strerror(errno));
		return VERB_UNWRITABLE;
	}
	m = new_zero(struct made);
	m->path = must(strdup(path));
	m->file = file;
	m->next = all;
	all = m;
	m->status = f->read(name, from, strict, fileno(file));
	snprintf(m->archive, sizeof(m->archive), "/proc/self/fd/%d", fileno(file));
	*archive = m->archive;
	return m->status;
}

int foreign_open(const char *path, const char *format, bool strict, const char **archive)
{
	const struct format *f;
	const struct made *m;
	FILE *text = NULL;
	int fd, ret = VERB_DONE;

	*archive = path;
	for (m = all; m; m = m->next) {
		if (strcmp(m->path, path))
			continue;
		*archive = m->archive;
		return m->status;
	}
	if (format && !by_name(format))
		return VERB_DONE;
	fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);
	if (fd < 0)
		return VERB_DONE;	/* opening the archive will report the error */
	f = format ? by_name(format) : by_content(fd, &text);
	if (f)
		ret = make(path, f, text ? fileno(text) : fd, strict, archive);
	if (text)
		fclose(text);
	/* A named pipe must keep a reader until the archive is opened. */
	if (f || !is_pipe(fd))
		close(fd);
	return ret;
}

const char *foreign_hint(void)
{
	static char hint[200];
	const struct format *f;
	size_t n;

	n = snprintf(hint, sizeof(hint), "; fxt convert --from=FORMAT takes a trace of another kind:");
	for (f = formats; f && f->name; f++)
		if (f->read && n < sizeof(hint))
			n += snprintf(hint + n, sizeof(hint) - n, " %s", f->name);
	return hint;
}

void foreign_forget(void)
{
	struct made *next;

	for (; all; all = next) {
		next = all->next;
		fclose(all->file);
		free(all->path);
		free(all);
	}
}
