// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The invoking user, and dropped privileges, which cannot be regained; COMMAND has none of them.
 * Each test is a process of its own, so dropping affects no other.
 */
#include "harness.h"

#include <grp.h>
#include <pwd.h>
#include <sys/capability.h>

#include "fxt-collect/process/child.h"
#include "fxt-collect/process/privilege.h"
#include "output_events.h"

#define BIT(cap)		(1ULL << (cap))

#define NEEDS_ROOT() do {							\
	if (geteuid())								\
		SKIP(return, "only root has what can be given up");		\
} while (0)

static uint64_t own(const char *key)
{
	return status_of("/proc/thread-self/status", key, 16);
}

/* --- capabilities ----------------------------------------------------------------- */

static void set_caps(const cap_value_t *caps, int count)
{
	cap_t set = cap_init();

	cap_set_flag(set, CAP_PERMITTED, count, caps, CAP_SET);
	cap_set_flag(set, CAP_EFFECTIVE, count, caps, CAP_SET);
	if (cap_set_proc(set))
		abort();
	cap_free(set);
}

TEST(missing)
{
	static const cap_value_t some[] = { CAP_CHOWN, CAP_PERFMON, CAP_BPF, CAP_SYS_ADMIN };
	bool old;

	NEEDS_ROOT();
	old = !CAP_IS_SUPPORTED(CAP_BPF);
	EXPECT_EQ(NULL, privilege_missing());
	if (fork()) {
		int status;

		wait(&status);
		ASSERT_EQ(0, status);
	} else {
		set_caps(&some[3], 1);
		_exit(privilege_missing() ? 1 : 0);
	}
	set_caps(some + 1, 2);
	EXPECT_STREQ(old ? "CAP_SYS_ADMIN" : "none",
		     privilege_missing() ? privilege_missing() : "none");
	if (fork()) {
		int status;

		wait(&status);
		ASSERT_EQ(0, status);
	} else {
		set_caps(some + 2, 1);
		_exit(strcmp(old ? "CAP_SYS_ADMIN" : "CAP_PERFMON", privilege_missing()));
	}
	set_caps(some + 1, 1);
	EXPECT_STREQ(old ? "CAP_SYS_ADMIN" : "CAP_BPF", privilege_missing());
}

static void drop_and_look(struct __test_metadata *_metadata, unsigned int keep, uint64_t left)
{
	cap_value_t chown = CAP_CHOWN;
	cap_t set = cap_get_proc();
	struct error e;

	/* Fill each set, to see it cleared. */
	cap_set_flag(set, CAP_INHERITABLE, 1, &chown, CAP_SET);
	ASSERT_EQ(0, cap_set_proc(set));
	ASSERT_EQ(0, cap_set_ambient(CAP_CHOWN, CAP_SET));
	cap_free(set);
	ASSERT_NE(0UL, own("CapAmb"));
	ASSERT_EQ(0, privilege_drop(keep, &e)) TH_LOG("%s", e.text);
	EXPECT_EQ(left, own("CapEff"));
	EXPECT_EQ(left, own("CapPrm"));
	EXPECT_EQ(0UL, own("CapInh"));
	EXPECT_EQ(0UL, own("CapBnd"));
	EXPECT_EQ(0UL, own("CapAmb"));
	EXPECT_EQ(1UL, own("NoNewPrivs"));
	EXPECT_EQ(0, privilege_drop(keep, &e)) TH_LOG("%s", e.text);
	EXPECT_EQ(left, own("CapEff"));
}

TEST(drop_all)
{
	NEEDS_ROOT();
	drop_and_look(_metadata, PRIVILEGE_KEEP_NONE, 0);
}

TEST(drop_but_files)
{
	NEEDS_ROOT();
	drop_and_look(_metadata, PRIVILEGE_KEEP_FILES, BIT(CAP_DAC_OVERRIDE));
}

TEST(drop_but_perf)
{
	NEEDS_ROOT();
	drop_and_look(_metadata, PRIVILEGE_KEEP_PERF | PRIVILEGE_KEEP_KILL, BIT(CAP_KILL) |
		      (CAP_IS_SUPPORTED(CAP_PERFMON) ? BIT(CAP_PERFMON) : BIT(CAP_SYS_ADMIN)));
}

/* A program that is executed nevertheless gets only the capability of BPF. */
TEST(drop_but_bpf)
{
	NEEDS_ROOT();
	drop_and_look(_metadata, PRIVILEGE_KEEP_BPF | PRIVILEGE_KEEP_RUN,
		      BIT(CAP_IS_SUPPORTED(CAP_BPF) ? CAP_BPF : CAP_SYS_ADMIN));
}

/* Return: 0 if the capability of BPF is effective, or is not, as *@arg says; else an error. */
static int look_for_bpf(void *arg)
{
	bool has = !privilege_missing();

	return has == *(bool *)arg ? 0 : -EPERM;
}

