// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the kernel may do, but rarely does, to the module. Modules beside fxt_sched.ko cause it: an
 * interrupt whose handler enables interrupts, so that a reader on another CPU can complete the
 * sub-buffer at any moment (fxt_irqs_on.c); an event while the kernel unwinds a stack
 * (fxt_nested.c); a time-stamp counter that becomes unreliable (fxt_tsc_unstable.c): a session with
 * it does not start any more.
 */
#include "kmod_fixture.h"
#include "kmod_stream.h"

#define READ_MS		5000

KMOD_FIXTURE(producers_module);

/* Read for a while, as fast as possible: each read asks the other CPU for its records. */
static int read_for_ms(struct kmod_stream *s, int fd, unsigned int ms, struct why *why)
{
	uint64_t end = boottime_ns() + ms * 1000000ULL;
	int ret = 0;

	while (ret >= 0 && boottime_ns() < end) {
		ret = kmod_stream_read_one(s, fd, why);
		kmod_stream_free(s);
	}
	return ret < 0 ? -1 : 0;
}

static const char *modules_missing(void)
{
	int cpus[MAX_CPUS];

	if (!getenv("FXT_GUEST"))
		return "needs a disposable guest";
	return allowed_cpus(cpus) < 2 ? "there is only one CPU" : NULL;
}

SOURCE_TEST(producers_module, interrupted)
{
	struct kmod_stream s = { .kind = FXT_SCHED_STREAM_CPU, .whole = true };
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	int cpus[MAX_CPUS], fd, err;
	char parameters[32];

	if (modules_missing())
		SKIP(return, "%s", modules_missing());
	allowed_cpus(cpus);
	pin(cpus[0]);
	s.cpu = cpus[1];
	c.events = FXT_SCHED_EVENTS_IRQ;
	c.subbuf_size = 16384;
	c.subbuf_count = 8;
	ASSERT_FINE(kmod_start(d, &c, &self->why));
	fd = kmod_file(d, s.kind, s.cpu);
	ASSERT_LE(0, fd);
	snprintf(parameters, sizeof(parameters), "cpu=%u", s.cpu);
	err = kmod_load("fxt_irqs_on", parameters);
	if (err == ENOENT)
		SKIP(return, "$FXT_MODULE has no fxt_irqs_on.ko beside it");
	ASSERT_EQ(0, err) TH_LOG("fxt_irqs_on.ko: %s", strerror(err));
	EXPECT_FINE(read_for_ms(&s, fd, READ_MS, &self->why));
	EXPECT_EQ(0, kmod_unload("fxt_irqs_on"));
	EXPECT_EQ(0, kmod_request(d, FXT_SCHED_IOC_STOP));
	if (!self->why.text[0])
		EXPECT_FINE(kmod_stream_finish(&s, d, &self->why));
	EXPECT_LT(1000U, s.records);
	close(fd);
	kmod_stream_free(&s);
}

SOURCE_TEST(producers_module, nested)
{
	struct fxt_sched_config c = kmod_config();
	struct pair pair = { .rounds = scaled(1000) };
	struct kmod_session *d = &self->d[0];
	struct kmod_streams all;
	uint64_t lost = 0;
	int err;

	if (modules_missing())
		SKIP(return, "%s", modules_missing());
	for (unsigned int i = 0; i < 2; i++)
		pair.ends[i].cpu = ANY_CPU;
	c.events = FXT_SCHED_EVENTS_FREQ;
	c.stacks = FXT_SCHED_STACKS_WAKE | FXT_SCHED_STACKS_KERNEL;
	c.stacks_depth = 8;
	err = kmod_load("fxt_nested", "");
	if (err == ENOENT)
		SKIP(return, "$FXT_MODULE has no fxt_nested.ko beside it");
	ASSERT_EQ(0, err) TH_LOG("fxt_nested.ko: %s", strerror(err));
	kmod_streams_init(&all, false);
	EXPECT_FINE(kmod_start(d, &c, &self->why));
	EXPECT_EQ(0, pairs_run(&pair, 1));
	EXPECT_EQ(0, kmod_request(d, FXT_SCHED_IOC_STOP));
	EXPECT_FINE(kmod_streams_finish(&all, d, &self->why));
	EXPECT_EQ(0, kmod_unload("fxt_nested"));
	for (unsigned int i = 0; i < all.count; i++)
		lost += all.cpus[i].lost;
	/* The events came while stacks were written. */
	EXPECT_LE(pair.rounds / 2, lost);
	kmod_streams_free(&all);
}

SOURCE_TEST(producers_module, tsc_becomes_unreliable)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	int err;

	if (!getenv("FXT_GUEST"))
		SKIP(return, "needs a disposable guest");
	c.clockid = 0;
	c.flags = FXT_SCHED_TSC;
	ASSERT_EQ(0, kmod_open(d));
	if (kmod_configure(d, &c))
		SKIP(return, "%s", d->reason);
	err = kmod_load("fxt_tsc_unstable", "");
	if (err == ENOENT)
		SKIP(return, "$FXT_MODULE has no fxt_tsc_unstable.ko beside it");
	ASSERT_EQ(0, err) TH_LOG("fxt_tsc_unstable.ko: %s", strerror(err));
	EXPECT_EQ(EOPNOTSUPP, kmod_request(d, FXT_SCHED_IOC_START));
	EXPECT_EQ(0, kmod_unload("fxt_tsc_unstable"));
	EXPECT_EQ(0, kmod_request(d, FXT_SCHED_IOC_START));
	EXPECT_EQ(0, kmod_request(d, FXT_SCHED_IOC_STOP));
}
