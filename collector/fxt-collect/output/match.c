// SPDX-License-Identifier: GPL-2.0-or-later
/* match.c - see match.h. */
#include <endian.h>
#include <string.h>

#include <fxt/fxt.h>

#include "match.h"

/* The shortest copy that zstd can encode. */
#define SHORTEST	3

/*
 * Approximate costs in bits: a literal byte, one more copy, and a distance that is not
 * one of the last two. Measured on ping-pongs and hackbench; the sum of the last two
 * costs matters, but not much.
 */
#define BYTE_BITS	6
#define COPY_BITS	8
#define DISTANCE_BITS	10
#define SWAP_BITS	3	/* the distance before this one */

/**
 * struct parse - a block, and the progress of its parse
 * @src: the block
 * @words: of it
 * @out: the sequences
 * @count: of them
 * @literals: bytes of the block that sequences cover
 * @begin: beginning of the open copy, bytes
 * @end: of it
 * @distance: words; 0 if there is no copy
 * @before: the distance before that one
 */
struct parse {
	const unsigned char *src;
	size_t words;
	ZSTD_Sequence *out;
	size_t count;
	size_t literals;
	size_t begin;
	size_t end;
	size_t distance;
	size_t before;
};

static inline uint64_t word(const struct parse *p, size_t i)
{
	uint64_t w;

	memcpy(&w, p->src + i * FXT_WORD, FXT_WORD);
	return w;
}

/*
 * XOR with the word that is @distance words before; the first byte is the lowest.
 */
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

/* The cheapest distance for a record, 0 if there is none. */
static size_t choose(const struct parse *p, size_t i, size_t end, const size_t *seen,
		     unsigned int seen_count)
{
	size_t from[4] = { p->distance, p->before }, best = 0;
	unsigned int least = 0, bits, j;

	for (j = 0; j < seen_count; j++)
		from[2 + j] = seen[j] ? i + 1 - seen[j] : 0;
	for (j = 0; j < 2 + seen_count; j++) {
		if (!from[j])
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
		/*
		 * The header is usually the same, and a sequence that ends with it costs
		 * nothing more.
		 */
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

	/* Without a distance there is no difference. */
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

static void parse_words(struct output_match *m, struct parse *p)
{
	size_t i = m->rest < p->words ? m->rest : p->words, end, size, seen[2];
	unsigned int seen_count;

	m->rest -= i;
	end_copy(p, i * FXT_WORD);
	for (; i < p->words; i = end) {
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

void output_match_begin(struct output_match *m)
{
	m->rest = 0;
}

size_t output_match_parse(void *state, ZSTD_Sequence *out, size_t room, const void *src,
			  size_t bytes, const void *dict, size_t dict_bytes, int level,
			  size_t window)
{
	struct parse p = { .src = src, .words = bytes / FXT_WORD, .out = out };
	struct output_match *m = state;

	(void)room;
	(void)dict;
	(void)dict_bytes;
	(void)level;
	(void)window;
	/* zstd passes each block separately. */
	memset(m->same, 0, sizeof(m->same));
	memset(m->like, 0, sizeof(m->like));
	parse_words(m, &p);
	out[p.count] = (ZSTD_Sequence){ .litLength = bytes - p.literals };
	return p.count + 1;
}

#ifdef ZSTD_c_searchForExternalRepcodes

/*
 * zstd has this interface since 1.5.4 and does not guarantee it: a library of another
 * minor version is not used, and one without it leaves the weak symbol undefined.
 */
#pragma weak ZSTD_registerSequenceProducer

bool output_match_use(ZSTD_CCtx *zstd, struct output_match *m)
{
	if (!ZSTD_registerSequenceProducer ||
	    ZSTD_versionNumber() / 100 != ZSTD_VERSION_NUMBER / 100)
		return false;
	/* Little would be gained without the first one. */
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
