// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Existing files at the path of an archive: an archive is kept as PATH.old, statistics are
 * overwritten, other files are unchanged without force; and no file of another user or behind a
 * link is renamed or replaced.
 */
#include <sys/resource.h>

#include "output_place_fixture.h"

#define OLD_EVENTS	300
#define OLD_ROOM	(RECORD_PATH + 48)

static const char *old_of(const char *path)
{
	static char old[OLD_ROOM];

	snprintf(old, sizeof(old), "%s.old", path);
	return old;
}

static int record_old(struct rig *r, const char *path)
{
	int ret = rig_open(r, path);

	if (!ret)
		ret = rig_write(r, OLD_EVENTS, 100);
	return ret ? ret : rig_close(r, true);
}

#define EXPECT_EVENTS(r, path, events) do {						\
	EXPECT_EQ(0, rig_read(r, path)) TH_LOG("%s", path);				\
	EXPECT_EQ((uint64_t)(events), (r)->seen) TH_LOG("%s", path);			\
} while (0)

#define EXPECT_REFUSED(r, path, says) do {						\
	(r)->e.text[0] = '\0';								\
	EXPECT_EQ(-EPERM, record_to(r, path)) TH_LOG("%s", path);			\
	EXPECT_IN((r)->e.text, says);		\
	EXPECT_EQ(EXIT_FAILED, (int)(r)->e.code);					\
	EXPECT_EQ(NULL, (r)->o);							\
} while (0)

TEST_F(place, archive_is_kept)
{
	static const enum compression all[] = {
		COMPRESSION_NONE, COMPRESSION_ZSTD, COMPRESSION_GZIP,
	};
	struct rig *r = &self->r;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		r->options.compression = all[i];
		ASSERT_EQ(0, record_old(r, self->there));
		ASSERT_EQ(0, chmod(self->there, 0640));
		ASSERT_EQ(0, record_to(r, self->there)) TH_LOG("%s", r->e.text);
		EXPECT_EVENTS(r, self->there, 1000);
		EXPECT_EVENTS(r, old_of(self->there), OLD_EVENTS);
		ASSERT_EQ(0, record_to(r, self->there)) TH_LOG("%s", r->e.text);
		EXPECT_EVENTS(r, old_of(self->there), 1000);
		unlink(self->there);
	}
}

/* A recording that fails at once leaves no file that would replace the kept one. */
TEST_F(place, empty_file_is_not_kept)
{
	struct rig *r = &self->r;

	ASSERT_EQ(0, record_old(r, self->mine));
	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, rig_output(r, self->mine));
		EXPECT_EVENTS(r, old_of(self->mine), OLD_EVENTS);
		ASSERT_EQ(0, output_close(r->o, false));
		r->o = NULL;
	}
	ASSERT_EQ(0, record_to(r, self->mine));
	EXPECT_EVENTS(r, self->mine, 1000);
	EXPECT_EVENTS(r, old_of(self->mine), OLD_EVENTS);
}

/* As left by a killed recorder. */
TEST_F(place, torn_archive_is_one)
{
	struct rig *r = &self->r;
	struct stat st;

	ASSERT_EQ(0, record_old(r, self->mine));
	ASSERT_EQ(0, stat(self->mine, &st));
	ASSERT_EQ(0, truncate(self->mine, st.st_size - 20));
	ASSERT_EQ(0, record_to(r, self->mine)) TH_LOG("%s", r->e.text);
	EXPECT_EQ(-1, rig_read(r, old_of(self->mine)));
	EXPECT_LE(OLD_EVENTS - 1UL, r->seen);
}

TEST_F(place, link_of_ours_leads_to_what_is_kept)
{
	struct rig *r = &self->r;
	struct stat st;

	ASSERT_EQ(0, record_old(r, self->there));
	ASSERT_EQ(0, symlink(self->there, self->mine));
	ASSERT_EQ(0, record_to(r, self->mine)) TH_LOG("%s", r->e.text);
	EXPECT_EVENTS(r, self->there, 1000);
	EXPECT_EVENTS(r, old_of(self->there), OLD_EVENTS);
	ASSERT_EQ(0, lstat(self->mine, &st));
	EXPECT_TRUE(S_ISLNK(st.st_mode));
	EXPECT_NE(0, access(old_of(self->mine), F_OK));
}

