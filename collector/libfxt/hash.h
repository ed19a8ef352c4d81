/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hash.h - hashes for tables whose keys come from outside.
 *
 * SipHash-1-3 with a key that is random in each process, so that others cannot choose keys that
 * collide. Hashes differ from process to process, so they must not reach a file.
 */
#ifndef LIBFXT_HASH_H
#define LIBFXT_HASH_H

#include <stddef.h>
#include <stdint.h>

struct fxt_hash_key {
	uint64_t words[2];
};

/* Of two numbers, which may be hashes. All of its bits can be used. */
uint64_t fxt_hash(uint64_t a, uint64_t b);

/* @data may be NULL if there are no bytes. */
uint64_t fxt_hash_bytes(const void *data, size_t bytes);

/* SipHash-1-3 */
uint64_t fxt_hash_keyed(const struct fxt_hash_key *key, const void *data, size_t bytes);

#endif /* LIBFXT_HASH_H */
