/* SPDX-License-Identifier: GPL-2.0-or-later */
/* escape.h - untrusted text in the page of a comparison. */
#ifndef FXT_DIFF_ESCAPE_H
#define FXT_DIFF_ESCAPE_H

#include "liboutput/out.h"

/**
 * html_text() - print untrusted text; control and invisible characters are replaced by visible ones
 */
void html_text(struct out *o, const char *text, size_t length);

/** html_value() - print untrusted text as an attribute's value in quotes, which a script gets unchanged */
void html_value(struct out *o, const char *text, size_t length);

#endif /* FXT_DIFF_ESCAPE_H */
