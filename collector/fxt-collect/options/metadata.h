/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metadata.h - what the user says of a recording: -M KEY=VALUE.
 *
 * In: words of the command line. Out: lines of the description of the recording.
 */
#ifndef FXT_COLLECT_OPTIONS_METADATA_H
#define FXT_COLLECT_OPTIONS_METADATA_H

#include <stdio.h>

#include "process/error.h"

#define METADATA_MAX		16
#define METADATA_KEY_MAX	32	/* bytes */
#define METADATA_VALUE_MAX	256	/* bytes */

/**
 * struct metadata - the pairs in the order of the command line
 * @pairs: "KEY=VALUE", checked
 * @count: number of them
 */
struct metadata {
	const char *pairs[METADATA_MAX];
	unsigned int count;
};

/**
 * metadata_add() - check a pair and add it
 * @m: the pairs
 * @pair: "KEY=VALUE": of a key, letters, digits, "_", "-" and "."; a value in UTF-8
 *	without control characters
 * @e: filled in on error
 *
 * Return: 0 or -EINVAL.
 */
int metadata_add(struct metadata *m, const char *pair, struct error *e);

/** metadata_describe() - write lines "meta.KEY VALUE" */
void metadata_describe(const struct metadata *m, FILE *f);

#endif /* FXT_COLLECT_OPTIONS_METADATA_H */
