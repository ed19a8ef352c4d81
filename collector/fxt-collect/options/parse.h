/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse.h - the command line.
 */
#ifndef FXT_COLLECT_OPTIONS_PARSE_H
#define FXT_COLLECT_OPTIONS_PARSE_H

#include "options.h"
#include "process/error.h"

/* What options_parse() returns beside errors. */
enum { OPTIONS_RUN = 0, OPTIONS_END = 1 };

/**
 * options_parse() - read the command line
 * @o: set to what it says; must not move afterwards
 * @argc: as main() got it
 * @argv: as main() got it; must stay, and is changed
 * @e: filled in on error
 *
 * Prints --help and --version itself.
 *
 * Return: OPTIONS_RUN, OPTIONS_END if there is nothing more to do, or -EINVAL.
 */
int options_parse(struct options *o, int argc, char **argv, struct error *e);

#endif /* FXT_COLLECT_OPTIONS_PARSE_H */
