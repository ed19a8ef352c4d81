// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * buffer_test.c - buffers of all sizes, from the smallest to the largest, and
 * invalid sizes.
 *
 * Must hold: for each size, every written record is either stored or lost, and stored records
 *      are true. A size that cannot be allocated is refused by one line, before the kernel
 *      kills another process for memory. All memory is freed.
 */
#include <inttypes.h>

#include <linux/fxt_sched.h>

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

/* Available memory, in KiB. */
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

/* Small buffers may lose much: losses are reported. */
static int record(FIXTURE_DATA(buffer) *self, const char *size)
{
	const char *args[] = { "-b", size, NULL };
	uint64_t lost;
	int ret;

	if (record_begin(&self->c, self->dir, self->source, args, &self->why))
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
	/* Two pages; sizes that are no power of two and no multiple of a page; usual sizes. */
	static const char * const sizes[] = { "8K", "10000", "12K", "100K", "1M", "33M" };
	/* An emulated machine takes long to allocate hundreds of MiB. */
	unsigned long most = stress_rounds(FXT_SCHED_BUFFER_SIZE_MAX >> 10, 64 << 10);
	unsigned long cpus = sysconf(_SC_NPROCESSORS_ONLN), largest;
	struct kernel before;
	char text[32];
	size_t i;

	NEEDS_STRESS();
	kernel_look(&before);
	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		ASSERT_FINE(record(self, sizes[i]));
	/* The module takes up to a half of memory; the archive is in memory as well. */
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
	EXPECT_NE(NULL, strstr(self->c.text, "use a smaller --buffer"))
		TH_LOG("%s", self->c.text);
	EXPECT_FINE(record(self, "64K"));
	EXPECT_FINE(kernel_check(&before, &self->why));
}

/* --- the module's own parameters, whose range is wider than that of -b ---------------- */

FIXTURE(params)
{
	const char *missing;
	struct why why;
	struct kernel before;
};

FIXTURE_SETUP(params)
{
	self->missing = source_missing("kmod");
	ASSERT_FALSE(self->missing && source_required("kmod"))
		TH_LOG("kmod: %s", self->missing);
}

FIXTURE_TEARDOWN(params)
{
	module_set("subbuf_size", "256K");
	module_set("subbuf_count", "16");
}

static int check_refused(const char *const bad[2], struct why *why)
{
	int err = module_set(bad[0], bad[1]);

	return err == EINVAL ? 0 : complain(why, "%s=%s: %s", bad[0], bad[1], strerror(err));
}

TEST_F_TIMEOUT(params, refused, STRESS_SECONDS)
{
	static const char * const bad[][2] = {
		{ "subbuf_size", "0" }, { "subbuf_size", "1" }, { "subbuf_size", "4095" },
		{ "subbuf_size", "4097" }, { "subbuf_size", "6000" },
		{ "subbuf_size", "16781312" }, { "subbuf_size", "17M" },
		{ "subbuf_size", "4294971392" }, { "subbuf_size", "18446744073709551616" },
		{ "subbuf_size", "18446744069414584320" }, { "subbuf_size", "4096x" },
		{ "subbuf_size", "4096 4096" }, { "subbuf_size", "K" },
		{ "subbuf_count", "0" }, { "subbuf_count", "1" }, { "subbuf_count", "4097" },
		{ "subbuf_count", "-2" }, { "subbuf_count", "4294967298" },
		{ "subbuf_count", "2 2" }, { "subbuf_count", "M" },
	};
	size_t i;

	NEEDS_STRESS();
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		EXPECT_FINE(check_refused(bad[i], &self->why));
}

/* Totals of one stream, as its records were read. */
struct taken {
	uint64_t bytes;
	uint64_t records;
	uint64_t subbufs;
};

/* Check one sub-buffer: a ledger, then records that end exactly where it ends. */
static int take_subbuf(const uint64_t *words, size_t count, uint64_t sequence,
		       struct taken *taken, struct why *why)
{
	struct fxt_ledger ledger;
	size_t at, size;

