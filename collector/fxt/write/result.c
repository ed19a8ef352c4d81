// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * result.c - see result.h.
 *
 * Must hold: the path names either the old file or the complete result, and nothing else
 * is left behind unless SIGKILL ends the process.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libfxt/own.h"
#include "terminal/message.h"
#include "terminal/progress.h"
#include "result.h"
#include "terminal/exit_status.h"

static bool force;
static struct result *volatile pending;

void result_force(void)
{
	force = true;
}

static int unwritable(const struct result *r, const char *why)
{
	message("fxt: cannot write %s: %s\n", r->path, why);
	return VERB_UNWRITABLE;
}

/* --- signals ---------------------------------------------------------------------- */

static void remove_place(const struct result *r)
{
	result_remove(r->place, r->files, r->is_there);
	if (r->is_root_new)
		rmdir(r->root);
}

static void remove_pending(int signal_number)
{
	if (pending)
		remove_place(pending);
	progress_interrupt();
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/* Signals that nohup(1) and the like ignore stay ignored. */
static void catch_signals(void)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
	struct sigaction old;
	size_t i;

	for (i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		if (!sigaction(ending[i], NULL, &old) && old.sa_handler == SIG_DFL)
			signal(ending[i], remove_pending);
}

/* --- the existing file --------------------------------------------------------------- */

#define OLD_ROOM	(PATH_MAX + sizeof(FXT_OWN_OLD))

static void old_path(const struct result *r, char old[OLD_ROOM])
{
	snprintf(old, OLD_ROOM, "%s" FXT_OWN_OLD, r->target);
}

/* Would replacing PATH.old lose data? 0, or the exit status after reporting why. */
static int check_old(const struct result *r)
{
	char old[OLD_ROOM], why[PATH_MAX + 128];
	struct stat st;

	old_path(r, old);
	if (r->root || lstat(old, &st) || result_is_ours(old, r->kind, r->files) || result_is_empty(old) ||
	    (force && !S_ISDIR(st.st_mode)))
		return VERB_DONE;
	snprintf(why, sizeof(why), "it would be kept as %s, but that exists and is not %s; move it away",
		 old, r->kind->what);
	return unwritable(r, why);
}

/* Check the file or directory that exists already. */
static int check_target(struct result *r, const struct stat *st)
{
	char why[256];

	if (S_ISDIR(st->st_mode) && !r->kind->is_directory)
		return unwritable(r, strerror(EISDIR));
	if (result_is_empty(r->target)) {
		r->is_there = S_ISDIR(st->st_mode) && !r->root;
		return VERB_DONE;
	}
	if (!force && !result_is_ours(r->target, r->kind, r->files)) {
		snprintf(why, sizeof(why), "it exists and is not %s; use --force to replace it, or name another file",
			 r->kind->what);
		return unwritable(r, why);
	}
	r->keeps_old = true;
	return check_old(r);
}

/* Resolve the path. 1 if it is neither a file nor a directory: write to it as it is. */
static int find_target(struct result *r)
{
	struct stat st;

	if (fxt_own_descriptor(r->path))
		return 1;
	if (!lstat(r->path, &st) && S_ISLNK(st.st_mode) && stat(r->path, &st))
		return unwritable(r, "it is a dangling symbolic link; name its target");
	if (stat(r->path, &st)) {
		r->is_new = true;
		if (strlen(r->path) >= PATH_MAX)
			return unwritable(r, strerror(ENAMETOOLONG));
		strcpy(r->target, r->path);
		while (r->kind->is_directory && strlen(r->target) > 1 &&
		       r->target[strlen(r->target) - 1] == '/')
			r->target[strlen(r->target) - 1] = '\0';
		return errno == ENOENT ? VERB_DONE : unwritable(r, strerror(errno));
	}
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return 1;
	if (!realpath(r->path, r->target))
		return unwritable(r, strerror(errno));
	return check_target(r, &st);
}

/* --- begin and end ------------------------------------------------------------------ */

/* Create the missing directories above a path. Return: 0, or -1 with errno set. */
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
			return -1;
	}
	return 0;
}

