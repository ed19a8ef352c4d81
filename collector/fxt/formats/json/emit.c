// SPDX-License-Identifier: GPL-2.0-or-later
/* emit.c - the beginning and the end of each event. See json.h. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "fields.h"
#include "json.h"

char *json_open_at(struct json *j, char *p, char phase, const struct json_place *place)
{
	if (j->written++)
		*p++ = ',';
	p = out_str_at(p, "\n{\"ph\":\"");
	*p++ = phase;
	p = out_json_u64_at(out_str_at(p, "\",\"pid\":"), place->pid);
	p = out_json_u64_at(out_str_at(p, ",\"tid\":"), place->tid);
	return out_str_at(p, ",\"ts\":");
}

void json_open(struct json *j, char phase, const struct json_place *place, uint64_t ns)
{
	char *p = out_room(j->o, JSON_OPEN_BYTES + OUT_NUMBER);

	out_put(j->o, out_micros_at(json_open_at(j, p, phase, place), ns));
}

void json_next(struct json *j)
{
	out_str(j->o, j->written++ ? ",\n" : "\n");
}

char json_phase(enum fxt_kind kind)
{
#define PHASE(kind, phase) [kind] = phase,
	static const char phases[FXT_KIND_COUNT] = { JSON_PHASES(PHASE) };
#undef PHASE

	return phases[kind];
}

void json_open_metadata(struct json *j, const struct json_place *place, const char *name)
{
	struct out *o = j->o;

	json_next(j);
	out_str(o, "{\"ph\":\"M\",\"pid\":");
	out_json_u64(o, place->pid);
	out_str(o, ",\"tid\":");
	out_json_u64(o, place->tid);
	out_str(o, ",\"name\":\"");
	out_str(o, name);
	out_char(o, '"');
}

void json_end(struct json *j)
{
	out_char(j->o, '}');
}

void json_name(struct json *j, const struct fxt_text *category, const struct fxt_text *name)
{
	out_str(j->o, ",\"cat\":");
	out_json_text(j->o, category);
	out_str(j->o, ",\"name\":");
	out_json_text(j->o, name);
}

void json_hex(struct out *o, uint64_t value)
{
	out_char(o, '"');
	out_hex(o, value);
	out_char(o, '"');
}

void json_id(struct json *j, uint64_t id)
{
	out_str(j->o, ",\"id\":");
	json_hex(j->o, id);
}

/* --------------------------------------------------------------------
 * Arguments as a JSON object, in which no key occurs twice. Integers beyond 2^53 are strings, so
 * that readers do not round them.
 */

/* Length of the first character; 0 if it is invalid and becomes U+FFFD. */
static uint32_t character(const char *s, size_t length)
{
	return fxt_utf8_length((const unsigned char *)s, length);
}

/* All invalid UTF-8 becomes the same. */
static bool same_key(const struct fxt_text *a, const struct fxt_text *b)
{
	static const char replacement[] = "\xef\xbf\xbd";
	size_t i = 0, k = 0;
	uint32_t n, m;

	while (i < a->length && k < b->length) {
		n = character(a->bytes + i, a->length - i);
		m = character(b->bytes + k, b->length - k);
		if ((n ? n : 3) != (m ? m : 3) ||
		    memcmp(n ? a->bytes + i : replacement, m ? b->bytes + k : replacement,
			   n ? n : 3))
			return false;
		i += n ? n : 1;
		k += m ? m : 1;
	}
	return i == a->length && k == b->length;
}

static bool is_taken(const struct fxt_content *c, const struct fxt_text *key)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++)
		if (same_key(&c->args[i].name, key))
			return true;
	return false;
}

/* The key is the argument's name, or NAME#2 for the second argument of that name. */
void json_arg_key(struct json *j, const struct fxt_content *c, unsigned int at)
{
	const struct fxt_text *name = &c->args[at].name;
	struct fxt_text key = *name;
	unsigned int i, again = 0, number = 1;

	for (i = 0; i < at; i++)
		again += same_key(&c->args[i].name, name);
	if (again) {
		memcpy(j->key, name->bytes, name->length);
		key.bytes = j->key;
	}
	/* Another argument may be called NAME#2. */
	while (again) {
		number++;
		key.length = name->length +
			     snprintf(j->key + name->length, sizeof(j->key) - name->length,
				      "#%u", number);
		again -= !is_taken(c, &key);
	}
	out_json_text(j->o, &key);
	out_char(j->o, ':');
}

