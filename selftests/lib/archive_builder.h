/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Archives built word by word, and the reader's reports about them: valid or not, in one byte order
 * or the other. This code does not check the archive itself.
 */
#ifndef SELFTESTS_ARCHIVE_BUILDER_H
#define SELFTESTS_ARCHIVE_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "libfxt/fxt_reader.h"

struct built {
	bool swapped;	/* in the other byte order than this machine's; set before the first word */
	uint64_t *words;	/* the archive so far, as it would be in a file */
	size_t count;	/* number of @words */
	size_t room;	/* number of words that @words has room for */
};

/* These functions end the program if there is no memory. */
void build_words(struct built *b, const uint64_t *words, size_t count);
/** build_stream() - add bytes, in the same order everywhere, padded with zeros */
void build_stream(struct built *b, const void *data, size_t bytes);
void build_free(struct built *b);

#define BUILD(b, ...)							\
	build_words(b, (const uint64_t[]){ __VA_ARGS__ },		\
		    sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))
#define BUILD_TEXT(b, text)	build_stream(b, text, strlen(text))

static inline void build_string(struct built *b, uint64_t index, const char *text)
{
	BUILD(b, fxt_string(index, strlen(text)));
	BUILD_TEXT(b, text);
}

static inline void build_provider(struct built *b, uint64_t id, const char *name)
{
	BUILD(b, fxt_provider_info(id, strlen(name)));
	BUILD_TEXT(b, name);
}

static inline size_t built_bytes(const struct built *b)
{
	return b->count * sizeof(*b->words);
}

/* a copy of a struct fxt_deviation */
struct told {
	uint64_t offset;
	uint64_t record;
	enum fxt_deviation_kind kind;
	bool lost;
	bool note;
	char field[32];
	char text[256];
};

/* a record that was returned, and the result of fxt_reader_content() */
struct met {
	uint64_t offset;
	uint64_t number;
	uint64_t size;		/* words */
	enum fxt_kind kind;
	int content;
};

#define WALK_TOLD	64

/*
 * The result of reading an archive to its end; zero it before the first walk. @o is set by the
 * caller. @each is called with each record that has a content; may be NULL. @ret: 0, or the error
 * of fxt_reader_open(), fxt_reader_next() or, if strict, fxt_reader_content(). @told_count: number
 * of all deviations and notes; @told has the first of them.
 */
struct walk {
	struct fxt_reader_options o;
	void (*each)(struct walk *w, struct fxt_reader *r, const struct fxt_record *rec,
		     const struct fxt_content *c);
	void *arg;

	int ret;
	char error[256];
	char compression[8];
	bool swapped;
	struct fxt_reader_totals totals;
	size_t told_count;
	struct told told[WALK_TOLD];
	size_t met_count;
	size_t met_room;
	struct met *met;
};

int walk_memory(struct walk *w, const void *data, size_t bytes);
int walk_built(struct walk *w, const struct built *b);
int walk_fd(struct walk *w, int fd);
int walk_path(struct walk *w, const char *path);

#endif /* SELFTESTS_ARCHIVE_BUILDER_H */
