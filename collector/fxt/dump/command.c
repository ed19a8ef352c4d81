// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - fxt dump: the records of an archive, one per line.
 *
 * In: an archive, filters.
 * Out: lines of text or JSON in the order of the file. Malformed records are printed in their
 * place, whatever the filters, because their kind is unknown.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "terminal/message.h"
#include "terminal/terminal.h"
#include "walk/archive.h"
#include "walk/io.h"
#include "write/result.h"
#include "command/command_line.h"
#include "dump.h"

/*
 * Deviations found while a line is incomplete: at the end of a payload, it may be truncated, its
 * compression damaged, and its padding not zero.
 */
#define MAX_HELD_BACK	4

struct held_back {
	struct fxt_deviation d;
	char text[512];
};

struct dump {
	struct archive a;
	struct filter filter;
	struct sched_symbols symbols;
	bool is_json;
	const char *output;
	const char *blob;	/* the name of the blobs to extract, or NULL */
	struct dump_hot *hot;
	struct result result;
	bool has_shown;		/* a record */
	bool within;		/* a line is incomplete, or writing has failed */
	unsigned int held_back;
	struct held_back later[MAX_HELD_BACK];
	struct fxt_content content;
	struct out out;
};

static const struct option_row rows[] = {
	OPTION_TITLE("Output"),
	ROWS_JSON(struct dump, is_json, "print one JSON object per record and line"),
	OPTION(0, "blob", "NAME", "write only the payloads of all BLOB records of this "
	       "name, in their order; a long BLOB takes several records",
	       OPTION_SETS_STRING(struct dump, blob)),
	OPTION('o', "output", "OUT", "write to OUT", .kind = OPTION_FILE,
	       OPTION_SETS_STRING(struct dump, output)),
	ROW_FORCE("replace OUT even if it is not the output of fxt dump; such output is kept as "
		  "OUT.old"),
	ROW_NO_PAGER,
	ROW_QUIET("show no progress"),
	OPTION_HELP,
	OPTION_TITLE("Filters (options are ANDed, the values of a list are ORed)"),
	OPTION(0, "type", "KIND,..", "print only these kinds, as shown, or all kinds of a "
	       "group: {words}", .kind = OPTION_WORDS, .words = filter_kind,
	       .listed = filter_kind_group, OPTION_SETS(filter_add_kinds, struct dump, filter)),
	ROWS_TIMES(struct dump, filter),
	ROW_PID(struct dump, filter, "print only these processes: on either side of a switch, of the "
		"woken thread or its waker; kernel objects say which process a thread is of"),
	OPTION(0, "tid", "TID,..", "print only these threads, likewise",
	       OPTION_SETS(filter_add_ids, struct dump, filter.tids)),
	ROW_COMM(struct dump, filter, "print only threads with a matching name, "
		 "likewise: 'nginx*'; * ? [a-z] [!a-z]"),
	ROW_CPU(struct dump, filter,
		"print only switches, wakeups and counters of these CPUs: 0,2-5"),
	OPTION_TITLE("Input"),
	ROWS_INPUT(struct dump, a),
	{ 0 },
};

static void malformed(void *arg, const struct fxt_deviation *deviation)
{
	struct dump *d = arg;
	struct held_back *h;

	if (deviation->note || d->blob)
		return;
	if (!d->within) {
		dump_malformed(&d->out, d->is_json, deviation);
	} else if (d->held_back < MAX_HELD_BACK) {
		h = &d->later[d->held_back++];
		h->d = *deviation;
		snprintf(h->text, sizeof(h->text), "%s", deviation->text);
		h->d.text = h->text;
	}
}

static void write_held_back(struct dump *d)
{
	unsigned int i;

	d->within = false;
	for (i = 0; i < d->held_back; i++)
		dump_malformed(&d->out, d->is_json, &d->later[i].d);
	d->held_back = 0;
}

