// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * samples.c - the fields of a sample, and the files of its call chain. See perf_data.h.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <fxt/fxt_sched_stack.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "libsym/resolve.h"
#include "terminal/memory.h"
#include "perf_data.h"

/* --- the fields of a sample, and the ids at the end of other records --- */

#define FORMAT_LOST	(1U << 4)	/* PERF_FORMAT_LOST, since Linux 6.0 */

/* Fields of one word before the raw data, which are skipped. */
#define READS		(PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

static uint64_t next(struct perf_walk *w)
{
	uint64_t n = 0;

	w->wrong |= !perf_bytes_u64(w->b, w->at, &n);
	w->at += 8;
	return n;
}

static void skip(struct perf_walk *w, uint64_t words)
{
	if (words > (w->b.size - (w->at < w->b.size ? w->at : w->b.size)) / 8)
		w->wrong = true;
	else
		w->at += words * 8;
}

static void skip_read(struct perf_walk *w, uint64_t format)
{
	unsigned int times = __builtin_popcountll(format & READS);
	unsigned int each = 1 + !!(format & PERF_FORMAT_ID) + !!(format & FORMAT_LOST);

	if (format & PERF_FORMAT_GROUP) {
		uint64_t count = next(w);

		skip(w, times);
		if (count > w->b.size)
			w->wrong = true;
		else
			skip(w, count * each);
	} else {
		skip(w, times + each);
	}
}

static void read_tid(struct perf_walk *w, struct perf_sample *s)
{
	uint64_t word = next(w);

	/* A thread that has ended has the ids -1. */
	s->is_dead = word >> 32 == UINT32_MAX;
	s->pid = (uint32_t)word == UINT32_MAX ? 0 : (uint32_t)word;
	s->tid = s->is_dead ? 0 : word >> 32;
}

static void read_chain(struct perf_walk *w, struct perf_sample *s)
{
	uint64_t words = next(w);
	size_t at = w->at;

	skip(w, words);
	if (!w->wrong)
		perf_bytes_part(w->b, at, words * 8, &s->chain);
}

void perf_frames(const struct perf_sample *s, struct trace_event *e)
{
	uint64_t context = PERF_CONTEXT_KERNEL, word, *frames;
	unsigned int of[2] = { 0, 0 };	/* the program, the kernel */
	size_t at;

	if (!s->chain.size)
		return;
	frames = must(malloc(2 * FXT_SCHED_STACK_FRAMES * sizeof(*frames)));
	for (at = 0; perf_bytes_u64(s->chain, at, &word); at += 8) {
		bool is_kernel = context == (uint64_t)PERF_CONTEXT_KERNEL;

		if (word >= (uint64_t)PERF_CONTEXT_MAX) {
			context = word;
			continue;
		}
		if ((!is_kernel && context != (uint64_t)PERF_CONTEXT_USER) ||
		    is_kernel != fxt_sched_is_kernel(word) || (is_kernel && of[0]) ||
		    of[is_kernel] == FXT_SCHED_STACK_FRAMES)
			continue;
		frames[of[0] + of[1]] = word;
		of[is_kernel]++;
	}
	e->frames = frames;
	e->frame_count = of[0] + of[1];
}

static bool is_identified(const struct perf_file *f)
{
	return f->attrs[0].sample & PERF_SAMPLE_IDENTIFIER;
}

bool perf_sample(const struct perf_file *f, struct perf_bytes body, struct perf_sample *s)
{
	struct perf_walk w = { .b = body };
	const struct perf_attr *a;
	uint32_t size = 0;

	*s = (struct perf_sample){ .cpu = PERF_NO_CPU };
	if (!f->attr_count)
		return false;
	a = perf_file_of(f, is_identified(f) ? next(&w) : 0);
	if (a->sample & PERF_SAMPLE_IP)
		skip(&w, 1);
	if (a->sample & PERF_SAMPLE_TID)
		read_tid(&w, s);
	if (a->sample & PERF_SAMPLE_TIME)
		s->time = next(&w);
	skip(&w, !!(a->sample & PERF_SAMPLE_ADDR) + !!(a->sample & PERF_SAMPLE_ID) +
		 !!(a->sample & PERF_SAMPLE_STREAM_ID));
	if (a->sample & PERF_SAMPLE_CPU)
		s->cpu = next(&w);
	skip(&w, !!(a->sample & PERF_SAMPLE_PERIOD));
	if (a->sample & PERF_SAMPLE_READ)
		skip_read(&w, a->read);
	if (a->sample & PERF_SAMPLE_CALLCHAIN)
		read_chain(&w, s);
	if (a->type != PERF_TYPE_TRACEPOINT || !(a->sample & PERF_SAMPLE_RAW))
		return !w.wrong;
	return !w.wrong && perf_bytes_u32(body, w.at, &size) &&
	       perf_bytes_part(body, w.at + 4, size, &s->raw);
}

