// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * json.c - the records of an archive as JSON lines, for other programs.
 *
 * In: decoded records.
 * Out: one JSON object per line.
 * Must hold: each line is valid JSON on its own, whatever the archive contains; fields are
 * never removed or renamed, only added.
 *
 * Every object begins with
 *	offset		byte of the archive (decompressed) that the record begins at
 *	record		number of the record, from 0
 *	kind		as fxt_kind_name() has it, or "malformed"
 * and every record continues with
 *	provider	id of the provider that it belongs to, 0 before the first
 * and, of the kinds that have a time stamp,
 *	ticks, ns	the time stamp in ticks, and in nanoseconds
 * Then come, by kind, in this order:
 *	provider_info		provider_id, name
 *	provider_section	provider_id
 *	provider_event		provider_id, event
 *	magic			nothing
 *	initialization		ticks_per_second
 *	string			index, value
 *	thread			index, process, thread
 *	events			process, thread, category, name, args, and
 *	  counter		  counter_id
 *	  duration_complete	  end_ticks, end_ns
 *	  async_*, flow_*	  correlation_id
 *	blob			name, blob_type, size, payload; of a ledger also
 *				ledger: an object with stream, kind, sequence,
 *				ticks, ns, last_ticks, last_ns, written, lost
 *	userspace_object	pointer, process, name, args
 *	kernel_object		koid, object_type, name, args
 *	legacy_context_switch	cpu, outgoing_state, outgoing_process,
 *				outgoing_thread, incoming_process,
 *				incoming_thread, outgoing_priority,
 *				incoming_priority
 *	context_switch		cpu, outgoing_state, outgoing_thread,
 *				incoming_thread, args
 *	thread_wakeup		cpu, waking_thread, args
 *	log			process, thread, message
 *	module			process, thread, module_id, name, build_id
 *	mmap			process, thread, module_id, flags,
 *				start_address, address_range, vaddr
 *	backtrace		process, thread, flags if any, frames: innermost first; functions, if the
 *				archive names any
 *	large_blob		process, thread, category, name, args, size, payload
 *	large_blob_no_metadata	category, name, size, payload
 *	unknown			type, words, data: at most the first 32760 bytes
 *	malformed		deviation, lost, field, text; lost means that no
 *				record can be shown there
 * Where the name of a thread is known, records have it, too: thread_name beside
 * thread of records that belong to one, outgoing_name, incoming_name, waking_name
 * and waker_name beside the threads that take part in scheduling.
 * Types, states and flags are the numbers of the format. process and thread are
 * koids. args is an array of objects with name, type (null, int32, uint32,
 * int64, uint64, double, string, pointer, koid, bool, blob, unknown), value, and object
 * where a pointer or koid refers to an object that has a name: that name.
 * Integers beyond 2^53 are strings of digits; NaN and infinities are the
 * strings "NaN", "Infinity" and "-Infinity"; payload, build_id, data and values
 * of blobs are base64; in strings, invalid UTF-8 is U+FFFD.
 */
#include <string.h>

#include "libfxt/fxt_strings.h"
#include "dump.h"

/* A string literal, its length known to the compiler. */
#define LITERAL(o, s)		out_bytes(o, s, sizeof(s) - 1)
#define FIELD(o, name, value)	(LITERAL(o, ",\"" name "\":"), out_json_u64(o, value))
#define TEXT(o, name, text)	(LITERAL(o, ",\"" name "\":"), out_json_text(o, text))

/* Ready pieces of text, indexed by their meaning. */
struct piece {
	const char *text;
	size_t length;
};

#define PIECE(s)		{ s, sizeof(s) - 1 }

static void put_piece(struct out *o, const struct piece *piece)
{
	out_bytes(o, piece->text, piece->length);
}

static void put_time(struct out *o, const struct fxt_record *rec, uint64_t ticks)
{
	FIELD(o, "ticks", ticks);
	FIELD(o, "ns", dump_ns(rec, ticks));
}

