// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A session of the module ends with its last owner, whatever readers do, and its open files can be
 * read to their end. The capability alone decides who opens the device; ids of processes are those
 * of the caller's pid namespace.
 */
#include <linux/capability.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sys/ioctl.h>

#include "cgroup.h"
#include "kmod_fixture.h"
#include "kmod_stream.h"
#include "off_cpu.h"

KMOD_FIXTURE(owner);

static int make_load(void)
{
	struct pair pair = { .rounds = scaled(400), .ends = { { .cpu = 0 }, { .cpu = 0 } } };

	return pairs_run(&pair, 1);
}

/* --- the end of a session ------------------------------------------------------------- */

SOURCE_TEST(owner, reading_on)
{
	struct kmod_stream s = { .cpu = 0, .kind = FXT_SCHED_STREAM_CPU, .whole = true };
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	int cpu, names;

	ASSERT_FINE(kmod_start(d, &c, &self->why));
	cpu = kmod_file(d, FXT_SCHED_STREAM_CPU, 0);
	names = kmod_file(d, FXT_SCHED_STREAM_NAMES, 0);
	ASSERT_LE(0, cpu);
	ASSERT_LE(0, names);
	ASSERT_EQ(0, make_load());
	kmod_close(d);
	EXPECT_TRUE(kmod_is_used(2));
	EXPECT_FINE(kmod_stream_read(&s, cpu, &self->why));
	EXPECT_LT(0U, s.records);
	/* Only now, it is the end. */
	EXPECT_EQ(0, read(cpu, &s, sizeof(s)));
	kmod_stream_free(&s);
	close(cpu);
	close(names);
}

struct sleeper {
	pthread_t thread;	/* the thread */
	_Atomic pid_t tid;	/* its id; 0 before it runs */
	struct pollfd p;	/* the stream */
	int ready;	/* what poll(2) returned */
	uint64_t ms;	/* how long it took; at its end, poll(2) looks once more */
};

static void *poll_asleep(void *arg)
{
	struct sleeper *s = arg;
	uint64_t begun = boottime_ns();

	s->tid = gettid();
	s->ready = poll(&s->p, 1, PATIENCE_MS);
	s->ms = (boottime_ns() - begun) / 1000000;
	return NULL;
}

SOURCE_TEST(owner, wakes_pollers)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	struct sleeper sleepers[2] = { 0 };

	ASSERT_EQ(0, kmod_open(d));
	ASSERT_EQ(0, kmod_configure(d, &c));
	for (uint32_t kind = FXT_SCHED_STREAM_CPU; kind <= FXT_SCHED_STREAM_NAMES; kind++) {
		struct sleeper *s = &sleepers[kind];

		s->p = (struct pollfd){ .fd = kmod_file(d, kind, 0), .events = POLLIN };
		ASSERT_LE(0, s->p.fd);
		ASSERT_EQ(0, pthread_create(&s->thread, NULL, poll_asleep, s));
		while (!s->tid || !is_off_cpu(s->tid))
			sleep_ms(1);
	}
	kmod_close(d);
	for (uint32_t kind = FXT_SCHED_STREAM_CPU; kind <= FXT_SCHED_STREAM_NAMES; kind++) {
		pthread_join(sleepers[kind].thread, NULL);
		EXPECT_EQ(1, sleepers[kind].ready) TH_LOG("stream %u", kind);
		EXPECT_EQ(POLLHUP, sleepers[kind].p.revents);
		EXPECT_GT((uint64_t)PATIENCE_MS, sleepers[kind].ms);
		close(sleepers[kind].p.fd);
	}
}

/* Raise max_memory until there is room for a snapshot of all names. Return: its stream, or -1. */
static int open_rundown(const struct kmod_session *d)
{
	char limit[16];
	int fd = -1, kib;

	for (kib = 64; fd < 0 && kib < 1 << 20; kib += 64) {
		snprintf(limit, sizeof(limit), "%dK", kib);
		if (kmod_set("max_memory", limit))
			return -1;
		fd = kmod_file(d, FXT_SCHED_STREAM_RUNDOWN, 0);
	}
	return fd;
}

