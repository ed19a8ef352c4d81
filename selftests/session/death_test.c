// SPDX-License-Identifier: GPL-2.0-or-later
/* End recordings by signals, by SIGKILL, and next to another one. */
#include <linux/bpf.h>

#include "failure.h"
#include "kmod.h"
#include "source_fixture.h"

#define MAX_PROGRAMS	64

SOURCE_FIXTURE(death);
MODULE_FIXTURE(death_limit);	/* BPF has none */

/* Ids of our loaded BPF programs, which share a name prefix. */
struct programs {
	uint32_t ids[MAX_PROGRAMS];
	size_t count;
};

static long bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static bool is_ours(uint32_t id)
{
	union bpf_attr attr = { .prog_id = id };
	struct bpf_prog_info info = { 0 };
	int fd = bpf(BPF_PROG_GET_FD_BY_ID, &attr);

	if (fd < 0)
		return false;
	attr = (union bpf_attr){
		.info = { .bpf_fd = fd, .info_len = sizeof(info),
			  .info = (uintptr_t)&info },
	};
	if (bpf(BPF_OBJ_GET_INFO_BY_FD, &attr))
		info.name[0] = '\0';
	close(fd);
	return !strncmp(info.name, "on_sched_", 9) || !strncmp(info.name, "on_task_", 8);
}

static struct programs our_programs(void)
{
	struct programs p = { .count = 0 };
	union bpf_attr attr = { .start_id = 0 };

	while (p.count < MAX_PROGRAMS && !bpf(BPF_PROG_GET_NEXT_ID, &attr)) {
		uint32_t id = attr.next_id;

		if (is_ours(id))
			p.ids[p.count++] = id;
		attr = (union bpf_attr){ .start_id = id };
	}
	return p;
}

static bool any_of(const struct programs *now, const struct programs *old)
{
	for (size_t i = 0; i < now->count; i++)
		for (size_t j = 0; j < old->count; j++)
			if (now->ids[i] == old->ids[j])
				return true;
	return false;
}

/*
 * Does the kernel have the parts of the session, or none of them (!@is_there)? @mine: the session's
 * BPF programs. The users of a built-in module are not counted, so both hold then.
 */
static bool session_is(bool is_there, const char *source, const struct programs *mine)
{
	int users = kmod_users();
	struct programs now;

	if (!strcmp(source, "kmod"))
		return users < 0 || (users > 0) == is_there;
	now = our_programs();
	return any_of(&now, mine) == is_there;
}

/* The programs that a collector has loaded. */
static struct programs new_programs(const struct programs *before)
{
	struct programs now = our_programs(), new = { .count = 0 };

	for (size_t i = 0; i < now.count; i++)
		if (!any_of(&(struct programs){ { now.ids[i] }, 1 }, before))
			new.ids[new.count++] = now.ids[i];
	return new;
}

static int make_load(void)
{
	struct pair pair = { .rounds = scaled(400),
			     .ends = { { .cpu = ANY_CPU }, { .cpu = ANY_CPU } } };

	return pairs_run(&pair, 1);
}

static int check_next_session(const char *dir, const char *source, struct collector *c,
			      struct why *why)
{
	struct trace t;
	int ret;

	if (record_begin(c, dir, source, NULL, why) || make_load())
		return -1;
	ret = record_load(c, &t, why);
	if (!ret)
		ret = trace_check_all(&t, why);
	return ret;
}

SOURCE_TEST(death, by_sigkill)
{
	struct programs before, mine;

	before = our_programs();
	ASSERT_EQ(0, collector_spawn(&self->c, self->dir, ARGS("-s", self->source, "-b", "256K"),
				     -1));
	ASSERT_FINE(wait_for_records(&self->c, &self->why));
	mine = new_programs(&before);
	EXPECT_TRUE(session_is(true, self->source, &mine));
	ASSERT_EQ(0, make_load());
	kill(self->c.pid, SIGKILL);
	EXPECT_EQ(128 + SIGKILL, collector_wait(&self->c));

	/* The archive is valid up to its end, and correct. */
	ASSERT_FINE(trace_load(&self->t, self->c.output, true, &self->why));
	EXPECT_LT(0U, self->t.stream_count);
	EXPECT_FINE(trace_check_records(&self->t, &self->why));
	EXPECT_FINE(trace_check_chain(&self->t, &self->why));

	/* The module's session ends when the device is closed; memory of BPF is freed later. */
	for (int waited = 0; waited < PATIENCE_MS && strcmp(self->source, "kmod"); waited += 20) {
		if (session_is(false, self->source, &mine))
			break;
		sleep_ms(20);
	}
	EXPECT_TRUE(session_is(false, self->source, &mine));
	EXPECT_FINE(check_next_session(self->dir, self->source, &self->c, &self->why));
}