static bool is_blob(const struct fxt_content *c)
{
	return c && (c->kind == FXT_KIND_BLOB || c->kind == FXT_KIND_LARGE_BLOB ||
		     c->kind == FXT_KIND_LARGE_BLOB_BARE);
}

static int extract(struct dump *d, const struct fxt_content *c)
{
	struct fxt_bytes piece;
	int ret;

	if (!is_blob(c) || !fxt_text_is(&c->name, d->blob))
		return 0;
	d->has_shown = true;
	out_bytes(&d->out, c->blob.data, c->blob_held);
	if (c->blob_held == c->blob.bytes)
		return 0;
	while ((ret = fxt_reader_payload(d->a.r, &piece)) > 0)
		out_bytes(&d->out, piece.data, piece.bytes);
	return ret;
}

static int show_record(struct dump *d, const struct fxt_record *rec, const struct fxt_content *c)
{
	int ret;

	d->within = true;
	d->has_shown = true;
	ret = dump_record(&d->out, d->is_json, d->a.r, rec, c, &d->filter.objects, &d->symbols);
	write_held_back(d);
	return ret;
}

/* A record shows the names that threads had at its time. */
static uint64_t moment_of(const struct fxt_content *c)
{
	uint64_t ticks = 0;

	if (dump_has_time(c->kind))
		return c->time;
	if (c->kind == FXT_KIND_KERNEL_OBJECT)
		fxt_object_time(c, &ticks);
	return ticks;
}

static int filter_record(struct dump *d, const struct fxt_record *rec)
{
	const struct fxt_content *c = &d->content;
	int ret = fxt_reader_content(d->a.r, rec, &d->content);

	if (ret == -EBADMSG && !d->a.options.strict)
		return 0;
	if (ret == -ENOTSUP)
		c = NULL;
	else if (ret)
		return ret;
	if (c)
		d->filter.objects.now = moment_of(c);
	if (!filter_wants(&d->filter, rec, c))
		return 0;
	return d->blob ? extract(d, c) : show_record(d, rec, c);
}

/* Are all records shown, without decoding them? */
static bool shows_all(const struct dump *d)
{
	return !d->blob && !d->filter.kinds && !filter_selects(&d->filter);
}

/* Write hot records up to one that needs dump_record(). Returns their number. */
static size_t dump_run(struct dump *d, const struct fxt_hot_run *run)
{
	const uint64_t *w = run->words;
	uint64_t offset = run->offset, number = fxt_reader_totals(d->a.r)->records;
	struct fxt_hot u;
	size_t n;

	for (n = 0; n < run->count && !d->out.error; n++) {
		u = fxt_hot_get(w, offset, fxt_hot_is_wakeup(w));
		d->has_shown = true;
		d->filter.objects.now = u.time;
		if (!dump_hot_record(d->hot, &d->out, &u, NULL, number + n))
			break;
		w += FXT_HOT_WORDS;
		offset += FXT_HOT_BYTES;
	}
	return n;
}

/* Write hot records up to @rec, which is not hot or needs dump_record(). */
static int dump_hot(struct dump *d, struct fxt_record *rec)
{
	struct fxt_hot_run run;
	size_t written;

	while ((run = fxt_reader_hot_run(d->a.r, FXT_HOT_RUN)).count) {
		written = dump_run(d, &run);
		if (d->out.error)
			return 0;
		fxt_reader_skip_hot(d->a.r, written < run.count ? written + 1 : written);
		if (written == run.count)
			continue;
		fxt_reader_hot_record(d->a.r, rec);
		return 1;
	}
	return fxt_reader_next(d->a.r, rec);
}

/*
 * Write a record that differs from hot ones only in its last arguments. Returns false for others.
 */
static bool dump_nearly_hot(struct dump *d, const struct fxt_record *rec)
{
	struct fxt_hot_end end;
	struct fxt_hot u;

	if (!fxt_reader_nearly_hot(d->a.r, rec, &u, &end))
		return false;
	d->filter.objects.now = u.time;
	if (!dump_hot_record(d->hot, &d->out, &u, &end, rec->number))
		return false;
	d->has_shown = true;
	return true;
}

