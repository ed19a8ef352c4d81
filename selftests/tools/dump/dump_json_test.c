// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `fxt dump --json` against the library's reader, in both byte orders: each record is one line that
 * json-c's parser takes, with exactly the fields of its kind and the values that the reader gives;
 * nothing is rounded, cut or left out.
 */
#include "harness.h"

#include <json-c/json.h>

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/objects.h"
#include "generate.h"
#include "tool.h"

#define LARGEST		(2U << 20)	/* bytes of payload */

/* One line, and how many of its fields were checked. */
struct line {
	struct __test_metadata *test;
	json_object *o;
	int fields;
	unsigned char *decoded;	/* room for LARGEST */
	const struct fxt_objects *objects;
};

/* The harness's macros expect this name. */
#define LINE_TEST(l) struct __test_metadata *_metadata = (l)->test

static json_object *field(struct line *l, const char *name)
{
	LINE_TEST(l);
	json_object *value = NULL;

	EXPECT_TRUE(json_object_object_get_ex(l->o, name, &value)) {
		TH_LOG("no %s in %s", name, json_object_to_json_string(l->o));
	}
	l->fields++;
	return value;
}

static void expect_u64(struct line *l, json_object *value, uint64_t expected)
{
	LINE_TEST(l);
	char text[24];

	if (expected > 1ULL << 53) {
		snprintf(text, sizeof(text), "%" PRIu64, expected);
		EXPECT_TRUE(json_object_is_type(value, json_type_string));
		EXPECT_STREQ(text, json_object_get_string(value));
		return;
	}
	EXPECT_TRUE(json_object_is_type(value, json_type_int));
	EXPECT_EQ(expected, json_object_get_uint64(value)) {
		TH_LOG("%s", json_object_to_json_string(l->o));
	}
}

static void expect_i64(struct line *l, json_object *value, int64_t expected)
{
	LINE_TEST(l);
	char text[24];

	if (expected >= 0) {
		expect_u64(l, value, expected);
	} else if (expected < -(1LL << 53)) {
		snprintf(text, sizeof(text), "%" PRId64, expected);
		EXPECT_TRUE(json_object_is_type(value, json_type_string));
		EXPECT_STREQ(text, json_object_get_string(value));
	} else {
		EXPECT_TRUE(json_object_is_type(value, json_type_int));
		EXPECT_EQ(expected, json_object_get_int64(value));
	}
}

static void expect_string(struct line *l, json_object *value, const char *bytes, size_t length)
{
	LINE_TEST(l);

	EXPECT_TRUE(json_object_is_type(value, json_type_string));
	EXPECT_EQ(length, (size_t)json_object_get_string_len(value));
	EXPECT_EQ(0, memcmp(bytes, json_object_get_string(value), length));
}

static int digit_of(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + 26 :
	       c >= '0' && c <= '9' ? c - '0' + 52 : c == '+' ? 62 : c == '/' ? 63 : -1;
}

static void expect_base64(struct line *l, json_object *value, const void *data, size_t bytes)
{
	LINE_TEST(l);
	const char *s = json_object_get_string(value);
	size_t length = json_object_get_string_len(value), at = 0;
	uint32_t bits = 0;

	EXPECT_TRUE(json_object_is_type(value, json_type_string));
	ASSERT_EQ((bytes + 2) / 3 * 4, length);
	for (size_t i = 0; i < length && s[i] != '='; i++) {
		ASSERT_LE(0, digit_of(s[i]));
		bits = bits << 6 | digit_of(s[i]);
		if (i % 4)
			l->decoded[at++] = bits >> (6 - 2 * (i % 4));
	}
	ASSERT_EQ(bytes, at);
	EXPECT_EQ(0, memcmp(data, l->decoded, bytes));
}

#define IS_U64(l, name, value)	expect_u64(l, field(l, name), value)
#define IS_TEXT(l, name, text)	expect_string(l, field(l, name), (text)->bytes, (text)->length)