static void put_head(struct out *o, const struct fxt_record *rec)
{
	static const struct piece kinds[] = {
#define KIND(kind, name) [kind] = PIECE(",\"kind\":\"" name "\",\"provider\":"),
		FXT_KINDS(KIND)
#undef KIND
	};

	LITERAL(o, "{\"offset\":");
	out_json_u64(o, rec->offset);
	FIELD(o, "record", rec->number);
	put_piece(o, &kinds[rec->kind]);
	out_u64(o, rec->provider->id);
}

/* The name of a thread, if known; @key: with comma, quotes and colon. */
static void put_thread_name(struct out *o, const char *key, const struct fxt_objects *objects,
			    uint64_t koid)
{
	const struct fxt_object *ob = dump_thread(objects, koid);

	if (!ob)
		return;
	out_str(o, key);
	out_json(o, ob->name, ob->length);
}

static void put_thread(struct out *o, const struct fxt_thread_id *id)
{
	FIELD(o, "process", id->process);
	FIELD(o, "thread", id->thread);
}

/* The thread that a record belongs to. */
static void put_owner(struct out *o, const struct fxt_thread_id *id,
		      const struct fxt_objects *objects)
{
	put_thread(o, id);
	put_thread_name(o, ",\"thread_name\":", objects, id->thread);
}

/* --- arguments ---------------------------------------------------------------- */

/* The beginning of the object, up to the type. */
static void put_arg_name(struct out *o, const struct fxt_text *name)
{
	/* None of these needs escaping. */
	static const struct piece known[] = {
#define KNOWN(index, text) [index] = PIECE("{\"name\":\"" text "\",\"type\":\""),
		FXT_SCHED_STRINGS(KNOWN)
#undef KNOWN
	};

	if (name->known) {
		put_piece(o, &known[name->known]);
		return;
	}
	LITERAL(o, "{\"name\":");
	out_json_text(o, name);
	LITERAL(o, ",\"type\":\"");
}

/* @ob: the object that a pointer or koid refers to, or NULL */
static void put_arg(struct out *o, const struct fxt_arg *arg, const struct fxt_object *ob)
{
	static const struct piece types[] = {
		[FXT_ARG_NULL]		= PIECE("null\",\"value\":null"),
		[FXT_ARG_INT32]		= PIECE("int32\",\"value\":"),
		[FXT_ARG_UINT32]	= PIECE("uint32\",\"value\":"),
		[FXT_ARG_INT64]		= PIECE("int64\",\"value\":"),
		[FXT_ARG_UINT64]	= PIECE("uint64\",\"value\":"),
		[FXT_ARG_DOUBLE]	= PIECE("double\",\"value\":"),
		[FXT_ARG_STRING]	= PIECE("string\",\"value\":"),
		[FXT_ARG_POINTER]	= PIECE("pointer\",\"value\":"),
		[FXT_ARG_KOID]		= PIECE("koid\",\"value\":"),
		[FXT_ARG_BOOL]		= PIECE("bool\",\"value\":"),
		[FXT_ARG_BLOB]		= PIECE("blob\",\"value\":"),
		[FXT_ARG_BLOB + 1]	= PIECE("unknown\",\"value\":null"),
	};

	put_arg_name(o, &arg->name);
	put_piece(o, &types[arg->type <= FXT_ARG_BLOB ? arg->type : FXT_ARG_BLOB + 1]);
	switch (arg->type) {
	case FXT_ARG_INT32:
	case FXT_ARG_INT64:
		out_json_i64(o, arg->i64);
		break;
	case FXT_ARG_UINT32:
	case FXT_ARG_UINT64:
	case FXT_ARG_POINTER:
	case FXT_ARG_KOID:
		out_json_u64(o, arg->u64);
		break;
	case FXT_ARG_DOUBLE:
		out_json_double(o, arg->f64);
		break;
	case FXT_ARG_STRING:
		out_json_text(o, &arg->text);
		break;
	case FXT_ARG_BOOL:
		out_str(o, arg->u64 ? "true" : "false");
		break;
	case FXT_ARG_BLOB:
		out_json_base64(o, arg->blob.data, arg->blob.bytes);
		break;
	}
	if (ob) {
		LITERAL(o, ",\"object\":");
		out_json(o, ob->name, ob->length);
	}
	out_char(o, '}');
}

