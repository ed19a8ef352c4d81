// SPDX-License-Identifier: GPL-2.0-or-later
/* providers.c - see providers.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/array.h"
#include "libfxt/fxt_strings.h"
#include "providers.h"

struct providers_entry {
	uint32_t id;
	uint64_t ticks_per_second;
};

/* Invalid UTF-8 becomes '?', as everywhere in the result. */
static void copy_name(char *to, const struct fxt_text *name)
{
	const unsigned char *s = (const unsigned char *)name->bytes;
	uint32_t i, n;

	for (i = 0; i < name->length; i += n ? n : 1) {
		n = fxt_utf8_length(s + i, name->length - i);
		if (n)
			memcpy(to + i, s + i, n);
		else
			to[i] = '?';
	}
}

static int introduce(struct providers *p, const struct fxt_provider *provider)
{
	char name[FXT_MAX_PROVIDER_NAME];
	struct fxt_writer *w = p->f->w;
	struct fxt_content info = {
		.kind = FXT_KIND_PROVIDER_INFO,
		.provider_id = provider->id,
		.name = { .bytes = name, .length = provider->name.length },
	};
	int ret;

	copy_name(name, &provider->name);
	ret = fxt_writer_record(w, &info);
	if (!ret)
		ret = fxt_writer_initialization(w, provider->ticks_per_second);
	if (!fxt_text_is(&provider->name, FXT_SCHED_PROVIDER_NAME))
		return rewrite_written(p->f, ret);
#define REGISTER(index, text) ret = ret ? ret : fxt_writer_register(w, text);
	FXT_SCHED_STRINGS(REGISTER)
#undef REGISTER
	return rewrite_written(p->f, ret);
}

static size_t find(const struct providers *p, uint32_t id)
{
	uint64_t number = p->count;

	if (p->count && p->list[p->now].id == id)
		return p->now;
	koids_get(&p->numbers, id, &number);
	return number;
}

static int add(struct providers *p, const struct fxt_provider *provider)
{
	if (array_grow(p->list, p->count) ||
	    koids_set(&p->numbers, provider->id, p->count))
		return -ENOMEM;
	p->list[p->count] = (struct providers_entry){
		provider->id, provider->ticks_per_second,
	};
	p->now = p->count++;
	return introduce(p, provider);
}

int providers_go_on(struct providers *p, uint32_t id)
{
	struct fxt_content section = {
		.kind = FXT_KIND_PROVIDER_SECTION, .provider_id = id,
	};
	size_t i = find(p, id);

	if (i == p->now || i == p->count)
		return 0;
	p->now = i;
	return rewrite_written(p->f, fxt_writer_record(p->f->w, &section));
}

int providers_enter(struct providers *p, const struct fxt_provider *provider)
{
	size_t i = find(p, provider->id);
	int ret;

	if (i == p->count)
		return add(p, provider);
	ret = providers_go_on(p, provider->id);
	if (ret || p->list[i].ticks_per_second == provider->ticks_per_second)
		return ret;
	p->list[i].ticks_per_second = provider->ticks_per_second;
	return rewrite_written(p->f, fxt_writer_initialization(p->f->w,
							       provider->ticks_per_second));
}

void providers_free(struct providers *p)
{
	free(p->list);
	koids_free(&p->numbers);
	p->list = NULL;
	p->count = 0;
}
