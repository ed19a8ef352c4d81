// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stream.c - see stream.h.
 *
 * Plain files are read, not mapped: copying costs little compared with the page faults of a
 * mapping, memory stays bounded, pipes work the same way, and a file that shrinks meanwhile ends
 * early instead of killing the reader with SIGBUS.
 *
 * A thread decompresses data some blocks ahead of the reader, unless they are short. At the end of
 * a frame of zstd in a file, if it would be slower than a reader, zstd_frames.h takes over as far
 * as it can. So the thread is for the only frame of a file, for large frames, for pipes and for
 * gzip.
 */
#include <errno.h>
#include <isa-l/igzip_lib.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "compression.h"
#include "zstd_frames.h"
#include "stream.h"

#define INPUT_BYTES	(128U << 10)	/* compressed data read at once */

/*
 * One thread decompresses data that zstd has made smaller than this share faster than any command
 * reads them: 0.3 ns for a byte of ping-pongs (a fifteenth), 0.7 of random switches (a fifth), of
 * which fxt info takes 0.6.
 */
#define SPLIT_SHARE	8

/* Decompressed data ahead of the reader. Data shorter than a block need no thread. */
#define BLOCKS		4U
#define BLOCK_BYTES	(256U << 10)

struct block {
	ssize_t bytes;	/* a negative errno or 0 in the last one */
	bool is_last;	/* a frame that zstd_frames.h takes follows */
	unsigned char data[BLOCK_BYTES];
};

struct ahead {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t filled;	/* blocks so far; under @lock, like @emptied and @is_over */
	uint64_t emptied;		/* blocks that the reader has used up */
	bool is_over;			/* the reader needs no more */
	/* bytes of the first block that the reader has used; only the reader uses it */
	size_t used;
	/* eventfd, readable with @is_over; ends a wait for a silent pipe */
	int over_fd;
	struct block blocks[BLOCKS];
};

struct fxt_stream {
	enum fxt_compression compression;
	int fd;
	const unsigned char *memory;	/* when fd is -1 */
	size_t left;			/* bytes at memory */
	uint64_t size;			/* decompressed, or FXT_SIZE_UNKNOWN */
	uint64_t source_size;		/* 0 if unknown */
	atomic_ullong taken;		/* bytes read from the source */
	const char *error;
	bool ended;			/* the source has no more bytes */
	bool within;			/* a member or frame is incomplete */
	struct inflate_state *gzip;	/* for zlib, too */
	ZSTD_DStream *zstd;
	struct fxt_codec *codec;	/* of xz and bzip2 */
	uint64_t given;			/* bytes returned to the reader before there was a thread */
	bool has_no_thread;		/* it could not be created */
	uint64_t unpacked;		/* bytes so far, before frames */
	bool may_split;			/* frames are possible */
	bool has_split;
	struct fxt_frames *frames;
	struct ahead *ahead;		/* from its start, the thread owns all of the above */
	size_t used;			/* bytes of input consumed */
	size_t held;			/* bytes of input in total */
	unsigned char input[INPUT_BYTES];
};

/* Return: bytes; 0 at the end, or when the reader needs no more; -1 with errno set. */
static ssize_t read_fd(struct fxt_stream *s, void *to, size_t bytes)
{
	struct pollfd fds[] = { { s->fd, POLLIN, 0 }, { -1, POLLIN, 0 } };

	if (s->ahead) {
		fds[1].fd = s->ahead->over_fd;
		if (poll(fds, 2, -1) < 0)
			return -1;
		if (fds[1].revents)
			return 0;
	}
	return read(s->fd, to, bytes);
}

static ssize_t read_source(struct fxt_stream *s, void *to, size_t bytes)
{
	ssize_t n;

	if (s->fd < 0) {
		n = bytes < s->left ? bytes : s->left;
		if (!n)
			return 0;
		memcpy(to, s->memory, n);
		s->memory += n;
		s->left -= n;
		s->taken += n;
		return n;
	}
	do {
		n = read_fd(s, to, bytes);
	} while (n < 0 && errno == EINTR);
	s->taken += n > 0 ? n : 0;
	return n < 0 ? -errno : n;
}

