// SPDX-License-Identifier: GPL-2.0-or-later
/* schema.c - the JSON Schema of the lines; types, states and flags are the format's numbers. */
#include "dump.h"

static const struct schema head[] = {
	MEMBER("offset", IS_NUMBER, .about = "bytes"),
	MEMBER("record", IS_NUMBER),
	{ 0 }
};

/* Members of all records of these kinds. */
#define KIND(_name, kinds, ...)							\
	static const struct schema _name[] = {					\
		{ .is = IS_HERE, .of = head },					\
		MEMBER("kind", IS_WORD, .words = kinds),				\
		MEMBER("provider", IS_NUMBER),					\
		__VA_ARGS__							\
		{ 0 }								\
	};

static const struct schema time[] = {
	MEMBER("ticks", IS_NUMBER),
	MEMBER("ns", IS_TIME),
	{ 0 }
};

static const struct schema thread_ids[] = {
	MEMBER("process", IS_NUMBER),
	MEMBER("thread", IS_NUMBER),
	{ 0 }
};

static const struct schema owner[] = {
	{ .is = IS_HERE, .of = thread_ids },
	MEMBER("thread_name", IS_TEXT | OR_ABSENT,
	       .about = "at that time, if the archive names the thread"),
	{ 0 }
};

static const struct schema argument[] = {
	MEMBER("name", IS_TEXT),
	MEMBER("type", IS_WORD,
	  .words = "null|int32|uint32|int64|uint64|double|string|pointer|koid|bool|blob|unknown"),
	MEMBER("value", IS_ANY,
	       .about = "beyond 2^53 a string of digits, with - before those of a negative one; NaN, Infinity, -Infinity; base64 of a blob"),
	MEMBER("object", IS_TEXT | OR_ABSENT,
	       .about = "the name of what a pointer or koid refers to"),
	{ 0 }
};

static const struct schema args[] = {
	MEMBER("args", IS_LIST, .of = argument),
	{ 0 }
};

static const struct schema payload[] = {
	MEMBER("size", IS_NUMBER, .about = "bytes"),
	MEMBER("payload", IS_TEXT, .about = "base64"),
	{ 0 }
};

static const struct schema members_of_ledger[] = {
	MEMBER("stream", IS_NUMBER),
	MEMBER("kind", IS_NUMBER),
	MEMBER("sequence", IS_NUMBER),
	MEMBER("ticks", IS_NUMBER),
	MEMBER("ns", IS_TIME),
	MEMBER("last_ticks", IS_NUMBER),
	MEMBER("last_ns", IS_TIME),
	MEMBER("written", IS_NUMBER, .about = "records, so far"),
	MEMBER("lost", IS_NUMBER),
	{ 0 }
};

static const struct schema number[] = { { .is = IS_NUMBER }, { 0 } };
static const struct schema name_or_null[] = { { .is = IS_TEXT | OR_NULL }, { 0 } };

#define TIME	{ .is = IS_HERE, .of = time }
#define OWNER	{ .is = IS_HERE, .of = owner }
#define ARGS	{ .is = IS_HERE, .of = args }
#define PAYLOAD	{ .is = IS_HERE, .of = payload }
#define EVENT	TIME, OWNER, MEMBER("category", IS_TEXT), MEMBER("name", IS_TEXT), ARGS

KIND(provider_info, "provider_info",
     MEMBER("provider_id", IS_NUMBER), MEMBER("name", IS_TEXT),)
KIND(provider_section, "provider_section", MEMBER("provider_id", IS_NUMBER),)
KIND(provider_event, "provider_event",
     MEMBER("provider_id", IS_NUMBER), MEMBER("event", IS_NUMBER),)
KIND(magic, "magic")
KIND(initialization, "initialization", MEMBER("ticks_per_second", IS_NUMBER),)
KIND(string, "string", MEMBER("index", IS_NUMBER), MEMBER("value", IS_TEXT),)
KIND(thread, "thread", MEMBER("index", IS_NUMBER), { .is = IS_HERE, .of = thread_ids },)
KIND(event, "instant|duration_begin|duration_end", EVENT,)
KIND(counter, "counter", EVENT, MEMBER("counter_id", IS_NUMBER),)
KIND(complete, "duration_complete",
     EVENT, MEMBER("end_ticks", IS_NUMBER), MEMBER("end_ns", IS_TIME),)
KIND(correlated, "async_begin|async_instant|async_end|flow_begin|flow_step|flow_end",
     EVENT, MEMBER("correlation_id", IS_NUMBER),)
KIND(blob, "blob",
     MEMBER("name", IS_TEXT), MEMBER("blob_type", IS_NUMBER), PAYLOAD,
     MEMBER("ledger", IS_OBJECT | OR_ABSENT,
            .about = "what the payload of a ledger means", .of = members_of_ledger),)
