// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt why, blame, diff and assert about threads of known names that wait for one another. The parts
 * of an answer partition its window; a chain is followed to the thread that did the work, for no
 * less than its CPU time, or as far as the disk. Other processes take time as well, so the tests do
 * not check how long waits are.
 */
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "json_get.h"
#include "off_cpu.h"
#include "source_fixture.h"
#include "tool.h"

#define ROUNDS		20
#define WORK_NS		4000000ULL	/* CPU time of "work" in each round */

SOURCE_FIXTURE(answers);

static uint64_t cpu_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static void burn(uint64_t ns)
{
	uint64_t begun = cpu_time();

	while (cpu_time() - begun < ns)
		;
}

struct chain {
	struct worker ask;
	struct worker relay;
	struct worker work;
	int asked[2][2];
	int answered[2][2];
};

static void pass(struct worker *w, int fd)
{
	w->failed |= write(fd, "", 1) != 1;
}

static void await(struct worker *w, int fd)
{
	char byte;

	w->failed |= read(fd, &byte, 1) != 1;
}

static void run_ask(struct worker *w)
{
	const struct chain *c = w->arg;

	for (unsigned int i = 0; i < ROUNDS; i++) {
		pass(w, c->asked[0][1]);
		await(w, c->answered[0][0]);
	}
}

/*
 * A nap precedes each answer. The thread that raised the soft interrupt is known only if no other
 * interrupt came since that thread got its CPU; and on PREEMPT_RT only if it preempted no thread
 * then, as it may when it is woken.
 */
static void run_relay(struct worker *w)
{
	const struct chain *c = w->arg;

	for (unsigned int i = 0; i < ROUNDS; i++) {
		await(w, c->asked[0][0]);
		pass(w, c->asked[1][1]);
		await(w, c->answered[1][0]);
		sleep_off_cpu(1000000);
		pass(w, c->answered[0][1]);
	}
}

static void run_work(struct worker *w)
{
	const struct chain *c = w->arg;

	for (unsigned int i = 0; i < ROUNDS; i++) {
		await(w, c->asked[1][0]);
		wait_until_in(&c->ask.tid, SYS_read, NULL);
		wait_until_in(&c->relay.tid, SYS_read, NULL);
		burn(WORK_NS);
		sleep_off_cpu(1000000);
		pass(w, c->answered[1][1]);
	}
}

/* A soft interrupt on the CPU of the sender receives a datagram of lo. */
static int make_socket(int ends[2])
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(at);

	ends[0] = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	ends[1] = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	return bind(ends[0], (struct sockaddr *)&at, size) |
	       getsockname(ends[0], (struct sockaddr *)&at, &size) |
	       connect(ends[1], (struct sockaddr *)&at, size);
}

static int run_chain(int (*make)(int ends[2]))
{
	struct chain c = {
		.ask = { .name = "ask", .cpu = ANY_CPU, .run = run_ask, .arg = &c },
		.relay = { .name = "relay", .cpu = ANY_CPU, .run = run_relay, .arg = &c },
		.work = { .name = "work", .cpu = ANY_CPU, .run = run_work, .arg = &c },
	};
	int i, ret = 0;

	for (i = 0; i < 2; i++)
		ret |= make(c.asked[i]) | make(c.answered[i]);
	ret = ret ? ret : worker_start(&c.relay) | worker_start(&c.work) | worker_start(&c.ask) |
			  worker_join(&c.ask) | worker_join(&c.relay) | worker_join(&c.work);
	for (i = 0; i < 4; i++) {
		close(c.asked[i / 2][i % 2]);
		close(c.answered[i / 2][i % 2]);
	}
	return ret;
}

/* --- a lock ------------------------------------------------------------------------------- */

#define USERS	3

/** struct lock - "holder" works with a mutex that the threads "user" want */
struct lock {
	struct worker holder;
	struct worker users[USERS];
	pthread_mutex_t mutex;
	pthread_barrier_t round;	/* where all meet, while "holder" has the mutex */
};

static void run_holder(struct worker *w)
{
	struct lock *l = w->arg;

	for (unsigned int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&l->mutex);
		pthread_barrier_wait(&l->round);
		for (unsigned int user = 0; user < USERS; user++)
			wait_until_in(&l->users[user].tid, SYS_futex, &l->mutex);
		burn(WORK_NS);
		pthread_mutex_unlock(&l->mutex);
		pthread_barrier_wait(&l->round);
	}
}

