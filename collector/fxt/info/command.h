/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FXT_INFO_COMMAND_H
#define FXT_INFO_COMMAND_H

#include "walk/command_line.h"

/* fxt info */
extern const struct verb verb_info;

#endif /* FXT_INFO_COMMAND_H */
