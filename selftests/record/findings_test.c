// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt report describes in words what goes wrong: one of the findings of each of ten situations
 * names the culprit, and there is none about healthy processes.
 *
 * Other processes may be noisy, and have findings, too. They may also prevent a situation, because
 * then no CPU is idle. So each situation is tried several times, and skipped for that reason.
 */
#include <sys/resource.h>

#include "groups_fixture.h"
#include "real_time.h"
#include "situation.h"
#include "tool.h"

#define ATTEMPTS	5
#define TITLE		"\nFindings\n"
#define BUSY		0.25	/* of a CPU: others that use more disturb a test */

SOURCE_FIXTURE(findings);

/*
 * Copy the findings, one line each. In the report, the first line of each is indented by two
 * columns, and its other lines by four.
 */
static void take_sentences(char *to, size_t room, const char *report)
{
	const char *at = strstr(report, TITLE), *end;
	size_t used = 0;

	*to = '\0';
	for (at = at ? at + strlen(TITLE) : ""; *at == ' ' && used < room; at = end + (*end != '\0')) {
		end = strchrnul(at, '\n');
		used += snprintf(to + used, room - used, "%s%.*s",
				 at[2] != ' ' ? used ? "\n" : "" : " ",
				 (int)(end - at - strspn(at, " ")), at + strspn(at, " "));
	}
}

static bool has_words(const char *sentences, const char *const *words)
{
	const char *line, *end, *at;
	size_t i;

	for (line = sentences; *line; line = end + (*end != '\0')) {
		end = strchrnul(line, '\n');
		for (i = 0, at = line; at && words[i]; i++) {
			at = memmem(at, end - at, words[i], strlen(words[i]));
			at = at ? at + strlen(words[i]) : NULL;
		}
		if (at)
			return true;
	}
	return false;
}

static unsigned int count_sentences(const char *sentences, const char *word)
{
	const char *line, *end;
	unsigned int count = 0;

	for (line = sentences; *line; line = end + (*end != '\0')) {
		end = strchrnul(line, '\n');
		count += !!memmem(line, end - line, word, strlen(word));
	}
	return count;
}

/* of all processes of the machine, in s */
static double machine_time(void)
{
	unsigned long long n[8] = { 0 };
	FILE *f = fopen("/proc/stat", "re");
	int fields = f ? fscanf(f, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &n[0], &n[1],
				&n[2], &n[3], &n[4], &n[5], &n[6], &n[7]) : 0;

	if (f)
		fclose(f);
	/* The fourth and the fifth number are idle time. */
	return fields == 8 ? (double)(n[0] + n[1] + n[2] + n[5] + n[6] + n[7]) /
			     sysconf(_SC_CLK_TCK) : 0;
}

