// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html.c - see html.h.
 *
 * The page is page/report.html with the style and these blocks at its placeholders. The data of the
 * timeline comes last: it is most of a large page, and a browser shows the rest while it still
 * loads. All blocks are packed as spool.h says:
 *
 *  fxt-report    JSON, as fxt report --json prints it, without the histograms of rows, and with
 *    tables as table/json.h says: keys once. The last value of a process that has one thread is 1 +
 *    the number of the thread's row, whose last value is the same
 *  fxt-report-all  the same of all threads, if the report covers only some; after all other blocks
 *  fxt-tables    JSON, of which page/tables.js makes the sections of the page: a list of key (of
 *    the table), path (where the report has its rows: keys with dots between) or objects (its rows:
 *    list of key, where the report has it, and title, which replaces it), title, hint (or null),
 *    link ("thread", "name", "wait" or null: what a click on a row shows), always (it is there even
 *    without rows), columns: list of key (likewise, in a row), title and type (in TYPES of
 *    page/tables.js)
 *  fxt-tables-all  the same, with fxt-report-all
 *  fxt-scripts   the scripts, one after the other, which page/unpack.js runs
 *  fxt-timeline  JSON, which data.c writes. Threads, processes, sources of events, functions and
 *    stacks are lists by number; null, if nothing has that number
 *  fxt-column-*  columns of numbers. A "difference" is signed, to the one before in the same column,
 *    at first to origin_ns:
 *    state   of each span, in the order of their end: the place of its letter in STATES of
 *            page/data.js, plus what spans.c has of others: three of these replace other columns
 *    end, cpu  of each that does not end at once with the span before: the end (difference), 1 + CPU
 *            (0: none)
 *    gap     of each that does not follow: the time since the end of the thread's last span (signed;
 *            at first since origin_ns; idle threads are one for each CPU)
 *    thread  of each that is not of the next thread of its CPU (at first thread 0): its number
 *    waker   of each span of state R: 5 + number of the thread; 1 hard, 2 soft: an interrupt; 3: an
 *            NMI; 4: an idle CPU; 0: not known
 *    hit     of each of these with 2: 1 + number of the thread that the soft interrupt hit; 0:
 *            unknown or idle
 *    waits   of each that is not one part, for the CPU on which the thread ran next: number of the
 *            thread, begin (difference), 1: it goes on with the thread's last one after a move, or
 *            0, number of parts, and of each its duration, 1 + CPU (0: not known) and 0: others had
 *            it, 1: the thread was throttled, with the number of the source, 2: records are missing,
 *            3: its scheduling class might not run
 *    wakers  of each wakeup whose waker was not running then, or which an interrupt did that the
 *            thread which it hit had raised: number of the thread that was woken, time
 *            (difference), and 2 + the time since the waker left its CPU, or 1: it served the timer
 *            of the sleep, or 0: its time does not explain the sleep
 *    hidden  the time of each switch to a thread that is not known (difference)
 *    losses  of each: CPU, begin (difference), duration, records
 *    event*  of each event: its end (difference), duration, number of its source, CPU, 1 + number of
 *            the thread (0: it is about a CPU), and two signed values: of an exit code and signal;
 *            of a priority or CPU the one before and after; of interrupted CPUs 1 + the CPU, or 0,
 *            and how many; of a signal that is sent its number + 256 * its result + 65536 if an
 *            interrupt sends it, and the number of the thread that gets it; of one that is taken its
 *            number, and whether the program handles it; of a counter of the
 *            kernel its value; of another one the upper and lower half of its value, a double
 *    stacks  in the order of time: time (difference), number of the thread, and twice the number of
 *            the stack, plus 1 if the thread was switched in, else it is what woke the thread next
 *    samples  of threads that run, likewise: time (difference), number of the thread, number of the
 *            stack, and the ns that the sample weighs
 *
 * All times are ns. Names of the archive occur only inside JSON.
 */
#include <stdio.h>
#include <string.h>

#include "data.h"
#include "html.h"
#include "report/json/json.h"
#include "report/tables/tables.h"
#include "table/json.h"
#include "terminal/memory.h"
#include "write/embedded.h"

/* --- files of the page ------------------------------------------------------------------- */

