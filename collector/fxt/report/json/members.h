/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * members.h - parts of a JSON object, with the commas between them.
 */
#ifndef FXT_REPORT_JSON_MEMBERS_H
#define FXT_REPORT_JSON_MEMBERS_H

#include <string.h>

#include "report/stats/report.h"
#include "write/out.h"

/* Tracks where commas are due: between the members within one pair of brackets. */
struct json {
	struct out *o;
	bool is_more;
};

static inline void json_begin(struct json *j, char bracket)
{
	out_char(j->o, bracket);
	j->is_more = false;
}

static inline void json_end(struct json *j, char bracket)
{
	out_char(j->o, bracket);
	j->is_more = true;
}

static inline void json_item(struct json *j)
{
	if (j->is_more)
		out_char(j->o, ',');
	j->is_more = true;
}

static inline void json_key(struct json *j, const char *name)
{
	json_item(j);
	out_char(j->o, '"');
	out_str(j->o, name);
	out_str(j->o, "\":");
}

static inline void json_number(struct json *j, const char *name, uint64_t value)
{
	json_key(j, name);
	out_json_u64(j->o, value);
}

static inline void json_null(struct json *j, const char *name)
{
	json_key(j, name);
	out_str(j->o, "null");
}

static inline void json_boolean(struct json *j, const char *name, bool value)
{
	json_key(j, name);
	out_str(j->o, value ? "true" : "false");
}

/* A name in the archive, or null if it has none. */
static inline void json_text(struct json *j, const char *name, const char *value)
{
	if (!value || !*value) {
		json_null(j, name);
		return;
	}
	json_key(j, name);
	out_json(j->o, value, strlen(value));
}

static inline void json_thread_name(struct json *j, const char *name, const struct report_thread *t)
{
	json_text(j, name, t->sched->koid ? t->sched->name : report_name(t));
}

#endif /* FXT_REPORT_JSON_MEMBERS_H */
