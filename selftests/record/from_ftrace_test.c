// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt reads the text of this kernel's own tracer: each switch becomes one record, and the records
 * are consistent.
 */
#include "harness.h"
#include "ftrace.h"
#include "tool.h"
#include "workload.h"

#define PROGRAMS	20

static const char events[] =
	"sched/sched_switch sched/sched_waking sched/sched_wakeup sched/sched_wakeup_new "
	"sched/sched_process_fork sched/sched_process_exec sched/sched_process_exit "
	"sched/sched_migrate_task task/task_newtask task/task_rename irq/irq_handler_entry "
	"irq/irq_handler_exit irq/softirq_entry irq/softirq_exit";

static int ping_pong(unsigned int rounds)
{
	int to[2], from[2], status;
	char c = 0;
	pid_t pid;

	if (pipe(to) || pipe(from))
		return -1;
	pid = fork();
	if (!pid) {
		for (unsigned int i = 0; i < rounds; i++)
			if (read(to[0], &c, 1) != 1 || write(from[1], &c, 1) != 1)
				_exit(1);
		_exit(0);
	}
	for (unsigned int i = 0; i < rounds; i++)
		if (write(to[1], &c, 1) != 1 || read(from[0], &c, 1) != 1)
			break;
	for (unsigned int i = 0; i < 2; i++) {
		close(to[i]);
		close(from[i]);
	}
	return waitpid(pid, &status, 0) == pid && !status ? 0 : -1;
}

/* Copy the text into a file. Return: lines with switches, -1 on errors. */
static long save(const char *path)
{
	FILE *from = fopen(FTRACE_INSTANCE "/trace", "re"), *to = fopen(path, "we");
	char *line = NULL;
	size_t room = 0;
	long switches = 0;

	while (from && to && getline(&line, &room, from) > 0) {
		switches += !!strstr(line, ": sched_switch: ");
		fputs(line, to);
	}
	if (from)
		fclose(from);
	return to && !fclose(to) ? switches : -1;
}

static long number_before(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	while (at && at > text && at[-1] >= '0' && at[-1] <= '9')
		at--;
	return at ? atol(at) : -1;
}

TEST(the_text_of_this_kernel)
{
	char path[] = "/tmp/fxt_from_ftrace.XXXXXX";
	unsigned int rounds = scaled(2000);
	struct tool t;
	long switches;
	int i, fd;

	if (ftrace_missing())
		SKIP(return, "%s", ftrace_missing());
	fd = mkstemp(path);
	ASSERT_LE(0, fd);
	close(fd);
	ASSERT_EQ(0, ftrace_begin(events)) TH_LOG(FTRACE_INSTANCE ": %s", strerror(errno));
	EXPECT_EQ(0, ping_pong(rounds));
	for (i = 0; i < PROGRAMS; i++)
		EXPECT_EQ(0, system("true"));
	EXPECT_EQ(0, ftrace_end());
	switches = save(path);
	EXPECT_LT((long)rounds, switches);
	EXPECT_EQ(0, ftrace_remove());
	EXPECT_EQ(0, tool_run(&t, ARGS("check", path))) TH_LOG("%s%s", t.out, t.err);
	EXPECT_NOT_IN(t.err, "not understood");
	EXPECT_EQ(switches, number_before(t.out, " switches")) TH_LOG("%s", t.out);
	unlink(path);
}
