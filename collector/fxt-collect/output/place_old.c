// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * place_old.c - see place_old.h.
 *
 * In: an open file, and its path. Out: its new name. Invariants: the renamed file is the
 * one that was examined; and where others can create names, none of theirs is renamed or
 * replaced.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "libfxt/own.h"
#include "place_old.h"

/* --- what it is ------------------------------------------------------------------- */

static bool are_statistics(int fd)
{
	char head[sizeof(PLACE_STATS_BEGIN)] = "";

	return read(fd, head, sizeof(head) - 1) == (ssize_t)sizeof(head) - 1 &&
	       !strcmp(head, PLACE_STATS_BEGIN);
}

/* Through the descriptor: the name may lead to another file by now. */
static bool is_ours(const struct place_old *o)
{
	char path[32];
	bool is_one;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", o->fd);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	is_one = o->how & PLACE_STATS ? are_statistics(fd) : fxt_own_archive(fd);
	close(fd);
	return is_one;
}

/* --- where it stands ---------------------------------------------------------------- */

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static int cannot_keep(const struct place_old *o, const char *why, struct error *e)
{
	return fail(e, EXIT_FAILED, -EPERM,
		    "cannot keep %s as %s" FXT_OWN_OLD ": %s; use --force to overwrite it, or another --output",
		    o->path, o->path, why);
}

/* Return: 0, -ENOENT if the file has no such name (any more), another negative errno. */
static int find_place(struct place_old *o)
{
	char link[32];
	struct stat there;
	ssize_t n;
	char *slash;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", o->fd);
	n = readlink(link, o->place, sizeof(o->place) - 1);
	if (n <= 0)
		return n ? -errno : -ENOENT;
	o->place[n] = '\0';
	slash = strrchr(o->place, '/');
	if (!slash || strlen(slash + 1) + strlen(FXT_OWN_OLD) > NAME_MAX)
		return slash ? -ENAMETOOLONG : -ENOENT;
	o->name = slash + 1;
	*slash = '\0';
	o->dir = open(slash == o->place ? "/" : o->place, O_PATH | O_DIRECTORY | O_CLOEXEC);
	*slash = '/';
	if (o->dir < 0 || fstatat(o->dir, o->name, &there, AT_SYMLINK_NOFOLLOW))
		return -errno;
	return is_same(&there, o->st) ? 0 : -ENOENT;
}

static void old_name(const struct place_old *o, char *old)
{
	strcpy(stpcpy(old, o->name), FXT_OWN_OLD);
}

/* The file of that name is an archive, or empty. */
static bool may_replace(const struct place_old *o, const char *old)
{
	int fd = openat(o->dir, old, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	struct stat st;
	bool is_none;

	if (fd < 0)
		return false;
	is_none = !fstat(fd, &st) && S_ISREG(st.st_mode) &&
		  (!st.st_size || fxt_own_archive(fd));
	close(fd);
	return is_none;
}

static int check_old_name(const struct place_old *o, bool is_shared, struct error *e)
{
	char old[NAME_MAX + 1];
	struct stat st;

	old_name(o, old);
	if (fstatat(o->dir, old, &st, AT_SYMLINK_NOFOLLOW))
		return 0;
	if (is_shared && st.st_uid != geteuid())
		return fail(e, EXIT_FAILED, -EPERM,
			    "not replacing %s" FXT_OWN_OLD ": another user's file in a directory that others can write to; use another --output",
			    o->path);
	if (may_replace(o, old) || (o->how & PLACE_FORCE && !S_ISDIR(st.st_mode)))
		return 0;
	return fail(e, EXIT_FAILED, -EPERM,
		    "not writing to %s: it would be kept as %s" FXT_OWN_OLD ", which is not an FXT archive; move it away",
		    o->path, o->path);
}

/* A symbolic link may have led to a directory where others can create names. */
static int check_directory(const struct place_old *o, struct error *e)
{
	struct stat dir;
	bool is_shared;

	if (fstat(o->dir, &dir))
		return cannot_keep(o, strerror(errno), e);
	is_shared = place_is_shared(&dir);
	if (is_shared && o->st->st_uid != geteuid())
		return fail(e, EXIT_FAILED, -EPERM,
			    "not writing to %s: another user's file in a directory that others can write to; use another --output",
			    o->path);
	return check_old_name(o, is_shared, e);
}

/* --- both ---------------------------------------------------------------------------- */

int place_old_check(struct place_old *o, struct error *e)
{
	bool has_force = o->how & PLACE_FORCE;
	int ret;

	if (!has_force && !is_ours(o))
		return fail(e, EXIT_FAILED, -EPERM,
			    "not writing to %s: it exists and %s; use --force to replace it, or another %s",
			    o->path, o->how & PLACE_STATS ? "does not hold statistics of fxt-collect" :
						       "is not an FXT archive",
			    place_option(o->how));
	if (o->how & PLACE_STATS || fxt_own_descriptor(o->path))
		return 0;
	ret = find_place(o);
	if (!ret)
		return check_directory(o, e);
	o->name = NULL;
	return has_force ? 0 : cannot_keep(o, strerror(-ret), e);
}

int place_old_keep(const struct place_old *o, struct error *e)
{
	char old[NAME_MAX + 1];

	if (!o->name)
		return 0;
	old_name(o, old);
	if (!renameat(o->dir, o->name, o->dir, old))
		return 1;
	return o->how & PLACE_FORCE ? 0 : cannot_keep(o, strerror(errno), e);
}
