// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * convert.c - outputs all tables in one walk over an archive.
 *
 * In: records.
 * Out: tables about the archive itself: metadata, stats, trace_bounds. Other records become rows
 * in threads.c (scheduling, by the model), in slices.c (events), or in this file.
 * Must hold: the first error ends the walk.
 */
#include <stdio.h>

#include <fxt/fxt_sched.h>

#include "libfxt/objects.h"
#include "walk/filter.h"
#include "table.h"

static void object_record(struct tables *t, const struct fxt_content *c)
{
	bool is_userspace = fxt_object_class(c) == FXT_CLASS_USERSPACE;
	struct table_cell args = cell_id(table_args_now(t, c)), name;
	int64_t id = table_object_id(t, c);

	name = cell_clean(t, c->name.bytes, c->name.length);
	if (is_userspace)
		TABLE_ROW(t, TABLE_OBJECT, cell_int(id), cell_null(), cell_null(),
			  cell_int(c->object), table_upid(t, c->thread.process), name, args);
	else
		TABLE_ROW(t, TABLE_OBJECT, cell_int(id), cell_int(c->object),
			  cell_int(c->object_type), cell_null(), cell_null(), name, args);
}

static void log_row(struct tables *t, uint64_t ns, const struct fxt_content *c)
{
	TABLE_ROW(t, TABLE_LOG, cell_int(table_id(t, TABLE_LOG)),
		  cell_int(table_time(t, ns)), table_utid(t, ns, &c->thread),
		  cell_clean(t, c->name.bytes, c->name.length));
}

/* Name and build id share the buffer for converted text. */
static void module_row(struct tables *t, uint64_t ns, const struct fxt_content *c)
{
	struct table_name *name = table_name_text(t, &c->name);

	TABLE_ROW(t, TABLE_MODULE, cell_int(table_id(t, TABLE_MODULE)),
		  cell_int(table_time(t, ns)), table_upid(t, c->thread.process),
		  cell_int(c->module_id), cell_name(name), cell_hex(t, &c->build_id));
	table_name_put(t, name);
}

static void mmap_row(struct tables *t, uint64_t ns, const struct fxt_record *rec,
		     const struct fxt_content *c)
{
	int64_t id = table_id(t, TABLE_MMAP);

	table_mapping(t, rec, c, id);
	TABLE_ROW(t, TABLE_MMAP, cell_int(id),
		  cell_int(table_time(t, ns)), table_upid(t, c->thread.process),
		  cell_int(c->module_id), cell_int(c->start), cell_int(c->range),
		  cell_int(c->vaddr), cell_int(c->flags));
}

static void backtrace_rows(struct tables *t, uint64_t ns, const struct fxt_record *rec,
			   const struct fxt_content *c)
{
	int64_t id = table_id(t, TABLE_BACKTRACE);
	uint32_t sample = fxt_sched_sample_ns(c->frame_flags);
	struct fxt_thread_id thread = c->thread;
	unsigned int i;

	/* Our backtraces have the process of the frames, which may be the waker's. */
	if (fxt_text_is(&rec->provider->name, FXT_SCHED_PROVIDER_NAME))
		thread.process = 0;
	TABLE_ROW(t, TABLE_BACKTRACE, cell_int(id), cell_int(table_time(t, ns)),
		  table_utid(t, ns, &thread), table_callsite(t, rec, c),
		  sample ? cell_int(sample) : cell_null(),
		  cell_int(c->frame_flags == FXT_SCHED_ASLEEP));
	for (i = 0; i < c->frame_count; i++)
		TABLE_ROW(t, TABLE_BACKTRACE_FRAME,
			  cell_int(table_id(t, TABLE_BACKTRACE_FRAME)), cell_int(id),
			  cell_int(i), cell_int(c->frames[i]));
}

