// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * read.c - reads traces in pages for browsers: Android's systrace, or catapult's trace2html.
 * Scripts of class "trace-data" or with the id "viewer-data" contain ftrace's text or JSON in the
 * Trace Event Format, perhaps in base64 of data compressed with gzip or zlib.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libfxt/stream.h"
#include "terminal/exit_status.h"
#include "terminal/message.h"
#include "walk/import.h"
#include "formats/formats.h"

#define ZLIB_HEAD	16	/* letters that no text of ftrace begins with */

enum kind { KIND_OTHER, KIND_JSON, KIND_FTRACE, KIND_PACKED };

/* JSON is converted first, because the archive begins with it; texts are appended. */
enum pass { PASS_MARKS, PASS_JSON, PASS_FTRACE, PASSES };

struct script {
	const char *at;
	size_t bytes;
	enum kind kind;
};

/* A page that is being converted. */
struct page {
	const char *path;
	bool strict;
	int to;
	bool has_archive;
	bool has_text;		/* there is a text of ftrace, with @marks */
	struct clock_marks marks;
	unsigned int other;	/* scripts without a trace */
	int status;
};

static bool begins(const char *s, const char *end, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(end - s) >= length && !strncasecmp(s, word, length);
}

static const char *skip_space(const char *s, const char *end)
{
	while (s < end && *s && strchr(" \t\r\n", *s))
		s++;
	return s;
}

bool page_detect(const char *head, size_t bytes)
{
	const char *end = head + bytes, *s = head;

	if (begins(s, end, "\xef\xbb\xbf"))
		s += 3;
	s = skip_space(s, end);
	return begins(s, end, "<!doctype html") || begins(s, end, "<html");
}

/* --- scripts ------------------------------------------------------------------------------ */

/* The name of a tag ends with white space or >. */
static const char *find_tag(const char *s, const char *end, const char *tag)
{
	size_t length = strlen(tag);

	for (; (s = memchr(s, '<', end - s)); s++)
		if (begins(s, end, tag) && s + length < end && strchr(" \t\r\n>", s[length]))
			return s;
	return NULL;
}

