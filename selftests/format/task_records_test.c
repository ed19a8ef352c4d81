// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel object records of threads and processes, word by word, put together here by hand from
 * the bit positions of the specification ("Fuchsia trace format"). No word after a record may
 * change.
 */
#include "sched_words.h"
#include "fxt/fxt_sched.h"

FIXTURE(task) {
	__u64 rec[ROOM];
	uint64_t expected[ROOM];
};

FIXTURE_VARIANT(task) {
	const char *name;
	uint64_t ref;		/* made by hand: bit 15 and the length */
	uint32_t stream;	/* words */
};

FIXTURE_VARIANT_ADD(task, bytes_0) { "", 0x0000, 0 };
FIXTURE_VARIANT_ADD(task, bytes_1) { "a", 0x8001, 1 };
FIXTURE_VARIANT_ADD(task, bytes_7) { "rcu_gp7", 0x8007, 1 };
FIXTURE_VARIANT_ADD(task, bytes_8) { "kthreadd", 0x8008, 1 };
FIXTURE_VARIANT_ADD(task, bytes_9) { "migration", 0x8009, 2 };
FIXTURE_VARIANT_ADD(task, bytes_15) { "kworker/u16:3-e", 0x800f, 2 };

FIXTURE_SETUP(task)
{
	poison(self->rec, self->expected);
}

FIXTURE_TEARDOWN(task) {}

/* One kernel object record without arguments. Return: its words. */
static uint32_t expect_object(uint64_t *expected, uint64_t header, uint64_t koid,
			      const char *name, uint32_t stream)
{
	unsigned char bytes[16] = { 0 };

	for (size_t i = 0; name[i]; i++)
		bytes[i] = name[i];
	expected[0] = header;
	expected[1] = koid;
	memcpy(&expected[2], bytes, 8 * stream);
	return 2 + stream;
}

static uint32_t expect_thread(uint64_t *expected, uint64_t tid, uint64_t tgid,
			      const char *name, uint64_t ref, uint32_t stream)
{
	uint64_t header = 7 | AT(4 + stream, 4) | AT(2, 16) | AT(ref, 24) | AT(1, 40);
	uint32_t n = expect_object(expected, header, tid, name, stream);

	expected[n++] = 8 | AT(2, 4) | AT(string("process"), 16);
	expected[n++] = tgid;
	return n;
}

TEST_F(task, thread)
{
	struct fxt_sched_comm comm = { { 0, 0 }, strlen(variant->name) };
	uint32_t words, records = 99;

	memcpy(comm.words, variant->name, comm.bytes);
	words = fxt_sched_put_task(self->rec, 4194304, 4194303, 15, &comm,
				   (struct fxt_sched_event){ 0 }, &records);
	EXPECT_EQ(1U, records);
	EXPECT_EQ(words, expect_thread(self->expected, 4194304, 4194303, variant->name,
				       variant->ref, variant->stream));
	expect_words(_metadata, self->expected, self->rec);
}

TEST_F(task, event)
{
	struct fxt_sched_comm comm = { { 0, 0 }, strlen(variant->name) };
	struct fxt_sched_event event = { FXT_STR_RENAME, 0x123456789abcdef0ULL };
	uint32_t words, records = 99, n;

	memcpy(comm.words, variant->name, comm.bytes);
	words = fxt_sched_put_task(self->rec, 17, 16, 0, &comm, event, &records);
	EXPECT_EQ(1U, records);
	n = expect_thread(self->expected, 17, 16, variant->name, variant->ref, variant->stream);
	/* Two more words and one more argument: a Uint64 called "rename". */
	self->expected[0] += AT(2, 4) + AT(1, 40);
	self->expected[n++] = 4 | AT(2, 4) | AT(23, 16);
	self->expected[n++] = event.time;
	EXPECT_EQ(n, words);
	expect_words(_metadata, self->expected, self->rec);
}

TEST_F(task, fork_of_a_leader)
{
	uint64_t header = 7 | AT(2 + variant->stream, 4) | AT(1, 16) | AT(variant->ref, 24);
	struct fxt_sched_comm comm = { { 0, 0 }, strlen(variant->name) };
	struct fxt_sched_event event = { FXT_STR_FORK, 0xfedcba9876543210ULL };
	uint32_t words, records = 99, n, thread;

	memcpy(comm.words, variant->name, comm.bytes);
	words = fxt_sched_put_task(self->rec, 17, 17, 4194302, &comm, event, &records);
	EXPECT_EQ(2U, records);
	EXPECT_GE((uint32_t)FXT_SCHED_TASK_WORDS, words);
	thread = expect_object(self->expected, header, 17, variant->name, variant->stream);
	n = thread + expect_thread(self->expected + thread, 17, 17, variant->name,
				   variant->ref, variant->stream);
	/* A koid called "parent", and as above, a Uint64 called "fork". */
	self->expected[thread] += AT(4, 4) + AT(2, 40);
	self->expected[n++] = 8 | AT(2, 4) | AT(85, 16);
	self->expected[n++] = 4194302;
	self->expected[n++] = 4 | AT(2, 4) | AT(29, 16);
	self->expected[n++] = event.time;
	EXPECT_EQ(n, words);
	expect_words(_metadata, self->expected, self->rec);
}

TEST_F(task, leader)
{
	uint64_t header = 7 | AT(2 + variant->stream, 4) | AT(1, 16) | AT(variant->ref, 24);
	struct fxt_sched_comm comm = { { 0, 0 }, strlen(variant->name) };
	uint32_t words, records = 99, n;

	memcpy(comm.words, variant->name, comm.bytes);
	words = fxt_sched_put_task(self->rec, UINT32_MAX, UINT32_MAX, 0, &comm,
				   (struct fxt_sched_event){ 0 }, &records);
	EXPECT_EQ(2U, records);
	EXPECT_GE((uint32_t)FXT_SCHED_TASK_WORDS, words);
	n = expect_object(self->expected, header, 0xffffffff, variant->name, variant->stream);
	n += expect_thread(self->expected + n, 0xffffffff, 0xffffffff, variant->name,
			   variant->ref, variant->stream);
	EXPECT_EQ(n, words);
	expect_words(_metadata, self->expected, self->rec);
}

TEST_F(task, parent)
{
	struct fxt_sched_comm comm = { { 0, 0 }, strlen(variant->name) };
	uint32_t words, records, n, process = 2 + variant->stream;

	memcpy(comm.words, variant->name, comm.bytes);
	words = fxt_sched_put_task(self->rec, 17, 17, 1, &comm, (struct fxt_sched_event){ 0 },
				   &records);
	EXPECT_EQ(2U, records);
	n = expect_thread(self->expected, 17, 17, variant->name, variant->ref, variant->stream);
	self->expected[0] += AT(2, 4) + AT(1, 40);
	self->expected[n++] = 8 | AT(2, 4) | AT(85, 16);
	self->expected[n++] = 1;
	EXPECT_EQ(process + n, words);
	EXPECT_EQ(0, memcmp(self->expected, self->rec + process, 8 * n));
}
