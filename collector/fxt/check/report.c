// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * report.c - output of fxt check, as text or as JSON; see check.h.
 *
 * Text: a line per anomaly, "FILE: violation: TEXT [CLASS KIND]" or "FILE: note: ...", at most ten
 * of each kind, then a line with the verdict. JSON: one object per archive, on a line of its own.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "check.h"
#include "terminal/memory.h"

#define TOLD_PER_KIND	10
#define KEPT_BYTES	(16UL << 20)	/* of notes kept with --all; later ones are only counted */

struct check_note {
	struct check_note *next;
	struct check_anomaly f;
	char text[];
};

/* --- the schema ---------------------------------------------------------------------------- */

static const struct schema anomaly[] = {
	MEMBER("class", IS_WORD, .words = "format|sched|perfetto"),
	MEMBER("kind", IS_TEXT),
	MEMBER("offset", IS_NUMBER | OR_NULL, .about = "bytes"),
	MEMBER("record", IS_NUMBER | OR_NULL),
	MEMBER("time_ns", IS_TIME | OR_NULL),
	MEMBER("count", IS_NUMBER, .about = "how many times"),
	MEMBER("text", IS_TEXT),
	{ 0 }
};

static const struct schema count[] = { { .is = IS_NUMBER }, { 0 } };
static const struct schema counts[] = {
	{ .is = IS_MAP, .about = "by kind", .of = count },
	{ 0 }
};

static const struct schema totals[] = {
	MEMBER("before", IS_NUMBER, .about = "records of other parts of the recording"),
	MEMBER("written", IS_NUMBER),
	MEMBER("stored", IS_NUMBER),
	MEMBER("lost", IS_NUMBER),
	MEMBER("ledgers", IS_NUMBER),
	MEMBER("switches", IS_NUMBER),
	MEMBER("wakeups", IS_NUMBER),
	MEMBER("events", IS_NUMBER),
	MEMBER("cpus", IS_NUMBER),
	MEMBER("late", IS_NUMBER),
	MEMBER("first_ns", IS_TIME | OR_NULL),
	MEMBER("last_ns", IS_TIME),
	{ 0 }
};

const struct schema check_schema[] = {
	MEMBER("file", IS_TEXT),
	MEMBER("violations", IS_LIST,
	       .about = "at most ten of each kind, without --all", .of = anomaly),
	MEMBER("notes", IS_LIST, .about = "likewise", .of = anomaly),
	MEMBER("verdict", IS_WORD, .words = "clean|violations|unreadable"),
	MEMBER("error", IS_TEXT | OR_ABSENT, .about = "why it is unreadable"),
	MEMBER("records", IS_NUMBER, .about = "with those that were skipped"),
	MEMBER("bytes", IS_NUMBER, .about = "after decompression"),
	MEMBER("compression", IS_TEXT),
	MEMBER("counts", IS_MAP, .about = "all violations, by class", .of = counts),
	MEMBER("note_counts", IS_MAP, .about = "all notes, likewise", .of = counts),
	MEMBER("totals", IS_OBJECT, .of = totals),
	MEMBER("perfetto", IS_MAP,
	       .about = "by name, rows of Perfetto's table stats that would not be zero",
	       .of = count),
	{ 0 }
};

/* --- output -------------------------------------------------------------------------------- */

const char *check_class_name(enum check_class class)
{
	static const char * const names[] = {
		[CHECK_FORMAT] = "format",
		[CHECK_SCHED] = "sched",
		[CHECK_PERFETTO] = "perfetto",
	};

	return names[class];
}

void check_report_begin(struct check_report *r, const struct check_style *style,
			struct out *o, const char *path)
{
	memset(r, 0, sizeof(*r));
	r->style = style;
	r->o = o;
	r->path = path;
	r->last = &r->first;
	if (!style->json || style->quiet)
		return;
	r->j.o = o;
	json_begin(&r->j, '{');
	json_string(&r->j, "file", path);
	json_array(&r->j, "violations");
}

static void json_finding(struct json *j, const struct check_anomaly *f)
{
	json_object(j, NULL);
	json_string(j, "class", check_class_name(f->class));
	json_string(j, "kind", f->kind);
	json_number_if(j, "offset", f->offset != CHECK_NO_NUMBER, f->offset);
	json_number_if(j, "record", f->record != CHECK_NO_NUMBER, f->record);
	json_number_if(j, "time_ns", f->time != CHECK_NO_NUMBER, f->time);
	json_number(j, "count", f->count);
	json_string(j, "text", f->text);
	json_end(j, '}');
}