static void add_record(struct tables *t, const struct fxt_record *rec, const struct fxt_content *c)
{
	uint64_t ns = fxt_ticks_to_ns(c->time, rec->provider->ticks_per_second);

	if (!filter_describes(c->kind))
		table_see(t, ns);
	switch (c->kind) {
	case FXT_KIND_LOG:
		log_row(t, ns, c);
		break;
	case FXT_KIND_MODULE:
		table_module(t, rec, c);
		module_row(t, ns, c);
		break;
	case FXT_KIND_MMAP:
		mmap_row(t, ns, rec, c);
		break;
	default:
		backtrace_rows(t, ns, rec, c);
	}
}

/* --- BLOBs of any size ------------------------------------------------------------------- */

/*
 * BLOB records of one name are pieces of one stream; a large BLOB is complete. A row has no more
 * data than a record that is not large.
 */

#define TABLE_PIECE_BYTES	65536

struct stream {
	struct map_node node;
	struct table_name *name;
	uint64_t bytes;			/* so far */
};

static struct stream *stream(struct tables *t, struct table_name *name)
{
	struct stream *s;

	if (map_find(&t->blobs, name->node.hash, s, s->name == name) ||
	    !table_has_room(t, t->blobs.count, STAT_NAMES_LEFT_OUT))
		return s;
	must(map_new(&t->blobs, name->node.hash, s));
	s->name = table_name_ref(name);
	return s;
}

/* Returns NULL if the offset is unknown. */
static struct table_cell stream_offset(struct tables *t, const struct fxt_content *c,
				       struct table_name *name)
{
	struct stream *s = name ? stream(t, name) : NULL;
	uint64_t offset;

	if (!s)
		return cell_null();
	offset = s->bytes;
	s->bytes += c->blob.bytes;
	return cell_int(offset);
}

static int64_t blob_row(struct tables *t, const struct fxt_record *rec,
			const struct fxt_content *c)
{
	bool is_plain = c->kind == FXT_KIND_BLOB;
	struct table_name *name = table_name_text(t, &c->name);
	struct table_cell ts = cell_null(), utid = cell_null();
	int64_t id = table_id(t, TABLE_BLOB), args = table_args_now(t, c);
	uint64_t ns;

	if (c->kind == FXT_KIND_LARGE_BLOB) {
		ns = table_record_time(t, rec, c->time);
		ts = cell_int(table_time(t, ns));
		utid = table_utid(t, ns, &c->thread);
	}
	TABLE_ROW(t, TABLE_BLOB, cell_int(id), cell_str(fxt_kind_name(c->kind)), ts, utid,
		  is_plain ? cell_null() :
			     cell_clean(t, c->category.bytes, c->category.length),
		  cell_name(name), is_plain ? cell_int(c->blob_type) : cell_null(),
		  is_plain ? stream_offset(t, c, name) : cell_int(0),
		  cell_int(c->blob.bytes), cell_id(args));
	table_name_put(t, name);
	return id;
}

/* @offset: of the data; advanced to their end */
static void data_rows(struct tables *t, int64_t blob, uint64_t *offset, const char *data,
		      uint64_t bytes)
{
	uint64_t piece;

	for (; bytes; bytes -= piece, data += piece, *offset += piece) {
		piece = bytes < TABLE_PIECE_BYTES ? bytes : TABLE_PIECE_BYTES;
		TABLE_ROW(t, TABLE_BLOB_DATA, cell_int(table_id(t, TABLE_BLOB_DATA)),
			  cell_int(blob), cell_int(*offset),
			  (struct table_cell){ .type = TABLE_BYTES,
					       .text = { data, piece } });
	}
}

/*
 * Take a BLOB, or a large one, and read its payload to the end, which invalidates the content's
 * data. Returns like fxt_reader_payload().
 */
static int add_blob(struct tables *t, const struct fxt_record *rec, const struct fxt_content *c)
{
	int64_t id = blob_row(t, rec, c);
	struct fxt_bytes piece;
	uint64_t offset = 0;
	int ret;

	data_rows(t, id, &offset, c->blob.data, c->blob_held);
	while ((ret = fxt_reader_payload(t->r, &piece)) > 0 && !t->error)
		data_rows(t, id, &offset, piece.data, piece.bytes);
	return ret < 0 ? ret : 0;
}

