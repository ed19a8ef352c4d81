/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * open_program.h - how fxt runs fxt-open: with the file that it serves on standard input, and these
 * arguments. Its exit status is that of fxt open.
 */
#ifndef FXT_OPEN_OPEN_PROGRAM_H
#define FXT_OPEN_OPEN_PROGRAM_H

enum open_argument {
	OPEN_PATH,	/* of the file, as the user gave it */
	OPEN_PORT,	/* a decimal number; 0: any free port */
	OPEN_FLAGS,	/* letters, see below; may be empty */
	OPEN_ARGUMENTS,
};

#define OPEN_NO_BROWSER	'n'
#define OPEN_ANY_USER	'a'

#endif /* FXT_OPEN_OPEN_PROGRAM_H */
