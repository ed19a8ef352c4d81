// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * compress.c - see compress.h.
 *
 * Frames of zstd or members of gzip, which any decompressor reads as one stream. Invariants: each
 * frame but the last ends at a chunk boundary, and bytes older than FLUSH_NS can be read from the
 * file.
 */
#include <endian.h>
#include <errno.h>
#include <linux/capability.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <fxt/fxt.h>

#include "libfxt/clock.h"
#include "compress.h"

struct output_frames {
	enum compression compression;
	ZSTD_CCtx *zstd;	/* or NULL */
	struct output_match *match;	/* finds matches for zstd; NULL: zstd does */
	z_stream gzip;
	unsigned char *room;	/* buffer of compressed bytes */
	struct output_file *file;
	struct output_marks *marks;	/* receives the ends of frames */
	uint64_t archive;	/* bytes of the archive given so far */
	uint64_t flushed;	/* how many of them the file certainly holds; read by any thread */
	uint64_t held;		/* how many are in the open frame; 0 if none is open */
	uint64_t began;		/* arrival of the first of those, ns */
	uint64_t flushed_at;	/* time of the last flush, ns */
	bool at_boundary;	/* the last byte given ends a chunk */
};

/* --- matches for zstd --------------------------------------------------------------------- */

/*
 * Divide a block into literals and copies of earlier bytes, by records instead of bytes.
 *
 * zstd searches for any bytes it has seen. This parser knows more: a record resembles an earlier
 * one of the same kind with the same threads, except for the low bytes of its time; and while
 * events repeat, the distance to that record stays the same, which zstd encodes in a fraction of a
 * bit.
 */

#define SHORTEST	3	/* bytes of the shortest copy that zstd can encode */

/*
 * Approximate costs in bits: a literal byte, one more copy, and a distance that is not one of the
 * last two. Measured on ping-pongs and hackbench; the sum of the last two costs matters, but not
 * much.
 */
#define BYTE_BITS	6
#define COPY_BITS	8
#define DISTANCE_BITS	10
#define SWAP_BITS	3	/* the distance before this one */

/* A block, and the progress of its parse. */
struct parse {
	const uint64_t *history;	/* as struct output_match has it */
	ZSTD_Sequence *out;
	size_t count;		/* of sequences */
	size_t words;		/* end of the block, words of the frame */
	size_t literals;	/* bytes of the frame that sequences cover */
	size_t begin;		/* beginning of the open copy, bytes of the frame */
	size_t end;		/* of it */
	size_t most;		/* words that a copy may go back */
	size_t distance;	/* words; 0 if there is no copy */
	size_t before;		/* the distance before that one */
};

static inline uint64_t word(const struct parse *p, size_t i)
{
	return p->history[i % OUTPUT_MATCH_HISTORY];
}

/* XOR with the word that is @distance words before; the first byte is the lowest. */
static inline uint64_t difference(const struct parse *p, size_t i, size_t distance)
{
	return le64toh(word(p, i) ^ word(p, i - distance));
}

static inline unsigned int first_byte(uint64_t difference)
{
	return __builtin_ctzll(difference) / 8;
}

static inline unsigned int end_byte(uint64_t difference)
{
	return FXT_WORD - __builtin_clzll(difference) / 8;
}

/* A copy that is too short becomes part of the literals before the next one. */
static inline void end_copy(struct parse *p, size_t next)
{
	if (p->end - p->begin >= SHORTEST) {
		p->out[p->count++] = (ZSTD_Sequence){
			.offset = p->distance * FXT_WORD,
			.litLength = p->begin - p->literals,
			.matchLength = p->end - p->begin,
		};
		p->literals = p->end;
	}
	p->begin = next;
	p->end = next;
}

/* Extend the copy across a word of which some bytes differ. */
static inline void copy_around(struct parse *p, size_t i, uint64_t difference)
{
	p->end += first_byte(difference);
	end_copy(p, i * FXT_WORD + end_byte(difference));
	p->end = (i + 1) * FXT_WORD;
}

static void copy_words(struct parse *p, size_t i, size_t end)
{
	uint64_t d;

	for (; i < end; i++) {
		d = difference(p, i, p->distance);
		if (d)
			copy_around(p, i, d);
		else
			p->end += FXT_WORD;
	}
}

