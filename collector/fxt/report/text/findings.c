// SPDX-License-Identifier: GPL-2.0-or-later
/* findings.c - what is wrong, at the top of the text report. Sentences are broken between words, to fit the width. */
#include <string.h>

#include "name.h"
#include "sections.h"
#include "sentence.h"

#define FIRST_INDENT	"  "
#define NEXT_INDENT	"    "

static void print_sentence(const struct text *t, const char *text)
{
	unsigned int wide = t->style->columns, column = strlen(FIRST_INDENT);
	size_t length;

	out_str(t->o, FIRST_INDENT);
	while (*text) {
		length = strcspn(text, " ");
		column += out_safe_fit(t->o, text, length, wide - strlen(NEXT_INDENT));
		text += length;
		if (!*text)
			break;
		text++;
		if (column + 1 + strcspn(text, " ") > wide) {
			out_str(t->o, "\n" NEXT_INDENT);
			column = strlen(NEXT_INDENT);
		} else {
			out_char(t->o, ' ');
			column++;
		}
	}
	out_char(t->o, '\n');
}

void text_findings(const struct text *t)
{
	size_t i;

	if (!t->r->finding_count)
		return;
	text_title(t, "Findings", 0);
	for (i = 0; i < t->r->finding_count; i++)
		print_sentence(t, report_sentence(t->r, &t->r->findings[i]).text);
}