static bool keep_note(struct check_report *r, const struct check_anomaly *f)
{
	size_t bytes = strlen(f->text) + 1;
	struct check_note *note;

	if (r->kept > KEPT_BYTES)
		return false;
	note = must(malloc(sizeof(*note) + bytes));
	note->next = NULL;
	note->f = *f;
	memcpy(note->text, f->text, bytes);
	note->f.text = note->text;
	*r->last = note;
	r->last = &note->next;
	r->kept += sizeof(*note) + bytes;
	return true;
}

static void text_line(struct check_report *r, bool violation, const char *text,
		      enum check_class class, const char *kind)
{
	out_safe_text(r->o, r->path);
	out_str(r->o, violation ? ": violation: " : ": note: ");
	out_safe_text(r->o, text);
	out_printf(r->o, " [%s %s]\n", check_class_name(class), kind);
}

static void text_finding(struct check_report *r, const struct check_anomaly *f)
{
	text_line(r, f->violation, f->text, f->class, f->kind);
}

void check_report_add(struct check_report *r, const struct check_anomaly *f)
{
	struct check_kind *kind = &r->kinds[f->class][f->number];

	kind->name = f->kind;
	kind->count[f->violation] += f->count;
	r->violations += f->violation ? f->count : 0;
	if (r->style->quiet ||
	    (!r->style->all && kind->lines[f->violation] >= TOLD_PER_KIND))
		return;
	kind->lines[f->violation]++;
	if (!f->violation) {
		kind->told[0] += keep_note(r, f) ? f->count : 0;
		return;
	}
	kind->told[1] += f->count;
	if (r->style->json)
		json_finding(&r->j, f);
	else
		text_finding(r, f);
}

void check_report_addf(struct check_report *r, struct check_anomaly f, const char *format, ...)
{
	char text[300];
	va_list args;
	int n;

	n = snprintf(text, sizeof(text), "byte %" PRIu64 ": record %" PRIu64 ": ", f.offset,
		     f.record);
	va_start(args, format);
	vsnprintf(text + n, sizeof(text) - n, format, args);
	va_end(args);
	f.text = text;
	check_report_add(r, &f);
}

/* --- the end: JSON ------------------------------------------------------------- */

static void json_notes(struct check_report *r)
{
	const struct check_note *note;

	json_array(&r->j, "notes");
	for (note = r->first; note; note = note->next)
		json_finding(&r->j, &note->f);
	json_end(&r->j, ']');
}

static void json_counts(struct check_report *r, const char *name, bool violation)
{
	struct json *j = &r->j;
	unsigned int c, k;
	bool any;

	json_object(j, name);
	for (c = 0; c < CHECK_CLASSES; c++) {
		any = false;
		for (k = 0; k < CHECK_KINDS; k++) {
			const struct check_kind *kind = &r->kinds[c][k];

			if (!kind->name || !kind->count[violation])
				continue;
			if (!any) {
				json_object(j, check_class_name(c));
			}
			json_number(j, kind->name, kind->count[violation]);
			any = true;
		}
		if (any)
			json_end(j, '}');
	}
	json_end(j, '}');
}

/* Interrupts, idle states and the like. */
static uint64_t count_events(const struct sched_totals *t)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < KERNEL_EVENTS; i++)
		count += t->events[i];
	return count;
}

static void json_totals(struct json *j, const struct sched_totals *t)
{
	json_object(j, "totals");
	json_number(j, "before", t->before);
	json_number(j, "written", t->written);
	json_number(j, "stored", t->stored);
	json_number(j, "lost", t->lost);
	json_number(j, "ledgers", t->ledgers);
	json_number(j, "switches", t->switches);
	json_number(j, "wakeups", t->wakeups);
	json_number(j, "events", count_events(t));
	json_number(j, "cpus", t->cpus);
	json_number(j, "late", t->late);
	json_number_if(j, "first_ns", t->first != CHECK_NO_NUMBER, t->first);
	json_number(j, "last_ns", t->last);
	json_end(j, '}');
}