KIND(userspace_object, "userspace_object",
     MEMBER("pointer", IS_NUMBER), MEMBER("process", IS_NUMBER), MEMBER("name", IS_TEXT), ARGS,)
KIND(kernel_object, "kernel_object",
     MEMBER("koid", IS_NUMBER), MEMBER("object_type", IS_NUMBER), MEMBER("name", IS_TEXT), ARGS,)
KIND(context_switch, "context_switch",
     TIME, MEMBER("cpu", IS_NUMBER), MEMBER("outgoing_state", IS_NUMBER),
     MEMBER("outgoing_thread", IS_NUMBER), MEMBER("outgoing_name", IS_TEXT | OR_ABSENT),
     MEMBER("incoming_thread", IS_NUMBER), MEMBER("incoming_name", IS_TEXT | OR_ABSENT), ARGS,)
KIND(thread_wakeup, "thread_wakeup",
     TIME, MEMBER("cpu", IS_NUMBER),
     MEMBER("waking_thread", IS_NUMBER), MEMBER("waking_name", IS_TEXT | OR_ABSENT),
     MEMBER("waker_name", IS_TEXT | OR_ABSENT), ARGS,)
KIND(legacy_context_switch, "legacy_context_switch",
     TIME, MEMBER("cpu", IS_NUMBER), MEMBER("outgoing_state", IS_NUMBER),
     MEMBER("outgoing_process", IS_NUMBER), MEMBER("outgoing_thread", IS_NUMBER),
     MEMBER("outgoing_name", IS_TEXT | OR_ABSENT),
     MEMBER("incoming_process", IS_NUMBER), MEMBER("incoming_thread", IS_NUMBER),
     MEMBER("incoming_name", IS_TEXT | OR_ABSENT),
     MEMBER("outgoing_priority", IS_NUMBER), MEMBER("incoming_priority", IS_NUMBER),)
KIND(log, "log", TIME, OWNER, MEMBER("message", IS_TEXT),)
KIND(module, "module",
     TIME, OWNER, MEMBER("module_id", IS_NUMBER), MEMBER("name", IS_TEXT),
     MEMBER("build_id", IS_TEXT, .about = "base64"),)
KIND(mmap, "mmap",
     TIME, OWNER, MEMBER("module_id", IS_NUMBER), MEMBER("flags", IS_NUMBER),
     MEMBER("start_address", IS_NUMBER), MEMBER("address_range", IS_NUMBER),
     MEMBER("vaddr", IS_NUMBER),)
KIND(backtrace, "backtrace",
     TIME, OWNER, MEMBER("flags", IS_NUMBER | OR_ABSENT,
            .about = "bits that the format reserves, if any is set"),
     MEMBER("sample_ns", IS_NUMBER | OR_ABSENT,
            .about = "of a sample of a thread that runs: what it weighs"),
     MEMBER("frames", IS_LIST, .about = "addresses, innermost first", .of = number),
     MEMBER("functions", IS_LIST | OR_ABSENT,
            .about = "their names, if the archive has any", .of = name_or_null),)
KIND(large_blob, "large_blob", EVENT, PAYLOAD,)
KIND(large_blob_no_metadata, "large_blob_no_metadata",
     MEMBER("category", IS_TEXT), MEMBER("name", IS_TEXT), PAYLOAD,)
KIND(unknown, "unknown",
     MEMBER("type", IS_NUMBER), MEMBER("words", IS_NUMBER),
     MEMBER("data", IS_TEXT, .about = "base64, of 32760 bytes at most"),)

static const struct schema malformed[] = {
	{ .is = IS_HERE, .of = head },
	MEMBER("kind", IS_WORD, .words = "malformed"),
	MEMBER("deviation", IS_TEXT),
	MEMBER("lost", IS_FLAG),
	MEMBER("field", IS_TEXT),
	MEMBER("text", IS_TEXT),
	{ 0 }
};

#define LINE(members)	{ .is = IS_OBJECT, .of = members }

const struct schema dump_schema[] = {
	LINE(provider_info), LINE(provider_section), LINE(provider_event), LINE(magic),
	LINE(initialization), LINE(string), LINE(thread), LINE(event), LINE(counter),
	LINE(complete), LINE(correlated), LINE(blob), LINE(userspace_object), LINE(kernel_object),
	LINE(context_switch), LINE(thread_wakeup), LINE(legacy_context_switch), LINE(log),
	LINE(module), LINE(mmap), LINE(backtrace), LINE(large_blob), LINE(large_blob_no_metadata),
	LINE(unknown), LINE(malformed),
	{ 0 }
};
