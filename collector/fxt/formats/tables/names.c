// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * names.c - the texts that later rows refer to.
 *
 * In: strings and binary data of the archive, any bytes.
 * Out: clean text, each kept once for as long as anything refers to it.
 * Must hold: all of them together stay below TABLE_MAX_NAME_BYTES; an archive can refer
 * to a long string by a short index, so they could be many.
 */
#include <fxt/fxt_sched.h>

#include "table.h"

static const char replacement[] = "\xef\xbf\xbd";	/* U+FFFD */

/* Length of the valid character at the head, 0 if it is invalid. */
static uint32_t good_length(const char *bytes, size_t length)
{
	return *bytes ? fxt_utf8_length((const unsigned char *)bytes, length) : 0;
}

const char *table_clean(struct tables *t, const char *bytes, size_t *length)
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
	struct map_node *node;
	struct table_name *n;

	for (node = map_first(&t->names, hash); node; node = map_next(node, hash)) {
		n = map_entry(node, struct table_name, node);
		if (n->length == length && !memcmp(n->bytes, bytes, length))
			return table_name_ref(n);
	}
	if (sizeof(*n) + length > TABLE_MAX_NAME_BYTES - t->name_bytes) {
		t->stats[STAT_NAMES_LEFT_OUT]++;
		return NULL;
	}
	n = table_alloc(t, sizeof(*n) + length);
	if (!n || map_reserve(&t->names)) {
		t->error = -ENOMEM;
		free(n);
		return NULL;
	}
	n->refs = 1;
	n->length = length;
	memcpy(n->bytes, bytes, length);
	t->name_bytes += sizeof(*n) + length;
	map_add(&t->names, &n->node, hash);
	return n;
}

struct table_name *table_name(struct tables *t, const char *bytes, size_t length)
{
	bytes = table_clean(t, bytes, &length);
	return intern(t, bytes, length);
}

struct table_name *table_name_text(struct tables *t, const struct fxt_text *text)
{
	return table_name(t, text->bytes, text->length);
}

struct table_cell cell_clean(struct tables *t, const char *bytes, size_t length)
{
	const char *clean = table_clean(t, bytes, &length);

	return (struct table_cell){ .type = TABLE_TEXT, .text = { clean, length } };
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

void table_names_free(struct tables *t)
{
	struct map_node *node;
	size_t from = 0;

	while ((node = map_take(&t->names, &from)))
		free(map_entry(node, struct table_name, node));
	map_free(&t->names);
}
