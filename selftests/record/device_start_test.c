// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * START while real-time threads own CPUs: it needs no time of the caller's CPU; a caller that waits
 * can be killed, and leaves a session that can start.
 */
#include "cpu_owner.h"
#include "kmod_fixture.h"

KMOD_FIXTURE(starter);

/*
 * Open a session while no other one ends, and no grace period is due: START would wait for it as
 * well, and kernels let kworkers of each CPU do a part of it. Return: 0 or errno.
 */
static int open_alone(struct kmod_session *d, struct why *why)
{
	struct fxt_sched_config c = kmod_config();
	char most[16];
	int err, i;

	if (kmod_start(d, &c, why))
		return EIO;
	kmod_close(d);
	err = kmod_get("max_sessions", most, sizeof(most));
	if (!err)
		err = kmod_set("max_sessions", "1");
	if (!err)
		err = kmod_open(d);
	for (i = 0; err == EBUSY && i < 1000; i++) {
		usleep(10000);
		err = kmod_open(d);
	}
	kmod_set("max_sessions", most);
	return err;
}

static int preempt(uint32_t cpu)
{
	const struct sched_param above = { .sched_priority = OWNER_PRIORITY + 1 };

	if (sched_setscheduler(0, SCHED_FIFO, &above))
		return -1;
	pin(cpu);
	return 0;
}

/* Only after the owner has ended, because it would keep this thread from the CPU. */
static void calm_down(void)
{
	sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){ 0 });
}

/* The owner gives up after a while. */
static bool is_alive(pid_t pid)
{
	return !waitpid(pid, NULL, WNOHANG);
}

SOURCE_TEST(starter, has_an_owned_cpu)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	int cpus[MAX_CPUS];
	struct owner o;

	if (!in_guest() || allowed_cpus(cpus) < 2)
		SKIP(return, "needs a guest with two CPUs");
	ASSERT_EQ(0, open_alone(d, &self->why)) TH_LOG("%s", self->why.text);
	ASSERT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s", d->reason);
	ASSERT_EQ(0, owner_start(&o));
	EXPECT_EQ(0, preempt(o.cpu));
	EXPECT_EQ(0, kmod_request(d, FXT_SCHED_IOC_START));
	EXPECT_TRUE(is_alive(o.pid));
	EXPECT_EQ(0, kmod_request(d, FXT_SCHED_IOC_STOP));
	EXPECT_TRUE(is_alive(o.pid));
	owner_end(&o);
	calm_down();
}

/*
 * No timer expires on the CPU while its ksoftirqd waits for the owner. On a machine with NUMA nodes
 * whose CPUs are owned, a worker of another node must take the work over.
 */
SOURCE_TEST(starter, has_a_cpu_without_timers)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	char parameters[32];
	int cpus[MAX_CPUS], err;
	struct owner o;

	if (!in_guest() || allowed_cpus(cpus) < 2)
		SKIP(return, "needs a guest with two CPUs");
	ASSERT_EQ(0, open_alone(d, &self->why)) TH_LOG("%s", self->why.text);
	ASSERT_EQ(0, owner_start(&o));
	EXPECT_EQ(0, preempt(o.cpu));
	snprintf(parameters, sizeof(parameters), "cpu=%u", o.cpu);
	err = kmod_load("fxt_softirqs", parameters);
	EXPECT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s", d->reason);
	EXPECT_EQ(0, kmod_request(d, FXT_SCHED_IOC_START));
	EXPECT_TRUE(is_alive(o.pid));
	kmod_close(d);
	EXPECT_TRUE(is_alive(o.pid));
	owner_end(&o);
	calm_down();
	if (err == ENOENT)
		SKIP(return, "$FXT_MODULE has no fxt_softirqs.ko beside it");
	EXPECT_EQ(0, err) TH_LOG("fxt_softirqs.ko: %s", strerror(err));
	EXPECT_EQ(0, kmod_unload("fxt_softirqs"));
}

/* Own the other CPUs as well. Return: how many. */
static int own_others(const int *cpus, int count, pid_t *pids)
{
	int ready[2], i;

	for (i = 0; i < count; i++) {
		if (pipe(ready))
			return i;
		pids[i] = fork();
		if (!pids[i])
			own_cpu(cpus[i], ready[1]);
		pids[i] = await(pids[i], ready);
	}
	return i;
}

/* Wait until the process waits within the kernel, or has ended. */
static void await_request(pid_t pid)
{
	unsigned int i;

	for (i = 0; i < 1000 && process_state(pid) != 'D' && process_state(pid) != 'Z'; i++)
		usleep(1000);
}

static bool dies(pid_t pid)
{
	unsigned int i;

	kill(pid, SIGKILL);
	for (i = 0; i < 1000 && waitpid(pid, NULL, WNOHANG) != pid; i++)
		usleep(10000);
	return i < 1000;
}

SOURCE_TEST(starter, is_killed)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session *d = &self->d[0];
	int cpus[MAX_CPUS], count = allowed_cpus(cpus), others;
	pid_t pids[MAX_CPUS], pid;
	struct owner o;
	bool died;

	if (!in_guest() || count < 2)
		SKIP(return, "needs a guest with two CPUs");
	ASSERT_EQ(0, open_alone(d, &self->why)) TH_LOG("%s", self->why.text);
	ASSERT_EQ(0, kmod_configure(d, &c)) TH_LOG("%s", d->reason);
	ASSERT_EQ(0, owner_start(&o));
	EXPECT_EQ(0, preempt(o.cpu));
	others = own_others(cpus, count - 1, pids);
	pid = fork();
	if (!pid)
		_exit(kmod_request(d, FXT_SCHED_IOC_START));
	await_request(pid);
	died = dies(pid);
	while (others)
		owner_kill(pids[--others]);
	owner_end(&o);
	calm_down();
	EXPECT_TRUE(died);
	/* It may have started before it was killed. */
	EXPECT_EQ(0, kmod_request(d, FXT_SCHED_IOC_STOP));
	EXPECT_EQ(0, kmod_request(d, FXT_SCHED_IOC_START));
	EXPECT_EQ(0, kmod_request(d, FXT_SCHED_IOC_STOP));
	EXPECT_TRUE(kmod_is_used(1));
}
