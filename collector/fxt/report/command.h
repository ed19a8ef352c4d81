/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FXT_REPORT_COMMAND_H
#define FXT_REPORT_COMMAND_H

#include "walk/command_line.h"

/* fxt report */
extern const struct verb verb_report;

#endif /* FXT_REPORT_COMMAND_H */
