// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random requests, as an attacker would send them: with random numbers, sizes and pointers, on
 * descriptors that are duplicated, inherited and shared, and that read, map, seek and splice
 * whatever they get; while CPUs go offline and the module is unloaded. No process ends by itself,
 * the kernel logs no error and keeps no memory, the module can be unloaded, and a recording works
 * afterwards.
 */
#include <sys/ioctl.h>

#include "kmod.h"
#include "source_fixture.h"
#include "stress.h"

#define SENDERS		4U
#define HELD		24U	/* the most descriptors of a process */
#define PAGE		4096U

FIXTURE(requests)
{
	const char *missing;
	char dir[RECORD_PATH];
	struct why why;
	struct collector c;
	struct kernel before;
	pid_t senders[SENDERS];
};

FIXTURE_SETUP(requests)
{
	self->missing = source_missing("kmod");
	self->c.gate = -1;
	ASSERT_FALSE(self->missing && source_required("kmod")) TH_LOG("kmod: %s", self->missing);
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
}

FIXTURE_TEARDOWN(requests)
{
	for (unsigned int i = 0; i < SENDERS; i++) {
		if (self->senders[i] <= 0)
			continue;
		kill(self->senders[i], SIGKILL);
		waitpid(self->senders[i], NULL, 0);
	}
	dir_remove(self->dir);
}

/* --- arguments ------------------------------------------------------------------------------ */

static const unsigned long known[] = {
	FXT_SCHED_IOC_EVENTS, FXT_SCHED_IOC_CONFIGURE, FXT_SCHED_IOC_STREAM, FXT_SCHED_IOC_START,
	FXT_SCHED_IOC_STOP, FXT_SCHED_IOC_FREEZE, FXT_SCHED_IOC_THAW, FXT_SCHED_IOC_FLUSH,
	FXT_SCHED_IOC_MARK, FXT_SCHED_IOC_LIMITS, FXT_SCHED_IOC_STATUS, FXT_SCHED_IOC_COUNTERS,
};

/* A page that is followed by one that cannot be used, and one that can only be read. */
struct memory {
	unsigned char *page;
	unsigned char *fixed;
};

static void memory_map(struct memory *m)
{
	m->page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	m->fixed = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (m->page == MAP_FAILED || m->fixed == MAP_FAILED ||
	    mprotect(m->page + PAGE, PAGE, PROT_NONE))
		_exit(ENOMEM);
}

static uint64_t random_word(void)
{
	switch (stress_random(6)) {
	case 0:
		return stress_random(4);
	case 1:
		return stress_random(4096);
	case 2:
		return 1ULL << stress_random(64);
	case 3:
		return UINT64_MAX - stress_random(3);
	case 4:
		return (uint64_t)stress_random(UINT32_MAX) << 32 | stress_random(UINT32_MAX);
	default:
		return 0;
	}
}

/* An address in the kernel, NULL, at the end of a page, in read-only or in writable memory. */
static void *random_place(const struct memory *m, size_t bytes)
{
	switch (stress_random(8)) {
	case 0:
		return NULL;
	case 1:
		return (void *)(0xffff888000000000ULL + stress_random(1 << 30));
	case 2:
		return m->page + PAGE - stress_random(bytes + 1);
	case 3:
		return m->fixed;
	case 4:
		return (void *)random_word();
	default:
		return m->page + stress_random(64);
	}
}

/* A valid configuration with small buffers, in which some fields are changed. */
static void random_config(const struct memory *m, struct fxt_sched_config *c)
{
	uint64_t *words = (uint64_t *)c, value;
	unsigned int changes = stress_random(4);

	*c = kmod_config();
	c->flags = stress_random(2) ? FXT_SCHED_OVERWRITE : 0;
	c->events = stress_random(2) ? random_word() : 0;
	c->filter_pids = (uintptr_t)random_place(m, 64);
	c->filter_pid_count = stress_random(3) ? 0 : stress_random(80);
	c->filter_cpus = (uintptr_t)random_place(m, 64);
	c->filter_cpu_words = stress_random(3) ? 0 : stress_random(1200);
	c->message = (uintptr_t)random_place(m, 64);
	c->message_size = stress_random(3) ? 0 : stress_random(300);
	while (changes--) {
		value = random_word();
		memcpy(words + stress_random(sizeof(*c) / sizeof(*words)), &value, sizeof(value));
	}
}