/* Snapshots of all names count for max_memory until they are closed. */
SOURCE_TEST(owner, rundowns_count)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	int fds[500], count = 0, round;
	char before[32];

	ASSERT_EQ(0, kmod_get("max_memory", before, sizeof(before)));
	ASSERT_EQ(0, kmod_open(d));
	ASSERT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s", d->reason);
	fds[count++] = open_rundown(d);
	for (round = 0; round < 2; round++) {
		EXPECT_LE(0, fds[0]);
		while (count < (int)ARRAY_SIZE(fds) && fds[count - 1] >= 0)
			fds[count++] = kmod_file(d, FXT_SCHED_STREAM_RUNDOWN, 0);
		EXPECT_EQ(-1, fds[count - 1]) TH_LOG("%d streams", count);
		EXPECT_EQ(ENOMEM, errno);
		while (count)
			close(fds[--count]);
		fds[count++] = kmod_file(d, FXT_SCHED_STREAM_RUNDOWN, 0);
	}
	close(fds[0]);
	EXPECT_EQ(0, kmod_set("max_memory", before));
}

#define CHARGED_THREADS		1000
#define CHARGED_SNAPSHOTS	50
#define CHARGED_SESSIONS	12

/*
 * Bytes that the kernel needs of a thread for a snapshot, and of a session for pages of its table.
 */
#define SNAPSHOT_OF_THREAD	32
#define TABLE_OF_SESSION	(64 << 10)

static void *sleep_on(void *barrier)
{
	pthread_barrier_wait(barrier);
	return NULL;
}

/* Bytes that the calling process's cgroup is charged for; -1 if that cannot be read. */
static long long charged(const struct cgroup *g)
{
	long long bytes = -1;
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/memory.current", g->dir);
	f = fopen(path, "re");
	if (!f || fscanf(f, "%lld", &bytes) != 1)
		bytes = -1;
	if (f)
		fclose(f);
	return bytes;
}

/**
 * struct charge - bytes that the cgroup was charged for, after kmod_config() and a snapshot each
 */
struct charge {
	long long sessions;
	long long snapshots;
};

/* Context: a process of the cgroup. Its CPU stays the same, because each has charges in advance. */
static void charge(const struct cgroup *g, struct kmod_session *d, struct charge *to)
{
	struct fxt_sched_config c = kmod_config();
	long long before, between;
	int i;

	pin(0);
	before = charged(g);
	for (i = 0; i < CHARGED_SESSIONS; i++)
		if (kmod_open(&d[i]) || kmod_configure(&d[i], &c))
			return;
	between = charged(g);
	for (i = 0; i < CHARGED_SNAPSHOTS; i++)
		if (kmod_file(&d[0], FXT_SCHED_STREAM_RUNDOWN, 0) < 0)
			return;
	*to = (struct charge){ between - before, charged(g) - between };
}

/* The memory cgroup of whoever asks is charged for the tables of threads, and for snapshots. */
SOURCE_TEST(owner, is_charged)
{
	pthread_barrier_t end;
	pthread_t threads[CHARGED_THREADS];
	const char *missing;
	struct cgroup g;
	struct charge *c;
	pid_t child;
	int i;

	missing = cgroup_make(&g, "/tmp", false);
	if (missing)
		SKIP(return, "kmod: %s", missing);
	if (write_in(g.root, "cgroup.subtree_control", "+memory") || charged(&g) < 0) {
		cgroup_remove(&g);
		SKIP(return, "kmod: memory is not a controller of version 2");
	}
	pthread_barrier_init(&end, NULL, CHARGED_THREADS + 1);
	for (i = 0; i < CHARGED_THREADS; i++)
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, sleep_on, &end));
	c = mmap(NULL, sizeof(*c), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, c);
	child = fork();
	if (!child) {
		if (!cgroup_enter(&g, 0))
			charge(&g, self->d, c);
		_exit(0);
	}
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	EXPECT_LE(CHARGED_SESSIONS * TABLE_OF_SESSION / 2, c->sessions);
	EXPECT_LE(CHARGED_SNAPSHOTS * CHARGED_THREADS * SNAPSHOT_OF_THREAD / 2, c->snapshots);
	pthread_barrier_wait(&end);
	for (i = 0; i < CHARGED_THREADS; i++)
		pthread_join(threads[i], NULL);
	cgroup_remove(&g);
}

