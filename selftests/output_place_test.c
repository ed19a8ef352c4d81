// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * output_place_test.c - where an archive may be put, and whose it is then.
 *
 * What flows in: directories that are ours alone or everybody's, and what others may
 * have laid there. What must hold: nothing of theirs is written to; the file is of
 * mode 0600, belongs to whom it should, and has its name only when it is complete.
 */
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "../collector/collect/output_error.h"
#include "output_fixture.h"

/* The harness itself has parameters that it does not use. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "harness.h"

#define STRANGER	4321
#define TEST_SECONDS	30

FIXTURE(place)
{
	char dir[RECORD_PATH];		/* ours alone */
	char all[RECORD_PATH + 16];	/* below it: everybody's, sticky */
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
	self->r.options = (struct output_options){ .owner = -1, .group = -1 };
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

/* A file that holds "old". */
static int lay(const char *path, mode_t mode, uid_t owner)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, "old", 3) != 3 || fchmod(fd, mode) ||
	    fchown(fd, owner, owner))
		return -1;
	return close(fd);
}

static bool is_old(const char *path)
{
	char text[8] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, text, sizeof(text));

	close(fd);
	return n == 3 && !memcmp(text, "old", 3);
}

/* Open, write some, close; what failed first. */
static int record_to(struct rig *r, const char *path)
{
	int ret = rig_open(r, path);

	if (ret)
		return ret;
	ret = rig_write(r, 1000, 100);
	return ret ? ret : rig_close(r, true);
}

static void refused(struct __test_metadata *_metadata, struct rig *r, const char *path,
		    int err, const char *says)
{
	r->e.text[0] = '\0';
	EXPECT_EQ(err, record_to(r, path)) TH_LOG("%s", path);
	EXPECT_NE(NULL, strstr(r->e.text, says)) TH_LOG("%s", r->e.text);
	EXPECT_NE(NULL, strstr(r->e.text, "give --output another place"))
		TH_LOG("%s", r->e.text);
	EXPECT_EQ(EXIT_FAILED, (int)r->e.code);
	EXPECT_EQ(NULL, r->o);
}

/* It holds the archive, and is of this owner, group and mode. */
static void sound(struct __test_metadata *_metadata, struct rig *r, const char *path,
		  uid_t uid, gid_t gid, mode_t mode)
{
	struct stat st;

	EXPECT_EQ(0, rig_read(r, path)) TH_LOG("%s", path);
	EXPECT_EQ(1000UL, r->seen);
	ASSERT_EQ(0, stat(path, &st));
	EXPECT_EQ(uid, st.st_uid);
	EXPECT_EQ(gid, st.st_gid);
	EXPECT_EQ(S_IFREG | mode, st.st_mode);
}

/* --- owner and mode --------------------------------------------------------------- */

TEST_F(place, new_file)
{
	ASSERT_EQ(0, record_to(&self->r, self->mine)) TH_LOG("%s", self->r.e.text);
	sound(_metadata, &self->r, self->mine, geteuid(), getegid(), 0600);
	ASSERT_EQ(0, record_to(&self->r, self->there)) TH_LOG("%s", self->r.e.text);
	sound(_metadata, &self->r, self->there, geteuid(), getegid(), 0600);
	/* Relative ones, too. */
	ASSERT_EQ(0, chdir(self->dir));
	ASSERT_EQ(0, record_to(&self->r, "y.fxt"));
	sound(_metadata, &self->r, "y.fxt", geteuid(), getegid(), 0600);
	ASSERT_EQ(0, record_to(&self->r, "all/y.fxt"));
	sound(_metadata, &self->r, "all/y.fxt", geteuid(), getegid(), 0600);
}

TEST_F(place, own_file_is_taken_and_made_private)
{
	ASSERT_EQ(0, lay(self->mine, 0666, -1));
	ASSERT_EQ(0, record_to(&self->r, self->mine));
	sound(_metadata, &self->r, self->mine, geteuid(), getegid(), 0600);
	ASSERT_EQ(0, lay(self->there, 0644, -1));
	ASSERT_EQ(0, record_to(&self->r, self->there));
	sound(_metadata, &self->r, self->there, geteuid(), getegid(), 0600);
}

