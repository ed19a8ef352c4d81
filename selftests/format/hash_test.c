// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hash tables whose keys an attacker has chosen: SipHash-1-3 has the values that its authors
 * published; chosen keys spread over a table like any others; nodes are returned in the order in
 * which they were added; hashes differ between processes.
 */
#define OWN_MAIN
#include "harness.h"
#include "libfxt/map.h"
#include "libsym/addresses.h"

#define KEYS	2000U
#define ROOM	4096U		/* size of a table with that many keys */
#define LONGEST	12U		/* longest chain; a longer one is less likely than 1 to a million */

/* The hash of pairs without a secret, which tables used before. */
static uint64_t old_pair_hash(uint64_t a, uint64_t b)
{
	unsigned __int128 product;

	product = (unsigned __int128)(a ^ 0x9e3779b97f4a7c15ULL) *
		  (b ^ 0xd1b54a32d192ed03ULL);
	a = (uint64_t)product ^ (uint64_t)(product >> 64) ^ (b << 32 | b >> 32);
	a = (a ^ a >> 31) * 0xbf58476d1ce4e5b9ULL;
	return a ^ a >> 29;
}

static uint64_t old_id_hash(uint64_t id)
{
	return id * 0x9e3779b97f4a7c15ULL >> 32;
}

/* Choose keys that the old hash puts into one bucket. */
static void choose(uint64_t keys[KEYS], bool pairs)
{
	uint64_t key, found = 0;

	for (key = 0x1000; found < KEYS; key++)
		if (!((pairs ? old_pair_hash(7, key) : old_id_hash(key)) & (ROOM - 1)))
			keys[found++] = key;
}

static unsigned int longest_chain(const struct map *m)
{
	unsigned int longest = 0, length;

	for (size_t i = 0; i < m->buckets; i++) {
		length = 0;
		for (const struct map_node *n = m->bucket[i]; n; n = n->next)
			length++;
		longest = length > longest ? length : longest;
	}
	return longest;
}

TEST(reference)
{
	struct fxt_hash_key key;
	unsigned char bytes[16];

	for (unsigned int i = 0; i < sizeof(bytes); i++)
		bytes[i] = i;
	memcpy(&key, bytes, sizeof(key));
	/* The lower halves are those of the Linux kernel's lib/test_siphash.c, hsiphash(). */
	EXPECT_EQ(0xabac0158050fc4dcULL, fxt_hash_keyed(&key, NULL, 0));
	EXPECT_EQ(0x7d57ca93U, (uint32_t)fxt_hash_keyed(&key, bytes, 1));
	EXPECT_EQ(0x4dc7d44dU, (uint32_t)fxt_hash_keyed(&key, bytes, 2));
	/* A pair is hashed like its bytes. */
	EXPECT_EQ(fxt_hash_bytes(&key, 16), fxt_hash(key.words[0], key.words[1]));
}

TEST(chosen_pairs_do_not_collide)
{
	static struct map_node nodes[KEYS];
	uint64_t keys[KEYS];
	struct map m = { 0 };
	struct map_node *n;
	unsigned int i;

	choose(keys, true);
	for (i = 0; i < KEYS; i++) {
		ASSERT_EQ(0, map_reserve(&m));
		map_add(&m, &nodes[i], map_hash(7, keys[i]));
	}
	EXPECT_GE(LONGEST, longest_chain(&m));
	for (i = 0, n = m.oldest; n; n = n->newer, i++)
		ASSERT_EQ(&nodes[i], n);
	ASSERT_EQ(KEYS, i);
	/* Nodes that are gone leave the others in order. */
	map_remove(&m, &nodes[0]);
	map_remove(&m, &nodes[1000]);
	map_remove(&m, &nodes[KEYS - 1]);
	for (i = 1, n = m.oldest; n; n = n->newer, i++) {
		i += i == 1000;
		ASSERT_EQ(&nodes[i], n);
	}
	ASSERT_EQ(KEYS - 1, i);
	map_free(&m);
}

/* Each address is at the place where its search begins, or near it. */
TEST(chosen_addresses_do_not_collide)
{
	struct addresses a = { 0 };
	uint64_t keys[KEYS];
	unsigned int i, run = 0, longest = 0;

	choose(keys, true);
	for (i = 0; i < KEYS; i++)
		ASSERT_EQ(0, addresses_add(&a, 7, keys[i] + 1, 1));
	for (i = 0; i < a.room; i++) {
		run = a.slots[i].at ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	EXPECT_GE(100U, longest);
	addresses_free(&a);
}

/* Tables of koids and of numbers hash ids like this. */
TEST(chosen_ids_do_not_collide)
{
	unsigned int count[ROOM] = { 0 }, i, longest = 0;
	uint64_t keys[KEYS];

	choose(keys, false);
	for (i = 0; i < KEYS; i++) {
		unsigned int n = ++count[fxt_hash(keys[i], 0) & (ROOM - 1)];

		longest = n > longest ? n : longest;
	}
	EXPECT_GE(LONGEST, longest);
}

TEST(hashes_differ_between_processes)
{
	const uint64_t here = fxt_hash(1, 2);
	char text[32] = "", *argv[] = { "hash_test", "--print", NULL };
	int to[2], status;
	pid_t pid;

	ASSERT_EQ(0, pipe(to));
	pid = fork();
	if (!pid) {
		dup2(to[1], STDOUT_FILENO);
		execv("/proc/self/exe", argv);
		_exit(1);
	}
	close(to[1]);
	EXPECT_LT(0, read(to[0], text, sizeof(text) - 1));
	close(to[0]);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_NE(0U, strtoull(text, NULL, 16));
	EXPECT_NE(here, strtoull(text, NULL, 16));
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--print"))
		return printf("%llx\n", (unsigned long long)fxt_hash(1, 2)) < 0;
	return test_harness_run(argc, argv);
}
