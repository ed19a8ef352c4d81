// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * record.c - the fields of each kind of record, as text for people and grep, or as JSON.
 *
 * In: decoded records.
 * Out: a line for each: OFFSET KIND TIME KEY=VALUE ... { ARGUMENT=VALUE ... }, or an object of
 * dump_schema.
 * Must hold: text outside quotes never comes from the archive. Each line of JSON is valid on its
 * own; its fields are never removed or renamed, only added.
 */
#include <ctype.h>
#include <string.h>

#include <fxt/fxt_unknown.h>

#include "liboutput/json.h"
#include "dump.h"

#define SHOWN_BYTES	16	/* of binary data, in text */

/* One record, while it is written. */
struct line {
	struct out *o;
	bool is_json;
	struct fxt_reader *r;
	const struct fxt_record *rec;
	const struct fxt_content *c;		/* NULL if the kind is unknown */
	const struct fxt_objects *objects;
	struct sched_symbols *symbols;
};

/* --- values ------------------------------------------------------------------------------ */

/* A key with the text around it; constant, so that the compiler knows the lengths. */
struct key {
	const char *json;
	const char *text;
};

#define KEY(name)	((struct key){ ",\"" name "\":", " " name "=" })

static __always_inline void put_key(struct line *l, struct key key)
{
	if (l->is_json)
		out_str(l->o, key.json);
	else
		out_str(l->o, key.text);
}

static inline void number(struct line *l, uint64_t value)
{
	if (l->is_json)
		out_json_u64(l->o, value);
	else
		out_u64(l->o, value);
}

static inline void address(struct line *l, uint64_t value)
{
	if (l->is_json)
		out_json_u64(l->o, value);
	else
		out_hex(l->o, value);
}

static void text(struct line *l, const char *bytes, size_t length)
{
	if (l->is_json)
		out_json(l->o, bytes, length);
	else
		out_quoted(l->o, bytes, length);
}

/* @held: how many of the @bytes are at @data */
static void binary(struct line *l, const void *data, uint64_t bytes, uint64_t held)
{
	const unsigned char *s = data;
	uint64_t i;

	if (l->is_json) {
		out_json_base64(l->o, data, held);
		return;
	}
	out_u64(l->o, bytes);
	out_char(l->o, ':');
	for (i = 0; i < held && i < SHOWN_BYTES; i++) {
		out_char(l->o, "0123456789abcdef"[s[i] >> 4]);
		out_char(l->o, "0123456789abcdef"[s[i] & 15]);
	}
	if (i < bytes)
		out_str(l->o, "...");
}

static __always_inline void put_number(struct line *l, struct key key, uint64_t value)
{
	put_key(l, key);
	number(l, value);
}

static __always_inline void put_address(struct line *l, struct key key, uint64_t value)
{
	put_key(l, key);
	address(l, value);
}

static __always_inline void put_text(struct line *l, struct key key, const struct fxt_text *t)
{
	put_key(l, key);
	text(l, t->bytes, t->length);
}

static uint64_t ns_of(const struct line *l, uint64_t ticks)
{
	return fxt_ticks_to_ns(ticks, l->rec->provider->ticks_per_second);
}

/* @key: of the text; @ticks_key and @ns_key: of JSON */
static __always_inline void put_time(struct line *l, struct key key, struct key ticks_key,
				     struct key ns_key, uint64_t ticks)
{
	if (l->is_json) {
		put_number(l, ticks_key, ticks);
		put_number(l, ns_key, ns_of(l, ticks));
		return;
	}
	put_key(l, key);
	out_seconds(l->o, ns_of(l, ticks));
}

/* In text, a number that has a name is written as the name. */
static __always_inline void put_named(struct line *l, struct key key, const char *const *names,
				      size_t count, uint64_t value)
{
	put_key(l, key);
	if (!l->is_json && value < count && names[value])
		out_str(l->o, names[value]);
	else
		number(l, value);
}

#define PUT_NAMED(l, key, names, value) \
	put_named(l, key, names, sizeof(names) / sizeof((names)[0]), value)

static __always_inline void put_thread_name(struct line *l, struct key key, uint64_t koid)
{
	const struct fxt_object *ob = fxt_objects_find(l->objects, FXT_CLASS_THREAD, 0, koid);

	if (!ob || !ob->length)
		return;
	put_key(l, key);
	text(l, ob->name, ob->length);
}

static void put_thread(struct line *l)
{
	put_number(l, KEY("process"), l->c->thread.process);
	put_number(l, KEY("thread"), l->c->thread.thread);
}

