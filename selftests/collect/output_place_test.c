// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where an archive may be written, and its owner: nothing is done that the invoking user may not
 * do, no file of others is written to; the file has mode 0600, belongs to that user, and gets its
 * name when it is complete.
 */
#include <pty.h>
#include <sys/resource.h>

#include "output/file.h"
#include "output_place_fixture.h"

#define TEST_SECONDS	30

static void refused(struct __test_metadata *_metadata, struct rig *r, const char *path,
		    int err, const char *says)
{
	r->e.text[0] = '\0';
	EXPECT_EQ(err, record_to(r, path)) TH_LOG("%s", path);
	EXPECT_IN(r->e.text, says);
	EXPECT_IN(r->e.text, "another --output");
	EXPECT_EQ(EXIT_FAILED, (int)r->e.code);
	EXPECT_EQ(NULL, r->o);
}

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
	ask_as(&self->r, 0, 0);
	ASSERT_EQ(0, record_to(&self->r, "y.fxt"));
	sound(_metadata, &self->r, "y.fxt", geteuid(), getegid(), 0600);
	ASSERT_EQ(0, record_to(&self->r, "all/y.fxt"));
	sound(_metadata, &self->r, "all/y.fxt", geteuid(), getegid(), 0600);
}

TEST_F(place, own_file_is_taken_and_made_private)
{
	self->r.options.force = true;
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

/* An existing file for statistics may be readable for others. */
TEST_F(place, statistics_keep_their_mode)
{
	self->r.options.stats = true;
	self->r.options.force = true;
	ASSERT_EQ(0, lay(self->mine, 0644, -1));
	ASSERT_EQ(0, record_to(&self->r, self->mine));
	sound(_metadata, &self->r, self->mine, geteuid(), getegid(), 0644);
}

TEST_F(place, user_who_asked)
{
	struct rig *r = &self->r;

	NEEDS_ROOT();
	ask_as(r, STRANGER, STRANGER + 1);
	/* Root could create this file. */
	refused(_metadata, r, self->mine, -EACCES, "as user 4321: Permission denied");
	EXPECT_NE(0, access(self->mine, F_OK));
	ASSERT_EQ(0, record_to(r, self->there)) TH_LOG("%s", r->e.text);
	sound(_metadata, r, self->there, STRANGER, STRANGER + 1, 0600);
	/* Their own file of an earlier run. */
	ASSERT_EQ(0, chmod(self->there, 0664));
	ASSERT_EQ(0, record_to(r, self->there));
	sound(_metadata, r, self->there, STRANGER, STRANGER + 1, 0600);
	ASSERT_EQ(0, unlink(self->there));
	r->options.part = true;
	ASSERT_EQ(0, record_to(r, self->there));
	sound(_metadata, r, self->there, STRANGER, STRANGER + 1, 0600);
	/* Where only their group permits writing. */
	r->options.part = false;
	ASSERT_EQ(0, chmod(self->dir, 0770) | chown(self->dir, 0, STRANGER + 1));
	ASSERT_EQ(0, record_to(r, self->mine));
	sound(_metadata, r, self->mine, STRANGER, STRANGER + 1, 0600);
}

/* Each kind of file of a recording: archive, segment or snapshot, statistics. */
static const struct output_options kinds[] = {
	{ .part = false }, { .part = true }, { .stats = true },
};

static void untouched(struct __test_metadata *_metadata, struct rig *r, const char *path,
		      const char *victim)
{
	struct stat before, after;

	ASSERT_EQ(0, stat(victim, &before));
	r->e.text[0] = '\0';
	EXPECT_NE(0, record_to(r, path)) TH_LOG("%s", path);
	EXPECT_EQ(NULL, r->o);
	ASSERT_EQ(0, stat(victim, &after));
	EXPECT_TRUE(is_old(victim));
	EXPECT_EQ(before.st_uid, after.st_uid);
	EXPECT_EQ(before.st_gid, after.st_gid);
	EXPECT_EQ(before.st_mode, after.st_mode);
	EXPECT_EQ(before.st_ino, after.st_ino);
}

/* @path or, for files renamed at the end, the name until then. */
static const char *name_of(const struct rig *r, const char *path)
{
	static char name[RECORD_PATH + 48];

	snprintf(name, sizeof(name), "%s%s", path, r->options.part ? ".part" : "");
	return name;
}

TEST_F(place, roots_files)
{
	struct rig *r = &self->r;

	NEEDS_ROOT();
	ask_as(r, STRANGER, STRANGER);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		r->options = kinds[i];
		/* A file that they may only read. */
		ASSERT_EQ(0, lay(name_of(r, self->there), 0640, 0));
		untouched(_metadata, r, self->there, name_of(r, self->there));
		EXPECT_IN(r->e.text, "as user 4321");
		ASSERT_EQ(0, unlink(name_of(r, self->there)));
		/* A file in a directory that they may not even search. */
		ASSERT_EQ(0, lay(name_of(r, self->mine), 0666, 0));
		ASSERT_EQ(0, chmod(self->dir, 0700));
		untouched(_metadata, r, self->mine, name_of(r, self->mine));
		ASSERT_EQ(0, chmod(self->dir, 0755));
		ASSERT_EQ(0, unlink(name_of(r, self->mine)));
	}
}

