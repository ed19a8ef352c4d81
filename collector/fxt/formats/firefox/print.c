// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * print.c - the JSON of a profile of Firefox.
 *
 * In: the database that profile.sql has made.
 * Out: JSON. A table of the profile is an object with an array per column.
 */
#include <stdio.h>

#include "terminal/memory.h"
#include "firefox.h"

enum value { PLAIN, MILLISECONDS, BOOLEAN, JSON };

struct column {
	const char *key;
	const char *value;	/* of a row, as SQL */
	enum value kind;
};

#define VALUE(key, value)	{ key, value, PLAIN }
#define TIME(key, value)	{ key, value, MILLISECONDS }
#define FLAG(key, value)	{ key, value, BOOLEAN }

#define COLUMNS	12

/* A table of the profile; an empty column ends @columns. */
struct printed {
	const char *from;
	struct column columns[COLUMNS];
	sqlite3_stmt *statements[COLUMNS];
};

sqlite3_stmt *firefox_prepare(struct profile *p, const char *sql)
{
	sqlite3_stmt *s = NULL;

	if (sqlite3_prepare_v2(p->d.db, sql, -1, &s, NULL) != SQLITE_OK)
		database_fail(&p->d);
	return s;
}

bool firefox_next(struct profile *p, sqlite3_stmt *s)
{
	int ret = s ? sqlite3_step(s) : SQLITE_DONE;

	if (ret != SQLITE_ROW && ret != SQLITE_DONE)
		database_fail(&p->d);
	return ret == SQLITE_ROW;
}

/* --- values -------------------------------------------------------------------------------- */

static void print_milliseconds(struct out *o, sqlite3_int64 ns)
{
	char *to = out_room(o, 2 * OUT_NUMBER + 2);
	uint64_t value = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

	if (ns < 0)
		*to++ = '-';
	to = out_u64_at(to, value / 1000000);
	if (value % 1000000) {
		*to++ = '.';
		to = out_u64_wide_at(to, value % 1000000, 6);
	}
	out_put(o, to);
}

static void print_text(struct out *o, sqlite3_stmt *s, int i, enum value kind)
{
	const char *text = (const char *)sqlite3_column_text(s, i);
	size_t length = sqlite3_column_bytes(s, i);

	if (!text)
		memory_ran_out();
	if (kind == JSON)
		out_json_value(o, text, length);
	else
		out_json(o, text, length);
}

/* Print a value of the statement's current row. */
static void print_value(struct out *o, sqlite3_stmt *s, int i, enum value kind)
{
	switch (sqlite3_column_type(s, i)) {
	case SQLITE_NULL:
		out_str(o, "null");
		break;
	case SQLITE_INTEGER:
		if (kind == MILLISECONDS)
			print_milliseconds(o, sqlite3_column_int64(s, i));
		else if (kind == BOOLEAN)
			out_str(o, sqlite3_column_int64(s, i) ? "true" : "false");
		else
			out_json_i64(o, sqlite3_column_int64(s, i));
		break;
	case SQLITE_FLOAT:
		out_json_double(o, sqlite3_column_double(s, i));
		break;
	default:
		print_text(o, s, i, kind);
	}
}

static void print_column(struct profile *p, const char *key, sqlite3_stmt *s, enum value kind)
{
	json_array(&p->j, key);
	while (firefox_next(p, s)) {
		json_item(&p->j);
		print_value(p->j.o, s, 0, kind);
	}
	json_end(&p->j, ']');
}

static void print_list(struct profile *p, const char *key, const char *query, enum value kind)
{
	sqlite3_stmt *s = firefox_prepare(p, query);

	print_column(p, key, s, kind);
	sqlite3_finalize(s);
}

static void prepare_columns(struct profile *p, struct printed *t)
{
	char query[512];
	int i;

	for (i = 0; t->columns[i].key; i++) {
		snprintf(query, sizeof(query), "SELECT %s FROM %s", t->columns[i].value, t->from);
		t->statements[i] = firefox_prepare(p, query);
	}
}

static void print_rows(struct profile *p, struct printed *t, sqlite3_int64 first,
		       sqlite3_int64 last)
{
	int i;

	for (i = 0; t->columns[i].key; i++) {
		sqlite3_bind_int64(t->statements[i], 1, first);
		sqlite3_bind_int64(t->statements[i], 2, last);
		print_column(p, t->columns[i].key, t->statements[i], t->columns[i].kind);
		sqlite3_reset(t->statements[i]);
	}
	json_number(&p->j, "length", last + 1 - first);
}

