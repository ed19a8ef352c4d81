// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * report.c - see report.h.
 *
 * For people: a line per finding, "FILE: violation: TEXT [CLASS KIND]" or
 * "FILE: note: ...", at most ten of each kind, then a line with the verdict.
 *
 * With --json: one object per archive on a line of its own, with these members,
 * to which later versions may add others:
 *
 *	file		string, as given on the command line
 *	verdict		"clean", "violations" or "unreadable"
 *	error		string, only if unreadable: why
 *	records		number of records, skipped ones included
 *	bytes		of the archive, decompressed
 *	compression	"none", "gzip" or "zstd"
 *	violations	array of findings, at most ten of each kind without --all
 *	notes		array of findings, likewise
 *	counts		{ CLASS: { KIND: number of violations } }, exact
 *	note_counts	{ CLASS: { KIND: number of notes } }, exact
 *	totals		{ before, written, stored, lost, ledgers, switches,
 *			wakeups, events, cpus, late: numbers; first_ns, last_ns: times };
 *			before: records of other parts of the recording
 *	perfetto	{ NAME: number } of rows of Perfetto's table stats that
 *			would not be zero
 *
 * A finding is { class: "format", "sched" or "perfetto"; kind: string; offset:
 * bytes; record: number or null; time_ns: number or null; count: how many times;
 * text: string }. Numbers beyond 2^53 are strings.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

#define TOLD_PER_KIND	10
#define KEPT_BYTES	(16UL << 20)	/* of notes, with --all; later ones are counted only */

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
	out_str(o, "{\"file\":");
	out_json(o, path, strlen(path));
	out_str(o, ",\"violations\":[");
}

static void json_number(struct out *o, const char *name, uint64_t value)
{
	out_str(o, name);
	if (value == CHECK_NO_NUMBER)
		out_str(o, "null");
	else
		out_json_u64(o, value);
}

static void json_finding(struct out *o, const struct check_finding *f)
{
	out_str(o, "{\"class\":\"");
	out_str(o, check_class_name(f->class));
	out_str(o, "\",\"kind\":\"");
	out_str(o, f->kind);
	json_number(o, "\",\"offset\":", f->offset);
	json_number(o, ",\"record\":", f->record);
	json_number(o, ",\"time_ns\":", f->time);
	json_number(o, ",\"count\":", f->count);
	out_str(o, ",\"text\":");
	out_json(o, f->text, strlen(f->text));
	out_char(o, '}');
}

static bool keep_note(struct check_report *r, const struct check_finding *f)
{
	size_t bytes = strlen(f->text) + 1;
	struct check_note *note;

	if (r->kept > KEPT_BYTES)
		return false;
	note = malloc(sizeof(*note) + bytes);
	if (!note)
		return false;
	note->next = NULL;
	note->f = *f;
	memcpy(note->text, f->text, bytes);
	note->f.text = note->text;
	*r->last = note;
	r->last = &note->next;
	r->kept += sizeof(*note) + bytes;
	return true;
}

static void text_finding(struct check_report *r, const struct check_finding *f)
{
	struct out *o = r->o;

	out_safe(o, r->path, strlen(r->path));
	out_str(o, f->violation ? ": violation: " : ": note: ");
	out_safe(o, f->text, strlen(f->text));
	out_str(o, " [");
	out_str(o, check_class_name(f->class));
	out_char(o, ' ');
	out_str(o, f->kind);
	out_str(o, "]\n");
}

void check_report_add(struct check_report *r, const struct check_finding *f)
{
	struct check_kind *kind = &r->kinds[f->class][f->number];

	kind->name = f->kind;
	kind->count[f->violation] += f->count;
	if (f->violation)
		r->violations += f->count;
	else
		r->notes += f->count;
	if (r->style->quiet ||
	    (!r->style->all && kind->lines[f->violation] >= TOLD_PER_KIND))
		return;
	kind->lines[f->violation]++;
	if (!f->violation) {
		kind->told[0] += keep_note(r, f) ? f->count : 0;
		return;
	}
	kind->told[1] += f->count;
	if (!r->style->json) {
		text_finding(r, f);
		return;
	}
	if (r->has_told)
		out_char(r->o, ',');
	r->has_told = true;
	json_finding(r->o, f);
}

/* --- the end: JSON ------------------------------------------------------------- */

static void json_notes(struct check_report *r)
{
	const struct check_note *note;

	out_str(r->o, "],\"notes\":[");
	for (note = r->first; note; note = note->next) {
		if (note != r->first)
			out_char(r->o, ',');
		json_finding(r->o, &note->f);
	}
	out_char(r->o, ']');
}