TEST_F(place, strangers_file)
{
	struct rig *r = &self->r;

	NEEDS_ROOT();
	/* In a private directory, it is replaced by a file of ours. */
	ASSERT_EQ(0, lay(self->mine, 0640, STRANGER));
	r->options.force = true;
	ASSERT_EQ(0, record_to(r, self->mine));
	sound(_metadata, r, self->mine, 0, 0, 0600);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		r->options = kinds[i];
		ASSERT_EQ(0, lay(name_of(r, self->there), 0666, STRANGER));
		ask_as(r, 0, 0);
		untouched(_metadata, r, self->there, name_of(r, self->there));
		EXPECT_IN(r->e.text, "another user's file");
		ask_as(r, STRANGER + 1, STRANGER + 1);
		untouched(_metadata, r, self->there, name_of(r, self->there));
		EXPECT_IN(r->e.text, "another user's file");
		ASSERT_EQ(0, unlink(name_of(r, self->there)));
	}
}

/* --- links ------------------------------------------------------------------------ */

/* @self->there, or its temporary name, is a link to @self->other, in @self->all. */
static void links_refused(struct __test_metadata *_metadata, FIXTURE_DATA(place) *self, uid_t who)
{
	struct rig *r = &self->r;

	ask_as(r, who, who);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		r->options = kinds[i];
		ASSERT_EQ(0, symlink(self->other, name_of(r, self->there)));
		untouched(_metadata, r, self->there, self->other);
		EXPECT_IN(r->e.text, "symbolic link");
		ASSERT_EQ(0, unlink(name_of(r, self->there)));
	}
}

TEST_F(place, symbolic_link)
{
	ASSERT_EQ(0, lay(self->other, 0600, -1));
	links_refused(_metadata, self, 0);
	/* Sticky or not: it is world-writable. */
	ASSERT_EQ(0, chmod(self->all, 0777));
	links_refused(_metadata, self, 0);
	/* A dangling link: nothing is created. */
	self->r.options = kinds[0];
	ASSERT_EQ(0, symlink(self->other, self->there));
	ASSERT_EQ(0, unlink(self->other));
	refused(_metadata, &self->r, self->there, -ELOOP, "symbolic link");
	EXPECT_NE(0, access(self->other, F_OK));
}

TEST_F(place, symbolic_link_of_others)
{
	NEEDS_ROOT();
	ASSERT_EQ(0, lay(self->other, 0600, -1));
	/* A directory of another user, or of a group, who may create anything there. */
	ASSERT_EQ(0, chown(self->all, STRANGER, STRANGER) | chmod(self->all, 0775));
	links_refused(_metadata, self, 0);
	ASSERT_EQ(0, chown(self->all, 0, STRANGER) | chmod(self->all, 0775));
	links_refused(_metadata, self, 0);
	/* The invoking user is in that group: its files are safe from other members. */
	ASSERT_EQ(0, chown(self->other, STRANGER, STRANGER));
	links_refused(_metadata, self, STRANGER);
	/* A link followed to a file that only root may write. */
	ASSERT_EQ(0, chown(self->other, 0, 0));
	ASSERT_EQ(0, chown(self->all, STRANGER, STRANGER));
	ask_as(&self->r, STRANGER, STRANGER);
	self->r.options = kinds[0];
	ASSERT_EQ(0, symlink(self->other, self->there));
	untouched(_metadata, &self->r, self->there, self->other);
	EXPECT_IN(self->r.e.text, "as user 4321");
}

