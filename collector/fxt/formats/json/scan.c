// SPDX-License-Identifier: GPL-2.0-or-later
/* scan.c - scans a trace in the Trace Event Format (JSON). See scan.h. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/array.h"
#include "scan.h"

/* --------------------------------------------------------------------
 * Single values.
 */

#define NS_PER_US	1000
#define OTHER_KOIDS	0x50000000ULL	/* beyond the ids of Linux */
#define OTHER_BITS	0x0fffffffULL

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Digits without an exponent. */
static int exact_ns(const char *s, const char *end, uint64_t *ns)
{
	unsigned int unit = NS_PER_US / 10;
	uint64_t n = 0;

	for (; s < end && is_digit(*s); s++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*s - '0'), &n))
			return -ERANGE;
	if (__builtin_mul_overflow(n, NS_PER_US, &n))
		return -ERANGE;
	if (s < end && *s == '.') {
		for (s++; unit && s < end && is_digit(*s); s++, unit /= 10)
			n += (uint64_t)(*s - '0') * unit;
		n += s < end && *s >= '5' && *s <= '9' && n < UINT64_MAX;
		while (s < end && is_digit(*s))
			s++;
	}
	*ns = n;
	return s < end ? -EINVAL : 0;
}

int json_value_ns(const struct json_value *value, uint64_t *ns)
{
	const char *text;
	double number;
	char *end;
	int ret;

	if (!value || (value->type != json_type_int && value->type != json_type_double &&
		       value->type != json_type_string))
		return -EINVAL;
	text = value->text;
	ret = value->length && is_digit(*text) ? exact_ns(text, text + value->length, ns) : -EINVAL;
	if (ret != -EINVAL)
		return ret;
	number = strtod(text, &end) * NS_PER_US;
	if (end == text || end != text + value->length || isnan(number))
		return -EINVAL;
	if (number <= -0.5 || number >= 0x1p63)
		return -ERANGE;
	*ns = number > 0 ? (uint64_t)(number + 0.5) : 0;
	return 0;
}

/* --- ids -------------------------------------------------------------------------- */