static void free_columns(struct printed *t)
{
	int i;

	for (i = 0; t->columns[i].key; i++)
		sqlite3_finalize(t->statements[i]);
}

/* Print a member of an object: the only result of a query. */
static void print_member(struct profile *p, const char *key, const char *query, enum value kind)
{
	sqlite3_stmt *s = firefox_prepare(p, query);

	json_key(&p->j, key);
	if (firefox_next(p, s))
		print_value(p->j.o, s, 0, kind);
	else
		out_str(p->j.o, "null");
	sqlite3_finalize(s);
}

/* --- the parts of a profile -------------------------------------------------------------------- */

#define OF_STRING(text)	"(SELECT n - 1 FROM string WHERE text = " text ")"

/* Whole tables, which all threads share. */
static const struct {
	const char *key;
	struct printed table;
} shared[] = {
	{ "stackTable", { .from = "stack ORDER BY n", .columns = {
		VALUE("frame", "function - 1"), VALUE("prefix", "prefix - 1") } } },
	/* A frame has no address, so each function has one. */
	{ "frameTable", { .from = "function f ORDER BY n", .columns = {
		VALUE("address", "-1"), VALUE("inlineDepth", "0"),
		VALUE("category", "(SELECT n - 1 FROM category c WHERE c.name = f.category)"),
		VALUE("subcategory", "0"), VALUE("func", "n - 1"), VALUE("nativeSymbol", "NULL"),
		VALUE("innerWindowID", "NULL"), VALUE("line", "NULL"), VALUE("column", "NULL") } } },
	{ "funcTable", { .from = "function f ORDER BY n", .columns = {
		VALUE("name", OF_STRING("f.name")), FLAG("isJS", "0"),
		FLAG("relevantForJS", "0"),
		VALUE("resource", "coalesce((SELECT n - 1 FROM library l WHERE l.name = f.library), -1)"),
		VALUE("source", "NULL"), VALUE("lineNumber", "NULL"), VALUE("columnNumber", "NULL") } } },
	{ "resourceTable", { .from = "library l ORDER BY n", .columns = {
		VALUE("lib", "NULL"), VALUE("name", OF_STRING("l.name")), VALUE("host", "NULL"),
		VALUE("type", "1") } } },
	{ "nativeSymbols", { .from = "(SELECT 0 WHERE 0)", .columns = {
		VALUE("libIndex", "0"), VALUE("address", "0"), VALUE("name", "0"), VALUE("functionSize", "0") } } },
	{ "sources", { .from = "(SELECT 0 WHERE 0)", .columns = { VALUE("id", "0"), VALUE("filename", "0") } } },
};

static void print_shared_table(struct profile *p, const char *key, const struct printed *table)
{
	struct printed t = *table;
	sqlite3_stmt *s;
	char query[512];
	int i;

	snprintf(query, sizeof(query), "SELECT count(*) FROM %s", t.from);
	s = firefox_prepare(p, query);
	json_object(&p->j, key);
	prepare_columns(p, &t);
	for (i = 0; t.columns[i].key; i++)
		print_column(p, t.columns[i].key, t.statements[i], t.columns[i].kind);
	free_columns(&t);
	json_number(&p->j, "length", firefox_next(p, s) ? sqlite3_column_int64(s, 0) : 0);
	json_end(&p->j, '}');
	sqlite3_finalize(s);
}

static void print_shared(struct profile *p)
{
	size_t i;

	json_object(&p->j, "shared");
	for (i = 0; i < sizeof(shared) / sizeof(shared[0]); i++)
		print_shared_table(p, shared[i].key, &shared[i].table);
	print_list(p, "stringArray", "SELECT text FROM string ORDER BY n", PLAIN);
	json_end(&p->j, '}');
}

static struct printed samples = { .from = "sample WHERE n BETWEEN ?1 AND ?2", .columns = {
	TIME("time", "ts"), VALUE("stack", "stack - 1"),
	TIME("weight", "weight"), VALUE("threadCPUDelta", "cpu"),
} };