/* Cost in bits of a record copied from @distance words before. */
static unsigned int cost(const struct parse *p, size_t i, size_t end, size_t distance)
{
	unsigned int bits = 0;
	uint64_t d;

	if (distance != p->distance)
		bits = distance == p->before ? SWAP_BITS : DISTANCE_BITS;
	for (; i < end; i++) {
		d = difference(p, i, distance);
		if (d)
			bits += COPY_BITS + BYTE_BITS * (end_byte(d) - first_byte(d));
	}
	return bits;
}

static size_t choose(const struct parse *p, size_t i, size_t end, const size_t *seen,
		     unsigned int seen_count)
{
	size_t from[4] = { p->distance, p->before }, best = 0;
	unsigned int least = 0, bits, j;

	for (j = 0; j < seen_count; j++)
		from[2 + j] = seen[j] ? i + 1 - seen[j] : 0;
	for (j = 0; j < 2 + seen_count; j++) {
		if (!from[j] || from[j] > p->most)
			continue;
		bits = cost(p, i, end, from[j]);
		if (!best || bits < least) {
			best = from[j];
			least = bits;
		}
	}
	return best;
}

static void put_record(struct parse *p, size_t i, size_t end, size_t distance)
{
	if (!distance) {
		end_copy(p, end * FXT_WORD);
		return;
	}
	if (distance != p->distance) {
		/* The header is usually the same. A sequence that ends with it costs no more. */
		if (p->distance && !difference(p, i, p->distance)) {
			p->end += FXT_WORD;
			i++;
		}
		end_copy(p, i * FXT_WORD);
		p->before = p->distance ? p->distance : p->before;
		p->distance = distance;
	}
	copy_words(p, i, end);
}

static inline uint32_t hash(uint64_t w)
{
	return (w * 0x9e3779b97f4a7c15ULL) >> (64 - OUTPUT_MATCH_BITS);
}

/* Look up earlier records like this one, and remember this one. */
static inline void look_up(struct output_match *m, const struct parse *p, size_t i, size_t end,
			   size_t seen[2])
{
	uint64_t like = word(p, i) + word(p, i + 2) * 0x9e3779b1;
	uint64_t same = like + word(p, i + 3) * 0x85ebca77 + word(p, i + 4) * 0xc2b2ae3d +
			word(p, end - 1) * 0x27d4eb2f;
	uint32_t *at_same = &m->same[hash(same)], *at_like = &m->like[hash(like)];

	seen[0] = *at_same;
	seen[1] = *at_like;
	*at_same = i + 1;
	*at_like = i + 1;
}

/* The common case: equal to the record at that distance, except for two bytes of its time. */
static inline bool put_repeated(struct parse *p, size_t i)
{
	size_t distance = p->distance;
	uint64_t d, others;

	/* Without a distance, there is nothing to compare with. */
	others = difference(p, i, distance) | difference(p, i + 2, distance) |
		 difference(p, i + 3, distance) | difference(p, i + 4, distance) |
		 difference(p, i + 5, distance);
	d = difference(p, i + 1, distance);
	if (others || !d || d >> 16)
		return false;
	p->end += FXT_WORD;
	copy_around(p, i + 1, d);
	p->end += 4 * FXT_WORD;
	return true;
}

/* The block begins with the rest of a record. */
static size_t parse_rest(struct output_match *m, struct parse *p)
{
	size_t rest = p->words - m->at, end;

	rest = m->rest < rest ? m->rest : rest;
	m->rest -= rest;
	end = m->at + rest;
	if (p->distance)
		copy_words(p, m->at, end);
	else
		end_copy(p, end * FXT_WORD);
	return end;
}

static void parse_words(struct output_match *m, struct parse *p)
{
	size_t i, end, size, seen[2];
	unsigned int seen_count;

	for (i = parse_rest(m, p); i < p->words; i = end) {
		size = fxt_get(FXT_SIZE, word(p, i));
		end = i + (size ? size : 1);
		if (end > p->words) {
			m->rest = end - p->words;
			end = p->words;
		}
		seen_count = 0;
		if (end - i >= 5) {
			look_up(m, p, i, end, seen);
			seen_count = 2;
		}
		if (end - i != 6 || !put_repeated(p, i))
			put_record(p, i, end, choose(p, i, end, seen, seen_count));
	}
	end_copy(p, p->words * FXT_WORD);
}

/* Later records cannot refer to earlier ones. */
static void forget(struct output_match *m)
{
	memset(m->same, 0, sizeof(m->same));
	memset(m->like, 0, sizeof(m->like));
	m->distance = 0;
	m->before = 0;
}

void output_match_begin(struct output_match *m)
{
	forget(m);
	m->at = 0;
	m->rest = 0;
	m->is_alone = false;
}

