// SPDX-License-Identifier: GPL-2.0-or-later
/* file.c - the container of perf.data, and its compressed records. See perf_data.h. */
#include <errno.h>
#include <event-parse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "terminal/memory.h"
#include "perf_data.h"

/* struct perf_file_header: magic, size, attr_size, three sections, feature bits. */
#define HEADER_ATTR_SIZE	16
#define HEADER_ATTRS		24
#define HEADER_DATA		40
#define HEADER_FEATURES		72
#define HEADER_BYTES		104
#define PIPE_HEADER_BYTES	16
#define FEATURE_FORMATS		1
#define FEATURE_BUILD_IDS	2

/* Records of the build ids: a header, a pid, the build id and its length, the name. */
#define BUILD_ID_MISC		4	/* and the length */
#define BUILD_ID_ID		12
#define BUILD_ID_NAME		36
#define BUILD_ID_HAS_SIZE	(1U << 15)

/* The first fields of struct perf_event_attr are the same in all versions. */
#define ATTR_CONFIG		8
#define ATTR_SAMPLE		24
#define ATTR_READ		32
#define ATTR_FLAGS		40
#define ATTR_BYTES		48
#define ATTR_CLOCK		92	/* not in all versions */
#define ATTR_SAMPLE_ID_ALL	(1ULL << 18)
#define ATTR_USE_CLOCK		(1ULL << 25)
#define ATTR_SWITCHES		(1ULL << 26)

bool perf_bytes_u64(struct perf_bytes b, size_t at, uint64_t *n)
{
	if (b.size < sizeof(*n) || at > b.size - sizeof(*n))
		return false;
	memcpy(n, b.data + at, sizeof(*n));
	return true;
}

bool perf_bytes_u32(struct perf_bytes b, size_t at, uint32_t *n)
{
	if (b.size < sizeof(*n) || at > b.size - sizeof(*n))
		return false;
	memcpy(n, b.data + at, sizeof(*n));
	return true;
}

bool perf_bytes_part(struct perf_bytes b, uint64_t at, uint64_t size, struct perf_bytes *part)
{
	if (at > b.size || size > b.size - at)
		return false;
	*part = (struct perf_bytes){ b.data + at, size };
	return true;
}

static int wrong(struct perf_file *f, const char *what)
{
	f->wrong = what;
	return -EBADMSG;
}

static bool section(const struct perf_file *f, struct perf_bytes in, size_t at,
		    struct perf_bytes *part)
{
	uint64_t offset, size;

	return perf_bytes_u64(in, at, &offset) && perf_bytes_u64(in, at + 8, &size) &&
	       perf_bytes_part(f->all, offset, size, part);
}

/* --- attributes ------------------------------------------------------------------------ */

