// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Full disks and limits: bytes reported as safe are in the file; after a cut the archive ends
 * normally.
 */
#include <sys/mount.h>
#include <sys/resource.h>

#include "output_kinds_fixture.h"

static void go_on_after(struct __test_metadata *_metadata, struct rig *r, const char *path,
			int err, uint64_t keep_off)
{
	uint64_t safe, kept = 0;

	EXPECT_EQ(err, output_write(r->o, "", 1));
	EXPECT_EQ(err, output_boundary(r->o));
	EXPECT_EQ(err, output_write(r->o, "", 1));
	safe = output_safe(r->o);
	/* Bytes reported as safe can be read, even from the truncated file. */
	rig_read(r, path);
	EXPECT_LE((safe - r->head) / EVENT_BYTES, r->seen);
	EXPECT_GT(1UL << 60, r->seen);
	EXPECT_GT(safe, keep_off);
	ASSERT_EQ(0, output_cut(r->o, safe - keep_off, &kept));
	EXPECT_LE(kept, safe - keep_off);
	EXPECT_LT(r->head, kept);
	EXPECT_EQ(0UL, (kept - r->head) % (CHUNK_EVENTS * EVENT_BYTES));
	EXPECT_EQ(kept, output_safe(r->o));
	EXPECT_EQ(size_of(path), output_bytes(r->o));
	r->events = (kept - r->head) / EVENT_BYTES;
	/* The writer has the error, too: it continues from the remaining bytes. */
	ASSERT_EQ(0, fxt_writer_cut(r->w, kept));
	EXPECT_EQ(0, rig_write(r, 1000, CHUNK_EVENTS));
	EXPECT_EQ(0, rig_close(r, true));
	EXPECT_EQ(0, rig_read(r, path)) TH_LOG("%s", r->walk.told[0].text);
	EXPECT_EQ(r->events, r->seen);
	EXPECT_EQ((kept - r->head) / EVENT_BYTES + 1000, r->seen);
}

TEST_F(output, file_system_full)
{
	struct rig *r = &self->r;

	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("tmpfs", self->dir, "tmpfs", 0, "size=9m"))
		SKIP(return, "cannot mount a tmpfs: %s", strerror(errno));
	/* A broker that sees the current mounts. */
	broker_stop(r->broker);
	r->broker = NULL;
	r->random = true;
	ASSERT_EQ(0, rig_open(r, self->path));
	ASSERT_EQ(-ENOSPC, rig_fill(r));
	EXPECT_EQ(9 * MIB, size_of(self->path));
	go_on_after(_metadata, r, self->path, -ENOSPC, 256 << 10);
	umount2(self->dir, MNT_DETACH);
}

static void limit_files(uint64_t bytes)
{
	struct rlimit limit = { bytes, RLIM_INFINITY };

	setrlimit(RLIMIT_FSIZE, &limit);
}

TEST_F(output, file_too_large)
{
	struct rig *r = &self->r;

	limit_files(9 * MIB + 1234);
	r->random = true;
	ASSERT_EQ(0, rig_open(r, self->path));
	ASSERT_EQ(-EFBIG, rig_fill(r));
	EXPECT_EQ(9 * MIB + 1234, size_of(self->path));
	EXPECT_EQ(9 * MIB + 1234, output_bytes(r->o));
	go_on_after(_metadata, r, self->path, -EFBIG, 100 << 10);
}

/* Cut twice: the second time there is no thread. */
TEST_F(output, no_room_again)
{
	struct rig *r = &self->r;
	uint64_t kept;

	limit_files(9 * MIB);
	r->random = true;
	ASSERT_EQ(0, rig_open(r, self->path));
	ASSERT_EQ(-EFBIG, rig_fill(r));
	ASSERT_EQ(0, output_cut(r->o, output_safe(r->o), &kept));
	r->events = (kept - r->head) / EVENT_BYTES;
	ASSERT_EQ(0, fxt_writer_cut(r->w, kept));
	ASSERT_EQ(-EFBIG, rig_fill(r));
	go_on_after(_metadata, r, self->path, -EFBIG, 100 << 10);
}

