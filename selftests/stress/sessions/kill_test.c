// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SIGKILLs, spread evenly from the first instruction of fxt-collect to beyond its last. After each,
 * the next recording works at once, and the archive is at worst truncated; at the end the kernel
 * holds nothing of the killed collectors.
 */
#include <glob.h>

#include "source_fixture.h"
#include "stress.h"
#include "tool.h"

SOURCE_FIXTURE(killed);

/* Ways of recording: each opens different files and closes them in a different order. */
static const char * const ways[][4] = {
	{ NULL },
	{ "-z", "zstd" },
	{ "--rotate", "time=20ms" },
	{ "-F" },
	{ "-F", "--trigger", "latency>1us" },
	{ "--names", "cmdline" },
	{ "-b", "8K" },
};

static void fill_args(const char **args, const char *source, unsigned int n)
{
	const char *const *way = ways[n % ARRAY_SIZE(ways)];
	size_t i = 0, j;

	args[i++] = "-q";
	args[i++] = "-s";
	args[i++] = source;
	args[i++] = "-d";
	args[i++] = "50ms";
	for (j = 0; j < 4 && way[j]; j++)
		args[i++] = way[j];
	args[i] = NULL;
}

/* fxt check may report these findings for a torn archive, and no others. */
static bool is_torn(const char *finding)
{
	static const char * const torn[] = {
		"\"class\":\"format\",\"kind\":\"past-end\"",
		"zstd data are truncated",
		"no closing ledger",
	};
	const char *end = strchr(finding, '}');

	for (size_t i = 0; i < ARRAY_SIZE(torn); i++) {
		const char *at = strstr(finding, torn[i]);

		if (at && end && at < end)
			return true;
	}
	return false;
}

static int check_findings(const char *path, const struct tool *tool, struct why *why)
{
	const char *begin = strstr(tool->out, "\"violations\":["), *end, *p;

	end = begin ? strstr(begin, "],\"notes\"") : NULL;
	if (!end)
		return complain(why, "fxt check %s: status %d: %.150s%.150s", path, tool->status,
				tool->out, tool->err);
	for (p = strchr(begin, '{'); p && p < end; p = strchr(p + 1, '{'))
		if (!is_torn(p))
			return complain(why, "%s: %.400s", path, p);
	return 0;
}

static int check_file(const char *path, struct why *why)
{
	struct tool tool;
	struct stat st;
	int ret;

	/* The collector had not written anything yet. */
	if (!stat(path, &st) && !st.st_size)
		return 0;
	if (tool_run(&tool, ARGS("check", "--json", "--only", "format,sched", path)) < 0)
		return complain(why, "fxt cannot be run");
	ret = check_findings(path, &tool, why);
	tool_free(&tool);
	return ret;
}

/* Check all files that the collector left, whatever their names, and remove them. */
static int check_remains(const char *dir, unsigned int *files, struct why *why)
{
	char pattern[RECORD_PATH + 8];
	int ret = 0;
	glob_t g;

	snprintf(pattern, sizeof(pattern), "%s/*sched*", dir);
	if (!glob(pattern, 0, NULL, &g)) {
		for (size_t i = 0; i < g.gl_pathc; i++) {
			if (!ret)
				ret = check_file(g.gl_pathv[i], why);
			unlink(g.gl_pathv[i]);
		}
		*files += g.gl_pathc;
	}
	globfree(&g);
	return ret;
}

static int check_next(FIXTURE_DATA(killed) *self, struct why *why)
{
	const char *args[] = { "-q", "-s", self->source, "-d", "10ms", NULL };
	int status = collector_run(&self->c, self->dir, args), ret;

	if (status)
		return complain(why, "the next recording ended with status %d: %.400s", status,
				self->c.text);
	ret = trace_load(&self->t, self->c.output, false, why);
	if (!ret)
		ret = trace_check_kept(&self->t, why);
	trace_free(&self->t);
	unlink(self->c.output);
	return ret;
}

/* The time that an undisturbed recording takes; 0 if it failed. */
static uint64_t lifetime(FIXTURE_DATA(killed) *self, unsigned int way)
{
	const char *args[16];
	uint64_t began = boottime_ns();

	fill_args(args, self->source, way);
	if (collector_run(&self->c, self->dir, args))
		return 0;
	return boottime_ns() - began;
}

static int kill_once(FIXTURE_DATA(killed) *self, unsigned int n, uint64_t life,
		     unsigned int *survivors)
{
	uint64_t us = stress_random(life / 1000 + life / 10000 + 1);
	const char *args[16];
	int status;

	fill_args(args, self->source, n);
	if (collector_spawn(&self->c, self->dir, args, -1))
		return complain(&self->why, "fork failed");
	usleep(us);
	kill(self->c.pid, SIGKILL);
	status = collector_wait(&self->c);
	*survivors += !status;
	if (status && status != 128 + SIGKILL)
		return complain(&self->why, "killed after %ju us, it ended with status %d: %.300s",
				(uintmax_t)us, status, self->c.text);
	return 0;
}

TEST_F_TIMEOUT(killed, at_any_moment, STRESS_SECONDS)
{
	unsigned int rounds = stress_rounds(50, 5), n, survivors = 0, files = 0;
	uint64_t life[ARRAY_SIZE(ways)];
	struct kernel before;
	struct why left;

	NEEDS_STRESS();
	ASSERT_FINE(check_next(self, &self->why));
	kernel_look(&before);
	for (n = 0; n < ARRAY_SIZE(ways) && n < rounds; n++) {
		life[n] = lifetime(self, n);
		ASSERT_NE(0U, life[n]) TH_LOG("way %u: %s", n, self->c.text);
		ASSERT_EQ(0, check_remains(self->dir, &files, &left)) TH_LOG("%s", left.text);
	}
	for (n = 0, files = 0; n < rounds; n++) {
		ASSERT_FINE(kill_once(self, n, life[n % ARRAY_SIZE(ways)], &survivors));
		ASSERT_EQ(0, check_remains(self->dir, &files, &left))
			TH_LOG("round %u: %s", n, left.text);
		ASSERT_EQ(0, check_next(self, &self->why))
			TH_LOG("round %u: %s", n, self->why.text);
	}
	ASSERT_FINE(kernel_check(&before, &self->why));
	if (!source_missing("kmod") && !module_built_in()) {
		EXPECT_EQ(0, module_unload());
		EXPECT_EQ(0, module_load());
	}
	stress_note("%u kills, of which %u came too late; %u files looked at", rounds,
		    survivors, files);
}