static void remember(struct output_match *m, const void *src, size_t words)
{
	size_t at = m->at % OUTPUT_MATCH_HISTORY, first = OUTPUT_MATCH_HISTORY - at;

	first = words < first ? words : first;
	memcpy(m->history + at, src, first * FXT_WORD);
	memcpy(m->history, (const unsigned char *)src + first * FXT_WORD,
	       (words - first) * FXT_WORD);
}

size_t output_match_parse(void *state, ZSTD_Sequence *out, size_t room, const void *src,
			  size_t bytes, const void *dict, size_t dict_bytes, int level,
			  size_t window)
{
	size_t words = bytes / FXT_WORD, most = OUTPUT_MATCH_HISTORY - ZSTD_BLOCKSIZE_MAX / FXT_WORD;
	struct output_match *m = state;
	struct parse p = {
		.history = m->history, .out = out, .words = m->at + words,
		.literals = m->at * FXT_WORD, .begin = m->at * FXT_WORD, .end = m->at * FXT_WORD,
		.most = window / FXT_WORD < most ? window / FXT_WORD : most,
	};

	(void)room;
	(void)dict;
	(void)dict_bytes;
	(void)level;
	m->is_alone |= bytes % FXT_WORD;
	if (m->is_alone)
		forget(m);
	p.distance = m->distance;
	p.before = m->before;
	remember(m, src, words);
	parse_words(m, &p);
	m->at = p.words;
	m->distance = p.distance;
	m->before = p.before;
	out[p.count] = (ZSTD_Sequence){
		.litLength = p.words * FXT_WORD - p.literals + bytes % FXT_WORD,
	};
	return p.count + 1;
}

#ifdef ZSTD_c_searchForExternalRepcodes

/*
 * zstd has this interface since 1.5.4 and does not guarantee it: a library of another minor version
 * is not used, and one without it leaves the weak symbol undefined.
 */
#pragma weak ZSTD_registerSequenceProducer

bool output_match_use(ZSTD_CCtx *zstd, struct output_match *m)
{
	if (!ZSTD_registerSequenceProducer ||
	    ZSTD_versionNumber() / 100 != ZSTD_VERSION_NUMBER / 100)
		return false;
	/* Without the first option, the others gain little. */
	if (ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_searchForExternalRepcodes,
						ZSTD_ps_enable)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_enableSeqProducerFallback, 1)))
		return false;
	output_match_begin(m);
	ZSTD_registerSequenceProducer(zstd, m, output_match_parse);
	return true;
}

#else

bool output_match_use(ZSTD_CCtx *zstd, struct output_match *m)
{
	(void)zstd;
	(void)m;
	return false;
}

#endif

/* --- frames ----------------------------------------------------------------------------- */

/*
 * A frame cannot refer to data before it, so larger frames compress better. But the archive can
 * only be cut between frames, so size and duration are limited. The first frames are smaller: a cut
 * must not discard a whole short archive.
 */
#define FRAME_BYTES	(4U << 20)
#define FRAME_LEAST	(64U << 10)
#define FRAME_SHARE	4	/* bytes of the archive so far */
#define FRAME_NS	2000000000ULL
#define FLUSH_NS	500000000ULL	/* between flushes; each flush costs some bytes */

#define ROOM_BYTES	(256U << 10)

/*
 * Measured on records of 48 bytes: without the parse above, higher levels of zstd gain a few
 * percent for half as much time again, and a minimal match of 4 bytes finds repetitions that the
 * default of 5 or more misses. For gzip, level 1 is a fourth larger, and levels from 3 on cost more
 * than they gain.
 */
#define ZSTD_LEVEL	1
#define ZSTD_MATCH	4
#define GZIP_LEVEL	2

#define GZIP_WINDOW	(15 + 16)	/* largest window, in gzip's format */
#define GZIP_MEMORY	8

enum how {
	MORE,
	FLUSH,
	END,
};

/* --- the two libraries ------------------------------------------------------------ */

