// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Owners of files, and privileges, in recordings by sudo and by a set-uid program, with few
 * capabilities: files belong to the invoking user, nothing is written that this user may not write,
 * the command has the user's privileges, and the recorder has few while it records.
 */
#include <glob.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/resource.h>

#include "source_fixture.h"

#define USER	65533

SOURCE_FIXTURE(rights);

SOURCE_TEST(rights, file_is_the_users_alone)
{
	const char * const args[] = { "-q", "-s", self->source, "-d", "50ms", NULL };
	struct stat st;

	unsetenv("SUDO_UID");
	EXPECT_EQ(0, collector_run(&self->c, self->dir, args)) TH_LOG("%s", self->c.text);
	ASSERT_EQ(0, stat(self->c.output, &st));
	EXPECT_EQ(0600U, st.st_mode & 07777);
	EXPECT_EQ(geteuid(), st.st_uid);
	unlink(self->c.output);
	ASSERT_EQ(0, chown(self->dir, USER, USER));
	setenv("SUDO_UID", "65533", 1);
	setenv("SUDO_GID", "65532", 1);
	EXPECT_EQ(0, collector_run(&self->c, self->dir, args)) TH_LOG("%s", self->c.text);
	unsetenv("SUDO_UID");
	unsetenv("SUDO_GID");
	ASSERT_EQ(0, stat(self->c.output, &st));
	EXPECT_EQ(0600U, st.st_mode & 07777);
	EXPECT_EQ(65533U, st.st_uid);
	EXPECT_EQ(65532U, st.st_gid);
}

SOURCE_TEST(rights, command_is_the_users)
{
	char path[RECORD_PATH + 16], text[256] = "";
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%s/out", self->dir);
	ASSERT_EQ(0, chown(self->dir, USER, USER));
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	setenv("SUDO_UID", "65533", 1);
	setenv("SUDO_GID", "65532", 1);
	ASSERT_EQ(0, collector_spawn(&self->c, self->dir, ARGS("-q", "-s", self->source, "--",
							       "/bin/sh", "-c",
			"id -u; id -g; grep CapEff /proc/self/status"), fd));
	unsetenv("SUDO_UID");
	unsetenv("SUDO_GID");
	EXPECT_EQ(0, collector_wait(&self->c)) TH_LOG("%s", self->c.text);
	n = pread(fd, text, sizeof(text) - 1, 0);
	close(fd);
	ASSERT_LT(0, n);
	EXPECT_STREQ("65533\n65532\nCapEff:\t0000000000000000\n", text);
}

SOURCE_TEST(rights, link_in_a_public_directory)
{
	char dir[RECORD_PATH + 8], link[RECORD_PATH + 32], victim[RECORD_PATH + 16];
	const char * const args[] = { "-q", "-s", self->source, "-o", link, "-d", "50ms", NULL };
	struct stat st;

	snprintf(dir, sizeof(dir), "%s/tmp", self->dir);
	snprintf(link, sizeof(link), "%s/sched.fxt", dir);
	snprintf(victim, sizeof(victim), "%s/victim", self->dir);
	ASSERT_EQ(0, mkdir(dir, 0755) | chmod(dir, 01777));
	close(open(victim, O_WRONLY | O_CREAT, 0644));
	ASSERT_EQ(0, symlink(victim, link));
	ASSERT_EQ(0, lchown(link, USER, USER));
	EXPECT_EQ(1, collector_run(&self->c, self->dir, args));
	EXPECT_IN(self->c.text, "link");
	ASSERT_EQ(0, stat(victim, &st));
	EXPECT_EQ(0, st.st_size);
	/* In a private directory, the link is followed. */
	ASSERT_EQ(0, chmod(dir, 0755));
	EXPECT_EQ(0, collector_run(&self->c, self->dir, args)) TH_LOG("%s", self->c.text);
	ASSERT_EQ(0, stat(victim, &st));
	EXPECT_LT(0, st.st_size);
}

