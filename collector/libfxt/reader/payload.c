// SPDX-License-Identifier: GPL-2.0-or-later
/* payload.c - see payload.h, and fxt_reader_payload() in fxt_reader.h. */
#include <inttypes.h>

#include "cursor.h"
#include "deviation.h"
#include "payload.h"
#include "window.h"

int fxt_payload_skip(struct fxt_reader *r)
{
	uint64_t pad = r->payload_pad;
	size_t words;
	int ret;

	while (r->words_left) {
		r->at = r->end;
		fxt_window_fill(r, r->end, 1);
		words = r->end - r->at;
		if (!words) {
			uint64_t missing = r->words_left;

			r->words_left = 0;
			r->payload_pad = 0;
			r->totals.skipped++;
			ret = fxt_window_failure(r);
			if (ret)
				return ret;
			return fxt_deviate(r, r->base + r->at * FXT_WORD,
					   FXT_DEV_PAST_END, false, "record size",
					   "the archive ends %" PRIu64 " words before the record does",
					   missing);
		}
		words = r->words_left < words ? r->words_left : words;
		r->at += words;
		r->words_left -= words;
	}
	if (!pad)
		return 0;
	r->payload_pad = 0;
	return fxt_check_padding(r, r->base + (r->at - 1) * FXT_WORD, "payload stream",
				 r->window + r->at - 1, FXT_WORD - pad);
}

int fxt_reader_payload(struct fxt_reader *r, struct fxt_bytes *piece)
{
	uint64_t bytes;
	size_t words;
	int ret = 0;

	if (!r->payload_left)
		return 0;
	r->at = r->end;
	fxt_window_fill(r, r->end, 1);
	words = r->end - r->at;
	words = r->words_left < words ? r->words_left : words;
	if (!words)
		return fxt_payload_skip(r);
	bytes = words * FXT_WORD;
	bytes = bytes < r->payload_left ? bytes : r->payload_left;
	*piece = (struct fxt_bytes){ r->window + r->at, bytes };
	r->payload_left -= bytes;
	r->words_left -= words;
	r->at += words;
	if (!r->words_left && r->payload_pad)
		ret = fxt_payload_skip(r);
	return ret ? ret : 1;
}
