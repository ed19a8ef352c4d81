// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The module returns the thread that has a CPU, with the weight in its switches, whatever the
 * session does; the filter hides threads and CPUs from the answer as from the records.
 */
#include <stdatomic.h>
#include <sys/ioctl.h>

#include "kmod_fixture.h"

#define ROUNDS		20
#define PRIORITY	50
/* The weight of real-time threads, see fxt_sched_weight(). */
#define WEIGHT		(1000000 + PRIORITY)

KMOD_FIXTURE(mark_module);

static atomic_bool spins;
static atomic_bool begun;

static void spin(struct worker *w)
{
	const struct sched_param p = { .sched_priority = PRIORITY };

	w->failed = sched_setscheduler(0, SCHED_FIFO, &p);
	atomic_store(&begun, true);
	while (atomic_load_explicit(&spins, memory_order_relaxed))
		;
}

/* Start a thread that keeps the CPU: only the kernel's own threads can interrupt it. */
static int hog_start(struct worker *w, int cpu)
{
	*w = (struct worker){ .name = "hog", .cpu = cpu, .run = spin };
	atomic_store(&spins, true);
	atomic_store(&begun, false);
	if (worker_start(w))
		return -1;
	while (!atomic_load(&begun))
		sched_yield();
	return 0;
}

static int hog_end(struct worker *w)
{
	atomic_store(&spins, false);
	return worker_join(w);
}

static int take(const struct kmod_session *d, uint32_t cpu, struct fxt_sched_mark *mark)
{
	*mark = (struct fxt_sched_mark){ .cpu = cpu };
	return ioctl(d->fd, FXT_SCHED_IOC_MARK, mark) ? errno : 0;
}

static uint64_t now(const struct kmod_session *d)
{
	struct fxt_sched_status status = { 0 };

	kmod_status(d, &status);
	return status.now;
}

/* Move this thread to another CPU than the hog's. Return: is there one? */
static bool find_cpus(int *hog)
{
	int cpus[MAX_CPUS];
	unsigned int count = allowed_cpus(cpus);

	pin(cpus[0]);
	*hog = cpus[count - 1];
	return count > 1;
}

SOURCE_TEST(mark_module, who_has_a_cpu)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	struct fxt_sched_mark mark;
	struct worker hog;
	uint64_t before;
	int cpu, i, found = 0;

	if (!find_cpus(&cpu))
		SKIP(return, "there is only one CPU");
	ASSERT_FINE(kmod_start(d, &c, &self->why));
	ASSERT_EQ(0, hog_start(&hog, cpu));
	for (i = 0; i < ROUNDS; i++) {
		before = now(d);
		EXPECT_EQ(0, take(d, cpu, &mark));
		EXPECT_LE(before, mark.time);
		EXPECT_LE(mark.time, now(d));
		found += (int)mark.thread == hog.tid && mark.weight == WEIGHT;
	}
	/* More urgent threads of the kernel take the CPU for moments. */
	EXPECT_LT(ROUNDS / 2, found);
	EXPECT_EQ(0, hog_end(&hog));
	/* This thread has its own CPU. */
	EXPECT_EQ(0, take(d, sched_getcpu(), &mark));
	EXPECT_EQ(gettid(), (int)mark.thread);
	EXPECT_EQ(1024, mark.weight);
	EXPECT_EQ(ENXIO, take(d, MAX_CPUS * 1024, &mark));
	EXPECT_EQ(ENXIO, take(d, UINT32_MAX, &mark));
	mark = (struct fxt_sched_mark){ .cpu = cpu, .reserved = 1 };
	EXPECT_EQ(-1, ioctl(d->fd, FXT_SCHED_IOC_MARK, &mark));
	EXPECT_EQ(EINVAL, errno);
}

static int read_word(const char *path, char *word, size_t room)
{
	FILE *f = fopen(path, "re");
	int ret = !f || !fgets(word, room, f);

	if (f)
		fclose(f);
	return ret;
}