static int digit(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Does a text begin as base64 of data compressed by gzip or, as in `atrace -z`, by zlib? */
static bool is_packed(const char *s, const char *end)
{
	size_t i;

	if (begins(s, end, "H4sI"))
		return true;
	for (i = 0; i < ZLIB_HEAD; i++)
		if (s + i == end || digit(s[i]) < 0)
			return false;
	return !memcmp(s, "eJ", 2) || !memcmp(s, "eA", 2) || !memcmp(s, "eN", 2);
}

static enum kind kind_of(const char *s, const char *end)
{
	s = skip_space(s, end);
	if (is_packed(s, end))
		return KIND_PACKED;
	if (s < end && (*s == '{' || *s == '['))
		return KIND_JSON;
	return ftrace_has_event(s, end - s) || begins(s, end, "# tracer:") ? KIND_FTRACE :
										KIND_OTHER;
}

/* Find the next script for traces, and move @at behind it. Returns false if there are no more. */
static bool next_script(const char **at, const char *end, struct script *script)
{
	const char *tag, *content, *close;
	bool is_trace;

	while ((tag = find_tag(*at, end, "<script"))) {
		content = memchr(tag, '>', end - tag);
		if (!content)
			return false;
		is_trace = memmem(tag, content - tag, "trace-data", 10) ||
			   memmem(tag, content - tag, "viewer-data", 11);
		close = find_tag(++content, end, "</script");
		close = close ? close : end;
		*at = close;
		content = skip_space(content, close);
		/* atrace's own first line */
		if (begins(content, close, "TRACE:"))
			content = skip_space(content + strlen("TRACE:"), close);
		if (!is_trace || content == close)
			continue;
		*script = (struct script){ content, close - content, kind_of(content, close) };
		return true;
	}
	return false;
}

/* --- parts --------------------------------------------------------------------------------- */

/* Decode base64 and write it. Returns 0 or -1. */
static int write_packed(FILE *to, const struct script *s)
{
	unsigned int bits = 0, count = 0;
	size_t i;
	int n;

	for (i = 0; i < s->bytes; i++) {
		n = digit(s->at[i]);
		if (n < 0)
			continue;
		bits = bits << 6 | n;
		count += 6;
		if (count < 8)
			continue;
		count -= 8;
		if (putc(bits >> count & 0xff, to) == EOF)
			return -1;
	}
	return 0;
}

static FILE *part_file(const struct script *s)
{
	FILE *f = import_file();
	bool failed = !f || (s->kind == KIND_PACKED ? write_packed(f, s) != 0 :
			     fwrite(s->at, 1, s->bytes, f) != s->bytes) || fflush(f);

	if (!failed) {
		rewind(f);
		return f;
	}
	import_file_close(f);
	return NULL;
}

static enum kind kind_inside(int fd)
{
	struct fxt_stream *s;
	char head[4096];
	ssize_t n;

	if (fxt_stream_open(&s, fd, NULL, 0))
		return KIND_OTHER;
	n = fxt_stream_read(s, head, sizeof(head));
	fxt_stream_close(s);
	lseek(fd, 0, SEEK_SET);
	return n > 0 ? kind_of(head, head + n) : KIND_OTHER;
}

/* Convert a part, or find its marks, if it is for this pass. */
static int convert_part(struct page *p, FILE *part, enum kind kind, enum pass pass)
{
	int fd = fileno(part), status;

	if (pass == PASS_MARKS) {
		if (kind == KIND_FTRACE)
			ftrace_find_marks(fd, &p->marks);
		p->has_text |= kind == KIND_FTRACE;
		return VERB_DONE;
	}
	p->other += kind == KIND_OTHER && pass == PASS_FTRACE;
	if (kind != (pass == PASS_JSON ? KIND_JSON : KIND_FTRACE))
		return VERB_DONE;
	if (kind == KIND_JSON && (p->has_archive || json_lacks_events(p->path, fd))) {
		p->other++;
		return VERB_DONE;
	}
	if (kind == KIND_JSON && p->has_text)
		status = json_read_beside(p->path, fd, p->strict, &p->marks, p->to);
	else
		status = (kind == KIND_JSON ? json_read : p->has_archive ? ftrace_read_part :
			  ftrace_read)(p->path, fd, p->strict, p->to);
	p->has_archive |= status <= VERB_DEVIATES;
	return status;
}

static void convert_script(struct page *p, const struct script *s, enum pass pass)
{
	FILE *part;
	int status;

	if (s->kind == KIND_OTHER) {
		p->other += pass == PASS_FTRACE;
		return;
	}
	part = part_file(s);
	if (!part) {
		p->status = import_unwritable();
		return;
	}
	status = convert_part(p, part, s->kind == KIND_PACKED ? kind_inside(fileno(part)) : s->kind,
			      pass);
	p->status = status > p->status ? status : p->status;
	import_file_close(part);
}

static int convert_all(struct page *p, const char *page, size_t bytes)
{
	const char *at, *end = page + bytes;
	struct script script;
	enum pass pass;

	for (pass = 0; pass < PASSES; pass++)
		for (at = page; p->status <= VERB_DEVIATES && next_script(&at, end, &script); )
			convert_script(p, &script, pass);
	if (p->status > VERB_DEVIATES)
		return p->status;
	if (!p->has_archive) {
		message("fxt: cannot read %s: this page contains no trace that fxt can read\n",
			p->path);
		return VERB_UNREADABLE;
	}
	if (p->other)
		message("fxt: %s: %u other part%s of the page %s left out\n", p->path, p->other,
			p->other == 1 ? "" : "s", p->other == 1 ? "is" : "are");
	return p->status;
}

int page_read(const char *path, int from, bool strict, int fd)
{
	struct page p = { .path = path, .strict = strict, .to = fd };
	struct stat st;
	void *page;
	int ret;

	page = fstat(from, &st) ? MAP_FAILED :
	       mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, from, 0);
	if (page == MAP_FAILED) {
		message("fxt: cannot read %s: %s\n", path, strerror(errno));
		return VERB_UNREADABLE;
	}
	ret = convert_all(&p, page, st.st_size);
	munmap(page, st.st_size);
	return ret;
}
