// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chunks_test.c - what the BPF programs count of a sub-buffer is what is in it.
 *
 * What flows in: this machine's switches, through small sub-buffers. What must hold: a
 * chunk that its producer has counted holds as many records as that, the last one is of
 * that time, and the next ledger goes on from there.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

/* The harness itself has parameters that it does not use. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "harness.h"
#include "fxt-collect/source/source.h"

#define ROUNDS		2000

struct counted {
	uint64_t kept;		/* records of the stream by now */
	uint64_t last;
	uint32_t next;
	struct fxt_ledger head;	/* of the sub-buffer */
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
	ASSERT_EQ(0, source_bpf.open(&self->s, &config, &self->e))
		TH_LOG("%s", self->e.text);
}

FIXTURE_TEARDOWN(chunks)
{
	source_bpf.close(self->s);
}

/* Two processes pass a byte to each other. */
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

/* How many records are there, and of what time is the last one? */
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
	int i;

	ASSERT_EQ(0, source_bpf.start(self->s, &self->e));
	for (i = 0; i < 5; i++) {
		ASSERT_EQ(0, switch_about());
		/* Unfinished sub-buffers, too, whose rest comes later. */
		fetch(_metadata, self);
	}
	ASSERT_EQ(0, source_bpf.stop(self->s, &self->e));
	fetch(_metadata, self);
	EXPECT_LT(5U * ROUNDS * 2 * 40 / 4096, self->complete);
	EXPECT_LE(self->complete, self->heads);
}

/* Sleeps so shortly, and so often, that timers wake it on an idle CPU all the time. */
static pid_t nap_on(int cpu)
{
	const struct timespec nap = { .tv_nsec = 50000 };
	cpu_set_t set;
	pid_t pid = fork();
	int i;

	if (pid)
		return pid;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	for (i = 0; i < ROUNDS; i++)
		nanosleep(&nap, NULL);
	_exit(0);
}

/*
 * Fetched again and again, a sub-buffer often ends after its first record. One of a
 * wakeup by a timer is shorter than a ledger.
 */
TEST_F(chunks, go_on_after_a_short_record)
{
	int cpu = sched_getcpu() ? 0 : 1, status;
	pid_t pid;

	ASSERT_EQ(0, source_bpf.start(self->s, &self->e));
	pid = nap_on(cpu);
	ASSERT_LT(0, pid);
	while (!waitpid(pid, &status, WNOHANG))
		fetch(_metadata, self);
	EXPECT_EQ(0, status);
	ASSERT_EQ(0, source_bpf.stop(self->s, &self->e));
	fetch(_metadata, self);
	EXPECT_LE(self->complete, self->heads);
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

/* What is frozen was counted as well, from the oldest sub-buffer that is left. */
TEST_F(chunks, are_what_was_counted_once_overwritten)
{
	const struct source_config config = {
		.subbuf_size = 4096, .subbuf_count = 8, .overwrite = true,
	};
	int i;

	source_bpf.close(self->s);
	self->s = NULL;
	ASSERT_EQ(0, source_bpf.open(&self->s, &config, &self->e));
	ASSERT_EQ(0, source_bpf.start(self->s, &self->e));
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, switch_about());
		ASSERT_EQ(0, source_bpf.freeze(self->s, &self->e));
		look_at_frozen(_metadata, self);
		ASSERT_EQ(0, source_bpf.thaw(self->s, &self->e));
	}
	EXPECT_LT(10U, self->complete);
}

TEST_HARNESS_MAIN
