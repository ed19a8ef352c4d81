// SPDX-License-Identifier: GPL-2.0-or-later
/* result_kind.c - recognizes the results of fxt by their content. See result_kind.h. */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/own.h"
#include "result_kind.h"

#define LOOK_BYTES	4096	/* read at the beginning and at the end */

/* Offset of the application id in SQLite's files ("The Database Header"). */
#define SQLITE_ID_AT	68

const char *result_what(enum result_kind kind)
{
	static const char *const what[] = {
		[RESULT_ARCHIVE] = "an FXT archive",
		[RESULT_JSON] = "JSON of fxt",
		[RESULT_FTRACE] = "ftrace text of fxt",
		[RESULT_PERFETTO] = "a trace of Perfetto by fxt",
		[RESULT_SQLITE] = "a database of fxt",
		[RESULT_TABLES] = "a directory of tables of fxt",
		[RESULT_PAGE] = "a page of fxt report",
		[RESULT_DUMP] = "lines of fxt dump",
	};

	return what[kind];
}

static bool is_archive(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is_one = fd >= 0 && fxt_own_archive(fd);

	if (fd >= 0)
		close(fd);
	return is_one;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* "123 kind ..." */
static bool is_dump_line(const char *text)
{
	const char *kind = text + strspn(text, "0123456789"), *name;
	unsigned int i;

	if (begins(text, "{\"offset\":"))
		return true;
	if (kind == text || *kind++ != ' ')
		return false;
	for (i = 0; i < FXT_KIND_COUNT; i++) {
		name = fxt_kind_name(i);
		if (begins(kind, name) && kind[strlen(name)] == ' ')
			return true;
	}
	return begins(kind, "malformed ");
}

static bool is_text_of(enum result_kind kind, const char *head, const char *tail)
{
	switch (kind) {
	case RESULT_JSON:
		return begins(head, "{\"traceEvents\":[") &&
		       (strstr(tail, "\"otherData\":{\"converter\":\"fxt ") ||
			strstr(tail, "\"fxt\":{\"converter\":\"fxt "));
	case RESULT_FTRACE:
		return begins(head, "# tracer: nop\n#\n#") && strstr(head, " CPU#  flags ");
	case RESULT_PERFETTO:
		return begins(head, RESULT_PERFETTO_HEAD);
	case RESULT_SQLITE:
		return begins(head, "SQLite format 3") &&
		       begins(head + SQLITE_ID_AT, RESULT_SQLITE_ID);
	case RESULT_PAGE:
		return strstr(head, "<!-- Made by fxt report --html.");
	default:
		return is_dump_line(head);
	}
}

/* Read the first and the last bytes of a file, each terminated by a zero byte. */
static bool read_ends(const char *path, char *head, char *tail)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	ssize_t n, m;

	if (fd < 0 || fstat(fd, &st)) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	n = pread(fd, head, LOOK_BYTES, 0);
	m = pread(fd, tail, LOOK_BYTES, st.st_size > LOOK_BYTES ? st.st_size - LOOK_BYTES : 0);
	close(fd);
	head[n > 0 ? n : 0] = '\0';
	tail[m > 0 ? m : 0] = '\0';
	return n > 0 && m > 0;
}

static bool is_one_of(const char *const *files, const char *name)
{
	while (*files && strcmp(name, *files))
		files++;
	return *files;
}

/* Does a directory contain only @files, and at least one? Without @files: is it empty? */
static bool look_into(const char *path, const char *const *files)
{
	DIR *d = opendir(path);
	size_t ours = 0, others = 0;
	struct dirent *e;

	if (!d)
		return false;
	while ((e = readdir(d))) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		if (files && is_one_of(files, e->d_name))
			ours++;
		else
			others++;
	}
	closedir(d);
	return !others && (!files || ours);
}

bool result_is_ours(const char *path, enum result_kind kind, const char *const *files)
{
	char head[LOOK_BYTES + 1] = "", tail[LOOK_BYTES + 1] = "";

	if (kind == RESULT_ARCHIVE)
		return is_archive(path);
	if (kind == RESULT_TABLES)
		return look_into(path, files);
	return read_ends(path, head, tail) && is_text_of(kind, head, tail);
}

bool result_is_empty(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	return S_ISREG(st.st_mode) ? !st.st_size : look_into(path, NULL);
}

void result_remove(const char *path, const char *const *files, bool keep_directory)
{
	int fd;

	if (!files) {
		unlink(path);
		return;
	}
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	for (; *files; files++)
		unlinkat(fd, *files, 0);
	close(fd);
	if (!keep_directory)
		rmdir(path);
}
