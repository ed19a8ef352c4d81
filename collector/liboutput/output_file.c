// SPDX-License-Identifier: GPL-2.0-or-later
/* output_file.c - see output_file.h. */
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

#include "libfxt/stream.h"
#include "output_file.h"

/* --- existing files --------------------------------------------------------------------- */

#define OUTPUT_OLD	".old"

/* Where a path leads. */
struct existing {
	const char *path;		/* as given */
	const struct output_kind *kind;	/* what will be written there */
	bool force;			/* replace any file */
	struct output_error *e;		/* filled in on error */
	int dir;			/* the directory, -1: none; closed by existing_close() */
	const char *name;		/* the name in @dir; may be too long for a file */
	char real[PATH_MAX];		/* the path, with a final symbolic link resolved */
	bool is_shared;			/* others can create names in @dir */
	bool is_descriptor;		/* it names an open descriptor: /dev/stdout */
	bool is_dangling;		/* it is a symbolic link to nothing */
};

/* Fill in the error. Return: @err */
static int existing_refuse(const struct existing *x, int err, const char *format, ...)
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

/* The same for a failed system call, with the advice to use another file. */
static int existing_failed(const struct existing *x, int err)
{
	if (err == -EACCES || err == -EPERM)
		snprintf(x->e->text, sizeof(x->e->text),
			 "cannot write %s as user %u: %s; use another %s", x->path, geteuid(),
			 strerror(-err), x->kind->option);
	else
		existing_refuse(x, err, "%s; use another %s", strerror(-err), x->kind->option);
	return err;
}

/* --- where a path leads ------------------------------------------------------------- */

/* An open descriptor is used as it is, whatever it leads to. */
static bool is_descriptor(const char *path)
{
	return !strncmp(path, "/dev/std", 8) || !strncmp(path, "/dev/fd/", 8) ||
	       !strncmp(path, "/proc/", 6);
}

/*
 * Can users other than root and ours create names in a directory? A group other than root's is
 * trusted if the directory is ours.
 */
static bool is_shared(const struct stat *directory)
{
	if (directory->st_mode & S_IWOTH)
		return true;
	if (directory->st_uid)
		return directory->st_uid != geteuid();
	return directory->st_mode & S_IWGRP && directory->st_gid;
}

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

/* May a file be written or replaced? @st is its status; a link is not followed. */
static int existing_check_owner(const struct existing *x, const struct stat *st)
{
	bool is_link = S_ISLNK(st->st_mode);
	const char *what = is_link ? "a symbolic link" :
			   st->st_uid != geteuid() ? "another user's file" :
			   S_ISREG(st->st_mode) && st->st_nlink > 1 ? "a hard-linked file" : NULL;

	if (!x->is_shared || !what)
		return 0;
	return existing_refuse(x, is_link ? -ELOOP : -EPERM,
			       "it is %s in a directory that others can write to; use another %s%s",
			       what, x->kind->option, is_link ? ", or the link's target" : "");
}

/*
 * Resolve a link once; afterwards, reach the file without links. Nobody else can change the link
 * meanwhile, because only we can change its directory.
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

/*
 * Find the directory and name that a path leads to. @x has @path, @kind, @force and @e; call
 * existing_close() also after an error. Unless @follow, a symbolic link itself is meant.
 */
static int existing_find(struct existing *x, bool follow)
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

static void existing_close(struct existing *x)
{
	if (x->dir >= 0)
		close(x->dir);
	x->dir = -1;
}

/* --- what a file contains ----------------------------------------------------------- */

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

static bool existing_is_empty(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return false;
	if (S_ISDIR(st.st_mode))
		return has_no_entries(fd);
	return S_ISREG(st.st_mode) && !st.st_size;
}

/* Decompressed data may come in pieces shorter than a word. */
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

/* May PATH.old be replaced, because it is empty or ours? Links are not followed. */
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

/* Check that keeping a file as PATH.old loses no data. */
static int existing_check_old(const struct existing *x)
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

/* May a file or directory that is not empty be replaced? */
static int existing_check(const struct existing *x, int fd)
{
	if (!x->force && !x->kind->is_ours(x->kind, fd))
		return existing_refuse(x, -EPERM,
				       "it exists and %s; use --force to replace it, or another %s",
				       x->kind->is_not, x->kind->option);
	return 0;
}

/* --- files that are written in place ---------------------------------------------------- */

/*
 * Files are readable by their owner only, because an archive shows who ran what and when.
 *
 * Must hold: in directories where others can create files and links, none of theirs is written to,
 * renamed or replaced; a renamed file is the one that was examined; opening never blocks.
 */

#define OPEN_TRIES	3

/*
 * First without O_CREAT: in a sticky directory, the kernel refuses O_CREAT for an existing file
 * that belongs neither to us nor to the directory's owner. The caller reports the reason.
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

/* By the descriptor, because the name may lead to another file by now. */
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
 * Rename the file to PATH.old. Return: 1; 0 if that is impossible, but the file may be
 * overwritten; a negative errno
 */
static int keep_existing(const struct existing *x, const struct stat *st, bool only_looks)
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

static int create_new(struct direct *f, const struct existing *x, struct stat *st)
{
	int fd = openat(x->dir, x->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600);

	if (fd < 0)
		return existing_failed(x, -errno);
	close(f->fd);
	f->fd = fd;
	return fstat(fd, st) ? existing_failed(x, -errno) : 0;
}

static int replace_existing(struct direct *f, const struct existing *x, struct stat *st,
			    bool only_looks)
{
	int ret = check_replaceable(x, f->fd);

	if (ret || x->kind->is_overwritten || x->is_descriptor)
		return ret;
	ret = existing_check_old(x);
	ret = ret ? ret : keep_existing(x, st, only_looks);
	if (ret > 0)
		ret = only_looks ? 0 : create_new(f, x, st);
	return ret;
}

/* --- opening ------------------------------------------------------------------------ */

/*
 * After a file was truncated to 0, ext4 writes it to the disk when any process closes it, which
 * may take long. So close it now.
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

/* Make an overwritten archive private; not an error on a file system without modes. */
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

/* Name the file PATH.part until it is complete. PATH must not exist. */
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
		ret = replace_existing(f, x, &st, how & DIRECT_LOOK);
	return ret || how & DIRECT_LOOK ? ret : claim(f, x, &st);
}

/* Check only regular files that are not empty; opening a pipe would have effects. */
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
	ret = ret ? ret : open_file(f, &x, how);
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

/* --- files that are written beside the old one ------------------------------------------ */

#define OLD_ROOM	(PATH_MAX + sizeof(OUTPUT_OLD))

/* --- begin -------------------------------------------------------------------------- */

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

/* Return: 1 for a device or a pipe; 0; a negative errno */
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

/* In a directory that others can write to, the opened file is checked again. */
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

/* Link the old file to its second name first, so that the path always names a file. */
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

/* Move the complete directory to its place below @root. */
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

/* Without RENAME_NOREPLACE, which some file systems lack, first check that the path is free. */
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
