// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * irqs_on_module_test.c - interrupt handlers that enable interrupts.
 *
 * In:  a module beside fxt_sched.ko whose handler does so (modules/fxt_irqs_on.c), and a reader on
 *      another CPU that makes the module complete sub-buffers by interrupts.
 * Must hold: each sub-buffer has whole records and no more bytes than a sub-buffer, and no record
 *      is missing, although that interrupt can come while a probe writes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kmod_fixture.h"
#include "kmod_stream.h"

#define READ_MS		5000

KMOD_FIXTURE(irqs_on_module);

/* Return: 0 or errno. */
static int load_irqs_on(int cpu)
{
	const char *module = getenv("FXT_MODULE"), *end;
	char path[RECORD_PATH], parameters[32];
	int fd, err;

	end = module ? strrchr(module, '/') : NULL;
	if (!end)
		return ENOENT;
	snprintf(path, sizeof(path), "%.*s/fxt_irqs_on.ko", (int)(end - module), module);
	snprintf(parameters, sizeof(parameters), "cpu=%d", cpu);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	err = syscall(SYS_finit_module, fd, parameters, 0) ? errno : 0;
	close(fd);
	return err;
}

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

TEST_F_TIMEOUT(irqs_on_module, sub_buffers_stay_whole, TEST_SECONDS)
{
	struct kmod_stream s = { .kind = FXT_SCHED_STREAM_CPU, .whole = true };
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	int cpus[MAX_CPUS], fd, err;

	NEEDS_MODULE();
	if (!getenv("FXT_GUEST"))
		SKIP(return, "needs a disposable guest");
	if (allowed_cpus(cpus) < 2)
		SKIP(return, "there is only one CPU");
	pin(cpus[0]);
	s.cpu = cpus[1];
	c.events = FXT_SCHED_EVENTS_IRQ;
	c.subbuf_size = 16384;
	c.subbuf_count = 8;
	ASSERT_FINE(kmod_start(d, &c, &self->why));
	fd = kmod_file(d, s.kind, s.cpu);
	ASSERT_LE(0, fd);
	err = load_irqs_on(s.cpu);
	if (err == ENOENT)
		SKIP(return, "$FXT_MODULE has no fxt_irqs_on.ko beside it");
	ASSERT_EQ(0, err) TH_LOG("fxt_irqs_on.ko: %s", strerror(err));
	EXPECT_FINE(read_for_ms(&s, fd, READ_MS, &self->why));
	EXPECT_EQ(0, syscall(SYS_delete_module, "fxt_irqs_on", 0));
	EXPECT_EQ(0, kmod_request(d, FXT_SCHED_IOC_STOP));
	if (!self->why.text[0])
		EXPECT_FINE(kmod_stream_finish(&s, d, &self->why));
	EXPECT_LT(1000U, s.records);
	close(fd);
	kmod_stream_free(&s);
}

TEST_HARNESS_MAIN
