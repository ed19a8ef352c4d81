/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private and world-writable directories, and the user who records into them. */
#ifndef SELFTESTS_OUTPUT_PLACE_FIXTURE_H
#define SELFTESTS_OUTPUT_PLACE_FIXTURE_H

#include "harness.h"
#include "output_events.h"

#define STRANGER	4321

FIXTURE(place)
{
	char dir[RECORD_PATH];		/* private */
	char all[RECORD_PATH + 16];	/* below @dir: world-writable, sticky */
	char mine[RECORD_PATH + 32];	/* "x.fxt" in @dir */
	char there[RECORD_PATH + 32];	/* the same in @all */
	char other[RECORD_PATH + 32];	/* some other file in @dir */
	struct rig r;
};

FIXTURE_SETUP(place)
{
	signal(SIGXFSZ, SIG_IGN);
	umask(0);
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
	chmod(self->dir, 0755);
	snprintf(self->all, sizeof(self->all), "%s/all", self->dir);
	snprintf(self->mine, sizeof(self->mine), "%s/x.fxt", self->dir);
	snprintf(self->there, sizeof(self->there), "%s/x.fxt", self->all);
	snprintf(self->other, sizeof(self->other), "%s/other", self->dir);
	ASSERT_EQ(0, mkdir(self->all, 01777));
}

FIXTURE_TEARDOWN(place)
{
	rig_free(&self->r);
	dir_remove(self->dir);
}

#define NEEDS_ROOT() do {							\
	if (geteuid())								\
		SKIP(return, "only root can make files of others");		\
} while (0)

static inline int lay(const char *path, mode_t mode, uid_t owner)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, "old", 3) != 3 || fchmod(fd, mode) || fchown(fd, owner, owner))
		return -1;
	return close(fd);
}

static inline bool is_old(const char *path)
{
	char text[8] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, text, sizeof(text));

	close(fd);
	return n == 3 && !memcmp(text, "old", 3);
}

/* Open files on behalf of this user from now on. */
static inline void ask_as(struct rig *r, uid_t uid, gid_t gid)
{
	broker_stop(r->broker);
	r->broker = NULL;
	r->who = (struct invoker){ .known = uid, .uid = uid, .gid = gid };
}

static inline int record_to(struct rig *r, const char *path)
{
	int ret = rig_open(r, path);

	if (ret)
		return ret;
	ret = rig_write(r, 1000, 100);
	return ret ? ret : rig_close(r, true);
}

#endif /* SELFTESTS_OUTPUT_PLACE_FIXTURE_H */
