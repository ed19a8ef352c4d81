// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * write.c - an archive as "Trace Event Format", JSON Object Format.
 *
 * In: an archive.
 * Out: one JSON object, written as the archive is read. Records without a track and a time (blobs,
 * providers) become metadata events "fxt_...", which viewers ignore. "otherData" at the end has the
 * number of records read and skipped.
 *
 * Must hold: the output is valid JSON even if the archive is truncated.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>
#include <fxt/fxt_sched_stack.h>

#include "formats/ftrace/ftrace.h"
#include "formats/json/fields.h"
#include "terminal/memory.h"
#include "walk/io.h"
#include "sched/session_text.h"
#include "formats/formats.h"
#include "json.h"

/* --------------------------------------------------------------------
 * A clock sync event relates the archive's clock to other traces. Its id identifies time 0 of that
 * clock in this boot of the machine, so traces with the same id have the same time there.
 */

#define NOT_MOVED	"+0.000000000 "

/* Write the clock sync event of a session record, once. */
static void json_clock_sync(struct json *j)
{
	static const struct json_place nowhere;
	const char *text = j->content.blob.data;
	size_t bytes = j->content.blob.bytes, boot_length, clock_length, length;
	const char *boot = session_value(text, bytes, "boot", &boot_length);
	const char *clock = session_value(text, bytes, "clock", &clock_length);
	const char *moved = session_value(text, bytes, "merge clock", &length);
	char id[128];

	/* In a merged archive, time 0 of a later recording may be another moment. */
	if (j->synced || !boot || !clock ||
	    (moved && (length < sizeof(NOT_MOVED) - 1 ||
		       memcmp(moved, NOT_MOVED, sizeof(NOT_MOVED) - 1))))
		return;
	j->synced = true;
	json_open(j, 'c', &nowhere, 0);
	snprintf(id, sizeof(id), "boot %.*s clock %.*s", (int)boot_length, boot,
		 (int)clock_length, clock);
	out_str(j->o, ",\"name\":\"clock_sync\",\"args\":{\"sync_id\":");
	out_json(j->o, id, strlen(id));
	out_char(j->o, '}');
	json_end(j);
}

/* --------------------------------------------------------------------
 * Events of threads: one event per record, exact to the nanosecond.
 *
 * Flows bind to slices as in FXT, except for their end: without "bp":"e" it binds to the next
 * slice.
 */

static void add_args(struct json *j, bool numbers_only)
{
	if (!j->content.arg_count && !numbers_only)
		return;
	out_str(j->o, ",\"args\":");
	json_args(j, &j->content, numbers_only);
}

/* Begin an event on the track of the record's thread. */
static void open_here(struct json *j, char phase, uint64_t ns)
{
	struct json_place place = { j->content.thread.process, j->content.thread.thread };

	json_open(j, phase, &place, ns);
}

static void open_event(struct json *j, char phase, uint64_t ns)
{
	open_here(j, phase, ns);
	json_name(j, &j->content.category, &j->content.name);
}

/*
 * In our own archives a thread's states are on its track. Work items and system calls overlap them,
 * so these share a second track: kernel workers make no system calls.
 */
static void move_slice(struct json *j)
{
	struct fxt_content *c = &j->content;
	struct json_place place = { c->thread.process, c->thread.thread + JSON_STATES_TID };
	bool is_call = c->category.known == FXT_STR_SYSCALL;
	const struct sched_thread *t;
	char name[SCHED_NAME_BYTES + 16];

	if (!j->ours || !j->m || (c->category.known != FXT_STR_WORK && !is_call) ||
	    c->thread.thread >= JSON_STATES_TID)
		return;
	if (!koids_get(&j->moved_named, c->thread.thread, NULL)) {
		koids_set(&j->moved_named, c->thread.thread, 0);
		t = sched_model_thread(j->m, c->thread.thread);
		snprintf(name, sizeof(name), "%s (%s)", t && *t->name ? t->name : "?",
			 is_call ? "system calls" : "work");
		json_track(j, "thread", &place, name, c->thread.thread);
	}
	c->thread.thread = place.tid;
}

static void complete(struct json *j, uint64_t ns, uint64_t ticks_per_second)
{
	uint64_t end = fxt_ticks_to_ns(j->content.end, ticks_per_second);
	uint64_t thread = j->content.thread.thread;

	move_slice(j);
	open_event(j, 'X', ns);
	out_str(j->o, ",\"dur\":");
	out_micros(j->o, end > ns ? end - ns : 0);
	add_args(j, false);
	json_end(j);
	j->content.thread.thread = thread;
}

