/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tell a story, run fxt check over it, check its output. */
#ifndef SELFTESTS_CHECK_FIXTURE_H
#define SELFTESTS_CHECK_FIXTURE_H

#include "harness.h"

#include <json-c/json.h>

#include "collector.h"
#include "sched_story.h"
#include "tool.h"

FIXTURE(check)
{
	char dir[RECORD_PATH];
	char path[RECORD_PATH + 16];
	struct story s;
	struct tool t;
	struct json_object *j;
};

FIXTURE_SETUP(check)
{
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
	snprintf(self->path, sizeof(self->path), "%s/x.fxt", self->dir);
	story_begin(&self->s);
}

FIXTURE_TEARDOWN(check)
{
	dir_remove(self->dir);
}

/* With up to three options. */
static int check(FIXTURE_DATA(check) *self, const char *a, const char *b, const char *c)
{
	const char *args[6] = { "check" };
	const char * const options[] = { a, b, c };
	unsigned int i, n = 1;

	for (i = 0; i < 3; i++)
		if (options[i])
			args[n++] = options[i];
	args[n] = self->path;
	save_file(self->path, self->s.b.words, built_bytes(&self->s.b));
	return tool_run(&self->t, args);
}

#define CHECK(...)	check(self, ## __VA_ARGS__)
#define LINE(format, ...)							\
	has_line(_metadata, &self->t, self->path, format, ## __VA_ARGS__)

/* Does a line "FILE: ..." of the output begin with this text? */
static inline __attribute__((format(printf, 4, 5))) bool
has_line(struct __test_metadata *_metadata, const struct tool *t, const char *path,
	 const char *format, ...)
{
	char text[512], line[1024];
	const char *p = t->out;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(line, sizeof(line), "%s: %s", path, text);
	for (; p && *p; p = strchr(p, '\n'), p += !!p)
		if (!strncmp(p, line, strlen(line)))
			return true;
	TH_LOG("no line '%s' in:\n%s", line, t->out);
	return false;
}

static inline bool has_text(struct __test_metadata *_metadata, const struct tool *t,
			    const char *text)
{
	if (strstr(t->out, text))
		return true;
	TH_LOG("no '%s' in:\n%s", text, t->out);
	return false;
}

#define TEXT(text)	has_text(_metadata, &self->t, text)

/* Run with --json, and parse the first line into @j. */
static inline int check_json(FIXTURE_DATA(check) *self)
{
	int status = check(self, "--json", NULL, NULL);

	self->j = json_tokener_parse(self->t.out);
	return status;
}

/* @path: like "a.b.0.c" */
static inline struct json_object *at(struct json_object *j, const char *path)
{
	char *copy = strdup(path), *save_ptr = NULL, *key;

	for (key = strtok_r(copy, ".", &save_ptr); key && j;
	     key = strtok_r(NULL, ".", &save_ptr)) {
		if (json_object_is_type(j, json_type_array))
			j = json_object_array_get_idx(j, atoi(key));
		else if (!json_object_object_get_ex(j, key, &j))
			j = NULL;
	}
	return j;
}

#define NUMBER(path)	json_object_get_int64(at(self->j, path))
#define STRING(path)	json_object_get_string(at(self->j, path))
#define COUNT(path)	json_object_array_length(at(self->j, path))

static inline void tell_sound(struct story *s)
{
	STORY(s, "names@1; name 11 eleven; name 12/11 twelve; 0@1000 0>11; 1500 wake 12 by 11; "
		 "2000 11>12 S");
}

#endif /* SELFTESTS_CHECK_FIXTURE_H */
