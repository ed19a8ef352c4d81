// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opening a named pipe waits for the other end. If the request is forced to be asynchronous, a
 * worker does it: a thread of the process for which no sched_process_fork fires.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io_uring_user.h"
#include "off_cpu.h"

#define ENTRIES		4
#define ROUNDS		20

/** struct request - the process's next task: 'c' make a child, 'w' a worker, 'e' end */
struct request {
	char what;
	pid_t tid;
};

struct ring {
	int fd;
	struct io_uring_params params;
	char *rings;
	struct io_uring_sqe *sqes;
};

int next_tid(pid_t tid)
{
	char text[16];
	int n = snprintf(text, sizeof(text), "%d", tid - 1);
	int fd = open(NEXT_TID_FILE, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, text, n) == n;

	if (fd >= 0)
		close(fd);
	return done ? 0 : -1;
}

static int ring_open(struct ring *r)
{
	size_t bytes;

	memset(r, 0, sizeof(*r));
	r->fd = syscall(__NR_io_uring_setup, ENTRIES, &r->params);
	if (r->fd < 0)
		return -1;
	/* Both rings are in one mapping, since Linux 5.4. */
	bytes = r->params.cq_off.cqes + r->params.cq_entries * sizeof(struct io_uring_cqe);
	r->rings = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, IORING_OFF_SQ_RING);
	r->sqes = mmap(NULL, ENTRIES * sizeof(*r->sqes), PROT_READ | PROT_WRITE, MAP_SHARED,
		       r->fd, IORING_OFF_SQES);
	return r->rings == MAP_FAILED || r->sqes == MAP_FAILED ? -1 : 0;
}

static unsigned int *ring_word(struct ring *r, uint32_t offset)
{
	return (unsigned int *)(r->rings + offset);
}

/* Let a worker open a pipe for reading. */
static int ring_submit(struct ring *r, const char *path)
{
	unsigned int tail = *ring_word(r, r->params.sq_off.tail);
	unsigned int mask = *ring_word(r, r->params.sq_off.ring_mask);
	struct io_uring_sqe *sqe = &r->sqes[tail & mask];

	*sqe = (struct io_uring_sqe){
		.opcode = IORING_OP_OPENAT,
		.flags = IOSQE_ASYNC,
		.fd = AT_FDCWD,
		.addr = (uintptr_t)path,
		.open_flags = O_RDONLY | O_CLOEXEC,
	};
	ring_word(r, r->params.sq_off.array)[tail & mask] = tail & mask;
	__atomic_store_n(ring_word(r, r->params.sq_off.tail), tail + 1, __ATOMIC_RELEASE);
	return syscall(__NR_io_uring_enter, r->fd, 1, 0, 0, NULL, 0) == 1 ? 0 : -1;
}

static int ring_result(struct ring *r)
{
	unsigned int head = *ring_word(r, r->params.cq_off.head);
	unsigned int mask = *ring_word(r, r->params.cq_off.ring_mask);
	struct io_uring_cqe *cqes = (void *)(r->rings + r->params.cq_off.cqes);
	int result;

	while (__atomic_load_n(ring_word(r, r->params.cq_off.tail), __ATOMIC_ACQUIRE) == head)
		if (syscall(__NR_io_uring_enter, r->fd, 0, 1, IORING_ENTER_GETEVENTS, NULL,
			    0) < 0 && errno != EINTR)
			return -errno;
	result = cqes[head & mask].res;
	__atomic_store_n(ring_word(r, r->params.cq_off.head), head + 1, __ATOMIC_RELEASE);
	return result;
}

/* The thread of this process that is not its leader; 0 if there is none. */
static pid_t find_worker(void)
{
	DIR *tasks = opendir("/proc/self/task");
	const struct dirent *task;
	pid_t tid = 0;

	while (tasks && (task = readdir(tasks)))
		if (task->d_name[0] != '.' && atoi(task->d_name) != getpid())
			tid = atoi(task->d_name);
	if (tasks)
		closedir(tasks);
	return tid;
}

