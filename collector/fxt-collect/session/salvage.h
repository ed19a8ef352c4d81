/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * salvage.h - end an archive that cannot be written on.
 */
#ifndef FXT_COLLECT_SESSION_SALVAGE_H
#define FXT_COLLECT_SESSION_SALVAGE_H

#include "state.h"

/**
 * salvage() - the archive cannot be written on: end it where it is whole
 * @s: the session, @write_error set; what has gone wrong is in @s->e
 *
 * Stops tracing, cuts the file back, and says in it what is missing.
 */
void salvage(struct session *s);

#endif /* FXT_COLLECT_SESSION_SALVAGE_H */
