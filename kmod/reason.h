/* SPDX-License-Identifier: GPL-2.0 */
/*
 * reason.h - why a session was refused, as a line of text for its owner.
 *
 * The text goes to the process that asked, not into the kernel log: it is that process
 * that can correct the request.
 */
#ifndef FXT_KMOD_REASON_H
#define FXT_KMOD_REASON_H

#include <linux/compiler.h>

#define FXT_REASON_SIZE	256

/**
 * struct fxt_reason - the text
 * @text: without a line end; empty if there is none
 */
struct fxt_reason {
	char text[FXT_REASON_SIZE];
};

__printf(3, 4) int fxt_refuse(struct fxt_reason *reason, int error, const char *format, ...);

#endif /* FXT_KMOD_REASON_H */
