// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * place.c - see place.h.
 *
 * In: paths. Out: open files that only their owner can read, because an archive shows who
 * ran what and when. Invariants: in directories where others can create files and links,
 * none of theirs is written to; and no open blocks.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "place.h"
#include "place_old.h"

#define OPEN_TRIES	3

/**
 * struct target - the file to open
 * @path: as given
 * @how: of enum place_how
 * @dir: its directory, open
 * @name: its name in @dir
 * @shared: others can create names in that directory
 * @made: the file is new
 */
struct target {
	const char *path;
	unsigned int how;
	int dir;
	const char *name;
	bool shared;
	bool made;
};

static int cannot_open(struct error *e, const char *path, unsigned int how, int err)
{
	if (err == EACCES || err == EPERM)
		return fail(e, EXIT_FAILED, -err,
			    "cannot open %s for writing as user %u: %s; use another %s",
			    path, geteuid(), strerror(err), place_option(how));
	return fail(e, EXIT_FAILED, -err,
		    "cannot open %s for writing: %s; use another %s",
		    path, strerror(err), place_option(how));
}

/*
 * First without O_CREAT: in a sticky directory the kernel refuses O_CREAT for an existing
 * file that belongs neither to us nor to the directory's owner, and the reason is then
 * reported here.
 */
