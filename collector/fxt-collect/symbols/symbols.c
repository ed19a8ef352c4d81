// SPDX-License-Identifier: GPL-2.0-or-later
/* symbols.c - see symbols.h. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "libfxt/array.h"
#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "libsym/elf_file.h"
#include "libsym/kernel.h"
#include "names/names.h"
#include "samples.h"
#include "source/source.h"
#include "symbols.h"

#define MODULE_NAME_BYTES	80
#define NAMES_NS		5000000000ULL	/* for the functions of programs of an archive */
#define NAMES_EACH_NS		2000000000ULL	/* of these, for the files of one user */

/* --- modules and mappings --------------------------------------------------------------- */

static void name_module(char name[MODULE_NAME_BYTES], const struct kernel_range *range)
{
	if (range->name)
		snprintf(name, MODULE_NAME_BYTES, "[%s]", range->name);
	else
		snprintf(name, MODULE_NAME_BYTES, "%s", FXT_SCHED_KERNEL_MODULE);
}

static int write_module(struct fxt_writer *w, uint64_t time, uint16_t id,
			const struct kernel_range *range)
{
	struct fxt_content module = {
		.kind = FXT_KIND_MODULE, .time = time, .module_id = id, .thread = mapped_of(0),
	}, mmap = {
		.kind = FXT_KIND_MMAP, .time = time, .module_id = id, .thread = mapped_of(0),
	};
	unsigned char build_id[BUILD_ID_MOST];
	char name[MODULE_NAME_BYTES];

	name_module(name, range);
	module.name = (struct fxt_text){ .bytes = name, .length = strlen(name) };
	module.build_id.bytes = build_id_of_kernel(range->name, build_id);
	module.build_id.data = module.build_id.bytes ? build_id : NULL;
	fxt_writer_record(w, &module);
	mmap.start = range->start;
	mmap.range = range->end - range->start;
	return fxt_writer_record(w, &mmap);
}

/* Addresses are sorted, those of the kernel first. */
static bool occurs(const struct addresses *a, const struct kernel_range *range)
{
	size_t n = array_front(a->count, i, !a->slots[i].process && a->slots[i].at < range->start);

	return n < a->count && !a->slots[n].process && a->slots[n].at < range->end;
}

static int write_modules(const struct addresses *a, const struct kernel_symbols *k,
			 struct fxt_writer *w, uint64_t time)
{
	uint16_t id = 0;
	size_t i;
	int ret = mapped_begin(w, 0);

	for (i = 0; i < k->range_count && id < UINT16_MAX && !ret; i++)
		if (occurs(a, &k->ranges[i]))
			ret = write_module(w, time, ++id, &k->ranges[i]);
	return ret;
}

/* --- chunks --------------------------------------------------------------------------------- */

/* fxt symbolize can name an address that gets no name here, if the archive has its mapping. */
static void keep_mapping(void *arg, const struct address *a)
{
	struct symbols *s = arg;

	if (a->process)
		images_use(&s->images, a->process, a->last, a->at);
}

static int add_stack(struct addresses *a, const uint64_t *rec, uint64_t words)
{
	uint64_t frames = fxt_get(FXT_BACKTRACE_FRAMES, rec[0]), i;
	int ret = 0;

	if (frames > words - FXT_SCHED_STACK_HEAD)
		return 0;
	for (i = 0; i < frames && !ret; i++)
		ret = addresses_add(a, rec[2], rec[FXT_SCHED_STACK_HEAD + i], rec[1]);
	return ret;
}

int symbols_chunk(struct symbols *s, const struct chunk *c)
{
	const uint64_t *rec = c->data, *end = rec + c->bytes / FXT_WORD;
	uint64_t words;
	int ret = 0;

	for (; s->is_on && rec < end && !ret; rec += words) {
		words = fxt_get(FXT_SIZE, rec[0]);
		if (!words || words > (uint64_t)(end - rec))
			break;
		if (fxt_get(FXT_TYPE, rec[0]) == FXT_RECORD_PROFILER &&
		    words >= FXT_SCHED_STACK_HEAD)
			ret = add_stack(&s->addresses, rec, words);
	}
	return ret ? ret : sleeps_chunk(&s->sleeps, c);
}