/* Phases: 0 is an instant, 1 has both ends, 2 only a begin. */
static struct printed markers = { .from = "marker m WHERE n BETWEEN ?1 AND ?2", .columns = {
	TIME("startTime", "ts"), TIME("endTime", "end"),
	VALUE("phase", "iif(end ISNULL, 2, end > ts)"), VALUE("name", OF_STRING("m.name")),
	VALUE("category", "(SELECT n - 1 FROM category c WHERE c.name = m.category)"),
	{ "data", "data", JSON },
} };

static void print_samples(struct profile *p, sqlite3_stmt *thread, int first, int last)
{
	json_object(&p->j, "samples");
	print_rows(p, &samples, sqlite3_column_int64(thread, first),
		   sqlite3_column_int64(thread, last));
	json_string(&p->j, "weightType", "tracing-ms");
	json_end(&p->j, '}');
}

/* Columns of a thread before those of its first and last marker and sample. */
static const struct column of_thread[] = {
	VALUE("name", "name"), VALUE("tid", "tid"), VALUE("pid", "pid"), VALUE("processName", "process"),
	FLAG("isMainThread", "is_main"), TIME("registerTime", "coalesce(start, 0)"),
	TIME("unregisterTime", "t.end"), VALUE("processStartupTime", "0"),
	VALUE("processShutdownTime", "NULL"), VALUE("processType", "'default'"),
	{ "pausedRanges", "'[]'", JSON }, FLAG("showMarkersInTimeline", "1"),
};

#define OF_THREAD	((int)(sizeof(of_thread) / sizeof(of_thread[0])))

static void print_thread(struct profile *p, sqlite3_stmt *thread)
{
	int i;

	json_object(&p->j, NULL);
	for (i = 0; i < OF_THREAD; i++) {
		json_key(&p->j, of_thread[i].key);
		print_value(p->j.o, thread, i, of_thread[i].kind);
	}
	print_samples(p, thread, OF_THREAD + 2, OF_THREAD + 3);
	json_object(&p->j, "markers");
	print_rows(p, &markers, sqlite3_column_int64(thread, OF_THREAD),
		   sqlite3_column_int64(thread, OF_THREAD + 1));
	json_end(&p->j, '}');
	json_end(&p->j, '}');
}

static void print_threads(struct profile *p)
{
	static const char ranges[] =
		"coalesce(m.first, 1), coalesce(m.last, 0), coalesce(s.first, 1), "
		"coalesce(s.last, 0) FROM profile_thread t "
		"LEFT JOIN (SELECT utid, min(n) AS first, max(n) AS last FROM marker GROUP BY utid) m "
		"USING (utid) "
		"LEFT JOIN (SELECT utid, min(n) AS first, max(n) AS last FROM sample GROUP BY utid) s "
		"USING (utid) ORDER BY t.n";
	char query[1024];
	sqlite3_stmt *s;
	int i, n = 0;

	for (i = 0; i < OF_THREAD; i++)
		n += snprintf(query + n, sizeof(query) - n, "%s%s, ", i ? "" : "SELECT ",
			      of_thread[i].value);
	snprintf(query + n, sizeof(query) - n, "%s", ranges);
	s = firefox_prepare(p, query);
	prepare_columns(p, &samples);
	prepare_columns(p, &markers);
	json_array(&p->j, "threads");
	while (firefox_next(p, s))
		print_thread(p, s);
	json_end(&p->j, ']');
	free_columns(&samples);
	free_columns(&markers);
	sqlite3_finalize(s);
}

