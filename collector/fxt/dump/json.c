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
 *	backtrace		process, thread, flags if any, frames: innermost first; functions,
 *	if the 			archive names any
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

#include <fxt/fxt_sched.h>

#include "liboutput/json.h"
#include "dump.h"
#include "names.h"

/* Print constant text that needs no escaping; the compiler knows its length. */
struct word {
	const char *text;
	size_t length;
};

#define WORD(s)		{ s, sizeof(s) - 1 }

static void put_word(struct json *j, const char *name, const struct word *word)
{
	json_word(j, name, word->text, word->length);
}

static void put_string(struct json *j, const char *name, const struct fxt_text *text)
{
	json_key(j, name);
	out_json_text(j->o, text);
}

static void put_time(struct json *j, const struct fxt_record *rec, uint64_t ticks)
{
	json_number(j, "ticks", ticks);
	json_number(j, "ns", dump_ns(rec, ticks));
}

static void put_head(struct json *j, const struct fxt_record *rec)
{
	static const struct word kinds[] = {
#define KIND(kind, name) [kind] = WORD(name),
		FXT_KINDS(KIND)
#undef KIND
	};

	json_begin(j, '{');
	json_number(j, "offset", rec->offset);
	json_number(j, "record", rec->number);
	put_word(j, "kind", &kinds[rec->kind]);
	json_number(j, "provider", rec->provider->id);
}

/* Print the name of a thread, if known. */
static void put_thread_name(struct json *j, const char *key, const struct fxt_objects *objects,
			    uint64_t koid)
{
	const struct fxt_object *ob = dump_thread(objects, koid);

	if (ob)
		json_string_of(j, key, ob->name, ob->length);
}

static void put_thread(struct json *j, const struct fxt_thread_id *id)
{
	json_number(j, "process", id->process);
	json_number(j, "thread", id->thread);
}

/* Print the thread that a record belongs to. */
static void put_owner(struct json *j, const struct fxt_thread_id *id,
		      const struct fxt_objects *objects)
{
	put_thread(j, id);
	put_thread_name(j, "thread_name", objects, id->thread);
}

/* --- arguments ---------------------------------------------------------------- */

static void put_arg_value(struct out *o, const struct fxt_arg *arg)
{
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
	default:
		out_str(o, "null");
	}
}

/*
 * @ob: the object that a pointer or koid refers to, or NULL. There are many arguments, so they
 *	print their commas themselves: a document of its own lets the compiler know them.
 */
static void put_arg(struct json *list, const struct fxt_arg *arg, const struct fxt_object *ob)
{
	struct json own = { .o = list->o };
	static const struct word known[] = {
#define KNOWN(index, text) [index] = WORD(text),
		FXT_SCHED_STRINGS(KNOWN)
#undef KNOWN
	};
	static const struct word types[] = {
		[FXT_ARG_NULL]		= WORD("null"),
		[FXT_ARG_INT32]		= WORD("int32"),
		[FXT_ARG_UINT32]	= WORD("uint32"),
		[FXT_ARG_INT64]		= WORD("int64"),
		[FXT_ARG_UINT64]	= WORD("uint64"),
		[FXT_ARG_DOUBLE]	= WORD("double"),
		[FXT_ARG_STRING]	= WORD("string"),
		[FXT_ARG_POINTER]	= WORD("pointer"),
		[FXT_ARG_KOID]		= WORD("koid"),
		[FXT_ARG_BOOL]		= WORD("bool"),
		[FXT_ARG_BLOB]		= WORD("blob"),
		[FXT_ARG_BLOB + 1]	= WORD("unknown"),
	};

	json_item(list);
	json_begin(&own, '{');
	if (arg->name.known)
		put_word(&own, "name", &known[arg->name.known]);
	else
		put_string(&own, "name", &arg->name);
	put_word(&own, "type", &types[arg->type <= FXT_ARG_BLOB ? arg->type : FXT_ARG_BLOB + 1]);
	json_key(&own, "value");
	put_arg_value(own.o, arg);
	if (ob)
		json_string_of(&own, "object", ob->name, ob->length);
	json_end(&own, '}');
}