/* Read more input after the bytes that are not consumed yet. Sets ended at the end. */
static int refill(struct fxt_stream *s)
{
	ssize_t n;

	memmove(s->input, s->input + s->used, s->held - s->used);
	s->held -= s->used;
	s->used = 0;
	n = read_source(s, s->input + s->held, INPUT_BYTES - s->held);
	if (n < 0)
		return n;
	s->held += n;
	s->ended = !n;
	return 0;
}

static const unsigned char gzip_begin[] = { 0x1f, 0x8b };

static void begin_member(struct fxt_stream *s)
{
	isal_inflate_init(s->gzip);
	s->gzip->crc_flag = s->compression == FXT_GZIP ? ISAL_GZIP : ISAL_ZLIB;
}

static int begin_compression(struct fxt_stream *s)
{
	int ret;

	s->compression = fxt_compression_of(s->input, s->held);
	switch (s->compression) {
	case FXT_PLAIN:
		return 0;
	case FXT_GZIP:
	case FXT_ZLIB:
		s->gzip = malloc(sizeof(*s->gzip));
		if (!s->gzip)
			return -ENOMEM;
		begin_member(s);
		return 0;
	case FXT_ZSTD:
		s->zstd = ZSTD_createDStream();
		return s->zstd ? 0 : -ENOMEM;
	default:
		ret = fxt_codec_open(&s->codec, s->compression);
		/* Reading will report it. */
		return ret == -ENOTSUP ? 0 : ret;
	}
}

static void note_size(struct fxt_stream *s, size_t bytes)
{
	struct stat st;
	off_t at;

	s->size = FXT_SIZE_UNKNOWN;
	if (s->fd < 0) {
		s->size = bytes;
		return;
	}
	at = lseek(s->fd, 0, SEEK_CUR);
	if (at >= 0 && !fstat(s->fd, &st) && S_ISREG(st.st_mode) && st.st_size >= at)
		s->size = st.st_size - at;
}

int fxt_stream_open(struct fxt_stream **out, int fd, const void *data, size_t bytes)
{
	struct fxt_stream *s = calloc(1, sizeof(*s));
	int ret = 0;

	*out = s;
	if (!s)
		return -ENOMEM;
	s->fd = fd;
	s->memory = data;
	s->left = bytes;
	note_size(s, bytes);
	s->source_size = s->size == FXT_SIZE_UNKNOWN ? 0 : s->size;
	/* A pipe may return the magic number byte by byte. */
	while (!ret && !s->ended && s->held < sizeof(uint64_t))
		ret = refill(s);
	if (!ret)
		ret = begin_compression(s);
	if (s->compression != FXT_PLAIN)
		s->size = FXT_SIZE_UNKNOWN;
	if (ret) {
		fxt_stream_close(s);
		*out = NULL;
	}
	return ret;
}

static void free_ahead(struct ahead *a)
{
	close(a->over_fd);
	pthread_cond_destroy(&a->changed);
	pthread_mutex_destroy(&a->lock);
	free(a);
}

/*
 * End the thread, which may be waiting for its source or for the reader. pthread_cancel() would
 * load a library, which is impossible in a process that may no longer open files.
 */
static void end_ahead(struct ahead *a)
{
	pthread_mutex_lock(&a->lock);
	a->is_over = true;
	pthread_cond_signal(&a->changed);
	pthread_mutex_unlock(&a->lock);
	eventfd_write(a->over_fd, 1);
	pthread_join(a->thread, NULL);
	free_ahead(a);
}

void fxt_stream_close(struct fxt_stream *s)
{
	if (!s)
		return;
	if (s->ahead)
		end_ahead(s->ahead);
	if (s->frames)
		fxt_frames_close(s->frames);
	free(s->gzip);
	ZSTD_freeDStream(s->zstd);
	fxt_codec_close(s->codec);
	free(s);
}