/* An open descriptor has no name for keeping the file. */
TEST_F(place, descriptor)
{
	struct rig *r = &self->r;
	char path[64];
	int fd;

	ASSERT_EQ(0, record_old(r, self->mine));
	fd = open(self->mine, O_RDWR | O_CLOEXEC);
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	/* Another process that has it open. */
	ask_as(r, 0, 0);
	ASSERT_EQ(0, record_to(r, path)) TH_LOG("%s", r->e.text);
	EXPECT_EVENTS(r, self->mine, 1000);
	EXPECT_NE(0, access(old_of(self->mine), F_OK));
	ASSERT_EQ(0, ftruncate(fd, 3));
	EXPECT_REFUSED(r, path, "is not an FXT archive");
	close(fd);
}

TEST_F(place, other_file_needs_force)
{
	struct rig *r = &self->r;

	ASSERT_EQ(0, lay(self->mine, 0644, -1));
	EXPECT_REFUSED(r, self->mine, "exists and is not an FXT archive; use --force to replace it");
	EXPECT_TRUE(is_old(self->mine));
	EXPECT_NE(0, access(old_of(self->mine), F_OK));
	r->options.force = true;
	ASSERT_EQ(0, record_to(r, self->mine)) TH_LOG("%s", r->e.text);
	EXPECT_EVENTS(r, self->mine, 1000);
	EXPECT_TRUE(is_old(old_of(self->mine)));
}

TEST_F(place, statistics)
{
	static const char document[] = BROKER_STATS_BEGIN "\"1\"}\n";
	struct rig *r = &self->r;
	int fd;

	/* Not the archive that they describe. */
	ASSERT_EQ(0, record_old(r, self->mine));
	r->options.stats = true;
	EXPECT_REFUSED(r, self->mine, "does not hold statistics of fxt-collect; use --force to replace it, or another --stats-json");
	EXPECT_EVENTS(r, self->mine, OLD_EVENTS);
	fd = open(self->mine, O_WRONLY | O_TRUNC | O_CLOEXEC);
	ASSERT_LT(0, write(fd, document, sizeof(document) - 1));
	close(fd);
	ASSERT_EQ(0, record_to(r, self->mine)) TH_LOG("%s", r->e.text);
	EXPECT_EVENTS(r, self->mine, 1000);
	EXPECT_NE(0, access(old_of(self->mine), F_OK));
}

TEST_F(place, look)
{
	struct rig *r = &self->r;
	struct direct f;
	struct stat before, after;

	ASSERT_EQ(0, rig_broker(r));
	EXPECT_EQ(0, broker_open(r->broker, &f, self->mine, DIRECT_LOOK, &r->e));
	EXPECT_EQ(-1, f.fd);
	EXPECT_NE(0, access(self->mine, F_OK));
	ASSERT_EQ(0, record_old(r, self->mine));
	ASSERT_EQ(0, stat(self->mine, &before));
	EXPECT_EQ(0, broker_open(r->broker, &f, self->mine, DIRECT_LOOK, &r->e));
	EXPECT_EQ(-1, f.fd);
	ASSERT_EQ(0, stat(self->mine, &after));
	EXPECT_EQ(before.st_ino, after.st_ino);
	EXPECT_EQ(before.st_size, after.st_size);
	ASSERT_EQ(0, lay(self->other, 0600, -1));
	EXPECT_EQ(-EPERM, broker_open(r->broker, &f, self->other, DIRECT_LOOK, &r->e));
	EXPECT_EQ(0, broker_open(r->broker, &f, self->other, DIRECT_LOOK | DIRECT_FORCE, &r->e));
	EXPECT_TRUE(is_old(self->other));
	ASSERT_EQ(0, mkfifo(self->there, 0600));
	EXPECT_EQ(0, broker_open(r->broker, &f, self->there, DIRECT_LOOK, &r->e));
}