static void put_args(struct json *j, const struct fxt_content *c,
		     const struct fxt_objects *objects)
{
	unsigned int i;

	json_array(j, "args");
	for (i = 0; i < c->arg_count; i++)
		put_arg(j, &c->args[i], dump_referent(objects, c, &c->args[i]));
	json_end(j, ']');
}

/* --- kinds --------------------------------------------------------------------- */

static void put_metadata(struct json *j, const struct fxt_content *c)
{
	switch (c->kind) {
	case FXT_KIND_PROVIDER_INFO:
		json_number(j, "provider_id", c->provider_id);
		put_string(j, "name", &c->name);
		break;
	case FXT_KIND_PROVIDER_SECTION:
		json_number(j, "provider_id", c->provider_id);
		break;
	case FXT_KIND_PROVIDER_EVENT:
		json_number(j, "provider_id", c->provider_id);
		json_number(j, "event", c->event);
		break;
	case FXT_KIND_INITIALIZATION:
		json_number(j, "ticks_per_second", c->ticks_per_second);
		break;
	case FXT_KIND_STRING:
		json_number(j, "index", c->index);
		put_string(j, "value", &c->name);
		break;
	case FXT_KIND_THREAD:
		json_number(j, "index", c->index);
		put_thread(j, &c->thread);
		break;
	default:
		break;
	}
}

static void put_event(struct json *j, const struct fxt_record *rec,
		      const struct fxt_content *c, const struct fxt_objects *objects)
{
	put_owner(j, &c->thread, objects);
	put_string(j, "category", &c->category);
	put_string(j, "name", &c->name);
	put_args(j, c, objects);
	switch (c->kind) {
	case FXT_KIND_INSTANT:
	case FXT_KIND_DURATION_BEGIN:
	case FXT_KIND_DURATION_END:
		break;
	case FXT_KIND_COUNTER:
		json_number(j, "counter_id", c->id);
		break;
	case FXT_KIND_DURATION_COMPLETE:
		json_number(j, "end_ticks", c->end);
		json_number(j, "end_ns", dump_ns(rec, c->end));
		break;
	default:
		json_number(j, "correlation_id", c->id);
	}
}

static void put_ledger(struct json *j, const struct fxt_record *rec,
		       const struct fxt_ledger *l)
{
	json_object(j, "ledger");
	json_number(j, "stream", l->stream);
	json_number(j, "kind", l->kind);
	json_number(j, "sequence", l->sequence);
	put_time(j, rec, l->time);
	json_number(j, "last_ticks", l->last);
	json_number(j, "last_ns", dump_ns(rec, l->last));
	json_number(j, "written", l->written);
	json_number(j, "lost", l->lost);
	json_end(j, '}');
}

/* Read the payload of a large blob in pieces, of which one is in memory at a time. */
static int put_payload(struct json *j, struct fxt_reader *r, const struct fxt_content *c)
{
	struct out_base64 b = { .bytes = 0 };
	struct fxt_bytes piece;
	int ret = 0;

	json_number(j, "size", c->blob.bytes);
	json_key(j, "payload");
	out_char(j->o, '"');
	out_base64_add(j->o, &b, c->blob.data, c->blob_held);
	if (c->blob_held < c->blob.bytes)
		while ((ret = fxt_reader_payload(r, &piece)) > 0)
			out_base64_add(j->o, &b, piece.data, piece.bytes);
	out_base64_end(j->o, &b);
	out_char(j->o, '"');
	return ret;
}

static int put_blob(struct json *j, struct fxt_reader *r, const struct fxt_record *rec,
		    const struct fxt_content *c, const struct fxt_objects *objects)
{
	struct fxt_ledger ledger;
	int ret;

	if (c->kind == FXT_KIND_LARGE_BLOB)
		put_owner(j, &c->thread, objects);
	if (c->kind != FXT_KIND_BLOB)
		put_string(j, "category", &c->category);
	put_string(j, "name", &c->name);
	if (c->kind == FXT_KIND_LARGE_BLOB)
		put_args(j, c, objects);
	if (c->kind == FXT_KIND_BLOB)
		json_number(j, "blob_type", c->blob_type);
	ret = put_payload(j, r, c);
	if (c->kind == FXT_KIND_BLOB && dump_ledger(r, rec, &ledger))
		put_ledger(j, rec, &ledger);
	return ret;
}

