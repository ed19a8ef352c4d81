// SPDX-License-Identifier: GPL-2.0-or-later
/* message.c - see message.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "libfxt/text.h"
#include "message.h"

void message(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = fxt_text_format(format, args);
	va_end(args);
	fputs(text ? text : "fxt: out of memory, so a message is missing\n", stderr);
	free(text);
}