void json_arg_value(struct out *o, const struct fxt_arg *a)
{
	switch (a->type) {
	case FXT_ARG_INT32:
	case FXT_ARG_INT64:
		out_json_i64(o, a->i64);
		break;
	case FXT_ARG_UINT32:
	case FXT_ARG_UINT64:
	case FXT_ARG_KOID:
		out_json_u64(o, a->u64);
		break;
	case FXT_ARG_DOUBLE:
		out_json_double(o, a->f64);
		break;
	case FXT_ARG_STRING:
		out_json_text(o, &a->text);
		break;
	case FXT_ARG_POINTER:
		json_hex(o, a->u64);
		break;
	case FXT_ARG_BOOL:
		out_str(o, a->u64 ? "true" : "false");
		break;
	case FXT_ARG_BLOB:
		out_json_base64(o, a->blob.data, a->blob.bytes);
		break;
	default:	/* null, and types that have no value here */
		out_str(o, "null");
	}
}

/* Counter series must be numbers: no strings for large ones. */
static bool put_number(struct json *j, const struct fxt_content *c, unsigned int at,
		       bool first)
{
	const struct fxt_arg *a = &c->args[at];
	bool is_signed = a->type == FXT_ARG_INT32 || a->type == FXT_ARG_INT64;
	bool is_unsigned = a->type == FXT_ARG_UINT32 || a->type == FXT_ARG_UINT64;

	if (!is_signed && !is_unsigned &&
	    !(a->type == FXT_ARG_DOUBLE && isfinite(a->f64))) {
		j->dropped++;
		return false;
	}
	if (!first)
		out_char(j->o, ',');
	json_arg_key(j, c, at);
	if (is_signed)
		out_i64(j->o, a->i64);
	else if (is_unsigned)
		out_u64(j->o, a->u64);
	else
		out_json_double(j->o, a->f64);
	return true;
}

void json_args(struct json *j, const struct fxt_content *c, bool numbers_only)
{
	bool first = true;
	unsigned int i;

	out_char(j->o, '{');
	for (i = 0; i < c->arg_count; i++) {
		if (numbers_only) {
			first &= !put_number(j, c, i, first);
			continue;
		}
		if (i)
			out_char(j->o, ',');
		json_arg_key(j, c, i);
		if (!(j->refs & 1U << i)) {
			json_arg_value(j->o, &c->args[i]);
			continue;
		}
			/* Readers replace this with the object. */
		out_str(j->o, "{\"id_ref\":");
		json_hex(j->o, c->args[i].u64);
		out_char(j->o, '}');
	}
	out_char(j->o, '}');
}

/* --- names, places and labels of tracks --- */

void json_track_sort(struct json *j, const char *kind, const struct json_place *place,
		     int64_t index)
{
	char what[32];

	snprintf(what, sizeof(what), "%s_sort_index", kind);
	json_open_metadata(j, place, what);
	out_str(j->o, ",\"args\":{\"sort_index\":");
	out_i64(j->o, index);
	out_char(j->o, '}');
	json_end(j);
}

void json_track_name(struct json *j, const char *kind, const struct json_place *place,
		     const struct fxt_text *name, const struct fxt_content *args)
{
	char what[32];

	snprintf(what, sizeof(what), "%s_name", kind);
	json_open_metadata(j, place, what);
	out_str(j->o, ",\"args\":{\"name\":");
	out_json_text(j->o, name);
	if (args && args->arg_count) {
		out_str(j->o, ",\"fxt_args\":");
		json_args(j, args, false);
	}
	out_char(j->o, '}');
	json_end(j);
}

void json_track(struct json *j, const char *kind, const struct json_place *place,
		const char *name, int64_t sort_index)
{
	struct fxt_text text = { .bytes = name, .length = strlen(name) };

	json_track_name(j, kind, place, &text, NULL);
	json_track_sort(j, kind, place, sort_index);
}

void json_label(struct json *j, const struct json_place *place, const char *label,
		size_t length)
{
	if (length == 1 && *label == '/')
		return;
	json_open_metadata(j, place, "process_labels");
	out_str(j->o, ",\"args\":{\"labels\":");
	out_json(j->o, label, length);
	out_char(j->o, '}');
	json_end(j);
}
