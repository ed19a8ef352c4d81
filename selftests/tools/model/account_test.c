// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All commands tell the same about time, and it is the truth: random schedules with known truth
 * (schedule.h). $FXT_SEED repeats one of them, $FXT_STRESS makes them more. Whatever a command says
 * about a time was so; the archive of a schedule of which nothing is missing shows all of it;
 * commands that answer the same question give the same numbers.
 */
#include "harness.h"

#include <stdarg.h>


#include "json_get.h"
#include "schedule.h"
#include "stress.h"
#include "tool.h"

#define SCHEDULES	200
#define COMPLAINTS	3	/* of each command and schedule */
#define UNKNOWN		SCHEDULE_PARTIES

struct answer {
	struct schedule_account of[SCHEDULE_THREADS];
	uint64_t unknown[SCHEDULE_THREADS];
	uint64_t blamed[SCHEDULE_THREADS];	/* blame: ns that it waited, whoever had the CPU */
	/* who had the CPU that it waited for, or that those waited for until whom it slept */
	uint64_t lost[SCHEDULE_THREADS][SCHEDULE_PARTIES];
};

struct trial {
	struct schedule s;
	uint64_t seed;
	char path[32];
	char from[32];
	char to[32];
	uint64_t begin;		/* the range that is asked for, ns */
	uint64_t end;
	const char *command;
	unsigned int complaints;
	unsigned int failures;
};

static unsigned int findings_compared;