static void is_time(struct line *l, const struct fxt_record *rec, uint64_t ticks,
		    const char *ticks_name, const char *ns_name)
{
	unsigned __int128 ns = ticks;

	ns = ns * 1000000000 / rec->provider->ticks_per_second;
	IS_U64(l, ticks_name, ticks);
	IS_U64(l, ns_name, ns);
}

static void is_thread(struct line *l, const struct fxt_thread_id *id)
{
	IS_U64(l, "process", id->process);
	IS_U64(l, "thread", id->thread);
}

/* --- arguments ---------------------------------------------------------------- */

static void is_double(struct line *l, json_object *value, double expected)
{
	LINE_TEST(l);
	double seen = json_object_get_double(value);

	if (expected != expected) {
		expect_string(l, value, "NaN", 3);
	} else if (expected - expected != 0) {
		expect_string(l, value, expected < 0 ? "-Infinity" : "Infinity",
			      expected < 0 ? 9 : 8);
	} else {
		EXPECT_TRUE(json_object_is_type(value, json_type_double));
		EXPECT_EQ(0, memcmp(&expected, &seen, sizeof(seen)));
	}
}

static void is_value(struct line *l, json_object *value, const struct fxt_arg *arg)
{
	LINE_TEST(l);

	switch (arg->type) {
	case FXT_ARG_NULL:
		EXPECT_EQ(NULL, value);
		break;
	case FXT_ARG_INT32:
	case FXT_ARG_INT64:
		expect_i64(l, value, arg->i64);
		break;
	case FXT_ARG_DOUBLE:
		is_double(l, value, arg->f64);
		break;
	case FXT_ARG_STRING:
		expect_string(l, value, arg->text.bytes, arg->text.length);
		break;
	case FXT_ARG_BOOL:
		EXPECT_TRUE(json_object_is_type(value, json_type_boolean));
		EXPECT_EQ((int)arg->u64, json_object_get_boolean(value));
		break;
	case FXT_ARG_BLOB:
		expect_base64(l, value, arg->blob.data, arg->blob.bytes);
		break;
	default:
		expect_u64(l, value, arg->u64);
	}
}

static void are_args(struct line *l, const struct fxt_content *c)
{
	static const char * const types[] = {
		"null", "int32", "uint32", "int64", "uint64", "double", "string", "pointer",
		"koid", "bool", "blob",
	};
	LINE_TEST(l);
	json_object *args = field(l, "args");
	struct line arg = *l;

	ASSERT_EQ(c->arg_count, json_object_array_length(args));
	for (unsigned int i = 0; i < c->arg_count; i++) {
		const char *type = types[c->args[i].type];
		const struct fxt_object *ob = fxt_objects_argument(l->objects, c->thread.process,
								   &c->args[i]);

		arg.o = json_object_array_get_idx(args, i);
		EXPECT_EQ(ob && ob->length ? 4 : 3, json_object_object_length(arg.o));
		if (ob && ob->length)
			expect_string(&arg, field(&arg, "object"), ob->name, ob->length);
		IS_TEXT(&arg, "name", &c->args[i].name);
		expect_string(&arg, field(&arg, "type"), type, strlen(type));
		is_value(&arg, field(&arg, "value"), &c->args[i]);
	}
}

/* --- kinds --------------------------------------------------------------------- */

static void is_metadata(struct line *l, const struct fxt_content *c)
{
	switch (c->kind) {
	case FXT_KIND_PROVIDER_INFO:
		IS_TEXT(l, "name", &c->name);
		IS_U64(l, "provider_id", c->provider_id);
		break;
	case FXT_KIND_PROVIDER_EVENT:
		IS_U64(l, "event", c->event);
		IS_U64(l, "provider_id", c->provider_id);
		break;
	case FXT_KIND_PROVIDER_SECTION:
		IS_U64(l, "provider_id", c->provider_id);
		break;
	case FXT_KIND_INITIALIZATION:
		IS_U64(l, "ticks_per_second", c->ticks_per_second);
		break;
	case FXT_KIND_STRING:
		IS_U64(l, "index", c->index);
		IS_TEXT(l, "value", &c->name);
		break;
	case FXT_KIND_THREAD:
		IS_U64(l, "index", c->index);
		is_thread(l, &c->thread);
		break;
	default:
		break;
	}
}

