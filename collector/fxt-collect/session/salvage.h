/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * salvage.h - end an archive after a failed write.
 */
#ifndef FXT_COLLECT_SESSION_SALVAGE_H
#define FXT_COLLECT_SESSION_SALVAGE_H

#include "state.h"

/**
 * salvage() - end the archive at a record boundary after a failed write
 * @s: the session, with @write_error set and the failure in @s->e
 *
 * Stops tracing, truncates the file, and writes into it how much is missing.
 */
void salvage(struct session *s);

#endif /* FXT_COLLECT_SESSION_SALVAGE_H */
