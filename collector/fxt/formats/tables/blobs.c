// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * blobs.c - BLOBs of any size.
 *
 * In: BLOB records, of which those of one name are pieces of one stream; and large ones,
 * each complete in itself.
 * Out: a row of blob for each record, and its data in rows of blob_data.
 * Must hold: one row has no more than TABLE_PIECE_BYTES, which is the largest size of any
 * record other than a large one; no more than TABLE_MAX_KEYS names are kept.
 */
#include "table.h"

#define TABLE_PIECE_BYTES	65536

/** struct stream - BLOBs of one name */
struct stream {
	struct map_node node;
	struct table_name *name;
	uint64_t bytes;			/* so far */
};

static struct stream *stream(struct tables *t, struct table_name *name)
{
	uint64_t hash = name->node.hash;
	struct map_node *node;
	struct stream *s;

	for (node = map_first(&t->blobs, hash); node; node = map_next(node, hash)) {
		s = map_entry(node, struct stream, node);
		if (s->name == name)
			return s;
	}
	if (t->blobs.count >= TABLE_MAX_KEYS) {
		t->stats[STAT_NAMES_LEFT_OUT]++;
		return NULL;
	}
	s = table_alloc(t, sizeof(*s));
	if (!s || map_reserve(&t->blobs)) {
		t->error = -ENOMEM;
		free(s);
		return NULL;
	}
	s->name = table_name_ref(name);
	map_add(&t->blobs, &s->node, hash);
	return s;
}

/* The offset of a BLOB in the stream of its name; NULL if unknown. */
static struct table_cell stream_offset(struct tables *t, const struct fxt_content *c,
				       struct table_name *name)
{
	struct stream *s = name ? stream(t, name) : NULL;
	uint64_t offset;

	if (!s)
		return cell_null();
	offset = s->bytes;
	s->bytes += c->blob.bytes;
	return cell_bits(offset);
}

static int64_t blob_row(struct tables *t, const struct fxt_record *rec,
			const struct fxt_content *c)
{
	bool is_plain = c->kind == FXT_KIND_BLOB;
	struct table_name *name = table_name_text(t, &c->name);
	struct table_cell ts = cell_null(), utid = cell_null();
	int64_t id = table_id(t, TABLE_BLOB), args = table_args_now(t, c);
	uint64_t ns;

	if (c->kind == FXT_KIND_LARGE_BLOB) {
		ns = table_record_time(t, rec, c->time);
		ts = cell_int(table_time(t, ns));
		utid = table_utid(t, ns, &c->thread);
	}
	TABLE_ROW(t, TABLE_BLOB, cell_int(id), cell_str(fxt_kind_name(c->kind)), ts, utid,
		  is_plain ? cell_null() :
			     cell_clean(t, c->category.bytes, c->category.length),
		  cell_name(name), is_plain ? cell_int(c->blob_type) : cell_null(),
		  is_plain ? stream_offset(t, c, name) : cell_int(0),
		  cell_bits(c->blob.bytes), cell_id(args));
	table_name_put(t, name);
	return id;
}

/* *@offset: of the data; set to the offset after it. */
static void data_rows(struct tables *t, int64_t blob, uint64_t *offset, const char *data,
		      uint64_t bytes)
{
	uint64_t piece;

	for (; bytes; bytes -= piece, data += piece, *offset += piece) {
		piece = bytes < TABLE_PIECE_BYTES ? bytes : TABLE_PIECE_BYTES;
		TABLE_ROW(t, TABLE_BLOB_DATA, cell_int(table_id(t, TABLE_BLOB_DATA)),
			  cell_int(blob), cell_bits(*offset),
			  (struct table_cell){ .type = TABLE_BYTES,
					       .text = { data, piece } });
	}
}

int table_blob(struct tables *t, const struct fxt_record *rec, const struct fxt_content *c)
{
	int64_t id = blob_row(t, rec, c);
	struct fxt_bytes piece;
	uint64_t offset = 0;
	int ret;

	data_rows(t, id, &offset, c->blob.data, c->blob_held);
	while ((ret = fxt_reader_payload(t->r, &piece)) > 0 && !t->error)
		data_rows(t, id, &offset, piece.data, piece.bytes);
	return ret < 0 ? ret : 0;
}

void table_blobs_free(struct tables *t)
{
	struct map_node *node;
	size_t from = 0;

	while ((node = map_take(&t->blobs, &from)))
		free(map_entry(node, struct stream, node));
	map_free(&t->blobs);
}
