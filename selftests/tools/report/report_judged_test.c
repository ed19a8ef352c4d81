// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vectors/judged/ has recordings of situations that were made on purpose, each by one command:
 * without options, the first finding of fxt report is about that situation.
 *
 * Situations of which there is no recording are stories of report_findings_test.c; findings_test.c
 * makes some of them on this machine.
 */
#include <string.h>

#include "harness.h"
#include "tool.h"

static const struct investigation {
	const char *file;
	const char *first;	/* the finding, as one line */
} investigations[] = {
	{ "cgroup-moves-itself.fxt.zst",
	  "encode0/151 limits this program: it runs 100% of its time, and burners/149 "
	  "(88%) sleeps until it" },
	{ "convoy-with-hog.fxt.zst",
	  "4 threads of convoy2/183, such as teller2/186, take turns, as behind one "
	  "lock: each slept or waited 63% of its time while others of them ran (7.55s "
	  "in 2478 parts, longest 53.0ms)" },
	{ "convoy.fxt.zst",
	  "4 threads of convoy2/148, such as teller2/152, take turns, as behind one "
	  "lock: each slept or waited 70% of its time while others of them ran (8.37s "
	  "in 2323 parts, longest 72.2ms)" },
	{ "dl-throttle-idle.txt",
	  "dlctl/50 waited 87% of its time (270ms in 3 waits, longest 90.0ms), kept "
	  "from running by its deadline budget" },
	{ "dl-throttle.txt",
	  "dlctl/50 waited 87% of its time (270ms in 3 waits, longest 90.0ms), kept "
	  "from running by its deadline budget" },
	{ "early-wakeup.txt",
	  "w/50 waited 91% of its time (30.0ms in 1 wait, longest 30.0ms) behind z/70 "
	  "on cpu 0" },
	{ "early-waking.txt",
	  "w/50 waited 91% of its time (30.0ms in 1 wait, longest 30.0ms) behind z/70 "
	  "on cpu 0" },
	{ "filtered-by-name.fxt.zst",
	  "parser/195 waited 43% of its time (854ms in 172 waits, longest 130ms) "
	  "behind poller/194 on cpu 1" },
	{ "idle-cpu-meanwhile.txt",
	  "w/60 waited 33% of its time (103ms in 1 wait, longest 103ms) behind hog/50 "
	  "on cpu 0, while cpu 1 was idle for 99% of the time: check the affinity" },
	{ "pinned-to-busy-cpu.fxt.zst",
	  "server/182 waited 5% of its time (114ms in 253 waits, longest 13.1ms) "
	  "behind hogger/181 on cpu 1, while cpu 0 was idle for 93% of the time: check "
	  "the affinity; hogger/181 waited 24% behind it" },
	{ "priority-inversion.fxt.zst",
	  "priority inversion: high/201 lost 34% of its time (483ms in 16 sleeps, "
	  "longest 100ms) asleep until low/199 (real-time 10), which waited behind "
	  "mid/200 (real-time 20) on cpu 1; so did low/199 (36%) and inversion/197 "
	  "(34%)" },
	{ "rt-throttle.txt",
	  "lowrt/60 waited 67% of its time (1.40s in 2 waits, longest 700ms), kept "
	  "from running by real-time throttling; so did highrt/50 (66%)" },
	{ "slow-worker.fxt.zst",
	  "worker-2/191 slept 26% of its time (780ms in 19 sleeps, 41.1ms on average) "
	  "until interrupts, as of a timer or a device, and none of the 3 others like "
	  "it did" },
	{ "throttled-after-move-2.fxt.zst",
	  "encode0/161 waited 89% of its time (2.71s in 31 waits, longest 93.7ms) "
	  "while its CPU was idle: cgroup /batch had used up its quota on "
	  "that CPU then, and kept it from running if it was in it; so did encode1/162 "
	  "(86%); burners/160 (88%) and sh/158 (85%) slept until one of these meanwhile" },
	{ "throttled-after-move.fxt.zst",
	  "encode1/171 waited 89% of its time (1.78s in 19 waits, longest 165ms) while "
	  "its CPU was idle: cgroup /batch had used up its quota on that CPU "
	  "then, and kept it from running if it was in it; so did encode0/170 (86%); "
	  "burners/168 (76%) slept until one of these meanwhile" },
};

#define TITLE	"\nFindings\n  "

/* Of the first finding, the first line is indented by two columns, the others by four. */
static void take_first(char *to, size_t room, const char *report)
{
	const char *at = strstr(report, TITLE), *end;
	size_t used = 0;

	*to = '\0';
	for (at = at ? at + strlen(TITLE) : NULL; at; at = strncmp(end, "\n    ", 5) ? NULL : end + 5) {
		end = strchrnul(at, '\n');
		used += snprintf(to + used, room - used, "%s%.*s", used ? " " : "", (int)(end - at), at);
		if (used >= room)
			return;
	}
}

TEST(first_findings)
{
	char path[4096], first[1024];
	const struct investigation *of;
	struct tool t;

	setenv("LC_ALL", "C.UTF-8", 1);
	for (of = investigations; of < investigations + sizeof(investigations) / sizeof(*of); of++) {
		snprintf(first, sizeof(first), "vectors/judged/%s", of->file);
		built_path(path, sizeof(path), first);
		ASSERT_EQ(0, tool_run(&t, ARGS("report", path))) TH_LOG("%s: %s", of->file, t.err);
		take_first(first, sizeof(first), t.out);
		EXPECT_STREQ(of->first, first) TH_LOG("%s", of->file);
		tool_free(&t);
	}
}
