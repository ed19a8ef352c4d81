// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * write.c - an archive as "Trace Event Format", JSON Object Format.
 *
 * In: an archive.
 * Out: one JSON object, written as the archive is read. "traceEvents" has the events;
 * records without a track and a time (blobs, providers) become metadata events whose
 * names begin with "fxt_", which viewers ignore. "stackFrames" has the frames of all
 * stacks, "otherData" at the end has the number of records read and skipped.
 *
 * Must hold: the output is valid JSON even if the archive is truncated.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "formats/ftrace/ftrace.h"
#include "formats/ftrace/kernel.h"
#include "formats/json/fields.h"
#include "terminal/message.h"
#include "walk/io.h"
#include "format.h"
#include "json.h"

#define SWITCH_IN_WORD	3	/* of a context switch: the thread switched in */

/* --- records without a track ------------------------------------------- */

static void open_fxt_metadata(struct json *j, const char *name)
{
	static const struct json_place nowhere;

	json_open_metadata(j, &nowhere, name);
	out_str(j->o, ",\"args\":{");
}

/* The payload comes last in its event, because reading it invalidates the record. */
static int end_with_payload(struct json *j, struct fxt_reader *r)
{
	struct fxt_bytes piece = j->content.blob;
	struct out_base64 b = { .bytes = 0 };
	int ret = j->content.kind == FXT_KIND_BLOB ? 0 : 1;

	out_str(j->o, "\"size\":");
	out_json_u64(j->o, piece.bytes);
	out_str(j->o, ",\"data\":\"");
	out_base64_add(j->o, &b, piece.data, j->content.blob_held);
	while (ret > 0 && !j->o->error) {
		ret = fxt_reader_payload(r, &piece);
		if (ret > 0)
			out_base64_add(j->o, &b, piece.data, piece.bytes);
	}
	out_base64_end(j->o, &b);
	out_str(j->o, "\"}}");
	return ret < 0 ? ret : 0;
}

static int blob(struct json *j, struct fxt_reader *r, uint64_t ns)
{
	const struct fxt_content *c = &j->content;
	struct json_place place = { c->thread.process, c->thread.thread };

	if (c->kind == FXT_KIND_LARGE_BLOB) {
		json_open(j, 'i', &place, ns);
		json_name(j, &c->category, &c->name);
		out_str(j->o, ",\"s\":\"t\",\"args\":{\"args\":");
		json_args(j, c, false);
		out_char(j->o, ',');
		return end_with_payload(j, r);
	}
	if (c->kind == FXT_KIND_BLOB && c->name.known == FXT_STR_SESSION) {
		j->ours = true;
		json_clock_sync(j);
	}
	open_fxt_metadata(j, c->kind == FXT_KIND_BLOB ? "fxt_blob" : "fxt_large_blob");
	if (c->kind == FXT_KIND_BLOB) {
		out_str(j->o, "\"type\":");
		out_u64(j->o, c->blob_type);
	} else {
		out_str(j->o, "\"category\":");
		out_json_text(j->o, &c->category);
	}
	out_str(j->o, ",\"name\":");
	out_json_text(j->o, &c->name);
	out_char(j->o, ',');
	return end_with_payload(j, r);
}

static void provider(struct json *j, const struct fxt_record *rec)
{
	const struct fxt_content *c = &j->content;

	switch (c->kind) {
	case FXT_KIND_PROVIDER_INFO:
		open_fxt_metadata(j, "fxt_provider_info");
		out_printf(j->o, "\"provider\":%u,\"name\":", c->provider_id);
		out_json_text(j->o, &c->name);
		break;
	case FXT_KIND_PROVIDER_SECTION:
		open_fxt_metadata(j, "fxt_provider_section");
		out_printf(j->o, "\"provider\":%u", c->provider_id);
		break;
	case FXT_KIND_PROVIDER_EVENT:
		open_fxt_metadata(j, "fxt_provider_event");
		out_printf(j->o, "\"provider\":%u,\"event\":%u", c->provider_id, c->event);
		break;
	default:
		open_fxt_metadata(j, "fxt_initialization");
		out_printf(j->o, "\"provider\":%u,\"ticks_per_second\":", rec->provider->id);
		out_json_u64(j->o, c->ticks_per_second);
	}
	out_char(j->o, '}');
	json_end(j);
}

/* --- the walk ------------------------------------------------------------------ */

