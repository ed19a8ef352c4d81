// SPDX-License-Identifier: GPL-2.0-or-later
/* error.c - see error.h. */
#include <stdarg.h>
#include <stdio.h>

#include "error.h"

int fail(struct error *e, enum exit_code code, int err, const char *format, ...)
{
	va_list args;

	e->code = code;
	va_start(args, format);
	vsnprintf(e->text, sizeof(e->text), format, args);
	va_end(args);
	return err;
}