static void json_report(struct check_report *r, const struct check_end *end)
{
	struct json *j = &r->j;
	unsigned int i;

	json_end(j, ']');	/* offsets of the violations */
	json_notes(r);
	json_string(j, "verdict", end->error ? "unreadable" : r->violations ? "violations" : "clean");
	if (end->error)
		json_string(j, "error", end->error);
	json_number(j, "records", end->records);
	json_number(j, "bytes", end->bytes);
	json_string(j, "compression", end->compression);
	json_counts(r, "counts", true);
	json_counts(r, "note_counts", false);
	json_totals(j, end->totals);
	json_object(j, "perfetto");
	for (i = 0; i < end->stat_count; i++)
		json_number(j, end->stats[i].name, end->stats[i].count);
	json_end(j, '}');
	json_end(j, '}');
	out_char(j->o, '\n');
}

/* --- the end: text -------------------------------------------------------------- */

static void text_more(struct check_report *r, bool violation)
{
	unsigned int c, k;
	char text[64];

	for (c = 0; c < CHECK_CLASSES; c++) {
		for (k = 0; k < CHECK_KINDS; k++) {
			const struct check_kind *kind = &r->kinds[c][k];
			uint64_t more = kind->count[violation] - kind->told[violation];

			snprintf(text, sizeof(text), "%" PRIu64 " more of this kind", more);
			if (more)
				text_line(r, violation, text, c, kind->name);
		}
	}
}

static void text_counts(struct check_report *r)
{
	struct out *o = r->o;
	bool any = false;
	unsigned int c, k;

	for (c = 0; c < CHECK_CLASSES; c++) {
		uint64_t count = 0;

		for (k = 0; k < CHECK_KINDS; k++)
			count += r->kinds[c][k].count[1];
		if (!count)
			continue;
		out_printf(o, "%s%s %" PRIu64, any ? ", " : " (", check_class_name(c), count);
		any = true;
	}
	out_char(o, ')');
}

static void text_number(struct out *o, const char *before, uint64_t number,
			const char *what)
{
	out_str(o, before);
	out_u64(o, number);
	out_str(o, what);
	if (number != 1)
		out_str(o, what[strlen(what) - 1] == 'h' ? "es" : "s");
}

static void text_verdict(struct check_report *r, const struct check_end *end)
{
	const struct sched_totals *t = end->totals;
	struct out *o = r->o;

	if (r->violations) {
		text_number(o, ": ", r->violations, " violation");
		text_counts(r);
	} else {
		out_str(o, ": clean");
	}
	text_number(o, ": ", end->records, " record");
	text_number(o, ", ", end->bytes, " byte");
	if (t->switches || t->wakeups) {
		text_number(o, ", ", t->switches, " switch");
		text_number(o, ", ", t->wakeups, " wakeup");
		if (count_events(t))
			text_number(o, ", ", count_events(t), " event");
		text_number(o, " on ", t->cpus, " CPU");
		out_str(o, " in ");
		out_seconds(o, t->last - t->first);
		out_str(o, " s");
	}
	if (t->ledgers)
		out_printf(o, ", %" PRIu64 " lost", t->lost);
	if (t->before)
		out_printf(o, ", %" PRIu64 " before this part", t->before);
	out_char(o, '\n');
}

static void text_end(struct check_report *r, const struct check_end *end)
{
	const struct check_note *note;
	struct out *o = r->o;
	unsigned int i;

	text_more(r, true);
	for (note = r->first; note; note = note->next)
		text_finding(r, &note->f);
	text_more(r, false);
	for (i = 0; i < end->stat_count; i++) {
		out_safe_text(o, r->path);
		out_printf(o, ": Perfetto would count %s %" PRIu64 "\n",
			   end->stats[i].name, end->stats[i].count);
	}
	out_safe_text(o, r->path);
	if (end->error) {
		out_str(o, ": unreadable: ");
		out_safe_text(o, end->error);
		out_char(o, '\n');
		return;
	}
	text_verdict(r, end);
}

void check_report_end(struct check_report *r, const struct check_end *end)
{
	struct check_note *note;

	if (!r->style->quiet) {
		if (r->style->json)
			json_report(r, end);
		else
			text_end(r, end);
	}
	while ((note = r->first)) {
		r->first = note->next;
		free(note);
	}
}

void check_report_summary(const struct check_style *style, struct out *o,
			  unsigned int files, unsigned int clean,
			  unsigned int unreadable)
{
	if (style->json || style->quiet || files < 2)
		return;
	out_printf(o, "%u files: %u clean, %u with violations, %u unreadable\n",
		   files, clean, files - clean - unreadable, unreadable);
}
