// SPDX-License-Identifier: GPL-2.0-or-later
/* format.c - see format.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Keep the offset. A pipe cannot be detected, because its bytes could not be read again. */
static const struct format *by_content(int fd)
{
	char head[FXT_FOREIGN_BYTES];
	off_t start = lseek(fd, 0, SEEK_CUR);
	struct fxt_stream *s;
	struct stat st;
	const struct format *f;
	ssize_t n = 0;

	if (start < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) ||
	    fxt_stream_open(&s, fd, NULL, 0))
		return NULL;
	n = fxt_stream_read(s, head, sizeof(head));
	fxt_stream_close(s);
	lseek(fd, start, SEEK_SET);
	for (f = formats; n > 0 && f && f->name; f++)
		if (f->detect && f->detect(head, n))
			return f;
	return NULL;
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
	f = format ? by_name(format) : by_content(fd);
	if (f)
		ret = make(path, f, fd, strict, archive);
	close(fd);
	return ret;
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
