/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * units.h - times and sizes as command lines have them.
 *
 * What flows in: the value of an option of either program. What flows out: ns or bytes,
 * exact: what is less than one of them is cut.
 */
#ifndef LIBFXT_UNITS_H
#define LIBFXT_UNITS_H

#include <stdint.h>

/* What messages about such values say is right. */
#define FXT_TIME_EXAMPLES	"500ms, 1.5s, 2m"
#define FXT_SIZE_EXAMPLES	"512K, 1.5G"

/**
 * fxt_parse_time() - "10", "2.5", "150ms", "1.5s", "2m"
 * @text: a number, which may have decimals, and ns, us, ms, s, m or h; seconds if there
 *	is no unit
 * @ns: set to it
 *
 * Return: 0; -EINVAL if it is not understood; -ERANGE if it is more than 2^64 - 1 ns.
 */
int fxt_parse_time(const char *text, uint64_t *ns);

/**
 * fxt_parse_size() - "4096", "512K", "1.5G"
 * @text: a number, which may have decimals, and K, M, G or T, powers of 1024; bytes if
 *	there is no unit
 * @bytes: set to it
 *
 * Return: as fxt_parse_time().
 */
int fxt_parse_size(const char *text, uint64_t *bytes);

#endif /* LIBFXT_UNITS_H */
