/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * states.h - what the numbers of a kernel's sched_switch mean, by its own print format.
 */
#ifndef FXT_FORMATS_TEP_STATES_H
#define FXT_FORMATS_TEP_STATES_H

#include "formats/import/states.h"

struct tep_event;

/**
 * tep_states() - read the print format of sched_switch
 * @event: the event; NULL: it has no format
 *
 * Return: the letters of that format; trace_states_any if it does not have any.
 */
struct trace_states tep_states(const struct tep_event *event);

#endif /* FXT_FORMATS_TEP_STATES_H */