/* If a thread has a name, the line has it beside the koid, and no other thread's name. */
static void is_named(struct line *l, const char *key, uint64_t koid)
{
	const struct fxt_object *ob = fxt_objects_find(l->objects, FXT_CLASS_THREAD, 0, koid);

	if (ob && ob->length)
		expect_string(l, field(l, key), ob->name, ob->length);
}

static void is_owner(struct line *l, const struct fxt_thread_id *id)
{
	is_thread(l, id);
	is_named(l, "thread_name", id->thread);
}

static void is_event(struct line *l, const struct fxt_record *rec, const struct fxt_content *c)
{
	is_owner(l, &c->thread);
	IS_TEXT(l, "category", &c->category);
	IS_TEXT(l, "name", &c->name);
	are_args(l, c);
	if (c->kind == FXT_KIND_COUNTER)
		IS_U64(l, "counter_id", c->id);
	else if (c->kind == FXT_KIND_DURATION_COMPLETE)
		is_time(l, rec, c->end, "end_ticks", "end_ns");
	else if (c->kind >= FXT_KIND_ASYNC_BEGIN)
		IS_U64(l, "correlation_id", c->id);
}

static void is_ledger(struct line *l, const struct fxt_record *rec)
{
	LINE_TEST(l);
	struct fxt_ledger ledger;
	struct line inner = *l;

	if (!fxt_sched_get_ledger((const __u64 *)rec->words, &ledger))
		return;
	inner.o = field(l, "ledger");
	EXPECT_EQ(9, json_object_object_length(inner.o));
	IS_U64(&inner, "stream", ledger.stream);
	IS_U64(&inner, "kind", ledger.kind);
	IS_U64(&inner, "sequence", ledger.sequence);
	is_time(&inner, rec, ledger.time, "ticks", "ns");
	is_time(&inner, rec, ledger.last, "last_ticks", "last_ns");
	IS_U64(&inner, "written", ledger.written);
	IS_U64(&inner, "lost", ledger.lost);
}

static void is_payload(struct line *l, struct fxt_reader *r, const struct fxt_content *c)
{
	LINE_TEST(l);
	char *payload = malloc(LARGEST);
	struct fxt_bytes piece;
	size_t held = c->blob_held;

	ASSERT_NE(NULL, payload);
	ASSERT_GT(LARGEST, c->blob.bytes);
	if (held)
		memcpy(payload, c->blob.data, held);
	while (fxt_reader_payload(r, &piece) > 0) {
		memcpy(payload + held, piece.data, piece.bytes);
		held += piece.bytes;
	}
	ASSERT_EQ(c->blob.bytes, held);
	IS_U64(l, "size", held);
	expect_base64(l, field(l, "payload"), payload, held);
}

static void is_blob(struct line *l, struct fxt_reader *r, const struct fxt_record *rec,
		    const struct fxt_content *c)
{
	IS_TEXT(l, "name", &c->name);
	if (c->kind == FXT_KIND_BLOB) {
		IS_U64(l, "blob_type", c->blob_type);
		is_ledger(l, rec);
	} else {
		IS_TEXT(l, "category", &c->category);
	}
	if (c->kind == FXT_KIND_LARGE_BLOB) {
		is_owner(l, &c->thread);
		are_args(l, c);
	}
	is_payload(l, r, c);
}

static void is_object(struct line *l, const struct fxt_content *c)
{
	IS_TEXT(l, "name", &c->name);
	are_args(l, c);
	if (c->kind == FXT_KIND_KERNEL_OBJECT) {
		IS_U64(l, "koid", c->object);
		IS_U64(l, "object_type", c->object_type);
	} else {
		IS_U64(l, "pointer", c->object);
		IS_U64(l, "process", c->thread.process);
	}
}

