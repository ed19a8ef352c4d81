// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - fxt symbolize: names the functions of stacks in an archive.
 *
 * In: an archive with stacks, and the mapped files, as this machine has them.
 * Out: the same archive, with the functions that it lacked.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "libfxt/map.h"
#include "libsym/addresses.h"
#include "libsym/images.h"
#include "libsym/resolve.h"
#include "rewrite/rewrite.h"
#include "sched/symbols.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "walk/io.h"
#include "command/command_line.h"

/* What an archive has of stacks; initialize with zeros. */
struct survey {
	struct addresses addresses;	/* after survey_finish() sorted, only those without a function */
	struct images images;		/* of processes */
	struct sched_symbols known;	/* functions that the archive names */
	struct map modules;		/* by process and module id */
	struct elf_id kernel_id;	/* build id of the recorded kernel */
	uint16_t kernel_module;		/* its module id */
	uint64_t kernel_start;		/* start address of its code, 0 if unknown */
	uint32_t provider;		/* id of the provider of the stacks */
	bool has_stacks;
	bool is_merged;			/* several providers have stacks */
	struct fxt_content content;	/* the current record */
};

/* Are there addresses of the kernel without a function? */
static inline bool survey_has_kernel(const struct survey *s)
{
	return s->addresses.count && !s->addresses.slots[0].process;
}

struct symbolize {
	struct io io;
	struct survey s;
	struct rewrite_copy c;
	struct resolution found;
	struct elf_server server;
	uint32_t provider;		/* of the last record written */
};

static const struct option_row rows[] = {
	OPTION_TITLE("Output"),
	OPTION('o', "output", "OUT", "write to OUT, compressed if it ends in .zst, .zstd or .gz; - is "
	       "standard output (default: replace FILE, kept as FILE.old)", .kind = OPTION_FILE,
	       OPTION_SETS_STRING(struct symbolize, io.output)),
	ROW_FORCE("replace OUT even if it is not an archive; an archive is kept as OUT.old"),
	ROW_QUIET("show no progress"),
	OPTION_HELP,
	OPTION_TITLE("Input"),
	OPTION(0, "debug", "DIR", "find separate debug files in DIR/.build-id (default: "
	       RESOLVE_DEBUG ")", .kind = OPTION_DIRECTORY,
	       OPTION_SETS_STRING(struct symbolize, found.debug)),
	ROWS_INPUT(struct symbolize, io.a),
	{ 0 },
};

/* --- the stacks of an archive -------------------------------------------------------------------- */

struct known_module {
	struct map_node node;
	uint64_t process;
	uint16_t id;
	struct module *module;
};

static struct known_module *find_module(const struct survey *s, uint64_t process, uint16_t id)
{
	struct known_module *k;

	return map_find(&s->modules, map_hash(process, id), k, k->process == process && k->id == id);
}

static void add_module(struct survey *s, const struct fxt_content *c)
{
	uint64_t process = c->thread.process;
	struct elf_id id = { .bytes = 0 };
	struct known_module *k;

	if (c->build_id.bytes && c->build_id.bytes <= sizeof(id.id)) {
		memcpy(id.id, c->build_id.data, c->build_id.bytes);
		id.bytes = c->build_id.bytes;
	}
	if (!process && fxt_text_is(&c->name, FXT_SCHED_KERNEL_MODULE)) {
		s->kernel_id = id;
		s->kernel_module = c->module_id;
	}
	if (!process)
		return;
	if (map_get(&s->modules, map_hash(process, c->module_id), k,
		    k->process == process && k->id == c->module_id)) {
		k->process = process;
		k->id = c->module_id;
	}
	/* A path does not contain a zero byte. */
	k->module = must(images_module(&s->images, c->name.length ? c->name.bytes : "",
				       c->name.length ? strnlen(c->name.bytes, c->name.length) : 0,
				       &id));
	/* Mappings of this module may follow. */
	k->module->uses++;
}

static void add_mapping(struct survey *s, const struct fxt_content *c)
{
	const struct known_module *k = find_module(s, c->thread.process, c->module_id);
	struct mapping m = {
		.time = c->time, .kind = MAPPING_FILE, .start = c->start,
		.end = c->start + c->range, .offset = c->vaddr, .vaddr = c->vaddr,
	};

	if (!c->thread.process && c->module_id == s->kernel_module && s->kernel_id.bytes)
		s->kernel_start = c->start;
	if (!k || m.end <= m.start)
		return;
	m.module = k->module;
	must_fit(images_add(&s->images, c->thread.process, &m));
}

