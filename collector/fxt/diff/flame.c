// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * flame.c - the stacks of a comparison as flame graphs: where threads slept or were preempted in A
 * and in B.
 *
 * In:  the rows of stacks.
 * Out: an SVG for each kind of stack: the innermost functions on top, below each its callers. The
 * width of a function is its time in A and B together, so that its callers are as wide as it is;
 * its colour shows which side has more.
 * Must hold: a graph uses no styles, because the page's policy allows only the one with the given
 * hash.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "escape.h"
#include "terminal/memory.h"
#include "write/labels.h"

#define WIDTH	1200.0	/* pixels, like all of these */
#define LEAST	1.0	/* narrower functions are not drawn */
#define LINE	18
#define LETTER	7.0	/* maximum width of a character of a label */
#define DEEPEST	64

/* Red, green and blue of unchanged functions, of those only in A, and of those only in B. */
static const double same[] = { 0xcc, 0xcc, 0xcc };
static const double only[2][3] = { { 0x66, 0xaa, 0xee }, { 0xee, 0x88, 0x66 } };

/* A function below another; its times by side, in the printed unit. */
struct flame {
	const char *name;
	size_t length;
	double time[2];
	struct flame *first;
	struct flame *next;
};

static struct flame *child_of(struct flame *parent, const char *name, size_t length)
{
	struct flame **at = &parent->first;

	while (*at && ((*at)->length != length || memcmp((*at)->name, name, length)))
		at = &(*at)->next;
	if (!*at) {
		*at = new_zero(struct flame);
		(*at)->name = name;
		(*at)->length = length;
	}
	return *at;
}

static void free_below(struct flame *f)
{
	struct flame *child, *next;

	for (child = f->first; child; child = next) {
		next = child->next;
		free_below(child);
		free(child);
	}
}

static void add_times(struct flame *f, const struct diff_row *row)
{
	f->time[0] += row->changes[DIFF_TIME].a;
	f->time[1] += row->changes[DIFF_TIME].b;
}

/* @frames: the functions, innermost first */
static void add_stack(struct flame *f, const struct diff_row *row, const char *frames)
{
	const char *end;
	int depth = 0;

	add_times(f, row);
	for (; frames && depth < DEEPEST; frames = end, depth++) {
		end = diff_next_frame(frames);
		f = child_of(f, frames, end ? (size_t)(end - frames) - DIFF_FRAME_BYTES :
					strlen(frames));
		add_times(f, row);
	}
}

static unsigned int deepest(const struct flame *f, double scale)
{
	unsigned int most = 0, depth;
	const struct flame *child;

	for (child = f->first; child; child = child->next) {
		if ((child->time[0] + child->time[1]) * scale < LEAST)
			continue;
		depth = 1 + deepest(child, scale);
		most = depth > most ? depth : most;
	}
	return most;
}

/* --- drawing ------------------------------------------------------------------------------- */

static void print_colour(struct out *o, const struct flame *f)
{
	double share = (f->time[1] - f->time[0]) / (f->time[0] + f->time[1]);
	const double *to = only[share > 0];
	unsigned int i;

	out_str(o, "#");
	for (i = 0; i < 3; i++)
		out_printf(o, "%02x",
			   (unsigned int)lround(same[i] + fabs(share) * (to[i] - same[i])));
}

static void print_title(struct out *o, const struct flame *f)
{
	out_str(o, "<title>");
	html_text(o, f->name, f->length);
	out_printf(o, ": A %s, ", time_label(llround(f->time[0])).text);
	out_printf(o, "B %s", time_label(llround(f->time[1])).text);
	if (f->time[0] > 0)
		out_printf(o, " (%+.0f%%)", 100 * (f->time[1] / f->time[0] - 1));
	out_str(o, "</title>");
}

/* Labels are untrusted bytes; a long one is truncated between two characters. */
static size_t fitting(const struct flame *f, double width)
{
	size_t length = width < LETTER ? 0 : (size_t)((width - 4) / LETTER);

	if (length >= f->length)
		return f->length;
	while (length && ((unsigned char)f->name[length] & 0xc0) == 0x80)
		length--;
	return length;
}

static void print_flame(struct out *o, const struct flame *f, double x, unsigned int depth,
			double scale)
{
	double width = (f->time[0] + f->time[1]) * scale;
	const struct flame *child;
	size_t length;

	if (width < LEAST)
		return;
	out_printf(o, "<g>");
	print_title(o, f);
	out_printf(o, "<rect x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%u\" fill=\"", x,
		   depth * LINE, fmax(LEAST, width - 1), LINE - 1);
	print_colour(o, f);
	out_str(o, "\"/>");
	length = fitting(f, width);
	if (length > 2) {
		out_printf(o, "<text x=\"%.1f\" y=\"%u\" font-size=\"12\" fill=\"#000\">", x + 3,
			   depth * LINE + 13);
		html_text(o, f->name, length);
		out_str(o, "</text>");
	}
	out_str(o, "</g>\n");
	for (child = f->first; child; child = child->next) {
		print_flame(o, child, x, depth + 1, scale);
		x += (child->time[0] + child->time[1]) * scale;
	}
}

static void print_graph(struct out *o, const struct flame *f, const char *title)
{
	double all = f->time[0] + f->time[1];

	if (all <= 0)
		return;
	out_printf(o, "<h3>%s</h3>\n<p>Innermost functions at the top, each with its callers "
		   "below. Width: time in A and B together. Blue: more in A; orange: more in "
		   "B.</p>\n", title);
	out_printf(o, "<svg width=\"%.0f\" height=\"%u\" role=\"img\" aria-label=\"%s\">\n", WIDTH,
		    (deepest(f, WIDTH / all) + 1) * LINE, title);
	print_flame(o, f, 0, 0, WIDTH / all);
	out_str(o, "</svg>\n");
}

void diff_print_flames(struct out *o, const struct diff *d)
{
	static const struct {
		const char *prefix;
		const char *title;
	} kinds[] = {
		{ "slept in ", "Where threads slept" },
		{ "preempted in ", "Where threads were preempted" },
	};
	unsigned int k;
	size_t i, length;

	for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		struct flame all = { .name = "all", .length = 3 };

		length = strlen(kinds[k].prefix);
		for (i = 0; i < d->row_count; i++)
			if (d->rows[i]->kind == DIFF_STACK &&
			    !strncmp(d->rows[i]->name, kinds[k].prefix, length))
				add_stack(&all, d->rows[i], d->rows[i]->name + length);
		print_graph(o, &all, kinds[k].title);
		free_below(&all);
	}
}
