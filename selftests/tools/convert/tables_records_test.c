// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Logs, profiler records, objects and BLOBs in the tables of `fxt convert --to csv` and `--to
 * sqlite`: each record is one row, and arguments refer to the objects that they mean.
 */
#include <fxt/fxt_mark.h>

#include "libfxt/fxt_writer.h"
#include "generate.h"
#include "tables_fixture.h"

#define TEXT(s)		{ .bytes = s, .length = sizeof(s) - 1 }
#define ARG(n, t, v)	{ .name = TEXT(n), .type = FXT_ARG_##t, .u64 = v }
#define RECORD(...)	(&(const struct fxt_content){ __VA_ARGS__ })

/* 1 tick is 1 us. */
static struct fxt_writer *begin(FIXTURE_DATA(tables) *self)
{
	struct fxt_writer *w = NULL;

	if (fxt_writer_open(&w, fileno(self->f)) || fxt_writer_magic(w) ||
	    fxt_writer_provider(w, 1, "test") || fxt_writer_initialization(w, 1000000))
		return NULL;
	return w;
}

static void put_seven(struct __test_metadata *_metadata, struct fxt_writer *w)
{
	ASSERT_EQ(0, fxt_writer_record(w, RECORD(.kind = FXT_KIND_KERNEL_OBJECT, .object = 7,
			.object_type = FXT_OBJECT_THREAD, .name = TEXT("seven"), .arg_count = 1,
			.args = { ARG("process", KOID, 5) })));
}

TEST_F(tables, logs)
{
	struct fxt_writer *w = begin(self);

	ASSERT_NE(NULL, w);
	put_seven(_metadata, w);
	ASSERT_EQ(0, fxt_writer_record(w, RECORD(.kind = FXT_KIND_LOG, .time = 20,
			.thread = { 5, 7, 0 }, .name = TEXT("a \"message\",\nof two lines"))));
	ASSERT_EQ(0, fxt_writer_record(w, RECORD(.kind = FXT_KIND_LOG, .time = 10,
			.thread = { 6, 8, 0 }, .name = TEXT(""))));
	ASSERT_EQ(0, fxt_writer_close(w));
	convert_both(_metadata, self, 0);
	EXPECT_SQL(2, "SELECT count(*) FROM log");
	EXPECT_SQL(20000, "SELECT ts FROM log JOIN thread USING (utid) JOIN process USING (upid) "
			  "WHERE thread.name = 'seven' AND pid = 5 AND msg = "
			  "'a \"message\",' || char(10) || 'of two lines'");
	EXPECT_SQL(10000, "SELECT ts FROM log JOIN thread USING (utid) WHERE tid = 8 AND msg = ''");
	EXPECT_SQL(10000, "SELECT start_ts FROM trace_bounds");
	EXPECT_SQL(20000, "SELECT end_ts FROM trace_bounds");
}

/* --- modules, mappings, backtraces ------------------------------------------------ */

static void put_module(struct __test_metadata *_metadata, struct fxt_writer *w,
		       uint64_t process, struct fxt_text name, uint64_t start)
{
	ASSERT_EQ(0, fxt_writer_record(w, RECORD(.kind = FXT_KIND_MODULE, .time = 1,
			.thread = { process, 0, 0 }, .module_id = 3, .name = name,
			.build_id = { "\x01\xab", 2 })));
	ASSERT_EQ(0, fxt_writer_record(w, RECORD(.kind = FXT_KIND_MMAP, .time = 2,
			.thread = { process, 0, 0 }, .module_id = 3, .flags = 5,
			.start = start, .range = 0x2000, .vaddr = 0x400)));
}

/* Join a frame's columns as the query in fxt-convert(1) does. */
#define FRAMES	"backtrace_frame f JOIN backtrace b ON b.id = f.backtrace_id "		\
		"JOIN thread USING (utid) JOIN mmap m ON m.upid = thread.upid AND "	\
		"f.address >= m.start AND f.address < m.start + m.size "		\
		"JOIN module d ON d.upid = m.upid AND d.module_id = m.module_id"

TEST_F(tables, profiler)
{
	struct fxt_writer *w = begin(self);

	ASSERT_NE(NULL, w);
	put_module(_metadata, w, 5, (struct fxt_text)TEXT("libc.so"), 0x10000);
	put_module(_metadata, w, 6, (struct fxt_text)TEXT("libm.so"), 0x11000);
	ASSERT_EQ(0, fxt_writer_record(w, RECORD(.kind = FXT_KIND_BACKTRACE, .time = 3,
			.thread = { 5, 7, 0 }, .frame_count = 3,
			.frames = { 0x11010, 0x10020, UINT64_MAX })));
	ASSERT_EQ(0, fxt_writer_record(w, RECORD(.kind = FXT_KIND_BACKTRACE, .time = 4,
			.thread = { 6, 8, 0 }, .frame_count = 1, .frames = { 0x11010 })));
	ASSERT_EQ(0, fxt_writer_record(w, RECORD(.kind = FXT_KIND_BACKTRACE, .time = 5,
			.thread = { 5, 7, 0 })));
	ASSERT_EQ(0, fxt_writer_close(w));
	convert_both(_metadata, self, 0);
	EXPECT_SQL(2, "SELECT count(*) FROM module WHERE ts = 1000 AND module_id = 3 AND "
		      "build_id = '01ab'");
	EXPECT_SQL(0x400, "SELECT vaddr FROM mmap JOIN process USING (upid) WHERE pid = 6 AND "
			  "ts = 2000 AND start = 0x11000 AND size = 0x2000 AND flags = 5");
	EXPECT_SQL(2, "SELECT count(*) FROM backtrace JOIN thread USING (utid) WHERE tid = 7");
	EXPECT_SQL(4, "SELECT count(*) FROM backtrace_frame");
	EXPECT_SQL(-1, "SELECT address FROM backtrace_frame WHERE depth = 2");
	EXPECT_SQL(3, "SELECT count(*) FROM " FRAMES);
	EXPECT_SQL(0x1410, "SELECT f.address - m.start + m.vaddr FROM " FRAMES
			   " WHERE d.name = 'libc.so' AND depth = 0 AND b.ts = 3000");
	EXPECT_SQL(0x410, "SELECT f.address - m.start + m.vaddr FROM " FRAMES
			  " WHERE d.name = 'libm.so'");
	EXPECT_SQL(0, "SELECT count(*) FROM thread WHERE tid = 0 AND is_idle = 0");
}

/* Select the frames of a callsite, innermost first, like queries for Perfetto. */
#define SITES	"WITH RECURSIVE site(b, id, n) AS (SELECT b.id, callsite_id, 0 FROM backtrace b "	\
		"UNION ALL SELECT b, c.parent_id, n + 1 FROM site JOIN "		\
		"stack_profile_callsite c USING (id)) "
#define SITE_FRAMES	"site JOIN stack_profile_callsite c USING (id) "		\
			"JOIN stack_profile_frame f ON f.id = c.frame_id "

TEST_F(tables, callsites)
{
	static const char lines[] =
		"k ffffffff81000000 ffffffff81000100 pipe_read\n"
		"u 5 10000 10100 main [prog]\n";
	struct fxt_writer *w = begin(self);

	ASSERT_NE(NULL, w);
	for (unsigned int i = 0; i < 3; i++)
		ASSERT_EQ(0, fxt_writer_record(w, RECORD(.kind = FXT_KIND_BACKTRACE,
				.time = 3 + i, .thread = { 5 + i / 2, 7, 0 }, .frame_count = 2,
				.frames = { 0xffffffff81000100, 0x10020 })));
	ASSERT_EQ(0, fxt_writer_record(w, RECORD(.kind = FXT_KIND_BACKTRACE, .time = 9,
			.thread = { 5, 7, 0 })));
	ASSERT_EQ(0, fxt_writer_record(w, RECORD(.kind = FXT_KIND_BACKTRACE, .time = 10,
			.thread = { 5, 7, 0 }, .frame_count = 1, .frames = { 0x10201 })));
	put_module(_metadata, w, 0, (struct fxt_text)TEXT("[kernel]"), 0xffffffff81000000);
	put_module(_metadata, w, 5, (struct fxt_text)TEXT("/bin/prog"), 0x10000);
	ASSERT_EQ(0, fxt_writer_record(w, RECORD(.kind = FXT_KIND_BLOB,
			.name = TEXT("fxt_sched.symbols"), .blob_type = FXT_BLOB_DATA,
			.blob = { lines, sizeof(lines) - 1 }, .blob_held = sizeof(lines) - 1)));
	ASSERT_EQ(0, fxt_writer_close(w));
	convert_both(_metadata, self, 0);
	/* Processes 5 and 6 have their own frames; the first two stacks are equal. */
	EXPECT_SQL(5, "SELECT count(*) FROM stack_profile_callsite");
	EXPECT_SQL(4, "SELECT count(*) FROM stack_profile_frame");
	EXPECT_SQL(3, "SELECT count(DISTINCT callsite_id) FROM backtrace");
	EXPECT_SQL(1, "SELECT count(*) FROM backtrace WHERE callsite_id IS NULL");
	EXPECT_SQL(3, SITES "SELECT count(*) FROM " SITE_FRAMES
		      "WHERE n = 0 AND f.name = 'pipe_read'");
	EXPECT_SQL(2, SITES "SELECT count(*) FROM " SITE_FRAMES "JOIN stack_profile_mapping m "
		      "ON m.id = f.mapping WHERE n = 1 AND f.name = 'main [prog]' AND "
		      "m.name = '/bin/prog' AND m.build_id = '01ab' AND depth = 0");
	EXPECT_SQL(0x420, "SELECT rel_pc FROM stack_profile_frame WHERE name = 'main [prog]'");
	/* This frame is in a file, but in no known function. */
	EXPECT_SQL(0x601, "SELECT rel_pc FROM stack_profile_frame WHERE name = 'prog+0x601'");
	EXPECT_SQL(0x10020, "SELECT rel_pc FROM stack_profile_frame WHERE name IS NULL AND "
			    "mapping IS NULL");
	EXPECT_SQL(0x12000, "SELECT end FROM stack_profile_mapping WHERE name = '/bin/prog'");
}

/* --- objects ------------------------------------------------------------------------ */

static void put_argument(struct __test_metadata *_metadata, struct fxt_writer *w,
			 uint64_t time, uint64_t process, enum fxt_arg_type type, uint64_t value)
{
	ASSERT_EQ(0, fxt_writer_record(w, RECORD(.kind = FXT_KIND_INSTANT, .time = time,
			.thread = { process, process + 1, 0 }, .category = TEXT("c"),
			.name = TEXT("n"), .arg_count = 1,
			.args = { { .name = TEXT("of"), .type = type, .u64 = value } })));
}

static void put_pointer(struct __test_metadata *_metadata, struct fxt_writer *w,
			uint64_t process, struct fxt_text name)
{
	ASSERT_EQ(0, fxt_writer_record(w, RECORD(.kind = FXT_KIND_USERSPACE_OBJECT,
			.object = 0xabc, .thread = { .process = process }, .name = name)));
}

/* Select the object to which the argument of the instant at this time refers. */
#define REFERRED(columns, ts) \
	"SELECT " columns " FROM slice JOIN args USING (arg_set_id) JOIN object ON "	\
	"object.id = object_id WHERE ts = " #ts " AND "

/* A pointer refers to the object written last at that address; addresses are reused. */
TEST_F(tables, pointers)
{
	struct fxt_writer *w = begin(self);

	ASSERT_NE(NULL, w);
	put_argument(_metadata, w, 1, 5, FXT_ARG_POINTER, 0xabc);
	put_pointer(_metadata, w, 5, (struct fxt_text)TEXT("first"));
	put_pointer(_metadata, w, 6, (struct fxt_text)TEXT("other's"));
	put_argument(_metadata, w, 2, 5, FXT_ARG_POINTER, 0xabc);
	put_pointer(_metadata, w, 5, (struct fxt_text)TEXT("second"));
	put_argument(_metadata, w, 3, 5, FXT_ARG_POINTER, 0xabc);
	put_argument(_metadata, w, 4, 6, FXT_ARG_POINTER, 0xabc);
	put_argument(_metadata, w, 5, 7, FXT_ARG_POINTER, 0xabc);
	put_argument(_metadata, w, 6, 5, FXT_ARG_POINTER, 0);
	put_argument(_metadata, w, 7, 5, FXT_ARG_UINT64, 0xabc);
	ASSERT_EQ(0, fxt_writer_close(w));
	convert_both(_metadata, self, 0);
	EXPECT_SQL(0xabc, REFERRED("pointer", 2000) "object.name = 'first' AND koid IS NULL");
	EXPECT_SQL(0xabc, REFERRED("pointer", 3000) "object.name = 'second'");
	EXPECT_SQL(0xabc, REFERRED("pointer", 4000) "object.name = 'other''s'");
	EXPECT_SQL(3, "SELECT count(*) FROM object");
	EXPECT_SQL(1, "SELECT count(*) FROM object JOIN process USING (upid) WHERE pid = 6 AND "
		      "object.name = 'other''s'");
	/*
	 * Without an object: an argument before the object's record, one of another process, NULL,
	 * and an argument that is not a pointer.
	 */
	EXPECT_SQL(1 + 5 + 6 + 7, "SELECT sum(ts) / 1000 FROM slice JOIN args USING (arg_set_id) "
				  "WHERE object_id IS NULL");
}

/* Koids are never reused: an argument may refer to an object that is described later. */
TEST_F(tables, koids)
{
	struct fxt_writer *w = begin(self);

	ASSERT_NE(NULL, w);
	put_argument(_metadata, w, 1, 5, FXT_ARG_KOID, 80);
	put_argument(_metadata, w, 2, 6, FXT_ARG_KOID, UINT64_MAX);
	put_argument(_metadata, w, 3, 6, FXT_ARG_KOID, 5);
	ASSERT_EQ(0, fxt_writer_process(w, 5, "five"));
	ASSERT_EQ(0, fxt_writer_record(w, RECORD(.kind = FXT_KIND_USERSPACE_OBJECT,
			.object = 80, .thread = { .process = 5 }, .name = TEXT("its own"))));
	ASSERT_EQ(0, fxt_writer_record(w, RECORD(.kind = FXT_KIND_KERNEL_OBJECT,
			.object = 80, .object_type = 17, .name = TEXT("job"), .arg_count = 2,
			.args = { ARG("owner", KOID, 5), ARG("at", POINTER, 80) })));
	ASSERT_EQ(0, fxt_writer_close(w));
	convert_both(_metadata, self, 0);
	EXPECT_SQL(17, REFERRED("object.type", 1000) "object.name = 'job' AND koid = 80 AND "
		       "pointer IS NULL AND upid IS NULL");
	EXPECT_SQL(-1, REFERRED("koid", 2000) "object.name IS NULL AND object.type IS NULL");
	EXPECT_SQL(1, REFERRED("object.type", 3000) "object.name = 'five'");
	EXPECT_SQL(5, "SELECT r.koid FROM object o JOIN args a USING (arg_set_id) JOIN object r "
		      "ON r.id = a.object_id WHERE o.name = 'job' AND a.key = 'owner' AND "
		      "r.name = 'five'");
	/* A pointer in a kernel object's record belongs to no process. */
	EXPECT_SQL(1, "SELECT count(*) FROM args WHERE key = 'at' AND int_value = 80 AND "
		      "object_id IS NULL");
	EXPECT_SQL(4, "SELECT count(*) FROM object");
}

/* A process and its main thread stay apart, in whatever order they come. */
TEST_F(tables, same_koid)
{
	struct fxt_writer *w = begin(self);

	ASSERT_NE(NULL, w);
	put_seven(_metadata, w);
	ASSERT_EQ(0, fxt_writer_process(w, 7, "its process"));
	put_argument(_metadata, w, 1, 5, FXT_ARG_KOID, 7);
	ASSERT_EQ(0, fxt_writer_record(w, RECORD(.kind = FXT_KIND_KERNEL_OBJECT, .object = 5,
			.object_type = FXT_OBJECT_THREAD, .name = TEXT("main"), .arg_count = 1,
			.args = { ARG("process", KOID, 5) })));
	ASSERT_EQ(0, fxt_writer_process(w, 5, "five"));
	put_argument(_metadata, w, 2, 5, FXT_ARG_KOID, 5);
	ASSERT_EQ(0, fxt_writer_close(w));
	convert_both(_metadata, self, 0);
	EXPECT_SQL(2, REFERRED("object.type", 1000) "object.name = 'seven'");
	EXPECT_SQL(2, REFERRED("object.type", 2000) "object.name = 'main'");
	EXPECT_SQL(2, "SELECT count(*) FROM object o JOIN args a USING (arg_set_id) JOIN object r "
		      "ON r.id = a.object_id WHERE o.name IN ('seven', 'main') AND r.type = 1 AND "
		      "r.name = 'five'");
	EXPECT_SQL(4, "SELECT count(*) FROM object");
}

/* --- BLOBs --------------------------------------------------------------------------- */

static void put_blob(struct __test_metadata *_metadata, struct fxt_writer *w,
		     struct fxt_text name, const char *data)
{
	ASSERT_EQ(0, fxt_writer_record(w, RECORD(.kind = FXT_KIND_BLOB, .name = name,
			.blob = { data, strlen(data) }, .blob_held = strlen(data),
			.blob_type = FXT_BLOB_LAST_BRANCH)));
}

#define DATA	"blob JOIN blob_data ON blob_id = blob.id "

/* BLOBs of one name are one stream, whatever records lie between them. */
TEST_F(tables, blobs)
{
	struct fxt_writer *w = begin(self);

	ASSERT_NE(NULL, w);
	put_blob(_metadata, w, (struct fxt_text)TEXT("a"), "one");
	put_blob(_metadata, w, (struct fxt_text)TEXT("b"), "other");
	put_blob(_metadata, w, (struct fxt_text)TEXT("a"), "");
	put_blob(_metadata, w, (struct fxt_text)TEXT("a"), "two");
	ASSERT_EQ(0, fxt_writer_close(w));
	convert_both(_metadata, self, 0);
	EXPECT_SQL(4, "SELECT count(*) FROM blob WHERE kind = 'blob' AND type = 2 AND "
		      "ts IS NULL AND utid IS NULL AND category IS NULL");
	EXPECT_SQL(3, "SELECT blob.offset FROM " DATA "WHERE name = 'a' AND size = 3 AND "
		      "data = CAST('two' AS BLOB)");
	EXPECT_SQL(0, "SELECT blob.offset FROM " DATA "WHERE name = 'a' AND "
		      "data = CAST('one' AS BLOB)");
	EXPECT_SQL(0, "SELECT blob.offset FROM blob WHERE name = 'b' AND size = 5");
	EXPECT_SQL(3, "SELECT count(*) FROM blob_data WHERE typeof(data) = 'blob'");
	EXPECT_SQL(1, "SELECT group_concat(hex(data), '') = hex('onetwo') FROM (SELECT data FROM "
		      DATA "WHERE name = 'a' ORDER BY blob_data.id)");
}

static void put_large(struct __test_metadata *_metadata, struct fxt_writer *w,
		      const struct fxt_content *c, const char *data, uint64_t bytes)
{
	struct fxt_content with = *c;

	with.blob = (struct fxt_bytes){ data, bytes };
	with.blob_held = bytes;
	ASSERT_EQ(0, fxt_writer_record(w, &with));
}

/* Do the rows of a query hold exactly these bytes, one row after the other? */
static bool holds(FIXTURE_DATA(tables) *self, const char *query, const char *data, size_t bytes)
{
	sqlite3_stmt *s = NULL;
	bool same = true;
	size_t n = 0, piece;

	if (sqlite3_prepare_v2(self->db, query, -1, &s, NULL) != SQLITE_OK)
		return false;
	for (; same && sqlite3_step(s) == SQLITE_ROW; n += piece) {
		piece = sqlite3_column_bytes(s, 0);
		same = n + piece <= bytes && !memcmp(sqlite3_column_blob(s, 0), data + n, piece);
	}
	sqlite3_finalize(s);
	return same && n == bytes;
}

/* The BLOB is larger than what the reader holds in memory at once. */
TEST_F(tables, large_blobs)
{
	static char data[3 * 1000 * 1000 + 5];
	struct fxt_writer *w = begin(self);

	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = i * 2654435761U >> 16;
	ASSERT_NE(NULL, w);
	put_large(_metadata, w, RECORD(.kind = FXT_KIND_LARGE_BLOB, .time = 9,
			.thread = { 5, 7, 0 }, .category = TEXT("c"), .name = TEXT("large"),
			.arg_count = 1, .args = { ARG("of", KOID, 7) }), data, sizeof(data));
	put_large(_metadata, w, RECORD(.kind = FXT_KIND_LARGE_BLOB_BARE,
			.category = TEXT("c,d"), .name = TEXT("large")), data, 1000);
	put_seven(_metadata, w);
	ASSERT_EQ(0, fxt_writer_close(w));
	convert_both(_metadata, self, 0);
	EXPECT_SQL(sizeof(data), "SELECT size FROM blob JOIN thread USING (utid) WHERE kind = "
		   "'large_blob' AND ts = 9000 AND tid = 7 AND category = 'c' AND "
		   "blob.name = 'large' AND type IS NULL AND offset = 0");
	EXPECT_SQL(1000, "SELECT size FROM blob WHERE kind = 'large_blob_no_metadata' AND ts IS "
			 "NULL AND utid IS NULL AND category = 'c,d' AND name = 'large' AND "
			 "offset = 0");
	EXPECT_SQL(1, "SELECT count(*) FROM blob b JOIN args USING (arg_set_id) JOIN object o ON "
		      "o.id = object_id WHERE o.name = 'seven' AND b.ts = 9000");
	EXPECT_TRUE(holds(self, "SELECT data FROM blob_data WHERE blob_id = 1 ORDER BY id", data,
			  sizeof(data)));
	EXPECT_TRUE(holds(self, "SELECT data FROM blob_data WHERE blob_id = 2 ORDER BY id", data,
			  1000));
	EXPECT_SQL(0, "SELECT count(*) FROM (SELECT offset, sum(length(data)) OVER (PARTITION BY "
		      "blob_id ORDER BY id) - length(data) AS before FROM blob_data) WHERE "
		      "offset <> before");
}

/* --- every kind ------------------------------------------------------------------------ */

static void every_kind(struct __test_metadata *_metadata, FIXTURE_DATA(tables) *self,
		       unsigned int flags)
{
	static const char * const tables[][2] = {
		{ "log", "'log'" }, { "module", "'module'" }, { "mmap", "'mmap'" },
		{ "backtrace", "'backtrace'" },
		{ "object WHERE name IS NOT NULL", "'kernel_object', 'userspace_object'" },
		{ "blob", "'blob', 'large_blob', 'large_blob_no_metadata'" },
	};
	char query[512];

	ASSERT_EQ(0, generate_all(fileno(self->f), flags));
	convert_both(_metadata, self, 0);
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		snprintf(query, sizeof(query), "SELECT (SELECT count(*) FROM %s) - sum(value) FROM "
			 "stats WHERE name = 'fxt_records_of_kind' AND description IN (%s)",
			 tables[i][0], tables[i][1]);
		EXPECT_SQL(0, query);
	}
	EXPECT_SQL(0, "SELECT (SELECT sum(size) FROM blob) - (SELECT sum(length(data)) FROM "
		      "blob_data)");
	EXPECT_SQL(0, "SELECT count(*) FROM args WHERE object_id NOT IN (SELECT id FROM object)");
	EXPECT_SQL(0, "SELECT count(*) FROM args a JOIN object o ON o.id = a.object_id WHERE "
		      "int_value <> CASE value_type WHEN 'uint' THEN koid ELSE pointer END");
	EXPECT_LT(0, ask(self, "SELECT count(*) FROM args WHERE object_id"));
	EXPECT_SQL(0, "SELECT count(*) FROM stats WHERE name LIKE '%left_out' AND value");
}

TEST_F(tables, every_kind)
{
	every_kind(_metadata, self, 0);
}

TEST_F(tables, every_kind_swapped)
{
	every_kind(_metadata, self, GENERATE_SWAPPED);
}

/* A mark begins and ends a row. A run that is open at the end of the archive has no end. */
TEST_F(tables, marks)
{
	__u64 mark[FXT_SCHED_SWITCH_WORDS];

	put_preamble(self->f);
	fxt_sched_put_mark(mark, 100, 0, FXT_STR_BEGIN, 10, 1024);
	ASSERT_EQ(1U, fwrite(mark, sizeof(mark), 1, self->f));
	put_switch(self->f, 200, 1, 0, 20, fxt_sched_state(0, 0, 0));
	fxt_sched_put_mark(mark, 300, 0, FXT_STR_END, 10, 1024);
	ASSERT_EQ(1U, fwrite(mark, sizeof(mark), 1, self->f));
	convert_both(_metadata, self, 0);
	EXPECT_SQL(200, "SELECT dur FROM sched JOIN thread USING (utid) WHERE tid = 10 AND ts = 100");
	EXPECT_SQL(200, "SELECT dur FROM thread_state JOIN thread USING (utid) WHERE tid = 10");
	EXPECT_SQL(-1, "SELECT dur FROM sched JOIN thread USING (utid) WHERE tid = 20");
	EXPECT_SQL(2, "SELECT count(*) FROM sched");
}
