/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FXT_DUMP_COMMAND_H
#define FXT_DUMP_COMMAND_H

#include "walk/command_line.h"

/* fxt dump */
extern const struct verb verb_dump;

#endif /* FXT_DUMP_COMMAND_H */
