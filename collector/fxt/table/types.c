// SPDX-License-Identifier: GPL-2.0-or-later
/* types.c - the types of columns. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "liboutput/json.h"
#include "schema.h"
#include "text.h"

/* --- fields ------------------------------------------------------------------------------ */

static struct value pointer_at(const void *field, size_t size)
{
	(void)size;
	return value_pointer(*(const void *const *)field);
}

static struct value signed_at(const void *field, size_t size)
{
	return (struct value){ .signed_number = (int32_t)column_number_at(field, size) };
}

static struct value khz_at(const void *field, size_t size)
{
	return value_fraction(column_number_at(field, size));
}

static struct value cpu_at(const void *field, size_t size)
{
	uint64_t number = column_number_at(field, size);

	return number == COLUMN_NO_CPU ? value_unknown() : value_of(number);
}

/* --- JSON -------------------------------------------------------------------------------- */

/* Define a function for @json of a type, which writes @v at @key to @j. */
#define PUT(name, write)							\
	static void name(struct json *j, const char *key, const void *all,	\
			 const struct value *v)					\
	{									\
		(void)all;							\
		write;								\
	}
PUT(put_number, json_number(j, key, v->number))
PUT(put_signed, (json_key(j, key), out_json_i64(j->o, v->signed_number)))
PUT(put_flag, json_boolean(j, key, v->number))
PUT(put_fraction, (json_key(j, key), out_json_double(j->o, v->fraction)))
PUT(put_rounded, json_number(j, key, v->fraction + 0.5))
PUT(put_text, json_text(j, key, v->text))
PUT(put_bytes, json_string_of(j, key, v->text, v->length))

/* --- numbers as text --------------------------------------------------------------------- */

static struct label formatted(const char *format, double value)
{
	struct label l;

	snprintf(l.text, sizeof(l.text), format, value);
	return l;
}

/* Define a function for @number of a type: the label of @v. */
#define NUMBER(name, result)							\
	static struct label name(const struct text *t, const struct value *v)	\
	{									\
		(void)t;							\
		(void)v;							\
		return result;							\
	}
NUMBER(show_count, count_label(v->number))
NUMBER(show_time, time_label(v->number))
NUMBER(show_of_window, share_label(t->window > 0 ? v->number / t->window : 0))
NUMBER(show_id, id_label(v->number))
NUMBER(show_share, share_label(v->fraction))
NUMBER(show_rate, formatted("%.1f", v->fraction))
NUMBER(show_average, formatted("%.2f", v->fraction))
NUMBER(show_number, formatted("%.6g", v->fraction))
NUMBER(show_khz, formatted("%.0f", v->fraction / 1e3))
NUMBER(show_gap, (struct label){ "" })

static struct label show_priority(const struct text *t, const struct value *v)
{
	struct label l;

	(void)t;
	snprintf(l.text, sizeof(l.text), "%" PRId64, v->signed_number);
	return l;
}

static struct label show_seconds(const struct text *t, const struct value *v)
{
	struct label l;

	(void)t;
	*out_seconds_at(l.text, v->number) = '\0';
	return l;
}

static struct label show_event(const struct text *t, const struct value *v)
{
	struct label l;

	(void)t;
	snprintf(l.text, sizeof(l.text), "%s", v->text);
	return l;
}

/* --- names as text ----------------------------------------------------------------------- */

static unsigned int print_name(const struct text *t, const struct value *v, unsigned int width)
{
	return text_name(t, v->text && *v->text ? v->text : "?", width ? width : UINT_MAX);
}

static unsigned int print_path(const struct text *t, const struct value *v, unsigned int width)
{
	return text_row_name(t, v->text && *v->text ? v->text : "?", width);
}

static unsigned int print_bytes(const struct text *t, const struct value *v, unsigned int width)
{
	return v->is == VALUE_KNOWN ? out_safe_fit(t->o, v->text, v->length, width) :
				      text_name(t, "?", width);
}

