/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An output of fxt whose text can be read back. */
#ifndef SELFTESTS_OUT_FIXTURE_H
#define SELFTESTS_OUT_FIXTURE_H

#include "harness.h"

#include <json-c/json.h>

#include "liboutput/out.h"

#define ARRAY_LENGTH(a)		(sizeof(a) / sizeof((a)[0]))

struct taken {
	struct out o;
	int fd;
	char *text;
	size_t length;
};

static inline void take(struct taken *t)
{
	char path[64];
	int fd;

	t->text = NULL;
	t->fd = memfd_create("out_test", MFD_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", t->fd);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		abort();
	out_open(&t->o, fd);
}

static inline const char *taken(struct taken *t)
{
	struct stat st;

	if (out_close(&t->o) || fstat(t->fd, &st))
		abort();
	t->length = st.st_size;
	t->text = malloc(t->length + 1);
	if (!t->text || pread(t->fd, t->text, t->length, 0) != (ssize_t)t->length)
		abort();
	t->text[t->length] = 0;
	close(t->fd);
	return t->text;
}

/* Parse all of the text as one JSON value; NULL if it is not one. */
static inline json_object *parse(const char *text, size_t length)
{
	json_tokener *tok = json_tokener_new();
	json_object *value;

	json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	/* A number only ends at the next character, so pass the terminator as well. */
	value = json_tokener_parse_ex(tok, text, length + 1);
	if (json_tokener_get_error(tok) != json_tokener_success ||
	    json_tokener_get_parse_end(tok) != length) {
		value = NULL;
	}
	return value;
}

static inline uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

#endif /* SELFTESTS_OUT_FIXTURE_H */