static void put_owner(struct line *l)
{
	put_thread(l);
	put_thread_name(l, KEY("thread_name"), l->c->thread.thread);
}

/* --- arguments --------------------------------------------------------------------------- */

/* In text, an unambiguous name needs no quotes. */
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

static void put_arg_value(struct line *l, const struct fxt_arg *arg)
{
	switch (arg->type) {
	case FXT_ARG_INT32:
	case FXT_ARG_INT64:
		if (l->is_json)
			out_json_i64(l->o, arg->i64);
		else
			out_i64(l->o, arg->i64);
		break;
	case FXT_ARG_UINT32:
	case FXT_ARG_UINT64:
	case FXT_ARG_KOID:
		number(l, arg->u64);
		break;
	case FXT_ARG_DOUBLE:
		(l->is_json ? out_json_double : out_double)(l->o, arg->f64);
		break;
	case FXT_ARG_STRING:
		text(l, arg->text.bytes, arg->text.length);
		break;
	case FXT_ARG_POINTER:
		address(l, arg->u64);
		break;
	case FXT_ARG_BOOL:
		out_str(l->o, arg->u64 ? "true" : "false");
		break;
	case FXT_ARG_BLOB:
		binary(l, arg->blob.data, arg->blob.bytes, arg->blob.bytes);
		break;
	default:
		out_str(l->o, l->is_json || arg->type == FXT_ARG_NULL ? "null" : "?");
	}
}

/* Constant text that needs no escaping. */
struct word {
	const char *text;
	size_t length;
};

#define WORD(s)		{ s, sizeof(s) - 1 }

static void put_word(struct json *j, const char *name, const struct word *word)
{
	json_word(j, name, word->text, word->length);
}

/* @ob: the object that a pointer or koid refers to, or NULL */
static void text_arg(struct line *l, const struct fxt_arg *arg, const struct fxt_object *ob)
{
	put_arg_name(l->o, &arg->name);
	put_arg_value(l, arg);
	if (!ob)
		return;
	out_char(l->o, ':');
	out_quoted(l->o, ob->name, ob->length);
}

static void json_arg(struct line *l, const struct fxt_arg *arg, const struct fxt_object *ob)
{
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
	static const struct word known[] = {
#define KNOWN(index, text) [index] = WORD(text),
		FXT_SCHED_STRINGS(KNOWN)
#undef KNOWN
	};
	struct json own = { .o = l->o };

	json_begin(&own, '{');
	if (arg->name.known) {
		put_word(&own, "name", &known[arg->name.known]);
	} else {
		json_key(&own, "name");
		out_json_text(l->o, &arg->name);
	}
	put_word(&own, "type", &types[arg->type <= FXT_ARG_BLOB ? arg->type : FXT_ARG_BLOB + 1]);
	json_key(&own, "value");
	put_arg_value(l, arg);
	if (ob)
		json_string_of(&own, "object", ob->name, ob->length);
	json_end(&own, '}');
}

static void put_args(struct line *l)
{
	const struct fxt_content *c = l->c;
	const struct fxt_object *ob;
	unsigned int i;

	if (l->is_json)
		out_str(l->o, ",\"args\":[");
	else if (c->arg_count)
		out_str(l->o, " {");
	for (i = 0; i < c->arg_count; i++) {
		ob = fxt_objects_argument(l->objects, c->thread.process, &c->args[i]);
		ob = ob && ob->length ? ob : NULL;
		if (l->is_json && i)
			out_char(l->o, ',');
		if (l->is_json)
			json_arg(l, &c->args[i], ob);
		else
			text_arg(l, &c->args[i], ob);
	}
	if (l->is_json)
		out_char(l->o, ']');
	else if (c->arg_count)
		out_str(l->o, " }");
}

/* --- kinds ------------------------------------------------------------------------------- */

static void put_metadata(struct line *l)
{
	static const char *const events[] = {
		[FXT_PROVIDER_EVENT_BUFFER_FULL] = "buffer_full",
	};
	const struct fxt_content *c = l->c;

	switch (c->kind) {
	case FXT_KIND_PROVIDER_INFO ... FXT_KIND_PROVIDER_EVENT:
		put_number(l, KEY("provider_id"), c->provider_id);
		if (c->kind == FXT_KIND_PROVIDER_INFO)
			put_text(l, KEY("name"), &c->name);
		else if (c->kind == FXT_KIND_PROVIDER_EVENT)
			PUT_NAMED(l, KEY("event"), events, c->event);
		break;
	case FXT_KIND_INITIALIZATION:
		put_number(l, KEY("ticks_per_second"), c->ticks_per_second);
		break;
	case FXT_KIND_STRING:
		put_number(l, KEY("index"), c->index);
		put_text(l, KEY("value"), &c->name);
		break;
	case FXT_KIND_THREAD:
		put_number(l, KEY("index"), c->index);
		put_thread(l);
		break;
	default:
		break;
	}
}

