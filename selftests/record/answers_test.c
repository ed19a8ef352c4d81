// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * answers_test.c - the answers of fxt why, blame, diff and assert for real recordings.
 *
 * In:  threads of known names that wait for one another, while each source records.
 * Must hold: the parts of an answer partition its window; a chain is followed to the thread that
 * did the work, for no less than the CPU time that this took; a recording equals itself.
 *
 * Other processes take time as well, so nothing is said of how long waits are.
 */
#include <json-c/json.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "source_fixture.h"
#include "tool.h"

#define ROUNDS		20
#define WORK_NS		4000000ULL	/* CPU time of "work" in each round */

SOURCE_FIXTURE(answers);

/* --- threads ------------------------------------------------------------------------------ */

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

/**
 * struct chain - "ask" sleeps until "relay" answers, which sleeps until "work" does
 * @asked: pipes or sockets on which "ask" and "relay" ask; the first end is for reading
 * @answered: the same for the answers
 */
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
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		pass(w, c->asked[0][1]);
		await(w, c->answered[0][0]);
	}
}

static void run_relay(struct worker *w)
{
	const struct chain *c = w->arg;
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		await(w, c->asked[0][0]);
		pass(w, c->asked[1][1]);
		await(w, c->answered[1][0]);
		pass(w, c->answered[0][1]);
	}
}

/*
 * Work only while the others sleep, so that they wait for all of it. A nap precedes the answer: the
 * thread that raised the soft interrupt is known only if no other interrupt came since that thread
 * got its CPU.
 */
static void run_work(struct worker *w)
{
	const struct chain *c = w->arg;
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		await(w, c->asked[1][0]);
		while (process_state(c->ask.tid) != 'S' || process_state(c->relay.tid) != 'S')
			sleep_ms(1);
		burn(WORK_NS);
		sleep_ms(1);
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

/* --- the answer --------------------------------------------------------------------------- */

static struct json_object *member(struct json_object *of, const char *name)
{
	struct json_object *j = NULL;

	json_object_object_get_ex(of, name, &j);
	return j;
}

static uint64_t number(struct json_object *of, const char *name)
{
	return json_object_get_uint64(member(of, name));
}

static bool is_named(struct json_object *thread, const char *name)
{
	const char *is = json_object_get_string(member(thread, "name"));

	return is && !strcmp(is, name);
}

/* Do the parts fill the window, without gaps? */
static bool is_partition(struct json_object *answer)
{
	struct json_object *window = member(answer, "window"), *parts = member(answer, "parts");
	uint64_t at = number(window, "from_ns");
	size_t i;

	for (i = 0; i < json_object_array_length(parts); i++) {
		struct json_object *part = json_object_array_get_idx(parts, i);

		if (number(part, "from_ns") != at || number(part, "to_ns") <= at)
			return false;
		at = number(part, "to_ns");
	}
	return i && at == number(window, "to_ns");
}

/* Return: ns for which @name ran while the window's thread waited for it through @via. */
static uint64_t ran_for(struct json_object *answer, const char *name, const char *via)
{
	struct json_object *parts = member(answer, "parts");
	uint64_t sum = 0;
	size_t i, j;

	for (i = 0; i < json_object_array_length(parts); i++) {
		struct json_object *part = json_object_array_get_idx(parts, i);
		struct json_object *chain = member(part, "via");

		if (!is_named(member(part, "thread"), name) ||
		    strcmp(json_object_get_string(member(part, "cause")), "running"))
			continue;
		for (j = 0; j < json_object_array_length(chain); j++)
			if (is_named(json_object_array_get_idx(chain, j), via))
				break;
		if (j < json_object_array_length(chain))
			sum += number(part, "to_ns") - number(part, "from_ns");
	}
	return sum;
}

/* Return: the answer; NULL with a reason in @why. */
static struct json_object *ask_why(const char *archive, const char *thread, struct why *why)
{
	const char *const args[] = { "why", "--thread", thread, "--json", archive, NULL };
	struct json_object *answer = NULL;
	struct tool t;

	if (tool_run(&t, args))
		complain(why, "fxt why: status %d: %.400s", t.status, t.err);
	else
		answer = json_tokener_parse(t.out);
	tool_free(&t);
	return answer;
}

#define RUN(tool, ...)	tool_run(tool, (const char *const []){ __VA_ARGS__, NULL })

/* --- tests -------------------------------------------------------------------------------- */

/* The CPUs of hidden threads are unknown at times, so a half is enough. */
#define KNOWN_NS	(ROUNDS * WORK_NS / 2)

TEST_F_TIMEOUT(answers, chain, TEST_SECONDS)
{
	struct json_object *answer;

	NEEDS_SOURCE();
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, NULL, &self->why));
	ASSERT_EQ(0, run_chain(pipe));
	ASSERT_FINE(record_end(&self->c, &self->why));
	answer = ask_why(self->c.output, "ask", &self->why);
	ASSERT_NE(NULL, answer) TH_LOG("%s", self->why.text);
	EXPECT_TRUE(is_partition(answer));
	EXPECT_LE(KNOWN_NS, ran_for(answer, "work", "relay"));
	json_object_put(answer);
}

/* The same through the network: the sender has raised the soft interrupt that wakes. */
TEST_F_TIMEOUT(answers, network, TEST_SECONDS)
{
	const char *const args[] = { "-e", "irq", NULL };
	struct json_object *answer;

	NEEDS_SOURCE();
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args, &self->why));
	ASSERT_EQ(0, run_chain(make_socket));
	ASSERT_FINE(record_end(&self->c, &self->why));
	answer = ask_why(self->c.output, "ask", &self->why);
	ASSERT_NE(NULL, answer) TH_LOG("%s", self->why.text);
	EXPECT_TRUE(is_partition(answer));
	EXPECT_LE(WORK_NS, ran_for(answer, "work", "relay"));
	json_object_put(answer);
}

/* A recording does not differ from itself, and claims about it are true or false. */
TEST_F_TIMEOUT(answers, claims, TEST_SECONDS)
{
	struct tool t;

	NEEDS_SOURCE();
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, NULL, &self->why));
	ASSERT_EQ(0, run_chain(pipe));
	ASSERT_FINE(record_end(&self->c, &self->why));
	EXPECT_EQ(0, RUN(&t, "diff", self->c.output, self->c.output)) TH_LOG("%s", t.err);
	EXPECT_EQ(0, strncmp(t.out, "no change", strlen("no change"))) TH_LOG("%s", t.out);
	tool_free(&t);
	EXPECT_EQ(0, RUN(&t, "assert", "sum(run, comm=work) >= 40ms", self->c.output))
		TH_LOG("%s%s", t.out, t.err);
	tool_free(&t);
	EXPECT_EQ(1, RUN(&t, "assert", "sum(run, comm=work) < 40ms", self->c.output))
		TH_LOG("%s%s", t.out, t.err);
	tool_free(&t);
}

TEST_HARNESS_MAIN