/* Make a file in @dir that only root may write. */
static int lay_victim(const char *dir, char *path, size_t room)
{
	int fd;

	snprintf(path, room, "%s/victim", dir);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
	if (fd < 0 || write(fd, "old", 3) != 3 || fchmod(fd, 0640))
		return -1;
	return close(fd);
}

static int check_victim(const char *path, struct why *why)
{
	struct stat st;

	if (stat(path, &st))
		return complain(why, "%s is gone", path);
	if (st.st_size != 3 || st.st_uid || st.st_gid || (st.st_mode & 07777) != 0640)
		return complain(why, "%s: %jd bytes, mode %o, of %u:%u", path,
				(intmax_t)st.st_size, st.st_mode, st.st_uid, st.st_gid);
	return 0;
}

/* How a user gets a recorder that runs as root. */
enum raised {
	BY_SUDO,
	BY_SET_UID,
};

static void become_user(enum raised how)
{
	if (how == BY_SUDO)
		setenv("SUDO_UID", "65533", 1);
	else if (setgroups(0, NULL) || setgid(USER) || setuid(USER))
		_exit(90);
}

/* Arguments of a recording; "@" stands for the file to write. */
static const char * const written[][6] = {
	{ "-o", "@" }, { "-o", "/dev/null", "--stats-json", "@" },
	{ "--rotate", "time=20ms", "-o", "@" }, { "-F", "-b", "128K", "-o", "@" },
};

/* Try to write as the user, or as root with the user as sudo's invoking user. Ends the process. */
static void try_to_write(const char *program, const char *dir, const char *source,
			 const char *path, enum raised how)
{
	const char *args[16] = { "-q", "-d", "60ms", "-s", source };
	struct collector c;
	size_t i, j, n;
	int status;

	setenv("FXT_COLLECT", program, 1);
	become_user(how);
	for (i = 0; i < ARRAY_SIZE(written); i++) {
		for (n = 5, j = 0; j < 6 && written[i][j]; j++)
			args[n++] = strcmp(written[i][j], "@") ? written[i][j] : path;
		args[n] = NULL;
		status = collector_run(&c, dir, args);
		if (status == 1 && strstr(c.text, "use another --"))
			continue;
		fprintf(stderr, "# %s, case %zu: status %d: %s\n", path, i, status, c.text);
		_exit(1);
	}
	_exit(0);
}

/* Check that all writes of the user to @path are refused, and that @victim is unchanged. */
static int check_refused(FIXTURE_DATA(rights) *self, const char *path, const char *victim,
			 enum raised how)
{
	char program[RECORD_PATH + 16], dir[RECORD_PATH + 8], command[5 * RECORD_PATH];
	int status;
	pid_t pid;

	snprintf(dir, sizeof(dir), "%s/user", self->dir);
	snprintf(program, sizeof(program), "%s/fxt-collect", self->dir);
	snprintf(command, sizeof(command),
		 "mkdir -p %s && chown 65533 %s && cp %s %s && chmod %s %s", dir, dir,
		 collector_path(), program, how == BY_SET_UID ? "4755" : "755", program);
	if (system(command))
		return complain(&self->why, "cannot set up: %s", command);
	pid = fork();
	if (!pid)
		try_to_write(program, dir, self->source, path, how);
	if (waitpid(pid, &status, 0) != pid || status)
		return complain(&self->why, "%s: status %d", path, status);
	return check_victim(victim, &self->why);
}