uint64_t json_value_hash(uint64_t seed, const char *text, size_t length)
{
	uint64_t hash = seed ? seed : 0xcbf29ce484222325ULL;
	const char *end = text + length;

	for (; text < end; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3ULL;
	return hash;
}

/* Objects and arrays are rare here; their hash is of json-c's usual text. */
uint64_t json_value_hash_of(uint64_t seed, const struct json_value *value)
{
	struct json_object *tree;
	const char *text;
	uint64_t hash = 0;

	if (value->type != json_type_object && value->type != json_type_array)
		return json_value_hash(seed, value->text, strnlen(value->text, value->length));
	tree = json_value_tree(value);
	text = tree ? json_object_to_json_string(tree) : NULL;
	if (text)
		hash = json_value_hash(seed, text, strlen(text));
	json_object_put(tree);
	return hash;
}

bool json_value_koid(const struct json_value *value, uint64_t seed, uint64_t *koid)
{
	*koid = 0;
	if (!value)
		return true;
	if (value->type == json_type_int && *value->text != '-') {
		*koid = json_value_int(value);
		return true;
	}
	*koid = OTHER_KOIDS + (json_value_hash_of(seed, value) & OTHER_BITS);
	return false;
}

/* A whole text that is a number. */
static bool parse(const struct json_value *value, uint64_t *id)
{
	const char *text = value->text;
	bool is_hex = value->length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = is_hex ? text + 2 : text;
	char *end;

	if (!value->length || !isxdigit((unsigned char)*digits))
		return false;
	errno = 0;
	*id = strtoull(digits, &end, is_hex ? 16 : 10);
	return end == text + value->length && !errno;
}

bool json_value_number(const struct json_value *value, uint64_t *id)
{
	return parse(value, id);
}

/* Is a hexadecimal number as "0x%x" would print it? */
static bool is_canonical(const struct json_value *value)
{
	const char *c = value->text;

	if (value->type != json_type_string || value->length < 3 || c[0] != '0' || c[1] != 'x' ||
	    (c[2] == '0' && value->length > 3))
		return false;
	for (c += 2; c < value->text + value->length; c++)
		if (*c >= 'A' && *c <= 'F')
			return false;
	return true;
}

bool json_value_id(const struct json_value *value, uint64_t seed, uint64_t *id)
{
	*id = 0;
	if (!value)
		return false;
	if (seed || !parse(value, id)) {
		*id = json_value_hash_of(seed, value);
		return false;
	}
	return is_canonical(value);
}

/* --- numbers and trees --------------------------------------------------------------- */

uint64_t json_value_int(const struct json_value *value)
{
	const char *c = value->text, *end = value->text + value->length;
	bool is_negative = *c == '-';
	uint64_t n = 0;

	for (c += is_negative; c < end; c++)
		n = n * 10 + (*c - '0');
	return is_negative ? -n : n;
}

double json_value_double(const struct json_value *value)
{
	return strtod(value->text, NULL);
}

struct json_object *json_value_tree(const struct json_value *value)
{
	char *text;
	struct json_object *tree;

	switch (value->type) {
	case json_type_boolean:
		return json_object_new_boolean(*value->text == 't');
	case json_type_int:
		return *value->text == '-' ? json_object_new_int64(json_value_int(value)) :
					     json_object_new_uint64(json_value_int(value));
	case json_type_double:
		text = strndup(value->text, value->length);
		tree = text ? json_object_new_double_s(json_value_double(value), text) : NULL;
		free(text);
		return tree;
	case json_type_string:
		return json_object_new_string_len(value->text, value->length);
	default:
		return json_value_of_text(value->text, value->length);
	}
}

struct json_object *json_value_of_text(const char *bytes, size_t length)
{
	struct json_tokener *t;
	struct json_object *value;

	if (!length || length > INT_MAX || !memchr("{[\"", *bytes, 3))
		return NULL;
	t = json_tokener_new_ex(JSON_VALUE_DEPTH);
	if (!t)
		return NULL;
	value = json_tokener_parse_ex(t, bytes, length);
	if (json_tokener_get_error(t) != json_tokener_success ||
	    json_tokener_get_parse_end(t) != length) {
		json_object_put(value);
		value = NULL;
	}
	json_tokener_free(t);
	return value;
}

/* --------------------------------------------------------------------
 * The members of one object.
 *
 * The zero byte at the end of the text is in no token, so only where a token is wrong must the
 * end of the text be looked for.
 */

#define MAX_MEMBERS	64	/* that are compared with one another; json-c hashes more */
#define SAFE_DIGITS	18	/* integers of no more digits always fit 64 bits */

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

static struct json_member *add_member(struct json_members *m)
{
	if (array_reserve(m->list, m->room, m->count + 1))
		return NULL;
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
	*to = add_member(m);
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

	e->object.count = 0;
	e->args.count = 0;
	memset(e->at, 0, sizeof(e->at));
	e->decoded_bytes = 0;
	if (array_reserve(e->decoded, e->decoded_room, *bytes))
		return JSON_SCAN_NO_MEMORY;
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
	struct json_member *m = e->at[name] ? &e->object.list[e->at[name] - 1] : add_member(&e->object);

	if (!m)
		return -ENOMEM;
	if (!e->at[name])
		m->name = (struct json_value){ .type = json_type_string };
	m->known = name;
	m->value = *value;
	e->at[name] = m - e->object.list + 1;
	return 0;
}

/* --------------------------------------------------------------------
 * The text, one value at a time.
 */

int json_source_open(struct json_source *s, int fd)
{
	int ret;

	memset(s, 0, offsetof(struct json_source, buffer));
	s->line = 1;
	ret = fxt_stream_open(&s->stream, fd, NULL, 0);
	if (ret)
		return ret;
	s->tokener = json_tokener_new_ex(JSON_VALUE_DEPTH);
	return s->tokener ? 0 : -ENOMEM;
}

void json_source_close(struct json_source *s)
{
	if (s->tokener)
		json_tokener_free(s->tokener);
	fxt_stream_close(s->stream);
}

int json_source_wrong(struct json_source *s, const char *why)
{
	s->error = why;
	return -EBADMSG;
}

int json_source_more(struct json_source *s)
{
	ssize_t n;

	memmove(s->buffer, s->buffer + s->at, s->end - s->at);
	s->base += s->at;
	s->end -= s->at;
	s->at = 0;
	if (s->end == JSON_SOURCE_BYTES)
		return 0;
	n = fxt_stream_read(s->stream, s->buffer + s->end, JSON_SOURCE_BYTES - s->end);
	if (n == -EBADMSG)
		return json_source_wrong(s, fxt_stream_error(s->stream));
	s->end += n > 0 ? n : 0;
	return n < 0 ? n : n > 0;
}

char *json_source_text(struct json_source *s, size_t *bytes)
{
	*bytes = s->end - s->at;
	s->buffer[s->end] = '\0';
	return s->buffer + s->at;
}

int json_source_peek(struct json_source *s)
{
	int ret;

	for (;;) {
		for (; s->at < s->end; s->at++) {
			unsigned char c = s->buffer[s->at];

			s->line += c == '\n';
			if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
				return c ? c : json_source_wrong(s, "zero byte");
		}
		ret = json_source_more(s);
		if (ret <= 0)
			return ret;
	}
}

int json_source_mark(struct json_source *s)
{
	static const char mark[] = "\xef\xbb\xbf";
	int ret = json_source_peek(s);

	while (ret > 0 && s->end - s->at < strlen(mark))
		ret = json_source_more(s);
	if (ret < 0 || s->end - s->at < strlen(mark) ||
	    memcmp(s->buffer + s->at, mark, strlen(mark)))
		return ret < 0 ? ret : 0;
	s->at += strlen(mark);
	return 1;
}

void json_source_consume(struct json_source *s, size_t bytes)
{
	const char *end = s->buffer + s->at + bytes, *newline = s->buffer + s->at;

	while ((newline = memchr(newline, '\n', end - newline))) {
		s->line++;
		newline++;
	}
	s->at += bytes;
}

int json_source_value(struct json_source *s, struct json_object **value)
{
	enum json_tokener_error error;
	size_t bytes = 0;
	int ret;

	json_tokener_reset(s->tokener);
	do {
		if (s->at == s->end) {
			ret = json_source_more(s);
			if (ret < 0)
				return ret;
			/* A number ends where the text does. */
			if (!ret)
				*value = json_tokener_parse_ex(s->tokener, "", 1);
			if (!ret)
				return json_tokener_get_error(s->tokener) == json_tokener_success ?
				       0 : json_source_wrong(s, "the file ends within a value");
		}
		*value = json_tokener_parse_ex(s->tokener, s->buffer + s->at, s->end - s->at);
		error = json_tokener_get_error(s->tokener);
		json_source_consume(s, json_tokener_get_parse_end(s->tokener));
		bytes += json_tokener_get_parse_end(s->tokener);
	} while (error == json_tokener_continue && bytes <= JSON_VALUE_BYTES);
	if (error == json_tokener_continue)
		return json_source_wrong(s, "a value is larger than 64 MiB");
	return error == json_tokener_success ? 0 :
	       json_source_wrong(s, json_tokener_error_desc(error));
}
