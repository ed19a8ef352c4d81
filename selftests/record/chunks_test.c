// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The BPF programs count the records of a sub-buffer correctly: a chunk that its producer has
 * counted holds exactly that many records, its last record has the counted time, and the next
 * ledger continues from there.
 */
#include "harness.h"

#include <bpf/bpf.h>

#include <fxt/fxt_sched.h>

#include "bpf/ring.h"
#include "fxt-collect/source/bpf/rings.h"
#include "fxt-collect/source/source.h"

#define ROUNDS		2000

struct counted {
	uint64_t kept;		/* records of the stream so far */
	uint64_t last;
	uint32_t next;
	struct fxt_ledger head;	/* ledger of the newest sub-buffer */
};

FIXTURE(chunks)
{
	struct source *s;
	struct error e;
	struct counted cpus[MAX_CPUS];
	unsigned int complete;
	unsigned int heads;
};

FIXTURE_SETUP(chunks)
{
	static const struct source_config config = {
		.subbuf_size = 4096, .subbuf_count = 256,
	};

	if (source_bpf.available(&self->e))
		SKIP(return, "%s", self->e.text);
	ASSERT_EQ(0, source_bpf.open(&self->s, &config, &self->e)) TH_LOG("%s", self->e.text);
}

FIXTURE_TEARDOWN(chunks)
{
	source_bpf.close(self->s);
}

static int switch_about(void)
{
	int to[2], from[2], i, status;
	char byte = 0;
	pid_t child;

	if (pipe(to) || pipe(from))
		return -1;
	child = fork();
	for (i = 0; i < ROUNDS && !child; i++)
		if (read(to[0], &byte, 1) != 1 || write(from[1], &byte, 1) != 1)
			_exit(1);
	if (!child)
		_exit(0);
	for (i = 0; i < ROUNDS; i++)
		if (write(to[1], &byte, 1) != 1 || read(from[0], &byte, 1) != 1)
			break;
	close(to[0]);
	close(to[1]);
	close(from[0]);
	close(from[1]);
	return waitpid(child, &status, 0) == child && !status ? 0 : -1;
}

static uint64_t walk(const struct chunk *c, uint64_t *last)
{
	const __u64 *rec = c->data, *end = rec + c->bytes / FXT_WORD;
	uint64_t records = 0;

	for (rec += FXT_LEDGER_WORDS; rec < end; rec += fxt_get(FXT_SIZE, rec[0])) {
		*last = rec[1];
		records++;
	}
	return records;
}

static void look_at(struct __test_metadata *_metadata, FIXTURE_DATA(chunks) *self,
		    const struct chunk *c)
{
	struct counted *of;
	struct fxt_ledger l;

	ASSERT_NE(0, fxt_sched_get_ledger(c->data, &l));
	if (l.stream == FXT_LEDGER_STREAM_NAMES) {
		EXPECT_EQ(0U, c->kept);
		return;
	}
	of = &self->cpus[l.stream];
	if (l.kind == FXT_LEDGER_HEAD) {
		EXPECT_EQ(of->next, l.sequence);
		EXPECT_EQ(of->kept, l.written - l.lost);
		of->next = l.sequence + 1;
		of->head = l;
		self->heads++;
	} else {
		EXPECT_EQ(of->head.written, l.written);
		EXPECT_EQ(of->head.lost, l.lost);
	}
	of->kept += walk(c, &of->last);
	if (!c->kept)
		return;
	self->complete++;
	EXPECT_EQ(of->kept, c->kept);
	EXPECT_EQ(of->last, c->last);
}

static void fetch(struct __test_metadata *_metadata, FIXTURE_DATA(chunks) *self)
{
	struct chunk c;
	int ret;

	while ((ret = source_bpf.next(self->s, &c, true, &self->e)) > 0)
		look_at(_metadata, self, &c);
	ASSERT_EQ(0, ret);
}

TEST_F(chunks, are_what_was_counted)
{
	ASSERT_EQ(0, source_bpf.start(self->s, &self->e));
	for (int i = 0; i < 5; i++) {
		ASSERT_EQ(0, switch_about());
		/* Also fetch unfinished sub-buffers, whose rest comes later. */
		fetch(_metadata, self);
	}
	ASSERT_EQ(0, source_bpf.stop(self->s, &self->e));
	fetch(_metadata, self);
	EXPECT_LT(5U * ROUNDS * 2 * 40 / 4096, self->complete);
	EXPECT_LE(self->complete, self->heads);
}

/* The rings of one CPU, as the programs share them; this process is the producer. */
struct by_hand {
	struct rings *rings;
	struct fxt_ring *ring;
	__u64 *words;		/* the first sub-buffer of the ring */
	__u64 names_lost;
};

