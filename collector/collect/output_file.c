// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * output_file.c - the file below an output: how it is made, written, cut, named.
 *
 * What flows in: a path, then bytes. What flows out: a file that only its owner can
 * read, since an archive tells who ran what and when. What must hold: where others
 * can put files and links, none of theirs is written to.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output_internal.h"

#define PART		".part"
#define OPEN_TRIES	3

/* --- making it ----------------------------------------------------------------- */

static int cannot_open(struct error *e, const char *path, int err)
{
	return fail(e, EXIT_FAILED, -err,
		    "cannot open %s for writing: %s; give --output another place",
		    path, strerror(err));
}

static int open_stdout(struct output_file *f, struct error *e)
{
	struct stat st;
	off_t at;

	if (isatty(STDOUT_FILENO))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "standard output is a terminal: redirect it, or give --output a file");
	f->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (f->fd < 0 || fstat(f->fd, &st))
		return cannot_open(e, "standard output", errno);
	f->regular = S_ISREG(st.st_mode);
	at = fcntl(f->fd, F_GETFL) & O_APPEND ? st.st_size : lseek(f->fd, 0, SEEK_CUR);
	f->base = f->regular && at > 0 ? at : 0;
	return 0;
}

/*
 * Not with O_CREAT at once: in a directory that is for all, kernels refuse that to
 * root for a file of the user behind sudo, who recorded there before.
 */
