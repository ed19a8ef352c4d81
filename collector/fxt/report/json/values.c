// SPDX-License-Identifier: GPL-2.0-or-later
/* values.c - values of columns as JSON. */
#include "sections.h"

void json_histogram(struct json *j, const char *key, const struct report_hist *h)
{
	struct report_bucket b;
	unsigned int at = 0;

	json_key(j, key);
	json_begin(j, '[');
	while (!j->is_brief && report_hist_next(h, &at, &b)) {
		json_item(j);
		json_begin(j, '[');
		json_item(j);
		out_json_u64(j->o, b.low);
		json_item(j);
		out_json_u64(j->o, b.high);
		json_item(j);
		out_json_u64(j->o, b.count);
		json_end(j, ']');
	}
	json_end(j, ']');
}

static void put_functions(struct json *j, const char *key, const struct report *r,
			  const struct fxt_call_stack *stack)
{
	const char *name;
	char text[20];
	uint32_t i;

	json_key(j, key);
	json_begin(j, '[');
	for (i = 0; i < stack->count; i++) {
		json_item(j);
		name = report_frame_name(&r->stacks, stack, i, text);
		out_json(j->o, name, strlen(name));
	}
	json_end(j, ']');
}

void json_value(struct json *j, const struct report *r, const char *key, enum column_type type,
		const struct value *v)
{
	switch (type) {
	case COLUMN_FLAG:
		json_boolean(j, key, v->number);
		return;
	case COLUMN_PRIORITY:
		json_key(j, key);
		out_json_i64(j->o, v->signed_number);
		return;
	case COLUMN_SHARE:
	case COLUMN_RATE:
	case COLUMN_AVERAGE:
	case COLUMN_NUMBER:
		json_key(j, key);
		out_json_double(j->o, v->fraction);
		return;
	case COLUMN_KHZ:
		json_number(j, key, v->fraction + 0.5);
		return;
	case COLUMN_NAME:
	case COLUMN_PATH:
	case COLUMN_TEXT:
	case COLUMN_KIND:
	case COLUMN_EVENT:
		json_text(j, key, v->text);
		return;
	case COLUMN_BYTES:
		json_key(j, key);
		out_json(j->o, v->text, v->length);
		return;
	case COLUMN_HISTOGRAM:
		json_histogram(j, key, v->pointer);
		return;
	case COLUMN_FUNCTIONS:
		put_functions(j, key, r, v->pointer);
		return;
	default:
		json_number(j, key, v->number);
	}
}

struct value json_column_value(const struct report *r, const struct column *c, const void *row)
{
	return c->get || c->size ? column_value(c, r, row) : value_pointer(row);
}
