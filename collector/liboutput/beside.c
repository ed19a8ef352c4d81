// SPDX-License-Identifier: GPL-2.0-or-later
/* beside.c - see beside.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "beside.h"

#define OLD_ROOM	(PATH_MAX + sizeof(OUTPUT_OLD))

/* --- begin -------------------------------------------------------------------------- */

/* Look at an existing file or directory, which is neither a device nor a pipe. */
static int look_at_existing(struct beside *b, const struct existing *x, const struct stat *st)
{
	int fd = openat(x->dir, x->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	bool is_directory = S_ISDIR(st->st_mode);
	int ret = 0;

	b->keeps_old = is_directory ? !existing_is_empty(fd) : st->st_size;
	b->is_there = is_directory && !b->keeps_old && !b->root;
	if (b->keeps_old)
		ret = existing_check(x, fd);
	if (b->keeps_old && !ret && !b->root)
		ret = existing_check_old(x);
	if (fd >= 0)
		close(fd);
	return ret;
}

/* Return: 1 if it is a device or a pipe; 0; a negative errno. */
static int look_at_path(struct beside *b, struct existing *x)
{
	int ret = existing_find(x, true);
	struct stat st;

	/* Missing directories are created below @root. */
	if (ret == -ENOENT && b->root)
		ret = 0;
	if (ret || x->is_descriptor)
		return ret ? ret : 1;
	if (x->is_dangling)
		return existing_refuse(x, -ENOENT, "it is a dangling symbolic link; name its target");
	strcpy(b->target, x->real);
	b->is_new = x->dir < 0 || fstatat(x->dir, x->name, &st, AT_SYMLINK_NOFOLLOW);
	if (b->is_new)
		return x->dir < 0 || errno == ENOENT ? 0 : existing_failed(x, -errno);
	ret = existing_check_owner(x, &st);
	if (ret)
		return ret;
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return 1;
	if (S_ISDIR(st.st_mode) && !x->kind->files)
		return existing_failed(x, -EISDIR);
	return look_at_existing(b, x, &st);
}

/* Create the missing directories above a path. */
static int make_parents(const char *path)
{
	char parent[PATH_MAX];
	size_t i;

	for (i = 1; path[i]; i++) {
		if (path[i] != '/')
			continue;
		memcpy(parent, path, i);
		parent[i] = '\0';
		if (mkdir(parent, 0777) && errno != EEXIST)
			return -errno;
	}
	return 0;
}

static int make_place(struct beside *b)
{
	int ret;

	if (b->is_there) {
		strcpy(b->place, b->target);
		return 0;
	}
	snprintf(b->place, sizeof(b->place), "%s.%ld.tmp", b->target, (long)getpid());
	if (b->root) {
		snprintf(b->place, sizeof(b->place), "%s/fxt.%ld.tmp", b->root, (long)getpid());
		b->is_root_new = access(b->root, F_OK);
		ret = make_parents(b->place);
		if (ret)
			return ret;
	}
	if (b->kind->files)
		return mkdir(b->place, 0777) ? -errno : 0;
	b->fd = open(b->place, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	return b->fd < 0 ? -errno : 0;
}

/* In a directory that others can write to, the file is still the one that was checked. */
static int open_direct(struct beside *b, const struct existing *x, bool direct)
{
	int flags = O_WRONLY | O_CLOEXEC | (x->is_shared ? O_NOFOLLOW : 0) |
		    (x->is_descriptor ? O_TRUNC : 0), ret;
	struct stat st;

	if (!direct)
		return existing_refuse(x, -EINVAL, "it is not a regular file");
	b->fd = openat(x->dir, x->name, flags);
	if (b->fd < 0 || fstat(b->fd, &st))
		return existing_failed(x, -errno);
	ret = existing_check_owner(x, &st);
	if (ret)
		close(b->fd);
	return ret;
}

int beside_open(struct beside *b, const char *path, const char *root,
		const struct output_kind *kind, bool force, bool direct, struct output_error *e)
{
	struct existing x = { .path = path, .kind = kind, .force = force, .e = e };
	int ret;

	*b = (struct beside){ .fd = -1, .kind = kind, .root = root };
	ret = look_at_path(b, &x);
	if (ret == 1) {
		ret = open_direct(b, &x, direct);
	} else if (!ret) {
		ret = make_place(b);
		b->is_pending = !ret;
		if (ret)
			existing_failed(&x, ret);
	}
	existing_close(&x);
	return ret;
}

/* --- end ---------------------------------------------------------------------------- */

/* Remove a file, or a directory with @files. */
static void remove_all(const char *path, const char *const *files, bool keep_directory)
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

void beside_remove(const struct beside *b)
{
	remove_all(b->place, b->kind->files, b->is_there);
	if (b->is_root_new)
		rmdir(b->root);
}

/* Give the old file a second name first, so that the path always names a file. */
static int put_old_aside(const struct beside *b)
{
	char old[OLD_ROOM];

	snprintf(old, sizeof(old), "%s" OUTPUT_OLD, b->target);
	if (b->kind->files) {
		remove_all(old, b->kind->files, false);
		return rename(b->target, old);
	}
	unlink(old);
	return link(b->target, old) ? rename(b->target, old) : 0;
}

/* Move the complete directory to its place among others. */
static int join_others(const struct beside *b)
{
	char old[sizeof(b->place) + sizeof(OUTPUT_OLD)];

	if (make_parents(b->target))
		return -1;
	if (!b->keeps_old)
		return rename(b->place, b->target);
	snprintf(old, sizeof(old), "%s" OUTPUT_OLD, b->place);
	if (rename(b->target, old) || rename(b->place, b->target))
		return -1;
	remove_all(old, b->kind->files, false);
	return 0;
}

/* Not every file system supports RENAME_NOREPLACE: then look for a new file at the path. */
static int give_name(const struct beside *b)
{
	if (b->is_there)
		return 0;
	if (b->root)
		return join_others(b);
	if (b->keeps_old && put_old_aside(b))
		return -1;
	if (!b->is_new)
		return rename(b->place, b->target);
	if (!renameat2(AT_FDCWD, b->place, AT_FDCWD, b->target, RENAME_NOREPLACE))
		return 0;
	return errno == EINVAL && access(b->target, F_OK) ? rename(b->place, b->target) : -1;
}

int beside_complete(struct beside *b)
{
	int err;

	b->is_pending = false;
	err = give_name(b) ? -errno : 0;
	if (err)
		beside_remove(b);
	return err;
}
