// SPDX-License-Identifier: GPL-2.0-or-later
/* escape.c - see escape.h. */
#include "escape.h"

static void escape(struct out *o, const char *text, size_t length, bool is_shown)
{
	static const char *const entities[256] = {
		['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;", ['"'] = "&quot;", ['\''] = "&#39;",
	};
	const char *end = text + length;
	size_t n;

	for (; text < end; text += n) {
		for (n = 0; text + n < end && !entities[(unsigned char)text[n]]; n++)
			;
		if (is_shown)
			out_safe(o, text, n);
		else
			out_bytes(o, text, n);
		if (text + n < end)
			out_str(o, entities[(unsigned char)text[n++]]);
	}
}

void html_text(struct out *o, const char *text, size_t length)
{
	escape(o, text, length, true);
}

void html_value(struct out *o, const char *text, size_t length)
{
	escape(o, text, length, false);
}