static void add_stack(struct survey *s, const struct fxt_record *rec,
		      const struct fxt_content *c)
{
	unsigned int i;

	s->is_merged |= s->has_stacks && s->provider != rec->provider->id;
	s->has_stacks = true;
	s->provider = rec->provider->id;
	for (i = 0; i < c->frame_count; i++)
		must_fit(addresses_add(&s->addresses, c->thread.process, c->frames[i], c->time));
}

static int survey_record(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct survey *s = arg;
	struct fxt_content *c = &s->content;
	int ret;

	if ((rec->kind != FXT_KIND_BLOB && rec->kind != FXT_KIND_MODULE &&
	     rec->kind != FXT_KIND_MMAP && rec->kind != FXT_KIND_BACKTRACE) ||
	    !fxt_text_is(&rec->provider->name, FXT_SCHED_PROVIDER_NAME))
		return 0;
	ret = fxt_reader_content(r, rec, c);
	if (ret)
		return ret;
	switch (rec->kind) {
	case FXT_KIND_MODULE:
		add_module(s, c);
		break;
	case FXT_KIND_MMAP:
		add_mapping(s, c);
		break;
	case FXT_KIND_BACKTRACE:
		add_stack(s, rec, c);
		break;
	default:
		if (c->name.known == FXT_STR_SYMBOLS)
			sched_symbols_parse(&s->known, rec->provider->id, &c->blob);
	}
	return 0;
}

static void survey_finish(struct survey *s)
{
	struct addresses *a = &s->addresses;
	size_t i, count = 0;

	addresses_sort(a);
	for (i = 0; i < a->count; i++)
		if (!sched_symbol_knows(&s->known, s->provider, a->slots[i].process,
					a->slots[i].at))
			a->slots[count++] = a->slots[i];
	a->count = count;
}

static void survey_free(struct survey *s)
{
	addresses_free(&s->addresses);
	images_free(&s->images);
	sched_symbols_free(&s->known);
	map_free_all(&s->modules, struct known_module);
}

/* --- write ------------------------------------------------------------------------------------ */

static int copy_record(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct symbolize *s = arg;

	s->provider = rec->provider->id;
	return rewrite_copy_record(&s->c, r, rec);
}

/* Is this the kernel that was recorded, at the same addresses? */
static bool is_same_kernel(const struct survey *s, const struct kernel_symbols *k)
{
	struct elf_id id;

	id.bytes = build_id_of_kernel(NULL, id.id);
	return id.bytes && id.bytes == s->kernel_id.bytes &&
	       !memcmp(id.id, s->kernel_id.id, id.bytes) &&
	       k->ranges[0].start == s->kernel_start;
}

static int write_kernel(struct symbolize *s)
{
	int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC), ret = -ENOENT;
	struct symbol_lines lines = { .w = s->c.f.w };
	struct kernel_symbols k;

	if (fd >= 0) {
		ret = kernel_symbols_read(&k, fd, -1);
		close(fd);
	}
	if (ret)
		return ret == -ENOMEM ? ret : 0;
	if (is_same_kernel(&s->s, &k))
		ret = lines_kernel(&lines, &s->s.addresses, &k);
	ret = lines_end(&lines, ret);
	kernel_symbols_free(&k);
	return ret;
}

static int write_symbols(struct symbolize *s)
{
	struct fxt_content section = {
		.kind = FXT_KIND_PROVIDER_SECTION, .provider_id = s->s.provider,
	};
	int ret = 0;

	if (!s->s.addresses.count)
		return 0;
	if (s->provider != s->s.provider)
		ret = fxt_writer_record(s->c.f.w, &section);
	if (!ret && survey_has_kernel(&s->s))
		ret = write_kernel(s);
	s->found.w = s->c.f.w;
	s->found.symbols = true;
	s->found.server = &s->server;
	if (!ret)
		ret = elf_server_start(&s->server);
	if (!ret)
		ret = resolve(&s->found, &s->s.images, &s->s.addresses);
	elf_server_stop(&s->server);
	rewrite_written(&s->c.f, ret);
	return rewrite_error(&s->c.f);
}