static void put_args(struct out *o, const struct fxt_content *c,
		     const struct fxt_objects *objects)
{
	unsigned int i;

	LITERAL(o, ",\"args\":[");
	for (i = 0; i < c->arg_count; i++) {
		if (i)
			out_char(o, ',');
		put_arg(o, &c->args[i], dump_referent(objects, c, &c->args[i]));
	}
	out_char(o, ']');
}

/* --- kinds --------------------------------------------------------------------- */

static void put_metadata(struct out *o, const struct fxt_content *c)
{
	switch (c->kind) {
	case FXT_KIND_PROVIDER_INFO:
		FIELD(o, "provider_id", c->provider_id);
		TEXT(o, "name", &c->name);
		break;
	case FXT_KIND_PROVIDER_SECTION:
		FIELD(o, "provider_id", c->provider_id);
		break;
	case FXT_KIND_PROVIDER_EVENT:
		FIELD(o, "provider_id", c->provider_id);
		FIELD(o, "event", c->event);
		break;
	case FXT_KIND_INITIALIZATION:
		FIELD(o, "ticks_per_second", c->ticks_per_second);
		break;
	case FXT_KIND_STRING:
		FIELD(o, "index", c->index);
		TEXT(o, "value", &c->name);
		break;
	case FXT_KIND_THREAD:
		FIELD(o, "index", c->index);
		put_thread(o, &c->thread);
		break;
	default:
		break;
	}
}

static void put_event(struct out *o, const struct fxt_record *rec,
		      const struct fxt_content *c, const struct fxt_objects *objects)
{
	put_owner(o, &c->thread, objects);
	TEXT(o, "category", &c->category);
	TEXT(o, "name", &c->name);
	put_args(o, c, objects);
	switch (c->kind) {
	case FXT_KIND_INSTANT:
	case FXT_KIND_DURATION_BEGIN:
	case FXT_KIND_DURATION_END:
		break;
	case FXT_KIND_COUNTER:
		FIELD(o, "counter_id", c->id);
		break;
	case FXT_KIND_DURATION_COMPLETE:
		FIELD(o, "end_ticks", c->end);
		FIELD(o, "end_ns", dump_ns(rec, c->end));
		break;
	default:
		FIELD(o, "correlation_id", c->id);
	}
}

static void put_ledger(struct out *o, const struct fxt_record *rec,
		       const struct fxt_ledger *l)
{
	LITERAL(o, ",\"ledger\":{\"stream\":");
	out_u64(o, l->stream);
	FIELD(o, "kind", l->kind);
	FIELD(o, "sequence", l->sequence);
	put_time(o, rec, l->time);
	FIELD(o, "last_ticks", l->last);
	FIELD(o, "last_ns", dump_ns(rec, l->last));
	FIELD(o, "written", l->written);
	FIELD(o, "lost", l->lost);
	out_char(o, '}');
}

/* The payload of a large blob is read in pieces; only one is in memory at a time. */
static int put_payload(struct out *o, struct fxt_reader *r, const struct fxt_content *c)
{
	struct out_base64 b = { .bytes = 0 };
	struct fxt_bytes piece;
	int ret = 0;

	FIELD(o, "size", c->blob.bytes);
	LITERAL(o, ",\"payload\":\"");
	out_base64_add(o, &b, c->blob.data, c->blob_held);
	if (c->blob_held < c->blob.bytes)
		while ((ret = fxt_reader_payload(r, &piece)) > 0)
			out_base64_add(o, &b, piece.data, piece.bytes);
	out_base64_end(o, &b);
	out_char(o, '"');
	return ret;
}