TEST_F(place, longer_file_is_emptied)
{
	struct rig *r = &self->r;

	ASSERT_EQ(0, rig_open(r, self->mine));
	ASSERT_EQ(0, rig_write(r, 5000, 100));
	ASSERT_EQ(0, rig_close(r, true));
	ASSERT_EQ(0, record_to(r, self->mine));
	sound(_metadata, r, self->mine, geteuid(), getegid(), 0600);
}

TEST_F(place, user_behind_sudo)
{
	struct rig *r = &self->r;

	NEEDS_ROOT();
	r->options.owner = STRANGER;
	r->options.group = STRANGER + 1;
	ASSERT_EQ(0, record_to(r, self->mine));
	sound(_metadata, r, self->mine, STRANGER, STRANGER + 1, 0600);
	/* Their own file of last time, though the kernel protects it from root. */
	ASSERT_EQ(0, record_to(r, self->there));
	sound(_metadata, r, self->there, STRANGER, STRANGER + 1, 0600);
	ASSERT_EQ(0, chmod(self->there, 0664));
	ASSERT_EQ(0, record_to(r, self->there));
	sound(_metadata, r, self->there, STRANGER, STRANGER + 1, 0600);
	r->options.part = true;
	ASSERT_EQ(0, record_to(r, self->there));
	sound(_metadata, r, self->there, STRANGER, STRANGER + 1, 0600);
}

TEST_F(place, strangers_file)
{
	struct rig *r = &self->r;

	NEEDS_ROOT();
	/* Where only we can have put it, it is taken as it is. */
	ASSERT_EQ(0, lay(self->mine, 0640, STRANGER));
	ASSERT_EQ(0, record_to(r, self->mine));
	sound(_metadata, r, self->mine, STRANGER, STRANGER, 0640);

	ASSERT_EQ(0, lay(self->there, 0666, STRANGER));
	refused(_metadata, r, self->there, -EPERM, "somebody else's file");
	EXPECT_TRUE(is_old(self->there));
	r->options.owner = STRANGER + 1;
	refused(_metadata, r, self->there, -EPERM, "somebody else's file");
	EXPECT_TRUE(is_old(self->there));
	/* Nor is it replaced. */
	r->options.part = true;
	refused(_metadata, r, self->there, -EPERM, "somebody else's file");
	EXPECT_TRUE(is_old(self->there));
	/* The name till the end is no better. */
	r->options.owner = -1;
	snprintf(self->other, sizeof(self->other), "%s/y.fxt", self->all);
	strcat(self->there, ".part");
	strcpy(strstr(self->there, "x.fxt"), "y.fxt.part");
	ASSERT_EQ(0, lay(self->there, 0666, STRANGER));
	refused(_metadata, r, self->other, -EPERM, "somebody else's file");
	EXPECT_TRUE(is_old(self->there));
}

/* --- links ------------------------------------------------------------------------ */

TEST_F(place, symbolic_link)
{
	struct rig *r = &self->r;
	int part;

	ASSERT_EQ(0, lay(self->other, 0600, -1));
	ASSERT_EQ(0, symlink(self->other, self->there));
	for (part = 0; part < 2; part++) {
		r->options.part = part;
		refused(_metadata, r, self->there, -ELOOP, "symbolic link");
		EXPECT_TRUE(is_old(self->other));
	}
	/* Sticky or not: it is everybody's. */
	ASSERT_EQ(0, chmod(self->all, 0777));
	refused(_metadata, r, self->there, -ELOOP, "symbolic link");
	/* To nothing: nothing is made. */
	ASSERT_EQ(0, unlink(self->other));
	refused(_metadata, r, self->there, -ELOOP, "symbolic link");
	EXPECT_NE(0, access(self->other, F_OK));
	/* In a directory of ours it is meant, and stays; it may lead anywhere. */
	for (part = 0; part < 2; part++) {
		struct stat st;

		r->options.part = part;
		ASSERT_EQ(0, symlink(self->other, self->mine));
		ASSERT_EQ(0, record_to(r, self->mine)) TH_LOG("%s", r->e.text);
		sound(_metadata, r, self->other, geteuid(), getegid(), 0600);
		ASSERT_EQ(0, lstat(self->mine, &st));
		EXPECT_TRUE(S_ISLNK(st.st_mode));
		unlink(self->mine);
	}
}