static void put_event(struct line *l)
{
	const struct fxt_content *c = l->c;

	put_owner(l);
	put_text(l, KEY("category"), &c->category);
	put_text(l, KEY("name"), &c->name);
	if (l->is_json)
		put_args(l);
	if (c->kind == FXT_KIND_COUNTER)
		put_number(l, KEY("counter_id"), c->id);
	else if (c->kind == FXT_KIND_DURATION_COMPLETE)
		put_time(l, KEY("end"), KEY("end_ticks"), KEY("end_ns"), c->end);
	else if (c->kind >= FXT_KIND_ASYNC_BEGIN)
		put_number(l, KEY("correlation_id"), c->id);
	if (!l->is_json)
		put_args(l);
}

static void put_ledger(struct line *l, const struct fxt_ledger *ledger)
{
	static const char *const kinds[] = {
		[FXT_LEDGER_HEAD]	= "head",
		[FXT_LEDGER_CONTINUED]	= "continued",
		[FXT_LEDGER_CLOSING]	= "closing",
		[FXT_LEDGER_OPENING]	= "opening",
	};

	out_str(l->o, l->is_json ? ",\"ledger\":{\"stream\":" : " stream=");
	if (!l->is_json && ledger->stream == FXT_LEDGER_STREAM_NAMES)
		out_str(l->o, "names");
	else
		number(l, ledger->stream);
	PUT_NAMED(l, ((struct key){ ",\"kind\":", " ledger=" }), kinds, ledger->kind);
	put_number(l, KEY("sequence"), ledger->sequence);
	put_time(l, KEY("time"), KEY("ticks"), KEY("ns"), ledger->time);
	put_time(l, KEY("last"), KEY("last_ticks"), KEY("last_ns"), ledger->last);
	put_number(l, KEY("written"), ledger->written);
	put_number(l, KEY("lost"), ledger->lost);
	if (l->is_json)
		out_char(l->o, '}');
}

/* JSON has all of a payload, which is read in pieces. */
static int put_payload(struct line *l)
{
	struct out_base64 b = { .bytes = 0 };
	const struct fxt_content *c = l->c;
	struct fxt_bytes piece;
	int ret = 0;

	if (!l->is_json) {
		put_key(l, KEY("payload"));
		binary(l, c->blob.data, c->blob.bytes, c->blob_held);
		return 0;
	}
	put_number(l, KEY("size"), c->blob.bytes);
	put_key(l, KEY("payload"));
	out_char(l->o, '"');
	out_base64_add(l->o, &b, c->blob.data, c->blob_held);
	if (c->blob_held < c->blob.bytes)
		while ((ret = fxt_reader_payload(l->r, &piece)) > 0)
			out_base64_add(l->o, &b, piece.data, piece.bytes);
	out_base64_end(l->o, &b);
	out_char(l->o, '"');
	return ret;
}

/*
 * A payload is bytes, so in an archive of the other byte order, the byte order of a ledger's words
 * is unknown.
 */
static bool get_ledger(const struct line *l, struct fxt_ledger *ledger)
{
	return l->c->kind == FXT_KIND_BLOB && l->rec->size == FXT_LEDGER_WORDS &&
	       !fxt_reader_swapped(l->r) &&
	       fxt_sched_get_ledger((const __u64 *)l->rec->words, ledger);
}

static int put_blob(struct line *l)
{
	static const char *const types[] = {
		[FXT_BLOB_DATA]		= "data",
		[FXT_BLOB_LAST_BRANCH]	= "last_branch",
		[FXT_BLOB_PERFETTO]	= "perfetto",
	};
	const struct fxt_content *c = l->c;
	bool has_args = c->kind == FXT_KIND_LARGE_BLOB;
	struct fxt_ledger ledger;
	int ret;

	if (has_args)
		put_owner(l);
	if (c->kind != FXT_KIND_BLOB)
		put_text(l, KEY("category"), &c->category);
	put_text(l, KEY("name"), &c->name);
	if (has_args && l->is_json)
		put_args(l);
	if (c->kind == FXT_KIND_BLOB)
		PUT_NAMED(l, KEY("blob_type"), types, c->blob_type);
	ret = put_payload(l);
	if (get_ledger(l, &ledger))
		put_ledger(l, &ledger);
	if (has_args && !l->is_json)
		put_args(l);
	return ret;
}

