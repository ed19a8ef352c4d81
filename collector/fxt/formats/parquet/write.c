// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * write.c - an archive as a directory of Parquet files, one per table.
 *
 * In: the rows of formats/tables/tables.h.
 * Out: one TABLE.parquet per table. Integers are INT64, reals DOUBLE, texts and binary data
 * BYTE_ARRAY. A key is required, all other columns may be null.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <time.h>

#include <fxt/fxt_sched.h>

#include "libfxt/clock.h"
#include "formats/tables/tables.h"
#include "terminal/message.h"
#include "walk/filter.h"
#include "walk/io.h"
#include "sched/session_text.h"
#include "formats/formats.h"
#include "parquet.h"

/* --- the place of an archive in a directory of many -------------------------------------- */

/* DIR/host=HOST/date=DATE/archive=NAME: Hive's layout, which query engines expect. */

struct partition {
	struct fxt_content content;
	char host[3 * 64 + 1];		/* escaped; "" if unknown */
	uint64_t epoch;			/* ns since 1970 at its time 0; 0 if unknown */
	uint64_t first;			/* ns, its earliest time */
};

/* Write other characters as %XX, which query engines decode in the values of partitions. */
static void escape(char *to, size_t room, const char *bytes, size_t length)
{
	size_t i, used = 0;

	for (i = 0; i < length && used + 4 <= room; i++) {
		unsigned char c = bytes[i];

		if (isalnum(c) || (c && strchr("-_.", c)))
			to[used++] = (char)c;
		else
			used += snprintf(to + used, room - used, "%%%02X", c);
	}
	to[used] = '\0';
}

static void parse_session(struct partition *p, const char *text, size_t bytes)
{
	size_t length;
	const char *value = session_value(text, bytes, "host", &length);

	if (value && !*p->host)
		escape(p->host, sizeof(p->host), value, length);
	value = session_value(text, bytes, "epoch", &length);
	if (value && !p->epoch)
		for (; length && isdigit((unsigned char)*value); value++, length--)
			p->epoch = p->epoch * 10 + (*value - '0');
}

static int record(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct partition *p = arg;
	uint64_t ns;
	int ret;

	if (filter_event_time(r, rec, &ns) && ns < p->first)
		p->first = ns;
	if (rec->kind != FXT_KIND_BLOB)
		return 0;
	ret = fxt_reader_content(r, rec, &p->content);
	if (!ret && p->content.name.known == FXT_STR_SESSION && p->content.blob.bytes &&
	    p->content.blob_held == p->content.blob.bytes)
		parse_session(p, p->content.blob.data, p->content.blob.bytes);
	return ret;
}

/* The file's name without the directory and the extensions of archives. */
static void base_name(char *to, size_t room, const char *path)
{
	static const char *const endings[] = { ".zst", ".zstd", ".gz", ".fxt" };
	const char *base = strrchr(path, '/');
	size_t i, length, ending;

	base = base ? base + 1 : path;
	if (!strcmp(path, "-"))
		base = "stdin";
	length = strlen(base);
	for (i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		ending = strlen(endings[i]);
		if (length > ending && !strncmp(base + length - ending, endings[i], ending))
			length -= ending;
	}
	escape(to, room, base, length);
}

static int set_path(const struct io *io, const struct partition *p, char path[PATH_MAX])
{
	uint64_t ns = p->epoch + p->first;
	time_t seconds = (time_t)(ns / NS_PER_SECOND);
	char name[3 * NAME_MAX], date[16], at[16];
	struct tm tm;
	int n;

	gmtime_r(&seconds, &tm);
	strftime(date, sizeof(date), "%Y-%m-%d", &tm);
	strftime(at, sizeof(at), "%H%M%S", &tm);
	base_name(name, sizeof(name), io->input);
	n = snprintf(path, PATH_MAX, "%s/host=%s/date=%s/archive=%s-%s.%09llu", io->output,
		     p->host, date, name, at, (unsigned long long)(ns % NS_PER_SECOND));
	if (n < PATH_MAX)
		return VERB_DONE;
	message("fxt: cannot write %s: %s\n", io->output, strerror(ENAMETOOLONG));
	return VERB_UNWRITABLE;
}

/*
 * Set @path to the archive's partition in io->output. Reads all of the archive, so one from a pipe
 * is replaced by a copy. DATE is that of the first time stamp, in UTC. NAME is the file's name
 * without extension, and the first time stamp, because files of different recordings may have the
 * same name. Returns VERB_DONE, or another status after reporting why.
 */
static int partition_path(struct io *io, char path[PATH_MAX])
{
	struct partition p = { .first = UINT64_MAX };
	int ret = io_rereadable(io);

	if (!ret)
		ret = io_open(io);
	if (ret)
		return ret;
	ret = io_walk(io, NULL, record, &p);
	if (ret)
		return archive_close(&io->a, ret);
	archive_drop(&io->a);
	if (*p.host && p.epoch && p.first != UINT64_MAX)
		return set_path(io, &p, path);
	message("fxt: cannot partition %s: it lacks the host or the time of the recording; omit --partition\n",
		io->a.path);
	return VERB_UNREADABLE;
}

/* --- the directory ----------------------------------------------------------------------- */

/* Files; NULL for tables whose file has not begun. */
struct directory {
	struct parquet_encoder *encoder;
	struct parquet_file *file[TABLE_COUNT];
};

static const char *const file_names[] = {
#define TABLE_FILE(table, name, count, keyed) [table] = #name ".parquet",
	TABLES(TABLE_FILE)
#undef TABLE_FILE
	[TABLE_COUNT] = NULL,
};

static int begin(void *arg, enum table table, struct out *o)
{
	struct directory *d = arg;

	d->file[table] = parquet_open(d->encoder, o, &table_schemas[table]);
	return 0;
}

static int row(void *arg, enum table table, struct out *o, const struct table_cell *cells)
{
	struct directory *d = arg;

	(void)o;
	return parquet_row(d->file[table], cells);
}

static int end(void *arg, enum table table, bool is_complete)
{
	struct directory *d = arg;
	struct parquet_file *f = d->file[table];

	return f ? parquet_close(f, is_complete) : 0;
}

static const struct table_format parquet = {
	.names = file_names, .begin = begin, .row = row, .end = end,
};

int parquet_write(struct io *io)
{
	struct directory d = { .encoder = parquet_encoder_open() };
	int ret = table_files_convert(io, &parquet, &d);

	parquet_encoder_close(d.encoder);
	return ret;
}

int parquet_write_partition(struct io *io)
{
	char path[PATH_MAX];
	int ret = partition_path(io, path);

	if (ret)
		return ret;
	io->root = io->output;
	io->output = path;
	return parquet_write(io);
}
