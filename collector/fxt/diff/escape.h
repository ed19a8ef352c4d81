/* SPDX-License-Identifier: GPL-2.0-or-later */
/* escape.h - text of anybody in the page of a comparison. */
#ifndef FXT_DIFF_ESCAPE_H
#define FXT_DIFF_ESCAPE_H

#include "liboutput/out.h"

/** html_text() - text of anybody; what hides or controls text is visible, as elsewhere */
void html_text(struct out *o, const char *text, size_t length);

#endif /* FXT_DIFF_ESCAPE_H */
