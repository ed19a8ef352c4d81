/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse.h - the command line.
 */
#ifndef FXT_COLLECT_OPTIONS_PARSE_H
#define FXT_COLLECT_OPTIONS_PARSE_H

#include "options.h"
#include "process/error.h"

/* Return values of options_parse() besides errors. */
enum { OPTIONS_RUN = 0, OPTIONS_END = 1 };

/**
 * options_parse() - parse the command line
 * @o: set to the options; must not move afterwards
 * @argc: as main() got it
 * @argv: as main() got it; must stay, and is modified
 * @e: filled in on error
 *
 * Prints --help and --version itself.
 *
 * Return: OPTIONS_RUN, OPTIONS_END if nothing is left to do, or -EINVAL.
 */
int options_parse(struct options *o, int argc, char **argv, struct error *e);

#endif /* FXT_COLLECT_OPTIONS_PARSE_H */
