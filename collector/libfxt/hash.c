// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hash.c - SipHash.
 *
 * By Aumasson and Bernstein, "SipHash: a fast short-input PRF". This is the variant with one round
 * for each word and three at the end, as in the Linux kernel's hsiphash().
 */
#include <string.h>
#include <sys/auxv.h>

#include "hash.h"

/* Set once, before main(). */
static struct fxt_hash_key process_key;

/* The kernel gives each program random bytes at its start, so this never waits. */
static __attribute__((constructor)) void choose_key(void)
{
	const void *random = (const void *)getauxval(AT_RANDOM);

	if (random)
		memcpy(&process_key, random, sizeof(process_key));
}

struct state {
	uint64_t v[4];
};

static inline uint64_t rotate(uint64_t n, unsigned int bits)
{
	return n << bits | n >> (64 - bits);
}

static inline void round_of(struct state *s)
{
	uint64_t *v = s->v;

	v[0] += v[1];
	v[1] = rotate(v[1], 13) ^ v[0];
	v[0] = rotate(v[0], 32);
	v[2] += v[3];
	v[3] = rotate(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = rotate(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = rotate(v[1], 17) ^ v[2];
	v[2] = rotate(v[2], 32);
}

static inline struct state begin(const struct fxt_hash_key *key)
{
	return (struct state) { {
		key->words[0] ^ 0x736f6d6570736575ULL, key->words[1] ^ 0x646f72616e646f6dULL,
		key->words[0] ^ 0x6c7967656e657261ULL, key->words[1] ^ 0x7465646279746573ULL,
	} };
}

static inline void mix_word(struct state *s, uint64_t word)
{
	s->v[3] ^= word;
	round_of(s);
	s->v[0] ^= word;
}

static inline uint64_t end(struct state *s)
{
	s->v[2] ^= 0xff;
	round_of(s);
	round_of(s);
	round_of(s);
	return s->v[0] ^ s->v[1] ^ s->v[2] ^ s->v[3];
}

uint64_t fxt_hash(uint64_t a, uint64_t b)
{
	struct state s = begin(&process_key);

	mix_word(&s, a);
	mix_word(&s, b);
	mix_word(&s, (uint64_t)(sizeof(a) + sizeof(b)) << 56);
	return end(&s);
}

uint64_t fxt_hash_keyed(const struct fxt_hash_key *key, const void *data, size_t bytes)
{
	struct state s = begin(key);
	uint64_t word, last = (uint64_t)bytes << 56;
	const unsigned char *at = data;

	for (; bytes >= sizeof(word); at += sizeof(word), bytes -= sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		mix_word(&s, word);
	}
	while (bytes--)
		last |= (uint64_t)at[bytes] << 8 * bytes;
	mix_word(&s, last);
	return end(&s);
}

uint64_t fxt_hash_bytes(const void *data, size_t bytes)
{
	return fxt_hash_keyed(&process_key, data, bytes);
}
