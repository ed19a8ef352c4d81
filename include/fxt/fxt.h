/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt.h - all records of the Fuchsia trace format, bit by bit.
 *
 * Each header has the masks, numbers and builders for one kind of record. fxt_word.h has the rules
 * for all.
 */
#ifndef FXT_FXT_H
#define FXT_FXT_H

#include "fxt_word.h"
#include "fxt_argument.h"
#include "fxt_metadata.h"
#include "fxt_event.h"
#include "fxt_blob.h"
#include "fxt_object.h"
#include "fxt_scheduling.h"
#include "fxt_profiler.h"

#endif /* FXT_FXT_H */