/* A known request, one with another size or direction, or any number. */
static unsigned long random_request(void)
{
	unsigned long r = known[stress_random(ARRAY_SIZE(known))];

	switch (stress_random(6)) {
	case 0:
		return _IOC(stress_random(4), FXT_SCHED_IOC, stress_random(16), stress_random(512));
	case 1:
		return _IOC(_IOC_DIR(r), FXT_SCHED_IOC, _IOC_NR(r), stress_random(1 << 14));
	case 2:
		return random_word();
	default:
		return r;
	}
}

/* --- a sender ------------------------------------------------------------------------------- */

/* Shared by all processes: set to make them close everything, and wait. */
static volatile bool *pausing;

struct sender {
	struct memory memory;	/* memory for arguments */
	int held[HELD];	/* descriptors, of the device and of streams; @count of them */
	unsigned int count;
};

/* Hold one more descriptor, or close one if there are too many. */
static void hold(struct sender *s, int fd)
{
	unsigned int i;

	if (fd < 0)
		return;
	if (s->count == HELD) {
		i = stress_random(s->count);
		close(s->held[i]);
		s->held[i] = s->held[--s->count];
	}
	s->held[s->count++] = fd;
}

static int random_descriptor(const struct sender *s)
{
	return s->count ? s->held[stress_random(s->count)] : -1;
}

static void send_request(struct sender *s)
{
	unsigned long request = random_request();
	struct fxt_sched_config config;
	unsigned char *bytes = s->memory.page;
	int ret;

	for (unsigned int i = 0; i < 64; i++)
		bytes[i] = stress_random(4) ? 0 : stress_random(256);
	if (request == FXT_SCHED_IOC_CONFIGURE && stress_random(8)) {
		random_config(&s->memory, &config);
		ret = ioctl(random_descriptor(s), request, &config);
	} else {
		ret = ioctl(random_descriptor(s), request, random_place(&s->memory, 64));
	}
	if (_IOC_NR(request) == _IOC_NR(FXT_SCHED_IOC_STREAM) && ret > STDERR_FILENO)
		hold(s, ret);
}

/* Use a descriptor as if it were that of a file. */
static void use_as_file(struct sender *s)
{
	int fd = random_descriptor(s), ends[2];
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLPRI | POLLOUT };
	void *map;

	switch (stress_random(7)) {
	case 0:
		poll(&p, 1, 0);
		break;
	case 1:
		map = mmap(NULL, PAGE << stress_random(6), PROT_READ | stress_random(2) * PROT_WRITE,
			   stress_random(2) ? MAP_SHARED : MAP_PRIVATE, fd,
			   (off_t)stress_random(8) * PAGE);
		if (map != MAP_FAILED)
			munmap(map, PAGE);
		break;
	case 2:
		lseek(fd, random_word(), stress_random(3));
		break;
	case 3:
		if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
			break;
		splice(fd, NULL, ends[1], NULL, PAGE << stress_random(5), SPLICE_F_NONBLOCK);
		close(ends[0]);
		close(ends[1]);
		break;
	case 4:
		if (write(fd, s->memory.page, stress_random(64)) > 0)
			_exit(EPROTO);	/* no write may succeed */
		break;
	case 5:
		fcntl(fd, F_SETFL, stress_random(2) ? O_NONBLOCK : 0);
		break;
	default:
		(void)!pread(fd, random_place(&s->memory, 64), stress_random(PAGE), random_word());
	}
}

static void read_descriptor(struct sender *s)
{
	int fd = random_descriptor(s);

	if (stress_random(2))
		(void)!read(fd, random_place(&s->memory, PAGE), stress_random(2 * PAGE));
	else
		(void)!read(fd, s->memory.page, PAGE);
}

/* Fork a child with the same descriptors, which continues, or ends at once. */
static void share(struct sender *s, void (*again)(struct sender *s, unsigned int rounds))
{
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		stress_random(2);
		again(s, stress_random(200));
		_exit(0);
	}
	/* So descriptors are still open in the parent when the child closes them, or vice versa. */
	while (s->count && stress_random(2))
		close(s->held[--s->count]);
	if (pid > 0 && stress_random(2))
		kill(pid, SIGKILL);
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

