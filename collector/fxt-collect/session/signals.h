/* SPDX-License-Identifier: GPL-2.0-or-later */
/* signals.h - wait for signals, the end of COMMAND, time and records. */
#ifndef FXT_COLLECT_SESSION_SIGNALS_H
#define FXT_COLLECT_SESSION_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

#include "state.h"

/* CLOCK_BOOTTIME in ns. */
uint64_t session_now(void);

/* Block signals and receive them through descriptors. Return: 0 or a negative errno */
int signals_open(struct session *s);

/* Discard the signals that ended the recording, and unblock all. */
void signals_close(struct session *s);

/* Has a signal asked for the end of the recording? */
bool signals_ended(const struct session *s);

/* Has a signal or the end of COMMAND ended the recording? Consumes SIGUSR1. */
bool session_ends(struct session *s);

/* Wait until @until (ns), a signal, or, with @records, a sub-buffer. */
int session_wait(struct session *s, uint64_t until, bool records);

#endif /* FXT_COLLECT_SESSION_SIGNALS_H */
