// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * device_owner_test.c - who gets a session of the module, and how it ends.
 *
 * In:  owners that close the device, share it or are killed; callers with and without the
 *      capability.
 * Must hold: a session ends with its last owner, whatever readers do, and its open files
 *      can be read to their end; only callers with the capability open the device and the files.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "kmod_fixture.h"
#include "kmod_stream.h"

KMOD_FIXTURE(owner);

static int make_load(void)
{
	struct pair pair = { .rounds = scaled(400), .ends = { { .cpu = 0 }, { .cpu = 0 } } };

	return pairs_run(&pair, 1);
}

/* --- the end of a session ------------------------------------------------------------- */

/* Open files of a session that has ended can be read to their end. */
TEST_F_TIMEOUT(owner, reading_on, TEST_SECONDS)
{
	struct kmod_stream s = { .cpu = 0, .kind = FXT_SCHED_STREAM_CPU, .whole = true };
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	char path[KMOD_PATH_SIZE];
	int cpu, names;

	NEEDS_MODULE();
	ASSERT_FINE(kmod_start(d, &c, &self->why));
	kmod_path(d, path, NULL, 0);
	EXPECT_EQ(0, access(path, F_OK));
	cpu = kmod_file(d, FXT_SCHED_FILE_CPU, 0);
	names = kmod_file(d, FXT_SCHED_FILE_NAMES, 0);
	ASSERT_LE(0, cpu);
	ASSERT_LE(0, names);
	ASSERT_EQ(0, make_load());
	kmod_close(d);
	EXPECT_EQ(-1, access(path, F_OK));
	EXPECT_FINE(kmod_stream_read(&s, cpu, &self->why));
	EXPECT_LT(0U, s.records);
	kmod_stream_free(&s);
	close(cpu);
	close(names);
}

/* Another session has other buffers while files of the one before are still open. */
TEST_F_TIMEOUT(owner, old_files_and_new_session, TEST_SECONDS)
{
	struct kmod_stream old = { .kind = FXT_SCHED_STREAM_CPU, .whole = true }, new = old;
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	int cpu;

	NEEDS_MODULE();
	ASSERT_FINE(kmod_start(d, &c, &self->why));
	cpu = kmod_file(d, FXT_SCHED_FILE_CPU, 0);
	ASSERT_LE(0, cpu);
	ASSERT_EQ(0, make_load());
	kmod_close(d);
	c.subbuf_size = 1 << 20;
	ASSERT_FINE(kmod_start(d, &c, &self->why));
	EXPECT_FINE(kmod_stream_read(&old, cpu, &self->why));
	EXPECT_LT(0U, old.records);
	close(cpu);
	ASSERT_EQ(0, make_load());
	ASSERT_EQ(0, kmod_request(d, FXT_SCHED_IOC_STOP));
	EXPECT_FINE(kmod_stream_finish(&new, d, &self->why));
	EXPECT_LT(0U, new.records);
	kmod_stream_free(&old);
	kmod_stream_free(&new);
}

/**
 * struct stalled - a reader whose memory does not come
 * @file: what it reads
 * @memory: where to: a page that userfaultfd(2) serves
 * @faults: descriptor of userfaultfd(2)
 * @reader: the thread
 * @n: what read(2) returned
 */
struct stalled {
	int file;
	void *memory;
	int faults;
	pthread_t reader;
	ssize_t n;
};

static void *read_stalled(void *arg)
{
	struct stalled *s = arg;

	s->n = read(s->file, s->memory, getpagesize());
	return NULL;
}

/* Returns once the reader waits for its memory, within the kernel. */
static int stall(struct stalled *s, int file, struct why *why)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	struct pollfd fault;

	s->file = file;
	s->faults = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	s->memory = mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	range.range = (struct uffdio_range){ .start = (uintptr_t)s->memory, .len = getpagesize() };
	if (file < 0 || s->faults < 0 || s->memory == MAP_FAILED ||
	    ioctl(s->faults, UFFDIO_API, &api) || ioctl(s->faults, UFFDIO_REGISTER, &range) ||
	    pthread_create(&s->reader, NULL, read_stalled, s))
		return complain(why, "no reader: %s", strerror(errno));
	fault = (struct pollfd){ .fd = s->faults, .events = POLLIN };
	return poll(&fault, 1, TEST_SECONDS * 500) == 1 ? 0 :
	       complain(why, "the reader does not wait for its memory");
}

/* Give it the memory. */
static void resume(struct stalled *s)
{
	struct uffdio_zeropage zero = {
		.range = { .start = (uintptr_t)s->memory, .len = getpagesize() },
	};

	ioctl(s->faults, UFFDIO_ZEROPAGE, &zero);
	pthread_join(s->reader, NULL);
	munmap(s->memory, getpagesize());
	close(s->faults);
	close(s->file);
}

/* A reader that is stuck in its own memory does not delay the end of an overwriting session. */
TEST_F_TIMEOUT(owner, stalled_readers, TEST_SECONDS)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	struct stalled names, cpu;

	NEEDS_MODULE();
	c.flags = FXT_SCHED_OVERWRITE;
	ASSERT_FINE(kmod_start(d, &c, &self->why));
	ASSERT_EQ(0, make_load());
	/* A name in the stream of CPU 0. */
	pin(0);
	ASSERT_EQ(0, prctl(PR_SET_NAME, "renamed"));
	ASSERT_EQ(0, kmod_request(d, FXT_SCHED_IOC_FREEZE));
	ASSERT_FINE(stall(&names, kmod_file(d, FXT_SCHED_FILE_NAMES, 0), &self->why));
	ASSERT_FINE(stall(&cpu, kmod_file(d, FXT_SCHED_FILE_CPU, 0), &self->why));
	EXPECT_EQ(0, kmod_request(d, FXT_SCHED_IOC_THAW));
	EXPECT_EQ(0, kmod_request(d, FXT_SCHED_IOC_FREEZE));
	kmod_close(d);
	resume(&names);
	resume(&cpu);
	EXPECT_LT(0, names.n);
	EXPECT_LT(0, cpu.n);
}

