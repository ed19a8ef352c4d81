/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hybrid.h - Parquet's run-length and bit-packing hybrid: definition levels, and indices into
 * a dictionary. See "Run Length Encoding / Bit-Packing Hybrid" in parquet-format's
 * Encodings.md.
 */
#ifndef FXT_FORMATS_PARQUET_HYBRID_H
#define FXT_FORMATS_PARQUET_HYBRID_H

#include "buffer.h"

/** parquet_hybrid_width() - the bits that values up to @largest need, at least 1 */
unsigned int parquet_hybrid_width(uint32_t largest);

/** parquet_hybrid_run() - @count times the same value */
void parquet_hybrid_run(struct parquet_buffer *b, uint32_t value, size_t count,
			unsigned int width);

/** parquet_hybrid() - any values, without a length before them */
void parquet_hybrid(struct parquet_buffer *b, const uint32_t *values, size_t count,
		    unsigned int width);

#endif /* FXT_FORMATS_PARQUET_HYBRID_H */