static int by_id(const void *a, const void *b)
{
	const struct perf_id *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static void add_ids(struct perf_file *f, struct perf_bytes ids)
{
	size_t count = ids.size / 8, i;

	array_hold(f->ids, f->id_room, f->id_count + count);
	for (i = 0; i < count; i++) {
		f->ids[f->id_count].attr = f->attr_count;
		perf_bytes_u64(ids, i * 8, &f->ids[f->id_count++].id);
	}
	if (f->id_count)
		qsort(f->ids, f->id_count, sizeof(*f->ids), by_id);
}

int perf_file_attr(struct perf_file *f, struct perf_bytes attr, struct perf_bytes ids)
{
	struct perf_attr *a;
	uint64_t flags = 0;
	uint32_t clock;

	if (attr.size < ATTR_BYTES)
		return wrong(f, "an attribute is too short");
	if (f->attr_count == PERF_ATTRS)
		return wrong(f, "more than 4096 attributes");
	if (!f->attrs)
		f->attrs = must(calloc(PERF_ATTRS, sizeof(*f->attrs)));
	a = &f->attrs[f->attr_count];
	perf_bytes_u32(attr, 0, &a->type);
	perf_bytes_u64(attr, ATTR_CONFIG, &a->config);
	perf_bytes_u64(attr, ATTR_SAMPLE, &a->sample);
	perf_bytes_u64(attr, ATTR_READ, &a->read);
	perf_bytes_u64(attr, ATTR_FLAGS, &flags);
	a->has_trailer = flags & ATTR_SAMPLE_ID_ALL;
	f->has_switches |= flags & ATTR_SWITCHES;
	if (flags & ATTR_USE_CLOCK && perf_bytes_u32(attr, ATTR_CLOCK, &clock))
		a->clock = clock == CLOCK_MONOTONIC ? "mono" : clock == CLOCK_BOOTTIME ? "boot" : NULL;
	add_ids(f, ids);
	f->attr_count++;
	return 0;
}

const struct perf_attr *perf_file_of(const struct perf_file *f, uint64_t id)
{
	const struct perf_id key = { .id = id }, *found = NULL;

	if (f->id_count)
		found = bsearch(&key, f->ids, f->id_count, sizeof(key), by_id);
	return &f->attrs[found ? found->attr : 0];
}

static int read_attrs(struct perf_file *f)
{
	struct perf_bytes attrs, attr, ids;
	uint64_t size;
	size_t at;
	int ret = 0;

	if (!perf_bytes_u64(f->all, HEADER_ATTR_SIZE, &size) || size < ATTR_BYTES + 16 ||
	    !section(f, f->all, HEADER_ATTRS, &attrs))
		return wrong(f, "the attributes are not in the file");
	for (at = 0; !ret && perf_bytes_part(attrs, at, size, &attr); at += size) {
		if (!section(f, attr, size - 16, &ids))
			return wrong(f, "the ids of an attribute are not in the file");
		ret = perf_file_attr(f, attr, ids);
	}
	return ret;
}

/* --- formats --------------------------------------------------------------------------- */

static uint32_t next_u32(struct perf_walk *w)
{
	uint32_t n = 0;

	w->wrong |= !perf_bytes_u32(w->b, w->at, &n);
	w->at += w->wrong ? 0 : sizeof(n);
	return n;
}

/* The length precedes the text. */
static struct perf_bytes next_text(struct perf_walk *w)
{
	struct perf_bytes text = { NULL, 0 };
	uint64_t size = 0;

	w->wrong |= !perf_bytes_u64(w->b, w->at, &size) ||
		    !perf_bytes_part(w->b, w->at + 8, size, &text);
	w->at += w->wrong ? 0 : 8 + size;
	return text;
}

/* A text that ends with a 0. */
static const char *next_string(struct perf_walk *w)
{
	const char *s = (const char *)w->b.data + w->at;
	const char *end = w->wrong ? NULL : memchr(s, '\0', w->b.size - w->at);

	w->wrong |= !end;
	w->at += end ? end + 1 - s : 0;
	return end ? s : "";
}

/* The library needs a terminating 0, which the file lacks. */
static void parse_event(struct perf_file *f, struct perf_bytes text, const char *system)
{
	char *copy = must(malloc(text.size + 1));

	memcpy(copy, text.data, text.size);
	copy[text.size] = '\0';
	/* An event that the library does not understand has no format. */
	tep_parse_event(f->tep, copy, text.size, system);
	free(copy);
}

static void parse_system(struct perf_file *f, struct perf_walk *w, const char *system)
{
	uint32_t count = next_u32(w), i;
	struct perf_bytes text;

	for (i = 0; i < count && !w->wrong; i++) {
		text = next_text(w);
		if (!w->wrong)
			parse_event(f, text, system);
	}
}

int perf_file_formats(struct perf_file *f, struct perf_bytes data)
{
	static const char magic[] = "\x17\x08\x44tracing";
	struct perf_walk w = { .b = data, .at = sizeof(magic) - 1 };
	uint32_t systems, i;
	const char *name;

	if (data.size < sizeof(magic) || memcmp(data.data, magic, sizeof(magic) - 1))
		return wrong(f, "the formats of tracepoints are damaged");
	next_string(&w);	/* version */
	if (w.wrong || data.size - w.at < 2 || data.data[w.at])
		return wrong(f, "the formats of tracepoints are damaged, or of a big-endian machine");
	tep_set_long_size(f->tep, data.data[w.at + 1]);
	w.at += 2;
	next_u32(&w);		/* page size */
	next_string(&w);	/* header_page */
	next_text(&w);
	next_string(&w);	/* header_event */
	next_text(&w);
	parse_system(f, &w, "ftrace");
	systems = next_u32(&w);
	for (i = 0; i < systems && !w.wrong; i++) {
		name = next_string(&w);
		parse_system(f, &w, name);
	}
	f->has_formats = true;
	return w.wrong ? wrong(f, "the formats of tracepoints are truncated") : 0;
}

/* --- the command line ------------------------------------------------------------------- */

static void add_filter(struct perf_file *f, const char *option, const char *value)
{
	size_t used = strlen(f->filter);

	snprintf(f->filter + used, sizeof(f->filter) - used, "%s%s%s%s", used ? " " : "perf ", option,
		 *value ? " " : "", value);
}

/* perf accepts unambiguous abbreviations of options. */
static bool is_option(const char *arg, const char *option, size_t least)
{
	size_t length = strcspn(arg, "=");

	return length >= least && length <= strlen(option) && !memcmp(arg, option, length);
}

/* Arguments are texts with their lengths; those after -- belong to another program. */
void perf_file_command(struct perf_file *f, struct perf_bytes feature)
{
	struct perf_walk w = { .b = feature };
	uint32_t count = next_u32(&w), i;
	bool is_value = false;
	struct perf_bytes text;
	const char *arg, *value;

	for (i = 0; i < count && !w.wrong; i++) {
		uint32_t size = next_u32(&w);

		if (w.wrong || !perf_bytes_part(feature, w.at, size, &text) || !size ||
		    !memchr(text.data, '\0', size))
			return;
		w.at += size;
		arg = (const char *)text.data;
		value = strchr(arg, '=');
		if (is_value)
			add_filter(f, "--filter", arg);
		else if (!strcmp(arg, "--"))
			return;
		else if (is_option(arg, "--exclude-perf", sizeof("--exclude-p") - 1))
			add_filter(f, "--exclude-perf", "");
		else if (is_option(arg, "--filter", sizeof("--fi") - 1) && value)
			add_filter(f, "--filter", value + 1);
		is_value = !is_value && !value && is_option(arg, "--filter", sizeof("--fi") - 1);
	}
}

/* --- build ids -------------------------------------------------------------------------- */

size_t perf_file_build_id(const struct perf_file *f, const char *name, size_t length,
			  unsigned char id[PERF_BUILD_ID_BYTES])
{
	struct perf_bytes rec = { NULL, 0 };
	uint32_t words, bytes, room;
	const char *other;
	size_t at;

	for (at = 0; perf_bytes_u32(f->build_ids, at + BUILD_ID_MISC, &words); at += rec.size) {
		if (words >> 16 <= BUILD_ID_NAME ||
		    !perf_bytes_part(f->build_ids, at, words >> 16, &rec))
			return 0;
		other = (const char *)rec.data + BUILD_ID_NAME;
		room = rec.size - BUILD_ID_NAME;
		if (strnlen(other, room) != length || memcmp(other, name, length))
			continue;
		bytes = words & BUILD_ID_HAS_SIZE ? rec.data[BUILD_ID_ID + PERF_BUILD_ID_BYTES] :
						    PERF_BUILD_ID_BYTES;
		if (bytes > PERF_BUILD_ID_BYTES)
			return 0;
		memcpy(id, rec.data + BUILD_ID_ID, bytes);
		return bytes;
	}
	return 0;
}

/* --- the whole ------------------------------------------------------------------------- */

static bool has_feature(const struct perf_file *f, unsigned int bit)
{
	return f->all.data[HEADER_FEATURES + bit / 8] >> bit % 8 & 1;
}

/* Find the section of a feature. Sections follow the data, one for each set bit. */
static bool feature(const struct perf_file *f, unsigned int bit, struct perf_bytes *part)
{
	size_t at = f->data.data + f->data.size - f->all.data;
	unsigned int i;

	for (i = 0; i < bit; i++)
		at += has_feature(f, i) ? 16 : 0;
	return section(f, f->all, at, part);
}

int perf_file_lacks_events(struct perf_file *f)
{
	return wrong(f, "it has neither tracepoints nor switches; record with perf sched record, or with perf record -a --switch-events");
}

static int read_features(struct perf_file *f)
{
	struct perf_bytes formats, command;

	if (!has_feature(f, FEATURE_FORMATS) && !f->has_switches)
		return perf_file_lacks_events(f);
	if (has_feature(f, FEATURE_FORMATS) && !feature(f, FEATURE_FORMATS, &formats))
		return wrong(f, "the formats of tracepoints are not in the file; perf was stopped early");
	if (has_feature(f, FEATURE_BUILD_IDS))
		feature(f, FEATURE_BUILD_IDS, &f->build_ids);
	if (has_feature(f, PERF_FEATURE_COMMAND) && feature(f, PERF_FEATURE_COMMAND, &command))
		perf_file_command(f, command);
	return has_feature(f, FEATURE_FORMATS) ? perf_file_formats(f, formats) : 0;
}

int perf_file_open(struct perf_file *f)
{
	uint64_t size;
	int ret;

	f->tep = must(tep_alloc());
	if (!memcmp(f->all.data, "2ELIFREP", 8))
		return wrong(f, "it was recorded on a machine with another byte order");
	if (!perf_bytes_u64(f->all, 8, &size))
		return wrong(f, "the header is truncated");
	f->is_pipe = size == PIPE_HEADER_BYTES;
	if (f->is_pipe) {
		perf_bytes_part(f->all, PIPE_HEADER_BYTES, f->all.size - PIPE_HEADER_BYTES, &f->data);
		return 0;
	}
	if (size < HEADER_BYTES || f->all.size < HEADER_BYTES)
		return wrong(f, "the header is truncated");
	if (!section(f, f->all, HEADER_DATA, &f->data))
		return wrong(f, "its data are not in the file; perf was stopped early, or the file is truncated");
	ret = read_attrs(f);
	return ret ? ret : read_features(f);
}

void perf_file_close(struct perf_file *f)
{
	if (f->tep)
		tep_free(f->tep);
	free(f->attrs);
	free(f->ids);
}

/* --- records that `perf record -z` compressed --- */

#define ROOM_BYTES	(256U << 10)	/* several of the longest records (64 KB) */

int perf_unpack_more(struct perf_unpack *u, struct perf_bytes *packed, struct perf_bytes *records)
{
	ZSTD_inBuffer in = { packed->data, packed->size, 0 };
	ZSTD_outBuffer out = { NULL, ROOM_BYTES, u->bytes };
	size_t ret;

	if (!u->zstd) {
		u->room = must(malloc(ROOM_BYTES));
		u->zstd = must(ZSTD_createDStream());
	}
	out.dst = u->room;
	ret = ZSTD_decompressStream(u->zstd, &out, &in);
	if (ZSTD_isError(ret) && ZSTD_getErrorCode(ret) == ZSTD_error_memory_allocation)
		memory_ran_out();
	if (ZSTD_isError(ret))
		return -EBADMSG;
	u->bytes = out.pos;
	*packed = (struct perf_bytes){ packed->data + in.pos, packed->size - in.pos };
	*records = (struct perf_bytes){ u->room, u->bytes };
	/* If the room is full, zstd may have more data. */
	return packed->size || out.pos == out.size;
}

void perf_unpack_used(struct perf_unpack *u, size_t bytes)
{
	u->bytes -= bytes;
	memmove(u->room, u->room + bytes, u->bytes);
}

void perf_unpack_close(struct perf_unpack *u)
{
	ZSTD_freeDStream(u->zstd);
	free(u->room);
}
