/* SPDX-License-Identifier: GPL-2.0-or-later */
/* units.h - times and sizes on command lines, as exact ns or bytes, rounded down. */
#ifndef LIBFXT_UNITS_H
#define LIBFXT_UNITS_H

#include <stdint.h>

/* For messages about invalid values. */
#define FXT_TIME_EXAMPLES	"500ms, 1.5s, 2m"
#define FXT_SIZE_EXAMPLES	"512K, 1.5G"

/*
 * Parse a time like "10", "2.5", "150ms", "1.5s", "2m": a number, which may have decimals, and ns,
 * us, ms, s, m or h (default: s). Return: 0; -EINVAL if @text is invalid; -ERANGE if it is more
 * than 2^64 - 1 ns.
 */
int fxt_parse_time(const char *text, uint64_t *ns);

/*
 * Parse a size like "4096", "512K", "1.5G": a number, which may have decimals, and K, M, G or T,
 * powers of 1024 (default: bytes). Return: as fxt_parse_time().
 */
int fxt_parse_size(const char *text, uint64_t *bytes);

#endif /* LIBFXT_UNITS_H */
