/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FXT_CHECK_COMMAND_H
#define FXT_CHECK_COMMAND_H

#include "walk/command_line.h"

/* fxt check */
extern const struct verb verb_check;

#endif /* FXT_CHECK_COMMAND_H */
