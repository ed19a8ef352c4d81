// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * values.c - the texts, objects and arguments that cells of rows refer to.
 *
 * In: strings, koids, pointers and arguments of the archive.
 * Out: clean texts, rows of the tables object and args.
 */
#include <math.h>

#include <fxt/fxt_sched.h>

#include "libfxt/objects.h"
#include "table.h"

/* --- cells, rows and their times --------------------------------------------------------- */

struct table_cell cell_real(double value)
{
	if (!isfinite(value))
		return cell_null();
	return (struct table_cell){ .type = TABLE_REAL, .real = value };
}

struct table_cell cell_str(const char *s)
{
	return (struct table_cell){ .type = TABLE_TEXT, .text = { s, strlen(s) } };
}

void table_row(struct tables *t, enum table table, const struct table_cell *cells)
{
	if (!t->error)
		t->error = t->row(t->arg, table, cells);
}

int64_t table_time(struct tables *t, uint64_t ns)
{
	if (ns <= INT64_MAX)
		return (int64_t)ns;
	t->stats[STAT_TIME_CUT]++;
	return INT64_MAX;
}

void table_see(struct tables *t, uint64_t ns)
{
	if (ns < t->first)
		t->first = ns;
	if (ns > t->last)
		t->last = ns;
}

uint64_t table_record_time(struct tables *t, const struct fxt_record *rec, uint64_t ticks)
{
	uint64_t ns = fxt_ticks_to_ns(ticks, rec->provider->ticks_per_second);

	table_see(t, ns);
	return ns;
}

/* --- the texts that later rows refer to -------------------------------------------------- */

/*
 * Each text is kept once for as long as anything refers to it. Short indices can refer to long
 * strings, so the total is limited to TABLE_MAX_NAME_BYTES.
 */

static const char replacement[] = "\xef\xbf\xbd";	/* U+FFFD */

/* Length of the first character, 0 if it is invalid. */
static uint32_t good_length(const char *bytes, size_t length)
{
	return *bytes ? fxt_utf8_length((const unsigned char *)bytes, length) : 0;
}

/*
 * Convert a text to UTF-8 without NUL and set @length. Returns @bytes if the text is clean, else
 * t->clean.
 */
static const char *clean(struct tables *t, const char *bytes, size_t *length)
{
	size_t i = 0, out = 0;
	uint32_t n;

	while (i < *length && (n = good_length(bytes + i, *length - i)))
		i += n;
	if (i == *length)
		return bytes;
	for (i = 0; i < *length && out + 4 <= sizeof(t->clean); i += n ? n : 1) {
		n = good_length(bytes + i, *length - i);
		memcpy(t->clean + out, n ? bytes + i : replacement, n ? n : 3);
		out += n ? n : 3;
	}
	*length = out;
	return t->clean;
}

/* @bytes is clean. */
static struct table_name *intern(struct tables *t, const char *bytes, size_t length)
{
	uint64_t hash = fxt_hash_bytes(bytes, length);
	struct table_name *n;

	if (map_find(&t->names, hash, n, n->length == length && !memcmp(n->bytes, bytes, length)))
		return table_name_ref(n);
	if (sizeof(*n) + length > TABLE_MAX_NAME_BYTES - t->name_bytes) {
		t->stats[STAT_NAMES_LEFT_OUT]++;
		return NULL;
	}
	n = must(malloc(sizeof(*n) + length));
	n->refs = 1;
	n->length = length;
	memcpy(n->bytes, bytes, length);
	t->name_bytes += sizeof(*n) + length;
	map_put(&t->names, &n->node, hash);
	return n;
}

struct table_name *table_name(struct tables *t, const char *bytes, size_t length)
{
	bytes = clean(t, bytes, &length);
	return intern(t, bytes, length);
}

struct table_name *table_name_text(struct tables *t, const struct fxt_text *text)
{
	return table_name(t, text->bytes, text->length);
}

struct table_cell cell_clean(struct tables *t, const char *bytes, size_t length)
{
	bytes = clean(t, bytes, &length);
	return (struct table_cell){ .type = TABLE_TEXT, .text = { bytes, length } };
}

struct table_cell cell_hex(struct tables *t, const struct fxt_bytes *data)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *byte = data->data;
	uint64_t i;

	for (i = 0; i < data->bytes && 2 * i + 2 <= sizeof(t->clean); i++) {
		t->clean[2 * i] = digits[byte[i] >> 4];
		t->clean[2 * i + 1] = digits[byte[i] & 15];
	}
	return (struct table_cell){ .type = TABLE_TEXT, .text = { t->clean, 2 * i } };
}

struct table_name *table_name_hex(struct tables *t, const struct fxt_bytes *data)
{
	struct table_cell hex = cell_hex(t, data);

	return intern(t, hex.text.bytes, hex.text.length);
}

void table_name_put(struct tables *t, struct table_name *n)
{
	if (!n || --n->refs)
		return;
	map_remove(&t->names, &n->node);
	t->name_bytes -= sizeof(*n) + n->length;
	free(n);
}

