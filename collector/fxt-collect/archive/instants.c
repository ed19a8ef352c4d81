// SPDX-License-Identifier: GPL-2.0-or-later
/* instants.c - see instants.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "instants.h"

int instants_add(void *arg, const struct names_event *e)
{
	struct instants *i = arg;

	if (!i->events)
		i->events = calloc(INSTANTS_MOST, sizeof(*i->events));
	if (!i->events)
		return -ENOMEM;
	if (i->count == INSTANTS_MOST) {
		i->first++;
		i->count--;
	}
	i->events[(i->first + i->count++) % INSTANTS_MOST] = *e;
	return 0;
}

static void add_comm(struct fxt_content *c, uint16_t name, const char *comm)
{
	if (!comm[0])
		return;
	c->args[c->arg_count++] = (struct fxt_arg){
		.name.ref = name,
		.type = FXT_ARG_STRING,
		.text = { .bytes = comm, .length = strlen(comm) },
	};
}

static int write_event(struct fxt_writer *w, const struct names_event *e)
{
	struct fxt_content c = {
		.kind = FXT_KIND_INSTANT,
		.time = e->time,
		.thread = { .process = e->process, .thread = e->thread },
		.category.ref = FXT_STR_CATEGORY,
		.name.ref = e->what,
	};

	if (e->what == FXT_STR_EXEC) {
		add_comm(&c, FXT_STR_COMM, e->after);
	} else {
		add_comm(&c, FXT_STR_OLDCOMM, e->before);
		add_comm(&c, FXT_STR_NEWCOMM, e->after);
	}
	return fxt_writer_record(w, &c);
}

/* Skip renames to the current name. */
static bool is_news(const struct names_event *e)
{
	return e->what == FXT_STR_EXEC || strcmp(e->before, e->after);
}

int instants_write(struct instants *i, struct fxt_writer *w, uint64_t from)
{
	const struct names_event *e;
	int ret = 0;

	for (; i->count && !ret; i->count--) {
		e = &i->events[i->first++ % INSTANTS_MOST];
		if (e->time >= from && is_news(e))
			ret = write_event(w, e);
	}
	return ret;
}

void instants_free(struct instants *i)
{
	free(i->events);
	*i = (struct instants){ 0 };
}
