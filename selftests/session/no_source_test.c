// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What fxt-collect reports about a source that cannot be used, in mount namespaces in which the
 * kernel's BTF, the module, its device or the lockdown level appear different; and that the source
 * "auto" gives its reason for BPF.
 */
#include <linux/filter.h>
#include <linux/fxt_sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/sysmacros.h>

#include "failure.h"
#include "source_fixture.h"

#define BTF		"/sys/kernel/btf"
#define MODULES		"/sys/module"
#define SECURITY	"/sys/kernel/security"	/* the usual mount point of securityfs */
#define DEVICE		"/dev/" FXT_SCHED_DEVICE
#define MINOR		"61"			/* any number */

FIXTURE(no_source)
{
	const char *missing;
	char dir[RECORD_PATH];
	struct collector c;
};

FIXTURE_SETUP(no_source)
{
	self->missing = geteuid() ? "not root" :
			access(SECURITY, F_OK) ? "this kernel has no place for securityfs" : NULL;
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
}

FIXTURE_TEARDOWN(no_source)
{
	dir_remove(self->dir);
}

#define NEEDS_DISGUISE() do {							\
	if (self->missing)							\
		SKIP(return, "%s", self->missing);				\
} while (0)

/* The file that has the name of the module's device. */
enum node {
	NODE_ABSENT,
	NODE_OTHER,		/* another device */
	NODE_FORBIDDEN,		/* one that may not be opened */
};

/** struct disguise - a system that looks different from this one */
struct disguise {
	bool no_btf;	/* the kernel has no BTF */
	bool is_loaded;	/* the module is loaded */
	bool is_listed;	/* the module has registered its device */
	enum node node;	/* the file with the name of the device */
	/* the line in which the kernel shows its lockdown; NULL: the real one */
	const char *lockdown;
};

/*
 * Unlike "/" in a chroot, these are always mount points. They must be private, so that mounts there
 * cannot be seen outside.
 */
static int make_private(void)
{
	return unshare(CLONE_NEWNS) || mount(NULL, "/sys", NULL, MS_REC | MS_PRIVATE, NULL) ||
	       mount(NULL, "/dev", NULL, MS_REC | MS_PRIVATE, NULL) ||
	       mount(NULL, "/proc", NULL, MS_REC | MS_PRIVATE, NULL);
}

static int empty(const char *dir, unsigned long flags)
{
	return mount("none", dir, "tmpfs", flags, NULL);
}

static int write_line(const char *path, const char *line)
{
	FILE *f = fopen(path, "we");

	if (!f)
		return -1;
	fputs(line, f);
	return fclose(f);
}

static int list_device(const char *dir, bool is_listed)
{
	char path[RECORD_PATH + 8];

	snprintf(path, sizeof(path), "%s/misc", dir);
	return write_line(path, is_listed ? "130 watchdog\n " MINOR " " FXT_SCHED_DEVICE "\n" :
			  "130 watchdog\n") ||
	       mount(path, "/proc/misc", NULL, MS_BIND, NULL);
}

static int disguise_device(const struct disguise *d, const char *dir)
{
	return empty("/dev", d->node == NODE_FORBIDDEN ? MS_NODEV : 0) ||
	       (d->node != NODE_ABSENT && mknod(DEVICE, S_IFCHR | 0600, makedev(1, 3))) ||
	       list_device(dir, d->is_listed);
}

static int put_on(const struct disguise *d, const char *dir)
{
	return make_private() || empty(MODULES, 0) ||
	       (d->is_loaded && mkdir(MODULES "/" FXT_SCHED_MODULE, 0755)) ||
	       disguise_device(d, dir) ||
	       (d->no_btf && empty(BTF, 0)) ||
	       (d->lockdown && (empty(SECURITY, 0) ||
				write_line(SECURITY "/lockdown", d->lockdown)));
}

typedef int (*check)(struct collector *c, const char *dir, const struct failure *f,
		     struct why *why);

/* Exits with 0, or with another status and a line. */
static void run_disguised(const struct disguise *d, struct collector *c, const char *dir,
			  const struct failure *f, check check)
{
	struct why why;

	/* /proc/self/exe is wrong in the new namespace, if this is a chroot. */
	setenv("FXT_COLLECT", collector_path(), 1);
	if (put_on(d, dir)) {
		fprintf(stderr, "# cannot disguise the system: %s\n", strerror(errno));
		_exit(2);
	}
	if (!check(c, dir, f, &why))
		_exit(0);
	fprintf(stderr, "# %s\n", why.text);
	_exit(1);
}

static int check_disguised(const struct disguise *d, struct collector *c, const char *dir,
			   const struct failure *f, check check)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		run_disguised(d, c, dir, f, check);
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

struct disguised_failure {
	struct disguise disguise;
	struct failure failure;
};

#define EXPECT_FAILURES(cases) do {						\
	size_t i;								\
										\
	for (i = 0; i < ARRAY_SIZE(cases); i++)					\
		EXPECT_EQ(0, check_disguised(&cases[i].disguise, &self->c, self->dir, \
					     &cases[i].failure, check_run))	\
			TH_LOG("case %zu", i);			\
} while (0)

