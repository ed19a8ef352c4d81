/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - what fxt-collect was asked to do.
 */
#ifndef FXT_COLLECT_OPTIONS_H
#define FXT_COLLECT_OPTIONS_H

#include "error.h"
#include "source.h"

enum source_choice {
	SOURCE_AUTO,
	SOURCE_KMOD,
	SOURCE_BPF,
};

/**
 * struct options - the command line
 * @output: path of the archive, "-" for standard output
 * @duration: ns to record, 0 for until told to stop
 * @source: which one
 * @buffer: bytes per CPU, as asked for
 * @config: what the source is opened with
 * @quiet: say nothing but errors
 * @verbose: say what happens
 * @command: COMMAND and its arguments, NULL at the end; NULL without
 */
struct options {
	const char *output;
	uint64_t duration;
	enum source_choice source;
	uint64_t buffer;
	struct source_config config;
	bool quiet;
	bool verbose;
	char **command;
};

/* What options_parse() returns beside errors. */
enum { OPTIONS_RUN = 0, OPTIONS_END = 1 };

/**
 * options_parse() - read the command line
 * @o: set to what it says
 * @argc: as main() got it
 * @argv: as main() got it
 * @e: filled in on error
 *
 * Prints --help and --version itself.
 *
 * Return: OPTIONS_RUN, OPTIONS_END if there is nothing more to do, or -EINVAL.
 */
int options_parse(struct options *o, int argc, char **argv, struct error *e);

/**
 * options_size_text() - a size as -b takes it
 * @text: room for it
 * @room: bytes
 * @bytes: the size
 *
 * Return: @text.
 */
const char *options_size_text(char *text, size_t room, uint64_t bytes);

#endif /* FXT_COLLECT_OPTIONS_H */
