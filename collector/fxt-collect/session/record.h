/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.h - record everything, into one archive or into segments.
 */
#ifndef FXT_COLLECT_SESSION_RECORD_H
#define FXT_COLLECT_SESSION_RECORD_H

#include "state.h"

/** record_run() - record until the end, and complete the archives; tracing is on */
int record_run(struct session *s);

#endif /* FXT_COLLECT_SESSION_RECORD_H */
