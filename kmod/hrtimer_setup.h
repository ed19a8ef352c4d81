/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hrtimer_setup.h - timers as newer kernels set them up.
 */
#ifndef FXT_KMOD_HRTIMER_SETUP_H
#define FXT_KMOD_HRTIMER_SETUP_H

#include <linux/hrtimer.h>

static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock_id, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock_id, mode);
	timer->function = function;
}

#endif /* FXT_KMOD_HRTIMER_SETUP_H */