static int write_word(const char *path, const char *word)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -1;
	ret = write(fd, word, strlen(word)) < 0;
	close(fd);
	return ret;
}

SOURCE_TEST(mark_module, cpu_is_offline)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	struct fxt_sched_mark mark;
	char path[64], word[8];
	int cpu;

	if (!find_cpus(&cpu))
		SKIP(return, "there is only one CPU");
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	ASSERT_FINE(kmod_start(d, &c, &self->why));
	if (read_word(path, word, sizeof(word)) || write_word(path, "0"))
		SKIP(return, "CPU %d cannot be taken offline", cpu);
	EXPECT_EQ(ENXIO, take(d, cpu, &mark));
	ASSERT_EQ(0, write_word(path, "1"));
	EXPECT_EQ(0, take(d, cpu, &mark));
	EXPECT_EQ(cpu, (int)mark.cpu);
}

SOURCE_TEST(mark_module, filter_by_thread)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	struct fxt_sched_mark mark;
	struct worker hog;
	int cpu, i, found = 0;

	if (!find_cpus(&cpu))
		SKIP(return, "there is only one CPU");
	snprintf(c.filter_comm, sizeof(c.filter_comm), "hog");
	ASSERT_EQ(0, kmod_open(d));
	ASSERT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s", d->reason);
	EXPECT_EQ(EINVAL, take(d, cpu, &mark));
	ASSERT_EQ(0, kmod_request(d, FXT_SCHED_IOC_START));
	ASSERT_EQ(0, hog_start(&hog, cpu));
	for (i = 0; i < ROUNDS; i++) {
		int err = take(d, cpu, &mark);

		EXPECT_TRUE(!err || err == ENODATA) TH_LOG("%s", strerror(err));
		if (!err)
			EXPECT_EQ(hog.tid, (int)mark.thread);
		found += !err;
		EXPECT_EQ(ENODATA, take(d, sched_getcpu(), &mark));
		EXPECT_EQ(0U, mark.thread);
	}
	EXPECT_LT(ROUNDS / 2, found);
	EXPECT_EQ(0, hog_end(&hog));
	ASSERT_EQ(0, kmod_request(d, FXT_SCHED_IOC_STOP));
	EXPECT_EQ(EINVAL, take(d, cpu, &mark));
}

SOURCE_TEST(mark_module, filter_by_cpu)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	struct fxt_sched_mark mark;
	uint32_t mask = 0;
	int cpu;

	if (!find_cpus(&cpu))
		SKIP(return, "there is only one CPU");
	mask |= 1U << sched_getcpu();
	c.filter_cpus = (uintptr_t)&mask;
	c.filter_cpu_words = 1;
	ASSERT_FINE(kmod_start(d, &c, &self->why));
	EXPECT_EQ(ENODATA, take(d, cpu, &mark));
	EXPECT_EQ(0, take(d, sched_getcpu(), &mark));
	EXPECT_EQ(gettid(), (int)mark.thread);
}

/* Marks are for the ends of a recording, so they can be taken in each of its states. */
SOURCE_TEST(mark_module, every_state)
{
	static const unsigned long steps[] = {
		FXT_SCHED_IOC_START, FXT_SCHED_IOC_FREEZE, FXT_SCHED_IOC_THAW,
		FXT_SCHED_IOC_STOP,
	};
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	struct fxt_sched_mark mark;
	int cpu;

	find_cpus(&cpu);
	c.flags = FXT_SCHED_OVERWRITE;
	ASSERT_EQ(0, kmod_open(d));
	EXPECT_EQ(EINVAL, take(d, 0, &mark));
	ASSERT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s", d->reason);
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		ASSERT_EQ(0, kmod_request(d, steps[i]));
		EXPECT_EQ(0, take(d, sched_getcpu(), &mark)) TH_LOG("step %zu", i);
		EXPECT_EQ(gettid(), (int)mark.thread) TH_LOG("step %zu", i);
	}
}