static void send_some(struct sender *s, unsigned int rounds)
{
	while (rounds--) {
		switch (stress_random(16)) {
		case 0:
		case 1:
			hold(s, open(KMOD_PATH, stress_random(4) ? O_RDWR | O_CLOEXEC : O_RDONLY));
			break;
		case 2:
			if (s->count)
				close(s->held[--s->count]);
			break;
		case 3:
			hold(s, dup(random_descriptor(s)));
			break;
		case 4:
		case 5:
			read_descriptor(s);
			break;
		case 6:
			use_as_file(s);
			break;
		default:
			send_request(s);
		}
	}
}

static void send_forever(void)
{
	struct sender s = { .count = 0 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	memory_map(&s.memory);
	for (;;) {
		send_some(&s, 100);
		if (!stress_random(8))
			share(&s, send_some);
		while (*pausing) {
			while (s.count)
				close(s.held[--s.count]);
			usleep(1000);
		}
	}
}

/* --- the test ------------------------------------------------------------------------------- */

static int senders_start(FIXTURE_DATA(requests) *self)
{
	pausing = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (pausing == MAP_FAILED)
		return complain(&self->why, "mmap failed");
	for (unsigned int i = 0; i < SENDERS; i++) {
		/* Otherwise all would have the same random numbers. */
		stress_random(2);
		self->senders[i] = fork();
		if (!self->senders[i])
			send_forever();
		if (self->senders[i] < 0)
			return complain(&self->why, "fork failed");
	}
	return 0;
}

static int senders_check(FIXTURE_DATA(requests) *self)
{
	int status;

	for (unsigned int i = 0; i < SENDERS; i++)
		if (waitpid(self->senders[i], &status, WNOHANG) == self->senders[i]) {
			self->senders[i] = 0;
			return complain(&self->why, "a sender ended with status %#x", status);
		}
	return 0;
}

static void senders_stop(FIXTURE_DATA(requests) *self)
{
	for (unsigned int i = 0; i < SENDERS; i++) {
		kill(self->senders[i], SIGKILL);
		waitpid(self->senders[i], NULL, 0);
		self->senders[i] = 0;
	}
}

/* Unload and load the module. Processes that open the device meanwhile get an error. */
static int replace_module(FIXTURE_DATA(requests) *self)
{
	int err = EBUSY;

	*pausing = true;
	for (unsigned int tries = 0; tries < 10000 && err; tries++) {
		err = module_unload();
		usleep(stress_random(2000));
	}
	*pausing = stress_random(2);
	if (!err)
		err = module_load();
	*pausing = false;
	return err ? complain(&self->why, "the module is not replaced: %s", strerror(err)) : 0;
}

static int disturb(FIXTURE_DATA(requests) *self, unsigned int *unloaded)
{
	int cpus[MAX_CPUS], count = allowed_cpus(cpus), cpu = cpus[count - 1];

	if (count > 1 && !stress_random(3) && !cpu_set_online(cpu, false)) {
		usleep(stress_random(20000));
		cpu_set_online(cpu, true);
	}
	if (!stress_random(20)) {
		++*unloaded;
		if (replace_module(self))
			return -1;
	}
	usleep(stress_random(50000));
	return senders_check(self);
}

TEST_F_TIMEOUT(requests, of_attackers, STRESS_SECONDS)
{
	uint64_t until = boottime_ns() + stress_rounds(600, 6) * 1000000000ULL;
	unsigned int unloaded = 0, tries;

	NEEDS_STRESS();
	NEEDS_UNLOADING();
	kernel_look(&self->before);
	ASSERT_FINE(senders_start(self));
	while (boottime_ns() < until)
		ASSERT_FINE(disturb(self, &unloaded));
	senders_stop(self);
	/* The children of the senders have been killed, and will end soon. */
	for (tries = 0; tries < 1000 && module_unload(); tries++)
		usleep(10000);
	ASSERT_EQ(0, module_load());
	ASSERT_EQ(0, collector_run(&self->c, self->dir, ARGS("-q", "-s", "kmod", "-d", "50ms")))
		TH_LOG("%s", self->c.text);
	EXPECT_FINE(kernel_check(&self->before, &self->why));
	stress_note("unloaded %u times beside %u senders", unloaded, SENDERS);
}
