/* SPDX-License-Identifier: GPL-2.0-or-later */
/* escape.h - untrusted text in the page of a comparison. */
#ifndef FXT_DIFF_ESCAPE_H
#define FXT_DIFF_ESCAPE_H

#include "liboutput/out.h"

/* Print untrusted text; visible characters replace control and invisible ones. */
void html_text(struct out *o, const char *text, size_t length);

/* Print untrusted text as an attribute's value in quotes, which a script gets unchanged. */
void html_value(struct out *o, const char *text, size_t length);

#endif /* FXT_DIFF_ESCAPE_H */
