/* SPDX-License-Identifier: GPL-2.0-or-later */
/* labels.h - numbers for people, in few columns. */
#ifndef FXT_WRITE_LABELS_H
#define FXT_WRITE_LABELS_H

#include <stdint.h>

/** struct label - a number with its unit, at most 6 characters (ids 8) */
struct label {
	char text[24];
};

/** time_label() - ns with three digits, as 12.3us */
struct label time_label(uint64_t ns);

/** count_label() - all digits, or three of them, as 12.3M */
struct label count_label(uint64_t count);

/** share_label() - a share of 1, as 12.34% */
struct label share_label(double share);

/** id_label() - a koid; of those with more than 8 digits the last ones, as ~1234567 */
struct label id_label(uint64_t koid);

#endif /* FXT_WRITE_LABELS_H */
