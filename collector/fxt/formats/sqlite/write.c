// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * write.c - an archive as an SQLite database.
 *
 * In: the rows of tables.h.
 * Out: one new file with all tables, and indexes for the usual queries. No journal is
 * needed, because a run that fails leaves no file (result.h).
 */
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/tables/tables.h"
#include "terminal/message.h"
#include "walk/io.h"
#include "batch.h"
#include "format.h"

/* The mark of databases of fxt (PRAGMA application_id), and its offset ("The Database Header"). */
#define APPLICATION_ID		"fxts"
#define APPLICATION_ID_AT	68

/*
 * Keep 2 MiB of pages in memory; the rest goes to the file. SQLite sorts an index in pieces of
 * this size: larger ones do not fit the caches of CPUs and take twice as long.
 */
static const char settings[] =
	"PRAGMA journal_mode = OFF;"
	"PRAGMA synchronous = OFF;"
	"PRAGMA locking_mode = EXCLUSIVE;"
	"PRAGMA cache_size = -2048;"
	"PRAGMA application_id = 0x66787473;"	/* APPLICATION_ID */
	"BEGIN;";

static const char indexes[] =
	"CREATE INDEX sched_utid_ts ON sched (utid, ts);"
	"CREATE INDEX sched_cpu_ts ON sched (cpu, ts);"
	"CREATE INDEX thread_state_utid_ts ON thread_state (utid, ts);"
	"CREATE INDEX slice_track_id_ts ON slice (track_id, ts);"
	"CREATE INDEX counter_track_id_ts ON counter (track_id, ts);"
	"CREATE INDEX args_arg_set_id ON args (arg_set_id);"
	"CREATE INDEX log_utid_ts ON log (utid, ts);"
	"CREATE INDEX module_upid_module_id ON module (upid, module_id);"
	"CREATE INDEX mmap_upid_start ON mmap (upid, start);"
	"CREATE INDEX backtrace_utid_ts ON backtrace (utid, ts);"
	"CREATE INDEX backtrace_frame_backtrace_id ON backtrace_frame (backtrace_id);"
	"CREATE INDEX object_koid ON object (koid);"
	"CREATE INDEX object_pointer_upid ON object (pointer, upid);"
	"CREATE INDEX blob_name ON blob (name);"
	"CREATE INDEX blob_data_blob_id ON blob_data (blob_id);"
	"COMMIT;";

/** struct database - @path is the file being written, @output its final path */
struct database {
	const char *output;
	const char *path;
	sqlite3 *db;
	struct table_batch batch[TABLE_COUNT];
	bool failed;		/* it cannot be written; already reported */
};

/* Report the error once, with the messages of SQLite and of the system. */
static int fail(struct database *d)
{
	int err = d->db ? sqlite3_system_errno(d->db) : 0;

	if (!d->failed)
		message("fxt: cannot write %s: %s%s%s; make room or name another "
			"file\n", d->output, d->db ? sqlite3_errmsg(d->db) : "out of memory",
			err ? ": " : "", err ? strerror(err) : "");
	d->failed = true;
	return -EIO;
}

static const char *type_name(enum table_type type)
{
	static const char * const names[] = {
		[TABLE_INT] = "INTEGER", [TABLE_REAL] = "REAL", [TABLE_TEXT] = "TEXT",
		[TABLE_BYTES] = "BLOB",
	};

	return names[type];
}

static int create_table(struct database *d, enum table table)
{
	const struct table_schema *schema = &table_schemas[table];
	char create[1024];
	int n, ret;

	n = snprintf(create, sizeof(create), "CREATE TABLE %s (", schema->name);
	for (unsigned int i = 0; i < schema->columns; i++)
		n += snprintf(create + n, sizeof(create) - n, "%s%s %s%s", i ? ", " : "",
			      schema->column[i].name, type_name(schema->column[i].type),
			      !i && schema->keyed ? " PRIMARY KEY" : "");
	snprintf(create + n, sizeof(create) - n, ")");
	ret = sqlite3_exec(d->db, create, NULL, NULL, NULL);
	return ret == SQLITE_OK ? table_batch_open(&d->batch[table], d->db, schema) : ret;
}

static int row(void *arg, enum table table, const struct table_cell *cells)
{
	struct database *d = arg;

	return table_batch_row(&d->batch[table], cells) == SQLITE_OK ? 0 : fail(d);
}

static const struct table_ops database_ops = { .row = row };

static int open_database(struct database *d)
{
	int ret;

	/* No other thread uses SQLite. It takes its locks for each row, and counts its memory. */
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	ret = sqlite3_open_v2(d->path, &d->db, SQLITE_OPEN_READWRITE |
			      SQLITE_OPEN_NOMUTEX, NULL);
	if (ret == SQLITE_OK)
		ret = sqlite3_exec(d->db, settings, NULL, NULL, NULL);
	for (int i = 0; i < TABLE_COUNT && ret == SQLITE_OK; i++)
		ret = create_table(d, i);
	return ret == SQLITE_OK ? 0 : fail(d);
}

/* @whole: all rows have been added. */
static void close_database(struct database *d, bool whole)
{
	int ret = SQLITE_OK;

	for (int i = 0; i < TABLE_COUNT && whole && ret == SQLITE_OK; i++)
		ret = table_batch_flush(&d->batch[i]);
	if (whole && ret == SQLITE_OK)
		ret = sqlite3_exec(d->db, indexes, NULL, NULL, NULL);
	if (ret != SQLITE_OK)
		fail(d);
	for (int i = 0; i < TABLE_COUNT; i++)
		table_batch_free(&d->batch[i]);
	if (sqlite3_close(d->db) != SQLITE_OK)
		fail(d);
}

static uint64_t written(void *arg)
{
	const struct database *d = arg;
	struct stat st;

	return stat(d->path, &st) ? 0 : st.st_size;
}

static int convert(struct io *io, struct database *d)
{
	int ret, status;

	close(io->result.fd);
	progress_result(d->output, written, d);
	ret = open_database(d);
	if (!ret)
		ret = table_convert(io->a.r, io->a.options.strict, &database_ops, d);
	close_database(d, !ret);
	if (d->failed) {
		archive_drop(&io->a);
		status = VERB_UNWRITABLE;
	} else {
		status = archive_close(&io->a, ret);
	}
	return result_end(&io->result, status, !ret && !d->failed);
}

int sqlite_write(struct io *io)
{
	struct database *d;
	int ret;

	if (!io->output || !strcmp(io->output, "-"))
		return archive_usage("convert", NULL, "sqlite needs a file to write to");
	ret = io_open(io);
	if (ret)
		return ret;
	d = calloc(1, sizeof(*d));
	if (!d)
		return archive_close(&io->a, -ENOMEM);
	ret = io_create(io);
	if (!ret) {
		d->output = io->output;
		d->path = io->result.beside.place;
		ret = convert(io, d);
	}
	free(d);
	return ret;
}

bool sqlite_is_ours(int fd)
{
	struct result_ends e;

	return result_read_ends(fd, &e) && result_begins(&e, "SQLite format 3") &&
	       !strncmp(e.head + APPLICATION_ID_AT, APPLICATION_ID, strlen(APPLICATION_ID));
}
