/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verbs.h - the commands of fxt, one folder each.
 */
#ifndef FXT_VERBS_H
#define FXT_VERBS_H

#include "check/command.h"
#include "convert/command.h"
#include "cut/command.h"
#include "dump/command.h"
#include "info/command.h"
#include "merge/command.h"
#include "open/command.h"
#include "receive/command.h"
#include "report/command.h"
#include "symbolize/command.h"
#include "terminal/exit_status.h"

#endif /* FXT_VERBS_H */