static double time_of(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return u.ru_utime.tv_sec + u.ru_stime.tv_sec +
	       (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* in s */
static double others_time(void)
{
	return machine_time() - time_of(RUSAGE_SELF) - time_of(RUSAGE_CHILDREN);
}

struct attempt {
	const struct situation *situation;
	const char *events;	/* argument of -e */
	const char *comm;	/* argument of the report's --comm, or NULL */
	const struct cgroup *cgroup;	/* of the situation, or NULL */
	bool is_busy;	/* other processes used much CPU time meanwhile */
	bool is_delayed;	/* the situation's threads measured that they were late */
	char said[8192];	/* the findings, one line each */
};

static int report(struct attempt *a, const char *archive, struct why *why)
{
	const char *const args[] = {
		"report", "--all", "--tables", archive, a->comm ? "--comm" : NULL, a->comm, NULL,
	};
	struct tool t;
	int ret = tool_run(&t, args);

	if (ret)
		complain(why, "fxt report: status %d: %.400s", ret, t.err);
	else
		take_sentences(a->said, sizeof(a->said), t.out);
	if (!ret && getenv("FXT_TEST_LOUD"))
		fputs(t.out, stderr);
	return ret ? -1 : 0;
}

static int record(FIXTURE_DATA(findings) *self, struct attempt *a, const struct actor *actor)
{
	const char *const args[] = { "-e", a->events, "-b", "64M", NULL };
	int ret;

	if (record_begin(&self->c, self->dir, self->source, args, &self->why)) {
		kill(actor->pid, SIGKILL);
		situation_run(actor);
		return -1;
	}
	ret = situation_run(actor);
	if (record_end(&self->c, &self->why))
		return -1;
	a->is_delayed = ret == SITUATION_DELAYED;
	return ret < 0 ? complain(&self->why, "%s failed", a->situation->process) : 0;
}

static int try_once(FIXTURE_DATA(findings) *self, struct attempt *a)
{
	double others = others_time(), began = boottime_ns() / 1e9;
	struct actor actor;
	int ret;

	if (*self->c.output)
		unlink(self->c.output);
	if (situation_start(&actor, a->situation, a->cgroup))
		return complain(&self->why, "%s does not start", a->situation->process);
	ret = record(self, a, &actor);
	others = others_time() - others;
	a->is_busy = others > BUSY * (boottime_ns() / 1e9 - began);
	return ret ? ret : report(a, self->c.output, &self->why);
}

/* Return: 0 if a finding has all words, 1 if none has, -1 with a reason in @why. */
static int try_often(FIXTURE_DATA(findings) *self, struct attempt *a, const char *const *words)
{
	int i, ret = 0;

	for (i = 0; i < ATTEMPTS && !ret; i++) {
		ret = try_once(self, a);
		if (!ret && has_words(a->said, words))
			return 0;
	}
	return ret ? ret : 1;
}

#define EXPECT_SAID(a, ...) do {						\
	const char *const words[] = { __VA_ARGS__, NULL };			\
	int ret;								\
										\
	ret = try_often(self, a, words);					\
	ASSERT_LE(0, ret) TH_LOG("%s", self->why.text);				\
	if (ret && (a)->is_busy && (a)->situation->needs_idle && !in_guest())	\
		SKIP(, "other processes keep the CPUs busy");			\
	else									\
		EXPECT_EQ(0, ret) TH_LOG("findings: %s", (a)->said);		\
} while (0)

#define NEEDS(a) do {								\
	int cpus[MAX_CPUS];							\
										\
	NEEDS_SOURCE();								\
	if (allowed_cpus(cpus) < (a)->situation->cpus)				\
		SKIP(return, "there is one CPU only");				\
} while (0)

/*
 * Any thread that waited for the hog is a victim; the longest wait may be that of another thread.
 * With PREEMPT_RT, the timer thread that would wake metronome has to wait, and metronome sleeps.
 */
TEST_F(findings, spike)
{
	const char *const victim = is_preempt_rt() ? TIMER_THREAD : "metronome/";
	struct attempt a = { .situation = &situation_spike, .events = "none" };

	NEEDS(&a);
	EXPECT_SAID(&a, "/", "% of its time (", " behind hog/");
	a.comm = is_preempt_rt() ? TIMER_THREAD "*" : "metronome";
	EXPECT_SAID(&a, victim, "% of its time (", " behind hog/");
}

TEST_F(findings, serial)
{
	struct attempt a = { .situation = &situation_serial, .events = "none" };

	NEEDS(&a);
	EXPECT_SAID(&a, "only one of ", " CPUs was busy ", "\"job\" ran alone ");
}

/* Of its threads only, because a busy machine has so many findings that some are left out. */
TEST_F(findings, convoy)
{
	struct attempt a = { .situation = &situation_convoy, .events = "none", .comm = "teller" };

	NEEDS(&a);
	EXPECT_SAID(&a, " threads of bank/", " take turns, as behind one lock");
}

TEST_F(findings, crowd)
{
	struct attempt a = { .situation = &situation_crowd, .events = "none" };

	NEEDS(&a);
	EXPECT_SAID(&a, "8 threads \"pinned\" waited ", " behind each other on cpu ", " was idle ",
		    "check the affinity");
}

