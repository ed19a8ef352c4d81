// SPDX-License-Identifier: GPL-2.0-or-later
/* store.c - see store.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "store.h"

#define PART		".part"
#define TRIES		10000	/* files of one sender in one second */

int store_open(struct store *s, const char *path)
{
	*s = (struct store){ .path = path, .fd = -1 };
	if (mkdir(path, 0700) && errno != EEXIST)
		return -errno;
	s->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->fd < 0)
		return -errno;
	if (!faccessat(s->fd, ".", W_OK | X_OK, AT_EACCESS))
		return 0;
	store_close(s);
	return -EACCES;
}

void store_close(struct store *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

/* The name of a complete file is taken together with that of its part. */
static int try_name(const struct store *s, struct store_file *f)
{
	struct stat st;

	if (!fstatat(s->fd, f->name, &st, AT_SYMLINK_NOFOLLOW))
		return -EEXIST;
	f->fd = openat(s->fd, f->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		       0600);
	return f->fd < 0 ? -errno : 0;
}

int store_create(const struct store *s, struct store_file *f, const char *peer,
		 const char *extension)
{
	char when[32], number[16] = "";
	time_t now = time(NULL);
	struct tm tm;
	int try, ret = -EEXIST;

	*f = (struct store_file){ .fd = -1 };
	strftime(when, sizeof(when), "%Y%m%d-%H%M%S", localtime_r(&now, &tm));
	for (try = 1; try <= TRIES && ret == -EEXIST; try++) {
		if (try > 1)
			snprintf(number, sizeof(number), "-%d", try);
		snprintf(f->name, sizeof(f->name) - sizeof(PART), "%s-%s%s%s", peer, when,
			 number, extension);
		strcpy(stpcpy(f->part, f->name), PART);
		ret = try_name(s, f);
	}
	return ret;
}

int store_write(struct store_file *f, const void *data, size_t bytes)
{
	const unsigned char *p = data;
	ssize_t n;

	while (bytes) {
		n = write(f->fd, p, bytes);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		p += n;
		bytes -= n;
		f->bytes += n;
	}
	return 0;
}

int store_complete(const struct store *s, struct store_file *f)
{
	int ret = close(f->fd) && errno != EINTR ? -errno : 0;

	f->fd = -1;
	if (ret)
		return ret;
	if (!renameat2(s->fd, f->part, s->fd, f->name, RENAME_NOREPLACE))
		return 0;
	/* Some file systems cannot. The name was free when the part was created. */
	if (errno != EINVAL)
		return -errno;
	return renameat(s->fd, f->part, s->fd, f->name) ? -errno : 0;
}

void store_abandon(const struct store *s, struct store_file *f, uint64_t keep)
{
	if (f->fd < 0)
		return;
	if (!keep)
		unlinkat(s->fd, f->part, 0);
	else if (keep < f->bytes && !ftruncate(f->fd, keep))
		f->bytes = keep;
	close(f->fd);
	f->fd = -1;
}