/* --- metadata --------------------------------------------------------------- */

static void metadata_row(struct tables *t, const char *name, struct table_cell number,
			 struct table_cell text)
{
	TABLE_ROW(t, TABLE_METADATA, cell_int(table_id(t, TABLE_METADATA)), cell_str(name),
		  cell_str("single"), number, text);
}

static void metadata_text(struct tables *t, const char *name, struct table_cell number,
			  const char *bytes, size_t length)
{
	metadata_row(t, name, number, cell_clean(t, bytes, length));
}

/* Keys chosen by the user get no prefix. */
static void session_name(char *name, size_t room, const char *key, size_t length)
{
	size_t prefix = strlen(FXT_SCHED_META);
	bool is_chosen = length > prefix && !memcmp(key, FXT_SCHED_META, prefix);

	snprintf(name, room, "%s%.*s", is_chosen ? "" : "fxt_session_",
		 (int)(length < 40 ? length : 40), key);
	for (char *c = name; *c; c++)
		if (*c < '!' || *c > '~')
			*c = '_';
}

/* A description of a recording: lines of a key and its value. */
static void session_rows(struct tables *t, const char *text, size_t bytes)
{
	const char *end = text + bytes, *eol, *space;
	char name[64];

	for (; text < end; text = eol + 1) {
		eol = memchr(text, '\n', end - text);
		if (!eol)
			eol = end;
		space = memchr(text, ' ', eol - text);
		if (!space)
			space = eol;
		session_name(name, sizeof(name), text, space - text);
		if (space < eol)
			metadata_text(t, name, cell_null(), space + 1, eol - space - 1);
		else if (space > text)
			metadata_text(t, name, cell_null(), "", 0);
		if (eol == end)
			break;
	}
}

static void archive_rows(struct tables *t)
{
	const struct fxt_reader_totals *totals = fxt_reader_totals(t->r);

	metadata_row(t, "trace_type", cell_null(), cell_str("fuchsia"));
	metadata_row(t, "trace_size_bytes", cell_int(totals->bytes), cell_null());
	metadata_row(t, "fxt_compression", cell_null(),
		     cell_str(fxt_reader_compression(t->r)));
	metadata_row(t, "fxt_other_byte_order", cell_int(fxt_reader_swapped(t->r)),
		     cell_null());
	if (t->first <= t->last)
		TABLE_ROW(t, TABLE_TRACE_BOUNDS, cell_int(table_time(t, t->first)),
			  cell_int(table_time(t, t->last)));
}

/* --- ledgers ------------------------------------------------------------------ */

static void ledger(struct tables *t, const struct fxt_record *rec)
{
	uint64_t words[FXT_LEDGER_WORDS] = { FXT_LEDGER_HEADER };
	struct table_ledger *l;
	struct fxt_ledger said;
	uint32_t i;

	if (rec->held < FXT_LEDGER_WORDS || rec->held != rec->size)
		return;
	for (i = 1; i < FXT_LEDGER_WORDS; i++)
		words[i] = fxt_record_word(t->r, rec, rec->held - FXT_LEDGER_WORDS + i);
	if (!fxt_sched_get_ledger((const __u64 *)words, &said))
		return;
	l = &t->ledgers[said.stream];
	l->seen = true;
	streams_add(&t->ledger_end, said.stream);
	if (said.kind == FXT_LEDGER_OPENING) {
		l->written_before = said.written;
		l->lost_before = said.lost;
	}
	/* A ledger that continues a sub-buffer of another part has smaller counts. */
	if (said.written >= l->written_before)
		l->written = said.written - l->written_before;
	if (said.lost >= l->lost_before)
		l->lost = said.lost - l->lost_before;
}