static const char marker_types[] =
	"[{\"name\":\"Run\",\"tableLabel\":\"cpu {marker.data.cpu}\","
	"\"display\":[\"marker-chart\",\"marker-table\"],"
	"\"fields\":[{\"key\":\"cpu\",\"label\":\"CPU\",\"format\":\"integer\"}]},"
	"{\"name\":\"Wait\",\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],"
	"\"fields\":[{\"key\":\"cpu\",\"label\":\"CPU\",\"format\":\"integer\"},"
	"{\"key\":\"wokenBy\",\"label\":\"Woken by\",\"format\":\"string\"}]},"
	"{\"name\":\"Sleep\",\"display\":[\"marker-chart\",\"marker-table\"],"
	"\"fields\":[{\"key\":\"endedBy\",\"label\":\"Ended by\",\"format\":\"string\"}]},"
	"{\"name\":\"Event\",\"tableLabel\":\"{marker.data.arguments}\","
	"\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],"
	"\"fields\":[{\"key\":\"category\",\"label\":\"Category\",\"format\":\"string\"},"
	"{\"key\":\"arguments\",\"label\":\"Arguments\",\"format\":\"string\"}]},"
	"{\"name\":\"Counter\",\"tableLabel\":\"{marker.data.value}\","
	"\"display\":[\"marker-chart\",\"marker-table\"],"
	"\"fields\":[{\"key\":\"value\",\"label\":\"Value\",\"format\":\"decimal\"}],"
	"\"graphs\":[{\"key\":\"value\",\"type\":\"line\"}]},"
	"{\"name\":\"Log\",\"tableLabel\":\"{marker.data.message}\","
	"\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],"
	"\"fields\":[{\"key\":\"message\",\"label\":\"Message\",\"format\":\"string\"}]}]";

#define OF_SESSION(key) \
	"SELECT str_value FROM metadata WHERE name = 'fxt_session_" key "' AND str_value NOTNULL"

static const struct column meta[] = {
	VALUE("product", "SELECT coalesce((" OF_SESSION("host") "), 'Linux')"),
		/* The zero of the clock in ns since 1970. */
	TIME("startTime", "SELECT CAST(coalesce((" OF_SESSION("epoch") "), 0) AS INTEGER) + start "
		       "FROM bounds"),
	VALUE("profilingStartTime", "SELECT 0"),
	TIME("profilingEndTime", "SELECT end - start FROM bounds"),
	VALUE("interval", "SELECT coalesce(1000.0 / (" OF_SESSION("stacks_hz") "), 1)"),
	VALUE("processType", "SELECT 0"), VALUE("stackwalk", "SELECT 1"),
	FLAG("debug", "SELECT 0"), VALUE("version", "SELECT 32"),
	VALUE("preprocessedProfileVersion", "SELECT 60"),
	VALUE("platform", "SELECT 'Linux'"), VALUE("oscpu", OF_SESSION("kernel")),
	VALUE("CPUName", OF_SESSION("cpus")), VALUE("arguments", OF_SESSION("invoked")),
	FLAG("symbolicated", "SELECT 1"), FLAG("symbolicationNotSupported", "SELECT 1"),
	FLAG("usesOnlyOneStackType", "SELECT 1"),
	FLAG("sourceCodeIsNotOnSearchfox", "SELECT 1"),
	FLAG("keepProfileThreadOrder", "SELECT 1"),
};

static void print_meta(struct profile *p)
{
	size_t i;

	out_str(&p->o, FIREFOX_HEAD FXT_VERSION "\"");
	p->j.is_more = true;
	for (i = 0; i < sizeof(meta) / sizeof(meta[0]); i++)
		print_member(p, meta[i].key, meta[i].value, meta[i].kind);
	print_list(p, "categories", "SELECT json_object('name', name, 'color', color, "
		   "'subcategories', json_array('Other')) FROM category ORDER BY n", JSON);
	json_key(&p->j, "markerSchema");
	out_str(&p->o, marker_types);
	json_object(&p->j, "sampleUnits");
	json_string(&p->j, "time", "ms");
	json_string(&p->j, "eventDelay", "ms");
	json_string(&p->j, "threadCPUDelta", "ns");
	json_end(&p->j, '}');
	/* Metadata of the recording, and what it or the tables lack. */
	print_list(p, "extra", "SELECT json_object('label', 'Recording', 'entries', "
		   "json_group_array(json_object('label', name, 'format', 'string', 'value', "
		   "coalesce(str_value, printf('%llu', int_value))))) FROM metadata "
		   "UNION ALL SELECT json_object('label', 'Missing', 'entries', "
		   "json_group_array(json_object('label', name, 'format', 'integer', 'value', value))) "
		   "FROM stats WHERE severity <> 'info' AND value > 0 GROUP BY 'all'", JSON);
	json_end(&p->j, '}');
}

void firefox_print(struct profile *p)
{
	print_meta(p);
	json_array(&p->j, "libs");
	json_end(&p->j, ']');
	print_shared(p);
	print_threads(p);
	json_end(&p->j, '}');
	out_char(&p->o, '\n');
}