TEST_F(findings, storm)
{
	struct attempt a = { .situation = &situation_storm, .events = "none", .comm = "brood" };

	NEEDS(&a);
	EXPECT_SAID(&a, "40 threads \"brood\" waited ", " behind each other on cpu ");
}

TEST_F(findings, flood)
{
	struct attempt a = { .situation = &situation_flood, .events = "irq" };

	NEEDS(&a);
	EXPECT_SAID(&a, "flooder/", " lost ", " to ", "soft interrupt NET_RX on cpu ");
}

/*
 * One cause gives one sentence. Without -e throttle it is a guess, and with counters only, as from
 * the module, nearly one.
 */
TEST_F(findings, quota)
{
	const char *const slices[] = { "glutton/", " had used up its quota", NULL };
	const char *const counters[] = { "glutton/", " used up its quota in ", NULL };
	struct attempt a = { .situation = &situation_glutton, .events = "none" };
	const char *missing;
	char name[64];
	struct cgroup cgroup;
	uint64_t throttled;

	NEEDS(&a);
	missing = cgroup_make(&cgroup, self->dir, true);
	if (missing)
		SKIP(return, "%s", missing);
	a.cgroup = &cgroup;
	snprintf(name, sizeof(name), "quota of cgroup /%s", cgroup.name);
	/* With version 1, the recorded cgroup may be that of another controller. */
	EXPECT_SAID(&a, "glutton/", cgroup.is_v2 ? "perhaps the " : "a quota of a cgroup",
		    cgroup.is_v2 ? name : "", "record with -e throttle");
	a.events = "throttle";
	EXPECT_SAID(&a, "glutton/", strchr(name, 'c'), ": raise it");
	EXPECT_TRUE(has_words(a.said, strstr(self->c.text, "slices by") ? slices : counters) ||
		    (a.is_busy && !in_guest()))
		TH_LOG("findings: %s", a.said);
	throttled = cgroup_throttled(&cgroup);
	cgroup_remove(&cgroup);
	EXPECT_LT(0U, throttled);
	EXPECT_GE(1U, count_sentences(a.said, cgroup.name)) TH_LOG("findings: %s", a.said);
	/*
	 * It may also wait behind other processes, or threads that the kernel hides: a second
	 * cause.
	 */
	if (!a.is_busy)
		EXPECT_GE(2U, count_sentences(a.said, "glutton")) TH_LOG("findings: %s", a.said);
}

/* Either of them may have had less of the CPU. */
TEST_F(findings, contention)
{
	struct attempt a = { .situation = &situation_contention, .events = "none", .comm = "p*er" };

	NEEDS(&a);
	EXPECT_SAID(&a, "p", "er/", " waited ", "% of its time (", " behind p", "er/", " on cpu ",
		    "; p", " behind it");
}

TEST_F(findings, inversion)
{
	struct attempt a = { .situation = &situation_inversion, .events = "none" };

	NEEDS(&a);
	EXPECT_SAID(&a, "priority inversion: high/", " asleep until low/", " behind mid/");
}

TEST_F(findings, slow_worker)
{
	struct attempt a = { .situation = &situation_pool, .events = "none", .comm = "worker-?" };

	NEEDS(&a);
	EXPECT_SAID(&a, "worker-3/", " slept ", " until interrupts", "of the 3 others like it");
}

/*
 * If threads were late, a report may rightly say so, and the attempt does not count. They cannot
 * measure how long they wait while they end, so a single wrong sentence is no failure.
 */
TEST_F(findings, healthy)
{
	struct attempt a = {
		.situation = &situation_healthy, .events = "irq", .comm = "napper",
	};
	static const char *const napper[] = { "napper", NULL };
	int i, wrong = 0;

	NEEDS(&a);
	for (i = 0; i < ATTEMPTS; i++) {
		ASSERT_FINE(try_once(self, &a));
		if (!has_words(a.said, napper))
			return;
		wrong += !a.is_delayed;
		ASSERT_GT(2, wrong) TH_LOG("findings: %s", a.said);
	}
	SKIP(return, "this machine delays threads");
}