bool perf_trailer(const struct perf_file *f, struct perf_bytes body, struct perf_sample *s)
{
	const struct perf_attr *a = f->attrs;
	struct perf_walk w = { .b = body };
	uint64_t id = 0;
	size_t words;

	*s = (struct perf_sample){ .cpu = PERF_NO_CPU };
	if (!f->attr_count || !a->has_trailer)
		return true;
	if (is_identified(f)) {
		if (body.size < 8 || !perf_bytes_u64(body, body.size - 8, &id))
			return false;
		a = perf_file_of(f, id);
	}
	words = __builtin_popcountll(a->sample & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
						  PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
						  PERF_SAMPLE_IDENTIFIER));
	if (words * 8 > body.size)
		return false;
	w.at = body.size - words * 8;
	if (a->sample & PERF_SAMPLE_TID)
		read_tid(&w, s);
	if (a->sample & PERF_SAMPLE_TIME)
		s->time = next(&w);
	skip(&w, !!(a->sample & PERF_SAMPLE_ID) + !!(a->sample & PERF_SAMPLE_STREAM_ID));
	if (a->sample & PERF_SAMPLE_CPU)
		s->cpu = next(&w);
	return !w.wrong;
}

/* --- the files of call chains' addresses --- */

#define KERNEL_PID	UINT32_MAX
#define MMAP_ADDRESS	8	/* after pid and tid; then the length and the offset in the file */
#define MMAP_NAME	32
#define MMAP2_ID_BYTES	32	/* if the header has the bit for a build id */
#define MMAP2_ID	36
#define MMAP2_PROT	56
#define MMAP2_NAME	64

struct mmap_record {
	uint32_t pid;
	uint64_t start;
	uint64_t length;
	uint64_t offset;
	bool is_code;
	struct elf_id id;
	const char *name;
	size_t name_length;
};

static bool read_id(struct perf_bytes body, struct elf_id *id)
{
	struct perf_bytes part;

	if (body.size <= MMAP2_ID_BYTES)
		return false;
	id->bytes = body.data[MMAP2_ID_BYTES];
	if (id->bytes > PERF_BUILD_ID_BYTES || !perf_bytes_part(body, MMAP2_ID, id->bytes, &part))
		return false;
	memcpy(id->id, part.data, id->bytes);
	return true;
}

static bool read_record(struct mmap_record *r, uint32_t type, uint16_t misc,
			struct perf_bytes body)
{
	bool is_2 = type == PERF_RECORD_MMAP2;
	size_t at = is_2 ? MMAP2_NAME : MMAP_NAME;
	struct perf_bytes name;
	uint32_t prot = PROT_EXEC;

	*r = (struct mmap_record){ .id = { .bytes = 0 } };
	if (!perf_bytes_u32(body, 0, &r->pid) || !perf_bytes_u64(body, MMAP_ADDRESS, &r->start) ||
	    !perf_bytes_u64(body, MMAP_ADDRESS + 8, &r->length) ||
	    !perf_bytes_u64(body, MMAP_ADDRESS + 16, &r->offset) ||
	    (is_2 && !perf_bytes_u32(body, MMAP2_PROT, &prot)) || body.size < at ||
	    !perf_bytes_part(body, at, body.size - at, &name))
		return false;
	if (is_2 && misc & PERF_RECORD_MISC_MMAP_BUILD_ID && !read_id(body, &r->id))
		return false;
	r->is_code = is_2 ? prot & PROT_EXEC : !(misc & PERF_RECORD_MISC_MMAP_DATA);
	r->name = (const char *)name.data;
	r->name_length = strnlen(r->name, name.size);
	return r->length <= UINT64_MAX - r->start;
}

/* "[kernel.kallsyms]_text", or the file of a module: ".../kvm-intel.ko.xz" is [kvm_intel]. */
static void name_kernel_map(struct perf_kernel_map *map, const struct mmap_record *r)
{
	static const char kernel[] = FXT_SCHED_KERNEL_MODULE;
	const char *slash = memrchr(r->name, '/', r->name_length);
	const char *name = slash ? slash + 1 : r->name;
	size_t length = r->name + r->name_length - name, i;
	const char *dot = slash ? memchr(name, '.', length) : NULL;

	if (r->name_length >= sizeof(kernel) - 1 && !memcmp(r->name, kernel, sizeof(kernel) - 1)) {
		snprintf(map->name, sizeof(map->name), "%s", kernel);
		return;
	}
	length = dot ? (size_t)(dot - name) : length;
	snprintf(map->name, sizeof(map->name), slash ? "[%.*s]" : "%.*s", (int)length, name);
	for (i = 0; map->name[i]; i++) {
		if (map->name[i] == '-')
			map->name[i] = '_';
		else if (map->name[i] < ' ' || map->name[i] > '~')
			map->name[i] = '?';
	}
}

