// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * write.c - an archive as an SQLite database: all tables, and indexes for the usual queries.
 */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "terminal/memory.h"
#include "terminal/message.h"
#include "walk/io.h"
#include "formats/formats.h"
#include "database.h"

/* The mark of fxt's databases (PRAGMA application_id) and its offset ("The Database Header"). */
#define APPLICATION_ID		"fxts"
#define APPLICATION_ID_AT	68

static const char finish[] =
	"PRAGMA application_id = 0x66787473;"	/* APPLICATION_ID */
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
	/* Perfetto's other name for it, which most queries use. */
	"CREATE VIEW sched_slice AS SELECT * FROM sched;"
	"COMMIT;";

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
	ret = database_open(d);
	if (!ret)
		ret = table_convert(io->a.r, io->a.options.strict, database_row, d);
	if (!ret)
		ret = database_finish(d, finish, strlen(finish));
	database_close(d);
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
	d = new_zero(struct database);
	ret = io_create(io, NULL);
	if (!ret) {
		d->output = io->output;
		d->path = io->result.beside.place;
		d->advice = "make room or name another file";
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
