/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuchsia.h - scheduling of Fuchsia in a trace of the Trace Event Format.
 *
 * In: the member "systemTraceEvents" as trace2json writes it: an object whose "type" is
 * "fuchsia", with a list of "events".
 * Out: records of switches, wakeups, processes and threads.
 */
#ifndef FXT_FORMATS_JSON_FUCHSIA_H
#define FXT_FORMATS_JSON_FUCHSIA_H

#include "read_event.h"

/** json_fuchsia_is() - is a member of the whole object one of these? */
bool json_fuchsia_is(const char *name, struct json_object *value);

/**
 * json_fuchsia_take() - write the records of its events
 * @e: what becomes of events
 * @value: the member
 *
 * Return: 0, or an error of the writer. Events that are not understood are counted in @e.
 */
int json_fuchsia_take(struct json_events *e, struct json_object *value);

#endif /* FXT_FORMATS_JSON_FUCHSIA_H */
