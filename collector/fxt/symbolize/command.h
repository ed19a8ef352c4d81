/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FXT_SYMBOLIZE_COMMAND_H
#define FXT_SYMBOLIZE_COMMAND_H

#include "walk/command_line.h"

/* fxt symbolize */
extern const struct verb verb_symbolize;

#endif /* FXT_SYMBOLIZE_COMMAND_H */