static void __attribute__((format(printf, 2, 3)))
refute(struct trial *t, const char *format, ...)
{
	va_list args;

	t->failures++;
	if (t->complaints++ >= COMPLAINTS)
		return;
	printf("# FXT_SEED=%" PRIu64 " (features 0x%x), %s: ", t->seed, t->s.features, t->command);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

/* --- JSON --------------------------------------------------------------------------------- */

static size_t count_of(struct json_object *list)
{
	return list ? json_object_array_length(list) : 0;
}

/* Run a command whose output is one JSON object; NULL after a complaint. */
static struct json_object *ask(struct trial *t, const char *const *args)
{
	struct json_object *answer = NULL;
	struct tool tool;

	t->command = args[0];
	t->complaints = 0;
	if (tool_run(&tool, args) > 1 && strcmp(args[0], "assert"))
		refute(t, "exit status %d: %s", tool.status, tool.err);
	else if (*tool.out)
		answer = json_tokener_parse(tool.out);
	tool_free(&tool);
	return answer;
}

/* --- parties -------------------------------------------------------------------------------- */

static int party_of_tid(uint64_t tid)
{
	return tid >= SCHEDULE_TID && tid < SCHEDULE_TID + SCHEDULE_THREADS ?
	       (int)(tid - SCHEDULE_TID) : UNKNOWN;
}

static int party_of(uint64_t tid, const char *name, const char *kind)
{
	if (!*kind)
		return party_of_tid(tid);
	if (!strcmp(kind, "idle"))
		return SCHEDULE_BY_IDLE;
	if (!strcmp(kind, "unknown"))
		return UNKNOWN;
	if (!strcmp(name, SCHEDULE_SOFTIRQ))
		return SCHEDULE_BY_SOFTIRQ;
	return !strcmp(name, SCHEDULE_CGROUP) ? SCHEDULE_BY_QUOTA : SCHEDULE_BY_IRQ;
}

static bool is_complete(const struct schedule *s)
{
	return s->features & SCHEDULE_MARKS &&
	       !(s->features & (SCHEDULE_UNRECORDED | SCHEDULE_LOSSES | SCHEDULE_FILTER |
				SCHEDULE_EQUAL));
}

/* What is true of a thread in a time, from where the archive can show it. */
static struct schedule_account truth_since(const struct trial *t, unsigned int thread,
					   bool since_known, uint64_t from, uint64_t to)
{
	uint64_t known = t->s.threads[thread].known;
	struct schedule_account a = { 0 };

	if (since_known && known > from)
		from = known < to ? known : to;
	schedule_truth(&t->s, thread, from, to, &a);
	return a;
}

static void compare(struct trial *t, unsigned int thread, const char *what, uint64_t said,
		    uint64_t least, uint64_t most)
{
	if (said < least || said > most)
		refute(t, "t%u: %s %" PRIu64 " ns, not %" PRIu64 " to %" PRIu64,
			 SCHEDULE_TID + thread, what, said, least, most);
}

/* Compare what is said about a time with the truth: never more, and all if the archive has all. */
static void judge(struct trial *t, const struct answer *told)
{
	struct schedule_account most, least;
	char what[32];

	for (unsigned int i = 0; i < t->s.thread_count; i++) {
		most = truth_since(t, i, false, t->begin, t->end);
		least = (struct schedule_account){ 0 };
		if (is_complete(&t->s))
			least = truth_since(t, i, true, t->begin, t->end);
		compare(t, i, "ran", told->of[i].run + told->of[i].interrupted,
			least.run + least.interrupted, most.run + most.interrupted);
		for (unsigned int j = 0; j < SCHEDULE_PARTIES; j++) {
			snprintf(what, sizeof(what), "waited for party %u", j);
			compare(t, i, what, told->of[i].by[j], least.by[j], most.by[j]);
		}
	}
}

/* --- fxt why -------------------------------------------------------------------------------- */

/* Add those who had the CPU to @sums. Return: did they have it for so long? */
static bool is_by_true(struct json_object *part, const struct schedule_account *a,
		       struct schedule_account *sums)
{
	struct json_object *list = member(part, "by"), *by;
	bool is_true = true;
	int party;

	for (size_t i = 0; i < count_of(list); i++) {
		by = json_object_array_get_idx(list, i);
		party = party_of(amount(by, "tid"), text_in(by, "name"), text_in(by, "kind"));
		if (party == UNKNOWN)
			continue;
		sums->by[party] += amount(by, "ns");
		is_true &= amount(by, "ns") <= a->by[party];
	}
	return is_true;
}

/* Is what a part of @ns says true? Add it to @sums. */
static bool is_part_true(struct json_object *part, const struct schedule_account *a, uint64_t ns,
			 struct schedule_account *sums)
{
	struct json_object *cpu = member(part, "cpu");
	bool is_cpu = !cpu || a->cpus == 1U << json_object_get_int(cpu);
	const char *cause = text_in(part, "cause");

	if (!strcmp(cause, "unknown"))
		return true;
	if (!strcmp(cause, "asleep"))
		return a->asleep == ns;
	if (!strcmp(cause, "running")) {
		sums->run += ns;
		return is_cpu && a->run == ns;
	}
	if (!strcmp(cause, "interrupt")) {
		sums->interrupted += ns;
		return is_cpu && a->interrupted == ns;
	}
	sums->runnable += ns;
	return is_by_true(part, a, sums) && is_cpu && a->runnable == ns &&
	       !strcmp(cause, "throttled") == (a->by[SCHEDULE_BY_QUOTA] == ns);
}

/* A thread is named for a sleep of another one: did it end that sleep? */
static bool is_via_true(struct trial *t, struct json_object *part, int thread)
{
	struct json_object *via = member(part, "via");
	size_t count = count_of(via);
	int sleeper;

	if (!count)
		return true;
	sleeper = party_of_tid(amount(json_object_array_get_idx(via, count - 1), "tid"));
	return sleeper != UNKNOWN &&
	       schedule_waker_at(&t->s, sleeper, amount(part, "from_ns")) == thread;
}

/* Add those who had the CPU in a part of the chain of @of. */
static void add_lost(struct json_object *part, uint64_t *of)
{
	struct json_object *list = member(part, "by"), *by;
	int party;

	for (size_t i = 0; i < count_of(list) && !strcmp(text_in(part, "cause"), "runnable"); i++) {
		by = json_object_array_get_idx(list, i);
		party = party_of(amount(by, "tid"), text_in(by, "name"), text_in(by, "kind"));
		if (party != UNKNOWN)
			of[party] += amount(by, "ns");
	}
}

static void judge_part(struct trial *t, struct json_object *part, struct answer *told)
{
	int thread = party_of_tid(amount(member(part, "thread"), "tid"));
	uint64_t from = amount(part, "from_ns"), to = amount(part, "to_ns");
	struct schedule_account a = { 0 }, unused = { 0 };
	bool is_own = !count_of(member(part, "via"));

	if (thread == UNKNOWN) {
		refute(t, "no such thread: %s", json_object_to_json_string(part));
		return;
	}
	schedule_truth(&t->s, thread, from, to, &a);
	if (!is_part_true(part, &a, to - from, is_own ? &told->of[thread] : &unused) ||
	    !is_via_true(t, part, thread))
		refute(t, "untrue: %s", json_object_to_json_string(part));
	if (is_own && !strcmp(text_in(part, "cause"), "unknown"))
		told->unknown[thread] += to - from;
}

static void judge_window(struct trial *t, struct json_object *window, struct answer *told)
{
	struct json_object *parts = member(window, "parts"), *part;
	uint64_t at = amount(member(window, "window"), "from_ns");
	int of = party_of_tid(amount(member(member(window, "window"), "thread"), "tid"));

	for (size_t i = 0; i < count_of(parts); i++) {
		part = json_object_array_get_idx(parts, i);
		if (amount(part, "from_ns") != at)
			refute(t, "no partition: %s", json_object_to_json_string(part));
		at = amount(part, "to_ns");
		judge_part(t, part, told);
		if (of != UNKNOWN)
			add_lost(part, told->lost[of]);
	}
	if (at != amount(member(window, "window"), "to_ns"))
		refute(t, "the parts end at %" PRIu64, at);
}

static void ask_why(struct trial *t, struct answer *told)
{
	struct json_object *answer = ask(t, ARGS("why", "--thread", "*", "--from", t->from, "--to",
						 t->to, "--json", t->path));
	struct json_object *windows = member(answer, "windows");

	memset(told, 0, sizeof(*told));
	for (size_t i = 0; i < count_of(windows); i++)
		judge_window(t, json_object_array_get_idx(windows, i), told);
	if (answer && !windows)
		judge_window(t, answer, told);
	json_object_put(answer);
	judge(t, told);
}

/* --- fxt blame ------------------------------------------------------------------------------ */

static void ask_blame(struct trial *t, struct answer *why)
{
	struct json_object *answer = ask(t, ARGS("blame", "--by", "thread", "--from", t->from,
						 "--to", t->to, "--json", t->path));
	struct json_object *pairs = member(answer, "pairs"), *pair, *culprit;
	struct answer told = { 0 };
	int victim, party;
	char what[48];

	memset(why->blamed, 0, sizeof(why->blamed));
	for (unsigned int i = 0; i < count_of(pairs); i++) {
		pair = json_object_array_get_idx(pairs, i);
		culprit = member(pair, "culprit");
		victim = party_of_tid(amount(member(pair, "victim"), "id"));
		party = party_of(amount(culprit, "id"), text_in(culprit, "name"),
				 text_in(culprit, "kind"));
		if (victim == UNKNOWN)
			refute(t, "no such thread: %s", json_object_to_json_string(pair));
		else if (party != UNKNOWN)
			told.of[victim].by[party] += amount(pair, "ns");
		if (victim != UNKNOWN)
			why->blamed[victim] += amount(pair, "ns");
	}
	json_object_put(answer);
	for (unsigned int i = 0; i < t->s.thread_count; i++)
		for (unsigned int j = 0; j < SCHEDULE_PARTIES; j++) {
			snprintf(what, sizeof(what), "unlike why, waited for party %u", j);
			compare(t, i, what, told.of[i].by[j], why->of[i].by[j], why->of[i].by[j]);
		}
}

/* --- fxt report ----------------------------------------------------------------------------- */

static void judge_occupants(struct trial *t, struct json_object *wait,
			    const struct schedule_account *a)
{
	struct json_object *list = member(wait, "occupants"), *o;
	int party;

	for (size_t i = 0; i < count_of(list); i++) {
		o = json_object_array_get_idx(list, i);
		if (amount(o, "threads") > 1)
			continue;
		party = amount(o, "tid") ? party_of_tid(amount(o, "tid")) : SCHEDULE_BY_IDLE;
		if (party == UNKNOWN || amount(o, "ns") > a->by[party] ||
		    (is_complete(&t->s) && amount(o, "ns") != a->by[party]))
			refute(t, "untrue: %s in %s", json_object_to_json_string(o),
				 json_object_to_json_string(wait));
	}
}

/* Who had the CPU for longest, and what is not a thread's, are told of each wait. */
static void judge_wait(struct trial *t, struct json_object *wait, const struct schedule_account *a)
{
	uint64_t most = 0;

	for (unsigned int i = 0; i <= SCHEDULE_BY_IDLE; i++)
		most = a->by[i] > most ? a->by[i] : most;
	if (amount(wait, "most_ns") != most || amount(wait, "unknown_ns") ||
	    amount(wait, "unplaced_ns") || amount(wait, "throttled_ns") != a->by[SCHEDULE_BY_QUOTA])
		refute(t, "not all told: %s", json_object_to_json_string(wait));
}

static void judge_worst(struct trial *t, struct json_object *wait)
{
	uint64_t to = amount(wait, "time_ns"), from = to - amount(wait, "latency_ns");
	int thread = party_of_tid(amount(wait, "tid"));
	struct schedule_account a = { 0 };

	if (thread == UNKNOWN)
		return;
	schedule_truth(&t->s, thread, from, to, &a);
	if (a.runnable != to - from)
		refute(t, "did not wait: %s", json_object_to_json_string(wait));
	judge_occupants(t, wait, &a);
	if (is_complete(&t->s))
		judge_wait(t, wait, &a);
}

static void judge_row(struct trial *t, struct json_object *row, const struct answer *why)
{
	int i = party_of_tid(amount(row, "tid"));
	struct schedule_account most, least = { 0 };
	uint64_t waited;

	if (i == UNKNOWN)
		return;
	compare(t, i, "unlike why, ran", amount(row, "run_ns"),
		why->of[i].run + why->of[i].interrupted, why->of[i].run + why->of[i].interrupted);
	waited = amount(member(row, "woken"), "sum_ns") +
		 amount(member(row, "preempted_waits"), "sum_ns");
	most = truth_since(t, i, false, t->s.from, t->s.to);
	if (is_complete(&t->s))
		least = truth_since(t, i, true, t->s.from, t->s.to);
	compare(t, i, "waited", waited, least.runnable, most.runnable);
	/* blame counts the rest of a wait of which records were lost, too. */
	waited = amount(row, "waited_ns");
	compare(t, i, "unlike blame, waited", waited,
		t->s.features & SCHEDULE_LOSSES ? 0 : why->blamed[i], why->blamed[i]);
}

/* A finding about one thread names culprits with the times that fxt why gives them. */
static void judge_finding(struct trial *t, struct json_object *finding, const struct answer *why)
{
	int victim = party_of_tid(amount(finding, "tid")), by;
	struct json_object *list = member(finding, "culprits"), *culprit;

	if (victim == UNKNOWN || strcmp(text_in(finding, "kind"), "behind"))
		return;
	findings_compared++;
	for (size_t i = 0; i < count_of(list); i++) {
		culprit = json_object_array_get_idx(list, i);
		by = party_of_tid(amount(culprit, "tid"));
		if (amount(culprit, "threads") != 1 || by == UNKNOWN ||
		    amount(culprit, "ns") != why->lost[victim][by])
			refute(t, "unlike why: %s in %s", json_object_to_json_string(culprit),
			       json_object_to_json_string(finding));
	}
}

/*
 * The wait of a line of the report: its end, its thread and what is true of it. Return: is it one?
 */
static bool read_wait(const struct trial *t, const char *line, struct json_object *worst,
		      struct schedule_account *a, uint64_t *latency)
{
	const char *at = strstr(line, " at ");
	struct json_object *wait;
	uint64_t seconds, time;
	unsigned int tid;

	if (!at || sscanf(at, " at %" SCNu64 ".%9" SCNu64 " s t%u/", &seconds, &time, &tid) != 3)
		return false;
	time += seconds * 1000000000;
	for (size_t i = 0; i < count_of(worst); i++) {
		wait = json_object_array_get_idx(worst, i);
		if (amount(wait, "time_ns") != time || amount(wait, "tid") != tid)
			continue;
		*latency = amount(wait, "latency_ns");
		*a = (struct schedule_account){ 0 };
		schedule_truth(&t->s, tid - SCHEDULE_TID, time - *latency, time, a);
		return true;
	}
	return false;
}

/* Those that the text names for the longest waits had the CPU for such a part of them. */
static void ask_report_text(struct trial *t, struct json_object *worst)
{
	struct schedule_account a = { 0 };
	uint64_t latency = 0, part;
	struct tool tool;
	unsigned int tid, percent;
	char *line, *next;

	t->command = "report (text)";
	t->complaints = 0;
	if (tool_run(&tool, ARGS("report", "--tables", t->path)) > 1)
		refute(t, "exit status %d: %s", tool.status, tool.err);
	for (line = tool.out; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (read_wait(t, line, worst, &a, &latency) || !latency ||
		    sscanf(line, " t%*u/%u ran %*s (%u%%)", &tid, &percent) != 2 ||
		    party_of_tid(tid) == UNKNOWN)
			continue;
		part = a.by[party_of_tid(tid)] * 100 / latency;
		if (percent > part + 1 || (is_complete(&t->s) && percent < part))
			refute(t, "%" PRIu64 " %% are true: %s", part, line);
	}
	tool_free(&tool);
}

static void ask_report(struct trial *t, const struct answer *why)
{
	struct json_object *answer = ask(t, ARGS("report", "--json", "--top", "10000", t->path));
	struct json_object *worst = member(answer, "worst"), *rows = member(answer, "threads");
	struct json_object *findings = member(answer, "findings");

	for (size_t i = 0; i < count_of(worst); i++)
		judge_worst(t, json_object_array_get_idx(worst, i));
	for (size_t i = 0; i < count_of(rows); i++)
		judge_row(t, json_object_array_get_idx(rows, i), why);
	for (size_t i = 0; i < count_of(findings); i++)
		judge_finding(t, json_object_array_get_idx(findings, i), why);
	if (!(t->s.features & SCHEDULE_EQUAL) && amount(member(answer, "losses"), "contradictions"))
		refute(t, "contradictions");
	ask_report_text(t, worst);
	json_object_put(answer);
}

/* --- fxt why --program ------------------------------------------------------------------------ */

/* The threads of one process: each ran and waited for as long as why says of each thread alone. */
static void ask_program(struct trial *t, const struct answer *why)
{
	struct json_object *program = ask(t, ARGS("why", "--program", "t101", "--from", t->from,
						  "--to", t->to, "--json", t->path));
	struct json_object *rows = member(program, "shares"), *row;
	uint64_t shares = 0;
	int n;

	for (size_t i = 0; i < count_of(rows); i++) {
		row = json_object_array_get_idx(rows, i);
		n = party_of_tid(amount(row, "tid"));
		shares += amount(row, "share_ns");
		if (n == UNKNOWN)
			continue;
		compare(t, n, "unlike why, ran", amount(row, "run_ns"),
			why->of[n].run, why->of[n].run);
		compare(t, n, "unlike why, waited", amount(row, "waited_ns"),
			why->of[n].runnable, why->of[n].runnable);
	}
	/* Each share is rounded. */
	if (shares > amount(program, "active_ns") + 1000 ||
	    shares + 1000 < amount(program, "active_ns"))
		refute(t, "shares of %" PRIu64 " ns: %" PRIu64, amount(program, "active_ns"), shares);
	json_object_put(program);
}

/* --- fxt assert ------------------------------------------------------------------------------- */

/* The bounds of a number contain the truth. They are equal if the archive shows all. */
static void judge_claim(struct trial *t, struct json_object *verdict, unsigned int n)
{
	struct json_object *claim = json_object_array_get_idx(member(verdict, "expressions"), n);
	struct json_object *of = json_object_array_get_idx(member(claim, "comparisons"), 0);
	uint64_t from = amount(verdict, "from_ns"), to = amount(verdict, "to_ns");
	struct schedule_account most = truth_since(t, n / 2, false, from, to);
	struct schedule_account least = truth_since(t, n / 2, true, from, to);
	unsigned int thread = n / 2;
	bool is_run = n % 2;
	uint64_t high = is_run ? most.run + most.interrupted : most.runnable;
	uint64_t low = is_run ? least.run + least.interrupted : least.runnable;
	bool is_bounded = member(of, "high");

	if (!member(of, "low"))
		return;
	if (amount(of, "low") > high || (is_bounded && amount(of, "high") < low))
		refute(t, "t%u: %" PRIu64 " ns is not within %s", SCHEDULE_TID + thread, high,
		       json_object_to_json_string(of));
	if (is_complete(&t->s) && is_bounded &&
	    (amount(of, "low") < low || amount(of, "high") > high))
		refute(t, "t%u: %" PRIu64 " to %" PRIu64 " ns is %s", SCHEDULE_TID + thread, low, high,
		       json_object_to_json_string(of));
}

static void ask_assert(struct trial *t)
{
	const char *args[4 * SCHEDULE_THREADS + 8] = { "assert", "--json", "--quiet" };
	char claims[2 * SCHEDULE_THREADS][48];
	struct json_object *verdict, *list;
	unsigned int i, n = 3;

	for (i = 0; i < 2 * t->s.thread_count; i++) {
		snprintf(claims[i], sizeof(claims[i]), "sum(%s, tid=%u) >= 0ns", i % 2 ? "run" : "wait",
			 SCHEDULE_TID + i / 2);
		args[n++] = "-e";
		args[n++] = claims[i];
	}
	args[n++] = t->path;
	args[n] = NULL;
	verdict = ask(t, args);
	list = member(verdict, "expressions");
	for (i = 0; i < count_of(list); i++)
		judge_claim(t, verdict, i);
	json_object_put(verdict);
}

/*
 * --- fxt diff ----------------------------------------------------------------------------------
 */

static void ask_diff(struct trial *t)
{
	struct json_object *diff = ask(t, ARGS("diff", "--json", t->path, "--", t->path));

	if (diff && count_of(member(diff, "changes")))
		refute(t, "the archive differs from itself: %s",
		       json_object_to_json_string(member(diff, "changes")));
	json_object_put(diff);
}

/* --- a schedule ----------------------------------------------------------------------------- */

static void set_range(struct trial *t, uint64_t from, uint64_t to)
{
	t->begin = from;
	t->end = to;
	snprintf(t->from, sizeof(t->from), "%" PRIu64 ".%09" PRIu64, from / 1000000000,
		 from % 1000000000);
	snprintf(t->to, sizeof(t->to), "%" PRIu64 ".%09" PRIu64, to / 1000000000, to % 1000000000);
}

static unsigned int try(uint64_t seed)
{
	struct trial *t = calloc(1, sizeof(*t));
	unsigned int failures;
	struct answer why;
	uint64_t from;

	t->seed = seed;
	strcpy(t->path, "/tmp/account_test_XXXXXX");
	close(mkstemp(t->path));
	schedule_make(&t->s, seed);
	save_file(t->path, t->s.story.b.words, built_bytes(&t->s.story.b));
	set_range(t, t->s.from, t->s.to);
	ask_why(t, &why);
	ask_blame(t, &why);
	ask_report(t, &why);
	ask_program(t, &why);
	ask_assert(t);
	ask_diff(t);
	from = t->s.from + schedule_random(&t->s, t->s.to - t->s.from - 1);
	set_range(t, from, from + 1 + schedule_random(&t->s, t->s.to - from - 1));
	ask_why(t, &why);
	ask_blame(t, &why);
	failures = t->failures;
	unlink(t->path);
	schedule_free(&t->s);
	free(t);
	return failures;
}

/* Try each fourth schedule, so that an emulated machine has time enough for a test. */
static void try_from(struct __test_metadata *_metadata, unsigned int first)
{
	unsigned int count = stress_rounds(100 * SCHEDULES, SCHEDULES), seed, failed = 0;
	const char *only = getenv("FXT_SEED");

	if (only && strtoull(only, NULL, 10) % 4 == first)
		failed = try(strtoull(only, NULL, 10)) != 0;
	for (seed = first; seed < count && !only; seed += 4)
		failed += try(seed) != 0;
	EXPECT_LT(0U, only ? 1 : findings_compared);
	EXPECT_EQ(0U, failed) TH_LOG("%u of %u schedules", failed, count / 4);
}

TEST(first_schedules)
{
	try_from(_metadata, 0);
}

TEST(second_schedules)
{
	try_from(_metadata, 1);
}

TEST(third_schedules)
{
	try_from(_metadata, 2);
}

TEST(fourth_schedules)
{
	try_from(_metadata, 3);
}