static void put_object(struct json *j, const struct fxt_content *c,
		       const struct fxt_objects *objects)
{
	if (c->kind == FXT_KIND_USERSPACE_OBJECT) {
		json_number(j, "pointer", c->object);
		json_number(j, "process", c->thread.process);
	} else {
		json_number(j, "koid", c->object);
		json_number(j, "object_type", c->object_type);
	}
	put_string(j, "name", &c->name);
	put_args(j, c, objects);
}

static void put_legacy(struct json *j, const struct fxt_legacy_switch *l,
		       const struct fxt_objects *objects)
{
	json_number(j, "cpu", l->cpu);
	json_number(j, "outgoing_state", l->state);
	json_number(j, "outgoing_process", l->out.process);
	json_number(j, "outgoing_thread", l->out.thread);
	put_thread_name(j, "outgoing_name", objects, l->out.thread);
	json_number(j, "incoming_process", l->in.process);
	json_number(j, "incoming_thread", l->in.thread);
	put_thread_name(j, "incoming_name", objects, l->in.thread);
	json_number(j, "outgoing_priority", l->out_priority);
	json_number(j, "incoming_priority", l->in_priority);
}

static void put_switch(struct json *j, const struct fxt_content *c,
		       const struct fxt_objects *objects)
{
	json_number(j, "cpu", c->sw.cpu);
	json_number(j, "outgoing_state", c->sw.state);
	json_number(j, "outgoing_thread", c->sw.out);
	put_thread_name(j, "outgoing_name", objects, c->sw.out);
	json_number(j, "incoming_thread", c->sw.in);
	put_thread_name(j, "incoming_name", objects, c->sw.in);
	put_args(j, c, objects);
}

static void put_wakeup(struct json *j, const struct fxt_content *c,
		       const struct fxt_objects *objects)
{
	json_number(j, "cpu", c->wakeup.cpu);
	json_number(j, "waking_thread", c->wakeup.thread);
	put_thread_name(j, "waking_name", objects, c->wakeup.thread);
	if (c->wakeup.has_waker)
		put_thread_name(j, "waker_name", objects, c->wakeup.waker);
	put_args(j, c, objects);
}

static void put_frames(struct json *j, const struct fxt_record *rec, const struct fxt_content *c,
		       struct sched_symbols *symbols)
{
	const char *name;
	unsigned int i;

	if (c->frame_flags)
		json_number(j, "flags", c->frame_flags);
	json_array(j, "frames");
	for (i = 0; i < c->frame_count; i++) {
		json_item(j);
		out_json_u64(j->o, c->frames[i]);
	}
	json_end(j, ']');
	if (!symbols->count)
		return;
	json_array(j, "functions");
	for (i = 0; i < c->frame_count; i++) {
		name = dump_function(symbols, rec, c, i);
		json_item(j);
		if (name)
			out_json(j->o, name, strlen(name));
		else
			out_str(j->o, "null");
	}
	json_end(j, ']');
}

static void put_profiler(struct json *j, const struct fxt_record *rec,
			 const struct fxt_content *c, const struct fxt_objects *objects,
			 struct sched_symbols *symbols)
{
	put_owner(j, &c->thread, objects);
	if (c->kind == FXT_KIND_BACKTRACE) {
		put_frames(j, rec, c, symbols);
		return;
	}
	json_number(j, "module_id", c->module_id);
	if (c->kind == FXT_KIND_MODULE) {
		put_string(j, "name", &c->name);
		json_key(j, "build_id");
		out_json_base64(j->o, c->build_id.data, c->build_id.bytes);
		return;
	}
	json_number(j, "flags", c->flags);
	json_number(j, "start_address", c->start);
	json_number(j, "address_range", c->range);
	json_number(j, "vaddr", c->vaddr);
}