static void json_counts(struct check_report *r, const char *name, bool violation)
{
	bool any_class = false, any;
	struct out *o = r->o;
	unsigned int c, k;

	out_str(o, name);
	for (c = 0; c < CHECK_CLASSES; c++) {
		any = false;
		for (k = 0; k < CHECK_KINDS; k++) {
			const struct check_kind *kind = &r->kinds[c][k];

			if (!kind->name || !kind->count[violation])
				continue;
			if (!any) {
				out_str(o, any_class ? ",\"" : "\"");
				out_str(o, check_class_name(c));
				out_str(o, "\":{");
			}
			out_str(o, any ? ",\"" : "\"");
			out_str(o, kind->name);
			json_number(o, "\":", kind->count[violation]);
			any = true;
		}
		any_class |= any;
		if (any)
			out_char(o, '}');
	}
	out_char(o, '}');
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

static void json_totals(struct out *o, const struct sched_totals *t)
{
	json_number(o, ",\"totals\":{\"before\":", t->before);
	json_number(o, ",\"written\":", t->written);
	json_number(o, ",\"stored\":", t->stored);
	json_number(o, ",\"lost\":", t->lost);
	json_number(o, ",\"ledgers\":", t->ledgers);
	json_number(o, ",\"switches\":", t->switches);
	json_number(o, ",\"wakeups\":", t->wakeups);
	json_number(o, ",\"events\":", count_events(t));
	json_number(o, ",\"cpus\":", t->cpus);
	json_number(o, ",\"late\":", t->late);
	json_number(o, ",\"first_ns\":", t->first);
	json_number(o, ",\"last_ns\":", t->last);
	out_char(o, '}');
}

static void json_end(struct check_report *r, const struct check_end *end)
{
	struct out *o = r->o;
	unsigned int i;

	json_notes(r);
	out_str(o, ",\"verdict\":\"");
	out_str(o, end->error ? "unreadable" : r->violations ? "violations" : "clean");
	out_char(o, '"');
	if (end->error) {
		out_str(o, ",\"error\":");
		out_json(o, end->error, strlen(end->error));
	}
	json_number(o, ",\"records\":", end->records);
	json_number(o, ",\"bytes\":", end->bytes);
	out_str(o, ",\"compression\":\"");
	out_str(o, end->compression);
	out_char(o, '"');
	json_counts(r, ",\"counts\":{", true);
	json_counts(r, ",\"note_counts\":{", false);
	json_totals(o, end->totals);
	out_str(o, ",\"perfetto\":{");
	for (i = 0; i < end->stat_count; i++) {
		out_str(o, i ? ",\"" : "\"");
		out_str(o, end->stats[i].name);
		json_number(o, "\":", end->stats[i].count);
	}
	out_str(o, "}}\n");
}

/* --- the end: text -------------------------------------------------------------- */

/* Findings that were not reported one by one. */
static void text_more(struct check_report *r, bool violation)
{
	struct out *o = r->o;
	unsigned int c, k;

	for (c = 0; c < CHECK_CLASSES; c++) {
		for (k = 0; k < CHECK_KINDS; k++) {
			const struct check_kind *kind = &r->kinds[c][k];
			uint64_t more = kind->count[violation] - kind->told[violation];

			if (!more)
				continue;
			out_safe(o, r->path, strlen(r->path));
			out_str(o, violation ? ": violation: " : ": note: ");
			out_u64(o, more);
			out_str(o, " more of this kind [");
			out_str(o, check_class_name(c));
			out_char(o, ' ');
			out_str(o, kind->name);
			out_str(o, "]\n");
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
		out_str(o, any ? ", " : " (");
		out_str(o, check_class_name(c));
		out_char(o, ' ');
		out_u64(o, count);
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
	if (t->ledgers) {
		out_str(o, ", ");
		out_u64(o, t->lost);
		out_str(o, " lost");
	}
	if (t->before) {
		out_str(o, ", ");
		out_u64(o, t->before);
		out_str(o, " before this part");
	}
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
		out_safe(o, r->path, strlen(r->path));
		out_printf(o, ": Perfetto would count %s %" PRIu64 "\n",
			   end->stats[i].name, end->stats[i].count);
	}
	out_safe(o, r->path, strlen(r->path));
	if (end->error) {
		out_str(o, ": unreadable: ");
		out_safe(o, end->error, strlen(end->error));
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
			json_end(r, end);
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
