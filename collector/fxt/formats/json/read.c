// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * read.c - see format.h and walk/format.h.
 *
 * The format is an array of events, whose end may be missing, or an object with such an
 * array. The member that is ftrace's text becomes records of scheduling behind all others;
 * all other members of the object become blobs.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/ftrace/format.h"
#include "libfxt/foreign.h"
#include "terminal/exit_status.h"
#include "terminal/message.h"
#include "read_event.h"
#include "fields.h"
#include "fuchsia.h"
#include "ids.h"
#include "format.h"
#include "source.h"

/** struct import - a trace that is being converted. @system: ftrace's text, NULL if none */
struct import {
	const char *path;
	bool strict;
	bool writing_failed;
	FILE *system;
	struct json_source s;
	struct json_events e;
	struct json_element element;
};

typedef int (*take_element)(struct json_events *e, struct json_element *element);

static uint64_t losses(const struct json_events *e)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < JSON_LOSS_COUNTER; i++)
		sum += e->lost[i];
	return sum;
}

/* All errors of the writer but that of memory are those of the file. */
static int written(struct import *m, int ret)
{
	m->writing_failed |= ret && ret != -ENOMEM;
	if (!ret && m->strict && losses(&m->e))
		ret = json_source_wrong(&m->s, "this event cannot be converted completely");
	return ret;
}

/* Its record refers to its process and thread, so their names come first. */
static int take_one(struct import *m, take_element take)
{
	int ret = json_ids_take(&m->e, &m->element);

	return ret ? ret : take(&m->e, &m->element);
}

/* An element that json-c has to read. */
static int other_element(struct import *m, take_element take)
{
	struct json_object *value;
	size_t bytes;
	char *text;
	int ret = json_source_value(&m->s, &value);

	if (ret)
		return ret;
	text = (char *)json_object_to_json_string_length(value, JSON_C_TO_STRING_PLAIN |
							 JSON_C_TO_STRING_NOSLASHESCAPE, &bytes);
	if (!text || json_element_scan(&m->element, text, &bytes, true) != JSON_SCAN_DONE)
		ret = -ENOMEM;
	if (!ret)
		ret = written(m, take_one(m, take));
	json_object_put(value);
	return ret;
}

static int element(struct import *m, take_element take)
{
	enum json_scan found;
	size_t bytes;
	char *text;
	int ret;

	do {
		text = json_source_text(&m->s, &bytes);
		found = json_element_scan(&m->element, text, &bytes, false);
		ret = found == JSON_SCAN_MORE ? json_source_more(&m->s) : 0;
	} while (ret > 0);
	if (ret < 0 || found == JSON_SCAN_NO_MEMORY)
		return ret < 0 ? ret : -ENOMEM;
	if (found != JSON_SCAN_DONE)
		return other_element(m, take);
	json_source_consume(&m->s, bytes);
	return written(m, take_one(m, take));
}

/* The elements of an array, whose bracket was read, up to its end. */
static int elements(struct import *m, take_element take, bool may_lack_end)
{
	bool first = true;
	int ret;

	for (;; first = false) {
		ret = json_source_peek(&m->s);
		if (!ret)
			return may_lack_end ? 0 : json_source_wrong(&m->s, "the file ends within an array");
		if (ret == ',' && first && !m->strict) {
			message("fxt: %s: a comma before the first event was skipped\n", m->path);
			json_source_skip(&m->s);
			ret = json_source_peek(&m->s);
		} else if (ret == ',' && !first) {
			json_source_skip(&m->s);
			ret = json_source_peek(&m->s);
			if (!ret)
				continue;
		} else if (ret > 0 && ret != ']' && !first) {
			return json_source_wrong(&m->s, "a comma or ] is missing");
		}
		if (ret == ']')
			json_source_skip(&m->s);
		if (ret < 0 || ret == ']')
			return ret < 0 ? ret : 0;
		ret = element(m, take);
		if (ret)
			return ret;
	}
}

/* One text with events is kept for the end, when its records have the file for themselves. */
static bool is_system(const struct import *m, const char *name, struct json_object *value)
{
	return !strcmp(name, JSON_SYSTEM) && !m->system &&
	       json_object_is_type(value, json_type_string) &&
	       ftrace_has_event(json_object_get_string(value),
				       json_object_get_string_len(value));
}

static int keep_system(struct import *m, struct json_object *text)
{
	size_t bytes = json_object_get_string_len(text);

	m->system = tmpfile();
	if (m->system && fwrite(json_object_get_string(text), 1, bytes, m->system) == bytes &&
	    !fflush(m->system)) {
		rewind(m->system);
		return 0;
	}
	m->writing_failed = true;
	return -errno;
}

static int member(struct import *m, const char *name)
{
	struct json_object *value;
	int ret = json_source_peek(&m->s);

	if (ret == '[' && (!strcmp(name, "traceEvents") || !strcmp(name, "samples"))) {
		json_source_skip(&m->s);
		return elements(m, *name == 't' ? json_event_take : json_sample_take, false);
	}
	if (ret < 0)
		return ret;
	ret = json_source_value(&m->s, &value);
	if (ret)
		return ret;
	if (is_system(m, name, value))
		ret = keep_system(m, value);
	else if (json_fuchsia_is(name, value))
		ret = written(m, json_fuchsia_take(&m->e, value));
	else
		ret = written(m, json_member_take(&m->e, name, value));
	json_object_put(value);
	return ret;
}

