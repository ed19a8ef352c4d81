// SPDX-License-Identifier: GPL-2.0-or-later
/* compression.c - see compression.h. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef FXT_HAS_BZIP2
#include <bzlib.h>
#endif
#ifdef FXT_HAS_LZMA
#include <lzma.h>
#endif

#include "compression.h"

/* Window of 32 KiB, no dictionary. Of the levels, only those that no text begins with. */
static bool is_zlib(const unsigned char *head)
{
	return head[0] == 0x78 && (head[1] == 0x01 || head[1] == 0x9c || head[1] == 0xda);
}

/* zstd's data may begin with frames to skip, which have 16 magic numbers. */
enum fxt_compression fxt_compression_of(const void *data, size_t bytes)
{
	static const unsigned char gzip[] = { 0x1f, 0x8b };
	static const unsigned char zstd[] = { 0x28, 0xb5, 0x2f, 0xfd }, skip[] = { 0x2a, 0x4d, 0x18 };
	static const unsigned char xz[] = { 0xfd, '7', 'z', 'X' }, bzip2[] = { 'B', 'Z', 'h' };
	const unsigned char *head = data;

	if (bytes >= sizeof(gzip) && !memcmp(head, gzip, sizeof(gzip)))
		return FXT_GZIP;
	if (bytes < FXT_COMPRESSION_HEAD)
		return FXT_PLAIN;
	if (!memcmp(head, zstd, sizeof(zstd)) ||
	    ((head[0] & 0xf0) == 0x50 && !memcmp(head + 1, skip, sizeof(skip))))
		return FXT_ZSTD;
	if (!memcmp(head, xz, sizeof(xz)))
		return FXT_XZ;
	if (!memcmp(head, bzip2, sizeof(bzip2)) && head[3] >= '1' && head[3] <= '9')
		return FXT_BZIP2;
	return is_zlib(head) ? FXT_ZLIB : FXT_PLAIN;
}

#define XZ_MEMORY	(128ULL << 20)	/* xz -9 needs 65 MiB; bzip2 never needs more than 4 */

struct fxt_codec {
	enum fxt_compression kind;
	bool is_open;		/* within a stream */
	bool is_damaged;
	unsigned int padding;	/* zeros after the last stream of xz */
#ifdef FXT_HAS_LZMA
	lzma_stream xz;
#endif
#ifdef FXT_HAS_BZIP2
	bz_stream bzip2;
#endif
};

int fxt_codec_open(struct fxt_codec **out, enum fxt_compression kind)
{
	bool is_known = false;

	*out = NULL;
#ifdef FXT_HAS_LZMA
	is_known |= kind == FXT_XZ;
#endif
#ifdef FXT_HAS_BZIP2
	is_known |= kind == FXT_BZIP2;
#endif
	if (!is_known)
		return -ENOTSUP;
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	(*out)->kind = kind;
	return 0;
}

#ifdef FXT_HAS_LZMA
static int begin_xz(struct fxt_codec *c)
{
	return lzma_stream_decoder(&c->xz, XZ_MEMORY, 0) == LZMA_OK ? 0 : -ENOMEM;
}

static ssize_t read_xz(struct fxt_codec *c, const unsigned char **in, size_t *left, void *to,
		       size_t bytes)
{
	lzma_ret ret;

	c->xz.next_in = *in;
	c->xz.avail_in = *left;
	c->xz.next_out = to;
	c->xz.avail_out = bytes;
	ret = lzma_code(&c->xz, LZMA_RUN);
	*in = c->xz.next_in;
	*left = c->xz.avail_in;
	c->is_open = ret != LZMA_STREAM_END;
	if (ret == LZMA_MEM_ERROR)
		return -ENOMEM;
	/* Without room or input it makes no progress, which is no error. */
	c->is_damaged = ret != LZMA_OK && ret != LZMA_STREAM_END && ret != LZMA_BUF_ERROR;
	return bytes - c->xz.avail_out;
}
#endif

#ifdef FXT_HAS_BZIP2
static int begin_bzip2(struct fxt_codec *c)
{
	BZ2_bzDecompressEnd(&c->bzip2);
	c->bzip2 = (bz_stream){ 0 };
	return BZ2_bzDecompressInit(&c->bzip2, 0, 0) == BZ_OK ? 0 : -ENOMEM;
}

static ssize_t read_bzip2(struct fxt_codec *c, const unsigned char **in, size_t *left, void *to,
			  size_t bytes)
{
	int ret;

	c->bzip2.next_in = (char *)*in;
	c->bzip2.avail_in = *left;
	c->bzip2.next_out = to;
	c->bzip2.avail_out = bytes;
	ret = BZ2_bzDecompress(&c->bzip2);
	*in = (unsigned char *)c->bzip2.next_in;
	*left = c->bzip2.avail_in;
	c->is_open = ret != BZ_STREAM_END;
	if (ret == BZ_MEM_ERROR)
		return -ENOMEM;
	c->is_damaged = ret != BZ_OK && ret != BZ_STREAM_END;
	return bytes - c->bzip2.avail_out;
}
#endif

static int begin(struct fxt_codec *c)
{
#ifdef FXT_HAS_LZMA
	if (c->kind == FXT_XZ)
		return begin_xz(c);
#endif
#ifdef FXT_HAS_BZIP2
	if (c->kind == FXT_BZIP2)
		return begin_bzip2(c);
#endif
	return -ENOTSUP;
}

static ssize_t unpack(struct fxt_codec *c, const unsigned char **in, size_t *left, void *to,
		      size_t bytes)
{
#ifdef FXT_HAS_LZMA
	if (c->kind == FXT_XZ)
		return read_xz(c, in, left, to, bytes);
#endif
#ifdef FXT_HAS_BZIP2
	if (c->kind == FXT_BZIP2)
		return read_bzip2(c, in, left, to, bytes);
#endif
	(void)in;
	(void)left;
	(void)to;
	(void)bytes;
	return -ENOTSUP;
}

/* xz allows zeros after a stream, in groups of 4. */
static void skip_padding(struct fxt_codec *c, const unsigned char **in, size_t *left)
{
	for (; *left && !**in; ++*in, --*left)
		c->padding++;
	c->is_damaged = *left && c->padding % 4;
}

ssize_t fxt_codec_read(struct fxt_codec *c, const unsigned char **in, size_t *left, void *to,
		       size_t bytes, bool *within)
{
	/* The libraries' numbers have 32 bits. */
	size_t room = bytes < UINT32_MAX ? bytes : UINT32_MAX;
	ssize_t n = 0;

	*within = true;
	if (!c->is_open && !c->is_damaged && c->kind == FXT_XZ)
		skip_padding(c, in, left);
	if (c->is_damaged)
		return -EBADMSG;
	if (!c->is_open && !*left) {
		*within = c->padding % 4;
		return 0;
	}
	if (!c->is_open)
		n = begin(c);
	if (n)
		return n;
	c->is_open = true;
	c->padding = 0;
	n = unpack(c, in, left, to, room);
	*within = n < 0 || c->is_damaged || c->is_open;
	return !n && c->is_damaged ? -EBADMSG : n;
}

void fxt_codec_close(struct fxt_codec *c)
{
	if (!c)
		return;
#ifdef FXT_HAS_LZMA
	lzma_end(&c->xz);
#endif
#ifdef FXT_HAS_BZIP2
	BZ2_bzDecompressEnd(&c->bzip2);
#endif
	free(c);
}
