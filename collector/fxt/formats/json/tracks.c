// SPDX-License-Identifier: GPL-2.0-or-later
/* tracks.c - names, places and labels of tracks. See json.h. */
#include <stdio.h>
#include <string.h>

#include "json.h"

void json_track_sort(struct json *j, const char *kind, const struct json_place *place,
		     int64_t index)
{
	char what[32];

	snprintf(what, sizeof(what), "%s_sort_index", kind);
	json_open_metadata(j, place, what);
	out_str(j->o, ",\"args\":{\"sort_index\":");
	out_i64(j->o, index);
	out_char(j->o, '}');
	json_end(j);
}

void json_track_name(struct json *j, const char *kind, const struct json_place *place,
		     const struct fxt_text *name, const struct fxt_content *args)
{
	char what[32];

	snprintf(what, sizeof(what), "%s_name", kind);
	json_open_metadata(j, place, what);
	out_str(j->o, ",\"args\":{\"name\":");
	out_json_text(j->o, name);
	if (args && args->arg_count) {
		out_str(j->o, ",\"fxt_args\":");
		json_args(j, args, false);
	}
	out_char(j->o, '}');
	json_end(j);
}

void json_track(struct json *j, const char *kind, const struct json_place *place,
		const char *name, int64_t sort_index)
{
	struct fxt_text text = { .bytes = name, .length = strlen(name) };

	json_track_name(j, kind, place, &text, NULL);
	json_track_sort(j, kind, place, sort_index);
}

void json_label(struct json *j, const struct json_place *place, const char *label,
		size_t length)
{
	if (length == 1 && *label == '/')
		return;
	json_open_metadata(j, place, "process_labels");
	out_str(j->o, ",\"args\":{\"labels\":");
	out_json(j->o, label, length);
	out_char(j->o, '}');
	json_end(j);
}