static int dump_records(struct dump *d)
{
	bool is_hot = shows_all(d);
	struct fxt_record rec;
	int ret;

	while (!d->out.error) {
		ret = is_hot ? dump_hot(d, &rec) : fxt_reader_next(d->a.r, &rec);
		if (ret <= 0)
			return ret;
		dump_hot_provider(d->hot, rec.provider->id);
		if (is_hot && dump_nearly_hot(d, &rec))
			continue;
		if (!filter_needs(&d->filter, d->a.r, &rec))
			continue;
		ret = filter_record(d, &rec);
		if (ret)
			return ret;
	}
	return 0;
}

/* Returns VERB_NOTHING after reporting that nothing is selected, else VERB_DONE. */
static int warn_if_nothing(const struct dump *d)
{
	const struct filter *f = &d->filter;
	bool is_of_thread = f->by_comm || f->tids.count;

	if (d->has_shown || (!d->blob && !filter_selects(f)))
		return VERB_DONE;
	if (d->blob)
		message("fxt: %s: no BLOB record has the name %s; run fxt dump --type blob to see their names\n", d->a.path, d->blob);
	else if (f->from.set || f->to.set || f->by_cpu)
		return archive_selects_nothing(d->a.path);
	else
		message("fxt: %s: no record of that %s\n", d->a.path,
			is_of_thread ? "thread" : "process");
	return VERB_NOTHING;
}

static int unwritable(const struct dump *d, int error)
{
	message("fxt: cannot write %s: %s\n",
		d->output ? d->output : "standard output", strerror(-error));
	return VERB_UNWRITABLE;
}

static int learn_one(struct dump *d, struct fxt_reader *r, const struct fxt_record *rec)
{
	const struct fxt_content *c = &d->content;
	struct fxt_wakeup wakeup;
	struct fxt_switch sw;

	/* The reader skips records of the form of those that it has decoded. */
	if (rec->kind == FXT_KIND_CONTEXT_SWITCH && rec->size == FXT_HOT_WORDS)
		fxt_reader_switch(r, rec, &sw);
	else if (rec->kind == FXT_KIND_THREAD_WAKEUP && rec->size == FXT_HOT_WORDS)
		fxt_reader_wakeup(r, rec, &wakeup);
	if ((rec->kind != FXT_KIND_KERNEL_OBJECT && rec->kind != FXT_KIND_BLOB) ||
	    fxt_reader_content(r, rec, &d->content))
		return 0;
	if (rec->kind == FXT_KIND_KERNEL_OBJECT)
		filter_learn_ahead(&d->filter, c);
	else if (c->name.known == FXT_STR_SYMBOLS)
		sched_symbols_parse(&d->symbols, rec->provider->id, &c->blob);
	return 0;
}

/* Go to the next record that is not hot; no hot record describes a thread. */
static int next_to_learn(struct fxt_reader *r, struct fxt_record *rec)
{
	struct fxt_hot_run run;

	while ((run = fxt_reader_hot_run(r, SIZE_MAX)).count)
		fxt_reader_skip_hot(r, run.count);
	return fxt_reader_next(r, rec);
}

/*
 * Before a file is dumped, one walk learns about threads from kernel objects, and the names of
 * functions, which come last. From a pipe, each record can only use the records before it. The walk
 * that shows the records reports errors.
 */
static int learn_filters(struct dump *d, const char *path)
{
	struct fxt_reader_options options = {
		.format_2017 = d->a.options.format_2017 && d->a.file == path,
	};
	struct fxt_reader *r = NULL;
	struct fxt_record rec;
	struct stat st;
	int ret = 0;

	if (!strcmp(d->a.file, "-") || stat(d->a.file, &st) || !S_ISREG(st.st_mode))
		return 0;
	if (fxt_reader_open(&r, d->a.file, &options))
		ret = -EBADMSG;
	while (!ret && next_to_learn(r, &rec) > 0)
		ret = learn_one(d, r, &rec);
	fxt_reader_close(r);
	return ret == -ENOMEM ? ret : 0;
}

