// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Eight sessions of several processes, each at a random point of its life, under a load, by
 * processes that are killed at random; and one session that several processes use. Whether a
 * request succeeds depends only on the state of its own session; each session's ledgers are exact
 * whenever it stops; each sub-buffer is read once, by one of the readers of its stream; at the end
 * nothing is left in the kernel.
 */
#include "kmod_fixture.h"
#include "kmod_stream.h"
#include "stress.h"

#define OWNERS		4
#define OF_OWNER	2	/* sessions of each owner, eight in all */
#define CGROUP		"/sys/fs/cgroup/"

/* --- one session ----------------------------------------------------------------------- */

/** struct life - a session and the state that it has to have */
struct life {
	struct kmod_session d;	/* the session */
	/* records read since it was configured, or in overwrite mode since it was frozen */
	struct kmod_streams all;
	bool overwrite;	/* it is in overwrite mode */
	bool recording;	/* it has been started and not stopped */
	bool frozen;	/* it has been frozen and not thawed */
};

static void choose(struct fxt_sched_config *c, unsigned int kind)
{
	static const __u32 cpus[] = { 1 };
	static __u32 parent;

	*c = (struct fxt_sched_config) {
		.subbuf_size = (1 + stress_random(4)) << 12,
		.subbuf_count = 2 + stress_random(30),
		.clockid = kind % 2 ? CLOCK_BOOTTIME : CLOCK_MONOTONIC,
		.flags = stress_random(2) ? FXT_SCHED_PRIORITIES : 0,
	};
	parent = getppid();
	switch (kind) {
	case 1:
		c->filter_pids = (uintptr_t)&parent;
		c->filter_pid_count = 1;
		break;
	case 2:
		strcpy(c->filter_comm, "conc*");
		break;
	case 3:
		c->filter_cpus = (uintptr_t)cpus;
		c->filter_cpu_words = 1;
		break;
	case 4:
		c->clockid = 0;
		c->flags |= FXT_SCHED_TSC;
		break;
	case 5:
		c->flags |= FXT_SCHED_OVERWRITE;
		c->trigger_latency = 1000000;
		break;
	case 6:
		c->flags |= FXT_SCHED_OVERWRITE;
		strcpy(c->filter_comm, "*");
		break;
	case 7:
		if (access(CGROUP "cgroup.procs", F_OK))
			break;
		c->filter_cgroup = open(CGROUP, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		c->flags |= FXT_SCHED_FILTER_CGROUP;
		break;
	}
}

static int begin(struct life *l, unsigned int kind, struct why *why)
{
	struct fxt_sched_config c;
	int err;

	choose(&c, kind);
	l->overwrite = c.flags & FXT_SCHED_OVERWRITE;
	l->recording = l->frozen = false;
	kmod_streams_init(&l->all, l->overwrite);
	err = kmod_open(&l->d);
	if (!err)
		err = kmod_configure(&l->d, &c);
	if (err == EOPNOTSUPP && c.flags & FXT_SCHED_TSC) {
		c.flags &= ~FXT_SCHED_TSC;
		c.clockid = CLOCK_MONOTONIC;
		err = kmod_configure(&l->d, &c);
	}
	if (c.flags & FXT_SCHED_FILTER_CGROUP)
		close(c.filter_cgroup);
	return err ? complain(why, "session of kind %u: %s: %.300s", kind, strerror(err),
			      l->d.reason) : 0;
}

/* Prepare to read a stream in overwrite mode again, which begins at another record each time. */
static void read_anew(struct life *l)
{
	struct kmod_streams all = l->all;

	if (!l->overwrite)
		return;
	for (unsigned int i = 0; i < all.count; i++)
		kmod_stream_free(&all.cpus[i]);
	kmod_streams_init(&l->all, true);
	memcpy(l->all.names, all.names, sizeof(all.names));
}

/* The errno to expect for a request in the present state. */
static int expected(const struct life *l, unsigned long request)
{
	bool busy = l->recording || l->frozen;

	switch (request) {
	case FXT_SCHED_IOC_START:
		return busy ? EBUSY : 0;
	case FXT_SCHED_IOC_FREEZE:
		return !l->overwrite ? EINVAL : !l->recording || l->frozen ? EBUSY : 0;
	case FXT_SCHED_IOC_THAW:
		return l->frozen ? 0 : EBUSY;
	}
	return 0;
}

static void apply(struct life *l, unsigned long request)
{
	switch (request) {
	case FXT_SCHED_IOC_START:
		l->recording = true;
		read_anew(l);
		break;
	case FXT_SCHED_IOC_STOP:
		l->recording = false;
		break;
	case FXT_SCHED_IOC_FREEZE:
		l->frozen = true;
		break;
	case FXT_SCHED_IOC_THAW:
		l->frozen = false;
		if (l->recording)
			read_anew(l);
		break;
	}
}

static int act(struct life *l, struct why *why)
{
	static const unsigned long requests[] = {
		FXT_SCHED_IOC_START, FXT_SCHED_IOC_STOP, FXT_SCHED_IOC_FREEZE,
		FXT_SCHED_IOC_THAW, FXT_SCHED_IOC_FLUSH,
	};
	unsigned long request = requests[stress_random(ARRAY_SIZE(requests))];
	int due = expected(l, request), err = kmod_request(&l->d, request);

	if (err != due)
		return complain(why, "a session%s%s%s: request 0x%lx: %s instead of %s",
				l->overwrite ? ", overwriting" : "",
				l->recording ? ", recording" : "", l->frozen ? ", frozen" : "",
				request, strerror(err), strerror(due));
	if (!err)
		apply(l, request);
	return 0;
}

/* Check that the ledgers of a session that does not record are exact. */
static int settle(struct life *l, struct why *why)
{
	if (l->recording && !l->frozen) {
		if (kmod_request(&l->d, FXT_SCHED_IOC_STOP))
			return complain(why, "the session does not stop");
		l->recording = false;
	}
	return kmod_streams_finish(&l->all, &l->d, why);
}

static int finish(struct life *l, struct why *why)
{
	int ret = settle(l, why);

	kmod_streams_free(&l->all);
	kmod_close(&l->d);
	return ret;
}

/* --- a process ------------------------------------------------------------------------- */

/** struct owner - a process with sessions, shared with it */
struct owner {
	volatile unsigned long actions;	/* number of actions so far */
	volatile bool ends;	/* it has been asked to end */
	volatile bool failed;	/* @why says what is wrong */
	struct why why;
};

static int do_anything(struct life *l, unsigned int *kind, struct why *why)
{
	/* Reads return what waits now, or 0 while a CPU is recorded in overwrite mode. */
	switch (stress_random(16)) {
	case 0:
		if (finish(l, why))
			return -1;
		*kind = (*kind + OF_OWNER) % (OWNERS * OF_OWNER);
		return begin(l, *kind, why);
	case 1:
		return settle(l, why);
	case 2:
	case 3:
	case 4:
		return kmod_streams_read(&l->all, &l->d, why);
	case 5:
		return kmod_poll(&l->d) & POLLERR ? complain(why, "poll fails") : 0;
	default:
		return act(l, why);
	}
}

static int live(struct owner *o, unsigned int number)
{
	unsigned int kinds[OF_OWNER], i;
	struct life lives[OF_OWNER];

	for (i = 0; i < OF_OWNER; i++) {
		kinds[i] = number * OF_OWNER + i;
		if (begin(&lives[i], kinds[i], &o->why))
			return -1;
	}
	while (!o->ends) {
		i = stress_random(OF_OWNER);
		if (do_anything(&lives[i], &kinds[i], &o->why))
			return -1;
		o->actions++;
		usleep(stress_random(2000));
	}
	for (i = 0; i < OF_OWNER; i++)
		if (finish(&lives[i], &o->why))
			return -1;
	return 0;
}

FIXTURE(concurrent)
{
	const char *missing;
	struct why why;
	struct kernel before;
	struct load load;
	struct owner *owners;
	pid_t pids[OWNERS];
};

FIXTURE_SETUP(concurrent)
{
	self->missing = source_missing("kmod");
	ASSERT_FALSE(self->missing && source_required("kmod")) TH_LOG("kmod: %s", self->missing);
	self->owners = mmap(NULL, OWNERS * sizeof(*self->owners), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)self->owners);
}

