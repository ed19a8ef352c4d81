// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * thread.c - the compressing thread, and its queue.
 *
 * In: bytes and boundaries, copied into blocks. Out: the same to frames.c, in order,
 * without delaying the thread that fetches records. Invariant: only the thread touches
 * the frames, the file and the marks while it runs.
 *
 * A block belongs to one side at a time. The side that has finished with it changes
 * @count under @lock; the side that takes it over has read @count under @lock since.
 * Releasing and acquiring the lock orders the contents of the block, which need no lock
 * themselves. pthread_join() orders what the thread leaves behind.
 */
#include <errno.h>
#include <linux/capability.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "frames.h"
#include "thread.h"

#define BLOCKS		8U
#define BLOCK_BYTES	(1U << 20)

/**
 * struct block - a piece of the archive
 * @bytes: of @data
 * @boundary: a chunk ends here
 * @data: the piece
 */
struct block {
	size_t bytes;
	bool boundary;
	unsigned char data[BLOCK_BYTES];
};

/**
 * struct output_thread - the thread and its queue
 * @frames: the compressor
 * @direct: there is no thread; the caller compresses
 * @running: the thread exists and was not joined
 * @thread: that
 * @filling: index of the block being filled; the caller's
 * @used: bytes in it
 * @lock: protects all members below, except the contents of blocks
 * @filled: signaled when there is work
 * @drained: signaled when a block is free, or on an error
 * @first: index of the next block to compress
 * @count: number of blocks to compress
 * @finish: end when the queue is empty
 * @stop: end at once
 * @error: the first one, negative; the thread has ended then
 * @blocks: BLOCKS of them
 */
struct output_thread {
	struct output_frames frames;
	bool direct;
	bool running;
	pthread_t thread;
	unsigned int filling;
	size_t used;
	pthread_mutex_t lock;
	pthread_cond_t filled;
	pthread_cond_t drained;
	unsigned int first;
	unsigned int count;
	bool finish;
	bool stop;
	int error;
	struct block *blocks;
};

/* --- in the thread ------------------------------------------------------------------ */

static int work_on(struct output_thread *t, const struct block *b)
{
	int ret = output_frames_write(&t->frames, b->data, b->bytes);

	return ret || !b->boundary ? ret : output_frames_boundary(&t->frames);
}

/* Called with the lock: wait for a block, or until the frame needs a flush. */
static int wait_for_block(struct output_thread *t)
{
	uint64_t due = output_frames_due(&t->frames);
	struct timespec until = { due / 1000000000, due % 1000000000 };
	int ret = 0;

	if (due == UINT64_MAX) {
		pthread_cond_wait(&t->filled, &t->lock);
	} else if (pthread_cond_timedwait(&t->filled, &t->lock, &until) == ETIMEDOUT) {
		pthread_mutex_unlock(&t->lock);
		ret = output_frames_tend(&t->frames);
		pthread_mutex_lock(&t->lock);
	}
	return ret;
}

/*
 * Writing an open file needs no privilege. Capabilities are per thread: this thread would
 * keep those that the main thread drops later.
 */
static void drop_capabilities(void)
{
	struct __user_cap_header_struct this_thread = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };

	syscall(SYS_capset, &this_thread, none);
}

static void *work(void *arg)
{
	struct output_thread *t = arg;
	int ret = 0;

	drop_capabilities();
	pthread_mutex_lock(&t->lock);
	while (!ret && !t->stop) {
		if (t->count) {
			pthread_mutex_unlock(&t->lock);
			ret = work_on(t, &t->blocks[t->first]);
			pthread_mutex_lock(&t->lock);
			t->first = (t->first + 1) % BLOCKS;
			t->count--;
			pthread_cond_signal(&t->drained);
		} else if (t->finish) {
			ret = output_frames_end(&t->frames);
			break;
		} else {
			ret = wait_for_block(t);
		}
	}
	t->error = ret;
	pthread_cond_signal(&t->drained);
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

/* --- in the caller ------------------------------------------------------------------ */

/* The recording thread handles signals. */
static int start(struct output_thread *t)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	ret = pthread_create(&t->thread, NULL, work, t);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	t->running = !ret;
	return ret;
}