/* --- for Perfetto --------------------------------------------------------------------------- */

/* What the addresses of an archive mean. */
struct meaning {
	struct symbols *s;
	struct kernel_symbols kernel;	/* none if they are unknown */
	struct functions programs;
	const struct kernel_range *range;	/* the last one, whose @name and @build_id are: */
	char name[MODULE_NAME_BYTES];
	unsigned char build_id[BUILD_ID_MOST];
	size_t build_id_bytes;
};

static void find_kernel(struct meaning *m, uint64_t address, struct sample_frame *f)
{
	const struct kernel_symbol *s = kernel_symbols_find(&m->kernel, address);
	const struct kernel_range *range = kernel_symbols_range(&m->kernel, address);

	f->function = s && m->s->names ? s->name : NULL;
	if (!range)
		return;
	if (range != m->range) {
		m->range = range;
		name_module(m->name, range);
		m->build_id_bytes = build_id_of_kernel(range->name, m->build_id);
	}
	f->mapping = m->name;
	f->build_id = m->build_id;
	f->build_id_bytes = m->build_id_bytes;
	f->offset = address - range->start;
}

static void find_frame(void *arg, uint32_t process, uint64_t address, struct sample_frame *f)
{
	struct meaning *m = arg;
	const struct address *a;
	const struct mapping *map;

	if (!process) {
		find_kernel(m, address, f);
		return;
	}
	f->function = functions_find(&m->programs, process, address);
	a = addresses_find(&m->s->addresses, process, address);
	map = a ? images_steady(&m->s->images, process, a->first, a->last, address) : NULL;
	if (!map)
		return;
	f->mapping = map->module->path;
	f->build_id = map->module->id.id;
	f->build_id_bytes = map->module->id.bytes;
	f->start = map->start;
	f->end = map->end;
	f->offset = address - map->start + map->offset;
}

static int write_samples(struct meaning *m, struct fxt_writer *w)
{
	functions_sort(&m->programs);
	sleeps_finish(&m->s->sleeps);
	return samples_write(&m->s->sleeps, w, find_frame, m);
}

/* --- a recording ---------------------------------------------------------------------------- */

int symbols_prepare(struct symbols *s)
{
	s->texts.server = &s->server;
	return elf_server_start(&s->server);
}

int symbols_open(struct symbols *s, const struct source_config *c, bool names)
{
	s->is_on = true;
	s->has_user = c->stacks.what & STACKS_USER;
	s->names = names;
	s->kallsyms = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	s->modules = open("/proc/modules", O_RDONLY | O_CLOEXEC);
	if (!s->has_user)
		return 0;
	s->addresses.left_out = keep_mapping;
	s->addresses.arg = s;
	s->addresses.user_of = user_of;
	s->callers.images = &s->images;
	s->callers.server = &s->server;
	s->callers.user_of = s->addresses.user_of;
	s->callers.depth = c->stacks.depth;
	/* In another pid namespace these processes have other ids than in records. */
	if (!names_fit_records()) {
		s->addresses.user_of = s->callers.user_of = NULL;
		return 0;
	}
	/* First the events: what happens while /proc is read must not be missed. */
	s->live_error = live_maps_open(&s->live, c->clock);
	return proc_walk_open(&s->walk, &s->images, c->filter, &s->texts);
}

uint64_t symbols_unread(const struct symbols *s)
{
	return s->walk ? proc_walk_left(s->walk) : s->unread;
}

int symbols_walk(struct symbols *s)
{
	int ret = s->walk ? proc_walk_step(s->walk) : 0;

	if (!s->walk || ret > 0)
		return 0;
	s->unread = symbols_unread(s);
	proc_walk_close(s->walk);
	s->walk = NULL;
	return ret;
}

int symbols_walk_on(struct symbols *s)
{
	int ret = 0;

	while (!ret && s->walk)
		ret = symbols_walk(s);
	return ret;
}

int symbols_update(struct symbols *s)
{
	return live_maps_read(&s->live, &s->images);
}

