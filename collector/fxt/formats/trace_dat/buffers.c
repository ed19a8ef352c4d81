// SPDX-License-Identifier: GPL-2.0-or-later
/* buffers.c - see buffers.h. */
#include <byteswap.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffers.h"

#define MAGIC_BYTES	10
#define FIRST_EVENTS	10000	/* of a CPU, among which is a wakeup if there are wakeups */

/* Events of a buffer by kind. */
struct counts {
	uint64_t of[TRACE_KINDS];
};

/* Libraries close the descriptors that they are given. */
static struct tracecmd_input *open_input(int from)
{
	int fd = lseek(from, 0, SEEK_SET) ? -1 : dup(from);

	return fd < 0 ? NULL : tracecmd_open_fd(fd, TRACECMD_FL_LOAD_NO_PLUGINS);
}

static void set_name(struct tracecmd_buffer *b, const char *name)
{
	size_t i;

	for (i = 0; name && name[i] && i + 1 < sizeof(b->name); i++)
		b->name[i] = isprint((unsigned char)name[i]) ? name[i] : '?';
	b->name[i] = '\0';
}

/* "\x17\x08\x44tracing6\0", byte order, size of a long, size of a page. */
static bool read_page_size(struct tracecmd_buffers *b, int fd)
{
	char head[32];
	ssize_t n = pread(fd, head, sizeof(head), 0);
	const char *end = n > MAGIC_BYTES ? memchr(head + MAGIC_BYTES, 0, n - MAGIC_BYTES) : NULL;

	if (!end || end + 3 + sizeof(b->page) > head + n)
		return false;
	memcpy(&b->page, end + 3, sizeof(b->page));
	if (tep_is_file_bigendian(b->formats.tep) != tep_is_local_bigendian(b->formats.tep))
		b->page = bswap_32(b->page);
	return b->page;
}

static int open_all(struct tracecmd_buffers *b, int fd)
{
	struct tracecmd_input *top = open_input(fd);
	int instances, i;

	if (!top)
		return -EBADMSG;
	instances = tracecmd_buffer_instances(top);
	b->all = calloc(1 + (size_t)instances, sizeof(*b->all));
	if (!b->all) {
		tracecmd_close(top);
		return -ENOMEM;
	}
	b->formats.tep = tracecmd_get_tep(top);
	b->all[0].input = top;
	b->count = 1;
	if (!read_page_size(b, fd))
		return -EBADMSG;
	for (i = 0; i < instances; i++) {
		set_name(&b->all[b->count], tracecmd_buffer_instance_name(top, i));
		b->all[b->count++].input = tracecmd_buffer_instance_handle(top, i);
	}
	return 0;
}

/* The library frees the formats with the top buffer, which is the last that is closed. */
static void close_all(struct tracecmd_buffers *b)
{
	tep_events_close(&b->formats);
	memset(&b->formats, 0, sizeof(b->formats));
	for (; b->count; b->count--)
		if (b->all[b->count - 1].input)
			tracecmd_close(b->all[b->count - 1].input);
	free(b->all);
	b->all = NULL;
}

/* The kind whose buffer is that of @what as well. */
static unsigned int kind_of(unsigned int what)
{
	return what == TRACE_IRQ_EXIT ? TRACE_IRQ_ENTRY :
	       what == TRACE_SOFTIRQ_EXIT ? TRACE_SOFTIRQ_ENTRY : what;
}

/* Pages begin at multiples of their size. The header of the record is before its data. */
bool tracecmd_record_fits(const struct tracecmd_buffers *b, const struct tep_record *rec)
{
	return rec->size >= 0 && rec->record_size >= rec->size &&
	       (unsigned int)rec->record_size <= b->page - rec->offset % b->page;
}

/* At most @events of each CPU. */
static void count(struct tracecmd_buffers *b, struct tracecmd_input *input, uint64_t events,
		  struct counts *c)
{
	int cpus = tep_get_cpus(b->formats.tep), cpu, what;
	struct tep_record *rec;
	uint64_t i;

	for (cpu = 0; cpu < cpus; cpu++) {
		rec = tracecmd_read_cpu_first(input, cpu);
		for (i = 0; rec && i < events; i++) {
			what = tracecmd_record_fits(b, rec) ?
			       tep_events_what(&b->formats, rec) : TRACE_NOTHING;
			if (what > TRACE_NOTHING)
				c->of[kind_of(what)]++;
			tracecmd_free_record(rec);
			rec = tracecmd_read_data(input, cpu);
		}
		if (rec)
			tracecmd_free_record(rec);
	}
}

static void choose_for(struct tracecmd_buffers *b, const struct counts *counts, unsigned int what)
{
	unsigned int kind = kind_of(what);
	uint64_t most = 0;
	int i;

	b->from[what] = b->count > 1 ? -1 : 0;
	for (i = 0; i < b->count; i++) {
		if (counts[i].of[kind] <= most)
			continue;
		most = counts[i].of[kind];
		b->from[what] = i;
	}
}

/* Of a file without instances, it only matters whether it has wakeups. */
static int choose(struct tracecmd_buffers *b)
{
	struct counts *counts = calloc(b->count, sizeof(*counts));
	unsigned int what;
	int i;

	if (!counts)
		return -ENOMEM;
	for (i = 0; i < b->count; i++) {
		if (!b->all[i].input)
			continue;
		count(b, b->all[i].input, b->count > 1 ? UINT64_MAX : FIRST_EVENTS, &counts[i]);
		b->has_wakeups |= counts[i].of[TRACE_WAKEUP];
	}
	for (what = 0; what < TRACE_KINDS; what++)
		choose_for(b, counts, what);
	free(counts);
	return 0;
}

/* The library cannot go back to the beginning: open the file again. */
int tracecmd_buffers_open(struct tracecmd_buffers *b, int fd)
{
	int ret = open_all(b, fd);

	if (!ret)
		ret = choose(b);
	close_all(b);
	return ret ? ret : open_all(b, fd);
}

void tracecmd_buffers_close(struct tracecmd_buffers *b)
{
	close_all(b);
}

bool tracecmd_buffer_is_used(const struct tracecmd_buffers *b, int index)
{
	unsigned int what;

	for (what = 0; what < TRACE_KINDS; what++)
		if (b->from[what] == index)
			return true;
	return false;
}

int tracecmd_buffer_of(const struct tracecmd_buffers *b, struct tracecmd_input *input)
{
	return (struct tracecmd_buffer *)tracecmd_get_private(input) - b->all;
}

int tracecmd_buffers_walk(struct tracecmd_buffers *b,
			  int (*take)(struct tracecmd_input *input, struct tep_record *rec, int cpu,
				      void *arg), void *arg)
{
	struct tracecmd_input **inputs = calloc(b->count, sizeof(*inputs));
	int i, n = 0;

	if (!inputs)
		return -ENOMEM;
	for (i = 0; i < b->count; i++) {
		if (!b->all[i].input)
			continue;
		tracecmd_set_private(b->all[i].input, &b->all[i]);
		inputs[n++] = b->all[i].input;
	}
	tracecmd_iterate_events_multi(inputs, n, take, arg);
	free(inputs);
	return 0;
}