/* Another session has other buffers while files of the one before are still open. */
SOURCE_TEST(owner, old_files_and_new_session)
{
	struct kmod_stream old = { .kind = FXT_SCHED_STREAM_CPU, .whole = true }, new = old;
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	int cpu;

	ASSERT_FINE(kmod_start(d, &c, &self->why));
	cpu = kmod_file(d, FXT_SCHED_STREAM_CPU, 0);
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

struct stalled {
	int file;	/* descriptor from which it reads */
	unsigned long request;	/* of ioctl(2) instead of read(2); 0 for that */
	void *memory;	/* page into which it reads; userfaultfd(2) serves it */
	int faults;	/* descriptor of userfaultfd(2) */
	pthread_t reader;	/* the thread */
	ssize_t n;	/* result of read(2) */
};

static void *read_stalled(void *arg)
{
	struct stalled *s = arg;

	s->n = s->request ? ioctl(s->file, s->request, s->memory) :
			    read(s->file, s->memory, getpagesize());
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
	return poll(&fault, 1, TEST_TIMEOUT_DEFAULT * 500) == 1 ? 0 :
	       complain(why, "the reader does not wait for its memory");
}

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

static bool kernel_has_userfaultfd(void)
{
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0 || errno != ENOSYS;
}

/* A reader that waits for its own memory does not delay the end of a session in overwrite mode. */
SOURCE_TEST(owner, stalled_readers)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	struct stalled names = { 0 }, cpu = { 0 };

	if (!kernel_has_userfaultfd())
		SKIP(return, "needs userfaultfd(2)");
	c.flags = FXT_SCHED_OVERWRITE;
	ASSERT_FINE(kmod_start(d, &c, &self->why));
	ASSERT_EQ(0, make_load());
	/* Write a name into the stream of CPU 0. */
	pin(0);
	ASSERT_EQ(0, prctl(PR_SET_NAME, "renamed"));
	ASSERT_EQ(0, kmod_request(d, FXT_SCHED_IOC_FREEZE));
	ASSERT_FINE(stall(&names, kmod_file(d, FXT_SCHED_STREAM_NAMES, 0), &self->why));
	ASSERT_FINE(stall(&cpu, kmod_file(d, FXT_SCHED_STREAM_CPU, 0), &self->why));
	EXPECT_EQ(0, kmod_request(d, FXT_SCHED_IOC_THAW));
	EXPECT_EQ(0, kmod_request(d, FXT_SCHED_IOC_FREEZE));
	kmod_close(d);
	resume(&names);
	resume(&cpu);
	EXPECT_LT(0, names.n);
	EXPECT_LT(0, cpu.n);
}

/* Return: was the process gone soon? Else it is still there. */
static bool dies(pid_t pid)
{
	kill(pid, SIGKILL);
	for (unsigned int ms = 0; ms < PATIENCE_MS / 2; ms += 10) {
		if (waitpid(pid, NULL, WNOHANG) == pid)
			return true;
		sleep_ms(10);
	}
	return false;
}

/* A process that waits for the request of another one can be killed. */
SOURCE_TEST(owner, waits_killably)
{
	struct stalled status = { .request = FXT_SCHED_IOC_STATUS };
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	struct fxt_sched_status other;
	pid_t pid;

	if (!kernel_has_userfaultfd())
		SKIP(return, "needs userfaultfd(2)");
	ASSERT_EQ(0, kmod_open(d));
	ASSERT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s", d->reason);
	ASSERT_FINE(stall(&status, dup(d->fd), &self->why));
	pid = fork();
	if (!pid)
		_exit(kmod_status(d, &other));
	while (process_state(pid) != 'D')
		sleep_ms(1);
	EXPECT_TRUE(dies(pid));
	resume(&status);
	EXPECT_EQ(0, status.n);
}