static void is_scheduling(struct line *l, const struct fxt_content *c)
{
	const struct fxt_legacy_switch *old = &c->legacy;

	switch (c->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
		IS_U64(l, "cpu", c->sw.cpu);
		IS_U64(l, "outgoing_state", c->sw.state);
		IS_U64(l, "outgoing_thread", c->sw.out);
		IS_U64(l, "incoming_thread", c->sw.in);
		is_named(l, "outgoing_name", c->sw.out);
		is_named(l, "incoming_name", c->sw.in);
		are_args(l, c);
		break;
	case FXT_KIND_THREAD_WAKEUP:
		IS_U64(l, "cpu", c->wakeup.cpu);
		IS_U64(l, "waking_thread", c->wakeup.thread);
		is_named(l, "waking_name", c->wakeup.thread);
		if (c->wakeup.has_waker)
			is_named(l, "waker_name", c->wakeup.waker);
		are_args(l, c);
		break;
	default:
		IS_U64(l, "cpu", old->cpu);
		IS_U64(l, "outgoing_state", old->state);
		IS_U64(l, "outgoing_process", old->out.process);
		IS_U64(l, "outgoing_thread", old->out.thread);
		IS_U64(l, "incoming_process", old->in.process);
		IS_U64(l, "incoming_thread", old->in.thread);
		is_named(l, "outgoing_name", old->out.thread);
		is_named(l, "incoming_name", old->in.thread);
		IS_U64(l, "outgoing_priority", old->out_priority);
		IS_U64(l, "incoming_priority", old->in_priority);
	}
}

static void is_profiler(struct line *l, const struct fxt_content *c)
{
	LINE_TEST(l);
	json_object *frames;

	is_owner(l, &c->thread);
	switch (c->kind) {
	case FXT_KIND_MODULE:
		IS_U64(l, "module_id", c->module_id);
		IS_TEXT(l, "name", &c->name);
		expect_base64(l, field(l, "build_id"), c->build_id.data, c->build_id.bytes);
		break;
	case FXT_KIND_MMAP:
		IS_U64(l, "module_id", c->module_id);
		IS_U64(l, "flags", c->flags);
		IS_U64(l, "start_address", c->start);
		IS_U64(l, "address_range", c->range);
		IS_U64(l, "vaddr", c->vaddr);
		break;
	default:
		frames = field(l, "frames");
		ASSERT_EQ(c->frame_count, json_object_array_length(frames));
		for (unsigned int i = 0; i < c->frame_count; i++)
			expect_u64(l, json_object_array_get_idx(frames, i), c->frames[i]);
	}
}

static void is_record(struct line *l, struct fxt_reader *r, const struct fxt_record *rec,
		      const struct fxt_content *c)
{
	const char *kind = fxt_kind_name(rec->kind);

	IS_U64(l, "offset", rec->offset);
	IS_U64(l, "record", rec->number);
	expect_string(l, field(l, "kind"), kind, strlen(kind));
	IS_U64(l, "provider", rec->provider->id);
	if (fxt_kind_has_time(c->kind) || c->kind == FXT_KIND_LARGE_BLOB)
		is_time(l, rec, c->time, "ticks", "ns");
	switch (c->kind) {
	case FXT_KIND_INSTANT ... FXT_KIND_FLOW_END:
		is_event(l, rec, c);
		break;
	case FXT_KIND_BLOB:
	case FXT_KIND_LARGE_BLOB:
	case FXT_KIND_LARGE_BLOB_BARE:
		is_blob(l, r, rec, c);
		break;
	case FXT_KIND_USERSPACE_OBJECT:
	case FXT_KIND_KERNEL_OBJECT:
		is_object(l, c);
		break;
	case FXT_KIND_LEGACY_SWITCH ... FXT_KIND_THREAD_WAKEUP:
		is_scheduling(l, c);
		break;
	case FXT_KIND_LOG:
		is_owner(l, &c->thread);
		IS_TEXT(l, "message", &c->name);
		break;
	case FXT_KIND_MODULE ... FXT_KIND_BACKTRACE:
		is_profiler(l, c);
		break;
	default:
		is_metadata(l, c);
	}
}

/* --- the whole ------------------------------------------------------------------ */