FIXTURE_TEARDOWN(concurrent)
{
	for (unsigned int i = 0; i < OWNERS; i++) {
		if (self->pids[i] <= 0)
			continue;
		kill(self->pids[i], SIGKILL);
		waitpid(self->pids[i], NULL, 0);
	}
	load_stop(&self->load);
}

static int spawn(FIXTURE_DATA(concurrent) *self, unsigned int i)
{
	struct owner *o = &self->owners[i];
	char name[COMM_SIZE];

	o->ends = o->failed = false;
	/* Advance the generator, so that later children do not make the same choices. */
	stress_random(2);
	self->pids[i] = fork();
	if (self->pids[i])
		return self->pids[i] < 0 ? complain(&self->why, "fork failed") : 0;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	snprintf(name, sizeof(name), "concurrent/%u", i);
	prctl(PR_SET_NAME, name);
	o->failed = live(o, i);
	_exit(o->failed);
}

/* Wait for a process that ends by itself or is killed. */
static int reap(FIXTURE_DATA(concurrent) *self, unsigned int i, int signal)
{
	int status;

	waitpid(self->pids[i], &status, 0);
	self->pids[i] = 0;
	if (self->owners[i].failed)
		return complain(&self->why, "process %u: %.400s", i, self->owners[i].why.text);
	if (signal ? WIFSIGNALED(status) && WTERMSIG(status) == signal :
		     WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	return complain(&self->why, "process %u ended with status 0x%x", i, status);
}

/* Has a process failed? Then it has ended, and must not be killed. */
static int check_alive(FIXTURE_DATA(concurrent) *self)
{
	for (unsigned int i = 0; i < OWNERS; i++)
		if (self->owners[i].failed)
			return reap(self, i, 0);
	return 0;
}

static unsigned long sum_actions(const FIXTURE_DATA(concurrent) *self)
{
	unsigned long sum = 0;

	for (unsigned int i = 0; i < OWNERS; i++)
		sum += self->owners[i].actions;
	return sum;
}

/* Kill a process, or ask it to end and to check its sessions; start another in its place. */
static int replace(FIXTURE_DATA(concurrent) *self)
{
	unsigned int i = stress_random(OWNERS);
	int signal = stress_random(2) ? SIGKILL : 0;

	if (signal)
		kill(self->pids[i], signal);
	else
		self->owners[i].ends = true;
	return reap(self, i, signal) ? -1 : spawn(self, i);
}

TEST_F_TIMEOUT(concurrent, eight_sessions, STRESS_SECONDS)
{
	unsigned int rounds = stress_rounds(2000, 25), n, i;
	unsigned long actions;

	NEEDS_STRESS();
	ASSERT_EQ(0, load_start(&self->load));
	kernel_look(&self->before);
	for (i = 0; i < OWNERS; i++)
		ASSERT_FINE(spawn(self, i));
	for (n = 0; n < rounds; n++) {
		usleep(stress_random(100000));
		ASSERT_FINE(check_alive(self));
		ASSERT_FINE(replace(self));
	}
	for (i = 0; i < OWNERS; i++)
		self->owners[i].ends = true;
	for (i = 0; i < OWNERS; i++)
		EXPECT_FINE(reap(self, i, 0));
	load_stop(&self->load);
	EXPECT_TRUE(kmod_is_used(0));
	EXPECT_FINE(kernel_check(&self->before, &self->why));
	actions = sum_actions(self);
	EXPECT_LT(rounds, actions);
	stress_note("%u processes with %u sessions each, %u ended or killed; %lu actions", OWNERS,
		    OF_OWNER, rounds, actions);
}

/* --- one session of several processes --------------------------------------------------- */

#define USERS	4

struct shared {
	struct kmod_session d;	/* the session */
	unsigned int configured;	/* number of users that could configure it */
	/* numbers of records in the sub-buffers that the users have read, of CPUs and of names */
	uint64_t records[2];
	struct why why;	/* an error that one of them has found */
};

/* Read a sub-buffer that no other user gets. */
static int read_subbuf(struct shared *sh, unsigned int kind, unsigned int cpu)
{
	struct kmod_stream s = { .cpu = cpu, .kind = kind };
	int fd = kmod_file(&sh->d, kind ? FXT_SCHED_STREAM_NAMES : FXT_SCHED_STREAM_CPU, cpu);
	int ret;

	if (fd < 0)
		return complain(&sh->why, "CPU %u cannot be read: %s", cpu, strerror(errno));
	ret = kmod_stream_read_one(&s, fd, &sh->why);
	__atomic_add_fetch(&sh->records[kind], s.records, __ATOMIC_RELAXED);
	kmod_stream_free(&s);
	close(fd);
	return ret < 0 ? -1 : 0;
}

static int use(struct shared *sh, unsigned int rounds, unsigned int cpus)
{
	/* Chosen so that the session records most of the time. */
	static const unsigned long requests[] = {
		FXT_SCHED_IOC_START, FXT_SCHED_IOC_START, FXT_SCHED_IOC_START,
		FXT_SCHED_IOC_STOP, FXT_SCHED_IOC_FLUSH, FXT_SCHED_IOC_FLUSH,
	};
	struct fxt_sched_config c = kmod_config();
	struct kmod_session d = sh->d;
	int err = kmod_configure(&d, &c);

	if (!err)
		__atomic_add_fetch(&sh->configured, 1, __ATOMIC_RELEASE);
	else if (err != EBUSY)
		return complain(&sh->why, "configure: %s: %s", strerror(err), d.reason);
	while (!__atomic_load_n(&sh->configured, __ATOMIC_ACQUIRE))
		usleep(100);
	while (rounds--) {
		err = kmod_request(&sh->d, requests[stress_random(ARRAY_SIZE(requests))]);
		if (err && err != EBUSY)
			return complain(&sh->why, "request: %s", strerror(err));
		if (read_subbuf(sh, stress_random(2), stress_random(cpus)))
			return -1;
		usleep(stress_random(2000));
	}
	return 0;
}

/* Check that each written record was read by one of the users, or is read now, or is lost. */
static int check_shared(struct shared *sh, struct why *why)
{
	uint64_t written[2] = { 0 }, lost[2] = { 0 };
	struct fxt_sched_counters c;
	struct kmod_streams all;

	if (kmod_request(&sh->d, FXT_SCHED_IOC_STOP))
		return complain(why, "the session does not stop");
	kmod_streams_init(&all, true);
	for (unsigned int i = 0; i < all.count; i++)
		all.names[i].whole = false;
	if (kmod_streams_finish(&all, &sh->d, why))
		return -1;
	for (unsigned int i = 0; i < all.count; i++) {
		sh->records[0] += all.cpus[i].records;
		sh->records[1] += all.names[i].records;
		for (unsigned int kind = 0; kind < 2; kind++) {
			if (kmod_count(&sh->d, i, kind, &c))
				continue;
			written[kind] += c.switches + c.wakeups + c.names;
			lost[kind] += c.lost;
		}
	}
	kmod_streams_free(&all);
	for (unsigned int kind = 0; kind < 2; kind++)
		if (written[kind] != sh->records[kind] + lost[kind])
			return complain(why, "streams of kind %u: %ju written, %ju read, %ju lost",
					kind, (uintmax_t)written[kind],
					(uintmax_t)sh->records[kind], (uintmax_t)lost[kind]);
	stress_note("%ju records, %ju names", (uintmax_t)written[0], (uintmax_t)written[1]);
	return written[0] ? 0 : complain(why, "nothing was recorded");
}

TEST_F_TIMEOUT(concurrent, shared_session, STRESS_SECONDS)
{
	unsigned int rounds = stress_rounds(4000, 30), i;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct shared *sh;
	pid_t pids[USERS];
	int status;

	NEEDS_STRESS();
	sh = mmap(NULL, sizeof(*sh), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)sh);
	ASSERT_EQ(0, load_start(&self->load));
	kernel_look(&self->before);
	ASSERT_EQ(0, kmod_open(&sh->d));
	for (i = 0; i < USERS; i++) {
		stress_random(2);
		pids[i] = fork();
		if (!pids[i]) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			_exit(use(sh, rounds, cpus) ? 1 : 0);
		}
	}
	for (i = 0; i < USERS; i++) {
		waitpid(pids[i], &status, 0);
		EXPECT_EQ(0, status) TH_LOG("%s", sh->why.text);
	}
	EXPECT_EQ(1U, sh->configured);
	EXPECT_FINE(check_shared(sh, &self->why));
	kmod_close(&sh->d);
	load_stop(&self->load);
	EXPECT_TRUE(kmod_is_used(0));
	EXPECT_FINE(kernel_check(&self->before, &self->why));
	munmap(sh, sizeof(*sh));
}
