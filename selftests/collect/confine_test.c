// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The system calls that a recorder may use: those that recording does not need are forbidden, and
 * an archive can still be written. Each test is a process of its own, so the confinement affects no
 * other.
 */
#include "harness.h"

#include <linux/bpf.h>
#include <linux/fxt_sched.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "fxt-collect/process/privilege.h"
#include "output_events.h"

static uint64_t own(const char *key)
{
	return status_of("/proc/thread-self/status", key, 16);
}

struct other {
	pthread_t thread;
	int fds[2];
	int err;
};

/* When asked, it tries forbidden calls. */
static void *try_socket(void *arg)
{
	struct other *o = arg;
	char byte;

	if (read(o->fds[0], &byte, 1) == 1)
		o->err = socket(AF_INET, SOCK_STREAM, 0) < 0 ? errno : 0;
	return NULL;
}

TEST(confine_forbids)
{
	struct rlimit limit = { 1, 1 };
	struct clone_args args = { 0 };
	struct other other = { 0 };
	struct error e;
	void *page;

	page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_EQ(0, pipe(other.fds));
	ASSERT_EQ(0, pthread_create(&other.thread, NULL, try_socket, &other));
	ASSERT_EQ(0, privilege_confine(PRIVILEGE_KEEP_NONE, &e)) TH_LOG("%s", e.text);
	ASSERT_EQ(2UL, own("Seccomp"));
#define FORBIDDEN(call) do {							\
	errno = 0;								\
	EXPECT_EQ(-1, (long)(call)) TH_LOG("%s", #call);			\
	EXPECT_EQ(EPERM, errno) TH_LOG("%s: %s", #call, strerror(errno));	\
} while (0)
	FORBIDDEN(socket(AF_INET, SOCK_STREAM, 0));
	FORBIDDEN(socket(AF_UNIX, SOCK_STREAM, 0));
	FORBIDDEN(execl("/bin/true", "true", NULL));
	FORBIDDEN(syscall(SYS_execveat, -1, "/bin/true", NULL, NULL, 0));
	FORBIDDEN(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
	FORBIDDEN(syscall(SYS_process_vm_readv, getpid(), NULL, 0, NULL, 0, 0));
	FORBIDDEN(fork());
	FORBIDDEN(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
	FORBIDDEN(unshare(CLONE_NEWUSER));
	FORBIDDEN(syscall(SYS_mount, "none", "/", NULL, 0, NULL));
	FORBIDDEN(syscall(SYS_setuid, getuid()));
	FORBIDDEN(syscall(SYS_setgroups, 0, NULL));
	FORBIDDEN(setrlimit(RLIMIT_CORE, &limit));
	FORBIDDEN(chmod("/", 0755));
	FORBIDDEN(symlink("/", "/nowhere/x"));
	FORBIDDEN(syscall(SYS_init_module, NULL, 0, ""));
	FORBIDDEN(syscall(SYS_perf_event_open, NULL, 0, 0, -1, 0));
	FORBIDDEN(syscall(SYS_bpf, 0, NULL, 0));
	FORBIDDEN(syscall(SYS_bpf, BPF_PROG_TEST_RUN, NULL, 0));
	FORBIDDEN(open("/dev/null", O_WRONLY));
	FORBIDDEN(open("/dev/null", O_RDWR));
	FORBIDDEN(open("/dev/null", O_RDONLY | O_CREAT, 0600));
	FORBIDDEN(open("/dev/null", O_RDONLY | O_TRUNC));
	FORBIDDEN(syscall(SYS_openat2, AT_FDCWD, "/dev/null", NULL, 0));
	FORBIDDEN(rename("/nowhere/x", "/nowhere/y"));
	FORBIDDEN(unlink("/nowhere/x"));
	FORBIDDEN(fchmod(0, 0600));
	FORBIDDEN(fchown(0, 0, 0));
	FORBIDDEN(ioctl(0, TIOCSTI, ""));
	FORBIDDEN(ioctl(0, FXT_SCHED_IOC_CONFIGURE, NULL));
	FORBIDDEN((long)mmap(NULL, 4096, PROT_READ | PROT_EXEC,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	FORBIDDEN(mprotect(page, 4096, PROT_READ | PROT_EXEC));
	errno = 0;
	EXPECT_EQ(-1, syscall(SYS_clone3, &args, sizeof(args)));
	EXPECT_EQ(ENOSYS, errno);
	/* Existing threads, too. */
	ASSERT_EQ(1, write(other.fds[1], "", 1));
	ASSERT_EQ(0, pthread_join(other.thread, NULL));
	EXPECT_EQ(EPERM, other.err);
}

/* Perf events of CPUs are allowed if they are kept, but no others. */
TEST(confine_keeps_perf)
{
	struct error e;

	ASSERT_EQ(0, privilege_confine(PRIVILEGE_KEEP_PERF, &e)) TH_LOG("%s", e.text);
	FORBIDDEN(syscall(SYS_perf_event_open, NULL, -1, 0, -1, PERF_FLAG_PID_CGROUP));
	errno = 0;
	EXPECT_EQ(-1, syscall(SYS_perf_event_open, NULL, -1, 0, -1, PERF_FLAG_FD_CLOEXEC));
	EXPECT_EQ(EFAULT, errno);
}

/* Programs can be run if that is kept, but not loaded or attached, and maps cannot be touched. */
TEST(confine_keeps_run)
{
	struct error e;

	ASSERT_EQ(0, privilege_confine(PRIVILEGE_KEEP_RUN, &e)) TH_LOG("%s", e.text);
	for (int command = 0; command < BPF_LINK_CREATE; command++)
		if (command != BPF_PROG_TEST_RUN)
			FORBIDDEN(syscall(SYS_bpf, command, NULL, 0));
	errno = 0;
	EXPECT_EQ(-1, syscall(SYS_bpf, BPF_PROG_TEST_RUN, NULL, sizeof(union bpf_attr)));
	EXPECT_NE(EPERM, errno);
}

/* The requests reach the device, which is one that does not know them. */
static void control_confined(struct __test_metadata *_metadata)
{
	static const unsigned long requests[] = {
		FXT_SCHED_IOC_START, FXT_SCHED_IOC_STOP, FXT_SCHED_IOC_FREEZE,
		FXT_SCHED_IOC_THAW, FXT_SCHED_IOC_STATUS, FXT_SCHED_IOC_COUNTERS,
		FXT_SCHED_IOC_FLUSH, FXT_SCHED_IOC_MARK, FXT_SCHED_IOC_LIMITS,
	};
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	for (size_t i = 0; i < ARRAY_SIZE(requests); i++) {
		EXPECT_EQ(-1, ioctl(fd, requests[i], NULL));
		EXPECT_EQ(ENOTTY, errno) TH_LOG("%zu: %s", i, strerror(errno));
	}
	close(fd);
}

static void record_confined(struct __test_metadata *_metadata, struct rig *r, const char *path)
{
	struct rlimit limit;
	uint64_t kept;
	siginfo_t info;

	ASSERT_EQ(0, rig_open(r, path)) TH_LOG("%s", r->e.text);
	ASSERT_EQ(0, rig_write(r, 100000, 1000));
	if (r->options.compression != COMPRESSION_NONE)
		EXPECT_EQ(0UL, other_thread("CapPrm"));
	ASSERT_EQ(0, output_cut(r->o, output_safe(r->o), &kept));
	r->events = (kept - r->head) / EVENT_BYTES;
	ASSERT_EQ(0, fxt_writer_cut(r->w, kept));
	ASSERT_EQ(0, rig_write(r, 1000, 1000));
	ASSERT_EQ(0, rig_close(r, true));
	EXPECT_EQ(0, rig_read(r, path));
	EXPECT_EQ(r->events, r->seen);
	EXPECT_EQ(0, broker_remove(r->broker, path));
	EXPECT_NE(0, access(path, F_OK));
	EXPECT_EQ(0, getrlimit(RLIMIT_CORE, &limit));
	EXPECT_EQ(0, kill(getpid(), 0));
	EXPECT_LT(0, getpgid(getpid()));
	EXPECT_EQ(0, waitid(P_ALL, 0, &info, WEXITED | WNOHANG));
}

TEST(confine_allows)
{
	static const enum compression all[] = {
		COMPRESSION_NONE, COMPRESSION_ZSTD, COMPRESSION_GZIP,
	};
	struct rig r = { .options = { .part = true } };
	char dir[RECORD_PATH], path[RECORD_PATH + 16];
	struct error e;

	ASSERT_EQ(0, dir_make(dir, sizeof(dir)));
	snprintf(path, sizeof(path), "%s/x.fxt", dir);
	if (fork()) {
		int status;

		wait(&status);
		dir_remove(dir);
		ASSERT_EQ(0, status);
		return;
	}
	EXPECT_EQ(0, rig_broker(&r));
	EXPECT_EQ(0, privilege_drop(PRIVILEGE_KEEP_NONE, &e));
	EXPECT_EQ(0, privilege_confine(PRIVILEGE_KEEP_NONE, &e));
	for (size_t i = 0; i < 3; i++) {
		r.options.compression = all[i];
		record_confined(_metadata, &r, path);
	}
	control_confined(_metadata);
	rig_free(&r);
	_exit(_metadata->passed ? 0 : 1);
}
