// SPDX-License-Identifier: GPL-2.0-or-later
/* field.c - see field.h. */
#include <bpf/btf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "types.h"

#define KNOWN_ROOM	320	/* bytes of a list in a message */

/**
 * struct search - what was found so far
 * @btf: the kernel's types
 * @f: the field
 * @type: the type of what was found, NULL for void
 * @bits: bits of a bit field; 0 for other members
 */
struct search {
	const struct btf *btf;
	struct fxt_bpf_field *f;
	const struct btf_type *type;
	unsigned int bits;
};

static const char *name_at(const struct btf *btf, unsigned int offset)
{
	return btf__name_by_offset(btf, offset);
}

/* Without typedef, const and volatile; NULL for void. */
static const struct btf_type *strip(const struct btf *btf, unsigned int id)
{
	const struct btf_type *t = btf__type_by_id(btf, id);

	while (t && (btf_is_mod(t) || btf_is_typedef(t) || btf_is_type_tag(t)))
		t = btf__type_by_id(btf, t->type);
	return t && !btf_is_void(t) ? t : NULL;
}

/* --- arguments ------------------------------------------------------------------------ */

/* The names of a tracepoint's parameters are those of functions that its macros define. */
static const struct btf_type *named_proto(const struct btf *btf, const char *event,
					  unsigned int params)
{
	static const char * const prefixes[] = { "__traceiter_", "__probestub_", "__bpf_trace_" };
	const struct btf_type *t;
	char name[128];
	size_t i;
	int id;

	for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		snprintf(name, sizeof(name), "%s%s", prefixes[i], event);
		id = btf__find_by_name_kind(btf, name, BTF_KIND_FUNC);
		t = id > 0 ? btf__type_by_id(btf, btf__type_by_id(btf, id)->type) : NULL;
		if (t && btf_is_func_proto(t) && btf_vlen(t) == params &&
		    *name_at(btf, btf_params(t)[params - 1].name_off))
			return t;
	}
	return NULL;
}

bool event_arguments(struct event_arguments *a, const struct kernel_types *types,
		     const char *event)
{
	const struct btf *btf = kernel_types_btf(types);
	const struct btf_type *proto, *named;
	int id = kernel_types_event(types, event);
	unsigned int i;

	proto = id > 0 ? strip(btf, id) : NULL;
	if (proto && btf_is_ptr(proto))
		proto = strip(btf, proto->type);
	if (!proto || !btf_is_func_proto(proto) || !btf_vlen(proto))
		return false;
	/* The first parameter is of the probe. */
	*a = (struct event_arguments){ .event = event, .btf = btf, .count = btf_vlen(proto) - 1 };
	if (a->count > FXT_BPF_CUSTOM_ARGS)
		a->count = FXT_BPF_CUSTOM_ARGS;
	named = a->count ? named_proto(btf, event, btf_vlen(proto)) : NULL;
	for (i = 0; i < a->count; i++) {
		a->types[i] = btf_params(proto)[i + 1].type;
		if (named)
			snprintf(a->names[i], sizeof(a->names[i]), "%s",
				 name_at(btf, btf_params(named)[i + 1].name_off));
		if (!*a->names[i])
			snprintf(a->names[i], sizeof(a->names[i]), "arg%u", i);
	}
	return true;
}

static bool is_integer(const struct btf_type *t)
{
	return t && (btf_is_int(t) || btf_is_any_enum(t)) && t->size <= 8;
}

void event_integers(const struct event_arguments *a, struct tracepoint *t)
{
	unsigned int i;

	for (i = 0; i < a->count && t->field_count < FXT_SCHED_CUSTOM_FIELDS; i++)
		if (is_integer(strip(a->btf, a->types[i])))
			snprintf(t->fields[t->field_count++], TRACEPOINT_FIELD, "%s",
				 a->names[i]);
}

/* Return: the argument's number; -1 if there is no such argument. */
static int argument_of(const struct event_arguments *a, const char *name)
{
	unsigned int i;
	char number[16];

	for (i = 0; i < a->count; i++) {
		snprintf(number, sizeof(number), "arg%u", i);
		if (!strcmp(a->names[i], name) || !strcmp(number, name))
			return i;
	}
	return -1;
}

/* --- members ------------------------------------------------------------------------------ */

/* Add a name to a list, if it has room. */
static void list(char *known, const char *name)
{
	size_t used = strlen(known);

	if (used + strlen(name) + 8 < KNOWN_ROOM)
		snprintf(known + used, KNOWN_ROOM - used, "%s%s", used ? ", " : "", name);
	else if (strcmp(known + used - 3, "..."))
		snprintf(known + used, KNOWN_ROOM - used, ", ...");
}

static void list_members(const struct btf *btf, const struct btf_type *t, char *known)
{
	unsigned int i, count = btf_is_composite(t) ? btf_vlen(t) : 0;
	const char *name;

	for (i = 0; i < count; i++) {
		name = name_at(btf, btf_members(t)[i].name_off);
		if (*name)
			list(known, name);
		else
			list_members(btf, strip(btf, btf_members(t)[i].type), known);
	}
}

/*
 * Find a member, also in members without a name.
 *
 * Return: its number with the struct that has it and the bits before that; -1 without.
 */
