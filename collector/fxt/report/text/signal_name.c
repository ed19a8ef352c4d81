// SPDX-License-Identifier: GPL-2.0-or-later
/* signal_name.c - see signal_name.h. */
#include <stddef.h>

#include "signal_name.h"

const char *report_signal_name(uint32_t signal)
{
	static const char *const names[] = {
		NULL, "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1",
		"SEGV", "USR2", "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP",
		"TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR",
		"SYS",
	};

	return signal < sizeof(names) / sizeof(names[0]) ? names[signal] : NULL;
}
