// SPDX-License-Identifier: GPL-2.0-or-later
/* emit.c - the beginning and the end of each event. See json.h. */
#include "json.h"

/* The text of a track is made once for many events of it in a row. */
static const struct json_track_text *track_text(struct json *j, const struct json_place *place)
{
	struct json_track_text *t = &j->track_texts[place->tid % JSON_TRACK_TEXTS];
	char *p = t->text;

	if (t->bytes && t->place.pid == place->pid && t->place.tid == place->tid)
		return t;
	t->place = *place;
	p = out_json_u64_at(out_str_at(p, "\",\"pid\":"), place->pid);
	p = out_json_u64_at(out_str_at(p, ",\"tid\":"), place->tid);
	t->bytes = out_str_at(p, ",\"ts\":") - t->text;
	return t;
}

char *json_open_at(struct json *j, char *p, char phase, const struct json_place *place)
{
	const struct json_track_text *t = track_text(j, place);

	if (j->written++)
		*p++ = ',';
	p = out_str_at(p, "\n{\"ph\":\"");
	*p++ = phase;
	/* All of it, because the compiler copies a constant length itself. */
	memcpy(p, t->text, sizeof(t->text));
	return p + t->bytes;
}

void json_open(struct json *j, char phase, const struct json_place *place, uint64_t ns)
{
	char *p = out_room(j->o, JSON_OPEN_BYTES + OUT_NUMBER);

	out_put(j->o, out_micros_at(json_open_at(j, p, phase, place), ns));
}

void json_open_metadata(struct json *j, const struct json_place *place, const char *name)
{
	struct out *o = j->o;

	out_str(o, j->written++ ? ",\n{\"ph\":\"M\",\"pid\":" : "\n{\"ph\":\"M\",\"pid\":");
	out_json_u64(o, place->pid);
	out_str(o, ",\"tid\":");
	out_json_u64(o, place->tid);
	out_str(o, ",\"name\":\"");
	out_str(o, name);
	out_char(o, '"');
}

void json_end(struct json *j)
{
	out_char(j->o, '}');
}

void json_name(struct json *j, const struct fxt_text *category, const struct fxt_text *name)
{
	out_str(j->o, ",\"cat\":");
	out_json_text(j->o, category);
	out_str(j->o, ",\"name\":");
	out_json_text(j->o, name);
}

void json_id(struct json *j, uint64_t id)
{
	out_str(j->o, ",\"id\":\"");
	out_hex(j->o, id);
	out_char(j->o, '"');
}
