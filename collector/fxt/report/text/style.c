// SPDX-License-Identifier: GPL-2.0-or-later
/* style.c - see style.h. */
#include "style.h"

void text_shade(const struct text *t, enum shade shade)
{
	static const char *const codes[] = {
		[SHADE_NONE] = "\033[0m",
		[SHADE_HEADING] = "\033[1m",
		[SHADE_BAR] = "\033[36m",
		[SHADE_BAD] = "\033[31m",
	};

	if (t->style->colour)
		out_str(t->o, codes[shade]);
}

void text_heading(const struct text *t, const char *text)
{
	text_shade(t, SHADE_HEADING);
	out_str(t->o, text);
	text_shade(t, SHADE_NONE);
	out_char(t->o, '\n');
}

void text_title(const struct text *t, const char *what, size_t count)
{
	size_t top = t->style->top;

	out_char(t->o, '\n');
	text_shade(t, SHADE_HEADING);
	out_str(t->o, what);
	text_shade(t, SHADE_NONE);
	if (count > top)
		out_printf(t->o, ": the first %zu of %zu", top, count);
	out_char(t->o, '\n');
}
