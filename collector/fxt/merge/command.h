/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FXT_MERGE_COMMAND_H
#define FXT_MERGE_COMMAND_H

#include "walk/command_line.h"

/* fxt merge */
extern const struct verb verb_merge;

#endif /* FXT_MERGE_COMMAND_H */