static int open_name(struct target *t)
{
	int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK |
		    (t->shared ? O_NOFOLLOW : 0);
	int fd, i;

	for (i = 0; i < OPEN_TRIES; i++) {
		fd = openat(t->dir, t->name, flags);
		if (fd >= 0 || errno != ENOENT || t->how & PLACE_LOOK)
			return fd;
		fd = openat(t->dir, t->name, flags | O_CREAT | (t->shared ? O_EXCL : 0), 0600);
		t->made = fd >= 0;
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

static int refuse_open(const struct target *t, struct error *e)
{
	int err = errno;
	struct stat st;

	if (err == ELOOP && t->shared)
		return fail(e, EXIT_FAILED, -ELOOP,
			    "not writing to %s: a symbolic link in a directory that others can write to; use another %s, or the link's target",
			    t->path, place_option(t->how));
	if (err == ENXIO && !fstatat(t->dir, t->name, &st, 0) && S_ISFIFO(st.st_mode))
		return fail(e, EXIT_INCOMPLETE, -EAGAIN,
			    "%s: this pipe has no reader; start one", t->path);
	return cannot_open(e, t->path, t->how, err);
}

/* Check that an existing file, in a directory that others can write to, may be used. */
static int check_owner(const struct target *t, const struct stat *st, struct error *e)
{
	if (st->st_uid != geteuid())
		return fail(e, EXIT_FAILED, -EPERM,
			    "not writing to %s: another user's file in a directory that others can write to; use another %s",
			    t->path, place_option(t->how));
	if (S_ISREG(st->st_mode) && st->st_nlink > 1)
		return fail(e, EXIT_FAILED, -EPERM,
			    "not writing to %s: hard-linked file in a directory that others can write to; use another %s",
			    t->path, place_option(t->how));
	return 0;
}

/*
 * When a file that was truncated to 0 is closed next, by any process, ext4 starts writing
 * it to the disk, which may take long. So do this now.
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
 * An overwritten archive becomes private, if the file system has modes. If it has not,
 * recording continues all the same.
 */
static int claim(struct place_file *f, const struct target *t, const struct stat *st,
		 struct error *e)
{
	if (!S_ISREG(st->st_mode))
		return 0;
	if (st->st_size && empty(f->fd))
		return cannot_open(e, t->path, t->how, errno);
	f->regular = true;
	f->linked = st->st_nlink > 0;
	if (st->st_uid == geteuid() && !(t->how & PLACE_STATS) && fchmod(f->fd, 0600))
		errno = 0;
	return 0;
}

/* Create a new file in place of the one that is kept. */
static int make_new(struct place_file *f, const struct target *t,
		    const struct place_old *old, struct error *e)
{
	int fd = openat(old->dir, old->name,
			O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600);

	if (fd < 0)
		return cannot_open(e, t->path, t->how, errno);
	close(f->fd);
	f->fd = fd;
	return 0;
}

/* Handle a file that is not empty. */
static int replace(struct place_file *f, const struct target *t, struct stat *st,
		   struct error *e)
{
	struct place_old old = { .path = t->path, .how = t->how, .fd = f->fd, .st = st, .dir = -1 };
	int ret = place_old_check(&old, e);

	if (!ret && !(t->how & PLACE_LOOK))
		ret = place_old_keep(&old, e);
	if (ret > 0)
		ret = make_new(f, t, &old, e);
	if (!ret && fstat(f->fd, st))
		ret = cannot_open(e, t->path, t->how, errno);
	if (old.dir >= 0)
		close(old.dir);
	return ret;
}

static int open_in(struct place_file *f, struct target *t, struct error *e)
{
	struct stat st;
	int ret;

	if (t->how & PLACE_NEW) {
		if (!fstatat(t->dir, f->name, &st, AT_SYMLINK_NOFOLLOW))
			return -EEXIST;
		if (strlen(f->name) + strlen(PLACE_PART) > NAME_MAX)
			return cannot_open(e, t->path, t->how, ENAMETOOLONG);
		strcpy(stpcpy(f->part, f->name), PLACE_PART);
		t->name = f->part;
	}
	f->fd = open_name(t);
	if (f->fd < 0)
		return refuse_open(t, e);
	if (fstat(f->fd, &st))
		return cannot_open(e, t->path, t->how, errno);
	ret = t->shared && !t->made ? check_owner(t, &st, e) : 0;
	if (!ret && S_ISREG(st.st_mode) && st.st_size && !(t->how & PLACE_NEW))
		ret = replace(f, t, &st, e);
	return ret || t->how & PLACE_LOOK ? ret : claim(f, t, &st, e);
}

static int open_below(struct place_file *f, struct target *t, const char *directory,
		      struct error *e)
{
	struct stat st;
	int ret;

	t->dir = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (t->dir < 0)
		return cannot_open(e, t->path, t->how, errno);
	if (fstat(t->dir, &st)) {
		ret = cannot_open(e, t->path, t->how, errno);
	} else {
		t->shared = place_is_shared(&st);
		ret = open_in(f, t, e);
	}
	if (!ret && f->part[0])
		f->dir = t->dir;
	else
		close(t->dir);
	return ret;
}

/* Only a regular file that is not empty needs the check; a pipe must not be opened. */
static bool is_worth_a_look(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && st.st_size;
}

int place_open(struct place_file *f, const char *path, unsigned int how, struct error *e)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	struct target t = { .path = path, .how = how, .name = f->name };
	char directory[PATH_MAX] = ".";
	int ret;

	*f = (struct place_file){ .fd = -1, .dir = -1 };
	if (how & PLACE_LOOK && !is_worth_a_look(path))
		return 0;
	if (strlen(name) > NAME_MAX || strlen(path) >= PATH_MAX)
		return cannot_open(e, path, how, ENAMETOOLONG);
	if (!*name)
		return cannot_open(e, path, how, *path ? EISDIR : ENOENT);
	strcpy(f->name, name);
	if (slash)
		snprintf(directory, sizeof(directory), "%.*s", (int)(name - path), path);
	ret = open_below(f, &t, directory, e);
	if (ret || how & PLACE_LOOK)
		place_close(f);
	return ret;
}

int place_complete(const struct place_file *f)
{
	return renameat(f->dir, f->part, f->dir, f->name) ? -errno : 0;
}

int place_remove(const char *path)
{
	return unlink(path) ? -errno : 0;
}

int place_check(const char *directory, unsigned int how)
{
	int mode = how & PLACE_NEW ? W_OK | X_OK : F_OK;

	return faccessat(AT_FDCWD, directory, mode, AT_EACCESS) ? -errno : 0;
}

void place_close(struct place_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	if (f->dir >= 0)
		close(f->dir);
	f->fd = -1;
	f->dir = -1;
}