static void run_user(struct worker *w)
{
	struct lock *l = w->arg;

	for (unsigned int i = 0; i < ROUNDS; i++) {
		pthread_barrier_wait(&l->round);
		pthread_mutex_lock(&l->mutex);
		burn(WORK_NS / 100);
		pthread_mutex_unlock(&l->mutex);
		pthread_barrier_wait(&l->round);
	}
}

static int run_lock(void)
{
	struct lock l = {
		.holder = { .name = "holder", .cpu = ANY_CPU, .run = run_holder, .arg = &l },
		.mutex = PTHREAD_MUTEX_INITIALIZER,
	};
	int ret = pthread_barrier_init(&l.round, NULL, 1 + USERS);

	for (unsigned int i = 0; i < USERS; i++) {
		l.users[i] = (struct worker){ .cpu = ANY_CPU, .run = run_user, .arg = &l };
		snprintf(l.users[i].name, sizeof(l.users[i].name), "user%u", i);
		ret |= worker_start(&l.users[i]);
	}
	ret |= worker_start(&l.holder) | worker_join(&l.holder);
	for (unsigned int i = 0; i < USERS; i++)
		ret |= worker_join(&l.users[i]);
	pthread_barrier_destroy(&l.round);
	return ret;
}

/* --- a pipeline --------------------------------------------------------------------------- */

#define ITEM	4096	/* bytes, all that the pipe to "parse" has room for */

/** struct line - "gen" makes items for "parse", which works on each and passes it on to "sink" */
struct line {
	struct worker gen;
	struct worker parse;
	struct worker sink;
	int made[2];
	int parsed[2];
};

/* Twice as many as "parse" works on, so that it never waits for one. */
static void run_gen(struct worker *w)
{
	static const char item[ITEM];
	const struct line *l = w->arg;

	for (unsigned int i = 0; i < 2 * ROUNDS; i++)
		w->failed |= write(l->made[1], item, ITEM) != ITEM;
}

static void run_parse(struct worker *w)
{
	const struct line *l = w->arg;
	char item[ITEM];

	for (unsigned int i = 0; i < 2 * ROUNDS; i++) {
		w->failed |= read(l->made[0], item, ITEM) != ITEM;
		if (i < ROUNDS) {
			wait_until_in(&l->gen.tid, SYS_write, NULL);
			wait_until_in(&l->sink.tid, SYS_read, NULL);
			burn(WORK_NS);
		}
		pass(w, l->parsed[1]);
	}
}

static void run_sink(struct worker *w)
{
	const struct line *l = w->arg;

	for (unsigned int i = 0; i < 2 * ROUNDS; i++)
		await(w, l->parsed[0]);
}

static int run_line(void)
{
	struct line l = {
		.gen = { .name = "gen", .cpu = ANY_CPU, .run = run_gen, .arg = &l },
		.parse = { .name = "parse", .cpu = ANY_CPU, .run = run_parse, .arg = &l },
		.sink = { .name = "sink", .cpu = ANY_CPU, .run = run_sink, .arg = &l },
	};
	int i, ret = pipe(l.made) | pipe(l.parsed);

	ret |= fcntl(l.made[1], F_SETPIPE_SZ, ITEM) != ITEM;
	ret = ret ? ret : worker_start(&l.gen) | worker_start(&l.sink) | worker_start(&l.parse) |
			  worker_join(&l.gen) | worker_join(&l.parse) | worker_join(&l.sink);
	for (i = 0; i < 2; i++) {
		close(l.made[i]);
		close(l.parsed[i]);
	}
	return ret;
}

/* --- a thread that writes to the disk ------------------------------------------------------- */

/** struct journal - "ask" sleeps until "sync" has written an entry to the disk */
struct journal {
	struct worker ask;
	struct worker sync;
	int asked[2];	/* a pipe, whose first end is read from; @answered likewise */
	int answered[2];
	int file;
	/* rounds in which "sync" slept for the disk, which not all file systems need */
	unsigned int slept;
};

static void run_journal_ask(struct worker *w)
{
	const struct journal *j = w->arg;

	for (unsigned int i = 0; i < ROUNDS; i++) {
		pass(w, j->asked[1]);
		await(w, j->answered[0]);
	}
}

static void run_sync(struct worker *w)
{
	struct journal *j = w->arg;
	long slept;

	for (unsigned int i = 0; i < ROUNDS; i++) {
		await(w, j->asked[0]);
		wait_until_in(&j->ask.tid, SYS_read, NULL);
		burn(WORK_NS);
		slept = times_slept();
		w->failed |= write(j->file, "entry", 5) != 5 || fsync(j->file);
		j->slept += times_slept() > slept;
		pass(w, j->answered[1]);
	}
}