static void put_object(struct line *l)
{
	static const char *const types[] = {
		[FXT_OBJECT_PROCESS]	= "process",
		[FXT_OBJECT_THREAD]	= "thread",
	};
	const struct fxt_content *c = l->c;

	if (c->kind == FXT_KIND_USERSPACE_OBJECT) {
		put_address(l, KEY("pointer"), c->object);
		put_number(l, KEY("process"), c->thread.process);
	} else {
		put_number(l, KEY("koid"), c->object);
		PUT_NAMED(l, KEY("object_type"), types, c->object_type);
	}
	put_text(l, KEY("name"), &c->name);
	put_args(l);
}

/* A new thread cannot be switched out: this state means that it was still runnable. */
const char *const dump_states[] = {
	[FXT_THREAD_NEW]	= "preempted",
	[FXT_THREAD_RUNNING]	= "running",
	[FXT_THREAD_SUSPENDED]	= "suspended",
	[FXT_THREAD_BLOCKED]	= "blocked",
	[FXT_THREAD_DYING]	= "dying",
	[FXT_THREAD_DEAD]	= "dead",
	[FXT_SCHED_STATE_UNKNOWN] = "unknown",
};

static void put_legacy(struct line *l)
{
	const struct fxt_legacy_switch *sw = &l->c->legacy;

	put_number(l, KEY("cpu"), sw->cpu);
	PUT_NAMED(l, KEY("outgoing_state"), dump_states, sw->state);
	put_number(l, KEY("outgoing_process"), sw->out.process);
	put_number(l, KEY("outgoing_thread"), sw->out.thread);
	put_thread_name(l, KEY("outgoing_name"), sw->out.thread);
	put_number(l, KEY("incoming_process"), sw->in.process);
	put_number(l, KEY("incoming_thread"), sw->in.thread);
	put_thread_name(l, KEY("incoming_name"), sw->in.thread);
	put_number(l, KEY("outgoing_priority"), sw->out_priority);
	put_number(l, KEY("incoming_priority"), sw->in_priority);
}

static void put_switch(struct line *l)
{
	const struct fxt_switch *sw = &l->c->sw;

	put_number(l, KEY("cpu"), sw->cpu);
	PUT_NAMED(l, KEY("outgoing_state"), dump_states, sw->state);
	put_number(l, KEY("outgoing_thread"), sw->out);
	put_thread_name(l, KEY("outgoing_name"), sw->out);
	put_number(l, KEY("incoming_thread"), sw->in);
	put_thread_name(l, KEY("incoming_name"), sw->in);
	put_args(l);
}

static void put_wakeup(struct line *l)
{
	const struct fxt_wakeup *w = &l->c->wakeup;

	put_number(l, KEY("cpu"), w->cpu);
	put_number(l, KEY("waking_thread"), w->thread);
	put_thread_name(l, KEY("waking_name"), w->thread);
	if (l->is_json && w->has_waker)
		put_thread_name(l, KEY("waker_name"), w->waker);
	put_args(l);
}

static const char *function_of(const struct line *l, unsigned int frame)
{
	const struct sched_symbol *symbol =
		sched_symbol_find(l->symbols, l->rec->provider->id, l->c->thread.process,
				  fxt_sched_frame_address(l->c->frames[frame]));

	return symbol ? symbol->name : NULL;
}

/* Names of functions contain no quotes. */
static void put_functions(struct line *l)
{
	const char *name;
	unsigned int i;

	put_key(l, KEY("functions"));
	out_char(l->o, l->is_json ? '[' : '"');
	for (i = 0; i < l->c->frame_count; i++) {
		name = function_of(l, i);
		if (i)
			out_char(l->o, ',');
		if (l->is_json && name)
			out_json(l->o, name, strlen(name));
		else
			out_str(l->o, name ? name : l->is_json ? "null" : "?");
	}
	out_char(l->o, l->is_json ? ']' : '"');
}

static void put_backtrace(struct line *l)
{
	const struct fxt_content *c = l->c;
	unsigned int i;

	if (fxt_sched_sample_ns(c->frame_flags))
		put_number(l, KEY("sample_ns"), fxt_sched_sample_ns(c->frame_flags));
	else if (c->frame_flags)
		put_number(l, KEY("flags"), c->frame_flags);
	put_key(l, KEY("frames"));
	if (l->is_json)
		out_char(l->o, '[');
	for (i = 0; i < c->frame_count; i++) {
		if (i)
			out_char(l->o, ',');
		address(l, c->frames[i]);
	}
	if (l->is_json)
		out_char(l->o, ']');
	if (l->symbols->count)
		put_functions(l);
}