uint64_t symbols_lost(const struct symbols *s)
{
	return live_maps_lost(&s->live) + s->images.lost;
}

int symbols_complete(struct symbols *s, struct chunk *c, bool is_last)
{
	/* The mappings of the chunk's stacks may have come since the last call. */
	int ret = s->has_user ? symbols_update(s) : 0;

	if (!ret && s->walk && !is_last)
		return 1;
	return ret || !s->has_user ? ret : callers_chunk(&s->callers, c, is_last);
}

bool symbols_wait(struct symbols *s, int ms)
{
	return callers_wait(&s->callers, ms);
}

static int write_kernel(struct symbols *s, struct kernel_symbols *kernel, struct fxt_writer *w,
			uint64_t time)
{
	struct symbol_lines lines = { .w = w };
	int ret;

	/* Read again each time: modules come and go. */
	ret = s->kallsyms < 0 ? -ENOENT : kernel_symbols_read(kernel, s->kallsyms, s->modules);
	if (ret) {
		*kernel = (struct kernel_symbols){ 0 };
		s->unnamed = true;
		return ret == -ENOMEM ? ret : 0;
	}
	ret = write_modules(&s->addresses, kernel, w, time);
	if (!ret && s->names)
		ret = lines_kernel(&lines, &s->addresses, kernel);
	return lines_end(&lines, ret);
}

static int write_user(struct symbols *s, struct functions *programs, struct fxt_writer *w)
{
	s->user.w = w;
	s->user.records = true;
	s->user.symbols = s->names;
	s->user.debug = RESOLVE_DEBUG;
	s->user.server = &s->server;
	s->user.is_here = s->addresses.user_of;
	s->user.limit = NAMES_NS;
	s->user.each = NAMES_EACH_NS;
	s->user.functions = s->sleeps.is_on ? programs : NULL;
	return resolve(&s->user, &s->images, &s->addresses);
}

/* What the archive lacks and no stream counts. */
static int write_left_out(const struct symbols *s, struct fxt_writer *w)
{
	char text[160];
	int n = 0;

	if (s->addresses.frames_left_out)
		n += snprintf(text + n, sizeof(text) - n, "frames_left_out %" PRIu64 "\n",
			      s->addresses.frames_left_out);
	if (s->user.left_out)
		n += snprintf(text + n, sizeof(text) - n, "mappings_left_out %" PRIu64 "\n",
			      s->user.left_out);
	if (s->user.faults[ELF_TOO_SLOW])
		n += snprintf(text + n, sizeof(text) - n, "files_too_slow %" PRIu64 "\n",
			      s->user.faults[ELF_TOO_SLOW]);
	return n ? fxt_writer_blob(w, FXT_STR_SESSION, text, n) : 0;
}

static bool has_kernel(const struct addresses *a)
{
	return a->count && !a->slots[0].process;
}

int symbols_write(struct symbols *s, struct fxt_writer *w, uint64_t time)
{
	struct meaning meaning = { .s = s };
	int ret = symbols_update(s);

	addresses_sort(&s->addresses);
	if (!ret && has_kernel(&s->addresses))
		ret = write_kernel(s, &meaning.kernel, w, time);
	if (!ret && s->has_user)
		ret = write_user(s, &meaning.programs, w);
	ret = ret ? ret : write_samples(&meaning, w);
	ret = ret ? ret : write_left_out(s, w);
	s->frames_left_out += s->addresses.frames_left_out;
	kernel_symbols_free(&meaning.kernel);
	functions_free(&meaning.programs);
	addresses_free(&s->addresses);
	sleeps_restart(&s->sleeps);
	return ret;
}

void symbols_close(struct symbols *s)
{
	texts_close(&s->texts);
	elf_server_stop(&s->server);
	if (!s->is_on)
		return;
	if (s->kallsyms >= 0)
		close(s->kallsyms);
	if (s->modules >= 0)
		close(s->modules);
	addresses_free(&s->addresses);
	proc_walk_close(s->walk);
	live_maps_close(&s->live);
	callers_close(&s->callers);
	images_free(&s->images);
	sleeps_close(&s->sleeps);
}
