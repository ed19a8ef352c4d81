/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An archive full of records that the format allows but does not define yet. */
#ifndef SELFTESTS_UNDEFINED_RECORDS_H
#define SELFTESTS_UNDEFINED_RECORDS_H

#include <fxt/fxt_sched.h>

#include "archive_builder.h"

#define UNDEFINED_ARG	11U
#define UNDEFINED_WORD	0x123456789abcdef0ULL

static inline void build_undefined(struct built *b)
{
	const uint64_t undefined = fxt_put(FXT_SIZE, 2) | fxt_put(FXT_TYPE, 12);

	BUILD(b, FXT_MAGIC_RECORD, fxt_provider_info(7, 3));
	BUILD_TEXT(b, "gen");
	BUILD(b, fxt_initialization(), 1000000000, fxt_string(1, 3));
	BUILD_TEXT(b, "abc");
	BUILD(b, undefined, UNDEFINED_WORD,
	      /* Sub-types of metadata, events, scheduling and profiler records. */
	      fxt_put(FXT_SIZE, 1) | 9 << 16,
	      fxt_put(FXT_SIZE, 2) | FXT_RECORD_EVENT | 15 << 16, UNDEFINED_WORD,
	      fxt_put(FXT_SIZE, 2) | FXT_RECORD_SCHEDULING | 7ULL << 60, UNDEFINED_WORD,
	      fxt_put(FXT_SIZE, 2) | FXT_RECORD_PROFILER | 5 << 16, UNDEFINED_WORD,
	      fxt_provider_event(7, 9),
	      fxt_blob(2, 1, 8, 200), UNDEFINED_WORD,
	      /* An argument, and words after the last field of an argument and a record. */
	      fxt_event(9, FXT_EVENT_INSTANT, 2, FXT_THREAD_REF_INLINE, 1, 1), 100, 10, 11,
	      fxt_arg_header(UNDEFINED_ARG, 2, 1) | 77ULL << 32, UNDEFINED_WORD,
	      fxt_arg_uint32(2, 1, 5), UNDEFINED_WORD, UNDEFINED_WORD,
	      /* A switch out in the state "running": allowed, though no thread can be in it. */
	      fxt_context_switch(4, 0, 2, FXT_THREAD_RUNNING), 200, 11, 12);
}

struct undefined_count {
	unsigned int records;
	unsigned int args;
	unsigned int extras;
	unsigned int running;
	unsigned int events;
	unsigned int blobs;
};

static inline bool undefined_is_word(const struct fxt_bytes *bytes)
{
	const uint64_t word = UNDEFINED_WORD;

	return bytes->bytes == sizeof(word) && !memcmp(bytes->data, &word, sizeof(word));
}

static inline void undefined_each(struct walk *w, struct fxt_reader *r,
				  const struct fxt_record *rec, const struct fxt_content *c)
{
	struct undefined_count *n = w->arg;

	(void)r;
	(void)rec;
	n->events += c->kind == FXT_KIND_PROVIDER_EVENT && c->event == 9;
	n->blobs += c->kind == FXT_KIND_BLOB && c->blob_type == 200;
	n->running += c->kind == FXT_KIND_CONTEXT_SWITCH && c->sw.state == FXT_THREAD_RUNNING;
	if (c->kind != FXT_KIND_INSTANT || c->arg_count != 2)
		return;
	n->args = c->args[0].type == UNDEFINED_ARG && c->args[0].u64 == 77 &&
		  undefined_is_word(&c->args[0].extra) && fxt_text_is(&c->args[0].name, "abc");
	n->extras += undefined_is_word(&c->args[1].extra) + undefined_is_word(&c->extra);
}

/* Does a strict reader find all of these records in the archive? */
static inline bool undefined_is_whole(const char *path)
{
	struct undefined_count n = { 0 };
	struct walk w = { .o.strict = true, .each = undefined_each, .arg = &n };
	int ret = walk_path(&w, path);

	for (size_t i = 0; i < w.met_count; i++)
		n.records += w.met[i].kind == FXT_KIND_UNKNOWN;
	if (ret || n.records != 5 || n.args != 1 || n.extras != 2 || n.running != 1 ||
	    n.events != 1 || n.blobs != 1) {
		fprintf(stderr, "%s: records %u, args %u, extras %u, running %u, events %u, blobs %u\n",
			w.error, n.records, n.args, n.extras, n.running, n.events, n.blobs);
		ret = -1;
	}
	return !ret;
}

#endif /* SELFTESTS_UNDEFINED_RECORDS_H */