/* How many processes use the module: -1 if it is built in. */
static int count_users(void)
{
	FILE *f = fopen("/sys/module/" FXT_SCHED_MODULE "/refcnt", "re");
	int users = -1;

	if (f && fscanf(f, "%d", &users) != 1)
		users = -1;
	if (f)
		fclose(f);
	return users;
}

/* A process with a recording session says its number and waits to be killed. */
static void be_owner(int out)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session d;
	struct why why;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (kmod_start(&d, &c, &why) ||
	    write(out, &d.session, sizeof(d.session)) != sizeof(d.session))
		_exit(1);
	for (;;)
		pause();
}

TEST_F_TIMEOUT(owner, is_killed, TEST_SECONDS)
{
	char path[KMOD_PATH_SIZE];
	struct kmod_session d = { .fd = -1 };
	int out[2], users;
	pid_t pid;

	NEEDS_MODULE();
	users = count_users();
	ASSERT_EQ(0, pipe2(out, O_CLOEXEC));
	pid = fork();
	if (!pid)
		be_owner(out[1]);
	close(out[1]);
	ASSERT_EQ((ssize_t)sizeof(d.session), read(out[0], &d.session, sizeof(d.session)));
	kmod_path(&d, path, NULL, 0);
	EXPECT_EQ(0, access(path, F_OK));
	EXPECT_TRUE(users < 0 || count_users() > users);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(out[0]);
	EXPECT_EQ(-1, access(path, F_OK));
	EXPECT_EQ(users, count_users());
}

/* Two processes that share a session: it ends when the last one closes it. */
TEST_F_TIMEOUT(owner, shares_by_fork, TEST_SECONDS)
{
	struct fxt_sched_config c = kmod_config();
	char path[KMOD_PATH_SIZE], byte;
	int hold[2];
	pid_t pid;

	NEEDS_MODULE();
	ASSERT_FINE(kmod_start(&self->d[0], &c, &self->why));
	kmod_path(&self->d[0], path, NULL, 0);
	ASSERT_EQ(0, pipe2(hold, O_CLOEXEC));
	pid = fork();
	if (!pid) {
		close(hold[1]);
		_exit(read(hold[0], &byte, 1) != 0);
	}
	kmod_close(&self->d[0]);
	EXPECT_EQ(0, access(path, F_OK));
	close(hold[1]);
	waitpid(pid, NULL, 0);
	EXPECT_EQ(-1, access(path, F_OK));
	close(hold[0]);
}

/* --- who may use it -------------------------------------------------------------------- */

/* Open a file in a process that has root's id and these capabilities. Return: 0 or errno. */
static int open_with(const char *path, int flags, uint64_t caps)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2] = { 0 };
	int i, status;
	pid_t pid = fork();

	if (!pid) {
		for (i = 0; i < 2; i++) {
			data[i].permitted = caps >> 32 * i;
			data[i].effective = data[i].permitted;
		}
		if (syscall(SYS_capset, &head, data) || geteuid())
			_exit(255);
		_exit(open(path, flags | O_CLOEXEC) < 0 ? errno : 0);
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F_TIMEOUT(owner, takes_a_capability, TEST_SECONDS)
{
	const uint64_t perfmon = 1ULL << CAP_PERFMON, admin = 1ULL << CAP_SYS_ADMIN;
	const uint64_t others = (1ULL << CAP_SYS_RAWIO) - 1;
	const int has_perfmon = prctl(PR_CAPBSET_READ, CAP_PERFMON, 0, 0, 0) >= 0;
	struct fxt_sched_config c = kmod_config();
	char files[4][KMOD_PATH_SIZE] = { KMOD_PATH, KMOD_FILES FXT_SCHED_FILE_RUNDOWN };
	struct stat st;
	int i;

	NEEDS_MODULE();
	ASSERT_EQ(0, stat(KMOD_PATH, &st));
	EXPECT_EQ((mode_t)(S_IFCHR | 0600), st.st_mode);
	ASSERT_FINE(kmod_start(&self->d[0], &c, &self->why));
	kmod_path(&self->d[0], files[2], FXT_SCHED_FILE_CPU, 0);
	kmod_path(&self->d[0], files[3], FXT_SCHED_FILE_NAMES, 0);
	for (i = 0; i < 4; i++) {
		int flags = i ? O_RDONLY : O_RDWR;

		EXPECT_EQ(EPERM, open_with(files[i], flags, 0)) TH_LOG("%s", files[i]);
		EXPECT_EQ(EPERM, open_with(files[i], flags, others)) TH_LOG("%s", files[i]);
		EXPECT_EQ(has_perfmon ? 0 : EPERM, open_with(files[i], flags, perfmon))
			TH_LOG("%s", files[i]);
		EXPECT_EQ(0, open_with(files[i], flags, admin)) TH_LOG("%s", files[i]);
	}
	/* Opening the device read-only makes a session too, and takes no less. */
	EXPECT_EQ(EPERM, open_with(KMOD_PATH, O_RDONLY, others));
	/* Files of data cannot be opened for writing. */
	EXPECT_EQ(0, stat(files[2], &st));
	EXPECT_EQ(0U, st.st_mode & 0333);
	EXPECT_EQ(0, stat(files[1], &st));
	EXPECT_EQ(0U, st.st_mode & 0333);
}

TEST_HARNESS_MAIN