static void plain(struct json *j, char phase, uint64_t ns)
{
	open_event(j, phase, ns);
	if (phase == 'i')
		out_str(j->o, ",\"s\":\"t\"");
	add_args(j, false);
	json_end(j);
}

static void counter(struct json *j, uint64_t ns)
{
	open_event(j, 'C', ns);
	json_id(j, j->content.id);
	add_args(j, true);
	json_end(j);
}

static void part(struct json *j, char phase, uint64_t ns)
{
	open_here(j, phase, ns);
	json_flow_part(j);
	if (phase == 'f')
		out_str(j->o, ",\"bp\":\"e\"");
	add_args(j, false);
	json_end(j);
}

/* Begin an instant whose category and name give the kind of the record. */
static void open_instant(struct json *j, uint64_t ns)
{
	const char *kind = fxt_kind_name(j->content.kind);

	open_here(j, 'i', ns);
	out_str(j->o, ",\"s\":\"t\",\"cat\":\"");
	out_str(j->o, kind);
	out_str(j->o, "\",\"name\":\"");
	out_str(j->o, kind);
	out_str(j->o, "\",\"args\":{");
}

static void put_hex(struct json *j, const char *key, uint64_t value)
{
	out_str(j->o, key);
	json_hex(j->o, value);
}

static void put_u64(struct json *j, const char *key, uint64_t value)
{
	out_str(j->o, key);
	out_u64(j->o, value);
}

static void log_message(struct json *j, uint64_t ns)
{
	open_instant(j, ns);
	out_str(j->o, "\"message\":");
	out_json_text(j->o, &j->content.name);
	out_char(j->o, '}');
	json_end(j);
}

static void module(struct json *j, uint64_t ns)
{
	const unsigned char *id = j->content.build_id.data;
	uint64_t i;

	open_instant(j, ns);
	put_u64(j, "\"module_id\":", j->content.module_id);
	out_str(j->o, ",\"name\":");
	out_json_text(j->o, &j->content.name);
	out_str(j->o, ",\"build_id\":\"");
	for (i = 0; i < j->content.build_id.bytes; i++)
		out_printf(j->o, "%02x", id[i]);
	out_str(j->o, "\"}");
	json_end(j);
}

static void mmap_record(struct json *j, uint64_t ns)
{
	open_instant(j, ns);
	put_u64(j, "\"module_id\":", j->content.module_id);
	put_hex(j, ",\"start\":", j->content.start);
	put_hex(j, ",\"range\":", j->content.range);
	put_hex(j, ",\"vaddr\":", j->content.vaddr);
	put_u64(j, ",\"flags\":", j->content.flags);
	out_char(j->o, '}');
	json_end(j);
}

static void backtrace(struct json *j, uint64_t ns)
{
	uint32_t sample = fxt_sched_sample_ns(j->content.frame_flags);
	unsigned int i;

	open_instant(j, ns);
	if (sample)
		put_u64(j, "\"sample_ns\":", sample);
	out_str(j->o, sample ? ",\"frames\":[" : "\"frames\":[");
	for (i = 0; i < j->content.frame_count; i++)
		put_hex(j, i ? "," : "", j->content.frames[i]);
	out_str(j->o, "]}");
	json_stack(j);
	json_end(j);
}

/* Returns false if the record is not an event. */
static bool put_event(struct json *j, uint64_t ns, uint64_t ticks_per_second)
{
	enum fxt_kind kind = j->content.kind;

	if (j->restores && kind >= FXT_KIND_INSTANT && kind <= FXT_KIND_FLOW_END) {
		json_restore(j, ns, fxt_ticks_to_ns(j->content.end, ticks_per_second));
		return true;
	}
	switch (kind) {
	case FXT_KIND_INSTANT:
	case FXT_KIND_DURATION_BEGIN:
	case FXT_KIND_DURATION_END:
		plain(j, json_phase(kind), ns);
		break;
	case FXT_KIND_DURATION_COMPLETE:
		complete(j, ns, ticks_per_second);
		break;
	case FXT_KIND_COUNTER:
		counter(j, ns);
		break;
	case FXT_KIND_ASYNC_BEGIN ... FXT_KIND_FLOW_END:
		part(j, json_phase(kind), ns);
		break;
	case FXT_KIND_LOG:
		log_message(j, ns);
		break;
	case FXT_KIND_MODULE:
		module(j, ns);
		break;
	case FXT_KIND_MMAP:
		mmap_record(j, ns);
		break;
	case FXT_KIND_BACKTRACE:
		backtrace(j, ns);
		break;
	default:
		return false;
	}
	return true;
}

