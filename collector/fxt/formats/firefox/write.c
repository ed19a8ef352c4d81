// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * write.c - an archive as a profile of Firefox, for profiler.firefox.com.
 *
 * In: the rows of formats/tables/tables.h, in a temporary database; profile.sql.
 * Out: JSON, compressed as the file extension requires. Each thread has markers for its states and
 * events, and samples; each CPU is a thread whose functions are the threads that it ran.
 * Must hold: memory grows with stacks only. Data that a profile cannot express are counted and
 * named.
 */
#include <inttypes.h>
#include <stdio.h>

#include <fxt/fxt_sched_ids.h>

#include "formats/formats.h"
#include "libfxt/stream.h"
#include "sched/symbols.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "walk/io.h"
#include "write/embedded.h"
#include "firefox.h"

EMBED_FILE(firefox_sql, "collector/fxt/formats/firefox/profile.sql")

/* --- rows ------------------------------------------------------------------------------------ */

/* Recordings have metadata in BLOBs of the recorder. */
static bool is_of_recorder(const struct table_cell *name)
{
	size_t length = strlen(FXT_SCHED_PROVIDER_NAME);

	return name->type == TABLE_TEXT && name->text.length >= length &&
	       !memcmp(name->text.bytes, FXT_SCHED_PROVIDER_NAME, length);
}

/* Processes and threads are in the profile; other objects without a record are only numbers. */
static bool is_other_object(const struct table_cell *cells)
{
	const struct table_cell *type = &cells[2], *pointer = &cells[3];

	return pointer->type == TABLE_INT ||
	       (type->type == TABLE_INT && type->integer != FXT_OBJECT_PROCESS &&
		type->integer != FXT_OBJECT_THREAD);
}

/* Keep a row if the profile can express it. */
static int row(void *arg, enum table table, const struct table_cell *cells)
{
	struct profile *p = arg;

	switch (table) {
	case TABLE_FLOW:
		p->flows++;
		return 0;
	case TABLE_OBJECT:
		p->objects += is_other_object(cells);
		return 0;
	case TABLE_BLOB:
		p->blobs += !is_of_recorder(&cells[5]);
		return 0;
	case TABLE_BLOB_DATA:
	case TABLE_BACKTRACE_FRAME:	/* callsites have them, too */
	case TABLE_MODULE:
	case TABLE_MMAP:		/* mappings have them, too */
		return 0;
	default:
		return database_row(&p->d, table, cells);
	}
}

/* --- stacks ------------------------------------------------------------------------------------ */

/* Callers precede their callees. A stack begins outside the tracer's outermost function. */
static void load_stacks(struct profile *p)
{
	sqlite3_stmt *s = firefox_prepare(p, "SELECT c.id, c.parent_id, f.name FROM stack_profile_callsite c "
				     "JOIN stack_profile_frame f ON f.id = c.frame_id ORDER BY c.id");
	sqlite3_int64 id, caller;
	const char *name;

	while (firefox_next(p, s)) {
		id = sqlite3_column_int64(s, 0);
		caller = sqlite3_column_int64(s, 1);
		name = (const char *)sqlite3_column_text(s, 2);
		while (p->stacks <= (size_t)id) {
			array_more(p->shown, p->stacks);
			p->shown[p->stacks++] = 0;
		}
		if (p->shown[caller] != caller || (name && sched_symbol_is_of_tracer(name)))
			p->shown[id] = p->shown[caller];
		else
			p->shown[id] = id;
	}
	sqlite3_finalize(s);
}

static void shown_stack(sqlite3_context *to, int count, sqlite3_value **values)
{
	const struct profile *p = sqlite3_user_data(to);
	sqlite3_int64 id = sqlite3_value_int64(values[0]);

	(void)count;
	if (id > 0 && (size_t)id < p->stacks && p->shown[id])
		sqlite3_result_int64(to, p->shown[id]);
}

/* --- the conversion ------------------------------------------------------------------------------ */

