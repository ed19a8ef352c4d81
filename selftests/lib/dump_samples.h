/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An archive with a record of each kind, and the expected line of `fxt dump` for each, written out
 * by hand.
 */
#ifndef SELFTESTS_DUMP_SAMPLES_H
#define SELFTESTS_DUMP_SAMPLES_H

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"

#define TEXT(s)			{ .bytes = s, .length = sizeof(s) - 1 }
#define REF(i)			{ .bytes = "", .ref = i }
#define ARG(s, t, ...)		{ .name = TEXT(s), .type = FXT_ARG_##t, __VA_ARGS__ }
#define OF_EVENT		" process=10 thread=11 category=\"cat\" name=\"n\""
#define EVENT(k, t)		.kind = FXT_KIND_##k, .time = t, .thread = { 10, 11, 1 },	\
				.category = REF(1), .name = TEXT("n")

static const uint64_t ledger[] = { 0x0000000500010003, 3000000, 2999999, 77, 7 };

/* One record of each kind, with a clock of 1 MHz, and its line without the offset. */
static const struct sample {
	struct fxt_content c;
	const char *line;
} samples[] = {
	{ { .kind = FXT_KIND_MAGIC }, "magic -" },
	{ { .kind = FXT_KIND_PROVIDER_INFO, .provider_id = 7, .name = TEXT("a \"b\"\n") },
	  "provider_info - provider_id=7 name=\"a \\\"b\\\"\\x0a\"" },
	{ { .kind = FXT_KIND_INITIALIZATION, .ticks_per_second = 1000000 },
	  "initialization - ticks_per_second=1000000" },
	{ { .kind = FXT_KIND_STRING, .index = 1, .name = TEXT("cat") },
	  "string - index=1 value=\"cat\"" },
	{ { .kind = FXT_KIND_STRING, .index = 11, .name = TEXT("fxt_sched.ledger") },
	  "string - index=11 value=\"fxt_sched.ledger\"" },
	{ { .kind = FXT_KIND_THREAD, .index = 1, .thread = { 10, 11, 0 } },
	  "thread - index=1 process=10 thread=11" },
	{ { EVENT(INSTANT, 1000000) },
	  "instant 1.000000000" OF_EVENT },
	{ { EVENT(COUNTER, 1000001), .id = 5, .arg_count = 1, .args = {
		ARG("a", INT64, .i64 = -5) } },
	  "counter 1.000001000" OF_EVENT " counter_id=5 { a=-5 }" },
	{ { EVENT(DURATION_BEGIN, 1000002), .arg_count = 6, .args = {
		ARG("nil", NULL), ARG("i", INT32, .i64 = -1), ARG("u", UINT32, .u64 = 4294967295),
		ARG("u 64", UINT64, .u64 = UINT64_MAX), ARG("", DOUBLE, .f64 = 2),
		ARG("s", STRING, .text = TEXT("x\\y")) } },
	  "duration_begin 1.000002000" OF_EVENT
	  " { nil=null i=-1 u=4294967295 \"u 64\"=18446744073709551615 \"\"=2.0 s=\"x\\\\y\" }" },
	{ { EVENT(DURATION_END, 1000003), .arg_count = 4, .args = {
		ARG("p", POINTER, .u64 = 255), ARG("k", KOID, .u64 = 11),
		ARG("b.1", BOOL, .u64 = 1),
		ARG("data", BLOB, .blob = { "0123456789abcdefg", 17 }) } },
	  "duration_end 1.000003000" OF_EVENT
	  " { p=0xff k=11 b.1=true data=17:30313233343536373839616263646566... }" },
	{ { EVENT(DURATION_COMPLETE, 1000004), .end = 2000000 },
	  "duration_complete 1.000004000" OF_EVENT " end=2.000000000" },
	{ { EVENT(ASYNC_BEGIN, 1000005), .id = 1 },
	  "async_begin 1.000005000" OF_EVENT " correlation_id=1" },
	{ { EVENT(ASYNC_INSTANT, 1000006), .id = 1 },
	  "async_instant 1.000006000" OF_EVENT " correlation_id=1" },
	{ { EVENT(ASYNC_END, 1000007), .id = 1 },
	  "async_end 1.000007000" OF_EVENT " correlation_id=1" },
	{ { EVENT(FLOW_BEGIN, 1000008), .id = 2 },
	  "flow_begin 1.000008000" OF_EVENT " correlation_id=2" },
	{ { EVENT(FLOW_STEP, 1000009), .id = 2 },
	  "flow_step 1.000009000" OF_EVENT " correlation_id=2" },
	{ { EVENT(FLOW_END, 1000010), .id = 2 },
	  "flow_end 1.000010000" OF_EVENT " correlation_id=2" },
	{ { .kind = FXT_KIND_BLOB, .name = REF(11), .blob = { ledger, sizeof(ledger) },
	    .blob_held = sizeof(ledger), .blob_type = FXT_BLOB_DATA },
	  "blob - name=\"fxt_sched.ledger\" blob_type=data"
	  " payload=40:0300010005000000c0c62d0000000000..."
	  " stream=3 ledger=head sequence=5 time=3.000000000 last=2.999999000 written=77 lost=7" },
	{ { .kind = FXT_KIND_BLOB, .name = TEXT("b"), .blob = { "\xff", 1 }, .blob_held = 1,
	    .blob_type = FXT_BLOB_PERFETTO },
	  "blob - name=\"b\" blob_type=perfetto payload=1:ff" },
	{ { .kind = FXT_KIND_USERSPACE_OBJECT, .object = 0xabc, .thread = { .process = 10 },
	    .name = TEXT("o") },
	  "userspace_object - pointer=0xabc process=10 name=\"o\"" },
	{ { .kind = FXT_KIND_KERNEL_OBJECT, .object = 20, .object_type = FXT_OBJECT_PROCESS,
	    .name = TEXT("sh") },
	  "kernel_object - koid=20 object_type=process name=\"sh\"" },
	{ { .kind = FXT_KIND_KERNEL_OBJECT, .object = 21, .object_type = FXT_OBJECT_THREAD,
	    .name = TEXT("sh"), .arg_count = 1, .args = { ARG("process", KOID, .u64 = 20) } },
	  "kernel_object - koid=21 object_type=thread name=\"sh\" { process=20:\"sh\" }" },
	{ { .kind = FXT_KIND_KERNEL_OBJECT, .object = 9, .object_type = 22, .name = TEXT("") },
	  "kernel_object - koid=9 object_type=22 name=\"\"" },
	{ { .kind = FXT_KIND_LEGACY_SWITCH, .time = 4000000, .legacy = {
		{ 10, 11, 1 }, { 20, 21, 0 }, 6, FXT_THREAD_DYING, 3, 4 } },
	  "legacy_context_switch 4.000000000 cpu=6 outgoing_state=dying outgoing_process=10"
	  " outgoing_thread=11 incoming_process=20 incoming_thread=21 incoming_name=\"sh\""
	  " outgoing_priority=3"
	  " incoming_priority=4" },
	{ { .kind = FXT_KIND_CONTEXT_SWITCH, .time = 4000001,
	    .sw = { .out = 21, .in = 31, .cpu = 300, .state = FXT_THREAD_BLOCKED },
	    .arg_count = 2,
	    .args = { ARG("outgoing_weight", INT32, .i64 = 1024),
		      ARG("state", STRING, .text = TEXT("D")) } },
	  "context_switch 4.000001000 cpu=300 outgoing_state=blocked outgoing_thread=21"
	  " outgoing_name=\"sh\""
	  " incoming_thread=31 { outgoing_weight=1024 state=\"D\" }" },
	{ { .kind = FXT_KIND_THREAD_WAKEUP, .time = 4000002, .wakeup = { .thread = 31, .cpu = 7 },
	    .arg_count = 1, .args = { ARG("waker", KOID, .u64 = 21) } },
	  "thread_wakeup 4.000002000 cpu=7 waking_thread=31 { waker=21:\"sh\" }" },
	{ { .kind = FXT_KIND_LOG, .time = 5000000, .thread = { 10, 12, 0 },
	    .name = TEXT("m\x1b[0m") },
	  "log 5.000000000 process=10 thread=12 message=\"m\\x1b[0m\"" },
	{ { .kind = FXT_KIND_MODULE, .time = 5000001, .thread = { 10, 11, 1 }, .module_id = 2,
	    .name = TEXT("libc"), .build_id = { "\1\2", 2 } },
	  "module 5.000001000 process=10 thread=11 module_id=2 name=\"libc\" build_id=2:0102" },
	{ { .kind = FXT_KIND_MMAP, .time = 5000002, .thread = { 10, 11, 1 }, .module_id = 2,
	    .flags = 5, .start = 0x1000, .range = 0x2000, .vaddr = 0 },
	  "mmap 5.000002000 process=10 thread=11 module_id=2 flags=5 start_address=0x1000"
	  " address_range=0x2000 vaddr=0x0" },
	{ { .kind = FXT_KIND_BACKTRACE, .time = 5000003, .thread = { 10, 11, 1 }, .frame_count = 2,
	    .frames = { 1, 0x20 } },
	  "backtrace 5.000003000 process=10 thread=11 frames=0x1,0x20" },
	{ { .kind = FXT_KIND_LARGE_BLOB, .time = 6000000, .thread = { 10, 11, 1 },
	    .category = REF(1), .name = TEXT("L"), .blob = { "abc", 3 }, .blob_held = 3,
	    .arg_count = 3, .args = { ARG("a", BOOL, .u64 = 0), ARG("p", POINTER, .u64 = 0xabc),
				      ARG("q", POINTER, .u64 = 0xabd) } },
	  "large_blob 6.000000000 process=10 thread=11 category=\"cat\" name=\"L\""
	  " payload=3:616263 { a=false p=0xabc:\"o\" q=0xabd }" },
	{ { .kind = FXT_KIND_LARGE_BLOB_BARE, .category = REF(1), .name = TEXT("L"),
	    .blob = { "", 0 } },
	  "large_blob_no_metadata - category=\"cat\" name=\"L\" payload=0:" },
	{ { .kind = FXT_KIND_PROVIDER_SECTION, .provider_id = 7 },
	  "provider_section - provider_id=7" },
	{ { .kind = FXT_KIND_PROVIDER_EVENT, .provider_id = 7 },
	  "provider_event - provider_id=7 event=buffer_full" },
};

#endif /* SELFTESTS_DUMP_SAMPLES_H */
