/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PREEMPT_RT, where threads do the work of interrupts. */
#ifndef SELFTESTS_REAL_TIME_H
#define SELFTESTS_REAL_TIME_H

#include <stdbool.h>
#include <string.h>
#include <sys/utsname.h>

/* Prefix of threads that run timers: the end of a sleep may have to wait for real-time threads. */
#define TIMER_THREAD	"ktimers/"

static inline bool is_preempt_rt(void)
{
	struct utsname u;

	return !uname(&u) && strstr(u.version, "PREEMPT_RT");
}

#endif /* SELFTESTS_REAL_TIME_H */
