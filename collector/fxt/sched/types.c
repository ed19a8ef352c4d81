// SPDX-License-Identifier: GPL-2.0-or-later
/* types.c - names of findings and states. */
#include "types.h"

const char *sched_finding_name(enum sched_finding_kind kind)
{
	static const char * const names[] = {
#define FINDING_NAME(kind, name) [kind] = name,
		SCHED_FINDINGS(FINDING_NAME)
#undef FINDING_NAME
	};

	return kind < SCHED_FINDING_COUNT ? names[kind] : "?";
}

const char *sched_state_name(char state)
{
	switch (state) {
	case SCHED_RUNNING:
		return "Running";
	case 'R':
		return "R";
	case '+':
		return "R+";
	case 'S':
		return "S";
	case 'D':
		return "D";
	case 'I':
		return "I";
	case 'T':
		return "T";
	case 't':
		return "t";
	case 'P':
		return "P";
	case 'Z':
		return "Z";
	case 'X':
		return "X";
	default:
		return "Unknown";
	}
}