TEST_F(place, hard_link)
{
	ASSERT_EQ(0, lay(self->other, 0600, -1));
	ASSERT_EQ(0, link(self->other, self->there));
	refused(_metadata, &self->r, self->there, -EPERM, "another name");
	EXPECT_TRUE(is_old(self->other));
	ASSERT_EQ(0, link(self->other, self->mine));
	ASSERT_EQ(0, record_to(&self->r, self->mine));
	sound(_metadata, &self->r, self->other, geteuid(), getegid(), 0600);
}

/* --- places that are none --------------------------------------------------------- */

TEST_F(place, no_such_place)
{
	char path[RECORD_PATH * 2];
	struct rig *r = &self->r;

	snprintf(path, sizeof(path), "%s/none/x.fxt", self->dir);
	refused(_metadata, r, path, -ENOENT, "No such file or directory");
	refused(_metadata, r, self->all, -EISDIR, "Is a directory");
	snprintf(path, sizeof(path), "%s/", self->all);
	refused(_metadata, r, path, -EISDIR, "Is a directory");
	refused(_metadata, r, "", -ENOENT, "No such file or directory");
	memset(path, 'x', 300);
	path[300] = '\0';
	refused(_metadata, r, path, -ENAMETOOLONG, "File name too long");
	/* With its ending it is too long. */
	path[253] = '\0';
	r->options.part = true;
	refused(_metadata, r, path, -ENAMETOOLONG, "File name too long");
}

TEST_F(place, terminal)
{
	int aside, master, slave;

	ASSERT_EQ(0, openpty(&master, &slave, NULL, NULL, NULL));
	fflush(stdout);
	aside = dup(STDOUT_FILENO);
	dup2(slave, STDOUT_FILENO);
	EXPECT_EQ(-EINVAL, output_open(&self->r.o, "-", &self->r.options, &self->r.e));
	dup2(aside, STDOUT_FILENO);
	EXPECT_EQ(EXIT_USAGE, (int)self->r.e.code);
	EXPECT_STREQ("standard output is a terminal: redirect it, or give --output a file",
		     self->r.e.text);
}

TEST_F(place, no_regular_file)
{
	struct rig *r = &self->r;
	struct stat st;
	uint64_t kept;
	int status;
	pid_t pid;

	/* No device is tried here: a fault would replace it, for all of the machine. */
	r->options.part = true;
	ASSERT_EQ(0, mkfifo(self->mine, 0666));
	pid = fork();
	if (!pid) {
		/* If nobody writes into it. */
		alarm(TEST_SECONDS);
		rig_read(r, self->mine);
		_exit(r->seen == 1000 ? 0 : 1);
	}
	ASSERT_EQ(0, rig_open(r, self->mine));
	ASSERT_EQ(0, rig_write(r, 1000, 100));
	EXPECT_EQ(-ESPIPE, output_cut(r->o, 1000, &kept));
	ASSERT_EQ(0, rig_close(r, true));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	ASSERT_EQ(0, stat(self->mine, &st));
	EXPECT_EQ(S_IFIFO | 0666U, st.st_mode);
}

/* --- names, at the end ------------------------------------------------------------ */

TEST_F(place, part)
{
	char part[RECORD_PATH + 48];
	struct rig *r = &self->r;

	snprintf(part, sizeof(part), "%s.part", self->mine);
	r->options.part = true;
	ASSERT_EQ(0, lay(self->mine, 0600, -1));
	/* What a recording left that was killed is in the way of none. */
	ASSERT_EQ(0, lay(part, 0600, -1));
	ASSERT_EQ(0, rig_open(r, self->mine));
	ASSERT_EQ(0, rig_write(r, 1000, 100));
	EXPECT_TRUE(is_old(self->mine));
	ASSERT_EQ(0, rig_close(r, true));
	sound(_metadata, r, self->mine, geteuid(), getegid(), 0600);
	EXPECT_NE(0, access(part, F_OK));
	unlink(self->mine);
	/* Not wanted: it keeps that name. */
	ASSERT_EQ(0, rig_open(r, self->mine));
	ASSERT_EQ(0, rig_write(r, 1000, 100));
	ASSERT_EQ(0, rig_close(r, false));
	EXPECT_NE(0, access(self->mine, F_OK));
	sound(_metadata, r, part, geteuid(), getegid(), 0600);
}

static void limit_files(uint64_t bytes)
{
	struct rlimit limit = { bytes, RLIM_INFINITY };

	setrlimit(RLIMIT_FSIZE, &limit);
}

