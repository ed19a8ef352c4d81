/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FXT_RECEIVE_COMMAND_H
#define FXT_RECEIVE_COMMAND_H

#include "walk/command_line.h"

/* fxt receive */
extern const struct verb verb_receive;

#endif /* FXT_RECEIVE_COMMAND_H */
