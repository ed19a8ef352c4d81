// SPDX-License-Identifier: GPL-2.0
/*
 * reason.c - see reason.h.
 */
#include <linux/kernel.h>

#include "reason.h"

/**
 * fxt_refuse() - say why a session is refused
 * @reason: set to the text
 * @error: a negative errno
 * @format: of the text, as of printk()
 *
 * Context: any.
 *
 * Return: @error.
 */
int fxt_refuse(struct fxt_reason *reason, int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vscnprintf(reason->text, sizeof(reason->text), format, args);
	va_end(args);
	return error;
}