/* An error that the caller knows of is his affair; one that closing meets is not. */
TEST_F(place, part_that_failed)
{
	char part[RECORD_PATH + 48];
	struct rig *r = &self->r;

	snprintf(part, sizeof(part), "%s.part", self->mine);
	r->options.part = true;
	limit_files(10000);
	ASSERT_EQ(0, rig_open(r, self->mine));
	ASSERT_EQ(-EFBIG, rig_fill(r));
	EXPECT_EQ(-EFBIG, rig_close(r, true));
	EXPECT_EQ(0, access(self->mine, F_OK));
	EXPECT_NE(0, access(part, F_OK));
	unlink(self->mine);
	r->options.compression = COMPRESSION_ZSTD;
	r->random = true;
	ASSERT_EQ(0, rig_open(r, self->mine));
	ASSERT_EQ(0, rig_write(r, 10000, 0));
	ASSERT_EQ(0, fxt_writer_flush(r->w));
	EXPECT_EQ(-EFBIG, rig_close(r, true));
	EXPECT_NE(0, access(self->mine, F_OK));
	EXPECT_EQ(0, access(part, F_OK));
}

TEST_F(place, removed_meanwhile)
{
	char part[RECORD_PATH + 48];
	struct rig *r = &self->r;
	int i;

	for (i = 0; i < 2; i++) {
		r->options.part = i;
		snprintf(part, sizeof(part), "%s%s", self->there, i ? ".part" : "");
		ASSERT_EQ(0, rig_open(r, self->there));
		ASSERT_EQ(0, unlink(part));
		ASSERT_EQ(0, rmdir(self->all));
		ASSERT_EQ(0, rig_write(r, 1000, 100));
		EXPECT_EQ(-ENOENT, rig_close(r, true));
		EXPECT_EQ(-ENOENT, output_fail(&r->e, self->there, -ENOENT));
		EXPECT_NE(NULL, strstr(r->e.text, "lost"));
		EXPECT_NE(NULL, strstr(r->e.text, self->there));
		ASSERT_EQ(0, mkdir(self->all, 01777));
	}
}

TEST_F(place, moved_meanwhile)
{
	struct rig *r = &self->r;

	r->options.part = true;
	ASSERT_EQ(0, rig_open(r, self->there));
	ASSERT_EQ(0, rename(self->all, self->other));
	ASSERT_EQ(0, rig_write(r, 1000, 100));
	ASSERT_EQ(0, rig_close(r, true));
	strcat(self->other, "/x.fxt");
	sound(_metadata, r, self->other, geteuid(), getegid(), 0600);
}

/* Many, one after the other: nothing stays open. */
TEST_F(place, nothing_stays_open)
{
	int before = dup(0), after, i;

	close(before);
	for (i = 0; i < 8; i++) {
		self->r.options.part = i & 1;
		self->r.options.compression = i & 2 ? COMPRESSION_ZSTD : COMPRESSION_NONE;
		ASSERT_EQ(0, record_to(&self->r, self->mine));
		ASSERT_NE(0, record_to(&self->r, self->all));
		after = dup(0);
		EXPECT_EQ(before, after);
		close(after);
	}
}

TEST(words)
{
	static const struct {
		int err;
		const char *says;
	} cases[] = {
		{ -ENOSPC, "make room" }, { -EDQUOT, "quota" }, { -EFBIG, "ulimit" },
		{ -EPIPE, "has ended" }, { -EIO, "dmesg" }, { -EINVAL, "Invalid" },
	};
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		EXPECT_EQ(cases[i].err, output_fail(&e, "/x/y", cases[i].err));
		EXPECT_EQ(EXIT_FAILED, (int)e.code);
		EXPECT_NE(NULL, strstr(e.text, "cannot write to /x/y: ")) TH_LOG("%s", e.text);
		EXPECT_NE(NULL, strstr(e.text, cases[i].says)) TH_LOG("%s", e.text);
		EXPECT_NE(NULL, strstr(e.text, strerror(-cases[i].err))) TH_LOG("%s", e.text);
		EXPECT_EQ(NULL, strchr(e.text, '\n'));
	}
	output_fail(&e, "-", -EPIPE);
	EXPECT_NE(NULL, strstr(e.text, "standard output"));
}

TEST_HARNESS_MAIN