static void put_unknown(struct json *j, const struct fxt_record *rec)
{
	size_t words = rec->held < FXT_MAX_RECORD_WORDS ? rec->held : FXT_MAX_RECORD_WORDS;

	json_number(j, "type", rec->type);
	json_number(j, "words", rec->size);
	json_key(j, "data");
	out_json_base64(j->o, rec->words, words * FXT_WORD);
}

static int put_fields(struct json *j, struct fxt_reader *r, const struct fxt_record *rec,
		      const struct fxt_content *c, const struct fxt_objects *objects,
		      struct sched_symbols *symbols)
{
	switch (c->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
		put_switch(j, c, objects);
		break;
	case FXT_KIND_THREAD_WAKEUP:
		put_wakeup(j, c, objects);
		break;
	case FXT_KIND_LEGACY_SWITCH:
		put_legacy(j, &c->legacy, objects);
		break;
	case FXT_KIND_INSTANT ... FXT_KIND_FLOW_END:
		put_event(j, rec, c, objects);
		break;
	case FXT_KIND_BLOB:
	case FXT_KIND_LARGE_BLOB:
	case FXT_KIND_LARGE_BLOB_BARE:
		return put_blob(j, r, rec, c, objects);
	case FXT_KIND_USERSPACE_OBJECT:
	case FXT_KIND_KERNEL_OBJECT:
		put_object(j, c, objects);
		break;
	case FXT_KIND_LOG:
		put_owner(j, &c->thread, objects);
		put_string(j, "message", &c->name);
		break;
	case FXT_KIND_MODULE ... FXT_KIND_BACKTRACE:
		put_profiler(j, rec, c, objects, symbols);
		break;
	default:
		put_metadata(j, c);
	}
	return 0;
}

static int json_record(struct out *o, struct fxt_reader *r, const struct fxt_record *rec,
		       const struct fxt_content *c, const struct fxt_objects *objects,
		       struct sched_symbols *symbols)
{
	struct json j = { .o = o, .is_more = false };
	int ret = 0;

	put_head(&j, rec);
	if (!c) {
		put_unknown(&j, rec);
	} else {
		if (dump_has_time(c->kind))
			put_time(&j, rec, c->time);
		ret = put_fields(&j, r, rec, c, objects, symbols);
	}
	out_str(o, "}\n");
	return ret;
}

/* --- switches and wakeups of the usual form ------------------------------------- */

/* Print a koid; beyond 2^53 it is a string. */
static inline char *hot_koid_at(char *to, const char *key, const struct dump_name *n)
{
	to = out_str_at(to, key);
	return n->koid > OUT_JSON_SAFE ? out_json_u64_at(to, n->koid) : dump_koid_at(to, n);
}

static inline char *hot_name_at(char *to, const char *key, const struct dump_name *n)
{
	return n->name_bytes ? dump_name_at(out_str_at(to, key), n) : to;
}

static char *hot_switch_at(char *to, const struct fxt_hot *u, const struct fxt_hot_end *end,
			   struct dump_name *out, struct dump_name *in)
{
	to = out_str_at(to, ",\"outgoing_state\":");
	*to++ = '0' + u->state;	/* up to FXT_THREAD_DEAD */
	to = hot_koid_at(to, ",\"outgoing_thread\":", out);
	to = hot_name_at(to, ",\"outgoing_name\":", out);
	to = hot_koid_at(to, ",\"incoming_thread\":", in);
	to = hot_name_at(to, ",\"incoming_name\":", in);
	to = out_str_at(to, ",\"args\":[{\"name\":\"outgoing_weight\",\"type\":\"int32\",\"value\":");
	to = dump_weight_at(to, out, u->out_weight);
	to = out_str_at(to, "},{\"name\":\"incoming_weight\",\"type\":\"int32\",\"value\":");
	to = dump_weight_at(to, in, u->weight);
	if (!end)
		return to;
	to = out_str_at(to, "},{\"name\":\"state\",\"type\":\"string\",\"value\":\"");
	*to++ = end->state;
	*to++ = '"';
	return to;
}

