// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Buffers of all sizes: every written record is either stored or counted as lost. A size that
 * cannot be allocated is refused with one line, before the kernel kills another process for memory.
 * All memory is freed.
 */
#include "kmod_stream.h"
#include "source_fixture.h"
#include "stress.h"

SOURCE_FIXTURE(buffer);

/* Make a load on one CPU, whose stream is checked in more detail. */
static int make_load(void)
{
	struct pair pair = { .rounds = scaled(2000),
			     .ends = { { .cpu = 0 }, { .cpu = 0 } } };

	return pairs_run(&pair, 1);
}

static unsigned long available(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	unsigned long kib = 0;
	char line[128];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %lu", &kib) == 1)
			break;
	if (f)
		fclose(f);
	return kib;
}

/* Record with buffers of this size. Small ones may lose many records, but must report it. */
static int record(FIXTURE_DATA(buffer) *self, const char *size)
{
	uint64_t lost;
	int ret;

	if (record_begin(&self->c, self->dir, self->source, ARGS("-b", size), &self->why))
		return -1;
	if (make_load())
		return complain(&self->why, "no load");
	ret = record_load(&self->c, &self->t, &self->why);
	if (!ret)
		ret = trace_check_records(&self->t, &self->why) ||
		      trace_check_ledgers(&self->t, &self->why) ||
		      trace_check_chain(&self->t, &self->why) ? -1 : 0;
	if (ret)
		stress_note("-b %s: %s", size, self->why.text);
	lost = trace_lost(&self->t);
	trace_free(&self->t);
	unlink(self->c.output);
	stress_note("%s: -b %s: %ju lost", self->source, size, (uintmax_t)lost);
	return ret;
}

TEST_F_TIMEOUT(buffer, small_to_large, STRESS_SECONDS)
{
	/* Two pages; sizes that are no power of two or no multiple of a page; usual sizes. */
	static const char * const sizes[] = { "8K", "10000", "12K", "100K", "1M", "33M" };
	/* On an emulated machine it takes long to allocate hundreds of MiB. */
	unsigned long most = stress_rounds(FXT_SCHED_BUFFER_SIZE_MAX >> 10, 64 << 10);
	unsigned long cpus = sysconf(_SC_NPROCESSORS_ONLN), largest;
	struct kernel before;
	char text[32];

	NEEDS_STRESS();
	kernel_look(&before);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		ASSERT_FINE(record(self, sizes[i]));
	/* The module allows up to half of memory. The archive is in memory, too. */
	largest = available() * 2 / 5 / cpus;
	if (largest > most)
		largest = most;
	snprintf(text, sizeof(text), "%luK", largest);
	ASSERT_FINE(record(self, text));
	EXPECT_FINE(kernel_check(&before, &self->why));
}

TEST_F_TIMEOUT(buffer, more_than_there_is, STRESS_SECONDS)
{
	unsigned long cpus = sysconf(_SC_NPROCESSORS_ONLN), kib = available() / cpus;
	char text[32];
	const char *args[] = { "-q", "-s", self->source, "-b", text, "-d", "10ms", NULL };
	struct kernel before;
	int status;

	NEEDS_STRESS();
	if (kib > FXT_SCHED_BUFFER_SIZE_MAX >> 10)
		SKIP(return, "this machine has memory for the largest buffers");
	snprintf(text, sizeof(text), "%luK", kib);
	kernel_look(&before);
	status = collector_run(&self->c, self->dir, args);
	EXPECT_EQ(1, status) TH_LOG("%s", self->c.text);
	EXPECT_IN(self->c.text, "use a smaller --buffer");
	EXPECT_FINE(record(self, "64K"));
	EXPECT_FINE(kernel_check(&before, &self->why));
}

FIXTURE(sizes)
{
	const char *missing;
	struct why why;
	struct kernel before;
};

FIXTURE_SETUP(sizes)
{
	self->missing = source_missing("kmod");
	ASSERT_FALSE(self->missing && source_required("kmod")) TH_LOG("kmod: %s", self->missing);
}

FIXTURE_TEARDOWN(sizes) { }

static int try_sizes(uint32_t size, uint32_t count, struct why *why)
{
	struct fxt_sched_config c = {
		.clockid = CLOCK_BOOTTIME, .subbuf_size = size, .subbuf_count = count,
	};
	struct kmod_streams all;
	struct kmod_session d;
	int ret;

	kmod_streams_init(&all, false);
	ret = kmod_start(&d, &c, why);
	if (!ret && (make_load() || kmod_request(&d, FXT_SCHED_IOC_STOP)))
		ret = complain(why, "no load");
	if (!ret)
		ret = kmod_streams_finish(&all, &d, why);
	if (!ret && !all.cpus[0].records)
		ret = complain(why, "nothing was recorded");
	stress_note("%u sub-buffers of %u bytes: %ju records, %ju lost: %s", count, size,
		    (uintmax_t)all.cpus[0].records, (uintmax_t)all.cpus[0].lost,
		    ret ? why->text : "exact");
	kmod_streams_free(&all);
	kmod_close(&d);
	return ret;
}

TEST_F_TIMEOUT(sizes, taken, STRESS_SECONDS)
{
	static const uint32_t good[][2] = {
		{ 4096, 2 }, { 4096, 3 }, { 4096, 4096 }, { 12 << 10, 2 }, { 20 << 10, 7 },
		{ 1020 << 10, 5 }, { 16 << 20, 2 },
	};

	NEEDS_STRESS();
	kernel_look(&self->before);
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		EXPECT_FINE(try_sizes(good[i][0], good[i][1], &self->why));
	EXPECT_FINE(kernel_check(&self->before, &self->why));
}
