/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts an archive that a test writes to both kinds of tables: both outputs have the same rows.
 */
#ifndef SELFTESTS_TABLES_FIXTURE_H
#define SELFTESTS_TABLES_FIXTURE_H

#include "harness.h"

#include <ftw.h>
#include <sys/resource.h>

#include "fxt/formats/tables/tables.h"
#include "tables.h"
#include "tool.h"

#define PATH_ROOM	512
#define EXIT_DEVIATES	1
#define EXIT_USAGE	2
#define EXIT_UNREADABLE	3
#define EXIT_UNWRITABLE	4

FIXTURE(tables)
{
	char dir[PATH_ROOM - 64];
	char archive[PATH_ROOM];
	char csv[PATH_ROOM];
	char sqlite[PATH_ROOM];
	rlim_t file_size;	/* limit for the tool's files, 0 is none */
	bool strict;
	FILE *f;
	sqlite3 *db;
};

FIXTURE_SETUP(tables)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(self->dir, sizeof(self->dir), "%s/fxt-tables.XXXXXX", tmp ? tmp : "/tmp");
	ASSERT_NE(NULL, mkdtemp(self->dir));
	snprintf(self->archive, PATH_ROOM, "%s/a.fxt", self->dir);
	snprintf(self->csv, PATH_ROOM, "%s/csv", self->dir);
	snprintf(self->sqlite, PATH_ROOM, "%s/a.db", self->dir);
	self->f = fopen(self->archive, "w");
	ASSERT_NE(NULL, self->f);
}

static inline int remove_one(const char *path, const struct stat *s, int type, struct FTW *ftw)
{
	return remove(path);
}

FIXTURE_TEARDOWN(tables)
{
	if (self->f)
		fclose(self->f);
	sqlite3_close(self->db);
	nftw(self->dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static inline void child(const FIXTURE_DATA(tables) *self, const char *to, const char *output)
{
	struct rlimit limit = { self->file_size, self->file_size };
	int fd = open("/dev/null", O_WRONLY);

	if (!getenv("FXT_TEST_LOUD"))
		dup2(fd, STDERR_FILENO);
	signal(SIGXFSZ, SIG_IGN);
	if (self->file_size && setrlimit(RLIMIT_FSIZE, &limit))
		_exit(99);
	execv(tool_path(), (char * const *)ARGS("fxt", "convert", "--to", to, "-o", output,
						self->archive, self->strict ? "--strict" : NULL));
	_exit(98);
}

static inline int convert(FIXTURE_DATA(tables) *self, const char *to, const char *output)
{
	int status;
	pid_t pid;

	if (self->f)
		fclose(self->f);
	self->f = NULL;
	pid = fork();
	if (!pid)
		child(self, to, output);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static inline int entries(const char *dir)
{
	char command[PATH_ROOM + 32];
	int n = -1;
	FILE *p;

	snprintf(command, sizeof(command), "ls -A '%s' | wc -l", dir);
	p = popen(command, "r");
	if (!p || fscanf(p, "%d", &n) != 1)
		n = -1;
	if (p)
		pclose(p);
	return n;
}

/* The first value of a query's only row; INT64_MIN if there is none or it is NULL. */
static inline int64_t ask(FIXTURE_DATA(tables) *self, const char *query)
{
	int64_t value = INT64_MIN;
	sqlite3_stmt *s = NULL;

	if (!self->db)
		sqlite3_open_v2(self->sqlite, &self->db, SQLITE_OPEN_READONLY, NULL);
	if (sqlite3_prepare_v2(self->db, query, -1, &s, NULL) != SQLITE_OK)
		fprintf(stderr, "# %s: %s\n", query, sqlite3_errmsg(self->db));
	else if (sqlite3_step(s) == SQLITE_ROW && sqlite3_column_type(s, 0) != SQLITE_NULL)
		value = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return value;
}

#define EXPECT_SQL(expected, query)						\
	EXPECT_EQ((int64_t)(expected), ask(self, query)) TH_LOG("%s", query)

/* Convert to both, and EXPECT that all tables have the same rows in both. */
static inline void convert_both(struct __test_metadata *_metadata, FIXTURE_DATA(tables) *self,
				int status)
{
	sqlite3_stmt *s = NULL;
	char path[PATH_ROOM + 64], query[256];
	int n = 0;
	FILE *f;

	ASSERT_EQ(status, convert(self, "csv", self->csv));
	ASSERT_EQ(status, convert(self, "sqlite", self->sqlite));
	EXPECT_SQL(1, "SELECT integrity_check = 'ok' FROM pragma_integrity_check");
	sqlite3_prepare_v2(self->db, "SELECT name FROM sqlite_master WHERE type = 'table'",
			   -1, &s, NULL);
	for (; sqlite3_step(s) == SQLITE_ROW; n++) {
		const char *table = (const char *)sqlite3_column_text(s, 0);

		snprintf(path, sizeof(path), "%s/%s.csv", self->csv, table);
		snprintf(query, sizeof(query), "SELECT count(*) FROM %s", table);
		f = fopen(path, "r");
		ASSERT_NE(NULL, f) TH_LOG("%s", path);
		EXPECT_EQ(ask(self, query), compare_table(self->db, f, table)) TH_LOG("%s", table);
		fclose(f);
	}
	sqlite3_finalize(s);
	EXPECT_EQ(TABLE_COUNT, n);
	EXPECT_EQ(TABLE_COUNT, entries(self->csv));
	EXPECT_EQ(3, entries(self->dir));
}

#endif /* SELFTESTS_TABLES_FIXTURE_H */
