/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signal_name.h - names of signals, by the numbers that x86 and arm64 give them.
 *
 * An archive may come from another machine than the one that reads it, and not every C library
 * has such names.
 */
#ifndef FXT_REPORT_TEXT_SIGNAL_NAME_H
#define FXT_REPORT_TEXT_SIGNAL_NAME_H

#include <stdint.h>

/** report_signal_name() - as KILL; NULL: no number of a signal with a name */
const char *report_signal_name(uint32_t signal);

#endif /* FXT_REPORT_TEXT_SIGNAL_NAME_H */