TEST(bpf_is_needed)
{
	uint64_t before = own("CapEff");
	bool with = true, without = false;

	NEEDS_ROOT();
	EXPECT_TRUE(privilege_needs_bpf(look_for_bpf, &with));
	EXPECT_FALSE(privilege_needs_bpf(look_for_bpf, &without));
	EXPECT_EQ(before, own("CapEff"));
	EXPECT_EQ(NULL, privilege_missing());
}

TEST(drop_is_for_good)
{
	struct error e;
	FILE *f;
	char text[64] = "";

	NEEDS_ROOT();
	ASSERT_EQ(0, privilege_drop(PRIVILEGE_KEEP_NONE, &e));
	f = popen("sed -n 's/^CapEff:[[:space:]]*//p' /proc/self/status", "re");
	ASSERT_NE(NULL, fgets(text, sizeof(text), f));
	pclose(f);
	EXPECT_EQ(0UL, strtoull(text, NULL, 16)) TH_LOG("%s", text);
}

/* Having nothing to drop is not an error; and asking to keep something gains nothing. */
TEST(drop_without_any)
{
	struct error e;

	if (!geteuid())
		ASSERT_EQ(0, setresuid(NOBODY, NOBODY, NOBODY));
	ASSERT_EQ(0, privilege_drop(PRIVILEGE_KEEP_FILES | PRIVILEGE_KEEP_PERF, &e))
		TH_LOG("%s", e.text);
	EXPECT_EQ(0UL, own("CapEff"));
	EXPECT_EQ(0UL, own("CapPrm"));
	EXPECT_EQ(1UL, own("NoNewPrivs"));
}

/* --- the user behind sudo --------------------------------------------------------- */

/* The environment of root's shell, with these changes. */
static struct invoker find(const char *name, const char *value, const char *more, const char *its)
{
	static const char * const names[] = {
		"SUDO_UID", "SUDO_GID", "SUDO_USER", "DOAS_USER", "PKEXEC_UID",
	};
	struct invoker who;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		unsetenv(names[i]);
	if (name)
		setenv(name, value, 1);
	if (more)
		setenv(more, its, 1);
	memset(&who, 0x55, sizeof(who));
	invoker_find(&who);
	return who;
}

TEST(invoker_is_found)
{
	static const char * const bad[] = {
		"", "0", "root", "-5", "+5", " 5", "5 ", "5x", "0x10", "4294967295", "4294967296",
		"18446744073709551617",
	};
	struct passwd *pw = getpwuid(NOBODY);
	struct invoker who;
	char name[64], home[256];

	NEEDS_ROOT();
	ASSERT_NE(NULL, pw);
	snprintf(name, sizeof(name), "%s", pw->pw_name);
	snprintf(home, sizeof(home), "%s", pw->pw_dir);
	EXPECT_FALSE(find(NULL, NULL, NULL, NULL).known);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_FALSE(find("SUDO_UID", bad[i], NULL, NULL).known) TH_LOG("%s", bad[i]);
		EXPECT_FALSE(find("PKEXEC_UID", bad[i], NULL, NULL).known) TH_LOG("%s", bad[i]);
	}
	EXPECT_FALSE(find("DOAS_USER", "root", NULL, NULL).known);
	EXPECT_FALSE(find("DOAS_USER", "no such user", NULL, NULL).known);
	for (size_t i = 0; i < 3; i++) {
		static const char * const by[] = { "SUDO_UID", "PKEXEC_UID", "DOAS_USER" };

		who = find(by[i], i == 2 ? name : "65534", NULL, NULL);
		EXPECT_TRUE(who.known) TH_LOG("%s", by[i]);
		EXPECT_EQ(NOBODY, (int)who.uid);
		EXPECT_EQ(pw->pw_gid, who.gid);
		EXPECT_STREQ(name, who.name);
		EXPECT_STREQ(home, who.home);
	}
	/* A user without a passwd entry. */
	who = find("SUDO_UID", "54321", "SUDO_GID", "54322");
	EXPECT_TRUE(who.known);
	EXPECT_EQ(54321, (int)who.uid);
	EXPECT_EQ(54322, (int)who.gid);
	EXPECT_STREQ("", who.name);
	EXPECT_STREQ("", who.home);
	who = find("SUDO_UID", "54321", NULL, NULL);
	EXPECT_EQ(NOBODY, (int)who.gid);
}