static int make_place(struct result *r)
{
	if (r->is_there) {
		strcpy(r->place, r->target);
		return VERB_DONE;
	}
	snprintf(r->place, sizeof(r->place), "%s.%ld.tmp", r->target, (long)getpid());
	if (r->root) {
		snprintf(r->place, sizeof(r->place), "%s/fxt.%ld.tmp", r->root, (long)getpid());
		r->is_root_new = access(r->root, F_OK);
		if (make_parents(r->place))
			return unwritable(r, strerror(errno));
	}
	if (r->kind->is_directory)
		return mkdir(r->place, 0777) ? unwritable(r, strerror(errno)) : VERB_DONE;
	r->fd = open(r->place, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	return r->fd < 0 ? unwritable(r, strerror(errno)) : VERB_DONE;
}

static int begin(struct result *r, const char *path, const struct result_kind *kind,
		 const char *root, const char *const *files)
{
	int ret;

	*r = (struct result){
		.path = path, .fd = STDOUT_FILENO, .kind = kind, .root = root, .files = files,
	};
	if (!path || !strcmp(path, "-"))
		return VERB_DONE;
	r->fd = -1;
	ret = find_target(r);
	if (ret == 1 && !kind->is_directory && !kind->is_reopened) {
		r->fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
		return r->fd < 0 ? unwritable(r, strerror(errno)) : VERB_DONE;
	}
	if (ret == 1)
		return unwritable(r, "it is not a regular file");
	if (ret)
		return ret;
	catch_signals();
	pending = r;
	ret = make_place(r);
	r->is_pending = !ret;
	if (ret)
		pending = NULL;
	return ret;
}

int result_open(struct result *r, const char *path, const struct result_kind *kind)
{
	return begin(r, path, kind, NULL, NULL);
}

int result_open_directory(struct result *r, const char *path, const struct result_kind *kind,
			  const char *root, const char *const *files)
{
	return begin(r, path, kind, root, files);
}

/* Give the old file a second name first, so that the path always names a file. */
static int put_old_aside(const struct result *r)
{
	char old[OLD_ROOM];

	old_path(r, old);
	if (r->kind->is_directory) {
		result_remove(old, r->files, false);
		return rename(r->target, old);
	}
	unlink(old);
	return link(r->target, old) ? rename(r->target, old) : 0;
}

/* Move the complete directory to its place among others. */
static int join_others(const struct result *r)
{
	char old[sizeof(r->place) + sizeof(FXT_OWN_OLD)];

	if (make_parents(r->target))
		return -1;
	if (!r->keeps_old)
		return rename(r->place, r->target);
	snprintf(old, sizeof(old), "%s" FXT_OWN_OLD, r->place);
	if (rename(r->target, old) || rename(r->place, r->target))
		return -1;
	result_remove(old, r->files, false);
	return 0;
}

/* Not every file system supports RENAME_NOREPLACE: then look for a new file at the path. */
static int give_name(const struct result *r)
{
	if (r->is_there)
		return 0;
	if (r->root)
		return join_others(r);
	if (r->keeps_old && put_old_aside(r))
		return -1;
	if (!r->is_new)
		return rename(r->place, r->target);
	if (!renameat2(AT_FDCWD, r->place, AT_FDCWD, r->target, RENAME_NOREPLACE))
		return 0;
	return errno == EINVAL && access(r->target, F_OK) ? rename(r->place, r->target) : -1;
}

int result_end(struct result *r, int status, bool is_complete)
{
	bool has_failed;

	progress_result(NULL, NULL, NULL);
	if (!r->is_pending)
		return status;
	r->is_pending = false;
	has_failed = is_complete && give_name(r);
	if (has_failed)
		status = unwritable(r, strerror(errno));
	if (has_failed || !is_complete)
		remove_place(r);
	pending = NULL;
	return status;
}