/* Stacks that are not samples and do not belong to a state. */
static uint64_t lone_stacks(struct profile *p)
{
	sqlite3_stmt *s = firefox_prepare(p, "SELECT (SELECT count(*) FROM backtrace WHERE sample_ns ISNULL) - "
				     "(SELECT count(*) FROM cause)");
	uint64_t count = firefox_next(p, s) ? sqlite3_column_int64(s, 0) : 0;

	sqlite3_finalize(s);
	return count;
}

static void report_left_out(struct profile *p, const char *path)
{
	const struct {
		uint64_t count;
		const char *what;
	} lists[] = {
		{ p->flows, "flows" }, { p->objects, "objects other than threads and processes" },
		{ p->blobs, "blobs" },
		{ lone_stacks(p), "call stacks that belong to no sleep and no wait" },
	};
	char text[256] = "";
	size_t i, n = 0;

	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (lists[i].count)
			n += snprintf(text + n, sizeof(text) - n, "%s%" PRIu64 " %s",
				      n ? ", " : "", lists[i].count, lists[i].what);
	if (n)
		message("fxt: %s: these cannot be written as a profile of Firefox and are omitted: %s\n",
			path, text);
}

static int make_database(struct profile *p, struct io *io)
{
	int ret = database_open(&p->d);

	if (!ret && sqlite3_create_function(p->d.db, "shown_stack", 1, SQLITE_UTF8, p, shown_stack,
					    NULL, NULL) != SQLITE_OK)
		ret = database_fail(&p->d);
	if (!ret)
		ret = table_convert(io->a.r, io->a.options.strict, row, p);
	if (!ret)
		ret = database_finish(&p->d, "", 0);
	array_more(p->shown, p->stacks);
	p->shown[p->stacks++] = 0;	/* no caller */
	if (!ret)
		load_stacks(p);
	if (!ret)
		ret = database_finish(&p->d, firefox_sql.begin, firefox_sql.end - firefox_sql.begin);
	return ret;
}

static const char *output_of(const struct io *io)
{
	return io->output && strcmp(io->output, "-") ? io->output : "standard output";
}

static int finish(struct profile *p, struct io *io, struct pack *pack, int ret)
{
	int written = out_close(&p->o), packed = pack_close(pack), status;

	written = written ? written : packed;
	if (!p->d.failed && !ret)
		report_left_out(p, io->a.path);
	database_close(&p->d);
	if (p->d.failed) {
		archive_drop(&io->a);
		return VERB_UNWRITABLE;
	}
	status = archive_close(&io->a, ret);
	if (written) {
		message("fxt: cannot write %s: %s\n", output_of(io), strerror(-written));
		status = VERB_UNWRITABLE;
	}
	return status;
}

static int convert(struct profile *p, struct io *io, struct pack *pack)
{
	int ret, status;

	p->d.path = "";
	p->d.output = "a temporary file";
	p->d.advice = "make room, or name another directory with TMPDIR";
	p->j.o = &p->o;
	out_open_sink(&p->o, pack_write, pack);
	progress_result(output_of(io), out_written, &p->o);
	ret = make_database(p, io);
	if (!ret)
		firefox_print(p);
	status = finish(p, io, pack, ret);
	return result_end(&io->result, status, !ret && status != VERB_UNWRITABLE);
}

int firefox_write(struct io *io)
{
	struct profile *p = new_zero(struct profile);
	struct pack *pack;
	int ret = io_open(io);

	if (ret == VERB_DONE)
		ret = io_create_packed(io, &pack);
	if (ret == VERB_DONE)
		ret = convert(p, io, pack);
	free(p->shown);
	free(p);
	return ret;
}

bool firefox_is_ours(int fd)
{
	char head[sizeof(FIREFOX_HEAD)] = "";
	struct fxt_stream *s;
	ssize_t bytes = 0;

	if (fxt_stream_open(&s, fd, NULL, 0))
		return false;
	bytes = fxt_stream_read(s, head, strlen(FIREFOX_HEAD));
	fxt_stream_close(s);
	return bytes == (ssize_t)strlen(FIREFOX_HEAD) && !memcmp(head, FIREFOX_HEAD, bytes);
}
