// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * args.c - arguments of events, objects and BLOBs.
 *
 * In: arguments as in the archive.
 * Out: rows of args; those of one record share one arg_set_id.
 * Must hold: an argument refers to the object that its koid or pointer means at the
 * argument's place in the archive, which may precede the object's row.
 */
#include <math.h>

#include <fxt/fxt_sched.h>

#include "libfxt/objects.h"
#include "table.h"

static void arg_integer(struct table_arg *a, const char *type, int64_t value)
{
	a->type = type;
	a->cell = TABLE_INT;
	a->integer = value;
}

static void arg_real(struct tables *t, struct table_arg *a, double value)
{
	const char *text = isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";

	a->type = "real";
	a->numeric = true;
	a->number = value;
	a->cell = TABLE_REAL;
	a->real = value;
	if (!isfinite(value)) {
		a->cell = TABLE_TEXT;
		a->text = table_name(t, text, strlen(text));
	}
}

static void arg_text(struct table_arg *a, const char *type, struct table_name *text)
{
	a->type = type;
	a->cell = TABLE_TEXT;
	a->text = text;
}

void table_arg_take(struct tables *t, struct table_arg *a, const struct fxt_arg *arg,
		    uint64_t process)
{
	a->key = table_name_text(t, &arg->name);
	switch (arg->type) {
	case FXT_ARG_INT32:
	case FXT_ARG_INT64:
		a->numeric = true;
		a->number = (double)arg->i64;
		arg_integer(a, "int", arg->i64);
		break;
	case FXT_ARG_UINT32:
	case FXT_ARG_UINT64:
		a->numeric = true;
		a->number = (double)arg->u64;
		arg_integer(a, "uint", (int64_t)arg->u64);
		break;
	case FXT_ARG_KOID:
		a->object = table_object(t, arg->u64, fxt_argument_is_process(arg));
		arg_integer(a, "uint", (int64_t)arg->u64);
		break;
	case FXT_ARG_POINTER:
		a->object = table_object_pointer(t, process, arg->u64);
		arg_integer(a, "pointer", (int64_t)arg->u64);
		break;
	case FXT_ARG_BOOL:
		arg_integer(a, "bool", (int64_t)arg->u64);
		break;
	case FXT_ARG_DOUBLE:
		arg_real(t, a, arg->f64);
		break;
	case FXT_ARG_STRING:
		arg_text(a, "string", table_name_text(t, &arg->text));
		break;
	case FXT_ARG_BLOB:
		arg_text(a, "blob", table_name_hex(t, &arg->blob));
		break;
	default:
		a->type = arg->type == FXT_ARG_NULL ? "null" : "unknown";
	}
}

void table_arg_put(struct tables *t, struct table_arg *a)
{
	table_name_put(t, a->key);
	if (a->cell == TABLE_TEXT)
		table_name_put(t, a->text);
}

static void arg_row(struct tables *t, const struct table_arg *a, int64_t set)
{
	bool integer = a->cell == TABLE_INT, real = a->cell == TABLE_REAL;

	TABLE_ROW(t, TABLE_ARGS, cell_int(table_id(t, TABLE_ARGS)), cell_int(set),
		  cell_name(a->key), cell_name(a->key),
		  integer ? cell_int(a->integer) : cell_null(),
		  a->cell == TABLE_TEXT ? cell_name(a->text) : cell_null(),
		  real ? cell_real(a->real) : cell_null(), cell_str(a->type),
		  cell_id(a->object));
}

int64_t table_args(struct tables *t, const struct table_arg *args, unsigned int count,
		   int64_t set)
{
	unsigned int i;

	if (count && !set)
		set = ++t->arg_sets;
	for (i = 0; i < count; i++)
		arg_row(t, &args[i], set);
	return set;
}

int64_t table_args_now(struct tables *t, const struct fxt_content *c)
{
	/* A pointer in a kernel object belongs to no process. */
	uint64_t process = c->kind == FXT_KIND_KERNEL_OBJECT ? 0 : c->thread.process;
	struct table_arg args[FXT_MAX_ARGS] = { 0 };
	int64_t set;
	unsigned int i;

	for (i = 0; i < c->arg_count; i++)
		table_arg_take(t, &args[i], &c->args[i], process);
	set = table_args(t, args, c->arg_count, 0);
	for (i = 0; i < c->arg_count; i++)
		table_arg_put(t, &args[i]);
	return set;
}