/* In our own directory a link is intended, and stays; it may lead anywhere. */
TEST_F(place, symbolic_link_of_ours)
{
	struct rig *r = &self->r;
	struct stat st;

	ASSERT_EQ(0, symlink(self->other, self->mine));
	ASSERT_EQ(0, record_to(r, self->mine)) TH_LOG("%s", r->e.text);
	sound(_metadata, r, self->other, geteuid(), getegid(), 0600);
	ASSERT_EQ(0, lstat(self->mine, &st));
	EXPECT_TRUE(S_ISLNK(st.st_mode));
}

TEST_F(place, hard_link)
{
	struct rig *r = &self->r;
	uid_t who;

	ASSERT_EQ(0, lay(self->other, 0600, -1));
	for (size_t i = 0; i < 2 * ARRAY_SIZE(kinds); i++) {
		who = i % 2 && !geteuid() ? STRANGER : 0;
		ask_as(r, who, who);
		r->options = kinds[i / 2];
		ASSERT_EQ(0, link(self->other, name_of(r, self->there)));
		untouched(_metadata, r, self->there, self->other);
		EXPECT_IN(r->e.text, who ? "as user 4321" : "hard-linked file");
		ASSERT_EQ(0, unlink(name_of(r, self->there)));
	}
	ask_as(r, 0, 0);
	/* The file of the other name is unchanged. */
	r->options = kinds[0];
	r->options.force = true;
	ASSERT_EQ(0, link(self->other, self->mine));
	ASSERT_EQ(0, record_to(r, self->mine));
	sound(_metadata, r, self->mine, geteuid(), getegid(), 0600);
	EXPECT_TRUE(is_old(self->other));
}

/* --- invalid places --------------------------------------------------------------- */

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
	/* Too long with its extension. */
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
	EXPECT_EQ(-EINVAL, rig_output(&self->r, "-"));
	dup2(aside, STDOUT_FILENO);
	EXPECT_EQ(EXIT_USAGE, (int)self->r.e.code);
	EXPECT_STREQ("standard output is a terminal; redirect it, or give --output a file",
		     self->r.e.text);
}

/* Read the pipe in a child process until its writer closes it. */
static pid_t read_pipe(struct rig *r, const char *path)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	/* The read does not end if nobody writes. */
	alarm(TEST_SECONDS);
	rig_read(r, path);
	_exit(r->seen == 1000 ? 0 : 1);
}

TEST_F(place, no_regular_file)
{
	struct rig *r = &self->r;
	struct stat st;
	uint64_t kept;
	int status;
	pid_t pid;

	/* No device is tested here: a bug would replace it for the whole machine. */
	ASSERT_EQ(0, mkfifo(self->mine, 0666));
	pid = read_pipe(r, self->mine);
	ASSERT_EQ(0, rig_open(r, self->mine));
	ASSERT_EQ(0, rig_write(r, 1000, 100));
	EXPECT_EQ(-ESPIPE, output_cut(r->o, 1000, &kept));
	ASSERT_EQ(0, rig_close(r, true));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	ASSERT_EQ(0, stat(self->mine, &st));
	EXPECT_EQ(S_IFIFO | 0666U, st.st_mode);
	/* Not so for a segment or snapshot. */
	r->options.part = true;
	EXPECT_EQ(-EEXIST, rig_open(r, self->mine));
}

/* No open blocks: the caller waits for the reader, where it handles signals. */
TEST_F(place, pipe_without_reader)
{
	struct rig *r = &self->r;

	ASSERT_EQ(0, mkfifo(self->mine, 0666));
	ASSERT_EQ(0, rig_broker(r));
	r->options.broker = r->broker;
	r->options.end = -1;
	alarm(TEST_SECONDS);
	EXPECT_EQ(-EAGAIN, output_open(&r->o, self->mine, &r->options, &r->e));
	EXPECT_IN(r->e.text, "has no reader");
	r->options.stats = true;
	EXPECT_EQ(-EAGAIN, output_open(&r->o, self->mine, &r->options, &r->e));
	alarm(0);
}