static int run_journal(const char *path, unsigned int *slept)
{
	struct journal j = {
		.ask = { .name = "ask", .cpu = ANY_CPU, .run = run_journal_ask, .arg = &j },
		.sync = { .name = "sync", .cpu = ANY_CPU, .run = run_sync, .arg = &j },
		.file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600),
	};
	int i, ret = pipe(j.asked) | pipe(j.answered) | (j.file < 0);

	ret = ret ? ret : worker_start(&j.sync) | worker_start(&j.ask) | worker_join(&j.ask) |
			  worker_join(&j.sync);
	for (i = 0; i < 2; i++) {
		close(j.asked[i]);
		close(j.answered[i]);
	}
	close(j.file);
	unlink(path);
	*slept = j.slept;
	return ret;
}

/* --- the answer --------------------------------------------------------------------------- */

static bool is_named(struct json_object *thread, const char *name)
{
	const char *is = json_object_get_string(member(thread, "name"));

	return is && !strcmp(is, name);
}

static bool is_partition(struct json_object *answer)
{
	struct json_object *window = member(answer, "window"), *parts = member(answer, "parts");
	uint64_t at = amount(window, "from_ns");
	size_t i;

	for (i = 0; i < json_object_array_length(parts); i++) {
		struct json_object *part = json_object_array_get_idx(parts, i);

		if (amount(part, "from_ns") != at || amount(part, "to_ns") <= at)
			return false;
		at = amount(part, "to_ns");
	}
	return i && at == amount(window, "to_ns");
}

static bool is_cause(struct json_object *of, const char *cause)
{
	return !strcmp(json_object_get_string(member(of, "cause")), cause);
}

static bool is_via(struct json_object *part, const char *name)
{
	struct json_object *chain = member(part, "via");

	for (size_t i = 0; i < json_object_array_length(chain); i++)
		if (is_named(json_object_array_get_idx(chain, i), name))
			return true;
	return false;
}

static uint64_t ran_for(struct json_object *answer, const char *name, const char *via)
{
	struct json_object *parts = member(answer, "parts");
	uint64_t sum = 0;

	for (size_t i = 0; i < json_object_array_length(parts); i++) {
		struct json_object *part = json_object_array_get_idx(parts, i);

		if (is_named(member(part, "thread"), name) && is_cause(part, "running") &&
		    is_via(part, via))
			sum += amount(part, "to_ns") - amount(part, "from_ns");
	}
	return sum;
}

static uint64_t slept_for(struct json_object *answer, const char *name)
{
	struct json_object *parts = member(answer, "parts");
	uint64_t sum = 0;

	for (size_t i = 0; i < json_object_array_length(parts); i++) {
		struct json_object *part = json_object_array_get_idx(parts, i);

		if (is_via(part, name) ||
		    (is_named(member(part, "thread"), name) && is_cause(part, "asleep")))
			sum += amount(part, "to_ns") - amount(part, "from_ns");
	}
	return sum;
}

static const char *who_ran(struct json_object *answer)
{
	struct json_object *causes = member(answer, "causes");

	for (size_t i = 0; i < json_object_array_length(causes); i++) {
		struct json_object *row = json_object_array_get_idx(causes, i);

		if (is_cause(row, "running") && member(row, "thread"))
			return json_object_get_string(member(member(row, "thread"), "name"));
	}
	return "nobody";
}

static struct json_object *ask(const char *archive, const char *about, const char *whom,
			       struct why *why)
{
	struct json_object *answer = NULL;
	struct tool t;

	if (tool_run(&t, ARGS("why", about, whom, "--json", archive)))
		complain(why, "fxt why: status %d: %.400s", t.status, t.err);
	else
		answer = json_tokener_parse(t.out);
	return answer;
}

static struct json_object *ask_why(const char *archive, const char *thread, struct why *why)
{
	return ask(archive, "--thread", thread, why);
}

#define RUN(tool, ...)	tool_run(tool, ARGS(__VA_ARGS__))

/* --- tests -------------------------------------------------------------------------------- */

/* The CPUs of hidden threads are unknown at times, so a half is enough. */
#define KNOWN_NS	(ROUNDS * WORK_NS / 2)

SOURCE_TEST(answers, chain)
{
	struct json_object *answer;

	ASSERT_BEGIN(NULL);
	ASSERT_EQ(0, run_chain(pipe));
	ASSERT_FINE(record_end(&self->c, &self->why));
	answer = ask_why(self->c.output, "ask", &self->why);
	ASSERT_NE(NULL, answer) TH_LOG("%s", self->why.text);
	EXPECT_TRUE(is_partition(answer));
	EXPECT_LE(KNOWN_NS, ran_for(answer, "work", "relay"));
}

