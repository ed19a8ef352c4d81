// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * element.c - see element.h.
 *
 * The zero byte at the end of the text is in no token, so only where a token is wrong must the
 * end of the text be looked for.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"

#define MAX_MEMBERS	64	/* that are compared with one another; json-c hashes more */
#define SAFE_DIGITS	18	/* of integers: any number of so many is one of 64 bits */

/** struct scan - @at is the next byte, @end the zero byte */
struct scan {
	struct json_element *e;
	char *at;
	char *end;
	bool is_ours;
};

static enum json_scan wrong(const struct scan *s)
{
	return s->at == s->end ? JSON_SCAN_MORE : JSON_SCAN_OTHER;
}

static char skip_space(struct scan *s)
{
	while (*s->at == ' ' || *s->at == '\n' || *s->at == '\r' || *s->at == '\t')
		s->at++;
	return *s->at;
}

/* --- strings ---------------------------------------------------------------------- */

#define PLAIN	0
#define HIGH	1
#define ENDS	2

static const char classes[256] = {
	['"'] = ENDS, ['\\'] = ENDS, ['\0'] = ENDS, [0x80 ... 0xff] = HIGH,
};

/* What follows a backslash, but u. */
static const char escapes[256] = {
	['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b', ['f'] = '\f', ['n'] = '\n',
	['r'] = '\r', ['t'] = '\t',
};

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The four digits after \u. Surrogates are json-c's. */
static enum json_scan unicode(struct scan *s, char **to)
{
	unsigned int c = 0;
	int i, digit;

	for (i = 0; i < 4; i++, s->at++) {
		digit = hex_digit(*s->at);
		if (digit < 0)
			return wrong(s);
		c = c << 4 | digit;
	}
	if (c >= 0xd800 && c < 0xe000)
		return JSON_SCAN_OTHER;
	if (c >= 0x800) {
		*(*to)++ = 0xe0 | c >> 12;
		*(*to)++ = 0x80 | (c >> 6 & 0x3f);
	} else if (c >= 0x80) {
		*(*to)++ = 0xc0 | c >> 6;
	}
	*(*to)++ = c >= 0x80 ? 0x80 | (c & 0x3f) : c;
	return JSON_SCAN_DONE;
}

/* The rest of a string, from its first backslash. */
static enum json_scan escaped(struct scan *s, struct json_value *v)
{
	char *to = s->e->decoded + s->e->decoded_bytes;
	size_t plain = s->at - v->text;
	enum json_scan ret;

	memcpy(to, v->text, plain);
	v->text = to;
	v->is_ascii = false;
	for (to += plain; *s->at != '"';) {
		if (!*s->at)
			return wrong(s);
		if (*s->at != '\\') {
			*to++ = *s->at++;
			continue;
		}
		s->at++;
		if (*s->at == 'u') {
			s->at++;
			ret = unicode(s, &to);
			if (ret)
				return ret;
		} else if (escapes[(unsigned char)*s->at]) {
			*to++ = escapes[(unsigned char)*s->at++];
		} else {
			return wrong(s);
		}
	}
	*to = '\0';
	v->length = to - v->text;
	s->e->decoded_bytes += v->length + 1;
	s->at++;
	return JSON_SCAN_DONE;
}

static enum json_scan string(struct scan *s, struct json_value *v)
{
	unsigned char seen = 0;
	char *at = s->at + 1;

	*v = (struct json_value){ .type = json_type_string, .text = at };
	for (; classes[(unsigned char)*at] != ENDS; at++)
		seen |= *at;
	s->at = at;
	v->is_ascii = seen < 0x80;
	if (*at == '\\')
		return escaped(s, v);
	if (*at != '"')
		return wrong(s);
	v->length = at - v->text;
	s->at++;
	return JSON_SCAN_DONE;
}

/* --- other values ------------------------------------------------------------------ */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t digits(struct scan *s)
{
	const char *from = s->at;

	while (is_digit(*s->at))
		s->at++;
	return s->at - from;
}

/* json-c writes numbers as it has read them, which may be in ways that JSON has not. */
static void any_number(struct scan *s, struct json_value *v)
{
	size_t length = strspn(s->at, "+-.0123456789eE");

	v->type = memchr(s->at, '.', length) || memchr(s->at, 'e', length) ||
		  memchr(s->at, 'E', length) ? json_type_double : json_type_int;
	s->at += length;
}

static enum json_scan number(struct scan *s, struct json_value *v)
{
	bool is_negative = *s->at == '-', is_zero;
	size_t whole;

	v->type = json_type_int;
	s->at += is_negative;
	is_zero = *s->at == '0';
	whole = digits(s);
	if (!whole || (is_zero && whole > 1))
		return wrong(s);
	if (*s->at == '.') {
		v->type = json_type_double;
		s->at++;
		if (!digits(s))
			return wrong(s);
	}
	if (*s->at == 'e' || *s->at == 'E') {
		v->type = json_type_double;
		s->at++;
		s->at += *s->at == '+' || *s->at == '-';
		if (!digits(s))
			return wrong(s);
	}
	if (v->type == json_type_int && (whole > SAFE_DIGITS || (is_zero && is_negative)))
		return JSON_SCAN_OTHER;
	return JSON_SCAN_DONE;
}

static enum json_scan literal(struct scan *s, struct json_value *v, const char *word,
			      enum json_type type)
{
	v->type = type;
	for (; *word; word++, s->at++)
		if (*s->at != *word)
			return wrong(s);
	return JSON_SCAN_DONE;
}

/* An object or array of json-c's, which is valid. */
static void skip_tree(struct scan *s, struct json_value *v)
{
	unsigned int depth = 0;

	v->type = *s->at == '{' ? json_type_object : json_type_array;
	v->is_ascii = false;
	do {
		if (*s->at == '{' || *s->at == '[') {
			depth++;
		} else if (*s->at == '}' || *s->at == ']') {
			depth--;
		} else if (*s->at == '"') {
			for (s->at++; *s->at != '"'; s->at++)
				s->at += *s->at == '\\';
		}
		s->at++;
	} while (depth);
}

static enum json_scan other_value(struct scan *s, struct json_value *v)
{
	char c = *s->at == '-' ? s->at[1] : *s->at;

	switch (c) {
	case 't':
		return literal(s, v, "true", json_type_boolean);
	case 'f':
		return literal(s, v, "false", json_type_boolean);
	case 'n':
		return literal(s, v, "null", json_type_null);
	}
	if (!s->is_ours)
		return is_digit(c) || *s->at == '-' ? number(s, v) : wrong(s);
	if (c == 'N')
		return literal(s, v, "NaN", json_type_double);
	if (c == 'I')
		return literal(s, v, *s->at == '-' ? "-Infinity" : "Infinity", json_type_double);
	if (c == '{' || c == '[')
		skip_tree(s, v);
	else
		any_number(s, v);
	return JSON_SCAN_DONE;
}

static enum json_scan value(struct scan *s, struct json_value *v)
{
	enum json_scan ret;

	if (*s->at == '"')
		return string(s, v);
	*v = (struct json_value){ .text = s->at, .is_ascii = true };
	ret = other_value(s, v);
	v->length = s->at - v->text;
	return ret;
}

/* --- members ------------------------------------------------------------------------ */

#define IS(text, word)	(!memcmp(text, word, sizeof(word) - 1))

static enum json_name known(const struct json_value *name)
{
	const char *t = name->text;

	switch (name->length) {
	case 1:
		return *t == 's' ? JSON_S : JSON_OTHER;
	case 2:
		return IS(t, "ph") ? JSON_PH : IS(t, "ts") ? JSON_TS : IS(t, "id") ? JSON_ID :
		       IS(t, "bp") ? JSON_BP : JSON_OTHER;
	case 3:
		return IS(t, "pid") ? JSON_PID : IS(t, "tid") ? JSON_TID : IS(t, "cat") ? JSON_CAT :
		       IS(t, "dur") ? JSON_DUR : IS(t, "id2") ? JSON_ID2 : JSON_OTHER;
	case 4:
		return IS(t, "name") ? JSON_NAME : IS(t, "args") ? JSON_ARGS : JSON_OTHER;
	case 5:
		return IS(t, "scope") ? JSON_SCOPE : JSON_OTHER;
	default:
		return JSON_OTHER;
	}
}

static bool same(const struct json_value *a, const struct json_value *b)
{
	return a->length == b->length && (!a->length || *a->text == *b->text) &&
	       !memcmp(a->text, b->text, a->length);
}

static struct json_member *add(struct json_members *m)
{
	size_t room = m->room ? m->room * 2 : MAX_MEMBERS;
	struct json_member *more;

	if (m->count == m->room) {
		more = realloc(m->list, room * sizeof(*more));
		if (!more)
			return NULL;
		m->list = more;
		m->room = room;
	}
	return &m->list[m->count++];
}

/* The member of this name, if there is one already: the last value counts, at the first's place. */
static struct json_member *earlier(const struct json_members *m, const struct json_value *name)
{
	size_t i;

	for (i = 0; i < m->count; i++)
		if (same(&m->list[i].name, name))
			return &m->list[i];
	return NULL;
}

static enum json_scan place(struct scan *s, struct json_members *m, const struct json_value *name,
			    struct json_member **to)
{
	enum json_name is = m == &s->e->object ? known(name) : JSON_OTHER;

	/* A name of json-c's ends at its first zero. */
	if (!name->is_ascii && memchr(name->text, 0, name->length))
		return JSON_SCAN_OTHER;
	if (!s->is_ours && m->count > MAX_MEMBERS)
		return JSON_SCAN_OTHER;
	if (is)
		*to = s->e->at[is] ? &m->list[s->e->at[is] - 1] : NULL;
	else
		*to = s->is_ours ? NULL : earlier(m, name);
	if (*to)
		return JSON_SCAN_DONE;
	*to = add(m);
	if (!*to)
		return JSON_SCAN_NO_MEMORY;
	(*to)->name = *name;
	(*to)->known = is;
	s->e->at[is] = m->count;
	return JSON_SCAN_DONE;
}

static enum json_scan members(struct scan *s, struct json_members *m);

static enum json_scan member_value(struct scan *s, struct json_member *to)
{
	struct json_element *e = s->e;
	enum json_scan ret;

	if (to->known != JSON_ARGS)
		return value(s, &to->value);
	e->args.count = 0;
	if (*s->at != '{')
		return value(s, &to->value);
	to->value = (struct json_value){ .type = json_type_object, .text = s->at };
	ret = members(s, &e->args);
	to->value.length = s->at - to->value.text;
	return ret;
}

static enum json_scan members(struct scan *s, struct json_members *m)
{
	struct json_member *to;
	struct json_value name;
	enum json_scan ret;

	s->at++;
	if (skip_space(s) == '}') {
		s->at++;
		return JSON_SCAN_DONE;
	}
	for (;; s->at++) {
		if (skip_space(s) != '"')
			return wrong(s);
		ret = string(s, &name);
		if (!ret && skip_space(s) != ':')
			ret = wrong(s);
		if (!ret)
			ret = place(s, m, &name, &to);
		if (ret)
			return ret;
		s->at++;
		skip_space(s);
		ret = member_value(s, to);
		if (ret)
			return ret;
		if (skip_space(s) == '}')
			break;
		if (*s->at != ',')
			return wrong(s);
	}
	s->at++;
	return JSON_SCAN_DONE;
}

enum json_scan json_element_scan(struct json_element *e, char *text, size_t *bytes, bool is_ours)
{
	struct scan s = { .e = e, .at = text, .end = text + *bytes, .is_ours = is_ours };
	enum json_scan ret;
	char *decoded;

	e->object.count = 0;
	e->args.count = 0;
	memset(e->at, 0, sizeof(e->at));
	e->decoded_bytes = 0;
	if (e->decoded_room < *bytes) {
		decoded = realloc(e->decoded, *bytes);
		if (!decoded)
			return JSON_SCAN_NO_MEMORY;
		e->decoded = decoded;
		e->decoded_room = *bytes;
	}
	if (*text == '{') {
		e->value = (struct json_value){ .type = json_type_object, .text = text };
		ret = members(&s, &e->object);
		e->value.length = s.at - text;
	} else {
		ret = is_ours ? value(&s, &e->value) : JSON_SCAN_OTHER;
	}
	*bytes = s.at - text;
	return ret;
}

void json_element_free(struct json_element *e)
{
	free(e->object.list);
	free(e->args.list);
	free(e->decoded);
}

struct json_value *json_members_find(const struct json_members *m, const char *name)
{
	const struct json_value text = { .text = (char *)name, .length = strlen(name) };
	struct json_member *found = earlier(m, &text);

	return found && found->value.type != json_type_null ? &found->value : NULL;
}

int json_element_set(struct json_element *e, enum json_name name, const struct json_value *value)
{
	struct json_member *m = e->at[name] ? &e->object.list[e->at[name] - 1] : add(&e->object);

	if (!m)
		return -ENOMEM;
	if (!e->at[name])
		m->name = (struct json_value){ .type = json_type_string };
	m->known = name;
	m->value = *value;
	e->at[name] = m - e->object.list + 1;
	return 0;
}
