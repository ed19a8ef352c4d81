/* SPDX-License-Identifier: GPL-2.0 */
/*
 * switch.h - the probes of sched_switch.
 */
#ifndef FXT_KMOD_SWITCH_H
#define FXT_KMOD_SWITCH_H

#include <linux/sched.h>

#include "compat.h"

void FXT_PROBE_SWITCH(fxt_probe_switch_slow);
void FXT_PROBE_SWITCH(fxt_probe_switch_boot);
void FXT_PROBE_SWITCH(fxt_probe_switch_mono);
void FXT_PROBE_SWITCH(fxt_probe_switch_tsc);

#endif /* FXT_KMOD_SWITCH_H */