static void own_blob(struct tables *t, const struct fxt_record *rec,
		     const struct fxt_content *c)
{
	if (c->blob_type != FXT_BLOB_DATA || c->blob_held != c->blob.bytes)
		return;
	if (c->name.known == FXT_STR_LEDGER && c->blob.bytes == FXT_LEDGER_BYTES)
		ledger(t, rec);
	else if (c->name.known == FXT_STR_SESSION && c->blob.bytes)
		session_rows(t, c->blob.data, c->blob.bytes);
	else if (c->name.known == FXT_STR_SYMBOLS && c->blob.bytes)
		table_symbols(t, rec, c);
}

/* --- stats --------------------------------------------------------------------- */

static void stat_row(struct tables *t, const char *name, struct table_cell index,
		     const char *severity, uint64_t value, const char *description)
{
	TABLE_ROW(t, TABLE_STATS, cell_str(name), index, cell_str(severity),
		  cell_str("trace"), cell_int(value),
		  description ? cell_str(description) : cell_null());
}

static void reader_stats(struct tables *t)
{
	const struct fxt_reader_totals *totals = fxt_reader_totals(t->r);

	stat_row(t, "fxt_records", cell_null(), "info", totals->records, NULL);
	stat_row(t, "fxt_records_skipped", cell_null(), "data_loss", totals->skipped,
		 "records that could not be interpreted");
	stat_row(t, "fxt_bytes_skipped", cell_null(), "data_loss", totals->skipped_bytes,
		 "bytes of skipped records, and bytes that belong to no record");
	stat_row(t, "fxt_deviations", cell_null(), "error", totals->deviations,
		 "violations of the format");
	for (int i = 0; i < FXT_KIND_COUNT; i++)
		if (t->kinds[i])
			stat_row(t, "fxt_records_of_kind", cell_int(i), "info",
				 t->kinds[i], fxt_kind_name(i));
}

static void sched_stats(struct tables *t)
{
	const struct sched_totals *totals = sched_model_totals(t->model);

	stat_row(t, "fxt_switches", cell_null(), "info", totals->switches, NULL);
	stat_row(t, "fxt_wakeups", cell_null(), "info", totals->wakeups, NULL);
	stat_row(t, "fxt_sched_late", cell_null(), "info", totals->late,
		 "scheduling events that came too late to be put in order");
	stat_row(t, "fxt_ledgers", cell_null(), "info", totals->ledgers, NULL);
	if (totals->ledgers) {
		stat_row(t, "fxt_before", cell_null(), "info", totals->before,
			 "records of other parts of the recording");
		stat_row(t, "fxt_written", cell_null(), "info", totals->written,
			 "records that producers wrote or tried to write");
		stat_row(t, "fxt_stored", cell_null(), "info", totals->stored, NULL);
		stat_row(t, "fxt_lost", cell_null(), "data_loss", totals->lost,
			 "records that producers lost");
	}
	for (unsigned int i = 0; i < STREAMS; i = streams_next(t->ledger_end, i)) {
		if (!t->ledgers[i].seen)
			continue;
		stat_row(t, "fxt_stream_written", cell_int(i), "info",
			 t->ledgers[i].written,
			 i == FXT_LEDGER_STREAM_NAMES ? "names" : "cpu");
		stat_row(t, "fxt_stream_lost", cell_int(i), "data_loss",
			 t->ledgers[i].lost,
			 i == FXT_LEDGER_STREAM_NAMES ? "names" : "cpu");
	}
	for (int i = 0; i < SCHED_ANOMALY_COUNT; i++) {
		stat_row(t, "fxt_violations", cell_int(i), "error", t->anomalies[i][true],
			 sched_anomaly_name(i));
		stat_row(t, "fxt_notes", cell_int(i), "info", t->anomalies[i][false],
			 sched_anomaly_name(i));
	}
}

static void stats_rows(struct tables *t)
{
	static const char *const severity[STAT_COUNT] = {
#define STAT_SEVERITY(stat, name, severity) severity,
		TABLE_STATS_OWN(STAT_SEVERITY)
	};
	static const char *const name[STAT_COUNT] = {
#define STAT_NAME(stat, name, severity) name,
		TABLE_STATS_OWN(STAT_NAME)
	};

	reader_stats(t);
	sched_stats(t);
	for (int i = 0; i < STAT_COUNT; i++)
		TABLE_ROW(t, TABLE_STATS, cell_str(name[i]), cell_null(),
			  cell_str(severity[i]), cell_str("analysis"),
			  cell_int(t->stats[i]), cell_null());
}

