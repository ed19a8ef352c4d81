// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * schemas.c - the columns of each table.
 *
 * Names and order are those of Perfetto's standard tables, as far as an archive can fill the
 * columns or queries usually use them; additional columns come last. fxt-convert(1) describes the
 * other tables.
 */
#include "tables.h"

#define INTEGER(name)		{ name, TABLE_INT }
#define REAL(name)		{ name, TABLE_REAL }
#define TEXT(name)		{ name, TABLE_TEXT }
#define BYTES(name)		{ name, TABLE_BYTES }

static const struct table_column metadata_columns[] = {
	INTEGER("id"), TEXT("name"), TEXT("key_type"), INTEGER("int_value"),
	TEXT("str_value"),
};
static const struct table_column trace_bounds_columns[] = {
	INTEGER("start_ts"), INTEGER("end_ts"),
};
static const struct table_column process_columns[] = {
	INTEGER("upid"), INTEGER("pid"), TEXT("name"), INTEGER("parent_upid"),
	TEXT("cgroup"),
};
static const struct table_column thread_columns[] = {
	INTEGER("utid"), INTEGER("tid"), TEXT("name"), INTEGER("start_ts"),
	INTEGER("end_ts"), INTEGER("upid"), INTEGER("is_main_thread"), INTEGER("is_idle"),
	TEXT("cpus"),
};
static const struct table_column sched_columns[] = {
	INTEGER("id"), INTEGER("ts"), INTEGER("dur"), INTEGER("cpu"), INTEGER("utid"),
	TEXT("end_state"), INTEGER("priority"), INTEGER("ucpu"),
};
static const struct table_column thread_state_columns[] = {
	INTEGER("id"), INTEGER("ts"), INTEGER("dur"), INTEGER("cpu"), INTEGER("utid"),
	TEXT("state"), INTEGER("io_wait"), TEXT("blocked_function"),
	INTEGER("waker_utid"), INTEGER("waker_id"), INTEGER("irq_context"),
	INTEGER("ucpu"),
};
static const struct table_column track_columns[] = {
	INTEGER("id"), TEXT("name"), TEXT("type"), INTEGER("parent_id"),
};
static const struct table_column thread_track_columns[] = {
	INTEGER("id"), TEXT("name"), TEXT("type"), INTEGER("parent_id"), INTEGER("utid"),
};
static const struct table_column process_track_columns[] = {
	INTEGER("id"), TEXT("name"), TEXT("type"), INTEGER("parent_id"), INTEGER("upid"),
};
static const struct table_column counter_track_columns[] = {
	INTEGER("id"), TEXT("name"), TEXT("type"), INTEGER("parent_id"), TEXT("unit"),
};
static const struct table_column process_counter_track_columns[] = {
	INTEGER("id"), TEXT("name"), TEXT("type"), INTEGER("parent_id"), TEXT("unit"),
	INTEGER("upid"),
};
static const struct table_column slice_columns[] = {
	INTEGER("id"), INTEGER("ts"), INTEGER("dur"), INTEGER("track_id"),
	TEXT("category"), TEXT("name"), INTEGER("depth"), INTEGER("parent_id"),
	INTEGER("arg_set_id"),
};
static const struct table_column counter_columns[] = {
	INTEGER("id"), INTEGER("ts"), INTEGER("track_id"), REAL("value"),
	INTEGER("arg_set_id"),
};
static const struct table_column flow_columns[] = {
	INTEGER("id"), INTEGER("slice_out"), INTEGER("slice_in"),
};
static const struct table_column args_columns[] = {
	INTEGER("id"), INTEGER("arg_set_id"), TEXT("flat_key"), TEXT("key"),
	INTEGER("int_value"), TEXT("string_value"), REAL("real_value"), TEXT("value_type"),
	INTEGER("object_id"),
};
static const struct table_column log_columns[] = {
	INTEGER("id"), INTEGER("ts"), INTEGER("utid"), TEXT("msg"),
};
static const struct table_column module_columns[] = {
	INTEGER("id"), INTEGER("ts"), INTEGER("upid"), INTEGER("module_id"), TEXT("name"),
	TEXT("build_id"),
};
static const struct table_column mmap_columns[] = {
	INTEGER("id"), INTEGER("ts"), INTEGER("upid"), INTEGER("module_id"),
	INTEGER("start"), INTEGER("size"), INTEGER("vaddr"), INTEGER("flags"),
};
static const struct table_column backtrace_columns[] = {
	INTEGER("id"), INTEGER("ts"), INTEGER("utid"), INTEGER("callsite_id"),
	INTEGER("sample_ns"), INTEGER("asleep"),
};
static const struct table_column stack_profile_mapping_columns[] = {
	INTEGER("id"), TEXT("build_id"), INTEGER("start"), INTEGER("end"), TEXT("name"),
};
static const struct table_column stack_profile_frame_columns[] = {
	INTEGER("id"), TEXT("name"), INTEGER("mapping"), INTEGER("rel_pc"),
};
static const struct table_column stack_profile_callsite_columns[] = {
	INTEGER("id"), INTEGER("depth"), INTEGER("parent_id"), INTEGER("frame_id"),
};
static const struct table_column backtrace_frame_columns[] = {
	INTEGER("id"), INTEGER("backtrace_id"), INTEGER("depth"), INTEGER("address"),
};
static const struct table_column object_columns[] = {
	INTEGER("id"), INTEGER("koid"), INTEGER("type"), INTEGER("pointer"),
	INTEGER("upid"), TEXT("name"), INTEGER("arg_set_id"),
};
static const struct table_column blob_columns[] = {
	INTEGER("id"), TEXT("kind"), INTEGER("ts"), INTEGER("utid"), TEXT("category"),
	TEXT("name"), INTEGER("type"), INTEGER("offset"), INTEGER("size"),
	INTEGER("arg_set_id"),
};
static const struct table_column blob_data_columns[] = {
	INTEGER("id"), INTEGER("blob_id"), INTEGER("offset"), BYTES("data"),
};
static const struct table_column stats_columns[] = {
	TEXT("name"), INTEGER("idx"), TEXT("severity"), TEXT("source"), INTEGER("value"),
	TEXT("description"),
};

#define TABLE_CHECK(table, name, count, keyed)					\
	_Static_assert(sizeof(name##_columns) / sizeof(name##_columns[0]) == (count),	\
		       #name);							\
	_Static_assert((count) <= TABLE_MAX_COLUMNS, #name);
TABLES(TABLE_CHECK)

const struct table_schema table_schemas[TABLE_COUNT] = {
#define TABLE_SCHEMA(table, name, count, keyed) \
	[table] = { #name, name##_columns, count, keyed },
	TABLES(TABLE_SCHEMA)
};
