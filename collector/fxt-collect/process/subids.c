// SPDX-License-Identifier: GPL-2.0-or-later
/* subids.c - see subids.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "libfxt/array.h"
#include "subids.h"

static int add(struct subids *s, uint64_t first, uint64_t count)
{
	if (!count || first >= UINT32_MAX || count > UINT32_MAX - first)
		return 0;
	if (array_grow(s->ranges, s->count))
		return -ENOMEM;
	s->ranges[s->count++] = (struct users){ first, first + count - 1 };
	return 0;
}

int subids_read(struct subids *s, const char *path)
{
	FILE *f = fopen(path, "re");
	uint64_t first, count;
	char *line = NULL;
	size_t size = 0;
	int ret = 0;

	while (f && !ret && getline(&line, &size, f) > 0)
		if (sscanf(line, "%*[^:]:%" SCNu64 ":%" SCNu64, &first, &count) == 2)
			ret = add(s, first, count);
	free(line);
	if (f)
		fclose(f);
	return ret;
}

struct users subids_of(const struct subids *s, uint32_t user)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		if (s->ranges[i].first <= user && user <= s->ranges[i].last)
			return s->ranges[i];
	return (struct users){ user, user };
}

void subids_free(struct subids *s)
{
	free(s->ranges);
	*s = (struct subids){ 0 };
}
