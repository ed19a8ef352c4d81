// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text.c - the records of an archive as lines for people and for grep.
 *
 * In: decoded records.
 * Out: one line per record:
 *	OFFSET KIND TIME KEY=VALUE ... { ARGUMENT=VALUE ... }
 * TIME is in seconds with nine decimals, or - for kinds without a time. Strings are in
 * double quotes and escaped: a record is always one line, and text outside quotes never
 * comes from the archive. Pointers and addresses are hexadecimal. A pointer or koid is
 * followed by a colon and the name of the object that it refers to, if that has one. Of
 * binary data, the size and the first bytes are shown.
 */
#include <ctype.h>
#include <string.h>

#include <fxt/fxt_unknown.h>

#include "dump.h"
#include "names.h"

#define SHOWN_BYTES	16	/* bytes of binary data that are shown */

static void put_key(struct out *o, const char *key)
{
	out_char(o, ' ');
	out_str(o, key);
	out_char(o, '=');
}

static void put_u64(struct out *o, const char *key, uint64_t value)
{
	put_key(o, key);
	out_u64(o, value);
}

static void put_hex(struct out *o, const char *key, uint64_t value)
{
	put_key(o, key);
	out_hex(o, value);
}

static void put_text(struct out *o, const char *key, const struct fxt_text *text)
{
	put_key(o, key);
	out_quoted(o, text->bytes, text->length);
}

static void put_seconds(struct out *o, const char *key, const struct fxt_record *rec,
			uint64_t ticks)
{
	put_key(o, key);
	out_seconds(o, dump_ns(rec, ticks));
}

/* Print the name of a number, or the number if it has no name. */
static void put_name(struct out *o, const char *key, const char *const *names,
		     size_t count, uint64_t value)
{
	put_key(o, key);
	if (value < count && names[value])
		out_str(o, names[value]);
	else
		out_u64(o, value);
}

#define PUT_NAME(o, key, names, value) \
	put_name(o, key, names, sizeof(names) / sizeof((names)[0]), value)

/* @held: how many of the @bytes are at @data */
static void put_bytes(struct out *o, const void *data, uint64_t bytes, uint64_t held)
{
	const unsigned char *s = data;
	uint64_t i;

	out_u64(o, bytes);
	out_char(o, ':');
	for (i = 0; i < held && i < SHOWN_BYTES; i++) {
		out_char(o, "0123456789abcdef"[s[i] >> 4]);
		out_char(o, "0123456789abcdef"[s[i] & 15]);
	}
	if (i < bytes)
		out_str(o, "...");
}

/* A new thread cannot be switched out: this state means that it was still runnable. */
static const char *const states[] = {
	[FXT_THREAD_NEW]	= "preempted",
	[FXT_THREAD_RUNNING]	= "running",
	[FXT_THREAD_SUSPENDED]	= "suspended",
	[FXT_THREAD_BLOCKED]	= "blocked",
	[FXT_THREAD_DYING]	= "dying",
	[FXT_THREAD_DEAD]	= "dead",
	[FXT_SCHED_STATE_UNKNOWN] = "unknown",
};

static void put_state(struct out *o, uint8_t state)
{
	PUT_NAME(o, "outgoing_state", states, state);
}

/* Print the name of a thread, if known. */
static void put_thread_name(struct out *o, const char *key, const struct fxt_objects *objects,
			    uint64_t koid)
{
	const struct fxt_object *ob = dump_thread(objects, koid);

	if (!ob)
		return;
	put_key(o, key);
	out_quoted(o, ob->name, ob->length);
}

static void put_thread(struct out *o, const struct fxt_thread_id *id)
{
	put_u64(o, "process", id->process);
	put_u64(o, "thread", id->thread);
}

/* Print the thread that a record belongs to. */
static void put_owner(struct out *o, const struct fxt_thread_id *id,
		      const struct fxt_objects *objects)
{
	put_thread(o, id);
	put_thread_name(o, "thread_name", objects, id->thread);
}

/* --- arguments ---------------------------------------------------------------- */

/* An unambiguous name needs no quotes. */
static void put_arg_name(struct out *o, const struct fxt_text *name)
{
	unsigned int i;

	for (i = 0; i < name->length; i++)
		if (!isalnum((unsigned char)name->bytes[i]) && !memchr("_.:-", name->bytes[i], 4))
			break;
	out_char(o, ' ');
	if (i && i == name->length)
		out_bytes(o, name->bytes, name->length);
	else
		out_quoted(o, name->bytes, name->length);
	out_char(o, '=');
}

/* Print the name of the object that a pointer or koid refers to. */
static void put_referent(struct out *o, const struct fxt_object *ob)
{
	if (!ob)
		return;
	out_char(o, ':');
	out_quoted(o, ob->name, ob->length);
}