static void cannot_write_as_root(struct __test_metadata *_metadata,
				 FIXTURE_DATA(rights) *self, enum raised how)
{
	char dir[RECORD_PATH + 8], victim[RECORD_PATH + 24], link[RECORD_PATH + 24];

	snprintf(dir, sizeof(dir), "%s/roots", self->dir);
	ASSERT_EQ(0, mkdir(dir, 0755));
	ASSERT_EQ(0, lay_victim(dir, victim, sizeof(victim)));
	/* At first the directory cannot be written, then it cannot be searched either. */
	EXPECT_FINE(check_refused(self, victim, victim, how));
	ASSERT_EQ(0, chmod(dir, 0700));
	EXPECT_FINE(check_refused(self, victim, victim, how));
	/* The same through a link to the directory, which is also the place of segments. */
	snprintf(link, sizeof(link), "%s/link", self->dir);
	ASSERT_EQ(0, symlink(dir, link));
	strcat(link, "/victim");
	EXPECT_FINE(check_refused(self, link, victim, how));
}

SOURCE_TEST(rights, sudo_writes_as_the_user)
{
	cannot_write_as_root(_metadata, self, BY_SUDO);
}

SOURCE_TEST(rights, set_uid_writes_as_the_user)
{
	cannot_write_as_root(_metadata, self, BY_SET_UID);
}

/*
 * A shell command that ends once --keep has removed a segment: it waits until the first
 * one appears, then until it disappears. Gives up after some minutes.
 */
#define UNTIL_REMOVED								\
	"cd %s || exit; i=0;"							\
	"until set -- sched-*.fxt; [ -e \"$1\" ] || [ $i -gt 12000 ]; do"	\
	"	sleep 0.01; i=$((i+1));"					\
	"done;"									\
	"while [ -e \"$1\" ] && [ $i -le 12000 ]; do sleep 0.01; i=$((i+1)); done"

/* Files that the user may write belong to the user, also segments that are renamed late. */
SOURCE_TEST(rights, set_uid_writes_what_the_user_may)
{
	char program[RECORD_PATH + 16], command[3 * RECORD_PATH], path[RECORD_PATH + 24];
	const char * const args[] = {
		"-q", "-s", self->source, "--rotate", "time=50ms", "--keep", "2",
		"--stats-json", path, "--", "/bin/sh", "-c", command, NULL,
	};
	struct stat st;
	glob_t found;
	pid_t pid;
	int status;

	snprintf(program, sizeof(program), "%s/fxt-collect", self->dir);
	snprintf(command, sizeof(command), "cp %s %s && chmod 4755 %s", collector_path(),
		 program, program);
	ASSERT_EQ(0, system(command));
	ASSERT_EQ(0, chown(self->dir, USER, USER));
	snprintf(path, sizeof(path), "%s/sched-stats", self->dir);
	snprintf(command, sizeof(command), UNTIL_REMOVED, self->dir);
	pid = fork();
	if (!pid) {
		setenv("FXT_COLLECT", program, 1);
		become_user(BY_SET_UID);
		status = collector_run(&self->c, self->dir, args);
		fputs(self->c.text, stderr);
		_exit(status);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	snprintf(path, sizeof(path), "%s/sched-*", self->dir);
	ASSERT_EQ(0, glob(path, 0, NULL, &found));
	/* The statistics and the last two segments, with their final names. */
	EXPECT_EQ(3U, found.gl_pathc);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		ASSERT_EQ(0, stat(found.gl_pathv[i], &st));
		EXPECT_EQ(USER, (int)st.st_uid) TH_LOG("%s", found.gl_pathv[i]);
		EXPECT_EQ(0600U, st.st_mode & 07777);
		EXPECT_NOT_IN(found.gl_pathv[i], ".part");
	}
}

static void set_capabilities(uint64_t caps, bool as_user)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2];

	if (as_user) {
		prctl(PR_SET_KEEPCAPS, 1);
		if (setgid(USER) || setuid(USER))
			_exit(90);
	}
	for (int i = 0; i < 2; i++) {
		data[i].inheritable = caps >> 32 * i;
		data[i].permitted = data[i].inheritable;
		data[i].effective = data[i].inheritable;
	}
	if (syscall(SYS_capset, &head, data))
		_exit(91);
	for (int i = 0; i <= CAP_LAST_CAP; i++)
		if (caps >> i & 1 && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, i, 0, 0))
			_exit(92);
}

