// SPDX-License-Identifier: GPL-2.0-or-later
/* limits.c - see limits.h. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "limits.h"

static __attribute__((format(printf, 4, 5))) void
note(struct check_report *report, const struct fxt_record *rec, enum fxt_deviation_kind kind,
     const char *format, ...)
{
	char text[200];
	va_list args;
	int n;

	n = snprintf(text, sizeof(text), "byte %" PRIu64 ": record %" PRIu64 ": ", rec->offset,
		     rec->number);
	va_start(args, format);
	vsnprintf(text + n, sizeof(text) - n, format, args);
	va_end(args);
	check_report_add(report, &(struct check_finding){
		.class = CHECK_FORMAT,
		.number = kind,
		.kind = fxt_deviation_name(kind),
		.count = 1,
		.offset = rec->offset,
		.record = rec->number,
		.time = CHECK_NO_NUMBER,
		.text = text,
	});
}

static void check_length(struct check_report *report, const struct fxt_record *rec,
			 const char *field, uint32_t length)
{
	if (length > FXT_MAX_STRING)
		note(report, rec, FXT_DEV_LIMIT, "%s: a string of %u bytes, where %u are the most",
		     field, length, FXT_MAX_STRING);
}

/* Only inline strings: the string table was checked when it was read. */
static void check_inline(struct check_report *report, const struct fxt_record *rec,
			 const char *field, const struct fxt_text *text)
{
	if (text->ref & FXT_STRING_REF_INLINE)
		check_length(report, rec, field, text->length);
}

void check_limits(struct check_report *report, const struct fxt_record *rec,
		  const struct fxt_content *c)
{
	unsigned int i;

	if (c->kind == FXT_KIND_STRING)
		check_length(report, rec, "string length", c->name.length);
	else
		check_inline(report, rec, "name", &c->name);
	check_inline(report, rec, "category", &c->category);
	for (i = 0; i < c->arg_count; i++) {
		check_inline(report, rec, "argument name", &c->args[i].name);
		if (c->args[i].type == FXT_ARG_STRING)
			check_inline(report, rec, "argument value", &c->args[i].text);
	}
	/* Modules and mappings belong to a whole process. */
	if ((c->kind == FXT_KIND_MODULE || c->kind == FXT_KIND_MMAP) && c->thread.thread)
		note(report, rec, FXT_DEV_VALUE, "thread id: %" PRIu64 ", where the format has 0",
		     c->thread.thread);
}