static void put_arg(struct out *o, const struct fxt_arg *arg)
{
	put_arg_name(o, &arg->name);
	switch (arg->type) {
	case FXT_ARG_NULL:
		out_str(o, "null");
		break;
	case FXT_ARG_INT32:
	case FXT_ARG_INT64:
		out_i64(o, arg->i64);
		break;
	case FXT_ARG_UINT32:
	case FXT_ARG_UINT64:
	case FXT_ARG_KOID:
		out_u64(o, arg->u64);
		break;
	case FXT_ARG_DOUBLE:
		out_double(o, arg->f64);
		break;
	case FXT_ARG_STRING:
		out_quoted(o, arg->text.bytes, arg->text.length);
		break;
	case FXT_ARG_POINTER:
		out_hex(o, arg->u64);
		break;
	case FXT_ARG_BOOL:
		out_str(o, arg->u64 ? "true" : "false");
		break;
	case FXT_ARG_BLOB:
		put_bytes(o, arg->blob.data, arg->blob.bytes, arg->blob.bytes);
		break;
	default:
		out_char(o, '?');
	}
}

static void put_args(struct out *o, const struct fxt_content *c,
		     const struct fxt_objects *objects)
{
	unsigned int i;

	if (!c->arg_count)
		return;
	out_str(o, " {");
	for (i = 0; i < c->arg_count; i++) {
		put_arg(o, &c->args[i]);
		put_referent(o, dump_referent(objects, c, &c->args[i]));
	}
	out_str(o, " }");
}

/* --- kinds --------------------------------------------------------------------- */