static void test_signal(struct __test_metadata *_metadata, FIXTURE_DATA(death) *self, int signal)
{
	ASSERT_EQ(0, collector_spawn(&self->c, self->dir, ARGS("-s", self->source), -1));
	ASSERT_FINE(wait_for_records(&self->c, &self->why));
	ASSERT_EQ(0, make_load());
	kill(self->c.pid, signal);
	EXPECT_EQ(0, collector_wait(&self->c)) TH_LOG("%s", self->c.text);
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	EXPECT_FINE(trace_check_all(&self->t, &self->why));
}

SOURCE_TEST(death, by_sigint)
{
	test_signal(_metadata, self, SIGINT);
}

SOURCE_TEST(death, by_sigterm)
{
	test_signal(_metadata, self, SIGTERM);
}

/* The command gets the signal as well, and its exit status is the collector's. */
SOURCE_TEST(death, with_command)
{
	char ready[RECORD_PATH + 8], script[2 * RECORD_PATH];

	snprintf(ready, sizeof(ready), "%s/ready", self->dir);
	snprintf(script, sizeof(script),
		 "trap 'exit 9' TERM; : >%s; while :; do sleep 0.05; done", ready);
	ASSERT_EQ(0, collector_spawn(&self->c, self->dir, ARGS("-s", self->source, "--", "sh", "-c",
							       script), -1));
	for (int waited = 0; waited < PATIENCE_MS && access(ready, F_OK); waited += 20)
		sleep_ms(20);
	ASSERT_EQ(0, access(ready, F_OK));
	kill(self->c.pid, SIGINT);
	EXPECT_EQ(9, collector_wait(&self->c)) TH_LOG("%s", self->c.text);
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	EXPECT_FINE(trace_check_all(&self->t, &self->why));
}

/* Neither recording affects the other. */
static void test_second(struct __test_metadata *_metadata, FIXTURE_DATA(death) *self,
			const char *source)
{
	struct collector second;
	char dir[RECORD_PATH];
	struct trace t;

	ASSERT_EQ(0, dir_make(dir, sizeof(dir)));
	ASSERT_BEGIN(NULL);
	ASSERT_FINE(record_begin(&second, dir, source, NULL, &self->why));
	ASSERT_EQ(0, make_load());
	EXPECT_FINE(record_load(&second, &t, &self->why));
	EXPECT_FINE(trace_check_all(&t, &self->why));
	dir_remove(dir);
	ASSERT_EQ(0, make_load());
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));
}

SOURCE_TEST(death, second_collector)
{
	test_second(_metadata, self, self->source);
}

SOURCE_TEST(death, second_collector_auto)
{
	test_second(_metadata, self, "auto");
}

/* The module refuses a session too many, also with the source auto, which does not use BPF. */
SOURCE_TEST(death_limit, one_too_many)
{
	const struct failure failures[] = {
		{ 5, "raise /sys/module/fxt_sched/parameters/max_sessions",
		  { "-q", "-s", "kmod", "-d", "10ms" } },
		{ 5, "or use --source=bpf", { "-q", "-s", "auto", "-d", "10ms" } },
	};
	char dir[RECORD_PATH];

	if (!in_guest())
		SKIP(return, "only where nobody else uses the machine (FXT_GUEST=1)");
	ASSERT_EQ(0, dir_make(dir, sizeof(dir)));
	ASSERT_BEGIN(NULL);
	ASSERT_EQ(0, kmod_set("max_sessions", "1"));
	for (size_t i = 0; i < ARRAY_SIZE(failures); i++) {
		struct collector second;

		EXPECT_FINE(check_run(&second, dir, &failures[i], &self->why));
	}
	EXPECT_EQ(0, kmod_set("max_sessions", "16"));
	dir_remove(dir);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_FINE(check_next_session(self->dir, self->source, &self->c, &self->why));
}
