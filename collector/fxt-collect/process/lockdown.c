// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lockdown.c - see lockdown.h.
 *
 * In: the kernel's line "none [integrity] confidentiality", in which brackets mark the
 * level. Out: the level.
 */
#include <stdio.h>
#include <string.h>

#include "lockdown.h"

#define LOCKDOWN_FILE	"/sys/kernel/security/lockdown"

const char *lockdown_level(void)
{
	FILE *f = fopen(LOCKDOWN_FILE, "re");
	char line[128] = "";

	if (!f)
		return NULL;
	if (!fgets(line, sizeof(line), f))
		line[0] = '\0';
	fclose(f);
	if (strstr(line, "[integrity]"))
		return "integrity";
	return strstr(line, "[confidentiality]") ? "confidentiality" : NULL;
}