static int find_member(const struct btf *btf, const struct btf_type **t, const char *name,
		       unsigned int *before)
{
	unsigned int i, count = *t && btf_is_composite(*t) ? btf_vlen(*t) : 0, below;
	const struct btf_type *inner;
	const char *candidate;
	int found;

	for (i = 0; i < count; i++) {
		candidate = name_at(btf, btf_members(*t)[i].name_off);
		if (!strcmp(candidate, name))
			return i;
		if (*candidate)
			continue;
		inner = strip(btf, btf_members(*t)[i].type);
		below = *before + btf_member_bit_offset(*t, i);
		found = find_member(btf, &inner, name, &below);
		if (found >= 0) {
			*t = inner;
			*before = below;
			return found;
		}
	}
	return -1;
}

/* Go on to a member: of a struct that is here, or that a pointer refers to. */
static int enter(struct search *s, const struct event_arguments *a, const char *text,
		 const char *name, struct error *e)
{
	struct fxt_bpf_field *f = s->f;
	const struct btf_type *t = s->type;
	unsigned int before = 0;
	char known[KNOWN_ROOM] = "";
	int i;

	if (t && btf_is_ptr(t)) {
		if (f->memory && f->steps == FXT_BPF_CUSTOM_STEPS)
			return fail(e, EXIT_USAGE, -EINVAL,
				    "--events tp:%s: %s: more than %u pointers", a->event, text,
				    FXT_BPF_CUSTOM_STEPS);
		if (f->memory)
			f->at[f->steps++] = f->offset;
		f->memory = true;
		f->offset = 0;
		t = strip(s->btf, t->type);
	} else if (!f->memory && t && btf_is_composite(t)) {
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--events tp:%s: %s: the kernel passes a struct, not a pointer to it",
			    a->event, text);
	}
	if (t)
		list_members(s->btf, t, known);
	i = find_member(s->btf, &t, name, &before);
	if (i < 0)
		return fail(e, EXIT_USAGE, -EINVAL, "--events tp:%s: %s: no member %s; %s%s",
			    a->event, text, name, *known ? "there are " : "it has none", known);
	before += btf_member_bit_offset(t, i);
	s->bits = btf_member_bitfield_size(t, i);
	f->offset += before / 8;
	f->shift = before % 8;
	s->type = strip(s->btf, btf_members(t)[i].type);
	return 0;
}

/* --- the whole ---------------------------------------------------------------------------- */

static bool is_char(const struct btf *btf, unsigned int id)
{
	const struct btf_type *t = strip(btf, id);

	return t && btf_is_int(t) && t->size == 1 && !(btf_int_encoding(t) & BTF_INT_BOOL) &&
	       !strcmp(name_at(btf, t->name_off), "char");
}

static enum fxt_bpf_field_kind integer_kind(const struct btf_type *t)
{
	bool is_signed = btf_is_int(t) ? btf_int_encoding(t) & BTF_INT_SIGNED : btf_kflag(t);

	if (btf_is_int(t) && btf_int_encoding(t) & BTF_INT_BOOL)
		return FXT_BPF_FIELD_BOOL;
	return is_signed ? FXT_BPF_FIELD_SIGNED : FXT_BPF_FIELD_UNSIGNED;
}

static void finish_integer(struct search *s)
{
	struct fxt_bpf_field *f = s->f;

	f->kind = btf_is_ptr(s->type) ? FXT_BPF_FIELD_POINTER : integer_kind(s->type);
	f->bits = s->bits ? s->bits : 8 * f->size;
	/* A bit field may begin in one of the type's units and end in the next one. */
	if (s->bits)
		f->size = (f->shift + f->bits + 7) / 8;
}

/* What the type of the field makes of it. Return: 0; -EINVAL if it cannot be recorded. */
static int finish(struct search *s)
{
	const struct btf_type *t = s->type;
	struct fxt_bpf_field *f = s->f;

	if (!t)
		return -EINVAL;
	f->size = btf_is_ptr(t) ? 8 : t->size;
	if (btf_is_array(t) && f->memory && is_char(s->btf, btf_array(t)->type)) {
		f->kind = FXT_BPF_FIELD_STRING;
	} else if (btf_is_ptr(t) && is_char(s->btf, t->type) &&
		   (!f->memory || f->steps < FXT_BPF_CUSTOM_STEPS)) {
		f->kind = FXT_BPF_FIELD_STRING;
		if (f->memory)
			f->at[f->steps++] = f->offset;
		f->offset = 0;
	} else if (is_integer(t) || btf_is_ptr(t)) {
		finish_integer(s);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		return s->bits ? -EINVAL : 0;
#endif
	} else {
		return -EINVAL;
	}
	return f->size <= 8 || f->kind == FXT_BPF_FIELD_STRING ? 0 : -EINVAL;
}

int field_find(struct fxt_bpf_field *f, const struct event_arguments *a, const char *text,
	       struct error *e)
{
	struct search s = { .btf = a->btf, .f = f };
	char copy[TRACEPOINT_FIELD], known[KNOWN_ROOM] = "", *rest = copy, *name;
	unsigned int i;
	int arg, ret = 0;

	snprintf(copy, sizeof(copy), "%s", text);
	name = strsep(&rest, ".");
	arg = argument_of(a, name);
	if (arg < 0) {
		for (i = 0; i < a->count; i++)
			list(known, a->names[i]);
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--events tp:%s: no argument %s; %s%s", a->event, name,
			    a->count ? "there are " : "it has none", known);
	}
	*f = (struct fxt_bpf_field){ .arg = arg };
	s.type = strip(a->btf, a->types[arg]);
	while (!ret && (name = strsep(&rest, ".")))
		ret = enter(&s, a, text, name, e);
	if (!ret && finish(&s))
		ret = fail(e, EXIT_USAGE, -EINVAL,
			   "--events tp:%s: %s is no number, string or pointer; choose a member of it",
			   a->event, text);
	return ret;
}