TEST_F(place, old_name_is_taken)
{
	struct rig *r = &self->r;

	ASSERT_EQ(0, record_old(r, self->mine));
	ASSERT_EQ(0, lay(old_of(self->mine), 0600, -1));
	EXPECT_REFUSED(r, self->mine, ".old, which is not an FXT archive; move it away");
	EXPECT_EVENTS(r, self->mine, OLD_EVENTS);
	EXPECT_TRUE(is_old(old_of(self->mine)));
	r->options.force = true;
	ASSERT_EQ(0, record_to(r, self->mine)) TH_LOG("%s", r->e.text);
	EXPECT_EVENTS(r, old_of(self->mine), OLD_EVENTS);
	ASSERT_EQ(0, unlink(old_of(self->mine)) | mkdir(old_of(self->mine), 0755));
	EXPECT_REFUSED(r, self->mine, "move it away");
}

/* A link there is at most replaced, never followed. */
TEST_F(place, old_name_is_a_link)
{
	struct rig *r = &self->r;
	struct stat st;

	ASSERT_EQ(0, record_old(r, self->other));
	ASSERT_EQ(0, record_old(r, self->mine));
	ASSERT_EQ(0, symlink(self->other, old_of(self->mine)));
	EXPECT_REFUSED(r, self->mine, "move it away");
	r->options.force = true;
	ASSERT_EQ(0, record_to(r, self->mine)) TH_LOG("%s", r->e.text);
	EXPECT_EVENTS(r, self->other, OLD_EVENTS);
	ASSERT_EQ(0, lstat(old_of(self->mine), &st));
	EXPECT_TRUE(S_ISREG(st.st_mode));
}

TEST_F(place, old_name_of_others)
{
	struct rig *r = &self->r;

	NEEDS_ROOT();
	ASSERT_EQ(0, record_old(r, self->there));
	ASSERT_EQ(0, lay(old_of(self->there), 0666, STRANGER));
	r->options.force = true;
	EXPECT_REFUSED(r, self->there, "another user's file");
	EXPECT_TRUE(is_old(old_of(self->there)));
	EXPECT_EVENTS(r, self->there, OLD_EVENTS);
	ASSERT_EQ(0, symlink(self->there, self->mine));
	EXPECT_REFUSED(r, self->mine, "another user's file");
	ASSERT_EQ(0, unlink(old_of(self->there)) | chown(self->there, STRANGER, STRANGER));
	EXPECT_REFUSED(r, self->mine, "another user's file");
	EXPECT_EVENTS(r, self->there, OLD_EVENTS);
}

/* The file is writable, its directory is not. */
TEST_F(place, nothing_can_be_kept)
{
	struct rig *r = &self->r;
	struct stat before, after;

	NEEDS_ROOT();
	ASSERT_EQ(0, record_old(r, self->mine));
	ASSERT_EQ(0, chown(self->mine, STRANGER, STRANGER) | stat(self->mine, &before));
	ask_as(r, STRANGER, STRANGER);
	EXPECT_REFUSED(r, self->mine, "Permission denied; use --force to overwrite it");
	EXPECT_EVENTS(r, self->mine, OLD_EVENTS);
	r->options.force = true;
	ASSERT_EQ(0, record_to(r, self->mine)) TH_LOG("%s", r->e.text);
	EXPECT_EVENTS(r, self->mine, 1000);
	ASSERT_EQ(0, stat(self->mine, &after));
	EXPECT_EQ(before.st_ino, after.st_ino);
}

/* No descriptor leaks, neither here nor in the broker, which has few. */
TEST_F(place, old_files_are_closed)
{
	const struct rlimit few = { 30, 30 };
	struct rig *r = &self->r;
	int before, after, i;

	ASSERT_EQ(0, lay(self->other, 0600, -1));
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &few));
	ASSERT_EQ(0, rig_broker(r));
	before = dup(0);
	close(before);
	for (i = 0; i < 100; i++) {
		ASSERT_EQ(0, record_old(r, self->mine)) TH_LOG("%s", r->e.text);
		ASSERT_EQ(-EPERM, record_to(r, self->other));
	}
	after = dup(0);
	EXPECT_EQ(before, after);
	close(after);
}
