// SPDX-License-Identifier: GPL-2.0
/*
 * notify.c - see notify.h.
 */
#include "notify.h"

DEFINE_PER_CPU(bool, fxt_notifies);
