// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html.c - see html.h.
 *
 * The page is page/report.html with the style, the scripts and the data at its
 * placeholders. All but the style is in blocks that are packed as spool.h says. The data of the
 * timeline comes last: it is most of a large page, and a browser shows the rest while it still
 * loads:
 *
 *  fxt-report    JSON, as report/json/json.c has it, without the histograms of rows
 *  fxt-tables    JSON, of which page/tables.js makes the sections of the page: a list of key (of
 *    the table), path (where the report has its rows: keys with dots between) or objects (its rows:
 *    list of key, where the report has it, and title, which replaces it), title, hint (or null),
 *    link ("thread", "name", "wait" or null: what a click on a row shows), always (it is there even
 *    without rows), columns: list of key (likewise, in a row), title and type (in TYPES of
 *    page/tables.js)
 *  fxt-scripts   the scripts, one after the other, which page/unpack.js runs
 *  fxt-timeline  JSON: origin_ns, epoch_ns (ns since 1970 at time 0; 0: unknown),
 *    begin_ns (what ends before is left out; 0: nothing), most (slices and events at most),
 *    cut_ns (where the timeline ends, because the rest would be too much; 0: nowhere), spans, waits,
 *    losses, slices, moments and counters (numbers of them), cpus (those shown), nodes and caches
 *    (of each of these CPUs the number of its group of CPUs that share one, from 1; 0: unknown;
 *    empty if all are), sources (of slices and moments: [kind, name, number], null if there are
 *    none of it), signal_results (words for what becomes of a signal, by number; only with
 *    signals), threads (by number: [tid, process, name, is it shown, nth of the tid, nth of
 *    the process, and if known, number of the process or null, CPUs that it may run on], null
 *    without activity), processes (by number, those with a known parent, and their ancestors:
 *    [pid, name, number of the parent], or [pid, name, null, pid of the parent] if the archive
 *    does not have it; else null), cgroups (paths, as the report
 *    sorts them), cgroup_of (number of a thread, number of its cgroup, and so on; one that cgroups
 *    lacks is unknown), ksoftirqd (CPU, number of its ksoftirqd, which may be beyond threads,
 *    and so on; only if the page has a column hit), gaps (from, to: ns after origin_ns, and so on: records are missing), stack_events (number of them), functions (by
 *    number: [name,
 *    is it the kernel's]), stacks (by number: numbers of functions, innermost first, or null)
 *  fxt-column-*  columns of numbers. Spans, in the order of their end:
 *    what    of each: the place of its kind (the five below) among the last 4 kinds that followed
 *            the last one of this CPU, or of all CPUs where they had none, the newest at 0. Or 5:
 *            it is of a new kind; 6 and more: of the newest kind but 0, or but so many
 *    cpu     of each: 1 + CPU; 0: none. Only where the kind at 0 for the CPU of the span before (at
 *            first 0) does not exist or has a relation of 1 or 2. Else it is that CPU, unless what
 *            has a 4 before
 *    thread  of each new kind: the number of the thread
 *    state   likewise: the letter, as in sched/types.h
 *    waker   likewise: 5 + number of the thread; 1 hard, 2 soft: an interrupt; 3: an NMI; 4: an
 *            idle CPU; 0: not known. Only of state R
 *    relation likewise, the sum of: 1: the span ends after the one before, 2: before that; 4: it
 *            does not begin where the last span of its thread ends (first: at origin_ns); 8: no
 *            switch began it. Idle threads are one thread for each CPU
 *    end     of those that end at another time than the span before: the distance to it
 *    gap     of those that begin elsewhere: since the end of the thread's last span; signed
 *            What and end are three columns each: for the first byte of a number, the second, and
 *            the rest
 *    hit     of each of state R with a waker of 2: 1 + number of the thread that the soft interrupt
 *            hit; 0: unknown or idle. Only if that may prove who raised it
 *    waits   of each that is not one part, for the CPU on which the thread ran next: number of the
 *            thread, begin since that of the one before (the first since origin_ns; signed), number
 *            of parts, and of each its duration, 1 + CPU (0: not known) and 0: others had it, 1: the
 *            thread was throttled, with the number of the source, 2: records are missing,
 *            3: its scheduling class might not run
 *    slices  of each, in the order of their end: end since that of the one before (the first
 *            since origin_ns; signed), duration, number of its source, CPU, and of work items
 *            and system calls 1 + number of the thread, else 0
 *    moments of each, in the order of time: time since that of the one before (the first since
 *            origin_ns; signed), kind, CPU, number of the thread, and two values: of an exit
 *            code and signal; of a priority or CPU the one before and after; of interrupted
 *            CPUs 1 + the CPU, or 0, how many, and the number of the source; of a signal that is
 *            sent its number + 256 * its result + 65536 if an interrupt sends it, and the number
 *            of the thread that gets it; of one that is taken its number, and whether the program
 *            handles it
 *    counters  values of CPUs: time since that of the one before (likewise), kind, CPU, value
 *    stacks  in the order of time: time since that of the one before (likewise), number of the
 *            thread, and twice the number of the stack, plus 1 if the thread was switched in,
 *            else it is what woke the thread next
 *    losses  of each: CPU, begin since that of the one before (the first since
 *            origin_ns; signed), duration, records
 *
 * All times are ns. Names of the archive occur only inside JSON.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "html.h"
#include "report/json/json.h"
#include "report/tables/tables.h"
#include "table/json.h"

/* --- files of the page ------------------------------------------------------------------- */

/*
 * The files are those of collector/fxt/report/html/page/, included in the program unchanged. The
 * assembler reads them by their paths from the top folder, also in a cross build.
 */
/* In the order of the page. */
#define HTML_SCRIPTS(X)								\
	X(format) X(clock) X(data) X(spans) X(tracks) X(colours) X(paint) X(series) X(events)	\
	X(cpus) X(rows) X(account) X(marks) X(timeline) X(tooltip) X(input) X(charts) X(tables)	\
	X(family) X(stacks) X(details) X(range) X(why) X(links) X(share) X(layout) X(blame)	\
	X(main)

/** struct html_part - one file */
struct html_part {
	const char *begin;
	const char *end;
};

#define PART(name, extension)							\
	extern const char page_##name##_##extension##_begin[];			\
	extern const char page_##name##_##extension##_end[];			\
	__asm__(".pushsection .rodata\n"					\
		"page_" #name "_" #extension "_begin:\n"				\
		".incbin \"collector/fxt/report/html/page/" #name "." #extension "\"\n"	\
		"page_" #name "_" #extension "_end:\n"					\
		".popsection\n");						\
	static const struct html_part html_##name##_##extension = {			\
		page_##name##_##extension##_begin, page_##name##_##extension##_end		\
	};

PART(report, html)
PART(report, css)
PART(unpack, js)
#define SCRIPT(name) PART(name, js)
HTML_SCRIPTS(SCRIPT)
#undef SCRIPT

/* --- tables ------------------------------------------------------------------------------ */

#define TITLE_BYTES	64
#define KEY_BYTES	64

static bool is_shown(const struct column *c, const struct report *r)
{
	return column_is_in(c, r) && (!c->is_shown || c->is_shown(r)) &&
	       (c->page || c->type->kind == COLUMN_OF_SAME);
}

static void put_title_text(struct json *j, const char *key, const char *text)
{
	json_key(j, key);
	out_json(j->o, text, strlen(text));
}

/* @of: the title of the object that the column is the first of, or "". */
static void put_column(struct json *j, const struct column *c, const char *path, const char *of)
{
	char title[TITLE_BYTES], key[KEY_BYTES];

	snprintf(title, sizeof(title), "%s%s%s", of, *of ? ": " : "", c->page);
	snprintf(key, sizeof(key), "%s%s", path, c->key);
	json_item(j);
	json_begin(j, '{');
	put_title_text(j, "key", key);
	put_title_text(j, "title", title);
	put_title_text(j, "type", c->type->page);
	json_end(j, '}');
}

/* Names come first, because people begin to read a row there. */
static void put_columns(struct json *j, const struct report *r, const struct column *c,
			const char *path, const char *of, bool are_names)
{
	char key[KEY_BYTES];

	for (; !columns_is_end(c); c++) {
		if (!is_shown(c, r))
			continue;
		if (c->type->kind == COLUMN_OF_SAME) {
			put_columns(j, r, c->of, path, of, are_names);
		} else if (c->type->kind == COLUMN_OF_OBJECT) {
			snprintf(key, sizeof(key), "%s%s.", path, c->key);
			put_columns(j, r, c->of, key, c->page, are_names);
		} else if (c->type->is_name == are_names) {
			put_column(j, c, path, of);
			of = "";
		}
	}
}

/* The objects of which the page makes rows. */
static void put_objects(struct json *j, const struct column *objects)
{
	json_key(j, "objects");
	json_begin(j, '[');
	for (; !columns_is_end(objects); objects++) {
		json_item(j);
		json_begin(j, '{');
		put_title_text(j, "key", objects->key);
		put_title_text(j, "title", objects->page);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void put_table(struct json *j, const struct report *r, const struct table *table)
{
	static const char *const links[] = {
		[TABLE_TO_THREAD] = "thread", [TABLE_TO_NAME] = "name", [TABLE_TO_WAIT] = "wait",
	};
	const char *within = table->within ? table->within : "";
	char key[KEY_BYTES], path[KEY_BYTES];

	snprintf(key, sizeof(key), "%s%s%s", within, *within ? "-" : "", table->key);
	snprintf(path, sizeof(path), "%s%s%s%s%s", within, *within ? "." : "", table->key,
		 table->list ? "." : "", table->list ? table->list : "");
	json_item(j);
	json_begin(j, '{');
	put_title_text(j, "key", key);
	if (table->objects)
		put_objects(j, table->objects);
	else
		put_title_text(j, "path", path);
	put_title_text(j, "title", table->page);
	json_text(j, "hint", table->hint);
	json_text(j, "link", links[table->link]);
	json_boolean(j, "always", table->is_always);
	json_key(j, "columns");
	json_begin(j, '[');
	put_columns(j, r, table->columns, "", "", true);
	put_columns(j, r, table->columns, "", "", false);
	json_end(j, ']');
	json_end(j, '}');
}

static void print_tables(struct out *o, const struct report *r)
{
	struct json j = { .o = o };
	const struct table *const *table;

	json_begin(&j, '[');
	for (table = tables_in_page; *table; table++)
		if (!(*table)->is_in || (*table)->is_in(r))
			put_table(&j, r, *table);
	json_end(&j, ']');
}

/* --- losses ------------------------------------------------------------------------------ */

static int take_gap(void *arg, const struct sched_gap *gap)
{
	struct report_html *h = arg;
	struct spool *s = &h->columns[HTML_LOSSES];

	html_begin_at(h, gap->from);
	spool_u64(s, gap->cpu);
	spool_i64(s, gap->from - h->loss);
	spool_u64(s, gap->to > gap->from ? gap->to - gap->from : 0);
	spool_u64(s, gap->records);
	h->loss = gap->from;
	h->losses++;
	return 0;
}

/* --- the page ------------------------------------------------------------------------- */

/* Fields of a thread that few threads or recordings have. */
static void print_origin(const struct report_html *h, struct out *o,
			 const struct sched_thread *t)
{
	bool has_process = html_has_process(h, t->owner);

	if (!has_process && !t->cpus)
		return;
	out_char(o, ',');
	if (has_process)
		out_u64(o, t->owner->id);
	else
		out_str(o, "null");
	if (!t->cpus)
		return;
	out_char(o, ',');
	out_json(o, t->cpus, strlen(t->cpus));
}

static void print_thread(const struct report_html *h, struct out *o,
			 const struct html_thread *t)
{
	if (!t->sched) {
		out_str(o, "null");
		return;
	}
	out_char(o, '[');
	out_json_u64(o, t->sched->koid);
	out_char(o, ',');
	out_json_u64(o, t->sched->process);
	out_char(o, ',');
	out_json(o, t->sched->name, strlen(t->sched->name));
	out_str(o, t->is_shown ? ",true," : ",false,");
	out_json_u64(o, t->sched->nth);
	out_char(o, ',');
	out_json_u64(o, t->sched->owner ? t->sched->owner->nth : 0);
	print_origin(h, o, t->sched);
	out_char(o, ']');
}

/* The number of a thread's cgroup in the report's list; its length if it has none. */
static size_t cgroup_number(const struct report *r, const struct report_thread *t)
{
	const char *path = engine_cgroup(t);
	size_t i;

	for (i = 0; i < r->cgroup_count; i++)
		if (!strcmp(r->cgroups[i]->name, path))
			break;
	return i;
}

static void print_cgroups(struct out *o, const struct report *r)
{
	size_t i;

	out_str(o, ",\"cgroups\":[");
	for (i = 0; i < r->cgroup_count; i++) {
		out_str(o, i ? "," : "");
		out_json(o, r->cgroups[i]->name, strlen(r->cgroups[i]->name));
	}
	out_str(o, "],\"cgroup_of\":[");
	for (i = 0; r->cgroup_count && i < r->thread_count; i++) {
		out_str(o, i ? "," : "");
		out_u64(o, r->threads[i]->sched->id);
		out_char(o, ',');
		out_u64(o, cgroup_number(r, r->threads[i]));
	}
	out_char(o, ']');
}

/* Print the group of each CPU, from 1; 0: unknown. */
static void print_shares(struct out *o, const struct report *r, const char *name,
			 enum sched_share share)
{
	uint16_t cpu;
	size_t i;

	out_printf(o, "],\"%s\":[", name);
	for (i = 0; r->topology && i < r->cpu_count; i++) {
		cpu = r->cpus[i]->number;
		out_str(o, i ? "," : "");
		out_u64(o, cpu < SCHED_TOPOLOGY_CPUS ? r->topology->groups[share][cpu] :
						       SCHED_SHARE_UNKNOWN);
	}
}

static void print_cpus(struct out *o, const struct report *r)
{
	size_t i;

	out_str(o, ",\"cpus\":[");
	for (i = 0; i < r->cpu_count; i++) {
		out_str(o, i ? "," : "");
		out_u64(o, r->cpus[i]->number);
	}
	print_shares(o, r, "nodes", SCHED_NODE);
	print_shares(o, r, "caches", SCHED_CACHE);
	out_char(o, ']');
}

static int print_timeline(struct report_html *h, struct out *o, const struct report *r)
{
	size_t i;
	int ret;

	for (i = 0; i < r->thread_count; i++)
		if (r->threads[i]->sched->id < h->room)
			h->threads[r->threads[i]->sched->id].is_shown = true;
	out_str(o, "{\"origin_ns\":");
	out_json_u64(o, h->zero);
	out_str(o, ",\"epoch_ns\":");
	out_json_u64(o, r->totals.archive->epoch);
	out_str(o, ",\"begin_ns\":");
	out_json_u64(o, h->begin);
	out_str(o, ",\"most\":");
	out_json_u64(o, h->most);
	out_str(o, ",\"cut_ns\":");
	out_json_u64(o, h->cut);
	out_str(o, ",\"spans\":");
	out_json_u64(o, h->spans);
	out_str(o, ",\"waits\":");
	out_json_u64(o, h->waits);
	out_str(o, ",\"losses\":");
	out_json_u64(o, h->losses);
	html_print_events(h, o);
	print_cpus(o, r);
	out_str(o, ",\"threads\":[");
	for (i = 0; i < h->room; i++) {
		out_str(o, i ? "," : "");
		print_thread(h, o, &h->threads[i]);
	}
	out_char(o, ']');
	html_print_processes(h, o);
	print_cgroups(o, r);
	html_print_ksoftirqd(r, o);
	html_print_gaps(h, o);
	ret = html_print_stacks(h, o, &r->stacks);
	out_char(o, '}');
	return ret;
}

static void begin_data(struct out *o, const char *name)
{
	out_printf(o, "<script type=\"text/plain\" id=\"fxt-%s\">", name);
}

static void end_data(struct out *o)
{
	out_str(o, "</script>\n");
}

static const char *const column_names[] = {
#define COLUMN_NAME(column, name, content) [HTML_##column] = name,
	HTML_COLUMNS(COLUMN_NAME)
};

static int print_columns(struct report_html *h, struct out *o, const struct report *r)
{
	char name[32];
	int i, ret;

	for (i = 0; i < HTML_COLUMN_COUNT; i++) {
		if (i == HTML_HIT && !r->ksoftirqd)
			continue;
		snprintf(name, sizeof(name), "column-%s", column_names[i]);
		begin_data(o, name);
		ret = spool_print(&h->columns[i], o);
		if (ret)
			return ret;
		end_data(o);
	}
	return 0;
}

static int add_text(void *arg, const void *data, size_t bytes)
{
	spool_bytes(arg, data, bytes);
	return 0;
}

/* Begin a text that end_packed() prints as a block of the page. Return: 0 or a negative errno */
static int begin_packed(struct report_html *h, struct out *text)
{
	int ret = spool_open(&h->text, SPOOL_TEXT);

	out_open_sink(text, add_text, &h->text);
	out_in_html(text);
	return ret;
}

static int end_packed(struct report_html *h, struct out *text, struct out *o, const char *name)
{
	int ret = out_close(text);

	if (!ret)
		ret = spool_end(&h->text);
	if (ret)
		return ret;
	begin_data(o, name);
	ret = spool_print(&h->text, o);
	end_data(o);
	spool_close(&h->text);
	return ret;
}

static void print_part(struct out *o, const struct html_part *part)
{
	out_bytes(o, part->begin, part->end - part->begin);
}

/* Print the scripts as a block, and after it the script that unpacks them. */
static int print_scripts(struct report_html *h, struct out *text, struct out *o)
{
	static const struct html_part *const scripts[] = {
#define SCRIPT(name) &html_##name##_js,
		HTML_SCRIPTS(SCRIPT)
	};
	int ret = begin_packed(h, text);
	size_t i;

	if (ret)
		return ret;
	for (i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++)
		print_part(text, scripts[i]);
	ret = end_packed(h, text, o, "scripts");
	out_str(o, "<script>\n");
	print_part(o, &html_unpack_js);
	out_str(o, "</script>\n");
	return ret;
}

/* Print up to @mark, which must exist, and set @at to what follows it. */
static void print_until(struct out *o, const char **at, const char *mark)
{
	const char *end = html_report_html.end;
	const char *to = memmem(*at, end - *at, mark, strlen(mark));

	out_bytes(o, *at, to - *at);
	*at = to + strlen(mark);
}

static int print_report(struct report_html *h, struct out *text, struct out *o, const char *path,
			const struct report *r, const struct report_options *options, size_t top)
{
	int ret = begin_packed(h, text);

	if (ret)
		return ret;
	report_print_json(text, path, r, options, top);
	ret = end_packed(h, text, o, "report");
	if (!ret)
		ret = begin_packed(h, text);
	if (ret)
		return ret;
	print_tables(text, r);
	return end_packed(h, text, o, "tables");
}

static int print_data(struct report_html *h, struct out *text, struct out *o, const struct report *r)
{
	int ret = begin_packed(h, text), end;

	if (ret)
		return ret;
	ret = print_timeline(h, text, r);
	end = end_packed(h, text, o, "timeline");
	ret = ret ? ret : end;
	return ret ? ret : print_columns(h, o, r);
}

int report_html_print(struct report_html *h, struct out *o, const char *path,
		      const struct report *r, const struct report_options *options,
		      size_t top)
{
	const char *at = html_report_html.begin;
	static struct out text;
	int ret;

	ret = html_note_processes(h);
	if (ret)
		return ret;
	out_in_html(o);
	print_until(o, &at, "@STYLE@");
	print_part(o, &html_report_css);
	print_until(o, &at, "@REPORT@");
	ret = print_report(h, &text, o, path, r, options, top);
	if (ret)
		return ret;
	print_until(o, &at, "@SCRIPTS@");
	ret = print_scripts(h, &text, o);
	if (ret)
		return ret;
	print_until(o, &at, "@TIMELINE@");
	ret = print_data(h, &text, o, r);
	if (ret)
		return ret;
	out_bytes(o, at, html_report_html.end - at);
	return 0;
}

/* --- the whole page ------------------------------------------------------------------------ */

int report_html_open(struct report_html **out, uint64_t begin, uint64_t most)
{
	static const enum spool_content contents[] = {
#define COLUMN_CONTENT(column, name, content) [HTML_##column] = SPOOL_##content,
		HTML_COLUMNS(COLUMN_CONTENT)
	};
	struct report_html *h = calloc(1, sizeof(*h));
	int i, ret = 0;

	*out = h;
	if (!h)
		return -ENOMEM;
	h->begin = begin;
	h->most = most;
	h->watch = (struct report_watch){
		.span = html_take_span,
		.sight = html_take_sight,
		.gap = take_gap,
		.slice = html_take_slice,
		.moment = html_take_moment,
		.move = html_take_move,
		.frequency = html_take_frequency,
		.arg = h,
	};
	for (i = 0; i < HTML_COLUMN_COUNT && !ret; i++)
		ret = spool_open(&h->columns[i], contents[i]);
	return ret;
}

const struct report_watch *report_html_watch(struct report_html *h)
{
	return &h->watch;
}

int report_html_end(struct report_html *h, const struct history *history)
{
	int ret = html_take_waits(h, history), i;

	for (i = 0; i < HTML_COLUMN_COUNT && !ret; i++)
		ret = spool_end(&h->columns[i]);
	return ret;
}

void report_html_close(struct report_html *h)
{
	int i;

	if (!h)
		return;
	for (i = 0; i < HTML_COLUMN_COUNT; i++)
		spool_close(&h->columns[i]);
	html_free_spans(h);
	spool_close(&h->text);
	free(h->origins);
	free(h->stacks);
	free(h->processes);
	free(h->threads);
	free(h->seen);
	free(h);
}