/* In the order of the page. */
#define HTML_SCRIPTS(X)								\
	X(format) X(clock) X(data) X(spans) X(tracks) X(colours) X(paint) X(series) X(events)	\
	X(cpus) X(rows) X(account) X(range) X(marks) X(notes) X(timeline) X(tooltip) X(input) X(search) X(charts) X(tables)	\
	X(stacks) X(details) X(why) X(links) X(share) X(layout) X(blame) X(main)

#define FILE_OF(name, extension)						\
	EMBED_FILE(html_##name##_##extension, "collector/fxt/report/html/page/" #name "." #extension)

FILE_OF(report, html)
FILE_OF(report, css)
FILE_OF(unpack, js)
#define SCRIPT(name) FILE_OF(name, js)
HTML_SCRIPTS(SCRIPT)
#undef SCRIPT

/* Print the page's frame up to @mark, which must exist, and set @at to what follows it. */
static void print_until(struct out *o, const char **at, const char *mark)
{
	const char *to = memmem(*at, html_report_html.end - *at, mark, strlen(mark));

	out_bytes(o, *at, to - *at);
	*at = to + strlen(mark);
}

/* --- tables ------------------------------------------------------------------------------ */

#define TITLE_BYTES	64
#define KEY_BYTES	64

static bool is_shown(const struct column *c, const struct report *r)
{
	return column_is_in(c, r) && (!c->is_shown || c->is_shown(r)) &&
	       ((c->page && c->key) || c->type->kind == COLUMN_OF_SAME);
}

/* @of: the title of the object that the column is the first of, or "". */
static void put_column(struct json *j, const struct column *c, const char *path, const char *of)
{
	char title[TITLE_BYTES], key[KEY_BYTES];

	snprintf(title, sizeof(title), "%s%s%s", of, *of ? ": " : "", c->page);
	snprintf(key, sizeof(key), "%s%s", path, c->key);
	json_object(j, NULL);
	json_string(j, "key", key);
	json_string(j, "title", title);
	json_string(j, "type", c->type->page);
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

/* The objects that become rows of the page. */
static void put_objects(struct json *j, const struct column *objects)
{
	json_array(j, "objects");
	for (; !columns_is_end(objects); objects++) {
		json_object(j, NULL);
		json_string(j, "key", objects->key);
		json_string(j, "title", objects->page);
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
	json_object(j, NULL);
	json_string(j, "key", key);
	if (table->objects)
		put_objects(j, table->objects);
	else
		json_string(j, "path", path);
	json_string(j, "title", table->page ? table->page : table->title);
	json_text(j, "hint", table->hint);
	json_text(j, "link", links[table->link]);
	json_boolean(j, "always", table->is_always);
	json_array(j, "columns");
	put_columns(j, r, table->columns, "", "", true);
	put_columns(j, r, table->columns, "", "", false);
	json_end(j, ']');
	json_end(j, '}');
}

/* --- blocks ------------------------------------------------------------------------------ */

/* What the blocks are made of, as report_html_print() has it. */
struct page {
	struct report_html *h;
	const char *path;
	const struct report *r;		/* becomes that of all threads */
	const struct report_options *options;
	size_t top;
};

static void print_report(struct out *o, const struct page *p)
{
	struct report_process *process;
	size_t i;

	for (i = 0; i < p->r->thread_count && i < p->top; i++) {
		process = p->r->threads[i]->process;
		if (process && process->sum.threads == 1)
			process->twin = i + 1;
	}
	report_print_json(o, p->path, p->r, p->options, p->top);
}

static void print_tables(struct out *o, const struct page *p)
{
	struct json j = { .o = o };
	const struct table *const *table;

	json_begin(&j, '[');
	for (table = tables_in_page; *table; table++)
		if (!(*table)->is_in || (*table)->is_in(p->r))
			put_table(&j, p->r, *table);
	json_end(&j, ']');
}

static void print_scripts(struct out *o, const struct page *p)
{
	static const struct embedded_file *const scripts[] = {
#define SCRIPT(name) &html_##name##_js,
		HTML_SCRIPTS(SCRIPT)
	};
	size_t i;

	(void)p;
	for (i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++)
		out_code(o, scripts[i]);
}

static void print_timeline(struct out *o, const struct page *p)
{
	struct json j = { .o = o };

	json_begin(&j, '{');
	html_put_timeline(p->h, &j, p->r);
	if (p->h->slices)
		html_put_tracks(p->h, &j);
	else
		html_put_threads(p->h, &j, p->r);
	json_boolean(&j, "hasAllCpus", !p->options->filter.by_cpu && !p->r->totals.filtered);
	json_array(&j, "sources");
	html_put_sources(p->h, &j);
	if (p->h->slices)
		html_put_slice_sources(p->h, &j);
	json_end(&j, ']');
	html_put_signal_results(p->h, &j);
	json_end(&j, '}');
}

/* Return: 0, or a negative errno of the temporary file */
static int print_block(struct out *o, const char *name, struct spool *s)
{
	int ret = spool_end(s);

	if (ret)
		return ret;
	out_printf(o, "<script type=\"text/plain\" id=\"fxt-%s\">", name);
	ret = spool_print(s, o);
	out_str(o, "</script>\n");
	return ret;
}

static int print_packed(struct out *o, const char *name, const struct page *p,
			void (*print)(struct out *o, const struct page *p))
{
	struct spool *s = &p->h->text;
	static struct out text;
	int ret;

	spool_open(s, "w9");
	out_open_sink(&text, spool_text, s);
	out_in_html(&text);
	print(&text, p);
	ret = out_close(&text);
	ret = ret ? ret : print_block(o, name, s);
	spool_close(s);
	return ret;
}

static int print_columns(struct out *o, struct report_html *h)
{
	static const char *const names[] = {
#define COLUMN_NAME(column, name) [HTML_##column] = "column-" name,
		HTML_COLUMNS(COLUMN_NAME)
	};
	int i, ret = 0;

	for (i = 0; i < HTML_COLUMN_COUNT && !ret; i++)
		ret = print_block(o, names[i], &h->columns[i]);
	return ret;
}

/* The user may want to see all threads. */
static int print_wide(struct out *o, const struct page *p, struct report_engine *e)
{
	int ret;

	report_widen(e);
	ret = print_packed(o, "report-all", p, print_report);
	return ret ? ret : print_packed(o, "tables-all", p, print_tables);
}

/* The scripts show the report while the data of the timeline is still loaded. */
static int print_blocks(struct out *o, const struct page *p, struct report_engine *e)
{
	int ret = print_packed(o, "report", p, print_report);

	ret = ret ? ret : print_packed(o, "tables", p, print_tables);
	ret = ret ? ret : print_packed(o, "scripts", p, print_scripts);
	out_str(o, "<script>\n");
	out_code(o, &html_unpack_js);
	out_str(o, "</script>\n");
	ret = ret ? ret : print_packed(o, "timeline", p, print_timeline);
	ret = ret ? ret : print_columns(o, p->h);
	return ret || !p->r->is_part ? ret : print_wide(o, p, e);
}

int report_html_print(struct report_html *h, struct out *o, const char *path,
		      struct report_engine *e, const struct report_options *options, size_t top)
{
	const struct page p = { h, path, report_of(e), options, top };
	const char *at = html_report_html.begin;
	int ret;

	out_in_html(o);
	print_until(o, &at, "@STYLE@");
	out_code(o, &html_report_css);
	print_until(o, &at, "@BLOCKS@");
	ret = print_blocks(o, &p, e);
	if (!ret)
		out_bytes(o, at, html_report_html.end - at);
	return ret;
}

/* --- the whole page ------------------------------------------------------------------------ */

int report_html_open(struct report_html **out, uint64_t begin, uint64_t most)
{
	struct report_html *h = *out = new_zero(struct report_html);
	int i, ret = 0;

	h->begin = begin;
	h->most = most;
	h->watch = (struct report_watch){
		.span = html_add_span,
		.sight = html_note_sight,
		.hidden = html_add_hidden,
		.gap = html_add_gap,
		.slice = html_add_slice,
		.moment = html_add_moment,
		.move = html_add_move,
		.request = html_add_request,
		.frequency = html_add_frequency,
		.arg = h,
	};
	for (i = 0; i < HTML_COLUMN_COUNT && !ret; i++) {
		spool_open(&h->columns[i], "w4");
		ret = h->columns[i].error;
	}
	return ret;
}

const struct report_watch *report_html_watch(struct report_html *h)
{
	return &h->watch;
}

int report_html_end(struct report_html *h, const struct report *r)
{
	int ret = 0, i;

	h->history = r->history;
	h->slices = r->slices;
	if (h->slices)
		html_add_slices(h);
	else
		html_add_waits(h);
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
	free(h->pids);
	free(h->origins);
	free(h->stacks);
	free(h->processes);
	free(h->threads);
	free(h);
}