/* --- the walk ---------------------------------------------------------------------- */

static int other_record(struct tables *t, const struct fxt_record *rec,
			const struct fxt_content *c)
{
	switch (c->kind) {
	case FXT_KIND_PROVIDER_INFO:
		metadata_text(t, "fxt_provider", cell_int(c->provider_id), c->name.bytes,
			      c->name.length);
		break;
	case FXT_KIND_INITIALIZATION:
		metadata_row(t, "fxt_ticks_per_second",
			     cell_int(c->ticks_per_second), cell_null());
		break;
	case FXT_KIND_BLOB:
		own_blob(t, rec, c);
		return add_blob(t, rec, c);
	case FXT_KIND_LARGE_BLOB:
	case FXT_KIND_LARGE_BLOB_BARE:
		return add_blob(t, rec, c);
	case FXT_KIND_USERSPACE_OBJECT:
	case FXT_KIND_KERNEL_OBJECT:
		object_record(t, c);
		break;
	case FXT_KIND_LOG ... FXT_KIND_BACKTRACE:
		add_record(t, rec, c);
		break;
	case FXT_KIND_INSTANT ... FXT_KIND_FLOW_END:
		table_event(t, rec, c);
		break;
	default:
		break;
	}
	return 0;
}

static int record(struct tables *t, const struct fxt_record *rec, struct fxt_content *c)
{
	int ret;

	if (rec->kind < FXT_KIND_COUNT)
		t->kinds[rec->kind]++;
	if (rec->kind == FXT_KIND_CONTEXT_SWITCH || rec->kind == FXT_KIND_THREAD_WAKEUP) {
		ret = sched_model_record(t->model, t->r, rec);
	} else {
		ret = fxt_reader_content(t->r, rec, c);
		if (!ret)
			ret = sched_model_content(t->model, rec, c);
		if (!ret)
			ret = other_record(t, rec, c);
	}
	return t->error ? t->error : ret;
}

static int convert_records(struct tables *t, bool strict)
{
	struct fxt_content *content = new_zero(struct fxt_content);
	struct fxt_record rec;
	int ret;

	while ((ret = fxt_reader_next(t->r, &rec)) > 0) {
		ret = record(t, &rec, content);
		/* The reader counts records that cannot be interpreted. */
		if (ret == -ENOTSUP || (ret == -EBADMSG && !strict && !t->error))
			continue;
		if (ret)
			break;
	}
	free(content);
	return ret;
}

/* After an error, table_row() outputs nothing. */
static void finish_tables(struct tables *t)
{
	const struct sched_totals *totals = sched_model_totals(t->model);

	if (totals->switches || totals->wakeups) {
		table_see(t, totals->first);
		table_see(t, totals->last);
	}
	table_events_finish(t);
	table_objects_finish(t);
	table_stacks_finish(t);
	table_threads_rows(t);
	archive_rows(t);
	stats_rows(t);
}

int table_convert(struct fxt_reader *r, bool strict, table_taker *row, void *arg)
{
	struct tables *t = new_zero(struct tables);
	int ret;

	t->row = row;
	t->arg = arg;
	t->r = r;
	t->first = UINT64_MAX;
	table_events_begin(t);
	t->model = sched_model_open(&table_sched_ops, t, 0);
	table_threads_init(t);
	ret = convert_records(t, strict);
	if (!ret)
		ret = sched_model_finish(t->model);
	if (ret && !t->error)
		t->error = ret;
	finish_tables(t);
	table_threads_free(t);
	table_objects_free(t);
	table_stacks_free(t);
	map_free_all(&t->blobs, struct stream);
	map_free_all(&t->names, struct table_name);
	sched_model_close(t->model);
	ret = t->error;
	free(t);
	return ret;
}