/* --- the objects that arguments refer to ------------------------------------------------- */

/*
 * An argument refers to the last row of its object so far. A pointer without a record refers to
 * nothing, because addresses are reused. A koid without one refers to the first record that
 * follows; if there is none, the object gets a row without a name at the end.
 */

/* Beside enum fxt_object_class: an argument's koid whose object is not known yet. */
#define CLASS_UNKNOWN	(FXT_CLASS_OTHER + 1)

struct table_object {
	struct map_node node;
	uint64_t process;		/* koid; 0 for kernel objects */
	uint64_t value;			/* koid or pointer */
	int64_t id;			/* of its last row */
	unsigned int class;		/* enum fxt_object_class or CLASS_UNKNOWN */
	bool described;			/* by a record: its row has been written */
};

/* All classes share one hash, so that an unknown object can get its class later. */
static struct table_object *find_object(struct tables *t, unsigned int class, uint64_t process,
					uint64_t value)
{
	struct table_object *o;

	return map_find(&t->objects, map_hash(process, value), o,
			o->class == class && o->process == process && o->value == value);
}

/* Returns NULL if there is no room. */
static struct table_object *add_object(struct tables *t, unsigned int class, uint64_t process,
				       uint64_t value)
{
	struct table_object *o;

	if (!table_has_room(t, t->objects.count, STAT_OBJECTS_LEFT_OUT))
		return NULL;
	must(map_new(&t->objects, map_hash(process, value), o));
	o->process = process;
	o->value = value;
	o->class = class;
	o->id = table_id(t, TABLE_OBJECT);
	return o;
}

/* The kernel object of this class. An object of unknown class gets the class now. */
static struct table_object *of_class(struct tables *t, unsigned int class, uint64_t koid)
{
	struct table_object *o = find_object(t, class, 0, koid);

	if (o)
		return o;
	o = find_object(t, CLASS_UNKNOWN, 0, koid);
	if (!o)
		return add_object(t, class, 0, koid);
	o->class = class;
	return o;
}

/* A process and its main thread may have the same koid. */
static struct table_object *of_any_class(struct tables *t, uint64_t koid)
{
	static const unsigned int order[] = {
		FXT_CLASS_THREAD, FXT_CLASS_PROCESS, FXT_CLASS_OTHER, CLASS_UNKNOWN,
	};
	struct table_object *o = NULL;
	unsigned int i;

	for (i = 0; i < sizeof(order) / sizeof(order[0]) && !o; i++)
		o = find_object(t, order[i], 0, koid);
	return o ? o : add_object(t, CLASS_UNKNOWN, 0, koid);
}

/* The id of the object that a koid argument refers to, or 0; koid 0 is not an object. */
static int64_t object_of_koid(struct tables *t, uint64_t koid, bool is_process)
{
	struct table_object *o;

	if (!koid)
		return 0;
	o = is_process ? of_class(t, FXT_CLASS_PROCESS, koid) : of_any_class(t, koid);
	return o ? o->id : 0;
}

static int64_t object_of_pointer(struct tables *t, uint64_t process, uint64_t pointer)
{
	struct table_object *o = find_object(t, FXT_CLASS_USERSPACE, process, pointer);

	return o ? o->id : 0;
}

int64_t table_object_id(struct tables *t, const struct fxt_content *c)
{
	enum fxt_object_class class = fxt_object_class(c);
	bool is_userspace = class == FXT_CLASS_USERSPACE;
	uint64_t process = is_userspace ? c->thread.process : 0;
	struct table_object *o;
	int64_t id;

	o = is_userspace ? find_object(t, class, process, c->object) : of_class(t, class, c->object);
	if (!o && is_userspace)
		o = add_object(t, class, process, c->object);
	/* The row that arguments already refer to, or a new one that replaces the last. */
	id = o && !o->described ? o->id : table_id(t, TABLE_OBJECT);
	if (o) {
		o->id = id;
		o->described = true;
	}
	return id;
}

void table_objects_finish(struct tables *t)
{
	struct table_object *o;

	map_each(&t->objects, o)
		if (!o->described)
			TABLE_ROW(t, TABLE_OBJECT, cell_int(o->id), cell_int(o->value), cell_null(),
				  cell_null(), cell_null(), cell_null(), cell_null());
}

void table_objects_free(struct tables *t)
{
	map_free_all(&t->objects, struct table_object);
}

/* --- arguments --------------------------------------------------------------------------- */

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

void table_arg_set(struct tables *t, struct table_arg *a, const struct fxt_arg *arg,
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
		a->object = object_of_koid(t, arg->u64, fxt_argument_is_process(arg));
		arg_integer(a, "uint", (int64_t)arg->u64);
		break;
	case FXT_ARG_POINTER:
		a->object = object_of_pointer(t, process, arg->u64);
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
		table_arg_set(t, &args[i], &c->args[i], process);
	set = table_args(t, args, c->arg_count, 0);
	for (i = 0; i < c->arg_count; i++)
		table_arg_put(t, &args[i]);
	return set;
}
