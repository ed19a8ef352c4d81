// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - fxt symbolize: names the functions of stacks in an archive.
 *
 * In: an archive with stacks, and the files that were mapped, as this machine has them.
 * Out: the same archive, with the functions that it lacked.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libsym/resolve.h"
#include "command.h"
#include "rewrite/copy.h"
#include "survey.h"
#include "terminal/message.h"
#include "walk/io.h"

enum { OPT_DEBUG = OPTION_LONG };

static const struct option_row rows[] = {
	OPTION_TITLE("Output"),
	ROW_OUTPUT("write to OUT, compressed if it ends in .zst, .zstd or .gz; - is standard output "
		   "(default: replace FILE, kept as FILE.old)"),
	ROW_FORCE("replace OUT even if it is not an archive; an archive is kept as OUT.old"),
	ROW_QUIET("show no progress"),
	OPTION_HELP,
	OPTION_TITLE("Input"),
	OPTION(OPT_DEBUG, "debug", "DIR", "find separate debug files in DIR/.build-id (default: "
	       RESOLVE_DEBUG ")", .kind = OPTION_DIRECTORY),
	ROWS_INPUT,
	{ 0 },
};

struct symbolize {
	struct io io;
	struct survey s;
	struct rewrite_copy c;
	struct resolution found;
	struct elf_server server;
	uint32_t provider;		/* of the last record written */
};

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
	return rewrite_written(&s->c.f, ret);
}

static int write_all(struct symbolize *s, struct pack *p)
{
	bool is_complete;
	int ret, error;

	s->c.f.keeps_refs = true;
	ret = rewrite_open(&s->c.f, pack_write, p);
	if (!ret)
		ret = io_walk(&s->io, NULL, copy_record, s);
	if (!ret)
		ret = write_symbols(s);
	rewrite_copy_close(&s->c);
	error = pack_close(p);
	if (error && !s->c.f.write_error)
		s->c.f.write_error = error;
	is_complete = !ret && !s->c.f.write_error;
	ret = archive_close(&s->io.a, ret == -ECANCELED ? 0 : ret);
	ret = rewrite_status(&s->c.f, s->io.a.path, s->io.output, ret);
	return result_end(&s->io.result, ret, is_complete);
}

/* --- the steps ----------------------------------------------------------------------------------- */

static void report(const struct symbolize *s)
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
	/* Other errors are reported by the walk that copies the records. */
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

static int run(struct symbolize *s)
{
	struct archive a = s->io.a;
	struct pack *p;
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
	/* The result takes the place of the archive when it is complete, but not its mode. */
	ret = result_open(&s->io.result, s->io.output, &result_archive);
	if (!ret && archive_is_same(s->io.input, s->io.output) && !stat(s->io.input, &st))
		fchmod(s->io.result.fd, st.st_mode & 0777);
	if (!ret && pack_open(&p, s->io.output, s->io.result.fd)) {
		message("fxt: symbolize: %s\n", strerror(ENOMEM));
		ret = result_end(&s->io.result, VERB_UNWRITABLE, false);
	}
	if (ret) {
		archive_drop(&s->io.a);
		return ret;
	}
	ret = write_all(s, p);
	if (ret <= VERB_DEVIATES)
		report(s);
	return ret;
}

static const char *take_own(void *arg, int option, const char *value)
{
	struct symbolize *s = arg;

	if (option == OPT_DEBUG)
		s->found.debug = value;
	else
		s->io.output = value;
	return NULL;
}

static int run_symbolize(int argc, char **argv)
{
	struct symbolize *s = calloc(1, sizeof(*s));
	struct operands operands;
	int status;

	if (!s) {
		message("fxt: symbolize: %s\n", strerror(ENOMEM));
		return VERB_UNREADABLE;
	}
	s->found.debug = RESOLVE_DEBUG;
	s->server.socket = -1;
	status = command_line_parse(&verb_symbolize, s, &s->io.a, NULL, argc, argv, &operands);
	if (status < 0) {
		s->io.input = operands.paths[0];
		if (!s->io.output)
			s->io.output = s->io.input;
		status = run(s);
	}
	survey_free(&s->s);
	free(s);
	return status;
}

const struct verb verb_symbolize = {
	.name = "symbolize",
	.what = "name the functions of its call stacks",
	.about =
		"Names the functions of the stacks in FILE that have no name yet. Programs and libraries\n"
		"are read from the paths that were mapped, or from separate debug files, and must have\n"
		"the build ids that were mapped. The kernel's functions are named only on the machine,\n"
		"and in the boot, that was recorded.\n",
	.more =
		"FILE may be compressed with gzip or zstd, or be -, standard input.\n"
		"exit status: 0 done; 1 records were skipped or changed; 2 wrong usage; 3 the archive\n"
		"cannot be read; 4 the output cannot be written.\n",
	.rows = rows,
	.run = run_symbolize,
	.take = take_own,
};
