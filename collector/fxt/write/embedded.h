/* SPDX-License-Identifier: GPL-2.0-or-later */
/* embedded.h - files of the sources that are printed. */
#ifndef FXT_WRITE_EMBEDDED_H
#define FXT_WRITE_EMBEDDED_H

#include "liboutput/out.h"

/** struct embedded_file - its bytes, from EMBED_FILE() */
struct embedded_file {
	const char *begin;
	const char *end;
};

/* The assembler reads a file by its path from the top folder, also in a cross build. */
#define EMBED_FILE(name, path)							\
	extern const char name##_begin[];					\
	extern const char name##_end[];						\
	__asm__(".pushsection .rodata\n" #name "_begin:\n"			\
		".incbin \"" path "\"\n" #name "_end:\n.popsection\n");		\
	static const struct embedded_file name = { name##_begin, name##_end };

/**
 * out_code() - print a script or style without comments and indentation
 * @file: a comment begins a line or is the end of one; no string has several lines
 */
void out_code(struct out *o, const struct embedded_file *file);

#endif /* FXT_WRITE_EMBEDDED_H */