static ssize_t bad(struct fxt_stream *s, const char *error)
{
	s->error = error;
	return -EBADMSG;
}

/* Bytes that a match of deflate copies, at most. */
#define MATCH_MOST	258

/* One step of decompression. Sets within while more input must follow. */
static ssize_t inflate_some(struct fxt_stream *s, void *to, size_t bytes)
{
	const char *damaged = s->compression == FXT_GZIP ? "gzip data are damaged" :
							   "zlib data are damaged";
	ssize_t n;
	int ret;

	/* The bytes after the damage mean nothing. */
	if (s->error)
		return -EBADMSG;
	n = s->held - s->used;
	/* The library waits for a whole header before it looks at it. */
	if (s->compression == FXT_GZIP && !s->within && memcmp(s->input + s->used, gzip_begin,
				 n < (ssize_t)sizeof(gzip_begin) ? n : (ssize_t)sizeof(gzip_begin)))
		return bad(s, damaged);
	s->gzip->next_in = s->input + s->used;
	s->gzip->avail_in = n;
	s->gzip->next_out = to;
	s->gzip->avail_out = bytes;
	ret = isal_inflate(s->gzip);
	s->used = s->held - s->gzip->avail_in;
	n = bytes - s->gzip->avail_out;
	s->within = ret < 0 || s->gzip->block_state != ISAL_BLOCK_FINISH;
	if (!s->within)
		begin_member(s);
	if (ret >= 0)
		return n;
	/* The library may have counted the bytes of this match without writing them. */
	if (ret == ISAL_INVALID_LOOKBACK)
		n = n > MATCH_MOST ? n - MATCH_MOST : 0;
	/* Return the output before the damage first, and the error with the next call. */
	ret = bad(s, damaged);
	return n ? n : ret;
}

static ssize_t unpack_some(struct fxt_stream *s, void *to, size_t bytes)
{
	static const char *const damaged[] = {
		[FXT_XZ] = "xz data are damaged, or need more than 128 MiB", [FXT_BZIP2] = "bzip2 data are damaged",
	};
	static const char *const unknown[] = {
		[FXT_XZ] = "it is compressed with xz, and this program was built without liblzma; unpack it with xz -d",
		[FXT_BZIP2] = "it is compressed with bzip2, and this program was built without libbz2; unpack it with bzip2 -d",
	};
	const unsigned char *in = s->input + s->used;
	size_t left = s->held - s->used;
	ssize_t n;

	if (!s->codec)
		return bad(s, unknown[s->compression]);
	n = fxt_codec_read(s->codec, &in, &left, to, bytes, &s->within);
	s->used = s->held - left;
	return n == -EBADMSG ? bad(s, damaged[s->compression]) : n;
}

static ssize_t unzstd_some(struct fxt_stream *s, void *to, size_t bytes)
{
	ZSTD_inBuffer in = { s->input + s->used, s->held - s->used, 0 };
	ssize_t n = fxt_unzstd(s->zstd, &in, to, bytes, &s->within);

	s->used += in.pos;
	return n < 0 ? bad(s, FXT_ZSTD_DAMAGED) : n;
}

/* Does a frame begin here that zstd_frames.h shall decompress? */
static bool splits(const struct fxt_stream *s)
{
	uint64_t packed = s->taken - (s->held - s->used);

	return s->may_split && !s->within && packed > s->unpacked / SPLIT_SHARE;
}