	if (count < FXT_LEDGER_WORDS || !fxt_sched_get_ledger((const __u64 *)words, &ledger) ||
	    ledger.kind != FXT_LEDGER_HEAD || ledger.sequence != sequence)
		return complain(why, "sub-buffer %ju does not begin with its ledger",
				(uintmax_t)sequence);
	if (ledger.written != taken->records + ledger.lost)
		return complain(why, "sub-buffer %ju: written %ju, read %ju, lost %ju",
				(uintmax_t)sequence, (uintmax_t)ledger.written,
				(uintmax_t)taken->records, (uintmax_t)ledger.lost);
	for (at = FXT_LEDGER_WORDS; at < count; at += size) {
		size = fxt_get(FXT_SIZE, words[at]);
		if (!size || at + size > count)
			return complain(why, "sub-buffer %ju: a record of %zu words at %zu of %zu",
					(uintmax_t)sequence, size, at, count);
		taken->records++;
	}
	taken->subbufs++;
	taken->bytes += count * FXT_WORD;
	return 0;
}

static int take_stream(int fd, uint64_t *room, size_t bytes, struct taken *taken,
		       struct why *why)
{
	ssize_t n;

	while ((n = read(fd, room, bytes)) > 0)
		if (take_subbuf(room, n / FXT_WORD, taken->subbufs, taken, why))
			return -1;
	return n ? complain(why, "read: %s", strerror(errno)) : 0;
}

/* Compare the session's counts for CPU 0 with the records that were read. */
static int compare(int session, const struct taken *taken, struct why *why)
{
	uint64_t switches = 0, wakeups = 0, lost = 0, bytes = 0;
	static char text[65536];
	ssize_t n = pread(session, text, sizeof(text) - 1, 0);
	const char *line;

	text[n < 0 ? 0 : n] = '\0';
	line = strstr(text, "cpu 0 ");
	if (!line || sscanf(line, "cpu 0 switches %" SCNu64 " wakeups %" SCNu64 " lost %" SCNu64
			    " bytes %" SCNu64, &switches, &wakeups, &lost, &bytes) != 4)
		return complain(why, "the session says nothing of CPU 0");
	stress_note("%ju records, %ju lost", (uintmax_t)taken->records, (uintmax_t)lost);
	if (switches + wakeups == taken->records + lost && bytes == taken->bytes)
		return 0;
	return complain(why, "%ju switches, %ju wakeups, %ju lost, %ju bytes; but %ju records, %ju bytes were read",
			(uintmax_t)switches, (uintmax_t)wakeups, (uintmax_t)lost,
			(uintmax_t)bytes, (uintmax_t)taken->records, (uintmax_t)taken->bytes);
}

static int try_sizes(const char *size, const char *count, struct why *why)
{
	int session, tracing, cpu, ret = 0;
	static uint64_t room[FXT_SCHED_SUBBUF_SIZE_MAX / FXT_WORD];
	struct taken taken = { 0 };

	if (module_set("subbuf_size", size) || module_set("subbuf_count", count))
		return complain(why, "refused");
	session = module_open("session");
	tracing = module_open("tracing");
	cpu = module_open("cpu0");
	if (session < 0 || tracing < 0 || cpu < 0)
		ret = complain(why, "cannot be opened: %s", strerror(errno));
	if (!ret && make_load())
		ret = complain(why, "no load");
	close(tracing);
	if (!ret)
		ret = take_stream(cpu, room, sizeof(room), &taken, why);
	if (!ret)
		ret = compare(session, &taken, why);
	close(cpu);
	close(session);
	if (ret)
		stress_note("%s sub-buffers of %s: %s", count, size, why->text);
	return ret;
}

TEST_F_TIMEOUT(params, taken, STRESS_SECONDS)
{
	static const char * const good[][2] = {
		{ "4096", "2" }, { "4096", "3" }, { "4096", "4096" }, { "12K", "2" },
		{ "20K", "7" }, { "1020K", "5" }, { "16M", "2" },
	};
	size_t i;

	NEEDS_STRESS();
	kernel_look(&self->before);
	for (i = 0; i < ARRAY_SIZE(good); i++)
		EXPECT_FINE(try_sizes(good[i][0], good[i][1], &self->why));
	EXPECT_FINE(kernel_check(&self->before, &self->why));
}

TEST_HARNESS_MAIN
