// SPDX-License-Identifier: GPL-2.0-or-later
/* deviation.c - see deviation.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "deviation.h"

/* The beginning of each text. Return: its length. */
static int place(const struct fxt_deviation *d, char *text)
{
	return snprintf(text, ERROR_BYTES, "byte %" PRIu64 ": record %" PRIu64 ": %s: ",
			d->offset, d->record, d->field);
}

int fxt_deviate(struct fxt_reader *r, uint64_t offset, enum fxt_deviation_kind kind,
		bool lost, const char *field, const char *format, ...)
{
	int fatal = lost || r->o.strict ? -EBADMSG : 0;
	struct fxt_deviation d = {
		.offset = offset,
		.record = r->number,
		.kind = kind,
		.lost = lost,
		.field = field,
		.text = r->error,
	};
	va_list args;
	int n;

	if (r->quiet)
		return fatal;
	r->totals.deviations++;
	r->attention = true;
	r->odd = true;
	r->deviates = true;
	r->lost |= lost;
	/* Without a callback, nobody can see the text of a later deviation. */
	if (!r->o.deviation && !r->o.strict && r->error[0])
		return fatal;
	n = place(&d, r->error);
	va_start(args, format);
	vsnprintf(r->error + n, sizeof(r->error) - n, format, args);
	va_end(args);
	if (r->o.deviation)
		r->o.deviation(r->o.arg, &d);
	return fatal;
}

int fxt_note(struct fxt_reader *r, uint64_t offset, enum fxt_deviation_kind kind,
	     const char *field, const char *format, ...)
{
	char text[ERROR_BYTES];
	struct fxt_deviation d = {
		.offset = offset,
		.record = r->number,
		.kind = kind,
		.note = true,
		.field = field,
		.text = text,
	};
	va_list args;
	int n;

	if (r->quiet || !r->o.deviation)
		return 0;
	n = place(&d, text);
	va_start(args, format);
	vsnprintf(text + n, sizeof(text) - n, format, args);
	va_end(args);
	r->o.deviation(r->o.arg, &d);
	return 0;
}

int fxt_note_trailing(struct fxt_reader *r, uint64_t offset, const char *field,
		      uint64_t words)
{
	if (r->quiet)
		return 0;
	r->attention = true;
	r->odd = true;
	return fxt_note(r, offset, FXT_DEV_TRAILING, field,
			"%" PRIu64 " words after the last defined field", words);
}
