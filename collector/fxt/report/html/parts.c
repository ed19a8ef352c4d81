// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * parts.c - see parts.h.
 *
 * The assembler reads the files by their paths from the top folder, also in a cross
 * build.
 */
#include "parts.h"

#define PART(name, extension)							\
	extern const char name##_##extension##_begin[], name##_##extension##_end[]; \
	__asm__(".pushsection .rodata\n"					\
		#name "_" #extension "_begin:\n"				\
		".incbin \"collector/fxt/report/html/page/" #name "." #extension "\"\n"	\
		#name "_" #extension "_end:\n"					\
		".popsection\n");						\
	const struct html_part html_##name##_##extension = {			\
		name##_##extension##_begin, name##_##extension##_end		\
	};

PART(report, html)
PART(report, css)
#define SCRIPT(name) PART(name, js)
HTML_SCRIPTS(SCRIPT)