static int other_record(struct json *j, struct fxt_reader *r, const struct fxt_record *rec,
			uint64_t ns)
{
	switch (j->content.kind) {
	case FXT_KIND_PROVIDER_INFO:
	case FXT_KIND_PROVIDER_SECTION:
	case FXT_KIND_PROVIDER_EVENT:
	case FXT_KIND_INITIALIZATION:
		provider(j, rec);
		return 0;
	case FXT_KIND_USERSPACE_OBJECT:
	case FXT_KIND_KERNEL_OBJECT:
		return json_take_object(j);
	case FXT_KIND_BLOB:
	case FXT_KIND_LARGE_BLOB:
	case FXT_KIND_LARGE_BLOB_BARE:
		return blob(j, r, ns);
	default:	/* strings and threads were resolved, the model has the rest */
		return 0;
	}
}

/* --- events that were read from this format ------------------------------------ */

static int restore_other(struct json *j, struct fxt_reader *r, const struct fxt_record *rec,
			 uint64_t ns)
{
	switch (j->content.kind) {
	case FXT_KIND_PROVIDER_INFO:
	case FXT_KIND_INITIALIZATION:
		return 0;
	case FXT_KIND_KERNEL_OBJECT:
		json_restore_name(j);
		return 0;
	case FXT_KIND_BLOB:
		return json_member(j);
	default:
		return other_record(j, r, rec, ns);
	}
}

static int json_record(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	uint64_t rate = rec->provider->ticks_per_second, ns = 0;
	struct json *j = arg;
	bool has_time;
	int ret;

	if (rec->kind == FXT_KIND_CONTEXT_SWITCH || rec->kind == FXT_KIND_THREAD_WAKEUP) {
		ret = j->m ? sched_model_record(j->m, r, rec) : 0;
		if (!ret)
			ns = fxt_ticks_to_ns(fxt_record_word(r, rec, 1), rate);
		if (rec->kind == FXT_KIND_CONTEXT_SWITCH) {
			j->switch_ns = ns;
			j->switched_in = fxt_record_word(r, rec, SWITCH_IN_WORD);
		}
		j->latest = ns > j->latest ? ns : j->latest;
		return ret;
	}
	j->provider = rec->provider->id;
	ret = fxt_reader_content(r, rec, &j->content);
	if (!ret && j->content.kind == FXT_KIND_BLOB &&
	    j->content.name.known == FXT_STR_SYMBOLS)
		ret = sched_symbols_take(&j->symbols, j->provider, &j->content.blob);
	if (!ret)
		ret = sched_files_take(&j->symbols.files, j->provider, &j->content);
	j->restores = fxt_text_is(&rec->provider->name, JSON_PROVIDER);
	if (!ret && j->m && !j->restores)
		ret = sched_model_content(j->m, rec, &j->content);
	if (!ret && j->f)
		ret = ftrace_note(j->f, &j->content, r, rec);
	if (ret)
		return ret;
	has_time = fxt_kind_has_time(j->content.kind) || j->content.kind == FXT_KIND_LARGE_BLOB;
	if (has_time)
		ns = fxt_ticks_to_ns(j->content.time, rate);
	j->latest = ns > j->latest ? ns : j->latest;
	j->refs = 0;
	if (!j->restores) {
		json_event_place(j, has_time ? ns : j->latest);
		json_object_refs(j);
	}
	if (j->content.kind >= FXT_KIND_INSTANT && j->content.kind <= FXT_KIND_FLOW_END)
		return json_hold(j, ns, rate);
	ret = json_event(j, ns, rate);
	if (ret != -ENODATA)
		return ret;
	return j->restores ? restore_other(j, r, rec, ns) : other_record(j, r, rec, ns);
}

/* Of the archive. A trace that was read from this format keeps its own "otherData". */
static void put_other_data(struct json *j, const struct fxt_reader *r)
{
	const struct fxt_reader_totals *t = fxt_reader_totals(r);

	out_str(j->o, json_has_member(j, "otherData") ? ",\n\"fxt\"" : ",\n\"otherData\"");
	out_str(j->o, ":{\"converter\":\"fxt " FXT_VERSION "\",\"bytes\":");
	out_json_u64(j->o, t->bytes);
	out_str(j->o, ",\"records\":");
	out_json_u64(j->o, t->records);
	out_str(j->o, ",\"skipped_records\":");
	out_json_u64(j->o, t->skipped);
	out_str(j->o, ",\"deviations\":");
	out_json_u64(j->o, t->deviations);
	out_str(j->o, ",\"events_out_of_order\":");
	out_json_u64(j->o, j->late);
	out_str(j->o, ",\"counter_args_without_number\":");
	out_json_u64(j->o, j->dropped);
	if (j->m) {
		out_str(j->o, ",\"lost_records\":");
		out_json_u64(j->o, sched_model_totals(j->m)->lost);
	}
	out_char(j->o, '}');
}

