/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FXT_OPEN_COMMAND_H
#define FXT_OPEN_COMMAND_H

#include "walk/command_line.h"

/* fxt open */
extern const struct verb verb_open;

#endif /* FXT_OPEN_COMMAND_H */