/* The first line of a dump begins with an offset and the kind of a record, or is JSON. */
static bool is_ours(int fd)
{
	struct result_ends ends;
	const char *kind, *name;
	unsigned int i;

	if (!result_read_ends(fd, &ends))
		return false;
	kind = ends.head + strspn(ends.head, "0123456789");
	if (result_begins(&ends, "{\"offset\":"))
		return true;
	if (kind == ends.head || *kind++ != ' ')
		return false;
	for (i = 0; i < FXT_KIND_COUNT; i++) {
		name = fxt_kind_name(i);
		if (!strncmp(kind, name, strlen(name)) && kind[strlen(name)] == ' ')
			return true;
	}
	return !strncmp(kind, "malformed ", strlen("malformed "));
}

static const struct result_kind dump_lines = {
	.is_not = "is not lines of fxt dump", .is_ours = is_ours,
};

static int dump_archive(struct dump *d, const char *path)
{
	int status, error, ret, nothing;

	if (archive_is_same(path, d->output))
		return archive_usage("dump", d->output,
				     "is the archive itself; name another output file");
	status = earliest_limits("dump", &d->a, &path, &d->filter);
	if (status != VERB_DONE)
		return status;
	d->a.options.deviation = malformed;
	d->a.options.arg = d;
	d->within = true;
	status = archive_open(&d->a, path);
	if (status != VERB_DONE)
		return status;
	status = result_open(&d->result, d->output, &dump_lines);
	if (status != VERB_DONE) {
		archive_drop(&d->a);
		return status;
	}
	ret = learn_filters(d, path);
	if (d->result.fd == STDOUT_FILENO && !d->blob)
		terminal_page();
	out_open(&d->out, d->result.fd);
	d->hot = dump_hot_open(&d->filter.objects, d->is_json);
	write_held_back(d);
	ret = ret ? ret : dump_records(d);
	error = out_close(&d->out);
	dump_hot_close(d->hot);
	nothing = !ret && !error ? warn_if_nothing(d) : VERB_DONE;
	status = archive_close(&d->a, ret);
	status = status ? status : nothing;
	if (error)
		status = unwritable(d, error);
	return result_end(&d->result, status, !error && archive_is_read(&d->a, status));
}

static int run_dump(void *command, const struct operands *operands)
{
	struct dump *d = command;
	int status;

	d->filter.keep_names = true;
	d->filter.objects.by_time = true;
	status = dump_archive(d, operands->paths[0]);
	sched_symbols_free(&d->symbols);
	return status;
}

const struct verb verb_dump = {
	.name = "dump",
	.what = "print its records, one per line, as text or JSON",
	.about =
		"Prints all records of an archive in file order, one per line:\n"
		"  OFFSET KIND TIME KEY=VALUE ... { ARGUMENT=VALUE ... }\n"
		"OFFSET is the byte at which the record begins, TIME is in seconds or -. A malformed\n"
		"record is a line of kind malformed. A pointer or koid is followed by the name of the\n"
		"object that it refers to: waker=7:\"sh\".\n",
	.more =
		"A filter omits records that lack the property. Malformed records are always "
		"printed,\n"
		"unless they are inside a record that is omitted.\n"
		"\n"
		"FILE may be - for standard input, and compressed (" FXT_UNPACKS ").\n"
		"exit status: 0 done; 1 records were skipped, or nothing is selected; 2 wrong usage;\n"
		"3 the archive cannot be read; 4 the output cannot be written.\n",
	.rows = rows,
	.schema = dump_schema,
	.bytes = sizeof(struct dump),
	.filter_at = offsetof(struct dump, filter),
	.run = run_dump,
};
