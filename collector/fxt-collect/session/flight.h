/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flight.h - the flight recorder.
 */
#ifndef FXT_COLLECT_SESSION_FLIGHT_H
#define FXT_COLLECT_SESSION_FLIGHT_H

#include "state.h"

/** flight_run() - record and write snapshots until the end; tracing is on */
int flight_run(struct session *s);

#endif /* FXT_COLLECT_SESSION_FLIGHT_H */