/* A recording can end although the reader of its pipe has stopped reading. */
TEST_F(place, reader_that_has_stopped)
{
	struct rig *r = &self->r;
	int end[2], reader, i;

	signal(SIGPIPE, SIG_IGN);
	ASSERT_EQ(0, pipe(end));
	ASSERT_EQ(0, mkfifo(self->mine, 0666));
	reader = open(self->mine, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ASSERT_EQ(1, write(end[1], "", 1));
	ASSERT_EQ(0, rig_broker(r));
	r->options.broker = r->broker;
	r->options.end = end[0];
	for (i = 0; i < 2; i++) {
		r->options.compression = i ? COMPRESSION_ZSTD : COMPRESSION_NONE;
		r->random = true;
		ASSERT_EQ(0, output_open(&r->o, self->mine, &r->options, &r->e));
		ASSERT_EQ(0, rig_begin(r));
		EXPECT_EQ(-ECANCELED, rig_fill(r));
		EXPECT_EQ(-ECANCELED, rig_close(r, true));
	}
	close(reader);
}

/* --- names, at the end ------------------------------------------------------------ */

TEST_F(place, part)
{
	char part[RECORD_PATH + 48];
	struct rig *r = &self->r;

	snprintf(part, sizeof(part), "%s.part", self->mine);
	r->options.part = true;
	/* Existing files are not replaced. */
	ASSERT_EQ(0, lay(self->mine, 0600, -1));
	EXPECT_EQ(-EEXIST, rig_open(r, self->mine));
	EXPECT_TRUE(is_old(self->mine));
	EXPECT_NE(0, access(part, F_OK));
	ASSERT_EQ(0, unlink(self->mine));
	/* The leftover of a killed recording does not block a new one. */
	ASSERT_EQ(0, lay(part, 0600, -1));
	ASSERT_EQ(0, rig_open(r, self->mine));
	ASSERT_EQ(0, rig_write(r, 1000, 100));
	EXPECT_NE(0, access(self->mine, F_OK));
	ASSERT_EQ(0, rig_close(r, true));
	sound(_metadata, r, self->mine, geteuid(), getegid(), 0600);
	EXPECT_NE(0, access(part, F_OK));
	unlink(self->mine);
	/* Without keep, it stays under that name. */
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

/*
 * After an error that the caller has seen, the file gets its name; after a new error on closing it
 * does not.
 */
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

	for (int i = 0; i < 2; i++) {
		r->options.part = i;
		snprintf(part, sizeof(part), "%s%s", self->there, i ? ".part" : "");
		ASSERT_EQ(0, rig_open(r, self->there));
		ASSERT_EQ(0, unlink(part));
		ASSERT_EQ(0, rmdir(self->all));
		ASSERT_EQ(0, rig_write(r, 1000, 100));
		EXPECT_EQ(-ENOENT, rig_close(r, true));
		EXPECT_EQ(-ENOENT, output_fail(&r->e, self->there, -ENOENT));
		EXPECT_IN(r->e.text, "lost");
		EXPECT_IN(r->e.text, self->there);
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

/* Many, one after the other: no descriptor leaks. */
TEST_F(place, nothing_stays_open)
{
	int before, after, i;

	ASSERT_EQ(0, rig_broker(&self->r));
	before = dup(0);
	close(before);
	for (i = 0; i < 8; i++) {
		self->r.options.part = i & 1;
		self->r.options.compression = i & 2 ? COMPRESSION_ZSTD : COMPRESSION_NONE;
		ASSERT_EQ(0, record_to(&self->r, self->mine));
		ASSERT_NE(0, record_to(&self->r, self->all));
		unlink(self->mine);
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
		{ -ENOSPC, "free some space" }, { -EDQUOT, "quota" }, { -EFBIG, "ulimit" },
		{ -EPIPE, "has ended" }, { -ECANCELED, "has stopped" }, { -EIO, "dmesg" }, { -EINVAL, "Invalid" },
	};
	struct error e;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		EXPECT_EQ(cases[i].err, output_fail(&e, "/x/y", cases[i].err));
		EXPECT_EQ(EXIT_FAILED, (int)e.code);
		EXPECT_IN(e.text, "cannot write to /x/y: ");
		EXPECT_IN(e.text, cases[i].says);
		EXPECT_IN(e.text, strerror(-cases[i].err));
		EXPECT_EQ(NULL, strchr(e.text, '\n'));
	}
	output_fail(&e, "-", -EPIPE);
	EXPECT_IN(e.text, "standard output");
}
