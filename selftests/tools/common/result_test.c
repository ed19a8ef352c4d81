// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The files that fxt writes: a command replaces only files that it may replace, keeps the old file,
 * and leaves nothing else, whatever ends it.
 */
#include "harness.h"

#include <dirent.h>
#include <sys/resource.h>

#include "generate.h"
#include "collector.h"
#include "tool.h"

#define PATH_ROOM	(RECORD_PATH + 32)
#define ARCHIVE		"in.fxt"

static const struct way {
	const char *name;
	const char *args[5];
	bool is_directory;
} ways[] = {
#define FILE_OF(name, ...)	{ name, { __VA_ARGS__ }, false }
	FILE_OF("json", "convert", "--to", "json", "-o", "out"),
	FILE_OF("ftrace", "convert", "--to", "ftrace", "-o", "out"),
	FILE_OF("sqlite", "convert", "--to", "sqlite", "-o", "out"),
	{ "csv", { "convert", "--to", "csv", "-o", "out" }, true },
	{ "parquet", { "convert", "--to", "parquet", "-o", "out" }, true },
	FILE_OF("fxt", "convert", "--to", "fxt", "-o", "out"),
	FILE_OF("cut", "cut", "--from", "+0", "-o", "out"),
	FILE_OF("merge", "merge", "-q", "--strict", "-o", "out"),
	FILE_OF("dump", "dump", "-q", "--strict", "-o", "out"),
	FILE_OF("dump --json", "dump", "-q", "--json", "-o", "out"),
	FILE_OF("report --html", "report", "-q", "--strict", "--html", "out"),
	FILE_OF("firefox", "convert", "--to", "firefox", "-o", "out"),
};

#define LOOKS	3000	/* ms to wait for the output */
#define WAYS	(sizeof(ways) / sizeof(ways[0]))

FIXTURE(result)
{
	char dir[RECORD_PATH];
	struct tool t;
};

static int make_archive(const char *path, uint64_t records)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), ret;

	ret = fd < 0 ? -errno : generate_sched(fd, records, 2);
	close(fd);
	return ret;
}

FIXTURE_SETUP(result)
{
	self->t = (struct tool){ 0 };
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
	ASSERT_EQ(0, chdir(self->dir));
	ASSERT_EQ(0, make_archive(ARCHIVE, 1000));
}

FIXTURE_TEARDOWN(result)
{
	dir_remove(self->dir);
}

static void fill(const struct way *w, const char *archive, const char *last, const char **args)
{
	memcpy(args, w->args, sizeof(w->args));
	args[5] = archive;
	args[6] = last;
	args[7] = NULL;
}

static int run(FIXTURE_DATA(result) *self, const struct way *w, const char *last)
{
	const char *args[8];

	fill(w, ARCHIVE, last, args);
	return tool_run(&self->t, args);
}

/* The names in the directory, except the archive, sorted, each followed by a space. */
static const char *names(char *text, size_t room)
{
	struct dirent **list;
	int i, n = scandir(".", &list, NULL, alphasort);
	size_t used = 0;

	*text = '\0';
	for (i = 0; i < n; i++) {
		if (list[i]->d_name[0] != '.' && strcmp(list[i]->d_name, ARCHIVE))
			used += snprintf(text + used, room - used, "%s ", list[i]->d_name);
	}
	return text;
}

#define EXPECT_NAMES(expected)								\
	do {										\
		char text[1024];							\
											\
		EXPECT_STREQ(expected, names(text, sizeof(text))) TH_LOG("%s", w->name);\
	} while (0)

static ino_t inode(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_ino;
}

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f)
		abort();
	fputs(text, f);
	fclose(f);
}

static bool has_text(const char *path, const char *text)
{
	char line[128] = "";
	FILE *f = fopen(path, "r");
	bool is_it = f && fgets(line, sizeof(line), f) && !strcmp(line, text);

	if (f)
		fclose(f);
	return is_it;
}

static void clear(const struct way *w)
{
	dir_remove("out");
	dir_remove("out.old");
}

/* The result of an earlier run is kept once. */
TEST_F(result, own_results)
{
	ino_t first, second;

	for (const struct way *w = ways; w < ways + WAYS; w++) {
		ASSERT_EQ(0, run(self, w, NULL)) TH_LOG("%s: %s", w->name, self->t.err);
		EXPECT_NAMES("out ");
		first = inode("out");
		ASSERT_EQ(0, run(self, w, NULL)) TH_LOG("%s: %s", w->name, self->t.err);
		EXPECT_NAMES("out out.old ");
		EXPECT_EQ(first, inode("out.old")) TH_LOG("%s", w->name);
		second = inode("out");
		ASSERT_EQ(0, run(self, w, NULL)) TH_LOG("%s: %s", w->name, self->t.err);
		EXPECT_NAMES("out out.old ");
		EXPECT_EQ(second, inode("out.old")) TH_LOG("%s", w->name);
		clear(w);
	}
}