static int write_all(struct symbolize *s, struct pack *p)
{
	int ret, status;

	s->c.f.keeps_refs = true;
	rewrite_open(&s->c.f, p);
	ret = io_walk(&s->io, NULL, copy_record, s);
	if (!ret)
		ret = write_symbols(s);
	rewrite_copy_close(&s->c);
	status = archive_close(&s->io.a, ret == -ECANCELED ? 0 : ret);
	status = rewrite_status(&s->c.f, s->io.a.path, s->io.output, status);
	return result_end(&s->io.result, status, !ret && !s->c.f.write_error);
}

/* --- the steps ----------------------------------------------------------------------------------- */

static void report_symbols(const struct symbolize *s)
{
	const struct resolution *f = &s->found;
	size_t i;

	message("fxt: %s: named %" PRIu64 " of %" PRIu64 " addresses in programs that had no function\n",
		s->io.input, f->named, f->addresses);
	if (f->unmapped)
		message("fxt: %" PRIu64 " are in no mapping of the archive\n", f->unmapped);
	if (f->changed)
		message("fxt: %" PRIu64 " were in different files at different times\n",
			f->changed);
	for (i = ELF_FINE + 1; i < ELF_FAULTS; i++)
		if (f->faults[i])
			message("fxt: no functions of %" PRIu64 " file%s: %s %s\n",
				f->faults[i], f->faults[i] == 1 ? "" : "s", f->example[i],
				resolve_fault(i));
}

static int survey(struct symbolize *s)
{
	int ret = io_open(&s->io);

	if (ret)
		return ret;
	/* The walk that copies the records reports other errors. */
	ret = io_walk(&s->io, NULL, survey_record, &s->s);
	archive_drop(&s->io.a);
	if (ret == -ENOMEM)
		return archive_unreadable(s->io.input, ret);
	survey_finish(&s->s);
	if (!s->s.is_merged)
		return VERB_DONE;
	return archive_usage("symbolize", s->io.input,
			     "has stacks of several machines; symbolize the archives before you merge them");
}

static int symbolize_archive(struct symbolize *s)
{
	struct archive a = s->io.a;
	struct stat st;
	int ret = io_rereadable(&s->io);

	if (!ret)
		ret = survey(s);
	if (ret)
		return ret;
	s->io.a = a;
	ret = io_open(&s->io);
	if (ret)
		return ret;
	/* The result replaces the archive when it is complete, but does not get its mode. */
	ret = result_open(&s->io.result, s->io.output, &result_archive);
	if (!ret && archive_is_same(s->io.input, s->io.output) && !stat(s->io.input, &st))
		fchmod(s->io.result.fd, st.st_mode & 0777);
	if (ret) {
		archive_drop(&s->io.a);
		return ret;
	}
	ret = write_all(s, pack_open(s->io.output, s->io.result.fd));
	if (ret <= VERB_DEVIATES)
		report_symbols(s);
	return ret;
}

static int run_symbolize(void *command, const struct operands *operands)
{
	struct symbolize *s = command;
	int status;

	if (!s->found.debug)
		s->found.debug = RESOLVE_DEBUG;
	s->server.socket = -1;
	s->io.input = operands->paths[0];
	if (!s->io.output)
		s->io.output = s->io.input;
	status = symbolize_archive(s);
	survey_free(&s->s);
	return status;
}

const struct verb verb_symbolize = {
	.name = "symbolize",
	.what = "name the functions in call stacks of an archive",
	.about =
		"Names the functions in stacks of FILE that have no name yet. Programs and "
		"libraries\n"
		"are read from the paths that were mapped, or from separate debug files, and must have\n"
		"the build ids that were mapped. The kernel's functions are named only on the machine,\n"
		"and in the boot, that was recorded.\n",
	.more =
		"FILE may be compressed (" FXT_UNPACKS "), or be -, standard input.\n"
		"exit status: 0 done; 1 records were skipped or changed; 2 wrong usage; 3 the archive\n"
		"cannot be read; 4 the output cannot be written.\n",
	.rows = rows,
	.bytes = sizeof(struct symbolize),
	.run = run_symbolize,
};
