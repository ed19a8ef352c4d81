// SPDX-License-Identifier: GPL-2.0-or-later
/* Each call encodes a value in the next one of all possible ways. */
#include <math.h>
#include <string.h>

#include "generate_values.h"

void put(struct gen *g, const struct fxt_content *c)
{
	if (!g->ret)
		g->ret = fxt_writer_record(g->w, c);
}

struct fxt_content of_kind(struct gen *g, enum fxt_kind kind)
{
	return (struct fxt_content){ .kind = kind, .time = g->time += 1000 };
}

struct fxt_text written(const char *text)
{
	return (struct fxt_text){ .bytes = text, .length = strlen(text) };
}

struct fxt_text at(uint16_t index)
{
	return (struct fxt_text){ .bytes = "", .ref = index };
}

struct fxt_text some_text(struct gen *g)
{
	switch (g->count++ % 9) {
	case 0:
		return at(S_NAME);
	case 1:
		return written("inline");
	case 2:
		return at(S_UNICODE);
	case 3:
		return written("eight by");
	case 4:
		return at(S_VALUE);
	case 5:
		return written("żółć ∞ 👩‍💻");
	case 6:
		return at(FXT_STRING_REF_EMPTY);
	case 7:
		return at(S_LAST);
	}
	/* An empty string that is nevertheless marked as inline. */
	return (struct fxt_text){ .bytes = "", .ref = FXT_STRING_REF_INLINE };
}

struct fxt_thread_id some_thread(struct gen *g)
{
	static const uint8_t refs[] = { T_FIRST, 0, T_LAST, T_SECOND };
	uint8_t ref = refs[g->count++ % ARRAY_LENGTH(refs)];

	return (struct fxt_thread_id){ PROCESS, THREAD + 3, ref };
}

static struct fxt_arg number(unsigned int variant)
{
	switch (variant) {
	case 0:
		return (struct fxt_arg){ .type = FXT_ARG_INT32, .i64 = INT32_MIN };
	case 1:
		return (struct fxt_arg){ .type = FXT_ARG_INT32, .i64 = INT32_MAX };
	case 2:
		return (struct fxt_arg){ .type = FXT_ARG_UINT32, .u64 = UINT32_MAX };
	case 3:
		return (struct fxt_arg){ .type = FXT_ARG_INT64, .i64 = INT64_MIN };
	case 4:
		return (struct fxt_arg){ .type = FXT_ARG_INT64, .i64 = INT64_MAX };
	case 5:
		return (struct fxt_arg){ .type = FXT_ARG_UINT64, .u64 = UINT64_MAX };
	case 6:
		return (struct fxt_arg){ .type = FXT_ARG_DOUBLE, .f64 = 0.1 };
	case 7:
		return (struct fxt_arg){ .type = FXT_ARG_DOUBLE, .f64 = -1e300 };
	}
	return (struct fxt_arg){ .type = FXT_ARG_INT32, .i64 = -1 };
}

static struct fxt_arg variant(unsigned int variant)
{
	switch (variant) {
	case 9:
		return (struct fxt_arg){ .type = FXT_ARG_NULL };
	case 10:
		return (struct fxt_arg){ .type = FXT_ARG_DOUBLE, .f64 = (double)NAN };
	case 11:
		return (struct fxt_arg){ .type = FXT_ARG_DOUBLE, .f64 = -(double)INFINITY };
	case 12:
		return (struct fxt_arg){ .type = FXT_ARG_STRING, .text = at(S_UNICODE) };
	case 13:
		return (struct fxt_arg){ .type = FXT_ARG_STRING,
					 .text = { .bytes = "a\0\nvalue", .length = 8 } };
	case 14:
		return (struct fxt_arg){ .type = FXT_ARG_STRING, .text = at(0) };
	case 15:
		return (struct fxt_arg){ .type = FXT_ARG_POINTER, .u64 = 0xffffffff81000000 };
	case 16:
		return (struct fxt_arg){ .type = FXT_ARG_KOID, .u64 = THREAD };
	case 17:
		return (struct fxt_arg){ .type = FXT_ARG_BOOL, .u64 = 1 };
	case 18:
		return (struct fxt_arg){ .type = FXT_ARG_BLOB };
	case 19:
		return (struct fxt_arg){ .type = FXT_ARG_BLOB,
					 .blob = { "\xff\0binary\x80 data", 14 } };
	}
	return number(variant);
}

void add_args(struct gen *g, struct fxt_content *c, unsigned int count, unsigned int variants)
{
	static const char * const names[] = { "first", "ein Name", "третий", "x" };
	struct fxt_arg *arg;

	for (; count && c->arg_count < FXT_MAX_ARGS; count--) {
		arg = &c->args[c->arg_count++];
		*arg = variant(g->count++ % variants);
		arg->name = g->count % 3 ? written(names[g->count % ARRAY_LENGTH(names)]) :
					   at(S_ARGUMENT);
	}
}

void add_arg(struct fxt_content *c, struct fxt_text name, struct fxt_arg arg)
{
	arg.name = name;
	c->args[c->arg_count++] = arg;
}