/* Open a pipe once in a worker; @tid: the worker's id, if it does not exist yet */
static int work_once(struct ring *r, const char *path, pid_t tid)
{
	int writer, reader;

	if ((tid && next_tid(tid)) || ring_submit(r, path))
		return -1;
	/* Give the worker time to wait for the other end, and later to wait for work. */
	sleep_ms(1);
	writer = open(path, O_WRONLY | O_CLOEXEC);
	reader = ring_result(r);
	sleep_ms(1);
	if (writer >= 0)
		close(writer);
	if (reader >= 0)
		close(reader);
	return writer < 0 || reader < 0 ? -1 : 0;
}

static int work(struct ring_user_answer *made, pid_t tid)
{
	char path[64];
	struct ring r;
	int i, ret = 0;

	if (ring_open(&r)) {
		made->failure = errno;
		return -1;
	}
	snprintf(path, sizeof(path), "/tmp/fxt-ring.%d", getpid());
	if (mkfifo(path, 0600))
		return -1;
	for (i = 0; i < ROUNDS && !ret; i++)
		ret = work_once(&r, path, i ? 0 : tid);
	unlink(path);
	if (ret)
		return -1;
	made->tid = find_worker();
	/* Before Linux 5.12 kernel threads do the work. */
	if (!made->tid)
		made->failure = ENOSYS;
	/* The ring stays open, and the worker stays with it. */
	return made->tid ? counts_read_asleep(made->tid, &made->counts) : -1;
}

static int have_child(struct ring_user_answer *made, pid_t tid)
{
	int status;

	if (tid && next_tid(tid))
		return -1;
	made->tid = fork();
	if (!made->tid) {
		sleep_off_cpu(1000000);
		_exit(0);
	}
	return waitpid(made->tid, &status, 0) == made->tid && !status ? 0 : -1;
}

static void serve(int in, int out)
{
	struct ring_user_answer made;
	struct request request;
	int ret;

	while (read(in, &request, sizeof(request)) == sizeof(request) && request.what != 'e') {
		memset(&made, 0, sizeof(made));
		made.began = boottime_ns();
		ret = request.what == 'w' ? work(&made, request.tid) :
					    have_child(&made, request.tid);
		if (ret && !made.failure)
			made.failure = EIO;
		if (write(out, &made, sizeof(made)) != sizeof(made))
			_exit(1);
	}
	_exit(0);
}

int ring_user_start(struct ring_user *u, const char *name)
{
	int in[2], out[2];

	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
		return -1;
	u->pid = fork();
	if (!u->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, name);
		close(in[1]);
		close(out[0]);
		serve(in[0], out[1]);
	}
	close(in[0]);
	close(out[1]);
	u->in = in[1];
	u->out = out[0];
	return u->pid < 0 ? -1 : 0;
}

static int ask(struct ring_user *u, char what, pid_t tid)
{
	struct request request = { .what = what, .tid = tid };

	if (write(u->in, &request, sizeof(request)) != sizeof(request) ||
	    read(u->out, &u->made, sizeof(u->made)) != sizeof(u->made))
		return -1;
	return u->made.failure ? -1 : 0;
}

int ring_user_child(struct ring_user *u, pid_t tid)
{
	return ask(u, 'c', tid);
}

int ring_user_work(struct ring_user *u, pid_t tid)
{
	return ask(u, 'w', tid);
}

int ring_user_end(struct ring_user *u)
{
	struct request request = { .what = 'e' };
	int status;

	/*
	 * Closing the pipe does not end it: processes that were started later inherited its end,
	 * too.
	 */
	if (write(u->in, &request, sizeof(request)) != sizeof(request))
		return -1;
	close(u->in);
	close(u->out);
	if (waitpid(u->pid, &status, 0) != u->pid)
		return -1;
	return status ? -1 : 0;
}
