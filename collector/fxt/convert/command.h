/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FXT_CONVERT_COMMAND_H
#define FXT_CONVERT_COMMAND_H

#include "walk/command_line.h"

/* fxt convert */
extern const struct verb verb_convert;

#endif /* FXT_CONVERT_COMMAND_H */