/* Why the module is not loaded, and what to do, depends on the kernel's lockdown. */
TEST_F(no_source, no_module)
{
	static const struct disguised_failure cases[] = {
		{ { .lockdown = "[none] integrity confidentiality\n" },
		  { 3, "is not loaded: load it", { "-q", "-s", "kmod" } } },
		{ { .lockdown = "[none] integrity confidentiality\n" },
		  { 3, "is not loaded: load it", { "-q", "-c", "tsc" } } },
		{ { .lockdown = "" },
		  { 3, "or record with --source=bpf", { "-q", "-s", "kmod" } } },
		{ { .lockdown = "none [integrity] confidentiality\n" },
		  { 3, "lockdown=integrity only a signed one", { "-q", "-s", "kmod" } } },
		{ { .lockdown = "none integrity [confidentiality]\n" },
		  { 3, "lockdown=confidentiality only a signed one", { "-q", "-c", "tsc" } } },
	};

	NEEDS_DISGUISE();
	EXPECT_FAILURES(cases);
}

TEST_F(no_source, other_module)
{
	static const struct disguised_failure cases[] = {
		{ { .is_loaded = true },
		  { 3, "fxt_sched is older than this collector", { "-q", "-s", "kmod" } } },
		{ { .is_loaded = true },
		  { 3, "; load the module that was built with it", { "-q", "-c", "tsc" } } },
		{ { .is_loaded = true, .is_listed = true, .node = NODE_OTHER },
		  { 3, "the loaded module fxt_sched has an older interface than this collector",
		    { "-q", "-s", "kmod" } } },
	};

	NEEDS_DISGUISE();
	EXPECT_FAILURES(cases);
}

/* The module is of this version, but its device cannot be opened. */
TEST_F(no_source, device_is_closed)
{
	static const struct disguised_failure cases[] = {
		{ { .is_loaded = true, .is_listed = true },
		  { 3, "or run mknod -m 666 /dev/fxt_sched c 10 " MINOR "\n",
		    { "-q", "-s", "kmod" } } },
		{ { .is_loaded = true, .is_listed = true, .node = NODE_FORBIDDEN,
		    .lockdown = "none [integrity] confidentiality\n" },
		  { 4, "run with CAP_PERFMON", { "-q", "-s", "kmod" } } },
		{ { .is_loaded = true, .is_listed = true, .node = NODE_FORBIDDEN,
		    .lockdown = "none integrity [confidentiality]\n" },
		  { 4, "lockdown=confidentiality forbids", { "-q", "-s", "kmod" } } },
	};

	NEEDS_DISGUISE();
	EXPECT_FAILURES(cases);
}

/* If neither source can be used, the module's error is reported if the module is loaded. */
TEST_F(no_source, no_btf)
{
	static const struct disguised_failure cases[] = {
		{ { .no_btf = true },
		  { 3, "use the kernel module", { "-q", "-s", "bpf" } } },
		{ { .no_btf = true },
		  { 3, "use the kernel module", { "-q", "-s", "auto" } } },
		{ { .no_btf = true, .is_loaded = true },
		  { 3, "fxt_sched is older than this collector", { "-q", "-s", "auto" } } },
	};

	NEEDS_DISGUISE();
	if (access(BTF, F_OK))
		SKIP(return, "this kernel has no BTF to hide");
	EXPECT_FAILURES(cases);
}

static int check_choice(struct collector *c, const char *dir, const struct failure *f,
			struct why *why)
{
	int status = collector_run(c, dir, f->args);

	if (status == f->status && strstr(c->text, f->says))
		return 0;
	return complain(why, "status %d, and no '%s' in: %.300s", status, f->says, c->text);
}

TEST_F(no_source, auto_takes_bpf)
{
	static const struct disguised_failure cases[] = {
		{ { .lockdown = "[none] integrity confidentiality\n" },
		  { 0, "(bpf: the module fxt_sched is not loaded)\n", { "-d", "10ms" } } },
		{ { .is_loaded = true, .is_listed = true, .node = NODE_OTHER },
		  { 0, "(bpf: the loaded module fxt_sched has another version)\n",
		    { "-d", "10ms" } } },
		{ { .is_loaded = true, .is_listed = true, .node = NODE_FORBIDDEN,
		    .lockdown = "[none] integrity confidentiality\n" },
		  { 0, "(bpf: the module fxt_sched may not be used)\n", { "-d", "10ms" } } },
		{ { .is_loaded = true, .is_listed = true },
		  { 0, "(bpf: the module fxt_sched cannot be used)\n", { "-d", "10ms" } } },
	};

	NEEDS_DISGUISE();
	if (source_missing("bpf"))
		SKIP(return, "%s", source_missing("bpf"));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		EXPECT_EQ(0, check_disguised(&cases[i].disguise, &self->c, self->dir,
					     &cases[i].failure, check_choice))
			TH_LOG("case %zu", i);
	}
}