static int put_blob(struct out *o, struct fxt_reader *r, const struct fxt_record *rec,
		    const struct fxt_content *c, const struct fxt_objects *objects)
{
	struct fxt_ledger ledger;
	int ret;

	if (c->kind == FXT_KIND_LARGE_BLOB)
		put_owner(o, &c->thread, objects);
	if (c->kind != FXT_KIND_BLOB)
		TEXT(o, "category", &c->category);
	TEXT(o, "name", &c->name);
	if (c->kind == FXT_KIND_LARGE_BLOB)
		put_args(o, c, objects);
	if (c->kind == FXT_KIND_BLOB)
		FIELD(o, "blob_type", c->blob_type);
	ret = put_payload(o, r, c);
	if (c->kind == FXT_KIND_BLOB && dump_ledger(r, rec, &ledger))
		put_ledger(o, rec, &ledger);
	return ret;
}

static void put_object(struct out *o, const struct fxt_content *c,
		       const struct fxt_objects *objects)
{
	if (c->kind == FXT_KIND_USERSPACE_OBJECT) {
		FIELD(o, "pointer", c->object);
		FIELD(o, "process", c->thread.process);
	} else {
		FIELD(o, "koid", c->object);
		FIELD(o, "object_type", c->object_type);
	}
	TEXT(o, "name", &c->name);
	put_args(o, c, objects);
}

static void put_legacy(struct out *o, const struct fxt_legacy_switch *l,
		       const struct fxt_objects *objects)
{
	FIELD(o, "cpu", l->cpu);
	FIELD(o, "outgoing_state", l->state);
	FIELD(o, "outgoing_process", l->out.process);
	FIELD(o, "outgoing_thread", l->out.thread);
	put_thread_name(o, ",\"outgoing_name\":", objects, l->out.thread);
	FIELD(o, "incoming_process", l->in.process);
	FIELD(o, "incoming_thread", l->in.thread);
	put_thread_name(o, ",\"incoming_name\":", objects, l->in.thread);
	FIELD(o, "outgoing_priority", l->out_priority);
	FIELD(o, "incoming_priority", l->in_priority);
}

static void put_switch(struct out *o, const struct fxt_content *c,
		       const struct fxt_objects *objects)
{
	FIELD(o, "cpu", c->sw.cpu);
	FIELD(o, "outgoing_state", c->sw.state);
	FIELD(o, "outgoing_thread", c->sw.out);
	put_thread_name(o, ",\"outgoing_name\":", objects, c->sw.out);
	FIELD(o, "incoming_thread", c->sw.in);
	put_thread_name(o, ",\"incoming_name\":", objects, c->sw.in);
	put_args(o, c, objects);
}

static void put_wakeup(struct out *o, const struct fxt_content *c,
		       const struct fxt_objects *objects)
{
	FIELD(o, "cpu", c->wakeup.cpu);
	FIELD(o, "waking_thread", c->wakeup.thread);
	put_thread_name(o, ",\"waking_name\":", objects, c->wakeup.thread);
	if (c->wakeup.has_waker)
		put_thread_name(o, ",\"waker_name\":", objects, c->wakeup.waker);
	put_args(o, c, objects);
}

static void put_frames(struct out *o, const struct fxt_record *rec, const struct fxt_content *c,
		       struct sched_symbols *symbols)
{
	const char *name;
	unsigned int i;

	if (c->frame_flags)
		FIELD(o, "flags", c->frame_flags);
	LITERAL(o, ",\"frames\":[");
	for (i = 0; i < c->frame_count; i++) {
		if (i)
			out_char(o, ',');
		out_json_u64(o, c->frames[i]);
	}
	out_char(o, ']');
	if (!symbols->count)
		return;
	LITERAL(o, ",\"functions\":[");
	for (i = 0; i < c->frame_count; i++) {
		name = dump_function(symbols, rec, c, i);
		if (i)
			out_char(o, ',');
		if (name)
			out_json(o, name, strlen(name));
		else
			LITERAL(o, "null");
	}
	out_char(o, ']');
}