static void put_foreign(const struct way *w, const char *path)
{
	char inside[64];

	if (!w->is_directory) {
		write_text(path, "mine\n");
		return;
	}
	snprintf(inside, sizeof(inside), "%s/mine", path);
	if (mkdir(path, 0777))
		abort();
	write_text(inside, "mine\n");
}

static bool is_foreign(const struct way *w, const char *path)
{
	char inside[64];

	snprintf(inside, sizeof(inside), "%s/mine", path);
	return has_text(w->is_directory ? inside : path, "mine\n");
}

/* Any other file needs --force, and is kept once even then. */
TEST_F(result, foreign_files)
{
	for (const struct way *w = ways; w < ways + WAYS; w++) {
		put_foreign(w, "out");
		EXPECT_EQ(4, run(self, w, NULL)) TH_LOG("%s", w->name);
		EXPECT_IN(self->t.err, "use --force");
		EXPECT_NAMES("out ");
		EXPECT_TRUE(is_foreign(w, "out")) TH_LOG("%s", w->name);
		EXPECT_EQ(0, run(self, w, "--force")) TH_LOG("%s: %s", w->name, self->t.err);
		EXPECT_NAMES("out out.old ");
		EXPECT_TRUE(is_foreign(w, "out.old")) TH_LOG("%s", w->name);
		/*
		 * The same holds for a foreign file in the place where the old file would be kept.
		 */
		EXPECT_EQ(4, run(self, w, NULL)) TH_LOG("%s", w->name);
		EXPECT_IN(self->t.err, "out.old");
		EXPECT_TRUE(is_foreign(w, "out.old")) TH_LOG("%s", w->name);
		EXPECT_EQ(w->is_directory ? 4 : 0, run(self, w, "--force"))
			TH_LOG("%s: %s", w->name, self->t.err);
		EXPECT_EQ(w->is_directory, is_foreign(w, "out.old")) TH_LOG("%s", w->name);
		clear(w);
	}
}