static void add_kernel(struct perf_maps *m, const struct mmap_record *r)
{
	struct perf_kernel_map *map = &m->kernel[m->kernel_count];

	if (m->kernel_count == PERF_KERNEL_MAPS)
		return;
	m->kernel_count++;
	map->start = r->start;
	map->end = r->start + r->length;
	map->id = r->id;
	name_kernel_map(map, r);
}

bool perf_maps_mmap(struct perf_maps *m, uint32_t type, uint16_t misc, struct perf_bytes body,
		    uint64_t time)
{
	struct mapping mapping;
	struct mmap_record r;

	if (!read_record(&r, type, misc, body))
		return false;
	if (!r.length)
		return true;
	if (r.pid == KERNEL_PID) {
		add_kernel(m, &r);
		return true;
	}
	if (!r.is_code)
		return true;
	if (!r.id.bytes)
		r.id.bytes = perf_file_build_id(m->file, r.name, r.name_length, r.id.id);
	mapping = (struct mapping){
		.time = time, .kind = MAPPING_FILE, .start = r.start, .end = r.start + r.length,
		.offset = r.offset, .vaddr = FXT_SCHED_NO_VADDR,
		.module = must(images_module(&m->images, r.name, r.name_length, &r.id)),
	};
	must_fit(images_add(&m->images, r.pid, &mapping));
	return true;
}

void perf_maps_fork(struct perf_maps *m, uint32_t process, uint32_t parent, uint64_t time)
{
	const struct mapping mapping = { .time = time, .kind = MAPPING_FORK, .parent = parent };

	if (process != parent)
		must_fit(images_add(&m->images, process, &mapping));
}

void perf_maps_exec(struct perf_maps *m, uint32_t process, uint64_t time)
{
	const struct mapping mapping = { .time = time, .kind = MAPPING_EXEC };

	must_fit(images_add(&m->images, process, &mapping));
}

void perf_maps_frames(struct perf_maps *m, uint32_t process, const struct trace_event *e)
{
	unsigned int i;

	for (i = 0; i < e->frame_count; i++)
		must_fit(addresses_add(&m->addresses, process, e->frames[i], e->ns));
}

/* Is an address inside of @map? Kernel addresses come first. */
static bool occurs(const struct addresses *a, const struct perf_kernel_map *map)
{
	size_t i;

	for (i = 0; i < a->count && !a->slots[i].process; i++)
		if (a->slots[i].at >= map->start && a->slots[i].at < map->end)
			return true;
	return false;
}

static int write_kernel_map(struct perf_maps *m, struct fxt_writer *w, uint16_t number,
			    const struct perf_kernel_map *map)
{
	struct elf_id id = map->id;
	struct fxt_content module = {
		.kind = FXT_KIND_MODULE, .module_id = number, .thread = mapped_of(0),
		.name = { .bytes = map->name, .length = strlen(map->name) },
	};
	const struct fxt_content mmap = {
		.kind = FXT_KIND_MMAP, .module_id = number, .thread = mapped_of(0),
		.start = map->start, .range = map->end - map->start,
	};
	int ret;

	if (!id.bytes)
		id.bytes = perf_file_build_id(m->file, map->name, module.name.length, id.id);
	module.build_id = (struct fxt_bytes){ .data = id.bytes ? id.id : NULL, .bytes = id.bytes };
	ret = fxt_writer_record(w, &module);
	return ret ? ret : fxt_writer_record(w, &mmap);
}

int perf_maps_write(struct perf_maps *m, struct fxt_writer *w)
{
	struct resolution r = {
		.w = w, .records = true, .server = m->server,
		.limit = PERF_MAPS_SECONDS * 1000000000ULL,
	};
	unsigned int i;
	int ret;

	if (!m->addresses.count)
		return 0;
	addresses_sort(&m->addresses);
	ret = mapped_begin(w, 0);
	for (i = 0; i < m->kernel_count && !ret; i++)
		if (occurs(&m->addresses, &m->kernel[i]))
			ret = write_kernel_map(m, w, i + 1, &m->kernel[i]);
	ret = ret ? ret : resolve(&r, &m->images, &m->addresses);
	m->unread = r.faults[ELF_CRASHED];
	m->late = r.faults[ELF_TOO_SLOW];
	return ret;
}

void perf_maps_close(struct perf_maps *m)
{
	images_free(&m->images);
	addresses_free(&m->addresses);
}
