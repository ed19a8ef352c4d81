// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * direct.c - see direct.h.
 *
 * In: paths. Out: open files that only their owner can read, because an archive shows who
 * ran what and when. Invariants: in directories where others can create files and links,
 * none of theirs is written to, renamed or replaced; the renamed file is the one that was
 * examined; and no open blocks.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "direct.h"

#define OPEN_TRIES	3

/*
 * First without O_CREAT: in a sticky directory the kernel refuses O_CREAT for an existing
 * file that belongs neither to us nor to the directory's owner, and the reason is then
 * reported here.
 */
static int open_or_create(const struct existing *x, const char *name, unsigned int how,
			  bool *is_created)
{
	int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK |
		    (x->is_shared ? O_NOFOLLOW : 0);
	int fd, i;

	for (i = 0; i < OPEN_TRIES; i++) {
		fd = openat(x->dir, name, flags);
		if (fd >= 0 || errno != ENOENT || how & DIRECT_LOOK)
			return fd;
		fd = openat(x->dir, name, flags | O_CREAT | (x->is_shared ? O_EXCL : 0), 0600);
		*is_created = fd >= 0;
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

static int explain_open(const struct existing *x, const char *name, int err)
{
	struct stat st;

	if (err == -ELOOP && !fstatat(x->dir, name, &st, AT_SYMLINK_NOFOLLOW) &&
	    existing_check_owner(x, &st))
		return err;
	if (err == -ENXIO && !fstatat(x->dir, name, &st, 0) && S_ISFIFO(st.st_mode))
		return existing_refuse(x, -EAGAIN, "this pipe has no reader; start one");
	return existing_failed(x, err);
}

/* --- the existing file -------------------------------------------------------------- */

/* Through the descriptor: the name may lead to another file by now. */
static int open_again(int fd)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static int check_replaceable(const struct existing *x, int fd)
{
	int again = open_again(fd), ret = existing_check(x, again);

	if (again >= 0)
		close(again);
	return ret;
}

static int cannot_keep(const struct existing *x, int err)
{
	return existing_refuse(x, -EPERM,
			       "it cannot be kept as %s" OUTPUT_OLD ": %s; use --force to overwrite it, or another %s",
			       x->real, strerror(-err), x->kind->option);
}

/*
 * Rename the file to PATH.old. Return: 1; 0 if it cannot be renamed, but may be overwritten;
 * a negative errno.
 */
static int keep(const struct existing *x, const struct stat *st, bool only_looks)
{
	char old[NAME_MAX + sizeof(OUTPUT_OLD)];
	struct stat there;
	int err = 0;

	snprintf(old, sizeof(old), "%s" OUTPUT_OLD, x->name);
	if (strlen(old) > NAME_MAX)
		err = -ENAMETOOLONG;
	else if (fstatat(x->dir, x->name, &there, AT_SYMLINK_NOFOLLOW))
		err = -errno;
	else if (there.st_dev != st->st_dev || there.st_ino != st->st_ino)
		err = -ENOENT;
	else if (!only_looks && renameat(x->dir, x->name, x->dir, old))
		err = -errno;
	if (!err)
		return 1;
	return x->force ? 0 : cannot_keep(x, err);
}

/* Create a new file in place of the one that is kept. */
static int create_new(struct direct *f, const struct existing *x, struct stat *st)
{
	int fd = openat(x->dir, x->name,
			O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600);

	if (fd < 0)
		return existing_failed(x, -errno);
	close(f->fd);
	f->fd = fd;
	return fstat(fd, st) ? existing_failed(x, -errno) : 0;
}

/* Handle a file that is not empty. */
static int replace(struct direct *f, const struct existing *x, struct stat *st, bool only_looks)
{
	int ret = check_replaceable(x, f->fd);

	if (ret || x->kind->is_overwritten || x->is_descriptor)
		return ret;
	ret = existing_check_old(x);
	if (!ret)
		ret = keep(x, st, only_looks);
	if (ret > 0)
		ret = only_looks ? 0 : create_new(f, x, st);
	return ret;
}

/* --- opening ------------------------------------------------------------------------ */

/*
 * When a file that was truncated to 0 is closed next, by any process, ext4 starts writing
 * it to the disk, which may take long. So do this now.
 */
static int truncate_now(int fd)
{
	if (ftruncate(fd, 0))
		return -errno;
	fd = open_again(fd);
	if (fd >= 0)
		close(fd);
	return 0;
}

/*
 * An overwritten archive becomes private, if the file system has modes. If it has not,
 * recording continues all the same.
 */
static int claim(struct direct *f, const struct existing *x, const struct stat *st)
{
	int ret;

	if (!S_ISREG(st->st_mode))
		return 0;
	ret = st->st_size ? truncate_now(f->fd) : 0;
	if (ret)
		return existing_failed(x, ret);
	f->regular = true;
	f->linked = st->st_nlink > 0;
	if (st->st_uid == geteuid() && !x->kind->is_overwritten && fchmod(f->fd, 0600))
		errno = 0;
	return 0;
}

/* PATH must be free, and the file gets that name when it is complete. */
static int name_part(struct direct *f, const struct existing *x)
{
	struct stat st;

	if (!fstatat(x->dir, x->name, &st, AT_SYMLINK_NOFOLLOW))
		return -EEXIST;
	if (strlen(x->name) + strlen(DIRECT_PART) > NAME_MAX)
		return existing_failed(x, -ENAMETOOLONG);
	strcpy(f->name, x->name);
	strcpy(stpcpy(f->part, f->name), DIRECT_PART);
	return 0;
}

static int open_file(struct direct *f, const struct existing *x, unsigned int how)
{
	const char *name = f->part[0] ? f->part : x->name;
	bool is_created = false;
	struct stat st;
	int ret;

	f->fd = open_or_create(x, name, how, &is_created);
	if (f->fd < 0)
		return explain_open(x, name, -errno);
	if (fstat(f->fd, &st))
		return existing_failed(x, -errno);
	ret = is_created ? 0 : existing_check_owner(x, &st);
	if (!ret && S_ISREG(st.st_mode) && st.st_size && !f->part[0])
		ret = replace(f, x, &st, how & DIRECT_LOOK);
	return ret || how & DIRECT_LOOK ? ret : claim(f, x, &st);
}

/* Only a regular file that is not empty needs the check; a pipe must not be opened. */
static bool is_worth_a_look(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && st.st_size;
}

int direct_open(struct direct *f, const char *path, unsigned int how,
		const struct output_kind *kind, struct output_error *e)
{
	struct existing x = { .path = path, .kind = kind, .force = how & DIRECT_FORCE, .e = e };
	int ret;

	*f = (struct direct){ .fd = -1, .dir = -1 };
	if (how & DIRECT_LOOK && !is_worth_a_look(path))
		return 0;
	ret = existing_find(&x, !(how & DIRECT_PART_FIRST));
	if (!ret && how & DIRECT_PART_FIRST)
		ret = name_part(f, &x);
	if (!ret)
		ret = open_file(f, &x, how);
	if (!ret && f->part[0]) {
		f->dir = x.dir;
		x.dir = -1;
	}
	existing_close(&x);
	if (ret || how & DIRECT_LOOK)
		direct_close(f);
	return ret;
}

int direct_complete(const struct direct *f)
{
	return renameat(f->dir, f->part, f->dir, f->name) ? -errno : 0;
}

void direct_close(struct direct *f)
{
	if (f->fd >= 0)
		close(f->fd);
	if (f->dir >= 0)
		close(f->dir);
	f->fd = -1;
	f->dir = -1;
}