SOURCE_TEST(answers, network)
{
	struct json_object *answer;

	ASSERT_BEGIN("-e", "irq");
	ASSERT_EQ(0, run_chain(make_socket));
	ASSERT_FINE(record_end(&self->c, &self->why));
	answer = ask_why(self->c.output, "ask", &self->why);
	ASSERT_NE(NULL, answer) TH_LOG("%s", self->why.text);
	EXPECT_TRUE(is_partition(answer));
	EXPECT_LE(WORK_NS, ran_for(answer, "work", "relay"));
}

/* Whichever user is asked about: the holder is named, also behind another user. */
SOURCE_TEST(answers, mutex)
{
	struct json_object *answer;
	char user[COMM_SIZE];

	ASSERT_BEGIN(NULL);
	ASSERT_EQ(0, run_lock());
	ASSERT_FINE(record_end(&self->c, &self->why));
	for (unsigned int i = 0; i < USERS; i++) {
		snprintf(user, sizeof(user), "user%u", i);
		answer = ask_why(self->c.output, user, &self->why);
		ASSERT_NE(NULL, answer) TH_LOG("%s", self->why.text);
		EXPECT_TRUE(is_partition(answer));
		EXPECT_STREQ("holder", who_ran(answer)) TH_LOG("%s", user);
		EXPECT_LE(KNOWN_NS, ran_for(answer, "holder", user));
	}
}

SOURCE_TEST(answers, pipeline)
{
	static const char *const ends[] = { "gen", "sink" };
	struct json_object *answer, *shares;
	unsigned int first = 0;
	char pid[16];

	ASSERT_BEGIN(NULL);
	ASSERT_EQ(0, run_line());
	ASSERT_FINE(record_end(&self->c, &self->why));
	for (unsigned int i = 0; i < 2; i++) {
		answer = ask_why(self->c.output, ends[i], &self->why);
		ASSERT_NE(NULL, answer) TH_LOG("%s", self->why.text);
		EXPECT_TRUE(is_partition(answer));
		EXPECT_STREQ("parse", who_ran(answer)) TH_LOG("%s", ends[i]);
		EXPECT_LE(KNOWN_NS, ran_for(answer, "parse", ends[i]));
	}
	snprintf(pid, sizeof(pid), "%d", getpid());
	answer = ask(self->c.output, "--program", pid, &self->why);
	ASSERT_NE(NULL, answer) TH_LOG("%s", self->why.text);
	shares = member(answer, "shares");
	/* fxt-collect is a child of this process, too, and slow on some machines. */
	while (is_named(json_object_array_get_idx(shares, first), "fxt-collect"))
		first++;
	EXPECT_TRUE(is_named(json_object_array_get_idx(shares, first), "parse"))
		TH_LOG("%s", json_object_to_json_string(shares));
}

/* The chain does not end at the thread that writes, but at what that sleeps for. */
SOURCE_TEST(answers, journal)
{
	char path[RECORD_PATH + 16];
	struct json_object *answer;
	unsigned int slept;

	snprintf(path, sizeof(path), "%s/journal", self->dir);
	ASSERT_BEGIN(NULL);
	ASSERT_EQ(0, run_journal(path, &slept));
	ASSERT_FINE(record_end(&self->c, &self->why));
	answer = ask_why(self->c.output, "ask", &self->why);
	ASSERT_NE(NULL, answer) TH_LOG("%s", self->why.text);
	EXPECT_TRUE(is_partition(answer));
	EXPECT_STREQ("sync", who_ran(answer));
	EXPECT_LE(KNOWN_NS, ran_for(answer, "sync", "ask"));
	if (slept > ROUNDS / 2)
		EXPECT_LT(0U, slept_for(answer, "sync"));
}

SOURCE_TEST(answers, claims)
{
	struct tool t;

	ASSERT_BEGIN(NULL);
	ASSERT_EQ(0, run_chain(pipe));
	ASSERT_FINE(record_end(&self->c, &self->why));
	EXPECT_EQ(0, RUN(&t, "diff", self->c.output, self->c.output)) TH_LOG("%s", t.err);
	EXPECT_IN(t.out, "\nno change");
	EXPECT_EQ(0, RUN(&t, "assert", "sum(run, comm=work) >= 40ms", self->c.output))
		TH_LOG("%s%s", t.out, t.err);
	EXPECT_EQ(1, RUN(&t, "assert", "sum(run, comm=work) < 40ms", self->c.output))
		TH_LOG("%s%s", t.out, t.err);
}