static int open_zstd(struct output_frames *f, int level)
{
	size_t ret;

	if (level < 0 || level > 19)
		return -EINVAL;
	f->zstd = ZSTD_createCCtx();
	if (!f->zstd)
		return -ENOMEM;
	ret = ZSTD_CCtx_setParameter(f->zstd, ZSTD_c_compressionLevel,
				     level ? level : ZSTD_LEVEL);
	/* With an explicit level, zstd finds matches itself. */
	if (!ZSTD_isError(ret) && !level) {
		f->match = malloc(sizeof(*f->match));
		if (!f->match)
			return -ENOMEM;
		if (!output_match_use(f->zstd, f->match))
			ret = ZSTD_CCtx_setParameter(f->zstd, ZSTD_c_minMatch, ZSTD_MATCH);
	}
	if (!ZSTD_isError(ret))
		ret = ZSTD_CCtx_setParameter(f->zstd, ZSTD_c_checksumFlag, 1);
	return ZSTD_isError(ret) ? -EINVAL : 0;
}

static int open_gzip(struct output_frames *f, int level)
{
	switch (deflateInit2(&f->gzip, level ? level : GZIP_LEVEL, Z_DEFLATED,
			     GZIP_WINDOW, GZIP_MEMORY, Z_DEFAULT_STRATEGY)) {
	case Z_OK:
		return 0;
	case Z_MEM_ERROR:
		return -ENOMEM;
	}
	return -EINVAL;
}

static int run_zstd(struct output_frames *f, const void *data, size_t bytes, enum how how)
{
	static const ZSTD_EndDirective directives[] = {
		[MORE] = ZSTD_e_continue, [FLUSH] = ZSTD_e_flush, [END] = ZSTD_e_end,
	};
	ZSTD_inBuffer in = { data, bytes, 0 };
	size_t left;
	int ret;

	do {
		ZSTD_outBuffer out = { f->room, ROOM_BYTES, 0 };

		left = ZSTD_compressStream2(f->zstd, &out, &in, directives[how]);
		if (ZSTD_isError(left))
			return -ENOMEM;
		ret = output_file_write(f->file, f->room, out.pos);
		if (ret)
			return ret;
	} while (how == MORE ? in.pos < in.size : left);
	return 0;
}

static int run_gzip(struct output_frames *f, const void *data, size_t bytes, enum how how)
{
	static const int flushes[] = {
		[MORE] = Z_NO_FLUSH, [FLUSH] = Z_SYNC_FLUSH, [END] = Z_FINISH,
	};
	int ret;

	f->gzip.next_in = (Bytef *)data;
	f->gzip.avail_in = bytes;
	do {
		f->gzip.next_out = f->room;
		f->gzip.avail_out = ROOM_BYTES;
		deflate(&f->gzip, flushes[how]);
		ret = output_file_write(f->file, f->room, ROOM_BYTES - f->gzip.avail_out);
		if (ret)
			return ret;
	} while (!f->gzip.avail_out);
	return how == END && deflateReset(&f->gzip) != Z_OK ? -EINVAL : 0;
}

static int run_library(struct output_frames *f, const void *data, size_t bytes, enum how how)
{
	return f->compression == COMPRESSION_ZSTD ? run_zstd(f, data, bytes, how) :
						    run_gzip(f, data, bytes, how);
}

static void output_frames_close(struct output_frames *f)
{
	ZSTD_freeCCtx(f->zstd);
	/* No effect if deflateInit2() was not called. */
	deflateEnd(&f->gzip);
	free(f->match);
	free(f->room);
}

static int output_frames_open(struct output_frames *f, enum compression compression, int level)
{
	int ret;

	memset(f, 0, sizeof(*f));
	f->compression = compression;
	f->room = malloc(ROOM_BYTES);
	if (!f->room)
		return -ENOMEM;
	ret = compression == COMPRESSION_ZSTD ? open_zstd(f, level) : open_gzip(f, level);
	if (ret)
		output_frames_close(f);
	return ret;
}

/* --- frames ------------------------------------------------------------------------ */

static int bring_up_to_date(struct output_frames *f, enum how how)
{
	int ret = run_library(f, NULL, 0, how);

	if (ret)
		return ret;
	__atomic_store_n(&f->flushed, f->archive, __ATOMIC_RELAXED);
	f->flushed_at = clock_ns(CLOCK_MONOTONIC);
	return 0;
}

static int output_frames_write(struct output_frames *f, const void *data, size_t bytes)
{
	if (!bytes)
		return 0;
	if (!f->held)
		f->began = clock_ns(CLOCK_MONOTONIC);
	f->held += bytes;
	f->archive += bytes;
	f->at_boundary = false;
	if (f->match && bytes % FXT_WORD)
		f->match->is_alone = true;
	return run_library(f, data, bytes, MORE);
}

static void begin_frame(struct output_frames *f)
{
	if (f->match)
		output_match_begin(f->match);
}