static void *share(int fd, size_t bytes)
{
	void *p = fd < 0 || ftruncate(fd, bytes) ? MAP_FAILED :
		  mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		abort();
	return p;
}

static int open_by_hand(struct by_hand *h)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	const struct cpus one = { .has = { true }, .count = 1, .end = 1 };
	struct rings_config c = {
		.rings_fd = memfd_create("rings", MFD_CLOEXEC),
		.subbufs_fd = memfd_create("subbufs", MFD_CLOEXEC),
		.doorbell_fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, NULL, 0, 0, page, NULL),
		.names_fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, NULL, 0, 0, page, NULL),
		.deferred_fd = -1,
		.names_lost = &h->names_lost,
		.cpu_count = 1,
		.present = &one,
		.subbuf_size = page,
		.subbuf_count = 2,
	};

	*h = (struct by_hand){ 0 };
	h->ring = share(c.rings_fd, page);
	h->words = share(c.subbufs_fd, 2 * page);
	h->rings = rings_open(&c);
	close(c.rings_fd);
	close(c.subbufs_fd);
	close(c.doorbell_fd);
	close(c.names_fd);
	return h->rings ? 0 : -1;
}

static void close_by_hand(struct by_hand *h)
{
	rings_close(h->rings);
	munmap(h->words, 2 * sysconf(_SC_PAGESIZE));
	munmap(h->ring, sysconf(_SC_PAGESIZE));
}

/*
 * Write a wakeup by an interrupt of an idle CPU, which is shorter than a ledger. Before the first
 * one, write the head of the sub-buffer.
 */
static void wake_by_hand(struct by_hand *h, __u64 time, const struct fxt_ledger *head)
{
	__u64 used = h->ring->head;

	if (!used) {
		fxt_sched_put_ledger(h->words, head);
		used = FXT_LEDGER_WORDS;
	}
	used += fxt_sched_put_wakeup(h->words + used, time, head->stream, 12, 1024,
				     fxt_put(FXT_SCHED_WAKER_IRQ, FXT_SCHED_IRQ_HARD));
	__atomic_store_n(&h->ring->head, used, __ATOMIC_RELEASE);
}

/*
 * A sub-buffer that is fetched after each of its records continues with a ledger each time, which
 * overwrites what was fetched before. After a short record, that includes the end of the head.
 */
TEST_F(chunks, go_on_after_a_short_record)
{
	const struct fxt_ledger head = { .time = 1000, .last = 900, .written = 7, .lost = 3 };
	struct by_hand h;
	struct chunk c;

	self->cpus[0].kept = head.written - head.lost;
	ASSERT_EQ(0, open_by_hand(&h));
	for (__u64 time = 1000; time < 1005; time++) {
		wake_by_hand(&h, time, &head);
		ASSERT_TRUE(rings_next(h.rings, &c, true));
		look_at(_metadata, self, &c);
		EXPECT_EQ(time, self->cpus[0].last);
		EXPECT_EQ(time - 1000 + 1, self->cpus[0].kept - (head.written - head.lost));
		EXPECT_FALSE(rings_next(h.rings, &c, true));
	}
	EXPECT_EQ(1U, self->heads);
	close_by_hand(&h);
}

static void look_at_frozen(struct __test_metadata *_metadata, FIXTURE_DATA(chunks) *self)
{
	struct fxt_ledger l;
	uint64_t last = 0;
	struct chunk c;

	while (source_bpf.next(self->s, &c, true, &self->e) > 0) {
		ASSERT_NE(0, fxt_sched_get_ledger(c.data, &l));
		if (!c.kept)
			continue;
		self->complete++;
		EXPECT_EQ(l.written - l.lost + walk(&c, &last), c.kept);
		EXPECT_EQ(last, c.last);
	}
}

/* Frozen sub-buffers are counted as well, beginning with the oldest one that is left. */
TEST_F(chunks, are_what_was_counted_once_overwritten)
{
	const struct source_config config = {
		.subbuf_size = 4096, .subbuf_count = 8, .overwrite = true,
	};

	source_bpf.close(self->s);
	self->s = NULL;
	ASSERT_EQ(0, source_bpf.open(&self->s, &config, &self->e));
	ASSERT_EQ(0, source_bpf.start(self->s, &self->e));
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, switch_about());
		ASSERT_EQ(0, source_bpf.freeze(self->s, &self->e));
		look_at_frozen(_metadata, self);
		ASSERT_EQ(0, source_bpf.thaw(self->s, &self->e));
	}
	EXPECT_LT(10U, self->complete);
}
