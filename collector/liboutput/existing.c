// SPDX-License-Identifier: GPL-2.0-or-later
/* existing.c - see existing.h. */
#include <byteswap.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fxt/fxt.h>

#include "existing.h"
#include "libfxt/stream.h"

int existing_refuse(const struct existing *x, int err, const char *format, ...)
{
	char why[OUTPUT_TEXT];
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	if (snprintf(x->e->text, sizeof(x->e->text), "cannot write %s: %s", x->path, why) >=
	    (int)sizeof(x->e->text))
		snprintf(x->e->text, sizeof(x->e->text), "cannot write %.80s...: %.256s", x->path, why);
	return err;
}

int existing_failed(const struct existing *x, int err)
{
	if (err == -EACCES || err == -EPERM)
		snprintf(x->e->text, sizeof(x->e->text),
			 "cannot write %s as user %u: %s; use another %s", x->path, geteuid(),
			 strerror(-err), x->kind->option);
	else
		existing_refuse(x, err, "%s; use another %s", strerror(-err), x->kind->option);
	return err;
}

/* --- where it is -------------------------------------------------------------------- */

/* An open descriptor is used as it is, whatever it leads to. */
static bool is_descriptor(const char *path)
{
	return !strncmp(path, "/dev/std", 8) || !strncmp(path, "/dev/fd/", 8) ||
	       !strncmp(path, "/proc/", 6);
}

/*
 * Can users other than root and ours create names in a directory? A group other than root's is
 * trusted if the directory belongs to us.
 */
static bool is_shared(const struct stat *directory)
{
	if (directory->st_mode & S_IWOTH)
		return true;
	if (directory->st_uid)
		return directory->st_uid != geteuid();
	return directory->st_mode & S_IWGRP && directory->st_gid;
}

/* Open the directory of @real. */
static int open_directory(struct existing *x)
{
	char *slash = strrchr(x->real, '/'), directory[PATH_MAX] = ".";
	struct stat st;

	x->name = slash ? slash + 1 : x->real;
	if (!*x->name)
		return existing_failed(x, slash ? -EISDIR : -ENOENT);
	if (slash)
		snprintf(directory, sizeof(directory), "%.*s", (int)(x->name - x->real), x->real);
	if (x->dir >= 0)
		close(x->dir);
	x->dir = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (x->dir < 0 || fstat(x->dir, &st))
		return existing_failed(x, -errno);
	x->is_shared = is_shared(&st);
	return 0;
}

/*
 * A link is resolved once, and the file is reached without links from then on. In directories
 * that only we can change, it cannot lead elsewhere meanwhile.
 */
static int follow_link(struct existing *x)
{
	struct stat st;
	char *real;

	if (fstatat(x->dir, x->name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISLNK(st.st_mode))
		return 0;
	if (x->is_shared)
		return existing_check_owner(x, &st);
	real = realpath(x->path, NULL);
	x->is_dangling = !real;
	if (!real)
		return 0;
	snprintf(x->real, sizeof(x->real), "%s", real);
	free(real);
	return open_directory(x);
}

int existing_find(struct existing *x, bool follow)
{
	size_t end = strlen(x->path);
	int ret;

	x->dir = -1;
	if (end >= PATH_MAX)
		return existing_failed(x, -ENAMETOOLONG);
	strcpy(x->real, x->path);
	while (x->kind->files && end > 1 && x->real[end - 1] == '/')
		x->real[--end] = '\0';
	x->is_descriptor = is_descriptor(x->path);
	ret = open_directory(x);
	return ret || x->is_descriptor || !follow ? ret : follow_link(x);
}

void existing_close(struct existing *x)
{
	if (x->dir >= 0)
		close(x->dir);
	x->dir = -1;
}

/* --- whose it is -------------------------------------------------------------------- */

int existing_check_owner(const struct existing *x, const struct stat *st)
{
	if (!x->is_shared)
		return 0;
	if (S_ISLNK(st->st_mode))
		return existing_refuse(x, -ELOOP,
				       "it is a symbolic link in a directory that others can write to; use another %s, or the link's target",
				       x->kind->option);
	if (st->st_uid != geteuid())
		return existing_refuse(x, -EPERM,
				       "it is another user's file in a directory that others can write to; use another %s",
				       x->kind->option);
	if (S_ISREG(st->st_mode) && st->st_nlink > 1)
		return existing_refuse(x, -EPERM,
				       "it is a hard-linked file in a directory that others can write to; use another %s",
				       x->kind->option);
	return 0;
}

/* --- what it holds ------------------------------------------------------------------ */

static bool has_no_entries(int fd)
{
	DIR *d = fdopendir(fcntl(fd, F_DUPFD_CLOEXEC, 0));
	unsigned int entries = 0;

	if (!d)
		return false;
	while (readdir(d) && entries <= 2)
		entries++;
	rewinddir(d);
	closedir(d);
	return entries <= 2;
}

bool existing_is_empty(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return false;
	if (S_ISDIR(st.st_mode))
		return has_no_entries(fd);
	return S_ISREG(st.st_mode) && !st.st_size;
}

/* Decompressed data may come in pieces that are shorter than a word. */
static bool read_word(struct fxt_stream *s, uint64_t *word)
{
	size_t held = 0;
	ssize_t n = 1;

	while (n > 0 && held < sizeof(*word)) {
		n = fxt_stream_read(s, (char *)word + held, sizeof(*word) - held);
		held += n > 0 ? n : 0;
	}
	return held == sizeof(*word);
}

bool existing_is_archive(const struct output_kind *kind, int fd)
{
	struct fxt_stream *s;
	uint64_t word;
	bool is_one;

	(void)kind;
	if (fd < 0 || fxt_stream_open(&s, fd, NULL, 0))
		return false;
	is_one = read_word(s, &word) &&
		 (word == FXT_MAGIC_RECORD || word == bswap_64(FXT_MAGIC_RECORD));
	fxt_stream_close(s);
	return is_one;
}

/* Does PATH.old hold nothing that is lost if it is replaced? Links are not followed. */
static bool may_replace_old(const struct existing *x, const char *old)
{
	int fd = openat(x->dir, old, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	struct stat st;
	bool may = fd >= 0 && !fstat(fd, &st) && S_ISDIR(st.st_mode) == !!x->kind->files &&
		   (existing_is_empty(fd) || x->kind->is_ours(x->kind, fd));

	if (fd >= 0)
		close(fd);
	return may;
}

int existing_check_old(const struct existing *x)
{
	char old[PATH_MAX + sizeof(OUTPUT_OLD)];
	struct stat st;

	snprintf(old, sizeof(old), "%s" OUTPUT_OLD, x->name);
	if (fstatat(x->dir, old, &st, AT_SYMLINK_NOFOLLOW))
		return 0;
	if (x->is_shared && st.st_uid != geteuid())
		return existing_refuse(x, -EPERM,
				       "%s" OUTPUT_OLD " is another user's file in a directory that others can write to; use another %s",
				       x->real, x->kind->option);
	if (may_replace_old(x, old) || (x->force && !S_ISDIR(st.st_mode)))
		return 0;
	return existing_refuse(x, -EPERM, "it would be kept as %s" OUTPUT_OLD ", which %s; move it away",
			       x->real, x->kind->is_not);
}

int existing_check(const struct existing *x, int fd)
{
	if (!x->force && !x->kind->is_ours(x->kind, fd))
		return existing_refuse(x, -EPERM,
				       "it exists and %s; use --force to replace it, or another %s",
				       x->kind->is_not, x->kind->option);
	return 0;
}
