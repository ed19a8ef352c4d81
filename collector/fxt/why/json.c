// SPDX-License-Identifier: GPL-2.0-or-later
/* json.c - answers as JSON. */
#include "answer.h"
#include "words.h"
#include "liboutput/json.h"

#define VIA	32	/* threads of a chain that are printed, those next to the part */

static void print_thread(struct json *j, const struct history *h, uint32_t thread)
{
	json_begin(j, '{');
	json_number(j, "tid", history_koid(h, thread));
	json_text(j, "name", history_name(h, thread));
	json_end(j, '}');
}

static void print_by(struct json *j, const struct history *h, const struct why_by *by)
{
	const char *about = why_origin_words(h, by);

	json_begin(j, '{');
	if (by->who == WHY_THREAD || by->who == WHY_IDLE)
		json_number(j, "tid", history_koid(h, by->id));
	else
		json_null(j, "tid");
	json_text(j, "name", why_by_name(h, by));
	json_number(j, "ns", by->ns);
	if (why_by_kind(h, by))
		json_text(j, "kind", why_by_kind(h, by));
	if (about)
		json_text(j, "about", about);
	json_end(j, '}');
}

/*
 * Print the chain from the window's thread to the parent of the part's thread; only the end of long
 * chains.
 */
static void print_via(struct json *j, const struct why_print *p, uint32_t frame)
{
	const struct why_frame *f = why_frame(p->walk, frame);
	uint32_t chain[VIA], depth = f->depth, count = 0;

	for (; f->parent && count < VIA; f = why_frame(p->walk, f->parent))
		chain[count++] = why_frame(p->walk, f->parent)->thread;
	json_key(j, "via");
	json_begin(j, '[');
	while (count) {
		json_item(j);
		print_thread(j, p->h, chain[--count]);
	}
	json_end(j, ']');
	if (depth > VIA)
		json_number(j, "via_omitted", depth - VIA);
}

static void print_function(struct json *j, const char *key, const char *name)
{
	if (name)
		json_text(j, key, name);
}

/* Print where the parent slept, and how it was woken for its turn @turn. */
static void print_hop(struct json *j, const struct why_print *p, uint32_t turn)
{
	print_function(j, "waited_in", why_function(p->h, turn, false));
	print_function(j, "woken_from", why_function(p->h, turn, true));
	print_function(j, "through", why_through(p->h, turn));
}

static void print_part(struct json *j, const struct why_print *p, const struct why_answer *a,
		       const struct why_answer_part *of)
{
	const struct why_part *part = &of->part;
	uint32_t i;

	json_item(j);
	json_begin(j, '{');
	json_number(j, "from_ns", part->from);
	json_number(j, "to_ns", part->to);
	json_key(j, "thread");
	print_thread(j, p->h, part->thread);
	json_text(j, "cause", why_cause_name(part->cause));
	if (part->cpu == HISTORY_NO_CPU)
		json_null(j, "cpu");
	else
		json_number(j, "cpu", part->cpu);
	json_key(j, "by");
	json_begin(j, '[');
	for (i = 0; i < of->count; i++) {
		json_item(j);
		print_by(j, p->h, tape_at(&a->by, of->by + i));
	}
	json_end(j, ']');
	print_via(j, p, part->frame);
	if (part->detail)
		json_text(j, "detail", why_detail_words(p->h, part->detail));
	if (part->cause == WHY_ASLEEP)
		print_function(j, "slept_in", why_function(p->h, part->turn, false));
	if (part->frame > 1)
		print_hop(j, p, why_frame(p->walk, part->frame)->turn);
	json_end(j, '}');
}

static void print_window(struct json *j, const struct why_print *p, const struct why_answer *a)
{
	uint64_t i;

	json_key(j, "window");
	json_begin(j, '{');
	json_key(j, "thread");
	print_thread(j, p->h, a->window->thread);
	json_number(j, "from_ns", a->window->from);
	json_number(j, "to_ns", a->window->to);
	json_boolean(j, "is_open", a->window->is_open);
	json_end(j, '}');
	json_key(j, "parts");
	json_begin(j, '[');
	for (i = a->parts.count; i; i--)
		print_part(j, p, a, tape_at(&a->parts, i - 1));
	json_end(j, ']');
}

static void print_row(struct json *j, const struct why_print *p, const struct why_row *r)
{
	unsigned int i;

	json_item(j);
	json_begin(j, '{');
	json_text(j, "cause", r->is_rest ? "other" : why_cause_name(r->cause));
	if (r->detail)
		json_text(j, "detail", why_detail_words(p->h, r->detail));
	json_number(j, "ns", r->by.ns);
	json_number(j, "count", r->count);
	json_key(j, "thread");
	if (r->is_other)
		print_thread(j, p->h, r->thread);
	else
		out_str(j->o, "null");
	json_key(j, "by");
	if (r->by.who == WHY_NOBODY)
		out_str(j->o, "null");
	else
		print_by(j, p->h, &r->by);
	json_key(j, "longest");
	json_begin(j, '[');
	for (i = 0; i < r->longest_count; i++) {
		json_item(j);
		json_begin(j, '{');
		json_number(j, "from_ns", r->longest[i].from);
		json_number(j, "ns", r->longest[i].ns);
		json_key(j, "of");
		print_thread(j, p->h, r->longest[i].thread);
		json_end(j, '}');
	}
	json_end(j, ']');
	json_end(j, '}');
}

void why_json_begin(const struct why_print *p, size_t count)
{
	static const char *const kinds[] = {
		[WHY_TRIGGER] = "trigger",
		[WHY_WAIT] = "wait",
		[WHY_SLEEP] = "sleep",
		[WHY_TIME] = "time",
		[WHY_LIFE] = "life",
	};
	struct json j = { .o = p->o };

	json_begin(&j, '{');
	json_text(&j, "archive", p->path);
	scope_print_json(&j, p->scope, p->threads);
	json_text(&j, "kind", kinds[p->kind]);
	if (count == 1)
		return;
	json_key(&j, "windows");
	json_begin(&j, '[');
}

void why_json_window(const struct why_print *p, const struct why_answer *a, size_t count,
		     bool is_first)
{
	struct json j = { .o = p->o, .is_more = count == 1 || !is_first };

	if (count == 1) {
		print_window(&j, p, a);
		return;
	}
	json_item(&j);
	json_begin(&j, '{');
	print_window(&j, p, a);
	json_end(&j, '}');
}

void why_json_end(const struct why_print *p, const struct why_sums *s, size_t count)
{
	struct json j = { .o = p->o, .is_more = true };
	size_t i;

	if (count != 1)
		json_end(&j, ']');
	json_key(&j, "causes");
	json_begin(&j, '[');
	for (i = 0; i < s->count; i++)
		print_row(&j, p, s->rows[i]);
	json_end(&j, ']');
	json_end(&j, '}');
	out_char(p->o, '\n');
}
