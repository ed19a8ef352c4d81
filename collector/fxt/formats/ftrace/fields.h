/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fields.h - the fields of an event in a line of ftrace's text.
 */
#ifndef FXT_FORMATS_FTRACE_FIELDS_H
#define FXT_FORMATS_FTRACE_FIELDS_H

#include "formats/import/event.h"
#include "cursor.h"

/**
 * ftrace_fields() - parse the fields of an event
 * @c: behind the event's name, colon and spaces
 * @e: @what is set, and who was current; set to the rest
 *
 * Names may contain anything, even what looks like the next field. A name ends at the first
 * place after which all other fields follow.
 *
 * Return: have all fields that archives need been found?
 */
bool ftrace_fields(struct cursor *c, struct trace_event *e);

#endif /* FXT_FORMATS_FTRACE_FIELDS_H */