/* Run the collector as an ordinary user with these capabilities. Return: its status. */
static int run_with(struct collector *c, const char *dir, const char * const *args, uint64_t caps)
{
	const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	char path[RECORD_PATH + 16], command[2 * RECORD_PATH];
	int status;
	pid_t pid;

	snprintf(path, sizeof(path), "%s/user", dir);
	mkdir(path, 0700);
	if (chown(path, USER, USER))
		return -1;
	/* Other users may have no access to the build directory. */
	snprintf(command, sizeof(command), "cp %s %s/fxt-collect && chmod 755 %s/fxt-collect",
		 collector_path(), dir, dir);
	if (system(command))
		return -1;
	pid = fork();
	if (!pid) {
		snprintf(command, sizeof(command), "%s/fxt-collect", dir);
		setenv("FXT_COLLECT", command, 1);
		/* Before Linux 5.11, maps count against RLIMIT_MEMLOCK. */
		setrlimit(RLIMIT_MEMLOCK, &unlimited);
		set_capabilities(caps, true);
		status = collector_run(c, path, args);
		if (status)
			fprintf(stderr, "# %s", c->text);
		_exit(status);
	}
	if (waitpid(pid, &status, 0) != pid)
		return -1;
	snprintf(c->output, sizeof(c->output), "%.490s/sched.fxt", path);
	snprintf(c->errors, sizeof(c->errors), "%.490s/said", path);
	collector_read(c);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

SOURCE_TEST(rights, with_two_capabilities)
{
	const uint64_t bpf = 1ULL << CAP_BPF, perfmon = 1ULL << CAP_PERFMON;
	const char * const args[] = { "-q", "-s", self->source, "-d", "100ms", NULL };

	/* Only root can open the module's files. */
	if (!strcmp(self->source, "kmod"))
		return;
	EXPECT_EQ(0, run_with(&self->c, self->dir, args, bpf | perfmon));
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	EXPECT_FINE(trace_check_all(&self->t, &self->why));
	EXPECT_NE(NULL, trace_find_name(&self->t, FXT_OBJECT_THREAD, getpid()));
	EXPECT_EQ(4, run_with(&self->c, self->dir, args, bpf));
	EXPECT_IN(self->c.text, "CAP_PERFMON is missing");
	EXPECT_EQ(4, run_with(&self->c, self->dir, args, perfmon));
	EXPECT_IN(self->c.text, "CAP_BPF is missing");
}

static int status_line(pid_t pid, const char *key, char *value, size_t room)
{
	char path[64], line[256];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "re");
	value[0] = '\0';
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)))
			snprintf(value, room, "%s", line + strlen(key) + 1);
	if (f)
		fclose(f);
	value[strcspn(value, "\n")] = '\0';
	return value[0] ? 0 : -1;
}

SOURCE_TEST(rights, rights_are_given_up)
{
	/* The collector keeps this to signal the command, which may run as another user. */
	uint64_t expected = 1ULL << CAP_KILL;
	char value[64];

	/* Before 5.19, it needs this to run a BPF program. */
	if (strcmp(self->source, "kmod") && !kernel_is_since(5, 19))
		expected |= 1ULL << CAP_BPF;
	ASSERT_BEGIN(NULL);
	ASSERT_EQ(0, status_line(self->c.pid, "CapEff:", value, sizeof(value)));
	EXPECT_EQ(expected, strtoull(value, NULL, 16));
	ASSERT_EQ(0, status_line(self->c.pid, "CapPrm:", value, sizeof(value)));
	EXPECT_EQ(expected, strtoull(value, NULL, 16));
	ASSERT_EQ(0, status_line(self->c.pid, "NoNewPrivs:", value, sizeof(value)));
	EXPECT_STREQ("1", value);
	ASSERT_EQ(0, status_line(self->c.pid, "Seccomp:", value, sizeof(value)));
	EXPECT_STREQ("2", value);
	EXPECT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_FINE(trace_check_all(&self->t, &self->why));
}
