// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recordings while an unprivileged user attacks the recorder. The recording begins and ends,
 * whatever the attacker does; an honest program's functions have names; what the attacker loses by
 * its own flood is counted.
 */
#include <pthread.h>

#include "program_stacks.h"
#include "silent_file.h"

SOURCE_FIXTURE(neighbour);

#define NOBODY		65534
#define LEASE_SECONDS	40	/* less than the kernel lets an open wait for a lease */
#define FLOOD_MS	1500
#define FULL		60000U	/* mappings of a process, which may have 65530 */
#define FULL_PROCESSES	6	/* processes with that many */
#define SHARING		400	/* processes that share such a list, which takes 40 ms to read */
#define SLOWEST_NS	8000000000ULL
#define ADDRESSES	(1U << 18)	/* addresses that an archive records at most */

static int wait_for_end(void *arg)
{
	(void)arg;
	while (pause() < 0)
		;
	return 0;
}

static void become_nobody(void)
{
	if (setgid(NOBODY) || setuid(NOBODY))
		_exit(2);
	alarm(2 * LEASE_SECONDS);
	signal(SIGIO, SIG_IGN);
}

/* Map a file as code, and hold a lease on it that is never given back. */
static void hold_lease(const char *dir, int ready)
{
	char path[RECORD_PATH + 16];
	int fd;

	become_nobody();
	snprintf(path, sizeof(path), "%s/leased", dir);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0755);
	if (fd < 0 || ftruncate(fd, 1 << 20) ||
	    mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED ||
	    fcntl(fd, F_SETLEASE, F_WRLCK) || write(ready, "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

/* Map files with new names at new places. */
static void flood(const char *dir, int ready)
{
	char name[32];
	void *at;
	int fd;

	(void)dir;
	become_nobody();
	for (unsigned int i = 0; ; i++) {
		snprintf(name, sizeof(name), "flood-%u", i);
		fd = memfd_create(name, MFD_CLOEXEC);
		if (fd < 0 || ftruncate(fd, 4096))
			_exit(1);
		at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
		close(fd);
		if (at == MAP_FAILED)
			_exit(1);
		if (i % 2)
			munmap(at, 4096);
		if (i == 100 && write(ready, "", 1) != 1)
			_exit(1);
		if (i % 8 == 7)
			usleep(2000);
		/* By then, the process has as many mappings as it may have. */
		if (i > 50000)
			usleep(100000);
	}
}

/* Be many processes with one address space, which has as many mappings as allowed. */
static void share_memory(const char *dir, int ready)
{
	int fd = memfd_create("full", MFD_CLOEXEC), i;
	char *stacks = mmap(NULL, SHARING * 4096, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)dir;
	if (setpgid(0, 0))
		_exit(1);
	become_nobody();
	if (fd < 0 || stacks == MAP_FAILED || ftruncate(fd, 4096))
		_exit(1);
	for (i = 0; i < (int)FULL; i++)
		if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
			_exit(1);
	for (i = 0; i < SHARING; i++)
		if (clone(wait_for_end, stacks + 4096 * (i + 1), CLONE_VM | SIGCHLD, NULL) < 0)
			_exit(1);
	if (write(ready, "", 1) != 1)
		_exit(1);
	wait_for_end(NULL);
}

/* Have as many mappings as allowed, in several processes, before the recording begins. */
static void be_full(const char *dir, int ready)
{
	int fd = memfd_create("full", MFD_CLOEXEC), i;

	(void)dir;
	become_nobody();
	if (fd < 0 || ftruncate(fd, 4096))
		_exit(1);
	/* Map the same page each time, so that the kernel cannot merge the mappings. */
	for (i = 0; i < (int)FULL; i++)
		if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
			_exit(1);
	for (i = 1; i < FULL_PROCESSES; i++) {
		if (fork())
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (write(ready, "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	if (write(ready, "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

/* Read the process's memory as a debugger would. This holds the lock until the page is there. */
static void *read_memory(void *at)
{
	int fd = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	char byte;

	if (fd < 0 || pread(fd, &byte, 1, (uintptr_t)at) != 1)
		_exit(1);
	return NULL;
}

/* Every user can mount such a file system in a user namespace. */
static void keep_memory(const char *dir, int ready)
{
	int fd = silent_file_open(dir, NOBODY, ready);
	pthread_t thread;
	void *at;

	become_nobody();
	/* A process that has changed its user cannot open its own memory otherwise. */
	prctl(PR_SET_DUMPABLE, 1);
	/* The name may have been truncated, so the collector wants to read the command line. */
	prctl(PR_SET_NAME, "a-long-name-1234");
	at = fd < 0 ? MAP_FAILED : mmap(NULL, SILENT_FILE_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED || pthread_create(&thread, NULL, read_memory, at))
		_exit(1);
	/* Others wait behind this thread, which wants to hold the lock for writing. */
	for (;;) {
		at = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		munmap(at, 4096);
		usleep(1000);
	}
}

#if defined(__x86_64__)
#define CHAIN	60U	/* frames */

/* nanosleep(time, rest), with a frame pointer that leads through @chain */
typedef void (*nap)(const struct timespec *time, struct timespec *rest, const uint64_t *chain);

/* The function is in anonymous memory, so that only the frame pointer shows its callers. */
static nap make_nap(void)
{
	static const unsigned char code[] = {
		0x55,				/* push %rbp */
		0x48, 0x89, 0xd5,		/* mov %rdx, %rbp */
		0xb8, SYS_nanosleep, 0, 0, 0,	/* mov $SYS_nanosleep, %eax */
		0x0f, 0x05,			/* syscall */
		0x5d,				/* pop %rbp */
		0xc3,				/* ret */
	};
	void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? NULL : memcpy(at, code, sizeof(code));
}

/* Sleep with frame pointers that show new callers each time. */
static void call_from_everywhere(const char *dir, int ready)
{
	uint64_t chain[2 * CHAIN + 2] = { 0 }, next;
	const struct timespec time = { .tv_nsec = 1000 };
	int fd = memfd_create("everywhere", MFD_CLOEXEC);
	const size_t bytes = 2 * ADDRESSES;
	nap nap = make_nap();
	char *at;

	(void)dir;
	become_nobody();
	if (!nap || fd < 0 || ftruncate(fd, bytes))
		_exit(1);
	at = mmap(NULL, bytes, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED)
		_exit(1);
	for (unsigned int i = 0; i < CHAIN; i++)
		chain[2 * i] = (uintptr_t)&chain[2 * i + 2];
	for (next = 1; next + CHAIN < bytes; ) {
		for (unsigned int i = 0; i < CHAIN; i++)
			chain[2 * i + 1] = (uintptr_t)at + next++;
		nap(&time, NULL, chain);
	}
	if (write(ready, "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}
#endif

/* Return: the process id of a neighbour of which @count processes have begun, or -1. */
static pid_t begin_neighbours(void (*act)(const char *dir, int ready), const char *dir, int count)
{
	int ready[2];
	char byte;
	pid_t pid;

	if (chmod(dir, 0777) || pipe(ready))
		return -1;
	pid = fork();
	if (!pid)
		act(dir, ready[1]);
	close(ready[1]);
	while (pid > 0 && count-- > 0) {
		if (read(ready[0], &byte, 1) == 1)
			continue;
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		pid = -1;
	}
	close(ready[0]);
	return pid;
}

static pid_t begin_neighbour(void (*act)(const char *dir, int ready), const char *dir)
{
	return begin_neighbours(act, dir, 1);
}

static void end_neighbour(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Record the program "block", again if its names are late. */
#define RECORD_BLOCK(pid) do {							\
	unsigned int attempts_ = 0;						\
										\
	do {									\
		BEGIN();							\
		pid = run("block");						\
		ASSERT_LT(0, pid);						\
		ASSERT_FINE(record_load(&self->c, &self->t, &self->why));	\
	} while (MUST_RECORD_AGAIN(						\
		FEWEST <= count_in(&self->t, pid, "block_in_program [block]"), &attempts_)); \
} while (0)

/* Without O_NONBLOCK, opening the file takes 45 s, and the timeout would end the test. */
TEST_F_TIMEOUT(neighbour, leases_do_not_hold_the_recorder, LEASE_SECONDS)
{
	pid_t neighbour;
	int pid;

	NEEDS_STACKS();
	neighbour = begin_neighbour(hold_lease, self->dir);
	ASSERT_LT(0, neighbour);
	RECORD_BLOCK(pid);
	end_neighbour(neighbour);
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "block_in_program [block]"));
}

/* The recorder waits neither at the beginning, for the mappings, nor at the end, for the name. */
TEST_F_TIMEOUT(neighbour, locked_memory_does_not_hold_the_recorder, LEASE_SECONDS)
{
	char dir[RECORD_PATH + 16];
	pid_t neighbour;
	int pid;

	NEEDS_STACKS();
	if (silent_file_missing())
		SKIP(return, "%s", silent_file_missing());
	snprintf(dir, sizeof(dir), "%s/silent", self->dir);
	ASSERT_EQ(0, mkdir(dir, 0755));
	neighbour = begin_neighbour(keep_memory, dir);
	ASSERT_LT(0, neighbour);
	sleep_ms(500);
	RECORD_BLOCK(pid);
	end_neighbour(neighbour);
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "block_in_program [block]"));
	EXPECT_LE(1, trace_session_number(&self->t, "command_lines_late"));
	EXPECT_IN(self->c.text, "delayed reading them for too long");
}

/* The lists of many processes are read beside the recording, and not for long. */
TEST_F(neighbour, long_lists_do_not_hold_the_recorder)
{
	uint64_t asked, first = UINT64_MAX;
	const struct trace_stream *s;
	const struct trace_event *e;
	pid_t neighbour;
	int pid;

	NEEDS_STACKS();
	neighbour = begin_neighbour(share_memory, self->dir);
	ASSERT_LT(0, neighbour);
	asked = boottime_ns();
	BEGIN();
	pid = run("block");
	ASSERT_LT(0, pid);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	/* All of them are in the group that it leads. */
	kill(-neighbour, SIGKILL);
	end_neighbour(neighbour);
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "block_in_program [block]"))
		TH_LOG("%s", self->c.text);
	trace_for_each_event(&self->t, s, e)
		first = e->time < first ? e->time : first;
	EXPECT_GT(asked + SLOWEST_NS, first);
	EXPECT_LT(0, trace_session_number(&self->t, "processes_unread")) TH_LOG("%s", self->c.text);
}

static long lost_by_flood(const char *text)
{
	static const char before[] = "because there was no room for them; ";
	const char *at = strstr(text, before);

	return at ? strtol(at + sizeof(before) - 1, NULL, 10) : 0;
}

TEST_F(neighbour, floods_of_mappings_cost_others_no_names)
{
	pid_t neighbour;
	int first, second;
	unsigned int attempts = 0;
	long lost;

	do {
		BEGIN();
		neighbour = begin_neighbour(flood, self->dir);
		ASSERT_LT(0, neighbour);
		first = run("block");
		sleep_ms(FLOOD_MS);
		second = run("block");
		end_neighbour(neighbour);
		ASSERT_LT(0, first);
		ASSERT_LT(0, second);
		ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
		/* On a busy machine, the kernel's buffers of events may overflow. */
		lost = trace_session_number(&self->t, "mappings_lost");
		lost -= lost_by_flood(self->c.text);
	} while (MUST_RECORD_AGAIN(lost <= 0, &attempts));
	if (lost > 0)
		SKIP(return, "the kernel lost %ld events", lost);
	EXPECT_LE(FEWEST, count_in(&self->t, first, "block_in_program [block]"))
		TH_LOG("%s", self->c.text);
	EXPECT_LE(FEWEST, count_in(&self->t, second, "block_in_program [block]"))
		TH_LOG("%s", self->c.text);
}

/* Each process has a limit of mappings, so that later processes have room as well. */
TEST_F(neighbour, many_mappings_cost_others_no_names)
{
	pid_t neighbour;
	int pid;

	NEEDS_STACKS();
	neighbour = begin_neighbours(be_full, self->dir, FULL_PROCESSES);
	ASSERT_LT(0, neighbour);
	BEGIN();
	pid = run("block");
	ASSERT_LT(0, pid);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	/* On a slow machine their lists are read when the recording has ended. */
	end_neighbour(neighbour);
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "block_in_program [block]"))
		TH_LOG("%s", self->c.text);
	/* Lists that are longer than what is read of them count as unread, the rest has no room. */
	EXPECT_LT(0, trace_session_number(&self->t, "processes_unread")) TH_LOG("%s", self->c.text);
	if (trace_session_number(&self->t, "mappings_lost") > 0)
		EXPECT_LT(0, lost_by_flood(self->c.text)) TH_LOG("%s", self->c.text);
}

#if defined(__x86_64__)
/* Return: the number of frames in a process's stacks. */
static uint64_t frames_of(const struct trace *t, int process)
{
	uint64_t frames = 0;

	for (const struct trace_stack *s = t->stacks; s < t->stacks + t->stack_count; s++)
		frames += s->process == (uint64_t)process ? s->count : 0;
	return frames;
}

TEST_F(neighbour, frames_from_everywhere_cost_others_no_names)
{
	pid_t neighbour;
	long left_out;
	int pid;

	BEGIN();
	neighbour = begin_neighbour(call_from_everywhere, self->dir);
	ASSERT_LT(0, neighbour);
	/* The first process would find room in any case. */
	sleep_ms(FLOOD_MS);
	pid = run("block");
	end_neighbour(neighbour);
	ASSERT_LT(0, pid);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "block_in_program [block]"))
		TH_LOG("%s", self->c.text);
	/* Frames without a name are counted. If too many stacks were lost, all frames had room. */
	left_out = trace_session_number(&self->t, "frames_left_out");
	if (frames_of(&self->t, neighbour) > ADDRESSES)
		EXPECT_LT(0, left_out) TH_LOG("%s", self->c.text);
	EXPECT_EQ(left_out > 0, strstr(self->c.text, " frames have no name: ") != NULL)
		TH_LOG("%ld: %s", left_out, self->c.text);
}
#endif
