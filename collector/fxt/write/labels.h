/* SPDX-License-Identifier: GPL-2.0-or-later */
/* labels.h - short numbers with units, for people. */
#ifndef FXT_WRITE_LABELS_H
#define FXT_WRITE_LABELS_H

#include <stdint.h>

/** struct label - a number with its unit, at most 6 characters (ids 8) */
struct label {
	char text[24];
};

/** time_label() - format ns with three digits, as 12.3us */
struct label time_label(uint64_t ns);

/** count_label() - format a count with all digits, or with three, as 12.3M */
struct label count_label(uint64_t count);

/** size_label() - format a number of bytes with three digits, as 128 KiB */
struct label size_label(uint64_t bytes);

/** share_label() - format a share of 1, as 12.34% */
struct label share_label(double share);

/** percent_of() - a share of @all in percent; 0 of nothing */
static inline double percent_of(uint64_t part, uint64_t all)
{
	return all ? part * 100.0 / all : 0.0;
}

/** id_label() - format a koid; one of more than 8 digits is truncated in front, as ~1234567 */
struct label id_label(uint64_t koid);

#endif /* FXT_WRITE_LABELS_H */