FIXTURE(json)
{
	int fd;
	char path[64];
	struct tool t;
	unsigned char *decoded;
	struct fxt_objects objects;
};

FIXTURE_SETUP(json)
{
	self->t = (struct tool){ 0 };
	self->decoded = malloc(LARGEST);
	ASSERT_NE(NULL, self->decoded);
	/* The descriptor stays open in the child, which opens the archive by this name. */
	self->fd = memfd_create("archive", 0);
	ASSERT_LE(0, self->fd);
	snprintf(self->path, sizeof(self->path), "/proc/self/fd/%d", self->fd);
}

FIXTURE_TEARDOWN(json) { }

static json_object *parse_line(json_tokener *tok, char *line, size_t length)
{
	json_object *o;

	json_tokener_reset(tok);
	o = json_tokener_parse_ex(tok, line, length);
	if (json_tokener_get_error(tok) == json_tokener_success &&
	    json_tokener_get_parse_end(tok) == length)
		return o;
	return NULL;
}

/* Until a thread is named, its later first name applies. */
static int learn_names(FIXTURE_DATA(json) *self, struct fxt_content *c)
{
	struct fxt_reader *r;
	struct fxt_record rec;
	int ret = fxt_reader_open(&r, self->path, NULL);

	while (!ret && fxt_reader_next(r, &rec) > 0)
		if (rec.kind == FXT_KIND_KERNEL_OBJECT && !fxt_reader_content(r, &rec, c))
			ret = fxt_objects_learn(&self->objects, c, true);
	fxt_reader_close(r);
	return ret;
}

static uint64_t compare(struct __test_metadata *_metadata, FIXTURE_DATA(json) *self)
{
	struct fxt_content *c = malloc(sizeof(*c));
	json_tokener *tok = json_tokener_new();
	char *at, *end;
	struct fxt_reader *r;
	struct fxt_record rec;
	uint64_t kinds = 0;

	json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	ASSERT_EQ(0, learn_names(self, c));
	ASSERT_EQ(0, tool_run(&self->t, ARGS("dump", "--json", self->path)))
		TH_LOG("%s", self->t.err);
	EXPECT_STREQ("", self->t.err);
	ASSERT_EQ(0, fxt_reader_open(&r, self->path,
				     &(struct fxt_reader_options){ .strict = true }));
	for (at = self->t.out; fxt_reader_next(r, &rec) > 0; at = end + 1) {
		struct line l = {
			.test = _metadata, .decoded = self->decoded, .objects = &self->objects,
		};

		ASSERT_EQ(0, fxt_reader_content(r, &rec, c));
		ASSERT_EQ(0, fxt_objects_learn(&self->objects, c, false));
		end = strchr(at, '\n');
		ASSERT_NE(NULL, end);
		l.o = parse_line(tok, at, end - at);
		ASSERT_NE(NULL, l.o) TH_LOG("%.*s", (int)(end - at), at);
		is_record(&l, r, &rec, c);
		ASSERT_EQ(l.fields, json_object_object_length(l.o)) {
			TH_LOG("%.*s", (int)(end - at), at);
		}
		kinds |= 1ULL << rec.kind;
	}
	EXPECT_EQ(self->t.out + self->t.out_bytes, at);
	EXPECT_EQ(lseek(self->fd, 0, SEEK_END), (off_t)fxt_reader_totals(r)->bytes);
	fxt_reader_close(r);
	return kinds;
}

#define ALL_KINDS	(FXT_BITS(0, FXT_KIND_COUNT - 1) & ~1ULL)

TEST_F(json, every_kind)
{
	ASSERT_EQ(0, generate_all(self->fd, 0));
	EXPECT_EQ(ALL_KINDS, compare(_metadata, self));
}

TEST_F(json, other_byte_order)
{
	ASSERT_EQ(0, generate_all(self->fd, GENERATE_SWAPPED));
	EXPECT_EQ(ALL_KINDS, compare(_metadata, self));
}

TEST_F(json, recording)
{
	ASSERT_EQ(0, generate_sched(self->fd, 20000, 3));
	compare(_metadata, self);
}
