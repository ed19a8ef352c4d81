/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fields.h - the kernel's names of events' fields, and their places in struct trace_event, for
 * readers that find fields by name: tep/ and LTTng's text.
 */
#ifndef FXT_FORMATS_IMPORT_FIELDS_H
#define FXT_FORMATS_IMPORT_FIELDS_H

#include <stddef.h>

#include "event.h"

#define TRACE_FIELDS	8

enum trace_form {
	TRACE_FORM_NUMBER,	/* its low 32 bits */
	TRACE_FORM_NAME,
	TRACE_FORM_FILE,	/* the last part of a path, truncated to a name's length */
	TRACE_FORM_STATE,
	TRACE_FORM_CLONE,	/* is CLONE_THREAD among the flags? */
	TRACE_FORM_VECTOR,	/* FXT_STR_VECTOR_* of an interrupt of x86 */
	TRACE_FORM_FUNCTION,	/* the name of the kernel's function at an address; empty for 0 */
	TRACE_FORM_MASK,	/* of CPUs, in the low 64 bits; their number is @value */
	/* The last field of its event: */
	TRACE_FORM_CALLER,	/* an address in the kernel, as the only frame */
	TRACE_FORM_FRAMES,	/* addresses up to the end of the record */
	TRACE_FORM_TEXT,	/* bytes up to the end of the record */
};

struct trace_field {
	const char *name;
	enum trace_form form;
	size_t to;
};

/* The fields that archives need. If there is room, a field without a name follows the last one. */
extern const struct trace_field trace_fields[TRACE_KINDS][TRACE_FIELDS];

#endif /* FXT_FORMATS_IMPORT_FIELDS_H */
