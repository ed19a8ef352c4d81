// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer target: the functions of an ELF file and unwinding from them; the file's last bytes are
 * also a stack. Functions have names, and none overlaps the next one; unwinding ends, with at least
 * the frame that it began with.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libsym/cfi.h"

static struct cfi_rule rule;

static const struct cfi_rule *find(void *arg, uint64_t address)
{
	return cfi_find(arg, address, &rule) ? &rule : NULL;
}

static void unwind_at(struct cfi_file *f, const uint64_t *copy, size_t words, uint64_t at)
{
	const uint64_t frames[] = { at, at + 1, at + 2 };
	struct unwinding u = {
		.frames = frames, .count = 3, .copy = copy, .words = words,
		.rule = find, .arg = f,
	};

	unwind(&u);
	assert(u.found >= 1 && u.found <= FXT_SCHED_STACK_FRAMES && u.result[0] == at);
	assert(u.added < u.found);
}

static void read_functions(const char *path, const struct elf_id *id)
{
	const struct elf_function *found;
	struct elf_file f;

	if (elf_open(&f, elf_open_regular(path), id) == ELF_FINE && !elf_read_functions(&f, id, -1)) {
		for (size_t i = 0; i < f.count; i++) {
			assert(f.functions[i].name[0]);
			assert(!i || f.functions[i - 1].end <= f.functions[i].start);
			found = elf_find(&f, f.functions[i].start);
			assert(!found || found == &f.functions[i]);
		}
	}
	elf_close(&f);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	uint64_t copy[FXT_SCHED_COPY_WORDS] = { 0 }, at;
	size_t bytes = size < sizeof(copy) ? size : sizeof(copy), i;
	struct cfi_file f;
	struct elf_id id;
	char path[32];
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	memcpy(copy, data + size - bytes, bytes);
	copy[FXT_SCHED_COPY_FP] = copy[FXT_SCHED_COPY_SP] + copy[FXT_SCHED_COPY_FP] % 1024;
	elf_read_id(fd, &id);
	read_functions(path, &id);
	if (cfi_open(&f, elf_open_regular(path), &id) == ELF_FINE) {
		for (i = 0; i < f.elf.load_count; i++)
			for (at = 0; at < 4096 && at < f.elf.loads[i].size; at += 61)
				unwind_at(&f, copy, FXT_SCHED_COPY_WORDS, f.elf.loads[i].vaddr + at);
		unwind_at(&f, copy, FXT_SCHED_COPY_HEAD, copy[FXT_SCHED_COPY_LINK]);
	}
	cfi_close(&f);
	close(fd);
	return 0;
}