TEST_F(result, results_of_others)
{
	const struct way *w;

	for (w = ways; w < ways + WAYS; w++) {
		const struct way *next = w + 1 < ways + WAYS ? w + 1 : ways;
		bool is_same = (w->args[0] == next->args[0] && !strcmp(w->args[0], "dump")) ||
			       !strcmp(w->name, "fxt") || !strcmp(w->name, "cut");

		ASSERT_EQ(0, run(self, w, NULL));
		EXPECT_EQ(is_same ? 0 : 4, run(self, next, NULL))
			TH_LOG("%s over %s: %s", next->name, w->name, self->t.err);
		clear(w);
	}
	/* Archives may be compressed. */
	w = &ways[5];
	ASSERT_EQ(0, tool_run(&self->t, ARGS("cut", "-o", "out.zst", ARCHIVE)));
	ASSERT_EQ(0, rename("out.zst", "out"));
	EXPECT_EQ(0, run(self, w, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_NAMES("out out.old ");
}

TEST_F(result, empty_files)
{
	for (const struct way *w = ways; w < ways + WAYS; w++) {
		if (!w->is_directory)
			write_text("out", "");
		else if (mkdir("out", 0777))
			abort();
		EXPECT_EQ(0, run(self, w, NULL)) TH_LOG("%s: %s", w->name, self->t.err);
		EXPECT_NAMES("out ");
		clear(w);
	}
}

/* A link stays, and the result goes where it leads. */
TEST_F(result, links)
{
	const struct way *w = ways;
	struct stat st;

	ASSERT_EQ(0, symlink("real", "out"));
	EXPECT_EQ(4, run(self, w, NULL));
	EXPECT_IN(self->t.err, "symbolic link");
	write_text("real", "");
	EXPECT_EQ(0, run(self, w, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_EQ(0, run(self, w, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_NAMES("out real real.old ");
	ASSERT_EQ(0, lstat("out", &st));
	EXPECT_TRUE(S_ISLNK(st.st_mode));
	clear(w);
	EXPECT_EQ(0, mkdir("out", 0777));
	EXPECT_EQ(4, run(self, w, "--force"));
	EXPECT_IN(self->t.err, strerror(EISDIR));
}

#define STRANGER	4321

#define EXPECT_REFUSED(why)								\
	do {										\
		EXPECT_EQ(4, run(self, w, "--force"));					\
		EXPECT_IN(self->t.err, why);	\
	} while (0)

/* Where others can create names, neither their files nor the targets of their links change. */
TEST_F(result, shared_directory)
{
	const struct way *w = ways;
	int reader;

	ASSERT_EQ(0, chmod(".", 01777));
	ASSERT_EQ(0, run(self, w, NULL)) TH_LOG("%s", self->t.err);
	ASSERT_EQ(0, run(self, w, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_NAMES("out out.old ");
	clear(w);
	write_text("real", "");
	ASSERT_EQ(0, symlink("real", "out"));
	EXPECT_REFUSED("symbolic link in a directory that others can write to");
	ASSERT_EQ(0, unlink("out"));
	ASSERT_EQ(0, link("real", "out"));
	EXPECT_REFUSED("hard-linked file");
	EXPECT_NAMES("out real ");
	EXPECT_EQ(inode("real"), inode("out"));
	clear(w);
	if (geteuid())
		SKIP(return, "only root can make files of others");
	ASSERT_EQ(0, chown("real", STRANGER, STRANGER) | rename("real", "out"));
	EXPECT_REFUSED("another user's file");
	clear(w);
	/* This pipe would get the whole trace. */
	ASSERT_EQ(0, mkfifo("out", 0666) | chown("out", STRANGER, STRANGER));
	reader = open("out", O_RDWR | O_CLOEXEC);
	ASSERT_LE(1 << 20, fcntl(reader, F_SETPIPE_SZ, 1 << 20));
	EXPECT_REFUSED("another user's file");
	EXPECT_NAMES("out ");
	close(reader);
	clear(w);
	ASSERT_EQ(0, run(self, w, NULL)) TH_LOG("%s", self->t.err);
	write_text("out.old", "");
	ASSERT_EQ(0, chown("out.old", STRANGER, STRANGER));
	EXPECT_REFUSED("another user's file");
}

/* --- runs that end early ------------------------------------------------------------- */

static bool is_begun(void)
{
	char text[1024];

	return strstr(names(text, sizeof(text)), ".tmp ");
}

/*
 * Run a command that waits for the rest of its archive, which never comes. Send it a signal as soon
 * as it has begun to write. Return: the signal that ended it; SIGKILL if it only writes after it
 * has read everything.
 */
static int interrupt(const struct way *w, int signal_number)
{
	int ends[2], status = 0, null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	const char *args[8], *argv[9] = { "fxt" };
	char buffer[4096];
	unsigned int i;
	pid_t pid;
	FILE *f;

	fill(w, "-", NULL, args);
	memcpy(argv + 1, args, sizeof(args));
	if (pipe2(ends, O_CLOEXEC))
		abort();
	f = fopen(ARCHIVE, "r");
	if (!f || write(ends[1], buffer, fread(buffer, 1, sizeof(buffer), f)) < 0)
		abort();
	fclose(f);
	pid = fork();
	if (!pid) {
		/* Shells make background processes ignore some of them. */
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		signal(SIGHUP, SIG_DFL);
		dup2(ends[0], STDIN_FILENO);
		dup2(null, STDERR_FILENO);
		execv(tool_path(), (char **)argv);
		_exit(99);
	}
	for (i = 0; i < LOOKS && !is_begun() && !waitpid(pid, &status, WNOHANG); i++)
		usleep(1000);
	kill(pid, i < LOOKS ? signal_number : SIGKILL);
	waitpid(pid, &status, 0);
	close(ends[0]);
	close(ends[1]);
	close(null);
	return WIFSIGNALED(status) ? WTERMSIG(status) : -1;
}

TEST_F(result, signals)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
	unsigned int interrupted = 0;
	ino_t before;

	for (const struct way *w = ways; w < ways + WAYS; w++) {
		if (interrupt(w, SIGINT) == SIGKILL)
			continue;
		interrupted++;
		for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++) {
			EXPECT_EQ(ending[i], interrupt(w, ending[i])) TH_LOG("%s", w->name);
			EXPECT_NAMES("");
		}
		ASSERT_EQ(0, run(self, w, NULL));
		before = inode("out");
		EXPECT_EQ(SIGTERM, interrupt(w, SIGTERM)) TH_LOG("%s", w->name);
		EXPECT_NAMES("out ");
		EXPECT_EQ(before, inode("out"));
		clear(w);
	}
	EXPECT_LE(3U, interrupted);
}

TEST_F(result, no_room)
{
	struct rlimit limit = { 5000, 5000 };

	signal(SIGXFSZ, SIG_IGN);
	ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &limit));
	for (const struct way *w = ways; w < ways + WAYS; w++) {
		const char *args[8];
		int status;
		pid_t pid;

		/* Use a child, because the test's own files would have no room, either. */
		pid = fork();
		if (!pid) {
			const char *argv[9] = { "fxt" };
			int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

			fill(w, ARCHIVE, NULL, args);
			memcpy(argv + 1, args, sizeof(args));
			dup2(null, STDERR_FILENO);
			execv(tool_path(), (char **)argv);
			_exit(99);
		}
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_EQ(4, WEXITSTATUS(status)) TH_LOG("%s", w->name);
		EXPECT_NAMES("");
	}
}

/* With a strict reader, the result ends at the damage; a lenient reader continues. */
TEST_F(result, damage)
{
	const struct way *w;
	int fd = open(ARCHIVE, O_WRONLY | O_APPEND | O_CLOEXEC);

	ASSERT_EQ(8, write(fd, "\0\0\0\0\0\0\0\0", 8));
	close(fd);
	for (w = ways; w < ways + WAYS; w++) {
		EXPECT_EQ(1, run(self, w, "--strict")) TH_LOG("%s: %s", w->name, self->t.err);
		if (strcmp(w->args[0], "report"))
			EXPECT_NAMES("");
		clear(w);
	}
	w = ways;
	EXPECT_EQ(1, run(self, w, NULL));
	EXPECT_NAMES("out ");
}
