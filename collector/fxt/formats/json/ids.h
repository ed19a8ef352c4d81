/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ids.h - names of processes and threads whose ids are texts.
 *
 * In: the ids of events. Out: for each text a record that gives its process or thread the text
 * as a name, before the first record that refers to it. A name in the trace replaces it.
 */
#ifndef FXT_FORMATS_JSON_IDS_H
#define FXT_FORMATS_JSON_IDS_H

#include "read_event.h"

/**
 * json_ids_take() - write the names that the ids of an event need
 * @e: what becomes of events
 * @from: the event
 *
 * Return: 0, -ENOMEM, or an error of the writer.
 */
int json_ids_take(struct json_events *e, const struct json_element *from);

void json_ids_free(struct json_events *e);

#endif /* FXT_FORMATS_JSON_IDS_H */