static void be_owner(int out)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session d;
	struct why why;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (kmod_start(&d, &c, &why) || write(out, "1", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

SOURCE_TEST(owner, is_killed)
{
	int out[2];
	pid_t pid;
	char byte;

	ASSERT_EQ(0, pipe2(out, O_CLOEXEC));
	pid = fork();
	if (!pid)
		be_owner(out[1]);
	close(out[1]);
	ASSERT_EQ(1, read(out[0], &byte, 1));
	EXPECT_TRUE(kmod_is_used(1));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(out[0]);
	EXPECT_TRUE(kmod_is_used(0));
}

SOURCE_TEST(owner, shares_by_fork)
{
	struct fxt_sched_config c = kmod_config();
	int hold[2];
	pid_t pid;
	char byte;

	ASSERT_FINE(kmod_start(&self->d[0], &c, &self->why));
	ASSERT_EQ(0, pipe2(hold, O_CLOEXEC));
	pid = fork();
	if (!pid) {
		close(hold[1]);
		_exit(read(hold[0], &byte, 1) != 0);
	}
	kmod_close(&self->d[0]);
	EXPECT_TRUE(kmod_is_used(1));
	close(hold[1]);
	waitpid(pid, NULL, 0);
	EXPECT_TRUE(kmod_is_used(0));
	close(hold[0]);
}

/* --- pid namespaces -------------------------------------------------------------------- */

/* Process 1 of a new pid namespace filters by the pid that it has there. */
static int be_first(struct kmod_session *d)
{
	struct fxt_sched_config c = kmod_config();
	__u32 pid = 2;

	if (getpid() != 1)
		return 1;
	c.filter_pids = (uintptr_t)&pid;
	c.filter_pid_count = 1;
	if (kmod_configure(d, &c) != ESRCH)
		return 2;
	c = kmod_config();
	c.flags = FXT_SCHED_OVERWRITE;
	c.trigger_latency = 1000000000;
	c.trigger_pid = 2;
	if (kmod_configure(d, &c) != ESRCH)
		return 3;
	c = kmod_config();
	pid = 1;
	c.filter_pids = (uintptr_t)&pid;
	c.filter_pid_count = 1;
	if (kmod_configure(d, &c) || kmod_request(d, FXT_SCHED_IOC_START))
		return 4;
	for (int i = 0; i < 20; i++)
		sleep_off_cpu(1000000);
	return kmod_request(d, FXT_SCHED_IOC_STOP);
}

/*
 * Count the switches of a thread in the streams of all CPUs; @others: those of two other threads. A
 * switch from 0 to 0 only shows that a thread which the filter hides had the CPU.
 */
static unsigned int count_switches(const struct kmod_streams *all, pid_t tid, unsigned int *others)
{
	unsigned int count = 0, i;
	const uint64_t *rec;

	for (i = 0; i < all->count; i++)
		for (size_t at = 0; (rec = kmod_stream_next(&all->cpus[i], &at));) {
			if (!kmod_record_is_switch(rec))
				continue;
			if (rec[2] == (uint64_t)tid || rec[3] == (uint64_t)tid)
				count++;
			else if (rec[2] || rec[3])
				(*others)++;
		}
	return count;
}

SOURCE_TEST(owner, pid_namespace)
{
	struct kmod_session *d = &self->d[0];
	struct kmod_streams all;
	unsigned int others = 0;
	int status, hold[2];
	pid_t outer, pid = 0;

	if (access("/proc/self/ns/pid", F_OK))
		SKIP(return, "the kernel has no pid namespaces");
	ASSERT_EQ(0, kmod_open(d));
	ASSERT_EQ(0, pipe2(hold, O_CLOEXEC));
	outer = fork();
	if (!outer) {
		if (unshare(CLONE_NEWPID))
			_exit(200);
		pid = fork();
		if (!pid)
			_exit(be_first(d));
		if (write(hold[1], &pid, sizeof(pid)) != sizeof(pid))
			_exit(201);
		waitpid(pid, &status, 0);
		_exit(WEXITSTATUS(status));
	}
	close(hold[1]);
	EXPECT_EQ((ssize_t)sizeof(pid), read(hold[0], &pid, sizeof(pid)));
	ASSERT_EQ(outer, waitpid(outer, &status, 0));
	ASSERT_EQ(0, WEXITSTATUS(status)) TH_LOG("step %d", WEXITSTATUS(status));
	kmod_streams_init(&all, false);
	EXPECT_FINE(kmod_streams_finish(&all, d, &self->why));
	EXPECT_LE(20U, count_switches(&all, pid, &others));
	EXPECT_GT(20U, others);
	kmod_streams_free(&all);
	close(hold[0]);
}

/* --- who may use it -------------------------------------------------------------------- */

#define NOBODY	65534

/* Keep only these capabilities, and change the user id. Return: 0 or -1. */
static int become(uid_t uid, uint64_t caps)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2] = { 0 };

	if (prctl(PR_SET_KEEPCAPS, 1) || setresgid(uid, uid, uid) || setresuid(uid, uid, uid))
		return -1;
	for (int i = 0; i < 2; i++) {
		data[i].permitted = caps >> 32 * i;
		data[i].effective = data[i].permitted;
	}
	return syscall(SYS_capset, &head, data);
}