/* Wait for a free block. */
static int wait_for_room(struct output_thread *t)
{
	int ret;

	pthread_mutex_lock(&t->lock);
	while (t->count == BLOCKS && !t->error)
		pthread_cond_wait(&t->drained, &t->lock);
	ret = t->error;
	pthread_mutex_unlock(&t->lock);
	return ret;
}

/* Queue the filled block. If no thread can be created, compress it here. */
static int hand_over(struct output_thread *t, bool boundary)
{
	struct block *b = &t->blocks[t->filling];

	b->bytes = t->used;
	b->boundary = boundary;
	t->used = 0;
	if (!t->running && start(t)) {
		t->direct = true;
		return work_on(t, b);
	}
	t->filling = (t->filling + 1) % BLOCKS;
	pthread_mutex_lock(&t->lock);
	t->count++;
	pthread_cond_signal(&t->filled);
	pthread_mutex_unlock(&t->lock);
	return 0;
}

int output_thread_write(struct output_thread *t, const void *data, size_t bytes)
{
	const unsigned char *p = data;
	size_t n;
	int ret = 0;

	while (bytes && !ret && !t->direct) {
		ret = wait_for_room(t);
		if (ret)
			break;
		n = BLOCK_BYTES - t->used < bytes ? BLOCK_BYTES - t->used : bytes;
		memcpy(t->blocks[t->filling].data + t->used, p, n);
		t->used += n;
		p += n;
		bytes -= n;
		if (t->used == BLOCK_BYTES)
			ret = hand_over(t, false);
	}
	return ret || !bytes ? ret : output_frames_write(&t->frames, p, bytes);
}

int output_thread_boundary(struct output_thread *t)
{
	int ret;

	if (t->direct)
		return output_frames_boundary(&t->frames);
	ret = wait_for_room(t);
	return ret ? ret : hand_over(t, true);
}

static int join(struct output_thread *t)
{
	pthread_cond_signal(&t->filled);
	pthread_mutex_unlock(&t->lock);
	pthread_join(t->thread, NULL);
	t->running = false;
	return t->error;
}

int output_thread_finish(struct output_thread *t)
{
	int ret = 0;

	if (t->used && !t->direct) {
		ret = wait_for_room(t);
		if (!ret)
			ret = hand_over(t, false);
	}
	if (t->running) {
		pthread_mutex_lock(&t->lock);
		t->finish = true;
		return join(t);
	}
	return ret ? ret : output_frames_end(&t->frames);
}

void output_thread_stop(struct output_thread *t)
{
	if (t->running) {
		pthread_mutex_lock(&t->lock);
		t->stop = true;
		join(t);
	}
	t->direct = true;
}

void output_thread_restart(struct output_thread *t, uint64_t archive)
{
	output_frames_restart(&t->frames, archive);
}

uint64_t output_thread_safe(const struct output_thread *t)
{
	/* Relaxed: only the value itself matters, no other memory depends on it. */
	return __atomic_load_n(&t->frames.flushed, __ATOMIC_RELAXED);
}

/* --- its life ------------------------------------------------------------------------ */

int output_thread_open(struct output_thread **thread, enum compression compression,
		       int level, struct output_file *file, struct output_marks *marks)
{
	struct output_thread *t = calloc(1, sizeof(*t));
	pthread_condattr_t monotonic;
	int ret = -ENOMEM;

	if (!t)
		return ret;
	/* Untouched pages take no memory until they are needed. */
	t->blocks = malloc(BLOCKS * sizeof(*t->blocks));
	if (t->blocks)
		ret = output_frames_open(&t->frames, compression, level);
	if (ret) {
		free(t->blocks);
		free(t);
		return ret;
	}
	t->frames.file = file;
	t->frames.marks = marks;
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->drained, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&t->filled, &monotonic);
	pthread_condattr_destroy(&monotonic);
	*thread = t;
	return 0;
}

void output_thread_close(struct output_thread *t)
{
	if (!t)
		return;
	output_thread_stop(t);
	pthread_cond_destroy(&t->filled);
	pthread_cond_destroy(&t->drained);
	pthread_mutex_destroy(&t->lock);
	output_frames_close(&t->frames);
	free(t->blocks);
	free(t);
}