/* --- the whole ------------------------------------------------------------------ */

static int events(struct io *io, struct json *j)
{
	static const struct sched_ops ops = { .span = json_span };
	int ret = 0, finished;

	if (!j->f)
		ret = sched_model_open(&j->m, &ops, j, 0);
	out_str(j->o, "{\"traceEvents\":[");
	if (!ret)
		ret = io_walk(io, j->o, json_record, j);
	/* Complete the output of what was read before the error, too. */
	finished = json_held_finish(j);
	if (!finished)
		finished = json_members_finish(j);
	if (j->m && !finished)
		finished = sched_model_finish(j->m);
	if (j->m && !finished)
		json_lives(j);
	out_str(j->o, "\n]");
	if (!json_has_member(j, "displayTimeUnit"))
		out_str(j->o, ",\n\"displayTimeUnit\":\"ns\"");
	if (!json_has_member(j, "stackFrames"))
		json_frames_write(j);
	json_members_write(j);
	return ret ? ret : finished;
}

static int system_trace(struct io *io, struct json *j)
{
	int ret, finished;
	uint64_t late;

	out_str(j->o, ",\n\"systemTraceEvents\":\"");
	ftrace_begin(j->f, j->o, NULL);
	ret = io_walk(io, j->o, ftrace_record, j->f);
	finished = ftrace_finish(j->f, &late);
	out_char(j->o, '"');
	ftrace_report_late(io->a.path, late);
	return ret ? ret : finished;
}

/* The archive and the result are open; both are closed at the end. */
static int convert(struct io *io, struct json *j)
{
	int ret = events(io, j), again = VERB_DONE;

	if (!ret && j->f && !json_has_member(j, "systemTraceEvents")) {
		archive_drop(&io->a);
		again = io_open(io);
		if (again == VERB_DONE)
			ret = system_trace(io, j);
	}
	if (again == VERB_DONE && !json_has_member(j, "fxt"))
		put_other_data(j, io->a.r);
	out_str(j->o, "}\n");
	if (again == VERB_DONE)
		return io_close(io, j->o, ret);
	out_close(j->o);
	return result_end(&io->result, again, false);
}

static void json_free(struct json *j)
{
	if (!j)
		return;
	sched_model_close(j->m);
	ftrace_close(j->f);
	fxt_objects_free(&j->objects);
	json_frames_free(j);
	json_flows_free(j);
	json_held_free(j);
	json_members_free(j);
	koids_free(&j->moved_named);
	free(j->threads);
	free(j);
}

static int open_and_convert(struct io *io, bool with_ftrace)
{
	struct json *j = calloc(1, sizeof(*j));
	struct out *o = malloc(sizeof(*o));
	int ret = VERB_UNREADABLE;

	if (!j || !o || (with_ftrace && ftrace_open(&j->f, &ftrace_lines, true))) {
		message("fxt: cannot convert %s: %s\n", io->input, strerror(ENOMEM));
		goto out;
	}
	j->o = o;
	j->objects.max_bytes = JSON_TABLE_BYTES;
	json_flows_begin(j);
	ret = with_ftrace ? io_rereadable(io) : VERB_DONE;
	if (ret == VERB_DONE)
		ret = io_open(io);
	if (ret == VERB_DONE)
		ret = io_create_text(io, o);
	if (ret == VERB_DONE)
		ret = convert(io, j);
out:
	json_free(j);
	free(o);
	return ret;
}

int json_write(struct io *io)
{
	return open_and_convert(io, false);
}

int json_write_with_ftrace(struct io *io)
{
	return open_and_convert(io, true);
}

bool json_is_ours(int fd)
{
	struct result_ends e;

	return result_read_ends(fd, &e) && result_begins(&e, "{\"traceEvents\":[") &&
	       (strstr(e.tail, "\"otherData\":{\"converter\":\"fxt ") ||
		strstr(e.tail, "\"fxt\":{\"converter\":\"fxt "));
}