static int open_name(int dir, const char *name, bool for_all)
{
	int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | (for_all ? O_NOFOLLOW : 0);
	int fd, i;

	for (i = 0; i < OPEN_TRIES; i++) {
		fd = openat(dir, name, flags);
		if (fd >= 0 || errno != ENOENT)
			return fd;
		fd = openat(dir, name, flags | O_CREAT | (for_all ? O_EXCL : 0), 0600);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

static bool is_ours(const struct stat *st, const struct output_options *options)
{
	return st->st_uid == geteuid() || st->st_uid == options->owner;
}

/* May this file, in a directory that everybody can write to, be taken? */
static int judge(const struct stat *st, const char *path,
		 const struct output_options *options, struct error *e)
{
	if (!S_ISREG(st->st_mode))
		return 0;
	if (!is_ours(st, options))
		return fail(e, EXIT_FAILED, -EPERM,
			    "not writing to %s: somebody else's file, in a directory that everybody can write to; give --output another place",
			    path);
	if (st->st_nlink > 1)
		return fail(e, EXIT_FAILED, -EPERM,
			    "not writing to %s: the file has another name as well, and everybody can make such names in that directory; give --output another place",
			    path);
	return 0;
}

/*
 * The next time that a file which was cut to nothing is closed, whoever has it open, ext4
 * begins to write it to the disk, and that may take long: so let this be now.
 */
static int empty(int fd)
{
	char path[32];

	if (ftruncate(fd, 0))
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return 0;
}

/*
 * Make a regular file empty and private, whatever it was before. File systems
 * without owners or modes refuse the one or the other: there is no more to be had
 * there, and a recording is worth more than that.
 */
static int claim(struct output_file *f, const struct stat *st, const char *path,
		 const struct output_options *options, struct error *e)
{
	if (!S_ISREG(st->st_mode))
		return 0;
	if (st->st_size && empty(f->fd))
		return cannot_open(e, path, errno);
	f->regular = true;
	f->linked = st->st_nlink > 0;
	/* The mode first: once the file is another's it may be too late. */
	if (is_ours(st, options) &&
	    (fchmod(f->fd, 0600) || fchown(f->fd, options->owner, options->group)))
		errno = 0;
	return 0;
}

/* @dir is open; its own attributes are in @d. */
static int open_in(struct output_file *f, int dir, const struct stat *d,
		   const char *path, const struct output_options *options,
		   struct error *e)
{
	bool for_all = d->st_mode & S_IWOTH, there;
	const char *name = f->name;
	struct stat st;
	int ret;

	there = !fstatat(dir, f->name, &st, AT_SYMLINK_NOFOLLOW);
	/* What is no regular file is written in place. */
	if (options->part && (!there || S_ISREG(st.st_mode))) {
		if (strlen(f->name) + strlen(PART) > NAME_MAX)
			return cannot_open(e, path, ENAMETOOLONG);
		/* It will be replaced in the end. */
		ret = there && for_all ? judge(&st, path, options, e) : 0;
		if (ret)
			return ret;
		strcpy(stpcpy(f->part, f->name), PART);
		name = f->part;
	}
	f->fd = open_name(dir, name, for_all);
	if (f->fd < 0 && errno == ELOOP && for_all)
		return fail(e, EXIT_FAILED, -ELOOP,
			    "not writing to %s: a symbolic link, in a directory that everybody can write to; give --output another place, or what it points to",
			    path);
	if (f->fd < 0 || fstat(f->fd, &st))
		return cannot_open(e, path, errno);
	ret = for_all ? judge(&st, path, options, e) : 0;
	return ret ? ret : claim(f, &st, path, options, e);
}

static int open_path(struct output_file *f, const char *path,
		     const struct output_options *options, struct error *e)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char dir_path[PATH_MAX] = ".";
	struct stat d;
	int dir, ret;

	if (strlen(name) > NAME_MAX || (slash && slash - path >= PATH_MAX - 1))
		return cannot_open(e, path, ENAMETOOLONG);
	if (!*name)
		return cannot_open(e, path, *path ? EISDIR : ENOENT);
	strcpy(f->name, name);
	if (slash)
		snprintf(dir_path, sizeof(dir_path), "%.*s", (int)(name - path), path);
	dir = open(dir_path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return cannot_open(e, path, errno);
	ret = fstat(dir, &d) ? cannot_open(e, path, errno) :
			       open_in(f, dir, &d, path, options, e);
	if (!ret && f->part[0])
		f->dir = dir;
	else
		close(dir);
	return ret;
}

int output_file_open(struct output_file *f, const char *path,
		     const struct output_options *options, struct error *e)
{
	int ret;

	*f = (struct output_file){ .fd = -1, .dir = -1 };
	ret = strcmp(path, "-") ? open_path(f, path, options, e) : open_stdout(f, e);
	if (ret && f->fd >= 0)
		close(f->fd);
	return ret;
}

/* --- writing it ------------------------------------------------------------------ */

int output_file_write(struct output_file *f, const void *data, size_t bytes)
{
	struct pollfd writable = { .fd = f->fd, .events = POLLOUT };
	const unsigned char *p = data;

	while (bytes) {
		ssize_t n = write(f->fd, p, bytes);

		if (n > 0) {
			p += n;
			bytes -= n;
			__atomic_store_n(&f->bytes, f->bytes + n, __ATOMIC_RELAXED);
		} else if (n < 0 && errno == EAGAIN) {
			/* Who made the pipe may have made it so. */
			poll(&writable, 1, -1);
		} else if (n < 0 && errno != EINTR) {
			return -errno;
		}
	}
	return 0;
}

int output_file_cut(struct output_file *f, uint64_t bytes)
{
	if (!f->regular)
		return -ESPIPE;
	if (ftruncate(f->fd, f->base + bytes) ||
	    lseek(f->fd, f->base + bytes, SEEK_SET) < 0)
		return -errno;
	__atomic_store_n(&f->bytes, bytes, __ATOMIC_RELAXED);
	return 0;
}

int output_file_close(struct output_file *f, bool keep)
{
	struct stat st;
	int ret = 0;

	/* Its directory may be gone, and nothing else would tell. */
	if (f->linked && !fstat(f->fd, &st) && !st.st_nlink)
		ret = -ENOENT;
	if (close(f->fd) && errno != EINTR && !ret)
		ret = -errno;
	if (f->dir < 0)
		return ret;
	if (keep && !ret && renameat(f->dir, f->part, f->dir, f->name))
		ret = -errno;
	close(f->dir);
	return ret;
}