/* A set-id program started by a user, who controls the environment. */
TEST(invoker_of_set_id)
{
	struct passwd *pw = getpwuid(NOBODY);
	struct invoker who;

	NEEDS_ROOT();
	ASSERT_NE(NULL, pw);
	/* The group of the process, not that of the passwd entry. */
	ASSERT_EQ(0, setresgid(54322, 0, 0));
	ASSERT_EQ(0, setresuid(NOBODY, 0, 0));
	who = find("SUDO_UID", "54321", "SUDO_GID", "5");
	EXPECT_TRUE(who.known);
	EXPECT_TRUE(who.has_groups);
	EXPECT_EQ(NOBODY, (int)who.uid);
	EXPECT_EQ(54322, (int)who.gid);
	EXPECT_STREQ(pw->pw_name, who.name);
	ASSERT_EQ(0, setresuid(54321, 54323, 54323));
	who = find("SUDO_UID", "65534", NULL, NULL);
	EXPECT_TRUE(who.known);
	EXPECT_EQ(54321, (int)who.uid);
	EXPECT_STREQ("", who.name);
	ASSERT_EQ(0, privilege_become(&who));
	EXPECT_EQ(54321, (int)geteuid());
	EXPECT_EQ(54322, (int)getegid());
	EXPECT_EQ(0UL, own("CapPrm"));
	/* No invoking user, and the environment is not trusted. */
	EXPECT_FALSE(find("SUDO_UID", "65534", NULL, NULL).known);
}

static void expect_nobody(struct __test_metadata *_metadata, uid_t uid, gid_t gid)
{
	uid_t ids[3];
	gid_t groups[64];

	ASSERT_EQ(0, getresuid(&ids[0], &ids[1], &ids[2]));
	EXPECT_TRUE(ids[0] == uid && ids[1] == uid && ids[2] == uid);
	ASSERT_EQ(0, getresgid(&ids[0], &ids[1], &ids[2]));
	EXPECT_TRUE(ids[0] == gid && ids[1] == gid && ids[2] == gid);
	ASSERT_EQ(1, getgroups(64, groups));
	EXPECT_EQ(gid, groups[0]);
	EXPECT_EQ(0UL, own("CapEff"));
	EXPECT_EQ(0UL, own("CapPrm"));
	EXPECT_EQ(0UL, own("CapInh"));
	EXPECT_EQ(0UL, own("CapAmb"));
	EXPECT_EQ(-1, setuid(0));
	EXPECT_EQ(-1, setgid(0));
}

/* Give the process root's groups, and capabilities that outlive a change of ids. */
static void make_it_hard(struct __test_metadata *_metadata)
{
	static const gid_t groups[] = { 0, 4, 27 };
	cap_value_t chown = CAP_CHOWN;
	cap_t set = cap_get_proc();

	ASSERT_EQ(0, setgroups(3, groups));
	cap_set_flag(set, CAP_INHERITABLE, 1, &chown, CAP_SET);
	ASSERT_EQ(0, cap_set_proc(set));
	cap_free(set);
	ASSERT_EQ(0, cap_set_ambient(CAP_CHOWN, CAP_SET));
	ASSERT_EQ(0, prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0));
}

TEST(invoker_is_become)
{
	struct passwd *pw = getpwuid(NOBODY);
	struct invoker who;

	NEEDS_ROOT();
	who = find("SUDO_UID", "65534", NULL, NULL);
	make_it_hard(_metadata);
	ASSERT_EQ(0, privilege_become(&who));
	expect_nobody(_metadata, NOBODY, pw->pw_gid);
	EXPECT_STREQ(pw->pw_dir, getenv("HOME"));
	EXPECT_STREQ(pw->pw_name, getenv("USER"));
	EXPECT_STREQ(pw->pw_name, getenv("LOGNAME"));
}

TEST(stranger_is_become)
{
	struct invoker who;

	NEEDS_ROOT();
	who = find("SUDO_UID", "54321", "SUDO_GID", "54322");
	make_it_hard(_metadata);
	ASSERT_EQ(0, privilege_become(&who));
	expect_nobody(_metadata, 54321, 54322);
	EXPECT_EQ(NULL, getenv("HOME"));
	EXPECT_EQ(NULL, getenv("USER"));
	EXPECT_EQ(NULL, getenv("LOGNAME"));
}

TEST(nobody_in_particular)
{
	struct invoker who = { .known = false, .uid = NOBODY, .gid = NOBODY };
	uint64_t before = own("CapEff");
	uid_t uid = geteuid();

	setenv("HOME", "/here", 1);
	EXPECT_EQ(0, privilege_become(&who));
	EXPECT_EQ(uid, geteuid());
	EXPECT_EQ(before, own("CapEff"));
	EXPECT_STREQ("/here", getenv("HOME"));
}

/* --- COMMAND ---------------------------------------------------------------------- */

FIXTURE(command)
{
	char dir[RECORD_PATH];
	char out[RECORD_PATH + 16];
	struct child c;
	struct error e;
};