/* --------------------------------------------------------------------
 * Events sorted by time; events of equal time keep their order. At most JSON_HELD_BYTES wait.
 */

/* A waiting event: content, arguments, then its strings and blobs. */
struct held {
	uint64_t ticks_per_second;
	size_t bytes;
	uint16_t refs;		/* like @restores, as in struct json */
	bool restores;
	unsigned char head[offsetof(struct fxt_content, args)]
		__attribute__((aligned(sizeof(uint64_t))));
	struct fxt_arg args[];
};

struct waiting {
	struct order_key key;
	struct held *event;
};

#define WAITING_MOST	(JSON_HELD_BYTES / sizeof(struct held) + 1)

static size_t bytes_of(const struct fxt_content *c)
{
	size_t bytes = sizeof(struct held) + c->arg_count * sizeof(c->args[0]) +
		       c->category.length + c->name.length;
	unsigned int i;

	for (i = 0; i < c->arg_count; i++) {
		bytes += c->args[i].name.length;
		if (c->args[i].type == FXT_ARG_STRING)
			bytes += c->args[i].text.length;
		else if (c->args[i].type == FXT_ARG_BLOB)
			bytes += c->args[i].blob.bytes;
	}
	return bytes;
}

/* Copy bytes to @to, set @at to the copy, return its end. */
static char *keep(char *to, const void *from, size_t bytes, const char **at)
{
	if (bytes)
		memcpy(to, from, bytes);
	*at = to;
	return to + bytes;
}

static char *copy_arg(struct fxt_arg *to, const struct fxt_arg *from, char *texts)
{
	const char *blob;

	*to = *from;
	texts = keep(texts, from->name.bytes, from->name.length, &to->name.bytes);
	if (from->type == FXT_ARG_STRING)
		return keep(texts, from->text.bytes, from->text.length, &to->text.bytes);
	if (from->type != FXT_ARG_BLOB)
		return texts;
	texts = keep(texts, from->blob.data, from->blob.bytes, &blob);
	to->blob.data = blob;
	return texts;
}

static struct held *copy(struct fxt_content *c)
{
	size_t bytes = bytes_of(c);
	struct held *h = must(malloc(bytes));
	unsigned int i;
	char *texts;

	h->bytes = bytes;
	texts = keep((char *)&h->args[c->arg_count], c->category.bytes, c->category.length,
		     &c->category.bytes);
	texts = keep(texts, c->name.bytes, c->name.length, &c->name.bytes);
	memcpy(h->head, c, sizeof(h->head));
	for (i = 0; i < c->arg_count; i++)
		texts = copy_arg(&h->args[i], &c->args[i], texts);
	return h;
}

static void write_earliest(struct json *j)
{
	const struct waiting *first = order_pop(&j->held);
	struct held *h = first->event;

	memcpy(&j->content, h->head, sizeof(h->head));
	memcpy(j->content.args, h->args, j->content.arg_count * sizeof(h->args[0]));
	j->refs = h->refs;
	j->restores = h->restores;
	if (first->key.ns < j->held_until)
		j->late++;
	else
		j->held_until = first->key.ns;
	put_event(j, first->key.ns, h->ticks_per_second);
	j->held_bytes -= h->bytes;
	free(h);
}

/* Hold the event in @j->content until earlier ones have been written. */
static void hold(struct json *j, uint64_t ns, uint64_t ticks_per_second)
{
	struct waiting new = { .key.ns = ns, .event = copy(&j->content) };

	new.event->ticks_per_second = ticks_per_second;
	new.event->refs = j->refs;
	new.event->restores = j->restores;
	order_add(&j->held, &new, 0);
	j->held_bytes += new.event->bytes;
	while (j->held_bytes > JSON_HELD_BYTES)
		write_earliest(j);
}

static void free_held(struct json *j)
{
	const struct waiting *w;

	while ((w = order_pop(&j->held)))
		free(w->event);
	order_free(&j->held);
}

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

	if (c->kind == FXT_KIND_LARGE_BLOB) {
		open_event(j, 'i', ns);
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
		put_u64(j, "\"type\":", c->blob_type);
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

static int put_other(struct json *j, struct fxt_reader *r, const struct fxt_record *rec,
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
		json_write_object(j);
		return 0;
	case FXT_KIND_BLOB:
	case FXT_KIND_LARGE_BLOB:
	case FXT_KIND_LARGE_BLOB_BARE:
		return blob(j, r, ns);
	default:	/* strings and threads were resolved, the model has the rest */
		return 0;
	}
}