static int open_with(int flags, uid_t uid, uint64_t caps)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		if (become(uid, caps))
			_exit(255);
		_exit(open(KMOD_PATH, flags | O_CLOEXEC) < 0 ? errno : 0);
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

SOURCE_TEST(owner, takes_a_capability)
{
	const uint64_t perfmon = 1ULL << CAP_PERFMON, admin = 1ULL << CAP_SYS_ADMIN;
	const uint64_t others = (1ULL << CAP_SYS_RAWIO) - 1;
	const int has_perfmon = prctl(PR_CAPBSET_READ, CAP_PERFMON, 0, 0, 0) >= 0;
	static const uid_t users[] = { 0, NOBODY };
	struct stat st;

	ASSERT_EQ(0, stat(KMOD_PATH, &st));
	EXPECT_EQ((mode_t)(S_IFCHR | 0666), st.st_mode);
	for (size_t i = 0; i < ARRAY_SIZE(users); i++) {
		EXPECT_EQ(EPERM, open_with(O_RDWR, users[i], 0));
		EXPECT_EQ(EPERM, open_with(O_RDWR, users[i], others));
		EXPECT_EQ(has_perfmon ? 0 : EPERM, open_with(O_RDWR, users[i], perfmon));
		EXPECT_EQ(0, open_with(O_RDWR, users[i], admin));
		/* Opening the device read-only makes a session too, and takes no less. */
		EXPECT_EQ(EPERM, open_with(O_RDONLY, users[i], others));
	}
}

/* A user with the capability alone records, and reads all streams. */
static int record_as_nobody(void)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_streams all;
	struct kmod_session d;
	struct why why;
	char byte;
	int i, fd;

	if (become(NOBODY, 1ULL << CAP_PERFMON) || kmod_start(&d, &c, &why))
		return 1;
	for (i = 0; i < 20; i++)
		sleep_off_cpu(1000000);
	if (kmod_request(&d, FXT_SCHED_IOC_STOP))
		return 2;
	kmod_streams_init(&all, false);
	if (kmod_streams_finish(&all, &d, &why))
		return 3;
	if (count_switches(&all, gettid(), &(unsigned int){ 0 }) < 20)
		return 4;
	fd = kmod_file(&d, FXT_SCHED_STREAM_RUNDOWN, 0);
	return fd < 0 || read(fd, &byte, 1) != 1 ? 5 : 0;
}

SOURCE_TEST(owner, is_a_user)
{
	int status;
	pid_t pid;

	if (prctl(PR_CAPBSET_READ, CAP_PERFMON, 0, 0, 0) < 0)
		SKIP(return, "this kernel has no CAP_PERFMON");
	pid = fork();
	if (!pid)
		_exit(record_as_nobody());
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, WEXITSTATUS(status)) TH_LOG("step %d", WEXITSTATUS(status));
}

/* A process without rights has a session that was passed to it, but no other one. */
static int use_passed(struct kmod_session *d)
{
	struct fxt_sched_config c = kmod_config();
	struct fxt_sched_status status;
	struct kmod_streams all;
	struct why why;

	if (become(NOBODY, 0) || open(KMOD_PATH, O_RDWR | O_CLOEXEC) >= 0 || errno != EPERM)
		return 1;
	if (kmod_configure(d, &c) != EBUSY)
		return 2;
	if (kmod_status(d, &status) || kmod_request(d, FXT_SCHED_IOC_STOP))
		return 3;
	kmod_streams_init(&all, false);
	return kmod_streams_finish(&all, d, &why) ? 4 : 0;
}

SOURCE_TEST(owner, passes_a_session_on)
{
	struct fxt_sched_config c = kmod_config();
	struct fxt_sched_status s;
	struct kmod_session d;
	int status;
	pid_t pid;

	ASSERT_EQ(0, kmod_start(&d, &c, &self->why)) TH_LOG("%s", self->why.text);
	pid = fork();
	if (!pid)
		_exit(use_passed(&d));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, WEXITSTATUS(status)) TH_LOG("step %d", WEXITSTATUS(status));
	/* The session is the same, and lives on. */
	ASSERT_EQ(0, kmod_status(&d, &s));
	EXPECT_EQ(0U, s.state);
	EXPECT_EQ(0, kmod_request(&d, FXT_SCHED_IOC_START));
	kmod_close(&d);
}