static unsigned int print_thread(const struct text *t, const struct value *v, unsigned int width)
{
	return v->pointer ? text_thread(t, v->pointer, width) : text_name(t, "?", width);
}

/* --- types ------------------------------------------------------------------------------- */

const struct column_type column_count = {
	.page = "count", .json = put_number, .number = show_count,
	.schema = SCHEMA_OF(IS_NUMBER),
};
const struct column_type column_time = {
	.page = "time", .json = put_number, .number = show_time,
	.schema = SCHEMA_OF(IS_NS),
};
const struct column_type column_of_window = {
	.page = "time", .json = put_number, .number = show_of_window,
	.schema = SCHEMA_OF(IS_NS),
};
const struct column_type column_mean = {
	.page = "mean", .number = show_time,
};
const struct column_type column_seconds = {
	.page = "seconds", .json = put_number, .number = show_seconds,
	.schema = SCHEMA_OF(IS_TIME),
};
const struct column_type column_id = {
	.page = "id", .json = put_number, .number = show_id,
	.schema = SCHEMA_OF(IS_NUMBER),
};
const struct column_type column_cpu = {
	.page = "id", .read = cpu_at, .json = put_number, .number = show_count,
	.schema = SCHEMA_OF(IS_NUMBER | OR_NULL),
};
const struct column_type column_priority = {
	.page = "number", .read = signed_at, .json = put_signed, .number = show_priority,
	.schema = SCHEMA_OF(IS_SIGNED),
};
const struct column_type column_flag = {
	.page = "flag", .json = put_flag, .number = show_count,
	.schema = SCHEMA_OF(IS_FLAG),
};
const struct column_type column_share = {
	.page = "share", .json = put_fraction, .number = show_share,
	.schema = SCHEMA_OF(IS_FRACTION),
};
const struct column_type column_rate = {
	.page = "number", .json = put_fraction, .number = show_rate,
	.schema = SCHEMA_OF(IS_FRACTION),
};
const struct column_type column_average = {
	.page = "average", .json = put_fraction, .number = show_average,
	.schema = SCHEMA_OF(IS_FRACTION),
};
const struct column_type column_number = {
	.page = "number", .json = put_fraction, .number = show_number,
	.schema = SCHEMA_OF(IS_DOUBLE),
};
const struct column_type column_khz = {
	.page = "mhz", .read = khz_at, .json = put_rounded, .number = show_khz,
	.schema = SCHEMA_OF(IS_NUMBER),
};
const struct column_type column_name = {
	.page = "text", .is_name = true, .read = pointer_at, .json = put_text, .print = print_name,
	.schema = SCHEMA_OF(IS_TEXT | OR_NULL),
};
const struct column_type column_path = {
	.page = "text", .is_name = true, .read = pointer_at, .json = put_text, .print = print_path,
	.schema = SCHEMA_OF(IS_TEXT | OR_NULL),
};
const struct column_type column_text = {
	.page = "text", .read = pointer_at, .json = put_text, .print = print_name,
	.schema = SCHEMA_OF(IS_TEXT | OR_NULL),
};
const struct column_type column_bytes = {
	.page = "text", .is_name = true, .json = put_bytes, .print = print_bytes,
	.schema = SCHEMA_OF(IS_TEXT),
};
const struct column_type column_kind = {
	.page = "kind", .json = put_text,
	.schema = SCHEMA_OF(IS_TEXT | OR_NULL),
};
const struct column_type column_event = {
	.page = "event", .json = put_text, .number = show_event,
	.schema = SCHEMA_OF(IS_TEXT | OR_NULL),
};
const struct column_type column_thread = {
	.kind = COLUMN_OF_THREAD, .page = "thread", .read = pointer_at, .print = print_thread,
};
const struct column_type column_object = { .kind = COLUMN_OF_OBJECT };
const struct column_type column_same = { .kind = COLUMN_OF_SAME };
const struct column_type column_list = { .kind = COLUMN_OF_LIST };
const struct column_type column_gap = { .number = show_gap };