#define HOT_IRQ	"},{\"name\":\"irq\",\"type\":\"string\",\"value\":\""

/* @other: the waker; with @end, the interrupted thread, or NULL */
static char *hot_wakeup_at(char *to, const struct fxt_hot *u, const struct fxt_hot_end *end,
			   struct dump_name *thread, const struct dump_name *other)
{
	to = hot_koid_at(to, ",\"waking_thread\":", thread);
	to = hot_name_at(to, ",\"waking_name\":", thread);
	if (!end)
		to = hot_name_at(to, ",\"waker_name\":", other);
	to = out_str_at(to, ",\"args\":[{\"name\":\"weight\",\"type\":\"int32\",\"value\":");
	to = dump_weight_at(to, thread, u->weight);
	if (!end)
		to = hot_koid_at(to, "},{\"name\":\"waker\",\"type\":\"koid\",\"value\":", other);
	else if (end->irq)
		to = dump_irq_at(out_str_at(to, HOT_IRQ), end->irq);
	if (!other)
		return to;
	if (end)
		to = hot_koid_at(to, "},{\"name\":\"interrupted\",\"type\":\"koid\",\"value\":",
				 other);
	return hot_name_at(to, ",\"object\":", other);
}

static bool json_hot(struct out *o, struct dump_names *names, const struct fxt_hot *u,
		     const struct fxt_hot_end *end, struct dump_place *place)
{
	struct dump_name *thread, *other;
	char ticks[2 * OUT_NUMBER];
	size_t digits;
	char *to;

	if (!dump_names_of(names, u, end, &thread, &other, o))
		return false;
	to = out_str_at(out_room(o, DUMP_HOT_BYTES), "{\"offset\":");
	to = u->offset > OUT_JSON_SAFE ? out_json_u64_at(to, u->offset) :
					 out_creeping_at(to, &place->offset, u->offset);
	/* No archive has 2^53 records. */
	to = out_last_at(out_str_at(to, ",\"record\":"), &place->record, place->number);
	to = out_str_at(to, u->is_wakeup ? ",\"kind\":\"thread_wakeup\"" :
					   ",\"kind\":\"context_switch\"");
	to = out_str_at(to, ",\"provider\":");
	to = (char *)memcpy(to, place->provider_text, OUT_NUMBER) + place->provider_bytes;
	/* Ticks are nanoseconds here. Copies of fixed length are fast. */
	digits = (u->time > OUT_JSON_SAFE ? out_json_u64_at(ticks, u->time) :
					    out_growing_at(ticks, &place->time, u->time)) - ticks;
	to = out_str_at(to, ",\"ticks\":");
	to = (char *)memcpy(to, ticks, OUT_NUMBER) + digits;
	to = out_str_at(to, ",\"ns\":");
	to = (char *)memcpy(to, ticks, OUT_NUMBER) + digits;
	to = out_last_at(out_str_at(to, ",\"cpu\":"), &place->cpu, u->cpu);
	if (u->is_wakeup)
		to = hot_wakeup_at(to, u, end, thread, other);
	else
		to = hot_switch_at(to, u, end, thread, other);
	out_put(o, out_str_at(to, "}]}\n"));
	return true;
}

static void json_malformed(struct out *o, const struct fxt_deviation *d)
{
	struct json j = { .o = o, .is_more = false };

	json_begin(&j, '{');
	json_number(&j, "offset", d->offset);
	json_number(&j, "record", d->record);
	json_string(&j, "kind", "malformed");
	json_string(&j, "deviation", fxt_deviation_name(d->kind));
	json_boolean(&j, "lost", d->lost);
	json_string(&j, "field", d->field);
	json_string(&j, "text", d->text);
	out_str(o, "}\n");
}

const struct dump_format dump_json = {
	.record = json_record,
	.hot = json_hot,
	.escape = out_json,
	.malformed = json_malformed,
};