/* The members of the object, whose brace was read. */
static int members(struct import *m)
{
	struct json_object *name;
	int ret;

	for (;;) {
		ret = json_source_peek(&m->s);
		if (ret == ',') {
			json_source_skip(&m->s);
			continue;
		}
		if (ret == '}') {
			json_source_skip(&m->s);
			return 0;
		}
		if (ret != '"')
			return ret < 0 ? ret : json_source_wrong(&m->s, ret ?
				"a name is missing" : "the file ends within an object");
		ret = json_source_value(&m->s, &name);
		if (ret)
			return ret;
		ret = json_source_peek(&m->s);
		if (ret == ':') {
			json_source_skip(&m->s);
			ret = member(m, json_object_get_string(name));
		} else if (ret >= 0) {
			ret = json_source_wrong(&m->s, "a colon is missing");
		}
		json_object_put(name);
		if (ret)
			return ret;
	}
}

static int document(struct import *m)
{
	int ret = json_source_mark(&m->s);

	if (ret > 0 && m->strict)
		return json_source_wrong(&m->s, "a byte order mark comes first");
	if (ret > 0)
		message("fxt: %s: a byte order mark at the beginning was skipped\n", m->path);
	ret = ret < 0 ? ret : json_source_peek(&m->s);
	if (ret != '[' && ret != '{')
		return ret < 0 ? ret : json_source_wrong(&m->s, "this is not JSON in the Trace Event Format");
	json_source_skip(&m->s);
	ret = ret == '[' ? elements(m, json_event_take, true) : members(m);
	if (ret)
		return ret;
	ret = json_source_peek(&m->s);
	return ret > 0 ? json_source_wrong(&m->s, "more text follows the end") : ret;
}

static int archive(struct import *m, int fd)
{
	int ret = fxt_writer_open(&m->e.w, fd), error;

	if (!ret)
		ret = fxt_writer_intern(m->e.w);
	if (!ret)
		ret = fxt_writer_magic(m->e.w);
	if (!ret)
		ret = fxt_writer_provider(m->e.w, JSON_PROVIDER_ID, JSON_PROVIDER);
	if (!ret)
		ret = fxt_writer_initialization(m->e.w, 1000000000);
	m->writing_failed = ret && ret != -ENOMEM;
	if (!ret)
		ret = document(m);
	error = fxt_writer_close(m->e.w);
	m->writing_failed |= error && (!ret || ret == -EBADMSG);
	return m->writing_failed && error ? error : ret;
}

static int report(const struct import *m, int ret)
{
	int status = VERB_DONE;
	unsigned int i;

	for (i = 0; i < JSON_LOSS_COUNT; i++) {
		if (!m->e.lost[i])
			continue;
		message("fxt: %s: %" PRIu64 " %s\n", m->path, m->e.lost[i],
			json_loss_name(i));
		status = i == JSON_LOSS_COUNTER ? status : VERB_DEVIATES;
	}
	if (!ret)
		return status;
	if (m->writing_failed) {
		message("fxt: cannot write a temporary file: %s\n", strerror(-ret));
		return VERB_UNWRITABLE;
	}
	if (ret == -EBADMSG) {
		message("fxt: %s: line %" PRIu64 ", byte %" PRIu64 ": %s\n", m->path,
			m->s.line, json_source_offset(&m->s), m->s.error);
		return m->e.events ? VERB_DEVIATES : VERB_UNREADABLE;
	}
	message("fxt: cannot read %s: %s\n", m->path, strerror(-ret));
	return VERB_UNREADABLE;
}

/* Return: enum verb_exit */
static int add_system(const struct import *m, int to)
{
	size_t room = strlen(m->path) + sizeof(": " JSON_SYSTEM);
	char *path = malloc(room);
	int status;

	if (!path) {
		message("fxt: cannot read %s: %s\n", m->path, strerror(ENOMEM));
		return VERB_UNREADABLE;
	}
	snprintf(path, room, "%s: " JSON_SYSTEM, m->path);
	status = ftrace_read_part(path, fileno(m->system), m->strict, to);
	free(path);
	return status;
}

bool json_detect(const char *head, size_t bytes)
{
	const char *what = fxt_foreign(head, bytes);

	return what && !strcmp(what, "JSON");
}

int json_read(const char *path, int from, bool strict, int to)
{
	struct import *m = calloc(1, sizeof(*m));
	int ret, status;

	if (!m) {
		message("fxt: cannot read %s: %s\n", path, strerror(ENOMEM));
		return VERB_UNREADABLE;
	}
	m->path = path;
	m->strict = strict;
	ret = json_source_open(&m->s, from);
	if (!ret)
		ret = archive(m, to);
	json_source_close(&m->s);
	json_element_free(&m->element);
	json_ids_free(&m->e);
	ret = report(m, ret);
	if (m->system && (ret == VERB_DONE || (ret == VERB_DEVIATES && !strict))) {
		status = add_system(m, to);
		ret = status > ret ? status : ret;
	}
	if (m->system)
		fclose(m->system);
	free(m);
	return ret;
}
