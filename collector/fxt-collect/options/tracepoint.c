// SPDX-License-Identifier: GPL-2.0-or-later
/* tracepoint.c - see tracepoint.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracepoint.h"

#define COUNTER	"=counter"
#define LETTERS	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

char *tracepoint_part(char **rest)
{
	char *part = *rest, *p;
	int depth = 0;

	if (!part)
		return NULL;
	for (p = part; *p && (*p != ',' || depth > 0); p++)
		depth += (*p == '(') - (*p == ')');
	*rest = *p ? p + 1 : NULL;
	*p = '\0';
	return part;
}

static int invalid(const char *part, const char *why, struct error *e)
{
	return fail(e, EXIT_USAGE, -EINVAL,
		    "--events %s: %s; use tp:NAME, tp:NAME(FIELD,...), tp:NAME(FIELD)=counter or tp:NAME(ID,FIELD)=counter, e.g. 'tp:signal_generate(sig,task.comm)'",
		    part, why);
}

/* Copy a word if there is one that fits. Return: its end; NULL if there is none. */
static const char *take(char *to, size_t room, const char *from, const char *letters)
{
	size_t bytes = strspn(from, letters);

	if (!bytes || bytes >= room)
		return NULL;
	memcpy(to, from, bytes);
	to[bytes] = '\0';
	return from + bytes;
}

/* "->" is as good as ".". */
static void write_arrows_as_dots(char *text)
{
	char *arrow;

	while ((arrow = strstr(text, "->"))) {
		*arrow = '.';
		memmove(arrow + 1, arrow + 2, strlen(arrow + 2) + 1);
	}
}

/* Return: the rest after the parentheses; NULL with @why if they are wrong. */
static const char *take_fields(struct tracepoint *t, const char *from, const char **why)
{
	do {
		from += 1;
		if (t->field_count == FXT_SCHED_CUSTOM_FIELDS) {
			*why = "more than 6 fields";
			return NULL;
		}
		from = take(t->fields[t->field_count], TRACEPOINT_FIELD, from, LETTERS ".->");
		if (!from) {
			*why = "a field is empty, too long or no name";
			return NULL;
		}
		write_arrows_as_dots(t->fields[t->field_count++]);
	} while (*from == ',');
	if (*from != ')') {
		*why = "a field is not followed by a comma or a parenthesis";
		return NULL;
	}
	return from + 1;
}

int tracepoint_add(struct tracepoints *all, const char *part, struct error *e)
{
	struct tracepoint *t = &all->all[all->count];
	const char *p, *why;

	_Static_assert(FXT_SCHED_CUSTOM_FIELDS == 6 && FXT_SCHED_CUSTOM_MOST == 8,
		       "messages have the limits");
	if (all->count == FXT_SCHED_CUSTOM_MOST)
		return invalid(part, "more than 8 tracepoints", e);
	*t = (struct tracepoint){ .field_count = 0 };
	p = take(t->name, sizeof(t->name), part + strlen(TRACEPOINT_PREFIX), LETTERS);
	if (!p)
		return invalid(part, "no name of a tracepoint", e);
	if (*p == '(') {
		p = take_fields(t, p, &why);
		if (!p)
			return invalid(part, why, e);
	}
	t->is_counter = !strcmp(p, COUNTER);
	if (*p && !t->is_counter)
		return invalid(part, "something follows that is not understood", e);
	if (t->is_counter && t->field_count != 1 && t->field_count != 2)
		return invalid(part, "a counter has one field, or its id and one field", e);
	all->count++;
	return 0;
}