static int output_frames_end(struct output_frames *f)
{
	int ret;

	if (!f->held)
		return 0;
	ret = bring_up_to_date(f, END);
	if (ret)
		return ret;
	f->held = 0;
	begin_frame(f);
	if (f->at_boundary)
		output_marks_add(f->marks, f->archive, f->file->bytes);
	return 0;
}

static bool is_large(const struct output_frames *f)
{
	return f->held >= FRAME_BYTES ||
	       (f->held >= FRAME_LEAST && f->held >= f->archive / FRAME_SHARE);
}

/* Flush, or end the frame, if due. */
static int output_frames_tend(struct output_frames *f)
{
	uint64_t now;

	if (!f->held || !f->at_boundary)
		return 0;
	now = clock_ns(CLOCK_MONOTONIC);
	if (is_large(f) || now - f->began >= FRAME_NS)
		return output_frames_end(f);
	if (f->flushed == f->archive)
		return 0;
	/* The reader of a pipe waits for the data. */
	if (!f->file->file.regular || now - f->flushed_at >= FLUSH_NS)
		return bring_up_to_date(f, FLUSH);
	return 0;
}

/* A chunk ends here: flush, or end the frame, if due. */
static int output_frames_boundary(struct output_frames *f)
{
	f->at_boundary = true;
	return output_frames_tend(f);
}

/* When to call output_frames_tend(), ns; UINT64_MAX for never. */
static uint64_t output_frames_due(const struct output_frames *f)
{
	uint64_t end = f->began + FRAME_NS, flush = f->flushed_at + FLUSH_NS;

	if (!f->held || !f->at_boundary)
		return UINT64_MAX;
	return f->flushed != f->archive && flush < end ? flush : end;
}

/* Continue after the file was cut to @archive bytes of the archive. */
static void output_frames_restart(struct output_frames *f, uint64_t archive)
{
	if (f->compression == COMPRESSION_ZSTD)
		ZSTD_CCtx_reset(f->zstd, ZSTD_reset_session_only);
	else
		deflateReset(&f->gzip);
	begin_frame(f);
	f->archive = archive;
	f->flushed = archive;
	f->held = 0;
	f->at_boundary = true;
}

/* --- the compressing thread ------------------------------------------------------------- */

/*
 * The compressing thread, and its queue of blocks, so that the thread that fetches records is not
 * delayed. While it runs, only the compressing thread touches the frames, the file and the marks.
 *
 * A block belongs to one side at a time. The side that has finished with it changes @count under
 * @lock; the side that takes it over has read @count under @lock since. So the lock orders the
 * contents of the block, too. pthread_join() orders what the thread leaves behind.
 */

#define BLOCKS		8U
#define BLOCK_BYTES	(1U << 20)

/* A piece of the archive. */
struct block {
	size_t bytes;		/* in @data */
	bool boundary;		/* a chunk ends here */
	unsigned char data[BLOCK_BYTES];
};

struct output_thread {
	struct output_frames frames;
	bool direct;		/* there is no thread; the caller compresses */
	bool running;		/* the thread exists and was not joined */
	pthread_t thread;
	unsigned int filling;	/* index of the block being filled; the caller's */
	size_t used;		/* bytes in it */
	pthread_mutex_t lock;	/* protects all members below, except the contents of blocks */
	pthread_cond_t filled;	/* signaled when there is work */
	pthread_cond_t drained;	/* signaled when a block is free, or on an error */
	unsigned int first;	/* index of the next block to compress */
	unsigned int count;	/* blocks to compress */
	bool finish;		/* end when the queue is empty */
	bool stop;		/* end at once */
	int error;		/* the first one, negative; the thread has ended then */
	struct block *blocks;	/* BLOCKS of them */
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
 * Writing an open file needs no privilege. Capabilities are per thread: this thread would keep
 * those that the main thread drops later.
 */
static void drop_capabilities(void)
{
	struct __user_cap_header_struct this_thread = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };

	syscall(SYS_capset, &this_thread, none);
}

static void *compress_blocks(void *arg)
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
static int start_thread(struct output_thread *t)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	ret = pthread_create(&t->thread, NULL, compress_blocks, t);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	t->running = !ret;
	return ret;
}

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

/* If no thread can be created, compress the block here. */
static int hand_over(struct output_thread *t, bool boundary)
{
	struct block *b = &t->blocks[t->filling];

	b->bytes = t->used;
	b->boundary = boundary;
	t->used = 0;
	if (!t->running && start_thread(t)) {
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
		ret = ret ? ret : hand_over(t, false);
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