static void put_profiler(struct out *o, const struct fxt_record *rec,
			 const struct fxt_content *c, const struct fxt_objects *objects,
			 struct sched_symbols *symbols)
{
	put_owner(o, &c->thread, objects);
	if (c->kind == FXT_KIND_BACKTRACE) {
		put_frames(o, rec, c, symbols);
		return;
	}
	FIELD(o, "module_id", c->module_id);
	if (c->kind == FXT_KIND_MODULE) {
		TEXT(o, "name", &c->name);
		LITERAL(o, ",\"build_id\":");
		out_json_base64(o, c->build_id.data, c->build_id.bytes);
		return;
	}
	FIELD(o, "flags", c->flags);
	FIELD(o, "start_address", c->start);
	FIELD(o, "address_range", c->range);
	FIELD(o, "vaddr", c->vaddr);
}

static void put_unknown(struct out *o, const struct fxt_record *rec)
{
	size_t words = rec->held < FXT_MAX_RECORD_WORDS ? rec->held : FXT_MAX_RECORD_WORDS;

	FIELD(o, "type", rec->type);
	FIELD(o, "words", rec->size);
	LITERAL(o, ",\"data\":");
	out_json_base64(o, rec->words, words * FXT_WORD);
}

static int put_fields(struct out *o, struct fxt_reader *r, const struct fxt_record *rec,
		      const struct fxt_content *c, const struct fxt_objects *objects,
		      struct sched_symbols *symbols)
{
	switch (c->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
		put_switch(o, c, objects);
		break;
	case FXT_KIND_THREAD_WAKEUP:
		put_wakeup(o, c, objects);
		break;
	case FXT_KIND_LEGACY_SWITCH:
		put_legacy(o, &c->legacy, objects);
		break;
	case FXT_KIND_INSTANT ... FXT_KIND_FLOW_END:
		put_event(o, rec, c, objects);
		break;
	case FXT_KIND_BLOB:
	case FXT_KIND_LARGE_BLOB:
	case FXT_KIND_LARGE_BLOB_BARE:
		return put_blob(o, r, rec, c, objects);
	case FXT_KIND_USERSPACE_OBJECT:
	case FXT_KIND_KERNEL_OBJECT:
		put_object(o, c, objects);
		break;
	case FXT_KIND_LOG:
		put_owner(o, &c->thread, objects);
		TEXT(o, "message", &c->name);
		break;
	case FXT_KIND_MODULE ... FXT_KIND_BACKTRACE:
		put_profiler(o, rec, c, objects, symbols);
		break;
	default:
		put_metadata(o, c);
	}
	return 0;
}

static int json_record(struct out *o, struct fxt_reader *r, const struct fxt_record *rec,
		       const struct fxt_content *c, const struct fxt_objects *objects,
		       struct sched_symbols *symbols)
{
	int ret = 0;

	put_head(o, rec);
	if (!c) {
		put_unknown(o, rec);
	} else {
		if (dump_has_time(c->kind))
			put_time(o, rec, c->time);
		ret = put_fields(o, r, rec, c, objects, symbols);
	}
	LITERAL(o, "}\n");
	return ret;
}

static void json_malformed(struct out *o, const struct fxt_deviation *d)
{
	LITERAL(o, "{\"offset\":");
	out_json_u64(o, d->offset);
	FIELD(o, "record", d->record);
	LITERAL(o, ",\"kind\":\"malformed\",\"deviation\":\"");
	out_str(o, fxt_deviation_name(d->kind));
	LITERAL(o, "\",\"lost\":");
	out_str(o, d->lost ? "true" : "false");
	LITERAL(o, ",\"field\":");
	out_json(o, d->field, strlen(d->field));
	LITERAL(o, ",\"text\":");
	out_json(o, d->text, strlen(d->text));
	LITERAL(o, "}\n");
}

const struct dump_format dump_json = {
	.record = json_record,
	.malformed = json_malformed,
};