static void put_metadata(struct out *o, const struct fxt_content *c)
{
	static const char *const events[] = {
		[FXT_PROVIDER_EVENT_BUFFER_FULL] = "buffer_full",
	};

	switch (c->kind) {
	case FXT_KIND_PROVIDER_INFO:
		put_u64(o, "provider_id", c->provider_id);
		put_text(o, "name", &c->name);
		break;
	case FXT_KIND_PROVIDER_SECTION:
		put_u64(o, "provider_id", c->provider_id);
		break;
	case FXT_KIND_PROVIDER_EVENT:
		put_u64(o, "provider_id", c->provider_id);
		PUT_NAME(o, "event", events, c->event);
		break;
	case FXT_KIND_INITIALIZATION:
		put_u64(o, "ticks_per_second", c->ticks_per_second);
		break;
	case FXT_KIND_STRING:
		put_u64(o, "index", c->index);
		put_text(o, "value", &c->name);
		break;
	case FXT_KIND_THREAD:
		put_u64(o, "index", c->index);
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
	put_text(o, "category", &c->category);
	put_text(o, "name", &c->name);
	switch (c->kind) {
	case FXT_KIND_INSTANT:
	case FXT_KIND_DURATION_BEGIN:
	case FXT_KIND_DURATION_END:
		break;
	case FXT_KIND_COUNTER:
		put_u64(o, "counter_id", c->id);
		break;
	case FXT_KIND_DURATION_COMPLETE:
		put_seconds(o, "end", rec, c->end);
		break;
	default:
		put_u64(o, "correlation_id", c->id);
	}
	put_args(o, c, objects);
}

static void put_ledger(struct out *o, const struct fxt_record *rec,
		       const struct fxt_ledger *l)
{
	static const char *const kinds[] = {
		[FXT_LEDGER_HEAD]	= "head",
		[FXT_LEDGER_CONTINUED]	= "continued",
		[FXT_LEDGER_CLOSING]	= "closing",
		[FXT_LEDGER_OPENING]	= "opening",
	};

	if (l->stream == FXT_LEDGER_STREAM_NAMES)
		out_str(o, " stream=names");
	else
		put_u64(o, "stream", l->stream);
	PUT_NAME(o, "ledger", kinds, l->kind);
	put_u64(o, "sequence", l->sequence);
	put_seconds(o, "time", rec, l->time);
	put_seconds(o, "last", rec, l->last);
	put_u64(o, "written", l->written);
	put_u64(o, "lost", l->lost);
}

static void put_blob(struct out *o, struct fxt_reader *r, const struct fxt_record *rec,
		     const struct fxt_content *c, const struct fxt_objects *objects)
{
	static const char *const types[] = {
		[FXT_BLOB_DATA]		= "data",
		[FXT_BLOB_LAST_BRANCH]	= "last_branch",
		[FXT_BLOB_PERFETTO]	= "perfetto",
	};
	struct fxt_ledger ledger;

	if (c->kind == FXT_KIND_LARGE_BLOB)
		put_owner(o, &c->thread, objects);
	if (c->kind != FXT_KIND_BLOB)
		put_text(o, "category", &c->category);
	put_text(o, "name", &c->name);
	if (c->kind == FXT_KIND_BLOB)
		PUT_NAME(o, "blob_type", types, c->blob_type);
	put_key(o, "payload");
	put_bytes(o, c->blob.data, c->blob.bytes, c->blob_held);
	if (c->kind == FXT_KIND_BLOB && dump_ledger(r, rec, &ledger))
		put_ledger(o, rec, &ledger);
	if (c->kind == FXT_KIND_LARGE_BLOB)
		put_args(o, c, objects);
}

static void put_object(struct out *o, const struct fxt_content *c,
		       const struct fxt_objects *objects)
{
	static const char *const types[] = {
		[FXT_OBJECT_PROCESS]	= "process",
		[FXT_OBJECT_THREAD]	= "thread",
	};

	if (c->kind == FXT_KIND_USERSPACE_OBJECT) {
		put_hex(o, "pointer", c->object);
		put_u64(o, "process", c->thread.process);
	} else {
		put_u64(o, "koid", c->object);
		PUT_NAME(o, "object_type", types, c->object_type);
	}
	put_text(o, "name", &c->name);
	put_args(o, c, objects);
}

static void put_legacy(struct out *o, const struct fxt_legacy_switch *l,
		       const struct fxt_objects *objects)
{
	put_u64(o, "cpu", l->cpu);
	put_state(o, l->state);
	put_u64(o, "outgoing_process", l->out.process);
	put_u64(o, "outgoing_thread", l->out.thread);
	put_thread_name(o, "outgoing_name", objects, l->out.thread);
	put_u64(o, "incoming_process", l->in.process);
	put_u64(o, "incoming_thread", l->in.thread);
	put_thread_name(o, "incoming_name", objects, l->in.thread);
	put_u64(o, "outgoing_priority", l->out_priority);
	put_u64(o, "incoming_priority", l->in_priority);
}

static void put_scheduling(struct out *o, const struct fxt_content *c,
			   const struct fxt_objects *objects)
{
	if (c->kind == FXT_KIND_LEGACY_SWITCH) {
		put_legacy(o, &c->legacy, objects);
		return;
	}
	if (c->kind == FXT_KIND_CONTEXT_SWITCH) {
		put_u64(o, "cpu", c->sw.cpu);
		put_state(o, c->sw.state);
		put_u64(o, "outgoing_thread", c->sw.out);
		put_thread_name(o, "outgoing_name", objects, c->sw.out);
		put_u64(o, "incoming_thread", c->sw.in);
		put_thread_name(o, "incoming_name", objects, c->sw.in);
	} else {
		put_u64(o, "cpu", c->wakeup.cpu);
		put_u64(o, "waking_thread", c->wakeup.thread);
		put_thread_name(o, "waking_name", objects, c->wakeup.thread);
	}
	put_args(o, c, objects);
}

/* Functions have no quotes in their names. */
static void put_frames(struct out *o, const struct fxt_record *rec, const struct fxt_content *c,
		       struct sched_symbols *symbols)
{
	const char *name;
	unsigned int i;

	if (c->frame_flags)
		put_u64(o, "flags", c->frame_flags);
	put_key(o, "frames");
	for (i = 0; i < c->frame_count; i++) {
		if (i)
			out_char(o, ',');
		out_hex(o, c->frames[i]);
	}
	if (!symbols->count)
		return;
	put_key(o, "functions");
	for (i = 0; i < c->frame_count; i++) {
		name = dump_function(symbols, rec, c, i);
		out_str(o, i ? "," : "\"");
		out_str(o, name ? name : "?");
	}
	out_str(o, c->frame_count ? "\"" : "\"\"");
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
	put_u64(o, "module_id", c->module_id);
	if (c->kind == FXT_KIND_MODULE) {
		put_text(o, "name", &c->name);
		put_key(o, "build_id");
		put_bytes(o, c->build_id.data, c->build_id.bytes, c->build_id.bytes);
		return;
	}
	put_u64(o, "flags", c->flags);
	put_hex(o, "start_address", c->start);
	put_hex(o, "address_range", c->range);
	put_hex(o, "vaddr", c->vaddr);
}

static void put_fields(struct out *o, struct fxt_reader *r, const struct fxt_record *rec,
		       const struct fxt_content *c, const struct fxt_objects *objects,
		       struct sched_symbols *symbols)
{
	switch (c->kind) {
	case FXT_KIND_LEGACY_SWITCH ... FXT_KIND_THREAD_WAKEUP:
		put_scheduling(o, c, objects);
		break;
	case FXT_KIND_INSTANT ... FXT_KIND_FLOW_END:
		put_event(o, rec, c, objects);
		break;
	case FXT_KIND_BLOB:
	case FXT_KIND_LARGE_BLOB:
	case FXT_KIND_LARGE_BLOB_BARE:
		put_blob(o, r, rec, c, objects);
		break;
	case FXT_KIND_USERSPACE_OBJECT:
	case FXT_KIND_KERNEL_OBJECT:
		put_object(o, c, objects);
		break;
	case FXT_KIND_LOG:
		put_owner(o, &c->thread, objects);
		put_text(o, "message", &c->name);
		break;
	case FXT_KIND_MODULE ... FXT_KIND_BACKTRACE:
		put_profiler(o, rec, c, objects, symbols);
		break;
	default:
		put_metadata(o, c);
	}
}

static int text_record(struct out *o, struct fxt_reader *r, const struct fxt_record *rec,
		       const struct fxt_content *c, const struct fxt_objects *objects,
		       struct sched_symbols *symbols)
{
	out_u64(o, rec->offset);
	out_char(o, ' ');
	out_str(o, fxt_kind_name(rec->kind));
	out_char(o, ' ');
	if (c && dump_has_time(c->kind))
		out_seconds(o, dump_ns(rec, c->time));
	else
		out_char(o, '-');
	if (c) {
		put_fields(o, r, rec, c, objects, symbols);
	} else {
		put_u64(o, "type", rec->type);
		put_u64(o, "words", rec->size);
		put_key(o, "data");
		put_bytes(o, rec->words, rec->size * FXT_WORD, (uint64_t)rec->held * FXT_WORD);
	}
	out_char(o, '\n');
	return 0;
}

/* --- switches and wakeups of the usual form ------------------------------------- */

/* Print a key and a name, if there is one. */
static inline char *hot_name_at(char *to, const char *key, const struct dump_name *n)
{
	return n->name_bytes ? dump_name_at(out_str_at(to, key), n) : to;
}

static char *hot_switch_at(char *to, const struct fxt_hot *u, const struct fxt_hot_end *end,
			   struct dump_name *thread, struct dump_name *in)
{
	to = out_str_at(to, " outgoing_state=");
	to = out_str_at(to, states[u->state]);
	to = dump_koid_at(out_str_at(to, " outgoing_thread="), thread);
	to = hot_name_at(to, " outgoing_name=", thread);
	to = dump_koid_at(out_str_at(to, " incoming_thread="), in);
	to = hot_name_at(to, " incoming_name=", in);
	to = dump_weight_at(out_str_at(to, " { outgoing_weight="), thread, u->out_weight);
	to = dump_weight_at(out_str_at(to, " incoming_weight="), in, u->weight);
	if (!end)
		return to;
	to = out_str_at(to, " state=\"");
	*to++ = end->state;
	*to++ = '"';
	return to;
}

/* @other: the waker; with @end, the interrupted thread, or NULL */
static char *hot_wakeup_at(char *to, const struct fxt_hot *u, const struct fxt_hot_end *end,
			   struct dump_name *thread, const struct dump_name *other)
{
	to = dump_koid_at(out_str_at(to, " waking_thread="), thread);
	to = hot_name_at(to, " waking_name=", thread);
	to = dump_weight_at(out_str_at(to, " { weight="), thread, u->weight);
	if (end && end->irq)
		to = dump_irq_at(out_str_at(to, " irq=\""), end->irq);
	if (!other)
		return to;
	to = dump_koid_at(out_str_at(to, end ? " interrupted=" : " waker="), other);
	return hot_name_at(to, ":", other);
}

static bool text_hot(struct out *o, struct dump_names *names, const struct fxt_hot *u,
		     const struct fxt_hot_end *end, struct dump_place *place)
{
	struct dump_name *thread, *other;
	char *to;

	if (!dump_names_of(names, u, end, &thread, &other, o))
		return false;
	to = out_creeping_at(out_room(o, DUMP_HOT_BYTES), &place->offset, u->offset);
	to = out_str_at(to, u->is_wakeup ? " thread_wakeup " : " context_switch ");
	to = out_seconds_at(to, u->time);
	to = out_last_at(out_str_at(to, " cpu="), &place->cpu, u->cpu);
	if (u->is_wakeup)
		to = hot_wakeup_at(to, u, end, thread, other);
	else
		to = hot_switch_at(to, u, end, thread, other);
	out_put(o, out_str_at(to, " }\n"));
	return true;
}

static void text_malformed(struct out *o, const struct fxt_deviation *d)
{
	out_u64(o, d->offset);
	out_str(o, " malformed - ");
	out_quoted(o, d->text, strlen(d->text));
	out_char(o, '\n');
}

const struct dump_format dump_text = {
	.record = text_record,
	.hot = text_hot,
	.escape = out_quoted,
	.malformed = text_malformed,
};