static ssize_t decompress(struct fxt_stream *s, void *to, size_t bytes)
{
	static const char *const truncated[] = {
		[FXT_GZIP] = "gzip data are truncated", [FXT_ZSTD] = "zstd data are truncated",
		[FXT_ZLIB] = "zlib data are truncated", [FXT_XZ] = "xz data are truncated",
		[FXT_BZIP2] = "bzip2 data are truncated",
	};
	ssize_t n;
	int ret;

	for (;;) {
		if (s->used == s->held) {
			ret = s->ended ? 0 : refill(s);
			if (ret)
				return ret;
		}
		if ((s->used == s->held && !s->within) || splits(s))
			return 0;
		n = s->gzip ? inflate_some(s, to, bytes) : s->zstd ? unzstd_some(s, to, bytes) :
		    unpack_some(s, to, bytes);
		s->unpacked += n > 0 ? n : 0;
		if (n)
			return n;
		/* There is neither output nor more input. */
		if (s->ended && s->used == s->held && s->within)
			return bad(s, truncated[s->compression]);
	}
}

/* Might the next step wait for a silent pipe? Then return first what there is. */
static bool may_block(const struct fxt_stream *s)
{
	return !s->source_size && s->used == s->held && !s->ended;
}

/* Data before an error are kept; the error belongs to the next block. */
static ssize_t fill(struct fxt_stream *s, unsigned char *data, ssize_t *error)
{
	size_t used = 0;
	ssize_t n;

	while (used < BLOCK_BYTES && !(used && may_block(s))) {
		n = decompress(s, data + used, BLOCK_BYTES - used);
		if (n <= 0) {
			*error = n;
			break;
		}
		used += n;
	}
	return used;
}

/* Return: false if the reader needs no more. */
static bool wait_for_room(struct ahead *a)
{
	bool is_over;

	pthread_mutex_lock(&a->lock);
	while (a->filled - a->emptied == BLOCKS && !a->is_over)
		pthread_cond_wait(&a->changed, &a->lock);
	is_over = a->is_over;
	pthread_mutex_unlock(&a->lock);
	return !is_over;
}

static void hand_over(struct ahead *a)
{
	pthread_mutex_lock(&a->lock);
	a->filled++;
	pthread_cond_signal(&a->changed);
	pthread_mutex_unlock(&a->lock);
}

static void *run_ahead(void *arg)
{
	struct fxt_stream *s = arg;
	struct ahead *a = s->ahead;
	ssize_t error = 1;
	struct block *block;

	while (wait_for_room(a)) {
		block = &a->blocks[a->filled % BLOCKS];
		block->bytes = error > 0 ? fill(s, block->data, &error) : 0;
		block->is_last = error >= 0 && splits(s);
		if (!block->bytes)
			block->bytes = error;
		hand_over(a);
		if (block->bytes <= 0 || block->is_last)
			break;
	}
	return NULL;
}

/* CPUs that this process may use; 1 if unknown. */
static unsigned int cpu_count(void)
{
	cpu_set_t cpus[8];	/* of 8192 */

	return sched_getaffinity(0, sizeof(cpus), cpus) ? 1 : CPU_COUNT_S(sizeof(cpus), cpus);
}

/* If the thread cannot be created, the reader decompresses by itself. */
static void begin_ahead(struct fxt_stream *s)
{
	struct ahead *a = malloc(sizeof(*a));

	s->has_no_thread = true;
	if (!a)
		return;
	a->over_fd = eventfd(0, EFD_CLOEXEC);
	if (a->over_fd < 0) {
		free(a);
		return;
	}
	a->filled = a->emptied = a->used = 0;
	a->is_over = false;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->changed, NULL);
	s->ahead = a;
	s->may_split = s->compression == FXT_ZSTD && s->source_size && !s->has_split && cpu_count() > 1;
	if (!pthread_create(&a->thread, NULL, run_ahead, s))
		return;
	s->ahead = NULL;
	s->may_split = false;
	free_ahead(a);
}