static void put_profiler(struct line *l)
{
	const struct fxt_content *c = l->c;

	put_owner(l);
	if (c->kind == FXT_KIND_BACKTRACE) {
		put_backtrace(l);
		return;
	}
	put_number(l, KEY("module_id"), c->module_id);
	if (c->kind == FXT_KIND_MODULE) {
		put_text(l, KEY("name"), &c->name);
		put_key(l, KEY("build_id"));
		binary(l, c->build_id.data, c->build_id.bytes, c->build_id.bytes);
		return;
	}
	put_number(l, KEY("flags"), c->flags);
	put_address(l, KEY("start_address"), c->start);
	put_address(l, KEY("address_range"), c->range);
	put_address(l, KEY("vaddr"), c->vaddr);
}

static void put_unknown(struct line *l)
{
	const struct fxt_record *rec = l->rec;
	uint64_t held = rec->held;

	if (l->is_json && held > FXT_MAX_RECORD_WORDS)
		held = FXT_MAX_RECORD_WORDS;
	put_number(l, KEY("type"), rec->type);
	put_number(l, KEY("words"), rec->size);
	put_key(l, KEY("data"));
	binary(l, rec->words, rec->size * FXT_WORD, held * FXT_WORD);
}

static int put_fields(struct line *l)
{
	switch (l->c ? l->c->kind : FXT_KIND_UNKNOWN) {
	case FXT_KIND_UNKNOWN:
		put_unknown(l);
		break;
	case FXT_KIND_CONTEXT_SWITCH:
		put_switch(l);
		break;
	case FXT_KIND_THREAD_WAKEUP:
		put_wakeup(l);
		break;
	case FXT_KIND_LEGACY_SWITCH:
		put_legacy(l);
		break;
	case FXT_KIND_INSTANT ... FXT_KIND_FLOW_END:
		put_event(l);
		break;
	case FXT_KIND_BLOB:
	case FXT_KIND_LARGE_BLOB:
	case FXT_KIND_LARGE_BLOB_BARE:
		return put_blob(l);
	case FXT_KIND_USERSPACE_OBJECT:
	case FXT_KIND_KERNEL_OBJECT:
		put_object(l);
		break;
	case FXT_KIND_LOG:
		put_owner(l);
		put_text(l, KEY("message"), &l->c->name);
		break;
	case FXT_KIND_MODULE ... FXT_KIND_BACKTRACE:
		put_profiler(l);
		break;
	default:
		put_metadata(l);
	}
	return 0;
}

static void text_head(struct line *l)
{
	out_u64(l->o, l->rec->offset);
	out_char(l->o, ' ');
	out_str(l->o, fxt_kind_name(l->rec->kind));
	out_char(l->o, ' ');
	if (l->c && dump_has_time(l->c->kind))
		out_seconds(l->o, ns_of(l, l->c->time));
	else
		out_char(l->o, '-');
}

static void json_head(struct line *l)
{
	static const struct word kinds[] = {
#define KIND(kind, name) [kind] = WORD(name),
		FXT_KINDS(KIND)
#undef KIND
	};
	struct json j = { .o = l->o };

	json_begin(&j, '{');
	json_number(&j, "offset", l->rec->offset);
	json_number(&j, "record", l->rec->number);
	put_word(&j, "kind", &kinds[l->rec->kind]);
	json_number(&j, "provider", l->rec->provider->id);
	if (l->c && dump_has_time(l->c->kind))
		put_time(l, KEY("time"), KEY("ticks"), KEY("ns"), l->c->time);
}

int dump_record(struct out *o, bool is_json, struct fxt_reader *r, const struct fxt_record *rec,
		const struct fxt_content *c, const struct fxt_objects *objects,
		struct sched_symbols *symbols)
{
	struct line l = {
		.o = o, .is_json = is_json, .r = r, .rec = rec, .c = c,
		.objects = objects, .symbols = symbols,
	};
	int ret;

	if (is_json)
		json_head(&l);
	else
		text_head(&l);
	ret = put_fields(&l);
	out_str(o, is_json ? "}\n" : "\n");
	return ret;
}

void dump_malformed(struct out *o, bool is_json, const struct fxt_deviation *d)
{
	struct json j = { .o = o };

	if (!is_json) {
		out_u64(o, d->offset);
		out_str(o, " malformed - ");
		out_quoted(o, d->text, strlen(d->text));
		out_char(o, '\n');
		return;
	}
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
