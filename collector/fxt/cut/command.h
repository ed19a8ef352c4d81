/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FXT_CUT_COMMAND_H
#define FXT_CUT_COMMAND_H

#include "walk/command_line.h"

/* fxt cut */
extern const struct verb verb_cut;

#endif /* FXT_CUT_COMMAND_H */