/* There is no boundary so early: a truncated archive is better than none. */
TEST_F(output, nothing_to_cut_at)
{
	struct rig *r = &self->r;
	uint64_t kept = 77;

	limit_files(MIB);
	r->random = true;
	ASSERT_EQ(0, rig_open(r, self->path));
	ASSERT_EQ(-EFBIG, rig_fill(r));
	EXPECT_EQ(-ENODATA, output_cut(r->o, 10, &kept));
	EXPECT_EQ(77UL, kept);
	EXPECT_EQ(MIB, size_of(self->path));
	EXPECT_EQ(-EFBIG, output_write(r->o, "", 1));
	EXPECT_EQ(-EFBIG, rig_close(r, true));
	rig_read(r, self->path);
	EXPECT_LE(1000UL, r->seen);
	EXPECT_GT(1UL << 60, r->seen);
}

/* No frame ends within a chunk, however long the thread waits. */
TEST_F(output, frames_end_at_boundaries)
{
	struct rig *r = &self->r;
	uint64_t kept = 0;
	int ret;

	ASSERT_EQ(0, rig_open(r, self->path));
	ASSERT_EQ(0, rig_write(r, CHUNK_EVENTS, CHUNK_EVENTS));
	ASSERT_EQ(0, rig_write(r, 50000, 0));
	ASSERT_EQ(0, fxt_writer_flush(r->w));
	sleep(3);
	ret = output_cut(r->o, fxt_writer_bytes(r->w), &kept);
	EXPECT_TRUE(ret == -ENODATA || (!ret && kept == r->head + CHUNK_EVENTS * EVENT_BYTES));
}

/* More boundaries than marks: there is always a mark nearby. */
TEST_F(output, many_boundaries)
{
	struct rig *r = &self->r;
	uint64_t end, kept = 0;

	if (variant->compression != COMPRESSION_NONE)
		return;		/* frames do not end at all of them */
	ASSERT_EQ(0, rig_open(r, self->path));
	ASSERT_EQ(0, rig_write(r, 20000, 1));
	end = r->head + 20000 * EVENT_BYTES;
	EXPECT_EQ(end, output_safe(r->o));
	ASSERT_EQ(0, output_cut(r->o, end - 3 * EVENT_BYTES + 1, &kept));
	EXPECT_GE(end - 3 * EVENT_BYTES, kept);
	EXPECT_LE(end - 20 * EVENT_BYTES, kept);
	ASSERT_EQ(0, output_cut(r->o, end / 2, &kept));
	EXPECT_GE(end / 2, kept);
	EXPECT_LE(end / 2 - 1000 * EVENT_BYTES, kept);
	EXPECT_EQ(kept, size_of(self->path));
	r->events = (kept - r->head) / EVENT_BYTES;
	EXPECT_EQ(0, rig_write(r, 10, 1));
	EXPECT_EQ(0, rig_close(r, true));
	EXPECT_EQ(0, rig_read(r, self->path));
	EXPECT_EQ(r->events, r->seen);
}

TEST_F(output, standard_output_goes_on)
{
	struct rig *r = &self->r;
	int aside = put_stdout_aside(), append, fd;
	char word[6] = "";
	uint64_t kept;

	for (append = 0; append < 2; append++) {
		unlink(self->path);
		fd = open(self->path, O_RDWR | O_CREAT | (append ? O_APPEND : 0), 0600);
		ASSERT_EQ(5, write(fd, "first", 5));
		if (append)
			lseek(fd, 0, SEEK_SET);
		limit_files(9 * MIB);
		r->random = true;
		dup2(fd, STDOUT_FILENO);
		ASSERT_EQ(0, rig_open(r, "-"));
		put_stdout_back(aside);
		aside = put_stdout_aside();
		ASSERT_EQ(-EFBIG, rig_fill(r));
		EXPECT_EQ(9 * MIB - 5, output_bytes(r->o));
		ASSERT_EQ(0, output_cut(r->o, output_safe(r->o) - MIB, &kept));
		r->events = (kept - r->head) / EVENT_BYTES;
		ASSERT_EQ(0, fxt_writer_cut(r->w, kept));
		EXPECT_EQ(0, rig_write(r, 100, 100));
		EXPECT_EQ(0, rig_close(r, true));
		ASSERT_EQ(5, pread(fd, word, 5, 0));
		EXPECT_STREQ("first", word);
		lseek(fd, 5, SEEK_SET);
		r->seen = 0;
		r->walk.each = see;
		r->walk.arg = r;
		EXPECT_EQ(0, walk_fd(&r->walk, fd));
		EXPECT_EQ(0UL, r->walk.told_count);
		EXPECT_EQ(r->events, r->seen);
		close(fd);
	}
	close(aside);
}
