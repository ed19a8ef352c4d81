// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * main.c - fxt-collect: record what the whole system schedules.
 */
#include <stdio.h>

#include "options.h"
#include "session.h"
#include "status.h"

int main(int argc, char **argv)
{
	struct error e = { EXIT_FAILED, "" };
	struct options o;
	int ret = options_parse(&o, argc, argv, &e);

	if (ret == OPTIONS_END)
		return EXIT_DONE;
	if (!ret)
		return session_run(&o, &e);
	status_say("%s", e.text);
	return e.code;
}