/* For events that were read from this format. */
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
		json_member(j);
		return 0;
	default:
		return put_other(j, r, rec, ns);
	}
}

#define SWITCH_IN_WORD	3	/* of a context switch: the thread switched in */

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
		sched_symbols_parse(&j->symbols, j->provider, &j->content.blob);
	if (!ret)
		sched_files_add(&j->symbols.files, j->provider, &j->content);
	j->restores = fxt_text_is(&rec->provider->name, JSON_PROVIDER);
	if (!ret && j->m && !j->restores)
		ret = sched_model_content(j->m, rec, &j->content);
	if (ret)
		return ret;
	if (j->f)
		ftrace_note(j->f, &j->content, r, rec);
	has_time = fxt_kind_has_time(j->content.kind) || j->content.kind == FXT_KIND_LARGE_BLOB;
	if (has_time)
		ns = fxt_ticks_to_ns(j->content.time, rate);
	j->latest = ns > j->latest ? ns : j->latest;
	j->refs = 0;
	if (!j->restores) {
		json_event_place(j, has_time ? ns : j->latest);
		json_object_refs(j);
	}
	if (j->content.kind >= FXT_KIND_INSTANT && j->content.kind <= FXT_KIND_FLOW_END) {
		hold(j, ns, rate);
		return 0;
	}
	if (put_event(j, ns, rate))
		return 0;
	return (j->restores ? restore_other : put_other)(j, r, rec, ns);
}

static void put_total(struct json *j, const char *key, uint64_t value)
{
	out_str(j->o, key);
	out_json_u64(j->o, value);
}

/* Write totals of the archive. A trace read from this format keeps its own "otherData". */
static void put_other_data(struct json *j, const struct fxt_reader *r)
{
	const struct fxt_reader_totals *t = fxt_reader_totals(r);

	out_str(j->o, json_has_member(j, "otherData") ? ",\n\"fxt\"" : ",\n\"otherData\"");
	out_str(j->o, ":{\"converter\":\"fxt " FXT_VERSION "\"");
	put_total(j, ",\"bytes\":", t->bytes);
	put_total(j, ",\"records\":", t->records);
	put_total(j, ",\"skipped_records\":", t->skipped);
	put_total(j, ",\"deviations\":", t->deviations);
	put_total(j, ",\"events_out_of_order\":", j->late);
	put_total(j, ",\"counter_args_without_number\":", j->dropped);
	if (j->m)
		put_total(j, ",\"lost_records\":", sched_model_totals(j->m)->lost);
	out_char(j->o, '}');
}

static int events(struct io *io, struct json *j)
{
	static const struct sched_ops ops = { .span = json_span };
	int ret, finished = 0;

	if (!j->f)
		j->m = sched_model_open(&ops, j, 0);
	out_str(j->o, "{\"traceEvents\":[");
	ret = io_walk(io, j->o, json_record, j);
	/* After an error, too, write the events that were read before it. */
	while (j->held.count)
		write_earliest(j);
	json_members_finish(j);
	if (j->m)
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
	int ret;

	out_str(j->o, ",\n\"systemTraceEvents\":\"");
	ftrace_begin(j->f, j->o, NULL);
	ret = io_walk(io, j->o, ftrace_record, j->f);
	ftrace_report_late(io->a.path, ftrace_finish(j->f));
	out_char(j->o, '"');
	return ret;
}

/* Closes the archive and the result, which the caller opened. */
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
	sched_model_close(j->m);
	if (j->f)
		ftrace_close(j->f);
	fxt_objects_free(&j->objects);
	json_frames_free(j);
	json_flows_free(j);
	free_held(j);
	json_members_free(j);
	koids_free(&j->moved_named);
	free(j->threads);
	free(j->o);
	free(j);
}

static int open_and_convert(struct io *io, bool with_ftrace)
{
	struct json *j = new_zero(struct json);
	int ret;

	j->o = must(malloc(sizeof(*j->o)));
	j->f = with_ftrace ? ftrace_open(&ftrace_lines, true) : NULL;
	j->objects.max_bytes = JSON_TABLE_BYTES;
	j->held.size = sizeof(struct waiting);
	j->held.room = WAITING_MOST;
	j->flows.most = JSON_FLOWS;
	ret = with_ftrace ? io_rereadable(io) : VERB_DONE;
	if (ret == VERB_DONE)
		ret = io_open(io);
	if (ret == VERB_DONE)
		ret = io_create_text(io, j->o);
	if (ret == VERB_DONE)
		ret = convert(io, j);
	json_free(j);
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