static ssize_t read_ahead(struct ahead *a, void *to, size_t bytes)
{
	struct block *block;
	size_t left;

	pthread_mutex_lock(&a->lock);
	while (a->filled == a->emptied)
		pthread_cond_wait(&a->changed, &a->lock);
	pthread_mutex_unlock(&a->lock);
	block = &a->blocks[a->emptied % BLOCKS];
	if (block->bytes <= 0)
		return block->bytes;
	left = block->bytes - a->used;
	bytes = bytes < left ? bytes : left;
	memcpy(to, block->data + a->used, bytes);
	a->used += bytes;
	if (a->used < (size_t)block->bytes || block->is_last)
		return bytes;
	a->used = 0;
	pthread_mutex_lock(&a->lock);
	a->emptied++;
	pthread_cond_signal(&a->changed);
	pthread_mutex_unlock(&a->lock);
	return bytes;
}

/* The last @bytes from a file or from memory will be read again. */
static int give_back(struct fxt_stream *s, size_t bytes)
{
	s->taken -= bytes;
	if (s->fd >= 0)
		return lseek(s->fd, -(off_t)bytes, SEEK_CUR) < 0 ? -errno : 0;
	s->memory -= bytes;
	s->left += bytes;
	return 0;
}

static ssize_t read_for_frames(void *source, void *to, size_t bytes)
{
	return read_source(source, to, bytes);
}

/* The thread has come to the end of a frame, and has ended. */
static int begin_frames(struct fxt_stream *s)
{
	int ret;

	end_ahead(s->ahead);
	s->ahead = NULL;
	ret = give_back(s, s->held - s->used);
	if (ret)
		return ret;
	s->held = s->used = 0;
	s->ended = false;
	s->may_split = false;
	s->has_split = true;
	/* What zstd_frames.h leaves is decompressed as if the archive began there. */
	s->given = 0;
	s->has_no_thread = false;
	s->frames = fxt_frames_open(read_for_frames, s, cpu_count() - 1);
	return 0;
}

static int end_frames(struct fxt_stream *s)
{
	size_t left = fxt_frames_close(s->frames);

	s->frames = NULL;
	return give_back(s, left);
}

static ssize_t read_frames(struct fxt_stream *s, void *to, size_t bytes)
{
	ssize_t n = fxt_frames_read(s->frames, to, bytes);

	return n == -EBADMSG ? bad(s, FXT_ZSTD_DAMAGED) : n;
}

/* Does zstd_frames.h continue where the thread ends? */
static bool is_at_frames(const struct ahead *a)
{
	return a->blocks[a->emptied % BLOCKS].is_last;
}

static ssize_t read_compressed(struct fxt_stream *s, void *to, size_t bytes)
{
	ssize_t n = 0;

	if (!s->ahead && !s->frames && !s->has_no_thread && s->given >= BLOCK_BYTES)
		begin_ahead(s);
	if (s->ahead) {
		n = read_ahead(s->ahead, to, bytes);
		if (n || !is_at_frames(s->ahead))
			return n;
		n = begin_frames(s);
	}
	if (s->frames) {
		n = read_frames(s, to, bytes);
		if (n)
			return n;
		n = end_frames(s);
	}
	if (!n)
		n = s->error ? -EBADMSG : decompress(s, to, bytes);
	s->given += n > 0 ? n : 0;
	return n;
}

ssize_t fxt_stream_read(struct fxt_stream *s, void *to, size_t bytes)
{
	size_t held;

	if (s->compression != FXT_PLAIN)
		return read_compressed(s, to, bytes);
	held = s->held - s->used;
	if (!held)
		return s->ended ? 0 : read_source(s, to, bytes);
	if (bytes > held)
		bytes = held;
	memcpy(to, s->input + s->used, bytes);
	s->used += bytes;
	return bytes;
}

uint64_t fxt_stream_size(const struct fxt_stream *s)
{
	return s->size;
}

uint64_t fxt_stream_source(const struct fxt_stream *s, uint64_t *size)
{
	*size = s->source_size;
	return s->taken;
}

const char *fxt_stream_compression(const struct fxt_stream *s)
{
	static const char *const names[] = { "none", "gzip", "zstd", "zlib", "xz", "bzip2" };

	return names[s->compression];
}

const char *fxt_stream_error(const struct fxt_stream *s)
{
	return s->error;
}