FIXTURE_SETUP(command)
{
	int fd;

	signal(SIGPIPE, SIG_IGN);
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
	chmod(self->dir, 0755);
	snprintf(self->out, sizeof(self->out), "%s/out", self->dir);
	fd = open(self->out, O_WRONLY | O_CREAT, 0666);
	close(fd);
	chmod(self->out, 0666);
}

FIXTURE_TEARDOWN(command)
{
	child_wait(&self->c, SIGKILL);
	dir_remove(self->dir);
}

static int run_shell(FIXTURE_DATA(command) *self, const struct invoker *who, const char *script)
{
	char line[RECORD_PATH * 2];
	char *command[] = { "sh", "-c", line, NULL };
	int ret;

	snprintf(line, sizeof(line), "{ %s; } >%s", script, self->out);
	ret = child_fork(&self->c, command, who, &self->e);
	if (!ret)
		ret = child_go(&self->c, command, &self->e);
	if (ret)
		return ret;
	child_wait(&self->c, 0);
	return child_exit_code(&self->c);
}

TEST_F(command, as_the_user)
{
	struct invoker who = { .known = true, .uid = 54321, .gid = 54322 };

	NEEDS_ROOT();
	ASSERT_EQ(0, run_shell(self, &who, "cat /proc/self/status"));
	EXPECT_EQ(54321UL, status_of(self->out, "Uid", 10));
	EXPECT_EQ(54322UL, status_of(self->out, "Gid", 10));
	EXPECT_EQ(54322UL, status_of(self->out, "Groups", 10));
	EXPECT_EQ(0UL, status_of(self->out, "CapEff", 16));
	EXPECT_EQ(0UL, status_of(self->out, "CapPrm", 16));
}

TEST_F(command, with_usual_signals)
{
	struct invoker who = { .known = false };
	sigset_t all;

	signal(SIGXFSZ, SIG_IGN);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	ASSERT_EQ(0, run_shell(self, &who, "cat /proc/self/status"));
	EXPECT_EQ(geteuid(), status_of(self->out, "Uid", 10));
	EXPECT_EQ(0UL, status_of(self->out, "SigIgn", 16) & (BIT(SIGPIPE - 1) | BIT(SIGXFSZ - 1)));
	EXPECT_EQ(0UL, status_of(self->out, "SigBlk", 16));
}

TEST_F(command, that_cannot_run)
{
	struct invoker who = { .known = false };
	char *none[] = { "/no/such/program", NULL }, *not[] = { "/etc/passwd", NULL };

	ASSERT_EQ(0, child_fork(&self->c, none, &who, &self->e));
	EXPECT_EQ(-ENOENT, child_go(&self->c, none, &self->e));
	EXPECT_EQ(EXIT_NOT_FOUND, (int)self->e.code);
	EXPECT_EQ(EXIT_NOT_FOUND, child_exit_code(&self->c));
	EXPECT_IN(self->e.text, "cannot run /no/such/program: No such file");
	ASSERT_EQ(0, child_fork(&self->c, not, &who, &self->e));
	EXPECT_EQ(-EACCES, child_go(&self->c, not, &self->e));
	EXPECT_EQ(EXIT_NOT_EXECUTABLE, (int)self->e.code);
	EXPECT_EQ(EXIT_NOT_EXECUTABLE, child_exit_code(&self->c));
}

/* Root cannot be dropped: the command does not run. */
TEST_F(command, that_must_not_run)
{
	struct invoker who = { .known = true, .uid = 54321, .gid = 54322 };
	struct stat st;

	if (!geteuid())
		ASSERT_EQ(0, setresuid(NOBODY, NOBODY, NOBODY));
	EXPECT_EQ(-EPERM, run_shell(self, &who, "echo it ran"));
	EXPECT_EQ(EXIT_PERMISSION, (int)self->e.code);
	EXPECT_EQ(EXIT_PERMISSION, child_exit_code(&self->c));
	EXPECT_IN(self->e.text, "as the user behind sudo");
	ASSERT_EQ(0, stat(self->out, &st));
	EXPECT_EQ(0, st.st_size);
}

TEST_F(command, is_told_to_end)
{
	struct invoker who = { .known = true, .uid = 54321, .gid = 54322 };
	char *command[] = { "sleep", "1000", NULL };

	NEEDS_ROOT();
	ASSERT_EQ(0, child_fork(&self->c, command, &who, &self->e));
	ASSERT_EQ(0, privilege_drop(PRIVILEGE_KEEP_KILL, &self->e));
	ASSERT_EQ(0, privilege_confine(PRIVILEGE_KEEP_KILL, &self->e));
	ASSERT_EQ(0, child_go(&self->c, command, &self->e));
	EXPECT_FALSE(child_ended(&self->c));
	child_wait(&self->c, SIGTERM);
	EXPECT_EQ(128 + SIGTERM, child_exit_code(&self->c));
}
