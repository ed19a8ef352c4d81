// SPDX-License-Identifier: GPL-2.0-or-later
/* metadata.c - see metadata.h. */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/text.h"
#include "metadata.h"

static bool is_key(const char *key, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (!isalnum((unsigned char)key[i]) && !strchr("_-.", key[i]))
			return false;
	return length && length <= METADATA_KEY_MAX;
}

/* One line, as a terminal shows it. */
static bool is_value(const char *value)
{
	size_t length = strlen(value), i;

	for (i = 0; i < length; i++)
		if ((unsigned char)value[i] < ' ' || value[i] == 0x7f)
			return false;
	return length && length <= METADATA_VALUE_MAX &&
	       fxt_utf8_valid(value, length) == length;
}

static bool is_taken(const struct metadata *m, const char *pair, size_t length)
{
	unsigned int i;

	for (i = 0; i < m->count; i++)
		if (!strncmp(m->pairs[i], pair, length + 1))
			return true;
	return false;
}

int metadata_add(struct metadata *m, const char *pair, struct error *e)
{
	const char *equals = strchr(pair, '=');
	size_t length = equals ? (size_t)(equals - pair) : 0;

	if (!equals || !is_key(pair, length))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--metadata %s: use KEY=VALUE, with a KEY of at most %d letters, digits, '_', '-' and '.'",
			    pair, METADATA_KEY_MAX);
	if (!is_value(equals + 1))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--metadata %.*s: invalid value; use one line of 1 to %d bytes in UTF-8",
			    (int)length, pair, METADATA_VALUE_MAX);
	if (is_taken(m, pair, length))
		return fail(e, EXIT_USAGE, -EINVAL, "--metadata %.*s: given twice", (int)length,
			    pair);
	if (m->count == METADATA_MAX)
		return fail(e, EXIT_USAGE, -EINVAL, "--metadata %s: more than %d of them", pair,
			    METADATA_MAX);
	m->pairs[m->count++] = pair;
	return 0;
}

void metadata_describe(const struct metadata *m, FILE *f)
{
	const char *equals;
	unsigned int i;

	for (i = 0; i < m->count; i++) {
		equals = strchr(m->pairs[i], '=');
		fprintf(f, FXT_SCHED_META "%.*s %s\n", (int)(equals - m->pairs[i]), m->pairs[i],
			equals + 1);
	}
}
