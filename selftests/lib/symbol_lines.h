/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol_lines.h - the functions that an archive names (fxt_sched_stack.h).
 */
#ifndef SELFTESTS_SYMBOL_LINES_H
#define SELFTESTS_SYMBOL_LINES_H

#include <stdbool.h>
#include <stdint.h>

/**
 * symbol_lines_have() - is a frame in a function whose name has a certain part?
 * @lines: of the archive; NULL for none
 * @process: of the stack
 * @frame: the frame
 * @part: of the name and the file, as "main [program"
 */
bool symbol_lines_have(const char *lines, uint64_t process, uint64_t frame, const char *part);

#endif /* SELFTESTS_SYMBOL_LINES_H */
