// SPDX-License-Identifier: GPL-2.0-or-later
/* scan.c - scans a trace in the Trace Event Format (JSON). See scan.h. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/digits.h"
#include "terminal/memory.h"
#include "scan.h"

#define NS_PER_US	1000
#define OTHER_KOIDS	0x50000000ULL	/* beyond the ids of Linux */
#define OTHER_BITS	0x0fffffffULL

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Digits without an exponent. */
static int parse_ns(const char *s, const char *end, uint64_t *ns)
{
	static const unsigned int units[] = { NS_PER_US, 100, 10, 1 };
	uint64_t n, decimals;
	unsigned int digits;

	s += digits_read_many(s, end, DIGITS_SAFE, &n);
	for (; s < end && is_digit(*s); s++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*s - '0'), &n))
			return -ERANGE;
	if (__builtin_mul_overflow(n, NS_PER_US, &n))
		return -ERANGE;
	if (s < end && *s == '.') {
		digits = digits_read(s + 1, end, 3, &decimals);
		n += decimals * units[digits];
		s += 1 + digits;
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

	if (!value || (value->type != JSON_INT && value->type != JSON_DOUBLE &&
		       value->type != JSON_STRING))
		return -EINVAL;
	text = value->text;
	ret = value->length && is_digit(*text) ? parse_ns(text, text + value->length, ns) : -EINVAL;
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

uint64_t json_value_hash(uint64_t seed, const char *text, size_t length)
{
	uint64_t hash = seed ? seed : 0xcbf29ce484222325ULL;
	const char *end = text + length;

	for (; text < end; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3ULL;
	return hash;
}

uint64_t json_value_hash_of(uint64_t seed, const struct json_value *value)
{
	return json_value_hash(seed, value->text, strnlen(value->text, value->length));
}

bool json_value_koid(const struct json_value *value, uint64_t seed, uint64_t *koid)
{
	*koid = 0;
	if (!value)
		return true;
	if (value->type == JSON_INT && *value->text != '-') {
		*koid = json_value_int(value);
		return true;
	}
	*koid = OTHER_KOIDS + (json_value_hash_of(seed, value) & OTHER_BITS);
	return false;
}

bool json_value_number(const struct json_value *value, uint64_t *id)
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

/* Does "0x%x" print this hexadecimal number? */
static bool is_canonical(const struct json_value *value)
{
	const char *c = value->text;

	if (value->type != JSON_STRING || value->length < 3 || c[0] != '0' || c[1] != 'x' ||
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
	if (seed || !json_value_number(value, id)) {
		*id = json_value_hash_of(seed, value);
		return false;
	}
	return is_canonical(value);
}

uint64_t json_value_int(const struct json_value *value)
{
	const char *c = value->text, *end = value->text + value->length;
	bool is_negative = *c == '-';
	uint64_t n = 0;

	for (c += is_negative; c < end; c++)
		n = n * 10 + (*c - '0');
	return is_negative ? -n : n;
}

void json_text_add(struct json_text *t, const char *bytes, size_t length)
{
	array_hold(t->bytes, t->room, t->length + length + 1);
	memcpy(t->bytes + t->length, bytes, length);
	t->length += length;
	t->bytes[t->length] = '\0';
}

static void add_escape(struct json_text *t, unsigned char c)
{
	static const char shorts[0x20] = {
		['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't',
	};
	const char letter = c < 0x20 ? shorts[c] : (char)c;
	char text[7] = { '\\', letter };

	if (!letter)
		snprintf(text, sizeof(text), "\\u%04x", c);
	json_text_add(t, text, strlen(text));
}

static void add_string(struct json_text *t, const char *bytes, size_t length)
{
	const char *end = bytes + length, *plain = bytes;

	json_text_add(t, "\"", 1);
	for (; bytes < end; bytes++) {
		if ((unsigned char)*bytes >= 0x20 && *bytes != '"' && *bytes != '\\')
			continue;
		json_text_add(t, plain, bytes - plain);
		add_escape(t, *bytes);
		plain = bytes + 1;
	}
	json_text_add(t, plain, end - plain);
	json_text_add(t, "\"", 1);
}

/* JSON requires a digit after the point. */
static void add_double(struct json_text *t, const struct json_value *v)
{
	const char *point = memchr(v->text, '.', v->length);
	size_t whole = point ? (size_t)(point + 1 - v->text) : v->length;

	json_text_add(t, v->text, whole);
	if (point && (whole == v->length || !is_digit(point[1])))
		json_text_add(t, "0", 1);
	json_text_add(t, v->text + whole, v->length - whole);
}

void json_text_value(struct json_text *t, const struct json_value *v)
{
	if (v->type == JSON_STRING)
		add_string(t, v->text, v->length);
	else if (v->type == JSON_DOUBLE)
		add_double(t, v);
	else
		json_text_add(t, v->text, v->length);
}

/* --------------------------------------------------------------------
 * The members of one object. No token contains the zero byte at the end of the text, so only an
 * invalid token needs a check for the end.
 */

#define MAX_MEMBERS	64	/* up to here, members are compared pairwise; more are sorted */
#define SAFE_DIGITS	18	/* integers of up to 18 digits always fit 64 bits */

struct scan {
	struct json_element *e;
	char *at;		/* the next byte */
	char *end;		/* the zero byte */
	unsigned int depth;	/* open objects and arrays */
	bool is_event;		/* parse the members of "args", too */
	const char *wrong;
};

static bool wrong(struct scan *s, const char *what)
{
	s->wrong = what;
	return false;
}

/* A comment must end in the text. */
static bool skip_comment(struct scan *s)
{
	char *end = s->at[1] == '/' ? strchr(s->at, '\n') :
		    s->at[1] == '*' ? strstr(s->at + 2, "*/") : NULL;

	if (!end && (s->at[1] == '/' || s->at[1] == '*'))
		s->at = s->end;
	if (end)
		s->at = s->at[1] == '/' ? end : end + 2;
	return end;
}

static __attribute__((noinline)) char skip_some(struct scan *s)
{
	do {
		while (*s->at == ' ' || *s->at == '\n' || *s->at == '\r' || *s->at == '\t')
			s->at++;
	} while (*s->at == '/' && skip_comment(s));
	return *s->at;
}

/* In nearly all places there is no white space. */
static inline char skip_space(struct scan *s)
{
	unsigned char c = *s->at;

	return __builtin_expect(c > ' ' && c != '/', 1) ? (char)c : skip_some(s);
}

/* --- strings ---------------------------------------------------------------------- */

#define PLAIN	0
#define HIGH	1
#define ENDS	2

static const char classes[256] = {
	['"'] = ENDS, ['\\'] = ENDS, ['\0'] = ENDS, [0x80 ... 0xff] = HIGH,
};

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

static bool scan_hex(struct scan *s, unsigned int *c)
{
	int i, digit;

	*c = 0;
	for (i = 0; i < 4; i++, s->at++) {
		digit = hex_digit(*s->at);
		if (digit < 0)
			return wrong(s, "invalid escape in a string");
		*c = *c << 4 | digit;
	}
	return true;
}

static char *put_utf8(char *to, unsigned int c)
{
	if (c >= 0x10000) {
		*to++ = 0xf0 | c >> 18;
		*to++ = 0x80 | (c >> 12 & 0x3f);
	} else if (c >= 0x800) {
		*to++ = 0xe0 | c >> 12;
	}
	if (c >= 0x800)
		*to++ = 0x80 | (c >> 6 & 0x3f);
	else if (c >= 0x80)
		*to++ = 0xc0 | c >> 6;
	*to++ = c >= 0x80 ? 0x80 | (c & 0x3f) : c;
	return to;
}

/* Decode what follows \u. Half a surrogate pair becomes U+FFFD. */
static bool decode_escape(struct scan *s, char **to)
{
	unsigned int c, low;
	char *after;

	if (!scan_hex(s, &c))
		return false;
	if (c >= 0xd800 && c < 0xdc00 && *s->at == '\\' && s->at[1] == 'u') {
		after = s->at;
		s->at += 2;
		if (!scan_hex(s, &low))
			return false;
		if (low >= 0xdc00 && low < 0xe000)
			c = 0x10000 + ((c & 0x3ff) << 10) + (low & 0x3ff);
		else
			s->at = after;
	}
	*to = put_utf8(*to, c >= 0xd800 && c < 0xe000 ? 0xfffd : c);
	return true;
}

/* Scan the rest of a string from its first backslash. */
static bool scan_escaped(struct scan *s, struct json_value *v, char quote)
{
	char *to = s->e->decoded + s->e->decoded_bytes;
	size_t plain = s->at - v->text;

	memcpy(to, v->text, plain);
	v->text = to;
	v->is_ascii = false;
	for (to += plain; *s->at != quote;) {
		if (!*s->at)
			return wrong(s, "zero byte in a string");
		if (*s->at != '\\') {
			*to++ = *s->at++;
			continue;
		}
		s->at++;
		if (*s->at == 'u') {
			s->at++;
			if (!decode_escape(s, &to))
				return false;
		} else if (escapes[(unsigned char)*s->at]) {
			*to++ = escapes[(unsigned char)*s->at++];
		} else {
			return wrong(s, "invalid escape in a string");
		}
	}
	*to = '\0';
	v->length = to - v->text;
	s->e->decoded_bytes += v->length + 1;
	s->at++;
	return true;
}

static bool scan_string(struct scan *s, struct json_value *v)
{
	char quote = *s->at, *at = s->at + 1;
	unsigned char seen = 0;

	*v = (struct json_value){ .type = JSON_STRING, .text = at };
	if (quote == '\'') {
		s->at = at;
		return scan_escaped(s, v, quote);
	}
	for (; classes[(unsigned char)*at] != ENDS; at++)
		seen |= *at;
	s->at = at;
	v->is_ascii = seen < 0x80;
	if (*at == '\\')
		return scan_escaped(s, v, quote);
	if (*at != '"')
		return wrong(s, "zero byte in a string");
	v->length = at - v->text;
	s->at++;
	return true;
}

/* --- other values ------------------------------------------------------------------ */

static size_t skip_digits(struct scan *s)
{
	char *from = s->at, *at = from;

	while (is_digit(*at))
		at++;
	s->at = at;
	return at - from;
}

static void set_text(struct json_value *v, const char *text)
{
	v->text = (char *)text;
	v->length = strlen(text);
}

/* An integer with leading zeros or beyond 64 bits, which becomes the nearest that fits. */
static void scan_odd_integer(struct scan *s, struct json_value *v, bool is_negative)
{
	char *to = s->e->decoded + s->e->decoded_bytes;
	const char *digit = v->text + is_negative;
	uint64_t n = 0, most = is_negative ? 1ULL << 63 : UINT64_MAX;

	for (; digit < s->at; digit++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*digit - '0'), &n))
			break;
	if (digit < s->at || n > most)
		n = most;
	if (n == most) {
		set_text(v, is_negative ? "-9223372036854775808" : "18446744073709551615");
		return;
	}
	v->length = sprintf(to, "%s%" PRIu64, is_negative && n ? "-" : "", n);
	v->text = to;
	s->e->decoded_bytes += v->length + 1;
}

/* Scan @word in upper or lower case; the value's text becomes @word. */
static bool scan_literal(struct scan *s, struct json_value *v, const char *word,
			 enum json_type type)
{
	const char *c;

	v->type = type;
	for (c = word; *c; c++, s->at++)
		if ((*s->at | 0x20) != (*c | 0x20))
			return wrong(s, "this is not a value");
	set_text(v, word);
	return true;
}

static bool scan_number(struct scan *s, struct json_value *v)
{
	bool is_negative = *s->at == '-', is_zero;
	size_t whole;

	s->at += is_negative;
	if (is_negative && (*s->at | 0x20) == 'i') {
		s->at--;
		return scan_literal(s, v, "-Infinity", JSON_DOUBLE);
	}
	v->type = JSON_INT;
	is_zero = *s->at == '0';
	whole = skip_digits(s);
	if (!whole)
		return wrong(s, "this is not a number");
	if (*s->at == '.') {
		v->type = JSON_DOUBLE;
		s->at++;
		skip_digits(s);
	}
	if (*s->at == 'e' || *s->at == 'E') {
		v->type = JSON_DOUBLE;
		s->at++;
		s->at += *s->at == '+' || *s->at == '-';
		if (!skip_digits(s))
			return wrong(s, "this is not a number");
	}
	v->length = s->at - v->text;
	if (v->type == JSON_INT && (whole > SAFE_DIGITS || (is_zero && (is_negative || whole > 1))))
		scan_odd_integer(s, v, is_negative);
	return true;
}

static bool put_nested(struct scan *s, struct json_value *v);

static bool scan_value(struct scan *s, struct json_value *v)
{
	char c = *s->at;

	if (c == '"')
		return scan_string(s, v);
	*v = (struct json_value){ .text = s->at, .is_ascii = true };
	if (is_digit(c) || c == '-')
		return scan_number(s, v);
	switch (c | 0x20) {
	case 't':
		return scan_literal(s, v, "true", JSON_BOOLEAN);
	case 'f':
		return scan_literal(s, v, "false", JSON_BOOLEAN);
	case 'n':
		return (s->at[1] | 0x20) == 'a' ? scan_literal(s, v, "NaN", JSON_DOUBLE) :
						  scan_literal(s, v, "null", JSON_NULL);
	case 'i':
		return scan_literal(s, v, "Infinity", JSON_DOUBLE);
	}
	if (c == '\'')
		return scan_string(s, v);
	return c == '{' || c == '[' ? put_nested(s, v) : wrong(s, "a value is missing");
}

/* --- objects and arrays within the element ------------------------------------------- */

static bool put_value(struct scan *s)
{
	struct json_value v;

	if (!scan_value(s, &v))
		return false;
	if (v.type != JSON_OBJECT && v.type != JSON_ARRAY)
		json_text_value(&s->e->nested, &v);
	return true;
}

static bool skip_comma(struct scan *s, char end)
{
	char c = skip_space(s);

	if (c == ',') {
		s->at++;
		skip_space(s);
	} else if (c != end) {
		return wrong(s, end == '}' ? "a comma or } is missing" : "a comma or ] is missing");
	}
	return true;
}

static bool scan_name(struct scan *s, struct json_value *name)
{
	char quote = skip_space(s);

	if (quote != '"' && quote != '\'')
		return wrong(s, "a name is missing");
	if (!scan_string(s, name))
		return false;
	/* A name ends at its first zero byte. */
	if (!name->is_ascii)
		name->length = strnlen(name->text, name->length);
	if (skip_space(s) != ':')
		return wrong(s, "a colon is missing");
	s->at++;
	skip_space(s);
	return true;
}

static bool put_member(struct scan *s)
{
	struct json_element *e = s->e;
	struct json_span span;
	struct json_value name;

	if (!scan_name(s, &name))
		return false;
	span.name = e->nested.length;
	json_text_value(&e->nested, &name);
	json_text_add(&e->nested, ":", 1);
	span.value = e->nested.length;
	if (!put_value(s))
		return false;
	span.end = e->nested.length;
	array_hold(e->spans, e->span_room, e->span_count + 1);
	e->spans[e->span_count++] = span;
	return true;
}

static void unique_spans(struct json_element *e, size_t first);

/* @nested moves while it grows, so the value's text is an offset until resolve_text(). */
static bool put_nested(struct scan *s, struct json_value *v)
{
	struct json_text *to = &s->e->nested;
	size_t from = to->length, first = s->e->span_count;
	bool is_object = *s->at == '{';
	char end = is_object ? '}' : ']';

	if (++s->depth > JSON_VALUE_DEPTH)
		return wrong(s, "objects and arrays are nested too deep");
	json_text_add(to, s->at++, 1);
	skip_space(s);
	while (*s->at != end) {
		if (to->length > from + 1)
			json_text_add(to, ",", 1);
		if (!(is_object ? put_member(s) : put_value(s)) || !skip_comma(s, end))
			return false;
	}
	unique_spans(s->e, first);
	s->e->span_count = first;
	json_text_add(to, s->at++, 1);
	*v = (struct json_value){
		.type = is_object ? JSON_OBJECT : JSON_ARRAY, .text = (char *)(uintptr_t)from,
		.length = to->length - from,
	};
	s->depth--;
	return true;
}

static void resolve_text(struct json_element *e, struct json_value *v)
{
	if (v->type == JSON_OBJECT || v->type == JSON_ARRAY)
		v->text = e->nested.bytes + (uintptr_t)v->text;
}

/* Of members of one name, the first keeps its place and gets the last one's value. */
struct named {
	const char *text;
	size_t length;
	size_t at;	/* index of the member */
	size_t last;	/* of the first of a name: index of the last; else SIZE_MAX */
};

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order;

	if (x->length != y->length)
		return x->length < y->length ? -1 : 1;
	order = memcmp(x->text, y->text, x->length);
	return order ? order : x->at < y->at ? -1 : 1;
}

static int by_place(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return x->at < y->at ? -1 : 1;
}

/* Set @last. Returns: does a name occur twice? */
static bool find_last(struct named *all, size_t count)
{
	bool is_any = false;
	size_t i, first = 0;

	qsort(all, count, sizeof(*all), by_name);
	for (i = 0; i < count; i++) {
		if (i && all[i].length == all[first].length &&
		    !memcmp(all[i].text, all[first].text, all[i].length)) {
			all[first].last = all[i].at;
			all[i].last = SIZE_MAX;
			is_any = true;
		} else {
			first = i;
			all[i].last = all[i].at;
		}
	}
	qsort(all, count, sizeof(*all), by_place);
	return is_any;
}

/* May a name occur twice? Few names are compared pairwise. */
static bool may_repeat(const struct json_element *e, size_t first)
{
	const struct json_span *a = e->spans + first, *end = e->spans + e->span_count, *b;

	if (end - a > MAX_MEMBERS / 4)
		return true;
	for (; a < end; a++)
		for (b = a + 1; b < end; b++)
			if (a->value - a->name == b->value - b->name &&
			    !memcmp(e->nested.bytes + a->name, e->nested.bytes + b->name,
				    a->value - a->name))
				return true;
	return false;
}

static void put_unique(struct json_element *e, size_t first, const struct named *all)
{
	const struct json_span *spans = e->spans + first, *last;
	size_t count = e->span_count - first, i;
	struct json_text text = { 0 };

	for (i = 0; i < count; i++) {
		if (all[i].last == SIZE_MAX)
			continue;
		last = &spans[all[i].last];
		if (text.length)
			json_text_add(&text, ",", 1);
		json_text_add(&text, all[i].text, all[i].length);
		json_text_add(&text, e->nested.bytes + last->value, last->end - last->value);
	}
	e->nested.length = spans->name;
	json_text_add(&e->nested, text.bytes, text.length);
	free(text.bytes);
}

static void unique_spans(struct json_element *e, size_t first)
{
	size_t count = e->span_count - first, i;
	const struct json_span *spans;
	struct named *all;

	/* There is no array before the first member. */
	if (count < 2 || !may_repeat(e, first))
		return;
	spans = e->spans + first;
	all = must(calloc(count, sizeof(*all)));
	for (i = 0; i < count; i++)
		all[i] = (struct named){ .text = e->nested.bytes + spans[i].name,
					 .length = spans[i].value - spans[i].name, .at = i };
	if (find_last(all, count))
		put_unique(e, first, all);
	free(all);
}

/* As unique_spans(), for @m. Known names occur only once. */
static void unique_members(struct json_element *e, struct json_members *m)
{
	struct named *all = must(calloc(m->count, sizeof(*all)));
	size_t i, to = 0;
	bool is_any;

	for (i = 0; i < m->count; i++)
		all[i] = (struct named){ .text = m->list[i].name.text,
					 .length = m->list[i].name.length, .at = i };
	is_any = find_last(all, m->count);
	for (i = 0; i < m->count && is_any; i++) {
		if (all[i].last == SIZE_MAX)
			continue;
		m->list[i].value = m->list[all[i].last].value;
		m->list[to] = m->list[i];
		if (m == &e->object && m->list[to].known)
			e->at[m->list[to].known] = to + 1;
		to++;
	}
	m->count = is_any ? to : m->count;
	free(all);
}

/* --- members ------------------------------------------------------------------------ */

#define NAME(text)	{ text, sizeof(text) - 1 }
static const struct {
	const char *text;
	size_t length;
} known_names[JSON_NAME_COUNT] = {
	[JSON_PH]	= NAME("ph"),
	[JSON_PID]	= NAME("pid"),
	[JSON_TID]	= NAME("tid"),
	[JSON_TS]	= NAME("ts"),
	[JSON_DUR]	= NAME("dur"),
	[JSON_CAT]	= NAME("cat"),
	[JSON_NAME]	= NAME("name"),
	[JSON_ID]	= NAME("id"),
	[JSON_ID2]	= NAME("id2"),
	[JSON_SCOPE]	= NAME("scope"),
	[JSON_ARGS]	= NAME("args"),
	[JSON_BP]	= NAME("bp"),
	[JSON_S]	= NAME("s"),
};

static enum json_name find_known(const struct json_value *name)
{
	enum json_name i;

	for (i = JSON_OTHER + 1; i < JSON_NAME_COUNT; i++)
		if (known_names[i].length == name->length &&
		    !memcmp(known_names[i].text, name->text, name->length))
			return i;
	return JSON_OTHER;
}

static bool is_same(const struct json_value *a, const struct json_value *b)
{
	return a->length == b->length && (!a->length || *a->text == *b->text) &&
	       !memcmp(a->text, b->text, a->length);
}

static struct json_member *add_member(struct json_members *m)
{
	array_hold(m->list, m->room, m->count + 1);
	return &m->list[m->count++];
}

/* The member that already has this name: it keeps its place and gets the new value. */
static struct json_member *find_member(const struct json_members *m, const struct json_value *name)
{
	size_t i;

	for (i = 0; i < m->count; i++)
		if (is_same(&m->list[i].name, name))
			return &m->list[i];
	return NULL;
}

static struct json_member *find_or_add(struct scan *s, struct json_members *m,
				       const struct json_value *name, enum json_name is)
{
	struct json_member *to = NULL;

	if (is)
		to = s->e->at[is] ? &m->list[s->e->at[is] - 1] : NULL;
	else if (m->count <= MAX_MEMBERS)
		to = find_member(m, name);
	if (to)
		return to;
	to = add_member(m);
	to->name = *name;
	to->known = is;
	s->e->at[is] = m->count;
	return to;
}

static bool scan_members(struct scan *s, struct json_members *m);

static bool scan_member_value(struct scan *s, struct json_member *to)
{
	struct json_element *e = s->e;

	if (to->known != JSON_ARGS)
		return scan_value(s, &to->value);
	e->args.count = 0;
	if (*s->at != '{')
		return scan_value(s, &to->value);
	to->value = (struct json_value){ .type = JSON_OBJECT, .text = s->at };
	if (!scan_members(s, &e->args))
		return false;
	to->value.length = s->at - to->value.text;
	return true;
}

/* The members of an object or an array; those of an array have no names. */
static bool scan_members(struct scan *s, struct json_members *m)
{
	bool is_event = m == &s->e->object && s->is_event, is_array = *s->at == '[';
	char end = is_array ? ']' : '}';
	struct json_member *to;
	struct json_value name;

	s->depth++;
	s->at++;
	skip_space(s);
	while (*s->at != end) {
		if (is_array) {
			to = add_member(m);
			*to = (struct json_member){ .known = JSON_OTHER };
		} else {
			if (!scan_name(s, &name))
				return false;
			to = find_or_add(s, m, &name, is_event ? find_known(&name) : JSON_OTHER);
		}
		if (!scan_member_value(s, to) || !skip_comma(s, end))
			return false;
	}
	s->at++;
	s->depth--;
	if (!is_array && m->count > MAX_MEMBERS)
		unique_members(s->e, m);
	return true;
}

static void resolve_texts(struct json_element *e, struct json_members *m)
{
	size_t i;

	for (i = 0; i < m->count && e->nested.length; i++)
		if (m->list[i].known != JSON_ARGS || m->list[i].value.type != JSON_OBJECT)
			resolve_text(e, &m->list[i].value);
}

/* The text ends with a zero byte. */
static struct scan scan_text(struct json_element *e, char *text, size_t bytes, enum json_form form)
{
	struct scan s = { .e = e, .at = text, .end = text + bytes, .is_event = form == JSON_EVENT };

	e->object.count = 0;
	e->args.count = 0;
	memset(e->at, 0, sizeof(e->at));
	e->decoded_bytes = 0;
	e->nested.length = 0;
	e->span_count = 0;
	/* scan_odd_integer() may write a text that is longer than the integer. */
	array_hold(e->decoded, e->decoded_room, bytes + sizeof("-9223372036854775808"));
	if (form == JSON_VALUE || (*s.at != '{' && (form == JSON_EVENT || *s.at != '['))) {
		if (scan_value(&s, &e->value))
			resolve_text(e, &e->value);
		return s;
	}
	e->value = (struct json_value){
		.type = *s.at == '{' ? JSON_OBJECT : JSON_ARRAY, .text = s.at
	};
	if (!scan_members(&s, &e->object))
		return s;
	e->value.length = s.at - e->value.text;
	resolve_texts(e, &e->object);
	resolve_texts(e, &e->args);
	return s;
}

/* @text may lack the zero byte at its end. */
int json_element_parse(struct json_element *e, enum json_form form, const char *text, size_t length)
{
	struct scan s;

	e->copy.length = 0;
	json_text_add(&e->copy, text, length);
	s = (struct scan){ .at = e->copy.bytes, .end = e->copy.bytes + length };
	skip_space(&s);
	s = scan_text(e, s.at, s.end - s.at, form);
	if (form == JSON_MEMBERS && e->value.type != JSON_OBJECT && e->value.type != JSON_ARRAY)
		return -EINVAL;
	return !s.wrong && s.at == s.end ? 0 : -EINVAL;
}

bool json_element_nested(struct json_element *e, const char *text, size_t length)
{
	return length && memchr("{[\"'", *text, 4) &&
	       !json_element_parse(e, JSON_VALUE, text, length);
}

void json_element_free(struct json_element *e)
{
	free(e->object.list);
	free(e->args.list);
	free(e->decoded);
	free(e->nested.bytes);
	free(e->spans);
	free(e->copy.bytes);
}

struct json_value *json_members_find(const struct json_members *m, const char *name)
{
	const struct json_value text = { .text = (char *)name, .length = strlen(name) };
	struct json_member *found = find_member(m, &text);

	return found && found->value.type != JSON_NULL ? &found->value : NULL;
}

void json_element_set(struct json_element *e, enum json_name name, const struct json_value *value)
{
	if (!e->at[name]) {
		add_member(&e->object)->name = (struct json_value){ .type = JSON_STRING };
		e->at[name] = e->object.count;
	}
	e->object.list[e->at[name] - 1].known = name;
	e->object.list[e->at[name] - 1].value = *value;
}

/* --- the text, one value at a time --- */

int json_input_open(struct json_input *s, int fd)
{
	int ret;

	*s = (struct json_input){ .line = 1 };
	ret = fxt_stream_open(&s->stream, fd, NULL, 0);
	array_hold(s->buffer, s->room, JSON_INPUT_BYTES + 1);
	return ret;
}

void json_input_close(struct json_input *s)
{
	free(s->buffer);
	fxt_stream_close(s->stream);
}

int json_input_wrong(struct json_input *s, const char *why)
{
	s->error = why;
	return -EBADMSG;
}

/*
 * Double the bytes read. A value is scanned again after each call, so that this takes at most twice
 * the time. Returns 1; 0 at the end; a negative errno.
 */
static int read_more(struct json_input *s)
{
	size_t held = s->end - s->at, want = 2 * held + 1;
	ssize_t n = 1;

	if (want > JSON_VALUE_BYTES + 1)
		want = JSON_VALUE_BYTES + 1;
	memmove(s->buffer, s->buffer + s->at, held);
	s->base += s->at;
	s->end = held;
	s->at = 0;
	array_hold(s->buffer, s->room, want + JSON_INPUT_BYTES / 2);
	while (n > 0 && s->end < want) {
		n = fxt_stream_read(s->stream, s->buffer + s->end, s->room - 1 - s->end);
		if (n == -EBADMSG)
			return json_input_wrong(s, fxt_stream_error(s->stream));
		s->end += n > 0 ? n : 0;
	}
	return n < 0 ? n : s->end > held;
}

int json_input_peek(struct json_input *s)
{
	int ret;

	for (;;) {
		for (; s->at < s->end; s->at++) {
			unsigned char c = s->buffer[s->at];

			s->line += c == '\n';
			if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
				return c ? c : json_input_wrong(s, "zero byte");
		}
		ret = read_more(s);
		if (ret <= 0)
			return ret;
	}
}

int json_input_mark(struct json_input *s)
{
	static const char mark[] = "\xef\xbb\xbf";
	int ret = json_input_peek(s);

	while (ret > 0 && s->end - s->at < strlen(mark))
		ret = read_more(s);
	if (ret < 0 || s->end - s->at < strlen(mark) ||
	    memcmp(s->buffer + s->at, mark, strlen(mark)))
		return ret < 0 ? ret : 0;
	s->at += strlen(mark);
	return 1;
}

/* Skip bytes and count their lines. */
static void consume(struct json_input *s, size_t bytes)
{
	const char *end = s->buffer + s->at + bytes, *newline = s->buffer + s->at;

	while ((newline = memchr(newline, '\n', end - newline))) {
		s->line++;
		newline++;
	}
	s->at += bytes;
}

int json_input_next(struct json_input *s, enum json_form form, struct json_element *e)
{
	struct scan found;
	bool is_cut, is_number;
	size_t bytes;
	int ret;

	do {
		s->buffer[s->end] = '\0';
		found = scan_text(e, s->buffer + s->at, s->end - s->at, form);
		bytes = found.at - (s->buffer + s->at);
		is_cut = found.wrong && found.at == found.end;
		if (bytes > JSON_VALUE_BYTES) {
			consume(s, JSON_VALUE_BYTES + 1);
			return json_input_wrong(s, "a value is larger than 64 MiB");
		}
		is_number = e->value.type == JSON_INT || e->value.type == JSON_DOUBLE;
		/* A number may continue after the bytes that were read. */
		ret = is_cut || (!found.wrong && found.at == found.end && is_number) ? read_more(s) : 0;
	} while (ret > 0);
	if (ret < 0)
		return ret;
	consume(s, bytes);
	if (is_cut)
		return json_input_wrong(s, "the file ends within a value");
	return found.wrong ? json_input_wrong(s, found.wrong) : 0;
}
